"""Chapter 1: what each exercise promises, for all kinds of numbers, shapes and steps."""

import itertools
from functools import partial

import numpy as np
import pytest

import tinytorch as tt
from course.contracts import DTYPES, arrays, expect_array, expect_ending
from course.testing import calling, expect

WHOLE = (np.int8, np.int64, np.uint8, np.bool_)


def expect_new_array(got, want, given, what):
    expect(type(got) is np.ndarray, True, f"{what} is a NumPy array")
    expect(got.dtype, want.dtype, f"the dtype of {what}")
    expect(got, want, what)
    if isinstance(given, np.ndarray):
        expect(np.shares_memory(got, given), False, f"{what} shares its memory with the data")


def finite(array):
    return np.where(np.isfinite(array), array, 1)


@pytest.mark.exercise("1.1", points=1)
def test_whatever_holds_numbers_is_copied():
    for (array,), dtype in itertools.product(arrays(), DTYPES):
        whole = [finite(array).astype(kind) for kind in WHOLE]
        for given in (array, array.T, array.astype(np.float16), tt.Tensor(array), *whole):
            data = getattr(given, "data", given) if isinstance(given, tt.Tensor) else given
            want = data.copy() if data.dtype.kind == "f" else data.astype(dtype)
            kind = f"{type(given).__name__} of {data.dtype} and shape {data.shape}"
            what = f"as_array(a {kind}, {dtype.__name__})"
            expect_new_array(tt.as_array(given, dtype), want, data, what)
        for given in (array.tolist(), [array, array], tuple(array.tolist()) if array.ndim else 1):
            what = f"as_array({given!r}, {dtype.__name__})"
            expect_new_array(tt.as_array(given, dtype), np.array(given, dtype), given, what)
    for number in (True, -3, 2.5, np.int64(3), np.float16(0.5), np.bool_(True)):
        want = np.array(number, None if isinstance(number, np.floating) else np.float32)
        expect_new_array(tt.as_array(number), want, number, f"as_array({number!r})")


@pytest.mark.exercise("1.1", points=1)
def test_nothing_else_gets_in():
    for data in ("12", None, ["1"], [1, "a"], {1: 2}, 2j, [None], object(), np.array(["1"]), b"1"):
        error = expect_ending(partial(tt.as_array, data), TypeError, f"as_array({data!r})")
        expect(repr(data) in str(error), True, f"as_array({data!r}): its error shows what came")
    for data in ([[1, 2], [3]], [1, [2]], [[[1]], [[2, 3]]], [np.ones(2), np.ones(3)]):
        error = expect_ending(partial(tt.as_array, data), ValueError, f"as_array({data!r})")
        expect(repr(data) in str(error), True, f"as_array({data!r}): its error shows what came")


@pytest.mark.exercise("1.2", points=1)
def test_every_tensor_is_shown_as_numpy_aligns_it():
    shown = [array for (array,) in arrays()]
    shown += [array.astype(np.float16) for array in shown[:4]]
    shown += [np.array([1e-7, 1e9]), np.arange(2000.0), np.ones((2, 2, 2), np.float32), np.ones(40)]
    for array in shown:
        text = np.array2string(array, precision=4, separator=", ", prefix="tensor(")
        want = f"tensor({text}{'' if array.dtype == np.float32 else f', dtype={array.dtype}'})"
        x = tt.Tensor(array)
        for time in ("first", "second"):
            what = f"repr of {array.dtype} of shape {array.shape}, {time} time"
            expect(repr(x), want, what)


@pytest.mark.exercise("1.3", points=1)
def test_one_element_is_a_number_whatever_its_shape():
    for (array,) in arrays():
        for value, shape in itertools.product(array.ravel(), [(), (1,), (1, 1), (1, 1, 1)]):
            what = f"item() of {value}, shape {shape}"
            got = tt.Tensor(np.full(shape, value, array.dtype)).item()
            expect(type(got), float, f"the type of {what}")
            expect(got, float(value), what, rtol=0, atol=0)
        for many in (array, array[None], array[..., None]):
            if many.size != 1:
                what = f"item() of shape {many.shape}"
                error = expect_ending(tt.Tensor(many).item, RuntimeError, what)
                expect(str(many.shape) in str(error), True, f"{what}: its error names the shape")


@pytest.mark.exercise("1.4", points=1)
def test_both_operators_work_both_ways_round_with_all_kinds_of_numbers():
    pairs = list(arrays(2))
    pairs += [(a, b.astype(np.float64)) for a, b in pairs]
    for (a,) in arrays():
        pairs += [(a, other) for other in (2, 0, -0.5, 0.1, True, np.float32(3), np.float64(3))]
        pairs += [(a, finite(a).astype(np.int64)), (a, a.tolist() if a.size else 1)]
    with np.errstate(all="ignore"):
        for a, other in pairs:
            keeps = getattr(getattr(other, "dtype", None), "kind", "") == "f"
            b = other if keeps else np.array(other, a.dtype)
            kind = f"{a.dtype} of shape {a.shape}, and y, {type(other).__name__} {b.dtype}"
            x = tt.Tensor(a)
            for y in (other, tt.Tensor(b)):
                with calling(f"-, / of x, {kind}"):
                    results = x - y, y - x, x / y, y / x, x - x
                wants = a - b, b - a, a / b, b / a, a - a
                names = "x - y", "y - x", "x / y", "y / x", "x - x"
                for name, got, want in zip(names, results, wants, strict=True):
                    expect_array(got, want, f"{name} for x, {kind}")


@pytest.mark.exercise("1.5", points=1)
def test_ones_and_randn_take_all_kinds_of_sizes():
    sizes = [(), (2,), (0,), (2, 3), (0, 3), ((2, 3),), ([2, 3],), ((),), ((4,),), (1, 1, 1)]
    for given in sizes:
        shape = np.zeros(given[0] if given and not isinstance(given[0], int) else given).shape
        text = ", ".join(map(str, given))
        with calling(f"ones({text})"):
            expect_array(tt.ones(*given), np.ones(shape, np.float32), f"ones({text})")
        for generator in (None, np.random.default_rng(1)):
            with calling(f"randn({text or '*()'}, generator={generator and 'a generator'})"):
                got, other = (tt.randn(*given, generator=generator) for _ in range(2))
            expect(got.shape, shape, f"randn({text}).shape")
            expect(got.dtype, np.float32, f"randn({text}).dtype")
            same = got.data.size > 0 and bool((got.data == other.data).all())
            expect(same, False, f"two calls of randn({text}) give the same numbers")
        first, second = (tt.randn(*given, generator=np.random.default_rng(5)) for _ in range(2))
        expect_array(first, second.data, f"randn({text}) from two generators with one seed")
    for generator in (None, np.random.default_rng(2)):
        many = tt.randn(100, 100, generator=generator).data
        slips = {0.5: "uniform numbers between 0 and 1 have this mean"}
        what = "the mean of 10,000 numbers of randn, rounded"
        expect(round(float(many.mean()), 1) + 0.0, 0, what, slips=slips)
        expect(round(float(many.std()), 1), 1, "the standard deviation of 10,000 numbers, rounded")
        beyond = float((abs(many) > 2).mean())
        expect(0.035 < beyond < 0.056, True, "about 4.6 % of 10,000 numbers are beyond 2 or -2")


@pytest.mark.exercise("1.5", points=1)
def test_arange_goes_any_way():
    steps = [(5,), (0,), (2, 5), (5, 2), (2, 10, 3), (5, 0, -1), (5, 0, -2), (0, 1, 0.25), (-2, 2)]
    steps += [(1.5,), (0.5, 3), (3, 3), (-3,), (1, 2, 0.3), (0, -1, -0.25), (-3, 0), (1, 0)]
    for given in steps:
        what = f"arange({', '.join(map(str, given))})"
        with calling(what):
            got = tt.arange(*given)
        expect_array(got, np.arange(*given).astype(np.float32), what)


FUNCTIONS = {  # of a Tensor, the same of an array
    "sum of x * x * x": (lambda x: (x * x * x).sum(), lambda a: (a**3).sum()),
    "sum of 1 / x": (lambda x: (1 / x).sum(), lambda a: (1 / a).sum()),
    "x[first]": (lambda x: tt.Tensor(np.ravel(x.data)[:1]), lambda a: np.ravel(a)[0]),
    "a constant": (lambda x: tt.Tensor([[5.0]]), lambda a: 5.0),
    "sum of 2 * x": (lambda x: 2 * x.sum(), lambda a: 2 * a.sum()),
}


def slope_at(g, a, index, eps):
    step = np.zeros(a.shape)
    step[index] = eps
    return (g(a + step) - g(a - step)) / (2 * eps)


def points():
    """Arrays at which all of FUNCTIONS have slopes: finite, and not close to 0."""
    for (array,) in arrays():
        if array.shape != (11,):  # the special values
            yield array + np.sign(array)


@pytest.mark.exercise("1.6", points=1)
def test_slopes_of_all_elements_with_all_steps():
    for (name, (f, g)), array in itertools.product(FUNCTIONS.items(), points()):
        for eps, index in itertools.product((0.5, 1e-3, 1e-6), np.ndindex(array.shape)):
            a = np.array(array, np.float64, order="K")
            x = tt.Tensor(a)
            what = f"central_difference({name}, x of shape {a.shape}, {index}, {eps})"
            with calling(what):
                got = tt.central_difference(f, x, index, eps)
            expect(isinstance(got, (float, np.floating)), True, f"{what} is a number")
            expect(got, slope_at(g, a, index, eps), what, rtol=1e-4, atol=1e-6)
            expect(x, a, f"x after {what}", rtol=0, atol=0)


@pytest.mark.exercise("1.7", points=1)
def test_gradients_of_every_shape():
    for (name, (f, g)), array in itertools.product(FUNCTIONS.items(), points()):
        if name == "x[first]" and array.size == 0:
            continue
        for options in ({}, {"eps": 0.5}, {"eps": 1e-3}):
            eps, x = options.get("eps", 1e-6), tt.Tensor(array)
            x.data = before = np.array(array, order="K")
            exact, want = array.astype(np.float64), np.zeros(array.shape)
            for index in np.ndindex(array.shape):
                want[index] = slope_at(g, exact, index, eps)
            what = f"numerical_gradient({name}, {array.dtype} of shape {array.shape}, eps={eps})"
            with calling(what):
                got = tt.numerical_gradient(f, x, **options)
            expect_array(got, want, what, {"float64": (1e-4, 1e-5)})
            expect(x.data is before, True, f"after {what}, x.data is the array that it was")
            expect(x, array, f"x after {what}", rtol=0, atol=0)


@pytest.mark.exercise("1.7", points=1)
def test_x_is_as_before_wherever_f_fails():
    for kind, after in itertools.product((ZeroDivisionError, KeyboardInterrupt), range(4)):
        x, calls = tt.Tensor([1.5, -2.5]), []

        def fails(x, kind=kind, after=after, calls=calls):
            calls.append(1)
            if len(calls) > after:
                raise kind("on purpose")
            return x.sum()

        what = f"numerical_gradient of an f whose call {after + 1} raises {kind.__name__}"
        before = x.data
        expect_ending(partial(tt.numerical_gradient, fails, x), kind, what)
        expect(x.data is before, True, f"after {what}, x.data is the array that it was")
        expect(x, [1.5, -2.5], f"x after {what}")
