"""Copies of a tensor with something else at some of its places, in the order of gathering.py."""

import numpy as np

from tinytorch.ops.dims import common_shape, numbers_too
from tinytorch.ops.elementwise import where
from tinytorch.ops.gathering import corner
from tinytorch.ops.index_reading import along, mesh_of, numpy_index, places_along
from tinytorch.ops.indexing import getitem, place, put, to_write
from tinytorch.ops.shapes import expand, reshape
from tinytorch.state import state
from tinytorch.tensor import method, wrap


@method("index_fill")
@numbers_too
def index_fill(input, dim, index, value):
    """`input` with the number `value` in the slices of dimension `dim` named by `index`."""
    axis, array = places_along(input, dim, index, "index_fill")
    return put(input, along(axis, np.unique(array)), to_write(value, input))


@method("index_copy")
@numbers_too
def index_copy(input, dim, index, source):
    """`input` with the slices of `source` at the places of dimension `dim` named by `index`."""
    axis, array = places_along(input, dim, index, "index_copy")
    return put(input, along(axis, array), source)


@method("index_put")
def index_put(input, indices, values, accumulate=False):
    """`input` with `values` at `indices`, a tuple of tensors; added to it, if `accumulate`."""
    index = numpy_index(tuple(indices))
    if not accumulate:
        return put(input, index, values)
    return input + place(expand(values, input._data[index].shape), input._data.shape, index)


@method("masked_scatter")
def masked_scatter(input, mask, source):
    """`input` with the elements of `source`, in their order, where `mask` is True."""
    shape = common_shape(input._data.shape, mask._data.shape)
    places = np.broadcast_to(mask._data, shape)
    return put(expand(input, shape), places, reshape(source, -1)[: np.count_nonzero(places)])


@method("take")
def take(input, index):
    """The elements named by their places in the flattened tensor."""
    return getitem(reshape(input, -1), index)


# --- many into one place ---


@method("scatter_reduce")
@numbers_too
def scatter_reduce(input, dim, index, src, reduce, *, include_self=True):
    """The elements of `src` that go to one place, and what `input` has there, as one number.

    `reduce` is "sum", "mean", "amax", "amin" or "prod"; equal extremes share the gradient. Unless
    `include_self`, what `input` has does not count where an element of `src` goes.

    >>> places = tinytorch.tensor([0, 0, 1])
    >>> tinytorch.zeros(2).scatter_reduce(0, places, tinytorch.tensor([1.0, 3.0, 2.0]), "amax")
    tensor([3., 2.])
    """
    places = mesh_of(input, dim, index, "scatter_reduce")
    src = corner(src, index)
    has_way_back = state.grad_enabled and (input.requires_grad or src.requires_grad)
    if reduce == "prod" and has_way_back:
        return recorded_products(input, src, places, include_self)
    if reduce == "prod" or not input.is_floating_point():
        return reduced_array(input, src, places, reduce, include_self)
    counts = wrap(np.ones_like(input._data))
    if not include_self:
        counts = put(counts, places, to_write(0, counts))
    if reduce in EXTREMES:
        shares = extreme_shares(input, counts, src, places, EXTREMES[reduce])
    elif reduce in ("sum", "mean"):
        shares = counts, wrap(np.ones_like(src._data))
    else:
        raise unknown(reduce)
    mine, others = shares
    shape = input._data.shape
    total = where(mine != 0, input, 0) + place(where(others != 0, src, 0), shape, places)
    return total if reduce == "sum" else total / (mine + place(others, shape, places))


def unknown(reduce):
    return RuntimeError(f"scatter_reduce: sum, prod, mean, amax or amin, got {reduce!r}")


UFUNCS = {"sum": np.add, "mean": np.add, "prod": np.multiply, "amax": np.maximum}
FIRST = {"sum": 0, "mean": 0, "prod": 1}


def reduced_array(input, src, places, reduce, include_self):
    """scatter_reduce() without a way back: of integers, or where nobody asks for a gradient."""
    if reduce not in (*UFUNCS, "amin"):
        raise unknown(reduce)
    result = input._data.copy()
    if not include_self:
        extreme = src._data if reduce in EXTREMES else FIRST.get(reduce)
        result[places] = extreme
    UFUNCS.get(reduce, np.minimum).at(result, places, src._data)
    if reduce == "mean":
        counts = np.full(result.shape, int(include_self))
        np.add.at(counts, places, 1)
        result = result // np.maximum(counts, 1)
    return wrap(result.astype(input.dtype))


def recorded_products(input, src, places, include_self):
    """scatter_reduce() of products, in as many turns as elements of `src` go to one place.

    In each turn a place gets one factor, or none: so the gradients are right at zeros, too.
    """
    ones = wrap(np.ones_like(input._data))
    result = input if include_self else put(input, places, to_write(1, input))
    turns = turns_of(np.ravel_multi_index(places, input._data.shape, mode="wrap"))
    for turn in range(turns.max(initial=-1) + 1):
        chosen = turns == turn
        there = tuple([np.broadcast_to(axis, turns.shape)[chosen] for axis in places])
        result = result * put(ones, there, getitem(src, wrap(chosen)))
    return result


def turns_of(places):
    """How often the same place came before, for each of the places, an array of whole numbers.

    >>> turns_of(np.array([5, 2, 5, 5, 2])).tolist()
    [0, 0, 1, 2, 1]
    """
    flat = places.reshape(-1)
    order = np.argsort(flat, kind="stable")
    _, counts = np.unique(flat, return_counts=True)
    turns = np.empty(flat.size, np.int64)
    turns[order] = np.arange(flat.size) - np.repeat(np.cumsum(counts) - counts, counts)
    return turns.reshape(places.shape)


EXTREMES = {"amax": (np.maximum, -np.inf), "amin": (np.minimum, np.inf)}


def extreme_shares(input, counts, src, places, extreme):
    """1 where an element of `input`, and of `src`, is the extreme at its place, 0 elsewhere."""
    better, worst = extreme
    best = np.where(counts._data, input._data, worst)
    better.at(best, places, src._data)
    mine = (input._data == best) & (counts._data != 0)
    return wrap(mine).type_as(input), wrap(src._data == best[places]).type_as(src)
