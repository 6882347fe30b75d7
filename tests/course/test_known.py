"""What was graded before is known, as long as all is as it was."""

import os

import pytest
from small_course import edit, make_course

from course.modules import solution_of
from course.proofs import grading


@pytest.fixture
def first(tmp_path, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    return make_course(tmp_path)[0]


@pytest.fixture
def graded(monkeypatch):
    """The code that is really graded, in order."""
    codes, grade = [], grading._grade

    def noted(chapter, code, only, options):
        codes.append(code)
        return grade(chapter, code, only, options)

    monkeypatch.setattr(grading, "_grade", noted)
    return codes


def marks(chapter, code=None, only=None, **options):
    code = code or solution_of(chapter)
    (result,) = grading.grade_all([(chapter, code, only)], **options)
    assert result.chapter is chapter
    return result.marks, [e.id for e in result.exercises]


def test_what_is_as_it_was_is_graded_once(first, graded):
    once = marks(first)
    assert (marks(first), len(graded)) == (once, 1)
    assert marks(first, only=["1.1"])[1] == ["1.1"]
    marks(first, until_failed=True)
    assert len(graded) == 3


def test_other_code_is_graded(first, graded):
    before = marks(first)
    (name, text), *_ = solution_of(first).items()
    other = {name: text + "\nraise ValueError\n"}
    assert marks(first, other) != before
    assert graded == [solution_of(first), other]


def test_a_file_is_told_by_what_is_in_it(first, graded):
    before = marks(first, first.solution_file)
    assert marks(first, first.exercise_file) != before
    assert graded == [first.solution_file, first.exercise_file]


def test_other_tests_grade_anew(first, graded):
    before = marks(first)
    path = next(first.tests.glob("test_*.py"))
    written = path.stat().st_mtime_ns
    edit(path, "points=1", "points=7")  # as long as before, and within the same second
    os.utime(path, ns=(written, written + 1))
    assert marks(first) != before
    assert len(graded) == 2


def test_continuous_integration_grades_everything(first, graded, monkeypatch):
    marks(first)
    monkeypatch.setenv("CI", "true")
    for _ in range(2):
        marks(first)
    assert len(graded) == 3


def test_what_did_not_end_is_tried_again(first, graded, monkeypatch):
    monkeypatch.setattr("course.grading.run.IMPORT_LIMIT", 0.3)
    (name, text), *_ = solution_of(first).items()
    for _ in range(2):
        marks(first, {name: "while True:\n    pass\n" + text})
    assert len(graded) == 2


def test_what_was_edited_meanwhile_is_tried_again(first, graded, monkeypatch):
    monkeypatch.setattr("course.grading.run.Run._judges", lambda self: object())
    for _ in range(2):
        marks(first)
    assert len(graded) == 2
