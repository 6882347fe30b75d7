"""tinytorch: automatic differentiation on NumPy arrays, with the names of PyTorch."""

from tinytorch.tensor import Tensor, Size
from tinytorch import node, engine
from tinytorch.dtypes import *
from tinytorch.elementwise import *
from tinytorch.comparison import *
from tinytorch.shapes import *
from tinytorch.reductions import *
from tinytorch.ordering import *
from tinytorch.indexing import *
from tinytorch.joining import *
from tinytorch.linalg import *
from tinytorch.creation import *
from tinytorch.random import *
from tinytorch.grad_mode import *
from tinytorch import inplace
from tinytorch.function import Function
from tinytorch.gradcheck import gradcheck, gradgradcheck


def __getattr__(name):
    if name in ("nn", "optim", "utils", "autograd", "tape"):  # imported at first use
        from importlib import import_module

        return import_module(f"tinytorch.{name}")
    raise AttributeError(f"module 'tinytorch' has no attribute {name!r}")
