"""Keeping gradients small."""

from tinytorch.comparison import isfinite
from tinytorch.creation import zeros
from tinytorch.elementwise import clamp
from tinytorch.grad_mode import no_grad
from tinytorch.joining import stack
from tinytorch.reductions import norm
from tinytorch.tensor import Tensor


@no_grad()
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
    grads = [param.grad for param in parameters if param.grad is not None]
    norms = [norm(grad, float(norm_type)) for grad in grads]
    total = norm(stack(norms), float(norm_type)) if norms else zeros(())
    if error_if_nonfinite and not isfinite(total):
        raise RuntimeError(f"the norm of the gradients is {total}; look for inf and nan in them")
    scale = clamp(max_norm / (total + 1e-6), max=1.0)
    for grad in grads:
        grad.mul_(scale)
    return total
