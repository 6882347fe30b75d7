"""The backward pass: gradients go from the youngest node to the oldest.

A node is younger than all the nodes that it points to. So taking the youngest first is a
topological order: when a node's turn comes, all gradients that it will get have arrived.
"""

from heapq import heappop, heappush

import numpy as np

from tinytorch.node import add_to_grad
from tinytorch.state import Switch
from tinytorch.tensor import Tensor, check_tensors, method, wrap


@np.errstate(all="ignore")  # infinity and NaN are results here
def run(seeds, retain_graph=False, wanted=None, enter=None):
    """Walk the graph from `seeds`, {node: gradient}: arrays, or Tensors to record the pass itself.

    Where some gradients are asked for, only the nodes in `wanted` have their turn, and
    `enter(node, grad)` sees the complete gradient of each, and says whether to go on.
    """
    grads = dict(seeds)
    heap = [(-node.number, node) for node in sorted(grads, key=lambda node: -node.number)]
    while heap:
        node = heappop(heap)[1]
        grad = grads.pop(node)
        if wanted is not None and node not in wanted:
            continue  # not complete: what comes from nodes without a turn is missing
        if node.hooks is not None:
            grad = node.hooks.before(grad)
        if enter is not None and not enter(node, grad):
            continue
        results = node.backward(grad)
        if node.hooks is not None:
            results = node.hooks.after(results, grad)
        if inspectors:
            show_inspectors(node, results)
        for place, edge in enumerate(node.edges):
            result = results[place]
            if edge is None or result is None:
                continue
            if edge in grads:
                grads[edge] = grads[edge] + result  # +: the edge's result was used more than once
            else:
                grads[edge] = result
                heappush(heap, (-edge.number, edge))
        if not retain_graph:
            node.behind, node.saved = (), None  # let go of what was used


inspectors = []  # functions that are shown each node's results (anomaly detection)


def show_inspectors(node, results):
    for inspect in inspectors:
        inspect(node, results)


def reachable(nodes):
    """All nodes that lie behind `nodes`, these included, the oldest first."""
    found, stack = set(nodes), list(nodes)
    while stack:
        for edge in stack.pop().edges:
            if edge is not None and edge not in found:
                found.add(edge)
                stack.append(edge)
    return sorted(found, key=lambda node: node.number)


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

    def enter(node, grad):
        if node in targets:
            found[node] = grad
        return node in towards

    run(seeds, retain_graph, targets | towards, enter)
    return found


# --- the two ways to call it ---


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
        if root._data.size != 1:
            raise RuntimeError(
                f"grad can be created only for one element, got shape {root._data.shape};"
                " call .sum() first or pass gradient="
            )
        return wrap(np.ones_like(root._data))
    gradient = gradient if isinstance(gradient, Tensor) else Tensor(gradient)
    if gradient._data.shape != root._data.shape:
        raise RuntimeError(
            f"the gradient has shape {gradient._data.shape}, not {root._data.shape} as its tensor"
        )
    return gradient.to(root.dtype)


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, *, inputs=None):
    """Add to `.grad` of the leaves (or of `inputs` only) the gradients of `tensors`.

    >>> x = Tensor(3.0, requires_grad=True)
    >>> backward(x * x)
    >>> x.grad
    tensor(6.)
    """
    roots = as_tuple(tensors)
    retain_graph = create_graph if retain_graph is None else retain_graph
    with Switch(grad_enabled=create_graph):
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


def grad(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    only_inputs=True,
    allow_unused=None,
    materialize_grads=False,
):
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
def backward_of(tensor, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    """Add to `.grad` of every leaf before this tensor the gradient of this tensor for it.

    A tensor of one element starts with gradient 1; any other needs `gradient`, of its shape.
    """
    gradients = None if gradient is None else (gradient,)
    backward((tensor,), gradients, retain_graph, create_graph, inputs=inputs)
