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

OPEN = [
    "builtins",
    "numpy",
    "json",
    "json.encoder",
    "os",
    "inspect",
    "traceback",
    "pluggy._callers",
]
OPEN += [f"_pytest.{name}" for name in ("runner", "python", "nodes", "reports", "main", "outcomes")]
CLOSED = [testing, graded, plugin, wording]  # a new name in these could hide a builtin


class Seal:
    """Notes down the judge; `broken()` names the first thing that has changed since, or None."""

    def __init__(self, *modules):
        self.closed = [*CLOSED, *modules]
        self.open = [sys.modules[name] for name in OPEN if name in sys.modules]
        self.before = self._look()

    def broken(self):
        now = self._look()
        for path, value in self.before.items():
            if now.get(path) is not value:
                return path
        names = tuple(module.__name__ + "." for module in self.closed)
        new = [path for path in now if path not in self.before and path.startswith(names)]
        return new[0] if new else None if judge_is_awake() else "course.testing.expect"

    def _look(self):
        found = {}
        for module in self.closed + self.open:
            _note(found, module.__name__, module)
        return found


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


def _note(found, path, holder):
    """Put all that hangs on a module, on its classes and its functions into `found`."""
    for name, value in list(vars(holder).items()):
        here = f"{path}.{name}"
        found[here] = value
        if isinstance(value, FunctionType):
            found[f"{here}.__code__"] = value.__code__
        elif type(value) is type and here == f"{value.__module__}.{value.__qualname__}":
            _note(found, here, value)
