"""Elementwise operations that programs meet now and then, made as those of elementwise.py."""

import math

import numpy as np

from tinytorch.dtypes import USUAL, float16, to_floating
from tinytorch.node import Rule
from tinytorch.operation import binary, recorded, unary
from tinytorch.ops.comparison import question
from tinytorch.ops.elementwise import abs, exp, log, pow, sigmoid, sin, where, zeros_for
from tinytorch.ops.special_arrays import (
    digamma_array,
    erfc_array,
    erfinv_array,
    lgamma_array,
    polygamma_array,
)
from tinytorch.tensor import Tensor, check_tensors, method


def times_log(log):
    """x times a logarithm of y, of arrays; 0 where x is 0, unless y is NaN."""
    return lambda x, y: np.where((x == 0) & (y == y), x * 0, x * log(y))


# fmt: off
hypot = binary("hypot", np.hypot,
    doc="The length of the hypotenuse: sqrt(input^2 + other^2).",
    left=lambda grad, x, y: grad * x / hypot(x, y),
    right=lambda grad, x, y: grad * y / hypot(x, y))

logaddexp = binary("logaddexp", np.logaddexp,
    doc="log(exp(input) + exp(other)), without overflow.",
    left=lambda grad, x, y: grad * sigmoid(x - y),
    right=lambda grad, x, y: grad * sigmoid(y - x))

xlogy = binary("xlogy", times_log(np.log), integers=False,
    doc="input * log(other), and 0 where input is 0.",
    left=lambda grad, x, y: grad * log(where((x == 0) & (y <= 0), 1, y)),
    right=lambda grad, x, y: grad * x / y)

copysign = binary("copysign", np.copysign, integers=False,
    doc="`input` with the sign of `other`.",
    left=lambda grad, x, y: grad * same_or_turned(x, y),
    right=lambda grad, x, y: zeros_for(grad))

frac = unary("frac", lambda x: x - np.trunc(x), lambda grad: grad, saves=None,
    doc="What is behind the decimal point, with the sign of the input.")
deg2rad = unary("deg2rad", np.deg2rad, lambda grad: grad * (math.pi / 180), saves=None,
    doc="An angle of degrees in radians.")
rad2deg = unary("rad2deg", np.rad2deg, lambda grad: grad * (180 / math.pi), saves=None,
    doc="An angle of radians in degrees.")
erfc = unary("erfc", erfc_array, lambda grad, x: grad * exp(-x * x) * (-2 / math.sqrt(math.pi)),
    saves=0, doc="1 - erf(input), exact even where that is next to 0.")
erfinv = unary("erfinv", erfinv_array, lambda grad, y: grad * exp(y * y) * (math.sqrt(math.pi) / 2),
    doc="The number with this erf(); NaN outside of [-1, 1].")
lgamma = unary("lgamma", lgamma_array, lambda grad, x: grad * digamma(x), saves=0,
    doc="log(|gamma(input)|): of n + 1 the logarithm of n!.")
digamma = unary("digamma", digamma_array, lambda grad, x: grad * polygamma(1, x), saves=0,
    doc="The slope of lgamma().")
logit_of = unary("logit", lambda x: np.log(x) - np.log1p(-x), saves=0,
    formula=lambda grad, x: grad * where((x >= 0) & (x <= 1), 1 / abs(x * (1 - x)), math.nan))
# fmt: on


def same_or_turned(x, y):
    """1 where x has the sign of y, -1 where it has the other; 0 at 0, where |x| has a corner."""
    some = where(x == 0, 1, x)
    return where(x == 0, 0, copysign(some, y) / some)


isposinf = question("isposinf", np.isposinf, "True where the element is infinity.")
isneginf = question("isneginf", np.isneginf, "True where the element is minus infinity.")
signbit = question("signbit", np.signbit, "True where the element has a minus sign.")


def polygamma_formula(grad, x, n):
    return grad * polygamma(n + 1, x)


POLYGAMMA = Rule("PolygammaBackward0", (polygamma_formula,), (0,))


def polygamma(n, input):
    """The n-th slope of digamma()."""
    if n == 0:
        return digamma(input)
    if not isinstance(input, Tensor):
        return polygamma_array(input, n)
    x = to_floating(input._data)
    return recorded(polygamma_array(x, n), POLYGAMMA, (input,), x, n)


@method("logit")
def logit(input, eps=None):
    """log(input / (1 - input)), the way back of sigmoid(); `eps` keeps off 0 and 1.

    >>> logit(tinytorch.tensor([0.5]))
    tensor([0.])
    """
    check_tensors("logit", input=input)
    inside = input if input.is_floating_point() else input.to(USUAL["f"])
    if eps is not None:
        inside = where(inside < eps, eps, where(inside > 1 - eps, 1 - eps, inside))
    return logit_of(inside)


@method("sinc")
def sinc(input):
    """sin(pi input) / (pi input), and 1 at 0."""
    if input.dtype == float16:  # whose pi is off: the sine of 1 times that would not be 0
        return sinc(input.float()).half()
    angle = input * math.pi
    near = abs(angle) < 0.25  # there, a series: the slope is a difference of large numbers
    square = where(near, angle, 0.0) ** 2
    series = 1.0
    for n in (72, 42, 20, 6):
        series = 1 - square / n * series
    angle = where(near, 1.0, angle)
    return where(near, series, sin(angle) / angle)


@method("float_power")
def float_power(input, exponent):
    """pow() in float64."""
    return pow(input.double(), exponent)


@method("heaviside")
def heaviside(input, values):
    """0 where `input` is below 0, 1 where it is above, and `values` at 0: no gradient flows."""
    return where(input == 0, values.detach(), (input > 0).type_as(input))
