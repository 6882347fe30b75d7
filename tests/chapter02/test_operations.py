"""Chapter 2: the local rule of each operation, by hand and against nudging."""

import numpy as np
import pytest

from course.testing import expect, expect_gradients, expect_local_gradients, leaf


def expect_saved(result, tensors, what, slip):
    saved = result.grad_fn.saved_tensors
    same = len(saved) == len(tensors) and all(a is b for a, b in zip(saved, tensors, strict=True))
    expect(same, True, what, slip=slip)


@pytest.mark.exercise("2.3", points=1)
def test_a_product_has_the_value_of_the_product():
    x, y = leaf([2, 3]), leaf([5, 7])
    z = x * y
    expect(z, [10, 21], "Tensor([2, 3]) * Tensor([5, 7])")
    slip = "forward must not change its inputs"
    expect(x, [2, 3], "x after x * y", slip=slip)
    expect(y, [5, 7], "y after x * y", slip=slip)


@pytest.mark.exercise("2.3", points=1)
def test_mul_saves_x_and_y():
    x, y = leaf(2), leaf(5)
    slip = "ctx.save_for_backward(x, y), before either name gets a new value"
    expect_saved(x * y, (x, y), "x * y has saved x and y themselves", slip)


@pytest.mark.exercise("2.3", points=1)
def test_each_factor_gets_the_other_one():
    x, y = leaf(2), leaf(5)
    own = "if x moves by 1, z = x * y moves by y: dz/dx = y, dz/dy = x"
    slips = {2: own, 5: own, 1: own, 10: "z itself is not the slope: dz/dx = y, dz/dy = x"}
    expect_gradients(x * y, 1, "2 * 5, sent 1", slips=slips, x=(x, 5), y=(y, 2))


@pytest.mark.exercise("2.3", points=1)
def test_mul_multiplies_by_the_upstream_gradient():
    x, y = leaf(2), leaf(5)
    slip = "both gradients are multiplied by grad_z"
    expect_gradients(x * y, 10, "2 * 5, sent 10", slips={5: slip, 2: slip}, x=(x, 50), y=(y, 20))


@pytest.mark.exercise("2.3", points=1)
def test_mul_agrees_with_nudging():
    x, y = leaf([[1, -2, 3], [4, 0, 6]]), leaf([[2, 3, -1], [5, 7, 2]])
    expect_local_gradients(x * y, [x, y], lambda x, y: x * y, "x * y, shape (2, 3)")
    x, y = leaf(3), leaf(-4)
    expect_local_gradients(x * y, [x, y], lambda x, y: x * y, "x * y, shape ()")


@pytest.mark.exercise("2.4", points=1)
def test_a_quotient_has_the_value_of_the_quotient():
    x, y = leaf([6, 8]), leaf([2, 4])
    z = x / y
    expect(z, [3, 2], "Tensor([6, 8]) / Tensor([2, 4])")
    expect(x, [6, 8], "x after x / y", slip="forward must not change its inputs")
    expect(3 / leaf([1, 2]), [3, 1.5], "3 / Tensor([1, 2])")


@pytest.mark.exercise("2.4", points=1)
def test_the_numerator_gets_one_over_y():
    x, y = leaf(6), leaf(2)
    slip = "dz/dx = 1 / y, and the gradient of x comes first"
    expect_gradients(x / y, 1, "6 / 2, sent 1", slip=slip, x=(x, 0.5))


@pytest.mark.exercise("2.4", points=1)
def test_the_denominator_gets_minus_x_over_y_squared():
    x, y = leaf(6), leaf(1)
    slip = "when y grows, x / y shrinks: a minus sign is missing"
    expect_gradients(x / y, 1, "6 / 1, sent 1", slip=slip, y=(y, -6))
    x, y = leaf(6), leaf(2)
    slips = {
        -6: "dz/dy = -x / (y * y), with the brackets",
        1.5: "when y grows, x / y shrinks: a minus sign is missing",
        -3: "y counts twice: dz/dy = -x / (y * y)",
        0.5: "that is dz/dx: the gradient of x comes first, then that of y",
    }
    expect_gradients(x / y, 1, "6 / 2, sent 1", slips=slips, y=(y, -1.5))


@pytest.mark.exercise("2.4", points=1)
def test_div_multiplies_by_the_upstream_gradient():
    x, y = leaf(6), leaf(2)
    slip = "both gradients are multiplied by grad_z"
    expect_gradients(x / y, 10, "6 / 2, sent 10", slip=slip, x=(x, 5), y=(y, -15))


@pytest.mark.exercise("2.4", points=1)
def test_div_agrees_with_nudging():
    x, y = leaf([[1, -2, 3], [4, 0, 6]]), leaf([[2, 3, -1], [5, 7, 2]])
    expect_local_gradients(x / y, [x, y], lambda x, y: x / y, "x / y, shape (2, 3)")
    x = leaf(4)
    expect_local_gradients(1 / x, [x], lambda x: 1 / x, "1 / x, x of shape ()")


@pytest.mark.exercise("2.5", points=1)
def test_a_power_has_the_value_of_the_power():
    expect(leaf([2, -3]) ** 3, [8, -27], "Tensor([2, -3]) ** 3")
    expect(leaf(9) ** 0.5, 3, "Tensor(9) ** 0.5")


@pytest.mark.exercise("2.5", points=1)
def test_the_exponent_comes_down_as_a_factor():
    x = leaf(1)
    slip = "dz/dx = n * x ** (n - 1): the exponent comes down as a factor"
    expect_gradients(x**3, 1, "x ** 3 at 1, sent 1", slip=slip, x=(x, 3))


@pytest.mark.exercise("2.5", points=1)
def test_and_one_less_stays_above():
    x = leaf(2)
    slip = "dz/dx = n * x ** (n - 1): one less stays above"
    expect_gradients(x**3, 1, "x ** 3 at 2, sent 1", slip=slip, x=(x, 12))


@pytest.mark.exercise("2.5", points=1)
def test_pow_multiplies_by_the_upstream_gradient():
    x = leaf(2)
    slip = "the gradient is multiplied by grad_z"
    expect_gradients(x**3, 10, "x ** 3 at 2, sent 10", slip=slip, x=(x, 120))


@pytest.mark.exercise("2.5", points=1)
def test_each_power_keeps_its_own_exponent():
    x = leaf(2)
    square = x**2
    _ = x**5
    slip = "the exponent belongs on the ctx of the call, where no other call can change it"
    expect_gradients(square, 1, "x ** 2, after x ** 5", slip=slip, x=(x, 4))


@pytest.mark.exercise("2.5", points=1)
def test_pow_agrees_with_nudging_and_is_right_at_zero():
    x = leaf([-1, 2, 3])
    expect_local_gradients(x**-2, [x], lambda x: x**-2.0, "x ** -2")
    x = leaf(0)
    slip = "x ** (n - 1) is fine at 0, z / x divides by zero"
    expect_gradients(x**2, 1, "x ** 2 at 0, sent 1", slip=slip, x=(x, 0))


@pytest.mark.exercise("2.6", points=1)
def test_exp_and_tanh_have_their_values():
    x = leaf([0, np.log(2)])
    expect(x.exp(), [1, 2], "exp of [0, log 2]")
    expect(x.tanh(), [0, 0.6], "tanh of [0, log 2]")


@pytest.mark.exercise("2.6", points=1)
def test_exp_and_tanh_save_their_results():
    x = leaf([0, 1])
    slip = "make z = Tensor(...), save that z, and return the same z"
    for name in ("exp", "tanh"):
        z = getattr(x, name)()
        expect_saved(z, (z,), f"z = x.{name}() has saved z itself", slip)


@pytest.mark.exercise("2.6", points=1)
def test_exp_is_its_own_slope():
    x = leaf(np.log(2))
    slip = "the slope of e ** x is e ** x, which is z"
    expect_gradients(x.exp(), 1, "exp at log 2, sent 1", slip=slip, x=(x, 2))


@pytest.mark.exercise("2.6", points=1)
def test_the_slope_of_tanh_is_one_minus_its_square():
    x = leaf(np.log(2))
    slip = "z = 0.6 here, and dz/dx = 1 - z * z"
    expect_gradients(x.tanh(), 1, "tanh, z = 0.6", slip=slip, x=(x, 0.64))


@pytest.mark.exercise("2.6", points=1)
def test_exp_and_tanh_multiply_by_the_upstream_gradient():
    x = leaf(np.log(2))
    slip = "the gradient is multiplied by grad_z"
    expect_gradients(x.exp(), 10, "exp, sent 10", slip=slip, x=(x, 20))
    expect_gradients(x.tanh(), 10, "tanh, sent 10", slip=slip, x=(x, 6.4))


@pytest.mark.exercise("2.6", points=1)
def test_exp_and_tanh_agree_with_nudging():
    x = leaf([[-1, 0, 2], [1, -3, 0.5]])
    expect_local_gradients(x.exp(), [x], lambda x: np.exp(x), "exp, shape (2, 3)")
    expect_local_gradients(x.tanh(), [x], lambda x: np.tanh(x), "tanh, shape (2, 3)")


@pytest.mark.exercise("2.7", points=1)
def test_relu_cuts_off_what_is_negative():
    x = leaf([-2, 0, 3])
    expect(x.relu(), [0, 0, 3], "relu of [-2, 0, 3]", slip="negative values become 0")
    expect(x, [-2, 0, 3], "x after x.relu()", slip="forward must not change its inputs")


@pytest.mark.exercise("2.7", points=1)
def test_relu_passes_the_gradient_of_a_positive_value_on():
    x = leaf(3)
    slip = "the gradient is multiplied by grad_z"
    expect_gradients(x.relu(), 10, "relu at 3, sent 10", slip=slip, x=(x, 10))
    slip = "the mask asks whether x is positive, not whether grad_z is"
    expect_gradients(x.relu(), -10, "relu at 3, sent -10", slip=slip, x=(x, -10))


@pytest.mark.exercise("2.7", points=1)
def test_relu_stops_the_gradient_of_a_negative_value():
    x = leaf(-2)
    slip = "where x < 0, z stays at 0 however x moves"
    expect_gradients(x.relu(), 10, "relu at -2, sent 10", slip=slip, x=(x, 0))


@pytest.mark.exercise("2.7", points=1)
def test_relu_stops_the_gradient_at_zero():
    x = leaf(0)
    slip = "at the corner we take 0: x > 0, not x >= 0"
    expect_gradients(x.relu(), 10, "relu at 0, sent 10", slip=slip, x=(x, 0))


@pytest.mark.exercise("2.7", points=1)
def test_relu_agrees_with_nudging():
    x = leaf([[-1, 2, 3], [1, -3, -0.5]])
    slip = "the mask decides element by element"
    expect_local_gradients(x.relu(), [x], lambda x: x * (x > 0), "relu, shape (2, 3)", slip=slip)


@pytest.mark.exercise("2.8", points=1)
def test_a_matrix_product_has_its_value():
    x, y = leaf([[1, 2], [3, 4]]), leaf([[1, 10], [100, 1000]])
    slip = "rows of x times columns of y: x.data @ y.data"
    expect(
        x @ y, [[201, 2010], [403, 4030]], "[[1, 2], [3, 4]] @ [[1, 10], [100, 1000]]", slip=slip
    )


@pytest.mark.exercise("2.8", points=1)
def test_matmul_sends_nothing_back_where_nothing_came():
    x, y = leaf([[1, 2], [3, 4]]), leaf([[1, 10], [100, 1000]])
    zeros = [[0, 0], [0, 0]]
    slip = "grad_z is a factor of both gradients"
    expect_gradients(x @ y, zeros, "x @ y, sent zeros", slip=slip, x=(x, zeros), y=(y, zeros))


@pytest.mark.exercise("2.8", points=2)
def test_the_order_of_the_factors_matters():
    x, y = leaf([[1, 2], [3, 4]]), leaf([[1, 10], [100, 1000]])
    sent, what = [[1, 0], [0, 0]], "x @ y, sent [[1, 0], [0, 0]]"
    slip = "z[0, 0] is row 0 of x times column 0 of y: grad_x = grad_z @ y.T, in this order"
    expect_gradients(x @ y, sent, what, slip=slip, x=(x, [[1, 100], [0, 0]]))
    slip = "z[0, 0] is row 0 of x times column 0 of y: grad_y = x.T @ grad_z, in this order"
    expect_gradients(x @ y, sent, what, slip=slip, y=(y, [[1, 0], [2, 0]]))


@pytest.mark.exercise("2.8", points=2)
def test_matmul_agrees_with_nudging():
    x, y = leaf([[1, -2, 3], [4, 0, 6]]), leaf([[2, 3], [-1, 5], [7, 2]])
    slip = "gradients have the shapes of x and y: (N, M) @ (M, K) and (K, N) @ (N, M)"
    expect_local_gradients(x @ y, [x, y], lambda x, y: x @ y, "(2, 3) @ (3, 2)", slip=slip)
    y = leaf([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]])
    expect_local_gradients(x @ y, [x, y], lambda x, y: x @ y, "(2, 3) @ (3, 4)", slip=slip)
