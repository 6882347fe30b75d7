"""Reductions: many elements become one, over all dimensions or over some."""

import math

import numpy as np

from tinytorch import elementwise
from tinytorch.dtypes import to_floating
from tinytorch.elementwise import exp, sqrt, where
from tinytorch.node import OUTPUT, Rule
from tinytorch.operation import record
from tinytorch.ordering import amax, amin
from tinytorch.shapes import axes_of, axis_of, expand, kept_shape, numpy_names
from tinytorch.tensor import method, wrap

# --- sum and mean ---


def sum_formula(grad, shape, axes):
    return expand(grad.reshape(kept_shape(shape, axes)) if grad.ndim else grad, shape)


SUM = Rule("SumBackward0", (sum_formula,))


@method("sum")
@numpy_names
def sum(input, dim=None, keepdim=False, *, dtype=None):
    """The sum over the dimensions `dim`, over all by default.

    >>> tinytorch.tensor([[1.0, 2.0], [3.0, 4.0]]).sum(dim=0)
    tensor([4., 6.])
    """
    x = input._data if dtype is None else input.to(dtype)._data
    axes = axes_of(dim, x.ndim)
    total = np.add.reduce(x, axes, keepdims=keepdim)
    return record(total, SUM, (input,), x.shape, axes)


def mean_formula(grad, shape, axes, count):
    return sum_formula(grad / count, shape, axes)


MEAN = Rule("MeanBackward0", (mean_formula,))


@method("mean")
@numpy_names
def mean(input, dim=None, keepdim=False, *, dtype=None):
    """The mean over the dimensions `dim`, over all by default; RuntimeError for integers.

    >>> tinytorch.tensor([1.0, 2.0, 6.0]).mean()
    tensor(3.)
    """
    x = input._data if dtype is None else input.to(dtype)._data
    if x.dtype.kind != "f":
        raise RuntimeError(f"mean() needs floats, got {x.dtype}; call .float() first")
    axes = axes_of(dim, x.ndim)
    count = count_of(x.shape, axes)
    total = np.add.reduce(x, axes, keepdims=keepdim)
    return record(total / x.dtype.type(count), MEAN, (input,), x.shape, axes, count)


def count_of(shape, axes):
    """How many elements go into each one of the result."""
    return math.prod([shape[axis] for axis in axes])


@method("var")
@numpy_names
def var(input, dim=None, unbiased=None, *, correction=1, keepdim=False):
    """The variance: squared distances from the mean, summed, over the count minus `correction`.

    >>> tinytorch.tensor([1.0, 3.0]).var()
    tensor(2.)
    """
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if unbiased is not None:
        correction = int(unbiased)
    distance = input - mean(input, dim, True)
    freedom = count_of(input._data.shape, axes_of(dim, input._data.ndim)) - correction
    total = sum(distance * distance, dim, keepdim)
    return total / max(freedom, 0)


@method("std")
@numpy_names
def std(input, dim=None, unbiased=None, *, correction=1, keepdim=False):
    """The square root of var()."""
    return sqrt(var(input, dim, unbiased, correction=correction, keepdim=keepdim))


# --- products and norms ---


def prod_formula(grad, x, axes):
    return expand_kept(grad, x.shape, axes) * product_of_others(x, axes)


def product_of_others(x, axes):
    """For each element the product of all others; never x.prod() / x, which fails at 0."""
    last = x.movedim(axes, range(-len(axes), 0)).flatten(-len(axes)) if axes else x.unsqueeze(-1)
    n = last._data.shape[-1]
    others = where(wrap(np.eye(n, dtype=bool)), 1.0, last.unsqueeze(-2))
    back = prod(others, -1)
    if not axes:
        return back.squeeze(-1)
    kept = [x._data.shape[a] for a in range(x._data.ndim) if a not in axes]
    return back.reshape(*kept, *[x._data.shape[a] for a in axes]).movedim(
        range(-len(axes), 0), axes
    )


def expand_kept(grad, shape, axes):
    return expand(grad.reshape(kept_shape(shape, axes)), shape)


PROD = Rule("ProdBackward0", (prod_formula,), (0,), tensors=True)


@method("prod")
@numpy_names
def prod(input, dim=None, keepdim=False, *, dtype=None):
    """The product over dimension `dim`, over all by default."""
    x = input._data if dtype is None else input.to(dtype)._data
    axes = axes_of(dim, x.ndim)
    return record(np.multiply.reduce(x, axes, keepdims=keepdim), PROD, (input,), x, axes)


@method("norm")
@numpy_names
def norm(input, p=2, dim=None, keepdim=False):
    """The p-norm over the dimensions `dim`: the p-th root of the sum of |x|^p.

    >>> tinytorch.tensor([3.0, 4.0]).norm()
    tensor(5.)
    """
    p = 2 if p in ("fro", None) else p
    if p == 2:
        return euclidean_norm(input, dim, keepdim)
    size = elementwise.abs(input)
    if p == 1:
        return sum(size, dim, keepdim)
    if math.isinf(p):
        return amax(size, dim, keepdim) if p > 0 else amin(size, dim, keepdim)
    return sum(size**p, dim, keepdim) ** (1 / p)


def norm_formula(grad, x, y, shape, axes):
    y = y.reshape(kept_shape(shape, axes))
    grad = grad.reshape(kept_shape(shape, axes))
    return x * (grad / where(y == 0, 1, y))  # at 0, where a norm has a corner, take slope 0


NORM = Rule("LinalgVectorNormBackward0", (norm_formula,), (0, OUTPUT))


def euclidean_norm(input, dim, keepdim):
    x = to_floating(input._data)
    axes = axes_of(dim, x.ndim)
    y = np.sqrt(np.add.reduce(x * x, axes, keepdims=keepdim))
    return record(y, NORM, (input,), x, y, x.shape, axes)


# --- exponentials, without overflow ---


def logsumexp_formula(grad, x, y, axes):
    kept = kept_shape(x.shape, axes)
    return grad.reshape(kept) * exp(x - y.reshape(kept))


LOGSUMEXP = Rule("LogsumexpBackward0", (logsumexp_formula,), (0, OUTPUT))


@method("logsumexp")
@numpy_names
def logsumexp(input, dim, keepdim=False):
    """log(sum(exp(input))) over `dim`; the largest element is taken out, so that nothing overflows.

    >>> tinytorch.tensor([1000.0, 0.0]).logsumexp(0)
    tensor(1000.)
    """
    x = to_floating(input._data)
    axes = axes_of(dim, x.ndim)
    top = finite_max(x, axes)
    y = np.log(np.add.reduce(np.exp(x - top), axes, keepdims=True)) + top
    y = y if keepdim else y.reshape([n for i, n in enumerate(x.shape) if i not in axes])
    return record(y, LOGSUMEXP, (input,), x, y, axes)


def finite_max(x, axes):
    """The largest element along `axes`, 0 where it is infinite: inf - inf would be NaN."""
    top = np.maximum.reduce(x, axes, keepdims=True, initial=-np.inf)
    return np.where(np.isfinite(top), top, x.dtype.type(0))


def softmax_formula(grad, y, axis):
    product = grad * y
    return product - y * product.sum(axis=axis, keepdims=True)


SOFTMAX = Rule("SoftmaxBackward0", (softmax_formula,), (OUTPUT,))


@method("softmax")
@numpy_names
def softmax(input, dim, dtype=None):
    """exp(input) scaled to sum 1 along `dim`."""
    x = to_floating(input._data if dtype is None else input.to(dtype)._data)
    axis = axis_of(dim, x.ndim)
    y = np.exp(x - np.maximum.reduce(x, axis if x.ndim else (), keepdims=True))
    y /= np.add.reduce(y, axis if x.ndim else (), keepdims=True)
    return record(y, SOFTMAX, (input,), y, axis if x.ndim else ())


def log_softmax_formula(grad, y, axis):
    return grad - exp(y) * grad.sum(axis=axis, keepdims=True)


LOG_SOFTMAX = Rule("LogSoftmaxBackward0", (log_softmax_formula,), (OUTPUT,))


@method("log_softmax")
@numpy_names
def log_softmax(input, dim, dtype=None):
    """log(softmax(input)), exact where softmax() itself would be 0."""
    x = to_floating(input._data if dtype is None else input.to(dtype)._data)
    axis = axis_of(dim, x.ndim) if x.ndim else ()
    y = x - np.maximum.reduce(x, axis, keepdims=True)
    y -= np.log(np.add.reduce(np.exp(y), axis, keepdims=True))
    return record(y, LOG_SOFTMAX, (input,), y, axis)


# --- running sums ---


def cumsum_formula(grad, axis):
    return grad.flip(axis).cumsum(axis).flip(axis)


CUMSUM = Rule("CumsumBackward0", (cumsum_formula,), tensors=True)


@method("cumsum")
@numpy_names
def cumsum(input, dim, *, dtype=None):
    """The sums of all elements up to each place along `dim`."""
    x = input._data if dtype is None else input.to(dtype)._data
    axis = axis_of(dim, x.ndim)
    return record(np.cumsum(x, axis).reshape(x.shape), CUMSUM, (input,), axis)


# --- truth ---


@method("all")
@numpy_names
def all(input, dim=None, keepdim=False):
    """True where all elements along `dim` are true."""
    return wrap(np.all(input._data, axes_of(dim, input._data.ndim), keepdims=keepdim))


@method("any")
@numpy_names
def any(input, dim=None, keepdim=False):
    """True where an element along `dim` is true."""
    return wrap(np.any(input._data, axes_of(dim, input._data.ndim), keepdims=keepdim))


@method("count_nonzero")
@numpy_names
def count_nonzero(input, dim=None):
    """How many elements along `dim` are not 0."""
    return wrap(np.asarray(np.count_nonzero(input._data, axes_of(dim, input._data.ndim))))
