"""Notebooks: those in solutions/ are the source and are run, those in chapters/ derived.

A run that says the same as the one before changes nothing in the file.
"""

from concurrent.futures import ThreadPoolExecutor

from course.blanks import committed, write_derived
from course.manifest import all_chapters, parse_chapter
from course.modules import solution_of
from course.notebooks.derive import derive, with_headings
from course.notebooks.execute import run
from course.notebooks.file import NotebookError, parse_notebook, read_notebook, to_text
from course.notebooks.outputs import kept_where_equal
from course.paths import ROOT


def main(root=ROOT):
    """Run and derive all notebooks, say what was done with each; 1 if one failed, else 0."""
    chapters = [c for c in all_chapters(root) if c.solution_notebook.is_file()]
    failed = False
    with ThreadPoolExecutor(2) as pool:
        for chapter, done in zip(chapters, pool.map(_make, chapters), strict=True):
            failed |= isinstance(done, NotebookError)
            print(f"{chapter.slug}: {done}", flush=True)
    return int(failed)


def write_solution(chapter):
    """Run a chapter's notebook on its solution and write it back; "unchanged" or "written"."""
    path = chapter.solution_notebook
    before = read_notebook(path)
    ran = run(with_headings(before, chapter), chapter, solution_of(chapter))
    return _write(path, to_text(kept_where_equal(ran, before)))


def write_exercises(chapter):
    """Derive a chapter's notebook for students, unless one has worked in it."""
    derived = derived_notebook(chapter)
    return write_derived(
        chapter.notebook, derived, lambda: _derive_committed(chapter), chapter.root
    )


def derived_notebook(chapter):
    """The bytes of a chapter's notebook for students, as derived from the solved one."""
    if chapter.given.is_dir():
        return (chapter.given / chapter.notebook.name).read_bytes()
    return to_text(derive(read_notebook(chapter.solution_notebook), chapter)).encode("utf-8")


def _make(chapter):
    try:
        solved = write_solution(chapter)
        return f"solution {solved}, exercises {write_exercises(chapter)}"
    except NotebookError as error:
        return error


def _derive_committed(chapter):
    manifest = committed(chapter.tests / "exercises.toml", chapter.root)
    solution = committed(chapter.solution_notebook, chapter.root)
    if manifest is None or solution is None:
        return None
    then = parse_chapter(manifest, chapter.tests.name, chapter.root)
    return to_text(derive(parse_notebook(solution), then)).encode("utf-8")


def _write(path, text):
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return "unchanged"
    path.write_text(text, encoding="utf-8", newline="\n")
    return "written"
