"""On Gradescope: find what is graded in what was handed in, grade it, write results.json."""

import os
import sys
import tempfile
from pathlib import Path

from course.classes.submissions import lay_down, submission_in
from course.classes.written import write_whole
from course.grading.record import write_gradescope
from course.grading.run import grade, no_marks
from course.manifest import load_chapter


def main(number, submission, results):
    """Grade what lies in the folder `submission`, and write the file `results`."""
    chapter, results = load_chapter(number), Path(results)
    one = submission_in(Path(submission), chapter)
    if one.problem:
        place = chapter.exercise_file.relative_to(chapter.root).as_posix()
        says = f"what you handed in was not graded: {one.problem}; hand in {place}"
        write_gradescope(no_marks(chapter, results, chapter.exercises, says), results)
        return
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        lay_down(one.files, folder / "desk")
        write_gradescope(grade(chapter, folder / "desk" / one.graded), folder / "results.json")
        text = (folder / "results.json").read_text(encoding="utf-8")
    write_whole(results, text.replace(f"{folder / 'desk'}{os.sep}", "").encode("utf-8"))


if __name__ == "__main__":
    main(*sys.argv[1:])
