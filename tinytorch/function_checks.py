"""What is asked of a Function: of its arguments, its results, and the gradients it returns."""

from inspect import signature

import numpy as np
from numpy import ndarray

from tinytorch.ctx import NOT_YET, NOTHING, name_taken
from tinytorch.operation import unbroadcast
from tinytorch.tensor import Tensor, wrap

# --- forward ---


def in_order(function, args, kwargs):
    """All arguments of forward in the order in which it names them, defaults included."""
    if not kwargs and not function._has_setup:
        return args
    if "_signature" not in vars(function):
        function._signature = signature(function.forward)  # once: it takes longer than a call
    before = () if function._has_setup else (None,)  # a place for ctx
    if not kwargs and len(before) + len(args) == len(function._signature.parameters):
        return args
    bound = function._signature.bind(*before, *args, **kwargs)
    bound.apply_defaults()
    return bound.args[len(before) :]


def taken_by(ctx):
    """The error that says where forward kept something of its own in a place of the node's."""
    own = {"edges": ctx._edges, "saved": NOTHING, "number": NOT_YET, "rule": None, "hooks": None}
    return name_taken(ctx, next(name for name in own if getattr(ctx, name) is not own[name]))


def as_results(outputs):
    """A list of what forward returned, arrays as Tensors."""
    if isinstance(outputs, Tensor):
        return [outputs]
    results = outputs if isinstance(outputs, tuple) else (outputs,)
    return [wrap(x) if isinstance(x, (ndarray, np.generic)) else x for x in results]


def apart(old, ctx):
    """A Tensor of its own over the memory of an old one that forward gave back.

    If forward changed it, and said so, that's the old one itself.
    """
    if among(old, ctx._dirty):
        return old
    new = wrap(old._data)
    if among(old, ctx._not_differentiable):
        ctx._not_differentiable = (*ctx._not_differentiable, new)
    return new


def among(tensor, tensors):
    """True if `tensor` itself is one of `tensors`; `in` would compare elements."""
    for other in tensors:  # noqa: SIM110 - any() takes three times as long
        if other is tensor:
            return True
    return False


def metas(values):
    """A list of the shape and the dtype of each tensor, None for anything else."""
    found = []
    for x in values:
        found.append((x._data.shape, x._data.dtype) if isinstance(x, Tensor) else None)
    return found


# --- backward ---


def as_gradients(results):
    """A tuple of what backward returned: a tuple, a list or a single gradient."""
    return tuple(results) if isinstance(results, (list, tuple)) else (results,)


def check_count(name, results, count):
    """RuntimeError for too few gradients, or for one more than there are inputs."""
    if len(results) < count or any(grad is not None for grad in results[count:]):
        raise RuntimeError(
            f"{name} returned {len(results)} gradients for {count} inputs;"
            " return one for each argument of forward, None where there is none"
        )


def fitting(name, place, grad, shape, dtype):
    """A gradient that backward returned, in the shape and the dtype of input number `place`."""
    if not isinstance(grad, Tensor):
        kind = type(grad).__name__
        raise TypeError(f"{name} returned {kind} as gradient {place}, not a Tensor")
    if grad._data.shape != shape:
        if not spreads_to(shape, grad.shape):
            raise RuntimeError(
                f"{name} returned a gradient of shape {tuple(grad.shape)}"
                f" for input {place} of shape {shape}"
            )
        grad = unbroadcast(grad, shape)
    return grad if grad._data.dtype is dtype else grad.to(dtype)


def spreads_to(shape, wider):
    """True if an array of `shape` can be broadcast to the shape `wider`."""
    pairs = zip(shape[::-1], wider[::-1], strict=False)
    return len(shape) <= len(wider) and all(n in (1, m) for n, m in pairs)
