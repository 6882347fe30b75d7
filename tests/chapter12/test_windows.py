"""Chapter 12: windows that copy nothing, and the way back that adds up."""

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import tinytorch as tt
from course import windowed
from course.testing import calling, calls_of, expect, expect_raises, expect_return, fail_if, worded
from course.windowed import added_by_hand, is_astray, needs_windows, roomy

BESIDE = "NaN stands beside x in memory: a step or a count is too large"
ELSEWHERE = "the first window begins where x does, be x a part of a larger array or not"
BOTH = (1, 1)
ANY_AXES = (
    lambda e: "unpack" in str(e) or "index out of range" in str(e),
    "x may have any axes before its last two, or none",
)
STEPS = (
    lambda e: "mismatch in length of strides and shape" in str(e),
    "a step for each axis of the result: x's axes before its last two, the kernel's two, and the "
    "windows' two",
)
ONE_AXIS = (
    lambda e: np.ndim(calls_of("windows_of", e)[-1]["x"]) < 2,
    "windows_of has got an array without rows: before the last two axes there may be none",
)


def count_slips(length, kernel, stride, dilation, want):
    """What a number of windows is if it's computed wrongly: {number: reason}."""
    span = dilation * (kernel - 1) + 1
    slips = {  # of those that say the same number, the last one counts
        length // stride: "the last window must still fit",
        (length - dilation * kernel) // stride + 1: "span_within(…) says what a window spans",
        (length - span) // stride: "there is one window more than there are steps",
        -(-(length - span) // stride) + 1: "a window that would stick out at the end doesn't count",
        (length - kernel) // stride + 1: "a window spans span_within(…), not only its kernel",
        length - span + 1: "the next window begins stride further on",
        length - span + 1 // stride: "// comes before +",
        (length - span + 1) // stride: "how many steps, plus one: (length - span) // stride + 1",
    }
    return {number: reason for number, reason in slips.items() if number != want}


@pytest.mark.exercise("12.1", points=2)
def test_as_many_windows_as_fit():
    cases = {(5, 3, 1, 1): 3, (3, 3, 1, 1): 1, (7, 3, 2, 1): 3, (8, 3, 2, 1): 3, (9, 4, 3, 1): 2,
             (12, 3, 1, 3): 6, (10, 3, 2, 3): 2, (6, 1, 4, 1): 2, (6, 2, 4, 1): 2}  # fmt: skip
    for given, want in cases.items():
        length, kernel, stride, dilation = given
        what = f"places({length}, kernel={kernel}, stride={stride}, dilation={dilation})"
        with calling(what):
            got = tt.nn.windows.places(*given)
        expect_return(got, what)
        fail_if(isinstance(got, float), f"{what} = {got}, a float: // gives whole numbers")
        expect(got, want, what, slips=count_slips(*given, want))
    raises = "span_within(length, kernel, dilation) raises it"
    for given in ((2, 3, 1, 1), (4, 3, 1, 2), (0, 1, 1, 1)):
        what = f"places{given}, where no window fits,"
        expect_raises(RuntimeError, lambda g=given: tt.nn.windows.places(*g), what, because=raises)


def seen_in(x, settings, what):
    """The windows of x, which can be read."""
    with calling(what, slips=[ANY_AXES, STEPS]):
        got = tt.nn.windows.windows_of(x, *settings)
    expect_return(got, what)
    fail_if(not isinstance(got, np.ndarray), f"{what} is {type(got).__name__}: return an array")
    far = f"{what} leads out of the memory of x: a step or a count is too large"
    fail_if(is_astray(got), far)
    return got


def in_elements(got, x):
    """Is this what each kernel element sees, if steps are in numbers instead of bytes?"""
    down, right = (step // x.itemsize for step in x.strides)
    steps = (down, right, down, right)
    return np.array_equal(got, as_strided(x, got.shape, steps), equal_nan=True)


def begin(array):
    """Where in memory its first number is."""
    return array.__array_interface__["data"][0]


@pytest.mark.exercise("12.1", points=2)
def test_each_kernel_element_sees_its_part():
    x = roomy([[1.0, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]])
    what = (
        "windows_of(x, (2, 3), (1, 1), (1, 1)), x = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]],"
    )
    got = seen_in(x, ((2, 3), BOTH, BOTH), what)
    slips = {(2, 2, 2, 3): "the kernel's axes come first, then those of the windows",
             (3, 2, 2, 2): "down comes before right", (2, 3, 3, 4): "places(…) counts",
             (2, 3, 2, 3): "the width has settings of its own, the second of each pair",
             (1, 2, 3, 2, 2): "x has only two axes here: none before the kernel's",
             (1, 1, 2, 3, 2, 2): "x has only two axes here: none before the kernel's"}  # fmt: skip
    expect(got.shape, (2, 3, 2, 2), f"the shape of {what}", slips=slips)
    apart = "the next number is x.itemsize bytes on, 8 for a float64: x.strides knows"
    slips = [(lambda _: in_elements(got, x), "as_strided counts its steps in bytes"),
             (lambda _: begin(got) != begin(x), ELSEWHERE),
             (lambda _: any(step % x.itemsize for step in got.strides), apart),
             (lambda g: np.isnan(g).any(), BESIDE),
             ([[1, 5], [2, 6]], "that's turned around: x.strides[-2] leads one row further down, "
              "x.strides[-1] one number to the right"),
             ([[1, 4], [7, 10]], "steps are those of x: x.strides")]  # fmt: skip
    expect(
        got[0, 0],
        [[1, 2], [5, 6]],
        f"what kernel element (0, 0) sees: [0, 0] of {what}",
        slips=slips,
    )
    slips = [(lambda g: np.isnan(g).any(), BESIDE),
             ([[2, 3], [6, 7]], "that's one element, not one row further"),
             ([[9, 10], [13, 14]], "that's two rows further")]  # fmt: skip
    expect(
        got[1, 0],
        [[5, 6], [9, 10]],
        f"what kernel element (1, 0) sees: [1, 0] of {what}",
        slips=slips,
    )
    expect(got[1, 2], [[7, 8], [11, 12]], f"what kernel element (1, 2) sees: [1, 2] of {what}")


@pytest.mark.exercise("12.1", points=2)
def test_stride_moves_the_window_and_dilation_its_elements():
    x = roomy(np.arange(81.0).reshape(9, 9))
    what = "windows_of(x, (2, 3), (4, 1), (3, 2)), x = arange(81) as (9, 9),"
    got = seen_in(x, ((2, 3), (4, 1), (3, 2)), what)
    slips = {(2, 3, 2, 7): "with dilation a window spans more, and fewer fit: places(…) counts",
             (2, 3, 2, 4): "stride and dilation are exchanged: places(length, kernel, stride, …)",
             (2, 3, 6, 5): "stride has a say in how many windows there are: places(…) counts",
             (2, 3, 5, 2): "down comes before right"}  # fmt: skip
    because = "places(9, 2, 4, 3) down and places(9, 3, 1, 2) to the right"
    expect(got.shape, (2, 3, 2, 5), f"the shape of {what}", slips=slips, because=because)
    fail_if(np.isnan(got).any(), f"{what} has NaN in it: {BESIDE}")
    pairs = "the settings are pairs (down, right)"
    at = "one kernel element further down is dilation rows further: 3"
    slips = {36: "stride moves windows, dilation moves within one", 18: pairs, 9: at}
    expect(got[1, 0, 0, 0], 27, f"[1, 0, 0, 0] of {what}", slips=slips, because=at)
    slips = {1: "one kernel element further right is dilation columns further: 2", 3: pairs}
    expect(got[0, 1, 0, 0], 2, f"[0, 1, 0, 0] of {what}", slips=slips)
    at = "the next window begins stride rows further down: 4"
    slips = {27: "stride moves windows, dilation moves within one", 9: at}
    expect(got[0, 0, 1, 0], 36, f"[0, 0, 1, 0] of {what}", slips=slips, because=at)
    slips = {2: "stride moves windows, dilation moves within one", 4: pairs}
    expect(got[0, 0, 0, 1], 1, f"[0, 0, 0, 1] of {what}", slips=slips)
    expect(got[1, 2, 1, 4], 71, f"the last element, [1, 2, 1, 4], of {what}")


@pytest.mark.exercise("12.1", points=2)
def test_nothing_is_copied():
    x = roomy(np.arange(36.0).reshape(6, 6))
    what = "windows_of(x, (3, 3), (1, 1), (1, 1))"
    got = seen_in(x, ((3, 3), BOTH, BOTH), what)
    fail_if(not np.shares_memory(got, x), f"{what} is a copy: look at the memory of x itself")
    fail_if(not got.flags.writeable, f"{what} can't be written to, and 12.2 writes to windows")
    got[2, 2, 0, 0] = 100.0
    says = f"x[2, 2] after writing 100 to [2, 2, 0, 0] of {what}"
    expect(x[2, 2], 100, says, because="it's one number in memory")
    expect(got[0, 0, 2, 2], 100, f"what window (2, 2) sees at its upper left, {says[8:]}")


def right_where_squares(_=None):
    """Is sum_of_windows right where a kernel is as high as it is wide?"""
    x, settings = np.arange(1.0, 13).reshape(2, 2, 1, 3), ((2, 2), BOTH, BOTH)
    got = tt.nn.windows.sum_of_windows(x, (2, 4), *settings)
    return np.array_equal(got, added_by_hand(x, (2, 4), *settings))


SIDES = "with a kernel of (2, 2) it's right: kernel is (height, width), and the two may differ"
OUT_OF_SIDES = (
    lambda e: isinstance(e, IndexError) and "out of bounds" in str(e) and right_where_squares(),
    SIDES,
)


def reach(x, kernel, stride, dilation):
    """How far the windows of x reach, down and right."""
    sizes = zip(x.shape[-2:], kernel, stride, dilation, strict=True)
    return tuple((n - 1) * step + gap * (k - 1) + 1 for n, k, step, gap in sizes)


def _is_no_windows(error):
    """Was seen_by_each given an array with too few axes?"""
    return np.ndim(calls_of("seen_by_each", error)[-1]["seen"]) < 4


def summed(x, *settings, what):
    """What sum_of_windows gives."""
    apart = "the places that a part is added to have its shape, one for each window: the next "
    apart += "place is stride further on, and dilation is for the next kernel element"
    slips = [(_is_no_windows, "seen_by_each takes windows: those of the new zeros, and x"),
             (worded(ValueError, "broadcast"), apart), ONE_AXIS, windowed.ANY_AXES,
             OUT_OF_SIDES]  # fmt: skip
    with calling(what, slips=slips):
        got = tt.nn.windows.sum_of_windows(x, *settings)
    expect_return(got, what)
    of_windows = (*x.shape[:-4], *x.shape[-2:])
    seen = (*settings[0][:-2], *reach(x, *settings[1:]))
    slips = [(seen, "that's as far as windows reach: where none looks there are zeros, too"),
             (x.shape, "that's shaped like x, as windows are: give back the array that they look "
              "at"),
             (of_windows, "that's one number for each window, and it's places that get theirs: "
              "zeros(shape, x.dtype)")]  # fmt: skip
    expect(np.shape(got), settings[0], f"the shape of {what}", slips=slips)
    return got


@pytest.mark.exercise("12.2", points=2)
@needs_windows
def test_a_place_gets_a_gradient_from_each_window_that_saw_it():
    x = np.array([[1.0, 2, 3], [10, 20, 30], [100, 200, 300]]).reshape(1, 3, 1, 3)
    what = "sum_of_windows(x, (1, 5), (1, 3), (1, 1), (1, 1))"
    what += ", x[0, :, 0] = [[1, 2, 3], [10, 20, 30], [100, 200, 300]],"
    got = summed(x, (1, 5), (1, 3), BOTH, BOTH, what=what)
    lost = "each place got only one of its gradients: = loses the others, and so does += on all "
    lost += "windows at once"
    slips = [([[1, 10, 100, 200, 300]], lost), ([[1, 2, 3, 30, 300]], lost),
             ([[0] * 5], "nothing has been added to the zeros: += writes into an array, where "
              "a + b makes a new one"),
             ([[2, 24, 246, 460, 600]], "that's twice the sum: each number is added once"),
             ([[1, 6, 41, 115, 300]], "a sum, not the mean"),
             ([[1 / 3, 4, 41, 230 / 3, 100]], "a sum, not the mean"),
        ([[100, 210, 321, 32, 3]], "x[..., i, j, :, :] belongs to [..., i, j, :, :] of windows_of"),
             (right_where_squares, SIDES),
             ([[1, 2, 3, 0, 0]], "only the first kernel element has been added")]  # fmt: skip
    because = "the number in the middle is seen by three windows: 3 + 20 + 100"
    expect(got, [[1, 12, 123, 230, 300]], what, slips=slips, because=because)


@pytest.mark.exercise("12.2", points=2)
@needs_windows
def test_each_number_goes_to_its_own_place():
    x = np.array([[[[1.0, 2]], [[10, 20]]], [[[100, 200]], [[1000, 2000]]]])
    what = "sum_of_windows(x, (2, 3), (2, 2), (1, 1), (1, 1))"
    got = summed(x, (2, 3), (2, 2), BOTH, BOTH, what=what)
    slips = [([[1, 2, 20], [100, 200, 2000]], "the middle column is seen twice: add"),
             ([[1, 10, 20], [100, 1000, 2000]], "the middle is seen twice: add")]  # fmt: skip
    because = "x[i, j, a, b] was cut out at row a + i, column b + j"
    expect(got, [[1, 12, 20], [100, 1200, 2000]], what, slips=slips, because=because)
    x = np.arange(1.0, 5).reshape(1, 2, 1, 2)
    what = "sum_of_windows([[[[1, 2]], [[3, 4]]]], (1, 6), (1, 2), (1, 3), (1, 2))"
    got = summed(x, (1, 6), (1, 2), (1, 3), (1, 2), what=what)
    expect(got, [[1, 0, 3, 2, 0, 4]], what, because="stride 3 moves windows, dilation 2 within one")


@pytest.mark.exercise("12.2", points=1)
@needs_windows
def test_where_no_window_looks_nothing_arrives():
    x = np.ones((1, 1, 1, 2), np.float32)
    what = "sum_of_windows(two ones in float32, (2, 6), (1, 1), (2, 3), (1, 1))"
    got = summed(x, (2, 6), (1, 1), (2, 3), BOTH, what=what)
    expect(got, [[1, 0, 0, 1, 0, 0], [0] * 6], what)
    slips = {np.float64: "zeros(shape, x.dtype)"}
    expect(got.dtype, np.dtype(np.float32), f"the dtype of {what}", slips=slips)
    again = tt.nn.windows.sum_of_windows(x, (2, 6), (1, 1), (2, 3), BOTH)
    expect(again, [[1, 0, 0, 1, 0, 0], [0] * 6], f"{what}, a second time")
    fail_if(np.shares_memory(got, again), f"{what}, twice: both results are the same memory, and "
            "the second overwrites the first: make new zeros each time")  # fmt: skip
