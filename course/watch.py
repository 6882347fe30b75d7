"""Before each cell, edited files are run anew; one line about an edit that cannot be run."""

import runpy
import sys
import traceback

from course.imports import behind, imports_in
from course.reloading import reload

OLD_CODE = "until that is mended, cells go on running the code from before"
RESTART = "restart the kernel, and run the cells again from the top"

_looks = []  # what watches now: one function at most


def watch(files, problem, shell):
    """Watch {name of a module: its file}, and after an edit say problem() once, if there is one.

    That is a line about what keeps the files from being run, or "".
    """
    shell.run_line_magic("aimport", ", ".join(f"-{module}" for module in files))  # not autoreload
    stop_watching(shell)  # the extension was loaded before
    seen = ran = _texts(files)

    def look(info):
        nonlocal seen, ran
        texts = _texts(files)
        if texts == seen:
            return
        seen = texts
        loaded = "tinytorch" in sys.modules
        says = problem() if loaded else ""
        if not says:
            edited = [module for module in files if texts[module] != ran[module]]
            says, ran = _reload({m: files[m] for m in edited if m in sys.modules}), texts
        if says:
            print(says)

    shell.events.register("pre_run_cell", look)
    _looks.append(look)


def stop_watching(shell):
    """Take back what watch() registered."""
    while _looks:
        shell.events.unregister("pre_run_cell", _looks.pop())


def what_is_wrong(file):
    """One line about why the file cannot be run, with its place, or "" if it can."""
    try:
        runpy.run_path(str(file))
    except Exception as error:
        text = traceback.format_exception_only(error)[-1].strip()
        return f"{text} ({file.name}, line {_line(error)}); {OLD_CODE}"
    return ""


def _reload(files):
    """Run modules anew, those that others import first; one line about what that can't mend."""
    below = behind(imports_in(files))
    lines = [_run_anew(module) for module in sorted(files, key=lambda module: len(below[module]))]
    return next(filter(None, lines), "")


def _run_anew(module):
    try:
        doubled = reload(sys.modules[module])
    except Exception as error:
        text = traceback.format_exception_only(error)[-1].strip()
        return f"{module} as it is now does not fit what else runs here, {text}: {RESTART}"
    if doubled:
        says = f"{doubled[0]} of {module} has another base class, or slots, than before your edit"
        return f"{says}, and your objects are still of the old one: {RESTART}"
    return ""


def _line(error):
    if isinstance(error, SyntaxError):
        return error.lineno
    return traceback.extract_tb(error.__traceback__)[-1].lineno


def _texts(files):
    return {module: file.read_bytes() if file.is_file() else None for module, file in files.items()}
