"""More distributions, beside PyTorch's: their numbers, their gradients, their draws."""

import numpy as np
import pytest
from beside_torch import numbers, programs_in, same_answer, same_as_torch

import tinytorch
import tinytorch.distributions as d


def _of_one_number(t):
    d, a, b = t.distributions, t.tensor([0.5, 2.0]), t.tensor([1.5, 3.0])
    return {
        "laplace": d.Laplace(a, b),
        "gumbel": d.Gumbel(a, b),
        "cauchy": d.Cauchy(a, b),
        "exponential": d.Exponential(b),
        "lognormal": d.LogNormal(a, b / 4),
        "halfnormal": d.HalfNormal(b),
        "gamma": d.Gamma(a, b),
        "chi2": d.Chi2(b),
        "beta": d.Beta(a, b),
    }


def continuous(t):
    values = t.tensor([[0.3, 0.7], [0.9, 0.1]])
    return [[p.log_prob(values), p.entropy()] for p in _of_one_number(t).values()]


def means_and_variances(t):
    return [
        [p.mean, p.variance, p.stddev, list(p.batch_shape), list(p.sample((3,)).shape)]
        for name, p in _of_one_number(t).items()
        if name != "cauchy"
    ]


def shares(t):
    p = t.distributions.Dirichlet(t.tensor([[0.5, 2.0, 3.0], [1.0, 1.0, 1.0]]))
    drawn = p.sample((4,))
    values = t.tensor([[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]])
    sums = (drawn.sum(-1) - 1).abs().max().item() < 1e-5
    return p.log_prob(values), p.entropy(), p.mean, list(drawn.shape), sums


def whole_numbers(t):
    d, p, n = t.distributions, t.tensor([0.25, 0.5]), t.tensor([3.0, 0.0])
    counts = d.Poisson(p * 8), d.Geometric(p), d.Binomial(5, p), d.Binomial(4, logits=p)
    return [[q.log_prob(n), q.mean, q.variance, list(q.sample((2,)).shape)] for q in counts]


def ones_and_zeros(t):
    d, logits = t.distributions, t.tensor([[1.0, 2.0, 0.0], [0.0, 0.0, 3.0]])
    p = d.OneHotCategorical(logits=logits)
    one = t.tensor([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    drawn = p.sample((5,))
    return p.log_prob(one), p.entropy(), p.mean, list(drawn.shape), drawn.sum(-1)


def normal_vectors(t):
    d, loc = t.distributions, t.tensor([[1.0, 2.0], [0.0, -1.0]])
    covariance = t.tensor([[2.0, 0.5], [0.5, 1.0]])
    p = d.MultivariateNormal(loc, covariance)
    q = d.MultivariateNormal(loc[0], scale_tril=t.tensor([[2.0, 0.0], [1.0, 1.0]]))
    r = d.MultivariateNormal(loc[1], covariance)
    values = t.tensor([[0.0, 0.0], [1.0, 1.0]])
    shapes = [list(x.shape) for x in (p.sample((3,)), q.rsample(), p.mean)]
    return p.log_prob(values), q.log_prob(values), q.entropy(), shapes, d.kl_divergence(q, r)


def mixtures(t):
    d = t.distributions
    choice = d.Categorical(t.tensor([0.2, 0.8]))
    p = d.MixtureSameFamily(choice, d.Normal(t.tensor([0.0, 5.0]), t.tensor([1.0, 2.0])))
    parts = d.Independent(d.Normal(t.zeros(2, 3), t.ones(2, 3)), 1)
    q = d.MixtureSameFamily(choice, parts)
    shapes = list(p.sample((4,)).shape), list(q.sample((4,)).shape)
    return p.log_prob(t.tensor([0.0, 4.0])), q.log_prob(t.ones(5, 3)), shapes


def squashed_normals(t):
    d = t.distributions
    base = d.Normal(t.tensor([0.0, 1.0]), 0.5)
    ways = [d.TanhTransform(), d.AffineTransform(1.0, 3.0)], d.ExpTransform(), d.SigmoidTransform()
    found = [d.TransformedDistribution(base, way) for way in ways]
    values = t.tensor([0.3, 0.6])
    return [p.log_prob(values) for p in found], list(found[0].rsample((4,)).shape)


def _ways(d, a):
    return [
        d.AbsTransform(),
        d.AffineTransform(a[0], -a),
        d.AffineTransform(0.5, 2.0, event_dim=1),
        d.ExpTransform(),
        d.ExpTransform().inv,
        d.PowerTransform(a),
        d.PowerTransform(-2.0).inv,
        d.SigmoidTransform(),
        d.SoftmaxTransform(),
        d.SoftplusTransform(),
        d.StickBreakingTransform(),
        d.TanhTransform(cache_size=1),
        d.ComposeTransform([d.AffineTransform(0.0, 0.5), d.StickBreakingTransform()]),
        d.ComposeTransform([d.ExpTransform(), d.PowerTransform(0.5), d.ExpTransform().inv]),
    ]


def _or_none(ask):
    try:
        return ask()
    except NotImplementedError:
        return None


def transforms(t):
    x, found = t.tensor([[0.3, 0.7, 1.5], [0.9, 0.1, 2.5]]), []
    for way in _ways(t.distributions.transforms, t.tensor([0.5, 2.0, 1.5])):
        y = way(x)
        stretched = _or_none(lambda way=way, y=y: way.log_abs_det_jacobian(x, y))
        shapes = list(way.forward_shape(x.shape)), list(way.inverse_shape(y.shape))
        dims = way.domain.event_dim, way.codomain.event_dim
        sign = _or_none(lambda way=way: way.sign)
        found.append([y, way.inv(y), stretched, *shapes, *dims, way.bijective, sign])
    return found


def the_way_back_where_there_is_none(t):
    x = t.tensor([30.0])
    way = t.distributions.TanhTransform(cache_size=1)
    other = t.distributions.TanhTransform()
    return way.inv(way(x)), other.inv(other(x)), way.inv.inv is way, way == other


def equal_transforms(t):
    d = t.distributions
    ways = d.ExpTransform(), d.PowerTransform(2.0), d.PowerTransform(3.0), d.AffineTransform(0, 1)
    again = d.ExpTransform(), d.PowerTransform(2.0), d.PowerTransform(3.0), d.AffineTransform(0, 1)
    return [[a == b for a in ways] for b in again]


def what_constraints_hold(t):
    c, x = t.distributions.constraints, t.tensor([[0.25, 0.75], [1.0, 0.0], [-1.0, 2.0]])
    kinds = [c.real, c.boolean, c.simplex, c.one_hot, c.positive, c.nonnegative, c.unit_interval]
    kinds += [c.interval(0.0, 0.5), c.half_open_interval(0.0, 1.0), c.less_than(1.0)]
    kinds += [c.greater_than(0.5), c.greater_than_eq(1.0), c.integer_interval(0, 1)]
    kinds += [c.nonnegative_integer, c.positive_integer, c.multinomial(1), c.real_vector]
    triangles = t.tensor([[[2.0, 0.0], [1.0, 1.0]], [[2.0, 1.0], [1.0, 1.0]]])
    matrices = t.tensor([[[2.0, 1.0], [1.0, 1.0]], [[1.0, 2.0], [2.0, 1.0]]])
    found = c.lower_cholesky.check(triangles), c.positive_definite.check(matrices)
    return [[k.check(x), k.event_dim, k.is_discrete] for k in kinds], found


def shares_of_gammas_large_and_small(t):
    a = t.tensor([[0.01], [0.7], [3.0], [40.0], [1000.0]], dtype=t.float64)
    values = t.tensor([0.0, 1e-6, 0.5, 3.0, 39.0, 990.0, 1100.0, 1e5], dtype=t.float64)
    return t.distributions.Gamma(a, t.ones(5, 1, dtype=t.float64)).cdf(values)


def divergences(t):
    d, a, b = t.distributions, t.tensor([0.5, 2.0]), t.tensor([1.5, 3.0])
    pairs = [
        (d.Beta(a, b), d.Beta(b, b)),
        (d.Gamma(a, b), d.Gamma(b, a)),
        (d.Exponential(a), d.Exponential(b)),
        (d.Dirichlet(a), d.Dirichlet(b)),
        (d.LogNormal(a, b), d.LogNormal(b, b)),
        (d.OneHotCategorical(a), d.OneHotCategorical(b)),
    ]
    return [d.kl_divergence(p, q) for p, q in pairs]


def shares_of_a_normal(t):
    p = t.distributions.Normal(t.tensor([0.0, 1.0]), 2.0)
    return p.cdf(t.tensor([1.0, -1.0])), p.icdf(t.tensor([0.1, 0.5])), list(p.event_shape)


def a_rate_of_zero(t):
    if t is not tinytorch:  # a torch.compile() before has switched it off
        t.distributions.Distribution.set_default_validate_args(True)
    return t.distributions.Exponential(0.0)


def two_covariances(t):
    return t.distributions.MultivariateNormal(t.zeros(2), t.eye(2), scale_tril=t.eye(2))


@pytest.mark.parametrize("program", programs_in(globals()), ids=lambda program: program.__name__)
def test_both_libraries_give_the_same_answer(program):
    same_answer(program, tolerance=2e-5)


def test_gradients_of_probabilities_agree_with_torch():
    def pair(name):
        def function(t, a, b):
            p = getattr(t.distributions, name)(a.exp(), b.exp())
            return p.log_prob(t.tensor([0.2, 0.5, 0.7])) + p.entropy()

        return function

    for name in ("Laplace", "Gumbel", "Cauchy", "Gamma", "Beta", "LogNormal"):
        same_as_torch(pair(name), numbers(3), numbers(3, seed=1), tolerance=3e-5)

    def vectors(t, loc, factor):
        covariance = factor @ factor.T + t.eye(3)
        p = t.distributions.MultivariateNormal(loc, covariance)
        return p.log_prob(t.ones(2, 3)) + p.entropy()

    same_as_torch(vectors, numbers(3), numbers(3, 3))


def test_draws_come_as_often_as_they_are_likely():
    tinytorch.manual_seed(0)
    kinds = [
        d.Laplace(1.0, 0.5),
        d.Gumbel(1.0, 0.5),
        d.Exponential(2.0),
        d.LogNormal(0.0, 0.25),
        d.HalfNormal(2.0),
        d.Gamma(3.0, 2.0),
        d.Beta(2.0, 3.0),
        d.Poisson(4.0),
        d.Geometric(0.25),
        d.Binomial(10, 0.25),
    ]
    for p in kinds:
        drawn = p.sample((20_000,))
        assert drawn.mean().item() == pytest.approx(p.mean.item(), rel=0.05), p
        assert drawn.var().item() == pytest.approx(p.variance.item(), rel=0.1), p


def test_gradients_pass_what_noise_is_turned_into():
    for name in ("Laplace", "Gumbel", "LogNormal"):
        loc, scale = (tinytorch.tensor(0.5, requires_grad=True) for _ in range(2))
        getattr(d, name)(loc, scale).rsample((3,)).sum().backward()
        assert loc.grad is not None and scale.grad is not None
    probs = tinytorch.tensor([0.25, 0.75], requires_grad=True)
    (
        d.OneHotCategoricalStraightThrough(probs).rsample() * tinytorch.tensor([1.0, 3.0])
    ).sum().backward()
    assert probs.grad is not None


def test_a_draw_of_a_gamma_moves_as_its_share_says():
    """The same share is below it when the concentration has changed."""
    from tinytorch.distributions.gamma_function import share_below, slope_of_draw

    a = np.array([0.05, 0.7, 2.0, 9.0, 40.0, 1000.0])[:, None]
    x = a * np.array([0.7, 0.9, 1.0, 1.1, 1.3])
    step = a * 1e-5
    moved = share_below(a + step, x) - share_below(a - step, x)
    density = share_below(a, x + step) - share_below(a, x - step)
    some = density > 1e-10
    np.testing.assert_allclose(
        (slope_of_draw(a, x) * density + moved)[some] / density[some], 0, atol=1e-3
    )


def test_a_gradient_through_a_gamma_cannot_be_differentiated_again():
    a = tinytorch.tensor(2.0, requires_grad=True)
    (grad,) = tinytorch.autograd.grad(d.Gamma(a, 1.0).rsample(), a, create_graph=True)
    with pytest.raises(RuntimeError, match="no second derivative"):
        grad.backward()
    with pytest.raises(NotImplementedError, match="no gradient for its first argument"):
        d.Gamma(a, 1.0).cdf(tinytorch.tensor(1.0)).backward()


@pytest.mark.parametrize("logit", [-1000.0, -20.0, -1.0, 0.01, 1.0, 20.0, 1000.0])
def test_a_continuous_bernoulli_has_slopes_however_sure_it_is(logit):
    def asked(logits):
        p = d.ContinuousBernoulli(logits=logits)
        near = tinytorch.tensor(0.97 if logit > 0 else 0.03)
        return p.mean, p.variance, p.entropy(), p.cdf(near), p.log_prob(near)

    logits = tinytorch.tensor(logit, dtype=tinytorch.float64, requires_grad=True)
    tinytorch.autograd.gradcheck(asked, logits, atol=1e-9)
