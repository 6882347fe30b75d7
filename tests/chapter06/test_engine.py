"""Chapter 6: deliver, run and reachable."""

import sys
import time
from collections import deque
from contextlib import contextmanager
from heapq import heappop

import numpy as np
import pytest

import tinytorch as tt
from course.nodes import (
    WRONG_TURNS,
    asked_for,
    branches,
    branches_from_the_youngest,
    chain,
    counting_turn,
    expect_to_grow_with_the_graph,
    ladder,
    leads_to,
    leaf_and_node,
    one,
    pieces,
    probe,
    two_ends,
)
from course.testing import (
    calling,
    calls_of,
    error_of,
    expect,
    expect_backward,
    fail_if,
    lacks,
    leaf,
    worded,
)

LET_GO = "after a node's turn nothing holds its gradient: grads.pop(node), and no list of your own"
TURNS_ERROR = "a turn's error comes out, whatever it is"
OVER = "make grads and heap anew in each call: no global, no default argument keeps them"
PAIRS = "on the heap are pairs (-edge.number, edge)"
ANY = "nodes may be any collection, a set, too: go through it, it may have no places to ask for"
OUTPUTS = "walk along edges: next_functions leaves out the nodes of the single results"
GO_ON = "whoever is found is asked for their edges, too, as long as anybody is left"
AGAIN = "a node came off the heap again, after its turn: whoever waits is on it once"
FROM_BEFORE = "some are from a call before: make found and todo anew in each call"
HEARD = "a node that has heard nothing yet isn't in grads: ask `edge in grads` first"


def is_pair_of_functions(error):
    """Was something asked of a pair, as next_functions holds?"""
    thing = getattr(error, "obj", None)
    return type(thing) is tuple and len(thing) == 2 and isinstance(thing[1], int)


OFF = "what comes off the heap is a pair (-number, node): the node is [1] of it"


def finding():
    """Slips for reachable."""
    return [
        (is_pair_of_functions, "next_functions holds pairs: walk along edges"),
        (lacks("tuple", "edges", "number"), "edges is a tuple of nodes: go through it"),
        (lacks("NoneType", "edges", "number"), "an edge may be None: leave it out"),
        (
            worded(TypeError, "'<' not supported"),
            "nodes have no order of their own: sort them by number, key=lambda node: node.number",
        ),
        (lacks("list", "add"), "a set has add, a list has append"),
        (lacks("set", "append"), "a set has add, a list has append"),
        (lacks("Node", "inputs"), "a node has no inputs, it has edges"),
        (worded(TypeError, "unhashable"), "nodes are several: set(nodes) has each of them in it"),
        (
            worded(RuntimeError, "changed size during iteration"),
            "a set mustn't grow while a for goes "
            "through it: keep a list of whom you still have to ask",
        ),
    ]


def passing():
    """Slips for run."""
    return [
        (lambda e: isinstance(e, KeyError) and isinstance(e.args[0], tuple | int), OFF),
        (lambda e: isinstance(e, AttributeError) and type(e.obj) is tuple, OFF),
        (worded(TypeError, "object is not subscriptable"), "on the heap are pairs (-number, node)"),
        (worded(TypeError, "instances of 'Node'"), "on the heap are pairs (-number, node)"),
        (
            lambda e: (
                isinstance(e, AttributeError)
                and isinstance(e.obj, np.ndarray | np.generic)
                and e.name == "number"
            ),
            "the result comes first: deliver(result, edge, grads, heap)",
        ),
        *WRONG_TURNS,
        (has_it_in_grads, "what came for it is in grads: grads.pop(node)"),
    ]


def has_it_in_grads(error):
    """Was a node looked up elsewhere, whose gradient waits in run's `grads`?"""
    if not isinstance(error, KeyError) or not isinstance(error.args[0], tt.node.Node):
        return False
    kept = [names.get("grads") for names in calls_of("run", error)]
    return any(isinstance(grads, dict) and error.args[0] in grads for grads in kept)


@pytest.mark.exercise("6.3", points=1)
def test_the_first_gradient_is_kept_and_the_node_waits():
    node, grads, heap = leaf_and_node()[1], {}, []
    what = "deliver(3, node, {}, [])"
    slips = [(KeyError, HEARD), (TypeError, "the heap comes first: heappush(heap, pair)")]
    with calling(what, slips=slips):
        tt.engine.deliver(np.array(3.0), node, grads, heap)
    slips = [(lambda keys: keys == [node.number], "the key is the node itself, edge"),
             ([], "the gradient has to be kept: grads[edge] = result")]  # fmt: skip
    expect(list(grads), [node], f"{what}: the keys of grads", slips=slips)
    slips = [(lambda g: isinstance(g, list), "grads holds one gradient, the sum, and no list")]
    expect(grads[node], 3.0, f"{what}: grads[node]", slips=slips)
    pair = (node.number, node)
    slips = [([], "the first gradient puts the node on the heap"),
             ([pair], "the number goes in with a minus sign, so that the youngest is the least"),
             ([node], PAIRS), ([-node.number], PAIRS)]  # fmt: skip
    slips = [(lambda got, s=s: got == s, reason) for s, reason in slips]
    slips.append((lambda got: [*map(tuple, got)] == [(-node.number, node)], "a pair is a tuple"))
    expect(heap, [(-node.number, node)], f"{what}: the heap", slips=slips, because=PAIRS)


@pytest.mark.exercise("6.3", points=1)
def test_later_gradients_are_added():
    node, grads, heap = leaf_and_node()[1], {}, []
    what = "deliver of 3, then of 4, to the same node"
    slips = [
        (TypeError, "the same node is on the heap twice: only the first gradient puts it there"),
        (worded(NameError, "'np'"), "+ adds them, whatever they are: numpy isn't needed"),
    ]
    with calling(what, slips=slips):
        for number in (3.0, 4.0):
            tt.engine.deliver(np.array(number), node, grads, heap)
    slips = {4: "the first was overwritten: they add up", 3: "the second is lost: add it"}
    expect(grads[node], 7.0, f"{what}: grads[node]", slips=slips)
    slips = {2: "the node is waiting already: it would have two turns", 0: "it is waiting still"}
    expect(len(heap), 1, f"{what}: how many are on the heap", slips=slips)


@pytest.mark.exercise("6.3", points=1)
def test_the_sum_is_a_new_array():
    (_, a), (_, b), grads, heap = leaf_and_node(), leaf_and_node(), {}, []
    shared, other = np.array([1.0, 2.0]), np.array([10.0, 20.0])
    what = "a and b got the same array [1., 2.], b another one, [10., 20.]"
    slips = [(lambda e: "truth value" in str(e), "ask whether edge is in grads, not what it is")]
    with calling(what, slips=slips):
        for array, node in ((shared, a), (shared, b), (other, b)):
            tt.engine.deliver(array, node, grads, heap)
    expect(grads[b], [11.0, 22.0], f"{what}: grads[b]")
    slips = [([11, 22], "b's sum was made in the memory that a has, too: += changes it; use +")]
    expect(grads[a], [1.0, 2.0], f"{what}: grads[a]", slips=slips)
    expect(other, [10.0, 20.0], f"{what}: the other one afterwards")


@pytest.mark.exercise("6.3", points=1)
def test_a_zero_is_a_gradient_too():
    node, grads, heap = leaf_and_node()[1], {}, []
    what = "deliver of 0, then of 5, to the same node"
    with calling(what):
        for number in (0.0, 5.0):
            tt.engine.deliver(np.array(number), node, grads, heap)
    slips = {2: "a gradient of 0 was taken for none: ask whether edge is in grads"}
    expect(len(heap), 1, f"{what}: how many are on the heap", slips=slips)
    expect(grads[node], 5.0, f"{what}: grads[node]")


@pytest.mark.exercise("6.3", points=1)
def test_the_youngest_comes_off_first():
    nodes, grads, heap = [leaf_and_node()[1] for _ in range(6)], {}, []
    for k in (2, 5, 0, 4, 1, 3):
        tt.engine.deliver(np.array(float(k)), nodes[k], grads, heap)
    what = "how many are on the heap after a gradient for each of six nodes, one of them 0"
    expect(len(heap), 6, what, slips={5: "a gradient of 0 is one, too: its node waits"})
    order = [nodes.index(heappop(heap)[1]) for _ in range(6)]
    slips = [(lambda o: o[0] == 0, "that's the oldest first: put the number in with a minus sign")]
    what = "six nodes, numbered by their birth, as heappop takes them off"
    expect(order, [5, 4, 3, 2, 1, 0], what, slips=slips, because="heappush keeps a heap in order")


@pytest.mark.exercise("6.4", points=1)
def test_gradients_go_from_the_result_to_the_leaf():
    x, node = leaf_and_node()
    spoke = []
    middle = probe((2.0, node), told=spoke)
    root = probe((3.0, middle))
    what = "run({root: 10}) on root = 3 * (2 * x)"
    had = lambda e: isinstance(e, KeyError) and e.args[0] is middle and spoke  # noqa: E731
    at_first = "grads begins with what the seeds say: dict(seeds)"
    slips = [*passing(), (had, AGAIN),
             (lambda e: isinstance(e, KeyError) and e.args[0] is root, at_first)]  # fmt: skip
    with calling(what, slips=slips):
        tt.engine.run({root: np.array(10.0)})
    slips = []
    if x.grad is None:
        slips = [(lambda _: True, why_nothing_came())]
        kept, node = leaf_and_node()
        tt.engine.run({probe((3.0, probe((2.0, node)))): np.array(10.0)}, retain_graph=True)
        early = "the edges were let go before they were used: with retain_graph=True it comes"
        slips = [(lambda _: kept.grad is not None, early), *slips]
    expect(x.grad, 60.0, f"{what}: x.grad", slips=slips)


def why_nothing_came():
    """Of a run whose leaf got nothing: has deliver been called, and who had a turn?"""
    told, turns, asked = deliveries(np.array(10.0))
    if not told and not turns and not asked:
        return "nobody had a turn: the nodes of seeds wait from the start, on the heap too"
    if not told and deliveries(np.array([10.0]))[0]:
        return "a gradient may be one number, and no array: only None is none"
    if not told:
        return "nothing came to x: what a turn gives goes to the edges by deliver"
    if len(turns) == 1:
        return "only the root had a turn: go on as long as anybody waits, while heap"
    return "nothing came to x: a leaf's node has its turn like any other"


@contextmanager
def noting_deliveries(note):
    """Each call of deliver() is the same as ever, but before it comes note(what it is given)."""
    deliver = tt.engine.deliver
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tt.engine, "deliver", lambda *given: note(given) or deliver(*given))
        yield


def deliveries(seed):
    """Of a run on three nodes in a row: what deliver got, who had a turn, whose formula ran."""
    told, turns, asked = [], [], []
    root = probe((3.0, probe((2.0, leaf_and_node()[1]))), told=asked)

    def turn(node, grad, /):
        turns.append(node)
        return tt.engine.take_turn(node, grad)

    with noting_deliveries(told.append):
        tt.engine.run({root: seed}, True, turn)
    return told, turns, asked


def lets_go_before_its_turn(error):
    """Is a node freed when its first turn comes?"""
    freed = []

    def turn(node, grad, /):
        freed.append(node.freed)
        return None

    x = leaf(3.0)
    if not worded(RuntimeError, "was freed")(error):
        return False
    tt.engine.run({(x * x).grad_fn: one()}, turn=turn)
    return freed[:1] == [True]


def lets_go_between_its_edges():
    """Is a node freed before the second of its gradients is delivered?"""
    freed, x, y = [], leaf(3.0), leaf(2.0)
    node = (x * y).grad_fn
    with noting_deliveries(lambda given: freed.append(node.freed)):
        tt.engine.run({node: one()})
    return freed == [False, True]


def turns_of(seeds, names, **options):
    """The names of the nodes in the order of their turns, and the gradients that they had."""
    turns = []

    def turn(node, grad, /):
        turns.append((names[node], float(grad)))
        return tt.engine.take_turn(node, grad)

    had = lambda e: isinstance(e, KeyError) and names.get(e.args[0]) in dict(turns)  # noqa: E731
    with calling(f"run on {len(names)} nodes", slips=[*passing(), (had, AGAIN)]):
        tt.engine.run(seeds, True, turn, **options)
    return turns


@pytest.mark.exercise("6.4", points=1)
def test_the_youngest_has_its_turn_first():
    x, a = leaf_and_node(2.0)
    b = probe((1.0, a))
    c = probe((1.0, b))
    d = probe((5.0, b), (7.0, c))
    names = {a: "a", b: "b", c: "c", d: "d"}
    turns = turns_of({d: one()}, names)
    order = "".join(name for name, _ in turns)
    again = "a node has a turn for each gradient: it has one, when it has heard all"
    slips = [(lambda o: o == "" and x.grad is None, "nobody had a turn: the seeds wait first"),
             ("", "turn was never called: what a node sends is turn(node, grad)"),
             (lambda o: o[:2] == "db", "b is older than c, which still owes it something: "
              "heappop takes the youngest"),
             ("dcb", "a leaf's node has its turn like any other"),
             (lambda o: len(o) > 4, again)]  # fmt: skip
    what = "run({d: 1}), a to d by birth, d points to b and c, c to b, b to a: the turns"
    expect(order, "dcba", what, slips=slips)
    slips = {5: "c's part is missing", 7: "d's part is missing", 19: "one part came twice"}
    expect(dict(turns)["b"], 12.0, f"{what}: the gradient that b has at its turn", slips=slips)
    expect(x.grad, 12.0, f"{what}: the gradient of the leaf in a")


@pytest.mark.exercise("6.4", points=1)
def test_each_node_of_a_ladder_has_one_turn():
    x, nodes = ladder(12)
    turns = turns_of({nodes[-1]: one()}, {node: k for k, node in enumerate(nodes)})
    slips = [(lambda n: n > 13, "each waits for all that it will hear, then speaks once")]
    expect(len(turns), 13, "the turns on a ladder of 12 steps and a leaf", slips=slips)
    expect(x.grad, 4096.0, "x.grad on a ladder of 12 steps")


@pytest.mark.exercise("6.4", points=1)
def test_ten_thousand_in_a_row(monkeypatch):
    monkeypatch.setattr(sys, "setrecursionlimit", lambda limit: None)
    x, nodes = chain(10_000)
    slips = {RecursionError: "no call inside a call: a loop over the heap"}
    with calling("run on 10,000 nodes in a row", slips=slips):
        tt.engine.run({nodes[-1]: one()})
    expect(x.grad, 1.0, "x.grad after run on 10,000 nodes in a row")


@pytest.mark.exercise("6.4", points=1)
def test_several_nodes_may_begin():
    x, a = leaf_and_node()
    b = probe((2.0, a))
    c = probe((3.0, b))
    seeds = {a: np.array(100.0), c: np.array(1.0), b: np.array(10.0)}
    kept = dict(seeds)
    what = "run({a: 100, c: 1, b: 10}), a a leaf, b = 2 * a, c = 3 * b:"
    turns = turns_of(seeds, {a: "a", b: "b", c: "c"})
    slips = [(lambda o: o[:2] == "ab", "the oldest came first: the seeds' numbers, too, go on the "
              "heap with a minus sign"),
             (lambda o: o == "a", "a came first: the other seeds wait from the start, too"),
             (lambda o: "c" not in o, "c is one of the seeds: they all wait from the start"),
             (lambda o: o[0] == "b", "of all who wait, the youngest goes next, not the last"),
             (lambda o: o.count("b") > 1, "all seeds wait at once, in one dict and on one heap"),
             (lambda o: o[0] == "a", "the seeds have to stand in the heap's order, too: heapify"),
             (lambda o: o == "c", "nothing came to those behind c")]  # fmt: skip
    expect("".join(name for name, _ in turns), "cba", f"{what} the turns", slips=slips)
    slips = {3: "b's own 10 is missing: what comes is added to what the seeds say",
             10: "what c sends to b is missing"}  # fmt: skip
    expect(dict(turns)["b"], 13.0, f"{what} the gradient of b at its turn", slips=slips)
    expect(x.grad, 126.0, f"{what} x.grad")
    slips = [(lambda _: not seeds, "the gradients were taken out of the caller's dict: copy it")]
    expect(len(seeds), 3, f"{what} how many seeds there are afterwards", slips=slips)
    same = all(seeds[node] is kept[node] for node in kept)
    expect(same, True, f"{what} whether the seeds are as before")


@pytest.mark.exercise("6.4", points=1)
def test_none_is_not_delivered():
    x, a = leaf_and_node()
    root = probe((None, a), (2.0, a), (5.0, None))
    what = "run on a node with formulas for None, 2 * grad and 5 * grad, its third edge None"
    slips = {TypeError: "None was added or sent on: deliver where neither edge nor result is None",
             AttributeError: "an edge that is None is no node: leave it out"}  # fmt: skip
    with calling(what, slips=slips):
        tt.engine.run({root: one()})
    slips = {**slips, None: "a None ends nothing: the next edge counts"}
    expect(x.grad, 2.0, f"{what}: x.grad", slips=slips)
    x, a = leaf_and_node()
    tt.engine.run({probe((0.0, a)): one()})
    zero = {None: "0 is a gradient too: only None is none"}
    expect(x.grad, 0.0, "run on a node that sends 0: x.grad", slips=zero)
    x, a = leaf_and_node([1.0, 2.0])
    tt.engine.run({probe((0.0, a)): np.ones(2)})
    zero = {None: "an array of zeros is a gradient too: only None is none"}
    expect(x.grad, [0.0, 0.0], "run on a node that sends an array of zeros: x.grad", slips=zero)
    with calling("run on a node with the edges a, a, None, whose turn gives 1, 1, 1", slips=slips):
        tt.engine.run({root: one()}, turn=lambda node, grad: [one() for _ in node.edges])


@pytest.mark.exercise("6.4", points=2)
def test_what_was_saved_is_let_go_of():
    x = leaf(3.0)
    y = x * x
    z = y * y
    first, second = z.grad_fn, y.grad_fn
    early = "it let go before its turn: first turn(node, grad), then deliver, and only then let go"
    with calling("run on z = y * y, y = x * x", slips=[(lets_go_before_its_turn, early)]):
        tt.engine.run({first: one()})
    slips = [(lambda g: g is None, "the edges were let go of before what was sent was delivered")]
    expect(x.grad, 108.0, "run on z = y * y, y = x * x, x = 3: x.grad", slips=slips)
    for name, node in (("z", first), ("y", second)):
        slips = [(lambda s: s == (), "() means that nothing was saved; freed is None"),
                 (lambda s: s is not None, why_it_is_kept())]  # fmt: skip
        expect(node.saved, None, f"the node of {name} after run: saved", slips=slips)
        because = "a node that has sent its gradients lets go: edges becomes (), and saved None"
        expect(node.edges, (), f"the node of {name} after run: edges", because=because)
    for name, root in {"y * 2": y * 2.0, "y + y": y + y, "x * y": x * y}.items():
        told = []

        def turn(node, grad, told=told):
            told.append(node)
            return tt.engine.take_turn(node, grad)

        call = lambda root=root, turn=turn: tt.engine.run({root.grad_fn: one()}, turn=turn)  # noqa: E731
        error = error_of(call)
        what = f"run on {name}, where y = x * x was freed by a pass before:"
        because = "whoever was freed says so itself, at its turn: it has one like any other"
        expect(second in told, True, f"{what} whether y's node had a turn", because=because)
        expect(type(error), RuntimeError, f"{what} the error", because=TURNS_ERROR)


def why_it_is_kept():
    """Of a run that lets go of no arrays: does it let go where it shouldn't?"""
    x = leaf(3.0)
    kept, total = x * x, x + x
    tt.engine.run({kept.grad_fn: one()}, retain_graph=True)
    tt.engine.run({total.grad_fn: one()})
    if kept.grad_fn.freed:
        return "with retain_graph=True it's let go of, and without it isn't: not retain_graph"
    if total.grad_fn.saved is None:
        return "a sum, which saved nothing, lets go, and a product doesn't: the other way round"
    return "the arrays stay in memory"


@pytest.mark.exercise("6.4", points=1)
def test_retain_graph_keeps_it_and_so_does_a_node_without_arrays():
    x = leaf(3.0)
    y = x * x
    for times in (1, 2):
        let_go = "it was passed, and yet the run before let go"
        with calling("run with retain_graph=True on x * x, a second time,",
                     slips=[(worded(RuntimeError, "was freed"), let_go)]):  # fmt: skip
            tt.engine.run({y.grad_fn: one()}, retain_graph=True)
        expect(x.grad, 6.0 * times, f"run with retain_graph=True on x * x, x = 3, {times} time(s)")
    expect(y.grad_fn.freed, False, "after run with retain_graph=True: whether the node is freed")
    for answer in (1, 0, None):
        z = leaf(3.0) * x
        tt.engine.run({z.grad_fn: one()}, retain_graph=answer)
        because = "it lets go unless retain_graph: any answer is taken for yes or no"
        what = f"after run with retain_graph={answer}: whether the node is freed"
        expect(z.grad_fn.freed, not answer, what, because=because)
    x = leaf(3.0)
    z = x + x
    tt.engine.run({z.grad_fn: one()})
    because = "a sum's rule.saves_arrays is False: there's nothing to let go of"
    expect(z.grad_fn.freed, False, "after run on x + x: whether the node is freed", because=because)
    slips = [(0, "it stays as it is, edges included: a second pass would end here, silently")]
    what = "after run on x + x: how many edges the node has"
    expect(len(z.grad_fn.edges), 2, what, slips=slips)
    rule = tt.node.Rule("Triple", (lambda grad, factor: grad * factor,), saves_arrays=True)
    node = tt.node.Node(rule, (leaf_and_node()[1],), (3.0,))
    tt.engine.run({node: one()})
    because = "rule.saves_arrays says so, whatever lies in saved"
    what = "after run on a node that has saved 3.0, its rule.saves_arrays True: whether it's freed"
    expect(node.freed, True, what, because=because)
    node = tt.node.Node(tt.node.Rule("End", (), saves_arrays=True), (), (3.0,))
    tt.engine.run({node: one()})
    because = "its turn gave an empty list, which isn't None: it has sent all that it has to send"
    what = "after run on a node without edges that has saved 3.0: whether it's freed"
    inside = "a node lets go after the for over its edges, not inside it"
    slips = [(False, inside)] if lets_go_between_its_edges() else []
    expect(node.freed, True, what, slips=slips, because=because)


@pytest.mark.exercise("6.4", points=1)
def test_a_node_lets_go_at_once_and_keeps_its_hooks():
    x = leaf(3.0)
    y = x * x
    z = y * y
    z.register_hook(lambda grad: None)
    hooks, second = z.grad_fn.hooks, y.grad_fn

    def turn(node, grad):
        if node is second:
            raise ZeroDivisionError
        return node.backward(grad)

    error = error_of(lambda: tt.engine.run({z.grad_fn: one()}, turn=turn))
    what = "run on z = y * y, y = x * x, where the turn of y fails:"
    expect(type(error), ZeroDivisionError, f"{what} the error")
    slips = {False: "it has sent its gradients: it lets go then, not when all is over"}
    expect(z.grad_fn.freed, True, f"{what} whether z's node is freed", slips=slips)
    because = "a node with hooks lets go of as much as any other"
    expect(z.grad_fn.edges, (), f"{what} the edges of z's node, a hook in it,", because=because)
    slips = {False: "only edges and saved are let go of"}
    expect(z.grad_fn.hooks is hooks, True, f"{what} whether z's node has its hooks", slips=slips)


@pytest.mark.exercise("6.4", points=1)
def test_a_turn_that_gives_none_ends_there():
    x = leaf(3.0)
    w = x * 5.0
    y = x * x
    z = y * y
    skip = y.grad_fn

    def turn(node, grad):
        return None if node is skip else node.backward(grad)

    what = "run({z: 1, w: 1}), z = y * y, y = x * x, w = 5 * x, where the turn of y gives None"
    slips = {TypeError: "None has no elements: go on with the next node",
             ValueError: "None isn't an empty tuple: go on with the next node"}  # fmt: skip
    with calling(what, slips=slips):
        tt.engine.run({z.grad_fn: one(), w.grad_fn: one()}, turn=turn)
    slips = [(lambda g: g is None, "nothing goes on behind y, but others are still waiting")]
    expect(x.grad, 5.0, f"{what}: x.grad", slips=slips)
    slips = {True: "y sent nothing, so it lets go of nothing"}
    expect(skip.freed, False, f"{what}: whether y's node is freed", slips=slips)
    expect(z.grad_fn.freed, True, f"{what}: whether z's node is freed")


@pytest.mark.exercise("6.4", points=1)
def test_a_pass_after_an_error_and_one_inside_another_are_passes_like_any():
    x, root, (_, second) = two_ends()
    stops = lambda node, grad: 1 / 0 if node is second else node.backward(grad)  # noqa: E731
    error = error_of(lambda: tt.engine.run({root: one()}, True, stops))
    what = "the error of a run whose second turn fails"
    expect(type(error), ZeroDivisionError, what, because=TURNS_ERROR)
    what = "run on a root that leads to x over two nodes, after one whose second turn failed"
    slips = {Exception: OVER}
    with calling(what, slips=slips):
        tt.engine.run({root: one()}, True)
    expect(x.grad, 5.0, f"{what}: x.grad", because=OVER)

    (x, root, (_, second)), (y, other, _) = two_ends(), two_ends()

    def turn(node, grad):
        if node is second:
            tt.engine.run({other: one()}, True)
        return node.backward(grad)

    what = "run on a root that leads to x over two nodes, a turn of which runs another graph, y's"
    with calling(what, slips=slips):
        tt.engine.run({root: one()}, True, turn)
    expect(y.grad, 5.0, f"{what}: y.grad", because=OVER)
    expect(x.grad, 5.0, f"{what}: x.grad", because=OVER)


@pytest.mark.exercise("6.4", points=1)
def test_backward_works_again():
    a, b = leaf(2.0), leaf(1.0)
    expect_backward((a + b) * (b + 1), "e = (a + b) * (b + 1)", b=(b, 5.0), a=(a, 2.0))


@pytest.mark.exercise("6.5", points=1)
def test_all_nodes_are_found_the_oldest_first():
    _, a = leaf_and_node()
    _, b = leaf_and_node()
    c = probe((1.0, b), (1.0, a))
    d = probe((1.0, b), (1.0, c))
    with calling("reachable([d])", slips=finding()):
        got = tt.engine.reachable([d])
    fail_if(got is None, "reachable gave None: return the list of all whom it found")
    fail_if(not isinstance(got, list), f"reachable gave {type(got).__name__}, expected a list")
    strange = [thing for thing in got if not isinstance(thing, tt.node.Node)]
    fail_if(strange, f"reachable gave a list with {strange[:1]} in it, expected nodes alone")
    got = [{a: "a", b: "b", c: "c", d: "d"}[node] for node in got]
    slips = [(lambda g: set(g) == set("abc"), "the nodes that it starts from are included"),
             (lambda g: len(g) > 4, "each node once, however many edges lead to it"),
             (["d"], "that's where it began: whoever is found comes in, too"),
             (lambda g: set(g) == set("cd"), "a leaf has a node, too"),
             (lambda g: set(g) == set("bd"), "c is missing: a node may have several edges"),
             (lambda g: set(g) == set("bcd"), f"a lies behind c: {GO_ON}"),
             (lambda g: g == [*"dcba"], "that's the youngest first"),
             (lambda g: sorted(g) == [*"abcd"], "sort them by their number")]  # fmt: skip
    what = "reachable([d]), a to d by birth, d points to b and c, c to b and a,"
    expect(got, ["a", "b", "c", "d"], what, slips=slips)
    _, nodes = chain(3)
    with calling("reachable of z, which leads to y, y to x, x to w", slips=finding()):
        got = tt.engine.reachable(nodes[-1:])
    got = [dict(zip(nodes, "wxyz", strict=True)).get(node, "?") for node in got]
    what = "reachable of z, which leads to y, y to x, x to w,"
    slips = [(lambda g: "?" in g, FROM_BEFORE)]
    expect(got, ["w", "x", "y", "z"], what, slips=slips, because=f"{GO_ON}: while todo")


@pytest.mark.exercise("6.5", points=1)
def test_an_edge_that_is_none_leads_nowhere():
    _, a = leaf_and_node()
    root = probe((1.0, None), (1.0, a), (1.0, None))
    with calling("reachable of a node with the edges None, a, None", slips=finding()):
        got = tt.engine.reachable([root])
    what = "reachable of a node with the edges None, a, None: whether None is among them"
    slips = {True: "an edge that is None leads to no node"}
    expect(None in got, False, what, slips=slips)
    slips = [(1, "a None ends nothing: the next edge counts"),
             (lambda n: n > 3, FROM_BEFORE)]  # fmt: skip
    what = "how many reachable found for the edges None, a, None"
    expect(len(got), 2, what, slips=slips)


@pytest.mark.exercise("6.5", points=1)
def test_the_nodes_of_single_results_are_nodes_too():
    x, y = pieces()
    what = "reachable of y = a * b * b, where a, b, _ = x.split(1)"
    with calling(what, slips=finding()), asked_for("next_functions") as asked:
        got = tt.engine.reachable([y.grad_fn])
    singles = [node for node in got if isinstance(node, tt.outputs.OutputNode)]
    slips = [(lambda _: asked, OUTPUTS)]
    expect(len(singles), 2, f"{what}: the nodes of a and b among it", slips=slips, because=GO_ON)
    expect(x._node in got, True, "reachable of y: whether x's node is among it")


@pytest.mark.exercise("6.5", points=1)
def test_a_ladder_takes_no_time():
    _, nodes = ladder(16)
    looked = [0]

    class Watched(tuple):
        def __iter__(self):
            looked[0] += 1
            return super().__iter__()

    for node in nodes:
        node.edges = Watched(node.edges)
    start = time.process_time()
    got = tt.engine.reachable([nodes[-1]])
    expect(len(got), 17, "how many reachable found on a ladder of 16 steps and a leaf")
    slow = looked[0] > 100 or time.process_time() - start > 5
    says = f"reachable looked at edges {looked[0]:,} times on a ladder of 17 nodes"
    fail_if(slow, f"{says}, expected 17 times: look at the edges of each node once")


@pytest.mark.exercise("6.5", points=1)
def test_thousands_in_a_row_are_found(monkeypatch):
    monkeypatch.setattr(sys, "setrecursionlimit", lambda limit: None)
    for graph in (chain, branches):
        call = lambda nodes: tt.engine.reachable([nodes[-1]])  # noqa: E731
        expect_to_grow_with_the_graph("reachable on", graph, call)
    _, nodes = chain(3_000)
    slips = {RecursionError: "no call inside a call: keep a list of whom you still have to ask"}
    with calling("reachable on 3,000 nodes in a row", slips=slips):
        got = tt.engine.reachable([nodes[-1]])
    expect(len(got), 3_001, "how many reachable found on 3,000 nodes in a row and a leaf")


@pytest.mark.exercise("6.5", points=2)
def test_it_may_begin_at_several_nodes_and_leaves_them_alone():
    _, a = leaf_and_node()
    b = probe((1.0, a))
    c = probe((1.0, a))
    given = [c, b, a]
    got = tt.engine.reachable(given)
    names = {a: "a", b: "b", c: "c"}
    what = "reachable([c, b, a]), both b and c point to a,"
    slips = [(lambda g: len(g) < 3, "walk from each of them, not from the first alone"),
             (lambda g: len({*g}) < len(g), "each node once: those that it starts from are found "
              "from the start")]  # fmt: skip
    expect([names[node] for node in got], ["a", "b", "c"], what, slips=slips)
    slips = [(lambda g: g == [], "that's your stack, under another name: make a new list of it")]
    expect([names[n] for n in given], ["c", "b", "a"], "the list that it was given", slips=slips)
    b.saved = None
    expect(len(tt.engine.reachable([c, b])), 3, "how many are found from c and b, which was freed")
    root = probe((1.0, b))
    because = "b, freed or not, is there"
    expect(
        b in tt.engine.reachable([root]),
        True,
        "reachable of a node that leads to b: whether b is found",
        because=because,
    )
    given = {root}
    with calling("reachable of a set of nodes", slips={TypeError: ANY}):
        tt.engine.reachable(given)
    expect(len(given), 1, "how many are in a set that it was given, afterwards")
    one_by_one = {c: 1.0, b: 2.0}
    kinds = (one_by_one, (c, b), {c, b}, frozenset([c, b]), deque([c, b]), one_by_one.keys())
    for nodes in kinds:
        kind, kept = type(nodes).__name__, list(nodes)
        with calling(f"reachable of a {kind} of nodes", slips=[(TypeError, ANY), (KeyError, ANY)]):
            got = tt.engine.reachable(nodes)
        slips = [(lambda g: sorted(g) == [*"abc"], "sort them by their number")]
        said = f"reachable of a {kind} with b and c"
        expect([names[n] for n in got], ["a", "b", "c"], said, slips=slips)
        because = "nodes stays as it is: found and stack are new ones, a set and a list of yours"
        expect(list(nodes) == kept, True, f"whether that {kind} is as before", because=because)
    because = "there may be nobody to begin with"
    error = error_of(lambda: tt.engine.reachable([]))
    expect(error, None, "the error of reachable([])", because=because)


@pytest.mark.exercise("6.3", points=1)
def test_the_first_is_kept_as_it_came():
    node, grads, heap = leaf_and_node()[1], {}, []
    parts = [tt.outputs.Parts(2, {k: np.array(k + 3.0)}) for k in range(2)]
    what = "deliver of the two Parts (what an operation with two results gets), to its node"
    slips = [(lambda e: "'int' and 'Parts'" in str(e), "nothing but another gradient can be added "
              "to Parts: no 0 to begin with"),
             (lambda e: "'dict' and 'Parts'" in str(e), "the first was copied, which made a "
              "dict of Parts: it stays as it came, grads[edge] = result"),
             (lambda e: isinstance(e, TypeError) and "'Parts'" in str(e), "the first stays as it "
              "came, Parts: grads[edge] = result")]  # fmt: skip
    with calling(what, slips=slips):
        for part in parts:
            tt.engine.deliver(part, node, grads, heap)
    expect({k: float(g) for k, g in grads[node].items()}, {0: 3.0, 1: 4.0}, f"{what}: grads[node]")
    slips = {False: "nothing is to be added, copied or changed yet: grads[edge] = result"}
    for first in (np.array([-0.0, 2.0]), 2.0, np.float64(2.0), parts[0]):
        grads = {}
        tt.engine.deliver(first, node, grads, [])
        what = f"deliver of {type(first).__name__}, the first: whether grads[node] is what came"
        expect(grads[node] is first, True, what, slips=slips)


@pytest.mark.exercise("6.3", points=1)
def test_the_same_gradient_twice_counts_twice():
    node, grads, heap = leaf_and_node()[1], {}, []
    grad = np.array([1.0, 2.0])
    for _ in range(3):
        tt.engine.deliver(grad, node, grads, heap)
    slips = {(1, 2): "the same array came again, and that's a gradient like any other"}
    slips = [(list(numbers), reason) for numbers, reason in slips.items()]
    slips.append(([4, 8], "the sum was made in the memory of what came: use +, not +="))
    what = "deliver of one and the same array [1., 2.], three times"
    expect(grads[node], [3.0, 6.0], f"{what}: grads[node]", slips=slips)


@pytest.mark.exercise("6.3", points=1)
def test_a_sum_of_tensors_remembers_both():
    because = "the first stays as it came, and + adds Tensors, too, so that the sum is recorded"
    slips = [(lambda e: "lose its history" in str(e), f"a Tensor stays a Tensor: {because}")]
    for pair in ((3.0, 4.0), (0.0, 4.0), (3.0, 0.0), (0.0, 0.0)):
        leaves = [leaf(number) for number in pair]
        node, grads, heap = leaf_and_node()[1], {}, []
        what = f"deliver of the Tensors {pair}, to one node"
        with calling(what, slips=slips):
            for each in leaves:
                tt.engine.deliver(each * 1, node, grads, heap)
        is_tensor = isinstance(grads[node], tt.Tensor)
        expect(is_tensor, True, f"{what}: isinstance(grads[node], Tensor)", because=because)
        expect(grads[node], sum(pair), f"{what}: grads[node]")
        for name, each in zip(("first", "second"), leaves, strict=True):
            says = f"{what}: whether the history of grads[node] leads to the {name} one's leaf"
            expect(leads_to(grads[node], each), True, says, because=because)


@pytest.mark.exercise("6.3", points=1)
def test_nobody_looks_through_the_heap():
    first, grads, heap = leaf_and_node()[1], {}, []
    grads[first] = 3.0
    tt.engine.deliver(4.0, first, grads, heap)
    slips = [(lambda h: h != [], "grads has it already: grads alone says who waits")]
    expect(heap, [], "deliver to a node that grads has and the heap has not: the heap", slips=slips)
    mend = "ask grads, a dict, who waits; heappush does the rest"
    for step in (1, -1):
        call = lambda nodes, step=step: deliver_to_each(nodes[::step] * 2, {}, [])  # noqa: E731
        expect_to_grow_with_the_graph("delivering two gradients to each of", branches, call, mend)


def deliver_to_each(nodes, grads, heap):
    for node in nodes:
        tt.engine.deliver(1.0, node, grads, heap)


@pytest.mark.exercise("6.4", points=1)
def test_many_may_wait():
    x, nodes = branches(500)
    tt.engine.run({nodes[-1]: one()})
    expect(x.grad, 500.0, "run on 500 branches: x.grad")
    mend = "go through no list for each turn, nor move one up: heappop finds the youngest"
    for graph in (branches, branches_from_the_youngest):
        call = lambda nodes: tt.engine.run({nodes[-1]: one()})  # noqa: E731
        expect_to_grow_with_the_graph("run on", graph, call, mend)
    rng, nodes = np.random.default_rng(0), [leaf_and_node()[1]]
    for _ in range(60):
        nodes.append(probe(*[(1.0, nodes[k]) for k in {0, *rng.integers(0, len(nodes), 2)}]))
    root = probe(*[(1.0, nodes[k]) for k in rng.permutation(len(nodes))[:20]])
    places = {node: str(place) for place, node in enumerate([*nodes, root])}
    turns = [int(name) for name, _ in turns_of({root: one()}, places)]
    what = "run on 60 nodes of which many wait at a time: their turns, numbered by birth"
    because = "of all who wait, the youngest: heappush puts a node on a heap, heappop takes it off"
    expect(turns, sorted({*turns}, reverse=True), what, because=because)


@pytest.mark.exercise("6.4", points=1)
def test_a_gradient_is_not_kept_after_its_turn():
    x, node = leaf_and_node([1.0, 2.0])
    for _ in range(8):
        node = probe((2.0, node))
    turn, alive = counting_turn()
    tt.engine.run({node: np.array([1.0, 1.0])}, turn=turn)
    expect(x.grad, [256.0, 256.0], "run on 8 nodes in a row, each twice the one before: x.grad")
    says = f"run on 8 nodes in a row: at the last turn {alive[-1]} gradients are still in memory"
    fail_if(alive[-1] > 4, f"{says}, expected 4 or fewer: {LET_GO}")
    behind, names = [probe((1.0, leaf_and_node()[1])) for _ in range(8)], ()
    names = [probe((2.0, each)) for each in behind]  # each sends its own gradient
    root = probe(*[(float(k), each) for k, each in enumerate(names)])
    turn, alive = counting_turn(lambda node, grad: None if node in behind
                                else tt.engine.take_turn(node, grad))  # fmt: skip
    tt.engine.run({root: np.ones(1)}, turn=turn)
    says = f"run on 8 branches whose turns give None: at the last {alive[-1]} gradients are still"
    fail_if(alive[-1] > 4, f"{says} in memory, expected 4 or fewer: {LET_GO}")


@pytest.mark.exercise("6.4", points=1)
def test_an_operation_with_several_results():
    x, y = pieces()
    what = "run on y = a * b * b, where a, b, _ = x.split(1)"
    with calling(what), asked_for("next_functions") as asked:
        tt.engine.run({y.grad_fn: one()})
    because = "the node of split has one turn, with the gradients of all its results"
    slips = [(lambda _: asked, OUTPUTS)]
    says = f"{what}, x = [2, 3, 5]: x.grad"
    expect(x.grad, [9.0, 12.0, 0.0], says, slips=slips, because=because)
