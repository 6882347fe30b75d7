"""More distributions of real numbers, most of them with draws that gradients pass."""

import math

import numpy as np

from tinytorch.defaults import finfo
from tinytorch.distributions.base import Distribution, together
from tinytorch.distributions.continuous import Normal
from tinytorch.grad_mode import no_grad
from tinytorch.ops.elementwise import abs, exp, expm1, log, log1p, sign, tan
from tinytorch.ops.joining import stack
from tinytorch.ops.random import rand, source
from tinytorch.ops.special import digamma, lgamma, xlogy
from tinytorch.tensor import wrap


class Noise(Distribution):
    """What is drawn as a function `of_noise` of numbers drawn evenly from (0, 1)."""

    def rsample(self, sample_shape=()):
        """A draw that gradients pass."""
        dtype = self.mean.dtype
        noise = rand(self._with_shape(sample_shape), dtype=dtype).clamp(np.finfo(dtype).tiny)
        return self.of_noise(noise)


class LocationScale(Noise):
    """What has a place `loc` and a width `scale`; ValueError for a width that is not positive."""

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = together(loc, scale)
        self._check_positive("scale", self.scale, validate_args)
        self.batch_shape = self.loc.shape

    mean = property(lambda self: self.loc)

    def log_prob(self, value):
        """The logarithm of the density at `value`."""
        return self.log_density((value - self.loc) / self.scale) - log(self.scale)


class Laplace(LocationScale):
    """Exponential on both sides of `loc`."""

    variance = property(lambda self: 2 * self.scale**2)

    def of_noise(self, noise):
        side = noise * 2 - 1
        return self.loc - self.scale * sign(side) * log1p(-abs(side))

    def log_density(self, distance):
        return -abs(distance) - math.log(2)

    def entropy(self):
        """-E log p, in nats."""
        return 1 + log(2 * self.scale)


class Gumbel(LocationScale):
    """The largest of many numbers; softmax with noise of this kind is gumbel_softmax()."""

    mean = property(lambda self: self.loc + self.scale * 0.5772156649015329)
    variance = property(lambda self: (math.pi * self.scale) ** 2 / 6)

    def of_noise(self, noise):
        return self.loc - self.scale * log(-log(noise))

    def log_density(self, distance):
        return -distance - exp(-distance)

    def entropy(self):
        """-E log p, in nats."""
        return log(self.scale) + 1.5772156649015329


class Cauchy(LocationScale):
    """Tails so heavy that there is no mean."""

    mean = property(lambda self: self.loc * math.nan)
    variance = property(lambda self: self.scale * math.inf)

    def of_noise(self, noise):
        return self.loc + self.scale * tan(math.pi * (noise - 0.5))

    def log_density(self, distance):
        return -math.log(math.pi) - log1p(distance * distance)

    def entropy(self):
        """-E log p, in nats."""
        return math.log(4 * math.pi) + log(self.scale)


class Exponential(Noise):
    """The time to wait for what happens `rate` times in a unit of time.

    >>> Exponential(2.0).log_prob(tinytorch.tensor(0.0)).exp()
    tensor(2.)
    """

    def __init__(self, rate, validate_args=None):
        (self.rate,) = together(rate)
        self._check_positive("rate", self.rate, validate_args)
        self.batch_shape = self.rate.shape

    mean = stddev = property(lambda self: 1 / self.rate)
    variance = property(lambda self: self.rate**-2)

    def of_noise(self, noise):
        return -log(noise) / self.rate

    def log_prob(self, value):
        """The logarithm of the density at `value`."""
        return log(self.rate) - self.rate * value

    def entropy(self):
        """-E log p, in nats."""
        return 1 - log(self.rate)


class LogNormal(Normal):
    """The exponential of a normal number with mean `loc` and standard deviation `scale`."""

    mean = property(lambda self: exp(self.loc + self.scale**2 / 2))
    variance = property(lambda self: expm1(self.scale**2) * exp(2 * self.loc + self.scale**2))
    stddev = Distribution.stddev

    def rsample(self, sample_shape=()):
        """A draw that gradients pass."""
        return exp(super().rsample(sample_shape))

    def log_prob(self, value):
        """The logarithm of the density at `value`."""
        return super().log_prob(log(value)) - log(value)

    def entropy(self):
        """-E log p, in nats."""
        return super().entropy() + self.loc


class HalfNormal(Normal):
    """How far a normal number with mean 0 is from it."""

    def __init__(self, scale, validate_args=None):
        super().__init__(0.0, scale, validate_args)

    mean = property(lambda self: self.scale * math.sqrt(2 / math.pi))
    variance = property(lambda self: self.scale**2 * (1 - 2 / math.pi))
    stddev = Distribution.stddev

    def rsample(self, sample_shape=()):
        """A draw that gradients pass."""
        return abs(super().rsample(sample_shape))

    def log_prob(self, value):
        """The logarithm of the density at `value`: that of 0 below 0."""
        found = super().log_prob(value) + math.log(2)
        return found.masked_fill(value < 0, -math.inf)

    def entropy(self):
        """-E log p, in nats."""
        return super().entropy() - math.log(2)


# --- without draws that gradients pass ---


class Gamma(Distribution):
    """Waiting for `concentration` events, each as in Exponential(rate)."""

    def __init__(self, concentration, rate, validate_args=None):
        self.concentration, self.rate = together(concentration, rate)
        self._check_positive("concentration", self.concentration, validate_args)
        self._check_positive("rate", self.rate, validate_args)
        self.batch_shape = self.rate.shape

    mean = property(lambda self: self.concentration / self.rate)
    variance = property(lambda self: self.concentration / self.rate**2)

    @no_grad()
    def sample(self, sample_shape=()):
        """A draw without history."""
        shape = self._with_shape(sample_shape)
        drawn = source().gamma(self.concentration._data, size=shape)
        return above_zero(wrap(np.asarray(drawn, self.rate.dtype)) / self.rate)

    def log_prob(self, value):
        """The logarithm of the density at `value`."""
        a, b = self.concentration, self.rate
        return xlogy(a, b) + xlogy(a - 1, value) - b * value - lgamma(a)

    def entropy(self):
        """-E log p, in nats."""
        a = self.concentration
        return a - log(self.rate) + lgamma(a) + (1 - a) * digamma(a)


class Chi2(Gamma):
    """The sum of so many squares of normal numbers."""

    def __init__(self, df, validate_args=None):
        super().__init__(*together(df / 2, 0.5), validate_args)


def above_zero(drawn):
    """What was drawn, where no number is 0: such a one has no density."""
    return drawn.clamp(min=finfo(drawn.dtype).tiny)


class Dirichlet(Distribution):
    """Shares (..., K) that sum to 1; the larger the `concentration` (..., K), the more like it."""

    def __init__(self, concentration, validate_args=None):
        self.concentration = concentration
        self._check_positive("concentration", concentration, validate_args)
        self.batch_shape, self.event_shape = concentration.shape[:-1], concentration.shape[-1:]

    mean = property(lambda self: self.concentration / self.concentration.sum(-1, True))

    @no_grad()
    def sample(self, sample_shape=()):
        """A draw without history."""
        shares = self.concentration  # in float64: in float32 too many would be 0
        drawn = Gamma(shares.double(), 1.0).sample(sample_shape)
        drawn = (drawn / drawn.sum(-1, True)).to(shares.dtype)
        return above_zero(drawn).clamp(max=1 - finfo(shares.dtype).eps / 2)

    def log_prob(self, value):
        """The logarithm of the density at `value`."""
        a = self.concentration
        return xlogy(a - 1, value).sum(-1) - self.log_total()

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

    def __init__(self, concentration1, concentration0, validate_args=None):
        self.concentration1, self.concentration0 = together(concentration1, concentration0)
        both = cat_last(self.concentration1, self.concentration0)
        self.shares = Dirichlet(both, validate_args)
        self.batch_shape = self.concentration1.shape

    mean = property(lambda self: self.shares.mean[..., 0])

    def _variance(self):
        total = self.concentration1 + self.concentration0
        return self.mean * (1 - self.mean) / (total + 1)

    variance = property(_variance)

    def sample(self, sample_shape=()):
        """A draw without history."""
        return self.shares.sample(sample_shape)[..., 0]

    def log_prob(self, value):
        """The logarithm of the density at `value`."""
        return self.shares.log_prob(cat_last(value, 1 - value))

    def entropy(self):
        """-E log p, in nats."""
        return self.shares.entropy()


def cat_last(a, b):
    return stack(together(a, b), -1)
