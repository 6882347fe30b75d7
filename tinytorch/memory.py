"""Which memory was changed in place, when, and which tensors look at it.

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

    __slots__ = ("changed_at", "limit", "owner", "tensors", "version")

    def __init__(self, owner):
        key = id(owner)
        self.owner = weakref.ref(owner, lambda _: _records.pop(key, None))
        self.version = 0
        self.changed_at = 0
        self.tensors = {}  # id -> weak reference, of the tensors that views were made of or are
        self.limit = 64

    def add(self, tensor):
        """Remember a tensor that looks at this memory."""
        self.tensors[id(tensor)] = weakref.ref(tensor)
        if len(self.tensors) > self.limit:
            self.tensors = {key: ref for key, ref in self.tensors.items() if ref() is not None}
            self.limit = 64 + 2 * len(self.tensors)


def owner_of(array):
    """The array that owns the memory that `array` looks at."""
    while isinstance(array.base, ndarray):
        array = array.base
    return array


def record_of(array):
    """The record of the memory of `array`, made at the first call."""
    owner = owner_of(array)
    record = _records.get(id(owner))
    if record is None:
        record = _records[id(owner)] = Record(owner)
    return record


def touch(array):
    """Note that the memory of `array` was changed in place just now."""
    global last_change
    record = record_of(array)
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
    """Note that the tensor `view` looks at the memory of `tensor`."""
    record = record_of(tensor._data)
    record.add(tensor)
    record.add(view)


def tensors_beside(tensor):
    """The other tensors, still alive, that share the memory of `tensor` by being views."""
    record = _records.get(id(owner_of(tensor._data)))
    found = [reference() for reference in list(record.tensors.values())] if record else []
    return [other for other in found if other is not None and other is not tensor]
