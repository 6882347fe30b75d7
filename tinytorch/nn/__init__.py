"""Networks: modules, layers, losses, and how parameters start."""
# ruff: noqa: I001 (a table of contents: names side by side)
# fmt: off

from pkgutil import extend_path

__path__ = extend_path([], __name__)  # where the package tinytorch looks, this one looks too

from tinytorch.nn import functional, init, utils
from tinytorch.nn.activations import (
    GELU, LeakyReLU, LogSoftmax, ReLU, Sigmoid, SiLU, Softmax, Tanh,
)
from tinytorch.nn.channel_dropout import Dropout1d, Dropout2d
from tinytorch.nn.containers import ModuleDict, ModuleList, Sequential
from tinytorch.nn.conv import Conv2d
from tinytorch.nn.conv_transpose import ConvTranspose2d
from tinytorch.nn.distances import CosineSimilarity, PairwiseDistance
from tinytorch.nn.dropout import Dropout
from tinytorch.nn.embedding import Embedding
from tinytorch.nn.flatten import Flatten, Identity
from tinytorch.nn.group_norm import GroupNorm, InstanceNorm1d, InstanceNorm2d, RMSNorm
from tinytorch.nn.lazy import LazyLinear
from tinytorch.nn.linear import Linear
from tinytorch.nn.losses import (
    BCELoss, BCEWithLogitsLoss, CrossEntropyLoss, L1Loss, MSELoss, NLLLoss,
)
from tinytorch.nn.module import Module
from tinytorch.nn.more_losses import (
    CosineEmbeddingLoss, GaussianNLLLoss, HingeEmbeddingLoss, HuberLoss, KLDivLoss,
    MarginRankingLoss, PoissonNLLLoss, SmoothL1Loss, SoftMarginLoss, TripletMarginLoss,
)
from tinytorch.nn.normalization import BatchNorm1d, BatchNorm2d, LayerNorm
from tinytorch.nn.one_dimension import (
    AdaptiveAvgPool1d, AvgPool1d, Conv1d, ConvTranspose1d, MaxPool1d,
)
from tinytorch.nn.padding import (
    CircularPad1d, CircularPad2d, ConstantPad1d, ConstantPad2d, ReflectionPad1d, ReflectionPad2d,
    ReplicationPad1d, ReplicationPad2d, ZeroPad1d, ZeroPad2d,
)
from tinytorch.nn.parameter import Parameter
from tinytorch.nn.pooling import AdaptiveAvgPool2d, AvgPool2d, MaxPool2d
from tinytorch.nn.rare_activations import (
    CELU, ELU, GLU, Hardshrink, Hardsigmoid, Hardswish, Hardtanh, LogSigmoid, Mish, PReLU, ReLU6,
    SELU, Softmin, Softplus, Softshrink, Softsign, Tanhshrink, Threshold,
)
from tinytorch.nn.recurrent import GRU, GRUCell, LSTM, LSTMCell, RNN, RNNCell
from tinytorch.nn.resizing import PixelShuffle, Upsample
from tinytorch.nn.transformer import (
    MultiheadAttention, Transformer, TransformerDecoder, TransformerDecoderLayer,
    TransformerEncoder, TransformerEncoderLayer,
)

__all__ = [
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AvgPool1d", "AvgPool2d", "BCELoss",
    "BCEWithLogitsLoss", "BatchNorm1d", "BatchNorm2d", "CELU", "CircularPad1d", "CircularPad2d",
    "ConstantPad1d", "ConstantPad2d", "Conv1d", "Conv2d", "ConvTranspose1d", "ConvTranspose2d",
    "CosineEmbeddingLoss", "CosineSimilarity", "CrossEntropyLoss", "Dropout", "Dropout1d",
    "Dropout2d", "ELU", "Embedding", "Flatten", "GELU", "GLU", "GRU", "GRUCell", "GaussianNLLLoss",
    "GroupNorm", "Hardshrink", "Hardsigmoid", "Hardswish", "Hardtanh", "HingeEmbeddingLoss",
    "HuberLoss", "Identity", "InstanceNorm1d", "InstanceNorm2d", "KLDivLoss", "L1Loss", "LSTM",
    "LSTMCell", "LayerNorm", "LazyLinear", "LeakyReLU", "Linear", "LogSigmoid", "LogSoftmax",
    "MSELoss", "MarginRankingLoss", "MaxPool1d", "MaxPool2d", "Mish", "Module", "ModuleDict",
    "ModuleList", "MultiheadAttention", "NLLLoss", "PReLU", "PairwiseDistance", "Parameter",
    "PixelShuffle", "PoissonNLLLoss", "RMSNorm", "RNN", "RNNCell", "ReLU", "ReLU6",
    "ReflectionPad1d", "ReflectionPad2d", "ReplicationPad1d", "ReplicationPad2d", "SELU",
    "Sequential", "SiLU", "Sigmoid", "SmoothL1Loss", "SoftMarginLoss", "Softmax", "Softmin",
    "Softplus", "Softshrink", "Softsign", "Tanh", "Tanhshrink", "Threshold", "Transformer",
    "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder",
    "TransformerEncoderLayer", "TripletMarginLoss", "Upsample", "ZeroPad1d", "ZeroPad2d",
    "functional", "init", "utils",
]
