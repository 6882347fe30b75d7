"""Marks: what a chapter's tests gave for a file."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from course.manifest import place_of

PASSED, FAILED, NOT_STARTED, WAITING, ERROR = "passed", "failed", "not started", "waiting", "error"


@dataclass(frozen=True)
class TestResult:
    """One graded test: `blank` is the exercise whose blank it met, `details` pytest's report.

    One that is inherited from an earlier chapter has no points. `ran`: the exercises whose
    definitions have run in it.
    """

    id: str
    exercise: str
    points: int
    passed: bool = False
    message: str = ""
    blank: str | None = None
    ran: tuple[str, ...] = ()
    details: str = ""
    picture: str | None = None

    @property
    def has_failed(self):
        """Is it wrong, and not only waiting for an exercise that it builds on?"""
        return not self.passed and self.blank is None

    @property
    def is_contract(self):
        return self.id.startswith("test_zoo.py::")

    @property
    def is_inherited(self):
        """Is it a test of an earlier chapter?"""
        return "/" in self.id.partition("::")[0]


@dataclass(frozen=True)
class ExerciseResult:
    """One exercise; status is "passed", "failed", "not started", "waiting" or "error".

    `picture` is a PNG in base64 where a wrong gradient was drawn.
    """

    id: str
    title: str
    marks: int
    out_of: int
    status: str
    message: str = ""
    picture: str | None = None
    tests: tuple[TestResult, ...] = ()


@dataclass(frozen=True)
class ChapterResult:
    """All exercises that were graded; `note` says in one line what kept the whole file back."""

    chapter: object
    file: Path
    exercises: tuple[ExerciseResult, ...]
    note: str = ""

    @property
    def marks(self):
        return sum(exercise.marks for exercise in self.exercises)

    @property
    def out_of(self):
        return sum(exercise.out_of for exercise in self.exercises)

    @property
    def passed(self):
        return all(exercise.status == PASSED for exercise in self.exercises) and not self.note


def exercise_result(exercise, tests, blanks):
    """The marks of one exercise. `blanks`: its names that are blank, its names that are missing."""
    blank, missing = blanks
    marks = sum(test.points for test in tests if test.passed and _counts(test, tests))
    status, message, picture = _verdict(exercise, tests, blank, missing)
    out_of = exercise.points
    return ExerciseResult(
        exercise.id, exercise.title, marks, out_of, status, message, picture, tuple(tests)
    )


def follow_ons(results, with_mended):
    """The results; an exercise waits for an earlier one without whose mistake it would be right.

    with_mended(id, others) is the result of an exercise with these earlier ones mended, None where
    that is not known. It's asked only where in the first test that this one fails some of those ran
    that failed, too. If it's wrong even then, it says what is wrong with it alone. Where it isn't
    known, as in a release, which has no answers to mend with, it waits, and says what came.
    """
    wrong = []
    for result in results:
        ran = [test.ran for test in result.tests if not test.passed and test.ran]
        suspects = tuple(id for id in wrong if any(id in names for names in ran))
        if result.status == FAILED:
            wrong.append(result.id)
            if suspects and set(ran[0]) & set(suspects):
                result = _told_apart(result, suspects, ran, with_mended)
        yield result


def _told_apart(result, suspects, ran, with_mended):
    """A result that waits for one of the suspects, or for several, or says what is its own."""
    mended = with_mended(result.id, suspects)
    if mended is None:
        says = _beside(result, [id for id in suspects if id in ran[0]])
        return replace(result, status=WAITING, message=says)
    if mended.status not in (PASSED, FAILED) or mended.message == result.message:
        return result
    if mended.status == FAILED:
        says = f"even once exercise{_are(suspects)} right: {mended.message}"
        return replace(result, message=says, picture=mended.picture)
    for cause in [cause for cause in suspects if all(cause in names for names in ran)]:
        alone = with_mended(result.id, (cause,))
        if alone is not None and alone.status == PASSED:
            suspects = (cause,)
            break
    says = f"passes as soon as exercise{_are(suspects)} right: {_mend(suspects)}"
    return replace(result, status=WAITING, message=says, picture=None)


def _beside(result, ids):
    """What came, where it isn't known whether that follows from others, which are wrong, too."""
    wrong = f"which {_is(ids)} wrong, and used here"
    return f"needs exercise{_named(ids)} first, {wrong}. What came: {result.message}"


def _mend(ids):
    return "mend that one first" if len(ids) == 1 else "mend them first"


def _are(ids):
    """ " 1.1 is", or "s 1.1 and 1.2 are"."""
    return f"{_named(ids)} {_is(ids)}"


def _named(ids):
    *others, last = ids
    return f"s {', '.join(others)} and {last}" if others else f" {last}"


def _is(ids):
    return "is" if len(ids) == 1 else "are"


def _counts(test, tests):
    """Does a passed test earn its points? A contract only where all that is inherited passed."""
    return not test.is_contract or all(other.passed for other in tests if other.is_inherited)


def _verdict(exercise, tests, blank, missing):
    """Status, message, picture."""
    failed = [test for test in tests if not test.passed]
    if len(blank) == len(exercise.names) and not any(t.passed for t in tests if not t.is_inherited):
        return NOT_STARTED, "", None
    if tests and not failed:
        return PASSED, "", None
    if blank:
        return FAILED, f"{' and '.join(blank)}: still blank", None
    waiting = [test for test in failed if test.blank not in (None, exercise.id)]
    wrong = [test for test in failed if test not in waiting]
    if waiting and all(test.is_inherited for test in wrong):  # those can't tell what they need
        return WAITING, _wait(exercise.id, waiting[0].blank), None
    first = wrong[0] if wrong else None
    if first is None:
        return ERROR, "no test of it was run", None
    picture = next((test.picture for test in wrong[:1]), None)
    if missing and _misses(first.message, missing):
        return FAILED, f"the file has no {missing[0]}: exercise {exercise.id} asks for it", None
    return FAILED, first.message, picture


def _wait(id, blank):
    """Which blank an exercise waits for; none that comes later should have been called."""
    if place_of(blank) > place_of(id):
        return f"it calls what exercise {blank} will ask for: write it without that"
    return f"needs exercise {blank} first"


def _misses(message, names):
    """Did the test stumble over one of these names not being there?"""
    last = [name.rpartition(".")[2] for name in names]
    is_kind = re.search(r"\b(AttributeError|NameError): ", message)
    return bool(is_kind) or any(f"'{name}'" in message for name in last)
