"""A Parameter: a tensor that a module learns."""

from tinytorch.creation import zeros_like
from tinytorch.tensor import Tensor, array_of


class Parameter(Tensor):
    """A leaf that asks for a gradient, and that a Module registers when it is assigned to it.

    The memory of `data` is shared. RuntimeError for integers, unless `requires_grad=False`.

    >>> Parameter(tinytorch.tensor([1.0, 2.0]))
    Parameter containing:
    tensor([1., 2.], requires_grad=True)
    """

    def __init__(self, data=(), requires_grad=True):
        self._data = array_of(data)
        self._node = None
        self._grad = None
        self.requires_grad_(requires_grad)

    def __repr__(self):
        return "Parameter containing:\n" + super().__repr__()


def forget_grad(param, set_to_none=True):
    """Take the gradient of a parameter away, or make it zero."""
    keep = param.grad is not None and not set_to_none
    param.grad = zeros_like(param.grad) if keep else None
