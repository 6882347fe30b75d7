"""Stochastic gradient descent, with momentum if wanted."""

from tinytorch.optim.optimizer import Optimizer, check_settings, kept, step_back, with_decay


class SGD(Optimizer):
    """x -= lr * grad; with momentum, along a running sum of gradients.

    `weight_decay` adds that part of x to its gradient. ValueError for negative settings, and for
    `nesterov` without momentum.

    >>> w = tinytorch.tensor([1.0, 2.0], requires_grad=True)
    >>> (w * w).sum().backward()
    >>> SGD([w], lr=0.1).step()
    >>> w
    tensor([0.8000, 1.6000], requires_grad=True)
    """

    def __init__(
        self,
        params,
        lr=1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov=False,
    ):
        check_settings(lr=lr, momentum=momentum, weight_decay=weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("nesterov needs a momentum above 0 and no dampening")
        settings = dict(lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay)
        super().__init__(params, {**settings, "nesterov": nesterov})

    def update(self, x, grad, group, state):
        grad = with_decay(x, grad, group)
        if group["momentum"]:
            grad = with_momentum(grad, group, state)
        step_back(x, grad, group["lr"])


def with_momentum(grad, group, state):
    """The direction of a step with momentum: a running sum of gradients, after it took in `grad`.

    All are arrays, of the dtype of `grad`. `kept(state, "momentum_buffer", grad)` is the sum v, to
    be changed in place, and all that is kept: zeros the first time. Before that call, `state` has
    no such name. What lies in `state` are Tensors, each with an array inside; put nothing there
    yourself. group["momentum"] is the share of v that stays, group["dampening"] the share of every
    `grad` but the first that's kept out. The result is v, or with group["nesterov"] the look ahead,
    `grad` plus that share of v. `grad` stays as it is; neither v nor the result shares its memory.
    """
    first = state.get("momentum_buffer") is None
    velocity = kept(state, "momentum_buffer", grad)
    velocity *= group["momentum"]
    velocity += grad if first else (1 - group["dampening"]) * grad
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity
