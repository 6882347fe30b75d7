"""The rarer activations: each one a formula in terms of the common operations."""

from functools import wraps
from inspect import Parameter, signature

from tinytorch.nn.activations import Activation, softmax
from tinytorch.nn.module import Module
from tinytorch.nn.parameter import add_parameters
from tinytorch.ops.creation import full, zeros_like
from tinytorch.ops.elementwise import abs, clamp, expm1, log, sigmoid, tanh, where
from tinytorch.ops.elementwise import softplus as softplus_of
from tinytorch.ops.inplace import in_place
from tinytorch.ops.joining import chunk
from tinytorch.ops.random import rand_like
from tinytorch.tensor import check_tensors


def also_in_place(function):
    """Decorator: the function takes `inplace` as well, and then writes over its input."""
    over = in_place(function, f"{function.__name__}_")
    own = signature(function)

    @wraps(function)
    def activation(input, *settings, inplace=False, **named):
        if len(settings) == len(own.parameters):  # inplace has come by its place
            *settings, inplace = settings
        return (over if inplace else function)(input, *settings, **named)

    last = Parameter("inplace", Parameter.POSITIONAL_OR_KEYWORD, default=False)
    activation.__signature__ = own.replace(parameters=[*own.parameters.values(), last])
    return activation


# --- cut straight ---


@also_in_place
def hardtanh(input, min_val=-1.0, max_val=1.0):
    """The input, held between `min_val` and `max_val`; where it is held the slope is 0.

    >>> hardtanh(tinytorch.tensor([-3.0, 0.5, 3.0]))
    tensor([-1.0000,  0.5000,  1.0000])
    """
    if min_val > max_val:
        raise ValueError(f"hardtanh needs min_val <= max_val, got {min_val} and {max_val}")
    held = where(input <= min_val, min_val, where(input >= max_val, max_val, input))
    return held.type_as(input)


@also_in_place
def relu6(input):
    """relu() held at 6."""
    return hardtanh(input, 0.0, 6.0)


@also_in_place
def hardsigmoid(input):
    """A straight line from 0 at -3 to 1 at 3, and flat outside."""
    return clamp(input + 3, 0, 6) / 6


@also_in_place
def hardswish(input):
    """x * hardsigmoid(x), 0 below -3 and x above 3."""
    held = clamp(input, -3, 3)  # so that no slope is infinite
    bent = where(input < 3, held * (held + 3) / 6, input)
    return where(input <= -3, input.detach() * 0.0, bent)  # minus infinity times 0 is NaN


@also_in_place
def threshold(input, threshold, value):
    """x where x > threshold, else `value`."""
    return where(input <= threshold, value, input)  # NaN stays NaN


def hardshrink(input, lambd=0.5):
    """x where |x| > lambd, else 0."""
    return where(abs(input) <= lambd, 0.0, input)  # NaN stays NaN


def softshrink(input, lambd=0.5):
    """x moved by lambd towards 0, and 0 where it would get past it; RuntimeError if lambd < 0."""
    if lambd < 0:
        raise RuntimeError(f"softshrink() needs a lambd of at least 0, got {lambd}")
    return where(abs(input) <= lambd, 0.0, where(input > 0, input - lambd, input + lambd))


# --- bent ---


@also_in_place
def elu(input, alpha=1.0):
    """x where x > 0, else alpha * (e^x - 1).

    D.-A. Clevert et al., Fast and Accurate Deep Network Learning by Exponential Linear Units, 2016.
    """
    below = input <= 0  # elsewhere e^x could be beyond all bounds
    return where(below, alpha * expm1(where(below, input, 0)), input)


@also_in_place
def celu(input, alpha=1.0):
    """x where x > 0, else alpha * (e^(x / alpha) - 1): elu() with slope 1 at 0."""
    below = input <= 0
    return where(below, alpha * expm1(where(below, input, 0) / alpha), input)


@also_in_place
def selu(input):
    """elu() scaled so that mean 0 and variance 1 stay what they are.

    G. Klambauer et al., Self-Normalizing Neural Networks, 2017.
    """
    return 1.0507009873554805 * elu(input, 1.6732632423543772)


def softplus(input, beta=1.0, threshold=20.0):
    """log(1 + e^(beta x)) / beta, a smooth relu; x itself where beta x > threshold."""
    return where(input * beta > threshold, input, softplus_of(input * beta) / beta)


def logsigmoid(input):
    """The logarithm of sigmoid(), without overflow."""
    return -softplus_of(-input)


@also_in_place
def mish(input):
    """x * tanh(softplus(x)). D. Misra, Mish, 2019."""
    return input * tanh(softplus_of(input))


def softsign(input):
    """x / (1 + |x|)."""
    return input / (1 + abs(input))


def tanhshrink(input):
    """x - tanh(x)."""
    return input - tanh(input)


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    """softmax() of -x."""
    return softmax(-input, dim, dtype=dtype)


def glu(input, dim=-1):
    """The first half along `dim`, times sigmoid() of the second; RuntimeError for odd lengths."""
    if input.shape[dim] % 2:
        raise RuntimeError(f"glu halves dimension {dim}, got its length {input.shape[dim]}")
    value, gate = chunk(input, 2, dim)
    return value * sigmoid(gate)


def prelu(input, weight):
    """x where x > 0, else x times `weight`: one number, or one for each channel (N, C, ...)."""
    check_tensors("prelu", input=input, weight=weight)
    if weight.dim() > 1:
        shape = tuple(weight.shape)
        raise RuntimeError(f"prelu needs one weight or one for each channel, got shape {shape}")
    apart = [1] * (input.dim() - 2)  # (C,) -> (C, 1, 1)
    weight = weight.reshape(-1, *apart) if weight.numel() > 1 else weight.reshape(())
    return where(input > 0, input, input * weight)


def gumbel_softmax(logits, tau=1.0, hard=False, eps=1e-10, dim=-1):
    """A random choice along `dim` that gradients pass: softmax((logits + noise) / tau).

    With `hard` the result is one-hot, and its gradient that of the soft one. `eps` is a setting of
    old programs, and ignored.
    E. Jang et al., Categorical Reparameterization with Gumbel-Softmax, 2017.
    """
    noise = -log(-log(rand_like(logits) + 1e-20) + 1e-20)
    soft = softmax((logits + noise) / tau, dim)
    if not hard:
        return soft
    chosen = zeros_like(soft).scatter(dim, soft.argmax(dim, keepdim=True), 1.0)
    return chosen - soft.detach() + soft


# --- the same as modules ---


class Short(Activation):
    """An activation whose settings are printed without their names."""

    def extra_repr(self):
        return ", ".join(str(getattr(self, name)) for name in self.settings)


class Hardtanh(Activation, function=hardtanh):
    """hardtanh() as a module."""


class ReLU6(Hardtanh, function=relu6):
    """relu6() as a module."""

    min_val, max_val = 0.0, 6.0


class Hardsigmoid(Activation, function=hardsigmoid):
    """hardsigmoid() as a module."""


class Hardswish(Activation, function=hardswish):
    """hardswish() as a module."""


class Threshold(Activation, function=threshold):
    """threshold() as a module."""


class Hardshrink(Short, function=hardshrink):
    """hardshrink() as a module."""


class Softshrink(Short, function=softshrink):
    """softshrink() as a module."""


class ELU(Activation, function=elu):
    """elu() as a module."""


class CELU(Activation, function=celu):
    """celu() as a module."""


class SELU(Activation, function=selu):
    """selu() as a module."""


class Softplus(Activation, function=softplus):
    """softplus() as a module."""


class LogSigmoid(Activation, function=logsigmoid):
    """logsigmoid() as a module."""


class Mish(Activation, function=mish):
    """mish() as a module."""


class Softsign(Activation, function=softsign):
    """softsign() as a module."""


class Tanhshrink(Activation, function=tanhshrink):
    """tanhshrink() as a module."""


class Softmin(Activation, function=lambda input, dim=None: softmin(input, dim)):
    """softmin() as a module."""


class GLU(Activation, function=glu):
    """glu() as a module."""


class PReLU(Module):
    """prelu() with learned slopes, `init` at first."""

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters = num_parameters
        add_parameters(self, device, dtype, weight=num_parameters)
        self.weight.data = full((num_parameters,), init, dtype=self.weight.dtype)

    def forward(self, input):
        return prelu(input, self.weight)

    def extra_repr(self):
        return f"num_parameters={self.num_parameters}"
