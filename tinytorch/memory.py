"""Which memory was changed in place, and when.

Views share memory, so a change belongs to the memory and not to one tensor. A node of the graph
has a number that says when it was made. If the memory of an array that it saved was changed at
a later number, its gradient would be wrong, and the backward pass must stop.
"""

import weakref
from itertools import count

from numpy import ndarray

next_number = count(1).__next__  # one clock for nodes and for changes

records = {}  # id of the array that owns the memory -> Record


class Record:
    """The history of one piece of memory: how often changed, when last, which tensors see it."""

    __slots__ = ("changed_at", "owner", "tensors", "version")

    def __init__(self, owner):
        key = id(owner)
        self.owner = weakref.ref(owner, lambda _: records.pop(key, None))
        self.version = 0
        self.changed_at = 0
        self.tensors = weakref.WeakValueDictionary()  # by id: == of tensors is elementwise


def owner_of(array):
    """The array that owns the memory that `array` looks at."""
    while isinstance(array.base, ndarray):
        array = array.base
    return array


def record_of(array):
    """The record of the memory of `array`, made at the first call."""
    owner = owner_of(array)
    record = records.get(id(owner))
    if record is None:
        record = records[id(owner)] = Record(owner)
    return record


def touch(array):
    """Note that the memory of `array` was changed in place just now."""
    record = record_of(array)
    record.version += 1
    record.changed_at = next_number()


def version_of(array):
    """How often the memory of `array` was changed in place."""
    record = records.get(id(owner_of(array)))
    return 0 if record is None else record.version


def changed_since(array, number):
    """True if the memory of `array` was changed in place after the moment `number`."""
    record = records.get(id(owner_of(array)))
    return record is not None and record.changed_at > number
