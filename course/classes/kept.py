"""What was graded is kept, a file each: a second run grades only what is new or has changed."""

import hashlib
import json
import re
import unicodedata
from collections import Counter
from urllib.parse import quote

from course.classes.written import Written, write_whole
from course.grading.run import inherited, suites_of
from course.grading.stage import library_around, originals

LONGEST = 200  # bytes of a file's name, without what comes after the dot
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # on Windows


def judge_of(chapter):
    """A hash that changes with the tests, and with all that judges."""
    total = hashlib.sha256(str(chapter.number).encode())
    suites = suites_of(chapter, inherited(chapter))
    for path in [*originals(suites), *library_around(chapter)]:
        total.update(path.read_bytes())
    return total.hexdigest()


class Kept:
    """The results in OUT/records, and in OUT/feedback what each student may read."""

    def __init__(self, out, chapter, handed_in):
        self.records = out / "records"
        for folder in (self.records, out / "feedback"):
            folder.mkdir(parents=True, exist_ok=True)
        self.written = Written(out)
        self.judge = judge_of(chapter)
        self.files = _file_names([one.name for one in handed_in])
        self.results = {}  # those that were looked up or kept, by the submission's name
        self.problems = {}  # and why the others were not graded in this run

    def of(self, one):
        """What keep() kept of it; None where there is nothing, or only of another version."""
        if one.name not in self.results:
            self.results[one.name] = self._read(one)
        return self.results[one.name]

    def _read(self, one):
        try:
            result = json.loads(self._path(one).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return result if result["key"] == self._key(one) else None

    def keep(self, one, result):
        """Keep a result of grade_one: it is there whole, or not at all."""
        self.results[one.name] = None if result["problem"] else result
        if result["problem"]:  # not graded: the next run tries again
            self.problems[one.name] = result["problem"]
            self._path(one).unlink(missing_ok=True)
            self._tell(one, f"not graded: {result['problem']}\n")
            return
        self._tell(one, result["text"])
        record = json.dumps(result | {"key": self._key(one)}, ensure_ascii=False)
        write_whole(self._path(one), _encoded(record))

    def _tell(self, one, text):
        self.written.write(f"feedback/{self.files[one.name]}.txt", _encoded(text))

    def _path(self, one):
        return self.records / f"{self.files[one.name]}.json"

    def _key(self, one):
        total = hashlib.sha256(self.judge.encode())
        for path, data in sorted(one.files.items()):
            total.update(f"{path}\0{len(data)}\0".encode() + data)
        return total.hexdigest()


def _file_names(names):
    """{name: what a student's files are called}: readable, and each a file of its own anywhere."""
    safe = {name: _safe(name) for name in names}
    counts = Counter(map(_folded, safe.values()))
    return {
        name: file if counts[_folded(file)] == 1 and _is_fine(file) else _with_hash(file, name)
        for name, file in safe.items()
    }


def _safe(name):
    return "".join(
        c if c.isalnum() or c in " @+,.-_()" else quote(c, safe="", errors="surrogateescape")
        for c in name
    )


def _folded(file):
    """What two names have in common that are one file on Windows or macOS."""
    return unicodedata.normalize("NFC", file).casefold()


def _is_fine(file):
    return len(file.encode("utf-8")) <= LONGEST and not RESERVED.fullmatch(file)


def _with_hash(file, name):
    start = file.encode("utf-8")[: LONGEST - 9].decode("utf-8", "ignore")
    return f"{start}-{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:8]}"


def _encoded(text):
    return text.encode("utf-8", "backslashreplace")
