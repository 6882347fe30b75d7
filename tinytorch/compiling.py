"""compile(): programs that ask for it run as they are."""

from typing import Any


def compile(model=None, **settings) -> Any:
    """The function or module itself; without one, a decorator. All settings are passed over.

    >>> @compile(mode="max-autotune")
    ... def double(x):
    ...     return 2 * x
    >>> double(3)
    6
    """
    return model if model is not None else lambda function: function
