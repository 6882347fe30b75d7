"""Known parametrizations: weights of a length that is learned, weights that don't stretch."""

from tinytorch.nn.module import Module
from tinytorch.nn.utils.parametrize import register_parametrization
from tinytorch.nn.utils.weights import (
    dim_of_outputs,
    directions,
    over_stretch,
    power_steps,
    slice_lengths,
)
from tinytorch.ops.distances import normalize


class _WeightNorm(Module):
    """A weight made of its lengths and its directions."""

    def __init__(self, dim=0):
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, length, way):
        return way * (length / slice_lengths(way, self.dim))

    def right_inverse(self, weight):
        """The lengths and the directions of a weight."""
        return slice_lengths(weight, self.dim), weight


class _SpectralNorm(Module):
    """A weight over its largest singular value, which is found in small steps."""

    def __init__(self, weight, n_power_iterations=1, dim=0, eps=1e-12):
        super().__init__()
        self.n_power_iterations, self.dim, self.eps = n_power_iterations, dim, eps
        if weight.dim() > 1:
            for name, start in zip(("_u", "_v"), directions(weight, dim, eps), strict=True):
                self.register_buffer(name, start)
            self.step(weight, 15)

    def step(self, weight, count):
        """Bring the two vectors nearer to those of the largest singular value."""
        power_steps(weight, self.dim, self._u, self._v, self.eps, count)

    def forward(self, weight):
        if weight.dim() == 1:
            return normalize(weight, dim=0, eps=self.eps)
        if self.training:
            self.step(weight, self.n_power_iterations)
        return over_stretch(weight, self.dim, self._u, self._v)

    def right_inverse(self, value):
        """The value: it may be assigned as it is."""
        return value


def weight_norm(module, name="weight", dim=0):
    """Split a weight into its lengths along `dim`, `original0`, and its directions, `original1`.

    T. Salimans and D. Kingma, 2016.

    >>> layer = weight_norm(tinytorch.nn.Linear(2, 3))
    >>> layer.parametrizations.weight.original0.shape
    tinytorch.Size([3, 1])
    """
    return register_parametrization(module, name, _WeightNorm(dim), unsafe=True)


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """Divide the weight by its largest singular value, which is found in small steps, one a call.

    `dim` counts the outputs: 1 for transposed convolutions, else 0. T. Miyato et al., 2018.
    """
    dim = dim_of_outputs(module, dim)
    made = _SpectralNorm(getattr(module, name), n_power_iterations, dim, eps)
    return register_parametrization(module, name, made)
