"""Chapter 7: what was moved, picked or multiplied finds its way back."""

import itertools
from contextlib import suppress

import numpy as np
import pytest

import tinytorch as tt
from course.testing import calling, expect, fail_if, lacks, worded

ARRAYS = "a formula gets arrays as well as Tensors, and gives what it got"
LOST = "gave None, expected {}: it has to return what it makes"
UNNEEDED = "the factor that isn't needed may be None"
TENSORS = "a formula computes with Tensors as well: use what both can do, and expanded"
BACKWARDS = "an order read backwards doesn't undo the move"
NUMPYS = "NumPy's functions take arrays alone, and detach() loses the history: use what both have"
SINGLE = "index is a tuple with an item for each axis, and an item may be a slice or a number"
MEMORY = 1e200  # what stands in memory that nobody has set to zeros
LEFT = "dims has three: something of an earlier call is left"
COPIES = "it computes with the Tensors themselves, not with copies of their numbers"


def array_from(call, what, slips=(), none=""):
    """What a call gives, which must be an array; `none` says more of one that gave None."""
    with calling(what, slips=slips):
        got = call()
    lost = LOST.format("an array")
    if "place_in_zeros" in what:
        lost = "gave None, expected an array: add_at changes its array and returns nothing, so"
        lost += " return the array yourself"
        says = f"{what} = {got!r}, expected an array: it gets arrays alone, and gives one"
        fail_if(got is not None and not isinstance(got, np.ndarray), says)
    fail_if(got is None, f"{what} {none or lost}")
    fail_if(not isinstance(got, np.ndarray), f"{what} = {got!r}, expected an array: {ARRAYS}")
    return got


def order_from(dims, what):
    """What inverse_order gives, with plain numbers."""
    each = f"what's in dims are the numbers from 0 to {len(dims) - 1}, each of them once"
    slips = [(worded(ValueError, "not in tuple"), each), (IndexError, each)]
    with calling(what, slips=slips):
        got = tt.ops.shapes.inverse_order(dims)
    fail_if(got is None, f"{what} {LOST.format('a tuple of whole numbers')}")
    wrong = not isinstance(got, tuple)
    fail_if(wrong, f"{what} = {got!r}, expected a tuple of whole numbers")
    return tuple([int(place) for place in got])


@pytest.mark.exercise("7.1", points=2)
def test_a_permutation_is_undone():
    earlier = (3, 0, 1, 2)
    for dims, want in (((1, 2, 3, 0), (3, 0, 1, 2)), ((2, 0, 3, 1), (1, 3, 0, 2))):
        what = f"inverse_order({dims})"
        where = f"dimension 0 went to place {dims.index(0)}, so that's where it's fetched from"
        slips = [
            (lambda got: got == earlier, "that's the answer for (1, 2, 3, 0), an earlier call's"),
            (lambda got, d=dims: got == tuple(d[i] for i in d), "that's the move made twice"),
            (lambda got, d=dims: got == tuple(3 - i for i in d), "that's counting from the end"),
            (
                lambda got, d=dims: got == d,
                "that's dims itself, and the same move once more moves on, not back",
            ),
            (lambda got, d=dims: got == d[::-1], BACKWARDS),
            (lambda got: got == (3, 2, 1, 0), "that turns all of them round, whatever dims says"),
            (lambda got: got == (0, 1, 2, 3), "that order moves nothing"),
        ]
        expect(order_from(dims, what), want, what, slips=slips, because=where)
    what = "inverse_order((1, 2, 0)), three sent round in a circle,"
    slips = [(lambda got: got == (0, 1, 2), "that's the move made three times, which is none"),
             (lambda got: got == (1, 2, 0), "that's dims itself, the same move once more"),
             (lambda got: len(got) > 3, LEFT)]  # fmt: skip
    expect(order_from((1, 2, 0), "inverse_order((1, 2, 0))"), (2, 0, 1), what, slips=slips)
    two, what = (1, 0, 2), "inverse_order((1, 0, 2)), two exchanged,"
    slips = [(lambda got: len(got) > 3, LEFT)]
    expect(order_from(two, f"inverse_order({two})"), two, what, slips=slips)


def spread_from(array, *given, what, slips=()):
    """What spread gives for an array."""
    shape, axes = given[:2]
    several = f"axes are {len(axes)} here, {axes}: " * (len(axes) > 1)
    both = "Tensors have that, arrays don't: reshape is a method of both, and expanded takes either"
    slips = [
        *slips,
        (lacks("ndarray"), both),
        (lacks("float64"), both),
        (worded(TypeError, "input must be a Tensor"), "that's an operation, for Tensors alone: "
         "reshape is a method of both, and expanded takes either"),
        (worded(TypeError, "not iterable"), "kept_shape takes the shape, and axes as they came"),
        (worded(ValueError, "cannot reshape"), f"{several}kept_shape(shape, axes) has room for "
         "just the numbers of grad, and expanded repeats them"),
        (ValueError, "each summed axis comes back first, with length 1, as kept_shape has it"),
    ]  # fmt: skip
    return array_from(lambda: tt.ops.shapes.spread(np.array(array), *given), what, slips)


@pytest.mark.exercise("7.1", points=2)
def test_each_element_gets_the_gradient_of_its_sum():
    what = "spread(array([10, 20]), (2, 2), (1,)), the gradient of two sums over rows,"
    got = spread_from([10.0, 20], (2, 2), (1,), what=what)
    slips = [
        ([[10, 20], [10, 20]], "each row has one sum: give grad its summed axis back first"),
        ([[5, 5], [10, 10]], "that's the way back of a mean: a sum isn't divided"),
        ([10, 20], "each element gets one: repeat it"),
        ([[10], [20]], "each element gets one: repeat it"),
    ]
    expect(got, [[10, 10], [20, 20]], what, slips=slips)
    what = "spread(array([10, 20]), (2, 2), (0,)), the gradient of two sums over columns,"
    got = spread_from([10.0, 20], (2, 2), (0,), what=what)
    slips = [([[10, 10], [20, 20]], "axes says which axis was summed, here the first")]
    expect(got, [[10, 20], [10, 20]], what, slips=slips)
    what = "spread(tensor([10, 20]), (2, 2), (1,)), of a Tensor,"
    slips = {AttributeError: TENSORS, TypeError: TENSORS, RuntimeError: TENSORS}
    with calling(what, slips=[(worded(RuntimeError, "lose its history"), NUMPYS), *slips.items()]):
        got = tt.ops.shapes.spread(tt.tensor([10.0, 20]), (2, 2), (1,))
    why = "NumPy makes an array of a Tensor; expanded takes either"
    fail_if(isinstance(got, np.ndarray), f"{what} gave an array, expected a Tensor: {why}")
    expect(got, [[10, 10], [20, 20]], what)


@pytest.mark.exercise("7.1", points=2)
def test_a_sum_may_have_kept_its_axes_or_have_none_left():
    what = "spread(array([[10], [20]]), (2, 3), (1,), True)"
    got = spread_from([[10.0], [20]], (2, 3), (1,), True, what=what)
    repeated = "each element gets one: repeat it, also if the axis was kept"
    expect(got, [[10] * 3, [20] * 3], what, because=repeated)
    what = "spread(array([[10], [20]]), (2, 3), (1,))"
    right = "length 1 at a summed axis is right as it is"
    slips = [(ValueError, right)]
    got = spread_from([[10.0], [20]], (2, 3), (1,), what=what, slips=slips)
    expect(got, [[10] * 3, [20] * 3], what, because=right)
    what = "spread(array(7), (2, 3), (0, 1)), the gradient of a sum over everything,"
    got = spread_from(7.0, (2, 3), (0, 1), what=what)
    expect(got, [[7] * 3] * 2, what, because="all six went into one sum")
    what = "spread(array([10, 20, 30]), (2, 3, 2), (0, 2))"
    got = spread_from([10.0, 20, 30], (2, 3, 2), (0, 2), what=what)
    because = "axis 1 was left, and its three sums got 10, 20 and 30"
    fail_if(got.shape != (2, 3, 2), f"{what} has shape {got.shape}, expected shape (2, 3, 2)")
    expect(got[1, :, 1], [10, 20, 30], f"[1, :, 1] of {what}", because=because)
    with calling("x.sum(1) on a (2, 3) and its backward()"):
        x = tt.zeros(2, 3, requires_grad=True)
        x.sum(1).backward(tt.tensor([10.0, 20]))
    expect(x.grad, [[10] * 3, [20] * 3], "x.grad after x.sum(1) was sent [10, 20]")


def placed(values, shape, *index):
    arrays = tuple([np.array(part) if isinstance(part, list) else part for part in index])
    return tt.ops.indexing.place_in_zeros(np.array(values, np.float64), shape, arrays)


def leave_in_memory(number, count):
    """Fill some pieces of memory and let go of them: np.empty gets one of these."""
    for piece in [np.empty(count) for _ in range(6)]:
        piece.fill(number)


def index_slips(index):
    """Why NumPy may refuse what was made of this index."""
    parts = [(ValueError, f"the {len(index)} parts of index belong together")] * (len(index) > 1)
    return [
        (worded(IndexError, "of integer"), "what was taken for an index has no whole numbers: "
         "add_at(array, index, values), in this order"),
        (worded(TypeError, "not iterable"), f"{SINGLE}: add_at takes it whole"),
        (worded(IndexError, "tuple index out of range"), "index is a tuple with an item for each "
         "axis, not for each value: add_at takes it whole"),
        (worded(TypeError, "not subscriptable"), f"{SINGLE}: add_at takes it whole"),
        (worded(TypeError, "has no len()"), f"{SINGLE}: add_at takes it whole"),
        (worded(TypeError, "positional argument"), "add_at(array, index, values) takes index "
         "whole, as one tuple"),
        (worded(TypeError, "first operand must be array"), "add_at wants an array: np.zeros"),
        (lacks("int"), "add_at adds values, an array: as many as index names places"),
        (worded(IndexError, "only integers, slices"), "index is a tuple, and stays one: NumPy "
         "takes a list for something else"),
        (worded(ValueError, "object too deep"), "values may have several axes: whole rows"),
        (worded(ValueError, "invalid entry in coordinates"), "an index may be -1, the last"),
        *parts,
    ]  # fmt: skip


@pytest.mark.exercise("7.2", points=2)
def test_a_place_that_was_picked_twice_gets_both():
    what = "place_in_zeros([2, 1, 10], (3,), (array([0, 0, 2]),))"
    leave_in_memory(MEMORY, 3)
    got = array_from(lambda: placed([2, 1, 10], (3,), [0, 0, 2]), what, index_slips(([0, 0, 2],)))
    lost = "place 0 was picked twice: only one of its two gradients is there"
    slips = [([2, 0, 10], lost), ([1, 0, 10], lost), ([1.5, 0, 10], "the sum, not the mean"),
             ([3, 0, 20], "each value is added once"), ([6, 0, 20], "each value is added once"),
             ([4, 0, 20], "each value is added once"), ([0, 0, 0], "nothing has been added"),
             ([4, 1, 11], "that's added to ones: it's zeros that the values are added to"),
             ([2, 0, 1], "that's how often each place is named: add the values"),
             ([2, 2, 10], "that's values[index]: index picks from x, and here it's the way back"),
             ([4, 0, 10], "that's values[index], added: values come in the order of index"),
             ([2, 0, 2], "index is a tuple: its one entry, [0, 0, 2], holds the three places"),
             (lambda g: (abs(g) == MEMORY).any(), "1e+200 was in memory before, and np.empty "
              "leaves it there: begin with zeros"),
             ([2, 1, 10], "index says which place each value goes to")]  # fmt: skip
    because = "place 0 is owed 2 + 1, place 2 is owed 10, and nobody picked place 1"
    expect(got, [3, 0, 10], what, slips=slips, because=because)
    what = "place_in_zeros([[1, 2], [10, 20], [100, 200]], (2, 2), (array([1, 1, 1]),))"
    rows = [[1, 2], [10, 20], [100, 200]]
    got = array_from(lambda: placed(rows, (2, 2), [1, 1, 1]), what, index_slips(([1, 1, 1],)))
    slips = [
        ([[0, 0], [100, 200]], "row 1 was picked three times: only the last gradient is there"),
        (lambda g: g.shape == (3, 2), "that's the shape of values: the zeros have `shape`"),
        (lambda g: g.shape != (2, 2), "the zeros have `shape`"),
        ([[0, 0], [37, 74]], "the sum, not the mean"),
        (
            lambda g: g[1, 0] == g[1, 1] != 0,
            "whole rows come, and each column has a sum of its own",
        ),
    ]
    expect(got, [[0, 0], [111, 222]], what, slips=slips)


@pytest.mark.exercise("7.2", points=2)
def test_whatever_picked_the_elements():
    earlier = np.zeros((3, 3))
    for text, index, values, want in (
        ("x[1:, 0]", (slice(1, None), 0), [5, 6], [[0, 0, 0], [5, 0, 0], [6, 0, 0]]),
        ("x[1]", (1,), [1, 2, 3], [[0, 0, 0], [1, 2, 3], [0, 0, 0]]),
        ("x[[0, 2], [1, 1]]", ([0, 2], [1, 1]), [5, 6], [[0, 5, 0], [0, 0, 0], [0, 6, 0]]),
        ("x[[-1, 2]]", ([-1, 2],), [[1] * 3, [4] * 3], [[0] * 3, [0] * 3, [5] * 3]),
        (
            "x[mask], mask True on the diagonal",
            (np.eye(3, dtype=bool),),
            [7, 8, 9],
            np.diag([7, 8, 9]),
        ),
    ):
        what = f"the way back of {text} for x of shape (3, 3), place_in_zeros({values}, (3, 3), …)"
        got = array_from(lambda v=values, i=index: placed(v, (3, 3), *i), what, index_slips(index))
        as_numbers = np.zeros((3, 3))
        if "mask" in text:
            np.add.at(as_numbers, index[0].astype(int), values)
        slips = [
            (earlier + want, "that's with what earlier calls added: each makes zeros of its own"),
            (as_numbers, "a mask picks where it's True: it isn't a list of 0s and 1s"),
            (
                lambda g: g.shape != (3, 3),
                "the zeros have `shape`, whatever picked: index may be "
                "of several items, and not all are arrays",
            ),
        ]
        earlier += want
        expect(
            got,
            want,
            what,
            slips=slips,
            because="-1 and 2 are the same row" if "-1" in text else "",
        )
    got = tt.ops.indexing.place_in_zeros(np.float32([1, 2]), (3,), (np.array([0, 1]),))
    what = "the dtype of place_in_zeros of values in float32"
    unasked = "NumPy makes float64 where it isn't told otherwise: take that of values"
    slips = [(np.float64, unasked), (lambda _: True, "the zeros have the dtype of values")]
    expect(got.dtype, np.dtype(np.float32), what, slips=slips)


@pytest.mark.exercise("7.2", points=2)
def test_indexing_gets_its_gradient():
    x = tt.zeros(4, requires_grad=True)
    with calling("x[[3, 1, 3]] and its backward()"):
        x[[3, 1, 3]].backward(tt.tensor([1.0, 10, 100]))
    slips = [([0, 10, 0, 100], "element 3 was picked twice: the first gradient is lost")]
    expect(x.grad, [0, 10, 0, 101], "x.grad after x[[3, 1, 3]] was sent [1, 10, 100]", slips=slips)


STACKED = "of a stack, only the last two axes are swapped; .T turns all of them round"
FIRST = "of a stack, the last two axes are swapped, and here it was the first two"
COUNTED = "axes 1 and 2 are the last two only where there are three: count from the end"
DOT = "that's dot(), which multiplies each matrix of one stack by each of the other: @ doesn't"
FROM_THE_END = (
    lambda e: isinstance(e, IndexError) or worded(ValueError, "axes don't match")(e),
    "there may be no axes in front, or many: count from the end, as -1 and -2 do",
)


OF_FACTORS = "number of a factor", " (where stacks met one matrix, the library sums)"
OF_STACKS = "matrix of the stack", " over the stack"


def turned(m):
    return m.reshape(m.shape[::-1])


def is_reshaped(formula, *given, want):
    """Does a formula read the rows of an oblong factor on? Those of a square don't show it."""
    try:
        return np.array_equal(formula(*given), want)
    except Exception:  # it does something else, and that isn't the question
        return False


def left_out(formula, *given):
    """Why a formula gave None: it gives something if it's given all of the factors."""
    with suppress(Exception):
        if formula(*given) is not None:
            return f"gave None where it got None for a factor, expected an array: {UNNEEDED}"


def product_slips(x, y, grad, want):
    """What the ways back of a product are if they're made wrongly."""
    tried = {
        "y must be transposed": lambda: grad @ y,
        "x must be transposed": lambda: x @ grad,
        "that's y transposed, @ grad: here grad comes first": lambda: y.swapaxes(-1, -2) @ grad,
        "that's grad @ the transpose of x: here the transpose comes first": lambda: (
            grad @ x.swapaxes(-1, -2)
        ),
        "that's its transpose: (A @ B)ᵀ is Bᵀ @ Aᵀ": lambda: want.swapaxes(-1, -2),
        "the last two axes only are swapped, not all of them": lambda: grad @ y.T,
        "that's grad transposed, @ y: grad stays as it is, and y is transposed": lambda: grad.T @ y,
        "that's x @ grad transposed: grad stays as it is, and x is transposed": lambda: x @ grad.T,
        "that's with grad transposed, too: grad stays as it is": lambda: grad.T @ y.T,
        "that's with grad transposed, too: it stays as it is": lambda: x.T @ grad.T,
        "that's x transposed: multiply it by grad": lambda: x.swapaxes(-1, -2),
        "that's y transposed: multiply grad by it": lambda: y.swapaxes(-1, -2),
        "that's y itself: multiply grad by its transpose": lambda: y,
        "that's x itself: multiply its transpose by grad": lambda: x,
        "reshape reads the same rows on: it doesn't transpose y": lambda: grad @ turned(y),
        "reshape reads the same rows on: it doesn't transpose x": lambda: turned(x) @ grad,
        "that's *, element by element: matrices are multiplied with @": lambda: grad * y.T,
        "that's *, element by element: matrices want @": lambda: x.T * grad,
        "that's grad * y, element by element: matrices want @, and y is transposed": lambda: (
            grad * y
        ),
        "that's x * grad, element by element: matrices want @, and x is transposed": lambda: (
            x * grad
        ),
        "that's grad @ x: the transpose of x, then @ grad": lambda: grad @ x,
        "all zeros: the None is a factor that isn't needed": lambda: want * 0,
    }
    for reason, make in tried.items():
        try:
            value = make()
        except ValueError:
            continue
        if value.shape != want.shape or not np.allclose(value, want):
            yield value, reason


def fewer_slips(want, axes, of, where):
    """Were numbers of `want` added up, or averaged, along some of the axes?"""
    own = f"each {of} has a gradient of its own: no"
    for count in range(1, len(axes) + 1):
        for some, stays in itertools.product(itertools.combinations(axes, count), (True, False)):
            yield want.sum(some, keepdims=stays), f"{own} sum{where}"
            yield want.mean(some, keepdims=stays), f"{own} mean"
    yield lambda got: got.ndim < want.ndim, f"{own} sum{where}"


@pytest.mark.exercise("7.3", points=2)
def test_each_factor_gets_the_other_one_transposed():
    square = np.array([[1.0, 2], [3, 4]]), np.array([[1.0, 0], [5, 10]])
    oblong = np.array([[1.0, 2, 3], [4, 5, 6]]), np.array([[1.0, 0], [0, 10], [2, 3]])
    grad = np.array([[1.0, 10], [100, 1000]])
    slips = [
        (worded(AttributeError, "NoneType"), UNNEEDED),
        (worded(TypeError, "input must be a Tensor"), "that's an operation, for Tensors alone: "
         "arrays have @ and swapaxes, too"),
        (worded(NameError, "unbroadcast"), "the library sums after the formula, where stacks "
         "broadcast"),
        FROM_THE_END,
        (worded(ValueError, "operands could not be broadcast"),
         "that's NumPy's word for * and +: matrices are multiplied with @"),
        (ValueError, "write the shapes down: the inner ones must agree"),
    ]  # fmt: skip
    left, right = tt.ops.linalg.matmul_left, tt.ops.linalg.matmul_right
    a, b = oblong
    for x, y in (square, oblong):
        said = f"x @ y, x = {x.astype(int).tolist()}, y = {y.astype(int).tolist()}"
        said += ", sent [[1, 10], [100, 1000]]"
        what = f"matmul_left: {said}"
        want = grad @ y.T
        with_both = left_out(left, grad, x.copy(), y.copy())
        got = array_from(lambda y=y: left(grad, None, y.copy()), what, slips, with_both)
        fewer = fewer_slips(want, range(2), *OF_FACTORS)
        read_on = lambda _: is_reshaped(left, grad, a, b, want=grad @ turned(b))  # noqa: E731
        reads = [(read_on, "reshape reads the same rows on: it doesn't transpose y")]
        expect(got, want, what, slips=[*reads, *fewer, *product_slips(x, y, grad, want)])
        what = f"matmul_right: {said}"
        want = x.T @ grad
        with_both = left_out(right, grad, x.copy(), y.copy())
        got = array_from(lambda x=x: right(grad, x.copy(), None), what, slips, with_both)
        fewer = fewer_slips(want, range(2), *OF_FACTORS)
        read_on = lambda _: is_reshaped(right, grad, a, b, want=turned(a) @ grad)  # noqa: E731
        reads = [(read_on, "reshape reads the same rows on: it doesn't transpose x")]
        expect(got, want, what, slips=[*reads, *fewer, *product_slips(x, y, grad, want)])


@pytest.mark.exercise("7.3", points=2)
def test_of_stacks_each_matrix_is_transposed():
    rng = np.random.default_rng(3)
    x, y, grad = (rng.integers(-3, 4, (3, 3, 3)).astype(float) for _ in range(3))
    in_front = "the last two axes are swapped, those in front stay as they are"
    fits = [
        (lambda e: "read-only" in str(e), "what it's given is only read"),
        (
            worded(ValueError, "axes don't match"),
            "an array's transpose() wants all of the axes: swapaxes(-1, -2) exchanges two",
        ),
        FROM_THE_END,
        (lambda e: isinstance(e, ValueError), in_front),
    ]
    for lead in ((), (3,)):
        a, b, g = (np.broadcast_to(m, (*lead, 3, 3, 3)) for m in (x, y, grad))
        what = f"of stacks of shape {a.shape}"
        in_stack = range(len(lead) + 1)
        left, right = tt.ops.linalg.matmul_left, tt.ops.linalg.matmul_right
        got = array_from(lambda f=left, g=g, b=b: f(g, None, b), f"matmul_left {what}", fits)
        each = np.stack([m @ n.T for m, n in zip(g, b, strict=True)])
        slips = [(g @ b.T, STACKED), (g @ b.swapaxes(0, 1), FIRST)]
        slips += [(np.dot(g, b.swapaxes(-1, -2)), DOT)]
        slips += [(g @ b.swapaxes(1, 2), COUNTED), (each, STACKED)]
        want = g @ b.swapaxes(-1, -2)
        slips += fewer_slips(want, in_stack, *OF_STACKS)
        expect(got, want, f"matmul_left {what}", slips=slips)
        got = array_from(lambda f=right, g=g, a=a: f(g, a, None), f"matmul_right {what}", fits)
        each = np.stack([n.T @ m for m, n in zip(g, a, strict=True)])
        slips = [(a.T @ g, STACKED), (a.swapaxes(0, 1) @ g, FIRST)]
        slips += [(np.dot(a.swapaxes(-1, -2), g), DOT)]
        slips += [(a.swapaxes(1, 2) @ g, COUNTED), (each, STACKED)]
        want = a.swapaxes(-1, -2) @ g
        slips += fewer_slips(want, in_stack, *OF_STACKS)
        expect(got, want, f"matmul_right {what}", slips=slips)
    said, given = "of Tensors, stacks of shape (3, 3, 3)", (tt.tensor(m) for m in (x, y, grad))
    a, b, g = given
    with calling(f"matmul_left {said}"):
        got = left(g, None, b)
    slips = [(grad @ y.T, STACKED), (grad @ y.swapaxes(0, 1), FIRST)]
    expect(got, grad @ y.swapaxes(-1, -2), f"matmul_left {said}", slips=slips)
    with calling(f"matmul_right {said}"):
        got = right(g, a, None)
    slips = [(x.T @ grad, STACKED), (x.swapaxes(0, 1) @ grad, FIRST)]
    expect(got, x.swapaxes(-1, -2) @ grad, f"matmul_right {said}", slips=slips)


@pytest.mark.exercise("7.3", points=2)
def test_products_of_stacks_get_their_gradients():
    for name, letter in (("matmul_left", "y"), ("matmul_right", "x")):
        grad, other = tt.ones(2, 2, requires_grad=True), tt.ones(2, 2, requires_grad=True)
        what = f"{name} of Tensors, grad and {letter},"
        slips = [(worded(RuntimeError, "lose its history"), NUMPYS)]
        slips += [(RuntimeError, ARRAYS), (TypeError, ARRAYS)]
        with calling(what, slips=slips):
            made = getattr(tt.ops.linalg, name)(grad, other, other)
        fail_if(not isinstance(made, tt.Tensor), f"{what} = {made!r}, expected a Tensor: {ARRAYS}")
        lost = f"{what} has no history that leads to"
        fail_if(not made.requires_grad, f"{lost} grad or {letter}: {COPIES}")
        made.sum().backward()
        for said, tensor in (("grad", grad), (letter, other)):
            fail_if(tensor.grad is None, f"{lost} {said}: {COPIES}")
    x, y = tt.ones(2, 2, 3, requires_grad=True), tt.tensor([[1.0, 10], [2, 20], [3, 30]])
    y.requires_grad_()
    with calling("backward() of x @ y, x a stack (2, 2, 3) of ones, y of shape (3, 2)"):
        (x @ y).sum().backward()
    expect(
        x.grad[1],
        [[11, 22, 33]] * 2,
        "x.grad[1] after (x @ y).sum().backward(), y 1, 2, 3 and 10, 20, 30",
    )
    expect(y.grad, [[4, 4]] * 3, "y.grad: four rows of ones have met it")
