"""Normal vectors: MultivariateNormal."""

import math

from tinytorch.distributions import constraints
from tinytorch.distributions.base import Distribution, later, only_one
from tinytorch.ops.arranging import broadcast_shapes
from tinytorch.ops.cholesky import cholesky, solve_triangular
from tinytorch.ops.elementwise import log
from tinytorch.ops.inverses import inv
from tinytorch.ops.random import randn


class MultivariateNormal(Distribution):
    """Normal vectors with mean `loc` (..., D): `covariance_matrix` (..., D, D), or its factor.

    `scale_tril` is that of cholesky(), `precision_matrix` the inverse. ValueError unless one of
    the three is given.

    >>> MultivariateNormal(tinytorch.zeros(2), tinytorch.eye(2)).log_prob(tinytorch.zeros(2))
    tensor(-1.8379)
    """

    has_rsample, support = True, constraints.real_vector
    arg_constraints = {
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }

    def __init__(
        self,
        loc,
        covariance_matrix=None,
        precision_matrix=None,
        scale_tril=None,
        validate_args=None,
    ):
        given = dict(
            covariance_matrix=covariance_matrix,
            precision_matrix=precision_matrix,
            scale_tril=scale_tril,
        )
        only_one("MultivariateNormal", **given)
        ((name, matrix),) = ((n, m) for n, m in given.items() if m is not None)
        if loc.dim() < 1 or matrix.dim() < 2:
            raise ValueError(f"loc needs 1 dimension or more, {name} 2 or more")
        batch, size = broadcast_shapes(loc.shape[:-1], matrix.shape[:-2]), loc.shape[-1]
        self.loc = loc.expand(*batch, size)
        vars(self)[name] = matrix.expand(*batch, size, size)
        super().__init__(batch, (size,), validate_args)

    @later
    def scale_tril(self):
        """The lower triangular factor of the covariances."""
        return cholesky(self.covariance_matrix)

    @later
    def covariance_matrix(self):
        """How the numbers vary together."""
        if "precision_matrix" in vars(self):
            return inv(self.precision_matrix)
        return self.scale_tril @ self.scale_tril.mT

    @later
    def precision_matrix(self):
        """The inverse of the covariances."""
        return inv(self.covariance_matrix)

    mean = mode = property(lambda self: self.loc)
    variance = property(lambda self: (self.scale_tril**2).sum(-1))

    def rsample(self, sample_shape=()):
        """loc + scale_tril @ noise."""
        noise = randn(self._with_shape(sample_shape), dtype=self.loc.dtype)
        return self.loc + (self.scale_tril @ noise.unsqueeze(-1)).squeeze(-1)

    def log_prob(self, value):
        """The logarithm of the density at `value`."""
        self._validate_sample(value)
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
