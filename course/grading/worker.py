"""The process in which the graded file runs: `python -m course.grading.worker`.

It reads one request, runs pytest, and writes records, one JSON object a line. They go through a
copy of the first standard output and carry a secret number from the request; whatever the graded
file prints goes elsewhere.
"""

import base64
import faulthandler
import io
import json
import os
import sys

import pytest

from course import testing
from course.grading import wording
from course.grading.graded import Graded
from course.grading.integrity import Seal
from course.grading.plugin import STATE, State

PRINTED = 5000  # characters of a test's output that are kept


def main():
    request = json.loads(sys.stdin.buffer.readline())
    send = open_channel(request.pop("secret"))
    os.chdir(request["scratch"])
    sys.dont_write_bytecode = True  # nothing is left beside the tests
    recorder = Recorder(send, request)
    options = ["--noconftest", "--import-mode=importlib", "--capture=no", "--override-ini=addopts="]
    options += ["-p", "course.grading.plugin", "-p", "no:cacheprovider", "-p", "no:faulthandler"]
    folders = dict.fromkeys([request["tests"], *(p["tests"] for p in request["inherited"])])
    options += ["--strict-markers", f"--rootdir={request['tests']}", *folders]
    options += [] if request["details"] else ["--tb=native"]
    pytest.main(options, plugins=[recorder])
    send(event="finished")
    os._exit(0)  # threads and exit handlers of the graded file have no say


def open_channel(secret):
    """The function that sends a record; standard input, output and error are cut off."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115

    def send(dumps=json.dumps, **record):
        channel.write(dumps({"secret": secret, **record}) + "\n")
        channel.flush()

    return send


class Recorder:
    """The pytest plugin that tells the supervisor what happens."""

    def __init__(self, send, request):
        self.send, self.request = send, request
        self.graded = Graded(request["file"])
        self.places = open(request["places"], "wb")  # noqa: SIM115
        self.outcome = {}

    def pytest_configure(self, config):
        config.stash[STATE] = State(self.graded, may_inherit=True)
        self.state = config.stash[STATE]
        self.state.heirs = {p["exercise"]: p["heir"] for p in self.request["inherited"]}
        testing.PICTURES = self.request["pictures"]
        faulthandler.enable(self.places)

    def pytest_collectreport(self, report):
        if report.failed:
            self.send(event="broken", message=report.longreprtext)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        tests = sorted(filter(None, map(self.place, items)), key=lambda test: test[3])
        tests = [test[:3] for test in tests]
        self.send(event="collected", tests=tests)
        canary = pytest.Function.from_parent(items[0].parent, name="canary", callobj=must_fail)
        wanted, exercises = self.request["wanted"], self.request["exercises"]
        chosen = {test[0] for test in tests if test[1] in exercises}
        chosen &= set(wanted or chosen)
        by_id = {self.id_of(item): item for item in items}
        items[:] = [by_id[test[0]] for test in tests if test[0] in chosen] + [canary]

    def id_of(self, item):
        """What a test is called: for one of an earlier chapter with its folder."""
        is_own = str(item.path.parent) == self.request["tests"]
        return item.nodeid if is_own else f"{item.path.parent.name}/{item.path.name}::{item.name}"

    def place(self, item):
        """(id, exercise, points, when) of a test: claims, then what is inherited, then contracts.

        What is inherited is worth nothing, but if it fails, so does the contract.
        """
        exercise, points = exercise_of(item)
        if str(item.path.parent) == self.request["tests"]:
            return self.id_of(item), exercise, points, 2 if item.path.name == "test_zoo.py" else 0
        for part in self.request["inherited"]:
            mine = (str(item.path.parent), exercise) == (part["tests"], part["exercise"])
            if mine and item.originalname not in part["left_out"]:
                when = 3 if item.path.name == "test_zoo.py" else 1
                return self.id_of(item), part["heir"], 0, when
        return None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        """Load the graded file before the first test; a file that fails here ends the run."""
        self.seal = Seal(*{item.module for item in session.items}, sys.modules[__name__])
        self.send(event="start", test="import")
        self.watch(self.request["import_limit"])
        error = self.load()
        faulthandler.cancel_dump_traceback_later()
        self.send(event="end", test="import", broken=self.seal.broken(), **error)
        return True if error else None

    def load(self):
        try:
            self.state.load()
        except BaseException as error:  # also sys.exit()
            return {"message": wording.line_about(error, self.graded)}
        return {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        self.send(event="start", test=self.id_of(item))
        self.outcome = {"passed": False, "message": "", "blank": None, "details": ""}
        self.watch(self.request["test_limit"])
        sys.stdout = sys.stderr = printed = Printed()
        result = yield
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
        faulthandler.cancel_dump_traceback_later()
        if self.request["details"]:
            self.outcome["details"] += printed.getvalue()
        broken = self.seal.broken()
        self.send(event="end", test=self.id_of(item), broken=broken, **self.outcome)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = yield
        if call.excinfo is not None:
            error = call.excinfo.value
            names = self.state.names(item)
            self.outcome["message"] = wording.line_about(error, self.graded, names)
            self.outcome["blank"] = testing.blank_behind(error)
            self.outcome["has_slip"] = bool(getattr(error, "slip", ""))
            self.outcome["ran"] = sorted({self.state.asked_for[n] for n in self.state.watch.ran})
            self.outcome["details"] = report.longreprtext if self.request["details"] else ""
            self.draw(item, error)
        elif call.when == "call":
            self.outcome["passed"] = report.outcome == "passed"
        return report

    def draw(self, item, error):
        """Send the picture of a wrong gradient, on a time of its own."""
        if not isinstance(error, testing.GradientMismatch) or error.graph is None:
            return
        self.send(event="drawing", test=self.id_of(item), **self.outcome)
        faulthandler.cancel_dump_traceback_later()
        try:
            from course.drawing import mismatch_png

            png = mismatch_png(error.graph, error.expected)
            self.outcome["picture"] = base64.b64encode(png).decode("ascii")
        except Exception:  # no picture is better than no message
            return

    def watch(self, seconds):
        """Write down where the graded file is, shortly before its time is over."""
        self.places.truncate(0)
        self.places.seek(0)
        early = self.request["early"]
        faulthandler.dump_traceback_later(max(seconds - early, early), file=self.places)


class Printed(io.StringIO):
    """What a test prints, the beginning of it only."""

    def write(self, text):
        return super().write(text[: max(PRINTED - self.tell(), 0)]) if text else 0


def exercise_of(item):
    """The id and the points that a test is marked with."""
    marker = item.get_closest_marker("exercise")
    return marker.args[0], marker.kwargs["points"]


def must_fail():
    """The last test of every run: where it passes, passing means nothing."""
    testing.expect(1, 2, "the grader's own question")


if __name__ == "__main__":
    main()
