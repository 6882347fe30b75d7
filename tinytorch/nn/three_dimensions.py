"""Convolution and pooling of volumes (N, C, D, H, W): images one behind the other."""

from typing import Any

import numpy as np

from tinytorch.nn.checks import check_dtypes, check_parts
from tinytorch.nn.conv import Conv2d, check_layer, conv2d
from tinytorch.nn.function_module import FunctionModule
from tinytorch.nn.linear import reset_weight_and_bias
from tinytorch.nn.module import Module
from tinytorch.nn.parameter import add_parameters
from tinytorch.nn.pooling import AvgPool2d, Pool, adaptive_avg_pool2d, avg_pool2d, max_pool2d
from tinytorch.nn.windows import places
from tinytorch.ops.dims import as_sizes
from tinytorch.ops.joining import pad
from tinytorch.tensor import check_tensors


def triple(name, value, least=1):
    """(depth, height, width) from one number or three; RuntimeError or TypeError for others."""
    sizes = as_sizes((value,))
    sizes = sizes * 3 if len(sizes) == 1 else sizes
    if len(sizes) != 3 or min(sizes) < least:
        raise RuntimeError(
            f"{name} must be one whole number or three, of at least {least}, got {value}"
        )
    return sizes


def with_batch(name, input):
    """(N, C, D, H, W), where (C, D, H, W) is a batch of one; RuntimeError for other shapes."""
    check_tensors(name, input=input)
    if input.dim() not in (4, 5):
        shape = tuple(input.shape)
        raise RuntimeError(f"{name} needs (N, C, D, H, W) or (C, D, H, W), got shape {shape}")
    return input if input.dim() == 5 else input.unsqueeze(0)


def padding_of(padding, kernel, stride, dilation):
    """Zeros (before, behind) for depth, height and width, as `padding` asks for."""
    if padding == "valid":
        return [(0, 0)] * 3
    if padding != "same":
        return [(size, size) for size in triple("padding", padding, least=0)]
    if stride != (1, 1, 1):
        raise RuntimeError(f"padding='same' needs stride 1, got {stride}")
    missing = [d * (k - 1) for d, k in zip(dilation, kernel, strict=True)]
    return [(size // 2, size - size // 2) for size in missing]


def conv3d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Slide each kernel of `weight` (O, C / groups, d, h, w) through `input` (N, C, D, H, W).

    A batch of one may come without N. All else is as in conv2d(), which does the work: the d images
    that a kernel sees at a depth are d times as many channels.

    >>> conv3d(tinytorch.ones(1, 3, 3, 3), tinytorch.ones(1, 1, 2, 2, 2)).shape
    tinytorch.Size([1, 2, 2, 2])
    """
    volumes = with_batch("conv3d", input)
    check_volumes(volumes, weight, bias, groups)
    named = dict(stride=stride, dilation=dilation)
    sizes = (tuple(weight.shape[2:]), *[triple(*setting) for setting in named.items()])
    (front, behind), (above, below), (left, right) = padding_of(padding, *sizes)
    volumes = pad(volumes, (left, right, above, below, front, behind))
    (kernel, *_), (step, *steps), (apart, *gaps) = sizes
    starts = np.arange(places(volumes.shape[2], kernel, step, apart)) * step
    seen = volumes[:, :, starts[:, None] + np.arange(kernel) * apart]  # (N, C, out D, d, H, W)
    images = seen.swapaxes(1, 2).flatten(0, 1).flatten(1, 2)  # (N * out D, C * d, H, W)
    z = conv2d(images, weight.flatten(1, 2), bias, steps, 0, gaps, groups)
    z = z.reshape(len(volumes), len(starts), *z.shape[1:]).swapaxes(1, 2)
    return z if input.dim() == 5 else z.squeeze(0)


def check_volumes(volumes, weight, bias, groups):
    """RuntimeError where the shapes or dtypes of a convolution do not fit together."""
    check_tensors("conv3d", weight=weight)
    shape, channels = tuple(weight.shape), volumes.shape[1]
    if weight.dim() != 5:
        raise RuntimeError(f"conv3d needs weight (O, C / groups, d, h, w), got shape {shape}")
    if groups < 1 or channels != shape[1] * groups or shape[0] % groups:
        raise RuntimeError(
            f"conv3d: weight of shape {shape} and groups={groups} do not fit an input of"
            f" {channels} channels"
        )
    check_dtypes("conv3d", volumes, weight)
    check_parts("conv3d", volumes, weight.shape[:1], bias=bias)


class Conv3d(Module):
    """conv3d() with learned kernels, from `in_channels` to `out_channels`.

    >>> Conv3d(3, 8, kernel_size=3, padding=1)(tinytorch.zeros(2, 3, 4, 5, 5)).shape
    tinytorch.Size([2, 8, 4, 5, 5])
    """

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups=1,
        bias=True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        check_layer(in_channels, out_channels, groups, padding, "zeros")
        self.kernel_size = triple("kernel_size", kernel_size)
        self.stride = triple("stride", stride)
        self.dilation = triple("dilation", dilation)
        self.padding = padding if isinstance(padding, str) else triple("padding", padding, least=0)
        if padding == "same" and self.stride != (1, 1, 1):
            raise ValueError(f"padding='same' needs stride 1, got {stride}")
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.groups = groups
        self.padding_mode = "zeros"
        weight = (out_channels, in_channels // groups, *self.kernel_size)
        add_parameters(self, device, dtype, weight=weight, bias=out_channels if bias else None)
        self.reset_parameters()

    extra_repr = Conv2d.extra_repr

    def reset_parameters(self):
        """Draw weight and bias evenly from +-1 / sqrt(inputs of a kernel)."""
        reset_weight_and_bias(self.weight, self.bias)

    def forward(self, input):
        """conv3d() with this weight and bias: (N, in, D, H, W) -> (N, out, D', H', W')."""
        settings = self.stride, self.padding, self.dilation, self.groups
        return conv3d(input, self.weight, self.bias, *settings)


def max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
    """The largest number of each window: (N, C, D, H, W) -> (N, C, out D, out H, out W).

    As max_pool2d(); each of its sizes is one number or three.

    >>> max_pool3d(tinytorch.arange(8.0).reshape(1, 2, 2, 2), 2)
    tensor([[[[7.]]]])
    """
    sizes = dict(kernel_size=kernel_size, stride=stride, padding=padding, dilation=dilation)
    return pooled(max_pool2d, input, sizes, ceil_mode)


def avg_pool3d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """The mean of each window: (N, C, D, H, W) -> (N, C, out D, out H, out W).

    As avg_pool2d(); each of its sizes is one number or three.

    >>> avg_pool3d(tinytorch.arange(8.0).reshape(1, 2, 2, 2), 2)
    tensor([[[[3.5000]]]])
    """
    sizes = dict(kernel_size=kernel_size, stride=stride, padding=padding)
    return pooled(avg_pool2d, input, sizes, ceil_mode, count_include_pad)


def pooled(pool, input, sizes, *more):
    """Volumes pooled by the `pool` of images: each image first, and then along the depth."""
    volumes = with_batch("pooling", input)
    sizes["stride"] = sizes["kernel_size"] if sizes["stride"] is None else sizes["stride"]
    least = [0 if name == "padding" else 1 for name in sizes]
    all_three = [triple(*size, n) for size, n in zip(sizes.items(), least, strict=True)]
    images = pool(volumes.flatten(0, 1), *[size[1:] for size in all_three], *more)
    height, width = images.shape[-2:]
    along = [(size[0], n) for size, n in zip(all_three, least, strict=True)]
    rows = pool(images.flatten(2), *along, *more)  # (N * C, out D, out H * out W)
    result = rows.reshape(*volumes.shape[:2], rows.shape[1], height, width)
    return result if input.dim() == 5 else result.squeeze(0)


def adaptive_avg_pool3d(input, output_size):
    """Means of regions, as many as `output_size` says: (N, C, D, H, W) -> (N, C, d, h, w).

    None in place of a size leaves it as it is.

    >>> adaptive_avg_pool3d(tinytorch.arange(8.0).reshape(1, 2, 2, 2), (1, 2, 1))
    tensor([[[[2.5000],
              [4.5000]]]])
    """
    volumes = with_batch("pooling", input)
    sizes = output_size if isinstance(output_size, (tuple, list)) else (output_size,) * 3
    if len(sizes) != 3:
        raise RuntimeError(f"adaptive_avg_pool3d needs one output size or three, got {output_size}")
    images = adaptive_avg_pool2d(volumes.flatten(0, 1), sizes[1:])
    rows = adaptive_avg_pool2d(images.flatten(2), (sizes[0], None))
    result = rows.reshape(*volumes.shape[:2], rows.shape[1], *images.shape[-2:])
    return result if input.dim() == 5 else result.squeeze(0)


class MaxPool3d(Pool, function=max_pool3d):
    """max_pool3d() as a module."""


class AvgPool3d(Pool, function=avg_pool3d):
    """avg_pool3d() as a module."""

    extra_repr = AvgPool2d.extra_repr


class AdaptiveAvgPool3d(FunctionModule, function=adaptive_avg_pool3d):
    """adaptive_avg_pool3d() as a module."""
