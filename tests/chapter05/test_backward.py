"""Chapter 5: gradients for leaves only, a graph that is let go, and a step that is not recorded."""

import gc
import weakref
from contextlib import contextmanager

import numpy as np
import pytest

import tinytorch as tt
from course.basics import builds_on
from course.testing import (
    calling,
    calls_of,
    error_of,
    expect,
    expect_backward,
    expect_raises,
    lacks,
    leaf,
    visits,
    worded,
)


def all_are_freed(error):
    """Does a ctx that is new, and has saved something, take itself for freed, too?"""
    return "retain_graph" in str(error_of(lambda: (leaf(2) * 3).grad_fn.backward(tt.Tensor(1.0))))


def lacks_an_attribute(error):
    return isinstance(error, AttributeError) and "'Context' object has no" in str(error)


def bare_scope():
    """What to say where `with` got no_grad itself."""
    return worded(TypeError, "context manager"), "no_grad() makes the scope: with brackets"


def unknown(*names):
    """A question for slips: was one of these names asked of nobody?"""
    return lambda error: isinstance(error, NameError) and error.name in names


def slips_of_free():
    """What to say where free(), or a look at ctx.inputs after it, raises an error."""
    inputs = "free() deleted it: ctx.inputs stays, an empty tuple"
    deleted = "free() deleted it, but may be called twice: give it another value in its place"
    reads = "saved_tensors only reads what ctx._saved holds: let go of that"
    return [
        (worded(AttributeError, "no setter"), reads),
        (worded(AttributeError, "no deleter"), reads),
        (lacks("tuple"), "a tuple can't be changed: give self.inputs an empty one, ()"),
        (lambda error: lacks_an_attribute(error) and "'inputs'" in str(error), inputs),
        (lacks_an_attribute, deleted),
    ]


def slips_before_free():
    """What to say where a ctx that was not freed raises an error."""
    return [
        (all_are_freed, "one ctx was freed, and now all are: note it on self, not on the class"),
        (
            lacks_an_attribute,
            "only free() sets that: ask for something that every ctx has from the start",
        ),
        (lambda error: "retain_graph" in str(error), "nothing saved is not the same as freed"),
        (
            lambda error: isinstance(error, RecursionError) and calls_of("backward", error),
            "ctx.backward called itself: self.function.backward is the operation's",
        ),
        (
            worded(TypeError, "Context.backward() takes"),
            "that's this very method: self.function.backward is the operation's",
        ),
        (
            worded(TypeError, "'grad_z'"),
            "the Function's backward takes the ctx, and then the gradient",
        ),
        (
            worded(TypeError, "'bool' object is not callable"),
            "free is the method: call a flag of yours something else",
        ),
        (
            worded(TypeError, "'Tensor' object is not iterable"),
            "a single Tensor comes bare: (grads,) makes a tuple of it",
        ),
    ]


@contextmanager
def recording_off():
    """As it is while backward() walks, whatever no_grad() does."""
    tt.recording = False
    try:
        yield
    finally:
        tt.recording = True


@pytest.mark.exercise("5.5", points=1)
@builds_on("5.2")
def test_free_lets_go_of_the_inputs():
    ctx = (leaf(2) * leaf(3)).grad_fn
    with calling("ctx.free()", slips=slips_of_free()):
        ctx.free()
    why = "only its inputs and what was saved are let go of: which operation it was, it still knows"
    what = "whether ctx.function is Mul after ctx.free()"
    expect(getattr(ctx, "function", None) is tt.Mul, True, what, because=why)
    why = "an empty tuple: whoever walks the graph finds nothing behind this ctx"
    slips = [
        (lambda got: len(got) == 2, "they're all still there: an empty tuple takes their place"),
        (
            lambda got: got is None,
            "an empty tuple, not None: whoever walks the graph loops over it",
        ),
    ]
    with calling("ctx.inputs after ctx.free()", slips=slips_of_free()):
        expect(ctx.inputs, (), "ctx.inputs after ctx.free()", slips=slips, because=why)
    twice = "twice is fine: the second time there's nothing left to let go of"
    with calling("a second ctx.free()", slips=[*slips_of_free(), (Exception, twice)]):
        ctx.free()
    expect(ctx.inputs, (), "ctx.inputs after a second ctx.free()", because=why)
    ctx = (leaf(2) * leaf(3)).grad_fn
    with recording_off():
        ctx.free()
    off = "backward() calls it while nothing is recorded"
    expect(ctx.inputs, (), "ctx.inputs after ctx.free(), recording False,", because=off)
    y = leaf(2) * leaf(5)
    behind, ctx = y.grad_fn, (y * leaf(3)).grad_fn
    ctx.free()
    why = "free this ctx alone: its inputs, and the ctxs behind them, are needed later in the pass"
    expect(y.grad_fn is behind, True, "y.grad_fn is as before, when y * w was freed", because=why)
    expect(len(behind.inputs), 2, "len(y.grad_fn.inputs), when y * w was freed", because=why)
    what = "y.grad_fn still holds what it saved, when y * w was freed"
    expect(len(behind.saved_tensors or ()), 2, what, because=why)
    is_whole = np.array_equal(y.data, 10)
    expect(is_whole, True, "y = 2 * 5 holds 10, when y * w was freed", because=why)


@pytest.mark.exercise("5.5", points=1)
@builds_on("5.2")
def test_free_lets_go_of_what_was_saved():
    x, other = leaf(2), tt.Tensor(3.0)
    alive = weakref.ref(other)
    ctx = (x * other).grad_fn
    del other
    ctx.free()
    slips = [
        (lambda _: len(ctx._saved or ()), "the memory is in what was saved: let go of that, too"),
        (False, "something else of this ctx still holds it: is there another attribute?"),
    ]
    expect(alive() is None, True, "whether a saved tensor is gone after ctx.free()", slips=slips)
    ctx, sent = (-leaf(2)).grad_fn, tt.Tensor(5.0)
    alive = weakref.ref(sent)
    with calling("ctx.backward(5) for -x, not freed,", slips=slips_before_free()):
        ctx.backward(sent)
    ctx.free()
    del sent
    why = "a freed ctx keeps no tensor alive, so don't note on it what came to backward"
    what = "whether the gradient that ctx.backward was given is gone after ctx.free()"
    expect(alive() is None, True, what, because=why)


GIVEN_BACK = "raise the error: nobody looks at one that is returned"


def of_another_kind(words):
    """What to say where an error has the right words, and isn't a RuntimeError."""
    return (
        lambda got: (
            isinstance(got, Exception) and not isinstance(got, RuntimeError) and words in str(got)
        ),
        "another kind of error: raise RuntimeError(…)",
    )


def is_marked(ctx):
    """Is there any attribute that tells this freed ctx from a new one that holds nothing?"""
    return vars(ctx) != vars(tt.Context(ctx.function, ()))


def ran_into_nothing(error):
    """An exception of Python's own, about what isn't there any more."""
    kinds = TypeError, ValueError, AttributeError, IndexError
    words = "NoneType", "unpack", "out of range"
    return isinstance(error, kinds) and any(word in str(error) for word in words)


@pytest.mark.exercise("5.5", points=1)
@builds_on("5.2")
def test_backward_through_a_freed_ctx_is_a_clear_error():
    ctx = (leaf(2) * leaf(3)).grad_fn
    ctx.free()
    unmarked = "nothing on ctx tells that it was freed, for a new one has an empty tuple, too: "
    unmarked += "mark that by something else, such as None, and raise RuntimeError where it's so"
    slips = [
        (lambda got: isinstance(got, Exception) and got.__traceback__ is None, GIVEN_BACK),
        (None, "ask first whether it was freed, and raise RuntimeError if so"),
        of_another_kind("retain_graph=True"),
        (lambda error: ran_into_nothing(error) and not is_marked(ctx), unmarked),
        (ran_into_nothing, "it ran into what free() took away: ask first whether it was freed"),
    ]
    what = "ctx.backward(1) for x * y, after ctx.free()"
    call = lambda: ctx.backward(tt.Tensor(1.0))  # noqa: E731
    expect_raises(RuntimeError, call, what, slips=slips, says=["retain_graph=True"])
    with recording_off():
        what = f"{what}, recording False,"
        expect_raises(RuntimeError, call, what, says=["retain_graph=True"])


@pytest.mark.exercise("5.5", points=1)
@builds_on("5.2")
def test_an_operation_that_saves_nothing_can_be_freed_too():
    unmarked = "x + y saves nothing: mark freed by something that no ctx has before, such as None"
    unasked = "free() put None into ctx._saved: ask for that before anything else"
    for text, y in {"x + y": leaf(2) + leaf(3), "-x": -leaf(2), "x.T": leaf([[2]]).T}.items():
        ctx = y.grad_fn
        ctx.free()
        call = lambda ctx=ctx, y=y: ctx.backward(tt.Tensor(np.ones(y.shape)))  # noqa: E731
        reason = unasked if getattr(ctx, "_saved", ()) is None else unmarked
        slips = [(lambda got: not isinstance(got, BaseException), reason)]
        what = f"ctx.backward(1) for {text}, after free()"
        expect_raises(RuntimeError, call, what, slips=slips, says=["retain_graph=True"])


@pytest.mark.exercise("5.5", points=1)
@builds_on("5.2")
def test_a_ctx_that_was_not_freed_works():
    with calling("ctx.backward(1) for x + y, not freed,", slips=slips_before_free()):
        (leaf(2) + leaf(3)).grad_fn.backward(tt.Tensor(1.0))
    ctx = (-leaf(2)).grad_fn
    grads = ctx.backward(tt.Tensor(5.0))
    why = "the answer is a tuple, also for an operation with one input"
    expect(type(grads), tuple, "type of ctx.backward(5) for -x", because=why)
    expect(grads[0], -5, "ctx.backward(5)[0] for -x")
    with calling("ctx.backward(5) for -x, called a second time,", slips=slips_of_freed("itself")):
        expect(ctx.backward(tt.Tensor(5.0))[0], -5, "ctx.backward(5)[0] for -x, a second time")
        slips = {-5: "that is the answer of the call before: each call runs function.backward"}
        again = ctx.backward(tt.Tensor(7.0))[0]
        expect(again, -7, "ctx.backward(7)[0] for -x, after ctx.backward(5)", slips=slips)
    one_for_each_input()
    empty = "a ctx with nothing in it is not freed yet, only free() frees"
    slips = [(lambda error: "retain_graph" in str(error), empty)]
    with calling("Context(Empty, ()).backward(1), not freed,", slips=slips):
        tt.Context(Empty, ()).backward(tt.Tensor(1.0))
    for ctx in [tt.Context(Empty, ()) for _ in range(50)]:
        ctx.free()
    del ctx
    slips = slips_of_freed("new")
    for ctx in [tt.Context(Empty, ()) for _ in range(50)]:
        with calling("Context(Empty, ()).backward(1), after others were freed,", slips=slips):
            ctx.backward(tt.Tensor(1.0))


class Empty:
    """An operation without inputs, which has no gradient to give."""

    @staticmethod
    def backward(ctx, grad_z):
        return ()


def one_for_each_input():
    """A tuple from an operation stays that tuple, whoever needs a gradient and whoever has none."""

    class Given(tt.Function):
        @staticmethod
        def forward(ctx, *inputs):
            return tt.Tensor(2.0)

        @staticmethod
        def backward(ctx, grad_z):
            return tuple(grad_z if isinstance(x, tt.Tensor) else None for x in ctx.inputs)

    wrapped = "the operation gave a tuple already: put only a single Tensor into one"
    cut = "a None, or what a constant gets, stays in its place: who needs it is decided later"
    x, c = leaf(2), tt.Tensor(3.0)
    for text, inputs in {"x": (x,), "x, c": (x, c), "x, 3": (x, 3), "c, 3, x": (c, 3, x)}.items():
        what = f"ctx.backward(1) for inputs {text}, where the operation gives one for each"
        with calling(what, slips=slips_of_freed("new")):
            grads = tt.Context(Given, inputs).backward(tt.Tensor(1.0))
        wants = ["Tensor" if isinstance(i, tt.Tensor) else "NoneType" for i in inputs]
        slips = [(lambda got: "tuple" in got, wrapped), (lambda got: True, cut)]
        expect([type(g).__name__ for g in grads], wants, f"{what}: the types", slips=slips)


def slips_of_freed(what):
    """What to say where the error of a freed graph came."""
    reasons = {
        "itself": "only free() frees: backward() may be called again",
        "first": "the ctx was freed before its backward ran",
        "retained": "retain_graph=True: free nothing",
        "new": "this ctx is new, if in the place of a freed one: note it on the ctx itself",
    }
    return [(lambda error: "retain_graph" in str(error), reasons[what])]


def slips_of_a_loop(root):
    """What to say where a first pass, from this root, raises an error."""

    def handed(function, name):
        """What a given function was handed as this argument, in the call that failed."""
        return lambda error: calls_of(function, error)[-1][name]

    ctx, sent, behind = handed("propagate", "ctx"), handed("propagate", "grad"), "propagate(ctx, "
    return [
        (
            lambda error: isinstance(ctx(error), tt.Tensor),
            "propagate takes a ctx, tensor.grad_fn, and got the Tensor",
        ),
        (
            lambda error: isinstance(sent(error), dict),
            f"the gradient stands before the dict: {behind}grad, grads)",
        ),
        (
            lambda error: sent(error) is None,
            "propagate was sent None: the first gradient is head_gradient(self, gradient), and "
            "each tensor's own is in grads",
        ),
        (worded(TypeError, "propagate()"), f"it takes three: {behind}grad, grads)"),
        (worded(TypeError, "head_gradient()"), "it takes two: head_gradient(self, gradient)"),
        (
            lambda error: handed("head_gradient", "tensor")(error) is None,
            "the tensor stands before its gradient: head_gradient(self, gradient)",
        ),
        (
            lambda error: handed("accumulate", "tensor")(error) is None,
            "accumulate takes the leaf itself: its .grad is None before the first",
        ),
        (
            worded(TypeError, "got NoneType None"),
            "a leaf's .grad is None before the first: accumulate(tensor, grad) looks",
        ),
        (lacks("NoneType", "pop", "get"), "propagate gives nothing back: it writes into grads"),
        (worded(TypeError, "'function' object is not"), "call it: topological_order(self)"),
        (lacks("Tensor", "free"), "a ctx is freed, and no Tensor: tensor.grad_fn.free()"),
        (unknown("free"), "free is a method of a ctx: tensor.grad_fn.free()"),
        (
            lambda error: isinstance(error, RuntimeError) and at_once(error),
            "this one requires a gradient: the question is self.requires_grad alone",
        ),
        (
            lambda error: isinstance(error, KeyError) and error.args[0] is root,
            "nobody put in the root's own: begin with {self: head_gradient(self, gradient)}",
        ),
        (
            lambda error: isinstance(error, KeyError) and not error.args[0].is_leaf,
            f"nothing was sent to this result: {behind}grad, grads) puts it into grads",
        ),
        (KeyError, "a tensor's turn came before anything was sent to it: walk in reverse"),
        (worded(TypeError, "'bool' object is not callable"), "is_leaf is a property: no brackets"),
        bare_scope(),
        (
            worded(TypeError, "'NoneType' object is not iterable"),
            "list.reverse() turns the list around, and gives None: reversed(order)",
        ),
        (
            lacks("NoneType", "backward", "function", "inputs"),
            "a leaf has no ctx: it keeps what it's sent",
        ),
        (
            lambda error: lacks("NoneType", "free")(error) and comes_to_a_leaf(error),
            "a leaf has no ctx to free: free those whose backward ran",
        ),
    ]


def comes_to_a_leaf(error):
    """Had the loop in backward() come to a leaf when this error was raised?"""
    held = calls_of("backward", error)[-1].values()
    return any(isinstance(t, tt.Tensor) and t.requires_grad and t.is_leaf for t in held)


def at_once(error):
    """Did backward() raise it itself, before it had looked at anything?"""
    begun = calls_of("head_gradient", error), calls_of("propagate", error)
    return calls_of("backward", error) and not any(begun)


def switched_on():
    """Whether `recording` was on; now it is."""
    flag = getattr(tt, "recording", True)
    if not flag:
        tt.recording = True
    return flag


BY_HAND = {
    False: "`with no_grad():` puts back what was there, however a pass ends; by hand you must, too"
}


@pytest.mark.exercise("5.6", points=1)
@builds_on("5.1", "5.2", "5.4", "5.5")
def test_a_leaf_receives_its_gradient():
    x = leaf(3)
    y = x * x + x
    with calling(
        "a first backward(), on x * x + x,", slips=[*slips_of_freed("first"), *slips_of_a_loop(y)]
    ):
        y.backward()
    flag = switched_on()
    slips = [
        (None, "nothing came: is the order walked from its end, and are leaves served?"),
        (1, "that's the root's: each tensor has a gradient of its own in grads"),
    ]
    expect(x.grad, 7, "backward() on x * x + x at x = 3 gave x.grad", slips=slips)
    expect(flag, True, "recording after backward() on x * x + x", slips=BY_HAND)
    x = leaf(3)
    no_ctx = (lambda e: "'NoneType'" in str(e), "a leaf has no ctx: it keeps what it's sent")
    with calling("x.backward(), x itself a leaf that asks,", slips=[*slips_of_a_loop(x), no_ctx]):
        x.backward()
    slips = {2: "its own gradient was in x.grad already: only accumulate writes there"}
    expect(x.grad, 1, "x.backward() gave x.grad", slips=slips, because="x moves one to one")


@pytest.mark.exercise("5.6", points=1)
@builds_on("5.1", "5.2", "5.4", "5.5")
def test_every_leaf_receives_its_gradient():
    x, y, z = leaf(2), leaf(3), leaf(5)
    (x * y * z).backward()
    got = [t.grad is not None for t in (x, y, z)]
    slips = [(lambda got: sum(got) == 1, "only one of the leaves was served: go on after it")]
    what = "backward() on x * y * z: which of x, y, z have a gradient"
    expect(got, [True, True, True], what, slips=slips)
    for name, tensor, want in (("x", x, 15), ("y", y, 10), ("z", z, 6)):
        expect(tensor.grad, want, f"backward() on x * y * z, x = 2, y = 3, z = 5: {name}.grad")


@pytest.mark.exercise("5.6", points=1)
@builds_on("5.1", "5.2", "5.4", "5.5")
def test_results_keep_no_gradient():
    x = leaf(3)
    y = x * 2
    z = y * 5
    z.backward()
    why = "only leaves keep their gradient; a result requires one, too, but hands it on"
    expect(y.grad is None, True, "y in the middle of x * 2 * 5: y.grad is None", because=why)
    expect(z.grad is None, True, "z.grad is None, for the root z", because=why)
    expect(x.grad, 10, "backward() on z = x * 2 * 5 at x = 3 gave x.grad")


@pytest.mark.exercise("5.6", points=1)
@builds_on("5.1", "5.2", "5.4", "5.5")
def test_constants_receive_nothing():
    x, c = leaf(3), tt.Tensor(5.0)
    (x * c + c).backward()
    expect(x.grad, 5, "backward() on x * c + c at x = 3, c = 5 gave x.grad")
    why = "c did not ask: walk only over tensors that require a gradient"
    expect(c.grad is None, True, "c.grad is None, for the constant c", because=why)


@pytest.mark.exercise("5.6", points=1)
@builds_on("5.1", "5.2", "5.4", "5.5")
def test_nothing_to_do_is_an_error():
    slips = [
        (lambda got: isinstance(got, Exception) and got.__traceback__ is None, GIVEN_BACK),
        of_another_kind(""),
        (None, "self.requires_grad is False, so no gradient would reach anybody: say so"),
    ]
    for text, y in {"Tensor(2.0)": tt.Tensor(2.0), "c * c": tt.Tensor(2.0) * 2}.items():
        what = f"backward() on the constant {text}"
        expect_raises(RuntimeError, y.backward, what, slips=slips, says=["requires_grad"])


@pytest.mark.exercise("5.6", points=1)
@builds_on("5.1", "5.2", "5.4", "5.5")
def test_a_gradient_can_be_passed_in():
    x = leaf([1, 2])
    y = x * 3
    slips = [([3, 3], "a gradient= was given: start from that, and not from ones")]
    given = "a gradient was given: hand it on to head_gradient"
    turned = "gradient= comes first, then retain_graph=: in this order they're given by place"
    unused = [
        (
            lambda error: isinstance(calls_of("backward", error)[0]["retain_graph"], tt.Tensor),
            turned,
        ),
        (worded(RuntimeError, "gradient="), given),
        (worded(ValueError, "size 1 into shape"), given),
    ]
    with calling("(x * 3).backward([10, 1])", slips=unused):
        y.backward(tt.Tensor([10.0, 1.0]))
    expect(x.grad, [30, 3], "x.grad after (x * 3).backward([10, 1])", slips=slips)
    y = x * 3
    judged = "head_gradient says whether it can begin: hand it what came, None too"
    slips = [(lambda error: error is None or not calls_of("head_gradient", error), judged)]
    what = "backward() without gradient= on shape (2,)"
    expect_raises(RuntimeError, y.backward, what, slips=slips)


@pytest.mark.exercise("5.6", points=1)
@builds_on("5.1", "5.2", "5.4", "5.5")
def test_paths_of_unequal_length_meet():
    a = leaf(2)
    b = a * a
    d = b * (b * 3)  # 3 * a ** 4
    twice = "b's ctx was used before b's gradient was complete: each operation's turn comes once"
    slips = [
        (48, "b is complete only after both of its users; one of the two was left out"),
        (lambda got: isinstance(got, Exception) and "retain_graph" in str(got), twice),
    ]
    expect_backward(d, "d = b * (b * 3), b = a * a", slips=slips, a=(a, 96))


@pytest.mark.exercise("5.6", points=1)
@builds_on("5.1", "5.2", "5.4", "5.5")
def test_gradients_of_two_passes_add_up():
    x = leaf([1, 2])
    (x * 3).sum().backward()
    (x * x).sum().backward()
    slips = [([2, 4], "a second pass adds to .grad: the first one was lost")]
    expect(x.grad, [5, 7], "x.grad after two passes, which send 3, 3 and 2, 4", slips=slips)


@pytest.mark.exercise("5.6", points=1)
@builds_on("5.1", "5.2", "5.4", "5.5")
def test_a_gradient_that_was_kept_does_not_change():
    x = leaf([1, 2])
    (x * x).sum().backward()
    first = x.grad
    (x * x).sum().backward()
    changed = "the second pass changed the Tensor that was there: make a new one, no +="
    slips = [([4, 8], changed)]
    expect(first, [2, 4], "the x.grad of the first pass, after a second one", slips=slips)


def watched(contexts):
    """A copy whose backward puts what a ctx of the list holds in its place."""

    class Watched(tt.Function):
        @staticmethod
        def forward(ctx, x):
            return tt.Tensor(x.data)

        @staticmethod
        def backward(ctx, grad_z):
            contexts[:] = [getattr(later, "inputs", later) for later in contexts]
            return grad_z

    return Watched.apply


def frees_what_it_retains():
    x = leaf(3)
    y = x * x
    y.backward(retain_graph=True)
    return y.grad_fn.inputs == ()


@pytest.mark.exercise("5.6", points=1)
@builds_on("5.1", "5.2", "5.4", "5.5")
def test_the_graph_is_freed():
    x = leaf(3)
    y = x * x
    z = y * y
    ctx = y.grad_fn
    z.backward()
    why = "without retain_graph each ctx is freed, not z's alone: tensor.grad_fn.free()"
    lost = [(lambda _: y.grad_fn is None, "y.grad_fn was set to None: y stays a result, and only "
             "its ctx is freed, ctx.free()")]  # fmt: skip
    kept = [(lambda _: frees_what_it_retains(),
             "the other way round: retain_graph=True keeps each ctx, and False frees it"),
            (lambda _: len(z.grad_fn.inputs), "nothing was freed, not even z's ctx")]  # fmt: skip
    expect(
        len(ctx.inputs),
        0,
        "z = y * y, y = x * x, ctx = y.grad_fn, after z.backward(): len(ctx.inputs)",
        slips=[*lost, *kept],
        because=why,
    )
    expect(y.grad_fn is ctx, True, "y.grad_fn is the ctx that it was, after backward()", slips=lost)
    what = "a second backward() on z"
    made = "z's ctx is freed, but z is still a result, and no leaf: is_leaf asks for grad_fn alone"
    why = "without retain_graph each ctx is freed, and the backward of a freed one raises"
    slips = [(lambda _: z.grad is not None and z.grad_fn.inputs == (), made)]
    expect_raises(
        RuntimeError, z.backward, what, slips=slips, because=why, says=["retain_graph=True"]
    )
    expect(switched_on(), True, f"recording after {what}, which an error ends", slips=BY_HAND)
    left, x = [], leaf(3)
    y = watched(left)(x)
    z = y * y
    left.append(z.grad_fn)
    z.backward()
    why = "free each ctx right after its backward, and not all of them at the end of the pass"
    what = "z = y * y, when the pass has come to y: len(z.grad_fn.inputs)"
    never = "z's own ctx isn't freed at all, not even at the end"
    slips = [(lambda _: len(z.grad_fn.inputs), never)]
    expect(len(left[0]), 0, what, slips=slips, because=why)


@pytest.mark.exercise("5.6", points=1)
@builds_on("5.1", "5.2", "5.4", "5.5")
def test_a_retained_graph_can_be_walked_again():
    x = leaf(3)
    y = x * x
    with calling(
        "a second backward() after one with retain_graph=True", slips=slips_of_freed("retained")
    ):
        y.backward(retain_graph=True)
        y.backward()
    expect(x.grad, 12, "x.grad after both passes", because="each pass adds 6")
    slips = {None: "the second pass did not retain the graph, so it frees it"}
    expect_raises(RuntimeError, y.backward, "a third backward()", slips=slips)


@pytest.mark.exercise("5.6", points=1)
@builds_on("5.1", "5.2", "5.4", "5.5")
def test_two_roots_over_one_trunk():
    x = leaf(3)
    trunk = x * x
    a, b = trunk * 2, trunk * 10
    with calling("a.backward(retain_graph=True), b.backward()", slips=slips_of_freed("retained")):
        a.backward(retain_graph=True)
        b.backward()
    what = "x.grad after a.backward(retain_graph=True), b.backward()"
    slips = {12: "only a's part is here", 60: "only b's part is here: add to .grad"}
    expect(x.grad, 72, what, slips=slips)
    trunk = x * x
    a, b = trunk * 2, trunk * 10
    a.backward()
    around = "the trunk's ctx is freed: its backward raises, so don't go around it"
    slips = [(lambda got: got is None and trunk.grad_fn.inputs == (), around)]
    what = "a.backward(), then b.backward(), over one trunk"
    expect_raises(RuntimeError, b.backward, what, slips=slips, says=["retain_graph=True"])


@pytest.mark.exercise("5.6", points=1)
@builds_on("5.1", "5.2", "5.4", "5.5")
def test_the_backward_pass_is_not_recorded():
    x, y = leaf(3), leaf(5)
    (x * y).backward()
    computed = "the pass computed with tensors that require gradients: run it in `with no_grad():`"
    slips = [(lambda got: got and x.grad.grad_fn is not None, computed)]
    expect(x.grad.requires_grad, False, "x.grad.requires_grad after backward()", slips=slips)
    slips = {False: "recording is still off: afterwards it must be what it was"}
    expect((x * y).requires_grad, True, "(x * y).requires_grad after backward()", slips=slips)


@pytest.mark.exercise("5.6", points=1)
@builds_on("5.1", "5.2", "5.4", "5.5")
def test_a_graph_is_freed_for_good():
    x, other = leaf(3), tt.Tensor(5.0)
    alive = weakref.ref(other)
    y = x * other
    del other
    y.backward()
    why = "y still lives, but what was saved for its backward need not"
    expect(alive() is None, True, "a saved constant is gone after backward()", because=why)


@pytest.mark.exercise("5.6", points=1)
@builds_on("5.1", "5.2", "5.4", "5.5")
def test_each_operation_is_visited_once():
    y = leaf(1)
    for _ in range(30):
        y = y + y
    why = "each operation runs its backward once, when its gradient is complete"
    expect(visits(y), [1] * 30, "visits on a ladder of 30 sums", because=why)


@pytest.mark.exercise("5.6", points=1)
@builds_on("5.1", "5.2", "5.4", "5.5")
def test_the_length_of_a_chain_does_not_matter():
    y = x = leaf(1)
    for _ in range(2_000):
        y = -y
    slips = {RecursionError: "walk the list, no recursion"}
    with calling("backward() on a chain of 2,000 operations", slips=slips):
        y.backward()
    expect(x.grad, 1, "x.grad after backward() on a chain of 2,000 operations -y")


def parameter(value, grad):
    p = tt.Tensor(np.array(value, dtype=np.float32), requires_grad=True)
    p.grad = None if grad is None else tt.Tensor(np.array(grad, dtype=np.float32))
    return p


@pytest.mark.exercise("5.7", points=1)
@builds_on("5.2", "5.4")
def test_a_step_goes_against_the_gradient():
    w = parameter([3, 1], [2, -4])
    before = w.data
    optimizer = tt.SGD([w], lr=0.25)
    slips = [
        (
            worded(TypeError, "does not support ufuncs"),
            "p.data is an array and p.grad a Tensor: take the .data of p - self.lr * p.grad",
        ),
        bare_scope(),
        (unknown("lr", "parameters"), "the optimizer holds it: self.lr, self.parameters"),
        (lacks("int"), "range gives whole numbers: for p in self.parameters"),
        (worded(TypeError, "'SGD' object is not iterable"), "its list is self.parameters"),
        (worded(ValueError, "to a Python scalar"), "p.data takes the whole array: no .item()"),
        (worded(TypeError, "for @:"), "lr is a number: it multiplies each by *"),
    ]
    sent = w.grad
    with calling("a step", slips=slips):
        optimizer.step()
    reason = "p - lr * p.grad is a Tensor: p.data takes its .data, the array"
    slips = [(lambda kind: kind is tt.Tensor, reason)]
    expect(type(w.data), np.ndarray, "the type of w.data after a step", slips=slips)
    replaced = "the list has another Tensor now, and w didn't move: give w itself new .data"
    slips = [
        ([1, 5], "multiply the gradient by self.lr"),
        ([3.5, 0], "against the gradient: p - lr * p.grad"),
        ([2.25, 0.75], "that's lr * p: the step is lr * p.grad"),
        ([-2.5, -2], "that's lr * p.grad - p: it's the other way round"),
        ([2, 3], "that is half of the gradient: multiply it by self.lr, whatever it is"),
        (lambda _: optimizer.parameters[0] is not w, replaced),
        (
            lambda _: w.grad is not None and w.grad is not sent,
            "w.grad was given other numbers, and w wasn't: they belong into p.data",
        ),
        (lambda _: w.grad is None, "w.grad is None by now: forgetting it is zero_grad's work"),
        ([3, 1], "nothing was kept in p.data: giving the name p a new value changes no parameter"),
    ]
    expect(w, [2.5, 2], "a step from [3, 1], gradient [2, -4], lr 0.25: w", slips=slips)
    slips = [([2.5, 2], "that changes the old array, which somebody else may hold: make a new one")]
    expect(before, [3, 1], "the array that was w.data before that step", slips=slips)


@pytest.mark.exercise("5.7", points=1)
@builds_on("5.2", "5.4")
def test_every_parameter_takes_the_step():
    parameters = [parameter([start], [2]) for start in (3, 5, 7)]
    tt.SGD(parameters, lr=0.5).step()
    got = [p.data.item() for p in parameters]
    slips = [([2, 5, 7], "only the first parameter moved: go on with the next")]
    expect(got, [2.0, 4.0, 6.0], "a step from 3, 5 and 7, gradients 2, lr 0.5", slips=slips)


@pytest.mark.exercise("5.7", points=1)
@builds_on("5.2", "5.4")
def test_a_parameter_without_gradient_stays():
    frozen, w = parameter([7], None), parameter([3], [2])
    numbers = frozen.data
    reason = "p.grad is None for a parameter that backward did not reach: skip it"
    slips = {TypeError: reason, AttributeError: reason}
    with calling("step() where one p.grad is None", slips=slips):
        tt.SGD([frozen, w], lr=0.5).step()
    expect(frozen, [7], "the parameter without gradient, after a step")
    what = "the parameter without gradient has the array that it had, after a step"
    why = "it takes no part in the step: leave it as it is"
    expect(frozen.data is numbers, True, what, because=why)
    slips = [([3], "skip that one parameter, and go on with the next")]
    expect(w, [2], "the parameter after one without gradient, after a step", slips=slips)


def recorded_in(call, monkeypatch):
    """Of each operation in a call, whether its result requires a gradient."""
    apply, asked = vars(tt.Function)["apply"].__func__, []

    def noted(cls, *inputs):
        result = apply(cls, *inputs)
        asked.append(result.requires_grad)
        return result

    with monkeypatch.context() as patch:
        patch.setattr(tt.Function, "apply", classmethod(noted))
        call()
    return asked


@pytest.mark.exercise("5.7", points=1)
@builds_on("5.2", "5.4")
def test_a_parameter_stays_a_leaf(monkeypatch):
    w = parameter([3], [2])
    asked = recorded_in(tt.SGD([w], lr=0.5).step, monkeypatch)
    slips = {True: "p asks for a gradient, and so does p - lr * p.grad: step in `with no_grad():`"}
    expect(any(asked), False, "an operation within step() is recorded", slips=slips)
    v = parameter([3], [2])
    v.grad.requires_grad = True
    asked = recorded_in(tt.SGD([v], lr=0.5).step, monkeypatch)
    slips = {True: "the gradient itself may ask for one, too: step under no_grad()"}
    what = "v.grad.requires_grad is True: an operation within step() is recorded"
    expect(any(asked), False, what, slips=slips)
    expect(v, [2], "a step from [3], gradient [2] that asks for one itself, lr 0.5: v")
    why = "the update must not become part of a graph"
    expect(w.grad_fn is None, True, "w.grad_fn is None, after a step", because=why)
    expect(w.requires_grad, True, "w.requires_grad, after a step", because="w will be asked again")
    expect(w.dtype, np.float32, "w.dtype, after a step", because="float32 stays float32")
    several = [tt.Tensor(np.ones(2, dtype), requires_grad=True) for dtype in ("f8", "f4", "f8")]
    for p in several:
        p.grad = tt.Tensor(np.ones(2, p.dtype))
    tt.SGD(several, lr=0.25).step()
    because = "each keeps its own dtype, whatever the others have"
    kinds = [str(p.dtype) for p in several]
    what = "the dtypes of three parameters after a step"
    expect(kinds, ["float64", "float32", "float64"], what, because=because)
    b = parameter(3, 2)
    tt.SGD([b], lr=0.5).step()
    number = "without axes NumPy's minus gives a bare number, and no array: compute with Tensors"
    slips = [(lambda kind: issubclass(kind, np.generic), number)]
    expect(type(b.data), np.ndarray, "the type of b.data after a step, b of shape ()", slips=slips)
    with monkeypatch.context() as patch:
        patch.setattr(tt, "recording", True)
        error_of(tt.SGD([parameter([3, 1], [1, 2, 3])], lr=0.5).step)
        slips = {False: "no_grad() puts it back however a step ends; a hand of your own must, too"}
        what = "recording after a step that an error ended, a gradient of another shape,"
        expect(tt.recording, True, what, slips=slips)


@pytest.mark.exercise("5.7", points=1)
@builds_on("5.2", "5.4")
def test_a_step_leaves_the_gradient_alone():
    w = parameter([3], [2])
    optimizer = tt.SGD([w], lr=0.5)
    optimizer.step()
    why = "forgetting the gradient is zero_grad's work"
    expect(w.grad is None, False, "w.grad is None, after a step", because=why)
    expect(w.grad, [2], "w.grad after a step", because="the step must not change the gradient")
    past = weakref.ref(w.data)
    optimizer.step()
    expect(w, [1], "w after two steps from 3, both with gradient 2, lr 0.5")
    gc.collect()
    why = "memory stays flat however long you train: keep nothing from step to step"
    expect(past() is None, True, "the numbers of the step before are gone", because=why)
    optimizer.lr = 0.25
    optimizer.step()
    slips = [([0], "that's a step with the lr of the steps before: ask self.lr at each step")]
    expect(w, [0.5], "w after one more step from 1, optimizer.lr = 0.25 by now", slips=slips)


@pytest.mark.exercise("5.7", points=1)
@builds_on("5.2", "5.4", "5.6")
def test_three_steps_downhill():
    w = tt.Tensor(4.0, requires_grad=True)
    optimizer = tt.SGD([w], lr=0.25)
    for _ in range(3):
        optimizer.zero_grad()
        (w * w).backward()
        optimizer.step()
    why = "each step halves w: 4, 2, 1, 0.5"
    expect(w, 0.5, "three steps on w * w from 4, lr 0.25: w", because=why)
