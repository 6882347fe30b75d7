"""Chapter 5: what each exercise promises, for all kinds of tensors, scopes and graphs."""

import contextlib
import gc
import itertools
import weakref
from collections import namedtuple
from functools import partial

import numpy as np
import pytest

import tinytorch as tt
from course.basics import builds_on
from course.contracts import (
    DTYPES,
    EVERY_ERROR,
    NUMBERS,
    VALUES,
    expect_array,
    expect_ending,
    recording_is,
    slopes_of_leaves,
    upstream,
)
from course.testing import (
    calling,
    central_difference,
    error_of,
    expect,
    expect_raises,
    fail_if,
    leaf,
    way_back,
)
from course.zoo import ZOO

FLOATING = (np.float16, np.float32, np.float64, np.longdouble, np.dtype(">f4"))
OTHERS = (np.int8, np.int64, np.uint8, np.bool_)
SHAPES = ((), (1,), (0,), (2, 3), (0, 3))


class Ending(BaseException):
    """An end of a kind that no list of kinds has."""


@pytest.mark.exercise("5.1", points=1)
def test_every_dtype_of_floating_point_numbers_and_no_other_may_ask():
    for shape, dtype in itertools.product(SHAPES, FLOATING):
        data = np.ones(shape, dtype)
        what = f"require_floating, {data.dtype} of shape {shape}, which is floating-point,"
        expect_ending(partial(tt.require_floating, data), None, what)
    for dtype in FLOATING:
        for value in (*VALUES, np.finfo(dtype).max, np.finfo(dtype).tiny):
            data = np.array([value], dtype)
            what = f"require_floating, {data.dtype} {data},"
            expect_ending(partial(tt.require_floating, data), None, what)
    for number in (np.float16(2), np.float32(2), np.float64(2), np.longdouble(2)):
        what = f"require_floating, the number np.{type(number).__name__}(2),"
        expect_ending(partial(tt.require_floating, number), None, what)
    for shape, dtype in itertools.product(SHAPES, OTHERS):
        data = np.ones(shape).astype(dtype)
        what = f"require_floating, {data.dtype} of shape {shape}, which isn't floating-point,"
        error = expect_ending(partial(tt.require_floating, data), RuntimeError, what)
        says = f'{what} raised RuntimeError("{error}"): its message should name the dtype'
        is_named = str(data.dtype) in str(error) or data.dtype.name in str(error)
        fail_if(not is_named, f"{says}, {data.dtype}")
    for data in (
        np.int64(3),
        np.bool_(True),
        np.uint8(3),
        (1, 2),
        True,
        [[1], [2]],
        [np.int64(1), 2],
    ):
        what = f"require_floating({data!r})"
        expect_ending(partial(tt.require_floating, data), RuntimeError, what)
    x = tt.Tensor([1.0, 2.0])
    x.data = np.array([1, 2])
    what = "require_floating of a Tensor whose data was set to an array of integers"
    expect_ending(partial(tt.require_floating, x), RuntimeError, what)
    for shape in SHAPES:  # no Tensor holds them: what real_numbers says of them will do
        what = f"require_floating, complex64 of shape {shape}"
        error = error_of(partial(tt.require_floating, np.ones(shape, np.complex64)))
        fail_if(
            not isinstance(error, (RuntimeError, TypeError)),
            f"{what}: it raised {type(error).__name__ if error else 'no error'}, expected one",
        )


@pytest.mark.exercise("5.1", points=1)
def test_only_its_history_says_whether_a_tensor_is_a_leaf():
    for asks, has_grad, is_made, inputs in itertools.product((0, 1), (0, 1), (0, 1), (0, 1)):
        x = tt.Tensor([] if inputs else 2.0)
        x.requires_grad, x.grad = bool(asks), tt.Tensor(1.0) if has_grad else None
        x.grad_fn = tt.Context(tt.Neg, (x,) * inputs) if is_made else None
        made = f"a ctx with {inputs} input(s) as its grad_fn" if is_made else "no grad_fn"
        for flag in (True, False):
            has = f"requires_grad={bool(asks)}, {x.grad or 'nothing'} in .grad and {made}"
            what = f"is_leaf of a Tensor that has {has}, recording {flag}"
            with recording_is(flag):
                expect(x.is_leaf, not is_made, what, because="grad_fn tells who made it, alone")
    x, ctx = tt.Tensor(2.0), tt.Context(tt.Neg, (tt.Tensor(-2.0),))
    x.grad_fn, ctx.inputs, ctx._saved = ctx, (), None  # as a ctx may look that was freed
    because = "a result remains one when its graph is freed"
    expect(x.is_leaf, False, "is_leaf of a result whose ctx was freed", because=because)


@pytest.mark.exercise("5.2", points=1)
def test_a_call_is_remembered_whole_or_not_at_all():
    class First(tt.Function):
        @staticmethod
        def forward(ctx, *inputs):
            ctx.save_for_backward(*(x for x in inputs if isinstance(x, tt.Tensor)))
            return made

    calls = ("x", "c", "x, c", "c, x", "x, x", "x, 3", "c, x, c", "c, 3, c, x", "empty, c")
    calls += ("y", "c, y", "told", "told, c", "told, x", "y, told", "sub", "c, sub", "x, list")
    numbers = (np.zeros((0, 3)), np.array([np.nan]), np.array([np.inf]))
    for flag, text, array in itertools.product((True, False), calls, numbers):
        x, c = leaf([2.0]), tt.Tensor([3.0])
        x.grad = c.grad = tt.Tensor([5.0])  # who has a gradient may ask for more
        named = {"x": x, "c": c, "empty": leaf([]), "y": x * 3, "told": told_not_to_ask(x)}
        named |= {"sub": type("Sub", (tt.Tensor,), {})([4.0], requires_grad=True), "list": [1, 2]}
        inputs = tuple(named.get(name, 3) for name in text.split(", "))
        made = tt.Tensor(array)
        with recording_is(flag):
            z = First.apply(*inputs)
        asking, others = {"x", "y", "empty", "sub"}, {"c": "c a constant, ", "told": f"{TOLD}, "}
        others["sub"] = "sub of a subclass of Tensor, "
        wanted = flag and bool(asking & {*text.split(", ")})
        known = "".join(says for name, says in others.items() if name in text)
        what = f"First.apply({text}), {known}forward returns a Tensor {array}, recording {flag}"
        expect(z is made, True, f"{what} is the Tensor that forward made")
        expect(z.dtype, np.float64, f"{what}: dtype, float64 from forward")
        whoever = "requires_grad alone says who asks, whoever made it"
        anywhere = "each input counts, wherever it stands"
        slips = {True: whoever if "told" in text else "", False: anywhere if "," in text else ""}
        expect(z.requires_grad, wanted, f"{what}: requires_grad", slips=slips)
        both = "set requires_grad and grad_fn together, or neither"
        expect(z.grad_fn is not None, wanted, f"{what}: grad_fn is set", because=both)
        if wanted:
            kept = z.grad_fn.inputs
            count = f"{what}: how many inputs its ctx remembers"
            why = "backward gives one for each, so constants stay, and what comes twice stays twice"
            expect(len(kept), len(inputs), count, because=why)
            same = all(a is b for a, b in zip(kept, inputs, strict=True))
            expect(same, True, f"{what}: the ctx remembers all inputs themselves, as they came")
            saved = z.grad_fn.saved_tensors
            tensors = sum(isinstance(i, tt.Tensor) for i in inputs)
            expect(
                len(saved), tensors, f"{what}: how many of the Tensors that forward saved are kept"
            )
            del kept, saved
        alive = weakref.ref(inputs[0])
        del x, c, inputs, named
        if not wanted and alive() is not None:
            gc.collect()  # what went round in a circle is gone only now
        expect(alive() is not None, wanted, f"{what}: the result keeps its input in memory")
    expect_left_as_forward_made_it()
    made = tt.Tensor([1.0])
    what = "First.apply(), without an input: the result"
    none = "there may be no input at all: any() of nothing is False"
    with calling("First.apply(), without an input,", slips=[(ValueError, none)]):
        z = First.apply()
    got = [z is made, z.requires_grad, z.grad_fn]
    expect(got, [True, False, None], f"{what} is as it was made")
    because = "whatever forward raises comes out as it is"
    for kind in (*EVERY_ERROR, KeyboardInterrupt, Ending):

        class Fails(tt.Function):
            @staticmethod
            def forward(ctx, x, kind=kind):
                raise kind("on purpose")

        for flag in (True, False):
            with recording_is(flag):
                what = f"f.apply(x), recording {flag}, whose forward raises {kind.__name__},"
                error = expect_ending(partial(Fails.apply, leaf(2)), kind, what)
                expect(error.args, ("on purpose",), f"{what}: what it says", because=because)
                expect(tt.recording, flag, "recording after a forward that raised an error")


TOLD = "told a result that was told not to ask, told = x * 3; told.requires_grad = False"


def told_not_to_ask(x):
    """A result that was recorded, and then told that it asks for no gradient."""
    told = x * 3
    told.requires_grad = False
    return told


def expect_left_as_forward_made_it():
    """Where apply records nothing, it sets nothing: what forward gives may have a history."""
    w, x, c, seen, grad = leaf(2), leaf(5), tt.Tensor(3.0), [], tt.Tensor(7.0)

    class Inner(tt.Function):
        @staticmethod
        def forward(ctx, x):
            seen.append(tt.recording)
            return w * c

    Inner.apply(c)
    because = "forward runs with recording as it is"
    expect(seen, [True], "recording inside the forward of f.apply(c)", because=because)

    what = "f.apply(c), where forward returns w * c, and w asks but c doesn't: the result's"
    because = "no input asks, so apply sets neither of the two, not even to False or None"
    z = Inner.apply(c)
    expect(z.requires_grad, True, f"{what} requires_grad", because=because)
    got = getattr(getattr(z.grad_fn, "function", None), "__name__", None)
    expect(got, "Mul", f"{what} grad_fn.function.__name__", because=because)

    class Asks(Inner):
        @staticmethod
        def forward(ctx, x):
            made = leaf(2)
            made.grad = grad
            return made

    with recording_is(False):
        z = Asks.apply(x)
    expect(z.requires_grad, True, "recording off, forward gives a leaf that asks: it still asks")
    because = "of the result apply changes requires_grad and grad_fn, and nothing else"
    for asking in (x, c):
        what = "f.apply(x), forward gives a Tensor with a .grad: the result's .grad is that"
        expect(Asks.apply(asking).grad is grad, True, what, because=because)


@pytest.mark.exercise("5.3", points=1)
@builds_on("5.2")
def test_every_array_is_shared_as_it_is():
    values = (1.0, np.nan, np.inf)
    for shape, dtype, value in itertools.product(SHAPES, (np.float32, np.float64), values):
        for is_turned in (False, True):
            x = tt.Tensor(np.full(shape, value, dtype))
            x.data = x.data.T[::-1] if is_turned and len(shape) > 1 else x.data
            x.requires_grad = True
            turned = ", a view that is not contiguous" if is_turned and len(shape) > 1 else ""
            kind = f"{x.dtype} of shape {x.shape}{turned}"
            d, what = x.detach(), f"x.detach() for {kind}, all of it {value}"
            because = "the array itself, whatever its shape"
            expect(type(d.data), np.ndarray, f"the type of d.data, d = {what}", because=because)
            expect(d.detach() is d, False, f"{what}: its own detach() is the same Tensor")
            expect_array(d, x.data, what)
            d.data[...] = 5
            x.data[...] += 2
            expect(d.data, np.full(x.shape, 7.0), f"{what}, 5 written to d.data, 2 added to x.data")
    for dtype, flag in itertools.product((np.float32, np.float64), (True, False)):
        for name, t in of_all_sorts(dtype).items():
            expect_detached(t, flag, f"recording {flag}: detach() of {name}")
    x = tt.Tensor([1.0, 2.0])
    x.data.flags.writeable = False
    expect_detached(x, True, "detach() of a Tensor whose array is read-only")
    for kind in (">f8", np.float16, np.longdouble):
        x.data = np.ones(2, kind)
        because = "whatever the array is, the new leaf has that one"
        what = f"detach() of a Tensor whose data is an array of {x.dtype}"
        expect(
            np.shares_memory(x.detach().data, x.data), True, f"{what} shares it", because=because
        )
        expect(x.detach().dtype, x.dtype, f"{what}: its dtype", because=because)


def of_all_sorts(dtype):
    """Tensors of each sort, whoever made them and whether they ask or not; {what it is: it}."""
    x = leaf([1.0, 2.0], dtype)
    return {"a leaf that asks": x, "a constant": tt.Tensor(np.ones(2, dtype)), "x * x": x * x,
            "a result that was told not to ask": told_not_to_ask(x)}  # fmt: skip


def expect_detached(t, flag, what):
    """Detach t with recording on or off: a new leaf with t's numbers, and t as it was."""
    t.grad = grad = tt.Tensor([5.0, 7.0])
    asks, maker = t.requires_grad, t.grad_fn
    with recording_is(flag):
        d = t.detach()
    expect(d is t, False, f"{what} is the Tensor itself")
    got = [d.requires_grad, d.grad_fn is None, d.grad is None, d.is_leaf]
    whose = "requires_grad, grad_fn is None, grad is None, is_leaf"
    expect(got, [False, True, True, True], f"{what}: {whose}")
    because = "the array itself, whatever its shape"
    expect(type(d.data), np.ndarray, f"the type of d.data, d = {what}", because=because)
    is_shared = np.shares_memory(d.data, t.data)
    expect(is_shared, True, f"{what} looks at the very numbers, and not at a copy")
    expect_array(d, t.data, what)
    because = "each call gives a new leaf, which nobody else changes"
    expect(t.detach() is d, False, f"{what}, twice, is the same Tensor", because=because)
    numbers, t.data = t.data, t.data + 1
    t.detach()
    what_is = f"{what}, then other numbers in t.data and another t.detach(): d.data is as it was"
    expect(d.data is numbers or np.shares_memory(d.data, numbers), True, what_is, because=because)
    t.data = numbers
    got = sorted(vars(d))
    because = "a Tensor like any other has these, and nothing of the past beside them"
    expect(got, sorted(vars(tt.Tensor(0.0))), f"{what}: the names on it", because=because)
    got = [t.requires_grad is asks, t.grad_fn is maker, t.grad is grad]
    whose = "whether requires_grad, grad_fn and grad of the first Tensor are what they were"
    expect(got, [True, True, True], f"{what}: {whose}")


WAYS = {
    "no error": None,
    "ZeroDivisionError": ZeroDivisionError,
    "ValueError": ValueError,
    "RuntimeError": RuntimeError,
    "StopIteration": StopIteration,
    "Ctrl-C": KeyboardInterrupt,
    "exit()": SystemExit,
    "the close() of a generator": GeneratorExit,
    "a BaseException": Ending,
}


@pytest.mark.exercise("5.4", points=1)
@builds_on("5.2")
def test_however_scopes_end_and_nest_the_flag_is_as_before():
    back = "however a block ends, what was there before comes back: try … finally"
    for way, error in (WAYS | {kind.__name__: kind for kind in EVERY_ERROR}).items():

        def alone(error=error):
            with tt.no_grad():
                if error:
                    raise error("on purpose")

        with recording_is(True):
            expect_ending(alone, error, f"no_grad() that ends with {way}")
            expect(tt.recording, True, f"recording after no_grad() ended with {way}", because=back)
    for by_hand, flag, outer, inner in itertools.product((False, True), (True, False), WAYS, WAYS):
        seen, raised = [], WAYS[outer] and WAYS[outer]("on purpose")

        def body(error, seen=seen, by_hand=by_hand):
            seen.append(tt.recording)
            tt.recording = by_hand  # that ends with the scope
            if error:
                raise error

        def nested(inner=inner, seen=seen, body=body, raised=raised):
            with tt.no_grad():
                with contextlib.suppress(*filter(None, WAYS.values())):
                    tt.no_grad()(body)(WAYS[inner])
                seen.append(tt.recording)
                body(raised)

        what = f"no_grad() that ends with {outer}, in it one that ends with {inner}"
        what += " (both set recording = True by hand)" * by_hand
        with recording_is(flag):
            came = expect_ending(nested, WAYS[outer], what)
            seen.append(tt.recording)
        is_cut = outer != "no error" or inner != "no error"
        expect(came is raised, True, f"{what}: the very error that was raised comes out")
        expect(tuple(seen[:2]), (False, False), f"{what}: recording in the inner one, and after it")
        because = back if is_cut else "what was there before comes back, be it True or False"
        expect(seen[-1], flag, f"{what}: recording afterwards, {flag} before", because=because)
    for made, flag in ((True, False), (False, True)):
        with recording_is(made):
            scope = tt.no_grad()
        with recording_is(flag):
            with scope:
                pass
            what = f"scope = no_grad(), recording {made}, then `with scope:`, recording {flag}"
            because = "what comes back is what was there at its beginning, not when it was made"
            expect(tt.recording, flag, f"{what}: recording afterwards", because=because)
    with recording_is(before := ["on"]):  # whatever counts as true
        with tt.no_grad():
            pass
        because = "what was there before, and nothing made of it"
        what = "whether recording is the very object that it was before no_grad()"
        expect(tt.recording is before, True, what, because=because)


@pytest.mark.exercise("5.4", points=1)
@builds_on("5.2")
def test_a_decorated_function_calls_itself_and_outlives_the_scope_it_was_made_in():
    inside = []

    @tt.no_grad()
    def depth(n, *, step=1):
        if n > 0:
            depth(n - step, step=step)
        inside.append(tt.recording)

    what = "a function under @no_grad() that calls itself, with an argument by name"
    with calling(what):
        depth(2, step=1)
    expect(inside, [False] * 3, f"recording inside {what}, when the inner call is over")
    expect(tt.recording, True, "recording after a function under @no_grad() that calls itself")
    with tt.no_grad():
        made_inside = tt.no_grad()(lambda: tt.recording)
    expect(made_inside(), False, "recording in a function that was decorated inside no_grad()")
    expect(tt.recording, True, "recording after its call, outside")


@pytest.mark.exercise("5.5", points=1)
@builds_on("5.2")
def test_every_ctx_answers_as_often_as_asked_until_it_is_freed():
    x, w = leaf([[1.0, 2.0], [3.0, 4.0]]), leaf([[2.0, 5.0], [7.0, 3.0]])
    x.grad, w.grad = tt.Tensor(1.0), tt.Tensor(2.0)  # of a pass before
    made = {"-x": -x, "x + w": x + w, "x * w": x * w, "x @ w": x @ w, "x ** 2": x**2,
            "x * 3": x * 3, "3 - x": 3 - x,
            "exp": x.exp(), "x.sum(axis=0)": x.sum(axis=0), "x.T": x.T}  # fmt: skip
    for text, z in made.items():
        ctx, sent, inputs = z.grad_fn, upstream(z.shape, z.dtype), z.grad_fn.inputs
        for time, factor, flag in (("first", 1, False), ("second", -2, True), ("third", 3, False)):
            given = tt.Tensor(sent.data * factor)
            with recording_is(flag):
                wants, grads = ctx.function.backward(ctx, given), ctx.backward(given)
            wants = wants if isinstance(wants, tuple) else (wants,)
            what = f"ctx.backward for {text}, recording {flag}, asked a {time} time"
            fail_if(ctx.inputs != inputs, f"{what}, lost its inputs: only free() frees")
            expect(type(grads), tuple, f"the type of {what}")
            expect(len(grads), len(inputs), f"{what}: how many gradients")
            for i, (grad, want) in enumerate(zip(grads, wants, strict=True)):
                expect(grad is None, want is None, f"{what}: gradient [{i}] is None")
                if want is not None:
                    expect(grad, want.data, f"{what}: gradient [{i}]")
        for time in ("first", "second"):
            ctx.free()
            expect(ctx.inputs, (), f"ctx.inputs for {text} after a {time} free()")
            what = f"ctx.backward for {text} after a {time} free()"
            expect_ending(partial(ctx.backward, sent), RuntimeError, what)
    expect_freed_by_hand(x)
    ctx = failing(ZeroDivisionError, times=0).apply(x).grad_fn
    ctx.function = type("Lists", (), {"backward": staticmethod(lambda ctx, grad: [grad])})
    what = "the type of ctx.backward's answer where Function.backward gives a list"
    expect(type(ctx.backward(tt.Tensor(1.0))), tuple, what, because="it's always a tuple")
    results = (x, None, (), (x,), (None, x), (x, w, x), namedtuple("Two", "a b")(x, w))
    for result, inputs, flag in itertools.product(results, ((), (x,), (x, w)), (True, False)):
        expect_handed_on(result, inputs, flag)


def expect_freed_by_hand(x):
    """A Context made by hand, whatever it holds, answers until it's freed, and then no more."""
    for inputs, saved in itertools.product(((), (x,)), repeat=2):
        ctx = tt.Context((-x).grad_fn.function, inputs)
        ctx.save_for_backward(*saved)
        ctx.free()
        holds = f"{len(inputs)} input(s) and {len(saved)} saved"
        what = f"ctx.backward after free(), a Context made by hand with {holds},"
        expect_ending(partial(ctx.backward, tt.Tensor(1.0)), RuntimeError, what)


def expect_handed_on(result, inputs, flag):
    """A ctx gives what its operation's backward gives, as it is: others judge whether it fits."""
    seen = []

    class Given(tt.Function):
        @staticmethod
        def backward(ctx, grad_z):
            seen.append((grad_z, tt.recording))
            return result

    grad, wants = leaf(3), result if isinstance(result, tuple) else (result,)
    gives = f"a tuple of {len(wants)}" if wants is result else "a Tensor" if result else "None"
    gives += ", a namedtuple" * (type(wants) is not tuple)
    made = f"Context(Given, ({'x, ' * len(inputs)}))"
    what = f"{made}.backward(3), recording {flag}, where Given.backward gives {gives}"
    unasked = "this ctx is new, and free() wasn't called on it"
    slips = [(lambda error: "retain_graph" in str(error), unasked)]
    with recording_is(flag), calling(what, slips=slips):
        got = tt.Context(Given, inputs).backward(grad)
    kind = tuple if isinstance(got, tuple) else type(got)
    expect(kind, tuple, f"the type of {what}")
    whole = "that's a tuple already, of a class of its own: isinstance(grads, tuple) says so"
    slips = [(lambda _: got[0] is result and isinstance(result, tuple), whole)]
    expect(len(got), len(wants), f"{what}: how many gradients, as it gives them", slips=slips)
    others = any(one is not other for one, other in zip(got, wants, strict=True))
    fail_if(others, f"{what}: those are others than Given.backward gave")
    because = "call the Function's backward once, and keep what it gives in a name"
    expect(len(seen), 1, f"{what}: how often that ran", because=because)
    sent, recording = seen[-1]
    fail_if(sent is not grad, f"{what}, which got another Tensor than the ctx did")
    expect(recording, flag, f"{what}: recording inside, which Tensor.backward decides")


@pytest.mark.exercise("5.5", points=1)
@builds_on("5.2")
def test_an_error_of_an_operation_comes_out_as_it_is():
    because = "an error frees nothing, and leaves nothing behind on the ctx"
    for kind in (*EVERY_ERROR, KeyboardInterrupt, Ending):
        x = leaf(2)
        ctx = failing(kind, times=2).apply(x).grad_fn
        for time in ("first", "second"):
            what = f"ctx.backward, not freed, of an operation that raises {kind.__name__},"
            what += f" asked a {time} time,"
            came = expect_ending(partial(ctx.backward, tt.Tensor(1.0)), kind, what)
            expect(came.args, ("on purpose",), f"{what}: what the error says", because=because)
            expect(len(ctx.inputs), 1, f"{what}: len(ctx.inputs) afterwards", because=because)
        what = f"ctx.backward(5) of an operation that raised {kind.__name__} twice before"
        with calling(what):
            (grad,) = ctx.backward(tt.Tensor(5.0))
        expect(grad, 10, what, because=because)


def failing(kind, times):
    """A Function, twice x, whose backward raises this error on purpose so many times."""
    errors = [kind("on purpose") for _ in range(times)]

    class Fails(tt.Function):
        @staticmethod
        def forward(ctx, x):
            return tt.Tensor(x.data * 2)

        @staticmethod
        def backward(ctx, grad_z):
            if errors:
                raise errors.pop()
            return grad_z * 2

    return Fails


@pytest.mark.exercise("5.5", points=1)
@builds_on("5.2")
def test_what_a_ctx_gave_is_not_kept():
    for text, flag in itertools.product(("-x", "x * w"), (True, False)):
        x, w = leaf(2), leaf(3)
        ctx, sent = (x * w if "w" in text else -x).grad_fn, tt.Tensor(5.0)
        with recording_is(flag):
            gave = ctx.backward(sent)[0]
        alive = [weakref.ref(tensor) for tensor in (sent, gave)]
        del sent, gave
        gc.collect()
        for name, tensor in zip(("came to", "was given by"), alive, strict=True):
            what = f"what {name} ctx.backward for {text} is gone, the ctx still lives"
            because = "the gradients of a pass are as large as its results: keep none on the ctx"
            expect(tensor() is None, True, what, because=because)


PASSES = (  # gradient, retain_graph (None: not given), dtype, recording
    (None, None, np.float64, True),
    (None, True, np.float32, True),
    (-2.5, None, np.float32, True),
    (-2.5, True, np.float64, False),
    (0.0, False, np.float64, False),
)


@pytest.mark.exercise("5.6", points=1)
@builds_on("5.1", "5.2", "5.4", "5.5")
def test_every_graph_of_the_zoo_agrees_with_nudging():
    for name, build in ZOO.items():
        slopes = slopes_of_leaves(build)
        for seed, retain, dtype, flag in PASSES:
            root, names = build(tt, partial(leaf, dtype=dtype))
            gradient = None if seed is None else tt.Tensor(np.full(root.shape, seed, dtype))
            options = {} if retain is None else {"retain_graph": retain}
            asked = "".join(f", {option}={value}" for option, value in options.items())
            call = f"backward(gradient={seed}{asked}), recording {flag}, on {name}"
            passes = 2 if retain else 1
            contexts = [t.grad_fn for t in way_back(root) if t.grad_fn is not None]
            makers = [ctx.function.__name__ for ctx in contexts]
            with recording_is(flag), calling(call):
                for _ in range(passes):
                    root.backward(gradient, **options)
            for ctx, maker in zip(contexts, makers, strict=True):
                what = f"{call}: the ctx of {maker} is freed"
                expect(ctx.inputs == (), not retain, what)
            for leafs, tensor in names.items():
                if not tensor.requires_grad or not tensor.is_leaf:
                    expect(tensor.grad is None, True, f"{call}: {leafs}.grad is None")
                elif leafs in slopes:
                    want = slopes[leafs] * (1 if seed is None else seed) * passes
                    what = f"{call}, {passes} time(s), gave {leafs}.grad"
                    expect(tensor.grad, want, what, atol=1e-4, rtol=1e-3)
                    expect(tensor.grad.dtype, dtype, f"{call}: {leafs}.grad.dtype")
                    expect(tensor.grad.requires_grad, False, f"{call}: {leafs}.grad.requires_grad")
            for tensor in filter(lambda t: not retain and not t.is_leaf, names.values()):
                what = f"{call}, then a backward() of something made from one of its results"
                expect_ending((tensor * 2).sum().backward, RuntimeError, what)
    expect_a_shared_gradient_stays()


def expect_a_shared_gradient_stays():
    """One Tensor is the gradient of several tensors: adding to one must leave the others."""

    class Plus(tt.Function):
        @staticmethod
        def forward(ctx, x, y):
            return tt.Tensor(x.data + y.data)

        @staticmethod
        def backward(ctx, grad_z):
            return grad_z, grad_z

    for turned in (False, True):
        a, b = leaf(1), leaf(2)
        both, tenfold = Plus.apply(a, b), a * 10
        (tenfold + both if turned else both + tenfold).backward()
        what = "where a + b gives both the same Tensor: the gradients of a and b in a + b + a * 10"
        expect([a.grad.item(), b.grad.item()], [11.0, 1.0], what)
    x, sent = leaf(1), tt.Tensor(1.0)
    Plus.apply(x, x).backward(sent)
    expect(x.grad, 2, "x.grad after x + x, where both inputs get the same Tensor")
    expect(sent, 1, "the gradient that a pass began with, after it")


@pytest.mark.exercise("5.6", points=1)
@builds_on("5.1", "5.2", "5.4", "5.5")
def test_a_pass_that_cannot_begin_or_is_interrupted_leaves_no_trace():
    for retain, shape in itertools.product((False, True), ((2,), (0,), (2, 3))):
        x = leaf(np.ones(shape))
        y = x * x
        for gradient in (None, tt.Tensor(np.ones((5, 5)))):
            given = None if gradient is None else "of shape (5, 5)"
            what = f"backward(gradient {given}, retain_graph={retain}) on shape {shape}"
            call = partial(y.backward, gradient, retain_graph=retain)
            expect_ending(call, RuntimeError, what)
            expect(x.grad is None, True, f"x.grad is None after {what}")
    x = leaf(0.1)
    for _ in range(2):
        (x * x).backward()
    expect(x.grad, 0.4, "x.grad after two passes over x * x at 0.1, in float64", rtol=1e-12, atol=0)
    y = leaf(2) * 3
    y.requires_grad = False
    row, one, given = tt.Tensor([1.0, 1.0]), tt.Tensor(1.0), tt.Tensor(np.ones(3))
    calls = {"backward() of a constant row": row.backward,
             "backward([1, 1, 1]) of a constant": partial(one.backward, given),
             "backward() of x * 3, told not to ask": y.backward}  # fmt: skip
    for what, call in calls.items():
        error = expect_ending(call, RuntimeError, what)
        says = "requires_grad" in str(error)
        expect(says, True, f"{what} raised {error}: it names requires_grad")
    x, sent = leaf(2), leaf(1)
    for _ in range(2):
        (x * 3).backward(sent)
    because = "nothing of the pass is recorded, and that goes for what accumulate adds, too"
    what = "x.grad.requires_grad after (x * 3).backward(g) twice, where g requires a gradient"
    expect(x.grad.requires_grad, False, what, because=because)
    x = leaf(2)
    for _ in range(2):
        x.backward(sent)
    what = "x.grad.grad_fn is None after x.backward(g) twice, where g requires a gradient"
    expect(x.grad.grad_fn is None, True, what, because=because)
    for count in (0, 1, 3):
        y = giving((tt.Tensor(1.0),) * count).apply(leaf(2), leaf(3))
        what = f"backward() through an operation that gives {count} gradients for 2 inputs"
        expect_ending(y.backward, RuntimeError, what)
    kinds = (KeyboardInterrupt, ValueError, RuntimeError)
    for flag, kind in itertools.product((True, False), kinds):
        x, before = leaf(2), tt.Tensor(5.0)
        x.grad, y = before, failing(kind, times=1).apply(x) * 3
        what = f"backward() that {kind.__name__} ends"
        with recording_is(flag):
            expect_ending(partial(y.backward, retain_graph=True), kind, what)
        expect(x.grad is before, True, f"x.grad is as before, 5, after {what} before it comes to x")
        with calling(f"a second backward(), after {what}, retain_graph=True"):
            y.backward()
        expect(x.grad, 11, f"x.grad, 5 before, after {what}, and a second one that adds 6")


def giving(gradients):
    """A Function of two inputs, x + y, whose backward gives these `gradients`."""

    class Given(tt.Function):
        @staticmethod
        def forward(ctx, x, y):
            return tt.Tensor(x.data + y.data)

        @staticmethod
        def backward(ctx, grad_z):
            return gradients

    return Given


@pytest.mark.exercise("5.6", points=1)
@builds_on("5.1", "5.2", "5.4", "5.5")
def test_gradients_that_do_not_fit_are_an_error():
    good = tt.Tensor([1.0, 1.0])
    cases = {"one gradient for two inputs": (good,), "three for two": (good, good, good),
             "an array in place of a Tensor": (good, np.ones(2)), "None": (good, None),
             "a Tensor of shape ()": (good, tt.Tensor(1.0)),
             "a Tensor of shape (2, 1)": (tt.Tensor([[1.0], [1.0]]), good)}  # fmt: skip
    for text, gradients in cases.items():
        z = giving(gradients).apply(leaf([2, 5]), leaf([3, 7]))
        what = f"backward() through a Function whose backward gives {text}, for shape (2,) twice,"
        slips = {None: "fitting(ctx, grads) raises it: propagate asks it, a loop of yours may, too"}
        expect_raises(RuntimeError, lambda z=z: z.backward(tt.ones(2)), what, slips=slips)
    x = leaf([2, 5])
    for text, other in {"None": None, "an array of another shape": np.ones(3)}.items():
        z = giving((good, other)).apply(x, tt.Tensor([3.0, 7.0]))
        with calling(f"backward() where a constant's gradient is {text}"):
            z.backward(tt.ones(2))
    expect(x.grad, [2, 2], "x.grad after both: nobody asks for a constant's gradient")


@pytest.mark.exercise("5.6", points=1)
@builds_on("5.1", "5.2", "5.4", "5.5")
def test_only_what_belongs_to_the_pass_is_touched():
    x = leaf(3)
    y = x * x
    y.grad, z = tt.Tensor(7.0), y * 2
    z.backward(retain_graph=None)
    because = "what somebody put into the .grad of a result isn't yours"
    expect(y.grad, 7, "y.grad, set to 7 by hand, after the backward() of y * 2", because=because)
    told = []

    class Asks(tt.Function):
        @staticmethod
        def forward(ctx, x):
            return tt.Tensor(x.data * 2)

        @staticmethod
        def backward(ctx, grad_z):
            told.append(tt.recording)
            return grad_z * 2

    expect_untouched_what_does_not_ask()
    (Asks.apply(x) * 3).backward()
    because = "the whole pass runs under no_grad(), the rules of the operations too"
    expect(told, [False], "recording, asked by an operation in its backward", because=because)
    because = "only retain_graph=True keeps it"
    inputs = z.grad_fn.inputs
    expect(inputs, (), "the ctx's inputs after backward(retain_graph=None)", because=because)


def expect_untouched_what_does_not_ask():
    """A result that was told not to ask is a constant to the pass, with a past of its own."""
    x = leaf(3)
    y = x * x
    x.requires_grad, ctx = False, y.grad_fn
    what = "y.backward(), y = x * x, when x asks no more"
    with calling(what):
        y.backward()
    because = "y's ctx was used, whoever gets anything from it"
    expect([x.grad is None, ctx.inputs], [True, ()], f"x.grad is None, and the inputs of y's ctx, "
           f"after {what}", because=because)  # fmt: skip
    x, w = leaf(3), leaf(5)
    told, also = told_not_to_ask(x), x * x
    (told * w + w * told).backward()
    what = f"backward() on told * w + w * told at x = 3, {TOLD}"
    expect(w.grad, 18, f"{what}: w.grad")
    got = [x.grad is None, told.grad is None, told.grad_fn is not None]
    whose = "x.grad is None, told.grad is None, told.grad_fn is set"
    expect(got, [True, True, True], f"{what}: {whose}", because="nothing goes through told")
    told.requires_grad = True
    with calling(f"told.backward(), asking again, after {what}", slips=NOT_IN_THE_PASS):
        (told * also).backward()
    expect(x.grad, 81, f"x.grad after (told * x * x).backward(), told asking again, after {what}")


NOT_IN_THE_PASS = (
    (
        lambda error: "retain_graph" in str(error),
        "a ctx was freed that wasn't used: free those only whose backward ran",
    ),
)


@pytest.mark.exercise("5.7", points=1)
@builds_on("5.2", "5.4")
def test_steps_agree_with_numpy_for_all_parameters():
    for flag, dtype, lr in itertools.product(
        (True, False), (np.float32, np.float64), (0.1, 2, 0, 1e-5, -0.5)
    ):
        rng, parameters, wants = np.random.default_rng(3), [], []
        for shape, scale in itertools.product(SHAPES, (0, 1, 1e-3, 1e4, np.nan, None)):
            p = tt.Tensor(np.asarray(rng.normal(size=shape), dtype))
            p.data = np.asarray(p.data, order="F") if scale == 1 else p.data
            p.requires_grad = scale != 1e-3  # who has a gradient takes the step, whoever asked
            if scale is not None:
                p.grad = tt.Tensor(np.asarray(rng.normal(size=shape) * scale, dtype))
                p.grad.data.flat[1:2] = 0  # one of several numbers has no slope
            parameters.append(p)
            wants.append(p.data - dtype(lr) * p.grad.data if scale is not None else p.data.copy())
        grads, asked = [p.grad for p in parameters], [p.requires_grad for p in parameters]
        numbers = [g and g.data.copy() for g in grads]
        held = [(p.data, p.data.copy()) for p in parameters]
        optimizer = tt.SGD(iter(parameters), lr=lr)
        with recording_is(flag):
            optimizer.step()
        told = zip(parameters, wants, grads, numbers, asked, held, strict=True)
        for p, want, grad, number, asks, (old, _) in told:
            sent = "no gradient" if grad is None else f"gradient {number.ravel()[:2]}"
            kind = f"{dtype.__name__} of shape {p.shape} with requires_grad={asks}"
            what = f"a step with lr={lr} from {kind}, {sent}: p"
            expect(p.requires_grad, asks, f"{what}.requires_grad")
            expect(type(p.data), np.ndarray, f"the type of {what}.data")
            expect(p.data.flags.writeable, True, f"{what}.data can be written to")
            expect_array(p, want, what)
            expect(p.grad is grad, True, f"{what}.grad is the gradient that it was")
            if grad is None:
                expect(p.data is old, True, f"{what}.data is the very array that it was")
            if grad is not None:
                expect(grad, number, f"{what}.grad")
                same = any(p.data is array for array, _ in held)
                expect(same, False, f"{what}.data is the old array, not a new one")
        for array, before in held:
            expect(array, before, "the array that was p.data before a step")
    expect_shapes_as_minus_has_them()


def expect_shapes_as_minus_has_them():
    for shape, other in [((2,), (3,)), ((2, 3), (2,)), ((3,), (0,))]:
        p = leaf(np.ones(shape))
        p.grad = tt.Tensor(np.ones(other))
        numbers, sent = p.data, p.grad
        what = f"a step where p has shape {shape}, and its gradient {other}, which don't broadcast,"
        slips = [
            (lambda _, p=p, numbers=numbers: p.data is numbers, "nobody hears that p stays"),
            (None, "p got numbers, and there are none: the - of two Tensors says so"),
        ]
        expect_raises(Exception, tt.SGD([p], lr=0.5).step, what, slips=slips)
        got = p.requires_grad, p.grad_fn is None, p.grad is sent, p.data is numbers
        whose = "p.requires_grad, p.grad_fn is None, and p.grad and p.data what they were,"
        because = "p stays the same leaf, however a step ends"
        expect(got, (True,) * 4, f"{whose} after {what.rstrip(',')}", because=because)
    for shape, other in [((2,), ()), ((2, 3), (3,)), ((2, 3), (2, 1))]:
        p = leaf(np.ones(shape))
        p.grad = tt.Tensor(np.full(other, 2.0))
        what = (
            f"a step where p, all of it 1, has shape {shape}, its gradient, 2, {other}, lr 0.5: p"
        )
        with calling(what, slips={Exception: "these shapes broadcast, and - takes them"}):
            tt.SGD([p], lr=0.5).step()
        expect(p, np.zeros(shape), what)


@pytest.mark.exercise("5.7", points=1)
@builds_on("5.2", "5.4")
def test_a_parameter_that_had_no_gradient_takes_the_next_step():
    a, b = leaf(2), leaf(5)
    optimizer = tt.SGD([a, b], lr=0.5)
    b.grad = tt.Tensor(np.array(2.0))
    optimizer.step()
    a.grad = tt.Tensor(np.array(2.0))
    optimizer.step()
    expect([a.item(), b.item()], [1.0, 3.0], "a and b after two steps, a's gradient came second")
    optimizer.zero_grad()
    expect(a.grad is None, True, "a.grad is None after zero_grad()")


@pytest.mark.exercise("5.8", points=1)
@builds_on("5.2", "5.4", "5.6")
def test_networks_of_all_sizes_agree_with_numpy_and_with_nudging():
    rng = np.random.default_rng(4)
    sizes = ((2, 3), (1, 1), (3, 4, 2), (2, 1, 3), (2, 3, 3, 2), (2, 2, 3, 2, 1))
    for dtype, widths, rows, flag in itertools.product(DTYPES, sizes, (1, 0, 3), (True, False)):
        numbers = [rng.normal(size=(rows, widths[0]))]
        for n, m in itertools.pairwise(widths):
            numbers += [rng.normal(size=(n, m)), rng.normal(size=m)]
        numbers = [array.astype(dtype) for array in numbers]
        x, *parameters = (leaf(array, dtype) for array in numbers)
        way = " -> ".join(map(str, widths))
        what = f"scores, {dtype.__name__}, {rows} rows, layers of {way} numbers, recording {flag},"
        slips = {Exception: "there may be no rows at all: (0, n) -> (0, m)"} if rows == 0 else ()
        with recording_is(flag), calling(what, slips=slips):
            z = tt.scores(x, parameters)
        expect_array(z, layers_of(*numbers), what)
        expect(z.requires_grad, flag, f"{what}: requires_grad")
        if flag and rows == 3 and dtype is np.float64:
            sent = upstream(z.shape, np.float64)
            z.backward(sent)
            for i, tensor in enumerate((x, *parameters)):
                whose = f"{what}: the gradient of {'parameter ' + str(i - 1) if i else 'x'}"
                want = central_difference(layers_of, numbers, i, sent.data)
                fail_if(tensor.grad is None, f"{whose} is None, expected one")
                expect(tensor.grad, want, whose, atol=1e-5, rtol=1e-3)
    x = tt.Tensor([[1.0, -2.0]])
    parameters = [tt.Tensor([[1.0], [2.0]]), tt.Tensor([3.0])]
    z = tt.scores(x, parameters)
    expect(z.requires_grad, False, "scores(x, [W, b]) of constants: requires_grad")
    expect_each_place_is_a_layer()
    expect_a_hundred_layers()
    expect_relu_of_every_number()
    expect_misfits_are_heard_of()
    expect_only_the_graph_holds_it()


SEVERAL = {  # which W and which b each layer has
    "the same W in two layers": ((0, 0), (0, 1)),
    "the same b in two layers": ((0, 0), (1, 0)),
    "the same layer three times": ((0, 0), (0, 0), (0, 0)),
    "the last layer the first again": ((0, 0), (1, 1), (0, 0)),
    "the third layer the second again": ((0, 0), (1, 1), (1, 1), (2, 2)),
    "the last W the second again": ((0, 0), (1, 1), (2, 2), (1, 0)),
}


def expect_each_place_is_a_layer():
    """A Tensor may stand in several places of the list, and be x besides."""
    rng = np.random.default_rng(6)
    because = "each place counts, though a Tensor may stand in several"
    for (said, places), is_x in itertools.product(SEVERAL.items(), (False, True)):
        numbers = [*rng.normal(size=(4, 2, 2)), *rng.normal(size=(3, 2))]
        tensors = [leaf(array) for array in numbers]
        at = [k for i, j in places for k in (i, 4 + j)]  # 3 is x
        x = 0 if is_x else 3
        what = f"scores, a network with {said}{', and x is its first W' * is_x}"
        with calling(what):
            z = tt.scores(tensors[x], [tensors[k] for k in at])

        def made(*numbers, x=x, at=at):
            return layers_of(numbers[x], *(numbers[k] for k in at))

        expect(z, made(*numbers), what, because=because)
        sent = upstream(z.shape, np.float64)
        with calling(f"backward() through {what}"):
            z.backward(sent)
        for k in {x, *at}:
            want = central_difference(made, numbers, k, sent.data)
            whose = f"{what}: the gradient of {'x' if k == x else 'Wb'[k > 3]}"
            fail_if(tensors[k].grad is None, f"{whose} is None, expected one")
            expect(tensors[k].grad, want, whose, because=because, atol=1e-5, rtol=1e-3)


ENOUGH = 20_000  # operations: a hundred layers need 299


def expect_a_hundred_layers():
    slips = {RecursionError: "too many calls within calls for Python: take the layers in a loop"}
    for x, number, want in ((0, 1, 100), (3, -1, -1)):
        parameters = [leaf(np.full(shape, number)) for shape in [(1, 1), (1,)] * 100]
        what = f"scores([[{x}]]), a hundred layers, all with W = [[{number}]], b = [{number}]"
        apply, ran = vars(tt.Function)["apply"].__func__, []

        def counted(cls, *inputs, apply=apply, ran=ran, what=what):
            ran.append(cls)
            says = f"{what} has run {ENOUGH:,} operations, and isn't done: each layer needs three"
            fail_if(len(ran) > ENOUGH, f"{says}, so keep what a layer made in a name")
            return apply(cls, *inputs)

        with pytest.MonkeyPatch.context() as patch, calling(what, slips=slips):
            patch.setattr(tt.Function, "apply", classmethod(counted))
            z = tt.scores(leaf([[x]]), parameters)
        expect(z, [[want]], what, because="all layers of the list, however many there are")


def expect_relu_of_every_number():
    """A network with one hidden number, its b1: what relu makes of it, and of its slope."""
    for dtype in DTYPES:
        largest, tiniest = np.finfo(dtype).max / 2, np.finfo(dtype).tiny
        for number in (*NUMBERS, largest, -largest, tiniest, -tiniest):
            arrays = [np.array(n, dtype) for n in ([[1]], [[0]], [number], [[1]], [0])]
            x, *parameters = (leaf(array, dtype) for array in arrays)
            hidden, slope = max(dtype(number), dtype(0)), float(number > 0)
            at = f"{np.dtype(dtype)}, hidden number {number:g}, W2 = [[1]], b2 = [0]"
            with np.errstate(all="ignore"), calling(f"scores, {at},"):
                z = tt.scores(x, parameters)
                z.backward(tt.Tensor(np.ones((1, 1), dtype)))
            lost = "-inf * 0 and -inf + inf are NaN: z.relu() gives 0"
            slips = [(lambda z: np.isnan(z.data).all(), lost)]
            expect(z, [[hidden]], f"scores, {at}", slips=slips, atol=0)
            wants = {"b1": (parameters[1], [slope]), "W2": (parameters[2], [[hidden]])}
            flat = "the slope of relu is 1 above 0, else 0"
            for name, (tensor, want) in wants.items():
                what = f"scores, {at}: the gradient of {name}"
                fail_if(tensor.grad is None, f"{what} is None, expected one")
                expect(tensor.grad, want, what, because=flat * (name == "b1"), atol=0)


def expect_misfits_are_heard_of():
    slips = {None: "@ and + raise one where shapes don't fit: let it through"}
    for place, shape in itertools.product((1, 2, 0), ((3, 2), (3,))):
        shapes = [(2, 2), (2,)] * 3
        shapes[2 * place + (len(shape) == 1)] = shape
        parameters = [leaf(np.ones(shape)) for shape in shapes]
        what = f"scores of a row of 2, parameters of shapes {', '.join(map(str, shapes))},"
        call = partial(tt.scores, leaf([[1, 2]]), parameters)
        expect_raises(Exception, call, what, slips=slips)


def expect_only_the_graph_holds_it():
    """Gradients that were there stay, and a pass frees what's hidden, though the result lives."""
    shapes = {"x": (4, 2), "W1": (2, 3), "b1": (3,), "W2": (3, 3), "b2": (3,), "W3": (3, 1),
              "b3": (1,)}  # fmt: skip
    rng = np.random.default_rng(8)
    x, *parameters = tensors = [leaf(rng.normal(size=shape)) for shape in shapes.values()]
    before = [tt.Tensor(np.full(tensor.shape, 5.0)) for tensor in tensors]
    for tensor, grad in zip(tensors, before, strict=True):
        tensor.grad = grad
    z, call = tt.scores(x, parameters), "scores(x, [W1, b1, …, b3]), all with a .grad of 5s,"
    because = "gradients of several batches may add up: only zero_grad forgets them"
    for name, tensor, grad in zip(shapes, tensors, before, strict=True):
        what = f"{call}: {name}.grad is the Tensor that it was"
        expect(tensor.grad is grad, True, what, because=because)
        expect(grad, np.full(grad.shape, 5.0), f"{call}: {name}.grad", because=because)
    because = "whoever keeps the scores keeps all that hangs on them"
    got = sorted(vars(z))
    expect(got, sorted(vars(tt.Tensor(0.0))), f"{call} the names on the result", because=because)
    hidden = [weakref.ref(made) for made in way_back(z) if made is not z and not made.is_leaf]
    z.backward(upstream(z.shape, np.float64))
    gc.collect()
    left, what = sum(made() is not None for made in hidden), f"z = {call} then z.backward()"
    because = "a pass frees the graph, and nothing else should hold what's between the layers"
    expect(left, 0, f"{what}: how many hidden Tensors are still in memory", because=because)


def layers_of(x, *parameters):
    """What scores() does, in NumPy."""
    *hidden, last = zip(parameters[::2], parameters[1::2], strict=True)
    for W, b in hidden:
        x = np.maximum(x @ W + b, 0)
    return x @ last[0] + last[1]
