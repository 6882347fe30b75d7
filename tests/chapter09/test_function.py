"""Chapter 9: how a call enters the graph, what it says it changed, and what has no second slope."""

from functools import wraps
from types import SimpleNamespace

import numpy as np
import pytest

import tinytorch as tt
from course.contracts import expect_ending
from course.nodes import no_function
from course.testing import (
    calling,
    calls_of,
    error_of,
    expect,
    expect_raises,
    fail_if,
    lacks,
    leaf,
    worded,
)

INSIDE = "nothing that forward computes is recorded: state.grad_enabled is False while it runs"
PUT_BACK = "put back what was there before, exception or not"
NOBODY = "a call is recorded only if recording is on and one of ctx.edges leads somewhere"
RECORDED = "x asks, and recording is on"
OWN = "each call has a ctx of its own"
BY_IS = "an equal tensor isn't the same one: among(tensor, results) compares by `is`"
CONSTANT = "it passed for a constant: refusing(x, ctx, grads)"
AS_IT_IS = "where recording is off, what backward gave is returned as it is"
SECOND = (
    "in a recorded pass each gradient must be `refusing`, and state.grad_enabled, asked outside of "
    "no_grad(), says whether it's recorded"
)
KIND = "a RuntimeError, as check_writable raises one"
HELPERS = ("in_order", "run_forward", "call_forward", "results_of", "Context", "FunctionNode")
ONE = "apply's helpers get args, and kwargs, as a whole: no stars"
ORDER = (
    "one of cls, ctx, args and kwargs stands in another one's place: each helper says their order"
)


def scaled(told=None):
    """A Function x * factor + shift that keeps the factor; forward tells what is switched on."""

    class Scaled(tt.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor=3, shift=0):
            ctx.factor, ctx.switched = factor, tt.is_grad_enabled()
            ctx.wanted = ctx.needs_input_grad
            if told is not None:
                told.append((ctx.switched, ctx.wanted))
            y = x * factor + shift
            ctx.inside = y.requires_grad
            return y

        @staticmethod
        def backward(ctx, grad_y):
            return grad_y * ctx.factor, None, None

    return Scaled


HOW = "call_forward(function, ctx, args) knows how to call it"


def mixed_up(error):
    """Did a helper of apply's get a class, a ctx or the arguments in another one's place?"""
    kinds = {"function": type, "cls": type, "ctx": tt.ctx.Context, "args": tuple, "kwargs": dict}
    for call in (call for name in (*HELPERS, "__init__") for call in calls_of(name, error)):
        for name, kind in kinds.items():
            others = tuple(other for other in kinds.values() if other is not kind)
            if isinstance(call.get(name), others):
                return True
    return False


def lacks_of_no_tensor(error):
    """Was what is no Tensor asked for what only Tensors have?"""
    names = "requires_grad", "_node", "grad_fn"
    asked = isinstance(error, AttributeError) and error.name in names
    return asked and not isinstance(error.obj, tt.Tensor | tt.ctx.Context)


ASKED = lacks_of_no_tensor, "not all of these are Tensors: ctx.edges knows which arguments ask"


def applied(function, *args, **kwargs):
    what = f"{function.__name__}.apply"
    slips = [
        (mixed_up, ORDER),
        (lacks("Context", "finish"), "FunctionNode(cls, args) makes a ctx that can finish"),
        (
            lambda e: "() missing" in str(e) and str(e).startswith(HELPERS),
            "its signature says all that it gets",
        ),
        (
            lambda e: ".forward() missing" in str(e) and calls_of("call_forward", e),
            "run_forward gets the sorted args",
        ),
        (worded(TypeError, ".forward() missing"), HOW),
        (
            lambda e: any(
                isinstance(call.get("ctx"), tt.Tensor) for call in calls_of("forward", e)
            ),
            HOW,
        ),
        (lambda e: "'NoneType'" in str(e) and "_data" in str(e), "does run_forward return it?"),
        (
            lambda e: "'NoneType' object is not" in str(e),
            "ctx.finish gives nothing: the results are what results_of gave",
        ),
        (lambda e: "numpy() on a tensor" in str(e), INSIDE),
        (
            worded(RuntimeError, "is ambiguous"),
            "a Tensor is neither true nor false: ask what kind of thing it is, or if it's there",
        ),
        ASKED,
        (
            lambda e: "taken by the graph" in str(e),
            f"results_of comes before ctx.finish, and {OWN}",
        ),
        (worded(TypeError, "context manager"), "no_grad() makes one, with its parentheses"),
        (lambda e: "positional arguments but" in str(e) and str(e).startswith(HELPERS), ONE),
        (
            lambda e: isinstance(e, RecursionError) and len(calls_of("apply", e)) > 2,
            "it's call_forward that runs forward: apply would begin anew",
        ),
    ]
    before = tt.is_grad_enabled()
    with calling(what, slips=slips):
        result = function.apply(*args, **kwargs)
    slips = {not before: PUT_BACK}
    says = f"is_grad_enabled() after {what}" + ("" if before else ", called under no_grad()")
    expect(tt.is_grad_enabled(), before, says, slips=slips)
    fail_if(result is None, f"{what} gave None: is there a return, in run_forward too?")
    return result


@pytest.mark.exercise("9.2", points=2)
def test_apply_gives_what_forward_computes():
    x, told = leaf([1.0, 2.0]), []
    Scaled = scaled(told)
    y = applied(Scaled, x, 10, 5)
    slips = [
        (lambda y: isinstance(y, (list, tuple)), "a single result is returned as it is"),
        ([1, 2], "that's x itself: results_of(ctx, args, outputs), in this order"),
    ]
    expect(y, [15, 25], "Scaled.apply([1, 2], 10, 5), which is x * 10 + 5,", slips=slips)
    because = "each run of forward costs time, and leaves its mark on the ctx: one is enough"
    expect(len(told), 1, "how often that call of apply runs forward", because=because)
    slips = [(lambda _: saving_is_recorded(x), "whether forward has saved anything doesn't matter: "
              "ctx.edges and state.grad_enabled alone say whether a call is recorded"),
             (False, "x asks, and one that asks is enough: ctx.finish(args, results), with what "
              "results_of gave, and recording as it is outside")]  # fmt: skip
    what = "Scaled.apply(x, 10, 5).requires_grad, x asks,"
    expect(y.requires_grad, True, what, slips=slips)
    name = y.grad_fn.name()
    slips = {"AddBackward0": INSIDE}
    expect(name, "ScaledBackward", "the name of the node of Scaled.apply(x, 10, 5)", slips=slips)
    edges = [edge and edge.name() for edge, _ in y.grad_fn.next_functions]
    because = "finish gets the args as they stand in forward"
    expect(edges, ["AccumulateGrad"], "what its next_functions are", because=because)
    slips = {RuntimeError: "finish gets all args, those that are no Tensors too",
             AttributeError: "forward and backward share one ctx"}  # fmt: skip
    with calling("backward() on Scaled.apply(x, 10, 5)", slips=slips):
        y.backward(tt.tensor([1.0, 100.0], dtype=tt.float64))
    expect(x.grad, [10, 1000], "Scaled.apply(x, 10, 5), sent [1, 100]: x.grad")


def saving_is_recorded(x):
    """Is a call recorded whose forward saves something?"""

    class Saves(tt.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor, shift):
            ctx.save_for_backward(x)
            return x * factor + shift

    return Saves.apply(x, 10, 5).requires_grad


@pytest.mark.exercise("9.2", points=1)
def test_arguments_come_by_name_and_by_default():
    x, Scaled = leaf([1.0, 2.0]), scaled()
    slips = [([3, 6], "in_order brings arguments by keyword into their places"),
             (lambda y: isinstance(y, tuple), "a single result is returned as it is")]  # fmt: skip
    got = applied(Scaled, x, shift=8)
    slips.append(([8, 16], "that's the shift in the place of the factor: in_order sorts them"))
    expect(got, [11, 14], "Scaled.apply([1, 2], shift=8), x * 3 + 8,", slips=slips)
    got = applied(Scaled, factor=10, x=x)
    expect(got, [10, 20], "Scaled.apply(factor=10, x=[1, 2])", slips=slips)
    with calling("backward() on Scaled.apply(factor=10, x=x)",
                 slips=[(RuntimeError, "FunctionNode(cls, args) gets the sorted args, and any of "
                         "its edges may lead somewhere"),
                        (IndexError, "finish gets the sorted args"),
                        (worded(TypeError, "Value after *"), "finish gets the sorted args: it "
                         "notes their shapes")]):  # fmt: skip
        got.sum().backward()
    slips = [(lambda _: got.grad_fn.needs_input_grad != (True, False, False), "the ctx was made of "
              "args that weren't in forward's order yet: FunctionNode(cls, args) gets the sorted "
              "args")]  # fmt: skip
    what = "x.grad after backward() on Scaled.apply(factor=10, x=x)"
    expect(x.grad, [10, 10], what, slips=slips)
    because = "in_order gives the args, defaults included"
    seen = applied(Scaled, x, shift=8).grad_fn.needs_input_grad
    expect(seen, (True, False, False), "needs_input_grad of apply(x, shift=8)", because=because)


@pytest.mark.exercise("9.2", points=1)
def test_each_call_has_its_own_ctx():
    x, Scaled = leaf(1.0), scaled()
    y, z = applied(Scaled, x, 10), applied(Scaled, x, 100)
    fail_if(y.grad_fn is z.grad_fn, f"two calls of Scaled.apply have one grad_fn: {OWN}")
    with calling("backward() on Scaled.apply(x, 10) + Scaled.apply(x, 100)"):
        (y + z).backward()
    slips = {200: f"the first call's factor is gone: {OWN}", 20: OWN}
    expect(x.grad, 110, "Scaled.apply(x, 10) + Scaled.apply(x, 100): x.grad", slips=slips)


@pytest.mark.exercise("9.2", points=2)
def test_forward_is_not_recorded(monkeypatch):
    x, Scaled = leaf([1.0, 2.0]), scaled()
    ctx = applied(Scaled, x).grad_fn
    expect(ctx.switched, False, "is_grad_enabled() in forward", because=INSIDE)
    expect(ctx.inside, False, "(x * factor).requires_grad in forward", because=INSIDE)
    told, results_of = [], tt.function.results_of

    @wraps(results_of)
    def telling(*args, **kwargs):
        told.append(tt.is_grad_enabled())
        return results_of(*args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(tt.function, "results_of", telling)
        applied(Scaled, x)
        asked = told.copy()
        applied(Scaled, x.detach())
        with tt.no_grad():
            applied(Scaled, x)
    what = "how often results_of is called for a leaf that asks, a constant, and under no_grad()"
    expect(len(told), 3, what, because="once for each: results_of makes each result a Tensor of "
           "its own, even in calls that aren't recorded")  # fmt: skip
    because = "forward alone runs with recording off: results_of asks whether it's on outside"
    expect(tuple(asked), (True,), "is_grad_enabled() in results_of", because=because)
    told = []
    with tt.no_grad():
        applied(scaled(told), x)
    what = "is_grad_enabled() in forward, apply under no_grad()"
    switched, wanted = told[0]
    expect(switched, False, what, slips={True: "off is off, whatever it was before"})
    because = "what ctx knows of x is true whether the call is recorded or not"
    what = "ctx.needs_input_grad in forward, apply under no_grad() to a leaf that asks,"
    expect(wanted, (True,), what, because=because)
    expect_put_back(x)

    class Fails(tt.autograd.Function):
        @staticmethod
        def forward(ctx, x, kind=ZeroDivisionError):
            raise kind("in forward")

    error = error_of(lambda: Fails.apply(x))
    because = "what forward raises is for the caller"
    slips = {type(None): "an exception of forward was swallowed"}
    what = "the type of the error of apply, forward raises ZeroDivisionError"
    expect(type(error), ZeroDivisionError, what, slips=slips, because=because)
    what = "is_grad_enabled() after forward raised an exception"
    finally_ = "run_forward must put it back in a finally"
    expect(was_recording(), True, what, slips={False: finally_})
    what = "apply, forward raises KeyboardInterrupt,"
    expect_ending(lambda: Fails.apply(x, KeyboardInterrupt), KeyboardInterrupt, what)
    what = "is_grad_enabled() after forward raised KeyboardInterrupt"
    slips = {False: f"{finally_}, as `except Exception` lets this one pass"}
    expect(was_recording(), True, what, slips=slips)


def was_recording(restored=True):
    """Was recording on? Afterwards it's `restored`, whatever was left behind."""
    on = tt.is_grad_enabled()
    tt.set_grad_enabled(restored)
    return on


def expect_put_back(x):
    """A forward that calls apply, or switches recording itself, leaves no trace of that."""

    class Within(tt.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return scaled().apply(x)

    with calling("apply of a Function whose forward calls another one's apply"):
        Within.apply(x)
    on = was_recording()
    slips = {False: "one runs inside the other, and each of them has to know its own `before`"}
    what = "is_grad_enabled() after apply of a Function whose forward calls another one's apply"
    expect(on, True, what, slips=slips)

    class Switches(tt.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            tt.set_grad_enabled(True)
            return x * 2

    with tt.no_grad():
        with calling("apply of a Function whose forward switches recording on"):
            Switches.apply(x)
        on = was_recording(restored=False)
    slips = {True: "forward may have switched it: put back what was there before, on or off"}
    what = "is_grad_enabled() under no_grad(), after a forward that says set_grad_enabled(True),"
    expect(on, False, what, slips=slips)


@pytest.mark.exercise("9.2", points=1)
def test_what_nobody_asks_for_is_not_recorded():
    x, c, Scaled = leaf([1.0, 2.0]), tt.tensor([1.0, 2.0]), scaled()
    constant = applied(Scaled, c)
    what = "Scaled.apply(a constant).requires_grad"
    expect(constant.requires_grad, False, what, because=NOBODY)
    with tt.no_grad():
        silent = applied(Scaled, x)
    what = "Scaled.apply(x).requires_grad under no_grad()"
    expect(silent.requires_grad, False, what, because=NOBODY)
    expect(silent.grad_fn, None, "the grad_fn of a result of apply under no_grad()")
    y = applied(Scaled, x, c)
    expect(y.requires_grad, True, "Scaled.apply(x, a constant).requires_grad",
           slips={False: "one input that asks is enough"})  # fmt: skip
    y = applied(Scaled, x * 2)
    slips = {False: "a result that leads to a leaf asks, too: ctx.edges knows"}
    expect(y.requires_grad, True, "Scaled.apply(x * 2).requires_grad", slips=slips)
    y = applied(Scaled, c, x)
    expect(y.requires_grad, True, "Scaled.apply(a constant, x).requires_grad",
           slips={False: "ask all of ctx.edges, not the first alone"})  # fmt: skip

    class Second(tt.autograd.Function):
        @staticmethod
        def forward(ctx, c, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return None, grad * 2

    with calling("backward() on a Function of a constant and x",
                 slips={IndexError: "finish gets all args, each in its place"}):  # fmt: skip
        applied(Second, c, x).sum().backward()
    expect(x.grad, [2, 2], "a Function of a constant and x, 2 * x: x.grad")
    for asks, on in ((True, False), (False, True)):
        expect_asked_at_the_beginning(tt.tensor([1.0, 2.0], requires_grad=asks), on)


def expect_asked_at_the_beginning(w, on):
    """A forward that freezes w, or unfreezes it, has no say in whether its call is recorded."""
    asks, made = w.requires_grad, []

    class Turns(tt.autograd.Function):
        @staticmethod
        def forward(ctx, w, on):
            w.requires_grad_(on)
            return w * 2

    class Within(
        tt.autograd.Function
    ):  # who looks on sees this call alone, which leaves x as it is
        @staticmethod
        def forward(ctx, x):
            with tt.enable_grad():
                made.append(Turns.apply(w, on))
            return x * 2

    does = "asks" if asks else "doesn't ask"
    what = f"apply(w, {on}), w {does} when the call begins, forward says w.requires_grad_({on})"
    with calling(what, slips=[ASKED]):
        Within.apply(tt.tensor(1.0))
    began = "ctx.edges knows what was true when the call began, whatever forward does to w"
    expect(made[0].requires_grad, asks, f"requires_grad of {what},", because=began)
    seen = made[0].grad_fn and made[0].grad_fn.needs_input_grad
    expect(seen, (True, False) if asks else None, f"needs_input_grad of {what},", because=began)


@pytest.mark.exercise("9.2", points=1)
def test_a_tuple_stays_a_tuple():
    class Both(tt.autograd.Function):
        @staticmethod
        def forward(ctx, x, count):
            return (x * 2, x * 3, "text")[:count]

        @staticmethod
        def backward(ctx, *grads):
            return grads[0] * 2, None

    class Named(Both):
        @staticmethod
        def forward(ctx, x):
            seen.append(ctx)
            return "text", x * 2

    x, seen = leaf(1.0), []
    got = applied(Both, x, 3)
    slips = {
        list: "tuple(results)",
        tt.Tensor: "if forward returned a tuple, return one of all the results",
    }
    expect(type(got), tuple, "the type of what apply gives, forward gives a tuple of 3",
           slips=slips)  # fmt: skip
    expect(len(got), 3, "how many results apply gives, forward gives a tuple of 3")
    expect([float(got[0]), float(got[1]), got[2]], [2.0, 3.0, "text"],
           "what apply gives, forward gives (x * 2, x * 3, 'text') at 1,")  # fmt: skip
    asks = (got[0].requires_grad, got[1].requires_grad)
    what = "requires_grad of both Tensors that apply gives, x asks,"
    expect(asks, (True, True), what, because="ctx.finish gets all results")
    with tt.no_grad():
        got = applied(Both, x, 3)
    what = "the first one's requires_grad, and the last of these results, under no_grad()"
    expect((got[0].requires_grad, got[2]), (False, "text"), what)
    got = applied(Both, x, 1)
    because = "a tuple of one is a tuple: ask what forward returned, not how many there are"
    expect(type(got), tuple, "the type of what apply gives for a tuple of one", because=because)
    expect(len(got), 1, "the length of that tuple")
    what = "requires_grad of the Tensor in a tuple of one"
    expect(got[0].requires_grad, True, what, because=RECORDED)
    asks = applied(Named, x)[1].requires_grad
    because = "ctx.edges and state.grad_enabled alone say whether a call is recorded"
    what = "requires_grad of the second result, forward gives a text and x * 2, x asks,"
    expect(asks, True, what, because=because)
    count = len(seen[0]._results or [1])
    what = "how many results ctx.finish was told of, forward gives a text and x * 2"
    expect(count, 2, what, because="each has its number, what's no Tensor too")


@pytest.mark.exercise("9.2", points=1)
def test_what_forward_gives_back_becomes_a_result_of_its_own():
    class Same(tt.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, grad):
            return grad * 7

    class Array(Same):
        @staticmethod
        def forward(ctx, x):
            return x.numpy() * 2

    class Makes(Same):
        @staticmethod
        def forward(ctx, x):
            made.append(x * 2)
            return made[0]

    x, made = leaf([1.0, 2.0]), []
    y = applied(Makes, x)
    own = "what results_of gave is what finish and the caller get: forward may have saved it"
    fail_if(y is not made[0], f"forward returned a new Tensor, and apply gave another one: {own}")
    y = applied(Same, x)
    because = "results_of makes each result a Tensor of its own"
    fail_if(y is x, f"forward returns x, and apply gave x itself: {because}")
    fail_if(not x.is_leaf, f"after apply, x.is_leaf = False, x was a leaf before: {because}")
    y.sum().backward()
    expect(x.grad, [7, 7], "x.grad from a Function that returns x, and sends 7 times the gradient")
    with tt.no_grad():
        y, z = applied(Same, x), applied(Array, x)
    because = "results_of sees to that even in calls that aren't recorded"
    fail_if(y is x, f"forward returns x, under no_grad(), and apply gave x itself: {because}")
    slips = {tuple: "a tuple is for a forward that gave one: ask whether outputs is a tuple"}
    expect(type(z), tt.Tensor, "the type of the result of an array, under no_grad()",
           slips=slips, because=because)  # fmt: skip

    class Count(tt.autograd.Function):
        @staticmethod
        def forward(ctx, n):
            return np.arange(n)

    because = "results_of sees to that for arguments of all kinds"
    what = "the type of the result, forward gets a number and gives an array"
    expect(type(applied(Count, 3)), tt.Tensor, what, slips=slips, because=because)
    y = applied(Array, x)
    because = "results_of makes Tensors of arrays"
    what = "the type of the result, forward gives an array"
    expect(type(y), tt.Tensor, what, slips=slips, because=because)
    what = "requires_grad of the result, x asks and forward gives an array,"
    expect(y.requires_grad, True, what, because=RECORDED)
    expect(y.grad_fn.name(), "ArrayBackward", "the name of that result's node")


@pytest.mark.exercise("9.2", points=1)
def test_forward_without_a_ctx():
    class Cube(tt.autograd.Function):
        @staticmethod
        def forward(x, factor=1):
            return x * x * x

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.switched, ctx.count = tt.is_grad_enabled(), len(inputs)
            ctx.x, ctx.y = inputs[0].detach(), output

        @staticmethod
        def backward(ctx, grad):
            return grad * 3 * ctx.x * ctx.x, None

    x = leaf(2.0)
    slips = {TypeError: HOW}
    with calling("apply of a Function with setup_context", slips=slips):
        y = Cube.apply(x)
    expect(y, 8, "x * x * x at 2, with setup_context,")
    because = "call_forward calls it, too, and all of that runs with recording off"
    expect(y.grad_fn.switched, False, "is_grad_enabled() in setup_context", because=because)
    because = "in_order brings all arguments, defaults too, with keywords or without"
    what = "how many inputs setup_context gets from apply(x), forward(x, factor=1)"
    expect(y.grad_fn.count, 2, what, because=because)
    with calling("backward() on a Function with setup_context"):
        y.backward()
    expect(x.grad, 12, "x * x * x at 2, with setup_context: x.grad")


def dirty(*tensors):
    """A ctx whose forward has marked these as changed in place."""
    ctx = tt.ctx.Context(no_function(), ())
    ctx.mark_dirty(*tensors)
    return ctx


def looked_at_results(error, ctx, results):
    """Did note_changes hold a result that isn't dirty, and none that is, where it went wrong?"""
    held = list(calls_of("note_changes", error)[-1].values())
    dirty = [x for x in held if any(x is tensor for tensor in ctx._dirty)]
    return not dirty and any(x is result for x in held for result in results)


def with_another(name, function, ctx, results):
    """The error of note_changes, or None, while `function` stands for this name in its module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tt.function, name, function)
        return error_of(lambda: tt.function.note_changes(ctx, results))


def asked_the_other_way(ctx, results):
    """Does note_changes give among() the results first?"""
    asked, among = [], tt.function.among

    @wraps(among)
    def telling(*args, **kwargs):
        asked.append(args)
        return among(*args, **kwargs)

    with_another("among", telling, ctx, results)
    return any(args and isinstance(args[0], (list, tuple)) for args in asked)


def wants_true(ctx, results):
    """Is note_changes content if check_writable gives True, which it never does?"""
    return with_another("check_writable", lambda tensor: True, ctx, results) is None


def touches_others(ctx, results):
    """Does note_changes tell the clock of arrays in other memory than that of what is dirty?"""
    touched = []
    memory = SimpleNamespace(**vars(tt.memory) | {"touch": touched.append})
    with_another("memory", memory, ctx, results)
    mine = [tensor._data for tensor in ctx._dirty]
    return any(not any(np.shares_memory(array, a) for a in mine) for array in touched)


def note(ctx, results, what):
    # fmt: off
    slips = [(lambda e: isinstance(e, RuntimeError) and "ambiguous" in str(e), BY_IS),
             (lambda e: looked_at_results(e, ctx, results), "a result needn't be dirty: look for "
              "what's dirty among the results, not the other way round"),
             (lambda e: asked_the_other_way(ctx, results), "among(tensor, results), in this order"),
             (lambda e: "among the results" in str(e), "it is among them: look at all results, and "
              "ask it of what's dirty"),
             (lambda e: "'_data'" in str(e) or "'_node'" in str(e), "check_writable takes the "
              "Tensor itself"),
             (lambda e: "'base'" in str(e), "memory.touch wants an array: tensor._data"),
             (lambda e: wants_true(ctx, results), "check_writable raises by itself where it must, "
              "and gives nothing: call it, and don't ask what it gave"),
             (RuntimeError, "what's dirty is among the results, and may be changed: no error")]
    # fmt: on
    with calling(what, slips=slips):
        tt.function.note_changes(ctx, results)


@pytest.mark.exercise("9.4", points=2)
def test_a_change_is_counted():
    x, y, z = (tt.tensor([1.0, 2.0]) for _ in range(3))
    what = "note_changes, x is dirty, the results are [y, x]"
    note(dirty(x), [y, x], what)
    slips = [(lambda _: touches_others(dirty(x), [y, x]), "the clock was told of another array: "
              "tensor._data itself is what was changed, not a copy"),
             (0, "memory.touch(array) counts a change, even of a constant"),
             (2, "one change is counted once")]  # fmt: skip
    expect(x._version, 1, f"{what}: how many changes of x are counted", slips=slips)
    because = "only what's marked dirty has changed"
    expect(y._version, 0, f"{what}: how many changes of y are counted", because=because)
    ctx = dirty(y)
    note(ctx, [y, x, y], "note_changes, y is dirty, the results are [y, x, y]")
    what = "how many changes of y are counted, y is dirty, the results are [y, x, y],"
    because = "one change is counted once, in however many places its tensor comes out"
    expect(y._version, 1, what, because=because)
    because = "ctx.finish reads ctx._dirty later on, to give each of them its new history"
    expect(len(ctx._dirty), 1, "how many tensors are in ctx._dirty afterwards", because=because)
    y = tt.tensor([1.0, 2.0])
    note(dirty(x, z), [z, y, x], "note_changes, x and z are dirty, the results are [z, y, x]")
    slips = {(1, 0, 1): "x was marked dirty again", (2, 0, 0): "both of them are dirty"}
    slips = [(lambda got, s=s: got == s, why) for s, why in slips.items()]
    got = (x._version, y._version, z._version)
    what = "how many changes of x, y and z are counted, x was dirty twice and z once,"
    expect(got, (2, 0, 1), what, slips=slips)


@pytest.mark.exercise("9.4", points=1)
def test_what_is_dirty_must_be_among_the_results():
    x, y = tt.tensor([1.0, 2.0]), tt.tensor([1.0, 2.0])
    each = "each dirty tensor must be among them"
    for ctx, results, text, why in (
        (dirty(x), [], "x is dirty, there are no results", "x isn't among them: an error"),
        (dirty(x), [y], "x is dirty, the result is an equal tensor", BY_IS),
        (dirty(y, x), [y], "x and y are dirty, the result is y", each),
        (dirty(x), [x.detach()], "x is dirty, the result is x.detach()", BY_IS),
    ):
        call = lambda ctx=ctx, results=results: tt.function.note_changes(ctx, results)  # noqa: E731
        says = f"note_changes, {text},"
        expect_raises(RuntimeError, call, says, slips={None: why}, because=KIND)
        count = f"how many changes of x are counted after {says} which is an error"
        expect(x._version, 0, count, because="first ask, then count")
        slips = {None: "ask that in any call, whether the call is recorded or not"}
        with tt.no_grad():
            expect_raises(RuntimeError, call, f"{says} under no_grad()", slips=slips, because=KIND)


@pytest.mark.exercise("9.4", points=1)
def test_a_leaf_may_not_be_changed():
    x = leaf([1.0, 2.0])
    call = lambda: tt.function.note_changes(dirty(x), [x])  # noqa: E731
    slips = {None: "check_writable(tensor) refuses it, with recording as it is"}
    what = "note_changes, a leaf that asks is dirty,"
    expect_raises(RuntimeError, call, what, slips=slips, because=KIND)
    expect(x._version, 0, "how many changes of a leaf that was refused are counted",
           because="first ask, then count")  # fmt: skip
    there = "there a leaf may be changed: check_writable(tensor) knows, and raises where it must"
    says = "note_changes under no_grad(), a leaf is dirty,"
    with tt.no_grad(), calling(says, slips={RuntimeError: there}):
        tt.function.note_changes(dirty(x), [x])
    what = "how many changes of a leaf note_changes counts under no_grad()"
    expect(x._version, 1, what, because="there it may be changed, and that counts")


def once(told=None, form=tuple):
    """A Function x * y whose backward computes with arrays, is marked, and tells the mode."""

    class Product(tt.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        @tt.function.once_differentiable
        def backward(ctx, grad):
            if told is not None:
                told.append(tt.is_grad_enabled())
            x, y, grad = (t.detach().numpy() for t in (*ctx.saved_tensors, grad))
            return form([tt.tensor(grad * y), tt.tensor(grad * x)])

    return Product


STARS = "wrapped(ctx, *grads) calls backward(ctx, *grads), with both stars"
NO_FUNCTION = lambda e: "'NoneType' object is not callable" in str(e)  # noqa: E731


def got_a_tuple(error):
    """Did a marked backward get a tuple where a gradient belongs?"""
    return any(isinstance(call.get("grad"), tuple) for call in calls_of("backward", error))


def product(x, y, **kwargs):
    slips = [(NO_FUNCTION, "a decorator returns the new function"),
             (worded(TypeError, "missing"), "a decorator returns the new function, and leaves the "
              "call to others: no parentheses")]  # fmt: skip
    with calling("x * y with a marked backward", slips=slips):
        return once(**kwargs).apply(x, y)


def given_back(grad=1.0):
    """What the marked backward of x * y at 3 and 5 gives in a recorded pass, called directly."""
    function = once()
    ctx = function.apply(leaf(3.0), leaf(5.0)).grad_fn
    return function.backward(ctx, grad if isinstance(grad, tt.Tensor) else tt.tensor(grad))


NEW = "once_differentiable makes a new function, and that calls the old one under no_grad()"


def is_the_same():
    """Does once_differentiable give the very function that it gets?"""
    backward = lambda ctx, grad: grad  # noqa: E731
    return tt.function.once_differentiable(backward) is backward


@pytest.mark.exercise("9.5", points=2)
def test_the_first_derivative_is_what_it_was(monkeypatch):
    x, y, told = leaf(3.0), leaf(5.0), []
    first = [(NO_FUNCTION, "a decorator returns the new function"),
             (lambda e: not isinstance(given_back(), tuple), "what comes out is a tuple: of what "
              "refusing gave for each of as_gradients(results)"),
             (lambda e: "gradients for" in str(e) and [float(g) for g in given_back()] == [1.0],
              "refusing is for the gradients that backward gave, not for what it got"),
             (lambda e: "gradients for" in str(e), "all that backward returned comes out"),
             (RuntimeError, "the first derivative is right, and nobody has asked for another one"),
             (worded(TypeError, "update_wrapper"), "@wraps(backward) says whose name it takes"),
             (lambda e: calls_of("refusing", e), "refusing(x, ctx, grads): one gradient, and "
              "grads, a tuple"),
             (worded(TypeError, "positional argument"), STARS), (got_a_tuple, STARS)]  # fmt: skip
    z = product(x, y, told=told)
    with calling("backward() on x * y with a marked backward", slips=first):
        z.backward(retain_graph=True)
    slips = [(lambda g: g is None, "what backward gave must come out")]
    expect(x.grad, 5, "x * y at 3 and 5, with a marked backward: x.grad", slips=slips)
    expect(y.grad, 3, "x * y at 3 and 5, with a marked backward: y.grad", slips=slips)
    slips = [(lambda told: len(told) > 1, "one call of the new function calls the old one once")]
    what = "is_grad_enabled() in the marked backward, for each call,"
    expect(tuple(told), (False,), what, slips=slips)
    again = "`once` is about the derivative of a derivative: the first may be asked for often"
    with calling("a second backward(), after backward(retain_graph=True), with a marked backward",
                 slips={RuntimeError: again}):  # fmt: skip
        z.backward(tt.tensor(10.0, dtype=tt.float64))
    slips = {10: "the second call gets other gradients than the first: run the old one in each"}
    what = "x * y at 3 and 5, with a marked backward, sent 1, and then 10: x.grad"
    expect(x.grad, 55, what, slips=slips)
    z = product(x, y, told=told)
    asked, refusing = [], tt.function.refusing

    @wraps(refusing)
    def telling(*args, **kwargs):
        asked.append((args or tuple(kwargs.values()))[0])
        return refusing(*args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(tt.function, "refusing", telling)
        with calling("grad(x * y, [x, y], create_graph=True) with a marked backward", slips=first):
            found = tt.autograd.grad(z, [x, y], create_graph=True)
    what = "grad(x * y, [x, y], create_graph=True) at 3 and 5, with a marked backward"
    expect([float(g) for g in found], [5.0, 3.0], what)
    what = "is_grad_enabled() in the marked backward, in a recorded pass,"
    slips = [(lambda on: is_the_same(), NEW), (True, "it runs under no_grad()")]
    expect(told[-1], False, what, slips=slips)
    asks = tuple([g.requires_grad for g in found])
    unused = "refusing gives another Tensor, and leaves the one that it gets alone: return that one"
    whole = "refusing takes one gradient at a time: as_gradients makes a tuple of them all"
    slips = [(lambda got: not all(isinstance(a, tt.Tensor) for a in asked), whole),
             (lambda got: not any(got) and asked, unused),
             (lambda got: all(g.requires_grad for g in given_back(leaf(1.0))), "whether what comes "
              "has a history doesn't matter: state.grad_enabled alone says if a pass is recorded"),
             (lambda got: not any(got), SECOND),
             (lambda got: True, "each of them is `refusing`")]  # fmt: skip
    what = "requires_grad of both gradients from grad(x * y, [x, y], create_graph=True)"
    expect(asks, (True, True), what, slips=slips)


@pytest.mark.exercise("9.5", points=3)
def test_the_second_derivative_is_refused():
    x, y = leaf(3.0), leaf(5.0)
    what = "the derivative of x's gradient of x * y, with a marked backward"
    for inputs, text in (((x, y), ""), ((x, y * 2), ", y a result,")):
        (dx,) = tt.autograd.grad(product(*inputs), x, create_graph=True)
        call = lambda dx=dx: tt.autograd.grad(dx, y, allow_unused=True)  # noqa: E731
        slips = [(lambda got: isinstance(got, tuple), CONSTANT)]
        slips += [(lambda e: "does not require grad" in str(e), SECOND), (None, SECOND)]
        says = ["once_differentiable"]
        expect_raises(RuntimeError, call, f"{what}{text}", slips=slips, says=says)
    handed = "each of them is `refusing`, one that has a history of its own, too"
    for ways in ("what came", "what was saved"):
        y = hands_on(ways).apply(x) ** 2
        single = "a single gradient is no tuple: as_gradients makes one of it"
        with calling("grad(f(x)², x, create_graph=True)", slips={TypeError: single}):
            (dx,) = tt.autograd.grad(y, x, create_graph=True)
        call = lambda dx=dx: tt.autograd.grad(dx, x, allow_unused=True)  # noqa: E731
        says = f"the second derivative of f(x)², where the marked backward of f hands on {ways},"
        slips = [(lambda got: isinstance(got, tuple), handed)]
        expect_raises(RuntimeError, call, says, slips=slips)
    z = product(x, leaf(5.0)) + x * x * x
    (dx,) = tt.autograd.grad(z, x, create_graph=True)
    expect(dx, 32, "the gradient of x * y + x * x * x")
    call = lambda: tt.autograd.grad(dx, x)  # noqa: E731
    because = "18 is right for x * x * x, and of x * y nobody knows"
    what = "the second derivative of x * y + x * x * x, x * y with a marked backward,"
    expect_raises(RuntimeError, call, what, because=because, says=["once_differentiable"])


def hands_on(ways):
    """A Function f(x) = x whose marked backward computes nothing: it gives a Tensor that it got."""

    class Hands(tt.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 1

        @staticmethod
        @tt.function.once_differentiable
        def backward(ctx, grad):
            return grad if ways == "what came" else ctx.saved_tensors[0]

    return Hands


@pytest.mark.exercise("9.5", points=1)
def test_single_gradients_lists_and_none():
    class Sin(tt.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor):
            ctx.save_for_backward(x)
            ctx.factor = factor
            return x.sin() * factor

        @staticmethod
        @tt.function.once_differentiable
        def backward(ctx, grad):
            return grad * ctx.saved_tensors[0].cos() * ctx.factor, None

    class Twice(tt.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        @tt.function.once_differentiable
        def backward(ctx, grad):
            return grad * 2

    x = leaf([1.0, 2.0])
    none = "a gradient may be None: refusing leaves None as it is"
    single = "a single gradient is no tuple: as_gradients makes one of it"
    for text, y, want, why in (
        ("sin(x) * 2", lambda: Sin.apply(x, 2), 2 * np.cos([1.0, 2.0]), none),
        ("x * 2", lambda: Twice.apply(x), [2.0, 2.0], single),
    ):
        slips = [(lambda e: "NoneType" in str(e) or "gradients for" in str(e), why),
                 (TypeError, why),
                 (worded(RuntimeError, "ambiguous"), "a gradient is there or None: nobody asks "
                  "whether it's true"),
                 (lambda e: "once_differentiable" in str(e), "that's the first derivative, and a "
                  "Function may be called more than once")]  # fmt: skip
        for recorded in (False, True):
            what = f"the gradient of {text}, with a marked backward, recorded: {recorded},"
            with calling(what, slips=slips):
                (got,) = tt.autograd.grad(y().sum(), x, create_graph=recorded)
            expect(got, want, what)
    ctx = Twice.apply(x).grad_fn
    what = "what a marked backward gives in a recorded pass"
    with calling(what):
        got = Twice.backward(ctx, tt.tensor([1.0, 1.0]))
    because = "a tuple, as `return grad_x, grad_y` gives one"
    expect(type(got), tuple, f"the type of {what}", because=because)
    for recorded in (False, True):
        what = f"gradients from a marked backward that gives a list, recorded: {recorded}"
        y = product(leaf(3.0), x, form=list)
        why = "as_gradients makes a tuple of a list" if recorded else AS_IT_IS
        with calling(what, slips=dict.fromkeys((AttributeError, TypeError, RuntimeError), why)):
            (got,) = tt.autograd.grad(y.sum(), x, create_graph=recorded)
        expect(got, [3, 3], what)


def as_list(given):
    return list(given) if isinstance(given, (list, tuple)) else [given]


@pytest.mark.exercise("9.5", points=1)
def test_the_mark_leaves_no_trace():
    seen = []

    def backward(ctx, grad):
        """What it's for."""
        if getattr(ctx, "fails", False):
            raise ZeroDivisionError
        seen.append(grad)
        return grad

    def backward_of_two(ctx, grad_first, grad_second):
        return grad_second

    several = tt.function.once_differentiable(backward_of_two)
    with tt.no_grad(), calling("a marked backward of a Function with two results",
                               slips={TypeError: "*grads: one for each result"}):  # fmt: skip
        several and several(tt.ctx.Context(no_function(), ()), tt.tensor(1.0), tt.tensor(2.0))
    none = "a gradient that came may be None: hand it on"
    with tt.no_grad(), calling("a marked backward, None came for a result",
                               slips={AttributeError: none, TypeError: none}):  # fmt: skip
        several and several(tt.ctx.Context(no_function(), ()), None, tt.tensor(2.0))
    with calling("once_differentiable(backward)"):
        marked = tt.function.once_differentiable(backward)
    fail_if(not callable(marked), f"once_differentiable(backward) gave {marked!r}, expected a "
            "function: return it")  # fmt: skip
    kept = "@wraps(backward) above the new function keeps it"
    expect(marked.__name__, "backward", "the name of the new function", because=kept)
    expect(marked.__doc__, "What it's for.", "the docstring of the new function",
           because="wraps takes it along, too")  # fmt: skip
    ctx = tt.ctx.Context(no_function(), ())
    ctx.fails = True
    error = error_of(lambda: marked(ctx, tt.tensor(1.0)))
    expect(type(error), ZeroDivisionError, "the error of a marked backward that raises one",
           because="what backward raises is for the caller, as it is")  # fmt: skip
    expect(was_recording(), True, "is_grad_enabled() after a marked backward raised an exception",
           because="`with no_grad():` puts the flag back even then")  # fmt: skip
    g, ctx = tt.tensor([1.0]), tt.ctx.Context(no_function(), ())
    with calling("a marked backward in a recorded pass"):
        marked(ctx, tt.tensor([1.0]))
    because = "the new function keeps nothing of a call"
    what = "under which names ctx keeps something after a marked backward"
    expect(sorted(vars(ctx)), [], what, because=because)
    with tt.no_grad(), calling("the marked function, under no_grad()"):
        got = marked(ctx, g)
    once = "state.grad_enabled is asked in each call, and here it's False"
    refused = any(isinstance(x, tt.Tensor) and x.requires_grad for x in as_list(got))
    fail_if(refused, f"under no_grad(), the new function gave a `refusing` Tensor: {once}")
    same = got is g
    because = "hand on what came as it is: backward(ctx, *grads)"
    fail_if(seen[-1] is not g, f"backward got another Tensor than the one that came: {because}")
    what = "under no_grad(), backward gave a Tensor and the new function gave"
    got = "another one" if isinstance(got, tt.Tensor) else f"a {type(got).__name__}"
    fail_if(not same, f"{what} {got}: {AS_IT_IS}")
