"""Reductions: many elements become one, over all dimensions or over some."""

import math

import numpy as np
from numpy import ndarray

from tinytorch.dtypes import int64, to_floating, uint8
from tinytorch.node import OUTPUT, Rule
from tinytorch.operation import linear_map, quiet, recorded
from tinytorch.ops.array_functions import accumulated
from tinytorch.ops.conversion import clone, to
from tinytorch.ops.dims import axes_of, axis_of, drop, kept_shape, reduced_axes, reduction, whole
from tinytorch.ops.elementwise import exp, square, where
from tinytorch.ops.index_reading import along
from tinytorch.ops.joining import cat, flipped, stack
from tinytorch.ops.shapes import reshape, spread
from tinytorch.state import state
from tinytorch.tensor import wrap

# --- sum and mean ---


@linear_map("Sum", spread)
def total(x, axes, keepdim):
    return np.add.reduce(x, axes, x.dtype, keepdims=keepdim)


@reduction
def sum(input, dim=None, keepdim=False, *, dtype=None):
    """The sum over the dimensions `dim`, over all by default.

    >>> tinytorch.tensor([[1.0, 2.0], [3.0, 4.0]]).sum(dim=0)
    tensor([4., 6.])
    """
    return total(countable(input, dtype), reduced_axes(dim, input._data.ndim), keepdim)


def countable(input, dtype):
    """The tensor in `dtype`; by default integers and booleans in int64, where sums have room."""
    if dtype is None and input._data.dtype.kind == "f":
        return input
    return to(input, dtype or int64)


def spread_mean(grad, shape, axes, keepdim):
    return spread(grad / count_of(shape, axes), shape, axes)


@linear_map("Mean", spread_mean)
def average(x, axes, keepdim):
    return total(x, axes, keepdim) / x.dtype.type(count_of(x.shape, axes))


def count_of(shape, axes):
    """How many elements go into each one of the result."""
    return math.prod([shape[axis] for axis in axes])


@reduction
def mean(input, dim=None, keepdim=False, *, dtype=None):
    """The mean over the dimensions `dim`, over all by default; RuntimeError for integers.

    >>> tinytorch.tensor([1.0, 2.0, 6.0]).mean()
    tensor(3.)
    """
    input = input if dtype is None else to(input, dtype)
    if not input.is_floating_point():
        raise RuntimeError(f"mean() needs floats, got {input.dtype}; call .float() first")
    return average(input, reduced_axes(dim, input._data.ndim), keepdim)


@reduction
def var(input, dim=None, unbiased=None, keepdim=False, *, correction=1):
    """The variance: squared distances from the mean, summed, over the count minus `correction`.

    >>> tinytorch.tensor([1.0, 3.0]).var()
    tensor(2.)
    """
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if unbiased is not None:
        correction = int(unbiased)
    correction = 1 if correction is None else correction
    distance = input - mean(input, dim, True)
    freedom = count_of(input._data.shape, reduced_axes(dim, input._data.ndim)) - correction
    return sum(square(distance), dim, keepdim) / max(freedom, 0)


@reduction
def std(input, dim=None, unbiased=None, keepdim=False, *, correction=1):
    """The square root of var()."""
    return root(var(input, dim, unbiased, keepdim, correction=correction), 2)


def root(x, p):
    """x ** (1 / p), with the slope 0 at 0: times 0, its infinity would be NaN."""
    nothing = x == 0
    return where(nothing, 0.0 if p > 0 else math.inf, where(nothing, 1.0, x) ** (1 / p))


# --- products ---


def prod_formula(grad, x, axis):
    """The gradient of x in its product along `axis`: that of the product, times all others.

    x.prod() / x won't do: it fails at 0, at infinity, and where the product is too large or small
    for a number. `axis` is a number, and spread() wants a tuple.
    `grad` may have length 1 at `axis`, or lack it. `before(x, axis)` holds at each place the
    product of what stands before it, `flipped(x, axis)` the elements in the opposite order. Twice
    as many elements are twice as much work.
    """
    # TODO exercise 7.6: prod_formula
    raise NotImplementedError("exercise 7.6: prod_formula")


def before(x, axis):
    """At each place the product of all elements before it along `axis`: 1 at the first.

    >>> before(np.array([2.0, 3.0, 4.0]), 0)
    array([1., 2., 6.])
    """
    first, rest = along(axis, slice(0, 1)), along(axis, slice(None, -1))
    if type(x) is ndarray:
        shifted = np.concatenate([np.ones_like(x[first]), x[rest]], axis)
        return accumulated(np.multiply, shifted, axis)
    ones = where(wrap(np.array(True)), 1, x[first])  # not x * 0 + 1: infinity would make it NaN
    return cat([ones, cumprod(x, axis)[rest]], axis) if x.numel() else x


PROD = Rule("ProdBackward0", (prod_formula,), (0,))


@reduction
def prod(input, dim=None, keepdim=False, *, dtype=None):
    """The product over dimension `dim`, over all by default."""
    input = countable(input, dtype)
    if dim is None or not input._data.ndim:
        input, dim, keepdim = reshape(input, -1), dim or 0, False
    x, axis = input._data, axis_of(dim, input._data.ndim)
    y = state.quietly(np.multiply.reduce, x, axis, x.dtype, keepdims=keepdim)
    return recorded(y, PROD, (input,), x, axis)


# --- exponentials, without overflow ---


def logsumexp_formula(grad, x, y, axes):
    """The gradient of x in y = log(sum(exp(x))): each element gets its share of the sum.

    `grad` and `y` may lack the `axes`; `kept_shape(x.shape, axes)` is their shape with length 1
    there. No exponential may overflow.
    """
    # TODO exercise 7.4: log_of_sum and logsumexp_formula
    raise NotImplementedError("exercise 7.4: logsumexp_formula")


LOGSUMEXP = Rule("LogsumexpBackward0", (logsumexp_formula,), (0, OUTPUT))


@reduction
@quiet
def logsumexp(input, dim, keepdim=False):
    """log(sum(exp(input))) over `dim`; the largest element is taken out, so that nothing overflows.

    >>> tinytorch.tensor([1000.0, 0.0]).logsumexp(0)
    tensor(1000.)
    """
    x = to_floating(input._data)
    axes = reduced_axes(dim, x.ndim)
    y = log_of_sum(x, axes)
    y = y if keepdim else drop(y, axes)
    return recorded(y, LOGSUMEXP, (input,), x, y, axes)


def log_of_sum(x, axes):
    """log(sum(exp(x))) of an array along `axes`, a tuple; they stay, with length 1.

    No exponential may overflow, nor all of them vanish: `finite_max(x, axes)` is taken out first,
    and put back. What comes back is new, not x itself, even where there are no `axes`. NaN gives
    NaN.

    >>> log_of_sum(np.array([1000.0, 1000.0]), (0,)) - 1000
    array([0.69314718])
    """
    # TODO exercise 7.4: log_of_sum and logsumexp_formula
    raise NotImplementedError("exercise 7.4: log_of_sum")


def finite_max(x, axes):
    """The largest element of an array along `axes`, 0 where infinite: inf - inf would be NaN."""
    top = np.maximum.reduce(x, axes, keepdims=True, initial=-np.inf)
    return np.where(np.isfinite(top), top, x.dtype.type(0))


def below_largest(input, dim, dtype):
    """The input in `dtype`, how far its elements are below the largest along `dim`, the axis."""
    input = input if dtype is None else to(input, dtype)
    x = np.asarray(to_floating(input._data), order="C")
    axis = axes_of(whole(dim), x.ndim)
    largest = np.maximum.reduce(x, axis, keepdims=True, initial=-np.inf)
    return input, np.asarray(x - largest), axis  # an array where NumPy gives a number, too


def softmax_formula(grad, y, axis):
    """The gradient of x in y = softmax(x) along `axis`, a tuple of one dimension.

    Each element of x moves all of y: its own up, the others down. Of n elements that's a table of
    n * n slopes, which is never made. If x is a number, `axis` is ().
    """
    # TODO exercise 7.5: softmax_formula and log_softmax_formula
    raise NotImplementedError("exercise 7.5: softmax_formula")


SOFTMAX = Rule("SoftmaxBackward0", (softmax_formula,), (OUTPUT,))


@reduction
@quiet
def softmax(input, dim, dtype=None):
    """exp(input) scaled to sum 1 along `dim`."""
    input, y, axis = below_largest(input, dim, dtype)
    np.exp(y, out=y)
    y /= np.add.reduce(y, axis, keepdims=True)
    return recorded(y, SOFTMAX, (input,), y, axis)


def log_softmax_formula(grad, y, axis):
    """The gradient of x in y = log(softmax(x)) along `axis`, a tuple as in softmax_formula().

    Here, too, no table is made. What comes back is a new array. If x is a number, y is always 0,
    and so is the gradient.
    """
    # TODO exercise 7.5: softmax_formula and log_softmax_formula
    raise NotImplementedError("exercise 7.5: log_softmax_formula")


LOG_SOFTMAX = Rule("LogSoftmaxBackward0", (log_softmax_formula,), (OUTPUT,))


@reduction
@quiet
def log_softmax(input, dim, dtype=None):
    """log(softmax(input)), exact where softmax() itself would be 0."""
    input, y, axis = below_largest(input, dim, dtype)
    y -= np.log(np.add.reduce(np.exp(y), axis, keepdims=True))
    return recorded(y, LOG_SOFTMAX, (input,), y, axis)


# --- running sums and products ---


def sum_from_the_end(grad, shape, axis):
    if type(grad) is ndarray:
        return accumulated(np.add, grad, axis, step=-1)
    return flipped(running_sum(flipped(grad, axis), axis), axis)


@linear_map("Cumsum", sum_from_the_end)
def running_sum(x, axis):
    return accumulated(np.add, x, axis)


@reduction
def cumsum(input, dim, *, dtype=None):
    """The sums of all elements up to each place along `dim`."""
    input, axis = countable(input, dtype), axis_of(dim, input._data.ndim)
    return running_sum(input, axis) if input._data.ndim else clone(input)


@reduction
def cumprod(input, dim, *, dtype=None):
    """The products of all elements up to each one along `dim`.

    >>> tinytorch.tensor([2.0, 3.0, 4.0]).cumprod(0)
    tensor([ 2.,  6., 24.])
    """
    input, axis = countable(input, dtype), axis_of(dim, input._data.ndim)
    if not input.numel() or not input.dim():
        return input * 1
    if input._node is None or not state.grad_enabled:
        return wrap(accumulated(np.multiply, input._data, axis))
    product, results = 1, []
    for part in input.unbind(axis):  # step by step: gradients are right at zeros, too
        product = part * product
        results.append(product)
    return stack(results, axis)


# --- truth ---


@reduction
def all(input, dim=None, keepdim=False):
    """True where all elements along `dim` are true."""
    return truth(np.all, input._data, dim, keepdim)


@reduction
def any(input, dim=None, keepdim=False):
    """True where an element along `dim` is true."""
    return truth(np.any, input._data, dim, keepdim)


def truth(reduce, x, dim, keepdim):
    y = reduce(x, axes_of(dim, x.ndim), keepdims=keepdim)
    return wrap(y.astype(uint8) if x.dtype == uint8 else y)  # bytes were PyTorch's first booleans


@reduction
def count_nonzero(input, dim=None):
    """How many elements along `dim` are not 0."""
    return wrap(np.asarray(np.count_nonzero(input._data, reduced_axes(dim, input._data.ndim))))
