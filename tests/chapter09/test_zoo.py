"""Chapter 9's contracts, run last: all shapes and dtypes, all mixes of inputs, all endings."""

import itertools

import numpy as np
import pytest

import tinytorch as tt
from course.contracts import DTYPES, SHAPES, expect_array, expect_ending, numbers, upstream
from course.testing import calling, expect, leaf

ENDINGS = (None, ZeroDivisionError, KeyboardInterrupt, SystemExit, GeneratorExit)
SIZES = ((3, 2, 4), (1, 1, 1), (1, 3, 2), (4, 1, 3), (0, 3, 2), (5, 5, 5))
LOOSE = {"float64": (1e-7, 1e-9), "float32": (1e-3, 1e-4)}  # of solutions


class Stop(Exception):
    pass


def things():
    """{what it is: (an argument of forward, is a gradient wanted for it?)}, made anew."""
    x = leaf([1.0, 2.0])
    stopped = leaf(3.0)
    stopped.requires_grad_(False)
    freed = x * x
    freed.sum().backward()
    return {"a leaf": (x, True), "a result": (x * 2, True), "its detach()": (x.detach(), False),
            "a constant": (tt.tensor(1.0), False), "integers": (tt.tensor([1, 2]), False),
            "a leaf that stopped asking": (stopped, False),
            "a result that was freed": (freed, True), "0": (0, False),
            "None": (None, False), "a list of leaves": ([x], False)}  # fmt: skip


@pytest.mark.exercise("9.1", points=1)
def test_all_mixes_of_arguments_and_of_saved_tensors():
    function = type("Probe", (), {})  # all calls are of this one
    for names in itertools.chain(*[itertools.product(things(), repeat=k) for k in range(4)]):
        made = [things()[name] for name in names]
        what = f"needs_input_grad for ({', '.join(names)})"
        ctx = tt.ctx.Context(function, tuple(thing for thing, _ in made))
        expect(ctx.needs_input_grad, tuple(wanted for _, wanted in made), what)
    with tt.no_grad(), calling("needs_input_grad under no_grad()"):
        got = tt.ctx.Context(function, (leaf(1.0),)).needs_input_grad
    because = "edges knows, whether recording is on by now or off"
    what = "needs_input_grad of a leaf that asks, under no_grad()"
    expect(got, (True,), what, because=because)
    ctx = tt.ctx.Context(None, ())
    with calling("save_for_backward of a Parameter, integers and a mask, which are Tensors,"):
        ctx.save_for_backward(tt.nn.Parameter(tt.ones(2)), tt.tensor([1, 2]), tt.tensor([True]))
    for shape, dtype in itertools.product(SHAPES, DTYPES):
        x, y = leaf(numbers(shape, dtype), dtype), tt.tensor(numbers(shape, dtype, 4))
        for given in ((x,), (x, x), (y, None, x), (None, None), (x, y, x * y, y), ()):
            ctx = tt.ctx.Context(None, (x, y))
            with calling(f"save_for_backward of {len(given)} tensors or None, shape {shape}"):
                result = ctx.save_for_backward(*given)
            expect(result, None, "what save_for_backward gave")
            kept = ctx._to_save
            same = len(kept) == len(given) and all(a is b for a, b in zip(kept, given, strict=True))
            expect(same, True, f"{len(given)} were saved, shape {shape}, and are kept as they are")


def product(told=None):
    """A Function x * y by NumPy that tells what it's asked for, or raises what it's given."""

    class Product(tt.autograd.Function):
        @staticmethod
        def forward(ctx, x, y, ending=None):
            if ending is not None:
                raise ending
            ctx.save_for_backward(x, y)
            return tt.tensor(x.numpy() * y.numpy())

        @staticmethod
        def backward(ctx, grad):
            x, y = ctx.saved_tensors
            if told is not None:
                told.append(ctx.needs_input_grad)
            return grad * y, grad * x, None

    return Product


@pytest.mark.exercise("9.2", points=2)
def test_all_calls_enter_the_graph():
    mixes = tuple(itertools.product((False, True), repeat=2))
    for shape, dtype, asks in itertools.product(SHAPES, DTYPES, mixes):
        arrays, told = [numbers(shape, dtype, seed) for seed in (3, 4)], []
        pairs = zip(arrays, asks, strict=True)
        x, y = (tt.tensor(array.copy(), requires_grad=ask) for array, ask in pairs)
        for recording in (True, False):
            what = f"x * y by a Function, {shape}, {dtype.__name__}, asks: {asks}, on: {recording}"
            with tt.set_grad_enabled(recording), calling(what):
                z = product(told).apply(x, y)
                expect(tt.is_grad_enabled(), recording, f"{what}: is_grad_enabled() afterwards")
            expect_array(z, arrays[0] * arrays[1], what)
            recorded = recording and any(asks)
            expect(z.requires_grad, recorded, f"{what}: the result requires grad")
            if recorded:
                sent = upstream(shape, dtype)
                with calling(f"backward() on {what}"):
                    z.backward(sent)
                for t, other, asked in zip((x, y), arrays[::-1], asks, strict=True):
                    if asked:
                        expect_array(t.grad, sent.numpy() * other, f"{what}: a gradient")
                expect(told[-1], (*asks, False)[: len(told[-1])], "needs_input_grad")
    x, y = leaf([2.0, -3.0]), leaf([0.5, 4.0])
    with calling("gradgradcheck of x * y by a Function"):
        tt.gradgradcheck(product().apply, (x, y))


@pytest.mark.exercise("9.2", points=1)
def test_all_endings_put_recording_back():
    x, Product = leaf([1.0, 2.0]), product()
    for ending, before in itertools.product(ENDINGS, (True, False)):
        name = ending and ending.__name__
        what = f"apply, forward raises {name}, recording was {before}"
        with tt.set_grad_enabled(before):
            call = lambda ending=ending: Product.apply(x, x, ending)  # noqa: E731
            expect_ending(call, ending, what)
            expect(tt.is_grad_enabled(), before, f"{what}: is_grad_enabled() afterwards")

    class Switches(Product):
        @staticmethod
        def forward(ctx, x, y, on):
            tt.set_grad_enabled(on)
            return x * 2

    for before, on in itertools.product((True, False), repeat=2):
        what = f"apply, recording was {before}, forward says set_grad_enabled({on})"
        with tt.set_grad_enabled(before):
            with calling(what):
                Switches.apply(x, x, on)
            because = "what was there before, whatever forward did, is put back"
            expect(tt.is_grad_enabled(), before, f"{what}: is_grad_enabled() afterwards",
                   because=because)  # fmt: skip

    class Outer(tt.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = Product.apply(x, x)
            ctx.seen = tt.is_grad_enabled(), y.requires_grad
            with tt.enable_grad():
                pass
            return y

        @staticmethod
        def backward(ctx, grad):
            return grad

    y = Outer.apply(x)
    because = "an apply in forward leaves recording off"
    expect(y.grad_fn.seen, (False, False), "(is_grad_enabled(), requires_grad) after an apply in "
           "forward", because=because)  # fmt: skip
    y.sum().backward()
    expect(x.grad, [1, 1], "x.grad of a Function with another one in its forward")


@pytest.mark.exercise("9.3", points=3)
def test_all_that_can_arrive():
    kinds = [None, *itertools.product(((), (2, 3), (0,)), ("f8", "f4", "i8", "?"))]
    for count, materialize in itertools.product((1, 2, 3), (True, False)):
        for start in range(0, len(kinds)):
            metas = [kinds[(start + 4 * k) % len(kinds)] for k in range(count)]
            for there in itertools.product((False, True), repeat=count):
                expect_materialized(metas, there, materialize)
    for there in itertools.product((False, True), repeat=3):
        expect_materialized([((2, 3), "f8")] * 3, there, True)


def expect_materialized(metas, there, materialize):
    metas = [meta and (meta[0], np.dtype(meta[1])) for meta in metas]
    ctx = tt.ctx.Context(None, ())
    ctx._results = list(metas)
    ctx.set_materialize_grads(materialize)
    pairs = enumerate(zip(metas, there, strict=True))
    parts = {k: np.ones(m[0], m[1]) for k, (m, is_there) in pairs if m and is_there}
    given = dict(parts)
    what = f"materialized({{{', '.join(map(str, parts))}}}) of {metas}, zeros: {materialize},"
    with calling(what):
        got, again = ctx.materialized(parts), ctx.materialized(parts)
    expect(len(got), len(metas), f"the length of {what}")
    for k, meta in enumerate(metas):
        if meta is None or (k not in parts and not materialize):
            expect(got[k], None, f"{what} number {k}")
            continue
        want = parts[k] if k in parts else np.zeros(*meta)
        expect_array(got[k], want, f"{what} number {k}", {n: (0, 0) for n in KINDS})
        if k not in parts and want.size:
            shares = [np.shares_memory(got[k].numpy(), other.numpy())
                      for other in [*got[:k], again[k]] if other is not None]  # fmt: skip
            expect(any(shares), False, f"{what} number {k} shares memory with other zeros: it")
            writes = got[k].numpy().flags.writeable
            own = "a backward may write into its zeros: np.zeros makes new ones"
            expect(writes, True, f"{what} number {k} may be written to: it", because=own)
    expect(list(parts), list(given), f"the parts after {what}", because="parts stays as it is")


KINDS = ("float64", "float32", "int64", "bool")


def clamped():
    """A Function that cuts off what is negative, in the memory of its input, and says so."""

    class Clamp(tt.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x > 0)
            np.maximum(x.numpy(), 0, out=x.numpy())
            ctx.mark_dirty(x)
            return x

        @staticmethod
        def backward(ctx, grad):
            return grad * ctx.saved_tensors[0].to(grad.dtype)

    return Clamp


@pytest.mark.exercise("9.4", points=2)
def test_changes_in_place_are_seen_by_whoever_saved():
    for shape, dtype in itertools.product(SHAPES, DTYPES):
        array, what = numbers(shape, dtype), f"clamped in place, {shape}, {dtype.__name__}"
        x, sent = leaf(array, dtype), upstream(shape, dtype)
        h = x * 1
        with calling(what):
            y = clamped().apply(h)
        expect(y is h, True, f"{what}: the result is the tensor that was changed: it")
        expect(h._version, 1, f"{what}: how often it has been changed")
        with calling(f"backward() on {what}"):
            y.backward(sent)
        expect_array(x.grad, sent.numpy() * (array > 0), f"{what}: x.grad")
        h = x * 1
        square = h * h
        clamped().apply(h)
        call = lambda square=square, sent=sent: square.backward(sent)  # noqa: E731
        expect_ending(call, RuntimeError, f"backward of h * h, then h {what}")
        call = lambda x=x: clamped().apply(x)  # noqa: E731
        expect_ending(call, RuntimeError, f"a leaf {what}")
    for count, which in itertools.product((1, 2, 3), (0, 1, 2)):
        for gaps in itertools.product((False, True), repeat=count):
            arrays = [None if gap else np.ones((2, 3)) for gap in gaps]
            ctx = tt.ctx.Context(None, ())
            ctx.function, ctx.number = Stop, tt.memory.next_number()
            node = (None, 0, 1, leaf(1.0)._node)[(which + sum(gaps)) % 4]  # a constant, results
            ctx.saved = tuple(a if a is None else (a.T, node) for a in arrays)
            what = f"check_versions(), saved: {['None' if gap else 'an array' for gap in gaps]}"
            expect_ending(ctx.check_versions, None, what)
            if which < count and arrays[which] is not None:
                tt.memory.touch(arrays[which])
                says = f"{what}, number {which} was changed"
                expect_ending(ctx.check_versions, RuntimeError, says)
                expect(len(ctx.saved), count, f"{says}: how many are still saved")


def arcs(told):
    """A Function with two results and a number, whose backward is marked and uses arrays."""

    class Arcs(tt.autograd.Function):
        @staticmethod
        def forward(ctx, x, y, k):
            ctx.save_for_backward(x, y)
            ctx.k = k
            return x.sin() * y, x * k

        @staticmethod
        @tt.function.once_differentiable
        def backward(ctx, g, h):
            told.append(tt.is_grad_enabled())
            if ctx.k == 99:
                raise Stop
            x, y, g, h = (t.detach().numpy() for t in (*ctx.saved_tensors, g, h))
            return tt.tensor(g * np.cos(x) * y + h * ctx.k), tt.tensor(g * np.sin(x)), None

    return Arcs


@pytest.mark.exercise("9.5", points=2)
def test_marked_ways_back_of_all_shapes():
    for shape, dtype, recorded in itertools.product(SHAPES, DTYPES, (False, True)):
        a, b, told = numbers(shape, dtype), numbers(shape, dtype, 4), []
        x, y = leaf(a, dtype), leaf(b, dtype)
        what = f"a marked backward, {shape}, {dtype.__name__}, recorded: {recorded}"
        s, t = arcs(told).apply(x, y, 3)
        sent = upstream(shape, dtype)
        with calling(what):
            found = tt.autograd.grad([s, t], [x, y], [sent, sent], create_graph=recorded)
        wants = sent.numpy() * (np.cos(a) * b + 3), sent.numpy() * np.sin(a)
        for number, (got, want) in enumerate(zip(found, wants, strict=True)):
            expect_array(got, want.astype(dtype), f"{what}: gradient {number}", LOOSE)
            expect(got.requires_grad, recorded, f"{what}: gradient {number} requires grad")
            if recorded:
                for target in (x, y):
                    call = lambda got=got, target=target: tt.autograd.grad(  # noqa: E731
                        got.sum(), target, retain_graph=True, allow_unused=True)  # fmt: skip
                    expect_ending(call, RuntimeError, f"{what}, the second derivative")
                call = got.sum().backward
                expect_ending(call, RuntimeError, f"backward() of a gradient of {what}")
        expect(told, [False], f"{what}: is_grad_enabled() in it, for each call")
        for t_ in (x, y):
            expect(t_.grad, None, f"{what}: .grad of an input")
        bad, _ = arcs(told).apply(x, y, 99)
        call = lambda bad=bad, x=x, recorded=recorded: tt.autograd.grad(  # noqa: E731
            bad.sum(), x, create_graph=recorded)  # fmt: skip
        expect_ending(call, Stop, f"{what}, raises Stop")
        expect(tt.is_grad_enabled(), True, f"is_grad_enabled() after {what} raised Stop")
    u = leaf(2.0)
    x = leaf(3.0)
    s, _ = arcs([]).apply(x, leaf(1.0), 0)
    (dx,) = tt.autograd.grad(s * u, x, create_graph=True)
    call = lambda: tt.autograd.grad(dx, u, allow_unused=True)  # noqa: E731
    expect_ending(call, RuntimeError, "the slope of a marked gradient in what came from upstream")
    _, t = arcs([]).apply(x, leaf(1.0), 3)
    (dx,) = tt.autograd.grad(t * u, x, create_graph=True)
    call = lambda: tt.autograd.grad(dx, u, allow_unused=True)  # noqa: E731
    expect_ending(call, RuntimeError, "that slope, when it came for the second result")


@pytest.mark.exercise("9.6", points=2)
def test_linear_operations_of_all_sizes():
    mixes = itertools.cycle(itertools.product((True, False), repeat=3))
    for (rows, n, m), dtype, _ in itertools.product(SIZES, DTYPES, range(3)):
        asks = next(mixes)
        arrays = [numbers(s, dtype, k) for k, s in enumerate(((rows, n), (m, n), (m,)))]
        given = [tt.tensor(a, requires_grad=ask) for a, ask in zip(arrays, asks, strict=True)]
        for bias in (given[2], None):
            what = (f"FunctionalLinear, x {(rows, n)}, weight {(m, n)}, {dtype.__name__}, "
                    f"asks: {asks}, bias: {bias is not None}")  # fmt: skip
            with calling(what):
                y = tt.custom.FunctionalLinear.apply(given[0], given[1], bias)
            want = arrays[0] @ arrays[1].T + (0 if bias is None else arrays[2])
            expect_array(y, want.astype(dtype), what, LOOSE)
            if not y.requires_grad:
                continue
            sent = upstream((rows, m), dtype)
            for t in given:
                t.grad = None
            with calling(f"backward() on {what}"):
                y.backward(sent)
            s = sent.numpy()
            for t, ask, slope in zip(given, asks, (s @ arrays[1], s.T @ arrays[0], s.sum(0)),
                                     strict=True):  # fmt: skip
                if ask and not (t is given[2] and bias is None):
                    expect_array(t.grad, slope.astype(dtype), f"{what}: a gradient", LOOSE)
                else:
                    expect(t.grad, None, f"{what}: a gradient that nobody wants")
    turned = leaf(numbers((2, 3)).T), leaf(numbers((2, 4), seed=4).T), leaf(numbers((4,)))
    for bias in (turned[2], None):
        given = (*turned[:2], bias)
        whole = "save x and weight themselves, no copies: copies have no history"
        with calling("gradcheck and gradgradcheck of FunctionalLinear",
                     slips={RuntimeError: whole}):  # fmt: skip
            tt.gradcheck(tt.custom.FunctionalLinear.apply, given)
            tt.gradgradcheck(tt.custom.FunctionalLinear.apply, given)
    layer = tt.custom.Linear(3, 2, np.random.default_rng(1))
    for shape in ((0, 3), (2, 0, 3), (3,), (1, 1, 3)):
        what = f"Linear(3, 2) of x of shape {shape}"
        array = numbers(shape, np.float32)
        empty = "an empty x leaves no length for -1: the last one is m, and weight knows it"
        with calling(what, slips=[(lambda e: "invalid" in str(e), empty)]):
            y = layer(tt.tensor(array))
        want = array @ layer.weight.detach().numpy().T + layer.bias.detach().numpy()
        expect_array(y, want, what, LOOSE)


@pytest.mark.exercise("9.7", points=3)
def test_solutions_of_all_sizes():
    for n, dtype, turned in itertools.product((1, 2, 3, 6), DTYPES, (False, True)):
        array = numbers((n, n), dtype) + 5 * np.eye(n, dtype=dtype)
        array, right = array.T if turned else array, numbers((n,), dtype, 4)
        A, b = leaf(array, dtype), leaf(right, dtype)
        if turned:
            A = leaf(array.T, dtype).T
            A.retain_grad()
        exact, what = np.linalg.inv(array.astype(float)), f"Solve, n = {n}, {dtype.__name__}"
        with calling(what):
            x = tt.custom.Solve.apply(A, b)
        expect_array(x, (exact @ right).astype(dtype), what, LOOSE)
        sent = upstream((n,), dtype)
        with calling(f"backward() on {what}"):
            x.backward(sent)
        h = exact.T @ sent.numpy()
        expect_array(b.grad, h.astype(dtype), f"{what}: b.grad", LOOSE)
        want = -np.outer(h, exact @ right)
        expect_array(A.grad, want.astype(dtype), f"{what}: A.grad", LOOSE)
    A, b = leaf(numbers((3, 3)) + 6 * np.eye(3)), leaf(numbers((3,)))
    solve = tt.custom.Solve.apply
    with calling("gradcheck of Solve, alone and in formulas"):
        tt.gradcheck(solve, (A, b))
        tt.gradcheck(lambda A, b: solve(A * A, solve(A, b)).exp(), (A, b))
        tt.gradcheck(lambda A: solve(A, A[0]), A)
    with calling("gradgradcheck of Solve, alone and with one constant"):
        tt.gradgradcheck(solve, (A, b))
        tt.gradgradcheck(lambda b: solve(A.detach(), b * b), b)
        tt.gradgradcheck(lambda A: solve(A, b.detach()), A)
    places = np.arange(10.0)
    steep, right = 1 / (places[:, None] + places + 1), np.ones(10)
    what = "A @ x, x = Solve.apply(A, b), A[i, j] = 1 / (i + j + 1), of shape (10, 10)"
    because = "np.linalg.solve, not the inverse, which loses nearly all digits here"
    with calling("Solve of that A"):
        x = solve(leaf(steep), leaf(right)).detach().numpy()
    expect(steep @ x, right, what, because=because, rtol=1e-6, atol=1e-6)
    call = lambda: solve(leaf(np.zeros((2, 2))), leaf([1.0, 2.0]))  # noqa: E731
    expect_ending(call, np.linalg.LinAlgError, "Solve of a matrix of zeros")
    with tt.no_grad(), calling("Solve under no_grad()"):
        x = solve(A, b)
    expect(x.requires_grad, False, "a solution under no_grad() requires grad: it")
