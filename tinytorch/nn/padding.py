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


class ZeroPad:
    """Makes a ConstantPad one of zeros."""

    def __init__(self, padding):
        super().__init__(padding, 0.0)

    extra_repr = Padding.extra_repr


def kind(name, bases, doc, **settings):
    """A class of padding for each of 1, 2 and 3 dimensions, of the base or bases for each."""
    for dims, base in enumerate(bases, start=1):
        made = type(f"{name}{dims}d", base, {"__doc__": doc, "dims": dims, **settings})
        made.__module__ = __name__
        yield made


PADDING, CONSTANT = [(Padding,)] * 3, [(ConstantPad,)] * 3

ConstantPad1d, ConstantPad2d, ConstantPad3d = CONSTANTS = tuple(
    kind("ConstantPad", CONSTANT, "A frame of `value`.")
)
ZeroPad1d, ZeroPad2d, ZeroPad3d = kind(
    "ZeroPad", [(ZeroPad, constant) for constant in CONSTANTS], "A frame of zeros."
)
ReflectionPad1d, ReflectionPad2d, ReflectionPad3d = kind(
    "ReflectionPad",
    PADDING,
    "The image mirrored at its edges, which are not doubled.",
    mode="reflect",
)
ReplicationPad1d, ReplicationPad2d, ReplicationPad3d = kind(
    "ReplicationPad", PADDING, "The edges of the image, again and again.", mode="replicate"
)
CircularPad1d, CircularPad2d, CircularPad3d = kind(
    "CircularPad", PADDING, "What stands at the other end of the image.", mode="circular"
)
