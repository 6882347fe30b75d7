"""Which chapters of Part II are finished: their modules are there, and all exercises pass."""

import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from course.blanks import derive, has_answers
from course.grading import grade
from course.grading.results import NOT_STARTED, PASSED
from course.grading.run import GraderError
from course.grading.submission import read_submission
from course.grading.wording import shorten
from course.manifest import path_of
from course.modules import definitions, file_name, split_name, write_code
from course.source import binds

MOST = 4  # lines about one chapter
NOT_BEGUN = ("not begun",)


@dataclass(frozen=True)
class Standing:
    """How far a chapter is; `why_not` says what it lacks, a line for each thing.

    `home` is a copy of the student's folder tinytorch as it was graded, files beside it included.
    `lost` are (name, file) of definitions that were given, and are gone.
    """

    chapter: object
    home: Path | None = None
    result: object = None
    why_not: tuple = ()
    lost: tuple = ()

    @property
    def is_finished(self):
        return not self.why_not

    @property
    def modules(self):
        """{module: its file in the copy}"""
        return {module: path_of(self.home, module) for module in self.chapter.files}


def standing(chapter, folder):
    """Copy the student's modules of a chapter into the folder, and grade the copy."""
    if chapter.exercise_file.is_dir() and not has_answers(chapter):
        return Standing(chapter, why_not=NOT_BEGUN)
    submission = read_submission(chapter, chapter.exercise_file.absolute())
    if submission.note:
        return Standing(chapter, why_not=(submission.note,))
    home = folder / chapter.slug / "tinytorch"
    write_code(home, submission.code)
    for place, file in submission.beside.items():
        (home.parent / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, home.parent / place)
    try:
        result = grade(chapter, home)
    except GraderError as error:
        return Standing(chapter, why_not=(at_fault(error),))
    lost = (*lost_in(chapter, submission.code),)
    return Standing(chapter, home, result, (*lacking(result, lost),), lost)


def without_clashes(standings):
    """The same, where two chapters bring different files of one name: only the first is laid over.

    Modules belong to one chapter each; these are files that a student has added.
    """
    taken = {}
    for each in standings:
        files = _files(each.home.parent) if each.is_finished else {}
        for place, content in files.items():
            first, other = taken.setdefault(place, (each.chapter.number, content))
            if other != content:
                says = f"its {place} is another than chapter {first}'s: give it another name"
                each = replace(each, why_not=(says,))
                break
        yield each


def lacking(result, lost=()):
    """What keeps a chapter from being finished, a line for each thing."""
    if result.note:
        yield with_hint(result.note, lost)
        return
    blank = [e.id for e in result.exercises if e.status == NOT_STARTED]
    others = [e for e in result.exercises if e.status not in (NOT_STARTED, PASSED)]
    if blank:
        yield f"still blank: {', '.join(blank)}"
    room = MOST - bool(blank)
    yield from (with_hint(f"{e.id}: {e.message or e.status}", lost) for e in others[:room])
    if others[room:]:
        yield f"and {', '.join(e.id for e in others[room:])}"


def at_fault(error):
    """What a GraderError says, in a line."""
    return f"its tests are at fault, not your files: {shorten(error)}"


def lost_in(chapter, code):
    """(name, file) of each definition that the chapter gave, and the student's code hasn't got."""
    asked = {name for exercise in chapter.exercises for name in exercise.names}
    there = {*definitions(code), *asked}
    for name in definitions(derive(chapter)):
        if name not in there:
            module, local = split_name(code, name)
            if not binds(code[module], local):
                yield local, file_name(chapter, module)


def with_hint(says, lost):
    """A message, and where it's about a definition that is gone: that it is."""
    for name, file in lost:
        last = name.rpartition(".")[2]
        if re.search(rf"\b{last}\b", says):
            return f"{says}; your {file} has no {name}, and ours has: did you rename it?"
    return says


def _files(folder):
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
