"""Proof 8: the notebooks run, and say what their committed outputs say."""

from concurrent.futures import ThreadPoolExecutor

from course.blanks import derive as derive_code
from course.modules import solution_of
from course.notebooks.derive import derive, up_to_check
from course.notebooks.execute import run
from course.notebooks.file import NotebookError, read_notebook
from course.notebooks.outputs import differences
from course.proofs.result import Problem, Result

AT_A_TIME = 2  # a kernel wants a core and much memory


def prove_notebooks_run(chapters):
    """8. Notebooks run on the solutions, and on the blanks up to the first exercise."""
    chapters = [chapter for chapter in chapters if chapter.solution_notebook.is_file()]
    longest_first = chapters[::-1]  # the last chapters train networks
    jobs = [(job, chapter) for job in (_on_solution, _on_blank) for chapter in longest_first]
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        found = list(pool.map(lambda job: _problems(*job), jobs))
    problems = [problem for problems in found for problem in problems]
    return Result(f"{len(chapters)} notebooks run and compared", problems)


def _problems(job, chapter):
    try:
        return list(job(chapter))
    except NotebookError as error:
        return [Problem(f"{chapter.slug}.ipynb", f"{job.__doc__}: {error}")]


def _on_solution(chapter):
    """on the solution"""
    committed = read_notebook(chapter.solution_notebook)
    ran = run(committed, chapter, solution_of(chapter))
    for cell, says in differences(ran, committed):
        yield Problem(f"solutions/{chapter.slug}/{chapter.slug}.ipynb, cell {cell}", says)


def _on_blank(chapter):
    """on the blank"""
    first = chapter.exercises[0].id
    notebook = derive(read_notebook(chapter.solution_notebook), chapter)
    ran = run(up_to_check(notebook, first), chapter, derive_code(chapter), strict=False)
    if "not started" not in str(ran["cells"][-1]["outputs"]):
        says = f'check("{first}") does not say "not started" on the blank'
        yield Problem(f"chapters/{chapter.slug}/{chapter.slug}.ipynb", says)
