"""Operations of your own: Function, and the ctx that links its forward to its backward."""

from functools import wraps
from inspect import signature

import numpy as np
from numpy import ndarray

from tinytorch import memory
from tinytorch.grad_mode import no_grad
from tinytorch.memory import next_number
from tinytorch.node import Node, Rule, freed_error, tell_watchers, watchers
from tinytorch.operation import unbroadcast
from tinytorch.ops.inplace import check_writable, take_history, tell_views
from tinytorch.outputs import OutputNode, Parts
from tinytorch.state import state
from tinytorch.tensor import Tensor, wrap


class Context(Node):
    """What one call of a Function remembers. It is also the call's node in the graph.

    `saved` holds pairs (array, node): no Tensor, for a saved result would make a cycle.
    """

    __slots__ = ("__dict__", "_args", "_results", "_to_save", "function")
    _dirty = _not_differentiable = ()  # what few calls set goes into their __dict__
    _materialize = True

    def __init__(self, function, args):
        self.function = function
        self.hooks = None
        self.saved = self._to_save = ()
        self.edges = tuple([x._node if isinstance(x, Tensor) else None for x in args])

    @property
    def needs_input_grad(self):
        """For each argument of forward: True if a gradient is wanted for it."""
        return tuple([node is not None for node in self.edges])

    def save_for_backward(self, *tensors):
        """Keep tensors (or None) for backward; TypeError for anything else."""
        for tensor in tensors:
            if tensor is not None and not isinstance(tensor, Tensor):
                kind = type(tensor).__name__
                raise TypeError(f"save_for_backward() takes tensors, got {kind}; use ctx.name = it")
        self._to_save = tensors

    @property
    def saved_tensors(self):
        """The saved tensors; RuntimeError if they were freed, or changed in place since."""
        if self._to_save:  # forward still runs
            return self._to_save
        if self.saved is None:
            raise freed_error(self.name())
        if memory.last_change > self.number:
            self.check_versions()
        return tuple([pair and self.restored(*pair) for pair in self.saved])

    def restored(self, array, node):
        return wrap(array, self.output_node(node) if type(node) is int else node)

    def mark_dirty(self, *tensors):
        """Say which inputs forward changed in place; it returns them too."""
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors):
        """Say through which results no gradient flows."""
        self._not_differentiable = tensors

    def set_materialize_grads(self, value):
        """With False, backward gets None, the known zero, and not a tensor of zeros."""
        self._materialize = value

    # --- the node ---

    def name(self):
        return self.function.__name__ + "Backward"

    @property
    def operands(self):
        pairs = zip(self._args, self.edges, strict=False)  # a freed node has nothing behind it
        return tuple([node for tensor, node in pairs if tensor is not None])

    def output_node(self, index):
        """The node for result number `index`: this one, if it is the only one."""
        return OutputNode(self, index, len(self._results)) if self._results else self

    def check_versions(self):
        for pair in self.saved:
            if pair is not None:
                self.check_version(pair[0])

    def backward(self, grad):
        if self.saved is None:
            raise freed_error(self.name())
        grads = self.of_results(grad) if type(grad) is Parts else (tensor_of(grad),)
        results = self.function.backward(self, *grads)
        if type(results) is not tuple:
            results = tuple(results) if isinstance(results, list) else (results,)
        if len(results) != len(self.edges):
            self.check_count(results, len(self.edges))
        return [
            None if node is None or grad is None else self.checked(place, grad)
            for place, (node, grad) in enumerate(zip(self.edges, results))  # noqa: B905 - is slow
        ]

    def check_count(self, results, count):
        if len(results) < count or any(grad is not None for grad in results[count:]):
            raise RuntimeError(
                f"{self.name()} returned {len(results)} gradients for {count} inputs;"
                " return one for each argument of forward, None where there is none"
            )

    def of_results(self, parts):
        """A gradient for each result of forward: zeros, or None, where none arrived."""
        zeros = [np.zeros(*x) if self._materialize and x else None for x in self._results]
        return [tensor_of(parts.get(index, zero)) for index, zero in enumerate(zeros)]

    def checked(self, place, grad):
        """A gradient that backward() returned, in the shape and the dtype of its input."""
        if not isinstance(grad, Tensor):
            kind = type(grad).__name__
            raise TypeError(f"{self.name()} returned {kind} as gradient {place}, not a Tensor")
        shape, dtype = self._args[place]
        if grad._data.shape != shape:
            if not spreads_to(shape, grad.shape):
                raise RuntimeError(
                    f"{self.name()} returned a gradient of shape {tuple(grad.shape)}"
                    f" for input {place} of shape {shape}"
                )
            grad = unbroadcast(grad, shape)
        if grad._data.dtype is not dtype:
            grad = grad.to(dtype)
        # a view: the array may be the user's own, and no leaf may keep it as its grad
        return grad if state.grad_enabled else grad._data[...]

    def finish(self, args, results):
        """Become part of the graph, once forward has returned `results`."""
        self._args = [meta(x) for x in args]
        self._results = [meta(x) for x in results] if len(results) > 1 else None
        self.number = next_number()  # after what forward changed: that is the state it saved
        if watchers:
            tell_watchers(self)
        for index, x in enumerate(results):
            floating = isinstance(x, Tensor) and x._data.dtype.kind == "f"
            if floating and not among(x, self._not_differentiable):
                x._node = self.output_node(index)
        self.saved = tuple([x if x is None else self.unlinked(x) for x in self._to_save])
        self._to_save = ()
        if self._dirty or self._not_differentiable:
            for tensor in self._dirty:
                take_history(tensor, tensor._node)
                tell_views(tensor)
            self._dirty = self._not_differentiable = ()

    def unlinked(self, tensor):
        """A saved tensor as a pair (array, node); a result of ours with its number for the node."""
        node = tensor._node
        if node is self:
            node = 0
        elif type(node) is OutputNode and node.edges[0] is self:
            node = node.index
        return tensor._data, node


def meta(value):
    """Shape and dtype of a tensor, None for anything else."""
    return (value._data.shape, value._data.dtype) if isinstance(value, Tensor) else None


def tensor_of(grad):
    return grad if grad is None or type(grad) is Tensor else wrap(grad)


def among(tensor, tensors):
    """True if `tensor` itself is one of `tensors`; `in` would compare elements."""
    for other in tensors:  # noqa: SIM110 - any() takes three times as long
        if other is tensor:
            return True
    return False


def spreads_to(shape, wider):
    """True if an array of `shape` can be broadcast to the shape `wider`."""
    pairs = zip(shape[::-1], wider[::-1], strict=False)
    return len(shape) <= len(wider) and all(n in (1, m) for n, m in pairs)


class Function:
    """An operation that you define: subclass it, write static forward and backward, call apply.

    `forward(ctx, *args)` computes; `backward(ctx, *grads)` gets one gradient for each result and
    returns one for each argument, None for those that are no tensors.

    >>> class Double(Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return x * 2
    ...     @staticmethod
    ...     def backward(ctx, grad_y):
    ...         return grad_y * 2
    >>> Double.apply(Tensor([1.0, 2.0], requires_grad=True))
    tensor([2., 4.], grad_fn=<DoubleBackward>)
    """

    _has_setup = False  # is there a setup_context, so that forward takes no ctx?

    def __init_subclass__(cls):
        super().__init_subclass__()
        cls._has_setup = cls.setup_context is not Function.setup_context
        if "vjp" in vars(cls):  # another name of backward
            cls.backward = vars(cls)["vjp"]

    @staticmethod
    def forward(ctx, *args):
        """Compute the result, a Tensor or a tuple of them; save on ctx what backward needs."""
        raise NotImplementedError("a Function needs a static method forward(ctx, ...)")

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Where it is defined, it saves on ctx, and forward is called without ctx."""

    @staticmethod
    def backward(ctx, *grads):
        """The gradient of each argument of forward, from the gradient of each result."""
        raise NotImplementedError("a Function needs a static method backward(ctx, ...)")

    @classmethod
    def apply(cls, *args, **kwargs):
        """Run forward, and record the call if an argument requires grad."""
        if kwargs or cls._has_setup:
            args = in_order(cls, args, kwargs)
        ctx = Context(cls, args)
        outputs = run_forward(cls, ctx, args)
        results = as_results(outputs)
        if ctx._dirty:
            note_changes(ctx, results)
        results = [apart(x, args, ctx) for x in results]
        if any(ctx.edges) and state.grad_enabled:
            ctx.finish(args, results)
        return tuple(results) if isinstance(outputs, tuple) else results[0]


def in_order(function, args, kwargs):
    """All arguments of forward in the order in which it names them, defaults included."""
    if "_signature" not in vars(function):
        function._signature = signature(function.forward)  # once: it takes longer than a call
    before = () if function._has_setup else (None,)  # a place for ctx
    if not kwargs and len(before) + len(args) == len(function._signature.parameters):
        return args
    bound = function._signature.bind(*before, *args, **kwargs)
    bound.apply_defaults()
    return bound.args[len(before) :]


def run_forward(function, ctx, args):
    """What forward returns; it runs without being recorded."""
    before, state.grad_enabled = state.grad_enabled, False
    try:
        if not function._has_setup:
            return function.forward(ctx, *args)
        outputs = function.forward(*args)
        function.setup_context(ctx, args, outputs)
        return outputs
    finally:
        state.grad_enabled = before


def as_results(outputs):
    """A list of what forward returned, arrays as Tensors."""
    if isinstance(outputs, Tensor):
        return [outputs]
    results = outputs if isinstance(outputs, tuple) else (outputs,)
    return [wrap(x) if isinstance(x, (ndarray, np.generic)) else x for x in results]


def note_changes(ctx, results):
    """Check and count the in-place changes that forward declared."""
    for tensor in ctx._dirty:
        if not among(tensor, results):
            raise RuntimeError("a tensor marked dirty must be among the results of forward")
        check_writable(tensor)
        memory.touch(tensor._data)


def apart(result, args, ctx):
    """The result; a Tensor of its own over the same memory where forward gave back an old one."""
    old = isinstance(result, Tensor) and (result._node is not None or among(result, args))
    if not old or among(result, ctx._dirty):
        return result
    new = wrap(result._data)
    if among(result, ctx._not_differentiable):
        ctx._not_differentiable = (*ctx._not_differentiable, new)
    return new


def once_differentiable(backward):
    """Decorator for a backward that computes on arrays, so that it cannot be differentiated.

    Differentiating its results raises RuntimeError, where otherwise they would pass as constants.
    """

    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        results = results if isinstance(results, tuple) else (results,)
        return tuple([refusing(x) for x in results])

    return wrapped


def refusing(tensor):
    """The same values, with a node that refuses to be differentiated."""
    return None if tensor is None else wrap(tensor._data, Node(ONCE, (Node(ONCE, (), ()),), ()))


def once_error(grad):
    raise RuntimeError(
        "the backward of this Function is marked @once_differentiable: it has no second derivative"
    )


ONCE = Rule("OnceDifferentiable", (once_error,))
