"""Switching the recording of history on and off, for the thread that asks."""

from tinytorch.state import Switch, state


class no_grad(Switch):
    """Record no history: in a `with` block, or in the function that it decorates.

    >>> with no_grad():
    ...     is_grad_enabled()
    False
    """

    def __init__(self):
        super().__init__(grad_enabled=False)


class enable_grad(Switch):
    """Record history again, inside a no_grad block."""

    def __init__(self):
        super().__init__(grad_enabled=True)


class set_grad_enabled(Switch):
    """Switch recording at once; at the end of a `with` block, the old state comes back.

    As a decorator, it switches only while the function runs.
    """

    def __init__(self, mode):
        before = state.grad_enabled
        super().__init__(grad_enabled=bool(mode))
        state.grad_enabled = bool(mode)
        self._outer = before

    def __enter__(self):
        super().__enter__()
        self._before[-1] = {"grad_enabled": self._outer}
        return self

    def __call__(self, function):
        state.grad_enabled = self._outer  # a decorator switches in the calls only
        return super().__call__(function)


class inference_mode(Switch):
    """Record no history, and say so: is_inference_mode_enabled() is True inside."""

    def __init__(self, mode=True):
        super().__init__(grad_enabled=state.grad_enabled and not mode, inference=bool(mode))


def is_grad_enabled() -> bool:
    """True if this thread records history now."""
    return state.grad_enabled


def is_inference_mode_enabled() -> bool:
    """True inside inference_mode()."""
    return state.inference
