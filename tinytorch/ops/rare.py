"""Rarer functions of elements: what NaN loses to, parts of numbers, common divisors."""

import math

import numpy as np

from tinytorch import dtypes
from tinytorch.node import Rule
from tinytorch.operation import binary, operand, operand_error, quiet, recorded, unary
from tinytorch.ops.comparison import isnan
from tinytorch.ops.elementwise import exp2, grad_unless, log, log1p, mul, sign, where, zeros_for
from tinytorch.ops.ordering import return_type
from tinytorch.ops.special import erfc, lgamma, sigmoid, times_log
from tinytorch.tensor import Tensor, method, wrap

FRexp = return_type("frexp", "mantissa exponent")
LN2 = math.log(2)

# fmt: off
fmax = binary("fmax", np.fmax, uses=("xy", "xy"),
    doc="The larger of the two, and of NaN and a number the number.",
    left=lambda grad, x, y: grad_unless(~((x >= y) | isnan_of(y)), x == y, grad),
    right=lambda grad, x, y: grad_unless((x > y) | isnan_of(y), x == y, grad))

fmin = binary("fmin", np.fmin, uses=("xy", "xy"),
    doc="The smaller of the two, and of NaN and a number the number.",
    left=lambda grad, x, y: grad_unless(~((x <= y) | isnan_of(y)), x == y, grad),
    right=lambda grad, x, y: grad_unless((x < y) | isnan_of(y), x == y, grad))

logaddexp2 = binary("logaddexp2", np.logaddexp2, integers=False,
    doc="log2(2^input + 2^other), without overflow.",
    left=lambda grad, x, y: grad * sigmoid((x - y) * LN2),
    right=lambda grad, x, y: grad * sigmoid((y - x) * LN2))

xlog1py = binary("xlog1py", times_log(np.log1p), integers=False,
    doc="input * log(1 + other), and 0 where input is 0.",
    left=lambda grad, x, y: grad * log1p(where((x == 0) & (y <= -1), 0, y)),
    right=lambda grad, x, y: grad * x / (y + 1))

i0 = unary("i0", np.i0, lambda grad, x: grad * i1(x), saves=0,
    doc="The modified Bessel function of order 0.")
angle = unary("angle", lambda x: np.where(x < 0, x.dtype.type(math.pi), np.where(x >= 0, 0, x)),
    lambda grad: zeros_for(grad), saves=None,
    doc="The angle to the positive numbers: pi below 0, else 0.")
# fmt: on


def isnan_of(x):
    return isnan(x) if isinstance(x, Tensor) else np.isnan(x)


def bessel_array(order):
    """The function of arrays I_order(x) e^-|x|, I being the modified Bessel function.

    By its series in x and, from FAR on, by the one in 1 / x (M. Abramowitz and I. Stegun, 1964,
    9.6.10 and 9.7.1).
    """

    def scaled(x):
        size = np.abs(x.astype(np.float64))
        half, far = np.minimum(size, FAR) / 2, np.maximum(size, FAR)
        near, series = 1.0, 1.0
        for k in range(60, 0, -1):
            near = 1 + near * half * half / (k * (k + order))
        for k in range(20, 0, -1):
            series = 1 - series * (4 * order**2 - (2 * k - 1) ** 2) / (8 * k * far)
        near = near * half**order * np.exp(-2 * half)
        y = np.where(size < FAR, near, series / np.sqrt(2 * math.pi * far))
        return np.asarray(np.where(np.isnan(x), x, y * np.sign(x) ** order)).astype(x.dtype)

    return scaled


FAR = 30.0

# fmt: off
i0e = unary("i0e", bessel_array(0), lambda grad, x: grad * (i1e(x) - sign(x) * i0e(x)), saves=0,
    doc="i0(input) * exp(-|input|), which doesn't overflow.")
i1e = unary("i1e", bessel_array(1), lambda grad, x: grad * bessel_slope(x, i0e(x), i1e(x), sign(x)),
    saves=0, doc="i1(input) * exp(-|input|), which doesn't overflow.")
i1 = unary("i1", lambda x: i1e(x) * np.exp(np.abs(x)), saves=0,
    formula=lambda grad, x: grad * bessel_slope(x, i0(x), i1(x)),
    doc="The modified Bessel function of order 1.")
# fmt: on


def bessel_slope(x, zeroth, first, damping=0):
    """The slope of i1, and with the sign of x as `damping` that of i1e."""
    return zeroth - first * damping - where(x == 0, 0.5, first / where(x == 0, 1.0, x))


@method("ldexp")
def ldexp(input, other):
    """input * 2 ** other."""
    other = operand(other, input)
    return mul(input, exp2(other))


@method("frexp")
def frexp(input):
    """A pair: parts from 0.5 to 1, and the powers of 2 that they are times, so that both make up
    the input. RuntimeError for integers.

    >>> frexp(tinytorch.tensor([6.0])).exponent
    tensor([3], dtype=tinytorch.int32)
    """
    if not input.is_floating_point():
        raise RuntimeError(f"frexp() needs floats, got {input.dtype}")
    _, exponent = np.frexp(input._data)
    exponent = np.where(np.isfinite(input._data), exponent, 0).astype(np.int32)
    one, half = np.ones_like(input._data), exponent // 2  # in two steps: 2^149 is no float32
    scales = wrap(np.ldexp(one, -half)), wrap(np.ldexp(one, half - exponent))
    return FRexp(input * scales[0] * scales[1], wrap(exponent))


def of_integers(name, function, doc):
    """A function of two tensors of integers."""

    def operation(input, other):
        x, y = operand(input, other)._data, operand(other, input)._data
        if x.dtype.kind not in "iu" or y.dtype.kind not in "iu":
            raise NotImplementedError(f"{name}() is for integers, got {x.dtype} and {y.dtype}")
        dtype = dtypes.promote(x, y)
        try:
            return wrap(function(x, y).astype(dtype))
        except ValueError as error:
            raise operand_error(name, x, y, error) from None

    return method(name, doc=doc)(operation)


gcd = of_integers("gcd", np.gcd, "The largest integer that divides both.")
lcm = of_integers("lcm", np.lcm, "The smallest integer that both divide.")


@method("nextafter")
def nextafter(input, other):
    """The next number that floats can hold, from `input` towards `other`."""
    if not (input.is_floating_point() and other.is_floating_point()):
        raise NotImplementedError("nextafter() is for floats")
    return wrap(np.nextafter(input._data, other._data))


@method("mvlgamma")
def mvlgamma(input, p):
    """lgamma() of `p` dimensions: a constant, and the sum of lgamma(input - j / 2), j below p."""
    if not (input > (p - 1) / 2).all():
        raise RuntimeError(f"mvlgamma() of {p} dimensions needs numbers above {(p - 1) / 2}")
    parts = [lgamma(input - j / 2) for j in range(p)]
    return sum(parts) + p * (p - 1) / 4 * math.log(math.pi)


def entr_formula(grad, x):
    return -grad * (log(x) + 1)


ENTR = Rule("EntrBackward0", (entr_formula,), (0,))


@quiet
def entr(input):
    """-input * log(input): 0 at 0, minus infinity below."""
    x = dtypes.to_floating(input._data)
    y = np.where(x < 0, -math.inf, 0 - times_log(np.log)(x, x))
    return recorded(y, ENTR, (input,), x)


def ndtr(input):
    """The probability that a normal number is below: half of erfc(-input / sqrt(2))."""
    return erfc(input * -math.sqrt(0.5)) / 2
