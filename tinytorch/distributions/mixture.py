"""MixtureSameFamily: one of several distributions of one kind, chosen by chance."""

from copy import copy

from tinytorch.distributions.base import Distribution
from tinytorch.distributions.constraints import MixtureSameFamilyConstraint
from tinytorch.distributions.discrete import Categorical
from tinytorch.grad_mode import no_grad
from tinytorch.ops.arranging import broadcast_shapes
from tinytorch.ops.reductions import logsumexp
from tinytorch.tensor import Size


class MixtureSameFamily(Distribution):
    """Draws of `component_distribution` (..., K), of which a Categorical (...) chooses one.

    ValueError where the two don't have the same K.

    >>> from tinytorch.distributions import Categorical, Normal
    >>> choice = Categorical(tinytorch.tensor([0.5, 0.5]))
    >>> parts = Normal(tinytorch.tensor([0.0, 0.0]), tinytorch.tensor([1.0, 1.0]))
    >>> MixtureSameFamily(choice, parts).log_prob(tinytorch.tensor(0.0))
    tensor(-0.9189)
    """

    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        if not isinstance(mixture_distribution, Categorical):
            kind = type(mixture_distribution).__name__
            raise ValueError(f"mixture_distribution must be a Categorical, got {kind}")
        self.mixture_distribution = mixture_distribution
        self.component_distribution = component_distribution
        shape, count = component_distribution.batch_shape, mixture_distribution.param_shape[-1]
        if shape[-1:] != (count,):
            raise ValueError(f"{count} probabilities don't fit components of shape {tuple(shape)}")
        batch = broadcast_shapes(mixture_distribution.batch_shape, shape[:-1])
        super().__init__(batch, component_distribution.event_shape, validate_args)

    def expand(self, batch_shape):
        """The same with a larger batch_shape."""
        new = copy(self)
        new._batch_shape = Size(batch_shape)
        new.mixture_distribution, new.component_distribution = self._expanded(new._batch_shape)
        return new

    def _expanded(self, shape):
        """Both distributions with that batch_shape, the components with K behind it."""
        components = shape + self.mixture_distribution.param_shape[-1:]
        choice = self.mixture_distribution.expand(shape)
        return choice, self.component_distribution.expand(components)

    @property
    def support(self):
        """That of the components."""
        return MixtureSameFamilyConstraint(self.component_distribution.support)

    @property
    def mean(self):
        """The mean of the components' means, each as much as its probability."""
        return self._mixed(self.component_distribution.mean)

    @property
    def variance(self):
        """The components' variances, mixed, and how far their means lie apart."""
        means = self.component_distribution.mean
        apart = means - self.mean.unsqueeze(-1 - len(self.event_shape))
        return self._mixed(self.component_distribution.variance + apart**2)

    def _mixed(self, values):
        p, dims = self.mixture_distribution.probs, len(self.event_shape)
        return (values * p.reshape(*p.shape, *[1] * dims)).sum(-1 - dims)

    @no_grad()
    def sample(self, sample_shape=()):
        """A draw without history."""
        choice, components = self._expanded(self.batch_shape)
        number, drawn = choice.sample(sample_shape), components.sample(sample_shape)
        index = number.reshape(*number.shape, *[1] * (len(self.event_shape) + 1))
        dim = -1 - len(self.event_shape)
        index = index.expand(*number.shape, 1, *self.event_shape)
        return drawn.gather(dim, index).squeeze(dim)

    def log_prob(self, value):
        """The logarithm of the density at `value`."""
        self._validate_sample(value)
        value = value.unsqueeze(-1 - len(self.event_shape))
        found = self.component_distribution.log_prob(value)
        return logsumexp(found + self.mixture_distribution.logits, -1)

    def cdf(self, value):
        """The probability of less than `value`."""
        found = self.component_distribution.cdf(value.unsqueeze(-1 - len(self.event_shape)))
        return (found * self.mixture_distribution.probs).sum(-1)

    def __repr__(self):
        parts = f"{self.mixture_distribution},\n  {self.component_distribution}"
        return f"MixtureSameFamily(\n  {parts})"
