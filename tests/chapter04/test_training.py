"""Chapter 4: the loop in which parameters learn."""

import weakref
from contextlib import contextmanager

import numpy as np
import pytest

import tinytorch as tt
from course.basics import builds_on
from course.testing import (
    calling,
    calls_of,
    expect,
    fail_if,
    leaf,
    worded,
)

NONE = "where the loss doesn't depend on a parameter, its gradient is None: leave that one alone"
DTYPES = {
    np.float64: "digits were lost on the way",
    np.float32: "something in the step is float64: p, lr and p.grad aren't",
}
LISTED = "it didn't move: the list got a new Tensor, and the caller holds w itself: "
LISTED += "p.data gets new numbers"
NEW_NUMBERS = "p.data gets new numbers; giving the name p a new value moves no parameter"


def square(w):
    return lambda: w * w


def known_in(function, error):
    """What a function on the way to this error knew: names and values; nothing if it wasn't."""
    return {k: v for known in calls_of(function, error) for k, v in known.items()}


@contextmanager
def calls_of_itself():
    """A list of the calls that train makes of train."""
    train, calls = tt.train, []

    def noted(*given, **named):
        calls.append(1)
        return train(*given, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tt, "train", noted)
        yield train, calls


def tensors_in(error):
    return [value for value in known_in("train", error).values() if isinstance(value, tt.Tensor)]


def asked_none(error):
    return isinstance(error, AttributeError) and error.obj is None


def had_no_gradient(error):
    knew_none = any(value is None for value in known_in("train", error).values())
    ungraded = any(tensor.grad is None for tensor in tensors_in(error))
    return asked_none(error) and ungraded and not knew_none


def lost_its_loss(error):
    return asked_none(error) and known_in("train", error).get("loss", 0) is None


FORGET = "zero_grad(parameters) forgets the gradients of them all"
UNKNOWN = {
    AttributeError: {
        "'function'": "loss_of is a function: loss_of() gives the loss",
        "'zero_grad'": f"zero_grad is a function of its own: {FORGET}",
        "'Tensor' object has no attribute 'zero_'": FORGET,
    },
    TypeError: {
        "zero_grad()": f"zero_grad takes one list: {FORGET}",
        "loss_of() takes": "loss_of takes nothing and knows its parameters: loss_of()",
        "<lambda>() takes": "loss_of takes nothing and knows its parameters: loss_of()",
        "float()": "loss.item() makes a number of a Tensor",
    },
    IndexError: {"0-dim": "a loss of shape () has no [0]: loss.item() is its number"},
}


def said(what):
    """The errors of train() that beginners meet, said in words."""
    tensor = "p.data holds an array, not a Tensor: take the .data of p - lr * p.grad"
    a_list = f"zero_grad takes a list of Tensors: {FORGET}"
    slips = [
        (lambda e: isinstance(e, TypeError) and known_in("zero_grad", e), a_list),
        (had_no_gradient, f"p.grad is None until backward() has sent one; {FORGET}"),
        (lost_its_loss, "backward() returns nothing: keep the Tensor that loss_of() gave"),
        *[
            (worded(kind, words), reason)
            for kind, reasons in UNKNOWN.items()
            for words, reason in reasons.items()
        ],
        (lambda e: any(isinstance(t.data, tt.Tensor) for t in tensors_in(e)), tensor),
        (lambda e: isinstance(e, TypeError) and "not iterable" in str(e),
         "there's only one loss and one number of steps: loop over range(steps), and parameters"),
    ]  # fmt: skip
    return calling(what, slips=slips)


@pytest.mark.exercise("4.8", points=1)
def test_a_step_goes_against_the_gradient():
    w, what, losses = leaf(3), "one step on w * w from 3, lr 0.25", []

    def loss_of():
        losses.append(w * w)
        return losses[-1]

    parameters = [w]
    called = "w.grad is None: loss.backward() wasn't called before w was to move"
    is_none = worded(TypeError, "'NoneType'")
    errors = [(lambda e: is_none(e) and all(loss.grad is None for loss in losses), called)]
    with said(what), calling(what, slips=errors):
        tt.train(loss_of, parameters, lr=0.25, steps=1)
    kind, wanted = type(w.data).__name__, "expected an array"
    tensor = "the parameter gets the .data of the new Tensor"
    fail_if(isinstance(w.data, tt.Tensor), f"{what}: w.data is a Tensor, {wanted}: {tensor}")
    number = "NumPy's arithmetic makes plain numbers of arrays of shape (); "
    number += "the .data of p - lr * p.grad is an array again"
    fail_if(isinstance(w.data, np.generic), f"{what}: w.data is a plain {kind}, {wanted}: {number}")
    expect(type(w.data), np.ndarray, f"{what}: the type of w.data")
    never = "it didn't move: loss.backward() was never called, so w.grad is None"
    forgotten = "it didn't move, and w.grad is None: forget before backward, not after it"
    slips = [
        (4.5, "against the gradient: minus, not plus"),
        (-3, "multiply the gradient by lr"),
        (1.5 * 1.5, "that's the loss: w keeps its own number"),
        (lambda got: not losses, "no step was made: loss_of() was never asked"),
        (lambda got: got.item() == 3 and all(loss.grad is None for loss in losses), never),
        (lambda got: got.item() == 3 and w.grad is None, forgotten),
        (lambda got: parameters != [w], LISTED),
        (3, f"it didn't move: {NEW_NUMBERS}"),
        (-1.5, "that's the step itself: subtract it from w"),
    ]
    expect(w, 1.5, f"{what}: w", slips=slips)


@pytest.mark.exercise("4.8", points=1)
def test_the_learning_rate_counts():
    w = leaf([3, 1])
    with said("one step on the sum of w * w"):
        tt.train(lambda: (w * w).sum(), [w], lr=0.125, steps=1)
    slips = [
        ([1.5, 0.5], "lr was ignored: the step was as long as for lr = 0.25"),
        ([-3, -1], "multiply the gradient by lr"),
    ]
    expect(w, [2.25, 0.75], "one step on the sum of w * w from [3, 1], lr 0.125: w", slips=slips)


@pytest.mark.exercise("4.8", points=1)
def test_each_step_starts_with_fresh_gradients():
    w, what = leaf(8), "three steps on w * w from 8, lr 0.25"
    with said(what):
        tt.train(square(w), [w], lr=0.25, steps=3)
    slips = {
        -7: "forget the gradients of the step before: backward adds to them",
        4: "only one step was made",
        -4: "each step was taken from where the first one began: ask loss_of() again in each",
    }
    expect(w, 1, f"{what}: w", slips=slips)
    w, what = leaf(8), "one step on w * w from 8, lr 0.25, with an old w.grad of 100"
    w.grad = tt.Tensor(100.0)
    with said(what):
        tt.train(square(w), [w], lr=0.25, steps=1)
    slips = {-21: "the gradient from before train() counted, too: forget first, then backward"}
    expect(w, 4, f"{what}: w", slips=slips)


@pytest.mark.exercise("4.8", points=1)
def test_the_losses_come_back_as_numbers():
    w, what, alive = leaf(8), "train(w * w from 8, lr 0.25, 3 steps)", []

    def loss_of():
        early = [loss() is not None for loss in alive[:-1]]
        loss = w * w
        alive.append(weakref.ref(loss))
        held.extend(early)
        return loss

    held = []
    with said(what), calls_of_itself() as (train, calls):
        got = train(loss_of, [w], lr=0.25, steps=3)
    kind = "None" if got is None else f"a {type(got).__name__}"
    one = "that's one loss: return them all"
    reasons = {"None": "return the losses", "a float": one, "a Tensor": one}
    wanted = f"expected a list of losses: {reasons.get(kind, 'collect them in a list')}"
    fail_if(not isinstance(got, list), f"{what} returned {kind}, {wanted}")
    counts = {
        4: "one loss too many: note one in each step, and none before or after",
        1: "only one loss: return when all the steps are done",
        2: "the loss of one step is missing",
    }
    counts = [*counts.items(), (lambda got: got > 4, "the list begins anew with each call")]
    expect(len(got), 3, f"the number of losses from {what}", slips=counts)
    kinds = {f"{type(loss).__name__}s" for loss in got if type(loss) is not float}
    graph = "; a Tensor holds on to its graph" if "Tensors" in kinds else ""
    listed = f"{what} returned a list of {', '.join(sorted(kinds))}, expected plain floats"
    fail_if(kinds, f"{listed}: loss.item() is the number{graph}")
    slips = [
        ([16, 4, 1], "that's the loss after each step: note the one that was sent back"),
        ([64, 64, 64], "ask loss_of() again in each step: the parameters have moved"),
        ([8, 4, 2], "those are the numbers in w: note the loss"),
    ]
    expect(np.array(got), [64.0, 16, 4], what, slips=slips)
    graph = "note loss.item() in each step: the Tensor holds on to its whole graph"
    if calls:
        graph = "train calls itself for each step, and each call has a loss of its own: use a loop"
    is_kept = len(alive) == 3 and any(held)  # called twice in a step, it may hold both
    fail_if(is_kept, f"{what} still held the first loss as a Tensor two steps later: {graph}")
    w, what, wants = leaf(0.1), "train(w * w from 0.1 in float64, lr 0.25, 1 step)", [0.1 * 0.1]
    with said(what):
        got = tt.train(square(w), [w], lr=0.25, steps=1)
    in_32 = "they went through float32: loss.item() has all the digits of the loss"
    slips = [(lambda got: np.array_equal(got, np.float32(wants)), in_32)]
    expect(np.array(got), wants, what, slips=slips, because="no loss is rounded", atol=0, rtol=0)


@pytest.mark.exercise("4.8", points=1)
def test_the_loss_is_computed_once_in_each_step():
    w, calls = leaf(8), []

    def loss_of():
        calls.append(1)
        return w * w

    slips = {
        8: "twice in each step: keep what it gave, it may be expensive",
        5: "once more than there are steps: ask for a loss only if you send it back",
        1: "once in all: ask again in each step, the parameters have moved",
        0: "never: the loss comes from loss_of()",
    }
    for steps in (4, 0):
        calls.clear()
        what = f"train(…, steps={steps})"
        with said(what):
            got = tt.train(loss_of, [w], lr=0.25, steps=steps)
        wanted = slips if steps else {1: "no steps, no loss: ask in the loop, not before it"}
        expect(len(calls), steps, f"calls of loss_of by {what}", slips=wanted)
        expect(len(got), steps, f"the number of losses from {what}")


@pytest.mark.exercise("4.8", points=1)
def test_every_parameter_moves():
    a, b, c = leaf(2), leaf(3), leaf(5)
    what, losses = "one step on a * b * c from 2, 3, 5, lr 0.125: a, b, c", []

    def loss_of():
        losses.append(a * b * c)
        return losses[-1]

    with said(what):
        tt.train(loss_of, [a, b, c], lr=0.125, steps=1)
    often = "backward() ran once for each parameter: once is enough, before the loop over them"
    slips = [
        (lambda got: losses[0].grad.item() == 3, often),  # each pass adds a 1 to the loss's own
        ([2, 3, 4.25], "only the last parameter moved: move each of them, inside the loop"),
        ([0.125, 3, 5], "only the first parameter moved: go on to the next"),
        (lambda got: len(losses) == 3, "each moved on a loss of its own: "
         "one loss and one backward first, then move them all"),
        ([1.375, 3 - 1.25 / 3, 4.75], "each step was a third as long: "
         "take lr as it is, however many parameters there are"),
    ]  # fmt: skip
    got = np.array([t.data for t in (a, b, c)], dtype=float)
    expect(got, [0.125, 1.75, 4.25], what, slips=slips)


@pytest.mark.exercise("4.8", points=1)
def test_a_parameter_that_received_nothing_stays():
    unused, w = leaf(7), leaf(8)
    what = "train(…) with a parameter that has no part in the loss"
    errors = [(lambda e: isinstance(e, (TypeError, AttributeError)) and "None" in str(e), NONE)]
    with calling(what, slips=errors):
        tt.train(square(w), [unused, w], lr=0.25, steps=1)
    expect(unused, 7, f"{what}: that parameter", because=NONE)
    slips = {8: "leave out the one without a gradient, and go on with the next"}
    expect(w, 4, f"{what}: the parameter after it", slips=slips)


@pytest.mark.exercise("4.8", points=1)
def test_a_step_loses_no_digits_and_leaves_the_gradient_as_it_came():
    w, what = leaf([1, 2]), "one step on the sum of w * w from [1, 2], float64, lr 0.1"
    with said(what):
        tt.train(lambda: (w * w).sum(), [w], lr=0.1, steps=1)
    lost = "digits were lost: 0.1 went through float32; lr is a plain number, use it as it is"
    slips = {np.dtype(np.float32): "digits were lost: p - lr * p.grad has the dtype that p has"}
    expect(w.dtype, np.dtype(np.float64), f"{what}: the dtype of w", slips=slips)
    rounded = np.array([1, 2]) * (1 - 2 * float(np.float32(0.1)))
    slips = [(lambda got: np.allclose(got.data, rounded, atol=0, rtol=1e-12), lost)]
    expect(w, [0.8, 1.6], f"{what}: w", slips=slips, atol=0, rtol=1e-12)
    slips = [
        ([0.2, 0.4], "that's lr * p.grad: a new Tensor, please, for p.grad stays as it came"),
        (None, "forget at the start of a step, not at its end: someone may want to see it"),
        ([0, 0], "forget at the start of a step, not at its end: someone may want to see it"),
    ]
    expect(w.grad, [2, 4], f"{what}: w.grad afterwards", slips=slips)


@pytest.mark.exercise("4.8", points=1)
def test_the_old_numbers_are_not_touched():
    w = leaf([3, 1])
    before = w.data
    with said("one step on the sum of w * w"):
        tt.train(lambda: (w * w).sum(), [w], lr=0.25, steps=1)
    slips = [([1.5, 0.5], "give p.data a new array: -= and [:] = change one that others may hold")]
    expect(before, [3, 1], "the array that was w.data before the step", slips=slips)
    for dtype, reason in DTYPES.items():
        w = leaf([3, 1], dtype)
        tt.train(lambda w=w: (w * w).sum(), [w], lr=0.25, steps=1)
        kinds = [(lambda got, dtype=dtype: got != dtype, reason)]
        expect(
            w.dtype, np.dtype(dtype), f"the dtype of {dtype.__name__} w, after a step", slips=kinds
        )


@pytest.mark.exercise("4.8", points=1)
@builds_on("4.2", "4.3")
def test_a_line_learns_to_pass_through_its_points():
    test_a_line_learns_to_pass_through_its_points.wait()  # else 20 wrong steps could take forever
    x, y = tt.Tensor([[-1.0], [1]]), tt.Tensor([[-1.0], [3]])  # each step halves what is missing
    w, b = leaf([[0.0]]), leaf([0.0])
    with said("20 steps on a line"):
        losses = tt.train(lambda: ((x @ w + b - y) ** 2).mean(), [w, b], lr=0.25, steps=20)
    expect(losses[0], 5, "the first loss", because="it's the loss before anything has moved")
    expect(w, [[2]], "w of the line w * x + b, after 20 steps", atol=1e-4)
    expect(b, [1], "b of the line w * x + b, after 20 steps", atol=1e-4)
