"""Chapter 4: operators on shapes that differ, and products of whole batches of matrices."""

from functools import partial

import numpy as np
import pytest

import tinytorch as tt
from course.basics import builds_on
from course.comparing import array_of, difference
from course.testing import (
    calling,
    calls_of,
    central_difference,
    expect,
    expect_backward,
    expect_local_gradients,
    lacks,
    leaf,
    local_gradients,
    upstream_for,
    worded,
)

SHAPES = (
    ((2, 3), (2, 3)),
    ((2, 3), (3,)),
    ((3,), (2, 3)),
    ((2, 3), (2, 1)),
    ((3, 1), (1, 4)),
    ((2, 3), ()),
    ((), (2,)),
    ((1,), (3,)),
    ((2, 1, 3), (4, 1)),
)


def numbers(shape, start):
    return leaf(start + np.arange(np.prod(shape, dtype=int), dtype=float).reshape(shape))


def matmul(x, y):
    return x @ y


def has_shape(*shape):
    return lambda got: tuple(got.shape) == shape


def agrees_with_nudging(what, operation, shapes, errors=(), because=""):
    for a, b in shapes:
        x, y = numbers(a, 1), numbers(b, 5)
        text = f"{what}, shapes {a} and {b}"
        z = operation(x, y)
        used = (
            lambda e, z=z: given(e, "grad").shape != z.shape,
            "unbroadcast was given what no longer has the shape of z: begin with grad_z for each",
        )
        known = errors.items() if isinstance(errors, dict) else errors
        with calling(f"the backward of {text}", slips=[*known, used]):
            slips = [(partial(is_as_large, z, (x, y), operation), AS_LARGE)]
            if len(z.shape) > 2:
                slips = [*slips, *((back_to_front(shape), BACK_TO_FRONT) for shape in (a, b))]
            expect_local_gradients(z, [x, y], operation, text, because=because, slips=slips)


AS_LARGE = "it has the shape of the result: "
AS_LARGE += "unbroadcast each gradient to the shape of its own input"


def is_as_large(z, inputs, operation, got):
    """A question for slips: is the first wrong gradient as large as z, and its input isn't?"""
    if got.shape != z.shape:
        return False
    sent = upstream_for(z)
    grads = local_gradients(z, inputs, sent, "it")
    arrays = [np.array(array_of(x), dtype=np.float64) for x in inputs]
    for i, (x, grad) in enumerate(zip(inputs, grads, strict=True)):
        want = central_difference(operation, arrays, i, array_of(sent))
        if difference(grad, want, "", 1e-5, 1e-3):
            return x.shape != z.shape
    return False


BACK_TO_FRONT = "[::-1] turns all the axes round, those of the batch too: only the last two swap"


def back_to_front(shape):
    """A question for slips: does it have this shape, its batch axes turned round as well?"""
    turned = shape[::-1]
    return lambda got: got.shape == (*turned[:-2], turned[-1], turned[-2]) != shape


AS_A_TUPLE = (
    lambda error: isinstance(error, ValueError) and "zip" in str(error),
    "backward returns a tuple with one gradient for each input",
)
EACH_ITS_OWN = "each input gets a gradient in its own shape"


def given(error, name):
    """What unbroadcast was given as `grad` or `shape`, where an error came out of it; else None."""
    calls = calls_of("unbroadcast", error)
    return calls[0].get(name) if calls else None


def was_reshaped(error):
    """A question for slips: did a reshape fail that's no part of unbroadcast?"""
    is_reshape = worded(ValueError, "cannot reshape")(error)
    return is_reshape and calls_of("backward", error) and not calls_of("unbroadcast", error)


RESHAPED = (was_reshaped, "reshape adds nothing up, it keeps each element: unbroadcast sums")


def of_unbroadcast():
    """Errors over unbroadcast itself, said in words."""
    return [
        (lacks("Tensor", "unbroadcast"), "unbroadcast is a function: unbroadcast(grad, shape)"),
        (
            lambda e: isinstance(given(e, "grad"), tuple),
            "unbroadcast wants the gradient first, and then the shape",
        ),
        (
            lambda e: isinstance(given(e, "shape"), tt.Tensor),
            "unbroadcast wants a shape, such as x.shape, and not the Tensor",
        ),
    ]


def of_add():
    """The errors of Add.backward, said in words."""
    return [
        *of_unbroadcast(),
        RESHAPED,
        (
            worded(ValueError, "expected 2, got 0"),
            "forward has saved no Tensors: it keeps both shapes as ctx.shapes",
        ),
        (
            lambda e: any(isinstance(size, tuple) for size in given(e, "shape") or ()),
            "ctx.shapes holds two shapes, one for each input: x_shape, y_shape = ctx.shapes",
        ),
        (
            lambda e: lacks("tuple", "shape")(e) and given(e, "grad") is None,
            "ctx.shapes holds the shapes themselves: x_shape, y_shape = ctx.shapes",
        ),
        (lacks("Context"), "forward keeps both shapes as ctx.shapes, and nothing else"),
        (
            lambda e: isinstance(e, NameError) and e.name in ("x", "y", "x_shape", "y_shape"),
            "backward knows ctx and grad_z, and both shapes are in ctx.shapes",
        ),
    ]


def of_both(*shapes):
    """Those of Mul.backward and Div.backward, where the inputs have these shapes."""
    return [
        *of_unbroadcast(),
        RESHAPED,
        (
            # a gradient in the shape of z goes to both of them, so this was none
            lambda e: given(e, "shape") in shapes,
            "unbroadcast was given a factor: it's for the gradient that has z's shape, "
            "so work out the whole rule first",
        ),
        (
            lacks("Context"),
            "forward saves x and y, and each of them knows its shape: x, y = ctx.saved_tensors",
        ),
    ]


@pytest.mark.exercise("4.4", points=1)
@builds_on("4.2", "4.3")
def test_a_bias_added_to_every_row_receives_from_every_row():
    x, b = leaf([[1, 2, 3], [4, 5, 6]]), leaf([7, 8, 9])
    upstream = [[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]]
    what = "z = x + b, shapes (2, 3) and (3,),"
    slips = [
        (
            lambda got: got.shape == x.shape and getattr(x.grad, "shape", None) == b.shape,
            "the two shapes are exchanged: x gets a gradient in the shape of x, b in that of b",
        ),
        (upstream, "b served both rows: unbroadcast its gradient to the shape of b"),
        ([1, 2, 3], "b served both rows, and this is what the first one sent"),
        ([5.5, 11, 16.5], "that's the mean of what both rows sent: take the sum"),
        *of_add(),
        AS_A_TUPLE,
    ]
    expect_backward(x + b, what, gradient=upstream, slips=slips, b=(b, [11, 22, 33]))
    x, b = leaf([[1, 2, 3], [4, 5, 6]]), leaf([7, 8, 9])
    slips = [(has_shape(3), "x was not copied: it gets the gradient as it is")]
    expect_backward(x + b, what, gradient=upstream, slips=slips, x=(x, upstream))


@pytest.mark.exercise("4.4", points=1)
@builds_on("4.2", "4.3")
def test_a_column_times_a_row_owes_both():
    x, y = leaf([[1], [2], [3]]), leaf([[1, 10, 100, 1000]])
    upstream = [[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1]]
    first = "it was summed before it was multiplied: multiply in the big shape, then unbroadcast"
    big = "multiplied, and not summed: unbroadcast it to the shape of the input"
    own = "that's the input's own value as its factor: dz/dx = y, dz/dy = x"
    what = "z = x * y, shapes (3, 1) and (1, 4),"
    slips = [
        (np.array([[1], [1], [2]]) * [[1, 10, 100, 1000]], first),
        (np.array(upstream) * [[1, 10, 100, 1000]], big),
        ([[1], [2], [6]], own),
        ([[1111], [1111], [2222]], "both were summed before they were multiplied: multiply first"),
        ([[1], [1], [2]], "the factor is missing: dz/dx = y"),
        ([[1111], [1111], [1111]], "multiply by grad_z, too"),
        (has_shape(1, 4), "that's the shape of y: each gradient has the shape of its own input"),
        *of_both((3, 1), (1, 4)),
        AS_A_TUPLE,
    ]
    expect_backward(x * y, what, gradient=upstream, slips=slips, x=(x, [[1], [10], [1100]]))
    x, y = leaf([[1], [2], [3]]), leaf([[1, 10, 100, 1000]])
    slips = [
        (np.array([[1], [2], [3]]) * [[1, 1, 1, 1]], first),
        (np.array(upstream) * [[1], [2], [3]], big),
        ([[1, 10, 100, 1000]], own),
        ([[6, 6, 6, 6]], "both were summed before they were multiplied: multiply first"),
        ([[1, 1, 1, 1]], "the factor is missing: dz/dy = x"),
    ]
    expect_backward(x * y, what, gradient=upstream, slips=slips, y=(y, [[1, 2, 3, 3]]))


@pytest.mark.exercise("4.4", points=1)
@builds_on("4.2", "4.3")
def test_a_divisor_shared_by_all_receives_from_all():
    x, y = leaf([8, 12]), leaf(2)
    what = "z = x / y, shapes (2,) and (), sent [1, 10],"
    slips = [
        (-55, "it was summed before it was multiplied by x: divide first, then unbroadcast"),
        (
            [-22, -33],
            "it was summed before it was multiplied by x: multiply in the big shape, "
            "then unbroadcast",
        ),
        (32, "when y grows, x / y shrinks: a minus sign is missing"),
        (
            lambda got: got.shape == x.shape and getattr(x.grad, "shape", None) == y.shape,
            "that's the shape of x: each gradient has the shape of its own input",
        ),
        (has_shape(2), "not summed: y served both, so it gets one number"),
        (-64, "y counts once too little: dz/dy = -x / (y * y)"),
        (-16, "y counts once too often: dz/dy = -x / (y * y)"),
        (-128, "a / y * y is a: put y * y in brackets, -x / (y * y)"),
        *of_both((2,), ()),
        AS_A_TUPLE,
    ]
    expect_backward(x / y, what, gradient=[1.0, 10.0], slips=slips, y=(y, -32))
    x, y = leaf([8, 12]), leaf(2)
    slips = [(5.5, "x was not copied: nothing is summed"), ([2, 20], "dz/dx = 1 / y, not y")]
    expect_backward(x / y, what, gradient=[1.0, 10.0], slips=slips, x=(x, [0.5, 5]))
    x, y = leaf([8]), leaf([2, 4])
    slips = [
        ([8.25], "it was summed before it was divided: divide in the big shape, then unbroadcast"),
        ([0.5, 2.5], "not summed: x served both, so it gets one number"),
        (
            [5.5, 2.75],
            "it was summed before it was divided: divide in the big shape, then unbroadcast",
        ),
    ]
    what = "z = x / y, shapes (1,) and (2,), sent [1, 10],"
    expect_backward(x / y, what, gradient=[1.0, 10.0], slips=slips, x=(x, [3]))


@pytest.mark.exercise("4.4", points=1)
@builds_on("4.2", "4.3")
def test_add_agrees_with_nudging():
    agrees_with_nudging("x + y", lambda x, y: x + y, SHAPES, [RESHAPED], because=EACH_ITS_OWN)


@pytest.mark.exercise("4.4", points=1)
@builds_on("4.2", "4.3")
def test_mul_agrees_with_nudging():
    because = f"{EACH_ITS_OWN}, multiplied before it is summed"
    agrees_with_nudging("x * y", lambda x, y: x * y, SHAPES, [RESHAPED], because=because)


@pytest.mark.exercise("4.4", points=1)
@builds_on("4.2", "4.3")
def test_div_agrees_with_nudging():
    because = f"{EACH_ITS_OWN}; dz/dx = 1 / y and dz/dy = -x / (y * y)"
    agrees_with_nudging("x / y", lambda x, y: x / y, SHAPES, [RESHAPED], because=because)


@pytest.mark.exercise("4.4", points=1)
@builds_on("4.2", "4.3")
def test_two_inputs_do_not_share_one_gradient():
    x, y = leaf([1, 2]), leaf([3, 4])
    with calling("backward() on z = x + y"):
        z = x + y
        z.backward(tt.Tensor([5, 6]))
    x.grad.data[0] = 99
    slips = [([99, 6], "x and y received the same array: unbroadcast makes a new one for each")]
    expect(y.grad, [5, 6], "y.grad of z = x + y, after x.grad was changed in place", slips=slips)


@pytest.mark.exercise("4.4", points=1)
@builds_on("4.2", "4.3")
def test_a_number_used_twice_collects_from_both_uses():
    a = leaf(2)
    b = a * a
    d = b * (b * leaf([1, 2, 3]))  # sum of d = 6 * a ** 4
    slips = [
        (has_shape(3), "a is one number, and gets one number: the sum"),
        (384, "twice as much: in a * a each place gets grad_z * a, and the engine adds the two"),
        RESHAPED,
    ]
    expect_backward(d.sum(), "d = (b * (b * [1, 2, 3])).sum(), b = a * a", slips=slips, a=(a, 192))


TWO_MATRICES = "dL/dx = grad_z @ y.mT, dL/dy = x.mT @ grad_z"


def refused_matrices(error):
    return type(error) is RuntimeError and "@ needs" in str(error)


@pytest.mark.exercise("4.6", points=1)
@builds_on("4.2", "4.3")
def test_a_plain_product_of_two_matrices():
    what = "z = x @ y, x = [[1, 2], [3, 4]], y = [[5, 6], [7, 9]],"
    x, y = leaf([[1, 2], [3, 4]]), leaf([[5, 6], [7, 9]])
    g = np.array([[1.0, 2.0], [10.0, 20.0]])
    a, b = np.array([[1.0, 2], [3, 4]]), np.array([[5.0, 6], [7, 9]])
    slips = [
        (g @ b, "y is not transposed: grad_x = grad_z @ y.mT"),
        (b.T @ g, "the other way round: grad_x = grad_z @ y.mT"),
        (a.T @ g, "that's the gradient of y: x comes first"),
        (b @ g.T, "that's the transpose of what x gets: grad_x = grad_z @ y.mT"),
        (has_shape(2), "there's no batch here: nothing was copied, and nothing is summed"),
        (g * b.T, "* goes number by number; the product of two matrices is @"),
        (
            worded(TypeError, "not callable"),
            ".mT is written without brackets, as .T is",
        ),
        *of_unbroadcast(),
    ]
    expect_backward(x @ y, what, gradient=g, slips=slips, x=(x, g @ b.T))
    x, y = leaf([[1, 2], [3, 4]]), leaf([[5, 6], [7, 9]])
    slips = [
        (a @ g, "x is not transposed: grad_y = x.mT @ grad_z"),
        (g @ a.T, "the other way round: grad_y = x.mT @ grad_z"),
        (g.T @ a, "that's the transpose of what y gets: grad_y = x.mT @ grad_z"),
        (has_shape(2), "there's no batch here: nothing was copied, and nothing is summed"),
        (a.T * g, "* goes number by number; the product of two matrices is @"),
    ]
    expect_backward(x @ y, what, gradient=g, slips=slips, y=(y, a.T @ g))
    first = "grad_z still had the shape of z: multiply first, and unbroadcast the product"
    own = "each product goes to the shape of its own input: grad_z @ y.mT to x.shape"
    errors = [
        (refused_matrices, TWO_MATRICES),
        (lambda e: given(e, "grad").shape == (2, 4), first),
        (lambda e: given(e, "grad").shape in ((2, 3), (3, 4)), own),
        (lambda e: given(e, "grad") is not None, "it's the product that is unbroadcast"),
    ]
    agrees_with_nudging("x @ y", matmul, [((2, 3), (3, 4))], errors, TWO_MATRICES)


@pytest.mark.exercise("4.6", points=1)
@builds_on("4.2", "4.3")
def test_a_batch_of_pairs_is_transposed_pair_by_pair():
    because = "each matrix of the batch is transposed by itself: .mT swaps the last two axes"
    pairs = np.arange(1.0, 9).reshape(2, 2, 2)
    what = "z = x @ y, x = y = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]], sent [[1, 0], [0, 1]] twice,"
    given = [[[1, 3], [2, 4]], [[5, 7], [6, 8]]]
    for name in ("x", "y"):
        inputs = {"x": leaf(pairs), "y": leaf(pairs)}
        slips = [
            (pairs, "it is not transposed"),
            (lambda got: got.data.size == 4, "both have the batch axis here: nothing was shared, "
             "so nothing is summed"),
        ]  # fmt: skip
        z, sent = inputs["x"] @ inputs["y"], np.array([np.eye(2), np.eye(2)])
        wants = {name: (inputs[name], given)}
        expect_backward(z, what, gradient=sent, slips=slips, because=because, **wants)
    errors = [(refused_matrices, TWO_MATRICES)]
    shapes = [((2, 2, 2), (2, 2, 2)), ((2, 3, 4), (2, 4, 5))]
    agrees_with_nudging("x @ y", matmul, shapes, errors, because)


@pytest.mark.exercise("4.6", points=1)
@builds_on("4.2", "4.3")
def test_a_matrix_shared_by_the_batch_receives_from_all_of_it():
    x, w = leaf([[[1, 2]], [[10, 20]]]), leaf([[3], [4]])
    slips = [
        (has_shape(2, 2, 1), "one gradient for each example: w served them all, so unbroadcast it"),
        ([[1], [2]], "that's what the first example sent: w served them all"),
        ([[50.5], [101]], "that's the mean over the batch: take the sum"),
        ([[121], [242]], "both were summed before they were multiplied: multiply first"),
    ]
    what = "z = x @ w, shapes (2, 1, 2) and (2, 1), sent [[[1]], [[10]]],"
    expect_backward(x @ w, what, gradient=[[[1.0]], [[10.0]]], slips=slips, w=(w, [[101], [202]]))


SERVED = "either matrix may have served the batch: multiply first, then unbroadcast both products"


@pytest.mark.exercise("4.6", points=1)
@builds_on("4.2", "4.3")
def test_the_left_matrix_may_be_the_shared_one():
    shapes = [((3, 4), (2, 4, 5))]
    agrees_with_nudging("x @ y", matmul, shapes, {ValueError: SERVED}, SERVED)


@pytest.mark.exercise("4.6", points=1)
@builds_on("4.2", "4.3")
def test_batch_axes_of_length_one_stretch():
    because = "a batch axis of length 1 that was stretched is summed, and stays, and one that was "
    because += "added in front is summed, and goes"
    shapes = [
        ((2, 1, 2, 3), (4, 3, 2)),
        ((4, 2, 3), (1, 3, 2)),
        ((1, 2, 3), (4, 3, 2)),
        ((1, 1, 2, 3), (2, 4, 3, 2)),
    ]
    errors = {
        ValueError: "batch axes meet from the right, as all axes do: unbroadcast knows how",
        IndexError: "batch axes meet from the right, as all axes do: unbroadcast knows how",
    }
    agrees_with_nudging("x @ y", matmul, shapes, errors, because)
    x, y = leaf(np.ones((0, 2, 3))), leaf(np.ones((1, 3, 2)))
    what = "z = x @ y, shapes (0, 2, 3) and (1, 3, 2): the batch is empty,"
    slips = [
        (has_shape(0, 3, 2), "a batch axis of length 1 that met 0 is summed, too: not one copy")
    ]
    expect_backward(
        x @ y, what, gradient=np.ones((0, 2, 2)), slips=slips, y=(y, np.zeros((1, 3, 2)))
    )
