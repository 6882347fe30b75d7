"""A made-up course of two chapters in a folder of its own, small enough to break in every way."""

import json

from course.blanks import derive
from course.manifest import all_chapters, load_chapter
from course.modules import write_code
from course.notebooks import derived_notebook
from course.notebooks.derive import with_headings
from course.notebooks.file import to_text

CHAPTERS = {1: ("01_first", "First", []), 2: ("02_second", "Second", ["Tensor.__init__"])}
EXERCISES = {  # chapter: (name, what it computes, its value at 3)
    1: [("double", "x + x", 6), ("triple", "x + x + x", 9), ("square", "x * x", 9),
        ("cube", "x * x * x", 27)],
    2: [("negate", "-x", -3), ("half", "x / 2", 1.5), ("fourth", "cube(x) * x", 81),
        ("fifth", "fourth(x) * x", 243)],
}  # fmt: skip

HEAD = '''"""Chapter {number}."""


class Tensor:
    """A number."""

    def __init__(self, data):
        self.data = data{more}
'''

FUNCTION = '''

def {name}(x):
    """Return {name} of x."""
    total = {expression}
    result = total
    return result
'''

MANIFEST = """number = {number}
slug = "{slug}"
title = "{title}"
question = "How?"
changed = {changed}
removed = []
"""

EXERCISE = """
[[exercises]]
id = "{id}"
names = ["{name}"]
title = "{name}"
why = "it is used below"
points = 2
difficulty = 2
minutes = 5
hints = ["Think of a sum.", "It is one line."]
reason = "It is the shortest."
"""

IMPORTS = """import pytest

import tinytorch as tt
from course.testing import expect
"""

TEST = """

@pytest.mark.exercise("{id}", points=1)
def test_{name}_of_a_number():
    expect(tt.{name}(3), {value}, "{name}(3)", because="count again")


@pytest.mark.exercise("{id}", points=1)
def test_{name}_of_zero():
    expect(tt.{name}(0), 0, "{name}(0)", because="nothing comes from nothing")
"""

WRONG = """

@wrong("{id}", says="count again")
def {name}_is_{n}(x):
    return {n} * x
"""

CHECK = """names = {names}


def check(exercise):
    import importlib, tinytorch

    importlib.reload(tinytorch)
    try:
        return getattr(tinytorch, names[exercise])(3)
    except NotImplementedError:
        return "not started"
"""


def make_course(root):
    """Write the course and give its chapters."""
    for number in CHAPTERS:
        _write_chapter(root, number)
    return all_chapters(root)


def _write_chapter(root, number):
    slug, title, changed = CHAPTERS[number]
    exercises = [
        {"id": f"{number}.{i}", "name": name, "expression": expression, "value": value}
        for i, (name, expression, value) in enumerate(EXERCISES[number], start=1)
    ]
    tests, changed = root / "tests" / f"chapter{number:02}", json.dumps(changed)
    manifest = MANIFEST.format(number=number, slug=slug, title=title, changed=changed)
    marks = "from course.misconceptions import wrong\n"
    wrong = [WRONG.format(**exercise, n=n) for exercise in exercises for n in (0, 7, 8)]
    write(tests / "exercises.toml", manifest + _each(EXERCISE, exercises))
    write(tests / "test_all.py", IMPORTS + _each(TEST, exercises))
    write(tests / "misconceptions.py", marks + "".join(wrong))
    chapter = load_chapter(number, root)
    write(chapter.solution_file, solution(number))
    write(chapter.solution_notebook, to_text(with_headings(_lesson(title, exercises), chapter)))
    write_derived(chapter)


def write_derived(chapter):
    write_code(chapter.exercise_file, derive(chapter))
    write(chapter.notebook, derived_notebook(chapter).decode("utf-8"))


def solution(number):
    """The complete tinytorch.py of a chapter: all functions up to it."""
    functions = [f for n in range(1, number + 1) for f in EXERCISES[n]]
    more = "\n        self.grad_fn = None" if number > 1 else ""
    parts = [FUNCTION.format(name=name, expression=text) for name, text, _ in functions]
    return HEAD.format(number=number, more=more) + "".join(parts)


def _lesson(title, exercises):
    cells = [markdown("a", f"# {title}")]
    cells += [code("b", CHECK.format(names={e["id"]: e["name"] for e in exercises}))]
    for e in exercises:
        cells += [markdown(f"text-{e['id']}".replace(".", "-"), f"## Exercise {e['id']}")]
        cells += [code(f"check-{e['id']}".replace(".", "-"), f'check("{e["id"]}")')]
    return notebook(*cells)


def _each(template, exercises):
    return "".join(template.format(**exercise) for exercise in exercises)


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def edit(path, old, new, count=-1):
    """Replace a text that must be there."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    write(path, text.replace(old, new, count))


def markdown(cell_id, source, *tags):
    return {"cell_type": "markdown", "id": cell_id, "metadata": _tags(tags), "source": source}


def code(cell_id, source, *tags):
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": cell_id,
        "metadata": _tags(tags),
        "outputs": [],
        "source": source,
    }


def notebook(*cells):
    return {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def _tags(tags):
    return {"tags": list(tags)} if tags else {}
