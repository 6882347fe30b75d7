"""What runs in a nest: `python -m course.grading.forking 5`, with a socket as descriptor 5."""

import json
import os
import socket
import sys

BYTES = 65536  # more than a message has


def main(channel):
    """Fork a worker for each folder that is named; wait for each that has been ended."""
    from course.grading import worker  # NumPy and pytest, once

    while True:
        message, descriptors, _, _ = socket.recv_fds(channel, BYTES, 3)
        if not message:
            return
        request = json.loads(message)
        if "end" in request:
            pid, _ = os.waitpid(request["end"], 0)
        else:
            pid = os.fork()
            if pid == 0:
                channel.close()
                become(worker, request["start"], descriptors)
            for descriptor in descriptors:
                os.close(descriptor)
        channel.send(json.dumps(pid).encode())


def become(worker, folder, descriptors):
    """Be a worker, as if this process had been started for it; never returns."""
    os.setsid()
    os.chdir(folder)
    for standard, descriptor in enumerate(descriptors):
        os.dup2(descriptor, standard)
        os.close(descriptor)
    try:
        worker.main()
    finally:
        os._exit(1)


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
