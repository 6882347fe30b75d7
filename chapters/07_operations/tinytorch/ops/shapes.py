"""Shapes: the same elements arranged in another way.

Most results are views: they share the memory of their input.
"""

import math

import numpy as np
from numpy import asarray, ndarray

from tinytorch import memory
from tinytorch.element_types import dtype
from tinytorch.node import Rule
from tinytorch.operation import recorded, unbroadcast, view
from tinytorch.ops.dims import as_sizes, axes_of, axis_of, kept_shape, numpy_names
from tinytorch.tensor import Tensor, method, wrap

# --- reshape ---


def reshape_formula(grad, shape):
    return grad.reshape(shape)


RESHAPE = Rule("ViewBackward0", (reshape_formula,), saves_arrays=False)


def reshaped(input, shape):
    x = input._data
    try:
        if min(shape, default=0) >= -1:  # NumPy takes every negative length for -1
            y = x.reshape(shape)
            if x.flags.c_contiguous or np.may_share_memory(x, y):
                return view(y, RESHAPE, input, x.shape)
            return recorded(y, RESHAPE, (input,), x.shape)
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
    if len(shape) == 1 and isinstance(shape[0], (dtype, np.dtype)):
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
    """The elements in the shape of the tensor `other`."""
    return reshape(input, other.shape)


@method("flatten")
def flatten(input, start_dim=0, end_dim=-1):
    """The dimensions from `start_dim` to `end_dim` as one."""
    shape = input._data.shape
    start, end = axis_of(start_dim, len(shape)), axis_of(end_dim, len(shape))
    if start > end:
        raise RuntimeError(f"flatten: start_dim {start_dim} comes after end_dim {end_dim}")
    if start == end and shape:
        return input
    return reshaped(input, shape[:start] + (math.prod(shape[start : end + 1]),) + shape[end + 1 :])


@method("ravel")
def ravel(input):
    """All dimensions as one."""
    return flatten(input)


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


def inverse_order(dims):
    """The order that undoes permute(dims), as a tuple: after both, x is as it was.

    `dims` is a tuple or a list, and empty where x is a number.

    >>> inverse_order((2, 0, 1))
    (1, 2, 0)
    """
    # TODO exercise 7.1: inverse_order and spread
    raise NotImplementedError("exercise 7.1: inverse_order")


def permute_formula(grad, dims):
    order = inverse_order(dims)
    return permute(grad, order) if isinstance(grad, Tensor) else grad.transpose(order)


PERMUTE = Rule("PermuteBackward0", (permute_formula,), saves_arrays=False)
TRANSPOSE = Rule("TransposeBackward0", (permute_formula,), saves_arrays=False)


def permuted(input, dims, rule):
    return view(input._data.transpose(dims), rule, input, dims)


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


EXPAND = Rule("ExpandBackward0", (unbroadcast,), saves_arrays=False)


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
    if shape == (1,) * new + x.shape:
        return view(x[(None,) * new + (...,)], EXPAND, input, x.shape)
    of_each = zip(x.shape, shape[new:], x.strides, strict=False)  # fewer sizes are an error below
    steps = [step if n == m else 0 if n == 1 else None for n, m, step in of_each]
    if new < 0 or None in steps or min(shape) < 0:
        raise RuntimeError(f"shape {x.shape} cannot be expanded to {sizes}")
    # NumPy may not write where one number stands for many elements; see memory.writable()
    result = asarray(memory.Layout(x, shape, (0,) * new + tuple(steps), writeable=False))
    return view(result, EXPAND, input, x.shape)


def spread(grad, shape, axes, keepdim=False):
    """The gradient of a sum: each element of the input gets that of the sum it went into.

    `grad` has the shape of the sum, without the summed `axes` of `shape` or with length 1 there.
    You needn't ask `keepdim`: grad's own shape tells which. Arrays give an array, Tensors a Tensor.
    `kept_shape(shape, axes)` is the shape of the sum with those axes kept, of length 1;
    `expanded(grad, shape)` repeats a length of 1.

    >>> spread(np.array([1.0, 2.0]), (2, 3), (1,))
    array([[1., 1., 1.],
           [2., 2., 2.]])
    """
    # TODO exercise 7.1: inverse_order and spread
    raise NotImplementedError("exercise 7.1: spread")


@method("expand_as")
def expand_as(input, other):
    """Dimensions of length 1 repeated up to the shape of the tensor `other`."""
    return expand(input, other.shape)


@method("broadcast_to")
def broadcast_to(input, shape):
    """Dimensions of length 1 repeated up to `shape`, without copying: expand() as a function."""
    return expand(input, shape)
