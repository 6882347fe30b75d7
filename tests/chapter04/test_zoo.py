"""Chapter 4: what each exercise promises, for all shapes, axes and dtypes."""

import itertools
import sys
from contextlib import suppress
from functools import partial
from operator import methodcaller

import numpy as np
import pytest

import tinytorch as tt
from course.contracts import (
    DTYPES,
    EVERY_ERROR,
    arrays,
    batches,
    expect_array,
    expect_differentiable,
    expect_ending,
    expect_function,
    expect_gradients_of_gradients,
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
    calls_of,
    error_of,
    expect,
    expect_raises,
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
            slips = [
                (MemoryError, "the shape is all that's asked for: no array of it need be made"),
                (lambda e, a=a, b=b: is_refused(e) and fits_by_is(a, b), SAME_OBJECT),
                (is_refused, "they do fit"),
            ]
            with calling(what, slips=slips):
                expect(tuple(map(int, tt.broadcast_shape(a, b))), want, what)
            continue
        error = expect_ending(partial(tt.broadcast_shape, a, b), RuntimeError, f"{what}, no fit,")
        for shape in (a, b):
            says = f"the error of {what} says {str(error)!r}; it should contain {shape}"
            fail_if(str(shape) not in str(error), says)


def made_anew(shape):
    """An equal tuple, of ints that are other objects, as those of two arrays are."""
    return tuple(int(str(size)) for size in shape)


def is_refused(error):
    return type(error) is RuntimeError


SAME_OBJECT = "they do fit: `is` asks for one and the same object, == for equal numbers"


def fits_by_is(a, b):
    """Do these shapes fit where equal sizes are one and the same object?"""
    known = {}
    a, b = (tuple(known.setdefault(size, size) for size in shape) for shape in (a, b))
    return error_of(partial(tt.broadcast_shape, a, b)) is None


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
        slips = [(is_nan, "the sum of no numbers is 0")] if not x.size else []
        slips = [*slips, (lost_an_axis(x), f"{ANEW}: NumPy's sum takes a tuple as it is")]
        of_it = {"gradients": partial(spread, axis), "tolerances": EXACT, "slips": slips}
        expect_function(what, f, f, x, **of_it)
    expect_errors_for_axes_that_are_not_there("sum")
    for special, axis in itertools.product((np.nan, np.inf, -np.inf, 1e30), (None, 0, 1)):
        x = numbers((2, 3))
        x[0, 1] = special
        what = f"x.sum(axis={axis}), one element {special},"
        left_out = "NaN is an element like any other, and the sum with it is NaN"
        slips = [(np.nansum(x, axis=axis), left_out)] if np.isnan(special) else []
        expect_array(leaf_like(x).sum(axis=axis), x.sum(axis=axis), what, slips=slips)


ANEW = "after each sum, the axes behind it are counted anew"


def is_nan(got):
    return np.isnan(got.data).any()


def lost_an_axis(x):
    """A question for slips: was an axis missed in an array that has fewer of them than x by now?"""
    return lambda error: isinstance(error, IndexError) and error.ndim < x.ndim


def expect_errors_for_axes_that_are_not_there(name):
    x = leaf([[1, 2, 3], [5, 6, 7]])
    for axis in (2, -3, (0, 2)):
        call = partial(methodcaller(name, axis=axis), x)
        if error_of(call) is None:
            says = f"x.{name}(axis={axis}) for shape (2, 3) gave {call()!r}, expected an error"
            fail_if(True, f"{says}: x has the axes 0 and 1, or -2 and -1")


USED_UP = "the one before let go of what forward had kept on ctx, or changed it"


def has_changed(ctx):
    """A question for slips: does this ctx know other things than it does now?"""
    known = known_to(ctx)
    return lambda _: known_to(ctx) != known


def known_to(ctx):
    return len(ctx.saved_tensors), {name: repr(value) for name, value in vars(ctx).items()}


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
        slips = [(has_changed(z.grad_fn), USED_UP)]
        for again in ("", ", a second time"):
            with calling(f"{what}{again}", slips=slips):
                grad, *rest = z.grad_fn.backward(sent)
            want = np.broadcast_to(kept, (2, 3))
            expect_array(grad, want, f"{what}{again}", slips=slips if again else ())
            expect(rest, [None, None], f"{what}{again}: the gradients of axis and keepdims")
            leads = any(tensor is x for tensor in way_back(grad))
            only = "only the shape of x counts, not its numbers: keep the shape on ctx"
            fail_if(leads, f"{what} gave a gradient whose history leads to x: {only}")
        whose = f"{what}: the gradient of x"
        expect_it = expect_differentiable if dtype is np.float64 else expect_history
        expect_it(lambda sent, z=z, w=whose: {w: z.grad_fn.backward(sent)[0]}, grad_z=sent)
    for axis, keepdims in itertools.product(((), 0, (0, 1)), (False, True)):
        x, what = leaf_like(numbers((1, 1))), f"x.sum(axis={axis}, keepdims={keepdims})"
        z = x.sum(axis=axis, keepdims=keepdims)
        sent = upstream(z.shape, z.dtype)
        shared = f"the backward of {what} for shape (1, 1) gave grad_z's own array"
        new = "x and z would share one gradient, so make a new one, even where nothing was summed"
        fail_if(is_shared(z.grad_fn.backward(sent)[0], sent), f"{shared}: {new}")


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
            with calling(what, slips=[(left_a_size_open, LEFT_OPEN)]):
                got = tt.unbroadcast(grad, b)
            other = np.float32 if dtype is np.float64 else np.float64
            slips = {np.dtype(other): f"grad is {dtype.__name__}, and the result keeps its dtype"}
            expect_array(got, want, what, slips=slips)
            fail_if(
                is_shared(got, grad), f"{what} shares its memory with grad, expected new memory"
            )
            expect_it = expect_differentiable if dtype is np.float64 else expect_history
            expect_it(lambda grad, b=b, what=what: {what: tt.unbroadcast(grad, b)}, grad=grad)


LEFT_OPEN = "beside an axis of length 0, -1 could be any size: give each size to reshape"


def left_a_size_open(error):
    """A question for slips: did reshape get a -1?"""
    shapes = [known.get("shape") for known in calls_of("forward", error)]
    return any(isinstance(shape, tuple) and -1 in shape for shape in shapes)


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
ODD_PAIRS = (((2, 3), (3,)), ((2, 1), (1, 3)), ((), (2, 3)), ((2,), (2,)), ((), ()), ((1,), (1,)))


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
        expect_gradients_of_gradients(f, [x, y], f"{what} for shapes {a} and {b}")
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
    came, slips = [], [(has_changed(z.grad_fn), USED_UP)]
    for again in ("", ", a second time"):
        with calling(f"{what}{again}", slips=slips):
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
            of_it = {"gradients": partial(shares, axis), "tolerances": EXACT}
            expect_function(what, f, f, x, **of_it, slips=wrong_counts(x, x.mean(axis=axis)))
    expect_errors_for_axes_that_are_not_there("mean")
    for shape, axis in (((2, 3), None), ((2, 3), 1), ((1,), None), ((), None)):
        f, what = methodcaller("mean", axis=axis), f"x.mean(axis={axis}) for shape {shape}"
        expect_gradients_of_gradients(f, [leaf_like(numbers(shape))], what)
    for special, axis in itertools.product((0, np.nan, np.inf, -np.inf, 1e30), (None, 0, 1)):
        x = numbers((2, 3))
        x[0, 1:] = special
        what = f"x.mean(axis={axis}), two of six elements {special},"
        with np.errstate(all="ignore"):
            expect_array(leaf_like(x).mean(axis=axis), x.mean(axis=axis), what)


def wrong_counts(x, want):
    """Slips for a mean: that of another count, which the shape of x may lead to, or another dtype.

    `want` may have lost axes: only the numbers in it count.
    """
    n, want = x.size // want.size, want.ravel()
    sizes = {np.prod(part, dtype=int) for k in range(x.ndim + 1)
             for part in itertools.combinations(x.shape, k)}  # fmt: skip
    wrong = [(lambda got, m=m: np.allclose(got.data.ravel(), want * n / m, atol=0),
              f"{n} went into each of these, and it was divided by {m}")
             for m in sorted(sizes - {n})]  # fmt: skip
    plain = "a float64 from NumPy turns float32 into float64: scale by a plain Python number"
    return [*wrong, (np.dtype(np.float64), plain)]


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
        slips = [(left_a_size_open, LEFT_OPEN)]
        expect_function("x @ y", matmul, np.matmul, x, y, **gradients, slips=slips)
    for a, b in itertools.product(((), (2,), (1,), (2, 1), (1, 2)), repeat=2):
        x, y = leaf_like(numbers((*a, 1, 3))), leaf_like(numbers((*b, 3, 2), seed=5))
        what = f"x @ y for shapes {x.shape} and {y.shape}"
        expect_gradients_of_gradients(matmul, [x, y], what)


def log_softmax(x):
    x = x - x.max(axis=-1, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=-1, keepdims=True))


@pytest.mark.exercise("4.7", points=1)
def test_log_softmax_agrees_with_numpy_for_all_scores():
    shapes = [(1,), (3,), (1, 3), (2, 3), (2, 4, 3), (3, 1), (0, 3), (3, 0, 2)]
    for shape, dtype in itertools.product(shapes, DTYPES):
        for scale, start in itertools.product((0, 1, 50, 1000, 1e30), (0, -1, 1000, -1000)):
            x = np.asarray(numbers(shape) * scale + start, dtype)
            want = log_softmax(x.astype(np.float64)).astype(dtype)
            what = f"log_softmax for {x.dtype} of shape {shape}, scores from {start} on"
            nothing = "x has no elements, so it can't be divided by their number"
            with calling(what, slips=[] if x.size else [(ZeroDivisionError, nothing)]):
                got = tt.log_softmax(leaf_like(x))
            expect_array(got, want, what, {"float64": (1e-9, 1e-9), "float32": (1e-4, 1e-4)})
        expect_function("log_softmax", tt.log_softmax, log_softmax, numbers(shape, dtype))
        expect_function("log_softmax", tt.log_softmax, log_softmax, numbers(shape) * 300)
    expect_function("log_softmax", tt.log_softmax, log_softmax, numbers((3, 2)).T)
    for shape in ((3,), (2, 3), (2, 1, 2)):
        what = f"log_softmax(x) for shape {shape}"
        expect_gradients_of_gradients(tt.log_softmax, [leaf_like(numbers(shape))], what)
    expect_x_left_alone()


def expect_x_left_alone():
    for kind in (tt.Exp, tt.Sum, tt.Log):
        x = leaf([1.0, 2.0])
        with pytest.MonkeyPatch.context() as patch, suppress(KeyboardInterrupt):
            patch.setattr(kind, "forward", staticmethod(stopped))
            tt.log_softmax(x)
        what = f"x, after Ctrl-C while log_softmax(x) was in {kind.__name__}"
        expect(x, [1, 2], what, because="x.data stays the same, also while it's at work")
    for dtype in DTYPES:
        x = leaf_like(numbers((2, 3), dtype))
        names = names_set_on(x, partial(tt.log_softmax, x))
        says = f"log_softmax(x) put something else into x.{', x.'.join(names)} for a moment"
        fail_if(names, f"{says}: make a new Tensor, and x stays as it is all the while")


def names_set_on(tensor, call):
    """The names of all attributes that are set on a Tensor while a call runs."""
    before, names = tt.Tensor.__setattr__, {}

    def noted(self, name, value):
        if self is tensor:
            names[name] = True
        before(self, name, value)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tt.Tensor, "__setattr__", noted)
        call()
    return [*names]


def stopped(*_):
    raise KeyboardInterrupt


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
            kept = [p.grad.data for p in ps if p.grad is not None]
            zeros = "when loss_of is called, p.grad holds zeros, expected None: let go of it"
            fail_if(kept and not any(grad.any() for grad in kept), zeros)
            old = "when loss_of is called, a parameter still has the gradient of the step before: "
            fail_if(kept, f"{old}forget them first")
            return sum(((p * p).sum() for p in ps[1:]), (ps[0] * ps[0]).sum())

        held, losses = [p.data for p in ps], []
        got = tt.train(loss_of, [*ps, still], lr, steps)
        for _ in range(steps):
            losses.append(sum(float((want * want).sum()) for want in wants))
            sent = [2 * want for want in wants]
            wants = [want - dtype(lr) * grad for want, grad in zip(wants, sent, strict=True)]
        what = f"train on the sum of all squares, {dtype.__name__}, lr={lr}, steps={steps}"
        because = "one for each step, whether the losses fall or rise"
        expect(len(got), steps, f"{what}: the number of losses", because=because)
        expect(list(map(type, got)), [float] * steps, f"{what}: the types of the losses")
        expect(np.array(got), np.array(losses), f"{what}: the losses", rtol=1e-4)
        for p, want, grad, old, start in zip(ps, wants, sent, held, starts, strict=True):
            moved = (is_tensor, "with lr=0 nothing moves: 0 is a number like any other")
            slips = {0: [moved], -1: [(-start, "that's with lr=1: lr keeps its minus")]}
            whose = f"{what}: the parameter of shape {p.shape}"
            expect_array(p, want, whose, slips=slips.get(lr, ()))
            if steps:
                expect_array(p.grad, grad, f"{what}: its p.grad, as the last step sent it")
                kept = "its array is the one that it had before, expected a new one"
                in_place = "the new numbers were written into it, and others may hold it"
                kept = kept if np.array_equal(old, start) else f"{kept}: {in_place}"
                fail_if(p.data is old, f"{what}: the parameter of shape {p.shape}: {kept}")
            expect(old, start, f"{what}: the array that it had before")
            made = f"the parameter of shape {p.shape} has a grad_fn, expected None"
            fail_if(p.grad_fn is not None, f"{what}: {made}")
        expect_array(still, numbers((3,), dtype), f"{what}: a parameter not in the loss")
        zeros = "it was given zeros for a gradient: " if is_tensor(still.grad) else ""
        moved = f"a parameter not in the loss has a new array: {zeros}it received none, so it stays"
        fail_if(still.data is not there, f"{what}: {moved}")
        whose = f"{what}: a gradient from before, which somebody else holds"
        slips = [(np.zeros(3), "let go of it, as zero_grad does; don't change its numbers")]
        expect(forgotten, upstream((3,), dtype).data, whose, slips=slips)
        if steps:
            old = f"{what}: a parameter not in the loss still has its old gradient, expected None"
            fail_if(still.grad is not None, old)


def is_tensor(got):
    return isinstance(got, tt.Tensor)


ANY_SHAPE = "loss.item() is the one number of any shape"


@pytest.mark.exercise("4.8", points=1)
def test_a_loss_is_any_tensor_with_one_element():
    for shape, start in itertools.product(((), (1,), (1, 1)), (8.0, 8e6, 8e-6)):
        w, what = leaf_like(np.full(shape, start)), f"train on w * w, shape {shape}, from {start}"
        scalars = worded(TypeError, "converted to Python scalars")
        slips = [
            (scalars, f"float() takes shape () alone: {ANY_SHAPE}"),
            (worded(RuntimeError, "gradient= must have"), "loss.backward() needs none: it begins "
             "with a gradient that has the shape of the loss"),
        ]  # fmt: skip
        with calling(what, slips=slips):
            losses = tt.train(lambda w=w: w * w, [w], lr=0.25, steps=2)
        kinds = [type(loss).__name__ for loss in losses]
        expect(kinds, ["float"] * 2, f"{what}: the types of the losses", because=ANY_SHAPE)
        wants = np.array([start**2, start**2 / 4])
        expect(np.array(losses), wants, f"{what}: the losses", atol=0)
        expect_array(w, np.full(shape, start / 4), f"{what}: w")
    for start in (np.nan, np.inf, 1e200):
        w, what = leaf(start), f"train on w * w from {start}, 3 steps: how many losses"
        because = "a step for each, whatever the loss is"
        with np.errstate(all="ignore"):
            expect(len(tt.train(lambda w=w: w * w, [w], lr=0.1, steps=3)), 3, what, because=because)
    w = leaf(1.0)
    tt.train(lambda: w, [w], lr=0.1, steps=1)
    what = "train(w itself from 1 in float64, lr 0.1, 1 step): w"
    slips = [
        (lambda got: got.item() == 1 and w.grad is None, "it didn't move, and w.grad is None: "
         "w is the loss, too, so forget no gradient after backward()"),
        (lambda got: abs(got.item() - 0.9) < 1e-6, "backward() begins in the dtype of the loss"),
    ]  # fmt: skip
    expect(w, 0.9, what, rtol=1e-12, atol=0, slips=slips)
    expect_gradients_left_as_they_came()
    expect_each_step_to_ask_who_moves()
    expect_each_to_keep_its_dtype()
    expect_gradients_that_are_not_finite_to_count()
    expect_errors_to_come_out()
    expect_many_steps()
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


def expect_each_step_to_ask_who_moves():
    w, b, turns = leaf(8.0), leaf(8.0), itertools.count()

    def loss_of():
        p = (w, b)[next(turns) % 2]
        return p * p

    what = "train(w * w and b * b by turns, both from 8, lr 0.25, 4 steps)"
    slips = [([64, 64, 16, 64], "each step asks anew which parameters received a gradient")]
    with calling(what):
        got = tt.train(loss_of, [w, b], lr=0.25, steps=4)
    expect(np.array(got), [64.0, 64, 16, 16], what, slips=slips)
    expect(np.array([w.item(), b.item()]), [2.0, 2], f"{what}: w, b")


def expect_each_to_keep_its_dtype():
    grads = [upstream((3,), dtype) for dtype in DTYPES]

    class SendsBoth(tt.Function):
        @staticmethod
        def forward(ctx, x, y):
            return tt.Tensor(np.array(1.0))

        @staticmethod
        def backward(ctx, grad_z):
            return tuple(grads)

    ps = [leaf_like(numbers((3,), dtype)) for dtype in DTYPES]
    starts, what = [p.data for p in ps], "train with parameters in float64 and float32"
    with calling(what):
        tt.train(lambda: SendsBoth.apply(*ps), ps, lr=0.5, steps=1)
    mixed = "p and its gradient have one dtype, and p keeps it, whatever the others have"
    for p, start, grad in zip(ps, starts, grads, strict=True):
        whose = f"{what}: that in {start.dtype}"
        expect(p.dtype, start.dtype, f"{whose}, its dtype", because=mixed)
        expect_array(p, start - start.dtype.type(0.5) * grad.data, whose)


def expect_gradients_that_are_not_finite_to_count():
    w, what = leaf([np.inf, 1]), "one step on the sum of w * w from [inf, 1], lr 0.25: w"
    skipped = "a gradient that isn't finite was left out: each parameter that received one moves"
    with np.errstate(all="ignore"), calling(what):
        tt.train(lambda: (w * w).sum(), [w], lr=0.25, steps=1)
    expect(w, [np.nan, 0.5], what, slips=[([np.inf, 1], skipped), ([np.inf, 0.5], skipped)])


def expect_errors_to_come_out():
    for kind in (ValueError, *EVERY_ERROR):
        what = f"train, whose loss_of raises {kind.__name__} in its second call,"
        slips = {None: "train lets it out, and whoever called train decides what to do about it"}
        expect_raises(kind, partial(train_on_what_raises, kind), what, slips=slips)
    for kind in (KeyboardInterrupt, SystemExit, GeneratorExit):
        what = f"train, three steps, whose loss_of raises {kind.__name__} in its second call,"
        out = "let it out, or it looks as if training had come to its end"
        with suppress(kind):
            got = train_on_what_raises(kind)
            fail_if(True, f"{what} gave {got!r}, expected {kind.__name__}: {out}")


def train_on_what_raises(kind):
    """Three steps, of which the second gets no loss."""
    w, calls = leaf(8.0), []

    def loss_of():
        calls.append(1)
        if len(calls) == 2:
            raise kind("from loss_of")
        return w * w

    return tt.train(loss_of, [w], 0.25, 3)


def expect_many_steps():
    w, steps = leaf(1.0), max(1000, sys.getrecursionlimit())
    what = f"train(w itself from 1, lr 0.001, {steps} steps)"
    deep = "train calls itself for each step, and Python's stack has an end: loop over the steps"
    with calling(what, slips=[(RecursionError, deep)]):
        got = tt.train(lambda: w, [w], lr=0.001, steps=steps)
    expect(len(got), steps, f"{what}: how many losses")
