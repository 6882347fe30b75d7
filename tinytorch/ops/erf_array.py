"""The error function of arrays, which NumPy lacks."""

import math
from functools import cache

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


def erf_array(x):
    """erf(x), exact to about 1e-15: five terms of the Taylor series at the next point of the table.

    >>> erf_array(np.array([0.0, 1.0]))
    array([0.        , 0.84270079])
    """
    size = np.minimum(np.abs(x), END)  # minimum hands NaN on
    index = (size * STEPS + 0.5).astype(np.intp)
    c, value, slope = [each.take(index, mode="clip") for each in table(x.dtype)]  # NaN at any point
    h, square = size - c, c * c
    terms = c * (1 / 2 - square / 3) + h * (square * (square * (2 / 15) - 2 / 5) + 1 / 10)
    terms = 1 + h * (-c + h * (square * (2 / 3) - 1 / 3 + h * terms))
    return np.copysign(value + slope * h * terms, x)
