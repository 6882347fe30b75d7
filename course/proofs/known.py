"""What was graded before, told by its contents: build/graded.sqlite, which can be deleted any time.

A result is taken from there only where all is as it was: the code, the tests, the library, all of
course, Python and its packages. So a run after an edit takes as long as what the edit concerns.
Where CI is set, as continuous integration does, nothing is taken from there, nor kept.
"""

import hashlib
import os
import pickle
import sqlite3
import sys
import time
from dataclasses import replace
from importlib import metadata
from pathlib import Path

from course.grading.run import CHANGED, ENDLESS, inherited, suites_of
from course.paths import ROOT

DAYS = 14 * 24 * 3600.0  # seconds; what nobody has asked for so long is thrown away
PACKAGES = ("numpy", "pytest")


class Known:
    """Results by what they were graded from; a context manager."""

    def __init__(self, root, until_failed):
        self.root, self.how = root, [until_failed, sys.version, *map(metadata.version, PACKAGES)]
        self.course = _contents(ROOT / "course")
        self.chapters = {}  # {number: what judges it, and the library if it stands on that}

    def __enter__(self):
        path = self.root / "build" / "graded.sqlite"
        if os.environ.get("CI"):
            path = ":memory:"
        else:
            path.parent.mkdir(exist_ok=True)
        self.table = sqlite3.connect(path)
        self.table.execute("create table if not exists graded (key primary key, result, used)")
        return self

    def __exit__(self, *_):
        self.table.execute("delete from graded where used < ?", [time.time() - DAYS])
        self.table.commit()
        self.table.close()

    def get(self, chapter, code, only):
        """The result of these tests on this code, or None."""
        key = self._key(chapter, code, only)
        row = self.table.execute("select result from graded where key = ?", [key]).fetchone()
        if row is None:
            return None
        self.table.execute("update graded set used = ? where key = ?", [time.time(), key])
        return replace(pickle.loads(row[0]), chapter=chapter)

    def keep(self, job, result):
        """Remember a result, unless a busy machine or an edit may be behind it; the result."""
        messages = [result.note, *(test.message for e in result.exercises for test in e.tests)]
        passing = (ENDLESS, "not run: ", CHANGED)
        if not any(words in message for words in passing for message in messages):
            row = [self._key(*job), pickle.dumps(replace(result, chapter=None)), time.time()]
            self.table.execute("insert or replace into graded values (?, ?, ?)", row)
            self.table.commit()  # what is known stays known if the rest is interrupted
        return result

    def _key(self, chapter, code, only):
        if chapter.number not in self.chapters:
            folders = [*map(Path, suites_of(chapter, inherited(chapter)))]
            folders += [chapter.library] if chapter.is_package else []
            self.chapters[chapter.number] = _hash([self.how, self.course, *map(_contents, folders)])
        texts = _contents(code) if isinstance(code, Path) else sorted(code.items())
        return _hash([self.chapters[chapter.number], chapter.number, only, texts])


def _hash(what):
    return hashlib.sha256(repr(what).encode()).hexdigest()


def _contents(path):
    """[(name, hash)] of a file, or of the files in a folder that make a difference."""
    found = [path] if path.is_file() else sorted(path.rglob("*"))
    files = [p for p in found if p.is_file() and "__pycache__" not in p.parts]
    return [(str(p.relative_to(path)), hashlib.sha256(p.read_bytes()).digest()) for p in files]
