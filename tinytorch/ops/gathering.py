"""Gathering and scattering: elements along one dimension, named by a tensor of indices."""

from tinytorch import dtypes
from tinytorch.ops.dims import axis_and_length, common_shape, kept_shape, numbers_too
from tinytorch.ops.elementwise import times_alpha
from tinytorch.ops.index_reading import (
    along,
    mesh_of,
    places_along,
)
from tinytorch.ops.indexing import getitem, place, put, to_write
from tinytorch.ops.shapes import expand
from tinytorch.tensor import Tensor, check_tensors, method, wrap


def corner(src, index):
    """The part of `src` that an `index` of another shape reaches."""
    if not index._data.size:
        return src.reshape(-1)[:0].reshape(index._data.shape)
    part = src[tuple([slice(n) for n in index._data.shape])]
    if part._data.shape != index._data.shape:
        raise RuntimeError(
            f"src of shape {src._data.shape} is smaller than index, {index._data.shape}"
        )
    return part


@method("gather")
def gather(input, dim, index, *, sparse_grad=False):
    """out[i][j] = input[index[i][j]][j] for dim 0, and so on: the result has the shape of `index`.

    >>> x = tinytorch.tensor([[1, 2], [3, 4]])
    >>> x.gather(1, tinytorch.tensor([[1], [0]]))
    tensor([[2],
            [3]])

    The gradient is never sparse.
    """
    one_place = isinstance(index, Tensor) and index._data.ndim == 0
    if input._data.ndim == 0 or (one_place and input._data.ndim == 1):
        return input.reshape(-1).gather(dim, index.reshape(-1)).reshape(index.shape)
    return getitem(input, mesh_of(input, dim, index, "gather"))


@method("take_along_dim")
def take_along_dim(input, indices, dim=None):
    """gather() with dimensions of length 1 repeated; of the flattened tensors by default."""
    check_tensors("take_along_dim", indices=indices)
    if indices.dtype != dtypes.int64:
        raise RuntimeError(f"take_along_dim() needs int64 for indices, got {indices.dtype}")
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
    places = wrap(indices._data + (indices._data < 0) * input.shape[axis])  # -1 is the last
    return gather(expand(input, shape), axis, expand(places, shape))


@method("scatter_add")
@numbers_too
def scatter_add(input, dim, index, src):
    """`input` with the elements of `src` added at the places that gather() would take them from."""
    places = mesh_of(input, dim, index, "scatter_add")
    check_source("scatter_add", input, src)
    return input + place(corner(src, index), input._data.shape, places)


@method("scatter")
@numbers_too
def scatter(input, dim, index, src=None, *, value=None, reduce=None):
    """`input` with the elements of `src`, or one number, at the places named by `index`.

    With `reduce` "add" or "multiply", it is added to what is there, or multiplied with it.
    """
    src = value if src is None else src
    if reduce is not None:
        return combined(input, dim, index, src, reduce)
    places = mesh_of(input, dim, index, "scatter")
    if isinstance(src, Tensor):
        check_source("scatter", input, src)
    values = corner(src, index) if isinstance(src, Tensor) else to_write(src, input)
    return put(input, places, values)


def check_source(name, input, src):
    check_tensors(name, src=src)
    if src.dtype != input.dtype:
        raise RuntimeError(f"{name} needs one dtype, got {input.dtype} and {src.dtype}")


def combined(input, dim, index, src, reduce):
    """scatter() into sums or products, by scatter_reduce()."""
    if reduce not in ("add", "multiply"):
        raise RuntimeError(f"scatter: reduce is 'add' or 'multiply', got {reduce!r}")
    src = src if isinstance(src, Tensor) else expand(to_write(src, input), index._data.shape)
    return input.scatter_reduce(dim, index, src, "sum" if reduce == "add" else "prod")


@method("index_select")
@numbers_too
def index_select(input, dim, index):
    """The slices of dimension `dim` named by the 1-d tensor `index`."""
    axis, array = places_along(input, dim, index, "index_select")
    if array.ndim > 1:
        raise IndexError(f"index_select: index must have 1 dimension, got shape {array.shape}")
    return getitem(input, along(axis, array.reshape(-1)))


@method("index_add")
@numbers_too
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
    check_source("index_add", input, source)
    sums = place(source, input._data.shape, along(axis, array))
    return input + (sums if alpha == 1 else times_alpha(input, sums, alpha))
