"""compile(), and settings of other machines: programs that ask for it run as they are."""

import os
from typing import Any

from tinytorch.devices import check_device

contiguous_format, preserve_format = "torch.contiguous_format", "torch.preserve_format"
channels_last = "torch.channels_last"  # accepted as memory_format=, and passed over
channels_last_3d = "torch.channels_last_3d"


def compile(model=None, **settings) -> Any:
    """The function or module itself; without one, a decorator. All settings are passed over.

    >>> @compile(mode="max-autotune")
    ... def double(x):
    ...     return 2 * x
    >>> double(3)
    6
    """
    return model if model is not None else lambda function: function


def use_deterministic_algorithms(mode, *, warn_only=False) -> None:
    """Nothing: all algorithms are deterministic."""


def set_float32_matmul_precision(precision) -> None:
    """Nothing: products are as precise as NumPy has them."""


def set_num_threads(num) -> None:
    """Nothing: set OMP_NUM_THREADS and OPENBLAS_NUM_THREADS before NumPy is imported."""


def get_num_threads() -> int:
    """How many threads the products of NumPy may take: OMP_NUM_THREADS, or what the machine has."""
    return int(os.environ.get("OMP_NUM_THREADS") or os.cpu_count() or 1)


def set_default_device(device) -> None:
    """Nothing for the CPU; RuntimeError for another device."""
    check_device(device)


def get_default_device() -> check_device:
    """Always the device cpu."""
    return check_device("cpu")
