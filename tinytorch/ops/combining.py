"""Common combinations of other operations, under names of their own."""

from functools import wraps

import numpy as np

from tinytorch import dtypes
from tinytorch.ops.comparison import isnan
from tinytorch.ops.dims import axis_and_length, axis_of, reduction
from tinytorch.ops.elementwise import where
from tinytorch.ops.joining import cat, hstack
from tinytorch.ops.linalg import matmul
from tinytorch.ops.reductions import count_of, mean, std, sum, var
from tinytorch.tensor import check_tensors, method


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
    check_vectors(tensors)
    shape, count = [tensor.numel() for tensor in tensors], len(tensors)
    rows = [t.reshape([-1 if i == k else 1 for k in range(count)]) for i, t in enumerate(tensors)]
    grids = [row.expand(shape) for row in rows]
    swap = indexing == "xy" and count > 1
    return tuple([grid.transpose(0, 1) if swap else grid for grid in grids])


def check_vectors(tensors):
    """RuntimeError unless these are vectors, or numbers, of one dtype."""
    if not tensors:
        raise RuntimeError("meshgrid() needs at least one tensor")
    if any(tensor.dim() > 1 for tensor in tensors) or len({t.dtype for t in tensors}) > 1:
        given = ", ".join(f"{t.dtype} of shape {tuple(t.shape)}" for t in tensors)
        raise RuntimeError(f"meshgrid() needs vectors of one dtype, got {given}")


def through_float(operation):
    """Decorator: float16 is computed in float32, for what lies between may be too large for it."""

    @wraps(operation)
    def in_float(input, tensor1, tensor2, *old, value=1):
        if old:  # once, programs gave the factor first
            value, tensor1, tensor2 = tensor1, tensor2, *old
        if input.dtype != dtypes.float16:
            return operation(input, tensor1, tensor2, value=value)
        wide = [tensor.float() for tensor in (input, tensor1, tensor2)]
        return operation(*wide, value=value).half()

    return in_float


@method("addcmul")
@through_float
def addcmul(input, tensor1, tensor2, *, value=1):
    """input + value * tensor1 * tensor2."""
    return input + value * tensor1 * tensor2


@method("addcdiv")
@through_float
def addcdiv(input, tensor1, tensor2, *, value=1):
    """input + value * tensor1 / tensor2; RuntimeError for two tensors of integers."""
    if not (tensor1.is_floating_point() or tensor2.is_floating_point()):
        raise RuntimeError(f"addcdiv() divides floats, got {tensor1.dtype} and {tensor2.dtype}")
    return input + value * tensor1 / tensor2


# --- reductions ---


def var_mean(input, dim=None, unbiased=None, keepdim=False, *, correction=1):
    """A pair: var() and mean()."""
    spread = var(input, dim, unbiased, keepdim, correction=correction)
    return spread, mean(input, None if isinstance(dim, bool) else dim, keepdim)


def std_mean(input, dim=None, unbiased=None, keepdim=False, *, correction=1):
    """A pair: std() and mean()."""
    spread = std(input, dim, unbiased, keepdim, correction=correction)
    return spread, mean(input, None if isinstance(dim, bool) else dim, keepdim)


@reduction
def nansum(input, dim=None, keepdim=False):
    """The sum of what is a number: NaN counts as 0."""
    return sum(where(isnan(input), 0, input), dim, keepdim)


@reduction
def nanmean(input, dim=None, keepdim=False):
    """The mean of what is a number: NaN does not count."""
    return nansum(input, dim, keepdim) / sum(~isnan(input), dim, keepdim)


@method("nan_to_num")
def nan_to_num(input, nan=0.0, posinf=None, neginf=None):
    """`nan` in the place of NaN; for infinities what is given, or the extremes of the dtype.

    >>> nan_to_num(tinytorch.tensor([float("nan"), 1.0]))
    tensor([0., 1.])
    """
    if not input.is_floating_point():
        return input.clone()
    limits = np.finfo(input.dtype)
    input = where(isnan(input), nan, input)
    input = where(input == np.inf, float(limits.max) if posinf is None else posinf, input)
    return where(input == -np.inf, float(limits.min) if neginf is None else neginf, input)


@method("diff")
def diff(input, n=1, dim=-1, prepend=None, append=None):
    """The differences of neighbours along `dim`, `n` times over.

    >>> diff(tinytorch.tensor([1.0, 4.0, 9.0]))
    tensor([3., 5.])
    """
    dim, _ = axis_and_length(input, dim)
    if n < 0:
        raise RuntimeError(f"diff needs n of at least 0, got {n}")
    if n == 0:
        return input
    parts = [part for part in (prepend, input, append) if part is not None]
    input = cat(parts, dim)
    for _ in range(min(n, input.shape[dim])):
        length = input.shape[dim] - 1
        later, earlier = input.narrow(dim, 1, length), input.narrow(dim, 0, length)
        input = later ^ earlier if input.dtype == dtypes.bool else later - earlier
    return input


# --- products ---


def tensordot(a, b, dims=2):
    """Sums of products over the last `dims` dimensions of a and the first of b, or over two lists.

    >>> tensordot(tinytorch.ones(2, 3), tinytorch.ones(3, 4), dims=1).shape
    tinytorch.Size([2, 4])
    """
    check_tensors("tensordot", a=a, b=b)
    if isinstance(dims, int):
        dims = range(a.dim() - dims, a.dim()), range(dims)
    of_a, of_b = ([axis_of(d, x.dim()) for d in each] for x, each in zip((a, b), dims, strict=True))
    rest_a = [d for d in range(a.dim()) if d not in of_a]
    rest_b = [d for d in range(b.dim()) if d not in of_b]
    shape = [a.shape[d] for d in rest_a] + [b.shape[d] for d in rest_b]
    if [a.shape[d] for d in of_a] != [b.shape[d] for d in of_b]:
        raise RuntimeError(f"tensordot: shapes {tuple(a.shape)} and {tuple(b.shape)} do not fit")
    count = count_of(a.shape, of_a)
    left = a.permute(*rest_a, *of_a).reshape(count_of(a.shape, rest_a), count)
    right = b.permute(*of_b, *rest_b).reshape(count, count_of(b.shape, rest_b))
    return matmul(left, right).reshape(shape)


@method("inner")
def inner(input, other):
    """Sums of products over the last dimension of both."""
    if not input.dim() or not other.dim():
        return input * other
    return tensordot(input, other, ([-1], [-1]))


@method("trace")
def trace(input):
    """The sum of the diagonal of a matrix."""
    if input.dim() != 2:
        raise RuntimeError(f"trace() is for matrices, got {input.dim()} dimensions")
    return sum(input.diagonal())


def column_stack(tensors):
    """hstack(), where vectors are columns."""
    return hstack([x.reshape(-1, 1) if x.dim() < 2 else x for x in tensors])
