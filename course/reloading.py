"""After an edit a class stays the one that other modules, and the notebook, hold.

IPython's autoreload puts new code into the functions that are there. Where that can't be done, it
leaves a second class of the same name; and a method that begins to call super() gets a class that
nobody else knows.
"""

import gc
from contextlib import suppress
from types import FunctionType

STAND_IN = "__autoreload_class__"  # what IPython compiles a method in
_first = {}  # (module, name): the class as it was imported first


def keep_classes(modules):
    """Let the classes of these modules be what they were at first, with the code they have now.

    One that has got other bases, or other slots, is left as it is: a second class.
    """
    for module in modules:
        for name, now in [*vars(module).items()]:
            if isinstance(now, type) and now.__module__ == module.__name__:
                first = _first.setdefault((module.__name__, name), now)
                if first is not now and _form(first) == _form(now):
                    _move(now, first)
                    setattr(module, name, first)
                _own_super(vars(module)[name])


def _form(cls):
    return [base.__qualname__ for base in cls.__bases__], vars(cls).get("__slots__")


def _move(now, first):
    """Give the first class all that the new one has, and the objects of the new one, too."""
    for name in vars(first).keys() - vars(now).keys():
        with suppress(AttributeError):
            delattr(first, name)
    for name, value in [*vars(now).items()]:
        with suppress(AttributeError):  # __dict__ and __weakref__
            setattr(first, name, value)
    for thing in gc.get_referrers(now):
        if type(thing) is now:
            object.__setattr__(thing, "__class__", first)


def _own_super(cls):
    """Let super() in the methods of a class mean that class."""
    for value in vars(cls).values():
        parts = (value, *(getattr(value, n, None) for n in ("__func__", "fget", "fset", "fdel")))
        for function in (part for part in parts if isinstance(part, FunctionType)):
            cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
            for name, cell in cells:
                known = (cls.__name__, STAND_IN)
                if name == "__class__" and cell.cell_contents.__name__ in known:
                    cell.cell_contents = cls
