"""Functions that learners look for: counting, combining, and where random numbers stand."""

import pytest
from beside_torch import numbers, programs_in, proven, same_answer, same_as_torch

import tinytorch
import tinytorch.nn.functional as F
from tinytorch import nn


def different_elements(t):
    x = t.tensor([[3, 1, 3], [2, 1, 3]])
    whole = t.unique(x, return_inverse=True, return_counts=True)
    rows = t.unique(t.tensor([[2, 1], [0, 5], [2, 1]]), dim=0, return_inverse=True)
    return *whole, x.unique(), *rows, t.unique(t.tensor([0.5, 0.5]), return_counts=True)


def how_often_numbers_occur(t):
    x = t.tensor([0, 2, 2])
    weights = t.tensor([0.5, 1.0, 2.0])
    return t.bincount(x), x.bincount(minlength=5), t.bincount(x, weights), t.bincount(x[:0])


def how_often_negative_numbers_occur(t):
    return t.bincount(t.tensor([-1]))


def medians(t):
    x = t.tensor([[3.0, 1.0, 2.0, 9.0], [5.0, float("nan"), 2.0, 1.0]])
    rows = x.median(1).values, x[:1].median(dim=1).indices, x.median(0, True)[0]
    return x[0].median(), x.median(), *rows


def places_in_an_order(t):
    s, x = t.tensor([1.0, 3.0, 3.0, 5.0]), t.tensor([[0.0, 3.0], [4.0, 9.0]])
    rows = t.searchsorted(t.stack([s, s + 1]), x)
    found = t.searchsorted(s, x), t.searchsorted(s, x, right=True), t.bucketize(x, s), rows
    return *found, t.isin(t.tensor([1, 2, 3]), t.tensor([3, 1]))


def rows_that_are_too_many(t):
    return t.searchsorted(t.ones(2, 3), t.ones(3, 3))


def grids(t):
    a, b = t.tensor([1, 2]), t.tensor([3, 4, 5])
    both = *t.meshgrid(a, b, indexing="ij"), *t.meshgrid(a, b, indexing="xy")
    return *both, *t.meshgrid([a, b, a])


def products_so_far(t):
    x = t.tensor([[2, 3], [4, 0]])
    return x.cumprod(0), t.cumprod(x, dim=-1), t.cumprod(x, axis=0), t.cumprod(t.tensor(3.0), 0)


def sums_of_products(t):
    a, b, c = (t.tensor([float(i), 2.0]) for i in (1, 3, 5))
    return t.addcmul(a, b, c, value=2), t.addcdiv(a, b, c), a.addcmul(b, c)


def shapes_of_random_numbers(t):
    one, two = t.normal(0.0, 1.0, (2, 3)), t.normal(t.zeros(3), t.ones(2, 1))
    certain = t.normal(t.tensor([1.0, 2.0]), 0.0), t.bernoulli(t.tensor([0.0, 1.0]))
    return list(one.shape), list(two.shape), *certain


def a_probability_above_one(t):
    return t.bernoulli(t.tensor([1.5]))


@pytest.mark.parametrize("program", programs_in(globals()), ids=lambda program: program.__name__)
def test_both_libraries_give_the_same_answer(program):
    same_answer(program)


def test_gradients_agree_with_torch():
    x = numbers(3, 4)
    x[1, 2] = x[2, 0] = 0  # where a product over a division would fail
    same_as_torch(lambda t, x: t.cumprod(x, 1), x)
    same_as_torch(lambda t, x: t.median(x, 1).values, x)
    same_as_torch(lambda t, x: t.median(x), x)
    same_as_torch(lambda t, a, b: t.mul(*t.meshgrid(a, b, indexing="xy")), x[0], x[:, 0])
    same_as_torch(lambda t, a, b, c: t.addcdiv(a, b, c, value=3), *[numbers(4) + 3] * 3)


def test_gradients_are_proven_to_second_order():
    proven(lambda x: x.cumprod(0), numbers(3, 2))
    proven(F.normalize, numbers(2, 3))
    proven(tinytorch.cdist, numbers(2, 3), numbers(2, 3, seed=1))


def test_training_with_dropout_goes_on_bit_for_bit(tmp_path):
    net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 1))
    tinytorch.manual_seed(3)
    net(tinytorch.ones(2, 4))
    tinytorch.save({"state": tinytorch.get_rng_state()}, tmp_path / "state.safetensors")
    first = [net(tinytorch.ones(2, 4)).tolist(), tinytorch.randperm(9).tolist()]
    tinytorch.manual_seed(5)
    tinytorch.set_rng_state(tinytorch.load(tmp_path / "state.safetensors")["state"])
    assert first == [net(tinytorch.ones(2, 4)).tolist(), tinytorch.randperm(9).tolist()]
    generator = tinytorch.Generator().manual_seed(1)
    state = generator.get_state()
    drawn = tinytorch.rand(3, generator=generator)
    again = tinytorch.rand(3, generator=tinytorch.Generator().set_state(state))
    assert tinytorch.equal(drawn, again)


@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (4, 2, 2)])
def test_an_orthogonal_start_has_rows_at_right_angles(shape):
    w = nn.init.orthogonal_(tinytorch.empty(*shape), gain=2.0).flatten(1)
    product = w @ w.T if w.shape[0] <= w.shape[1] else w.T @ w
    assert tinytorch.allclose(product, 4 * tinytorch.eye(len(product)), atol=1e-5)


def test_a_truncated_start_stays_within_its_bounds():
    w = nn.init.trunc_normal_(tinytorch.empty(5000), std=1.0, a=-0.5, b=1.5)
    assert -0.5 <= w.min() < -0.4 and 1.4 < w.max() <= 1.5
    with pytest.raises(ValueError, match="hardly a number"):
        nn.init.trunc_normal_(tinytorch.empty(2), std=0.01, a=1.0)
