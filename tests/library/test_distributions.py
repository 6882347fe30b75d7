"""Distributions: what they draw, and the numbers that PyTorch finds, too."""

import pytest
from beside_torch import numbers, programs_in, same_answer, same_as_torch

import tinytorch
from tinytorch.distributions import Bernoulli, Categorical, Independent, Normal, Uniform


def _parameters(t):
    loc, scale = t.tensor([0.0, 1.0, -2.0]), t.tensor([1.0, 0.5, 3.0])
    return t.distributions, loc, scale


def numbers_of_normals(t):
    d, loc, scale = _parameters(t)
    p, q = d.Normal(loc, scale), d.Normal(0.5, 2.0)
    r = d.Normal(t.zeros(3), t.ones(3))
    shapes = [list(p.sample(shape).shape) for shape in ((), (2,), (4, 1))]
    both = d.kl_divergence(p, r), d.kl_divergence(d.Independent(p, 1), d.Independent(r, 1))
    joint = d.Independent(p, 1)
    values = t.arange(6.0).reshape(2, 3)
    return (
        [p.log_prob(values), q.log_prob(values), p.entropy(), p.variance, *both, shapes],
        [joint.log_prob(values), joint.entropy(), list(joint.batch_shape)],
    )


def numbers_of_uniforms(t):
    u = t.distributions.Uniform(t.tensor([0.0, 1.0]), 3.0)
    return u.log_prob(t.tensor([1.0, 1.5])), u.entropy(), u.mean, list(u.sample((2,)).shape)


def numbers_of_categories(t):
    d = t.distributions
    p, q = d.Categorical(t.tensor([[1.0, 3.0], [0.0, 2.0]])), d.Categorical(logits=t.ones(2, 2))
    values = t.tensor([[0, 1], [1, 1], [1, 0]])
    drawn = [list(p.sample(shape).shape) for shape in ((), (5,))]
    return p.log_prob(values), p.entropy(), q.probs, d.kl_divergence(q, q), q.logits, drawn


def numbers_of_coins(t):
    d = t.distributions
    p, q = d.Bernoulli(t.tensor([0.25, 0.5])), d.Bernoulli(logits=t.tensor([-1.0, 2.0]))
    ones = t.tensor([1.0, 0.0])
    divergences = d.kl_divergence(p, q), d.kl_divergence(q, p)
    return p.log_prob(ones), q.log_prob(ones), p.entropy(), q.entropy(), q.mean, *divergences


def a_scale_of_zero(t):
    return t.distributions.Normal(0.0, 0.0)


def a_probability_of_two(t):
    return t.distributions.Bernoulli(t.tensor([2.0]))


def neither_probabilities_nor_logits(t):
    return t.distributions.Categorical()


def a_coin_has_no_rsample(t):
    return t.distributions.Bernoulli(0.5).rsample()


def a_divergence_of_two_kinds(t):
    d = t.distributions
    return d.kl_divergence(d.Bernoulli(0.5), d.Categorical(t.ones(2)))


@pytest.mark.parametrize("program", programs_in(globals()), ids=lambda program: program.__name__)
def test_both_libraries_give_the_same_answer(program):
    same_answer(program)


def test_they_can_be_imported_from_where_pytorch_has_them():
    from tinytorch.distributions.kl import kl_divergence
    from tinytorch.distributions.normal import Normal as Again

    assert Again is Normal is tinytorch.distributions.normal.Normal
    assert kl_divergence is tinytorch.distributions.kl_divergence


def test_gradients_of_probabilities_agree_with_torch():
    def normal(t, loc, scale):
        p = t.distributions.Normal(loc, scale.exp())
        return p.log_prob(t.ones(3)) + p.entropy()

    def category(t, logits):
        p = t.distributions.Categorical(logits=logits)
        return p.log_prob(t.tensor([0, 2])) + p.entropy()

    def coin(t, logits):
        p = t.distributions.Bernoulli(logits=logits)
        return p.log_prob(t.ones(3)) * p.entropy()

    same_as_torch(normal, numbers(3), numbers(3, seed=1))
    same_as_torch(category, numbers(2, 3))
    same_as_torch(coin, numbers(3))


def test_gradients_pass_rsample_and_not_sample():
    loc, scale = tinytorch.zeros(1, requires_grad=True), tinytorch.ones(1, requires_grad=True)
    p = Normal(loc, scale)
    assert not p.sample().requires_grad
    drawn = p.rsample((5,))
    drawn.sum().backward()
    assert loc.grad.tolist() == [5.0]
    assert scale.grad.item() == pytest.approx(drawn.sum().item())


def test_parameters_are_checked_unless_they_should_not_be():
    from tinytorch.distributions import Bernoulli, Distribution, Normal

    with pytest.raises(ValueError, match="scale must be positive, got"):
        Normal(0.0, -1.0)
    assert Normal(0.0, -1.0, validate_args=False).scale.item() == -1.0
    Distribution.set_default_validate_args(False)
    try:
        assert Bernoulli(tinytorch.tensor(2.0)).probs.item() == 2.0
        with pytest.raises(ValueError, match="probs must be between 0 and 1, got 2"):
            Bernoulli(tinytorch.tensor(2.0), validate_args=True)
    finally:
        Distribution.set_default_validate_args(True)


def test_draws_come_as_often_as_they_are_likely():
    tinytorch.manual_seed(0)
    assert Normal(2.0, 0.5).sample((9999,)).std().item() == pytest.approx(0.5, rel=0.05)
    assert Uniform(2.0, 4.0).sample((9999,)).mean().item() == pytest.approx(3, rel=0.02)
    assert Bernoulli(0.25).sample((9999,)).mean().item() == pytest.approx(0.25, rel=0.05)
    drawn = Categorical(tinytorch.tensor([[1.0, 0.0], [1.0, 3.0]])).sample((9999,))
    assert drawn[:, 0].max() == 0
    assert drawn[:, 1].float().mean().item() == pytest.approx(0.75, rel=0.05)
    assert Independent(Normal(tinytorch.zeros(2), 1.0), 1).sample((3,)).shape == (3, 2)
