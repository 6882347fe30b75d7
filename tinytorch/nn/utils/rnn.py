"""Sequences of different lengths in one batch: filled up, or packed time by time."""

from collections import namedtuple

import numpy as np

from tinytorch.dtypes import float32, float64
from tinytorch.ops.creation import as_tensor, full
from tinytorch.ops.elementwise import where
from tinytorch.ops.joining import pad, stack
from tinytorch.tensor import check_tensors, wrap


class PackedSequence(
    namedtuple(
        "PackedSequence",
        "data batch_sizes sorted_indices unsorted_indices",
        defaults=(None, None, None),
    )
):
    """Sequences without filling: `data` (total, ...) has all first elements, then all second ones.

    `batch_sizes` (T,) says how many sequences there are at each time. The longest comes first:
    `sorted_indices` says where each was in the batch, `unsorted_indices` where each is now.
    """

    __slots__ = ()
    is_cuda = False

    def to(self, *args, **kwargs):
        """The same sequences with `data` in another dtype, or as they are."""
        data = self.data.to(*args, **kwargs)
        return self if data is self.data else self._replace(data=data)

    def cpu(self):
        """Itself: it is on the CPU."""
        return self

    def float(self):
        """`data` as float32."""
        return self.to(float32)

    def double(self):
        """`data` as float64."""
        return self.to(float64)


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """Tensors (L_i, ...) side by side, filled up to the longest: (L, N, ...) or (N, L, ...).

    The filling comes after each of them, or before it for `padding_side="left"`; RuntimeError for
    another side.

    >>> pad_sequence([tinytorch.ones(2), tinytorch.ones(1)], batch_first=True)
    tensor([[1., 1.],
            [1., 0.]])
    """
    if padding_side not in ("left", "right"):
        raise RuntimeError(f"padding_side must be 'left' or 'right', got {padding_side!r}")
    longest = max(len(sequence) for sequence in sequences)
    filled = []
    for x in sequences:
        missing = longest - len(x)
        ends = (missing, 0) if padding_side == "left" else (0, missing)
        filled.append(pad(x, (0, 0) * (x.dim() - 1) + ends, value=padding_value))
    return stack(filled, 0 if batch_first else 1)


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    """A PackedSequence of a batch (T, N, ...) that was filled up, with `batch_first` (N, T, ...).

    `lengths` are the true lengths, the longest first unless `enforce_sorted` is False.
    RuntimeError for lengths that do not fit.
    """
    check_tensors("pack_padded_sequence", input=input)
    lengths = as_tensor(lengths)._data
    x = input.transpose(0, 1) if batch_first else input
    if len(lengths) != x.shape[1] or not (1 <= lengths.min() <= lengths.max() <= len(x)):
        raise RuntimeError(
            f"a length from 1 to {len(x)} is needed for each of {x.shape[1]} sequences, got"
            f" {lengths.tolist()!s:.60}"
        )
    order = np.argsort(-lengths, kind="stable")
    if enforce_sorted and (np.diff(lengths) > 0).any():
        raise RuntimeError("lengths must fall; sort the batch, or pass enforce_sorted=False")
    lengths = lengths[order]
    there = np.arange(lengths[0])[:, None] < lengths  # (T, N)
    times, places = np.nonzero(there)
    data = x[wrap(times), wrap(order[places])]
    sizes = wrap(there.sum(1))
    if enforce_sorted:
        return PackedSequence(data, sizes)
    return PackedSequence(data, sizes, wrap(order), wrap(np.argsort(order)))


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    """(batch, lengths): the sequences filled up again, (T, N, ...), and their true lengths.

    `total_length` is T, the longest length by default; ValueError if it is less.
    """
    sizes = sequence.batch_sizes._data
    total = len(sizes) if total_length is None else total_length
    if total < len(sizes):
        raise ValueError(f"total_length {total} is less than the longest length {len(sizes)}")
    padded_sizes = np.concatenate([sizes, np.zeros(total - len(sizes), np.int64)])
    there = np.arange(sizes[0]) < padded_sizes[:, None]  # (T, N)
    order = sequence.unsorted_indices
    order = np.arange(sizes[0]) if order is None else order._data
    places = (np.cumsum(there) - 1).reshape(there.shape)[:, order]
    there = there[:, order]
    beside = wrap(there.reshape(*there.shape, *[1] * (sequence.data.dim() - 1)))
    filling = full((), padding_value, dtype=sequence.data.dtype)
    batch = where(beside, sequence.data[wrap(places)], filling)
    return batch.transpose(0, 1) if batch_first else batch, wrap(there.sum(0))


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    """The list of sequences (L_i, ...) that pad_sequence() filled up to (L, N, ...).

    >>> unpad_sequence(tinytorch.tensor([[1.0, 2.0], [3.0, 0.0]]), [2, 1])
    [tensor([1., 3.]), tensor([2.])]
    """
    rows = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    return [row[: int(length)] for row, length in zip(rows, lengths, strict=True)]


def unpack_sequence(packed_sequences):
    """The list of sequences (L_i, ...) of which pack_sequence() made this PackedSequence."""
    return unpad_sequence(*pad_packed_sequence(packed_sequences, True), True)


def pack_sequence(sequences, enforce_sorted=True):
    """A PackedSequence of tensors (L_i, ...)."""
    lengths = [len(sequence) for sequence in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)
