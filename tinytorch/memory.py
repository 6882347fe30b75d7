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


class Family:
    """Tensors that are views of one another, held weakly.

    What detach() and `.data` give shares memory with its tensor, but begins a family of its own:
    changing it leaves the history of the tensor alone.
    """

    __slots__ = ("limit", "references")

    def __init__(self, tensor):
        self.references = [weakref.ref(tensor)]
        self.limit = 64

    def add(self, tensor):
        self.references.append(weakref.ref(tensor))
        if len(self.references) > self.limit:
            self.references = [ref for ref in self.references if ref() is not None]
            self.limit = 64 + 2 * len(self.references)


def share(tensor, view):
    """Note that `view` is a view of `tensor`."""
    family = getattr(tensor, "_family", None)
    if family is None:
        family = tensor._family = Family(tensor)
    family.add(view)
    view._family = family


def tensors_beside(tensor):
    """The other tensors of the family, as far as they are still alive."""
    family = getattr(tensor, "_family", None)
    found = [reference() for reference in list(family.references)] if family else []
    return [other for other in found if other is not None and other is not tensor]
