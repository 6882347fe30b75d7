"""Chapter 7: exponentials that don't overflow, shares that move each other, products with zeros."""

import itertools

import numpy as np
import pytest

import tinytorch as tt
from course.testing import calling, calls_of, expect, fail_if, lacks, numpys_words, worded

OVERFLOW = "e to a number that large is more than a float can hold: take the largest out first"
OWN = "each sum has a largest number of its own"
RECORDED = "a formula computes with Tensors as well, and keeps to their own operations: no NumPy"
LOST = RECORDED + ", nor detach(), which loses the history"
CUT = "it computes with the Tensors themselves, not with copies of their numbers"


def is_an_operation(error):
    return str(error).endswith(": input must be a Tensor, got ndarray")


METHOD = (
    "that's an operation, for Tensors only; arrays have methods, as in x.sum(axis=…), and exp()"
)
BOTH = "Tensors have that method, arrays don't: use what both have, and the functions beside it"
ARRAYS_ALONE = "finite_max and log_of_sum are ways there, and take arrays alone: y knows the sum"
READ_ONLY = "what a formula was given is only read: no grad -= …, but a new Tensor"
A_NUMBER = "of a number, axis is ()"
NO_ARRAY = "of an array without axes NumPy makes a number, which is neither ndarray nor Tensor"
TUPLES = "spread and kept_shape take a tuple of axes: (axis,)"
BARE = (
    lambda e: "cannot reshape" in str(e),
    "spread takes grad alone; what it gives is multiplied",
)
FLIP = (lambda e: "attribute 'flip'" in str(e), "only Tensors have flip(): flipped takes either")
BACKWARDS = (
    lambda e: "positive step" in str(e),
    "neither np.flip nor [::-1] turns a Tensor round: flipped(x, axis) does, and keeps its history",
)
ONE_AXIS = (lambda e: "not iterable" in str(e), TUPLES)
JUST_A_NUMBER = (lambda e: "sequence by non-int" in str(e), "axis is a number: before and flipped "
                 "want it like that, and only spread a tuple of it")  # fmt: skip
NO_AFTER = (
    lambda e: "name 'after'" in str(e),
    "there's no after(): it's what's before, once the numbers are turned round",
)
ROWS = "that's one table of slopes for all rows, and each has its own: you need none. "
ROWS += "See what the sum over i leaves"


def table_slips(n):
    """Was a table of slopes made of all n elements of rows, or for each?"""
    sizes = f"({n},{n})"
    return [
        (lambda e: isinstance(e, ValueError) and sizes in str(e).replace(" ", ""), ROWS),
        (lambda g: g.ndim > 2, ROWS),
    ]


def array_from(name, *given, what, slips=()):
    """What a function of ops.reductions gives for arrays, without NumPy's warnings."""
    slips = [*slips, (is_an_operation, METHOD), (lacks("ndarray"), BOTH), ONE_AXIS]
    with calling(what, slips=[*slips, *numpys_words()]), np.errstate(all="ignore"):
        got = getattr(tt.ops.reductions, name)(*given)
    lost = f"{what} gave None, expected an array: it has to return what it makes"
    fail_if(got is None, lost)
    says = f"{what} = {got!r}, expected an array"
    fail_if(isinstance(got, np.generic), f"{says}: the axis stays, with length 1: keepdims=True")
    fail_if(not isinstance(got, np.ndarray), says)
    return got


def expect_recorded(name, what, **tensors):
    """A formula makes of Tensors a Tensor with a history that leads to each leaf among them."""
    axes = tensors.pop("axes")
    slips = [BACKWARDS, (worded(RuntimeError, "in place"), READ_ONLY)]
    slips += [(lambda e: calls_of("finite_max", e), ARRAYS_ALONE)]
    slips += [(worded(RuntimeError, "lose its history"), LOST)]
    slips += [(kind, RECORDED) for kind in (AttributeError, TypeError, RuntimeError)]
    with calling(what, slips=slips):
        got = getattr(tt.ops.reductions, name)(*tensors.values(), axes)
    fail_if(not isinstance(got, tt.Tensor), f"{what} = {got!r}, expected a Tensor: {RECORDED}")
    fail_if(not got.requires_grad, f"{what} has no history: {CUT}")
    with calling(f"backward() of {what}"):
        got.sum().backward()
    for letter, tensor in tensors.items():
        lost = tensor.is_leaf and tensor.grad is None
        fail_if(lost, f"{what} has no history that leads to {letter}: {CUT}")


def leaf(numbers):
    return tt.tensor(np.array(numbers, np.float64), requires_grad=True)


@pytest.mark.exercise("7.4", points=2)
def test_a_sum_of_exponentials_of_any_size():
    for numbers, want, summed in (
        ([3, 3], 3.693147, "e⁰ + e⁰"),
        ([1000, 1000], 1000.693147, "e⁰ + e⁰"),
        ([0, 2000], 2000, "e⁻²⁰⁰⁰ + e⁰"),
    ):
        what = f"log_of_sum(array({numbers}), (0,))"
        got = array_from("log_of_sum", np.array(numbers, np.float64), (0,), what=what)
        slips = [
            (lambda g: g.shape == (), "the axis stays, with length 1: keepdims=True"),
            (
                lambda g: np.isnan(g).any(),
                "infinity minus infinity: take out the largest before exp",
            ),
            (lambda g: np.isposinf(g).any(), OVERFLOW),
            ([want - max(numbers)], "what was taken out must be put back"),
            ([want + max(numbers)], "put it back once"),
            ([want - 2 * max(numbers)], "what was taken out is added again, not taken out twice"),
            ([np.log(np.exp(want - max(numbers)) + max(numbers))], "put it back outside the log"),
            ([np.exp(want - max(numbers)) + max(numbers)], "that's without a log"),
            ([max(numbers) * (want - max(numbers))], "what was taken out is added, not multiplied"),
            (lambda g: g.shape == (2,), "the exponentials are added up along axes, before the log"),
            (
                [max(numbers)],
                "that's the largest alone, or the log of a mean: the log of what's added up is "
                "more than 0 here",
            ),
            (lambda g: np.isneginf(g).any(), "that's log(0), and e⁰ is 1: exp first, then the sum"),
            (lambda g, n=numbers: g < max(n), "that's less than the largest number"),
        ]
        because = f"what's expected is {max(numbers)} + log({summed})"
        expect(got, [want], what, slips=slips, because=because)
    what = "log_of_sum(array([-1000, -1000]), (0,))"
    got = array_from("log_of_sum", np.array([-1000.0, -1000]), (0,), what=what)
    largest = "each exponential is 0 here, unless the largest is taken out first, and that's -1000"
    slips = [([-np.inf], largest)]
    expect(got, [-999.306853], what, slips=slips, because="-1000 + log(e⁰ + e⁰)")


@pytest.mark.exercise("7.4", points=2)
def test_each_sum_has_its_own_largest():
    x = np.array([[0.0, 0], [2000, 2000]])
    what = "log_of_sum(array([[0, 0], [2000, 2000]]), (1,))"
    got = array_from("log_of_sum", x, (1,), what=what)
    slips = [(lambda g: g.shape == (2,), "the axis stays, with length 1: keepdims=True"),
             ([[-np.inf], [2000.693147]], OWN),
             ([[0.693147] * 2, [2000.693147] * 2], "the sum, too, keeps its axis: keepdims=True"),
             (lambda g: g.shape == (2, 2), "sum and largest keep their axis: keepdims=True"),
             ([[np.log(4)], [2000 + np.log(4)]], "that's one sum of all: each row has its own"),
             (lambda g: g.shape in ((1, 1), (1, 2)), "axes says what to sum over")]  # fmt: skip
    expect(got, [[0.693147], [2000.693147]], what, slips=slips)
    what = "log_of_sum(array([[0, 0], [2000, 2000]]), (0, 1))"
    got = array_from("log_of_sum", x, (0, 1), what=what)
    slips = [([[2000 + np.log(4)]], "finite_max(x, axes): the largest along the same axes")]
    because = "one sum over both of the axes"
    expect(got, [[2000.693147]], what, slips=slips, because=because)
    what = "log_of_sum(x, ()), x = array([3, 4]), no axis to sum over,"
    got = array_from("log_of_sum", none := np.array([3.0, 4]), (), what=what)
    expect(got, [3, 4], what)
    fail_if(np.shares_memory(got, none), f"{what} shares its memory with x: make a new array")
    for numbers, want in (([-np.inf, -np.inf], -np.inf), ([np.inf, 0], np.inf), ([-np.inf, 3], 3)):
        what = f"log_of_sum(array({numbers}), (0,))"
        got = array_from("log_of_sum", np.array(numbers), (0,), what=what)
        slips = [(lambda g: np.isnan(g).any(), "inf - inf: finite_max(x, axes) takes care of that")]
        zero = "all exponentials are 0, and so is their sum: its log is -inf, with nothing added"
        slips += [(lambda g: np.isfinite(g).all(), zero)] * (want == -np.inf)
        expect(got, [want], what, slips=slips)


@pytest.mark.exercise("7.4", points=2)
def test_each_element_gets_its_share_of_the_sum():
    x, y = np.log([[1.0, 3], [2, 2]]), np.log([4.0, 4])
    what = "logsumexp_formula(grad=[10, 100], x=log([[1, 3], [2, 2]]), y=log([4, 4]), axes=(1,))"
    got = array_from("logsumexp_formula", np.array([10.0, 100]), x, y, (1,), what=what)
    slips = [
        ([[0.25, 0.75], [0.5, 0.5]], "multiply by grad"),
        ([[2.5, 75], [5, 50]], "grad has one number for each row: reshape it to kept_shape first"),
        ([[10, 30], [200, 200]], "the share is exp(x) / sum, and y is the log of that sum"),
        ([[10, 10], [100, 100]], "that's a sum's: what share does each exponential have?"),
        ([[40, 40 / 3], [200, 200]], "that's one over the share: x - y, not y - x"),
        (np.array([[10.0, 30], [200, 200]]) / np.log(4), "y is the log of the sum, not the sum"),
        (np.array([[10.0], [100]]) * (x - y[:, None]), "that's the log of the share: exp(x - y)"),
        (np.array([[10.0], [100]]) + np.exp(x - y[:, None]), "grad times the share, not plus"),
        (
            np.array([[10.0], [100]]) * x / y[:, None],
            "that's x / y, and both are logarithms: their difference, and exp of that",
        ),
        ([[1.25, 3.75], [25, 25]], "that's one sum of all: each row has its own"),
        ([[5, 15], [100, 100]], "that's divided by the mean: the share is of the sum"),
    ]
    because = "the shares are 1 and 3 of 4, 2 and 2 of 4"
    expect(got, [[2.5, 7.5], [50, 50]], what, slips=slips, because=because)
    what = "logsumexp_formula(grad=[[10], [-100]], the same x, y=log([[4], [4]]), axes=(1,))"
    given = np.array([[10.0], [-100]]), x, y[:, None], (1,)
    got = array_from("logsumexp_formula", *given, what=what)
    negative = lambda g: np.isnan(g[1]).all() and not np.isnan(g[0]).any()  # noqa: E731
    slips = [(negative, "grad may be negative: what has no logarithm is multiplied")]
    expect(got, [[2.5, 7.5], [-50, -50]], what, slips=slips, because=because)


@pytest.mark.exercise("7.4", points=2)
def test_no_share_overflows_and_all_are_recorded():
    what = "logsumexp_formula(grad=10, x=[1000, 0], y=1000, axes=(0,))"
    given = np.array(10.0), np.array([1000.0, 0]), np.array(1000.0), (0,)
    got = array_from("logsumexp_formula", *given, what=what)
    slips = [(lambda g: np.isnan(g).any(), "inf / inf: subtract y before exp, don't divide after")]
    expect(got, [10, 0], what, slips=slips)
    what = "logsumexp_formula(grad=[1, 1], x=[[0, 0], [2000, 2000]], "
    what += "y=[0.693147, 2000.693147], axes=(1,))"
    x = np.array([[0.0, 0], [2000, 2000]])
    given = np.array([1.0, 1]), x, np.array([0, 2000]) + np.log(2), (1,)
    got = array_from("logsumexp_formula", *given, what=what)
    with np.errstate(over="ignore"):
        along_the_last = np.exp(x - given[2])
    slips = [
        (lambda g: np.isnan(g).any(), OWN),
        (along_the_last, "y, too, has one number for each row: reshape it to kept_shape first"),
    ]
    expect(got, [[0.5, 0.5]] * 2, what, slips=slips)
    what = "logsumexp_formula(grad, x, y, (1,)) of three Tensors"
    given = {"grad": leaf([1, 2]), "x": leaf([[1, 2], [3, 5]])}
    expect_recorded("logsumexp_formula", what, **given, y=given["x"].logsumexp(1), axes=(1,))
    x = leaf(np.log([1, 3]))
    what = "logsumexp_formula(100, x, y, (0,))[0], x = log([1, 3]), y = x.logsumexp(0)"
    with calling(f"backward() of {what}"):
        share = tt.ops.reductions.logsumexp_formula(leaf(100), x, x.logsumexp(0), (0,))[0]
        share.backward()
    slips = [([25, 0], f"y moves with x, too: {CUT}"), ([-6.25, -18.75], f"x moves, too: {CUT}")]
    because = "100 times the share is 100 / (1 + 3), and e to the x[1] is a part of the 1 + 3"
    expect(x.grad, [18.75, -18.75], f"the slope in x of {what}", slips=slips, because=because)
    x = leaf([1000, 0])
    what = "logsumexp_formula(10, x, y, (0,)), x = [1000, 0], y = x.logsumexp(0)"
    with calling(f"backward() of {what}"):
        share = tt.ops.reductions.logsumexp_formula(leaf(10), x, x.logsumexp(0), (0,))
        share[1].backward()
    over = "an exponential overflows on the way: exp(x - y) is never more than 1"
    slips = [(lambda g: np.isnan(g.numpy()).any(), over)]
    expect(x.grad, [0, 0], f"the slope in x of element 1 of {what}", slips=slips)
    x = leaf([1000, 1000])
    with calling("x.logsumexp(0).backward(), x = [1000, 1000]"):
        x.logsumexp(0).backward()
    expect(x.grad, [0.5, 0.5], "x.grad after x.logsumexp(0).backward(), x = [1000, 1000]")


@pytest.mark.exercise("7.5", points=2)
def test_a_share_that_grows_takes_from_the_others():
    shares = np.array([0.2, 0.3, 0.5])
    what = "softmax_formula(grad=[10, 0, 0], y=[0.2, 0.3, 0.5], axis=(0,))"
    got = array_from("softmax_formula", np.array([10.0, 0, 0]), shares, (0,), what=what)
    with_exp = np.exp(shares) * ([10, 0, 0] - 10 * np.exp(shares[0]))
    slips = [
        ([1.6, 0, 0], "that's the diagonal: x[1] and x[2] move y[0], too"),
        ([2, 0, 0], "that's grad * y: what about the others, from which the share is taken?"),
        ([1.6, -2.4, -4], "grad and y are multiplied first, and summed then"),
        ([8, -3, -5], "that's log_softmax: here each part is times y"),
        ([2.4, 0.6, 1], "the others go down: minus"),
        ([0, -2, -2], "each element gets its share of the sum: times y"),
        ([0, -3, -5], "sum over grad * y"),
        ([0, -0.6, -1], "sum over grad * y"),
        ([-1.6, 0.6, 1], "that's turned round: from grad * y, the shares of its sum are taken"),
        (shares * ([10, 0, 0] - np.full(3, 10 / 3)), "that's the mean of grad: sum over grad * y"),
        ([2, 0, 0] - shares * 2 / 3, "that's the mean of grad * y: it's the sum that's shared out"),
        ([8, -2, -2], "both parts are times y, what comes for each and the sum: y is missing"),
        (lambda g: np.isnan(g).any(), "where grad is 0, nothing can be divided by it"),
        ([9.6, -0.6, -1], "grad itself, too, is times y"),
        (
            [1.6, -0.9, -2.5],
            "off the diagonal stands -y[i] y[j]: two shares, no square",
        ),
        (with_exp, "y is the share already: exp is for log_softmax"),
        ([-0.4, -0.6, -1], "that's only what is taken away: from grad * y, which is missing"),
        ([1.92, -0.18, -0.5], "that's y * (grad - y * sum): one y too many"),
    ]
    because = "grad * y = [2, 0, 0], and y times its sum is [0.4, 0.6, 1]"
    expect(got, [1.6, -0.6, -1], what, slips=slips, because=because)
    what = "softmax_formula(grad=[7, 7, 7], y=[0.2, 0.3, 0.5], axis=(0,))"
    got = array_from("softmax_formula", np.full(3, 7.0), shares, (0,), what=what)
    expect(got, [0, 0, 0], what, because="the sum of all shares is 1, whatever x does")


@pytest.mark.exercise("7.5", points=2)
def test_the_log_of_a_share():
    shares = np.array([0.2, 0.3, 0.5])
    what = "log_softmax_formula(grad=[10, 0, 0], y=log([0.2, 0.3, 0.5]), axis=(0,))"
    got = array_from("log_softmax_formula", np.array([10.0, 0, 0]), np.log(shares), (0,), what=what)
    logs = np.log(shares)
    product = np.array([10.0, 0, 0]) * shares
    summed = (np.array([10.0, 0, 0]) * logs).sum()
    with_logs = (logs * 10, summed, logs * summed, np.exp(logs) * summed)
    the_log = "y is the log of the share: exp(y) is the share"
    slips = [
        *[([10, 0, 0] - taken, the_log) for taken in with_logs],
        ([10, 0, 0] * logs - logs * summed, the_log),
        ([8, 0, 0], "x[1] and x[2] move y[0], too: sum grad over axis"),
        (product - shares * product.sum(), "that's softmax: the log has divided y away"),
        ([12, 3, 5], "the others go down: minus"),
        ([10, 0, 0], "and the sum that everything is divided by?"),
        ([0, -10, -10], "each element gets its share of the sum: times exp(y)"),
        ([10, 0, 0] - shares * 2, "that's the softmax's sum: here it's the sum of grad alone"),
        ([10, 0, 0] - shares, "that's the share of 1: here it's of the sum of grad"),
        ([10, 0, 0] - shares * 10 / 3, "that's the mean of grad: the sum is shared out"),
        ([-2, -3, -5], "that's only what is taken away: from grad, which is missing"),
        (
            [8, -2, -2],
            "that's the softmax's sum, of grad * share: here grad is summed alone, and "
            "then shared out",
        ),
    ]
    because = "grad is [10, 0, 0], its sum 10, and the shares of that are [2, 3, 5]"
    expect(got, [8, -3, -5], what, slips=slips, because=because)
    far = np.array([0.0, -2000])
    what = "log_softmax_formula(grad=[1, 10], y=[0, -2000], axis=(0,))"
    got = array_from("log_softmax_formula", np.array([1.0, 10]), far, (0,), what=what)
    expect(got, [-10, 10], what, because="the shares are 1 and 0, and nothing is divided by the 0")


@pytest.mark.exercise("7.5", points=2)
def test_each_row_or_column_shares_on_its_own():
    y, grad = np.array([[0.2, 0.8], [0.5, 0.5]]), np.array([[10.0, 0], [100, 0]])
    formulas = {
        "softmax_formula": ([[1.6, -1.6], [25, -25]], grad * y, y),
        "log_softmax_formula": ([[8, -8], [50, -50]], grad, np.log(y)),
    }
    for name, (want, parts, saved) in formulas.items():
        wrong = {  # what the sum may be, if it's over the wrong numbers
            "axis says what shares: each row or column has a sum of its own": parts.sum(),
            "that's the other axis": parts.sum(axis=0),
            "the sum keeps its axis: keepdims=True": parts.sum(axis=1),
        }
        values = {reason: parts - y * total for reason, total in wrong.items()}
        for axis, turn in ((1, np.asarray), (0, np.transpose)):
            what = f"{name} of {['columns', 'rows'][axis]}, axis=({axis},),"
            keep = [*table_slips(4), (ValueError, "keepdims=True")]
            given = turn(grad), turn(saved), (axis,)
            got = array_from(name, *given, what=what, slips=keep)
            slips = [(turn(value), reason) for reason, value in values.items()] + table_slips(4)
            expect(got, turn(np.array(want)), what, slips=slips)


@pytest.mark.exercise("7.5", points=2)
def test_both_formulas_are_recorded():
    for name in ("softmax_formula", "log_softmax_formula"):
        shares, logs = np.array([[0.2, 0.8], [0.5, 0.5]]), name == "log_softmax_formula"
        given = {"grad": leaf([[1, 2], [3, 4]]), "y": leaf(np.log(shares) if logs else shares)}
        what = f"{name}(grad, y, (1,)) of two Tensors"
        expect_recorded(name, what, **given, axes=(1,))
        still = np.ones((2, 2)) if logs else shares  # the slopes if the sum were a constant
        slips = [(still, f"what is subtracted moves with grad, too: {CUT}")]
        because = "each row adds up to 0, whatever grad is"
        what = f"the slopes in grad of the sum of {what}"
        expect(given["grad"].grad, np.zeros((2, 2)), what, slips=slips, because=because)
    for name in ("softmax_formula", "log_softmax_formula"):
        expect_the_result_to_move(name)
    x = leaf([1, 2, 3])
    with calling("x.softmax(0).backward([1, 0, 0])"):
        x.softmax(0).backward(tt.tensor([1.0, 0, 0]))
    y = np.exp([1, 2, 3]) / np.exp([1, 2, 3]).sum()
    want = y[0] * (np.array([1, 0, 0]) - y)
    expect(x.grad, want, "x.grad after x.softmax(0) of [1, 2, 3] was sent [1, 0, 0]")


def expect_the_result_to_move(name):
    """The slopes of a formula in x: of all the places where y stands, none is a constant."""
    numbers, grad = np.array([0.0, 1, 2]), np.array([1.0, 10, 100])
    x, logs = leaf(numbers), name == "log_softmax_formula"
    letter = "x.log_softmax(0)" if logs else "x.softmax(0)"
    what = f"{name}(grad, y, (0,))[0], grad = [1, 10, 100], y = {letter}, x = [0, 1, 2]"
    with calling(f"backward() of {what}"):
        y = x.log_softmax(0) if logs else x.softmax(0)
        getattr(tt.ops.reductions, name)(leaf(grad), y, (0,))[0].backward()
    share = np.exp(numbers) / np.exp(numbers).sum()
    first = np.array([1, 0, 0])
    by_y = share[0] * (first - share)  # how the share number 0 moves
    total = (grad * share).sum()
    by_total = share * (grad - total)  # how the sum of grad * share moves
    want = by_y * (grad[0] - total) - share[0] * by_total
    slips = [(by_y * (grad[0] - total), f"the y in the sum moves, too: {CUT}"),
             (-share[0] * by_total, f"only the y in the sum moves: {CUT}"),
             (by_y * grad[0], f"what is subtracted moves, too: {CUT}")]  # fmt: skip
    if logs:
        want, slips = -by_y * grad.sum(), []
    expect(x.grad, want, f"the slope in x of {what}", slips=slips)


@pytest.mark.exercise("7.5", points=1)
def test_a_number_has_all_of_the_share():
    for name, y, stays in (("softmax", 1.0, "1"), ("log_softmax", 0.0, "0, the log of 1")):
        what = f"{name}_formula(grad=10, y={y:g}, axis=()), where x is a number,"
        slips = [(IndexError, A_NUMBER), (ValueError, A_NUMBER), (lacks("float64"), NO_ARRAY)]
        formula = getattr(tt.ops.reductions, f"{name}_formula")
        with calling(what, slips=slips):
            got = formula(np.array(10.0), np.array(y), ())
        because = f"y is always {stays}, whatever x is"
        slips = [(10, f"that's grad itself, but {because}")]
        expect(np.asarray(got), np.array(0.0), what, slips=slips, because=because)


def product_slips(x, grad):
    """What the gradient of a product of a vector is if it's made wrongly."""
    with np.errstate(all="ignore"):
        whole = grad * x.prod()
        yield whole / x, "dividing by x, or taking its logarithm, is NaN where x is 0"
        yield np.where(x == 0, 0, whole / x), "the 0 itself gets the product of all others"
        yield np.full(len(x), whole), "the element itself isn't among the others"
        moves = "the product is 0, but it moves when the 0 does"
        some = "all of them 0: without a 0 among the numbers, each has a slope"
        yield np.zeros(len(x)), some if x.all() else moves
        rest = np.where(x == 0, 1, x).prod() * grad
        yield np.where(x == 0, rest, whole / x), "with two zeros, all of the gradients are 0"
        yield rest / np.where(x == 0, 1, x), "a 0 among the others makes their product 0"
        before = np.cumprod([1, *x[:-1]])
        after = np.cumprod([1, *x[:0:-1]])[::-1]
        yield grad * (before + after), "times what stands after, not plus"
        through = np.cumprod(x) * np.cumprod(x[::-1])[::-1]
        itself = (
            "that's what stands before times what stands after, each with the element itself in it"
        )
        yield grad * through, itself
        yield grad * grad * before * after, "grad comes in once"
        yield grad * before * before, "that's what stands before, twice: and what stands after?"
        yield grad * before, "that's what stands before: and what stands after?"
        yield grad * after, "that's what stands after: and before?"
        yield grad * before * after[::-1], "turn it back: flipped twice"
        flip = "flip x first, and then what came of it: flipped twice"
        after_of = lambda a: np.cumprod([1, *a[:0:-1]])[::-1]  # noqa: E731
        alone = "what's run through is x alone: grad, before and after are multiplied at the end"
        before_grad = np.cumprod([1, *(grad * x)[:-1]])
        for run in (
            before_grad * after,
            before * after_of(grad * x),
            before_grad * after_of(grad * x),
        ):
            yield run, alone
            yield grad * run, alone
        for factor, rest in itertools.product(
            (before, grad * before), (1, grad, before, grad * before)
        ):
            yield after_of(factor) * rest, alone
        yield grad * before[::-1], flip
        yield grad * before * before[::-1], flip


@pytest.mark.exercise("7.6", points=2)
def test_each_factor_gets_the_product_of_the_others():
    for numbers, want in (
        ([2, 3, 4], [120, 80, 60]),
        ([2, 0, 6], [0, 120, 0]),
        ([2, 0, 0], [0] * 3),
    ):
        x = np.array(numbers, np.float64)
        what = f"prod_formula(grad=10, x={numbers}, axis=0)"
        raised = [ONE_AXIS, JUST_A_NUMBER, NO_AFTER, BARE, FLIP]
        got = array_from("prod_formula", np.array(10.0), x, 0, what=what, slips=raised)
        slips = [pair for pair in product_slips(x, 10.0) if not np.allclose(pair[0], want)]
        slips += [(np.array(want) / 10, "multiply by grad")]
        others = "each gets 10 times the product of the others"
        expect(got, want, what, slips=slips, because=others)


@pytest.mark.exercise("7.6", points=2)
def test_products_along_one_axis():
    x, grad = np.array([[1.0, 2], [3, 0]]), np.array([10.0, 100])
    what = "prod_formula(grad=[10, 100], x=[[1, 2], [3, 0]], axis=0)"
    back = "spread(grad, x.shape, (axis,)) gives grad its axis back"
    slips = [
        ONE_AXIS,
        (lambda e: isinstance(e, ValueError), back),
    ]
    got = array_from("prod_formula", grad, x, 0, what=what, slips=slips)
    slips = [([[0, 0], [0, 600]], "only the others in its own column"),
             ([[30, 0], [100, 2000]], "each column has a grad: spread it along axis"),
             ([[30, 0], [10, 20]], "each column has a grad: spread it along axis"),
             ([[10, 100], [10, 400]], "that's turned round along the last axis: along `axis`"),
             ([[0, 300], [10, 200]], "turn x round along `axis` alone, then back")]  # fmt: skip
    expect(got, [[30, 0], [10, 200]], what, slips=slips)
    what = "prod_formula(grad=[10, 100], x=[[1, 2], [3, 0]], axis=1)"
    got = array_from("prod_formula", grad, x, 1, what=what)
    slips = [([[20, 100], [0, 300]], "each row has a grad: spread it along axis"),
             ([[30, 0], [10, 200]], "that's axis 0"),
             ([[30, 0], [100, 200]], "these are the others along axis 0"),
             ([[20, 0], [100, 300]], "what belongs into column i stands in row i: along `axis`"),
             ([[10, 10], [100, 900]], "what stands before, twice: turn x round along axis 1, and "
              "[::-1] turns axis 0")]  # fmt: skip
    expect(got, [[20, 10], [0, 300]], what, slips=slips)
    what = "prod_formula(grad=[[10], [100]], x=[[1, 2], [3, 0]], axis=1)"
    got = array_from("prod_formula", grad[:, None], x, 1, what=what)
    expect(got, [[20, 10], [0, 300]], what, because="grad may have length 1 at axis, or lack it")


def is_fudged():
    """Does prod_formula come near a product that's 0, and not to it?"""
    got = tt.ops.reductions.prod_formula(np.array(1.0), np.array([2.0, 0, 6]), 0)
    return np.any(np.asarray(got)[[0, 2]])


TWO_ZEROS = "with two zeros all slopes are 0, but they move: a special case that answers 0 "
TWO_ZEROS += "has lost that"


def expect_slopes_at_two_zeros():
    """Of two zeros, each is the other's slope: it's 0, moves with the other, and with grad."""
    for numbers, want in (([0, 0], [10, 10]), ([0, 3, 0], [30, 0, 30])):
        grad, x = leaf(10), leaf(numbers)
        what = f"prod_formula(10, {numbers}, 0) of two Tensors"
        with calling(what):
            got = tt.ops.reductions.prod_formula(grad, x, 0)
        asks = isinstance(got, tt.Tensor) and got.requires_grad
        fail_if(not asks, f"{what} = {got!r}, expected a Tensor with a history: {TWO_ZEROS}")
        with calling(f"backward() of {what}"):
            got.sum().backward()
        slips = [(lambda g: g is None or not g.numpy().any(), TWO_ZEROS)]
        because = "each gets 10 times the product of the others, and that moves when these do"
        expect(x.grad, want, f"the slopes in x of the sum of {what}", slips=slips, because=because)
        because = "though the slopes are 0, what it gives is made of grad"
        slips = [(lambda g: g is None, TWO_ZEROS)]
        said = f"the slope in grad of the sum of {what}"
        expect(grad.grad, 0, said, slips=slips, because=because)


@pytest.mark.exercise("7.6", points=2)
def test_the_way_back_of_a_product_is_recorded():
    given = {"grad": leaf(10), "x": leaf([2, 0, 6])}
    expect_recorded("prod_formula", "prod_formula(grad, x, 0) of two Tensors", **given, axes=0)
    want = [6 + 0, 2 + 6, 0 + 2]  # the slopes of the sum of all products of two
    what = "the slopes in x of the sum of prod_formula(10, [2, 0, 6], 0)"
    because = "these gradients are 10 * x[1] * x[2], 10 * x[0] * x[2] and 10 * x[0] * x[1]"
    divided = "dividing by x, or taking its logarithm, is NaN where x is 0, of Tensors, too"
    constant = "x[1] is a factor of two of them: though it's 0, they move when it does"
    half = "what stands after each element moves, too, but its history is lost: flipped keeps it"
    nearly = "a number near 0 took the place of the 0: take it as it is"
    slips = [(lambda g: np.isnan(g.numpy()).any(), divided)]
    slips += [
        (lambda g: abs(g.numpy()).max() > 1e6 or is_fudged(), nearly),
        ([60, 0, 20], constant),
    ]
    other = "what stands before each element moves, too, but its history is lost"
    slips += [([60, 20, 0], half), ([0, 60, 20], other)]
    expect(given["x"].grad, 10 * np.array(want), what, slips=slips, because=because)
    expect_slopes_at_two_zeros()
    x = leaf([[2, 0], [3, 4]])
    with calling("x.prod().backward(), x = [[2, 0], [3, 4]]"):
        x.prod().backward()
    expect(x.grad, [[0, 24], [0, 0]], "x.grad after x.prod().backward(), x = [[2, 0], [3, 4]]")
