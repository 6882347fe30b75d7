"""Statistics of tensors: quantiles, the most frequent element, covariances, running extremes."""

import math
from typing import Any

import numpy as np

from tinytorch.ops.combining import nan_to_num
from tinytorch.ops.comparison import isnan
from tinytorch.ops.conversion import as_floats
from tinytorch.ops.counting import median, runs, with_more
from tinytorch.ops.dims import axis_and_length, axis_of, numbers_too, reduction
from tinytorch.ops.distances import norm
from tinytorch.ops.elementwise import clamp_min, exp, lerp, log, where
from tinytorch.ops.gathering import gather
from tinytorch.ops.ordering import amax, amin, argsort, return_type, sort
from tinytorch.ops.reductions import cumsum, mean
from tinytorch.ops.shapes import expand, movedim
from tinytorch.tensor import Tensor, array_of, method, wrap

NanMedian = return_type("nanmedian")
KthValue, Mode, CumMax, CumMin = map(return_type, ("kthvalue", "mode", "cummax", "cummin"))
AMinMax = return_type("aminmax", "min max")


# --- places in the order ---


def quantile_of_sorted(input, q, count, interpolation):
    """Quantiles along the last dimension of what is in order, and has `count` numbers to use."""
    place = q * (count - 1)
    low, high = place.floor(), place.ceil()
    if interpolation == "nearest":
        low = high = place.round()
    elif interpolation == "midpoint":
        place = low + (low != high) * 0.5
    elif interpolation in ("lower", "higher"):
        low = high = low if interpolation == "lower" else high
    elif interpolation != "linear":
        raise RuntimeError(f"interpolation is 'linear', 'lower' or the like, got {interpolation!r}")
    below, above = [gather(input, -1, where_to.long()) for where_to in (low, high)]
    return below if low is high else lerp(below, above, place - low)


@reduction
def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """The number below which the share `q` of all elements along `dim` lies, by lines between them.

    A vector of shares gives a first dimension to the result. NaN where an element is.

    >>> tinytorch.tensor([1.0, 2.0, 3.0]).quantile(0.75)
    tensor(2.5000)
    """
    return quantiles("quantile", input, q, dim, keepdim, interpolation, all_count=True)


@reduction
def nanquantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """quantile() of what is a number: NaN does not count."""
    return quantiles("nanquantile", input, q, dim, keepdim, interpolation, all_count=False)


def quantiles(name, input, q, dim, keepdim, interpolation, all_count):
    """Quantiles of all elements, or of those that are numbers; NaN is the largest of all."""
    q = q if isinstance(q, Tensor) else wrap(array_of(q, input.dtype))
    check_shares(name, input, q)
    axis = -1 if dim is None else axis_of(dim, input.dim())
    rows = input.reshape(-1) if dim is None else movedim(input, axis, -1)
    numbers = ~isnan(rows)
    shares = expand(q.reshape(-1), (*rows.shape[:-1], q.numel()))
    if all_count:  # where one is NaN, so is the last, and every quantile
        shares = where(numbers.all(-1, keepdim=True), shares, 1.0)
    length = rows.shape[-1] if rows.dim() else 1
    count = length if all_count else numbers.sum(-1, keepdim=True).clamp(min=1)  # 1: it's NaN
    found = movedim(quantile_of_sorted(sort(rows).values, shares, count, interpolation), -1, 0)
    if keepdim and input.dim():
        ones = [1] * input.dim()
        found = found.reshape(-1, *ones) if dim is None else found.unsqueeze(axis + 1)
    return found if q.dim() else found[0]


def check_shares(name, input, q):
    """RuntimeError unless `q` is a share, or a vector of shares, of floats in its own dtype."""
    if not input.is_floating_point() or q.dtype != input.dtype:
        kinds = f"input is {input.dtype}, q {q.dtype}"
        raise RuntimeError(f"{name}() needs floats, and shares of the same dtype; {kinds}")
    if not input.numel():
        raise RuntimeError(f"{name}() needs a number, got shape {tuple(input.shape)}")
    if q.dim() > 1 or not ((q >= 0) & (q <= 1)).all():
        raise RuntimeError(f"{name}() needs shares between 0 and 1, got {q.tolist()!s:.60}")


@reduction
@numbers_too
def kthvalue(input, k, dim=-1, keepdim=False) -> Any:
    """(values, indices) of the `k`-th smallest element along `dim`."""
    _, length = axis_and_length(input, dim)
    if not 1 <= k <= length:
        raise RuntimeError(f"kthvalue: k is {k}, but dimension {dim} has {length} elements")
    return pair_at(input, argsort(input, dim).narrow(dim, k - 1, 1), dim, keepdim, KthValue)


@reduction
@numbers_too
def mode(input, dim=-1, keepdim=False) -> Any:
    """(values, indices) of the most frequent element along `dim`, of equally frequent the least."""
    order = argsort(input, dim)
    rows = movedim(gather(input, dim, order), dim, -1)._data
    places, starts = np.arange(rows.shape[-1]), np.zeros(rows.shape, np.int64)
    starts[..., 1:] = np.where(rows[..., 1:] == rows[..., :-1], 0, places[1:])
    in_run = places - np.maximum.accumulate(starts, -1)  # how many equal ones stand before
    last = wrap(in_run.argmax(-1, keepdims=True))
    return pair_at(input, gather(order, dim, movedim(last, -1, dim)), dim, keepdim, Mode)


def pair_at(input, indices, dim, keepdim, pair):
    """A pair: the elements at `indices` along `dim`, and these themselves."""
    values = gather(input, dim, indices)
    return pair(values, indices) if keepdim else pair(values.squeeze(dim), indices.squeeze(dim))


@method("msort")
def msort(input):
    """The elements in order along the first dimension."""
    return sort(input, 0).values


@reduction
def nanmedian(input, dim=None, keepdim=False):
    """median() of what is a number; with `dim`, (values, indices)."""
    if dim is None:
        numbers = input[~isnan(input)]
        return median(numbers if numbers.numel() else input)
    order = argsort(input, dim)
    count = (~isnan(input)).sum(dim, keepdim=True)
    place = where(count > 0, count - 1, 0) // 2
    return pair_at(input, gather(order, dim, place), dim, keepdim or not input.dim(), NanMedian)


@method("aminmax")
def aminmax(input, *, dim=None, keepdim=False) -> Any:
    """(min, max) along `dim`, of all elements by default."""
    return AMinMax(amin(input, dim, keepdim), amax(input, dim, keepdim))


# --- running ---


def running(name, better, pair):
    """cummax() or cummin()."""

    @numbers_too
    def operation(input, dim) -> Any:
        x, axis = input._data, axis_of(dim, input.dim())
        best = better.accumulate(x, axis)
        place = np.arange(x.shape[axis]).reshape([-1 if i == axis else 1 for i in range(x.ndim)])
        found = np.maximum.accumulate(np.where((x == best) | (x != x), place, 0), axis)
        return pair(gather(input, dim, wrap(found)), wrap(found))

    doc = f"(values, indices) of the {name[3:]}imum of all elements up to each place along `dim`."
    return method(name, doc=doc)(operation)


cummax, cummin = running("cummax", np.maximum, CumMax), running("cummin", np.minimum, CumMin)


@reduction
def logcumsumexp(input, dim):
    """log(cumsum(exp(input))); the largest element is taken out, so that nothing overflows."""
    if not input.numel():
        return input.cumsum(dim)
    top = nan_to_num(amax(input.detach(), dim, keepdim=True))
    return log(cumsum(exp(input - top), dim)) + top


# --- counts ---


@method("histc")
def histc(input, bins=100, min=0, max=0):
    """How many elements lie in each of `bins` equal parts of [min, max], by default of them all."""
    if bins < 1:
        raise RuntimeError(f"histc needs at least one bin, got {bins}")
    if min == max and input.numel():
        min, max = input.min().item(), input.max().item()
    counts, _ = np.histogram(input._data, bins, (min, max))
    return wrap(counts.astype(input.dtype))


@method("unique_consecutive")
def unique_consecutive(
    input, return_inverse=False, return_counts=False, dim=None
) -> "Tensor | Any":
    """The elements without those equal to the one before them; as in unique(), more if asked.

    With `dim`, the slices along that dimension.
    """
    axis = 0 if dim is None else axis_of(dim, input.dim())
    x = input._data.reshape(-1) if dim is None else np.moveaxis(input._data, axis, 0)
    first, run, counts = runs(x.reshape(len(x), math.prod(x.shape[1:])))
    inverse = run.reshape(input.shape) if dim is None else run
    values = np.moveaxis(x[first], 0, axis)
    return with_more(values, inverse if return_inverse else None, counts if return_counts else None)


# --- together ---


@method("cov")
def cov(input, *, correction=1, fweights=None, aweights=None):
    """The covariances of variables, whose observations are the rows of a matrix.

    `fweights` says how often each column was observed, `aweights` how much it counts.

    >>> tinytorch.tensor([[1.0, 2.0], [2.0, 1.0]]).cov()
    tensor([[ 0.5000, -0.5000],
            [-0.5000,  0.5000]])
    """
    rows = input.reshape(1, -1) if input.dim() < 2 else input
    rows = as_floats(rows)
    given = [weights for weights in (fweights, aweights) if weights is not None]
    check_weights(rows, fweights, given)
    if not given:
        away = rows - mean(rows, 1, keepdim=True)
        found = away @ away.T / max(rows.shape[1] - correction, 0)
        return found if len(rows) > 1 else found.squeeze()
    weights = math.prod(given).to(rows.dtype)
    total, of_each = weights.sum(), 1.0 if aweights is None else aweights
    away = rows - (rows * weights).sum(1, keepdim=True) / total
    freedom = total - correction * (weights * of_each).sum() / total
    found = (away * weights) @ away.T / clamp_min(freedom, 0)
    return found if len(rows) > 1 else found.squeeze()


def check_weights(rows, fweights, given):
    """RuntimeError unless each column has its weight, of at least 0, whole ones for counts."""
    if rows.dim() > 2:
        raise RuntimeError(f"cov() needs a matrix or a vector, got shape {tuple(rows.shape)}")
    for weights in given:
        if weights.shape != rows.shape[1:] or (weights._data < 0).any():
            shape = tuple(weights.shape)
            raise RuntimeError(
                f"cov() needs {rows.shape[1]} weights of at least 0, got shape {shape}"
            )
    if fweights is not None and fweights.is_floating_point():
        raise RuntimeError(f"cov() needs fweights that are integers, got {fweights.dtype}")


@method("corrcoef")
def corrcoef(input):
    """cov() in proportion to the standard deviations: from -1 to 1."""
    found = cov(input)
    if not found.dim():
        return found / found
    deviations = found.diagonal().sqrt()
    return (found / deviations[:, None] / deviations).clamp(-1, 1)


@method("dist")
def dist(input, other, p=2):
    """The p-norm of the difference."""
    return norm(input - other, p)
