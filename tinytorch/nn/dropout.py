"""Dropout: while training, switch off a random part of the numbers."""

from tinytorch.nn.function_module import FunctionModule
from tinytorch.ops.random import source
from tinytorch.tensor import check_tensors, wrap


def dropout(input, p=0.5, training=True, inplace=False):
    """Zero each element with probability `p`, and divide the others by 1 - p; else the input.

    The mean stays the same, so that nothing need be changed after training. ValueError unless
    0 <= p <= 1.

    >>> dropout(tinytorch.ones(2), p=0.5, training=False)
    tensor([1., 1.])
    """
    check_tensors("dropout", input=input)
    check_probability(p)
    if not training or p == 0:
        return input
    kept = source().random(input.shape) >= p
    mask = wrap(kept.astype(input.dtype))
    scaled = mask if p == 1 else mask / (1 - p)
    return input.mul_(scaled) if inplace else input * scaled


def check_probability(p):
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability must be between 0 and 1, got {p}")


class DropoutNd(FunctionModule):
    """What all layers of dropout share: a probability `p`."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        check_probability(self.p)


class Dropout(DropoutNd, function=dropout):
    """dropout() in training mode, nothing in evaluation mode."""
