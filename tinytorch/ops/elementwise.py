"""Elementwise operations: each element of the result comes from the elements at its own place."""

import math
from typing import Any

import numpy as np

from tinytorch import dtypes, memory
from tinytorch.node import OUTPUT, Rule
from tinytorch.operation import (
    binary,
    constant,
    fitted,
    meets_half,
    operand,
    operand_error,
    recorded,
    to_one_dtype,
    unary,
)
from tinytorch.ops.array_functions import (
    gelu_array,
    gelu_slope,
    in_whole_steps,
    negative,
    power,
    raised,
    relu_array,
    sigmoid_array,
    sign_array,
    softplus_array,
    square_array,
    unless_below,
)
from tinytorch.ops.erf_array import erf_array
from tinytorch.ops.operators import operator
from tinytorch.ops.out import with_out
from tinytorch.state import state
from tinytorch.tensor import Tensor, array_of, method, wrap

# --- two inputs: left(grad, x, y) is the gradient of x, right(grad, x, y) that of y ---
# `uses` says which of x and y each of the two looks at.

# fmt: off
plus = binary("add", np.add, uses=("", ""),
    doc="input + other; the two broadcast.",
    left=lambda grad, x, y: grad,
    right=lambda grad, x, y: grad[...])  # a view: only one input may receive the very same array

minus = binary("sub", np.subtract, uses=("", ""),
    doc="input - other; the two broadcast.",
    left=lambda grad, x, y: grad,
    right=lambda grad, x, y: -grad)

mul = binary("mul", np.multiply, uses=("y", "x"),
    doc="input * other; the two broadcast.",
    left=lambda grad, x, y: grad * y,
    right=lambda grad, x, y: grad * x)

quotient = binary("div", np.true_divide, uses=("y", "xy"), integers=False,
    doc="input / other; the two broadcast.",
    left=lambda grad, x, y: grad / y,
    right=lambda grad, x, y: -grad * (x / y / y))  # y * y may be 0, or infinite

pow_tensors = binary("pow", power, uses=("xy", "xy"),  # without where: 0 * infinity at x = 0
    doc="input to the power of `other`, element by element.",
    left=lambda grad, x, y: where(y == 0, 0, grad * (y * x ** (y - 1))),
    right=lambda grad, x, y: grad * where((x == 0) & (y >= 0), 0 * x, x**y * log(x)))

atan2 = binary("atan2", np.arctan2, uses=("xy", "xy"), integers=False,
    doc="The angle of the point (other, input), from -pi to pi.",
    left=lambda grad, x, y: grad * y / square_of_distance(x, y),
    right=lambda grad, x, y: -grad * x / square_of_distance(x, y))

maximum = binary("maximum", np.maximum, uses=("xy", "xy"),
    doc="The larger of the two, element by element; equal ones share the gradient.",
    left=lambda grad, x, y: grad_unless(x < y, x == y, grad),
    right=lambda grad, x, y: grad_unless(y < x, x == y, grad))

minimum = binary("minimum", np.minimum, uses=("xy", "xy"),
    doc="The smaller of the two, element by element; equal ones share the gradient.",
    left=lambda grad, x, y: grad_unless(x > y, x == y, grad),
    right=lambda grad, x, y: grad_unless(y > x, x == y, grad))

remainder = binary("remainder", in_whole_steps(np.remainder), uses=("", "xy"),
    doc="What is left of input / other, with the sign of `other`: -7 leaves 2 by 3.",
    left=lambda grad, x, y: grad,
    right=lambda grad, x, y: -grad * floor_divide(x, y))

fmod = binary("fmod", in_whole_steps(np.fmod), uses=("", "xy"),
    doc="What is left of input / other, with the sign of `input`: -7 leaves -1 by 3.",
    left=lambda grad, x, y: grad,
    right=lambda grad, x, y: -grad * trunc(x / y))

floor_divide = binary("floor_divide", in_whole_steps(np.floor_divide), uses=("", ""),
    doc="The whole part of input / other, rounded down; its slope is 0.",
    left=lambda grad, x, y: zeros_for(grad),  # a step: no slope anywhere but at the jumps
    right=lambda grad, x, y: zeros_for(grad))
# fmt: on


def zeros_for(grad):
    """Zeros of its shape, whatever it holds: an infinite number times 0 would be NaN."""
    return where(ALWAYS, 0, grad)


ALWAYS = np.array(True)


def square_of_distance(x, y):
    """From the origin; 1 there, so that the slopes, 0 / 0, are 0."""
    square = x * x + y * y
    return square + (square == 0)


def grad_unless(lost, equal, grad):
    """0 where this input has lost, half of `grad` where both are equal, all of it elsewhere."""
    return where(lost, 0, where(equal, grad / 2, grad))


operator("__add__", "__radd__")(plus)
operator("__sub__")(minus)
operator("__mul__", "__rmul__")(mul)
operator("__truediv__")(quotient)
operator("__mod__")(remainder)
operator("__floordiv__")(floor_divide)
Tensor.multiply, Tensor.true_divide = mul, quotient


def factor_last(input, other, old, alpha):
    """`other` and its factor: once, programs gave the factor first. Integers take no broken one."""
    other, alpha = (old[0], other) if old else (other, alpha)
    if isinstance(alpha, float) and not any(
        operand(x, y).is_floating_point() for x, y in ((input, other), (other, input))
    ):
        raise RuntimeError(f"alpha is an integer where both tensors are, got {alpha}")
    return other, alpha


@with_out
def add(input, other, *old, alpha=1):
    """input + alpha * other; old programs say add(input, alpha, other).

    >>> tinytorch.add(tinytorch.tensor([1.0, 2.0]), 3)
    tensor([4., 5.])
    """
    other, alpha = factor_last(input, other, old, alpha)
    return plus(input, other if alpha == 1 else times_alpha(input, operand(other, input), alpha))


def times_alpha(input, other, alpha):
    """other * alpha, as it's added to the input: of two booleans, a boolean."""
    if isinstance(input, Tensor) and input._data.dtype.kind == other._data.dtype.kind == "b":
        return wrap(other._data & bool(alpha))
    return mul(other, alpha)


@with_out
def sub(input, other, *old, alpha=1):
    """input - alpha * other."""
    other, alpha = factor_last(input, other, old, alpha)
    return minus(input, other if alpha == 1 else mul(operand(other, input), alpha))


@with_out
def div(input, other, *, rounding_mode=None):
    """input / other; with `rounding_mode` "floor" or "trunc" the whole part of it.

    >>> tinytorch.div(tinytorch.tensor([-7, 7]), 2, rounding_mode="trunc")
    tensor([-3,  3])
    """
    if rounding_mode is None:
        return quotient(input, other)
    if rounding_mode == "floor":
        return floor_divide(input, other)
    if rounding_mode != "trunc":
        raise RuntimeError(f"rounding_mode is 'floor', 'trunc' or None, got {rounding_mode!r}")
    input = operand(input, other)
    below_0 = (input < 0) ^ (other < 0)
    return where(below_0, -floor_divide(-input, other), floor_divide(input, other))


def rsub(input, other, *, alpha=1):
    """other - alpha * input."""
    return reflected_minus(input if alpha == 1 else mul(input, alpha), other)


Tensor.add, Tensor.sub, Tensor.div, Tensor.divide = add, sub, div, div


def pow_number(grad, x, exponent):
    return grad * (pow(x, exponent - 1) * exponent) if exponent != 0 else zeros_for(grad)


POW = Rule("PowBackward0", (pow_number,), (0,))


def pow(input, exponent, out=None):
    """input to the power of `exponent`, a number or a tensor.

    >>> tinytorch.pow(tinytorch.tensor([1.0, 2.0]), 3)
    tensor([1., 8.])
    """
    if out is not None:
        return Tensor._written(out, pow(input, exponent))
    if type(exponent) not in (int, float) or type(input) not in (Tensor, np.ndarray):
        return pow_tensors(input, exponent)
    if type(input) is np.ndarray:
        return raised(input, exponent)
    x = input._data
    x = x.astype(dtypes.number_dtype(exponent, x.dtype), copy=False)
    try:
        return recorded(state.quietly(raised, x, exponent), POW, (input,), x, exponent)
    except (OverflowError, ValueError):
        raise RuntimeError(
            f"{x.dtype} cannot be raised to the power {exponent}; use x.float() ** {exponent}"
        ) from None


OVER = Rule("DivBackward0", (lambda grad, y, number: -grad * (y * (y / number)),), (OUTPUT,))


def reflected(operation):
    """The operation with its two inputs exchanged: 2 - x asks x for it."""

    def exchanged(input, other):
        """The same operator with `input` on its right."""
        if meets_half(other, input):
            return exchanged(input.float(), other).half()
        return operation(operand(other, input, wraps=operation is not quotient), input)

    return exchanged


any_over = reflected(quotient)


@operator("__rtruediv__")
def over(input, other):
    """other / input. With a number only the result is kept: the input may change afterwards."""
    x = input._data
    plain = type(other) in (int, float) and x.dtype.char in "fd"
    if not plain or not 1e-30 < max(other, -other) < 1e30:
        return any_over(input, other)
    y = state.quietly(np.true_divide, constant(float(other), x.dtype), x)
    return recorded(y, OVER, (input,), y, other)


method("pow")(operator("__pow__")(pow))
reflected_minus = operator("__rsub__")(reflected(minus))
operator("__rmod__")(reflected(remainder))
operator("__rfloordiv__")(reflected(floor_divide))
operator("__rpow__")(reflected(pow))


# --- one input: formula(grad, y) with the result y, or with saves=0 formula(grad, x) ---


def silu_formula(grad, x):
    s = sigmoid(x)
    return grad * (s * (1 + x * (1 - s)))


def erf_formula(grad, x):
    return grad * (exp(-x * x) * (2 / math.sqrt(math.pi)))


def gelu_formula(grad, x, result):
    if type(grad) is not Tensor:
        (y,) = result
        return grad * gelu_slope(x, gelu_array(x) if memory.version_of(y) else y)
    density = exp(x * x * -0.5) * (1 / math.sqrt(2 * math.pi))
    return grad * ((erf(x * math.sqrt(0.5)) + 1) * 0.5 + x * density)


def relu_formula(grad, y):
    return where(y <= 0, 0, grad) if type(grad) is Tensor else unless_below(grad, y)


# fmt: off
neg = unary("neg", negative, lambda grad: -grad, saves=None, integers=True,
    doc="-input.")
exp = unary("exp", np.exp, lambda grad, y: grad * y,
    doc="e to the power of each element.")
exp2 = unary("exp2", np.exp2, lambda grad, y: grad * (y * math.log(2)),
    doc="2 to the power of each element.")
expm1 = unary("expm1", np.expm1, lambda grad, y: grad * (y + 1),
    doc="e to the power of each element, minus 1: exact even near 0.")
log = unary("log", np.log, lambda grad, x: grad / x, saves=0,
    doc="The natural logarithm; NaN below 0, -inf at 0.")
log1p = unary("log1p", np.log1p, lambda grad, x: grad / (x + 1), saves=0,
    doc="The natural logarithm of 1 + input: exact even near 0.")
log2 = unary("log2", np.log2, lambda grad, x: grad / (x * math.log(2)), saves=0,
    doc="The logarithm to base 2.")
log10 = unary("log10", np.log10, lambda grad, x: grad / (x * math.log(10)), saves=0,
    doc="The logarithm to base 10.")
sqrt = unary("sqrt", np.sqrt, lambda grad, y: grad / (y * 2),
    doc="The square root; NaN below 0.")
rsqrt = unary("rsqrt", lambda x: 1 / np.sqrt(x), lambda grad, y: grad * (y * y * y) * -0.5,
    doc="1 / sqrt(input).")
reciprocal = unary("reciprocal", np.reciprocal, lambda grad, y: -grad * (y * y),
    doc="1 / input.")
square = unary("square", square_array, lambda grad, x: grad * (x * 2), saves=0, integers=True,
    doc="input * input.")
abs = unary("abs", np.absolute, lambda grad, x: grad * sign(x), saves=0, integers=True,
    doc="The distance from 0; at 0, where it has a corner, the slope is 0.")
sin = unary("sin", np.sin, lambda grad, x: grad * cos(x), saves=0,
    doc="The sine, of radians.")
cos = unary("cos", np.cos, lambda grad, x: -grad * sin(x), saves=0,
    doc="The cosine, of radians.")
tan = unary("tan", np.tan, lambda grad, y: grad * (y * y + 1),
    doc="The tangent, of radians.")
asin = unary("asin", np.arcsin, lambda grad, x: grad * rsqrt(1 - x * x), saves=0,
    doc="The angle in radians with this sine; NaN outside of [-1, 1].")
acos = unary("acos", np.arccos, lambda grad, x: -grad * rsqrt(1 - x * x), saves=0,
    doc="The angle in radians with this cosine; NaN outside of [-1, 1].")
atan = unary("atan", np.arctan, lambda grad, x: grad / (x * x + 1), saves=0,
    doc="The angle in radians with this tangent.")
sinh = unary("sinh", np.sinh, lambda grad, x: grad * cosh(x), saves=0,
    doc="The hyperbolic sine.")
cosh = unary("cosh", np.cosh, lambda grad, x: grad * sinh(x), saves=0,
    doc="The hyperbolic cosine.")
asinh = unary("asinh", np.arcsinh, lambda grad, x: grad * rsqrt(x * x + 1), saves=0,
    doc="The number with this hyperbolic sine.")
acosh = unary("acosh", np.arccosh, lambda grad, x: grad * rsqrt(x * x - 1), saves=0,
    doc="The number from 0 on with this hyperbolic cosine; NaN below 1.")
atanh = unary("atanh", np.arctanh, lambda grad, x: grad / (1 - x * x), saves=0,
    doc="The number with this hyperbolic tangent; NaN outside of [-1, 1].")
tanh = unary("tanh", np.tanh, lambda grad, y: grad - grad * (y * y),
    doc="The hyperbolic tangent: from -1 to 1.")
sigmoid = unary("sigmoid", sigmoid_array, lambda grad, y: grad * (y - y * y),
    doc="1 / (1 + exp(-input)): from 0 to 1, without overflow.")
relu = unary("relu", relu_array, relu_formula, integers=True,
    doc="max(0, input); at 0, where it has a corner, the slope is 0.")
softplus = unary("softplus", softplus_array, lambda grad, x: grad * sigmoid(x), saves=0,
    doc="log(1 + exp(input)), without overflow: a smooth relu.")
silu = unary("silu", lambda x: x * sigmoid_array(x), silu_formula, saves=0,
    doc="input * sigmoid(input).")
erf = unary("erf", erf_array, erf_formula, saves=0,
    doc="2 / sqrt(pi) times the integral of exp(-t^2) from 0 to input: from -1 to 1.")
sign = unary("sign", sign_array, zeros_for, saves=None, integers=True,
    doc="-1, 0 or 1; its slope is 0.")
floor = unary("floor", np.floor, zeros_for, saves=None, integers=True,
    doc="The largest whole number that is no larger; its slope is 0.")
ceil = unary("ceil", np.ceil, zeros_for, saves=None, integers=True,
    doc="The smallest whole number that is no smaller; its slope is 0.")
rounded = unary("round", np.round, zeros_for, saves=None, integers=True,
    doc="The nearest whole number, of two the even one; its slope is 0.")
trunc = unary("trunc", np.trunc, zeros_for, saves=None, integers=True,
    doc="The whole number next to it towards 0; its slope is 0.")
# fmt: on


@with_out
def round(input, *, decimals=0):
    """The nearest number with so many `decimals`, of two the even one; its slope is 0.

    RuntimeError for decimals of integers.

    >>> tinytorch.round(tinytorch.tensor([1.235, 2.5]), decimals=2)
    tensor([1.2400, 2.5000])
    """
    if decimals == 0:
        return rounded(input)
    if not operand(input).is_floating_point():
        raise RuntimeError(f"round() to decimals needs floats, got {input.dtype}")
    scale = 10.0 ** abs(decimals)
    return rounded(input * scale) / scale if decimals > 0 else rounded(input / scale) * scale


Tensor.round = round
GELU = Rule("GeluBackward0", (gelu_formula,), (0,))


def gelu_by_erf(input):
    """input times the probability that a normal number is below it.

    Integers become float32 first.
    """
    input = operand(input)
    x = dtypes.to_floating(input._data)
    y = state.quietly(gelu_array, x)
    return recorded(y, GELU, (input,), x, (y,))  # in a tuple, the result may be changed in place


method("__neg__", "negative")(neg)
method("__abs__", "absolute")(abs)


@method("__pos__")
def positive(input):
    """The tensor itself."""
    return input


# --- choosing ---


def where_left(grad, condition):
    return where(condition, grad, 0)  # not grad * condition: NaN times 0 is NaN


def where_right(grad, condition):
    return where(condition, 0, grad)


WHERE = Rule("WhereBackward0", (where_left, where_right))


def choice(value, beside):
    """operand(), but RuntimeError for a number that the integers `beside` it cannot hold."""
    x = operand(value, beside)
    if x is value or not isinstance(beside, Tensor):
        return x
    return wrap(array_of(value, dtypes.promote(x._data, beside._data)))


def where(condition, input=None, other=None) -> "Tensor | Any":
    """Elements of `input` where `condition` holds, of `other` elsewhere; all three broadcast.

    With a condition alone, the indices where it holds, a tensor for each dimension.

    >>> tinytorch.where(tinytorch.tensor([True, False]), 1.0, 2.0)
    tensor([1., 2.])
    """
    if input is None and other is None:
        return condition.nonzero(as_tuple=True)
    if not any(isinstance(each, Tensor) for each in (condition, input, other)):
        return np.where(condition, input, other)
    if isinstance(condition, Tensor):
        condition = condition._data
        if condition.dtype.kind != "b":
            raise RuntimeError(f"where() needs a condition of booleans, got {condition.dtype}")
    x, y = choice(input, other), choice(other, input)
    a, b = to_one_dtype(x._data, y._data)
    try:
        z = np.where(condition, a, b)
    except ValueError as error:
        raise operand_error("where", a, b, error) from None
    return recorded(z, fitted(WHERE, (x, y)), (x, y), condition)


@method("where")
def where_method(input, condition, other):
    """The elements where `condition` holds, those of `other` elsewhere; all three broadcast."""
    return where(condition, input, other)


@method("clamp", "clip")
def clamp(input, min=None, max=None):
    """Every element below `min` raised to it, every one above `max` lowered to it.

    Where it's equal to a bound, or NaN, its slope is 0; a bound that is a tensor has half of it.

    >>> tinytorch.clamp(tinytorch.tensor([-1.0, 0.5, 2.0]), 0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    if min is None and max is None:
        raise RuntimeError("clamp needs min, max or both")
    if isinstance(min, Tensor):
        input = maximum(input, min)
    elif min is not None:
        input = where(input > min, input, maximum(input.detach(), min))
    if isinstance(max, Tensor):
        return minimum(input, max)
    return input if max is None else where(input < max, input, minimum(input.detach(), max))


@method("clamp_min")
def clamp_min(input, min):
    """clamp() from below only."""
    return clamp(input, min)


@method("clamp_max")
def clamp_max(input, max):
    """clamp() from above only."""
    return clamp(input, None, max)


@method("lerp")
def lerp(input, end, weight):
    """input + weight * (end - input), and where weight is 1 exactly `end`, of the same dtype."""
    if end.dtype != input.dtype:
        raise RuntimeError(f"lerp() needs one dtype, got {input.dtype} and {end.dtype}")
    if input.dtype == dtypes.float16:  # end - input may be too large for it
        return lerp(input.float(), end.float(), weight).half()
    way = end - input
    near, far = input + weight * way, end - (1 - weight) * way
    if isinstance(weight, Tensor):
        return where(weight.abs() < 0.5, near, far)
    return near if abs(weight) < 0.5 else far
