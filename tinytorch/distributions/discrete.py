"""Distributions of whole numbers: Categorical and Bernoulli."""

from tinytorch.defaults import finfo
from tinytorch.distributions.base import Distribution, only_one, together
from tinytorch.grad_mode import no_grad
from tinytorch.nn.losses import binary_cross_entropy_with_logits
from tinytorch.ops.elementwise import clamp, exp, log, log1p, sigmoid, softplus
from tinytorch.ops.random import multinomial, rand
from tinytorch.ops.reductions import log_softmax
from tinytorch.tensor import Size


class Categorical(Distribution):
    """One of the classes 0 to C - 1: `probs` (..., C) in proportion, or `logits`, their logarithms.

    ValueError unless one of the two is given, and for what are no proportions.

    >>> Categorical(probs=tinytorch.tensor([1.0, 3.0])).log_prob(tinytorch.tensor(1)).exp()
    tensor(0.7500)
    """

    def __init__(self, probs=None, logits=None, validate_args=None):
        only_one("Categorical", probs=probs, logits=logits)
        if probs is not None:
            some = (probs._data >= 0).all() and (probs._data.sum(-1) > 0).all()
            wanted = "probs must be at least 0, and not all of them 0"
            self._check(some, wanted, probs, validate_args)
            probs = probs / probs.sum(-1, keepdim=True)
            eps = finfo(probs.dtype).eps
            self.probs, self.logits = probs, log(clamp(probs, eps, 1 - eps))
        else:
            self.logits = log_softmax(logits, -1)
            self.probs = exp(self.logits)
        self.batch_shape = self.logits.shape[:-1]

    @no_grad()
    def sample(self, sample_shape=()):
        """Classes of the shape sample_shape + batch_shape."""
        shape, rows = Size(sample_shape), self.probs.reshape(-1, self.probs.shape[-1])
        drawn = multinomial(rows, shape.numel(), True).T  # (rows, draws) -> (draws, rows)
        return drawn.reshape(self._with_shape(shape))

    def log_prob(self, value):
        """The logarithm of the probability of the classes `value`."""
        value = value.long().unsqueeze(-1)
        shape = (self.logits[..., :1] + value).shape[:-1]  # both broadcast
        logits = self.logits.expand(*shape, self.logits.shape[-1])
        return logits.gather(-1, value.expand(*shape, 1)).squeeze(-1)

    def entropy(self):
        """-E log p, in nats."""
        smallest = finfo(self.logits.dtype).min
        return -(clamp(self.logits, min=smallest) * self.probs).sum(-1)


class Bernoulli(Distribution):
    """1 with probability `probs`, else 0; `logits` are log(p / (1 - p)).

    ValueError unless one of the two is given, and for what is no probability.

    >>> Bernoulli(0.5).entropy()
    tensor(0.6931)
    """

    def __init__(self, probs=None, logits=None, validate_args=None):
        only_one("Bernoulli", probs=probs, logits=logits)
        if probs is not None:
            (self.probs,) = together(probs)
            shares = (self.probs._data >= 0) & (self.probs._data <= 1)
            wanted = "probs must be between 0 and 1"
            self._check(shares.all(), wanted, self.probs, validate_args)
            eps = finfo(self.probs.dtype).eps
            inside = clamp(self.probs, eps, 1 - eps)
            self.logits = log(inside) - log1p(-inside)
        else:
            (self.logits,) = together(logits)
            self.probs = sigmoid(self.logits)
        self.batch_shape = self.logits.shape

    mean = property(lambda self: self.probs)
    variance = property(lambda self: self.probs * (1 - self.probs))

    @no_grad()
    def sample(self, sample_shape=()):
        """Ones and zeros, as floats."""
        noise = rand(self._with_shape(sample_shape), dtype=self.probs.dtype)
        return (noise < self.probs).type_as(self.probs)

    def log_prob(self, value):
        """The logarithm of the probability of `value`, 0 or 1."""
        logits, value = together(self.logits, value)
        return -binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self):
        """-E log p, in nats."""
        return softplus(self.logits) - self.probs * self.logits
