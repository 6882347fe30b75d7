"""Copies: the same elements in memory of their own, without history, or in another dtype."""

from tinytorch import dtypes
from tinytorch.node import Rule
from tinytorch.operation import fitted, recorded
from tinytorch.state import state
from tinytorch.tensor import Tensor, method, wrap


def clone_formula(grad):
    return grad


CLONE = Rule("CloneBackward0", (clone_formula,), saves_arrays=False)
TO = Rule("ToCopyBackward0", (clone_formula,), saves_arrays=False)


@method("clone")
def clone(input, *, memory_format=None):
    """A copy that gradients flow through."""
    return recorded(input._data.copy(), CLONE, (input,))


@method("contiguous")
def contiguous(input, *, memory_format=None):
    """The tensor itself if its elements lie in order, else a copy in order."""
    return input if input._data.flags.c_contiguous else clone(input)


def as_floats(input):
    """The tensor itself if it holds floats, else one of the default dtype."""
    return input if input.is_floating_point() else wrap(dtypes.to_floating(input._data))


@method("detach")
def detach(input):
    """The same values over the same memory, without history."""
    return wrap(input._data)


@method("detach_")
def detach_(input):
    """Forget the history of this tensor: it becomes a leaf that requires no grad."""
    if input._node is not None:
        input._node = None
    return input


@method("to")
def to(input, *args, dtype=None, device=None, non_blocking=False, copy=False, memory_format=None):
    """The tensor with another dtype, or that of another tensor; itself if nothing changes.

    Takes a dtype, a device, both, or a tensor; "cpu" is the only device, so that there is nothing
    to wait for.

    >>> tinytorch.tensor([1, 2]).to(tinytorch.float32)
    tensor([1., 2.])
    """
    for value in (*args, device):
        if isinstance(value, Tensor):
            dtype = value.dtype
        elif value is not None and value != "cpu":
            dtype = value
    dtype = input.dtype if dtype is None else dtypes.dtype_of(dtype)
    if dtype == input._data.dtype and not copy:
        return input
    array = state.quietly(input._data.astype, dtype)
    if dtype.kind != "f":
        return wrap(array)
    return recorded(array, fitted(TO, (input,)), (input,))


@method("cpu")
def cpu(input):
    """The tensor itself: it is always there."""
    return input


@method("type_as")
def type_as(input, other):
    """The tensor in the dtype of `other`."""
    return to(input, other.dtype)


def conversion(name, dtype):
    """The method that converts to `dtype`."""

    def convert(input):
        return to(input, dtype)

    return method(name, doc=f"The tensor as {dtype}.")(convert)


for _name in ("float", "double", "half", "int", "long", "short", "char", "byte", "bool"):
    conversion(_name, getattr(dtypes, _name))
