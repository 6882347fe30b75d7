"""Marks for the eye: what `make test-chapterN` prints, as it becomes known."""

import os
import sys
import time

from course.grading.record import write_gradescope, write_json
from course.grading.results import ERROR, FAILED, NOT_STARTED, PASSED, WAITING
from course.grading.run import GraderError, grade
from course.manifest import UsageError
from course.modules import file_name, solution_of
from course.output import command, in_colour, shown, width, wrapped

MARKS = {PASSED: "✓", FAILED: "✗", NOT_STARTED: "·", WAITING: "…", ERROR: "✗"}
PLAIN_MARKS = {PASSED: "+", FAILED: "x", NOT_STARTED: "-", WAITING: ".", ERROR: "x"}
COLOURS = {PASSED: 32, FAILED: 31, ERROR: 31, WAITING: 33, NOT_STARTED: 90}


def main(chapter, options):
    """`make test-chapterN`: grade, print, write the files asked for; 0 only if all passed."""
    file = _graded_file(chapter, options)
    for name, path in (("--json", options.json), ("--gradescope", options.gradescope)):
        _require_a_place(name, path)
    title = f"Chapter {chapter.number} · {chapter.title}"
    print(f"{title}: grading {shown(file, chapter.root)}{_modules(chapter)}\n")
    told, start = [], time.monotonic()

    def tell(exercise):
        told.append(exercise)
        print(exercise_text(exercise, options.verbose), flush=True)

    try:
        result = grade(chapter, file, details=options.verbose, tell=tell)
    except GraderError as error:
        print(f"the tests of chapter {chapter.number} are at fault, not the file:\n{error}")
        return 1
    whole = result.note or told != list(result.exercises)
    print(as_text(result, options.verbose) if whole else ending(result))
    if options.json:
        write_json(result, options.json, time.monotonic() - start)
    if options.gradescope:
        write_gradescope(result, options.gradescope)
    return 0 if result.passed else 1


def as_text(result, verbose=False):
    """One line an exercise, what is wrong beneath it, the total, and what to do next."""
    lines = [wrapped(result.note) + "\n"] if result.note else []
    lines += [exercise_text(exercise, verbose) for exercise in result.exercises]
    return "\n".join([*lines, ending(result)])


def exercise_text(exercise, verbose=False):
    """The line of an exercise, what is wrong with it, and pytest's reports where asked for."""
    lines = [*_exercise_lines(exercise)]
    lines += [_details(test) for test in exercise.tests if test.details] if verbose else []
    return "\n".join(lines)


def ending(result):
    """The total, and what to do next."""
    return f"\n{result.marks} of {result.out_of} marks\n{wrapped(next_step(result))}"


def next_step(result):
    """What to do now."""
    if result.note:
        return "next: mend what is said above, then run this again"
    left = [exercise for exercise in result.exercises if exercise.status != PASSED]
    if not left:
        return (
            f"chapter {result.chapter.number} is complete; {command('progress')} shows what is next"
        )
    first = next((e for e in left if e.status != WAITING), left[0])
    return f"next: exercise {first.id}, {first.title} ({command(f'hint-{first.id}')} gives a hint)"


def mark(status):
    """The symbol of a status, in ASCII where the stream cannot show the better one."""
    try:
        MARKS[status].encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return PLAIN_MARKS[status]
    return MARKS[status]


def _exercise_lines(exercise):
    status = "" if exercise.status in (PASSED, FAILED, ERROR) else exercise.status
    marks = f"{exercise.marks}/{exercise.out_of}"
    right = f"{status}  {marks:>5}"  # so that "not started" stands below "not started"
    room = max(width() - 4 - len(right), 20)
    title = f"{exercise.id}  {exercise.title}"
    title = title if len(title) <= room else f"{title[: room - 1]}…"
    symbol = coloured(mark(exercise.status), exercise.status)
    yield f"{symbol} {title:<{room}} {right}"
    if exercise.message:
        yield wrapped(exercise.message, "       ")


def _details(test):
    return f"\n{'-' * 20} {test.id}\n{test.details}\n"


def coloured(text, status):
    return f"\x1b[{COLOURS[status]}m{text}\x1b[0m" if in_colour() else text


def _modules(chapter):
    """In Part II, which files of a folder are graded."""
    names = ", ".join(file_name(chapter, module) for module in chapter.files)
    return f" ({names}; the rest is the library's)" if chapter.is_package else ""


def _require_a_place(option, path):
    """UsageError, before anything is graded, where the marks can't be written to a path."""
    if path is None:
        return
    if path.is_dir():
        raise UsageError(f"{option} {path} is a folder; name a file in it")
    if not path.parent.is_dir():
        raise UsageError(f"{option} {path}: there is no folder {path.parent}; make it first")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise UsageError(f"{option} {path} may not be written; name another place")


def _graded_file(chapter, options):
    if options.file is not None:
        if not options.file.exists():
            raise UsageError(f"there is no file {options.file}")
        is_package = chapter.is_package or (options.file / "__init__.py").is_file()
        if options.file.is_dir() and not is_package:
            raise UsageError(f"{options.file} is a folder without __init__.py; name a file in it")
        return options.file.absolute()
    if options.who == "solution" or (options.who == "library" and chapter.is_package):
        solution_of(chapter)  # or say that there is none
    files = {"solution": chapter.solution_file, "library": chapter.library}
    return files.get(options.who, chapter.exercise_file)
