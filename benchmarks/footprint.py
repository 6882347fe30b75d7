"""Memory at its peak, and the time that the import takes."""

import os
import subprocess
import sys
import tracemalloc
from statistics import median

from benchmarks.measure import libraries, verdict

NUMBERS, LAYERS = 1_000_000, 200
IMPORT = """
import time, numpy
start = time.process_time()
import tinytorch
print(time.process_time() - start)
"""


def arrays_at_peak(layer):
    """The memory of forward and backward through 200 layers, counted in arrays of their size."""
    t = libraries()["tinytorch"]
    x = t.ones(NUMBERS, requires_grad=True)
    tracemalloc.start()
    y = x
    for _ in range(LAYERS):
        y = layer(t, y)
    y.sum().backward()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / (x.element_size() * NUMBERS)


def memory():
    """The lines on memory."""
    layers = {
        "memory: 200 layers of x * c, in arrays": (lambda t, y: y * 0.999, 4),
        "memory: 200 layers of tanh, in arrays": (lambda t, y: y.tanh(), 204),
    }
    for name, (layer, goal) in layers.items():
        arrays = arrays_at_peak(layer)
        yield f"{name:<44}{arrays:>12.2f}  {verdict(arrays, goal)}"


def import_time(rounds):
    """The line on the import: what it takes when NumPy is there already, each time anew."""
    imported()  # once for nothing: Python compiles, and keeps what it compiled
    milliseconds = median(imported() for _ in range(rounds)) * 1000
    name = "import: ms more than import numpy"
    return f"{name:<44}{milliseconds:>12.2f}  {verdict(milliseconds, 15)}"


def imported():
    """The seconds of processor time of one import, in a Python of its own."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    command = [sys.executable, "-c", IMPORT]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return float(done.stdout)
