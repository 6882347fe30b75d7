"""Tools for networks: small gradients, parameters as one vector, sequences in a batch."""

import sys

from tinytorch.nn.utils import (
    clipping,
    parametrizations,
    parametrize,
    prune,
    rnn,
    vectors,
    weights,
)
from tinytorch.nn.utils.clipping import (
    clip_grad_norm_,
    clip_grad_value_,
    clip_grads_with_norm_,
    get_total_norm,
)
from tinytorch.nn.utils.vectors import parameters_to_vector, vector_to_parameters
from tinytorch.nn.utils.weights import (
    remove_spectral_norm,
    remove_weight_norm,
    spectral_norm,
    weight_norm,
)

clip_grad_norm = clip_grad_norm_  # as old programs call it

__all__ = [
    "clip_grad_norm",
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "get_total_norm",
    "parameters_to_vector",
    "parametrizations",
    "parametrize",
    "prune",
    "remove_spectral_norm",
    "remove_weight_norm",
    "rnn",
    "spectral_norm",
    "vector_to_parameters",
    "weight_norm",
]

# where PyTorch keeps them
sys.modules[f"{__name__}.clip_grad"] = clipping
sys.modules[f"{__name__}.convert_parameters"] = vectors
sys.modules[f"{__name__}.spectral_norm"] = sys.modules[f"{__name__}.weight_norm"] = weights
