"""The grader: it runs a chapter's tests on a file that may do anything, and gives marks.

run.py       the supervisor: starts workers, sees that none hangs, and collects what they report
worker.py    the process in which the graded file and pytest run
plugin.py    the pytest plugin: which tinytorch the tests see
graded.py    that tinytorch: compiled from the file as saved, loaded when all else is ready
wording.py   what an exception in a graded file is called, in one line
integrity.py has the graded file changed what it is judged by?
results.py   marks
report.py    marks as text, as a notebook's card, as JSON, for Gradescope
"""


def __getattr__(name):
    if name != "grade":
        raise AttributeError(f"module 'course.grading' has no attribute {name!r}")
    from course.grading.run import grade  # late: a worker has no use for it

    return grade
