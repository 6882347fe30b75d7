"""What a student wrote beside an answer, and the answer cannot do without: functions, imports."""

import ast
import symtable
from dataclasses import dataclass

from course.source import indented, is_same_code, line_end_of, parse, split_lines


@dataclass(frozen=True)
class Helper:
    """A statement at the top of a file or, with an owner, in the body of that class."""

    name: str  # what the answer calls it
    owner: str
    text: str
    is_import: bool = False

    @property
    def qualname(self):
        return f"{self.owner}.{self.name}" if self.owner else self.name


def helpers_of(codes, text, given):
    """The helpers that pieces of code need, and those that they need, in the order of the text.

    A helper is what the text defines, and the file as it was given does not.
    """
    known = {(h.owner, h.name) for h in _statements(given)}
    added = {(h.owner, h.name): h for h in _statements(text) if (h.owner, h.name) not in known}
    needed, look_at = set(), list(codes)
    while look_at:
        names, attributes = _used(look_at.pop())
        for key in added.keys() - needed:
            if key[1] in (attributes if key[0] else names):
                needed.add(key)
                look_at.append(added[key].text)
    return tuple(helper for key, helper in added.items() if key in needed)


def conflict(helper, text):
    """In a few words why a helper cannot go into this text; "" where it can, or is there."""
    for other in _statements(text):
        if (other.owner, other.name) == (helper.owner, helper.name):
            return "" if is_same_code(other.text, helper.text) else "has another definition of it"
    return "" if not helper.owner or _class(text, helper.owner) else f"has no class {helper.owner}"


def add_helper(text, helper, before):
    """The text with a helper where it is missing: at the latest before the definition `before`."""
    if any((h.owner, h.name) == (helper.owner, helper.name) for h in _statements(text)):
        return text
    lines = split_lines(text)
    end = line_end_of(lines[0])
    if helper.owner:
        owner = _class(text, helper.owner)
        indent = " " * owner.body[0].col_offset
        first = lines[owner.body[-1].lineno - 1]
        indent = first[: len(first) - len(first.lstrip())] or indent
        lines.insert(owner.end_lineno, end + indented(helper.text, indent, end))
    elif helper.is_import:
        lines.insert(_after_imports(text), helper.text + end)
    else:
        place = _start(text, lines, before)
        lines.insert(place, indented(helper.text, "", end) + end * 2)
    return "".join(lines)


def _statements(text):
    """All that a text binds, as helpers: at its top, and in its classes."""
    lines = split_lines(text)
    for node in parse(text).body:
        yield from _bound(node, "", lines)
        if isinstance(node, ast.ClassDef):
            for inner in node.body:
                yield from _bound(inner, node.name, lines)


def _bound(node, owner, lines):
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            alone = ast.Import([alias])
            if isinstance(node, ast.ImportFrom):
                alone = ast.ImportFrom(node.module, [alias], node.level)
            name = alias.asname or alias.name.partition(".")[0]
            yield Helper(name, owner, ast.unparse(alone), is_import=True)
        return
    start = min([node, *getattr(node, "decorator_list", [])], key=lambda n: n.lineno).lineno - 1
    code = "".join(lines[start : node.end_lineno])
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield Helper(node.name, owner, code)
        return
    stored = [n for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    yield from (Helper(name.id, owner, code) for name in stored)


def _used(code):
    """The names that a piece of code takes from around it, and the attributes that it asks for."""
    code = "if True:\n" + code if code[:1].isspace() else code
    tree = ast.parse(code)
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return set(_globals(symtable.symtable(code, "answer", "exec"))), attributes


def _globals(table):
    for symbol in table.get_symbols():
        if symbol.is_global() or (table.get_type() == "module" and symbol.is_referenced()):
            yield symbol.get_name()
    for child in table.get_children():
        yield from _globals(child)


def _class(text, name):
    classes = (node for node in parse(text).body if isinstance(node, ast.ClassDef))
    return next((node for node in classes if node.name == name), None)


def _after_imports(text):
    """The line after the last import at the top of a text; after its docstring without one."""
    body = parse(text).body
    imports = [node for node in body if isinstance(node, (ast.Import, ast.ImportFrom))]
    docstring = body[:1] if ast.get_docstring(parse(text)) is not None else []
    return max((node.end_lineno for node in imports or docstring), default=0)


def _start(text, lines, name):
    """The line at which the statement begins that holds a definition, its comments included."""
    top = name.partition(".")[0]
    node = next(n for n in parse(text).body if getattr(n, "name", None) == top)
    start = min([node, *node.decorator_list], key=lambda n: n.lineno).lineno - 1
    while start > 0 and lines[start - 1].startswith("#"):
        start -= 1
    return start
