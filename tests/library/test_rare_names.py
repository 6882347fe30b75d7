"""Rarer names of PyTorch: functions of elements, views by steps, copies with a part exchanged."""

import numpy as np
import pytest
from beside_torch import numbers, programs_in, proven, same_answer, same_as_torch

import tinytorch

PAIRS = "fmax fmin logaddexp2 ldexp nextafter"


def _pair(t):
    x = t.tensor([1.0, -2.0, float("nan"), 0.5, 3.0])
    return x, t.tensor([1.0, 2.0, 2.0, float("nan"), -1.0])


def pairs_of_numbers(t):
    return [getattr(t, name)(*_pair(t)) for name in PAIRS.split()]


def whole_numbers(t):
    x, y = t.tensor([12, 0, -18, 7]), t.tensor([[8], [0]])
    return [t.gcd(x, y), x.lcm(y), t.gcd(x, t.tensor(4, dtype=t.int32)), x.clone().gcd_(y[0])]


def common_divisors_of_floats(t):
    return t.gcd(t.ones(2), t.ones(2))


def parts_of_numbers(t):
    x = t.tensor([6.0, -0.75, 0.0, float("inf"), 1e-3])
    return [*t.frexp(x), t.angle(x), x.isreal(), x.positive(), t.ldexp(x[:2], t.tensor([1, -2]))]


def special_functions(t):
    x = t.tensor([0.1, 0.7, 2.5])
    names = "expit entr ndtr i0 i0e i1 i1e gammaln psi erfc log1p sinc"
    found = [getattr(t.special, name)(x) for name in names.split()]
    return found, t.special.multigammaln(x + 1, 2), t.special.xlog1py(x, x), t.special.logit(x / 3)


def steps_in_memory(t):
    x = t.arange(6.0)
    y = x.as_strided((2, 2), (2, 1), 1)
    y[0, 0] = 9
    return x, y, t.as_strided(x, (3,), (0,)), x[1:].as_strided((), ()), x.as_strided((0,), (1,), 5)


def steps_within_views(t):
    x = t.arange(6.0).requires_grad_()
    tall, wide = (x * 1).reshape(2, 3).T, (x[1:2] * 1).expand(4)
    seen = [
        tall.as_strided((2, 2), (2, 1), 1),
        wide.as_strided((), ()),
        x[1::2].as_strided((2,), (2,)),
    ]
    sum(part.sum() for part in seen).backward()
    whole = x.detach().clone().requires_grad_() * 1
    whole[2:].as_strided((2,), (1,)).mul_(10)
    return seen, x.grad, whole


def steps_that_leave_the_memory(t):
    return t.arange(3).as_strided((2,), (3,))


def parts_exchanged(t):
    x, y = t.zeros(2, 3), t.arange(3.0)
    parts = [x.select_scatter(y, 0, -1), x.slice_scatter(y[None], 0, 1), x.diagonal_scatter(y[:2])]
    places = t.tensor([[0, 5], [5, 1]])
    parts += [x.put(places, t.arange(4.0).reshape(2, 2)), x.clone().put_(places, t.ones(4), True)]
    return parts, x.narrow_copy(1, 1, 2), [*x.split_with_sizes([1, 2], 1)]


def a_slice_that_is_missing(t):
    return t.zeros(2).select_scatter(t.tensor(1.0), 0, 2)


def sums_to_a_size(t):
    x = t.arange(6).reshape(2, 3)
    return [x.sum_to_size(1, 3), x.sum_to_size((3,)), x.sum_to_size(2, 3), x.sum_to_size(())]


def places_in_each_dimension(t):
    return [*t.unravel_index(t.tensor([[0, 5], [3, 2]]), (2, 3)), *t.unravel_index(t.tensor(4), 5)]


def slopes_of_samples(t):
    x, places = t.tensor([1.0, 2.0, 4.0, 8.0]), t.tensor([0.0, 1.0, 1.5, 3.0])
    square = x * t.tensor([[1.0], [3.0], [4.0]])
    found = [
        t.gradient(x),
        t.gradient(x, spacing=0.5, edge_order=2),
        t.gradient(x, spacing=(places,)),
    ]
    return [*found, t.gradient(square), t.gradient(square, spacing=[1, 2], dim=(1, 0))]


def slopes_of_one_sample(t):
    return t.gradient(t.ones(1))


def counts_between_edges(t):
    x, edges = t.tensor([[1.0, 2.0], [2.5, 4.0]]), t.tensor([0.0, 2.0, 4.0])
    return [
        *x.histogram(3),
        *x.histogram(edges, density=True),
        *t.histogram(x, 2, range=(1.0, 3.0)),
    ]


def norms_held(t):
    return [t.renorm(t.tensor([[3.0, 4.0], [0.3, 0.4]]), 2, dim, 1.0) for dim in (0, 1)]


def many_into_one_place(t):
    x, y, index = t.ones(3, 2), t.arange(8.0).reshape(4, 2), t.tensor([0, 2, 0, 0])
    ways = [(way, own) for way in ("prod", "mean", "amax", "amin") for own in (True, False)]
    floats = [x.index_reduce(0, index, y, way, include_self=own) for way, own in ways]
    x, y, index = x.long() * 2, y.long(), t.tensor([[0, 1], [0, 1], [2, 0], [2, 1]])
    ways += [("sum", True), ("sum", False)]
    wholes = [x.scatter_reduce(0, index, y, way, include_self=own) for way, own in ways]
    return (
        floats,
        wholes,
        x.scatter(0, index, y, reduce="add"),
        x.scatter(0, index, 3, reduce="multiply"),
    )


def an_unknown_way_into_one_place(t):
    return t.ones(2).scatter_reduce(0, t.tensor([0]), t.ones(1), "most")


def new_tensors(t):
    made = [t.asarray([1, 2], dtype=t.float32), t.scalar_tensor(3), t.range(1, 2.5, 0.5)]
    return [*made, t.ones(2).new([3, 4]), list(t.ones(2).double().new(2, 3).shape)]


def ranges_without_a_way(t):
    return t.range(3, 1)


def names_of_types(t):
    x = t.ones(2)
    types = [x.type(t.LongTensor), x.type("torch.ShortTensor"), x.type(t.int8), t.CharTensor([3])]
    return types, [y.type() for y in (x, *types)]


def questions_with_one_answer(t):
    x = t.ones(2, 3)
    asked = [x.is_complex(), t.is_complex(x), x.is_sparse, x.is_inference(), x.is_conj(), x.is_meta]
    asked += [t.is_nonzero(x[0, 0]), x.is_same_size(x), x.is_signed(), x.byte().is_signed()]
    return asked, [x.get_device(), x[1].storage_offset(), x[1]._is_view(), x._is_view()]


def transposed(t):
    x = t.arange(6).reshape(2, 3)
    return [x.H, x.mH, x.adjoint(), x.conj(), x.real, t.spmm(x, x.T), x.contiguous()]


def a_transpose_of_three_dimensions(t):
    return t.ones(1, 2, 3).H


def shifts_in_place(t):
    x = t.tensor([1, 2])
    x <<= 2
    x >>= 1
    return x, x.bitwise_not_(), t.ones(2).float_power_ is not None


@pytest.mark.parametrize("program", programs_in(globals()), ids=lambda f: f.__name__)
def test_a_program_says_the_same(program):
    same_answer(program)


X, Y = numbers(3, 4), numbers(3, 4, seed=2)
GRADIENTS = {
    "fmax": (lambda t, x, y: t.fmax(x, y), X, Y),
    "fmin": (lambda t, x, y: t.fmin(x, y), X, Y),
    "logaddexp2": (lambda t, x, y: t.logaddexp2(x, y), X, Y),
    "xlog1py": (lambda t, x, y: t.special.xlog1py(x, y), X, abs(Y)),
    "i0": (lambda t, x: t.i0(x), X),
    "i1": (lambda t, x: t.special.i1(x), X),
    "entr": (lambda t, x: t.special.entr(x), abs(X)),
    "mvlgamma": (lambda t, x: t.mvlgamma(x, 2), abs(X) + 1),
    "as_strided": (lambda t, x: (x * 1).as_strided((3, 2), (1, 2), 2), X),
    "select_scatter": (lambda t, x, y: x.select_scatter(y[0], 0, 1), X, Y),
    "slice_scatter": (lambda t, x, y: x.slice_scatter(y[:, :2], 1, step=2), X, Y),
    "diagonal_scatter": (lambda t, x, y: x.diagonal_scatter(y[0, :3], 1), X, Y),
    "put": (lambda t, x, y: x.put(t.tensor([1, 5]), y[0, :2]), X, Y),
    "put added": (lambda t, x, y: x.put(t.tensor([1, 1]), y[0, :2], accumulate=True), X, Y),
    "gradient": (lambda t, x: t.stack(t.gradient(x, spacing=0.5, edge_order=2)), X),
    "renorm": (lambda t, x: x.renorm(2, 0, 1.0), X),
    "index_reduce": (lambda t, x, y: x.index_reduce(0, t.tensor([0, 2, 0]), y, "mean"), X, Y),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients_agree_with_pytorch_and_have_gradients(name):
    function, *arrays = GRADIENTS[name]
    same_as_torch(function, *arrays, tolerance=1e-4)
    proven(lambda *tensors: function(tinytorch, *tensors), *arrays)


def test_views_are_no_memory_to_step_through():
    for x in (tinytorch.arange(6)[1:], tinytorch.arange(6)[::2]):
        with pytest.raises(RuntimeError, match="memory of its own"):
            x.as_strided((2,), (1,), 0)


def test_arrays_are_shared_by_asarray():
    array = np.zeros(2)
    tinytorch.asarray(array)[0] = 1
    tinytorch.asarray(array, copy=True)[1] = 1
    assert array.tolist() == [1, 0]
