"""The error function of arrays, which NumPy lacks."""

import math
from functools import cache

import numpy as np

STEPS = 128  # points of the table on a length of 1
END = 6  # from here on erf is 1 in double precision


@cache
def table():
    """erf and its slope at 0, 1/128, 2/128, ... 6, in double precision."""
    points = np.arange(END * STEPS + 1) / STEPS
    slopes = np.exp(-points * points) * (2 / math.sqrt(math.pi))
    return np.array([math.erf(x) for x in points]), slopes


def erf(x):
    """erf(x), exact to about 1e-15: five terms of the Taylor series at the next point of the table.

    >>> erf(np.array([0.0, 1.0]))
    array([0.        , 0.84270079])
    """
    values, slopes = table()
    size = np.minimum(np.abs(x), END)  # minimum hands NaN on
    index = np.nan_to_num(size * STEPS + 0.5).astype(np.intp)
    c = (index / STEPS).astype(x.dtype)
    h = size - c
    terms = c * (3 - 2 * c * c) / 6 + h * (((4 * c * c - 12) * c * c + 3) / 30)
    terms = 1 + h * (-c + h * ((2 * c * c - 1) / 3 + h * terms))
    near = values[index].astype(x.dtype) + slopes[index].astype(x.dtype) * h * terms
    return np.copysign(near, x).astype(x.dtype, copy=False)
