"""The process in which the graded file runs: `python -m course.grading.worker`.

It reads which suites there are, and collects their tests; then it reads what to grade, runs them,
and writes records, one JSON object a line. They go through a copy of the first standard output and
carry a secret number from the request; whatever the graded file prints goes elsewhere.
"""

import base64
import faulthandler
import gc
import io
import json
import linecache
import os
import sys

gc.disable()  # what comes in now is no garbage; begin() enables it
sys.modules["ctypes"] = None  # NumPy can do without, and nobody finds it through NumPy

import pytest  # noqa: E402

from course import testing  # noqa: E402
from course.grading import audit, wording  # noqa: E402
from course.grading.graded import Graded  # noqa: E402
from course.grading.integrity import Seal, judge_is_awake  # noqa: E402
from course.grading.limits import PRINTED, limit_this_process  # noqa: E402
from course.grading.plugin import STATE, State  # noqa: E402

JUDGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIPPED = pytest.skip.Exception
UNUSED = ("cacheprovider", "faulthandler", "logging", "unraisableexception", "threadexception")
UNUSED += ("doctest", "junitxml", "pastebin", "stepwise", "warnings")


def main():
    work(read(), read)


def read():
    """The next line of standard input."""
    return json.loads(sys.stdin.buffer.readline())


def work(suites, wait):
    """Collect the tests of these folders, then run those that the request asks for.

    `wait` gives the request; it is called as soon as the tests are collected.
    """
    sys.path[:] = [path for path in sys.path if path == JUDGE or not _holds_the_course(path)]
    sys.dont_write_bytecode = True  # nothing is left beside the tests
    recorder = Recorder(wait)
    options = ["--noconftest", "--import-mode=importlib", "--capture=no", "--override-ini=addopts="]
    options += ["--assert=plain", "-p", "course.grading.plugin"]
    options += [part for name in UNUSED for part in ("-p", f"no:{name}")]
    options += ["--strict-markers", f"--rootdir={suites[0]}", *suites]
    pytest.main(options, plugins=[recorder])
    recorder.tell("finished")
    os._exit(0)  # threads and exit handlers of the graded file have no say


def _holds_the_course(path):
    """Whether a folder is a checkout; the editable install of one puts it on the path."""
    return os.path.isfile(os.path.join(path, "course", "__init__.py"))


def open_channel(secret):
    """A generator that takes records; standard input, output and error are cut off.

    What it works with are locals of its frame: nobody can look at them unseen.
    """
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    dumps = json.dumps
    while True:
        record = yield
        channel.write(dumps({"secret": secret, **record}) + "\n")
        channel.flush()


class Recorder:
    """The pytest plugin that tells the supervisor what happens."""

    def __init__(self, wait):
        self.wait = wait
        self.graded, self.outcome, self.unusable = Graded(), {}, []

    def tell(self, event, **record):
        self.send({"event": event, **record})

    def pytest_configure(self, config):
        config.stash[STATE] = State(self.graded, may_inherit=True)
        self.state = config.stash[STATE]

    def pytest_collectreport(self, report):
        if report.failed:
            self.unusable.append(report.longreprtext)

    def begin(self, config):
        """Take the request: what follows is about one graded file."""
        gc.freeze()  # no collection looks through the judge, nor makes a fork copy all its pages
        request = self.request = self.wait()
        gc.enable()
        limit_this_process()
        channel = open_channel(request.pop("secret"))
        next(channel)
        self.send = channel.send
        config.option.tbstyle = "auto" if request["details"] else "native"
        self.graded.at(request["file"], **{k: request[k] for k in ("library", "modules")})
        self.state.heirs = {p["exercise"]: p["heir"] for p in request["inherited"]}
        is_library = request["is_library"] or request["library"] is not None
        self.seal.put(testing, PICTURES=request["pictures"], IS_LIBRARY=is_library)
        self.places = open(request["places"], "wb")  # noqa: SIM115
        faulthandler.enable(self.places)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config, items):
        self.tests = {item.module.__name__ for item in items}
        self.seal = Seal(*{item.module for item in items}, sys.modules[__name__])
        self.begin(config)
        for message in self.unusable:
            self.tell("broken", message=message)
        order = {id: place for place, id in enumerate(self.request["exercises"])}
        tests = filter(None, map(self.place, items))
        tests = sorted(tests, key=lambda test: (order.get(test[1], len(order)), test[3]))
        tests = [test[:3] for test in tests]
        self.tell("collected", tests=tests)
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
        self.guard()
        self.tell("start", test="import")
        self.watch(self.request["import_limit"])
        error = self.load()
        faulthandler.cancel_dump_traceback_later()
        self.tell("end", test="import", broken=self.broken(), message=error)
        return True if error else None

    def guard(self):
        """From here on the graded file is watched; there is no way back."""
        desk, hidden = self.request["desk"], self.request.pop("hidden")
        self.auditor = audit.Auditor(desk, JUDGE, hidden, reporter(self.send))
        self.auditor.graded = [str(self.graded.path)]
        self.auditor.given = [str(self.graded.library)] if self.graded.library else []
        self.judging = audit.judging(self.tests)
        self.auditor.judges = {id(vars(sys.modules[name])) for name in self.judging}
        self.auditor.sealed = {*map(id, self.seal.functions)}
        audit.close()
        if not self.request["is_library"]:  # that is ours
            sys.addaudithook(self.auditor)

    def broken(self):
        """What of the judge has changed, or None. Its questions run watched: they print numbers."""
        changed = self.auditor.unseen(self.seal.broken)
        return changed or (None if judge_is_awake() else "course.testing.expect")

    def load(self):
        put_back = audit.conceal(self.judging)
        try:
            self.state.load()
        except BaseException as error:  # also sys.exit()
            put_back()
            return wording.line_about(error, self.graded)
        put_back()
        return ""

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_pyfunc_call(self):
        """While a test runs, and with it the graded file, the judge cannot be found."""
        linecache.clearcache()  # lines of tests that a traceback showed
        put_back = audit.conceal(self.judging)
        try:
            return (yield)
        finally:
            put_back()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        self.tell("start", test=self.id_of(item))
        self.outcome = {"passed": False, "message": "", "blank": None, "details": ""}
        self.watch(self.request["test_limit"])
        sys.stdout = sys.stderr = printed = Printed()
        result = yield
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
        faulthandler.cancel_dump_traceback_later()
        if self.request["details"]:
            self.outcome["details"] += printed.getvalue()
        broken = self.broken()
        self.tell("end", test=self.id_of(item), broken=broken, **self.outcome)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        if call.excinfo and not self.request["details"] and not call.excinfo.errisinstance(SKIPPED):
            call.excinfo.traceback = call.excinfo.traceback[:0]  # for a report that nobody reads
        report = yield
        if call.excinfo is not None:
            error = call.excinfo.value
            names = self.state.names(item)
            self.outcome["message"] = wording.line_about(error, self.graded, names)
            self.outcome["blank"] = testing.blank_behind(error)
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
        self.tell("drawing", test=self.id_of(item), **self.outcome)
        faulthandler.cancel_dump_traceback_later()
        self.auditor.drawing = True
        try:
            from course.drawing import mismatch_png

            png = mismatch_png(error.graph, error.expected)
            self.outcome["picture"] = base64.b64encode(png).decode("ascii")
        except Exception:  # no picture is better than no message
            return
        finally:
            self.auditor.drawing = False

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


def reporter(send):
    """A function that tells what the graded file did, and ends the process."""
    end = os._exit

    def report(what):
        try:
            send({"event": "reached", "what": what})
        finally:
            end(1)

    return report


def exercise_of(item):
    """The id and the points that a test is marked with."""
    marker = item.get_closest_marker("exercise")
    return marker.args[0], marker.kwargs["points"]


def must_fail():
    """The last test of every run: where it passes, passing means nothing."""
    testing.expect(1, 2, "the grader's own question")


if __name__ == "__main__":
    main()
