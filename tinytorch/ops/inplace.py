"""Operations that write into the memory of their first input: x += 1, x.mul_(2), x.zero_().

In place is the ordinary operation, then its result written over x. The history of x is then that
of the result, and the memory counts as changed.
"""

from functools import wraps

import numpy as np

from tinytorch import dtypes, memory
from tinytorch.node import Node
from tinytorch.operation import fitted, meets_half, operand
from tinytorch.ops import comparison, elementwise
from tinytorch.ops.combining import addcdiv, addcmul
from tinytorch.ops.gathering import index_add, scatter, scatter_add
from tinytorch.ops.index_reading import is_basic, numpy_index, spelled_out
from tinytorch.ops.indexing import PUT, assign, getitem, masked_fill, numbers_taken, to_write
from tinytorch.ops.operators import operator
from tinytorch.ops.random import rand_like, randn_like
from tinytorch.ops.view_history import become, shows_twice
from tinytorch.state import state
from tinytorch.tensor import Tensor, method, wrap


def check_writable(tensor):
    """RuntimeError where a change would destroy a leaf, or reach several elements at once."""
    if not tensor._data.flags.writeable:
        part = memory.writable(tensor._data)
        if part is None:
            raise RuntimeError(
                "this tensor cannot be changed in place: its memory is read-only,"
                " or one number stands for many elements; use clone()"
            )
        tensor._data = part
    check_no_leaf(tensor)


def check_no_leaf(tensor):
    """RuntimeError where a change would destroy a leaf."""
    if state.grad_enabled:
        for other in (tensor, getattr(tensor, "_base", tensor)):
            if other._node is not None and other.is_leaf:
                raise RuntimeError(
                    "a leaf that requires grad, or a view of one, was about to be changed in place;"
                    " do it under no_grad(), or on a clone()"
                )


def is_recorded(*values):
    """True if the graph will know of an operation on these values."""
    return state.grad_enabled and any(
        [isinstance(value, Tensor) and value._node is not None for value in values]
    )


def write(tensor, result):
    """Write the values of `result` over those of `tensor`, and take on its history."""
    check_result(tensor, result)
    np.copyto(tensor._data, result._data, casting="unsafe")
    memory.touch(tensor._data)
    if state.grad_enabled:
        become(tensor, result._node if tensor.is_floating_point() else None)
    return tensor


def check_result(tensor, result):
    if result._data.shape != tensor._data.shape:
        raise RuntimeError(
            f"a result of shape {result._data.shape} does not fit in place into shape"
            f" {tensor._data.shape}"
        )
    if not dtypes.fits(result._data.dtype, tensor._data.dtype):
        raise RuntimeError(f"a result of {result.dtype} cannot be stored in {tensor.dtype}")


# --- the operations ---


def arithmetic(operation, ufunc, name, *operators):
    """in_place() for two inputs; where nothing is recorded, NumPy writes the result itself."""
    general = in_place(operation, name, *operators)

    @wraps(general, assigned=())
    def change(input, other, *old, **alpha):
        if alpha or old or is_recorded(input, other) or meets_half(other, input):
            return general(input, other, *old, **alpha)
        check_writable(input)
        other = operand(other, input)
        try:
            state.quietly(ufunc, input._data, other._data, input._data, casting="same_kind")
        except (TypeError, ValueError):
            return general(input, other)  # which says what is wrong
        memory.touch(input._data)
        return input

    public = method(name, doc=general.__doc__)(change)
    operator(*operators)(change)
    return public


def in_place(operation, name, *operators):
    """The method that computes `operation` and writes the result over its first input."""

    @wraps(operation, assigned=())
    def change(input, *args, **kwargs):
        check_writable(input)
        before = input
        if is_recorded(input, *args, *kwargs.values()):  # the graph may keep what was there
            before = wrap(input._data.copy(), input._node)
        return write(input, operation(before, *args, **kwargs))

    doc = f"{operation.__name__}(), written over the tensor itself."
    public = method(name, doc=doc)(change)
    operator(*operators)(change)
    return public


add_ = arithmetic(elementwise.add, np.add, "add_", "__iadd__")
sub_ = arithmetic(elementwise.sub, np.subtract, "sub_", "__isub__")
mul_ = arithmetic(elementwise.mul, np.multiply, "mul_", "__imul__")
div_ = arithmetic(elementwise.div, np.true_divide, "div_", "__itruediv__")
pow_ = in_place(elementwise.pow, "pow_", "__ipow__")
clamp_ = in_place(elementwise.clamp, "clamp_")
floor_divide_ = in_place(elementwise.floor_divide, "floor_divide_", "__ifloordiv__")
remainder_ = in_place(elementwise.remainder, "remainder_", "__imod__")
bitwise_and_ = in_place(comparison.bitwise_and, "bitwise_and_", "__iand__")
bitwise_or_ = in_place(comparison.bitwise_or, "bitwise_or_", "__ior__")
bitwise_xor_ = in_place(comparison.bitwise_xor, "bitwise_xor_", "__ixor__")

ELEMENTWISE = (
    "neg exp log sqrt tanh sigmoid relu abs lerp"
    " square reciprocal rsqrt sin cos sign floor ceil round"
)
for _name in ELEMENTWISE.split():
    in_place(getattr(elementwise, _name), f"{_name}_")
for _operation in (masked_fill, scatter, scatter_add, index_add, addcmul, addcdiv):
    in_place(_operation, f"{_operation.__name__}_")


@method("__setitem__")
def setitem(input, index, value) -> None:
    """Write `value`, which broadcasts, into the places at `index`."""
    index, recorded = numpy_index(index), is_recorded(input, value)
    if not input._data.flags.writeable or (recorded and shows_twice(input._data)):
        input, index = without_repetition(input, index, recorded)
    check_writable(input)
    if not is_basic(index):
        input, index = numbers_taken(input, index)
    elif len(index) > 1:
        index = spelled_out(index, input.dim())
    value, index = assign(input._data, index, to_write(value, input))
    memory.touch(input._data)
    if recorded and input.is_floating_point():
        become(input, Node(fitted(PUT, (input, value)), (input._node, value._node), (index,)))


def without_repetition(input, index, recorded):
    """What to write to instead of input[index], where one number may stand for many elements.

    A part that integers and slices name is a tensor of its own. Numbers that arrays name are
    written one after the other, which no history can tell.
    """
    if is_basic(index):
        return getitem(input, index), (Ellipsis,)
    if recorded:
        raise RuntimeError("one number stands for many elements here: clone() first")
    check_no_leaf(input)
    array = memory.writable(input._data, repeated=True)
    return (input if array is None else wrap(array)), index


@method("copy_")
def copy_(input, src, non_blocking=False):
    """Write `src`, which broadcasts, over all elements."""
    setitem(input, Ellipsis, src)
    return input


@method("fill_")
def fill_(input, value):
    """Every element becomes the number `value`."""
    value = to_write(value, input)
    if value._data.ndim:
        raise RuntimeError(f"fill_() takes one number, got {value._data.shape}; use copy_()")
    part = input
    if not input._data.flags.writeable:  # each number once
        part = getitem(input, tuple([slice(None if s else 1) for s in input._data.strides]))
    copy_(part, value)
    return input


@method("zero_")
def zero_(input):
    """All elements become 0."""
    return fill_(input, 0)


@method("normal_")
def normal_(input, mean=0.0, std=1.0, *, generator=None):
    """Fill with numbers drawn from the normal distribution."""
    if std < 0:
        raise RuntimeError(f"normal_() needs a standard deviation of at least 0, got {std}")
    return copy_(input, randn_like(input, generator=generator) * std + mean)


@method("uniform_")
def uniform_(input, a=0.0, b=1.0, *, generator=None):
    """Fill with numbers drawn evenly from [a, b)."""
    if a > b or (input.is_floating_point() and b - a > float(np.finfo(input.dtype).max)):
        kind = f"{input.dtype} in [a, b)"
        raise RuntimeError(f"uniform_() draws {kind}, which cannot be with a = {a} and b = {b}")
    return copy_(input, rand_like(input, generator=generator) * (b - a) + a)
