"""The history of views whose memory was changed in place.

All views of one tensor, their base, have their elements from it. So a change of a view is a change
of the base, whose new history has the change in the place of the old elements. The views forget
their histories then, and each one that is asked for it afterwards is made anew, of the base as it
is: a change takes as long whether there is one view or a thousand.
"""

import numpy as np

from tinytorch import memory
from tinytorch.hooks import keep_grad
from tinytorch.node import Node, Rule
from tinytorch.ops.indexing import place, put_left
from tinytorch.tensor import Tensor


def become(tensor, node):
    """From now on, `tensor` is what `node` made, and the memory that it shares is, too."""
    base = getattr(tensor, "_base", tensor)
    if node is None and base._node is None:
        return
    if base is not tensor:
        if shows_twice(base._data):
            raise RuntimeError("the history of a part of repeated numbers is lost: clone() first")
        where = places_in(base._data, tensor._data)
        node = Node(COPY_SLICES, (base._node, node), (where,))
    take_history(base, node)
    views = getattr(base, "_views", set())
    for reference in list(views):
        if (view := reference()) is not None:
            view.__class__ = Stale
    views.clear()


def take_history(tensor, node):
    """The node of the tensor is `node`, and the gradient that the tensor retains is of that."""
    tensor._node = node
    if node is not None and tensor.retains_grad:
        keep_grad(tensor)


def made_anew(view):
    """The node of a view whose base was changed: its elements come from the base as it is now."""
    view.__class__ = Tensor
    base, node = view._base, None
    if base._node is not None:
        where = places_in(base._data, view._data)
        node = Node(AS_STRIDED, (base._node,), (base._data.shape, where))
    take_history(view, node)
    memory.share(base, view)
    return node


class Stale(Tensor):
    """A view that forgot its history. Whoever asks for its node turns it into a Tensor again."""

    __slots__ = ()
    _node = property(made_anew)


def as_strided_formula(grad, shape, where):
    return place(grad, (int(np.prod(shape)),), (where,)).reshape(shape)


def kept_formula(grad, where):
    return put_left(grad.reshape(-1), (where,)).reshape(grad.shape)


def changed_formula(grad, where):
    return grad.reshape(-1)[where]


AS_STRIDED = Rule("AsStridedBackward0", (as_strided_formula,))
COPY_SLICES = Rule("CopySlices", (kept_formula, changed_formula))


def places_in(base, view):
    """The flat positions in the array `base` of the elements of an array that is a view of it."""
    where = addresses(view)
    if base.flags.c_contiguous:
        return (where - base.ctypes.data) // base.itemsize
    there = addresses(base).ravel()
    order = np.argsort(there)
    return order[np.searchsorted(there, where, sorter=order)]


def shows_twice(array):
    """Are there two elements for which one number stands?"""
    if array.flags.forc:
        return False
    return np.unique(addresses(array)).size < array.size


def addresses(array):
    """Where in memory each element lies."""
    where = np.array(array.ctypes.data)
    for length, step in zip(array.shape, array.strides, strict=True):
        where = where[..., None] + np.arange(length) * step
    return where
