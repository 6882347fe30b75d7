"""Derivatives of functions: Jacobians, Hessians, and their products with vectors.

`func` takes tensors of floats and gives such tensors, which are only read; `inputs` is one of them
or a tuple, and so is what comes back. Some rules hold for all functions here:

- The inputs need not ask for gradients, and get none in `.grad`.
- It all works under no_grad(), too, draws no random numbers, and passes on whatever `func` raises.
- With `create_graph` what is found has a history, so that it can be differentiated for the inputs;
  without, it has none.
- An input that nothing depends on has derivatives of zero, and so has a result that depends on no
  input; with `strict` it's a RuntimeError.
- A vector `v` of other shapes than it should have is a RuntimeError. It may be left out where it
  would be a single number, which is then 1.
- `vectorize` changes nothing: there's one pass for each number.
"""

import math

import numpy as np

from tinytorch.grad_mode import enable_grad
from tinytorch.gradcheck import grads, jacobian_of
from tinytorch.gradients import as_tuple
from tinytorch.ops.creation import zeros_like
from tinytorch.tensor import Tensor, check_tensors, wrap


def jacobian(func, inputs, create_graph=False, strict=False, *, vectorize=False):
    """d func / d inputs: for each result and each input a tensor of shape result + input.

    A single tensor where there is one result and one input, else tuples.

    >>> jacobian(lambda x: x * x, Tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    values, outputs = evaluate(func, inputs, create_graph)
    rows = [[jacobian_of(y, x, create_graph, strict) for x in values] for y in as_tuple(outputs)]
    rows = [row[0] if isinstance(inputs, Tensor) else tuple(row) for row in rows]
    return rows[0] if isinstance(outputs, Tensor) else tuple(rows)


def hessian(func, inputs, create_graph=False, strict=False, *, vectorize=False):
    """The second derivatives of a function whose result is one number: d d func / d inputs.

    The Jacobian of the gradient. For a tensor a tensor of shape input + input; for a tuple of
    tensors a tuple of tuples, a block for each pair. `func` runs once. A result of more than one
    number is a RuntimeError: scalar() below checks that. `strict` holds for the gradient, too, and
    not only for its Jacobian.

    >>> hessian(lambda x: (x**3).sum(), Tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """

    def gradient(*values):
        first = grads((scalar(func(*values)),), values, create_graph=True, strict=strict)
        return as_given(inputs, first)

    return jacobian(gradient, inputs, create_graph, strict)


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """(func(inputs), v^T J): the backward pass from the upstream gradient `v`.

    >>> vjp(lambda x: x * x, Tensor([3.0, 5.0]), Tensor([1.0, 10.0]))
    (tensor([ 9., 25.]), tensor([  6., 100.]))
    """
    values, outputs = evaluate(func, inputs, create_graph)
    heads = heads_for(outputs, v)
    found = grads(as_tuple(outputs), values, heads, create_graph, strict)
    return result(outputs, create_graph), as_given(inputs, found)


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    """(func(inputs), J v): how the results move when the inputs move along `v`.

    `v` is shaped like the inputs, J v like the results: single tensors where func gives one, else
    tuples. `func` runs once. It costs two backward passes, however many numbers there are: no
    Jacobian is made.

    >>> jvp(lambda x: x * x, Tensor([3.0, 5.0]), Tensor([1.0, 10.0]))
    (tensor([ 9., 25.]), tensor([  6., 100.]))
    """
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


def vhp(func, inputs, v=None, create_graph=False, strict=False):
    """(func(inputs), v^T H), for a function with one number as its result."""
    values, outputs = evaluate(func, inputs, create_graph=True)
    first = grads((scalar(outputs),), values, create_graph=True, strict=strict)
    found = grads(first, values, heads_for(first, v), create_graph, strict)
    return result(outputs, create_graph), as_given(inputs, found)


def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """(func(inputs), H v): the same as vhp(), for a Hessian is symmetric.

    >>> hvp(lambda x: (x**3).sum(), Tensor([1.0, 2.0]), Tensor([1.0, 1.0]))[1]
    tensor([ 6., 12.])
    """
    return vhp(func, inputs, v, create_graph, strict)


# --- the parts ---


def evaluate(func, inputs, create_graph):
    """The inputs as a tuple of values to differentiate for, and what func gives for them.

    Values made with `create_graph` belong to the graph of the inputs, so that what is found
    can be differentiated for the inputs.
    """
    with enable_grad():
        values = tuple([fresh(x, create_graph) for x in as_tuple(inputs)])
        outputs = func(*values)
    for y in as_tuple(outputs) if isinstance(outputs, (tuple, list)) else (outputs,):
        check_tensors("the function", result=y)
    return values, outputs


def fresh(x, create_graph):
    """A tensor of the same value to differentiate for, with create_graph part of its graph."""
    return x.view_as(x) if create_graph and x.requires_grad else x.detach().requires_grad_()


def heads_for(outputs, v):
    """The vector as a tuple of tensors, one for each result; a single number needs none."""
    shapes = [tuple(y.shape) for y in as_tuple(outputs)]
    if v is None:
        if len(shapes) != 1 or math.prod(shapes[0]) != 1:
            raise RuntimeError(f"a vector v is needed for results of shapes {shapes}")
        return (wrap(np.ones(shapes[0], as_tuple(outputs)[0].dtype)),)
    given = [tuple(head.shape) for head in as_tuple(v)]
    if given != shapes:
        raise RuntimeError(f"v must have the shapes {shapes}, got {given}")
    return as_tuple(v)


def scalar(y):
    """y, if it is a tensor of one number; RuntimeError for any other tensor."""
    check_tensors("the function", result=y)
    if y.numel() != 1:
        raise RuntimeError("the function must return one number to have a Hessian")
    return y


def as_given(given, tensors):
    """One tensor where one was given, else the tuple."""
    return tensors[0] if isinstance(given, Tensor) else tuple(tensors)


def result(outputs, create_graph):
    """The results of the function as the caller gets them: numbers alone, or with their graph."""
    given = as_tuple(outputs)
    return as_given(outputs, given if create_graph else [y.detach() for y in given])
