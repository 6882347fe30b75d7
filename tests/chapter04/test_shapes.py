"""Chapter 4: which shapes fit together, and how a gradient gets back to the smaller one."""

import itertools

import numpy as np
import pytest

import tinytorch as tt
from course.testing import expect, expect_raises


def expect_shape(a, b, want, slip=""):
    expect(shape_or_error(a, b), want, f"broadcast_shape({a}, {b})", slip=slip)


def shape_or_error(a, b):
    try:
        return tt.broadcast_shape(a, b)
    except NotImplementedError:
        raise
    except RuntimeError as error:
        return error


@pytest.mark.exercise("4.1", points=1)
def test_equal_sizes_fit_and_a_size_of_one_stretches():
    expect_shape((4, 3), (4, 3), (4, 3))
    slip = "a size of 1 takes the size that it meets, on either side"
    expect_shape((4, 3), (4, 1), (4, 3), slip)
    expect_shape((1, 3), (4, 3), (4, 3), slip)
    expect_shape((4, 1), (1, 3), (4, 3), slip)


@pytest.mark.exercise("4.1", points=1)
def test_shapes_are_compared_from_the_last_axis():
    slip = "compare from the last axis: the shorter shape gets its ones in front"
    expect_shape((2, 3), (3,), (2, 3), slip)
    expect_shape((3,), (3, 1), (3, 3), slip)
    expect_shape((4,), (2, 3, 4), (2, 3, 4), slip)
    expect_shape((), (2, 3), (2, 3), "a 0-d tensor has the shape () and fits everything")


@pytest.mark.exercise("4.1", points=1)
def test_shapes_that_do_not_fit_are_an_error_that_names_both():
    for a, b in [((4, 3), (4,)), ((2,), (3,)), ((2, 3), (3, 2)), ((4, 6), (2, 6))]:
        slip = "two sizes that differ fit only if one of them is 1; name both shapes"
        what = f"broadcast_shape({a}, {b})"
        call = lambda a=a, b=b: tt.broadcast_shape(a, b)  # noqa: E731
        expect_raises(RuntimeError, call, what, slip=slip, says=[str(a), str(b)])


@pytest.mark.exercise("4.1", points=1)
def test_an_empty_axis_is_no_exception():
    slip = "1 meets 0 gives 0, not the larger of the two"
    expect_shape((1, 3), (0, 3), (0, 3), slip)
    expect_shape((0,), (1,), (0,), slip)


@pytest.mark.exercise("4.1", points=1)
def test_broadcast_shape_agrees_with_numpy():
    shapes = [s for ndim in range(4) for s in itertools.product((1, 2), repeat=ndim)]
    for a, b in itertools.product(shapes, repeat=2):
        expect_shape(a, b, np.broadcast_shapes(a, b), "NumPy disagrees")


@pytest.mark.exercise("4.1", points=1)
def test_operators_refuse_what_does_not_fit():
    x, y = tt.zeros(4, 3), tt.zeros(4)
    slip = "the operators ask broadcast_shape: raise RuntimeError, name both shapes"
    calls = {"x + y": lambda: x + y, "x - y": lambda: x - y, "x / y": lambda: x / y}
    for text, call in calls.items():
        what = f"{text} for shapes (4, 3) and (4,)"
        expect_raises(RuntimeError, call, what, slip=slip)


def expect_unbroadcast(grad, shape, want, slip=""):
    grad = tt.Tensor(np.array(grad, dtype=np.float64))
    what = f"unbroadcast(a gradient of shape {grad.shape}, {shape})"
    expect(tt.unbroadcast(grad, shape), want, what, slip=slip)


UPSTREAM = [[1, 2, 3], [10, 20, 30]]


@pytest.mark.exercise("4.3", points=1)
def test_new_leading_axes_are_summed():
    slip = "a (3,) that met a (2, 3) was copied twice: take the sum over the axis put in front"
    expect_unbroadcast(UPSTREAM, (3,), [11, 22, 33], slip)
    expect_unbroadcast(UPSTREAM, (), 66, "a 0-d tensor served every element: sum them all")


@pytest.mark.exercise("4.3", points=1)
def test_axes_of_length_one_are_summed_and_stay():
    slip = "an axis of length 1 was stretched: sum over it, and keep it with length 1"
    expect_unbroadcast(UPSTREAM, (1, 3), [[11, 22, 33]], slip)
    expect_unbroadcast(UPSTREAM, (2, 1), [[6], [60]], slip)
    expect_unbroadcast(UPSTREAM, (1, 1), [[66]], slip)


@pytest.mark.exercise("4.3", points=1)
def test_new_axes_and_stretched_axes_together():
    grad = np.arange(12.0).reshape(2, 2, 3)
    slip = "axis i of the shape is axis new + i of the gradient, after the new axes in front"
    expect_unbroadcast(grad, (2, 1), [[24], [42]], slip)
    expect_unbroadcast(grad, (1, 3), [[18, 22, 26]], slip)
    expect_unbroadcast(UPSTREAM, (1,), [66], slip)


@pytest.mark.exercise("4.3", points=1)
def test_nothing_is_summed_where_nothing_was_copied():
    slip = "no axis was copied here: every number stays"
    expect_unbroadcast(UPSTREAM, (2, 3), UPSTREAM, slip)
    expect_unbroadcast([[1, 2, 3]], (1, 3), [[1, 2, 3]], slip)
    expect_unbroadcast(5, (), 5, slip)
    expect_unbroadcast(np.zeros((0, 3)), (1, 3), [[0, 0, 0]], "copied no times: owed nothing")


@pytest.mark.exercise("4.3", points=1)
def test_unbroadcast_gives_a_tensor_of_its_own():
    grad = tt.Tensor([1, 2])
    got = tt.unbroadcast(grad, (2,))
    got.data[0] = 99
    slip = "the same gradient was handed on, and two inputs would share it: make a new Tensor"
    expect(grad, [1, 2], "grad, after its unbroadcast was changed in place", slip=slip)
