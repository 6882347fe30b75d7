"""Chapter 8: an aggregate that is right twice, Hessians, and pushes forwards."""

import re
import sys
from contextlib import contextmanager

import numpy as np
import pytest

import tinytorch as tt
from course.testing import (
    calling,
    calls_of,
    expect,
    expect_only_read,
    expect_raises,
    fail_if,
    lacks,
    short_repr,
    worded,
)

GOES_ON = "what arrives at t goes on to a and b"
BOTH = "what comes for t and what comes through r add up"
FACTOR = "r is t * b, so through r dr * b comes for t"
IS_FACTOR = "b is a factor of r, too: it hears dr * t, whatever has come for t"
KEPT = "a way back may be called any number of times: keep nothing from call to call"
R_FIRST = "propagate gets the gradients in the order of the outputs: r first, then t"
ONE_FOR_ONE = "one tensor came, so one tensor goes back: as_given(inputs, ...)"
LIKE_RESULTS = "it is shaped like the results: as_given(outputs, ...)"
ASK = "either of the two gradients may be None, the known zero: ask before you multiply it"
VALUES = "compute with Variables, not with their .value"
PLUS = "+ wants two Variables, and one of the gradients is None here: add_optional knows None"
CHECKED = "heads_for(what the first pass found, v)"
OTHER_U = "all zeros: the first pass must start from the very u that the second differentiates for"
T_IS_LOST = "where does t come from, on the tape? What the way back computes with is an output too"
NOT_RECORDED = "what the way back computes belongs on the tape: multiply Variables with *"
LISTS = "record takes a list of inputs and a list of outputs: [a, b] and [r, t]"
# fmt: off
BACK = (  # what an exception out of a way back shows
    (lambda e: lacks("Variable")(e), "a Variable has only what its class in tape.py has"),
    (lambda e: "for +: " in str(e) and "NoneType" in str(e), PLUS),
    (lambda e: "NoneType" in str(e), ASK), (lambda e: "got None" in str(e), PLUS),
    (lambda e: "'Tensor' object" in str(e) or "got tensor(" in str(e), VALUES),
    (lambda e: "not enough values to unpack" in str(e), T_IS_LOST),
    (lambda e: "missing 1 required positional" in str(e), "propagate gets a list of both"),
    (lambda e: "zip() argument 2 is shorter" in str(e), "a gradient for each input: a's, then b's"),
    (UnboundLocalError, "where nothing came for r, it never got a value: begin with None"),
)
# fmt: on
HANDED = "sum_times(a, b) at a = 2 and b = 3"


def double(numbers, asks=False):
    return tt.tensor(np.array(numbers, np.float64), requires_grad=asks)


def single(numbers, asks=False):
    """As the text writes them: a message shows it without its dtype."""
    return tt.tensor(np.array(numbers, np.float32), requires_grad=asks)


def recorded(names="ab"):
    """(a, b, sum_times(a, b), the tape, what its trace says of it)"""
    lines = []
    tape = tt.tape.Tape(trace=lines.append)
    a, b = tape.variable(double(2.0), names[0]), tape.variable(double(3.0), names[1])
    made = "a.tape.result(value, text) makes a Variable of it, with a name"
    mixed = "a value is made of values: t.value * b.value"
    slips = [(lacks("Tensor", "name"), made), (worded(TypeError, "'Tensor' and 'Var"), mixed),
             (worded(TypeError, "Tape.record() takes"), LISTS),
             (worded(TypeError, "'Variable' object is not iterable"), LISTS)]  # fmt: skip
    with calling("sum_times(a, b)", slips=slips):
        r = tt.aggregate.sum_times(a, b)
    fail_if(isinstance(r, tuple), f"sum_times(a, b) gave {r!r}, expected r alone")
    del lines[:2]
    for entry in tape.entries:
        if callable(entry.propagate):
            entry.propagate = giving_two(entry.propagate)
    return a, b, r, tape, lines


def giving_two(propagate):
    """The way back of sum_times, which has to give a gradient for a and one for b."""

    def checked(gradients):
        got = propagate(gradients)
        kind, says = type(got).__name__, "the way back of sum_times(a, b) gave"
        is_list = isinstance(got, (list, tuple))
        given = "None: does it return a list?" if got is None else f"a {kind}, expected a list"
        fail_if(not is_list, f"{says} {given}")
        count = "1 gradient" if len(got) == 1 else f"{len(got)} gradients"
        fail_if(len(got) != 2, f"{says} {count}, expected 2: a's first, then b's")
        return got

    return checked


def remembers(_):
    """Does the way back of sum_times give something else when it's called again?"""
    for names in (("dr", None), (None, "dt")):
        *_, tape, _ = recorded()
        given = [name and tape.variable(double(10.0), name) for name in names]
        twice = [tape.entries[0].propagate(list(given)) for _ in "12"]
        first, second = ([None if g is None else g.value.item() for g in got] for got in twice)
        if first != second:
            return True
    return False


def expect_number(got, want, what, slips=()):
    """A Variable with this number, or None."""
    fail_if(isinstance(got, tt.Tensor), f"{what} is a Tensor: compute with Variables, not values")
    if got is None or want is None:
        expect(got, want, what, slips=slips)
    else:
        kind, value = type(got).__name__, getattr(got, "value", got)
        wrong = f"{what} is a {kind}: {got!r}, expected a Variable"
        fail_if(not isinstance(got, tt.tape.Variable), wrong)
        wrong = f"{what} is a Variable with a {type(value).__name__} in it, expected a Tensor"
        fail_if(not isinstance(value, tt.Tensor), f"{wrong}: compute the value with Tensors")
        expect(value, want, what, slips=slips)


@pytest.mark.exercise("8.5", points=1)
def test_an_aggregate_is_one_entry():
    _, _, r, tape, lines = recorded()
    expect_number(r, 15, HANDED, {6: "that's a * b", 10: "(a + b) * a", None: "does it return r?"})
    called = "record wants the function propagate, not what it gives"
    is_called = any(not callable(entry.propagate) for entry in tape.entries)
    slips = [(lambda _: is_called, called),
             (2, "one entry for both operations: add and multiply the .value, and record once"),
             (0, "a.tape.record writes it")]  # fmt: skip
    expect(len(tape.entries), 1, "how many entries sum_times(a, b) wrote", slips=slips)
    slips = [(["a", "b", "v0"], "an input is what the caller handed in; t was made inside")]
    what = "the inputs of the entry of sum_times(a, b)"
    expect(tape.entries[0].inputs, ["a", "b"], what, slips=slips)
    unmade = "tape.variable is for what no operation made: a.tape.result(value, text)"
    own = "let the tape choose the names: it has v0 and v1 for them"
    shows = "the trace shows how each was computed: that's the second thing that result() takes"
    slips = [(lambda got: re.fullmatch(r"v0 = tensor\([^)]*\)", got[0]), unmade),
             (lambda got: any(not re.match(r"v\d+ = ", line) for line in got), own),
             (lambda got: got[:1] and got[0] in ("v0 = t", "v0 = inside"), shows)]  # fmt: skip
    want = ["v0 = a + b, inside", "v1 = sum_times(a, b)"]
    expect(lines, want, "the trace of sum_times(a, b)", slips=slips)
    *_, lines = recorded("qp")
    slips = [
        (lambda got: "a + b" in got[0] or "a, b" in got[1], "a.name and b.name say what to show")
    ]
    want = ["v0 = q + p, inside", "v1 = sum_times(q, p)"]
    expect(lines, want, "the trace of sum_times(q, p)", slips=slips)


@pytest.mark.exercise("8.5", points=1)
def test_an_aggregate_has_the_first_derivatives():
    a, b, r, tape, _ = recorded()
    with calling(f"grad of {HANDED}", slips=BACK):
        da, db = tape.grad(r, [a, b])
    exchanged = tape.entries[0].outputs == ["v0", "v1"]
    asked = "in the first pass nothing comes for t: look at what came for r"
    slips = [(lambda _: exchanged, R_FIRST), (8, "that's b's: a's gradient is the first"),
             (None, asked), (2, f"that's a: {FACTOR}"), (5, f"that's t: {FACTOR}"),
             (1, f"that's what came for r: {FACTOR}")]  # fmt: skip
    expect_number(da, 3, f"{HANDED}: the slope in a", slips)
    with_t = any("v0" in entry.inputs for entry in tape.entries[1:])
    direct = "as a factor of r, b hears dr * t, which is 5, and 3 through t"
    slips = {5: "b also has a hand in a + b" if with_t else direct, 3: "b is a factor, too",
             15: "dt counts once", 6: direct}  # fmt: skip
    expect_number(db, 8, f"{HANDED}: the slope in b", slips)


@pytest.mark.exercise("8.5", points=2)
def test_an_aggregate_is_right_twice():
    a, b, r, tape, _ = recorded()
    with calling(f"grad of the slope of {HANDED}", slips=BACK):
        da, db = tape.grad(r, [a, b])
        written = len(tape.entries) - 1
        used = {name for entry in tape.entries[1:] for name in entry.inputs}
        got = tape.grad(db, [a, b])
    copied = {"v0": "t", "b": "b"}
    copied = [copied[name] for name in copied if name not in used]
    itself = f"the way back must compute with {copied[0]} itself, not with a copy" if copied else ""
    lost = itself or GOES_ON
    lost = lost if len(tape.entries[0].outputs) == 2 else T_IS_LOST
    lost = lost if written > 2 else NOT_RECORDED
    slips = [(remembers, KEPT), (lambda g: g is None, lost)]
    expect_number(got[0], 1, f"{HANDED}: the slope in b is a + 2 b, and its slope in a", slips)
    slips = [(remembers, KEPT), (1, lost)]
    expect_number(got[1], 2, f"{HANDED}: the slope in b is a + 2 b, and its slope in b", slips)
    got = tape.grad(da, [a, b])
    expect_number(got[0], None, f"{HANDED}: the slope in a is b, and its slope in a")
    expect_number(got[1], 1, f"{HANDED}: the slope in a is b, and its slope in b")


@pytest.mark.exercise("8.5", points=1)
def test_t_is_an_output():
    _, _, r, tape, _ = recorded()
    outputs = tape.entries[0].outputs
    slips = [(lambda got: got == ["v1"], T_IS_LOST), (lambda got: got == ["v0", "v1"], "r first")]
    expect(outputs, ["v1", "v0"], "the outputs of the entry of sum_times(a, b)", slips=slips)
    expect(r.name, "v1", "the name of sum_times(a, b), r")


@pytest.mark.exercise("8.5", points=1)
def test_either_gradient_may_be_none():
    for dr, dt, want in ((10.0, None, (30, 80)), (None, 7.0, (7, 7)), (10.0, 7.0, (37, 87))):
        _, _, _, tape, _ = recorded()
        pairs = (("dr", dr), ("dt", dt))
        given = [None if n is None else tape.variable(double(n), name) for name, n in pairs]
        what = f"the way back of {HANDED} from [{dr}, {dt}]"
        slips = [(remembers, KEPT), (lambda g: g is None, GOES_ON)]
        if dr and dt:
            slips += [(n, BOTH) for n in (dt, 3 * dr, 8 * dr, 5 * dr + dt)]
            slips += [(3 * dr + dt, IS_FACTOR)]
        elif dr:
            slips += [(3 * dr, IS_FACTOR), (5 * dr, GOES_ON)]
        expect_way_back(tape, given, want, what, slips)
        given = [None if g is None else g + g for g in given]
        slips = [(lambda _: True, "the first time was right: keep nothing from call to call")]
        expect_way_back(
            tape, given, [2 * n for n in want], f"{what}, then from twice as much", slips
        )


@pytest.mark.exercise("8.5", points=1)
def test_one_variable_may_come_twice():
    tape = tt.tape.Tape(trace=None)
    a, dr = tape.variable(double(2.0), "a"), tape.variable(double(10.0), "dr")
    tt.aggregate.sum_times(a, a)
    what = "the way back of sum_times(a, a) at a = 2 from [10, None]"
    place = "go by place, not by name: a and b may be the same Variable"
    with calling(what, slips=BACK):
        got = tape.entries[0].propagate([dr, None])
    expect_number(got[0], 20, f"{what}: the first", {60: place})
    expect_number(got[1], 60, f"{what}: the second", {20: place})


def expect_way_back(tape, given, wanted, what, slips):
    """The first entry on the tape gives these numbers for a and b."""
    handed = list(given)
    with calling(what, slips=BACK):
        got = tape.entries[0].propagate(handed)
    expect_only_read(handed, given, what)
    expect(len(got), 2, f"{what}: how many gradients")
    for name, gradient, number in zip("ab", got, wanted, strict=True):
        expect_number(gradient, number, f"{what}: {name}'s", slips)


@pytest.mark.exercise("8.5", points=1)
def test_an_aggregate_saves_work():
    a, b, r, tape, lines = recorded()
    tape.grad(r, [a, b])
    products = sum(" * " in line for line in lines)
    again = any(sorted(entry.inputs) == ["a", "b"] for entry in tape.entries[1:])
    slips = [(lambda _: again, "t has been computed already: don't add a and b again"),
             (lambda _: products > 2, "dr * b is needed twice: compute it once"),
             (lambda count: count > 3, "a known zero needs no zeros and no addition")]  # fmt: skip
    what = f"operations in the first way back of {HANDED}, two products and a sum,"
    expect(len(tape.entries) - 1, 3, what, slips=slips)
    for numbers, cost in (((10.0, 7.0), 4), ((None, 7.0), 0)):
        _, _, _, tape, _ = recorded()
        given = [None if n is None else tape.variable(double(n)) for n in numbers]
        what = f"operations in the way back of {HANDED} from {short_repr(given)}"
        with calling(what, slips=BACK):
            tape.entries[0].propagate(given)
        written = tape.entries[1:]
        known = "None is a known zero: nothing comes through r, so nothing is computed"
        anew = "t has been computed already: don't add a and b again"
        slips = [(lambda _, w=written: any(sorted(e.inputs) == ["a", "b"] for e in w), anew),
                 (lambda _, cost=cost: not cost, known),
                 (lambda n: n > 4, "what's needed twice, compute once")]  # fmt: skip
        because = "two products, and a sum for each of a and b" if cost else ""
        expect(len(written), cost, what, slips=slips, because=because)


def hessian(*given, **options):
    return tt.autograd.functional.hessian(*given, **options)


# fmt: off
HESSIAN_SLIPS = (
    (lambda e: lacks("tuple")(e) and any(e.obj is c.get("inputs") for c in calls_of("hessian", e)),
     "inputs may be a tuple, too"),
    (lambda e: "one of the inputs does not" in str(e),
     "differentiate for the values that the inner function is given, not for the inputs"),
    (lambda e: "len() of" in str(e), "grads takes a tuple of results, even of one: (y,)"),
    (lambda e: "'bool' object" in str(e),
     "the third thing that grads takes is upstream gradients: write create_graph=True by name"),
    (lambda e: "grad can be created only" in str(e),
     "the gradient has several numbers, and each has slopes: jacobian takes them one by one"),
    (lambda e: "got function" in str(e) or "'function' object has no" in str(e),
     "func is a function: call it, and hand what it gives to scalar() and grads()"),
    (lambda e: "name 'grad'" in str(e), "grads() is the one that's imported here"),
    (lambda e: "jacobian() takes" in str(e),
     "jacobian takes the inputs as they came, a tensor or a tuple"),
    (lambda e: "object is not callable" in str(e),
     "jacobian takes a function of the inputs, not what one gave"),
    (lambda e: "got NoneType" in str(e), "does the inner function return the gradient?"),
    (lambda e: "'tuple' and" in str(e) or "positional argument" in str(e),
     "the inputs come one by one, to func and to the inner function: *values"),
)
# fmt: on


def valley(w):
    x, y = w
    return (1 - x) ** 2 + 100 * (y - x * x) ** 2


@pytest.mark.exercise("8.6", points=1)
def test_the_hessian_of_a_cube():
    what = "hessian(lambda x: (x ** 3).sum(), x), x = [1, 2]"
    recorded = "is it made from the values that jacobian hands in, with create_graph=True?"
    with calling(what, slips=HESSIAN_SLIPS):
        got = hessian(lambda x: (x**3).sum(), double([1, 2]))
    slips = [(lambda g: isinstance(g, tuple), ONE_FOR_ONE), (None, "does it return what jacobian "
              "found?"), (np.zeros((2, 2)), recorded), ([3, 12], "that's the gradient"),
             ([6, 12], "that's the diagonal: jacobian makes the table")]  # fmt: skip
    expect(got, [[6, 0], [0, 12]], what, slips=slips)
    with calling(f"{what} under no_grad(),"), tt.no_grad():
        got = hessian(lambda x: (x**3).sum(), double([1, 2]))
    slips = [(np.zeros((2, 2)), "evaluate() runs a function so that it's recorded there, too")]
    expect(got, [[6, 0], [0, 12]], f"{what} under no_grad(),", slips=slips)


@pytest.mark.exercise("8.6", points=1)
def test_the_hessian_of_the_valley():
    got = hessian(valley, double([-1.2, 1.0]))
    expect(got, [[1330, 480], [480, 200]], "the Hessian of the valley at (-1.2, 1)")


@pytest.mark.exercise("8.6", points=1)
def test_several_inputs_have_blocks():
    what = "hessian(lambda x, y: (x * x * y).sum(), (x, y)), x = 2 and y = 3,"
    slips = [(lambda e: "missing" in str(e), "func takes the inputs one by one: func(*values)")]
    with calling(what, slips=[*slips, *HESSIAN_SLIPS]):
        got = hessian(lambda x, y: (x * x * y).sum(), (double(2), double(3)))
    expect(isinstance(got, tuple), True, f"{what} is a tuple of tuples")
    for part, whose in ((got, "rows of blocks"), *[(row, "blocks in a row") for row in got]):
        row = f"{what} has {part!r} as a row, expected a tuple of 2: a block for each input"
        fail_if(not isinstance(part, tuple), row)
        slips = {1: "one for each input", 4: "a row for each input, with a block for each in it"}
        expect(len(part), 2, f"{what} has how many {whose}", slips=slips)
    for i, j, want in ((0, 0, 6), (0, 1, 4), (1, 0, 4), (1, 1, 0)):
        slips = {0: "the slope in each input may move with every other"} if i != j else ()
        expect(got[i][j], want, f"{what} block [{i}][{j}]", slips=slips)
    what = "hessian(lambda x: x ** 3, (x,)), x = 2,"
    with calling(what):
        got = hessian(lambda x: x**3, (double(2),))
    slips = {False: "a tuple of one tensor is still a tuple"}
    is_nested = isinstance(got, tuple) and isinstance(got[0], tuple)
    expect(is_nested, True, f"{what} is a tuple of tuples", slips=slips)
    expect(got[0][0], 12, f"{what} block [0][0]")


@pytest.mark.exercise("8.6", points=1)
def test_what_is_straight_has_no_bend():
    functions = {"(3 * x).sum()": lambda x: (3 * x).sum(),
                 "a constant": lambda x: double(5.0)}  # fmt: skip
    for text, f in functions.items():
        what = f"the Hessian of {text} at [1, 2]"
        silent = [(lambda e: "does not require grad" in str(e), "grads() gives zeros there")]
        with calling(what, slips=silent):
            expect(hessian(f, double([1, 2])), np.zeros((2, 2)), what)
        what = f"{what}, with strict=True,"
        slips = {None: "its slope doesn't depend on x: hand strict on to grads() and jacobian()"}
        call = lambda f=f: hessian(f, single([1, 2]), strict=True)  # noqa: E731
        expect_raises(RuntimeError, call, what, slips=slips)


@pytest.mark.exercise("8.6", points=1)
def test_only_one_number_has_a_hessian():
    slips = [(lambda _: True, "scalar(y) refuses it, by a RuntimeError")]
    what = "hessian(lambda x: x * x, x), x of shape (2,),"
    expect_raises(RuntimeError, lambda: hessian(lambda x: x * x, double([1, 2])), what, slips=slips)
    what = "hessian(lambda x: three numbers that don't depend on x, x)"
    call = lambda: hessian(lambda x: double([1, 2, 3]), double([1, 2]))  # noqa: E731
    expect_raises(RuntimeError, call, what, slips=slips)
    for shape in ((1,), (1, 1)):
        what = (
            f"hessian of a function with one number of shape {shape}, (x ** 3).sum(), x = [1, 2],"
        )
        slips = [
            (lambda e: isinstance(e, RuntimeError), "one number is enough, whatever its shape")
        ]
        with calling(what, slips=slips):
            got = hessian(lambda x, s=shape: (x**3).sum().reshape(*s), double([1, 2]))
        expect(got, [[6, 0], [0, 12]], what, because="scalar(y) makes one number of y first")


@pytest.mark.exercise("8.6", points=2)
def test_a_hessian_can_be_differentiated():
    x = double([1, 2], asks=True)
    what = "hessian(lambda x: (x ** 3).sum(), x)"
    slips = {True: "the outer jacobian is recorded only if create_graph says so"}
    got = hessian(lambda x: (x**3).sum(), x).requires_grad
    expect(got, False, f"{what}.requires_grad", slips=slips)
    what = "hessian(lambda x: (x ** 3).sum(), x, create_graph=True)"
    got = hessian(lambda x: (x**3).sum(), x, create_graph=True)
    no_leaf = "x has a history here, and backward() leaves no .grad in it; grads() gives its slope"
    expect(got, [[6, 0], [0, 12]], what, slips=[(np.zeros((2, 2)), no_leaf)])
    slips = {False: "pass create_graph on to jacobian"}
    expect(got.requires_grad, True, f"{what}.requires_grad", slips=slips)
    lost = "jacobian needs the inputs as they came: detached ones have lost their graph"
    slips = [(lambda e: "was not used" in str(e), lost)]
    with calling(f"the slope of the sum of {what}", slips=slips):
        (third,) = tt.autograd.grad(got.sum(), x)
    expect(third, [6, 6], f"the slope of the sum of {what}")
    expect(x.grad, None, f"x.grad after {what}")


def jvp(*given, **options):
    return tt.autograd.functional.jvp(*given, **options)


def all_zeros(move):
    return isinstance(move, tuple) and not any(part.numpy().any() for part in move)


def shuffle(x):
    """Two numbers from three: y0 = x0 x1, y1 = 3 x2."""
    return tt.stack([x[0] * x[1], 3 * x[2]])


def count_of(tensors):
    return len(tensors) if isinstance(tensors, (tuple, list)) else 1


def jvp_slips(*given):
    """Slips of what an exception out of jvp() shows, which was handed these inputs."""

    def last(name):  # what grads() was last handed by that name
        return lambda e: calls_of("grads", e)[-1][name]

    is_given = lambda e: any(x is y for x in last("inputs")(e) for y in given)  # noqa: E731

    def is_part(error):  # were there fewer gradients than inputs?
        calls = calls_of("heads_for", error)
        return bool(calls) and count_of(calls[-1]["outputs"]) < len(given)

    part = "v has a part for each input: hand heads_for all that the first pass found"
    push = f"v is a push on the inputs: the second pass starts from it, by {CHECKED}"
    made = "the first pass starts from u, upstream gradients that you make, one for each result"
    like = "u is an upstream gradient of the results, and shaped like them"
    values = "differentiate for the values that evaluate() gives: they ask for gradients"
    asks = "what a pass differentiates for must ask: .requires_grad_()"
    tensors = "u is a tensor that asks for gradients: zeros_like(y).requires_grad_()"
    results = "grads takes a tuple of results, even of one: as_tuple(outputs)"
    many = "one upstream gradient for each result, of func or of the first pass"
    heads = "grads takes its upstream gradients as a tuple or a list, even one alone"
    alone = "a single tensor is no tuple of inputs: evaluate() calls func for either"
    return [
        (lambda e: worded(RuntimeError, "v must have")(e) and is_part(e), part),
        (worded(RuntimeError, "v must have"), push),
        (worded(RuntimeError, "a vector v is needed"), made),
        (worded(RuntimeError, "as its tensor"), like),
        (lambda e: "does not require grad" in str(e) and is_given(e), values),
        (lambda e: "does not require grad" in str(e), asks),
        (worded(RuntimeError, "only for one element, got shape (3,)"), push),
        (worded(RuntimeError, "only for one element"), made),
        (worded(TypeError, "got ndarray"), tensors),
        (worded(TypeError, "zeros_like"), "a u for each result: as_tuple(outputs)"),
        (lambda e: "zip()" in str(e) and isinstance(last("outputs")(e), tt.Tensor), results),
        (worded(ValueError, "zip()"), many),
        (worded(RuntimeError, "the truth of a tensor"), heads),
        (worded(TypeError, "shuffle() takes"), alone),
        (worded(TypeError, "'create_graph'"), "say whether there's to be a graph"),
    ]


@pytest.mark.exercise("8.7", points=2)
def test_a_push_moves_the_results():
    x, v = double([2, 5, 7]), double([1, 10, 100])
    what = "jvp(f, [2, 5, 7], [1, 10, 100]) of f(x) = [x0 * x1, 3 * x2]"
    with calling(what, slips=jvp_slips(x)):
        got = jvp(shuffle, x, v)
    kind = f"{what} gave {type(got).__name__} {short_repr(got)}, expected two things"
    fail_if(not isinstance(got, (tuple, list)), f"{kind}: func(inputs) and J v")
    expect(len(got), 2, f"{what}: how many it gave, func(inputs) and J v")
    slips = [([25, 300], "that's J v, which comes second")]
    expect(got[0], [10, 21], f"{what}: the first, func(inputs)", slips=slips)
    slips = [(np.zeros(2), "is the first pass recorded, with create_graph=True?"),
             ([10, 21], "that's func(inputs)"), (all_zeros, OTHER_U),
             (lambda g: isinstance(g, tuple), "func gave one tensor, so J v is one: "
              "as_given(outputs, ...)"),
             (lambda g: tuple(g.shape) == (3,), "the second pass differentiates for u, which is "
              "shaped like the results"),
             (lambda g: tuple(g.shape) == (), "each result has a move of its own: a second pass "
              "finds them all, the slopes in u")]  # fmt: skip
    expect(got[1], [25, 300], f"{what}: the second, J v", slips=slips)
    expect_two_passes()


@pytest.mark.exercise("8.7", points=1)
def test_j_is_not_its_mirror_image():
    x, v = double([2, 5]), double([1, 10])
    what = "jvp(f, [2, 5], [1, 10]), f(x) = [x0 * x1, x1]: J v"
    _, got = jvp(lambda x: tt.stack([x[0] * x[1], x[1]]), x, v)
    slips = {(5, 12): "that's v^T J, what vjp gives"}
    slips = [(np.array(slip), reason) for slip, reason in slips.items()]
    expect(got, [25, 10], what, slips=slips)
    _, got = jvp(lambda x: x.exp(), x, v)
    want = np.exp([2, 5]) * [1, 10]
    twice = "make new tensors for u: a result takes part in the way back itself"
    expect(got, want, "J v of x.exp() at [2, 5], v = [1, 10]", slips=[(2 * want, twice)])
    tt.rand(1)  # so that they aren't as a seed leaves them
    before = random_states()
    jvp(lambda x: x.exp(), x, v)
    needless = "the numbers in u don't matter, so draw none: zeros_like(y) will do"
    fail_if(random_states() != before, f"jvp of x.exp() drew random numbers: {needless}")


def random_states():
    """What the next random numbers depend on, NumPy's and tinytorch's."""
    return np.random.get_state()[2:], tt.get_rng_state().numpy().tobytes()


@pytest.mark.exercise("8.7", points=1)
def test_tuples_come_and_go():
    given = (double(2.0), double([5.0, 7.0])), (double(10.0), double([1.0, 100.0]))
    what = "jvp(f, (2, [5, 7]), (10, [1, 100])), f(x, y) = (x * y, y.sum(), x * x),"
    with calling(what, slips=jvp_slips(*given[0])):
        results, moves = jvp(lambda x, y: (x * y, y.sum(), x * x), *given)
    for name, got, wanted in (("func(inputs)", results, ([10, 14], 12, 4)),
                              ("J v", moves, ([52, 270], 101, 40))):  # fmt: skip
        kind = f"{what} gave {type(got).__name__} {short_repr(got)} for {name}, expected a tuple"
        fail_if(not isinstance(got, tuple), f"{kind}: {LIKE_RESULTS}")
        expect(len(got), 3, f"{what} the length of {name}")
        shared = "that's how both single numbers move, added up: each result has a u of its own"
        for place, want in enumerate(wanted):
            expect(got[place], want, f"{what} {name}[{place}]", slips={141: shared})
    _, got = jvp(lambda x: (x, 2 * x), double(3.0), double(1.0))
    what = "J v of a function of one tensor with two results"
    kind = type(got).__name__
    fail_if(not isinstance(got, tuple), f"{what} is a {kind}, expected a tuple: {LIKE_RESULTS}")
    _, got = jvp(lambda x, y: x * y, (double(3.0), double(5.0)), (double(1.0), double(10.0)))
    slips = [(lambda g: isinstance(g, tuple), LIKE_RESULTS)]
    expect(got, 35, "J v of x * y, (x, y) = (3, 5), v = (1, 10)", slips=slips)


def expect_two_passes():
    """jvp goes back through its function once, and calls it once."""
    calls, passes, names = [], [], set()

    def watched_square(x):
        calls.append(x)
        y = x * x
        if y.requires_grad:
            y.register_hook(passes.append)
        return 3 * y

    what = "jvp of a function of ten numbers"
    with calling(what), noting_calls(names):
        jvp(watched_square, double(range(10)), double([1.0] * 10))
    says = f"how often {what} goes back through func"
    two = "two passes do, and the second goes from u^T J to u"
    is_whole = names & {"jacobian", "jacobian_of"}
    slips = [(lambda n: n > 1 and is_whole, f"{two}: no Jacobian"), (lambda _: True, two)]
    expect(len(passes), 1, says, slips=slips)
    once = "once is enough: keep what it gave"
    vjps = "vjp() and vhp() run it too: evaluate() it once, and take both passes with grads()"
    slips = [(lambda _: names & {"vjp", "vhp"}, vjps), (lambda n: n > 1, once)]
    expect(len(calls), 1, f"how often func runs in {what}", slips=slips)


@contextmanager
def noting_calls(names):
    """Put into a set the names of all Python functions that run meanwhile."""
    before = sys.getprofile()
    sys.setprofile(lambda frame, event, _: event == "call" and names.add(frame.f_code.co_name))
    try:
        yield
    finally:
        sys.setprofile(before)


@pytest.mark.exercise("8.7", points=1)
def test_a_push_has_the_shape_of_the_inputs():
    for v in (single([1.0, 1.0]), single(1.0), single([[1.0, 1.0, 1.0]]), None):
        shape = None if v is None else tuple(v.shape)
        what = (
            f"jvp of a function of three numbers, v {'None' if v is None else f'of shape {shape}'},"
        )
        slips = [(lambda _: True, f"{CHECKED} refuses it")]
        call = lambda v=v: jvp(shuffle, single([2, 5, 7]), v)  # noqa: E731
        expect_raises(RuntimeError, call, what, slips=slips)
    one, two = single(1.0), (single(2.0), single(5.0))
    other = "numbers of shapes () and (1,)"
    for words, v in {"None": None, "a single number": one, "a tuple of one": (one,),
                     other: (one, single([1.0]))}.items():  # fmt: skip
        what = f"jvp of f(x, y) = x * y at (2, 5), v {words},"
        slips = [(lambda _: True, f"v needs a part for each input: {CHECKED} checks that")]
        call = lambda v=v: jvp(lambda x, y: x * y, two, v)  # noqa: E731
        expect_raises(RuntimeError, call, what, slips=slips)
    _, got = jvp(lambda x: tt.stack([x, x * x]), double(3.0))
    expect(got, [1, 6], "jvp(f, 3), f(x) = [x, x * x], without v, which is then 1: J v")


@pytest.mark.exercise("8.7", points=1)
def test_what_does_not_depend_does_not_move():
    x, v, w = single([2.0, 5.0]), single([1.0, 1.0]), single(3.0, asks=True)
    functions = {"a constant": lambda x: single([1.0, 2.0, 3.0]),
                 "(x * 0 + 1, a constant)": lambda x: (x * 0 + 1, single(3.0)),
                 "(x * 0 + 1, w * w), w no input": lambda x: (x * 0 + 1, w * w)}  # fmt: skip
    slips = {None: "what depends on no input is refused: hand strict to both passes of grads()"}
    own = "each u asks, whatever its result is made of: zeros_like(y).requires_grad_()"

    def asks_nothing(error):  # is it no input that grads() was to differentiate for?
        last = calls_of("grads", error)[-1]["inputs"]
        silent = "does not require grad" in str(error)
        return silent and [tuple(u.shape) for u in last] != [tuple(x.shape)]

    for text, f in functions.items():
        what = f"jvp of {text}"
        with calling(what, slips=[(asks_nothing, own)]):
            _, got = jvp(f, x, v)
        for part in got if isinstance(got, tuple) else (got,):
            expect(part, np.zeros(tuple(part.shape)), f"{what}: J v")
        strictly = lambda f=f: jvp(f, x, v, strict=True)  # noqa: E731
        expect_raises(RuntimeError, strictly, f"{what}, strict=True,", slips=slips)
    what = "jvp of f(x, y) = x * x, strict=True,"
    slips = {None: "nothing depends on y: hand strict to both passes"}
    unused = lambda: jvp(lambda x, y: x * x, (x, x + 1), (v, v), strict=True)  # noqa: E731
    expect_raises(RuntimeError, unused, what, slips=slips)
    what = "jvp of f(x, y) = (x * x, y * y) at (x, x), strict=True,"
    with calling(what, slips={RuntimeError: "all results together, in one pass"}):
        _, (_, got) = jvp(lambda x, y: (x * x, y * y), (x, x), (v, v), strict=True)
    own = "one tensor came twice: evaluate() makes a value of its own for each input"
    expect(got, [4, 10], f"{what} J v [1]", slips=[(np.array([8.0, 20.0]), own)])


@pytest.mark.exercise("8.7", points=1)
def test_a_move_can_be_differentiated():
    x, v = double([2.0, 5.0], asks=True), double([1.0, 10.0])
    results, moves = jvp(lambda x: x**3, x, v)
    what = "func(inputs).requires_grad, create_graph not asked for"
    slips = {True: "result(outputs, create_graph) gives numbers alone"}
    expect(results.requires_grad, False, what, slips=slips)
    slips = {True: "the second pass is recorded only if create_graph says so"}
    what = "(J v).requires_grad, create_graph not asked for"
    expect(moves.requires_grad, False, what, slips=slips)
    results, moves = jvp(lambda x: x**3, x, v, create_graph=True)
    what = "func(inputs).requires_grad, create_graph=True,"
    slips = {False: "result(outputs, create_graph) leaves them their graph"}
    expect(results.requires_grad, True, what, slips=slips)
    what = "the slope of (J v).sum() of x ** 3, create_graph=True,"
    lost = "pass create_graph on to the second pass"
    slips = [(lambda e: "this tensor does not require grad" in str(e), lost),
             (lambda e: "was not used" in str(e), "evaluate(func, inputs, create_graph=True) keeps "
              "the graph of the inputs")]  # fmt: skip
    with calling(what, slips=slips):
        (found,) = tt.autograd.grad(moves.sum(), x)
    expect(found, [12, 300], what)
    (found,) = tt.autograd.grad(results.sum(), x)
    expect(found, [12, 75], "the slope of func(inputs).sum(), x ** 3, create_graph=True,")
    expect(x.grad, None, "x.grad after all that")
