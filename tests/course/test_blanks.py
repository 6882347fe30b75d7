"""The exercise files follow the solutions, and a student's answers stay."""

import subprocess

import pytest
from small_course import edit, make_course

from course.blanks import committed, derive, has_answers, write_blanks
from course.manifest import load_chapter
from course.output import command
from course.source import read_source

FIRST = "chapters/01_first/tinytorch.py"
YOURS = f"{FIRST}: yours, left as it is ({command('reset-chapter1')} replaces it, and keeps a copy)"


def git(root, *command):
    name = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "core.autocrlf=false"]
    subprocess.run(["git", *name, *command], cwd=root, check=True, capture_output=True)


@pytest.fixture
def chapter(tmp_path):
    """Chapter 1 of a fresh clone."""
    chapter = make_course(tmp_path)[0]
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "all")
    return chapter


def test_a_file_that_is_right_stays(chapter):
    assert write_blanks(chapter.root)[0] == f"{FIRST}: unchanged"


def test_a_missing_file_is_written(chapter):
    chapter.exercise_file.unlink()
    assert write_blanks(chapter.root)[0] == f"{FIRST}: written"
    assert {"": read_source(chapter.exercise_file)} == derive(chapter)


def test_the_blank_of_a_fresh_clone_follows_a_changed_solution(chapter):
    edit(chapter.solution_file, "Return double of x", "Twice x")
    assert write_blanks(chapter.root)[0] == f"{FIRST}: written"
    assert "Twice x" in read_source(chapter.exercise_file)


def test_a_file_that_the_course_wrote_follows_without_a_commit(chapter):
    for old, new in (("Chapter 1.", "One."), ("One.", "Two."), ("Two.", "Three.")):
        edit(chapter.solution_file, old, new)
        assert write_blanks(chapter.root)[0] == f"{FIRST}: written"


def test_a_new_exercise_in_a_fresh_clone_is_cut(chapter):
    manifest = chapter.tests / "exercises.toml"
    edit(manifest, 'names = ["square"]', 'names = ["square", "Tensor.__init__"]')
    assert write_blanks(chapter.root)[0] == f"{FIRST}: written"
    assert "exercise 1.3: Tensor.__init__" in read_source(chapter.exercise_file)


def test_an_answer_stays(chapter):
    answer = derive(chapter)[""].replace(
        'raise NotImplementedError("exercise 1.1: double")', "return 2 * x"
    )
    chapter.exercise_file.write_text(answer, encoding="utf-8")
    edit(chapter.solution_file, "= x + x\n", "= 2 * x\n")
    assert write_blanks(chapter.root)[0] == YOURS
    assert read_source(chapter.exercise_file) == answer


def test_a_committed_answer_stays_too(chapter):
    edit(chapter.exercise_file, 'raise NotImplementedError("exercise 1.1: double")', "return 2 * x")
    git(chapter.root, "commit", "-q", "-a", "-m", "my answer")
    edit(chapter.solution_file, "Return double of x", "Twice x")
    assert write_blanks(chapter.root)[0] == YOURS


def test_a_note_beside_the_blanks_stays_too(chapter):
    edit(chapter.exercise_file, '"""Chapter 1."""', '"""Chapter 1."""\n# my note')
    assert write_blanks(chapter.root)[0] == YOURS


def test_without_git_what_was_not_written_here_stays(tmp_path):
    chapter = make_course(tmp_path)[0]
    edit(chapter.solution_file, "Return double of x", "Twice x")
    assert write_blanks(tmp_path)[0] == YOURS


def test_the_last_commit_is_read_whatever_the_working_copy_holds(chapter):
    before = read_source(chapter.solution_file)
    edit(chapter.solution_file, "= x + x\n", "= 2 * x\n")
    assert committed(chapter.solution_file, chapter.root) == before
    assert committed(chapter.root / "no_such_file", chapter.root) is None


@pytest.mark.parametrize(
    "content, answered",
    [
        (b"", True),
        (b"def double(:\n", True),
        (b"\xff\xfe\x00d", True),
        (None, False),
    ],
    ids=["names gone", "syntax error", "not UTF-8", "missing"],
)
def test_a_file_that_cannot_be_read_counts_as_the_students(chapter, content, answered):
    chapter.exercise_file.unlink()
    if content is not None:
        chapter.exercise_file.write_bytes(content)
    assert has_answers(chapter) is answered


def test_blanks_alone_are_no_answers(chapter):
    assert not has_answers(chapter)
    edit(chapter.exercise_file, 'raise NotImplementedError("exercise 1.3: square")', "return x**2")
    assert has_answers(load_chapter(1, chapter.root))
