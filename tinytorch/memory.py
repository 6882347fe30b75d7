"""Which memory was changed in place, when, and which tensors are views of one another.

Views share memory, so a change belongs to the memory and not to one tensor. Nodes of the graph
and changes are numbered by one clock. If the memory of an array that a node saved was changed at
a later number than the node's, the gradient would be wrong, and the backward pass must stop.
"""

import weakref
from itertools import count

from numpy import ndarray

next_number = count(1).__next__

last_change = 0  # of any memory: a node that is younger has nothing to fear
_records = {}  # id of the array that owns the memory -> Record


class Record:
    """The history of one piece of memory."""

    __slots__ = ("changed_at", "owner", "version")

    def __init__(self, owner):
        key = id(owner)
        self.owner = weakref.ref(owner, lambda _: _records.pop(key, None))
        self.version = 0
        self.changed_at = 0


def owner_of(array):
    """The array that owns the memory that `array` looks at."""
    while isinstance(array.base, ndarray):
        array = array.base
    return array


def touch(array):
    """Note that the memory of `array` was changed in place just now."""
    global last_change
    owner = owner_of(array)
    record = _records.get(id(owner))
    if record is None:
        record = _records[id(owner)] = Record(owner)
    record.version += 1
    record.changed_at = last_change = next_number()


def version_of(array):
    """How often the memory of `array` was changed in place."""
    record = _records.get(id(owner_of(array)))
    return 0 if record is None else record.version


def changed_since(array, number):
    """True if the memory of `array` was changed in place after the moment `number`."""
    record = _records.get(id(owner_of(array)))
    return record is not None and record.changed_at > number


def share(tensor, view):
    """Note that `view` is a view of `tensor`, and so of the base that this is a view of itself.

    The base knows its views weakly. What detach() and `.data` give shares memory with its tensor,
    but is no view: changing it leaves the history of the tensor alone.
    """
    base = getattr(tensor, "_base", tensor)
    view._base = base
    views = getattr(base, "_views", None)
    if views is None:
        views = base._views = set()
    views.add(weakref.ref(view, views.discard))
