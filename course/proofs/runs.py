"""Proof 8: the notebooks run, and say what their committed outputs say."""

from concurrent.futures import ThreadPoolExecutor

from course.blanks import derive
from course.modules import blank, solution_of
from course.notebooks.execute import run
from course.notebooks.file import NotebookError, read_notebook
from course.notebooks.outputs import differences
from course.proofs.result import Problem, Result

AT_A_TIME = 3  # a kernel wants a core, unless it waits for a check; and much memory


def prove_notebooks_run(chapters):
    """8. Notebooks run as a student runs them, each exercise blank until it is checked."""
    chapters = [chapter for chapter in chapters if chapter.solution_notebook.is_file()]
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        found = list(pool.map(_problems, chapters[::-1]))  # the last chapters train networks
    problems = [problem for problems in found for problem in problems]
    return Result(f"{len(chapters)} notebooks run and compared", problems)


def _problems(chapter):
    place = f"solutions/{chapter.slug}/{chapter.slug}.ipynb"
    committed = read_notebook(chapter.solution_notebook)
    try:
        ran = run(committed, chapter, derive(chapter), _answers(chapter))
    except NotebookError as error:
        return [Problem(place, f"with later exercises blank: {error}")]
    return [Problem(f"{place}, cell {c}", says) for c, says in differences(ran, committed)]


def _answers(chapter):
    """For each exercise the code in which it and those before it are solved."""
    solution, exercises = solution_of(chapter), chapter.exercises
    return {e.id: blank(solution, exercises[i:]) for i, e in enumerate(exercises, start=1)}
