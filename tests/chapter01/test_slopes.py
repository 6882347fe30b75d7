"""Chapter 1: slopes found by nudging."""

import numpy as np
import pytest

import tinytorch as tt
from course.testing import expect, expect_raises


def float64(data):
    return tt.Tensor(np.array(data, dtype=np.float64))


@pytest.mark.exercise("1.6", points=1)
def test_the_slope_of_a_straight_line():
    got = tt.central_difference(lambda x: 5 * x, float64(3), (), 0.5)
    slip = "the movement of f over the whole distance, which is 2 * eps"
    expect(got, 5, "central_difference(5 * x at 3, eps=0.5)", slip=slip)


@pytest.mark.exercise("1.6", points=1)
def test_the_nudge_goes_to_both_sides():
    got = tt.central_difference(lambda x: x * x * x, float64(1), (), 0.1)
    slip = "a one-sided difference gives 3.31 or 2.71: nudge up and down"
    expect(got, 3.01, "central_difference(x * x * x at 1, eps=0.1)", slip=slip)


@pytest.mark.exercise("1.6", points=1)
def test_only_the_named_element_moves():
    weights = np.array([[1.0, 10], [100, 1000]])
    got = tt.central_difference(
        lambda x: (x * weights).sum(), float64([[1, 2], [3, 4]]), (1, 0), 0.5
    )
    slip = "nudge x.data[index] alone"
    expect(got, 100, "central_difference of a weighted sum, index (1, 0)", slip=slip)


@pytest.mark.exercise("1.6", points=1)
def test_the_element_is_put_back():
    x = float64([1, 2])
    tt.central_difference(lambda x: (x * x).sum(), x, (1,), 0.3)
    slip = "undo the nudge: set x.data[index] to the value that it had"
    expect(x, [1, 2], "x after central_difference(f, x, (1,), 0.3)", slip=slip, atol=0, rtol=0)


@pytest.mark.exercise("1.7", points=1)
def test_each_element_has_its_own_slope():
    weights = np.array([[1.0, 10, 100], [1000, 10000, 100000]])
    got = tt.numerical_gradient(lambda x: (x * weights).sum(), float64([[1, 2, 3], [4, 5, 6]]))
    slip = "one slope for each index of np.ndindex(x.shape), in the shape of x"
    expect(got, weights, "numerical_gradient of a weighted sum", slip=slip, atol=1e-4)


@pytest.mark.exercise("1.7", points=1)
def test_a_single_number_has_a_gradient_too():
    got = tt.numerical_gradient(lambda x: x * x, float64(3))
    slip = "a tensor of shape () has a gradient of shape ()"
    expect(got, 6, "numerical_gradient(x * x at 3)", slip=slip, atol=1e-6)


@pytest.mark.exercise("1.7", points=1)
def test_slopes_of_float32_tensors_are_found_in_float64():
    got = tt.numerical_gradient(lambda x: (x * x).sum(), tt.Tensor([100, 3]))
    slip = "nudge a float64 copy of x.data: float32 has no room for 100.000001"
    expect(got, [200, 6], "numerical_gradient((x * x).sum() at [100, 3])", slip=slip, atol=1e-4)
    expect(got.dtype, np.float64, "numerical_gradient(…).dtype", slip=slip)


@pytest.mark.exercise("1.7", points=1)
def test_x_is_left_as_it_was():
    x = tt.Tensor([1, 2])
    before = x.data
    tt.numerical_gradient(lambda x: (x * x).sum(), x)
    slip = "put the original array back into x.data"
    expect(x.data is before, True, "x.data is the array that it was", slip=slip)
    expect(x, [1, 2], "x after numerical_gradient(f, x)", slip=slip, atol=0, rtol=0)


@pytest.mark.exercise("1.7", points=1)
def test_x_is_left_as_it_was_even_if_f_fails():
    def fails(x):
        raise ZeroDivisionError("on purpose")

    x = tt.Tensor([1, 2])
    before = x.data
    slip = "let the error through, but put x.data back in a finally: block"
    expect_raises(
        ZeroDivisionError, lambda: tt.numerical_gradient(fails, x), "an f that fails", slip=slip
    )
    expect(
        x.data is before, True, "x.data is the array that it was, after an f that fails", slip=slip
    )
