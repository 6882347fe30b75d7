"""Distributions of what a function makes of draws: TransformedDistribution."""

from copy import copy

from tinytorch.distributions.base import Distribution, sum_last
from tinytorch.distributions.constraints import independent
from tinytorch.distributions.independent import Independent
from tinytorch.distributions.number_transforms import Transform
from tinytorch.distributions.vector_transforms import ComposeTransform
from tinytorch.grad_mode import no_grad
from tinytorch.tensor import Size, Tensor


class TransformedDistribution(Distribution):
    """What the `transforms`, one after the other, make of draws from `base_distribution`.

    >>> from tinytorch.distributions import ExpTransform, Normal
    >>> TransformedDistribution(Normal(0.0, 1.0), ExpTransform()).log_prob(tinytorch.tensor(1.0))
    tensor(-0.9189)
    """

    def __init__(self, base_distribution, transforms, validate_args=None):
        several = isinstance(transforms, (list, tuple))
        self.transforms = list(transforms) if several else [transforms]
        if not all(isinstance(transform, Transform) for transform in self.transforms):
            raise ValueError(f"transforms must be a Transform or a list of them, got {transforms}")
        whole, dims = ComposeTransform(self.transforms), len(base_distribution.event_shape)
        self.base_dist, shape = widened(base_distribution, whole)
        change = whole.codomain.event_dim - whole.domain.event_dim
        cut = len(shape) - max(whole.codomain.event_dim, dims + change)
        super().__init__(shape[:cut], shape[cut:], validate_args)

    def expand(self, batch_shape):
        """The same with a larger batch_shape."""
        new = copy(self)
        new._batch_shape = Size(batch_shape)
        shape = new._with_shape()
        for transform in reversed(self.transforms):
            shape = transform.inverse_shape(shape)
        for name, value in vars(self).items():
            if isinstance(value, Tensor):
                vars(new)[name] = value.expand(new._batch_shape)
        new.base_dist = self.base_dist.expand(shape[: len(shape) - len(self.base_dist.event_shape)])
        return new

    @property
    def support(self):
        """What the last transform gives."""
        if not self.transforms:
            return self.base_dist.support
        found = self.transforms[-1].codomain
        more = len(self.event_shape) - found.event_dim
        return independent(found, more) if more > 0 else found

    has_rsample = property(lambda self: self.base_dist.has_rsample)

    @no_grad()
    def sample(self, sample_shape=()):
        """A draw without history."""
        return self._transformed(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape=()):
        """A draw that gradients pass."""
        return self._transformed(self.base_dist.rsample(sample_shape))

    def _transformed(self, x):
        for transform in self.transforms:
            x = transform(x)
        return x

    def log_prob(self, value):
        """The logarithm of the density at `value`."""
        self._validate_sample(value)
        stretched, dims = 0, len(self.event_shape)
        for transform in reversed(self.transforms):
            x = transform.inv(value)
            dims += transform.domain.event_dim - transform.codomain.event_dim
            found = transform.log_abs_det_jacobian(x, value)
            stretched = stretched + sum_last(found, dims - transform.domain.event_dim)
            value = x
        found = self.base_dist.log_prob(value)
        return sum_last(found, dims - len(self.base_dist.event_shape)) - stretched

    def _rising(self, share):
        """1 - share if the transforms turn the order around."""
        sign = ComposeTransform(self.transforms).sign
        return share if isinstance(sign, int) and sign == 1 else sign * (share - 0.5) + 0.5

    def cdf(self, value):
        """The probability of at most `value`."""
        for transform in reversed(self.transforms):
            value = transform.inv(value)
        return self._rising(self.base_dist.cdf(value))

    def icdf(self, value):
        """The number below which a draw is with the probability `value`."""
        return self._transformed(self.base_dist.icdf(self._rising(value)))


def widened(base, transform):
    """A distribution with the dimensions that a transform wants, and the shape of what it gives."""
    shape, dims = base.batch_shape + base.event_shape, len(base.event_shape)
    wanted = transform.domain.event_dim
    if len(shape) < wanted:
        raise ValueError(f"base_distribution needs {wanted} dimensions, got shape {tuple(shape)}")
    result = transform.forward_shape(shape)
    wider = transform.inverse_shape(result)
    if wider != shape:
        base = base.expand(wider[: len(wider) - dims])
    return (Independent(base, wanted - dims) if wanted > dims else base), result
