"""Linear algebra under PyTorch's names."""
# ruff: noqa: I001 (a table of contents: names side by side)
# fmt: off

from tinytorch.ops.cholesky import cholesky, solve_triangular
from tinytorch.ops.decompositions import (
    cond, eigh, eigvalsh, lstsq, matrix_norm, matrix_rank, pinv, qr, svd, svdvals,
)
from tinytorch.ops.distances import norm as norm_of
from tinytorch.ops.inverses import LinAlgError, det, inv, slogdet, solve
from tinytorch.ops.linalg import matmul
from tinytorch.ops.lu import (
    cholesky_ex, inv_ex, lu, lu_factor, lu_solve, matrix_exp, tensorinv, tensorsolve, vander,
)
from tinytorch.ops.more_products import matrix_power, multi_dot
from tinytorch.tensor import check_tensors
# fmt: on


def cross(input, other, *, dim=-1):
    """The vectors at right angles to pairs of vectors of three numbers along `dim`."""
    check_tensors("cross", input=input, other=other)
    return input.cross(other, dim)


def vecdot(x, y, *, dim=-1):
    """The sums of the products along `dim`."""
    return (x * y).sum(dim)


def diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    """The diagonals of the matrices along two dimensions, a view."""
    return A.diagonal(offset, dim1, dim2)


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    """The norm of vectors: the root of order `ord` of the sum of |x|^ord, over `dim`.

    >>> vector_norm(tinytorch.tensor([[3.0, 4.0]]))
    tensor(5.)
    """
    check_tensors("vector_norm", x=x)
    return norm_of(x.to(dtype), ord, dim, keepdim)


def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    """The norm of a vector, or with an `ord` and two dimensions that of a matrix.

    Without `ord`, the root of the sum of all squares; see vector_norm() and matrix_norm().

    >>> norm(tinytorch.tensor([[3.0, 4.0]]))
    tensor(5.)
    """
    check_tensors("norm", A=A)
    A = A.to(dtype)
    if ord is None:
        return norm_of(A, 2, dim, keepdim)
    dims = tuple(range(A.dim())) if dim is None else dim
    if isinstance(dims, (tuple, list)) and len(dims) == 2:
        return matrix_norm(A, ord, tuple(dims), keepdim)
    if isinstance(ord, str) or (isinstance(dims, (tuple, list)) and len(dims) != 1):
        raise RuntimeError(f"linalg.norm of order {ord!r} is for one dimension or two, got {dims}")
    return norm_of(A, ord, dims, keepdim)


# fmt: off
__all__ = [
    "LinAlgError", "cholesky", "cholesky_ex", "cond", "cross", "det", "diagonal", "eigh",
    "eigvalsh", "inv", "inv_ex", "lstsq", "lu", "lu_factor", "lu_solve", "matmul", "matrix_exp",
    "matrix_norm", "matrix_power", "matrix_rank", "multi_dot", "norm", "pinv", "qr", "slogdet",
    "solve", "solve_triangular", "svd", "svdvals", "tensorinv", "tensorsolve", "vander", "vecdot",
    "vector_norm",
]
