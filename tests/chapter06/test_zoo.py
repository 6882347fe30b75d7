"""Chapter 6's contracts, run last: random graphs of nodes, all dtypes and shapes, second calls."""

import gc
import itertools
import sys
import warnings
import weakref
from functools import partial
from heapq import heappop
from types import SimpleNamespace

import numpy as np
import pytest

import tinytorch as tt
from course.contracts import DTYPES, EVERY_ERROR, SHAPES, arrays, expect_ending, numbers
from course.memory import memory_taken
from course.nodes import (
    branches,
    chain,
    gradients_of,
    leads_to,
    leaf_and_node,
    probe,
    random_graph,
)
from course.testing import calling, expect, expect_raises, fail_if, leaf, worded

GRAPHS = range(10)
KINDS_OF_HOOKS = ("on_grad", "retaining", "before_backward")
NOT_FINITE = ((1.0, np.nan), (np.nan, 1.0), (1.0, np.inf), (np.inf, 1.0), (1.0, -np.inf))


class Stop(Exception):
    pass


class Seen(list):
    """A hook that keeps what it sees. As long as it's empty, it counts as false."""

    __hash__ = object.__hash__

    def __call__(self, grad):
        self.append(grad)


ERRORS = {kind.__name__: kind for kind in (*EVERY_ERROR, KeyboardInterrupt, Stop)}
NOT_AN_END = {  # map() and a generator take StopIteration for their own end
    name: error for name, error in ERRORS.items() if error is not StopIteration
}
ALONE = "a pass has what is its own: nothing stays for another, in a global or a default argument"
COMES_OUT = "an error is not caught"
HISTORY = "old may have a history, its array has none: old._data"
KEEPS = "who lets go of what is for run to say, and what saved_for(grad) gives is for one call"


def expect_same(got, want, what):
    """The same numbers, shape and dtype; float64 to its last digits but three."""
    expect(got, want, what)
    expect(np.asarray(got).dtype, want.dtype, f"the dtype of {what}")
    finite = np.isfinite(want)
    if want.dtype == np.float64 and finite.any():
        got, want = np.asarray(got)[finite], want[finite]
        far = np.max(np.abs(got - want) / np.maximum(np.abs(want), 1e-300))
        says = f"{what} is off by {far:.0e} of what it should be"
        fail_if(far > 1e-12, f"{says}: float64 has 15 digits, keep them all")


def refusing(shape, error):
    """An array of ones that can't be computed with: that raises `error`."""

    class Refusing(np.ndarray):
        def __array_ufunc__(self, *args, **options):
            raise error("on purpose")

        __getitem__ = __array_ufunc__

    return np.ones(shape).view(Refusing)


def expect_error(call, error, what):
    """An error comes out of a call as it was raised."""
    ended = expect_ending(call, error, f"{what}, raising {error.__name__} (let it out),")
    expect(ended.args, ("on purpose",), f"{what}: what the {error.__name__} says")


def surroundings():
    """What a function of somebody else's may rely on, as it is here and now."""
    return {
        "np.geterr()": np.geterr(),
        "warnings.filters": [*warnings.filters],
        "tt.is_grad_enabled()": tt.is_grad_enabled(),
        "sys.getrecursionlimit()": sys.getrecursionlimit(),
    }


def expect_called_as_it_is(call, what):
    """call(look) calls look(), in somebody else's function, which finds all as it was outside."""
    for recorded in (True, False):
        told = []
        with tt.set_grad_enabled(recorded):
            want = surroundings()
            call(lambda told=told: told.append(surroundings()))
        changed = [name for got in told for name in got if got[name] != want[name]]
        because = "it's called as it is: settings are whoever's who called"
        expect(changed, [], f"{what}: what it finds otherwise than it was outside", because=because)


def all_of(node):
    """What a node holds, and its rule: {name: thing}."""
    names = ("edges", "hooks", "number", "rule", "saved")
    of_rule = {f"rule.{name}": getattr(node.rule, name) for name in node.rule.__slots__}
    return {name: getattr(node, name) for name in names} | of_rule


def expect_left(node, before, what, because, but=()):
    """A node holds what it held before, but for what these names stand for."""
    changed = [name for name, thing in all_of(node).items() if thing is not before[name]]
    changed = [name for name in changed if name not in but]
    expect(changed, [], f"{what}: what of the node isn't as it was", because=because)


def arrows(order, pairs):
    """A random graph in words: where each node's edges lead, (None) where None is sent."""
    ends = {order[n]: [(w, order.get(edge)) for w, edge in made] for n, made in pairs.items()}
    texts = {k: ", ".join(f"{end}" if w is not None else f"{end} (None)" for w, end in made)
             for k, made in ends.items() if made}  # fmt: skip
    return "; ".join(f"{k} to {text}" for k, text in texts.items())


def expect_turns(turns, want, what):
    """Pairs (number of the node, gradient at its turn), in this order."""
    got, right = (" ".join(str(number) for number, _ in pairs) for pairs in (turns, want))
    slips = [(lambda g: len(set(g.split())) < len(g.split()), "a node has one turn, when all that "
              "it will hear has come")]  # fmt: skip
    expect(
        got, right, f"{what}: the nodes, by their birth, in the order of their turns", slips=slips
    )
    expect([g for _, g in turns], [g for _, g in want], f"{what}: the gradient at each turn")


@pytest.mark.exercise("6.1", points=1)
def test_any_rule_on_any_gradient():
    leaves = [leaf_and_node() for _ in range(5)]
    for count in range(6):
        for missing in range(2**count if count < 4 else 3):
            ends = [None if missing >> k & 1 else leaves[k][1] for k in range(count)]
            told, weights = [], [None if k == 3 else k + 2.0 for k in range(count)]
            edges = ["a leaf" if end else "None" for end in ends] or ["none"]
            pairs = [*zip(weights, ends, strict=True)]
            nodes = {n: probe(*pairs, saved=(np.array(7.0),) * n, told=told) for n in (0, 2)}
            for held, node in [*nodes.items()] * 2:
                told.clear()
                what = f"a node with edges {', '.join(edges)} and {held} saved arrays, sent 10"
                with calling(what, slips=[(lambda e: "was freed" in str(e), KEEPS)]):
                    got = node.backward(np.array(10.0))
                want = [None if end is None or w is None else 10 * w
                        for w, end in zip(weights, ends, strict=True)]  # fmt: skip
                bad = [g for g, w in zip(got, want, strict=False) if w is None and g is not None]
                because = "an edge that is None gets None, and what a formula gives stays as it is"
                fail_if(bad, f"what {what}, gave = {got}, expected {want}: {because}")
                expect([None if g is None else float(g) for g in got], want, f"what {what}, gave")
                asked = [k for k in range(count) if ends[k] is not None]
                expect(len(told), len(asked), f"{what}: how many formulas were called")
                expect(sorted(told), asked, f"{what}: which formulas were called, counted from 0")
    for (grad,) in arrays():
        shape, dtype, kept = grad.shape, grad.dtype, grad.copy()
        x = leaf(numbers(shape, dtype, seed=4), dtype)
        node = (x * x).grad_fn
        before = all_of(node)
        for times in (1, 2, 3, 4):
            said = f"backward of x * x, x of shape {shape}, time {times}"
            with calling(said):
                first, second = node.backward(grad if times % 2 else tt.tensor(kept))
            for got in (first, second) * (times % 2):
                expect_same(got, kept * x.detach().numpy(), said)
            expect_left(node, before, f"after {said}", KEEPS)
        expect(grad, kept, "the gradient that was sent, afterwards", rtol=0, atol=0)
        for other in DTYPES:
            if other != dtype:
                (got,) = (x.to(other) * 1).grad_fn.edges[0].backward(numbers(shape, other))
                said = f"the gradient for what a change from {dtype} to {np.dtype(other)} is sent"
                expect_same(got, numbers(shape, other).astype(dtype), said)

    for error in NOT_AN_END.values():
        told = []

        def fails(grad, *saved, told=told, error=error):
            told.append(saved)
            raise error("on purpose")

        for saved in ((), (np.array(2.0),)):
            told.clear()
            node = tt.node.Node(tt.node.Rule("Fails", (fails, fails)), (leaves[0][1],) * 2, saved)
            what = "backward of a node with a formula that fails"
            expect_error(partial(node.backward, np.array(1.0)), error, what)
            expect(len(told), 1, f"{what}, raising {error.__name__}: how many formulas were called")
            expect(len(told[0]), len(saved), f"{what}: how much that was saved it got")
    parts, told = tt.outputs.Parts(2, {0: np.array(3.0)}), []
    formulas = [lambda grad, k=k: told.append(k) or grad[0] * k for k in range(3)]
    node = tt.node.Node(tt.node.Rule("Two", formulas), (None, leaves[0][1], None), ())
    what = "backward of a node with two results, edges None, a leaf, None"
    with calling(f"{what}, sent Parts"):
        got = [grad if grad is None else float(grad) for grad in node.backward(parts)]
    expect(got, [None, 3.0, None], what)
    expect(told, [1], f"{what}: which formulas were called, counted from 0")
    x = leaf(3.0)
    node, number = (x * x).grad_fn, np.float64(10.0)
    because = "a number is an array without axes: only a Tensor's gradients are Tensors"
    kinds = {isinstance(each, tt.Tensor) for each in node.backward(number)}
    what = "backward of x * x, sent a NumPy number: whether its gradients are Tensors"
    expect(kinds, {False}, what, because=because)

    def call(look):
        rule = tt.node.Rule("Looks", [lambda grad: look() or grad])
        tt.node.Node(rule, (leaves[0][1],), ()).backward(np.array(1.0))

    expect_called_as_it_is(call, "a formula that looks around")
    x = leaf([1.0, 2.0])
    node = (x * x).grad_fn
    node.backward(tt.tensor(np.array([1.0, 1.0])))
    x.detach().mul_(2)
    call = partial(node.backward, np.array([1.0, 1.0]))
    what = "backward of x * x after x was changed in place, which saved_for(grad) notices,"
    expect_ending(call, RuntimeError, what)


@pytest.mark.exercise("6.2", points=2)
def test_gradients_of_every_shape_add_up():
    x, _ = leaf_and_node([1.0, 2.0])
    tt.node.add_to_grad(x, np.array([0.0, 0.0]))
    expect(x.grad, [0.0, 0.0], "x.grad after one gradient of zeros")
    for dtype in DTYPES:
        for shape in SHAPES:
            x, node = leaf_and_node(numbers(shape), dtype)
            want, sent = np.zeros(shape, dtype), []
            for seed in range(4):
                both = numbers((2, *shape), dtype, seed) * (seed != 2)  # the third is 0
                grad = both[:1].reshape(shape)  # a view
                sent.append((grad, grad.copy()))
                want = want + grad
                what = f"x.grad after gradient {seed + 1} of shape {shape}"
                if seed % 2 or dtype is np.float32:
                    expect(node.backward(grad), (), f"what was returned for {what}")
                else:
                    tt.node.add_to_grad(x, grad)
                fine = isinstance(x.grad, tt.Tensor) and not x.grad.requires_grad
                expect(fine, True, f"whether {what} is a Tensor without a history")
                expect_same(x.grad.numpy(), np.asarray(want), what)
            for grad, kept in sent:
                expect(grad, kept, f"a gradient that was sent, of shape {shape}, afterwards")
    for first, second in NOT_FINITE:
        x, node = leaf_and_node([1.0, 2.0])
        node.backward(np.array([first, 1.0]))
        node.backward(np.array([second, 1.0]))
        what = f"x.grad after [{first}, 1.] and [{second}, 1.]"
        expect(x.grad, [first + second, 2.0], what)
    x, node = leaf_and_node([1.0, 2.0])
    view = np.array([5.0, 6.0])
    tt.node.add_to_grad(x, view[...])
    view *= 100
    expect(x.grad, [5.0, 6.0], "x.grad after the array of which a view was sent has changed")
    because = "a first gradient changes nothing in place: no touch"
    what = "how often x.grad has been changed after one gradient"
    expect(x.grad._version, 0, what, because=because)
    x, node = leaf_and_node(1.0)
    first = tt.tensor(np.array(2.0), requires_grad=True) * 1
    tt.node.add_to_grad(x, first)
    expect(x.grad is first, False, "whether x.grad is the very Tensor that was sent")
    held = weakref.ref(x.grad)
    x.grad = None
    del first
    gc.collect()
    expect(held() is None, True, "x.grad was set to None: whether the old one is gone")
    tt.node.add_to_grad(x, np.array(7.0))
    expect(x.grad, 7.0, "x.grad after None was put there and 7 was sent")
    with tt.no_grad():
        tt.node.add_to_grad(x, tt.tensor(np.array(1.0)))
    expect(x.grad, 8.0, "x.grad after another Tensor, 1, under no_grad()")
    x, node = leaf_and_node([1.0, 2.0])
    for _ in range(2):
        tt.node.add_to_grad(x, tt.tensor(np.array([1.0, 1.0])))
    expect(
        x.grad._version, 0, "how often x.grad, the sum of two Tensors, has been changed in place"
    )
    for dtype in DTYPES:
        for shape in SHAPES:
            expect_added_in_place(shape, dtype)
    expect_adding_to_fail_aloud()
    x, node = leaf_and_node([1.0, 2.0])
    before = all_of(node) | {"array": node.array, "reference": node.reference}
    for _ in range(2):
        node.backward(np.array([1.0, 1.0]))
    held = weakref.ref(x)
    del x
    because = "the node knows its leaf by self.reference alone: anything else would keep it alive"
    expect(held() is None, True, "whether a leaf that has a gradient can go", because=because)
    same = node.array is before["array"] and node.reference is before["reference"]
    expect(same, True, "whether array and reference of a leaf's node are as they were")
    expect_left(node, before, "the node of a leaf that was sent two gradients", "it stays as it is")


def expect_adding_to_fail_aloud():
    """Where nothing can be added to what is in x.grad, the error comes out, whatever it is."""
    fits_not = {"an array": np.ones(3), "a matrix": np.ones((2, 2)), "a Tensor": leaf([1, 2, 3])}
    for name, grad in fits_not.items():
        x, node = leaf_and_node([1.0, 2.0])
        x.grad = there = tt.tensor(np.ones(2))
        what = f"backward of a leaf's node, sent {name} of another shape than x.grad has,"
        call = partial(node.backward, grad)
        because = "where shapes don't fit, + and np.add raise it: let it out"
        expect_raises(RuntimeError if name == "a Tensor" else ValueError, call, what,
                      because=because)  # fmt: skip
        expect(x.grad, [1.0, 1.0], f"{what}: x.grad afterwards", because=COMES_OUT)
    for error in ERRORS.values():
        x, node = leaf_and_node([1.0, 2.0])
        x.grad = there = tt.tensor(np.ones(2))
        x.grad._data = refusing(2, error)
        what = "backward of a leaf's node, where adding to the memory of x.grad fails"
        expect_error(partial(node.backward, np.ones(2)), error, what)
        expect(x.grad is there, True, f"{what}: whether x.grad is the Tensor that was there")
    x, node = leaf_and_node([1.0, 2.0])
    x.grad = tt.tensor(np.ones(2))
    x.grad._data.flags.writeable = False
    what = "backward of a leaf's node, where x.grad is in memory that can't be written"
    expect_raises(ValueError, partial(node.backward, np.ones(2)), what, because=COMES_OUT)


def expect_added_in_place(shape, dtype):
    """Whatever is in x.grad, an array or a number goes into its memory, and it stays what it is."""
    parts = tt.tensor(numbers((2, *shape), dtype))
    there = {
        "an array of its own": tt.tensor(numbers(shape, dtype)),
        "a view of a part of another Tensor": parts[1, ...],
        "a transposed view": tt.tensor(numbers(shape[::-1], dtype)).permute(
            *range(len(shape))[::-1]
        ),
        "a Tensor with a history": leaf(numbers(shape, dtype), dtype) * 1,
        "a leaf that asks for a gradient itself": leaf(numbers(shape, dtype), dtype),
    }
    sent = [numbers(shape, dtype, seed=4)] + [np.float64(2.0), 3.0, 4] * (shape == ())
    plain = [
        (lambda e: "'float'" in str(e) or "'int'" in str(e), "grad may be a number, too"),
        (worded(RuntimeError, "lose its history"), HISTORY),
        (worded(RuntimeError, "in-place"), HISTORY),
    ]
    for (kind, old), grad in itertools.product(there.items(), sent):
        x, node = leaf_and_node(numbers(shape), dtype)
        x.grad, version, asks, made_by = old, old._version, old.requires_grad, old.grad_fn
        memory, before = old.detach(), old.detach().clone()
        is_array = isinstance(grad, np.ndarray)
        came = f"an array of shape {shape}" if is_array else f"the {type(grad).__name__} {grad}"
        what = f"x.grad, {kind}, after {came}"
        with calling(f"backward of a leaf's node, sent {came}", slips=plain):
            node.backward(grad)
        slips = [(grad, "what was there is lost: add to it"),
                 (before, "it's as before: what was added went into a copy")]  # fmt: skip
        expect(x.grad, np.asarray(before.numpy() + grad), what, slips=slips)
        because = "whatever Tensor is there, an array or number is added into its memory"
        expect(
            x.grad is old, True, f"whether {what}, is the Tensor that was there", because=because
        )
        slips = [(before, "the sum is in other memory: np.add(…, out=old._data)")]
        expect(memory, x.grad, f"a view of {what}", slips=slips)
        because = "its history stays as it was"
        expect(x.grad.requires_grad, asks, f"{what}: x.grad.requires_grad", because=because)
        same = x.grad.grad_fn is made_by
        expect(same, True, f"{what}: whether x.grad.grad_fn is as before", because=because)
        because = "memory.touch(old._data), each time something is added into it"
        noted = x.grad._version - version
        expect(noted, 1, f"{what}: how many changes were noted", because=because)


@pytest.mark.exercise("6.3", points=1)
def test_any_gradient_in_any_order():
    for dtype in DTYPES:
        for shape in SHAPES:
            nodes, rng = [leaf_and_node()[1] for _ in range(5)], np.random.default_rng(3)
            grads, heap, want = {}, [], {}
            for k in rng.integers(0, 5, 20):
                grad = numbers(shape, dtype, seed=int(k)) * (k != 3)
                kept, before = grad.copy(), grads.get(nodes[k])
                tt.engine.deliver(grad, nodes[k], grads, heap)
                want[nodes[k]] = want.get(nodes[k], np.zeros(shape, dtype)) + kept
                expect(grad, kept, f"a gradient of shape {shape} after it was delivered")
                if before is not None:
                    what = f"whether the sum of {before} and {grad} is a new array"
                    new = grads[nodes[k]] is not before and grads[nodes[k]] is not grad
                    expect(new, True, what, because="also where one of them is 0")
            for node in nodes:
                expect_same(grads[node], np.asarray(want[node]), f"grads, of shape {shape}")
            order = [nodes.index(heappop(heap)[1]) for _ in range(len(heap))]
            slips = [(lambda o: len(o) < 5, "whatever came first, its node waits"),
                     (lambda o: len(o) > 5, "each node is on the heap once")]  # fmt: skip
            what = f"five nodes that got gradients of shape {shape}, as heappop takes them off"
            expect(order, [4, 3, 2, 1, 0], what, slips=slips)
    expect_firsts_as_they_came(node)
    for first, second in NOT_FINITE:
        grads = {}
        for number in (first, second):
            tt.engine.deliver(np.array([number]), node, grads, [])
        expect(grads[node], [first + second], f"deliver of {first}, then of {second}: grads[node]")
    rng, heap, waiting = np.random.default_rng(0), [], []
    for node in rng.permutation([leaf_and_node()[1] for _ in range(60)]):
        tt.engine.deliver(np.array(1.0), node, {}, heap)
        waiting.append(node)
        if rng.random() < 0.4:
            youngest = max(waiting, key=lambda node: node.number)
            waiting.remove(youngest)
            what = "some taken off, others put on: whether heappop gives the youngest of all"
            expect(heappop(heap)[1] is youngest, True, what, because="use heappush")
    for error in ERRORS.values():
        if not issubclass(error, LookupError):  # a right answer may ask grads by way of KeyError
            first, second = np.ones(2), refusing(2, error)
            for grads in ({node: first}, {node: second}):
                other, heap = second if grads[node] is first else first, []
                what = "deliver of a gradient that can't be added"
                expect_error(partial(tt.engine.deliver, other, node, grads, heap), error, what)
                expect(heap, [], f"{what}: the heap afterwards", because=COMES_OUT)
    for first, second in itertools.permutations((np.array(3.0), np.float64(4.0), 5.0), 2):
        grads = {}
        for grad in (first, second):
            tt.engine.deliver(grad, node, grads, [])
        kinds = " and ".join(type(grad).__name__ for grad in (first, second))
        what = f"the sum after deliver of {first} and {second}, {kinds}"
        expect(grads[node], float(first + second), what)
    heap = []
    tt.engine.deliver(np.array(1.0), node, {}, heap)
    what = "the heap of a second pass, after its first gradient for a node that had some in another"
    expect(heap, [(-node.number, node)], what, because="grads and heap say all that there is")
    node = leaf_and_node()[1]
    heap = [(-node.number - 1, None)]
    tt.engine.deliver(np.array(0.0), node, {}, heap)
    expect(len(heap), 2, "the heap after a gradient 0.0 for a node that is not in grads")


def expect_firsts_as_they_came(node):
    """deliver keeps a first gradient itself, whether it's an array, a view of one or a Tensor."""
    for dtype, shape in itertools.product(DTYPES, SHAPES):
        array = numbers(shape, dtype)
        tensor = tt.tensor(array, requires_grad=True)
        kinds = {
            "an array": array,
            "an array of zeros": np.zeros(shape, dtype),
            "a view of an array": array[...],
            "a view that can't be written to": np.broadcast_to(array, (2, *shape)),
            "a Tensor": tt.tensor(array),
            "a Tensor that has a history": tensor * 1,
        }
        for kind, first in kinds.items():
            grads = {}
            tt.engine.deliver(first, node, grads, [])
            what = f"deliver of {kind}, shape {tuple(first.shape)}, the first"
            because = "a first gradient stays as it came, whatever it is: grads[edge] = result"
            kept = grads[node] is first
            expect(kept, True, f"{what}: whether grads[node] is what came", because=because)


@pytest.mark.exercise("6.4", points=1)
def test_any_graph_from_any_seeds():
    for seed in GRAPHS:
        root, nodes, pairs, leaves = random_graph(seed)
        order = {node: k for k, node in enumerate(nodes)}
        rng = np.random.default_rng(seed)
        others = [nodes[k] for k in rng.choice(len(nodes), 3, replace=False)]
        for starts in ([root], [*others, root], [*others[::-1]]):
            seeds = {node: np.array(float(k + 1)) for k, node in enumerate(starts)}
            want = gradients_of(nodes, pairs, {n: float(g) for n, g in seeds.items()})
            turns = []

            def turn(node, grad, turns=turns, order=order):
                turns.append((order[node], float(grad)))
                return tt.engine.take_turn(node, grad)

            what = f"run from {[order[n] for n in starts]} on random graph ({arrows(order, pairs)})"
            tt.engine.run(seeds, True, turn)
            right = sorted(((order[n], g) for n, g in want.items()), reverse=True)
            expect_turns(turns, right, what)
            for leaf_, node in zip(leaves, nodes, strict=False):
                expect(leaf_.grad, want.get(node), f"{what}: the gradient of leaf {order[node]}")
                leaf_.grad = None
        before = {node: all_of(node) for node in nodes}
        tt.engine.run({root: np.array(1.0)}, True)
        because = "run with retain_graph=True changes no node"
        for node in nodes:
            expect_left(node, before[node], f"{what}, node {order[node]}", because)
        tt.engine.run({root: np.array(1.0)})
        because = "of a node, edges and saved are let go of, and nothing else"
        for node in nodes:
            said = f"{what}, node {order[node]}"
            expect_left(node, before[node], said, because, ("edges", "saved"))
        what = f"run on random graph ({arrows(order, pairs)}): whether node"
        because = "each node with edges here has saved arrays, and lets go once it has sent"
        for node in gradients_of(nodes, pairs, {root: 1.0}):
            let_go = node.freed and node.edges == ()
            says = f"{what} {order[node]} has let go of all it held"
            expect(let_go, bool(pairs[node]), says, because=because)
    x = leaf(3.0)
    y = x * x

    def stops(node, grad):
        raise Stop

    seeds = {y.grad_fn: np.array(1.0)}
    call = partial(tt.engine.run, seeds, False, stops)
    expect_ending(call, Stop, "run with a turn that raises Stop")
    because = "who hasn't sent its gradients keeps what it holds"
    what = "whether a node is freed whose turn raised an exception"
    expect(y.grad_fn.freed, False, what, because=because)
    because = "seeds is the caller's, whatever happens: dict(seeds) is yours"
    what = "how many seeds there are after a turn that raised an exception"
    expect(len(seeds), 1, what, because=because)
    expect_seeds_to_stay()
    expect_the_pass("run", lambda root, *turn: tt.engine.run({root: np.array(1.0)}, False, *turn))
    with calling("run({})"):
        tt.engine.run({})
    a, b = leaf(2.0), leaf(3.0)
    (a * b).backward(create_graph=True)
    expect_each_pass_alone(
        "run", lambda root, turn: tt.engine.run({root: np.array(1.0)}, True, turn)
    )
    expect_all_digits("run", lambda root, *turn: tt.engine.run({root: np.array(1.0)}, False, *turn))
    expect_history("run", lambda root, seed: tt.engine.run({root: seed}))
    call = lambda nodes: tt.engine.run({nodes[-1]: 1.0}, turn=sends_ones)  # noqa: E731
    expect_no_copies("run", call)
    because = "with create_graph=True the pass is recorded: Tensors go through run"
    expect(
        a.grad.requires_grad,
        True,
        "a.grad.requires_grad after backward(create_graph=True)",
        because=because,
    )
    expect_to_forget("run", lambda node: tt.engine.run({node: np.array(1.0)}))


def expect_seeds_to_stay():
    """Whoever looks at the seeds in a turn finds them as they were."""
    nodes = [probe((1.0, leaf_and_node()[1])) for _ in range(3)]
    seeds = {node: np.array(1.0) for node in nodes}
    kept, told = dict(seeds), []

    def turn(node, grad, /):
        same = [seeds.get(node) is grad for node, grad in kept.items()]
        told.append(same == [True] * 3 and len(seeds) == 3)
        return tt.engine.take_turn(node, grad)

    tt.engine.run(seeds, turn=turn)
    because = "seeds is the caller's, also meanwhile: dict(seeds) is yours"
    what = "run from three nodes: whether seeds is as before, in each turn"
    expect(all(told), True, what, because=because)


@pytest.mark.exercise("6.5", points=1)
def test_any_graph_is_found():
    for seed in GRAPHS:
        root, nodes, pairs, leaves = random_graph(seed)
        order = {node: k for k, node in enumerate(nodes)}
        for starts in ([root], nodes[4:7], nodes[:2], [nodes[5], nodes[5]]):
            want = set(starts)
            for node in reversed(nodes):
                if node in want:
                    want |= {edge for _, edge in pairs[node] if edge is not None}
            starts_at = [order[n] for n in starts]
            what = f"reachable from {starts_at} on random graph ({arrows(order, pairs)})"
            with calling(what):
                got = tt.engine.reachable(starts)
            slips = [(lambda g: len(set(g.split())) < len(g.split()), "each node once")]
            found = " ".join(str(order.get(n)) for n in got)
            right = " ".join(map(str, sorted(order[n] for n in want)))
            expect(found, right, what, slips=slips, because="each node, the oldest first")
    expect_to_forget("reachable", lambda node: tt.engine.reachable([node]))
    expect_as_the_graph_is_now("reachable", lambda node: tt.engine.reachable([node]))
    expect_no_copies("reachable", lambda nodes: tt.engine.reachable([nodes[-1]]))


def unsure(node):
    """Make a node's edges raise Stop when they're read, and give what ends that."""
    edges = node.edges

    class Edges(tuple):
        def __iter__(self):
            raise Stop

        __len__ = __getitem__ = __iter__

    node.edges = Edges(edges)
    return partial(setattr, node, "edges", edges)


def expect_as_the_graph_is_now(name, call):
    """Each call looks at the edges as they are; what it gave before is the caller's."""
    now = "each call looks at the edges as they are now: keep nothing from one call to the next"
    a, b = leaf_and_node()[1], leaf_and_node()[1]
    middle = probe((1.0, a), (1.0, b), saved=(np.ones(1),))
    root = probe((1.0, middle), (1.0, b))
    found = call(root)
    expect({*found}, {root, middle, a, b}, f"{name} on four nodes: whom it found")
    found.clear()
    what = f"{name}, after the caller emptied what it gave before: whom it found"
    expect({*call(root)}, {root, middle, a, b}, what, because=now)
    for edges in ((b,), ()):
        middle.edges, middle.saved = edges, None
        what = f"{name}, after a node in the middle has {len(edges)} edge(s) left: whom it found"
        expect({*call(root)}, {root, middle, b}, what, because=now)
    other = probe((1.0, a))
    root = probe((1.0, b), (1.0, other), (1.0, middle))
    for first in (root, probe((1.0, other), (1.0, b))):
        mend = unsure(other)
        expect_ending(partial(call, first), Stop, f"{name} where edges can't be read")
        mend()
        what = f"{name} on a leaf's node, after a call that ended with an error: whom it found"
        with calling(what, slips={Exception: now}):
            expect({*call(a)}, {a}, what, because=now)
        expect({*call(root)}, {root, a, b, other, middle}, what.replace("a leaf's node", "all"))


def expect_the_pass(name, run):
    """run(root, turn) asks hooks where no turn is given, adds infinities, and hides no error."""
    x = leaf(3.0)
    y = x * x
    y.grad_fn.hooks = SimpleNamespace(before=lambda g: g * 10, after=lambda results, _: results)
    run(y.grad_fn)
    because = "without a `turn` of yours it's take_turn(node, grad), which asks the hooks"
    what = f"{name} on y = x * x, x = 3, a hook of y multiplies by 10: x.grad"
    expect(x.grad, 60.0, what, because=because)

    def call(look):
        run(probe((1.0, leaf_and_node()[1])), lambda node, grad: look() or node.backward(grad))

    expect_called_as_it_is(call, f"{name} with a turn that looks around")
    for first, second in NOT_FINITE:
        x, node = leaf_and_node([1.0])
        run(probe((np.array([first]), node), (np.array([second]), node)))
        expect(x.grad, [first + second], f"{name} on a root that sends {first}, {second}: x.grad")
    y = leaf(3.0) * 2.0
    y.grad_fn.edges, y.grad_fn.saved = (), None
    call, what = partial(run, y.grad_fn), f"{name} on a node that is freed"
    because = "a turn's error comes out, whatever it is"
    expect_raises(RuntimeError, call, what, because=because, says=["retain_graph"])
    for error in ERRORS.values():
        node = probe((1.0, probe((1.0, leaf_and_node()[1]))))
        what = f"{name} with a turn that fails, in a graph of three nodes"
        expect_error(partial(run, node, partial(fails, node, error)), error, what)
        root = probe((1.0, leaf_and_node()[1]), (1.0, None), (1.0, node))
        root.edges = (root.edges[0], None, root.edges[0])
        sums = lambda node, grad, error=error: [np.ones(2), None, refusing(2, error)]  # noqa: E731
        what = f"{name} with two gradients for a node that can't be added"
        expect_error(partial(run, root, sums), error, what)


def expect_all_digits(name, run):
    """The sum of several gradients has all the digits of their dtype."""
    for dtype, shape in itertools.product(DTYPES, SHAPES):
        x, node = leaf_and_node(numbers(shape), dtype)
        sent = [numbers(shape, dtype, seed) for seed in range(3)]
        run(probe((1.0, node), (1.0, node), (1.0, node)), lambda node, grad, sent=sent: (
            [*sent] if node.edges else node.backward(grad)))  # fmt: skip
        want = np.asarray(sent[0] + sent[1] + sent[2])
        expect_same(x.grad.numpy(), want, f"{name}, three gradients of shape {shape}: x.grad")


def fails(first, error, node, grad):
    """A turn that raises an error, but not at the node `first`."""
    if node is not first:
        raise error("on purpose")
    return node.backward(grad)


def expect_each_pass_alone(name, run):
    """A pass after one that failed, or begun inside another one, finds nothing of the other.

    run(root, turn) keeps the graph.
    """
    for seed in range(6):
        root, nodes, pairs, leaves = random_graph(seed)
        want = gradients_of(nodes, pairs, {root: 1.0})
        small, other = leaf_and_node()
        other = probe((2.0, probe((3.0, other))), (4.0, other))
        graph = f"a random graph ({arrows({n: k for k, n in enumerate(nodes)}, pairs)})"
        for node, fails in itertools.product(want, (True, False)):
            for each in (*leaves, small):
                each.grad = None
            turn = partial(interrupted, node, run, None if fails else [root, other])
            place = nodes.index(node)
            if fails:
                expect_ending(partial(run, root, turn), Stop, f"{name}, a turn of which fails,")
                what = f"{name} on {graph}, after a pass whose turn at {place} failed"
                for each in leaves:
                    each.grad = None
                with calling(what, slips={Exception: ALONE}):
                    run(root, tt.engine.take_turn)
                    run(other, tt.engine.take_turn)
            else:
                what = f"{name} on {graph}, whose turn at {place} begins two passes of its own"
                with calling(what, slips={Exception: ALONE}):
                    run(root, turn)
            for leaf_, node_ in zip(leaves, nodes, strict=False):
                grad = want.get(node_)
                right = None if grad is None else grad * (1 if fails else 2)
                expect(leaf_.grad, right, f"{what}: a leaf's grad", because=ALONE)
            expect(small.grad, 10.0, f"{what}: the grad of the other graph's leaf", because=ALONE)


def expect_no_copies(name, call):
    """A graph of four times as many nodes takes about four times the memory: call(nodes).

    A right answer takes 3.8 to 4.1 times as much, one that copies all for each node 6 to 14 times.
    """
    for graph, shape in ((chain, "in a row"), (branches, "that meet in a leaf")):
        small, large = (memory_taken(partial(call, graph(count)[1])) for count in (100, 400))
        says = f"{name} takes {large:,} bytes, thrown away again or not, on 400 nodes"
        says += f" {shape} and {small:,} on 100, expected about four times as many: "
        says += "something is copied for each node, or turned round, as frozenset(a), tuple(a),"
        fail_if(large > 5 * small, f"{says} list(a), a | b, a.reverse() do")


def sends_ones(node, grad, /):
    return [1.0] * len(node.edges)


def interrupted(at, run, roots, node, grad):
    """A turn that at one node raises Stop, or runs other passes before it goes on."""
    if node is at and roots is None:
        raise Stop
    for root in roots if node is at else ():
        run(root, tt.engine.take_turn)
    return tt.engine.take_turn(node, grad)


def expect_history(name, run):
    """run(root, seed): a seed that is a Tensor stays one, with its history, and so do sums."""
    by_paths = {"": (3.0,), ", by two paths": (1.0, 2.0)}
    for numbers_, (paths, weights) in itertools.product((2.0, [1.0, 2.0], 0.0), by_paths.items()):
        x, node = leaf_and_node(numbers_)
        origin = leaf(numbers_)
        what = f"{name} from a seed that is a Tensor with a history{paths}: x.grad"
        slips = [(lambda e: "lose its history" in str(e), "the seed stays as it came, a Tensor")]
        with calling(what, slips=slips):
            run(probe(*[(weight, node) for weight in weights]), origin * 1)
        expect(x.grad, np.array(numbers_) * 3, what)
        because = "what is sent is on record where the seed is"
        because += ", and so is a sum: nothing switches recording off" if paths else ""
        says = f"whether the history of {what} leads to that of the seed"
        expect(x.grad.requires_grad and leads_to(x.grad, origin), True, says, because=because)


def expect_to_forget(name, call):
    """A graph that nobody holds is gone, once a function has been called on its root."""
    node = probe((1.0, leaf_and_node()[1]))
    call(node)
    held = weakref.ref(node)
    del node
    gc.collect(1)
    because = "nothing that a call makes stays behind: it would keep each graph in memory"
    expect(held() is None, True, f"whether the nodes are gone after {name}", because=because)


@pytest.mark.exercise("6.6", points=2)
def test_any_graph_is_counted():
    for seed in GRAPHS:
        root, nodes, pairs, leaves = random_graph(seed)
        order = {node: k for k, node in enumerate(nodes)}
        want, found = {root: 0}, gradients_of(nodes, pairs, {root: 2.0})
        for node in reversed(nodes):
            if node in want:
                for _, edge in pairs[node]:
                    if edge is not None:
                        want[edge] = want.get(edge, 0) + 1
        graph = f"random graph ({arrows(order, pairs)})"
        uses = {order.get(n): count for n, count in tt.counting.count_uses(root).items()}
        expect(uses, {order[n]: k for n, k in want.items()}, f"count_uses on {graph}")
        for times in (1, 2):
            turns = []

            def turn(node, grad, turns=turns, order=order):
                turns.append((order[node], float(grad)))
                return tt.engine.take_turn(node, grad)

            what = f"run_by_counting on {graph}, time {times}"
            before = {node: all_of(node) for node in nodes}
            tt.counting.run_by_counting(root, np.array(2.0), turn)
            for node in nodes:
                said = f"{what}, node {order[node]}"
                expect_left(node, before[node], said, "here nobody lets go of anything")
            expect_turns(sorted(turns), sorted((order[n], g) for n, g in found.items()), what)
            for leaf_, node in zip(leaves, nodes, strict=False):
                grad = found.get(node)
                expect(leaf_.grad, None if grad is None else grad * times, f"{what}: a leaf's grad")
    one = np.array(1.0)
    by_counting = lambda root, *turn: tt.counting.run_by_counting(root, one, *turn)  # noqa: E731
    expect_the_pass("run_by_counting", by_counting)
    expect_each_pass_alone("run_by_counting", by_counting)
    expect_history("run_by_counting", tt.counting.run_by_counting)
    expect_as_the_graph_is_now("count_uses", tt.counting.count_uses)
    expect_no_copies("count_uses", lambda nodes: tt.counting.count_uses(nodes[-1]))
    call = lambda nodes: tt.counting.run_by_counting(nodes[-1], one, sends_ones)  # noqa: E731
    expect_no_copies("run_by_counting", call)
    expect_to_forget("count_uses", tt.counting.count_uses)
    expect_to_forget("run_by_counting", by_counting)
    _, node = leaf_and_node()
    uses = tt.counting.count_uses(node)
    expect(list(uses.values()), [0], "count_uses of a leaf's own node")
    for dtype in DTYPES:
        for shape in SHAPES:
            x = leaf(numbers(shape, dtype), dtype)
            seed = numbers(shape, dtype, seed=4)
            kept = seed.copy()
            tt.counting.run_by_counting((x + x * x).grad_fn, seed)
            want = np.asarray(kept * (1 + 2 * x.detach().numpy()))
            what = f"x.grad of x + x * x by counting, shape {shape}"
            expect(x.grad, want, what, slips={None: "nothing came: an empty gradient is one, too"})
            expect_same(x.grad.numpy(), want, f"x + x * x by counting, shape {shape}: x.grad")
            expect(seed, kept, "the seed of run_by_counting afterwards")
    expect_all_digits("run_by_counting", by_counting)


@pytest.mark.exercise("6.7", points=1)
def test_any_gradient_through_any_hooks():
    for (given,) in arrays():
        hooks, want = tt.hooks.Hooks(), given.copy()
        for kind in KINDS_OF_HOOKS:
            for factor in (2.0, None, 3.0):
                answer = partial(answered, factor, kind == "before_backward")
                tt.hooks.RemovableHandle(getattr(hooks, kind), answer)
        for times in (1, 2):
            with tt.no_grad():  # as in a backward pass
                got = hooks.before(given)
            what = (f"two hooks of each kind, that multiply by 2 and by 3, and a gradient of "
                    f"shape {want.shape}: before, time {times}")  # fmt: skip
            slips = [(np.asarray(want * 36), "the answers of one of the three kinds are lost")]
            bare = isinstance(got, np.ndarray | np.generic)
            expect(bare, True, f"{what}: whether an array came for an array")
            expect(got, np.asarray(want * 216), what, slips=slips)
            expect_same(got, np.asarray(want * 216), what)
            expect(given, want, "the gradient that was given to before, afterwards")
            left = [len(getattr(hooks, kind)) for kind in KINDS_OF_HOOKS]
            what = "three hooks of each kind, called by before: how many are there afterwards"
            expect(left, [3, 3, 3], what, because="before removes none")
    for kind in KINDS_OF_HOOKS:
        hooks = tt.hooks.Hooks()
        wrong = tt.tensor(np.ones(3))
        answer = (wrong,) if kind == "before_backward" else wrong
        tt.hooks.RemovableHandle(getattr(hooks, kind), lambda grad, answer=answer: answer)
        call = partial(hooks.before, np.array([1.0, 2.0]))
        what = f"before with a hook in {kind} that returns a gradient of another shape"
        because = "replaced(grad, answer) and with_answers(grad, answer) raise it: let them"
        expect_raises(RuntimeError, call, what, because=because)
        for error in NOT_AN_END.values():
            hooks = tt.hooks.Hooks()
            tt.hooks.RemovableHandle(getattr(hooks, kind), partial(raises, error))
            what = f"before with a hook in {kind} that fails"
            expect_error(call_with(hooks), error, what)
            expect(len(getattr(hooks, kind)), 1, f"the hooks in {kind} after that")
    x = leaf(3.0)
    y = x * x
    y.register_hook(lambda grad: grad * x)
    y.backward(create_graph=True)
    because = "with create_graph=True, hooks compute with recorded Tensors"
    expect(x.grad, 18.0, "x.grad of y = x * x, a hook of y multiplies by x,", because=because)
    expect(x.grad.requires_grad, True, "whether that gradient has a history", because=because)
    (second,) = tt.autograd.grad(x.grad, x)
    what = "its second derivative, 4 * x at 3: the hook's own part of it, too"
    because = "a hook is called as it is, with recording on if the pass is recorded"
    expect(second, 12.0, what, because=because)
    for kind in KINDS_OF_HOOKS:
        hooks, seen = tt.hooks.Hooks(), Seen()
        tt.hooks.RemovableHandle(getattr(hooks, kind), seen)
        hooks.before(np.array(1.0))
        what = f"a hook in {kind} that is an empty list with a __call__: how often it was called"
        expect(len(seen), 1, what)
    hooks, seen = tt.hooks.Hooks(), []
    tt.hooks.RemovableHandle(hooks.before_backward, lambda grads: seen.append(len(grads)))
    slips = [(lambda e: e.args == (...,), "Parts go to of_results(grad), not to as_seen(grad)")]
    with calling("before with the gradients of a node with two results", slips=slips):
        hooks.before(tt.outputs.Parts(2, {1: np.array(3.0)}))
    expect(seen, [2], "how many gradients a hook of a node with two results gets")

    expect_the_very_gradient()
    for kind in KINDS_OF_HOOKS:
        call = partial(call_looking, kind)
        expect_called_as_it_is(call, f"before with a hook in {kind} that looks around")


def call_looking(kind, look):
    hooks = tt.hooks.Hooks()
    tt.hooks.RemovableHandle(getattr(hooks, kind), lambda grad: look())
    hooks.before(np.array(1.0))


def expect_the_very_gradient():
    grads = {"an array": np.array([1.0, 2.0]), "a Tensor": leaf([1.0, 2.0]) * 1}
    for kind, (name, grad) in itertools.product(KINDS_OF_HOOKS, grads.items()):
        seen = []
        hooks = tt.hooks.Hooks()
        tt.hooks.RemovableHandle(getattr(hooks, kind), seen.append)
        hooks.before(grad)
        (got,) = seen[0] if kind == "before_backward" else seen
        what = f"what a hook in {kind} gets, where {name} came to the node:"
        calls = "of_results(grad)" if kind == "before_backward" else "as_seen(grad)"
        if name == "a Tensor":
            because = f"{calls} gives it as it is, with its history"
            expect(got is grad, True, f"{what} whether it's that Tensor", because=because)
        else:
            shared = np.shares_memory(got.numpy(), grad)
            because = f"{calls} makes no copy"
            expect(shared, True, f"{what} whether it's in the same memory", because=because)


def answered(factor, in_tuple, grad):
    if factor is None:
        return None
    return (grad[0] * factor,) if in_tuple else grad * factor


def raises(error, grad):
    raise error("on purpose")


def call_with(hooks):
    return partial(hooks.before, np.array([1.0, 2.0]))
