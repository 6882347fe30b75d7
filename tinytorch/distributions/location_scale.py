"""Distributions with a place and a width: Laplace, Gumbel, Cauchy, and half a Cauchy."""

import math

from tinytorch.defaults import finfo
from tinytorch.distributions import constraints
from tinytorch.distributions.base import Distribution, together
from tinytorch.ops.creation import full_like
from tinytorch.ops.elementwise import abs, atan, clamp, exp, expm1, log, log1p, sign, tan
from tinytorch.ops.random import rand

EULER = 0.5772156649015329


class LocationScale(Distribution):
    """What has a place `loc` and a width `scale`; ValueError for a width that is not positive."""

    has_rsample, support = True, constraints.real
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = together(loc, scale)
        super().__init__(self.loc.shape, validate_args=validate_args)

    mean = mode = property(lambda self: self.loc)

    def rsample(self, sample_shape=()):
        """A draw that gradients pass."""
        return self.icdf(noise(self._with_shape(sample_shape), self.loc.dtype))

    def log_prob(self, value):
        """The logarithm of the density at `value`."""
        self._validate_sample(value)
        return self.log_density((value - self.loc) / self.scale) - log(self.scale)

    def cdf(self, value):
        """The probability of less than `value`."""
        self._validate_sample(value)
        return self.share_below((value - self.loc) / self.scale)

    def icdf(self, value):
        """The number below which a draw is with the probability `value`."""
        return self.loc + self.scale * self.place_of(value)


class Laplace(LocationScale):
    """Exponential on both sides of `loc`."""

    variance = property(lambda self: 2 * self.scale**2)
    stddev = property(lambda self: math.sqrt(2) * self.scale)

    def log_density(self, distance):
        return -abs(distance) - math.log(2)

    def share_below(self, distance):
        return 0.5 - 0.5 * sign(distance) * expm1(-abs(distance))

    def place_of(self, share):
        side = share - 0.5
        return -sign(side) * log1p(-2 * abs(side))

    def entropy(self):
        """-E log p, in nats."""
        return 1 + log(2 * self.scale)


class Gumbel(LocationScale):
    """The largest of many numbers; softmax with noise of this kind is gumbel_softmax()."""

    mean = property(lambda self: self.loc + self.scale * EULER)
    stddev = property(lambda self: math.pi / math.sqrt(6) * self.scale)
    variance = property(lambda self: (math.pi * self.scale) ** 2 / 6)

    def log_density(self, distance):
        return -distance - exp(-distance)

    def share_below(self, distance):
        return exp(-exp(-distance))

    def place_of(self, share):
        return -log(-log(share))

    def entropy(self):
        """-E log p, in nats."""
        return log(self.scale) + 1 + EULER


class Cauchy(LocationScale):
    """Tails so heavy that there is no mean."""

    mean = property(lambda self: full_like(self.loc, math.nan))
    variance = property(lambda self: full_like(self.loc, math.inf))

    def log_density(self, distance):
        return -math.log(math.pi) - log1p(distance * distance)

    def share_below(self, distance):
        return atan(distance) / math.pi + 0.5

    def place_of(self, share):
        return tan(math.pi * (share - 0.5))

    def entropy(self):
        """-E log p, in nats."""
        return math.log(4 * math.pi) + log(self.scale)


def noise(shape, dtype):
    """Numbers drawn evenly between 0 and 1, neither of which comes."""
    limits = finfo(dtype)
    return clamp(rand(shape, dtype=dtype), limits.tiny, 1 - limits.eps / 2)
