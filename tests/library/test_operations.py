"""Every operation of the table: proven to second order, and the same as PyTorch's."""

import warnings

import numpy as np
import pytest

import tinytorch
import tinytorch.nn.functional as F
from course.operations import OPERATIONS, arrays_for

NAMES = [f"{name} {shapes}" for name, _, shapes, _ in OPERATIONS]


def tensors_for(shapes, values):
    return [tinytorch.tensor(a, requires_grad=True) for a in arrays_for(shapes, values)]


@pytest.mark.parametrize("operation", OPERATIONS, ids=NAMES)
def test_the_gradient_agrees_with_nudging(operation):
    _, function, shapes, values = operation
    assert tinytorch.gradcheck(lambda *x: function(tinytorch, *x), tensors_for(shapes, values))


@pytest.mark.parametrize("operation", OPERATIONS, ids=NAMES)
def test_the_gradient_of_the_gradient_agrees_with_nudging(operation):
    _, function, shapes, values = operation
    assert tinytorch.gradgradcheck(lambda *x: function(tinytorch, *x), tensors_for(shapes, values))


@pytest.mark.parametrize("operation", OPERATIONS, ids=NAMES)
def test_inputs_whose_memory_is_not_in_order_change_nothing(operation):
    name, function, shapes, values = operation
    if name == "view":
        pytest.skip("view() never copies")
    plain = arrays_for(shapes, values)
    turned = [np.copy(a, order="F") for a in plain]
    same = [function(tinytorch, *[tinytorch.from_numpy(a) for a in xs]) for xs in (plain, turned)]
    np.testing.assert_allclose(same[0].numpy(), same[1].numpy(), rtol=1e-12)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("operation", OPERATIONS, ids=NAMES)
def test_values_and_gradients_are_those_of_pytorch(operation, dtype):
    torch = pytest.importorskip("torch")
    _, function, shapes, values = operation
    arrays = [a.astype(dtype) for a in arrays_for(shapes, values)]
    results = [run(t, function, arrays) for t in (tinytorch, torch)]
    for ours, theirs in zip(*results, strict=True):
        assert ours.dtype == theirs.dtype
        assert ours.shape == theirs.shape
        np.testing.assert_allclose(ours, theirs, rtol=2e-5, atol=2e-6)


def run(t, function, arrays):
    """The value of `function` and its gradients for a fixed upstream gradient, as arrays."""
    inputs = [t.tensor(a, requires_grad=True) for a in arrays]
    y = function(t, *inputs)
    upstream = np.random.default_rng(0).uniform(0.5, 1.5, tuple(y.shape)).astype(arrays[0].dtype)
    y.backward(t.tensor(upstream))
    return [np.asarray(y.detach().numpy()), *[x.grad.numpy() for x in inputs]]


def test_the_upstream_gradient_may_be_a_bare_number_of_numpy():
    for name, function, shapes, values in OPERATIONS:
        inputs = tensors_for(shapes, values)
        y = function(tinytorch, *inputs)
        if y.ndim == 0:
            (y * y).backward()  # to NumPy, the product of two single numbers is no array
            twice = tinytorch.autograd.grad(function(tinytorch, *inputs) * (2 * y.item()), inputs)
            for x, grad in zip(inputs, twice, strict=True):
                np.testing.assert_allclose(x.grad.numpy(), grad.numpy(), 1e-12, err_msg=name)


POLES = {
    "log": lambda x: x.log(),
    "log1p": lambda x: (x - 1).log1p(),
    "sqrt": lambda x: (x - 1).sqrt(),
    "rsqrt": lambda x: x.rsqrt(),
    "division": lambda x: 1 / x,
    "power": lambda x: x**-1,
    "remainder": lambda x: x.detach() % 0 + x,
    "slope of the root": lambda x: x.sqrt(),
}


@pytest.mark.parametrize("name", POLES)
def test_infinity_and_nan_come_without_a_warning(name):
    x = tinytorch.zeros(2, requires_grad=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        POLES[name](x).sum().backward()
    assert not np.isfinite(x.grad.numpy()).all() or name == "remainder"


HUGE = {
    "exp": lambda x: x.exp(),
    "add": lambda x: x + x,
    "mul": lambda x: x * x,
    "power": lambda x: x**2,
    "power of two tensors": lambda x: x**x,
    "sum": lambda x: x.sum(),
    "mean": lambda x: x.mean(),
    "product": lambda x: x.prod(),
    "running sum": lambda x: x.cumsum(0),
    "norm": lambda x: x.norm(),
    "matrix product": lambda x: x.reshape(1, 2) @ x.reshape(2, 1),
    "einsum": lambda x: tinytorch.einsum("i,i->", x, x),
    "in place": lambda x: x.clone().mul_(x),
    "in place, not recorded": tinytorch.no_grad()(lambda x: x.clone().mul_(x)),
    "linear": lambda x: F.linear(x, x.reshape(1, 2)),
    "conv2d": lambda x: F.conv2d(x.reshape(1, 1, 1, 2), x.reshape(1, 1, 1, 2)),
    "difference of infinities": lambda x: (x * x).softmax(0) + (x * x).log_softmax(0),
}


@pytest.mark.parametrize("name", HUGE)
def test_an_overflow_comes_without_a_warning(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = HUGE[name](tinytorch.tensor([3e38, 3e38]))
    assert not np.isfinite(result.numpy()).all()


def test_atan2_has_slope_0_at_the_origin():
    origin = tinytorch.zeros(2, requires_grad=True)
    tinytorch.atan2(*origin).backward()
    assert origin.grad.tolist() == [0, 0]


def test_the_spread_of_equal_numbers_has_slope_0():
    x = tinytorch.ones(3, requires_grad=True)
    x.std().backward()
    assert x.grad.tolist() == [0, 0, 0]


def test_a_sum_in_another_dtype_gives_its_gradient_in_that_of_the_input():
    x = tinytorch.ones(2, requires_grad=True)
    x.sum(dtype=tinytorch.float64).backward()
    assert x.grad.dtype == tinytorch.float32


def test_a_mask_without_elements_picks_none():
    assert tinytorch.zeros(0, 3)[tinytorch.zeros(0, 3) > 0].shape == (0,)
    assert tinytorch.zeros(0).unbind() == ()


def test_nonzero_of_a_single_number_has_a_row_without_indices():
    assert tinytorch.tensor(5).nonzero().shape == (1, 0)


@pytest.mark.parametrize("cut", ["tril", "triu"])
def test_a_triangle_of_booleans_holds_booleans(cut):
    assert getattr(tinytorch.ones(2, 2, dtype=tinytorch.bool), cut)().dtype == tinytorch.bool


@pytest.mark.parametrize("create_graph", [False, True])
def test_an_infinite_gradient_does_not_leak_to_the_side_that_where_left_out(create_graph):
    x = tinytorch.ones(2, requires_grad=True)
    chosen = tinytorch.where(tinytorch.tensor([True, False]), x, tinytorch.zeros(2))
    (chosen / tinytorch.tensor([1.0, 0.0])).sum().backward(create_graph=create_graph)
    assert x.grad.tolist() == [1.0, 0.0]


UNUSED = {
    "relu": lambda x: x.relu().sqrt(),
    "clamp": lambda x: x.clamp(min=0).sqrt(),
    "maximum": lambda x: tinytorch.maximum(x, tinytorch.zeros(2)).sqrt(),
    "minimum": lambda x: (-tinytorch.minimum(-x, tinytorch.zeros(2))).sqrt(),
    "masked_fill": lambda x: x.masked_fill(x < 0, 0.0).sqrt(),
    "writing": lambda x: tinytorch.scatter(x, 0, tinytorch.tensor([0]), 0.0).sqrt(),
    "the largest": lambda x: x.max().reshape(1) * 1 + (x.max() - 4).sqrt(),
}


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("name", UNUSED)
def test_an_infinite_gradient_does_not_reach_what_was_not_used(name, create_graph):
    x = tinytorch.tensor([-1.0, 4.0], requires_grad=True)
    UNUSED[name](x).sum().backward(create_graph=create_graph)
    assert x.grad[0].item() == 0


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.double() * x,
        lambda x: x / x.double(),
        lambda x: x.half() ** x,
        lambda x: x * x[0].double(),
        lambda x: x.double().atan2(x),
        lambda x: tinytorch.einsum("i,j->ij", x, x.double()),
    ],
)
def test_gradients_of_gradients_have_the_dtype_of_the_leaf(function):
    x = tinytorch.tensor([1.0, 2.0], requires_grad=True)
    (grad,) = tinytorch.autograd.grad((function(x) ** 2).sum(), x, create_graph=True)
    (second,) = tinytorch.autograd.grad((grad * grad).sum(), x)
    assert grad.dtype == second.dtype == tinytorch.float32


@pytest.mark.parametrize("p", [1, 2, 3, float("inf")])
def test_the_slope_of_a_norm_at_0_is_0(p):
    x = tinytorch.zeros(2, requires_grad=True)
    x.norm(p).backward()
    assert x.grad.tolist() == [0, 0]


def test_the_0_norm_counts():
    assert tinytorch.tensor([0.0, 2.0, -3.0]).norm(0).item() == 2


def test_cat_passes_over_what_is_empty():
    rows = tinytorch.ones(2, 3, requires_grad=True)
    both = tinytorch.cat([tinytorch.tensor([]), rows])
    both.sum().backward()
    assert both.shape == (2, 3) and rows.grad.sum() == 6
    assert tinytorch.cat([tinytorch.zeros(0), tinytorch.zeros(0)]).shape == (0,)


def test_one_number_in_a_row_can_be_written_into_one_place():
    x, value = tinytorch.zeros(2, 2), tinytorch.tensor([[7.0]], requires_grad=True)
    x[0, 1] = value
    x.sum().backward()
    assert x.tolist() == [[0, 7], [0, 0]] and value.grad.tolist() == [[1]]


COPIES = {
    "max_pool2d of single pixels": lambda x: F.max_pool2d(x, 1),
    "repeat once": lambda x: x.repeat(1, 1, 1),
    "tile once": lambda x: x.tile(1),
    "einsum that only names": lambda x: tinytorch.einsum("abc->acb", x),
    "pad by nothing": lambda x: F.pad(x, (0, 0)),
    "cat of one": lambda x: tinytorch.cat([x]),
    "sum over a length of 1": lambda x: x.sum(0),
    "roll by nothing": lambda x: x.roll(0),
    "float of floats, copied": lambda x: x.to(tinytorch.float32, copy=True),
}


@pytest.mark.parametrize("name", COPIES)
def test_what_is_no_view_has_memory_of_its_own(name):
    x = tinytorch.ones(1, 2, 2)
    result = COPIES[name](x)
    assert not np.may_share_memory(result.numpy(), x.numpy())


IN_ORDER = {
    "cat": lambda x: tinytorch.cat([x, x]),
    "picking out": lambda x: x[:, [0, 1]],
    "gather": lambda x: x.gather(0, tinytorch.zeros(1, 3, dtype=tinytorch.int64)),
    "softmax": lambda x: x.softmax(0),
    "log_softmax": lambda x: x.log_softmax(1),
    "cumsum": lambda x: x.cumsum(0),
    "sum": lambda x: x.reshape(2, 3, 1).expand(2, 3, 2).sum(-1),
    "mean": lambda x: x[None].mean(0, keepdim=True),
    "roll": lambda x: x.roll(1, 0),
    "einsum": lambda x: tinytorch.einsum("bij,bkj->bik", x[..., None], x[..., None]),
    "layer_norm": lambda x: F.layer_norm(x, (3,)),
}


@pytest.mark.parametrize("name", IN_ORDER)
def test_a_result_lies_in_order_though_the_input_does_not(name):
    x = tinytorch.arange(6.0).reshape(3, 2).T
    assert IN_ORDER[name](x).is_contiguous()


def test_the_sign_of_booleans_is_a_new_tensor():
    x = tinytorch.tensor([True])
    assert not np.may_share_memory(tinytorch.sign(x).numpy(), x.numpy())


def test_small_integers_are_divided_as_floats():
    x = tinytorch.tensor([1, 3], dtype=tinytorch.uint8)
    assert (x / tinytorch.tensor(-2)).tolist() == [-0.5, -1.5]
    assert (tinytorch.tensor([6]) / tinytorch.tensor([4])).dtype == tinytorch.float32


def test_the_gradient_of_a_sum_that_broadcast_is_taken_once_for_all_that_are_equal():
    a = tinytorch.ones(3, 1, requires_grad=True)
    b = tinytorch.tensor([1.0, 2.0], requires_grad=True)
    ((a + b).sum(0) * 2).sum().backward()
    assert a.grad.tolist() == [[4]] * 3
    assert b.grad.tolist() == [6, 6]
    c = tinytorch.ones(2, requires_grad=True)
    ((a * b + c).sum(0) * tinytorch.tensor([1.0, 10.0])).sum().backward()
    assert a.grad.tolist() == [[4 + 21]] * 3
    assert b.grad.tolist() == [6 + 3, 6 + 30]
    assert c.grad.tolist() == [3, 30]


def test_the_slopes_of_a_product_with_infinity_are_the_same_in_a_recorded_pass():
    x = tinytorch.tensor([float("inf"), 2.0, 3.0], requires_grad=True)
    (slopes,) = tinytorch.autograd.grad(x.prod(0), x, create_graph=True)
    assert slopes.tolist() == tinytorch.autograd.grad(x.prod(0), x)[0].tolist()
    assert slopes[0] == 6
