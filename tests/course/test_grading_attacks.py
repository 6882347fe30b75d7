"""Marks without work: what was tried earns nothing. What only looks odd keeps its marks."""

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import pytest
from attacks import IN_THE_ANSWER, IN_THE_FILE, INNOCENT, NOTHING
from small_chapter import SOLUTION, body, make_chapter, write

from course.grading import grade
from course.paths import ROOT


class Runs:
    """Grades many files, two at a time, and keeps the results."""

    def __init__(self, folder):
        self.folder = folder
        self.results = cache(self._all)

    def _all(self, of):
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = {name: pool.submit(self._grade, of, name) for name in KINDS[of]}
            return {name: job.result() for name, job in jobs.items()}

    def _grade(self, of, name):
        folder = self.folder / f"{of}-{sorted(KINDS[of]).index(name)}"
        folder.mkdir()
        chapter = make_chapter(folder)
        write(chapter, KINDS[of][name](chapter))
        return grade(chapter)


def in_the_file(text):
    def made(chapter):
        places = {"solution": chapter.solution_file, "tests": chapter.tests / "test_all.py"}
        places |= {"root": chapter.root, "checkout": ROOT, "grader": ROOT / "course/grading/run.py"}
        preamble = text.format(**{name: str(path) for name, path in places.items()})
        return preamble + SOLUTION.replace(*body("return None"))

    return made


def in_the_answer(text):
    return lambda chapter: SOLUTION.replace(*body(text))


KINDS = {
    "file": {name: in_the_file(text) for name, (text, _) in IN_THE_FILE.items()},
    "answer": {name: in_the_answer(text) for name, (text, _) in IN_THE_ANSWER.items()},
    "innocent": {n: (lambda chapter, t=t: t + SOLUTION) for n, t in INNOCENT.items()},
}
ATTACKS = [("file", name, says) for name, (_, says) in IN_THE_FILE.items()]
ATTACKS += [("answer", name, says) for name, (_, says) in IN_THE_ANSWER.items()]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return Runs(tmp_path_factory.mktemp("handed-in"))


@pytest.mark.parametrize(("of", "name", "says"), ATTACKS, ids=[f"{a}: {b}" for a, b, _ in ATTACKS])
def test_an_attack_earns_nothing(runs, of, name, says):
    result = runs.results(of)[name]
    double = result.exercises[0]
    assert double.marks == 0
    assert "\n" not in result.note
    if says is NOTHING:
        assert result.note or double.message
    else:
        assert result.marks == 0 and says in result.note, (result.note, double.message)


@pytest.mark.parametrize("name", INNOCENT)
def test_an_odd_file_that_is_honest_keeps_its_marks(runs, name):
    result = runs.results("innocent")[name]
    assert result.passed, (result.note, [e.message for e in result.exercises])
