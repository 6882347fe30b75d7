"""The call of a Function as a node: how it joins the graph, and how its backward is asked."""

from tinytorch.ctx import Context, name_taken
from tinytorch.function_checks import among, as_gradients, check_count, fitting, metas
from tinytorch.memory import next_number
from tinytorch.node import Rule, freed_error, tell_watchers, watchers
from tinytorch.ops.view_history import become
from tinytorch.outputs import OutputNode, Parts
from tinytorch.state import state
from tinytorch.tensor import Tensor, wrap

SAVES = Rule("Function", ())
SAVES_NOTHING = Rule("Function", (), saves_arrays=False)


class FunctionNode(Context):
    """A ctx whose forward has run: it goes back by the backward of its Function."""

    __slots__ = ()

    def backward(self, grad):
        if self.saved is None:
            raise freed_error(self.name())
        if type(grad) is Parts:
            results = self._function.backward(self, *self.materialized(grad))
        else:  # one call less than tensor_of()
            one = grad if type(grad) is Tensor else wrap(grad)
            results = self._function.backward(self, one)
        if type(results) is not tuple:
            results = as_gradients(results)
        if len(results) != len(self.edges):
            check_count(self.name(), results, len(self.edges))
        return self._checked(results)

    def _checked(self, results):
        """The gradients that backward() returned, as the engine hands them on."""
        recorded, found = state.grad_enabled, []
        for node in self.edges:
            grad = results[len(found)]
            if node is None or grad is None:
                found.append(None)
                continue
            meta = self._args[len(found)]
            if type(grad) is not Tensor or (grad._data.shape, grad._data.dtype) != meta:
                grad = fitting(self.name(), len(found), grad, *meta)
            # a view: the array may be the user's own, and no leaf may keep it as its grad
            found.append(grad if recorded else grad._data[...])
        return found

    def finish(self, args, results):
        """Become part of the graph, once forward has returned `results`."""
        self._args = metas(args)
        self._results = metas(results) if len(results) > 1 else None
        self.number = next_number()  # after what forward changed: that is the state it saved
        for index, x in enumerate(results):
            floating = isinstance(x, Tensor) and x._data.dtype.kind == "f"
            if floating and not (self._not_differentiable and among(x, self._not_differentiable)):
                x._node = self.output_node(index) if self._results else self
        self.saved, self._to_save = self._unlinked(self._to_save), ()
        self.rule = SAVES if self.saved else SAVES_NOTHING
        if watchers:
            tell_watchers(self)
        if self._dirty or self._not_differentiable:
            for tensor in self._dirty:
                become(tensor, tensor._node)
            self._dirty = self._not_differentiable = ()

    def _unlinked(self, tensors):
        """Pairs (array, node) for saved tensors; a result of ours has its number for the node."""
        pairs = []
        for tensor in tensors:
            if tensor is None:
                pairs.append(None)
                continue
            node = tensor._node
            if node is self:
                node = 0
            elif type(node) is OutputNode and node.edges[0] is self:
                node = node.index
            pairs.append((tensor._data, node))
        return tuple(pairs)


def lasting(name):
    """What FunctionNode has as `name`, as a property: no Function puts its own in its place."""
    own = getattr(FunctionNode, name)

    def refuse(ctx, value):
        raise name_taken(ctx, name)

    return property(own.fget if isinstance(own, property) else own.__get__, refuse)


for _name in ("as_function", "check_version", "check_versions", "function", "name"):
    setattr(FunctionNode, _name, lasting(_name))
