"""A Dask cluster in place of this machine's cores; all there must judge as this machine does.

https://distributed.dask.org
"""

import logging
import warnings
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Thread

from course.classes import jobs, sandbox
from course.classes.kept import judge_of
from course.environment import is_complete
from course.manifest import UsageError, load_chapter

PATIENCE = 10.0  # seconds for the scheduler to answer
INSTALL = 'there, in a checkout of this version: pip install -e ".[grade,classes,dask]"'


@contextmanager
def executor_on(address, chapter, is_sandboxed):
    """(an executor, its number of workers); UsageError in one line where the cluster won't do."""
    with _connected(address) as client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise UsageError(f"the scheduler at {address} has no workers yet")
        _require_the_course(client, address)
        _require_the_same_judge(client, chapter, is_sandboxed)
        yield client.get_executor(pure=False, retries=2), threads


def _connected(address):
    from distributed import Client

    for name in ("distributed", "distributed.client"):  # what matters is in the table
        logging.getLogger(name).setLevel(logging.CRITICAL)
    found = Future()

    def connect():
        try:
            found.set_result(Client(address, timeout=PATIENCE))
        except Exception as error:
            found.set_exception(error)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # other versions of packages, in a table
        Thread(target=connect, daemon=True).start()  # for what never answers it waits forever
        try:
            return found.result(2 * PATIENCE)
        except (OSError, ValueError) as error:
            why = str(error) or "it says nothing"
            raise UsageError(f"no scheduler answers at {address}: {why}") from None


def _require_the_course(client, address):
    """The scheduler reads the jobs that it passes on."""
    try:
        client.run_on_scheduler(callable, jobs.grade_one)
    except Exception as error:
        says = f"the scheduler at {address} doesn't find the course: {error}"
        raise UsageError(f"{says}; {INSTALL}") from None


def _require_the_same_judge(client, chapter, is_sandboxed):
    asked = client.run(judge_there, chapter.number, is_sandboxed, on_error="return")
    ours = judge_of(chapter)
    wrong = {worker: answer for worker, answer in asked.items() if answer != ours}
    for worker, answer in wrong.items():
        why = answer if isinstance(answer, Exception) else "it has another version of the course"
        says = f"{len(wrong)} of {len(asked)} workers can't grade; {worker}: {why}"
        raise UsageError(f"{says}; {INSTALL}")


def judge_there(number, is_sandboxed):
    """What judges on a worker; an error where it cannot grade."""
    if not is_complete(("grade",)):
        raise UsageError("its Python lacks what grading needs")
    if is_sandboxed:
        sandbox.require()
    return judge_of(load_chapter(number))
