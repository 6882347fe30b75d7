"""Chapter 3: what each exercise promises, for all graphs, shapes and dtypes."""

import itertools
import re
from contextlib import suppress
from functools import partial, reduce

import numpy as np
import pytest

import tinytorch as tt
from course.comparing import data_of
from course.contracts import (
    DTYPES,
    SHAPES,
    TOLERANCES,
    expect_array,
    expect_ending,
    expect_history,
    slopes_of_leaves,
    upstream,
)
from course.testing import calling, depth_of, expect, expect_raises, fail_if, leaf, way_back
from course.zoo import NEEDS_BROADCASTING, ZOO

GRAPHS = {name: build for name, build in ZOO.items() if name not in NEEDS_BROADCASTING}


def said(graph):
    """A graph in words: "x_plus_x (y = x + x)"."""
    doc = (GRAPHS[graph].__doc__ or "").partition("\n")[0].rstrip(".")
    return f"{graph} ({doc[:1].lower()}{doc[1:]})" if doc else graph


def tensor(shape, dtype=np.float64, seed=3):
    numbers = np.asarray(np.random.default_rng(seed).normal(size=shape), dtype)
    numbers.flat[1:2] = 0
    return tt.Tensor(numbers)


def expect_slopes(call, names, slopes, factor):
    for name, want in slopes.items():
        if name is not None:
            what = f"{call} gave {name}.grad"
            want = (want * factor).astype(names[name].dtype)
            skipped = factor == 0 and names[name].grad is None
            fail_if(skipped, f"{what} is None, expected zeros: a zero is a gradient, too")
            expect_array(names[name].grad, want, what, dict.fromkeys(TOLERANCES, (1e-3, 1e-4)))


@pytest.mark.exercise("3.1", points=1)
def test_recursion_agrees_with_nudging_on_every_graph():
    for graph, build in GRAPHS.items():
        slopes = slopes_of_leaves(build)
        for seed, passes, dtype in itertools.product((1.0, -2.5, 0.0), (1, 2), DTYPES):
            root, names = build(tt, partial(leaf, dtype=dtype))
            for _ in range(passes):
                tt.recursive_backward(root, tt.Tensor(np.full(root.shape, seed, dtype)))
            call = f"recursive_backward(root, {seed}), {passes} time(s), on {said(graph)},"
            expect_slopes(call, names, slopes, seed * passes)
            if not any(names.get(name) is root for name in slopes):
                expect_array(
                    root.grad, np.full(root.shape, seed * passes, dtype), f"{call} gave root.grad"
                )
    expect_kept_gradients_stay()
    expect_places_kept()
    expect_any_gradient_kept(
        lambda z, _: tt.recursive_backward(z, number()), "recursive_backward on"
    )
    x, grad = leaf(np.ones((0, 3))), tt.Tensor(np.ones((0, 3)))
    tt.recursive_backward(x * x, grad)
    expect_array(x.grad, np.ones((0, 3)), "x.grad after recursive_backward, x of shape (0, 3)")
    x = root = leaf(2.0)
    for _ in range(250):
        root = -root
    tt.recursive_backward(root, number())
    expect(x.grad, 1.0, "recursive_backward on -(-(… x)), 250 times, gave x.grad")
    expect_sums_by_plus("x.grad after recursive_backward(x, grad)", added(tt.recursive_backward))
    expect_history(gradients_behind, x=leaf(2.0), grad=leaf(3.0))


def number():
    return tt.Tensor(np.array(1.0))


def expect_any_gradient_kept(run, what):
    """`run(z, grads)` sends what z's backward gives as it came: any Tensor, of any shape and kind.

    Whether its shape fits is asked from chapter 5 on.
    """
    if asks_who_asks():
        return
    for shape, came in itertools.product(((), (3,), (0,)), ((), (3,), (0,), (2, 3))):
        for kind in (tt.Tensor, subclass()):
            x, grads, gave = leaf(np.ones(shape)), {}, kind(np.full(came, 10.0))
            gave.grad = inner = tt.Tensor(5.0)
            said = f"{what} f(x), x of shape {shape}, whose backward gives "
            said += f"{'a Tensor' if kind is tt.Tensor else 'one of a subclass'} of shape {came},"
            run(giving(gave).apply(x), grads)
            got = grads.get(x, x.grad)
            kept = "only None is no gradient: any Tensor is handed on, and as it came"
            expect(got, np.full(came, 10.0), f"{said} gave x's gradient", because=kept)
            because = "nothing else changes"
            expect(gave.grad is inner, True, f"{said}: its own .grad is as before", because=because)


def giving(gradient):
    """A Function of one input, 0, whose backward gives this gradient."""

    class Given(tt.Function):
        @staticmethod
        def forward(ctx, x):
            return tt.Tensor(np.array(0.0))

        @staticmethod
        def backward(ctx, grad_z):
            return gradient

    return Given


def gradients_behind(x, grad):
    y = -x
    tt.recursive_backward(y * 3 * y, grad)
    return {"recursive_backward(y * 3 * y, grad): y.grad": y.grad}


def added(function):
    """How x.grad comes of two gradients, one after the other."""

    def add(x, first, second):
        function(x, first)
        function(x, second)
        return x.grad

    return add


KEEP = "keep gradients as they came, add the Tensors with +, and leave each grad_fn alone"


def expect_sums_by_plus(what, add):
    """What add(x, first, second) gives is a sum that + makes: its dtype, and its history."""
    slips = [(np.dtype("float32"), "float32 + float64 is float64, whatever x is")]
    kinds_of_both = itertools.product(DTYPES, repeat=2)
    for kinds, numbers in itertools.product(
        kinds_of_both, ("other", "equal", "after zeros, other")
    ):
        pairs = {"other": ([1 / 3, 0], [1 / 3, 1]), "equal": ([1 / 3, 0],) * 2}
        pair = pairs.get(numbers, ([0, 0], [1 / 3, 1]))
        sources = [leaf(data, kind) for data, kind in zip(pair, kinds, strict=True)]
        first, second = (source * 1 for source in sources)
        said = f"{what}, {first.dtype} comes first, then {numbers} numbers in {second.dtype},"
        total = add(leaf([1.0, 2.0], np.float32), first, second)
        expect_array(total, first.data + second.data, said, slips=slips)
        behind = [id(t) for t in way_back(total)]
        for source, name in zip(sources, ("first", "second"), strict=True):
            lost = f"{said} has no history that leads to what the {name} was made from: {KEEP}"
            fail_if(id(source) not in behind, lost)


def expect_kept_gradients_stay():
    x = leaf([1.0, 2.0])
    z, kept = x * x, []
    for _ in range(3):
        sent = tt.Tensor(np.array([1.0, 10.0]))
        tt.recursive_backward(z, sent)
        kept += [(t, t.data.copy()) for t in (sent, x.grad, z.grad)]
    for t, numbers in kept:
        what = "a gradient from an earlier recursive_backward, after a later one"
        expect(t, numbers, what, because="somebody may still hold it: make a new sum with +")


OLD = 50.0
STALE = "only what was sent in this pass is sent on, not what .grad has of an earlier one"
LOST = "each gradient belongs to the input in its place: pass over None with its input, go on with "
LOST += "the next"
EACH = "each input receives its gradient, however many there are, and whatever number it is"
UNASKED = "a gradient that is None goes nowhere, whatever its input is: ask for the gradient"


def expect_places_kept():
    for call in calls_of_f():
        what = f"recursive_backward on {call.said}"
        with calling(what, slips={Exception: UNASKED} if call.has_none else {}):
            tt.recursive_backward(call.result, tt.Tensor(call.sent))
        call.expect_all({x: t.grad for x, t in call.tensors.items()}, what, "{}.grad")
        if call.of_results:
            call.expect_all({x: t.grad for x, t in call.leaves.items()}, what, "(-{}).grad", -1)
    b = leaf(2.0)
    b.grad = kept = tt.Tensor(np.array(50.0))
    tt.recursive_backward(linear(10.0, None).apply(leaf(1.0), b), tt.Tensor(np.array(1.0)))
    what = "recursive_backward on f(a, b), whose backward gives 10, None:"
    expect(b.grad is kept, True, f"{what} b.grad is what it was before")
    x = leaf([1.0, 2.0])
    with calling(f"recursive_backward on {ODD}", slips={Exception: UNASKED}):
        tt.recursive_backward(odd().apply(*odd_inputs(x)), tt.Tensor(np.array([1.0, 10.0])))
    expect(x.grad, [2.0, 20.0], f"x.grad after recursive_backward on {ODD}")
    one = tt.Tensor(np.array(1.0))
    runs, f = counted()
    y = f.apply(leaf(3.0))
    tt.recursive_backward(y + y, one)  # Add sends the very same Tensor twice
    because = "each call asks its ctx anew, though it's sent the same Tensor again"
    expect(len(runs), 2, "how often recursive_backward on y + y asks y's ctx", because=because)
    expect_errors_come_out(lambda z: tt.recursive_backward(z, one), "recursive_backward on f(x)")
    expect_none_takes_nothing(lambda z: tt.recursive_backward(z, one), "recursive_backward on")
    expect_tuple_of_one_opened(lambda z, _: tt.recursive_backward(z, one), "recursive_backward on")


NONE = "None is no gradient: it makes none, and takes none away"
NOTE = {TypeError: "ask ctx.backward: it always gives a tuple"}


def expect_none_takes_nothing(run, what):
    """Whoever gets None from one operation, or in one place, keeps what it gets elsewhere."""
    if asks_who_asks():
        return
    for slopes in ((10.0, None), (None, 10.0)):
        x = leaf(3.0)
        said = f"{what} f(x, x), whose backward gives {show_slopes(slopes)}, gave x.grad"
        run(linear(*slopes).apply(x, x))
        expect(x.grad, 10.0, said, because=NONE)
    for text, add in {"x + f(x)": lambda x, y: x + y, "f(x) + x": lambda x, y: y + x}.items():
        x = leaf(3.0)
        said = f"{what} {text}, where f's backward gives a bare None,"
        with calling(said, slips=NOTE):
            run(add(x, linear(None).apply(x)))
        expect(
            x.grad, 1.0, f"{said} gave x.grad", because="None is no gradient, and takes none away"
        )


def expect_tuple_of_one_opened(run, what):
    """`run(z, grads)` sends a gradient to what z was made of: into .grad, or into the dict."""
    x, grads = leaf(3.0), {}
    what = f"{what} f(x), whose backward gives a tuple of one gradient,"
    with calling(what, slips=NOTE):
        run(linear(2.0, bare=False).apply(x), grads)
    got = grads.get(x, x.grad)
    slips = {"tuple": "ask ctx.backward: it gives a tuple, and the gradient is in it"}
    expect(type(got).__name__, "Tensor", f"the type of x's gradient after {what}", slips=slips)
    expect(got, 2.0, f"x's gradient after {what}")


def asks_who_asks():
    """From chapter 5 on, whatever requires a gradient must be given one."""
    return (-tt.Tensor(1.0)).grad_fn is None


def show_slopes(slopes):
    return ", ".join("None" if s is None else f"{s:g}" for s in slopes)


# what f is given: Tensors, and where a 5 stands, a 5
WORDS = ("a", "ab", "abc", "abcd", "aa", "aba", "abca", "5a", "a5", "5ab", "a5b", "ab5c")
EXTREME = (0.0, -2.5, 1 / 3, 1e300, -1e-300, np.inf, -np.inf, np.nan)


def calls_of_f():
    """Calls of f with one to four Tensors, and None from its backward at any place.

    Those where each Tensor receives a gradient come first.
    """
    cases = []
    for word in WORDS:
        names = sorted({*word} - {"5"})
        silent = [s for n in range(len(names)) for s in itertools.combinations(names, n)]
        cases += [(word, s) for s in silent]
    cases.sort(key=lambda case: "5" in case[0] or case[1] != ())
    sent, data = np.meshgrid(EXTREME, EXTREME)
    yield from (CallOfF(*case) for case in cases)
    yield from (CallOfF(*case, of_results=True) for case in cases)
    short = [case for case in cases if len(case[0]) < 3]
    yield from (CallOfF(*case, data=data, sent=sent) for case in short)
    yield from (CallOfF(*case, sent=number) for case in short for number in EXTREME)
    yield from (CallOfF(*case, of_subclass=True) for case in short)


def subclass():
    """A subclass of the graded Tensor."""
    return type("Sub", (tt.Tensor,), {})


class CallOfF:
    """f(a, 5, b), say, of leaves or of results -a, -b, where some receive None from its backward.

    `sent` is the gradient to begin with, `wants` are those of a and b, or None.
    """

    def __init__(self, word, silent, of_results=False, data=2.0, sent=1.0, of_subclass=False):
        slopes = [None if x in (*silent, "5") else 10.0 * (k + 1) for k, x in enumerate(word)]
        self.of_results, self.has_none, self.sent = of_results, None in slopes, np.array(sent)
        # chapter 5: what receives None wants no gradient
        self.leaves = {x: (tt.Tensor if x in silent else leaf)(np.array(data))
                       for x in sorted({*word} - {"5"})}  # fmt: skip
        for t in self.leaves.values() if of_subclass else ():
            t.__class__ = subclass()
        self.tensors = {x: -t if of_results else t for x, t in self.leaves.items()}
        self.result = linear(*slopes).apply(*[self.tensors.get(x, 5) for x in word])
        parts = {x: [s for y, s in zip(word, slopes, strict=True) if x == y] for x in self.leaves}
        self.wants = {x: None if x in silent else sum(parts[x]) * self.sent for x in parts}
        kind = "" if np.shape(sent) or sent == 1.0 else f", grad = {sent}"
        kind = ", numbers and grad such as 1e300, inf and nan" if self.sent.shape else kind
        kind = " of results" if of_results else kind
        kind = " of a subclass of Tensor" if of_subclass else kind
        self.said = f"f({', '.join(word)}){kind}, whose backward gives {show_slopes(slopes)},"

    def expect_all(self, grads, what, name, factor=1, lost=LOST):
        """Each of `grads`, {a: its gradient}, is `factor` times what f's backward has given."""
        lost = lost if self.has_none else EACH
        for x, grad in grads.items():
            want, says = self.wants[x], f"{what} gave {name.format(x)}"
            zeros = "None is no gradient, and not a gradient of zeros either"
            slips = {0: zeros, factor * OLD: STALE} if want is None else {None: lost}
            expect(grad, want if want is None else want * factor, says, slips=slips)


def linear(*slopes, bare=True):
    """An operation whose backward gives these numbers times what it is sent, or None for None.

    A single one comes bare, or with `bare=False` in a tuple.
    """

    class Linear(tt.Function):
        @staticmethod
        def forward(ctx, *inputs):
            x = next(x for x in inputs if isinstance(x, tt.Tensor))
            return tt.Tensor(np.zeros(tuple(x.shape)))

        @staticmethod
        def backward(ctx, grad_z):
            sent = np.asarray(grad_z.data)
            first, *rest = (None if s is None else tt.Tensor(sent * s) for s in slopes)
            return first if bare and not rest else (first, *rest)

    return Linear


ODD = "f(None, x, (x, 1), an object, an array, a NumPy integer)"


class Odd:
    """An input that is no Tensor, and like no number."""

    grad_fn = None


def odd():
    class OddOne(tt.Function):
        @staticmethod
        def forward(ctx, *inputs):
            ctx.save_for_backward(tt.Tensor(np.array(5.0)))  # what's saved need not be an input
            return tt.Tensor(inputs[1].data * 2)

        @staticmethod
        def backward(ctx, grad_z):
            return None, tt.Tensor(grad_z.data * 2), None, None, None, None

    return OddOne


def counted():
    """(a list that each backward adds a gradient to, a Function of one input with that backward)"""
    runs = []

    class Counted(tt.Function):
        @staticmethod
        def forward(ctx, x):
            return tt.Tensor(np.array(1.0))

        @staticmethod
        def backward(ctx, grad_z):
            runs.append(grad_z)
            return grad_z if isinstance(ctx.inputs[0], tt.Tensor) else None

    return runs, Counted


def odd_inputs(x):
    """What an operation may be given besides the Tensor x."""
    return None, x, (x, leaf(5.0), 1), Odd(), np.ones(2), np.int64(2)


NO_NOTE = "'NoneType' object has no attribute 'inputs'"
NEW_LIST = "make a new one each time, for the caller may change his"


@pytest.mark.exercise("3.2", points=1)
def test_every_graph_is_in_order():
    x = leaf([1.0, 2.0])
    odd_one = odd().apply(*odd_inputs(x))
    roots = {name: build(tt, leaf)[0] for name, build in GRAPHS.items()}
    sub = subclass()(2.0)
    calls = (CallOfF(word, (), of_results) for word in WORDS for of_results in (False, True))
    roots |= {call.said.partition(", whose")[0]: call.result for call in calls}
    roots |= {ODD: odd_one, "x * 3, x of a subclass of Tensor": sub * 3}
    roots |= {"f(x), whose backward raises an error": broken(ZeroDivisionError)(leaf(2.0))}
    for value in (np.nan, np.inf, 0.0):
        of_value = leaf([value, value])
        roots |= {f"x * y + x, x all {value}": of_value * leaf([1.0, 2.0]) + of_value}
    empty = leaf(np.ones((0, 3)))
    roots |= {"x * x + x, x of shape (0, 3)": empty * empty + empty}
    roots |= {"-k, k = f(), made of nothing": -made_of_nothing()}
    roots |= {"a chain of 10,000 operations": reduce(lambda x, _: -x, range(10_000), leaf(2.0))}
    for graph, root in roots.items():
        earlier = None
        for time in ("first call", "second call, each tensor with a .grad"):
            what = f"topological_order on {graph}, {time}"
            unhashable = "an input may be an array, which no set can hold: ask isinstance first"
            slips = [(lambda e: "unhashable" in str(e), unhashable),
                     (lambda e: NO_NOTE in str(e), "the .grad_fn of a leaf is None, and has no "
                      "inputs: ask whether it is None, of the root as well"),
                     (ZeroDivisionError, "no backward is run: go by .grad_fn and its inputs"),
                     (RecursionError, "no recursion: keep a stack of your own"),
                     (lambda e: "no attribute" in str(e), "an input may be anything: take only "
                      "those of which isinstance(x, Tensor) is true")]  # fmt: skip
            with calling(what, slips=slips):
                order = tt.topological_order(root)
            expect(type(order), list, f"the type of {what}")
            fail_if(order is earlier, f"{what} gave the very list of the first call: {NEW_LIST}")
            earlier = order
            fail_if(not order, f"{what} = []: at least the root belongs in it")
            kinds = [type(t).__name__ for t in order if not isinstance(t, tt.Tensor)]
            only = "take only inputs of which isinstance(x, Tensor) is true"
            fail_if(kinds, f"{what} holds what is no Tensor, of type {', '.join(kinds)}: {only}")
            places = {id(t): i for i, t in enumerate(order)}
            expect(len(places), len(order), f"{what}: how many tensors, each once")
            expect(order[-1] is root, True, f"{what}: the last is the root")
            for t in order:
                inputs = t.grad_fn.inputs if t.grad_fn is not None else ()
                for k, x in enumerate(inputs):
                    if isinstance(x, tt.Tensor):
                        slips = {False: why_missing(inputs, k, time)}
                        expect(id(x) in places, True, f"{what}: it holds each input", slips=slips)
                        stands = places[id(x)] < places[id(t)]
                        expect(stands, True, f"{what}: each input comes before its result")
            behind, stack = set(), [root]
            while stack:
                t = stack.pop()
                if id(t) not in behind:
                    behind.add(id(t))
                    inputs = t.grad_fn.inputs if t.grad_fn is not None else ()
                    stack += [x for x in inputs if isinstance(x, tt.Tensor)]
                    t.grad = tt.Tensor(np.ones(t.shape))  # as after a pass
            only = "those that the inputs are, and none that is saved, or stands in a tuple"
            expect(len(order), len(behind), f"{what}: how many tensors", because=only)
    deepest = depth_of(lambda: tt.topological_order(reduce(lambda x, _: -x, range(200), leaf(2.0))))
    what = "how many calls lie within each other in topological_order, a chain of 200,"
    expect(deepest < 100, True, f"{what} is below 100", because="a stack of your own, no recursion")
    for calls in small_graphs():
        says = disorder(calls)
        once = [inputs[:1] if len({*inputs}) < len(inputs) else inputs for inputs in calls]
        if says and not disorder(once):
            says += f"; with {formulas(once)} it is in order: is a Tensor that one call has twice "
            says += "counted once here and twice there?"
        fail_if(says, says)


def made_of_nothing():
    """The result of a Function that has no inputs; from chapter 5 on it's a leaf."""

    class Nothing(tt.Function):
        @staticmethod
        def forward(ctx):
            return tt.Tensor(np.array(3.0))

        @staticmethod
        def backward(ctx, grad_z):
            return ()

    return Nothing.apply()


def small_graphs():
    """All graphs of up to 3 operations on a, -p or p + q, and all of 4 additions p + q or q + p.

    Of each call the numbers of its inputs: 0 is a, 1 the first result, and so on. (An order of
    fewer than 4 additions may be right by luck.)
    """
    for many in (1, 2, 3):
        ways = [
            [*itertools.product(range(k), repeat=n)] for k in range(1, many + 1) for n in (1, 2)
        ]
        yield from itertools.product(*(ways[i] + ways[i + 1] for i in range(0, 2 * many, 2)))
    pairs = itertools.combinations_with_replacement
    yield from itertools.product(*(pairs(range(k), 2) for k in range(1, 5)))


def made_by(calls):
    """The Tensors of a small graph: a, and the result of each call."""
    made = [leaf(2.0)]
    for i, *rest in calls:
        made.append(made[i] + made[rest[0]] if rest else -made[i])
    return made


def formulas(calls):
    """A small graph in words: b = a + a, c = -b."""
    made = (" + ".join("abcde"[i] for i in inputs) for inputs in calls)
    minus = ("" if len(inputs) > 1 else "-" for inputs in calls)
    return ", ".join(f"{z} = {m}{f}" for z, m, f in zip("bcde", minus, made, strict=False))


def disorder(calls):
    """What is wrong with the order of a small graph, in words, or None."""
    made = made_by(calls)
    order = tt.topological_order(made[-1])
    names = dict(zip(map(id, made), "abcde", strict=False))
    got = [names.get(id(t), "?") for t in order]
    what = f"topological_order({names[id(made[-1])]}) = {got}, {formulas(calls)}:"
    behind = {len(calls)}
    for z in range(len(calls), 0, -1):
        for x in calls[z - 1] if z in behind else ():
            behind.add(x)
            result, name = "abcde"[z], "abcde"[x]
            if name not in got:
                return f"{what} {name} is missing"
            if result in got and got.index(name) > got.index(result):
                return f"{what} {result} was made from {name}, so {name} comes first"
    return None if len(got) == len(behind) else f"{what} expected each once, {len(behind)} in all"


def why_missing(inputs, k, time):
    """What may have kept the Tensor inputs[k] out of the order."""
    if "second" in time:
        return "the way goes by grad_fn and its inputs, whatever .grad holds"
    if all(isinstance(x, tt.Tensor) for x in inputs[:k]):
        return f"input {k + 1} of {len(inputs)} is missing: all that are Tensors belong in it"
    return "an input that is no Tensor ends nothing: pass it over, and go on with the next"


NEW_ONE = "the 1 is a number that nothing was made from"


@pytest.mark.exercise("3.3", points=1)
def test_a_pass_begins_with_what_fits():
    shapes = [*SHAPES, (1, 1), (1, 3), (3, 1), (3,), (1, 2, 2)]
    fits = {RuntimeError: "the gradient has the shape of the tensor, and no more is asked of it"}
    for shape, dtype in itertools.product(shapes, DTYPES):
        root = tensor(shape, dtype)
        what = f"head_gradient(tensor of shape {shape} in {dtype.__name__}"
        slips = [(lambda e: "truth value" in str(e), "an array has no truth value of its own: ask "
                  "`gradient is None`")]  # fmt: skip
        call = partial(tt.head_gradient, root, None)
        if root.data.size == 1:
            expect_array(call(), np.ones(shape, dtype), f"{what}, None)")
            of_result = tt.head_gradient(root * 2, None).grad_fn
            expect(of_result, None, f"the grad_fn of {what}, a result, None)", because=NEW_ONE)
        else:
            expect_ending(call, RuntimeError, f"{what}, None)")
        for other in shapes:
            call = partial(tt.head_gradient, root, tensor(other, dtype, seed=4))
            said = f"{what}, gradient of shape {other})"
            if other == shape:
                with calling(said, slips=fits):
                    expect_array(call(), tensor(other, dtype, seed=4).data, said)
            else:
                expect_ending(call, RuntimeError, said)
        numbers = tensor(shape, dtype, seed=4).data
        said = f"{what}, an array in {dtype.__name__})"
        with calling(said, slips=slips):
            got = tt.head_gradient(root, numbers)
        expect_array(got, numbers, said)
        shared = np.shares_memory(got.data, numbers)
        fail_if(shared, f"{said} holds that very array: a Tensor holds a copy")
        whole = 2**24 + 1 + np.arange(numbers.size).reshape(shape)  # too long for float32
        got = tt.head_gradient(root, whole)
        expect_array(got, whole.astype(dtype), f"{what}, an array of integers)")
        if numbers.size:
            got = tt.head_gradient(root, numbers.tolist())
            expect_array(got, numbers, f"{what}, a list or a number)")
        if numbers.ndim and numbers.size:
            said = f"{what}, a tuple)"
            with calling(said, slips=fits):
                got = tt.head_gradient(root, tuple(numbers))
            expect_array(got, numbers, said)
    for kind, dtype in itertools.permutations(DTYPES):
        floats = tensor((2, 3), kind)
        for given in (floats, floats.data):
            what = f"head_gradient(tensor in {dtype.__name__}, {type(given).__name__} in "
            slips = [(np.dtype(dtype), "it is no plain number, and keeps its dtype: see as_tensor")]
            got = tt.head_gradient(tensor((2, 3), dtype), given)
            expect_array(got, floats.data, f"{what}{floats.dtype})", slips=slips)
    extreme = np.array(EXTREME)
    for given in (extreme, list(EXTREME), tt.Tensor(extreme)):
        what = f"head_gradient(8 numbers in float64, {type(given).__name__} of 1e300, inf, nan, …)"
        expect_array(tt.head_gradient(leaf(extreme[::-1]), given), extreme, what)
    for value, dtype in itertools.product((0.0, 1.0, np.inf, -np.inf, np.nan), DTYPES):
        what = f"head_gradient(tensor({value}), None)"
        x = tt.Tensor(np.array(value, dtype))
        head = tt.head_gradient(x, None)
        expect(head, 1.0, what, rtol=0, atol=0)
        is_shared = head is x or np.shares_memory(head.data, x.data)
        because = "whoever changes the one would change the other"
        expect(is_shared, False, f"{what} has the tensor's own array", because=because)
        x.grad = tt.Tensor(np.array(7.0, dtype))
        expect(tt.head_gradient(x, None), 1.0, f"{what}, whose .grad is 7")
        expect(head.grad_fn, None, f"the grad_fn of {what}")
    as_it_is = {False: "it is a Tensor already: return it as it is, with its grad_fn"}
    sub = subclass()(5.0)
    for given, text in [(leaf(5.0) * 2, "5 * 2"), (sub, "5 of a subclass of Tensor")]:
        what = f"head_gradient(Tensor(3), g) is g, g = {text},"
        expect(tt.head_gradient(leaf(3.0), given) is given, True, what, slips=as_it_is)


@pytest.mark.exercise("3.4", points=1)
def test_every_input_receives_its_sum():
    for dtype in DTYPES:
        expect_sums(leaf([[1, -2], [3, 4]], dtype), leaf([[2, 5], [-7, 3]], dtype))
    expect_places_in_grads()
    expect_any_gradient_kept(
        lambda z, grads: tt.propagate(z.grad_fn, number(), grads), "propagate for"
    )
    sent = number()
    sent.grad = inner = number()
    tt.propagate((-leaf(2.0)).grad_fn, sent, {})
    because = "propagate changes nothing but grads"
    expect(sent.grad is inner, True, "propagate for -x: grad.grad is as before", because=because)
    expect_sums_by_plus("grads[x] after propagate of Add", propagated)


def propagated(x, first, second):
    note, grads = (x + leaf([3.0, 4.0])).grad_fn, {}
    tt.propagate(note, first, grads)
    tt.propagate(note, second, grads)
    return grads[x]


def expect_sums(x, w):
    made = {"-x": -x, "x + w": x + w, "x * w": x * w, "w / x": w / x, "x @ w": x @ w, "x**3": x**3,
            "x + x": x + x, "x * x": x * x, "x.exp()": x.exp(), "x.sum()": x.sum(), "x.T": x.T,
            "h * w, h = x * 1": (x * 1) * w,
            ODD: odd().apply(*odd_inputs(x))}  # fmt: skip
    unhashable = "an input may be an array, which no dict can hold: first, skip what gets None"
    unhashable = [(lambda e: "unhashable" in str(e), unhashable)]
    for text, z in made.items():
        for before, scale in itertools.product((None, 100.0), (1, 0)):
            other, sent = leaf(7.0), upstream(z.shape, z.dtype)
            sent.data *= scale
            sent_before = sent.data.copy()
            filled = np.full((2, 2), before or 0, x.dtype)
            full = {} if before is None else {t: tt.Tensor(filled) for t in (x, w)}
            grads = {**full, z: sent, other: sent}  # Add hands on the very Tensor that it was sent
            kept = dict(full)
            note = dict(vars(z.grad_fn))
            with calling(f"propagate for {text}", slips=unhashable):
                tt.propagate(z.grad_fn, sent, grads)
            given = "zeros" if scale == 0 else "random numbers"
            full_of = "empty" if before is None else "full of 100"
            what = f"propagate for {text} in {x.dtype}, grad = {given}, grads {full_of}: "
            for t in z.grad_fn.inputs:
                if isinstance(t, tt.Tensor):
                    kind = "a leaf" if t.grad_fn is None else "a result"
                    slips = {False: "a zero is a gradient, too"} if scale == 0 else {}
                    if kind == "a result" and w in grads:
                        slips = {False: "results receive their gradients, too, not only leaves"}
                    if kind == "a result" and x in full and (grads[x].data != filled).any():
                        slips = {False: "h and x hold equal numbers, and are two Tensors: x was "
                                 "given what belongs to h"}  # fmt: skip
                    because = LOST if text == ODD else ""
                    says = f"{what}an input, {kind}, is in grads"
                    expect(t in grads, True, says, slips=slips, because=because)
            expect_same_note(z.grad_fn, note, what)
            heard = z.grad_fn.backward(sent)
            for name, t in {"x": x, "w": w}.items():
                parts = [g.data for i, g in zip(z.grad_fn.inputs, heard, strict=True) if i is t]
                if parts or before is not None:
                    want = filled + sum(parts, np.zeros((2, 2), x.dtype))
                    expect_array(grads.get(t), want, f"{what}grads[{name}]")
                else:
                    expect(t in grads, False, f"{what}{name} is in grads")
            for t, whose in ((z, "the result's own"), (other, "that of another tensor")):
                slips = {False: "propagate adds to the entries of its inputs, and leaves the rest"}
                says = f"{what}an entry in grads, {whose}, is what it was"
                expect(grads.get(t) is sent, True, says, slips=slips)
            expect(sent, sent_before, f"{what}grad, afterwards")
            for grad in kept.values():
                expect(grad, filled, f"{what}the Tensor that was in grads before")


def expect_same_note(note, before, what):
    """The note holds the very things that it held before: its function, its inputs, what it saved.

    `before` are its attributes.
    """
    names = sorted(n for n in vars(note) | before if vars(note).get(n) is not before.get(n))
    saved = "is what the note saved gone? It's needed again: propagate changes nothing but grads"
    slips = [(["_saved"], saved)]
    because = "propagate changes nothing but grads"
    expect(names, [], f"{what}attributes of the note that changed", slips=slips, because=because)


def expect_places_in_grads():
    for call in calls_of_f():
        what = f"propagate for {call.said}"
        for t in call.tensors.values():
            t.grad = tt.Tensor(np.array(50.0))
        grads = {}
        with calling(what, slips={Exception: UNASKED} if call.has_none else {}):
            tt.propagate(call.result.grad_fn, tt.Tensor(call.sent), grads)
        for x, t in call.tensors.items():
            if call.wants[x] is None and t in grads:
                others = {y: want for y, want in call.wants.items() if want is not None}
                slips = [(want, f"that is {y}'s: pair the gradients with the inputs before you "
                          "skip None") for y, want in others.items()]  # fmt: skip
                none = f"{what} each .grad 50, gave grads[{x}]"
                because = "its gradient is None, and None makes no entry"
                expect(grads[t], None, none, slips=slips, because=because)
            expect(t.grad, 50.0, f"{what} each .grad 50: {x}.grad, afterwards")
        sent = {x: grads.get(t) for x, t in call.tensors.items()}
        call.expect_all(sent, f"{what} each .grad 50,", "grads[{}]")
        heard = [x for x, want in call.wants.items() if want is not None]
        expect(len(grads), len(heard), f"{what} how many entries")
    x = leaf(2.0, np.float32)
    for f, want in ((linear(1.0).apply(x), 1e300), (linear(1.0, 2.0).apply(x, x), 3e300)):
        grads = {}
        tt.propagate(f.grad_fn, tt.Tensor(np.array(1e300)), grads)
        because = "what backward gives is added up as it is: x has no part in it"
        expect(grads.get(x), want, "propagate of 1e300 to x in float32: grads[x]", because=because)
    one = tt.Tensor(np.array(1.0))
    expect_errors_come_out(lambda z: tt.propagate(z.grad_fn, one, {}), "propagate for f(x)")
    expect_none_changes_no_entry(one)
    expect_tuple_of_one_opened(
        lambda z, grads: tt.propagate(z.grad_fn, one, grads), "propagate for"
    )


def expect_none_changes_no_entry(one):
    if asks_who_asks():
        return
    a, x = leaf(1.0), leaf(3.0)
    grads = {x: (total := a + a)}  # a sum that + made
    tt.propagate((-x).grad_fn, one, grads)
    what = "a Tensor that was in grads, a sum 1 + 1, after propagate"
    expect(total, 2.0, what, because="the new sum is another Tensor")
    for slopes, want in (((None, 10.0), 17.0), ((10.0, None), 17.0), ((None, None), 7.0)):
        x = leaf(3.0)
        call = linear(*slopes).apply(x, x).grad_fn
        grads = {x: tt.Tensor(np.array(7.0))}
        tt.propagate(call, one, grads)
        what = (
            f"propagate for f(x, x), whose backward gives {show_slopes(slopes)}, {{x: 7}} before,"
        )
        expect(grads.get(x), want, f"{what} gave grads[x]", because=NONE)
    x = leaf(3.0)
    call, grads = linear(None).apply(x).grad_fn, {x: tt.Tensor(np.array(7.0))}
    what = "propagate for f(x), whose backward gives a bare None, {x: 7} before,"
    with calling(what, slips=NOTE):
        tt.propagate(call, one, grads)
    expect(grads.get(x), 7.0, f"{what} gave grads[x]", because=NONE)
    runs, f = counted()
    tt.propagate(f.apply(3.0).grad_fn, one, {})
    because = "once, whether a Tensor is among its inputs or not"
    expect(len(runs), 1, "how often propagate for f(3.0) runs its backward", because=because)


@pytest.mark.exercise("3.5", points=1)
def test_gradients_of_every_shape_add_up_and_go():
    for shape, dtype in itertools.product(SHAPES, DTYPES):
        x, want, parts, sums = tensor(shape, dtype), np.zeros(shape, dtype), [], []
        for seed in range(4):
            grad = tensor(shape, dtype, seed)
            grad.data *= seed % 2  # the first and the third are zero
            parts.append((grad, grad.data.copy()))
            before, want = x.grad, grad.data if x.grad is None else want + grad.data
            tt.accumulate(x, grad)
            given = " of zeros" if seed == 0 else ""
            sums.append(before is None or (x.grad is not before and x.grad is not grad))
            what = f"x.grad after accumulate, {seed + 1} time(s){given}, shape {shape}"
            expect_array(x.grad, want, what)
            parts.append((x.grad, want.copy()))
        for grad, numbers in parts:
            what = "a gradient that was given to accumulate, or was in x.grad, afterwards"
            expect(grad, numbers, what, because="somebody may still hold it: the sum is new")
        what = f"after zeros, others, zeros and others, shape {shape}, x.grad was a Tensor of its "
        what += "own each time"
        expect(all(sums), True, what, because="each sum is a new Tensor, also with zeros")
    x, grad = leaf([1.0, 2.0]), tt.Tensor(np.array([3.0, 4.0]))
    for _ in range(2):
        tt.accumulate(x, grad)
    expect(x.grad, [6.0, 8.0], "x.grad after accumulate(x, g) twice with the same g = [3., 4.]")
    expect_extremes_add_up()
    expect_any_number_and_any_tensor()
    expect_only_grad_is_emptied()
    slips = {False: "the first is kept as it is: no copy, no sum, the Tensor itself"}
    for kind in (tt.Tensor, subclass()):
        source, first, second = leaf(2.0), kind(5.0), kind(7.0)
        first.grad = second.grad = inner = number()
        x = source * 3
        tt.accumulate(x, first)
        of = "" if kind is tt.Tensor else ", g of a subclass of Tensor"
        expect(x.grad is first, True, f"after accumulate(x, g){of}: x.grad is g", slips=slips)
        tt.accumulate(x, second)
        because = "accumulate changes x.grad alone"
        got = [first.grad is inner, second.grad is inner, source.grad is None]
        what = (
            "g.grad and h.grad are as before, and so is a.grad, None, after accumulate(x, g) and "
        )
        expect(got, [True] * 3, f"{what}accumulate(x, h), x = 3 * a{of}", because=because)
    expect_sums_by_plus("x.grad after accumulate(x, grad)", added(tt.accumulate))
    v = leaf([1.0, 2.0])
    tt.accumulate(v, tt.Tensor(np.array(10.0)))
    slips = [([10, 10], "the first is kept as it is, whatever its shape: add it to nothing")]
    expect(v.grad, 10, "accumulate(v, 10), v of shape (2,), gave v.grad", slips=slips)
    for collect in (list, tuple, values, generator):
        behind = leaf(2.0)
        tensors = [tensor(shape) for shape in SHAPES] + [behind * 3]
        for x in [*tensors[1:], behind]:
            x.grad = tensor(x.shape)
        tensors[-1].grad = old = leaf(2.0) * 2
        note, old.grad = old.grad_fn, number()
        what = f"zero_grad(the tensors as {type(collect([])).__name__})"
        slips = dict.fromkeys((TypeError, AttributeError), "walk through them with for: it asks "
                              "neither for a length nor for places")  # fmt: skip
        with calling(what, slips=slips):
            tt.zero_grad(collect(tensors))
        for x in tensors:
            kind = "a leaf" if x.grad_fn is None else "a result"
            what = f"x.grad after zero_grad({collect.__name__} with x), x {kind} of shape {x.shape}"
            expect(x.grad, None, what, because=EMPTY if collect is generator else "")
        same = "the old gradients stay as they are, for somebody else may hold them"
        what = "g.grad_fn is what it was, g in x.grad before zero_grad([x]),"
        expect(old.grad_fn is note, True, what, because=same)
        what = "g.grad is None, g in x.grad before zero_grad([x])"
        expect(old.grad is None, False, what, because=same)
        what = "behind.grad is None after zero_grad([behind * 3])"
        expect(behind.grad is None, False, what, because="only those that were given")


def expect_only_grad_is_emptied():
    x, y, z = leaf(3.0), leaf(3.0), leaf(3.0)
    for t in (x, y, z):
        t.grad = leaf(2.0) + leaf(4.0)  # a sum that + made, as after a pass
    old = x.grad
    with calling("zero_grad([x, y, z]), three Tensors that hold a 3"):
        tt.zero_grad([x, y, z])
    because = "each of these tensors, though their numbers are equal"
    expect([t.grad is None for t in (x, y, z)], [True] * 3, "which of three have no .grad after "
           "zero_grad([x, y, z]), all of them 3,", because=because)  # fmt: skip
    because = "somebody else may hold it: set the attribute alone"
    expect(old, 6.0, "the Tensor that was in x.grad, a sum, after zero_grad", because=because)
    x.grad = leaf(2.0) + leaf(4.0)
    result = x * 2
    tt.zero_grad([result])
    because = "only those that were given"
    expect(x.grad, 6.0, "x.grad after zero_grad([2 * x])", because=because)


def expect_extremes_add_up():
    first, second = np.meshgrid(EXTREME, EXTREME)
    part = "None counts as zero, and x itself has no part in it: 0 * inf and 0 * nan are nan"
    lost = "float64 gradients stay float64, whatever x is: 1e300 is inf in float32"
    for value, dtype in itertools.product((2.5, np.inf, -np.inf, np.nan), DTYPES):
        x, want = leaf(np.full(first.shape, value), dtype), 0
        for number, grad in enumerate((first, second), 1):
            want = want + grad
            tt.accumulate(x, tt.Tensor(grad))
            what = f"x.grad after accumulate of 1e300, inf, nan, …, {number} time(s), x = {value:g}"
            slips = {True: "any numbers are a gradient, NaN among them"}
            expect(x.grad is None, False, f"{what}: it is None", slips=slips)
            wrong = np.isfinite(want) & ~np.isfinite(x.grad.data)
            slips = [(lambda got, w=wrong: np.isnan(got.data[w]).any(), part),
                     (lambda got, w=wrong: np.isinf(got.data[w]).any(), lost)]  # fmt: skip
            expect(x.grad, want, f"{what} in {x.dtype}", slips=slips)


def expect_any_number_and_any_tensor():
    for number, kind in itertools.product(EXTREME, (tt.Tensor, subclass())):
        x, grad = kind(2.0), tt.Tensor(np.array(number))
        of = "" if kind is tt.Tensor else ", x of a subclass of Tensor,"
        for times in (1, 2):
            tt.accumulate(x, grad)
            what = f"x.grad after accumulate(x, {number}) {times} time(s){of}"
            expect(x.grad, times * number, what, because="any number is a gradient")
        tt.zero_grad([x])
        expect(x.grad, None, f"x.grad, {2 * number} before, after zero_grad([x]){of}")


EMPTY = "a generator is empty after the first loop over it: take one loop"


def generator(things):
    """A generator of these things, which can be walked once."""
    yield from things


def values(things):
    """The values of a dict: they can be walked, and have no places."""
    return dict(enumerate(things)).values()


@pytest.mark.exercise("3.6", points=1)
def test_backward_agrees_with_nudging_on_every_graph():
    for graph, build in GRAPHS.items():
        slopes = slopes_of_leaves(build)
        for seed, passes, dtype in itertools.product((None, -2.5, 0.0), (1, 2), DTYPES):
            root, names = build(tt, partial(leaf, dtype=dtype))
            for _ in range(passes):
                root.backward(
                    *([] if seed is None else [tt.Tensor(np.full(root.shape, seed, dtype))])
                )
            given = "" if seed is None else seed
            call = f"backward({given}), {passes} time(s), on {said(graph)},"
            expect_slopes(call, names, slopes, (1 if seed is None else seed) * passes)
    for calls in small_graphs():
        made, slopes = made_by(calls), [1]
        for inputs in calls:
            part = sum(slopes[i] for i in inputs)
            slopes.append(part if len(inputs) > 1 else -part)
        made[-1].backward()
        if made[0].grad is None or made[0].grad.data != slopes[-1]:
            what = f"backward() on {'abcde'[len(calls)]}, {formulas(calls)}, gave a.grad"
            expect(made[0].grad, float(slopes[-1]), what)


BEFORE = "the error came after a .grad had changed: begin with head_gradient"
ASK_NONE = "0 is a gradient too: ask `gradient is None`"


@pytest.mark.exercise("3.6", points=1)
def test_a_pass_begins_with_any_gradient_that_fits():
    makers = {"a leaf": lambda x: x, "-x": lambda x: -x, "x + x": lambda x: x + x}
    for (text, make), shape, dtype in itertools.product(
        makers.items(), [*SHAPES, (1, 1), (3,)], DTYPES
    ):
        sent = upstream(shape, dtype).data
        factor = {"a leaf": 1, "-x": -1, "x + x": 2}[text]
        given = {"a Tensor": tt.Tensor(sent), "an array": sent}
        if sent.size:
            given["plain numbers"] = sent.tolist()
        if sent.size == 1:
            given["nothing"] = None
        for kind, gradient in given.items():
            x = leaf(tensor(shape, dtype).data, dtype)
            what = f"backward() on {text}, shape {shape}, given {kind}"
            with calling(what, slips=[(lambda e: "truth value" in str(e), ASK_NONE)]):
                make(x).backward(*([] if gradient is None else [gradient]))
            want = factor * (np.ones(shape, dtype) if gradient is None else sent)
            expect_array(x.grad, want, f"{what}, gave x.grad")
        for wrong in {(), (2,), (1,), (3, 2)} - {shape}:
            x = leaf(tensor(shape, dtype).data, dtype)
            what = f"backward() on {text}, shape {shape}, given a gradient of shape {wrong}"
            x.grad = kept = tt.Tensor(np.ones(shape, dtype))
            y = make(x)
            expect_ending(partial(y.backward, upstream(wrong, dtype)), RuntimeError, what)
            if y is not x:
                changed = [(lambda got: got is not None, BEFORE)]
                expect(y.grad, None, f"{what}, gave y.grad, y = {text},", slips=changed)
            slips = [(lambda _, x=x: x.grad is None, "the error came after x.grad was set to None: "
                      "begin with head_gradient, before anything changes")]  # fmt: skip
            expect(x.grad is kept, True, f"x.grad is what it was before {what}", slips=slips)
    for zero in (0, 0.0, False):
        x = leaf(5.0)
        (x * 3).backward(zero)
        expect(x.grad, 0.0, f"x.grad after (x * 3).backward({zero})", slips={3: ASK_NONE})
        x = leaf(5.0)
        x.backward(zero)
        expect(x.grad, 0.0, f"x.grad after x.backward({zero})", slips={1: ASK_NONE})
    for gradient in (1, 1.0, True):
        x = leaf([1.0, 2.0])
        what = f"backward({gradient}) on x * 3 of shape (2,)"
        expect_ending(partial((x * 3).backward, gradient), RuntimeError, what)
    expect_none_takes_nothing(lambda z: z.backward(), "backward() on")
    expect_tuple_of_one_opened(lambda z, _: z.backward(), "backward() on")
    expect_any_gradient_kept(lambda z, _: z.backward(), "backward() on")
    expect_unsent_passed_over()
    expect_nothing_behind_the_unsent()
    expect_any_dtype_to_begin_with()
    expect_no_beginning_in_grad()
    expect_fresh_after_an_error()
    expect_passes_leave_each_other_alone()


def expect_passes_leave_each_other_alone():
    x, given = leaf([1.0, 2.0]), tt.Tensor(np.array([1.0, 10.0]))
    y = x * 3
    y.backward(given)
    (x * 3 if asks_who_asks() else y).backward(given)  # from chapter 5 on, one pass frees y
    what = "x.grad after two passes from 3 * x, each given the very same Tensor [1, 10]"
    expect(x.grad, [6.0, 60.0], what, because="each pass counts")
    x = leaf([1.0, 2.0])
    for _ in range(2):
        x.backward(given)
    what = "x.grad after x.backward(g) twice, with the very same g = [1, 10]"
    expect(x.grad, [2.0, 20.0], what, because="each pass counts")
    x, old = leaf(3.0), []
    for _ in range(3):
        (x * x).backward()
        old.append(x.grad)
    what = "x.grad as each of three passes from x * x left it, after the last"
    because = "somebody else may hold it: the sum is another Tensor"
    expect([float(grad.data) for grad in old], [6.0, 12.0, 18.0], what, because=because)


def expect_any_dtype_to_begin_with():
    for kind, other in itertools.permutations(DTYPES):
        number = np.array(1 / 3, other)
        for gradient in (tt.Tensor(number), number):
            x = leaf(2.0, kind)
            (-x).backward(gradient)
            given = f"{type(gradient).__name__} in {number.dtype}"
            what = f"backward() on -x, x in {x.dtype}, given 1/3, {given}, gave x.grad"
            slips = {x.dtype: "the gradient that was given keeps its own"}
            expect_array(x.grad, -number, what, slips=slips)
            (-x).backward(np.array(1 / 3, kind))
            what = f"the same, and then once more with a gradient in {x.dtype}, gave x.grad"
            slips = {np.dtype(np.float32): "float32 + float64 is float64, whatever x is"}
            expect_array(x.grad, -number - np.array(1 / 3, kind), what, slips=slips)


def expect_no_beginning_in_grad():
    for text, make in {"a leaf": lambda x: x, "-x": lambda x: -x}.items():
        y = make(leaf([1.0, 2.0]))
        y.grad = tt.Tensor(np.array([10.0, 0.0]))
        what = f"backward() on {text} of shape (2,), whose .grad is [10, 0] before,"
        expect_ending(y.backward, RuntimeError, what)


def expect_nothing_behind_the_unsent():
    a, b = tt.Tensor(np.array(2.0)), leaf(3.0)  # chapter 5: what receives None wants no gradient
    n = broken(ZeroDivisionError)(a)
    what = "backward() on f(n, b), n = g(a), the backward of f gives None, 10,"
    unasked = "nothing was sent to n, so the backward of g isn't run: pass n over"
    with calling(what, slips={ZeroDivisionError: unasked}):
        linear(None, 10.0).apply(n, b).backward()
    zeros = {0: "nothing was sent to it: pass it over, and set no zeros"}
    for name, t, want in [("n", n, None), ("a", a, None), ("b", b, 10.0)]:
        expect(t.grad, want, f"{what} gave {name}.grad", slips=zeros if want is None else {})
    if not asks_who_asks():
        a = leaf(2.0)
        b = a * 5.0
        linear(None, 10.0).apply(b * 3.0, b).backward()
        what = "backward() on f(3 * b, b), b = 5 * a, the backward of f gives None, 10, gave "
        expect(b.grad, 10.0, f"{what}b.grad", because=FOR_NOTHING)
        expect(a.grad, 50.0, f"{what}a.grad", because=FOR_NOTHING)


FOR_NOTHING = "3 * b was sent nothing, and b needn't wait for it"
ONWARD = "pass over what nothing was sent to, and go on with the next in the order"


def expect_unsent_passed_over():
    unsent = "where a gradient is None, nothing was sent to that input: pass it over"
    unsent = dict.fromkeys((KeyError, AttributeError, TypeError), unsent)
    for call in calls_of_f():
        what = f"backward() on {call.said}"
        silent = {x: t for x, t in call.tensors.items() if call.wants[x] is None}
        if call.of_results:  # as an earlier pass may have left them
            for t in silent.values():
                t.grad = tt.Tensor(np.array(OLD))
        before = {x: t.grad for x, t in silent.items()}
        with calling(what, slips=unsent if call.has_none else {}):
            call.result.backward(tt.Tensor(call.sent))
        name, factor = ("(-{}).grad", -1) if call.of_results else ("{}.grad", 1)
        grads = {x: t.grad for x, t in call.leaves.items()}
        call.expect_all(grads, what, name, factor, lost=ONWARD)
        for x, t in silent.items():
            slips = {False: f"nothing was sent to {x}: pass it over"}
            expect(t.grad is before[x], True, f"{what} left {x}.grad as it was", slips=slips)


def broken(error):
    """An operation whose backward raises this error."""

    class Broken(tt.Function):
        @staticmethod
        def forward(ctx, x):
            return tt.Tensor(np.asarray(x.data))

        @staticmethod
        def backward(ctx, grad_z):
            raise error

    return Broken.apply


ERRORS = (ZeroDivisionError, KeyError, AttributeError, TypeError, StopIteration, KeyboardInterrupt)


def expect_errors_come_out(call, said):
    """`call(f(x))` raises what the backward of f raises, whatever that is."""
    for error in ERRORS:
        what = f"{said}, the backward of f raises {error.__name__},"
        expect_ending(partial(call, broken(error)(leaf(5.0))), error, what)


def expect_fresh_after_an_error():
    x = leaf(5.0)
    y = x * 3
    what = "backward() on y + f(y), the backward of f raises ZeroDivisionError,"
    expect_ending((y + broken(ZeroDivisionError)(y)).backward, ZeroDivisionError, what)
    (y * 1).backward()
    slips = {6: "what was sent in the pass that broke off came again: begin with a new dict"}
    expect(x.grad, 3.0, "x.grad after that pass, and backward() on y * 1, y = 3 * x", slips=slips)
    expect_errors_come_out(lambda z: z.backward(), "backward() on f(x)")


def power(exponent, slope):
    class Power(tt.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return tt.Tensor(np.asarray(x.data) ** exponent)

        @staticmethod
        def backward(ctx, grad_z):
            (x,) = ctx.saved_tensors
            return tt.Tensor(grad_z.data * slope(np.asarray(x.data)))

    return Power.apply


cube, squaring = partial(power, 3), partial(power, 2)


def doubling(backward):
    """2 * x, whose backward makes an array of the array that arrives."""

    class Doubling(tt.Function):
        @staticmethod
        def forward(ctx, x):
            return tt.Tensor(np.asarray(x.data) * 2)

        @staticmethod
        def backward(ctx, grad_z):
            return tt.Tensor(backward(np.array(grad_z.data)))

    return Doubling.apply


def expect_uneven_weights():
    even = {
        True: "equal weights and weights in even steps let it pass: take random ones, all different"
    }
    for size in (3, 5):
        f = doubling(lambda g: 2 * np.array([g[0], *(g[:-2] + g[2:]) / 2, g[-1]]))
        what = f"gradcheck(2 * x, its backward averages neighbours), x of shape ({size},),"
        call = partial(tt.gradcheck, f, [tensor_leaf((size,))])
        expect_raises(RuntimeError, call, what, slips=even)


def expect_single_numbers_weighted():
    one = {True: "with a weight of 1, 2 and 2 * g are the same: one number needs a random one, too"}
    for shape in ((), (1,), (1, 1), (2, 3)):
        f = doubling(lambda g: np.full(g.shape, 2.0))
        what = f"gradcheck(2 * x, whose backward gives 2, not 2 * g), x of shape {shape},"
        call = partial(tt.gradcheck, f, [tensor_leaf(shape)])
        expect_raises(RuntimeError, call, what, slips=one)


def expect_results_that_are_inputs():
    for text, f in {"x": lambda x, y: x, "y": lambda x, y: y}.items():
        what = f"gradcheck(f, [x, y]), f gives {text} itself,"
        with calling(what, slips={RuntimeError: f"{text} moves with itself, by 1: a slope, too"}):
            expect(tt.gradcheck(f, [leaf([1.0, 2.0]), leaf([3.0])]), True, what)


def expect_infinity_and_nan_as_allclose_has_them():
    what, agree = "gradcheck(x * 1e200 * 1e200), x = 0,", "inf agrees with inf: np.allclose knows"
    with np.errstate(all="ignore"), calling(what, slips={RuntimeError: agree}):
        expect(tt.gradcheck(lambda x: x * 1e200 * 1e200, [leaf(0.0)]), True, what)
    cut = lambda x, y: x + tt.Tensor(np.where(y.data == 1, 1.0, np.nan))  # noqa: E731
    what = "gradcheck(x + f(y)), f(y) is NaN but for y = 1, and has no history,"
    expect_ending(partial(tt.gradcheck, cut, [leaf(1.0), leaf(1.0)]), RuntimeError, what)


def expect_shapes_compared_and_no_nan():
    for shape, wrong in [((3,), (3, 1)), ((3,), (1, 3)), ((2, 3), (3, 2)), ((), (1,)), ((1,), ())]:
        f = doubling(lambda g, wrong=wrong: 2 * g.reshape(wrong))
        what = f"gradcheck(2 * x, x of shape {shape}, its gradient of shape {wrong}),"
        expect_ending(partial(tt.gradcheck, f, [tensor_leaf(shape)]), RuntimeError, what)
    # all numbers alike, so that broadcasting would find them equal
    for shape, wrong in [((3,), (3, 1)), ((3,), (1,)), ((2, 3), (1, 3)), ((2, 3), ())]:
        f = doubling(lambda g, wrong=wrong: np.full(wrong, 0.0))
        zero = lambda x, f=f: f(x) * 0  # noqa: E731
        what = f"gradcheck(0 * x, x of shape {shape}, its gradient zeros of shape {wrong}),"
        expect_ending(partial(tt.gradcheck, zero, [tensor_leaf(shape)]), RuntimeError, what)
    if not asks_who_asks():
        f = giving(tt.Tensor(np.ones((3,))))
        what = "gradcheck(f, [x]), x of shape (0,), its gradient of shape (3,),"
        expect_ending(partial(tt.gradcheck, f.apply, [leaf([])]), RuntimeError, what)
    nan = partial(tt.gradcheck, doubling(lambda g: g * np.nan), [leaf([np.nan, 1.0])])
    expect_ending(nan, RuntimeError, "gradcheck(2 * x, x and both its gradients NaN),")
    large = doubling(lambda g: 4 * g.reshape(1))
    twice = lambda x: large(x) * 1e4  # noqa: E731
    x = leaf(2.0)
    with suppress(RuntimeError):  # from chapter 5 on backward() itself refuses that shape
        twice(x).backward()
    if x.grad is not None:
        what = "gradcheck(2 * x with twice the slope, x one number, its gradient of shape (1,)),"
        error = expect_ending(partial(tt.gradcheck, twice, [leaf(2.0)]), RuntimeError, what)
        expect(shows_twice(error), True, f"{what} its error shows both gradients", because=BOTH)


def expect_error_shows_every_number():
    for place in range(3):
        factor = np.where(np.arange(3) == place, 2, 1)
        f = doubling(lambda g, factor=factor: 2 * g * factor)
        what = f"gradcheck(2 * x with twice the slope at x[{place}] alone),"
        error = expect_ending(partial(tt.gradcheck, f, [leaf([1, 2, 3])]), RuntimeError, what)
        slips = {False: "show both gradients whole, not a part of each"}
        expect(shows_twice(error), True, f"{what} its error shows both of x[{place}]", slips=slips)


def expect_numbers_back():
    for number, error in itertools.product(range(1, 8), (ZeroDivisionError, KeyboardInterrupt)):
        inputs, calls = [leaf([1.0, 2.0]), leaf([3.0])], []

        def f(x, y, error=error, number=number, calls=calls):
            calls.append(1)
            if len(calls) == number:
                raise error
            return x * x

        with suppress(error):
            tt.gradcheck(f, inputs)
            lost = f"gradcheck keeps to itself that f raised {error.__name__} in call {number}: let"
            fail_if(len(calls) >= number, f"{lost} errors out")
        numbers = [data_of(x).tolist() for x in inputs]
        what = f"x and y after gradcheck, its f raised {error.__name__} in call {number},"
        expect(numbers, [[1.0, 2.0], [3.0]], what)


def expect_unused_inputs_of_any_shape():
    reason = "y received none, which counts as zeros of the shape of y"
    for used, unused in itertools.product([(), (2,), (3, 2), (1, 2, 2)], repeat=2):
        x, y = tensor_leaf(used), tensor_leaf(unused)
        for given, f in {"x, y": lambda x, y: x * x, "y, x": lambda y, x: x * x}.items():
            what = f"gradcheck(x * x, inputs {given}), x of shape {used}, y, unused, {unused},"
            alone = lambda _, x=x: tt.gradcheck(lambda x: x * x, [x])  # noqa: E731
            with calling(what, slips=[(alone, reason)]):
                expect(tt.gradcheck(f, [x, y] if given == "x, y" else [y, x]), True, what)
    for by, options, kind in [(1e-6, {}, None), (1e-6, {"atol": 1e-9}, RuntimeError),
                              (1, {}, RuntimeError), (1, {"atol": 10}, None)]:  # fmt: skip
        f = lambda x, y, by=by: x * x + tt.Tensor(y.data * by)  # noqa: E731
        call = partial(tt.gradcheck, f, [leaf([1.0, 2.0]), leaf([3.0, 4.0])], **options)
        what = f"gradcheck(x * x + Tensor(y.data * {by}), {options}), so y receives none,"
        expect_ending(call, kind, what)


def expect_zero_slopes():
    """Where nudging finds 0, nothing else will do."""
    for shape, slope in itertools.product(SHAPES, (np.nan, np.inf, -np.inf, 100, -100)):
        slopes = np.zeros(shape)
        slopes.flat[-1:] = slope
        f = power(2, lambda x, slopes=slopes: slopes)
        call = partial(tt.gradcheck, f, [leaf(np.zeros(shape))])
        kind = RuntimeError if slopes.size else None
        what = f"gradcheck(x * x, x zeros of shape {shape}, its last slope {slope}, not 0),"
        expect_ending(call, kind, what)


def expect_one_tensor_given_twice():
    x = leaf([1.0, 2.0])
    moves = "nudging x itself moves both of its places, and x.grad has both slopes in it "
    moves += "already: leave it as it is for the second turn"
    calls = {"a * b": (lambda a, b: a * b, [x, x]),
             "a * b * c": (lambda a, b, c: a * b * c, [x, leaf([3, 4]), x])}  # fmt: skip
    for text, (f, inputs) in calls.items():
        what = f"gradcheck({text}) with a Tensor x given twice"
        with calling(what, slips={RuntimeError: moves}):
            expect(tt.gradcheck(f, inputs), True, what)
    doubled = cube(lambda x: 6 * x * x)
    call = partial(tt.gradcheck, lambda a, b: doubled(a) + b, [x, x])
    expect_ending(call, RuntimeError, "gradcheck(a ** 3 + b, twice the slope, a and b both x),")


def expect_results_as_inputs():
    x = leaf([1.0, 2.0]) * 3
    what = "gradcheck(x ** 3 with twice the slope), x a result,"
    slips = {True: "for each input: one that an operation has made is an input, too"}
    call = partial(tt.gradcheck, cube(lambda x: 6 * x * x), [x])
    expect_raises(RuntimeError, call, what, slips=slips)


def expect_weights_that_stay_and_differ():
    sent = []
    f = doubling(lambda g: sent.append(g) or 2 * g)
    for shape in (*SHAPES, (20,), (3, 3), (2, 2, 2)):
        for _ in range(2):
            tt.gradcheck(f, [tensor_leaf(shape)])
        half = len(sent) // 2
        what = f"how many different numbers f's result of shape {shape} receives"
        because = "where two weights are equal, two elements could be mixed up unseen"
        expect(len(np.unique(sent[0])), sent[0].size, what, because=because)
        for first, second in zip(sent[:half], sent[half:], strict=True):
            what = f"the gradient that f's result of shape {shape} receives, second call"
            because = "the weights come from a fixed seed: the same on each call"
            expect(second, first, what, because=because, rtol=0, atol=0)
        sent.clear()
    for what, swap in {"rows": lambda g: g[::-1], "columns": lambda g: g[:, ::-1]}.items():
        f = doubling(lambda g, swap=swap: 2 * swap(g))
        what = f"gradcheck(2 * x, its backward exchanges {what}),"
        expect_ending(partial(tt.gradcheck, f, [tensor_leaf((2, 3))]), RuntimeError, what)
    # rtol is a part of the numerical gradient: got - want = want, more than 0.6 * want
    twice = partial(tt.gradcheck, doubling(lambda g: 4 * g), [leaf([1.0, 2.0])], rtol=0.6)
    order = {True: "rtol is a part of want, the numerical one: np.allclose(got, want, rtol, atol)"}
    what = "gradcheck(2 * x with twice the slope, rtol=0.6)"
    expect_raises(RuntimeError, twice, what, slips=order)


def expect_each_element_compared():
    x = leaf([100.0, 0.5, -100.0])
    expect(tt.gradcheck(lambda x: x * x, [x]), True, "gradcheck(x * x), x = [100, 0.5, -100]")
    passed = {True: "each element has a tolerance of its own: np.allclose(got, want, rtol, atol)"}
    for far in ("too large", "too small"):
        by = 0.05 if far == "too large" else -0.05
        f = squaring(lambda x, by=by: 2 * x + by * (abs(x) < 1))
        what = f"gradcheck(x * x, slope at 0.5 {far} by 0.05), x = [100, 0.5, -100]"
        expect_raises(RuntimeError, partial(tt.gradcheck, f, [x]), what, slips=passed)
    f = squaring(lambda x: 2 * x + 1e-4 * (x == 0))
    what = "gradcheck(x * x, slope at 0 too large by 0.0001), x = [100, 0, 0, …]"
    call = partial(tt.gradcheck, f, [leaf([100.0] + [0.0] * 8)])
    expect_raises(RuntimeError, call, what, slips=passed)


def expect_any_size():
    beyond = "a float64 gradient stays float64: this one is beyond float32"
    for slope in (1e41, 1e-50, -1e300):
        what = f"gradcheck({slope} * x, atol=0)"
        with calling(what, slips={RuntimeError: beyond}):
            got = tt.gradcheck(lambda x, slope=slope: x * slope, [leaf([1.0, 2.0])], atol=0)
        expect(got, True, what)
        f = lambda x, slope=slope: doubling(lambda g: 4 * g)(x) * slope  # noqa: E731
        what = f"gradcheck({slope} * x with twice the slope, atol=0)"
        expect_ending(partial(tt.gradcheck, f, [leaf([1.0, 2.0])], atol=0), RuntimeError, what)


def tensor_leaf(shape):
    return leaf(tensor(shape).data)


BOTH = "that is two numbers, one about twice the other; two digits of each are enough"


def shows_twice(error):
    """Are there two numbers in the message of which one is about twice the other?"""
    found = re.findall(r"(?<![\w.])-?\d+(?:\.\d*)?(?:e[-+]?\d+)?", str(error))
    pairs = itertools.permutations(map(float, found), 2)
    return any(abs(a - 2 * b) < 0.05 * abs(a) for a, b in pairs)


@pytest.mark.exercise("3.7", points=1)
def test_gradcheck_refuses_what_is_wrong_anywhere_and_nothing_else():
    right = cube(lambda x: 3 * x * x)
    for shape in SHAPES:
        x = leaf(np.random.default_rng(1).uniform(1, 2, shape))
        expect(tt.gradcheck(right, [x]), True, f"gradcheck(x ** 3), x of shape {shape}")
        for index in np.ndindex(shape):
            spot = np.zeros(shape)
            spot[index] = 1
            wrongs = {"off by 100": 100, "NaN": np.nan, "infinite": np.inf, "of another sign": -6}
            for name, wrong in wrongs.items():
                at = np.where(spot == 1, wrong, 0)
                f = cube(lambda x, at=at: 3 * x * x + at * (x * x if at.min() < 0 else 1))
                what = f"gradcheck(x ** 3, slope {name} at {index}), x of shape {shape},"
                expect_ending(partial(tt.gradcheck, f, [x]), RuntimeError, what)
                for k in range(3):
                    fs = [right] * 3
                    fs[k] = f
                    g = lambda a, b, c, fs=fs: fs[0](a) + fs[1](b) + fs[2](c)  # noqa: E731
                    inputs = [leaf(x.data + i) for i in range(3)]
                    what = f"gradcheck(a ** 3 + b ** 3 + c ** 3, slope of input {k} {name}),"
                    expect_ending(partial(tt.gradcheck, g, inputs), RuntimeError, what)
    for text, f in {"x @ w": lambda x, w: x @ w, "w @ x": lambda x, w: w @ x,
                    "x.sum() * w.sum()": lambda x, w: x.sum() * w.sum()}.items():  # fmt: skip
        x, w = leaf([[1.0, 2.0, 3.0]]), leaf([[4.0], [5.0], [6.0]])
        with calling(f"gradcheck({text})"):
            expect(tt.gradcheck(f, [x, w]), True, f"gradcheck({text})")
    doubled = cube(lambda x: 6 * x * x)
    what = "gradcheck(x ** 3 with twice the slope, x one number)"
    error = expect_ending(partial(tt.gradcheck, doubled, [leaf(200.0)]), RuntimeError, what)
    expect(shows_twice(error), True, f"{what}: its error shows both gradients", because=BOTH)
    expect_error_shows_every_number()
    x = leaf([1.0, 2.0])
    off = cube(lambda x: 3 * x * x * 1.01)
    sent = []  # each slope is off by 3 % of the weight, or by 12 %
    tt.gradcheck(doubling(lambda g: sent.append(abs(g).max()) or 2 * g), [leaf([1.0, 2.0])])
    for options, kind in [({}, RuntimeError), ({"rtol": 0.1}, None), ({"atol": sent[0]}, None),
                          ({"rtol": 1e-3, "atol": 1e-6}, RuntimeError)]:  # fmt: skip
        what = f"gradcheck(x ** 3, slopes 1 % too large, {options}),"
        expect_ending(partial(tt.gradcheck, off, [x], **options), kind, what)
    far = leaf([100.0, 200.0])
    for given, kind in [((1e-4, 1e-9, 0.1), None), ((1e-4, 1e-9, 1e-3), RuntimeError)]:
        what = f"gradcheck(x ** 3, slopes 1 % too large, [x], eps, atol, rtol = {given}),"
        expect_ending(partial(tt.gradcheck, off, [far], *given), kind, what)
    # the central difference of x ** 3 is 3 x ** 2 + eps ** 2
    for eps, kind in [(1e-6, None), (0.5, RuntimeError)]:
        what = f"gradcheck(x ** 3, eps={eps}),"
        expect_ending(partial(tt.gradcheck, right, [x], eps=eps), kind, what)
    expect_shapes_compared_and_no_nan()
    expect_unused_inputs_of_any_shape()
    expect_zero_slopes()
    expect_one_tensor_given_twice()
    expect_results_as_inputs()
    expect_results_that_are_inputs()
    expect_uneven_weights()
    expect_single_numbers_weighted()
    expect_weights_that_stay_and_differ()
    expect_each_element_compared()
    expect_any_size()
    expect_infinity_and_nan_as_allclose_has_them()
    expect_numbers_back()
