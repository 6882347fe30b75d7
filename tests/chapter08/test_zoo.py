"""Chapter 8: what each exercise promises, beside NumPy and beside slopes found by nudging."""

import gc
import itertools
import operator
import warnings
import weakref
from contextlib import suppress

import numpy as np
import pytest

import tinytorch as tt
from course.contracts import (
    DTYPES,
    EVERY_ERROR,
    SHAPES,
    VALUES,
    arrays,
    expect_array,
    expect_ending,
    numbers,
)
from course.testing import (
    Mismatch,
    blank_behind,
    calling,
    error_of,
    expect,
    expect_only_read,
    expect_raises,
    fail_if,
    short_repr,
)

ORDERS = {"float64": (1e-4, 1e-5), "float32": (1e-2, 1e-3)}  # of slopes of slopes, by nudging
SPECIAL = (0.0, 1.0, -1.0, 2.0, np.inf, np.nan)  # where an answer takes a short cut
LOOKED = "only None is a known zero"
FLOAT32 = "Tensor(), ones() and zeros() make float32 where nobody names a dtype"
ONE_RULE = "one rule for all numbers, and for every tape: compute with Variables"
OFTEN = 40  # times, for one way back
NAMES = ("p", "q"), ("q", "p"), ("v10", "v2"), ("B", "a")  # in no order of the alphabet
WHOLE = (2, -3, 0), (5, 2, -7)
FUNCS = "what func gives is its own, so only read it"
OUT = "an error comes out as it is: whoever made it has to see it"


def every_error():
    """All kinds but StopIteration, which map() and a generator take for their own end."""
    return [kind for kind in (*EVERY_ERROR, KeyboardInterrupt) if kind is not StopIteration]


def tape_with(**given):
    """(a silent tape, a Variable for each of these arrays)"""
    tape = tt.tape.Tape(trace=None)
    return (tape, *[tape.variable(tt.tensor(array.copy()), name) for name, array in given.items()])


def expect_variable(got, want, what, tolerances=None):
    wrong = not isinstance(got, tt.tape.Variable)
    looked = f": {LOOKED}" if got is None else ""
    fail_if(wrong, f"{what} = {short_repr(got)}, expected a Variable{looked}")
    expect_tensor(got.value, want, what, *([tolerances] if tolerances else []))


def expect_tensor(got, want, what, *tolerances):
    """As expect_array(), with a word on digits that got lost."""
    expect_array(got, want, what, *tolerances, slips=[(tt.float32, FLOAT32)])


def expect_signs(got, want, what):
    """A Variable's zeros have the signs that they have in an array."""
    numbers, want = got.value.numpy(), np.asarray(want)
    wrong = (numbers == 0) & (want == 0) & (np.signbit(numbers) != np.signbit(want))
    for place in np.argwhere(wrong)[:1]:
        came, wanted = (array[tuple(place)] for array in (numbers, want))
        where = f"{what}, element {place.tolist()}" if numbers.ndim else what
        fail_if(True, f"{where} = {came}, expected {wanted}: a zero has a sign, too")


def expect_whole(got, want, what):
    """A Variable of integers, as it was made of integers."""
    wrong = not isinstance(getattr(got, "value", None), tt.Tensor)
    fail_if(wrong, f"{what} = {short_repr(got)}, expected a Variable")
    because = "what's made of integers alone is made of integers"
    expect(got.value.dtype, np.asarray(want).dtype, f"the dtype of {what}", because=because)
    expect(got.value, want, what)


def expect_out(call, error, what):
    """A call ends with this very error, or, where that is a kind, with one of this kind."""
    kind = error if isinstance(error, type) else type(error)
    try:
        raised = expect_ending(call, kind, what)
    except Mismatch as other:
        if error is kind or blank_behind(other):
            raise
        raise Mismatch(f"{other}: {OUT}") from other.__cause__
    is_same = error is kind or raised is error
    fail_if(not is_same, f"{what} raised another {kind.__name__}: {OUT}")


def walk_of(tape, most):
    """Stop whoever takes back more entries of a tape than that: 8.3's loop may never end."""
    left, take_back = iter(range(most)), tape.propagate

    def propagate(entry, found):
        fail_if(next(left, None) is None, f"grad called self.propagate more than {most:,} times")
        return take_back(entry, found)

    tape.propagate = propagate


def slope_of_ten(loss):
    """What seed() could give as well: tens of the shape of the loss."""
    return loss.tape.variable(tt.tensor(np.full(tuple(loss.shape), 10.0)))


def expect_taken(tape, result, what):
    """The name of a result can't be given to another Variable."""
    error = error_of(lambda: tape.variable(1.0, result.name))
    says = f"{what}: its name, {result.name!r}, can be taken by another Variable"
    fail_if(error is None, f"{says}: a Variable is made by tape.result(), which notes its name")


def expect_local_rule(tape, entry, given, wanted, what):
    """What entry.propagate(given) gives: `wanted` has (numbers, names of what it is made from).

    Each is the result of an operation on the tape, and nothing else has changed.
    """
    before, handed = tape.entries.copy(), list(given)
    inputs, outputs = list(entry.inputs), list(entry.outputs)
    with calling(what):
        got = list(entry.propagate(handed))
    expect_only_read(handed, given, what)
    new = tape.entries[len(before) :]
    is_kept = len(before) + len(new) == len(tape.entries) and all(
        map(operator.is_, before, tape.entries)
    )
    is_kept = is_kept and (entry.inputs, entry.outputs) == (inputs, outputs)
    fail_if(not is_kept, f"{what} changed entries that were on the tape: it only writes new ones")
    expect(len(got), len(wanted), f"{what}: how many gradients")
    for gradient, (want, made_from), whose in zip(got, wanted, inputs, strict=True):
        says = f"{what}: {whose}'s"
        expect_variable(gradient, want, says)
        if made_from is not None:
            made = [sorted(e.inputs) for e in new if gradient.name in e.outputs]
            what_from = f"{says}, what it was made from on the tape"
            expect(made, [sorted(made_from)], what_from, because=ONE_RULE)
    return got


def expect_linear(tape, gradient, wanted, what):
    """The entry that made a gradient has a way back, too: from 3 these numbers for each name."""
    (made,) = [entry for entry in tape.entries if gradient.name in entry.outputs]
    three = tape.variable(tt.tensor(np.full(tuple(gradient.shape), 3.0, dtype_of(gradient))))
    got = dict(zip(made.inputs, made.propagate([three]), strict=True))
    for name, want in wanted.items():
        says = f"{what}: the slope of that in {name}, times 3"
        expect_variable(got[name], np.asarray(3 * want, dtype_of(gradient)), says)


def dtype_of(variable):
    return variable.value.numpy().dtype


def fills(count, shapes=((), (1,), (2, 3), (2, 1, 2))):
    """Tuples of `count` arrays: where all are 0, 1 or -1, and where one of them is special."""
    for given in itertools.product((0.0, 1.0, -1.0), repeat=count):
        yield tuple(map(np.array, given))
    for (shape, dtype), number, place in itertools.product(
        zip(shapes, itertools.cycle(DTYPES), strict=False), SPECIAL, range(count)
    ):
        yield tuple(
            np.full(shape, number, dtype) if place == i else abs(numbers(shape, dtype, seed=i + 3))
            for i in range(count)
        )


def long_tape(**given):
    """As tape_with(), with 1,000 entries that have nothing to do with these."""
    tape, *variables = tape_with(**given)
    other = tape.variable(1.0)
    for _ in range(1000):
        other = -other
    return (tape, *variables)


@pytest.mark.exercise("8.1", points=1)
def test_products_of_all_arrays():
    for x, y in arrays(2):
        tape, a, b = tape_with(a=x, b=y)
        with np.errstate(all="ignore"):
            r, what = a * b, f"a * b, a and b of shape {x.shape} and {x.dtype}"
            expect_variable(r, x * y, what)
            expect_signs(r, x * y, what)
            dr = tape.variable(tt.tensor(numbers(x.shape, x.dtype)), "dr")
            got = tape.entries[0].propagate([dr])
            expect(len(got), 2, f"the way back of {what}: how many gradients")
            says = f"how many entries the way back of {what} wrote"
            because = "a product for each factor, whatever the numbers are"
            expect(len(tape.entries) - 1, 2, says, because=because)
            expect_variable(got[0], dr.value.numpy() * y, f"the way back of {what}: a's")
            expect_variable(got[1], dr.value.numpy() * x, f"the way back of {what}: b's")
            twice = tape.variable(dr.value * 2, "twice")
            again, _ = tape.entries[0].propagate([twice])
            want = 2 * dr.value.numpy() * y
            expect_variable(again, want, f"the way back of {what}, a second time: a's")
        expect_tensor(a.value, x, f"a after {what}")
        names = [entry.outputs for entry in tape.entries]
        made = [["v0"], ["v1"], ["v2"], ["v3"], ["v4"]]
        expect(names, made, f"what came out of the entries of {what}, and of its way back, twice")
        expect(r.tape is tape, True, f"the tape of {what} is theirs")


@pytest.mark.exercise("8.1", points=1)
def test_one_rule_for_all_products():
    for x, y, sent in fills(3):
        tape, a, b, dr = tape_with(a=x, b=y, dr=sent)
        with np.errstate(all="ignore"):
            r = a * b
            what = f"the way back of a * b, a = {short_repr(a)} and b = {short_repr(b)}, "
            what += f"from {short_repr([dr])}"
            wanted = (sent * y, ("dr", "b")), (sent * x, ("dr", "a"))
            da, db = expect_local_rule(tape, tape.entries[0], [dr], wanted, what)
            expect_linear(tape, da, {"dr": y, "b": sent}, f"{what}: a's")
            expect_linear(tape, db, {"dr": x, "a": sent}, f"{what}: b's")
            tape, a, dr = tape_with(a=x, dr=sent)
            a * a
            what = f"the way back of a * a, a = {short_repr(a)}, from {short_repr([dr])}"
            expect_local_rule(tape, tape.entries[0], [dr], ((sent * x, ("dr", "a")),) * 2, what)
    expect_way_back_traced(lambda a: a * a, "a * a", 2)
    tape, a, b = long_tape(a=np.array([2.0, 3.0]), b=np.array([5.0, -1.0]))
    r, x, y = a * b, a.value.numpy(), b.value.numpy()
    entry, what = tape.entries[-1], "the way back of a * b on a tape with 1,000 entries"
    for sent, name in ((a, "a"), (b, "b"), (r, r.name)):  # as for a * a * b, and the like
        wanted = (sent.value.numpy() * y, (name, "b")), (sent.value.numpy() * x, (name, "a"))
        expect_local_rule(tape, entry, [sent], wanted, f"{what}, from [{name}]")
    for time in range(OFTEN):
        dr = tape.variable(tt.tensor(np.full(2, time % 7 - 3.0)))
        wanted = (dr.value.numpy() * y, (dr.name, "b")), (dr.value.numpy() * x, (dr.name, "a"))
        expect_local_rule(tape, entry, [dr], wanted, f"{what}, call number {time + 1}")
    tape = tt.tape.Tape(trace=None)
    a, b = tape.variable(2.0), tape.variable(3.0, "v1")
    r = a * b
    expect(r.name, "v2", "the name of v0 * v1, the first result on its tape")
    expect_taken(tape, r, "the product of v0 and v1")
    for name, other in NAMES:
        expect_in_their_order(operator.mul, f"{name} * {other}", name, other, (30, 20))
    x, y = map(np.array, WHOLE)
    tape, a, b = tape_with(a=x, b=y)
    expect_whole(a * b, x * y, "a * b, both of integers,")
    for got, want, whose in zip(tape.entries[0].propagate([b]), (y * y, y * x), "ab", strict=True):
        expect_whole(got, want, f"the way back of a * b, all of integers: {whose}'s")


def expect_in_their_order(f, text, name, other, wanted):
    """f of two Variables, 2 and 3, says their names in their order, and so does its entry."""
    lines = []
    tape = tt.tape.Tape(trace=lines.append)
    first, second = tape.variable(2.0, name), tape.variable(3.0, other)
    f(first, second)
    shown = " ".join(line.partition(" = ")[2] for line in lines[2:])
    where = [shown.find(name), shown.find(other)]
    says = f"the trace of {text} shows {shown}"
    fail_if(min(where) < 0, f"{says}, expected the names of both")
    turned = where[0] > where[1]
    fail_if(turned, f"{says}, expected {name} before {other}: what goes in first comes first")
    because = "what goes in first comes first, whatever it's called"
    expect(tape.entries[0].inputs, [name, other], f"the inputs of the entry of {text}",
           because=because)  # fmt: skip
    dr = tape.variable(10.0)
    got = tape.entries[0].propagate([dr] + [None] * (len(tape.entries[0].outputs) - 1))
    for gradient, want, whose in zip(got, wanted, (name, other), strict=True):
        expect(gradient.value, want, f"the way back of {text}, 2 and 3, from [10]: {whose}'s")


def sums_by_hand(start, inputs, gradients):
    """({name: number} after the way back, how many additions that takes)"""
    found, additions = dict(start), 0
    for name, gradient in zip(inputs, gradients, strict=True):
        if gradient is not None:
            additions += name in found
            found[name] = found.get(name, 0) + gradient
    return found, additions


def expect_way_back_traced(make, what, count, numbers=(2.0, 3.0)):
    """What a way back writes is seen in the trace, a line for each entry."""
    lines = []
    tape = tt.tape.Tape(trace=lines.append)
    result = make(tape.variable(tt.tensor(numbers), "a"))
    dr, before = tape.variable(tt.ones(*result.shape), "dr"), len(lines)
    tape.entries[-1].propagate([dr] + [None] * (len(tape.entries[-1].outputs) - 1))
    because = "on the way back each operation has its line, as anywhere else"
    says = f"how many lines the way back of {what} writes into the trace"
    expect(len(lines) - before, count, says, because=because)


@pytest.mark.exercise("8.2", points=1)
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
            expect([a.name, b.name], ["a", "b"], f"the names of both after {what}")
            expect_tensor(a.value, p, f"a after {what}")


@pytest.mark.exercise("8.2", points=1)
def test_entries_of_all_shapes_and_those_that_fail():
    for came, shape in itertools.product(SHAPES, repeat=2):
        tape, dr, p, q, u = tape_with(
            dr=numbers(came), p=numbers(shape), q=numbers(shape, seed=4), u=numbers(came)
        )
        found = {"r": dr}
        entry = tt.tape.Entry(["a", "b", "a"], ["r"], lambda _, given=(p, u, q): list(given))
        what = f"propagate({entry!r}), r of shape {came} and a of shape {shape}: found"
        with calling(what):
            tape.propagate(entry, found)
        expect_variable(found["a"], numbers(shape) + numbers(shape, seed=4), f"{what}['a']")
        expect(found["b"] is u, True, f"{what}['b'] is the Variable that the way back gave")
    tape, p, dr = long_tape(p=np.array(7.0), dr=np.array(5.0))
    outputs, inputs = list("rstuvw"), list("abcdefg")
    entry = tt.tape.Entry(inputs, outputs, lambda given: [p, *given])
    for time in range(OFTEN):
        found = {"u": dr, "r": p}
        what = f"propagate({entry!r}) on a tape with 1,000 entries, call number {time + 1}"
        with calling(what):
            tape.propagate(entry, found)
        want = {"u": dr, "r": p, "a": p, "b": p, "e": dr}
        expect(sorted(found), sorted(want), f"{what}: the names in found")
        wrong = [name for name in want if found[name] is not want[name]]
        expect(wrong, [], f"{what}: where found has another Variable")
    for kind in every_error():
        expect_error_passes(kind("no room"))
    tape, a, b = tape_with(a=np.array([1.0, 2.0]), b=np.array(3.0))
    for x, y in ((a, b), (b, a)):
        expect_shapes_refused(tape, x, y)


def expect_shapes_refused(tape, x, y):
    """Two gradients of different shapes have no sum, whichever of them is a single number."""
    shapes = f"x of shape {tuple(x.shape)} and y of shape {tuple(y.shape)}"
    slips = [(None, "+ refuses them, and so does add_optional")]
    for text, call in {
        "add_optional(x, y)": lambda: tt.tape.add_optional(x, y),
        "propagate(r <- a), where found['a'] is x and the way back gives y,": lambda: (
            tape.propagate(tt.tape.Entry(["a"], ["r"], lambda _: [y]), {"r": y, "a": x})
        ),
    }.items():
        expect_raises(ValueError, call, f"{text}, {shapes},", slips=slips)


def expect_error_passes(error):
    """What an entry's propagate raises comes out of the tape's, and nothing else has changed."""
    tape, a, b, dr = tape_with(a=np.array(2.0), b=np.array(3.0), dr=np.array(10.0))
    a + b
    found, seen = {"r": dr, "a": a}, []

    def way_back(_):
        seen.append(dict(found))
        raise error

    entry = tt.tape.Entry(["a", "b"], ["r", "t"], way_back)
    tape.trace = trace = lambda line: None
    kept, known, names = tape.entries.copy(), dict(found), set(tape.names)
    what = f"propagate({entry!r}), where entry.propagate raises {type(error).__name__},"
    expect_out(lambda: tape.propagate(entry, found), error, what)
    slips = [(lambda _: True, "found changes once the way back has given its gradients")]
    expect(sorted(seen[0]), ["a", "r"], f"{what} the names in found meanwhile", slips=slips)
    is_same = found == known and tape.entries == kept and tape.names == names
    fail_if(not is_same, f"{what} changed found or the tape: it only passes the error on")
    fail_if(tape.trace is not trace, f"{what} left another trace on the tape")


def expect_taken_back(start, names, values, heard, shape):
    """propagate() has found what sums_by_hand() finds where the way back gives these values."""
    tape, calls, lines = tt.tape.Tape(trace=None), [], []
    variable = lambda n: None if n is None else tape.variable(tt.tensor(np.full(shape, n)))  # noqa: E731
    outputs, inputs = ["r", "t", "s"][: len(heard)], list(names[: len(values)])
    hears = {name: n for name, n in zip(outputs, heard, strict=True) if n is not None}
    found = {name: variable(n) for name, n in (start | hears).items()}
    came = [found.get(name) for name in outputs]
    given = [variable(n) for n in values]
    own = list(given)  # an entry may give the same list each time

    def way_back(gradients):
        calls.append(list(gradients))
        tape.write("the way back")
        return own

    entry = tt.tape.Entry(list(inputs), list(outputs), way_back)
    what = f"propagate({entry!r}) that gives {list(values)}, found = {found!r},"
    before, tape.trace = list(found.items()), lines.append
    with calling(what):
        tape.propagate(entry, found)
    expect(calls == [came], True, f"{what} asked the way back once, for all outputs together")
    is_same = len(own) == len(given) and all(map(operator.is_, own, given))
    says = f"{what} left {own!r} in the list that entry.propagate gave"
    fail_if(
        not is_same, f"{says}: it belongs to the entry, which may give it again, so only read it"
    )
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


@pytest.mark.exercise("8.3", points=1)
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
    slips = {RecursionError: "no call inside a call: take the entries back in a loop"}
    with calling(what, slips=slips):
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
    what = "after tape.reset(): b's slope in b + b"
    is_old = isinstance(db, tt.tape.Variable) and float(db.value) == 10
    old = "that's b's slope in b * b, which had the same name before: keep nothing of a pass"
    fail_if(is_old, f"{what} = 10, expected 2: {old}")
    expect_variable(db, np.array(2.0), what)
    expect_work_to_grow_with_the_tape()


def expect_nothing_kept():
    """After a pass the tape has no more attributes, and after reset() nobody has its gradients."""
    tape, a = tape_with(a=np.array(2.0))
    before, loss, held = set(vars(tape)), a * a * a, tape.entries
    (got,) = tape.grad(loss, [a])
    other = "grad put another list in the place of tape.entries, which others may hold"
    fail_if(tape.entries is not held, f"{other}: leave the list there, and walk over a copy")
    new = ", ".join(sorted(set(vars(tape)) - before))
    lasting = "gradients belong to who asked for them"
    fail_if(new, f"grad put something on the tape that stays there, {new}: {lasting}")
    gone = weakref.ref(got)
    del got, loss
    tape.reset()
    if gone() is not None:
        gc.collect()
    says = "grad still holds a gradient that it gave, after tape.reset() and when nobody else does"
    fail_if(gone() is not None, f"{says}: {lasting}")


class Counted(list):
    """A list that counts how many things in it are read, and so does what's cut out of it."""

    def __init__(self, things, read):
        super().__init__(things)
        self.read = read

    def _part(self, things):
        self.read[0] += len(things)
        return Counted(things, self.read)

    def __getitem__(self, place):
        got = super().__getitem__(place)
        if isinstance(place, slice):
            return self._part(got)
        self.read[0] += 1
        return got

    def __iter__(self):
        for thing in super().__iter__():
            self.read[0] += 1
            yield thing

    def __reversed__(self):
        for place in range(len(self) - 1, -1, -1):
            yield self[place]

    def copy(self):
        return self._part(self)

    def __add__(self, other):
        return self._part(super().__add__(other))

    def reverse(self):
        self.read[0] += len(self)
        super().reverse()

    def pop(self, place=-1):
        self.read[0] += len(self) - place % len(self)
        return super().pop(place)


def reads_of_a_pass(count):
    """How often a pass over so many entries reads one, or compares it with another."""
    tape, a = tape_with(a=np.array(1.0))
    loss, read = a, [0]
    for _ in range(count):
        loss = -loss

    class Compared(tt.tape.Entry):
        def __eq__(self, other):
            read[0] += 1
            return self is other

        __hash__ = object.__hash__

    for entry in tape.entries:
        entry.__class__ = Compared
    tape.entries = Counted(tape.entries, read)
    read[0] = 0
    walk_of(tape, count)
    with calling(f"grad on a tape with {count} entries"):
        tape.grad(loss, [a])
    return read[0]


def expect_work_to_grow_with_the_tape():
    """Twice as many entries are twice as much to read."""
    few, many = reads_of_a_pass(50), reads_of_a_pass(100)
    says = f"grad on a tape with 100 entries reads one {many:,} times, with 50 it's {few:,} times"
    mend = "cut, copy or search the tape once for a pass, and not for each entry"
    fail_if(many > 2.5 * few, f"{says}, expected about twice as many: {mend}")


@pytest.mark.exercise("8.3", points=1)
def test_every_loss_and_every_ending():
    for shape in (*SHAPES, (2,)):
        expect_pass(shape)
        tape, a, b = tape_with(a=numbers(shape), b=numbers(shape))
        tape.seed = slope_of_ten
        what = f"grad(a + b, [a]), a of shape {shape}, where self.seed gives 10 for 1: a's"
        slips = [(np.ones(shape), "found begins with self.seed(loss)")]
        (got,) = tape.grad(a + b, [a])
        expect(getattr(got, "value", got), np.full(shape, 10.0), what, slips=slips)
        for other in (tape_with(a=numbers(shape)), long_tape(x=numbers(shape))):
            expect_refused(tape_with(a=numbers(shape), b=numbers(shape)), other[1], shape)
    tape, a, b = long_tape(a=np.array(2.0), b=np.array(3.0))
    loss = a * b
    for time in range(OFTEN // 2):
        (got,) = tape.grad(loss, [a])
        expect_variable(got, np.array(3.0), f"grad(a * b, [a]), call number {time + 1}: a's")
    for kind in every_error():
        tape, a, b = tape_with(a=np.array(2.0), b=np.array(3.0))
        error = kind("no room")

        def way_back(_, error=error):
            raise error

        expect_kept(tape, a, b, way_back, error)
    for count in range(8):
        expect_trace_error(count)
    tape, a, b, wide = tape_with(a=np.array(2.0), b=np.array(3.0), wide=np.ones(2))
    expect_kept(tape, a, b, lambda _: [wide], ValueError)
    expect_nothing_kept()


def expect_trace_error(count):
    """What the trace raises comes out of grad() as it is."""
    tape, a = tape_with(a=np.array(2.0))
    loss, lines, error = -(a + a), [], OSError("no room")

    def trace(line):
        lines.append(line)
        if len(lines) > count:
            raise error

    tape.trace = trace
    what = f"grad(-(a + a), [a]), where the trace raises OSError at line {count + 1},"
    expect_out(lambda: tape.grad(loss, [a]), error, what)
    expect_written(tape, 2, min(max(count - 2, 0), 2), what)


def expect_written(tape, before, count, what):
    """A pass that an error ended has left so many new entries on the tape."""
    says = f"how many entries {what} had written, and left on the tape"
    slips = [(lambda n: n < count, "what a pass wrote stays there, even if it ends with an error")]
    expect(len(tape.entries) - before, count, says, slips=slips)


def expect_pass(shape):
    """One pass for -(a + a), whatever its shape and whoever is asked for."""
    ones, begin, end = tt.tensor(np.ones(shape)), "dv1 " + "-" * 24, "-" * 24
    want = [begin, f"v2 = {ones!r}", "v3 = -v2", "v4 = v3 + v3", "dv1_dv1 = v2", "dv1_dv0 = v3",
            "dv1_da = v4", end]  # fmt: skip
    for asked in ("a", "b", "ab", "ba", ""):
        lines, (tape, a, b) = [], tape_with(a=numbers(shape), b=numbers(shape))
        loss, known = -(a + a), {"a": a, "b": b}
        tape.trace = lines.append
        what = f"grad(-(a + a), [{', '.join(asked)}]), a of shape {shape},"
        with calling(what):
            got = tape.grad(loss, [known[name] for name in asked])
        because = "the two that were there, and two of the way back"
        says = f"{what} how many entries are on the tape afterwards"
        expect(len(tape.entries), 4, says, because=because)
        expect_lines(lines, want, f"the trace of {what}")
        for name, gradient in zip(asked, got, strict=True):
            if name == "b":
                expect(gradient, None, f"{what} b's")
            else:
                expect_variable(gradient, np.full(shape, -2.0), f"{what} a's")
        del lines[:]
        tape.grad(b, [a])
        want_b = ["db " + "-" * 24, f"v5 = {ones!r}", "db_db = v5", end]
        expect_lines(lines, want_b, f"the trace of grad(b, [a]), b of shape {shape},")
        expect(len(tape.entries), 4, "how many entries are on the tape after grad(b, [a])")


def expect_lines(got, want, what):
    """A trace has all these lines, and no others."""
    missing = [line for line in want if line not in got]
    slips = [
        (lambda _: want[0] in missing, "self.seed(loss) shows the first of them"),
        (lambda _: want[-2] in missing, "self.write_gradients shows what was found"),
    ]
    expect(missing, [], f"what is missing in {what}", slips=slips)
    expect(got, want, what)


def expect_refused(mine, loss, shape):
    """A loss of another tape is refused, and nothing is written."""
    tape, a, b = mine
    a + b
    lines, kept = [], tape.entries.copy()
    tape.trace = lines.append
    what = f"grad(loss, [a]) with a loss on another tape, of shape {shape}"
    slips = [(lambda _: True, "self.seed(loss) refuses it")]
    expect_raises(ValueError, lambda: tape.grad(loss, [a]), what, slips=slips, says=["tape"])
    expect(lines, [], f"the trace of {what}, which is refused,")
    expect(tape.entries == kept, True, f"the tape has its entries, and no others, after {what}")


def expect_kept(tape, a, b, way_back, error):
    """A pass that ends with an error leaves the tape as good as it was."""
    first = a * b
    r = tape.result(first.value, "made by hand")
    tape.record([a], [r], way_back)
    loss = r * b + a
    tape.trace = trace = lambda line: None
    kept, held, shown = tape.entries.copy(), tape.entries, []
    tape.write_gradients = lambda *given: shown.append(given)
    kind = error if isinstance(error, type) else type(error)
    what = f"grad(loss, [a]), where the way back of one entry ends with {kind.__name__},"
    expect_out(lambda: tape.grad(loss, [a]), error, what)
    fail_if(shown, f"{what} called self.write_gradients: it's called in the end, after no error")
    del tape.write_gradients
    fail_if(tape.entries[: len(kept)] != kept, f"{what} took entries off the tape: they stay there")
    expect_written(tape, len(kept), 2, what)
    other = f"{what} put another list in the place of tape.entries, which others may hold"
    fail_if(tape.entries is not held, other)
    fail_if(tape.trace is not trace, f"{what} left another trace on the tape")
    with calling(f"grad(a * b, [b]) after {what}"):
        (got,) = tape.grad(first, [b])
    expect_variable(got, np.array(2.0), f"grad(a * b, [b]) after {what} b's")


@pytest.mark.exercise("8.4", points=1)
def test_sums_and_copies_of_all_shapes():
    for shape, dtype in itertools.product([*SHAPES, (4, 1, 3)], DTYPES):
        x = numbers(shape, dtype)
        tape, a, dr = tape_with(a=x, dr=np.array(2.5, dtype))
        what = f"a.sum(), a of shape {shape}, {dtype.__name__}"
        slips = [(lambda _, x=x: not x.size, "the sum of no numbers is 0: self.value.sum() knows")]
        with calling(what, slips=slips):
            r = a.sum()
        expect_variable(r, np.asarray(x.sum(), dtype), what)
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
            given = kind(shape)
            got = a.expand(given)
            expect_variable(got, np.full(shape, 2.5, dtype), what)
            slips = {0: "each expand writes one, whatever the shape, () too"}
            expect(len(tape.entries) - before, 1, f"how many entries {what} wrote", slips=slips)
            expect(str(tape.entries[-1]), f"{got.name} <- a", f"the last entry after {what}")
            if kind is list:
                given[:] = [7, 7]  # whoever handed it in may
                what += f", whose list is {given} by now,"
            slips = [(lambda _: True, "what the caller does to the list later is no concern of it")]
            with calling(f"the way back of {what}", slips=slips):
                (got,) = tape.entries[before].propagate([dr])
            expect_variable(got, np.asarray(x.sum(), dtype), f"the way back of {what}")
        if shape:
            call = lambda dr=dr: dr.expand((2, 3))  # noqa: E731
            expect_ending(call, ValueError, f"expand((2, 3)) of shape {shape}")
    tape, a = tape_with(a=np.array([1.0, 2.0]))
    walk_of(tape, 1000)
    s = a.sum(name="L")
    (da,) = tape.grad(s * s, [a])
    got = tape.grad((da * a).sum(), [a])[0]
    expect_variable(
        got, np.array([12.0, 12.0]), "the slope of (da * a).sum(), da that of a.sum() ** 2"
    )


def expect_special_sums():
    """Sums of two numbers, infinities and all, and of integers, and copies of them."""
    for dtype in DTYPES:
        large = np.finfo(dtype).max
        for pair in itertools.product((*SPECIAL, -np.inf, large, -large), repeat=2):
            tape, a = tape_with(a=np.array(pair, dtype))
            what = f"a.sum(), a = {short_repr(a)},"
            slips = [(Exception, "no numbers are refused: self.value.sum() takes them all")]
            with np.errstate(all="ignore"):
                with calling(what, slips=slips):
                    r = a.sum()
                expect_variable(r, np.asarray(a.value.numpy().sum(), dtype), what)
        for number in VALUES:
            one = tape_with(a=np.array(number, dtype))[1]
            want, what = np.full(3, number, dtype), f"a.expand((3,)), a = {short_repr(one)},"
            got = one.expand((3,))
            expect_variable(got, want, what)
            expect_signs(got, want, what)
    whole = np.array(WHOLE[0])
    tape, a = tape_with(a=whole)
    expect_whole(a.sum(), whole.sum(), "a.sum(), a of integers,")
    expect_whole(tape.variable(tt.tensor(7)).expand((2,)), np.array([7, 7]), "7 .expand((2,))")
    tape, a = tape_with(a=whole)
    with suppress(ValueError):
        a.expand((2, 3))
    what = "the name of the first result on a tape, after an expand that was refused,"
    expect(tape.fresh_name(), "v0", what, because="whoever is refused takes no name")


@pytest.mark.exercise("8.4", points=1)
def test_one_rule_for_all_sums_and_copies():
    expect_special_sums()
    sizes = ((), (1,), (2, 3), (2, 1, 2))
    for shape, number, dtype in itertools.product(sizes, SPECIAL, DTYPES):
        x = np.full(shape, number, dtype)
        for text, given, sent, want in (
            ("a.sum()", numbers(shape, dtype), np.array(number, dtype), x),
            ("a.sum()", x, np.array(2.5, dtype), np.full(shape, 2.5, dtype)),
            (f"a.expand({shape})", np.array(2.5, dtype), x, x.sum()),
            (f"a.expand({shape})", np.array(number, dtype), np.ones(shape, dtype), x.size),
        ):
            tape, a, dr = tape_with(a=given, dr=sent)
            with np.errstate(all="ignore"):
                r = a.sum() if "sum" in text else a.expand(shape)
                what = f"the way back of {text}, a = {short_repr(a)}, from {short_repr([dr])}"
                wanted = [(np.asarray(want, dtype), ["dr"] if shape else None)]
                (got,) = expect_local_rule(tape, tape.entries[0], [dr], wanted, what)
                if shape:  # a number alone may be handed on
                    slope = np.asarray(x.size) if "sum" in text else np.ones(shape)
                    expect_linear(tape, got, {"dr": slope}, what)
            expect_taken(tape, r, text)
    tape, a, one = long_tape(a=np.ones(3), one=np.array(1.0))
    ways = (a.sum(), lambda n: np.array(n), lambda n: np.full(3, n))
    ways = (ways, (one.expand((3,)), lambda n: np.full(3, n), lambda n: np.array(3 * n)))
    for (made, sent, want), text in zip(ways, ("a.sum()", "a.expand((3,))"), strict=True):
        entry = next(e for e in tape.entries if made.name in e.outputs)
        for time in range(OFTEN):
            dr = tape.variable(tt.tensor(sent(time % 7 - 3.0)))
            what = f"the way back of {text} on a tape with 1,000 entries, call number {time + 1}"
            expect_local_rule(tape, entry, [dr], [(want(time % 7 - 3.0), [dr.name])], what)
    expect_way_back_traced(lambda a: a.sum(), "a.sum()", 1)
    expect_way_back_traced(lambda a: a.expand((3,)), "a.expand((3,))", 1, numbers=2.0)
    length = len(tape.entries)
    a.sum(name="L")
    for name in ("L", "a"):
        what = f"a.sum(name={name!r}), a name that is taken,"
        slips = [(None, "hand the name to self.tape.result, which looks after it")]
        call = lambda name=name: a.sum(name=name)  # noqa: E731
        expect_raises(ValueError, call, what, slips=slips, says=[name])
    expect(
        len(tape.entries), length + 1, "how many entries of three sums, of which two are refused"
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


@pytest.mark.exercise("8.5", points=1)
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
            for place, (g, w) in enumerate(zip(got, want, strict=True)):
                is_other = (g is None) != (w is None)
                looked = "" if size else f": {LOOKED}, and this one was computed"
                text = f"{says}, number {place} = {short_repr(g)}, expected {short_repr(w)}{looked}"
                fail_if(is_other, text)
            for place, (g, w) in enumerate(zip(got, want, strict=True)):
                if w is not None:
                    loose = {"float64": (1e-9, 1e-9), "float32": (1e-3, 1e-2)}
                    expect_variable(g, w.value.numpy(), f"{says}, number {place}", loose)


@pytest.mark.exercise("8.5", points=1)
def test_one_rule_for_all_gradients_of_the_aggregate():
    tried = set()
    for x, y, to_r, to_t in fills(4, shapes=((), (2,))):
        for given in ((x, y, to_r, to_t), (x, y, to_r, None), (x, y, None, to_t)):
            key = tuple(n is not None and (n.dtype, n.shape, n.tobytes()) for n in given)
            if key not in tried:
                tried.add(key)
                expect_aggregate(*given)
    tape, a, b = long_tape(a=np.array(2.0), b=np.array(3.0))
    r = tt.aggregate.sum_times(a, b)
    entry, what = tape.entries[-1], "the way back of sum_times(a, b) on a tape with 1,000 entries"
    costs = []
    for time in range(OFTEN):
        n, m = time % 7 - 3.0, time % 5 - 2.0
        given = [tape.variable(tt.tensor(np.array(number))) for number in (n, m)]
        wanted = (np.array(m + 3 * n), None), (np.array(m + 8 * n), None)
        length = len(tape.entries)
        got = expect_local_rule(tape, entry, given, wanted, f"{what}, call number {time + 1}")
        costs.append(len(tape.entries) - length)
        expect_first_pass_cost(tape, entry, given[0], f"{what}, call number {time + 1}")
        one, says = given[0], f"{what}, call number {time + 1}, the same Variable for r and t"
        wanted = (np.array(n + 3 * n), None), (np.array(n + 8 * n), None)
        expect_local_rule(tape, entry, [one, one], wanted, says)
        if time < 3:
            expect_slopes_of_slopes(tape, got, (a, b, *given), (2, 3, n, m), what)
    expect_way_back_traced(lambda a: tt.aggregate.sum_times(a, a), "sum_times(a, a)", 3)
    says = f"{what}, from gradients for r and t: how many entries each of {OFTEN} calls wrote"
    expect(sorted(set(costs)), costs[:1], says, because="every call costs the same")
    for name, other in NAMES:
        text, wanted = f"sum_times({name}, {other})", (30, 80)
        expect_in_their_order(tt.aggregate.sum_times, text, name, other, wanted)
    x, y = map(np.array, WHOLE)
    _, a, b = tape_with(a=x, b=y)
    what = "sum_times(a, b), both of integers,"
    expect_whole(tt.aggregate.sum_times(a, b), (x + y) * y, what)
    for x, y in arrays(2):
        _, a, b = tape_with(a=x, b=y)
        with np.errstate(all="ignore"):
            what = f"sum_times(a, b), a = {short_repr(a)} and b = {short_repr(b)}"
            r = tt.aggregate.sum_times(a, b)
            expect_variable(r, (x + y) * y, what)
            expect_signs(r, (x + y) * y, what)
    tape = tt.tape.Tape(trace=None)
    a, b = tape.variable(2.0), tape.variable(3.0, "v1")
    with calling("sum_times(v0, v1)"):
        r = tt.aggregate.sum_times(a, b)
    expect(r.name, "v3", "the name of sum_times(v0, v1), after that of t")
    for name in tape.entries[0].outputs:
        expect_taken(tape, tt.tape.Variable(r.value, name, tape), "an output of sum_times(v0, v1)")


def expect_first_pass_cost(tape, entry, dr, what):
    """Where nothing comes for t, the way back writes two products and one sum, and no more."""
    length = len(tape.entries)
    with calling(f"{what}, with None for t,"):
        entry.propagate([dr, None])
    says = f"{what}, with None for t: how many entries it wrote"
    expect(len(tape.entries) - length, 3, says, because="two products and one sum")


def expect_aggregate(x, y, to_r, to_t):
    """One way back of sum_times, and the slopes of what it gives; one of what came may be None."""
    given = {name: n for name, n in (("dr", to_r), ("dt", to_t)) if n is not None}
    tape, a, b, *sent = tape_with(a=x, b=y, **given)
    sent = dict(zip(given, sent, strict=True))
    handed = [sent.get("dr"), sent.get("dt")]
    with np.errstate(all="ignore"):
        tt.aggregate.sum_times(a, b)
        what = f"the way back of sum_times(a, b), a = {short_repr(a)} and b = {short_repr(b)}, "
        what += f"from {short_repr(handed)}"
        direct = 0 if to_t is None else to_t
        through = (0, 0) if to_r is None else (to_r * y, to_r * (y + (x + y)))
        wanted = [(np.asarray(direct + part, x.dtype), None) for part in through]
        got = expect_local_rule(tape, tape.entries[0], handed, wanted, what)
        written = tape.entries[1:]
        cost = 0 if to_r is None else 3 if to_t is None else 4
        anew = "t has been computed already: don't add a and b again"
        slips = [(lambda _: any(sorted(e.inputs) == ["a", "b"] for e in written), anew)]
        because = "two products where something comes for r, and a sum wherever two meet"
        says = f"{what}: how many entries it wrote"
        expect(len(written), cost, says, slips=slips, because=because)
        expect_slopes_of_slopes(tape, got, (a, b, *handed), (x, y, to_r, to_t), what)


def expect_slopes_of_slopes(tape, got, variables, values, what):
    """How the two gradients that sum_times gives move with a, b, and what had come for r and t."""
    x, y, to_r, to_t = values
    one = None if to_t is None else 1
    slopes = ((None, None, None, one),) * 2
    if to_r is not None:
        slopes = (None, to_r, y, one), (to_r, 2 * to_r, x + 2 * y, one)
    for gradient, wanted, whose in zip(got, slopes, "ab", strict=True):
        found = iter(tape.grad(gradient, [v for v in variables if v is not None]))
        for variable, want in zip(variables, wanted, strict=True):
            if variable is not None:
                slope = next(found)
                says = f"{what}: the slope of {whose}'s in {variable.name}"
                if want is None or slope is None:
                    is_right = slope is None and want is None
                    lost = "what it was made from is on the tape, if it's made of Variables"
                    fail_if(
                        not is_right, f"{says} = {short_repr(slope)}, expected {want!r}: {lost}"
                    )
                else:
                    dtype = dtype_of(variable)
                    want = np.broadcast_to(np.asarray(want, dtype), variable.shape)
                    expect_variable(slope, want, says)


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


@pytest.mark.exercise("8.6", points=1)
def test_hessians_agree_with_nudging():
    for shape in ((), (1,), (3,), (2, 3), (0,)):
        x = np.asarray(numbers(shape) / 3)
        want = slopes_of(gradient_of(bent), x) if x.size else np.zeros((0, 0))
        for asks in (False, True):
            given = tt.tensor(x, requires_grad=asks)
            what = f"hessian of a function of shape {shape}, its input asks: {asks},"
            with calling(what):
                got = tt.autograd.functional.hessian(bent, given)
            expect_tensor(got, want, what, ORDERS)
            expect(given.requires_grad, asks, f"x.requires_grad after {what}")
            expect(given.grad, None, f"x.grad after {what}")
            expect(got.grad_fn, None, f"the grad_fn of {what}")
        single = tt.autograd.functional.hessian(bent, tt.tensor(x.astype(np.float32)))
        expect(single.dtype, tt.float32, f"the dtype of {what} float32,")
        with tt.no_grad():
            got = tt.autograd.functional.hessian(bent, tt.tensor(x))
        what = f"hessian of a function of shape {shape}, under no_grad(),"
        expect_tensor(got, want, what, ORDERS)
    expect_history_under_no_grad()
    expect_blocks()


def expect_history_under_no_grad():
    """With create_graph a Hessian has a history wherever it's asked for."""
    x = tt.tensor([1.0, 2.0], dtype=tt.float64, requires_grad=True)
    what = "hessian of (x ** 3).sum() under no_grad(), create_graph=True,"
    with calling(what), tt.no_grad():
        got = tt.autograd.functional.hessian(lambda x: (x**3).sum(), x, create_graph=True)
    expect(got, [[6, 0], [0, 12]], what)
    expect(got.requires_grad, True, f"the requires_grad of {what}")
    with calling(f"the slope of the sum of {what}"):
        (third,) = tt.autograd.grad(got.sum(), x)
    expect(third, [6, 6], f"the slope of the sum of {what}")


def expect_one_run(x, want, what, *options, **more):
    """With these options hessian() finds what it should. func runs once, and keeps what it gave."""
    given = []

    def func(x):
        given.append(bent(x) * one)
        return given[-1]

    one = tt.tensor(1.0, dtype=tt.float64, requires_grad=True)
    slips = [(Exception, "vectorize changes nothing: there's one pass for each number")]
    x, what = tt.tensor(x), what + ", vectorize=True," * len(more)
    with calling(what, slips=slips if more else []):
        got = tt.autograd.functional.hessian(func, x, *options, **more)
    expect_tensor(got.detach(), want, what, ORDERS)
    slips = [
        (lambda n: n > 1, "jacobian() runs the inner function, and func in it: once is enough")
    ]
    expect(len(given), 1, f"how often func runs in {what}", slips=slips)
    expect_only_used({"what func gave": given[0], "what func multiplies by": one}, what)


def expect_only_used(tensors, what):
    """Tensors that are func's own ask for gradients as before, and have none in .grad."""
    for whose, tensor in tensors.items():
        expect(tensor.requires_grad, True, f"{whose}.requires_grad after {what}", because=FUNCS)
        with warnings.catch_warnings():  # of who asks a result for its .grad
            warnings.simplefilter("ignore")
            expect(tensor.grad, None, f"{whose}.grad after {what}", because=FUNCS)


def expect_no_draw(call, what):
    """A call leaves tinytorch's random numbers where they are."""
    tt.rand(1)  # so that they aren't as a seed leaves them
    before = tt.get_rng_state().numpy().tobytes()
    with calling(what):
        call()
    is_same = tt.get_rng_state().numpy().tobytes() == before
    fail_if(not is_same, f"{what} drew random numbers of tinytorch's: those are for its callers")


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
        turned = f"the slopes of input {i} come first, and how they move with input {j} second"
        slips = [(lambda g, i=i, j=j: tuple(g.shape) == shapes[j] + shapes[i], turned)]
        expect_array(got[i][j], want, f"{what} block [{i}][{j}]", ORDERS, slips=slips)


@pytest.mark.exercise("8.6", points=1)
def test_a_hessian_passes_errors_on():
    hessian = tt.autograd.functional.hessian
    for kind in every_error():
        expect_error_of_func(hessian, "hessian", kind("no room"))
    x = tt.tensor([1.0, 2.0])
    refused = {
        "hessian of a function with two results": lambda: hessian(lambda x: x * x, x),
        "hessian of a constant, strict=True,": lambda: hessian(
            lambda x: tt.tensor(5.0), x, strict=True
        ),
        "hessian of x.sum(), strict=True,": lambda: hessian(lambda x: x.sum(), x, strict=True),
    }
    for what, call in refused.items():
        expect_mode_kept(call, RuntimeError, what)
    call = lambda: hessian(lambda x: tt.tensor(5.0), tt.zeros(0), strict=True)  # noqa: E731
    what = "hessian of a constant, x of shape (0,), strict=True,"
    slips = [(None, "no row, so jacobian() has nothing to refuse: hand strict on to grads(), too")]
    expect_raises(RuntimeError, call, what, slips=slips)
    third = tt.tensor(1 / 3, dtype=tt.float64)
    got = hessian(lambda x: x * x * x, third).item()
    because = "float64 stays float64 on the way"
    what = "hessian of x ** 3 at 1/3 in float64"
    expect(got, 2.0, what, rtol=1e-12, atol=0, because=because)
    for shape in ((), (2,), (0,)):
        x = np.asarray(numbers(shape) / 3)
        want = slopes_of(gradient_of(bent), x) if x.size else np.zeros((0, 0))
        for create, strict, vectorize in itertools.product((False, True), repeat=3):
            what = f"hessian of a function of shape {shape}, create_graph={create}, strict={strict}"
            more = {"vectorize": True} if vectorize else {}
            expect_one_run(x, want, what, create, strict, **more)
    what = "hessian of a function of shape (2,)"
    expect_no_draw(lambda: hessian(bent, tt.ones(2)), what)


def expect_error_of_func(function, name, error):
    """What func raises comes out as it is, with recording on or off as it was before."""

    def func(*given):
        raise error

    for asks, more, count in itertools.product(
        (False, True), ({}, {"create_graph": True}, {"strict": True}), (1, 2)
    ):
        x = tt.tensor([1.0, 2.0], requires_grad=asks)
        given, words = (x, "one input") if count == 1 else ((x, x), "two inputs")
        what = f"{name} of {words}, requires_grad={asks}, where func raises {type(error).__name__},"
        call = lambda given=given, more=more: function(func, given, **more)  # noqa: E731
        expect_mode_kept(call, error, what)
        expect(x.requires_grad, asks, f"x.requires_grad after {what}")


def expect_mode_kept(call, error, what):
    """A call ends with this error, or kind of error, and recording is on or off as it was."""
    for mode in (True, False):
        words = what if mode else f"{what} under no_grad(),"
        with tt.set_grad_enabled(mode):
            expect_out(call, error, words)
            slips = [(lambda _: True, "switch it in a with block, as evaluate() does")]
            expect(tt.is_grad_enabled(), mode, f"is_grad_enabled() after {words}", slips=slips)


MANY = {  # functions of one tensor, with results of other shapes
    "(x * x.sum()).exp()": lambda x: (x * x.sum()).exp(),
    "x.sum()": lambda x: x.sum(),
    "x.reshape(-1) ** 3": lambda x: x.reshape(-1) ** 3,
    "3 * x": lambda x: 3 * x,
}


@pytest.mark.exercise("8.7", points=1)
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
        expect_tensor(results, at(0), f"{what} func(inputs)")
        expect_tensor(moves, want, f"{what} J v", ORDERS)
        expect(given.grad, None, f"x.grad after {what}")
        expect(given.requires_grad, asks, f"x.requires_grad after {what}")
        expect(moves.grad_fn, None, f"the grad_fn of {what} J v")
        expect_tensor(push, v, f"v after {what}")
        with calling(f"{what} under no_grad,"), tt.no_grad():
            _, moves = tt.autograd.functional.jvp(f, given, push)
        if want.any() and isinstance(moves, tt.Tensor) and not moves.numpy().any():
            says = f"{what} J v, under no_grad(), is all zeros, and isn't with recording on"
            fail_if(True, f"{says}: only what evaluate() and grads() compute is recorded there")
        expect_tensor(moves, want, f"{what} J v, under no_grad(),", ORDERS)
    x = tt.tensor([2.0, 5.0])
    expect_no_draw(lambda: tt.autograd.functional.jvp(lambda x: x * x, x, x), "jvp of x * x")
    expect_results_only_read()
    x = tt.tensor(np.array([0.5, 2.0], np.float32))
    results, moves = tt.autograd.functional.jvp(lambda x: (x * x,), (x,), (x,))
    expect(isinstance(moves, tuple), True, "J v of a function that gives a tuple of one is a tuple")
    expect_tensor(moves[0], np.array([0.5, 8], np.float32), "J v of (x * x,) at [0.5, 2], float32")
    _, moves = tt.autograd.functional.jvp(lambda x: x.to(tt.float64) ** 2, x, x)
    expect_tensor(moves, np.array([0.5, 8]), "J v of x.to(float64) ** 2 at [0.5, 2], float32")
    nan = tt.tensor([np.nan, np.inf], dtype=tt.float64)
    _, moves = tt.autograd.functional.jvp(
        lambda x: 3 * x, nan, tt.tensor([1.0, 2.0], dtype=tt.float64)
    )
    expect_tensor(moves, np.array([3.0, 6.0]), "J v of 3 * x at [NaN, infinity]")


def expect_results_only_read():
    """The list that func gives is func's, and so are the tensors in it."""
    own = tt.tensor([1.0, 3.0], requires_grad=True), tt.tensor(5.0)
    for create, strict in ((False, False), (True, False)):
        kept, before = [], []

        def func(x, kept=kept, before=before):
            kept[:] = [x * own[0], *own]
            before[:] = kept
            return kept

        x = tt.tensor([2.0, 5.0], requires_grad=True)
        what = f"jvp of a function that gives a list of its own, create_graph={create},"
        with calling(what):
            tt.autograd.functional.jvp(func, x, x.detach(), create, strict)
        is_same = len(kept) == len(before) and all(map(operator.is_, kept, before))
        fail_if(not is_same, f"{what} changed that list: {FUNCS}")
        expect_only_used({"the first result": kept[0], "the second": kept[1]}, what)
        says = f"the third result, a constant: its requires_grad after {what}"
        expect(own[1].requires_grad, False, says, because=FUNCS)


@pytest.mark.exercise("8.7", points=1)
def test_a_push_costs_two_passes_and_passes_errors_on():
    for shape, asks, create, strict, enabled in itertools.product(
        ((), (3,), (2, 3), (0,)), *[(False, True)] * 4
    ):
        # none in a tuple: a Tensor alone
        for count, words in {0: "one", 1: "a tuple of one", 3: "three of them"}.items():
            what = f"jvp of a function of two inputs with {words} for a result, "
            what += f"shape {shape}, x asks: {asks}, create_graph={create}, strict={strict},"
            if not enabled:
                what += " under no_grad(),"
            x = tt.tensor(abs(numbers(shape)), requires_grad=asks)
            with tt.set_grad_enabled(enabled):
                expect_two_passes(x, count, create, strict, what)
    jvp = tt.autograd.functional.jvp
    for kind in every_error():
        expect_error_of_func(
            lambda func, given, **more: jvp(func, given, given, **more),
            "jvp",
            kind("no room"),
        )
    for asks, create in itertools.product((False, True), repeat=2):
        calls, x = [], tt.tensor(3.0, requires_grad=asks)
        jvp(lambda x: calls.append(x) or x * x, x, None, create)  # noqa: B023
        what = f"jvp without v, x asks: {asks}, create_graph={create}, how often func runs"
        expect(len(calls), 1, what)
    x = tt.tensor(3.0, requires_grad=True)
    _, move = jvp(lambda x: x**3, x, create_graph=True)
    what = "jvp of x ** 3 without v, create_graph=True, the slope of J v at 3"
    with calling(what):
        expect(tt.autograd.grad(move, x)[0], 18, what)
    x, one = tt.tensor([1.0, 2.0]), tt.tensor(1.0)
    for what, call in {
        "jvp of x * x, x of shape (2,), v of shape (),": lambda: jvp(lambda x: x * x, x, one),
        "jvp of x * x, x of shape (2,), without v,": lambda: jvp(lambda x: x * x, x),
        "jvp of a constant, strict=True,": lambda: jvp(lambda x: one, x, x, strict=True),
        "jvp of a constant, x of shape (2,), v of shape (),": lambda: jvp(lambda x: one, x, one),
        "jvp of a constant, x of shape (2,), without v,": lambda: jvp(lambda x: one, x),
        "jvp of 3 * x, x of shape (2,), v of shape (),": lambda: jvp(lambda x: 3 * x, x, one),
        "jvp of x * y, v a single one": lambda: jvp(lambda x, y: x * y, (x, x), (x,)),
        "jvp of x * y, v three": lambda: jvp(lambda x, y: x * y, (x, x), (x, x, x)),
    }.items():
        expect_mode_kept(call, RuntimeError, what)
    because = "func gives no single tensor, so they're tuples"
    for create in (False, True):
        results, moves = jvp(lambda x: [x * x, 3 * x], x, x, create_graph=create)
        what = f"jvp of a function that gives a list, create_graph={create}: the types of both"
        expect([type(results), type(moves)], [tuple, tuple], what, because=because)
    v = tt.tensor([1.0, 3.0], requires_grad=True)
    results, moves = jvp(lambda x: (x * x, 3 * x), x, v, create_graph=True)
    what = "jvp of two results, create_graph=True, v asks:"
    got = [type(results), type(moves), v.requires_grad]
    expect(got, [tuple, tuple, True], f"{what} the types of both, and v.requires_grad afterwards")
    moves[0].sum().backward()
    because = "J v is 2 x v, and moves with v as with x"
    expect(v.grad, [2.0, 4.0], f"{what} v.grad after backward() of J v", because=because)


def expect_two_passes(x, count, create, strict, what):
    """func runs once, and each of the two passes comes by once: at y, and at the gradient of y."""
    calls, firsts, seconds = [], [], []

    def came(gradient):
        firsts.append(gradient)
        if gradient.requires_grad:
            gradient.register_hook(seconds.append)

    def func(x, w):
        calls.append(x)
        y = x * w
        if y.requires_grad:
            y.register_hook(came)
        results = (3 * y, y * y, y.exp())[: count or 1]
        return results if count else results[0]

    with calling(what):
        got = tt.autograd.functional.jvp(func, (x, x), (x, x), create_graph=create, strict=strict)
    expect(len(calls), 1, f"{what} how often func runs")
    slips = [(lambda n: n > 1, "one pass for all results and all inputs together")]
    expect(len(firsts), 1, f"{what} how often the first pass comes by", slips=slips)
    expect(len(seconds), 1, f"{what} how often the second pass comes by", slips=slips)
    n = x.detach().numpy()
    wants = (6 * n * n, 4 * n**4, 2 * n * n * np.exp(n * n))
    for place, move in enumerate(got[1] if count else got[1:]):
        want = np.asarray(wants[place])
        expect_tensor(move.detach(), want, f"{what} J v, number {place}", ORDERS)
