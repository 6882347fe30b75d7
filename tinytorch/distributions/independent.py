"""Independent: several draws that count as one."""

from tinytorch.distributions.base import Distribution


class Independent(Distribution):
    """A distribution whose last dimensions, as many as are said, count as one draw together.

    >>> normal = tinytorch.distributions.Normal(tinytorch.zeros(3), tinytorch.ones(3))
    >>> Independent(normal, 1).log_prob(tinytorch.zeros(3))
    tensor(-2.7568)
    """

    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        self.base_dist = base_distribution
        self.dims = tuple(range(-reinterpreted_batch_ndims, 0))
        shape = base_distribution.batch_shape
        cut = len(shape) - len(self.dims)
        self.batch_shape = shape[:cut]
        self.event_shape = shape[cut:] + base_distribution.event_shape

    mean = property(lambda self: self.base_dist.mean)
    variance = property(lambda self: self.base_dist.variance)

    def sample(self, sample_shape=()):
        """A draw without history."""
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=()):
        """A draw that gradients pass."""
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value):
        """The sum of the logarithms over the dimensions that count as one."""
        return self.base_dist.log_prob(value).sum(self.dims)

    def entropy(self):
        """The sum of the entropies."""
        return self.base_dist.entropy().sum(self.dims)
