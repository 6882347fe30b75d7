"""Modules that compute nothing."""

from tinytorch.nn.function_module import FunctionModule
from tinytorch.nn.module import Module
from tinytorch.ops.shapes import flatten, unflatten


def flatten_samples(input, start_dim=1, end_dim=-1):
    """flatten(), but for the first dimension, the batch."""
    return flatten(input, start_dim, end_dim)


class Flatten(FunctionModule, function=flatten_samples):
    """The dimensions from `start_dim` to `end_dim` as one; the batch stays by default.

    >>> Flatten()(tinytorch.zeros(2, 3, 4)).shape
    tinytorch.Size([2, 12])
    """


class Unflatten(Module):
    """unflatten() as a module.

    >>> Unflatten(1, (2, 3))(tinytorch.zeros(5, 6)).shape
    tinytorch.Size([5, 2, 3])
    """

    def __init__(self, dim, unflattened_size):
        super().__init__()
        self.dim = dim
        self.unflattened_size = tuple(unflattened_size)

    def forward(self, input):
        """The input with dimension `dim` cut into `unflattened_size`."""
        return unflatten(input, self.dim, self.unflattened_size)

    def extra_repr(self):
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"


class Identity(Module):
    """The input as it is; any arguments are ignored."""

    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        """The input itself."""
        return input
