"""Triangles of matrices: the decomposition of Cholesky, and what is made of it."""

from collections import namedtuple
from typing import Any

import numpy as np

from tinytorch.node import OUTPUT, Rule
from tinytorch.operation import recorded
from tinytorch.ops.inverses import computed, solve, solved
from tinytorch.ops.joining import tril, triu
from tinytorch.tensor import method, wrap

TriangularSolve = namedtuple("triangular_solve", "solution cloned_coefficient")


def cholesky_formula(grad, y):
    turned = y.swapaxes(-1, -2)
    below = np.tri(y.shape[-1], dtype=y.dtype) - np.eye(y.shape[-1], dtype=y.dtype) / 2
    left = solved(turned, turned @ grad * below)
    whole = solved(turned, left.swapaxes(-1, -2))
    return (whole + whole.swapaxes(-1, -2)) / 2


CHOLESKY = Rule("LinalgCholeskyExBackward0", (cholesky_formula,), (OUTPUT,))


@method("cholesky")
def cholesky(A, *, upper=False):
    """The lower triangle L with L @ L.mT = A; RuntimeError unless A is positive definite.

    >>> cholesky(tinytorch.tensor([[4.0, 2.0], [2.0, 2.0]]))
    tensor([[2., 0.],
            [1., 1.]])
    """
    y = computed("cholesky", np.linalg.cholesky, A)
    lower = recorded(y, CHOLESKY, (A,), y)
    return lower.mT if upper else lower


def solve_triangular(A, B, *, upper, left=True, unitriangular=False):
    """solve() with the triangle of A, above the diagonal or below; X @ A = B unless `left`."""
    part = triu(A, int(unitriangular)) if upper else tril(A, -int(unitriangular))
    part = part + np.eye(A.shape[-1], dtype=A.dtype) if unitriangular else part
    return solve(part, B) if left else solve(part.mT, B.mT).mT


@method("triangular_solve")
def triangular_solve(b, A, upper=True, transpose=False, unitriangular=False) -> Any:
    """(solution, cloned_coefficient): solve_triangular() with another order, and a copy of A."""
    part = A.mT if transpose else A
    found = solve_triangular(part, b, upper=upper != transpose, unitriangular=unitriangular)
    return TriangularSolve(found, A.clone())


@method("cholesky_solve")
def cholesky_solve(B, L, upper=False):
    """X with A @ X = B, where L is the triangle that cholesky() gives for A."""
    lower = L.mT if upper else L
    return solve_triangular(lower.mT, solve_triangular(lower, B, upper=False), upper=True)


@method("cholesky_inverse")
def cholesky_inverse(L, upper=False):
    """The inverse of A, where L is the triangle that cholesky() gives for it."""
    identity = wrap(np.eye(L.shape[-1], dtype=L.dtype))
    return cholesky_solve(identity.expand(L.shape), L, upper)
