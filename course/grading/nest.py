"""Workers for code of our own: forks of one that has collected a chapter's tests (forking.py).

To import NumPy and pytest and to collect takes most of the time of a short run; the proofs, which
grade hundreds of files, pay for it once a chapter. What strangers hand in is graded in a process
that is new (reaper.py).
Systems without fork, and macOS, where a fork of NumPy may hang, have no nest.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from course.grading.forking import BYTES
from course.grading.process import environment
from course.grading.run import inherited, suites_of
from course.grading.stage import copy_judges, copy_library, suite_in


class Nest:
    """Starts and ends a chapter's workers, as reaper.py does.

    All of them use one copy of what judges, and one of the library that is not theirs.
    """

    def __init__(self, chapter):
        self.folder = tempfile.TemporaryDirectory(prefix="nest-", ignore_cleanup_errors=True)
        home, suites = Path(self.folder.name).resolve(), suites_of(chapter, inherited(chapter))
        self.judge, self.library = copy_judges(home, suites), copy_library(home, chapter)
        self.lock = threading.Lock()
        self.channel, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-P", "-B", "-m", "course.grading.forking"]
            command += [str(theirs.fileno())]
            command += [str(suite_in(self.judge, suite)) for suite in suites]
            self.process = subprocess.Popen(
                command,
                cwd=self.judge,
                env=environment(self.judge),
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
            )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.channel.close()  # the nest reads that, and ends
        self.process.wait()
        self.folder.cleanup()

    def start(self, folder, errors):
        """A worker in this folder, with pipes to its standard input and from its output."""
        from_us, to_worker = os.pipe()
        from_worker, to_us = os.pipe()
        pid = self._ask({"start": str(folder)}, [from_us, to_us, errors.fileno()])
        os.close(from_us)
        os.close(to_us)
        return Forked(pid, os.fdopen(to_worker, "wb"), os.fdopen(from_worker, "rb"))

    def end(self, worker):
        """End a worker and its process group."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(worker.pid, signal.SIGKILL)  # at most a zombie: the nest still waits for it
        self._ask({"end": worker.pid}, [])

    def _ask(self, request, descriptors):
        with self.lock:
            socket.send_fds(self.channel, [json.dumps(request).encode()], descriptors)
            return json.loads(self.channel.recv(BYTES))


@dataclass(frozen=True)
class Forked:
    """A worker of a nest, with those names of subprocess.Popen that are used."""

    pid: int
    stdin: object
    stdout: object
