"""`release-chapterN`: the course as students get it, with chapters 1 to N, without the answers.

Left out: solutions, catalogues of wrong answers, mutants, later chapters, the course's own tests,
and all of git's history. The answers of Part II stay, they are the library itself. What can't be
helped: in Part I a chapter's file comes with the answers to the chapters before. So release a
chapter when the one before has been handed in.
"""

import re
import shutil
import tempfile
from pathlib import Path

from course.blanks import derive
from course.manifest import UsageError, all_chapters
from course.modules import write_code
from course.notebooks import derived_notebook
from course.output import command
from course.paths import ROOT
from course.readme import released
from course.source import read_source, write_source

WHOLE = ("course", "tinytorch", "examples", "benchmarks", "tests/conftest.py", "LICENSE",
         "Makefile", "README.png", "pyproject.toml", ".gitignore", ".gitattributes",
         ".devcontainer", ".vscode")  # fmt: skip
DEAD_LINK = r" \(Our answers are at the end of `solutions/[^`]*`\.\)"


def main(options, chapters):
    """Write a release with these chapters into a folder that's new, or empty."""
    target = options.out
    if target.is_file() or (target.is_dir() and any(target.iterdir())):
        raise UsageError(f"{target} is there already; name a folder that isn't, OUT=another")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="release-") as name:
        folder = Path(name) / "release"
        _write(folder, chapters)
        if target.is_dir():
            target.rmdir()
        folder.rename(target)  # whole, or not at all
    print(f"{target}: {_span([chapter.number for chapter in chapters])}, without the answers")
    print(f"Put it into a new repository of its own; there, {command('start')} starts the course.")


def _span(numbers):
    first, *others = numbers
    return f"chapters {first} to {others[-1]}" if others else f"chapter {first}"


def up_to(number):
    """The chapters of a release."""
    return [chapter for chapter in all_chapters() if chapter.number <= number]


def _write(folder, chapters):
    for name in WHOLE:
        _copy(ROOT / name, folder / name)
    for chapter in chapters:
        _write_chapter(folder, chapter)
    write_source(folder / "README.md", released(read_source(ROOT / "README.md"), chapters))


def _write_chapter(folder, chapter):
    """The chapter as it's given, twice: to work in, and for reset to bring back."""
    lesson = re.sub(DEAD_LINK, "", derived_notebook(chapter).decode("utf-8"))
    for place in (chapter.exercise_file.parent, chapter.given):
        home = folder / place.relative_to(chapter.root)
        write_code(home / chapter.exercise_file.name, derive(chapter))
        write_source(home / chapter.notebook.name, lesson)
    for path in (chapter.tests / "exercises.toml", *chapter.tests.glob("test_*.py")):
        _copy(path, folder / path.relative_to(chapter.root))


def _copy(source, target):
    """Copy a file, or all files of a folder."""
    for path in [source, *source.rglob("*")]:
        if path.is_file() and "__pycache__" not in path.parts:
            copy = target / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
