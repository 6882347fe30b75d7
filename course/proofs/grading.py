"""Grade much code, as many at a time as there are cores."""

import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from course.grading import grade
from course.modules import write_code


def grade_all(jobs):
    """The results of (chapter, code or folder, ids of exercises or None), in order."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda job: _grade(*job), jobs))


def _grade(chapter, code, only):
    if isinstance(code, Path):
        return grade(chapter, code, only)
    with tempfile.TemporaryDirectory(prefix="course-", ignore_cleanup_errors=True) as folder:
        file = Path(folder) / chapter.exercise_file.name
        write_code(file, code)
        return grade(chapter, file, only)


def place(chapter, exercise=None):
    """How a chapter or an exercise is named in a problem."""
    return f"exercise {exercise.id}" if exercise else f"chapter {chapter.number}"
