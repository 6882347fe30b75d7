"""Networks: modules, layers, losses, and how parameters start."""
# ruff: noqa: F401, I001 (a table of contents: names side by side)
# fmt: off

from pkgutil import extend_path

__path__ = extend_path([], __name__)  # where the package tinytorch looks, this one looks too

from tinytorch.nn import functional, init, utils
from tinytorch.nn.activations import (
    GELU, LeakyReLU, LogSoftmax, ReLU, Sigmoid, SiLU, Softmax, Tanh,
)
from tinytorch.nn.containers import ModuleDict, ModuleList, Sequential
from tinytorch.nn.conv import Conv2d
from tinytorch.nn.dropout import Dropout
from tinytorch.nn.embedding import Embedding
from tinytorch.nn.flatten import Flatten, Identity
from tinytorch.nn.linear import Linear
from tinytorch.nn.losses import (
    BCELoss, BCEWithLogitsLoss, CrossEntropyLoss, L1Loss, MSELoss, NLLLoss,
)
from tinytorch.nn.module import Module
from tinytorch.nn.normalization import BatchNorm1d, BatchNorm2d, LayerNorm
from tinytorch.nn.parameter import Parameter
from tinytorch.nn.pooling import AdaptiveAvgPool2d, AvgPool2d, MaxPool2d
