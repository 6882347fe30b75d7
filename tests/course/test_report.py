"""Marks as text and as files, and the suites under plain pytest."""

import os
import subprocess
import sys

import pytest

from course.grading import report
from course.grading.results import (
    FAILED,
    NOT_STARTED,
    PASSED,
    WAITING,
    ChapterResult,
    ExerciseResult,
)
from course.manifest import load_chapter
from course.paths import ROOT

CHAPTER = load_chapter(1)
MESSAGE = "backward() on y = x + x gave x.grad = 1, expected 2: a tensor used twice receives the "
MESSAGE += "sum of both gradients, so add to what is there"


@pytest.fixture
def result():
    exercises = (
        ExerciseResult("1.1", "as_array", 6, 6, PASSED),
        ExerciseResult("1.2", "a title " * 12, 1, 3, FAILED, MESSAGE),
        ExerciseResult("1.3", "item", 0, 3, WAITING, "needs exercise 1.2 first"),
        ExerciseResult("1.4", "arithmetic", 0, 4, NOT_STARTED),
    )
    return ChapterResult(CHAPTER, CHAPTER.exercise_file, exercises)


def run(*arguments, **environment):
    environment = {
        "COLUMNS": "80",
        "PYTHONPATH": str(ROOT),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    } | environment
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip


def test_each_exercise_has_a_line_and_its_message_beneath(result, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = report.as_text(result).splitlines()
    assert lines[0].split() == [lines[0][0], "1.1", "as_array", "6/6"]
    assert " ".join(line.strip() for line in lines[2:4]) == MESSAGE
    assert any("not started    0/4" in line for line in lines)


def test_no_line_is_wider_than_the_window(result, monkeypatch):
    for columns in ("60", "80"):
        monkeypatch.setenv("COLUMNS", columns)
        assert max(map(len, report.as_text(result).splitlines())) <= int(columns)


def test_the_total_and_the_next_step_close_the_report(result):
    total, step = report.as_text(result).split("\n\n")[-1].split("\n", 1)
    assert total == "7 of 16 marks"
    assert step.startswith("next: exercise 1.2, a title")


def test_what_waits_is_not_what_is_next(result):
    waiting = ChapterResult(CHAPTER, CHAPTER.exercise_file, result.exercises[2:])
    assert report.next_step(waiting).startswith("next: exercise 1.4")


def test_a_complete_chapter_says_so(result):
    complete = ChapterResult(CHAPTER, CHAPTER.exercise_file, result.exercises[:1])
    assert report.next_step(complete).startswith("chapter 1 is complete; ")


def test_the_command_passes_on_the_solution_and_fails_on_blanks(tmp_path):
    done = run("-m", "course", "test-chapter1", "--who", "solution")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "grading solutions/01_tensor/tinytorch.py" in done.stdout
    blank = tmp_path / "nothing.py"
    blank.write_text("", encoding="utf-8")
    done = run("-m", "course", "test-chapter1", "--file", str(blank))
    assert done.returncode == 1
    assert f"grading {blank}" in done.stdout and "Traceback" not in done.stdout + done.stderr


def test_a_file_that_is_not_there_is_wrong_use():
    done = run("-m", "course", "test-chapter1", "--file", "no/such.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and "no such" in done.stderr.replace("/", " ")


def test_a_folder_that_is_no_package_is_wrong_use(tmp_path):
    done = run("-m", "course", "test-chapter1", "--file", str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{tmp_path} is a folder without __init__.py; name a file in it\n"


def test_a_plain_terminal_gets_plain_text():
    done = run("-m", "course", "test-chapter1", "--who", "solution", PYTHONIOENCODING="ascii")
    assert done.stdout.isascii() and "\x1b" not in done.stdout
    assert "+ 1.1  as_array" in done.stdout


def test_v_shows_pytests_own_report(tmp_path):
    file = tmp_path / "half.py"
    text = CHAPTER.solution_file.read_text(encoding="utf-8")
    file.write_text(text.replace("(up - down)", "(up + down)"), encoding="utf-8")
    done = run("-m", "course", "test-chapter1", "--file", str(file), "-v")
    assert "def test_the_slope_of_a_straight_line" in done.stdout


def test_plain_pytest_grades_the_file_that_it_is_told(tmp_path):
    done = run("-m", "pytest", "-q", "tests/chapter01", "--graded-file", CHAPTER.solution_file)
    assert done.returncode == 0, done.stdout
    done = run("-m", "pytest", "tests/chapter01", COURSE_FILE=str(CHAPTER.solution_file))
    assert done.returncode == 0 and f"grading {CHAPTER.solution_file}" in done.stdout


def test_two_chapters_in_one_process_are_refused_in_one_line():
    done = run("-m", "pytest", "-q", "tests/chapter01", "tests/chapter02")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    (line,) = [line for line in done.stderr.splitlines() if line]
    assert "tests/chapter01 and tests/chapter02" in line and "one at a time" in line


def test_a_chapter_beside_other_tests_is_refused():
    done = run("-m", "pytest", "-q", "tests/chapter01", "tests/course/test_source.py")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "run it alone" in done.stderr
