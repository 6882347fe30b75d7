"""Inverses, systems of equations, determinants."""

from collections import namedtuple
from typing import Any

import numpy as np

from tinytorch.node import OUTPUT, Rule
from tinytorch.operation import recorded
from tinytorch.ops.dims import common_shape
from tinytorch.ops.elementwise import where
from tinytorch.ops.shapes import expand
from tinytorch.tensor import Tensor, check_tensors, method, wrap


class LinAlgError(RuntimeError):
    """There is no such result for this matrix: a singular one has no inverse, for example."""


def computed(name, compute, *inputs):
    """compute() of the arrays of the tensors; LinAlgError, a RuntimeError, if there's no result."""
    check_tensors(name, A=inputs[0])
    try:
        return compute(*[tensor._data for tensor in inputs])
    except ValueError as error:  # so LinAlgError, too, of a singular matrix
        shapes = ", ".join(str(tensor._data.shape) for tensor in inputs)
        raise LinAlgError(f"linalg.{name} of shape {shapes}: {error}") from None


def inv_formula(grad, y):
    turned = y.swapaxes(-1, -2)
    return -(turned @ grad @ turned)


INV = Rule("LinalgInvExBackward0", (inv_formula,), (OUTPUT,))


@method("inverse")
def inv(A):
    """The inverse of a square matrix, or of each in a batch; RuntimeError for a singular one.

    >>> inv(tinytorch.tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    y = computed("inv", np.linalg.inv, A)
    return recorded(y, INV, (A,), y)


def solve_left(grad, a, x):
    return -solve_right(grad, a, x) @ x.swapaxes(-1, -2)


def solve_right(grad, a, x):
    return solved(a.swapaxes(-1, -2), grad)


def solved(a, b):
    """solve() of arrays, or of Tensors."""
    return solve(a, b) if isinstance(b, Tensor) else np.linalg.solve(a, b)


SOLVE = Rule("LinalgSolveExBackward0", (solve_left, solve_right), (0, OUTPUT))


def solve(A, B):
    """X with A @ X = B, for a vector or a matrix B; better than inv(A) @ B. Batches broadcast.

    >>> solve(tinytorch.tensor([[2.0, 0.0], [0.0, 4.0]]), tinytorch.tensor([2.0, 2.0]))
    tensor([1.0000, 0.5000])
    """
    check_tensors("solve", A=A, B=B)
    if B.dim() == 1 or B.shape == A.shape[:-1]:
        return solve(A, B.unsqueeze(-1)).squeeze(-1)
    if A.shape[:-2] != B.shape[:-2]:
        batch = common_shape(A.shape[:-2], B.shape[:-2])
        A, B = expand(A, (*batch, *A.shape[-2:])), expand(B, (*batch, *B.shape[-2:]))
    x = computed("solve", np.linalg.solve, A, B)
    return recorded(x, SOLVE, (A, B), A._data, x)


def det_formula(grad, a, y):
    inverse = inv(a) if isinstance(a, Tensor) else np.linalg.inv(a)
    return (grad * y)[..., None, None] * inverse.swapaxes(-1, -2)


DET = Rule("LinalgDetBackward0", (det_formula,), (0, OUTPUT))


@method("det")
def det(A):
    """The determinant of a square matrix, or of each in a batch; no gradient at a singular one."""
    y = np.asarray(computed("det", np.linalg.det, A))
    return recorded(y, DET, (A,), A._data, y)


def slogdet_formula(grad, a):
    inverse = inv(a) if isinstance(a, Tensor) else np.linalg.inv(a)
    return grad[..., None, None] * inverse.swapaxes(-1, -2)


SLOGDET = Rule("LinalgSlogdetBackward0", (slogdet_formula,), (0,))
SLogDet = namedtuple("slogdet", "sign logabsdet")


@method("slogdet")
def slogdet(A) -> Any:
    """(sign, logarithm of the size) of the determinant, which itself may be too large or small."""
    sign, logs = map(np.asarray, computed("slogdet", np.linalg.slogdet, A))
    return SLogDet(wrap(sign), recorded(logs, SLOGDET, (A,), A._data))


@method("logdet")
def logdet(A):
    """The logarithm of the determinant; NaN where that is negative."""
    sign, logs = slogdet(A)
    return where(sign < 0, np.nan, logs)
