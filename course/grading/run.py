"""The supervisor: grades a file that may loop, crash, exit or lie."""

import json
import os
import queue
import re
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path

from course.grading.results import (
    ERROR,
    NOT_STARTED,
    ChapterResult,
    ExerciseResult,
    TestResult,
    exercise_result,
    follow_ons,
)
from course.manifest import find_exercise
from course.output import command
from course.paths import ROOT
from course.source import definitions

IMPORT_LIMIT = 10.0  # seconds
TEST_LIMIT = 5.0
SHORT_LIMIT = 2.0  # a test's time once another test of the file did not end
DRAW_LIMIT = 30.0  # for matplotlib's first start on a machine
START_LIMIT = 60.0  # for Python, NumPy and pytest to start
EARLY = 0.3  # before the end of its time, where a file is gets written down; that may crash it
SLACK = 0.2  # the worker's clock started a little before ours
RECORD = 1_000_000  # bytes; a longer line is not a record of ours


class GraderError(Exception):
    """The tests themselves are at fault, not the graded file."""


def grade(chapter, file=None, only=None, pictures=False, details=False):
    """Run a chapter's tests on a file (the student's by default) and give the marks.

    `only` is an exercise's id, or several; with `pictures`, a wrong gradient comes with its
    graph; with `details`, each failed test with pytest's own report. Never raises because of
    what the file does.
    """
    file = Path(file or chapter.exercise_file).absolute()
    ids = [only] if isinstance(only, str) else only
    exercises = [e for e in chapter.exercises if ids is None or e.id in ids]
    text, note = read_graded(file)
    if file == chapter.exercise_file.absolute() and not file.exists():
        note += f"; {command(f'reset-chapter{chapter.number}')} brings it back"
    if note:
        return _nothing(chapter, file, exercises, note, {})
    blanks = {e.id: _blanks(text, e) for e in exercises}
    run = Run(chapter, file, {e.id for e in exercises}, {"pictures": pictures, "details": details})
    run.to_the_end()
    if run.note:
        return _nothing(chapter, file, exercises, run.note, blanks)
    results = [exercise_result(e, run.tests_of(e.id), blanks[e.id]) for e in exercises]
    return ChapterResult(chapter, file, tuple(follow_ons(results)))


def inherited(chapter, wanted=None):
    """What other chapters' tests judge this one's exercises, too, or the wanted: a list of dicts.

    Left out are the tests of which a manifest says that they do not hold here any more.
    """
    parts = []
    for heir in chapter.exercises:
        for id in heir.inherits if wanted is None or heir.id in wanted else ():
            earlier, _ = find_exercise(id, chapter.root)
            past = [e.test for e in earlier.exceptions if e.test and e.covers(chapter.number)]
            past += [test for test, _ in heir.leaves_out]
            tests = str(earlier.tests)
            parts.append({"tests": tests, "exercise": id, "heir": heir.id, "left_out": past})
    return parts


def read_graded(file):
    """The text of the file, and in one line why it cannot be graded, if so."""
    if file.is_dir():
        return None, ""
    if not file.is_file():
        return None, f"{file.name} is missing: there is no {file}"
    data = file.read_bytes()
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:1000]:
        return None, f"{file.name} is not saved as UTF-8 (it looks like UTF-16): save it as UTF-8"
    try:
        compile(data, str(file), "exec", dont_inherit=True)
        return data.decode("utf-8-sig"), ""
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return None, f"{file.name} is not saved as UTF-8: {error.reason}, line {line}"
    except SyntaxError as error:
        place = f" ({file.name}, line {error.lineno})" if error.lineno else f" ({file.name})"
        return None, f"{type(error).__name__}: {error.msg}{place}"
    except (ValueError, RecursionError, MemoryError) as error:
        return None, f"{file.name} cannot be compiled: {error}"


class Run:
    """The graded tests of one file: which have been run, with what result."""

    def __init__(self, chapter, file, wanted, options):
        self.chapter, self.file, self.wanted, self.options = chapter, file, wanted, options
        self.known = {}  # every test of these exercises: id -> TestResult, not passed to begin with
        self.pending = None  # test ids that have not been run; None: not known yet
        self.limit = TEST_LIMIT
        self.note = ""

    def to_the_end(self):
        """Start workers until each test has been run or has been the end of a worker."""
        folders = [self.chapter.tests, *{Path(part["tests"]) for part in inherited(self.chapter)}]
        before = [_fingerprint(folder) for folder in folders]
        while self.pending is None or (self.pending and not self.note):
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
                worker = Worker(self._request(Path(scratch)))
                try:
                    self._listen(worker)
                finally:
                    worker.stop()
        if [_fingerprint(folder) for folder in folders] != before:
            self.note = f"no marks: the tests in {self.chapter.tests.name} were changed meanwhile"

    def tests_of(self, exercise_id):
        return [test for test in self.known.values() if test.exercise == exercise_id]

    def _request(self, scratch):
        return self.options | {
            "secret": secrets.token_hex(16),
            "tests": str(self.chapter.tests),
            "inherited": inherited(self.chapter, self.wanted),
            "file": str(self.file),
            "wanted": self.pending,
            "exercises": sorted(self.wanted),
            "scratch": str(scratch),
            "places": str(scratch / "places.txt"),
            "early": EARLY,
            "import_limit": IMPORT_LIMIT,
            "test_limit": self.limit,
        }

    def _listen(self, worker):
        """Take a worker's records until it is through, dead, or too late."""
        test, limit, canary_failed = None, START_LIMIT, False
        while True:
            since = time.monotonic()
            record = worker.next_record(limit)
            event = record["event"]
            if event in ("late", "died"):
                late = event == "late" or time.monotonic() - since > limit - EARLY - SLACK
                return self._charge(worker, test, "late" if late else "died")
            if event == "broken":
                raise GraderError(record["message"])
            if event == "collected":
                self._know(record["tests"])
            elif event == "start":
                test = record["test"]
                limit = IMPORT_LIMIT if test == "import" else self.limit
            elif event == "drawing":
                self._take(record)
                limit = DRAW_LIMIT
            elif event == "end":
                canary_failed |= self._take(record)
                test, limit = None, self.limit
            elif event == "finished":
                if not canary_failed and not self.note:
                    self.note = "no marks: the graded file made a test pass that cannot pass"
                self.pending = []
            if event == "finished" or self.note:
                return None

    def _know(self, tests):
        if self.pending is None:
            self.known = {id: TestResult(id, e, p) for id, e, p in tests if e in self.wanted}
            self.pending = list(self.known)

    def _take(self, record):
        """Keep what came of a test; True where it was the grader's own, which failed as it must."""
        test = record["test"]
        if record.get("broken"):
            self.note = f"no marks: the graded file changed {record['broken']}"
        elif test == "import":
            self.note = record.get("message", "")
        elif test in self.known:
            self._keep(test, **{key: record[key] for key in KEPT if key in record})
        return test.endswith("::canary") and not record["passed"]

    def _keep(self, test, **result):
        self.known[test] = replace(self.known[test], **result)
        if test in self.pending:
            self.pending.remove(test)

    def _charge(self, worker, test, event):
        """A worker did not come to its end: say so at the test that it was at."""
        if self.pending is None:
            raise GraderError(f"the tests could not be started: {worker.complaint()}")
        test = test or (self.pending[0] if self.pending else "canary")
        limit = IMPORT_LIMIT if test == "import" else self.limit
        says = f"did not end within {limit:g} seconds: an endless loop?"
        says = says if event == "late" else "ended Python: os._exit(), or recursion without end?"
        place = worker.place(self.file)
        place = f" ({place})" if place else ""
        if test in self.pending:
            drawn = self.known[test].message  # it was the drawing that took too long
            self._keep(test, message=drawn or f"it {says}{place}")
        else:
            name = "the import of the file" if test == "import" else "a thread of the file"
            self.note = f"{name} {says}{place}"
        if event == "late":
            self.limit = SHORT_LIMIT


class Worker:
    """A process that grades, and the records that come from it."""

    def __init__(self, request):
        self.secret, self.scratch = request["secret"], Path(request["scratch"])
        self.records = queue.Queue()
        with open(self.scratch / "errors.txt", "wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "course.grading.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=_environment(),
            )
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.close()
        threading.Thread(target=self._read, daemon=True).start()

    def next_record(self, seconds):
        """The next record; {"event": "late"} where none comes in time."""
        try:
            return self.records.get(timeout=seconds)
        except queue.Empty:
            return {"event": "late"}

    def stop(self):
        self.process.kill()
        self.process.wait()

    def complaint(self):
        """The last line that the worker wrote to standard error."""
        text = (self.scratch / "errors.txt").read_text(encoding="utf-8", errors="replace")
        return (text.strip().splitlines() or ["no reason was given"])[-1]

    def place(self, file):
        """Where the graded file was, from the dump that faulthandler made of all threads."""
        path = self.scratch / "places.txt"
        dump = path.read_text(encoding="ascii", errors="replace") if path.is_file() else ""
        name = str(file).encode("ascii", "backslashreplace").decode()
        frames = re.findall(rf'File "{re.escape(name)}[^"]*", line (\d+) in (\S+)', dump)
        if not frames:
            return ""
        line, function = frames[0]
        return f"{file.name}, line {line}" + ("" if function[0] == "<" else f", in {function}")

    def _read(self):
        for line in iter(lambda: self.process.stdout.readline(RECORD), b""):
            record = _parse(line)
            if record is not None and record.get("secret") == self.secret:
                self.records.put(record)
        self.records.put({"event": "died"})


KEPT = ("passed", "message", "blank", "has_slip", "ran", "details", "picture")


def _parse(line):
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) else None


def _environment():
    """One thread for BLAS, and no plugins of pytest but ours."""
    settings = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    python_path = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return settings | {
        "PYTHONPATH": os.pathsep.join(python_path),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONIOENCODING": "utf-8",
        "OPENBLAS_NUM_THREADS": "1",
    }


def _fingerprint(folder):
    """The contents of all tests."""
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.py"))}


def _blanks(text, exercise):
    """The names of an exercise that are blank, and those that the text does not define."""
    if text is None:  # a package: what is blank shows when it runs
        return [], []
    found = definitions(text)
    missing = [name for name in exercise.names if name not in found]
    return [name for name in exercise.names if name in found and found[name].is_blank], missing


def _nothing(chapter, file, exercises, note, blanks):
    """No marks at all, for the reason in `note`."""
    results = []
    for e in exercises:
        status = NOT_STARTED if len(blanks.get(e.id, [[]])[0]) == len(e.names) else ERROR
        results.append(ExerciseResult(e.id, e.title, 0, e.points, status))
    return ChapterResult(chapter, file, tuple(results), note)
