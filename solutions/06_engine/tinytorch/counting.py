"""The other order: a node's turn comes when everyone who uses its result has spoken."""

from tinytorch.engine import reachable, take_turn


def count_uses(root):
    """How many gradients each node will hear: {node: the number of edges that lead to it}.

    `root` and all nodes behind it are in, each once; nothing leads to `root`, so it has 0. An
    edge counts each time, so that x has 2 in x * x. An edge that is None leads nowhere. The graph
    may be large: no list is gone through or copied for each node.
    """
    uses = dict.fromkeys(reachable([root]), 0)
    for node in uses:
        for edge in node.edges:
            if edge is not None:
                uses[edge] += 1
    return uses


def run_by_counting(root, seed, turn=take_turn):
    """The backward pass from the node `root`, whose gradient is `seed`; the graph is kept.

    Each node has one turn, when all who use it have spoken along every edge that leads to it. Those
    that are ready may go in any order: birth plays no part. `turn(node, grad)` gets a node's
    complete gradient, which isn't kept after that, and gives a list: for each edge a gradient,
    or None, which adds nothing. A node that has heard only Nones has no turn, but nobody behind it
    goes on waiting for it. An error in a turn is not caught, and a turn may begin another pass.
    Here, too, no list is gone through, copied or moved up for each node.
    """
    uses, grads, ready = count_uses(root), {root: seed}, [root]
    while ready:
        node = ready.pop()
        results = turn(node, grads.pop(node)) if node in grads else [None] * len(node.edges)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None:
                add(result, edge, grads)
                uses[edge] -= 1
                if uses[edge] == 0:
                    ready.append(edge)


def add(result, edge, grads):
    """Add a gradient to what the node `edge` has in `grads`, as a new array; None adds nothing."""
    if result is not None:
        grads[edge] = grads[edge] + result if edge in grads else result
