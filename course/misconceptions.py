"""The catalogue of wrong answers that the grader must catch, one file a chapter.

tests/chapterNN/misconceptions.py looks like this:

    @wrong("3.4", "Tensor.backward", says="overwritten")
    def last_gradient_wins(self, gradient=None):
        ...

The function's own name says what the mistake is. Its text replaces the named definition of the
solution, which keeps its name and its decorators; a class replaces one method for each of its
own. The file is read, never imported: what it says must be spelled out.
"""

import ast
import re
import textwrap
from dataclasses import dataclass

from course.modules import definitions, replace, solution_of
from course.source import parse, read_source, split_lines


class CatalogueError(Exception):
    """A mistake in a misconceptions.py, said in one line."""


def wrong(exercise, name=None, *, says):
    """Mark a wrong answer to an exercise; the message that catches it must contain `says`.

    `name` is the definition that it replaces (for a class: the class), `says` a phrase or a tuple
    of phrases. Without `name` it replaces what the exercise asks for.

    >>> @wrong("2.1", says="one for each input")
    ... def forward(ctx, x): ...
    """
    return lambda definition: definition


@dataclass(frozen=True)
class Wrong:
    """One wrong answer: what it replaces (qualified name -> text) and the words that catch it."""

    title: str
    exercise: str
    says: tuple[str, ...]
    parts: dict[str, str]
    where: str

    def apply(self, solution):
        """The code of a solution with this wrong answer in it."""
        for name, text in self.parts.items():
            solution = replace(solution, name, _dressed(text, name, definitions(solution)[name]))
        return solution


def catalogue(chapter):
    """All wrong answers of a chapter, in order; CatalogueError on a file that cannot be used."""
    path = chapter.tests / "misconceptions.py"
    if not path.is_file():
        return []
    text = read_source(path)
    try:
        body = parse(text).body
    except SyntaxError as error:
        raise CatalogueError(f"tests/{path.parent.name}/{path.name}: {error}") from None
    known = definitions(solution_of(chapter))
    reader = _Reader(chapter, path, split_lines(text), known)
    return [reader.read(node) for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]


class _Reader:
    """Turns the definitions of one misconceptions.py into Wrongs."""

    def __init__(self, chapter, path, lines, known):
        self.exercises = {exercise.id: exercise for exercise in chapter.exercises}
        self.path, self.lines, self.known = path, lines, known

    def read(self, node):
        where = f"tests/{self.path.parent.name}/{self.path.name}:{node.lineno}"
        try:
            exercise, name, says = _arguments(node)
            if exercise not in self.exercises:
                raise ValueError(f"there is no exercise {exercise!r}")
            parts = self._parts(node, self.exercises[exercise].names, name)
        except (ValueError, TypeError) as error:
            raise CatalogueError(f"{where}: {node.name}: {error}") from None
        says = (says,) if isinstance(says, str) else tuple(says)
        return Wrong(node.name, exercise, says, parts, where)

    def _parts(self, node, names, name):
        """Which definition each part replaces: {qualified name: text}."""
        if isinstance(node, ast.FunctionDef):
            if name is None and len(names) > 1:
                raise ValueError(f"say which it replaces: one of {', '.join(names)}")
            return {self._known(name or names[0]): self._text(node)}
        owner = name or names[0].rpartition(".")[0]
        methods = [part for part in node.body if isinstance(part, ast.FunctionDef)]
        return {self._known(f"{owner}.{m.name}".strip(".")): self._text(m) for m in methods}

    def _known(self, name):
        if name not in self.known:
            raise ValueError(f"the solution has no {name}")
        return name

    def _text(self, node):
        """The definition with its own decorators, the mark aside."""
        own = [decorator for decorator in node.decorator_list if not _is_mark(decorator)]
        spans = [(part.lineno - 1, part.end_lineno) for part in (*own, node)]
        return textwrap.dedent("".join("".join(self.lines[a:b]) for a, b in spans))


def _is_mark(decorator):
    return isinstance(decorator, ast.Call) and getattr(decorator.func, "id", None) == "wrong"


def _arguments(node):
    marks = [decorator for decorator in node.decorator_list if _is_mark(decorator)]
    if len(marks) != 1:
        raise ValueError('wants one decorator @wrong("1.2", says="…")')
    args = [ast.literal_eval(arg) for arg in marks[0].args]
    options = {keyword.arg: ast.literal_eval(keyword.value) for keyword in marks[0].keywords}
    return _read_mark(*args, **options)


def _read_mark(exercise, name=None, *, says):
    return exercise, name, says


def _dressed(text, name, old):
    """The new text under the old name, with the old decorators unless it has its own."""
    text = re.sub(r"^(\s*def )\w+", rf"\g<1>{name.rpartition('.')[2]}", text, count=1, flags=re.M)
    if text.lstrip().startswith("@"):
        return text
    return _decorators(old) + text


def _decorators(definition):
    text = textwrap.dedent(definition.text)
    (node,) = ast.parse(text).body
    return "".join(split_lines(text)[: node.lineno - 1])
