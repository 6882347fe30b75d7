"""What becomes of numbers around 0 without their signs: HalfNormal and HalfCauchy."""

import math

from tinytorch.distributions import constraints
from tinytorch.distributions.continuous import Normal
from tinytorch.distributions.location_scale import Cauchy
from tinytorch.distributions.number_transforms import AbsTransform
from tinytorch.distributions.transformed import TransformedDistribution
from tinytorch.ops.creation import full_like, zeros_like


class Half(TransformedDistribution):
    """The half above 0 of a distribution that is the same on both sides of it."""

    support, arg_constraints = constraints.nonnegative, {"scale": constraints.positive}

    def __init__(self, whole, scale, validate_args):
        base = whole(0.0, scale, validate_args=False)
        super().__init__(base, AbsTransform(), validate_args)

    scale = property(lambda self: self.base_dist.scale)
    mode = property(lambda self: zeros_like(self.scale))

    def log_prob(self, value):
        """The logarithm of the density at `value`: that of 0 below 0."""
        self._validate_sample(value)
        found = self.base_dist.log_prob(value) + math.log(2)
        return found.masked_fill(value < 0, -math.inf)

    def cdf(self, value):
        """The probability of less than `value`."""
        self._validate_sample(value)
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, value):
        """The number below which a draw is with the probability `value`."""
        return self.base_dist.icdf((value + 1) / 2)

    def entropy(self):
        """-E log p, in nats."""
        return self.base_dist.entropy() - math.log(2)


class HalfNormal(Half):
    """How far a normal number with mean 0 is from it.

    >>> HalfNormal(1.0).cdf(tinytorch.tensor(0.0))
    tensor(0.)
    """

    def __init__(self, scale, validate_args=None):
        super().__init__(Normal, scale, validate_args)

    mean = property(lambda self: self.scale * math.sqrt(2 / math.pi))
    variance = property(lambda self: self.scale**2 * (1 - 2 / math.pi))


class HalfCauchy(Half):
    """How far a number of Cauchy(0, scale) is from 0.

    >>> HalfCauchy(1.0).cdf(tinytorch.tensor(0.0))
    tensor(0.)
    """

    def __init__(self, scale, validate_args=None):
        super().__init__(Cauchy, scale, validate_args)

    mean = property(lambda self: full_like(self.scale, math.inf))
    variance = property(lambda self: self.base_dist.variance)
