"""Cut, replace and compare the definitions of a Python source text; the rest keeps every byte.

Texts may hold CRLF line ends, tabs and a byte-order mark, as students' editors write them.
"""

import ast
import io
import threading
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

BOM = "\ufeff"
ONE_AT_A_TIME = threading.Lock()  # two threads at once confuse ast.parse before 3.11.10, gh-106905


@dataclass(frozen=True)
class Definition:
    """A function or method: lines[start:end] with its decorators, its body from body_start on."""

    start: int
    end: int
    body_start: int
    indent: str
    text: str
    is_blank: bool


def read_source(path):
    """The text of a file, line ends and byte-order mark as they are; ValueError if not UTF-8."""
    return Path(path).read_bytes().decode("utf-8")


def write_source(path, text):
    """Write a text as UTF-8, line ends as they are, making the folder where it is missing."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))


def split_lines(text):
    """The lines as Python counts them: a form feed or a Unicode separator ends no line."""
    return list(io.StringIO(text, newline=""))


def parse(text):
    """The syntax tree of a text; SyntaxError also where a null byte is in it."""
    try:
        with ONE_AT_A_TIME:
            return ast.parse(text.removeprefix(BOM))
    except ValueError as error:  # Python 3.11 on a null byte
        raise SyntaxError(str(error)) from None


@lru_cache(64)  # the same few texts are asked about over and over
def definitions(text):
    """All functions and methods of a text by their qualified names; of two alike, the last.

    A property's setter is named after it: "Tensor.grad.setter". Raises SyntaxError.

    >>> list(definitions("def f(): pass\\nclass A:\\n    def g(self): pass\\n"))
    ['f', 'A.g']
    """
    lines = split_lines(text)
    return MappingProxyType({n: _describe(node, lines) for n, node in _functions(parse(text))})


def binds(text, name):
    """Whether a text makes something of this name in another way: a class, or an assignment.

    >>> binds("class no_grad: pass", "no_grad"), binds("A.f = len", "A.f"), binds("g()", "g")
    (True, True, False)
    """
    last = name.rpartition(".")[2]
    for node in ast.walk(parse(text)):
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        names = [getattr(t, "id", None) or getattr(t, "attr", None) for t in targets if t]
        if last in names or (isinstance(node, ast.ClassDef) and node.name == last):
            return True
    return False


def blank(text, exercises):
    """The text with the bodies of all that the exercises name cut; signature and docstring stay.

    Raises KeyError where the text has no such definition.
    """
    lines, found = split_lines(text), definitions(text)
    cuts = [(found[name], name, exercise) for exercise in exercises for name in exercise.names]
    for definition, name, exercise in sorted(cuts, key=lambda cut: cut[0].start, reverse=True):
        lines[definition.body_start : definition.end] = _blank_body(definition, name, exercise)
    return "".join(lines)


def replace(text, qualname, new_text):
    """The text with one definition, decorators and all, exchanged; indented as the old one was.

    Raises KeyError where the text has no such definition.
    """
    lines, old = split_lines(text), definitions(text)[qualname]
    lines[old.start : old.end] = [indented(new_text, old.indent, line_end_of(lines[old.start]))]
    return "".join(lines)


def indented(code, indent, line_end="\n"):
    """A statement's lines, indented to stand elsewhere; what is within a string stays as it is."""
    lines = [line.rstrip("\r\n") for line in split_lines(code.strip("\r\n"))]
    old = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    within = _within_strings("\n".join(lines), nested=bool(old))
    for number, line in enumerate(lines):
        if number not in within and line.startswith(old):
            lines[number] = indent + line.removeprefix(old) if line.strip() else ""
    return "".join(line + line_end for line in lines)


def line_end_of(line):
    """How a line ends: "\\r\\n" as on Windows, or "\\n"."""
    return "\r\n" if line.endswith("\r\n") else "\n"


def is_same_code(one, other):
    """Do two statements read the same, line ends and the way of indenting apart?"""
    return essence(one) == essence(other)


def essence(code):
    """What makes a statement this one: its lines without indentation, and its syntax tree."""
    tree = _parse_indented(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = " ".join(node.value.split())  # a docstring is indented, too
    return "\n".join(line.strip() for line in code.strip().splitlines()) + ast.dump(tree)


def _parse_indented(code):
    return parse("if True:\n" + code if code[:1].isspace() else code)


def _within_strings(code, nested):
    """The numbers of the lines that begin inside a string."""
    nodes = ast.walk(_parse_indented(code))
    strings = [node for node in nodes if isinstance(node, (ast.Constant, ast.JoinedStr))]
    spans = [range(node.lineno - nested, node.end_lineno - nested) for node in strings]
    return {number for span in spans for number in span}


def is_blank(found, exercise):
    """How far an exercise is: "blank", "partly", "started", or "missing" where a name is gone.

    `found` are definitions; one is blank while its body is nothing but the raise.
    """
    if any(name not in found for name in exercise.names):
        return "missing"
    blanks = sum(found[name].is_blank for name in exercise.names)
    return "started" if blanks == 0 else "blank" if blanks == len(exercise.names) else "partly"


def _functions(node, prefix=""):
    for child in node.body:
        if isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")
        elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield prefix + child.name + _accessor(child), child


def _accessor(function):
    kinds = [d.attr for d in function.decorator_list if isinstance(d, ast.Attribute)]
    return next((f".{kind}" for kind in kinds if kind in ("setter", "deleter")), "")


def _describe(function, lines):
    start, end = _first_line(function), function.end_lineno
    first = lines[start].removeprefix(BOM)
    return Definition(
        start=start,
        end=end,
        body_start=_body_start(function, lines),
        indent=first[: len(first) - len(first.lstrip())],
        text="".join(lines[start:end]),
        is_blank=_is_raise_of_blank(_statements(function)),
    )


def _first_line(node):
    """The line of a statement, from 0; of its first decorator where it has some."""
    return min([node, *getattr(node, "decorator_list", [])], key=lambda n: n.lineno).lineno - 1


def _statements(function):
    return function.body[1:] if ast.get_docstring(function) is not None else function.body


def _body_start(function, lines):
    if ast.get_docstring(function) is not None:
        return function.body[0].end_lineno
    start = _first_line(function.body[0])
    while not lines[start - 1].strip() or lines[start - 1].lstrip().startswith("#"):
        start -= 1  # a comment above the first statement belongs to the body
    return start


def _is_raise_of_blank(statements):
    match statements:
        case [
            ast.Raise(exc=ast.Call(func=ast.Name("NotImplementedError"), args=[ast.Constant(says)]))
        ]:
            return str(says).startswith("exercise ")
    return False


def _blank_body(definition, name, exercise):
    indent = definition.indent + " " * 4
    yield f"{indent}# TODO exercise {exercise.id}: {exercise.title}\n"
    yield f'{indent}raise NotImplementedError("exercise {exercise.id}: {name}")\n'
