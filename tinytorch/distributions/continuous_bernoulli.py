"""Numbers between 0 and 1 whose density is an exponential: ContinuousBernoulli.

G. Loaiza-Ganem and J. Cunningham, The continuous Bernoulli, 2019.
"""

from tinytorch.distributions import constraints
from tinytorch.distributions.counts import WithProbability
from tinytorch.ops.creation import ones_like
from tinytorch.ops.elementwise import abs, clamp, exp, expm1, log, log1p, where
from tinytorch.ops.random import rand


class ContinuousBernoulli(WithProbability):
    """Between 0 and 1 with a density in proportion to probs^x (1 - probs)^(1 - x).

    >>> ContinuousBernoulli(0.5).mean
    tensor(0.5000)
    """

    has_rsample, support = True, constraints.unit_interval

    def __init__(self, probs=None, logits=None, lims=(0.499, 0.501), validate_args=None):
        super().__init__(probs, logits, validate_args)

    def _near(self):
        """Where logits are so near to 0 that a series is exact, and logits that are not."""
        near = abs(self.logits) < 0.05
        return near, where(near, 1.0, self.logits)

    @property
    def mean(self):
        """What draws are on average."""
        near, x = self._near()
        y = where(near, self.logits, 0.0)
        size = abs(x)
        small = 1 / size + exp(-size) / expm1(-size)  # where the logits are below 0
        return where(near, 0.5 + y / 12 - y**3 / 720, where(x > 0, 1 - small, small))

    @property
    def variance(self):
        """How far draws are from the mean, squared, on average."""
        near, x = self._near()
        y = where(near, self.logits, 0.0)
        z = exp(-abs(x))
        far = 1 / (x * x) - z / (1 - z) ** 2
        return where(near, 1 / 12 - y * y / 240 + y**4 / 6048, far)

    def _log_norm(self):
        """log(l / (exp(l) - 1)) for the logits l: the density is exp(this + l x)."""
        near, x = self._near()
        y = where(near, self.logits, 0.0)
        far = log(abs(x)) - clamp(x, min=0) - log(-expm1(-abs(x)))
        return where(near, y**4 / 2880 - y / 2 - y * y / 24, far)

    def rsample(self, sample_shape=()):
        """A draw that gradients pass."""
        return self.icdf(rand(self._with_shape(sample_shape), dtype=self.logits.dtype))

    def log_prob(self, value):
        """The logarithm of the density at `value`."""
        self._validate_sample(value)
        return self.logits * value + self._log_norm()

    def cdf(self, value):
        """The probability of less than `value`."""
        self._validate_sample(value)
        near, x = self._near_zero()
        value, size = clamp(value, 0, 1), abs(x)
        share = expm1(-size * value) / expm1(-size)  # where the logits are below 0
        return where(near, value, share * where(x > 0, exp(size * (value - 1)), 1.0))

    def icdf(self, value):
        """The number below which a draw is with the probability `value`."""
        near, x = self._near_zero()
        fall = expm1(-abs(x))
        share = where(x > 0, 1 - value, value)
        place = -log1p(share * fall) / abs(x)
        return where(near, value * ones_like(x), where(x > 0, 1 - place, place))

    def _near_zero(self):
        """Where the density is flat up to rounding, and logits that are not 0."""
        near = abs(self.logits) < 1e-12
        return near, where(near, 1.0, self.logits)

    def entropy(self):
        """-E log p, in nats."""
        return -self.logits * self.mean - self._log_norm()
