"""More distributions of whole numbers: Poisson, Geometric, Binomial, OneHotCategorical."""

from tinytorch.distributions.base import Distribution, together
from tinytorch.distributions.discrete import Bernoulli, Categorical
from tinytorch.grad_mode import no_grad
from tinytorch.nn.embedding import one_hot
from tinytorch.ops.elementwise import log, softplus
from tinytorch.ops.random import poisson, source
from tinytorch.ops.special import lgamma, xlogy
from tinytorch.tensor import wrap


class Poisson(Distribution):
    """How often something happens that happens `rate` times on average."""

    def __init__(self, rate, validate_args=None):
        (self.rate,) = together(rate)
        self._check_positive("rate", self.rate, validate_args)
        self.batch_shape = self.rate.shape

    mean = variance = property(lambda self: self.rate)

    @no_grad()
    def sample(self, sample_shape=()):
        """A draw without history."""
        return poisson(self.rate.expand(self._with_shape(sample_shape)))

    def log_prob(self, value):
        """The logarithm of the probability of `value`."""
        return xlogy(value, self.rate) - self.rate - lgamma(value + 1)


class Geometric(Bernoulli):
    """How often nothing comes before something that comes with probability `probs`."""

    mean = property(lambda self: 1 / self.probs - 1)
    variance = property(lambda self: (1 / self.probs - 1) / self.probs)

    @no_grad()
    def sample(self, sample_shape=()):
        """A draw without history."""
        drawn = source().geometric(self.probs._data, self._with_shape(sample_shape)) - 1
        return wrap(drawn.astype(self.probs.dtype))

    def log_prob(self, value):
        """The logarithm of the probability of `value`."""
        return xlogy(value, 1 - self.probs) + log(self.probs)

    def entropy(self):
        """-E log p, in nats."""
        return super().entropy() / self.probs


class Binomial(Bernoulli):
    """How many of `total_count` draws of a Bernoulli are 1."""

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        super().__init__(probs, logits, validate_args)
        self.total_count, _ = together(total_count, self.probs)

    mean = property(lambda self: self.total_count * self.probs)
    variance = property(lambda self: self.mean * (1 - self.probs))

    @no_grad()
    def sample(self, sample_shape=()):
        """A draw without history."""
        count = self.total_count._data.astype(int)
        drawn = source().binomial(count, self.probs._data, self._with_shape(sample_shape))
        return wrap(drawn.astype(self.probs.dtype))

    def log_prob(self, value):
        """The logarithm of the probability of `value`."""
        n, k = self.total_count, value
        choices = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
        return choices + k * self.logits - n * softplus(self.logits)


class OneHotCategorical(Categorical):
    """Categorical, whose draws (..., C) have a one at the place of the class."""

    mean = property(lambda self: self.probs)

    def sample(self, sample_shape=()):
        """A draw without history."""
        return one_hot(super().sample(sample_shape), self.probs.shape[-1]).type_as(self.probs)

    def log_prob(self, value):
        """The logarithm of the probability of the class at whose place the one is."""
        return super().log_prob(value.argmax(-1))


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """OneHotCategorical, whose draws pass the gradient on to `probs` as if they were these."""

    def rsample(self, sample_shape=()):
        """A draw that gradients pass."""
        return self.sample(sample_shape) + (self.probs - self.probs.detach())
