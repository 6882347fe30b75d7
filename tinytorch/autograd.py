"""All of automatic differentiation under one name, as torch.autograd and mxnet.autograd have it."""

# ruff: noqa: I001 (a table of contents: names side by side)
# fmt: off
import sys

from tinytorch import function, functional, graph
from tinytorch.anomaly import detect_anomaly, is_anomaly_enabled, set_detect_anomaly
from tinytorch.gradients import backward, grad
from tinytorch.function import Function
from tinytorch.grad_mode import (
    enable_grad, inference_mode, is_grad_enabled, no_grad, set_grad_enabled,
)
from tinytorch.gradcheck import GradcheckError, gradcheck, gradgradcheck
from tinytorch.modes import (
    get_symbol, is_recording, is_training, mark_variables, pause, predict_mode, record,
    set_recording, set_training, train_mode,
)
from tinytorch.tensor import Tensor
from tinytorch.ops.conversion import detach

__all__ = [
    "Function", "GradcheckError", "Variable", "backward", "detect_anomaly", "enable_grad",
    "function", "functional", "get_symbol", "grad", "gradcheck", "gradgradcheck", "graph",
    "inference_mode", "is_anomaly_enabled", "is_grad_enabled", "is_recording", "is_training",
    "mark_variables", "no_grad", "pause", "predict_mode", "record", "set_detect_anomaly",
    "set_grad_enabled", "set_recording", "set_training", "train_mode",
]


class VariableMeta(type):
    """isinstance(x, Variable) asks whether x is a Tensor."""

    def __instancecheck__(cls, instance):
        return isinstance(instance, Tensor)


class Variable(metaclass=VariableMeta):
    """`Variable(tensor)`: what old programs wrap tensors in, a tensor over the same memory."""

    def __new__(cls, data, requires_grad=False):
        return detach(data).requires_grad_(requires_grad)


# so that they can be imported from here, too, as from torch.autograd
sys.modules[f"{__name__}.function"] = function
sys.modules[f"{__name__}.functional"] = functional
sys.modules[f"{__name__}.graph"] = graph
sys.modules[f"{__name__}.gradcheck"] = sys.modules["tinytorch.gradcheck"]
variable = sys.modules[f"{__name__}.variable"] = sys.modules[__name__]
