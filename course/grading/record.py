"""Marks for other programs: JSON, whose form grade.schema.json describes, and Gradescope's.

The form is kept: a version of the course may add a field, and takes none away.
"""

import hashlib
import json
import re
from datetime import UTC, datetime

from course.grading.results import PASSED
from course.paths import ROOT


def as_record(result, seconds):
    """The marks of a file as plain data."""
    return {
        "course": course_version(),
        "chapter": result.chapter.number,
        "title": result.chapter.title,
        "file": str(result.file),
        "sha256": fingerprint(result.file),
        "graded_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(seconds, 2),
        "marks": result.marks,
        "out_of": result.out_of,
        "passed": result.passed,
        "note": result.note,
        "exercises": [_exercise(exercise) for exercise in result.exercises],
    }


def write_json(result, path, seconds):
    """Write the marks of each exercise, every failed test, and what they belong to, as JSON."""
    _write_text(_text(as_record(result, seconds)), path)


def write_gradescope(result, path):
    """Write the marks as the results.json of Gradescope's autograder."""
    _write_text(gradescope_text(result), path)


def gradescope_text(result):
    """The text of a results.json as Gradescope reads it.

    https://gradescope-autograders.readthedocs.io/en/latest/specs/
    """
    tests = [
        {
            "number": exercise.id,
            "name": f"{exercise.id} {exercise.title}",
            "score": exercise.marks,
            "max_score": exercise.out_of,
            "status": "passed" if exercise.status == PASSED else "failed",
            "output": exercise.message or result.note or exercise.status,
            "output_format": "text",
            "visibility": "visible",
        }
        for exercise in result.exercises
    ]
    table = {"score": result.marks, "tests": tests, "visibility": "visible"}
    if result.note:
        table |= {"output": result.note, "output_format": "text"}  # else read as HTML
    return _text(table | {"stdout_visibility": "hidden"})


def course_version():
    """The version of the course, as the library says it."""
    text = (ROOT / "tinytorch" / "contents.py").read_text(encoding="utf-8")
    return re.search(r'^__version__ = "(.+)"', text, re.MULTILINE)[1]


def fingerprint(path):
    """The SHA-256 of a file, or of all Python files of a folder with their names; None without."""
    if path.is_file():
        return hashlib.sha256(path.read_bytes()).hexdigest()
    files = sorted(path.rglob("*.py"))
    if not files:
        return None
    total = hashlib.sha256()
    for file in files:
        total.update(f"{file.relative_to(path).as_posix()}\0{fingerprint(file)}\n".encode())
    return total.hexdigest()


def _exercise(exercise):
    return {
        "id": exercise.id,
        "title": exercise.title,
        "marks": exercise.marks,
        "out_of": exercise.out_of,
        "status": exercise.status,
        "message": exercise.message,
        "failed": [
            {"test": test.id, "points": test.points, "message": test.message}
            for test in exercise.tests
            if not test.passed
        ],
    }


def _text(table):
    return json.dumps(table, indent=2, ensure_ascii=False) + "\n"


def _write_text(text, path):
    path.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
