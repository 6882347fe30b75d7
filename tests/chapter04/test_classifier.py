"""Chapter 4: from scores to the logarithms of probabilities."""

import numpy as np
import pytest

import tinytorch as tt
from course.basics import builds_on
from course.testing import (
    calling,
    expect,
    expect_backward,
    lacks,
    leaf,
    numpys_words,
    way_back,
    worded,
)

NO_MAX = "a Tensor has no such method: each m is a plain number, so take it from x.data with NumPy"


def unknown():
    """The errors of beginners, said in words."""
    return [
        (lacks("Tensor", "max", "amax", "maximum"), NO_MAX),
        (lacks("Tensor"), "a Tensor has no such method: exp, sum, log and the operators will do"),
        (
            lacks("ndarray", "exp", "log"),
            "that's an array by now: only the ms are, x stays a Tensor",
        ),
        (
            worded(TypeError, "support ufuncs"),
            "NumPy's functions take arrays: np.max can have x.data; exp, sum and log are methods",
        ),
        (worded(TypeError, "'out'"), "np.sum takes arrays: a Tensor has its own, y.sum(axis=…)"),
        *numpys_words(),
        (
            worded(TypeError, "'Tensor' object is not iterable"),
            "Python's max and sum can't loop over a Tensor: each m is a plain number, so take it "
            "from x.data with NumPy",
        ),
    ]


def unlogged(rows):
    """Slips for log p: p itself, and what it is without its minus sign."""
    p = np.array(rows, dtype=float)
    return [
        (p, "that's p: the result is log(p)"),
        (-np.log(p), "that's -log(p): the result is log(p)"),
    ]


def took_log_of(is_so):
    """A question for slips: did a log on the way to this result take such a number?"""

    def question(got):
        made = [t.grad_fn for t in way_back(got) if t.grad_fn is not None]
        return any(is_so(c.inputs[0].data).any() for c in made if c.function is tt.Log)

    return question


@pytest.mark.exercise("4.7", points=1)
@builds_on("4.2")
def test_scores_become_logarithms_of_probabilities():
    x, p = np.log([1, 3, 4]), [1 / 8, 3 / 8, 4 / 8]
    one = "x has one axis here, or any number of them: the last one is -1"
    by_hand = "x has one axis here, and its maximum none that an index could go to: keepdims=True "
    by_hand += "leaves one, however many axes x has"
    slips = [
        (worded(IndexError, "invalid index to scalar"), by_hand),
        (lambda e: isinstance(e, (IndexError, ValueError)), one),
        *unknown(),
    ]
    what = "log_softmax([log 1, log 3, log 4])"
    with np.errstate(all="ignore"), calling(what, slips=slips):
        got = tt.log_softmax(leaf(x))
    y = x - np.log(4)  # shifted
    itself = "the sum itself was subtracted: take its log"
    mean = "that's with the mean of the exponentials: take their sum"
    divided = "it was divided by the log of the sum: log p is a difference"
    slips = [
        *unlogged(p),
        (took_log_of(lambda a: a < 0), "the log of a negative number was taken, and no sum of "
                                       "exponentials is negative"),
        (took_log_of(lambda a: a == 0), "every exp was rounded to 0, and 0 has no log: "
                                        "that m is too large for these scores"),
        (x - np.log(x.sum()), "exp is missing: it's the log of the sum of exp(x)"),
        (y - 2, itself),
        (x - 8, itself),
        (y - np.log(2 / 3), mean),
        (x - np.log(8 / 3), mean),
        (y / np.log(2), divided),
        (x / np.log(8), divided),
        (x - np.log(2), "the sum is right, and x isn't shifted: from the first shift on, "
                        "use x - m everywhere"),
        (x - np.log(4) - np.log(8), "m was subtracted twice: x - m - log(sum(exp(x - m)))"),
        (x - np.log(4), "only m was subtracted: the log of the sum is missing"),
        (np.log(p) / np.log(2), "that's the logarithm to base 2"),
    ]  # fmt: skip
    expect(got, np.log(p), what, slips=slips)
    half = [0.5, 0.5]
    because = "equal scores get equal shares, and the result is log(1/2)"
    got = tt.log_softmax(leaf([0, 0]))
    expect(got, np.log(half), "log_softmax([0, 0])", slips=unlogged(half), because=because)
    because = "a score that is alone gets all of it, and log(1) is 0: nothing else is added"
    expect(tt.log_softmax(leaf([5])), [0], "log_softmax([5])", because=because, atol=1e-12)


@pytest.mark.exercise("4.7", points=1)
@builds_on("4.2")
def test_each_row_is_on_its_own():
    x, p = np.log([[1, 3], [5, 5]]), np.array([[1 / 4, 3 / 4], [1 / 2, 1 / 2]])
    y = x - np.log([[3], [5]])  # shifted
    beside = x - np.log([3, 5])  # shifted across
    both = "the rows' largest scores and their sums went along the columns: keepdims=True in both"
    whole = "the sum was taken over all rows: each has its own, axis=-1"
    crossed = "the rows' sums went along the columns: keepdims=True in the sum"
    slips = [
        *unlogged(p),
        (x - np.log(14), whole),
        (y - np.log(10 / 3), whole),
        (x - np.log([4, 10]), crossed),
        (y - np.log([4 / 3, 2]), crossed),
        (
            beside - np.log(np.exp(beside).sum(axis=-1, keepdims=True)),
            "the rows' largest scores went along the columns: keepdims=True in the maximum, too",
        ),
        (beside - np.log(np.exp(beside).sum(axis=-1)), both),
        (x - np.log([6, 8]), "that's the sum of each column: axis=-1"),
    ]
    because = "each row has its own sum"
    what = "log_softmax([[log 1, log 3], [log 5, log 5]])"
    rows = "Python's max compares whole rows: NumPy's, x.data.max, takes an axis"
    with calling(what, slips=[(worded(ValueError, "truth value"), rows)]):
        got = tt.log_softmax(leaf(x))
    expect(got, np.log(p), what, slips=slips, because=because)
    x = np.log([[[1, 3], [5, 5], [1, 1]]])
    p = [[[1 / 4, 3 / 4], [1 / 2, 1 / 2], [1 / 2, 1 / 2]]]
    shifted = x - x.max(axis=-1, keepdims=True)
    one = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    slips = [
        (x - np.log([[[7, 9]]]), "that's axis 1: take the last one, -1"),
        (one, "the sum was taken along axis 1: take the last one, -1"),
        (
            np.full((1, 3, 2), np.log(0.5)),
            "that's the largest score along axis 0: take the last, -1",
        ),
    ]
    what = "log_softmax of shape (1, 3, 2)"
    expect(tt.log_softmax(leaf(x)), np.log(p), what, slips=slips, because=because)


def blown_up(got):
    return not np.isfinite(got.data).all()


@pytest.mark.exercise("4.7", points=1)
@builds_on("4.2")
def test_large_scores_do_not_overflow():
    half = [np.log(0.5), np.log(0.5)]
    slips = [(blown_up, "exp(1000) is inf: subtract the largest score of the row first")]
    with np.errstate(all="ignore"):
        expect(tt.log_softmax(leaf([1000, 1000])), half, "log_softmax([1000, 1000])", slips=slips)
        slips = [(blown_up, "exp(-1000) is 0: subtract the largest score even if it's negative")]
        got = tt.log_softmax(leaf([-1000, -1000]))
        expect(got, half, "log_softmax([-1000, -1000])", slips=slips)


@pytest.mark.exercise("4.7", points=1)
@builds_on("4.2")
def test_small_probabilities_do_not_vanish():
    with np.errstate(all="ignore"):
        got = tt.log_softmax(leaf([1000, 0]))
        slips = [
            (lambda got: got.data[0] == -np.inf, "exp(1000) is inf: subtract the largest score"),
            (blown_up, "there's no log of 0: subtract logarithms, y - log(sum(exp(y)))"),
            (lambda got: got.data[1] > -999, "the small probability was rounded up on the way"),
        ]
        expect(got, [0, -1000], "log_softmax([1000, 0])", slips=slips)
        got, zero = (
            tt.log_softmax(leaf([3000, 0])),
            "shift by the largest score: then it's 0 itself",
        )
        slips = [(blown_up, f"something above 709 was left for exp; {zero}")]
        expect(got, [0, -3000], "log_softmax([3000, 0])", slips=slips)
        got = tt.log_softmax(leaf([[0, 0], [1000, 1000]]))
        slips = [(blown_up, "each row has a largest score of its own: axis=-1, keepdims=True")]
        want = np.log([[0.5, 0.5], [0.5, 0.5]])
        expect(got, want, "log_softmax([[0, 0], [1000, 1000]])", slips=slips)
        lost = "m was added again: in float64, too, 1e17 + 0.7 is 1e17; use y = x - m from then on"
        digits = "the shift is the largest score to its last digit: a Tensor of a list is float32"
        slips = [([0, 0], lost), (blown_up, digits)]
        got = tt.log_softmax(leaf([1e17, 1e17]))
        expect(got, np.log([0.5, 0.5]), "log_softmax([1e17, 1e17])", slips=slips)
        slips = [
            (blown_up, digits),
            (lambda got: got.data[1] > -9e29, "it was cut off: a logarithm may be that low"),
        ]
        expect(tt.log_softmax(leaf([1e30, 0])), [0, -1e30], "log_softmax([1e30, 0])", slips=slips)
        got = tt.log_softmax(leaf([3e38, 3e38], np.float32))
        because = "no score is added to another: in float32, 3e38 + 3e38 is inf"
        what = "log_softmax([3e38, 3e38]) in float32"
        expect(got, np.log([0.5, 0.5]), what, slips=[([0, 0], lost)], because=because)


@pytest.mark.exercise("4.7", points=1)
@builds_on("4.2")
def test_only_the_differences_between_scores_matter():
    x = np.array([[0.5, -2, 3.25], [0, 0.75, 1]])  # adding 64 to these rounds nothing
    for dtype, digits in ((np.float64, 2e-15), (np.float32, 5e-7)):
        wants = tt.log_softmax(leaf(x, dtype))
        expect(wants, x - np.log(np.exp(x).sum(axis=-1, keepdims=True)), "log_softmax(x)")
        always = "beside 64, digits get lost: subtract the largest score of each row, of any size"
        slips = [(lambda got, wants=wants: np.allclose(got.data, wants.data, atol=1e-4), always)]
        for more in (64, -64, 20):
            what = (
                f"log_softmax(x + {more}) for {dtype.__name__} x = [[0.5, -2, 3.25], [0, 0.75, 1]]"
            )
            got = tt.log_softmax(leaf(x + more, dtype))
            same = "it's what log_softmax(x) is: only differences matter"
            expect(got, wants.data, what, slips=slips, because=same, atol=digits, rtol=0)


@pytest.mark.exercise("4.7", points=1)
@builds_on("4.2")
def test_the_gradient_is_upstream_minus_probability_times_sum():
    x = leaf(np.log([[1, 3], [5, 5]]))
    want = [[1 - 0.25, -0.75], [2 - 6, 10 - 6]]
    slips = [
        ([[1, 0], [2, 10]], "the sum of the exponentials moves with x, too: build it from Tensors"),
        (None, "x has no part in its history: build it from Tensor operations"),
        (lacks("ndarray"), "the result is an array, without a history: build it from Tensors"),
    ]
    what = "z = log_softmax(x), x = [[log 1, log 3], [log 5, log 5]], sent [[1, 0], [2, 10]],"
    gradient = [[1.0, 0.0], [2.0, 10.0]]
    expect_backward(tt.log_softmax(x), what, gradient=gradient, slips=slips, x=(x, want))


@pytest.mark.exercise("4.7", points=1)
@builds_on("4.2")
def test_log_softmax_changes_neither_its_input_nor_the_dtype():
    x = leaf([[1, 2]])
    got = tt.log_softmax(x)
    slips = [([[-1, 0]], "x.data was changed in place: x - m makes a new Tensor")]
    expect(x, [[1, 2]], "x after log_softmax(x)", slips=slips)
    slips = {np.dtype(np.float32): "float64 was rounded on the way"}
    expect(got.dtype, np.float64, "dtype of log_softmax(x) for float64 x", slips=slips)
    slips = {np.dtype(np.float64): "something in it is float64: the maximum takes the dtype of x"}
    got = tt.log_softmax(leaf([[1, 2]], np.float32))
    expect(got.dtype, np.float32, "dtype of log_softmax(x) for float32 x", slips=slips)


@pytest.mark.exercise("4.7", points=1)
@builds_on("4.2")
def test_cross_entropy_pulls_up_the_right_score():
    x = leaf([[0, 0], [0, 0]])
    loss = tt.cross_entropy(x, [0, 1])
    expect(loss, -np.log(0.5), "cross_entropy of two undecided rows")
    because = "the right score goes up, and the others go down as much together"
    want = [[-0.25, 0.25], [0.25, -0.25]]
    expect_backward(loss, "loss = cross_entropy(x, [0, 1])", because=because, x=(x, want))
