"""Results written to a tensor that is given: `out` of the functions."""

from functools import wraps

from tinytorch import state
from tinytorch.tensor import Tensor, check_tensors

KINDS = "buif"  # booleans, bytes, integers, floats: each can hold those before it


def written(out, result):
    """`out`, which holds the result now; for several results a tuple of as many tensors.

    An empty one gets the result's shape. RuntimeError where the shape differs, where the dtype
    can't hold the result, and where it would have to be recorded.
    """
    if isinstance(result, tuple):
        for one, part in zip(out, result, strict=True):
            written(one, part)
        return type(result)(*out) if hasattr(result, "_fields") else tuple(out)
    check_tensors("a function", out=out)
    if state.state.grad_enabled and (out.requires_grad or result.requires_grad):
        raise RuntimeError("out= is not recorded, but something here requires grad: use no_grad()")
    if KINDS.index(result._data.dtype.kind) > KINDS.index(out._data.dtype.kind):
        raise RuntimeError(f"out= of {out.dtype} can't hold a result of {result.dtype}")
    if out.numel() == 0 != result.numel():
        out.data = out.new_empty(result.shape)
    if out.shape != result.shape:
        raise RuntimeError(f"out= has shape {tuple(out.shape)}, the result {tuple(result.shape)}")
    return out.copy_(result)


def with_out(function):
    """Decorator: the function takes `out`, too, a tensor to write its result to."""

    @wraps(function)
    def writing(*args, out=None, **settings):
        result = function(*args, **settings)
        return result if out is None else written(out, result)

    return writing


Tensor._written = staticmethod(written)
