"""A chapter of Part II in a kernel: are its modules the student's, and can they be run?"""

import os
import subprocess
import sys
import traceback
from importlib import import_module
from pathlib import Path

from course.grading.submission import read_submission
from course.manifest import load_chapter, path_of
from course.paths import ROOT
from course.watch import OLD_CODE, RESTART, watch


def lay_over(chapter, tinytorch, shell):
    """Import a chapter's modules from the folder `tinytorch`, and watch them; say what's wrong."""
    if not tinytorch.joinpath("__init__.py").is_file():
        return _lay_own(chapter)  # beside the solved notebook, the others are the library's
    files = {f"tinytorch.{module}": path_of(tinytorch, module) for module in chapter.files}
    watch(files, lambda: problem(chapter, tinytorch), shell)
    says = not_gradable(chapter, tinytorch) or not_imported(chapter, tinytorch)
    print(says) if says else None


def problem(chapter, tinytorch):
    """After an edit: one line about what is wrong now, or ""."""
    says = not_gradable(chapter, tinytorch) or _in_a_new_process(chapter, tinytorch)
    return f"{says}; {OLD_CODE}" if says else ""


def not_gradable(chapter, tinytorch):
    """What the grader says before it runs anything: that a file is missing, or is no Python."""
    return read_submission(chapter, tinytorch).note


def not_imported(chapter, tinytorch):
    """Import all modules of a chapter; one line about one that fails, or is not the student's."""
    for module in chapter.files:
        try:
            found = import_module(f"tinytorch.{module}")
        except Exception as error:
            return _line_about(error, tinytorch)
        if Path(found.__file__) != path_of(tinytorch, module):
            says = f"tinytorch.{module} was loaded from {found.__file__}, not from {tinytorch}"
            return f"{says}: {RESTART}"
    return ""


def main(number, root, tinytorch):
    """Print the line about modules that cannot be imported, where nothing else has been."""
    sys.path.insert(0, str(Path(tinytorch).parent))
    print(not_imported(load_chapter(number, Path(root)), Path(tinytorch)))


def _in_a_new_process(chapter, tinytorch):
    """not_imported() of the files as they are now: in this kernel, classes would be doubled."""
    arguments = ["-P", "-m", "course.overlay", str(chapter.number), chapter.root, tinytorch]
    settings = {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    environment = os.environ | settings | {"PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8")
    return done.stdout.strip()


def _lay_own(chapter):
    import tinytorch

    tinytorch.__path__.append(str(chapter.solution_notebook.with_name("tinytorch")))
    for module in chapter.own:
        import_module(f"tinytorch.{module}")


def _line_about(error, tinytorch):
    """An exception and its last place in a student's module."""
    text = traceback.format_exception_only(error)[-1].strip()
    steps = traceback.extract_tb(error.__traceback__)
    places = [(Path(step.filename), step.lineno) for step in steps]
    mine = [place for place in places if place[0].is_relative_to(tinytorch)]
    if not mine:
        return text
    return f"{text} ({mine[-1][0].relative_to(tinytorch).as_posix()}, line {mine[-1][1]})"


if __name__ == "__main__":
    main(*sys.argv[1:])
