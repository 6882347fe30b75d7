"""Jacobians, Hessians and their products with vectors."""

import numpy as np
import pytest

import tinytorch
from tinytorch import tensor
from tinytorch.autograd import functional


def vector(*values):
    return tensor(values, dtype=tinytorch.float64)


def test_the_jacobian_of_a_square_is_diagonal():
    assert functional.jacobian(lambda x: x * x, vector(1.0, 2.0)).tolist() == [[2, 0], [0, 4]]


def test_a_jacobian_has_the_shape_of_the_result_and_then_of_the_input():
    found = functional.jacobian(lambda x: x @ tinytorch.ones(3, 4), tinytorch.ones(2, 3))
    assert found.shape == (2, 4, 2, 3)


def test_several_inputs_and_results_give_tuples_of_tuples():
    found = functional.jacobian(lambda x, y: (x * y, x + 1), (vector(2.0), vector(5.0)))
    assert [[j.item() for j in row] for row in found] == [[5, 2], [1, 0]]


def test_strict_refuses_a_result_that_does_not_depend():
    with pytest.raises(RuntimeError):
        functional.jacobian(lambda x, y: x * 1, (vector(1.0), vector(1.0)), strict=True)


def test_the_hessian_of_a_cube():
    found = functional.hessian(lambda x: (x**3).sum(), vector(1.0, 2.0))
    assert found.tolist() == [[6, 0], [0, 12]]


def test_the_hessian_of_two_inputs_has_mixed_blocks():
    found = functional.hessian(lambda x, y: (x * x * y).sum(), (vector(2.0), vector(3.0)))
    assert [[block.item() for block in row] for row in found] == [[6, 4], [4, 0]]


def test_a_hessian_needs_one_number():
    with pytest.raises(RuntimeError, match="one number"):
        functional.hessian(lambda x: x * 2, vector(1.0, 2.0))


def test_the_hessian_of_a_constant_is_zero():
    found = functional.hessian(lambda x: x.detach().sum(), vector(1.0, 2.0))
    assert found.tolist() == [[0, 0], [0, 0]]


def test_the_function_returns_tensors():
    for find in (functional.jacobian, functional.hessian, functional.vjp):
        with pytest.raises(TypeError, match="result must be a Tensor, got float"):
            find(lambda x: 3.0, vector(1.0))


def test_the_vector_has_the_shapes_of_the_results():
    for v in ((vector(1.0), vector(2.0)), vector(1.0, 2.0)):
        with pytest.raises(RuntimeError, match=r"shapes \[\(1,\)\], got \[\("):
            functional.vjp(lambda x: x.detach(), vector(1.0), v)


def test_vjp_and_jvp_multiply_from_the_two_sides():
    weights = tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], dtype=tinytorch.float64)

    def f(x):
        return weights @ x

    assert functional.vjp(f, vector(1.0, 1.0), vector(1.0, 0.0, 0.0))[1].tolist() == [1, 2]
    assert functional.jvp(f, vector(1.0, 1.0), vector(1.0, 0.0))[1].tolist() == [1, 3, 5]


def test_a_vector_is_needed_for_more_than_one_result():
    with pytest.raises(RuntimeError, match="vector"):
        functional.vjp(lambda x: x * 2, vector(1.0, 2.0))


def test_hvp_is_the_hessian_times_a_vector():
    value, product = functional.hvp(lambda x: (x**3).sum(), vector(1.0, 2.0), vector(1.0, 10.0))
    assert value.item() == 9
    assert product.tolist() == [6, 120]


def test_create_graph_keeps_the_results_differentiable():
    x = vector(2.0).requires_grad_()
    found = functional.jacobian(lambda x: x**3, x, create_graph=True)
    assert tinytorch.autograd.grad(found.sum(), x)[0].item() == 12


def test_newtons_method_finds_the_minimum_of_a_quadratic_in_one_step():
    matrix = tensor([[2.0, 1.0], [1.0, 3.0]], dtype=tinytorch.float64)

    def f(x):
        return 0.5 * x @ matrix @ x - x.sum()

    x = vector(5.0, -5.0)
    gradient, hessian = functional.jacobian(f, x), functional.hessian(f, x)
    x = x.numpy() - np.linalg.solve(hessian.numpy(), gradient.numpy())
    np.testing.assert_allclose(x, [0.4, 0.2], atol=1e-12)


@pytest.mark.parametrize("name", ["jacobian", "hessian", "vjp", "jvp", "vhp", "hvp"])
def test_they_agree_with_pytorch(name):
    torch = pytest.importorskip("torch")
    found = []
    for t in (tinytorch, torch):
        x = t.tensor([0.3, -0.5, 0.9], dtype=t.float64)
        v = t.tensor([1.0, 2.0, 3.0], dtype=t.float64)

        def f(x, t=t):
            y = x.sin() * x.exp()
            return y if name in ("jacobian", "vjp", "jvp") else (y * y).sum()

        arguments = (x,) if name in ("jacobian", "hessian") else (x, v)
        result = getattr(t.autograd.functional, name)(f, *arguments)
        found.append([np.asarray(r) for r in (result if isinstance(result, tuple) else (result,))])
    for ours, theirs in zip(*found, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-10)
