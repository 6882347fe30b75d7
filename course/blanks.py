"""The exercise files: derived from the solutions, and never written over a student's answers."""

import hashlib
import subprocess
from functools import partial

from course.manifest import all_chapters, parse_chapter, path_of
from course.modules import answers_in, blank, is_blank, solution_of
from course.output import command
from course.paths import ROOT
from course.source import read_source
from course.student import recall, remember

PACKAGE = "__init__"  # the module of Part II's packages that is the same in all of them
ITS_TEXT = '''"""tinytorch: the modules beside this one are yours, all others the library's."""

from pathlib import Path

__path__.append(str(Path(__file__).parents[3] / "tinytorch"))  # where Python looks next

from tinytorch.contents import *
from tinytorch.contents import __getattr__, __version__
'''


def derive(chapter):
    """A chapter's code as a student gets it: the solution with the exercises cut."""
    if chapter.given.is_dir():
        folder = chapter.given / chapter.exercise_file.name
        modules = [*chapter.files, *[PACKAGE] * chapter.is_package]
        return {module: read_source(path_of(folder, module)) for module in modules}
    code = blank(solution_of(chapter), chapter.exercises)
    return with_package(chapter, code)


def with_package(chapter, code):
    """The code, and with it what makes a package of the modules of Part II."""
    if not chapter.is_package:
        return code
    own = [f"from tinytorch import {name}\n" for name in chapter.own]
    return code | {PACKAGE: ITS_TEXT + "".join(own)}


def write_blanks(root=ROOT):
    """Derive all exercise files; what was done with each, as lines."""
    return [
        f"{_key(path_of(chapter.exercise_file, module), root)}: {done}"
        for chapter in all_chapters(root)
        for module, done in _write_blanks(chapter)
    ]


def write_derived(path, content, derive_committed, root=ROOT):
    """Write derived bytes to a file of chapters/, unless a student has worked in it.

    `derive_committed()` gives the bytes that the last commit's sources derive, or None: what a
    fresh clone holds. Returns "unchanged", "written", or "yours, left as it is".
    """
    if path.is_file() and path.read_bytes() == content:
        done = "unchanged"
    elif is_untouched(path, derive_committed, root):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        done = "written"
    else:
        return "yours, left as it is"
    remember("derived", recall("derived", {}, root) | {_key(path, root): _hash(content)}, root)
    return done


def is_untouched(path, derive_committed, root=ROOT):
    """Is the file missing, as the course wrote it last, or as the last commit derives it?

    That it is committed is not enough: a student may commit answers.
    """
    if not path.is_file():
        return True
    found = path.read_bytes().replace(b"\r\n", b"\n")
    written = recall("derived", {}, root).get(_key(path, root))
    return _hash(found) == written or found == derive_committed()


def has_answers(chapter):
    """Does the student's code hold more than blanks? Also true where it does not parse."""
    try:
        code = answers_in(chapter)
        return any(is_blank(code, exercise) != "blank" for exercise in chapter.exercises)
    except FileNotFoundError:
        return chapter.is_package and chapter.exercise_file.is_dir()
    except (SyntaxError, ValueError):
        return True


def committed(path, root=ROOT):
    """The text of a file in the last commit; None where there is none, or no git."""
    command = ["git", "show", f"HEAD:{_key(path, root)}"]
    try:
        shown = subprocess.run(command, cwd=root, capture_output=True, check=False)
    except FileNotFoundError:
        return None
    return shown.stdout.decode("utf-8") if shown.returncode == 0 else None


def _derive_committed(chapter, module):
    manifest = committed(chapter.tests / "exercises.toml", chapter.root)
    if manifest is None:
        return None
    then = parse_chapter(manifest, chapter.tests.name, chapter.root)
    sources = {name: committed(path, chapter.root) for name, path in then.files.items()}
    if module not in (*sources, PACKAGE) or None in sources.values():
        return None
    code = with_package(then, blank(sources, then.exercises))
    return code[module].encode("utf-8") if module in code else None


def _write_blanks(chapter):
    """Derive the files of a chapter: (module, what was done with it)."""
    advice = f" ({command(f'reset-chapter{chapter.number}')} replaces it, and keeps a copy)"
    for module, text in derive(chapter).items():
        path = path_of(chapter.exercise_file, module)
        earlier = partial(_derive_committed, chapter, module)
        done = write_derived(path, text.encode("utf-8"), earlier, chapter.root)
        yield module, done + advice if done.startswith("yours") else done


def _key(path, root):
    return path.relative_to(root).as_posix()


def _hash(content):
    return hashlib.sha256(content).hexdigest()
