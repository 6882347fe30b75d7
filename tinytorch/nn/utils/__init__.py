"""Tools for networks: small gradients, parameters as one vector, sequences in a batch."""

from tinytorch.nn.utils import rnn
from tinytorch.nn.utils.clipping import clip_grad_norm_, clip_grad_value_
from tinytorch.nn.utils.vectors import parameters_to_vector, vector_to_parameters
from tinytorch.nn.utils.weights import spectral_norm, weight_norm

__all__ = [
    "clip_grad_norm_",
    "clip_grad_value_",
    "parameters_to_vector",
    "rnn",
    "spectral_norm",
    "vector_to_parameters",
    "weight_norm",
]
