"""The library with finished chapters laid over it, and the suites on that."""

import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from course.grading import grade
from course.modules import has_solution, solution_of, write_code


@contextmanager
def laid_over(library, finished, folder):
    """A new folder: tinytorch in it is the library with the chapters in place of its own modules.

    What a student has put beside tinytorch is in the folder "beside".
    """
    with tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as name:
        target = Path(name)
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(library, target / "tinytorch", ignore=ignored)
        beside = target / "beside"
        beside.mkdir()
        for each in finished:
            shutil.copytree(each.home, target / "tinytorch", dirs_exist_ok=True)
            for path in each.home.parent.glob("*.py"):
                shutil.copyfile(path, beside / path.name)
        yield target


def suite(chapter, finished, folder, only=None):
    """Run a chapter's suite on all that is finished; its own modules are the library's if it isn't.

    All of these are graded as one folder: each must come from there. UsageError where the
    chapter has a module of its own, and the answers aren't there.
    """
    modules = [module for each in finished for module in each.chapter.files]
    with tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as name:
        for each in finished:
            shutil.copytree(each.home.parent, name, dirs_exist_ok=True)
        tinytorch = Path(name) / "tinytorch"
        if chapter not in [each.chapter for each in finished]:
            write_code(tinytorch, solution_of(chapter))
            modules += chapter.files
        return grade(replace(chapter, modules=tuple(modules), own=()), tinytorch, only)


def can_run(chapter, finished):
    """Are all modules there that a chapter's suite needs?"""
    return has_solution(chapter) or any(each.chapter == chapter for each in finished)
