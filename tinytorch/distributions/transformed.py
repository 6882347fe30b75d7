"""Distributions of what a function makes of draws: TransformedDistribution; MultivariateNormal."""

import math

from tinytorch.distributions.base import Distribution
from tinytorch.ops.cholesky import cholesky, solve_triangular
from tinytorch.ops.elementwise import abs, exp, log, sigmoid, softplus, tanh
from tinytorch.ops.random import randn
from tinytorch.ops.special import logit


class Transform:
    """A function with an inverse: called, it computes; `inv(y)` goes back.

    `log_abs_det_jacobian(x, y)` is the logarithm of how much it stretches.
    """


class AffineTransform(Transform):
    """loc + scale * x."""

    def __init__(self, loc, scale):
        self.loc, self.scale = loc, scale

    def __call__(self, x):
        return self.loc + self.scale * x

    def inv(self, y):
        """The x that leads to y."""
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x, y):
        """log |scale|."""
        return log(abs(x * 0 + self.scale))


class ExpTransform(Transform):
    """exp(x)."""

    __call__, inv = staticmethod(exp), staticmethod(log)

    def log_abs_det_jacobian(self, x, y):
        """x itself."""
        return x


class SigmoidTransform(Transform):
    """sigmoid(x)."""

    __call__, inv = staticmethod(sigmoid), staticmethod(logit)

    def log_abs_det_jacobian(self, x, y):
        """log(y (1 - y)), without overflow."""
        return -softplus(-x) - softplus(x)


class TanhTransform(Transform):
    """tanh(x); `cache_size` changes nothing."""

    def __init__(self, cache_size=0):
        self.cache_size = cache_size

    __call__ = staticmethod(tanh)

    def inv(self, y):
        """The x that leads to y."""
        return y.atanh()

    def log_abs_det_jacobian(self, x, y):
        """log(1 - y^2), without overflow."""
        return 2 * (math.log(2) - x - softplus(-2 * x))


class TransformedDistribution(Distribution):
    """What the `transforms`, one after the other, make of draws from `base_distribution`.

    >>> from tinytorch.distributions import Normal
    >>> TransformedDistribution(Normal(0.0, 1.0), ExpTransform()).log_prob(tinytorch.tensor(1.0))
    tensor(-0.9189)
    """

    def __init__(self, base_distribution, transforms, validate_args=None):
        self.base_dist = base_distribution
        several = isinstance(transforms, (list, tuple))
        self.transforms = list(transforms) if several else [transforms]
        self.batch_shape = base_distribution.batch_shape

    def rsample(self, sample_shape=()):
        """A draw that gradients pass."""
        x = self.base_dist.rsample(sample_shape)
        for transform in self.transforms:
            x = transform(x)
        return x

    def log_prob(self, value):
        """The logarithm of the density at `value`."""
        stretched = 0
        for transform in reversed(self.transforms):
            x = transform.inv(value)
            stretched = stretched + transform.log_abs_det_jacobian(x, value)
            value = x
        return self.base_dist.log_prob(value) - stretched


class MultivariateNormal(Distribution):
    """Normal vectors with mean `loc` (..., D): `covariance_matrix` (..., D, D), or its factor.

    `scale_tril` is that of cholesky(). ValueError unless one of the two is given.

    >>> MultivariateNormal(tinytorch.zeros(2), tinytorch.eye(2)).log_prob(tinytorch.zeros(2))
    tensor(-1.8379)
    """

    def __init__(self, loc, covariance_matrix=None, *, scale_tril=None, validate_args=None):
        if (covariance_matrix is None) == (scale_tril is None):
            raise ValueError("MultivariateNormal needs either covariance_matrix or scale_tril")
        self.loc = loc
        self.scale_tril = cholesky(covariance_matrix) if scale_tril is None else scale_tril
        self.batch_shape, self.event_shape = loc.shape[:-1], loc.shape[-1:]

    mean = property(lambda self: self.loc)
    covariance_matrix = property(lambda self: self.scale_tril @ self.scale_tril.mT)

    def rsample(self, sample_shape=()):
        """loc + scale_tril @ noise."""
        noise = randn(*sample_shape, *self.loc.shape, dtype=self.loc.dtype)
        return self.loc + (self.scale_tril @ noise.unsqueeze(-1)).squeeze(-1)

    def log_prob(self, value):
        """The logarithm of the density at `value`."""
        away = (value - self.loc).unsqueeze(-1)
        shape = away.shape[:-2]
        tril = self.scale_tril.expand(*shape, *self.scale_tril.shape[-2:])
        distance = solve_triangular(tril, away, upper=False).squeeze(-1)
        squares = (distance * distance).sum(-1)
        return -(squares + self.loc.shape[-1] * math.log(2 * math.pi)) / 2 - self.log_volume()

    def log_volume(self):
        return log(self.scale_tril.diagonal(0, -2, -1)).sum(-1)

    def entropy(self):
        """-E log p, in nats."""
        return self.loc.shape[-1] * (1 + math.log(2 * math.pi)) / 2 + self.log_volume()
