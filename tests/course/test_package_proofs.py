"""The proofs, made on a chapter of several files."""

import pytest
from small_course import EXERCISE, edit, write, write_derived
from small_package import make_package

from course.manifest import all_chapters, load_chapter
from course.mutants import mutants_of
from course.notebooks import write_solution
from course.proofs.concepts import prove_concepts
from course.proofs.derived import prove_derived
from course.proofs.layers import prove_layers
from course.proofs.limits import prove_limits
from course.proofs.manifests import prove_manifests
from course.proofs.runs import prove_notebooks_run
from course.proofs.suites import (
    prove_blanks_stand_alone,
    prove_misconceptions_are_caught,
    prove_solutions_pass,
)

LATER = """number = 7
slug = "07_later"
title = "Later"
question = "How?"
modules = ["later"]
own = []
"""


@pytest.fixture
def chapter(tmp_path, monkeypatch):
    monkeypatch.delenv("COURSE_STRICT", raising=False)
    return make_package(tmp_path)


def problems(prove, chapter):
    return [str(problem) for problem in prove(all_chapters(chapter.root)).problems]


QUICK = [prove_derived, prove_manifests, prove_concepts, prove_limits, prove_layers]
SUITES = [prove_solutions_pass, prove_blanks_stand_alone, prove_misconceptions_are_caught]


@pytest.mark.parametrize("prove", QUICK + SUITES, ids=lambda prove: prove.__name__)
def test_a_sound_package_has_no_problems(chapter, prove):
    assert problems(prove, chapter) == []


def test_every_file_is_compared_with_what_is_derived(chapter):
    edit(chapter.library / "nn/conv.py", "x times x", "x by x")
    (problem,) = problems(prove_derived, chapter)
    assert problem.startswith("chapters/06_package/tinytorch/nn/conv.py: is not what is derived")
    write_derived(chapter)
    edit(chapter.exercise_file / "__init__.py", "import extra", "import sums")
    (problem,) = problems(prove_derived, chapter)
    assert problem.startswith("chapters/06_package/tinytorch/__init__.py: is not what is derived")


def test_a_module_that_is_not_there_is_found(chapter):
    edit(chapter.tests / "exercises.toml", '["sums", ', '["sum", ')
    assert problems(prove_manifests, chapter) == [
        "chapter 6: has a module sum, and no tinytorch/sum.py"
    ]


def test_an_own_module_with_a_name_of_the_librarys_is_found(chapter):
    write(chapter.library / "extra.py", "")
    (problem,) = problems(prove_manifests, chapter)
    assert problem.startswith("chapter 6: own module extra: wanted one name")


@pytest.mark.parametrize(
    "line", ["from tinytorch import nn", "import tinytorch.nn", "import tinytorch.nn as tt"]
)
def test_a_test_that_imports_more_than_tinytorch_is_found(chapter, line):
    edit(chapter.tests / "test_all.py", "import pytest\n", f"import pytest\n{line}\n")
    (problem,) = problems(prove_manifests, chapter)
    assert problem == f"tests/chapter06/test_all.py:2: {line}: wanted import tinytorch as tt alone"


def test_stray_files_are_found_in_the_packages(chapter, monkeypatch):
    write(chapter.solution_notebook.parent / "tinytorch" / "sums.py", "")
    write(chapter.exercise_file / "nn" / "more.py", "")
    monkeypatch.setenv("COURSE_STRICT", "1")
    assert problems(prove_manifests, chapter) == [
        "solutions/06_package/tinytorch/sums.py: does not belong here",
        "chapters/06_package/tinytorch/nn/more.py: does not belong here",
    ]


def test_a_module_that_is_too_long_is_found(chapter):
    lines = "".join(f"NUMBER_{n} = {n}\n" for n in range(160))
    write(chapter.library / "sums.py", (chapter.library / "sums.py").read_text() + lines)
    (problem,) = problems(prove_limits, chapter)
    assert problem == "chapter 6: sums.py has 165 lines, limit 160"


def test_a_wrong_answer_that_nobody_sees_is_found(chapter):
    wrong = '\n\n@wrong("6.2", says="x")\ndef twice_the_same(x):\n    return x**2\n'
    path = chapter.tests / "misconceptions.py"
    write(path, path.read_text() + wrong)
    (problem,) = problems(prove_misconceptions_are_caught, chapter)
    assert "twice_the_same passes all tests of exercise 6.2" in problem


def test_mutants_are_made_in_every_module(chapter):
    names = {mutant.name for mutant in mutants_of(chapter)}
    assert names == {"sums.double", "nn.conv.square", "nn.conv.Conv.forward", "extra.quadruple"}


@pytest.fixture
def two(chapter):
    """The chapter, and a later one."""
    write(chapter.library / "later.py", "def later(x):\n    y = x\n    return y\n")
    entry = EXERCISE.format(id="7.1", name="later.later", title="later")
    write(chapter.root / "tests/chapter07/exercises.toml", LATER + entry)
    return chapter


def test_a_suite_passes_with_the_blanks_of_later_chapters(two):
    assert problems(prove_layers, two) == []


def test_a_suite_that_needs_a_later_chapter_is_found(two):
    edit(two.tests / "test_all.py", "tt.double(3)", "tt.later.later(tt.double(3))")
    (problem,) = problems(prove_layers, two)
    assert problem.startswith("exercise 6.1: test_double_of_a_number fails with blanks of later")


def test_a_module_of_two_chapters_is_found(two):
    manifest = two.root / "tests/chapter07/exercises.toml"
    edit(manifest, 'modules = ["later"]', 'modules = ["later", "sums"]')
    said = problems(prove_layers, load_chapter(6, two.root))
    assert said[0] == "chapter 7: sums belongs to chapter 6 already"


def test_the_notebook_runs_on_the_package(chapter):
    assert write_solution(chapter) == "written"
    assert problems(prove_notebooks_run, chapter) == []
