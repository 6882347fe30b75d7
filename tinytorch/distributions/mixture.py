"""MixtureSameFamily: one of several distributions of one kind, chosen by chance."""

from tinytorch.distributions.base import Distribution
from tinytorch.grad_mode import no_grad
from tinytorch.ops.reductions import logsumexp


class MixtureSameFamily(Distribution):
    """Draws of `component_distribution` (..., K), of which a Categorical (...) chooses one.

    >>> from tinytorch.distributions import Categorical, Normal
    >>> choice = Categorical(tinytorch.tensor([0.5, 0.5]))
    >>> parts = Normal(tinytorch.tensor([0.0, 0.0]), tinytorch.tensor([1.0, 1.0]))
    >>> MixtureSameFamily(choice, parts).log_prob(tinytorch.tensor(0.0))
    tensor(-0.9189)
    """

    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        self.mixture_distribution = mixture_distribution
        self.component_distribution = component_distribution
        self.batch_shape = mixture_distribution.batch_shape
        parts = component_distribution
        self.event_dim = len(parts.sample().shape) - len(parts.batch_shape)

    @property
    def mean(self):
        """The mean of the components' means, each as much as its probability."""
        return self._mixed(self.component_distribution.mean)

    @property
    def variance(self):
        """The components' variances, mixed, and how far their means lie apart."""
        means = self.component_distribution.mean
        apart = means - self.mean.unsqueeze(-1 - self.event_dim)
        return self._mixed(self.component_distribution.variance + apart**2)

    def _mixed(self, values):
        p = self.mixture_distribution.probs
        return (values * p.reshape(*p.shape, *[1] * self.event_dim)).sum(-1 - self.event_dim)

    @no_grad()
    def sample(self, sample_shape=()):
        """A draw without history."""
        number = self.mixture_distribution.sample(sample_shape)
        drawn = self.component_distribution.sample(sample_shape)
        dim = -1 - self.event_dim
        index = number.reshape(*number.shape, *[1] * (self.event_dim + 1))
        return drawn.gather(dim, index.expand(*number.shape, 1, *drawn.shape[dim:][1:])).squeeze(
            dim
        )

    def log_prob(self, value):
        """The logarithm of the density at `value`."""
        found = self.component_distribution.log_prob(value.unsqueeze(-1 - self.event_dim))
        return logsumexp(found + self.mixture_distribution.logits, -1)
