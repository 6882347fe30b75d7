"""The same marks on a cluster of Dask workers, one of which is killed half way."""

import csv
import os
import signal
import threading
import time
from argparse import Namespace

import pytest

from course.classes.run import main
from course.manifest import load_chapter

distributed = pytest.importorskip("distributed")
CHAPTER = load_chapter(1)


def marks(folder, out, scheduler=None):
    options = Namespace(folder=folder, out=out, roster=None, sandbox=False, scheduler=scheduler)
    assert main(CHAPTER, options) == 1
    with open(out / "marks.csv", encoding="utf-8-sig", newline="") as file:
        return [{k: v for k, v in row.items() if k != "seconds"} for row in csv.DictReader(file)]


def test_a_worker_that_dies_costs_no_marks(tmp_path):
    right = CHAPTER.solution_file.read_text(encoding="utf-8")
    (tmp_path / "in").mkdir()
    for i, text in enumerate([right, right.replace("(up - down)", "(up + down)")] * 2):
        (tmp_path / "in" / f"student{i}.py").write_text(text, encoding="utf-8")
    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**settings) as cluster:
        victim = next(iter(cluster.workers.values())).pid

        def kill():
            time.sleep(2)
            os.kill(victim, signal.SIGKILL)

        threading.Thread(target=kill).start()
        spread = marks(tmp_path / "in", tmp_path / "far", cluster.scheduler_address)
        assert victim not in [worker.pid for worker in cluster.workers.values()]
    assert spread == marks(tmp_path / "in", tmp_path / "near")
