"""Adagrad: steps that get smaller the more a number has moved."""

import numpy as np

from tinytorch.optim.optimizer import Optimizer, check_settings, kept, step_back, with_decay


class Adagrad(Optimizer):
    """x -= lr * grad / root of the sum of all squared gradients; lr falls by `lr_decay`.

    ValueError for negative settings. J. Duchi et al., Adaptive Subgradient Methods, 2011.
    """

    def __init__(
        self,
        params,
        lr=1e-2,
        lr_decay=0,
        weight_decay=0,
        initial_accumulator_value=0,
        eps=1e-10,
    ):
        settings = dict(lr=lr, lr_decay=lr_decay, eps=eps, weight_decay=weight_decay)
        settings["initial_accumulator_value"] = initial_accumulator_value
        check_settings(**settings)
        super().__init__(params, settings)

    def update(self, x, grad, group, state):
        grad = with_decay(x, grad, group)
        step = kept(state, "step", np.float32(0))
        total = kept(state, "sum", grad)
        if step == 0:
            total += group["initial_accumulator_value"]
        rate = group["lr"] / (1 + step.item() * group["lr_decay"])
        step += 1
        total += grad * grad
        step_back(x, grad / (np.sqrt(total) + group["eps"]), rate)
