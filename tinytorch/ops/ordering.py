"""The largest, the smallest, and the order of elements."""

from collections import namedtuple
from typing import Any

import numpy as np

from tinytorch.node import Rule
from tinytorch.operation import recorded
from tinytorch.ops.dims import axis_and_length, axis_of, drop, numbers_too, reduced_axes, reduction
from tinytorch.ops.elementwise import maximum, minimum, where
from tinytorch.ops.gathering import gather
from tinytorch.ops.shapes import spread
from tinytorch.tensor import Tensor, wrap


def return_type(name, fields="values indices"):
    """A pair, of values and indices by default, printed as in PyTorch."""
    pair = namedtuple(name, fields)
    lines = ",\n".join(f"{field}=%r" for field in pair._fields)
    text = f"tinytorch.return_types.{name}(\n{lines})"
    pair.__repr__ = lambda self: text % tuple(self)
    return pair


Max, Min, Sort, TopK = map(return_type, ("max", "min", "sort", "topk"))

# --- extremes: equal ones share the gradient ---


def extreme_formula(grad, shape, axes, where_found, count):
    return where(where_found, spread(grad / count, shape, axes), 0)


AMAX = Rule("AmaxBackward0", (extreme_formula,))
AMIN = Rule("AminBackward0", (extreme_formula,))
MAX = Rule("MaxBackward1", (extreme_formula,))
MIN = Rule("MinBackward1", (extreme_formula,))


def equal_to(y, x, axes, or_nan):
    """Which elements of x are y, or NaN in `or_nan`, and how many, along `axes`, which are kept."""
    found = (x == y) | (or_nan != or_nan)
    return found, np.add.reduce(found, axes, keepdims=True).astype(x.dtype)


def extreme(input, dim, keepdim, reduce, rule):
    """Where there is NaN it's the result, and has all the gradient; of amax() and amin() that's
    NaN for all elements.
    """
    x = input._data
    axes = reduced_axes(dim, x.ndim)
    if not all(x.shape[a] for a in axes):
        error = RuntimeError if dim is None else IndexError
        raise error(f"{reduce.__self__.__name__} of no elements: the shape is {x.shape}")
    y = reduce(x, axes, keepdims=True)
    lost_to_all = rule in (AMAX, AMIN)
    found, count = equal_to(y, x, axes, y if lost_to_all else x)
    if lost_to_all:
        count = np.where(y == y, count, np.nan)
    if not keepdim:
        y, count = drop(y, axes), drop(count, axes)
    return recorded(y, rule, (input,), x.shape, axes, found, count)


@reduction
def amax(input, dim=None, keepdim=False):
    """The largest element along `dim`, which may be several; equal ones share the gradient."""
    return extreme(input, dim, keepdim, np.maximum.reduce, AMAX)


@reduction
def amin(input, dim=None, keepdim=False):
    """The smallest element along `dim`, which may be several; equal ones share the gradient."""
    return extreme(input, dim, keepdim, np.minimum.reduce, AMIN)


@reduction
def max(input, dim=None, keepdim=False) -> "Tensor | Any":
    """The largest element; with `dim`, (values, indices) along it; with a tensor, maximum().

    >>> values, indices = tinytorch.tensor([[1.0, 3.0], [4.0, 2.0]]).max(dim=1)
    >>> indices
    tensor([1, 0])
    """
    return best(input, dim, keepdim, max_of_all, maximum, argmax, Max)


@reduction
def min(input, dim=None, keepdim=False) -> "Tensor | Any":
    """The smallest element; with `dim`, (values, indices) along it; with a tensor, minimum()."""
    return best(input, dim, keepdim, min_of_all, minimum, argmin, Min)


def max_of_all(input, dim=None, keepdim=False):
    """max() of all elements, or over several dimensions; equal ones share the gradient."""
    return extreme(input, dim, keepdim, np.maximum.reduce, MAX)


def min_of_all(input, dim=None, keepdim=False):
    """min() of all elements, or over several dimensions; equal ones share the gradient."""
    return extreme(input, dim, keepdim, np.minimum.reduce, MIN)


def best(input, dim, keepdim, of_all, of_two, find, pair):
    if dim is None:
        return of_all(input)
    if isinstance(dim, Tensor):
        return of_two(input, dim)
    indices = find(input, dim, keepdim=True)
    values = gather(input, dim, indices)
    if keepdim or not input._data.ndim:
        return pair(values, indices)
    return pair(values.squeeze(dim), indices.squeeze(dim))


@reduction
def argmax(input, dim=None, keepdim=False):
    """The index of the first largest element along `dim`, among all elements by default."""
    return first_index(input, dim, keepdim, np.argmax)


@reduction
def argmin(input, dim=None, keepdim=False):
    """The index of the first smallest element along `dim`, among all elements by default."""
    return first_index(input, dim, keepdim, np.argmin)


def first_index(input, dim, keepdim, find):
    x = input._data
    axis = None if dim is None else axis_of(dim, x.ndim)
    if not (x.size if dim is None or not x.ndim else x.shape[axis]):
        raise IndexError(f"{find.__name__} of no elements: the shape is {x.shape}")
    return wrap(find(x, axis=axis if x.ndim else None, keepdims=keepdim))


# --- order ---


@reduction
def argsort(input, dim=-1, descending=False, stable=False):
    """The indices that put the elements along `dim` in order."""
    x = input._data
    axis = axis_of(dim, x.ndim)
    if not x.ndim:
        return wrap(np.zeros((), np.int64))
    if not descending:
        return wrap(np.argsort(x, axis, kind="stable"))
    # sort the reversed array and count from its end: then equal elements keep their order
    order = np.argsort(np.flip(x, axis), axis, kind="stable")
    return wrap(np.ascontiguousarray(x.shape[axis] - 1 - np.flip(order, axis)))


@reduction
def sort(input, dim=-1, descending=False, stable=False) -> Any:
    """(values, indices) along `dim` in order.

    >>> tinytorch.tensor([3.0, 1.0, 2.0]).sort().values
    tensor([1., 2., 3.])
    """
    indices = argsort(input, dim, descending)
    return Sort(gather(input, dim, indices), indices)


@reduction
@numbers_too
def topk(input, k, dim=-1, largest=True, sorted=True) -> Any:
    """(values, indices) of the `k` largest elements along `dim`, or of the smallest."""
    _, length = axis_and_length(input, dim)
    if not 0 <= k <= length:
        raise RuntimeError(f"topk: k is {k}, but dimension {dim} has {length} elements")
    indices = (
        argsort(input, dim, descending=largest) if k == length else chosen(input, k, dim, largest)
    )
    return TopK(gather(input, dim, indices), indices)


def chosen(input, k, dim, largest):
    """The indices of the `k` best along `dim` in order: only these are sorted."""
    x = input._data
    axis, length = axis_and_length(input, dim)
    first = length - k if largest else 0
    parted = np.argpartition(x, first if largest else k, axis)
    indices = wrap(parted).narrow(axis, first, k)
    order = argsort(gather(input, axis, indices), axis, descending=largest)
    return gather(indices, axis, order)
