"""The functions behind the modules, under PyTorch's name: `import tinytorch.nn.functional as F`."""
# ruff: noqa: I001 (a table of contents: names side by side)
# fmt: off

from tinytorch.ops.distances import cosine_similarity, normalize, pairwise_distance
from tinytorch.ops.elementwise import sigmoid, tanh
from tinytorch.ops.joining import pad
from tinytorch.nn.activations import (
    gelu, leaky_relu, leaky_relu_, log_softmax, relu, silu, softmax,
)
from tinytorch.nn.attention import scaled_dot_product_attention
from tinytorch.nn.channel_dropout import dropout1d, dropout2d
from tinytorch.nn.conv import conv2d
from tinytorch.nn.conv_transpose import conv_transpose2d
from tinytorch.nn.ctc import ctc_loss
from tinytorch.nn.dropout import dropout
from tinytorch.nn.embedding import embedding, one_hot
from tinytorch.nn.folding import fold, unfold
from tinytorch.nn.group_norm import group_norm, instance_norm, rms_norm
from tinytorch.nn.linear import linear
from tinytorch.nn.losses import (
    binary_cross_entropy, binary_cross_entropy_with_logits, cross_entropy, l1_loss, mse_loss,
    nll_loss,
)
from tinytorch.nn.more_layers import (
    alpha_dropout, bilinear, dropout3d, embedding_bag, rrelu,
)
from tinytorch.nn.more_losses import (
    cosine_embedding_loss, gaussian_nll_loss, hinge_embedding_loss, huber_loss, kl_div,
    margin_ranking_loss, multi_margin_loss, multilabel_margin_loss, multilabel_soft_margin_loss,
    poisson_nll_loss, smooth_l1_loss, soft_margin_loss, triplet_margin_loss,
    triplet_margin_with_distance_loss,
)
from tinytorch.nn.more_pooling import (
    adaptive_max_pool1d, adaptive_max_pool2d, local_response_norm, lp_pool1d, lp_pool2d,
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
from tinytorch.nn.resizing import (
    channel_shuffle, interpolate, interpolate as upsample, pixel_shuffle, pixel_unshuffle,
    upsample_bilinear, upsample_nearest,
)
from tinytorch.nn.sampling import affine_grid, grid_sample
from tinytorch.nn.three_dimensions import (
    adaptive_avg_pool3d, avg_pool3d, conv3d, conv_transpose3d, max_pool3d,
)
from tinytorch.nn.unpooling import max_unpool1d, max_unpool2d, max_unpool3d
from tinytorch.ops.distances import pdist
from tinytorch.tensor import Tensor

celu_, elu_, hardtanh_ = Tensor.celu_, Tensor.elu_, Tensor.hardtanh_
relu_, rrelu_, selu_, threshold_ = Tensor.relu_, Tensor.rrelu_, Tensor.selu_, Tensor.threshold_

__all__ = [
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d", "adaptive_max_pool1d",
    "adaptive_max_pool2d", "affine_grid", "alpha_dropout", "avg_pool1d", "avg_pool2d", "avg_pool3d",
    "batch_norm", "bilinear", "binary_cross_entropy", "binary_cross_entropy_with_logits", "celu",
    "celu_", "channel_shuffle", "conv1d", "conv2d", "conv3d", "conv_transpose1d",
    "conv_transpose2d", "conv_transpose3d", "cosine_embedding_loss", "cosine_similarity",
    "cross_entropy", "ctc_loss", "dropout", "dropout1d", "dropout2d", "dropout3d", "elu", "elu_",
    "embedding", "embedding_bag", "fold", "gaussian_nll_loss", "gelu", "glu", "grid_sample",
    "group_norm", "gumbel_softmax", "hardshrink", "hardsigmoid", "hardswish", "hardtanh",
    "hardtanh_", "hinge_embedding_loss", "huber_loss", "instance_norm", "interpolate", "kl_div",
    "l1_loss", "layer_norm", "leaky_relu", "leaky_relu_", "linear", "local_response_norm",
    "log_softmax", "logsigmoid", "lp_pool1d", "lp_pool2d", "margin_ranking_loss", "max_pool1d",
    "max_pool2d", "max_pool3d", "max_unpool1d", "max_unpool2d", "max_unpool3d", "mish", "mse_loss",
    "multi_margin_loss", "multilabel_margin_loss", "multilabel_soft_margin_loss", "nll_loss",
    "normalize", "one_hot", "pad", "pairwise_distance", "pdist", "pixel_shuffle", "pixel_unshuffle",
    "poisson_nll_loss", "prelu", "relu", "relu6", "relu_", "rms_norm", "rrelu", "rrelu_",
    "scaled_dot_product_attention", "selu", "selu_", "sigmoid", "silu", "smooth_l1_loss",
    "soft_margin_loss", "softmax", "softmin", "softplus", "softshrink", "softsign", "tanh",
    "tanhshrink", "threshold", "threshold_", "triplet_margin_loss",
    "triplet_margin_with_distance_loss", "unfold", "upsample", "upsample_bilinear",
    "upsample_nearest",
]
