"""L-BFGS with a search along each line: how often the loss is computed, and what it comes to."""

import math

import numpy as np
import pytest
from beside_torch import numbers

import tinytorch
from tinytorch.optim.line_search import Point, strong_wolfe

CALLS = 200  # more than this many, and a search has lost its way


def found(t, loss, start, steps, **settings):
    """(how often the loss was computed, what it is in the end)"""
    x = t.tensor(np.asarray(start, "float32"), requires_grad=True)
    optimizer = t.optim.LBFGS([x], line_search_fn="strong_wolfe", **settings)
    losses = []

    def closure():
        optimizer.zero_grad()
        value = loss(t, x)
        value.backward()
        losses.append(value.item())
        return value

    for _ in range(steps):
        optimizer.step(closure)
    return len(losses), loss(t, x).item()


def fitted_with_a_corner(t, x):
    inputs, wanted = t.tensor(numbers(5, 3, seed=1)), t.tensor(numbers(5, 2, seed=2))
    weights = x[:6].reshape(3, 2)
    return ((inputs @ weights + x[6:] - wanted) ** 2).mean() + weights.abs().sum() * 0.01


def three_classes(t, x):
    inputs = t.tensor(numbers(40, 3, seed=1))
    labels = t.tensor(np.random.default_rng(2).integers(0, 3, 40))
    return t.nn.functional.cross_entropy(inputs @ x.reshape(3, 3).T, labels)


def a_small_network(t, x):
    places = t.tensor(np.linspace(0, 1, 20, dtype="float32")[:, None])
    hidden = (places * x[:10] + x[10:20]).tanh()
    return ((hidden @ x[20:30] + x[30] - (6 * places[:, 0]).sin()) ** 2).mean()


PROGRAMS = {
    "a corner": (fitted_with_a_corner, numbers(8), 8),
    "classes": (three_classes, numbers(9), 10),
    "quartic": (lambda t, x: x**4 - 3 * x**3, 2.0, 3),
    "network": (a_small_network, numbers(31) / 2, 10),
    "exp": (lambda t, x: (x.exp() - 2 * x).sum(), [5.0, 4.0], 8),
    "cosh": (lambda t, x: x.cosh().sum(), [5.0, 4.0], 8),
    "root": (lambda t, x: (1 + x * x).sqrt().sum(), [2.0, -1.0], 8),
    "far": (lambda t, x: ((x - 1) ** 2).sum() * 1e-6, [5.0, 4.0], 8),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_search_computes_the_loss_no_more_often_than_pytorchs(name):
    torch = pytest.importorskip("torch")
    ours, theirs = (found(t, *PROGRAMS[name]) for t in (tinytorch, torch))
    assert ours[0] <= 1.5 * theirs[0] + 1, (ours, theirs)
    assert ours[1] <= theirs[1] + 1e-5


def test_on_a_slope_without_end_the_steps_get_longer_as_pytorchs_do():
    torch = pytest.importorskip("torch")
    ours, theirs = (found(t, lambda t, x: x.sum(), [2.0, -1.0], 1)[1] for t in (tinytorch, torch))
    assert ours <= theirs / 10


@pytest.mark.parametrize("settings", [{}, {"tolerance_grad": -1.0, "tolerance_change": 0.0}])
@pytest.mark.parametrize(
    "loss",
    [
        lambda t, x: x.sum() * 0,
        lambda t, x: (x * 1e-30).sum(),
        lambda t, x: (x - x.log()).sum() * math.inf,
        lambda t, x: (x * x).sum() * math.nan,
        lambda t, x: (x * x).sum() * 1e38,
        lambda t, x: x.abs().sum(),
        lambda t, x: x.round().sum() + (x - x.detach()).sum(),
        lambda t, x: (x.detach() ** 2 + x * 1.0).sum(),
    ],
    ids=["flat", "tiny", "inf", "nan", "steep", "corner", "stairs", "wrong slope"],
)
def test_whatever_the_loss_is_a_search_ends(loss, settings):
    assert found(tinytorch, loss, [0.3, 0.7], 2, **settings)[0] <= 20 * 2 * 26


@pytest.mark.parametrize("slope", [-1.0, -math.inf, -1e-320, math.nan])
@pytest.mark.parametrize("value", [0.0, 1.0, -1.0, 1e308, math.inf, -math.inf, math.nan])
def test_a_search_asks_for_few_points_whatever_comes(value, slope):
    for later in -2.0, 0.0, 2.0, math.nan, math.inf, 1e308:
        asked = []

        def at(t, later=later, asked=asked):
            asked.append(t)
            return Point(t, value, later, None)

        strong_wolfe(at, Point(0.0, 0.0, slope, None), 1.0)
        assert len(asked) <= 25


def test_a_search_ends_where_two_points_are_near():
    asked = []

    def wall(t):
        asked.append(t)
        return Point(t, 1.0 if t > 1e-3 else -t, 1.0 if t > 1e-3 else -1.0, None)

    point = strong_wolfe(wall, Point(0.0, 0.0, -1.0, None), 1.0, narrow=1e-2)
    assert len(asked) < 8 and point.t <= 1e-3


def test_a_rise_that_is_only_rounding_counts_for_nothing():
    start, near = Point(0.0, 1.0, -1e-4, None), Point(1.0, 1.0 + 2e-7, 1e-6, None)
    assert strong_wolfe(lambda t: near, start, 1.0, blur=4e-7) is near


def test_what_a_search_gives_up_leaves_the_numbers_as_they_were():
    x = tinytorch.tensor([0.1, 0.7], requires_grad=True)
    optimizer = tinytorch.optim.LBFGS([x], line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        loss = ((x - x.detach()) * tinytorch.tensor([1.0, 3.0])).sum()
        loss.backward()
        return loss + (x.detach() != tinytorch.tensor([0.1, 0.7])).sum()

    optimizer.step(closure)
    assert x.tolist() == tinytorch.tensor([0.1, 0.7]).tolist()
