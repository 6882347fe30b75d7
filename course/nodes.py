"""Small graphs made of the library's nodes, for the graded tests of its engine."""

import weakref

import numpy as np


def probe(*pairs, saved=(), told=None):
    """A node that sends weight * gradient along each edge: pairs (weight, edge).

    A weight may be None: then that is what it sends. `told`, a list, gets the place of each
    formula that is called.

    >>> probe((3.0, None)).edges
    (None,)
    """
    import tinytorch as tt

    formulas = [_formula(place, weight, told) for place, (weight, _) in enumerate(pairs)]
    rule = tt.node.Rule("ProbeBackward0", tuple(formulas), saves_arrays=bool(saved))
    return tt.node.Node(rule, tuple(edge for _, edge in pairs), saved)


def _formula(place, weight, told):
    def formula(grad, *saved):
        if told is not None:
            told.append(place)
        return None if weight is None else grad * weight

    return formula


def leaf_and_node(numbers=1.0, dtype=np.float64):
    """A leaf and the node that adds to its gradient."""
    import tinytorch as tt

    leaf = tt.tensor(np.array(numbers, dtype), requires_grad=True)
    return leaf, leaf._node


def one():
    """A gradient of 1, made anew: whoever gets it may have changed it afterwards."""
    return np.array(1.0)


def pieces():
    """A leaf, and a result that is made of it by way of an operation with several results."""
    import tinytorch as tt

    x = tt.tensor(np.array([2.0, 3.0, 5.0]), requires_grad=True)
    a, b, _ = x.split(1)
    return x, (a * b * b).reshape(())


def compared(nodes):
    """A list that gets an entry whenever one of these nodes' numbers is compared with another."""
    told = []

    def counts(name):
        return lambda self, other: told.append(name) or getattr(int, name)(self, other)

    names = ("__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__")
    body = {name: counts(name) for name in names}
    body |= {"__hash__": int.__hash__, "__neg__": lambda self: Number(-int(self))}
    Number = type("Number", (int,), body)
    for node in nodes:
        node.number = Number(node.number)
    return told


def random_graph(seed):
    """A root, all nodes in the order of their birth and {node: [(weight, edge), …]}.

    There are leaves, edges that are None, edges along which None is sent, several edges from one
    node to another, and nodes that the root does not lead to.
    """
    rng = np.random.default_rng(seed)
    leaves = [leaf_and_node() for _ in range(3)]
    nodes, pairs = [node for _, node in leaves], {node: [] for _, node in leaves}
    for size in rng.integers(1, 4, 9):
        ends = [None if k < 0 else nodes[k] for k in rng.integers(-1, len(nodes), size)]
        weights = [None if rng.random() < 0.2 else float(rng.integers(2, 9)) for _ in ends]
        made = list(zip(weights, ends, strict=True))
        nodes.append(probe(*made, saved=(np.zeros(1),)))
        pairs[nodes[-1]] = made
    return nodes[-1], nodes, pairs, [leaf for leaf, _ in leaves]


def gradients_of(nodes, pairs, seeds):
    """{node: its gradient} for a graph of random_graph, those left out that nothing reaches."""
    grads = dict(seeds)
    for node in reversed(nodes):
        for weight, edge in pairs[node]:
            if node in grads and weight is not None and edge is not None:
                grads[edge] = grads.get(edge, 0) + weight * grads[node]
    return grads


def counting_turn():
    """A turn for run(), and a list of how many gradients were in memory at each turn."""
    import tinytorch as tt

    sent, alive = [], []

    def turn(node, grad):
        sent.append(weakref.ref(grad))
        alive.append(sum(each() is not None for each in sent))
        return tt.engine.take_turn(node, grad)

    return turn, alive
