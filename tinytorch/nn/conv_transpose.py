"""Transposed convolution: the way back of a convolution, as a layer that enlarges images."""

from typing import Any

import numpy as np

from tinytorch.nn.checks import check_dtypes, check_parts
from tinytorch.nn.conv import conv_image
from tinytorch.nn.linear import reset_weight_and_bias
from tinytorch.nn.module import Module
from tinytorch.nn.parameter import add_parameters
from tinytorch.nn.windows import pair, pairs
from tinytorch.ops.joining import pad
from tinytorch.tensor import check_tensors


def conv_transpose2d(
    input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1
):
    """Each number of `input` (N, C, H, W) or (C, H, W) spreads a kernel over the result.

    `weight` is (C, O / groups, h, w), as that of the conv2d() from O to C channels whose way back
    this is; `bias` (O,) is added. `padding` is cut off all around, `output_padding` added below
    and on the right. RuntimeError if shapes do not fit.

    >>> one = tinytorch.ones(1, 1, 1, 2)
    >>> conv_transpose2d(one, tinytorch.tensor([[[[1.0, 2.0]]]]), stride=2)
    tensor([[[[1., 2., 1., 2.]]]])
    """
    check_transposed(input, weight, bias, groups)
    if input.dim() == 3:
        settings = stride, padding, output_padding, groups, dilation
        return conv_transpose2d(input.unsqueeze(0), weight, bias, *settings).squeeze(0)
    sizes = pairs(kernel=weight.shape[2:], stride=stride, dilation=dilation)
    (cut,) = pairs(padding=padding)
    more = pair("output_padding", output_padding, 0)
    whole = transposed(input, weight, sizes, groups)
    frame = [end for a, b in zip(cut[::-1], more[::-1], strict=True) for end in (-a, b - a)]
    result = pad(whole, frame) if any(frame) else whole
    return result if bias is None else result + bias.reshape(-1, 1, 1)


def transposed(input, weight, sizes, groups):
    """All that the kernels spread: (N, C, H, W) -> (N, O, whole H, whole W)."""
    sides = zip(input.shape[2:], *sizes, strict=True)
    whole = [(length - 1) * step + apart * (n - 1) + 1 for length, n, step, apart in sides]
    shape = (len(input), weight.shape[1] * groups, *whole)
    image = np.broadcast_to(np.zeros((), input.dtype), shape)  # only its shape matters
    return conv_image(input, image, weight, sizes, groups)


def check_transposed(input, weight, bias, groups):
    check_tensors("conv_transpose2d", input=input, weight=weight)
    if input.dim() not in (3, 4) or weight.dim() != 4:
        raise RuntimeError(
            "conv_transpose2d needs input (N, C, H, W) or (C, H, W) and weight (C, O / groups, h,"
            f" w), got shapes {tuple(input.shape)} and {tuple(weight.shape)}"
        )
    if groups < 1 or input.shape[-3] != len(weight) or len(weight) % groups:
        raise RuntimeError(
            f"conv_transpose2d: weight of shape {tuple(weight.shape)} and groups={groups} do not"
            f" fit an input of {input.shape[-3]} channels"
        )
    check_dtypes("conv_transpose2d", input, weight)
    check_parts("conv_transpose2d", input, (weight.shape[1] * groups,), bias=bias)


class ConvTranspose2d(Module):
    """conv_transpose2d() with learned kernels, from `in_channels` to `out_channels`.

    ValueError if the channels cannot be split into `groups`.

    >>> ConvTranspose2d(8, 3, kernel_size=2, stride=2)(tinytorch.zeros(2, 8, 5, 5)).shape
    tinytorch.Size([2, 3, 10, 10])
    """

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups=1,
        bias=True,
        dilation: Any = 1,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        super().__init__()
        if padding_mode != "zeros":
            raise ValueError(f"{type(self).__name__} knows padding_mode 'zeros' only")
        if groups < 1 or in_channels % groups or out_channels % groups:
            raise ValueError(f"{in_channels} and {out_channels} channels do not split by {groups}")
        sizes = pairs(kernel_size=kernel_size, stride=stride, dilation=dilation, padding=padding)
        self.kernel_size, self.stride, self.dilation, self.padding = sizes
        self.output_padding = pair("output_padding", output_padding, 0)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.groups = groups
        weight = (in_channels, out_channels // groups, *self.kernel_size)
        add_parameters(self, device, dtype, weight=weight, bias=out_channels if bias else None)
        self.reset_parameters()

    def reset_parameters(self):
        """Draw weight and bias evenly, as a Conv2d with kernels of this shape would."""
        reset_weight_and_bias(self.weight, self.bias)

    def forward(self, input, output_size=None):
        """The result, with `output_size` of this height and width; ValueError if none can be so."""
        more = self.padding_for(input, output_size)
        settings = self.stride, self.padding, more, self.groups, self.dilation
        return conv_transpose2d(input, self.weight, self.bias, *settings)

    def padding_for(self, input, output_size):
        """The output_padding that gives a result of `output_size`, of which the last lengths count.

        Several lengths have the same convolution: `stride` of them in each dimension.
        """
        if output_size is None:
            return self.output_padding
        names = ("stride", "padding", "dilation", "kernel_size")
        count = len(self.kernel_size)
        lengths, wanted = input.shape[-count:], [*output_size][-count:]
        sides = zip(lengths, *[getattr(self, name) for name in names], strict=True)
        least = [(n - 1) * step - 2 * cut + apart * (k - 1) + 1 for n, step, cut, apart, k in sides]
        more = [length - n for length, n in zip(wanted, least, strict=True)]
        if not all(0 <= extra < step for extra, step in zip(more, self.stride, strict=True)):
            most = [n + step - 1 for n, step in zip(least, self.stride, strict=True)]
            raise ValueError(f"output_size can be {least} to {most}, got {wanted}")
        return tuple(more)

    def extra_repr(self):
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}"
        text += f", stride={self.stride}"
        usual = dict(padding=0, dilation=1, output_padding=0, groups=1)
        for name, value in usual.items():
            if getattr(self, name) not in (value, (value,), (value, value)):
                text += f", {name}={getattr(self, name)}"
        return text if self.bias is not None else text + ", bias=False"
