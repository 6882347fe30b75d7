"""Chapter 7: the way back as a function, and the judge's word on it."""

import numpy as np
import pytest

import tinytorch as tt
from course.testing import calling, calls_of, expect, fail_if, lacks, worded

FORGOTTEN = "gradients have a history only if they're recorded: create_graph=True"
OF_ITSELF = ": the way back has the slopes that it should have for grad * x, wrong as that is"
AGAIN = ". This is the first error again"
SWAPPED = ". You gave the two the other way round: the function's own error comes first"
CUT = "the inputs themselves must take part, not copies of them"
NEVER = ". way_back_of was never called: the second error is that of the function it gives"
TAKEN = "the function itself was given upstream: it's way_back_of(function) that takes it"
TWICE = "that's the way back of a way back: the second error is that of way_back_of(function)"
ALONE = "the function takes its inputs alone, upstream is for its way back"
COPIED = "`function` was called with copies, and nothing leads from its result to the inputs"
NO_SLOPES = "`function` was called with copies that don't require grad: hand on the inputs"
STARRED = "it must take upstream, and each input as an argument of its own: (upstream, *inputs)"
ANEW = "way_back_of makes a function and calls nothing yet: `function` is called in there"
UNPACKED = "function(*inputs): with the star, each input is an argument of its own"
IN_THE_LIST = "with the star each input stands in the list itself: [upstream, *inputs]"
ONE_LIST = "worst_error(function, inputs) takes all inputs in one list: [upstream, *inputs]"
THE_RESULT = "grad takes a result, and that's what a call gives: function(*inputs)"
CALLED = "worst_error calls the way back itself: give it the function, not the gradients"
ALIKE = "each number of the result was sent the same: upstream is weights_for(function(*inputs), …)"
STILL = "upstream doesn't require grad, so it isn't nudged"
NOT_NONE = "ask `is not None`: a gradient that's 0 is one, too"
STAR = "worst_error takes the inputs as one list, and got a Tensor in its place: no star"
UNLISTED = "upstream requires grad, but isn't nudged: is it in the list, [upstream, *inputs]?"


def leaf(numbers, asks=True):
    return tt.tensor(np.array(numbers, np.float64), requires_grad=asks)


def asked_for_all(error):
    return "does not require grad" in str(error)


def counted(function, calls, packed, handed=None):
    """The function, which notes with how many arguments it's called, and which are lists.

    `handed` is a list that receives what each call was given.
    """

    def noting(*given):
        calls.append(len(given))
        if handed is not None:
            handed.append(given)
        packed.extend(part for part in given if isinstance(part, (list, tuple)))
        return function(*given)

    return noting


def are_copies(given, inputs):
    """Is none of these one of the inputs themselves?"""
    return not any(one is x for one in given for x in inputs)


def gradients_by_way_back(function, upstream, *inputs, what):
    calls, packed, handed = [], [], []
    made = f"way_back_of({what.partition('(')[2].partition(')(')[0]})"
    with calling(made, slips=[(TypeError, ANEW)]):
        way_back = tt.proving.way_back_of(counted(function, calls, packed, handed))
    fail_if(way_back is None, f"{made} gave None, expected a function: it has to return way_back")
    fail_if(not callable(way_back), f"{made} gave {way_back!r}, expected a function: {ANEW}")
    slips = [
        (worded(RuntimeError, "the truth of a tensor"), NOT_NONE),
        (lambda _: packed, UNPACKED),
        (worded(TypeError, "'function' object"), THE_RESULT),
        (lambda e: asked_for_all(e) and handed and are_still(handed[-1], inputs), NO_SLOPES),
        (asked_for_all, "ask only for those that require grad"),
        (lambda _: len(inputs) + 1 in calls, ALONE),
        (lambda e: not calls and worded(TypeError, f"{way_back.__name__}()")(e), STARRED),
    ]
    with calling(what, slips=slips):
        got = way_back(upstream, *inputs)
    fail_if(got is None, f"{what} gave None, expected a tuple: it has to return what it makes")
    fail_if(isinstance(got, tt.Tensor), f"{what} gave one Tensor, expected a tuple, (gradient,)")
    wrong = not isinstance(got, tuple)
    fail_if(wrong, f"{what} gave {type(got).__name__}: {got!r}, expected a tuple")
    nothing = not any(g is not None for g in got) and handed and are_copies(handed[-1], inputs)
    fail_if(nothing, f"{what} gave {got!r}, expected gradients: {COPIED}")
    return got


@pytest.mark.exercise("7.7", points=1)
def test_the_way_back_is_a_function():
    x, y, upstream = leaf(2), leaf(5), leaf(10)
    what = "way_back_of(lambda x, y: x * y)(10, 2, 5)"
    got = gradients_by_way_back(lambda x, y: x * y, upstream, x, y, what=what)
    expect(len(got), 2, f"how many gradients {what} gave")
    own = "that's of an upstream of its own: take the one that came"
    slips = [
        (5, "upstream is what came for the result"),
        (20, "that's y's: in the order of the inputs"),
        (10, "upstream comes first, and then the inputs"),
        *[(5 * tt.proving.weights_for(x, seed).item(), own) for seed in (0, 1, 10)],
    ]
    expect(got[0], 50, f"{what}: the gradient of x", slips=slips)
    expect(got[1], 20, f"{what}: the gradient of y")
    for name, tensor in (("x", x), ("y", y), ("upstream", upstream)):
        expect(
            tensor.grad,
            None,
            f"{what}: {name}.grad afterwards",
            because="way_back leaves every .grad alone",
        )


@pytest.mark.exercise("7.7", points=2)
def test_the_way_back_can_be_differentiated():
    x, upstream = leaf(2), leaf(10)
    what = "way_back_of(lambda x: x ** 3)(10, 2)"
    (got,) = gradients_by_way_back(lambda x: x**3, upstream, x, what=what)
    expect(got, 120, what)
    fail_if(not got.requires_grad, f"{what} = {got!r} has no history: {FORGOTTEN}")
    with calling(f"backward() of {what}"):
        got.backward()
    slips = [(lambda g: g is None, CUT)]
    expect(x.grad, 120, f"{what} is 10 * 3 x²: its slope in x, 10 * 6 x,", slips=slips)
    slips = [(lambda g: g is None, "upstream itself must take part, not a copy of it")]
    expect(upstream.grad, 12, f"{what} is 10 * 3 x²: its slope in upstream, 3 x²,", slips=slips)


@pytest.mark.exercise("7.7", points=2)
def test_only_what_asks_and_depends_has_a_gradient():
    x, c, z = leaf([1, 2]), leaf([3, 4], asks=False), leaf(7)
    what = "way_back_of(lambda c, z, x: c * x)([1, 1], c, z, x), c not requiring grad, z not used,"
    got = gradients_by_way_back(lambda c, z, x: c * x, leaf([1, 1]), c, z, x, what=what)
    zeros = [g for g in got if g is not None and not g.detach().numpy().any()]
    slips = [
        (lambda _: any(g is None for g in got), "leave out the None of what isn't used"),
        (lambda n: n > 1 and len(zeros), "z has none: leave it out, without zeros in its place"),
        (lambda n: n > 1, "c doesn't require grad"),
    ]
    expect(len(got), 1, f"how many gradients {what} gave", slips=slips)
    expect(got[0], [3, 4], f"{what}: the gradient of x")
    made = tt.proving.way_back_of(lambda x, y: x * y * y)
    for x, y, asks in ((3.0, 5.0, (True, False)), (4.0, 6.0, (False, True))):
        what = f"the {'first' if asks[0] else 'second'} call of one way_back_of(lambda x, y: "
        what += f"x * y * y), with 1, {x:g} and {y:g}, {'x' if asks[0] else 'y'} requiring grad,"
        with calling(what):
            got = made(leaf(1), leaf(x, asks[0]), leaf(y, asks[1]))
        anew = "the function is called anew with each input"
        expect(len(got), 1, f"how many gradients {what} gave", because=anew)
        want = y * y if asks[0] else 2 * x * y
        expect(got[0], want, what, because=anew)


def broken(formula, sent):
    """x * x as an operation with this formula: one that claims another way back.

    The gradients that it's sent are noted, each with whether it's a Tensor that requires grad.
    """

    def noting(grad, x):
        asks = grad.requires_grad if isinstance(grad, tt.Tensor) else None
        sent.append((asks, np.array(numbers_of(grad))))
        return formula(grad, x)

    rule = tt.node.Rule("Broken", (noting,), (0,))
    return lambda x: tt.operation.recorded(x._data * x._data, rule, (x,), x._data)


BROKEN = {  # what's wrong: (formula, the order that must show it)
    "grad * x, half of what it should be,": (lambda grad, x: grad * x, 0),
    "right, but computed from x.detach(),": (lambda grad, x: grad * 2 * still(x), 1),
    "right, but computed from grad.detach(),": (lambda grad, x: still(grad) * 2 * x, 1),
}


def made_of(value, *formulas):
    """An operation with the value of `value`, each of whose formulas gets grad and all inputs."""

    def operation(*inputs):
        rule = tt.node.Rule("Made", formulas, tuple(range(len(formulas))))
        arrays = [x._data for x in inputs]
        return tt.operation.recorded(np.asarray(value(*arrays)), rule, inputs, *arrays)

    return operation


def careless():
    """What's computed from a detached input: (the operation, its inputs, why it must be seen)."""
    return {
        "x * y whose gradient of x is computed from y.detach()": (
            made_of(lambda x, y: x * y, lambda g, x, y: g * still(y), lambda g, x, y: g * x),
            ([1, 3], [2, 5]),
            "each gradient must be judged, x's as well",
        ),
        "x * y whose gradient of y is computed from x.detach()": (
            made_of(lambda x, y: x * y, lambda g, x, y: g * y, lambda g, x, y: g * still(x)),
            ([1, 3], [2, 5]),
            "each gradient must be judged, y's as well",
        ),
        "(x - y) ** 2 whose gradients are computed from grad.detach()": (
            made_of(
                lambda x, y: (x - y) ** 2,
                lambda g, x, y: still(g) * 2 * (x - y),
                lambda g, x, y: still(g) * 2 * (y - x),
            ),
            ([1, 3], [2, 5]),
            "the two gradients are opposite: added up, they hide what's wrong",
        ),
        "(x[0] - x[1]) ** 2 whose gradient is computed from x.detach()": (
            made_of(
                lambda x: (x[0] - x[1]) ** 2, lambda g, x: g * 2 * (2 * still(x) - still(x).sum())
            ),
            ([1, -2],),
            "the two numbers of this gradient are opposite: added up, they hide what's wrong",
        ),
    }


def still(thing):
    return thing.detach() if isinstance(thing, tt.Tensor) else thing


def are_still(given, inputs):
    """Are these copies of the inputs, and do none of them require grad?"""
    return are_copies(given, inputs) and not any(one.requires_grad for one in given)


def was_given_a_tensor(error):
    return any(isinstance(call["inputs"], tt.Tensor) for call in calls_of("worst_error", error))


def errors_from(function, inputs, what):
    """The two errors, and what's known if they're wrong: that way_back_of was never called."""
    first = "the way back takes upstream first, then the inputs: [upstream, *inputs]"
    shaped = "upstream belongs to the result: weights_for(function(*inputs), seed=1)"
    calls, packed, made, way_back_of = [], [], [], tt.proving.way_back_of
    last = []  # what `function` was called with, each time
    given_out, twice = [], []  # all the ways back, and those of which one was asked for again
    slips = [
        (lambda _: twice, TWICE),
        (worded(RuntimeError, "the truth of a tensor"), NOT_NONE),
        (was_given_a_tensor, STAR),
        (lambda _: packed, UNPACKED),
        (lacks("list"), IN_THE_LIST),
        (lacks("tuple"), IN_THE_LIST),
        (worded(TypeError, "'Tensor' and 'list'"), IN_THE_LIST),
        (worded(TypeError, "worst_error() takes"), ONE_LIST),
        (worded(TypeError, "way_back_of() takes"), "that's for way_back_of(function), not for it"),
        (lacks("function"), shaped),
        (lambda _: len(inputs) + 1 in calls and not made, TAKEN),
        (lambda _: len(inputs) + 1 in calls, ALONE),
        (lambda _: made and any(made[-1] is x for x in inputs), first),
        (lambda _: len(inputs) - 1 in calls, first),
        (worded(RuntimeError, "as its tensor"), shaped),
        (worded(RuntimeError, "was freed"), "keep the graph, and run function anew each time"),
        (lambda e: "'tuple' object is not callable" in str(e), CALLED),
        (lambda e: asked_for_all(e) and last and are_still(last[-1], inputs), NO_SLOPES),
    ]
    with pytest.MonkeyPatch.context() as patch, calling(what, slips=slips):

        def noted(*given):
            twice.extend(part for part in given if part in given_out)
            way_back = way_back_of(*given)
            made.append(None)

            def handing(*handed):
                made.append(handed[0] if handed else None)
                return way_back(*handed)

            given_out.append(handing)
            return handing

        patch.setattr(tt.proving, "way_back_of", noted)
        got = tt.proving.errors_of(counted(function, calls, packed, last), inputs)
    fail_if(got is None, f"{what} gave None, expected two errors: it has to return (first, second)")
    wrong = not (isinstance(got, (tuple, list)) and len(got) == 2)
    fail_if(wrong, f"{what} gave {got!r}, expected two errors: (first, second)")
    for error in got:
        kind = type(error).__name__
        fail_if(not isinstance(error, float), f"{what} gave {got!r}: {kind}, expected numbers")
    return got, "" if made else NEVER


def expect_small(errors, what, orders=("first", "second"), because=""):
    for order, error in zip(orders, errors, strict=False):
        reason = f": {FORGOTTEN}" if order == "second" and error > 1e-3 > errors[0] else ""
        reason = because or reason
        says = f"the {order} error of {what} is {error:.2g}, expected less than 1e-6{reason}"
        fail_if(not error < 1e-6, says)


@pytest.mark.exercise("7.7", points=2)
def test_what_is_right_has_small_errors():
    for text, function, given in (
        ("x * x * x", lambda x: x * x * x, ([1, -2],)),
        ("x.exp() * y", lambda x, y: x.exp() * y, ([1, 2], [3, 4])),
        ("x @ y", lambda x, y: x @ y, ([[1, 2]], [[3], [4]])),
    ):
        what = f"errors_of(lambda …: {text}, {list(given)})"
        expect_small(errors_from(function, list(map(leaf, given)), what)[0], what)


@pytest.mark.exercise("7.7", points=3)
def test_what_is_wrong_is_caught():
    for says, (formula, order) in BROKEN.items():
        what = f"errors_of of x * x with a formula that's {says}"
        sent = []
        got, note = errors_from(broken(formula, sent), [leaf([1, -2])], what)
        if order:
            expect_small(got[:1], what)
        else:  # a formula's slopes may be its own, though it is wrong
            again = AGAIN if got[1] == got[0] else SWAPPED if got[0] < 1e-6 else ""
            expect_small(got[1:], what, ("second",), OF_ITSELF + again + note)
        name = ("first", "second")[order]
        reason = about_upstream(sent) if "grad.d" in says else ""
        reason = reason or "the judge must see what's wrong"
        says = f"the {name} error of {what} is {got[order]:.2g}, expected more than 0.1: {reason}"
        fail_if(not got[order] > 0.1, says + note)
    for says, (operation, given, reason) in careless().items():
        what = f"errors_of of {says}"
        got, note = errors_from(operation, list(map(leaf, given)), what)
        expect_small(got[:1], what)
        says = f"the second error of {what} is {got[1]:.2g}, expected more than 0.1: {reason}"
        fail_if(not got[1] > 0.1, says + note)
    x, places = leaf([1, 2, 3]), tt.tensor([2, 0, 2])
    what = "errors_of(lambda x, i: x[i] * x[i], [x, i]), i three whole numbers,"
    expect_small(errors_from(lambda x, i: x[i] * x[i], [x, places], what)[0], what)
    sent = []
    right = broken(lambda grad, x: grad * 2 * x, sent)
    errors_from(right, [leaf([1, -2])], "errors_of of x * x")
    weights = numbers_of(tt.proving.weights_for(leaf([1, -2]), seed=1))
    seen = any(np.array_equal(numbers, weights) for _, numbers in sent)
    says = "errors_of of x * x never sent weights_for(result, seed=1) through the way back"
    fail_if(not seen, f"{says}, expected that as the upstream gradient")


def about_upstream(sent):
    """Why a way back's slope for upstream wasn't seen: from what its formula was sent."""
    tensors = [(asks, numbers) for asks, numbers in sent if asks is not None]
    if tensors and all(np.ptp(numbers) == 0 for _, numbers in tensors):
        return ALIKE
    nudged = any(not np.array_equal(numbers, tensors[0][1]) for _, numbers in tensors)
    if not tensors or nudged:
        return ""
    return UNLISTED if any(asks for asks, _ in tensors) else STILL


def numbers_of(thing):
    return thing.detach().numpy() if isinstance(thing, tt.Tensor) else thing
