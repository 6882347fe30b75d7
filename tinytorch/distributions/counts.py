"""Distributions of whole numbers: Bernoulli, Binomial, Geometric, NegativeBinomial, Poisson."""

import math

from tinytorch.defaults import finfo
from tinytorch.distributions import constraints
from tinytorch.distributions.base import Distribution, check, later, only_one, together
from tinytorch.distributions.gammas import Gamma
from tinytorch.grad_mode import no_grad
from tinytorch.nn.losses import binary_cross_entropy_with_logits
from tinytorch.nn.rare_activations import logsigmoid
from tinytorch.ops.creation import arange, zeros_like
from tinytorch.ops.elementwise import clamp, exp, floor, log, log1p, sigmoid, softplus
from tinytorch.ops.random import poisson, rand, source
from tinytorch.ops.rare import xlog1py
from tinytorch.ops.special import lgamma, xlogy
from tinytorch.tensor import wrap


class WithProbability(Distribution):
    """What has a probability `probs`, or `logits`: log(p / (1 - p)).

    ValueError unless one of the two is given, and for what is no probability.
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}

    def __init__(self, probs=None, logits=None, validate_args=None):
        only_one(type(self).__name__, probs=probs, logits=logits)
        name, given = ("logits", logits) if probs is None else ("probs", probs)
        (value,) = together(given)
        vars(self)[name] = value
        super().__init__(value.shape, validate_args=validate_args)

    @later
    def logits(self):
        """log(p / (1 - p)), kept from infinity."""
        eps = finfo(self.probs.dtype).eps
        inside = clamp(self.probs, eps, 1 - eps)
        return log(inside) - log1p(-inside)

    @later
    def probs(self):
        """The probability."""
        return sigmoid(self.logits)

    @property
    def param_shape(self):
        """The shape of the parameter."""
        return vars(self).get("probs", vars(self).get("logits")).shape


class Bernoulli(WithProbability):
    """1 with probability `probs`, else 0; `logits` are log(p / (1 - p)).

    ValueError unless one of the two is given, and for what is no probability.

    >>> Bernoulli(0.5).entropy()
    tensor(0.6931)
    """

    has_enumerate_support, support = True, constraints.boolean

    mean = property(lambda self: self.probs)
    variance = property(lambda self: self.probs * (1 - self.probs))

    @property
    def mode(self):
        """The more probable value; NaN where both are equally so."""
        return (self.probs > 0.5).type_as(self.probs).masked_fill(self.probs == 0.5, math.nan)

    @no_grad()
    def sample(self, sample_shape=()):
        """Ones and zeros, as floats."""
        noise = rand(self._with_shape(sample_shape), dtype=self.probs.dtype)
        return (noise < self.probs).type_as(self.probs)

    def log_prob(self, value):
        """The logarithm of the probability of `value`, 0 or 1."""
        self._validate_sample(value)
        logits, value = together(self.logits, value)
        return -binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self):
        """-E log p, in nats."""
        return softplus(self.logits) - self.probs * self.logits

    def enumerate_support(self, expand=True):
        """0 and 1, along a new first dimension."""
        return up_to(self, 2, expand)


def up_to(distribution, end, expand):
    """0 to end - 1 along a new first dimension before those of a distribution."""
    shape = distribution.batch_shape
    values = arange(end).type_as(distribution.probs).reshape(-1, *[1] * len(shape))
    return values.expand(-1, *shape) if expand else values


class WithTotal(WithProbability):
    """What has a `total_count` besides, which broadcasts with the probability."""

    def __init__(self, total_count, probs, logits, validate_args):
        only_one(type(self).__name__, probs=probs, logits=logits)
        given = logits if probs is None else probs
        self.total_count, given = together(total_count, given)
        self.total_count = self.total_count.type_as(given)
        both = {"probs" if logits is None else "logits": given}
        super().__init__(**both, validate_args=validate_args)


class Binomial(WithTotal):
    """How many of `total_count` draws of a Bernoulli are 1."""

    has_enumerate_support = True
    arg_constraints = {
        "total_count": constraints.nonnegative_integer,
        **WithProbability.arg_constraints,
    }

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        super().__init__(total_count, probs, logits, validate_args)

    support = property(lambda self: constraints.integer_interval(0, self.total_count))
    mean = property(lambda self: self.total_count * self.probs)
    variance = property(lambda self: self.mean * (1 - self.probs))

    @property
    def mode(self):
        """The most probable count."""
        return floor((self.total_count + 1) * self.probs).minimum(self.total_count)

    @no_grad()
    def sample(self, sample_shape=()):
        """A draw without history."""
        count = self.total_count._data.astype(int)
        drawn = source().binomial(count, self.probs._data, self._with_shape(sample_shape))
        return wrap(drawn.astype(self.probs.dtype))

    def log_prob(self, value):
        """The logarithm of the probability of `value`."""
        self._validate_sample(value)
        n, k = self.total_count, value
        choices = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
        return choices + k * self.logits - n * softplus(self.logits)

    def entropy(self):
        """-E log p, in nats, as a sum over all counts."""
        found = self.log_prob(self.enumerate_support(False))
        return -(exp(found) * found).sum(0)

    def enumerate_support(self, expand=True):
        """0 to total_count; NotImplementedError unless that is the same everywhere."""
        last = int(self.total_count.max())
        if last != self.total_count.min():
            raise NotImplementedError("Binomial needs one total_count to enumerate its support")
        return up_to(self, last + 1, expand)


class NegativeBinomial(WithTotal):
    """How many ones of a Bernoulli come before the zero number `total_count`.

    >>> NegativeBinomial(2.0, 0.5).mean
    tensor(2.)
    """

    support = constraints.nonnegative_integer
    arg_constraints = {
        "total_count": constraints.greater_than_eq(0),
        "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }

    def __init__(self, total_count, probs=None, logits=None, validate_args=None):
        super().__init__(total_count, probs, logits, validate_args)

    mean = property(lambda self: self.total_count * exp(self.logits))
    mode = property(lambda self: clamp(floor((self.total_count - 1) * exp(self.logits)), min=0))
    variance = property(lambda self: self.mean / sigmoid(-self.logits))

    @no_grad()
    def sample(self, sample_shape=()):
        """A draw without history."""
        rate = Gamma(self.total_count, exp(-self.logits), False).sample(sample_shape)
        return poisson(rate)

    def log_prob(self, value):
        """The logarithm of the probability of `value`."""
        self._validate_sample(value)
        n, k = self.total_count, value
        ways = lgamma(n + k) - lgamma(1 + k) - lgamma(n)
        powers = n * logsigmoid(-self.logits) + k * logsigmoid(self.logits)
        return powers + ways.masked_fill(n + k == 0, 0.0)


class Geometric(WithProbability):
    """How often nothing comes before something that comes with probability `probs`."""

    support = constraints.nonnegative_integer

    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(probs, logits, validate_args)
        if self._validate_args and probs is not None:
            check("probs", constraints.greater_than(0), self.probs)

    mean = property(lambda self: 1 / self.probs - 1)
    mode = property(lambda self: zeros_like(self.probs))
    variance = property(lambda self: (1 / self.probs - 1) / self.probs)

    @no_grad()
    def sample(self, sample_shape=()):
        """A draw without history."""
        drawn = source().geometric(self.probs._data, self._with_shape(sample_shape)) - 1
        return wrap(drawn.astype(self.probs.dtype))

    def log_prob(self, value):
        """The logarithm of the probability of `value`."""
        self._validate_sample(value)
        return xlog1py(value, -self.probs) + log(self.probs)

    def entropy(self):
        """-E log p, in nats."""
        return (softplus(self.logits) - self.probs * self.logits) / self.probs


class Poisson(Distribution):
    """How often something happens that happens `rate` times on average."""

    support = constraints.nonnegative_integer
    arg_constraints = {"rate": constraints.nonnegative}

    def __init__(self, rate, validate_args=None):
        (self.rate,) = together(rate)
        super().__init__(self.rate.shape, validate_args=validate_args)

    mean = variance = property(lambda self: self.rate)
    mode = property(lambda self: floor(self.rate))

    @no_grad()
    def sample(self, sample_shape=()):
        """A draw without history."""
        return poisson(self.rate.expand(self._with_shape(sample_shape)))

    def log_prob(self, value):
        """The logarithm of the probability of `value`."""
        self._validate_sample(value)
        return xlogy(value, self.rate) - self.rate - lgamma(value + 1)
