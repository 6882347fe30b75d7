"""Convolution: one small kernel slid over an image, at every place the same linear layer."""

import math

from tinytorch.nn.checks import check_linear_map, lengths
from tinytorch.nn.windows import add_windows, framed, pairs, windows
from tinytorch.node import Rule
from tinytorch.operation import quiet, recorded
from tinytorch.tensor import check_tensors


@quiet
def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Slide each kernel of `weight` (O, C / groups, h, w) over `input` (N, C, H, W) or (C, H, W).

    The result has a channel for each of the O kernels; `bias` (O,) is added. `padding` is a
    frame of zeros, in numbers, or "same" for a result as large as the input. With `groups`, the
    channels are split, and each group has its own kernels. RuntimeError if shapes do not fit.

    >>> image = tinytorch.tensor([[[1.0, 2.0, 4.0]]])
    >>> conv2d(image, tinytorch.tensor([[[[-1.0, 1.0]]]]))  # differences of neighbours
    tensor([[[1., 2.]]])
    """
    check_conv(input, weight, bias, groups)
    sizes = pairs(kernel=weight.shape[2:], stride=stride, dilation=dilation)
    image = framed(input if input.dim() == 4 else input.unsqueeze(0), zeros_around(padding, *sizes))
    x, w = image._data, weight._data
    z = convolved(x, w, sizes, groups)
    if bias is not None:
        z += bias._data[:, None, None]
    inputs = (image, weight) if bias is None else (image, weight, bias)
    result = recorded(z, CONV, inputs, x, w, sizes, groups)
    return result if input.dim() == 4 else result.squeeze(0)


# With G groups, K = C / G * h * w numbers seen by a kernel, and L = out H * out W places:
#   kernels @ columns: (G, O / G, K) @ (N, G, K, L) -> (N, G, O / G, L)
# Columns are made where they are needed and not kept: they hold each number up to h * w times.


def as_kernels(weight, groups):
    """(O, C / G, h, w) -> (G, O / G, K)"""
    return weight.reshape((groups, len(weight) // groups, math.prod(weight.shape[1:])))


def as_columns(x, groups):
    """What stands at each of the L places, group by group.

    Of windows: (N, C, h, w, out H, out W) -> (N, G, K, L).
    Of results: (N, O, out H, out W) -> (N, G, O / G, L).
    """
    batch, *each, height, width = x.shape
    return x.reshape((batch, groups, math.prod(each) // groups, height * width))


def convolved(image, weight, sizes, groups):
    """(N, C, H, W) and (O, C / G, h, w) -> (N, O, out H, out W), a product of matrices.

    Arrays; N may be 0. `sizes` is what windows() takes after the image: `windows(image, *sizes)`.
    """
    # TODO exercise 12.3: convolved
    raise NotImplementedError("exercise 12.3: convolved")


def conv_image(grad, image, weight, sizes, groups):
    """The gradient of the image, from `grad` (N, O, out H, out W): columns, added up again.

    All three are arrays, or all are Tensors in a pass that is recorded: use what both can do, such
    as @, reshape, swapaxes and sum. windows() and add_windows() take both. N may be 0.
    """
    # TODO exercise 12.4: conv_image and conv_weight
    raise NotImplementedError("exercise 12.4: conv_image")


def conv_weight(grad, image, weight, sizes, groups):
    """The gradient of the weight, from `grad` (N, O, out H, out W): each image has a share in it.

    All three are arrays, or all are Tensors in a pass that is recorded: use what both can do, such
    as @, reshape, swapaxes and sum. windows() and add_windows() take both. N may be 0.
    """
    # TODO exercise 12.4: conv_image and conv_weight
    raise NotImplementedError("exercise 12.4: conv_weight")


def conv_bias(grad, image, weight, sizes, groups):
    """The gradient of the bias: it was added to every image, at every place."""
    return grad.sum(axis=(0, 2, 3))


CONV = Rule("ConvolutionBackward0", (conv_image, conv_weight, conv_bias), (0, 1))


def zeros_around(padding, kernel, stride, dilation):
    """The numbers of zeros that `padding` asks for, as pad() takes them: left, right, above, ..."""
    if padding == "same":
        if set(stride) != {1}:
            raise RuntimeError(f"padding='same' needs stride 1, got {stride}")
        missing = [d * (k - 1) for d, k in zip(dilation, kernel, strict=True)]
        ends = [(n // 2, n - n // 2) for n in missing]
    else:
        each = lengths(len(kernel), "padding", 0 if padding == "valid" else padding, 0)
        ends = [(n, n) for n in each]
    return [n for both in reversed(ends) for n in both]


def check_conv(input, weight, bias, groups):
    """TypeError for what is no tensor, RuntimeError where shapes or dtypes do not fit together."""
    check_tensors("conv2d", input=input, weight=weight)
    if input.dim() not in (3, 4) or weight.dim() != 4:
        raise RuntimeError(
            "conv2d needs input (N, C, H, W) or (C, H, W) and weight (O, C / groups, h, w), got"
            f" shapes {tuple(input.shape)} and {tuple(weight.shape)}"
        )
    channels = input.shape[-3]
    if groups < 1 or channels != weight.shape[1] * groups or len(weight) % groups:
        raise RuntimeError(
            f"conv2d: weight of shape {tuple(weight.shape)} and groups={groups} do not fit an input"
            f" of {channels} channels"
        )
    check_linear_map("conv2d", input, weight, bias, len(weight))
