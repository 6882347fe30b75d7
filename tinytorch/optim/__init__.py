"""Optimizers: how parameters follow their gradients."""

from tinytorch.optim import lr_scheduler
from tinytorch.optim.adam import Adam, AdamW
from tinytorch.optim.optimizer import Optimizer
from tinytorch.optim.rmsprop import RMSprop
from tinytorch.optim.sgd import SGD

__all__ = ["SGD", "Adam", "AdamW", "Optimizer", "RMSprop", "lr_scheduler"]
