"""Operations that write into the memory of their first input: x += 1, x.mul_(2), x.zero_().

In place is the ordinary operation, then its result written over x. The history of x is then that
of the result, and the memory counts as changed.
"""

import math
from functools import wraps

import numpy as np

from tinytorch import dtypes, memory
from tinytorch.hooks import keep_grad
from tinytorch.node import Node, Rule
from tinytorch.operation import meets_half, operand
from tinytorch.ops import comparison, elementwise
from tinytorch.ops.gathering import index_add, scatter, scatter_add
from tinytorch.ops.index_reading import is_basic, numbers_first, numpy_index
from tinytorch.ops.indexing import masked_fill, place, put, put_left, to_write
from tinytorch.ops.random import rand_like, randn_like
from tinytorch.state import state
from tinytorch.tensor import method, wrap


def check_writable(tensor):
    """RuntimeError where a change would destroy a leaf, or reach several elements at once."""
    if not tensor._data.flags.writeable:
        raise RuntimeError(
            "this tensor cannot be changed in place: its memory is read-only,"
            " or one number stands for many elements; use clone()"
        )
    if state.grad_enabled:
        for other in (tensor, *memory.tensors_beside(tensor)):
            if other._node is not None and other.is_leaf and overlap(other, tensor):
                raise RuntimeError(
                    "a leaf that requires grad, or a view of one, was about to be changed in place;"
                    " do it under no_grad(), or on a clone()"
                )


def overlap(tensor, other):
    return tensor is other or np.may_share_memory(tensor._data, other._data)


def before_change(tensor):
    """What the operation reads: the tensor, or a copy where the graph may keep it."""
    if state.grad_enabled:
        return wrap(tensor._data.copy(), tensor._node)
    return tensor


def write(tensor, result):
    """Write the values of `result` over those of `tensor`, and take on its history."""
    check_result(tensor, result)
    np.copyto(tensor._data, result._data, casting="unsafe")
    memory.touch(tensor._data)
    if state.grad_enabled:
        take_history(tensor, result._node if tensor.is_floating_point() else None)
        tell_views(tensor)
    return tensor


def take_history(tensor, node):
    """From now on, `tensor` is what `node` made, and the gradient that it retains is of that."""
    tensor._node = node
    if node is not None and tensor.retains_grad:
        keep_grad(tensor)


def check_result(tensor, result):
    if result._data.shape != tensor._data.shape:
        raise RuntimeError(
            f"a result of shape {result._data.shape} does not fit in place into shape"
            f" {tensor._data.shape}"
        )
    if not dtypes.fits(result._data.dtype, tensor._data.dtype):
        raise RuntimeError(f"a result of {result.dtype} cannot be stored in {tensor.dtype}")


# --- views: what shares the changed memory has a new history, too ---


def kept_formula(grad, mine, theirs, shape):
    return put_left(grad.reshape(-1), (mine,)).reshape(grad.shape)


def changed_formula(grad, mine, theirs, shape):
    return place(grad.reshape(-1)[mine], (math.prod(shape),), (theirs,)).reshape(shape)


MERGE = Rule("CopySlices", (kept_formula, changed_formula))


def tell_views(changed):
    """Let the views that share memory with a tensor that was changed know its new history."""
    for other in memory.tensors_beside(changed):
        if other._node is not None or changed._node is not None:
            merge_history(other, changed)


def merge_history(other, changed):
    """Let the elements of `other` that lie in the memory of `changed` come from there now."""
    mine, theirs = common_elements(other._data, changed._data)
    if len(mine):
        saved = (mine, theirs, changed._data.shape)
        take_history(other, Node(MERGE, (other._node, changed._node), saved))


def common_elements(array, other):
    """The flat positions, in both arrays, of the elements that lie at the same place in memory.

    In `array` several elements may lie at one place, in `other` each has a place of its own.
    """
    here, there = [addresses(a).ravel() for a in (array, other)]
    mine = np.flatnonzero(np.isin(here, there))
    order = np.argsort(there)
    return mine, order[np.searchsorted(there, here[mine], sorter=order)]


def addresses(array):
    """Where in memory each element lies."""
    where = np.array(array.ctypes.data)
    for length, step in zip(array.shape, array.strides, strict=True):
        where = where[..., None] + np.arange(length) * step
    return where


# --- the operations ---


def arithmetic(operation, ufunc, *names):
    """in_place() for two inputs; where nothing is recorded, NumPy writes the result itself."""
    general = in_place(operation, *names)

    @wraps(general, assigned=())
    def change(input, other, **alpha):
        if state.grad_enabled or alpha or meets_half(other, input):
            return general(input, other, **alpha)
        check_writable(input)
        other = operand(other, input)
        try:
            state.quietly(ufunc, input._data, other._data, input._data, casting="same_kind")
        except (TypeError, ValueError):
            return general(input, other)  # which says what is wrong
        memory.touch(input._data)
        return input

    return method(*names, doc=general.__doc__)(change)


def in_place(operation, *names):
    """The method that computes `operation` and writes the result over its first input."""

    @wraps(operation, assigned=())
    def change(input, *args, **kwargs):
        check_writable(input)
        return write(input, operation(before_change(input), *args, **kwargs))

    doc = f"{operation.__name__}(), written over the tensor itself."
    return method(*names, doc=doc)(change)


def filled(input, value):
    """`value`, which broadcasts, in the place of every element."""
    return put(input, (Ellipsis,), to_write(value, input))


add_ = arithmetic(elementwise.add, np.add, "add_", "__iadd__")
sub_ = arithmetic(elementwise.sub, np.subtract, "sub_", "__isub__")
mul_ = arithmetic(elementwise.mul, np.multiply, "mul_", "__imul__")
div_ = arithmetic(elementwise.div, np.true_divide, "div_", "__itruediv__")
pow_ = in_place(elementwise.pow, "pow_", "__ipow__")
clamp_ = in_place(elementwise.clamp, "clamp_", "clip_")
floor_divide_ = in_place(elementwise.floor_divide, "floor_divide_", "__ifloordiv__")
remainder_ = in_place(elementwise.remainder, "remainder_", "__imod__")
bitwise_and_ = in_place(comparison.bitwise_and, "bitwise_and_", "__iand__")
bitwise_or_ = in_place(comparison.bitwise_or, "bitwise_or_", "__ior__")
bitwise_xor_ = in_place(comparison.bitwise_xor, "bitwise_xor_", "__ixor__")
copy_ = in_place(filled, "copy_")

ELEMENTWISE = (
    "neg exp log sqrt tanh sigmoid relu abs lerp"
    " square reciprocal rsqrt sin cos sign floor ceil round"
)
for _name in ELEMENTWISE.split():
    in_place(getattr(elementwise, _name), f"{_name}_")
for _operation in (masked_fill, scatter, scatter_add, index_add):
    in_place(_operation, f"{_operation.__name__}_")


@method("fill_")
def fill_(input, value):
    """Every element becomes the number `value`."""
    value = to_write(value, input)
    if value._data.ndim:
        raise RuntimeError(f"fill_() takes one number, got {value._data.shape}; use copy_()")
    return copy_(input, value)


@method("zero_")
def zero_(input):
    """All elements become 0."""
    return fill_(input, 0)


@method("__setitem__")
def setitem(input, index, value) -> None:
    """Write `value`, which broadcasts, into the places at `index`."""
    check_writable(input)
    index = numpy_index(index)
    if not is_basic(index):
        first, index = numbers_first(index)
        input = input[first] if first else input
    write(input, put(before_change(input), index, to_write(value, input)))


@method("addcmul_")
def addcmul_(input, tensor1, tensor2, *, value=1):
    """Add value * tensor1 * tensor2 to the tensor itself."""
    return add_(input, tensor1 * tensor2, alpha=value)


@method("addcdiv_")
def addcdiv_(input, tensor1, tensor2, *, value=1):
    """Add value * tensor1 / tensor2 to the tensor itself."""
    return add_(input, tensor1 / tensor2, alpha=value)


@method("normal_")
def normal_(input, mean=0.0, std=1.0, *, generator=None):
    """Fill with numbers drawn from the normal distribution."""
    if std < 0:
        raise RuntimeError(f"normal_() needs a standard deviation of at least 0, got {std}")
    return copy_(input, randn_like(input, generator=generator) * std + mean)


@method("uniform_")
def uniform_(input, a=0.0, b=1.0, *, generator=None):
    """Fill with numbers drawn evenly from [a, b)."""
    if a > b:
        raise RuntimeError(f"uniform_() draws from [a, b), got a = {a} and b = {b}")
    return copy_(input, rand_like(input, generator=generator) * (b - a) + a)
