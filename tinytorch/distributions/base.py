"""Distribution: what all of them share, and checks of their parameters and values."""

import warnings
from copy import copy

from tinytorch.grad_mode import enable_grad, no_grad
from tinytorch.ops.arranging import broadcast_shapes
from tinytorch.ops.creation import as_tensor
from tinytorch.ops.elementwise import exp
from tinytorch.tensor import Size, Tensor


def together(*values):
    """All as tensors of one shape; numbers get the dtype of the first tensor of floats."""
    for value in values:
        if not isinstance(value, (int, float, Tensor)) and not hasattr(value, "__float__"):
            raise ValueError(f"a parameter must be a number or tensor, got {type(value).__name__}")
    dtypes = [x.dtype for x in values if isinstance(x, Tensor) and x.is_floating_point()]
    dtype = dtypes[0] if dtypes else None
    tensors = [x if isinstance(x, Tensor) else as_tensor(float(x), dtype=dtype) for x in values]
    shape = broadcast_shapes(*(x.shape for x in tensors))
    return [x.expand(shape) for x in tensors]


def only_one(name, **given):
    """ValueError unless exactly one of several parameters is given."""
    if sum(value is not None for value in given.values()) != 1:
        raise ValueError(f"{name} needs either {' or '.join(given)}")


def sum_last(values, dims):
    """The sum over so many of the last dimensions."""
    return values.sum(tuple(range(-dims, 0))) if dims else values


class later:
    """A parameter that is computed from another one when it's first asked for, and then kept."""

    def __init__(self, function):
        self.function, self.name = function, function.__name__
        self.__doc__ = function.__doc__

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        with enable_grad():
            value = vars(instance)[self.name] = self.function(instance)
        return value


class Distribution:
    """The base: `batch_shape` is the shape of the parameters, and so of one draw.

    Where a draw is a vector, as in Dirichlet, `event_shape` is its shape, which comes after that.

    `rsample` draws so that gradients reach the parameters, where the distribution can:
    `has_rsample`. `arg_constraints` says what parameters must be, `support` what can be drawn.
    ValueError for others, unless `validate_args` is False.

    >>> tinytorch.distributions.Exponential(2.0).support
    GreaterThanEq(lower_bound=0.0)
    """

    has_rsample = has_enumerate_support = False
    arg_constraints = {}
    support = None
    _shared = ()  # parameters that don't have the batch_shape
    _validate_args = True

    def __init__(self, batch_shape=(), event_shape=(), validate_args=None):
        self._batch_shape, self._event_shape = Size(batch_shape), Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            for name, constraint in self.arg_constraints.items():
                if not isinstance(getattr(type(self), name, None), later) or name in vars(self):
                    check(name, constraint, getattr(self, name))

    batch_shape = property(lambda self: self._batch_shape)
    event_shape = property(lambda self: self._event_shape)

    @staticmethod
    def set_default_validate_args(value):
        """Say whether parameters are checked where a distribution gets no `validate_args`."""
        Distribution._validate_args = bool(value)

    def _validate_sample(self, value):
        """ValueError for a value that can't be drawn, or doesn't broadcast with the shapes."""
        if not self._validate_args:
            return
        if not isinstance(value, Tensor):
            raise ValueError(f"the value must be a Tensor, got {type(value).__name__}")
        shape, event = self._batch_shape + self._event_shape, len(self._event_shape)
        pairs = zip(reversed(value.shape), reversed(shape), strict=False)
        fits = all(1 in pair or pair[0] == pair[1] for pair in pairs)
        if not fits or value.shape[value.dim() - event :] != self._event_shape:
            wanted = f"batch_shape + event_shape, {tuple(shape)}"
            raise ValueError(f"a value of shape {tuple(value.shape)} doesn't fit {wanted}")
        if self.support is not None:
            check(f"a value of {type(self).__name__}", self.support, value)

    def expand(self, batch_shape):
        """The same with a larger batch_shape, its parameters expanded as by Tensor.expand()."""
        batch_shape = Size(batch_shape)
        new = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, Tensor) and name not in self._shared:
                value = value.expand(batch_shape + value.shape[len(self._batch_shape) :])
            elif isinstance(value, Distribution):
                value = value.expand(batch_shape)
            vars(new)[name] = value
        new._batch_shape = batch_shape
        return new

    def _with_shape(self, sample_shape=()):
        return Size(sample_shape) + self._batch_shape + self._event_shape

    _extended_shape = _with_shape

    @no_grad()
    def sample(self, sample_shape=()):
        """A draw without history."""
        return self.rsample(sample_shape)

    def sample_n(self, n):
        """n draws without history; sample((n,)) is the newer way."""
        warnings.warn("sample_n(n) is old: use sample((n,))", FutureWarning, stacklevel=2)
        return self.sample((n,))

    def _has_no(self, what):
        return NotImplementedError(f"{type(self).__name__} has no {what}")

    def rsample(self, sample_shape=()):
        """A draw that gradients pass; NotImplementedError where there is none."""
        raise self._has_no("rsample(); use sample()")

    def log_prob(self, value):
        """The logarithm of the probability, or density, of `value`."""
        raise self._has_no("log_prob()")

    def cdf(self, value):
        """The probability of at most `value`."""
        raise self._has_no("cdf()")

    def icdf(self, value):
        """The number below which a draw is with the probability `value`."""
        raise self._has_no("icdf()")

    def enumerate_support(self, expand=True):
        """All that can be drawn, along a new first dimension."""
        raise self._has_no("enumerate_support()")

    def entropy(self):
        """-E log p, in nats."""
        raise self._has_no("entropy()")

    def perplexity(self):
        """exp(entropy()): among how many equally likely values one might as well choose."""
        return exp(self.entropy())

    @property
    def mean(self):
        """What draws are on average."""
        raise self._has_no("mean")

    @property
    def mode(self):
        """The most probable value."""
        raise self._has_no("mode")

    @property
    def variance(self):
        """How far draws are from the mean, squared, on average."""
        raise self._has_no("variance")

    stddev = property(lambda self: self.variance.sqrt())

    def __repr__(self):
        names = [name for name in self.arg_constraints if name in vars(self)]
        values = [(name, vars(self)[name]) for name in names]
        shown = [f"{name}: {x if x.numel() == 1 else x.shape}" for name, x in values]
        return f"{type(self).__name__}({', '.join(shown)})"


def check(what, constraint, value):
    """ValueError for a tensor that doesn't satisfy a constraint."""
    if not constraint.check(value.detach()).all():
        raise ValueError(f"{what} must be {constraint.words}, got {value._data!s:.60}")
