"""Adadelta, ASGD, Adamax, NAdam, RAdam, Rprop: relatives of others; one looks at signs only."""

import numpy as np

from tinytorch.optim.optimizer import Optimizer, check_settings, kept, step_back, with_decay


def step_of(state):
    """The number of this step, from 1 on."""
    step = kept(state, "step", np.float32(0))
    step += 1
    return step.item()


def drawn_to(mean, x, share):
    """Let a running mean keep `share` of itself; returns it."""
    mean += (1 - share) * (x - mean)
    return mean


class Adadelta(Optimizer):
    """Steps as large as those before, over the size of the gradients. M. Zeiler, 2012."""

    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay: float = 0):
        settings = dict(lr=lr, rho=rho, eps=eps, weight_decay=weight_decay)
        check_settings(**settings)
        if rho > 1:
            raise ValueError(f"rho must be in [0, 1], got {rho}")
        super().__init__(params, settings)

    def update(self, x, grad, group, state):
        grad, rho, eps = with_decay(x, grad, group), group["rho"], group["eps"]
        step_of(state)
        square, moved = kept(state, "square_avg", grad), kept(state, "acc_delta", grad)
        drawn_to(square, grad * grad, rho)
        step = grad * (np.sqrt(moved + eps) / np.sqrt(square + eps))
        drawn_to(moved, step * step, rho)
        step_back(x, step, group["lr"])


class ASGD(Optimizer):
    """SGD whose steps get smaller; `state[param]["ax"]` is the mean of all places from `t0` on.

    B. Polyak and A. Juditsky, 1992.
    """

    def __init__(self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay: float = 0):
        check_settings(lr=lr, weight_decay=weight_decay)
        settings = dict(lr=lr, lambd=lambd, alpha=alpha, t0=t0, weight_decay=weight_decay)
        super().__init__(params, settings)

    def update(self, x, grad, group, state):
        grad, mean = with_decay(x, grad, group), kept(state, "ax", x)
        rate, share = (kept(state, name, np.float32(0)) for name in ("eta", "mu"))
        n = step_of(state)
        if n == 1:
            rate += group["lr"]
            share += 1
        x *= 1 - group["lambd"] * rate.item()
        step_back(x, grad, rate.item())
        mean += share.item() * (x - mean)
        rate[...] = group["lr"] / (1 + group["lambd"] * group["lr"] * n) ** group["alpha"]
        share[...] = 1 / max(1, n - group["t0"])


class Relative(Optimizer):
    """What takes the settings of Adam.

    A decay that is decoupled draws the parameters towards 0 by itself, as AdamW does.
    """

    def __init__(
        self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay: float = 0, **more
    ):
        check_settings(lr=lr, eps=eps, weight_decay=weight_decay)
        if not all(0 <= beta < 1 for beta in betas):
            raise ValueError(f"betas must be in [0, 1), got {betas}")
        settings = dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)
        super().__init__(params, {**settings, **more})

    def update(self, x, grad, group, state):
        if group.get("decoupled_weight_decay"):
            x *= 1 - group["lr"] * group["weight_decay"]
        else:
            grad = with_decay(x, grad, group)
        self.move(x, grad, group, state, step_of(state), *group["betas"])


class Adamax(Relative):
    """Adam with the largest gradient in place of the mean of squares. D. Kingma, J. Ba, 2015."""

    def move(self, x, grad, group, state, step, beta1, beta2):
        """update(), with the number of the step and the two betas."""
        mean = drawn_to(kept(state, "exp_avg", grad), grad, beta1)
        largest = kept(state, "exp_inf", grad)
        np.maximum(beta2 * largest, np.abs(grad) + group["eps"], out=largest)
        step_back(x, mean / largest, group["lr"] / (1 - beta1**step))


class NAdam(Relative):
    """Adam that looks ahead, as Nesterov's momentum does. T. Dozat, 2016."""

    def __init__(
        self,
        params,
        lr=2e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay: float = 0,
        momentum_decay=4e-3,
        decoupled_weight_decay=False,
    ):
        check_settings(momentum_decay=momentum_decay)
        more = dict(momentum_decay=momentum_decay, decoupled_weight_decay=decoupled_weight_decay)
        super().__init__(params, lr, betas, eps, weight_decay, **more)

    def move(self, x, grad, group, state, step, beta1, beta2):
        """update(), with the number of the step and the two betas."""
        now, after = (
            beta1 * (1 - 0.5 * 0.96 ** (n * group["momentum_decay"])) for n in (step, step + 1)
        )
        mean = drawn_to(kept(state, "exp_avg", grad), grad, beta1)
        square = drawn_to(kept(state, "exp_avg_sq", grad), grad * grad, beta2)
        product = kept(state, "mu_product", np.float32(0))
        product += now if step == 1 else product * (now - 1)
        done = product.item()
        size = np.sqrt(square / (1 - beta2**step)) + group["eps"]
        ahead = grad * ((1 - now) / (1 - done)) + mean * (after / (1 - done * after))
        step_back(x, ahead / size, group["lr"])


class RAdam(Relative):
    """Adam that trusts the mean of squares only once it has seen enough. L. Liu et al., 2020."""

    def __init__(
        self,
        params,
        lr=1e-3,
        betas=(0.9, 0.999),
        eps=1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay=False,
    ):
        more = dict(decoupled_weight_decay=decoupled_weight_decay)
        super().__init__(params, lr, betas, eps, weight_decay, **more)

    def move(self, x, grad, group, state, step, beta1, beta2):
        """update(), with the number of the step and the two betas."""
        mean = drawn_to(kept(state, "exp_avg", grad), grad, beta1)
        square = drawn_to(kept(state, "exp_avg_sq", grad), grad * grad, beta2)
        most = 2 / (1 - beta2) - 1
        seen = most - 2 * step * beta2**step / (1 - beta2**step)
        rate = group["lr"] / (1 - beta1**step)
        if seen <= 5:
            return step_back(x, mean, rate)
        trust = (seen - 4) * (seen - 2) * most / ((most - 4) * (most - 2) * seen)
        size = (np.sqrt(square) + group["eps"]) / (1 - beta2**step) ** 0.5
        step_back(x, mean / size, rate * trust**0.5)


class Rprop(Optimizer):
    """Steps that grow while a gradient keeps its sign, and shrink where it turns: for full batches.

    M. Riedmiller and H. Braun, 1993.
    """

    def __init__(self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50)):
        check_settings(lr=lr)
        if not 0 < etas[0] < 1 < etas[1]:
            raise ValueError(f"etas must be below 1 and above 1, got {etas}")
        super().__init__(params, dict(lr=lr, etas=etas, step_sizes=step_sizes))

    def update(self, x, grad, group, state):
        before, size = kept(state, "prev", grad), kept(state, "step_size", grad)
        if step_of(state) == 1:
            size += group["lr"]
        turned = np.sign(grad * before)
        shrink, grow = group["etas"]
        size *= np.where(turned > 0, grow, np.where(turned < 0, shrink, 1)).astype(x.dtype)
        np.clip(size, *group["step_sizes"], out=size)
        before[...] = np.where(turned < 0, 0, grad)
        step_back(x, np.sign(before) * size, 1)
