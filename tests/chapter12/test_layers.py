"""Chapter 12: pooling, and norms made of moments."""

import numpy as np
import pytest

import tinytorch as tt
from course.testing import calling, error_of, expect, expect_return, fail_if, leaf, worded
from course.windowed import needs_windows

IN_PLACE = (
    lambda e: "in place" in str(e),
    "what was given belongs to the caller: make a new Tensor",
)
IS_NONE = (
    (lambda e: "NoneType" in str(e), "leave out a weight or bias that is None"),
    (lambda e: "ambiguous" in str(e), "ask whether it is None"),
)
LEADS_OUT = (
    lambda e: "numpy() on a tensor" in str(e),
    "arrays know no gradients: these are Tensors, so use what Tensors can do",
)
TIMES = "that's times the root: divide by it, or multiply by rsqrt(), which is 1 / sqrt() already"
BOTH_KINDS = "grad is an array, or a Tensor in a recorded pass: use what both can do"


def one_window(numbers):
    """The array (h, w, 1, 1) of a single window."""
    return np.array(numbers, np.float64)[:, :, None, None]


def first_in(numbers, value):
    """first_equal() of one window, as a list of rows of 0 and 1; and how the call is said."""
    what = f"first_equal of the window {numbers} and its value {value}"
    boolean = "& | and ~ are for booleans: np.zeros(seen.shape, bool) and np.ones(…, bool)"
    flags = [(worded(TypeError, "ufunc 'invert'"), boolean),
             (worded(TypeError, "ufunc 'bitwise_"), boolean)]  # fmt: skip
    with calling(what, slips=flags):
        got = tt.nn.pooling.first_equal(one_window(numbers), np.array([[float(value)]]))
    expect_return(got, what)
    shape, wanted = np.shape(got), (*np.shape(numbers), 1, 1)
    expect(shape, wanted, f"the shape of {what}")
    because = "True or False for each: np.zeros(seen.shape, bool)"
    expect(got.dtype, np.dtype(bool), f"the dtype of {what}", because=because)
    return got[:, :, 0, 0].astype(int), what


@pytest.mark.exercise("12.5", points=2)
def test_one_place_is_found_in_each_window():
    got, what = first_in([[1, 5], [2, 3]], 5)
    written = "that's False everywhere: here[...] = … writes into an array, where here = … only "
    slips = [([[0, 0], [0, 0]], f"{written}gives something new that name"),
             ([[0, 1], [0, 1]], "3 isn't equal to 5")]  # fmt: skip
    expect(got, [[0, 1], [0, 0]], what, slips=slips)
    got, what = first_in([[1, 5], [2, 3]], 2)
    slips = [([[0, 1], [0, 0]], "look for the value that is given, not for the largest")]
    expect(got, [[0, 0], [1, 0]], what, slips=slips)
    got, what = first_in([[0, 0], [0, 0]], 0)
    slips = [
        ([[1, 1], [1, 1]], "of equal numbers only the first"),
        ([[0, 0], [0, 1]], "that's the last"),
        ([[1, 0], [1, 0]], "that one has been found is forgotten at the next element"),
    ]
    expect(got, [[1, 0], [0, 0]], what, slips=slips)
    got, what = first_in([[1, float("-inf")], [2, float("-inf")]], float("-inf"))
    slips = [([[0, 0], [0, 0]], "infinity is equal to itself: ==, for infinity less itself is NaN"),
             ([[0, 1], [0, 1]], "of equal numbers only the first")]  # fmt: skip
    expect(got, [[0, 1], [0, 0]], what, slips=slips)


@pytest.mark.exercise("12.5", points=2)
def test_the_first_is_found_row_by_row():
    got, what = first_in([[1, 5, 5], [5, 2, 5]], 5)
    slips = [([[0, 0, 0], [1, 0, 0]], "row by row, not column by column"),
             ([[0, 0, 0], [0, 0, 1]], "that's the last"),
             ([[0, 1, 0], [1, 0, 0]], "that's the first of each row, and a window has only one"),
             ([[0, 1, 1], [1, 0, 1]], "of equal numbers only the first")]  # fmt: skip
    expect(got, [[0, 1, 0], [0, 0, 0]], what, slips=slips)
    seen = np.array([[1.0, 2], [3, 3]]).T[None, :, :, None]
    what = "first_equal of the windows [[1, 2]] and [[3, 3]], and their values 2 and 3"
    got = tt.nn.pooling.first_equal(seen, np.array([[2.0], [3.0]]))
    slips = [([[0, 1], [0, 0]], "each window has a first: this is the first of them all"),
             ([[0, 0], [1, 0]], "each window has a first: this is one for them all")]  # fmt: skip
    expect(got[0, :, :, 0].astype(int), [[0, 1], [1, 0]], what, slips=slips)
    got, what = first_in([[1, 5], [2, float("nan")]], float("nan"))
    slips = [([[0, 0], [0, 1]], "NaN is equal to nothing: == says so"),
             ([[1, 0], [0, 0]], "argmax of nothing but False is 0")]  # fmt: skip
    expect(got, [[0, 0], [0, 0]], what, slips=slips)


def _is_a_share(got):
    """Does the largest, at [0, 1], get some of the 10 that was sent, and nobody else the rest?"""
    return 0 < got[0, 1] < 10 and got.sum() == got[0, 1]


@pytest.mark.exercise("12.5", points=2)
@needs_windows
def test_only_the_winner_gets_the_gradient():
    first = one_window([[0, 1], [0, 0]]).astype(bool)
    what = "max_pool_formula([[10]], first at (0, 1) of a 2 x 2 window)"
    with calling(what):
        got = tt.nn.pooling.max_pool_formula(np.array([[10.0]]), first)
    expect_return(got, what)
    slips = {(1, 1): "that's one for each window: each element of a window has a gradient"}
    expect(np.shape(got), (2, 2, 1, 1), f"the shape of {what}", slips=slips)
    slips = [([[0, 1], [0, 0]], "it's the gradient that goes there, not 1"),
             (_is_a_share, "the largest gets all of it, and not a share"),
             ([[2.5, 2.5], [2.5, 2.5]], "only the largest gets it"),
             ([[10, 10], [10, 10]], "only the largest gets it")]  # fmt: skip
    expect(got[:, :, 0, 0], [[0, 10], [0, 0]], what, slips=slips)
    first = np.array([[[1, 0], [0, 1]], [[0, 0], [1, 1]]], bool)[:, None, :, None]
    what = "max_pool_formula([[[10, 100]], [[1, 2]]], first of (2, 1, 2, 1, 2): two channels, each "
    what += "with two windows of two numbers)"
    with calling(what):
        got = tt.nn.pooling.max_pool_formula(np.array([[[10.0, 100]], [[1, 2]]]), first)
    axes = "grad needs two new axes, in front of its last two: they're the kernel's"
    slips = {(2, 2, 2, 1, 2): axes}
    expect(np.shape(got), (2, 1, 2, 1, 2), f"the shape of {what}", slips=slips)
    slips = [([[[10, 0], [0, 2]], [[0, 0], [1, 2]]], axes),
             ([[[10, 0], [0, 100]], [[0, 0], [2, 2]]], axes)]  # fmt: skip
    want = [[[10, 0], [0, 100]], [[0, 0], [1, 2]]]
    expect(got[:, 0, :, 0], want, f"[:, 0, :, 0] of {what}", slips=slips)
    got = tt.nn.pooling.max_pool_formula(np.ones((2, 3)), np.ones((1, 1, 2, 3), bool))
    what = "the shape of max_pool_formula(grad of shape (2, 3), first of shape (1, 1, 2, 3))"
    expect(np.shape(got), (1, 1, 2, 3), what, slips={(2, 3, 2, 3): axes})
    what = "max_pool_formula([[10]], first without a True in its 2 x 2 window)"
    got = tt.nn.pooling.max_pool_formula(np.array([[10.0]]), np.zeros((2, 2, 1, 1), bool))
    slips = [(lambda g: np.isnan(g).any(), "multiply by first, there's nothing to divide by")]
    expect(got[:, :, 0, 0], [[0, 0], [0, 0]], what, slips=slips)
    one = np.ones((1, 1, 1, 1), bool)
    got = tt.nn.pooling.max_pool_formula(np.array([[10]], np.float32), one)
    what = "the dtype of max_pool_formula of a float32"
    because = "that of grad, and booleans times float32 are float32"
    expect(got.dtype, np.dtype(np.float32), what, because=because)
    x = leaf([[[1, 2, 5, 3], [4, 4, 0, 0]]])
    y = tt.nn.functional.max_pool2d(x, 2)
    what = "x = [[1, 2, 5, 3], [4, 4, 0, 0]], max_pool2d(x, 2), sent [10, 100], x.grad"
    with calling(what):
        y.backward(tt.tensor([[[10.0, 100]]], dtype=tt.float64))
    slips = [([[[0, 0, 100, 0], [10, 10, 0, 0]]], "of equal numbers only the first"),
             ([[[0, 0, 100, 0], [5, 5, 0, 0]]], "of equal numbers only the first")]  # fmt: skip
    expect(x.grad, [[[0, 0, 100, 0], [10, 0, 0, 0]]], what, slips=slips)


@pytest.mark.exercise("12.5", points=1)
@needs_windows
def test_the_way_back_of_pooling_can_be_recorded():
    x = leaf([[[1, 3, 2]]])
    what = "backward(create_graph=True) through max_pool2d(x, (1, 3)) ** 3, x = [[1, 3, 2]],"
    y = tt.nn.functional.max_pool2d(x, (1, 3)) ** 3
    error = error_of(lambda: y.sum().backward(create_graph=True))
    fail_if(error is not None, f"{what} raised {type(error).__name__}: {error}; {BOTH_KINDS}")
    expect(x.grad, [[[0, 27, 0]]], f"{what} x.grad", because="3 * 3 ** 2 for the largest")
    fail_if(x.grad.grad_fn is None, f"{what} x.grad has no history: {BOTH_KINDS}")
    first, x.grad = x.grad, None
    first.sum().backward()
    expect(x.grad, [[[0, 18, 0]]], f"{what} and then again: x.grad", because="6 * 3")


def moments(x, dims, what):
    """The mean, the distances and the variance that moments() gives."""
    lost = worded(RuntimeError, "shapes (2, 4) and (2,) do not broadcast")
    slips = [IN_PLACE, LEADS_OUT, (lost, "keepdim=True keeps the axis of the mean")]
    with calling(what, slips=slips):
        got = tt.nn.normalization.moments(x, dims)
    expect_return(got, what)
    three = "expected three: the mean, the distances, the variance"
    fail_if(isinstance(got, tt.Tensor), f"{what} gave one Tensor, {three}")
    parts = list(got)
    fail_if(len(parts) != 3, f"{what} gave {len(parts)} results, {three}")
    return parts


@pytest.mark.exercise("12.6", points=2)
def test_moments_of_rows_and_columns():
    x = leaf([[1, 1, 3, 3], [0, 4, 4, 8]])
    what = "moments(x, (-1,)), x = [[1, 1, 3, 3], [0, 4, 4, 8]],"
    mean, distance, var = moments(x, (-1,), what)
    axes = "dims says over which axes"
    slips = {(2,): "keepdim=True keeps the axis", (1, 4): axes, (): axes,
             (2, 4): "the mean comes first, then the distances, then the variance"}  # fmt: skip
    expect(tuple(mean.shape), (2, 1), f"the shape of the mean of {what}", slips=slips)
    expect(mean, [[2], [4]], f"the mean of {what}")
    turned = [
        ([[1, 1, -1, -1], [4, 0, 0, -4]], "numbers minus their mean, not the other way round"),
        (
            [[1, 1, 1, 1], [4, 0, 0, 4]],
            "a distance keeps its sign: below the mean it is less than 0",
        ),
        ([[1], [8]], "that's the variance: the distances come second, the variance third"),
    ]
    want = [[-1, -1, 1, 1], [-4, 0, 0, 4]]
    expect(distance, want, f"the distances of {what}", slips=turned)
    expect(tuple(var.shape), (2, 1), f"the shape of the variance of {what}", slips=slips)
    slips = [([[4 / 3], [32 / 3]], "divided by n, not by n - 1"),
             ([[1], [8**0.5]], "that's its root"), ([[1], [2]], "squares of the distances"),
             ([[4], [32]], "the mean of the squares, not their sum"),
             ([[5], [24]], "the squares of the distances, not of the numbers")]  # fmt: skip
    expect(var, [[1], [8]], f"the variance of {what}", slips=slips)
    what = "moments(x, (0,)), x = [[1, 1, 3, 3], [0, 4, 4, 8]],"
    mean, distance, var = moments(x, (0,), what)
    slips = [([[2], [4]], axes)]
    expect(mean, [[0.5, 2.5, 3.5, 5.5]], f"the mean of {what}", slips=slips)
    expect(var, [[0.25, 2.25, 0.25, 6.25]], f"the variance of {what}")
    what = "moments(x, (0, 1)), x = [[1, 1, 3, 3], [0, 4, 4, 8]],"
    mean, distance, var = moments(x, (0, 1), what)
    slips = {12: "divided by the length of the first axis only", 6: "by that of the last axis only"}
    slips = [([[number]], reason) for number, reason in slips.items()]
    expect(mean, [[3]], f"the mean of {what}", slips=slips, because="24 / 8")
    expect(var, [[5.5]], f"the variance of {what}", because="44 / 8")


@pytest.mark.exercise("12.6", points=2)
def test_the_mean_moves_when_a_number_does():
    x = leaf([1, 2, 6])
    mean, distance, var = moments(x, (0,), "moments(x, (0,)), x = [1, 2, 6],")
    for name, part in (("mean", mean), ("distances", distance), ("variance", var)):
        says = f"moments(x, (0,)), x = [1, 2, 6]: nothing leads back from the {name} to x"
        fail_if(not part.requires_grad, f"{says}: leave it in the graph, without detach() or "
                "no_grad()")  # fmt: skip
    what = "x = [1, 2, 6]: the gradient of x, where 3, 0 and 0 is sent to the distances,"
    with calling(what):
        distance.backward(tt.tensor([3.0, 0, 0], dtype=tt.float64))
    slips = [
        ([3, 0, 0], "the mean has been taken for a constant"),
        (None, "nothing leads back to x"),
    ]
    expect(x.grad, [2, -1, -1], what, slips=slips, because="3, less a third of it for each")
    x = leaf([1, 2, 6])
    _, _, var = moments(x, (0,), "moments(x, (0,)), x = [1, 2, 6],")
    what = "x = [1, 2, 6]: the gradient of x, where 3 is sent to the variance,"
    with calling(what):
        (var * 3).sum().backward()
    slips = [(None, "nothing leads back to x"), ([0, 0, 0], "nothing leads back to x")]
    expect(
        x.grad, [-4, -2, 6], what, slips=slips, because="3 * 2 / 3 times the distances -2, -1, 3"
    )
    (slope,) = tt.autograd.grad(tt.nn.normalization.moments(x, (0,))[2].sum(), x, create_graph=True)
    what = "x = [1, 2, 6]: the second derivatives of the variance, those of its slope at x[0],"
    with calling(what):
        (second,) = tt.autograd.grad(slope[0], x)
    slips = [([2 / 3, 0, 0], "the mean has been taken for a constant")]
    because = "the slope is 2/3 of a distance, and the mean moves by 1/3 of each"
    expect(second, [4 / 9, -2 / 9, -2 / 9], what, slips=slips, because=because)
    x = tt.tensor([10000.0, 10001.0])
    slips = [(lambda v: True, "the mean of squares less the squared mean loses all digits; "
              "take the mean of the squared distances")]  # fmt: skip
    got = tt.nn.normalization.moments(x, (0,))[2]
    expect(got, [0.25], "the variance of [10000, 10001] in float32", slips=slips, rtol=1e-2)


@pytest.mark.exercise("12.6", points=2)
def test_normalized_divides_by_the_root():
    distance, var = leaf([[-3, 6]]), leaf([[4]])
    what = "normalized([[-3, 6]], var=[[4]], None, None, eps=5)"
    with calling(what, slips=[IN_PLACE, LEADS_OUT, *IS_NONE]):
        got = tt.nn.normalization.normalized(distance, var, None, None, 5)
    expect_return(got, what)
    inside = "eps stands inside the root"
    slips = [([[-3 / 7, 6 / 7]], inside), ([[-1.5, 3]], "eps has no effect"),
             ([[-13.5 - 3, 27 + 6]], inside), ([[-3 / 2 - 15, 3 + 30]], inside),
             ([[-3 / 5**0.5, 6 / 5**0.5]], "eps is added to the variance, not a bound for it"),
             ([[-3 / 9, 6 / 9]], "the root is missing"), ([[-9, 18]], TIMES)]  # fmt: skip
    expect(got, [[-1, 2]], what, slips=slips, because="the root of 4 + 5 is 3")
    weight, bias = leaf([10, 0]), leaf([100, 0])
    what = "normalized([[-3, 6]], var=[[4]], weight=[10, 0], bias=[100, 0], eps=5)"
    with calling(what, slips=[IN_PLACE, *IS_NONE]):
        got = tt.nn.normalization.normalized(distance, var, weight, bias, 5)
    slips = [([[990, 0]], "weight first, then bias"), ([[-10, 0]], "the bias is added"),
             ([[-110, 0]], "the bias is added to the product, it is no part of the factor"),
             ([[-90, 0]], "weight is the factor, and bias is added: they're exchanged"),
             ([[99, 2]], "weight has no effect"), ([[89, 2]], "the factor is weight"),
             ([[109, 2]], "the factor is weight")]  # fmt: skip
    expect(got, [[90, 0]], what, slips=slips)
    what = "normalized([[-3, 6]], var=[[4]], weight=None, bias=[100, 0], eps=5)"
    with calling(what):
        got = tt.nn.normalization.normalized(distance, var, None, bias, 5)
    slips = [([[-1, 2]], "there's a bias, be there a weight or not")]
    expect(got, [[99, 2]], what, slips=slips)
    what = "normalized([[-3, 6]], var=[[4]], weight=[0, 0], bias=None, eps=5)"
    with calling(what):
        got = tt.nn.normalization.normalized(distance, var, leaf([0, 0]), None, 5)
    slips = [([[-1, 2]], "there's a weight, be it zeros, and be there a bias or not")]
    expect(got, [[0, 0]], what, slips=slips)
    what = "normalized([[0, 1]], var=[[0]], None, None, eps=0.25)"
    with calling(what):
        got = tt.nn.normalization.normalized(leaf([[0, 1]]), leaf([[0]]), None, None, 0.25)
    special = "a variance of 0 is no special case: that's what eps is there for"
    slips = [([[0, 1]], special), ([[0, 0]], special)]
    expect(got, [[0, 2]], what, slips=slips, because="the root of 0 + 0.25 is 0.5")


@pytest.mark.exercise("12.6", points=1)
def test_the_variance_gets_a_gradient_too():
    distance, var = leaf([[-3, 6]]), leaf([[4]])
    what = "normalized([[-3, 6]], var=[[4]], None, None, eps=5), sent [[18, 36]],"
    with calling(what):
        result = tt.nn.normalization.normalized(distance, var, None, None, 5)
        result.backward(tt.tensor([[18.0, 36]], dtype=tt.float64))
    slips = [(None, "leave it in the graph")]
    expect(distance.grad, [[6, 12]], f"{what} distance.grad", slips=slips)
    because = "the slopes are 3/54 and -6/54, times 18 and 36"
    expect(var.grad, [[-3]], f"{what} var.grad", slips=slips, because=because)
