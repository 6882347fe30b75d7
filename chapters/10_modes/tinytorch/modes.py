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
    # TODO exercise 10.1: record, pause, train_mode and predict_mode
    raise NotImplementedError("exercise 10.1: record")


def pause(train_mode=False):
    """A scope that doesn't record, and doesn't train unless `train_mode` says so.

    Inside, is_recording() is False and nothing is recorded, and is_training() is `train_mode`. A
    set_recording(True) in there finds recording off, and a set_recording(False) ends it: again,
    nothing is recorded. After the scope nothing of that is left. All else is as outside.
    """
    # TODO exercise 10.1: record, pause, train_mode and predict_mode
    raise NotImplementedError("exercise 10.1: pause")


def train_mode():
    """A scope in which `training` is True; whether it records is as outside."""
    # TODO exercise 10.1: record, pause, train_mode and predict_mode
    raise NotImplementedError("exercise 10.1: train_mode")


def predict_mode():
    """A scope in which `training` is False; whether it records is as outside."""
    # TODO exercise 10.1: record, pause, train_mode and predict_mode
    raise NotImplementedError("exercise 10.1: predict_mode")


# --- variables whose gradient goes into a tensor of your own ---


class WriteGrad(AccumulateGrad):
    """The node of a leaf whose gradient replaces what `.grad` held, in the same memory."""

    __slots__ = ()

    def backward(self, grad):
        """Write `grad` over the numbers in `variable.grad`; gives (). `self.variable` is the leaf.

        `variable.grad` stays the Tensor that it is, in the memory that it has, and the write counts
        as a change in place, like any copy_(). `grad` is an array, or with create_graph=True a
        Tensor, which brings its history along, where it has one. Where `variable.grad` is None, or
        where the variable doesn't require grad any more, this is an ordinary leaf:
        AccumulateGrad's own backward knows what to do.
        """
        # TODO exercise 10.4: WriteGrad.backward and mark
        raise NotImplementedError("exercise 10.4: WriteGrad.backward")


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
    """Make a leaf of one variable, in place, whose `.grad` is the tensor `gradient` itself.

    It forgets what it was made of, and any mark before. With "write" and "add" it asks for a
    gradient. "add" makes it an ordinary leaf: what arrives is added to the numbers in `gradient`.
    "write" gives it a node that replaces them, a WriteGrad. With "null" it asks for nothing, has no
    node, and no pass touches `gradient`. Marking alone changes no numbers. ValueError for any other
    `grad_req`: then nothing has changed. RuntimeError for "write" and "add" of integers, which have
    no gradient.
    """
    # TODO exercise 10.4: WriteGrad.backward and mark
    raise NotImplementedError("exercise 10.4: mark")


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

    `heads` is a Tensor or a list of them. `head_grads` are the gradients that they start with, and
    ones where there are none. All heads go in one pass, one call of gradients.backward, which isn't
    recorded itself. The graph is freed, unless `retain_graph` is True. While the pass runs, and no
    longer, is_training() is `train_mode`.

    >>> x = Tensor([1.0, 2.0])
    >>> x.attach_grad()
    >>> backward(x * x)
    >>> x.grad
    tensor([2., 4.])
    """
    # TODO exercise 10.5: with_ones and backward
    raise NotImplementedError("exercise 10.5: backward")


def grad(heads, variables, head_grads=None, retain_graph=None, create_graph=False, train_mode=True):
    """The gradients of `heads`: a Tensor for one variable, a list for a list of them.

    `.grad` is not touched. The other arguments are those of backward() and of autograd.grad().
    """
    with Switch(training=train_mode):
        head_grads = with_ones(heads, head_grads)
        found = gradients.grad(heads, variables, head_grads, retain_graph, create_graph)
    return found[0] if isinstance(variables, Tensor) else list(found)


def with_ones(heads, head_grads):
    """A list with a gradient for each head: the given one, or constant ones of the head's kind.

    Ones, of the head's shape and dtype, are for a head whose gradient is None, and for all heads
    if `head_grads` is None. They require no grad, whatever the head is. Both arguments may be a
    single Tensor in place of a list of one. ValueError, with both counts in its text, if there
    are not as many gradients as heads.
    """
    # TODO exercise 10.5: with_ones and backward
    raise NotImplementedError("exercise 10.5: with_ones")


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
        """The results of forward(*inputs), recorded; RuntimeError for each further call.

        `self._used` says if there was a first, even one whose forward failed. `self._call` is an
        ObjectCall with the name of this class: it's applied to this object and the inputs.
        """
        # TODO exercise 10.6: Function, an operation as an object
        raise NotImplementedError("exercise 10.6: Function.__call__")


class ObjectCall(function.Function):
    """The call of a Function object, as an operation of the kind that has a ctx.

    What the object saved is kept by the ctx. The object has it only while its backward runs.
    """

    @staticmethod
    def forward(ctx, owner, *inputs):
        """What the owner's forward gives for `inputs`; a list, even of one, becomes a tuple.

        The ctx notes the owner, as `ctx.owner`. What the owner saved moves to the ctx: there it's
        kept by ctx.save_for_backward, and the owner's saved_tensors are () again. The ctx keeps
        no other Tensor.
        """
        # TODO exercise 10.6: Function, an operation as an object
        raise NotImplementedError("exercise 10.6: ObjectCall.forward")

    @staticmethod
    def backward(ctx, *grads):
        """A gradient for each argument of forward. The owner's backward makes those of the inputs.

        owner.backward gets `grads` as they come, and gives a Tensor, or a list or tuple with one
        for each input. While it runs, the owner's saved_tensors are what was saved, and ()
        afterwards, whatever exception ends it.
        """
        # TODO exercise 10.6: Function, an operation as an object
        raise NotImplementedError("exercise 10.6: ObjectCall.backward")


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
        """The names of the leaves, the oldest first."""
        # TODO exercise 10.7: get_symbol
        raise NotImplementedError("exercise 10.7: Symbol.list_arguments")

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

    It has a list of one entry for each node in reachable([recorded_node(x)]), the oldest first. In
    this order, leaves (an AccumulateGrad each, of whatever kind) are called x0, x1, ..., and all
    others v0, v1, .... entry_of(node, names) makes the entry of a node; names is {node: name}, of
    this node and of all before it.

    >>> x = Tensor(2.0, requires_grad=True)
    >>> get_symbol((x * x).exp())
    x0: leaf of shape ()
    v0 = Mul(x0, x0)
    v1 = Exp(v0)
    """
    # TODO exercise 10.7: get_symbol
    raise NotImplementedError("exercise 10.7: get_symbol")


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
