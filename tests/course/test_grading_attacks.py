"""Marks without work: what was tried earns nothing. What only looks odd keeps its marks."""

from types import ModuleType

import numpy as np
import pytest
from attacks import IN_THE_ANSWER, IN_THE_FILE, INNOCENT, NOTHING
from small_chapter import SOLUTION, body, make_chapter, write

from course.grading import grade
from course.grading.integrity import Seal
from course.paths import ROOT


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
}
ATTACKS = [("file", name, says) for name, (_, says) in IN_THE_FILE.items()]
ATTACKS += [("answer", name, says) for name, (_, says) in IN_THE_ANSWER.items()]


def graded(folder, make):
    chapter = make_chapter(folder)
    write(chapter, make(chapter))
    return grade(chapter)


@pytest.mark.parametrize(("of", "name", "says"), ATTACKS, ids=[f"{a}: {b}" for a, b, _ in ATTACKS])
def test_an_attack_earns_nothing(tmp_path, of, name, says):
    result = graded(tmp_path, KINDS[of][name])
    double = result.exercises[0]
    assert double.marks == 0
    assert "\n" not in result.note and "had it" not in result.note
    if says is NOTHING:
        assert result.note or double.message
    else:
        assert result.marks == 0 and says in result.note, (result.note, double.message)


CHANGES = {
    "value": lambda judge: setattr(judge, "value", 2),
    "a new name": lambda judge: setattr(judge, "len", len),
    "listed": lambda judge: judge.listed[1].append(3),
    "keyed": lambda judge: judge.keyed["a"].update(b=2),
    "array": lambda judge: judge.array.__setitem__(0, 5),
    "closed": lambda judge: setattr(judge.closed.__closure__[0], "cell_contents", 2),
}


@pytest.mark.parametrize("name", CHANGES)
def test_whatever_changes_in_the_judge_is_noticed(name):
    judge = ModuleType("judge")
    vars(judge).update(value=1, listed=(0, [1]), keyed={"a": {"b": 1}}, array=np.zeros(2))
    judge.closed = (lambda n: lambda: n)(1)
    seal = Seal(judge)
    assert seal.broken() is None
    CHANGES[name](judge)
    assert seal.broken() == ("judge" if name == "a new name" else f"judge.{name}")


@pytest.mark.parametrize("name", INNOCENT)
def test_an_odd_file_that_is_honest_keeps_its_marks(tmp_path, name):
    result = graded(tmp_path, lambda chapter: INNOCENT[name] + SOLUTION)
    assert result.passed, (result.note, [e.message for e in result.exercises])
