"""Grade much code, as much at a time as there are cores, and one that waits."""

import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from course.grading import grade
from course.grading.limits import cores
from course.grading.nest import Nest
from course.modules import write_code
from course.proofs.known import Known


def grade_all(jobs, until_failed=False):
    """The results of (chapter, code or its path, ids of exercises or None), in order.

    Of what need only fail, no test is run after the first that does. What was graded before is
    not graded again (known.py).
    """
    jobs = list(jobs)
    if not jobs:
        return []
    with Known(jobs[0][0].root, until_failed) as known:
        results = [known.get(*job) for job in jobs]
        todo = [job for job, result in zip(jobs, results, strict=True) if result is None]
        new = (known.keep(*pair) for pair in zip(todo, _graded(todo, until_failed), strict=True))
        return [result or next(new) for result in results]


def _graded(jobs, until_failed):
    """Grade all of these; a generator of the results."""
    with ExitStack() as stack, ThreadPoolExecutor(cores() + 1) as pool:
        nests = {chapter: stack.enter_context(Nest(chapter)) for chapter in _with_nest(jobs)}

        def result(job):
            return _grade(*job, {"nest": nests.get(job[0]), "until_failed": until_failed})

        yield from pool.map(result, jobs)


def _with_nest(jobs):
    """The chapters with more than a few jobs, where there are nests."""
    counts = Counter(chapter for chapter, _, _ in jobs)
    return [c for c, count in counts.items() if count > 2 and sys.platform == "linux"]


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
