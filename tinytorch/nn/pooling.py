"""Pooling: an image made smaller, each window becoming one number."""

from functools import reduce

import numpy as np

from tinytorch.linalg import matmul
from tinytorch.nn.checks import check_dtypes, check_tensors
from tinytorch.nn.module import Module
from tinytorch.nn.windows import add_windows, padded, pair, views, windows
from tinytorch.node import Rule
from tinytorch.operation import record
from tinytorch.tensor import wrap


def pooling_settings(input, kernel_size, stride, padding, dilation):
    """Kernel, stride and dilation as pairs, the stride being the kernel's size by default."""
    check_images(input)
    kernel, padding, dilation = pair(kernel_size), pair(padding), pair(dilation)
    spans = [d * (k - 1) + 1 for d, k in zip(dilation, kernel, strict=True)]
    if any(2 * p > span for p, span in zip(padding, spans, strict=True)):
        raise RuntimeError(f"padding {padding} must be at most half of the kernel {kernel}")
    return kernel, kernel if stride is None else pair(stride), dilation


def check_images(input):
    check_tensors("pooling", input=input)
    if input.dim() not in (3, 4):
        raise RuntimeError(
            f"pooling needs (N, C, H, W) or (C, H, W), got shape {tuple(input.shape)}"
        )
    check_dtypes("pooling", input)


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1):
    """The largest number of each window: (N, C, H, W) -> (N, C, out H, out W).

    `stride` is the kernel's size by default. A frame of `padding` never wins. Of equal numbers
    the first gets the gradient. RuntimeError if no window fits.

    >>> max_pool2d(tinytorch.tensor([[[1.0, 5.0, 2.0, 3.0]]]), (1, 2))
    tensor([[[5., 3.]]])
    """
    settings = pooling_settings(input, kernel_size, stride, padding, dilation)
    input = padded(input, pair(padding), -np.inf)
    seen = windows(input._data, *settings)
    start, *others = views(seen)
    largest = reduce(np.maximum, others, start.copy())
    first = first_equal(seen, largest) if input.requires_grad else None
    return record(largest, MAX_POOL, (input,), first, input._data.shape, settings)


def first_equal(seen, values):
    """Where in each window its value in `values` stands first: booleans, one True a window."""
    found = np.empty(seen.shape, bool)
    open_ = np.ones(values.shape, bool)
    for view, here in zip(views(seen), views(found), strict=True):
        np.logical_and(view == values, open_, out=here)
        open_ &= ~here
    return found


def max_pool_formula(grad, first, shape, settings):
    batch, (height, width) = grad.shape[:-2], grad.shape[-2:]
    each = grad.reshape((*batch, 1, 1, height, width)) * first
    return add_windows(each, shape, *settings)


MAX_POOL = Rule("MaxPool2DBackward0", (max_pool_formula,))


def avg_pool2d(input, kernel_size, stride=None, padding=0):
    """The mean of each window; the zeros of the frame count too.

    >>> avg_pool2d(tinytorch.tensor([[[1.0, 5.0, 2.0, 3.0]]]), (1, 2))
    tensor([[[3.0000, 2.5000]]])
    """
    settings = pooling_settings(input, kernel_size, stride, padding, dilation=1)
    return windows(padded(input, pair(padding)), *settings).mean((-4, -3))


def adaptive_avg_pool2d(input, output_size):
    """Means of regions, as many as `output_size` says; they overlap where it does not divide.

    >>> adaptive_avg_pool2d(tinytorch.tensor([[[1.0, 5.0, 2.0, 3.0]]]), (1, 2))
    tensor([[[3.0000, 2.5000]]])
    """
    check_images(input)
    height, width = input.shape[-2:]
    rows, columns = (output_size,) * 2 if isinstance(output_size, int) else output_size
    rows, columns = height if rows is None else rows, width if columns is None else columns
    if min(rows, columns) < 0:
        raise RuntimeError(f"output_size must not be negative, got {output_size}")
    down = wrap(averaging(height, rows, input.dtype))  # (rows, H)
    across = wrap(averaging(width, columns, input.dtype))  # (columns, W)
    return matmul(matmul(down, input), across.T)


def averaging(length, count, dtype):
    """The matrix (count, length) that takes the means of `count` regions of a vector.

    >>> averaging(4, 2, "float32")
    array([[0.5, 0.5, 0. , 0. ],
           [0. , 0. , 0.5, 0.5]], dtype=float32)
    """
    matrix = np.zeros((count, length), dtype)
    for i in range(count):
        start, stop = i * length // count, -(-(i + 1) * length // count)  # -(-a // b): rounded up
        matrix[i, start:stop] = 1 / (stop - start)
    return matrix


class Pool2d(Module):
    """The settings that pooling modules share."""

    settings = ("kernel_size", "stride", "padding")

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding


class MaxPool2d(Pool2d):
    """max_pool2d() as a module."""

    settings = (*Pool2d.settings, "dilation", "ceil_mode")
    ceil_mode = False  # as PyTorch prints it; a window that does not fit whole is left out

    def __init__(self, kernel_size, stride=None, padding=0, dilation=1):
        super().__init__(kernel_size, stride, padding)
        self.dilation = dilation

    def forward(self, input):
        return max_pool2d(input, self.kernel_size, self.stride, self.padding, self.dilation)


class AvgPool2d(Pool2d):
    """avg_pool2d() as a module."""

    def forward(self, input):
        return avg_pool2d(input, self.kernel_size, self.stride, self.padding)


class AdaptiveAvgPool2d(Module):
    """adaptive_avg_pool2d() as a module."""

    settings = ("output_size",)

    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size

    def forward(self, input):
        return adaptive_avg_pool2d(input, self.output_size)
