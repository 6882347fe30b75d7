"""Chapter 1: what each exercise promises, for all kinds of numbers, shapes and steps."""

import datetime
import importlib.util
import io
import itertools
import math
from contextlib import redirect_stdout
from functools import partial

import numpy as np
import pytest

import tinytorch as tt
from course.basics import builds_on
from course.contracts import DTYPES, arrays, expect_array, expect_ending, filled, meetings, numbers
from course.testing import Mismatch, calling, expect, fail_if

DRAWS = "they're the numbers that the generator draws next"
ENDINGS = (ZeroDivisionError, KeyboardInterrupt, SystemExit)
WHOLE = (np.int8, np.int64, np.uint8, np.bool_)


def expect_copy(given, dtypes, want, what, because=""):
    """as_array(given, *dtypes) is a new array of this dtype with these numbers."""
    with calling(what):
        got = tt.as_array(given, *dtypes)
    expect(type(got), np.ndarray, f"the type of {what}")
    expect(got.dtype, want.dtype, f"the dtype of {what}")
    expect(got, want, what, because=because, rtol=0, atol=0)
    came = given.data if isinstance(given, tt.Tensor) else given
    if isinstance(came, np.ndarray):
        fail_if(np.shares_memory(got, came), f"{what} shares its memory with what came: copy it")


def laid_out(array):
    """The shape of an array, and whether its numbers lie column by column."""
    return f"shape {array.shape}{'' if array.flags.c_contiguous else ' (a transposed one)'}"


def finite(array):
    return np.where(np.isfinite(array), array, 1)


@pytest.mark.exercise("1.1", points=1)
def test_whatever_holds_numbers_is_copied():
    for (array,), dtype in itertools.product(arrays(), DTYPES):
        whole = [finite(array).astype(kind) for kind in WHOLE]
        for given in (array, array.T, array.astype(np.float16), tt.Tensor(array), *whole):
            data = getattr(given, "data", given) if isinstance(given, tt.Tensor) else given
            want = data.copy() if data.dtype.kind == "f" else data.astype(dtype)
            kind = "Tensor" if data is not given else "array"
            what = f"as_array({kind} of {data.dtype}, {laid_out(data)}; np.{dtype.__name__})"
            expect_copy(given, [dtype], want, what)
        for given in (array.tolist(), [array, array], tuple(array.tolist()) if array.ndim else 1):
            what = f"as_array({given!r}, np.{dtype.__name__})"
            expect_copy(given, [dtype], np.array(given, dtype), what)
        if array.ndim == 2:
            what = f"as_array(np.matrix of {array.dtype}, {laid_out(array)}; np.{dtype.__name__})"
            expect_copy(array.view(np.matrix), [dtype], array.copy(), what)
    for dtype, whole in itertools.product(DTYPES, (16777217, -123456789, 2**53 - 1)):
        for given in (whole, [whole, 1], np.array([whole, 1]), np.int64(whole), (whole, 0.1)):
            what = f"as_array({given!r}, np.{dtype.__name__})"
            expect_copy(given, [dtype], np.array(given, dtype), what)
    long = np.int64(2**53 + 2**29 + 1)  # if it's float64 on the way, it comes out otherwise
    for number, dtype in ((long, np.float32), (1 + 2**-11 + 2**-30, np.float16)):
        want, what = np.array(number, dtype), f"as_array({number!r}, np.{dtype.__name__})"
        expect_copy(number, [dtype], want, what, "a number is rounded once, on its way to `dtype`")
    for number in (True, -3, 2.5, np.int64(3), np.float16(0.5), np.longdouble(0.5), np.bool_(True)):
        want = np.array(number, None if isinstance(number, np.floating) else np.float32)
        expect_copy(number, [], want, f"as_array({number!r})")
    for mixed in ([1, True, 2.5], [[1, False], [np.float32(3), 4]], [(1, 2), [3, 4]]):
        expect_copy(mixed, [], np.array(mixed, np.float32), f"as_array({mixed!r})")
    swapped = np.array([1.5, -2], ">f8")  # the bytes of each number in the other order
    expect_copy(swapped, [], swapped.copy(), f"as_array({swapped!r})")


@pytest.mark.exercise("1.1", points=1)
def test_nothing_else_gets_in():
    refused = ["12", None, ["1"], [1, "a"], {1: 2}, 2j, [None], object(), np.array(["1"]), b"1"]
    refused += [np.datetime64("2024-02-29"), np.array([3, 4], "m8[s]"), datetime.date(2024, 2, 29)]
    refused += [np.zeros(2, "f8, f8"), np.array([1j]), [np.timedelta64(1, "D")], np.void(b"12")]
    refused += [2 + 0j, [1, 2 + 0j]]
    ragged = ([[1, 2], [3]], [1, [2]], [[[1]], [[2, 3]]], [np.ones(2), np.ones(3)])
    for data, kind in [(data, TypeError) for data in refused] + [(r, ValueError) for r in ragged]:
        what = f"as_array({data!r})"
        error = expect_ending(partial(tt.as_array, data), kind, what)
        expect_words(error, repr(data), what)


def expect_words(error, words, what):
    """The message of an error contains these words."""
    says = f"{what} raised {type(error).__name__}: {error}; its message should contain {words}"
    fail_if(words not in str(error), says)


@pytest.mark.exercise("1.2", points=1)
def test_every_tensor_is_shown_as_numpy_aligns_it():
    shown = [array for (array,) in arrays()]
    shown += [array.astype(np.float16) for array in shown[:4]]
    shown += [np.array([1e-7, 1e9]), np.arange(2000.0), np.ones((2, 2, 2), np.float32), np.ones(40)]
    shown.append(np.ones(2, np.longdouble))
    for array in shown:
        text = np.array2string(array, precision=4, separator=", ", prefix="tensor(")
        want = f"tensor({text}{'' if array.dtype == np.float32 else f', dtype={array.dtype}'})"
        x = tt.Tensor(array)
        for again in ("", ", asked for again"):
            what = f"repr(Tensor({array.dtype} array of {laid_out(array)})){again}"
            with calling(what), redirect_stdout(io.StringIO()) as printed:
                got = repr(x)
            expect_text(got, want, what)
            fail_if(printed.getvalue(), f"{what} printed something: return the text, no print")
    expect_users_options()


def expect_users_options():
    """np.set_printoptions has its say, as in all that NumPy shows."""
    options = {"linewidth": 40, "threshold": 20, "suppress": True, "sign": "+"}
    said = f"with np.printoptions({', '.join(f'{k}={v!r}' for k, v in options.items())})"
    for array in (np.array([0.5, 1e-7, 1000]), np.arange(24.0).reshape(2, 12)):
        with np.printoptions(**options):
            text = np.array2string(array, precision=4, separator=", ", prefix="tensor(")
            got = repr(tt.Tensor(array))
        what = f"repr(Tensor(float64 array of {laid_out(array)})), {said},"
        expect_text(got, f"tensor({text}, dtype=float64)", what)


def expect_text(got, want, what):
    """The first line in which two texts differ is the one that's shown."""
    lines, wanted = str(got).split("\n"), want.split("\n")
    for i, (line, other) in enumerate(zip(lines, wanted, strict=False), 1):
        expect(line, other, f"line {i} of {what}" if len(wanted) > 1 else what)
    expect(len(lines), len(wanted), f"the number of lines of {what}")
    expect(type(got), str, f"the type of {what}")


@pytest.mark.exercise("1.3", points=1)
def test_one_element_is_a_number_whatever_its_shape():
    for (array,) in arrays():
        for value, shape in itertools.product(array.ravel(), [(), (1,), (1, 1), (1, 1, 1)]):
            expect_item(value, shape)
        for many in (array, array[None], array[..., None]):
            if many.size != 1:
                expect_no_item(many, f"item() of a Tensor of shape {many.shape}")
    for many in ([2, 2], [0, 5], [[3, 0]], [[1], [1]]):
        expect_no_item(np.array(many), f"Tensor({many}).item()")
    for kind in (np.float16, np.longdouble):
        expect_item(kind(2.5), ())


def expect_item(value, shape):
    """item() of a Tensor of this shape, full of this number, is that number as a Python float."""
    what = f"Tensor({f'np.full({shape}, {value!r})' if shape else repr(value)}).item()"
    with calling(what):
        got = tt.Tensor(np.full(shape, value)).item()
    expect(type(got), float, f"the type of {what}")
    slips = [(lambda got: got == np.float32(value), "it was float32 on the way")]
    expect(got, float(value), what, slips=slips, rtol=0, atol=0)


def expect_no_item(many, what):
    """item() raises RuntimeError, and says the shape."""
    error = expect_ending(tt.Tensor(many).item, RuntimeError, what)
    expect_words(error, str(many.shape), what)


OPERATORS = {
    "x - y": lambda x, y: x - y,
    "y - x": lambda x, y: y - x,
    "x / y": lambda x, y: x / y,
    "y / x": lambda x, y: y / x,
    "x - x": lambda x, y: x - x,
    "x / x": lambda x, y: x / x,
}


def operand(y):
    """An operand in words: a list, 0.5, int64 array of 3, float32 Tensor of shape (2,)."""
    if isinstance(y, (tt.Tensor, np.ndarray)):
        kind, array = ("Tensor", y.data) if isinstance(y, tt.Tensor) else ("array", y)
        is_whole = array.ndim == 0 and array % 1 == 0
        return f"{array.dtype} {kind} of {array[()] if is_whole else laid_out(array)}"
    return "list of numbers" if isinstance(y, list) else repr(y)


def slips_of_operand(operator, a, other):
    """What leads to another dtype, or to these very numbers, where `other` has no dtype itself."""
    takes = "as_array(other, self.dtype) gives it the dtype of x"
    through32 = np.asarray(operator(a, np.array(other, np.float32)), a.dtype)
    yield (
        lambda got: isinstance(got, np.dtype),
        f"y has no floating-point dtype of its own; {takes}",
    )
    yield (
        lambda got: np.array_equal(got.data, through32, equal_nan=True),
        f"{operand(other)} was float32 on the way; {takes}",
    )


def expect_sign(got, want, name, what):
    """0 and -0 are told apart, as 1 / 0 and 1 / -0 are."""
    left, sign, right = name.split()
    zero, wanted = float(got.data), float(want)
    turned = sign == "-" and np.signbit(zero)
    why = f": that is -({right} - {left}), and 1 / -0 isn't 1 / 0" if turned else ""
    fail_if(np.signbit(zero) != np.signbit(wanted), f"{what} = {zero}, expected {wanted}{why}")


@pytest.mark.exercise("1.4", points=1)
def test_both_operators_work_both_ways_round_with_all_kinds_of_numbers():
    pairs = list(arrays(2))
    for (a,) in arrays():
        pairs += [(a, other) for other in (2, 0, -0.5, 0.1, True, np.float32(3), np.float64(3))]
        pairs += [(a, a.tolist() if a.size else 1), (a, finite(a).astype(np.int64))]
    pairs += [(a, b.astype(np.float64)) for a, b in arrays(2)]
    pairs += [(numbers(a), numbers(b, seed=5)) for a, b, fits in meetings() if fits is not None]
    pairs += filled(2)
    with np.errstate(all="ignore"):
        for a, other in pairs:
            keeps = getattr(getattr(other, "dtype", None), "kind", "") == "f"
            b = other if keeps else np.array(other, a.dtype)
            x = tt.Tensor(a)
            for (name, operator), y in itertools.product(OPERATORS.items(), (other, tt.Tensor(b))):
                what = f"{name} (x: {operand(x)}, y: {operand(y)})"
                with calling(what):
                    got = operator(x, y)
                slips = () if keeps or y is not other else slips_of_operand(operator, a, other)
                want = np.asarray(operator(a, b))
                expect_array(got, want, what, slips=slips)
                if want.shape == () and want == 0:
                    expect_sign(got, want, name, what)


@pytest.mark.exercise("1.5", points=1)
def test_ones_and_randn_take_all_kinds_of_sizes():
    sizes = [(), (2,), (0,), (2, 3), (0, 3), ((2, 3),), ([2, 3],), ((),), ((4,),), (2, 3, 2)]
    for given in sizes:
        shape = np.zeros(given[0] if given and not isinstance(given[0], int) else given).shape
        text = ", ".join(map(str, given))
        with calling(f"ones({text})"):
            got, other = tt.ones(*given), tt.ones(*given)
        expect_array(got, np.ones(shape, np.float32), f"ones({text})")
        fail_if(got is other, f"two calls of ones({text}) gave one and the same Tensor: make two")
        for generator in (None, np.random.default_rng(1)):
            slips = {TypeError: "as_shape(sizes) understands both"} if "(" in text else ()
            what = f"randn({text or '*()'}, generator={generator and 'a generator'})"
            with calling(what, slips=slips):
                got, other = (tt.randn(*given, generator=generator) for _ in range(2))
            expect(got.shape, shape, f"randn({text}).shape")
            expect(got.dtype, np.float32, f"randn({text}).dtype")
            expect(bool(np.isfinite(got.data).all()), True, f"randn({text}): all are finite")
            same = got.data.size > 0 and bool((got.data == other.data).all())
            by = "with one generator" if generator else "without a generator"
            fail_if(same, f"two calls of randn({text}) {by} gave the same numbers")
        what = f"randn({text or '*()'}, generator=default_rng(5))"
        expect_draws(tt.randn(*given, generator=np.random.default_rng(5)), 5, shape, what)
    for generator in (None, np.random.default_rng(2)):
        many = tt.randn(100, 100, generator=generator).data
        if generator is not None:
            expect_draws(many, 2, (100, 100), "randn(100, 100, generator=default_rng(2))")
        slips = {0.5: "uniform numbers between 0 and 1 have this mean"}
        what = "the mean of 10,000 numbers of randn, rounded"
        expect(round(float(many.mean()), 1) + 0.0, 0, what, slips=slips)
        expect(round(float(many.std()), 1), 1, "the standard deviation of 10,000 numbers, rounded")
        beyond = float((abs(many) > 2).mean())
        expect(0.035 < beyond < 0.056, True, "about 4.6 % of 10,000 numbers are beyond 2 or -2")


def expect_draws(got, seed, shape, what):
    """The numbers that default_rng(seed) draws next, as float32 or as float64 made float32."""
    got = np.asarray(getattr(got, "data", got))
    draws = [np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)]
    draws += [np.random.default_rng(seed).normal(size=shape)]
    want = min(draws, key=lambda drawn: abs(drawn - got).sum())
    expect(got, want, what, because=DRAWS)


@pytest.mark.exercise("1.5", points=1)
def test_randn_draws_other_numbers_in_each_run():
    runs = []
    for _ in range(2):  # the file from the start, as another run would have it
        spec = importlib.util.spec_from_file_location("tinytorch", tt.__file__)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        runs.append(module.randn(8).data)
    what = "randn(8) gives the same numbers in each run of the file"
    fail_if((runs[0] == runs[1]).all(), f"{what}: without a generator, take one with no seed")


@pytest.mark.exercise("1.5", points=1)
def test_arange_goes_any_way():
    steps = [(5,), (0,), (2, 5), (5, 2), (2, 10, 3), (5, 0, -1), (5, 0, -2), (0, 1, 0.25), (-2, 2)]
    steps += [(0, 2**-7, 2**-10), (0, 1000, 0.1), (0, 1, 0.1), (1, 0, -0.1), (0.1, 0.7, 0.1)]
    steps += [(1.5,), (0.5, 3), (3, 3), (-3,), (1, 2, 0.3), (0, -1, -0.25), (-3, 0), (1, 0)]
    steps += [(0, 1e-6, 1e-7), (0, 1.0000005), (0, 0.09, 0.01), (0, 0.3, 0.01), (-1, 1, 0.1)]
    steps += [(0, 6, 1.5), (10, 0, -2.5), (1, 8, 3.5)]
    steps += [(0, 1.5, 0.3), (0, 3, 0.3), (0, 1, 1 / 3), (0, 0.9, 0.3)]  # one more by rounding
    steps += [(1, 1.3, 0.1), (5, 5.33, 0.01), (0, 1e-10)]
    steps += [(1e6, 1e6 + 1, 0.1), (100, 101, 0.1), (1e4, 1e4 - 2, -0.1), (2**24, 2**24 + 4)]
    for given in steps:
        what = f"arange({', '.join(map(str, given))})"
        with calling(what):
            got = tt.arange(*given)
        whole = (*((0, *given) if len(given) == 1 else given), 1)[:3]
        expect_numbers_from(got, *map(float, whole), what)
    for stop, step in ((6, 2), (-2, -1), (1, 0.25), (1, 0.1), (0, 2)):
        what = f"arange({stop}, step={step})"
        with calling(what):
            got = tt.arange(stop, step=step)
        expect_numbers_from(got, 0, stop, step, what)


def expect_numbers_from(got, start, stop, step, what):
    """start + i * step in float64, and float32 at the end: no number is off by more than a bit."""
    steps = (stop - start) / step
    want = start + step * np.arange(max(0, math.ceil(steps)), dtype=np.float64)
    single = np.float32(stop - start) / np.float32(step)
    counted = f"(stop - start) / step is {steps:.17g}"
    if steps % 1 or steps < 0:
        counted += ", and is rounded up" if steps > 0 else ", so there are none"
    slips = [
        (
            lambda x: len(x.data) == math.ceil(single) > len(want),
            f"{counted}; in float32, {single}",
        ),
        (lambda x: len(x.data) != len(want), counted),
    ]
    expect_array(got, want.astype(np.float32), what, {"float32": (1.3e-7, 1e-12)}, slips=slips)


FUNCTIONS = {  # of a Tensor, the same of an array
    "sum of x * x * x": (lambda x: (x * x * x).sum(), lambda a: (a**3).sum()),
    "sum of 1 / x": (lambda x: (1 / x).sum(), lambda a: (1 / a).sum()),
    "x[first]": (lambda x: tt.Tensor(np.ravel(x.data)[:1]), lambda a: np.ravel(a)[0]),
    "a constant": (lambda x: tt.Tensor([[5.0]]), lambda a: 5.0),
    "a millionth of x's sum": (lambda x: 1e-6 * x.sum(), lambda a: 1e-6 * a.sum()),
    "sum of 2 * x": (lambda x: 2 * x.sum(), lambda a: 2 * a.sum()),
    "sum of (1, 2, 3, …) * x": (lambda x: (x * counted(x)).sum(), lambda a: (a * counted(a)).sum()),
}


def counted(x):
    """1, 2, 3, … in the shape of x: each element has a slope of its own."""
    return np.arange(1.0, np.prod(x.shape) + 1).reshape(x.shape)


def slope_at(g, a, index, eps):
    step = np.zeros(a.shape)
    step[index] = eps
    return (g(a + step) - g(a - step)) / (2 * eps)


def points():
    """Arrays at which FUNCTIONS have slopes: finite, not close to 0; in the last ones just 0."""
    for (array,) in arrays():
        if array.shape != (11,):  # the special values
            yield array + np.sign(array)
    yield np.arange(1.0, 9).reshape(2, 1, 2, 2).T  # as many axes as nobody has loops for
    for dtype in DTYPES:
        yield np.array([[0, 2, 2], [2, 0, -2]], dtype)
        yield np.array([0.1, -0.25], dtype)


def cases():
    """(name, f of a Tensor, the same of an array, x), without 1 / 0."""
    for (name, (f, g)), array in itertools.product(FUNCTIONS.items(), points()):
        if array.ndim > 2 and "* x" not in name:
            continue  # the other functions say it all
        if name != "sum of 1 / x" or array.all():
            yield name, f, g, array


def ways_to_say(index, shape):
    """An index as NumPy takes it, too: negative, of NumPy's integers, a number in a row."""
    negative = tuple(i - n for i, n in zip(index, shape, strict=True))
    yield from dict.fromkeys([index, negative])
    if index:
        yield tuple(np.array(negative))
    if len(index) == 1:
        yield from (*index, *negative, np.int64(index[0]))


@pytest.mark.exercise("1.6", points=1)
@builds_on("1.1", "1.3")
def test_slopes_of_all_elements_with_all_steps():
    for name, f, g, array in cases():
        for eps, index in itertools.product((0.5, 1e-3, 1e-6), np.ndindex(array.shape)):
            a = np.array(array, np.float64, order="K")
            want = slope_at(g, a, index, eps)
            for said in ways_to_say(index, a.shape) if eps == 0.5 else [index]:
                what = f"central_difference({name}, x of {laid_out(a)}, {said!r}, {eps})"
                expect_slope(f, tt.Tensor(a), said, eps, want, what)
    what = "central_difference(x * x * x, a float32 x of shape (1,), 0, 0.5)"
    expect_slope(lambda x: x * x * x, tt.Tensor([2]), 0, 0.5, 12.25, what)


def expect_slope(f, x, index, eps, want, what):
    """central_difference gives this number, and leaves x as it was."""
    held, before, seen = x.data, x.data.copy(), []

    def noted(given):
        if given is not x:
            raise Mismatch(f"{what} called f with another Tensor than x")
        if x.data is not held:
            another = f"in {what}, x.data was another array when f was called"
            raise Mismatch(f"{another}: nudge x.data[index], in the array that x has")
        seen.append(x.data.copy() - before)
        return f(given)

    with calling(what):
        got = tt.central_difference(noted, x, index, eps)
    nudges = sorted(float(nudge[index]) for nudge in seen)
    at = f"how far x[{index}] was nudged, for each call of f, by {what}"
    expect(nudges, [-eps, eps], at, rtol=1e-6)
    says = f"{what} is {type(got).__name__} {got!r}, expected a Python float: f(x).item() is one"
    fail_if(type(got) is not float, says)
    # rounding counts for more the smaller eps is
    expect(got, want, what, rtol=1e-9, atol=1e-13 / eps)
    expect(x, before, f"x after {what}", rtol=0, atol=0)


@pytest.mark.exercise("1.7", points=1)
@builds_on("1.1", "1.3", "1.6")
def test_gradients_of_every_shape():
    for name, f, g, array in cases():
        if name == "x[first]" and array.size == 0:
            continue
        for options in ({}, {"eps": 0.5}, {"eps": 1e-3}):
            eps, x = options.get("eps", 1e-6), tt.Tensor(array)
            x.data = before = np.array(array, order="K")
            exact, want = array.astype(np.float64), np.zeros(array.shape)
            for index in np.ndindex(array.shape):
                want[index] = slope_at(g, exact, index, eps)
            asked = f", eps={eps}" if options else ""
            what = f"numerical_gradient({name}, {array.dtype} x of {laid_out(array)}{asked})"
            seen = f if options else one_nudged(f, x, exact, what)
            with calling(what):
                got = tt.numerical_gradient(seen, x, **options)
            right = partial(rights_itself, f, x, want)
            slips = [] if options else [(right, "with eps=1e-06 it's right: what is its default?")]
            expect_array(got, want, what, {"float64": (1e-9, 1e-13 / eps)}, slips=slips)
            fail_if(x.data is not before, f"x.data is another array after {what}")
            expect(x, array, f"x after {what}", rtol=0, atol=0)
    with np.errstate(all="ignore"):
        got = tt.numerical_gradient(lambda x: (x * np.inf).sum(), tt.Tensor([1, 2]))
    expect(got, [np.nan, np.nan], "numerical_gradient(sum of inf * x), inf - inf at each element")


def rights_itself(f, x, want, _):
    """Is the gradient right if eps is said, though it's no other than the default?"""
    return np.allclose(tt.numerical_gradient(f, x, eps=1e-6).data, want, 1e-9, 1e-7)


def one_nudged(f, x, exact, what):
    """f, which looks whether x has a copy of `exact`, with at most one element nudged."""
    own, calls = x.data, []

    def looks(given):
        if given is not x:
            raise Mismatch(f"{what} called f with another Tensor than x")
        if x.data is own:
            raise Mismatch(f"{what} let f see x's own array: nudge a float64 copy of it")
        if x.data.shape != exact.shape:
            expect(x.data.shape, exact.shape, f"{what}: the shape of x.data while f runs")
        apart = np.sort(abs(x.data - exact), axis=None)
        if np.count_nonzero(apart) > 1:
            why = "np.ndindex(x.shape) gives every single index"
            if calls:  # one alone was nudged then
                why = "put each element back before you nudge the next"
            if apart[-2] < 1e-9:
                why = "set each one's old value again: minus eps plus eps isn't exact"
            raise Mismatch(f"{what} called f with several elements of x changed, not one: {why}")
        calls.append(1)
        return f(given)

    return looks


@pytest.mark.exercise("1.7", points=1)
@builds_on("1.1", "1.3", "1.6")
def test_x_is_as_before_wherever_f_fails():
    for kind, after in itertools.product(ENDINGS, range(4)):
        x, calls = tt.Tensor([1.5, -2.5]), []

        def fails(x, kind=kind, after=after, calls=calls):
            calls.append(1)
            if len(calls) > after:
                raise kind("on purpose")
            return x.sum()

        what = f"numerical_gradient of an f whose call {after + 1} raises {kind.__name__}"
        before = x.data
        expect_ending(partial(tt.numerical_gradient, fails, x), kind, what)
        fail_if(x.data is not before, f"x.data is another array after {what}")
        expect(x, [1.5, -2.5], f"x after {what}")
