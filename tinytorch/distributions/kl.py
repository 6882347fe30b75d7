"""How far one distribution is from another: the divergence of Kullback and Leibler."""

from tinytorch.distributions.continuous import Normal
from tinytorch.distributions.counts import OneHotCategorical
from tinytorch.distributions.discrete import Bernoulli, Categorical
from tinytorch.distributions.independent import Independent
from tinytorch.distributions.more_continuous import Beta, Dirichlet, Exponential, Gamma, LogNormal
from tinytorch.distributions.transformed import MultivariateNormal
from tinytorch.ops.cholesky import solve_triangular
from tinytorch.ops.elementwise import log, softplus
from tinytorch.ops.special import digamma, lgamma


def kl_divergence(p, q):
    """E_p log(p / q), for two distributions of one kind; NotImplementedError for others.

    >>> kl_divergence(Normal(1.0, 1.0), Normal(0.0, 1.0))
    tensor(0.5000)
    """
    if type(p) is not type(q) or type(p) not in DIVERGENCES:
        kinds = f"{type(p).__name__} and {type(q).__name__}"
        raise NotImplementedError(f"there is no formula for the divergence of {kinds}")
    return DIVERGENCES[type(p)](p, q)


def kl_normal(p, q):
    ratio, shift = (p.scale / q.scale) ** 2, ((p.loc - q.loc) / q.scale) ** 2
    return (ratio + shift - 1 - log(ratio)) / 2


def kl_categorical(p, q):
    return (p.probs * (p.logits - q.logits)).sum(-1)


def kl_bernoulli(p, q):
    yes, no = (softplus(-d.logits) for d in (q, p))  # -log of the probability of 1
    return p.probs * (yes - no) + (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))


def kl_independent(p, q):
    return kl_divergence(p.base_dist, q.base_dist).sum(p.dims)


def kl_multivariate(p, q):
    away = solve_triangular(q.scale_tril, (q.loc - p.loc).unsqueeze(-1), upper=False)
    ratio = solve_triangular(q.scale_tril, p.scale_tril, upper=False)
    squares = (ratio * ratio).sum((-2, -1)) + (away * away).sum((-2, -1))
    return (squares - p.loc.shape[-1]) / 2 + q.log_volume() - p.log_volume()


def kl_exponential(p, q):
    ratio = q.rate / p.rate
    return ratio - log(ratio) - 1


def kl_dirichlet(p, q):
    a, b = p.concentration, q.concentration
    slopes = digamma(a) - digamma(a.sum(-1, True))
    return q.log_total() - p.log_total() + ((a - b) * slopes).sum(-1)


def kl_beta(p, q):
    return kl_dirichlet(p.shares, q.shares)


def kl_gamma(p, q):
    a, b = p.concentration, q.concentration
    logs = b * log(p.rate / q.rate) + lgamma(b) - lgamma(a) + (a - b) * digamma(a)
    return logs + a * (q.rate / p.rate - 1)


DIVERGENCES = {
    Beta: kl_beta,
    Dirichlet: kl_dirichlet,
    Exponential: kl_exponential,
    Gamma: kl_gamma,
    LogNormal: kl_normal,
    MultivariateNormal: kl_multivariate,
    OneHotCategorical: kl_categorical,
    Normal: kl_normal,
    Categorical: kl_categorical,
    Bernoulli: kl_bernoulli,
    Independent: kl_independent,
}
