"""Convolution: one small kernel slid over an image, at every place the same linear layer."""

import math

from tinytorch.creation import empty
from tinytorch.joining import pad
from tinytorch.nn.checks import check_dtypes, check_optional, check_shape, check_tensors
from tinytorch.nn.linear import reset_weight_and_bias
from tinytorch.nn.module import Module
from tinytorch.nn.parameter import Parameter
from tinytorch.nn.windows import add_windows, padded, pair, windows
from tinytorch.node import Rule
from tinytorch.operation import record


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Slide each kernel of `weight` (O, C / groups, h, w) over `input` (N, C, H, W) or (C, H, W).

    The result has a channel for each of the O kernels; `bias` (O,) is added. `padding` is a
    frame of zeros, in numbers, or "same" for a result as large as the input. With `groups`, the
    channels are split, and each group has its own kernels. RuntimeError if shapes do not fit.

    >>> image = tinytorch.tensor([[[1.0, 2.0, 4.0]]])
    >>> conv2d(image, tinytorch.tensor([[[[-1.0, 1.0]]]]))  # differences of neighbours
    tensor([[[1., 2.]]])
    """
    check_tensors("conv2d", input=input, weight=weight)
    check_optional("conv2d", bias=bias)
    if input.dim() == 3:
        settings = bias, stride, padding, dilation, groups
        return conv2d(input.unsqueeze(0), weight, *settings).squeeze(0)
    check_conv(input, weight, bias, groups)
    places = pair(stride), pair(dilation)
    input = framed(input, padding, weight.shape[2:], *places)
    x, w = input._data, weight._data
    columns, seen_shape = as_columns(x, w.shape, groups, places)
    z = as_kernels(w, groups) @ columns  # (G, O / G, K) @ (N, G, K, L) -> (N, G, O / G, L)
    z = z.reshape(seen_shape[0], w.shape[0], *seen_shape[-2:])
    if bias is not None:
        z += bias._data[:, None, None]
    inputs = (input, weight) if bias is None else (input, weight, bias)
    # the columns are not kept: they hold each number of x up to h * w times, and are soon made
    saved_x = x if weight.requires_grad else None
    saved_w = w if input.requires_grad else None
    shapes = x.shape, w.shape, seen_shape
    return record(z, CONV, inputs, saved_x, saved_w, shapes, groups, places)


# With G groups, K = C / G * h * w numbers seen by a kernel, and L = out H * out W places:


def as_columns(x, weight_shape, groups, places):
    """What the kernels see at each place: x (N, C, H, W) -> (N, G, K, L), and windows' shape."""
    seen = windows(x, weight_shape[2:], *places)  # (N, C, h, w, out H, out W)
    batch, height, width = seen.shape[0], *seen.shape[-2:]
    per_group = math.prod(weight_shape[1:])
    return seen.reshape((batch, groups, per_group, height * width)), seen.shape


def as_kernels(weight, groups):
    """(O, C / G, h, w) -> (G, O / G, K)"""
    return weight.reshape((groups, weight.shape[0] // groups, -1))


def as_places(grad, groups):
    """(N, O, out H, out W) -> (N, G, O / G, L)"""
    batch, channels, height, width = grad.shape
    return grad.reshape((batch, groups, channels // groups, height * width))


def conv_input(grad, x, weight, shapes, groups, places):
    x_shape, weight_shape, seen_shape = shapes
    columns = as_kernels(weight, groups).swapaxes(-1, -2) @ as_places(grad, groups)
    return add_windows(columns.reshape(seen_shape), x_shape, weight_shape[2:], *places)


def conv_weight(grad, x, weight, shapes, groups, places):
    columns, _ = as_columns(x, shapes[1], groups, places)
    each = as_places(grad, groups) @ columns.swapaxes(-1, -2)  # (N, G, O / G, K)
    return each.sum(axis=0).reshape(shapes[1])


def conv_bias(grad, x, weight, shapes, groups, places):
    return grad.sum(axis=(0, 2, 3))


CONV = Rule("ConvolutionBackward0", (conv_input, conv_weight, conv_bias), (0, 1))


def framed(input, padding, kernel, stride, dilation):
    """The input with the frame that `padding` asks for."""
    if padding == "valid":
        return input
    if padding != "same":
        return padded(input, pair(padding))
    if stride != (1, 1):
        raise RuntimeError(f"padding='same' needs stride 1, got {stride}")
    down, right = (d * (k - 1) for d, k in zip(dilation, kernel, strict=True))
    return pad(input, (right // 2, right - right // 2, down // 2, down - down // 2))


def check_conv(input, weight, bias, groups):
    """RuntimeError where the shapes or dtypes of a convolution do not fit together."""
    if input.dim() != 4 or weight.dim() != 4:
        raise RuntimeError(
            "conv2d needs input (N, C, H, W) or (C, H, W) and weight (O, C / groups, h, w), got"
            f" shapes {tuple(input.shape)} and {tuple(weight.shape)}"
        )
    if groups < 1 or input.shape[1] != weight.shape[1] * groups or weight.shape[0] % groups:
        raise RuntimeError(
            f"conv2d: weight of shape {tuple(weight.shape)} and groups={groups} do not fit an input"
            f" of {input.shape[1]} channels"
        )
    check_shape("conv2d", "bias", bias, weight.shape[:1])
    check_dtypes("conv2d", input, weight, bias)


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
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
    ):
        super().__init__()
        if groups < 1 or in_channels % groups or out_channels % groups:
            raise ValueError(f"{in_channels} and {out_channels} channels do not split by {groups}")
        if isinstance(padding, str) and padding not in ("same", "valid"):
            raise ValueError(f"padding must be 'same', 'valid' or numbers, got {padding!r}")
        if padding == "same" and pair(stride) != (1, 1):
            raise ValueError(f"padding='same' needs stride 1, got {stride}")
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = pair(kernel_size)
        self.stride = pair(stride)
        self.padding = padding if isinstance(padding, str) else pair(padding)
        self.dilation = pair(dilation)
        self.groups = groups
        self.weight = Parameter(empty(out_channels, in_channels // groups, *self.kernel_size))
        self.register_parameter("bias", Parameter(empty(out_channels)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self):
        """Draw weight and bias evenly from +-1 / sqrt(inputs of a kernel)."""
        reset_weight_and_bias(self.weight, self.bias)

    def forward(self, input):
        settings = self.stride, self.padding, self.dilation, self.groups
        return conv2d(input, self.weight, self.bias, *settings)

    def extra_repr(self):
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}"
        text += f", stride={self.stride}"
        if self.padding != (0, 0):
            text += f", padding={self.padding}"
        if self.dilation != (1, 1):
            text += f", dilation={self.dilation}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        return text if self.bias is not None else text + ", bias=False"
