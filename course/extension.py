"""What a notebook of the course needs: `%load_ext course` and `check("3.2")`."""

import os
import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from course.grading import card
from course.grading.results import FAILED
from course.grading.run import GraderError, grade
from course.manifest import UsageError, find_exercise, load_chapter
from course.output import command
from course.overlay import lay_over
from course.watch import OLD_CODE, watch, what_is_wrong

UNREADABLE = ("SyntaxError", "IndentationError", "TabError")
SLUG = r"\d\d_\w+"
_folder = None  # of the notebook that loaded the extension


class CheckFailed(Exception):
    """A check that did not pass where it must: COURSE_STRICT is set."""


@dataclass(frozen=True)
class Check:
    """What check() shows: a card in a notebook, text elsewhere."""

    results: tuple
    heading: str
    note: str = ""
    passed: bool = False

    def __repr__(self):
        return card.as_text(self)

    def _repr_html_(self):
        return card.as_html(self)


def check(exercise_id=None, *more):
    """Grade one exercise, or the whole chapter, on tinytorch.py as it was last saved.

    The exercise is "3.2" or 3.2; of 3.1 and "3.10", Python's number 3.10 is the first.

    Raises nothing; with COURSE_STRICT=1 in the environment, CheckFailed where it did not pass.
    """
    try:
        _require_one(exercise_id, *more)
        checked = _grade(exercise_id)
    except (UsageError, GraderError) as error:
        checked = Check((), "check", note=str(error))
    if os.environ.get("COURSE_STRICT") == "1" and not checked.passed:
        raise CheckFailed(repr(checked))
    return checked


def load_ipython_extension(shell):
    """`%load_ext course`: reload edited files; `import tinytorch` means the chapter's own."""
    global _folder
    shell.extension_manager.load_extension("autoreload")
    _folder = _find_folder(shell.user_ns)
    if _folder is None:
        print(f"there is no tinytorch of a chapter here, in {Path.cwd()}")
        print("so import tinytorch gives you the finished library, not your own code")
        print("for yours, go to the chapter's folder, as in: %cd chapters/03_backward")
        print("and then run: %reload_ext course")
        return
    file = _folder / "tinytorch.py"
    sys.dont_write_bytecode = True  # by second and size, it would pass for that of a quick edit
    shell.run_line_magic("autoreload", "2 --full")
    sys.path[:] = [str(_folder), *(entry for entry in sys.path if entry != str(_folder))]
    _drop_foreign_tinytorch()
    if file.is_file() or not (chapter := _own_chapter()).is_package:
        OwnFile.insist_on(file)
        watch({"tinytorch": file}, lambda: what_is_wrong(file), shell)
    else:
        lay_over(chapter, _folder / "tinytorch", shell)


class OwnFile:
    """A finder of modules: where the chapter's file is missing, the library doesn't stand in."""

    def __init__(self, file):
        self.file = file

    @classmethod
    def insist_on(cls, file):
        """Ask for this file before Python looks elsewhere, and for no other chapter's."""
        others = [finder for finder in sys.meta_path if not isinstance(finder, cls)]
        sys.meta_path[:] = [cls(file), *others]

    def find_spec(self, name, path=None, target=None):
        if name == "tinytorch" and not self.file.is_file():
            says = f"there is no {self.file}"
            if re.fullmatch(SLUG, self.file.parent.name):
                number = int(self.file.parent.name[:2])
                says += f"; {command(f'reset-chapter{number}')} brings it back"
            raise ModuleNotFoundError(says, name=name)


def _grade(exercise_id):
    if exercise_id is None:
        chapter, only = _own_chapter(), None
        heading = f"Chapter {chapter.number} · {chapter.title}"
    else:
        chapter, exercise = _find(exercise_id)
        only = [exercise.id]
        heading = f"Exercise {exercise.id} · {exercise.title}"
    result = grade(chapter, _graded_file(chapter), only=only, pictures=True)
    if only and (earlier := _met_on_the_way(chapter, result)):
        result = grade(chapter, _graded_file(chapter), only=[*earlier, *only], pictures=True)
        result = replace(result, exercises=result.exercises[-1:])
    note = result.note
    if note.startswith(UNREADABLE):
        note += f"; {OLD_CODE}"
    return Check(result.exercises, heading, note, result.passed)


def _met_on_the_way(chapter, result):
    """Earlier exercises that ran where this one failed first: is one of them at fault?"""
    for exercise in result.exercises:
        ran = next((test.ran for test in exercise.tests if not test.passed and test.ran), ())
        ids = [e.id for e in chapter.exercises]
        if exercise.status == FAILED:
            return [id for id in ids[: ids.index(exercise.id)] if id in ran]
    return []


def _require_one(*ids):
    if len(ids) > 1:
        each = " and ".join(f'check("{id}")' for id in ids)
        raise UsageError(f"check grades one exercise, or all with check(); call {each}")


def _graded_file(chapter):
    """The tinytorch beside the notebook; that of the student, where it is another chapter's."""
    folder = _folder or Path.cwd()
    if folder == chapter.solution_notebook.parent:
        return chapter.solution_file
    is_here = folder.name == chapter.slug
    return folder / chapter.exercise_file.name if is_here else chapter.exercise_file


def _find(exercise_id):
    """The chapter and the exercise of "3.2", or of the number 3.2."""
    chapter, exercise = find_exercise(str(exercise_id))
    other = f"{exercise.id}0"
    if not isinstance(exercise_id, str) and any(e.id == other for e in chapter.exercises):
        both = f'check("{exercise.id}") or check("{other}")'
        raise UsageError(f"{exercise.id} and {other} are the same number; use quotes: {both}")
    return chapter, exercise


def _own_chapter():
    folder = _folder or Path.cwd()
    if not re.fullmatch(SLUG, folder.name):
        raise UsageError('name an exercise, as in check("3.2"), or work in a folder of chapters/')
    return load_chapter(int(folder.name[:2]))


def _find_folder(names):
    """The folder of the notebook: where Jupyter started the kernel, or where VS Code says it is."""
    told = [names.get("__vsc_ipynb_file__"), os.environ.get("JPY_SESSION_NAME")]
    folders = [Path.cwd(), *(Path(path).absolute().parent for path in told if path)]
    return next((folder for folder in folders if _is_chapter(folder)), None)


def _is_chapter(folder):
    return re.fullmatch(SLUG, folder.name) is not None or (folder / "tinytorch.py").is_file()


def _drop_foreign_tinytorch():
    """Forget a tinytorch from elsewhere that was imported before this notebook's own."""
    loaded = sys.modules.get("tinytorch")
    file = getattr(loaded, "__file__", None)
    if loaded is None or (file and Path(file).is_relative_to(_folder)):
        return
    for name in [name for name in sys.modules if re.match(r"tinytorch(\.|$)", name)]:
        del sys.modules[name]
