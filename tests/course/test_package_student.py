"""Help in a chapter of several files: hints, solutions, resets, what is kept, differences."""

from argparse import Namespace

import pytest
from small_course import edit, write
from small_package import make_package

from course.carry import carry_chapter
from course.changes import show_changes
from course.grading.report import main, write_json
from course.grading.run import grade
from course.help import reset_chapter, reset_exercise, show_hint, show_solution
from course.manifest import UsageError, path_of
from course.modules import solution_of, write_code
from course.overlay import problem
from course.progress import show_progress

BLANK = 'raise NotImplementedError("exercise {}")'


@pytest.fixture
def chapter(tmp_path):
    return make_package(tmp_path)


@pytest.fixture
def solved(chapter):
    write_code(chapter.exercise_file, solution_of(chapter))
    return chapter.exercise_file


def kept(chapter):
    return sorted(path.name for path in (chapter.root / ".course/kept").glob("*"))


def test_a_hint_says_where_the_exercise_is(chapter, capsys):
    show_hint(chapter, chapter.exercises[1])
    assert "chapters/06_package/tinytorch/nn/conv.py, line 6" in capsys.readouterr().out


def test_a_solution_is_the_librarys_function(chapter, capsys):
    show_solution(chapter, chapter.exercises[2])
    out = capsys.readouterr().out
    assert "tinytorch/nn/conv.py\n\nin class Conv:\n    def forward(self, x):" in out


def test_where_a_chapters_own_module_is_missing_the_librarys_answers_are_there(chapter, capsys):
    chapter.files["extra"].unlink()  # as in a release
    show_solution(chapter, chapter.exercises[2])
    assert "def forward(self, x):" in capsys.readouterr().out
    for _ in range(9):
        show_hint(chapter, chapter.exercises[2])
    assert "The answer, and why it works" in capsys.readouterr().out
    with pytest.raises(UsageError, match="this needs the answers to chapter 6, and this copy"):
        main(chapter, Namespace(file=None, who="library"))


def test_an_exercise_is_reset_in_its_own_module(chapter, solved, capsys):
    others = [(solved / name).read_bytes() for name in ("sums.py", "extra.py")]
    reset_exercise(chapter, chapter.exercises[1])
    assert BLANK.format("6.2: square") in (solved / "nn/conv.py").read_text()
    assert "result = square(x)" in (solved / "nn/conv.py").read_text()
    assert [(solved / name).read_bytes() for name in ("sums.py", "extra.py")] == others
    (name,) = kept(chapter)
    assert name.startswith("06_package_tinytorch_nn_conv_")


def test_a_missing_module_comes_back_alone(chapter, solved):
    (solved / "sums.py").unlink()
    reset_exercise(chapter, chapter.exercises[0])
    assert BLANK.format("6.1: double") in (solved / "sums.py").read_text()
    assert kept(chapter) == []


def test_a_chapter_is_reset_with_all_its_files(chapter, solved):
    edit(solved / "nn/conv.py", "x times x", "x by x")
    reset_chapter(chapter)
    assert [exercise.status for exercise in grade(chapter).exercises] == ["not started"] * 4
    assert len(kept(chapter)) == 3


def test_progress_counts_the_chapter(chapter, solved, capsys):
    edit(solved / "sums.py", "total = x + x", "total = x")
    show_progress(chapter.root)
    out = capsys.readouterr().out
    assert "6 Package" in out and "2/2" in out and "next: exercise 6.1" in out


def test_the_difference_shows_what_is_the_students_own(chapter, capsys):
    sums = chapter.exercise_file / "sums.py"
    edit(sums, BLANK.format("6.1: double"), "return 2 * x")
    edit(sums, "def triple(x):\n    return double(x) + x\n", "def third(x):\n    return x / 3\n")
    show_changes(chapter)
    out = capsys.readouterr().out
    assert "Added\n  sums.third" in out and "Removed\n  sums.triple" in out
    assert "-    total = x + x" in out and "+    return 2 * x" in out
    assert "nn.conv.square: exercise 6.2, still blank" in out
    assert "result = x * x" not in out


def test_a_wrong_answer_shows_no_right_one(chapter, solved, capsys):
    edit(solved / "sums.py", "total = x + x", "total = x")
    show_changes(chapter)
    out = capsys.readouterr().out
    assert "sums.double: exercise 6.1, not passing yet" in out and "x + x" not in out


def test_the_same_text_is_said_to_be_the_same(chapter, solved, capsys):
    show_changes(chapter)
    assert capsys.readouterr().out.endswith("They read the same.\n")


def test_what_cannot_be_read_is_one_line(chapter):
    write(chapter.exercise_file / "sums.py", "def (")
    with pytest.raises(UsageError, match=r"SyntaxError: invalid syntax \(sums.py, line 1\)"):
        show_changes(chapter)


def test_nothing_is_carried_into_modules_of_the_library(chapter, capsys):
    carry_chapter(chapter)
    assert "there's nothing to carry into them" in capsys.readouterr().out


def test_marks_of_a_folder_are_written_as_json(chapter, solved, tmp_path):
    write_json(grade(chapter), tmp_path / "marks.json", 1.0)
    assert '"marks": 8' in (tmp_path / "marks.json").read_text()


def test_what_a_new_process_says_arrives_whatever_the_console(chapter, solved, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")  # as in a pipe on Windows, there cp1252
    module = path_of(solved, next(iter(chapter.files)))
    module.write_text(module.read_text("utf-8") + "\nraise ValueError('x → y')\n", "utf-8")
    assert "ValueError: x → y" in problem(chapter, solved)
