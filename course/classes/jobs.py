"""One submission, graded in a process of its own, here or on another machine."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from course.classes.sandbox import inside
from course.classes.submissions import lay_down
from course.grading.limits import stretch
from course.grading.reaper import end
from course.paths import ROOT

PATIENCE = 120.0  # seconds; the grading itself ends after a minute, whatever the file does
RUNNING = set()  # what end_all ends


def grade_one(number, files, graded, sandbox=False):
    """Grade {path: bytes} for a chapter: {"record", "text", "problem"}, plain data that travels."""
    with tempfile.TemporaryDirectory(prefix="handed-in-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        try:
            lay_down(files, folder / "desk")
        except OSError as error:
            return {"record": None, "text": "", "problem": f"grading failed: {error}"}
        command = [sys.executable, "-m", "course", f"test-chapter{number}"]
        command += ["--file", str(folder / "desk" / graded), "--json", str(folder / "marks.json")]
        text, late = _run(inside(command, folder) if sandbox else command)
        desk = f"{folder / 'desk'}{os.sep}"
        text = text.replace(desk, "")
        try:
            record = _read(folder / "marks.json", desk)
        except (OSError, ValueError):
            last = (text.strip().splitlines() or ["nothing was said"])[-1]
            return {"record": None, "text": text, "problem": late or f"grading failed: {last}"}
    return {"record": record | {"file": graded}, "text": text, "problem": ""}


def end_all():
    """End the gradings that still run; what they started ends with them."""
    for process in list(RUNNING):
        with contextlib.suppress(OSError):
            end(process)


def _read(path, desk):
    """The record in a file; no word of where it was graded."""
    text = path.read_text(encoding="utf-8")
    return json.loads(text.replace(json.dumps(desk, ensure_ascii=False)[1:-1], ""))


def _run(command):
    """(what it printed, what went wrong if it did not end in time)"""
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", "COLUMNS": "80"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=sys.platform != "win32",
    )
    RUNNING.add(process)
    limit = PATIENCE * stretch()
    try:
        printed, _ = process.communicate(timeout=limit)
        return printed.decode("utf-8", "replace"), ""
    except subprocess.TimeoutExpired:
        end(process)
        return "", f"grading did not end within {limit:.0f} seconds"
    finally:
        RUNNING.discard(process)
