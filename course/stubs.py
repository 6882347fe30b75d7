"""The stubs: what an editor cannot see in the library, because tables and decorators made it.

Signatures and the first lines of docstrings are those of the library as Python sees it. What has
no annotation that says otherwise returns a Tensor.
"""

import inspect
import re
from importlib import import_module
from textwrap import indent
from types import ModuleType
from typing import Any

import numpy

from course.paths import ROOT

HEAD = '''"""Derived from the library by python -m course stubs: not to be edited."""

import builtins
from collections.abc import Iterator
from typing import Any, Union

import numpy

import tinytorch.devices
import tinytorch.hooks
import tinytorch.ops.random
'''
TENSOR = "from tinytorch.tensor import Tensor\n"
HIDING = re.compile(r"\b(int|float|bool)\b")  # builtins whose names dtypes and methods have too
LITERALS = (type(None), int, float, str, tuple)


def write_stubs(root=ROOT):
    """Derive all stubs; what was done with each, as lines."""
    lines = []
    for name, text in derived_stubs().items():
        path, content = root / name, text.encode("utf-8")
        done = "unchanged" if path.is_file() and path.read_bytes() == content else "written"
        path.write_bytes(content)
        lines.append(f"{name}: {done}")
    return lines


def derived_stubs():
    """{path: text}: of the class Tensor, and of the names that two files gather from many."""
    contents, functional = map(import_module, ("tinytorch.contents", "tinytorch.nn.functional"))
    tensor = import_module("tinytorch.tensor")
    own = [name for name, value in vars(tensor).items() if _is_public_of(tensor, name, value)]
    stubs = {
        "tensor": HEAD + _members(tensor, own, tensor.__name__),
        "contents": HEAD + _members(contents, [*contents.LATER, *contents.__all__]),
        "nn/functional": HEAD + TENSOR + _members(functional, functional.__all__),
    }
    return {f"tinytorch/{name}.pyi": text for name, text in stubs.items()}


def _is_public_of(module, name, value):
    return name[0] != "_" and getattr(value, "__module__", None) == module.__name__


def _members(module, names, home=None):
    """The names of a module; what is defined in `home` is a class or function to be written out."""
    return "".join(_member(name, getattr(module, name), home) for name in names)


def _member(name, value, home):
    if isinstance(value, ModuleType):
        parent, _, last = value.__name__.rpartition(".")
        return f"from {parent} import {last} as {name}\n"
    if inspect.isclass(value):
        if value.__module__ == home:
            return _class(value)
        return f"from {value.__module__} import {value.__name__} as {name}\n"
    if inspect.isfunction(value):
        return _function(name, value)
    kind = numpy.dtype if isinstance(value, numpy.dtype) else type(value)
    return f"{name}: {_type(kind)}\n"


def _class(cls):
    bases = ", ".join(base.__name__ for base in cls.__bases__)
    members = "".join(_attribute(cls, name) for name in sorted(vars(cls)))
    return f"\nclass {cls.__name__}({bases}):\n" + indent(_doc(cls) + members, "    ")


def _attribute(cls, name):
    """A method or property of a class; nothing for what every class has."""
    value = vars(cls)[name]
    if isinstance(value, property):
        return _property(name, value)
    if inspect.isfunction(value):
        return _function(name, value, cls)
    return f"{name}: Any\n" if inspect.ismemberdescriptor(value) else ""


def _property(name, value):
    text = "@property\n" + _function(name, value.fget, value)
    return text + f"@{name}.setter\ndef {name}(self, value) -> None: ...\n" if value.fset else text


def _function(name, function, owner=None):
    signature = inspect.signature(function)
    parameters = [_shown(parameter) for parameter in _parameters(signature, function, owner)]
    if owner is not None:
        parameters[0] = parameters[0].replace(name="self")
    returns = signature.return_annotation
    returns = "Tensor" if returns is signature.empty else _type(returns)
    bare = signature.replace(parameters=parameters, return_annotation=signature.empty)
    shown = str(bare).replace("typing.", "")
    return f"def {name}{shown} -> {returns}:\n" + indent(_doc(function) + "...\n", "    ")


def _parameters(signature, function, owner):
    """Those of the signature, with `out` where a decorator takes it, and in no method."""
    found = dict(signature.parameters)
    outer = inspect.signature(function, follow_wrapped=False).parameters
    out = found.pop("out", None) or outer.get("out")
    if out is not None and owner is None:
        found["out"] = out.replace(kind=inspect.Parameter.KEYWORD_ONLY)
    return sorted(found.values(), key=lambda parameter: parameter.kind)


class _Left:
    """A default value that is not written out."""

    def __repr__(self):
        return "..."


def _shown(parameter):
    """A parameter as a stub has it: of default values, only the plain ones are written out.

    A checker takes the type of a default for that of the parameter; for 1 that is too narrow.
    """
    default, annotation = parameter.default, parameter.empty
    if default is not parameter.empty:
        annotation = Any if type(default) is int else annotation
        default = default if isinstance(default, LITERALS) else _Left()
    return parameter.replace(annotation=annotation, default=default)


def _type(annotation):
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    text = re.sub(r"tinytorch\.tensor\.|typing\.|(?<=None)Type", "", text)
    text = re.sub(r"(\w+) \| Any", r"Union[\1, Any]", text)  # the one that jedi can read
    return HIDING.sub(r"builtins.\1", text)


def _doc(value):
    """The first line of a docstring, as one."""
    first = inspect.cleandoc(value.__doc__ or "").partition("\n")[0]
    return f'"""{first}"""\n' if first else ""
