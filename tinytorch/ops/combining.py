"""Common combinations of other operations, under names of their own."""

import numpy as np

from tinytorch.ops.dims import axis_of, reduction
from tinytorch.ops.joining import stack
from tinytorch.state import state
from tinytorch.tensor import method, wrap


@reduction
def cumprod(input, dim):
    """The products of all elements up to each one along `dim`.

    >>> tinytorch.tensor([2.0, 3.0, 4.0]).cumprod(0)
    tensor([ 2.,  6., 24.])
    """
    axis = axis_of(dim, input._data.ndim)
    if input._node is None or not state.grad_enabled or not input.numel() or not input.dim():
        return input * 1 if not input.dim() else wrap(np.cumprod(input._data, axis))
    product, results = 1, []
    for part in input.unbind(axis):  # step by step: gradients are right at zeros, too
        product = part * product
        results.append(product)
    return stack(results, axis)


def meshgrid(*tensors, indexing="ij"):
    """All combinations of the numbers of vectors: for each vector a tensor, all of one shape.

    The shape is (n1, n2, ...), with `indexing="xy"` (n2, n1, ...).

    >>> meshgrid(tinytorch.tensor([1, 2]), tinytorch.tensor([3, 4, 5]))[0]
    tensor([[1, 1, 1],
            [2, 2, 2]])
    """
    if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
        tensors = tensors[0]
    if indexing not in ("ij", "xy"):
        raise RuntimeError(f"indexing must be 'ij' or 'xy', got {indexing!r}")
    shape, count = [tensor.numel() for tensor in tensors], len(tensors)
    rows = [t.reshape([-1 if i == k else 1 for k in range(count)]) for i, t in enumerate(tensors)]
    grids = [row.expand(shape) for row in rows]
    swap = indexing == "xy" and count > 1
    return tuple([grid.transpose(0, 1) if swap else grid for grid in grids])


@method("addcmul")
def addcmul(input, tensor1, tensor2, *, value=1):
    """input + value * tensor1 * tensor2."""
    return input + value * tensor1 * tensor2


@method("addcdiv")
def addcdiv(input, tensor1, tensor2, *, value=1):
    """input + value * tensor1 / tensor2."""
    return input + value * tensor1 / tensor2
