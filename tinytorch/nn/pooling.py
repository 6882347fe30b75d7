"""Pooling: an image made smaller, each window becoming one number."""

from functools import reduce
from inspect import Signature

import numpy as np

from tinytorch.nn.checks import check_dtypes
from tinytorch.nn.function_module import FunctionModule
from tinytorch.nn.windows import framed, pairs, seen_by_each, windows
from tinytorch.node import Rule
from tinytorch.operation import recorded
from tinytorch.ops.creation import new_shape
from tinytorch.ops.linalg import matmul
from tinytorch.tensor import check_tensors, wrap


def check_images(input, integers=False):
    check_tensors("pooling", input=input)
    if input.dim() not in (3, 4):
        raise RuntimeError(
            f"pooling needs (N, C, H, W) or (C, H, W), got shape {tuple(input.shape)}"
        )
    if not (integers and input._data.dtype.kind in "iu"):
        check_dtypes("pooling", input)


def pool_sizes(kernel_size, stride, padding, dilation=1):
    """All four as pairs; the stride is the kernel's size by default."""
    stride = kernel_size if stride is None else stride
    return pairs(kernel_size=kernel_size, stride=stride, padding=padding, dilation=dilation)


def pool_windows(input, kernel, stride, padding, dilation, ceil_mode, value=0.0):
    """The windows of `input` in a frame of `value`."""
    sides = zip(input.shape[-2:], kernel, stride, padding, dilation, strict=True)
    above, beside = [before_and_behind(*side, ceil_mode) for side in sides]
    return windows(framed(input, (*beside, *above), value), kernel, stride, dilation)


def before_and_behind(length, kernel, stride, padding, dilation, ceil_mode):
    """How much stands before and behind `length` numbers.

    With `ceil_mode`, numbers that would be left over behind get a window that is not full, if it
    begins before the padding behind.

    >>> before_and_behind(5, 2, 2, 0, 1, ceil_mode=True)
    (0, 1)
    """
    span = dilation * (kernel - 1) + 1
    if 2 * padding > kernel:
        raise RuntimeError(f"padding {padding} must be at most half of the kernel {kernel}")
    start = length + 2 * padding - span  # of a window that ends where all ends
    missing = -start % stride
    fill = ceil_mode and start + missing < length + padding
    return padding, padding + missing if fill else padding


def least(dtype):
    """What no number of the dtype is below."""
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def max_pool2d(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    """The largest number of each window: (N, C, H, W) -> (N, C, out H, out W).

    `stride` is the kernel's size by default. A frame of `padding` never wins. `ceil_mode` adds
    windows for what is left over at the right and below. Of equal numbers the first gets the
    gradient. With `return_indices` a pair: also where each was found, counted row by row.
    RuntimeError if no window fits.

    >>> max_pool2d(tinytorch.tensor([[[1.0, 5.0, 2.0, 3.0]]]), (1, 2))
    tensor([[[5., 3.]]])
    """
    check_images(input, integers=True)
    sizes = pool_sizes(kernel_size, stride, padding, dilation)
    seen = pool_windows(input, *sizes, ceil_mode, value=least(input._data.dtype))
    start, *others = seen_by_each(seen._data)
    largest = reduce(np.maximum, others, start.copy())
    first = winners(seen._data, largest) if seen.requires_grad or return_indices else None
    result = recorded(largest, MAX_POOL, (seen,), first)
    if not return_indices:
        return result
    height, width = input.shape[-2:]
    numbered = wrap(np.arange(float(height * width)).reshape(1, height, width))
    places = pool_windows(numbered, *sizes, ceil_mode)._data * first
    return result, wrap(places.sum((-4, -3)).astype(np.int64))


def winners(seen, largest):
    """first_equal(), but where NaN won, which is equal to nothing, the first NaN."""
    found, nan = first_equal(seen, largest), np.isnan(largest)
    if nan.any():
        found |= first_equal(np.isnan(seen), nan) & nan[..., None, None, :, :]
    return found


def first_equal(seen, values):
    """Where in each window its value in `values` stands first: booleans, one True for each window.

    (..., h, w, out H, out W) and (..., out H, out W) -> (..., h, w, out H, out W). Go through the
    h * w kernel elements, not through the windows: `seen_by_each` gives what each element sees, in
    the order that decides which is first. A window in which nothing is equal has no True: NaN is
    equal to nothing. Windows may be of any size, and the axes before theirs may have length 0.
    """
    found = np.empty(seen.shape, bool)
    missing = np.ones(values.shape, bool)
    for view, here in zip(seen_by_each(seen), seen_by_each(found), strict=True):
        np.logical_and(view == values, missing, out=here)
        missing &= ~here
    return found


def max_pool_formula(grad, first):
    """The gradient of the windows: that of the largest goes to the place where it was found.

    `grad` (..., out H, out W) and `first`, the array of first_equal() -> (..., h, w, out H, out W).
    `grad` is an array, or a Tensor in a pass that is recorded: use what both can do, such as
    indexing (with None and ... too) and * with an array, even of booleans. The result has its
    dtype.
    """
    return grad[..., None, None, :, :] * first


MAX_POOL = Rule("MaxPool2DBackward0", (max_pool_formula,))


def avg_pool2d(
    input,
    kernel_size,
    stride=None,
    padding=0,
    ceil_mode=False,
    count_include_pad=True,
    divisor_override=None,
):
    """The mean of each window; the zeros of the frame count too, unless `count_include_pad=False`.

    With `divisor_override` the sum of each window, divided by that.

    >>> avg_pool2d(tinytorch.tensor([[[1.0, 5.0, 2.0, 3.0]]]), (1, 2))
    tensor([[[3.0000, 2.5000]]])
    """
    check_images(input)
    sizes = pool_sizes(kernel_size, stride, padding)
    total = pool_windows(input, *sizes, ceil_mode).sum((-4, -3))
    if divisor_override is not None:
        return divided(total, divisor_override)
    sides = zip(input.shape[-2:], total.shape[-2:], *sizes[:3], strict=True)
    down, across = [counted(*side, count_include_pad) for side in sides]
    return total / wrap((down[:, None] * across).astype(input.dtype))


def divided(total, divisor):
    if divisor == 0:
        raise RuntimeError("divisor_override must not be 0")
    return total / divisor


def counted(length, windows, kernel, stride, padding, count_include_pad):
    """How many numbers each of the `windows` sees, of `length` and perhaps of the padding.

    >>> counted(3, 2, kernel=2, stride=2, padding=0, count_include_pad=True)  # the last half full
    array([2, 1])
    """
    starts = np.arange(windows) * stride - padding
    low, high = (-padding, length + padding) if count_include_pad else (0, length)
    return np.minimum(starts + kernel, high) - np.maximum(starts, low)


def adaptive_avg_pool2d(input, output_size):
    """Means of regions, as many as `output_size` says; they overlap where it does not divide.

    >>> adaptive_avg_pool2d(tinytorch.tensor([[[1.0, 5.0, 2.0, 3.0]]]), (1, 2))
    tensor([[[3.0000, 2.5000]]])
    """
    check_images(input)
    lengths = input.shape[-2:]
    wanted = output_size if isinstance(output_size, (tuple, list)) else (output_size,) * 2
    if len(wanted) != 2 or 0 in lengths:
        raise RuntimeError(
            "adaptive_avg_pool2d needs one output size or two and an image that is not empty, got"
            f" {output_size} and shape {tuple(input.shape)}"
        )
    down, across = [
        wrap(averaging(length, count, input.dtype))  # (rows, H) and (columns, W)
        for length, count in zip(lengths, wanted, strict=True)
    ]
    return matmul(matmul(down, input), across.T)


def averaging(length, count, dtype):
    """The matrix (count, length) that takes the means of `count` regions of a vector.

    None stands for as many regions as numbers.

    >>> averaging(4, 2, "float32")
    array([[0.5, 0.5, 0. , 0. ],
           [0. , 0. , 0.5, 0.5]], dtype=float32)
    """
    matrix = np.zeros(new_shape((length if count is None else count, length)), dtype)
    count = len(matrix)
    for i in range(count):
        start, stop = i * length // count, -(-(i + 1) * length // count)  # -(-a // b): rounded up
        matrix[i, start:stop] = 1 / (stop - start)
    return matrix


class Pool(FunctionModule):
    """Pooling by windows as a module."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.stride = self.kernel_size if self.stride is None else self.stride


class MaxPool(Pool):
    """Max pooling as a module, in which `return_indices` comes before `ceil_mode`."""

    def __init_subclass__(cls, function):
        super().__init_subclass__(function)
        *first, ceil_mode, return_indices = cls.__signature__.parameters.values()
        cls.__signature__ = Signature([*first, return_indices, ceil_mode])
        cls.settings = tuple([name for name in cls.settings if name != "return_indices"])


class MaxPool2d(MaxPool, function=max_pool2d):
    """max_pool2d() as a module."""


class AvgPool2d(Pool, function=avg_pool2d):
    """avg_pool2d() as a module."""

    def extra_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AdaptiveAvgPool2d(FunctionModule, function=adaptive_avg_pool2d):
    """adaptive_avg_pool2d() as a module."""
