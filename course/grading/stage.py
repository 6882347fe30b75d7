"""The copy that a file is graded in: what judges it, and the file itself.

No solutions, no catalogue of wrong answers, no finished library: what is not there cannot be
read. Each worker has a copy of its own, and whatever happens to it, the next one has a new one.

    judge/course/…            what the tests are written with, and what runs them
    judge/tests/chapter03/…   the tests
    desk/tinytorch.py         the graded file under its own name; the working folder

In Part II the graded modules lie in desk/tinytorch/, and the finished library is there without
them: one that is missing is nowhere.

    library/tinytorch/…
"""

import marshal
import re
import shutil
import sys
import time
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import MAGIC_NUMBER
from pathlib import Path

from course.manifest import path_of
from course.modules import write_code
from course.paths import ROOT

CACHE_TAG = sys.implementation.cache_tag
IMPORTS = r"from (course[\w.]*) import (\([^)]*\)|.*)"
FIRST = ("course/grading/worker.py", "course/grading/plugin.py", "course/grading/forking.py")


class Stage:
    """A chapter's tests, the judge and what was handed in, copied into an empty folder."""

    def __init__(self, folder, chapter, submission, judge, library):
        self.judge, self.library, self.desk = judge, library, folder / "desk"
        self.desk.mkdir()
        self.file = self._put_down(chapter, submission)

    def suite(self, folder):
        """Where a folder of tests is in the copy."""
        return suite_in(self.judge, folder)

    def _put_down(self, chapter, submission):
        path = submission.path
        if submission.code is None and path == ROOT / "tinytorch":
            return path  # the finished library is graded where it is
        if submission.code is None:
            return Path(shutil.copytree(path, self.desk / path.name))
        for place, file in submission.beside.items():
            _copy(file, self.desk / place)
        target = self.desk / ("tinytorch" if chapter.is_package else path.name)
        write_code(target, submission.code)
        return target


@cache
def _compiled(source, changed):
    """The bytes of a .pyc that holds for whatever source lies beside it.

    Python tells an old .pyc by second and size: just after an edit, it may pass for the new one.
    """
    unchecked = (1).to_bytes(4, "little") + bytes(8)
    loader = SourceFileLoader(source.stem, str(source))
    just_edited = time.time() - changed / 1e9 < 2
    if just_edited:
        code = loader.source_to_code(source.read_bytes(), str(source))
    else:
        code = loader.get_code(source.stem)
    return MAGIC_NUMBER + unchecked + marshal.dumps(code)


def _copy(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _copy_compiled(source, target):
    """Copy a module with its .pyc: else each start would compile all."""
    _copy(source, target)
    compiled = target.parent / "__pycache__" / f"{target.stem}.{CACHE_TAG}.pyc"
    compiled.parent.mkdir(exist_ok=True)
    compiled.write_bytes(_compiled(source, source.stat().st_mtime_ns))


def suite_in(judge, folder):
    """Where a folder of tests is in a copy of what judges."""
    return judge / "tests" / Path(folder).name


def copy_judges(folder, suites):
    """Copy what judges into a folder; where to."""
    judge = folder / "judge"
    for source in originals(suites):
        is_ours = source.is_relative_to(ROOT / "course")
        target = judge / source.relative_to(ROOT if is_ours else Path(suites[0]).parent.parent)
        (_copy_compiled if source.suffix == ".py" else _copy)(source, target)
    return judge


def copy_library(folder, chapter):
    """Copy the library without what is graded, if the chapter stands on it; where to, or None."""
    if not chapter.is_package:
        return None
    library = folder / "library" / "tinytorch"
    for source in library_around(chapter):
        _copy_compiled(source, library / source.relative_to(chapter.library))
    return library


def library_around(chapter):
    """The files of the library that a chapter of Part II stands on: all but its own modules."""
    if not chapter.is_package:
        return []
    graded = [path_of(chapter.library, module) for module in chapter.files]
    return sorted(set(chapter.library.rglob("*.py")) - set(graded))


def originals(suites):
    """The files that judge: those of these folders of tests, and all of course that they use."""
    tests = [path for suite in suites for path in sorted(Path(suite).glob("test_*.py"))]
    tables = [Path(suite) / "exercises.toml" for suite in suites]
    return [*tests, *tables, *_used((*(ROOT / name for name in FIRST), *tests))]


@cache
def _used(files):
    """The modules of course that these files import, and those that these import; and FIRST."""
    found, todo = set(), [*files]
    while todo:
        if (file := todo.pop()) in found:
            continue
        found.add(file)
        for module, names in re.findall(IMPORTS, file.read_text("utf-8")):
            for name in (module, *(f"{module}.{name}" for name in re.findall(r"\w+", names))):
                todo += _files(name)
    return sorted(file for file in found if file.is_relative_to(ROOT / "course"))


@cache
def _files(name):
    """The files of a module and of the packages that it is in; of a package of parts, all parts."""
    parts = name.split(".")
    homes = [ROOT.joinpath(*parts[: i + 1]) for i in range(len(parts))]
    paths = [path for home in homes for path in (home.with_suffix(".py"), home / "__init__.py")]
    found = [path for path in paths if path.is_file()]
    if name == "course.drawing":
        found += (ROOT / "course" / "drawing").glob("*.py")
    return found
