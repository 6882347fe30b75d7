"""A process that grades, and the records that come from it."""

import json
import os
import queue
import re
import subprocess
import sys
import threading
from pathlib import Path

from course.grading import reaper
from course.paths import ROOT

RECORD = 1_000_000  # bytes; a longer line is not a record of ours
CRASHES = ("Segmentation fault", "Bus error", "access violation")  # as faulthandler says it
CUT_OFF = "\n  ...\n"  # it had more than a hundred calls to write down
KEPT = {"PATH", "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "MPLCONFIGDIR"}
KEPT |= {"SYSTEMROOT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "NUMBER_OF_PROCESSORS"}  # Windows


class Worker:
    """A worker on a stage of its own, out of a nest if there is one, which has the suites already.

    Only lines with the request's secret are records.
    """

    def __init__(self, stage, suites, request, nest=None):
        self.stage, self.secret = stage, request["secret"]
        self.errors = stage.desk.with_name("errors.txt")
        self.records = queue.Queue()
        with open(self.errors, "wb") as errors:
            self.process = nest.start(stage.desk, errors) if nest else _start(stage, errors)
        self.end = nest.end if nest else reaper.end
        for line in [request] if nest else [[str(stage.suite(s)) for s in suites], request]:
            self.process.stdin.write(json.dumps(line).encode() + b"\n")
        self.process.stdin.close()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def next_record(self, seconds):
        """The next record; {"event": "late"} where none comes in time."""
        try:
            return self.records.get(timeout=max(seconds, 0))
        except queue.Empty:
            return {"event": "late"}

    def stop(self):
        """End it and all that it started."""
        self.end(self.process)
        self.reader.join(1)
        self.process.stdout.close()

    def complaint(self):
        """The last line that the worker wrote to standard error."""
        text = self.errors.read_text(encoding="utf-8", errors="replace")
        return (text.strip().splitlines() or ["no reason was given"])[-1]

    def how_it_died(self):
        """What ended Python, as far as that can be seen."""
        dump = self._dump()
        if any(words in dump for words in CRASHES) and CUT_OFF not in dump:
            return (
                "it reached for memory that isn't its own, as as_strided lets it with wrong steps"
            )
        return "os._exit(), or recursion without end?"

    def place(self):
        """Where the graded file was."""
        for inner, line, function in self.frames():
            return f"{inner}, line {line}" + ("" if function[0] == "<" else f", in {function}")
        return ""

    def frames(self):
        """(file, line, function) of each call that the graded file was in, the innermost first."""
        file = self.stage.file
        name = str(file).encode("ascii", "backslashreplace").decode()
        found = re.findall(rf'File "{re.escape(name)}([^"]*)", line (\d+) in (\S+)', self._dump())
        return [
            (inner.replace("\\", "/").strip("/") or file.name, int(line), function)
            for inner, line, function in found
        ]

    def _dump(self):
        """What faulthandler wrote of all threads, at a crash or shortly before the time is over."""
        path = self.stage.desk.with_name("places.txt")
        return path.read_text(encoding="ascii", errors="replace") if path.is_file() else ""

    def _read(self):
        for line in iter(lambda: self.process.stdout.readline(RECORD), b""):
            record = parse(line)
            if record is not None and record.get("secret") == self.secret:
                self.records.put(record)
        self.records.put({"event": "died"})


def parse(line):
    """The record in a line, or None."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _start(stage, errors):
    return reaper.start(
        [sys.executable, "-P", "-B", "-m", "course.grading.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        cwd=stage.desk,
        env=environment(stage.judge),
    )


def environment(judge):
    """What Python and matplotlib need, one thread for BLAS; no word of where the course is."""
    settings = {name: value for name, value in os.environ.items() if name in KEPT}
    given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    elsewhere = [path for path in given if path and not _is_ours(path)]
    return settings | {
        "PYTHONPATH": os.pathsep.join([str(judge), *elsewhere]),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONIOENCODING": "utf-8",
        "OPENBLAS_NUM_THREADS": "1",
        "TMPDIR": ".",  # the desk
    }


def _is_ours(path):
    return Path(path).absolute().is_relative_to(ROOT) or (Path(path) / "course").is_dir()
