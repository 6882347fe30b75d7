"""Chapter 3: what each exercise promises, for all graphs, shapes and dtypes."""

import itertools
import re
from contextlib import suppress
from functools import partial

import numpy as np
import pytest

import tinytorch as tt
from course.contracts import (
    DTYPES,
    SHAPES,
    TOLERANCES,
    expect_array,
    expect_ending,
    slopes_of_leaves,
    upstream,
)
from course.testing import calling, expect, expect_raises, fail_if, leaf
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


def expect_kept_gradients_stay():
    x = leaf([1.0, 2.0])
    z, kept = x * x, []
    for _ in range(3):
        sent = tt.Tensor(np.array([1.0, 10.0]))
        tt.recursive_backward(z, sent)
        kept += [(t, t.data.copy()) for t in (sent, x.grad, z.grad)]
    for t, numbers in kept:
        expect(t, numbers, "a gradient from an earlier recursive_backward, after a later one")


def expect_places_kept():
    skip = {None: "a None ends nothing: skip it, and go on with the next"}
    unasked = "a gradient that is None goes nowhere, whatever its input is: ask for the gradient"
    for kind in ("a leaf", "a result"):
        a, behind, c = leaf(1.0), leaf(2.0), leaf(3.0)
        b = behind if kind == "a leaf" else -behind
        b.grad = tt.Tensor(np.array(50.0))
        what = f"recursive_backward with gradients None, 10, None, 30 of 5, a, b, c, b {kind}"
        with calling(what, slips={Exception: unasked}):
            tt.recursive_backward(gaps().apply(5, a, b, c), tt.Tensor(np.array(1.0)))
        expect(a.grad, 10.0, f"a.grad after {what}", slips=skip)
        expect(b.grad, 50.0, f"b.grad, 50 before, after {what}")
        expect(c.grad, 30.0, f"c.grad after {what}")
    x = leaf([1.0, 2.0])
    with calling(f"recursive_backward on {ODD}", slips={Exception: unasked}):
        tt.recursive_backward(odd().apply(*odd_inputs(x)), tt.Tensor(np.array([1.0, 10.0])))
    expect(x.grad, [2.0, 20.0], f"x.grad after recursive_backward on {ODD}")


def gaps():
    class Gaps(tt.Function):
        @staticmethod
        def forward(ctx, number, a, b, c):
            return tt.Tensor(10 * np.asarray(a.data) + 30 * np.asarray(c.data))

        @staticmethod
        def backward(ctx, grad_z):
            sent = np.asarray(grad_z.data)
            return None, tt.Tensor(sent * 10), None, tt.Tensor(sent * 30)

    return Gaps


ODD = "f(None, x, (x, 1), an object, an array, a NumPy integer)"


class Odd:
    """An input that is no Tensor, and like no number."""


def odd():
    class OddOne(tt.Function):
        @staticmethod
        def forward(ctx, *inputs):
            return tt.Tensor(inputs[1].data * 2)

        @staticmethod
        def backward(ctx, grad_z):
            return None, tt.Tensor(grad_z.data * 2), None, None, None, None

    return OddOne


def odd_inputs(x):
    """What an operation may be given besides the Tensor x."""
    return None, x, (x, 1), Odd(), np.ones(2), np.int64(2)


@pytest.mark.exercise("3.2", points=1)
def test_every_graph_is_in_order():
    x = leaf([1.0, 2.0])
    odd_one = odd().apply(*odd_inputs(x))
    roots = {name: build(tt, leaf)[0] for name, build in GRAPHS.items()}
    sub = type("Sub", (tt.Tensor,), {})(2.0)
    roots |= {ODD: odd_one, "x * 3, x of a subclass of Tensor": sub * 3}
    for graph, root in roots.items():
        for time in ("first call", "second call, each tensor with a .grad"):
            what = f"topological_order on {graph}, {time}"
            unhashable = "an input may be an array, which no set can hold: ask isinstance first"
            with calling(what, slips=[(lambda e: "unhashable" in str(e), unhashable)]):
                order = tt.topological_order(root)
            expect(type(order), list, f"the type of {what}")
            fail_if(not order, f"{what} = []: at least the root belongs in it")
            places = {id(t): i for i, t in enumerate(order)}
            expect(len(places), len(order), f"{what}: how many tensors, each once")
            expect(order[-1] is root, True, f"{what}: the last is the root")
            for t in order:
                inputs = t.grad_fn.inputs if t.grad_fn is not None else ()
                for x in inputs:
                    if isinstance(x, tt.Tensor):
                        stands = places.get(id(x), len(order)) < places[id(t)]
                        says = f"{what}: each input comes before its result"
                        because = "the way goes by grad_fn and its inputs, whatever .grad holds"
                        expect(stands, True, says, because=because)
            behind, stack = set(), [root]
            while stack:
                t = stack.pop()
                if id(t) not in behind:
                    behind.add(id(t))
                    inputs = t.grad_fn.inputs if t.grad_fn is not None else ()
                    stack += [x for x in inputs if isinstance(x, tt.Tensor)]
                    t.grad = tt.Tensor(np.ones(t.shape))  # as after a pass
            expect(len(order), len(behind), f"{what}: how many tensors")


@pytest.mark.exercise("3.3", points=1)
def test_a_pass_begins_with_what_fits():
    shapes = [*SHAPES, (1, 1), (1, 3), (3, 1), (3,)]
    for shape, dtype in itertools.product(shapes, DTYPES):
        root, what = tensor(shape, dtype), f"head_gradient(tensor of shape {shape}"
        call = partial(tt.head_gradient, root, None)
        if root.data.size == 1:
            expect_array(call(), np.ones(shape, dtype), f"{what}, {dtype.__name__}, None)")
        else:
            expect_ending(call, RuntimeError, f"{what}, None)")
        for other in shapes:
            call = partial(tt.head_gradient, root, tensor(other, dtype, seed=4))
            said = f"{what}, gradient of shape {other})"
            if other == shape:
                expect_array(call(), tensor(other, dtype, seed=4).data, said)
            else:
                expect_ending(call, RuntimeError, said)
        numbers = tensor(shape, dtype, seed=4).data
        expect_array(tt.head_gradient(root, numbers), numbers, f"{what}, an array)")
        whole = 2**24 + 1 + np.arange(numbers.size).reshape(shape)  # too long for float32
        got = tt.head_gradient(root, whole)
        expect_array(got, whole.astype(dtype), f"{what}, {dtype.__name__}, an array of integers)")
        if numbers.size:
            got = tt.head_gradient(root, numbers.tolist())
            expect_array(got, numbers, f"{what}, {dtype.__name__}, a list or a number)")
    for value, dtype in itertools.product((0.0, np.inf, -np.inf, np.nan), DTYPES):
        what = f"head_gradient(tensor({value}), None)"
        head = tt.head_gradient(tt.Tensor(np.array(value, dtype)), None)
        expect(head, 1.0, what, rtol=0, atol=0)
        expect(head.grad_fn, None, f"the grad_fn of {what}")


@pytest.mark.exercise("3.4", points=1)
def test_every_input_receives_its_sum():
    for dtype in DTYPES:
        expect_sums(leaf([[1, -2], [3, 4]], dtype), leaf([[2, 5], [-7, 3]], dtype))
    expect_places_in_grads()


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
            filled = np.full((2, 2), before or 0, x.dtype)
            full = {} if before is None else {t: tt.Tensor(filled) for t in (x, w)}
            grads, kept = {**full, other: tt.Tensor(1.0)}, dict(full)
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
                    because = "its gradient comes second, after a None" if text == ODD else ""
                    says = f"{what}an input, {kind}, is in grads"
                    expect(t in grads, True, says, slips=slips, because=because)
            for name, t in {"x": x, "w": w}.items():
                parts = [
                    g.data
                    for i, g in zip(z.grad_fn.inputs, z.grad_fn.backward(sent), strict=True)
                    if i is t
                ]
                if parts or before is not None:
                    want = filled + sum(parts, np.zeros((2, 2), x.dtype))
                    expect_array(grads.get(t), want, f"{what}grads[{name}]")
                else:
                    expect(t in grads, False, f"{what}{name} is in grads")
            expect_array(grads[other], np.float32(1.0), f"{what}grads of a tensor that is no input")
            for grad in kept.values():
                expect(grad, filled, f"{what}the Tensor that was in grads before")


def expect_places_in_grads():
    a, b, c = leaf(1.0), tt.Tensor(2.0), leaf(3.0)  # chapter 5: b wants no gradient
    for t in (a, b, c):
        t.grad = tt.Tensor(np.array(50.0))
    grads = {}
    tt.propagate(gaps().apply(5, a, b, c).grad_fn, tt.Tensor(np.array(1.0)), grads)
    what = "propagate with gradients None, 10, None, 30 of 5, a, b, c, each .grad 50: "
    expect(grads.get(a), 10.0, f"{what}grads[a]")
    because = "its gradient is None, and None makes no entry"
    expect(b in grads, False, f"{what}b is in grads", because=because)
    expect(grads.get(c), 30.0, f"{what}grads[c]")
    expect(len(grads), 2, f"{what}how many entries")
    for t in (a, b, c):
        expect(t.grad, 50.0, f"{what}.grad of an input, afterwards")


@pytest.mark.exercise("3.5", points=1)
def test_gradients_of_every_shape_add_up_and_go():
    for shape, dtype in itertools.product(SHAPES, DTYPES):
        x, want, parts = tensor(shape, dtype), np.zeros(shape, dtype), []
        for seed in range(4):
            grad = tensor(shape, dtype, seed)
            grad.data *= seed % 2  # the first and the third are zero
            parts.append((grad, grad.data.copy()))
            want = grad.data if x.grad is None else want + grad.data
            tt.accumulate(x, grad)
            given = " of zeros" if seed == 0 else ""
            what = f"x.grad after accumulate, {seed + 1} time(s){given}, shape {shape}"
            expect_array(x.grad, want, what)
            parts.append((x.grad, want.copy()))
        for grad, numbers in parts:
            expect(
                grad,
                numbers,
                "a gradient that was given to accumulate, or was in x.grad, afterwards",
            )
    x, grad = leaf([1.0, 2.0]), tt.Tensor(np.array([3.0, 4.0]))
    for _ in range(2):
        tt.accumulate(x, grad)
    expect(x.grad, [6.0, 8.0], "x.grad after accumulate(x, g) twice with the same g = [3., 4.]")
    for collect in (list, tuple, values):
        behind = leaf(2.0)
        tensors = [tensor(shape) for shape in SHAPES] + [behind * 3]
        for x in [*tensors[1:], behind]:
            x.grad = tensor(x.shape)
        what = f"zero_grad(the tensors as {type(collect([])).__name__})"
        with calling(what, slips={TypeError: "walk through them with for: not all have places"}):
            tt.zero_grad(collect(tensors))
        for x in tensors:
            kind = "a leaf" if x.grad_fn is None else "a result"
            what = f"x.grad after zero_grad({collect.__name__} with x), x {kind} of shape {x.shape}"
            expect(x.grad, None, what)
        what = "behind.grad is None after zero_grad([behind * 3])"
        expect(behind.grad is None, False, what, because="only those that were given")


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
            expect_ending(partial(make(x).backward, upstream(wrong, dtype)), RuntimeError, what)
            expect(x.grad is kept, True, f"x.grad is what it was before {what}")
    for zero in (0, 0.0, False):
        x = leaf(5.0)
        (x * 3).backward(zero)
        expect(x.grad, 0.0, f"x.grad after (x * 3).backward({zero})", slips={3: ASK_NONE})
        x = leaf(5.0)
        x.backward(zero)
        expect(x.grad, 0.0, f"x.grad after x.backward({zero})", slips={1: ASK_NONE})
    expect_unsent_passed_over()
    expect_fresh_after_an_error()


def expect_unsent_passed_over():
    for kind in ("a leaf", "a result"):
        a, b, c = leaf(1.0), tt.Tensor(2.0), leaf(3.0)  # chapter 5: b wants no gradient
        b = b if kind == "a leaf" else -b
        what = f"backward() with gradients None, 10, None, 30 of 5, a, b, c, b {kind}"
        unsent = "b's gradient is None, so nothing was sent to b: pass it over"
        with calling(what, slips={KeyError: unsent, AttributeError: unsent, TypeError: unsent}):
            gaps().apply(5, a, b, c).backward()
        for name, t, want in (("a", a, 10.0), ("b", b, None), ("c", c, 30.0)):
            expect(t.grad, want, f"{what}, gave {name}.grad")


def expect_fresh_after_an_error():
    class Broken(tt.Function):
        @staticmethod
        def forward(ctx, x):
            return tt.Tensor(np.asarray(x.data))

        @staticmethod
        def backward(ctx, grad_z):
            raise ZeroDivisionError

    x = leaf(5.0)
    y = x * 3
    what = "backward() on y + f(y), the backward of f raises ZeroDivisionError,"
    expect_ending((y + Broken.apply(y)).backward, ZeroDivisionError, what)
    (y * 1).backward()
    slips = {6: "what was sent in the pass that broke off came again: begin with a new dict"}
    expect(x.grad, 3.0, "x.grad after that pass, and backward() on y * 1, y = 3 * x", slips=slips)


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
    nan = partial(tt.gradcheck, doubling(lambda g: g * np.nan), [leaf([np.nan, 1.0])])
    expect_ending(nan, RuntimeError, "gradcheck(2 * x, x and both its gradients NaN),")
    twice = doubling(lambda g: 4 * g.reshape(1))
    x = leaf(2.0)
    with suppress(RuntimeError):  # from chapter 5 on backward() itself refuses that shape
        twice(x).backward()
    if x.grad is not None:
        what = "gradcheck(2 * x with twice the slope, x one number, its gradient of shape (1,)),"
        error = expect_ending(partial(tt.gradcheck, twice, [x]), RuntimeError, what)
        expect(shows_twice(error), True, f"{what} its error shows both gradients")


def expect_weights_that_stay_and_differ():
    sent = []
    f = doubling(lambda g: sent.append(g) or 2 * g)
    for shape in (*SHAPES, (20,)):
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


def tensor_leaf(shape):
    return leaf(tensor(shape).data)


def shows_twice(error):
    """Are there two numbers in the message of which one is twice the other?"""
    numbers = [float(n) for n in re.findall(r"-?\d+\.\d*(?:e[-+]\d+)?", str(error))]
    pairs = itertools.permutations(numbers, 2)
    return any(abs(a - 2 * b) < 1e-2 * abs(a) and a for a, b in pairs)


@pytest.mark.exercise("3.7", points=1)
def test_gradcheck_refuses_what_is_wrong_anywhere_and_nothing_else():
    right = cube(lambda x: 3 * x * x)
    for shape in SHAPES:
        x = leaf(np.random.default_rng(1).uniform(1, 2, shape))
        expect(tt.gradcheck(right, [x]), True, f"gradcheck(x ** 3), x of shape {shape}")
        for index in np.ndindex(shape):
            spot = np.zeros(shape)
            spot[index] = 1
            for name, wrong in {"off by 100": 100, "NaN": np.nan, "infinite": np.inf}.items():
                at = np.where(spot == 1, wrong, 0)
                f = cube(lambda x, at=at: 3 * x * x + at)
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
    error = expect_ending(partial(tt.gradcheck, doubled, [leaf(2.0)]), RuntimeError, what)
    expect(shows_twice(error), True, f"{what}: its error shows both gradients")
    x = leaf([1.0, 2.0])
    off = cube(lambda x: 3 * x * x * 1.01)
    for options, kind in [({}, RuntimeError), ({"rtol": 0.1}, None), ({"atol": 1.0}, None),
                          ({"rtol": 1e-3, "atol": 1e-6}, RuntimeError)]:  # fmt: skip
        what = f"gradcheck(x ** 3, slopes 1 % too large, {options}),"
        expect_ending(partial(tt.gradcheck, off, [x], **options), kind, what)
    # the central difference of x ** 3 is 3 x ** 2 + eps ** 2
    for eps, kind in [(1e-6, None), (0.5, RuntimeError)]:
        what = f"gradcheck(x ** 3, eps={eps}),"
        expect_ending(partial(tt.gradcheck, right, [x], eps=eps), kind, what)
    expect_shapes_compared_and_no_nan()
    expect_weights_that_stay_and_differ()
    expect_each_element_compared()
