"""A chapter of Part II as it was handed in: the folder of its modules.

All of them must be there. Python takes what is missing from the finished library, and that would
be the answer.
"""

from itertools import islice

from course.grading.submission import Submission, helpers, read_file
from course.manifest import path_of
from course.modules import file_name
from course.output import command

MOST = 1000  # files of a folder that are looked at


def read_package(chapter, path):
    """The Submission at a path: the folder with the modules, or a file in it.

    Where a chapter has one module, its file may have any name. The finished library stands for
    the solution.
    """
    if path == chapter.library:
        return _read(chapter, path, chapter.files)
    if path.is_file() and len(chapter.files) == 1:
        return _read(chapter, path, dict.fromkeys(chapter.files, path), path.parent)
    folder = _folder(chapter, path)
    files = {module: path_of(folder, module) for module in chapter.files}
    others = {p.relative_to(folder).as_posix(): p for p in _pythons(folder)}
    others = {name: p for name, p in others.items() if p not in files.values()}
    others.pop("__init__.py", None)  # ours is used
    note = _missing(chapter, folder, files, others) or _in_the_way(chapter, others)
    if note:
        return Submission(path, None, note=note)
    return _read(chapter, path, files, folder.parent, others)


def _read(chapter, path, files, parent=None, others=()):
    """Read the modules, and find what else they import: other modules, and files in `parent`."""
    code = {}
    for module, file in files.items():
        code[module], note = read_file(file, file_name(chapter, module))
        if note:
            return Submission(path, code, note=note)
    beside = {f"tinytorch/{name}": others[name] for name in others}
    texts = [p.read_text(encoding="utf-8", errors="replace") for p in beside.values()]
    outside = helpers([*code.values(), *texts], parent) if parent else {}
    return Submission(path, code, beside | outside)


def _folder(chapter, path):
    """The folder of the modules: what is named, or what holds it, or what it holds."""
    if path.is_file():
        tails = [file_name(chapter, module) for module in chapter.files]
        depth = next((t.count("/") for t in tails if path.as_posix().endswith(f"/{t}")), 0)
        return path.parents[depth]
    inner = path / "tinytorch"
    return inner if inner.is_dir() else path


def _pythons(folder):
    files = (p for p in folder.rglob("*.py") if "__pycache__" not in p.parts)
    return sorted(islice(files, MOST))


def _missing(chapter, folder, files, others):
    """One line about the first module that is not there, and where it may be; "" if all are."""
    for module, file in files.items():
        if file.is_file():
            continue
        name = file_name(chapter, module)
        elsewhere = [other for other in others if other.rpartition("/")[2] == file.name]
        if elsewhere:
            return f"{elsewhere[0]} is in the wrong folder: move it to {name} in {folder}"
        back = _back(chapter, module) if folder == chapter.exercise_file.absolute() else ""
        return f"{name} is missing: there is no {file}{back}"
    return ""


def _back(chapter, module):
    """How a missing module of the student's comes back, and nothing else is touched."""
    inside = [e.id for e in chapter.exercises if e.names[0].startswith(f"{module}.")]
    what = inside[0] if inside else f"chapter{chapter.number}"
    return f"; {command(f'reset-{what}')} brings it back"


def _in_the_way(chapter, others):
    """One line about a file that would take the place of another module, or ""."""
    for name in others:
        module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        place = path_of(chapter.library, module)
        if module in chapter.files or place.is_file() or place.with_suffix("").is_dir():
            whose = "your" if module in chapter.files else "the finished library's"
            says = f"{name} would be taken for {whose} module {module}"
            return f"{says}, and chapter {chapter.number} has no such file: move it elsewhere"
    return ""
