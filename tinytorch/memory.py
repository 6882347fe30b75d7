"""Which memory was changed in place, when, and which tensors are views of one another.

Views share memory, so a change belongs to the memory and not to one tensor. Nodes of the graph
and changes are numbered by one clock. If the memory of an array that a node saved was changed at
a later number than the node's, the gradient would be wrong, and the backward pass must stop.
"""

import weakref
from itertools import count

from numpy import asarray, ndarray

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
    while (base := array.base) is not None:
        if not isinstance(base, ndarray):  # a Layout, NumPy's own of them, or a memoryview
            base = getattr(base, "base", getattr(base, "obj", None))
            if not isinstance(base, ndarray):
                break
        array = base
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


class Layout:
    """Where numpy.asarray() finds the elements of a view that goes through memory in other steps.

    NumPy makes it the `.base` of the view, so that this and all of its parts know where they are
    from.
    """

    def __init__(self, base, shape, strides, writeable):
        self.base = base
        self.__array_interface__ = {
            "shape": shape,
            "strides": strides,
            "typestr": base.dtype.str,
            "data": (base.ctypes.data, not writeable),
            "version": 3,
        }


def is_repeated(shape, strides):
    """Does one number stand for many elements, along a dimension in which nobody moves?"""
    steps = [step for length, step in zip(shape, strides, strict=True) if length > 1]
    return 0 in steps and 0 not in shape


def writable(array, repeated=False):
    """`array` once more, where NumPy may write to it, or None.

    It may if nothing but the repetition in a view of which this is a part forbade it, and nothing
    is repeated in this part, or `repeated` says that it doesn't matter.
    """
    if is_repeated(array.shape, array.strides) and not repeated:
        return None
    if array.flags.writeable:
        return array
    source = array
    while not source.flags.writeable:
        whole = source.base if isinstance(source.base, ndarray) else source
        if not isinstance(whole.base, Layout):
            return None
        source = whole.base.base
    return asarray(Layout(array, array.shape, array.strides, True))


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
