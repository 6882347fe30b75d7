"""Activations: the bends between the linear layers of a network."""

import math
import warnings

from tinytorch.nn.function_module import FunctionModule
from tinytorch.ops import elementwise, reductions
from tinytorch.ops.elementwise import sigmoid, tanh, where
from tinytorch.ops.inplace import in_place


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


def implicit_dim(input, dim):
    """The dimension, or where none is given the one that old programs mean, with a warning."""
    if dim is not None:
        return dim
    dim = 0 if input.dim() in (0, 1, 3) else 1
    warnings.warn(f"softmax without dim takes {dim} here; say dim={dim}", stacklevel=3)
    return dim


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    """exp(input) scaled to sum 1 along `dim`.

    >>> softmax(tinytorch.zeros(2), dim=0)
    tensor([0.5000, 0.5000])
    """
    return reductions.softmax(input, implicit_dim(input, dim), dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    """log(softmax(input)), exact where softmax() itself would be 0."""
    return reductions.log_softmax(input, implicit_dim(input, dim), dtype)


class Softmax(Activation, function=lambda input, dim=None: softmax(input, dim)):
    """Exponentials divided by their sum along `dim`."""


class LogSoftmax(Activation, function=lambda input, dim=None: log_softmax(input, dim)):
    """The logarithm of Softmax, without overflow."""
