"""Line search: how far to go in a direction, so that the function falls and its slope flattens."""

import math
from collections import namedtuple

Point = namedtuple("Point", "t value slope grad")  # at x + t * direction; slope = grad @ direction


def lowest_of_cubic(a, b):
    """Where the cubic through the values and slopes of two points has its minimum; None without.

    >>> lowest_of_cubic(Point(0.0, 1.0, -2.0, None), Point(3.0, 4.0, 4.0, None))  # of (t - 1)^2
    1.0
    """
    width = b.t - a.t
    if not width:
        return None
    bend = a.slope + b.slope - 3 * (b.value - a.value) / width
    under_root = bend * bend - a.slope * b.slope
    if not under_root >= 0:  # NaN too
        return None
    root = math.copysign(math.sqrt(under_root), width)
    below = b.slope - a.slope + 2 * root
    lowest = b.t - width * (b.slope + root - bend) / below if below else math.nan
    return lowest if math.isfinite(lowest) else None


def strong_wolfe(evaluate, start, t, falls=1e-4, flattens=0.9, most=25, narrow=0.0, blur=0.0):
    """A point where the value fell by enough, and the slope is at most the part `flattens`.

    `evaluate(t)` gives the Point at t, `start` is the one at 0, and the search begins with `t`. No
    more than `most` points are tried; it ends early with the lowest one between two that are no
    farther apart than `narrow`. Rounding may raise a value by as much as `blur`: so little counts
    for nothing, else a search near the minimum asks for a fall that cannot be seen.
    J. Nocedal and S. Wright, Numerical Optimization, 2nd edition, algorithms 3.5 and 3.6.
    """
    low, high = start, None
    for _ in range(most):
        point = evaluate(t)
        enough = point.value <= start.value + blur + falls * point.t * start.slope
        if not enough or (low is not start and point.value >= low.value):
            high = point
        elif abs(point.slope) <= -flattens * start.slope:
            return point
        elif high is None and not point.slope >= 0:
            t = beyond(low, point)
            low = point
            continue
        elif high is None or point.slope * (high.t - low.t) >= 0:
            low, high = point, low
        else:
            low = point
        if abs(high.t - low.t) <= narrow:
            break
        t = between(low, high)
    return low


def between(low, high):
    """The next try between two points, not too near to either."""
    lowest = lowest_of_cubic(low, high)
    margin = abs(high.t - low.t) / 10
    ends = sorted([low.t, high.t])
    if lowest is None:
        return (low.t + high.t) / 2
    return min(max(lowest, ends[0] + margin), ends[1] - margin)


def beyond(before, point):
    """The next try behind a point where it still goes down: at most ten times as far."""
    lowest = lowest_of_cubic(before, point)
    if lowest is None or lowest <= point.t:
        return point.t * 10
    nearest = point.t + (point.t - before.t) / 10
    return min(max(lowest, nearest), point.t * 10)
