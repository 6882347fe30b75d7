"""A release: what students get has no answers, works all the same, and earns the same marks."""

import json
import os
import re
import shutil
import subprocess
import sys
from argparse import Namespace

import pytest
from small_course import make_course, solution

from course.manifest import UsageError
from course.paths import ROOT
from course.release import main, up_to

MINE = solution(1).replace("total = x + x\n", "total = 2 * x\n")  # double, 1.1, in another way
WRONG = MINE.replace("total = x * x\n", "total = x + 1\n")  # square, 1.3


def course(root, *arguments, python=()):
    """Run python -m course there."""
    settings = os.environ | {"PYTHONIOENCODING": "utf-8", "COLUMNS": "80"}
    line = [sys.executable, *python, "-m", "course", *map(str, arguments)]
    return subprocess.run(line, cwd=root, env=settings, capture_output=True, encoding="utf-8")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A copy of the machinery around a made-up course."""
    root = tmp_path_factory.mktemp("whole course")
    make_course(root)
    shutil.copytree(ROOT / "course", root / "course", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "tinytorch", root / "tinytorch")
    for name in ("pyproject.toml", "Makefile", "README.md"):
        shutil.copy(ROOT / name, root)
    return root


@pytest.fixture(scope="module")
def released(whole, tmp_path_factory):
    """Its releases up to chapter 1, and with all chapters."""
    folders = [tmp_path_factory.mktemp(name) / "class" for name in ("one", "both")]
    for verb, folder in zip(["release-chapter1", "release"], folders, strict=True):
        ran = course(whole, verb, "--out", folder)
        assert ran.returncode == 0, ran.stderr
        chapters = "chapter 1" if verb == "release-chapter1" else "chapters 1 to 2"
        assert ran.stdout.startswith(f"{folder}: {chapters}, without the answers\n")
    return folders


def texts(root):
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8", errors="replace")
            for path in root.rglob("*") if path.is_file()}  # fmt: skip


def test_a_chapters_answers_are_nowhere_and_neither_is_what_comes_later(released):
    one, both = map(texts, released)
    answers = ["total = x * x\n", "total = x * x * x\n"]
    assert all(answer in solution(1) for answer in answers)
    assert [name for name, text in one.items() if any(answer in text for answer in answers)] == []
    assert [name for name in one if "solutions" in name or "/chapter02" in name] == []
    assert [name for name in one if re.search("(^|/)(02_second|misconc.*py|equiv.*)", name)] == [
        "course/misconceptions.py"  # what reads the catalogues
    ]
    assert "chapters/02_second/tinytorch.py" in both
    assert [name for name, text in both.items() if "total = fourth(x)" in text] == []


@pytest.mark.parametrize("verb", ["test", "check", "blanks", "mutants-chapter1", "solution-1.1",
                                  "diff-chapter2", "test-chapter1 --who solution"])  # fmt: skip
def test_what_needs_an_answer_says_so_in_one_line(released, verb):
    ran = course(released[1], *verb.split())
    assert ran.returncode == 2 and ran.stdout == "" and ran.stderr.count("\n") == 1
    assert "this copy" in ran.stderr and "without" in ran.stderr


def test_mine_says_that_there_is_no_part_two_before_anything_is_installed(released):
    ran = course(released[1], "mine", python=["-S"])
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "mine is about Part II, and this copy of the course comes without it\n"
    assert not (released[1] / ".venv").exists()


def test_who_names_a_chapter_is_told_how_it_is_graded(released):
    assert "make test-chapter2 grades yours" in course(released[1], "test", 2).stderr


def test_everything_else_works(released, tmp_path):
    root = shutil.copytree(released[1], tmp_path / "mine")
    file = root / "chapters/01_first/tinytorch.py"
    blank = file.read_bytes()
    listed = re.findall(r"make (\S+)  ", course(root).stdout)
    assert listed == ["start", "test-chapterN", "progress", "hint-N.M", "carry-chapterN",
                      "reset-N.M", "reset-chapterN"]  # fmt: skip
    assert "Hint 1 of 2" in course(root, "hint-1.1").stdout
    last = course(root, "hint-1.1").stdout
    assert "That was the last hint." in last and "solution" not in last
    file.write_text(WRONG, encoding="utf-8")
    carried = course(root, "carry-chapter2")
    assert "1.1  double" in carried.stdout and "1.3  square: not passing" in carried.stdout
    assert "tests accept" not in carried.stdout and carried.stderr == ""
    assert "6/8" in course(root, "progress").stdout
    assert "is blank again" in course(root, "reset-1.2").stdout
    assert "is back to how you got it" in course(root, "reset-chapter1").stdout
    assert file.read_bytes() == blank and len([*(root / ".course/kept").iterdir()]) >= 3


def test_the_whole_course_gives_a_releases_file_the_same_marks(whole, released, tmp_path):
    (tmp_path / "tinytorch.py").write_text(WRONG, encoding="utf-8")
    marks = []
    for root in (whole, released[0]):
        options = ["--file", tmp_path / "tinytorch.py", "--json", tmp_path / "marks.json"]
        assert course(root, "test-chapter1", *options).returncode == 1
        marks.append(json.loads((tmp_path / "marks.json").read_text(encoding="utf-8")))
    assert marks[0]["exercises"] == marks[1]["exercises"] and marks[0]["marks"] == 6


def test_nothing_is_overwritten(tmp_path):
    (tmp_path / "thesis.txt").write_text("x")
    for folder in (tmp_path, tmp_path / "thesis.txt"):
        with pytest.raises(UsageError, match="is there already"):
            main(Namespace(out=folder), up_to(1))
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_where_the_disk_is_full_half_a_release_does_not_stay(tmp_path, monkeypatch):
    def full(source, target):
        raise OSError(28, "No space left on device", str(target))

    monkeypatch.setattr(shutil, "copyfile", full)
    with pytest.raises(OSError, match="No space left"):
        main(Namespace(out=tmp_path / "class"), up_to(1))
    assert [*tmp_path.iterdir()] == []


def test_the_readme_of_a_release_promises_nothing_that_is_not_there(tmp_path):
    (tmp_path / "class").mkdir()  # empty: it may be used
    main(Namespace(out=tmp_path / "class"), up_to(2))
    text = (tmp_path / "class/README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!http)([^)]+)\)", text)
    assert len(links) > 5 and [x for x in links if not (tmp_path / "class" / x).exists()] == []
    gone = "teachers|make test |make diff|make mine|make site|make solution|not in a release|until"
    assert not re.search(gone, text) and "In Part II" not in text
    for name in (".devcontainer/devcontainer.json", ".vscode/settings.json"):  # README names both
        assert (tmp_path / "class" / name).is_file()
    lesson = (tmp_path / "class/chapters/02_function/02_function.ipynb").read_text("utf-8")
    assert "solutions/" not in lesson


def test_the_last_page_draws_the_library_in_a_release_too(tmp_path):
    main(Namespace(out=tmp_path / "class"), up_to(12))
    draws = "from course.library import draw_library; print(draw_library())"
    ran = subprocess.run([sys.executable, "-c", draws], cwd=tmp_path / "class", capture_output=True,
                         encoding="utf-8")  # fmt: skip
    assert ran.stderr == "" and "modules stand on node" in ran.stdout
    readme = (tmp_path / "class/README.md").read_text(encoding="utf-8")
    assert (
        readme.count("In Part II") == 2
        and "make mine" in readme
        and "not in a release" not in readme
    )
    assert "make mine" in course(tmp_path / "class").stdout
