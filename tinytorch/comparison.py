"""Comparisons and logic: results are booleans, through which no gradient flows."""

import numpy as np

from tinytorch.elementwise import check_divisor, reflected
from tinytorch.operation import operand, operand_error, to_one_dtype
from tinytorch.state import state
from tinytorch.tensor import Tensor, check_tensors, method, wrap


def comparison(name, compare, *operators):
    """An elementwise comparison: a function, a method of Tensor, and its `operators`."""

    def operation(input, other):
        input, other = operand(input, other), operand(other, input)
        x, y = to_one_dtype(input._data, other._data)
        try:
            return wrap(state.quietly(compare, x, y))
        except (TypeError, ValueError) as error:
            raise operand_error(name, x, y, error) from None

    def operator(input, other):
        try:
            return operation(input, other)
        except TypeError:
            return NotImplemented  # for Python, then, x == None is False and x < None an error

    operation.__name__ = operation.__qualname__ = name
    method(*operators)(operator)
    return method(name)(operation)


eq = comparison("eq", np.equal, "__eq__")
ne = comparison("ne", np.not_equal, "__ne__")
lt = comparison("lt", np.less, "__lt__")
le = comparison("le", np.less_equal, "__le__")
gt = comparison("gt", np.greater, "__gt__")
ge = comparison("ge", np.greater_equal, "__ge__")
logical_and = comparison("logical_and", np.logical_and)
logical_or = comparison("logical_or", np.logical_or)
logical_xor = comparison("logical_xor", np.logical_xor)
bitwise_and = comparison("bitwise_and", np.bitwise_and, "__and__", "__rand__")
bitwise_or = comparison("bitwise_or", np.bitwise_or, "__or__", "__ror__")
bitwise_xor = comparison("bitwise_xor", np.bitwise_xor, "__xor__", "__rxor__")


def whole_quotient(x, y):
    check_divisor(y)
    return np.floor_divide(x, y)


floor_divide = comparison("floor_divide", whole_quotient, "__floordiv__")
method("__rfloordiv__")(reflected(floor_divide))


@method("logical_not")
def logical_not(input):
    """True where the element is zero."""
    return wrap(np.logical_not(input._data))


@method("bitwise_not", "__invert__")
def bitwise_not(input):
    """Every bit turned; for booleans, not. TypeError for floats."""
    if input.is_floating_point():
        raise TypeError(f"~ is for booleans and integers, got {input.dtype}")
    return wrap(np.invert(input._data))


@method("isnan")
def isnan(input):
    """True where the element is not a number."""
    return wrap(np.isnan(input._data))


@method("isinf")
def isinf(input):
    """True where the element is plus or minus infinity."""
    return wrap(np.isinf(input._data))


@method("isfinite")
def isfinite(input):
    """True where the element is neither infinite nor NaN."""
    return wrap(np.isfinite(input._data))


@method("isclose")
def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """True where |input - other| <= atol + rtol * |other|."""
    check_tensors("isclose", other=other)
    return wrap(np.isclose(input._data, other._data, rtol, atol, equal_nan))


@method("allclose")
def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """True if isclose() holds everywhere, as a Python bool."""
    check_tensors("allclose", other=other)
    return bool(np.allclose(input._data, other._data, rtol, atol, equal_nan))


@method("equal")
def equal(input, other):
    """True if shapes and all elements are equal, as a Python bool."""
    check_tensors("equal", other=other)
    return np.array_equal(input._data, other._data)


def is_tensor(obj):
    """True if `obj` is a Tensor."""
    return isinstance(obj, Tensor)
