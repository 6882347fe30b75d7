"""Counting and looking up: which values there are, how often, and where in an order."""

import math

import numpy as np

from tinytorch.node import Rule
from tinytorch.operation import recorded
from tinytorch.ops.dims import axis_of, reduction
from tinytorch.ops.elementwise import where
from tinytorch.ops.gathering import gather
from tinytorch.ops.ordering import argsort, equal_to, extreme_formula, return_type
from tinytorch.ops.reductions import sum
from tinytorch.tensor import array_of, check_tensors, method, wrap

Median = return_type("median")


@method("unique")
def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The different elements in order, or the different slices of dimension `dim`.

    With `return_inverse` also the place in it of each element, with `return_counts` how often
    each occurs.

    >>> unique(tinytorch.tensor([3, 1, 3]), return_counts=True)
    (tensor([1, 3]), tensor([1, 2]))
    """
    if dim is None:
        settings = dict(return_inverse=True, return_counts=True, equal_nan=False)
        values, inverse, counts = np.unique(input._data, **settings)
        inverse = inverse.reshape(input._data.shape)
    else:
        values, inverse, counts = different_slices(input._data, axis_of(dim, input.dim()))
    return with_more(values, inverse if return_inverse else None, counts if return_counts else None)


def with_more(values, *more):
    """A Tensor of the values, or a tuple of it and of those others that are not None."""
    found = [wrap(array) for array in (values, *more) if array is not None]
    return found[0] if len(found) == 1 else tuple(found)


def runs(rows):
    """Where rows (N, M) differ from the one before; in which run of equals each is; their lengths.

    >>> [found.tolist() for found in runs(np.array([[5], [5], [7]]))]
    [[True, False, True], [0, 0, 1], [2, 1]]
    """
    first = np.ones(len(rows), bool)
    first[1:] = (rows[1:] != rows[:-1]).any(1)
    lengths = np.diff(np.append(np.flatnonzero(first), len(rows)))
    return first, np.cumsum(first) - 1, lengths


def different_slices(x, axis):
    """The different slices in order, the place of each in it, and how often each occurs.

    NumPy's unique along an axis would put slices with NaN anywhere.
    """
    slices = np.moveaxis(x, axis, 0)
    if not x.size and len(slices):
        raise RuntimeError(f"unique needs slices with elements, got shape {x.shape}, dim {axis}")
    rows = slices.reshape(len(slices), math.prod(slices.shape[1:]))
    order = np.lexsort(rows.T[::-1])
    first, run, counts = runs(rows[order])
    inverse = np.empty(len(rows), np.int64)
    inverse[order] = run
    return np.moveaxis(slices[order][first], 0, axis), inverse, counts


@method("bincount")
def bincount(input, weights=None, minlength=0):
    """How often 0, 1, 2 and so on occur in a vector; or the sum of their `weights`.

    RuntimeError for anything but a vector of integers of at least 0.

    >>> bincount(tinytorch.tensor([0, 2, 2]))
    tensor([1, 0, 2])
    """
    x = input._data
    if x.ndim != 1 or x.dtype.kind not in "iu" or x.min(initial=0) < 0:
        raise RuntimeError("bincount needs a vector of integers of at least 0")
    if minlength < 0:
        raise RuntimeError(f"bincount needs a minlength of at least 0, got {minlength}")
    if weights is None:
        return wrap(np.bincount(x, minlength=minlength))
    if weights._data.shape != x.shape:
        raise RuntimeError(f"bincount needs a weight a number: {weights.shape} for {x.shape}")
    found = np.bincount(x, weights._data, minlength)
    return wrap(found.astype(weights.dtype if weights.dtype.kind == "f" else "float64"))


@reduction
def median(input, dim=None, keepdim=False):
    """The element in the middle of the order, of two the smaller; with `dim`, (values, indices).

    >>> tinytorch.tensor([4.0, 1.0, 3.0, 2.0]).median()
    tensor(2.)
    """
    if dim is None:
        return median_of_all(input)
    length = input.shape[dim] if input.dim() else 1
    if not length:
        raise IndexError(f"median of no elements: the shape is {tuple(input.shape)}")
    numbers = sum(input == input, dim, keepdim=True)
    # NaN is the median wherever there is one; the first comes after all numbers
    place = where(numbers < length, numbers, (length - 1) // 2)
    indices = gather(argsort(input, dim), dim, place)
    values = gather(input, dim, indices)
    if keepdim or not input.dim():
        return Median(values, indices)
    return Median(values.squeeze(dim), indices.squeeze(dim))


MEDIAN = Rule("MedianBackward0", (extreme_formula,))


def median_of_all(input):
    """One number, NaN where there is none; elements equal to it share its gradient."""
    if not input.numel():
        if not input.is_floating_point():
            raise RuntimeError(f"median of no integers: the shape is {tuple(input.shape)}")
        return wrap(np.array(np.nan, input.dtype))
    x = input._data
    y = median(input.detach().reshape(-1), 0).values._data
    axes = tuple(range(x.ndim))
    found, count = equal_to(y, x, axes, x)
    return recorded(y, MEDIAN, (input,), x.shape, axes, found, count.reshape(()))


def searchsorted(sorted_sequence, input, *, out_int32=False, right=False, side=None, sorter=None):
    """Where in `sorted_sequence` each number of `input` would stand; after equal ones, if `right`.

    Rows of numbers are looked up in the rows of a `sorted_sequence` with more dimensions, which
    `sorter`, as argsort() gives it, puts in order first.

    >>> searchsorted(tinytorch.tensor([1.0, 3.0, 5.0]), tinytorch.tensor([3.0, 6.0]))
    tensor([1, 3])
    """
    check_tensors("searchsorted", sorted_sequence=sorted_sequence)
    rows, x = sorted_sequence._data, array_of(input)
    if sorter is not None:
        rows = np.take_along_axis(rows, sorter._data, -1)
    side = side or ("right" if right else "left")
    found = searched(rows, x, side)
    return wrap(found.astype(np.int32) if out_int32 else found)


def searched(rows, x, side):
    if rows.ndim == 1:
        return np.asarray(np.searchsorted(rows, x, side))
    if rows.shape[:-1] != x.shape[:-1]:
        raise RuntimeError(f"searchsorted cannot look up rows {x.shape} in rows {rows.shape}")
    found = np.empty(x.shape, np.int64)
    for place in np.ndindex(*x.shape[:-1]):
        found[place] = np.searchsorted(rows[place], x[place], side)
    return found


def bucketize(input, boundaries, *, out_int32=False, right=False):
    """searchsorted() of `input` in the vector `boundaries`."""
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)


def isin(elements, test_elements, *, assume_unique=False, invert=False):
    """For each element, is it one of `test_elements`; with `invert`, is it none?"""
    return wrap(np.isin(array_of(elements), array_of(test_elements), invert=invert))
