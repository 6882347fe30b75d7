"""What a run may use: time, memory, files, output."""

import os
import sys

RUN_LIMIT = 60.0  # seconds, for a file as a whole, whatever it does
IMPORT_LIMIT = 10.0
TEST_LIMIT = 5.0
SHORT_LIMIT = 2.0  # a test's time once another test of the file did not end
DRAW_LIMIT = 30.0  # for matplotlib's first start on a machine
START_LIMIT = 60.0  # for Python, NumPy and pytest to start

MEMORY = 4 << 30  # bytes of address space
FILE = 16 << 20  # bytes of a file that is written
PRINTED = 5000  # characters of a test's output that are kept


def cores():
    """How many cores this process may use: a scheduler, or taskset, may leave it fewer."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def stretch():
    """How many times as long all may take here: more than 1 where the machine is busy otherwise.

    Where more programs want to run than there are cores, each of them waits for its turn, and a
    right answer must not pay for it. At most 5, and 1 where the system does not say (Windows).
    """
    if not hasattr(os, "getloadavg"):
        return 1.0
    return min(max(os.getloadavg()[0] / cores(), 1.0), 5.0)


def limit_this_process():
    """Beyond these a MemoryError or an OSError is raised here, and nobody else suffers.

    Windows has no such limits, and macOS none of memory: there time alone is limited.
    """
    if sys.platform == "win32":
        return
    import resource

    seconds = int(RUN_LIMIT)
    for name, most in (
        ("RLIMIT_AS", MEMORY),
        ("RLIMIT_FSIZE", FILE),
        ("RLIMIT_CORE", 0),
        ("RLIMIT_CPU", seconds),
    ):
        kind = getattr(resource, name)
        _, hard = resource.getrlimit(kind)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(kind, (most, most))
        except (ValueError, OSError):  # macOS refuses some that it has a name for
            continue
