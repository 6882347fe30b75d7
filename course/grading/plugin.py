"""pytest plugin: gives the graded tests of one chapter the tinytorch that they are to judge.

All test modules are collected while `tinytorch` is an empty module: which tests there are, and
what they say, is settled before the first line of the graded file runs.
"""

import os
import re
import sys
from pathlib import Path

import pytest

from course.grading.graded import Graded
from course.grading.wording import ENDS, Stopped, how_it_ended

STATE = pytest.StashKey()


class State:
    """What is graded in this process."""

    def __init__(self, graded=None):
        self.graded = graded
        self.chapters = set()
        self.is_foreign = False  # is another tinytorch in this process already?


def pytest_addoption(parser):
    parser.addoption("--graded-file", help="the tinytorch.py to grade (or set COURSE_FILE)")


def pytest_configure(config):
    line = "exercise(id, points): the exercise that a graded test belongs to, and its worth"
    config.addinivalue_line("markers", line)
    if STATE not in config.stash:
        config.stash[STATE] = State()


def pytest_pycollect_makemodule(module_path, parent):
    match = re.fullmatch(r"chapter(\d\d)", module_path.parent.name)
    if not match:
        return
    state, number = parent.config.stash[STATE], int(match[1])
    if not state.chapters:
        state.graded = state.graded or Graded(_chosen_file(parent.config, number))
        state.is_foreign = "tinytorch" in sys.modules
        state.graded.offer()
    state.chapters.add(number)


def pytest_collection_modifyitems(config, items):
    state = config.stash[STATE]
    others = [item for item in items if item.get_closest_marker("exercise") is None]
    if len(state.chapters) > 1:
        names = " and ".join(f"tests/chapter{number:02}" for number in sorted(state.chapters))
        raise pytest.UsageError(f"{names} each grade a tinytorch of their own: run one at a time")
    if state.chapters and (others or state.is_foreign):
        raise pytest.UsageError(
            f"tests/chapter{min(state.chapters):02} grades a tinytorch of its own: run it alone"
        )


def pytest_report_collectionfinish(config):
    graded = config.stash[STATE].graded
    return f"grading {graded.path}" if graded else None


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    graded = pyfuncitem.config.stash[STATE].graded
    if graded is None:
        return (yield)
    try:
        if not graded.is_loaded:
            graded.load()
        return (yield)
    except ENDS as error:
        graded.forget()
        raise Stopped(how_it_ended(error)).with_traceback(error.__traceback__) from None
    except BaseException:
        graded.forget()  # a flag left behind by a wrong answer is not the next test's trouble
        raise


def _chosen_file(config, number):
    path = config.getoption("graded_file") or os.environ.get("COURSE_FILE")
    if path:
        return Path(path)
    from course.manifest import load_chapter

    return load_chapter(number).exercise_file
