"""Activations: the bends between the linear layers of a network."""

import math

from tinytorch.nn.function_module import FunctionModule
from tinytorch.ops import elementwise
from tinytorch.ops.elementwise import sigmoid, tanh, where
from tinytorch.ops.inplace import in_place
from tinytorch.ops.reductions import log_softmax, softmax


def relu(input, inplace=False):
    """max(0, x), with `inplace` written over x."""
    return input.relu_() if inplace else elementwise.relu(input)


def silu(input, inplace=False):
    """x * sigmoid(x), with `inplace` written over x."""
    return silu_(input) if inplace else elementwise.silu(input)


def leaky_relu(input, negative_slope=0.01, inplace=False):
    """x where x > 0, else negative_slope * x; with `inplace` written over x.

    >>> leaky_relu(tinytorch.tensor([-1.0, 2.0]), 0.5)
    tensor([-0.5000,  2.0000])
    """
    if inplace:
        return leaky_relu_(input, negative_slope)
    return where(input > 0, input, input * negative_slope)


silu_ = in_place(silu, "silu_")
leaky_relu_ = in_place(leaky_relu, "leaky_relu_")


def gelu(input, approximate="none"):
    """x times the probability that a normal number is below x; "tanh" for a common approximation.

    RuntimeError for another `approximate`. D. Hendrycks and K. Gimpel, Gaussian Error Linear
    Units, 2016.
    """
    if approximate == "none":
        return elementwise.gelu_by_erf(input)
    if approximate != "tanh":
        raise RuntimeError(f"approximate must be 'none' or 'tanh', got {approximate!r}")
    inner = (input + input * input * input * 0.044715) * math.sqrt(2 / math.pi)
    return input * (tanh(inner) + 1) * 0.5


class Activation(FunctionModule):
    """An activation as a module; `inplace` is printed where it is set."""

    def extra_repr(self):
        shown = [name for name in self.settings if name != "inplace" or self.inplace]
        return ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)


class ReLU(Activation, function=relu):
    """relu() as a module."""


class LeakyReLU(Activation, function=leaky_relu):
    """leaky_relu() as a module."""


class GELU(Activation, function=gelu):
    """gelu() as a module."""


class SiLU(Activation, function=silu):
    """silu() as a module."""


class Sigmoid(Activation, function=sigmoid):
    """1 / (1 + e^-x)."""


class Tanh(Activation, function=tanh):
    """The hyperbolic tangent."""


class Softmax(Activation, function=lambda input, dim: softmax(input, dim)):
    """Exponentials divided by their sum along `dim`."""


class LogSoftmax(Activation, function=lambda input, dim: log_softmax(input, dim)):
    """The logarithm of Softmax, without overflow."""
