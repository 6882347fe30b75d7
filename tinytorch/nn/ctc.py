"""The CTC loss: a text and a longer row of guesses, where nobody says which belongs to which."""

import numpy as np

from tinytorch.nn.losses import Loss
from tinytorch.nn.reduction import check_reduction
from tinytorch.ops.elementwise import where
from tinytorch.ops.joining import pad, stack
from tinytorch.ops.reductions import logsumexp
from tinytorch.tensor import Tensor, check_tensors, wrap

NEVER = -1e30  # the logarithm of a probability that's 0: minus infinity has no slopes


def ctc_loss(
    log_probs,
    targets,
    input_lengths,
    target_lengths,
    blank=0,
    reduction="mean",
    zero_infinity=False,
):
    """-log of the probability that guesses, with repetitions and blanks left out, say the targets.

    `log_probs` (T, N, C), or (T, C) for one text, are logarithms of the probabilities of C classes
    at each of T moments; `targets` (N, S), or all of them in one vector, are classes other than
    `blank`. The lengths (N,) say how much of each is there. "mean" divides each loss by the length
    of its target first. A target that doesn't fit has an infinite loss, or 0 with `zero_infinity`.
    RuntimeError for shapes and lengths that don't fit. A. Graves et al., 2006.

    >>> guesses = tinytorch.tensor([[[0.5, 0.5]], [[0.5, 0.5]]]).log()
    >>> ctc_loss(guesses, tinytorch.tensor([[1]]), [2], [1])  # 11, 01 and 10: three of four
    tensor(0.2877)
    """
    check_tensors("ctc_loss", log_probs=log_probs, targets=targets)
    check_reduction(reduction)
    if log_probs.dim() not in (2, 3) or targets.dim() not in (1, 2):
        shapes = f"{tuple(log_probs.shape)} and {tuple(targets.shape)}"
        raise RuntimeError(f"ctc_loss needs (T, N, C) or (T, C), and targets (N, S), got {shapes}")
    single = log_probs.dim() == 2
    log_probs = log_probs.unsqueeze(1) if single else log_probs
    times, lengths = [as_lengths(x) for x in (input_lengths, target_lengths)]
    check_lengths(log_probs, targets, times, lengths)
    rows = rows_of(targets._data, lengths)
    losses = -log_probabilities(log_probs, rows, times, lengths, blank)
    never = losses.detach() > -NEVER / 2
    losses = where(never, 0.0 if zero_infinity else np.inf, losses)
    if reduction == "mean":
        return (losses / wrap(np.maximum(lengths, 1)).to(losses.dtype)).mean()
    return losses.sum() if reduction == "sum" else losses.squeeze(0) if single else losses


def as_lengths(lengths):
    return np.array(lengths.tolist() if isinstance(lengths, Tensor) else lengths).reshape(-1)


def check_lengths(log_probs, targets, times, lengths):
    """RuntimeError unless there is a length of each text and of its guesses, and they fit."""
    moments, count, _ = log_probs.shape
    if times.shape != (count,) or lengths.shape != (count,) or times.max(initial=0) > moments:
        raise RuntimeError(
            f"ctc_loss needs {count} lengths of targets, and as many of inputs, up to {moments};"
            f" got {lengths.tolist()} and {times.tolist()}"
        )
    whole = lengths.sum() == len(targets) if targets.dim() == 1 else len(targets) == count
    if not whole or (targets.dim() == 2 and lengths.max(initial=0) > targets.shape[1]):
        raise RuntimeError(
            f"ctc_loss: lengths {lengths.tolist()} do not fit targets of shape"
            f" {tuple(targets.shape)}"
        )


def rows_of(targets, lengths):
    """The targets (N, S) of texts that follow each other in one vector; a matrix as it is."""
    if targets.ndim == 2:
        return targets
    rows, ends = np.zeros((len(lengths), lengths.max(initial=0)), np.int64), np.cumsum(lengths)
    for row, end, length in zip(rows, ends, lengths, strict=True):
        row[:length] = targets[end - length : end]
    return rows


def log_probabilities(log_probs, rows, times, lengths, blank):
    """log of the probability of each text (N,), summed over all ways to say it.

    A way goes along the text with a blank before, between and behind all letters. At each moment it
    stays, goes on by one, or skips a blank between two different letters.
    """
    text = np.full((len(rows), 2 * rows.shape[1] + 1), blank)
    text[:, 1::2] = rows
    may_skip = np.zeros(text.shape, bool)
    may_skip[:, 2:] = (text[:, 2:] != blank) & (text[:, 2:] != text[:, :-2])
    seen = log_probs.gather(2, wrap(np.broadcast_to(text, (len(log_probs), *text.shape)).copy()))
    ways = where(wrap(np.arange(text.shape[1]) < 2), seen[0], NEVER)
    for moment in range(1, len(seen)):
        on, skipped = [pad(ways, (k, -k), value=NEVER) for k in (1, 2)]
        skipped = where(wrap(may_skip), skipped, NEVER)
        further = logsumexp(stack([ways, on, skipped]), 0) + seen[moment]
        ways = where(wrap(moment < times)[:, None], further, ways)
    everyone = np.arange(len(rows))
    last, before = ways[everyone, 2 * lengths], ways[everyone, np.maximum(2 * lengths - 1, 0)]
    before = where(wrap(lengths > 0), before, NEVER)
    return logsumexp(stack([last, before]), 0)


class CTCLoss(Loss, function=ctc_loss):
    """ctc_loss() as a module."""
