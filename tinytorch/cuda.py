"""There is no GPU here; programs that ask `cuda` or `accelerator` are told so."""

import sys

from tinytorch import amp

sys.modules[f"{__name__}.amp"] = amp  # so that names can be imported from it


def is_available():
    """Always False."""
    return False


def is_bf16_supported(including_emulation=True):
    """Always False."""
    return False


def device_count():
    """Always 0."""
    return 0


def memory_allocated(device=None):
    """Always 0 bytes."""
    return 0


max_memory_allocated = memory_reserved = max_memory_reserved = memory_allocated


def current_accelerator(check_available=False):
    """Always None; `accelerator.current_accelerator()` is what PyTorch's own examples ask."""


def manual_seed(seed):
    """Nothing: there is no generator to seed."""


def manual_seed_all(seed):
    """Nothing: there is no generator to seed."""


def empty_cache():
    """Nothing: there is no memory to free."""
