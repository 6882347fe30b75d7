"""What was handed in, read before any of it runs: its text, or in one line why there is none."""

import codecs
import re
from pathlib import Path

LARGEST = 500_000  # bytes; a chapter's solution has some 30,000
MARKS_OF_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def read_graded(file):
    """The text of the file (None for a package), and in one line why it cannot be graded, if so."""
    if file.is_dir():
        return None, ""
    if not file.is_file():
        return None, f"{file.name} is missing: there is no {file}"
    if file.stat().st_size > LARGEST:
        size = f"{file.stat().st_size:,} bytes"
        return None, f"{file.name} has {size}; a file of more than {LARGEST:,} is not graded"
    data = file.read_bytes()
    text, note = _decoded(data, file.name)
    return (text, note) if note else (text, _why_not_compiled(text, file.name))


def helpers(text, folder):
    """The files beside a graded one that it imports, and those that these import."""
    found, todo = {}, [text]
    while todo:
        for name in re.findall(r"^\s*(?:from|import)\s+(\w+)", todo.pop(), re.M):
            path = Path(folder) / f"{name}.py"
            if path not in found and name not in ("tinytorch", "course") and path.is_file():
                found[path], note = read_graded(path)
                todo += [] if note else [found[path]]
    return list(found)


def _decoded(data, name):
    if data.startswith(MARKS_OF_UTF_16) or b"\0" in data[:1000]:
        return None, f"{name} is not saved as UTF-8 (it looks like UTF-16): save it as UTF-8"
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return None, f"{name} is not saved as UTF-8: {error.reason}, line {line}"
    declared = re.match(rb"(?:[ \t\f]*(?:#.*)?\r?\n)?[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", data)
    if declared and not _is_utf_8(declared[1].decode("ascii", "replace")):
        said = declared[1].decode("ascii", "replace")
        return None, f"{name} says that its encoding is {said}: save it as UTF-8, without that line"
    return text, ""


def _is_utf_8(name):
    try:
        return codecs.lookup(name).name in ("utf-8", "utf-8-sig", "ascii")
    except (LookupError, ValueError):
        return False


def _why_not_compiled(text, name):
    try:
        compile(text, name, "exec", dont_inherit=True)
    except SyntaxError as error:
        place = f" ({name}, line {error.lineno})" if error.lineno else f" ({name})"
        return f"{type(error).__name__}: {error.msg}{place}"
    except (ValueError, RecursionError, MemoryError) as error:
        return f"{name} cannot be compiled: {type(error).__name__} {error}".rstrip()
    return ""
