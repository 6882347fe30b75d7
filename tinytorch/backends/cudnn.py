"""There is no cuDNN here: its switches may be set, and change nothing."""

from contextlib import nullcontext

from tinytorch.cuda import is_available  # noqa: F401 (the same answer)

enabled = allow_tf32 = True
benchmark = deterministic = False


def flags(enabled=True, benchmark=False, deterministic=False, allow_tf32=True):
    """A context manager that changes nothing."""
    return nullcontext()


def version():
    """None: there is none."""
