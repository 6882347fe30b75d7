"""Functions of arrays that NumPy lacks, does slowly, or answers where it should refuse."""

import math
from itertools import pairwise

import numpy as np

from tinytorch import dtypes
from tinytorch.ops.erf_array import erf_array, in_pieces
from tinytorch.ops.index_reading import along, is_basic

# --- without overflow ---


def sigmoid_array(x):
    """1 / (1 + e^-x), exact also next to 0: where e^-x overflows, it is 0."""
    return 1 / (np.exp(-x) + 1)


def softplus_array(x):
    """log(1 + e^x), without overflow."""
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


@in_pieces
def gelu_array(x):
    return x * ((erf_array(x * math.sqrt(0.5)) + 1) * 0.5)


@in_pieces
def gelu_slope(x, y):
    """The probability that a normal number is below x, and x times its density: y = gelu(x).

    The probability is y / x, or 1/2 at 0.
    """
    density = np.exp(x * x * -0.5) * (1 / math.sqrt(2 * math.pi))
    nothing = x == 0
    return (y + nothing * x.dtype.type(0.5)) / (x + nothing) + x * density


# --- for booleans and integers ---


def square_array(x):
    """x * x; a boolean is an integer then."""
    return np.square(x.astype(np.int64) if x.dtype.kind == "b" else x)


def sign_array(x):
    if x.dtype.kind != "f":
        return x.copy() if x.dtype.kind == "b" else np.sign(x)
    return np.subtract(x > 0, x < 0, dtype=x.dtype)  # 0 for NaN, which np.sign keeps


def negative(x):
    if x.dtype.kind == "b":
        raise RuntimeError("booleans have no negative; use ~ for not")
    return np.negative(x)


def power(x, y):
    """x ** y; TypeError for two booleans, where NumPy would answer with small integers."""
    if x.dtype.kind == "b":
        raise TypeError("one of the two must be a number")
    return np.power(x, y)


def in_whole_steps(divide):
    """`divide(x, y)`, but RuntimeError for an integer 0, by which NumPy divides without a word."""

    def divided(x, y):
        if y.dtype.kind in "iub" and not y.all():
            raise RuntimeError("integers cannot be divided by 0 in whole steps; divide floats")
        return divide(x, y)

    return divided


# --- fast ---


def raised(x, exponent):
    """x ** exponent; of floats the third and fourth by multiplying, 100 times as fast in NumPy.

    0.5 is a root for NumPy; so is -0.5 here. Both have a sign then at -0, as 1 / -0 has.
    """
    if exponent not in (-0.5, 3, 4) or x.dtype.kind != "f":
        return x**exponent
    if exponent == -0.5:
        return 1 / np.sqrt(x)
    square = x * x
    return square * (x if exponent == 3 else square)


# as arrays: a plain 0 is a slow operand
ZERO = {dtype: np.zeros((), dtype) for dtype in (dtypes.float32, dtypes.float64, dtypes.int64)}


def relu_array(x):
    return np.maximum(x, ZERO.get(x.dtype, 0))


BITS = {dtypes.float16: dtypes.int16, dtypes.float32: dtypes.int32, dtypes.float64: dtypes.int64}


def unless_below(grad, y):
    """`grad`, and 0 where y is at most 0, even for an infinite `grad`."""
    zero = ZERO.get(y.dtype, 0)
    if grad.size <= 256:  # then it's the number of calls that counts
        result = np.array(grad, order="C")
        result[y <= zero] = zero
        return result
    bits = grad.view(BITS[grad.dtype])  # integers times False or True: faster than a choice
    return (bits * ~(y <= zero)).view(grad.dtype)


def accumulated(ufunc, x, axis, step=1):
    """ufunc.accumulate along `axis` in the dtype of x, with step -1 from the end: a new array.

    NumPy takes one row of numbers after the other, in which each has to wait for the one before.
    With many short rows it's several times as fast to go on by one place in all of them at once.
    """
    y, way = np.empty(x.shape, x.dtype), along(axis, slice(None, None, step))
    if x.size <= 4 * x.shape[axis] ** 2:
        ufunc.accumulate(x[way], axis, x.dtype, y[way])
        return y
    y[...] = x
    for before, here in pairwise(np.moveaxis(y[way], axis, 0)):
        ufunc(before, here, here)
    return y


def add_at(array, index, values):
    """Add `values` to `array` at `index`, one after the other where a place comes twice."""
    if is_basic(index):
        array[index] += values
    elif all(isinstance(item, np.ndarray) and item.dtype.kind == "i" for item in index):
        add_in_flat_memory(array, index, values)
    else:
        np.add.at(array, index, values)


def add_in_flat_memory(array, index, values):
    """np.add.at for arrays of numbers, by positions in flat memory: several times as fast."""
    places = 0
    for length, item in zip(array.shape, index):  # noqa: B905 - the index may be the shorter one
        item = item.astype(np.intp, copy=False)
        places = places * length + item
        if item.min(initial=0) < 0:
            places = places + (item < 0) * length  # -1 is the last
    width = math.prod(array.shape[len(index) :])
    if width != 1:
        places = places[..., None] * width + np.arange(width)
    np.add.at(array.reshape(-1), places.reshape(-1), values.reshape(-1))
