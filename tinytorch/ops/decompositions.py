"""Decompositions of matrices with their ways back: eigenvalues, singular values, QR, inverses."""

from collections import namedtuple
from typing import Any

import numpy as np

from tinytorch.node import OUTPUT, Rule
from tinytorch.operation import recorded
from tinytorch.ops.dims import axes_of
from tinytorch.ops.inverses import computed, solved
from tinytorch.ops.joining import cat
from tinytorch.tensor import Tensor, method, wrap

Eigh = namedtuple("eigh", "eigenvalues eigenvectors")
SVD = namedtuple("svd", "U S Vh")
OldSVD = namedtuple("svd", "U S V")
QR = namedtuple("qr", "Q R")
LeastSquares = namedtuple("lstsq", "solution residuals rank singular_values")


def decomposed(A, arrays, decompose, *formulas, saved=None):
    """A tensor for each of the arrays that were found in A, each with a node of its own.

    `formula(grad, *found)` is the way back of one of them; `saved` stands for what was found. In a
    recorded pass, that is found anew by `decompose(A)`, so that it, too, has a history.
    """
    arrays = [np.ascontiguousarray(array) for array in arrays]
    saved = arrays if saved is None else saved

    def with_found(formula):
        def way_back(grad, a, *found):
            found = decompose(a) if isinstance(grad, Tensor) else found
            return formula(grad, *found)

        return way_back

    name = f"Linalg{decompose.__name__.capitalize()}Backward0"
    rules = [Rule(name, (with_found(formula),), (0,)) for formula in formulas]
    pairs = zip(arrays, rules, strict=True)
    return [recorded(array, rule, (A,), A._data, *saved) for array, rule in pairs]


def turned(x):
    return x.swapaxes(-1, -2)


def eye_of(x, n):
    return np.eye(n, dtype=x.dtype)


def gaps(x):
    """At place (i, j) the number j less the number i of a vector, 1 where i = j."""
    return x[..., None, :] - x[..., :, None] + eye_of(x, x.shape[-1])


# --- eigenvalues ---


def from_eigenvalues(grad, w, v):
    return (v * grad[..., None, :]) @ turned(v)


def from_eigenvectors(grad, w, v):
    product = turned(v) @ grad
    return v @ (product * (1 - eye_of(w, w.shape[-1])) / gaps(w)) @ turned(v)


def eigh(A, UPLO="L") -> Any:
    """Eigenvalues, from the least, and eigenvectors, as columns, of a symmetric matrix.

    The slope of eigenvectors is infinite where two eigenvalues are equal.
    """
    found = computed("eigh", lambda x: np.linalg.eigh(x, UPLO), A)
    return Eigh(*decomposed(A, found, eigh, from_eigenvalues, from_eigenvectors))


def eigvalsh(A, UPLO="L"):
    """The eigenvalues that eigh() gives."""
    return eigh(A, UPLO).eigenvalues


# --- singular values ---


def skew(x):
    return x - turned(x)


def from_left(grad, u, s, vh):
    inside = skew(turned(u) @ grad) / gaps(s * s) * s[..., None, :]
    back = u @ inside @ vh
    if u.shape[-2] == u.shape[-1]:
        return back
    beside = grad / s[..., None, :]
    return back + (beside - u @ (turned(u) @ beside)) @ vh


def from_singular_values(grad, u, s, vh):
    return (u * grad[..., None, :]) @ vh


def from_right(grad, u, s, vh):
    inside = s[..., :, None] * skew(vh @ turned(grad)) / gaps(s * s)
    back = u @ inside @ vh
    if vh.shape[-2] == vh.shape[-1]:
        return back
    beside = grad / s[..., :, None]
    return back + u @ (beside - (beside @ turned(vh)) @ vh)


def svd(A, full_matrices=True, *, driver=None) -> Any:
    """A = U @ diag(S) @ Vh, S from the largest; without `full_matrices`, as many columns as S has.

    The slopes of U and Vh are infinite where two singular values are equal; columns of U and rows
    of Vh beyond those of S have none.
    """
    u, s, vh = found = computed("svd", lambda x: np.linalg.svd(x, full_matrices), A)
    k = s.shape[-1]
    ways = (
        lambda grad, *found: from_left(grad[..., :k], *found),
        from_singular_values,
        lambda grad, *found: from_right(grad[..., :k, :], *found),
    )
    return SVD(*decomposed(A, found, thin, *ways, saved=(u[..., :k], s, vh[..., :k, :])))


def thin(A):
    return svd(A, False)


@method("svd")
def svd_with_v(A, some=True, compute_uv=True) -> Any:
    """A = U @ diag(S) @ V.mT, S from the largest; with `some`, as many columns as S has."""
    u, s, vh = svd(A, not some)
    return OldSVD(u, s, vh.mT)


def svd_lowrank(A, q=6, niter=2, M=None) -> Any:
    """(U, S, V): the `q` largest singular values of A, or of A - M, and what belongs to them.

    They are exact, whatever `niter` says. RuntimeError if there are fewer than `q`.
    """
    if not 0 <= q <= min(A.shape[-2:]):
        raise RuntimeError(f"q must be between 0 and {min(A.shape[-2:])}, got {q}")
    u, s, v = svd_with_v(A if M is None else A - M)
    return OldSVD(u[..., :q], s[..., :q], v[..., :q])


def pca_lowrank(A, q=None, center=True, niter=2) -> Any:
    """svd_lowrank() of the rows without their mean: the columns of V are the main directions.

    `q` is 6 by default, or as many as there are.

    >>> u, s, v = pca_lowrank(tinytorch.tensor([[0.0, 1.0], [0.0, 2.0], [0.0, 3.0]]), 1)
    >>> s
    tensor([1.4142])
    """
    q = min(6, *A.shape[-2:]) if q is None else q
    return svd_lowrank(A - A.mean(-2, keepdim=True) if center else A, q, niter)


def svdvals(A, *, driver=None):
    """The singular values, from the largest."""
    return thin(A).S


# --- a right-angled and a triangular factor ---


def from_q(grad, q, r):
    inside = -upper_triangle(turned(q) @ grad)
    return qr_back(grad + q @ mirrored(inside), r)


def from_r(grad, q, r):
    return qr_back(q @ mirrored(upper_triangle(grad @ turned(r))), r)


def upper_triangle(x):
    return x * np.triu(np.ones(x.shape[-2:], x.dtype))


def mirrored(x):
    """An upper triangle with its mirror image below, the diagonal once."""
    return x + turned(x) - x * eye_of(x, x.shape[-1])


def qr_back(x, r):
    return turned(solved(r, turned(x)))


def qr(A, mode="reduced") -> Any:
    """Columns at right angles, and a triangle: A = Q @ R.

    RuntimeError for a gradient with `mode` "r", or "complete" and more rows than columns.
    """
    rows, columns = A.shape[-2:]
    if mode == "r" or (mode == "complete" and rows > columns):
        found = computed("qr", lambda x: np.linalg.qr(x, mode), A.detach())
        q, r = (np.zeros(0, A.dtype), found) if mode == "r" else found
        return QR(wrap(np.ascontiguousarray(q)), wrap(np.ascontiguousarray(r)))
    if columns > rows:
        q, r = qr(A[..., :rows])
        return QR(q, cat([r, q.mT @ A[..., rows:]], -1))
    found = computed("qr", lambda x: np.linalg.qr(x), A)
    return QR(*decomposed(A, found, qr, from_q, from_r))


@method("qr")
def old_qr(input, some=True) -> Any:
    """qr(), with `some` of as many columns as are needed, otherwise of all that there can be."""
    return qr(input, "reduced" if some else "complete")


# --- inverses of what has none ---


def pinv_formula(grad, a, p):
    t, g = turned(p), turned(grad)
    left, right = eye_of(a, a.shape[-2]) - a @ p, eye_of(a, a.shape[-1]) - p @ a
    return left @ g @ p @ t + t @ p @ g @ right - t @ grad @ t


PINV = Rule("LinalgPinvBackward0", (pinv_formula,), (0, OUTPUT))


@method("pinverse")
def pinv(A, rcond=None, *, atol=None, rtol=None, hermitian=False):
    """The inverse of Moore and Penrose; singular values up to `rcond` times the largest count as 0.

    `atol` is a bound of its own, and the larger of both counts.
    """
    bound = tolerance(A, atol, rtol if rcond is None else rcond)
    found = computed("pinv", lambda x: np.linalg.pinv(x, bound, hermitian=hermitian), A)
    return recorded(np.ascontiguousarray(found), PINV, (A,), A._data, found)


def tolerance(A, atol, rtol):
    """The part of the largest singular value below which one counts as 0."""
    if rtol is None:
        rtol = max(A.shape[-2:]) * np.finfo(A.dtype).eps if not atol else 0.0
    if atol is None or not A.numel():
        return rtol
    largest = np.linalg.svd(A._data, compute_uv=False).max(-1)
    return np.maximum(rtol, atol / np.maximum(largest, np.finfo(A.dtype).tiny))


def matrix_rank(A, tol=None, *, atol=None, rtol=None, hermitian=False):
    """How many directions a matrix keeps apart: its singular values above a bound."""
    sizes = computed("matrix_rank", lambda x: np.linalg.svd(x, compute_uv=False), A)
    bound = tolerance(A, tol if atol is None else atol, 0.0 if tol is not None else rtol)
    largest = sizes.max(-1, initial=0)
    return wrap(np.asarray((sizes > (bound * largest)[..., None]).sum(-1)))


def lstsq(A, B, rcond=None, *, driver=None) -> Any:
    """The X for which A @ X is nearest to B, as `solution`."""
    x = pinv(A) @ B
    tall = A.shape[-2] > A.shape[-1]
    rank = matrix_rank(A.detach())
    known = tall and B.dim() == A.dim() and bool((rank == A.shape[-1]).all())
    left = ((A @ x - B) ** 2).sum(-2) if known else wrap(np.zeros(0, A.dtype))
    return LeastSquares(x, left.detach(), rank, svdvals(A.detach()))


# --- norms ---


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False):
    """The norm of the matrices along two dimensions.

    `ord` is "fro", the root of the sum of squares; "nuc", the sum of the singular values; 2 or -2,
    the largest or smallest of them; 1 or inf, the largest sum of a column or of a row, of sizes,
    and with a minus the smallest.
    """
    rows, columns = axes_of(dim, A.dim())
    if ord == "fro":
        found = A.norm(2, (rows, columns))
    elif ord in ("nuc", 2, -2):
        sizes = svdvals(A.movedim((rows, columns), (-2, -1)))
        found = sizes.sum(-1) if ord == "nuc" else (sizes.amax if ord == 2 else sizes.amin)(-1)
    elif ord in (1, -1, np.inf, -np.inf):
        along, across = (rows, columns) if abs(ord) == 1 else (columns, rows)
        sums = A.abs().sum(along, keepdim=True)
        found = (sums.amax if ord > 0 else sums.amin)((along, across))
    else:
        raise RuntimeError(f"linalg.matrix_norm knows no norm {ord!r}")
    shape = [1 if i in (rows, columns) else n for i, n in enumerate(A.shape)]
    return found.reshape(shape) if keepdim else found


def cond(A, p=None):
    """How much the matrix stretches more in one direction than in another, by the norm `p`."""
    if p in (None, 2, -2):
        sizes = svdvals(A)
        return sizes[..., -1] / sizes[..., 0] if p == -2 else sizes[..., 0] / sizes[..., -1]
    return matrix_norm(A, p) * matrix_norm(A.inverse(), p)
