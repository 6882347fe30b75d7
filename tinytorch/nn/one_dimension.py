"""Convolution and pooling in one dimension: (N, C, L) is an image of height 1."""

from tinytorch.nn.checks import lengths
from tinytorch.nn.conv import conv2d
from tinytorch.nn.conv_transpose import conv_transpose2d
from tinytorch.nn.function_module import FunctionModule
from tinytorch.nn.pooling import (
    AvgPool2d,
    MaxPool,
    Pool,
    adaptive_avg_pool2d,
    avg_pool2d,
    max_pool2d,
)
from tinytorch.tensor import check_tensors


def as_image(name, input):
    """(N, C, L) -> (N, C, 1, L), or without N; RuntimeError for other shapes."""
    check_tensors(name, input=input)
    if input.dim() not in (2, 3):
        shape = tuple(input.shape)
        raise RuntimeError(f"{name} needs input (N, C, L) or (C, L), got shape {shape}")
    return input.unsqueeze(-2)


def single(name, value):
    """One whole number, given as such or in a tuple; TypeError or RuntimeError for others."""
    return lengths(1, name, value, 0 if "padding" in name else 1)[0]


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Slide each kernel of `weight` (O, C / groups, l) along `input` (N, C, L) or (C, L).

    All else is as in conv2d().

    >>> conv1d(tinytorch.tensor([[1.0, 2.0, 4.0]]), tinytorch.tensor([[[-1.0, 1.0]]]))
    tensor([[1., 2.]])
    """
    image = as_image("conv1d", input)
    check_tensors("conv1d", weight=weight)
    stride, dilation = (1, single("stride", stride)), (1, single("dilation", dilation))
    if padding == "same" and stride != (1, 1):
        raise RuntimeError(f"padding='same' needs stride 1, got {stride[1]}")
    padding = padding if isinstance(padding, str) else (0, single("padding", padding))
    return conv2d(image, weight.unsqueeze(-2), bias, stride, padding, dilation, groups).squeeze(-2)


def conv_transpose1d(
    input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1
):
    """Each number of `input` (N, C, L) or (C, L) spreads a kernel of `weight` (C, O / groups, l).

    All else is as in conv_transpose2d().
    """
    image = as_image("conv_transpose1d", input)
    check_tensors("conv_transpose1d", weight=weight)
    named = dict(padding=padding, output_padding=output_padding)
    around, more = [(0, single(name, value)) for name, value in named.items()]
    step, apart = (1, single("stride", stride)), (1, single("dilation", dilation))
    settings = step, around, more, groups, apart
    return conv_transpose2d(image, weight.unsqueeze(-2), bias, *settings).squeeze(-2)


def max_pool1d(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    """The largest number of each window: (N, C, L) -> (N, C, out L).

    With `return_indices` a pair: also where each was found.

    >>> max_pool1d(tinytorch.tensor([[1.0, 3.0, 2.0, 0.0]]), 2)
    tensor([[3., 2.]])
    """
    settings = sizes_of_row(kernel_size, stride, padding)
    dilation = (1, single("dilation", dilation))
    image, settings = as_image("max_pool1d", input), (*settings, dilation, ceil_mode)
    found = max_pool2d(image, *settings, return_indices)
    return tuple([x.squeeze(-2) for x in found]) if return_indices else found.squeeze(-2)


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """The mean of each window, as of avg_pool2d(): (N, C, L) -> (N, C, out L)."""
    settings = *sizes_of_row(kernel_size, stride, padding), ceil_mode, count_include_pad
    return avg_pool2d(as_image("avg_pool1d", input), *settings).squeeze(-2)


def sizes_of_row(kernel_size, stride, padding):
    """Kernel, stride and padding as (height, width), for images of height 1."""
    stride = kernel_size if stride is None else stride
    named = dict(kernel_size=kernel_size, stride=stride, padding=padding)
    kernel, step, around = [single(name, value) for name, value in named.items()]
    return (1, kernel), (1, step), (0, around)


def adaptive_avg_pool1d(input, output_size):
    """Means of `output_size` windows that cover the whole length: (N, C, L) -> (N, C, out L)."""
    size = (1, single("output_size", output_size))
    return adaptive_avg_pool2d(as_image("adaptive_avg_pool1d", input), size).squeeze(-2)


class MaxPool1d(MaxPool, function=max_pool1d):
    """max_pool1d() as a module."""


class AvgPool1d(Pool, function=avg_pool1d):
    """avg_pool1d() as a module."""

    extra_repr = AvgPool2d.extra_repr

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for name in ("kernel_size", "stride", "padding"):
            setattr(self, name, (single(name, getattr(self, name)),))


class AdaptiveAvgPool1d(FunctionModule, function=adaptive_avg_pool1d):
    """adaptive_avg_pool1d() as a module."""
