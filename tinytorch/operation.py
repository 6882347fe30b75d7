"""How operations are made: arrays forward, and a node when history is recorded."""

import math
from functools import lru_cache, wraps

import numpy as np
from numpy import ndarray

from tinytorch import dtypes, memory
from tinytorch.node import OUTPUT, Node, Rule, with_node
from tinytorch.outputs import OutputNode
from tinytorch.state import state
from tinytorch.tensor import Tensor, array_of, wrap

NUMBERS = {float, int, bool}
ARRAYS = (ndarray, np.generic)  # NumPy gives a number where an array of no dimensions is meant
FLOATS = "\n\n{} become float32 first."  # ends the docstring of what computes with floats only
OF_TWO = FLOATS.format("Two inputs without floats")
quiet = np.errstate(all="ignore")  # decorator: infinity and NaN are results, no reason to warn


def recorded(array, rule, inputs, *saved):
    """A Tensor around `array`, with a node if one of the `inputs` requires grad.

    >>> x = Tensor([1.0, 2.0], requires_grad=True)
    >>> recorded(-x._data, Rule("Neg", (lambda grad: -grad,)), (x,))
    tensor([-1., -2.], grad_fn=<Neg>)
    """
    if state.grad_enabled:
        nodes = tuple([tensor._node for tensor in inputs])
        if any(nodes):
            return with_node(array, rule, nodes, saved)
    return wrap(array)


def views(arrays, rule, input, *saved):
    """view() for an operation with several results; its formula gets their `Parts`."""
    if not state.grad_enabled:
        return tuple([wrap(array) for array in arrays])
    node = None if input._node is None else Node(rule, (input._node,), saved)
    results = [wrap(x, node and OutputNode(node, i, len(arrays))) for i, x in enumerate(arrays)]
    for result in results:
        memory.share(input, result)
    return tuple(results)


def operand(value, beside=None, wraps=False):
    """A Tensor from what stands where a tensor was expected: a Tensor, an array, a number.

    A plain number takes the dtype of the Tensor `beside` it, unless it is of a higher kind, or
    too large: then it is an int64, or if it `wraps`, loses its highest bits. A NumPy number counts
    as a plain one.
    """
    if isinstance(value, Tensor):
        return value
    if isinstance(value, np.generic) and isinstance(beside, Tensor):
        value = value.item()
    if type(value) in NUMBERS and isinstance(beside, Tensor):
        # an array of the right dtype once: a plain number is a slow operand, and could change it
        dtype = dtypes.number_dtype(value, beside._data.dtype)
        try:
            return wrap(np.array(value, dtype))
        except OverflowError:
            if wraps and 2**63 <= value < 2**64:
                value -= 2**64
            return wrap(np.array(value, dtypes.int64).astype(dtype if wraps else dtypes.int64))
    if isinstance(value, (float, int, np.generic, ndarray)):
        return wrap(array_of(value))
    raise TypeError(f"expected a Tensor or a number, got {type(value).__name__}")


def operands(value, other, wraps=False):
    """operand() of both, each beside the other."""
    other = operand(other, value, wraps)
    return operand(value, other, wraps), other


def constant(number, dtype):
    """The array of a float, which nobody may change; to make it takes as long as to multiply."""
    return kept_constant(number, dtype) if number else np.array(number, dtype)  # 0.0 == -0.0


@lru_cache
def kept_constant(number, dtype):
    array = np.array(number, dtype)
    array.flags.writeable = False
    return array


def meets_half(value, beside):
    """Is this a plain number beside a float16 tensor? It may be too large or small for float16."""
    plain = type(value) in NUMBERS and isinstance(beside, Tensor)
    return plain and beside._data.dtype == dtypes.float16


def in_float32(*values):
    return [x.float() if isinstance(x, Tensor) else x for x in values]


def unary(name, forward, formula, saves=OUTPUT, integers=False, doc=""):
    """An elementwise operation of one input, a function and a method of Tensor.

    `formula(grad, saved)` gets the result (`saves=OUTPUT`) or the input (`saves=0`), whichever
    the derivative is written with; with `saves=None` it is `formula(grad)`. Integers become
    float32 first, unless `integers` is True.
    """
    rule = Rule(
        f"{name.capitalize()}Backward0",
        (formula,),
        () if saves is None else (saves,),
        saves is not None,
    )

    def operation(input, out=None):
        if out is not None:
            return Tensor._written(out, operation(input))
        if type(input) is not Tensor:
            if isinstance(input, ARRAYS):
                return forward(input)  # formulas run on arrays
            input = operand(input)
        x = input._data
        if not integers and x.dtype.kind != "f":
            x = x.astype(dtypes.USUAL["f"])
        y = state.quietly(forward, x)
        node = input._node
        if node is None or not state.grad_enabled:
            return wrap(y)
        saved = () if saves is None else (y if saves else x,)
        return with_node(y, rule, (node,), saved)

    if not integers:
        doc += FLOATS.format("Integers")
    return published(operation, name, doc, formula.__module__)


def binary(name, forward, left, right, uses=("xy", "xy"), integers=True, doc=""):
    """An elementwise operation of two inputs that broadcast, a function and a method of Tensor.

    `left(grad, x, y)` and `right(grad, x, y)` give the gradients of the two inputs; `uses` says
    which of x and y each of them looks at. What no formula that will run looks at is not kept,
    and comes as None. Unless `integers` is True, two inputs without floats become float32 first.
    """
    rule, kept = rule_of_two(name, left, right, uses)
    keep_x, keep_y = kept[0]  # for a gradient of the left input only

    def operation(input, other, out=None):
        if out is not None:
            return Tensor._written(out, operation(input, other))
        if type(other) is not Tensor or type(input) is not Tensor:
            if type(other) is float and type(input) is Tensor and input._data.dtype.char in "fd":
                other = wrap(constant(other, input._data.dtype))  # as operand() would, but quickly
            elif type(other) is not Tensor and isinstance(input, ARRAYS):
                return forward(input, other)  # formulas run on arrays
            elif meets_half(other, input) or meets_half(input, other):
                return operation(*in_float32(input, other)).half()
            else:
                input, other = operands(input, other, wraps=integers)
        x, y = input._data, other._data
        if x.dtype is not y.dtype or (not integers and x.dtype.kind != "f"):
            x, y = to_one_dtype(x, y, floats=not integers)
        try:
            z = state.quietly(forward, x, y)
        except (TypeError, ValueError) as error:
            raise operand_error(name, x, y, error) from None
        if ((a := input._node) is None and other._node is None) or not state.grad_enabled:
            return wrap(z)
        if other._node is None and x is input._data and x.shape == z.shape:  # most often so
            return with_node(z, rule, (a, None), (x if keep_x else None, y if keep_y else None))
        return with_node_of_two(rule, kept, input, other, x, y, z)

    return published(operation, name, doc if integers else doc + OF_TWO, left.__module__)


def linear_map(name, back):
    """Decorator: a linear function of an array, and of constants, as an operation.

    `back(grad, shape, *constants)` is its way back to an input of `shape`: a linear function, too.
    Called with an array, as formulas do, the operation gives an array.
    """
    rule = Rule(f"{name}Backward0", (back,), saves_arrays=False)

    def decorate(forward):
        @wraps(forward)
        def operation(input, *constants):
            if not isinstance(input, Tensor):
                return forward(input, *constants)
            x = input._data
            # in the order of its indices, so that view() can be taken; NumPy follows the input
            y = np.asarray(state.quietly(forward, x, *constants), order="C")
            return recorded(y, rule, (input,), x.shape, *constants)

        return operation

    return decorate


def rule_of_two(name, left, right, uses):
    """The rule of an operation of two inputs, and what a node of it keeps: (keep x?, keep y?) for a
    gradient of the left input only, of the right one only, of both.
    """
    rule = Rule(f"{name.title().replace('_', '')}Backward0", (left, right), (0, 1), any(uses))
    return rule, [("x" in used, "y" in used) for used in (uses[0], uses[1], "".join(uses))]


def with_node_of_two(rule, kept, input, other, x, y, z):
    """A Tensor around `z`, made of x and y, the arrays of two inputs."""
    a, b = input._node, other._node
    keep_x, keep_y = kept[0 if b is None else 1 if a is None else 2]
    # does a gradient of z fit as it is? Each input must have its shape, and the dtype computed with
    fits_x = a is None or (x is input._data and x.shape == z.shape)
    fits_y = b is None or (y is other._data and y.shape == z.shape)
    if not (fits_x and fits_y):
        rule = fitted(rule, (input, other), of_each=True)
        # what is part of the graph is kept in the dtype that its own gradient has
        x, y = x if a is None else input._data, y if b is None else other._data
    return with_node(z, rule, (a, b), (x if keep_x else None, y if keep_y else None))


def published(operation, name, doc, module):
    """Name a function that was made here for `module`, and make it a method of Tensor."""
    operation.__name__ = operation.__qualname__ = name
    operation.__doc__, operation.__module__ = doc, module
    setattr(Tensor, name, operation)
    return operation


def view(array, rule, input, *saved):
    """recorded() for an operation whose result shares the memory of its input."""
    if not state.grad_enabled:
        return wrap(array)
    node = input._node
    result = wrap(array) if node is None else with_node(array, rule, (node,), saved)
    memory.share(input, result)  # so that a change of one of them reaches the other's history
    return result


def to_one_dtype(x, y, floats=False):
    """Both arrays in the dtype in which they meet; with `floats`, in one of floats."""
    dtype = dtypes.promote(x, y)
    dtype = dtypes.USUAL["f"] if floats and dtype.kind != "f" else dtype
    return x.astype(dtype, copy=False), y.astype(dtype, copy=False)


def operand_error(name, x, y, error):
    """A RuntimeError that says why NumPy could not compute `name` of x and y."""
    try:
        np.broadcast_shapes(x.shape, y.shape)
    except ValueError:
        return RuntimeError(
            f"{name}: shapes {x.shape} and {y.shape} do not broadcast;"
            " from the last dimension on, lengths must be equal or one of them 1"
        )
    if name == "sub" and x.dtype.kind == y.dtype.kind == "b":
        return RuntimeError("two booleans have no difference; use ^ for exclusive or")
    return RuntimeError(f"{name} of {x.dtype} and {y.dtype}: {error}")


# --- making a gradient fit its input ---


def fitted(rule, inputs, of_each=False):
    """The rule, with each gradient summed back to the shape of its input, and in its dtype.

    With `of_each`, the formulas work on each element for itself.
    """
    formulas = [
        fitted_formula(formula, tensor, of_each)
        for formula, tensor in zip(rule.formulas, inputs, strict=True)
    ]
    return Rule(rule.name, tuple(formulas), rule.links, rule.saves_arrays)


def fitted_formula(formula, tensor, of_each):
    shape, dtype = tensor._data.shape, tensor._data.dtype

    def formula_and_fit(grad, *saved):
        whole = grad.shape if of_each else None
        grad = formula(one_for_equals(grad) if of_each else grad, *saved)
        grad = unbroadcast(grad, shape, whole)
        return grad if grad.dtype == dtype else cast(grad, dtype)

    return formula_and_fit


def cast(grad, dtype):
    return grad.to(dtype) if type(grad) is Tensor else grad.astype(dtype)


def one_for_equals(grad):
    """An array with length 1 where one number in memory stands for all; else the gradient itself.

    >>> one_for_equals(np.broadcast_to(np.ones((4, 1)), (4, 3))).shape
    (4, 1)
    """
    if type(grad) is not ndarray or 0 not in grad.strides:
        return grad
    return grad[tuple([slice(None) if step else slice(0, 1) for step in grad.strides])]


def unbroadcast(grad, shape, whole=None):
    """Sum `grad` over the axes along which a value of `shape` was repeated.

    With `whole`, it is of that shape, and has length 1 where all are equal.

    >>> unbroadcast(np.ones((4, 3)), (3,))
    array([4., 4., 4.])
    >>> unbroadcast(np.ones((4, 3)), (4, 1)).shape
    (4, 1)
    """
    if grad.shape == shape and whole in (None, shape):
        return grad
    if whole is None:
        whole, grad = grad.shape, one_for_equals(grad)
    new = len(whole) - len(shape)
    axes = (*range(new), *[i for i, n in enumerate(shape, new) if n == 1 and whole[i] != 1])
    times = math.prod([whole[axis] for axis in axes if grad.shape[axis] == 1])
    grad = grad.sum(axis=axes, keepdims=True) if axes else grad
    grad = (grad if times == 1 else grad * times).reshape(grad.shape[new:])
    return grad if grad.shape == shape else np.broadcast_to(grad, shape)
