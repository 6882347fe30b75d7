"""What a chapter changes in tinytorch.py, definition by definition."""

import ast
import difflib

from course.manifest import load_chapter
from course.output import in_colour, shown
from course.source import definitions, parse, read_source, split_lines

RED, GREEN, BOLD, PLAIN = "\033[31m", "\033[32m", "\033[1m", "\033[0m"


def show_changes(chapter):
    """Print what the chapter's complete file has that the chapter before has not, and back."""
    new = read_source(chapter.solution_file)
    if chapter.number == 1:
        print("Chapter 1 is the first: all of tinytorch.py is new in it.")
        return
    before = load_chapter(chapter.number - 1, chapter.root)
    old = read_source(before.solution_file)
    files = [shown(c.solution_file, chapter.root) for c in (before, chapter)]
    print(f"From {files[0]}\nto   {files[1]}")
    for line in changes(old, new):
        print(_coloured(line) if in_colour() else line)


def changes(old, new):
    """The lines of the report: names added, names removed, then a diff of each changed part."""
    was, now = definitions(old), definitions(new)
    yield from _listed("Added", _grouped([name for name in now if name not in was]))
    yield from _listed("Removed", _grouped([name for name in was if name not in now]))
    changed = [name for name in now if name in was and now[name].text != was[name].text]
    yield from _listed("Changed", changed)
    for name in changed:
        yield from _diff(name, was[name].text, now[name].text)
    yield from _diff("Outside the definitions", _rest(old, new), _rest(new, old))


def _grouped(names):
    """Methods of one class on one line: "Sum: forward, backward"."""
    groups = {}
    for name in names:
        owner, dot, method = name.rpartition(".")
        groups.setdefault(owner if dot else name, []).append(method if dot else "")
    return [
        f"{owner}: {', '.join(methods)}".removesuffix(": ") for owner, methods in groups.items()
    ]


def _listed(title, names):
    if names:
        yield ""
        yield f"{title}"
        yield from (f"  {name}" for name in names)


def _diff(title, old, new):
    lines = list(difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=2))[2:]
    if lines:
        yield ""
        yield f"{title}"
        yield from (f"  {line}" for line in lines if not line.startswith("@@"))


def _rest(text, other):
    """What stands outside the definitions; classes that the other text lacks are left out."""
    lines = split_lines(text)
    spans = [(d.start, d.end) for d in definitions(text).values()]
    known = {node.name for node in _classes(other)}
    spans += [(c.lineno - 1, c.end_lineno) for c in _classes(text) if c.name not in known]
    for start, end in spans:
        lines[start:end] = [""] * (end - start)
    return "".join(line for line in lines if line.strip())


def _classes(text):
    return [node for node in parse(text).body if isinstance(node, ast.ClassDef)]


def _coloured(line):
    if line.startswith("  +"):
        return GREEN + line + PLAIN
    if line.startswith("  -"):
        return RED + line + PLAIN
    return line if line.startswith(" ") else BOLD + line + PLAIN
