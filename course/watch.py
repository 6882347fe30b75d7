"""Before each cell, edited files are run anew; one line about an edit that cannot be run."""

import runpy
import sys
import traceback

from course.imports import behind, imports_in
from course.reloading import reload

OLD_CODE = "until that is mended, cells go on running the code from before"
RESTART = "restart the kernel, and run the cells again from the top"

_watching = []  # (event, function), for one chapter at most


def watch(files, problem, shell):
    """Watch {name of a module: its file}, and after an edit say problem() once, if there is one.

    That is a line about what keeps the files from being run, or "".
    """
    stop_watching(shell)  # the extension was loaded before
    seen = ran = _texts(files)
    keep_autoreload_away(files, shell)

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

    def leave_alone(result):
        keep_autoreload_away(files, shell)

    for event, function in (("pre_run_cell", look), ("post_run_cell", leave_alone)):
        shell.events.register(event, function)
        _watching.append((event, function))


def stop_watching(shell):
    """Take back what watch() registered."""
    while _watching:
        shell.events.unregister(*_watching.pop())


def keep_autoreload_away(modules, shell):
    """Let autoreload pass over these modules, under each name: autograd.function is function."""
    ours = {id(sys.modules[module]) for module in modules if module in sys.modules}
    aliases = [name for name, module in [*sys.modules.items()] if id(module) in ours]
    shell.run_line_magic("aimport", ", ".join(f"-{name}" for name in {*modules, *aliases}))


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
