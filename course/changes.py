"""What a chapter changes in tinytorch.py, definition by definition, without answers to come.

In Part II: what the student's modules have otherwise than the finished library.
"""

import ast
import difflib

from course import source
from course.answers import answers_to, origins, readable
from course.manifest import UsageError, load_chapter
from course.modules import definitions, solution_of
from course.output import in_colour, shown
from course.source import is_same_code, parse, split_lines

RED, GREEN, BOLD, PLAIN = "\033[31m", "\033[32m", "\033[1m", "\033[0m"


def show_changes(chapter):
    """Print what the chapter's complete file has that the chapter before has not, and back.

    What an exercise asks for shows as the student's own once it passes, and not before.
    """
    if chapter.number == 1:
        print("Chapter 1 is the first: all of tinytorch.py is new in it.")
        return
    if chapter.is_package:
        return show_yours(chapter)
    changed = Changes(chapter)
    files = [shown(c.solution_file.parent, chapter.root) for c in (changed.before, chapter)]
    names = [file.removeprefix("solutions/") for file in files]
    print(f"From {names[0]} to {names[1]}")
    for line in changed.lines():
        print(coloured(line))


def show_yours(chapter):
    """Print how the student's modules differ from the library's, as far as they are their own."""
    code, note = readable(chapter)
    if note:
        raise UsageError(note)
    asked = {name: e for e in chapter.exercises for name in e.names}
    answers = answers_to([(chapter, exercise) for exercise in chapter.exercises])
    library, yours = definitions(solution_of(chapter)), definitions(code)
    hidden = {n: answers[e.id].why_not for n, e in asked.items() if answers[e.id].why_not}
    print(f"From the finished library to {shown(chapter.exercise_file, chapter.root)}")
    lines = [*_listed("Added", [name for name in yours if name not in library])]
    lines += _listed("Removed", [name for name in library if name not in {**yours, **hidden}])
    later = [f"{name}: exercise {asked[name].id}, {why}" for name, why in hidden.items()]
    lines += _listed("Shown once your answer passes", later)
    for name in (name for name in library if name in yours and name not in hidden):
        lines += _difference(name, library[name].text, yours[name].text)
    print("\n".join(map(coloured, lines)) or "\nThey read the same.")


class Changes:
    """What a chapter changes, or a part of it, beside the student's answers to just that."""

    def __init__(self, chapter, only=None, answers=None):
        self.chapter, self.before = chapter, load_chapter(chapter.number - 1, chapter.root)
        self.sides = [Side(self.before), Side(chapter)]
        self.was, self.now = (side.found for side in self.sides)
        both = [name for name in self.now if name in self.was]
        changed = [name for name in both if self.was[name].text != self.now[name].text]
        self.changed = [name for name in changed if only is None or name in only]
        behind = {s.origins[n][1].id: s.origins[n] for n in self.changed for s in self.sides
                  if n in s.origins}  # fmt: skip
        self.answers = answers_to(list(behind.values())) if answers is None else answers

    def lines(self):
        """The report: names added, names removed, then each change."""
        yield from _listed("Added", _grouped([name for name in self.now if name not in self.was]))
        yield from _listed("Removed", _grouped([name for name in self.was if name not in self.now]))
        yield from _listed("Changed", self.changed)
        for name in self.changed:
            yield from self.of(name)
        old, new = (side.text for side in self.sides)
        yield from _difference("Outside the definitions", _rest(old, new), _rest(new, old))

    def of(self, name):
        """One change: a diff, or which exercise must pass first."""
        for side in reversed(self.sides):
            if side.is_hidden(name, self.answers):
                exercise = side.origins[name][1]
                yield from ("", name, f"  {_hidden(exercise, self.chapter)}")
                return
        yield from _difference(name, *(side.shown(name, self.answers) for side in self.sides))


class Side:
    """A chapter's complete file, seen by a student who has not written all of it yet."""

    def __init__(self, chapter):
        code = solution_of(chapter)
        self.text, self.found, self.origins = code[""], definitions(code), origins(chapter)

    def is_hidden(self, name, answers):
        """Is it an answer that the student does not have yet?"""
        return name in self.origins and bool(answers[self.origins[name][1].id].why_not)

    def shown(self, name, answers):
        """The student's own answer where this is one, else the code as given."""
        given = self.found[name].text
        if name not in self.origins:
            return given
        chapter, exercise = self.origins[name]
        asked = definitions(solution_of(chapter))[name].text
        return answers[exercise.id].texts[name] if is_same_code(given, asked) else given


def _hidden(exercise, chapter):
    if exercise in chapter.exercises:
        return f"yours to write: exercise {exercise.id}"
    return f"shown once your answer to exercise {exercise.id} passes"


def coloured(line):
    """A line of a diff as the terminal shows it."""
    return _coloured(line) if in_colour() else line


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


def _difference(title, old, new):
    lines = list(difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=2))[2:]
    if lines:
        yield ""
        yield f"{title}"
        yield from (f"  {line}" for line in lines if not line.startswith("@@"))


def _rest(text, other):
    """What stands outside the definitions; classes that the other text lacks are left out."""
    lines = split_lines(text)
    spans = [(d.start, d.end) for d in source.definitions(text).values()]
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
