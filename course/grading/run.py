"""The supervisor: grades a file that may loop, crash, exit or lie."""

import secrets
import tempfile
import time
from dataclasses import replace
from functools import cache
from pathlib import Path

from course.grading.limits import (
    DRAW_LIMIT,
    IMPORT_LIMIT,
    RUN_LIMIT,
    SHORT_LIMIT,
    START_LIMIT,
    TEST_LIMIT,
    stretch,
)
from course.grading.process import Worker
from course.grading.results import (
    ERROR,
    NOT_STARTED,
    ChapterResult,
    ExerciseResult,
    TestResult,
    exercise_result,
    follow_ons,
)
from course.grading.stage import Stage, copy_judges, copy_library, originals
from course.grading.submission import read_submission
from course.manifest import UsageError, find_exercise
from course.modules import definitions, exercises_at, homes, solution_of
from course.modules import replace as exchange
from course.output import command
from course.paths import ROOT
from course.source import binds

EARLY = 0.3  # before the end of its time, where a file is gets written down; that may crash it
SLACK = 0.2  # the worker's clock started a little before ours
CANARY = "no marks: the graded file made a test pass that cannot pass"
ENDLESS = "did not end within"
CHANGED = "no marks: the tests or the grader changed meanwhile; after an update, grade once more"
KEPT = ("passed", "message", "blank", "ran", "details", "picture")


class GraderError(Exception):
    """The tests themselves are at fault, not the graded file."""


def grade(
    chapter,
    file=None,
    only=None,
    pictures=False,
    details=False,
    tell=None,
    nest=None,
    until_failed=False,
):
    """Run a chapter's tests on a file, in Part II a folder (by default the student's); the marks.

    `only` is an exercise's id, or several; with `pictures`, a wrong gradient comes with its
    graph; with `details`, each failed test with pytest's own report; `tell` is called with the
    result of each exercise as soon as it is known. For code of our own, many times: a Nest, and
    `until_failed`, if nothing need be run after the first test that fails.
    Never raises because of what the file does.
    """
    file = Path(file or chapter.exercise_file).absolute()
    ids = [only] if isinstance(only, str) else only
    exercises = [e for e in chapter.exercises if ids is None or e.id in ids]
    submission = read_submission(chapter, file)
    note = submission.note
    is_missing = submission.is_missing or not file.exists()
    if is_missing and file == chapter.exercise_file.absolute():
        note += f"; {command(f'reset-chapter{chapter.number}')} brings it back"
    if note:
        return no_marks(chapter, file, exercises, note)
    options = {"pictures": pictures, "details": details}
    run = Run(chapter, submission, {e.id for e in exercises}, options, nest, until_failed)
    return _result(run, exercises, tell)


def _result(run, exercises, tell):
    """What comes of a run; each exercise is told of as soon as its last test is through."""
    blanks = {e.id: _blanks(run.submission.code, e) for e in exercises}
    known = []

    def result(e):
        return exercise_result(e, run.tests_of(e.id), blanks[e.id])

    @cache
    def with_mended(id, others):
        return _with_mended(run, id, others)

    def through(e):
        known.append(result(e))
        if tell:
            tell([*follow_ons(known, with_mended)][-1])

    for exercise in exercises:
        run.through[exercise.id] = lambda e=exercise: through(e)
    run.to_the_end()
    if run.note:
        return no_marks(run.chapter, run.file, exercises, run.note, blanks)
    results = tuple(follow_ons(map(result, exercises), with_mended))
    return ChapterResult(run.chapter, run.file, results)


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


def suites_of(chapter, inherited):
    """The folders of the tests that judge a chapter: its own, and those that it inherits from."""
    return (str(chapter.tests), *dict.fromkeys(part["tests"] for part in inherited))


class Run:
    """The graded tests of one file: which have been run, with what result."""

    def __init__(self, chapter, submission, wanted, options, nest=None, until_failed=False):
        self.chapter, self.submission, self.file = chapter, submission, submission.path
        self.wanted, self.options, self.nest = wanted, options, nest
        self.until_failed = until_failed
        self.known = {}  # every test of these exercises: id -> TestResult, not passed to begin with
        self.pending = None  # test ids that have not been run; None: not known yet
        self.through = {}  # what to call when an exercise has no pending test any more
        self.stretch = stretch()
        self.limit = TEST_LIMIT * self.stretch
        self.deadline = time.monotonic() + RUN_LIMIT * self.stretch
        self.note = ""
        self.inherited = inherited(chapter, wanted)
        self.suites = suites_of(chapter, self.inherited)

    def to_the_end(self):
        """Start workers until each test has been run or has been the end of a worker."""
        before = self._judges()
        while self.pending is None or (self.pending and not self.note):
            with tempfile.TemporaryDirectory(prefix="graded-", ignore_cleanup_errors=True) as name:
                stage = self._stage(Path(name).resolve())
                worker = Worker(stage, self.suites, self._request(stage), self.nest)
                try:
                    self._listen(worker)
                finally:
                    worker.stop()
        if self._judges() != before:
            self.note = CHANGED

    def _stage(self, folder):
        if self.nest:
            copies = self.nest.judge, self.nest.library
        else:
            copies = copy_judges(folder, self.suites), copy_library(folder, self.chapter)
        return Stage(folder, self.chapter, self.submission, *copies)

    def tests_of(self, exercise_id):
        return [test for test in self.known.values() if test.exercise == exercise_id]

    def _judges(self):
        """The contents of all that judges."""
        return {path: path.read_bytes() for path in originals(self.suites)}

    def _request(self, stage):
        parts = [part | {"tests": str(stage.suite(part["tests"]))} for part in self.inherited]
        return self.options | {
            "secret": secrets.token_hex(16),
            "tests": str(stage.suite(self.chapter.tests)),
            "inherited": parts,
            "file": str(stage.file),
            "is_library": stage.file == ROOT / "tinytorch",
            "library": stage.library and str(stage.library),
            "modules": list(self.chapter.files),
            "hidden": [str(ROOT), str(self.chapter.root), str(self.file.parent)],
            "wanted": self.pending,
            "exercises": [e.id for e in self.chapter.exercises if e.id in self.wanted],
            "desk": str(stage.desk),
            "places": str(stage.desk.with_name("places.txt")),
            "early": EARLY,
            "import_limit": IMPORT_LIMIT * self.stretch,
            "test_limit": self.limit,
        }

    def _listen(self, worker):
        """Take a worker's records until it is through, dead, or too late."""
        test, limit, canary_failed = None, START_LIMIT * self.stretch, False
        while True:
            since = time.monotonic()
            record = worker.next_record(min(limit, self.deadline - since))
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
                limit = IMPORT_LIMIT * self.stretch if test == "import" else self.limit
            elif event == "drawing":
                self._take(record, worker.stage)
                limit = DRAW_LIMIT * self.stretch
            elif event == "end":
                canary_failed |= self._take(record, worker.stage)
                if self.until_failed and test in self.known and self.known[test].has_failed:
                    self.pending = []
                    return None
                test, limit = None, self.limit
            elif event in ("reached", "finished"):
                self._close(record, canary_failed)
            if event == "finished" or self.note:
                return None

    def _close(self, record, canary_failed):
        """The file reached for what isn't its own, or each test has been run."""
        if record["event"] == "reached":
            self.note = f"no marks: {record['what']}"
            return
        self.pending = []
        self.note = self.note or ("" if canary_failed else CANARY)

    def _know(self, tests):
        if self.pending is None:
            self.known = {id: TestResult(id, e, p) for id, e, p in tests if e in self.wanted}
            self.pending = list(self.known)

    def _take(self, record, stage):
        """Keep what came of a test; True where it was the grader's own, which failed as it must."""
        test = record["test"]
        places = {stage.desk: self.file.parent, stage.judge: self.chapter.root}
        places |= {stage.library: self.chapter.library} if stage.library else {}
        for name in ("message", "details"):
            text = record.get(name) or ""
            for copy, home in places.items():
                text = text.replace(str(copy), str(home))
            record[name] = text
        if record.get("broken"):
            self.note = f"no marks: the graded file changed {record['broken']}"
        elif test == "import":
            self.note = record["message"]
        elif test in self.known:
            self._keep(
                test, record["event"] == "end", **{k: record[k] for k in KEPT if k in record}
            )
        return test.endswith("::canary") and not record["passed"]

    def _keep(self, test, is_last=True, **result):
        self.known[test] = replace(self.known[test], **result)
        if test in self.pending:
            self.pending.remove(test)
        exercise = self.known[test].exercise
        if is_last and not any(self.known[other].exercise == exercise for other in self.pending):
            self.through[exercise]()

    def _charge(self, worker, test, event):
        """A worker did not come to its end: say so at the test that it was at."""
        if self.pending is None:
            raise GraderError(f"the tests could not be started: {worker.complaint()}")
        test = test or (self.pending[0] if self.pending else "canary")
        limit = IMPORT_LIMIT * self.stretch if test == "import" else self.limit
        says = f"{ENDLESS} {limit:.2g} seconds: an endless loop?"
        says = says if event == "late" else f"ended Python: {worker.how_it_died()}"
        place = worker.place()
        place = f" ({place})" if place else ""
        if test in self.known:
            drawn = self.known[test].message  # it was the drawing that took too long
            ran = exercises_at(self.chapter, self.submission.code, worker.frames())
            self._keep(test, message=drawn or f"it {says}{place}", ran=ran)
        else:
            name = "the import of the file" if test == "import" else "a thread of the file"
            self.note = f"{name} {says}{place}"
        if event == "late" and not self.note:
            self._after_a_loop(self.known[test].exercise)

    def _after_a_loop(self, exercise):
        """The rest of the exercise is not run; when the minute is over, nothing more is."""
        self.limit = SHORT_LIMIT * self.stretch
        is_over = time.monotonic() > self.deadline
        says = "not run: a test of this exercise did not end"
        if is_over:
            says = f"not run: the {RUN_LIMIT * self.stretch:.0f} seconds for a file are over"
        for test in list(self.pending):
            if is_over or self.known[test].exercise == exercise:
                self._keep(test, message=says)


def _with_mended(before, id, others):
    """The result of an exercise, with the solution's definitions in place of those of the others.

    None when the time for the file is over, or where the answer of one of the others isn't there.
    """
    chapter, submission = before.chapter, before.submission
    try:
        code = submission.code
        for exercise in [e for e in chapter.exercises if e.id in others]:
            solution = definitions(solution_of(chapter, homes(chapter, exercise)))
            for name in exercise.names:
                code = exchange(code, name, solution[name].text)
    except (UsageError, KeyError, TypeError):  # no answers here, or a package is graded
        return None
    options = before.options | {"details": False}
    run = Run(chapter, replace(submission, code=code), {id}, options, before.nest)
    run.deadline = before.deadline
    run.through[id] = lambda: None
    try:
        run.to_the_end()
    except GraderError:  # it did not start in the time that was left
        return None
    if run.note:
        return None
    (exercise,) = [e for e in chapter.exercises if e.id == id]
    return exercise_result(exercise, run.tests_of(id), _blanks(code, exercise))


def _blanks(code, exercise):
    """The names of an exercise that are blank, and those that the code does not define."""
    if code is None:  # a package in Part I: what is blank shows when it runs
        return [], []
    found, texts = definitions(code), code.values()
    lost = [name for name in exercise.names if name not in found]
    missing = [name for name in lost if not any(binds(text, name) for text in texts)]
    return [name for name in exercise.names if name in found and found[name].is_blank], missing


def no_marks(chapter, file, exercises, note, blanks=None):
    """The result of a file that gets no marks at all, for the reason in `note`."""
    results, blanks = [], blanks or {}
    for e in exercises:
        status = NOT_STARTED if len(blanks.get(e.id, [[]])[0]) == len(e.names) else ERROR
        results.append(ExerciseResult(e.id, e.title, 0, e.points, status))
    return ChapterResult(chapter, file, tuple(results), note)
