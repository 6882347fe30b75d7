"""A Parameter: a tensor that a module learns."""

from typing import TYPE_CHECKING, Any, Union

from tinytorch import memory
from tinytorch.ops.creation import empty
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

    def __deepcopy__(self, memo):
        copy = super().__deepcopy__(memo)
        copy.grad = None  # a copied network begins to learn with no gradient
        return copy

    def __repr__(self):
        return "Parameter containing:\n" + super().__repr__()


class Uninitialized:
    """A tensor of a lazy layer before its shape is known: it has no elements yet."""

    __slots__ = ()

    def materialize(self, shape, device=None, dtype=None):
        """Become an ordinary one of this shape, its numbers not yet set."""
        self.data = empty(shape, device=device, dtype=dtype or self.dtype)
        self.__class__ = self.cls_to_become

    def detach(self):
        """The tensor itself, so that a state_dict shows what has no shape yet."""
        return self

    def __repr__(self):
        return f"<{type(self).__name__}>"


class UninitializedParameter(Uninitialized, Parameter):
    """A Parameter whose shape the first input, or a state_dict, will tell."""

    cls_to_become = Parameter

    def __init__(self, requires_grad=True, device=None, dtype=None):
        super().__init__(empty(0, device=device, dtype=dtype), requires_grad)


class UninitializedBuffer(Uninitialized, Tensor):
    """A buffer whose shape the first input, or a state_dict, will tell."""

    __slots__ = ()
    cls_to_become = Tensor

    def __init__(self, requires_grad=False, device=None, dtype=None):
        super().__init__(empty(0, device=device, dtype=dtype), requires_grad=requires_grad)


def is_lazy(param):
    """Is this the parameter or buffer of a lazy layer that has no shape yet?"""
    return isinstance(param, Uninitialized)


class Registering:
    """What a module registers has its name; editors learn here that it may be a tensor."""

    if TYPE_CHECKING:

        def __getattr__(self, name) -> Union[Tensor, Any]: ...  # noqa: UP007 (jedi reads this one)


def add_parameters(module, device, dtype, **shapes):
    """Give `module` a parameter of each shape, its numbers not yet set, or None for None."""
    for name, shape in shapes.items():
        param = None if shape is None else Parameter(empty(shape, device=device, dtype=dtype))
        module.register_parameter(name, param)


def forget_grad(param, set_to_none=True):
    """Take the gradient of a parameter away, or fill it with zeros, in place."""
    if set_to_none or param.grad is None:
        param.grad = None
        return
    array = param.grad.detach_()._data
    array.fill(0)
    memory.touch(array)
