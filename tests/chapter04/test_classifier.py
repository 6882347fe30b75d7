"""Chapter 4: from scores to the logarithms of probabilities."""

import numpy as np
import pytest

import tinytorch as tt
from course.testing import expect, expect_backward, leaf


@pytest.mark.exercise("4.7", points=1)
def test_scores_become_logarithms_of_probabilities():
    slip = "the result is log(p), not p; p = exp(x) / sum of exp(x)"
    expect(
        tt.log_softmax(leaf([0, 0])), [np.log(0.5), np.log(0.5)], "log_softmax([0, 0])", slip=slip
    )
    x = leaf(np.log([1, 3, 4]))
    want = np.log([1 / 8, 3 / 8, 4 / 8])
    expect(tt.log_softmax(x), want, "log_softmax([log 1, log 3, log 4])", slip=slip)


@pytest.mark.exercise("4.7", points=1)
def test_each_row_is_on_its_own():
    x = leaf(np.log([[1, 3], [5, 5]]))
    want = np.log([[1 / 4, 3 / 4], [1 / 2, 1 / 2]])
    slip = "sum over the last axis, and keepdims=True, so that row i is divided by the sum of row i"
    expect(tt.log_softmax(x), want, "log_softmax([[log 1, log 3], [log 5, log 5]])", slip=slip)
    x = leaf(np.log([[[1, 3], [5, 5], [1, 1]]]))
    want = [np.log([[1 / 4, 3 / 4], [1 / 2, 1 / 2], [1 / 2, 1 / 2]])]
    expect(tt.log_softmax(x), want, "log_softmax of shape (1, 3, 2)", slip="the last axis: -1")


@pytest.mark.exercise("4.7", points=1)
def test_large_scores_do_not_overflow():
    half = [np.log(0.5), np.log(0.5)]
    slip = "exp(1000) is inf: subtract the largest score of the row first"
    expect(tt.log_softmax(leaf([1000, 1000])), half, "log_softmax([1000, 1000])", slip=slip)
    slip = "exp(-1000) is 0: subtract the largest score, also where it is negative"
    expect(tt.log_softmax(leaf([-1000, -1000])), half, "log_softmax([-1000, -1000])", slip=slip)


@pytest.mark.exercise("4.7", points=1)
def test_small_probabilities_do_not_vanish():
    slip = "log(exp(-1000) / …) is log(0): take x - log(sum), never the probability itself"
    expect(tt.log_softmax(leaf([1000, 0])), [0, -1000], "log_softmax([1000, 0])", slip=slip)
    slip = "one largest score a row, not one for the whole array"
    got = tt.log_softmax(leaf([[0, 0], [1000, 1000]]))
    expect(got, np.log([[0.5, 0.5], [0.5, 0.5]]), "log_softmax([[0, 0], [1000, 1000]])", slip=slip)


@pytest.mark.exercise("4.7", points=1)
def test_the_gradient_is_upstream_minus_probability_times_sum():
    x = leaf(np.log([[1, 3], [5, 5]]))
    slip = "the sum of the exps depends on x too: build it from Tensor operations"
    want = [[1 - 0.25, -0.75], [2 - 6, 10 - 6]]
    what = "z = log_softmax(x), sent [[1, 0], [2, 10]],"
    expect_backward(
        tt.log_softmax(x), what, gradient=[[1.0, 0.0], [2.0, 10.0]], slip=slip, x=(x, want)
    )


@pytest.mark.exercise("4.7", points=1)
def test_log_softmax_changes_neither_its_input_nor_the_dtype():
    x = leaf([[1, 2]])
    got = tt.log_softmax(x)
    expect(x, [[1, 2]], "x after log_softmax(x)", slip="x.data was changed in place")
    expect(got.dtype, np.float64, "dtype of log_softmax(x) for float64 x", slip="keep the dtype")


@pytest.mark.exercise("4.7", points=1)
def test_cross_entropy_pulls_up_the_right_score():
    x = leaf([[0, 0], [0, 0]])
    loss = tt.cross_entropy(x, [0, 1])
    expect(loss, -np.log(0.5), "cross_entropy of two undecided rows")
    slip = "cross_entropy is log_softmax at the labels: check log_softmax's gradient"
    want = [[-0.25, 0.25], [0.25, -0.25]]
    expect_backward(loss, "loss = cross_entropy(x, [0, 1])", slip=slip, x=(x, want))
