"""Chapter 1: slopes found by nudging."""

import numpy as np
import pytest

import tinytorch as tt
from course.testing import expect, expect_raises


@pytest.mark.exercise("1.6", points=1)
def test_the_slope_of_a_square():
    got = tt.numerical_gradient(lambda x: x * x, tt.Tensor(3))
    expect(got, 6, "numerical_gradient(x * x at 3)", atol=1e-6)


@pytest.mark.exercise("1.6", points=1)
def test_the_nudge_goes_to_both_sides():
    got = tt.numerical_gradient(lambda x: x * x * x, tt.Tensor(1), eps=0.1)
    slip = "a one-sided difference gives 3.31: nudge up and down, and divide by 2 * eps"
    expect(got, 3.01, "numerical_gradient(x * x * x at 1, eps=0.1)", slip=slip)


@pytest.mark.exercise("1.6", points=1)
def test_each_element_has_its_own_slope():
    x = tt.Tensor([[1, 2, 3], [4, 5, 6]])
    weights = np.array([[1.0, 10, 100], [1000, 10000, 100000]])
    got = tt.numerical_gradient(lambda x: (x * weights).sum(), x)
    slip = "one element at a time: is each put back before the next is nudged?"
    expect(got, weights, "numerical_gradient of a weighted sum", slip=slip, atol=1e-4)


@pytest.mark.exercise("1.6", points=1)
def test_elements_meet_only_where_f_lets_them():
    x = tt.Tensor([2, 5])
    got = tt.numerical_gradient(lambda x: x.sum() * x.sum(), x, eps=0.5)
    slip = "a nudge that is not undone moves the next slope"
    # the slope of (a + b)² is 2(a + b) = 14 for both
    expect(got, [14, 14], "numerical_gradient(x.sum() * x.sum() at [2, 5], eps=0.5)", slip=slip)


@pytest.mark.exercise("1.6", points=1)
def test_x_is_left_as_it_was():
    x = tt.Tensor([1, 2])
    before = x.data
    tt.numerical_gradient(lambda x: (x * x).sum(), x)
    what = "x after numerical_gradient(f, x)"
    expect(x, [1, 2], what, slip="undo the nudge", atol=0, rtol=0)
    slip = "x.data must be the same float32 array as before"
    expect(x.data is before, True, "x.data is the array that it was", slip=slip)

    def fails(x):
        raise ZeroDivisionError("on purpose")

    slip = "let the error through, but put x.data back in a finally: block"
    expect_raises(ZeroDivisionError, lambda: tt.numerical_gradient(fails, x), "f fails", slip=slip)
    expect(x, [1, 2], "x after an f that fails", slip=slip)
    expect(
        x.data is before, True, "x.data is the array that it was, after an f that fails", slip=slip
    )


@pytest.mark.exercise("1.6", points=1)
def test_slopes_of_float32_tensors_are_found_in_float64():
    got = tt.numerical_gradient(lambda x: (x * x).sum(), tt.Tensor([100, 3]))
    slip = "nudge a float64 copy: float32 has no room for x + 0.000001"
    expect(got, [200, 6], "numerical_gradient((x * x).sum() at [100, 3])", slip=slip, atol=1e-4)
    expect(got.dtype, np.float64, "numerical_gradient(…).dtype", slip=slip)
