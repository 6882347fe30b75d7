"""The copy that a file is graded in: what judges it, and the file itself.

No solutions, no catalogue of wrong answers, no finished library: what is not there cannot be
read. Each worker has a copy of its own, and whatever happens to it, the next one has a new one.

    judge/course/…            what the tests are written with, and what runs them
    judge/tests/chapter03/…   the tests
    desk/tinytorch.py         the graded file under its own name; the working folder
"""

import re
import shutil
from functools import cache
from pathlib import Path

from course.grading.submission import helpers
from course.paths import ROOT

IMPORTS = r"from (course[\w.]*) import (\([^)]*\)|.*)"
FIRST = ("course/grading/worker.py", "course/grading/plugin.py")


class Stage:
    """A chapter's tests, the judge and a graded file, copied into an empty folder."""

    def __init__(self, folder, file, text, suites):
        self.judge, self.desk = folder / "judge", folder / "desk"
        self.desk.mkdir()
        for source in originals(suites):
            target = self.judge / source.relative_to(_root(source, suites))
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
        self.file = self._put_down(file, text)

    def suite(self, folder):
        """Where a folder of tests is in the copy."""
        return self.judge / "tests" / Path(folder).name

    def _put_down(self, file, text):
        if text is None and file == ROOT / "tinytorch":
            return file  # the finished library is graded where it is
        if text is None:
            return Path(shutil.copytree(file, self.desk / file.name))
        for helper in helpers(text, file.parent):
            shutil.copyfile(helper, self.desk / helper.name)
        target = self.desk / file.name
        target.write_text(text, encoding="utf-8", newline="")
        return target


def originals(suites):
    """The files that judge: those of these folders of tests, and all of course that they use."""
    tests = [path for suite in suites for path in sorted(Path(suite).glob("test_*.py"))]
    tables = [Path(suite) / "exercises.toml" for suite in suites]
    return [*tests, *tables, *_used((*(ROOT / name for name in FIRST), *tests))]


@cache
def _used(files):
    """The modules of course that these files import, and those that these import; and FIRST."""
    found, todo = {}, list(files)
    while todo:
        file = todo.pop()
        if file.is_relative_to(ROOT / "course"):
            found[file] = None
        for module, names in re.findall(IMPORTS, file.read_text("utf-8")):
            named = [module, *(f"{module}.{name}" for name in re.findall(r"\w+", names))]
            todo += [path for name in named for path in _files(name) if path not in found]
    return sorted(found)


def _files(name):
    """The files of a module and of the packages that it is in; of a package of parts, all parts."""
    parts = name.split(".")
    for i in range(len(parts)):
        folder = ROOT.joinpath(*parts[: i + 1])
        for path in (folder.with_suffix(".py"), folder / "__init__.py"):
            if path.is_file():
                yield path
    if name == "course.drawing":
        yield from (ROOT / "course" / "drawing").glob("*.py")


def _root(source, suites):
    return ROOT if source.is_relative_to(ROOT / "course") else Path(suites[0]).parent.parent
