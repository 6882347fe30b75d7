"""A chapter of two exercises, double and square, for files that are handed in."""

import io
import zipfile

from small_course import EXERCISE

from course.manifest import load_chapter
from course.source import blank

SOLUTION = '''"""Chapter 1."""


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
'''
MANIFEST = """number = 1
slug = "01_first"
title = "First"
question = "How?"
changed = []
removed = []
"""
TEST = """
@pytest.mark.exercise("{id}", points=1)
def test_{name}_of_a_number():
    expect(tt.{name}(3), {three}, "{name}(3)", slips={{15: "count again", 0: "count again"}})


@pytest.mark.exercise("{id}", points=1)
def test_{name}_of_zero():
    expect(tt.{name}(0), 0, "{name}(0)", because="nothing comes from nothing")
"""
IMPORTS = "import pytest\n\nimport tinytorch as tt\nfrom course.testing import expect\n\n"
EXERCISES = [
    {"id": "1.1", "name": "double", "three": 6},
    {"id": "1.2", "name": "square", "three": 9},
]
DOUBLE, SQUARE = "    total = x + x\n    return total\n", "    result = x * x\n    return result\n"


def make_chapter(folder):
    """The chapter, in an empty folder, with a blank exercise file."""
    texts = {
        "tests/chapter01/exercises.toml": MANIFEST
        + "".join(EXERCISE.format(**e) for e in EXERCISES),
        "tests/chapter01/test_all.py": IMPORTS + "".join(TEST.format(**e) for e in EXERCISES),
        "solutions/01_first/tinytorch.py": SOLUTION,
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    chapter = load_chapter(1, folder)
    chapter.exercise_file.parent.mkdir(parents=True)
    write(chapter, blank(SOLUTION, chapter.exercises))
    return chapter


def write(chapter, text, encoding="utf-8"):
    chapter.exercise_file.write_bytes(text.encode(encoding))


def body(text):
    """A change that makes this the body of double()."""
    return DOUBLE, f"    {text}\n"


def zipped(**files):
    """The bytes of a zip with these texts; a__b.py stands for a/b.py."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", "/"), text)
    return data.getvalue()
