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


@contextmanager
def at_work(*names):
    """A list that holds, at any time in a `with` block, who of these built-in functions is running.

    >>> with at_work("sort") as running:
    ...     [3].sort(key=lambda _: print(running))
    ['sort']
    """
    running = []

    def follow(_, event, function):
        if event.startswith("c_") and function.__name__ in names:
            if event == "c_call":
                running.append(function.__name__)
            else:  # it returned, or raised
                running.pop()

    before = sys.getprofile()
    sys.setprofile(follow)
    try:
        yield running
    finally:
        sys.setprofile(before)
