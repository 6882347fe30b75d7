"""What parameters and draws must be: a constraint checks a tensor, and says what it asks for."""

import operator

import numpy as np

from tinytorch.defaults import finfo
from tinytorch.tensor import Tensor, wrap


class Constraint:
    """A set of values: `check(value)` says of each, or each vector of them, whether it's inside.

    `event_dim` is the number of dimensions that are checked as one, `is_discrete` whether the
    values are whole numbers. `words` ends the sentence "it must be ...".
    """

    is_discrete, event_dim, words = False, 0, "valid"

    def check(self, value):
        """A tensor of booleans, without the last `event_dim` dimensions of `value`."""
        raise NotImplementedError(f"{type(self).__name__} has no check()")

    def __repr__(self):
        return f"{type(self).__name__}()"


class Real(Constraint):
    """Any number but NaN."""

    words = "numbers, not NaN"

    def check(self, value):
        """Whether it's a number."""
        return value == value


class Boolean(Constraint):
    """0 or 1."""

    is_discrete, words = True, "0 or 1"

    def check(self, value):
        """Whether it's 0 or 1."""
        return (value == 0) | (value == 1)


class Bounded(Constraint):
    """Numbers on one side of a bound, or between two: bounds are numbers or tensors.

    >>> interval(0.0, 1.0).check(tinytorch.tensor([0.5, 2.0]))
    tensor([ True, False])
    """

    above = below = None  # how value and bound are compared

    def __init__(self, *bounds, **named):
        names = ["lower_bound"] * bool(self.above) + ["upper_bound"] * bool(self.below)
        self.__dict__ |= dict(zip(names, bounds, strict=False)) | named
        if list(vars(self)) != names:
            raise TypeError(f"{type(self).__name__} needs {' and '.join(names)}")

    @property
    def words(self):
        """What it asks for, in words."""
        signs = {operator.ge: "at least", operator.gt: "above"}
        signs |= {operator.le: "at most", operator.lt: "below"}
        sides = zip((s for s in (self.above, self.below) if s), vars(self).values(), strict=True)
        kind = "whole numbers " * self.is_discrete
        return kind + " and ".join(f"{signs[sign]} {short(bound)}" for sign, bound in sides)

    def check(self, value):
        """Whether it's on the right side."""
        inside = value % 1 == 0 if self.is_discrete else value == value
        if self.above:
            inside = inside & self.above(value, self.lower_bound)
        return inside & self.below(value, self.upper_bound) if self.below else inside

    def __repr__(self):
        bounds = ", ".join(f"{name}={value}" for name, value in vars(self).items())
        return f"{type(self).__name__}({bounds})"


class GreaterThan(Bounded):
    """Above `lower_bound`."""

    above = operator.gt

    @property
    def words(self):
        """What it asks for, in words."""
        above_zero = not isinstance(self.lower_bound, Tensor) and self.lower_bound == 0
        return "positive" if above_zero else super().words


class GreaterThanEq(Bounded):
    """`lower_bound` or above."""

    above = operator.ge


class LessThan(Bounded):
    """Below `upper_bound`."""

    below = operator.lt


class Interval(Bounded):
    """From `lower_bound` to `upper_bound`."""

    above, below = operator.ge, operator.le

    @property
    def words(self):
        """What it asks for, in words."""
        return f"between {short(self.lower_bound)} and {short(self.upper_bound)}"


class HalfOpenInterval(Bounded):
    """From `lower_bound` to below `upper_bound`."""

    above, below = operator.ge, operator.lt


class IntegerInterval(Interval):
    """Whole numbers from `lower_bound` to `upper_bound`."""

    is_discrete = True

    @property
    def words(self):
        """What it asks for, in words."""
        return f"whole numbers {super().words}"


class IntegerGreaterThan(GreaterThanEq):
    """Whole numbers from `lower_bound` on."""

    is_discrete = True


class IndependentConstraint(Constraint):
    """A constraint that holds if it does in all of the last dimensions, as many as are said."""

    def __init__(self, base_constraint, reinterpreted_batch_ndims):
        self.base_constraint = base_constraint
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    is_discrete = property(lambda self: self.base_constraint.is_discrete)
    words = property(lambda self: self.base_constraint.words)

    @property
    def event_dim(self):
        """The dimensions that are checked as one."""
        return self.base_constraint.event_dim + self.reinterpreted_batch_ndims

    def check(self, value):
        """Whether it holds for all."""
        result = self.base_constraint.check(value)
        if result.dim() < self.reinterpreted_batch_ndims:
            raise ValueError(f"needs {self.event_dim} dimensions or more, got {value.dim()}")
        kept = result.shape[: result.dim() - self.reinterpreted_batch_ndims]
        return result.reshape(*kept, -1).all(-1)

    def __repr__(self):
        inside = f"{self.base_constraint!r}, {self.reinterpreted_batch_ndims}"
        return f"IndependentConstraint({inside})"


class MixtureSameFamilyConstraint(Constraint):
    """A constraint that holds if it does for each component of a mixture."""

    def __init__(self, base_constraint):
        self.base_constraint = base_constraint

    is_discrete = property(lambda self: self.base_constraint.is_discrete)
    event_dim = property(lambda self: self.base_constraint.event_dim)
    words = property(lambda self: self.base_constraint.words)

    def check(self, value):
        """Whether it holds for all."""
        kept = value.shape[: value.dim() - self.event_dim]
        result = self.base_constraint.check(value.unsqueeze(-1 - self.event_dim))
        return result.reshape(*kept, -1).all(-1)

    def __repr__(self):
        return f"MixtureSameFamilyConstraint({self.base_constraint!r})"


class Simplex(Constraint):
    """Vectors of numbers that are not negative and sum to 1."""

    event_dim, words = 1, "at least 0 and sum to 1"

    def check(self, value):
        """Whether it's such a vector."""
        near = max(1e-6, finfo(value.dtype).eps)
        return (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < near)


class OneHot(Constraint):
    """Vectors with a 1 at one place, and zeros."""

    is_discrete, event_dim, words = True, 1, "a 1 among zeros"

    def check(self, value):
        """Whether it's such a vector."""
        return boolean.check(value).all(-1) & (value.sum(-1) == 1)


class MultinomialCounts(Constraint):
    """Vectors of counts that sum to `upper_bound` at most."""

    is_discrete, event_dim = True, 1

    def __init__(self, upper_bound):
        self.upper_bound = upper_bound

    @property
    def words(self):
        """What it asks for, in words."""
        return f"counts that sum to {self.upper_bound} at most"

    def check(self, value):
        """Whether it's such a vector."""
        return (value >= 0).all(-1) & (value.sum(-1) <= self.upper_bound)


class LowerCholesky(Constraint):
    """Lower triangular matrices with positive numbers on the diagonal."""

    event_dim, words = 2, "lower triangular, its diagonal positive"

    def check(self, value):
        """Whether it's such a matrix."""
        triangular = (value.tril() == value).all(-1).all(-1)
        return triangular & (value.diagonal(0, -2, -1) > 0).all(-1)


class PositiveDefinite(Constraint):
    """Symmetric matrices that stretch nothing backwards: those that have a Cholesky factor."""

    event_dim, words = 2, "symmetric and positive definite"

    def check(self, value):
        """Whether it's such a matrix."""
        a = value._data
        symmetric = np.isclose(a, a.swapaxes(-2, -1), atol=1e-6).all((-2, -1))
        smallest = np.linalg.eigvalsh(np.where(np.isfinite(a), a, 0)).min(-1, initial=np.inf)
        return wrap(np.asarray(symmetric & (smallest > 0)))


def short(bound):
    """A bound in a message."""
    return f"{bound._data!s:.30}" if isinstance(bound, Tensor) else f"{bound:g}"


real, boolean, simplex, one_hot = Real(), Boolean(), Simplex(), OneHot()
independent, multinomial = IndependentConstraint, MultinomialCounts
real_vector = independent(real, 1)
greater_than, greater_than_eq, less_than = GreaterThan, GreaterThanEq, LessThan
interval, half_open_interval, integer_interval = Interval, HalfOpenInterval, IntegerInterval
positive, nonnegative, unit_interval = GreaterThan(0.0), GreaterThanEq(0.0), Interval(0.0, 1.0)
nonnegative_integer, positive_integer = IntegerGreaterThan(0), IntegerGreaterThan(1)
lower_cholesky, positive_definite = LowerCholesky(), PositiveDefinite()
