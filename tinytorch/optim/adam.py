"""Adam: a step for each number, scaled by how large its gradients have been."""

import numpy as np

from tinytorch.optim.optimizer import Optimizer, check_settings, kept


class Adam(Optimizer):
    """Running means of the gradient and of its square; x moves by the first over the second's root.

    `weight_decay` adds that part of x to its gradient. ValueError for settings out of range.
    D. Kingma and J. Ba, Adam: A Method for Stochastic Optimization, 2015.

    >>> w = tinytorch.tensor([1.0, -2.0], requires_grad=True)
    >>> (w * w).sum().backward()
    >>> Adam([w], lr=0.1).step()  # the first step is lr, whatever the size of the gradient
    >>> w
    tensor([ 0.9000, -1.9000], requires_grad=True)
    """

    def __init__(
        self,
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=0,
        amsgrad=False,
        *,
        maximize=False,
    ):
        check_settings(lr=lr, eps=eps, weight_decay=weight_decay)
        if not all(0 <= beta < 1 for beta in betas):
            raise ValueError(f"betas must be in [0, 1), got {betas}")
        settings = dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)
        super().__init__(params, {**settings, "amsgrad": amsgrad, "maximize": maximize})

    def update(self, x, grad, group, state):
        if group["maximize"]:
            grad = -grad
        if group["weight_decay"]:
            grad = self.decay(x, grad, group)
        x -= adam_step(grad, group, state)

    def decay(self, x, grad, group):
        """The gradient with the part that draws x towards 0."""
        return grad + group["weight_decay"] * x


class AdamW(Adam):
    """Adam whose weight decay shrinks x itself, and stays out of the running means.

    I. Loshchilov and F. Hutter, Decoupled Weight Decay Regularization, 2019.
    """

    def __init__(
        self,
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay=1e-2,
        amsgrad=False,
        *,
        maximize=False,
    ):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)

    def decay(self, x, grad, group):
        x *= 1 - group["lr"] * group["weight_decay"]
        return grad


def adam_step(grad, group, state):
    """By how much Adam moves a parameter; `state` takes in the new gradient."""
    beta1, beta2 = group["betas"]
    step = kept(state, "step", start=np.float32(0))
    mean = kept(state, "exp_avg", start=np.zeros_like(grad))
    square = kept(state, "exp_avg_sq", start=np.zeros_like(grad))
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    if group["amsgrad"]:
        largest = kept(state, "max_exp_avg_sq", start=np.zeros_like(grad))
        square = np.maximum(largest, square, out=largest)
    # both means began at zero: divide by the share of the weights that gradients have so far
    seen1, seen2 = 1 - beta1 ** step.item(), 1 - beta2 ** step.item()
    return (group["lr"] / seen1) * mean / (np.sqrt(square) / seen2**0.5 + group["eps"])
