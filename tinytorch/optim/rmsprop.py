"""RMSprop: each step divided by the size that gradients had lately."""

import numpy as np

from tinytorch.optim.optimizer import Optimizer, check_settings, kept, step_back, with_decay


class RMSprop(Optimizer):
    """x -= lr * grad / root of the running mean of grad squared.

    `momentum` sums up the steps; `centered` takes the running mean of grad off first.
    ValueError for negative settings. From G. Hinton's lectures, 2012.
    """

    def __init__(
        self,
        params,
        lr=1e-2,
        alpha=0.99,
        eps=1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered=False,
    ):
        settings = dict(lr=lr, alpha=alpha, eps=eps, weight_decay=weight_decay, momentum=momentum)
        check_settings(**settings)
        super().__init__(params, {**settings, "centered": centered})

    def update(self, x, grad, group, state):
        grad = with_decay(x, grad, group)
        step = kept(state, "step", np.float32(0))
        square = kept(state, "square_avg", grad)
        step += 1
        square += (1 - group["alpha"]) * (grad * grad - square)
        spread = square
        if group["centered"]:
            mean = kept(state, "grad_avg", grad)
            mean += (1 - group["alpha"]) * (grad - mean)
            spread = square - mean * mean
        direction = grad / (np.sqrt(spread) + group["eps"])
        if group["momentum"]:
            velocity = kept(state, "momentum_buffer", grad)
            velocity *= group["momentum"]
            velocity += direction
            direction = velocity
        step_back(x, direction, group["lr"])
