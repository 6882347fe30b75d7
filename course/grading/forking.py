"""What runs in a nest: `python -m course.grading.forking 5 suites`, 5 being a socket."""

import json
import os
import socket
import sys

BYTES = 65536  # more than a message has


def main(channel, suites):
    """Collect the tests in these folders; then be a nest, as `hatch` says."""
    from course.grading import worker  # NumPy and pytest, once

    worker.work(suites, lambda: hatch(channel, worker))


def hatch(channel, worker):
    """Fork for each folder that is named, and wait for each fork that has been ended.

    Returns in the forks only, with what each of them is to do.
    """
    while True:
        message, descriptors, _, _ = socket.recv_fds(channel, BYTES, 3)
        if not message:
            os._exit(0)
        request = json.loads(message)
        if "end" in request:
            pid, _ = os.waitpid(request["end"], 0)
        else:
            pid = os.fork()
            if pid == 0:
                channel.close()
                become(request["start"], descriptors)
                return worker.read()
            for descriptor in descriptors:
                os.close(descriptor)
        channel.send(json.dumps(pid).encode())


def become(folder, descriptors):
    """Be a process of its own, as if it had been started for this folder."""
    os.setsid()
    os.chdir(folder)
    for standard, descriptor in enumerate(descriptors):
        os.dup2(descriptor, standard)
        os.close(descriptor)


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])), sys.argv[2:])
