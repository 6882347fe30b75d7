"""What was handed in, read before any of it runs: its text, or in one line why there is none."""

import codecs
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from course.source import definitions

LARGEST = 500_000  # bytes; a chapter's solution has some 30,000
MARKS_OF_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
NO_TEXTS = {b"PK\3\4": "a zip or an office document", b"%PDF": "a PDF"}  # by how they begin


@dataclass(frozen=True)
class Submission:
    """What was handed in as `path`, a file or a folder.

    `code` is {module: text}, None where a package is graded in Part I; `beside` are the files that
    the code imports, {place: file}; `note` says in one line why it cannot be graded, if so;
    `is_missing` says that nothing of the chapter lies there.
    """

    path: Path
    code: dict | None
    beside: dict = field(default_factory=dict)
    note: str = ""
    is_missing: bool = False


def read_submission(chapter, path):
    """The Submission that lies at a path. Nothing of it runs."""
    if chapter.is_package:
        from course.grading.package import read_package  # it reads its files with what is below

        return read_package(chapter, path)
    if (path / "__init__.py").is_file():
        return Submission(path, None)
    text, note = read_file(path, path.name)
    other = "" if note else _other_chapters(text, chapter)
    beside = {} if note or other else helpers([text], path.parent)
    is_missing = bool(other) or not path.is_file()
    return Submission(path, {"": text}, beside, note or other, is_missing)


def read_file(path, name):
    """The text of a file, and in one line why it cannot be graded, if so."""
    if path.is_dir():
        return None, f"{name} is a folder, and should be a file: move it away"
    if not path.is_file():
        return None, f"{name} is missing: there is no {path}"
    if path.stat().st_size > LARGEST:
        size = f"{path.stat().st_size:,} bytes"
        return None, f"{name} has {size}; a file of more than {LARGEST:,} is not graded"
    text, note = _decoded(path.read_bytes(), name)
    return text, note or _why_not_compiled(text, name)


def _other_chapters(text, chapter):
    """In one line that this is another chapter's file, if so: it says so, and defines nothing of
    what this chapter asks for.
    """
    said = re.match(r'\s*"""tinytorch, chapter (\d+)', text)
    names = [name for exercise in chapter.exercises for name in exercise.names]
    if not said or int(said[1]) == chapter.number or any(n in definitions(text) for n in names):
        return ""
    return f"this is chapter {said[1]}'s file, where chapter {chapter.number}'s should be"


def helpers(texts, folder):
    """{name: file} of those in a folder that the texts import, and that these import."""
    found, todo = {}, list(texts)
    while todo:
        for name in re.findall(r"^\s*(?:from|import)\s+(\w+)", todo.pop(), re.M):
            path = Path(folder) / f"{name}.py"
            if path.name not in found and name not in ("tinytorch", "course") and path.is_file():
                found[path.name] = path
                text, note = read_file(path, path.name)
                todo += [] if note else [text]
    return found


def _decoded(data, name):
    if _looks_like_utf_16(data):
        return None, f"{name} is not saved as UTF-8 (it looks like UTF-16): save it as UTF-8"
    kind = next((kind for start, kind in NO_TEXTS.items() if data.startswith(start)), "")
    if kind:
        return None, f"{name} is {kind} by another name: save your code as plain text, in UTF-8"
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if b"\0" in data:
            return None, f"{name} is no text at all: save your code as plain text, in UTF-8"
        line = data[: error.start].count(b"\n") + 1
        return None, f"{name} is not saved as UTF-8: {error.reason}, line {line}"
    declared = re.match(rb"(?:[ \t\f]*(?:#.*)?\r?\n)?[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", data)
    if declared and not _is_utf_8(declared[1].decode("ascii", "replace")):
        said = declared[1].decode("ascii", "replace")
        return None, f"{name} says that its encoding is {said}: save it as UTF-8, without that line"
    return text, ""


def _looks_like_utf_16(data):
    """Has it the mark of it, or is nearly each second byte a zero?"""
    zeros = sorted(data[start:1000:2].count(0) for start in (0, 1))
    return data.startswith(MARKS_OF_UTF_16) or 3 * zeros[1] > len(data[:1000]) > 10 * zeros[0]


def _is_utf_8(name):
    try:
        return codecs.lookup(name).name in ("utf-8", "utf-8-sig", "ascii")
    except (LookupError, ValueError):
        return False


@lru_cache(64)  # of a package, most modules are as they were
def _why_not_compiled(text, name):
    try:
        compile(text, name, "exec", dont_inherit=True)
    except SyntaxError as error:
        place = f" ({name}, line {error.lineno})" if error.lineno else f" ({name})"
        return f"{type(error).__name__}: {error.msg}{place}"
    except (ValueError, RecursionError, MemoryError) as error:
        return f"{name} cannot be compiled: {type(error).__name__} {error}".rstrip()
    return ""
