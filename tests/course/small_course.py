"""A made-up course of two chapters in a folder of its own, small enough to break in every way."""

import json

from course.blanks import derive
from course.manifest import load_chapter

SOLUTION = {
    1: '''"""Chapter 1."""


class Tensor:
    """A number."""

    def __init__(self, data):
        self.data = data


def double(x):
    """Twice x."""
    total = x + x
    return total


def square(x):
    """x times x."""
    result = x * x
    return result
''',
    2: '''"""Chapter 2."""


class Tensor:
    """A number."""

    def __init__(self, data):
        self.data = data
        self.grad_fn = None


def double(x):
    """Twice x."""
    total = x + x
    return total


def square(x):
    """x times x."""
    result = x * x
    return result


def cube(x):
    """x times x times x."""
    result = square(x) * x
    return result
''',
}

MANIFEST = """number = {number}
slug = "{slug}"
title = "{title}"
question = "How?"
changed = {changed}
removed = []
{exercises}"""

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

TEST = """
@pytest.mark.exercise("{id}", points=1)
def test_{name}_of_a_number():
    expect(tt.{name}(3), {three}, "{name}(3)", slip="count again")


@pytest.mark.exercise("{id}", points=1)
def test_{name}_of_zero():
    expect(tt.{name}(0), 0, "{name}(0)", slip="nothing comes from nothing")
"""

WRONG = """
@wrong("{id}", says="count again")
def {name}_is_{n}(x):
    return {n} * x
"""

CHAPTERS = {
    1: ("01_first", "First", [], [("1.1", "double", 6), ("1.2", "square", 9)]),
    2: ("02_second", "Second", ["Tensor.__init__"], [("2.1", "cube", 27)]),
}


def make_course(root):
    """Write the course and give its chapters."""
    for number in CHAPTERS:
        _write_chapter(root, number)
    return [load_chapter(number, root) for number in CHAPTERS]


def _write_chapter(root, number):
    slug, title, changed, exercises = CHAPTERS[number]
    tests = root / "tests" / f"chapter{number:02}"
    manifest = "".join(EXERCISE.format(id=i, name=name) for i, name, _ in exercises)
    manifest = MANIFEST.format(
        number=number, slug=slug, title=title, changed=json.dumps(changed), exercises=manifest
    )
    suite = "".join(TEST.format(id=i, name=name, three=three) for i, name, three in exercises)
    imports = "import pytest\n\nimport tinytorch as tt\nfrom course.testing import expect\n\n"
    wrong = [WRONG.format(id=i, name=name, n=n) for i, name, _ in exercises for n in (0, 5, 7)]
    marks = "from course.misconceptions import wrong\n\n"
    write(tests / "exercises.toml", manifest)
    write(tests / "test_all.py", imports + suite)
    write(tests / "misconceptions.py", marks + "\n".join(wrong))
    write(root / "solutions" / slug / "tinytorch.py", SOLUTION[number])
    chapter = load_chapter(number, root)
    write(chapter.exercise_file, derive(chapter))


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def edit(path, old, new):
    """Replace a text that must be there."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    write(path, text.replace(old, new))


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
