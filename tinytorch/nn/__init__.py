"""Networks: modules, layers, losses, and how parameters start."""
# ruff: noqa: I001 (a table of contents: names side by side)
# fmt: off

from pkgutil import extend_path

__path__ = extend_path([], __name__)  # where the package tinytorch looks, this one looks too

from tinytorch.nn import (  # noqa: F401
    functional, init, modules, more_init, old_names, parallel, utils,
)
from tinytorch.nn.activations import (
    GELU, LeakyReLU, LogSoftmax, ReLU, Sigmoid, SiLU, Softmax, Tanh,
)
from tinytorch.nn.channel_dropout import Dropout1d, Dropout2d
from tinytorch.nn.containers import ModuleDict, ModuleList, Sequential
from tinytorch.nn.conv_layers import (
    Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d,
)
from tinytorch.nn.distances import CosineSimilarity, PairwiseDistance
from tinytorch.nn.ctc import CTCLoss
from tinytorch.nn.dropout import Dropout
from tinytorch.nn.embedding import Embedding
from tinytorch.nn.flatten import Flatten, Identity, Unflatten
from tinytorch.nn.folding import Fold, Unfold
from tinytorch.nn.group_norm import (
    GroupNorm, InstanceNorm1d, InstanceNorm2d, InstanceNorm3d, RMSNorm,
)
from tinytorch.nn.parallel import DataParallel
from tinytorch.nn.lazy import (
    LazyBatchNorm1d, LazyBatchNorm2d, LazyBatchNorm3d, LazyConv1d, LazyConv2d, LazyConv3d,
    LazyConvTranspose1d, LazyConvTranspose2d, LazyConvTranspose3d, LazyInstanceNorm1d,
    LazyInstanceNorm2d, LazyInstanceNorm3d, LazyLinear,
)
from tinytorch.nn.linear import Linear
from tinytorch.nn.losses import (
    BCELoss, BCEWithLogitsLoss, CrossEntropyLoss, L1Loss, MSELoss, NLLLoss,
)
from tinytorch.nn.module import Module
from tinytorch.nn.more_layers import (
    AlphaDropout, Bilinear, Dropout3d, EmbeddingBag, RReLU, Softmax2d, UpsamplingBilinear2d,
    UpsamplingNearest2d,
)
from tinytorch.nn.more_losses import (
    CosineEmbeddingLoss, GaussianNLLLoss, HingeEmbeddingLoss, HuberLoss, KLDivLoss,
    MarginRankingLoss, MultiLabelMarginLoss, MultiLabelSoftMarginLoss, MultiMarginLoss,
    PoissonNLLLoss, SmoothL1Loss, SoftMarginLoss, TripletMarginLoss, TripletMarginWithDistanceLoss,
)
from tinytorch.nn.more_pooling import (
    AdaptiveMaxPool1d, AdaptiveMaxPool2d, LocalResponseNorm, LPPool1d, LPPool2d,
)
from tinytorch.nn.multihead import MultiheadAttention
from tinytorch.nn.normalization import BatchNorm1d, BatchNorm2d, BatchNorm3d, LayerNorm
from tinytorch.nn.one_dimension import AdaptiveAvgPool1d, AvgPool1d, MaxPool1d
from tinytorch.nn.padding import (
    CircularPad1d, CircularPad2d, CircularPad3d, ConstantPad1d, ConstantPad2d, ConstantPad3d,
    ReflectionPad1d, ReflectionPad2d, ReflectionPad3d, ReplicationPad1d, ReplicationPad2d,
    ReplicationPad3d, ZeroPad1d, ZeroPad2d, ZeroPad3d,
)
from tinytorch.nn.parameter import Parameter, UninitializedBuffer, UninitializedParameter
from tinytorch.nn.parameter_containers import ParameterDict, ParameterList
from tinytorch.nn.pooling import AdaptiveAvgPool2d, AvgPool2d, MaxPool2d
from tinytorch.nn.rare_activations import (
    CELU, ELU, GLU, Hardshrink, Hardsigmoid, Hardswish, Hardtanh, LogSigmoid, Mish, PReLU, ReLU6,
    SELU, Softmin, Softplus, Softshrink, Softsign, Tanhshrink, Threshold,
)
from tinytorch.nn.recurrent import GRU, GRUCell, LSTM, LSTMCell, RNN, RNNCell
from tinytorch.nn.resizing import ChannelShuffle, PixelShuffle, PixelUnshuffle, Upsample
from tinytorch.nn.three_dimensions import AdaptiveAvgPool3d, AvgPool3d, MaxPool3d
from tinytorch.nn.transformer import (
    Transformer, TransformerDecoder, TransformerDecoderLayer, TransformerEncoder,
    TransformerEncoderLayer,
)
from tinytorch.nn.unpooling import MaxUnpool1d, MaxUnpool2d, MaxUnpool3d

__all__ = [
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d", "AlphaDropout", "AvgPool1d", "AvgPool2d", "AvgPool3d", "BCELoss",
    "BCEWithLogitsLoss", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "Bilinear", "CELU", "CTCLoss",
    "ChannelShuffle", "CircularPad1d", "CircularPad2d", "CircularPad3d", "ConstantPad1d",
    "ConstantPad2d", "ConstantPad3d", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d",
    "ConvTranspose2d", "ConvTranspose3d", "CosineEmbeddingLoss", "CosineSimilarity",
    "CrossEntropyLoss", "DataParallel", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "ELU",
    "Embedding", "EmbeddingBag", "Flatten", "Fold", "GELU", "GLU", "GRU", "GRUCell",
    "GaussianNLLLoss", "GroupNorm", "Hardshrink", "Hardsigmoid", "Hardswish", "Hardtanh",
    "HingeEmbeddingLoss", "HuberLoss", "Identity", "InstanceNorm1d", "InstanceNorm2d",
    "InstanceNorm3d", "KLDivLoss", "L1Loss", "LPPool1d", "LPPool2d", "LSTM", "LSTMCell",
    "LayerNorm", "LazyBatchNorm1d", "LazyBatchNorm2d", "LazyBatchNorm3d", "LazyConv1d",
    "LazyConv2d", "LazyConv3d", "LazyConvTranspose1d", "LazyConvTranspose2d", "LazyConvTranspose3d",
    "LazyInstanceNorm1d", "LazyInstanceNorm2d", "LazyInstanceNorm3d", "LazyLinear", "LeakyReLU",
    "Linear", "LocalResponseNorm", "LogSigmoid", "LogSoftmax", "MSELoss", "MarginRankingLoss",
    "MaxPool1d", "MaxPool2d", "MaxPool3d", "MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d", "Mish",
    "Module", "ModuleDict", "ModuleList", "MultiLabelMarginLoss",
    "MultiLabelSoftMarginLoss", "MultiMarginLoss",
    "MultiheadAttention", "NLLLoss", "PReLU", "PairwiseDistance", "Parameter", "ParameterDict",
    "ParameterList", "PixelShuffle", "PixelUnshuffle", "PoissonNLLLoss", "RMSNorm", "RNN",
    "RNNCell", "RReLU", "ReLU", "ReLU6", "ReflectionPad1d", "ReflectionPad2d", "ReflectionPad3d",
    "ReplicationPad1d", "ReplicationPad2d", "ReplicationPad3d", "SELU", "Sequential", "SiLU",
    "Sigmoid", "SmoothL1Loss", "SoftMarginLoss", "Softmax", "Softmax2d", "Softmin", "Softplus",
    "Softshrink", "Softsign", "Tanh", "Tanhshrink", "Threshold", "Transformer",
    "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder",
    "TransformerEncoderLayer", "TripletMarginLoss", "TripletMarginWithDistanceLoss", "Unflatten",
    "Unfold", "UninitializedBuffer", "UninitializedParameter", "Upsample", "UpsamplingBilinear2d",
    "UpsamplingNearest2d", "ZeroPad1d", "ZeroPad2d", "ZeroPad3d", "functional", "init", "modules",
    "parallel", "utils",
]
