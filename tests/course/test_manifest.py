"""What exercises.toml declares, and what a wrong number or id gets."""

import pytest
from small_course import edit, make_course

from course.manifest import (
    Exemption,
    ManifestError,
    UsageError,
    all_chapters,
    find_exercise,
    load_chapter,
)


def test_chapters_come_in_order_with_their_paths(tmp_path):
    make_course(tmp_path)
    first, second = all_chapters(tmp_path)
    assert (first.number, second.number) == (1, 2)
    assert second.exercise_file == tmp_path / "chapters" / "02_second" / "tinytorch.py"
    assert second.solution_notebook == tmp_path / "solutions" / "02_second" / "02_second.ipynb"
    assert second.tests == tmp_path / "tests" / "chapter02"
    assert first.points == 8


def test_an_exercise_is_found_by_its_id_with_its_place(tmp_path):
    make_course(tmp_path)
    chapter, exercise = find_exercise("1.3", tmp_path)
    assert (chapter.number, exercise.names, exercise.number) == (1, ("square",), 3)


@pytest.mark.parametrize(
    "typed, says",
    [
        ("1.99", "there is no exercise 1.99; chapter 1 has 1.1 to 1.4"),
        ("2.5", "there is no exercise 2.5; chapter 2 has 2.1 to 2.4"),
        ("9.1", "there is no chapter 9; chapters are 1 to 2"),
        ("3", "an exercise is named like 3.2, got '3'"),
        ("1.01", "there is no exercise 1.01; chapter 1 has 1.1 to 1.4"),
        ("one.two", "an exercise is named like 3.2, got 'one.two'"),
    ],
)
def test_an_unknown_id_says_which_there_are(tmp_path, typed, says):
    make_course(tmp_path)
    with pytest.raises(UsageError) as error:
        find_exercise(typed, tmp_path)
    assert str(error.value) == says


@pytest.mark.parametrize(
    "old, new, says",
    [
        ("points = 2", "point = 2", "point"),
        ("number = 1", "number = ", "line 1"),
        ('slug = "01_first"', "", "slug"),
        ('why = "it is used below"', "", "why"),
    ],
)
def test_a_mistake_in_a_manifest_names_the_file_and_the_word(tmp_path, old, new, says):
    make_course(tmp_path)
    edit(tmp_path / "tests" / "chapter01" / "exercises.toml", old, new)
    with pytest.raises(ManifestError, match=f"tests/chapter01/exercises.toml: .*{says}"):
        load_chapter(1, tmp_path)


def test_an_exemption_holds_from_its_chapter_on():
    exemption = Exemption(on=("4",), why="", test="test_x")
    assert [exemption.covers(target) for target in (3, 4, 5, "library")] == [
        False,
        True,
        True,
        False,
    ]


def test_an_exemption_for_the_library_holds_for_no_snapshot():
    exemption = Exemption(on=("library",), why="", exercise="1.1")
    assert [exemption.covers(target) for target in (1, 5, "library")] == [False, False, True]
