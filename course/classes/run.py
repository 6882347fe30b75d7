"""`grade-chapterN FOLDER OUT`: grade what a class handed in, side by side; a second run goes on."""

import signal
import sys
import time
from concurrent.futures import FIRST_COMPLETED, CancelledError, ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice

from tqdm import tqdm

from course.classes import cluster, jobs, picture, sandbox, tables
from course.classes.kept import Kept
from course.classes.submissions import submissions_in
from course.classes.tables import NOT_GRADED
from course.grading.limits import cores
from course.manifest import UsageError

ALL_RIGHT, NOT_ALL_RIGHT, NOT_ALL_GRADED, INTERRUPTED = 0, 1, 3, 130
LOOK = 0.5  # seconds after which it's looked whether Ctrl-C was pressed
PATIENCE = 15.0  # seconds for gradings to end that are given up
LISTED = 20  # files that were not graded
AT_ONCE = 3  # jobs for each worker that are under way, so that ten thousand are not in memory


def main(chapter, options):
    """Grade all that is not graded yet, write the tables; the exit code."""
    try:
        return _grade_class(chapter, options)
    except OSError as error:
        error.filename = error.filename or str(options.out)  # a full disk names no file
        raise


def _grade_class(chapter, options):
    roster = tables.read_roster(options.roster, chapter) if options.roster else {}
    _require_a_place(options.out, options.folder)
    handed_in = list(submissions_in(options.folder, chapter))
    is_stopped = False
    with _pool(chapter, options) as (pool, workers):
        kept = Kept(options.out, chapter, handed_in)
        try:
            _grade(chapter, handed_in, kept, pool, workers, options.sandbox)
        except KeyboardInterrupt:
            is_stopped = True
    rows = tables.rows_of(handed_in, kept, roster)
    lost = _write_tables(rows, chapter, kept.written)
    strangers = tables.strangers(handed_in, roster) if roster else []
    _say(rows, strangers, kept.written, lost)
    return _code(rows, is_stopped)


def _require_a_place(out, folder):
    """UsageError where a table and feedback can't be written into `out`."""
    if out.resolve() == folder.resolve():
        raise UsageError(f"{out} holds the submissions; say OUT=another folder")
    if out.resolve().is_relative_to(folder.resolve()):
        raise UsageError(f"{out} lies among the submissions; say OUT=another folder")
    for place in (out, *out.parents):
        if place.exists() and not place.is_dir():
            raise UsageError(f"{place} is a file; say OUT=a folder, which may be new")


def _write_tables(rows, chapter, written):
    """Write marks.csv and class.png; the columns that the table had before and hasn't now."""
    path, table = written.out / "marks.csv", tables.marks_of(rows, chapter)
    lost = tables.lost_columns(path.read_bytes(), table) if path.is_file() else []
    written.write(path.name, table, is_kept_before=bool(lost))
    page = picture.draw(rows, chapter)
    if page:
        written.write("class.png", page)
    return lost


def _grade(chapter, handed_in, kept, pool, workers, is_sandboxed):
    """Have a few under way at a time, and keep each result as soon as it is there."""
    for one in handed_in:
        if one.problem:
            kept.keep(one, {"problem": one.problem})
    left = [one for one in handed_in if not one.problem and kept.of(one) is None]
    todo, under_way = iter(left), {}
    with _ctrl_c() as pressed:
        try:
            with tqdm(total=len(left), unit="file", disable=None, file=sys.stdout) as bar:
                while not pressed:
                    for one in islice(todo, AT_ONCE * workers - len(under_way)):
                        job = pool.submit(
                            jobs.grade_one, chapter.number, one.files, one.graded, is_sandboxed
                        )
                        under_way[job] = one
                    if not under_way:
                        return
                    for job in wait(under_way, LOOK, FIRST_COMPLETED).done:
                        kept.keep(under_way.pop(job), _result(job))
                        bar.update()
                raise KeyboardInterrupt
        except (KeyboardInterrupt, OSError):  # a full disk, for one
            print("\nstopping; what has been graded is kept", flush=True)
            _give_up(under_way)
            raise


@contextmanager
def _ctrl_c():
    """A list that has an entry once Ctrl-C was pressed.

    An exception might come up where nobody hears it: in a callback of Dask, for one.
    """
    pressed = []
    before = signal.signal(signal.SIGINT, lambda *_: pressed.append(True))
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)


def _result(job):
    """What a job gave; a worker of the cluster that died is a problem of this one file."""
    try:
        return job.result()
    except CancelledError:
        return {"record": None, "text": "", "problem": "grading failed: the cluster is gone"}
    except Exception as error:
        why = f"grading failed: {type(error).__name__} {error}".strip()
        return {"record": None, "text": "", "problem": why.splitlines()[0]}


def _give_up(under_way):
    """End the gradings that are under way, and those that are just about to start."""
    for job in under_way:
        job.cancel()
    latest = time.monotonic() + PATIENCE
    while wait(under_way, timeout=0.1).not_done and time.monotonic() < latest:
        jobs.end_all()


@contextmanager
def _pool(chapter, options):
    """(an executor, its number of workers): this machine's cores, or those of a Dask cluster."""
    if options.scheduler:
        with cluster.executor_on(options.scheduler, chapter, options.sandbox) as found:
            yield found
        return
    if options.sandbox:
        sandbox.require()
    workers = cores()
    with ThreadPoolExecutor(workers) as pool:
        yield pool, workers


def _say(rows, strangers, written, lost):
    """Say what there is."""
    graded = [row for row in rows if row.record]
    right, table = sum(row.record["passed"] for row in graded), written.out / "marks.csv"
    print(f"{len(graded)} of {len(rows)} graded, {right} all right; {table}")
    problems = [row for row in rows if row.problem and row.problem != NOT_GRADED]
    for row in problems[:LISTED]:
        print(f"  {row.name}: {row.problem}")
    if len(problems) > LISTED:
        print(f"  and {len(problems) - LISTED} more, which the table lists")
    if strangers:
        asked = [tables.with_nearest(name, rows) for name in strangers[:LISTED]]
        print(f"not in the roster: {_listed(asked, len(strangers))}")
    if written.changed:
        names = _listed(written.changed[:LISTED], len(written.changed))
        print(f"changed by hand, and kept so in {written.kept}: {names}")
    if lost:
        columns = _listed(lost, len(lost))
        print(f"no longer in marks.csv: {columns}; the table with them is in {written.kept}")


def _listed(names, count):
    """The names, and how many more there are."""
    return ", ".join(names) + f" and {count - len(names)} more" * (count > len(names))


def _code(rows, is_stopped):
    """The exit code."""
    if is_stopped:
        print("stopped; the same command goes on from here")
        return INTERRUPTED
    if not all(row.record for row in rows):
        return NOT_ALL_GRADED
    return ALL_RIGHT if all(row.record["passed"] for row in rows) else NOT_ALL_RIGHT
