"""Proof 10: chapters of Part II lie over the library side by side, and none needs a later one."""

import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from course.blanks import derive
from course.grading import grade
from course.grading.limits import cores
from course.manifest import load_chapter
from course.modules import write_code
from course.proofs.grading import place
from course.proofs.result import Problem, Result


def prove_layers(chapters):
    """10. A module has one chapter; each suite passes with all blanks of later chapters laid over.

    Which module imports which is a test of the library's own.
    """
    chapters = [chapter for chapter in chapters if chapter.is_package]
    problems = [*_taken_twice(chapters)]
    with ThreadPoolExecutor(cores()) as pool:
        later = [chapters[number:] for number in range(1, len(chapters))]
        results = pool.map(_grade_under, chapters, later)
        for chapter, result in zip(chapters, results, strict=False):  # over the last lies nothing
            problems += _failures(chapter, result)
    return Result(f"{len(chapters)} suites with all blanks of later chapters", problems)


def _taken_twice(chapters):
    owners = {}
    for chapter in chapters:
        for module in chapter.files:
            first = owners.setdefault(module, chapter)
            if first is not chapter:
                yield Problem(place(chapter), f"{module} belongs to chapter {first.number} already")


def _grade_under(chapter, later):
    """The result of a chapter's solution under all blanks of later chapters."""
    with tempfile.TemporaryDirectory(prefix="course-", ignore_cleanup_errors=True) as folder:
        copy = _with_blanks(chapter, later, Path(folder).resolve())
        return grade(copy, copy.solution_file)


def _failures(chapter, result):
    if result.note:
        yield Problem(place(chapter), f"with blanks of later chapters: {result.note}")
    for exercise in result.exercises:
        for test in (test for test in exercise.tests if not test.passed):
            name = test.id.rpartition("::")[2]
            says = f"{name} fails with blanks of later chapters: {test.message}"
            yield Problem(place(chapter, exercise), says)


def _with_blanks(chapter, later, root):
    """The chapter in a course of its own, the library of which has the blanks of later chapters."""
    shutil.copytree(chapter.library, root / "tinytorch")
    for folder in chapter.root.glob("tests/chapter*"):
        shutil.copytree(folder, root / "tests" / folder.name)
    copy = load_chapter(chapter.number, root)
    for module in chapter.own:
        copy.files[module].parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(chapter.files[module], copy.files[module])
    for other in later:
        code = derive(other)
        write_code(root / "tinytorch", {module: code[module] for module in other.modules})
    return copy
