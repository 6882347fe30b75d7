"""Activations: the bends between the linear layers of a network."""

import math

from tinytorch import elementwise
from tinytorch.elementwise import exp, relu, sigmoid, silu, tanh, where
from tinytorch.nn.module import Module
from tinytorch.reductions import log_softmax, softmax


def gelu(input, approximate="none"):
    """x times the probability that a normal number is below x; "tanh" for a common approximation.

    D. Hendrycks and K. Gimpel, Gaussian Error Linear Units, 2016.
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


def elu(input, alpha=1.0):
    """x where x > 0, else alpha * (e^x - 1)."""
    negative = exp(where(input > 0, 0.0, input)) - 1  # where: e^x of a large x would overflow
    return where(input > 0, input, negative * alpha)


def softplus(input, beta=1.0, threshold=20.0):
    """log(1 + e^(beta x)) / beta: a smooth relu, and x itself where beta x is above `threshold`."""
    return where(input * beta > threshold, input, elementwise.softplus(input * beta) / beta)


class ReLU(Module):
    """max(0, x)."""

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input):
        return input.relu_() if self.inplace else relu(input)

    def extra_repr(self):
        return "inplace=True" if self.inplace else ""


class LeakyReLU(Module):
    """leaky_relu() as a module."""

    def __init__(self, negative_slope=0.01):
        super().__init__()
        self.negative_slope = negative_slope

    def forward(self, input):
        return leaky_relu(input, self.negative_slope)

    def extra_repr(self):
        return f"negative_slope={self.negative_slope}"


class ELU(Module):
    """elu() as a module."""

    def __init__(self, alpha=1.0):
        super().__init__()
        self.alpha = alpha

    def forward(self, input):
        return elu(input, self.alpha)

    def extra_repr(self):
        return f"alpha={self.alpha}"


class GELU(Module):
    """gelu() as a module."""

    def __init__(self, approximate="none"):
        super().__init__()
        self.approximate = approximate

    def forward(self, input):
        return gelu(input, self.approximate)

    def extra_repr(self):
        return f"approximate={self.approximate!r}"


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


class Softplus(Module):
    """softplus() as a module."""

    def __init__(self, beta=1.0, threshold=20.0):
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input):
        return softplus(input, self.beta, self.threshold)

    def extra_repr(self):
        return f"beta={self.beta}, threshold={self.threshold}"


class Softmax(Module):
    """Exponentials divided by their sum along `dim`."""

    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return softmax(input, self.dim)

    def extra_repr(self):
        return f"dim={self.dim}"


class LogSoftmax(Softmax):
    """The logarithm of Softmax, without overflow."""

    def forward(self, input):
        return log_softmax(input, self.dim)
