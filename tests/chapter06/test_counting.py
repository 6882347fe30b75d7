"""Chapter 6: the order that is counted."""

import gc
import sys

import numpy as np
import pytest

import tinytorch as tt
from course.nodes import (
    WRONG_TURNS,
    asked_for,
    branches,
    chain,
    counting_turn,
    expect_to_grow_with_the_graph,
    ladder,
    leaf_and_node,
    one,
    pieces,
    probe,
    two_ends,
)
from course.testing import calling, error_of, expect, fail_if, leaf, worded

OVER = "make uses, grads and ready anew in each call: no global, no default argument keeps them"
EDGES = "count edges: a node that is used twice by another one hears from it twice"
OUTPUTS = "count along edges: next_functions leaves out the nodes of the single results"
ONCE = "each node is ready once, when all who use it have spoken: its count is 0 then"
SILENT = "a node that has heard nothing but None has no turn, it sends None along each edge"
NOWHERE = "an edge that is None leads nowhere: leave it out"
NONE_SPEAKS = "None along an edge adds nothing, but nobody waits for it any longer"


def is_none(error):
    """Was None looked up in a dict?"""
    return isinstance(error, KeyError) and error.args == (None,)


def asks(turns, names):
    """Slips for a pass whose turns are noted in `turns`, pairs (name, gradient)."""
    had = lambda e: names.get(e.args[0]) in dict(turns)  # noqa: E731
    return [
        (is_none, NOWHERE),
        (lambda e: isinstance(e, KeyError) and had(e), ONCE),
        (lambda e: isinstance(e, KeyError) and not turns, "the root begins with its seed"),
        (worded(TypeError, "'Node' and"), "the result comes first: add(result, edge, grads)"),
        *WRONG_TURNS,
    ]


def counts(root, names, what):
    slips = [(lambda e: "changed size" in str(e), "only nodes of reachable([root]) are counted: "
              "an edge that is None leads to none"),
             (is_none, NOWHERE),
             (KeyError, "each node of reachable([root]) begins with 0"),
             (worded(TypeError, "is not iterable"), "reachable wants a list: reachable([root])"),
             (worded(AttributeError, "'NoneType'"), NOWHERE)]  # fmt: skip
    with calling(f"count_uses on {what}", slips=slips):
        uses = tt.counting.count_uses(root)
    fail_if(uses is None, f"count_uses on {what} gave None: return the dict")
    fail_if(not isinstance(uses, dict), f"count_uses gave {type(uses).__name__}, expected a dict")
    strange = [key for key in uses if key is not None and not isinstance(key, tt.node.Node)]
    fail_if(strange, f"count_uses on {what} has the key {strange[:1]}, expected nodes for keys")
    return {names.get(node, str(node)): count for node, count in uses.items()}


@pytest.mark.exercise("6.6", points=1)
def test_each_node_knows_how_many_use_it():
    _, a = leaf_and_node()
    b = probe((1.0, a), (1.0, a))
    c = probe((1.0, b))
    early = "an edge counts, too, whose node was found or walked before"
    for first, second in ((b, c), (c, b)):
        d = probe((1.0, first), (1.0, second))
        names = {a: "a", b: "b", c: "c", d: "d"}
        what = f"d points to {names[first]} and {names[second]}, c to b, b to a twice"
        got = counts(d, names, what)
        expect_counts(got, f"count_uses(d), {what},", early)


def expect_counts(got, what, early):
    more = {"a": 3, "b": 3, "c": 2}
    high = "each count is one too high: begin with 0, and each edge adds 1"
    slips = [(lambda g: all(g.get(name) == count for name, count in more.items()), high),
             (lambda g: g.get("a") == 1, EDGES),
             (lambda g: g.get("b") == 1, early),
             (lambda g: g.get("a") == 4, "an edge counts once, however many paths lead over it"),
             (lambda g: g.get("d") == 1, "nothing leads to d: it begins"),
             (lambda g: "d" not in g, "d itself is missing: nothing leads to it, so it has 0"),
             (lambda g: g.get("d") == 2, "that's how many it points to, "
              "not how many point to it"),
             (lambda g: g.get("a") == 0, "edges that lead to a leaf count, too")]  # fmt: skip
    expect(got, {"a": 2, "b": 2, "c": 1, "d": 0}, what, slips=slips)


@pytest.mark.exercise("6.6", points=1)
def test_nobody_is_counted_where_nobody_is():
    _, a = leaf_and_node()
    root = probe((1.0, None), (1.0, a), (1.0, None))
    what = "a root with the edges None, a, None"
    got = counts(root, {a: "a", root: "root"}, what)
    slips = [(lambda g: "None" in g, "an edge that is None leads to no node")]
    expect(got, {"a": 1, "root": 0}, f"count_uses on {what}", slips=slips)


def turns_by_counting(root, names, what, seed=1.0, slips=()):
    turns = []

    def turn(node, grad, /):
        fail_if(grad is None, f"run_by_counting called turn({names[node]}, None): {SILENT}")
        turns.append((names[node], float(grad)))
        return tt.engine.take_turn(node, grad)

    with calling(what, slips=[*asks(turns, names), *slips]):
        tt.counting.run_by_counting(root, np.array(seed), turn)
    return turns


@pytest.mark.exercise("6.6", points=1)
def test_a_node_waits_for_all_that_use_it():
    for ends in ("b and c", "c and b"):  # one of the two comes too early to whoever doesn't count
        x, a = leaf_and_node(2.0)
        b = probe((3.0, a))
        c = probe((2.0, b))
        d = probe((5.0, b), (7.0, c)) if ends == "b and c" else probe((7.0, c), (5.0, b))
        what = f"run_by_counting(d, 1), d points to {ends}, c to b, b to a:"
        turns = turns_by_counting(d, {a: "a", b: "b", c: "c", d: "d"}, what[:-1])
        order = "".join(name for name, _ in turns)
        early = "b went first, and c still owes it something: wait until uses[b] is 0"
        seed = "nobody had a turn: the root begins, with its seed, {root: seed}"
        lost = "c was ready, but had no gradient: the one that makes a node ready is added as well"
        slips = [("", seed) if x.grad is None else ("dcba", ""),
                 (lambda o: o[:2] == "db" and "c" not in o and loses_the_last(), lost),
                 ("", "turn was never called: what a node sends is turn(node, grad)"),
                 (lambda o: o.startswith("db"), early),
                 ("dcb", "a leaf's node has its turn like any other"),
                 (lambda o: len(o) > 4, "a node is ready once: when its count comes to 0"),
                 (lambda o: o == "d", "nobody became ready: for each edge count down, and then "
                  "look whether it's 0")]  # fmt: skip
        expect(order, "dcba", f"{what} the turns", slips=slips)
        slips = {14: "d's part is missing", 5: "c's part is missing",
                 1: "that's the seed: each node gets its own, grads.pop(node)"}  # fmt: skip
        expect(dict(turns)["b"], 19.0, f"{what} the gradient that b has at its turn", slips=slips)
        expect(x.grad, 57.0, f"{what} x.grad")


def loses_the_last():
    """Does a node that hears 7 and then 5 have its turn with 7?"""
    turns, c = [], probe((1.0, leaf_and_node()[1]))

    def turn(node, grad, /):
        turns.append((node is c, float(grad)))
        return node.backward(grad)

    tt.counting.run_by_counting(probe((7.0, c), (5.0, c)), one(), turn)
    return [grad for is_c, grad in turns if is_c] == [7.0]


@pytest.mark.exercise("6.6", points=1)
def test_a_tensor_used_twice_hears_twice():
    x = leaf(3.0)
    y = x * x
    with calling("run_by_counting on y = x * x"):
        tt.counting.run_by_counting(y.grad_fn, np.array(10.0))
    slips = [(30, "one of two gradients is missing"), (6, "it begins with seed, which is 10"),
             (lambda g: g is None, "x never got ready: it hears twice, "
              "and is counted down twice")]  # fmt: skip
    expect(x.grad, 60.0, "x.grad after run_by_counting(y, 10), y = x * x, x = 3,", slips=slips)
    (x, a), (y, b) = leaf_and_node([0.0]), leaf_and_node([0.0])
    ends = [probe((1.0, a), (1.0, b)) for _ in range(2)]

    def turn(node, grad, /):  # one array for both edges
        return [grad] * 2 if node in ends else node.backward(grad)

    what = "run_by_counting on a root that sends 1 and 10 to two nodes, each of which sends what"
    what += " it got, the same array, to the leaves x and y:"
    because = "+= changes an array that others hold: use +, or add"
    with calling(what[:-1]):
        tt.counting.run_by_counting(probe((1.0, ends[0]), (10.0, ends[1])), np.array([1.0]), turn)
    expect([float(leaf.grad) for leaf in (x, y)], [11.0, 11.0], f"{what} x.grad and y.grad",
           because=because)  # fmt: skip


@pytest.mark.exercise("6.6", points=1)
def test_none_is_an_answer():
    x, a = leaf_and_node()
    root = probe((2.0, a), (None, a))
    what = "run_by_counting on a root that sends 2 and None to the leaf a"
    slips = {TypeError: "None was added: leave that to add(result, edge, grads)"}
    with calling(what, slips=slips):
        tt.counting.run_by_counting(root, one())
    slips = [(lambda g: g is None, NONE_SPEAKS)]
    expect(x.grad, 2.0, f"{what}: x.grad", slips=slips)
    for zero in (0.0, [0.0, 0.0]):
        x, a = leaf_and_node(zero)
        tt.counting.run_by_counting(probe((0.0, a)), np.array(zero) + 1)
        slips = {None: "0 is a gradient, too: only None is none"}
        expect(x.grad, zero, f"run_by_counting on a root that sends {zero}: x.grad", slips=slips)
    x, a = leaf_and_node()
    what = "run_by_counting on a root with the edges None and a, whose turn gives 1 and 2"
    slips = [(is_none, NOWHERE), (lambda e: "NoneType" in str(e), NOWHERE)]
    with calling(what, slips=slips):
        tt.counting.run_by_counting(probe((1.0, None), (2.0, a)), one(), sends_one_and_two)
    expect(x.grad, 2.0, f"{what}: x.grad")
    y, b = leaf_and_node()
    silent = probe((2.0, None), (3.0, b))
    root = probe((None, silent), (5.0, b))
    names = {root: "root", silent: "silent", b: "b"}
    what = "run_by_counting on a root that sends None to `silent`, whose edges are None and b, and"
    what += " 5 to b"
    unheard = "silent has heard nothing but None, so it isn't in grads: it has no turn"
    slips = [(lambda e: isinstance(e, KeyError) and e.args[0] is silent, unheard),
             (lambda e: "'NoneType' object is not iterable" in str(e), "a node without a turn has "
              "no results, but its edges count")]  # fmt: skip
    turns = turns_by_counting(root, names, what, slips=slips)
    slips = [
        (
            lambda g: g is None,
            "b waits for silent, who has nothing to say: None goes on, along each of its edges",
        )
    ]
    expect(y.grad, 5.0, f"{what}: the gradient of b's leaf", slips=slips)
    slips = [(lambda t: "silent" in t, SILENT)]
    expect([name for name, _ in turns], ["root", "b"], f"{what}: the turns", slips=slips)


def sends_one_and_two(node, grad, /):
    return [np.array(1.0), np.array(2.0)] if node.edges else node.backward(grad)


ANY_ORDER = "those who are ready are sorted, or compared, again at each turn: any of them may be "
ANY_ORDER += "next, birth plays no part in counting"


@pytest.mark.exercise("6.6", points=1)
def test_the_work_grows_with_the_graph(monkeypatch):
    for graph in (chain, branches):
        call = lambda nodes: tt.counting.count_uses(nodes[-1])  # noqa: E731
        expect_to_grow_with_the_graph("count_uses on", graph, call)
        call = lambda nodes: tt.counting.run_by_counting(nodes[-1], one())  # noqa: E731
        expect_to_grow_with_the_graph(
            "run_by_counting on", graph, call, count=100, causes={"comparison": ANY_ORDER}
        )
    mend = "count edges, not nodes: whoever has two edges to a node is done at the second"
    call = lambda nodes: tt.counting.run_by_counting(nodes[-1], one())  # noqa: E731
    expect_to_grow_with_the_graph("run_by_counting on", ladder, call, mend, count=6)
    small, large = questions(monkeypatch, 50), questions(monkeypatch, 100)
    says = f"run_by_counting on 100 leaves of one root asks {large:,} times what a count is, "
    says += f"{small:,} for 50, expected about twice as many: ask a count when it has changed"
    fail_if(large > 2.5 * small, says)


def questions(monkeypatch, width):
    """How often run_by_counting asks a count what it is, where a root leads to so many leaves."""
    told, count_uses = [], tt.counting.count_uses

    def asked(name):
        return lambda self, *other: told.append(name) or getattr(int, name)(self, *other)

    names = ("__bool__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
    body = {name: asked(name) for name in names}
    body["__sub__"] = lambda self, other: Count(int(self) - other)
    Count = type("Count", (int,), body | {"__hash__": int.__hash__})
    counted = lambda root: {node: Count(n) for node, n in count_uses(root).items()}  # noqa: E731
    root = probe(*[(1.0, leaf_and_node()[1]) for _ in range(width)])
    with monkeypatch.context() as patch:
        patch.setattr(tt.counting, "count_uses", counted)
        tt.counting.run_by_counting(root, one())
    return len(told)


@pytest.mark.exercise("6.6", points=1)
def test_thousands_in_a_row_by_counting(monkeypatch):
    monkeypatch.setattr(sys, "setrecursionlimit", lambda limit: None)
    x, node = leaf_and_node()
    for _ in range(3_000):
        node = probe((1.0, node))
    slips = {RecursionError: "no call inside a call: reachable([root]) has walked the graph"}
    with calling("count_uses on 3,000 nodes in a row", slips=slips):
        uses = tt.counting.count_uses(node)
    expect(len(uses), 3_001, "how many nodes count_uses counted on 3,000 in a row and a leaf")
    slips = {RecursionError: "no call inside a call: a loop over those who are ready"}
    with calling("run_by_counting on 3,000 nodes in a row", slips=slips):
        tt.counting.run_by_counting(node, one())
    expect(x.grad, 1.0, "x.grad after run_by_counting on 3,000 nodes in a row")
    x, leaf_node = leaf_and_node()
    node = leaf_node
    for _ in range(3_000):
        node = probe((1.0, node))
    what = "run_by_counting on a root that sends 2 to a leaf and None to 3,000 nodes in a row"
    with calling(what, slips=slips):
        tt.counting.run_by_counting(probe((None, node), (2.0, leaf_node)), one())
    slips = {None: "None goes on from node to node, however many there are"}
    expect(x.grad, 2.0, f"{what}: x.grad", slips=slips)


@pytest.mark.exercise("6.6", points=1)
def test_the_graph_is_kept():
    x = leaf(3.0)
    y = x * x
    for times in (1, 2):
        with calling(f"run_by_counting on y = x * x, time {times}"):
            tt.counting.run_by_counting(y.grad_fn, one())
        what = f"x.grad after run_by_counting on y = x * x, x = 3, {times} time(s)"
        slips = {6: f"the second pass brought nothing: {OVER}"} if times == 2 else {}
        expect(x.grad, 6.0 * times, what, slips=slips)
        slips = {True: "here nobody lets go of anything"}
        expect(
            y.grad_fn.freed, False, "after run_by_counting: whether the node is freed", slips=slips
        )


@pytest.mark.exercise("6.6", points=1)
def test_every_step_of_a_ladder_once():
    x, node = leaf_and_node()
    names = {node: "0"}
    for step in range(1, 13):
        node = probe((1.0, node), (1.0, node))
        names[node] = str(step)
    what = "run_by_counting on a ladder of 12 steps and a leaf"
    turns = turns_by_counting(node, names, what)
    because = "each node has one turn, a leaf's too"
    expect(len(turns), 13, f"the turns of {what}", because=because)
    expect(x.grad, 4096.0, "x.grad after run_by_counting on a ladder of 12 steps")


@pytest.mark.exercise("6.6", points=1)
def test_every_edge_counts_whoever_is_behind_it():
    x, a = leaf_and_node()
    root = probe((1.0, a), (1.0, a))
    del x
    gc.collect()
    what = "root with two edges to the node of a leaf that nobody holds any more"
    expect(counts(root, {a: "a", root: "root"}, what), {"a": 2, "root": 0}, f"count_uses on {what}")
    x, y = pieces()
    what = "y = a * b * b, where a, b, _ = x.split(1)"
    got = counts(y.grad_fn, {x._node: "x"}, what)
    with asked_for("next_functions") as asked:
        uses = tt.counting.count_uses(y.grad_fn)
    singles = [n for node, n in uses.items() if isinstance(node, tt.outputs.OutputNode)]
    slips = [(lambda _: asked, OUTPUTS)]
    expect(sorted(singles), [1, 2], f"count_uses on {what}: those of a and b", slips=slips)
    expect(got["x"], 1, f"count_uses on {what}: that of x")
    with calling(f"run_by_counting on {what}"):
        tt.counting.run_by_counting(y.grad_fn, one())
    expect(x.grad, [9.0, 12.0, 0.0], f"run_by_counting on {what}, x = [2, 3, 5]: x.grad")


@pytest.mark.exercise("6.6", points=1)
def test_a_node_that_is_used_twice_is_ready_once():
    for first in ("b", "leaf"):
        x, a = leaf_and_node()
        b = probe((3.0, a))
        square, other = probe((1.0, b), (1.0, b)), probe((5.0, a))
        ends = [(1.0, square), (1.0, other)]
        root = probe(*ends) if first == "b" else probe(*ends[::-1])
        what = "run_by_counting on a root that leads to b twice over one node, and to 5 * a: x.grad"
        with calling(what):
            tt.counting.run_by_counting(root, one())
        because = "b hears twice from one node, and becomes ready once, at the second time"
        expect(x.grad, 11.0, what, because=because)


@pytest.mark.exercise("6.6", points=1)
def test_a_pass_after_an_error_and_one_inside_another_by_counting():
    for inside in (False, True):
        (x, root, ends), (y, other, _) = two_ends(), two_ends()
        told = []

        def turn(node, grad, ends=ends, other=other, told=told, inside=inside):
            if node in ends and not told:
                told.append(tt.counting.run_by_counting(other, one()) if inside else 1 / 0)
            return node.backward(grad)

        call = lambda root=root, turn=turn: tt.counting.run_by_counting(root, one(), turn)  # noqa: E731
        what = "run_by_counting on a root that leads to x over two nodes, "
        what += "a turn of which runs another graph, y's" if inside else "after a turn failed"
        if not inside:
            error = error_of(call)
            says = "the error of a run_by_counting of which a turn fails"
            because = "a turn's error comes out, whatever it is"
            expect(type(error), ZeroDivisionError, says, because=because)
            call = lambda root=root: tt.counting.run_by_counting(root, one())  # noqa: E731
        with calling(what, slips={Exception: OVER}):
            call()
        expect(y.grad, 5.0 if inside else None, f"{what}: y.grad", because=OVER)
        expect(x.grad, 5.0, f"{what}: x.grad", because=OVER)


@pytest.mark.exercise("6.6", points=1)
def test_who_is_older_does_not_matter():
    x, a = leaf_and_node()
    b = probe((3.0, a))
    c = probe((2.0, b))
    d = probe((5.0, b), (7.0, c))
    for number, node in enumerate((d, c, b, a)):
        node.number = number
    what = "run_by_counting(d, 1), d points to b and c, c to b, and the numbers say nothing:"
    turns = turns_by_counting(d, {a: "a", b: "b", c: "c", d: "d"}, what[:-1])
    because = "who is ready is known by counting alone"
    slips = [("", "turn was never called: what a node sends is turn(node, grad)")]
    order = "".join(name for name, _ in turns)
    expect(order, "dcba", f"{what} the turns", slips=slips, because=because)
    expect(x.grad, 57.0, f"{what} x.grad", because=because)


@pytest.mark.exercise("6.6", points=1)
def test_a_gradient_is_not_kept_after_its_turn_by_counting():
    x, node = leaf_and_node([1.0, 2.0])
    for _ in range(8):
        node = probe((2.0, node))
    turn, alive = counting_turn()
    tt.counting.run_by_counting(node, np.array([1.0, 1.0]), turn)
    expect(x.grad, [256.0, 256.0], "run_by_counting on 8 nodes in a row: x.grad")
    says = f"run_by_counting on 8 nodes in a row: at the last turn {alive[-1]} gradients are still"
    mend = "after a node's turn nothing holds its gradient: grads.pop(node), and no list of yours"
    fail_if(alive[-1] > 4, f"{says} in memory, expected 4 or fewer: {mend}")
