"""Chapter 4: sums and means over axes, forward and backward."""

import itertools

import numpy as np
import pytest

import tinytorch as tt
from course.basics import builds_on
from course.testing import (
    calling,
    expect,
    expect_backward,
    expect_local_gradients,
    fail_if,
    lacks,
    leaf,
    worded,
)

X = (1, 2, 3), (4, 5, 6)
AS_IT_IS = "NumPy's sum takes a tuple as it is"
THREE = "forward has three inputs, x, axis and keepdims: backward gives three gradients"


def numpy_sum(axis, keepdims):
    return lambda x: np.sum(x, axis=axis, keepdims=keepdims)


def has_shape(*shape):
    return lambda got: tuple(got.shape) == shape


def summed(x, what, **options):
    """x.sum(…), its errors said in words."""
    array = (
        lambda e: isinstance(e, AttributeError) and "ndarray" in str(e),
        "forward gives a Tensor",
    )
    number = (
        lambda e: isinstance(e, AttributeError) and "float" in str(e),
        "forward gives a Tensor",
    )
    endless = (RecursionError, "x.sum() asks this very forward: sum the array, x.data")
    not_x = (worded(TypeError, "'out'"), "np.sum takes arrays: sum x.data, not the Tensor")
    with calling(what, slips=[array, number, endless, not_x]):
        return x.sum(**options)


@pytest.mark.exercise("4.2", points=1)
def test_sum_over_one_axis():
    x, given = leaf(X), "for x = [[1, 2, 3], [4, 5, 6]]"
    expect(summed(x, "x.sum()"), 21, f"x.sum() {given}", because="axis=None sums all of it")
    slips = [
        (21, "that's all of it; 0 is an axis, too, though it counts as false: ask `axis is None`"),
        ([6, 15], "that's the sum along axis 1, of each row"),
        ([[5, 7, 9]], "without keepdims the summed axis goes"),
        ([0, 0, 0], "nothing was summed"),
    ]
    expect(summed(x, "x.sum(axis=0)", axis=0), [5, 7, 9], f"x.sum(axis=0) {given}", slips=slips)
    slips = [([5, 7, 9], "that's the sum along axis 0"), (21, "axis was ignored")]
    expect(summed(x, "x.sum(axis=1)", axis=1), [6, 15], f"x.sum(axis=1) {given}", slips=slips)


@pytest.mark.exercise("4.2", points=1)
def test_keepdims_leaves_an_axis_of_length_one():
    x, stays = leaf(X), "with keepdims=True the summed axis stays, with length 1"
    expect(x.sum(axis=1, keepdims=True), [[6], [15]], "x.sum(axis=1, keepdims=True)", because=stays)
    expect(x.sum(keepdims=True), [[21]], "x.sum(keepdims=True)", because=stays)
    slips = [(3, "only the summed axis goes: another one of length 1 stays")]
    column = leaf([[1], [2]])
    with calling("x.sum(axis=0) for shape (2, 1)"):
        expect(column.sum(axis=0), [3], "x.sum(axis=0) for shape (2, 1)", slips=slips)


@pytest.mark.exercise("4.2", points=1)
def test_sum_counts_axes_from_the_end_and_takes_tuples():
    x, given = leaf(np.arange(8.0).reshape(2, 2, 2)), "for x = 0 to 7 in shape (2, 2, 2)"
    expect(x.sum(axis=-1), [[1, 5], [9, 13]], f"x.sum(axis=-1) {given}")
    slips = [
        ([[4, 6], [8, 10]], "only the first axis of the tuple was summed"),
        ([[1, 5], [9, 13]], "only the last axis of the tuple was summed"),
        (28, "everything was summed: only the axes in the tuple"),
    ]
    tuples = [
        (TypeError, f"axis may be a tuple: {AS_IT_IS}"),
        (IndexError, f"after each sum, the axes behind it are counted anew: {AS_IT_IS}"),
    ]
    for axis in ((0, 2), (0, -1), (-1, 0)):
        what = f"x.sum(axis={axis}) {given}"
        with calling(what, slips=tuples):
            expect(x.sum(axis=axis), [10, 18], what, slips=slips)


@pytest.mark.exercise("4.2", points=1)
def test_sum_gives_one_gradient_for_each_input():
    ctx = leaf([[1, 2], [3, 4]]).sum(axis=0).grad_fn
    slips = [
        (lacks("Context"), "backward finds on ctx what forward put there, and no more"),
        (lacks("Tensor"), "a Tensor has no such method: reshape and the operators will do"),
        (
            worded(ValueError, "cannot reshape"),
            "reshape makes no copies, and x has more elements than the sum: let it spread over x",
        ),
    ]
    with calling("the backward of x.sum(axis=0)", slips=slips):
        count = len(ctx.backward(tt.Tensor([1, 10])))
    gave = f"Sum.backward gave {count} gradient{'s' * (count != 1)}, expected 3"
    fail_if(count != 3, f"{gave}: {THREE}, None for what is no Tensor")


ONE_TOO_MANY = "each is 1 too large: * ones(shape) spreads a gradient, and so does + zeros(shape)"


@pytest.mark.exercise("4.2", points=1)
def test_each_summed_element_receives_the_whole_gradient():
    x = leaf([[1, 2], [3, 4]])
    slips = [
        (lambda got: isinstance(got, np.ndarray), "gradients are Tensors: multiplying copies, too"),
        (lambda e: "NoneType" in str(e), put_back(None, False)),
        ([[1.25] * 2] * 2, "that's a share of it: each element moves the sum one to one"),
        ([[1, 1], [1, 1]], "multiply by grad_z"),
        (5, "the gradient was not copied: x has four elements"),
        ([[6, 6], [6, 6]], ONE_TOO_MANY),
        ([[5]], "the axes were put back, but it was not copied: x has four elements"),
        ([[5, 10], [15, 20]], "that's x times grad_z: the slope of a sum is 1"),
        ([[20, 20], [20, 20]], "it was counted once for each element: copy it, don't sum it again"),
    ]
    given = [[5, 5], [5, 5]]
    expect_backward(x.sum(), "y = x.sum(), sent 5,", gradient=5.0, slips=slips, x=(x, given))
    with np.errstate(invalid="ignore"):
        x, what = leaf([1, np.inf, np.nan]), "y = x.sum(), x = [1, inf, nan], sent 5,"
        slips = [
            (has_shape(1, 3), "x has one axis, its gradient two: put back no more than one"),
            (lambda got: np.isnan(got.data).any(), "only the shape of x counts, not x itself"),
        ]
        expect_backward(x.sum(), what, gradient=5.0, slips=slips, x=(x, [5, 5, 5]))
    x, what = leaf([1, 2], np.float32), "y = x.sum() for float32 x, sent 5: the dtype of"
    slips = {np.dtype(np.float64): "float32 stays float32, and NumPy's sum keeps it by itself"}
    expect(x.sum().dtype, np.dtype(np.float32), f"{what} y", slips=slips)
    slips = {np.dtype(np.float64): "float32 stays float32; mind np.ones, which gives float64"}
    x.sum().backward(tt.Tensor(5.0))
    expect(x.grad.dtype, np.dtype(np.float32), f"{what} x.grad", slips=slips)
    slips = {np.dtype(np.float32): "digits of float64 were lost on the way"}
    x, what = leaf([1, 2]), "y = x.sum() for float64 x: the dtype of y"
    expect(x.sum().dtype, np.dtype(np.float64), what, slips=slips)


@pytest.mark.exercise("4.2", points=1)
def test_the_gradient_of_a_sum_goes_to_its_own_row_or_column():
    x = leaf([[1, 2], [3, 4]])
    what = "y = x.sum(axis=1), sent [1, 10],"
    slips = [
        ([[1, 10], [1, 10]], "it spread as a row: put the summed axis back first, "
                             "(2,) -> (2, 1) -> (2, 2)"),
        ([[1, 1], [1, 1]], "multiply by grad_z"),
        ([[2, 2], [11, 11]], ONE_TOO_MANY),
        (has_shape(2, 1), "the axis is back; now let it spread over the shape of x"),
    ]  # fmt: skip
    given = [[1, 1], [10, 10]]
    expect_backward(x.sum(axis=1), what, gradient=[1.0, 10.0], slips=slips, x=(x, given))
    x, what = leaf([[1, 2], [3, 4]]), "y = x.sum(axis=0), sent [1, 10],"
    column = "it spread as a column: put the axis back where it was, (2,) -> (1, 2) -> (2, 2)"
    slips = [([[1, 1], [10, 10]], column)]
    given = [[1, 10], [1, 10]]
    expect_backward(x.sum(axis=0), what, gradient=[1.0, 10.0], slips=slips, x=(x, given))


@pytest.mark.exercise("4.2", points=1)
def test_two_sums_of_one_tensor_do_not_mix():
    x = leaf([[1, 2], [3, 4]])
    columns, rows = x.sum(axis=0), x.sum(axis=1)
    what = "y = x.sum(axis=0), sent [1, 10], with x.sum(axis=1) made in between,"
    slips = [([[1, 1], [10, 10]], "it has the other sum's shape: keep it on ctx, which is new "
              "for each call, and not on the class")]  # fmt: skip
    want = [[1, 10], [1, 10]]
    expect_backward(columns, what, gradient=[1.0, 10.0], slips=slips, x=(x, want))
    expect(rows, [3, 7], "x.sum(axis=1) for x = [[1, 2], [3, 4]]")


def put_back(axis, keepdims):
    """What backward has to do with these axes of the shape (2, 3, 2)."""
    says = "put back every axis that was summed, and only those"
    if keepdims:
        return f"{says}: with keepdims=True none is gone"
    if axis in (0, 1):
        return f"{says}: {'(3, 2) -> (1, 3, 2)' if axis == 0 else '(2, 2) -> (2, 1, 2)'}"
    is_negative = axis == -1 or (isinstance(axis, tuple) and -1 in axis)
    if axis is None:
        return f"{says}; None names all of them: best work out the shape from keepdims=True"
    end = "-1 counts from the end, so it's axis 2 here; best work out the shape from keepdims=True"
    return f"{says}; {end}" if is_negative else says


@pytest.mark.exercise("4.2", points=2)
def test_sum_agrees_with_nudging():
    axes = [None, 0, 1, -1, (0, 2), (1, -1), (-1, 1), (0, 1, 2)]
    x = leaf(np.arange(12.0).reshape(2, 3, 2))
    for axis, keepdims in itertools.product(axes, [False, True]):
        what = f"x.sum(axis={axis}, keepdims={keepdims}), shape (2, 3, 2)"
        f, lost = numpy_sum(axis, keepdims), put_back(axis, keepdims)
        errors = [ValueError, TypeError, lambda error: type(error) is RuntimeError]
        with calling(what, slips=[(error, lost) for error in errors]):
            expect_local_gradients(x.sum(axis, keepdims), [x], f, what, because=lost)


M = (1, 2, 3), (5, 6, 7)
BY_SIZE = "count by comparing sizes: how many elements has x, and how many has the sum?"


def of_mean():
    """The errors of mean() that beginners meet, said in words."""
    return [
        (lacks("Tensor", "size"), "a Tensor has no size, but its array has: self.data.size"),
        (lacks("Tensor"), "a Tensor has no such method: sum and the operators will do"),
        (
            worded(TypeError, "no len()"),
            "a Tensor has no length; its array knows how many elements there are: self.data.size",
        ),
        (
            worded(TypeError, "'NoneType'"),
            f"axis is None where all of it is meant; {BY_SIZE}",
        ),
        (
            lambda e: isinstance(e, NameError) and e.name == "Mean",
            "there's no Mean, and it needs none: it's a sum, scaled",
        ),
        (RecursionError, "mean asks itself: it's a sum, scaled"),
    ]


@pytest.mark.exercise("4.5", points=1)
@builds_on("4.2")
def test_mean_over_all_and_over_one_axis():
    x, given = leaf(M), "for x = [[1, 2, 3], [5, 6, 7]]"
    summed = "that's the sum: divide by the number of elements that were summed"
    slips = [
        (24, summed),
        (12, "it was divided by 2, the number of rows: there are 6 elements"),
        (144, "the sum was multiplied by 6: divide by it"),
        (0, "// rounds down to a whole number: /"),
        (4.8, "it was divided by 5, which is 2 + 3: multiply lengths, or compare sizes"),
        (has_shape(3), "that's the mean along axis 0: without an axis, it's that of all elements"),
        (has_shape(1, 1), "without keepdims the summed axes go"),
    ]
    with calling("x.mean()", slips=of_mean()):
        got = x.mean()
    expect(got, 4, f"x.mean() {given}", slips=slips)
    slips = [
        ([6, 8, 10], summed),
        ([1, 4 / 3, 5 / 3], "it was divided by all 6: only 2 went into each of these"),
        ([2, 8 / 3, 10 / 3], "it was divided by 3, and 2 went into each of these"),
        (4, "that's the mean of all of it: axis=0 means one for each column"),
    ]
    expect(x.mean(axis=0), [3, 4, 5], f"x.mean(axis=0) {given}", slips=slips)
    slips = [
        ([6, 18], summed),
        ([1, 3], "it was divided by all 6: only 3 went into each of these"),
        ([3, 9], "it was divided by 2, the number of rows, and 3 went into each of these"),
    ]
    expect(x.mean(axis=1), [2, 6], f"x.mean(axis=1) {given}", slips=slips)


@pytest.mark.exercise("4.5", points=1)
@builds_on("4.2")
def test_mean_passes_keepdims_on_and_takes_tuples():
    x = leaf(M)
    slips = [([2, 6], "hand keepdims on to sum")]
    expect(x.mean(axis=1, keepdims=True), [[2], [6]], "x.mean(axis=1, keepdims=True)", slips=slips)
    expect(x.mean(keepdims=True), [[4]], "x.mean(keepdims=True)",
           slips={4: "hand keepdims on to sum"})  # fmt: skip
    slips = {12: f"only one axis of the tuple was counted; {BY_SIZE}",
             8: f"only one axis of the tuple was counted; {BY_SIZE}",
             4.8: "it was divided by 5, which is 2 + 3: lengths are multiplied"}  # fmt: skip
    with calling("x.mean(axis=(0, -1))", slips={TypeError: f"axis may be a tuple; {BY_SIZE}"}):
        expect(x.mean(axis=(0, -1)), 4, "x.mean(axis=(0, -1))", slips=slips)
    slips = {7 / 6: "it was divided by 6, which was right in an earlier call: count in each one"}
    expect(leaf(7).mean(), 7, "the mean of a single number, shape (),", slips=slips)
    for axis, keepdims, given in (((), False, x), ((), True, x), (None, False, leaf(7))):
        what = f"x.mean(axis={axis}, keepdims={keepdims}) for shape {given.shape}"
        with calling(what):
            got = given.mean(axis, keepdims)
        shared = got is given or np.shares_memory(got.data, given.data)
        fail_if(shared, f"{what} gave x's own array, expected a new one: sum makes one")


@pytest.mark.exercise("4.5", points=1)
@builds_on("4.2")
def test_a_mean_remembers_how_it_was_made():
    x = leaf([1, 2, 3, 6])
    y = (x * x).mean()
    history = "build the mean from Tensor operations, and take no .data on the way"
    is_array = isinstance(y, (np.ndarray, np.generic))
    array = "(x * x).mean() gave an array, expected a Tensor: an array has no history"
    fail_if(is_array, f"{array}; {history}")
    lost = "(x * x).mean() gave a Tensor without a grad_fn, so its history is lost"
    fail_if(y.grad_fn is None, f"{lost}: {history}")
    slips = [
        (None, "x has no part in its history: build the mean from Tensor operations"),
        ([2, 4, 6, 12], "that's the gradient of the sum: each element moves the mean by 1/4"),
    ]
    expect_backward(y, "y = (x * x).mean()", slips=slips, x=(x, [0.5, 1, 1.5, 3]))


@pytest.mark.exercise("4.5", points=1)
@builds_on("4.2")
def test_each_element_receives_its_share():
    x = leaf(M)
    what = "y = x.mean(), sent 12, x of shape (2, 3),"
    because = "each of n elements moves the mean by 1/n"
    slips = [([[12] * 3] * 2, because)]
    expect_backward(
        x.mean(), what, gradient=12.0, slips=slips, because=because, x=(x, [[2] * 3] * 2)
    )
    x = leaf(M)
    what = "y = x.mean(axis=1), sent [3, 30],"
    want = [[1, 1, 1], [10, 10, 10]]
    expect_backward(x.mean(axis=1), what, gradient=[3.0, 30.0], because=because, x=(x, want))


def is_all(number):
    return lambda got: np.allclose(got.data, number)


@pytest.mark.exercise("4.5", points=1)
@builds_on("4.2")
def test_mean_counts_along_the_axes_it_was_asked_for():
    x = leaf(np.ones((2, 3, 5)))
    for axis, n in ((-1, 5), (-2, 3), (-3, 2), (1, 3), ((1, 2), 15), ((0, -1), 10), ((-1, -3), 10)):
        what = f"x.mean(axis={axis}), x all ones, shape (2, 3, 5),"
        wrong = [
            (is_all(n / m), f"{n} ones went into each of these, and it was divided by {m}")
            for m in (1, 2, 3, 5, 6, 7, 8, 10, 15, 30)
            if m != n
        ]
        one = f"after each mean, the axes behind it are counted anew; {BY_SIZE}"
        with calling(what, slips={IndexError: one}):
            got = x.mean(axis=axis)
            expect(got, np.ones_like(x.data.mean(axis=axis)), what, slips=wrong)


@pytest.mark.exercise("4.5", points=1)
@builds_on("4.2")
def test_a_mean_counts_elements_whatever_they_are():
    what = "Tensor([0, 2, 4]).mean()"
    slips = [
        (3, "it was divided by 2, for the 0 wasn't counted: it's an element like any other"),
        (lambda got: np.isnan(got.data), "count by the shapes, not by the numbers in x"),
    ]
    with np.errstate(all="ignore"):
        expect(leaf([0, 2, 4]).mean(), 2, what, slips=slips)
        slips = [(lambda got: np.isnan(got.data), slips[1][1])]
        expect(leaf([1, np.inf]).mean(), np.inf, "Tensor([1, inf]).mean()", slips=slips)
        x, what = leaf([0, np.inf, np.nan]), "y = x.mean(), x = [0, inf, nan], sent 3,"
        because = "each of n elements moves the mean by 1/n, whatever it is"
        expect_backward(x.mean(), what, gradient=3.0, because=because, x=(x, [1, 1, 1]))


@pytest.mark.exercise("4.5", points=1)
@builds_on("4.2")
def test_mean_keeps_the_dtype():
    slips = {np.dtype(np.float64): "an array or NumPy number of float64 turns float32 into float64:"
             " scale by a plain Python number",
             np.dtype(np.float32): "float64 was rounded to float32 on the way"}  # fmt: skip
    for dtype in (np.float32, np.float64):
        x = leaf([0.1, 0.2], dtype)
        what = f"dtype of the mean of {dtype.__name__}"
        expect(x.mean().dtype, np.dtype(dtype), what, slips=slips)
    lost = "digits of float64 were lost: Tensor(1 / 3) is float32, a plain 1 / 3 isn't"
    slips = [(lambda got: abs(got.item() - 0.7) < 1e-6, lost)]
    what = "the mean of 0.1, 0.6 and 1.4 in float64"
    expect(leaf([0.1, 0.6, 1.4]).mean(), 0.7, what, slips=slips, atol=0, rtol=1e-12)
