"""Activations: the bends between the linear layers of a network."""

import math

from tinytorch import elementwise
from tinytorch.elementwise import relu, sigmoid, silu, tanh, where
from tinytorch.nn.module import Module
from tinytorch.reductions import log_softmax, softmax


def gelu(input, *, approximate="none"):
    """x times the probability that a normal number is below x; "tanh" for a common approximation.

    RuntimeError for another `approximate`. D. Hendrycks and K. Gimpel, Gaussian Error Linear
    Units, 2016.
    """
    if approximate == "none":
        return elementwise.gelu(input)
    if approximate != "tanh":
        raise RuntimeError(f"approximate must be 'none' or 'tanh', got {approximate!r}")
    inner = (input + input * input * input * 0.044715) * math.sqrt(2 / math.pi)
    return input * (tanh(inner) + 1) * 0.5


def leaky_relu(input, negative_slope=0.01):
    """x where x > 0, else negative_slope * x.

    >>> leaky_relu(tinytorch.tensor([-1.0, 2.0]), 0.5)
    tensor([-0.5000,  2.0000])
    """
    return where(input > 0, input, input * negative_slope)


class ReLU(Module):
    """max(0, x), with `inplace` written over x."""

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input):
        return input.relu_() if self.inplace else relu(input)

    def extra_repr(self):
        return "inplace=True" if self.inplace else ""


class LeakyReLU(Module):
    """leaky_relu() as a module."""

    settings = ("negative_slope",)

    def __init__(self, negative_slope=0.01):
        super().__init__()
        self.negative_slope = negative_slope

    def forward(self, input):
        return leaky_relu(input, self.negative_slope)


class GELU(Module):
    """gelu() as a module."""

    settings = ("approximate",)

    def __init__(self, approximate="none"):
        super().__init__()
        self.approximate = approximate

    def forward(self, input):
        return gelu(input, approximate=self.approximate)


class SiLU(Module):
    """x * sigmoid(x)."""

    def forward(self, input):
        return silu(input)


class Sigmoid(Module):
    """1 / (1 + e^-x)."""

    def forward(self, input):
        return sigmoid(input)


class Tanh(Module):
    """The hyperbolic tangent."""

    def forward(self, input):
        return tanh(input)


class Softmax(Module):
    """Exponentials divided by their sum along `dim`."""

    settings = ("dim",)

    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return softmax(input, self.dim)


class LogSoftmax(Softmax):
    """The logarithm of Softmax, without overflow."""

    def forward(self, input):
        return log_softmax(input, self.dim)
