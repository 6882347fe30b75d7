"""The call of a Function as a node: how it joins the graph, and how its backward is asked."""

from tinytorch.ctx import Context, tensor_of
from tinytorch.function_checks import among, as_gradients, check_count, fitting, meta
from tinytorch.memory import next_number
from tinytorch.node import Rule, freed_error, tell_watchers, watchers
from tinytorch.ops.view_history import become
from tinytorch.outputs import OutputNode, Parts
from tinytorch.state import state
from tinytorch.tensor import Tensor

SAVES = Rule("Function", ())
SAVES_NOTHING = Rule("Function", (), saves_arrays=False)


class FunctionNode(Context):
    """A ctx whose forward has run: it goes back by the backward of its Function."""

    __slots__ = ()

    def backward(self, grad):
        if self.saved is None:
            raise freed_error(self.name())
        grads = self.materialized(grad) if type(grad) is Parts else (tensor_of(grad),)
        results = self.function.backward(self, *grads)
        if type(results) is not tuple:
            results = as_gradients(results)
        if len(results) != len(self.edges):
            check_count(self.name(), results, len(self.edges))
        return [
            None if node is None or grad is None else self.checked(place, grad)
            for place, (node, grad) in enumerate(zip(self.edges, results))  # noqa: B905 - is slow
        ]

    def checked(self, place, grad):
        """A gradient that backward() returned, as the engine hands it on."""
        if type(grad) is not Tensor or (grad._data.shape, grad._data.dtype) != self._args[place]:
            grad = fitting(self.name(), place, grad, *self._args[place])
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
        self.rule = SAVES if self.saved else SAVES_NOTHING
        if self._dirty or self._not_differentiable:
            for tensor in self._dirty:
                become(tensor, tensor._node)
            self._dirty = self._not_differentiable = ()

    def unlinked(self, tensor):
        """A saved tensor as a pair (array, node); a result of ours with its number for the node."""
        node = tensor._node
        if node is self:
            node = 0
        elif type(node) is OutputNode and node.edges[0] is self:
            node = node.index
        return tensor._data, node
