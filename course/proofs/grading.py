"""Grade much code, as many at a time as there are cores."""

import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path

from course.grading import grade
from course.grading.nest import Nest
from course.modules import write_code


def grade_all(jobs, until_failed=False):
    """The results of (chapter, code or folder, ids of exercises or None), in order.

    Of what need only fail, no test is run after the first that does.
    """
    jobs = list(jobs)
    with _nest(jobs) as nest, ThreadPoolExecutor(os.cpu_count()) as pool:
        options = {"nest": nest, "until_failed": until_failed}
        return list(pool.map(lambda job: _grade(*job, options), jobs))


def _nest(jobs):
    """What the workers come out of, where there is such a thing and more than a few to come."""
    if sys.platform != "linux" or len(jobs) < 3:
        return nullcontext()
    (root,) = {chapter.root for chapter, _, _ in jobs}
    return Nest([str(table.parent) for table in root.glob("tests/chapter*/exercises.toml")])


def _grade(chapter, code, only, options):
    if isinstance(code, Path):
        return grade(chapter, code, only, **options)
    with tempfile.TemporaryDirectory(prefix="course-", ignore_cleanup_errors=True) as folder:
        file = Path(folder) / chapter.exercise_file.name
        write_code(file, code)
        return grade(chapter, file, only, **options)


def place(chapter, exercise=None):
    """How a chapter or an exercise is named in a problem."""
    return f"exercise {exercise.id}" if exercise else f"chapter {chapter.number}"
