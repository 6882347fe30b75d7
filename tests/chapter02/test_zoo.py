"""Chapter 2: what each exercise promises, for all kinds of inputs."""

import gc
import itertools
import operator
import warnings
import weakref
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

import tinytorch as tt
from course.basics import builds_on, needs_notes
from course.contracts import (
    DTYPES,
    EACH_PLACE,
    NUMBERS,
    SLOPE_TOLERANCES,
    VALUES,
    arrays,
    expect_array,
    expect_ending,
    expect_gradients_with_history,
    expect_history,
    expect_made_of_what_is_sent,
    expect_no_trace,
    expect_notes,
    expect_operation,
    expect_the_wider_dtype,
    leaf_like,
    matrices,
    numbers,
    upstream,
)
from course.testing import (
    calling,
    expect,
    expect_gradients,
    expect_local_gradients,
    fail_if,
    leaf,
    local_gradients,
)


def lists_of_tensors():
    class Special(tt.Tensor):
        pass

    x, y, z = leaf([2, 5]), leaf(3), leaf([1, 2])
    y.note, z.grad_fn = tt.Tensor(1.0), tt.Context(tt.Neg, (x,))  # these may get lost
    return {"()": (), "(x, y)": (x, y), "(x, y, z)": (x, y, z),
            "(y, x, y)": (y, x, y), "(z)": (z,), "(s)": (Special(2),),
            "(empty, 0, nan)": (leaf([]), leaf(0), leaf([np.nan]))}  # fmt: skip


def in_words(tensors):
    return "nothing" if tensors == "()" else tensors


class Lookalike(SimpleNamespace):
    def __repr__(self):
        return "<no Tensor, though it has data, grad_fn and all>"


def lists_with_others():
    """Tensors and, in each place that there is, something else."""
    alike = Lookalike(**vars(leaf(1)), shape=(), dtype=np.dtype(float))
    for other in (3, None, np.ones(2), [tt.Tensor(1)], tt.Tensor, alike):
        for size in (1, 2, 3):
            for place in range(size):
                tensors = [tt.Tensor(i) for i in range(size)]
                yield *tensors[:place], other, *tensors[place + 1 :]


@pytest.mark.exercise("2.1", points=1)
def test_whatever_is_saved_comes_back_until_something_else_is_saved():
    for before, first in lists_of_tensors().items():
        for after, second in lists_of_tensors().items():
            ctx = tt.Context(tt.Add, (3,))
            ctx.save_for_backward(*first)
            subclass = {TypeError: "a Tensor of a subclass is a Tensor: ask isinstance"}
            with calling(f"save_for_backward{after}", slips=subclass if after == "(s)" else ()):
                ctx.save_for_backward(*second)
            saving = f"after saving {in_words(before)}, then {in_words(after)}"
            what = f"saved_tensors {saving}"
            slips = [
                (lambda got, first=first: got == first, "saving nothing replaces it too"),
                (lambda got, want=second: len(got) == 2 and len(want) == 3 and want[0] is want[2],
                 "saved twice, it comes back twice"),
            ]  # fmt: skip
            expect(ctx.saved_tensors, second, what, slips=slips)
            slips = {(): "reading it must not empty it"}
            expect(ctx.saved_tensors, second, f"{what}, read again", slips=slips)
            if not first:
                expect_refusals(ctx, second, in_words(after))
            because = "what is saved has a place of its own"
            what = f"ctx.function and ctx.inputs {saving}"
            expect((ctx.function, ctx.inputs), (tt.Add, (3,)), what, because=because)
    expect_seen_as_it_is_now()
    expect_kept_as_long_as_saved()


def expect_seen_as_it_is_now():
    """What was saved may get other numbers: nobody puts the old ones back, nor forbids it."""
    ctx, x, y = tt.Context(tt.Add, ()), leaf([2, 5]), leaf(3)
    ctx.save_for_backward(x, y)
    with calling("x.data[0] = 7, after save_for_backward(x, y)"):
        x.data[0] = 7
    y.data = np.array(4.0)
    saved, because = ctx.saved_tensors, "it is the Tensor that is saved, and not its numbers"
    expect(x, [7, 5], "x after x.data[0] = 7, then saved_tensors", because=because)
    expect(y, 4, "y after y.data = np.array(4.0), then saved_tensors", because=because)
    expect(saved, (x, y), "saved_tensors after x and y got other numbers", because=because)


def expect_kept_as_long_as_saved():
    """A ctx keeps what it has saved alive by itself, and what it had saved before no longer."""
    ctx, x = tt.Context(tt.Add, ()), leaf(2)
    alive = weakref.ref(x)
    ctx.save_for_backward(x)
    del x
    what = "a Tensor that is saved lives on, though nobody else has it"
    expect(alive() is not None, True, what)
    ctx.save_for_backward(leaf(3))
    what = "a Tensor that was saved is gone once another is saved in its place"
    expect(alive() is None, True, what)


def is_one_of(*lists):
    """Asks whether these very objects came, in this order, as in one of the lists."""
    return lambda got: any(
        len(got) == len(each) and all(map(operator.is_, got, each)) for each in lists
    )


def expect_refusals(ctx, saved, after):
    for refused in lists_with_others():
        what = f"save_for_backward({', '.join(map(repr, refused))})"
        expect_ending(partial(ctx.save_for_backward, *refused), TypeError, what)
        first = next(i for i, x in enumerate(refused) if type(x) is not tt.Tensor)
        kept = is_one_of(refused[:first], refused)
        slips = [(kept, "look at all of them before you keep any")]
        what = f"{after} was saved, then {what} was refused: saved_tensors"
        expect(ctx.saved_tensors, saved, what, slips=slips)


def lists_of_inputs():
    x, y = leaf([2, 5]), leaf([3, 7])
    lists = {"x": (x,), "-x": (-x,), "x, y": (x, y), "x, x": (x, x), "x, 3": (x, 3),
             "-x, 3": (-x, 3), "x, None, (0, 1)": (x, None, (0, 1)), "3, x": (3, x)}  # fmt: skip
    lists |= {"x, an array": (x, np.ones(1)), "x, np.float64(3)": (x, np.float64(3.0))}
    if (-tt.Tensor(1.0)).grad_fn is not None:  # later on somebody must ask for a gradient
        lists |= {"3, [4, 5]": (3, [4, 5]), "[x, y]": ([x, y],), "": ()}
    return lists


def settings():
    return np.geterr(), list(warnings.filters)


def first_of_its_kind(made):
    """An operation that notes what its forward meets, and returns what made() gives."""
    seen = []

    class Base(tt.Function):
        def __init__(self):
            raise TypeError("nobody makes an object of an operation: call cls.forward as it is")

        @staticmethod
        def forward(ctx, *inputs):
            saved = getattr(ctx, "saved_tensors", ())
            result = made()
            inner = getattr(result.grad_fn, "function", type(None)).__name__
            held = sorted(vars(result)), inner, result.data
            seen.append((ctx, inputs, result, saved, settings(), held))
            return result

    class Probe(Base):
        """Its forward is that of another."""

    return Probe, seen


def of_a_subclass():
    class Sub(tt.Tensor):
        pass

    return Sub(1.0)


RESULTS = {
    "Tensor(1)": (lambda: tt.Tensor(1.0), "NoneType"),
    "-x": (lambda: -leaf(1), "Neg"),
    "a Tensor of a subclass": (of_a_subclass, "NoneType"),
}


@pytest.mark.exercise("2.2", points=1)
@builds_on("2.1")
def test_every_call_is_remembered_as_it_was():
    for returned, (made, function) in RESULTS.items():
        for text, inputs in lists_of_inputs().items():
            Probe, seen = first_of_its_kind(made)
            what = f"Probe.apply({text}), forward gives {returned},"
            expect_remembered(Probe, seen, inputs, what, function)
        Probe, _ = first_of_its_kind(made)
        expect_no_trace(lambda Probe=Probe: Probe.apply(leaf(1), 3), "Probe.apply(x, 3)", Probe)
    expect_calls_within_calls()
    expect_saved_afterwards()
    saved, because = (leaf(2) + leaf(3)).grad_fn.saved_tensors, "forward alone says what is saved"
    expect(saved, (), "what x + y has saved, where Add.forward saves nothing", because=because)
    for kind in (ZeroDivisionError, KeyboardInterrupt, AttributeError):
        calls = []

        def fails(kind=kind, calls=calls):
            calls.append(kind)
            raise kind

        Probe, _ = first_of_its_kind(fails)
        what = f"Probe.apply(x), forward raises {kind.__name__},"
        expect_ending(partial(Probe.apply, leaf(1)), kind, what)
        expect(len(calls), 1, f"{what} runs of forward")


def expect_calls_within_calls():
    class Again(tt.Function):
        @staticmethod
        def forward(ctx, x, times):
            return Again.apply(x, times - 1) if times else tt.Tensor(x.data * 2)

    x, what = leaf(2), "Again.apply(x, 2), whose forward calls Again.apply(x, 1)"
    with calling(what):
        z = Again.apply(x, 2)
    expect(z, 4, what)
    because = "each call has a ctx of its own, and the outer one comes last"
    expect(z.grad_fn.inputs, (x, 2), f"{what}: grad_fn.inputs", because=because)


def expect_saved_afterwards():
    class Saves(tt.Function):
        @staticmethod
        def forward(ctx, x):
            z = tt.Tensor(x.data * 2)
            ctx.save_for_backward(z, x)
            return z

    x = leaf(2)
    z = Saves.apply(x)
    is_whole = [a is b for a, b in zip(z.grad_fn.saved_tensors, (z, x), strict=False)]
    what = "which of the two Tensors that forward saved, its result and x, the ctx has after apply"
    expect(is_whole, [True, True], what, because="what forward saves is its own affair")
    open_ = [t.data.flags.writeable for t in (x, z)]
    what = "may the arrays of x and of the result be written to, after apply"
    expect(open_, [True, True], what, because="apply leaves them as they are")


def expect_remembered(Probe, seen, inputs, what, function):
    outside = settings()
    with calling(what.rpartition(", forward")[0]):
        result = Probe.apply(*inputs)
    ((ctx, given, made, saved, within, held),) = seen
    because = "forward alone decides what is saved"
    expect(saved, (), f"{what} what ctx has saved before forward runs", because=because)
    because = "inputs go on to forward as they came"
    slips = [(lambda got: list(map(repr, got)) == list(map(repr, inputs)),
              "these are copies: hand on the very objects that came")]  # fmt: skip
    expect(given, inputs, f"{what} what forward was given", slips=slips, because=because)
    what_is = f"{what} np.geterr() and the warnings filters are as outside while forward runs"
    expect(within == outside, True, what_is)
    expect(result is made, True, f"{what} is what forward returned")
    because = "pin the very ctx that forward got, whatever the inputs and the result remember"
    if not any(isinstance(x, tt.Tensor) for x in inputs):
        because = "pin the ctx whatever the inputs are: plain numbers too"
    expect(result.grad_fn is ctx, True, f"{what} grad_fn is the call's ctx", because=because)
    if hasattr(tt, "Context"):  # the finished library has none
        because = "the operation that was called, wherever its forward was written"
        expect(
            result.grad_fn.function is Probe, True, f"{what} ctx.function is Probe", because=because
        )
    because = "a tuple of all inputs, as they came"
    expect(ctx.inputs, inputs, f"{what} grad_fn.inputs", because=because)
    if hasattr(tt, "Context"):  # the finished library has none
        expect_nothing_more(Probe, result, held, what, function)
    del ctx, made
    seen.clear()
    alive = weakref.ref(result)
    with collector_off():
        del result
        is_gone = alive() is None
    expect(is_gone, True, f"{what} the result is gone as soon as nobody uses it any more")


def expect_nothing_more(Probe, result, held, what, function):
    """Of ctx and result nothing is other than forward left it, but for grad_fn."""
    ctx, (names, inner, array) = result.grad_fn, held
    because = "apply puts nothing more on the ctx than Context(cls, inputs) does"
    wanted = sorted(vars(tt.Context(Probe, ctx.inputs)))
    expect(sorted(vars(ctx)), wanted, f"{what} the names on the ctx", because=because)
    because = "apply puts grad_fn on it, and nothing more"
    expect(sorted(vars(result)), names, f"{what} the names on the result", because=because)
    expect(result.data is array, True, f"{what} its array is the one that forward made")
    because = "an operation inside of forward is an operation like any other"
    expect(inner, function, f"{what} grad_fn.function of that, inside", because=because)


@contextmanager
def collector_off():
    """Without the collector, which would also find what goes round in a circle, some day."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def expect_dtypes_stay(what, operation, *given):
    """As the docstring of Function says, for the result and for the gradients."""
    because = "float32 in, float32 out, and float64 in, float64 out: both ways"
    for dtype in DTYPES:
        tensors = [leaf(numbers, dtype) for numbers in given]
        want, said = np.dtype(dtype), f"{what} in {np.dtype(dtype)}"
        with calling(said):
            z = operation(*tensors)
        expect(z.dtype, want, f"the dtype of {said}", because=because)
        grads = local_gradients(z, tensors, upstream(z.shape, dtype), said)
        for name, grad in zip("xy", grads, strict=False):
            whose = f"{said}: the dtype of the gradient of {name}"
            expect(getattr(grad, "dtype", want), want, whose, because=because)


@pytest.mark.exercise("2.3", points=1)
@needs_notes
def test_mul_agrees_with_numpy_on_everything():
    expect_dtypes_stay("x * y", operator.mul, [2, 3], [5, 7])
    small = leaf_like(np.array(1e-30))
    product = small * small
    expect_array(product, 1e-60, "1e-30 * 1e-30")
    expect(product, 1e-60, "1e-30 * 1e-30", because="however small the product is", atol=0)
    expect_operation("x * y", lambda x, y: x * y, np.multiply, arrays(2), saves="xy")


@pytest.mark.exercise("2.4", points=1)
@needs_notes
def test_div_agrees_with_numpy_on_everything():
    expect_dtypes_stay("x / y", operator.truediv, [2, 3], [5, 7])
    small, tiny = leaf(1e-40), leaf(1e-310)
    expect(small / small, 1, "1e-40 / 1e-40")
    slips = {np.inf: "y is tiny, not 0: divide at once, 1 / y is too large"}
    expect(tiny / tiny, 1, "1e-310 / 1e-310", slips=slips)
    zero, because = leaf([0, 0]), "division by zero gives what NumPy gives"
    slips = {Exception: because}
    with np.errstate(all="ignore"), calling("[1, 0] / [0, 0]", slips=slips):
        expect(leaf([1, 0]) / zero, [np.inf, np.nan], "[1, 0] / [0, 0]", because=because)
    expect_operation("x / y", lambda x, y: x / y, np.divide, arrays(2), saves="xy")
    x, y, because = leaf([1, -3]), leaf([0, 0]), "division by zero gives what NumPy gives"
    with np.errstate(all="ignore"):
        expected = {"x": (x, [np.inf, np.inf]), "y": (y, [-np.inf, np.inf])}
        expect_gradients(
            x / y, [2, 2], "[1, -3] / [0, 0] with grad_z = 2", because=because, **expected
        )
    x, y, because = leaf(1), leaf(1e-3), "the slope itself has no eps in it"
    expected = {"x": (x, 1e3), "y": (y, -1e6)}
    expect_gradients(x / y, 1, "1 / 0.001 with grad_z = 1", because=because, **expected)


IN_FLOAT32 = "a Tensor makes float32 of a plain number, and that costs digits"
POWERS = (1, 2, 3, 12, -1, -2, 0.5, 0.3, 0.25, 1 / 3, -0.5, 2.0)


@pytest.mark.exercise("2.5", points=1)
@needs_notes
def test_pow_agrees_with_numpy_on_everything():
    because = "the exponent is no Tensor, and nobody asked for its gradient"
    ctx = (leaf(5) ** 3).grad_fn
    if hasattr(ctx, "inputs"):  # the library keeps notes of another kind
        grad = ctx.backward(leaf(1))[-1]
        expect(grad, None, "x ** 3 at 5: the gradient of the exponent", because=because)
    for n in (3, 0, -1):
        expect_dtypes_stay(f"x ** {n}", lambda x, n=n: x**n, [2, 5])
    layouts = {"": numbers((2, 3)), ", x turned on its side, as by .T": numbers((3, 2)).T}
    for (said, x), n in itertools.product(layouts.items(), (-3, -2, -1, 0, 1, 2)):
        with calling(f"x ** {n}{said}"):  # backward takes the power below
            expect_array(leaf_like(x) ** n, x**n, f"x ** {n}{said}")
            single = x.astype(np.float32)
            expect_array(leaf_like(single) ** n, single**n, f"x ** {n} in float32{said}")
    for n in POWERS:
        what, ctx = f"x ** {n}", (leaf(2) ** n).grad_fn
        if hasattr(ctx, "inputs"):  # the library keeps notes of another kind
            gone = f"after {what} there is no ctx.exponent: keep the number under that name"
            fail_if(not hasattr(ctx, "exponent"), gone)
            got, because = ctx.exponent, "keep it as it came"
            expect(got, n, f"{what}: ctx.exponent", because=because, rtol=0, atol=0)
        # the root of -inf is nan by sqrt and inf by pow: open
        inputs = arrays(values=[v for v in VALUES if (v, n) != (-np.inf, 0.5)])
        expect_operation(what, lambda x, n=n: x**n, lambda x, n=n: x**n, inputs, saves="x")
    x = leaf([1e-12, 0])
    with np.errstate(all="ignore"):
        expected, because = {"x": (x, [5e5, np.inf])}, "the slope is n x^(n-1), with no eps in it"
        expect_gradients(
            x**0.5, [1, 1], "[1e-12, 0] ** 0.5 with grad_z = 1", because=because, **expected
        )
    for n in (1.00005, 2.00001, -0.99999):
        because = "it's no whole number, and stays what it is"
        expect(leaf(1e10) ** n, 1e10**n, f"1e10 ** {n}", because=because, rtol=1e-9)
    x = np.array([2.0, 3.0])
    for n in (0, 0.3):
        z, what = leaf_like(x) ** n, f"[2, 3] ** {n}: the gradient of x, in float64"
        short = float(np.float32(n)) * x ** (n - 1)
        slips = [(lambda g, short=short: np.allclose(g.data, short, 1e-12, 0), IN_FLOAT32)]
        grad = z.grad_fn.backward(leaf([1, 1]))[0]
        expect(grad, n * x ** (n - 1), what, slips=slips, rtol=1e-9, atol=0)
        expect_array(grad, n * x ** (n - 1), what)


@pytest.mark.exercise("2.6", points=1)
@needs_notes
def test_relu_agrees_with_numpy_on_everything():
    expect_dtypes_stay("relu", lambda x: x.relu(), [2, -5])
    slips = {np.nan: "-inf * 0 and -inf + inf are nan: choose with np.maximum or np.where"}
    with np.errstate(all="ignore"):
        expect(leaf(-np.inf).relu(), 0, "relu of -inf", slips=slips)
    inputs = arrays(values=NUMBERS)  # without NaN, which is open
    expect_operation("relu", lambda x: x.relu(), lambda x: np.maximum(x, 0), inputs, saves="x")
    x, because = leaf([np.inf, -np.inf]), "inf > 0 too: the slope is 1 there, and 0 at -inf"
    with np.errstate(all="ignore"):
        expect_gradients(
            x.relu(), [2, 2], "relu of [inf, -inf] with grad_z = 2", because=because, x=(x, [2, 0])
        )
    small = [5e-3, 1e-6, 1e-9, 1e-30, 1e-50]
    x, because = leaf(small), "z = x, with slope 1, wherever x > 0, however small x is"
    expect(x.relu(), small, "relu near 0", because=because, atol=0)
    sent = [2, 2, 2, 2, 2]
    expect_gradients(x.relu(), sent, "relu near 0 with grad_z = 2", because=because, x=(x, sent))


def products():
    """Pairs of arrays that @ takes: those of matrices(), and those that their gradients take."""
    for a, b in matrices():
        sent = upstream((len(a), b.shape[1]), a.dtype).data
        yield from ((a, b), (sent, b.T), (a.T, sent))


@pytest.mark.exercise("2.7", points=1)
@needs_notes
def test_matmul_agrees_with_numpy_on_all_shapes():
    expect_dtypes_stay("x @ y", operator.matmul, [[1, 2], [3, 4]], [[1, 10], [100, 1000]])
    for a, b in products():
        what = f"{a.shape} @ {b.shape}, {a.dtype}"
        with calling(what):
            expect_array(leaf_like(a) @ leaf_like(b), a @ b, what)
    for a, b in matrices():
        x, y = leaf_like(a), leaf_like(b)
        z, what = x @ y, f"{a.shape} @ {b.shape}, {a.dtype}"
        sent = upstream(z.shape, z.dtype)
        grad_x, grad_y = z.grad_fn.backward(sent)
        expect_array(grad_x, sent.data @ b.T, f"{what}: the gradient of x")
        expect_array(grad_y, a.T @ sent.data, f"{what}: the gradient of y")
        expect_notes(z, [x, y], sent, [grad_x, grad_y], what, "xy")
        if z.dtype == np.float64:
            expect_gradients_with_history(lambda x, y: x @ y, [x, y], what)
    x, y, what = leaf([[0, 1]]), leaf([[0], [0]]), "[[0, 1]] @ [[0], [0]]"
    expect_made_of_what_is_sent(x @ y, [x, y], leaf([[2]]), what)
    for odd, total in ((np.nan, np.nan), (np.inf, np.nan)):  # 0 * nan and 0 * inf are nan
        with np.errstate(all="ignore"):
            product = x @ leaf([[odd], [2]])
        expect(product, [[total]], f"[[0, 1]] @ [[{odd}], [2]]")
    expect_the_wider_dtype("x @ y", lambda x, y: x @ y, np.matmul, (2, 2))
    x = leaf([[1, -2], [3, 4]])
    expect_local_gradients(x @ x, [x, x], lambda x, y: x @ y, "x @ x", because=EACH_PLACE)
    expect_no_trace(lambda: x @ x, "x @ y")


def expect_walk(x, y, sent, what, always=""):
    """walk_back(x, y, sent), Tensors, agrees with the formula that nobody needs for it.

    `always` is what holds for such x and y.
    """
    same = "float32 in, float32 out, and float64 in, float64 out"
    with calling(what):
        grads = tt.walk_back(x, y, sent)
    a, b = (np.exp(t.data.astype(np.float64)) for t in (x, y))
    slope = a * b / (a + b) ** 2 * sent.data
    for name, grad, want in zip("xy", grads, (slope, -slope), strict=True):
        said = f"{what}: the gradient of {name}"
        expect(grad.dtype, x.dtype, f"the dtype of {said}", because=same)
        slips = [(lambda _: always, always)]
        expect_array(grad, want.astype(x.dtype), said, SLOPE_TOLERANCES, slips=slips)


@pytest.mark.exercise("2.8", points=1)
@builds_on("2.4")
@needs_notes
def test_a_walk_agrees_with_the_formula_on_everything():
    for a, b in arrays(2, values=(0.0, -0.0, 1.0, -1.0, 2.5, -0.3)):
        x, y = leaf_like(a), leaf_like(b)
        what = f"walk_back(x, y, grad_z), {a.dtype} of shape {a.shape}"
        sent = upstream(a.shape, a.dtype)
        expect_walk(x, y, sent, what)
        expect_walk(x, y, leaf_like(sent.data * 0), f"{what}, zeros in grad_z")
        expect_walk(x, x, sent, f"{what}, x and y the same Tensor", EACH_PLACE)
    x, y, sent = leaf([1, -2]), leaf([0.5, 2]), leaf([3, -1])
    past = "what goes in may have been made by operations: the walk ends there all the same"
    expect_walk(x * y, -y, sent, "walk_back(x * y, -y, grad_z), [1, -2] and [0.5, 2]", past)

    def gradients(x, y, sent):
        grads = zip("xy", tt.walk_back(x, y, sent), strict=True)
        return {f"walk_back(x, y, grad_z): the gradient of {name}": grad for name, grad in grads}

    expect_history(gradients, x=x, y=y, grad_z=sent)
    expect_no_trace(lambda: tt.walk_back(x, y, sent), "walk_back(x, y, grad_z)")
