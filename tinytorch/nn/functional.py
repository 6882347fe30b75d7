"""The functions behind the modules, under PyTorch's name: `import tinytorch.nn.functional as F`."""
# ruff: noqa: I001 (a table of contents: names side by side)
# fmt: off

from tinytorch.ops.distances import cosine_similarity, normalize, pairwise_distance
from tinytorch.ops.elementwise import sigmoid, tanh
from tinytorch.ops.joining import pad
from tinytorch.nn.activations import gelu, leaky_relu, relu, silu
from tinytorch.nn.attention import scaled_dot_product_attention
from tinytorch.nn.channel_dropout import dropout1d, dropout2d
from tinytorch.nn.conv import conv2d
from tinytorch.nn.conv_transpose import conv_transpose2d
from tinytorch.nn.dropout import dropout
from tinytorch.nn.embedding import embedding, one_hot
from tinytorch.nn.group_norm import group_norm, instance_norm
from tinytorch.nn.linear import linear
from tinytorch.nn.losses import (
    binary_cross_entropy, binary_cross_entropy_with_logits, cross_entropy, l1_loss, mse_loss,
    nll_loss,
)
from tinytorch.nn.more_losses import (
    cosine_embedding_loss, gaussian_nll_loss, hinge_embedding_loss, huber_loss, kl_div,
    margin_ranking_loss, poisson_nll_loss, smooth_l1_loss, soft_margin_loss, triplet_margin_loss,
)
from tinytorch.nn.normalization import batch_norm, layer_norm
from tinytorch.nn.one_dimension import (
    adaptive_avg_pool1d, avg_pool1d, conv1d, conv_transpose1d, max_pool1d,
)
from tinytorch.nn.pooling import adaptive_avg_pool2d, avg_pool2d, max_pool2d
from tinytorch.nn.rare_activations import (
    celu, elu, glu, gumbel_softmax, hardshrink, hardsigmoid, hardswish, hardtanh, logsigmoid, mish,
    prelu, relu6, selu, softmin, softplus, softshrink, softsign, tanhshrink, threshold,
)
from tinytorch.nn.resizing import interpolate, pixel_shuffle
from tinytorch.ops.reductions import log_softmax, softmax

__all__ = [
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "avg_pool1d", "avg_pool2d", "batch_norm",
    "binary_cross_entropy", "binary_cross_entropy_with_logits", "celu", "conv1d", "conv2d",
    "conv_transpose1d", "conv_transpose2d", "cosine_embedding_loss", "cosine_similarity",
    "cross_entropy", "dropout", "dropout1d", "dropout2d", "elu", "embedding", "gaussian_nll_loss",
    "gelu", "glu", "group_norm", "gumbel_softmax", "hardshrink", "hardsigmoid", "hardswish",
    "hardtanh", "hinge_embedding_loss", "huber_loss", "instance_norm", "interpolate", "kl_div",
    "l1_loss", "layer_norm", "leaky_relu", "linear", "log_softmax", "logsigmoid",
    "margin_ranking_loss", "max_pool1d", "max_pool2d", "mish", "mse_loss", "nll_loss", "normalize",
    "one_hot", "pad", "pairwise_distance", "pixel_shuffle", "poisson_nll_loss", "prelu", "relu",
    "relu6", "scaled_dot_product_attention", "selu", "sigmoid", "silu", "smooth_l1_loss",
    "soft_margin_loss", "softmax", "softmin", "softplus", "softshrink", "softsign", "tanh",
    "tanhshrink", "threshold", "triplet_margin_loss",
]
