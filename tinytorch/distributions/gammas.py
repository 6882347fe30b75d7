"""Gamma, and what is made of it: Chi2, InverseGamma, StudentT, FisherSnedecor."""

import math

from tinytorch.defaults import finfo
from tinytorch.distributions import constraints
from tinytorch.distributions.base import Distribution, together
from tinytorch.distributions.gamma_function import StandardGamma, gammainc
from tinytorch.distributions.number_transforms import PowerTransform
from tinytorch.distributions.transformed import TransformedDistribution
from tinytorch.ops.creation import as_tensor
from tinytorch.ops.elementwise import clamp, log, log1p, where
from tinytorch.ops.random import randn
from tinytorch.ops.special import digamma, lgamma, xlogy


def above_zero(drawn):
    """What was drawn, where no number is 0: such a one has no density."""
    return clamp(drawn, min=finfo(drawn.dtype).tiny)


class Gamma(Distribution):
    """Waiting for `concentration` events, each as in Exponential(rate).

    >>> Gamma(1.0, 2.0).cdf(tinytorch.tensor(0.0))
    tensor(0.)
    """

    has_rsample, support = True, constraints.nonnegative
    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}

    def __init__(self, concentration, rate, validate_args=None):
        self.concentration, self.rate = together(concentration, rate)
        super().__init__(self.rate.shape, validate_args=validate_args)

    mean = property(lambda self: self.concentration / self.rate)
    mode = property(lambda self: clamp((self.concentration - 1) / self.rate, min=0))
    variance = property(lambda self: self.concentration / self.rate**2)

    def rsample(self, sample_shape=()):
        """A draw that gradients pass, once."""
        shape = self._with_shape(sample_shape)
        return above_zero(StandardGamma.apply(self.concentration.expand(shape)) / self.rate)

    def log_prob(self, value):
        """The logarithm of the density at `value`."""
        value = as_tensor(value, dtype=self.rate.dtype)
        self._validate_sample(value)
        a, b = self.concentration, self.rate
        return xlogy(a, b) + xlogy(a - 1, value) - b * value - lgamma(a)

    def cdf(self, value):
        """The probability of less than `value`; without a gradient for the concentration."""
        self._validate_sample(value)
        return gammainc(*together(self.concentration, self.rate * value))

    def entropy(self):
        """-E log p, in nats."""
        a = self.concentration
        return a - log(self.rate) + lgamma(a) + (1 - a) * digamma(a)


class Chi2(Gamma):
    """The sum of so many squares of normal numbers."""

    arg_constraints = {"df": constraints.positive}

    def __init__(self, df, validate_args=None):
        super().__init__(df / 2, 0.5, validate_args)

    df = property(lambda self: self.concentration * 2)


class InverseGamma(TransformedDistribution):
    """1 / x for the x of Gamma(concentration, rate).

    >>> InverseGamma(3.0, 1.0).mean
    tensor(0.5000)
    """

    support = constraints.positive
    arg_constraints = Gamma.arg_constraints

    def __init__(self, concentration, rate, validate_args=None):
        base = Gamma(concentration, rate, validate_args)
        exponent = base.rate.new_ones(()) * -1
        super().__init__(base, PowerTransform(exponent), validate_args)

    concentration = property(lambda self: self.base_dist.concentration)
    rate = property(lambda self: self.base_dist.rate)
    mode = property(lambda self: self.rate / (self.concentration + 1))

    @property
    def mean(self):
        """What draws are on average: infinity for a concentration up to 1."""
        a = self.concentration
        return where(a > 1, self.rate / (a - 1), math.inf)

    @property
    def variance(self):
        """How far draws are from the mean, squared: infinity for a concentration up to 2."""
        a = self.concentration
        return where(a > 2, self.rate**2 / ((a - 1) ** 2 * (a - 2)), math.inf)

    def entropy(self):
        """-E log p, in nats."""
        a = self.concentration
        return a + log(self.rate) + lgamma(a) - (1 + a) * digamma(a)


class StudentT(Distribution):
    """A normal number over a width that is itself drawn: heavy tails, the heavier the less `df`.

    >>> StudentT(3.0).variance
    tensor(3.)
    """

    has_rsample, support = True, constraints.real
    arg_constraints = {
        "df": constraints.positive,
        "loc": constraints.real,
        "scale": constraints.positive,
    }

    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        self.df, self.loc, self.scale = together(df, loc, scale)
        self._chi2 = Chi2(self.df, False)
        super().__init__(self.df.shape, validate_args=validate_args)

    mean = property(lambda self: where(self.df > 1, self.loc, math.nan))
    mode = property(lambda self: self.loc)

    @property
    def variance(self):
        """How far draws are from the mean, squared: infinity for df up to 2, NaN up to 1."""
        finite = self.scale**2 * self.df / (self.df - 2)
        return where(self.df > 2, finite, where(self.df > 1, math.inf, math.nan))

    def rsample(self, sample_shape=()):
        """A draw that gradients pass, once."""
        noise = randn(self._with_shape(sample_shape), dtype=self.df.dtype)
        width = (self._chi2.rsample(sample_shape) / self.df).sqrt()
        return self.loc + self.scale * noise / width

    def _log_norm(self):
        half = self.df / 2
        return log(self.df * math.pi) / 2 + lgamma(half) - lgamma(half + 0.5)

    def log_prob(self, value):
        """The logarithm of the density at `value`."""
        self._validate_sample(value)
        y = (value - self.loc) / self.scale
        tail = (self.df + 1) / 2 * log1p(y * y / self.df)
        return -tail - log(self.scale) - self._log_norm()

    def entropy(self):
        """-E log p, in nats."""
        half = (self.df + 1) / 2
        apart = digamma(half) - digamma(self.df / 2)
        return log(self.scale) + half * apart + self._log_norm()


class FisherSnedecor(Distribution):
    """The quotient of two means of squares, of `df1` and of `df2` normal numbers.

    >>> FisherSnedecor(2.0, 4.0).mean
    tensor(2.)
    """

    has_rsample, support = True, constraints.positive
    arg_constraints = {"df1": constraints.positive, "df2": constraints.positive}

    def __init__(self, df1, df2, validate_args=None):
        self.df1, self.df2 = together(df1, df2)
        self._gamma1 = Gamma(self.df1 / 2, self.df1, False)
        self._gamma2 = Gamma(self.df2 / 2, self.df2, False)
        super().__init__(self.df1.shape, validate_args=validate_args)

    @property
    def mean(self):
        """What draws are on average: NaN for df2 up to 2."""
        return where(self.df2 > 2, self.df2 / (self.df2 - 2), math.nan)

    @property
    def mode(self):
        """The most probable value: NaN for df1 up to 2."""
        a, b = self.df1, self.df2
        return where(a > 2, (a - 2) / a * b / (b + 2), math.nan)

    @property
    def variance(self):
        """How far draws are from the mean, squared: NaN for df2 up to 4."""
        a, b = self.df1, self.df2
        finite = 2 * b**2 * (a + b - 2) / (a * (b - 2) ** 2 * (b - 4))
        return where(b > 4, finite, math.nan)

    def rsample(self, sample_shape=()):
        """A draw that gradients pass, once."""
        return above_zero(self._gamma1.rsample(sample_shape) / self._gamma2.rsample(sample_shape))

    def log_prob(self, value):
        """The logarithm of the density at `value`."""
        self._validate_sample(value)
        a, b, ratio = self.df1 / 2, self.df2 / 2, self.df1 / self.df2
        norm = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(ratio)
        return norm + (a - 1) * log(value) - (a + b) * log1p(ratio * value)
