"""Unpooling: what max pooling found, put back to where it was found, among zeros."""

import math

from tinytorch.nn.checks import lengths
from tinytorch.nn.module import Module
from tinytorch.nn.pooling import AvgPool2d
from tinytorch.ops.creation import zeros
from tinytorch.tensor import check_tensors


def unpooled(count, input, indices, kernel_size, stride, padding, output_size):
    """Zeros of the size that was pooled, along the last `count` dimensions, with `input` in them.

    Without `output_size`, which may have all dimensions or the last ones, the smallest size that
    would have been pooled to that of the input.
    """
    name = f"max_unpool{count}d"
    check_tensors(name, input=input, indices=indices)
    if input.shape != indices.shape or input.dim() not in (count + 1, count + 2):
        raise RuntimeError(
            f"{name} needs input and indices of one shape, (N, C, ...) or (C, ...) with {count}"
            f" more, got {tuple(input.shape)} and {tuple(indices.shape)}"
        )
    stride = kernel_size if stride is None else stride
    kernel, step = lengths(count, "kernel_size", kernel_size), lengths(count, "stride", stride)
    around = lengths(count, "padding", padding, 0)
    sides = zip(input.shape[-count:], kernel, step, around, strict=True)
    size = [(n - 1) * s - 2 * p + k for n, k, s, p in sides]
    size = size if output_size is None else list(output_size)[-count:]
    before = input.shape[:-count]
    whole = zeros(*before, math.prod(size), dtype=input.dtype)
    return whole.scatter(-1, indices.flatten(-count), input.flatten(-count)).reshape(*before, *size)


def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """What max_pool1d(return_indices=True) found, back in its place: (N, C, out L) -> (N, C, L).

    All else is as in max_unpool2d().
    """
    return unpooled(1, input, indices, kernel_size, stride, padding, output_size)


def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """What max_pool2d(return_indices=True) found, back in its place, with zeros everywhere else.

    `input` and `indices` (N, C, out H, out W) -> (N, C, H, W). The size is the smallest that fits,
    or `output_size`. RuntimeError for shapes that differ, and for an index outside.

    >>> found, places = tinytorch.tensor([[[5.0, 3.0]]]), tinytorch.tensor([[[1, 3]]])
    >>> max_unpool2d(found, places, (1, 2))
    tensor([[[0., 5., 0., 3.]]])
    """
    return unpooled(2, input, indices, kernel_size, stride, padding, output_size)


def max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """What max_pool3d(return_indices=True) found, back in its place: -> (N, C, D, H, W).

    All else is as in max_unpool2d().
    """
    return unpooled(3, input, indices, kernel_size, stride, padding, output_size)


class Unpool(Module):
    """Unpooling by windows as a module; a call brings input and indices, perhaps `output_size`."""

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        self.kernel_size, self.padding = kernel_size, padding
        self.stride = kernel_size if stride is None else stride

    extra_repr = AvgPool2d.extra_repr

    def forward(self, input, indices, output_size=None):
        """The function of these, with the settings of the module."""
        sizes = self.kernel_size, self.stride, self.padding
        return self.function(input, indices, *sizes, output_size)


class MaxUnpool1d(Unpool):
    """max_unpool1d() as a module."""

    function = staticmethod(max_unpool1d)


class MaxUnpool2d(Unpool):
    """max_unpool2d() as a module."""

    function = staticmethod(max_unpool2d)


class MaxUnpool3d(Unpool):
    """max_unpool3d() as a module."""

    function = staticmethod(max_unpool3d)
