"""The graph: one node for every recorded operation, one for every leaf that wants a gradient."""

import weakref

import numpy as np

from tinytorch import memory
from tinytorch.memory import next_number
from tinytorch.tensor import Tensor, method, wrap

OUTPUT = -1  # in Rule.links: this saved array is the operation's own result


class Rule:
    """How to go back through one kind of operation.

    `formulas` holds one function for each input: `formula(grad, *saved)` turns the gradient of
    the result into the gradient of that input. It returns a new array, a view, or `grad` itself.
    A formula is written with what arrays and Tensors share, so that it runs on arrays, and on
    Tensors when the backward pass is recorded too.

    `links` says for each saved array where it stands in the graph: the index of the input that
    it is, OUTPUT, or None for a constant.
    """

    __slots__ = ("formulas", "links", "name")

    def __init__(self, name, formulas, links=()):
        self.name = name
        self.formulas = formulas
        self.links = links


class Node:
    """One recorded operation.

    `behind` holds a node for each input (None where no gradient is wanted), `saved` what the
    formulas need, `number` when it was made: a node is younger than all that it points to.
    """

    __slots__ = ("__weakref__", "behind", "hooks", "number", "rule", "saved")

    def __init__(self, rule, behind, saved):
        self.rule = rule
        self.behind = behind  # one node may stand bare: a tuple more for the collector to visit
        self.saved = saved
        self.hooks = None
        self.number = next_number()
        if watchers:
            tell_watchers(self)

    @property
    def edges(self):
        """The nodes of the inputs, as a tuple; of two inputs, perhaps only that of one."""
        behind = self.behind
        return behind if type(behind) is tuple else (behind,)

    @property
    def operands(self):
        """The nodes of all operands, None for a constant."""
        behind = self.behind
        if type(behind) is tuple or len(self.rule.links) != 2:
            return self.edges
        return tuple([None if place is None else behind for place in self.rule.links])

    @property
    def freed(self):
        """True if a backward pass has let go of what lies behind."""
        return self.saved is None

    def backward(self, grad):
        """The gradients of the inputs, in the order of `edges`, from the gradient of the result.

        `grad` is an array, or a Tensor when the backward pass itself is recorded.
        """
        saved = self.saved
        if saved is None:
            raise freed_error(self.name())
        if memory.last_change > self.number:
            self.check_versions()
        if type(grad) is Tensor:
            saved = self.saved_as_tensors()
        if type(self.behind) is not tuple:
            return (self.rule.formulas[0](grad, *saved),)
        return [
            None if edge is None else formula(grad, *saved)
            for edge, formula in zip(self.edges, self.rule.formulas, strict=False)
        ]

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
        return (self, 0)

    def __repr__(self):
        return f"<{self.name()}>"


class AccumulateGrad(Node):
    """The node of a leaf: the gradients that arrive here end in `variable.grad`.

    The leaf points to its node. The node points back weakly: a cycle would keep both alive.
    """

    __slots__ = ("array", "reference")
    rule_of_leaf = Rule("AccumulateGrad", ())
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
        tensor = self.reference()
        if tensor is not None and tensor._node is not None:  # it may have stopped asking since
            add_to_grad(tensor, grad)
        return ()


class Parts(dict):
    """The gradients of an operation's `count` results, {number of the result: gradient}.

    Two of these add up, so that the engine treats them like any other gradient.
    """

    __slots__ = ("count",)

    def __init__(self, count, grads):
        super().__init__(grads)
        self.count = count

    def __add__(self, other):
        both = Parts(self.count, self)
        for index, grad in other.items():
            both[index] = both[index] + grad if index in both else grad
        return both


class OutputNode(Node):
    """One of `count` results of an operation: it files its gradient under its number."""

    __slots__ = ("count", "index")
    rule_of_output = Rule("Output", ())

    def __init__(self, node, index, count):
        super().__init__(self.rule_of_output, node, ())
        self.index = index
        self.count = count

    def backward(self, grad):
        if self.freed:
            raise freed_error("this result")
        return (Parts(self.count, {self.index: grad}),)

    def name(self):
        return self.edges[0].name() if self.edges else "Output"

    def as_function(self):
        return (self.edges[0], self.index) if self.edges else (self, self.index)


def add_to_grad(tensor, grad):
    """Add `grad` (an array, or a recorded Tensor) to `tensor.grad`."""
    old = tensor._grad
    if type(grad) is Tensor:
        tensor._grad = grad.clone() if old is None else old + grad
    elif old is None:
        # a view (of another gradient, or one number stretched to a shape) is not ours to keep
        ours = type(grad) is np.ndarray and grad.base is None
        tensor._grad = wrap(grad if ours else np.array(grad, order="C"))
    else:
        np.add(old._data, grad, out=old._data)
        memory.touch(old._data)


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


def _get_requires_grad(tensor):
    """True if gradients flow to or through this tensor."""
    return tensor._node is not None


def _get_is_leaf(tensor):
    """True if no recorded operation made this tensor."""
    return tensor._node is None or isinstance(tensor._node, AccumulateGrad)


def _get_grad_fn(tensor):
    """The node of the operation that made this tensor, None for a leaf."""
    return None if tensor.is_leaf else tensor._node.as_function()[0]


Tensor.requires_grad = property(_get_requires_grad, requires_grad_)
Tensor.is_leaf = property(_get_is_leaf)
Tensor.grad_fn = property(_get_grad_fn)
