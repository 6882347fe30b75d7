"""A lock between processes. It goes with the process that holds it, however that one ends."""

import os
import time
from contextlib import contextmanager, nullcontext


@contextmanager
def alone(path, says):
    """Only one process at a time is in here; another one prints what it `says`, and waits.

    `path` is a file for nothing else. Where it can't be written, or locked, nobody waits. What is
    started in here with close_fds=False holds the lock too, should it outlive this process (not on
    Windows).
    """
    with _opened(path) as file:
        if file:
            _wait_for(file, says)
            os.set_inheritable(file.fileno(), True)
        yield


def _wait_for(file, says):
    if not _is_taken(file):
        print(says, flush=True)
        while not _is_taken(file):
            time.sleep(0.2)


def _opened(path):
    try:
        path.parent.mkdir(exist_ok=True)
        return path.open("ab")
    except OSError:  # a folder that may not be written: whoever has to write there will say so
        return nullcontext()


def _is_taken(file):
    """Take the lock if it's free; is it ours now?"""
    try:
        _lock(file.fileno())
    except (BlockingIOError, PermissionError):  # the latter on Windows
        return False
    except OSError:  # a file system without locks
        pass
    return True


def _lock(number):
    if os.name == "nt":
        import msvcrt

        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
