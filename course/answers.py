"""A student's own answers: which of them pass, and what they say."""

from dataclasses import dataclass

from course.grading.submission import read_submission
from course.manifest import all_chapters
from course.modules import answers_in, definitions, is_blank
from course.output import command, shown

STILL_BLANK = "still blank"
WHY_NOT = {"blank": STILL_BLANK, "partly": "still blank in part", "missing": "not in your file"}


@dataclass(frozen=True)
class Answer:
    """The student's answer to an exercise; `why_not` says in a few words why it does not count."""

    chapter: object
    exercise: object
    texts: dict  # the definitions of the exercise, by name
    why_not: str = ""


def answers_to(pairs):
    """The student's answers to exercises, given as (chapter, exercise), graded: {id: Answer}."""
    chapters = {chapter.number: chapter for chapter, _ in pairs}
    found = {}
    for number, chapter in sorted(chapters.items()):
        found |= _answers(chapter, [exercise for c, exercise in pairs if c.number == number])
    return found


def origins(chapter):
    """For each name that was an exercise up to this chapter: the last (chapter, exercise)."""
    earlier = [c for c in all_chapters(chapter.root) if c.number <= chapter.number]
    return {name: (c, e) for c in earlier for e in c.exercises for name in e.names}


def readable(chapter):
    """The student's code, and in one line why it can't be read, if so."""
    submission = read_submission(chapter, chapter.exercise_file)
    return (None, submission.note) if submission.note else (answers_in(chapter), "")


def _answers(chapter, exercises):
    from course.grading import grade

    code, note = readable(chapter)
    if note:
        return {e.id: Answer(chapter, e, {}, note) for e in exercises}
    written = [e for e in exercises if is_blank(code, e) == "started"]
    passed = set()
    if written:
        print(f"grading {shown(chapter.exercise_file, chapter.root)}", flush=True)
        result = grade(chapter, only=[e.id for e in written])
        passed = {e.id for e in result.exercises if e.status == "passed"}
    return {e.id: _answer(chapter, e, code, e.id in passed) for e in exercises}


def _answer(chapter, exercise, code, passed):
    found = definitions(code)
    texts = {name: found[name].text for name in exercise.names if name in found}
    says = f"not passing yet: {command(f'test-chapter{chapter.number}')}"
    why_not = "" if passed else WHY_NOT.get(is_blank(code, exercise), says)
    return Answer(chapter, exercise, texts, why_not)
