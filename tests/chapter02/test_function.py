"""Chapter 2: what a ctx keeps, and how apply ties it to the result."""

import numpy as np
import pytest

import tinytorch as tt
from course.testing import (
    calling,
    calls_of,
    expect,
    expect_gradients,
    expect_raises,
    lacks,
    leaf,
    worded,
)

NOT_A_TUPLE = "a list isn't a tuple: give back a tuple"
ONE = "one Tensor comes back in a tuple too, so that (x,) = ctx.saved_tensors works"
ORDER = "they come back in the order in which they were saved"
COPY = "equal, but not the same Tensors: a copy costs memory and has lost its history"
ARRAY = "keep the Tensors, not their arrays"
SHARED = "each ctx keeps its own: self._saved, not a place that all contexts share"
NESTED = "*tensors has made a tuple of them already, and this puts it into another one"
NO_PLACE = "a new ctx has a place for them, self._saved, and an empty tuple in it"


def new_context():
    return tt.Context(tt.Add, (3, 4))


def are(*tensors):
    """Is what came a tuple or list of just these Tensors?"""
    return lambda got: len(got) == len(tensors) and all(map(lambda a, b: a is b, got, tensors))


def save(ctx, tensors, what):
    """ctx.save_for_backward(*tensors), which are Tensors, all of them."""
    slips = [
        (worded(AttributeError, "no setter"), "saved_tensors only reads: write to self._saved"),
        (TypeError, "they are Tensors: look at each of them (`tensors` is the tuple of them all)"),
    ]
    with calling(what, slips=slips):
        ctx.save_for_backward(*tensors)


def saved_by(ctx, what):
    with calling(what, slips=[(lacks("Context"), NO_PLACE)]):
        return ctx.saved_tensors


def where_it_went(ctx, tensors):
    """Of a ctx that gave back nothing: what is known of the place of these Tensors."""
    places = [n for n, v in vars(ctx).items() if isinstance(v, (tuple, list)) and are(*tensors)(v)]
    if places:
        return f"they are in ctx.{places[0]}, and saved_tensors looks elsewhere"
    return "they were not kept, or not where saved_tensors looks"


def is_on_the_class(got):
    """Is it kept on Context, where each new ctx hides it behind a place of its own?"""
    return "_saved" in vars(tt.Context)


def expect_saved(ctx, tensors, what, **slips):
    """saved_tensors is a tuple of these very Tensors; `slips` are other ends and their reasons."""
    slips = [
        *slips.values(),
        (is_on_the_class, SHARED),
        (lambda got: got is None, "nothing came back: return the tuple"),
        (lambda got: got is ctx.inputs, "those are the inputs of the call, and not what was saved"),
        (lambda got: got == () != tensors, where_it_went(ctx, tensors)),
        (lambda got: len(got) == 1 and isinstance(got[0], (tuple, list)), NESTED),
        (callable, "it's asked for without brackets: keep @property above it"),
        (lambda got: isinstance(got, list), NOT_A_TUPLE),
        (lambda got: len(tensors) == 1 and got is tensors[0], ONE),
        (are(*tensors[::-1]), ORDER),
        (are(*tensors[-1:]), "only the last is left: keep the whole tuple, tensors"),
        (are(*tensors[:1]), "only the first was kept: keep the whole tuple, tensors"),
        (lambda got: any(isinstance(x, np.ndarray) for x in got), ARRAY),
        (lambda got: all(not any(x is t for t in tensors) and (x.data == t.data).all()
                         for x, t in zip(got, tensors, strict=True)), COPY),
    ]  # fmt: skip
    said = f"saved_tensors after {what}"
    expect(saved_by(ctx, said), tensors, said, slips=slips)


FORWARD = "cls.forward(ctx, *inputs)"
OURS = "with Scale, an operation of the test: "


def scale():
    """An operation of the tests' own, z = factor * x, that keeps its factor on the ctx."""

    class Scale(tt.Function):
        @staticmethod
        def forward(ctx, x, factor):
            ctx.factor = factor
            return tt.Tensor(x.data * factor)

        @staticmethod
        def backward(ctx, grad_z):
            return tt.Tensor(grad_z.data * ctx.factor), None

    return Scale


def saved_something(error):
    return bool(calls_of("save_for_backward", error))


@pytest.mark.exercise("2.1", points=1)
def test_the_tensors_themselves_are_kept():
    ctx, x, y = new_context(), tt.Tensor([2, 5]), tt.Tensor(7)
    save(ctx, (x, y), "save_for_backward(x, y)")
    expect_saved(ctx, (x, y), "save_for_backward(x, y)")


@pytest.mark.exercise("2.1", points=1)
def test_one_tensor_comes_back_in_a_tuple_too():
    ctx, x = new_context(), tt.Tensor(2)
    save(ctx, (x,), "save_for_backward(x)")
    expect_saved(ctx, (x,), "save_for_backward(x)")


@pytest.mark.exercise("2.1", points=1)
def test_each_context_keeps_its_own_and_only_the_last_save():
    first, second, x, y = new_context(), new_context(), tt.Tensor(2), tt.Tensor(5)
    save(first, (x,), "save_for_backward(x)")
    save(second, (y,), "save_for_backward(y)")
    what = "save_for_backward(x), and of y on another ctx"
    expect_saved(first, (x,), what, shared=(are(y), SHARED), both=(are(x, y), SHARED))
    save(first, (y,), "save_for_backward(y)")
    added = "what is saved now replaces what was saved before"
    what = "save_for_backward(x), then save_for_backward(y)"
    expect_saved(first, (y,), what, added=(are(x, y), added), first=(are(x), added))


@pytest.mark.exercise("2.1", points=1)
def test_nothing_saved_is_an_empty_tuple():
    because = "before anything is saved the tuple is empty"
    what, ctx = "saved_tensors of a new Context", new_context()
    slips = [(lambda got: got is ctx.inputs, "those are its inputs")]
    expect(saved_by(ctx, what), (), what, slips=slips, because=because)


@pytest.mark.exercise("2.1", points=1)
def test_only_tensors_can_be_saved():
    array, save = np.array([1.0, 2.0]), new_context().save_for_backward
    kind = "what isn't a Tensor is a TypeError"
    slips = {
        None: "look at each argument with isinstance(tensor, Tensor)",
        AssertionError: kind,
        ValueError: kind,
    }
    expect_raises(TypeError, lambda: save(3), "save_for_backward(3)", slips=slips)
    expect_raises(TypeError, lambda: save(array), f"save_for_backward({array!r})", slips=slips)
    expect_raises(TypeError, lambda: save(None), "save_for_backward(None)", slips=slips)
    apart = {None: "a list isn't a Tensor, whatever is in it: don't take it apart"}
    some = [tt.Tensor(2)]
    expect_raises(TypeError, lambda: save(some), f"save_for_backward({some})", slips=apart)
    slips = {None: "look at all the arguments, not only the first"}
    expect_raises(TypeError, lambda: save(tt.Tensor(2), 3), "save_for_backward(x, 3)", slips=slips)
    slips = {None: "look at all the arguments, not only the last"}
    expect_raises(TypeError, lambda: save(3, tt.Tensor(2)), "save_for_backward(3, x)", slips=slips)


@pytest.mark.exercise("2.2", points=1)
def test_apply_returns_what_forward_returns():
    call = f"forward gets the ctx and then each input: {FORWARD}"
    as_they_came = "forward gets the inputs as they came"
    slips = [
        (lambda e: isinstance(e, TypeError) and "forward()" in str(e), call),
        (lambda e: "Context.__init__()" in str(e), "the ctx gets a tuple of all inputs"),
        (worded(TypeError, "'Scale' object"), f"an operation is a class, not an object: {FORWARD}"),
        (worded(TypeError, "Scale() takes"), f"an operation is a class, not an object: {FORWARD}"),
        (worded(AttributeError, "type object 'Function'"),
         "Function has no forward: the operation that was called is cls"),
        (saved_something, "apply saves nothing: what to save is up to forward"),
        (lacks("int", "data"), as_they_came),
        (worded(TypeError, "memoryview"), f"{as_they_came}: Tensors, not their arrays"),
        (worded(AttributeError, "'grad_fn'"), "only the result gets a note: result.grad_fn = ctx"),
    ]  # fmt: skip
    with calling(OURS + "Scale.apply(x, 3)", slips=slips):
        z = scale().apply(leaf([1, 2]), 3)
    slips = [
        (lambda kind: kind is tt.Context, "that is the ctx: return what cls.forward gave"),
        (lambda kind: kind is type(None), "nothing came back: return what cls.forward gave"),
    ]
    kind = tt.Tensor if isinstance(z, tt.Tensor) else type(z)
    expect(kind, tt.Tensor, OURS + "type(Scale.apply(x, 3))", slips=slips)
    expect(z, [3, 6], OURS + "Scale.apply(Tensor([1, 2]), 3)")


@pytest.mark.exercise("2.2", points=1)
def test_the_result_is_the_tensor_that_forward_made():
    made = []

    class Recorded(tt.Function):
        @staticmethod
        def forward(ctx, x):
            made.append(tt.Tensor(x.data))
            return made[-1]

    whole = "the ctx gets the operation itself, cls, and not its backward"
    slips = [(lambda e: "no attribute 'backward'" in str(e), whole)]
    with calling("with Recorded, an operation of the tests: Recorded.apply(x)", slips=slips):
        z = Recorded.apply(leaf(2))
    slips = {2: "run forward once, and keep what it gives in a name"}
    expect(len(made), 1, "how often Recorded.apply(x) ran forward", slips=slips)
    because = "return the very Tensor that forward made: forward may have saved it"
    expect(z is made[0], True, "Recorded.apply(x) is what forward returned", because=because)


@pytest.mark.exercise("2.2", points=1)
def test_the_result_remembers_its_function_and_inputs():
    Scale, x = scale(), leaf([1, 2])
    ctx = Scale.apply(x, 3).grad_fn
    slips = [
        (lambda kind: kind is type(None), "the history is forgotten: result.grad_fn = ctx"),
        (lambda kind: ctx is Scale, "that is the Function: grad_fn is the ctx of this one call"),
        (lambda kind: callable(ctx), "that is a method of the ctx: keep the ctx itself"),
    ]
    expect(type(ctx), tt.Context, OURS + "type(Scale.apply(x, 3).grad_fn)", slips=slips)
    slips = [
        (lambda got: got is tt.Function, "the operation that was called is cls"),
        (
            lambda got: isinstance(got, Scale),
            "that is an instance: the operation is the class, cls",
        ),
        (lambda got: isinstance(got, str), "that is its name: keep the class itself, cls"),
        (lambda got: isinstance(got, (tuple, list)), "the operation comes first: Context(cls, …)"),
        (
            lambda got: callable(got) and not isinstance(got, type),
            "that is one of its functions: the operation is the class, cls",
        ),
    ]
    expect(ctx.function, Scale, OURS + "grad_fn.function of Scale.apply(x, 3)", slips=slips)


@pytest.mark.exercise("2.2", points=1)
def test_inputs_are_remembered_as_they_came():
    Scale, x = scale(), leaf([1, 2])
    inputs = Scale.apply(x, 3).grad_fn.inputs
    slips = {1: "plain numbers are inputs too: keep all of them, in the same order"}
    expect(len(inputs), 2, OURS + "how many inputs Scale.apply(x, 3) remembers", slips=slips)
    expect(inputs[1], 3, OURS + "grad_fn.inputs[1] of Scale.apply(x, 3)")
    slips = [
        (lambda _: isinstance(inputs[0], np.ndarray), "that's its array, which has no history"),
        (lambda _: isinstance(inputs[0], tt.Tensor), "a copy has no history: keep x itself"),
    ]
    expect(inputs[0] is x, True, OURS + "grad_fn.inputs[0] of Scale.apply(x, 3) is x", slips=slips)


@pytest.mark.exercise("2.2", points=1)
def test_backward_sees_the_ctx_that_forward_wrote_on():
    z = scale().apply(leaf([1, 2]), 3)
    because = "forward gets the same ctx that the result remembers"
    expect(hasattr(z.grad_fn, "factor"), True, "z.grad_fn has what forward wrote", because=because)


@pytest.mark.exercise("2.2", points=1)
def test_two_calls_have_a_ctx_each():
    Scale, x = scale(), leaf(2)
    first, second = Scale.apply(x, 3), Scale.apply(x, 5)
    slips = {5: "two calls share one ctx: make a new Context in each"}
    expect_gradients(first, 1, "3 * x, after 5 * x", slips=slips, x=(x, 3))
    expect_gradients(second, 10, "5 * x with grad_z = 10", x=(x, 50))


@pytest.mark.exercise("2.2", points=1)
def test_the_inputs_are_not_marked():
    x = leaf(2)
    scale().apply(x, 3)
    slips = {False: "grad_fn belongs to the result: x was not made by this call"}
    expect(x.grad_fn is None, True, OURS + "x.grad_fn is None after Scale.apply(x, 3)", slips=slips)
