"""Decompositions of matrices: their values, and their gradients of first and second order."""

import numpy as np
import pytest
from beside_torch import numbers, programs_in, proven, same_answer, same_as_torch

import tinytorch

SQUARE, TALL, WIDE = numbers(2, 3, 3), numbers(2, 4, 3), numbers(3, 5)


def _symmetric(x):
    return x + x.mT


def _signed(t, u, s, vh):
    """The same whatever signs the columns have."""
    return t.cat([(u * u).reshape(-1), s.reshape(-1), (vh * vh * vh * vh).reshape(-1)])


GRADIENTS = {
    "eigvalsh": (lambda t, x: t.linalg.eigvalsh(_symmetric(x)), SQUARE),
    "eigh": (lambda t, x: (t.linalg.eigh(_symmetric(x)).eigenvectors) ** 2, SQUARE),
    "svd": (lambda t, x: _signed(t, *t.linalg.svd(x)), SQUARE),
    "svd, tall": (lambda t, x: _signed(t, *t.linalg.svd(x, full_matrices=False)), TALL),
    "svd, wide": (lambda t, x: _signed(t, *t.linalg.svd(x, False)), WIDE),
    "svdvals": (lambda t, x: t.linalg.svdvals(x), WIDE),
    "torch.svd": (lambda t, x: t.svd(x).S + t.svd(x)[2].abs().sum(-2), TALL),
    "qr": (lambda t, x: t.linalg.qr(x).R + t.linalg.qr(x)[0].mT @ x, SQUARE),
    "qr, tall": (lambda t, x: t.linalg.qr(x).Q.mT + t.linalg.qr(x).R.sum(-1, True), TALL),
    "qr, wide": (lambda t, x: t.linalg.qr(x).R, WIDE),
    "pinv": (lambda t, x: t.linalg.pinv(x), TALL),
    "pinverse": (lambda t, x: x.pinverse(), WIDE),
    "lstsq": (lambda t, x, y: t.linalg.lstsq(x, y).solution, TALL, numbers(2, 4, 2, seed=3)),
    "cond": (lambda t, x: t.linalg.cond(x) + t.linalg.cond(x, -2), SQUARE),
    "matrix_exp": (lambda t, x: t.matrix_exp(x / 2), SQUARE),
    "matrix_norm": (
        lambda t, x: sum(t.linalg.matrix_norm(x, p) for p in ("fro", "nuc", 2, -2, 1, -1)),
        TALL,
    ),
    "norm of rows": (lambda t, x: t.linalg.norm(x, float("inf"), (0, 2), True), TALL),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients_agree_with_pytorch_and_have_gradients(name):
    function, *arrays = GRADIENTS[name]
    arrays = [array.astype("float64") for array in arrays]
    same_as_torch(function, *arrays, tolerance=1e-6)
    proven(lambda *tensors: function(tinytorch, *tensors), *arrays)


def _matrix(t):
    return t.tensor([[2.0, 1.0, 0.5], [1.0, 3.0, -1.0], [4.0, -1.0, 0.5]], dtype=t.float64)


def triangles_with_exchanged_rows(t):
    x, b = _matrix(t), t.arange(3.0, dtype=t.float64)[:, None]
    both, pivots = t.linalg.lu_factor(x)
    found = [both, pivots, *t.lu_unpack(both, pivots), *t.linalg.lu(x[:2]), *t.linalg.lu(x[:, :2])]
    found += [t.linalg.lu_solve(both, pivots, b), t.lu_solve(b, both, pivots)]
    return found, t.linalg.lu_solve(both, pivots, b.mT, left=False)


def reports_in_place_of_errors(t):
    x = _matrix(t)
    return [list(pair) for pair in (t.linalg.inv_ex(x), t.linalg.cholesky_ex(x @ x.mT))]


def ranks(t):
    x = t.tensor([[1.0, 2.0], [2.0, 4.0]])
    found = [t.linalg.matrix_rank(x), t.linalg.matrix_rank(x + t.eye(2) * 1e-3, atol=1e-2)]
    return found, t.linalg.matrix_rank(x, 10.0), t.linalg.matrix_rank(x + t.eye(2), rtol=0.1)


def how_much_a_matrix_stretches(t):
    return [t.linalg.cond(_matrix(t), p) for p in (None, "fro", 1, float("inf"), -2)]


def inverses_with_a_bound(t):
    x = t.tensor([[1.0, 0.0], [0.0, 1e-3]])
    return [t.linalg.pinv(x), t.linalg.pinv(x, rtol=1e-2), t.linalg.pinv(x, atol=1e-2)]


def systems_with_too_many_equations(t):
    x, y = t.tensor([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]), t.tensor([[1.0], [2.0], [4.0]])
    return [*t.linalg.lstsq(x, y, driver="gelsd")][:3], t.linalg.lstsq(x.T, y[:2]).solution


def full_matrices(t):
    x = t.arange(6.0).reshape(3, 2)
    found = t.linalg.svd(x), t.linalg.qr(x, "complete"), t.linalg.qr(x, mode="r")
    return [[list(part.shape) for part in parts] for parts in found], t.linalg.qr(x, "r").R.abs()


def tensors_as_matrices(t):
    x = t.eye(6).reshape(2, 3, 3, 2) * 2
    y = t.linalg.tensorinv(x), t.linalg.tensorsolve(x, t.arange(6.0).reshape(2, 3))
    return y, t.linalg.vander(t.tensor([[1, 2], [3, 4]]), N=3), t.linalg.diagonal(x[0])


def norms_of_vectors(t):
    x = t.arange(-3.0, 3.0).reshape(2, 3)
    kinds = [t.linalg.vector_norm(x, ord=p, dim=1, dtype=t.float64) for p in (0, 1, 2, 3.5)]
    return kinds, t.linalg.norm(x, 1, dim=0), t.linalg.norm(x, "nuc"), t.linalg.norm(x.flatten(), 3)


def a_norm_nobody_knows(t):
    return t.linalg.matrix_norm(t.ones(2, 2), "most")


@pytest.mark.parametrize("program", programs_in(globals()), ids=lambda f: f.__name__)
def test_a_program_says_the_same(program):
    same_answer(program)


def test_the_triangles_have_no_gradient():
    with pytest.raises(RuntimeError, match="detach"):
        tinytorch.linalg.lu(tinytorch.ones(2, 2, requires_grad=True))


def test_full_columns_have_the_slopes_of_those_that_count():
    x = tinytorch.tensor(TALL[0], requires_grad=True)
    weights = tinytorch.tensor(numbers(4, 3, seed=5))
    full, thin = (tinytorch.linalg.svd(x, kind).U[:, :3] for kind in (True, False))
    grads = [tinytorch.autograd.grad((u * u * weights).sum(), x)[0] for u in (full, thin)]
    np.testing.assert_allclose(*[grad.numpy() for grad in grads], rtol=1e-4, atol=1e-5)
