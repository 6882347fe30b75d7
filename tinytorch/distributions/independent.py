"""Independent: several draws that count as one."""

from copy import copy

from tinytorch.distributions import constraints
from tinytorch.distributions.base import Distribution, sum_last
from tinytorch.tensor import Size


class Independent(Distribution):
    """A distribution whose last dimensions, as many as are said, count as one draw together.

    >>> normal = tinytorch.distributions.Normal(tinytorch.zeros(3), tinytorch.ones(3))
    >>> Independent(normal, 1).log_prob(tinytorch.zeros(3))
    tensor(-2.7568)
    """

    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        self.base_dist = base_distribution
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        shape = base_distribution.batch_shape
        cut = len(shape) - reinterpreted_batch_ndims
        if cut < 0:
            wanted = f"reinterpreted_batch_ndims must be at most {len(shape)}"
            raise ValueError(f"{wanted}, got {reinterpreted_batch_ndims}")
        event_shape = shape[cut:] + base_distribution.event_shape
        super().__init__(shape[:cut], event_shape, validate_args)

    mean = property(lambda self: self.base_dist.mean)
    mode = property(lambda self: self.base_dist.mode)
    variance = property(lambda self: self.base_dist.variance)
    has_rsample = property(lambda self: self.base_dist.has_rsample)

    @property
    def has_enumerate_support(self):
        """Only where nothing counts as one that didn't before."""
        return self.reinterpreted_batch_ndims == 0 and self.base_dist.has_enumerate_support

    @property
    def support(self):
        """That of the base, in all dimensions that count as one."""
        found, dims = self.base_dist.support, self.reinterpreted_batch_ndims
        return constraints.independent(found, dims) if dims else found

    def expand(self, batch_shape):
        """The same with a larger batch_shape."""
        new, event = copy(self), self.event_shape[: self.reinterpreted_batch_ndims]
        new._batch_shape = Size(batch_shape)
        new.base_dist = self.base_dist.expand(new._batch_shape + event)
        return new

    def sample(self, sample_shape=()):
        """A draw without history."""
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=()):
        """A draw that gradients pass."""
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value):
        """The sum of the logarithms over the dimensions that count as one."""
        return sum_last(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self):
        """The sum of the entropies."""
        return sum_last(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def enumerate_support(self, expand=True):
        """All that can be drawn; NotImplementedError where dimensions count as one."""
        if self.reinterpreted_batch_ndims:
            raise self._has_no("enumerate_support()")
        return self.base_dist.enumerate_support(expand)

    def __repr__(self):
        return f"Independent({self.base_dist}, {self.reinterpreted_batch_ndims})"
