"""Read the graph behind a tensor, whatever state the code that made it is in."""

import inspect
import sys
from dataclasses import dataclass, field

import numpy as np


@dataclass(eq=False)
class Operation:
    """One call of a Function: its name, its inputs that are tensors, its other inputs by name."""

    name: str
    inputs: list
    settings: dict
    freed: bool
    call: object


@dataclass(eq=False)
class Node:
    """A tensor of the graph. `kind` is "leaf", "constant" or "result"."""

    tensor: object
    name: str
    kind: str
    operation: Operation | None

    @property
    def value(self):
        """Its numbers as an array; None where only the graph remembers it."""
        return numbers_of(self.tensor)

    @property
    def grad(self):
        """Its gradient as it is now: an array, None, or a text that says what is there instead."""
        grad = getattr(self.tensor, "grad", None)
        if grad is None:
            return None
        array = numbers_of(grad)
        return f"is a {type(grad).__name__}" if array is None else array


@dataclass(eq=False)
class Graph:
    """All tensors behind `root`, inputs before results, and what a reader should be told."""

    root: Node
    nodes: list
    notes: list = field(default_factory=list)

    def named(self, name):
        """The node of that name, or None."""
        return next((node for node in self.nodes if node.name == name), None)

    @property
    def operations(self):
        return [node.operation for node in self.nodes if node.operation is not None]


def read_graph(root, names=None):
    """The Graph behind the tensor `root`; TypeError if it is not a tensor.

    `names` maps names to tensors; without it, the variables of the caller give the names. A
    Symbol of the library stands for its last entry, and brings names of its own.
    """
    if hasattr(root, "entries"):
        things = [getattr(entry.node, "variable", entry.node) for entry in root.entries]
        names = {entry.name: x for entry, x in zip(root.entries, things, strict=True)}
        return Reader(names, Constant).read(things[-1])
    if not hasattr(root, "data") or isinstance(root, (np.ndarray, np.generic)):
        raise TypeError(f"a graph is drawn from a Tensor, got {type(root).__name__} {root!r}")
    return Reader(caller_names(2) if names is None else names).read(root)


def caller_names(depth):
    """The variables that the caller sees, those with a leading underscore left out."""
    frame = sys._getframe(depth)
    variables = {**frame.f_globals, **frame.f_locals}
    return {name: value for name, value in variables.items() if not name.startswith("_")}


def numbers_of(thing):
    """The array in a tensor, an array or a plain number; None if there is none."""
    for _ in range(3):
        if isinstance(thing, (np.ndarray, np.generic, int, float)):
            return np.asarray(thing)
        thing = (
            getattr(thing, "_data", None)
            if hasattr(thing, "_data")
            else getattr(thing, "data", None)
        )
    return None


class Constant:
    """Stands for an input of which the graph only knows that no gradient of it is wanted."""


class Reader:
    """Walks from a tensor to all that is behind it, with a list instead of recursion.

    `constant` makes a thing for each input that a node of the library didn't keep; without it,
    they're left out.
    """

    def __init__(self, names, constant=lambda: None):
        self.names, self.holders, self.constant = {}, {}, constant
        for name in sorted(names, key=lambda name: (len(name), name), reverse=True):
            value = names[name]
            if isinstance(value, np.ndarray) or hasattr(value, "data") or is_node(value):
                self.remember(name, value)
        self.notes = []

    def remember(self, name, tensor):
        """The last name that comes is kept: the shortest, then the first in the alphabet."""
        self.names[id(tensor)] = name
        try:
            call = getattr(tensor, "grad_fn", None)
        except Exception:  # a variable of the caller's that we know nothing about
            return
        if is_node(call):
            self.holders[id(call)] = tensor

    def read(self, root):
        nodes, open_ids, stack = {}, set(), [(root, False)]
        while stack:
            thing, inputs_done = stack.pop()
            if inputs_done:
                open_ids.discard(id(thing))
                nodes[id(thing)] = self.node(thing, nodes)
            elif id(thing) not in nodes and id(thing) not in open_ids:
                open_ids.add(id(thing))
                stack.append((thing, True))
                waiting = [x for x in self.inputs(thing) if id(x) not in nodes]
                stack.extend((x, False) for x in waiting)
        return Graph(nodes[id(root)], list(nodes.values()), self.notes)

    def inputs(self, thing):
        """The inputs of the call that made this tensor: tensors, arrays, plain values."""
        call = call_of(thing)
        if is_node(call):
            edges = [edge for edge, _ in call.next_functions]
            found = [self.holder(edge, (id(call), k)) for k, edge in enumerate(edges)]
            return [x for x in found if x is not None]
        inputs = getattr(call, "inputs", ())
        inputs = inputs if isinstance(inputs, (tuple, list)) else (inputs,)
        return [x for x in inputs if is_drawn(x)]

    def holder(self, edge, place=None):
        """The tensor that a node of the library belongs to, or the node, if nobody holds one.

        A constant has no node (None), and is known by its place: which call, which of the inputs.
        """
        key = place if edge is None else id(edge)
        if key not in self.holders:
            self.holders[key] = self.constant() if edge is None else getattr(edge, "variable", edge)
        return self.holders[key]

    def node(self, thing, nodes):
        call, name = call_of(thing), self.names.get(id(thing), "")
        if call is None:
            return Node(thing, name, leaf_or_constant(thing, name), None)
        inputs = []
        for x in self.inputs(thing):
            if id(x) in nodes:
                inputs.append(nodes[id(x)])
            else:  # still open: the way back leads through this tensor itself
                self.notes.append(f"a cycle: {name or 'a result'} is made from itself")
        freed = not inputs and getattr(call, "_saved", ()) is None
        operation = Operation(operation_name(call), inputs, settings_of(call), freed, call)
        return Node(thing, name, "result", operation)


def is_node(thing):
    """Whether it is a node of the library's graph, which stands where nobody holds its tensor."""
    return hasattr(thing, "next_functions")


def call_of(thing):
    """The ctx or node that made this tensor; None for a tensor without a past."""
    return thing if is_node(thing) else getattr(thing, "grad_fn", None)


def is_drawn(x):
    """Whether an input has a box: a tensor or an array; an exponent or an axis has none."""
    return hasattr(x, "grad_fn") or isinstance(x, np.ndarray) or type(x).__name__ == "Tensor"


def leaf_or_constant(thing, name):
    wants_grad = getattr(thing, "requires_grad", bool(name))
    return "leaf" if wants_grad is True and not isinstance(thing, np.ndarray) else "constant"


def operation_name(call):
    function = getattr(call, "function", None)
    if function is not None:
        return getattr(function, "__name__", type(function).__name__)
    name = getattr(call, "name", "")
    name = name() if callable(name) else name
    return str(name or type(call).__name__).removesuffix("0").removesuffix("Backward")


def settings_of(call):
    """The inputs that are not tensors, under the names that forward gives them."""
    inputs = getattr(call, "inputs", ())
    if not isinstance(inputs, (tuple, list)):
        return {}
    try:
        names = list(inspect.signature(call.function.forward).parameters)[1:]
    except (AttributeError, TypeError, ValueError):
        names = []
    names += [f"input {i}" for i in range(len(names), len(inputs))]
    pairs = zip(names, inputs, strict=False)
    return {name: x for name, x in pairs if not is_drawn(x) and x is not None and x is not False}
