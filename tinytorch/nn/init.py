"""The values that parameters start with. Each function fills a tensor in place and returns it."""

import math

import numpy as np

from tinytorch.grad_mode import no_grad
from tinytorch.ops.elementwise import where
from tinytorch.ops.random import randn, randn_like
from tinytorch.tensor import check_tensors, wrap

GAINS = dict(linear=1.0, sigmoid=1.0, tanh=5 / 3, relu=math.sqrt(2.0), selu=3 / 4)


@no_grad()
def uniform_(tensor, a=0.0, b=1.0, generator=None):
    """Numbers drawn evenly from [a, b)."""
    return tensor.uniform_(a, b, generator=generator)


@no_grad()
def normal_(tensor, mean=0.0, std=1.0, generator=None):
    """Numbers drawn from the normal distribution."""
    return tensor.normal_(mean, std, generator=generator)


@no_grad()
def constant_(tensor, val):
    """The same number everywhere."""
    return tensor.fill_(val)


def zeros_(tensor):
    """Zeros."""
    return constant_(tensor, 0)


def ones_(tensor):
    """Ones."""
    return constant_(tensor, 1)


def calculate_gain(nonlinearity, param=None):
    """By how much a layer's weights must be larger to make up for what follows it.

    ValueError for an activation that is not known.

    >>> calculate_gain("leaky_relu", 1.0)
    1.0
    """
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        if isinstance(slope, bool) or not isinstance(slope, (int, float)):
            raise ValueError(f"the slope of a leaky_relu is a number, got {param!r}")
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity not in GAINS and not nonlinearity.startswith("conv"):
        raise ValueError(f"no gain is known for {nonlinearity!r}; known: {[*GAINS, 'leaky_relu']}")
    return GAINS.get(nonlinearity, 1.0)


def fans(tensor):
    """How many inputs each output of a weight sees, and how many outputs each input feeds."""
    check_weight(tensor)
    return fans_of_shape(tensor.shape)


def fans_of_shape(shape):
    """How many numbers each output of a weight is summed from, and how many sums an input is in.

    The shape of a weight is (outputs, inputs). That of a convolution is (outputs, inputs, *kernel):
    it has a whole kernel of numbers for each pair, and each of these counts.

    >>> fans_of_shape((10, 64))
    (64, 10)
    >>> fans_of_shape((8, 3, 5, 5))  # a convolution from 3 to 8 channels, kernel 5 x 5
    (75, 200)
    """
    outputs, inputs, *kernel = shape
    return inputs * math.prod(kernel), outputs * math.prod(kernel)


def check_weight(tensor):
    """TypeError for what is no Tensor, ValueError for fewer than 2 dimensions."""
    check_tensors("init", tensor=tensor)
    if tensor.dim() < 2:
        raise ValueError(f"a weight needs at least 2 dimensions, got shape {tuple(tensor.shape)}")


_calculate_fan_in_and_fan_out = fans  # what layers written for PyTorch call


def kaiming_std(tensor, a, mode, nonlinearity):
    """The standard deviation that keeps signals the same size from layer to layer.

    A sum of `fan_of(tensor, mode)` products has that many times the variance of one of them, and a
    standard deviation is the root of a variance. To make up for what follows the layer, the one of
    the weights is `calculate_gain(nonlinearity, a)` times as large; `a` is a leaky relu's slope.
    """
    return calculate_gain(nonlinearity, a) / math.sqrt(fan_of(tensor, mode))


def fan_of(tensor, mode):
    """The inputs or outputs that count, at least 1; ValueError for another mode."""
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"mode must be 'fan_in' or 'fan_out', got {mode!r}")
    return max(1, fans(tensor)[mode == "fan_out"])


def xavier_std(tensor, gain):
    """The standard deviation that suits the signals and their gradients alike, on average."""
    return gain * math.sqrt(2.0 / max(1, sum(fans(tensor))))


def kaiming_uniform_(
    tensor, a: float = 0, mode="fan_in", nonlinearity="leaky_relu", generator=None
):
    """He's start for layers followed by (leaky) relu, drawn evenly.

    K. He et al., Delving Deep into Rectifiers, 2015.
    """
    bound = math.sqrt(3.0) * kaiming_std(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(tensor, a: float = 0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """He's start, drawn from the normal distribution."""
    return normal_(tensor, 0.0, kaiming_std(tensor, a, mode, nonlinearity), generator)


def xavier_uniform_(tensor, gain=1.0, generator=None):
    """Glorot's start for layers followed by tanh or nothing, drawn evenly.

    X. Glorot and Y. Bengio, Understanding the Difficulty of Training Deep Networks, 2010.
    """
    bound = math.sqrt(3.0) * xavier_std(tensor, gain)
    return uniform_(tensor, -bound, bound, generator)


@no_grad()
def orthogonal_(tensor, gain=1, generator=None):
    """Rows (or columns, whichever are fewer) of length `gain` at right angles to each other.

    All dimensions but the first count as one. A. Saxe et al., Exact Solutions to the Nonlinear
    Dynamics of Learning in Deep Linear Neural Networks, 2014.

    >>> w = orthogonal_(tinytorch.zeros(2, 3))
    >>> tinytorch.allclose(w @ w.T, tinytorch.eye(2), atol=1e-6)
    True
    """
    check_weight(tensor)
    rows, columns = len(tensor), tensor.numel() // len(tensor)
    drawn = randn(max(rows, columns), min(rows, columns), generator=generator)
    q, r = np.linalg.qr(drawn.numpy())
    q = q * np.sign(np.diag(r))  # else some directions would be more likely than others
    q = q if rows >= columns else q.T
    return tensor.copy_(wrap(np.asarray(q)).reshape(tensor.shape) * gain)


@no_grad()
def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    """Numbers drawn from the normal distribution, again and again until all are in [a, b].

    ValueError if next to none of them would be.
    """
    if a > mean + 6 * std or b < mean - 6 * std or a >= b:
        raise ValueError(f"hardly a number around {mean} by {std} is between {a} and {b}")
    tensor.normal_(mean, std, generator=generator)
    while (outside := (tensor < a) | (tensor > b)).any():
        again = randn_like(tensor, generator=generator) * std + mean
        tensor.copy_(where(outside, again, tensor))
    return tensor


def xavier_normal_(tensor, gain=1.0, generator=None):
    """Glorot's start, drawn from the normal distribution."""
    return normal_(tensor, 0.0, xavier_std(tensor, gain), generator)
