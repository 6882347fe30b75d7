"""Notebooks: run the same each time, derived without answers, a student's own never touched."""

import base64
import io
import json
import shutil
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from small_course import code, edit, make_course, markdown, notebook, write

import course.notebooks as notebooks
from course.modules import solution_of
from course.notebooks.derive import derive, heading, holds_work
from course.notebooks.execute import run
from course.notebooks.file import NotebookError, read_notebook, to_text
from course.notebooks.outputs import cleaned, difference, differences, kept_where_equal

HEADING = "### Exercise 1.1 · double · ●●○○○ · 5 min · it is used below"


@pytest.fixture
def chapter(tmp_path):
    """A course of one chapter, whose notebook nobody has run."""
    first, second = make_course(tmp_path)
    shutil.rmtree(second.tests)
    first.notebook.unlink()
    write(first.solution_notebook, to_text(lesson()))
    return first


def lesson():
    return notebook(
        markdown("a", "# First"),
        code("b", "from tinytorch import double"),
        markdown("c", "### Exercise 1.1\n\nDouble it."),
        code("d", "double(3)"),
        markdown("e", "It is 6.", "answer"),
        code("f", "import time\ntime.time()", "varies"),
    )


def solved(chapter, lesson):
    return run(lesson, chapter, solution_of(chapter))


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """The lesson after a run on its solution."""
    return solved(make_course(tmp_path_factory.mktemp("course"))[0], lesson())


@pytest.fixture
def no_kernel(monkeypatch):
    """Leave notebooks as they are instead of running them: quicker."""
    monkeypatch.setattr(notebooks, "run", lambda notebook, chapter, code: notebook)


def printed(text):
    return [{"output_type": "stream", "name": "stdout", "text": text}]


def figure(pixels):
    file = io.BytesIO()
    Image.fromarray(np.uint8(pixels)).save(file, "png")
    png = base64.b64encode(file.getvalue()).decode()
    return [{"output_type": "display_data", "metadata": {}, "data": {"image/png": png}}]


def test_a_derived_notebook_has_neither_outputs_nor_answers(chapter, ran):
    made = derive(ran, chapter)
    assert [cell["id"] for cell in made["cells"]] == ["a", "b", "c", "d", "f"]
    assert not holds_work(made)
    assert "It is 6" not in to_text(made)


def test_headings_come_from_the_manifest(chapter):
    made = derive(lesson(), chapter)
    assert made["cells"][2]["source"] == f"{HEADING}\n\nDouble it."


def test_markdown_does_not_swallow_double_underscores(chapter):
    exercise = replace(chapter.exercises[0], title="Tensor.__repr__")
    assert r" · Tensor.\_\_repr\_\_ · " in heading(exercise)


def test_a_heading_of_an_unknown_exercise_is_refused(chapter):
    with pytest.raises(NotebookError, match=r"there is no exercise 1\.7"):
        derive(notebook(markdown("a", "## Exercise 1.7")), chapter)


def test_deriving_from_what_was_derived_changes_nothing(chapter):
    once = derive(lesson(), chapter)
    assert to_text(derive(once, chapter)) == to_text(once)


def test_a_written_notebook_reads_back_the_same(tmp_path, ran):
    write(tmp_path / "made.ipynb", to_text(ran))
    assert to_text(read_notebook(tmp_path / "made.ipynb")) == to_text(ran)


def test_it_is_a_notebook_to_jupyter(ran):
    import nbformat

    text = to_text(ran)
    notebook = nbformat.reads(text, 4)
    nbformat.validate(notebook)
    assert nbformat.writes(notebook) + "\n" == text
    assert json.loads(text)["metadata"]["kernelspec"]["name"] == "python3"


def test_the_notebook_runs_on_the_solution(ran):
    assert ran["cells"][3]["outputs"][0]["data"]["text/plain"] == "6"
    assert [cell.get("execution_count") for cell in ran["cells"]] == [None, 1, None, 2, None, 3]


def test_a_cell_that_fails_is_named_in_one_line(chapter):
    with pytest.raises(NotebookError, match=r"cell a \(1 / 0\): ZeroDivisionError"):
        solved(chapter, notebook(code("a", "1 / 0")))


def test_a_cell_that_is_meant_to_fail_may(chapter):
    (cell,) = solved(chapter, notebook(code("a", "1 / 0", "raises-exception")))["cells"]
    assert cell["outputs"][0]["ename"] == "ZeroDivisionError"


def test_making_notebooks_twice_changes_nothing(chapter, capsys):
    assert notebooks.main(chapter.root) == 0
    first = chapter.solution_notebook.read_bytes(), chapter.notebook.read_bytes()
    assert notebooks.main(chapter.root) == 0
    assert (chapter.solution_notebook.read_bytes(), chapter.notebook.read_bytes()) == first
    written, unchanged = capsys.readouterr().out.splitlines()
    assert written == "01_first: solution written, exercises written"
    assert unchanged == "01_first: solution unchanged, exercises unchanged"


def test_a_notebook_that_fails_is_said_and_nothing_is_written(chapter, capsys):
    edit(chapter.solution_file, "total = x + x\n", "total = y\n")
    before = chapter.solution_notebook.read_bytes()
    assert notebooks.main(chapter.root) == 1
    assert "01_first: cell d (double(3)): NameError" in capsys.readouterr().out
    assert chapter.solution_notebook.read_bytes() == before
    assert not chapter.notebook.exists()


def test_a_students_notebook_is_left_as_it_is(chapter, no_kernel, capsys):
    notebooks.main(chapter.root)
    theirs = read_notebook(chapter.notebook)
    theirs["cells"][3] |= {"outputs": printed("my own"), "execution_count": 4}
    write(chapter.notebook, to_text(theirs))
    before = chapter.notebook.read_bytes()
    edit(chapter.solution_notebook, "# First", "# The first")
    capsys.readouterr()
    notebooks.main(chapter.root)
    assert "exercises yours, left as it is" in capsys.readouterr().out
    assert chapter.notebook.read_bytes() == before


def test_a_notebook_that_nobody_worked_in_follows_its_source(chapter, no_kernel):
    notebooks.main(chapter.root)
    edit(chapter.solution_notebook, "# First", "# The first")
    notebooks.main(chapter.root)
    assert read_notebook(chapter.notebook)["cells"][0]["source"] == "# The first"


def test_addresses_and_folders_of_a_run_are_gone():
    text = "<object at 0x7f12ab34cd56> in /tmp/course-abc/01_first/tinytorch.py"
    (output,) = cleaned(printed(text), 1, {"/tmp/course-abc/01_first": "01_first"})
    assert output["text"] == "<object at 0x…> in 01_first/tinytorch.py"


def test_a_stream_that_came_in_pieces_is_one():
    assert cleaned(printed("a\n") + printed("b\n"), 1, {}) == printed("a\nb\n")


@pytest.mark.parametrize(
    ("before", "now"),
    [("loss 0.5000", "loss 0.5004"), ("a  b", "a b"), ("\x1b[31mred\x1b[0m", "red")],
)
def test_texts_that_say_the_same(before, now):
    assert not difference(printed(before), printed(now))


@pytest.mark.parametrize(
    ("before", "now"),
    [("loss 0.50", "loss 0.52"), ("15 visits", "16 visits"), ("yes", "no"), ("a", "a b")],
)
def test_texts_that_differ(before, now):
    assert difference(printed(before), printed(now))


def test_figures_may_differ_a_little_and_no_more():
    line = np.full((200, 300), 255)
    line[100:104, 20:280] = 0
    shifted = np.roll(line, 1, axis=0)
    steep = np.full((200, 300), 255)
    steep[20:180, 40:280] = np.where(np.eye(160, 240, dtype=bool), 0, 120)
    assert not difference(figure(line), figure(shifted))
    assert "another figure" in difference(figure(line), figure(steep))
    assert "pixels" in difference(figure(line), figure(line[:100]))


def test_the_words_of_a_title_are_compared():
    pictures = [figure(np.full((20, 20), 255)) for _ in range(3)]
    titles = "<Picture: 3 of 9 wrong>", "<Picture: 4 of 9 wrong>", "<Picture: 4 of 9 right>"
    for (output,), title in zip(pictures, titles, strict=True):
        output["data"]["text/plain"] = title
    assert not difference(pictures[0], pictures[1])
    assert difference(pictures[1], pictures[2]) == "says right>, committed is wrong>"


def test_a_cell_tagged_varies_is_compared_by_kind_alone():
    assert not difference(printed("0.1 s"), printed("9.9 s"), varies=True)
    assert difference(printed("0.1 s"), [], varies=True)


def test_what_differs_is_named_by_its_cell(chapter, ran):
    edit(chapter.solution_file, "total = x + x\n", "total = x * x\n")
    after = solved(chapter, lesson())
    assert differences(after, ran) == [("d", "says 9, committed is 6")]
    assert kept_where_equal(after, ran)["cells"][5] == ran["cells"][5]
