"""There is no GPU of Apple's here."""

from tinytorch.cuda import is_available  # noqa: F401 (the same answer)


def is_built():
    """Always False."""
    return False
