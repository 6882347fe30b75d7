"""Chapter 4: sums and means over axes, forward and backward."""

import itertools

import numpy as np
import pytest

import tinytorch as tt
from course.testing import expect, expect_backward, expect_local_gradients, leaf


def numpy_sum(axis, keepdims):
    return lambda x: np.sum(x, axis=axis, keepdims=keepdims)


@pytest.mark.exercise("4.2", points=1)
def test_sum_over_one_axis():
    x = leaf([[1, 2, 3], [4, 5, 6]])
    expect(x.sum(), 21, "x.sum() for x = [[1, 2, 3], [4, 5, 6]]", slip="axis=None sums all")
    slip = "0 is an axis, too: ask `axis is None`, not `not axis`"
    expect(x.sum(axis=0), [5, 7, 9], "x.sum(axis=0) for x = [[1, 2, 3], [4, 5, 6]]", slip=slip)
    expect(x.sum(axis=1), [6, 15], "x.sum(axis=1) for x = [[1, 2, 3], [4, 5, 6]]")


@pytest.mark.exercise("4.2", points=1)
def test_keepdims_leaves_an_axis_of_length_one():
    x = leaf([[1, 2, 3], [4, 5, 6]])
    slip = "with keepdims=True the summed axis stays, with length 1"
    expect(x.sum(axis=1, keepdims=True), [[6], [15]], "x.sum(axis=1, keepdims=True)", slip=slip)
    expect(x.sum(keepdims=True), [[21]], "x.sum(keepdims=True)", slip=slip)
    column = leaf([[1], [2]])
    slip = "drop the summed axis only: another axis of length 1 is none of its business"
    expect(column.sum(axis=0), [3], "x.sum(axis=0) for shape (2, 1)", slip=slip)


@pytest.mark.exercise("4.2", points=1)
def test_sum_counts_axes_from_the_end_and_takes_tuples():
    x = leaf(np.arange(8.0).reshape(2, 2, 2))
    expect(x.sum(axis=-1), [[1, 5], [9, 13]], "x.sum(axis=-1) for x = 0 to 7 in shape (2, 2, 2)")
    slip = "a tuple of axes: all of them are summed"
    expect(x.sum(axis=(0, 2)), [10, 18], "x.sum(axis=(0, 2)), same x", slip=slip)
    expect(x.sum(axis=(0, -1)), [10, 18], "x.sum(axis=(0, -1)), same x", slip=slip)


@pytest.mark.exercise("4.2", points=1)
def test_sum_gives_one_gradient_for_each_input():
    ctx = leaf([[1, 2], [3, 4]]).sum(axis=0).grad_fn
    slip = "forward takes x, axis and keepdims; the last two get None"
    expect(len(ctx.backward(tt.Tensor([1, 10]))), 3, "how many gradients Sum gives", slip=slip)


@pytest.mark.exercise("4.2", points=1)
def test_each_summed_element_receives_the_whole_gradient():
    x = leaf([[1, 2], [3, 4]])
    what = "y = x.sum(), sent 5,"
    slip = "each element moves the sum one to one: it receives all of grad_z, not a share"
    expect_backward(x.sum(), what, gradient=5.0, slip=slip, x=(x, [[5, 5], [5, 5]]))


@pytest.mark.exercise("4.2", points=1)
def test_the_gradient_of_a_row_sum_goes_to_its_row():
    x = leaf([[1, 2], [3, 4]])
    what = "y = x.sum(axis=1), sent [1, 10],"
    slip = "put the summed axis back first, as in ctx.kept_shape: (2,) -> (2, 1) -> (2, 2)"
    want = [[1, 1], [10, 10]]
    expect_backward(x.sum(axis=1), what, gradient=[1.0, 10.0], slip=slip, x=(x, want))


@pytest.mark.exercise("4.2", points=1)
def test_two_sums_of_one_tensor_do_not_mix():
    x = leaf([[1, 2], [3, 4]])
    columns, rows = x.sum(axis=0), x.sum(axis=1)
    slip = "shapes belong on ctx, which is new for every call, not on the class"
    what = "y = x.sum(axis=0), sent [1, 10], with another sum made in between,"
    want = [[1, 10], [1, 10]]
    expect_backward(columns, what, gradient=[1.0, 10.0], slip=slip, x=(x, want))
    expect(rows, [3, 7], "x.sum(axis=1) for x = [[1, 2], [3, 4]]")


@pytest.mark.exercise("4.2", points=2)
def test_sum_agrees_with_nudging():
    axes = [None, 0, 1, -1, (0, 2), (1, -1), (0, 1, 2)]
    x = leaf(np.arange(12.0).reshape(2, 3, 2))
    slip = "the shape to come back to is that of the sum with keepdims=True"
    for axis, keepdims in itertools.product(axes, [False, True]):
        what = f"x.sum(axis={axis}, keepdims={keepdims}), shape (2, 3, 2)"
        f = numpy_sum(axis, keepdims)
        expect_local_gradients(x.sum(axis, keepdims), [x], f, what, slip=slip)


@pytest.mark.exercise("4.5", points=1)
def test_mean_over_all_and_over_one_axis():
    x = leaf([[1, 2, 3], [5, 6, 7]])
    expect(x.mean(), 4, "x.mean() for x = [[1, 2, 3], [5, 6, 7]]")
    slip = "divide by the number of elements that were summed"
    expect(x.mean(axis=0), [3, 4, 5], "x.mean(axis=0) for x = [[1, 2, 3], [5, 6, 7]]", slip=slip)
    expect(x.mean(axis=1), [2, 6], "x.mean(axis=1) for x = [[1, 2, 3], [5, 6, 7]]", slip=slip)


@pytest.mark.exercise("4.5", points=1)
def test_mean_passes_keepdims_on_and_takes_tuples():
    x = leaf([[1, 2, 3], [5, 6, 7]])
    slip = "hand keepdims on to sum"
    expect(x.mean(axis=1, keepdims=True), [[2], [6]], "x.mean(axis=1, keepdims=True)", slip=slip)
    expect(x.mean(keepdims=True), [[4]], "x.mean(keepdims=True)", slip=slip)
    slip = "axis may be negative or a tuple: count by comparing sizes, not by looking up axis"
    expect(x.mean(axis=(0, -1)), 4, "x.mean(axis=(0, -1))", slip=slip)
    expect(leaf(7).mean(), 7, "mean of a 0-d tensor")


@pytest.mark.exercise("4.5", points=1)
def test_a_mean_remembers_how_it_was_made():
    x = leaf([1, 2, 3, 6])
    y = (x * x).mean()
    slip = "build the mean from Tensor operations: np.mean leaves no history"
    expect(y.grad_fn is None, False, "(x * x).mean().grad_fn is None", slip=slip)
    expect_backward(y, "y = (x * x).mean()", slip=slip, x=(x, [0.5, 1, 1.5, 3]))


@pytest.mark.exercise("4.5", points=1)
def test_each_element_receives_its_share():
    x = leaf([[1, 2, 3], [5, 6, 7]])
    slip = "each element moves the mean by 1/n"
    what = "y = x.mean(), sent 12, x of shape (2, 3),"
    expect_backward(x.mean(), what, gradient=12.0, slip=slip, x=(x, [[2, 2, 2], [2, 2, 2]]))
    x = leaf([[1, 2, 3], [5, 6, 7]])
    what = "y = x.mean(axis=1), sent [3, 30],"
    want = [[1, 1, 1], [10, 10, 10]]
    expect_backward(x.mean(axis=1), what, gradient=[3.0, 30.0], slip=slip, x=(x, want))


@pytest.mark.exercise("4.5", points=1)
def test_mean_keeps_the_dtype():
    for dtype in (np.float32, np.float64):
        x = tt.Tensor(np.array([0.1, 0.2], dtype=dtype))
        slip = "the number that sum is scaled by must be a plain float"
        expect(x.mean().dtype, np.dtype(dtype), f"dtype of the mean of {dtype.__name__}", slip=slip)
