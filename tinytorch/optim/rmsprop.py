"""RMSprop: each step divided by the size that gradients had lately."""

import numpy as np

from tinytorch.optim.optimizer import Optimizer, check_settings, kept


class RMSprop(Optimizer):
    """x -= lr * grad / root of the running mean of grad squared.

    `centered` subtracts the square of the running mean first, `momentum` sums up the steps.
    ValueError for negative settings. From G. Hinton's lectures, 2012.
    """

    def __init__(
        self,
        params,
        lr=1e-2,
        alpha=0.99,
        eps=1e-8,
        weight_decay=0,
        momentum=0,
        centered=False,
        *,
        maximize=False,
    ):
        check_settings(lr=lr, alpha=alpha, eps=eps, weight_decay=weight_decay, momentum=momentum)
        settings = dict(lr=lr, alpha=alpha, eps=eps, weight_decay=weight_decay, momentum=momentum)
        super().__init__(params, {**settings, "centered": centered, "maximize": maximize})

    def update(self, x, grad, group, state):
        if group["maximize"]:
            grad = -grad
        if group["weight_decay"]:
            grad = grad + group["weight_decay"] * x
        direction = grad / (recent_size(grad, group, state) + group["eps"])
        if group["momentum"]:
            velocity = kept(state, "momentum_buffer", start=np.zeros_like(grad))
            velocity *= group["momentum"]
            velocity += direction
            direction = velocity
        x -= group["lr"] * direction


def recent_size(grad, group, state):
    """The root of the running mean of squared gradients, after it took in `grad`."""
    state["step"] = state.get("step", 0) + 1
    square = kept(state, "square_avg", start=np.zeros_like(grad))
    square += (1 - group["alpha"]) * (grad * grad - square)
    if not group["centered"]:
        return np.sqrt(square)
    mean = kept(state, "grad_avg", start=np.zeros_like(grad))
    mean += (1 - group["alpha"]) * (grad - mean)
    return np.sqrt(square - mean * mean)
