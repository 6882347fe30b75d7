"""Distributions of real numbers: Normal and Uniform."""

import math

from tinytorch.distributions.base import Distribution, together
from tinytorch.ops.elementwise import erf, log
from tinytorch.ops.random import rand, randn
from tinytorch.ops.special import erfinv


class Normal(Distribution):
    """The normal distribution with mean `loc` and standard deviation `scale`.

    ValueError for a scale that is not positive.

    >>> Normal(0.0, 1.0).log_prob(tinytorch.tensor(0.0))
    tensor(-0.9189)
    """

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = together(loc, scale)
        self._check_positive("scale", self.scale, validate_args)
        self.batch_shape = self.loc.shape

    mean = property(lambda self: self.loc)
    stddev = property(lambda self: self.scale)
    variance = property(lambda self: self.scale**2)

    def rsample(self, sample_shape=()):
        """loc + scale * noise."""
        return self.loc + self.scale * randn(self._with_shape(sample_shape), dtype=self.loc.dtype)

    def log_prob(self, value):
        """The logarithm of the density at `value`."""
        distance = (value - self.loc) / self.scale
        return -(distance * distance) / 2 - log(self.scale) - math.log(2 * math.pi) / 2

    def cdf(self, value):
        """The probability of less than `value`."""
        return (1 + erf((value - self.loc) / (self.scale * math.sqrt(2)))) / 2

    def icdf(self, value):
        """The number below which a draw is with the probability `value`."""
        return self.loc + self.scale * math.sqrt(2) * erfinv(2 * value - 1)

    def entropy(self):
        """-E log p, in nats."""
        return 0.5 + math.log(2 * math.pi) / 2 + log(self.scale)


class Uniform(Distribution):
    """Evenly from `low` up to `high`; ValueError unless low < high."""

    def __init__(self, low, high, validate_args=None):
        self.low, self.high = together(low, high)
        self._check_positive("high - low", self.high - self.low, validate_args)
        self.batch_shape = self.low.shape

    mean = property(lambda self: (self.low + self.high) / 2)
    variance = property(lambda self: (self.high - self.low) ** 2 / 12)

    def rsample(self, sample_shape=()):
        """low + (high - low) * noise."""
        noise = rand(self._with_shape(sample_shape), dtype=self.low.dtype)
        return self.low + (self.high - self.low) * noise

    def log_prob(self, value):
        """The logarithm of the density at `value`: that of 0 outside."""
        inside = (value >= self.low) & (value < self.high)
        return log(inside.type_as(self.low)) - log(self.high - self.low)

    def entropy(self):
        """-E log p, in nats."""
        return log(self.high - self.low)
