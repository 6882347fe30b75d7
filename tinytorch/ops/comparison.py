"""Comparisons and logic: through their results no gradient flows."""

from functools import partial

import numpy as np

from tinytorch.operation import operand, operand_error, operands, to_one_dtype
from tinytorch.ops.operators import operator
from tinytorch.state import state
from tinytorch.tensor import Tensor, check_tensors, method, wrap


def by_value(x, y):
    """Both arrays in one dtype, but integers as they are: -1 as a uint8 would be 255."""
    return to_one_dtype(x, y) if "f" in (x.dtype.kind, y.dtype.kind) else (x, y)


def compared(name, compare, input, other, meet=by_value):
    """The tensor of `compare(x, y)`, an array; RuntimeError for shapes that do not broadcast."""
    x, y = meet(*[x._data for x in operands(input, other, wraps=meet is to_one_dtype)])
    try:
        return wrap(state.quietly(compare, x, y))
    except (TypeError, ValueError) as error:
        raise operand_error(name, x, y, error) from None


def comparison(name, compare, sign, *operators, meet=by_value):
    """An elementwise comparison: a function, a method of Tensor, and its `operators`."""
    doc = f"input {sign} other, element by element; the two broadcast."

    def operation(input, other):
        return compared(name, compare, input, other, meet)

    public = method(name, doc=doc)(operation)
    operator(*operators)(operation)  # x == None is False then, and x < None an error
    return public


eq = comparison("eq", np.equal, "==", "__eq__")
ne = comparison("ne", np.not_equal, "!=", "__ne__")
lt = comparison("lt", np.less, "<", "__lt__")
le = comparison("le", np.less_equal, "<=", "__le__")
gt = comparison("gt", np.greater, ">", "__gt__")
ge = comparison("ge", np.greater_equal, ">=", "__ge__")
logical_and = comparison("logical_and", np.logical_and, "and")
logical_or = comparison("logical_or", np.logical_or, "or")
logical_xor = comparison("logical_xor", np.logical_xor, "xor")
bitwise_and = comparison(
    "bitwise_and", np.bitwise_and, "&", "__and__", "__rand__", meet=to_one_dtype
)
bitwise_or = comparison("bitwise_or", np.bitwise_or, "|", "__or__", "__ror__", meet=to_one_dtype)
bitwise_xor = comparison(
    "bitwise_xor", np.bitwise_xor, "^", "__xor__", "__rxor__", meet=to_one_dtype
)

bitwise_left_shift = comparison(
    "bitwise_left_shift", np.left_shift, "<<", "__lshift__", meet=to_one_dtype
)
bitwise_right_shift = comparison(
    "bitwise_right_shift", np.right_shift, ">>", "__rshift__", meet=to_one_dtype
)


@operator("__rlshift__")
def reflected_left_shift(input, other):
    """other << input."""
    return bitwise_left_shift(operand(other, input, wraps=True), input)


@operator("__rrshift__")
def reflected_right_shift(input, other):
    """other >> input."""
    return bitwise_right_shift(operand(other, input, wraps=True), input)


def question(name, answer, doc):
    """What is asked of each element: a function, and a method of Tensor."""
    return method(name, doc=doc)(lambda input: wrap(answer(input._data)))


logical_not = question("logical_not", np.logical_not, "True where the element is zero.")
isnan = question("isnan", np.isnan, "True where the element is not a number.")
isinf = question("isinf", np.isinf, "True where the element is plus or minus infinity.")
isfinite = question("isfinite", np.isfinite, "True where the element is neither infinite nor NaN.")


@method("bitwise_not", "__invert__")
def bitwise_not(input):
    """Every bit turned; for booleans, not. TypeError for floats."""
    if input.is_floating_point():
        raise TypeError(f"~ is for booleans and integers, got {input.dtype}")
    return wrap(np.invert(input._data))


@method("isclose")
def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """True where |input - other| <= atol + rtol * |other|."""
    check_tensors("isclose", other=other)
    if input._data.dtype != other._data.dtype:
        raise RuntimeError(f"isclose() needs one dtype, got {input.dtype} and {other.dtype}")
    close = partial(close_arrays, rtol=rtol, atol=atol, equal_nan=equal_nan)
    return compared("isclose", close, input, other)


def close_arrays(x, y, rtol, atol, equal_nan):
    """isclose() of arrays. Without tolerances whole numbers differ by their last digit, too."""
    if not (rtol or atol) and "f" not in x.dtype.kind + y.dtype.kind:
        return x == y  # np.isclose makes floats of them
    return np.isclose(x, y, rtol, atol, equal_nan)


@method("allclose")
def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False) -> bool:
    """True if isclose() holds everywhere, as a Python bool."""
    return bool(isclose(input, other, rtol, atol, equal_nan)._data.all())


@method("equal")
def equal(input, other) -> bool:
    """True if shapes and all elements are equal, as a Python bool."""
    check_tensors("equal", other=other)
    return np.array_equal(input._data, other._data)


def is_tensor(obj) -> bool:
    """True if `obj` is a Tensor."""
    return isinstance(obj, Tensor)
