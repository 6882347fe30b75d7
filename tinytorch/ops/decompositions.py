"""Decompositions of matrices, and what is made of them. Only that of Cholesky has a way back."""

from collections import namedtuple
from typing import Any

import numpy as np

from tinytorch.node import OUTPUT, Rule
from tinytorch.operation import recorded
from tinytorch.ops.inverses import computed, solve, solved
from tinytorch.ops.joining import tril, triu
from tinytorch.state import state
from tinytorch.tensor import method, wrap


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


@method("cholesky_solve")
def cholesky_solve(B, L, upper=False):
    """X with A @ X = B, where L is the triangle that cholesky() gives for A."""
    lower = L.mT if upper else L
    return solve_triangular(lower.mT, solve_triangular(lower, B, upper=False), upper=True)


@method("cholesky_inverse")
def cholesky_inverse(L, upper=False):
    """The inverse of A, where L is the triangle that cholesky() gives for it."""
    return cholesky_solve(wrap(np.eye(L.shape[-1], dtype=L.dtype)), L, upper)


# --- without a way back ---


def decomposition(name, compute, doc, fields=None):
    """A function of matrices with results as NumPy computes them; no gradient passes."""
    pair = fields and namedtuple(name, fields)

    def operation(A, *args, **settings) -> Any:
        if state.grad_enabled and A.requires_grad:
            raise RuntimeError(f"linalg.{name} has no gradient here; detach() the matrix first")
        found = computed(name, lambda x: compute(x, *args, **settings), A)
        return pair(*map(as_result, found)) if pair else as_result(found)

    operation.__name__ = operation.__qualname__ = name
    operation.__doc__ = f"{doc}\n\n    RuntimeError for a matrix that requires grad: detach() it."
    return operation


def as_result(array):
    return wrap(np.ascontiguousarray(array) if np.ndim(array) else np.asarray(array))


def qr_of(x, mode="reduced"):
    return np.linalg.qr(x, mode)


def svd_of(x, full_matrices=True):
    return np.linalg.svd(x, full_matrices)


def old_svd_of(x, some=True):
    u, s, vh = np.linalg.svd(x, not some)
    return u, s, vh.swapaxes(-1, -2)


def rank_of(x, *, tol=None):
    return np.linalg.matrix_rank(x, tol)


def norm_of(x, ord="fro"):
    return np.linalg.norm(x, ord, (-2, -1))


eigh = decomposition(
    "eigh",
    np.linalg.eigh,
    "Eigenvalues, from the least, and eigenvectors, as columns, of a symmetric matrix.",
    "eigenvalues eigenvectors",
)
eigvalsh = decomposition("eigvalsh", np.linalg.eigvalsh, "The eigenvalues that eigh() gives.")
qr = decomposition("qr", qr_of, "Columns at right angles, and a triangle: A = Q @ R.", "Q R")
svd = decomposition("svd", svd_of, "A = U @ diag(S) @ Vh, S from the largest.", "U S Vh")
svd_with_v = decomposition(
    "svd_with_v", old_svd_of, "A = U @ diag(S) @ V.mT, S from the largest.", "U S V"
)
svdvals = decomposition("svdvals", np.linalg.svdvals, "The singular values, from the largest.")
pinv = decomposition("pinv", np.linalg.pinv, "The inverse of Moore and Penrose.")
matrix_rank = decomposition("matrix_rank", rank_of, "How many directions a matrix keeps apart.")
cond = decomposition("cond", np.linalg.cond, "The largest singular value over the smallest.")
matrix_norm = decomposition("matrix_norm", norm_of, "A norm of matrices, as NumPy numbers them.")
LeastSquares = namedtuple("lstsq", "solution residuals rank singular_values")


def lstsq(A, B) -> Any:
    """The X for which A @ X is nearest to B, as `solution`; no gradient passes."""
    if state.grad_enabled and (A.requires_grad or B.requires_grad):
        raise RuntimeError("linalg.lstsq has no gradient here; detach() the matrices first")
    found = computed("lstsq", lambda a, b: np.linalg.lstsq(a, b), A, B)
    return LeastSquares(*map(as_result, found))
