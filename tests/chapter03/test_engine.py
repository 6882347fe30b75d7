"""Chapter 3: backward() on whole graphs, and gradcheck."""

import numpy as np
import pytest

import tinytorch as tt
from course.testing import Mismatch, expect, expect_backward, expect_raises, leaf, visits


@pytest.mark.exercise("3.6", points=1)
def test_gradients_travel_from_the_result_to_the_input():
    x = leaf(3)
    y = x * 2
    slip = "x's turn came before y had sent anything: walk the topological order in reverse"
    try:
        expect_backward(y, "y = 2 * x", x=(x, 2), slip="it begins with head_gradient, a one")
    except KeyError:
        raise Mismatch(f"backward() on y = 2 * x raised KeyError: {slip}") from None


@pytest.mark.exercise("3.6", points=1)
def test_a_tensor_used_twice_receives_both_gradients():
    x = leaf(3)
    slip = "a tensor used twice receives the sum of both gradients"
    expect_backward(x + x, "y = x + x", x=(x, 2), slip=slip)
    x = leaf(3)
    expect_backward(x * x, "y = x * x", x=(x, 6), slip=slip)
    a, b = leaf(2), leaf(1)
    expect_backward((a + b) * (b + 1), "e = (a + b) * (b + 1)", a=(a, 2), b=(b, 5), slip=slip)


@pytest.mark.exercise("3.6", points=1)
def test_a_tensor_waits_for_all_that_use_it():
    slip = "b may send only when all that use it have sent to b: its sum must be complete"
    a = leaf(2)
    b = a * a
    expect_backward(b * (b * 3), "d = b * (b * 3), b = a * a", a=(a, 96), slip=slip)
    a = leaf(2)
    b = a * a
    expect_backward((b * 3) * b, "d = (b * 3) * b, b = a * a", a=(a, 96), slip=slip)


@pytest.mark.exercise("3.6", points=1)
def test_every_tensor_on_the_way_gets_its_gradient():
    a = leaf(2)
    b = a * a
    d = b * 3
    slip = "accumulate for every tensor in the order, results too"
    expect_backward(d, "d = 3 * b, b = a * a", d=(d, 1), b=(b, 3), a=(a, 12), slip=slip)


@pytest.mark.exercise("3.6", points=1)
def test_a_second_backward_adds_to_the_first():
    x = leaf(3)
    (x * x).backward()
    slip = "6 from the first pass, 5 from the second: gradients add up until zero_grad"
    expect_backward(x * 5, "y = 5 * x, after backward() on x * x,", x=(x, 11), slip=slip)


@pytest.mark.exercise("3.6", points=1)
def test_what_an_earlier_backward_left_is_not_sent_again():
    a = leaf(2)
    b = a * a
    (b * 3).backward()
    slip = "b sends what it received in this pass, not what is left in b.grad from an earlier one"
    # 3 * 4 from the first pass, 5 * 4 from the second
    expect_backward(b * 5, "d = 5 * b, after backward() on 3 * b,", a=(a, 32), slip=slip)


@pytest.mark.exercise("3.6", points=1)
def test_a_given_gradient_begins_the_pass():
    x = leaf([1, 2])
    slip = "give it to head_gradient(self, gradient)"
    gradient = tt.Tensor(np.array([10.0, 100.0]))
    what = "y = x * x, sent [10, 100],"
    expect_backward(x * x, what, gradient=gradient, x=(x, [20, 400]), slip=slip)


@pytest.mark.exercise("3.6", points=1)
def test_a_vector_cannot_begin_by_itself():
    y = leaf([1, 2]) * leaf([3, 4])
    slip = "leave it to head_gradient(self, gradient): which element should grow?"
    expect_raises(RuntimeError, y.backward, "backward() on shape (2,)", slip=slip, says=["(2,)"])


@pytest.mark.exercise("3.6", points=1)
def test_matrices_and_sums_and_powers():
    x, w = leaf([[1, 2], [3, 4], [5, 6]]), leaf([[2], [1]])
    loss = ((x @ w) ** 2).sum()  # x @ w is [[4], [10], [16]]
    want = [[2 * (4 + 30 + 80)], [2 * (8 + 40 + 96)]]
    expect_backward(loss, "loss = ((x @ w) ** 2).sum()", w=(w, want))


@pytest.mark.exercise("3.6", points=2)
def test_each_operation_runs_backward_once():
    root = leaf(1)
    for _ in range(10):
        root = root + root
    slip = "each tensor sends once, with its whole sum: 10 steps have 1,024 paths"
    expect(max(visits(root)), 1, "backward passes through one operation of a ladder", slip=slip)


@pytest.mark.exercise("3.6", points=1)
def test_ten_thousand_operations_in_a_row():
    x = root = leaf(2)
    for _ in range(10_000):
        root = -root
    try:
        expect_backward(root, "y = -(-(… x)), 10,000 times", x=(x, 1))
    except RecursionError:
        slip = "walk the topological order in a loop, do not recurse"
        raise Mismatch(f"backward() on 10,000 operations raised RecursionError: {slip}") from None


def wrong_cube(slope):
    """x ** 3 with a backward of the tests' own: slope(x), an array."""

    class WrongCube(tt.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return tt.Tensor(np.asarray(x.data) ** 3)

        @staticmethod
        def backward(ctx, grad_z):
            (x,) = ctx.saved_tensors
            return tt.Tensor(np.asarray(grad_z.data) * slope(np.asarray(x.data)))

    return WrongCube.apply


@pytest.mark.exercise("3.7", points=1)
def test_a_right_function_passes():
    x, y = leaf([1, 2, 3]), leaf([4, -5, 6])
    got = tt.gradcheck(lambda x, y: x * y + (x * x) / y, [x, y])
    expect(got, True, "gradcheck(x * y + x * x / y)", slip="return True at the end")
    got = tt.gradcheck(wrong_cube(lambda x: 3 * x * x), [leaf([1, 2])])
    expect(got, True, "gradcheck(x ** 3 with the slope 3 * x * x)")


@pytest.mark.exercise("3.7", points=1)
def test_a_wrong_slope_is_an_error():
    f = wrong_cube(lambda x: 2 * x)
    slip = "compare with numerical_gradient, and raise where they differ"
    what = "gradcheck(x ** 3 with the slope 2 * x)"
    expect_raises(RuntimeError, lambda: tt.gradcheck(f, [leaf([1, 2])]), what, slip=slip)


@pytest.mark.exercise("3.7", points=1)
def test_small_errors_are_seen():
    slip = "np.allclose(got, want, rtol, atol) takes the tolerances in this order"
    f = wrong_cube(lambda x: 3.03 * x * x)
    what = "gradcheck(x ** 3 with slopes that are one per cent too large)"
    expect_raises(RuntimeError, lambda: tt.gradcheck(f, [leaf([1, 2] * 10)]), what, slip=slip)
    f = wrong_cube(lambda x: 2 * x * x)
    what = "gradcheck(x ** 3 with the slope 2 * x * x, at small x)"
    x = leaf([0.015] * 20)  # so many that no choice of weights hides the error from all
    expect_raises(RuntimeError, lambda: tt.gradcheck(f, [x]), what, slip=slip)


@pytest.mark.exercise("3.7", points=1)
def test_elements_are_told_apart():
    class Mirror(tt.Function):
        @staticmethod
        def forward(ctx, x):
            return tt.Tensor(np.asarray(x.data)[::-1])

        @staticmethod
        def backward(ctx, grad_z):
            return grad_z  # forgets to mirror it back

    slip = "weigh each element of the result with another number before the sum"
    what = "gradcheck(a mirror whose backward does not mirror)"
    x = leaf(np.arange(20))
    expect_raises(RuntimeError, lambda: tt.gradcheck(Mirror.apply, [x]), what, slip=slip)


@pytest.mark.exercise("3.7", points=1)
def test_a_gradient_has_the_shape_of_its_tensor():
    class Total(tt.Function):
        @staticmethod
        def forward(ctx, x):
            return tt.Tensor(np.asarray(x.data).sum())

        @staticmethod
        def backward(ctx, grad_z):
            return grad_z  # one number for many

    slip = "np.allclose accepts one number for many: compare the shapes too"
    what = "gradcheck(a sum whose backward gives a gradient of shape ())"
    expect_raises(RuntimeError, lambda: tt.gradcheck(Total.apply, [leaf([1, 2])]), what, slip=slip)


@pytest.mark.exercise("3.7", points=1)
def test_every_input_is_checked():
    f = wrong_cube(lambda x: 2 * x)
    slip = "check each of the inputs, not only the first"
    what = "gradcheck(x * wrong(y))"
    inputs = [leaf([1, 2]), leaf([3, 4])]
    expect_raises(
        RuntimeError, lambda: tt.gradcheck(lambda x, y: x * f(y), inputs), what, slip=slip
    )


@pytest.mark.exercise("3.7", points=1)
def test_old_gradients_do_not_count():
    x = leaf([1, 2])
    (x * x).sum().backward()
    slip = "there were gradients before: zero_grad(inputs)"
    try:
        got = tt.gradcheck(lambda x: x * x, [x])
    except RuntimeError as error:
        raise Mismatch(f"gradcheck(x * x), x.grad set before, raised {error}: {slip}") from None
    expect(got, True, "gradcheck(x * x), x.grad set before", slip=slip)


@pytest.mark.exercise("3.7", points=1)
def test_an_input_without_influence_has_slope_zero():
    x, unused = leaf([1, 2]), leaf([3, 4])
    slip = "no gradient counts as zero, and the numerical gradient is zero too"
    try:
        got = tt.gradcheck(lambda x, unused: x * x, [x, unused])
    except (RuntimeError, AttributeError, TypeError) as error:
        raise Mismatch(f"gradcheck(x * x, y unused) raised {error}: {slip}") from None
    expect(got, True, "gradcheck(x * x, y unused)", slip=slip)


@pytest.mark.exercise("3.7", points=1)
def test_a_gradient_that_never_arrives_is_an_error():
    slip = "y has influence but no gradient: no gradient counts as zero, which is wrong here"
    what = "gradcheck(x * y, where y's history is cut off)"
    inputs = [leaf([1, 2]), leaf([3, 4])]
    expect_raises(RuntimeError, lambda: tt.gradcheck(cut_off, inputs), what, slip=slip)


def cut_off(x, y):
    return x * tt.Tensor(np.array(y.data))
