"""Indexing: picking elements out, and putting gradients back to where they came from."""

import math
from types import EllipsisType, NoneType

import numpy as np

from tinytorch.dtypes import uint8
from tinytorch.node import Rule
from tinytorch.operation import fitted, linear, record, view
from tinytorch.ops.comparison import eq
from tinytorch.ops.elementwise import where
from tinytorch.ops.shapes import axis_and_length, axis_of, common_shape, expand, kept_shape
from tinytorch.tensor import Tensor, array_of, check_tensors, method, wrap

# --- tensor[index] ---

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
    return all(item is None or item is Ellipsis or type(item) in (int, slice) for item in index)


def numbers_first(input, index):
    """The tensor and the index of arrays that are left once whole numbers are looked up.

    NumPy counts a number among the arrays, and for x[0, :, [0, 1]] would move dimensions.
    """
    kinds = [type(item) for item in index]
    if int not in kinds:
        return input, index
    between = (slice, EllipsisType, NoneType)
    places = [place for place, kind in enumerate(kinds) if kind not in between]
    if places[-1] - places[0] < len(places):
        return input, index
    first = [part for item in index for part in basic_parts(item)]
    rest = [item for item in index if type(item) is not int]
    then = [slice(None) if item is None or type(item) is slice else item for item in rest]
    return getitem(input, tuple(first)), tuple(then)


def basic_parts(item):
    """The item itself, or for an array a slice for each of the dimensions that it looks up."""
    if is_basic((item,)):
        return [item]
    array = np.asarray(item)
    return [slice(None)] * (array.ndim if array.dtype.kind == "b" else 1)


@linear("Place", lambda grad, shape, whole, index: grad[index])
def place(values, shape, index):
    """Zeros of `shape` with `values` added at `index`: the way back of `x[index]`.

    A place that the index names several times receives the sum.

    >>> place(np.array([1.0, 2.0, 3.0]), (2,), (np.array([0, 0, 1]),))
    array([3., 3.])
    """
    whole = np.zeros(shape, values.dtype)
    if is_basic(index):
        whole[index] = values
    elif all(isinstance(item, np.ndarray) and item.dtype.kind == "i" for item in index):
        add_at(whole, index, values)
    else:
        np.add.at(whole, index, values)
    return whole


def add_at(whole, index, values):
    """np.add.at for arrays of numbers, by positions in flat memory: several times as fast."""
    known = whole.shape[: len(index)]
    rows = np.ravel_multi_index(np.broadcast_arrays(*index), known, mode="wrap")  # wrap: -1 is last
    width = math.prod(whole.shape[len(index) :])
    places = rows[..., None] * width + np.arange(width)
    np.add.at(whole.reshape(-1), places.reshape(-1), values.reshape(-1))


SLICE = Rule("SliceBackward0", (place,))
INDEX = Rule("IndexBackward0", (place,))
DIAGONAL = Rule("DiagonalBackward0", (place,))


@method("__getitem__")
def getitem(input, index):
    """The elements at `index`: integers, slices, None, ..., integer or boolean tensors.

    Integers and slices give a view, tensors a copy. IndexError outside of the tensor.

    >>> tinytorch.arange(6).reshape(2, 3)[:, 1]
    tensor([1, 4])
    """
    index = numpy_index(index)
    if is_basic(index):
        x = input._data
        if not any(item is Ellipsis for item in index):
            index += (Ellipsis,)  # so that a single element, too, comes as a view
        return view(x[index], SLICE, input, x.shape, index)
    input, index = numbers_first(input, index)
    x = input._data
    found = np.asarray(x[index], order="C")  # NumPy may turn what it picks out
    return record(found, INDEX, (input,), x.shape, index)


# --- a copy with other values at an index ---


def put_left(grad, index):
    others = np.ones(grad.shape, bool)
    others[index] = False
    return where(others, grad, 0)


PUT = Rule("IndexPutBackward0", (put_left, lambda grad, index: grad[index]))


def put(input, index, values):
    """A copy of `input` with `values` at `index`."""
    result = input._data.copy()
    while values._data.shape[:1] == (1,) and values._data.ndim > result[index].ndim:
        values = values[0]  # as PyTorch, let a row of one number stand for the number
    try:
        result[index] = values._data
    except (TypeError, ValueError):
        raise RuntimeError(
            f"values of shape {values._data.shape} do not fit into the places indexed,"
            f" of shape {result[index].shape}"
        ) from None
    return record(result, fitted(PUT, (input, values)), (input, values), index)


def to_write(value, input):
    """A Tensor of what is to be written into `input`; RuntimeError for a number too large."""
    if isinstance(value, Tensor):
        return value
    array = array_of(value, input._data.dtype)
    if isinstance(value, (int, float)) and math.isfinite(value) and not np.isfinite(array):
        raise RuntimeError(f"{value!r} does not fit into {input.dtype}")
    return wrap(array)


# --- along one dimension ---


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
        raise RuntimeError(f"{name}: index out of range for dim {dim} of length {length}")
    return dim, array


def all_below(length, array):
    """True if all the integers of the array are from 0 to `length` - 1."""
    return not np.count_nonzero(array.astype(np.uint64) >= length)  # negative ones become large


def mesh_of(input, dim, index, name):
    """The index of the elements (i, ..., index[i, ..., k], ..., k), with `index` at place `dim`."""
    dim, array = places_along(input, dim, index, name)
    shape = input._data.shape
    if array.ndim != len(shape):
        raise RuntimeError(f"{name}: index needs {len(shape)} dimensions, got {array.ndim}")
    if any(n > m for i, (n, m) in enumerate(zip(array.shape, shape, strict=True)) if i != dim):
        raise RuntimeError(f"{name}: index of shape {array.shape} is larger than shape {shape}")
    grid = np.indices(array.shape, sparse=True)
    return tuple([array if axis == dim else steps for axis, steps in enumerate(grid)])


def corner(src, index):
    """The part of `src` that an `index` of another shape reaches."""
    part = src[tuple([slice(n) for n in index._data.shape])]
    if part._data.shape != index._data.shape:
        raise RuntimeError(
            f"src of shape {src._data.shape} is smaller than index, {index._data.shape}"
        )
    return part


@method("gather")
def gather(input, dim, index):
    """out[i][j] = input[index[i][j]][j] for dim 0, and so on: the result has the shape of `index`.

    >>> x = tinytorch.tensor([[1, 2], [3, 4]])
    >>> x.gather(1, tinytorch.tensor([[1], [0]]))
    tensor([[2],
            [3]])
    """
    if input._data.ndim == 0:
        return input.reshape(1).gather(dim, index.reshape(-1)).reshape(index.shape)
    return getitem(input, mesh_of(input, dim, index, "gather"))


@method("take_along_dim")
def take_along_dim(input, indices, dim=None):
    """gather() with dimensions of length 1 repeated; of the flattened tensors by default."""
    check_tensors("take_along_dim", indices=indices)
    if dim is None:
        return gather(input.reshape(-1), 0, indices.reshape(-1))
    axis, _ = axis_and_length(input, dim)
    if input._data.ndim != indices._data.ndim:
        raise RuntimeError(
            f"take_along_dim() needs as many dimensions twice, got shapes {input._data.shape}"
            f" and {indices._data.shape}"
        )
    shape = list(common_shape(*(kept_shape(t._data.shape, (axis,)) for t in (input, indices))))
    shape[axis] = -1
    return gather(expand(input, shape), axis, expand(indices, shape))


@method("scatter_add")
def scatter_add(input, dim, index, src):
    """`input` with the elements of `src` added at the places that gather() would take them from."""
    places = mesh_of(input, dim, index, "scatter_add")
    return input + place(corner(src, index), input._data.shape, places)


@method("scatter")
def scatter(input, dim, index, src=None, *, value=None):
    """`input` with the elements of `src`, or one number, at the places named by `index`."""
    src = value if src is None else src
    places = mesh_of(input, dim, index, "scatter")
    values = corner(src, index) if isinstance(src, Tensor) else to_write(src, input)
    return put(input, places, values)


@method("index_select")
def index_select(input, dim, index):
    """The slices of dimension `dim` named by the 1-d tensor `index`."""
    axis, array = places_along(input, dim, index, "index_select")
    if array.ndim > 1:
        raise IndexError(f"index_select: index must have 1 dimension, got shape {array.shape}")
    return getitem(input, along(axis, array.reshape(-1)))


@method("index_add")
def index_add(input, dim, index, source, *, alpha=1):
    """`input` with the slices of `source` added at the places named by the 1-d tensor `index`."""
    check_tensors("index_add", source=source)
    axis, array = places_along(input, dim, index, "index_add")
    shape = list(input._data.shape)
    shape[axis : axis + 1] = array.shape
    if list(source._data.shape) != shape or array.ndim > 1:
        raise RuntimeError(
            f"index_add: a source of shape {source._data.shape} does not fit to an index of shape"
            f" {array.shape} along dim {dim} of shape {input._data.shape}"
        )
    places = along(axis, array)
    return input + place(source, input._data.shape, places) * alpha


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
def nonzero(input, *, as_tuple=False):
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
def iterate(input):
    """The slices of the first dimension, one after the other."""
    if input._data.ndim == 0:
        raise TypeError("iteration over a 0-d tensor")
    return iter([getitem(input, i) for i in range(len(input._data))])


@method("__contains__")
def contains(input, element):
    """True if an element equals `element`."""
    return bool(eq(input, element)._data.any())
