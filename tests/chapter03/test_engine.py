"""Chapter 3: backward() on whole graphs, and gradcheck."""

import sys
from contextlib import suppress
from functools import partial

import numpy as np
import pytest

import tinytorch as tt
from course.contracts import expect_history
from course.testing import (
    TOO_OFTEN,
    calling,
    depth_of,
    error_of,
    expect,
    expect_backward,
    expect_raises,
    fail_if,
    leaf,
    visits,
)

LAST = "that is one of two gradients: a tensor used twice receives their sum"


def its_turn_had_passed(got):
    """None came, though a leaf keeps what it starts with, and y's note was asked."""
    x = leaf(3)
    x.backward()
    return got is None and x.grad is not None and visits(leaf(3) * 2) == [1]


@pytest.mark.exercise("3.6", points=1)
def test_gradients_travel_from_the_result_to_the_input():
    x = leaf(3)
    slips = [(KeyError, "a turn came before anything was sent: walk the topological order "
              "in reverse"),
             (12, "it began with y itself: it begins with head_gradient, a one"),
             (lambda e: "NoneType" in str(e), "no operation made x: it has no note to ask"),
             (its_turn_had_passed, "y did send x something, but x's turn had passed: walk the "
              "topological order in reverse"),
             (lambda got: got is None, "nothing of what y passed on is in x.grad")]  # fmt: skip
    expect_backward(x * 2, "y = 2 * x", x=(x, 2), slips=slips)


@pytest.mark.exercise("3.6", points=1)
def test_a_tensor_used_twice_receives_both_gradients():
    x = leaf(3)
    expect_backward(x + x, "y = x + x", x=(x, 2), slips={1: LAST})
    x = leaf(3)
    expect_backward(x * x, "y = x * x", x=(x, 6), slips={3: LAST})
    a, b = leaf(2), leaf(1)
    slips = {3: LAST, 2: LAST}
    because = "2 comes one way and 3 the other"
    what = "e = (a + b) * (b + 1)"
    expect_backward((a + b) * (b + 1), what, b=(b, 5), slips=slips, because=because)
    expect(a.grad, 2, f"backward() on {what} gave a.grad")


@pytest.mark.exercise("3.6", points=1)
def test_a_tensor_waits_for_all_that_use_it():
    slips = {48: "only one of b's two gradients went on: b waits until its sum is complete",
             144: "b has sent 12, and then 24 with those 12 in it: it sends once"}  # fmt: skip
    a = leaf(2)
    b = a * a
    expect_backward(b * (b * 3), "d = b * (b * 3), b = a * a", a=(a, 96), slips=slips)
    a = leaf(2)
    b = a * a
    expect_backward((b * 3) * b, "d = (b * 3) * b, b = a * a", a=(a, 96), slips=slips)


@pytest.mark.exercise("3.6", points=1)
def test_every_tensor_on_the_way_gets_its_gradient():
    a = leaf(2)
    b = a * a
    d = b * 3
    slips = [(lambda got: got is None, "accumulate for every tensor in the order, results too"),
             (2, "its gradient was added to it twice")]  # fmt: skip
    expect_backward(d, "d = 3 * b, b = a * a", d=(d, 1), b=(b, 3), a=(a, 12), slips=slips)
    for passes in (1, 2):
        expect_history(partial(gradients_behind, passes), a=leaf(2), w=leaf(5))


def gradients_behind(passes, a, w):
    a.grad = None  # it has one of an earlier call
    for _ in range(passes):
        b = a * a
        (b * 3 * b).backward(w * 2)
    what = f"backward(w * 2) on 3 * b * b, b = a * a, {passes} time(s):"
    return {f"{what} b.grad": b.grad, f"{what} a.grad": a.grad}


@pytest.mark.exercise("3.6", points=1)
def test_a_second_backward_adds_to_the_first():
    x = leaf(3)
    (x * x).backward()
    slips = {5: "the 6 of the first pass is gone: gradients add up until zero_grad",
             30: "x.grad was multiplied; accumulate adds",
             17: "the 6 of the first pass came again: begin with a new dict"}  # fmt: skip
    because = "6 from the first pass, 5 from the second"
    what = "y = 5 * x, after backward() on x * x,"
    expect_backward(x * 5, what, x=(x, 11), slips=slips, because=because)


@pytest.mark.exercise("3.6", points=1)
def test_what_an_earlier_backward_left_is_not_sent_again():
    a = leaf(2)
    b = a * a
    (b * 3).backward()
    slips = [(12 + (3 + 5) * 4, "b sends what it received in this pass, not what is in b.grad: "
              "that has an earlier one's in it"),
             (5, "the 3 of the first pass is gone: gradients of results add up, too"),
             (lambda e: "to unpack" in str(e), "is what b's note saved gone? A second pass over "
              "the same graph needs it again")]  # fmt: skip
    because = "3 comes to b in the first pass, 5 in the second, and 4 times as much to a"
    what = "d = 5 * b, after backward() on 3 * b,"
    expect_backward(b * 5, what, b=(b, 8), a=(a, 32), slips=slips, because=because)


@pytest.mark.exercise("3.6", points=1)
def test_a_given_gradient_begins_the_pass():
    x = leaf([1, 2])
    slips = [([2, 4], "that is what ones give: give gradient to head_gradient(self, gradient)"),
             (RuntimeError, "it was given: pass it to head_gradient(self, gradient)")]  # fmt: skip
    what = "y = x * x, grad = [10, 100],"
    gradient = tt.Tensor(np.array([10.0, 100.0]))
    expect_backward(x * x, what, gradient=gradient, x=(x, [20, 400]), slips=slips)
    x = leaf([1, 2])
    slips = {TypeError: "callers say backward(gradient=…): the parameter must have this name"}
    with calling("(x * x).backward(gradient=[10, 100])", slips=slips):
        (x * x).backward(gradient=[10.0, 100.0])
    expect(x.grad, [20, 400], "(x * x).backward(gradient=[10, 100]) gave x.grad")


@pytest.mark.exercise("3.6", points=1)
def test_a_vector_cannot_begin_by_itself():
    y = leaf([1, 2]) * leaf([3, 4])
    slips = {None: "leave it to head_gradient(self, gradient): which element should grow?"}
    expect_raises(RuntimeError, y.backward, "backward() on shape (2,)", slips=slips, says=["(2,)"])


@pytest.mark.exercise("3.6", points=1)
def test_matrices_and_sums_and_powers():
    x, w = leaf([[1, 2], [3, 4], [5, 6]]), leaf([[2], [1]])
    loss = ((x @ w) ** 2).sum()  # x @ w is [[4], [10], [16]]
    want = [[2 * (4 + 30 + 80)], [2 * (8 + 40 + 96)]]
    slips = {TypeError: "Sum.backward gives one Tensor, no tuple; ctx.backward makes it a tuple"}
    expect_backward(loss, "loss = ((x @ w) ** 2).sum()", w=(w, want), slips=slips)


@pytest.mark.exercise("3.6", points=2)
def test_each_operation_runs_backward_once():
    once = "each tensor sends once, with its whole sum"
    slips = [
        (lambda most: most > TOO_OFTEN, f"(and stopped there) {once}"),
        (lambda n: n > 1, once),
    ]
    steps = {"x + x": lambda x: x + x, "-x + x": lambda x: -x + x, "x + -x": lambda x: x + -x}
    for step, add in steps.items():
        root = leaf(1)
        for _ in range(10):
            root = add(root)
        because = "10 steps have 1,024 paths"
        what = f"backward() on a ladder x = {step}: how often an operation ran its backward"
        expect(max(visits(root)), 1, what, slips=slips, because=because)


@pytest.mark.exercise("3.6", points=1)
def test_ten_thousand_operations_in_a_row():
    limits = []

    class Watched(tt.Function):
        @staticmethod
        def forward(ctx, x):
            return tt.Tensor(-np.asarray(x.data))

        @staticmethod
        def backward(ctx, grad_z):
            limits.append(sys.getrecursionlimit())
            return -grad_z

    x = root = leaf(2)
    for _ in range(10_000):
        root = Watched.apply(root)
    before = sys.getrecursionlimit()
    slips = {RecursionError: "walk the topological order in a loop: don't recurse"}
    what = "y = -(-(… x)), 10,000 times"
    expect_backward(root, what, x=(x, 1), slips=slips)
    slips = [(lambda limit: limit > before, "walk in a loop: don't recurse under a raised limit")]
    expect(max(limits), before, f"the recursion limit during backward() on {what}", slips=slips)
    short = leaf(2)
    for _ in range(200):
        short = -short
    what = "how many calls lie within each other in backward(), a chain of 200,"
    because = "a loop over the topological order, no recursion, not even to begin with"
    expect(depth_of(short.backward) < 100, True, f"{what} is below 100", because=because)


def cube(slope):
    """x ** 3 with a backward of the tests' own: slope(x), an array."""

    class Cube(tt.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return tt.Tensor(np.asarray(x.data) ** 3)

        @staticmethod
        def backward(ctx, grad_z):
            (x,) = ctx.saved_tensors
            return tt.Tensor(np.asarray(grad_z.data) * slope(np.asarray(x.data)))

    return Cube.apply


def passes(f, inputs, what, slips=(), **options):
    """gradcheck(f, inputs) is True; an error of its own is one that finds a fault where none is."""
    bare = "np.allclose wants arrays: the .data of both gradients"
    slips = [(lambda e: "abs()" in str(e), bare), *slips]
    with calling(what, slips=slips):
        got = tt.gradcheck(f, inputs, **options)
    reasons = [(lambda got: got is None, "return True at the end")]
    expect(got, True, what, slips=reasons)


def refuses(f, inputs, what, reason):
    """gradcheck(f, inputs) raises RuntimeError; that it gives True or nothing has this reason."""
    small = "the weights are so small that atol hides what they are multiplied with"
    slips = [(lambda got: got is False, "raise RuntimeError where they differ, do not return it"),
             (lambda got: got in (True, None) and weights_are_small(), small),
             (lambda got: got in (True, None), reason)]  # fmt: skip
    expect_raises(RuntimeError, lambda: tt.gradcheck(f, inputs), what, slips=slips)


def weights_are_small():
    return abs(weights_of(leaf([1] * 20))).max() < 0.1


def quotient(*inputs):
    """x * y + x * x / y; says what it was given instead of x and y."""
    if len(inputs) != 2:
        came = f"a {type(inputs[0]).__name__}" if inputs else "nothing"
        raise TypeError(f"f(x, y) takes both inputs, got {came}")
    x, y = inputs
    return x * y + (x * x) / y


def is_refused(f, *inputs):
    return error_of(lambda: tt.gradcheck(f, list(inputs))) is not None


def times(number):
    return lambda x: x * number


def plus(numbers):
    return lambda x: x * 0 + tt.Tensor(np.array(numbers))


@pytest.mark.exercise("3.7", points=1)
def test_a_right_function_passes():
    x, y = leaf([1, 2, 3]), leaf([4, -5, 6])
    one = "it passes where the result is one number: of several, weight the elements and sum, and "
    one += "give that sum to both, backward and nudging"
    same = "a function that never changes has slope 0: the weights must be the same in each "
    same += "evaluation, so draw them once"
    both = "2 * x is refused, too, though nudging is exact there: do backward and nudging judge "
    both += "the same weighted sum?"
    slips = [(runs_again, "backward ran more than once, and gradients add up: once is enough"),
             (lambda e: "got a list" in str(e), "hand them over one by one: f(*inputs)"),
             (lambda e: "f(x, y) takes both" in str(e), "numerical_gradient nudges x.data in "
              "place, so its function may ignore what it is handed: let it call f(*inputs)"),
             (lambda e: "'item'" in str(e), "numerical_gradient calls item() itself: give it a "
              "function that returns a Tensor"),
             (lambda e: "'list' object" in str(e), "numerical_gradient takes one input at a time: "
              "loop over inputs"),
             (lambda _: not is_refused(lambda x, y: quotient(x, y).sum(), x, y), one),
             (lambda _: is_refused(plus([3.0, 5.0]), leaf([1, 2]))
              and not is_refused(plus([0.0, 0.0]), leaf([1, 2])), same),
             (lambda _: is_refused(times(2.0), leaf([1, 2]))
              and not is_refused(times(0.0), leaf([1, 2])), both)]  # fmt: skip
    passes(quotient, [x, y], "gradcheck(x * y + x * x / y)", slips)
    right = cube(lambda x: 3 * x * x)
    passes(right, [leaf([1, 2])], "gradcheck(x ** 3 with the slope 3 * x * x)")


def runs_again(_):
    """Does one gradcheck of two inputs run backward more than once?"""
    runs = []
    watched = cube(lambda x: runs.append(1) or 3 * x * x)
    is_refused(lambda x, y: watched(x) * y, leaf([1, 2]), leaf([3, 4]))
    return len(runs) > 1


@pytest.mark.exercise("3.7", points=1)
def test_a_wrong_slope_is_an_error():
    f = cube(lambda x: 2 * x)
    what = "gradcheck(x ** 3 with the slope 2 * x)"
    refuses(f, [leaf([1, 2])], what, "compare with numerical_gradient, and raise where they differ")
    f, signs = cube(lambda x: -3 * x * x), "the sign of a slope counts"
    refuses(f, [leaf([1, 2])], "gradcheck(x ** 3 with the slope -3 * x * x)", signs)


@pytest.mark.exercise("3.7", points=1)
def test_small_errors_are_seen():
    far = "x.grad is further off than rtol=1e-3 and atol=1e-5 allow: each element may be off by "
    far += "atol + rtol * want, and np.allclose(got, want, rtol, atol), in this order, asks that"
    f = cube(lambda x: 3.03 * x * x)
    what = "gradcheck(x ** 3 with slopes that are one per cent too large)"
    refuses(f, [leaf([1, 2] * 10)], what, far)
    f = cube(lambda x: 2 * x * x)
    what = "gradcheck(x ** 3 with the slope 2 * x * x, at small x)"
    # so many that no choice of weights hides the error from all
    refuses(f, [leaf([0.015] * 20)], what, far)


@pytest.mark.exercise("3.7", points=1)
def test_the_options_are_used():
    # the central difference of x ** 3 is 3 * x ** 2 + eps ** 2
    what = "gradcheck(x ** 3 with the slope 3 * x * x, eps=0.5)"
    slips = [(True, "nudges of 0.5 are too coarse for it: pass eps on to numerical_gradient")]
    call = lambda: tt.gradcheck(cube(lambda x: 3 * x * x), [leaf([1, 2])], eps=0.5)  # noqa: E731
    expect_raises(RuntimeError, call, what, slips=slips)
    f = cube(lambda x: 3.03 * x * x)
    largest = abs(weights_of(leaf([1, 2]))).max()
    for options in ({"rtol": 0.1}, {"atol": 10 * largest}):
        ((name, value),) = options.items()
        what = f"gradcheck(x ** 3 with slopes that are one per cent too large, {name}={value})"
        with calling(what, slips={RuntimeError: f"{name} allows that much: use it to compare"}):
            got = tt.gradcheck(f, [leaf([1, 2])], **options)
        expect(got, True, what)
    f = cube(lambda x: 3.0015 * x * x)  # wrong by 5e-4 of itself
    what = "gradcheck(x ** 3 with slopes that are 0.05 per cent too large)"
    with calling(what, slips={RuntimeError: "the default, rtol=1e-3, allows that much"}):
        got = tt.gradcheck(f, [leaf([1, 2])])
    expect(got, True, what)
    for options in ({"rtol": 1e-5}, {"rtol": 0, "atol": 1e-4}):
        said = ", ".join(f"{name}={value}" for name, value in options.items())
        what = f"gradcheck(x ** 3 with slopes that are 0.05 per cent too large, {said})"
        call = partial(tt.gradcheck, f, [leaf([1, 2])], **options)
        reason = f"{said} allows less than that: a caller may be stricter than the defaults"
        expect_raises(RuntimeError, call, what, slips={True: reason})
    right, size = cube(lambda x: 3 * x * x), "eps is the nudge itself: pass it on as it is, "
    size += "whatever numbers x holds"
    atol = 10 * abs(weights_of(leaf([100] * 3))).max()
    what = f"gradcheck(x ** 3, x = 100, eps=0.5, atol={atol}, rtol=0)"
    options = {"eps": 0.5, "atol": atol, "rtol": 0}
    passes(right, [leaf([100] * 3)], what, [(RuntimeError, size)], **options)
    x, both = leaf([1.0]), "each element may be off by atol + rtol * want, the sum of the two"
    atol = float(abs(weights_of(x)).max())
    f = cube(lambda x: 4.5 * x * x)  # off by 1.5 times the weight, and rtol alone allows 0.9
    what = f"gradcheck(x ** 3 with the slope 4.5 at x = 1, atol={atol:.3g}, rtol=0.3)"
    passes(f, [leaf([1.0])], what, [(RuntimeError, both)], atol=atol, rtol=0.3)
    call = partial(tt.gradcheck, right, [leaf([0.001] * 3)], eps=0.5)
    expect_raises(RuntimeError, call, "gradcheck(x ** 3, x = 0.001, eps=0.5)", slips={True: size})
    for eps in (0.25, 2.0**-30):  # both are exact beside a 2
        nudges = set()

        def noting(x, nudges=nudges):
            nudges.add(float(x.data - 2))
            return right(x)

        what = f"gradcheck(f, x = 2, eps={eps:.2g}): the largest nudge that f saw"
        passes(noting, [leaf(2)], what, eps=eps, atol=1)
        expect(
            max(nudges), eps, what, because="eps is the nudge itself: pass it on as it is", atol=0
        )


def weights_of(x):
    """The weights that gradcheck gives the elements of a result like x, as an array."""
    sent = []

    class Noting(tt.Function):
        @staticmethod
        def forward(ctx, x):
            return tt.Tensor(np.array(x.data))

        @staticmethod
        def backward(ctx, grad_z):
            sent.append(np.array(grad_z.data))
            return grad_z

    what = f"gradcheck(a copy of {x.data.tolist()})"
    passes(Noting.apply, [leaf(x.data)], what)
    fail_if(not sent, "gradcheck never ran the backward of its function")
    first = sent[-1]
    passes(Noting.apply, [leaf(x.data)], what)
    because = "the weights come from a fixed seed: the same on each call"
    expect(sent[-1], first, f"the gradient that {what} sends, second call", because=because)
    return first


@pytest.mark.exercise("3.7", points=1)
def test_elements_are_told_apart():
    class Mirror(tt.Function):
        @staticmethod
        def forward(ctx, x):
            return tt.Tensor(np.asarray(x.data)[::-1])

        @staticmethod
        def backward(ctx, grad_z):
            return grad_z  # forgets to mirror it back

    what = "gradcheck(a mirror whose backward does not mirror)"
    reason = "elements were mixed up unseen: weight each of them differently before the sum"
    x = leaf(np.arange(20))
    weights = weights_of(x)
    if len(np.unique(weights.round(3))) > 10:
        reason = "compare each element with the one in its own place"
    refuses(Mirror.apply, [x], what, reason)


@pytest.mark.exercise("3.7", points=1)
def test_a_gradient_has_the_shape_of_its_tensor():
    class Total(tt.Function):
        @staticmethod
        def forward(ctx, x):
            return tt.Tensor(np.asarray(x.data).sum())

        @staticmethod
        def backward(ctx, grad_z):
            return grad_z  # one number for many

    what = "gradcheck(a sum whose backward gives a gradient of shape ())"
    reason = "one number has passed for many: compare the shapes, too, as both came"
    refuses(Total.apply, [leaf([1, 2])], what, reason)
    x = leaf([1, 2])
    x.grad = tt.Tensor(np.array([7.0, 7.0]))
    reason = "what was there before is taken away, and not made zeros: these hide a wrong shape"
    refuses(Total.apply, [x], f"{what}, x.grad [7, 7] before", reason)


@pytest.mark.exercise("3.7", points=1)
def test_every_input_is_checked():
    f, right = cube(lambda x: 2 * x), [leaf([1, 2]), leaf([3, 4]), leaf([5, 6])]
    for k, name in enumerate("xyz"):
        what = f"gradcheck(x * y * z, where the backward of {name} is wrong)"
        g = lambda *xs, k=k: product(*(f(x) if i == k else x for i, x in enumerate(xs)))  # noqa: E731
        refuses(g, right, what, f"check every input: nobody noticed {name}, input {k}")

    five = [leaf([k, k + 1]) for k in range(1, 6)]
    what = "gradcheck(a + b + c + d + e ** 3, where the backward of e is wrong)"
    refuses(lambda a, b, c, d, e: a + b + c + d + f(e), five, what, "check every input")
    last = np.zeros(200)
    last[-1] = 1
    f, what = cube(lambda x: 3 * x * x + last), "gradcheck(x ** 3, the last of 200 slopes wrong)"
    refuses(f, [leaf(np.linspace(0.5, 1.5, 200))], what, "compare every element")


def product(x, y, z):
    return x * y * z


@pytest.mark.exercise("3.7", points=1)
def test_old_gradients_do_not_count():
    x, y = leaf([1, 2]), leaf([3, 4])
    (x * y).sum().backward()
    clean = lambda f: error_of(lambda: tt.gradcheck(f, [leaf([1, 2]), leaf([3, 4])]))  # noqa: E731
    before = clean(product_of_two) or clean(lambda x, y: x * x)
    unused = [(AttributeError, UNUSED), (TypeError, UNUSED)]
    fresh = [(RuntimeError, "each of them had a gradient from before: zero_grad(inputs)")]
    slips = [] if before else fresh
    passes(product_of_two, [x, y], "gradcheck(x * y), x.grad and y.grad set before", slips)
    for old in (7.0, np.nan):
        for numbers in ([old, old], old):
            with suppress(RuntimeError):  # the library refuses one of another shape
                x.grad = y.grad = tt.Tensor(np.array(numbers))
            what = f"gradcheck(x * x, y unused), x.grad and y.grad {numbers} before"
            passes(lambda x, y: x * x, [x, y], what, [*slips, *unused])
    square = lambda y: y * y  # noqa: E731
    y = leaf([1, 2]) * 3
    square(y).sum().backward()
    if y.grad is not None:  # from chapter 5 on, results keep none
        passes(square, [y], "gradcheck(y * y), y a result that has a .grad before", slips)


UNUSED = "y was never used, so y.grad is None: no gradient counts as zeros"


def product_of_two(x, y):
    return x * y


@pytest.mark.exercise("3.7", points=1)
def test_an_input_without_influence_has_slope_zero():
    x, unused = leaf([1, 2]), leaf([3, 4])
    slips = [(AttributeError, UNUSED), (TypeError, UNUSED)]
    passes(lambda x, unused: x * x, [x, unused], "gradcheck(x * x, y unused)", slips)
    nan = "y.grad is None, which counts as zeros: 0 * inf and 0 * nan are nan"
    unused = leaf([np.inf, np.nan])
    slips, what = [(RuntimeError, nan)], "gradcheck(x * x, y = [inf, nan] unused)"
    passes(lambda x, unused: x * x, [x, unused], what, slips)


@pytest.mark.exercise("3.7", points=1)
def test_a_gradient_that_never_arrives_is_an_error():
    what = "gradcheck(x * y, where y's history is cut off)"
    reason = "y has influence but no gradient: None counts as zeros, and here zeros are wrong"
    slips = [(lambda got: got in (True, None), reason),
             (AttributeError, "y.grad is None: no gradient counts as zeros"),
             (TypeError, "y.grad is None: no gradient counts as zeros")]  # fmt: skip
    inputs = [leaf([1, 2]), leaf([3, 4])]
    expect_raises(RuntimeError, lambda: tt.gradcheck(cut_off, inputs), what, slips=slips)


def cut_off(x, y):
    return x * tt.Tensor(np.array(y.data))
