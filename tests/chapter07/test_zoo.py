"""Chapter 7: what each exercise promises, beside NumPy and beside slopes found by nudging."""

import itertools
from contextlib import suppress
from weakref import ref

import numpy as np
import pytest

import tinytorch as tt
from course.contracts import (
    KINDS,
    SHAPES,
    VALUES,
    batches,
    expect_array,
    expect_ending,
    expect_function,
    in_kinds,
    numbers,
    reductions,
)
from course.testing import calling, expect, expect_raises, fail_if, worded

LOOSE = {"float64": (1e-9, 1e-9), "float32": (1e-4, 1e-4), "float16": (2e-2, 2e-2)}
FROM_THE_END = (IndexError, "x and y may have fewer axes than grad: count each one's from the end")
ANY_ORDER = "axes may be in any order"
SEVERAL = "axes may be several, and kept_shape(x.shape, axes) has all of them"
EMPTY = "an axis may be empty: finite_max can do that"
NO_ARRAY = "of arrays without axes NumPy makes numbers: np.float64 is no ndarray, nor a Tensor"


def expect_numbers(got, want, what, because=""):
    """The same numbers, shape and dtype, as an array."""
    want = np.asarray(want)
    is_array = isinstance(got, np.ndarray) or (isinstance(got, np.generic) and not want.ndim)
    fail_if(not is_array, f"{what} is {type(got).__name__}, expected an array")
    as_given = f"what it was given is in {want.dtype}"
    expect(got.dtype, want.dtype, f"the dtype of {what}", because=as_given)
    rtol, atol = LOOSE.get(want.dtype.name, (0, 0))
    expect(got, want, what, rtol=rtol, atol=atol, because=because)


def expect_of_arrays(formula, reference, what, *given, slips=(), because=""):
    """A formula of arrays, and of arrays again; where it has no axes, of NumPy's numbers, too."""
    kept = [array.copy() for array in given]
    calls = {"": given, ", a second time": given}
    if not given[0].ndim:
        calls[f", grad a NumPy number ({given[0].dtype}),"] = (given[0][()], *given[1:])
        slips = [*slips, (TypeError, NO_ARRAY), (AttributeError, NO_ARRAY)]
    with np.errstate(all="ignore"):
        want = np.asarray(reference(*given))
        for said, handed in calls.items():
            with calling(what + said, slips=slips):
                expect_numbers(formula(*handed), want, what + said, because)
    for before, after in zip(kept, given, strict=True):
        expect(after, before, f"what {what} was given, afterwards", rtol=0, atol=0)
    return want


def expect_formula(formula, reference, what, *given, names, slips=(), because=""):
    """A formula of arrays, of arrays again, and of Tensors, with slopes of its own.

    `names` are what it knows them by.
    """
    want = expect_of_arrays(formula, reference, what, *given, slips=slips, because=because)
    if given[0].dtype == np.float64 and all(array.size < 9 for array in given):
        whose = [f"{name}, by backward()," for name in names]
        expect_function(f"{what}, of Tensors", formula, reference, *given, names=whose)
    else:
        tensors = [tt.tensor(array.copy()) for array in given]
        with calling(f"{what}, of Tensors"):
            expect_array(formula(*tensors), want, f"{what}, of Tensors", LOOSE)


@pytest.mark.exercise("7.1", points=2)
def test_all_orders_of_dimensions():
    for ndim in range(6):
        for dims in itertools.permutations(range(ndim)):
            for kind in (tuple, list):
                what = f"inverse_order({kind(dims)})"
                given = kind(dims)
                slips = [(worded(TypeError, "unhashable"), "dims may be a list, too")]
                slips += [(Exception, "a number has no dimensions: its order is ()")] * (not dims)
                with calling(what, slips=slips):
                    got = tt.ops.shapes.inverse_order(given)
                fail_if(not isinstance(got, tuple), f"{what} = {got!r}, expected a tuple")
                want = tuple(int(i) for i in np.argsort(dims))
                expect(tuple(map(int, got)), want, what)
                expect(given, kind(dims), f"dims after {what}")
    for shape, dims in (
        ((2, 3, 1), (2, 0, 1)),
        ((2, 1, 3, 2), (3, 1, 0, 2)),
        ((2, 0, 3), (1, 2, 0)),
    ):
        move = lambda x, d=dims: x.permute(*d) if isinstance(x, tt.Tensor) else x.transpose(d)  # noqa: E731
        expect_function(f"permute{dims}", move, move, numbers(shape))


@pytest.mark.exercise("7.1", points=1)
def test_all_sums_are_spread():
    for (x, axis, keepdims), dtype in zip(reductions(), itertools.cycle(KINDS), strict=False):
        axes = (
            tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        )
        axes = tuple(a % x.ndim for a in axes) if x.ndim else ()
        grad = np.asarray(numbers(np.sum(x, axis=axes, keepdims=keepdims).shape, dtype))
        kept = [1 if i in axes else n for i, n in enumerate(x.shape)]
        want = np.broadcast_to(grad.reshape(kept), x.shape)
        what = f"spread(grad of shape {grad.shape}, {x.shape}, {axes}, {keepdims})"
        slips = [
            (worded(ValueError, "one unknown dimension"), "kept_shape knows all lengths"),
            *[(ValueError, f"{ANY_ORDER}, here {axes}")] * (axes != tuple(sorted(axes))),
            *[(TypeError, NO_ARRAY), (AttributeError, NO_ARRAY)] * (not grad.ndim),
        ]
        with calling(what, slips=slips):
            if not grad.ndim:
                expect_numbers(tt.ops.shapes.spread(grad[()], x.shape, axes, keepdims), want, what)
            got = tt.ops.shapes.spread(grad, x.shape, axes, keepdims)
            recorded = tt.ops.shapes.spread(tt.tensor(grad.copy()), x.shape, axes, keepdims)
        expect_numbers(got, want, what)
        expect_array(recorded, want, f"{what}, of a {dtype.__name__} Tensor", LOOSE)
    spread, axes = tt.ops.shapes.spread, (1,)
    with calling("spread(grad, (2, 3), (1,)) of a Tensor"):
        recorded = spread(tt.ones(2, requires_grad=True), (2, 3), axes)
    lost = "has no history: compute with grad itself, not with a copy of its numbers"
    fail_if(not recorded.requires_grad, f"spread(grad, (2, 3), (1,)) of a Tensor {lost}")
    by_hand = lambda g: np.broadcast_to(g[:, None], (2, 3))  # noqa: E731
    tried = lambda g: spread(g, (2, 3), axes)  # noqa: E731
    expect_function("spread(grad, (2, 3), (1,))", tried, by_hand, numbers((2,)))


def indexes():
    """{shape: indexes, ready for NumPy}"""
    a = np.array
    return {
        (4,): ((slice(1, 3),), (2,), (a([3, 3, -1, 0]),), (a([True, False, True, True]),),
               (a([[0, 1], [1, 1]]),), (None, slice(None, None, 2)), (a([], int),), (...,)),
        (3, 2): ((slice(None), 1), (a([2, 0, 2]),), (slice(None), a([1, 1, 1])), (..., -1),
                 (a([0, 2, 2]), a([1, 1, 1])), (np.eye(3, 2, dtype=bool),),
                 (a([0, 2, 0]), slice(None, 1)), (a([[0], [0]]), a([0, 1]))),
        (2, 2, 3): ((1, ..., 0), (slice(None), a([1, 1]), slice(0, 2)), (a([0, 0]),),
                    (a([True, False]),), (slice(None), slice(None), a([2, 2, -1]))),
        (0, 3): ((slice(None), 1), (a([], int),)),
        (): ((), (...,)),
    }  # fmt: skip


@pytest.mark.exercise("7.2", points=2)
def test_all_kinds_of_indexes():
    for (shape, known), dtype in in_kinds(indexes().items()):
        for index in known:
            picked, count = np.zeros(shape)[index].shape, np.zeros(shape)
            np.add.at(count, index, 1)
            because = "a place that was picked several times gets the sum" * bool((count > 1).any())
            for values in (
                np.asarray(numbers(picked, dtype)),
                np.asarray(numbers(picked[::-1], dtype)).T,
            ):
                kept, want = values.copy(), np.zeros(shape, dtype)
                np.add.at(want, index, values)
                what = f"place_in_zeros(values of shape {values.shape}, {shape}, {index})"
                for time in ("", ", a second time"):
                    slips = [
                        (worded(ValueError, "invalid entry in coord"), "an index may be negative")
                    ]
                    slips += [(ValueError, "the parts of an index meet by broadcasting")] * (
                        len(index) > 1
                    )
                    with calling(what + time, slips=slips):
                        got = tt.ops.indexing.place_in_zeros(values, shape, index)
                    expect_numbers(got, want, what + time, because)
                expect(values, kept, f"the values after {what}", rtol=0, atol=0)
    short = np.array([19, 3, 19], np.int8), np.array([9, 1, 9], np.int8)
    for values in ([1.0, 2, np.inf], [np.nan, 1, 2], [4, 5, 6]):
        given = np.array(values)
        want = np.zeros((20, 10), given.dtype)
        np.add.at(want, short, given)
        what = f"place_in_zeros({values}, (20, 10), two arrays of int8)"
        because = "what isn't named stays 0, and what's named gets just its own"
        with calling(what):
            got = tt.ops.indexing.place_in_zeros(given, (20, 10), short)
        expect_numbers(got, want, what, because)
    truths = np.array([True, False])
    with calling("place_in_zeros([True, False], (3,), (array([2, 0]),))"):
        got = tt.ops.indexing.place_in_zeros(truths, (3,), (np.array([2, 0]),))
    expect(got.dtype, truths.dtype, "the dtype of place_in_zeros of booleans")
    rows = [2, 0, 2]
    by_hand = lambda x: x[rows] * x[rows]  # noqa: E731
    expect_function("x[[2, 0, 2]] * x[[2, 0, 2]]", by_hand, by_hand, numbers((3, 2)))


@pytest.mark.exercise("7.3", points=2)
def test_stacks_of_all_shapes():
    left, right = tt.ops.linalg.matmul_left, tt.ops.linalg.matmul_right
    large = [np.asarray(numbers((2, 1, 2, 2, 2), seed=k)) for k in (3, 5)]
    halves = [[array.astype(np.float16) for array in large]] * 2
    meet = "the axes in front meet by broadcasting, as in @ itself"
    slips = {"slips": [FROM_THE_END], "because": meet}
    for k, (x, y) in enumerate([*batches(), large, *halves]):
        grad = np.asarray(numbers((x @ y).shape, x.dtype, seed=9))
        if np.broadcast_shapes(x.shape[:-2], y.shape[:-2]) not in (x.shape[:-2], y.shape[:-2]):
            continue
        said = f"for x {x.shape} and y {y.shape}, {x.dtype}"
        by_hand = lambda g, y: g @ np.swapaxes(y, -1, -2)  # noqa: E731
        with_x = (None, x)[k % 2]
        tried = lambda g, y, x=with_x: left(g, x, y)  # noqa: E731
        expect_formula(tried, by_hand, f"matmul_left {said}", grad, y, names=("grad", "y"), **slips)
        by_hand = lambda g, x: np.swapaxes(x, -1, -2) @ g  # noqa: E731
        with_y = (None, y)[k % 2]
        tried = lambda g, x, y=with_y: right(g, x, y)  # noqa: E731
        expect_formula(
            tried, by_hand, f"matmul_right {said}", grad, x, names=("grad", "x"), **slips
        )
    endless = np.array([[np.inf, 1], [np.nan, 1]])
    ones, because = np.ones((2, 2)), "NaN and infinity go their way, too"
    with calling("matmul_left and matmul_right of infinity and NaN"), np.errstate(all="ignore"):
        got = left(endless, None, ones), right(endless, ones, None)
    for name, array, want in zip("xy", got, (endless @ ones, ones @ endless), strict=True):
        said = f"the gradient of {name} where grad = [[inf, 1], [nan, 1]] and the other is ones"
        expect_numbers(array, want, said, because)


def reduced(shapes=((1,), (3,), (2, 3), (3, 2, 2), (0, 3))):
    """(x, the axes to sum over, the shapes that a gradient may have), all axes of all shapes."""
    for shape, dtype in in_kinds(shapes):
        for count in range(1, len(shape) + 1):
            for axes in itertools.combinations(range(len(shape)), count):
                kept = tuple(1 if i in axes else n for i, n in enumerate(shape))
                dropped = tuple(n for i, n in enumerate(shape) if i not in axes)
                yield np.asarray(numbers(shape, dtype)), axes, (kept, dropped)
    yield np.asarray(numbers((3, 2))).T, (1,), ((2, 1), (2,))


def log_of_sum_by_hand(x, axes):
    largest = np.max(x, axis=axes, keepdims=True, initial=-np.inf)
    with np.errstate(all="ignore"):
        sums = np.exp(np.where(np.isfinite(largest), x - largest, x)).sum(axis=axes, keepdims=True)
        return (np.log(sums) + np.where(np.isfinite(largest), largest, 0)).astype(x.dtype)


@pytest.mark.exercise("7.4", points=2)
def test_logs_of_all_sums():
    log_of_sum = tt.ops.reductions.log_of_sum
    for x, axes, _ in reduced():
        for scale in (1, 0, 300, -np.finfo(x.dtype).max / 8):
            given = np.asarray(x * x.dtype.type(scale))
            kept, what = (
                given.copy(),
                f"log_of_sum of {given.dtype} of shape {x.shape}, times {scale:g}, along {axes}",
            )
            with (
                calling(what, slips=[(worded(ValueError, "zero-size"), EMPTY)]),
                np.errstate(all="ignore"),
            ):
                got = log_of_sum(given, axes)
            expect_numbers(got, log_of_sum_by_hand(given, axes), what)
            expect(given, kept, f"x after {what}", rtol=0, atol=0)
    for dtype in KINDS:  # where exponentials overflow, have hardly a digit left, are 0
        info = np.finfo(dtype)
        least = np.log(float(info.smallest_subnormal))
        for number in (np.log(float(info.max)) + 1, least + 0.3, least - 5):
            x = np.full(2, number, dtype)
            what = f"log_of_sum(array([{x[0]:.5g}, {x[0]:.5g}], {x.dtype}), (0,))"
            because = "with the largest taken out, no exponential is too large or too small"
            with calling(what), np.errstate(all="ignore"):
                got = log_of_sum(x, (0,))
            expect_numbers(got, log_of_sum_by_hand(x, (0,)), what, because)
    for pair in itertools.product(VALUES, repeat=2):
        x = np.array(pair)
        with calling(f"log_of_sum({list(pair)}, (0,))"), np.errstate(all="ignore"):
            got = log_of_sum(x, (0,))
        because = "NaN gives NaN" if np.isnan(x).any() else ""
        expect_numbers(got, log_of_sum_by_hand(x, (0,)), f"log_of_sum({list(pair)}, (0,))", because)
    for shape, axes in (((0, 3), (1,)), ((2, 3), ()), ((), ())):
        x = np.asarray(numbers(shape))
        slips = [(TypeError, NO_ARRAY), (AttributeError, NO_ARRAY)] * (not shape)
        with calling(f"log_of_sum of shape {shape} along {axes}", slips=slips):
            got = log_of_sum(x, axes)
        expect_numbers(
            got, log_of_sum_by_hand(x, axes), f"log_of_sum of shape {shape} along {axes}"
        )


@pytest.mark.exercise("7.4", points=1)
def test_shares_of_all_sums():
    formula = tt.ops.reductions.logsumexp_formula
    for x, axes, shapes in reduced():
        y = log_of_sum_by_hand(x, axes)
        for shape in shapes:
            grad = np.asarray(numbers(shape, x.dtype, seed=5))
            kept = y.reshape(shape).copy()

            def by_hand(g, x, axes=axes):
                y = log_of_sum_by_hand(x, axes)
                return g.reshape(y.shape) * np.exp(x - y)

            def tried(g, x, axes=axes, y=kept):
                y = x.logsumexp(axes, x.ndim == g.ndim) if isinstance(x, tt.Tensor) else y
                return formula(g, x, y, axes)

            what = f"logsumexp_formula for x of shape {x.shape}, axes {axes}, grad of shape {shape}"
            slips = [(ValueError, f"{SEVERAL}, here {axes}")] * (len(axes) > 1)
            expect_formula(tried, by_hand, what, grad, x, names=("grad", "x"), slips=slips)
            expect(kept, y.reshape(shape), f"the y that {what} was given", rtol=0, atol=0)
    what = "logsumexp_formula for x of shape (), axes ()"
    given = np.asarray(numbers(())), np.asarray(numbers((), seed=5))
    single = lambda g, x: formula(g, x, x if isinstance(x, tt.Tensor) else x.copy(), ())  # noqa: E731
    expect_of_arrays(single, lambda g, x: g, what, *given)
    expect_function("x.logsumexp(1)", lambda x: x.logsumexp(1),
                    lambda x: np.log(np.exp(x).sum(1)), numbers((2, 3)))  # fmt: skip


def gradients_of_shares(grad, y, axis, is_softmax):
    """{what's special: grad}, among them one of which nothing is subtracted."""
    whole = (grad * y if is_softmax else grad).sum(axis=axis, keepdims=True)
    even = grad - whole if is_softmax else grad - whole / max(grad.shape[axis], 1)
    return {
        "": grad,
        ", grad in another order of memory": np.copy(grad, order="F"),
        ", grad all zeros": grad * 0,
        ", grad with a sum near 0": even.astype(grad.dtype),
        ", grad alike": np.ones_like(grad),
    } | ({} if is_softmax or grad.shape[axis] != 2 else {", grad with the sum 0": opposite(grad)})


def opposite(grad):
    return np.asarray((np.indices(grad.shape).sum(0) % 2) * 2 - 1, grad.dtype)


def expect_moving(formula, by_hand, what, grad, x, axis):
    """Its slopes in grad and in x, where y is the result of x, as in the library."""
    if grad.dtype != np.float64 or grad.size > 8:
        return
    name = formula.__name__.removesuffix("_formula")

    def tried(g, x):
        return formula(g, getattr(x, name)(axis), (axis,))

    def reference(g, x):
        shares = np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)
        return by_hand(g, shares if name == "softmax" else np.log(shares))

    names = [f"{letter}, by backward()," for letter in ("grad", "x")]
    said = f"{what}, of Tensors, y = x.{name}({axis}),"
    expect_function(said, tried, reference, grad, x, names=names)


@pytest.mark.exercise("7.5", points=2)
def test_shares_along_all_axes():
    for shape, dtype in in_kinds(((1,), (3,), (2, 3), (0, 3), (2, 2, 2), (2, 1, 3))):
        formulas = tt.ops.reductions.softmax_formula, tt.ops.reductions.log_softmax_formula
        x = np.asarray(numbers(shape, dtype))
        for axis in range(len(shape)):
            grad = np.asarray(numbers(shape, dtype, seed=5))
            shares = np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)
            soft = lambda g, y, a=axis: g * y - y * (g * y).sum(axis=a, keepdims=True)  # noqa: E731
            logs = lambda g, y, a=axis: g - np.exp(y) * g.sum(axis=a, keepdims=True)  # noqa: E731
            for formula, by_hand, y in zip(
                formulas, (soft, logs), (shares, np.log(shares)), strict=True
            ):
                what = f"{formula.__name__} for shape {shape}, axis {(axis,)}"
                tried = lambda g, y, f=formula, a=axis: f(g, y, (a,))  # noqa: E731
                for said, sent in gradients_of_shares(grad, y, axis, by_hand is soft).items():
                    expect_of_arrays(tried, by_hand, f"{what}{said}", sent, y)
                expect_moving(formula, by_hand, what, grad, x, axis)
    for formula in formulas:
        what = f"{formula.__name__} for shape (), axis ()"
        y = np.asarray(float(formula is formulas[0]))  # the whole, or its logarithm
        sent = np.asarray(numbers(()))
        tried, slips = (
            lambda g, y, f=formula: f(g, y, ()),
            [(ValueError, "of a number, axis is ()")],
        )
        expect_of_arrays(tried, lambda g, y: np.zeros_like(g), what, sent, y, slips=slips)
    by_hand = lambda x: np.exp(x) / np.exp(x).sum(0)  # noqa: E731
    expect_function("x.softmax(0)", lambda x: x.softmax(0), by_hand, numbers((3, 2)))
    by_hand = lambda x: x - np.log(np.exp(x).sum(0))  # noqa: E731
    expect_function("x.log_softmax(0)", lambda x: x.log_softmax(0), by_hand, numbers((3, 2)))


def others_by_hand(grad, x, axis):
    """The product of all others, one element at a time."""
    out = np.zeros_like(x)
    sent = grad.reshape([1 if i == axis else n for i, n in enumerate(x.shape)])
    for place in np.ndindex(x.shape):
        line = list(place)
        line[axis] = slice(None)
        rest = np.delete(x[tuple(line)], place[axis]).prod()
        line[axis] = 0
        out[place] = sent[tuple(line)] * rest
    return out


def without_slopes_in(x, formula):
    """The formula of grad alone: an x on which it doesn't depend needn't have a gradient."""
    constant = tt.tensor(x.copy())
    return lambda g: formula(g, constant if isinstance(g, tt.Tensor) else x)


@pytest.mark.exercise("7.6", points=3)
def test_products_along_all_axes():
    formula = tt.ops.reductions.prod_formula
    for shape, dtype in in_kinds(((1,), (4,), (2, 3), (3, 2, 2))):
        for axis, zeros in itertools.product(range(len(shape)), (0, 1, 2, 3)):
            x = np.asarray(numbers(shape, dtype))
            x.reshape(-1)[: 2 * zeros : 2] = 0
            kept = tuple(1 if i == axis else n for i, n in enumerate(shape))
            for sent in (kept, tuple(n for i, n in enumerate(shape) if i != axis)):
                grad = np.asarray(numbers(sent, dtype, seed=5))
                by_hand = lambda g, x, a=axis: others_by_hand(g, x, a)  # noqa: E731
                tried = lambda g, x, a=axis: formula(g, x, a)  # noqa: E731
                what = f"prod_formula for shape {shape}, axis {axis}, grad of shape {sent}"
                said, names = f"{what}, {zeros} zeros", ("grad", "x")
                if shape[axis] == 1:  # the product of no others, in which x has no part
                    tried, by_hand = without_slopes_in(x, tried), lambda g, x=x, f=by_hand: f(g, x)
                    expect_formula(tried, by_hand, said, grad, names=names[:1])
                    continue
                expect_formula(tried, by_hand, said, grad, x, names=names)
    for empty, axis in (((0,), 0), ((2, 0), 1), ((0, 3), 1)):
        x = np.zeros(empty)
        grad = np.zeros([n for i, n in enumerate(empty) if i != axis])
        what = f"prod_formula for shape {empty}, axis {axis}"
        with calling(what):
            expect_numbers(formula(grad, x, axis), x, what)
    for numbers_given in (
        [1e300, 0, 1e300, 2],
        [1e-200, 1e-200, 1e200],
        [1e200, 1e200, 1e-200],
        [np.inf, 2],
        [np.nan, 2],
        [np.inf, 0, 2],
    ):
        x = np.array(numbers_given)
        what = f"prod_formula(1, {numbers_given}, 0)"
        with np.errstate(all="ignore"):
            want, divided = others_by_hand(np.array(1.0), x, 0), x.prod() / x
            with calling(what):
                got = formula(np.array(1.0), x, 0)
        slips = [(divided, "dividing fails for more than zeros: the product of the others doesn't")]
        expect(got, want, what, slips=slips, because="each gets the product of the others")


FUNCTIONS = {  # what it's called: (function, how many dimensions each input lacks in front)
    "x.exp()": (lambda x: x.exp(), (0,)),
    "x * y": (lambda x, y: x * y, (0, 1)),
    "(x / y).tanh()": (lambda x, y: (x / y).tanh(), (1, 0)),
    "x * x, y not used": (lambda x, y: x * x, (0, 1)),
    "x.prod()": (lambda x: x.prod(), (0,)),
    "x.T": (lambda x: x.T, (0,)),
}


@pytest.mark.exercise("7.7", points=1)
def test_ways_back_of_many_functions():
    unwritten = "nothing is written to any .grad"
    for (text, (function, lacks)), whole in itertools.product(FUNCTIONS.items(), SHAPES):
        arrays = [numbers(whole[lack:], seed=k) for k, lack in enumerate(lacks)]
        shape = " and ".join([str(array.shape) for array in arrays])
        inputs = [tt.tensor(array, requires_grad=True) for array in arrays]
        for x in inputs:
            x.grad = tt.ones(x.shape, dtype=tt.float64)
        y = function(*inputs)
        sent = tt.tensor(np.asarray(numbers(tuple(y.shape), seed=9)), requires_grad=True)
        wanted = tt.autograd.grad(function(*inputs), inputs, sent, allow_unused=True)
        what = f"way_back_of(lambda …: {text}) for shape {shape}"
        with calling(what):
            got = tt.proving.way_back_of(function)(sent, *inputs)
        wants = [gradient for gradient in wanted if gradient is not None]
        fail_if(not isinstance(got, tuple), f"{what} gave {type(got).__name__}, expected a tuple")
        nothing = [g for g in wants if not g.detach().numpy().any()]
        reason = "zeros are a gradient, too, and so is one without any numbers"
        slips = [(len(wants) - len(nothing), reason)] * bool(nothing)
        expect(len(got), len(wants), f"how many gradients {what} gave", slips=slips)
        shapes = [[tuple(np.shape(g)) for g in gradients] for gradients in (got, wants)]
        exchanged = shapes[0] != shapes[1] and sorted(shapes[0]) == sorted(shapes[1])
        says = "{} gave gradients of shapes {}, expected {}: those of the inputs in their order"
        fail_if(exchanged, says.format(what, *shapes))
        for gradient, want in zip(got, wants, strict=True):
            expect_array(gradient, want.detach().numpy(), what)
        for x in inputs:
            says = f"x.grad, 1 before, after {what}"
            expect(x.grad, np.ones(x.shape), says, because=unwritten)
        results = [x * 1 for x in inputs]
        slips = [(lambda e: "no inputs" in str(e), "they require grad, too, though no leaves")]
        with calling(f"{what}, the inputs results of others", slips=slips):
            got = tt.proving.way_back_of(function)(sent, *results)
        says = f"how many gradients {what} gave, the inputs results of others"
        expect(len(got), len(wants), says)
        with calling(f"errors_of(lambda …: {text}) for shape {shape}"):
            errors = tt.proving.errors_of(function, inputs)
        for error in errors:
            expect(
                bool(error < 1e-6),
                True,
                f"errors_of(…: {text}) for shape {shape} = {errors}, small",
            )
        for x in inputs:
            says = f"x.grad, 1 before, after errors_of of {text}"
            expect(x.grad, np.ones(x.shape), says, because=unwritten)
    what = "way_back_of(lambda x: x.floor()) at [1, 1]"
    with calling(what):
        made = tt.proving.way_back_of(lambda x: x.floor())(
            tt.ones(2), tt.ones(2, requires_grad=True)
        )
    why = "a gradient counts, also where it's zeros and has no history"
    expect(len(made), 1, f"how many gradients {what} gave", because=why)
    expect(made[0], [0, 0], what)


def expect_passed_on(call, what, whose):
    """A RuntimeError comes up, `whose` it is, and isn't held back."""
    held_back = f"{whose} raises it, and an error that comes up is passed on"
    expect_raises(RuntimeError, call, what, slips={None: held_back})
    expect_ending(call, RuntimeError, what)


@pytest.mark.exercise("7.7", points=1)
def test_what_a_way_back_leaves_behind():
    way_back_of, errors_of = tt.proving.way_back_of, tt.proving.errors_of
    x, sent = tt.ones(2, requires_grad=True), tt.ones(2)
    given = "way_back_of(lambda x, y: x * y) for the same Tensor twice"
    with calling(given):
        both = way_back_of(lambda x, y: x * y)(sent, x, x)
    each = "each input has a gradient of its own, also where both are one Tensor"
    expect(len(both), 2, f"how many gradients {given} gave", because=each)
    alive = []

    def noted(x):
        y = x * x
        alive.append(ref(y))
        return y

    made = way_back_of(noted)
    with calling("way_back_of(lambda x: x * x), three times"):
        for _ in range(3):
            made(sent, x)
    left = len([1 for result in alive if result() is not None])
    says = f"way_back_of(lambda x: x * x) keeps {left} of 3 results, though nobody needs them"
    fail_if(left, f"{says}: with every nudge it would be one more")

    def refuses(x):
        raise RuntimeError("the function's own")

    what = "the way back of a function that raises RuntimeError"
    expect_passed_on(lambda: way_back_of(refuses)(sent, x), what, "the function")
    what = "the way back of x * x, upstream of shape (3,) for a result of shape (2,),"
    expect_passed_on(lambda: made(tt.ones(3), x), what, "grad()")
    what = "the way back of x.detach(), a result without a history,"
    expect_passed_on(lambda: way_back_of(lambda x: x.detach())(sent, x), what, "grad()")
    with tt.no_grad():
        with suppress(RuntimeError):
            made(sent, x)
        off = not tt.is_grad_enabled()
    says = "a way back that's called under no_grad() leaves recording on: it isn't its business"
    fail_if(not off, says)
    tt.rand(1)  # so that it isn't as a seed leaves it
    drawn = tt.get_rng_state().numpy().tolist()
    with calling("errors_of(lambda x: x * x, …)"):
        errors_of(lambda x: x * x, [tt.ones(2, dtype=tt.float64, requires_grad=True)])
    says = "errors_of changed tinytorch's random numbers: weights_for has its own"
    fail_if(tt.get_rng_state().numpy().tolist() != drawn, says)
