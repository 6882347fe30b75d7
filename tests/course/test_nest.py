"""Forked workers judge as those do that are started anew, and none is left behind."""

import os
import sys

import pytest
from small_chapter import SOLUTION, body, make_chapter, write

from course.grading import grade
from course.grading.nest import Nest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is no nest elsewhere")

ANSWERS = {
    "right": SOLUTION,
    "wrong": SOLUTION.replace(*body("return None")),
    "blank": SOLUTION.replace(*body('raise NotImplementedError("exercise 1.1: double")')),
    "exits": SOLUTION.replace(*body("import os\n    os._exit(0)")),
    "does not import": "import nothing_of_this_name\n" + SOLUTION,
    "reaches for its judge": "import sys\nsys._getframe(1)\n" + SOLUTION,
}


@pytest.fixture
def chapter(tmp_path):
    return make_chapter(tmp_path)


@pytest.fixture
def nest(chapter):
    with Nest(chapter) as nest:
        yield nest


def test_a_fork_gives_the_marks_that_a_new_process_gives(chapter, nest):
    for name, text in ANSWERS.items():
        write(chapter, text)
        forked, fresh = grade(chapter, nest=nest), grade(chapter)
        assert forked == fresh, name
    assert fresh.note.startswith("no marks") and forked.marks == 0


def test_what_one_file_changes_the_next_does_not_see(chapter, nest):
    write(chapter, "import numpy as np\nnp.float32 = np.float64\n" + SOLUTION)
    grade(chapter, nest=nest)
    write(chapter, "import numpy as np\nassert np.float32 is not np.float64\n" + SOLUTION)
    assert grade(chapter, nest=nest).passed


def test_a_fork_that_does_not_end_is_ended(chapter, nest, monkeypatch):
    monkeypatch.setattr("course.grading.run.TEST_LIMIT", 1.0)
    write(chapter, SOLUTION.replace(*body("while True: pass")))
    workers = []
    start = nest.start
    monkeypatch.setattr(nest, "start", lambda *of: workers.append(start(*of)) or workers[-1])
    result = grade(chapter, nest=nest)
    assert "an endless loop?" in result.exercises[0].message
    for worker in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(worker.pid, 0)


def test_a_nest_ends_with_its_block(chapter):
    with Nest(chapter) as nest:
        folder = nest.judge
        assert folder.is_dir()
    assert nest.process.poll() == 0 and not folder.exists()


def test_where_one_failure_is_enough_no_test_is_run_after_it(chapter, nest):
    write(chapter, ANSWERS["wrong"])
    whole, short = grade(chapter, nest=nest), grade(chapter, nest=nest, until_failed=True)
    for result, count in (whole, 4), (short, 1):
        tests = [test for exercise in result.exercises for test in exercise.tests]
        assert sum(bool(test.passed or test.message) for test in tests) == count
    assert short.exercises[0].message == whole.exercises[0].message
