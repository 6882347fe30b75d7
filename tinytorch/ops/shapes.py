"""Shapes: the same elements arranged in another way.

Most results are views: they share the memory of their input.
"""

import math
from functools import wraps
from operator import index

import numpy as np
from numpy import ndarray

from tinytorch import dtypes
from tinytorch.node import Rule
from tinytorch.operation import fitted, record, unbroadcast, view
from tinytorch.state import state
from tinytorch.tensor import Tensor, method, wrap


def whole(number):
    """`number` as a Python integer; TypeError for what is no whole number, as a boolean."""
    if hasattr(number, "__index__") and not isinstance(number, bool):
        return index(number)
    kind = type(number).__name__
    raise TypeError(f"expected a whole number, got {number!r:.60} of type {kind}")


def axis_of(dim, ndim):
    """`dim` counted from 0; IndexError if there is no such dimension, TypeError for no integer.

    >>> axis_of(-1, 3)
    2
    """
    dim, count = whole(dim), max(ndim, 1)  # a 0-d tensor passes as one of dimension 0
    if not -count <= dim < count:
        raise IndexError(f"dim {dim} is out of range for a tensor of {ndim} dimensions")
    return dim % count


def axes_of(dim, ndim):
    """`dim` (None for all, a number or several) as a tuple of axes counted from 0."""
    if dim is None:
        return tuple(range(ndim))
    dims = dim if isinstance(dim, (tuple, list, range)) else (dim,)
    axes = tuple([axis_of(d, ndim) for d in dims])
    if len(set(axes)) != len(axes):
        raise RuntimeError(f"dim {dim} names a dimension twice")
    return axes if ndim else ()


def reduced_axes(dim, ndim):
    """axes_of(), with all axes for none."""
    return axes_of(dim, ndim) or tuple(range(ndim))


def axis_and_length(input, dim):
    """`dim` counted from 0, and its length; RuntimeError for a tensor that has no dimensions."""
    shape = input._data.shape
    if not shape:
        raise RuntimeError("expected a tensor with at least 1 dimension, got a 0-d one")
    axis = axis_of(dim, len(shape))
    return axis, shape[axis]


def as_sizes(sizes):
    """The tuple of sizes from `f(2, 3)` or `f((2, 3))`."""
    if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)):
        sizes = sizes[0]
    return tuple([whole(size) for size in sizes])


def numpy_names(function):
    """Decorator: `axis` and `keepdims` stand for `dim` and `keepdim`."""

    @wraps(function)
    def with_numpy_names(*args, **kwargs):
        if "axis" in kwargs:
            kwargs["dim"] = kwargs.pop("axis")
        if "keepdims" in kwargs:
            kwargs["keepdim"] = kwargs.pop("keepdims")
        return function(*args, **kwargs)

    return with_numpy_names


def reduction(function):
    """Decorator: a method of Tensor, too, and with NumPy's names."""
    return method(function.__name__)(numpy_names(function))


def kept_shape(shape, axes):
    """`shape` with length 1 at the reduced axes."""
    return tuple([1 if i in axes else n for i, n in enumerate(shape)])


def drop(array, axes):
    """The array without `axes`, which have length 1."""
    return array.reshape([n for i, n in enumerate(array.shape) if i not in axes])


# --- reshape ---


RESHAPE = Rule("ViewBackward0", (lambda grad, shape: grad.reshape(shape),))


def reshaped(input, shape):
    x = input._data
    try:
        if min(shape, default=0) >= -1:  # NumPy takes every negative length for -1
            return view(x.reshape(shape), RESHAPE, input, x.shape)
    except ValueError:
        pass
    raise RuntimeError(
        f"shape {tuple(shape)} is invalid for a tensor of {x.size} elements, shape {x.shape}"
    )


@method("reshape")
def reshape(input, *sizes, shape=()):
    """The elements in a new shape; one length may be -1, and is then worked out.

    A view where the memory allows, else a copy. RuntimeError if the counts differ.

    >>> tinytorch.arange(6).reshape(2, -1).shape
    tinytorch.Size([2, 3])
    """
    return reshaped(input, as_sizes(sizes or (shape,)))


@method("view")
def view_as_shape(input, *shape):
    """Like reshape, but RuntimeError where a copy would be needed."""
    x = input._data
    if len(shape) == 1 and isinstance(shape[0], np.dtype):
        try:
            return wrap(x.view(shape[0]))
        except ValueError:
            raise RuntimeError(f"{x.dtype} of shape {x.shape} is no view as {shape[0]}") from None
    result = reshaped(input, as_sizes(shape))
    if not np.may_share_memory(result._data, x) and x.size:
        raise RuntimeError(
            f"view() cannot give shape {result._data.shape} without copying; use reshape()"
        )
    return result


@method("reshape_as", "view_as")
def reshape_as(input, other):
    return reshape(input, other.shape)


@method("flatten")
def flatten(input, start_dim=0, end_dim=-1):
    """The dimensions from `start_dim` to `end_dim` as one."""
    shape = input._data.shape
    start, end = axis_of(start_dim, len(shape)), axis_of(end_dim, len(shape))
    if start > end:
        raise RuntimeError(f"flatten: start_dim {start_dim} comes after end_dim {end_dim}")
    return reshaped(input, shape[:start] + (math.prod(shape[start : end + 1]),) + shape[end + 1 :])


ravel = method("ravel")(lambda input: flatten(input))


@method("unflatten")
def unflatten(input, dim, sizes):
    """Dimension `dim` split into several of lengths `sizes`."""
    shape = input._data.shape
    axis = axis_of(dim, len(shape))
    return reshaped(input, shape[:axis] + tuple(sizes) + shape[axis + 1 :])


@method("squeeze")
@numpy_names
def squeeze(input, dim=None):
    """Without the dimensions of length 1, or without those of them named by `dim`."""
    shape = input._data.shape
    axes = axes_of(dim, len(shape))
    return reshaped(input, [n for i, n in enumerate(shape) if n != 1 or i not in axes])


@method("unsqueeze")
@numpy_names
def unsqueeze(input, dim):
    """With a new dimension of length 1 at place `dim`."""
    shape = input._data.shape
    axis = axis_of(dim, len(shape) + 1)
    return reshaped(input, shape[:axis] + (1,) + shape[axis:])


# --- order of dimensions ---


def reordered(x, dims):
    """permute() of a Tensor, or the same for an array."""
    return permute(x, dims) if isinstance(x, Tensor) else x.transpose(dims)


PERMUTE = Rule("PermuteBackward0", (reordered,))
TRANSPOSE = Rule("TransposeBackward0", PERMUTE.formulas)


def permuted(input, dims, rule):
    inverse = sorted(range(len(dims)), key=dims.__getitem__)  # where each of them went
    return view(input._data.transpose(dims), rule, input, tuple(inverse))


@method("permute")
def permute(input, *order, dims=()):
    """The dimensions in a new order, a view.

    >>> tinytorch.zeros(2, 3, 4).permute(2, 0, 1).shape
    tinytorch.Size([4, 2, 3])
    """
    dims = as_sizes(order or (dims,))
    ndim = input._data.ndim
    if len(dims) != ndim:
        raise RuntimeError(f"permute got {len(dims)} dimensions for a tensor of {ndim}")
    return permuted(input, axes_of(dims, ndim), PERMUTE)


@method("transpose", "swapaxes", "swapdims")
def transpose(input, dim0, dim1):
    """Two dimensions exchanged, a view."""
    ndim = input._data.ndim
    dims = list(range(ndim))
    a, b = axis_of(dim0, ndim), axis_of(dim1, ndim)
    if ndim:
        dims[a], dims[b] = dims[b], dims[a]
    return permuted(input, dims, TRANSPOSE)


@method("t")
def t(input):
    """The transpose of a matrix; RuntimeError for more than two dimensions."""
    if input._data.ndim > 2:
        raise RuntimeError(f"t() is for matrices, got {input._data.ndim} dimensions; use mT")
    return transpose(input, 0, 1) if input._data.ndim == 2 else input


@method("movedim", "moveaxis")
def movedim(input, source, destination):
    """The dimensions `source` moved to the places `destination`, the others in their order."""
    ndim = input._data.ndim
    source, places = axes_of(source, ndim), axes_of(destination, ndim)
    if len(source) != len(places):
        raise RuntimeError(f"movedim got {len(source)} dimensions for {len(places)} places")
    dims = [d for d in range(ndim) if d not in source]
    for place, d in sorted(zip(places, source, strict=True)):
        dims.insert(place, d)
    return permute(input, dims)


def _transposed(tensor):
    """The dimensions in reverse order."""
    return permute(tensor, tuple(range(tensor._data.ndim))[::-1])


def _matrix_transposed(tensor):
    """The last two dimensions exchanged."""
    if tensor._data.ndim < 2:
        raise RuntimeError(f"mT needs at least 2 dimensions, got {tensor._data.ndim}")
    return transpose(tensor, -2, -1)


Tensor.T = property(_transposed)
Tensor.mT = property(_matrix_transposed)

# --- expand ---


EXPAND = Rule("ExpandBackward0", (unbroadcast,))


def expanded(x, shape):
    """expand() of a Tensor, or the same for an array: steps of length 0 in memory."""
    if isinstance(x, Tensor):
        return expand(x, shape)
    if x.ndim == 0:  # np.broadcast_to is nine times slower
        return ndarray(shape, x.dtype, x, 0, (0,) * len(shape))
    return np.broadcast_to(x, shape)


@method("expand")
def expand(input, *sizes):
    """Dimensions of length 1 repeated, without copying; -1 keeps a length.

    >>> tinytorch.tensor([[1], [2]]).expand(2, 3)
    tensor([[1, 1, 1],
            [2, 2, 2]])
    """
    sizes = as_sizes(sizes)
    x = input._data
    new = len(sizes) - x.ndim
    shape = tuple([x.shape[i - new] if n == -1 and i >= new else n for i, n in enumerate(sizes)])
    try:
        # where nothing is repeated, the result can be written to
        alike = shape == (1,) * new + x.shape
        result = x[(None,) * new + (...,)] if alike else np.broadcast_to(x, shape)
        return view(result, EXPAND, input, x.shape)
    except ValueError:
        raise RuntimeError(f"shape {x.shape} cannot be expanded to {sizes}") from None


def common_shape(*shapes):
    """The shape to which all of them broadcast; RuntimeError if there is none."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise RuntimeError(f"shapes {shapes} do not broadcast to one") from None


def spread(grad, shape, axes, keepdim=False):
    """The gradient of a sum: each element of the input gets that of the sum it went into."""
    return expanded(grad.reshape(kept_shape(shape, axes)) if grad.ndim else grad, shape)


@method("expand_as")
def expand_as(input, other):
    return expand(input, other.shape)


@method("broadcast_to")
def broadcast_to(input, shape):
    return expand(input, shape)


# --- copies and other dtypes ---


CLONE = Rule("CloneBackward0", (lambda grad: grad,))
TO = Rule("ToCopyBackward0", CLONE.formulas)


@method("clone")
def clone(input):
    """A copy that gradients flow through."""
    return record(input._data.copy(), CLONE, (input,))


@method("contiguous")
def contiguous(input):
    """The tensor itself if its elements lie in order, else a copy in order."""
    return input if input._data.flags.c_contiguous else clone(input)


@method("detach")
def detach(input):
    """The same values over the same memory, without history."""
    return wrap(input._data)


@method("detach_")
def detach_(input):
    """Forget the history of this tensor: it becomes a leaf that requires no grad."""
    input._node = None
    return input


@method("to")
def to(input, *args, dtype=None, device=None, non_blocking=False, copy=False):
    """The tensor with another dtype, or that of another tensor; itself if nothing changes.

    Takes a dtype, a device, both, or a tensor; "cpu" is the only device, so that there is nothing
    to wait for.

    >>> tinytorch.tensor([1, 2]).to(tinytorch.float32)
    tensor([1., 2.])
    """
    for value in (*args, device):
        if isinstance(value, Tensor):
            dtype = value.dtype
        elif value is not None and value != "cpu":
            dtype = value
    dtype = input.dtype if dtype is None else dtypes.dtype_of(dtype)
    if dtype == input._data.dtype and not copy:
        return input
    array = state.quietly(input._data.astype, dtype)
    if dtype.kind != "f":
        return wrap(array)
    return record(array, fitted(TO, (input,)), (input,))


@method("cpu")
def cpu(input):
    """The tensor itself: it is always there."""
    return input


@method("type_as")
def type_as(input, other):
    """The tensor in the dtype of `other`."""
    return to(input, other.dtype)


@method("type")
def converted(input, dtype):
    """The tensor as `dtype`."""
    return to(input, dtype)


def conversion(name, dtype):
    """The method that converts to `dtype`."""

    def convert(input):
        return to(input, dtype)

    return method(name, doc=f"The tensor as {dtype}.")(convert)


for _name in ("float", "double", "half", "int", "long", "short", "char", "byte", "bool"):
    conversion(_name, getattr(dtypes, _name))
