"""Elementwise operations: each element of the result comes from the elements at its own place."""

import math

import numpy as np

from tinytorch import dtypes
from tinytorch.node import Rule
from tinytorch.operation import (
    binary,
    fitted,
    meets_half,
    operand,
    operand_error,
    record,
    to_one_dtype,
    unary,
)
from tinytorch.ops import erf_array
from tinytorch.state import state
from tinytorch.tensor import Tensor, array_of, method, wrap

# --- two inputs: left(grad, x, y) is the gradient of x, right(grad, x, y) that of y ---


def add_left(grad, x, y):
    return grad


def add_right(grad, x, y):
    return grad[...]  # a view: only one input may receive the very same array


def sub_right(grad, x, y):
    return -grad


def mul_left(grad, x, y):
    return grad * y


def mul_right(grad, x, y):
    return grad * x


def div_left(grad, x, y):
    return grad / y


def div_right(grad, x, y):
    return -grad * x / (y * y)


def pow_left(grad, x, y):
    return grad * where(y == 0, 0 * x, y * x ** (y - 1))  # without where: 0 * infinity at x = 0


def pow_right(grad, x, y):
    return grad * where((x == 0) & (y >= 0), 0 * x, x**y * log(x))


def atan2_left(grad, x, y):
    return grad * y / square_of_distance(x, y)


def atan2_right(grad, x, y):
    return -grad * x / square_of_distance(x, y)


def square_of_distance(x, y):
    """From the origin; 1 there, so that the slopes, 0 / 0, are 0."""
    square = x * x + y * y
    return square + (square == 0)


def where_x_is_larger(grad, x, y):
    return where(x > y, grad, where(x == y, grad / 2, 0))  # equal ones share the gradient


def where_y_is_larger(grad, x, y):
    return where(y > x, grad, where(x == y, grad / 2, 0))


def remainder_right(grad, x, y):
    return -grad * floor(x / y)


def fmod_right(grad, x, y):
    return -grad * trunc(x / y)


def flat_formula(grad, *saved):
    return grad * 0  # a step: no slope anywhere but at the jumps


def power(x, y):
    """x ** y; TypeError for two booleans, where NumPy would answer with small integers."""
    if x.dtype.kind == "b":
        raise TypeError("one of the two must be a number")
    return np.power(x, y)


def in_whole_steps(divide):
    """`divide(x, y)`, but RuntimeError for an integer 0, by which NumPy divides without a word."""

    def divided(x, y):
        if y.dtype.kind in "iub" and not y.all():
            raise RuntimeError("integers cannot be divided by 0 in whole steps; divide floats")
        return divide(x, y)

    return divided


plus = binary("add", np.add, add_left, add_right, uses=("", ""))
minus = binary("sub", np.subtract, add_left, sub_right, uses=("", ""))
mul = binary("mul", np.multiply, mul_left, mul_right, uses=("y", "x"))
quotient = binary("div", np.true_divide, div_left, div_right, uses=("y", "xy"), integers=False)
pow_tensors = binary("pow", power, pow_left, pow_right)
atan2 = binary("atan2", np.arctan2, atan2_left, atan2_right, integers=False)
maximum = binary("maximum", np.maximum, where_x_is_larger, where_y_is_larger)
minimum = binary("minimum", np.minimum, where_y_is_larger, where_x_is_larger)
remainder = binary(
    "remainder", in_whole_steps(np.remainder), add_left, remainder_right, uses=("", "xy")
)
fmod = binary("fmod", in_whole_steps(np.fmod), add_left, fmod_right, uses=("", "xy"))
floor_divide = binary(
    "floor_divide", in_whole_steps(np.floor_divide), flat_formula, flat_formula, uses=("", "")
)


method("__add__", "__radd__")(plus)
method("__sub__")(minus)
method("__mul__", "__rmul__", "multiply")(mul)
method("__truediv__", "true_divide")(quotient)
method("__mod__")(remainder)
method("__floordiv__")(floor_divide)


def add(input, other, *, alpha=1):
    """input + alpha * other.

    >>> tinytorch.add(tinytorch.tensor([1.0, 2.0]), 3)
    tensor([4., 5.])
    """
    return plus(input, other if alpha == 1 else mul(operand(other, input), alpha))


def sub(input, other, *, alpha=1):
    """input - alpha * other."""
    return minus(input, other if alpha == 1 else mul(operand(other, input), alpha))


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


Tensor.add, Tensor.sub, Tensor.div, Tensor.divide = add, sub, div, div


def pow_number(grad, x, exponent):
    return grad * (pow(x, exponent - 1) * exponent) if exponent != 0 else grad * 0


POW = Rule("PowBackward0", (pow_number,), (0,))


def raised(x, exponent):
    """x ** exponent; of floats the third and fourth by multiplying, 100 times as fast in NumPy."""
    if exponent not in (3, 4) or x.dtype.kind != "f":
        return x**exponent
    square = x * x
    return square * (x if exponent == 3 else square)


def pow(input, exponent):
    """input to the power of `exponent`, a number or a tensor.

    >>> tinytorch.pow(tinytorch.tensor([1.0, 2.0]), 3)
    tensor([1., 8.])
    """
    if type(exponent) not in (int, float) or type(input) not in (Tensor, np.ndarray):
        return pow_tensors(input, exponent)
    if type(input) is np.ndarray:
        return raised(input, exponent)
    x = input._data
    x = x.astype(dtypes.number_dtype(exponent, x.dtype), copy=False)
    try:
        return record(state.quietly(raised, x, exponent), POW, (input,), x, exponent)
    except (OverflowError, ValueError):
        raise RuntimeError(f"{x.dtype} cannot be raised to the power {exponent}") from None


def reflected(operation):
    """The operation with its two inputs exchanged: 2 - x asks x for it."""

    def exchanged(input, other):
        if meets_half(other, input):
            return exchanged(input.float(), other).half()
        return operation(operand(other, input), input)

    return exchanged


method("pow", "__pow__")(pow)
rsub = method("__rsub__")(reflected(minus))
method("__rmod__")(reflected(remainder))
method("__rfloordiv__")(reflected(floor_divide))
method("__rtruediv__")(reflected(quotient))
method("__rpow__")(reflected(pow))


# --- one input: formula(grad, y) with the result y, or with saves=0 formula(grad, x) ---


def silu_formula(grad, x):
    s = sigmoid(x)
    return grad * (s * (1 + x * (1 - s)))


def erf_formula(grad, x):
    return grad * (exp(-x * x) * (2 / math.sqrt(math.pi)))


def gelu_formula(grad, x):
    density = exp(x * x * -0.5) * (1 / math.sqrt(2 * math.pi))
    return grad * ((erf(x * math.sqrt(0.5)) + 1) * 0.5 + x * density)


def sigmoid_array(x):
    """1 / (1 + e^-x), without overflow for large negative x."""
    return np.tanh(x * 0.5) * 0.5 + 0.5


def softplus_array(x):
    """log(1 + e^x), without overflow."""
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


def negative(x):
    if x.dtype.kind == "b":
        raise RuntimeError("booleans have no negative; use ~ for not")
    return np.negative(x)


# as arrays: a plain 0 is a slow operand
ZERO = {dtype: np.zeros((), dtype) for dtype in (dtypes.float32, dtypes.float64, dtypes.int64)}


def relu_array(x):
    # NumPy compares a large array with another one three times as fast as with a number
    return np.maximum(x, np.zeros(x.shape, x.dtype) if x.size > 4096 else ZERO.get(x.dtype, 0))


BITS = {dtypes.float16: dtypes.int16, dtypes.float32: dtypes.int32, dtypes.float64: dtypes.int64}


def relu_formula(grad, y):
    """`grad` where the result is above 0, and 0 elsewhere, even for an infinite `grad`."""
    if type(grad) is Tensor:
        return where(y > 0, grad, 0)
    bits = grad.view(BITS[grad.dtype])  # integers times False or True: faster than a choice
    return (bits * (y > ZERO.get(y.dtype, 0))).view(grad.dtype)


def gelu_array(x):
    return x * ((erf_array.erf(x * math.sqrt(0.5)) + 1) * 0.5)


def sign_array(x):
    return x.copy() if x.dtype.kind == "b" else np.sign(x)


neg = unary("neg", negative, lambda grad: -grad, saves=None, integers=True)
exp = unary("exp", np.exp, lambda grad, y: grad * y)
expm1 = unary("expm1", np.expm1, lambda grad, y: grad * (y + 1))
log = unary("log", np.log, lambda grad, x: grad / x, saves=0)
log1p = unary("log1p", np.log1p, lambda grad, x: grad / (x + 1), saves=0)
log2 = unary("log2", np.log2, lambda grad, x: grad / (x * math.log(2)), saves=0)
log10 = unary("log10", np.log10, lambda grad, x: grad / (x * math.log(10)), saves=0)
sqrt = unary("sqrt", np.sqrt, lambda grad, y: grad / (y * 2))
rsqrt = unary("rsqrt", lambda x: 1 / np.sqrt(x), lambda grad, y: grad * (y * y * y) * -0.5)
reciprocal = unary("reciprocal", np.reciprocal, lambda grad, y: -grad * (y * y))
square = unary("square", np.square, lambda grad, x: grad * (x * 2), saves=0, integers=True)
abs = unary("abs", np.absolute, lambda grad, x: grad * sign(x), saves=0, integers=True)
sin = unary("sin", np.sin, lambda grad, x: grad * cos(x), saves=0)
cos = unary("cos", np.cos, lambda grad, x: -grad * sin(x), saves=0)
tan = unary("tan", np.tan, lambda grad, y: grad * (y * y + 1))
asin = unary("asin", np.arcsin, lambda grad, x: grad * rsqrt(1 - x * x), saves=0)
acos = unary("acos", np.arccos, lambda grad, x: -grad * rsqrt(1 - x * x), saves=0)
atan = unary("atan", np.arctan, lambda grad, x: grad / (x * x + 1), saves=0)
sinh = unary("sinh", np.sinh, lambda grad, x: grad * cosh(x), saves=0)
cosh = unary("cosh", np.cosh, lambda grad, x: grad * sinh(x), saves=0)
tanh = unary("tanh", np.tanh, lambda grad, y: grad - grad * (y * y))
sigmoid = unary("sigmoid", sigmoid_array, lambda grad, y: grad * (y - y * y))
relu = unary("relu", relu_array, relu_formula, integers=True)
softplus = unary("softplus", softplus_array, lambda grad, x: grad * sigmoid(x), saves=0)
silu = unary("silu", lambda x: x * sigmoid_array(x), silu_formula, saves=0)
gelu = unary("gelu", gelu_array, gelu_formula, saves=0)
erf = unary("erf", erf_array.erf, erf_formula, saves=0)
sign = unary("sign", sign_array, flat_formula, saves=None, integers=True)
floor = unary("floor", np.floor, flat_formula, saves=None, integers=True)
ceil = unary("ceil", np.ceil, flat_formula, saves=None, integers=True)
round = unary("round", np.round, flat_formula, saves=None, integers=True)
trunc = unary("trunc", np.trunc, flat_formula, saves=None, integers=True)


method("__neg__", "negative")(neg)
method("__pos__")(lambda input: input)
method("__abs__", "absolute")(abs)


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


def where(condition, input=None, other=None):
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
    return record(z, fitted(WHERE, (x, y)), (x, y), condition)


@method("where")
def where_method(input, condition, other):
    return where(condition, input, other)


@method("clamp", "clip")
def clamp(input, min=None, max=None):
    """Every element below `min` raised to it, every one above `max` lowered to it.

    >>> tinytorch.clamp(tinytorch.tensor([-1.0, 0.5, 2.0]), 0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    if min is None and max is None:
        raise RuntimeError("clamp needs min, max or both")
    if min is not None:
        input = where(input < min, min, input)
    return input if max is None else where(input > max, max, input)


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
    """input + weight * (end - input), and where weight is 1 exactly `end`."""
    if input.dtype == dtypes.float16:  # end - input may be too large for it
        return lerp(input.float(), end.float(), weight).half()
    way = end - input
    near, far = input + weight * way, end - (1 - weight) * way
    if isinstance(weight, Tensor):
        return where(weight.abs() < 0.5, near, far)
    return near if abs(weight) < 0.5 else far
