"""There is no GPU here; programs that ask `cuda`, `accelerator` or `backends.mps` are told so."""

import sys

mps = sys.modules[__name__]


def is_available():
    """Always False."""
    return False
