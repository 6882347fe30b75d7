"""Adam: a step for each number, scaled by how large its gradients have been."""

import numpy as np

from tinytorch.optim.optimizer import Optimizer, check_settings, kept, with_decay


class Adam(Optimizer):
    """Running means of the gradient and of its square; x moves by the first over the second's root.

    `weight_decay` adds that part of x to its gradient; if it's decoupled, x shrinks by itself, as
    with AdamW. ValueError for settings out of range.
    D. Kingma and J. Ba, Adam: A Method for Stochastic Optimization, 2015.

    >>> w = tinytorch.tensor([1.0, -2.0], requires_grad=True)
    >>> (w * w).sum().backward()
    >>> Adam([w], lr=0.1).step()
    >>> w
    tensor([ 0.9000, -1.9000], requires_grad=True)
    """

    def __init__(
        self,
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay: float = 0,
        amsgrad=False,
        *,
        decoupled_weight_decay=False,
    ):
        check_settings(lr=lr, eps=eps, weight_decay=weight_decay)
        if not all(0 <= beta < 1 for beta in betas):
            raise ValueError(f"betas must be in [0, 1), got {betas}")
        settings = dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad)
        super().__init__(params, {**settings, "decoupled_weight_decay": decoupled_weight_decay})

    def update(self, x, grad, group, state):
        if group["decoupled_weight_decay"]:
            x *= 1 - group["lr"] * group["weight_decay"]
        else:
            grad = with_decay(x, grad, group)
        x -= self.move(grad, group, state)

    def move(self, grad, group, state):
        """adam_step(), with `amsgrad` divided by the largest mean of squares that there was."""
        step = adam_step(grad, group, state)
        return step * held_back(group, state) if group["amsgrad"] else step


class AdamW(Adam):
    """Adam whose weight decay shrinks x itself, and stays out of the running means.

    I. Loshchilov and F. Hutter, Decoupled Weight Decay Regularization, 2019.
    """

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False
    ):
        settings = dict(amsgrad=amsgrad, decoupled_weight_decay=True)
        super().__init__(params, lr, betas, eps, weight_decay, **settings)

    def load_state_dict(self, state_dict):
        """Go on from a state; where it is Adam's, the decay stays decoupled all the same."""
        super().load_state_dict(state_dict)
        for group in self.param_groups:
            group["decoupled_weight_decay"] = True


def held_back(group, state):
    """What part of Adam's step is left if no mean of squares may fall.

    S. Reddi et al., On the Convergence of Adam and Beyond, 2018.
    """
    square = state["exp_avg_sq"]._data
    largest = kept(state, "max_exp_avg_sq", square)
    np.maximum(largest, square, out=largest)
    root = (1 - group["betas"][1] ** state["step"].item()) ** 0.5
    return (np.sqrt(square) / root + group["eps"]) / (np.sqrt(largest) / root + group["eps"])


def adam_step(grad, group, state):
    """By how much Adam moves a parameter: an array that is to be subtracted from it.

    Algorithm 1 of Kingma and Ba (2015), on arrays in the dtype of `grad`, with group["lr"],
    beta1, beta2 = group["betas"] and group["eps"], which is added to the root, not under it.
    `kept(state, name, like)` is an array to change in place, zeros at first, and there are three:
    - kept(state, "step", np.float32(0)) counts the steps: compute with step.item(), a plain number,
      for float32 loses digits;
    - kept(state, "exp_avg", grad) is the running mean of the gradient;
    - kept(state, "exp_avg_sq", grad) is that of its square.
    """
    # TODO exercise 11.5: adam_step
    raise NotImplementedError("exercise 11.5: adam_step")
