"""Has the graded file changed what it is judged by?

It runs in the process that judges it, so it could exchange the judge. Against that: everything
that matters is noted down before the file is loaded and compared afterwards, and questions with
a known answer are put to the judge. This catches patches, not a determined attack on Python.
"""

import sys
from types import FunctionType

import numpy as np

from course import testing
from course.grading import graded, plugin, wording

OPEN = ["builtins", "numpy", "json", "json.encoder", "os", "inspect", "traceback"]
OPEN += ["pluggy._callers", "_pytest.runner", "_pytest.python", "_pytest.nodes", "_pytest.reports"]
CLOSED = [testing, graded, plugin, wording]  # a new name in these could hide a builtin
DATA = (bool, int, float, str, bytes, tuple, list, dict, set, type(None))  # tests may count
CHANGEABLE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class of C without it cannot be changed


class Seal:
    """Notes down the judge; `broken()` names the first thing that has changed since, or None."""

    def __init__(self, *modules):
        closed = [*CLOSED, *modules]
        opened = [sys.modules[name] for name in OPEN if name in sys.modules]
        spaces = [space for module in closed for space in _spaces(module.__name__, module)]
        self.names = [(path, namespace, set(namespace)) for path, namespace in spaces]
        spaces += [space for module in opened for space in _spaces(module.__name__, module)]
        self.parts = [
            (namespace, name, value, f"{path}.{name}")
            for path, namespace in spaces
            for name, value in namespace.items()
            if not isinstance(value, DATA)
        ]
        functions = [part for part in self.parts if isinstance(part[2], FunctionType)]
        self.codes = [(function, function.__code__, path) for _, _, function, path in functions]

    def broken(self):
        for namespace, name, value, path in self.parts:
            if namespace.get(name) is not value:
                return path
        for function, code, path in self.codes:
            if function.__code__ is not code:
                return path
        for path, namespace, names in self.names:
            if set(namespace) - {"__warningregistry__"} != names - {"__warningregistry__"}:
                return path
        return None if judge_is_awake() else "course.testing.expect"


def judge_is_awake():
    """Does the judge still refuse what is wrong, and accept what is right?"""
    wrong = [(1, 2), ([1.0, 2.0], [1, 3]), (np.ones(2), np.ones((1, 2))), ("a", "b"), (None, 1)]
    refused = [_refuses(lambda pair=pair: testing.expect(*pair, "it")) for pair in wrong]
    refused.append(_refuses(lambda: testing.expect_raises(ValueError, list, "it")))
    return all(refused) and not _refuses(lambda: testing.expect([1.0, 2.0], [1, 2], "it"))


def _refuses(question):
    try:
        question()
    except testing.Mismatch:
        return True
    return False


def _spaces(path, holder):
    """The namespaces of a module and of its own classes, as (path, namespace)."""
    yield path, vars(holder)
    for name, value in vars(holder).items():
        is_class = isinstance(value, type) and value.__flags__ & CHANGEABLE
        if is_class and f"{path}.{name}" == f"{value.__module__}.{value.__qualname__}":
            yield from _spaces(f"{path}.{name}", value)
