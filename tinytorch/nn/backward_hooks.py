"""Backward hooks of modules: functions of yours that see the gradients around one layer."""

import warnings

from tinytorch.function import Function
from tinytorch.tensor import Tensor


class Gate(Function):
    """Tensors as they are; on the way back, `see(grads)` says what their gradients become."""

    @staticmethod
    def forward(ctx, see, *tensors):
        ctx.see = see
        return tensors

    @staticmethod
    def backward(ctx, *grads):
        return None, *ctx.see(grads)


class OnArrival:
    """A hook for gradients that have not gone through the module yet, `hook(module, grads)`."""

    def __init__(self, hook):
        self.hook = hook


class Watch:
    """One call of a module: a gate before it, a gate behind it, the hooks called in between.

    The gradient of an input that does not require grad is None. If none does, there is no gate
    before the module, and the hooks are called at the one behind.
    """

    def __init__(self, module):
        self.module = module
        self.grad_output = None
        self.input_count = 0

    def inputs(self, args):
        self.input_count = len(args)
        self.gated, args = through_gate(args, self.call_hooks)
        return args

    def outputs(self, output):
        if not isinstance(output, (Tensor, tuple)):
            kind = type(output).__name__
            warnings.warn(f"backward hooks need a tensor or a tuple, got {kind}", stacklevel=4)
        single = not isinstance(output, tuple)
        _, outputs = through_gate((output,) if single else output, self.keep)
        return outputs[0] if single else outputs

    def hooks(self, on_arrival):
        hooks = tuple(self.module._backward_hooks.values())
        return [hook for hook in hooks if isinstance(hook, OnArrival) is on_arrival]

    def keep(self, grads):
        for early in self.hooks(on_arrival=True):
            grads = changed_by(early.hook(self.module, grads), grads)
        self.grad_output = grads
        if not self.gated:
            self.call_hooks((None,) * self.input_count)
        return grads

    def call_hooks(self, grads):
        if self.grad_output is None:  # this pass did not come through a result: a second derivative
            return grads
        grad_output, self.grad_output = self.grad_output, None
        for hook in self.hooks(on_arrival=False):
            grads = changed_by(hook(self.module, grads, grad_output), grads)
        return grads


def changed_by(answer, grads):
    """What a hook returned in place of `grads`, or they; RuntimeError for more or fewer."""
    if answer is None:
        return grads
    answer = answer if isinstance(answer, tuple) else (answer,)
    if len(answer) != len(grads):
        raise RuntimeError(f"a hook returned {len(answer)} gradients in place of {len(grads)}")
    return answer


def through_gate(values, see):
    """Whether some of `values` require grad, and `values` with those led through a gate."""
    places = [i for i, x in enumerate(values) if isinstance(x, Tensor) and x.requires_grad]
    if not places:
        return False, values

    def see_all(grads):
        arrived = dict(zip(places, grads, strict=True))
        seen = see(tuple([arrived.get(i) for i in range(len(values))]))
        return [seen[i] for i in places]

    passed = dict(enumerate(values))
    passed.update(zip(places, Gate.apply(see_all, *[values[i] for i in places]), strict=True))
    return True, tuple(passed.values())
