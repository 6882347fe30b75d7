"""The same marks on a cluster of Dask workers, one of them killed; or one clear line."""

import csv
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from argparse import Namespace
from concurrent.futures import CancelledError

import pytest

from course.classes import cluster
from course.classes.run import main
from course.manifest import UsageError, load_chapter

distributed = pytest.importorskip("distributed")
CHAPTER = load_chapter(1)
ALONE = {"processes": False, "n_workers": 1, "protocol": "tcp://", "dashboard_address": ":0"}
STRANGERS = """
import sys, distributed
with distributed.LocalCluster(**{settings}) as cluster:
    print(cluster.scheduler_address, flush=True)
    sys.stdin.read()
"""


def grade(folder, out, scheduler=None, is_sandboxed=False):
    options = {"folder": folder, "out": out, "roster": None, "sandbox": is_sandboxed}
    return main(CHAPTER, Namespace(**options, scheduler=scheduler))


def marks(out):
    with open(out / "marks.csv", encoding="utf-8-sig", newline="") as file:
        return [{k: v for k, v in row.items() if k != "seconds"} for row in csv.DictReader(file)]


def test_a_worker_that_dies_costs_no_marks(tmp_path):
    right = CHAPTER.solution_file.read_text(encoding="utf-8")
    wrong = right.replace("(up - down)", "(up + down)")
    (tmp_path / "in").mkdir()
    for name, text in {"alice": right, "bob": wrong}.items():
        (tmp_path / "in" / f"{name}.py").write_text(text, encoding="utf-8")
    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with distributed.LocalCluster(**settings) as workers:
        victim = next(iter(workers.workers.values()))
        pid, at_work = victim.pid, workers.scheduler.workers[victim.worker_address].processing

        def kill():
            until = time.monotonic() + 60
            while not at_work and time.monotonic() < until:
                time.sleep(0.05)
            os.kill(pid, signal.SIGKILL)

        threading.Thread(target=kill).start()
        assert grade(tmp_path / "in", tmp_path / "far", workers.scheduler_address) == 1
        assert pid not in [worker.pid for worker in workers.workers.values()]
    assert grade(tmp_path / "in", tmp_path / "near") == 1
    assert marks(tmp_path / "far") == marks(tmp_path / "near")


@pytest.fixture
def submission(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/alice.py").write_text("x = 1")
    return tmp_path / "in"


def refusal(submission, *options):
    """The one line in which a cluster is refused, before anything is graded."""
    out = submission.parent / "out"
    with pytest.raises(UsageError) as error:
        grade(submission, out, *options)
    assert not out.exists() and "\n" not in str(error.value)
    return str(error.value)


def test_a_scheduler_that_does_not_answer_is_wrong_use(submission, monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    says = refusal(submission, "tcp://127.0.0.1:9")
    assert says.startswith("no scheduler answers at tcp://127.0.0.1:9: ")


def test_what_takes_the_call_and_says_nothing_is_no_scheduler_either(submission, monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        says = refusal(submission, f"tcp://127.0.0.1:{mute.getsockname()[1]}")
    assert says.startswith("no scheduler answers at tcp://") and says.endswith(": it says nothing")


def test_a_cluster_that_does_not_find_the_course_is_told_before_anything_is_graded(submission):
    (submission.parent / "course.py").write_text("raise ModuleNotFoundError('no course here')")
    with subprocess.Popen(
        [sys.executable, "-c", STRANGERS.format(settings=ALONE)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": str(submission.parent)},
        cwd=submission.parent,
        text=True,
    ) as strangers:
        address = strangers.stdout.readline().strip()
        says = refusal(submission, address)
        strangers.stdin.close()
    assert says.startswith(f"the scheduler at {address} doesn't find the course: no course here; ")
    assert 'pip install -e ".[grade,classes,dask]"' in says


@pytest.fixture(scope="module")
def one_worker():
    with distributed.LocalCluster(**ALONE) as workers:
        yield workers


@pytest.mark.parametrize(
    ("where", "name", "there", "why"),
    [
        (
            cluster,
            "judge_of",
            lambda chapter: object(),
            "it has another version of the course",
        ),
        (cluster, "is_complete", lambda extras: False, "its Python lacks what grading needs"),
        (cluster.sandbox, "require", lambda: 1 / 0, "division by zero"),
    ],
)
def test_a_worker_that_would_give_other_marks_is_told_too(
    submission, one_worker, monkeypatch, where, name, there, why
):
    monkeypatch.setattr(where, name, there)
    says = refusal(submission, one_worker.scheduler_address, where is cluster.sandbox)
    assert says.startswith("1 of 1 workers can't grade; ") and why in says


def test_a_scheduler_without_workers_is_told(submission):
    with distributed.LocalCluster(**ALONE | {"n_workers": 0}) as workers:
        says = refusal(submission, workers.scheduler_address)
    assert says == f"the scheduler at {workers.scheduler_address} has no workers yet"


def test_a_cluster_that_goes_away_says_no_more_than_the_table(monkeypatch, caplog):
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    with (
        distributed.LocalCluster(**ALONE) as workers,
        cluster.executor_on(workers.scheduler_address, CHAPTER, False) as (executor, _),
    ):
        workers.close()
        with pytest.raises(CancelledError):
            executor.submit(sum, [1, 2]).result(20)
    assert [r.message for r in caplog.records if r.name == "distributed.client"] == []
