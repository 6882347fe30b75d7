"""Small graphs made of the library's nodes, for the graded tests of its engine."""

import weakref
from collections import Counter
from contextlib import contextmanager

import numpy as np

from course.testing import fail_if, worded
from course.tracing import at_work, each_step

ALL = "a node got all of the results, not its own: each edge has one, zip(node.edges, results)"
WRONG_TURNS = (  # slips for a pass that asks a node in the wrong way, or sends on too much
    (worded(TypeError, "passed as keyword"), "call turn(node, grad), without names: those of its "
     "parameters are its own"),
    (worded(TypeError, "multiply sequence"), ALL),
    (worded(TypeError, "float() argument"), ALL),
    (lambda e: isinstance(e, AttributeError) and isinstance(e.obj, np.ndarray | np.generic),
     "the node comes first: turn(node, grad)"),
)  # fmt: skip


def probe(*pairs, saved=(), told=None, kind=None):
    """A node that sends weight * gradient along each edge: pairs (weight, edge).

    A weight may be None: then that is what it sends. `told`, a list, gets the place of each
    formula that is called. `kind` is a class of nodes.

    >>> probe((3.0, None)).edges
    (None,)
    """
    import tinytorch as tt

    formulas = [_formula(place, weight, told) for place, (weight, _) in enumerate(pairs)]
    rule = tt.node.Rule("ProbeBackward0", tuple(formulas), saves_arrays=bool(saved))
    return (kind or tt.node.Node)(rule, tuple(edge for _, edge in pairs), saved)


def _formula(place, weight, told):
    def formula(grad, *saved):
        if told is not None:
            told.append(place)
        return None if weight is None else grad * weight

    return formula


def no_function():
    """A class in place of a Function, made anew, for a ctx of which only the rest matters."""
    return type("Probe", (), {})


def leaf_and_node(numbers=1.0, dtype=np.float64):
    """A leaf and the node that adds to its gradient."""
    import tinytorch as tt

    leaf = tt.tensor(np.array(numbers, dtype), requires_grad=True)
    return leaf, leaf._node


@contextmanager
def asked_for(name, kind=None):
    """A list that gets a node each time this property of it is read, in a few lines.

    `kind` is the class of nodes that has it.

    >>> with asked_for("next_functions") as asked:
    ...     _ = probe().next_functions
    >>> asked
    [<ProbeBackward0>]
    """
    import tinytorch as tt

    kind = kind or tt.node.Node
    asked, before = [], getattr(kind, name)
    setattr(kind, name, property(lambda node: asked.append(node) or before.fget(node)))
    try:
        yield asked
    finally:
        setattr(kind, name, before)


def one():
    """A gradient of 1, made anew: whoever gets it may have changed it afterwards."""
    return np.array(1.0)


def pieces():
    """A leaf, and a result that is made of it by way of an operation with several results."""
    import tinytorch as tt

    x = tt.tensor(np.array([2.0, 3.0, 5.0]), requires_grad=True)
    a, b, _ = x.split(1)
    return x, (a * b * b).reshape(())


def chain(length, kind=None):
    """A leaf, and the nodes of as many additions in a row, its leaf's first."""
    x, node = leaf_and_node()
    nodes = [node]
    for _ in range(length):
        nodes.append(probe((1.0, nodes[-1]), kind=kind))
    return x, nodes


def branches(count, kind=None):
    """A leaf, and all nodes of a sum of so many uses of it, its leaf's first and the root last."""
    x, node = leaf_and_node()
    nodes = [probe((1.0, node), kind=kind) for _ in range(count)]
    return x, [node, *nodes, probe(*[(1.0, branch) for branch in nodes], kind=kind)]


def ladder(steps, kind=None):
    """A leaf, and all nodes of y = y + y, so often, its leaf's first."""
    x, node = leaf_and_node()
    nodes = [node]
    for _ in range(steps):
        nodes.append(probe((1.0, nodes[-1]), (1.0, nodes[-1]), kind=kind))
    return x, nodes


def branches_from_the_youngest(count, kind=None):
    """As `branches`, but the root points to the youngest first."""
    x, nodes = branches(count, kind)
    pairs = [(1.0, branch) for branch in nodes[-2:0:-1]]
    return x, [*nodes[:-1], probe(*pairs, kind=kind)]


SHAPES = {
    chain: "in a row",
    ladder: "of a ladder, each with two edges to the next,",
    branches: "that meet in a leaf",
    branches_from_the_youngest: "that meet in a leaf, the youngest first,",
}


CAUSES = {  # what the steps are that grow too fast
    "line": "the same lines run again and again for a node: once for each edge is enough",
    "search": "a list is gone through for each node: a set or a dict knows at once",
    "comparison": "nodes are put in order again and again: once is enough",
    "copy": "a collection is made anew for each node: copy none",
    "move": "things in a list move up for each node, as by pop(0) or insert: pop() moves none",
}


def leads_to(tensor, leaf):
    """Does the history of a tensor lead to this leaf? Asked without an engine."""
    nodes = [tensor.grad_fn]
    while nodes:
        node = nodes.pop()
        if getattr(node, "variable", None) is leaf:
            return True
        found = () if node is None else node.next_functions
        nodes += [edge for edge, _ in found if edge is not None]
    return False


def expect_to_grow_with_the_graph(what, graph, call, mend="", count=50, causes=CAUSES):
    """On a graph of twice as many nodes there's about twice as much to do in call(nodes).

    What there is to do is counted, by effort(): no clock is asked. `graph` is a key of SHAPES.
    Without a `mend` the message names the cause: the kind of step that grows the most beyond that.
    `causes` has other words for some of CAUSES.
    Raises Mismatch.
    """
    small, large = (effort(graph, n, call) for n in (count, 2 * count))
    few, many = small.total(), large.total()
    cause = max(CAUSES, key=lambda kind: large[kind] - 2 * small[kind])
    cause = causes.get(cause, CAUSES[cause])
    says = f"{what} {2 * count} nodes {SHAPES[graph]} takes {many:,} steps, {few:,} for {count}"
    fail_if(many > 2.5 * few, f"{says}, expected about twice as many: {mend or cause}")


def effort(graph, count, call):
    """How many steps of each of CAUSES call(nodes) takes: {kind: how many}.

    They are lines of tinytorch that run, and questions to the nodes. Lines that a sort runs, or
    sorted(), min() or max(), for its key are comparisons. A list, tuple, set or dict
    that gets a name there is a step for each thing in it, once, and each thing in a list that moves
    to another place, as pop(0), insert(0, x) and insort move all behind it, is one more.

    >>> effort(chain, 10, lambda nodes: nodes.count(nodes[3]))["search"] > 8
    True
    """
    told, made, last = [], {}, {}
    nodes = graph(count, kind=asked_node(told))[1]

    def look(frame, _):
        told.append("comparison" if comparing else "line")
        for value in frame.f_locals.values():
            if isinstance(value, list | tuple | set | dict) and id(value) not in made:
                made[id(value)] = value  # kept, so that no other one gets its id
                told.extend(["copy"] * len(value))
            if isinstance(value, list) and len(value) != len(last.get(id(value), ())):
                now = [id(x) for x in value]
                told.extend(["move"] * moved(last.get(id(value), ()), now))
                last[id(value)] = now

    told.clear()
    with at_work("sort", "sorted", "min", "max") as comparing, each_step(look):
        call(nodes)
    return Counter(told)


def moved(before, after):
    """How many things moved to another place when a list grew or shrank, if all else stayed.

    >>> moved([1, 2, 3], [2, 3]), moved([1, 3, 4], [1, 2, 3, 4]), moved([1, 2], [1, 2, 3])
    (2, 2, 0)
    """
    stayed = 0
    for old, new in zip(before, after):  # noqa: B905 - one is longer
        if old != new:
            break
        stayed += 1
    rest = min(len(before), len(after)) - stayed
    return rest if rest and before[-rest:] == after[-rest:] else 0


def asked_node(told):
    """A class of nodes; `told` gets a word when one, or its number, is compared or looked up."""
    import tinytorch as tt

    def tells(kind, names, word="search"):
        return {name: _telling(getattr(kind, name), told, word) for name in names}

    same = ("__eq__", "__ne__", "__hash__")
    body = tells(int, same) | tells(int, ("__lt__", "__le__", "__gt__", "__ge__"), "comparison")
    Number = type("Number", (int,), body | {"__neg__": lambda self: Number(-int(self))})

    class Asked(tt.node.Node):
        __slots__ = ()

        def __init__(self, *parts):
            super().__init__(*parts)
            self.number = Number(self.number)

    for name, method in tells(tt.node.Node, same).items():
        setattr(Asked, name, method)
    return Asked


def _telling(method, told, word):
    return lambda self, *other: told.append(word) or method(self, *other)


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


def counting_turn(take_turn=None):
    """A turn for run(), and a list of how many gradients were in memory at each turn."""
    import tinytorch as tt

    sent, alive, take_turn = [], [], take_turn or tt.engine.take_turn

    def turn(node, grad):
        sent.append(weakref.ref(grad))
        alive.append(sum(each() is not None for each in sent))
        return take_turn(node, grad)

    return turn, alive


def two_ends():
    """A leaf, a root that leads to it over two nodes, 2 + 3 of it, and these nodes."""
    x, a = leaf_and_node()
    b, c = probe((2.0, a)), probe((3.0, a))
    return x, probe((1.0, b), (1.0, c)), (b, c)
