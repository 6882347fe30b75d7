"""Distributions of real numbers: Normal and Uniform."""

import math

from tinytorch.distributions import constraints
from tinytorch.distributions.base import Distribution, together
from tinytorch.distributions.location_scale import LocationScale
from tinytorch.ops.elementwise import clamp, erf, log
from tinytorch.ops.random import rand, randn
from tinytorch.ops.special import erfinv


class Normal(LocationScale):
    """The normal distribution with mean `loc` and standard deviation `scale`.

    ValueError for a scale that is not positive.

    >>> Normal(0.0, 1.0).log_prob(tinytorch.tensor(0.0))
    tensor(-0.9189)
    """

    stddev = property(lambda self: self.scale)
    variance = property(lambda self: self.scale**2)

    def rsample(self, sample_shape=()):
        """loc + scale * noise."""
        return self.loc + self.scale * randn(self._with_shape(sample_shape), dtype=self.loc.dtype)

    def log_prob(self, value):
        """The logarithm of the density at `value`."""
        self._validate_sample(value)
        distance = (value - self.loc) / self.scale
        return -(distance * distance) / 2 - log(self.scale) - math.log(2 * math.pi) / 2

    def cdf(self, value):
        """The probability of less than `value`."""
        self._validate_sample(value)
        return (1 + erf((value - self.loc) / (self.scale * math.sqrt(2)))) / 2

    def icdf(self, value):
        """The number below which a draw is with the probability `value`."""
        return self.loc + self.scale * math.sqrt(2) * erfinv(2 * value - 1)

    def entropy(self):
        """-E log p, in nats."""
        return 0.5 + math.log(2 * math.pi) / 2 + log(self.scale)


class Uniform(Distribution):
    """Evenly from `low` up to `high`; ValueError unless low < high."""

    has_rsample = True

    def __init__(self, low, high, validate_args=None):
        self.low, self.high = together(low, high)
        super().__init__(self.low.shape, validate_args=validate_args)

    @property
    def arg_constraints(self):
        """Each must be on its side of the other."""
        return {
            "low": constraints.less_than(self.high),
            "high": constraints.greater_than(self.low),
        }

    support = property(lambda self: constraints.interval(self.low, self.high))
    mean = property(lambda self: (self.low + self.high) / 2)
    mode = property(lambda self: self.high * math.nan)
    stddev = property(lambda self: (self.high - self.low) / math.sqrt(12))
    variance = property(lambda self: (self.high - self.low) ** 2 / 12)

    def rsample(self, sample_shape=()):
        """low + (high - low) * noise."""
        noise = rand(self._with_shape(sample_shape), dtype=self.low.dtype)
        return self.low + (self.high - self.low) * noise

    def log_prob(self, value):
        """The logarithm of the density at `value`: that of 0 outside."""
        self._validate_sample(value)
        inside = (value >= self.low) & (value < self.high)
        return log(inside.type_as(self.low)) - log(self.high - self.low)

    def cdf(self, value):
        """The probability of less than `value`."""
        self._validate_sample(value)
        return clamp((value - self.low) / (self.high - self.low), 0, 1)

    def icdf(self, value):
        """The number below which a draw is with the probability `value`."""
        return self.low + (self.high - self.low) * value

    def entropy(self):
        """-E log p, in nats."""
        return log(self.high - self.low)
