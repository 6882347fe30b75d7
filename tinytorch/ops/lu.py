"""Triangles with exchanged rows, and what else linear algebra has: exponentials, of tensors."""

import math
from collections import namedtuple
from typing import Any

import numpy as np

from tinytorch.ops.arranging import vander as vander_of_vector
from tinytorch.ops.cholesky import cholesky
from tinytorch.ops.creation import eye
from tinytorch.ops.inverses import inv, solve
from tinytorch.ops.joining import stack, tril, triu
from tinytorch.state import state
from tinytorch.tensor import Tensor, method, wrap

LUFactor, LU = namedtuple("lu_factor", "LU pivots"), namedtuple("lu", "P L U")
Unpacked = namedtuple("lu_unpack", "P L U")
CholeskyEx, InvEx = namedtuple("cholesky_ex", "L info"), namedtuple("inv_ex", "inverse info")


def factored(a):
    """Both triangles in one matrix, and with which row each one was exchanged, counted from 1."""
    a, pivots = a.copy(), []
    rows, columns = a.shape
    for k in range(min(rows, columns)):
        best = k + int(np.argmax(np.abs(a[k:, k])))
        pivots.append(best + 1)
        a[[k, best]] = a[[best, k]]
        if a[k, k] != 0:
            a[k + 1 :, k] /= a[k, k]
            a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return a, np.array(pivots, np.int32)


@method("lu")
def lu_factor(A, pivot=True) -> Any:
    """(LU, pivots): A = P @ L @ U with the triangles in one matrix.

    lu_unpack() takes them apart, lu_solve() solves systems with them. RuntimeError for a matrix
    that requires grad: detach() it; and without `pivot`, as in PyTorch on a CPU.
    """
    if not pivot:
        raise RuntimeError("lu_factor() without pivoting is for GPUs only")
    if state.grad_enabled and A.requires_grad:
        raise RuntimeError("the triangles have no gradient here; detach() the matrix first")
    shape = A.shape
    flat = A._data.reshape(math.prod(shape[:-2]), *shape[-2:])
    found = [factored(matrix) for matrix in flat]
    k = min(shape[-2:])
    both = np.array([lu for lu, _ in found], A.dtype).reshape(shape)
    pivots = np.array([p for _, p in found], np.int32).reshape(*shape[:-2], k)
    return LUFactor(wrap(both), wrap(pivots))


def lu_unpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True) -> Any:
    """(P, L, U), with which P @ L @ U is the matrix that lu_factor() was given."""
    rows, columns = LU_data.shape[-2:]
    k = min(rows, columns)
    lower = tril(LU_data[..., :k], -1) + eye(rows, k, dtype=LU_data.dtype)
    swaps = LU_pivots._data.reshape(math.prod(LU_pivots.shape[:-1]), k)
    turns = np.array([exchanged(rows, row) for row in swaps], LU_data.dtype)
    turns = wrap(turns.reshape(*LU_data.shape[:-2], rows, rows))
    return Unpacked(turns, lower, triu(LU_data[..., :k, :]))


def exchanged(n, pivots):
    """The matrix that puts rows back to where they were before the exchanges."""
    order = np.arange(n)
    for k, pivot in enumerate(pivots):
        order[[k, pivot - 1]] = order[[pivot - 1, k]]
    return np.eye(n)[order].T


def lu(A, *, pivot=True) -> Any:
    """(P, L, U): A = P @ L @ U, a matrix that exchanges rows, and two triangles."""
    return LU(*lu_unpack(*lu_factor(A, pivot)))


def lu_solve(LU, pivots, B, *, left=True, adjoint=False):
    """X with A @ X = B, by what lu_factor() found for A; X @ A = B unless `left`."""
    p, lower, upper = lu_unpack(LU, pivots)
    a = p @ lower @ upper
    a = a.mT if adjoint else a
    return solve(a, B) if left else solve(a.mT, B.mT).mT


def old_lu_solve(b, LU_data, LU_pivots):
    """X with A @ X = b, by what lu() found for A."""
    return lu_solve(LU_data, LU_pivots, b)


Tensor.lu_solve = old_lu_solve

# --- with a report in place of an error ---


def info_of(A):
    return wrap(np.zeros(A.shape[:-2], np.int32))


def cholesky_ex(A, *, upper=False, check_errors=False) -> Any:
    """(L, info): cholesky(), and zeros."""
    return CholeskyEx(cholesky(A, upper=upper), info_of(A))


def inv_ex(A, *, check_errors=False) -> Any:
    """(inverse, info): inv(), and zeros."""
    return InvEx(inv(A), info_of(A))


# --- exponentials, and tensors as matrices ---


@method("matrix_exp")
def matrix_exp(A):
    """The exponential of a square matrix, 1 + A + A @ A / 2 + ..., or of each in a batch.

    >>> matrix_exp(tinytorch.tensor([[0.0, 1.0], [0.0, 0.0]]))
    tensor([[1., 1.],
            [0., 1.]])
    """
    size = float(np.abs(A._data).sum(-1).max(initial=0))
    halvings = max(0, math.ceil(math.log2(size)) + 1) if size > 0 and math.isfinite(size) else 0
    small, one = A / 2**halvings, eye(A.shape[-1], dtype=A.dtype)
    result = one + small / 18
    for k in range(17, 0, -1):
        result = one + small @ result / k
    for _ in range(halvings):
        result = result @ result
    return result


def vander(x, *, N=None):
    """The powers of the numbers of a vector, or of each in a batch, from 0 up, as columns."""
    n = x.shape[-1] if N is None else N
    if x.dim() == 1:
        return vander_of_vector(x, n, True)
    rows = [vander_of_vector(row, n, True) for row in x.reshape(-1, x.shape[-1])]
    return stack(rows).reshape(*x.shape, n)


def tensorinv(A, ind=2):
    """The inverse of a tensor as a matrix whose rows are its first `ind` dimensions."""
    first, last = A.shape[:ind], A.shape[ind:]
    n = math.prod(first)
    if n != math.prod(last):
        raise RuntimeError(f"tensorinv() needs as many rows as columns, got {first} and {last}")
    return inv(A.reshape(n, n)).reshape(*last, *first)


def tensorsolve(A, B, dims=None) -> Tensor:
    """X whose product with A over as many dimensions as X has is B."""
    if dims is not None:
        A = A.movedim(tuple(dims), tuple(range(A.dim() - len(dims), A.dim())))
    n, shape = B.numel(), A.shape[B.dim() :]
    return solve(A.reshape(n, n), B.reshape(n)).reshape(shape)
