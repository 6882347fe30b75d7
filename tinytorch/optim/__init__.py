"""Optimizers: how parameters follow their gradients."""

from pkgutil import extend_path

__path__ = extend_path([], __name__)  # where the package tinytorch looks, this one looks too

from tinytorch.optim import lr_scheduler, swa_utils
from tinytorch.optim.adagrad import Adagrad
from tinytorch.optim.adam import Adam, AdamW
from tinytorch.optim.common import with_common
from tinytorch.optim.lbfgs import LBFGS
from tinytorch.optim.optimizer import Optimizer
from tinytorch.optim.rare import ASGD, Adadelta, Adamax, NAdam, RAdam, Rprop
from tinytorch.optim.rmsprop import RMSprop
from tinytorch.optim.sgd import SGD

for _cls in (ASGD, Adadelta, Adam, AdamW, Adamax, NAdam, RAdam, RMSprop, Rprop):
    with_common(_cls, "capturable", *["fused"] * issubclass(_cls, Adam))
for _cls in (Adagrad, SGD):
    with_common(_cls, "fused")

__all__ = [
    "ASGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "LBFGS",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "SGD",
    "lr_scheduler",
    "swa_utils",
]
