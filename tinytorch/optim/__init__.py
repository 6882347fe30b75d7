"""Optimizers: how parameters follow their gradients."""
# ruff: noqa: F401 (this file only gathers names)

from tinytorch.optim import lr_scheduler
from tinytorch.optim.adam import Adam, AdamW
from tinytorch.optim.optimizer import Optimizer
from tinytorch.optim.rmsprop import RMSprop
from tinytorch.optim.sgd import SGD
