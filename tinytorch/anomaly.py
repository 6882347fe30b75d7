"""Anomaly detection: which line of the forward pass made the NaN of the backward pass?"""

import sys
from os.path import dirname
from weakref import WeakKeyDictionary

import numpy as np

from tinytorch import engine, node
from tinytorch.tensor import Tensor

_here = dirname(__file__)
_calls = WeakKeyDictionary()  # node -> (file, line) of the call that made it


def remember_call(made):
    """Note the line outside of this library that led to the node."""
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_here):
        frame = frame.f_back
    _calls[made] = frame.f_code.co_filename, frame.f_lineno


def refuse_nan(made, results):
    """RuntimeError if a gradient holds a NaN."""
    for place, result in enumerate(results):
        array = result._data if isinstance(result, Tensor) else result
        if isinstance(array, (np.ndarray, np.floating)) and np.isnan(array).any():
            raise RuntimeError(
                f"{made.name()} returned NaN as the gradient of input {place}{made_at(made)}"
            )


def made_at(made):
    if made not in _calls:
        return "; it was recorded before anomaly detection began"
    import linecache

    file, line = _calls[made]
    return f"; its forward call is {file}:{line}: {linecache.getline(file, line).strip()}"


def is_anomaly_enabled():
    """True if anomaly detection is on."""
    return remember_call in node.watchers


def switch(mode, check_nan):
    for functions, function, wanted in (
        (node.watchers, remember_call, mode),
        (engine.inspectors, refuse_nan, mode and check_nan),
    ):
        if function in functions:
            functions.remove(function)
        if wanted:
            functions.append(function)


class set_detect_anomaly:
    """Switch anomaly detection, for all threads; as a `with` block, back again at its end.

    While it is on, every operation is slower, and a NaN in a backward pass raises RuntimeError
    that names the operation and the line of the forward pass that called it.
    """

    def __init__(self, mode, check_nan=True):
        self._before = is_anomaly_enabled(), refuse_nan in engine.inspectors
        switch(mode, check_nan)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        switch(*self._before)


class detect_anomaly(set_detect_anomaly):
    """A `with` block in which anomaly detection is on."""

    def __init__(self, check_nan=True):
        super().__init__(True, check_nan)
