"""Padding as modules: numbers, copies of the edge, or a mirror around an image."""

from tinytorch.nn.module import Module
from tinytorch.ops.joining import pad


class Padding(Module):
    """pad() of the last `dims` dimensions, by one number or a pair (before, after) for each."""

    dims, mode, value = 1, "constant", 0.0  # a subclass says

    def __init__(self, padding):
        super().__init__()
        single = isinstance(padding, int)
        self.padding = (padding,) * (2 * self.dims) if single else tuple(padding)

    def forward(self, input):
        return pad(input, self.padding, self.mode, self.value)

    def extra_repr(self):
        return f"{self.padding}"


class ConstantPad(Padding):
    """A frame of one number."""

    def __init__(self, padding, value):
        super().__init__(padding)
        self.value = value

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"


def kind(name, base, doc, **settings):
    """A class of padding for 1 and one for 2 dimensions."""
    for dims in (1, 2):
        made = type(f"{name}{dims}d", (base,), {"__doc__": doc, "dims": dims, **settings})
        made.__module__ = __name__
        yield made


ZeroPad1d, ZeroPad2d = kind("ZeroPad", Padding, "A frame of zeros.")
ConstantPad1d, ConstantPad2d = kind("ConstantPad", ConstantPad, "A frame of `value`.")
ReflectionPad1d, ReflectionPad2d = kind(
    "ReflectionPad",
    Padding,
    "The image mirrored at its edges, which are not doubled.",
    mode="reflect",
)
ReplicationPad1d, ReplicationPad2d = kind(
    "ReplicationPad", Padding, "The edges of the image, again and again.", mode="replicate"
)
CircularPad1d, CircularPad2d = kind(
    "CircularPad", Padding, "What stands at the other end of the image.", mode="circular"
)
