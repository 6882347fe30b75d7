"""Around every graded test: what no answer may change, whatever it is asked for.

Two things are noted before a test and looked at after it, also after an exception:

- the process: NumPy's settings, the recursion limit, warnings, random numbers, the folder, and
  the module's own `recording`, in Part II the library's switches; and that no Tensor and no part of
  a graph stays behind on a class, on a function or in a module, whatever it is that holds it there;
- the arguments: each call of a definition that the exercise asks for is noted by its probes, and
  what it was given must be the same arrays with the same numbers, shape and layout when it returns,
  and the same lists of the same things. What it gives back is new: it shares no memory with what
  it was given, and no later call writes into it.

exercises.toml declares what an answer may do: `changes` attributes, or lists by the names of their
parameters; `may_share` memory.
"""

import gc
import os
import random
import sys
import warnings
import weakref
from collections import deque
from functools import cache
from itertools import combinations, islice
from types import FunctionType, ModuleType

import numpy as np
import numpy.random  # else it comes with the first use, in each fork of a nest anew

from course.grading.probes import set_probes
from course.testing import Mismatch, blank_behind

KEEP = "nobody else can let go of it: keep it in a local name, or on the object that it is for"
MANY = 20  # results that are compared with each other
LARGE = 10_000  # numbers: of a result with more, nobody looks whether a later call changes it
CACHE = type(cache(len))  # what functools makes of a function that keeps its answers
FAR = 10_000  # things: where one place leads to more, nobody looks any further
CONTAINERS = (list, tuple, set, frozenset, dict, deque)
PROCESS = {  # what it is called: (how it is read, how it is put back)
    "np.get_printoptions()": (np.get_printoptions, lambda old: np.set_printoptions(**old)),
    "np.geterr()": (np.geterr, lambda old: np.seterr(**old)),
    "np.random's state": (lambda: _random_state(), lambda old: _draw_from(old)),
    "random's state": (random.getstate, random.setstate),
    "the recursion limit": (sys.getrecursionlimit, sys.setrecursionlimit),
    "the warnings filters": (lambda: list(warnings.filters), lambda old: _refill(old)),
    "the current folder": (os.getcwd, os.chdir),
    "sys.getprofile()": (sys.getprofile, sys.setprofile),
    "sys.gettrace()": (sys.gettrace, sys.settrace),
}


class Surroundings:
    """The process as it was before the graded file had been run."""

    def __init__(self):
        self.before = {what: read() for what, (read, _) in PROCESS.items()}
        self.parts, self.held = {}, set()

    def loaded(self, parts):
        """The file has run: a constant that it made then may stay."""
        self.parts, self.held = parts, set(_left_behind(parts))

    def changed(self):
        """What is other than before, in words, or None; it is put back."""
        says = None
        for what, (read, put_back) in PROCESS.items():
            now, before = read(), self.before[what]
            if now != before:
                says = says or f"{what} afterwards: {_difference(now, before)}"
                put_back(before)
        holder, switches = _switches(self.parts)
        for name, before in switches.items():
            if (now := getattr(holder, name)) is not before:
                says = says or f"{name} is {now} afterwards, was {before}"
                setattr(holder, name, before)
        if self._new_behind():
            gc.collect()  # what only garbage keeps is as good as gone
            for path, held in sorted(self._new_behind().items()):
                says = says or f"{path} still holds {held} afterwards: {KEEP}"
        return says

    def _new_behind(self):
        """{where: what} for what is left behind and wasn't there when the file had run."""
        left = _left_behind(self.parts)
        return {path: held for path, held in left.items() if path not in self.held}


class Watch:
    """Looks on while the tests of a chapter run, and remembers what each exercise must answer for.

    A claim that names a slip keeps its own words; before other messages comes what was seen here.
    What claims let pass is said by the exercise's contracts, which run last: test_zoo.py.
    """

    def __init__(self):
        self.surroundings, self.listener = Surroundings(), None
        self.debts = {}  # exercise: what claims let pass, and what had run there
        self.given_back = {}  # exercise: the arrays that its definitions have given back
        self.ran = set()  # the names of the definitions that have run in the last test

    def loaded(self, parts, names):
        """The graded modules have run: from now on these definitions are listened to."""
        self.surroundings.loaded(parts)
        set_probes(parts, names, self._probes)

    def run(self, exercise, asked, is_contract, wait):
        """A generator around one test: its yield runs the test. Raises Mismatch.

        `exercise` is the id of the one that is judged, `asked` the one that the test was made for;
        `wait` raises where something that the test builds on is wrong.
        """
        self.ran.clear()
        if is_contract and exercise in self.debts:
            wait()
            says, ran = self.debts[exercise]
            self.ran |= ran
            raise Mismatch(says)
        earlier = self.given_back.setdefault(asked.id, {})
        self.listener = listener = _Listener(self.surroundings.parts, asked, earlier)
        try:
            result = yield
        except BaseException as error:
            self.listener = None
            self.surroundings.changed()
            is_cut = blank_behind(error) is not None or listener.was_cut_by(error)
            if listener.says and not is_cut and (is_contract or not getattr(error, "slip", "")):
                raise Mismatch(listener.says) from None
            raise
        self.listener = None
        left = self.surroundings.changed()  # in any case: it also puts back
        says = listener.says or left
        if says and is_contract:
            wait()
            raise Mismatch(says)
        if says:
            self.debts.setdefault(exercise, (says, set(self.ran)))
        return result

    def _probes(self, name):
        """What a definition calls: enter(*arguments), value = give(value), leave(); or run()."""

        def run():
            self.ran.add(name)

        def enter(*given):
            run()
            if self.listener is not None and name in self.listener.names:
                self.listener.enter(name, given)

        def give(value):
            if self.listener is not None and name in self.listener.names:
                self.listener.give(name, value)
            return value

        def leave():
            if self.listener is not None and name in self.listener.names:
                self.listener.leave(name)

        return enter, give, leave, run


class _Listener:
    """Looks at the calls of one exercise's definitions, the outermost ones."""

    def __init__(self, parts, exercise, earlier):
        """`earlier` are the arrays that calls in this test and others gave back, as long as they
        live: {id: (weak reference, name)}.
        """
        self.parts, self.names, self.may_share = parts, exercise.names, exercise.may_share
        self.earlier, self.older = earlier, []
        self.kept = [a for a in ("grad", "grad_fn", "requires_grad") if a not in exercise.changes]
        self.keeps_data, self.changes = "data" not in exercise.changes, exercise.changes
        self.depth, self.notes, self.lists, self.says = 0, [], [], None
        self.cut_by = None  # the exception that ended the call of which `says` is said

    def enter(self, name, given):
        self.depth += 1  # first: looking at a tensor may call what is watched
        if self.depth == 1:
            self.switches, self.raised = self._switches(), sys.exc_info()[1]
            tensors = _tensors_given(given, self.parts)
            self.notes = [(what, t, self._note(t)) for what, t in tensors]
            kept = [(name, value) for name, value in given if name not in self.changes]
            lists = (found for name, value in kept for found in _lists(name, value))
            self.lists = [(what, held, list(held)) for what, held in lists]
            alive = ((made, by, made()) for made, by in [*self.earlier.values()])
            self.older = [(made, by, a.tobytes()) for made, by, a in alive if a is not None]

    def give(self, name, value):
        """What comes back from the outermost call must be new.

        A backward may pass on the very Tensor that came, as that of Add does.
        """
        if self.depth != 1:
            return
        results = list(islice(_tensors("it", value), MANY))
        self._remember(name, results)
        if self.may_share or self.says:
            return
        passed_on = name.endswith(".backward")
        for what, given, _ in self.notes:
            for _, result in results:
                if _shares(result, given) and not (passed_on and result is given):
                    new = "make a new array for what you return"
                    self.says = f"the result of {name} shares its memory with {what}: {new}"
        pairs = [(one, other) for (_, one), (_, other) in combinations(results, 2)]
        if any(_shares(*pair) and not (passed_on and pair[0] is pair[1]) for pair in pairs):
            self.says = self.says or f"{name} gave two results that share their memory"

    def _remember(self, name, results):
        """Whose numbers no later call may change. Where an answer may change anything, nothing's.

        It's the array behind a view that lives on, in a buffer.
        """
        for _, result in results if not self.changes else ():
            array = _numbers(result)
            while isinstance(array.base, np.ndarray):
                array = array.base
            if type(array) is np.ndarray and array.size <= LARGE and array.dtype != object:
                key = id(array)
                gone = weakref.ref(array, lambda _, key=key: self.earlier.pop(key, None))
                self.earlier[key] = gone, name

    def leave(self, name):
        if self.depth == 1:
            notes, self.notes = self.notes, []
            older, self.older = self.older, []
            says = self._difference(notes, name) or self._older_difference(older, name)
            if self.says is None and says:
                self.says, self.cut_by = says, self._raised_since()
            self.lists = []  # nothing of the student's is kept alive
        self.depth -= 1

    def was_cut_by(self, error):
        """Is this the exception, told on by a test or not, that left a call's work half done?

        Then it is what there is to mend.
        """
        return self.cut_by is not None and self.cut_by in (error, error.__cause__)

    def _switches(self):
        holder, switches = _switches(self.parts)
        return {name: getattr(holder, name) for name in switches}

    def _note(self, tensor):
        data = _numbers(tensor)
        numbers = _bytes(data) if isinstance(data, np.ndarray) else None
        form = [(name, getattr(data, name, None)) for name in ("shape", "dtype", "strides")]
        names = set(getattr(tensor, "__dict__", ()))
        kept = [id(getattr(tensor, name, None)) for name in self.kept]
        return id(data), numbers, form, kept, names

    def _difference(self, notes, name):
        for switch, now in self._switches().items():
            if now is not (before := self.switches.get(switch)):
                says = f"{switch} was {before} before {name}, is {now} after it"
                return f"{says}{self._ended()}"
        for what, tensor, (array, numbers, form, attributes, names) in notes:
            now = self._note(tensor)
            its_own = what.startswith("self.")
            whose = " in place, where others may hold it" if its_own else ", which it was given"
            start = f"{name} changed {what}{whose}"
            if self.keeps_data and (now[1] != numbers or now[2] != form):
                return f"{start}: {_array_changed(what, tensor, numbers, form)}{self._ended()}"
            if self.keeps_data and now[0] != array:
                return f"{start}: {what}.data is another array afterwards{self._ended()}"
            for extra in sorted(now[4] ^ names):
                came = "is new" if extra in now[4] else "is gone"
                return f"{start}: {what}.{extra} {came}"
            for attribute, old, new in zip(self.kept, attributes, now[3], strict=True):
                if old != new:
                    return f"{start}: {what}.{attribute} is not what it was before"
        for what, held, before in self.lists:
            if list(map(id, held)) != list(map(id, before)):
                start = f"{name} changed {what}, a list which it was given"
                return f"{start}: it was {before}, is {held} afterwards"
        return None

    def _older_difference(self, older, name):
        """What an earlier call had given is as it was: it belongs to who has it."""
        for made, by, numbers in older:
            array = made()
            if array is not None and array.tobytes() != numbers:
                whose = "an earlier call" if by == name else f"an earlier call of {by}"
                says = _number_changed("it", array, numbers) + self._ended()
                return f"{name} changed the result of {whose}: {says}. Make a new array each time"
        return None

    def _raised_since(self):
        """The exception that the call is being left with, None where it returned."""
        raised = sys.exc_info()[1]
        return None if raised is self.raised else raised

    def _ended(self):
        """How the call that is being left ended, where it did not return."""
        raised = self._raised_since()
        return "" if raised is None else f", when {type(raised).__name__} cuts it short"


def _array_changed(what, tensor, numbers, form):
    """What is not as it was: that it is an array, its shape, dtype or strides, or a number."""
    now = _numbers(tensor)
    if now is None:
        kind = type(getattr(tensor, "data", None)).__name__
        return f"{what}.data is no array afterwards, it is {kind}"
    data = what if tensor is now else f"{what}.data"
    for name, before in form:
        if getattr(now, name) != before:
            if name == "strides" and now.T.strides == before:
                return f"{data} is turned on its side afterwards: leave it, and turn a new Tensor"
            return f"{data}.{name} was {before}, is {getattr(now, name)} afterwards"
    return _number_changed(what, tensor, numbers)


def _number_changed(what, tensor, numbers):
    """The first number that is not what it was, and whether it could be a rounding error."""
    now = _numbers(tensor)
    if now.dtype.kind not in "biuf":
        return f"{what} has other numbers afterwards"
    before, after = (np.frombuffer(b, now.dtype) for b in (numbers, _bytes(now)))
    i = int(np.argmax(before.view(f"V{now.itemsize}") != after.view(f"V{now.itemsize}")))
    place = f"[{', '.join(map(str, np.unravel_index(i, now.shape)))}]" if now.ndim else ""
    data = "" if tensor is now else ".data"
    was, held = _texts(before[i].item(), after[i].item())
    says = f"{what}{data}{place} was {was}, is {held} afterwards"
    if now.dtype.kind == "f" and 0 < abs(after[i] - before[i]) <= 4 * np.finfo(now.dtype).eps:
        return f"{says}. That's a rounding error: keep the old value and set it again"
    return says


def _texts(*values):
    """Both as Python writes them; floats with as many digits as it takes to see the difference."""
    for digits in (5, 9, 17):
        texts = [repr(float(f"{v:.{digits}g}") if isinstance(v, float) else v) for v in values]
        if texts[0] != texts[1]:
            break
    return texts


def _tensors_given(given, parts):
    """(what it is called, Tensor or array) for the arguments of a call, what a ctx holds too.

    In Part II what every object of a class of the graded modules holds.
    """
    modules = {module.__name__ for name, module in parts.items() if name}
    for name, value in given:
        yield from _tensors(name, value)
    for name, value in given:
        held = getattr(value, "__dict__", {})
        for part in held if type(value).__module__ in modules else ("inputs", "_saved"):
            yield from _tensors(f"{name}.{part}", held.get(part))


def _lists(what, value):
    """(what it is called, list) for an argument that is a list, and for the lists in it."""
    if isinstance(value, list):
        yield what, value
        for i, part in enumerate(value):
            yield from _lists(f"{what}[{i}]", part)


def _switches(parts):
    """What holds the switches, and how each stands when nobody has touched it."""
    if "" in parts:
        return parts[""], {"recording": True} if "recording" in vars(parts[""]) else {}
    state = getattr(sys.modules.get("tinytorch.state"), "state", None)
    return state, {n: v for n, v in vars(type(state)).items() if isinstance(v, bool)}


def _numbers(thing):
    """The array in a Tensor, or an array itself; None where there is none."""
    if isinstance(thing, np.ndarray):
        return thing
    for name in ("data", "_data"):  # the library's data is a Tensor
        array = getattr(thing, name, None)
        if isinstance(array, np.ndarray):
            return array
    return None


def _bytes(array):
    """The bytes of the numbers of an array. A long double has some more that mean nothing."""
    if array.dtype.char == "g" and np.finfo("g").nmant == 63:
        array = array.copy(order="C")
        array.reshape(-1).view(np.uint8).reshape(-1, array.itemsize)[:, 10:] = 0
    return array.tobytes()


def _shares(one, other):
    """Do two Tensors or arrays have numbers in common?"""
    one, other = _numbers(one), _numbers(other)
    return np.may_share_memory(one, other) and np.shares_memory(one, other)


def _tensors(what, value):
    if _numbers(value) is not None:
        yield what, value
    elif isinstance(value, dict):
        for part in [*value, *value.values()]:
            if not isinstance(part, CONTAINERS):
                yield from _tensors(f"something in {what}", part)
    elif isinstance(value, (list, tuple)):
        for i, part in enumerate(value):
            if not isinstance(part, CONTAINERS):
                yield from _tensors(f"{what}[{i}]", part)


def _left_behind(parts):
    """{where: what} for each name of a module, a class or a function that holds part of a graph."""
    known, node = vars(parts.get("", sys.modules["tinytorch"])), sys.modules.get("tinytorch.node")
    kinds = {"a Tensor": known.get("Tensor"), "a ctx": known.get("Context")}
    kinds["a node"] = getattr(node, "Node", None)
    kinds = {said: kind for said, kind in kinds.items() if kind is not None}
    homes = {module.__name__ for module in parts.values()}
    places = (
        place
        for module in parts.values()
        for place in _places(module.__name__, vars(module), {}, module.__name__)
    )
    found = {path: _held_by(value, kinds, homes) for path, value in places}
    return {path: held for path, held in found.items() if held}


def _held_by(value, kinds, homes):
    """What of these kinds it leads to, through whatever holds what: the first that's found."""
    seen, stack = {}, [value]
    while stack and len(seen) < FAR:
        thing = stack.pop()
        kind = type(thing)  # a Tensor of a class of its own is one, and nobody's code is asked
        for said, wanted in kinds.items():
            if issubclass(kind, wanted):
                return said
        if gc.is_tracked(thing) and id(thing) not in seen:
            seen[id(thing)] = thing
            stack += _parts(thing, homes)
    return None


def _parts(thing, homes):
    """What a thing holds. What others made, modules, classes and functions, holds what it likes."""
    if isinstance(thing, (ModuleType, type)):
        return ()
    if isinstance(thing, (FunctionType, CACHE)) and thing.__module__ not in homes:
        return ()
    if isinstance(thing, FunctionType):
        return thing.__defaults__, thing.__kwdefaults__, thing.__closure__, vars(thing)
    return gc.get_referents(thing)


def _places(path, namespace, seen, home):
    for name, value in list(namespace.items()):
        if isinstance(value, (staticmethod, classmethod)):
            value = value.__func__
        if isinstance(value, (type, FunctionType)) and value.__module__ == home:
            if id(value) not in seen:
                seen[id(value)] = value
                yield from _places(f"{path}.{name}", vars(value), seen, home)
                yield from _around(f"{path}.{name}", value)
        elif not name.startswith("__") and not isinstance(value, type):
            yield f"{path}.{name}", value


def _around(path, function):
    """What a function holds beside its attributes: defaults, and names of functions around it."""
    if isinstance(function, FunctionType):
        for default in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
            yield f"a default of {path}", default
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        for name, cell in cells:
            yield f"{name}, which {path} has from around it,", cell


def _random_state():
    kind, key, *rest = np.random.get_state()
    return (kind, key.tobytes(), *rest)


def _draw_from(state):
    kind, key, *rest = state
    np.random.set_state((kind, np.frombuffer(key, np.uint32), *rest))


def _refill(old):
    warnings.filters[:] = old
    warnings._filters_mutated()


def _difference(now, before):
    """What has changed, in words."""
    if isinstance(before, dict):
        keys = [key for key in before if now.get(key) != before[key]]
        return ", ".join(f"{key} is {now.get(key)!r}, was {before[key]!r}" for key in keys)
    return f"{now!r}, was {before!r}" if len(repr((now, before))) < 200 else "other than before"
