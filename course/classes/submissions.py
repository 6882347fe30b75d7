"""What was handed in: a file each, a folder each, or zips, as learning platforms give them."""

import io
import os
import re
import unicodedata
import zipfile
import zlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from course.manifest import UsageError
from course.modules import file_name

MOST = 5_000_000  # bytes of Python in one submission
ENDING = r"\.(py|zip|ipynb|pdf|txt|md|docx?|odt|rtf|html|rar|7z|gz|tgz|tar)$"
NO_ZIP = (zipfile.BadZipFile, zlib.error, EOFError)  # what a damaged one may lead to
JUNK = re.compile(r"(^|/)(\.|__MACOSX|__pycache__)")  # hidden files, and what systems leave behind


@dataclass(frozen=True)
class HandedIn:
    """One student's: the files {path: bytes}, and which of them is graded.

    `problem` says in one line why nothing can be graded, if so.
    """

    name: str
    files: dict = field(default_factory=dict, repr=False)
    graded: str = ""
    problem: str = ""


class Unreadable(Exception):
    """Why a submission cannot be read, in one line."""


def lay_down(files, folder):
    """Write {path: bytes} into a folder."""
    for path, data in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


def submission_in(folder, chapter):
    """What lies in one student's folder, as HandedIn."""
    return _submission(folder.name, folder.name, lambda: _read(folder), chapter)


def submissions_in(folder, chapter):
    """Yield what lies in a folder, or a zip of one, as HandedIn; UsageError where nothing does."""
    entries = _zipped(folder) if zipfile.is_zipfile(folder) else _on_disk(folder)
    names = [_name(path) for path, _ in entries]
    if not entries:
        raise UsageError(f"{folder} has no submissions: a .py file, a folder or a .zip each")
    counts = Counter(names)
    for (path, read), name in zip(entries, names, strict=True):
        yield _submission(name if counts[name] == 1 else path, path, read, chapter)


def _on_disk(folder):
    """[(name, function that reads its files)] of all that lies in a folder."""
    if not folder.is_dir():
        file = f"{folder} is neither a folder nor a zip"
        raise UsageError(file if folder.exists() else f"there is no folder {folder}")
    paths = sorted(path for path in folder.iterdir() if not JUNK.search(path.name))
    return [(path.name, lambda path=path: _read(path)) for path in paths]


def _zipped(path):
    """The same of a zip that holds a whole class."""
    files = _unpacked(path.read_bytes(), path.name, is_class=True)
    tops = _tops(files)
    if len(tops) == 1 and tops[0] not in files:  # one folder around all of them
        files = _below(files, tops[0])
    parts = {}
    for name in sorted(files):  # each file is looked at once: a class may be large
        top, _, rest = name.partition("/")
        parts.setdefault(top, {})[rest or top] = files[name]
    return [(top, lambda part=part: _expanded(part)) for top, part in parts.items()]


def _tops(files):
    return sorted({PurePosixPath(name).parts[0] for name in files})


def _below(files, top):
    """The files in a folder, by their paths from there; of a file itself just that."""
    if top in files:
        return {top: files[top]}
    return {name[len(top) + 1 :]: files[name] for name in files if name.startswith(f"{top}/")}


def _read(path):
    """{name: bytes} of a file or a folder; a link that leads out of it is somebody else's work."""
    try:
        if path.is_file():
            return _expanded({path.name: path.read_bytes()})
        found = {file.relative_to(path).as_posix(): file for file in sorted(_files(path))}
        wanted = {name: file for name, file in found.items() if _counts(name) and file.is_file()}
        top = path.resolve()
        inside = {n: file for n, file in wanted.items() if file.resolve().is_relative_to(top)}
        return _expanded({name: file.read_bytes() for name, file in inside.items()})
    except OSError as error:
        raise Unreadable(f"{path.name} cannot be read: {error.strerror}") from None


def _files(folder):
    """All files below a folder; OSError where a folder among them cannot be listed."""

    def stop(error):
        raise error

    for place, _, names in os.walk(folder, onerror=stop):
        yield from (Path(place, name) for name in names)


def _expanded(files):
    """The files, with those of the zips among them in their place."""
    result = {}
    for name, data in files.items():
        is_zip = name.endswith(".zip")
        result |= _unpacked(data, name) if is_zip else {name: data}
    code = {name: data for name, data in result.items() if name.endswith(".py")}
    if not code:
        _require_no_way_out(files)
    return code


def _require_no_way_out(files):
    """Unreadable where a zip among the files has code, but at a place outside of the zip."""
    for name in (name for name in files if name.endswith(".zip")):
        with zipfile.ZipFile(io.BytesIO(files[name])) as archive:
            paths = [path for path in map(_path, archive.namelist()) if path.endswith(".py")]
        out = next((path for path in paths if ".." in path.split("/")), None)
        if out:
            raise Unreadable(f"{name} has no code but {out}, which leads out of it")


def _unpacked(data, name, is_class=False):
    """{path: bytes} of what may be graded in a zip; of a class also, empty, what may not."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {_path(m.filename): m for m in archive.infolist() if not m.is_dir()}
            wanted = {path: m for path, m in members.items() if _counts(path)}
            if sum(member.file_size for member in wanted.values()) > 100 * MOST:
                raise Unreadable(f"{name} unpacks to more than {100 * MOST:,} bytes")
            others = {path: b"" for path in members if is_class and not JUNK.search(path)}
            return others | {path: archive.read(member) for path, member in wanted.items()}
    except (*NO_ZIP, OSError, RuntimeError, ValueError) as error:
        raise Unreadable(f"{name} is no zip that can be read: {error}") from None


def _path(name):
    """The path of a file in a zip, from the zip's top and nowhere else, with / on each system."""
    return name.replace("\\", "/").replace(":", "_").lstrip("/")


def _counts(name):
    return name.endswith((".py", ".zip")) and not JUNK.search(name)  # .. is hidden, too


def _name(path):
    """What a submission is called, whatever came: alice for alice.py, and for alice.pdf too."""
    name = re.sub(ENDING, "", path, flags=re.IGNORECASE)
    return unicodedata.normalize("NFC", name)  # a Mac has its own way of writing ü


def _submission(name, path, read, chapter):
    try:
        files, graded = _graded(read(), chapter)
        if sum(map(len, files.values())) > MOST:
            raise Unreadable(f"it has more than {MOST:,} bytes of Python")
        return HandedIn(name, files, graded)
    except Unreadable as error:
        return HandedIn(name, problem=str(error))


def _graded(files, chapter):
    """(the files that are wanted, by paths from their folder; which of them is graded)"""
    if chapter.is_package and any(file_name(chapter, module) in files for module in chapter.files):
        files = {f"tinytorch/{name}": data for name, data in files.items()}  # what is in the folder
    places = _packages(files, chapter) if chapter.is_package else _modules(files)
    homes = (f"/chapters/{chapter.slug}/", f"/{chapter.slug}/")  # as in a whole repository
    own = ([place for place in places if home in f"/{place}"] for home in homes)
    chosen = next((found for found in own if len(found) == 1), places)
    wanted = "folder tinytorch/" if chapter.is_package else "tinytorch.py"
    if not chosen:
        others = f", only {', '.join(sorted(files)[:3])}" if files else ""
        raise Unreadable(f"there is no {wanted} in it{others}")
    if len(chosen) > 1:
        raise Unreadable(f"there is more than one {wanted} in it: {', '.join(chosen[:3])}")
    folder, _, graded = chosen[0].rpartition("/")
    inside = _below(files, folder) if folder else files
    if not chapter.is_package:  # and the modules beside it that it may import
        inside = {name: data for name, data in inside.items() if "/" not in name}
    return inside, graded


def _modules(files):
    """Where a tinytorch.py is; or else the one file that there is, whatever its name."""
    found = [name for name in files if PurePosixPath(name).name == "tinytorch.py"]
    return found or (list(files) if len(files) == 1 else [])


def _packages(files, chapter):
    """The folders in which a module of the chapter lies at its place; or the one that it has."""
    paths = [f"/{module.replace('.', '/')}.py" for module in chapter.files]
    found = {name[: -len(p)] for name in files for p in paths if f"/{name}".endswith(p)}
    found = {place.rstrip("/") for place in found if PurePosixPath(place).name == "tinytorch"}
    return sorted(found) or (list(files) if len(files) == len(chapter.files) == 1 else [])
