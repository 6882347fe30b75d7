"""Mixed precision, for programs that ask for it: all is computed in the dtype that it has."""

from contextlib import ContextDecorator


class autocast(ContextDecorator):
    """Nothing: on the CPU, operations keep their dtype. A `with` block, or a decorator."""

    def __init__(self, device_type="cpu", dtype=None, enabled=True, cache_enabled=None):
        self.device_type, self.dtype, self.enabled = device_type, dtype, enabled

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False


class GradScaler:
    """Scales nothing: float32 has room for small gradients."""

    def __init__(self, device="cpu", *args, enabled=True, **settings):
        self.device = device

    def scale(self, outputs):
        """The loss itself."""
        return outputs

    def unscale_(self, optimizer):
        """Nothing: nothing was scaled."""

    def step(self, optimizer, *args, **named):
        """The step of the optimizer."""
        return optimizer.step(*args, **named)

    def update(self, new_scale=None):
        """Nothing: there is no scale."""

    def get_scale(self):
        """Always 1."""
        return 1.0

    def is_enabled(self):
        """Always False."""
        return False

    def state_dict(self):
        """An empty dictionary."""
        return {}

    def load_state_dict(self, state_dict):
        """Nothing: there is nothing to remember."""


def custom_fwd(fwd=None, *, device_type="cpu", cast_inputs=None):
    """A forward of one's own as it is: no dtype is changed. Bare, or with settings."""
    return fwd if fwd is not None else lambda function: function


def custom_bwd(bwd=None, *, device_type="cpu"):
    """A backward of one's own as it is, as custom_fwd()."""
    return custom_fwd(bwd)
