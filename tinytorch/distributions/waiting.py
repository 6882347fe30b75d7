"""How long one waits: Exponential, and what powers make of it, Weibull and Pareto."""

from tinytorch.distributions import constraints
from tinytorch.distributions.base import Distribution, together
from tinytorch.distributions.location_scale import EULER, noise
from tinytorch.distributions.number_transforms import AffineTransform, ExpTransform, PowerTransform
from tinytorch.distributions.transformed import TransformedDistribution
from tinytorch.ops.creation import ones_like, zeros_like
from tinytorch.ops.elementwise import clamp, exp, expm1, log, log1p
from tinytorch.ops.special import lgamma


class Exponential(Distribution):
    """The time to wait for what happens `rate` times in a unit of time.

    >>> Exponential(2.0).log_prob(tinytorch.tensor(0.0)).exp()
    tensor(2.)
    """

    has_rsample, support = True, constraints.nonnegative
    arg_constraints = {"rate": constraints.positive}

    def __init__(self, rate, validate_args=None):
        (self.rate,) = together(rate)
        super().__init__(self.rate.shape, validate_args=validate_args)

    mean = stddev = property(lambda self: 1 / self.rate)
    mode = property(lambda self: zeros_like(self.rate))
    variance = property(lambda self: self.rate**-2)

    def rsample(self, sample_shape=()):
        """A draw that gradients pass."""
        return -log(noise(self._with_shape(sample_shape), self.rate.dtype)) / self.rate

    def log_prob(self, value):
        """The logarithm of the density at `value`."""
        self._validate_sample(value)
        return log(self.rate) - self.rate * value

    def cdf(self, value):
        """The probability of less than `value`."""
        self._validate_sample(value)
        return -expm1(-self.rate * value)

    def icdf(self, value):
        """The number below which a draw is with the probability `value`."""
        return -log1p(-value) / self.rate

    def entropy(self):
        """-E log p, in nats."""
        return 1 - log(self.rate)


class Weibull(TransformedDistribution):
    """Waiting for what gets more likely with time, where `concentration` > 1, or less likely.

    >>> Weibull(1.0, 1.0).mean
    tensor(1.)
    """

    support = constraints.positive
    arg_constraints = {"scale": constraints.positive, "concentration": constraints.positive}

    def __init__(self, scale, concentration, validate_args=None):
        self.scale, self.concentration = together(scale, concentration)
        base = Exponential(ones_like(self.scale), validate_args)
        power = PowerTransform(1 / self.concentration)
        super().__init__(base, [power, AffineTransform(0, self.scale)], validate_args)

    def _moment(self, power):
        return exp(lgamma(1 + power / self.concentration))

    mean = property(lambda self: self.scale * self._moment(1))
    variance = property(lambda self: self.scale**2 * (self._moment(2) - self._moment(1) ** 2))

    @property
    def mode(self):
        """The most probable value."""
        power = 1 / self.concentration
        return self.scale * ((self.concentration - 1) / self.concentration) ** power

    def entropy(self):
        """-E log p, in nats."""
        share = 1 / self.concentration
        return EULER * (1 - share) + log(self.scale * share) + 1


class Pareto(TransformedDistribution):
    """`scale` and more, the more seldom the larger: `alpha` says how seldom.

    >>> Pareto(1.0, 2.0).mean
    tensor(2.)
    """

    arg_constraints = {"alpha": constraints.positive, "scale": constraints.positive}

    def __init__(self, scale, alpha, validate_args=None):
        self.scale, self.alpha = together(scale, alpha)
        base = Exponential(self.alpha, validate_args)
        super().__init__(base, [ExpTransform(), AffineTransform(0, self.scale)], validate_args)

    support = property(lambda self: constraints.greater_than_eq(self.scale))
    mode = property(lambda self: self.scale)

    @property
    def mean(self):
        """What draws are on average: infinity for alpha up to 1."""
        a = clamp(self.alpha, min=1)
        return a * self.scale / (a - 1)

    @property
    def variance(self):
        """How far draws are from the mean, squared: infinity for alpha up to 2."""
        a = clamp(self.alpha, min=2)
        return self.scale**2 * a / ((a - 1) ** 2 * (a - 2))

    def entropy(self):
        """-E log p, in nats."""
        return log(self.scale / self.alpha) + 1 + 1 / self.alpha
