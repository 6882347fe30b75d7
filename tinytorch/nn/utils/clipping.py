"""Keeping gradients small."""

import math

import numpy as np

from tinytorch import memory
from tinytorch.tensor import Tensor, wrap


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False):
    """Scale all gradients, in place, so that together they have at most the norm `max_norm`.

    Returns the norm that they had before, a tensor. RuntimeError for a norm that is not finite,
    where `error_if_nonfinite`.

    >>> w = tinytorch.tensor([3.0, 4.0], requires_grad=True)
    >>> (w * w / 2).sum().backward()
    >>> clip_grad_norm_(w, 1.0), w.grad
    (tensor(5.), tensor([0.6000, 0.8000]))
    """
    parameters = [parameters] if isinstance(parameters, Tensor) else parameters
    grads = [param.grad._data for param in parameters if param.grad is not None]
    norms = [np.linalg.norm(grad.ravel(), float(norm_type)) for grad in grads]
    total = np.linalg.norm(norms or np.zeros(1, "float32"), float(norm_type))
    if error_if_nonfinite and not math.isfinite(total):
        raise RuntimeError(f"the norm of the gradients is {total}; look for inf and nan in them")
    scale = np.minimum(1.0, max_norm / (total + 1e-6))  # NaN stays NaN
    for grad in grads:
        grad *= grad.dtype.type(scale)
        memory.touch(grad)
    return wrap(total)


def clip_grad_value_(parameters, clip_value):
    """Cut all gradients, in place, to numbers from -clip_value to clip_value.

    >>> w = tinytorch.tensor([3.0, 0.5], requires_grad=True)
    >>> (w * w / 2).sum().backward()
    >>> clip_grad_value_(w, 1.0)
    >>> w.grad
    tensor([1.0000, 0.5000])
    """
    parameters = [parameters] if isinstance(parameters, Tensor) else parameters
    for param in parameters:
        if param.grad is not None:
            param.grad.detach().clamp_(-clip_value, clip_value)
