"""How long grading takes: `python -m course.grading.benchmark`.

For each chapter the median, in seconds, of grading the whole solution, and of a check of each of
its exercises.
"""

import statistics
import time

from course.grading.run import grade
from course.manifest import all_chapters

ROUNDS = 3


def main():
    """Measure and print a table."""
    print("chapter   whole suite   check of an exercise: median, slowest")
    for chapter in all_chapters():
        suite = _median(chapter, None)
        checks = [_median(chapter, exercise.id) for exercise in chapter.exercises]
        typical = statistics.median(checks)
        print(f"{chapter.number:7}   {suite:9.2f} s   {typical:.2f} s, {max(checks):.2f} s")


def _median(chapter, only):
    seconds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        grade(chapter, chapter.solution_file, only=only)
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


if __name__ == "__main__":
    main()
