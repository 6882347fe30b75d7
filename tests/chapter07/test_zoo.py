"""Chapter 7: what each exercise promises, beside NumPy and beside slopes found by nudging."""

import itertools
from contextlib import suppress
from functools import partial
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
    upstream,
)
from course.memory import memory_taken
from course.testing import calling, expect, expect_raises, fail_if, worded

LOOSE = {"float64": (1e-9, 1e-9), "float32": (1e-4, 1e-4), "float16": (2e-2, 2e-2)}
FROM_THE_END = (IndexError, "x and y may have fewer axes than grad: count each one's from the end")
ANY_ORDER = "axes may be in any order"
SEVERAL = "axes may be several, and kept_shape(x.shape, axes) has all of them"
EMPTY = "an axis may be empty: finite_max can do that"
OWN_ALONE = "each row has a gradient of its own, whatever stands in the rows beside it"
DIVIDED = "dividing fails for more than zeros: the product of the others doesn't"
NO_ARRAY = "of arrays without axes NumPy makes numbers: np.float64 is no ndarray, nor a Tensor"


def expect_numbers(got, want, what, because="", slips=()):
    """The same numbers, shape and dtype, as an array."""
    want = np.asarray(want)
    is_array = isinstance(got, np.ndarray) or (isinstance(got, np.generic) and not want.ndim)
    fail_if(not is_array, f"{what} is {type(got).__name__}, expected an array")
    as_given = f"what it was given is in {want.dtype}"
    expect(got.dtype, want.dtype, f"the dtype of {what}", because=as_given)
    rtol, atol = LOOSE.get(want.dtype.name, (0, 0))
    expect(got, want, what, rtol=rtol, atol=atol, because=because, slips=slips)


def expect_moving_at_zero(formula, what, grad, *others):
    """Whatever a formula is sent, it moves with it by the same slope: also where that's 0."""
    slopes, said = [], f"{what}, of Tensors, grad all zeros"
    still = "though 0 came, what it gives moves with grad, as it does for any other"
    for came in (grad, grad * 0):
        sent = tt.tensor(came.copy(), requires_grad=True)
        with calling(said):
            made = formula(sent, *[tt.tensor(array.copy()) for array in others])
            fail_if(not made.requires_grad, f"{said}, has no history that leads to grad: {still}")
            weights = upstream(tuple(made.shape), np.float64)
            slopes.extend(tt.autograd.grad(made, [sent], weights, allow_unused=True))
    want = slopes[0].detach().numpy()
    expect(slopes[1], want, f"{said}: the slope in grad", because=still)


def expect_memory(what, prepare, sizes, most, because):
    """What's taken for the larger n is at most so many times as much: prepare(n)() is a call.

    For four times the n the right ones take 4 times as much at most, of matrices 16 times; a table
    of slopes makes that 16 and 64 times, and a run through all elements for each nearly so.
    """
    with calling(what):
        prepare(sizes[0])()  # a first call may fill caches
        small, large = (memory_taken(prepare(n)) for n in sizes)
    says = f"{what} takes {large:,} bytes for n = {sizes[1]}, kept or not, {small:,} for {sizes[0]}"
    fail_if(large > most * small, f"{says}, expected at most {most} times as many: {because}")


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
        whose = [f"{name}, by backward() from what it gave," for name in names]
        said = f"{what}, of Tensors"
        expect_function(said, formula, reference, *given, names=whose, slips=slips)
        if want.size:
            expect_moving_at_zero(formula, what, *given)
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
        turned = axes != tuple(sorted(axes))
        slips = [
            (worded(ValueError, "one unknown dimension"), "kept_shape knows all lengths"),
            *[(kind, f"{ANY_ORDER}, here {axes}") for kind in (ValueError, RuntimeError)] * turned,
            *[(TypeError, NO_ARRAY), (AttributeError, NO_ARRAY)] * (not grad.ndim),
        ]
        as_it_came = (
            "that's the shape of grad: repeat it up to `shape`, even if that holds no numbers"
        )
        shaped = [(lambda g, s=grad.shape: g.shape == s, as_it_came)] * (grad.shape != x.shape)
        with calling(what, slips=slips):
            if not grad.ndim:
                expect_numbers(tt.ops.shapes.spread(grad[()], x.shape, axes, keepdims), want, what)
            got = tt.ops.shapes.spread(grad, x.shape, axes, keepdims)
        expect_numbers(got, want, what, slips=shaped)
        sent, said = tt.tensor(grad.copy(), requires_grad=True), f"{what}, of a Tensor"
        with calling(said, slips=slips):
            recorded = tt.ops.shapes.spread(sent, x.shape, axes, keepdims)
        expect_array(recorded, want, f"{what}, of a {dtype.__name__} Tensor", LOOSE)
        lost = "has no history: compute with grad itself, not with a copy of its numbers"
        fail_if(want.size and not recorded.requires_grad, f"{said}, {lost}")
    for came, shape, axes in (
        ((2,), (2, 3), (1,)),
        ((2, 1), (2, 3), (1,)),
        ((), (2, 3), (1, 0)),
        ((), (3,), (0,)),
        ((), (), ()),
    ):
        kept = [1 if i in axes else n for i, n in enumerate(shape)]
        by_hand = lambda g, k=kept, s=shape: np.broadcast_to(g.reshape(k), s)  # noqa: E731
        tried = lambda g, a=axes, s=shape: tt.ops.shapes.spread(g, s, a)  # noqa: E731
        what = f"spread(grad of shape {came}, {shape}, {axes})"
        expect_function(what, tried, by_hand, numbers(came))
        expect_moving_at_zero(tried, what, numbers(came))


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


def expect_placed_alone(values, shape, index):
    """NaN or infinity among the values come to their places, and to no others."""
    for special in (np.nan, np.inf):
        values[(0,) * values.ndim] = special
        want = np.zeros(shape, values.dtype)
        np.add.at(want, index, values)
        what = f"place_in_zeros(values of shape {values.shape}, {shape}, {index}), "
        what += f"the first of them {special},"
        with calling(what), np.errstate(all="ignore"):
            got = tt.ops.indexing.place_in_zeros(values, shape, index)
        expect_numbers(got, want, what, slips=special_slips(want))


def special_slips(want):
    """Where what should be NaN or infinite is a number, and where another place is NaN."""
    some = ~np.isfinite(want)
    lost = "NaN and infinity are added like any other number"
    alone = "NaN and infinity come to the places that they're for, and to no others"
    return [(lambda g: np.isfinite(g[some]).any(), lost),
            (lambda g: not np.isfinite(g[~some]).all(), alone)]  # fmt: skip


def is_whole(item):
    """Is this an array of whole numbers in an index?"""
    return isinstance(item, np.ndarray) and item.dtype.kind == "i"


CHEAP = "add each value at its place, without a look at all the others for each"


@pytest.mark.exercise("7.2", points=2)
def test_all_kinds_of_indexes():
    for (shape, known), dtype in in_kinds(indexes().items()):
        for index in known:
            picked, count = np.zeros(shape)[index].shape, np.zeros(shape)
            np.add.at(count, index, 1)
            because = "a place that was picked several times gets the sum" * bool((count > 1).any())
            if because and any(np.less(item, 0).any() for item in index if is_whole(item)):
                because = f"-1 is the last place; {because}"
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
            if values.size:
                expect_placed_alone(values.copy(), shape, index)
    short = np.array([19, 3, 19], np.int8), np.array([9, 1, 9], np.int8)
    for values in ([1.0, 2, np.inf], [np.nan, 1, 2], [4, 5, 6]):
        given = np.array(values)
        want = np.zeros((20, 10), given.dtype)
        np.add.at(want, short, given)
        what = f"place_in_zeros({values}, (20, 10), two arrays of int8)"
        because = "what isn't named stays 0, and what's named gets just its own"
        with calling(what):
            got = tt.ops.indexing.place_in_zeros(given, (20, 10), short)
        expect_numbers(got, want, what, because, special_slips(want))
    picks = lambda n: partial(  # noqa: E731
        tt.ops.indexing.place_in_zeros, numbers((n,)), (n,), (np.arange(n)[::-1].copy(),)
    )
    what = "place_in_zeros of n values in n places"
    expect_memory(what, picks, (400, 3200), 12, CHEAP)
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
    for k, (x, y) in enumerate([*batches(), large, *halves]):
        grad = np.asarray(numbers((x @ y).shape, x.dtype, seed=9))
        if np.broadcast_shapes(x.shape[:-2], y.shape[:-2]) not in (x.shape[:-2], y.shape[:-2]):
            continue
        said = f"for x {x.shape} and y {y.shape}, {x.dtype}"
        raised = [(ValueError, meet), (RuntimeError, meet)] * (x.shape[:-2] != y.shape[:-2])
        slips = {"slips": [FROM_THE_END, *raised], "because": meet}
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
    for name, formula, factors in (
        ("matmul_left", left, lambda n: (None, numbers((n, n)))),
        ("matmul_right", right, lambda n: (numbers((n, n)), None)),
    ):
        call = lambda n, f=formula, g=factors: partial(f, numbers((n, n)), *g(n))  # noqa: E731
        because = "no array holds all n * n * n products: @ adds them up as they come"
        expect_memory(f"{name} of n by n matrices", call, (24, 96), 20, because)
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


def expect_alone(formula, what, wild, *given):
    """Three rows of numbers; with others in the middle one, the two beside it get what they got.

    `given` are grad and a table; `wild` are rows to stand in its middle. Of arrays and of Tensors.
    """
    grad, table = given
    for kind, make in (("arrays", np.array), ("Tensors", tt.tensor)):
        with np.errstate(all="ignore"):
            for place, row in enumerate((table[1], *np.asarray(wild, np.float64))):
                changed = table.copy()
                changed[1] = row
                said = f"{what}, of {kind}, row 1 of which is {row.tolist()}: rows 0 and 2"
                with calling(said):
                    made = formula(make(grad), make(changed))
                got = (made if kind == "arrays" else made.detach().numpy())[::2]
                if not place:
                    want = got
                expect(got, want, said, because=OWN_ALONE)


def log_of_sum_by_hand(x, axes):
    largest = np.max(x, axis=axes, keepdims=True, initial=-np.inf)
    with np.errstate(all="ignore"):
        sums = np.exp(np.where(np.isfinite(largest), x - largest, x)).sum(axis=axes, keepdims=True)
        return (np.log(sums) + np.where(np.isfinite(largest), largest, 0)).astype(x.dtype)


WILD = (np.nan, 1), (np.inf, 1), (-np.inf, -np.inf), (1000, 1000), (-1000, -1000), (0, 0)


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
    table = np.array([pair for pair in itertools.product(VALUES, repeat=2)])
    for x, axis in ((table, 1), (table.T, 0)):
        what = f"log_of_sum of all pairs of {len(VALUES)} numbers, in {('columns', 'rows')[axis]},"
        with calling(what), np.errstate(all="ignore"):
            got = log_of_sum(x, (axis,))
        want = log_of_sum_by_hand(x, (axis,))
        shapes = f"{what} has shape {np.shape(got)}, expected {want.shape}"
        fail_if(np.shape(got) != want.shape, shapes)
        for pair, sums in zip(table, zip(got.ravel(), want.ravel(), strict=True), strict=True):
            because = "each has a largest of its own, whatever stands in the others"
            expect(sums[0], sums[1], f"{what}: that of {pair.tolist()}", because=because)
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
    sums = lambda x: (  # noqa: E731
        x.logsumexp(1) if isinstance(x, tt.Tensor) else log_of_sum_by_hand(x, (1,))[:, 0]
    )
    tried = lambda g, x: formula(g, x, sums(x), (1,))  # noqa: E731
    expect_alone(tried, "logsumexp_formula(grad, x, y, (1,))", WILD, numbers((3,)), numbers((3, 2)))
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


def still(numbers_):
    return numbers_.detach().numpy() if isinstance(numbers_, tt.Tensor) else numbers_


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
    said = f"{what}, y = x.{name}({axis})"
    expect_function(f"{said}, of Tensors", tried, reference, grad, x, names=names)
    if grad.size:
        expect_moving_at_zero(tried, said, grad, x)


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
    shares = np.array([[0.25, 0.75]] * 3)
    far = {
        "softmax_formula": ([0, 1], [[np.nan, 1], [1, 0], [0, 1], [0, 0]], shares, soft),
        "log_softmax_formula": ([-2000, 0], [[np.nan, 0], [0, -2000]], np.log(shares), logs),
    }
    for formula in formulas:
        y, wild, table, by_hand = far[formula.__name__]
        tried = lambda g, y, f=formula: f(g, y, (g.ndim - 1,))  # noqa: E731
        what = f"{formula.__name__}(grad, y, (1,))"
        expect_alone(tried, what, wild, numbers((3, 2)), table)
        for kind, make in (("arrays", np.array), ("Tensors", tt.tensor)):
            call = lambda n, f=formula, m=make: partial(  # noqa: E731
                f, m(numbers((2, n))), m(-abs(numbers((2, n), seed=5))), (1,)
            )
            said = f"{formula.__name__} of two rows of n numbers, {kind},"
            expect_memory(said, call, (100, 400), 6, "a table of all slopes is n * n: make none")
        what = f"{formula.__name__}([10, 1], {y}, (0,))"
        by_hand = lambda g, y, f=by_hand: f(g, y, 0)  # noqa: E731
        slips = [(lambda g: not np.isfinite(still(g)).all(), "a share may be 0, and is no divisor")]
        expect_formula(tried, by_hand, what, np.array([10.0, 1]), np.array(y, np.float64),
                       names=("grad", "y"), slips=slips)  # fmt: skip
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


def expect_not_divided(grad, x, judged):
    """The products where they are numbers, though that of all isn't, or has lost its digits.

    `judged` is the number of elements, from the first on, that lose nothing on the way.
    """
    numbers_given = [float(f"{number:g}") for number in x]
    what = f"prod_formula({grad:g}, {numbers_given}, 0)"
    with np.errstate(all="ignore"):
        want, divided = others_by_hand(grad, x, 0), grad * (x.prod() / x)
        made = {}
        with calling(what):
            made[what] = tt.ops.reductions.prod_formula(grad, x.copy(), 0)
        if np.isfinite(x).all():  # of Tensors, before() makes its 1 by 0 * x
            said = f"{what}, of Tensors"
            with calling(said):
                found = tt.ops.reductions.prod_formula(tt.tensor(grad), tt.tensor(x.copy()), 0)
            made[said] = found.detach().numpy()
    for said, got in made.items():
        fail_if(np.shape(got) != x.shape, f"{said} has shape {np.shape(got)}, expected {x.shape}")
        for place in range(judged):
            slips = [(lambda g, d=divided[place]: np.isclose(g, d, 1e-9, 0, True), DIVIDED)]
            each, one = "each gets the product of the others", f"element {place} of {said}"
            expect(got[place], want[place], one, slips=slips, because=each, rtol=1e-9, atol=0)


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
    for numbers_given, sent, judged in (
        ([1e300, 0, 1e300, 2], 1.0, 4),
        ([1e-200, 1e-200, 1e200], 1.0, 3),
        ([1e200, 1e200, 1e-200], 1.0, 3),
        ([1e-160, 1e-160, 1e-3], 1e300, 2),  # the product of these two has hardly a digit
        ([1e-160, 1e-160, 1e20, 1], 1.0, 2),
        ([np.inf, 2], 1.0, 2),
        ([np.nan, 2], 1.0, 2),
        ([np.inf, 0, 2], 1.0, 3),
    ):
        expect_not_divided(np.array(sent), np.array(numbers_given), judged)
    call = lambda n: partial(formula, numbers((2,)), numbers((2, n)), 1)  # noqa: E731
    what = "prod_formula of two rows of n numbers"
    because = "run through them once from each end, not for each number"
    expect_memory(what, call, (30, 120), 6, because)
    tried = lambda g, x: formula(g, x, 1)  # noqa: E731
    expect_alone(tried, "prod_formula(grad, x, 1)", WILD, numbers((3,)), numbers((3, 2)))


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
        slips = [(lambda n, w=wants: n < len(w), reason)] * bool(nothing)
        expect(len(got), len(wants), f"how many gradients {what} gave", slips=slips)
        shapes = [[tuple(np.shape(g)) for g in gradients] for gradients in (got, wants)]
        exchanged = shapes[0] != shapes[1] and sorted(shapes[0]) == sorted(shapes[1])
        says = "{} gave gradients of shapes {}, expected {}: those of the inputs in their order"
        fail_if(exchanged, says.format(what, *shapes))
        for gradient, want in zip(got, wants, strict=True):
            numbers_ = want.detach().numpy()
            expect_array(gradient, numbers_, what, slips=[(numbers_ + 1, ONE_MORE)])
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


ONE_MORE = "that's 1 too many, and 1 is what x.grad was before: take what grad() gives, no .grad"


def expect_passed_on(call, what, whose, kind=RuntimeError):
    """An error comes up, `whose` it is, and isn't held back."""
    if kind is RuntimeError:
        held_back = f"{whose} raises it, and an error that comes up is passed on"
        expect_raises(RuntimeError, call, what, slips={None: held_back})
    expect_ending(call, kind, what)


def state_of(tensor):
    """What a Tensor is asked for that somebody might change."""
    gradient = None if tensor.grad is None else tensor.grad.numpy().tolist()
    return {
        "requires_grad": tensor.requires_grad,
        ".grad": gradient,
        "numbers": tensor.detach().numpy().tolist(),
    }


def raising_operation(error):
    """x * x as an operation on whose way back this comes up."""

    def formula(grad, x):
        raise error

    rule = tt.node.Rule("Raising", (formula,), (0,))
    return lambda x: tt.operation.recorded(x._data * x._data, rule, (x,), x._data)


def expect_given_only_read():
    """What a way back is given is as it was, after an error in the pass, too."""
    way_back_of = tt.proving.way_back_of
    for asks, error in itertools.product(
        (False, True), (None, RuntimeError("the formula's own"), KeyboardInterrupt())
    ):
        x, sent = tt.ones(2, requires_grad=True), tt.ones(2, requires_grad=asks)
        x.grad = tt.tensor([7.0, 7])
        before = {"x": state_of(x), "upstream": state_of(sent)}
        what = "way_back_of of x * x"
        if error is None:
            with calling(what):
                way_back_of(lambda x: x * x)(sent, x)
        else:
            what += f", whose formula raises {type(error).__name__},"
            call = partial(way_back_of(raising_operation(error)), sent, x)
            expect_passed_on(call, what, "the formula", type(error))
        for name, tensor in (("x", x), ("upstream", sent)):
            for words, want in before[name].items():
                after = f"{name}'s {words} after {what}".replace("'s .", ".")
                because = "a way back only reads what it's given, whether or not an error comes up"
                expect(state_of(tensor)[words], want, after, because=because)


def expect_the_words_of_the_judge():
    """The errors are those of worst_error(), be they NaN."""
    rule = tt.node.Rule("NaN", (lambda grad, x: grad * x * np.nan,), (0,))
    nan = lambda x: tt.operation.recorded(x._data * x._data, rule, (x,), x._data)  # noqa: E731
    for what, function in (
        ("x * x, the formula grad * x * NaN", nan),
        ("x * x * x", lambda x: x * x * x),
    ):
        x = tt.tensor(numbers((2,)), requires_grad=True)
        want = tt.proving.worst_error(function, [x])
        with calling(f"errors_of of {what}"):
            first, second = tt.proving.errors_of(function, [x])
        word = "it's what worst_error says, NaN as well: that's never right"
        expect(first, want, f"the first error of {what}", because=word, rtol=1e-12, atol=0)
        if function is nan:
            expect(second, np.nan, f"the second error of {what}", because=word)


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
    still_, what = tt.ones(2), "the way back of x * 2, x not requiring grad,"
    expect_passed_on(lambda: way_back_of(lambda x: x * 2)(sent, still_), what, "grad()")
    expect_given_only_read()
    expect_the_words_of_the_judge()
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
