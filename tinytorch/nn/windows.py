"""Windows: all the places of an image that a kernel looks at, side by side.

Convolution and pooling are ordinary operations on windows. The way back is to add each window
to the place where it was cut out.
"""

from numpy import zeros
from numpy.lib.stride_tricks import as_strided

from tinytorch.nn.checks import lengths
from tinytorch.operation import linear_map
from tinytorch.ops.joining import pad


def pairs(**settings):
    """(height, width) for each setting, from one number or two; TypeError for other things.

    RuntimeError for more than two, or for less than 1; only `padding` may be 0.

    >>> pairs(stride=3, padding=(0, 1))
    [(3, 3), (0, 1)]
    """
    return [lengths(2, name, n, 0 if name == "padding" else 1) for name, n in settings.items()]


def framed(input, frame, value=0.0):
    """`input` with `value` around each image: `frame` says how much left, right, above, below."""
    return pad(input, frame, value=value) if any(frame) else input


def places(length, kernel, stride, dilation):
    """How many windows fit into `length`, where the next one begins `stride` further on.

    `span_within` says how much a window spans, and raises RuntimeError if none fits. A window that
    would stick out at the end does not count.

    >>> places(10, kernel=3, stride=2, dilation=1)
    4
    """
    span = span_within(length, kernel, dilation)
    return (length - span) // stride + 1


def span_within(length, kernel, dilation):
    """What a window spans: `kernel` numbers, `dilation` apart; RuntimeError if it is too long."""
    span = dilation * (kernel - 1) + 1
    if span > length:
        raise RuntimeError(f"a kernel that spans {span} does not fit into a length of {length}")
    return span


def windows_of(x, kernel, stride, dilation):
    """What each kernel element sees: (..., H, W) -> (..., kernel H, kernel W, out H, out W).

    Element [..., i, j, a, b] is what element (i, j) of the kernel sees in window (a, b): that is
    x[..., a * stride + i * dilation, b * stride + j * dilation], where the three settings are
    pairs (down, right). `places` says how many windows there are.

    Nothing is copied: an element that many windows share is in memory once, and what is written to
    a window is written to x. `as_strided(x, shape, steps)` looks at the memory of x with steps
    counted in bytes; x.strides are those of x, which may be anything.

    >>> windows_of(zeros((2, 5, 9)), (3, 3), (2, 1), (1, 1)).shape
    (2, 3, 3, 2, 7)
    """
    sizes = zip(x.shape[-2:], kernel, stride, dilation, strict=True)
    shape = (*x.shape[:-2], *kernel, *[places(*size) for size in sizes])
    down, right = x.strides[-2:]
    steps = (down * dilation[0], right * dilation[1], down * stride[0], right * stride[1])
    return as_strided(x, shape, (*x.strides[:-2], *steps))


def sum_of_windows(x, shape, kernel, stride, dilation):
    """The way back of windows_of(): each element of x added to its place in new zeros of `shape`.

    x (..., kernel H, kernel W, out H, out W) is laid out as windows_of() gives it; the result has
    its dtype. Windows overlap, and `+=` on all of them at once would add to a shared place only
    once: add them part by part, in few parts, however many windows there are.
    """
    whole = zeros(shape, x.dtype)
    seen = windows_of(whole, kernel, stride, dilation)
    for place, part in zip(seen_by_each(seen), seen_by_each(x), strict=True):
        place += part  # one kernel element at a time: its places do not overlap
    return whole


def windows_formula(grad, shape, *sizes):
    return add_windows(grad, shape, *sizes)


def add_windows_formula(grad, _, shape, *sizes):
    return windows(grad, *sizes)


windows = linear_map("Windows", windows_formula)(windows_of)
add_windows = linear_map("AddWindows", add_windows_formula)(sum_of_windows)


def seen_by_each(seen):
    """What each single kernel element sees: arrays (..., out H, out W), row by row."""
    height, width = seen.shape[-4:-2]
    return [seen[..., i, j, :, :] for i in range(height) for j in range(width)]
