"""Less common pooling: the largest of so many regions, norms of windows, neighbouring channels."""

import numpy as np

from tinytorch.nn.function_module import FunctionModule
from tinytorch.nn.one_dimension import as_image, sizes_of_row
from tinytorch.nn.pooling import avg_pool2d, check_images
from tinytorch.ops.elementwise import where
from tinytorch.ops.joining import pad
from tinytorch.tensor import check_tensors, wrap


def regions(length, count):
    """Which of `length` numbers lie in each of `count` regions: booleans (count, length)."""
    starts = np.arange(count) * length // count
    ends = -(-(np.arange(count) + 1) * length // count)  # -(-a // b): rounded up
    places = np.arange(length)
    return (places >= starts[:, None]) & (places < ends[:, None])


def largest(input, dim, count):
    """The largest number of each of `count` regions of dimension `dim`, and its place there.

    None for `count` leaves each number a region of its own.
    """
    length = input.shape[dim]
    inside = wrap(regions(length, length if count is None else count))
    rows = input.movedim(dim, -1).unsqueeze(-2)  # (..., 1, length) beside (count, length)
    values, places = where(inside, rows, -np.inf).max(-1)
    return values.movedim(-1, dim), places.movedim(-1, dim)


def adaptive_max_pool2d(input, output_size, return_indices=False):
    """The largest numbers of regions, as many as `output_size` says: (N, C, H, W) -> (N, C, h, w).

    With `return_indices` a pair: also where in its picture, row by row, each was found.

    >>> adaptive_max_pool2d(tinytorch.tensor([[[1.0, 5.0, 2.0, 3.0]]]), (1, 2))
    tensor([[[5., 3.]]])
    """
    check_images(input)
    several = isinstance(output_size, (tuple, list))
    height, width = output_size if several else (output_size, output_size)
    values, columns = largest(input, -1, width)
    values, rows = largest(values, -2, height)
    if not return_indices:
        return values
    return values, rows * input.shape[-1] + columns.gather(-2, rows)


def adaptive_max_pool1d(input, output_size, return_indices=False):
    """The largest numbers of `output_size` regions: (N, C, L) -> (N, C, out L).

    With `return_indices` a pair: also where each was found.
    """
    (size,) = output_size if isinstance(output_size, (tuple, list)) else (output_size,)
    image = as_image("adaptive_max_pool1d", input)
    values, places = adaptive_max_pool2d(image, (1, size), return_indices=True)
    return (values.squeeze(-2), places.squeeze(-2)) if return_indices else values.squeeze(-2)


def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The norm of each window: the root of a sum of powers."""
    count = np.prod(kernel_size) * (1 if isinstance(kernel_size, (tuple, list)) else kernel_size)
    mean = avg_pool2d(input**norm_type, kernel_size, stride, 0, ceil_mode)
    mean = where(mean == 0, 0.0, mean)  # the slope of a root is infinite there: take 0
    return (mean * float(count)) ** (1 / norm_type)


def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The norm of each window, as of lp_pool2d(): (N, C, L) -> (N, C, out L)."""
    kernel, step, _ = sizes_of_row(kernel_size, stride, 0)
    return lp_pool2d(as_image("lp_pool1d", input), norm_type, kernel, step, ceil_mode).squeeze(-2)


def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    """Each number over the size of those around it in `size` neighbouring channels (N, C, ...).

    A. Krizhevsky et al., 2012.
    """
    check_tensors("local_response_norm", input=input)
    flat = (input * input).flatten(2)
    beside = pad(flat, (0, 0, size // 2, (size - 1) // 2))
    sums = beside.unfold(1, size, 1).sum(-1).reshape(input.shape)
    return input / (sums * (alpha / size) + k) ** beta


class AdaptiveMaxPool(FunctionModule):
    """What AdaptiveMaxPool1d and AdaptiveMaxPool2d have in common."""

    def extra_repr(self):
        return f"output_size={self.output_size}"


class AdaptiveMaxPool1d(AdaptiveMaxPool, function=adaptive_max_pool1d):
    """adaptive_max_pool1d() as a module."""


class AdaptiveMaxPool2d(AdaptiveMaxPool, function=adaptive_max_pool2d):
    """adaptive_max_pool2d() as a module."""


class LPPool1d(FunctionModule, function=lp_pool1d):
    """lp_pool1d() as a module."""


class LPPool2d(FunctionModule, function=lp_pool2d):
    """lp_pool2d() as a module."""


class LocalResponseNorm(FunctionModule, function=local_response_norm):
    """local_response_norm() as a module."""

    def __init__(self, size, alpha=1e-4, beta=0.75, k=1.0):
        super().__init__(size, alpha, beta, k)

    def extra_repr(self):
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"
