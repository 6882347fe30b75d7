"""After an edit a module is run anew as a whole; its classes and functions stay what they were.

IPython's autoreload compiles a changed function by itself, away from its line and its class, or it
leaves a second class that other modules, the notebook and the objects in it don't have.
"""

import builtins
import gc
import linecache
from abc import ABCMeta
from contextlib import contextmanager, suppress
from pathlib import Path
from types import CellType, FunctionType, GetSetDescriptorType, MemberDescriptorType, ModuleType

OF_THE_IMPORT = {*vars(ModuleType("")), "__builtins__", "__cached__", "__file__", "__path__"}
OF_A_FUNCTION = ("__code__", "__defaults__", "__kwdefaults__", "__doc__", "__dict__")
OF_THE_OBJECTS = (GetSetDescriptorType, MemberDescriptorType)  # __dict__, __slots__: not moved


def reload(module):
    """Run a module's file as it is now, and give the names of classes that had to be doubled.

    Everything that holds a class or a function of the module has its new code. All other names are
    what the file makes of them. An exception of the file leaves the names as they were.
    """
    names, before = vars(module), {**vars(module)}
    linecache.cache.pop(module.__file__, None)
    code = compile(Path(module.__file__).read_bytes(), module.__file__, "exec", dont_inherit=True)
    kept = {n: v for n, v in before.items() if n in OF_THE_IMPORT or _is_part(module, n, v)}
    doubled = []
    try:
        names.clear()
        names.update(kept)
        with _classes_stay(names, before, doubled):
            exec(code, names)
    except BaseException:
        names.clear()
        names.update(before)
        raise
    for name, now in [*names.items()]:
        names[name] = _kept(before.get(name), now)
    return doubled


def _is_part(module, name, value):
    """Is this a module of a package, which the import gave its name there?"""
    return isinstance(value, ModuleType) and value.__name__ == f"{module.__name__}.{name}"


@contextmanager
def _classes_stay(names, before, doubled):
    """Let a class statement of the module give the class from before, with what it says now."""
    build = builtins.__build_class__

    def build_or_keep(body, name, *bases, **options):
        now = build(body, name, *bases, **options)
        first = _find(before, now) if body.__globals__ is names else None
        if first is None:
            return now
        if not _can_be(first, now):
            doubled.append(now.__qualname__)
            return now
        if "__class__" in body.__code__.co_cellvars:
            _own_super(first, now)
        _move(first, now)
        return first

    builtins.__build_class__ = build_or_keep
    try:
        yield
    finally:
        builtins.__build_class__ = build


def _find(before, now):
    """The class that had this name before, or None."""
    if not isinstance(now, type):
        return None
    outermost, *inner = now.__qualname__.split(".")
    first = before.get(outermost)
    for name in inner:
        first = getattr(first, name, None)
    return first if isinstance(first, type) and _place(first) == _place(now) else None


def _place(thing):
    return thing.__module__, thing.__qualname__


def _can_be(first, now):
    """Python gives a class other bases, slots or another metaclass only as it makes it."""
    return _form(first) == _form(now) and type(now) in (type, ABCMeta)


def _form(cls):
    bases = [(_place(base), vars(base).get("_fields")) for base in cls.__bases__]  # of a namedtuple
    return type(cls), bases, vars(cls).get("__slots__")


def _own_super(first, now):
    """Let super() in the methods of the new class, and in functions within, mean the first."""
    for cell in gc.get_referrers(now):
        if isinstance(cell, CellType):
            cell.cell_contents = first


def _move(first, now):
    for name in vars(first).keys() - vars(now).keys():
        with suppress(AttributeError):
            delattr(first, name)
    for name, value in [*vars(now).items()]:
        if not isinstance(value, OF_THE_OBJECTS):
            setattr(first, name, _kept(vars(first).get(name), value))


def _kept(old, new):
    """The old function with the code of the new one, where it can have it; else what is new."""
    if isinstance(new, (staticmethod, classmethod)):
        return type(new)(_kept(getattr(old, "__func__", None), new.__func__))
    if not (isinstance(old, FunctionType) and isinstance(new, FunctionType)):
        return new
    if _place(old) != _place(new) or old.__globals__ is not new.__globals__:
        return new
    if old.__code__.co_freevars != new.__code__.co_freevars:
        return new
    for part in OF_A_FUNCTION:
        setattr(old, part, getattr(new, part))
    for cell, other in zip(old.__closure__ or (), new.__closure__ or (), strict=True):
        with suppress(ValueError):  # an empty cell
            cell.cell_contents = other.cell_contents
    return old
