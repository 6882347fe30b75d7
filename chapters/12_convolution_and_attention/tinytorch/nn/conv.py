"""Convolution: one small kernel slid over an image, at every place the same linear layer."""

import math
from typing import Any

from tinytorch.nn.checks import check_dtypes, check_parts
from tinytorch.nn.linear import reset_weight_and_bias
from tinytorch.nn.module import Module
from tinytorch.nn.parameter import add_parameters
from tinytorch.nn.windows import add_windows, framed, pairs, windows
from tinytorch.node import Rule
from tinytorch.operation import quiet, recorded
from tinytorch.ops.joining import pad
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
    """The numbers of zeros left, right, above and below that `padding` asks for."""
    if padding == "valid":
        return 0, 0, 0, 0
    if padding != "same":
        [(down, right)] = pairs(padding=padding)
        return right, right, down, down
    if stride != (1, 1):
        raise RuntimeError(f"padding='same' needs stride 1, got {stride}")
    down, right = (d * (k - 1) for d, k in zip(dilation, kernel, strict=True))
    return right // 2, right - right // 2, down // 2, down - down // 2


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
    check_dtypes("conv2d", input, weight)
    check_parts("conv2d", input, weight.shape[:1], bias=bias)


def check_layer(in_channels, out_channels, groups, padding, padding_mode):
    """ValueError for settings that no layer can have."""
    if groups < 1 or in_channels % groups or out_channels % groups:
        raise ValueError(f"{in_channels} and {out_channels} channels do not split by {groups}")
    if isinstance(padding, str) and padding not in ("same", "valid"):
        raise ValueError(f"padding must be 'same', 'valid' or numbers, got {padding!r}")
    if padding_mode not in ("zeros", "reflect", "replicate", "circular"):
        raise ValueError(f"padding_mode is 'zeros' or one of pad(), got {padding_mode!r}")


class Conv2d(Module):
    """conv2d() with learned kernels, from `in_channels` to `out_channels`.

    ValueError if the channels cannot be split into `groups`.

    >>> Conv2d(3, 8, kernel_size=3, padding=1)(tinytorch.zeros(2, 3, 5, 5)).shape
    tinytorch.Size([2, 8, 5, 5])
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
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        super().__init__()
        check_layer(in_channels, out_channels, groups, padding, padding_mode)
        sizes = pairs(kernel_size=kernel_size, stride=stride, dilation=dilation)
        self.kernel_size, self.stride, self.dilation = sizes
        if padding == "same" and self.stride != (1, 1):
            raise ValueError(f"padding='same' needs stride 1, got {stride}")
        self.padding = padding if isinstance(padding, str) else pairs(padding=padding)[0]
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.groups = groups
        self.padding_mode = padding_mode
        weight = (out_channels, in_channels // groups, *self.kernel_size)
        add_parameters(self, device, dtype, weight=weight, bias=out_channels if bias else None)
        self.reset_parameters()

    def reset_parameters(self):
        """Draw weight and bias evenly from +-1 / sqrt(inputs of a kernel)."""
        reset_weight_and_bias(self.weight, self.bias)

    def forward(self, input):
        """conv2d() with this weight and bias: (N, in, H, W) -> (N, out, H', W')."""
        input, padding = self.framed(input)
        settings = self.stride, padding, self.dilation, self.groups
        return conv2d(input, self.weight, self.bias, *settings)

    def framed(self, input):
        """The input, in a frame of its own numbers where that is asked for; the padding left."""
        if self.padding_mode == "zeros":
            return input, self.padding
        sizes = [(1, *each)[-2:] for each in (self.kernel_size, self.stride, self.dilation)]
        around = self.padding if isinstance(self.padding, str) else (0, *self.padding)[-2:]
        frame = zeros_around(around, *sizes)[: 2 * len(self.kernel_size)]
        return pad(input, frame, self.padding_mode), 0

    def extra_repr(self):
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}"
        text += f", stride={self.stride}"
        for name, usual in dict(padding=0, dilation=1).items():
            sizes = getattr(self, name)
            text += "" if set(sizes) == {usual} else f", {name}={sizes}"
        text += "" if self.groups == 1 else f", groups={self.groups}"
        text += "" if self.bias is not None else ", bias=False"
        mode = self.padding_mode
        return text if mode == "zeros" else f"{text}, padding_mode={mode}"
