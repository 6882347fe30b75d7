"""pytest plugin: gives the graded tests of one chapter the tinytorch that they are to judge.

All test modules are collected while `tinytorch` is an empty module: which tests there are, and
what they say, is settled before the first line of the graded file runs.
"""

import os
import re
import sys

import pytest

from course.grading.graded import Graded
from course.grading.surroundings import Watch
from course.grading.wording import Stopped, how_it_ended, is_an_end
from course.manifest import parse_chapter
from course.testing import blank_behind

STATE = pytest.StashKey()


class State:
    """What is graded in this process."""

    def __init__(self, graded=None, may_inherit=False):
        self.graded, self.may_inherit = graded, may_inherit
        self.chapters = set()
        self.is_foreign = False  # is another tinytorch in this process already?
        self.watch, self.heirs = None, {}  # heirs: the exercise that another's tests judge, too
        self.manifests, self.asked_for = {}, {}  # name of a definition: the exercise's id

    def load(self):
        """Run the graded file, and listen to what the exercises ask for."""
        self.watch = self.watch or Watch()  # now: a fork has another random state
        self.graded.load()
        self.watch.loaded(self.graded.parts, self.asked_for)

    def names(self, item):
        """The definitions that a test's exercise asks for; none for the grader's own question."""
        return self.exercise(item).names if item.get_closest_marker("exercise") else ()

    def exercise(self, item):
        """The exercise that a test belongs to, as the manifest beside it declares it."""
        folder = item.path.parent
        if folder not in self.manifests:
            chapter = parse_chapter((folder / "exercises.toml").read_text("utf-8"), folder.name)
            self.manifests[folder] = {exercise.id: exercise for exercise in chapter.exercises}
        return self.manifests[folder][item.get_closest_marker("exercise").args[0]]


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
        state.graded = state.graded or _chosen(parent.config, number)
        state.is_foreign = "tinytorch" in sys.modules
        state.graded.offer()
    state.chapters.add(number)


def pytest_collection_modifyitems(config, items):
    state = config.stash[STATE]
    others = [item for item in items if item.get_closest_marker("exercise") is None]
    if len(state.chapters) > 1 and not state.may_inherit:
        names = " and ".join(f"tests/chapter{number:02}" for number in sorted(state.chapters))
        raise pytest.UsageError(f"{names} each grade a tinytorch of their own: run one at a time")
    if state.chapters and (others or state.is_foreign):
        raise pytest.UsageError(
            f"tests/chapter{min(state.chapters):02} grades a tinytorch of its own: run it alone"
        )
    for item in items:
        if item.get_closest_marker("exercise"):
            exercise = state.exercise(item)
            for name in exercise.names:
                state.asked_for.setdefault(name, exercise.id)  # this chapter's come first


def pytest_report_collectionfinish(config):
    graded = config.stash[STATE].graded
    return f"grading {graded.path}" if graded else None


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    state = pyfuncitem.config.stash[STATE]
    graded = state.graded
    if graded is None or pyfuncitem.get_closest_marker("exercise") is None:  # the canary
        return (yield)
    try:
        if not graded.is_loaded:
            state.load()
        asked, is_contract = state.exercise(pyfuncitem), pyfuncitem.path.name == "test_zoo.py"
        whose, debts = state.heirs.get(asked.id, asked.id), len(state.watch.debts)
        wait = getattr(pyfuncitem.obj, "wait", lambda: None)
        result = yield from state.watch.run(whose, asked, is_contract, wait)
        if len(state.watch.debts) > debts:
            graded.forget()
        return result
    except BaseException as error:
        if not _is_a_blank_alone(error, state):
            graded.forget()  # a flag left behind by a wrong answer is not the next test's trouble
        if is_an_end(error):
            raise Stopped(how_it_ended(error)).with_traceback(error.__traceback__) from None
        raise


def _is_a_blank_alone(error, state):
    """Of what is asked for, has only a blank run? To load a library again takes its time."""
    has_run_others = len(state.watch.ran) > 1
    return state.graded.library and blank_behind(error) is not None and not has_run_others


def _chosen(config, number):
    """What pytest alone grades: the file or folder asked for, or the student's."""
    from course.manifest import load_chapter

    chapter = load_chapter(number)
    path = config.getoption("graded_file") or os.environ.get("COURSE_FILE") or chapter.exercise_file
    if chapter.is_package:
        return Graded().at(path, library=chapter.library, modules=tuple(chapter.files))
    return Graded().at(path)
