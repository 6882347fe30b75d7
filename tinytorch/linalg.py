"""Products of matrices."""

from tinytorch.node import Rule
from tinytorch.operation import fitted, operand, record
from tinytorch.shapes import reshape, squeeze, unsqueeze
from tinytorch.tensor import method


def matmul_left(grad, x, y):
    return grad @ y.swapaxes(-1, -2)  # z = x @ y: dx = dz @ y^T


def matmul_right(grad, x, y):
    return x.swapaxes(-1, -2) @ grad  # dy = x^T @ dz


MATMUL = Rule("MmBackward0", (matmul_left, matmul_right), (0, 1))


@method("matmul", "mm", "bmm", "__matmul__")
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
    if m == 1:
        return squeeze(matmul(unsqueeze(input, 0), other), -2 if n > 1 else 0)
    if n == 1:
        return squeeze(matmul(input, unsqueeze(other, 1)), -1)
    if n == 2:  # one big product instead of many small ones
        rows = reshape(input, -1, input._data.shape[-1]) if input._data.size else input
        shape = (*input._data.shape[:-1], other._data.shape[-1])
        return reshape(matrix_product(rows, other, fit=not input._data.size), shape)
    return matrix_product(input, other, fit=True)


def matrix_product(input, other, fit):
    x, y = input._data, other._data
    if x.dtype is not y.dtype:
        raise RuntimeError(f"matmul needs one dtype, got {x.dtype} and {y.dtype}")
    try:
        z = x @ y
    except ValueError:
        raise RuntimeError(
            f"matmul: shapes {x.shape} and {y.shape} do not fit;"
            " the last length of the first must be the last but one of the second"
        ) from None
    rule = fitted(MATMUL, (input, other)) if fit else MATMUL
    # each operand is needed for the gradient of the other one only
    saved_x = x if other._node is not None else None
    saved_y = y if input._node is not None else None
    return record(z, rule, (input, other), saved_x, saved_y)


@method("__rmatmul__")
def rmatmul(input, other):
    return matmul(operand(other), input)
