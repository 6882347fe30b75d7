"""Chapter 4: which shapes fit together, and how a gradient gets back to the smaller one."""

import itertools
from contextlib import contextmanager
from functools import partial

import numpy as np
import pytest

import tinytorch as tt
from course.testing import (
    calling,
    error_of,
    expect,
    expect_raises,
    fail_if,
    leaf,
    numpys_words,
    worded,
)

FITS = "two sizes fit if they are equal or if one of them is 1"
FROM_THE_END = "the last axes meet, and the shorter shape gets its ones in front"
BEHIND = "the ones went behind the shorter shape: compare from the last axis"
ONE = "a 1 takes the size it meets, on either side"
AS_A_TUPLE = (lambda got: isinstance(got, list), "a shape is a tuple")
NOT_PLAIN = "those are NumPy's numbers, and print as np.int64(4): int() makes plain ones of them"


def expect_shape(a, b, want, because=FITS, slips=()):
    errors = [
        (IndexError, "it looked for an axis that a shape hasn't got"),
        (looks_for_a_one_anywhere, EACH_PAIR),
        (is_refused, f"they do fit: {because}"),
    ]
    with calling(said(a, b), slips=errors):
        got = tt.broadcast_shape(a, b)
    slips = [*slips, AS_A_TUPLE, (want[::-1], "those are the axes in reverse order")]
    slips = [*slips, (lambda got: got == want, NOT_PLAIN)]
    expect(got, want, said(a, b), because=because, slips=slips)


EACH_PAIR = "a 1 counts only for the size that it meets: look at each pair, not at the whole shapes"


def looks_for_a_one_anywhere(_):
    """A question for slips: does a 1 in one place excuse sizes in another?"""
    return fits((1, 3), (1, 5)) and not fits((2, 3), (2, 5))


def fits(a, b):
    """Do these two shapes fit, as the answer has it?"""
    return error_of(partial(tt.broadcast_shape, a, b)) is None


def said(a, b):
    return f"broadcast_shape({a}, {b})"


@pytest.mark.exercise("4.1", points=1)
def test_equal_sizes_fit_and_a_size_of_one_stretches():
    expect_shape((4, 3), (4, 3), (4, 3))
    expect_shape((4, 3), (4, 1), (4, 3), slips=[((4, 1), ONE)])
    expect_shape((1, 3), (4, 3), (4, 3), slips=[((1, 3), ONE)])
    expect_shape((4, 1), (1, 3), (4, 3), slips=[((4, 1), ONE), ((1, 3), ONE)])


@pytest.mark.exercise("4.1", points=1)
def test_shapes_are_compared_from_the_last_axis():
    short = "the axes that only one shape has are part of the result, too"
    expect_shape((2, 3), (3,), (2, 3), FROM_THE_END, [((3,), short)])
    expect_shape((3,), (3, 1), (3, 3), FROM_THE_END, [((3, 1), BEHIND)])
    expect_shape((4,), (2, 3, 4), (2, 3, 4), FROM_THE_END, [((4,), short)])
    empty = [((), "a number meets every element: the other shape comes out")]
    expect_shape((), (2, 3), (2, 3), "() is the shape of a number, which fits all", empty)


SHOWN = "the message shows them with ones in front: show the shapes that were given"


def is_refused(error):
    return type(error) is RuntimeError


def was_returned(got):
    return isinstance(got, RuntimeError) and got.__traceback__ is None


@pytest.mark.exercise("4.1", points=1)
def test_shapes_that_do_not_fit_are_an_error_that_names_both():
    for a, b in [((4, 3), (4,)), ((2,), (3,)), ((2, 3), (3, 2)), ((4, 6), (2, 6))]:
        call = lambda a=a, b=b: tt.broadcast_shape(a, b)  # noqa: E731
        slips = [
            (looks_for_a_one_anywhere, EACH_PAIR),
            (lambda got: isinstance(got, tuple), f"{FITS}; else it's a RuntimeError"),
            (lambda got: got is None, "it gave None, and the caller would go on with it: raise"),
            (was_returned, "it was returned: raise it"),
            (lambda got: isinstance(got, str), "the message was returned: raise RuntimeError"),
            (ValueError, "raise RuntimeError, with both shapes in its message"),
            (AssertionError, "assert is for what can't happen, and python -O leaves it out: raise"),
            (lambda e: is_refused(e) and "(4, 3)" in str(e) and "(1, 4)" in str(e), SHOWN),
        ]
        expect_raises(RuntimeError, call, said(a, b), slips=slips, says=[str(a), str(b)])
        slips = {None: "the first call raised, and so should every other: work it out each time"}
        expect_raises(RuntimeError, call, f"{said(a, b)}, a second time,", slips=slips)


@pytest.mark.exercise("4.1", points=1)
def test_an_empty_axis_is_no_exception():
    larger = "0 is a size like any other: a 1 takes the size it meets, even if that's 0"
    expect_shape((1, 3), (0, 3), (0, 3), slips=[((1, 3), larger)])
    expect_shape((0,), (1,), (0,), slips=[((1,), larger)])
    for a, b in [((0,), (3,)), ((3, 2), (0, 2))]:
        call = lambda a=a, b=b: tt.broadcast_shape(a, b)  # noqa: E731
        because = f"0 is a size like any other, so it doesn't fit a 3: {FITS}"
        expect_raises(RuntimeError, call, said(a, b), because=because, says=[str(a), str(b)])


@pytest.mark.exercise("4.1", points=1)
def test_broadcast_shape_agrees_with_numpy():
    shapes = [s for ndim in range(4) for s in itertools.product((1, 2), repeat=ndim)]
    for a, b in itertools.product(shapes, repeat=2):
        expect_shape(a, b, np.broadcast_shapes(a, b), lined_up(a, b))


def lined_up(a, b):
    """What meets what, in words."""
    ndim = max(len(a), len(b))
    a, b = (1,) * (ndim - len(a)) + a, (1,) * (ndim - len(b)) + b
    return f"{a} meets {b}, with ones in front of the shorter one, and a 1 takes what it meets"


@pytest.mark.exercise("4.1", points=1)
def test_operators_refuse_what_does_not_fit():
    x, y = tt.zeros(4, 3), tt.zeros(4)
    slips = [(ValueError, "broadcast_shape let these shapes pass, and NumPy refused them")]
    calls = {"x + y": lambda: x + y, "x - y": lambda: x - y, "x / y": lambda: x / y}
    for text, call in calls.items():
        what = f"{text} for shapes (4, 3) and (4,)"
        expect_raises(RuntimeError, call, what, slips=slips, says=["(4, 3)", "(4,)"])


UPSTREAM = (1, 2, 3), (10, 20, 30)
NO_COPY = "no axis was copied here: every number stays"
KEPT = "an axis of length 1 was stretched: sum over it, and keep it with length 1"
IN_FRONT = "the (3,) was copied along a new axis in front: sum over it"
PLACES = "1 new axis is in front, so axis i of the shape is axis i + 1 of the gradient"


ENOUGH = 10
LOST = "each sum loses an axis, and the shape has one of length 1 that was stretched: keep that one"
AT_ONCE = "one sum over all axes that were copied will do, and then reshape(shape)"


def has_shape(*shape):
    return lambda got: tuple(got.shape) == shape


@contextmanager
def sums_that_end(what, shape):
    """Stop an unbroadcast that sums on and on, long before it runs out of time."""
    forward, sums = tt.Sum.forward, itertools.count(1)

    def counted(*inputs):
        on_and_on = f"{what} summed {ENOUGH} times, and still had not made {shape}"
        fail_if(next(sums) > ENOUGH, f"{on_and_on}: {LOST if 1 in shape else AT_ONCE}")
        return forward(*inputs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tt.Sum, "forward", staticmethod(counted))
        yield


def expect_unbroadcast(grad, shape, want, slips=(), because=""):
    grad = tt.Tensor(np.array(grad, dtype=np.float64))
    what = f"unbroadcast(a gradient of shape {grad.shape}, {shape})"
    lost = "after a sum, the axes behind it are counted anew: one sum can take them all, as a tuple"
    errors = [
        (lambda error: error.ndim < grad.data.ndim, lost),
        (IndexError, f"the gradient has {grad.data.ndim} axes, counted from 0"),
        (ValueError, because or "is it summed over the right axes, and over no others?"),
        (AttributeError, "it works on Tensors: the gradient's sum and reshape do all it takes"),
        (worded(TypeError, "'out'"), "np.sum takes arrays: a Tensor has its own, grad.sum(axis=…)"),
        *numpys_words(),
        (worded(TypeError, "'list'"), "several axes are a tuple, as in NumPy: tuple(…)"),
    ]
    with calling(what, slips=errors), sums_that_end(what, shape):
        got = tt.unbroadcast(grad, shape)
    is_array = isinstance(got, (np.ndarray, np.generic))
    fail_if(is_array, f"{what} gave an array, expected a Tensor: gradients are Tensors")
    expect(got, want, what, slips=slips, because=because)


@pytest.mark.exercise("4.3", points=1)
def test_new_leading_axes_are_summed():
    slips = [
        (has_shape(2, 3), "nothing was summed: the axis that's new in front has to go, too"),
        ([5.5, 11, 16.5], "that's the mean of what the copies received: take the sum"),
        ([1, 2, 3], "that's what the first copy received: take the sum over all of them"),
        (has_shape(1, 3), "the axis put in front is not in the shape: reshape(shape)"),
        (has_shape(2), "the last axis was summed; the new one is in front"),
    ]
    expect_unbroadcast(UPSTREAM, (3,), [11, 22, 33], slips, IN_FRONT)
    slips = [
        ([3, 7], "the last axis was summed; the new one is in front, though both have length 2")
    ]
    expect_unbroadcast([[1, 2], [3, 4]], (2,), [4, 6], slips, "the new axis is the one in front")
    served = "a number serves every element: sum them all"
    slips = [
        (has_shape(2, 3), served),
        (11, "that's the mean: take the sum"),
        (has_shape(3), served),
    ]
    expect_unbroadcast(UPSTREAM, (), 66, slips, served)


@pytest.mark.exercise("4.3", points=1)
def test_axes_of_length_one_are_summed_and_stay():
    gone = "the axis is gone; the shape has it, with length 1: reshape(shape)"
    slips = [(has_shape(3), gone), (has_shape(2, 3), "the axis of length 1 was not summed")]
    expect_unbroadcast(UPSTREAM, (1, 3), [[11, 22, 33]], slips, KEPT)
    slips = [(has_shape(2), gone), (has_shape(2, 3), "the axis of length 1 was not summed")]
    expect_unbroadcast(UPSTREAM, (2, 1), [[6], [60]], slips, KEPT)
    slips = [(has_shape(), gone), (has_shape(1, 3), "both axes have length 1: sum over both")]
    both = "both axes have length 1, and both were stretched: sum over both, and keep them"
    expect_unbroadcast(UPSTREAM, (1, 1), [[66]], slips, both)


@pytest.mark.exercise("4.3", points=1)
def test_new_axes_and_stretched_axes_together():
    grad = np.arange(12.0).reshape(2, 2, 3)
    counted = "it was counted in the shape, not in the gradient: " + PLACES
    slips = [
        (has_shape(2), "the axis of length 1 is gone: reshape(shape)"),
        (has_shape(2, 3), "axis 2 was not summed: " + PLACES),
        (has_shape(3), counted),
    ]
    expect_unbroadcast(grad, (2, 1), [[24], [42]], slips, PLACES)
    expect_unbroadcast(grad, (1, 3), [[18, 22, 26]], [(has_shape(2, 3), counted)], PLACES)
    expect_unbroadcast(UPSTREAM, (1,), [66], [(has_shape(3), counted)], PLACES)


@pytest.mark.exercise("4.3", points=1)
def test_nothing_is_summed_where_nothing_was_copied():
    expect_unbroadcast(UPSTREAM, (2, 3), [[1, 2, 3], [10, 20, 30]], [(66, NO_COPY)], NO_COPY)
    expect_unbroadcast([[1, 2, 3]], (1, 3), [[1, 2, 3]], because=NO_COPY)
    expect_unbroadcast(5, (), 5, because=NO_COPY)
    none = "1 was stretched to 0, so it was copied zero times: sum over that axis, too"
    expect_unbroadcast(np.zeros((0, 3)), (1, 3), [[0, 0, 0]], because=none)


@pytest.mark.exercise("4.3", points=1)
def test_unbroadcast_gives_a_tensor_of_its_own():
    grad = tt.Tensor([1, 2])
    got = tt.unbroadcast(grad, (2,))
    shared = "two inputs would share it"
    fail_if(
        got is grad, f"unbroadcast(grad, (2,)) gave grad itself, expected a new Tensor: {shared}"
    )
    got.data[0] = 99
    shared = "both hold the same array, and two inputs would share it: make a new one"
    expect(grad, [1, 2], "grad, after its unbroadcast was changed in place",
           slips=[([99, 2], shared)])  # fmt: skip
    own = "use the Tensor's own sum and reshape"
    reasons = {
        (): f"it was computed from the array: {own}",
        (2,): f"no Tensor operation made it: {own}, also where nothing is summed",
    }
    for shape, reason in reasons.items():
        grad = leaf([1, 2])
        what = f"unbroadcast(grad of shape (2,), {shape}) gave a Tensor without a grad_fn"
        has_history = getattr(tt.unbroadcast(grad, shape), "grad_fn", None) is not None
        fail_if(not has_history, f"{what}: {reason}")
