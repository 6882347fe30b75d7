"""Around every graded test: what no answer may change, whatever it is asked for.

Two things are noted before a test and looked at after it, also after an exception:

- the process: NumPy's settings, the recursion limit, warnings, random numbers, the folder, and
  the module's own `recording`; and that no Tensor stays behind on a class or in the module;
- the arguments: a profiler sees each call of a definition that the exercise asks for, and what
  it was given must be the same arrays with the same numbers when it returns.

Nothing of the graded file is replaced, so it runs as it would run anywhere.
"""

import inspect
import os
import random
import sys
import warnings
from collections import deque
from types import CodeType, FunctionType

import numpy as np

from course.testing import Mismatch

CONTAINERS = (list, tuple, set, frozenset, dict, deque)
PROCESS = {  # what it is called: (how it is read, how it is put back)
    "np.get_printoptions()": (np.get_printoptions, lambda old: np.set_printoptions(**old)),
    "np.geterr()": (np.geterr, lambda old: np.seterr(**old)),
    "np.random's state": (lambda: repr(np.random.get_state()), lambda old: None),
    "random's state": (random.getstate, random.setstate),
    "the recursion limit": (sys.getrecursionlimit, sys.setrecursionlimit),
    "the warnings filters": (lambda: list(warnings.filters), lambda old: _refill(old)),
    "the current folder": (os.getcwd, os.chdir),
}


class Surroundings:
    """The process as it was before the graded file had been run."""

    def __init__(self):
        self.before = {what: read() for what, (read, _) in PROCESS.items()}
        self.held = set()

    def loaded(self, module):
        """The file has run: a constant that it made then may stay."""
        self.held = set(_left_behind(module))

    def changed(self, module):
        """What is other than before, in words, or None; it is put back."""
        says = None
        for what, (read, put_back) in PROCESS.items():
            now, before = read(), self.before[what]
            if now != before:
                says = says or f"{what} afterwards: {_difference(now, before)}"
                put_back(before)
        if vars(module).get("recording", True) is not True:
            says = says or "recording is False afterwards, was True"
            module.recording = True
        for path in sorted(set(_left_behind(module)) - self.held):
            says = says or f"{path} still holds a Tensor afterwards: nobody else can let go of it"
        return says


class Watch:
    """Looks on while the tests of a chapter run, and remembers what each exercise must answer for.

    A claim that names a slip keeps its own words; before other messages comes what was seen here.
    What claims let pass is said by the exercise's contracts, which run last: test_zoo.py.
    """

    def __init__(self):
        self.surroundings, self.debts = Surroundings(), {}

    def run(self, module, exercise, names, may_change, is_contract):
        """A generator around one test: its yield runs the test. Raises Mismatch."""
        if is_contract and exercise in self.debts:
            raise Mismatch(self.debts[exercise])
        listener = _Listener(module, names, may_change)
        sys.setprofile(listener)
        try:
            result = yield
        except BaseException as error:
            sys.setprofile(None)
            self.surroundings.changed(module)
            if listener.says and (is_contract or not getattr(error, "slip", "")):
                raise Mismatch(listener.says) from None
            raise
        sys.setprofile(None)
        left = self.surroundings.changed(module)  # in any case: it also puts back
        says = listener.says or left
        if says and is_contract:
            raise Mismatch(says)
        if says:
            self.debts.setdefault(exercise, says)
        return result


class _Listener:
    """Is told of every call and every return; looks at those of the exercise, the outermost."""

    def __init__(self, module, names, may_change):
        codes = [(code, name) for name in names for code in codes_of(module, name)]
        self.names = {c: name for c, name in codes if not c.co_flags & inspect.CO_GENERATOR}
        self.module = module
        self.kept = [a for a in ("grad", "grad_fn", "requires_grad") if a not in may_change]
        self.keeps_data = "data" not in may_change
        self.frame, self.notes, self.says = None, [], None

    def __call__(self, frame, event, arg):
        if event == "call" and self.frame is None and frame.f_code in self.names:
            self.frame, self.recording = frame, self._recording()
            self.notes = [(what, t, self._note(t)) for what, t in _given(frame)]
        elif event == "return" and frame is self.frame:
            notes, self.frame, self.notes = self.notes, None, []
            self.says = self.says or self._difference(notes, self.names[frame.f_code])

    def _recording(self):
        return vars(self.module).get("recording")

    def _note(self, tensor):
        data = tensor if isinstance(tensor, np.ndarray) else getattr(tensor, "data", None)
        numbers = data.tobytes() if isinstance(data, np.ndarray) else None
        names = set(getattr(tensor, "__dict__", ()))
        return id(data), numbers, [id(getattr(tensor, name, None)) for name in self.kept], names

    def _difference(self, notes, name):
        if self._recording() is not self.recording:
            return f"recording was {self.recording} before {name}, is {self._recording()} after it"
        for what, tensor, (array, numbers, attributes, names) in notes:
            now = self._note(tensor)
            start = f"{name} changed what it was given: {what}"
            if self.keeps_data and now[1] != numbers:
                return f"{start} has other numbers afterwards"
            if self.keeps_data and now[0] != array:
                return f"{start}.data is another array afterwards"
            for extra in sorted(now[3] ^ names):
                return f"{start}.{extra} was not there before, or is not any more"
            for attribute, old, new in zip(self.kept, attributes, now[2], strict=True):
                if old != new:
                    return f"{start}.{attribute} is not what it was before"
        return None


def codes_of(module, name):
    """The code of a function, a method or a property, also under decorators: in a list."""
    value = module
    for part in name.split("."):
        value = vars(value).get(part) if hasattr(value, "__dict__") else None
    value = getattr(value, "fget", None) or getattr(value, "__func__", None) or value
    while hasattr(value, "__wrapped__"):
        value = value.__wrapped__
    code = getattr(value, "__code__", None)
    return [code] if isinstance(code, CodeType) else []


def _given(frame):
    """(what it is called, Tensor or array) for the arguments of a call, what a ctx holds too."""
    code, values = frame.f_code, frame.f_locals
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & inspect.CO_VARARGS)
    given = {name: values.get(name) for name in code.co_varnames[:count]}
    for name, value in given.items():
        yield from _tensors(name, value)
    for name, value in given.items():
        for part in ("inputs", "_saved"):
            yield from _tensors(f"{name}.{part}", getattr(value, "__dict__", {}).get(part))


def _tensors(what, value):
    if isinstance(value, np.ndarray) or isinstance(getattr(value, "data", None), np.ndarray):
        yield what, value
    elif isinstance(value, dict):
        yield from _tensors(what, [*value, *value.values()])
    elif isinstance(value, (list, tuple)):
        for i, part in enumerate(value):
            if not isinstance(part, CONTAINERS):
                yield from _tensors(f"{what}[{i}]", part)


def _left_behind(module):
    """What a name of the module, of a class or of a function holds a Tensor or a ctx by."""
    kinds = tuple(filter(None, map(vars(module).get, ("Tensor", "Context"))))
    for path, value in _places(module.__name__, vars(module), {}):
        if _holds(value, kinds):
            yield path


def _holds(value, kinds, depth=3):
    if isinstance(value, CONTAINERS) and depth:
        parts = [*value, *value.values()] if isinstance(value, dict) else value
        return any(_holds(part, kinds, depth - 1) for part in parts)
    return isinstance(value, kinds)


def _places(path, namespace, seen):
    for name, value in list(namespace.items()):
        if isinstance(value, (type, FunctionType)) and value.__module__ == "tinytorch":
            if id(value) not in seen:
                seen[id(value)] = value
                yield from _places(f"{path}.{name}", vars(value), seen)
                for default in getattr(value, "__defaults__", None) or ():
                    yield f"a default of {path}.{name}", default
        elif not name.startswith("__") and not isinstance(value, type):
            yield f"{path}.{name}", value


def _refill(old):
    warnings.filters[:] = old
    warnings._filters_mutated()


def _difference(now, before):
    """What has changed, in words."""
    if isinstance(before, dict):
        keys = [key for key in before if now.get(key) != before[key]]
        return ", ".join(f"{key} is {now.get(key)!r}, was {before[key]!r}" for key in keys)
    return f"{now!r}, was {before!r}" if len(repr((now, before))) < 200 else "other than before"
