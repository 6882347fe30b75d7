"""Views by steps in memory, and copies with something else in a part of a tensor."""

import math

import numpy as np

from tinytorch import memory
from tinytorch.operation import view
from tinytorch.ops.dims import as_sizes, axis_and_length
from tinytorch.ops.index_reading import along
from tinytorch.ops.indexing import diagonal, put
from tinytorch.ops.joining import split
from tinytorch.ops.shapes import expand, reshape
from tinytorch.ops.view_history import AS_STRIDED, addresses, places_in
from tinytorch.tensor import Tensor, check_tensors, method, wrap


@method("as_strided")
def as_strided(input, size, stride, storage_offset=None):
    """A view with these lengths, whose elements lie `stride` apart in memory, counted in elements.

    The first is that of `input`, or lies `storage_offset` after the beginning of the memory.
    Several indices may mean one element. RuntimeError where the view would leave the memory, or
    show elements that `input`, a view itself, doesn't.

    >>> tinytorch.arange(4).as_strided((3, 2), (1, 1))
    tensor([[0, 1],
            [1, 2],
            [2, 3]])
    """
    x = input._data
    whole = whole_memory(x)
    if min(stride, default=0) < 0:
        raise RuntimeError(f"as_strided() goes forward in memory, got the strides {list(stride)}")
    first = storage_offset
    if first is None:
        first = place_of_first(x, whole)
    last = first + sum((n - 1) * step for n, step in zip(size, stride, strict=True))
    if math.prod(size) and not 0 <= first <= last < whole.size:
        raise RuntimeError(
            f"as_strided() of {tuple(size)} leaves the {whole.size} elements there are"
        )
    start = whole[first if math.prod(size) else 0 :]
    steps = tuple([step * x.itemsize for step in stride])
    writeable = memory.writable(x, repeated=True) is not None
    start.flags.writeable = writeable
    alone = writeable and not memory.is_repeated(size, steps)
    result = np.asarray(memory.Layout(start, tuple(size), steps, alone))
    if not (x.flags.c_contiguous and x.size == whole.size or is_within(result, x)):
        raise RuntimeError("as_strided() beyond its tensor needs memory of its own: clone() first")
    return view(result, AS_STRIDED, input, x.shape, places_in(x, result))


def whole_memory(x):
    """All of the memory that x looks at, in its order there; RuntimeError where x can't say."""
    owner = memory.owner_of(x)
    if owner.dtype != x.dtype or not owner.flags.forc:
        raise RuntimeError("as_strided() needs a tensor with memory of its own: clone() first")
    return owner.reshape(-1, order="A")


def memory_from(x):
    """All of the memory that x looks at, from the first element of x on."""
    whole = whole_memory(x)
    return whole[place_of_first(x, whole) if x.size else 0 :]


def place_of_first(x, whole):
    """Where in the memory `whole` the first element of x lies, counted in elements."""
    return (x.ctypes.data - whole.ctypes.data) // x.itemsize


def is_within(array, other):
    """Does each element of the array lie where one of the other array lies?"""
    return np.isin(addresses(array), addresses(other)).all()


# --- copies with something else in a part ---


@method("select_scatter")
def select_scatter(input, src, dim, index):
    """`input` with `src` in the place of its slice number `index` along `dim`."""
    axis, length = axis_and_length(input, dim)
    if not -length <= index < length:
        raise IndexError(f"there is no slice {index} of {length}")
    return put(input, along(axis, index), expand(src, input.select(dim, index).shape))


@method("slice_scatter")
def slice_scatter(input, src, dim=0, start=None, end=None, step=1):
    """`input` with `src` in the place of its slices start:end:step along `dim`.

    >>> tinytorch.zeros(4).slice_scatter(tinytorch.ones(2), start=1, end=3)
    tensor([0., 1., 1., 0.])
    """
    axis, _ = axis_and_length(input, dim)
    return put(input, along(axis, slice(start, end, step)), src)


@method("diagonal_scatter")
def diagonal_scatter(input, src, offset=0, dim1=0, dim2=1):
    """`input` with `src` in the place of its diagonal."""
    places = wrap(np.arange(input.numel()).reshape(input.shape))
    index = diagonal(places, offset, dim1, dim2)._data
    return put(reshape(input, -1), (index,), src).reshape(input.shape)


@method("put")
def put_flat(input, index, source, accumulate=False):
    """`input` with the elements of `source` at these places of the flattened tensor, or added.

    >>> tinytorch.zeros(2, 2).put(tinytorch.tensor([3]), tinytorch.ones(1))
    tensor([[0., 0.],
            [0., 1.]])
    """
    check_tensors("put", index=index, source=source)
    places = reshape(index, -1), reshape(source, -1)
    flat = reshape(input, -1).index_put((places[0],), places[1], accumulate)
    return flat.reshape(input.shape)


# --- shapes ---


@method("sum_to_size")
def sum_to_size(input, *size):
    """The sums to this shape, from which expand() gives the shape that there is."""
    size = as_sizes(size)
    new = input.dim() - len(size)
    dims = [i for i in range(input.dim()) if i < new or size[i - new] != input.shape[i]]
    if new < 0 or any(i >= new and size[i - new] != 1 for i in dims):
        raise RuntimeError(f"shape {tuple(input.shape)} is not to be summed to {size}")
    return reshape(input.sum(dims, keepdim=True) if dims else input, size)


@method("split_with_sizes")
def split_with_sizes(input, split_sizes, dim=0) -> "tuple[Tensor, ...]":
    """split() into pieces of these sizes."""
    return split(input, list(split_sizes), dim)


@method("narrow_copy")
def narrow_copy(input, dim, start, length):
    """narrow(), as a copy."""
    return input.narrow(dim, start, length).clone()


def unravel_index(indices, shape) -> "tuple[Tensor, ...]":
    """For places in a flattened tensor of `shape`, the index in each dimension.

    >>> unravel_index(tinytorch.tensor([5]), (2, 3))
    (tensor([1]), tensor([2]))
    """
    check_tensors("unravel_index", indices=indices)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    if not len(indices.shape) and not shape:
        return (indices,)
    if indices.numel() and (indices.max() >= math.prod(shape) or indices.min() < 0):
        raise ValueError(f"there are no such places in a tensor of shape {shape}")
    return tuple(map(wrap, np.unravel_index(indices._data, shape)))
