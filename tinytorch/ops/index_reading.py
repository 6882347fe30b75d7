"""Indices as PyTorch reads them, made ready for NumPy."""

from types import EllipsisType, NoneType

import numpy as np

from tinytorch.dtypes import uint8
from tinytorch.ops.dims import axis_and_length
from tinytorch.tensor import Tensor, array_of, check_tensors

BASIC = {int, slice, EllipsisType, NoneType}
# a list that holds one of these stands for the tuple of its items
PARTS_OF_AN_INDEX = (Tensor, np.ndarray, list, tuple, range, slice, EllipsisType, NoneType)


def numpy_index(index):
    """The index as NumPy wants it, a tuple with arrays for tensors and lists.

    ValueError for a slice with a negative step: use flip().
    """
    if isinstance(index, list) and any(isinstance(item, PARTS_OF_AN_INDEX) for item in index):
        index = tuple(index)
    index = index if isinstance(index, tuple) else (index,)
    return tuple([numpy_index_of(item) for item in index])


def numpy_index_of(item):
    if type(item) is int:
        return item
    if isinstance(item, (Tensor, list, range)):
        array = array_of(list(item) if isinstance(item, range) else item)
        if array.dtype == uint8:
            return array.astype(bool)  # bytes were PyTorch's first booleans
        if array.dtype.kind == "i" and not array.ndim:
            return array.item()
        if array.dtype.kind != "f":
            return array
        if array.size or isinstance(item, Tensor):
            raise IndexError(f"an index holds integers or booleans, got {array.dtype}")
        return array.astype(np.int64)  # an empty list
    if isinstance(item, slice) and item.step is not None and item.step < 0:
        raise ValueError(f"a slice needs a positive step, got {item.step}; use flip()")
    return int(item) if isinstance(item, np.integer) else item


def is_basic(index):
    """True for integers, slices, None and ... only: then the result is a view."""
    return BASIC.issuperset(map(type, index))


def spelled_out(index, ndim):
    """The index with a slice for each of the dimensions that its ellipsis stands for.

    Where that's none, NumPy would still take it for something that keeps two arrays apart. A second
    ellipsis stands for as many, so nothing may come after it, unless that's none.

    >>> spelled_out((0, ..., None, 1), 3)
    (0, slice(None, None, None), None, 1)
    """
    places = [place for place, item in enumerate(index) if item is Ellipsis]
    if not places:
        return index
    read = [basic_parts(item) for item in index if item is not None and item is not Ellipsis]
    rest = (slice(None),) * (ndim - sum(map(len, read)))
    start, end = index[: places[0]], index[places[0] + 1 :]
    after = index[places[1] :] if len(places) > 1 else ()
    if rest and any(item is not Ellipsis for item in after):
        raise IndexError(f"a second ellipsis, and {after[-1]!r} after it, for {ndim} dimensions")
    return (*start, *rest, *[item for item in end if item is not Ellipsis])


def inside_nothing(x, index):
    """The index, but where x has nothing there at all, with zeros for the numbers in its arrays.

    Where no element is looked up, they needn't be numbers of places.
    """
    zeros = [
        np.zeros_like(item) if isinstance(item, np.ndarray) and item.dtype.kind in "iu" else item
        for item in index
    ]
    try:
        return index if x[tuple(zeros)].size else tuple(zeros)
    except IndexError:
        return index


def numbers_first(index):
    """An index with arrays as two, x[first][then]: whole numbers, where any are apart, go first.

    NumPy counts a number among the arrays, and for x[0, :, [0, 1]] would move dimensions.

    >>> numbers_first((0, slice(None), [0, 1]))
    ((0, slice(None, None, None), slice(None, None, None)), (slice(None, None, None), [0, 1]))
    """
    kinds = [type(item) for item in index]
    if int not in kinds:
        return (), index
    between = (slice, EllipsisType, NoneType)
    places = [place for place, kind in enumerate(kinds) if kind not in between]
    if places[-1] - places[0] < len(places):
        return (), index
    first = [part for item in index for part in basic_parts(item)]
    rest = [item for item in index if type(item) is not int]
    then = [slice(None) if item is None or type(item) is slice else item for item in rest]
    return tuple(first), tuple(then)


def basic_parts(item):
    """The item itself, or for an array a slice for each of the dimensions that it looks up."""
    if is_basic((item,)):
        return [item]
    array = np.asarray(item)
    return [slice(None)] * (array.ndim if array.dtype.kind == "b" else 1)


def along(dim, index):
    """The index that picks `index` in dimension `dim`, and all of those before and after it."""
    return (*(slice(None),) * dim, index)


def places_along(input, dim, index, name):
    """`dim` counted from 0, and the array of the `index`: whole numbers from 0 to its length."""
    check_tensors(name, index=index)
    dim, length = axis_and_length(input, dim)
    array = index._data
    if array.dtype.kind not in "iu":
        raise RuntimeError(f"{name}: index must hold integers, got {array.dtype}")
    if not all_below(length, array):
        wrong = first_outside(length, array)
        raise RuntimeError(f"{name}: index {wrong} out of range for dim {dim} of length {length}")
    return dim, array


def all_below(length, array):
    """True if all the integers of the array are from 0 to `length` - 1."""
    return not np.count_nonzero(array.astype(np.uint64) >= length)  # negative ones become large


def first_outside(length, array):
    """The first integer of the array that isn't from 0 to `length` - 1: there is one."""
    return array[(array < 0) | (array >= length)].item(0)


def mesh_of(input, dim, index, name):
    """The index of the elements (i, ..., index[i, ..., k], ..., k), with `index` at place `dim`."""
    dim, array = places_along(input, dim, index, name)
    shape = input._data.shape
    if not array.ndim and len(shape) == 1:
        array = array.reshape(1)  # a single place
    if not array.size and array.ndim != len(shape):
        array = array.reshape((0,) * len(shape))  # no place at all
    if array.ndim != len(shape):
        raise RuntimeError(f"{name}: index needs {len(shape)} dimensions, got {array.ndim}")
    if any(n > m for i, (n, m) in enumerate(zip(array.shape, shape, strict=True)) if i != dim):
        raise RuntimeError(f"{name}: index of shape {array.shape} is larger than shape {shape}")
    grid = np.indices(array.shape, sparse=True)
    return tuple([array if axis == dim else steps for axis, steps in enumerate(grid)])
