"""README says what the manifests say, and its commands exist."""

import re

from course import cli
from course.manifest import all_chapters
from course.misconceptions import catalogue
from course.paths import ROOT
from course.readme import PICTURE, draw_picture, released, table, with_table
from course.source import read_source

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
