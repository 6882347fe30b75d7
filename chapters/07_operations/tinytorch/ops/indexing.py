"""Indexing: picking elements out, and putting gradients back to where they came from."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from tinytorch.node import Rule
from tinytorch.operation import fitted, linear_map, recorded, view
from tinytorch.ops.array_functions import add_at
from tinytorch.ops.comparison import eq
from tinytorch.ops.dims import axis_and_length, axis_of, common_shape
from tinytorch.ops.elementwise import where
from tinytorch.ops.index_reading import (
    along,
    inside_nothing,
    is_basic,
    numbers_first,
    numpy_index,
    spelled_out,
)
from tinytorch.ops.shapes import expand
from tinytorch.tensor import Tensor, array_of, check_tensors, method, wrap

# --- tensor[index] ---


def picked(grad, shape, whole, index):
    return grad[index]


def place_in_zeros(values, shape, index):
    """Zeros of `shape`, with `values` added at `index`: the way back of `x[index]`.

    The zeros have the dtype of `values`. `index` is a tuple, as NumPy takes it: (rows,) or (1, 2).
    A place that it names several times receives the sum; `add_at(array, index, values)` adds one
    value after the other, and returns nothing. Twice as many values are twice as much work.

    >>> place_in_zeros(np.array([1.0, 2.0, 3.0]), (2,), (np.array([0, 0, 1]),))
    array([3., 3.])
    """
    # TODO exercise 7.2: place_in_zeros
    raise NotImplementedError("exercise 7.2: place_in_zeros")


place = linear_map("Place", picked)(place_in_zeros)


SLICE = Rule("SliceBackward0", (place,), saves_arrays=False)
INDEX = Rule("IndexBackward0", (place,))
DIAGONAL = Rule("DiagonalBackward0", (place,))


@method("__getitem__")
def getitem(input, index):
    """The elements at `index`: integers, slices, None, ..., integer or boolean tensors.

    Integers and slices give a view, tensors a copy. IndexError outside of the tensor.

    >>> tinytorch.arange(6).reshape(2, 3)[:, 1]
    tensor([1, 4])
    """
    index = (index,) if type(index) is int else numpy_index(index)
    if is_basic(index):
        x = input._data
        if Ellipsis not in index:
            index += (Ellipsis,)  # so that a single element, too, comes as a view
        elif index.count(Ellipsis) > 1:
            index = (*spelled_out(index, x.ndim), Ellipsis)
        return view(found_at(x, index), SLICE, input, x.shape, index)
    input, index = numbers_taken(input, index)
    x = input._data
    try:
        found = x[index]
    except IndexError:
        index = inside_nothing(x, index)
        found = found_at(x, index)
    found = np.asarray(found, order="C")  # NumPy may turn what it picks out
    return recorded(found, INDEX, (input,), x.shape, index)


def numbers_taken(input, index):
    """For an index with arrays a part of the tensor, and the index in it as NumPy is to read it."""
    first, index = numbers_first(spelled_out(index, input._data.ndim))
    return (getitem(input, first) if first else input), index


def found_at(x, index):
    """x[index] of an array; IndexError, which says its shape, where nothing is."""
    try:
        return x[index]
    except IndexError as error:
        said = "a single number has no places to index: use item()"
        raise IndexError(f"{error}; the shape is {x.shape}" if x.ndim else said) from None


# --- a copy with other values at an index ---


def put_left(grad, index):
    others = np.ones(grad.shape, bool)
    others[index] = False
    return where(others, grad, 0)


def put_right(grad, index):
    return grad[index]


PUT = Rule("IndexPutBackward0", (put_left, put_right))


def put(input, index, values):
    """A copy of `input` with `values` at `index`."""
    result = input._data.copy()
    values, index = assign(result, index, values)
    return recorded(result, fitted(PUT, (input, values)), (input, values), index)


def assign(array, index, values):
    """Write the tensor `values` into `array` at `index`; returns both as they fitted."""
    try:
        while values._data.shape[:1] == (1,) and values._data.ndim > array[index].ndim:
            values = values[0]  # as PyTorch, let a row of one number stand for the number
        array[index] = values._data
    except IndexError:
        if (inside := inside_nothing(array, index)) is index:
            raise
        return assign(array, inside, values)
    except (TypeError, ValueError):
        raise RuntimeError(
            f"values of shape {values._data.shape} do not fit into the places indexed,"
            f" of shape {array[index].shape}"
        ) from None
    return values, index


def to_write(value, input):
    """A Tensor of what is to be written into `input`; RuntimeError for a number too large."""
    if isinstance(value, Tensor):
        return value
    array = array_of(value, input._data.dtype)
    if isinstance(value, (int, float)) and math.isfinite(value) and not np.isfinite(array):
        raise RuntimeError(f"{value!r} does not fit into {input.dtype}")
    return wrap(array)


# --- along one dimension ---


@method("masked_fill")
def masked_fill(input, mask, value):
    """The number `value` where `mask` is True, `input` elsewhere."""
    value = to_write(value, input).to(input._data.dtype)
    if value._data.ndim:
        raise RuntimeError(f"masked_fill() fills with one number, got shape {value._data.shape}")
    return where(mask, value, input)


@method("masked_select")
def masked_select(input, mask):
    """The elements where `mask` is True, in one dimension; the two broadcast."""
    check_tensors("masked_select", mask=mask)
    if mask._data.dtype.kind != "b":
        raise RuntimeError(f"masked_select() needs a mask of booleans, got {mask.dtype}")
    shape = common_shape(input._data.shape, mask._data.shape)
    return getitem(expand(input, shape), expand(mask, shape))


@method("nonzero")
def nonzero(input, *, as_tuple=False) -> "Tensor | Any":
    """The indices of the elements that are not 0: a row each, or a tensor for each dimension."""
    if not as_tuple:
        return wrap(np.argwhere(input._data))
    return tuple(map(wrap, np.nonzero(np.atleast_1d(input._data))))


@method("select")
def select(input, dim, index):
    """The slice number `index` of dimension `dim`, which vanishes."""
    return getitem(input, along(axis_of(dim, input._data.ndim), index))


@method("narrow")
def narrow(input, dim, start, length):
    """`length` slices of dimension `dim` from `start` on, a view."""
    axis, n = axis_and_length(input, dim)
    if isinstance(start, Tensor) and (start._data.ndim or start.is_floating_point()):
        raise RuntimeError(f"narrow: start is an integer, got {start.dtype} of {start.shape}")
    start = start + n if start < 0 else start
    if not 0 <= start <= start + length <= n:
        raise RuntimeError(f"narrow: {length} slices from {start} on do not lie within {n}")
    return getitem(input, along(axis, slice(start, start + length)))


@method("diagonal")
def diagonal(input, offset=0, dim1=0, dim2=1):
    """The elements with equal indices in `dim1` and `dim2`, as the last dimension: a view.

    >>> x = tinytorch.zeros(2, 2)
    >>> x.diagonal().fill_(1)
    tensor([1., 1.])
    >>> x
    tensor([[1., 0.],
            [0., 1.]])
    """
    input = input.movedim((dim1, dim2), (-2, -1))
    x = input._data
    result = np.diagonal(x, offset, -2, -1)
    result.flags.writeable = x.flags.writeable
    places = np.nonzero(np.eye(*x.shape[-2:], offset))
    return view(result, DIAGONAL, input, x.shape, (..., *places))


@method("diag")
def diag(input, diagonal=0):
    """A copy of the diagonal of a matrix, or the matrix with a vector as its diagonal."""
    if input._data.ndim not in (1, 2):
        raise RuntimeError(f"diag() needs 1 or 2 dimensions, got {input._data.ndim}")
    if input._data.ndim == 2:
        return input.diagonal(diagonal).clone()
    n = len(input._data) + abs(diagonal)
    return place(input, (n, n), np.nonzero(np.eye(n, k=diagonal)))


@method("__iter__")
def iterate(input) -> "Iterator[Tensor]":
    """The slices of the first dimension, one after the other."""
    if input._data.ndim == 0:
        raise TypeError("iteration over a 0-d tensor")
    return iter([getitem(input, i) for i in range(len(input._data))])


@method("__contains__")
def contains(input, element) -> bool:
    """True if an element equals `element`."""
    return bool(eq(input, element)._data.any())
