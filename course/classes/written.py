"""What grading writes into OUT; a file that a teacher changed there since is kept before that."""

import hashlib
import os

from course.student import copy_to


class Written:
    """Writes files into a folder, and remembers their digests in records/written.txt.

    One that is neither as it was written last nor as it will be now is copied to kept/ first.
    """

    def __init__(self, out):
        self.out, self.kept = out, out / "kept"
        self.list = out / "records" / "written.txt"
        self.digests = _read(self.list)
        self.changed = []  # the names of those that were changed by hand

    def write(self, name, data, is_kept_before=False):
        """Write these bytes: the file is there whole, or as it was before."""
        path, digest = self.out / name, _digest(data)
        before = _digest(path.read_bytes()) if path.is_file() else digest
        is_changed = before != digest and not self._wrote(name, before)
        if is_changed or is_kept_before:
            copy_to(self.kept, path, os.path.splitext(name)[0].replace("/", "_"))
        self.changed += [name] * is_changed
        write_whole(path, data)
        if self.digests.get(name) != digest:
            self.digests[name] = digest
            with self.list.open("a", encoding="utf-8", newline="\n") as file:
                file.write(f"{digest}  {name}\n")

    def _wrote(self, name, digest):
        if self.digests.get(name) != digest:
            self.digests = _read(self.list)  # another grading may have written it meanwhile
        return self.digests.get(name) == digest


def write_whole(path, data):
    """Write these bytes to a file: it is there whole, or as it was before."""
    part = path.with_suffix(".part")
    part.write_bytes(data)
    os.replace(part, path)


def _read(path):
    """{name: the digest of what was written last}"""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def _digest(data):
    return hashlib.sha256(data).hexdigest()
