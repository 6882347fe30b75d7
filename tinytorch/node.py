"""The graph: one node for every recorded operation, one for every leaf that wants a gradient."""

import weakref
from typing import Any

import numpy as np
from numpy import asarray, ndarray

from tinytorch import memory
from tinytorch.memory import next_number
from tinytorch.tensor import Tensor, method, wrap

OUTPUT = -1  # in Rule.links: this saved array is the operation's own result


class Rule:
    """How to go back through one kind of operation.

    `formulas` holds one function for each input: `formula(grad, *saved)` turns the gradient of
    the result into the gradient of that input. It returns a new array, a view, or `grad` itself.
    The very same array never goes to two inputs, the second gets a view of it: a leaf makes a
    copy of a view, but may keep an array.
    A formula is written with what arrays and Tensors share, so that it runs on arrays, and on
    Tensors when the backward pass is recorded too.

    `links` says for each saved array where it stands in the graph: the index of the input that
    it is, OUTPUT, or None for a constant. Where no array is saved, a graph can be used again.
    """

    __slots__ = ("formulas", "links", "name", "saves_arrays")

    def __init__(self, name, formulas, links=(), saves_arrays=True):
        self.name = name
        self.formulas = formulas
        self.links = links
        self.saves_arrays = saves_arrays


class Node:
    """One recorded operation.

    `edges` holds a node for each input (None where no gradient is wanted), `saved` what the
    formulas need, `number` when it was made: a node is younger than all that it points to.
    """

    __slots__ = ("__weakref__", "edges", "hooks", "number", "rule", "saved")

    def __init__(self, rule, edges, saved):
        self.rule = rule
        self.edges = edges
        self.saved = saved
        self.hooks = None
        self.number = next_number()
        if watchers:
            tell_watchers(self)

    @property
    def operands(self):
        """The nodes of all tensors that went in, None for a constant."""
        return self.edges

    @property
    def freed(self):
        """True if a backward pass has let go of what lies behind."""
        return self.saved is None

    def backward(self, grad):
        """The gradients of the inputs from the gradient of the result: a list, one for each edge.

        Each is what the rule's formula for that input makes of `grad` and what `saved_for(grad)`
        gives. Where the edge is None, so is the gradient, and the formula is not even called.
        `grad` is an array, a Tensor when the backward pass itself is recorded, or Parts where an
        operation has several results. Nobody may change it: it may be on its way to other nodes.
        The node, too, stays as it is. An error in a formula is not caught.
        """
        saved, edges, formulas = self.saved, self.edges, self.rule.formulas
        if saved is None or type(grad) is Tensor or memory.last_change > self.number:
            saved = self.saved_for(grad)  # elsewhere that's what was saved: a call less
        if len(edges) == 1:  # the loop below in one step, as in the next case: both are frequent
            return [edges[0] and formulas[0](grad, *saved)]
        if len(edges) == len(saved) == 2:
            (a, b), (x, y) = edges, saved
            return [a and formulas[0](grad, x, y), b and formulas[1](grad, x, y)]
        results = []
        for edge, formula in zip(edges, formulas):  # noqa: B905 - strict= is slow
            results.append(None if edge is None else formula(grad, *saved))
        return results

    def saved_for(self, grad):
        """What was saved, to be used with `grad`: as Tensors, if it is one; RuntimeError if freed.

        RuntimeError, too, if a saved array was changed in place in the meantime.
        """
        saved = self.saved
        if saved is None:
            raise freed_error(self.name())
        if memory.last_change > self.number:
            self.check_versions()
        return saved if type(grad) is not Tensor else self.saved_as_tensors()

    def saved_as_tensors(self):
        """What was saved, with the arrays that belong to the graph as Tensors in their places."""
        nodes = (*self.edges, self)  # OUTPUT, -1, finds the node itself
        links = self.rule.links
        return [
            item if place is None or item is None else wrap(item, nodes[place])
            for item, place in zip(self.saved, links, strict=False)
        ] + list(self.saved[len(links) :])

    @property
    def saved_tensors(self):
        """What was kept for the backward pass, as Tensors; RuntimeError if it was freed."""
        if self.saved is None:
            raise freed_error(self.name())
        return tuple([item for item in self.saved_as_tensors() if isinstance(item, Tensor)])

    def check_versions(self):
        """RuntimeError if a saved array was changed in place after it was saved."""
        for item in self.saved:
            if type(item) is np.ndarray:
                self.check_version(item)

    def check_version(self, array):
        """RuntimeError if this saved array was changed in place after it was saved."""
        if memory.changed_since(array, self.number):
            raise RuntimeError(
                f"{self.name()} saved a tensor of shape {array.shape} that was changed in place"
                " afterwards; change a clone() instead, or change it after backward()"
            )

    def name(self):
        """The name of the operation, as "MulBackward0"."""
        return self.rule.name

    @property
    def next_functions(self):
        """Pairs (node, number of its output), one for each input, (None, 0) for a constant."""
        return tuple([(None, 0) if node is None else node.as_function() for node in self.operands])

    def as_function(self):
        """What `grad_fn` and `next_functions` show: a node, and which of its results is meant."""
        return (self, 0)

    def __repr__(self):
        return f"<{self.name()}>"


_new = object.__new__


def with_node(array, rule, edges, saved):
    """A Tensor around `array` whose node is Node(rule, edges, saved).

    Every recorded operation ends here, so it is written out: calls would take twice as long.
    """
    node = _new(Node)
    node.rule, node.edges, node.saved, node.hooks = rule, edges, saved, None
    node.number = next_number()
    if watchers:
        tell_watchers(node)
    tensor = _new(Tensor)
    tensor._data = array if type(array) is ndarray else asarray(array)
    tensor._node, tensor._grad = node, None
    return tensor


class AccumulateGrad(Node):
    """The node of a leaf: the gradients that arrive here end in `variable.grad`.

    The leaf points to its node. The node points back weakly: a cycle would wait for the
    garbage collector.
    """

    __slots__ = ("array", "reference")
    rule_of_leaf = Rule("AccumulateGrad", (), saves_arrays=False)
    freed = False  # nothing lies behind a leaf

    def __init__(self, tensor):
        super().__init__(self.rule_of_leaf, (), ())
        self.reference = weakref.ref(tensor)
        self.array = tensor._data

    @property
    def variable(self):
        """The leaf, or where only the graph remembers it, a tensor like it."""
        tensor = self.reference()
        return wrap(self.array, self) if tensor is None else tensor

    def backward(self, grad):
        """Add `grad` to the leaf. Nothing lies behind it, so the gradients to send are ().

        `self.reference()` gives the leaf, or None if nobody holds it any more. Of a leaf that has
        stopped asking, `_node` is None. In both cases there's nobody to tell: nothing happens. A
        leaf that stopped and then asked again has a new node by now, and still gets what comes.
        """
        tensor = self.reference()
        if tensor is not None and tensor._node is not None:
            add_to_grad(tensor, grad)
        return ()


def add_to_grad(tensor, grad):
    """Add `grad` (a Tensor if the pass is recorded, else an array or number) to `tensor._grad`.

    If that's None, `own(grad)` goes there: a Tensor for the leaf to keep. After that, a Tensor
    is added as a new Tensor, so that the sum is recorded, with the old one and `grad` both in its
    history. Anything else is added into the memory of the old one, `old._data`, and `tensor._grad`
    is the same Tensor as before, even if that's a view or has a history (which a recorded pass may
    have left). Each time that happens, tell `memory.touch(array)` which array was changed.
    """
    old = tensor._grad
    if old is None:
        tensor._grad = own(grad)
    elif type(grad) is Tensor:
        tensor._grad = old + grad
    else:
        np.add(old._data, grad, out=old._data)
        memory.touch(old._data)


def own(grad):
    """A Tensor of the gradient for a leaf to keep: views of other memory are copied.

    An array of its own is taken as it is. Others may look at it during the pass, but nothing is
    added to it then: in a pass, a leaf has one turn.
    """
    if type(grad) is Tensor:
        return grad.clone()
    fresh = type(grad) is np.ndarray and grad.base is None
    return wrap(grad if fresh else np.array(grad, order="C"))


def seen_by_others(grad):
    """A view in place of an array: a leaf would add to the array itself, which a hook may hold."""
    return grad[...] if isinstance(grad, ndarray) else grad


watchers = []  # functions that are shown each new node (anomaly detection)


def tell_watchers(node):
    for watch in watchers:
        watch(node)


def freed_error(name):
    return RuntimeError(
        f"{name} was freed by an earlier backward(); to go through a graph a second time,"
        " pass retain_graph=True the first time"
    )


# --- what a tensor knows of the graph ---


@method("requires_grad_")
def requires_grad_(tensor, requires_grad=True):
    """Ask for a gradient in this leaf, or stop asking; returns the tensor.

    RuntimeError for integers, and for a result of operations that should stop asking.
    """
    if not isinstance(requires_grad, bool):
        raise TypeError(f"requires_grad must be a bool, got {requires_grad!r}")
    if not requires_grad:
        if not tensor.is_leaf:
            raise RuntimeError("only a leaf can stop requiring grad; use detach()")
        tensor._node = None
    elif tensor._node is None:
        if tensor._data.dtype.kind != "f":
            raise RuntimeError(f"only floating-point tensors can require grad, got {tensor.dtype}")
        tensor._node = AccumulateGrad(tensor)
    return tensor


def _get_requires_grad(tensor) -> bool:
    """True if gradients flow to or through this tensor."""
    return tensor._node is not None


def _get_is_leaf(tensor) -> bool:
    """True if no recorded operation made this tensor."""
    return tensor._node is None or isinstance(tensor._node, AccumulateGrad)


def _get_grad_fn(tensor) -> Any:
    """The node of the operation that made this tensor, None for a leaf."""
    return None if tensor.is_leaf else tensor._node.as_function()[0]


Tensor.requires_grad = property(_get_requires_grad, requires_grad_)
Tensor.is_leaf = property(_get_is_leaf)
Tensor.grad_fn = property(_get_grad_fn)
