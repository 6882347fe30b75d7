"""A chapter of several files: what is missing, in the wrong place or not the student's earns no
marks, and everything that one file can have, several can have."""

import shutil

import pytest
from small_course import edit, write
from small_package import make_package

from course.grading import grade
from course.modules import solution_of, write_code

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
    assert result.note.endswith("; make reset-6.2 brings it back")


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
    edit(solved / "sums.py", "total = x + x", "total = x + nothing")
    (_, said), _, _, (_, follows) = messages(grade(chapter))
    assert said.endswith("NameError: name 'nothing' is not defined (sums.py, line 6, in double)")
    place = "(extra.py, line 8, in quadruple, then sums.py, line 6, in double)"
    assert place in follows


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
