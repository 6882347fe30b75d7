"""The ctx: what one call of a Function offers to its forward, and remembers for its backward."""

import math

import numpy as np

from tinytorch import memory
from tinytorch.node import Node, freed_error
from tinytorch.outputs import OutputNode
from tinytorch.tensor import Tensor, wrap

NOTHING = ()
NOT_YET = math.inf  # a number for what is still being made: younger than anything


class Context(Node):
    """What one call of a Function remembers. It is also the call's node in the graph.

    `edges` holds a node for each argument of forward, None where no gradient is wanted: for what
    doesn't ask, and for what is no Tensor. `saved` holds a pair (array, node) for each saved tensor
    and None for a saved None. It holds no Tensor itself: a saved result would make a cycle.
    """

    __slots__ = ("__dict__", "_args", "_edges", "_function", "_results", "_to_save")
    _dirty = _not_differentiable = ()  # what few calls set goes into their __dict__
    _materialize = True

    def __init__(self, function, args):
        self._function = function
        self.hooks = self.rule = None
        self.number = NOT_YET
        self.saved = self._to_save = NOTHING
        edges = []
        for x in args:  # quicker than a comprehension, which is a call
            edges.append(x._node if isinstance(x, Tensor) else None)
        self.edges = self._edges = tuple(edges)  # twice, to notice if forward puts its own there

    @property
    def function(self):
        """The Function whose call this is."""
        return self._function

    @property
    def needs_input_grad(self):
        """A tuple with a bool for each argument of forward: is a gradient wanted for it?

        It's what `edges` knows, and so what was true when the call began.
        """
        # TODO exercise 9.1: save_for_backward and needs_input_grad
        raise NotImplementedError("exercise 9.1: Context.needs_input_grad")

    def save_for_backward(self, *tensors):
        """Keep these Tensors, a tuple, in `_to_save` for backward, and nowhere else.

        Some of them may be None. For anything else TypeError, and then none of these is kept. A
        second call keeps its own in place of the first's.
        """
        # TODO exercise 9.1: save_for_backward and needs_input_grad
        raise NotImplementedError("exercise 9.1: Context.save_for_backward")

    @property
    def saved_tensors(self):
        """The saved tensors; RuntimeError if they were freed, or changed in place since."""
        if self._to_save:  # forward still runs
            return self._to_save
        if self.saved is None:
            raise freed_error(self.name())
        if memory.last_change > self.number:
            self.check_versions()
        tensors = []
        for pair in self.saved:
            if pair is not None:
                array, node = pair
                pair = wrap(array, self.output_node(node) if type(node) is int else node)
            tensors.append(pair)
        return tuple(tensors)

    def mark_dirty(self, *tensors):
        """Say which inputs forward changed in place; it returns them too."""
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors):
        """Say through which results no gradient flows."""
        self._not_differentiable = tensors

    def set_materialize_grads(self, value):
        """With False, backward gets None, the known zero, and not a tensor of zeros."""
        self._materialize = value

    def materialized(self, parts):
        """A gradient for each of several results, as a list of Tensors, from those that arrived.

        `parts` is {number of a result: its gradient}, in any order, and `tensor_of` makes a Tensor
        of a gradient. `_results` has a pair (shape, dtype) for each result, None for what is no
        Tensor. Where no gradient arrived, there are new zeros of that shape and dtype, which may be
        written to, but None for what is no Tensor, and None instead of any zeros if `_materialize`
        is False. `parts` stays as it is, and isn't kept.
        """
        # TODO exercise 9.3: Context.materialized
        raise NotImplementedError("exercise 9.3: Context.materialized")

    def check_versions(self):
        """RuntimeError if the array of a saved pair was changed in place since it was saved.

        self.check_version(array), which any Node has, asks about one array, and raises it.
        """
        # TODO exercise 9.4: note_changes and check_versions
        raise NotImplementedError("exercise 9.4: Context.check_versions")

    # --- the node ---

    def name(self):
        return self._function.__name__ + "Backward"

    @property
    def operands(self):
        pairs = zip(self._args, self.edges, strict=False)  # a freed node has nothing behind it
        return tuple([node for tensor, node in pairs if tensor is not None])

    def output_node(self, index):
        """The node for result number `index`: this one, if it is the only one."""
        return OutputNode(self, index, len(self._results)) if self._results else self


def name_taken(ctx, name):
    whose = ctx._function.__name__
    return AttributeError(f"{whose}: ctx.{name} is taken by the graph; use another name for yours")


def tensor_of(grad):
    """The gradient as a Tensor; None stays None."""
    return grad if grad is None or type(grad) is Tensor else wrap(grad)
