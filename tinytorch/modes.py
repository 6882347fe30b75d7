"""Two switches, recording and training, and the graph as something to read: MXNet's way.

Here recording begins with `record()`; elsewhere, grad mode is on until somebody switches it off.
Both hold in one program: what is recorded is the same. Training is a question that layers of your
own may ask, with is_training(); those of tinytorch.nn follow Module.train() and eval().
"""

from collections import namedtuple
from itertools import count

import numpy as np

from tinytorch import function, gradients
from tinytorch.engine import reachable
from tinytorch.gradients import as_tuple
from tinytorch.node import AccumulateGrad, freed_error
from tinytorch.state import Switch, state
from tinytorch.tensor import Tensor, check_tensors, method, wrap


def is_recording():
    """True if this thread records history because record() or set_recording() says so."""
    return state.recording and state.grad_enabled


def is_training():
    """True if this thread rehearses: dropout drops, batch norm learns."""
    return state.training


def set_recording(is_record):
    """Switch recording; returns what it was. Where it ends, grad mode is as before it began."""
    before, state.recording = state.recording, bool(is_record)
    if is_record and not before:
        state.grad_enabled, state.unrecorded = True, state.grad_enabled
    elif before and not is_record:
        state.grad_enabled = state.unrecorded
    return before


def set_training(train_mode):
    """Switch training; returns what it was."""
    before, state.training = state.training, bool(train_mode)
    return before


def record(train_mode=True):
    """A scope that records, and by default trains.

    >>> with record():
    ...     is_recording(), is_training()
    (True, True)
    """
    return Switch(grad_enabled=True, recording=True, unrecorded=False, training=train_mode)


def pause(train_mode=False):
    """A scope that does not record, and by default does not train."""
    return Switch(grad_enabled=False, recording=False, unrecorded=False, training=train_mode)


def train_mode():
    """A scope that trains, recording or not as outside."""
    return Switch(training=True)


def predict_mode():
    """A scope that does not train, recording or not as outside."""
    return Switch(training=False)


# --- variables whose gradient goes into a tensor of your own ---


class WriteGrad(AccumulateGrad):
    """The node of a leaf whose gradient replaces what `.grad` held, in the same memory."""

    __slots__ = ()

    def backward(self, grad):
        """Write `grad` into the memory of `variable.grad`; nothing lies behind.

        Where there is no such memory, or the variable stopped asking, it's an ordinary leaf.
        """
        variable = self.variable
        if variable.grad is None or not variable.requires_grad:
            return super().backward(grad)
        variable.grad.copy_(grad)
        return ()


def mark_variables(variables, gradients, grad_reqs="write"):
    """Make leaves of `variables`: backward() fills the tensor given in `gradients` for each.

    `grad_reqs`, one for all or one each: "write" replaces what the tensor holds at each pass,
    "add" adds to it, "null" asks for no gradient.

    >>> x, dx = Tensor([1.0, 2.0]), Tensor([0.0, 0.0])
    >>> mark_variables(x, dx)
    >>> (x * x).sum().backward()
    >>> dx
    tensor([2., 4.])
    """
    variables, gradients = as_tuple(variables), as_tuple(gradients)
    if isinstance(grad_reqs, str):
        grad_reqs = [grad_reqs] * len(variables)
    if not len(variables) == len(gradients) == len(grad_reqs):
        counts = len(variables), len(gradients), len(grad_reqs)
        raise ValueError(f"pass as many of each: variables, gradients, grad_reqs; got {counts}")
    for variable, gradient, grad_req in zip(variables, gradients, grad_reqs, strict=True):
        mark(variable, gradient, grad_req)


def mark(variable, gradient, grad_req):
    """Make a leaf of one variable: its history is gone, its `.grad` is the tensor `gradient`.

    With "write" its node is a WriteGrad, with "add" that of any leaf; with "null" it has none.
    ValueError for another `grad_req`.
    """
    if grad_req not in ("write", "add", "null"):
        raise ValueError(f"grad_req is 'write', 'add' or 'null', got {grad_req!r}")
    variable.detach_().requires_grad_(grad_req != "null")
    variable.grad = gradient
    if grad_req == "write":
        variable._node = WriteGrad(variable)


@method("attach_grad")
def attach_grad(tensor, grad_req="write") -> None:
    """mark_variables() for one tensor, with a new tensor of zeros for its gradient.

    >>> x = Tensor([1.0, 2.0])
    >>> x.attach_grad()
    >>> with record():
    ...     y = x * x
    >>> y.sum().backward()
    >>> x.grad
    tensor([2., 4.])
    """
    mark(tensor, wrap(np.zeros_like(tensor._data)), grad_req)


# --- backward and grad, with the mode that the backward pass runs in ---


def backward(heads, head_grads=None, retain_graph=False, train_mode=True):
    """Fill the gradients of the marked variables.

    `head_grads` are the gradients of the heads, None (for all, or for one of them) for ones.

    >>> x = Tensor([1.0, 2.0])
    >>> x.attach_grad()
    >>> backward(x * x)
    >>> x.grad
    tensor([2., 4.])
    """
    with Switch(training=train_mode):
        gradients.backward(heads, with_ones(heads, head_grads), retain_graph)


def grad(heads, variables, head_grads=None, retain_graph=None, create_graph=False, train_mode=True):
    """The gradients of `heads`: a Tensor for one variable, a list for a list of them."""
    with Switch(training=train_mode):
        head_grads = with_ones(heads, head_grads)
        found = gradients.grad(heads, variables, head_grads, retain_graph, create_graph)
    return found[0] if isinstance(variables, Tensor) else list(found)


def with_ones(heads, head_grads):
    """A gradient for each head: ones where none is given."""
    heads = as_tuple(heads)
    head_grads = (None,) * len(heads) if head_grads is None else as_tuple(head_grads)
    if len(head_grads) != len(heads):
        raise ValueError(f"pass as many head_grads as heads: got {len(head_grads)}, {len(heads)}")
    pairs = zip(heads, head_grads, strict=True)
    return [wrap(np.ones_like(h._data)) if grad is None else grad for h, grad in pairs]


@method("asnumpy")
def asnumpy(tensor) -> np.ndarray:
    """A copy of the numbers as an array, whatever was recorded."""
    return tensor._data.copy()


# --- a Function used as an object ---


class Function:
    """An operation of your own as an object that is called once.

    >>> class Sigmoid(Function):
    ...     def forward(self, x):
    ...         y = 1 / (1 + (-x).exp())
    ...         self.save_for_backward(y)
    ...         return y
    ...     def backward(self, dy):
    ...         (y,) = self.saved_tensors
    ...         return dy * y * (1 - y)
    >>> Sigmoid()(Tensor(0.0, requires_grad=True))
    tensor(0.5000, grad_fn=<SigmoidBackward>)
    """

    _used = False
    saved_tensors = ()

    def __init_subclass__(cls):
        super().__init_subclass__()
        cls._call = type(cls.__name__, (ObjectCall,), {})  # its name is what the graph shows

    def save_for_backward(self, *tensors):
        """Keep tensors for backward, where they are `self.saved_tensors`."""
        self.saved_tensors = tensors

    def __call__(self, *inputs):
        """The results of forward(*inputs), recorded; RuntimeError for a second call.

        `self._call` is a function.Function like ObjectCall, whose first argument is this object.
        """
        if self._used:
            raise RuntimeError("this Function was called before; make a new one for each call")
        self._used = True
        return self._call.apply(self, *inputs)


class ObjectCall(function.Function):
    """The call of a Function object. The object holds saved tensors only while it runs."""

    @staticmethod
    def forward(ctx, owner, *inputs):
        """What the owner's forward gives, a tuple for a list.

        The ctx remembers the owner, and keeps its saved tensors for it, which forgets them.
        """
        results = owner.forward(*inputs)
        ctx.owner = owner
        ctx.save_for_backward(*owner.saved_tensors)
        owner.saved_tensors = ()
        return tuple(results) if isinstance(results, list) else results

    @staticmethod
    def backward(ctx, *grads):
        """What the owner's backward gives, as a tuple, behind a None for the owner itself.

        The owner has its saved tensors back while its backward runs.
        """
        ctx.owner.saved_tensors = ctx.saved_tensors
        results = ctx.owner.backward(*grads)
        ctx.owner.saved_tensors = ()
        return None, *as_tuple(results)


# --- the recorded computation as a graph to read ---


class Symbol:
    """What was recorded before a tensor: `entries` holds a line for each node, the oldest first."""

    def __init__(self, entries):
        self.entries = entries

    @property
    def name(self):
        """The name of the result."""
        return self.entries[-1].name

    def list_arguments(self):
        """The names of the leaves."""
        return [entry.name for entry in self.entries if entry.operation is None]

    def __str__(self):
        return "\n".join(str(entry) for entry in self.entries)

    __repr__ = __str__


class SymbolEntry(namedtuple("SymbolEntry", "name operation inputs node")):
    """One line of a Symbol: a leaf, or an operation with the names of its inputs."""

    def __str__(self):
        if self.operation is None:
            return f"{self.name}: leaf of shape {tuple(self.node.variable.shape)}"
        return f"{self.name} = {self.operation}({', '.join(self.inputs)})"


def get_symbol(x):
    """The computation recorded before the tensor `x`, as a Symbol that can be read and printed.

    Leaves are called x0, x1, ... and results v0, v1, ..., the oldest first. `entry_of(node, names)`
    makes the line of a node, where {node: name} knows all nodes up to this one.

    >>> x = Tensor(2.0, requires_grad=True)
    >>> get_symbol((x * x).exp())
    x0: leaf of shape ()
    v0 = Mul(x0, x0)
    v1 = Exp(v0)
    """
    names, entries, counts = {}, [], {"x": count(), "v": count()}
    for node in reachable([recorded_node(x)]):
        kind = "x" if isinstance(node, AccumulateGrad) else "v"
        names[node] = f"{kind}{next(counts[kind])}"
        entries.append(entry_of(node, names))
    return Symbol(entries)


def recorded_node(x):
    """The node of the tensor `x`; RuntimeError if it has none."""
    check_tensors("get_symbol", x=x)
    if x._node is None:
        raise RuntimeError("get_symbol() needs a tensor that was recorded; it requires no grad")
    return x._node


def entry_of(node, names):
    """The line for a node; {node: name} knows its own name and those of its inputs."""
    if node.freed:
        raise freed_error(node.name())
    inputs = ["constant" if edge is None else names[edge] for edge in node.operands]
    leaf = isinstance(node, AccumulateGrad)
    operation = None if leaf else node.name().removesuffix("0").removesuffix("Backward")
    return SymbolEntry(names[node], operation, inputs, node)
