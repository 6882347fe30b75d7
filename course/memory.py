"""How much memory the library takes: what a test counts in place of looking at a clock."""

import tracemalloc

from course.tracing import each_step


def memory_taken(call):
    """How many bytes call() takes in all: what each line of tinytorch takes, added up.

    What is copied and thrown away at once counts, too, and a list that's turned round in its place
    counts like a copy.

    >>> import tinytorch
    >>> memory_taken(lambda: tinytorch.zeros(1000)) > 4000
    True
    """
    taken, held, ends = [0], [0], {}

    def look(frame, _):
        taken[0] += tracemalloc.get_traced_memory()[1] - held[0]
        for value in frame.f_locals.values():
            if isinstance(value, list) and len(value) > 2 and value[0] is not value[-1]:
                now = len(value), id(value[0]), id(value[-1])
                taken[0] += 8 * len(value) * (ends.get(id(value)) == (now[0], now[2], now[1]))
                ends[id(value)] = now
        begin()

    def begin():
        tracemalloc.reset_peak()
        held[0] = tracemalloc.get_traced_memory()[0]

    running = tracemalloc.is_tracing()
    tracemalloc.start()
    try:
        with each_step(look):
            begin()
            call()
    finally:
        if not running:
            tracemalloc.stop()
    return taken[0]
