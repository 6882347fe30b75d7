"""A chapter of several files: what is missing, in the wrong place or not the student's earns no
marks, and everything that one file can have, several can have."""

import os
import shutil
import subprocess
import sys
import textwrap

import pytest
from small_course import edit, write
from small_package import make_package

from course.grading import grade
from course.modules import solution_of, write_code
from course.output import command
from course.paths import ROOT

BLANK = 'raise NotImplementedError("exercise 6.1: double")'


@pytest.fixture
def chapter(tmp_path):
    return make_package(tmp_path)


@pytest.fixture
def solved(chapter):
    """The folder of the student's modules, all of them right."""
    write_code(chapter.exercise_file, solution_of(chapter))
    return chapter.exercise_file


def messages(result):
    return [(exercise.status, exercise.message) for exercise in result.exercises]


# What is derived


def test_blanks_are_a_package_of_the_modules_and_an_init(chapter):
    folder = chapter.exercise_file
    files = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*.py"))
    assert files == ["__init__.py", "extra.py", "nn/conv.py", "sums.py"]
    assert BLANK in (folder / "sums.py").read_text()
    assert "def triple(x):\n    return double(x) + x\n" in (folder / "sums.py").read_text()
    assert (folder / "__init__.py").read_text().endswith("from tinytorch import extra\n")


# Marks


def test_the_solution_passes_and_blanks_are_not_started(chapter):
    assert grade(chapter, chapter.solution_file).passed
    assert messages(grade(chapter)) == [("not started", "")] * 4


@pytest.mark.parametrize("named", ["the package", "the chapter's folder", "a file in it"])
def test_the_folder_may_be_named_in_three_ways(chapter, solved, named):
    paths = {"the package": solved, "the chapter's folder": solved.parent}
    assert grade(chapter, paths.get(named, solved / "nn/conv.py")).passed


def test_a_folder_lies_anywhere_and_needs_no_init(chapter, solved, tmp_path):
    folder = tmp_path / "submissions" / "alice"
    shutil.copytree(solved, folder)
    (folder / "__init__.py").unlink()
    assert grade(chapter, folder).passed


def test_a_missing_module_earns_nothing_from_the_library(chapter, solved):
    (solved / "nn/conv.py").unlink()
    result = grade(chapter)
    assert result.marks == 0
    assert result.note.startswith("nn/conv.py is missing: there is no ")
    assert result.note.endswith(f"; {command('reset-6.2')} brings it back")


def test_a_module_in_the_wrong_folder_is_told_where_it_belongs(chapter, solved):
    (solved / "nn/conv.py").rename(solved / "conv.py")
    note = grade(chapter).note
    assert note == f"conv.py is in the wrong folder: move it to nn/conv.py in {solved}"


@pytest.mark.parametrize("name", ["tensor.py", "nn/__init__.py", "sums/__init__.py", "nn.py"])
def test_a_file_that_hides_another_module_is_named(chapter, solved, name):
    write(solved / name, "")
    result = grade(chapter)
    assert result.marks == 0 and result.note.startswith(f"{name} would be taken for ")


def test_a_subpackages_module_is_the_students(chapter, solved):
    edit(solved / "nn/conv.py", "result = x * x", "result = x + x")
    statuses = [exercise.status for exercise in grade(chapter).exercises]
    assert statuses == ["passed", "failed", "waiting", "passed"]


def test_a_file_that_is_no_python_is_named_with_its_place(chapter, solved):
    edit(solved / "nn/conv.py", "def square(x):", "def square(x:")
    assert grade(chapter).note == "SyntaxError: '(' was never closed (nn/conv.py, line 6)"


def test_a_module_that_no_longer_imports_is_named_with_its_place(chapter, solved):
    edit(solved / "nn/conv.py", "import Tensor", "import Tensr")
    note = grade(chapter).note
    assert "cannot import name 'Tensr' from 'tinytorch.tensor'" in note
    assert note.endswith("(nn/conv.py, line 3)")


def test_a_renamed_method_is_missed(chapter, solved):
    edit(solved / "nn/conv.py", "def forward", "def forwards")
    (wrong,) = [e for e in grade(chapter).exercises if e.status != "passed"]
    assert wrong.message == "the file has no nn.conv.Conv.forward: exercise 6.3 asks for it"


def test_a_message_names_the_file_and_where_it_led(chapter, solved):
    edit(solved / "sums.py", "return double(x) + x", "return double(x) + nothing")
    edit(solved / "extra.py", "import double", "import triple as double")
    said = grade(chapter).exercises[3].message
    place = "(extra.py, line 8, in quadruple, then sums.py, line 11, in triple)"
    assert said.endswith(f"NameError: name 'nothing' is not defined {place}")


def test_an_endless_loop_is_placed_in_its_file(chapter, solved, monkeypatch):
    monkeypatch.setattr("course.grading.run.TEST_LIMIT", 1)
    edit(solved / "nn/conv.py", "result = x * x", "while True: pass")
    message = grade(chapter).exercises[1].message
    assert message.endswith("an endless loop? (nn/conv.py, line 8, in square)")


def test_state_of_a_failed_test_does_not_leak_into_the_next(chapter, solved):
    flag = "calls = []\n\n\ndef double(x):"
    edit(solved / "sums.py", "def double(x):", flag)
    edit(
        solved / "sums.py", "total = x + x", "calls.append(x)\n    total = x + x + len(calls) // 2"
    )
    edit(
        chapter.tests / "test_all.py",
        "    expect(tt.double(3)",
        "    tt.double(1)\n    expect(tt.double(3)",
    )
    first = grade(chapter).exercises[0]
    assert [test.passed for test in first.tests] == [False, True]


def test_a_switch_of_the_library_is_put_back(chapter, solved):
    lines = (
        "total = x + x\n    import tinytorch.state\n    tinytorch.state.state.grad_enabled = False"
    )
    edit(solved / "sums.py", "total = x + x", lines)
    contract = chapter.tests / "test_zoo.py"
    shutil.copyfile(chapter.tests / "test_all.py", contract)
    edit(contract, "def test_", "def test_of_all_")
    edit(chapter.tests / "exercises.toml", "points = 2", "points = 4")
    exercises = grade(chapter).exercises
    assert exercises[0].message == "grad_enabled was True before sums.double, is False after it"
    assert [exercise.status for exercise in exercises][1:3] == ["passed", "passed"]


def test_files_that_the_modules_import_come_along(chapter, solved):
    write(solved / "helper.py", "from outside import two\n")
    write(solved.parent / "outside.py", "two = 2\n")
    edit(solved / "sums.py", '"""Sums."""', "from tinytorch.helper import two")
    edit(solved / "sums.py", "total = x + x", "total = two * x")
    assert grade(chapter).passed


# In a kernel

SESSION = """
import os
import sys
from functools import partial
from pathlib import Path
from IPython.core.interactiveshell import InteractiveShell
from course import manifest, extension

root = Path({root!r})
extension.load_chapter = partial(manifest.load_chapter, root=root)
extension.find_exercise = partial(manifest.find_exercise, root=root)
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "course")


def run(cell):
    result = shell.run_cell(cell)
    print("FAILED") if result.error_in_exec else None


def edit(file, old, new):
    path = Path("tinytorch", file)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


run("import tinytorch as tt; print(tt.double(3), tt.square(3), tt.extra.quadruple(3))")
"""


def session(chapter, code="", folder=None):
    """What a kernel says in the chapter's folder, or another, after %load_ext course: lines."""
    paths = os.pathsep.join([str(chapter.root), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-c", SESSION.format(root=str(chapter.root)) + textwrap.dedent(code)],
        cwd=folder or chapter.exercise_file.parent, env=os.environ | {"PYTHONPATH": paths},
        capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_kernel_runs_the_students_modules_also_those_in_subpackages(chapter, solved):
    edit(solved / "nn/conv.py", "result = x * x", "result = x + 1")
    assert session(chapter) == ["6 4 12"]


def test_an_edit_reaches_the_next_cell(chapter, solved):
    code = """
    edit("sums.py", "total = x + x", "total = 5 * x")
    edit("nn/conv.py", "result = x * x", "result = 0")
    run("print(tt.double(3), tt.square(3), tt.extra.quadruple(3))")
    """
    assert session(chapter, code) == ["6 9 12", "15 0 75"]


OLD = "until that is mended, cells go on running the code from before"


def test_edits_that_cannot_be_run_are_one_line_each(chapter, solved):
    code = """
    edit("nn/conv.py", "def square(x):", "def square(x:")
    run("print(tt.square(3))")
    edit("nn/conv.py", "def square(x:", "def square(x, y=nothing):")
    run("print(tt.square(3))")
    edit("nn/conv.py", "def square(x, y=nothing):", "def square(x):")
    run("print(tt.square(3))")
    Path("tinytorch/sums.py").rename("sums.py")
    run("print(tt.double(3))")
    """
    gone = f"there is no {solved / 'sums.py'}; {command('reset-6.1')} brings it back"
    assert session(chapter, code)[1:] == [
        f"SyntaxError: '(' was never closed (nn/conv.py, line 6); {OLD}", "9",
        f"NameError: name 'nothing' is not defined (nn/conv.py, line 6); {OLD}", "9", "9",
        f"sums.py is missing: {gone}; {OLD}",
        "6",
    ]  # fmt: skip


def test_a_module_that_no_longer_imports_is_named_at_the_start(chapter, solved):
    edit(solved / "nn/conv.py", "import Tensor", "import Tensr")
    says = session(chapter)[0]
    assert says.startswith("ImportError: cannot import name 'Tensr' from 'tinytorch.tensor'")
    assert says.endswith("(nn/conv.py, line 3)")


def test_a_missing_module_is_named_at_the_start(chapter, solved):
    (solved / "sums.py").unlink()
    assert session(chapter)[0].startswith("sums.py is missing: there is no ")


@pytest.fixture
def layers(chapter, solved):
    """A module of the library that holds a class of the student's."""
    write(chapter.library / "layers.py", "from tinytorch.nn.conv import Conv\n")
    contents = "from tinytorch import layers\nfrom tinytorch.tensor"
    edit(chapter.library / "contents.py", "from tinytorch.tensor", contents)


HELD = """run("class Own(tt.layers.Conv): pass")
    run("objects = [tt.layers.Conv(), Own()]")"""


def test_an_edit_of_equal_length_within_the_second_reaches_the_next_cell(chapter, solved):
    os.utime(solved / "nn/conv.py", (1e9, 1e9 + 0.25))
    code = """
    edit("nn/conv.py", "NOTHING = Tensor(0)", "NOTHING = Tensor(1)")
    edit("nn/conv.py", "result = x * x", "result = x + x")
    os.utime("tinytorch/nn/conv.py", (1e9, 1e9 + 0.5))
    run("print(tt.square(3))")
    """
    assert session(chapter, code)[1:] == ["6"]


def test_a_class_stays_what_it_is_when_its_module_is_reloaded(chapter, layers):
    code = f"""
    {HELD}
    edit("nn/conv.py", "NOTHING = Tensor(0)", "NOTHING = Tensor(1)")
    edit("nn/conv.py", "return 3 * result", "return 5 * result")
    run("from tinytorch.nn.conv import Conv; print(Conv is tt.layers.Conv)")
    run("print([isinstance(o, Conv) and o.forward(2) for o in objects])")
    """
    assert session(chapter, code)[1:] == ["True", "[20, 20]"]


def test_modules_that_are_edited_together_are_run_in_the_order_of_their_imports(chapter, solved):
    code = """
    edit("extra.py", "import double", "import double, tenfold")
    edit("extra.py", "return double(total)", "return tenfold(total)")
    edit("sums.py", "def triple", "def tenfold(x):\\n    return 10 * x\\n\\n\\ndef triple")
    run("print(tt.extra.quadruple(3))")
    """
    assert session(chapter, code)[1:] == ["60"]


def test_a_module_under_two_names_is_run_anew_once(chapter, layers):
    again = "import sys; sys.modules['tinytorch.again'] = sys.modules['tinytorch.nn.conv']"
    code = f"""
    {HELD}
    run("{again}")
    edit("nn/conv.py", "NOTHING = Tensor(0)", "NOTHING = Tensor(1)")
    run("from tinytorch.nn.conv import Conv; print(Conv is tt.layers.Conv)")
    """
    assert session(chapter, code)[1:] == ["True"]


def test_a_class_on_a_namedtuple_stays_what_it_is(chapter, solved):
    pair = "from collections import namedtuple\n\n\n"
    pair += 'class Pair(namedtuple("Pair", "a b")):\n    pass\n'
    edit(solved / "sums.py", '"""Sums."""', f'"""Sums."""\n{pair}')
    code = """
    run("from tinytorch.sums import Pair; pair = Pair(1, 2)")
    edit("sums.py", "total = x + x", "total = 5 * x")
    run("from tinytorch.sums import Pair; print(isinstance(pair, Pair), tt.double(3))")
    """
    assert session(chapter, code)[1:] == ["True 15"]


def test_a_method_that_begins_to_call_super_finds_what_is_above_it(chapter, layers):
    code = f"""
    {HELD}
    edit("nn/conv.py", "result = square(x)", "result = super().__hash__()")
    run("print([o.forward(2) == 3 * hash(o) for o in objects])")
    edit("nn/conv.py", "super().__hash__()", "super().__hash__() + x")
    run("print([o.forward(2) == 3 * (hash(o) + 2) for o in objects])")
    """
    assert session(chapter, code)[1:] == ["[True, True]", "[True, True]"]


def test_a_class_with_another_base_asks_for_a_restart(chapter, layers):
    code = """
    edit("nn/conv.py", "NOTHING = Tensor(0)", "NOTHING = Tensor(1)")
    edit("nn/conv.py", "class Conv:", "class Conv(Tensor):")
    run("print(1)")
    run("print(2)")
    """
    restart = "restart the kernel, and run the cells again from the top"
    assert session(chapter, code)[1:] == [
        "Conv of tinytorch.nn.conv has another base class, or slots, than before your edit, "
        f"and your objects are still of the old one: {restart}", "1", "2",
    ]  # fmt: skip


def test_beside_the_solved_notebook_the_library_runs_with_the_chapters_own_modules(chapter):
    assert session(chapter, folder=chapter.solution_notebook.parent) == ["6 9 12"]
