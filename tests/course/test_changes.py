"""What a chapter changes is shown, an answer only to the student whose own it is."""

import pytest
from small_course import edit, make_course

from course.changes import show_changes
from course.manifest import load_chapter

TODO = '# TODO exercise {id}: {name}\n    raise NotImplementedError("exercise {id}: {name}")'


@pytest.fixture
def chapters(tmp_path):
    """A course whose second chapter rewrites double, and asks for triple anew."""
    first, second = make_course(tmp_path)
    edit(second.solution_file, "total = x + x\n", "total = sum([x, x])\n")
    edit(second.solution_file, "total = x + x + x\n", "total = sum([x, x, x])\n")
    manifest = second.tests / "exercises.toml"
    edit(manifest, '["negate"]', '["triple"]')
    edit(manifest, '["Tensor.__init__"]', '["Tensor.__init__", "double", "triple"]')
    edit(second.tests / "test_all.py", "tt.negate(3), -3", "tt.triple(3), 9")
    edit(second.tests / "test_all.py", "tt.negate(0)", "tt.triple(0)")
    given = "total = x + x + x\n    result = total\n    return result"
    edit(second.exercise_file, given, TODO.format(id="2.1", name="triple"))
    return first, load_chapter(2, second.root)


def shown(chapter, capsys):
    """The report in paragraphs, without what the grader says."""
    capsys.readouterr()
    show_changes(chapter)
    lines = capsys.readouterr().out.splitlines()
    return "\n".join(line for line in lines if not line.startswith("grading")).split("\n\n")


def solve(chapter, id, name, code):
    edit(chapter.exercise_file, TODO.format(id=id, name=name), f"return {code}")


def test_without_answers_it_says_what_changes_and_shows_what_is_no_answer(chapters, capsys):
    report = shown(chapters[1], capsys)
    assert report[0] == "From 01_first to 02_second"
    assert report[1] == "Added\n  negate\n  half\n  fourth\n  fifth"
    assert report[2] == "Changed\n  Tensor.__init__\n  double\n  triple"
    assert "  +        self.grad_fn = None" in report[3]
    assert report[4] == "double\n  shown once your answer to exercise 1.1 passes"
    assert report[5] == "triple\n  yours to write: exercise 2.1"
    said = 'Outside the definitions\n  -"""Chapter 1."""\n  +"""Chapter 2."""'
    assert report[6].startswith(said)


def test_your_own_answer_is_compared_once_it_passes(chapters, capsys):
    first, second = chapters
    solve(first, "1.1", "double", "2 * x")
    solve(first, "1.2", "triple", "3 * x")
    solve(second, "2.1", "triple", "x * 3")
    report = shown(second, capsys)
    assert "  -    return 2 * x\n  +    total = sum([x, x])\n" in report[4]
    assert "  -    return 3 * x\n  +    return x * 3" in report[5]


def test_a_wrong_answer_opens_nothing(chapters, capsys):
    solve(chapters[0], "1.1", "double", "3 * x")
    assert "sum([x, x])" not in "".join(shown(chapters[1], capsys))
