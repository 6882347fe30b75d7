"""Chapter 12: what each exercise promises, beside NumPy and beside slopes found by nudging."""

import itertools
import math
import re
import sys
from contextlib import contextmanager

import numpy as np
import pytest

import tinytorch as tt
from course.contracts import (
    DTYPES,
    EVERY_ERROR,
    expect_array,
    expect_ending,
    expect_function,
    in_kinds,
    numbers,
)
from course.testing import calling, error_of, expect, fail_if, lacks, worded
from course.tracing import each_step
from course.windowed import (
    ANY_AXES,
    SETTINGS,
    added_by_hand,
    convolved_by_hand,
    images,
    is_astray,
    needs_convolved,
    needs_windows,
    roomy,
    settings_lost,
    starts,
    windows_by_hand,
)

LOOSE = {"float64": (1e-9, 1e-9), "float32": (1e-4, 1e-4), "float16": (1e-2, 5e-2)}


STEPS = "a step for each axis of the result: x's axes before its last two, the kernel's two, and "
STEPS += "the windows' two"
NO_MINUS_ONE = "-1 can't be worked out of 0 numbers: say how many"
NONE_TO_STACK = "there may be none of them, and nothing can't be stacked"


def _works_out_of_nothing(error):
    """Was a -1 to be worked out of 0 numbers? NumPy says newaxis for it."""
    says = str(error)
    return re.search(r"size 0 into|of 0 elements", says) and re.search(r"newaxis|-1[,)]", says)


EMPTY = (
    (_works_out_of_nothing, NO_MINUS_ONE),
    (lambda e: "at least one array" in str(e) or "one or more tensors" in str(e), NONE_TO_STACK),
    (
        lambda e: lacks("int")(e),
        "Python's sum() of no pictures is the number 0, and no array: .sum(axis=0)",
    ),
    (ZeroDivisionError, "there may be no numbers at all: mean() divides as it should"),
)
SHAPES = (
    (
        lambda e: "reshape array" in str(e) or "is invalid for a tensor" in str(e),
        "count what each shape holds, with as many groups as were asked for",
    ),
)
UNSEEN = "the image's shape, image.shape: what no window sees has a gradient, too, 0"
LIKE_ANY = "numbers that are all 0 are sent on like any others: a short cut loses their history"
SHORT_CUT = ((lambda e: "does not require grad" in str(e), LIKE_ANY),)
NOT_ITS_NUMBERS = "only the shape of it counts: 0 times infinity is NaN"


def expect_numbers(got, want, what, because="", slips=()):
    """The same numbers, shape and dtype, as an array."""
    fail_if(type(got) is not np.ndarray, f"{what} is {type(got).__name__}, expected an array")
    expect(got.dtype, want.dtype, f"the dtype of {what}")
    rtol, atol = LOOSE.get(want.dtype.name, (0, 0))
    expect(got, want, what, because=because, slips=slips, rtol=rtol, atol=atol)


def expect_own_numbers(what, call, given, others):
    """A result stays as it is when the next one is made, and can be made again."""
    with calling(f"{what}, three times"):
        first = call(*given)
        kept = np.array(first.detach().numpy() if isinstance(first, tt.Tensor) else first)
        call(*others)
        again = call(*given)
    expect(first, kept, f"{what}, after it was called with other numbers: the first result")
    expect(again, kept, f"{what}, called with other numbers and then with these again")


def expect_history_of_zeros(what, function, reference, *given, names):
    """Where one of the numbers given is 0 all over, the others still get their gradients."""
    for zeros in range(len(given)):
        arrays = [array * (i != zeros) for i, array in enumerate(given)]
        said = f"{what}, {names[zeros]} all zeros,"
        tensors = [tt.tensor(array, requires_grad=True) for array in arrays]
        with calling(said, slips=SHORT_CUT):
            function(*tensors).sum().backward()
        for name, tensor in zip(names, tensors, strict=True):
            fail_if(tensor.grad is None, f"{said} {name} gets no gradient: {LIKE_ANY}")
        with calling(said):
            expect_function(said, function, reference, *arrays, names=names)


def expect_no_history(what, call):
    """Under no_grad() nothing is recorded."""
    with tt.no_grad(), calling(f"{what} under no_grad()"):
        made = call()
    for result in made if isinstance(made, tuple) else (made,):
        says = f"{what} under no_grad() gave a Tensor that requires grad: nothing is recorded there"
        fail_if(result.requires_grad, f"{says}, and enable_grad() isn't yours to say")


def steps_of(call):
    """How many steps Python takes in tinytorch's functions while this one runs."""
    steps = [0]

    def look(frame, event):
        frame.f_trace_opcodes = True
        steps[0] += event == "opcode"

    sys._getframe().f_trace_opcodes = True  # Python 3.12 asks for that before it traces at all
    with each_step(look):
        call()
    return steps[0]


def expect_few_steps(what, call, small, large, why):
    """With a hundred times the windows, Python takes no more steps; twenty times is let pass."""
    few, many = (steps_of(lambda given=given: call(*given)) for given in (small, large))
    says = f"{what}: Python takes {few:,} steps for 4 windows and {many:,} for 400: {why}"
    fail_if(many > 20 * few, says)


@pytest.mark.exercise("12.1", points=1)
def test_counts_of_all_windows():
    ranges = range(10), range(1, 5), range(1, 5), range(1, 4)
    for given in itertools.product(*ranges):
        want, what = len(starts(*given)), f"places{given}"
        if want:
            with calling(what):
                got = int(tt.nn.windows.places(*given))
            at = ", ".join(map(str, starts(*given)))
            expect(got, want, what, because=f"places where a window begins: {at}")
        else:
            expect_ending(lambda g=given: tt.nn.windows.places(*g), RuntimeError, what)


@pytest.mark.exercise("12.1", points=1)
def test_windows_of_all_arrays():
    for (x, name), settings in itertools.product(images(), SETTINGS):
        what = f"windows_of(x of shape {name}; kernel, stride, dilation = {settings})"
        for kind in (tuple, list):
            with calling(what, slips=[(worded(ValueError, "length of strides"), STEPS)]):
                got = tt.nn.windows.windows_of(x, *map(kind, settings))
            fail_if(is_astray(got), f"{what} leads out of the memory of x")
            want = windows_by_hand(x, *settings)
            first = (*settings[0], *x.shape[:-2], *want.shape[-2:])
            front = "the axes before the last two stay in front, before the kernel's"
            slips = {first: front, (*settings[0], *want.shape[-2:]): front}
            expect(np.shape(got), want.shape, f"the shape of {what}", slips=slips)
            because = "x.strides are those of x, which may be anything"
            expect_numbers(got, want, what, because)
        copied = x.size and not np.shares_memory(got, x)
        fail_if(copied, f"{what} is a copy: look at the memory of x itself")
    x = roomy(numbers((5, 6)))
    for kernel, dilation in (((6, 1), (1, 1)), ((1, 7), (1, 1)), ((3, 3), (3, 1))):
        call = lambda k=kernel, d=dilation: tt.nn.windows.windows_of(x, k, (1, 1), d)  # noqa: E731
        expect_ending(call, RuntimeError, f"windows of {kernel}, dilation {dilation}, in (5, 6)")


@pytest.mark.exercise("12.2", points=2)
@needs_windows
def test_sums_of_all_windows():
    for (x, name), settings in itertools.product(images(), SETTINGS):
        seen = windows_by_hand(x, *settings)
        sent = np.asarray(numbers(seen.shape, x.dtype))
        if len(settings[0]) and settings == SETTINGS[2]:
            sent = np.asarray(numbers(seen.shape[::-1], x.dtype)).T  # not contiguous
        kept = sent.copy()
        what = f"sum_of_windows for x of shape {name}; kernel, stride, dilation = {settings}"
        want = added_by_hand(sent, x.shape, *settings).astype(x.dtype)
        for shape in (x.shape, list(x.shape)):
            with calling(what, slips=(*FEWER_AXES, ANY_AXES)):
                got = tt.nn.windows.sum_of_windows(sent, shape, *settings)
            slips = [ANY_AXES, (lambda _, s=settings: _loses(s), LOST)]
            because = "zeros, and each number of x added to its place"
            expect_numbers(got, want, what, because, slips)
        expect(sent, kept, f"what {what} was given, afterwards", rtol=0, atol=0)
    for number in (np.inf, -np.inf, np.nan):
        sent = np.ones((1, 2, 1, 3))
        sent[0, 1, 0, 1] = number
        what = f"sum_of_windows for x of shape (1, 4), kernel (1, 2), one of six numbers {number},"
        got = tt.nn.windows.sum_of_windows(sent, (1, 4), (1, 2), (1, 1), (1, 1))
        because = "each number is added to its own place, and to no other"
        expect_numbers(got, np.array([[1, 2, number, 1]]), what, because)
    exact = np.full((1, 1, 1, 1), 2**53 + 1)
    got = tt.nn.windows.sum_of_windows(exact, (1, 1), (1, 1), (1, 1), (1, 1))
    is_exact = got.ravel().tolist() == [2**53 + 1]
    fail_if(not is_exact, f"sum_of_windows of the integer 2**53 + 1 = {got.ravel().tolist()}: "
            "float64 can't hold it: add in zeros of the dtype of x")  # fmt: skip
    small, large = (
        (np.ones((2, 3, n, n)), (n + 1, n + 2), (2, 3), (1, 1), (1, 1)) for n in (2, 20)
    )
    why = "add part by part, but not window by window"
    expect_few_steps("sum_of_windows", tt.nn.windows.sum_of_windows, small, large, why)
    error_of(lambda: tt.nn.windows.sum_of_windows(np.ones((2, 3, 2, 2)), (4, 9), *SETTINGS[1]))
    call = lambda sent: tt.nn.windows.sum_of_windows(sent, (2, 5, 6), *SETTINGS[1])  # noqa: E731
    given, others = [[numbers((2, 2, 3, 4, 4), seed=k)] for k in (1, 2)]
    expect_own_numbers("sum_of_windows for x of shape (2, 5, 6)", call, given, others)


def _adds_to_fewer_axes(error):
    """Was something to be added in place to an array that has fewer axes?"""
    shapes = re.search(r"operand with shape \((.*)\) .*shape \((.*)\)", str(error)).groups()
    return shapes[0].count(",") < shapes[1].count(",")


FEWER_AXES = ((_adds_to_fewer_axes, "the zeros have all axes of `shape`, those in front as well"),)
LOST = "it has lost some of what a place is sent: none of the parts that += adds may see one twice"


def _loses(settings):
    """Does a place that many windows share get fewer ones than they are?"""
    counts = windows_by_hand(np.ones((5, 6)), *settings)
    want = added_by_hand(counts, (5, 6), *settings)
    got = tt.nn.windows.sum_of_windows(counts, (5, 6), *settings)
    return bool(np.all(got <= want) and np.all(got[want > 0] > 0) and np.any(got < want))


CONVOLUTIONS = (  # pictures, channels, kernels, groups, (kernel, stride, dilation)
    (2, 3, 4, 1, SETTINGS[1]),
    (1, 4, 6, 2, SETTINGS[2]),
    (3, 3, 3, 3, SETTINGS[4]),
    (2, 4, 2, 2, SETTINGS[5]),
    (2, 2, 2, 1, SETTINGS[6]),
    (2, 2, 3, 1, SETTINGS[8]),
    (2, 2, 3, 1, SETTINGS[0]),
    (1, 1, 1, 1, SETTINGS[7]),
    (0, 2, 4, 2, SETTINGS[1]),
    (2, 2, 3, 1, SETTINGS[9]),
    (2, 4, 4, 2, SETTINGS[9]),
    (2, 2, 6, 2, SETTINGS[3]),
    (67, 1, 2, 1, SETTINGS[7]),
)


def gradients_by_hand(grad, x, w, settings, groups):
    seen = windows_by_hand(x, *settings)
    width, count = w.shape[1], len(w) // groups
    back, of_weight = np.zeros_like(seen), np.zeros_like(w)
    for o in range(len(w)):
        channels = slice(o // count * width, (o // count + 1) * width)
        sent = grad[:, o][:, None, None, None]
        back[:, channels] += sent * w[o][None, :, :, :, None, None]
        of_weight[o] = (sent * seen[:, channels]).sum(axis=(0, 4, 5))
    return added_by_hand(back, x.shape, *settings).astype(x.dtype), of_weight


def convolutions():
    """(what it is, image, weight, settings, groups) of all kinds."""
    cases = *itertools.product(CONVOLUTIONS, DTYPES), (CONVOLUTIONS[1], np.float16)
    for (n, c, o, groups, settings), dtype in cases:
        x = roomy(numbers((n, c, 5, 6), dtype))
        w = np.asarray(numbers((*settings[0], c // groups, o), dtype, seed=4)).T.swapaxes(-1, -2)
        what = f"{n} pictures (5, 6), {c} channels, {o} kernels, groups={groups}, {settings}"
        yield what, x, w, list(settings), groups


@pytest.mark.exercise("12.3", points=1)
@needs_windows
def test_convolutions_of_all_kinds():
    for what, x, w, settings, groups in convolutions():
        want = convolved_by_hand(x, w, settings, groups)
        for call in range(2):
            with calling(f"convolved: {what}", slips=EMPTY):
                got = tt.nn.conv.convolved(x, w, settings, groups)
            slips = [(interleaved(want, groups), "the kernels of a group stay side by side")]
            said = f"convolved: {what}" + ", a second time" * call
            expect_numbers(got, want, said, slips=slips if groups > 1 and len(x) else ())
    call = lambda x, w: tt.nn.conv.convolved(x, w, SETTINGS[2], 2)  # noqa: E731
    given, others = [
        (numbers((2, 4, 5, 6), seed=k), numbers((6, 2, 3, 2), seed=k + 1)) for k in (2, 5)
    ]
    expect_own_numbers("convolved", call, given, others)
    for number, kernel in itertools.product((np.inf, np.nan, 1e20), (2.0, 0.0)):
        x = numbers((1, 1, 4, 4))
        x[0, 0, 3, 3] = number
        w = np.full((2, 1, 2, 2), kernel)
        what = f"convolved: a picture (4, 4) with {number} in its corner, kernels all {kernel},"
        with np.errstate(invalid="ignore"):
            want = convolved_by_hand(x, w, SETTINGS[3], 1)
            got = tt.nn.conv.convolved(x, w, list(SETTINGS[3]), 1)
        because = "each place of the result is a sum of what its own window sees"
        expect_numbers(got, want, what, because)
    w = np.ones((2, 1, 2, 2))
    small, large = ((np.ones((1, 1, n, n)), w, list(SETTINGS[3]), 1) for n in (4, 40))
    why = "NumPy's product does all places at once"
    expect_few_steps("convolved", tt.nn.conv.convolved, small, large, why)
    error_of(lambda: tt.nn.conv.convolved(np.ones((1, 2, 4, 4)), w, list(SETTINGS[3]), 1))


def interleaved(z, groups):
    """The result, with the first kernel of each group first, then the second of each."""
    n, o, *places = z.shape
    return z.reshape(n, groups, o // groups, *places).swapaxes(1, 2).reshape(z.shape)


@pytest.mark.exercise("12.4", points=1)
@needs_windows
def test_gradients_of_convolutions_of_all_kinds():
    for what, x, w, settings, groups in convolutions():
        shape = convolved_by_hand(x, w, settings, groups).shape
        grad = np.asarray(numbers(shape, x.dtype, seed=5))
        found = gradients_by_hand(grad, x, w, settings, groups)
        for name, wanted in zip(("conv_image", "conv_weight"), found, strict=True):
            formula = getattr(tt.nn.conv, name)
            slips = [*EMPTY, *settings_lost(settings), *SHAPES]
            with calling(f"{name}: {what}", slips=slips):
                got = formula(grad, x, w, settings, groups)
                tensors = [tt.tensor(np.array(a)) for a in (grad, x, w)]
                recorded = formula(*tensors, settings, groups)
            unseen = [(lambda g, s=wanted.shape: np.shape(g) != s, UNSEEN)] * (name == "conv_image")
            expect_numbers(got, wanted, f"{name}: {what}", slips=unseen)
            expect_array(recorded, wanted, f"{name} of Tensors: {what}", LOOSE)
    settings, ones = list(SETTINGS[3]), np.ones((1, 1, 2, 2))
    for number in (np.inf, np.nan):
        spoilt = np.full((1, 1, 4, 4), number)
        got = tt.nn.conv.conv_image(ones, spoilt, ones, settings, 1)
        what = f"conv_image where all numbers are 1, but those of the image {number},"
        expect_numbers(got, np.ones((1, 1, 4, 4)), what, NOT_ITS_NUMBERS)
        got = tt.nn.conv.conv_weight(ones, np.ones((1, 1, 4, 4)), ones * number, settings, 1)
        what = f"conv_weight where all numbers are 1, but those of the weight {number},"
        expect_numbers(got, ones * 4, what, NOT_ITS_NUMBERS)
        for name, place in itertools.product(("conv_image", "conv_weight"), range(3)):
            given = [ones.copy(), np.ones((1, 1, 4, 4)), ones.copy()]
            given[place][..., -1, -1] = number
            with np.errstate(invalid="ignore"):
                wanted = gradients_by_hand(*given, settings, 1)[name == "conv_weight"]
                got = getattr(tt.nn.conv, name)(*given, settings, 1)
            which = ("grad", "image", "weight")[place]
            what = f"{name} of ones, but for {number} in the corner of {which},"
            expect_numbers(got, wanted, what, f"{number} stays what it is, where it counts")


@pytest.mark.exercise("12.4", points=1)
@needs_convolved
def test_slopes_and_second_calls_of_convolutions():
    settings, groups = SETTINGS[2], 2
    shapes = (2, 6, 2, 5), (2, 4, 5, 6), (6, 2, 3, 2)  # of grad, image and weight
    given, others = [[numbers(s, seed=k + i) for i, s in enumerate(shapes)] for k in (1, 4)]
    for name in ("conv_image", "conv_weight"):
        formula = getattr(tt.nn.conv, name)
        call = lambda g, x, w, f=formula: f(g, x, w, settings, groups)  # noqa: E731
        expect_own_numbers(name, call, given, others)
    conv = lambda x, w: tt.nn.functional.conv2d(x, w, stride=(2, 1), groups=2)  # noqa: E731
    given = [tt.tensor(numbers(s), requires_grad=True) for s in ((2, 2, 4, 3), (2, 1, 2, 2))]
    with calling("gradgradcheck of conv2d with stride (2, 1) and 2 groups"):
        tt.autograd.gradgradcheck(conv, given)
    grad, x, w = numbers((1, 2, 1, 2)), numbers((1, 2, 1, 3), seed=4), numbers((2, 1, 1, 2), seed=5)
    settings, exact = [(1, 2), (1, 1), (1, 1)], (x, w)
    tensors = [tt.tensor(array) for array in exact]
    by_hand = lambda g, w: gradients_by_hand(g, exact[0], w, settings, 2)[0]  # noqa: E731
    call = lambda g, w: tt.nn.conv.conv_image(g, tensors[0], w, settings, 2)  # noqa: E731
    what, names = "conv_image of Tensors (1, 3) with 2 groups", ("grad", "weight")
    expect_history_of_zeros(what, call, by_hand, grad, w, names=names)
    by_hand = lambda g, x: gradients_by_hand(g, x, exact[1], settings, 2)[1]  # noqa: E731
    call = lambda g, x: tt.nn.conv.conv_weight(g, x, tensors[1], settings, 2)  # noqa: E731
    what, names = "conv_weight of Tensors (1, 3) with 2 groups", ("grad", "image")
    expect_history_of_zeros(what, call, by_hand, grad, x, names=names)


@pytest.mark.exercise("12.5", points=2)
def test_pooling_of_all_windows():
    near = np.array([1.0, 1 + 1e-12, 2]).reshape(1, 3, 1, 1)
    got = tt.nn.pooling.first_equal(near, near[0, 1])
    what = "first_equal of 1, 1 + 1e-12 and 2, and the value 1 + 1e-12"
    slips = [([True, False, False], "nearly equal isn't equal: ==")]
    expect(got.ravel().tolist(), [False, True, False], what, slips=slips)
    near = np.array([2**53, 2**53 + 1]).reshape(1, 2, 1, 1)
    no_nan = [(worded(ValueError, "NaN to integer"), "seen may hold integers, which know no NaN")]
    with calling("first_equal of integers", slips=no_nan):
        got = tt.nn.pooling.first_equal(near, near[0, 1])
    what = "first_equal of the integers 2**53 and 2**53 + 1, and the value 2**53 + 1"
    slips = [([True, False], "compare them as they are: float64 can't tell them apart")]
    expect(got.ravel().tolist(), [False, True], what, slips=slips)
    memory = np.array([[3.0, 5, 1], [5, 5, 2]])
    upside_down, mirrored = memory[::-1], memory[:, ::-1]
    firsts = [[1, 0, 0], [0, 0, 0]], [[0, 1, 0], [0, 0, 0]]
    for turned, want in zip((upside_down, mirrored), firsts, strict=True):
        got = tt.nn.pooling.first_equal(turned[:, :, None, None], np.array([[5.0]]))
        what = f"first_equal of {turned.tolist()}, turned round in memory, and the value 5"
        because = "the first is that of seen_by_each, wherever it lies in memory"
        expect(got[:, :, 0, 0].astype(int), want, what, because=because)
    small, large = ((np.zeros((2, 2, n, n)), np.zeros((n, n))) for n in (2, 20))
    why = "go through the kernel's elements, not through the windows"
    expect_few_steps("first_equal", tt.nn.pooling.first_equal, small, large, why)
    error_of(lambda: tt.nn.pooling.first_equal(np.zeros((2, 2, 3, 3)), np.zeros((2, 2))))
    large, starts = np.arange(1600), np.array([0, 700, 1599])  # 1 from there on, 0 before
    large = (large[:, None] >= starts).astype(float).reshape(40, 40, 1, 3)
    got = tt.nn.pooling.first_equal(large, np.ones((1, 3))).reshape(1600, 3)
    what = "first_equal of windows of 40 x 40, which are 1 from element 0, 700 and 1599 on:"
    because = "the first one, however large the window"
    count = f"{what} how many True it has found in each"
    expect(got.sum(axis=0).tolist(), [1, 1, 1], count, because=because)
    expect(got.argmax(axis=0).tolist(), starts.tolist(), f"{what} where they are", because=because)
    rng = np.random.default_rng(5)
    cases = ((), (2,), (2, 3), (1, 2, 2), (0, 3)), ((1, 1), (2, 2), (2, 3)), ((1, 1), (3, 2))
    for (leading, window, out), dtype in in_kinds(itertools.product(*cases)):
        seen = rng.integers(0, 3, (*leading, *window, *out)).astype(dtype)
        seen.reshape(-1)[::7] = -np.inf
        values, what = (
            seen.max(axis=(-4, -3)),
            f"windows of {window}, {out} of them, axes before: {leading}",
        )
        flat = (seen == values[..., None, None, :, :]).reshape(*leading, math.prod(window), *out)
        want = ((flat.cumsum(axis=-3) == 1) & flat).reshape(seen.shape)
        kept = seen.copy()
        with calling(f"first_equal: {what}", slips=EMPTY):
            got = tt.nn.pooling.first_equal(seen, values)
            none = tt.nn.pooling.first_equal(seen, np.full_like(values, 7))
        expect_numbers(got, want, f"first_equal: {what}")
        expect(bool(none.any()), False, f"first_equal: {what}, none equal: is one True")
        expect(seen, kept, f"first_equal: {what}: the windows afterwards", rtol=0, atol=0)
        grad = np.asarray(numbers(values.shape, dtype))
        with calling(f"max_pool_formula: {what}"):
            got = tt.nn.pooling.max_pool_formula(grad, want)
            recorded = tt.nn.pooling.max_pool_formula(tt.tensor(grad), want)
        wanted = grad[..., None, None, :, :] * want
        what = f"{what}, grad {grad.shape}, first {want.shape}"
        expect_numbers(got, wanted, f"max_pool_formula: {what}")
        expect_array(recorded, wanted, f"max_pool_formula of a Tensor: {what}", LOOSE)
    seen, values = rng.integers(0, 3, (2, 2, 2, 3, 3)), numbers((2, 3, 3))
    given, others = [(seen, np.full((2, 3, 3), k)) for k in (1, 2)]
    expect_own_numbers("first_equal", tt.nn.pooling.first_equal, given, others)
    given, others = [(values * k, seen == k) for k in (1, 2)]
    expect_own_numbers("max_pool_formula", tt.nn.pooling.max_pool_formula, given, others)
    by_hand = lambda grad: grad[:, None, None] * (seen == 1)  # noqa: E731
    call = lambda grad: tt.nn.pooling.max_pool_formula(grad, seen == 1)  # noqa: E731
    expect_history_of_zeros("max_pool_formula of a Tensor", call, by_hand, values, names=("grad",))
    error_of(lambda: tt.nn.pooling.max_pool_formula(np.zeros((2, 2)), np.zeros((1, 1, 3, 3), bool)))


AXES = (((5,), (0,)), ((2, 3), (-1,)), ((2, 3), (0,)), ((2, 3, 4), (-2, -1)), ((2, 3, 4), (0, 2)),
        ((0, 3), (-1,)), ((1, 1), (0, 1)), ((4, 3), (1, 0)),
        ((2, 3, 2, 1, 2), (0, 2, 3, 4)))  # fmt: skip


@pytest.mark.exercise("12.6", points=1)
def test_moments_of_all_axes():
    for (shape, dims), dtype in in_kinds(AXES):
        x, what = numbers(shape, dtype), f"moments(x of shape {shape}, {dims})"
        wanted = [f(x) for f in moments_of(dims)]
        with calling(what, slips=EMPTY):
            parts = tt.nn.normalization.moments(tt.tensor(x), dims)
        for name, got, want in zip(("mean", "distances", "variance"), parts, wanted, strict=True):
            expect_array(got, want.astype(dtype), f"the {name} of {what}", LOOSE)
    for shape, dims in AXES[:5]:
        for place, f in enumerate(moments_of(dims)):
            part = lambda x, p=place, d=dims: tt.nn.normalization.moments(x, d)[p]  # noqa: E731
            expect_function(f"moments(x, {dims})[{place}]", part, f, numbers(shape))
    for place in range(3):
        part = lambda x, p=place: tt.nn.normalization.moments(x, (-1,))[p]  # noqa: E731
        with calling(f"gradgradcheck of moments(x, (-1,))[{place}]"):
            tt.autograd.gradgradcheck(part, [tt.tensor(numbers((2, 3)), requires_grad=True)])
        equal, said = np.full((2, 3), 3.0), f"moments(x, (-1,))[{place}], all numbers equal,"
        expect_function(said, part, moments_of((-1,))[place], equal)
    x = tt.tensor(numbers((2, 3)), requires_grad=True)
    expect_no_history("moments", lambda: tuple(tt.nn.normalization.moments(x, (-1,))))
    error_of(lambda: tt.nn.normalization.moments(x, (5,)))


@pytest.mark.exercise("12.6", points=1)
def test_norms_of_all_kinds():
    given = numbers((2, 3)), abs(numbers((2, 1), seed=4)), numbers((3,), seed=5), numbers((3,))
    for (eps, count), dtype in in_kinds(itertools.product((1e-5, 0.5, 0), (2, 3, 4))):
        arrays = [np.asarray(array, dtype) for array in given[:count]]
        call = lambda d, v, w=None, b=None, e=eps: tt.nn.normalization.normalized(d, v, w, b, e)  # noqa: E731
        with calling(f"normalized, eps={eps}, {count - 2} of weight and bias"):
            got = call(*map(tt.tensor, arrays))
        want = normalized_by_hand(*arrays, eps=eps).astype(dtype)
        expect_array(got, want, f"normalized, eps={eps}, {count - 2} of weight and bias", LOOSE)
    by_hand = lambda d, v, w, b: normalized_by_hand(d, v, w, b, 0.5)  # noqa: E731
    call = lambda d, v, w, b: tt.nn.normalization.normalized(d, v, w, b, 0.5)  # noqa: E731
    names = "distance", "var", "weight", "bias"
    what = f"normalized({', '.join(names)}, 0.5)"
    expect_function(what, call, by_hand, *given, names=names)
    expect_history_of_zeros(what, call, by_hand, *given, names=names)
    with calling(f"gradgradcheck of {what}"):
        tt.autograd.gradgradcheck(call, [tt.tensor(a, requires_grad=True) for a in given])
    tensors = [tt.tensor(array, requires_grad=True) for array in given]
    expect_no_history("normalized", lambda: call(*tensors))
    for eps, dtype in itertools.product((1e-5, 1e-12), DTYPES):
        got = tt.nn.normalization.normalized(*map(tt.tensor, ones(dtype)), None, None, eps)
        said = f"normalized of a distance of 1 with a variance of 0, eps={eps}, {dtype.__name__}"
        slips = [(1, "a variance of 0 is no special case: eps is there for it")]
        expect_array(got, np.full((1, 1), eps**-0.5, dtype), said, LOOSE, slips=slips)
    one = tt.tensor(np.array([0.0]))
    got = tt.nn.normalization.normalized(tensors[0][:, :1], tensors[1], one, one, 0.5)
    said = "normalized with a weight [0.] and a bias [0.]"
    slips = [(lambda g: g.detach().numpy().any(), "a weight of 0 is a weight: is it None?")]
    expect_array(got, np.zeros((2, 1)), said, slips=slips)
    by_hand = lambda d, v, b: normalized_by_hand(d, v, 1, b, 0.5)  # noqa: E731
    call = lambda d, v, b: tt.nn.normalization.normalized(d, v, None, b, 0.5)  # noqa: E731
    what, names = "normalized(distance, var, None, bias, 0.5)", ("distance", "var", "bias")
    expect_function(what, call, by_hand, *given[:2], given[3], names=names)
    others = [[tt.tensor(abs(array) + k) for array in given] for k in (0, 1)]
    call = lambda d, v, w, b: tt.nn.normalization.normalized(d, v, w, b, 0.5)  # noqa: E731
    expect_own_numbers("normalized", call, *others)
    call = lambda x: tt.nn.normalization.moments(x, (-1,))[1]  # noqa: E731
    expect_own_numbers("moments(x, (-1,))[1]", call, *[[pair[0]] for pair in others])


def ones(dtype):
    """A distance of 1 and a variance of 0."""
    return np.ones((1, 1), dtype), np.zeros((1, 1), dtype)


def moments_of(dims):
    mean = lambda x: x.mean(axis=dims, keepdims=True)  # noqa: E731
    return mean, lambda x: x - mean(x), lambda x: mean((x - mean(x)) ** 2)


def normalized_by_hand(distance, var, weight=1, bias=0, eps=0):
    return distance / np.sqrt(var + eps) * weight + bias


QUERIES = (((2, 3), (4, 3), (4, 2)), ((1, 1), (1, 1), (1, 1)), ((2, 3, 4), (2, 3, 4), (2, 3, 4)),
           ((2, 1, 3, 2), (2, 2, 5, 2), (1, 2, 5, 3)), ((0, 3), (4, 3), (4, 2)),
           ((1, 2, 1, 3, 16), (2, 1, 1, 3, 16), (1, 1, 2, 3, 1)))  # fmt: skip


def attend_by_hand(query, key, value, mask=None, scale=None):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = query @ key.swapaxes(-1, -2) * scale
    if mask is not None:
        scores = np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask
    top = scores.max(axis=-1, keepdims=True, initial=-np.inf)
    weights = np.exp(scores - np.where(np.isinf(top), 0, top))
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total == 0, 1, total) @ value


@pytest.mark.exercise("12.7", points=2)
def test_attention_of_all_shapes():
    sizes = *itertools.product(range(1, 5), repeat=2), (300, 300), (1, 300), (300, 2)
    for length, keys in sizes:
        what = f"causal_mask({length}, {keys})"
        with calling(what):
            got = tt.nn.attention.causal_mask(length, keys)
        want = np.arange(length)[:, None] >= np.arange(keys)
        expect_numbers(got.numpy(), want, what, "query i may look at keys 0 to i")
    for shapes, dtype in (*itertools.product(QUERIES, DTYPES), (QUERIES[2], np.float16)):
        given = [numbers(shape, dtype, seed) for seed, shape in enumerate(shapes)]
        size = (shapes[0][-2], shapes[1][-2])
        rng = np.random.default_rng(2)
        masks = [None, rng.random(size) < 0.6, np.asarray(rng.normal(size=size), dtype),
                 np.tri(*size, dtype=bool), rng.integers(0, 2, size).astype(dtype)]  # fmt: skip
        if len(shapes[0]) == 4:
            masks += [rng.random((2, 1, *size)) < 0.6]  # another one for each text
        for mask, scale in itertools.product(masks, (None, 0.3, -2)):
            kind = "no" if mask is None else mask.dtype.name
            what = f"attend of shapes {shapes}, {kind} mask, scale={scale}, {dtype.__name__}"
            last = "only the last two dimensions of key change places; .T turns all of them round"
            one = (lambda e: "one dtype" in str(e), "all in the dtype that was given")
            with calling(what, slips=[(lambda e: "do not fit" in str(e), last), one]):
                wrapped = None if mask is None else tt.tensor(mask)
                got = tt.nn.attention.attend(*map(tt.tensor, given), wrapped, scale)
            want = attend_by_hand(*given, mask, scale).astype(dtype)
            expect_array(got, want, what, LOOSE)
    large = np.array([[1000.0, -1000.0]])
    got = tt.nn.attention.attend(*[tt.tensor(large)] * 3, None, 1.0)
    expect_array(got, large, "attend where the score is 2,000,000")
    empty = tt.nn.attention.attend(*[tt.tensor(numbers((2, 3)))] * 3, None, None, 1.0)
    expect_array(empty, np.zeros((2, 3)), "attend with dropout_p=1")
    with tt.no_grad():
        empty = tt.nn.attention.attend(*[tt.tensor(numbers((2, 3)))] * 3, None, None, 1.0)
    what = "attend with dropout_p=1, under no_grad()"
    slips = [(lambda g: g.numpy().any(), "dropout_p is all that decides about it, not no_grad()")]
    expect_array(empty, np.zeros((2, 3)), what, slips=slips)
    x = tt.tensor(numbers((2, 3)), requires_grad=True)
    expect_no_history("attend", lambda: tt.nn.attention.attend(x, x, x))
    error_of(lambda: tt.nn.attention.attend(x, tt.tensor(numbers((4, 2))), x))


@pytest.mark.exercise("12.7", points=1)
def test_slopes_and_second_calls_of_attention():
    shapes = QUERIES[3]
    given = [numbers(shape, seed=seed) / 2 for seed, shape in enumerate(shapes)]
    mask = np.tri(3, 5, 1, dtype=bool)
    call = lambda q, k, v: tt.nn.attention.attend(q, k, v, tt.tensor(mask))  # noqa: E731
    by_hand = lambda q, k, v: attend_by_hand(q, k, v, mask)  # noqa: E731
    names = "query", "key", "value", "mask"
    expect_function("attend with a mask", call, by_hand, *given, names=names)
    added = numbers((3, 5), seed=4)
    what = "attend with a mask of learned numbers"
    expect_function(what, tt.nn.attention.attend, attend_by_hand, *given, added, names=names)
    given, others = [[tt.tensor(array + k) for array in given] for k in (0, 1)]
    expect_own_numbers("attend", tt.nn.attention.attend, given, others)
    call = lambda keys: tt.nn.attention.causal_mask(2, keys)  # noqa: E731
    expect_own_numbers("causal_mask of 2 queries", call, [3], [2])
    spoilt = tt.nn.attention.causal_mask(2, 3)
    spoilt._data[:] = True
    got = tt.nn.attention.causal_mask(2, 3).numpy().astype(int)
    what = "causal_mask(2, 3), after the one before was written to,"
    expect(got, [[1, 0, 0], [1, 1, 0]], what, because="it's a new one each time")
    expect_means_without_width()


NO_WIDTH = "E may be 0: all scores are 0 then, whatever they're multiplied by"


def expect_means_without_width():
    """Keys without width fit all alike: what comes is the mean of the values that may be seen."""
    values = np.array([[1.0, 10.0], [3.0, 30.0], [5.0, 80.0]])
    for mask, want in ((None, [3, 40]), (np.array([True, True, False]), [2, 20])):
        what = "attend of shapes (2, 0), (3, 0), (3, 2), "
        what += "no mask," if mask is None else "the last key masked,"
        given = [tt.tensor(array) for array in (np.ones((2, 0)), np.ones((3, 0)), values)]
        with np.errstate(divide="ignore"), calling(what, slips={ZeroDivisionError: NO_WIDTH}):
            got = tt.nn.attention.attend(*given, mask if mask is None else tt.tensor(mask))
        slips = [(lambda g: np.isnan(g.numpy()).any(), NO_WIDTH)]
        expect_array(got, np.array([want, want], float), what, LOOSE, slips=slips)


@pytest.mark.exercise("12.8", points=1)
def test_attention_and_blocks_of_all_sizes():
    sizes = (4, 2), (4, 4), (6, 1)
    for (width, heads), dtype in itertools.product(sizes, DTYPES):
        tt.manual_seed(7)
        model = tt.gpt.Block(width, heads).to(getattr(tt, dtype.__name__))
        for n, length in ((1, 1), (2, 5), (2, 0), (0, 3), (1, 40)):
            x, kind = numbers((n, length, width), dtype), f"{heads} heads, {dtype.__name__}"
            what = f"of x of shape {x.shape}, {kind}"
            expect_block(model.train(), x, heads, what)
            expect_block(model.eval(), x, heads, f"{what}, after eval()")


@pytest.mark.exercise("12.8", points=1)
def test_slopes_of_attention_and_blocks():
    model, x = tt.gpt.Block(4, 2).double(), numbers((2, 3, 4))
    for name, part, by_hand in (
        ("Attention", model.attn, lambda x: heads_by_hand(model.attn, x, 2)),
        ("Block", model, lambda x: block_by_hand(model, x, 2)),
    ):
        expect_function(f"{name}.forward", part, by_hand, x)
    given, got = tt.tensor(x, requires_grad=True), block_by_hand(model, x, 2)
    for name, part in (("Attention.forward", model.attn), ("Block.forward", model)):
        expect_no_history(name, lambda part=part: part(given))
    expect(model(given), got, "Block.forward, a second time")
    expect_slopes_of_parameters(model, x, 2)
    for name, part in (("Attention", model.attn), ("Block", model)):
        expect_own_numbers(f"{name}.forward", part, [tt.tensor(x)], [tt.tensor(x + 1)])


@pytest.mark.exercise("12.8", points=1)
def test_parts_that_fail_and_large_scores():
    x = tt.tensor(numbers((2, 3, 4)))
    parts = [("Block", name) for name in ("ln1", "attn", "ln2", "mlp")]
    parts += [("Attention", name) for name in ("qkv", "proj")]
    for (owner, name), kind in itertools.product(parts, (*EVERY_ERROR, KeyboardInterrupt)):
        model = tt.gpt.Block(4, 2).double() if owner == "Block" else tt.gpt.Attention(4, 2).double()
        setattr(model, name, failing(kind))
        what = f"{owner}.forward where self.{name} raises {kind.__name__}"
        expect_ending(lambda model=model: model(x), kind, what)
    rng, model = np.random.default_rng(3), tt.gpt.Attention(4, 2).double()
    for _ in range(3):
        x = rng.normal(size=(1, 5, 4)) * 1e6
        changed = np.concatenate([x[:, :3], rng.normal(size=(1, 2, 4)) * 1e6], axis=1)
        first, second = (model(tt.tensor(text)).detach().numpy()[:, :3] for text in (x, changed))
        what = "Attention.forward of a text of numbers around 1,000,000: letters 0 to 2 changed"
        leaks = not np.allclose(first, second, 1e-9, 0)
        fail_if(leaks, f"{what} with letters 3 and 4: a masked score is minus infinity, not just "
                "far below 0, and is_causal=True sees to that")  # fmt: skip


def failing(kind):
    """A module that raises an exception of this kind."""

    class Failing(tt.nn.Module):
        def forward(self, x):
            raise kind("on purpose")

    return Failing()


def expect_block(model, x, heads, what):
    """A Block and its Attention give what is found by hand, and each parameter gets a gradient."""
    given = tt.tensor(x, requires_grad=True)
    with calling(f"Attention.forward {what}", slips=EMPTY), nothing_kept(model.attn):
        got = model.attn(given)
    want = heads_by_hand(model.attn, x, heads)
    slips = [(x, "that's x itself: a letter that is alone asks itself")] if x.shape[1] == 1 else ()
    expect_array(got, want.astype(x.dtype), f"Attention.forward {what}", LOOSE, slips=slips)
    with calling(f"Block.forward {what}"), nothing_kept(model):
        got = model(given)
    want = block_by_hand(model, x, heads).astype(x.dtype)
    expect_array(got, want, f"Block.forward {what}", LOOSE)
    model.zero_grad()
    with calling(f"backward() through Block.forward {what}"):
        got.sum().backward()
    names = [name for name, p in model.named_parameters() if p.grad is None]
    what = f"after backward() through Block.forward {what}"
    expect(names, [], f"parameters without a gradient {what}")
    expect(given.detach().numpy(), x, f"x {what}")


@contextmanager
def nothing_kept(module):
    """A call leaves nothing new behind in the module."""
    held = set(vars(module))
    yield
    new = ", ".join(f"self.{name}" for name in sorted(set(vars(module)) - held))
    name = f"{type(module).__name__}.forward"
    fail_if(new, f"{name} has left {new} behind: nothing of a text is kept")


def expect_slopes_of_parameters(model, x, heads, eps=1e-6):
    """The gradient of each parameter of a Block is what comes of nudging it in some direction."""
    rng = np.random.default_rng(8)
    sent = rng.normal(size=x.shape)
    model.zero_grad()
    model(tt.tensor(x)).backward(tt.tensor(sent))
    for name, p in model.named_parameters():
        before, way = p.detach().numpy().copy(), rng.normal(size=p.shape)
        ends = []
        for step in (eps, -eps):
            p.data = tt.tensor(before + step * way)
            ends.append(np.vdot(block_by_hand(model, x, heads), sent))
        p.data = tt.tensor(before)
        what = f"Block.forward: the gradient of {name}, along a random direction"
        slope = (ends[0] - ends[1]) / (2 * eps)
        expect(float((p.grad.numpy() * way).sum()), slope, what, rtol=1e-4)


def layer_by_hand(layer, x):
    return x @ layer.weight.detach().numpy().T + layer.bias.detach().numpy()


def block_by_hand(model, x, heads):
    h = x + heads_by_hand(model.attn, norm_by_hand(model.ln1, x), heads)
    one, _, two = model.mlp
    return h + layer_by_hand(two, np.maximum(layer_by_hand(one, norm_by_hand(model.ln2, h)), 0))


def norm_by_hand(layer, x):
    mean, distance, var = (f(x) for f in moments_of((-1,)))
    weight, bias = layer.weight.detach().numpy(), layer.bias.detach().numpy()
    return normalized_by_hand(distance, var, weight, bias, 1e-5)


def heads_by_hand(model, x, heads):
    n, length, width = x.shape
    q, k, v = np.split(layer_by_hand(model.qkv, x), 3, axis=-1)
    split = lambda part: part.reshape(n, length, heads, width // heads).swapaxes(1, 2)  # noqa: E731
    y = attend_by_hand(split(q), split(k), split(v), np.tri(length, dtype=bool))
    return layer_by_hand(model.proj, y.swapaxes(1, 2).reshape(x.shape))
