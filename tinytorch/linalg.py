"""Linear algebra under PyTorch's names."""
# ruff: noqa: I001 (a table of contents: names side by side)
# fmt: off

from tinytorch.ops.decompositions import (
    cholesky, cond, eigh, eigvalsh, lstsq, matrix_norm, matrix_rank, pinv, qr, solve_triangular,
    svd, svdvals,
)
from tinytorch.ops.distances import norm as vector_norm
from tinytorch.ops.inverses import det, inv, slogdet, solve
from tinytorch.ops.linalg import matmul
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


# fmt: off
__all__ = [
    "cholesky", "cond", "cross", "det", "eigh", "eigvalsh", "inv", "lstsq", "matmul",
    "matrix_norm", "matrix_power", "matrix_rank", "multi_dot", "norm", "pinv", "qr", "slogdet",
    "solve", "solve_triangular", "svd", "svdvals", "vecdot", "vector_norm",
]
