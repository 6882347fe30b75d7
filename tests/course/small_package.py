"""A chapter of Part II with a library of its own: three modules, one of them in a subpackage."""

import json

from small_course import EXERCISE, WRONG, code, markdown, notebook, write, write_derived

from course.manifest import load_chapter
from course.notebooks.derive import with_headings
from course.notebooks.file import to_text

LIBRARY = {
    "__init__": "from tinytorch.contents import *\n"
    "from tinytorch.contents import __getattr__, __version__\n",
    "contents": """from tinytorch.nn.conv import square
from tinytorch.sums import double
from tinytorch.tensor import Tensor

__version__ = "1"


def __getattr__(name):
    import importlib

    if name != "later":
        raise AttributeError(name)
    return importlib.import_module("tinytorch.later")
""",
    "tensor": """import numpy as np

from tinytorch.state import state


class Tensor:
    def __init__(self, data):
        self._data = np.array(data)
""",
    "state": """class State:
    grad_enabled = True


state = State()
""",
    "later": "VALUE = 5\n",
    "nn.__init__": """from pkgutil import extend_path

__path__ = extend_path([], __name__)
""",
    "sums": '''"""Sums."""


def double(x):
    """Twice x."""
    total = x + x
    return total


def triple(x):
    return double(x) + x
''',
    "nn.conv": '''"""Products."""

from tinytorch.tensor import Tensor


def square(x):
    """x times x."""
    result = x * x
    return result


class Conv:
    """A layer."""

    def forward(self, x):
        """Three times the square of x."""
        result = square(x)
        return 3 * result


NOTHING = Tensor(0)
''',
}
OWN = '''"""What only this chapter has."""

from tinytorch.sums import double


def quadruple(x):
    """Four times x."""
    total = double(x)
    return double(total)
'''
EXERCISES = [  # id, name, title, its value at 3
    ("6.1", "sums.double", "double", 6),
    ("6.2", "nn.conv.square", "square", 9),
    ("6.3", "nn.conv.Conv.forward", "forward", 27),
    ("6.4", "extra.quadruple", "quadruple", 12),
]
CALLS = {"6.1": "tt.double", "6.2": "tt.square", "6.3": "tt.nn.conv.Conv().forward"}
CALLS["6.4"] = "tt.extra.quadruple"
MANIFEST = """number = 6
slug = "06_package"
title = "Package"
question = "How?"
modules = {modules}
own = ["extra"]
"""
IMPORTS = "import pytest\n\nimport tinytorch as tt\nfrom course.testing import expect\n"
TEST = """

@pytest.mark.exercise("{id}", points=1)
def test_{title}_of_a_number():
    expect({call}(3), {value}, "{title}(3)", because="count again")


@pytest.mark.exercise("{id}", points=1)
def test_{title}_of_zero():
    expect({call}(0), 0, "{title}(0)", because="count again")
"""
CHECK = 'import tinytorch as tt\n\n\ndef check(exercise):\n    return "not started"\n'


def make_package(root):
    """Write the library, the chapter, and what is derived; the chapter."""
    for module, text in LIBRARY.items():
        write(root / "tinytorch" / f"{module.replace('.', '/')}.py", text)
    write(root / "solutions/06_package/tinytorch/extra.py", OWN)
    tests = root / "tests/chapter06"
    entries = [
        {"id": id, "name": name, "title": title, "value": value, "call": CALLS[id]}
        for id, name, title, value in EXERCISES
    ]
    manifest = MANIFEST.format(modules=json.dumps(["sums", "nn.conv"]))
    write(tests / "exercises.toml", manifest + "".join(EXERCISE.format(**e) for e in entries))
    write(tests / "test_all.py", IMPORTS + "".join(TEST.format(**e) for e in entries))
    wrong = [_wrong(entry, n) for entry in entries for n in (0, 7, 8)]
    write(tests / "misconceptions.py", "from course.misconceptions import wrong\n" + "".join(wrong))
    chapter = load_chapter(6, root)
    write(chapter.solution_notebook, to_text(with_headings(_lesson(), chapter)))
    write_derived(chapter)
    return chapter


def _wrong(entry, n):
    text = WRONG.format(id=entry["id"], name=entry["title"], n=n)
    return text.replace("(x)", "(self, x)") if entry["title"] == "forward" else text


def _lesson():
    cells = [markdown("a", "# Package"), code("b", CHECK)]
    for id, *_ in EXERCISES:
        name = id.replace(".", "-")
        cells += [markdown(f"text-{name}", f"## Exercise {id}")]
        cells += [code(f"check-{name}", f'check("{id}")')]
    return notebook(*cells)
