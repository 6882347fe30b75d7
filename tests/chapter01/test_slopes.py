"""Chapter 1: slopes found by nudging."""

from functools import partial

import numpy as np
import pytest

import tinytorch as tt
from course.basics import builds_on
from course.contracts import expect_ending
from course.testing import calling, expect, expect_raises, expect_return, fail_if, worded


def float64(data):
    return tt.Tensor(np.array(data, dtype=np.float64))


@pytest.mark.exercise("1.6", points=1)
@builds_on("1.1", "1.3")
def test_the_slope_of_a_straight_line():
    seen, what = [], "central_difference(5 * x at 3, eps=0.25)"

    def f(x):
        came = f"{what} called f with {type(x).__name__} {x!r}"
        fail_if(not isinstance(x, tt.Tensor), f"{came}: f takes the Tensor x itself")
        seen.append(x.item())
        return 5 * x

    slips = [(worded(TypeError, "'Tensor' object"), "x's numbers are in x.data: x.data[index]")]
    with calling(what, slips=slips):
        got = tt.central_difference(f, float64(3), (), 0.25)
    because = "the slope is a Python float, and so is f(x).item()"
    expect_return(got, what)
    expect(type(got), float, f"the type of {what}", because=because)
    called = f"f was called at {' and '.join(f'{at:g}' for at in seen)}, not at 3.25 and 2.75"
    if seen == [3.25, 3]:
        called += ": keep the old value as a number, and take eps away from that, not from 3.25"
    slips = {
        10: "the way from x - eps to x + eps is 2 * eps long",
        2.5: called if sorted(seen) != [2.75, 3.25] else "divide by the whole distance, 2 * eps",
        0.3125: "a / 2 * eps multiplies by eps: 2 * eps needs brackets",
        -5: "up minus down, not down minus up",
        0: "f saw the same x both times: nudge x.data[index], and call f before the next nudge",
    }
    expect(got, 5, what, slips=slips)
    slips = [(lambda count: count > 2, "x + eps and x - eps are all it takes")]
    expect(len(seen), 2, f"the number of calls of f in {what}", slips=slips)


@pytest.mark.exercise("1.6", points=1)
@builds_on("1.1", "1.3")
def test_the_nudge_goes_to_both_sides():
    got = tt.central_difference(lambda x: x * x * x, float64(1), (), 0.1)
    slips = {
        3.31: "that is the one-sided difference, from x to x + eps",
        2.71: "that is the one-sided difference, from x - eps to x",
        3.64: "that goes from x to x + 2 * eps",
        3.0025: "that is the slope with nudges of eps / 2: x moves by eps, up and down",
        3: "that is closer to the truth than eps=0.1 can be: is eps used?",
    }
    expect(got, 3.01, "central_difference(x * x * x at 1, eps=0.1)", slips=slips)


@pytest.mark.exercise("1.6", points=1)
@builds_on("1.1", "1.3")
def test_only_the_named_element_moves():
    weights = np.array([[1.0, 10], [100, 1000]])
    x = float64([[1, 2], [3, 4]])
    got = tt.central_difference(lambda x: (x * weights).sum(), x, (1, 0), 0.25)
    slips = {
        1111: "all elements were nudged: nudge x.data[index] alone",
        1100: "the whole row was nudged: nudge x.data[index] alone",
        10: "that is the element (0, 1)",
        1: "that is the element (0, 0)",
    }
    expect(got, 100, "central_difference of x[0, 0] + 10 x[0, 1] + 100 x[1, 0] + 1000 x[1, 1], "
           "index (1, 0)", slips=slips)  # fmt: skip


@pytest.mark.exercise("1.6", points=1)
@builds_on("1.1", "1.3")
def test_the_element_is_put_back():
    rounded = (
        "a rounding error: keep the old value and set it again, minus eps plus eps isn't exact"
    )
    undo = "undo the nudge, with an old value that was kept as a number (a view of x.data moves)"
    for value in (2.0, 0.1, 0.7, 1.1, -3.3, 1e9):
        x = float64([1, value])
        tt.central_difference(lambda x: (x * x).sum(), x, (1,), 0.3)
        single = float(np.float32(value))
        slips = [
            (lambda x: x.data[0] != 1, "x.data[0] was changed as well: nudge x.data[index] alone"),
            (lambda x, single=single: x.data[1] == single, "that is its float32: keep it as it is"),
            ([1, value - 0.3], f"it is still nudged down: {undo}"),
            ([1, value + 0.3], f"it is still nudged up: {undo}"),
            ([1, value], rounded),
        ]
        what = "after central_difference(f, x, (1,), 0.3), x"
        expect(x, [1, value], what, slips=slips, atol=0, rtol=0)


@pytest.mark.exercise("1.6", points=1)
@builds_on("1.1", "1.3")
def test_x_itself_is_nudged():
    copied = "f doesn't use its argument here, only x: nudge x itself, not a copy"
    x, what = float64([3, 4]), "central_difference(lambda _: (x * x).sum(), x, (0,), 0.5)"
    got = tt.central_difference(lambda _: (x * x).sum(), x, (0,), 0.5)
    expect(got, 6, what, slips={0: copied})
    got = tt.central_difference(lambda _, a=x.data: tt.Tensor((a * a).sum()), x, (0,), 0.5)
    what, another = "central_difference of an f that holds x.data alone", "another array"
    slips = {0: f"x.data was {another} meanwhile: nudge x.data[index], in the array that x has"}
    expect(got, 6, what, slips=slips)
    slips = dict.fromkeys(
        [0, 0.5], "f(x) is x itself here: call f(x).item() before you nudge again"
    )
    got = tt.central_difference(lambda x: x, float64(3), (), 0.5)
    expect(got, 1, "central_difference(lambda x: x, x, (), 0.5)", slips=slips)
    expect_one_element_in_any_form()
    what = "central_difference((x * x).sum(), x, 1, 0.5) at [3, 4]"
    with calling(what, slips=[(Exception, "an index may be a whole number")]):
        got = tt.central_difference(lambda x: (x * x).sum(), x, 1, 0.5)
    expect(got, 8, what)
    back = [(Exception, "an index may count from the end: x.data[index] understands it")]
    with calling("central_difference of an f of a row, for the index -1", slips=back):
        got = tt.central_difference(lambda x: (x * x).sum(), float64([3, 4, 5]), -1, 0.5)
    slips = {6: "that is the slope for x[0]", 8: "that is the slope for x[1], and x[-1] is x[2]"}
    what = "central_difference((x * x).sum(), x, -1, 0.5) at [3, 4, 5]"
    expect(got, 10, what, slips=slips)
    what = "central_difference((x * x).sum(), x, np.int64(1), 0.5) at [3, 4]"
    with calling(what, slips=[(Exception, "a whole number may be NumPy's, too")]):
        got = tt.central_difference(lambda x: (x * x).sum(), x, np.int64(1), 0.5)
    expect(got, 8, what)


def expect_one_element_in_any_form():
    """f may give the same Tensor each time, or one of shape (1, 1)."""
    result = float64(0)

    def f(x):
        result.data = (x * x).data
        return result

    read = "f gives the same Tensor both times: call f(x).item() before you call f again"
    what = "central_difference(f, x, (), 0.5) at 3, of an f that has x * x in one Tensor,"
    expect(tt.central_difference(f, float64(3), (), 0.5), 6, what, slips={0: read})
    shapes = "f(x) has one element, in whatever shape: f(x).item() is its number"
    what = "central_difference(f, x, (), 0.5), of an f whose result has the shape (1, 1)"
    with calling(what, slips=dict.fromkeys([TypeError, ValueError, IndexError], shapes)):
        got = tt.central_difference(lambda x: x * np.full((1, 1), 2.0), float64(3), (), 0.5)
    expect(type(got), float, f"the type of {what}", because=shapes)
    expect(got, 2, what)


@pytest.mark.exercise("1.7", points=1)
@builds_on("1.1", "1.3", "1.6")
def test_each_element_has_its_own_slope():
    weights = np.array([[1.0, 10, 100], [1000, 10000, 100000]])
    one_row = weights.sum(axis=1)[:, None] + np.zeros(3)
    columns = weights.ravel().reshape((2, 3), order="F")
    what = "numerical_gradient of a weighted sum, x of shape (2, 3)"
    x = float64([[1, 2, 3], [4, 5, 6]])
    every = "np.ndindex(x.shape) goes through all indices"
    rows = f"that is one slope for each row: {every}"
    slips = [(IndexError, every), (worded(ValueError, "array of size 2 into shape (2,3)"), rows)]

    def weighted(x):
        whole = "f may need its rows, so x keeps its shape"
        expect(x.data.shape, (2, 3), f"the shape of x.data in {what}, while f runs,", because=whole)
        return (x * weights).sum()

    with calling(what, slips=slips):
        got = tt.numerical_gradient(weighted, x)
    slips = [
        (lambda g: np.shape(g.data) == (6,), "give the slopes the shape of x: .reshape(x.shape)"),
        (lambda g: np.shape(g.data) == (2,), rows),
        (
            lambda g: np.allclose(g.data, columns, 1e-3),
            "each slope stands where its element stands",
        ),
        (
            lambda g: any(np.allclose(g.data, row, 1e-3) for row in (one_row, one_row / 2)),
            "a whole row was nudged at once: np.ndindex(x.shape) gives every single index",
        ),
        (weights.sum(), "all elements were nudged at once: nudge one after the other"),
        (lambda g: np.ptp(g.data) < 1e-3, "one slope for all: pass each index on, not always one"),
    ]
    expect(got, weights, what, slips=slips, atol=1e-4)


@pytest.mark.exercise("1.7", points=1)
@builds_on("1.1", "1.3", "1.6")
def test_a_single_number_has_a_gradient_too():
    slips = {IndexError: "the shape () has one index, which is ()"}
    with calling("numerical_gradient(x * x at 3)", slips=slips):
        got = tt.numerical_gradient(lambda x: x * x, float64(3))
    because = "x has the shape (), and the gradient has the shape of x"
    expect(got, 6, "numerical_gradient(x * x at 3)", because=because, atol=1e-6)


@pytest.mark.exercise("1.7", points=1)
@builds_on("1.1", "1.3", "1.6")
def test_slopes_of_float32_tensors_are_found_in_float64():
    seen, swaps = [], []

    class Noted(tt.Tensor):
        def __setattr__(self, name, value):
            swaps.append(name)
            super().__setattr__(name, value)

    start = Noted([100, 3])
    original = start.data
    swaps.clear()

    def f(x):
        seen.append((x.data.dtype, x.data is original, swaps.count("data")))
        return (x * x).sum()

    got = tt.numerical_gradient(f, start)
    what = "numerical_gradient((x * x).sum() at [100, 3])"
    copy = (
        "put a float64 copy into x.data before f is called, and x's own array back after all calls"
    )
    slips = [
        (
            lambda _: seen[0][1] and seen[0][2] > 1,
            "x's own array was back before f was called: "
            "a generator (… for … in …) calls it late, a list […] at once",
        ),
        (lambda _: seen[0][1], f"f saw x's own array: {copy}"),
        (np.dtype("float32"), "float32 has no room for 100.000001: nudge a float64 copy"),
    ]
    expect(seen[0][0], np.float64, f"{what}: the dtype of x.data while f runs", slips=slips)
    expect(got, [200, 6], what, atol=1e-4)
    because = "whatever dtype x has: give Tensor(…) a float64 array"
    expect(got.dtype, np.float64, f"{what}.dtype", because=because)


@pytest.mark.exercise("1.7", points=1)
@builds_on("1.1", "1.3", "1.6")
def test_the_nudge_goes_into_a_float64_copy_in_x():
    for dtype in (np.float16, np.float64, np.longdouble):
        x, seen = tt.Tensor(np.array([2, 3], dtype)), []
        original = x.data

        def f(_, x=x, original=original, seen=seen):
            seen.append((x.data is original, x.data.dtype, original.tolist()))
            return (x * x).sum()

        what = f"numerical_gradient(lambda _: (x * x).sum(), x) for a {original.dtype} x"
        got = tt.numerical_gradient(f, x)
        moved = any(numbers != [2, 3] for *_, numbers in seen)
        fail_if(moved, f"{what} nudged x's own array: nudge a copy, also if x is float64 already")
        copied = "f doesn't use its argument here, only x: put the float64 copy into x.data"
        fail_if(seen[0][0], f"{what}: f saw the x of before. {copied}")
        slips = [(original.dtype, "every dtype becomes float64")]
        expect(seen[0][1], np.float64, f"{what}: the dtype of x.data while f runs", slips=slips)
        expect(got, [4, 6], what, atol=1e-4)


@pytest.mark.exercise("1.7", points=1)
@builds_on("1.1", "1.3", "1.6")
def test_the_nudge_is_the_one_that_is_asked_for():
    got = tt.numerical_gradient(lambda x: x * x * x, float64(1), eps=0.5)
    slips = {
        3: "that is the slope with a tiny nudge: pass eps on to central_difference",
        4.75: "that is the one-sided difference, from x to x + eps",
        1.75: "that is the one-sided difference, from x - eps to x",
    }
    expect(got, 3.25, "numerical_gradient(x * x * x at 1, eps=0.5)", slips=slips)


@pytest.mark.exercise("1.7", points=1)
@builds_on("1.1", "1.3", "1.6")
def test_x_is_left_as_it_was():
    x = tt.Tensor([1, 2])
    before = x.data
    tt.numerical_gradient(lambda x: (x * x).sum(), x)
    expect(x, [1, 2], "x after numerical_gradient(f, x)", atol=0, rtol=0)
    what = "x.data is another array after numerical_gradient(f, x)"
    fail_if(x.data is not before, f"{what}: put the original array back into x.data")


@pytest.mark.exercise("1.7", points=1)
@builds_on("1.1", "1.3", "1.6")
def test_x_is_left_as_it_was_even_if_f_fails():
    def fails(x):
        raise ZeroDivisionError("on purpose")

    x = tt.Tensor([1, 2])
    before = x.data
    slips = {None: "let the error of f through", Exception: "let the error of f through as it is"}
    call, what = lambda: tt.numerical_gradient(fails, x), "numerical_gradient of an f that fails"
    expect_raises(ZeroDivisionError, call, what, slips=slips)
    belongs = "x.data = original belongs in a finally: block"
    fail_if(x.data is not before, f"x.data is another array after {what}: {belongs}")

    def stopped(x):
        raise KeyboardInterrupt

    what = "numerical_gradient of an f in which you press Ctrl-C"
    expect_ending(partial(tt.numerical_gradient, stopped, x), KeyboardInterrupt, what)
    seen = "Ctrl-C is no Exception"
    fail_if(x.data is not before, f"x.data is another array after {what}: {seen}; {belongs}")
