"""Rarer ways to make tensors, slopes of sampled functions, histograms, norms that are held."""

import math
from typing import Any

import numpy as np

from tinytorch import dtypes
from tinytorch.ops.conversion import as_floats
from tinytorch.ops.creation import finished, numbers_of, tensor
from tinytorch.ops.dims import axes_of, axis_of
from tinytorch.ops.distances import norm
from tinytorch.ops.elementwise import where
from tinytorch.ops.joining import cat
from tinytorch.ops.ordering import return_type
from tinytorch.tensor import Tensor, array_of, method, wrap

Histogram = return_type("histogram", "hist bin_edges")


def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=None):
    """A tensor of data of any kind, that shares memory with it where it can, unless `copy`.

    A tensor keeps its history, unless `requires_grad` is False.
    """
    if isinstance(obj, Tensor):
        found = obj.to(dtype or obj.dtype, copy=bool(copy))
        found = found.detach() if requires_grad is False else found
        return found.requires_grad_() if requires_grad else found
    array = array_of(obj, dtype)
    return finished(array.copy() if copy else array, None, device, bool(requires_grad))


def frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False):
    """A vector over the memory of a buffer, such as bytes; `offset` is in bytes, -1 takes all.

    ValueError for a buffer that is too short, or no whole number of elements.

    >>> frombuffer(bytearray([1, 2, 3]), dtype=tinytorch.uint8, offset=1)
    tensor([2, 3], dtype=tinytorch.uint8)
    """
    array = np.frombuffer(buffer, dtypes.dtype_of(dtype), count, offset)
    return finished(array, None, None, requires_grad)


def scalar_tensor(s, *, dtype=None, device=None, requires_grad=False):
    """A tensor of no dimensions; a float by default."""
    dtype = dtype or dtypes.USUAL["f"]
    return tensor(s, dtype=dtype, device=device, requires_grad=requires_grad)


def range(start=0, end=None, step=1, *, dtype=None, device=None, requires_grad=False):
    """The numbers from `start` up to and including `end`; arange() leaves it out."""
    start, end = numbers_of(*((0, start) if end is None else (start, end)))
    if step == 0 or (end - start) / step < 0:
        raise RuntimeError(f"range: there is no way from {start} to {end} in steps of {step}")
    count = math.floor((end - start) / step) + 1
    numbers = start + step * np.arange(count)
    return finished(numbers, dtype or dtypes.USUAL["f"], device, requires_grad)


# --- slopes of sampled functions ---


def gradient(input, *, spacing=None, dim=None, edge_order=1) -> "tuple[Tensor, ...]":
    """The slope along each of the dimensions `dim`, from the neighbours of each sample.

    `spacing` is one distance, one for each dimension, or a vector of places for each. At the ends
    there are two points, or with `edge_order` 2 three.

    >>> gradient(tinytorch.tensor([1.0, 2.0, 4.0]))
    (tensor([1.0000, 1.5000, 2.0000]),)
    """
    axes = axes_of(dim, input.dim())
    several = isinstance(spacing, (list, tuple))
    if several and len(spacing) != len(axes):
        raise RuntimeError(f"gradient() got {len(spacing)} spacings for {len(axes)} dimensions")
    spacing = 1 if spacing is None else spacing
    given = spacing if several else [spacing] * len(axes)
    return tuple([slopes(input, s, a, edge_order) for s, a in zip(given, axes, strict=True)])


def slopes(x, spacing, axis, edge_order):
    """gradient() along one axis."""
    n, count = x.shape[axis], edge_order + 1
    if edge_order not in (1, 2) or n < count:
        raise RuntimeError(f"gradient() with edge_order {edge_order} got {n} elements")
    rows = as_floats(x).movedim(axis, 0)
    spacing = array_of(spacing).astype(float)
    places = spacing if spacing.ndim else spacing * np.arange(count)
    first = edge_slope(rows[:count], places[:count])
    last = edge_slope(rows[-count:].flip(0), places[-count:][::-1])
    if spacing.ndim == 0:
        inner = (rows[2:] - rows[:-2]) / (2 * spacing.item())
    else:
        gaps = wrap(np.diff(places).astype(rows.dtype)).reshape(-1, *[1] * (rows.dim() - 1))
        between = (rows[1:] - rows[:-1]) / gaps  # each counts by how near its samples are
        inner = between[:-1] * gaps[1:] + between[1:] * gaps[:-1]
        inner = inner / (gaps[1:] + gaps[:-1])
    return cat([first, inner, last]).to(rows.dtype).movedim(0, axis)


def edge_slope(rows, places):
    """The slope at the first of two or three places, of the line or parabola through all of them,
    with length 1 in front."""
    powers = np.vander(places - places[0], increasing=True).T
    weights = np.linalg.solve(powers, np.eye(len(places))[1])
    return sum(weight * row for weight, row in zip(weights.tolist(), rows, strict=True))[None]


# --- counts and norms ---


@method("histogram")
def histogram(input, bins, *, range=None, weight=None, density=False) -> Any:
    """(hist, bin_edges): how many elements lie between neighbouring edges, the last included.

    `bins` is a number of equal parts of `range`, or the edges.
    """
    edges = bins._data if isinstance(bins, Tensor) else bins
    weights = None if weight is None else weight._data.reshape(-1)
    counts, edges = np.histogram(
        input._data.reshape(-1), edges, range, weights=weights, density=density
    )
    return Histogram(wrap(counts.astype(input.dtype)), wrap(edges.astype(input.dtype)))


@method("renorm")
def renorm(input, p, dim, maxnorm):
    """The slices along `dim`, those whose p-norm is above `maxnorm` made shorter to it."""
    axis = axis_of(dim, input.dim())
    others = [d for d in np.arange(input.dim()).tolist() if d != axis]
    size = norm(input, p, others, keepdim=True)
    return input * where(size > maxnorm, maxnorm / (size + 1e-7), 1.0)


@method("index_reduce")
def index_reduce(input, dim, index, source, reduce, *, include_self=True):
    """scatter_reduce() of the slices of `source`, to the places along `dim` that `index` names.

    `reduce` is "prod", "mean", "amax" or "amin".
    """
    axis = axis_of(dim, input.dim())
    shape = [-1 if d == axis else 1 for d in np.arange(max(input.dim(), 1)).tolist()]
    places = index.reshape(shape).expand(source.shape or (1,))
    return input.scatter_reduce(dim, places, source, reduce, include_self=include_self)
