"""Two switches, recording and training, and the graph as something to read: MXNet's way.

History is recorded with or without `record()`, until somebody switches grad mode off; `record()`
says besides that somebody asked for it. Training is a question that layers of your own may ask,
with is_training(); those of tinytorch.nn follow Module.train() and eval().
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
    """True if this thread rehearses, False in a performance."""
    return state.training


def set_recording(is_record):
    """Switch recording; returns what it was. Where it ends, `unrecorded` sets grad mode."""
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


# --- scopes: for a `with` block, or to decorate a function with. See state.Switch: only this thread
# is switched, from where the scope is entered, and at its end, exception or not, all is as before.
# Each call makes a new Switch: one that two threads share would mix up what they found.


def record(train_mode=True):
    """A scope that records, and trains unless `train_mode` says no.

    Inside, is_recording() is True, even if the scope itself stands inside no_grad(), and
    is_training() is `train_mode`. A set_recording(False) in there ends the recording: then nothing
    is recorded, whatever was so outside. All else is as outside.

    >>> with record():
    ...     is_recording(), is_training()
    (True, True)
    """
    return Switch(grad_enabled=True, recording=True, unrecorded=False, training=train_mode)


def pause(train_mode=False):
    """A scope that doesn't record, and doesn't train unless `train_mode` says so.

    Inside, is_recording() is False and nothing is recorded, and is_training() is `train_mode`.
    Somebody may record by hand in there: set_recording(True) gives False, as recording is off, and
    from set_recording(False) on nothing is recorded. After the scope nothing of that is left. All
    else is as outside.
    """
    return Switch(grad_enabled=False, recording=False, unrecorded=False, training=train_mode)


def train_mode():
    """A scope in which `training` is True; whether it records is as outside."""
    return Switch(training=True)


def predict_mode():
    """A scope in which `training` is False; whether it records is as outside."""
    return Switch(training=False)


# --- variables whose gradient goes into a tensor of your own ---


class WriteGrad(AccumulateGrad):
    """The node of a leaf whose gradient replaces what `.grad` held, in the same memory."""

    __slots__ = ()

    def backward(self, grad):
        """What a pass brings takes the place of the numbers in the leaf's `.grad`; gives ().

        The leaf is `self.variable`. Its `.grad` stays the same Tensor, in the same memory: one
        change in place, as copy_() makes it, so whoever saved the old numbers is told, and not even
        a NaN is left of them. `grad` is an array, or with create_graph=True a Tensor, whose history
        counts. If `.grad` is None, or the leaf doesn't require grad any more, it's a leaf like any
        other.
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
    """Make a leaf of the Tensor `variable`, in place, with `gradient` itself as its `.grad`.

    It forgets what it was made of, its hooks and any mark before. No numbers change yet. With
    "write" the leaf's node is a WriteGrad, and what a later pass brings replaces the numbers in
    `gradient`. With "add" it's added to them, as at any other leaf. With "null" the variable
    requires no grad, has no node, and `gradient` stays as it is. ValueError for any other
    `grad_req`: then nothing has changed. RuntimeError for "write" and "add" of integers, which have
    no gradient.

    >>> w, mine = Tensor(3.0), Tensor(100.0)
    >>> mark(w, mine, "add")
    >>> (4 * w).backward()
    >>> mine
    tensor(104.)
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
    """Go backward from all heads in a single pass, to every leaf behind them.

    `heads` and `head_grads`, the gradients that they start with, are as in with_ones(): a Tensor
    each or a list, and ones where there is none. What comes from several heads meets on the way,
    and goes on as a sum. The pass isn't recorded, and it frees the graph, unless `retain_graph` is
    True. While it runs, and no longer, is_training() is `train_mode`. That's the only switch you
    move: grad_enabled is the engine's.

    >>> x = Tensor([1.0, 2.0])
    >>> x.attach_grad()
    >>> backward(x * x)
    >>> x.grad
    tensor([2., 4.])
    """
    with Switch(training=train_mode):
        gradients.backward(heads, with_ones(heads, head_grads), retain_graph)


def grad(heads, variables, head_grads=None, retain_graph=None, create_graph=False, train_mode=True):
    """The gradients of `heads`: a Tensor for one variable, a list for a list of them.

    `.grad` is not touched. The other arguments are those of backward() and of autograd.grad().
    """
    with Switch(training=train_mode):
        head_grads = with_ones(heads, head_grads)
        found = gradients.grad(heads, variables, head_grads, retain_graph, create_graph)
    return found[0] if isinstance(variables, Tensor) else list(found)


def with_ones(heads, head_grads):
    """A list with a gradient for each head: the given one itself, or ones where there is none.

    None in the list means ones for that head, and `head_grads=None` ones for all. Each head's ones
    are a Tensor of their own, of its shape and dtype, which can be changed in place. They require
    no grad, whatever the head is. A single Tensor stands for a list of one, in both arguments.
    ValueError, with both counts in its text, if there aren't as many gradients as heads. Whether a
    given one fits its head isn't asked here.

    >>> with_ones([Tensor([3.0, 4.0]), Tensor(5.0)], [None, Tensor(7.0)])
    [tensor([1., 1.]), tensor(7.)]
    """
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
        """Keep tensors, or None in a tensor's place, for backward: self.saved_tensors there."""
        self.saved_tensors = tensors

    def __call__(self, *inputs):
        """What this object's forward gives for `inputs`, recorded as a single operation.

        The operation has the name of the class, and leads back through this object's backward.
        Each further call is a RuntimeError, also after a first one that failed, or that wasn't
        recorded. `self._used` says whether there was one: True or False.
        """
        if self._used:
            raise RuntimeError("this Function was called before; make a new one for each call")
        self._used = True
        return self._call.apply(self, *inputs)


class ObjectCall(function.Function):
    """The call of a Function object, as an operation of the kind that has a ctx.

    What the object saved is kept by the ctx. The object has it only while its backward runs.
    """

    @staticmethod
    def forward(ctx, owner, *inputs):
        """What the owner's forward gives for `inputs`; a list, even of one, becomes a tuple.

        What the owner saved meanwhile is the ctx's from then on, saved as an operation saves its
        tensors, and the owner's saved_tensors are () again. `ctx.owner` is the owner. Nothing else
        is kept, no input and no result. An exception comes out as it is.
        """
        results = owner.forward(*inputs)
        ctx.owner = owner
        ctx.save_for_backward(*owner.saved_tensors)
        owner.saved_tensors = ()
        return tuple(results) if isinstance(results, list) else results

    @staticmethod
    def backward(ctx, *grads):
        """A tuple with a gradient for each argument that forward got after the ctx, in order.

        The owner's is None. The inputs' are what owner.backward gives for `grads`, which it gets
        one by one, as they come: a Tensor, or a list or tuple with one for each input, None among
        them. While it runs, the owner's saved_tensors are what forward saved. Afterwards they're
        (), also if an exception ends it.
        """
        ctx.owner.saved_tensors = ctx.saved_tensors
        try:
            results = ctx.owner.backward(*grads)
        finally:
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
        """The names of the leaves, in the order of the entries: a new list at each call.

        >>> get_symbol(Tensor(2.0, requires_grad=True) * 3).list_arguments()
        ['x0']
        """
        return [entry.name for entry in self.entries if entry.operation is None]

    def __str__(self):
        return "\n".join(str(entry) for entry in self.entries)

    __repr__ = __str__


class SymbolEntry(namedtuple("SymbolEntry", "name operation inputs node")):
    """One line of a Symbol: an operation with its inputs' names. A leaf's operation is None."""

    def __str__(self):
        if self.operation is None:
            return f"{self.name}: leaf of shape {tuple(self.node.variable.shape)}"
        return f"{self.name} = {self.operation}({', '.join(self.inputs)})"


def get_symbol(x):
    """What was recorded on the way to the Tensor `x`, as a Symbol that can be read and printed.

    A line for each node, that of `x` and all behind it, each once, the oldest first: `entries` is a
    list. In this order leaves are x0, x1, ..., all others v0, v1, ...; a leaf's node is an
    AccumulateGrad of whatever kind. It changes nothing, keeps nothing for the next call, and twice
    as many nodes take twice as long.
    RuntimeError if `x` wasn't recorded, or if a part of its history has been freed. TypeError if
    it's no Tensor.

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
