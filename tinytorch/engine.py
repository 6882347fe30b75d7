"""The backward pass: gradients go from the youngest node to the oldest.

A node is younger than all the nodes that it points to. So taking the youngest first is a
topological order: when a node's turn comes, all gradients that it will get have arrived.
"""

from heapq import heapify, heappop, heappush

from tinytorch.node import seen_by_others


def take_turn(node, grad):
    """What a node sends to each of its edges, where hooks may change what comes and what goes."""
    if node.hooks is None and not inspectors:
        return node.backward(grad)
    return ask(node, grad if node.hooks is None else node.hooks.before(grad))


def ask(node, grad):
    """What a node makes of its gradient, after the hooks before it: the second half of a turn."""
    if node.hooks is None:
        results = node.backward(grad)
    else:
        results = node.hooks.after(node.backward(seen_by_others(grad)), grad)
    if inspectors:
        show_inspectors(node, results)
    return results


def deliver(result, edge, grads, heap):
    """Add a gradient to what the node `edge` has in `grads`, {node: gradient}.

    Afterwards the node is waiting. `grads` alone says who was waiting before: whoever wasn't goes
    on the heap, as the pair (-edge.number, edge), so that heappop gives the youngest, and whoever
    was does not go there again. A first gradient stays as it came, whatever it is. A sum is a new
    array, or a new Tensor where the pass is recorded: what came may be on its way to another node
    too. The heap may be long: don't look through it.
    """
    if edge in grads:
        grads[edge] = grads[edge] + result  # +: the edge's result was used more than once
    else:
        grads[edge] = result
        heappush(heap, (-edge.number, edge))  # the least comes first, so the youngest


def run(seeds, retain_graph=False, turn=take_turn):
    """Walk the graph from `seeds`, {node: gradient}: arrays, or Tensors to record the pass itself.

    Of all nodes that wait, and there may be many, the youngest goes next. `turn(node, grad)` gets
    its complete gradient, which isn't kept after that, and gives one for each edge: where neither
    edge nor gradient is None, it's delivered. If `turn` gives None instead, the walk doesn't go on
    behind this node, which keeps what it holds.

    Otherwise, unless `retain_graph`, the node lets go as soon as its gradients are sent: `edges`
    becomes () and `saved` None. If `rule.saves_arrays` is False, there's nothing large to free,
    and the node stays as it is.

    `seeds` isn't changed. An error in a turn is not caught, and a turn may begin another pass.
    """
    grads, heap = dict(seeds), [(-node.number, node) for node in seeds]
    heapify(heap)
    while heap:
        place, node = 0, heappop(heap)[1]
        if (results := turn(node, grads.pop(node))) is None:
            continue
        for edge in node.edges:
            if edge is not None and results[place] is not None:
                deliver(results[place], edge, grads, heap)
            place += 1  # noqa: SIM113 - by hand, for zip and enumerate take a tenth of the pass
        if not retain_graph and node.rule.saves_arrays:
            node.edges, node.saved = (), None


def reachable(nodes):
    """All nodes that lie behind `nodes`, these included: a list, each once, the oldest first.

    An edge that is None leads to no node. `nodes` may be any collection, and stays as it is. The
    graph may be deep and large: nothing calls itself, and no list is gone through or copied for
    each node, nor moved up, as pop(0) does.
    """
    found, stack = set(nodes), list(nodes)
    while stack:
        for edge in stack.pop().edges:
            if edge is not None and edge not in found:
                found.add(edge)
                stack.append(edge)
    return sorted(found, key=lambda node: node.number)


inspectors = []  # functions that are shown each node's results (anomaly detection)


def show_inspectors(node, results):
    for inspect in inspectors:
        inspect(node, results)
