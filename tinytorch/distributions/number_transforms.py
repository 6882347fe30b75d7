"""Functions with an inverse, and how much they stretch: what TransformedDistribution is made of."""

import math
from copy import copy

from tinytorch.defaults import finfo
from tinytorch.distributions import constraints
from tinytorch.distributions.base import sum_last, together
from tinytorch.ops.arranging import broadcast_shapes
from tinytorch.ops.elementwise import abs, clamp, exp, expm1, log, log1p, sigmoid, softplus, tanh
from tinytorch.tensor import Tensor


class Transform:
    """A function with an inverse: called, it computes; `inv(y)` goes back.

    `log_abs_det_jacobian(x, y)` is the logarithm of how much it stretches. `sign` is 1 where it
    rises, -1 where it falls; `domain` and `codomain` are constraints. One of your own defines
    `_call(x)` and `_inverse(y)`. With `cache_size=1` the way back of the result computed last
    is what it came from, even where it can't be computed, as for tanh(x) = 1.

    >>> ExpTransform().inv(tinytorch.tensor(1.0))
    tensor(0.)
    """

    bijective = False
    domain = codomain = constraints.real

    def __init__(self, cache_size=0):
        if cache_size not in (0, 1):
            raise ValueError(f"cache_size must be 0 or 1, got {cache_size}")
        self._cache_size, self._known = cache_size, (None, None)

    def __call__(self, x):
        if self._cache_size == 0:
            return self._call(x)
        if x is not self._known[0]:
            self._known = x, self._call(x)
        return self._known[1]

    def _inv_call(self, y):
        return self._known[0] if y is self._known[1] and y is not None else self._inverse(y)

    def _call(self, x):
        raise NotImplementedError(f"{type(self).__name__} has no _call()")

    def _inverse(self, y):
        raise NotImplementedError(f"{type(self).__name__} has no _inverse()")

    @property
    def inv(self):
        """The transform that goes back."""
        return InverseTransform(self)

    @property
    def sign(self):
        """1 where it rises, -1 where it falls; NotImplementedError where it does both."""
        raise NotImplementedError(f"{type(self).__name__} has no sign")

    @property
    def event_dim(self):
        """The number of dimensions that count as one; ValueError if it changes them."""
        if self.domain.event_dim != self.codomain.event_dim:
            raise ValueError("event_dim changes: ask domain.event_dim or codomain.event_dim")
        return self.domain.event_dim

    def log_abs_det_jacobian(self, x, y):
        """log |dy/dx|."""
        raise NotImplementedError(f"{type(self).__name__} has no log_abs_det_jacobian()")

    def forward_shape(self, shape):
        """The shape of y, from that of x."""
        return shape

    def inverse_shape(self, shape):
        """The shape of x, from that of y."""
        return shape

    def with_cache(self, cache_size=1):
        """The same with this cache_size."""
        new = copy(self)
        Transform.__init__(new, cache_size)
        return new

    def __eq__(self, other):
        if type(self) is not type(other):
            return False
        own = [name for name in vars(self) if name not in ("_cache_size", "_known")]
        return all(same_setting(getattr(self, name), getattr(other, name)) for name in own)

    __hash__ = object.__hash__

    def __repr__(self):
        return f"{type(self).__name__}()"


def same_setting(a, b):
    """Whether two settings are equal: tensors, numbers, other transforms or lists of them."""
    same = a == b
    return bool(same.all()) if isinstance(same, Tensor) else bool(same)


class InverseTransform(Transform):
    """Another transform, backwards."""

    def __init__(self, transform):
        super().__init__()
        self.inv = transform

    inv = None
    domain = property(lambda self: self.inv.codomain)
    codomain = property(lambda self: self.inv.domain)
    bijective = property(lambda self: self.inv.bijective)
    sign = property(lambda self: self.inv.sign)

    def _call(self, y):
        return self.inv._inv_call(y)

    def _inverse(self, x):
        return self.inv(x)

    def log_abs_det_jacobian(self, x, y):
        """That of the other one, negative."""
        return -self.inv.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape):
        """The shape of y, from that of x."""
        return self.inv.inverse_shape(shape)

    def inverse_shape(self, shape):
        """The shape of x, from that of y."""
        return self.inv.forward_shape(shape)

    def __repr__(self):
        return f"InverseTransform({self.inv!r})"


class AffineTransform(Transform):
    """loc + scale * x; `event_dim` is the number of dimensions that count as one."""

    bijective = True

    def __init__(self, loc, scale, event_dim=0, cache_size=0):
        super().__init__(cache_size)
        self.loc, self.scale, self._event_dim = loc, scale, event_dim

    @property
    def domain(self):
        """Numbers, as many together as event_dim says."""
        numbers = constraints.real
        return constraints.independent(numbers, self._event_dim) if self._event_dim else numbers

    codomain = domain

    @property
    def sign(self):
        """1 where it rises, -1 where it falls."""
        return sign_of(self.scale)

    def _call(self, x):
        return self.loc + self.scale * x

    def _inverse(self, y):
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x, y):
        """log |scale|."""
        return sum_last(log(abs(x.detach() * 0 + self.scale)), self._event_dim)

    def forward_shape(self, shape):
        """The shape of y, from that of x."""
        return broadcast_shapes(shape, *(shape_of(x) for x in (self.loc, self.scale)))

    inverse_shape = forward_shape


class ExpTransform(Transform):
    """exp(x)."""

    bijective, sign, codomain = True, 1, constraints.positive
    _call, _inverse = staticmethod(exp), staticmethod(log)

    def log_abs_det_jacobian(self, x, y):
        """x itself."""
        return x


class PowerTransform(Transform):
    """x to the power of `exponent`, for positive numbers."""

    bijective, domain, codomain = True, constraints.positive, constraints.positive

    def __init__(self, exponent, cache_size=0):
        super().__init__(cache_size)
        (self.exponent,) = together(exponent)

    @property
    def sign(self):
        """1 where it rises, -1 where it falls."""
        return sign_of(self.exponent)

    def _call(self, x):
        return x**self.exponent

    def _inverse(self, y):
        return y ** (1 / self.exponent)

    def log_abs_det_jacobian(self, x, y):
        """log |exponent y / x|."""
        return log(abs(self.exponent * y / x))

    def forward_shape(self, shape):
        """The shape of y, from that of x."""
        return broadcast_shapes(shape, self.exponent.shape)

    inverse_shape = forward_shape


class SigmoidTransform(Transform):
    """sigmoid(x), kept from being 0 or 1."""

    bijective, sign, codomain = True, 1, constraints.unit_interval

    def _call(self, x):
        return off_the_ends(sigmoid(x))

    def _inverse(self, y):
        y = off_the_ends(y)
        return log(y) - log1p(-y)

    def log_abs_det_jacobian(self, x, y):
        """log(y (1 - y)), without overflow."""
        return -softplus(-x) - softplus(x)


class SoftplusTransform(Transform):
    """log(1 + exp(x))."""

    bijective, sign, codomain = True, 1, constraints.positive
    _call = staticmethod(softplus)

    def _inverse(self, y):
        return log(-expm1(-y)) + y

    def log_abs_det_jacobian(self, x, y):
        """log(sigmoid(x))."""
        return -softplus(-x)


class TanhTransform(Transform):
    """tanh(x)."""

    bijective, sign, codomain = True, 1, constraints.interval(-1.0, 1.0)
    _call = staticmethod(tanh)

    def _inverse(self, y):
        return y.atanh()

    def log_abs_det_jacobian(self, x, y):
        """log(1 - y^2), without overflow."""
        return 2 * (math.log(2) - x - softplus(-2 * x))


class AbsTransform(Transform):
    """|x|, whose way back is the number itself."""

    codomain = constraints.positive
    _call = staticmethod(abs)

    def _inverse(self, y):
        return y


def sign_of(number):
    if isinstance(number, Tensor):
        return number.sign()
    return (number > 0) - (number < 0)


def shape_of(number):
    return getattr(number, "shape", ())


def off_the_ends(shares):
    """Numbers between 0 and 1, kept from both."""
    limits = finfo(shares.dtype)
    return clamp(shares, limits.tiny, 1 - limits.eps)
