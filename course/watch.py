"""One line about an edit that cannot be run, where autoreload alone would show two tracebacks."""

import runpy
import sys
import traceback

OLD_CODE = "until that is mended, cells go on running the code from before"


_looks = []  # what watches now: one function at most


def watch(files, problem, shell):
    """Reload edited files before each cell, and after an edit say problem() once, if there is one.

    That is a line about what keeps the files from being run, or "".
    """
    shell.run_line_magic("autoreload", "2 --hide-errors")
    stop_watching(shell)  # the extension was loaded before
    seen = {_times(files)}

    def look(info):
        if _times(files) in seen or "tinytorch" not in sys.modules:
            return
        seen.add(_times(files))
        says = problem()
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


def _line(error):
    if isinstance(error, SyntaxError):
        return error.lineno
    return traceback.extract_tb(error.__traceback__)[-1].lineno


def _times(files):
    return tuple(file.stat().st_mtime_ns if file.is_file() else None for file in files)
