"""Line search: how far to go in a direction, so that the function falls and its slope flattens."""

import math
from collections import namedtuple

Point = namedtuple("Point", "t value slope grad")  # at x + t * direction; slope = grad @ direction


def lowest_of_cubic(a, b):
    """Where the cubic through the values and slopes of two points has its minimum, or the middle.

    >>> lowest_of_cubic(Point(0.0, 1.0, -2.0, None), Point(3.0, 4.0, 4.0, None))  # of (t - 1)^2
    1.0
    """
    bend = a.slope + b.slope - 3 * (a.value - b.value) / (a.t - b.t)
    under_root = bend * bend - a.slope * b.slope
    if not under_root >= 0:  # NaN too
        return (a.t + b.t) / 2
    root = math.copysign(math.sqrt(under_root), b.t - a.t)
    below = b.slope - a.slope + 2 * root
    return b.t - (b.t - a.t) * (b.slope + root - bend) / below if below else (a.t + b.t) / 2


def strong_wolfe(evaluate, start, t, falls=1e-4, flattens=0.9, most=25):
    """A point where the value fell by enough, and the slope is at most the part `flattens`.

    `evaluate(t)` gives the Point at t, `start` is the one at 0, and the search begins with `t`. No
    more than `most` points are tried. J. Nocedal and S. Wright, Numerical Optimization, chapter 3.
    """

    low, high = start, None
    for _ in range(most):
        point = evaluate(t)
        enough = point.value <= start.value + falls * point.t * start.slope
        if not enough or (low is not start and point.value >= low.value):
            high = point
        elif abs(point.slope) <= -flattens * start.slope:
            return point
        elif high is None:
            low, high = point, low if point.slope >= 0 else None
        else:
            low, high = point, low if point.slope * (high.t - low.t) >= 0 else high
        t = next_try(low, high)
    return low


def next_try(low, high):
    """Between two points, not too near to either; farther on where there is only one."""
    if high is None:
        return low.t * 4
    margin = abs(high.t - low.t) / 10
    ends = sorted([low.t, high.t])
    return min(max(lowest_of_cubic(low, high), ends[0] + margin), ends[1] - margin)
