"""Operations that write into the memory of their first input: x += 1, x.mul_(2), x.zero_().

In place is the ordinary operation, then its result written over x. The history of x is then that
of the result, and the memory counts as changed.
"""

import numpy as np

from tinytorch import elementwise, memory
from tinytorch.state import state
from tinytorch.tensor import method, wrap


def check_writable(tensor):
    """RuntimeError for a leaf that requires grad: its value is what the gradient belongs to."""
    if state.grad_enabled and tensor._node is not None and tensor.is_leaf:
        raise RuntimeError(
            "a leaf that requires grad was about to be changed in place;"
            " do it under no_grad(), or on a clone()"
        )


def before_change(tensor):
    """What the operation reads: the tensor, or a copy if the graph may keep it."""
    if state.grad_enabled:
        return wrap(tensor._data.copy(), tensor._node)
    return tensor


def write(tensor, result):
    """Write the values of `result` over those of `tensor`, and take on its history."""
    if result._data.shape != tensor._data.shape:
        raise RuntimeError(
            f"a result of shape {result._data.shape} does not fit in place into shape"
            f" {tensor._data.shape}"
        )
    if not np.can_cast(result._data.dtype, tensor._data.dtype, "same_kind"):
        raise RuntimeError(f"a result of {result.dtype} cannot be stored in {tensor.dtype}")
    np.copyto(tensor._data, result._data, casting="same_kind")
    memory.touch(tensor._data)
    if state.grad_enabled and (result._node is not None or tensor._node is not None):
        tensor._node = result._node
    return tensor


def in_place(operation, *names):
    """The method that computes `operation` and writes the result over its first input."""

    def change(input, *args, **kwargs):
        check_writable(input)
        return write(input, operation(before_change(input), *args, **kwargs))

    change.__name__ = change.__qualname__ = names[0]
    change.__doc__ = f"{operation.__name__}(), written over the tensor itself."
    return method(*names)(change)


def _set(input, value):
    """`value` in the shape of `input`."""
    return elementwise.operand(value, input).expand_as(input)


add_ = in_place(elementwise.add, "add_", "__iadd__")
sub_ = in_place(elementwise.sub, "sub_", "__isub__")
mul_ = in_place(elementwise.mul, "mul_", "__imul__")
div_ = in_place(elementwise.div, "div_", "__itruediv__")
pow_ = in_place(elementwise.pow, "pow_", "__ipow__")
neg_ = in_place(elementwise.neg, "neg_")
exp_ = in_place(elementwise.exp, "exp_")
log_ = in_place(elementwise.log, "log_")
sqrt_ = in_place(elementwise.sqrt, "sqrt_")
tanh_ = in_place(elementwise.tanh, "tanh_")
sigmoid_ = in_place(elementwise.sigmoid, "sigmoid_")
relu_ = in_place(elementwise.relu, "relu_")
abs_ = in_place(elementwise.abs, "abs_")
clamp_ = in_place(elementwise.clamp, "clamp_", "clip_")
lerp_ = in_place(elementwise.lerp, "lerp_")
fill_ = in_place(_set, "fill_")


@method("copy_")
def copy_(input, src):
    """Take over the values of `src`, which broadcasts and is converted to the dtype of `input`."""
    check_writable(input)
    return write(input, src.to(input.dtype).expand_as(input))


@method("zero_")
def zero_(input):
    """All elements become 0."""
    return fill_(input, 0)
