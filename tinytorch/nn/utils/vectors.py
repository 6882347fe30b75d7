"""All parameters as one vector, and back."""

from tinytorch.grad_mode import no_grad
from tinytorch.ops.joining import cat


def parameters_to_vector(parameters):
    """All numbers of the parameters one after the other, which gradients flow through.

    >>> parameters_to_vector([tinytorch.zeros(1, 2), tinytorch.ones(1)])
    tensor([0., 0., 1.])
    """
    return cat([param.reshape(-1) for param in parameters])


@no_grad()
def vector_to_parameters(vec, parameters):
    """Write the numbers of `vec` into the parameters; RuntimeError if there are too few."""
    start = 0
    for param in parameters:
        end = start + param.numel()
        param.data.copy_(vec[start:end].reshape(param.shape))
        start = end
