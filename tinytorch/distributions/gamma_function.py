"""The incomplete gamma function of arrays, and draws from Gamma that gradients pass."""

import numpy as np

from tinytorch.defaults import finfo
from tinytorch.function import Function, once_differentiable
from tinytorch.node import Rule
from tinytorch.operation import recorded
from tinytorch.ops.elementwise import exp, log
from tinytorch.ops.random import source
from tinytorch.ops.special import lgamma
from tinytorch.ops.special_arrays import digamma_array, lgamma_array
from tinytorch.tensor import wrap

EPS, MOST = np.finfo(np.float64).eps, 10_000  # of the steps of a series


def from_below(a, x):
    """The share below x as a series, which is quick for x < a."""
    term = total = 1 / a
    for n in range(1, MOST):
        term = term * x / (a + n)
        total = total + term
        if not (term > EPS * total).any():
            break
    return total


def from_above(a, x):
    """The share above x as a continued fraction, which is quick for x > a (Lentz's way)."""
    b = x + 1 - a
    c, d = np.full_like(x, np.inf), 1 / b
    total = d
    for n in range(1, MOST):
        b = b + 2
        d, c = 1 / (b + n * (a - n) * d), b + n * (a - n) / c
        total = total * (c * d)
        if not (np.abs(c * d - 1) > 8 * EPS).any():
            break
    return total


def share_below(a, x):
    """P(a, x): the probability that a draw of Gamma(a, 1) is below x; NaN for x below 0."""
    a, x = np.broadcast_arrays(a.astype(np.float64), x.astype(np.float64))
    low, some = x < a + 1, (x > 0) & np.isfinite(x)
    with np.errstate(all="ignore"):
        size = np.exp(a * np.log(x) - x - lgamma_array(a))
        below = size * from_below(a, np.where(low & some, x, 0.5))
        above = 1 - size * from_above(a, np.where(low | ~some, a + 2, x))
    inside = np.where(low, below, above)
    return np.where(some, inside, np.where(x > 0, 1.0, np.where(x == 0, 0.0, np.nan)))


def slope_of_draw(a, x):
    """How a draw x of Gamma(a, 1) moves with a: -(dP/da) / (dP/dx), both by one series."""
    with np.errstate(all="ignore"):
        term, slope = 1 / a, digamma_array(a + 1) - np.log(x)
        total = term * slope
        for n in range(1, MOST):
            term, slope = term * x / (a + n), slope + 1 / (a + n)
            total = total + term * slope
            if not (term * np.abs(slope) > EPS * np.abs(total)).any():
                break
    return x * total


class StandardGamma(Function):
    """A draw of Gamma(concentration, 1) for each number of `concentration`."""

    @staticmethod
    def forward(ctx, concentration):
        """The draws, none of them 0."""
        a, dtype = concentration._data, concentration.dtype
        drawn = np.asarray(source().gamma(a.astype(np.float64)))
        result = wrap(np.maximum(drawn, finfo(dtype).tiny).astype(dtype))
        ctx.save_for_backward(concentration, result)
        return result

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        """How the draws move when the concentration grows, at the same share below them."""
        a, x = (t._data.astype(np.float64) for t in ctx.saved_tensors)
        return grad * wrap(np.asarray(slope_of_draw(a, x)).astype(grad.dtype))


def no_slope(grad, a, x):
    raise NotImplementedError("gammainc() has no gradient for its first argument")


def slope(grad, a, x):
    return grad * exp((a - 1) * log(x) - x - lgamma(a))


GAMMAINC = Rule("SpecialGammaincBackward", (no_slope, slope), (0, 1))


def gammainc(a, x):
    """share_below() of tensors of one shape, with a gradient for x."""
    array = np.asarray(share_below(a._data, x._data), x.dtype)
    return recorded(array, GAMMAINC, (a, x), a, x)
