"""README says what the manifests say, and its commands exist."""

import re

from course import cli
from course.drawing import draw_graph
from course.grading import grade
from course.manifest import all_chapters, load_chapter
from course.misconceptions import catalogue
from course.paths import ROOT
from course.readme import PICTURE, draw_picture, released, table, with_table
from course.source import read_source, write_source

README = read_source(ROOT / "README.md")
TEACHING = read_source(ROOT / "docs" / "teaching.md")
TEXTS = README + read_source(ROOT / "CONTRIBUTING.md")


def test_the_table_of_chapters_is_up_to_date():
    assert with_table(README, all_chapters()) == README, "run make blanks"


def test_the_table_is_replaced_and_all_else_stays():
    stale = README.replace("Tensor](", "Tensors](").replace("| 1.2 |", "| 9.9 |")
    assert stale != README and with_table(stale, all_chapters()) == README


def test_a_row_links_to_the_notebook_and_counts_exercises():
    row = list(table(all_chapters(), with_runs=True))[2]
    assert row.startswith("| [1 Tensor](chapters/01_tensor/01_tensor.ipynb) | If we nudge x")
    assert row.endswith("| [as it ran](solutions/01_tensor/01_tensor.ipynb) |")


def test_the_last_row_adds_up_exercises_and_hours():
    *rows, last = [row.split("|")[3:5] for row in list(table(all_chapters(), with_runs=False))[2:]]
    assert int(last[0]) == sum(int(exercises) for exercises, _ in rows)
    assert abs(float(last[1]) - sum(float(hours) for _, hours in rows)) < 1


def test_without_answers_there_is_no_link_to_them():
    assert "](solutions/" not in released(README, all_chapters())


def test_every_command_that_is_named_exists():
    typed = re.findall(r"(?:\bmake|-m course) ([a-z]+[-\w.]*)", TEXTS + TEACHING)
    assert {"start", "test", "hint-3.2", "blanks", "check"} <= set(typed)
    for verb in typed:
        cli.find_verb(verb.rstrip("."))


def test_settings_stand_after_make():
    assert (
        re.findall(r"[A-Z]+=\S+ make.*", TEXTS + TEACHING) == []
    )  # there the Makefile's own would win


def test_every_link_leads_somewhere():
    links = re.findall(r"\]\((?!http)([^)]+)\)", TEXTS)
    assert PICTURE in links
    assert [link for link in links if not (ROOT / link).exists()] == []
    links = re.findall(r"\]\((?!http)([^)]+)\)", TEACHING)
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []


def test_the_plan_for_teachers_has_every_chapter_and_counts_what_is_there():
    for chapter in all_chapters():
        assert f"| {chapter.number} {chapter.title} |" in TEACHING
    (said,) = re.findall(r"more than ([\d,]+) of them", TEACHING)
    there = sum(len(list(catalogue(chapter))) for chapter in all_chapters())
    assert there > int(said.replace(",", ""))


def test_the_picture_says_what_its_caption_says():
    assert draw_picture().title == "b receives 2 + 3"


def test_the_lines_beside_the_picture_draw_it():
    (lines,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    drawn = []
    names = {"draw_graph": drawn.append}
    exec(read_source(load_chapter(3).solution_file) + lines, names)
    letters = {name: names[name] for name in "abcde"}
    assert draw_graph(*drawn, letters).title == draw_picture().title


def test_the_message_is_one_that_comes(tmp_path):
    (shown,) = re.findall(r"```text\n(.*?)```", README, re.DOTALL)
    first, *says = shown.split("\n")
    code = read_source(load_chapter(1).solution_file)
    right = "Tensor(as_array(other, self.dtype) - self.data)"
    assert code.count(right) == 1
    wrong = code.replace(right, "Tensor(self.data - as_array(other, self.dtype))")
    write_source(tmp_path / "tinytorch.py", wrong)
    exercise = grade(load_chapter(1), file=tmp_path / "tinytorch.py", only="1.4").exercises[0]
    assert exercise.message == " ".join(" ".join(says).split())
    assert first.split()[-1] == f"{exercise.marks}/{exercise.out_of}" and exercise.title in first
