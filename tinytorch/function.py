"""Operations of your own: Function, which turns a forward and a backward into an operation."""

from functools import wraps
from typing import Any

from tinytorch import memory
from tinytorch.ctx import NOT_YET, NOTHING
from tinytorch.function_checks import among, apart, as_gradients, as_results, in_order, taken_by
from tinytorch.function_node import FunctionNode
from tinytorch.grad_mode import no_grad
from tinytorch.node import Node, Rule
from tinytorch.ops.inplace import check_writable
from tinytorch.state import state
from tinytorch.tensor import Tensor, wrap


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
    >>> Double.apply(tinytorch.tensor([1.0, 2.0], requires_grad=True))
    tensor([2., 4.], grad_fn=<DoubleBackward>)
    """

    _has_setup = False  # is there a setup_context, so that forward takes no ctx?

    def __init_subclass__(cls):
        super().__init_subclass__()
        cls._has_setup = cls.setup_context is not Function.setup_context
        if "vjp" in vars(cls):  # another name of backward
            cls.backward = vars(cls)["vjp"]

    @staticmethod
    def forward(ctx, *args, **kwargs):
        """Compute the result, a Tensor or a tuple of them; save on ctx what backward needs."""
        raise NotImplementedError("a Function needs a static method forward(ctx, ...)")

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Where it is defined, it saves on ctx, and forward is called without ctx."""

    @staticmethod
    def backward(ctx, *grads, **kwargs):
        """The gradient of each argument of forward, from the gradient of each result."""
        raise NotImplementedError("a Function needs a static method backward(ctx, ...)")

    @classmethod
    def apply(cls, *args, **kwargs) -> "Tensor | Any":
        """Run forward, and record the call if an argument requires grad and recording is on.

        Arguments may come by keyword, and those with a default may be left out. Each call has a ctx
        of its own, whose `edges` know which of them required grad when the call began. Results are
        Tensors of their own, even in calls that aren't recorded. Nothing but the graph holds on to
        args and results.

        If forward returned a tuple (a namedtuple counts), return a plain tuple of the results,
        otherwise the one result: a list is one result.
        """
        args = in_order(cls, args, kwargs)
        ctx = FunctionNode(cls, args)
        outputs = run_forward(cls, ctx, args)
        results = results_of(ctx, args, outputs)
        if any(ctx.edges) and state.grad_enabled:
            ctx.finish(args, results)
        return tuple(results) if isinstance(outputs, tuple) else results[0]


def run_forward(function, ctx, args):
    """What call_forward() gives, with state.grad_enabled False while it runs: nothing is recorded.

    Afterwards it is what it was before, even after an exception, which comes out as it is. Nothing
    else is switched.
    """
    before, state.grad_enabled = state.grad_enabled, False
    try:
        return call_forward(function, ctx, args)
    finally:
        state.grad_enabled = before


def call_forward(function, ctx, args):
    """forward(ctx, *args), or forward(*args) and then setup_context(ctx, args, outputs)."""
    if not function._has_setup:
        return function.forward(ctx, *args)
    outputs = function.forward(*args)
    function.setup_context(ctx, args, outputs)
    return outputs


def results_of(ctx, args, outputs):
    """A list of what forward returned, as Tensors of their own; what it changed is counted."""
    untouched = ctx.edges is ctx._edges and ctx.saved is NOTHING and ctx.number is NOT_YET
    if not untouched or ctx.rule is not None or ctx.hooks is not None:
        raise taken_by(ctx)
    results = [outputs] if type(outputs) is Tensor else as_results(outputs)
    if ctx._dirty:
        note_changes(ctx, results)
    for place, x in enumerate(results):
        if isinstance(x, Tensor) and (x._node is not None or among(x, args)):  # an old one
            results[place] = apart(x, ctx)
    return results


def note_changes(ctx, results):
    """Check and count the changes in place that forward declared: `ctx._dirty` has the tensors.

    RuntimeError at the first that isn't itself among the `results`, or that mustn't be changed: it
    isn't counted. If there's none, the clock is told of each one's array, `tensor._data`, once.
    """
    for tensor in ctx._dirty:
        if not among(tensor, results):
            raise RuntimeError("a tensor marked dirty must be among the results of forward")
        check_writable(tensor)
        memory.touch(tensor._data)


def once_differentiable(backward):
    """Decorator for a backward that computes on arrays, so that it cannot be differentiated.

    The new backward `wraps` the old one: it has its name and docstring, and runs it under
    no_grad(), with ctx and the gradients just as they came. In a pass that is recorded
    (state.grad_enabled is True when it's called), it returns a tuple of gradients that are all
    `refusing` to be differentiated. In any other pass it returns what the old one returned, as it
    is. It keeps nothing of a call, not even on ctx.
    """

    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        return tuple([refusing(x, ctx, grads) for x in as_gradients(results)])

    return wrapped


def refusing(result, ctx, grads):
    """The same values, with a node that raises RuntimeError when differentiated; None as None.

    Its edges lead to all that the values may depend on: the inputs of the call, and `grads`.
    """
    if not isinstance(result, Tensor):
        return result
    nodes = [*ctx.edges, *[grad._node for grad in grads if grad is not None]]
    rule = Rule("OnceDifferentiable", (once_error(ctx.function),))
    return wrap(result._data, Node(rule, tuple([node for node in nodes if node is not None]), ()))


def once_error(function):
    """A formula that raises: the backward of this Function can't be differentiated."""

    def formula(grad):
        raise RuntimeError(
            f"the backward of {function.__name__} is marked @once_differentiable:"
            " it has no second derivative"
        )

    return formula
