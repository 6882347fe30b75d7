"""Dimensions: how they are named, counted and checked."""

from functools import wraps
from operator import index

import numpy as np

from tinytorch.tensor import Tensor, method


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


def numbers_too(operation):
    """Decorator: along dimension 0 of a tensor without dimensions there is one element.

    All tensors of one element among the arguments are vectors then, the results numbers again.
    """

    @wraps(operation)
    def of_any(input, *args, **named):
        if input._data.ndim:
            return operation(input, *args, **named)
        found = operation(*map(as_vector, (input, *args)), **named)
        if not isinstance(found, tuple):
            return found.reshape(())
        return type(found)(*[each.reshape(()) for each in found])

    return of_any


def as_vector(value):
    """A tensor of one element as a vector, everything else as it is."""
    return value.reshape(1) if isinstance(value, Tensor) and value.numel() == 1 else value


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


def common_shape(*shapes):
    """The shape to which all of them broadcast; RuntimeError if there is none."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise RuntimeError(f"shapes {shapes} do not broadcast to one") from None
