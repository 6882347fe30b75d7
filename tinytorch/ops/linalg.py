"""Products of matrices."""

import numpy as np
from numpy import ndarray

from tinytorch.node import Rule
from tinytorch.operation import fitted, operand, recorded
from tinytorch.ops.elementwise import reflected
from tinytorch.ops.indexing import masked_fill
from tinytorch.ops.operators import operator
from tinytorch.ops.shapes import reshape, squeeze, unsqueeze
from tinytorch.state import state
from tinytorch.tensor import check_tensors, method


def matmul_left(grad, x, y):
    """The gradient of x in z = x @ y: (..., n, p), (..., n, m), (..., m, p) -> (..., n, m).

    x is None where only this gradient is wanted: it isn't needed.
    No array holds all n * m * p products: @ adds them up as they come.
    """
    return grad @ y.swapaxes(-1, -2)


def matmul_right(grad, x, y):
    """The gradient of y in z = x @ y: (..., n, p), (..., n, m), (..., m, p) -> (..., m, p).

    y is None where only this gradient is wanted: it isn't needed.
    No array holds all n * m * p products: @ adds them up as they come.
    """
    return x.swapaxes(-1, -2) @ grad


def written_out(formula):
    """The formula for a gradient that BLAS can take: that of a sum is one number, stretched."""

    def formula_of_array(grad, x, y):
        if type(grad) is ndarray and 0 in grad.strides:
            grad = np.ascontiguousarray(grad)
        return formula(grad, x, y)

    return formula_of_array


MATMUL = Rule("MmBackward0", (written_out(matmul_left), written_out(matmul_right)), (0, 1))


@method("matmul")
@operator("__matmul__")
def matmul(input, other):
    """The product of matrices; leading dimensions broadcast, a vector is a row or a column.

    RuntimeError if the inner lengths differ, or for a 0-d tensor.

    >>> tinytorch.matmul(tinytorch.tensor([[1.0, 2.0]]), tinytorch.tensor([[3.0], [4.0]]))
    tensor([[11.]])
    """
    input, other = operand(input), operand(other)
    m, n = input._data.ndim, other._data.ndim
    if m == 2 and n == 2:
        return matrix_product(input, other, fit=False)
    if not m or not n:
        raise RuntimeError(f"matmul needs at least 1 dimension each, got {m} and {n}")
    if m == 1 or n == 1:
        check_inner(input._data.shape, other._data.shape)
    if m == 1:
        return squeeze(matmul(unsqueeze(input, 0), other), -2 if n > 1 else 0)
    if n == 1:
        return squeeze(matmul(input, unsqueeze(other, 1)), -1)
    if n == 2:  # one big product instead of many small ones
        rows = reshape(input, -1, input._data.shape[-1]) if input._data.size else input
        shape = (*input._data.shape[:-1], other._data.shape[-1])
        return reshape(matrix_product(rows, other, fit=not input._data.size), shape)
    return matrix_product(input, other, fit=True)


def check_inner(x, y):
    """RuntimeError unless two shapes, neither of them (), have the length that is summed over."""
    if x[-1] != y[-2 if len(y) > 1 else 0]:
        raise RuntimeError(
            f"matmul: shapes {x} and {y} do not fit; the last length of the first must be the last"
            " but one of the second, or its only one"
        )


def matrix_product(input, other, fit):
    """matmul() of matrices; `fit` where leading dimensions may broadcast."""
    x, y = input._data, other._data
    if x.dtype != y.dtype:
        raise RuntimeError(f"matmul needs one dtype, got {x.dtype} and {y.dtype}")
    try:
        z = state.quietly(np.matmul, x, y)
    except ValueError:
        check_inner(x.shape, y.shape)
        raise RuntimeError(
            f"matmul: shapes {x.shape} and {y.shape} do not fit; all lengths but the last two must"
            " be equal, or one of them 1"
        ) from None
    rule = fitted(MATMUL, (input, other)) if fit else MATMUL
    # each operand is needed for the gradient of the other one only
    saved_x = x if other._node is not None else None
    saved_y = y if input._node is not None else None
    return recorded(z, rule, (input, other), saved_x, saved_y)


operator("__rmatmul__")(reflected(matmul))


def product(name, dims, input, other):
    """matmul() for operands of so many dimensions, a pair, and RuntimeError for others."""
    check_tensors(name, input=input, other=other)
    x, y = input._data, other._data
    if (x.ndim, y.ndim) != dims:
        raise RuntimeError(
            f"{name}() needs {dims[0]} and {dims[1]} dimensions, got shapes {x.shape} and {y.shape}"
        )
    return matmul(input, other)


@method("mm")
def mm(input, mat2):
    """The product of two matrices."""
    return product("mm", (2, 2), input, mat2)


@method("bmm")
def bmm(input, mat2):
    """The products of two batches of matrices."""
    return product("bmm", (3, 3), input, mat2)


@method("mv")
def mv(input, vec):
    """The product of a matrix and a vector."""
    return product("mv", (2, 1), input, vec)


@method("dot")
def dot(input, tensor):
    """The sum of the products of two vectors."""
    return product("dot", (1, 1), input, tensor)


@method("outer")
def outer(input, vec2):
    """All products of an element of the vector `input` and one of `vec2`, as a matrix."""
    check_tensors("outer", input=input, vec2=vec2)
    if not input._data.ndim == vec2._data.ndim == 1:
        raise RuntimeError(
            f"outer() needs two vectors, got shapes {input._data.shape} and {vec2._data.shape}"
        )
    return unsqueeze(input, 1) * unsqueeze(vec2, 0)


@method("addmm")
def addmm(input, mat1, mat2, *, beta=1, alpha=1):
    """beta * input + alpha * mat1 @ mat2; a `beta` of 0 leaves out even NaN of input."""
    return scaled(input, beta) + matmul(mat1, mat2) * alpha


def scaled(input, beta):
    """beta * input, and 0 for a `beta` of 0, whatever the numbers of input are."""
    return input * beta if beta else masked_fill(input, operand(True), 0)


# --- einsum ---
