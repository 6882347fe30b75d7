"""Chapter 4: operators on shapes that differ, and products of whole batches of matrices."""

import numpy as np
import pytest

import tinytorch as tt
from course.testing import expect, expect_backward, expect_local_gradients, leaf

SHAPES = [
    ((2, 3), (2, 3)),
    ((2, 3), (3,)),
    ((3,), (2, 3)),
    ((2, 3), (2, 1)),
    ((3, 1), (1, 4)),
    ((2, 3), ()),
    ((), (2,)),
    ((1,), (3,)),
    ((2, 1, 3), (4, 1)),
]


def numbers(shape, start):
    return leaf(start + np.arange(np.prod(shape, dtype=int), dtype=float).reshape(shape))


def matmul(x, y):
    return x @ y


UPSTREAM = [[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]]


@pytest.mark.exercise("4.4", points=1)
def test_a_bias_added_to_every_row_receives_from_every_row():
    x, b = leaf([[1, 2, 3], [4, 5, 6]]), leaf([7, 8, 9])
    z = x + b
    slip = "b served both rows: unbroadcast the gradient to the shape of each input"
    what = "z = x + b, shapes (2, 3) and (3,),"
    wants = {"x": (x, UPSTREAM), "b": (b, [11, 22, 33])}
    expect_backward(z, what, gradient=UPSTREAM, slip=slip, **wants)


@pytest.mark.exercise("4.4", points=1)
def test_a_column_times_a_row_owes_both():
    x, y = leaf([[1], [2], [3]]), leaf([[1, 10, 100, 1000]])
    upstream = [[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1]]
    slip = "multiply first (shape (3, 4)), then unbroadcast the product to the input's shape"
    wants = {"x": (x, [[1], [10], [1100]]), "y": (y, [[1, 2, 3, 3]])}
    what = "z = x * y, shapes (3, 1) and (1, 4),"
    expect_backward(x * y, what, gradient=upstream, slip=slip, **wants)


@pytest.mark.exercise("4.4", points=1)
def test_a_divisor_shared_by_all_receives_from_all():
    x, y = leaf([8, 12]), leaf(2)
    slip = "divide first, then unbroadcast: dz/dx = 1 / y, dz/dy = -x / (y * y)"
    wants = {"x": (x, [0.5, 5]), "y": (y, -32)}
    what = "z = x / y, shapes (2,) and (), sent [1, 10],"
    expect_backward(x / y, what, gradient=[1.0, 10.0], slip=slip, **wants)


@pytest.mark.exercise("4.4", points=1)
def test_add_agrees_with_nudging():
    slip = "each input gets its own shape back"
    for a, b in SHAPES:
        x, y = numbers(a, 1), numbers(b, 5)
        what = f"x + y, shapes {a} and {b}"
        expect_local_gradients(x + y, [x, y], lambda x, y: x + y, what, slip=slip)


@pytest.mark.exercise("4.4", points=1)
def test_mul_agrees_with_nudging():
    slip = "the factor of each copy counts: multiply, then unbroadcast"
    for a, b in SHAPES:
        x, y = numbers(a, 1), numbers(b, 5)
        what = f"x * y, shapes {a} and {b}"
        expect_local_gradients(x * y, [x, y], lambda x, y: x * y, what, slip=slip)


@pytest.mark.exercise("4.4", points=1)
def test_div_agrees_with_nudging():
    slip = "dz/dx = 1 / y and dz/dy = -x / (y * y), each unbroadcast to its input's shape"
    for a, b in SHAPES:
        x, y = numbers(a, 1), numbers(b, 5)
        what = f"x / y, shapes {a} and {b}"
        expect_local_gradients(x / y, [x, y], lambda x, y: x / y, what, slip=slip)


@pytest.mark.exercise("4.4", points=1)
def test_two_inputs_do_not_share_one_gradient():
    x, y = leaf([1, 2]), leaf([3, 4])
    (x + y).backward(tt.Tensor([5, 6]))
    x.grad.data[0] = 99
    slip = "x and y received the same array: unbroadcast makes a new one for each"
    expect(y.grad, [5, 6], "y.grad of z = x + y, after x.grad was changed in place", slip=slip)


@pytest.mark.exercise("4.4", points=1)
def test_a_number_used_twice_collects_from_both_uses():
    a = leaf(2)
    b = a * a
    d = b * (b * leaf([1, 2, 3]))  # sum of d = 6 * a ** 4
    slip = "a 0-d tensor that meets a vector receives one number: the sum"
    expect_backward(d.sum(), "d = (b * (b * [1, 2, 3])).sum()", slip=slip, a=(a, 192))


@pytest.mark.exercise("4.6", points=1)
def test_a_plain_product_of_two_matrices():
    x, y = leaf([[1, 2], [3, 4]]), leaf([[5, 6], [7, 9]])
    slip = "order and transposes matter: grad_x = grad_z @ y.mT, grad_y = x.mT @ grad_z"
    expect_local_gradients(x @ y, [x, y], matmul, "x @ y of two square matrices", slip=slip)
    x, y = numbers((2, 3), 1), numbers((3, 4), 2)
    expect_local_gradients(x @ y, [x, y], matmul, "x @ y, shapes (2, 3) and (3, 4)", slip=slip)


@pytest.mark.exercise("4.6", points=1)
def test_a_batch_of_pairs_is_transposed_pair_by_pair():
    slip = "swap the last two axes only: .mT does, .T reverses them all"
    for a, b in [((2, 2, 2), (2, 2, 2)), ((2, 3, 4), (2, 4, 5))]:
        x, y = numbers(a, 1), numbers(b, 2)
        expect_local_gradients(x @ y, [x, y], matmul, f"x @ y, shapes {a} and {b}", slip=slip)


@pytest.mark.exercise("4.6", points=1)
def test_a_matrix_shared_by_the_batch_receives_from_all_of_it():
    x, w = leaf([[[1, 2]], [[10, 20]]]), leaf([[3], [4]])
    slip = "w served the whole batch: sum over the batch axis, unbroadcast does it"
    wants = {"x": (x, [[[3, 4]], [[30, 40]]]), "w": (w, [[101], [202]])}
    what = "z = x @ w, shapes (2, 1, 2) and (2, 1),"
    expect_backward(x @ w, what, gradient=[[[1.0]], [[10.0]]], slip=slip, **wants)


@pytest.mark.exercise("4.6", points=1)
def test_the_left_matrix_may_be_the_shared_one():
    x, y = numbers((3, 4), 1), numbers((2, 4, 5), 2)
    slip = "either side may have served the batch: unbroadcast both gradients"
    what = "x @ y, shapes (3, 4) and (2, 4, 5)"
    expect_local_gradients(x @ y, [x, y], matmul, what, slip=slip)


@pytest.mark.exercise("4.6", points=1)
def test_batch_axes_of_length_one_stretch():
    x, y = numbers((2, 1, 2, 3), 1), numbers((4, 3, 2), 2)
    slip = "a batch axis of length 1 is summed too, and stays"
    what = "x @ y, shapes (2, 1, 2, 3) and (4, 3, 2)"
    expect_local_gradients(x @ y, [x, y], matmul, what, slip=slip)
