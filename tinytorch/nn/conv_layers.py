"""Layers of convolution: of rows, of images and of volumes, there and back."""

from typing import Any

from tinytorch.nn.checks import lengths
from tinytorch.nn.conv import conv2d, zeros_around
from tinytorch.nn.conv_transpose import conv_transpose2d
from tinytorch.nn.linear import reset_weight_and_bias
from tinytorch.nn.module import Module
from tinytorch.nn.one_dimension import conv1d, conv_transpose1d
from tinytorch.nn.parameter import add_parameters
from tinytorch.nn.three_dimensions import conv3d, conv_transpose3d
from tinytorch.ops.joining import pad

MODES = ("zeros", "reflect", "replicate", "circular")
USUAL = dict(padding=0, dilation=1, output_padding=0, groups=1)  # what extra_repr() leaves out


class ConvNd(Module):
    """What layers of convolution share; a kernel has `dims` dimensions, `function` uses it."""

    transposed, output_padding = False, 0

    def __init_subclass__(cls, function=None, dims=None):
        super().__init_subclass__()
        if function is not None:
            cls.function, cls.dims = staticmethod(function), dims

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
        sizes = dict(kernel_size=kernel_size, stride=stride, dilation=dilation)
        for name, value in sizes.items():
            setattr(self, name, lengths(self.dims, name, value))
        if padding == "same" and set(self.stride) != {1}:
            raise ValueError(f"padding='same' needs stride 1, got {stride}")
        has_name = isinstance(padding, str)
        self.padding = padding if has_name else lengths(self.dims, "padding", padding, 0)
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.padding_mode = padding_mode
        ends = (in_channels, out_channels) if self.transposed else (out_channels, in_channels)
        weight = (ends[0], ends[1] // groups, *self.kernel_size)
        add_parameters(self, device, dtype, weight=weight, bias=out_channels if bias else None)
        self.reset_parameters()

    def reset_parameters(self):
        """Draw weight and bias evenly from +-1 / sqrt(n), n numbers in weight[0]."""
        reset_weight_and_bias(self.weight, self.bias)

    def forward(self, input):
        """The convolution with this weight and bias: (N, in, ...) -> (N, out, ...)."""
        padding = self.padding
        if self.padding_mode != "zeros":  # a frame of the input's own numbers, none of zeros
            sizes = self.kernel_size, self.stride, self.dilation
            input, padding = pad(input, zeros_around(padding, *sizes), self.padding_mode), 0
        settings = self.stride, padding, self.dilation, self.groups
        return self.function(input, self.weight, self.bias, *settings)

    def extra_repr(self):
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}"
        text += f", stride={self.stride}"
        for name, value in USUAL.items():
            if getattr(self, name) not in (value, (value,) * self.dims):
                text += f", {name}={getattr(self, name)}"
        text += "" if self.bias is not None else ", bias=False"
        mode = self.padding_mode
        return text if mode == "zeros" else f"{text}, padding_mode={mode}"


def check_layer(in_channels, out_channels, groups, padding, padding_mode):
    """ValueError for settings that no layer can have."""
    if groups < 1 or in_channels % groups or out_channels % groups:
        raise ValueError(f"{in_channels} and {out_channels} channels do not split by {groups}")
    if isinstance(padding, str) and padding not in ("same", "valid"):
        raise ValueError(f"padding must be 'same', 'valid' or numbers, got {padding!r}")
    if padding_mode not in MODES:
        raise ValueError(f"padding_mode is 'zeros' or one of pad(), got {padding_mode!r}")


class Conv1d(ConvNd, function=conv1d, dims=1):
    """conv1d() with learned kernels, from `in_channels` to `out_channels`.

    >>> Conv1d(3, 8, kernel_size=3, padding=1)(tinytorch.zeros(2, 3, 5)).shape
    tinytorch.Size([2, 8, 5])
    """


class Conv2d(ConvNd, function=conv2d, dims=2):
    """conv2d() with learned kernels, from `in_channels` to `out_channels`.

    ValueError if the channels cannot be split into `groups`.

    >>> Conv2d(3, 8, kernel_size=3, padding=1)(tinytorch.zeros(2, 3, 5, 5)).shape
    tinytorch.Size([2, 8, 5, 5])
    """


class Conv3d(ConvNd, function=conv3d, dims=3):
    """conv3d() with learned kernels, from `in_channels` to `out_channels`.

    >>> Conv3d(3, 8, kernel_size=3, padding=1)(tinytorch.zeros(2, 3, 4, 5, 5)).shape
    tinytorch.Size([2, 8, 4, 5, 5])
    """


class ConvTransposeNd(ConvNd):
    """What layers of transposed convolution share."""

    transposed = True

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
        if padding_mode != "zeros":
            raise ValueError(f"{type(self).__name__} knows padding_mode 'zeros' only")
        padding = lengths(self.dims, "padding", padding, 0)
        ends, sizes = (in_channels, out_channels), (kernel_size, stride, padding, dilation)
        super().__init__(*ends, *sizes, groups, bias, device=device, dtype=dtype)
        self.output_padding = lengths(self.dims, "output_padding", output_padding, 0)

    def forward(self, input, output_size=None):
        """The result, with `output_size` of these lengths; ValueError if none can be so."""
        more = self.padding_for(input, output_size)
        settings = self.stride, self.padding, more, self.groups, self.dilation
        return self.function(input, self.weight, self.bias, *settings)

    def padding_for(self, input, output_size):
        """The output_padding that gives a result of `output_size`, of which the last lengths count.

        Several lengths have the same convolution: `stride` of them in each dimension.
        """
        if output_size is None:
            return self.output_padding
        names = ("stride", "padding", "dilation", "kernel_size")
        before, wanted = input.shape[-self.dims :], [*output_size][-self.dims :]
        sides = zip(before, *[getattr(self, name) for name in names], strict=True)
        least = [(n - 1) * step - 2 * cut + apart * (k - 1) + 1 for n, step, cut, apart, k in sides]
        more = [length - n for length, n in zip(wanted, least, strict=True)]
        if not all(0 <= extra < step for extra, step in zip(more, self.stride, strict=True)):
            most = [n + step - 1 for n, step in zip(least, self.stride, strict=True)]
            raise ValueError(f"output_size can be {least} to {most}, got {wanted}")
        return tuple(more)


class ConvTranspose1d(ConvTransposeNd, function=conv_transpose1d, dims=1):
    """conv_transpose1d() with learned kernels, from `in_channels` to `out_channels`.

    >>> ConvTranspose1d(8, 3, kernel_size=2, stride=2)(tinytorch.zeros(2, 8, 5)).shape
    tinytorch.Size([2, 3, 10])
    """


class ConvTranspose2d(ConvTransposeNd, function=conv_transpose2d, dims=2):
    """conv_transpose2d() with learned kernels, from `in_channels` to `out_channels`.

    ValueError if the channels cannot be split into `groups`.

    >>> ConvTranspose2d(8, 3, kernel_size=2, stride=2)(tinytorch.zeros(2, 8, 5, 5)).shape
    tinytorch.Size([2, 3, 10, 10])
    """


class ConvTranspose3d(ConvTransposeNd, function=conv_transpose3d, dims=3):
    """conv_transpose3d() with learned kernels, from `in_channels` to `out_channels`.

    >>> ConvTranspose3d(8, 3, kernel_size=2, stride=2)(tinytorch.zeros(2, 8, 1, 5, 5)).shape
    tinytorch.Size([2, 3, 2, 10, 10])
    """
