"""Nothing that a graded file started outlives its grading.

On Linux a keeper stands between the supervisor and the worker: this file, run as a program. What
loses its parent below the keeper becomes its child, and when the worker is through, or the
supervisor says so, all that is there is ended. On macOS the worker's process group is ended, on
Windows the tree of its processes; what has left the group, or lost its parent, is out of reach
there, but starting a process is refused to begin with (audit.py).
"""

import contextlib
import os
import signal
import sys

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
PATIENCE = 10.0  # seconds for the keeper to do its work


def start(command, **options):
    """Start a worker whose whole family can be ended."""
    import subprocess  # late, as below: the keeper has no use for it

    if sys.platform == "linux":
        command = [sys.executable, "-I", "-S", __file__, *command]
    if sys.platform == "win32":
        options["creationflags"] = subprocess.CREATE_NEW_PROCESS_GROUP
    return subprocess.Popen(command, start_new_session=sys.platform != "win32", **options)


def end(process):
    """End a worker and its family; when this returns, they are gone."""
    import subprocess

    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        if sys.platform == "linux":
            process.terminate()
            process.wait(PATIENCE)
        elif sys.platform == "win32":
            line = ["taskkill", "/T", "/F", "/PID", str(process.pid)]
            subprocess.run(line, capture_output=True, check=False)
        else:
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def main(command):
    """The keeper: start the worker, wait for its end, end all that is left."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    _adopt()
    try:
        worker = os.posix_spawn(command[0], command, os.environ)
        while os.waitpid(-1, 0)[0] != worker:
            pass
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        _end_children()


def _adopt():
    """Orphans below become children of this process; it ends when its own parent does."""
    try:
        from ctypes import CDLL
    except ImportError:  # a Python without libffi: then only the group is ended
        return
    prctl = CDLL(None).prctl
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


def _end_children():
    """Kill every child, and those that come to us by that, until there is none."""
    while True:
        for pid in _children():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _children():
    """The process ids of the children; /proc/…/children is not there on every kernel."""
    me, found = str(os.getpid()), []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/stat") as stat:
            if stat.read().rpartition(")")[2].split()[1] == me:
                found.append(int(pid))
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
