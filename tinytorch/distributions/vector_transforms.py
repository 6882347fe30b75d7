"""Transforms of vectors, and of several transforms one."""

from tinytorch.defaults import finfo
from tinytorch.distributions import constraints
from tinytorch.distributions.base import sum_last
from tinytorch.distributions.number_transforms import Transform, off_the_ends
from tinytorch.nn.rare_activations import logsigmoid
from tinytorch.ops.creation import arange, zeros_like
from tinytorch.ops.elementwise import clamp, log, sigmoid
from tinytorch.ops.joining import pad
from tinytorch.ops.reductions import softmax


class ComposeTransform(Transform):
    """Several transforms, one after the other.

    >>> from tinytorch.distributions import AffineTransform, ExpTransform
    >>> ComposeTransform([AffineTransform(0.0, 2.0), ExpTransform()])(tinytorch.tensor(0.0))
    tensor(1.)
    """

    def __init__(self, parts, cache_size=0):
        super().__init__()
        self.parts = [part.with_cache() for part in parts] if cache_size else list(parts)

    bijective = property(lambda self: all(part.bijective for part in self.parts))

    @property
    def domain(self):
        """That of the first, with as many dimensions as the widest of them needs."""
        dims = self.parts[-1].codomain.event_dim if self.parts else 0
        for part in reversed(self.parts):
            dims = max(dims - part.codomain.event_dim, 0) + part.domain.event_dim
        return on_dims(self.parts[0].domain if self.parts else constraints.real, dims)

    @property
    def codomain(self):
        """That of the last, with as many dimensions as the widest of them needs."""
        dims = self.parts[0].domain.event_dim if self.parts else 0
        for part in self.parts:
            dims = max(dims - part.domain.event_dim, 0) + part.codomain.event_dim
        return on_dims(self.parts[-1].codomain if self.parts else constraints.real, dims)

    @property
    def sign(self):
        """1 where it rises, -1 where it falls."""
        sign = 1
        for part in self.parts:
            sign = sign * part.sign
        return sign

    @property
    def inv(self):
        """The transform that goes back."""
        return ComposeTransform([part.inv for part in reversed(self.parts)])

    def _call(self, x):
        for part in self.parts:
            x = part(x)
        return x

    def _inverse(self, y):
        return self.inv(y)

    def log_abs_det_jacobian(self, x, y):
        """The sum of theirs."""
        if not self.parts:
            return zeros_like(x)
        total, dims = 0, self.domain.event_dim
        for number, part in enumerate(self.parts, 1):
            result = y if number == len(self.parts) else part(x)
            stretched = part.log_abs_det_jacobian(x, result)
            total = total + sum_last(stretched, dims - part.domain.event_dim)
            dims += part.codomain.event_dim - part.domain.event_dim
            x = result
        return total

    def forward_shape(self, shape):
        """The shape of y, from that of x."""
        for part in self.parts:
            shape = part.forward_shape(shape)
        return shape

    def inverse_shape(self, shape):
        """The shape of x, from that of y."""
        for part in reversed(self.parts):
            shape = part.inverse_shape(shape)
        return shape

    def __repr__(self):
        parts = ",\n    ".join(map(repr, self.parts))
        return f"ComposeTransform(\n    {parts}\n)"


def on_dims(constraint, dims):
    """A constraint on so many dimensions together."""
    more = dims - constraint.event_dim
    return constraints.independent(constraint, more) if more > 0 else constraint


class SoftmaxTransform(Transform):
    """softmax over the last dimension, whose way back is log: it's not bijective."""

    domain, codomain = constraints.real_vector, constraints.simplex

    def _call(self, x):
        return softmax(x, -1)

    def _inverse(self, y):
        return log(y)


class StickBreakingTransform(Transform):
    """Vectors of K - 1 numbers to K shares: each number says how much of what's left is taken.

    >>> StickBreakingTransform()(tinytorch.zeros(2))
    tensor([0.3333, 0.3333, 0.3333])
    """

    bijective, domain, codomain = True, constraints.real_vector, constraints.simplex

    def _call(self, x):
        z = off_the_ends(sigmoid(x - log(left(x))))
        return pad(z, (0, 1), value=1) * pad((1 - z).cumprod(-1), (1, 0), value=1)

    def _inverse(self, y):
        y = y[..., :-1]
        rest = clamp(1 - y.cumsum(-1), min=finfo(y.dtype).tiny)
        return log(y) - log(rest) + log(left(y))

    def log_abs_det_jacobian(self, x, y):
        """The sum over the shares."""
        x = x - log(left(x))
        return (-x + logsigmoid(x) + log(y[..., :-1])).sum(-1)

    def forward_shape(self, shape):
        """The shape of y, from that of x."""
        return shape[:-1] + (shape[-1] + 1,)

    def inverse_shape(self, shape):
        """The shape of x, from that of y."""
        return shape[:-1] + (shape[-1] - 1,)


def left(x):
    """How many shares are still to be taken: K - 1, K - 2, ... 1."""
    return arange(x.shape[-1], 0, -1).type_as(x)
