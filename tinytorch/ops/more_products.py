"""More products of vectors and matrices: with something added, one after the other, powers."""

from functools import reduce

from tinytorch.ops.creation import eye
from tinytorch.ops.dims import axis_of, common_shape
from tinytorch.ops.linalg import bmm, dot, matmul, mv, outer, scaled
from tinytorch.ops.shapes import expand
from tinytorch.tensor import check_tensors, method

ger, vdot = outer, dot


@method("addmv")
def addmv(input, mat, vec, *, beta=1, alpha=1):
    """beta * input + alpha * mat @ vec; a `beta` of 0 leaves out even NaN of input."""
    return scaled(input, beta) + mv(mat, vec) * alpha


@method("addr")
def addr(input, vec1, vec2, *, beta=1, alpha=1):
    """beta * input + alpha * outer(vec1, vec2); a `beta` of 0 leaves out even NaN of input."""
    return scaled(input, beta) + outer(vec1, vec2) * alpha


@method("baddbmm")
def baddbmm(input, batch1, batch2, *, beta=1, alpha=1):
    """beta * input + alpha * batch1 @ batch2; a `beta` of 0 leaves out even NaN of input."""
    return scaled(input, beta) + bmm(batch1, batch2) * alpha


@method("addbmm")
def addbmm(input, batch1, batch2, *, beta=1, alpha=1):
    """beta * input + alpha * the sum of batch1 @ batch2 over the batch, as baddbmm()."""
    return scaled(input, beta) + bmm(batch1, batch2).sum(0, dtype=batch1.dtype) * alpha


def chain_matmul(*matrices):
    """The product of the matrices, one after the other."""
    return reduce(matmul, matrices)


def multi_dot(tensors):
    """The product of the list of matrices, one after the other."""
    return reduce(matmul, tensors)


@method("matrix_power")
def matrix_power(input, n):
    """The product of `n` times the matrix, or each in a batch; of its inverse for negative n.

    >>> matrix_power(tinytorch.tensor([[1.0, 1.0], [0.0, 1.0]]), 3)
    tensor([[1., 3.],
            [0., 1.]])
    """
    if n < 0:
        return matrix_power(input.inverse(), -n)
    result = expand(eye(input.shape[-1], dtype=input.dtype), input.shape)
    while n:
        n, odd = divmod(n, 2)
        result = result @ input if odd else result
        input = input @ input if n else input
    return result


@method("cross")
def cross(input, other, dim=None):
    """The vectors at right angles to pairs of vectors of three numbers along `dim`.

    By default `dim` is the first dimension of length 3.

    >>> cross(tinytorch.tensor([1, 0, 0]), tinytorch.tensor([0, 1, 0]))
    tensor([0, 0, 1])
    """
    check_tensors("cross", other=other)
    shape = common_shape(input.shape, other.shape)
    dim = shape.index(3) if dim is None and 3 in shape else axis_of(dim or 0, len(shape))
    if shape[dim] != 3:
        raise RuntimeError(f"cross() needs a dimension of length 3, got shape {shape}")
    a, b = expand(input, shape), expand(other, shape)
    return a.roll(-1, dim) * b.roll(-2, dim) - a.roll(-2, dim) * b.roll(-1, dim)
