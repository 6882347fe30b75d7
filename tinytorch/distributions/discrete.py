"""Distributions of classes: Categorical, OneHotCategorical, and how often each: Multinomial."""

import math

import numpy as np

from tinytorch.defaults import finfo
from tinytorch.distributions import constraints
from tinytorch.distributions.base import Distribution, later, only_one
from tinytorch.distributions.counts import Binomial
from tinytorch.grad_mode import no_grad
from tinytorch.nn.embedding import one_hot
from tinytorch.ops.arranging import broadcast_tensors
from tinytorch.ops.creation import arange, eye, full_like
from tinytorch.ops.elementwise import clamp, exp, log
from tinytorch.ops.random import multinomial, source
from tinytorch.ops.reductions import log_softmax
from tinytorch.ops.special import lgamma
from tinytorch.tensor import Size, wrap


class Categorical(Distribution):
    """One of the classes 0 to C - 1: `probs` (..., C) in proportion, or `logits`, their logarithms.

    ValueError unless one of the two is given, and for what are no proportions.

    >>> Categorical(probs=tinytorch.tensor([1.0, 3.0])).log_prob(tinytorch.tensor(1)).exp()
    tensor(0.7500)
    """

    has_enumerate_support = True
    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}

    def __init__(self, probs=None, logits=None, validate_args=None):
        only_one("Categorical", probs=probs, logits=logits)
        given = logits if probs is None else probs
        if given.dim() < 1:
            raise ValueError("Categorical needs at least one dimension, got a single number")
        if probs is None:
            self.logits = log_softmax(logits, -1)
        else:
            if self._validate_args if validate_args is None else validate_args:
                check_proportions(probs)
            self.probs = probs / probs.sum(-1, keepdim=True)
        super().__init__(given.shape[:-1], validate_args=validate_args)

    @later
    def logits(self):
        """The logarithms of the probabilities."""
        eps = finfo(self.probs.dtype).eps
        return log(clamp(self.probs, eps, 1 - eps))

    @later
    def probs(self):
        """The probabilities, which sum to 1."""
        return exp(self.logits)

    @property
    def param_shape(self):
        """The shape (..., C) of the parameter."""
        return vars(self).get("probs", vars(self).get("logits")).shape

    _count = property(lambda self: self.param_shape[-1])
    support = property(lambda self: constraints.integer_interval(0, self._count - 1))
    mean = variance = property(lambda self: full_like(self.probs[..., 0], math.nan))
    mode = property(lambda self: self.probs.argmax(-1))

    @no_grad()
    def sample(self, sample_shape=()):
        """Classes of the shape sample_shape + batch_shape."""
        shape, rows = Size(sample_shape), self.probs.reshape(-1, self._count)
        drawn = multinomial(rows, shape.numel(), True).T  # (rows, draws) -> (draws, rows)
        return drawn.reshape(self._with_shape(shape))

    def log_prob(self, value):
        """The logarithm of the probability of the classes `value`."""
        self._validate_sample(value)
        value, logits = broadcast_tensors(value.long().unsqueeze(-1), self.logits)
        return logits.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self):
        """-E log p, in nats."""
        smallest = finfo(self.logits.dtype).min
        return -(clamp(self.logits, min=smallest) * self.probs).sum(-1)

    def enumerate_support(self, expand=True):
        """All classes, along a new first dimension."""
        values = arange(self._count).reshape(-1, *[1] * len(self.batch_shape))
        return values.expand(-1, *self.batch_shape) if expand else values


def check_proportions(probs):
    """ValueError for what are no proportions."""
    if not ((probs._data >= 0).all() and (probs._data.sum(-1) > 0).all()):
        wanted = "probs must be at least 0, and not all of them 0"
        raise ValueError(f"{wanted}, got {probs._data!s:.60}")


class OfVectors(Distribution):
    """What is made of a Categorical, with vectors (..., C) as draws."""

    arg_constraints = Categorical.arg_constraints

    def __init__(self, probs=None, logits=None, validate_args=None):
        only_one(type(self).__name__, probs=probs, logits=logits)
        self._categorical = Categorical(probs, logits, validate_args)
        shape = self._categorical.param_shape
        super().__init__(shape[:-1], shape[-1:], validate_args)

    probs = property(lambda self: self._categorical.probs)
    logits = property(lambda self: self._categorical.logits)
    param_shape = property(lambda self: self._categorical.param_shape)


class OneHotCategorical(OfVectors):
    """Categorical, whose draws (..., C) have a one at the place of the class."""

    has_enumerate_support, support = True, constraints.one_hot

    mean = property(lambda self: self.probs)
    mode = property(lambda self: self._one_hot(self.probs.argmax(-1)))
    variance = property(lambda self: self.probs * (1 - self.probs))

    def _one_hot(self, classes):
        return one_hot(classes, self.event_shape[0]).type_as(self.probs)

    @no_grad()
    def sample(self, sample_shape=()):
        """A draw without history."""
        return self._one_hot(self._categorical.sample(sample_shape))

    def log_prob(self, value):
        """The logarithm of the probability of the class at whose place the one is."""
        self._validate_sample(value)
        return self._categorical.log_prob(value.argmax(-1))

    def entropy(self):
        """-E log p, in nats."""
        return self._categorical.entropy()

    def enumerate_support(self, expand=True):
        """All draws, along a new first dimension."""
        count, dims = self.event_shape[0], [1] * len(self.batch_shape)
        values = eye(count).type_as(self.probs).reshape(count, *dims, count)
        return values.expand(count, *self.batch_shape, count) if expand else values


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """OneHotCategorical, whose draws pass the gradient on to `probs` as if they were these."""

    has_rsample = True

    def rsample(self, sample_shape=()):
        """A draw that gradients pass."""
        return self.sample(sample_shape) + (self.probs - self.probs.detach())


class Multinomial(OfVectors):
    """How often each class comes in `total_count` draws of a Categorical.

    >>> Multinomial(2, tinytorch.tensor([0.5, 0.5])).log_prob(tinytorch.tensor([1.0, 1.0])).exp()
    tensor(0.5000)
    """

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        if not isinstance(total_count, int):
            raise NotImplementedError(f"total_count must be an int, got {total_count!r:.40}")
        self.total_count = total_count
        super().__init__(probs, logits, validate_args)

    support = property(lambda self: constraints.multinomial(self.total_count))
    mean = property(lambda self: self.total_count * self.probs)
    variance = property(lambda self: self.total_count * self.probs * (1 - self.probs))

    @no_grad()
    def sample(self, sample_shape=()):
        """A draw without history."""
        shares = self.probs._data.astype(np.float64)
        shares = shares / shares.sum(-1, keepdims=True)
        size = Size(sample_shape) + self.batch_shape
        return wrap(source().multinomial(self.total_count, shares, size).astype(self.probs.dtype))

    def log_prob(self, value):
        """The logarithm of the probability of the counts `value`."""
        self._validate_sample(value)
        never = (value == 0) & self.logits.isinf()
        powers = (self.logits * value).masked_fill(never, 0.0).sum(-1)
        return lgamma(value.sum(-1) + 1) - lgamma(value + 1).sum(-1) + powers

    def entropy(self):
        """-E log p, in nats."""
        counts = Binomial(self.total_count, self.probs, validate_args=False)
        values = counts.enumerate_support(False)[1:]
        extra = (exp(counts.log_prob(values)) * lgamma(values + 1)).sum((0, -1))
        several = self.total_count * self._categorical.entropy()
        return several - math.lgamma(self.total_count + 1) + extra
