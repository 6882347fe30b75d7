"""Linear algebra under PyTorch's names: inverses, systems of equations, determinants, norms."""

import numpy as np

from tinytorch.node import OUTPUT, Rule
from tinytorch.operation import recorded
from tinytorch.ops.distances import norm as vector_norm
from tinytorch.tensor import Tensor, check_tensors, method


def computed(name, compute, *inputs):
    """compute() of the arrays of the tensors; RuntimeError where there is no result."""
    check_tensors(name, A=inputs[0])
    try:
        return compute(*[tensor._data for tensor in inputs])
    except ValueError as error:  # so LinAlgError, too, of a singular matrix
        shapes = ", ".join(str(tensor._data.shape) for tensor in inputs)
        raise RuntimeError(f"linalg.{name} of shape {shapes}: {error}") from None


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
    turned = a.swapaxes(-1, -2)
    return solve(turned, grad) if isinstance(grad, Tensor) else np.linalg.solve(turned, grad)


SOLVE = Rule("LinalgSolveExBackward0", (solve_left, solve_right), (0, OUTPUT))


def solve(A, B):
    """X with A @ X = B, for a vector or a matrix B; better than inv(A) @ B.

    >>> solve(tinytorch.tensor([[2.0, 0.0], [0.0, 4.0]]), tinytorch.tensor([2.0, 2.0]))
    tensor([1.0000, 0.5000])
    """
    check_tensors("solve", A=A, B=B)
    if B.dim() == 1:
        return solve(A, B.unsqueeze(1)).squeeze(1)
    if A.shape[:-2] != B.shape[:-2]:
        raise RuntimeError(f"linalg.solve of shapes {tuple(A.shape)} and {tuple(B.shape)}")
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


def norm(A, ord=None, dim=None, keepdim=False):
    """The norm of a vector, or with ord None or "fro" that of a matrix; see vector_norm().

    >>> norm(tinytorch.tensor([[3.0, 4.0]]))
    tensor(5.)
    """
    check_tensors("norm", A=A)
    matrix = A.dim() > 1 if dim is None else isinstance(dim, (tuple, list)) and len(dim) > 1
    if ord not in (None, "fro") and matrix:
        raise RuntimeError(f"linalg.norm knows no norm {ord!r} of matrices; name one dim")
    return vector_norm(A, 2 if ord is None else ord, dim, keepdim)


__all__ = ["det", "inv", "norm", "solve", "vector_norm"]
