"""The grader: it runs a chapter's tests on a file that may do anything, and gives marks.

submission.py what was handed in, read before it runs
run.py       the supervisor: starts workers, sees that none hangs, and collects what they report
stage.py     the copy of tests, judge and file that a worker runs in
process.py   a worker as the supervisor sees it
reaper.py    ends a worker with all that it started
worker.py    the process in which the graded file and pytest run
limits.py    what it may use
audit.py     watches what the graded file reaches for
plugin.py    the pytest plugin: which tinytorch the tests see
graded.py    that tinytorch: compiled from the file as saved, loaded when all else is ready
wording.py   what an exception in a graded file is called, in one line
returns.py   a return that was forgotten
integrity.py has the graded file changed what it is judged by?
results.py   marks
report.py    marks as text, as a notebook's card, as JSON, for Gradescope
"""


def __getattr__(name):
    if name != "grade":
        raise AttributeError(f"module 'course.grading' has no attribute {name!r}")
    from course.grading.run import grade  # late: a worker has no use for it

    return grade
