"""Views by steps in memory, and copies with something else in a part of a tensor."""

import math

import numpy as np

from tinytorch import memory
from tinytorch.node import Rule
from tinytorch.operation import view
from tinytorch.ops.dims import as_sizes, axis_and_length
from tinytorch.ops.index_reading import along
from tinytorch.ops.indexing import diagonal, place, put
from tinytorch.ops.joining import split
from tinytorch.ops.shapes import expand, reshape
from tinytorch.tensor import Tensor, check_tensors, method, wrap


def as_strided_back(grad, shape, size, places, own):
    """What arrives at each place in memory, handed to the elements of the input that lie there."""
    whole = place(grad, (size,), (places,))
    if own is None:  # the input is the whole memory, in order
        return whole.reshape(shape)
    times = np.bincount(own.ravel(), minlength=size)  # elements that share a place share what came
    return whole[wrap(own)] / wrap(times[own].astype(grad.dtype))


AS_STRIDED = Rule("AsStridedBackward0", (as_strided_back,))


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
    x, memory_of_x = input._data, flat_memory(input._data)
    if min(stride, default=0) < 0:
        raise RuntimeError(f"as_strided() goes forward in memory, got the strides {list(stride)}")
    begin = address(x) - address(memory_of_x)
    first = begin // x.itemsize if storage_offset is None else storage_offset
    places = places_of(first, size, stride)
    last = int(places.max(initial=0))
    if places.size and not 0 <= first <= last < memory_of_x.size:
        raise RuntimeError(
            f"as_strided() of {tuple(size)} leaves the {memory_of_x.size} elements there are"
        )
    strides = [step * x.itemsize for step in stride]
    start = memory_of_x[first if places.size else 0 :]
    result = np.lib.stride_tricks.as_strided(start, size, strides)
    own = None
    if not (x.flags.c_contiguous and x.size == memory_of_x.size):
        own = places_of(begin // x.itemsize, x.shape, [step // x.itemsize for step in x.strides])
        if not np.isin(places, own).all():
            raise RuntimeError(
                "as_strided() beyond its tensor needs memory of its own: clone() first"
            )
    return view(result, AS_STRIDED, input, x.shape, memory_of_x.size, places, own)


def flat_memory(x):
    """All of the memory that x looks at, in its order there; RuntimeError where x can't say."""
    owner = memory.owner_of(x)
    if owner.dtype != x.dtype or not owner.flags.forc:
        raise RuntimeError("as_strided() needs a tensor with memory of its own: clone() first")
    return owner.reshape(-1, order="A")


def address(array):
    """Where the first element of the array lies, in bytes."""
    return array.__array_interface__["data"][0]


def places_of(first, size, stride):
    """The place of each element in memory: `first`, and `stride` further for each step."""
    places = np.array(first)
    for n, step in zip(size, stride, strict=True):
        places = places[..., None] + np.arange(n) * step
    return places


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
