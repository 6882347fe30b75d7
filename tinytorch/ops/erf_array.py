"""The error function of arrays, which NumPy lacks."""

import math
from functools import cache, wraps

import numpy as np

STEPS = 128  # points of the table on a length of 1
END = 6  # from here on erf is 1 in double precision


@cache
def table(dtype):
    """The points 0, 1/128, 2/128, ... 6, erf there, and its slope."""
    points = np.arange(END * STEPS + 1) / STEPS
    values = np.array([math.erf(x) for x in points])
    slopes = np.exp(-points * points) * (2 / math.sqrt(math.pi))
    return points.astype(dtype), values.astype(dtype), slopes.astype(dtype)


PIECE = 2**14  # numbers: all that is computed on the way stays in the cache


def in_pieces(function):
    """Decorator for a function of each element: it gets large arrays a piece at a time."""

    @wraps(function)
    def of_pieces(x, *others):
        if x.size <= PIECE:
            return function(x, *others)
        rows = [np.ascontiguousarray(array).reshape(-1) for array in (x, *others)]
        y = np.empty(x.size, x.dtype)
        for start in range(0, x.size, PIECE):
            piece = slice(start, start + PIECE)
            y[piece] = function(*[row[piece] for row in rows])
        return y.reshape(x.shape)

    return of_pieces


def erf_array(x):
    """erf(x), exact to about 1e-15 in float64, and to the last digit but one in float32.

    >>> erf_array(np.array([0.0, 1.0]))
    array([0.        , 0.84270079])
    """
    return erf_double(x) if x.dtype == np.float64 else erf_single(x)


@in_pieces
def erf_double(x):
    """Five terms of the Taylor series at the next point of the table."""
    size = np.minimum(np.abs(x), END)  # minimum hands NaN on
    index = (size * STEPS + 0.5).astype(np.intp)
    c, value, slope = [each.take(index, mode="clip") for each in table(x.dtype)]  # NaN at any point
    h, square = size - c, c * c
    terms = c * (1 / 2 - square / 3) + h * (square * (square * (2 / 15) - 2 / 5) + 1 / 10)
    terms = 1 + h * (-c + h * (square * (2 / 3) - 1 / 3 + h * terms))
    return np.copysign(value + slope * h * terms, x)


# erf(x) is tanh(x * f(x * x)), where f is smooth; a fit of f on [0, 16]: past 4, erf is 1
FIT = (1.4185729924e-07, -5.6685595612e-06, 8.7637806297e-05, -6.1978582355e-04)
FIT += (-1.9182959622e-04, 1.0276905533e-01, 1.1283792743)


@in_pieces
def erf_single(x):
    x = np.clip(x, -4.5, 4.5)
    square = x * x
    factor = np.full_like(x, FIT[0])
    for term in FIT[1:]:
        factor *= square
        factor += term
    return np.tanh(x * factor)
