"""Special functions of arrays that NumPy lacks: the gamma function's logarithm, erf backwards."""

import math

import numpy as np

from tinytorch.ops.erf_array import erf_double

BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730)  # with even numbers: 2, 4, ...
FAR = 10  # from here on, the series below are exact


def in_double(function):
    """The function of float64, for every dtype: what is large is taken from what is large."""

    def of_any(x, *settings):
        return np.asarray(function(x.astype(np.float64), *settings)).astype(x.dtype)

    return of_any


def moved(x):
    """x in whole steps moved to FAR or more, and along a new last dimension all it passed."""
    lowest = np.fmin.reduce(x, None, initial=FAR)
    steps = math.ceil(min(FAR - lowest, 1000)) if lowest == lowest else 0
    return x + steps, x[..., None] + np.arange(steps)


@in_double
def lgamma_array(x):
    """log(|gamma(x)|), by Stirling's series, and below 0.5 by its mirror image."""
    z, passed = moved(np.where(x < 0.5, 1 - x, x))
    series = sum(b / (2 * k * (2 * k - 1) * z ** (2 * k - 1)) for k, b in enumerate(BERNOULLI, 1))
    y = (z - 0.5) * np.log(z) - z + math.log(2 * math.pi) / 2 + series
    y = y - np.log(np.abs(passed)).sum(-1)
    mirrored = np.log(np.pi / np.abs(np.sin(np.pi * (x - np.round(x))))) - y
    y = np.where((x == 1) | (x == 2), 0, np.where(x < 0.5, mirrored, y))  # gamma is 1 there
    return np.where(np.isinf(x), np.inf, y)


@in_double
def digamma_array(x):
    """The slope of lgamma_array()."""
    z, passed = moved(np.where(x < 0.5, 1 - x, x))
    series = sum(b / (2 * k * z ** (2 * k)) for k, b in enumerate(BERNOULLI, 1))
    y = np.log(z) - 0.5 / z - series - (1 / passed).sum(-1)
    y = np.where(x < 0.5, y - np.pi / np.tan(np.pi * (x - np.round(x))), y)
    return np.where(x == 0, -np.copysign(np.inf, x), np.where((x < 0) & (x % 1 == 0), np.nan, y))


@in_double
def polygamma_array(x, n):
    """The n-th slope of digamma_array(), n from 1 on: a sum over all x + k, its end as a series."""
    z, passed = moved(x)
    s = n + 1
    rise = [math.prod(range(s, s + 2 * k - 1)) / math.factorial(2 * k) for k in range(1, 7)]
    series = sum(
        b * r / z ** (s + 2 * k - 1)
        for k, (b, r) in enumerate(zip(BERNOULLI, rise, strict=True), 1)
    )
    total = (passed**-s).sum(-1) + z ** (1 - s) / (s - 1) + 0.5 / z**s + series
    return (-1) ** s * math.factorial(n) * total


@in_double
def erfc_array(x):
    """1 - erf(x), number by number: what is left beside 1 counts."""
    return np.array([math.erfc(number) for number in x.ravel().tolist()]).reshape(x.shape)


@in_double
def erfinv_array(x):
    """The y with erf(y) = x: a guess, then three steps of Halley; infinite at -1 and 1."""
    size = np.abs(x)
    tail = np.log1p(-(np.minimum(size, 1 - 2.0**-53) ** 2))
    middle = 2 / (math.pi * 0.147) + tail / 2
    y = np.sqrt(np.sqrt(middle * middle - tail / 0.147) - middle)
    for _ in range(3):
        step = (erf_double(y) - size) * np.exp(y * y) * math.sqrt(math.pi) / 2
        y = y - step / (1 + y * step)
    y = np.where(size < 1, y, np.where(size == 1, np.inf, np.nan))
    return np.copysign(y, x)
