"""Tried before it is written: which answers a chapter's tests accept in that chapter's file."""

import tempfile
from pathlib import Path

from course.grading import grade
from course.modules import has_solution, is_blank, solution_of, write_code
from course.output import wrapped
from course.source import parse


def sift(chapter, text, answers):
    """The answers that work in the chapter, and (answer, why) for those that don't.

    They must pass in the complete file, where there is one, and break nothing that passes in the
    student's own.
    """
    if not answers:
        return [], []
    print(wrapped(f"trying them on chapter {chapter.number}'s tests"), flush=True)
    started = [e.id for e in chapter.exercises if is_blank({"": text}, e) == "started"]
    passed = [e.id for e in _results(chapter, text, started) if e.status == "passed"]
    places = [(text, passed)]
    if has_solution(chapter):
        places.insert(0, (solution_of(chapter)[""], None))
    return _halved(chapter, places, answers, [])


def _halved(chapter, places, answers, accepted):
    """Try all at once; where that fails, each half, down to the one that fails."""
    why = _problem(chapter, places, accepted + answers)
    if not why:
        return answers, []
    if len(answers) == 1:
        return [], [(answers[0], why)]
    middle = len(answers) // 2
    first, refused = _halved(chapter, places, answers[:middle], accepted)
    second, more = _halved(chapter, places, answers[middle:], accepted + first)
    return first + second, refused + more


def _problem(chapter, places, answers):
    """What the tests say to the answers, in one line; "" where they pass."""
    for text, ids in places:
        for answer in answers:
            text = answer.into(text)
        try:
            parse(text)
        except SyntaxError as error:
            return f"it doesn't fit in: {error.msg}"
        for result in _results(chapter, text, ids):
            if result.status != "passed":
                said = result.message or result.status
                return f"it breaks exercise {result.id} here: {said}"
    return ""


def _results(chapter, text, ids):
    """The results of these exercises (None: all) on a text."""
    if ids is not None and not ids:
        return ()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tinytorch.py"
        write_code(file, {"": text})
        result = grade(chapter, file, only=ids)
    return result.exercises
