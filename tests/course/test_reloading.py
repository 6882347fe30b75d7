"""After every edit, tracebacks name the line and the class that are in the file now, and what the
notebook holds has the new code: in Part I's one file, and in the modules of Part II."""

import os
import re
import subprocess
import sys
import textwrap
from itertools import chain

import pytest
from small_course import write
from small_package import make_package

from course.modules import solution_of, write_code
from course.paths import ROOT

CODE = """
import functools
import warnings


def logged(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)
    return wrapper


def plain(x):
    return 1 / x  # plain


@logged
def decorated(x):
    return 1 / x  # decorated


def outer(x):
    def inner(y):
        return 1 / y  # outer.<locals>.inner
    return inner(x)


def warned():
    warnings.warn("careful")  # warned


class Base:
    def above(self, x):
        return 1 / x  # Base.above


class Thing(Base):
    unnamed = lambda self, x: 1 / x  # Thing.<lambda>

    def method(self, x):
        return 1 / x  # Thing.method

    twin = method

    @staticmethod
    def static(x):
        return 1 / x  # Thing.static

    @classmethod
    def of_class(cls, x):
        return 1 / x  # Thing.of_class

    @property
    def asked(self):
        return 1 / 0  # Thing.asked

    @logged
    def wrapped(self, x):
        return 1 / x  # Thing.wrapped

    def nested(self, x):
        return (lambda y: 1 / y)(x)  # Thing.nested.<locals>.<lambda>

    def above(self, x):
        return super().above(x)

    class Inner:
        def method(self, x):
            return 1 / x  # Thing.Inner.method


THINGS = (Thing,)
HELD = Thing()
calls = []
"""

SESSION = """
import linecache
import sys
import traceback
import warnings
from functools import partial
from pathlib import Path
from IPython.core.interactiveshell import InteractiveShell
from course import extension, manifest

extension.load_chapter = partial(manifest.load_chapter, root=Path({root!r}))
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "course")
file, calls = Path({file!r}), {calls!r}


def run(cell):
    shell.run_cell(cell).raise_error()


def edit(old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def place(call):
    try:
        eval(call, shell.user_ns)
    except ZeroDivisionError as error:
        code = [*traceback.walk_tb(error.__traceback__)][-1][0].f_code
        step = traceback.extract_tb(error.__traceback__)[-1]
        return step.lineno, code.co_qualname, step.line


def wrong_places():
    lines = file.read_text().splitlines()
    there = {{line.split("# ")[1]: (number, line.strip())
             for number, line in enumerate(lines, start=1) if "# " in line}}
    for call, name in calls.items():
        number, text = there[name]
        if place(call) != (number, name, text):
            yield call, place(call), (number, name, text)


def look(after):
    run("pass")
    print(after, *wrong_places())


run("import {module} as m")
run("from {module} import *")
run("thing, method, static, inner = Thing(), Thing().method, Thing.static, Thing.Inner()")
"""
CALLS = {
    "plain(0)": "plain",
    "m.plain(0)": "plain",
    "decorated(0)": "decorated",
    "outer(0)": "outer.<locals>.inner",
    "thing.unnamed(0)": "Thing.<lambda>",
    "thing.method(0)": "Thing.method",
    "Thing().method(0)": "Thing.method",
    "m.HELD.method(0)": "Thing.method",
    "thing.twin(0)": "Thing.method",
    "method(0)": "Thing.method",
    "static(0)": "Thing.static",
    "thing.static(0)": "Thing.static",
    "Thing.of_class(0)": "Thing.of_class",
    "thing.asked": "Thing.asked",
    "thing.wrapped(0)": "Thing.wrapped",
    "thing.nested(0)": "Thing.nested.<locals>.<lambda>",
    "thing.above(0)": "Base.above",
    "inner.method(0)": "Thing.Inner.method",
}


@pytest.fixture(params=["Part I", "Part II"])
def kernel(request, tmp_path):
    """A function: what a kernel with CODE in a student's file prints, lines."""
    if request.param == "Part I":
        file, module = tmp_path / "01_first/tinytorch.py", "tinytorch"
        folder, text = file.parent, ""
    else:
        chapter = make_package(tmp_path)
        write_code(chapter.exercise_file, solution_of(chapter))
        file, module = chapter.exercise_file / "nn/conv.py", "tinytorch.nn.conv"
        folder, text = chapter.exercise_file.parent, file.read_text()
    write(file, text + CODE)
    start = SESSION.format(root=str(tmp_path), file=str(file), module=module, calls=CALLS)

    def session(code):
        paths = os.pathsep.join([str(tmp_path), str(ROOT)])
        done = subprocess.run(
            [sys.executable, "-c", start + textwrap.dedent(code)], cwd=folder,
            env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True,
            encoding="utf-8",
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.splitlines()

    return session


def test_after_every_edit_lines_and_names_are_those_of_the_file(kernel):
    code = """
    look("as imported")
    edit("import functools", "import functools" + 3 * chr(10))
    look("lines above")
    edit("return 1 / x", "x = x + 0; return 1 / x")
    look("every function")
    edit("def plain(x):", "def plain(x):" + chr(10) + "    x = x * 1")
    look("another function")
    edit("x = x + 0; return 1 / x", "return 1 / x")
    look("back")
    edit("import functools" + 3 * chr(10), "import functools")
    look("fewer lines")
    edit("return 1 / x", "return 1 / (x + 0)")
    look("again")
    """
    assert kernel(code) == [
        "as imported", "lines above", "every function", "another function", "back", "fewer lines",
        "again",
    ]  # fmt: skip


def test_the_traceback_that_a_reader_sees_has_them(kernel):
    code = """
    for n in range(3):
        edit("class Base", "# one more line" + chr(10) + "class Base")
        edit("return 1 / x  # Thing.method", "return 1 / (x + 0)  # Thing.method")
        shell.run_cell("thing.method(0)")
        edit("return 1 / (x + 0)  # Thing.method", "return 1 / x  # Thing.method")
        shell.run_cell("thing.method(0)")
    """
    said = re.sub(r"\x1b\[[\d;]*m", "", "\n".join(kernel(code)))  # without colours
    assert said.count("in Thing.method(self, x)") == 6
    arrows = re.findall(r"-> (\d+)     return (.*)", said)
    first = int(arrows[0][0])
    assert arrows == [(str(first + n), text) for n in range(3) for text in ("1 / (x + 0)", "1 / x")]


def test_a_warning_has_the_line_of_now(kernel):
    code = """
    for n in range(3):
        edit("class Base", "# one more line" + chr(10) + "class Base")
        edit("def warned", "# one more line" + chr(10) + "def warned")
        run("pass")
        with warnings.catch_warnings(record=True) as caught:
            run("warned()")
        line = warnings.formatwarning(*[getattr(caught[0], n) for n in
                                        ("message", "category", "filename", "lineno")])
        print(line.splitlines()[1].strip())
    """
    assert kernel(code) == 3 * ['warnings.warn("careful")  # warned']


def test_what_the_notebook_holds_is_what_the_module_has(kernel):
    code = """
    for n in range(3):
        edit("1 / x", "1 + 1 / x")
        run("print(Thing is m.Thing is m.THINGS[0], plain is m.plain, decorated is m.decorated)")
        run("print([isinstance(thing, m.Thing), isinstance(m.HELD, Thing)])")
        run("print(isinstance(inner, Thing.Inner))")
        run("print(thing.method(1), method(1), static(1), decorated(1), thing.wrapped(1))")
    """
    same = ["True True True", "[True, True]", "True"]
    sums = [[*same, f"{n}.0 {n}.0 {n}.0 {n}.0 {n}.0"] for n in (2, 3, 4)]
    assert kernel(code) == [*chain(*sums)]


def test_what_is_no_class_and_no_function_is_what_the_file_makes_of_it(kernel):
    code = """
    run("m.calls.append(1)")
    edit("calls = []", "other = 3")
    run("print(hasattr(m, 'calls'), m.other)")
    """
    assert kernel(code) == ["False 3"]


def test_two_names_of_one_method_can_be_told_apart(kernel):
    code = """
    edit("    twin = method", "    def twin(self, x):" + chr(10) + "        return 5")
    run("print(thing.twin(1), thing.method(1), method(1))")
    """
    assert kernel(code) == ["5 1.0 1.0"]


def test_methods_come_and_go(kernel):
    code = """
    edit("def static(x)", "def solid(x)")
    run("print(hasattr(thing, 'static'), thing.solid(1))")
    edit("    @staticmethod", "    @functools.cache")
    run("print(thing.solid.__func__.__name__)")
    edit("return super().above(x)", "return x")
    run("print(thing.above(3))")
    edit("return x" + chr(10), "return super().above(x) + 1" + chr(10))
    run("print(thing.above(1))")
    """
    assert kernel(code) == ["False 1.0", "solid", "3", "2.0"]


def test_an_edit_that_was_taken_back_unrun_changes_nothing(kernel):
    code = """
    run("m.calls.append(1)")
    edit("calls = []", "calls = [")
    run("pass")
    edit("calls = [", "calls = []")
    run("print(m.calls)")
    """
    assert kernel(code)[1:] == ["[1]"]


def test_where_one_autoreloads_oneself_nothing_changes(kernel):
    code = """
    run("%load_ext autoreload")
    run("%autoreload 2")
    for n in range(3):
        edit("return 1 / x", "x = x + 0; return 1 / x")
        look(n)
    """
    assert kernel(code)[-3:] == ["0", "1", "2"]
