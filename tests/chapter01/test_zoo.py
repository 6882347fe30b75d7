"""Chapter 1: what each exercise promises, for all kinds of numbers, shapes and steps."""

import datetime
import gc
import importlib.util
import inspect
import io
import itertools
import math
import weakref
from array import array as buffer
from contextlib import contextmanager, redirect_stdout
from decimal import Decimal
from fractions import Fraction
from functools import partial
from os.path import commonprefix

import numpy as np
import pytest

import tinytorch as tt
from course.basics import builds_on
from course.comparing import MANY, data_of
from course.contracts import DTYPES, arrays, expect_array, expect_ending, filled, meetings, numbers
from course.testing import (
    Mismatch,
    calling,
    error_of,
    expect,
    expect_raises,
    fail_if,
    lacks,
    worded,
)

LARGE = 2**60 + 2**35 + 1  # float32 drops the second and the third, float64 the third
DRAWS = "they're the numbers that the generator draws next"
ENDINGS = (ZeroDivisionError, KeyboardInterrupt, SystemExit)
WHOLE = (np.int8, np.int64, np.uint8, np.bool_)
DIGITS = "it was a shorter dtype on the way, and a dtype that is kept keeps all its digits"
ONCE = "a number is rounded once, to `dtype`"
SPOILED = 77  # what is written into a result, which is nobody else's


def long_one():
    """A little more than 1: float64 has no room for it. Where a long double is no longer, 1."""
    return np.longdouble(1) + np.longdouble(2) ** -60


def expect_copy(given, dtypes, want, what, because=""):
    """as_array(given, *dtypes) is a new array of this dtype with these numbers, each time."""
    opened = {AttributeError: "real_numbers(data) makes an array of it"}
    with calling(what, slips=opened):
        got = tt.as_array(given, *dtypes)
    expect(type(got), np.ndarray, f"the type of {what}")
    expect(got.dtype, want.dtype, f"the dtype of {what}", because=why_this_dtype(given))
    expect_exactly(got, want, what, slips=ways_round(given, want), because=because)
    came = given.data if isinstance(given, tt.Tensor) else given
    if isinstance(came, (np.ndarray, buffer, memoryview)):
        shares = np.shares_memory(got, np.asarray(came))
        fail_if(shares, f"{what} shares its memory with what came: copy it")
    fail_if(not got.flags.writeable, f"{what} is locked: a new array can be written to")
    got[...] = SPOILED
    kept = "an earlier result, in which something was written, came once more: make a new array"
    slips = [(lambda again: (again == SPOILED).all(), kept)]
    expect(tt.as_array(given, *dtypes), want, f"{what}, called again,", slips=slips, rtol=0, atol=0)


def why_this_dtype(given):
    """Why as_array keeps a dtype, or doesn't."""
    if isinstance(given, (tt.Tensor, np.ndarray)) and given.dtype.kind == "f":
        kind = "Tensor" if isinstance(given, tt.Tensor) else "array"
        return f"a floating-point {kind} keeps its dtype, whatever its shape and its class"
    if isinstance(given, np.floating):
        return "a NumPy number (np.floating) keeps its dtype"
    if isinstance(given, (list, tuple)):
        return "a list has no dtype of its own, whatever is in it"
    return "it has no floating-point dtype of its own"


def ways_round(given, want):
    """Slips: the numbers as they are after a detour, through a shorter dtype or a list."""
    came = np.asarray(given.data if isinstance(given, tt.Tensor) else given)
    yield (lambda got: np.array_equal(got, want, equal_nan=True)), "that is 0, but not -0"
    empty = "a list knows no columns if it has no rows: copy the array, not a list of its numbers"
    yield lambda got: got.shape == np.shape(came.tolist()) != want.shape, empty
    for kind in (np.float32, np.float64):
        with np.errstate(all="ignore"):
            rounded = came.astype(kind).astype(want.dtype)
        if not np.array_equal(rounded, want, equal_nan=True):  # else it's no evidence
            kept = came.dtype == want.dtype
            says = f"it was {kind.__name__} on the way, and {ONCE}" if not kept else DIGITS
            yield lambda got, rounded=rounded: np.array_equal(got, rounded, equal_nan=True), says


def expect_exactly(got, want, what, *, slips=(), because=""):
    """Not a digit differs, be it one that float64 has no room for, nor the sign of a zero."""
    expect(got, want, what, slips=slips, because=because, rtol=0, atol=0)
    got, want = np.asarray(data_of(got)), np.asarray(want)
    same = (got == want) & (np.signbit(got) == np.signbit(want)) | np.isnan(got) & np.isnan(want)
    for place in np.argwhere(~same)[:1]:
        reasons = [says for question, says in slips if question(got)]
        where = f"element {place.tolist()} of {what}" if got.ndim else what
        came, wanted = (str(array[tuple(place)]) for array in (got, want))
        reason = (reasons + [because])[0]
        fail_if(True, f"{where} = {came}, expected {wanted}{reason and ': '}{reason}")


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
        locked = array.copy()
        locked.flags.writeable = False
        for given in (locked, np.broadcast_to(array, (2, *array.shape))):
            what = f"as_array(a read-only array of {array.dtype}, {laid_out(given)})"
            expect_copy(given, [dtype], given.copy(), what)
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
    for given in (LARGE, [LARGE, 3], np.array([LARGE])):
        want, what = np.array(given, np.longdouble), f"as_array({given!r}, np.longdouble)"
        expect_copy(given, [np.longdouble], want, what)
    for letter, dtype in (("f", np.float32), ("d", np.float64)):
        for wrapped in (buffer, lambda *given: memoryview(buffer(*given))):
            given = wrapped(letter, [1.5, -2])
            what = f"as_array({type(given).__name__} of {letter!r}, np.{dtype.__name__})"
            expect_copy(given, [dtype], np.array([1.5, -2], dtype), what)
    for number in (True, -3, 2.5, np.int64(3), np.float16(0.5), long_one(), np.bool_(True)):
        want = np.array(number, None if isinstance(number, np.floating) else np.float32)
        expect_copy(number, [], want, f"as_array({number!r})")
    long = np.array([long_one(), -1])
    for given, kind in ((long, "array"), (tt.Tensor(long), "Tensor")):
        expect_copy(given, [], long, f"as_array(the {kind} of {long.dtype} {long})")
    for mixed in ([1, True, 2.5], [[1, False], [np.float32(3), 4]], [(1, 2), [3, 4]]):
        expect_copy(mixed, [], np.array(mixed, np.float32), f"as_array({mixed!r})")
    swapped = np.array([1.5, -2], ">f8")  # the bytes of each number in the other order
    expect_copy(swapped, [], swapped.copy(), f"as_array({swapped!r})")


@pytest.mark.exercise("1.1", points=1)
def test_nothing_else_gets_in():
    refused = ["12", None, ["1"], [1, "a"], {1: 2}, 2j, [None], object(), np.array(["1"]), b"1"]
    refused += [np.datetime64("2024-02-29"), np.array([3, 4], "m8[s]"), datetime.date(2024, 2, 29)]
    refused += [np.zeros(2, "f8, f8"), np.array([1j]), [np.timedelta64(1, "D")], np.void(b"12")]
    refused += [2 + 0j, [1, 2 + 0j], 2**70, Fraction(1, 3), Decimal(2), [Fraction(1, 3)]]
    refused += [[tt.Tensor([1, 2])], [tt.Tensor(1), 2]]
    ragged = ([[1, 2], [3]], [1, [2]], [[[1]], [[2, 3]]], [np.ones(2), np.ones(3)])
    with plain_repr():
        pairs = [(data, TypeError) for data in refused] + [(rows, ValueError) for rows in ragged]
        for data, kind in pairs:
            what = f"as_array({data!r})"
            call = partial(tt.as_array, data)
            slips = {None: "real_numbers refuses it, and what it refuses is refused here too"}
            expect_raises(kind, call, what, slips=slips, says=[repr(data)])


@contextmanager
def plain_repr():
    """Tensors look as any object does: their own __repr__ is another exercise."""
    own, tt.Tensor.__repr__ = tt.Tensor.__repr__, object.__repr__
    try:
        yield
    finally:
        tt.Tensor.__repr__ = own


@pytest.mark.exercise("1.2", points=1)
def test_every_tensor_is_shown_as_numpy_aligns_it():
    tried = [array for (array,) in arrays()]
    tried += [array.astype(np.float16) for array in tried[:4]]
    tried += [np.array([1e-7, 1e9]), np.arange(2000.0), np.ones((2, 2, 2), np.float32), np.ones(40)]
    tried.append(np.ones(2, np.longdouble))
    for array in tried:
        x, want = tt.Tensor(array), shown(array)
        for again in ("", ", asked for again"):
            what = f"repr(Tensor({array.dtype} array of {laid_out(array)})){again}"
            with calling(what), redirect_stdout(io.StringIO()) as printed:
                got = repr(x)
            expect_text(got, want, what, slips=slips_of_text(array))
            fail_if(printed.getvalue(), f"{what} printed something: return the text, no print")
    expect_users_options()


OPTIONS = (
    {"linewidth": 40},
    {"threshold": 5},
    {"threshold": 5, "edgeitems": 1},
    {"suppress": True},
    {"sign": "+"},
    {"floatmode": "fixed"},
    {"nanstr": "none", "infstr": "endless"},
)


def expect_users_options():
    """np.set_printoptions has its say, as in all that NumPy shows."""
    because = "np.set_printoptions has its say, also after your file was loaded"
    arrays = np.array([0.5, 1e-7, 1000]), np.arange(24.0).reshape(2, 12), np.array([np.nan, np.inf])
    for options, array in itertools.product(OPTIONS, arrays):
        with np.printoptions(**options):
            want, got = shown(array), repr(tt.Tensor(array))
        said = ", ".join(f"{name}={value!r}" for name, value in options.items())
        what = f"repr(Tensor(float64 array of {laid_out(array)})), with np.printoptions({said}),"
        expect_text(got, want, what, because=because)


def shown(array, name="", **options):
    """The text of a Tensor, laid out as it should be but for these options."""
    options = {"precision": 4, "separator": ", ", "prefix": "tensor("} | options
    options = {key: value for key, value in options.items() if value is not None}
    name = name or ("" if array.dtype == np.float32 else f", dtype={array.dtype}")
    return f"tensor({np.array2string(array, **options)}{name})"


def slips_of_text(array):
    """Slips: the text with another argument of np.array2string, or with another dtype."""
    alone = "leave that argument alone"
    numbers = shown(array).partition(", dtype=")[0].rstrip(")")
    yield f"{numbers})", f"only float32 goes without saying, and this is {array.dtype}"
    name = f"its dtype is called {array.dtype}, as self.dtype is in an f-string"
    yield lambda text: text.partition(", dtype=")[0] == numbers, name
    rounded = "the numbers were rounded first: precision=4 is a matter of showing"
    yield shown(np.round(array, 4)), rounded
    for kind in (np.float32, np.float64):
        other = shown(array.astype(kind), name=f", dtype={array.dtype}")
        yield other, "the numbers were made another dtype first: show those of self.data"
    lines = shown(array, prefix="").replace("\n", "\n" + " " * len("tensor("))
    moved = "prefix='tensor(' does it, and knows empty lines and how long a line may be"
    yield lines, f"the rows were moved in afterwards: {moved}"
    others = [
        ({"suppress_small": True}, f"it looks so with suppress_small=True: {alone}"),
        ({"suffix": ")"}, f"it looks so with a suffix: {alone}, and add the end yourself"),
        ({"suffix": shown(array).rpartition("]")[2]}, f"it looks so with a suffix: {alone}"),
        ({"threshold": 10**9}, f"it looks so with a threshold of its own: {alone}"),
        ({"max_line_width": 75}, f"it looks so with max_line_width=75: {alone}"),
        ({"max_line_width": 80}, f"it looks so with max_line_width=80: {alone}"),
        ({"max_line_width": 10**9}, f"it looks so with a longer max_line_width: {alone}"),
        ({"sign": "-"}, f"it looks so with sign='-': {alone}"),
        ({"floatmode": "fixed"}, f"it looks so with floatmode='fixed': {alone}"),
        ({"precision": None}, "it looks so without precision=4"),
        ({"prefix": None}, "it looks so without a prefix: 'tensor(' stands before the first row"),
        ({"prefix": "tensor"}, "it looks so with prefix='tensor': the bracket belongs to it"),
    ]
    for options, says in others:
        yield shown(array, **options), says


def expect_text(got, want, what, *, slips=(), because=""):
    """The first line in which two texts differ is the one that's shown."""
    lines, wanted = str(got).split("\n"), want.split("\n")
    reasons = (says for slip, says in slips if (slip(got) if callable(slip) else slip == got))
    because = (next(reasons, "") if got != want else "") or because
    for i, (line, other) in enumerate(zip(lines, wanted, strict=False), 1):
        common = commonprefix([line, other])
        parts = because or (f"the two part after {common!r}" if common else "")
        expect(line, other, f"line {i} of {what}" if len(wanted) > 1 else what, because=parts)
    expect(len(lines), len(wanted), f"the number of lines of {what}", because=because)
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
    expect_item(np.float16(2.5), ())


def expect_item(value, shape):
    """item() of a Tensor of this shape, full of this number, is that number as a Python float."""
    what = f"Tensor({f'np.full({shape}, {value!r})' if shape else repr(value)}).item()"
    one = "there is one element, whatever number it is: ask for self.data.size alone"
    with calling(what, slips=[(lambda error: type(error) is RuntimeError, one)]):
        got = tt.Tensor(np.full(shape, value)).item()
    slips = [
        (lambda kind: issubclass(kind, np.generic), "that is NumPy's: convert it with float(…)"),
        (int, "a float stays one, also if it's whole"),
    ]
    expect(type(got), float, f"the type of {what}", slips=slips)
    number = float(value)
    slips = [
        (lambda got: got == float(np.float32(number)) != number, "it was float32 on the way"),
        (lambda got: got == float(str(value)) != number, "that is the number as its text shows it"),
        (lambda got: got == 0, "that is 0, but not -0"),
        (lambda got: got in [round(number, digits) for digits in range(16)], "it was rounded"),
    ]
    expect_exactly(got, number, what, slips=slips)


def expect_no_item(many, what):
    """item() raises RuntimeError, and says the shape."""
    x, one = tt.Tensor(many), "ask first whether self.data.size is exactly 1"
    expect_raises(RuntimeError, x.item, what, slips=[(Exception, one), (None, one)])
    says, shape = str(error_of(x.item)), x.data.shape
    missing = f"its message should contain the shape, {shape}"
    is_there = str(shape) in says or str(list(shape)) in says
    fail_if(not is_there, f"{what} raised RuntimeError: {says}; {missing}")


OPERATORS = {
    "x - y": lambda x, y: x - y,
    "y - x": lambda x, y: y - x,
    "x / y": lambda x, y: x / y,
    "y / x": lambda x, y: y / x,
    "x - x": lambda x, y: x - x,
    "x / x": lambda x, y: x / x,
}


NEW = "out= or an operator such as -= writes into an operand: let NumPy make a new array"


def too_long():
    """Arrays, and whole numbers that have room in their dtype, but in no shorter one."""
    yield np.array([1.0, -3]), 16777217
    yield np.array(3.0), -123456789
    yield np.array([2.0, 1], np.longdouble), LARGE


def slips_of_numpys_errors(want):
    """What NumPy raises where it was told to raise, or to write into an operand."""
    fits = f"these shapes fit, and NumPy makes {want.shape} of them: leave that to it"
    return [
        (FloatingPointError, "as NumPy does it: what has no room or no value is inf, 0 or nan"),
        (worded(ValueError, "non-broadcastable output"), NEW),
        (worded(ValueError, "broadcast a non-scalar to a scalar"), NEW),
        (ValueError, fits),
    ]


def operand(y):
    """An operand in words: a list, 0.5, int64 array of 3, float32 Tensor of shape (2,)."""
    if isinstance(y, (tt.Tensor, np.ndarray)):
        kind, array = ("Tensor", y.data) if isinstance(y, tt.Tensor) else ("array", y)
        is_whole = array.ndim == 0 and array % 1 == 0
        return f"{array.dtype} {kind} of {array[()] if is_whole else laid_out(array)}"
    return "list of numbers" if isinstance(y, list) else repr(y)


def slips_of_dtypes(name, a, b):
    """What leads to another dtype where both have one, and what to the last digit."""
    empty = "NumPy makes float64 of an empty list: compute with the arrays, not number by number"
    yield lambda got: got == np.float64 and 0 in np.broadcast(a, b).shape, empty
    kinds = f"of {a.dtype} and {b.dtype} NumPy makes {np.result_type(a, b)}"
    leave = f"{kinds}: give the result, and y, no dtype of your own"
    yield lambda got: isinstance(got, np.dtype), leave
    x, y = (a, b) if name.startswith("x") else (b, a)
    if "/" in name:
        right = x / y
        turned = "a divisor of -0 turns the sign, of inf too: leave it to NumPy"
        yield lambda got: only_turned(got.data, right, y), turned
        says = "that is what a product with 1 / … gives, or a power of -1, which rounds twice"
        for times in (x * (1 / y), x * y**-1.0):
            yield lambda got, times=times: np.array_equal(got.data, times, equal_nan=True), says
        floors = x // y
        rounds = "// rounds down; the operator is /"
        yield lambda got: np.array_equal(got.data, floors, equal_nan=True), rounds
    short = np.asarray(operators_of(name)(a.astype(np.float64), b.astype(np.float64)), a.dtype)
    says = "that was computed in float64: leave the dtype to NumPy"
    yield lambda got: np.array_equal(np.asarray(getattr(got, "data", got)), short), says


def only_turned(got, want, y):
    """Are these the same numbers, but for signs where y is 0?"""
    apart = (got != want) & ~np.isnan(want)
    same = np.array_equal(abs(got), abs(want), equal_nan=True)
    return same and not np.broadcast_to(y, want.shape)[apart].any()


def slips_of_itself():
    """Short cuts where both operands are the same Tensor."""
    yield lambda got: isinstance(got, np.dtype), "the dtype is that of x"
    nan = "have no value, and NumPy says nan: leave it to NumPy, without a short cut"
    yield lambda got: not got.data.any(), f"inf - inf and nan - nan {nan}"
    yield lambda got: (got.data == 1).all(), f"0 / 0 and inf / inf {nan}"


def operators_of(name):
    return OPERATORS[name]


def at_first_difference(got, want, **given):
    """The numbers of x and y at which two arrays differ first, where they are many."""
    got = np.asarray(getattr(got, "data", 0))
    if want.size <= MANY or got.shape != want.shape:
        return ""
    apart = ~np.isclose(got, want, 1e-5, 1e-7, equal_nan=True)
    for place in np.argwhere(apart)[:1]:
        there = [f"{name} is {np.broadcast_to(array, want.shape)[tuple(place)]:g}"
                 for name, array in given.items()]  # fmt: skip
        return f", where {' and '.join(there)}"
    return ""


def slips_of_operand(operator, a, other):
    """What leads to another dtype, or to these very numbers, where `other` has no dtype itself."""
    takes = "as_array(other, self.dtype) gives it the dtype of x"
    yield (
        lambda got: isinstance(got, np.dtype),
        f"y has no floating-point dtype of its own; {takes}",
    )
    if isinstance(other, float) and not other.is_integer():
        cut = np.asarray(operator(a, np.array(int(other), a.dtype)))
        yield (
            lambda got: np.array_equal(got.data, cut, equal_nan=True),
            f"{other!r} became {int(other)} on the way: it's no whole number",
        )
    for kind in DTYPES[::-1]:
        through = np.asarray(operator(a, np.array(other, kind)), a.dtype)
        yield (
            lambda got, through=through: np.array_equal(
                np.asarray(getattr(got, "data", got)), through, equal_nan=True
            ),
            f"{operand(other)} was {kind.__name__} on the way; {takes}",
        )


def expect_sign(got, want, name, what):
    """A quotient is 0 or -0, as NumPy has it; a difference may be either."""
    zero, wanted = float(got.data), float(want)
    turned = "/" in name and np.signbit(zero) != np.signbit(wanted)
    fail_if(turned, f"{what} = {zero}, expected {wanted}: 0 has a sign, too, and NumPy knows it")


@pytest.mark.exercise("1.4", points=1)
def test_both_operators_work_both_ways_round_with_all_kinds_of_numbers():
    pairs = list(arrays(2))
    for (a,) in arrays():
        pairs += [(a, other) for other in (2, 0, -0.5, 0.1, True, np.float32(3), np.float64(3))]
        pairs += [(a, a.tolist() if a.size else 1), (a, finite(a).astype(np.int64))]
    pairs += [(a, b.astype(np.float64)) for a, b in arrays(2)]
    pairs += [(numbers(a), numbers(b, seed=5)) for a, b, fits in meetings() if fits is not None]
    pairs += filled(2)
    pairs.append(tuple(np.float32([[1e30, 1e-30, 3e38], [-1e-30, 1e30, -3e38]])))  # beyond float32
    with np.errstate(all="ignore"):
        for a, other in pairs:
            expect_operators(a, other)
        for other in (long_one(), np.array([long_one(), -1]), 1, [2, 1], LARGE):
            expect_operators(np.array([long_one(), 3 * long_one()]), other)
        for a, whole in too_long():
            for other in (whole, np.int64(whole), [whole, 3], np.array([whole, 3])):
                expect_operators(a, other)
    expect_numpys_own_errors()


def expect_operators(a, other):
    """All operators, for an x of this array and for this y, which may come as a Tensor, too."""
    keeps = getattr(getattr(other, "dtype", None), "kind", "") == "f"
    b = np.asarray(other) if keeps else np.array(other, a.dtype)
    x = tt.Tensor(a)
    for (name, operator), y in itertools.product(OPERATORS.items(), (other, tt.Tensor(b))):
        has_y = "y" in name
        what = f"{name} (x: {operand(x)}{f', y: {operand(y)}' if has_y else ''})"
        want = np.asarray(operator(a, b))
        with calling(what, slips=slips_of_numpys_errors(want)):
            got = operator(x, y)
        if keeps or y is not other or not has_y:
            slips = slips_of_dtypes(name, a, b) if has_y else slips_of_itself()
        else:
            slips = slips_of_operand(operator, a, other)
        there = at_first_difference(got, want, **{"x": a} | ({"y": b} if has_y else {}))
        if want.dtype in DTYPES:
            expect_array(got, want, what + there, slips=slips)
        else:
            expect(got.dtype, want.dtype, f"the dtype of {what}", slips=slips)
            unsigned = 0 if "-" in name else -0.0  # to add: -(x - y) is as good as y - x
            expect_exactly(data_of(got) + unsigned, want + unsigned, what, slips=list(slips))
        if want.shape == () and want == 0:
            expect_sign(got, want, name, what)


def expect_numpys_own_errors():
    """Shapes that do not fit are a ValueError, as in NumPy, and so are rows of unequal length."""
    shapes = [(a, b) for a, b, fits in meetings() if fits is None]
    shapes += [((2, 3), (2,)), ((2, 3), (6,)), ((2, 3), (3, 2)), ((6,), (2, 3)), ((2,), (2, 3))]
    for (one, two), (name, operator) in itertools.product(shapes, list(OPERATORS.items())[:4]):
        for y in (numbers(two), tt.Tensor(numbers(two))):
            what = f"{name} (x of shape {one}, y: {operand(y)})"
            expect_refused(partial(operator, tt.Tensor(numbers(one)), y), what)
    for name, operator in list(OPERATORS.items())[:4]:
        what = f"{name} (x: Tensor([1, 2]), y: [[1], [2, 3]])"
        expect_refused(partial(operator, tt.Tensor([1, 2]), [[1], [2, 3]]), what)


def expect_refused(call, what):
    """NumPy's ValueError, or from chapter 4 on a RuntimeError of our own."""
    fits = "these shapes don't fit, and NumPy says so: leave that to it"
    kind = "these shapes don't fit: let the ValueError that says so through"
    errors = (ValueError, RuntimeError)
    expect_raises(errors, call, what, slips=[(None, fits), (Exception, kind)])


@pytest.mark.exercise("1.5", points=1)
def test_ones_and_randn_take_all_kinds_of_sizes():
    sizes = [(), (2,), (0,), (2, 3), (0, 3), ((2, 3),), ([2, 3],), ((),), ((4,),), (2, 3, 2)]
    for given in sizes:
        shape = np.zeros(given[0] if given and not isinstance(given[0], int) else given).shape
        text = ", ".join(map(str, given))
        with calling(f"ones({text})"):
            got, other = tt.ones(*given), tt.ones(*given)
        single = "no sizes make a single number, of shape (), and it's 1 like the others"
        is_single = shape == ()
        slips = [(lambda got, is_=is_single: is_ and not isinstance(got, np.dtype), single)]
        expect_array(got, np.ones(shape, np.float32), f"ones({text})", slips=slips)
        fail_if(got is other, f"two calls of ones({text}) gave one and the same Tensor: make two")
        fail_if(not got.data.flags.writeable, f"the numbers of ones({text}) can't be changed")
        got.data[...] = SPOILED
        kept = (
            f"an earlier ones({text}) was written to, and this one has its memory: make a new one"
        )
        expect(other, np.ones(shape), f"another ones({text})", slips=[(lambda _: True, kept)])
        for generator in (None, np.random.default_rng(1)):
            slips = [(lacks("NoneType"), why_no_generator())]
            slips += [(TypeError, "as_shape(sizes) understands both" if "(" in text else "")]
            said = f"generator={generator and 'a generator'}"
            what = f"randn({', '.join(filter(None, [text, said]))})"
            with calling(what, slips=slips):
                got, other = (tt.randn(*given, generator=generator) for _ in range(2))
            expect(got.shape, shape, f"randn({text}).shape")
            expect(got.dtype, np.float32, f"randn({text}).dtype")
            expect(bool(np.isfinite(got.data).all()), True, f"randn({text}): all are finite")
            same = got.data.size > 0 and bool((got.data == other.data).all())
            by = "with one generator" if generator else "without a generator"
            fail_if(same, f"two calls of randn({text}) {by} gave the same numbers")
        what = f"randn({', '.join([*map(str, given), 'generator=default_rng(5)'])})"
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
    expect_to_go_on()


def why_no_generator():
    """What leads to a None that is asked for numbers."""
    default = inspect.signature(tt.randn).parameters["generator"].default
    if default is None:
        return "None says that there's no generator: make a new one, np.random.default_rng()"
    once = "what stands in the signature is made once, and is one generator for all calls"
    return f"{once}: write generator=None there, and make a new one when it is None"


def expect_to_go_on():
    """Each call draws just as many numbers as it gives: the next one goes on from there."""
    given, at = np.random.default_rng(5), 0
    draws = [np.random.default_rng(5).standard_normal(40, dtype=np.float32)]
    draws += [np.random.default_rng(5).normal(size=40)]
    for sizes in ((3,), (), (0,), (2, 3), ((),), (1,), (0, 3), (5,), ((1, 1),), (4,)):
        text = ", ".join([*map(str, sizes), "generator=r"])
        with calling(f"randn({text})"):
            got = tt.randn(*sizes, generator=given).data
        n = got.size
        later = [drawn[i:][:n] for drawn in draws for i in range(at + 1, 40 - n)]
        slips = [
            (lambda x, n=n: n and any(np.allclose(x.ravel(), y, 1e-6) for y in later),  # noqa: B023
             "the calls before drew more numbers than they gave, and those are lost"),
        ]  # fmt: skip
        wants = [drawn[at:][:n].reshape(got.shape) for drawn in draws]
        want = min(wants, key=lambda drawn: abs(drawn - got).sum())  # noqa: B023
        drew = f", r=default_rng(5) that {at} numbers were drawn from" if at else ""
        expect(got, want, f"randn({text}){drew}", slips=slips, because=DRAWS)
        at += n


def generators_in(thing, seen):
    """The generators that a module keeps: by a name, in a container, a default or a class."""
    if isinstance(thing, np.random.Generator):
        yield thing
    is_own = getattr(thing, "__module__", None) == tt.__name__ or thing is tt
    if id(thing) in seen or not (is_own or isinstance(thing, (dict, list, tuple, set))):
        return
    seen.add(id(thing))
    parts = [vars(thing)] if hasattr(thing, "__dict__") else []
    parts += [getattr(thing, name, None) for name in ("__defaults__", "__kwdefaults__")]
    parts += thing.values() if isinstance(thing, dict) else () if is_own else thing
    for part in parts:
        yield from generators_in(part, seen)


def expect_no_kept_generator():
    """Without a generator, none that was there before has moved on."""
    given = np.random.default_rng(3)
    tt.randn(2, generator=given)
    kept = [given, *generators_in(tt, set())]
    before = [generator.bit_generator.state for generator in kept]
    tt.randn(2)
    moved = [one.bit_generator.state != state for one, state in zip(kept, before, strict=True)]
    new = "make a new one on each call, np.random.default_rng()"
    fail_if(moved[0], f"randn(2) drew from the generator of the call before: {new}")
    fail_if(any(moved), f"randn(2) drew from a generator that the file keeps: {new}")


def expect_draws(got, seed, shape, what):
    """The numbers that default_rng(seed) draws next, as float32 or as float64 made float32."""
    got = np.asarray(getattr(got, "data", got))
    draws = [np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)]
    draws += [np.random.default_rng(seed).normal(size=shape)]
    want = min(draws, key=lambda drawn: abs(drawn - got).sum())
    expect(got, want, what, because=DRAWS)


@pytest.mark.exercise("1.5", points=1)
def test_randn_draws_other_numbers_in_each_run():
    expect_no_kept_generator()
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
    steps += [(0, 2.1, 0.03), (0, 2.7, 0.09), (2.1, 0, -0.03), (0, 2.1, 0.06)]
    steps += [(0, 3e-13, 1e-13), (-0.1, 1, 0.1), (-100, 100, 0.1), (-5, 6, 0.1)]
    steps += [(2**24 + 1, 2**24 + 4), (0, 4e-30, 1e-30)]
    steps += [(1e6, 1e6 + 1, 0.1), (100, 101, 0.1), (1e4, 1e4 - 2, -0.1), (2**24, 2**24 + 4)]
    for given in (*steps, *steps[:5]):  # and some of them again
        what = f"arange({', '.join(map(str, given))})"
        none = "a negative (stop - start) / step says that there are none"
        with calling(what, slips=[(worded(ValueError, "negative dimensions"), none)]):
            got = tt.arange(*given)
        whole = (*((0, *given) if len(given) == 1 else given), 1)[:3]
        expect_numbers_from(got, *map(float, whole), what)
        fail_if(not got.data.flags.writeable, f"the numbers of {what} can't be changed")
        got.data[...] = SPOILED
    renamed = {TypeError: "the parameters are called start, stop and step"}
    with calling("arange(start=1, stop=3, step=1)", slips=renamed):
        got = tt.arange(start=1, stop=3, step=1)
    expect(got, [1, 2], "arange(start=1, stop=3, step=1)")
    for stop, step in ((6, 2), (-2, -1), (1, 0.25), (1, 0.1), (0, 2)):
        what = f"arange({stop}, step={step})"
        with calling(what):
            got = tt.arange(stop, step=step)
        expect_numbers_from(got, 0, stop, step, what)


def expect_numbers_from(got, start, stop, step, what):
    """start + i * step in float64, and float32 at the end: no number is off by more than a bit."""
    steps = (stop - start) / step
    count = max(0, math.ceil(steps))
    index = np.arange(count, dtype=np.float64)
    wants = [start + step * index, np.arange(start, stop, step)]
    size = max(abs(start), abs(stop))
    want, singles = wants[0].astype(np.float32), np.asarray(getattr(got, "data", 0))
    if singles.shape == (count,):  # NumPy's has roundings of its own, where numbers cancel
        near = abs(singles - wants[1]) < abs(singles - want)
        want = np.where(near, wants[1], want).astype(np.float32)
    single = np.float32(stop - start) / np.float32(step)
    counted = f"(stop - start) / step is {steps:.17g}"
    if steps % 1 or steps < 0:
        counted += ", and is rounded up" if steps > 0 else ", so there are none"
    slips = [
        (lambda x: step < 0 < len(want) and not len(x.data), "with a negative step it counts down"),
        (
            lambda x: len(x.data) == math.ceil(single) > len(want),
            f"{counted}; in float32, {single}",
        ),
        (
            lambda x: len(x.data) != len(want) and multiplies_by_one_over_step(),
            f"{counted}; times 1 / step it's another number, because that is rounded twice",
        ),
        (lambda x: len(x.data) != len(want), counted),
        *slips_of_numbers(start, stop, step, index),
    ]
    is_whole = all(float(number).is_integer() for number in (start, step))
    tolerance = {"float32": (0 if is_whole else 1.3e-7, 4 * 2.0**-52 * size)}
    expect_array(got, want, what, tolerance, slips=slips)


def multiplies_by_one_over_step():
    """Are the numbers as many as with * (1 / step), in both directions?"""
    return len(tt.arange(0, 2.1, 0.03).data) > 70 and len(tt.arange(0, 2.7, 0.09).data) < 31


def slips_of_numbers(start, stop, step, index):
    """What leads to these very numbers."""
    f = np.float32
    running = np.cumsum(np.where(index == 0, start, step))
    ways = [
        (running, "rounding errors added up: compute start + i * step, or leave it to np.arange"),
        (np.linspace(start, stop, len(index)), "np.linspace spreads them evenly, stop included"),
        (
            np.linspace(start, stop, len(index), endpoint=False),
            "they are spread evenly up to stop, but the step is the one that was given",
        ),
        (float(f(start)) + step * index, "start was float32 before it was added"),
        (start + float(f(step)) * index, "step was float32 before it was multiplied"),
        (start + (f(step) * index.astype(f)).astype(float), "start + i * step was float32 halfway"),
        (start + (step * index).astype(f).astype(float), "i * step was float32 before the sum"),
        (f(start) + f(step) * index.astype(f), "that was worked out in float32"),
        (f(start) + (step * index).astype(f), "the sum was worked out in float32"),
    ]
    even = "the numbers were rounded: leave them as they're computed"
    ways += [(np.round(start + step * index, digits), even) for digits in range(17)]
    for way, says in ways:
        came = way.astype(np.float32)
        yield lambda x, came=came: np.array_equal(x.data, came), says


FUNCTIONS = {  # of a Tensor, the same of an array
    "sum of x * x * x": (lambda x: (x * x * x).sum(), lambda a: (a**3).sum()),
    "sum of 1 / x": (lambda x: (1 / x).sum(), lambda a: (1 / a).sum()),
    "x[first]": (lambda x: tt.Tensor(np.ravel(x.data)[:1]), lambda a: np.ravel(a)[0]),
    "a constant": (lambda x: tt.Tensor([[5.0]]), lambda a: 5.0),
    "a millionth of x's sum": (lambda x: 1e-6 * x.sum(), lambda a: 1e-6 * a.sum()),
    "x itself": (lambda x: x, lambda a: a.sum()),
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
        if name == "x itself" and array.size != 1:
            continue
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
    expect_any_slope()
    expect_two_eps()
    expect_put_back_exactly()
    expect_slope_of_a_slope()


def expect_any_slope():
    """A slope is whatever the two numbers make of it, inf and NaN included."""
    for factor, want, why in ((np.inf, np.nan, "inf - inf"), (2e307, np.inf, "inf - 1.25e+308")):
        what = f"central_difference(x * x * {factor}, x, (), 0.5) at 3"
        with np.errstate(all="ignore"), calling(what):
            got = tt.central_difference(
                lambda x, factor=factor: x * x * factor, tt.Tensor(np.array(3.0)), (), 0.5
            )
        because = f"{why}: leave the slope as it is computed"
        expect(got, want, what, because=because)
    flat = tt.central_difference(lambda x: x * 0, tt.Tensor(np.array(3.0)), (), 0.5)
    expect(flat, 0, "central_difference(x * 0, x, (), 0.5) at 3")


def expect_two_eps():
    """It's 2 * eps that is divided by, also where float32 has rounded the nudge."""
    over = "float32 rounds such a nudge; the difference is divided by 2 * eps all the same"
    for at, eps, want in ((16777216, 0.6, 1 / 1.2), (1, 1e-8, 0)):
        what = f"central_difference(lambda x: x, x, (), {eps}) at {at} in float32"
        with calling(what, slips={ZeroDivisionError: over}):
            got = tt.central_difference(lambda x: x, tt.Tensor(at), (), eps)
        expect(got, want, what, because=over)


def expect_put_back_exactly():
    """The element has the value that it had, to the last digit, be it -0 or NaN."""
    keep = "keep x.data[index] as it is, and set it again"
    for value in (
        long_one(),
        np.longdouble(-0.0),
        -0.0,
        np.float32(0.1),
        np.float16(0.1),
        np.inf,
        np.nan,
    ):
        x = tt.Tensor(np.array([1, value], getattr(value, "dtype", None)))
        before, what = x.data.copy(), f"x after central_difference(f, x, (1,), 0.3) at {x.data}"
        with np.errstate(all="ignore"):
            tt.central_difference(lambda x: x.sum(), x, (1,), 0.3)
        expect_exactly(x.data, before, what, because=keep)


def expect_slope_of_a_slope():
    """f may find slopes itself, of the same x: a call keeps what it remembers to itself."""
    x = tt.Tensor(np.array(3.0))

    def slope(x):
        return tt.Tensor(tt.central_difference(lambda x: x * x * x, x, (), 0.5))

    what = "central_difference of an f that calls central_difference(x * x * x, x, (), 0.5)"
    got = tt.central_difference(slope, x, (), 0.5)
    own = "each call has an old value of its own to remember: in a local name"
    expect(got, 18, what, because=own)
    expect(x, 3, f"x after {what}", because=own, rtol=0, atol=0)


def expect_slope(f, x, index, eps, want, what):
    """central_difference gives this number, and leaves x as it was."""
    held, before, seen, values = x.data, x.data.copy(), [], []

    def noted(given):
        if given is not x:
            raise Mismatch(f"{what} called f with another Tensor than x")
        if x.data is not held:
            another = f"in {what}, x.data was another array when f was called"
            raise Mismatch(f"{another}: nudge x.data[index], in the array that x has")
        seen.append(x.data.copy() - before)
        value = f(given)
        values.append(float(np.ravel(value.data)[0]))
        return value

    taken = "x.data[index] understands this index as it is: don't take it apart"
    slips = [
        (worded(TypeError, "'list'"), "f(x) may have any shape: f(x).item() is its number"),
        (Exception, "" if isinstance(index, tuple) and min(index, default=0) >= 0 else taken),
    ]
    with calling(what, slips=slips):
        got = tt.central_difference(noted, x, index, eps)
    nudges = sorted(float(nudge[index]) for nudge in seen)
    at = f"how far x[{index}] was nudged, for each call of f, by {what}"
    slips = [
        ([0, 0], "another array was nudged, a copy of x.data"),
        (lambda nudges: len(nudges) != 2, "x + eps and x - eps are all it takes"),
        (lambda nudges: nudges[1] != eps, "the nudge is eps itself"),
    ]
    expect(nudges, [-eps, eps], at, slips=slips, rtol=1e-6)
    says = f"{what} is {type(got).__name__} {got!r}, expected a Python float: f(x).item() is one"
    fail_if(type(got) is not float, says)
    slips = slips_of_slope(want, *values, eps)
    # rounding counts for more the smaller eps is
    expect(got, want, what, slips=slips, rtol=1e-9, atol=1e-13 / eps)
    expect(x, before, f"x after {what}", rtol=0, atol=0)


def slips_of_slope(want, one, two, eps):
    """What leads to a slope with fewer digits than it should have."""
    single = np.float32
    ways = [float(single(one)) - float(single(two)), float(single(one) - single(two))]
    near = [abs(way) / (2 * eps) * np.sign(want) for way in ways]
    near += [*map(single, near), single(want)]
    says = "it was float32 on the way: f(x).item() is a Python float, so compute with that"
    yield lambda got: np.isclose(got, near, 1e-9, 0).any(), says
    yield lambda got: got in [round(want, digits) for digits in range(16)], "it was rounded"


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
            calls, copies = [], []
            seen = counting(f if options else one_nudged(f, x, exact, what), calls, copies)
            empty = "an empty x has no slopes: its gradient is empty, too"
            with calling(what, slips=[(ValueError, "" if x.data.size else empty)]):
                got = tt.numerical_gradient(seen, x, **options)
            because = "each element takes two"
            expect(len(calls), 2 * x.data.size, f"the calls of f in {what}", because=because)
            expect_let_go(copies, what)
            right = partial(rights_itself, f, x, want)
            slips = slips_of_gradient(g, exact, eps, want, array.dtype)
            if name == "x itself":
                late = "f(x) is x itself here: call f(x).item() before the next nudge"
                slips.insert(0, (lambda got: not got.data.any(), late))
            if not options:
                slips.append((right, "with eps=1e-06 it's right: what is its default?"))
            expect_array(got, want, what, {"float64": (1e-9, 1e-13 / eps)}, slips=slips)
            fail_if(x.data is not before, f"x.data is another array after {what}")
            expect(x, array, f"x after {what}", rtol=0, atol=0)
    expect_gradients_of_their_own()
    with np.errstate(all="ignore"):
        got = tt.numerical_gradient(lambda x: (x * np.inf).sum(), tt.Tensor([1, 2]))
    expect(got, [np.nan, np.nan], "numerical_gradient(sum of inf * x), inf - inf at each element")


def counting(f, calls, copies):
    """f, which notes its calls, and a weak reference to each array that it sees in x."""

    def counted(x):
        calls.append(1)
        copies.append(weakref.ref(x.data))
        return f(x)

    return counted


def expect_let_go(copies, what):
    """What x held while f ran is nobody's afterwards."""
    if any(copy() is not None for copy in copies):
        gc.collect()
        kept = any(copy() is not None for copy in copies)
        fail_if(kept, f"{what}: the float64 copy is kept somewhere afterwards: let go of it")


def slips_of_gradient(g, a, eps, want, dtype):
    """What leads to these very slopes."""
    sided = np.zeros(want.shape)
    for index in np.ndindex(a.shape):
        step = np.zeros(a.shape)
        step[index] = eps
        sided[index] = (g(a + step) - g(a)) / eps

    def same(numbers):
        return lambda got: np.allclose(got.data, numbers, 1e-9, 1e-13 / eps)

    slips = [(same(sided), "that is the one-sided difference, from x to x + eps")]
    if dtype != np.float64:
        singles = want.astype(dtype).astype(np.float64)
        rounded = f"they were {dtype} on the way: gather them in float64"
        slips.append((lambda got: np.array_equal(got.data, singles), rounded))
    evens = [np.round(want, digits) for digits in range(3, 16)]
    even = "the slopes were rounded: leave them as they are"
    slips.append((lambda got: any(np.array_equal(got.data, numbers) for numbers in evens), even))
    if a.ndim > 1:
        turned = want.ravel().reshape(a.shape, order="F")
        back = want.ravel(order="F").reshape(a.shape)
        places = "each slope stands where its element stands, however x lies in memory"
        slips += [(same(turned), places), (same(back), places)]
    return slips


def expect_gradients_of_their_own():
    """No gradient shares memory with an earlier one, and f may ask for gradients of the same x."""
    x, what = tt.Tensor([1, 3]), "numerical_gradient((x * x).sum() at [1, 3])"
    first = tt.numerical_gradient(lambda x: (x * x).sum(), x)
    tt.numerical_gradient(lambda x: x.sum(), x)
    new = "another gradient was found since then: make a new array for each"
    expect(first, [2, 6], what, slips=[([1, 1], new)], atol=1e-6)
    fail_if(not first.data.flags.writeable, f"the numbers of {what} can't be changed")
    first.data[...] = SPOILED
    again = tt.numerical_gradient(lambda x: (x * x).sum(), x)
    expect(again, [2, 6], f"{what}, asked for again,", atol=1e-6)

    def gradient(x):
        return tt.numerical_gradient(lambda x: x * x * x, x, 1e-3)

    x, what = tt.Tensor(3), "numerical_gradient of an f that asks for a numerical_gradient of x"
    before = x.data
    got = tt.numerical_gradient(gradient, x, 1e-3)
    own = "each call has an array of its own to put back: keep it in a local name"
    fail_if(x.data is not before, f"x.data is another array after {what}: {own}")
    expect(got, 18, what, because=own, rtol=1e-4)


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
