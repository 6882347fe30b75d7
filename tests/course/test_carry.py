"""Answers of earlier chapters in a later chapter's file: the student's own, and nothing lost."""

from types import SimpleNamespace

import pytest
from small_course import EXERCISES, edit, make_course, write

import course.grading
import course.trial
from course.answers import Answer, origins
from course.carry import _ready, carry_chapter
from course.help import reset_chapter
from course.manifest import UsageError, load_chapter
from course.source import definitions, read_source

MINE = {"double": "2 * x", "triple": "3 * x", "square": "x**2", "cube": "x**3"}


@pytest.fixture
def chapters(tmp_path):
    return make_course(tmp_path)


@pytest.fixture
def quick(monkeypatch):
    """A grader without processes: each function at 3."""

    def passes(file, name, value):
        names = {}
        try:
            exec(read_source(file).removeprefix("\ufeff"), names)
            return names[name](3) == value
        except NotImplementedError:
            return False

    def grade(chapter, file=None, only=None):
        values = {name: value for name, _, value in EXERCISES[chapter.number]}
        results = []
        for e in chapter.exercises:
            passed = passes(file or chapter.exercise_file, e.names[0], values[e.names[0]])
            status = "passed" if passed else "failed"
            results.append(SimpleNamespace(id=e.id, status=status, message=""))
        return SimpleNamespace(exercises=[r for r in results if only is None or r.id in only])

    monkeypatch.setattr(course.grading, "grade", grade, raising=False)
    monkeypatch.setattr(course.trial, "grade", grade)


def answer(chapter, name, code, before=""):
    """Write the student's answer in the place of the blank, and something before its function."""
    place = next(e.id for e in chapter.exercises if name in e.names)
    raises = f'raise NotImplementedError("exercise {place}: {name}")'
    edit(chapter.exercise_file, f"# TODO exercise {place}: {name}\n    {raises}", f"return {code}")
    edit(chapter.exercise_file, f"def {name}(", f"{before}def {name}(")


def solve(chapter):
    for name, code in MINE.items():
        answer(chapter, name, code)


def carry(chapter, capsys):
    capsys.readouterr()
    carry_chapter(chapter)
    return capsys.readouterr().out


def body(chapter, name):
    return definitions(read_source(chapter.exercise_file))[name].text.splitlines()[-1].strip()


def kept(chapter):
    return sorted((chapter.root / ".course" / "kept").glob("*"))


def test_answers_that_pass_come_into_the_next_chapter_and_a_copy_is_kept(chapters, capsys):
    first, second = chapters
    solve(first)
    before = second.exercise_file.read_bytes()
    said = carry(second, capsys)
    assert [body(second, name) for name in MINE] == [f"return {code}" for code in MINE.values()]
    assert kept(second)[0].read_bytes() == before
    assert "  1.1  double\n  1.2  triple\n" in said and "Not carried" not in said
    assert "exercise 2.1: negate" in read_source(second.exercise_file)


def test_a_second_carry_has_nothing_more_to_do(quick, chapters, capsys):
    first, second = chapters
    solve(first)
    carry(second, capsys)
    before = second.exercise_file.read_bytes()
    said = carry(second, capsys)
    assert said.startswith("Nothing more to carry: 4 definitions in chapters/02_second/")
    assert second.exercise_file.read_bytes() == before and len(kept(second)) == 1


def test_into_the_first_chapter_there_is_nothing_to_carry(chapters, capsys):
    assert carry(chapters[0], capsys).count("\n") == 1


def test_what_is_blank_or_wrong_stays_behind_and_is_named(chapters, capsys):
    first, second = chapters
    answer(first, "double", "2 * x")
    answer(first, "triple", "4 * x")
    said = carry(second, capsys)
    assert "  1.2  triple: not passing yet: " in said and "  1.3  square: still blank" in said
    assert body(second, "double") == "return 2 * x" and body(second, "triple") == "return result"


def test_what_the_student_changed_in_the_later_chapter_stays(quick, chapters, capsys):
    first, second = chapters
    solve(first)
    edit(second.exercise_file, "total = x + x\n", "total = x * 2  # quicker?\n")
    said = carry(second, capsys)
    assert "  1.1  double: you've changed it in chapter 2, so it stays as it is" in said
    assert "quicker?" in read_source(second.exercise_file) and body(second, "cube") == "return x**3"


def test_a_better_answer_replaces_the_one_carried_before(quick, chapters, capsys):
    first, second = chapters
    solve(first)
    carry(second, capsys)
    edit(first.exercise_file, "return 2 * x", "return x * 2")
    carry(second, capsys)
    assert body(second, "double") == "return x * 2"


def test_a_helper_and_an_import_come_along_and_what_they_need(quick, chapters, capsys):
    first, second = chapters
    helpers = "import math\n\nTWO = 2\n\n\ndef times(n, x):\n    return math.prod((n, x))\n\n\n"
    answer(first, "double", "times(TWO, x)", before=helpers + "UNUSED = 1\n\n\n")
    said = carry(second, capsys)
    text = read_source(second.exercise_file)
    assert "  1.1  double (with math, TWO, times)\n" in said and "UNUSED" not in text
    assert text.index("import math") < text.index("TWO = 2") < text.index("def times")
    assert "\n\n\ndef times(n, x):\n    return math.prod((n, x))\n\n\ndef double" in text
    assert carry(second, capsys).startswith("Nothing")
    assert read_source(second.exercise_file) == text


def test_a_method_added_to_a_class_comes_along(quick, chapters, capsys):
    first, second = chapters
    answer(first, "double", "Tensor(x).twice()")
    edit(first.exercise_file, "self.data = data\n",
         "self.data = data\n\n    def twice(self):\n        return 2 * self.data\n")  # fmt: skip
    said = carry(second, capsys)
    assert "(with Tensor, " not in said and "double (with Tensor.twice)" in said
    assert "self.grad_fn = None\n\n    def twice(self):" in read_source(second.exercise_file)


def test_of_two_exercises_with_one_name_the_later_gives_it():
    second, fifth = load_chapter(2), load_chapter(5)
    pair = next(e for e in second.exercises if "Mul.backward" in e.names)
    free = {name: origins(load_chapter(4))[name] for name in ("Mul.forward", "Mul.backward")}
    texts = {name: "def f():\n    return 1\n" for name in free}
    answers = {pair.id: Answer(second, pair, texts)}
    answers["4.4"] = Answer(*free["Mul.backward"], {}, "still blank")
    ready, left = _ready(fifth, free, answers, read_source(fifth.solution_file))
    assert [list(answer.texts) for answer in ready] == [["Mul.forward"]]
    assert left == [("4.4", "Mul.backward", "still blank")]


def test_two_helpers_of_one_name_do_not_meet(quick, chapters, capsys):
    first, second = chapters
    answer(first, "double", "times(2, x)", before="def times(n, x):\n    return n * x\n\n\n")
    edit(second.exercise_file, "def double", "def times():\n    pass\n\n\ndef double")
    before = second.exercise_file.read_bytes()
    said = carry(second, capsys)
    assert "1.1  double: it needs your times, and chapter 2 has another definition of it" in said
    assert second.exercise_file.read_bytes() == before


def test_an_answer_that_breaks_the_later_chapter_is_named_and_left_out(chapters, capsys):
    first, second = chapters
    solve(first)
    edit(first.exercise_file, "return x**3", "return x**3 if x < 3 else (27 if x == 3 else 0)")
    edit(second.tests / "test_all.py", "tt.fourth(3), 81", "tt.fourth(4), 256")
    said = carry(second, capsys)
    assert "1.4  cube: it breaks exercise 2.3 here: " in said
    assert body(second, "cube") == "return result" and body(second, "double") == "return 2 * x"


def test_an_answer_that_breaks_the_students_own_is_left_out(chapters, capsys):
    first, second = chapters
    answer(first, "cube", "x**3", before="EXTRA = 1\n\n\n")
    answer(second, "fourth", "cube(x) * x if 'total' in cube.__code__.co_varnames else 0")
    said = carry(second, capsys)
    assert "1.4  cube: it breaks exercise 2.3 here: " in said
    assert body(second, "cube") == "return result"


@pytest.mark.parametrize("end, bom, indent", [("\r\n", "\ufeff", "    "), ("\n", "", "\t")])
def test_line_ends_byte_order_marks_and_tabs_are_no_hindrance(
    quick, chapters, capsys, end, bom, indent
):
    first, second = chapters
    solve(first)
    for chapter in chapters:
        text = read_source(chapter.exercise_file).replace("    ", indent).replace("\n", end)
        chapter.exercise_file.write_bytes((bom + text).encode("utf-8"))
    carry(second, capsys)
    now = second.exercise_file.read_bytes()
    assert now.startswith(bom.encode()) and now.count(b"\n") == now.count(end.encode())
    assert body(second, "cube") == "return x**3"
    assert carry(second, capsys).startswith("Nothing more")


def test_answers_with_windows_line_ends_go_into_a_file_without(quick, chapters, capsys):
    first, second = chapters
    solve(first)
    first.exercise_file.write_bytes(first.exercise_file.read_bytes().replace(b"\n", b"\r\n"))
    carry(second, capsys)
    assert b"\r" not in second.exercise_file.read_bytes() and body(second, "cube") == "return x**3"


@pytest.mark.parametrize("content", [b"def (", b"\xff\xfed\x00", None])
def test_a_file_that_can_take_nothing_is_one_line_and_stays(chapters, content):
    second = chapters[1]
    second.exercise_file.unlink() if content is None else second.exercise_file.write_bytes(content)
    with pytest.raises(UsageError) as error:
        carry_chapter(second)
    assert "\n" not in str(error.value) and "reset-chapter2" in str(error.value)
    assert content is None or second.exercise_file.read_bytes() == content


def test_an_earlier_file_that_cannot_be_read_is_said(quick, chapters, capsys):
    first, second = chapters
    write(first.exercise_file, "def (")
    said = carry(second, capsys)
    assert "1.1  double: SyntaxError: " in said.replace("\n  ", " ") and kept(second) == []


def test_what_a_later_chapter_rewrote_is_shown_from_your_own_answer(quick, chapters, capsys):
    first, second = chapters
    answer(first, "double", "2 * x")
    edit(second.tests / "exercises.toml", '["Tensor.__init__"]', '["Tensor.__init__", "double"]')
    edit(second.solution_file, "total = x + x\n", "total = sum([x, x])\n")
    said = carry(second, capsys)
    assert "Changed since you wrote it:\n  1.1  double: rewritten in chapter 2\n" in said
    assert "  -    return 2 * x\n  +    total = sum([x, x])" in said


def test_what_was_never_written_has_not_changed_since(quick, chapters, capsys):
    second = chapters[1]
    edit(second.tests / "exercises.toml", '["Tensor.__init__"]', '["Tensor.__init__", "double"]')
    edit(second.solution_file, "total = x + x\n", "total = sum([x, x])\n")
    said = carry(second, capsys)
    assert "Changed since" not in said and "shown once" not in said


def test_a_reset_takes_the_carried_answers_out_again(quick, chapters, capsys):
    first, second = chapters
    given = second.exercise_file.read_bytes()
    solve(first)
    carry(second, capsys)
    carried = second.exercise_file.read_bytes()
    reset_chapter(second)
    assert second.exercise_file.read_bytes() == given
    assert carried in [path.read_bytes() for path in kept(second)]
    carry(second, capsys)
    assert second.exercise_file.read_bytes() == carried
