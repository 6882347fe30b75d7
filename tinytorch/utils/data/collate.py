"""Collating: one batch made of several samples."""

import numpy as np

from tinytorch.ops.creation import as_tensor, tensor
from tinytorch.ops.joining import stack
from tinytorch.tensor import Tensor


def default_collate(batch):
    """One batch from a list of samples.

    Tensors and arrays are stacked, numbers become a tensor, tuples, lists and dictionaries are
    taken apart and each part collated, strings stay as they are. TypeError for anything else.

    >>> default_collate([(1, tinytorch.zeros(2)), (2, tinytorch.ones(2))])
    [tensor([1, 2]), tensor([[0., 0.],
            [1., 1.]])]
    """
    first = batch[0]
    if isinstance(first, Tensor):
        return stack(batch)
    if isinstance(first, (np.ndarray, np.generic)):
        return stack([as_tensor(sample) for sample in batch])
    if isinstance(first, (int, float)):
        return tensor(batch, dtype="float64" if isinstance(first, float) else None)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, dict):
        return {key: default_collate([sample[key] for sample in batch]) for key in first}
    if isinstance(first, (tuple, list)):
        return collated_parts(batch)
    raise TypeError(f"cannot make a batch of {type(first).__name__}; pass a collate_fn")


def collated_parts(batch):
    """A batch for each place of tuples: a list, or for namedtuples their own type."""
    if len({len(sample) for sample in batch}) > 1:
        raise RuntimeError("the samples of a batch must all have the same number of parts")
    parts = [default_collate(part) for part in zip(*batch, strict=True)]
    return type(batch[0])(*parts) if hasattr(batch[0], "_fields") else parts
