"""Has the graded file changed what it is judged by?

It runs in the process that judges it, so it could exchange the judge. Against that: everything
that matters is noted down before the file is loaded and compared afterwards, and questions with
a known answer are put to the judge. This catches patches, not a determined attack on Python.
"""

import sys
from operator import attrgetter, is_
from types import FunctionType

import numpy as np

from course import basics, comparing, contracts, nodes, testing, windowed, zoo
from course.grading import audit, graded, plugin, probes, returns, surroundings, wording

OPEN = ["builtins", "numpy", "numpy.linalg", "json", "json.encoder", "os", "posixpath", "ntpath"]
OPEN += [
    "inspect",
    "traceback",
    "contextlib",
    "pluggy._callers",
    "pluggy._execution",
    "_pytest.runner",
]
OPEN += ["_pytest.python", "_pytest.nodes", "_pytest.reports", "_pytest.outcomes"]
CLOSED = [testing, comparing, basics, contracts, zoo, nodes, windowed]
CLOSED += [audit, graded, plugin, probes, returns, surroundings, wording]
DATA = (bool, int, float, str, bytes, tuple, list, dict, set, type(None))  # of others: may change
CHANGEABLE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class of C without it cannot be changed
CONTENTS = attrgetter("cell_contents")
PASSING = {"__warningregistry__", "__builtins__", "__cached__"}


class Seal:
    """Notes down the judge; `broken()` names the first thing that has changed since, or None.

    Of the modules in CLOSED, and of the tests, every value counts, and a new name too, which could
    hide a builtin; of those in OPEN all that is no plain data. The code and the defaults of the
    `functions` among these are the audit's: it lets nobody change them.

    That is asked after each test, of some thousand things: map and all() make it a millisecond.
    """

    def __init__(self, *modules):
        opened = [sys.modules[name] for name in OPEN if name in sys.modules]
        closed = [sp for m in (*CLOSED, *modules) for sp in _spaces(m.__name__, m)]
        self.values = [_values(*space) for space in closed]
        for module in opened:
            spaces = _spaces(module.__name__, module)
            self.values += [_values(*space, lambda value: not _is_data(value)) for space in spaces]
        self.names = [(path, namespace, set(namespace)) for path, namespace in closed]
        self.functions = [v for *_, noted in self.values for v in noted if type(v) is FunctionType]
        self.lists = [(f"sys.{name}", getattr(sys, name)) for name in ("meta_path", "path_hooks")]
        self.lists = [(path, value, [*value]) for path, value in self.lists]
        self.arrays, self.cells, seen = [], [], set()
        for path, _, names, noted in self.values[: len(closed)]:
            for name, value in zip(names, noted, strict=True):
                self._note(f"{path}.{name}", value, seen)

    def _note(self, path, value, seen):
        """Note down what can be changed in a value, and in its parts."""
        if id(value) in seen:
            return
        seen.add(id(value))
        parts = ()
        if isinstance(value, np.ndarray):
            self.arrays.append((path, value, _contents(value)))
        elif isinstance(value, FunctionType):
            cells = value.__closure__ or ()
            self.cells.append((path, cells, [*map(CONTENTS, cells)]))
            parts = [value.__defaults__, value.__kwdefaults__, *map(CONTENTS, cells)]
        elif isinstance(value, dict):
            parts = [*value, *value.values()]
            self.lists += [(path, value, [*value]), (path, value.values(), [*value.values()])]
        elif isinstance(value, (list, set, tuple, frozenset)):
            parts = [*value]
            self.lists.append((path, value, parts))
        for part in parts:
            self._note(path, part, seen)

    def put(self, module, **values):
        """Give names of a module in CLOSED plain values, and note those."""
        for path, _, names, noted in self.values:
            if path == module.__name__:
                for name, value in values.items():
                    setattr(module, name, value)
                    noted[names.index(name)] = value

    def broken(self):
        for path, namespace, names, noted in self.values:
            if not all(map(is_, map(namespace.get, names), noted)):
                others = zip(names, map(namespace.get, names), noted, strict=True)
                return next(f"{path}.{name}" for name, now, before in others if now is not before)
        for path, namespace, names in self.names:
            if (namespace.keys() ^ names) - PASSING:
                return path
        for path, value, parts in self.lists:
            if len(value) != len(parts) or not all(map(is_, value, parts)):
                return path
        for path, cells, contents in self.cells:
            if not all(map(is_, map(CONTENTS, cells), contents)):
                return path
        return next((path for path, a, before in self.arrays if _contents(a) != before), None)


def _values(path, namespace, counts=lambda value: True):
    """(path, namespace, names, values) of what counts there."""
    names = [n for n in namespace.keys() - PASSING if counts(namespace[n])]
    return path, namespace, names, [namespace[name] for name in names]


def _contents(array):
    return array.dtype.str, array.shape, array.tobytes()


def judge_is_awake():
    """Does the judge still refuse what is wrong, and accept what is right?"""
    wrong = [(1, 2), ([1.0, 2.0], [1, 3]), (np.ones(2), np.ones((1, 2))), ("a", "b"), (None, 1)]
    refused = [_refuses(lambda pair=pair: testing.expect(*pair, "it")) for pair in wrong]
    refused.append(_refuses(lambda: testing.expect_raises(ValueError, list, "it")))
    return all(refused) and not _refuses(lambda: testing.expect([1.0, 2.0], [1, 2], "it"))


def _is_data(value):
    return isinstance(value, DATA)


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
