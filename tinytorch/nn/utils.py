"""Keeping gradients small, and parameters as one long vector."""

import math

import numpy as np

from tinytorch import memory
from tinytorch.grad_mode import no_grad
from tinytorch.joining import cat
from tinytorch.tensor import Tensor, wrap


def gradients(parameters):
    """The gradients of one parameter or of several, where there are any."""
    parameters = [parameters] if isinstance(parameters, Tensor) else parameters
    return [param.grad for param in parameters if param.grad is not None]


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False):
    """Scale all gradients, in place, so that together they have at most the norm `max_norm`.

    Returns the norm that they had before, a tensor. RuntimeError for a norm that is not finite,
    where `error_if_nonfinite`.

    >>> w = tinytorch.tensor([3.0, 4.0], requires_grad=True)
    >>> (w * w / 2).sum().backward()
    >>> clip_grad_norm_(w, 1.0), w.grad
    (tensor(5.), tensor([0.6000, 0.8000]))
    """
    grads = gradients(parameters)
    norms = [np.linalg.norm(grad._data.ravel(), float(norm_type)) for grad in grads]
    total = np.linalg.norm(np.array(norms, norms[0].dtype if norms else "f"), float(norm_type))
    if error_if_nonfinite and not math.isfinite(total):
        raise RuntimeError(f"the norm of the gradients is {total}; look for inf and nan in them")
    scale = min(1.0, max_norm / (total + 1e-6)) if not math.isnan(total) else total
    for grad in grads:
        grad._data *= grad.dtype.type(scale)
        memory.touch(grad._data)
    return wrap(total)


def clip_grad_value_(parameters, clip_value):
    """Bring every number of the gradients, in place, between -clip_value and clip_value."""
    for grad in gradients(parameters):
        np.clip(grad._data, -clip_value, clip_value, out=grad._data)
        memory.touch(grad._data)


def parameters_to_vector(parameters):
    """All parameters as one vector."""
    return cat([param.reshape(-1) for param in parameters])


def vector_to_parameters(vec, parameters):
    """Write the numbers of one vector into the parameters."""
    start = 0
    with no_grad():
        for param in parameters:
            param.copy_(vec[start : start + param.numel()].reshape(param.shape))
            start += param.numel()
