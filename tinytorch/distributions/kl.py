"""How far one distribution is from another: the divergence of Kullback and Leibler."""

from tinytorch.distributions.continuous import Normal
from tinytorch.distributions.discrete import Bernoulli, Categorical
from tinytorch.distributions.independent import Independent
from tinytorch.ops.elementwise import log, softplus


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


DIVERGENCES = {
    Normal: kl_normal,
    Categorical: kl_categorical,
    Bernoulli: kl_bernoulli,
    Independent: kl_independent,
}
