"""What each thread has switched on: the modes that decide whether history is recorded."""

import threading
from contextvars import copy_context
from functools import wraps
from inspect import isgeneratorfunction
from typing import Self

import numpy as np


class State(threading.local):
    """One set of switches a thread. The values below are what a new thread starts with."""

    grad_enabled = True
    inference = False
    recording = False  # by MXNet's record(), beside grad mode
    unrecorded = True  # grad mode where that recording ends
    training = False

    def __init__(self):
        # quietly(f, x) is f(x) where infinity and NaN are results, and no reason for NumPy to warn;
        # errstate() does the same, but takes longer than a small operation
        context = copy_context()
        context.run(np.seterr, all="ignore")
        self.quietly = context.run


state = State()


class Switch:
    """Set switches for the length of a `with` block or of a decorated function's calls.

    The old values come back at the end, exception or not.
    """

    def __new__(cls, function=None, **values) -> "Self":
        return cls()(function) if callable(function) else super().__new__(cls)  # @no_grad, bare

    def __init__(self, **values):
        self._values = values
        self._before = []  # a stack: the same object may be entered again inside itself

    def __enter__(self):
        self._before.append({name: getattr(state, name) for name in self._values})
        for name, value in self._values.items():
            setattr(state, name, value)
        return self

    def __exit__(self, *exception):
        for name, value in self._before.pop().items():
            setattr(state, name, value)

    def __call__(self, function):
        if isgeneratorfunction(function):
            return self._stepwise(function)

        @wraps(function)
        def switched(*args, **kwargs):
            with Switch(**self._values):  # a new one: calls of several threads may overlap
                return function(*args, **kwargs)

        return switched

    def _stepwise(self, generator_function):
        """Switched while the generator runs, and as outside while what it yielded is used."""

        @wraps(generator_function)
        def switched(*args, **kwargs):
            items = generator_function(*args, **kwargs)
            resume, given = items.send, None
            try:
                while True:
                    with Switch(**self._values):
                        item = resume(given)
                    try:
                        resume, given = items.send, (yield item)
                    except GeneratorExit:
                        raise
                    except BaseException as error:  # throw() brought it, for the generator
                        resume, given = items.throw, error
            except StopIteration as stop:
                return stop.value
            finally:
                with Switch(**self._values):
                    items.close()

        return switched
