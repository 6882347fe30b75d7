"""Chapter 4: what each exercise promises, for all shapes, axes and dtypes."""

import itertools
from functools import partial
from operator import methodcaller

import numpy as np
import pytest

import tinytorch as tt
from course.contracts import (
    DTYPES,
    arrays,
    batches,
    expect_array,
    expect_ending,
    expect_function,
    expect_gradients_with_history,
    expect_history,
    leaf_like,
    meetings,
    numbers,
    reductions,
    summed_to,
    upstream,
)
from course.testing import (
    calling,
    expect,
    fail_if,
    leaf,
    way_back,
    worded,
)

EXACT = {"float64": (1e-9, 1e-12), "float32": (1e-4, 1e-5)}  # of gradients by a formula
LARGE = (((10**6, 1), (10**6,), (10**6, 10**6)), ((1, 10**6, 1), (10**6,), (1, 10**6, 10**6)),
         ((1437, 10), (1437, 1), (1437, 10)), ((1437, 10), (1438, 1), None))  # fmt: skip
MORE_AXES = (((2, 1, 1, 3), (1, 4, 5, 1), (2, 4, 5, 3)), ((3, 1), (2, 1, 1, 1, 4), (2, 1, 1, 3, 4)))


@pytest.mark.exercise("4.1", points=1)
def test_shapes_meet_as_in_numpy():
    for a, b, want in [*meetings(), *MORE_AXES, *LARGE]:  # shapes are numbers, no arrays are needed
        a, b = made_anew(a), made_anew(b)
        what = f"broadcast_shape({a}, {b})"
        if want is not None:
            with calling(what):
                expect(tuple(map(int, tt.broadcast_shape(a, b))), want, what)
            continue
        error = expect_ending(partial(tt.broadcast_shape, a, b), RuntimeError, f"{what}, no fit,")
        for shape in (a, b):
            says = f"the error of {what} says {str(error)!r}; it should contain {shape}"
            fail_if(str(shape) not in str(error), says)


def made_anew(shape):
    """An equal tuple, of ints that are other objects, as those of two arrays are."""
    return tuple(int(str(size)) for size in shape)


NO_AXIS = "an empty tuple names no axis, so nothing is added up"


def spread(axis, sent, x):
    """What each element of x gets from its sum: all that the sum got."""
    kept = x.sum(axis=axis, keepdims=True).shape
    return [np.broadcast_to(np.reshape(sent, kept), x.shape)]


@pytest.mark.exercise("4.2", points=1)
def test_sums_agree_with_numpy_over_all_axes():
    slips = {3: f"{NO_AXIS}: ask `axis is None`"}
    what = "x.sum(axis=()) for x = [1, 2]"
    with calling(what):
        expect(leaf([1, 2]).sum(axis=()), [1, 2], what, slips=slips)
    for x, axis, keepdims in reductions():
        what = f"x.sum(axis={axis}, keepdims={keepdims})"
        f = methodcaller("sum", axis=axis, keepdims=keepdims)  # of a Tensor, of an array
        expect_function(what, f, f, x, gradients=partial(spread, axis), tolerances=EXACT)
    for special, axis in itertools.product((np.nan, np.inf, -np.inf, 1e30), (None, 0, 1)):
        x = numbers((2, 3))
        x[0, 1] = special
        what = f"x.sum(axis={axis}), one element {special},"
        expect_array(leaf_like(x).sum(axis=axis), x.sum(axis=axis), what)


@pytest.mark.exercise("4.2", points=1)
def test_a_sum_gives_the_same_gradients_when_asked_again():
    for dtype, axis in itertools.product(DTYPES, (None, 1, (0, -1))):
        x, what = leaf_like(numbers((2, 3), dtype)), f"the backward of x.sum(axis={axis})"
        z = x.sum(axis=axis)
        held = [n for n, v in vars(z.grad_fn).items() if isinstance(v, (tt.Tensor, np.ndarray))]
        says = f"the ctx of x.sum(axis={axis}) keeps an array or a Tensor as {', '.join(held)}"
        fail_if(held, f"{says}: all that it needs to know of x is its shape")
        sent = leaf_like(upstream(z.shape, dtype).data)
        kept = sent.data.reshape((2, 1) if axis == 1 else (1, 1))
        for again in ("", ", a second time"):
            with calling(f"{what}{again}"):
                grad, *rest = z.grad_fn.backward(sent)
            expect_array(grad, np.broadcast_to(kept, (2, 3)), f"{what}{again}")
            expect(rest, [None, None], f"{what}{again}: the gradients of axis and keepdims")
            leads = any(tensor is x for tensor in way_back(grad))
            only = "only the shape of x counts, not its numbers: keep the shape on ctx"
            fail_if(leads, f"{what} gave a gradient whose history leads to x: {only}")
        whose = f"{what}: the gradient of x"
        expect_history(lambda sent, z=z, w=whose: {w: z.grad_fn.backward(sent)[0]}, grad_z=sent)


def is_shared(got, grad):
    return got is grad or np.shares_memory(got.data, grad.data)


@pytest.mark.exercise("4.3", points=1)
def test_a_gradient_comes_back_to_every_shape_that_it_can_have():
    many = [((2, 1, 2, 2, 3), shape) for shape in ((3,), (), (1, 3), (1, 2, 1, 3), (2, 2, 1))]
    for a, b, meet in [*meetings(), *((a, b, a) for a, b in many)]:
        if meet != a:
            continue
        new = len(a) - len(b)
        axes = tuple(i for i, n in enumerate(a) if i < new or b[i - new] != n)
        for dtype in DTYPES:
            grad = leaf_like(numbers(a, dtype))
            want = grad.data.sum(axis=axes, dtype=np.float64).reshape(b).astype(dtype)
            what = f"unbroadcast(grad of shape {a}, {b}), {dtype.__name__}"
            with calling(what):
                got = tt.unbroadcast(grad, b)
            expect_array(got, want, what)
            fail_if(
                is_shared(got, grad), f"{what} shares its memory with grad, expected new memory"
            )
            expect_history(lambda grad, b=b, what=what: {what: tt.unbroadcast(grad, b)}, grad=grad)


@pytest.mark.exercise("4.3", points=1)
def test_special_numbers_come_back_too():
    for (x,) in arrays():
        for shape in (x.shape, (1,) * x.ndim, ()):
            want = x.sum(dtype=x.dtype).reshape(shape) if shape != x.shape else x
            what = f"unbroadcast({x.dtype} of shape {x.shape}, {shape}), with inf and NaN in some,"
            if x.shape or not shape:
                expect_array(tt.unbroadcast(leaf_like(x), shape), want, what)


OPERATORS = {  # and what each copy of x and of y gets
    "x + y": (lambda x, y: x + y, lambda sent, x, y: (sent, sent)),
    "x * y": (lambda x, y: x * y, lambda sent, x, y: (sent * y, sent * x)),
    "x / y": (lambda x, y: x / y, lambda sent, x, y: (sent / y, -sent * x / (y * y))),
}
ODD_PAIRS = (((2, 3), (3,)), ((2, 1), (1, 3)), ((), (2, 3)))


def to_both(local, sent, x, y):
    gradients = local(sent, *np.broadcast_arrays(x, y))
    return [summed_to(gradient, a.shape) for gradient, a in zip(gradients, (x, y), strict=True)]


@pytest.mark.exercise("4.4", points=1)
def test_operators_agree_with_numpy_for_all_pairs_of_shapes():
    fits = [(a, b) for a, b, meet in meetings() if meet is not None]
    cases = itertools.product(fits, OPERATORS.items())
    for ((a, b), (what, (f, local))), dtype in zip(cases, itertools.cycle(DTYPES), strict=False):
        x, y = numbers(a, dtype), numbers(b, dtype, seed=5)
        expect_function(what, f, f, x, y, gradients=partial(to_both, local), tolerances=EXACT)
    for (a, b), (what, (f, _)) in itertools.product(ODD_PAIRS, OPERATORS.items()):
        x, y = leaf_like(numbers(a)), leaf_like(numbers(b, seed=5))
        expect_gradients_with_history(f, [x, y], f"{what} for shapes {a} and {b}")
    x = leaf_like(numbers((2, 3)))
    for what, z in {"x + x": x + x, "x * x": x * x, "x / x": x / x}.items():
        sent = upstream(z.shape, z.dtype)
        first, second = twice_asked(z, sent, f"the backward of {what}")
        came = "the result keeps the gradient that came: unbroadcast makes a new one for each input"
        for name, grad in ("first", first), ("second", second):
            shared = f"{what}: the gradient of the {name} input shares its memory with grad_z"
            fail_if(is_shared(grad, sent), f"{shared}: {came}")
        text = f"{what}: the gradients of both inputs share their memory, expected one for each"
        fail_if(is_shared(first, second), text)


def twice_asked(z, sent, what):
    """The gradients of a ctx, the same when asked again; each input has one of its own."""
    came = []
    for again in ("", ", a second time"):
        with calling(f"{what}{again}"):
            came.append(z.grad_fn.backward(sent))
        said = f"{what}{again} gives None, and x is a Tensor at each use: a gradient for both"
        fail_if(any(grad is None for grad in came[-1]), said)
    for grad, same in zip(*came, strict=True):
        expect_array(same, grad.data, f"{what}, a second time")
    return came[0]


def shares(axis, sent, x):
    """What each of n elements gets from their mean: the nth part of what the mean got."""
    (whole,) = spread(axis, sent, x)
    return [whole * sent.size / x.size]


@pytest.mark.exercise("4.5", points=1)
def test_means_agree_with_numpy_over_all_axes():
    slips = [
        (
            lambda got: got.shape == (),
            "an empty tuple names no axis, so nothing is added up: ask `axis is None`",
        ),
        ([1, 2], "an empty tuple names no axis, and there's nothing to divide by: compare sizes"),
    ]
    with calling("x.mean(axis=()) for x = [2, 4]"):
        expect(leaf([2, 4]).mean(axis=()), [2, 4], "x.mean(axis=()) for x = [2, 4]", slips=slips)
    for x, axis, keepdims in reductions():
        if x.size:
            what = f"x.mean(axis={axis}, keepdims={keepdims})"
            f = methodcaller("mean", axis=axis, keepdims=keepdims)  # of a Tensor, of an array
            expect_function(what, f, f, x, gradients=partial(shares, axis), tolerances=EXACT)
    for special, axis in itertools.product((0, np.nan, np.inf, -np.inf, 1e30), (None, 0, 1)):
        x = numbers((2, 3))
        x[0, 1:] = special
        what = f"x.mean(axis={axis}), two of six elements {special},"
        with np.errstate(all="ignore"):
            expect_array(leaf_like(x).mean(axis=axis), x.mean(axis=axis), what)


def matmul(x, y):
    return x @ y


def matmul_gradients(sent, x, y):
    """L = sent[..., n, m] * x[..., n, k] * y[..., k, m], summed over all axes."""
    grad_x = np.einsum("...nm,...km->...nk", sent, y)
    grad_y = np.einsum("...nk,...nm->...km", x, sent)
    return summed_to(grad_x, x.shape), summed_to(grad_y, y.shape)


@pytest.mark.exercise("4.6", points=1)
def test_matmul_agrees_with_numpy_for_all_batches():
    many = [
        ((2, 2, 1, 2, 3), (2, 2, 4, 3, 2)),
        ((2, 1, 2, 2, 3), (3, 2)),
        ((2, 3), (1, 2, 2, 3, 4)),
    ]
    more = [(numbers(a), numbers(b, seed=5)) for a, b in many]
    for x, y in [*batches(), *more]:
        gradients = {"gradients": matmul_gradients, "tolerances": EXACT}
        expect_function("x @ y", matmul, np.matmul, x, y, **gradients)
    x, y = leaf_like(numbers((4, 2, 3))), leaf_like(numbers((3, 2), seed=5))
    what = f"x @ y for shapes {x.shape} and {y.shape}"
    expect_gradients_with_history(matmul, [x, y], what)


def log_softmax(x):
    x = x - x.max(axis=-1, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=-1, keepdims=True))


@pytest.mark.exercise("4.7", points=1)
def test_log_softmax_agrees_with_numpy_for_all_scores():
    shapes = [(1,), (3,), (1, 3), (2, 3), (2, 4, 3), (3, 1), (0, 3), (3, 0, 2)]
    for shape, dtype in itertools.product(shapes, DTYPES):
        for scale, start in itertools.product((0, 1, 50, 1000), (0, -1, 1000, -1000)):
            x = np.asarray(numbers(shape) * scale + start, dtype)
            want = log_softmax(x.astype(np.float64)).astype(dtype)
            got = tt.log_softmax(leaf_like(x))
            what = f"log_softmax for {x.dtype} of shape {shape}, scores from {start} on"
            expect_array(got, want, what, {"float64": (1e-9, 1e-9), "float32": (1e-4, 1e-4)})
        expect_function("log_softmax", tt.log_softmax, log_softmax, numbers(shape, dtype))
        expect_function("log_softmax", tt.log_softmax, log_softmax, numbers(shape) * 300)
    expect_function("log_softmax", tt.log_softmax, log_softmax, numbers((3, 2)).T)


@pytest.mark.exercise("4.8", points=1)
def test_training_agrees_with_numpy_for_all_parameters():
    shapes = [(), (1,), (0,), (2, 3)]
    for dtype, lr, steps in itertools.product(DTYPES, (0.25, 0, -1), (0, 1, 3)):
        starts = [numbers(shape, dtype, seed=i) for i, shape in enumerate(shapes)]
        ps, wants = [leaf_like(a) for a in starts], [a.copy() for a in starts]
        sent = [np.zeros_like(a) for a in starts]
        still = leaf_like(numbers((3,), dtype))
        still.grad, there = upstream((3,), dtype), still.data
        forgotten = still.grad

        def loss_of(ps=ps):
            old = "when loss_of is called, a parameter still has the gradient of the step before: "
            fail_if(any(p.grad is not None for p in ps), f"{old}forget them first")
            return sum(((p * p).sum() for p in ps[1:]), (ps[0] * ps[0]).sum())

        held, losses = [p.data for p in ps], []
        got = tt.train(loss_of, [*ps, still], lr, steps)
        for _ in range(steps):
            losses.append(sum(float((want * want).sum()) for want in wants))
            sent = [2 * want for want in wants]
            wants = [want - dtype(lr) * grad for want, grad in zip(wants, sent, strict=True)]
        what = f"train on the sum of all squares, {dtype.__name__}, lr={lr}, steps={steps}"
        expect(len(got), steps, f"{what}: the number of losses")
        expect(list(map(type, got)), [float] * steps, f"{what}: the types of the losses")
        expect(np.array(got), np.array(losses), f"{what}: the losses", rtol=1e-4)
        for p, want, grad, old, start in zip(ps, wants, sent, held, starts, strict=True):
            expect_array(p, want, f"{what}: the parameter of shape {p.shape}")
            if steps:
                expect_array(p.grad, grad, f"{what}: its p.grad, as the last step sent it")
                kept = "its array is the one that it had before, expected a new one"
                fail_if(p.data is old, f"{what}: the parameter of shape {p.shape}: {kept}")
            expect(old, start, f"{what}: the array that it had before")
            made = f"the parameter of shape {p.shape} has a grad_fn, expected None"
            fail_if(p.grad_fn is not None, f"{what}: {made}")
        expect_array(still, numbers((3,), dtype), f"{what}: a parameter not in the loss")
        fail_if(still.data is not there, f"{what}: a parameter not in the loss has a new array")
        whose = f"{what}: a gradient from before, which somebody else holds"
        slips = [(np.zeros(3), "let go of it, as zero_grad does; don't change its numbers")]
        expect(forgotten, upstream((3,), dtype).data, whose, slips=slips)
        if steps:
            old = f"{what}: a parameter not in the loss still has its old gradient, expected None"
            fail_if(still.grad is not None, old)


ANY_SHAPE = "loss.item() is the one number of any shape"


@pytest.mark.exercise("4.8", points=1)
def test_a_loss_is_any_tensor_with_one_element():
    for shape, start in itertools.product(((), (1,), (1, 1)), (8.0, 8e6, 8e-6)):
        w, what = leaf_like(np.full(shape, start)), f"train on w * w, shape {shape}, from {start}"
        scalars = worded(TypeError, "converted to Python scalars")
        with calling(what, slips=[(scalars, f"float() takes shape () alone: {ANY_SHAPE}")]):
            losses = tt.train(lambda w=w: w * w, [w], lr=0.25, steps=2)
        wants = np.array([start**2, start**2 / 4])
        expect(np.array(losses), wants, f"{what}: the losses", atol=0)
        expect(list(map(type, losses)), [float] * 2, f"{what}: the types of the losses")
        expect_array(w, np.full(shape, start / 4), f"{what}: w")
    for start in (np.nan, np.inf, 1e200):
        w, what = leaf(start), f"train on w * w from {start}, 3 steps: how many losses"
        because = "a step for each, whatever the loss is"
        with np.errstate(all="ignore"):
            expect(len(tt.train(lambda w=w: w * w, [w], lr=0.1, steps=3)), 3, what, because=because)
    w = leaf(1.0)
    tt.train(lambda: w, [w], lr=0.1, steps=1)
    what = "train(w itself from 1 in float64, lr 0.1, 1 step): w"
    expect(w, 0.9, what, rtol=1e-12, atol=0, because="backward() begins in the dtype of the loss")
    expect_gradients_left_as_they_came()
    w, what = leaf(0.25), "train(w itself from 0.25, lr 0.25, 3 steps)"
    with calling(what):
        got = tt.train(lambda: w, [w], lr=0.25, steps=3)
    noted = "each was noted after the step, when w had moved: note it before that"
    slips = [([0, -0.25, -0.5], noted)]
    because = "a loss of 0 is a loss like any other, and so is one below"
    expect(np.array(got), [0.25, 0, -0.25], what, slips=slips, because=because)


def expect_gradients_left_as_they_came():
    sent = tt.Tensor(np.array(2.0))

    class Sends(tt.Function):
        @staticmethod
        def forward(ctx, x):
            return tt.Tensor(np.array(1.0))

        @staticmethod
        def backward(ctx, grad_z):
            return sent

    w = leaf(8.0)
    tt.train(lambda: Sends.apply(w), [w], lr=0.5, steps=1)
    what = "train(f(w), [w]), whose backward sends a Tensor g: w.grad is g"
    expect(w.grad is sent, True, what, because="p.grad stays as the step sent it")
    expect(w, 7.0, "w, 8 before, after a step with lr 0.5, gradient 2")
