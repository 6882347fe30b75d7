"""Hints, solutions and resets: they help, and nothing of a student's work is lost."""

import json
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from small_course import code, edit, make_course, markdown, notebook, write

from course.blanks import derive
from course.grading import grade
from course.help import _how_to_begin, reset_chapter, reset_exercise, show_hint, show_solution
from course.manifest import UsageError, load_chapter
from course.output import command
from course.progress import carried, table, what_is_next, where_left_off
from course.source import read_source
from course.source import replace as replace_definition
from course.student import keep, recall, remember

BLANK = 'raise NotImplementedError("exercise 1.1: double")'


@pytest.fixture
def chapters(tmp_path):
    return make_course(tmp_path)


@pytest.fixture
def chapter(chapters):
    return chapters[0]


def kept(chapter):
    return sorted((chapter.root / ".course" / "kept").glob("*"))


def solve(chapter):
    chapter.exercise_file.write_bytes(chapter.solution_file.read_bytes())


def test_hints_come_one_by_one_and_then_all(chapter, capsys):
    said = []
    for _ in range(4):
        show_hint(chapter, chapter.exercises[0])
        said.append(capsys.readouterr().out)
    assert "Hint 1 of 2: Think of a sum." in said[0] and "It is one line" not in said[0]
    assert "1 more hint: " in said[0] and "hint-1.1" in said[0]
    assert "Hint 2 of 2: It is one line." in said[1] and "Think" not in said[1]
    assert "That was the last hint" in said[1] and "solution-1.1" in said[1]
    assert "Hint 1 of 2" in said[2] and "Hint 2 of 2" in said[2]
    assert said[2] == said[3]


def test_a_hint_says_where_the_exercise_is(chapter, capsys):
    show_hint(chapter, chapter.exercises[0])
    assert "chapters/01_first/tinytorch.py, line 11\n" in capsys.readouterr().out


def test_a_hint_is_given_for_a_file_that_does_not_parse(chapter, capsys):
    write(chapter.exercise_file, "def (\n")
    show_hint(chapter, chapter.exercises[0])
    assert "chapters/01_first/tinytorch.py\n" in capsys.readouterr().out


def test_symptoms_come_with_the_first_hint(chapter, capsys):
    manifest = chapter.tests / "exercises.toml"
    edit(manifest, "points = 2", 'points = 2\nsymptoms = [["it is 5", "Count."]]')
    chapter = load_chapter(1, chapter.root)
    show_hint(chapter, chapter.exercises[0])
    assert "If you see: it is 5\n  Count." in capsys.readouterr().out
    show_hint(chapter, chapter.exercises[0])
    assert "it is 5" not in capsys.readouterr().out


def test_a_solution_comes_with_its_reason(chapter, capsys):
    show_solution(chapter, chapter.exercises[0])
    said = capsys.readouterr().out
    assert "def double(x):\n" in said and "total = x + x\n" in said and "triple" not in said
    assert "Here's why: It is the shortest." in said


def test_resetting_an_exercise_leaves_the_others(chapter, capsys):
    solve(chapter)
    before = read_source(chapter.exercise_file)
    reset_exercise(chapter, chapter.exercises[0])
    now = read_source(chapter.exercise_file)
    assert BLANK in now and "total = x * x" in now
    assert read_source(kept(chapter)[0]) == before
    assert kept(chapter)[0].relative_to(chapter.root).as_posix() in capsys.readouterr().out


def test_resetting_an_exercise_keeps_what_was_written_around_it(chapter):
    edit(chapter.exercise_file, BLANK, "return helper(x)")
    edit(chapter.exercise_file, "def double", "def helper(x):\n    return 2 * x\n\n\ndef double")
    reset_exercise(chapter, chapter.exercises[0])
    text = read_source(chapter.exercise_file)
    assert "def helper(x):\n    return 2 * x\n" in text and BLANK in text


def test_resetting_a_blank_changes_nothing(chapter, capsys):
    before = chapter.exercise_file.read_bytes()
    reset_exercise(chapter, chapter.exercises[0])
    assert chapter.exercise_file.read_bytes() == before and kept(chapter) == []
    assert "blank already" in capsys.readouterr().out


def test_resetting_a_missing_file_brings_it_back(chapter, capsys):
    chapter.exercise_file.unlink()
    reset_exercise(chapter, chapter.exercises[0])
    assert {"": read_source(chapter.exercise_file)} == derive(chapter)
    assert "was missing" in capsys.readouterr().out


def test_resetting_keeps_windows_line_ends_and_the_byte_order_mark(chapter):
    text = "\ufeff" + read_source(chapter.solution_file).replace("\n", "\r\n")
    chapter.exercise_file.write_bytes(text.encode("utf-8"))
    reset_exercise(chapter, chapter.exercises[0])
    now = chapter.exercise_file.read_bytes()
    assert now.startswith(b"\xef\xbb\xbf") and BLANK.encode() + b"\r\n" in now
    assert now.count(b"\n") == now.count(b"\r\n")


@pytest.mark.parametrize(
    "content, says",
    [
        (b"x = 1\ndef double(:\n", "tinytorch.py, line 2: invalid syntax"),
        (b"\xff\xfed\x00", "tinytorch.py is not saved as UTF-8"),
        (
            b"def square(x):\n    return x\n",
            'tinytorch.py has no double any more; write "def double(): pass", then run this again',
        ),
    ],
)
def test_where_an_exercise_cannot_be_found_the_chapter_can_be_reset(chapter, content, says):
    chapter.exercise_file.write_bytes(content)
    with pytest.raises(UsageError) as error:
        reset_exercise(chapter, chapter.exercises[0])
    assert says in str(error.value)
    assert "reset-chapter1 brings the whole file back, and keeps a copy" in str(error.value)
    assert chapter.exercise_file.read_bytes() == content


@pytest.mark.parametrize(("name", "owner"), [("double", ""), ("Tensor.double", "class Tensor:\n ")])
def test_what_is_advised_for_a_lost_definition_leads_to_its_blank(chapter, name, owner):
    advice = _how_to_begin(name)
    (written,) = re.findall('"(.*)"', advice)
    assert advice.endswith("in class Tensor") == bool(owner)
    blank = f"def {written[4:].partition('(')[0]}(x):\n    raise NotImplementedError"
    assert "NotImplementedError" in replace_definition(f"{owner}{written}\n", name, blank)


def test_a_folder_in_the_place_of_a_file_is_one_line(chapter):
    chapter.exercise_file.unlink()
    chapter.exercise_file.mkdir()
    says = "chapters/01_first/tinytorch.py is a folder, where a file should be: move it away"
    for reset in (
        lambda: reset_chapter(chapter),
        lambda: reset_exercise(chapter, chapter.exercises[0]),
    ):
        with pytest.raises(UsageError) as error:
            reset()
        assert str(error.value) == says
    note = grade(chapter).note
    assert note == (
        "tinytorch.py is a folder, and should be a file: move it away; "
        f"{command('reset-chapter1')} brings it back"
    )


def test_a_hint_that_cannot_be_remembered_is_shown_all_the_same(chapter, capsys):
    write(chapter.root / ".course", "a file, so no folder can be made")
    for _ in range(2):
        assert not show_hint(chapter, chapter.exercises[0])
        said = capsys.readouterr().out
        assert "Hint 1 of 2: Think of a sum." in said and "1 more hint" in said
        assert "(You'll see this hint again: .course can't be written, " in said


def test_resetting_a_chapter_brings_file_and_notebook_back_and_keeps_both(chapter, capsys):
    given = notebook(markdown("a", "# One"), code("b", "1 + 1"), markdown("c", "Two.", "answer"))
    write(chapter.solution_notebook, json.dumps(given))
    chapter.exercise_file.write_bytes(b"def (")
    chapter.notebook.write_bytes(b"{}")
    reset_chapter(chapter)
    assert {"": read_source(chapter.exercise_file)} == derive(chapter)
    cells = json.loads(read_source(chapter.notebook))["cells"]
    assert [cell["id"] for cell in cells] == ["a", "b"]
    assert {path.read_bytes() for path in kept(chapter)} == {b"def (", b"{}"}
    capsys.readouterr()
    reset_chapter(chapter)
    assert capsys.readouterr().out.count("nothing has changed") == 2
    assert len(kept(chapter)) == 2


def test_copies_made_within_one_second_are_all_kept(chapter):
    contents = [b"one", b"two", b"three"]
    for content in contents:
        chapter.exercise_file.write_bytes(content)
        keep(chapter.exercise_file, chapter.root)
    assert {path.read_bytes() for path in kept(chapter)} == set(contents)


def test_damaged_memory_counts_as_none(tmp_path):
    remember("hints", {"1.1": 2}, tmp_path)
    assert recall("hints", {}, tmp_path) == {"1.1": 2}
    (tmp_path / ".course" / "hints.json").write_text("{", encoding="utf-8")
    assert recall("hints", {}, tmp_path) == {}


def test_a_student_goes_on_where_blanks_are_left(chapters):
    first, second = chapters
    assert where_left_off(chapters) == first
    edit(first.exercise_file, BLANK, "return 2 * x")
    assert where_left_off(chapters) == first
    solve(first)
    assert where_left_off(chapters) == second


def test_a_student_who_began_a_later_chapter_goes_on_there(chapters):
    first, second = chapters
    solve(second)
    assert where_left_off(chapters) == second
    write(second.exercise_file, "def (")
    assert where_left_off(chapters) == second


def result(marks, status, id=""):
    return SimpleNamespace(marks=marks, out_of=2, status=status, id=id)


def test_the_table_shows_marks_and_what_was_not_begun(chapters):
    rows = [[*[result(2, "passed")] * 2, result(1, "failed"), result(0, "not started")], None]
    lines = list(table(chapters, rows))
    assert lines[1].split() == ["1", "First", "2/2", "2/2", "1/2", "-", "5/8"]
    assert lines[2].split() == ["2", "Second", "-", "-", "-", "-", "0/8"]
    assert "exercise 1.3, square, 5 min" in what_is_next(chapters, rows)


def test_progress_counts_what_is_carried_and_says_where_more_could_go(chapters):
    first, second = chapters
    edit(first.exercise_file, BLANK, "return 2 * x")
    edit(first.exercise_file, BLANK.replace("1.1: double", "1.2: triple"), "return 3 * x")
    edit(second.exercise_file, "total = x + x\n    result = total\n    return result",
         "# TODO exercise 1.1: double\n    return 2 * x")  # fmt: skip
    rows = [[result(2, "passed", f"1.{n}") for n in range(1, 5)], None]
    more = f"to carry: {command('carry-chapter2')} brings 3 answers of yours"
    assert list(carried(chapters, rows)) == [more]  # what's the same by chance wasn't carried
    remember("carried", {"2": {}}, first.root)
    one = "carried: 1 of chapter 2's 9 definitions are yours"
    assert list(carried(chapters, rows)) == [one, more]


def test_next_is_in_the_last_chapter_begun_then_after_it_then_before(chapters):
    full, half = [result(2, "passed")] * 4, [result(2, "passed"), *[result(0, "failed")] * 3]
    assert "exercise 2.2" in what_is_next(chapters, [None, half])
    assert "exercise 2.1" in what_is_next(chapters, [full, None])
    assert "exercise 1.1" in what_is_next(chapters, [None, full])


def test_the_table_of_a_long_chapter_fits_into_80_columns(chapters):
    long = replace(chapters[0], title="Function and ctx", exercises=chapters[0].exercises * 2)
    lines = list(table([long], [[SimpleNamespace(marks=12, out_of=12, status="passed")] * 8]))
    assert max(map(len, lines)) <= 80


def test_when_all_passed_nothing_is_next(chapters):
    rows = [[result(2, "passed")] * 4] * 2
    assert what_is_next(chapters, rows) == "All exercises passed."
    last = replace(chapters[1], modules=("engine",))
    says = f"All exercises passed. The finale: {command('mine')}"
    assert what_is_next([chapters[0], last], rows) == says
