"""Chapter 9's contracts, run last: all shapes and dtypes, all mixes of inputs, all endings."""

import gc
import itertools
import weakref
from threading import Event, Thread
from traceback import walk_tb
from typing import NamedTuple

import numpy as np
import pytest

import tinytorch as tt
from course.contracts import (
    DTYPES,
    EVERY_ERROR,
    SHAPES,
    expect_array,
    expect_ending,
    numbers,
    upstream,
)
from course.nodes import no_function
from course.testing import (
    calling,
    calls_of,
    error_of,
    expect,
    expect_raises,
    fail_if,
    leaf,
    worded,
)

ENDINGS = (None, ZeroDivisionError, KeyboardInterrupt, SystemExit, GeneratorExit)
SIZES = ((3, 2, 4), (1, 1, 1), (1, 3, 2), (4, 1, 3), (0, 3, 2), (5, 5, 5))
LOOSE = {"float64": (1e-7, 1e-9), "float32": (1e-3, 1e-4)}  # of solutions


OF_ITS_SHAPE = (
    lambda e: "returned a gradient of shape" in str(e),
    "a gradient has the shape of its argument, also where an axis of that is 1 long, or 0",
)
THERE = "it's wanted, so it's a Tensor, of zeros where there are no rows, or only zeros come"
ZERO = "a zero is a number like any other: it has a history, and moves with it"
AGAIN = "all of it is made of what can be differentiated as often as anybody likes"
EMPTY = (
    (
        lambda e: "invalid" in str(e),
        "an empty x leaves no length for -1: the last one is m, and weight knows it",
    ),
)


class Stop(Exception):
    pass


def modes():
    """All that a thread may have switched on, but recording: {what: how it is}."""
    switches = vars(type(tt.state.state)).keys() - {"grad_enabled", "__init__"}
    names = sorted(name for name in switches if not name.startswith("__"))
    return {name: getattr(tt.state.state, name) for name in names} | np.geterr()


def expect_other_modes(inside, before, what):
    """In `what`, nothing but recording is switched."""
    because = "recording is what's switched off, and nothing else"
    for name, now in inside.items():
        expect(now, before[name], f"the switch {name!r} in {what}", because=because)


def expect_errors_let_through(run, what):
    """run(inside) runs inside(), and what that raises comes out of it: the very same exception."""
    for kind, on in zip((*EVERY_ERROR, *ENDINGS[2:]), itertools.cycle((True, False))):
        error, why, inside_it = kind("inside"), KeyError("why"), []

        def inside(error=error, why=why, inside_it=inside_it):
            inside_it.append(modes())
            raise error from why

        says = f"{what}, it raises {kind.__name__}"
        with tt.state.Switch(training=on, recording=on):
            before = modes()
            came = expect_ending(lambda inside=inside: run(inside), kind, says)
        fail_if(came is not error, f"{says}, and another {kind.__name__} came out: what's raised "
                "is for the caller, as it is")  # fmt: skip
        fail_if(came.__cause__ is not why, f"{says}, from a KeyError, and its __cause__ is "
                f"{came.__cause__!r} when it comes out: it comes out as it is")  # fmt: skip
        notes = getattr(came, "__notes__", [])
        fail_if(notes, f"{says}, and it comes out with notes, {notes}: it comes out as it is")
        *_, (frame, _) = walk_tb(came.__traceback__)
        fail_if(frame.f_code.co_name != "inside", f"{says}, and its traceback ends before the line "
                "that raised it: it comes out as it is")  # fmt: skip
        expect_other_modes(inside_it[0], before, what)


def expect_threads_apart(run, what):
    """Three threads are in run(inside) at once, the second under no_grad(): each gets its own back.

    They come in one after the other. The second is the first to leave, and the third the last.
    """
    told, errors = dict.fromkeys(range(3)), []
    came, left = [Event() for _ in told], [Event() for _ in told]
    waits = (left[1], came[2], left[0])  # for which of these each one waits inside

    def visit(number):
        def inside():
            came[number].set()
            waits[number].wait(5)

        if number:
            came[number - 1].wait(5)
        with tt.set_grad_enabled(number != 1):
            try:
                run(inside)
            except Exception as error:
                errors.append(error)
            told[number] = tt.is_grad_enabled()
        came[number].set()
        left[number].set()

    threads = [Thread(target=visit, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5)
    for error in errors[:1]:
        raise error
    because = "each thread has switches of its own, and so each call keeps what was there before"
    says = f"is_grad_enabled() after {what} in three threads at once, number 1 under no_grad()"
    expect(told, {0: True, 1: False, 2: True}, says, because=because)


def expect_recording_put_back(run, what, switches):
    """run(inside) runs inside() with recording off; it's as it was afterwards, whatever happens.

    Inside, set_grad_enabled is called with each of `switches`, where it's not None.
    """
    for ending, on, before in itertools.product(ENDINGS, switches, (True, False)):
        told = []

        def inside(told=told, on=on, ending=ending):
            told.append(tt.is_grad_enabled())
            if on is not None:
                tt.set_grad_enabled(on)
            if ending is not None:
                raise ending

        says = f"{what}, recording was {before}"
        says += "" if on is None else f", it says set_grad_enabled({on})"
        says += "" if ending is None else f", it raises {ending.__name__}"
        with tt.set_grad_enabled(before):
            expect_ending(lambda inside=inside: run(inside), ending, says)
            expect(len(told), 1, f"{says}: how often it runs", because="one call, one run")
            off = "recording is off in it, whoever asks and whatever was before"
            expect(told[0], False, f"{says}: is_grad_enabled() in it", because=off)
            because = "what was there before is put back, whatever it did"
            expect(tt.is_grad_enabled(), before, f"{says}: is_grad_enabled() afterwards",
                   because=because)  # fmt: skip


def expect_let_go(function, shapes, what):
    """What goes into a call isn't kept once backward has run, nor is what comes out of it."""
    given = [leaf(numbers(shape) + 5) * 1 for shape in shapes]
    with calling(f"backward() on {what}"):
        y = function(*given)
        y.sum().backward()
    inputs = [weakref.ref(held) for t in given for held in (t, t._data)]
    result, gc_was_on = weakref.ref(y), gc.isenabled()
    given.clear()
    because = "save_for_backward alone keeps Tensors, and only until backward has run"
    names = [name for name, thing in getattr(y.grad_fn, "__dict__", {}).items()
             if isinstance(thing, (tt.Tensor, np.ndarray))]  # fmt: skip
    says = f"the names by which the ctx of {what} keeps Tensors or arrays after backward()"
    expect(names, [], says, because=because)
    here = sum(held() is not None for held in inputs[::2])
    expect(here, 0, f"how many inputs of {what} are still in memory after backward()",
           because=because)  # fmt: skip
    here = sum(held() is not None for held in inputs[1::2])
    expect(here, 0, f"how many arrays of inputs of {what} are still in memory after backward()",
           because=because)  # fmt: skip
    gc.disable()  # it would also find what goes round in a circle, some day
    del y
    is_gone = result() is None
    if gc_was_on:
        gc.enable()
    gc.collect()
    because = "a node that holds on to its own result makes a circle, which is never let go"
    if result() is not None:
        because = "it's for the caller alone, and something else holds on to it"
    fail_if(not is_gone, f"the result of {what} stays in memory when nobody uses it any more: "
            f"{because}")  # fmt: skip
    for recording in (True, False):
        here = left_of(function, shapes, recording)
        off = "" if recording else ", called under no_grad()"
        says = f"the inputs (and arrays of inputs) that are left in memory of {what}{off}, after "
        says += "its result is gone, without a backward(): how many"
        because = "nothing but the graph of the result keeps what went into the call"
        expect(here, 0, says, because=because)


def left_of(function, shapes, recording):
    """How many inputs of a call, and arrays of inputs, outlive its result."""
    given = [leaf(numbers(shape) + 5) * 1 for shape in shapes]
    with tt.set_grad_enabled(recording):
        y = function(*given)
    inputs = [weakref.ref(held) for t in given for held in (t, t._data)]
    given.clear()
    del y
    return sum(held() is not None for held in inputs)


def things():
    """{what it is: (an argument of forward, is a gradient wanted for it?)}, made anew."""
    x = leaf([1.0, 2.0])
    stopped = leaf(3.0)
    stopped.requires_grad_(False)
    freed = x * x
    freed.sum().backward()
    several = x * 2
    several._node = tt.outputs.OutputNode(several._node, 1, 2)
    return {"a leaf": (x, True), "a result": (x * 2, True), "its detach()": (x.detach(), False),
            "a constant": (tt.tensor(1.0), False), "integers": (tt.tensor([1, 2]), False),
            "a leaf that stopped asking": (stopped, False),
            "a result that was freed": (freed, True), "one of several results": (several, True),
            "0": (0, False),
            "None": (None, False), "a list of leaves": ([x], False)}  # fmt: skip


@pytest.mark.exercise("9.1", points=1)
def test_all_mixes_of_arguments_and_of_saved_tensors():
    function = type("Probe", (), {})  # all calls are of this one
    places = [things() for _ in range(3)]
    for names in itertools.chain(*[itertools.product(things(), repeat=k) for k in range(4)]):
        made = [place[name] for place, name in zip(places, names, strict=False)]
        what = f"needs_input_grad for ({', '.join(names)})"
        ctx = tt.ctx.Context(function, tuple([thing for thing, _ in made]))
        got, because = ctx.needs_input_grad, "edges has a node wherever a gradient is wanted"
        expect(got, tuple(wanted for _, wanted in made), what, because=because)
        odd = [wanted for wanted in got if type(wanted) is not bool]
        fail_if(odd, f"{what} has {odd[:1]} in it: a bool is True or False, Python's own")
    with tt.no_grad(), calling("needs_input_grad under no_grad()"):
        got = tt.ctx.Context(function, (leaf(1.0),)).needs_input_grad
    because = "edges knows, whether recording is on by now or off"
    what = "needs_input_grad of a leaf that asks, under no_grad()"
    expect(got, (True,), what, because=because)
    ctx = tt.ctx.Context(no_function(), ())
    given = (tt.nn.Parameter(tt.ones(2)), tt.tensor([1, 2]), tt.tensor([True]))
    what = "save_for_backward of a Parameter, integers and a mask, which are Tensors,"
    with calling(what, slips={TypeError: "all of them are Tensors: isinstance(x, Tensor) says so"}):
        ctx.save_for_backward(*given)
    kept = sum(any(t is other for other in ctx._to_save) for t in given)
    expect(kept, 3, f"how many are kept by {what}", because="each of them is kept, as it came")
    for shape, dtype in itertools.product(SHAPES, DTYPES):
        x, y = leaf(numbers(shape, dtype), dtype), tt.tensor(numbers(shape, dtype, 4))
        for given in ((x,), (x, x), (y, None, x), (None, None), (), (x, y, x * y, y)):
            ctx = tt.ctx.Context(no_function(), (x, y))
            with calling(f"save_for_backward of {len(given)} tensors or None, shape {shape}"):
                result = ctx.save_for_backward(*given)
            expect(result, None, "what save_for_backward gave")
            kept = ctx._to_save
            same = len(kept) == len(given) and all(a is b for a, b in zip(kept, given, strict=True))
            expect(same, True, f"{len(given)} were saved, shape {shape}, and are kept as they are")


def product(told=None):
    """A Function x * y by NumPy that tells what it's asked for."""

    class Product(tt.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            return tt.tensor(x.numpy() * y.numpy())

        @staticmethod
        def backward(ctx, grad):
            x, y = ctx.saved_tensors
            if told is not None:
                told.append(ctx.needs_input_grad)
            return grad * y, grad * x

    return Product


@pytest.mark.exercise("9.2", points=1)
def test_all_calls_enter_the_graph():
    mixes, told = tuple(itertools.product((False, True), repeat=2)), []
    Product = product(told)
    for shape, dtype, asks in itertools.product(SHAPES, DTYPES, mixes):
        arrays = [numbers(shape, dtype, seed) for seed in (3, 4)]
        pairs = zip(arrays, asks, strict=True)
        x, y = (tt.tensor(array.copy(), requires_grad=ask) for array, ask in pairs)
        for recording in (True, False):
            what = f"x * y by a Function, {shape}, {dtype.__name__}, asks: {asks}, on: {recording}"
            with tt.set_grad_enabled(recording), calling(what):
                z = Product.apply(x, y)
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
                expect(told[-1], asks, "needs_input_grad")
    x, y = leaf([2.0, -3.0]), leaf([0.5, 4.0])
    kept = "the first derivative is right: has what forward saved its history, or was it detached?"
    with calling("gradgradcheck of x * y by a Function", slips={RuntimeError: kept}):
        tt.gradgradcheck(Product.apply, (x, y))
    expect_let_go(Product.apply, ((2, 3), (2, 3)), "x * y by a Function")


class Pair(NamedTuple):
    first: object
    second: object


PLAIN = "for a tuple of any kind comes a plain tuple: tuple(results)"
MADE = {  # what it is: (a result of forward, does it require grad where the call is recorded?)
    "x * 2": (lambda x: x * 2, True), "an array": (lambda x: x.numpy() * 2, True),
    "x": (lambda x: x, True), "integers": (lambda x: tt.tensor([1, 2]), False),
    "a text": (lambda x: "text", False), "None": (lambda x: None, False),
    "a list": (lambda x: [x], False)}  # fmt: skip
FORMS = {  # what forward returns: (it, how many results, the type of what apply gives)
    "{} alone": (lambda made: made[0], 1, None), "a tuple of {}": (tuple, 1, tuple),
    "a tuple of {} and {}": (tuple, 2, tuple), "a namedtuple of {} and {}": (Pair._make, 2, tuple)
}  # fmt: skip


@pytest.mark.exercise("9.2", points=1)
def test_all_kinds_of_results():
    class Makes(tt.autograd.Function):
        @staticmethod
        def forward(ctx, x, form, names):
            return form([MADE[name][0](x) for name in names])

    c = tt.tensor([1.0, 2.0])
    given = {"a leaf": leaf([1.0, 2.0]), "a Parameter": tt.nn.Parameter(c * 1), "a constant": c}
    ways = itertools.cycle(itertools.product(given.items(), ("", ", by keyword")))
    for (text, (form, count, kind)), recording in itertools.product(FORMS.items(), (True, False)):
        for names in itertools.product(MADE, repeat=count):
            (whose, x), by_name = next(ways)
            what = (f"apply to {whose}{by_name}, forward returns {text.format(*names)}, "
                    f"recording: {recording}")  # fmt: skip
            slips = [(worded(TypeError, "Pair.__new__"), PLAIN)]
            with tt.set_grad_enabled(recording), calling(what, slips=slips):
                by_keyword = {"x": x, "form": form, "names": names} if by_name else {}
                got = Makes.apply(*(() if by_name else (x, form, names)), **by_keyword)
            if kind is not None:
                slips = [(lambda kind: not issubclass(kind, tuple), "a namedtuple is a tuple, too: "
                          "isinstance(outputs, tuple)")]  # fmt: skip
                says = f"{what}: the type of what comes"
                expect(type(got), tuple, says, slips=slips, because=PLAIN)
                expect(len(got), count, f"{what}: how many results come")
            recorded = recording and x is not c
            for name, result in zip(names, got if kind else (got,), strict=True):
                because = "results_of gets the sorted args, in each call: so it knows x again"
                fail_if(result is x, f"{what}: what comes for {name} is x itself: {because}")
                expect_made(result, *MADE[name], recorded, name, what)


def expect_made(result, make, asks, recorded, name, what):
    want = type(make(tt.tensor([1.0])))
    because = "a list is a result like any other: only a tuple makes a tuple"
    slips = [(lambda kind: want is list and kind is tuple, because)]
    kind = tt.Tensor if want is np.ndarray else want
    expect(type(result), kind, f"{what}: the type of what comes for {name}", slips=slips)
    if kind is tt.Tensor:
        because = "ctx.edges and state.grad_enabled alone say whether a call is recorded"
        what = f"{what}: requires_grad of what comes for {name}"
        expect(result.requires_grad, asks and recorded, what, because=because)


@pytest.mark.exercise("9.2", points=1)
def test_all_endings_put_recording_back():
    x, Product = leaf([1.0, 2.0]), product()

    class Runs(tt.autograd.Function):
        @staticmethod
        def forward(ctx, x, inside):
            inside()
            return x * 2

    run = lambda inside: Runs.apply(x, inside)  # noqa: E731
    expect_errors_let_through(run, "forward")
    expect_threads_apart(run, "apply")
    call = lambda: type("Empty", (tt.autograd.Function,), {}).apply(x)  # noqa: E731
    expect_ending(call, NotImplementedError, "apply of a Function without a forward")
    expect_let_go_after_an_error()
    for thing, text in ((x, "a leaf that asks"), (x.detach(), "a constant"), (1.0, "a number")):
        run = lambda inside, thing=thing: Runs.apply(thing, inside)  # noqa: E731
        expect_recording_put_back(run, f"forward, apply to {text}", (None, True, False))

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


def expect_let_go_after_an_error():
    class Stops(tt.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            raise KeyboardInterrupt

    given = [leaf([1.0, 2.0])]
    seen = weakref.ref(given[0])
    expect_ending(lambda: Stops.apply(given[0]), KeyboardInterrupt, "apply")
    given.clear()
    gc.collect()
    because = "nothing but the graph holds on to args"
    expect(seen() is None, True, "whether an input is gone, after its forward raised an exception",
           because=because)  # fmt: skip


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
    ctx, parts = tt.ctx.Context(no_function(), ()), {0: np.ones(3)}
    ctx._results, arrived = [((3,), np.dtype("f8"))] * 2, weakref.ref(parts[0])
    with calling("materialized({0: [1, 1, 1]})"):
        ctx.materialized(parts)
    del parts
    because = "a ctx lives as long as its result does, and what arrived belongs to one pass"
    what = "whether what arrived is gone, when materialized is done and nobody else has it"
    expect(arrived() is None, True, what, because=because)


def expect_materialized(metas, there, materialize):
    metas = [meta and (meta[0], np.dtype(meta[1])) for meta in metas]
    ctx = tt.ctx.Context(no_function(), ())
    ctx._results = list(metas)
    ctx.set_materialize_grads(materialize)
    pairs = enumerate(zip(metas, there, strict=True))
    numbered = [(k, m) for k, (m, is_there) in pairs if m and is_there]
    parts = {k: np.full(m[0], k + 1, m[1]) for k, m in reversed(numbered)}
    for k, array in parts.items():
        if array.size > 1 and array.dtype.kind == "f":
            array[0, :2] = (np.nan, np.inf)[k % 2], 0
    given = dict(parts)
    came = " and ".join(f"number {k}" for k in parts) or "nothing"
    kinds = [meta and f"{meta[1]} of shape {meta[0]}" for meta in metas]
    what = f"materialized of results {kinds}, where {came} arrived"
    what += "," if materialize else ", after set_materialize_grads(False),"
    with calling(what):
        got = ctx.materialized(parts)
    because = "parts stays as it is: look a number up, and leave it there"
    expect(len(parts), len(given), f"how many are in parts after {what}", because=because)
    with calling(f"{what} again"):
        again = ctx.materialized(parts)
    because = "backward may run more than once, so _results stays as it is, too"
    expect(len(again), len(got), f"the length of {what} again", because=because)
    fail_if(again is got, f"{what} gave the very list that an earlier call gave: make a new one")
    because = "a place for each result, also after the last one that something arrived for"
    expect(len(got), len(metas), f"the length of {what}", because=because)
    for k, meta in enumerate(metas):
        if meta is None or (k not in parts and not materialize):
            expect(got[k], None, f"{what} number {k}")
            continue
        want = parts[k] if k in parts else np.zeros(*meta)
        lost = k not in parts and got[k] is None
        falsy = lost and meta[0] == () and has_zeros((1,), meta[1])
        fail_if(falsy, f"{what} number {k} is None, expected 0: () is a shape, though it's falsy")
        if lost:
            of_others = 0 in meta[0] and has_zeros((1,), meta[1])
            kind = "results without elements, too" if of_others else f"those of {meta[1]}, too"
            fail_if(lost, f"{what} number {k} is None, expected zeros: {kind}")
        asks = isinstance(got[k], tt.Tensor) and got[k].requires_grad
        fail_if(asks, f"{what} number {k} requires grad: zeros are constants")
        own = "zeros have the shape and the dtype of the pair at their own number"
        slips = [(lambda got, k=k: k not in parts, own)]
        expect_array(got[k], want, f"{what} number {k}", {n: (0, 0) for n in KINDS}, slips=slips)
        if k not in parts and want.size:
            own = "a backward may write into its zeros: np.zeros makes new ones"
            shared = any(share_memory(got[k], other) for other in got[:k])
            fail_if(shared, f"{what} number {k} shares its memory with an earlier number: {own}")
            says = f"{what} number {k} shares its memory with the same number of another call"
            fail_if(share_memory(got[k], again[k]), f"{says}: {own}, in each call")
            read_only = not got[k].numpy().flags.writeable
            fail_if(read_only, f"{what} number {k} is read-only: {own}")


def has_zeros(shape, dtype):
    """Does materialized give zeros for a result of this shape and dtype?"""
    ctx = tt.ctx.Context(no_function(), ())
    ctx._results = [(shape, dtype)]
    return ctx.materialized({})[0] is not None


def share_memory(x, y):
    """Do these Tensors stand in one place of memory? None stands in none."""
    return y is not None and np.shares_memory(x.numpy(), y.numpy())


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


@pytest.mark.exercise("9.4", points=1)
def test_changes_in_place_are_seen_by_whoever_saved():
    for shape, dtype in itertools.product(SHAPES, DTYPES):
        array, what = numbers(shape, dtype), f"clamped in place, {shape}, {dtype.__name__}"
        x, sent = leaf(array, dtype), upstream(shape, dtype)
        h = x * 1
        slips = [(lambda e: "numpy() on" in str(e) and calls_of("note_changes", e), "memory.touch "
                  "wants the array of any tensor, whatever it asks for: tensor._data")]  # fmt: skip
        with calling(what, slips=slips):
            y = clamped().apply(h)
        fail_if(y is not h, f"{what}: the result isn't the Tensor that was changed")
        expect(h._version, 1, f"{what}: how many changes of it are counted")
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
    looks = itertools.cycle(itertools.product(SHAPES, ("f8", "f4", "i8", "?"), (0, 1)))
    for count, which in itertools.product((1, 2, 3), (0, 1, 2)):
        for gaps in itertools.product((False, True), repeat=count):
            shape, dtype, value = next(looks)
            arrays = [None if gap else np.full(shape, value, dtype) for gap in gaps]
            ctx = tt.ctx.Context(Stop, ())
            ctx.number = tt.memory.next_number()
            node = (None, 0, 1, leaf(1.0)._node)[(which + sum(gaps)) % 4]  # a constant, results
            ctx.saved = tuple(a if a is None else (a.T, node) for a in arrays)
            text = f"an array of shape {shape}, {np.dtype(dtype)}"
            text += ", of ones" if value else ", of zeros"
            what = f"check_versions(), saved: {['None' if gap else text for gap in gaps]}"
            began, saved = ctx.number, ctx.saved
            expect_ending(ctx.check_versions, None, what)
            if which < count and arrays[which] is not None:
                tt.memory.touch(arrays[which])
                says = f"{what}, number {which} was changed"
                every = "each saved array is asked about, of whatever shape, dtype and numbers"
                expect_raises(RuntimeError, ctx.check_versions, says, slips={None: every})
                fail_if(ctx.saved is not saved, f"{says}, and saved isn't what it was: {ASKS}")
                slips = {None: "the alarm rings each time: the gradient would be wrong each time"}
                expect_raises(RuntimeError, ctx.check_versions, f"{says}, asked again", slips=slips)
            number = f"{what} and ctx.number, the moment when it saved, is another one: {ASKS}"
            fail_if(ctx.number != began, number)


ASKS = "who asks, leaves all of it as it is"


def writables():
    """{what it is: a Tensor}, made anew: some of them may be changed, and some may not."""
    x, c = leaf(numbers((2, 3))), tt.tensor(numbers((2, 3)))
    return {"a leaf": x, "a Parameter": tt.nn.Parameter(c * 1), "a view of a leaf": x[0],
            "x.detach()": x.detach(), "a result": x * 1,
            "a view of a result": (x * 1)[0], "an expanded result": (x * 1)[0].expand(2, 3),
            "a constant": c, "a number": tt.tensor(1.0), "integers": tt.tensor([1, 2]),
            "an expanded constant": c[0].expand(2, 3), "an expanded mask": (c > 0)[0].expand(2, 3),
            "an empty constant": tt.tensor(numbers((0, 3)))}  # fmt: skip


@pytest.mark.exercise("9.4", points=1)
def test_what_may_not_be_changed_is_not():
    for recording, place in itertools.product((True, False), (0, 1)):
        for name, tensor in writables().items():
            with tt.set_grad_enabled(recording):
                expect_noted(tensor, place, f"{name}, on: {recording}")


def expect_noted(tensor, place, name):
    error = error_of(lambda: tt.function.check_writable(tensor))
    says = "allows" if error is None else "refuses"
    what = (f"note_changes, number {place} of 2 dirty ones is {name}, which "
            f"check_writable(tensor) {says},")  # fmt: skip
    dirty, ctx, before = [tt.tensor(1.0)], tt.ctx.Context(no_function(), ()), tensor._version
    dirty.insert(place, tensor)
    ctx.mark_dirty(*dirty)
    call = lambda: tt.function.note_changes(ctx, dirty)  # noqa: E731
    if error is None:
        expect_ending(call, None, what)
    else:
        because = "check_writable is asked of each dirty tensor, and of that one itself"
        expect_raises(RuntimeError, call, what, because=because)
    count, want = tensor._version - before, int(error is None)
    because = "one change of it is counted once: a view and its base have one memory"
    says = f"how many changes of it are counted after {what}"
    expect(count, want, says, because=because if want else "")


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


@pytest.mark.exercise("9.5", points=1)
def test_all_endings_of_a_marked_way_back_put_recording_back():
    def runs(ctx, grad):
        ctx.inside()
        return grad

    with calling("once_differentiable(backward)"):
        marked = tt.function.once_differentiable(runs)

    def run(inside):
        ctx = tt.ctx.Context(no_function(), ())
        ctx.inside = inside
        marked(ctx, tt.tensor(1.0))

    expect_recording_put_back(run, "a marked backward", (None,))
    expect_errors_let_through(run, "a marked backward")
    expect_threads_apart(run, "a marked backward")
    expect_marked_inside_marked()
    expect_given_as_it_is()
    expect_nothing_kept()


def marked_backward(function):
    with calling("once_differentiable(backward)"):
        return tt.function.once_differentiable(function)


def expect_marked_inside_marked():
    """A marked backward that calls itself, once: both calls know how recording was before."""

    def inner_first(ctx, grad):
        if ctx.deep:
            once_more = tt.ctx.Context(no_function(), (leaf(1.0),))
            once_more.deep = False
            marked(once_more, grad)
        return grad

    marked, ctx = marked_backward(inner_first), tt.ctx.Context(no_function(), (leaf(1.0),))
    ctx.deep, what = True, "a marked backward that calls itself"
    with calling(what):
        (got,) = marked(ctx, tt.tensor(1.0))
    because = "each call keeps its own `before`"
    on, _ = tt.is_grad_enabled(), tt.set_grad_enabled(True)
    expect(on, True, f"is_grad_enabled() after {what}", because=because)
    expect(got.requires_grad, True, f"requires_grad of what {what} gave", because=because)


def expect_given_as_it_is():
    """What a marked backward makes of what backward gave, in each kind of pass."""
    grad, told = tt.tensor([1.0]), []
    forms = [lambda g: g, lambda g: [g], lambda g: (g,), lambda g: (g, None), lambda g: [g, g]]
    for form in (*forms, lambda g: None):
        given = form(grad * 1)
        held = [given]
        marked = marked_backward(lambda ctx, g, held=held: told.append(modes()) or held[0])
        count = len(as_tuple(given))
        form = "None" if given is None else f"a {type(given).__name__} with {count} in it"
        what = f"a marked backward, the old one gives {form},"
        ctx = tt.ctx.Context(no_function(), (leaf([1.0]),))
        before = modes()
        with tt.no_grad(), calling(what):
            got = marked(ctx, grad)
        expect_other_modes(told[-1], before, what)
        fail_if(got is not given, f"{what} gave another thing under no_grad(): there what comes is "
                "returned as it is")  # fmt: skip
        with calling(f"{what} where recording is on"):
            got = marked(ctx, grad)
        kind = type(got).__name__
        fail_if(not isinstance(got, tuple), f"{what} gave a {kind} where recording is on: there "
                "it's a tuple in any case, as_gradients makes one of anything")  # fmt: skip
        because = "all that backward gave: whether it's as many as there are inputs, others ask"
        says = f"how many gradients {what} gives where recording is on"
        expect(len(got), count, says, because=because)
        for g in as_tuple(given):
            asks = g is not None and g.requires_grad
            other = "refusing makes another"
            fail_if(asks, f"{what} made the old one's own Tensor require grad: {other}")
        made = [weakref.ref(g) for g in as_tuple(given) if g is not None]
        held.clear()
        del given, got, g
        alive = sum(ref() is not None for ref in made)
        says = f"how many of the gradients of {what} are in memory when nobody uses them any more"
        expect(alive, 0, says, because="each call hands them on, and keeps none")


def expect_nothing_kept():
    """Nothing of a call is left when its caller has let go of it, in either kind of pass."""
    for recording in (True, False):
        gave, ctx = [], tt.ctx.Context(no_function(), (leaf(1.0),))

        def twice(ctx, grad, gave=gave):
            result = grad * 2
            gave.append(weakref.ref(result))
            return result

        marked, grad = marked_backward(twice), tt.tensor(1.0)
        what = f"a marked backward, recording: {recording},"
        with tt.set_grad_enabled(recording), calling(what):
            got = marked(ctx, grad)
        refs = {"the ctx": weakref.ref(ctx), "the gradient that came": weakref.ref(grad),
                "what came out": weakref.ref(as_tuple(got)[0]), "what the old one gave": gave[0],
                "its array": weakref.ref(as_tuple(got)[0]._data)}  # fmt: skip
        del ctx, grad, got
        gc.collect()
        left = [name for name, ref in refs.items() if ref() is not None]
        says = f"what is left in memory of a call of {what} when its caller has let go of all of it"
        expect(left, [], says, because="the new function keeps nothing of a call")


def as_tuple(given):
    return tuple(given) if isinstance(given, (list, tuple)) else (given,)


@pytest.mark.exercise("9.5", points=1)
def test_marked_ways_back_of_all_shapes():
    told = []
    Arcs = arcs(told)
    for shape, dtype, recorded in itertools.product(SHAPES, DTYPES, (False, True)):
        a, b = numbers(shape, dtype), numbers(shape, dtype, 4)
        told.clear()
        x, y = leaf(a, dtype), leaf(b, dtype)
        what = f"a marked backward, {shape}, {dtype.__name__}, recorded: {recorded}"
        s, t = Arcs.apply(x, y, 3)
        sent = upstream(shape, dtype)
        with calling(what):
            found = tt.autograd.grad([s, t], [x, y], [sent, sent], create_graph=recorded)
        wants = sent.numpy() * (np.cos(a) * b + 3), sent.numpy() * np.sin(a)
        for number, (got, want) in enumerate(zip(found, wants, strict=True)):
            expect_array(got, want.astype(dtype), f"{what}: gradient {number}", LOOSE)
            because = "all are `refusing` in a recorded pass, whatever their numbers are"
            expect(got.requires_grad, recorded, f"{what}: gradient {number} requires grad",
                   because=because if recorded else "")  # fmt: skip
            if recorded:
                for target in (x, y):
                    call = lambda got=got, target=target: tt.autograd.grad(  # noqa: E731
                        got.sum(), target, retain_graph=True, allow_unused=True)  # fmt: skip
                    expect_ending(call, RuntimeError, f"{what}, the second derivative")
                call = got.sum().backward
                expect_ending(call, RuntimeError, f"backward() of a gradient of {what}")
        expect(tuple(told), (False,), f"{what}: is_grad_enabled() in it, for each call")
        for t_ in (x, y):
            expect(t_.grad, None, f"{what}: .grad of an input")
        bad, _ = Arcs.apply(x, y, 99)
        call = lambda bad=bad, x=x, recorded=recorded: tt.autograd.grad(  # noqa: E731
            bad.sum(), x, create_graph=recorded)  # fmt: skip
        expect_ending(call, Stop, f"{what}, raises Stop")
        expect(tt.is_grad_enabled(), True, f"is_grad_enabled() after {what} raised Stop")
    u = leaf(2.0)
    x = leaf(3.0)
    s, _ = arcs([]).apply(x, leaf(1.0), 0)
    (dx,) = tt.autograd.grad(s * u, x, create_graph=True)
    call = lambda: tt.autograd.grad(dx, u, allow_unused=True)  # noqa: E731
    because = "refusing gets the grads that came, too, all of them: its values depend on each"
    what = "the slope of a marked gradient in what came from upstream"
    expect_raises(RuntimeError, call, what, because=because)
    _, t = arcs([]).apply(x, leaf(1.0), 3)
    (dx,) = tt.autograd.grad(t * u, x, create_graph=True)
    call = lambda: tt.autograd.grad(dx, u, allow_unused=True)  # noqa: E731
    what = f"{what}, when it came for the second result"
    expect_raises(RuntimeError, call, what, because=because)


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
            slips = [(arrays[0] @ arrays[1].T, "the bias is added in any case, also if it doesn't "
                      "ask")]  # fmt: skip
            expect_array(y, want.astype(dtype), what, LOOSE, slips=slips)
            if not y.requires_grad:
                continue
            sent = upstream((rows, m), dtype)
            for t in given:
                t.grad = None
            slips = [(IndexError, "where there are no rows, there's none to pick: their sum is 0"),
                     OF_ITS_SHAPE]  # fmt: skip
            with calling(f"backward() on {what}", slips=slips):
                y.backward(sent)
            s = sent.numpy()
            for t, ask, slope in zip(given, asks, (s @ arrays[1], s.T @ arrays[0], s.sum(0)),
                                     strict=True):  # fmt: skip
                if ask and not (t is given[2] and bias is None):
                    fail_if(t.grad is None, f"{what}: a gradient is None: {THERE}")
                    expect_array(t.grad, slope.astype(dtype), f"{what}: a gradient", LOOSE)
                else:
                    expect(t.grad, None, f"{what}: a gradient that nobody wants")
    turned = leaf(numbers((2, 3)).T), leaf(numbers((2, 4), seed=4).T), leaf(numbers((4,)))
    for bias in (turned[2], None):
        given = (*turned[:2], bias)
        with calling("gradcheck and gradgradcheck of FunctionalLinear"):
            tt.gradcheck(tt.custom.FunctionalLinear.apply, given)
            tt.gradgradcheck(tt.custom.FunctionalLinear.apply, given)
    apply = tt.custom.FunctionalLinear.apply
    expect_let_go(apply, ((3, 2), (4, 2), (4,)), "FunctionalLinear")
    expect_linear_of_zeros_and_odd_numbers()
    given = leaf([[1.0, 2.0]]), leaf([[3.0, 4.0]]), leaf([5.0])
    expect_unrecorded("FunctionalLinear", given, [[1.0]])
    for m in (1, 2):
        expect_all_layers(m)
    layer = tt.custom.Linear(3, 2, np.random.default_rng(1))
    layer.bias = leaf((1.0, 2.0), np.float32)
    for shape, asks in itertools.product(((0, 3), (2, 0, 3), (3,), (1, 1, 3)), (True, False)):
        what = f"Linear(3, 2) of x of shape {shape}, weight and bias ask: {asks}"
        for parameter in (layer.weight, layer.bias):
            parameter.requires_grad_(asks)
        array = numbers(shape, np.float32)
        with calling(what, slips=EMPTY):
            y = layer(tt.tensor(array))
        product, bias = array @ layer.weight.detach().numpy().T, layer.bias.detach().numpy()
        slips = [(product, "the bias is added in any case, whether it asks or not")]
        expect(y, product + bias, what, slips=slips, rtol=1e-3)
        expect_array(y, product + bias, what, LOOSE)
    layer.weight, layer.bias = leaf(numbers((2, 3))), leaf(numbers((2,)))
    expect_let_go(layer, ((4, 3),), "a Linear(3, 2)")


def expect_unrecorded(name, given, sent):
    """What backward gives is a constant, where the pass isn't recorded."""
    function, what = getattr(tt.custom, name), f"{name}.backward under no_grad()"
    with calling(what):
        ctx = function.apply(*given).grad_fn
        with tt.no_grad():
            found = function.backward(ctx, tt.tensor(sent, dtype=tt.float64))
    asks = [g is not None and g.requires_grad for g in found]
    because = "whether a pass is recorded is for those to say who begin it"
    expect(asks, [False] * len(asks), f"requires_grad of what {what} gave", because=because)


def expect_linear_of_zeros_and_odd_numbers():
    """Zeros that come and zeros that meet; NaN and infinity, which reach all that they must."""
    apply = tt.custom.FunctionalLinear.apply
    rows, eye = np.array([[1.0, 2.0], [3.0, 4.0]]), np.eye(2)
    for x, weight, target, text in ((rows, eye, rows, "where all that comes is 0"),
                                    (0 * rows, eye, 1, "of x = 0"),
                                    (rows, 0 * eye, 1, "of weight = 0")):  # fmt: skip
        given, target = (leaf(x), leaf(weight), leaf([0.0, 0.0])), tt.tensor(target + 0.0 * rows)
        with calling(f"gradgradcheck of FunctionalLinear {text}", slips={RuntimeError: ZERO}):
            tt.gradgradcheck(lambda *g, target=target: (apply(*g) - target) ** 2, given)
    nan, inf = np.array([[np.nan, 1.0], [1.0, 1.0]]), np.array([[np.inf, 1.0], [1.0, 1.0]])
    cases = {"NaN in x, weight = 0": (nan, 0 * eye, rows), "infinity in x": (inf, 0 * eye, rows),
             "NaN in weight, x = 0": (0 * rows, nan, rows), "NaN comes": (rows, eye, nan),
             "infinity comes": (rows, eye, inf), "infinity in weight": (rows, inf, rows),
             "no rows, NaN in weight": (rows[:0], nan, rows[:0])}  # fmt: skip
    for text, (x, weight, sent) in cases.items():
        what = f"FunctionalLinear, {text}"
        given = leaf(x), leaf(weight), leaf([1.0, 2.0])
        with calling(what):
            y = apply(*given)
            y.backward(tt.tensor(sent))
        with np.errstate(all="ignore"):
            wants = x @ weight.T + [1, 2], sent @ weight, sent.T @ x, sent.sum(0)
        names = "y", "x.grad", "weight.grad", "bias.grad"
        found = y, *[t.grad for t in given]
        for got, want, name in zip(found, wants, names, strict=True):
            expect_array(got, want, f"{what}: {name}", LOOSE)


def expect_all_layers(m):
    """Shapes of all kinds, n = 3; with and without a bias; recording on and off."""
    for bias, shape in itertools.product((True, False), ((3,), (1, 3), (2, 3), (2, 1, 3), (0, 3))):
        layer, what = tt.custom.Linear(3, m, np.random.default_rng(1), bias), f"Linear(3, {m})"
        what += "" if bias else ", bias=False,"
        array = numbers(shape, np.float32)
        want = array @ layer.weight.detach().numpy().T
        for recording in (True, False):
            says = f"{what} of x of shape {shape}" + ("" if recording else ", under no_grad()")
            with calling(says, slips=EMPTY), tt.set_grad_enabled(recording):
                y = layer(tt.tensor(array))
            axes = "y has the axes of x, with m in place of the last one"
            slips = [(lambda got, shape=want.shape: np.shape(got) != shape, axes)]
            expect_array(y, want, says, LOOSE, slips=slips)
            because = "the layer records what it does if recording is on"
            expect(y.requires_grad, recording, f"requires_grad of {says}", because=because)
        with calling(f"{what} of x of shape {shape}"):
            nodes = [layer(tt.tensor(array)).grad_fn]
        while nodes[-1] is not None and nodes[-1].name() != "FunctionalLinearBackward":
            nodes.append(nodes[-1].next_functions[0][0])
        got = nodes[-1] and nodes[-1].needs_input_grad
        because = "the bias is None where there's none: nothing is there to want a gradient"
        says = f"needs_input_grad of FunctionalLinear in {what} of a constant x of shape {shape}"
        expect(got, (False, True, bias), says, because=because)
        for wrong in ((2,), (6,), (4, 6), (3, 1), (2, 3, 2), (0, 5), (2, 0, 6), (0, 0)):
            says = f"{what} of x of shape {wrong}"
            error = error_of(lambda wrong=wrong, layer=layer: layer(tt.ones(wrong)))
            rows = "each row of x is" if np.prod(wrong) else "x has no rows, but they'd be"
            fail_if(error is None, f"{says} raised no error: {rows} {wrong[-1]} long, and weight "
                    "wants 3, so compare x.shape[-1] with n")  # fmt: skip


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
        with calling(f"backward() on {what}", slips=[OF_ITS_SHAPE]):
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
        tt.gradgradcheck(solve, (leaf([[2.0]]), leaf([3.0])))
    places = np.arange(12.0)
    steep, right = 1 / (places[:, None] + places + 1), np.ones(12)
    what = "A @ x, x = Solve.apply(A, b), A[i, j] = 1 / (i + j + 1), of shape (12, 12)"
    because = "np.linalg.solve, not the inverse, which loses nearly all digits here"
    given = leaf(right)
    there = "there is an x, and NumPy finds it: ask it, and neither the determinant nor the rank"
    slips = {np.linalg.LinAlgError: there}
    with calling("Solve.apply(A, b), A[i, j] = 1 / (i + j + 1), of shape (12, 12)", slips=slips):
        x = solve(leaf(steep), given)
        x.backward(tt.tensor(right))
    expect(steep @ x.detach().numpy(), right, what, because=because, rtol=1e-6, atol=1e-6)
    what = "A.T @ b.grad, with the same A, after Solve.apply(A, b) was sent ones"
    because = (
        "an inverse loses nearly all digits here, and any system but that of A.T loses some: solve "
        "that one"
    )
    expect(steep.T @ given.grad.numpy(), right, what, because=because, rtol=1e-6, atol=1e-6)
    for factor in (1e-6, 1e6):
        what = f"Solve.apply(A, ones), A of shape (64, 64) with {factor:g} in its diagonal,"
        with calling(what, slips=slips):
            x = solve(leaf(factor * np.eye(64)), leaf(np.ones(64)))
        expect_array(x, np.ones(64) / factor, what)
    call = lambda: solve(leaf(np.zeros((2, 2))), leaf([1.0, 2.0]))  # noqa: E731
    expect_ending(call, np.linalg.LinAlgError, "Solve of a matrix of zeros")
    with tt.no_grad(), calling("Solve under no_grad()"):
        x = solve(A, b)
    expect(x.requires_grad, False, "Solve.apply(A, b).requires_grad under no_grad()")
    expect_let_go(solve, ((3, 3), (3,)), "Solve")
    expect_unrecorded("Solve", (leaf([[2.0]]), leaf([6.0])), [1.0])
    expect_what_numpy_finds()
    expect_solve_of_zeros_and_odd_numbers()
    A, b, what = leaf(np.zeros((0, 0))), leaf(np.zeros(0)), "Solve, n = 0"
    slips = [(worded(RuntimeError, "is invalid for"), "an A without elements leaves no length for "
              "-1"), (IndexError, "there's no first element")]  # fmt: skip
    with calling(f"{what}, and backward()", slips=slips):
        solve(A, b).sum().backward()
    for name, tensor in (("A", A), ("b", b)):
        expect_array(tensor.grad, np.zeros(tensor.shape), f"{what}: {name}.grad")


def systems():
    """{what it is: (A, b)}"""
    one, eye = np.ones(2), np.eye(2)
    return {"integers": (np.array([[2, 0], [0, 4]]), np.array([1, 1])),
            "A in float64, b in float32": (3 * eye, one.astype("f4")),
            "A in float32, b in float64": (3 * eye.astype("f4"), one),
            "[[2e13]] and [1]": (np.array([[2e13]]), one[:1]),
            "2e13 and 1 in the diagonal": (np.diag([2e13, 1]), one),
            "1e200 in the diagonal": (1e200 * eye, 1e200 * one),
            "1e-200 in the diagonal": (1e-200 * eye, 1e-200 * one),
            "a diagonal of ones": (eye, np.array([3.0, 4.0])), "[[1]]": (eye[:1, :1], one[:1] * 5),
            "b = 0": (eye + 1, 0 * one)}  # fmt: skip


def expect_what_numpy_finds():
    """The solution that NumPy finds, in its dtype and in memory of its own, or its error."""
    solve, close = tt.custom.Solve.apply, {"float64": (1e-9, 0), "float32": (1e-5, 0)}
    for text, (a, right) in systems().items():
        A, b, what = tt.tensor(a), tt.tensor(right), f"Solve.apply(A, b), {text},"
        with calling(what):
            x = solve(A, b)
        slips = [(lambda got: True, "np.linalg.solve gives that, and tensor(array) leaves it so")]
        expect_array(x, np.linalg.solve(a, right), what, close, slips=slips)
        shares = share_memory(x, A) or share_memory(x, b)
        fail_if(shares, f"{what} lies in the memory of A or b: whoever changes x in place, later "
                "on, changes that, too")  # fmt: skip
    for a, right in (([[0.0]], [1.0]), ([[0.0]], [0.0]), (np.zeros((2, 2)), [0.0, 0.0]),
                     ([[1.0, 2.0], [2.0, 4.0]], [0.0, 0.0])):  # fmt: skip
        call = lambda a=a, right=right: solve(leaf(a), leaf(right))  # noqa: E731
        slips = {None: "NumPy raises it, whatever b is: let it through"}
        what = f"Solve of A = {np.array(a).tolist()}, b = {right}"
        expect_raises(np.linalg.LinAlgError, call, what, slips=slips)


def expect_solve_of_zeros_and_odd_numbers():
    solve, a = tt.custom.Solve.apply, np.array([[2.0, 0.0], [1.0, 4.0]])
    (A, b), target = (leaf(a), leaf([2.0, 5.0])), tt.tensor([1.0, 1.0], dtype=tt.float64)
    what = "the gradient for b of ((Solve.apply(A, b) - 1) ** 2).sum() at its minimum"
    with calling(what):
        (slope,) = tt.autograd.grad(((solve(A, b) - target) ** 2).sum(), b, create_graph=True,
                                    allow_unused=True)  # fmt: skip
    fail_if(slope is None or not slope.requires_grad, f"{what} is a known zero: {ZERO}")
    with calling("gradgradcheck of Solve where all that comes is 0", slips={RuntimeError: ZERO}):
        tt.gradgradcheck(lambda A, b: (solve(A, b) - target) ** 2, (A, b))
    with calling("gradgradcheck of Solve, b = 0", slips={RuntimeError: ZERO}):
        tt.gradgradcheck(solve, (A, leaf([0.0, 0.0])))

    def first(A, b):
        return tt.autograd.grad(solve(A, b).exp().sum(), (A, b), create_graph=True)

    for n in (1, 2):
        given = leaf(a[:n, :n]), leaf([2.0, 5.0][:n])
        what = f"gradgradcheck of the gradients of Solve, n = {n}: its third derivatives"
        with calling(what, slips={RuntimeError: AGAIN}):
            tt.gradgradcheck(first, given)
    for sent in ([np.nan, 1.0], [np.inf, 1.0], [-np.inf, 0.0]):
        A, b, what = leaf(a), leaf([2.0, 5.0]), f"backward({sent}) on Solve.apply(A, b)"
        with calling(what):
            solve(A, b).backward(tt.tensor(sent, dtype=tt.float64))
        right = np.linalg.solve(a.T, np.array(sent))
        for got, want, name in ((b.grad, right, "b"), (A.grad, np.outer(right, [1, 1]), "A")):
            because = "what comes from above isn't judged: no number is made of NaN or infinity"
            says = f"where {what} makes {name}.grad a finite number"
            expect(np.isfinite(got.numpy()).tolist(), np.isfinite(want).tolist(), says,
                   because=because)  # fmt: skip
