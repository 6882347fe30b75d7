"""Chapter 8: what each exercise promises, beside NumPy and beside slopes found by nudging."""

import itertools

import numpy as np
import pytest

import tinytorch as tt
from course.contracts import DTYPES, SHAPES, arrays, expect_array, expect_ending, numbers
from course.testing import calling, expect

ORDERS = {"float64": (1e-4, 1e-5), "float32": (1e-2, 1e-3)}  # of slopes of slopes, by nudging


def tape_with(**given):
    """(a silent tape, a Variable for each of these arrays)"""
    tape = tt.tape.Tape(trace=None)
    return (tape, *[tape.variable(tt.tensor(array.copy()), name) for name, array in given.items()])


def expect_variable(got, want, what, tolerances=None):
    expect(isinstance(got, tt.tape.Variable), True, f"{what} = {got!r} is a Variable")
    expect_array(got.value, want, what, *([tolerances] if tolerances else []))


@pytest.mark.exercise("8.1", points=1)
def test_products_of_all_arrays():
    for x, y in arrays(2):
        tape, a, b = tape_with(a=x, b=y)
        with np.errstate(all="ignore"):
            r, what = a * b, f"a * b, a and b of shape {x.shape} and {x.dtype}"
            expect_variable(r, x * y, what)
            dr = tape.variable(tt.tensor(numbers(x.shape, x.dtype)), "dr")
            got = tape.entries[0].propagate([dr])
            expect(len(got), 2, f"the way back of {what}: how many gradients")
            expect_variable(got[0], dr.value.numpy() * y, f"the way back of {what}: a's")
            expect_variable(got[1], dr.value.numpy() * x, f"the way back of {what}: b's")
            twice = tape.variable(dr.value * 2, "twice")
            again, _ = tape.entries[0].propagate([twice])
            want = 2 * dr.value.numpy() * y
            expect_variable(again, want, f"the way back of {what}, a second time: a's")
        expect_array(a.value, x, f"a after {what}")
        names = [entry.outputs for entry in tape.entries]
        made = [["v0"], ["v1"], ["v2"], ["v3"], ["v4"]]
        expect(names, made, f"what came out of the entries of {what}, and of its way back, twice")
        expect(r.tape is tape, True, f"the tape of {what} is theirs")


def sums_by_hand(start, inputs, gradients):
    """({name: number} after the way back, how many additions that takes)"""
    found, additions = dict(start), 0
    for name, gradient in zip(inputs, gradients, strict=True):
        if gradient is not None:
            additions += name in found
            found[name] = found.get(name, 0) + gradient
    return found, additions


@pytest.mark.exercise("8.2", points=2)
def test_all_meetings_of_known_zeros():
    starts = ({}, {"a": -7.0}, {"a": 0.0, "b": 200.0, "x": 300.0})
    ways = [(names, values) for count in (1, 2, 3)
            for names in (("a", "b", "a"), ("b", "a", "c"), ("r", "a", "a"))
            for values in itertools.product((None, 7.0), repeat=count)]  # fmt: skip
    heards = (None, 5.0, None), (7.0, 5.0)  # one output of three, and both of two
    for start, (names, values), heard in itertools.product(starts, ways, heards):
        if start:
            expect_taken_back(start, names, values, heard, ())
        else:  # computed zeros are no known zeros
            expect_taken_back(start, names, [v and 0.0 for v in values], heard, (2,))
    for shape, dtype in itertools.product(SHAPES, DTYPES):
        x, y = numbers(shape, dtype), numbers(shape, dtype, seed=4)
        for p, q in ((x, y), (x * 0, y), (x, y * 0)):
            tape, a, b = tape_with(a=p, b=q)
            what = f"add_optional({a!r}, {b!r}), both of shape {shape}"
            expect_variable(tt.tape.add_optional(a, b), p + q, what)
            expect(len(tape.entries), 1, f"how many entries {what} wrote")


def expect_taken_back(start, names, values, heard, shape):
    """propagate() has found what sums_by_hand() finds where the way back gives these values."""
    tape, calls, lines = tt.tape.Tape(trace=None), [], []
    variable = lambda n: None if n is None else tape.variable(tt.tensor(np.full(shape, n)))  # noqa: E731
    outputs, inputs = ["r", "t", "s"][: len(heard)], list(names[: len(values)])
    hears = {name: n for name, n in zip(outputs, heard, strict=True) if n is not None}
    found = {name: variable(n) for name, n in (start | hears).items()}
    came = [found.get(name) for name in outputs]
    given = [variable(n) for n in values]

    def way_back(gradients):
        calls.append(list(gradients))
        tape.write("the way back")
        return list(given)

    entry = tt.tape.Entry(list(inputs), list(outputs), way_back)
    what = f"propagate({entry!r}) that gives {list(values)}, found = {found!r},"
    before, tape.trace = list(found.items()), lines.append
    with calling(what):
        tape.propagate(entry, found)
    expect(calls == [came], True, f"{what} asked the way back once, for all outputs together")
    want, additions = sums_by_hand(start | hears, inputs, values)
    expect(sorted(found), sorted(want), f"{what} the names in found")
    for name, number in want.items():
        expect(found[name].value, np.full(shape, number), f"{what} found[{name!r}]")
    expect(len(tape.entries), additions, f"{what} how many additions")
    uses = [*before, *[(n, g) for n, g in zip(inputs, given, strict=True) if g is not None]]
    names = [name for name, _ in uses]
    copied = [name for name, g in uses if names.count(name) == 1 and found[name] is not g]
    expect(copied, [], f"{what} where found has a copy of the one Variable that came")
    expect(len(lines), additions + 1, f"{what} how many lines its trace shows, the way back's too,")


def curved(a, b):
    return (a * b).sin() - (a - b).exp() * a


EXPRESSIONS = {  # text: a function of two Variables, and of two arrays by the methods of Numbers
    "a * a * a": lambda a, b: a * a * a,
    "(a + b) * b": lambda a, b: (a + b) * b,
    "-a * b - a": lambda a, b: -a * b - a,
    "(a * b).sin() - (a - b).exp() * a": curved,
    "c * c, c = a * (a * b)": lambda a, b: (lambda c: c * c)(a * (a * b)),
    "(a.sin() * a.cos()).exp()": lambda a, b: (a.sin() * a.cos()).exp(),
}


class Numbers:
    """An array with the methods of a Variable: what the expressions are compared with."""

    def __init__(self, array):
        self.array = array

    def __add__(self, other):
        return Numbers(self.array + other.array)

    def __sub__(self, other):
        return Numbers(self.array - other.array)

    def __mul__(self, other):
        return Numbers(self.array * other.array)

    def __neg__(self):
        return Numbers(-self.array)

    def exp(self):
        return Numbers(np.exp(self.array))

    def sin(self):
        return Numbers(np.sin(self.array))

    def cos(self):
        return Numbers(np.cos(self.array))


def by_nudging(f, x, y, eps=2e-4):
    """The slopes of f in x and in y, and how each of these changes with x and with y."""
    at = lambda i, j: f(Numbers(x + i * eps), Numbers(y + j * eps)).array  # noqa: E731
    firsts = (at(1, 0) - at(-1, 0)) / (2 * eps), (at(0, 1) - at(0, -1)) / (2 * eps)
    mixed = (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * eps**2)
    middle = 2 * at(0, 0)
    twice = (at(1, 0) + at(-1, 0) - middle) / eps**2, (at(0, 1) + at(0, -1) - middle) / eps**2
    return firsts, ((twice[0], mixed), (mixed, twice[1]))


@pytest.mark.exercise("8.3", points=2)
def test_slopes_and_slopes_of_slopes():
    for (text, f), shape, dtype in itertools.product(EXPRESSIONS.items(), SHAPES, DTYPES):
        rng = np.random.default_rng(5)
        x, y = (np.asarray(rng.uniform(0.3, 1, shape), dtype) for _ in "ab")
        firsts, seconds = by_nudging(f, x.astype(float), y.astype(float))
        tape, a, b = tape_with(a=x, b=y)
        loss, what = f(a, b), f"loss = {text}, {shape}, {dtype.__name__}: "
        for time in ("", ", a second time"):
            got = tape.grad(loss, (a, b))
            for gradient, want, name in zip(got, firsts, "ab", strict=True):
                if gradient is not None or np.any(want):
                    says = f"{what}grad(loss, (a, b)), {name}'s{time}"
                    expect_variable(gradient, want.astype(dtype), says, ORDERS)
        for gradient, wanted, name in zip(got, seconds, "ab", strict=True):
            for twice, want, other in zip(
                tape.grad(gradient, [a, b]) if gradient else (), wanted, "ab", strict=False
            ):
                says = f"{what}the slope in {other} of the slope in {name}"
                if twice is None:
                    expect(np.abs(want).max(initial=0) < 1e-5, True, f"{says} is a known zero")
                else:
                    expect_variable(twice, want.astype(dtype), says, ORDERS)


@pytest.mark.exercise("8.3", points=1)
def test_a_long_tape_and_two_tapes():
    tape, a = tape_with(a=np.array(1.0))
    loss = a
    for _ in range(3000):
        loss = loss + a
    lines, what = [], "grad on a tape with 3,000 entries"
    tape.trace = lines.append
    with calling(what):
        expect_variable(tape.grad(loss, [a])[0], np.array(3001.0), "a's slope in 3,000 sums")
    expect(len(lines), 3000 + 3001 + 3, f"the sums, the gradients and more in the trace of {what}")
    other, b = tape_with(a=np.array(5.0))
    loss = b * b
    expect_variable(
        other.grad(loss, [b])[0], np.array(10.0), "on a second tape: b's slope in b * b"
    )
    (db,) = other.grad(loss, [b])
    length = len(other.entries)
    expect_variable(other.grad(db, [b])[0], np.array(2.0), "and the slope of that")
    expect(len(tape.entries) >= 3000, True, "the first tape still has its entries")
    expect(len(other.entries) > length, True, "the way back is on the tape of its loss")
    other.reset()
    b = other.variable(tt.tensor(np.array(3.0)), "a")
    (db,) = other.grad(b + b, [b])
    expect_variable(db, np.array(2.0), "after tape.reset(): b's slope in b + b")


@pytest.mark.exercise("8.4", points=2)
def test_sums_and_copies_of_all_shapes():
    for shape, dtype in itertools.product([*SHAPES, (4, 1, 3)], DTYPES):
        x = numbers(shape, dtype)
        tape, a, dr = tape_with(a=x, dr=np.array(2.5, dtype))
        what = f"a.sum(), a of shape {shape}, {dtype.__name__}"
        expect_variable(a.sum(), np.asarray(x.sum(), dtype), what)
        expect(len(tape.entries), 1, f"how many entries {what} wrote")
        says = f"a.expand({shape}), {dtype.__name__}"
        one = tape_with(a=np.array(2.5, dtype))[1]
        expect_variable(one.expand(shape), np.full(shape, 2.5, dtype), says)
        (got,) = tape.entries[0].propagate([dr])
        expect_variable(got, np.full(shape, 2.5, dtype), f"the way back of {what} from [2.5]")
        (again,) = tape.entries[-1].propagate([tape.variable(tt.tensor(x))])
        says = f"the way back of the way back of {what}"
        expect_variable(again, np.asarray(x.sum(), dtype), says)
        tape, a, dr = tape_with(a=np.array(2.5, dtype), dr=x)
        for kind in (tuple, list):
            before, what = len(tape.entries), f"a.expand({kind(shape)}), {dtype.__name__}"
            got = a.expand(kind(shape))
            expect_variable(got, np.full(shape, 2.5, dtype), what)
            slips = {0: "each expand writes one, whatever the shape, () too"}
            expect(len(tape.entries) - before, 1, f"how many entries {what} wrote", slips=slips)
            expect(str(tape.entries[-1]), f"{got.name} <- a", f"the last entry after {what}")
        (got,) = tape.entries[0].propagate([dr])
        expect_variable(got, np.asarray(x.sum(), dtype), f"the way back of {what}")
        if shape:
            call = lambda dr=dr: dr.expand((2, 3))  # noqa: E731
            expect_ending(call, ValueError, f"expand((2, 3)) of shape {shape}")
    tape, a = tape_with(a=np.array([1.0, 2.0]))
    s = a.sum(name="L")
    (da,) = tape.grad(s * s, [a])
    got = tape.grad((da * a).sum(), [a])[0]
    expect_variable(
        got, np.array([12.0, 12.0]), "the slope of (da * a).sum(), da that of a.sum() ** 2"
    )


LOSSES = {
    "r * a": lambda r, a, b: r * a,
    "r * r": lambda r, a, b: r * r,
    "r.sin() * a": lambda r, a, b: r.sin() * a,
    "r.sum() * r.sum()": lambda r, a, b: r.sum() * r.sum(),
}
CALLS = {
    "f(a, b)": lambda f, a, b: f(a, b),
    "f(a, a)": lambda f, a, b: f(a, a),
    "f(f(a, b), b)": lambda f, a, b: f(f(a, b), b),
    "f(b, f(b, a))": lambda f, a, b: f(b, f(b, a)),
}


@pytest.mark.exercise("8.5", points=2)
def test_the_aggregate_is_what_it_is_made_of():
    plain = lambda a, b: (a + b) * b  # noqa: E731
    kinds = [((), np.float64, 1), ((2, 3), np.float32, 1), ((2,), np.float64, 0)]
    cases = [
        (*functions, *kinds[0]) for functions in itertools.product(CALLS.items(), LOSSES.items())
    ]
    cases += [(("f(a, b)", CALLS["f(a, b)"]), ("r * r", LOSSES["r * r"]), *k) for k in kinds[1:]]
    for (text, call), (loss_text, loss), shape, dtype, size in cases:
        what = f"f = sum_times, r = {text}, loss = {loss_text}, shape {shape}, {dtype.__name__}"
        what += ": " if size else ", all of them 0: "
        found = []
        for f in (tt.aggregate.sum_times, plain):
            x, y = size * numbers(shape, dtype), size * numbers(shape, dtype, seed=4)
            tape, a, b = tape_with(a=np.asarray(x, dtype), b=np.asarray(y, dtype))
            with calling(what):
                orders = [[call(f, a, b)]]
                orders.append(tape.grad(loss(orders[0][0], a, b), [a, b]))
                for _ in range(2 if text == "f(a, b)" else 1):
                    slopes = [slope for slope in orders[-1] if slope is not None]
                    orders.append([d for s in slopes[-2:] for d in tape.grad(s, [a, b])])
            found.append(orders)
        for order, (got, want) in enumerate(zip(*found, strict=True)):
            says = f"{what}derivatives of order {order}"
            expect([g is None for g in got], [w is None for w in want], f"{says}: which are None")
            for place, (g, w) in enumerate(zip(got, want, strict=True)):
                if w is not None:
                    loose = {"float64": (1e-9, 1e-9), "float32": (1e-3, 1e-2)}
                    expect_variable(g, w.value.numpy(), f"{says}, number {place}", loose)


def bent(x):
    return (x * x).sum() ** 2 + (x**3).sum() * x.exp().sum()


def slopes_of(f, x, eps=1e-5):
    """d f / d x by nudging each element: the shape of the result, then that of x."""
    columns = []
    for index in np.ndindex(x.shape):
        up, down = np.array(x), np.array(x)
        up[index] += eps
        down[index] -= eps
        columns.append((f(up) - f(down)) / (2 * eps))
    shape = (*np.shape(columns[0]), *x.shape)
    return np.moveaxis(np.array(columns), 0, -1).reshape(shape)


def gradient_of(f):
    """The gradient of a function of tensors, for an array."""

    def gradient(array):
        x = tt.tensor(array, requires_grad=True)
        f(x).backward()
        return x.grad.numpy()

    return gradient


@pytest.mark.exercise("8.6", points=2)
def test_hessians_agree_with_nudging():
    for shape in ((), (1,), (3,), (2, 3), (0,)):
        x = np.asarray(numbers(shape) / 3)
        want = slopes_of(gradient_of(bent), x) if x.size else np.zeros((0, 0))
        for asks in (False, True):
            given = tt.tensor(x, requires_grad=asks)
            what = f"hessian of a function of shape {shape}, its input asks: {asks},"
            with calling(what):
                got = tt.autograd.functional.hessian(bent, given)
            expect_array(got, want, what, ORDERS)
            expect(given.requires_grad, asks, f"x.requires_grad after {what}")
            expect(given.grad, None, f"x.grad after {what}")
            expect(got.grad_fn, None, f"the grad_fn of {what}")
        single = tt.autograd.functional.hessian(bent, tt.tensor(x.astype(np.float32)))
        expect(single.dtype, tt.float32, f"the dtype of {what} float32,")
        with tt.no_grad():
            got = tt.autograd.functional.hessian(bent, tt.tensor(x))
        what = f"hessian of a function of shape {shape}, under no_grad(),"
        expect_array(got, want, what, ORDERS)
    expect_blocks()


def together(w, b, c):
    return (w * w * b.reshape(2, 1)).sum() * c + (w[0] * w[1]).sum() * b[0] * b[1] * c * c


def expect_blocks():
    """hessian() of three inputs has the pieces of the Hessian of all their numbers in one row."""
    shapes = ((2, 3), (2,), ())
    ends = [0, 6, 8, 9]
    pieces = [slice(*pair) for pair in itertools.pairwise(ends)]
    x = numbers((9,))
    flat = lambda x: together(x[:6].reshape(2, 3), x[6:8], x[8])  # noqa: E731
    whole = slopes_of(gradient_of(flat), x)
    given = [tt.tensor(x[p].reshape(shape)) for p, shape in zip(pieces, shapes, strict=True)]
    what = "hessian of a function of w, b and c, of shapes (2, 3), (2,) and (),"
    with calling(what):
        got = tt.autograd.functional.hessian(together, tuple(given))
    expect([len(row) for row in got], [3, 3, 3], f"{what} how many blocks each row has")
    for i, j in itertools.product(range(3), repeat=2):
        want = whole[pieces[i], pieces[j]].reshape(shapes[i] + shapes[j])
        expect_array(got[i][j], want, f"{what} block [{i}][{j}]", ORDERS)


MANY = {  # functions of one tensor, with results of other shapes
    "(x * x.sum()).exp()": lambda x: (x * x.sum()).exp(),
    "x.sum()": lambda x: x.sum(),
    "x.reshape(-1) ** 3": lambda x: x.reshape(-1) ** 3,
    "3 * x": lambda x: 3 * x,
}


@pytest.mark.exercise("8.7", points=2)
def test_pushes_agree_with_nudging():
    for (text, f), shape, asks in itertools.product(
        MANY.items(), ((), (1,), (3,), (2, 3), (0,)), (False, True)
    ):
        x, v = np.asarray(numbers(shape) / 3), numbers(shape, seed=4)
        at = lambda step, f=f, x=x, v=v: f(tt.tensor(x + step * v)).numpy()  # noqa: E731
        want = (at(1e-5) - at(-1e-5)) / 2e-5
        given, push = tt.tensor(x, requires_grad=asks), tt.tensor(v)
        what = f"jvp of {text}, shape {shape}, x asks: {asks},"
        with calling(what):
            results, moves = tt.autograd.functional.jvp(f, given, push)
        expect_array(results, at(0), f"{what} func(inputs)")
        expect_array(moves, want, f"{what} J v", ORDERS)
        expect(given.grad, None, f"x.grad after {what}")
        expect(given.requires_grad, asks, f"x.requires_grad after {what}")
        expect(moves.grad_fn, None, f"the grad_fn of {what} J v")
        expect_array(push, v, f"v after {what}")
        with calling(f"{what} under no_grad,"), tt.no_grad():
            _, moves = tt.autograd.functional.jvp(f, given, push)
        expect_array(moves, want, f"{what} J v, under no_grad(),", ORDERS)
    x = tt.tensor(np.array([0.5, 2.0], np.float32))
    results, moves = tt.autograd.functional.jvp(lambda x: (x * x,), (x,), (x,))
    expect(isinstance(moves, tuple), True, "J v of a function that gives a tuple of one is a tuple")
    expect_array(moves[0], np.array([0.5, 8], np.float32), "J v of (x * x,) at [0.5, 2], float32")
    _, moves = tt.autograd.functional.jvp(lambda x: x.to(tt.float64) ** 2, x, x)
    expect_array(moves, np.array([0.5, 8]), "J v of x.to(float64) ** 2 at [0.5, 2], float32")
    nan = tt.tensor([np.nan, np.inf], dtype=tt.float64)
    _, moves = tt.autograd.functional.jvp(
        lambda x: 3 * x, nan, tt.tensor([1.0, 2.0], dtype=tt.float64)
    )
    expect_array(moves, np.array([3.0, 6.0]), "J v of 3 * x at [NaN, infinity]")
