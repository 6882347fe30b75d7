"""How far one distribution is from another: the divergence of Kullback and Leibler."""

import math

from tinytorch.distributions.base import sum_last
from tinytorch.distributions.continuous import Normal, Uniform
from tinytorch.distributions.continuous_bernoulli import ContinuousBernoulli
from tinytorch.distributions.counts import Bernoulli, Binomial, Geometric, Poisson
from tinytorch.distributions.discrete import Categorical, OneHotCategorical
from tinytorch.distributions.gammas import Gamma
from tinytorch.distributions.halves import HalfNormal
from tinytorch.distributions.independent import Independent
from tinytorch.distributions.location_scale import EULER, Cauchy, Gumbel, Laplace
from tinytorch.distributions.multivariate import MultivariateNormal
from tinytorch.distributions.shares import Beta, Dirichlet
from tinytorch.distributions.transformed import TransformedDistribution
from tinytorch.distributions.waiting import Exponential, Pareto
from tinytorch.ops.cholesky import solve_triangular
from tinytorch.ops.elementwise import abs, exp, log, log1p, softplus, where
from tinytorch.ops.special import digamma, lgamma

DIVERGENCES = {}


def kl_divergence(p, q):
    """E_p log(p / q), for two distributions of one kind; NotImplementedError for others.

    >>> kl_divergence(Normal(1.0, 1.0), Normal(0.0, 1.0))
    tensor(0.5000)
    """
    for kind_p in type(p).__mro__:
        for kind_q in type(q).__mro__:
            if (kind_p, kind_q) in DIVERGENCES:
                return DIVERGENCES[kind_p, kind_q](p, q)
    kinds = f"{type(p).__name__} and {type(q).__name__}"
    raise NotImplementedError(f"there is no formula for the divergence of {kinds}")


def register_kl(type_p, type_q):
    """Decorator for a function(p, q) that kl_divergence() shall use for these two kinds.

    >>> @register_kl(Normal, Laplace)
    ... def unknown(p, q):
    ...     return math.nan
    >>> kl_divergence(Normal(0.0, 1.0), Laplace(0.0, 1.0))
    nan
    >>> del DIVERGENCES[Normal, Laplace]
    """

    def registered(function):
        DIVERGENCES[type_p, type_q] = function
        return function

    return registered


def of(kind):
    """Decorator for the divergence of two of one kind."""
    return register_kl(kind, kind)


@of(HalfNormal)
def kl_half_normal(p, q):
    return kl_normal(p.base_dist, q.base_dist)


@of(Normal)
def kl_normal(p, q):
    ratio, shift = (p.scale / q.scale) ** 2, ((p.loc - q.loc) / q.scale) ** 2
    return (ratio + shift - 1 - log(ratio)) / 2


@of(Categorical)
def kl_categorical(p, q):
    found = p.probs * (p.logits - q.logits)
    found = found.masked_fill(q.probs == 0, math.inf)
    return found.masked_fill(p.probs == 0, 0.0).sum(-1)


@of(OneHotCategorical)
def kl_one_hot(p, q):
    return kl_categorical(p, q)


@of(Bernoulli)
def kl_bernoulli(p, q):
    yes = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    no = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    yes = yes.masked_fill(q.probs == 0, math.inf).masked_fill(p.probs == 0, 0.0)
    return yes + no.masked_fill(q.probs == 1, math.inf).masked_fill(p.probs == 1, 0.0)


@of(Binomial)
def kl_binomial(p, q):
    if (p.total_count < q.total_count).any():
        raise NotImplementedError("there is no formula for a Binomial with a larger total_count")
    ones = p.probs * (p.logits - q.logits) + log1p(-p.probs) - log1p(-q.probs)
    return (p.total_count * ones).masked_fill(p.total_count > q.total_count, math.inf)


@of(Geometric)
def kl_geometric(p, q):
    return -p.entropy() - log1p(-q.probs) / p.probs - q.logits


@of(Poisson)
def kl_poisson(p, q):
    return p.rate * (log(p.rate) - log(q.rate)) - (p.rate - q.rate)


@of(ContinuousBernoulli)
def kl_continuous_bernoulli(p, q):
    return -p.entropy() - q.logits * p.mean - q._log_norm()


@of(Independent)
def kl_independent(p, q):
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError("there is no formula where other dimensions count as one")
    return sum_last(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


@of(TransformedDistribution)
def kl_transformed(p, q):
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError("there is no formula for distributions transformed differently")
    return kl_divergence(p.base_dist, q.base_dist)


@of(MultivariateNormal)
def kl_multivariate(p, q):
    away = solve_triangular(q.scale_tril, (q.loc - p.loc).unsqueeze(-1), upper=False)
    ratio = solve_triangular(q.scale_tril, p.scale_tril, upper=False)
    squares = (ratio * ratio).sum((-2, -1)) + (away * away).sum((-2, -1))
    return (squares - p.loc.shape[-1]) / 2 + q.log_volume() - p.log_volume()


@of(Exponential)
def kl_exponential(p, q):
    ratio = q.rate / p.rate
    return ratio - log(ratio) - 1


@of(Dirichlet)
def kl_dirichlet(p, q):
    a, b = p.concentration, q.concentration
    slopes = digamma(a) - digamma(a.sum(-1, True))
    return q.log_total() - p.log_total() + ((a - b) * slopes).sum(-1)


@of(Beta)
def kl_beta(p, q):
    return kl_dirichlet(p.shares, q.shares)


@of(Gamma)
def kl_gamma(p, q):
    a, b = p.concentration, q.concentration
    logs = b * log(p.rate / q.rate) + lgamma(b) - lgamma(a) + (a - b) * digamma(a)
    return logs + a * (q.rate / p.rate - 1)


@of(Laplace)
def kl_laplace(p, q):
    ratio, away = p.scale / q.scale, abs(p.loc - q.loc)
    return away / q.scale + ratio * exp(-away / p.scale) - log(ratio) - 1


@of(Gumbel)
def kl_gumbel(p, q):
    ratio, away = p.scale / q.scale, (p.loc - q.loc) / q.scale
    ends = exp(lgamma(1 + ratio) - away)
    return away - log(ratio) + ratio * EULER + ends - 1 - EULER


@of(Cauchy)
def kl_cauchy(p, q):
    apart = (p.scale + q.scale) ** 2 + (p.loc - q.loc) ** 2
    return log(apart) - log(4 * p.scale * q.scale)


@of(Uniform)
def kl_uniform(p, q):
    found = log((q.high - q.low) / (p.high - p.low))
    return where((q.low > p.low) | (q.high < p.high), math.inf, found)


@of(Pareto)
def kl_pareto(p, q):
    ratio = q.alpha / p.alpha
    found = q.alpha * log(p.scale / q.scale) - log(ratio) + ratio - 1
    return where(p.scale < q.scale, math.inf, found)
