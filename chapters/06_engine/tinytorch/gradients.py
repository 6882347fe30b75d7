"""The two ways to ask for gradients: backward() adds to `.grad`, grad() gives them back."""

import numpy as np

from tinytorch.engine import ask, reachable, run
from tinytorch.node import add_to_grad
from tinytorch.state import Switch, state
from tinytorch.tensor import Tensor, check_tensors, method, wrap

# --- where a pass begins ---


def as_tuple(tensors):
    """A tuple of tensors from one tensor or a sequence of them."""
    return (tensors,) if isinstance(tensors, Tensor) else tuple(tensors)


def make_seeds(roots, gradients, create_graph):
    """The dict {node: gradient} that starts a backward pass; RuntimeError where there is none."""
    gradients = (None,) * len(roots) if gradients is None else gradients
    if isinstance(gradients, Tensor):
        gradients = (gradients,)
    if len(gradients) != len(roots):
        raise RuntimeError(f"got {len(gradients)} gradients for {len(roots)} tensors")
    seeds = {}
    for root, gradient in zip(roots, gradients, strict=True):
        seed = seed_of(root, gradient)
        seed = seed if create_graph else seed._data[...]  # a view: it is never kept as a .grad
        node = root._node
        seeds[node] = seeds[node] + seed if node in seeds else seed
    return seeds


def seed_of(root, gradient):
    """The Tensor to start from at `root`: `gradient`, or 1 for a single element."""
    check_tensors("backward", root=root)
    if root._node is None:
        raise RuntimeError(
            "this tensor does not require grad; set requires_grad=True on an input of its history"
        )
    if gradient is None:
        return one_for(root)
    gradient = gradient if isinstance(gradient, Tensor) else Tensor(gradient)
    if gradient._data.shape != root._data.shape:
        raise RuntimeError(
            f"the gradient has shape {gradient._data.shape}, not {root._data.shape} as its tensor"
        )
    return gradient.to(root.dtype)


def one_for(root):
    """The gradient 1 of a tensor of one element; RuntimeError for any other."""
    if root._data.size != 1:
        raise RuntimeError(
            f"grad can be created only for one element, got shape {root._data.shape};"
            " call .sum() first or pass gradient="
        )
    return wrap(np.array(1, root._data.dtype, ndmin=root._data.ndim))


# --- a pass to some nodes only ---


def nodes_towards(targets, roots):
    """The nodes between `roots` and `targets`: those with a path to a target behind them.

    A freed node that is younger than a target may have had one: its turn is an error.
    """
    towards, oldest = set(), min(node.number for node in targets)
    for node in reachable(roots):
        forgotten = node.freed and node.number > oldest
        if forgotten or any(edge in targets or edge in towards for edge in node.edges):
            towards.add(node)
    return towards


def run_to(targets, seeds, retain_graph=False):
    """The gradients of the nodes in `targets`, a dict; those that nothing reached are left out."""
    targets, found = set(targets), {}
    if not targets:
        raise RuntimeError("no inputs were given to find gradients for")
    towards = nodes_towards(targets, seeds)

    def turn(node, grad):
        if node not in targets and node not in towards:
            return None  # its gradient is not complete: nodes without a turn send nothing
        if node.hooks is not None:
            grad = node.hooks.before(grad)
        if node in targets:
            found[node] = grad
        return ask(node, grad) if node in towards else None

    run(seeds, retain_graph, turn)
    return found


# --- backward() and grad() ---


@np.errstate(all="ignore")  # infinity and NaN are results here
def backward(
    tensors, grad_tensors=None, retain_graph=None, create_graph=False, *, inputs=None
) -> None:
    """Add to `.grad` of the leaves (or of `inputs` only) the gradients of `tensors`.

    >>> x = Tensor(3.0, requires_grad=True)
    >>> backward(x * x)
    >>> x.grad
    tensor(6.)
    """
    roots = as_tuple(tensors)
    retain_graph = create_graph if retain_graph is None else retain_graph
    before, state.grad_enabled = state.grad_enabled, create_graph
    try:
        seeds = make_seeds(roots, grad_tensors, create_graph)
        if inputs is None:
            run(seeds, retain_graph)
            return
        inputs = as_tuple(inputs)
        found = run_to([node_of(tensor) for tensor in inputs], seeds, retain_graph)
        for tensor in inputs:
            gradient = found.pop(tensor._node, None)  # pop: an input may be named twice
            if gradient is not None and not tensor.retains_grad:
                keep(tensor, gradient)
    finally:
        state.grad_enabled = before


def keep(tensor, gradient):
    """Add the gradient of one of the inputs to its `.grad`; the hooks of a leaf follow."""
    add_to_grad(tensor, gradient)
    if tensor.is_leaf and tensor._node.hooks is not None:
        tensor._node.hooks.after((), gradient)


def node_of(tensor):
    """The node of an input whose gradient is asked for; RuntimeError where there is none."""
    check_tensors("grad", input=tensor)
    if tensor._node is None:
        raise RuntimeError("one of the inputs does not require grad; nothing was recorded for it")
    return tensor._node


@np.errstate(all="ignore")
def grad(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    only_inputs=True,
    allow_unused=None,
    materialize_grads=False,
) -> "tuple[Tensor, ...]":
    """The gradients of `outputs` for `inputs`, as a tuple of Tensors; `.grad` is not touched.

    An input that the outputs do not depend on gives RuntimeError, None with `allow_unused`,
    zeros with `materialize_grads`. `only_inputs` says what is always so.

    >>> x = Tensor(3.0, requires_grad=True)
    >>> grad(x * x, x)
    (tensor(6.),)
    """
    roots, inputs = as_tuple(outputs), as_tuple(inputs)
    retain_graph = create_graph if retain_graph is None else retain_graph
    with Switch(grad_enabled=create_graph):
        seeds = make_seeds(roots, grad_outputs, create_graph)
        found = run_to([node_of(tensor) for tensor in inputs], seeds, retain_graph)
    how = (allow_unused, materialize_grads, create_graph)
    return tuple([result_of(found.get(x._node), x, *how) for x in inputs])


def result_of(grad, tensor, allow_unused, materialize, recorded):
    """What grad() returns for one input: a Tensor, or None for the known zero."""
    if grad is not None:
        return grad if type(grad) is Tensor else wrap(np.array(grad))
    if materialize:
        return wrap(np.zeros_like(tensor._data)).requires_grad_(recorded)
    if not allow_unused:
        raise RuntimeError("an input was not used; pass allow_unused=True to get None for it")
    return None


@method("backward")
def backward_of(tensor, gradient=None, retain_graph=None, create_graph=False, inputs=None) -> None:
    """Add to `.grad` of every leaf before this tensor the gradient of this tensor for it.

    A tensor of one element starts with gradient 1; any other needs `gradient`, of its shape.
    """
    gradients = None if gradient is None else (gradient,)
    backward((tensor,), gradients, retain_graph, create_graph, inputs=inputs)
