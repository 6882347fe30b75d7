"""Rarer starts of `init`: weights that pass on what comes, and weights with many zeros."""

import math

import numpy as np

from tinytorch.grad_mode import no_grad
from tinytorch.nn import init
from tinytorch.ops.random import randperm
from tinytorch.tensor import wrap


@no_grad()
def eye_(tensor):
    """Ones on the diagonal of a matrix, zeros elsewhere: a linear layer passes on what comes."""
    check_matrix("eye_", tensor)
    return tensor.copy_(wrap(np.eye(*tensor.shape, dtype=tensor.dtype)))


@no_grad()
def dirac_(tensor, groups=1):
    """A convolution of 1 to 3 dimensions passes on what comes, as many channels as there are.

    With `groups`, each group of output channels begins with the first input channel again.
    """
    if not 3 <= tensor.dim() <= 5 or len(tensor) % groups:
        raise ValueError(
            f"dirac_() needs 3 to 5 dimensions, the first of them in {groups} equal groups;"
            f" got shape {tuple(tensor.shape)}"
        )
    outputs, inputs, *kernel = tensor.shape
    middle = tuple([length // 2 for length in kernel])
    tensor.zero_()
    for channel in range(outputs):
        if (place := channel % (outputs // groups)) < inputs:
            tensor[(channel, place, *middle)] = 1
    return tensor


@no_grad()
def sparse_(tensor, sparsity, std=0.01, generator=None):
    """Normal numbers in a matrix, but the share `sparsity` of each column, rounded up, is 0.

    J. Martens, Deep learning via Hessian-free optimization, 2010.
    """
    check_matrix("sparse_", tensor)
    rows, columns = tensor.shape
    tensor.normal_(0, std, generator=generator)
    for column in range(columns):
        tensor[randperm(rows, generator=generator)[: math.ceil(sparsity * rows)], column] = 0
    return tensor


def check_matrix(name, tensor):
    """ValueError for what has not two dimensions."""
    if tensor.dim() != 2:
        raise ValueError(f"{name}() needs two dimensions, got shape {tuple(tensor.shape)}")


for _start in (dirac_, eye_, sparse_):
    setattr(init, _start.__name__, _start)
