"""Chapter 4: the loop in which parameters learn."""

import numpy as np
import pytest

import tinytorch as tt
from course.testing import error_of, expect, leaf


def square(w):
    return lambda: w * w


@pytest.mark.exercise("4.8", points=1)
def test_a_step_goes_against_the_gradient():
    w = leaf(3)
    tt.train(square(w), [w], lr=0.25, steps=1)
    slip = "p - lr * p.grad is a Tensor: p.data takes the .data of that Tensor"
    expect(isinstance(w.data, tt.Tensor), False, "w.data is a Tensor, after a step", slip=slip)
    slips = [
        (4.5, "against the gradient: minus, not plus"),
        (-3, "multiply the gradient by lr"),
        (3, "w has not moved: forget before backward, not after it; give p.data the new numbers, "
            "for giving the name p a new value moves no parameter"),
    ]  # fmt: skip
    expect(w, 1.5, "one step on w * w from 3, lr 0.25: w", slips=slips)


@pytest.mark.exercise("4.8", points=1)
def test_the_learning_rate_counts():
    w = leaf([3, 1])
    tt.train(lambda: (w * w).sum(), [w], lr=0.125, steps=1)
    slip = "multiply the gradient by lr, whatever it is"
    expect(w, [2.25, 0.75], "one step on the sum of w * w from [3, 1], lr 0.125: w", slip=slip)


@pytest.mark.exercise("4.8", points=1)
def test_each_step_starts_with_fresh_gradients():
    w = leaf(8)
    tt.train(square(w), [w], lr=0.25, steps=3)
    slips = [(-7, "forget the gradients of the step before: backward adds to them")]
    expect(w, 1, "three steps on w * w from 8, lr 0.25: w", slips=slips)
    w = leaf(8)
    w.grad = tt.Tensor(100.0)
    tt.train(square(w), [w], lr=0.25, steps=1)
    slips = [(-21, "a gradient that was there before train() counted: forget first, then backward")]
    expect(w, 4, "one step on w * w from 8, lr 0.25, an old w.grad of 100: w", slips=slips)


@pytest.mark.exercise("4.8", points=1)
def test_the_losses_come_back_as_numbers():
    w = leaf(8)
    got = tt.train(square(w), [w], lr=0.25, steps=3)
    slip = "return a list with the loss of every step"
    expect(isinstance(got, list), True, "train(…) is a list", slip=slip)
    slip = "loss.item() is the number; a Tensor would keep the graph of its step alive"
    expect([type(loss) for loss in got], [float] * 3, "the types of three losses", slip=slip)
    slips = [
        ([16, 4, 1], "note the loss before the parameters move: it is the one that was sent back"),
        ([64, 64, 64], "call loss_of() in each step: the parameters have moved"),
    ]
    expect(got, np.array([64.0, 16, 4]), "train(w * w from 8, lr 0.25, 3 steps)", slips=slips)


@pytest.mark.exercise("4.8", points=1)
def test_the_loss_is_computed_once_in_each_step():
    w, calls = leaf(8), []

    def loss_of():
        calls.append(1)
        return w * w

    slip = "call loss_of() once in each step, and keep the result: it may be expensive"
    for steps in (4, 0):
        calls.clear()
        got = tt.train(loss_of, [w], lr=0.25, steps=steps)
        expect(len(calls), steps, f"how often train(steps={steps}) called loss_of", slip=slip)
        expect(len(got), steps, f"how many losses train(steps={steps}) returned")


@pytest.mark.exercise("4.8", points=1)
def test_every_parameter_moves():
    a, b, c = leaf(2), leaf(3), leaf(5)
    tt.train(lambda: a * b * c, [a, b, c], lr=0.125, steps=1)
    got = np.array([t.data for t in (a, b, c)], dtype=float)
    slips = [
        ([2, 3, 4.25], "every parameter moves, not only the last one"),
        ([0.125, 3, 5], "every parameter moves, not only the first one"),
    ]
    slip = "all move by their gradients from the loss that all of them had together"
    what = "one step on a * b * c from 2, 3, 5, lr 0.125: a, b, c"
    expect(got, [0.125, 1.75, 4.25], what, slip=slip, slips=slips)


@pytest.mark.exercise("4.8", points=1)
def test_a_parameter_that_received_nothing_stays():
    unused, w = leaf(7), leaf(8)
    error = error_of(lambda: tt.train(square(w), [unused, w], lr=0.25, steps=1))
    slip = "the loss does not depend on it, and its gradient is None: leave it alone"
    expect(
        error, None, "the error of train(…) when one parameter has no part in the loss", slip=slip
    )
    expect(unused, 7, "the parameter that has no part in the loss", slip=slip)
    expect(w, 4, "the parameter after it", slip="leave out that one, and go on with the next")


@pytest.mark.exercise("4.8", points=1)
def test_the_old_numbers_are_not_touched():
    w = leaf([3, 1])
    before = w.data
    tt.train(lambda: (w * w).sum(), [w], lr=0.25, steps=1)
    slip = "give p.data a new array: -= changes the old one, which others may still hold"
    expect(before, [3, 1], "the array that was w.data before the step", slip=slip)


@pytest.mark.exercise("4.8", points=1)
def test_a_line_learns_to_pass_through_its_points():
    x, y = tt.Tensor([[0.0], [1], [2], [3]]), tt.Tensor([[1.0], [3], [5], [7]])
    w, b = leaf([[0.0]]), leaf([0.0])
    losses = tt.train(lambda: ((x @ w + b - y) ** 2).mean(), [w, b], lr=0.125, steps=200)
    expect(losses[0], 21, "the first loss", slip="the loss before the parameters move")
    expect(w, [[2]], "w of the line w * x + b, after 200 steps", atol=1e-3)
    expect(b, [1], "b of the line w * x + b, after 200 steps", atol=1e-3)
