"""Chapter 1: what each exercise promises, for all kinds of numbers, shapes and steps."""

import itertools
from functools import partial

import numpy as np
import pytest

import tinytorch as tt
from course.contracts import DTYPES, SHAPES, VALUES, expect_array, expect_ending
from course.testing import expect

FLOATING = (np.float16, np.float32, np.float64)
WHOLE = (np.int8, np.int64, np.uint8, np.bool_)


def numbers(shape, dtype=np.float64, seed=3):
    return np.asarray(np.random.default_rng(seed).normal(size=shape) * 3, dtype)


def expect_new_array(got, want, given, what):
    expect(type(got) is np.ndarray, True, f"{what} is an array")
    expect(got.dtype, want.dtype, f"the dtype of {what}")
    expect(got, want, what)
    if isinstance(given, np.ndarray):
        expect(np.shares_memory(got, given), False, f"{what} shares its memory with the data")


@pytest.mark.exercise("1.1", points=1)
def test_whatever_holds_numbers_is_copied():
    for dtype, shape in itertools.product((np.float32, np.float64), SHAPES):
        for kind in FLOATING + WHOLE:
            data = numbers(shape, kind)
            for array in (data, data.T, data[..., None][..., 0]):
                want = array.copy() if kind in FLOATING else array.astype(dtype)
                what = f"as_array({array.dtype} of shape {array.shape}, {dtype.__name__})"
                expect_new_array(tt.as_array(array, dtype), want, array, what)
            array = data.tolist()
            what = f"as_array({array!r}, {dtype.__name__})"
            expect_new_array(tt.as_array(array, dtype), np.array(array, dtype), array, what)
        x = tt.Tensor(numbers(shape, np.float64))
        what = f"as_array(a Tensor of shape {shape}, {dtype.__name__})"
        expect_new_array(tt.as_array(x, dtype), x.data.copy(), x.data, what)
    for data in (
        (1, 2),
        (1.5, 2.5),
        [(1, 2.5), (3, 4)],
        [True, 2],
        [],
        np.array([1, np.nan, np.inf]),
    ):
        what = f"as_array({data!r})"
        want = data if isinstance(data, np.ndarray) else np.array(data, np.float32)
        expect_new_array(tt.as_array(data), want, data, what)
    for data in ("12", None, ["1"], [1, "a"], {1: 2}, 2j, [None], object(), np.array(["1"]), b"1"):
        expect_ending(partial(tt.as_array, data), TypeError, f"as_array({data!r})")
    for data in ([[1, 2], [3]], [1, [2]], [[[1]], [[2, 3]]], [np.ones(2), np.ones(3)]):
        expect_ending(partial(tt.as_array, data), ValueError, f"as_array({data!r})")


@pytest.mark.exercise("1.2", points=1)
def test_every_tensor_is_shown_as_numpy_aligns_it():
    special = np.array(VALUES)
    arrays = [numbers(shape, dtype) for shape in SHAPES for dtype in FLOATING]
    arrays += [special, special.astype(np.float32), np.ones((2, 2, 2), np.float32)]
    arrays += [np.array([1e-7, 1e9]), np.arange(2000.0), numbers((40, 3)), np.array(1e20)]
    for array in arrays:
        text = np.array2string(array, precision=4, separator=", ", prefix="tensor(")
        want = f"tensor({text}{'' if array.dtype == np.float32 else f', dtype={array.dtype}'})"
        for time in ("first", "second"):
            what = f"repr of {array.dtype} of shape {array.shape}, {time} time"
            expect(repr(tt.Tensor(array)), want, what)


@pytest.mark.exercise("1.3", points=1)
def test_one_element_is_a_number_whatever_its_shape():
    for shape, dtype, value in itertools.product([(), (1,), (1, 1), (1, 1, 1)], FLOATING, VALUES):
        if np.isfinite(dtype(value)) or not np.isfinite(value):
            got, what = (
                tt.Tensor(np.full(shape, value, dtype)).item(),
                f"item() of {value}, {shape}",
            )
            expect(type(got), float, f"the type of {what}")
            expect(got, float(dtype(value)), what, rtol=0, atol=0)
    for shape in [(0,), (2,), (0, 3), (1, 2), (2, 3)]:
        call = tt.Tensor(numbers(shape)).item
        error = expect_ending(call, RuntimeError, f"item() of shape {shape}")
        expect(str(shape) in str(error), True, f"the error of item() names {shape}")


@pytest.mark.exercise("1.4", points=1)
def test_both_operators_work_both_ways_round_with_all_kinds_of_numbers():
    grid = [np.ravel(a) for a in np.meshgrid(VALUES, VALUES)]
    pairs = [(grid[0].astype(d), grid[1].astype(d)) for d in DTYPES]
    for shape, a, b in itertools.product(SHAPES, DTYPES, DTYPES):
        pairs.append((numbers(shape, a), numbers(shape, b, seed=4)))
        pairs += [(numbers(shape, a), other) for other in (2, 0, -0.5, True, np.float32(3))]
    pairs += [(numbers((3,), a), [1, 2, 3]) for a in DTYPES]
    pairs += [(numbers((2, 3), a).T, numbers((3, 2), a)) for a in DTYPES]
    with np.errstate(all="ignore"):
        for a, other in pairs:
            b = other if isinstance(other, (np.ndarray, np.floating)) else np.array(other, a.dtype)
            for is_tensor in (False, True):
                x, y = tt.Tensor(a), tt.Tensor(b) if is_tensor else other
                kind = f"{a.dtype} of shape {a.shape} and {type(y).__name__} {b.dtype}"
                expect_array(x - y, a - b, f"x - y for {kind}")
                expect_array(y - x, b - a, f"y - x for {kind}")
                expect_array(x / y, a / b, f"x / y for {kind}")
                expect_array(y / x, b / a, f"y / x for {kind}")


@pytest.mark.exercise("1.5", points=1)
def test_makers_take_all_kinds_of_sizes_and_steps():
    sizes = [(), (2,), (0,), (2, 3), (0, 3), ((2, 3),), ([2, 3],), ((),), ((4,),), (1, 1, 1)]
    for given in sizes:
        shape = np.zeros(given[0] if given and not isinstance(given[0], int) else given).shape
        text = ", ".join(map(str, given))
        expect_array(tt.ones(*given), np.ones(shape, np.float32), f"ones({text})")
        for generator in (None, np.random.default_rng(1)):
            got = tt.randn(*given, generator=generator)
            expect(got.shape, shape, f"randn({text}).shape")
            expect(got.dtype, np.float32, f"randn({text}).dtype")
            other = tt.randn(*given, generator=generator)
            same = got.data.size > 0 and bool((got.data == other.data).all())
            expect(same, False, f"two calls of randn({text}) give the same numbers")
        first, second = (tt.randn(*given, generator=np.random.default_rng(5)) for _ in range(2))
        expect_array(first, second.data, f"randn({text}) from two generators with one seed")
    many = tt.randn(100, 100, generator=np.random.default_rng(2)).data
    expect((abs(many.mean()) < 0.05, abs(many.std() - 1) < 0.05), (True, True), "normal numbers")
    steps = [(5,), (0,), (2, 5), (5, 2), (2, 10, 3), (5, 0, -1), (5, 0, -2), (0, 1, 0.25), (-2, 2)]
    steps += [(1.5,), (0.5, 3), (3, 3), (-3,), (1, 2, 0.3), (0, -1, -0.25)]
    for given in steps:
        want = np.arange(*given).astype(np.float32)
        expect_array(tt.arange(*given), want, f"arange({', '.join(map(str, given))})")


FUNCTIONS = {  # of a Tensor, the same of an array
    "sum of x * x * x": (lambda x: (x * x * x).sum(), lambda a: (a**3).sum()),
    "sum of 1 / x": (lambda x: (1 / x).sum(), lambda a: (1 / a).sum()),
    "x[first]": (lambda x: tt.Tensor(np.ravel(x.data)[0]), lambda a: np.ravel(a)[0]),
    "a constant": (lambda x: tt.Tensor(5.0), lambda a: 5.0),
}


@pytest.mark.exercise("1.6", points=1)
def test_slopes_of_all_elements_with_all_steps():
    for (name, (f, g)), shape in itertools.product(FUNCTIONS.items(), [(), (1,), (3,), (2, 3)]):
        for eps, index in itertools.product((0.5, 1e-3, 1e-6), np.ndindex(shape)):
            a, step = numbers(shape), np.zeros(shape)
            step[index] = eps
            want = (g(a + step) - g(a - step)) / (2 * eps)
            got = tt.central_difference(f, tt.Tensor(a), index, eps)
            what = f"central_difference({name}, x of shape {shape}, {index}, {eps})"
            expect(isinstance(got, (float, np.floating)), True, f"{what} is a number")
            expect(got, want, what, rtol=1e-4, atol=1e-6)


@pytest.mark.exercise("1.7", points=1)
def test_gradients_of_every_shape_also_where_f_fails():
    for (name, (f, g)), shape in itertools.product(FUNCTIONS.items(), SHAPES):
        for dtype, eps in itertools.product(DTYPES, (None, 0.5, 1e-3)):
            if name == "x[first]" and 0 in shape:
                continue
            a, options = numbers(shape, dtype).T, {} if eps is None else {"eps": eps}
            step, exact, want = eps or 1e-6, a.astype(np.float64), np.zeros(a.shape)
            for index in np.ndindex(a.shape):
                nudge = np.zeros(a.shape)
                nudge[index] = step
                want[index] = (g(exact + nudge) - g(exact - nudge)) / (2 * step)
            x = tt.Tensor(a.copy())
            x.data = np.array(a, order="F")
            got = tt.numerical_gradient(f, x, **options)
            what = f"numerical_gradient({name}, {a.dtype} of shape {shape}, eps={step})"
            expect_array(got, want, what, {"float64": (1e-4, 1e-5)})
    for kind, after in itertools.product((ZeroDivisionError, KeyboardInterrupt), range(4)):
        x, calls = tt.Tensor(numbers((2,))), []

        def fails(x, kind=kind, after=after, calls=calls):
            calls.append(1)
            if len(calls) > after:
                raise kind("on purpose")
            return x.sum()

        what = f"numerical_gradient of an f whose call {after + 1} raises {kind.__name__}"
        before = x.data.copy()
        expect_ending(partial(tt.numerical_gradient, fails, x), kind, what)
        expect(x.data, before, f"x after {what}")
