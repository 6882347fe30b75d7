"""Convolution and pooling of volumes (N, C, D, H, W): images one behind the other."""

import math

import numpy as np

from tinytorch.nn.checks import check_linear_map, lengths
from tinytorch.nn.conv import conv2d, zeros_around
from tinytorch.nn.conv_transpose import conv_transpose2d
from tinytorch.nn.function_module import FunctionModule
from tinytorch.nn.pooling import (
    AvgPool2d,
    MaxPool,
    Pool,
    adaptive_avg_pool2d,
    avg_pool2d,
    divided,
    max_pool2d,
)
from tinytorch.nn.windows import places
from tinytorch.ops.creation import tensor, zeros
from tinytorch.ops.joining import pad
from tinytorch.tensor import check_tensors


def with_batch(name, input):
    """(N, C, D, H, W), where (C, D, H, W) is a batch of one; RuntimeError for other shapes."""
    check_tensors(name, input=input)
    if input.dim() not in (4, 5):
        shape = tuple(input.shape)
        raise RuntimeError(f"{name} needs (N, C, D, H, W) or (C, D, H, W), got shape {shape}")
    return input if input.dim() == 5 else input.unsqueeze(0)


def conv3d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Slide each kernel of `weight` (O, C / groups, d, h, w) through `input` (N, C, D, H, W).

    A batch of one may come without N. All else is as in conv2d(), which does the work: the d images
    that a kernel sees at a depth are d times as many channels.

    >>> conv3d(tinytorch.ones(1, 3, 3, 3), tinytorch.ones(1, 1, 2, 2, 2)).shape
    tinytorch.Size([1, 2, 2, 2])
    """
    volumes = with_batch("conv3d", input)
    check_volumes(volumes, weight, bias, groups)
    sizes = weight.shape[2:], lengths(3, "stride", stride), lengths(3, "dilation", dilation)
    volumes = pad(volumes, zeros_around(padding, *sizes))
    (kernel, *_), (step, *steps), (apart, *gaps) = sizes
    starts = np.arange(places(volumes.shape[2], kernel, step, apart)) * step
    seen = volumes[:, :, starts[:, None] + np.arange(kernel) * apart]  # (N, C, out D, d, H, W)
    images = seen.swapaxes(1, 2).flatten(0, 1).flatten(1, 2)  # (N * out D, C * d, H, W)
    z = conv2d(images, weight.flatten(1, 2), bias, steps, 0, gaps, groups)
    z = z.reshape(len(volumes), len(starts), *z.shape[1:]).swapaxes(1, 2)
    return z if input.dim() == 5 else z.squeeze(0)


def check_volumes(volumes, weight, bias, groups):
    """RuntimeError where the shapes or dtypes of a convolution do not fit together."""
    check_kernels("conv3d", weight, "(O, C / groups, d, h, w)")
    shape, channels = tuple(weight.shape), volumes.shape[1]
    if groups < 1 or channels != shape[1] * groups or shape[0] % groups:
        raise RuntimeError(
            f"conv3d: weight of shape {shape} and groups={groups} do not fit an input of"
            f" {channels} channels"
        )
    check_linear_map("conv3d", volumes, weight, bias, shape[0])


def check_kernels(name, weight, wanted):
    check_tensors(name, weight=weight)
    if weight.dim() != 5:
        raise RuntimeError(f"{name} needs weight {wanted}, got shape {tuple(weight.shape)}")


def conv_transpose3d(
    input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1
):
    """Each number of `input` (N, C, D, H, W) spreads a kernel of `weight` (C, O / groups, d, h, w).

    A batch of one may come without N. All else is as in conv_transpose2d(), which does the work: a
    kernel spreads d images, O of them for each of its depths.

    >>> conv_transpose3d(tinytorch.ones(1, 1, 1, 1), tinytorch.ones(1, 1, 2, 3, 1), stride=2).shape
    tinytorch.Size([1, 2, 3, 1])
    """
    volumes = with_batch("conv_transpose3d", input)
    check_kernels("conv_transpose3d", weight, "(C, O / groups, d, h, w)")
    channels = weight.shape[1] * groups
    check_linear_map("conv_transpose3d", input, weight, bias, channels)
    (step, *steps), (apart, *gaps) = lengths(3, "stride", stride), lengths(3, "dilation", dilation)
    cut, *cuts = lengths(3, "padding", padding, 0)
    more, *mores = lengths(3, "output_padding", output_padding, 0)
    images, kernels = volumes.swapaxes(1, 2).flatten(0, 1), weight.flatten(1, 2)
    z = conv_transpose2d(images, kernels, None, steps, cuts, mores, groups, gaps)
    depths, kernel = volumes.shape[2], weight.shape[2]
    z = z.reshape(len(volumes), depths, channels, kernel, *z.shape[-2:])  # (N, D, O, d, H', W')
    seen = np.arange(depths)[:, None] * step + np.arange(kernel) * apart
    size = (depths - 1) * step + apart * (kernel - 1) + 1
    whole = zeros(len(volumes), channels, size, *z.shape[-2:], dtype=z.dtype)
    z = z.swapaxes(1, 2).flatten(2, 3)  # (N, O, D * d, H', W')
    whole = pad(whole.index_add(2, tensor(seen.ravel()), z), (0, 0, 0, 0, -cut, more - cut))
    result = whole if bias is None else whole + bias.reshape(-1, 1, 1, 1)
    return result if input.dim() == 5 else result.squeeze(0)


def max_pool3d(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    """The largest number of each window: (N, C, D, H, W) -> (N, C, out D, out H, out W).

    As max_pool2d(); each of its sizes is one number or three. An index counts a volume's numbers.

    >>> max_pool3d(tinytorch.arange(8.0).reshape(1, 2, 2, 2), 2)
    tensor([[[[7.]]]])
    """
    sizes = dict(kernel_size=kernel_size, stride=stride, padding=padding, dilation=dilation)
    if not return_indices:
        return pooled(max_pool2d, input, sizes, ceil_mode)
    return places_in_volumes(input, sizes, ceil_mode)


def avg_pool3d(
    input,
    kernel_size,
    stride=None,
    padding=0,
    ceil_mode=False,
    count_include_pad=True,
    divisor_override=None,
):
    """The mean of each window: (N, C, D, H, W) -> (N, C, out D, out H, out W).

    As avg_pool2d(); each of its sizes is one number or three.

    >>> avg_pool3d(tinytorch.arange(8.0).reshape(1, 2, 2, 2), 2)
    tensor([[[[3.5000]]]])
    """
    sizes = dict(kernel_size=kernel_size, stride=stride, padding=padding)
    if divisor_override is None:
        return pooled(avg_pool2d, input, sizes, ceil_mode, count_include_pad)
    return divided(pooled(avg_pool2d, input, sizes, ceil_mode, True, 1), divisor_override)


def pooled(pool, input, sizes, *more):
    """Volumes pooled by the `pool` of images: each image first, and then along the depth."""
    volumes, (within, along) = with_batch("pooling", input), two_steps(sizes)
    images = pool(volumes.flatten(0, 1), *within, *more)
    rows = pool(images.flatten(2), *along, *more)  # (N * C, out D, out H * out W)
    return as_volumes(rows, images, input)


def two_steps(sizes):
    """The sizes of a pool of volumes as those of two: of each image, and then along the depth."""
    sizes["stride"] = sizes["kernel_size"] if sizes["stride"] is None else sizes["stride"]
    least = [0 if name == "padding" else 1 for name in sizes]
    all_three = [lengths(3, *size, n) for size, n in zip(sizes.items(), least, strict=True)]
    along = [(size[0], n) for size, n in zip(all_three, least, strict=True)]
    return [size[1:] for size in all_three], along


def as_volumes(rows, images, input):
    """Rows (N * C, out D, out H * out W) in the shape of volumes, with N if the `input` has it."""
    return rows.reshape(*input.shape[:-3], rows.shape[1], *images.shape[-2:])


def places_in_volumes(input, sizes, ceil_mode):
    """max_pool3d() and where each number was found: in which image, and where in that one."""
    volumes, (within, along) = with_batch("pooling", input), two_steps(sizes)
    images, there = max_pool2d(volumes.flatten(0, 1), *within, ceil_mode, True)
    rows, found = max_pool2d(images.flatten(2), *along, ceil_mode, True)
    area, pooled_area = math.prod(volumes.shape[-2:]), math.prod(images.shape[-2:])
    there = there.flatten(1).gather(1, found.flatten(1)).reshape(found.shape)
    places = found // pooled_area * area + there
    return as_volumes(rows, images, input), as_volumes(places, images, input)


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


class MaxPool3d(MaxPool, function=max_pool3d):
    """max_pool3d() as a module."""


class AvgPool3d(Pool, function=avg_pool3d):
    """avg_pool3d() as a module."""

    extra_repr = AvgPool2d.extra_repr


class AdaptiveAvgPool3d(FunctionModule, function=adaptive_avg_pool3d):
    """adaptive_avg_pool3d() as a module."""
