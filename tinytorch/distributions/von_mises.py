"""Angles around a direction: VonMises."""

import math

import numpy as np

from tinytorch.distributions import constraints
from tinytorch.distributions.base import Distribution, together
from tinytorch.grad_mode import no_grad
from tinytorch.ops.elementwise import cos, log
from tinytorch.ops.random import source
from tinytorch.ops.rare import i0e, i1e
from tinytorch.tensor import wrap


class VonMises(Distribution):
    """Angles between -pi and pi around `loc`, the nearer the larger the `concentration`.

    `variance` is that of directions: 1 minus the length of their mean.

    >>> VonMises(0.0, 1.0).mean
    tensor(0.)
    """

    support = constraints.real
    arg_constraints = {"loc": constraints.real, "concentration": constraints.positive}

    def __init__(self, loc, concentration, validate_args=None):
        self.loc, self.concentration = together(loc, concentration)
        super().__init__(self.loc.shape, validate_args=validate_args)

    mean = mode = property(lambda self: self.loc)
    variance = property(lambda self: 1 - i1e(self.concentration) / i0e(self.concentration))

    @no_grad()
    def sample(self, sample_shape=()):
        """A draw without history."""
        shape = self._with_shape(sample_shape)
        drawn = source().vonmises(self.loc._data, self.concentration._data, shape)
        return wrap(np.asarray(drawn, self.loc.dtype))

    def log_prob(self, value):
        """The logarithm of the density at `value`, any angle."""
        self._validate_sample(value)
        k = self.concentration
        return k * (cos(value - self.loc) - 1) - math.log(2 * math.pi) - log(i0e(k))
