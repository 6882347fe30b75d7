"""Looking on at every step of the library, to count what it does in place of asking a clock."""

import sys
from contextlib import contextmanager


@contextmanager
def each_step(look):
    """A `with` block in which look(frame, event) is called at each step of tinytorch's functions.

    What an event is, sys.settrace() says. After the block Python traces as it did before.
    """

    def trace(frame, event, _):
        if not frame.f_globals.get("__name__", "").startswith("tinytorch"):
            return None
        look(frame, event)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)
