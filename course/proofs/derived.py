"""Proof 1: what stands in chapters/ is what its source derives."""

import os

from course.blanks import committed, derive, has_answers
from course.manifest import path_of
from course.notebooks import derived_notebook
from course.notebooks.derive import holds_work, with_headings
from course.notebooks.file import NotebookError, read_notebook, to_text
from course.proofs.result import Problem, Result


def prove_derived(chapters):
    """1. Every exercise file and notebook equals what is derived, byte for byte.

    A file that somebody has worked in is named and passes, unless COURSE_STRICT=1 says that
    nobody has.
    """
    result = Result("")
    checked = [_compare(chapter, result) for chapter in chapters]
    result.figures = f"{sum(checked)} files equal what they are derived from"
    return result


def _compare(chapter, result):
    """Compare a chapter's files; how many are equal."""
    equal = 0
    for module, text in derive(chapter).items():
        path = path_of(chapter.exercise_file, module)
        equal += _is(chapter, path, text, has_answers, result)
    if not chapter.solution_notebook.is_file():
        result.problems.append(Problem(_name(chapter, chapter.solution_notebook), "is missing"))
        return equal
    try:
        notebook = derived_notebook(chapter).decode("utf-8")
        solved = read_notebook(chapter.solution_notebook)
        if to_text(with_headings(solved, chapter)) != to_text(solved):
            says = "headings are not as in the manifest: make notebooks"
            result.problems.append(Problem(_name(chapter, chapter.solution_notebook), says))
    except (NotebookError, ValueError, KeyError) as error:
        result.problems.append(Problem(_name(chapter, chapter.solution_notebook), str(error)))
        return equal
    return equal + _is(chapter, chapter.notebook, notebook, _has_been_run, result)


def _is(chapter, path, derived, holds_answers, result):
    """1 where a file holds the derived text, else 0 and a problem, or a note where it is work."""
    name = _name(chapter, path)
    if not path.is_file():
        result.problems.append(Problem(name, "is missing: make blanks notebooks"))
        return 0
    if path.read_bytes() == derived.encode("utf-8"):
        return 1
    if not os.environ.get("COURSE_STRICT") and (_edited(chapter, path) or holds_answers(chapter)):
        result.notes.append(f"{name} holds somebody's work: not compared")
    else:
        result.problems.append(Problem(name, "is not what is derived: make blanks notebooks"))
    return 0


def _edited(chapter, path):
    """Is it other than in the last commit? That is work in progress."""
    then = committed(path, chapter.root)
    return then is not None and then.encode("utf-8") != path.read_bytes().replace(b"\r\n", b"\n")


def _has_been_run(chapter):
    try:
        return holds_work(read_notebook(chapter.notebook))
    except (ValueError, KeyError):
        return True


def _name(chapter, path):
    return path.relative_to(chapter.root).as_posix()
