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
from course.grading import audit, graded, plugin, probes, surroundings, wording

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
CLOSED += [audit, graded, plugin, probes, surroundings, wording]
DATA = (bool, int, float, str, bytes, tuple, list, dict, set, type(None))  # of others: may change
CHANGEABLE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class of C without it cannot be changed
DEFAULTS = [attrgetter("__defaults__"), attrgetter("__kwdefaults__")]
PARTS = [attrgetter("__code__"), *DEFAULTS]  # what makes a function another one
PASSING = {"__warningregistry__", "__builtins__", "__cached__"}


class Seal:
    """Notes down the judge; `broken()` names the first thing that has changed since, or None.

    Of the modules in CLOSED, and of the tests, every value counts, and a new name too, which could
    hide a builtin; of those in OPEN all that is no plain data.

    That is asked after each test, of some thousand things: map and all() make it a millisecond.
    """

    def __init__(self, *modules):
        closed = [*CLOSED, *modules]
        opened = [sys.modules[name] for name in OPEN if name in sys.modules]
        spaces = [space for module in closed for space in _spaces(module.__name__, module)]
        self.names = [(path, namespace, set(namespace)) for path, namespace in spaces]
        marks = ((path, value, _mark(value)) for _, _, value, path in _entries(spaces))
        self.values = [entry for entry in marks if entry[2] != id(entry[1])]  # else it has no parts
        others = [space for module in opened for space in _spaces(module.__name__, module)]
        parts = [*_entries(spaces), *(e for e in _entries(others) if not _is_data(e[2]))]
        *self.places, values, self.paths = zip(*parts, strict=True)
        self.parts = [*values]
        functions = [part for part in parts if isinstance(part[2], FunctionType)]
        _, _, self.functions, self.owners = zip(*functions, strict=True)
        self.codes = [tuple(map(part, self.functions)) for part in PARTS]
        self.lists = [("sys.meta_path", sys.meta_path, [*sys.meta_path])]
        self.lists.append(("sys.path_hooks", sys.path_hooks, [*sys.path_hooks]))

    def put(self, module, **values):
        """Give names of a module in CLOSED plain values, and note those."""
        for name, value in values.items():
            setattr(module, name, value)
            self.parts[self.paths.index(f"{module.__name__}.{name}")] = value

    def broken(self):
        return (
            _other(map(_get, *self.places), self.parts, self.paths)
            or self._other_code()
            or self._other_values()
            or (None if judge_is_awake() else "course.testing.expect")
        )

    def _other_code(self):
        for part, noted in zip(PARTS, self.codes, strict=True):
            path = _other(map(part, self.functions), noted, self.owners)
            if path:
                return path
        return None

    def _other_values(self):
        for path, value, mark in self.values:
            if _mark(value) != mark:
                return path
        for path, namespace, names in self.names:
            if (namespace.keys() ^ names) - PASSING:
                return path
        for path, value, entries in self.lists:
            if [*map(id, value)] != [*map(id, entries)]:
                return path
        return None


def _get(namespace, name):
    return namespace.get(name)


def _other(values, noted, paths):
    """The path of the first value that is not the one noted, or None."""
    return next(
        (path for path, same in zip(paths, map(is_, values, noted), strict=True) if not same), None
    )


def judge_is_awake():
    """Does the judge still refuse what is wrong, and accept what is right?"""
    wrong = [(1, 2), ([1.0, 2.0], [1, 3]), (np.ones(2), np.ones((1, 2))), ("a", "b"), (None, 1)]
    refused = [_refuses(lambda pair=pair: testing.expect(*pair, "it")) for pair in wrong]
    refused.append(_refuses(lambda: testing.expect_raises(ValueError, list, "it")))
    return all(refused) and not _refuses(lambda: testing.expect([1.0, 2.0], [1, 2], "it"))


def _entries(spaces):
    for path, namespace in spaces:
        for name in namespace.keys() - PASSING:
            yield namespace, name, namespace[name], f"{path}.{name}"


def _is_data(value):
    return isinstance(value, DATA)


def _refuses(question):
    try:
        question()
    except testing.Mismatch:
        return True
    return False


def _mark(value, depth=6):
    """What a value is, down to its numbers: equal marks, equal values."""
    if depth == 0 or value is None:
        return id(value)
    if isinstance(value, (list, tuple, set, frozenset)):
        return id(value), [_mark(part, depth - 1) for part in value]
    if isinstance(value, dict):
        return id(value), [(_mark(k, depth - 1), _mark(v, depth - 1)) for k, v in value.items()]
    if isinstance(value, np.ndarray):
        return id(value), value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        parts = [part(value) for part in DEFAULTS] + cells
        if any(part is not None for part in parts):
            return id(value), [_mark(part, depth - 1) for part in parts]
    return id(value)


def _spaces(path, holder):
    """The namespaces of a module and of its own classes, as (path, namespace)."""
    yield path, vars(holder)
    for name, value in vars(holder).items():
        is_class = isinstance(value, type) and value.__flags__ & CHANGEABLE
        if is_class and f"{path}.{name}" == f"{value.__module__}.{value.__qualname__}":
            yield from _spaces(f"{path}.{name}", value)
