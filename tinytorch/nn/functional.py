"""The functions behind the modules, under PyTorch's name: `import tinytorch.nn.functional as F`."""
# ruff: noqa: F401, I001 (a table of contents: names side by side)
# fmt: off

from tinytorch.ops.elementwise import sigmoid, softplus, tanh
from tinytorch.ops.joining import pad
from tinytorch.nn.activations import gelu, leaky_relu, relu, silu
from tinytorch.nn.attention import scaled_dot_product_attention
from tinytorch.nn.conv import conv2d
from tinytorch.nn.dropout import dropout
from tinytorch.nn.embedding import embedding, one_hot
from tinytorch.nn.linear import linear
from tinytorch.nn.losses import (
    binary_cross_entropy, binary_cross_entropy_with_logits, cross_entropy, l1_loss, mse_loss,
    nll_loss,
)
from tinytorch.nn.normalization import batch_norm, layer_norm
from tinytorch.nn.pooling import adaptive_avg_pool2d, avg_pool2d, max_pool2d
from tinytorch.ops.reductions import log_softmax, softmax
