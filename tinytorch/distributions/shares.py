"""Distributions of shares: Dirichlet, Beta, Kumaraswamy."""

import math

from tinytorch.defaults import finfo
from tinytorch.distributions import constraints
from tinytorch.distributions.base import Distribution, together
from tinytorch.distributions.continuous import Uniform
from tinytorch.distributions.gammas import Gamma, above_zero
from tinytorch.distributions.location_scale import EULER
from tinytorch.distributions.number_transforms import AffineTransform, PowerTransform
from tinytorch.distributions.transformed import TransformedDistribution
from tinytorch.nn.embedding import one_hot
from tinytorch.ops.creation import ones_like, zeros_like
from tinytorch.ops.elementwise import clamp, exp, log, log1p, where
from tinytorch.ops.joining import stack
from tinytorch.ops.special import digamma, lgamma, xlogy


class Dirichlet(Distribution):
    """Shares (..., K) that sum to 1; the larger the `concentration` (..., K), the more like it."""

    has_rsample, support = True, constraints.simplex
    arg_constraints = {"concentration": constraints.independent(constraints.positive, 1)}

    def __init__(self, concentration, validate_args=None):
        if concentration.dim() < 1:
            raise ValueError("concentration needs at least one dimension, got a single number")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:], validate_args)

    mean = property(lambda self: self.concentration / self.concentration.sum(-1, True))

    @property
    def mode(self):
        """The most probable shares; where all concentrations are below 1, all for the first."""
        above = clamp(self.concentration - 1, min=0)
        mode = above / above.sum(-1, True)
        corner = one_hot(mode.argmax(-1), mode.shape[-1]).type_as(mode)
        return where((self.concentration < 1).all(-1).unsqueeze(-1), corner, mode)

    @property
    def variance(self):
        """How far each share is from its mean, squared, on average."""
        return self.mean * (1 - self.mean) / (self.concentration.sum(-1, True) + 1)

    def rsample(self, sample_shape=()):
        """A draw that gradients pass, once."""
        shares = self.concentration  # in float64: in float32 too many would be 0
        drawn = Gamma(shares.double(), 1.0, False).rsample(sample_shape)
        drawn = (drawn / drawn.sum(-1, True)).to(shares.dtype)
        return clamp(above_zero(drawn), max=1 - finfo(shares.dtype).eps / 2)

    def log_prob(self, value):
        """The logarithm of the density at `value`."""
        self._validate_sample(value)
        return xlogy(self.concentration - 1, value).sum(-1) - self.log_total()

    def log_total(self):
        a = self.concentration
        return lgamma(a).sum(-1) - lgamma(a.sum(-1))

    def entropy(self):
        """-E log p, in nats."""
        a, count = self.concentration, self.concentration.shape[-1]
        total = a.sum(-1)
        own = ((a - 1) * digamma(a)).sum(-1)
        return self.log_total() - (count - total) * digamma(total) - own


class Beta(Distribution):
    """Numbers between 0 and 1: like the share of `a` where there are `a` and `b`.

    >>> Beta(2.0, 2.0).log_prob(tinytorch.tensor(0.5)).exp()
    tensor(1.5000)
    """

    has_rsample, support = True, constraints.unit_interval
    arg_constraints = {
        "concentration1": constraints.positive,
        "concentration0": constraints.positive,
    }

    def __init__(self, concentration1, concentration0, validate_args=None):
        self.concentration1, self.concentration0 = together(concentration1, concentration0)
        self.shares = Dirichlet(stack([self.concentration1, self.concentration0], -1), False)
        super().__init__(self.concentration1.shape, validate_args=validate_args)

    mean = property(lambda self: self.shares.mean[..., 0])
    mode = property(lambda self: self.shares.mode[..., 0])
    variance = property(lambda self: self.shares.variance[..., 0])

    def rsample(self, sample_shape=()):
        """A draw that gradients pass, once."""
        return self.shares.rsample(sample_shape)[..., 0]

    def log_prob(self, value):
        """The logarithm of the density at `value`."""
        self._validate_sample(value)
        return self.shares.log_prob(stack([value, 1 - value], -1))

    def entropy(self):
        """-E log p, in nats."""
        return self.shares.entropy()


class Kumaraswamy(TransformedDistribution):
    """Much like Beta(concentration1, concentration0), but with a cdf that is easily turned around.

    >>> Kumaraswamy(1.0, 1.0).mean
    tensor(0.5000)
    """

    support = constraints.unit_interval
    arg_constraints = Beta.arg_constraints

    def __init__(self, concentration1, concentration0, validate_args=None):
        self.concentration1, self.concentration0 = together(concentration1, concentration0)
        base = Uniform(zeros_like(self.concentration0), ones_like(self.concentration0))
        inner, outer = (PowerTransform(1 / x) for x in (self.concentration0, self.concentration1))
        super().__init__(base, [inner, AffineTransform(1.0, -1.0), outer], validate_args)

    def _moment(self, power):
        b, place = self.concentration0, 1 + power / self.concentration1
        return b * exp(lgamma(place) + lgamma(b) - lgamma(place + b))

    mean = property(lambda self: self._moment(1))
    variance = property(lambda self: self._moment(2) - self._moment(1) ** 2)

    @property
    def mode(self):
        """The most probable value: NaN where a concentration is below 1."""
        a, b = self.concentration1, self.concentration0
        found = exp(log1p(-b) / b - log1p(-a * b))
        return where((a < 1) | (b < 1), math.nan, found)

    def entropy(self):
        """-E log p, in nats."""
        a, b = self.concentration1, self.concentration0
        sums = digamma(b + 1) + EULER
        return 1 - 1 / b + (1 - 1 / a) * sums - log(a) - log(b)
