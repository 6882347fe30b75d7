"""Keeping gradients small."""

import math

import numpy as np

from tinytorch import memory
from tinytorch.tensor import Tensor, wrap


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Scale all gradients, in place, so that together they have at most the norm `max_norm`.

    Returns the norm that they had before, a tensor. RuntimeError for a norm that is not finite,
    where `error_if_nonfinite`. `foreach` changes nothing.

    >>> w = tinytorch.tensor([3.0, 4.0], requires_grad=True)
    >>> (w * w / 2).sum().backward()
    >>> clip_grad_norm_(w, 1.0), w.grad
    (tensor(5.), tensor([0.6000, 0.8000]))
    """
    grads = grads_of(parameters)
    total = norm_of_all(grads, norm_type, error_if_nonfinite)
    scale_down(grads, max_norm, total)
    return wrap(total)


def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """The norm of all numbers in the tensors, as if they were one vector.

    RuntimeError for a norm that is not finite, where `error_if_nonfinite`. `foreach` changes
    nothing.

    >>> get_total_norm([tinytorch.tensor([3.0]), tinytorch.tensor([[4.0]])])
    tensor(5.)
    """
    tensors = [tensors] if isinstance(tensors, Tensor) else tensors
    return wrap(norm_of_all([x._data for x in tensors], norm_type, error_if_nonfinite))


def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    """What clip_grad_norm_() does to the gradients, if their norm is `total_norm`, a tensor."""
    scale_down(grads_of(parameters), max_norm, total_norm._data)


def grads_of(parameters):
    """The gradients that there are, as arrays."""
    parameters = [parameters] if isinstance(parameters, Tensor) else parameters
    return [param.grad._data for param in parameters if param.grad is not None]


def norm_of_all(arrays, p, must_be_finite):
    """The p-norm of all numbers in the arrays; RuntimeError if it must be finite and isn't."""
    norms = [np.linalg.norm(array.ravel(), float(p)) for array in arrays]
    total = np.linalg.norm(norms or np.zeros(1, "float32"), float(p))
    if must_be_finite and not math.isfinite(total):
        raise RuntimeError(f"the norm of the gradients is {total}; look for inf and nan in them")
    return total


def scale_down(grads, max_norm, total):
    """Scale the arrays, whose norm is `total`, so that it is `max_norm` at most."""
    scale = np.minimum(1.0, max_norm / (total + 1e-6))  # NaN stays NaN
    for grad in grads:
        grad *= grad.dtype.type(scale)
        memory.touch(grad)


def clip_grad_value_(parameters, clip_value, foreach=None):
    """Cut all gradients, in place, to numbers from -clip_value to clip_value.

    `foreach` changes nothing.

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
