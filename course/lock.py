"""A lock between processes. It goes with the process that holds it, however that one ends."""

import os
import time
from contextlib import contextmanager, nullcontext


@contextmanager
def alone(path, says):
    """Only one process at a time is in here; another one prints what it `says`, and waits.

    `path` is a file for nothing else. Where it can't be written, or locked, nobody waits.
    """
    with _opened(path) as file:
        if file and not _is_taken(file):
            print(says, flush=True)
            while not _is_taken(file):
                time.sleep(0.2)
        yield


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
