"""autograd.graph: what a graph saves for its way back goes through functions of yours."""

import threading
from contextlib import contextmanager

from numpy import ndarray

from tinytorch import memory, node
from tinytorch.function_node import FunctionNode
from tinytorch.grad_mode import no_grad
from tinytorch.node import OUTPUT, Node
from tinytorch.ops.conversion import clone
from tinytorch.tensor import Tensor, check_tensors, wrap


class Packed:
    """What pack_hook made of a saved tensor, in the place of its array."""

    __slots__ = ("held", "unpack")

    def __init__(self, tensor, pack, unpack):
        with no_grad():
            self.held, self.unpack = pack(tensor), unpack

    def array(self):
        """The array of the Tensor that unpack_hook gives; TypeError for anything else."""
        with no_grad():
            tensor = self.unpack(self.held)
        if not isinstance(tensor, Tensor):
            raise TypeError(f"unpack_hook must return a Tensor, got {type(tensor).__name__}")
        return tensor._data


class Packing:
    """What a node does whose saved arrays are Packed: they are arrays while it goes back."""

    __slots__ = ()

    def backward(self, grad):
        with self.unpacked():
            return super().backward(grad)

    @property
    def saved_tensors(self):
        with self.unpacked():
            return super().saved_tensors

    @contextmanager
    def unpacked(self):
        packed = self.saved
        self.saved = packed and tuple([self.opened(item) for item in packed])
        try:
            yield
        finally:
            self.saved = packed


class PackedNode(Packing, Node):
    __slots__ = ()

    def pack(self, *hooks):
        """Put something Packed in the place of each array that was saved."""
        nodes, links, found = (*self.edges, None), self.rule.links, []
        for place, item in enumerate(self.saved):
            if type(item) is ndarray:
                link = links[place] if place < len(links) else None
                # a result goes without its history: with it, the graph would hold itself
                origin = None if link in (None, OUTPUT) else nodes[link]
                item = Packed(wrap(item, origin), *hooks)
            found.append(item)
        self.saved = tuple(found)

    @staticmethod
    def opened(item):
        return item.array() if type(item) is Packed else item


class PackedCall(Packing, FunctionNode):
    __slots__ = ()

    def pack(self, *hooks):
        """The same for pairs (array, node); a result of the call itself has a number for a node."""
        found = []
        for pair in self.saved:
            if pair is not None:
                array, origin = pair
                tensor = wrap(array, None if type(origin) is int else origin)
                pair = Packed(tensor, *hooks), origin
            found.append(pair)
        self.saved = tuple(found)

    @staticmethod
    def opened(pair):
        if pair is None or type(pair[0]) is not Packed:
            return pair
        return pair[0].array(), pair[1]


KINDS = {Node: PackedNode, FunctionNode: PackedCall}


class Hooked(threading.local):
    """The pairs of hooks of the `with` blocks that a thread is in, the innermost last."""

    def __init__(self):
        self.pairs = []


hooked = Hooked()


def pack_saved(made):
    """What the watchers of new nodes do: pack what this one saved."""
    if hooked.pairs and made.saved and type(made) in KINDS:
        made.__class__ = KINDS[type(made)]
        made.pack(*hooked.pairs[-1])


class saved_tensors_hooks:
    """A `with` block: each tensor that is saved for backward goes through `pack_hook`.

    It may return anything, which is kept in the tensor's place. Backward gives that to
    `unpack_hook`, which returns the tensor, or one with the same numbers. Of blocks inside one
    another, the innermost counts. Both hooks run under no_grad(), and what they are given is only
    to be read.

    >>> sizes, x = [], tinytorch.ones(3, requires_grad=True)
    >>> with saved_tensors_hooks(lambda saved: sizes.append(saved.shape) or saved, lambda x: x):
    ...     y = x.exp().sum()
    >>> sizes
    [tinytorch.Size([3])]
    """

    def __init__(self, pack_hook, unpack_hook):
        self._pair = pack_hook, unpack_hook

    def __enter__(self):
        hooked.pairs.append(self._pair)
        node.watchers.append(pack_saved)  # once for each block of any thread
        return self

    def __exit__(self, *exception):
        hooked.pairs.pop()
        node.watchers.remove(pack_saved)


class save_on_cpu(saved_tensors_hooks):
    """A `with` block that changes nothing: all tensors are on the CPU."""

    def __init__(self, pin_memory=False, device_type="cuda"):
        super().__init__(lambda tensor: tensor, lambda tensor: tensor)


class allow_mutation_on_saved_tensors(saved_tensors_hooks):
    """A `with` block in which what was saved may be changed in place: copies are saved.

    >>> x = tinytorch.tensor([3.0], requires_grad=True)
    >>> y = x * 1
    >>> with allow_mutation_on_saved_tensors():
    ...     z = (y * y).sum()
    >>> _ = y.zero_()
    >>> z.backward()
    >>> x.grad
    tensor([6.])
    """

    def __init__(self):
        super().__init__(clone, lambda tensor: tensor)


def increment_version(tensor):
    """Count a change in place that was made to the memory of one tensor, or of each of several."""
    for each in (tensor,) if isinstance(tensor, Tensor) else tensor:
        check_tensors("increment_version", tensor=each)
        memory.touch(each._data)
