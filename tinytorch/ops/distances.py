"""How long, how far apart, how much in one direction: norms, distances, angles, unit length."""

import math

import numpy as np

from tinytorch.dtypes import float16, to_floating
from tinytorch.node import OUTPUT, Rule
from tinytorch.operation import quiet, recorded
from tinytorch.ops.dims import common_shape, kept_shape, reduced_axes, reduction
from tinytorch.ops.elementwise import abs, clamp_min, where, zeros_for
from tinytorch.ops.ordering import max_of_all, min_of_all
from tinytorch.ops.out import with_out
from tinytorch.ops.reductions import root, sum
from tinytorch.tensor import check_tensors, wrap


@reduction
def norm(input, p=2, dim=None, keepdim=False):
    """The p-norm over the dimensions `dim`: the p-th root of the sum of |x|^p.

    >>> tinytorch.tensor([3.0, 4.0]).norm()
    tensor(5.)
    """
    p = 2 if p in ("fro", None) else p
    if isinstance(p, str):
        raise RuntimeError(f"norm() knows no norm {p!r}; linalg.matrix_norm() does, if it is one")
    if input._data.dtype == float16:  # whose powers would soon be infinite
        return norm(input.float(), p, dim, keepdim).half()
    if p == 2:
        return euclidean_norm(input, dim, keepdim)
    size = abs(input)
    if p == 1:
        return sum(size, dim, keepdim)
    if math.isinf(p):
        return (max_of_all if p > 0 else min_of_all)(size, dim, keepdim)
    if p == 0:
        return sum(where(size == 0, zeros_for(size), 1), dim, keepdim)
    nothing = size == 0  # its slope may be infinite: take 0
    powers = where(nothing, 0.0 if p > 0 else math.inf, where(nothing, 1.0, size) ** p)
    return root(sum(powers, dim, keepdim), p)


def norm_formula(grad, x, y, shape, axes):
    y = y.reshape(kept_shape(shape, axes))
    grad = grad.reshape(kept_shape(shape, axes))
    return x * (grad / where(y == 0, 1, y))  # at 0, where a norm has a corner, take slope 0


NORM = Rule("LinalgVectorNormBackward0", (norm_formula,), (0, OUTPUT))


@quiet
def euclidean_norm(input, dim, keepdim):
    x = to_floating(input._data)
    axes = reduced_axes(dim, x.ndim)
    y = np.sqrt(np.add.reduce(x * x, axes, keepdims=keepdim))
    return recorded(y, NORM, (input,), x, y, x.shape, axes)


@with_out
def normalize(input, p=2.0, dim=1, eps=1e-12):
    """The input divided by its p-norm along `dim`, or by `eps` where the norm is less.

    >>> normalize(tinytorch.tensor([[3.0, 4.0]]))
    tensor([[0.6000, 0.8000]])
    """
    check_tensors("normalize", input=input)
    return input / clamp_min(norm(input, p, dim, keepdim=True), eps)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """The cosine of the angle between vectors along `dim`, norms below `eps` raised to it.

    >>> cosine_similarity(tinytorch.tensor([1.0, 0.0]), tinytorch.tensor([3.0, 4.0]), dim=0)
    tensor(0.6000)
    """
    check_tensors("cosine_similarity", x1=x1, x2=x2)
    shape = common_shape(x1.shape, x2.shape)
    x1, x2 = x1.expand(shape), x2.expand(shape)
    return (normalize(x1, dim=dim, eps=eps) * normalize(x2, dim=dim, eps=eps)).sum(dim)


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    """The p-norm of x1 - x2 + eps along the last dimension.

    >>> pairwise_distance(tinytorch.tensor([[3.0, 4.0]]), tinytorch.zeros(1, 2))
    tensor([5.0000])
    """
    check_tensors("pairwise_distance", x1=x1, x2=x2)
    return norm(x1 - x2 + eps, p, -1, keepdim)


def pdist(input, p=2.0):
    """The distances of all pairs of rows: (N, M) -> (N * (N - 1) / 2,), row by row of cdist().

    RuntimeError for anything but a matrix.

    >>> pdist(tinytorch.tensor([[0.0], [1.0], [3.0]]))
    tensor([1., 3., 2.])
    """
    check_tensors("pdist", input=input)
    if input.dim() != 2:
        raise RuntimeError(f"pdist needs a matrix, got shape {tuple(input.shape)}")
    first, second = np.triu_indices(len(input), 1)
    return norm_of_difference(input[wrap(first)] - input[wrap(second)], p)


def cdist(x1, x2, p=2.0, compute_mode=None):
    """All distances: `x1` (..., P, M) and `x2` (..., R, M) -> (..., P, R), by the p-norm.

    >>> cdist(tinytorch.tensor([[0.0], [1.0]]), tinytorch.tensor([[3.0]]))
    tensor([[3.],
            [2.]])
    """
    check_tensors("cdist", x1=x1, x2=x2)
    return norm_of_difference(x1.unsqueeze(-2) - x2.unsqueeze(-3), p)


def norm_of_difference(difference, p):
    """norm() along the last dimension; where it is NaN so are its slopes, also those of |x|."""
    if p in (1, math.inf):
        factors = where(difference == difference, 1.0, math.nan)
        difference = difference * factors.type_as(difference)
    return norm(difference, p, -1)
