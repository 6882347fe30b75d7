"""Chapter 4: what each exercise promises, for all shapes, axes and dtypes."""

import itertools
from functools import cache, partial
from operator import methodcaller

import numpy as np
import pytest

import tinytorch as tt
from course.contracts import (
    DTYPES,
    expect_array,
    expect_ending,
    expect_function,
    leaf_like,
    upstream,
)
from course.testing import expect

SHAPES = [
    (),
    (1,),
    (3,),
    (0,),
    (1, 3),
    (2, 1),
    (2, 3),
    (4, 2, 3),
    (4, 1, 1),
    (1, 1, 3),
    (0, 3),
    (2, 0),
]
AXES = [
    None,
    0,
    1,
    2,
    -1,
    -2,
    (0,),
    (-1,),
    (0, 1),
    (1, 0),
    (-2, -1),
    (0, -1),
    (0, 2),
    (0, 1, 2),
    (),
]


@cache
def array(shape, dtype=np.float64, seed=3):
    rng = np.random.default_rng(seed)
    return np.asarray(rng.uniform(0.5, 3, shape) * rng.choice([-1, 1], shape), dtype)


def fits(call):
    try:
        return call()
    except (ValueError, np.exceptions.AxisError):
        return None


def has_axis(x, axis):
    axes = axis if isinstance(axis, tuple) else () if axis is None else (axis,)
    in_range = all(-x.ndim <= a < x.ndim for a in axes)
    return in_range and len({a % x.ndim for a in axes}) == len(axes)


@pytest.mark.exercise("4.1", points=1)
def test_shapes_meet_as_in_numpy():
    large = [(10**6, 1), (10**6,), (1, 10**6, 1)]  # shapes are numbers, no arrays are needed
    for a, b in itertools.product(SHAPES + large, repeat=2):
        want, what = fits(lambda a=a, b=b: np.broadcast_shapes(a, b)), f"broadcast_shape({a}, {b})"
        if want is not None:
            expect(tt.broadcast_shape(a, b), want, what)
        else:
            error = expect_ending(partial(tt.broadcast_shape, a, b), RuntimeError, what)
            for shape in (a, b):
                expect(str(shape) in str(error), True, f"the error of {what} names {shape}")


@pytest.mark.exercise("4.2", points=1)
def test_sums_agree_with_numpy_over_all_axes():
    for shape, axis, keep in itertools.product(SHAPES, AXES, (False, True)):
        for dtype in DTYPES:
            x = array(shape, dtype)
            if has_axis(x, axis):
                what = f"x.sum(axis={axis}, keepdims={keep})"
                f = methodcaller("sum", axis=axis, keepdims=keep)  # of a Tensor, of an array
                expect_function(what, f, f, x)

    for special in (np.nan, np.inf, -np.inf):
        x = array((2, 3)).copy()
        x[0, 1] = special
        for axis in (None, 0, 1):
            what = f"x.sum(axis={axis}), one element {special},"
            expect_array(leaf_like(x).sum(axis=axis), x.sum(axis=axis), what)


@pytest.mark.exercise("4.3", points=1)
def test_a_gradient_comes_back_to_every_shape_that_it_can_have():
    for a, b in itertools.product(SHAPES, repeat=2):
        if fits(lambda a=a, b=b: np.broadcast_shapes(a, b)) != a:
            continue
        for dtype in DTYPES:
            grad = tt.Tensor(array(a, dtype))
            extra = tuple(range(len(a) - len(b)))
            axes = tuple(
                i + len(extra) for i, n in enumerate(b) if n == 1 and a[i + len(extra)] != 1
            )
            want = grad.data.sum(axis=extra + axes, dtype=np.float64).reshape(b).astype(dtype)
            got, what = (
                tt.unbroadcast(grad, b),
                f"unbroadcast(grad of shape {a}, {b}), {dtype.__name__}",
            )
            expect_array(got, want, what)
            shared = got is grad or np.shares_memory(got.data, grad.data)
            expect(shared, False, f"{what} shares its memory with grad")


@pytest.mark.exercise("4.4", points=1)
def test_operators_agree_with_numpy_for_all_pairs_of_shapes():
    operators = {"x + y": np.add, "x * y": np.multiply, "x / y": np.divide}
    for a, b in itertools.product(SHAPES, repeat=2):
        if fits(lambda a=a, b=b: np.broadcast_shapes(a, b)) is None:
            continue
        for dtype, (what, f) in itertools.product(DTYPES, operators.items()):
            operator = {"+": tt.Tensor.__add__, "*": tt.Tensor.__mul__, "/": tt.Tensor.__truediv__}
            expect_function(what, operator[what[2]], f, array(a, dtype), array(b, dtype, seed=5))
    x = leaf_like(array((2, 3)))
    for what, z in {"x + x": x + x, "x * x": x * x, "x / x": x / x}.items():
        first, second = z.grad_fn.backward(upstream(z.shape, z.dtype))
        shared = first is second or np.shares_memory(first.data, second.data)
        expect(shared, False, f"{what}: the gradients of both inputs share their memory")


@pytest.mark.exercise("4.5", points=1)
def test_means_agree_with_numpy_over_all_axes():
    for shape, axis, keep in itertools.product(SHAPES, AXES, (False, True)):
        for dtype in DTYPES:
            x = array(shape, dtype)
            if x.size and has_axis(x, axis):
                what = f"x.mean(axis={axis}, keepdims={keep})"
                f = methodcaller("mean", axis=axis, keepdims=keep)  # of a Tensor, of an array
                expect_function(what, f, f, x)


@pytest.mark.exercise("4.6", points=1)
def test_matmul_agrees_with_numpy_for_all_batches():
    batches = [(), (1,), (4,), (2, 4), (2, 1), (1, 4), (0,)]
    for a, b in itertools.product(batches, repeat=2):
        if fits(lambda a=a, b=b: np.broadcast_shapes(a, b)) is None:
            continue
        for dtype, (n, k, m) in itertools.product(DTYPES, [(2, 3, 2), (2, 2, 2), (1, 3, 1)]):
            x, y = array((*a, n, k), dtype), array((*b, k, m), dtype, seed=5)
            expect_function("x @ y", lambda x, y: x @ y, np.matmul, x, y)


def log_softmax(x):
    x = x - x.max(axis=-1, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=-1, keepdims=True))


@pytest.mark.exercise("4.7", points=1)
def test_log_softmax_agrees_with_numpy_for_all_scores():
    for shape, dtype in itertools.product(
        [(1,), (3,), (1, 3), (2, 3), (2, 4, 3), (3, 1), (0, 3)], DTYPES
    ):
        for scale, start in itertools.product((0, 1, 50, 1000), (0, -1, 1000, -1000)):
            x = np.asarray(array(shape) * scale + start, dtype)
            want = log_softmax(x.astype(np.float64)).astype(dtype)
            got = tt.log_softmax(leaf_like(x))
            what = f"log_softmax for {x.dtype} of shape {shape}, scores from {start} on"
            expect_array(got, want, what, {"float64": (1e-9, 1e-9), "float32": (1e-4, 1e-4)})
        expect_function("log_softmax", tt.log_softmax, log_softmax, array(shape, dtype))


@pytest.mark.exercise("4.8", points=1)
def test_training_agrees_with_numpy_for_all_parameters():
    shapes = [(), (1,), (0,), (2, 3)]
    for dtype, lr, steps in itertools.product(DTYPES, (0.25, 0, -1), (0, 1, 3)):
        starts = [array(shape, dtype, seed=i) for i, shape in enumerate(shapes)]
        ps, wants = [leaf_like(a) for a in starts], [a.copy() for a in starts]
        still = leaf_like(array((3,), dtype))
        still.grad = upstream((3,), dtype)

        def loss_of(ps=ps):
            return sum(((p * p).sum() for p in ps[1:]), (ps[0] * ps[0]).sum())

        held, numbers = [p.data for p in ps], []
        got = tt.train(loss_of, [*ps, still], lr, steps)
        for _ in range(steps):
            numbers.append(sum(float((want * want).sum()) for want in wants))
            wants = [want - dtype(lr) * 2 * want for want in wants]
        what = f"train on the sum of all squares, {dtype.__name__}, lr={lr}, steps={steps}"
        expect(list(map(type, got)), [float] * steps, f"{what}: the types of the losses")
        expect(np.array(got), np.array(numbers), f"{what}: the losses", rtol=1e-4)
        for p, want, old, start in zip(ps, wants, held, starts, strict=True):
            expect_array(p, want, f"{what}: the parameter of shape {p.shape}")
            expect(old, start, f"{what}: the array that it had before")
            expect(p.grad_fn is None, True, f"{what}: its grad_fn is None")
        expect_array(still, array((3,), dtype), f"{what}: a parameter that has no part in the loss")
