"""L-BFGS: the last steps say how the slope bends, and so where it will be 0."""

import math

import numpy as np

from tinytorch import memory
from tinytorch.grad_mode import enable_grad
from tinytorch.operation import quiet
from tinytorch.optim.line_search import Point, strong_wolfe
from tinytorch.optim.optimizer import Optimizer
from tinytorch.tensor import wrap


class LBFGS(Optimizer):
    """Up to `max_iter` steps for each `step(closure)`, with all parameters as one vector.

    The closure computes the loss anew, and its gradients. Steps have the length `lr`, or with
    `line_search_fn="strong_wolfe"` one that was searched for. It ends early at a gradient below
    `tolerance_grad`, and where a step or the loss changes by less than `tolerance_change`.
    ValueError for more than one group of parameters. D. Liu and J. Nocedal, 1989.

    >>> w = tinytorch.tensor([3.0, -2.0], requires_grad=True)
    >>> def closure():
    ...     optimizer.zero_grad()
    ...     loss = (w * w * tinytorch.tensor([1.0, 10.0])).sum()
    ...     loss.backward()
    ...     return loss
    >>> optimizer = LBFGS([w], line_search_fn="strong_wolfe")
    >>> optimizer.step(closure)
    tensor(49., grad_fn=<SumBackward0>)
    >>> tinytorch.allclose(w, tinytorch.zeros(2), atol=1e-4)
    True
    """

    def __init__(
        self,
        params,
        lr=1,
        max_iter=20,
        max_eval=None,
        tolerance_grad=1e-7,
        tolerance_change=1e-9,
        history_size=100,
        line_search_fn=None,
    ):
        if line_search_fn not in (None, "strong_wolfe"):
            raise RuntimeError(f"line_search_fn is None or 'strong_wolfe', got {line_search_fn!r}")
        settings = dict(lr=lr, max_iter=max_iter, max_eval=max_eval or max_iter * 5 // 4)
        settings |= dict(tolerance_grad=tolerance_grad, tolerance_change=tolerance_change)
        settings |= dict(history_size=history_size, line_search_fn=line_search_fn)
        super().__init__(params, settings)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS moves all parameters as one group")

    @quiet
    def step(self, closure):
        """Call the closure again and again, and move; returns the loss of the first call."""
        group, params = self.param_groups[0], self.all_params()
        state = self.state[params[0]]
        history = state.setdefault("history", [])  # pairs: a step, and the change of the gradient
        self.calls = 0
        first, value, grad = self.evaluate(closure)
        for number in range(1, group["max_iter"] + 1):
            if np.abs(grad).max(initial=0) <= group["tolerance_grad"]:
                break
            state["n_iter"] = state.get("n_iter", 0) + 1
            self.remember(state, history, grad, group["history_size"])
            direction = direction_of(grad, [(s._data, c._data) for s, c in history])
            slope = float(grad @ direction)
            if slope > -group["tolerance_change"]:
                break
            is_first = state["n_iter"] == 1
            t = float(group["lr"]) * (
                min(1.0, 1 / (float(np.abs(grad).sum()) or 1.0)) if is_first else 1.0
            )
            before, start = value, Point(0.0, value, slope, grad)
            last = number == group["max_iter"]
            t, value, _, grad = self.moved(closure, start, direction, t, last)
            state["last_step"], state["last_grad"] = wrap(t * direction), wrap(start.grad)
            small = np.abs(t * direction).max() <= group["tolerance_change"]
            if small or abs(value - before) < group["tolerance_change"]:
                break
            if self.calls >= group["max_eval"]:
                break
        return first

    def evaluate(self, closure):
        """(loss, its number, all gradients as one vector) where the parameters are now."""
        self.calls += 1
        with enable_grad():
            loss = closure()
        params = self.all_params()
        grads = [np.zeros(p.numel(), p.dtype) if p.grad is None else p.grad._data for p in params]
        return loss, float(loss), np.concatenate([grad.ravel() for grad in grads])

    def moved(self, closure, start, direction, t, last):
        """The Point to which the parameters moved; after the `last` step nothing is computed."""
        group, began = self.param_groups[0], [p._data.copy() for p in self.all_params()]
        if group["line_search_fn"] is None:
            self.place(began, t * direction)
            if last:
                return start._replace(t=t)
            _, value, grad = self.evaluate(closure)
            return Point(t, value, None, grad)

        def at(t):
            self.place(began, t * direction)
            _, value, grad = self.evaluate(closure)
            return Point(t, value, float(grad @ direction), grad)

        reach = float(np.abs(direction).max())
        narrow = group["tolerance_change"] / reach if reach else math.inf
        blur = 4 * float(np.finfo(start.grad.dtype).eps) * abs(start.value)
        point = strong_wolfe(at, start, t, narrow=narrow, blur=blur)
        self.place(began, point.t * direction)
        return point

    def place(self, began, step):
        """Put each parameter where it `began`, and a part of the vector `step` farther."""
        start = 0
        for param, before in zip(self.all_params(), began, strict=True):
            x = param._data
            x[...] = before + step[start : start + x.size].reshape(x.shape)
            memory.touch(x)
            start += x.size

    def remember(self, state, history, grad, size):
        """Add the last step to the history, where the slope rose along it."""
        if "last_step" not in state:
            return
        step, change = state["last_step"], wrap(grad - state["last_grad"]._data)
        if float(step @ change) > 1e-10:
            history.append((step, change))
            del history[:-size]


def direction_of(grad, history):
    """-H^-1 grad, for the curvature H that the history speaks of."""
    d, parts = -grad, []
    for step, change in reversed(history):
        part = (step @ d) / (change @ step)
        parts.append(part)
        d = d - part * change
    if history:
        step, change = history[-1]
        d = d * ((change @ step) / (change @ change))
    for (step, change), part in zip(history, reversed(parts), strict=True):
        d = d + (part - (change @ d) / (change @ step)) * step
    return d
