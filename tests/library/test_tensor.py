"""What a tensor is: makers, dtypes, text, conversions."""

import copy
import itertools
import pickle
import warnings
from operator import attrgetter

import numpy as np
import pytest

import tinytorch
from tinytorch import Tensor, tensor

# --- Tensor(data) and tensor(data) ---


def test_Tensor_holds_floats():
    assert Tensor(3).dtype == tinytorch.float32
    assert Tensor([1, 2]).dtype == tinytorch.float32
    assert Tensor([True]).dtype == tinytorch.float32
    assert Tensor(np.ones(2)).dtype == tinytorch.float32  # as PyTorch's; tensor() keeps float64
    assert Tensor(np.arange(2)).dtype == tinytorch.float32
    assert Tensor(Tensor([1.0])).tolist() == [1]
    assert Tensor([1.0], requires_grad=True).requires_grad


def test_tensor_keeps_the_kind_of_its_data():
    kinds = [
        tensor(x).dtype for x in (1.5, 2, True, [1, 2.5], np.float64(1.0), np.arange(2, dtype="i4"))
    ]
    assert [kind.dtype.name for kind in kinds] == [
        "float32", "int64", "bool", "float32", "float64", "int32",
    ]  # fmt: skip


def test_tensor_copies():
    a = np.zeros(2)
    x = tensor(a)
    a[0] = 5
    assert x.tolist() == [0, 0]


def test_a_dtype_is_taken_without_a_detour():
    assert tensor(0.1, dtype=tinytorch.float64).item() == 0.1


def test_lists_may_hold_tensors():
    assert tensor([tensor(1.0), tensor(2.0)]).tolist() == [1, 2]
    assert tensor([[tensor(1), 2], [3, 4]]).tolist() == [[1, 2], [3, 4]]


def written(x, index, values):
    """`x` with `values`, perhaps a list, at `index`."""
    x[index] = type(x).new_tensor(x, values) if isinstance(values, list) else values
    return x


MAKERS = {
    "zeros": lambda t: t.zeros(2, 3),
    "zeros of a tuple": lambda t: t.zeros((2, 3)),
    "zeros of nothing": lambda t: t.zeros(()),
    "ones": lambda t: t.ones(2, dtype=t.int64),
    "full": lambda t: t.full((2, 2), 7),
    "full float": lambda t: t.full((2,), 7.5),
    "arange": lambda t: t.arange(5),
    "arange float": lambda t: t.arange(0, 1, 0.25),
    "arange down": lambda t: t.arange(5, 1, -2),
    "linspace": lambda t: t.linspace(0, 1, 5),
    "eye": lambda t: t.eye(2, 3),
    "zeros_like": lambda t: t.zeros_like(t.tensor([1, 2])),
    "ones_like": lambda t: t.ones_like(t.tensor([1.0]), dtype=t.float64),
    "full_like": lambda t: t.full_like(t.tensor([1.0, 2.0]), 3),
    "as_tensor": lambda t: t.as_tensor([1, 2]),
    "tensor": lambda t: t.tensor([[1.0, 2.0]]),
    "scalar": lambda t: t.tensor(3.5),
    "linspace of tensors": lambda t: t.linspace(t.tensor(0.0), t.tensor(2.0), 3, dtype=None),
    "eye without dtype": lambda t: t.eye(2, dtype=None),
    "randint without dtype": lambda t: t.randint(0, 1, (2,), dtype=None) * 3,
    "randint up to": lambda t: t.randint(1, size=(2,)),
    "like, with all settings": lambda t: t.zeros_like(
        t.arange(2), dtype=t.float64, device="cpu", requires_grad=True
    ),
    "rand_like": lambda t: t.rand_like(t.arange(2), dtype=t.float64) * 0,
    "full_like by name": lambda t: t.full_like(t.arange(2), fill_value=2.5),
    "to a device and a dtype": lambda t: t.arange(2).to("cpu", t.float64),
    "to another tensor": lambda t: t.arange(2).to(t.ones(1), copy=True),
    "sum of bytes": lambda t: t.tensor([200, 100], dtype=t.uint8).sum(),
    "sum in a dtype": lambda t: t.tensor([200, 100], dtype=t.uint8).sum(0, dtype=t.uint8),
    "product of booleans": lambda t: t.tensor([True, True]).prod(),
    "running sum in a dtype": lambda t: t.tensor([1.5, 2.5]).cumsum(0, dtype=t.int32),
    "softmax of nothing": lambda t: t.zeros(2, 0).softmax(1) + t.zeros(2, 0).log_softmax(-1),
    "a number modulo a tensor": lambda t: 7 % t.tensor([4, 5]),
    "a number and a tensor": lambda t: t.add(2, t.tensor([4, 5])) * t.sub(2, t.tensor([4, 5])),
    "whole steps to 0": lambda t: t.tensor([-7, 7, -8]).div(2, rounding_mode="trunc"),
    "whole steps of a number": lambda t: t.div(7, t.tensor([-2, 2]), rounding_mode="trunc"),
    "infinite whole steps": lambda t: t.tensor([-1.0, 1.0]).div(0, rounding_mode="trunc"),
    "what is left, with the sign of the first": lambda t: t.fmod(t.tensor([-7, 7]), 4),
    "where": lambda t: t.where(t.tensor([[0, 1], [1, 1]]) > 0)[1],
    "bytes over 256": lambda t: t.tensor([64, 128], dtype=t.uint8) / 256,
    "bytes and less than 0": lambda t: t.tensor([64, 128], dtype=t.uint8) + -1,
    "bytes times too much": lambda t: 300 * t.tensor([1, 128], dtype=t.uint8),
    "bits": lambda t: t.tensor([-1, 5], dtype=t.int8) & 0xFF,
    "half an alpha": lambda t: t.sub(t.ones(1, dtype=t.float16), 0.5, alpha=3),
    "integers times a NumPy number": lambda t: t.tensor([1, 2]) * np.float64(1.5),
    "a single float times a NumPy number": lambda t: np.float64(1.5) * t.tensor(2.0),
    "a choice of NumPy numbers": lambda t: t.where(t.tensor([True]), t.tensor(1), np.float64(2)),
    "the angle of integers": lambda t: t.atan2(t.tensor([1, 2]), t.tensor([2, 1])),
    "filled in its own dtype": lambda t: t.tensor([1, 2]).masked_fill(t.tensor([True, False]), 7.5),
    "narrow from the end": lambda t: t.arange(5).narrow(0, -2, 2),
    "sizes by name": lambda t: t.ones(size=(2, 3)) + 0 * t.randn(size=(2, 1)),
    "integers by name": lambda t: t.randint(high=1, size=(2,)),
    "shapes by name": lambda t: t.reshape(t.arange(6), shape=(2, 3)).permute(dims=(1, 0)),
    "flip by name": lambda t: t.flip(t.arange(4).reshape(2, 2), dims=[1]),
    "to by name": lambda t: t.arange(2).to(device="cpu", dtype=t.int32),
    "empty list": lambda t: t.tensor([]),
    "a mask of bytes": lambda t: t.arange(3)[t.tensor([0, 1, 1], dtype=t.uint8)],
    "arange to an end": lambda t: t.arange(end=5),
    "written at a number and a list": lambda t: written(
        t.zeros(2, 3, 2), (1, slice(None), [0, 1]), t.arange(6.0).reshape(3, 2)
    ),
    "written at a list and a number": lambda t: written(t.zeros(2, 3), ([0, 1], 1), [5.0, 6.0]),
    "written through an index": lambda t: written(t.zeros(2, 3)[t.tensor(1)], 0, 4),
    "plus": lambda t: +t.ones(2),
    "a list of NumPy numbers": lambda t: t.tensor([np.float64(1.5), 2.0]),
    "a list of arrays": lambda t: t.tensor([[np.ones(2)], [np.zeros(2)]]),
    "full of a NumPy number": lambda t: t.full((2,), np.float64(3.5)),
    "new_zeros": lambda t: t.tensor([1, 2]).new_zeros(2, 3),
    "new_ones": lambda t: t.ones(1, dtype=t.float64).new_ones((2,), requires_grad=True),
    "new_full": lambda t: t.tensor([1, 2]).new_full((2,), 7, dtype=t.float32),
    "new_tensor": lambda t: t.ones(1).new_tensor([1, 2]),
    "to, without waiting": lambda t: t.arange(2).to("cpu", t.float32, non_blocking=True),
    "type": lambda t: t.ones(2).type(t.int64) + t.ones(2).byte() + t.ones(2).char(),
    "flip of no dims": lambda t: t.arange(4).flip(()),
    "squeeze of no dims": lambda t: t.ones(1, 2).squeeze(()),
    "all of no dims": lambda t: t.tensor([0, 1]).all(()),
    "sum of no dims": lambda t: t.ones(2, 2).sum(()),
    "all of bytes": lambda t: t.tensor([2, 1], dtype=t.uint8).all(),
    "any of bytes": lambda t: t.tensor([[2, 0]], dtype=t.uint8).any(0, keepdim=True),
    "product of a number, kept": lambda t: t.tensor(3).prod(0, True),
    "spread by position": lambda t: t.tensor([[1.0, 3.0], [2.0, 2.0]]).std(1, False, True),
    "cat along an axis": lambda t: t.cat([t.ones(1, 2), t.zeros(1, 1)], axis=1),
    "stack along an axis": lambda t: t.stack([t.ones(2), t.zeros(2)], axis=1),
    "axes of length 1": lambda t: t.ones(1, 2).squeeze(axis=0).unsqueeze(axis=1),
    "numbers side by side": lambda t: t.hstack([t.tensor(1.0), t.tensor([2.0, 3.0])]),
    "a mask wider than the tensor": lambda t: t.arange(2).masked_select(t.ones(2, 1) > 0),
    "filled with a float": lambda t: t.arange(2).masked_fill(t.ones(2) > 0, t.tensor(2.5)),
    "scatter of a value": lambda t: t.zeros(3).scatter(0, t.tensor([2, 0]), value=4),
    "one row, selected by a number": lambda t: t.eye(2).index_select(0, t.tensor(1)),
    "a product of two dtypes": lambda t: t.einsum("i,j->ij", t.ones(2), t.tensor([1, 2])),
    "take along the flattened": lambda t: t.take_along_dim(t.eye(2), t.tensor([[3, 0]])),
}


@pytest.mark.parametrize("name", MAKERS)
def test_makers_agree_with_pytorch(name):
    torch = pytest.importorskip("torch")
    ours, theirs = MAKERS[name](tinytorch), MAKERS[name](torch)
    assert same(ours, theirs)
    assert repr(ours) == repr(theirs).replace("torch.", "tinytorch.")


def same(ours, theirs):
    """True if dtype, shape and values are equal."""
    return (
        str(ours.dtype) == f"tiny{theirs.dtype}"
        and tuple(ours.shape) == tuple(theirs.shape)
        and np.allclose(ours.detach().numpy(), theirs.detach().numpy(), rtol=1e-6, equal_nan=True)
    )


def test_random_makers_have_shape_range_and_seed():
    tinytorch.manual_seed(0)
    first = [tinytorch.rand(3), tinytorch.randn(2, 2), tinytorch.randint(0, 10, (50,))]
    tinytorch.manual_seed(0)
    again = [tinytorch.rand(3), tinytorch.randn(2, 2), tinytorch.randint(0, 10, (50,))]
    assert all(a.equal(b) for a, b in zip(first, again, strict=True))
    assert first[2].min().item() >= 0 and first[2].max().item() <= 9
    assert sorted(tinytorch.randperm(5).tolist()) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("dtype", [tinytorch.float32, tinytorch.float64])
def test_many_normal_numbers_are_spread_as_they_should_be(dtype):
    tinytorch.manual_seed(0)
    x = tinytorch.randn(1001, 999, dtype=dtype)  # an odd number of numbers
    assert x.shape == (1001, 999) and x.dtype == dtype
    x, limits = x.double().flatten(), tinytorch.linspace(-3, 3, 13, dtype=tinytorch.float64)
    for limit in limits:  # what lies below: off by at most 4 standard deviations
        below = (1 + tinytorch.erf(limit / 2**0.5)) / 2
        assert abs((x < limit).double().mean() - below) < 4 * (below * (1 - below) / 1e6) ** 0.5
    assert 4.3 < x.abs().max() < 6
    half = len(x) // 2 + 1  # two numbers may come from one draw: neither tells of the other
    for a, b, spread in [
        (x[1:], x[:-1], 1),
        (x[:-half], x[half:], 1),
        (x[:-half] ** 2, x[half:] ** 2, 8**0.5),
    ]:
        assert abs((a * b).mean() - a.mean() * b.mean()) < 4 * spread / len(a) ** 0.5


def test_many_normal_numbers_go_on_from_a_state():
    generator = tinytorch.Generator().manual_seed(3)
    tinytorch.randn(20_000, generator=generator)
    state = generator.get_state()
    drawn = tinytorch.randn(20_001, generator=generator)
    generator.set_state(state)
    assert tinytorch.randn(20_001, generator=generator).equal(drawn)


def test_multinomial_draws_by_weight_from_each_row():
    weights = tensor([[1.0, 0.0, 3.0], [0.0, 2.0, 0.0]])
    drawn = tinytorch.multinomial(weights, 1000, replacement=True)
    counts = [(drawn[0] == i).sum().item() for i in range(3)]
    assert counts[1] == 0 and 200 < counts[0] < 300 and drawn.dtype == tinytorch.int64
    assert (drawn[1] == 1).all()
    assert sorted(tinytorch.ones(3).multinomial(3).tolist()) == [0, 1, 2]


def test_a_generator_is_independent_of_the_default_one():
    g = tinytorch.Generator().manual_seed(1)
    a = tinytorch.randn(3, generator=g)
    tinytorch.randn(3)
    assert tinytorch.randn(3, generator=g.manual_seed(1)).equal(a)


# --- dtypes ---

DTYPES = ["bool", "uint8", "int32", "int64", "float16", "float32", "float64"]


@pytest.mark.parametrize("operation", ["add", "mul", "div", "maximum", "pow", "where", "lt"])
def test_two_dtypes_meet_as_in_pytorch(operation):
    torch = pytest.importorskip("torch")
    for a, b, dims in itertools.product(DTYPES, DTYPES, [(1, 1), (1, 0), (0, 1)]):
        found = []
        for t in (tinytorch, torch):
            x, y = (
                t.ones((2,) * n, dtype=getattr(t, d)) for n, d in zip(dims, (a, b), strict=True)
            )
            arguments = (x == y, x, y) if operation == "where" else (x, y)
            try:
                found.append(str(getattr(t, operation)(*arguments).dtype).rpartition(".")[2])
            except RuntimeError:
                found.append("error")
        assert found[0] == found[1], (a, b, dims)


@pytest.mark.parametrize("number", [True, 2, 2.5])
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_plain_number_raises_the_kind_and_never_the_width(dtype, number):
    torch = pytest.importorskip("torch")
    for operation in ("__add__", "__radd__", "__mul__", "__truediv__", "__rtruediv__"):
        found = [
            getattr(t.ones(2, dtype=getattr(t, dtype)), operation)(number)
            for t in (tinytorch, torch)
        ]
        assert same(*found), operation


@pytest.mark.parametrize("dtype", ["int64", "bool", "float16"])
@pytest.mark.parametrize(
    "name",
    [
        "exp",
        "sqrt",
        "neg",
        "abs",
        "sum",
        "mean",
        "prod",
        "cumsum",
        "max",
        "norm",
        "floor",
        "relu",
        "sign",
    ],
)
def test_operations_on_other_dtypes_agree_with_pytorch(name, dtype):
    torch = pytest.importorskip("torch")
    found = []
    for t in (tinytorch, torch):
        x = t.tensor([1, 0, 1]).to(getattr(t, dtype))
        arguments = (0,) if name == "cumsum" else ()
        try:
            found.append(getattr(x, name)(*arguments))
        except (RuntimeError, TypeError):
            found.append(None)
    assert (found[0] is None and found[1] is None) or found[1] is None or same(*found)


def test_bytes_are_compared_by_value():
    x = tensor([5], dtype=tinytorch.uint8)
    assert (x > -1).item() and (x < 300).item() and not (x == 5 - 256).item()
    assert (x > tensor(-1)).item() and not (x == tensor([261])).item()


def test_a_tensor_of_one_integer_picks_a_view():
    x = tinytorch.zeros(2, 2)
    x[tensor(1)].fill_(5)
    x[np.int64(0), tensor(1)].fill_(7)
    assert x.tolist() == [[0, 7], [5, 5]]


def test_conversions():
    x = tensor([1.7, -1.7])
    assert x.long().tolist() == [1, -1]
    assert x.int().dtype == tinytorch.int32
    assert x.double().dtype == x.to(tinytorch.float64).dtype == tinytorch.float64
    assert x.bool().tolist() == [True, True]
    assert x.to("cpu") is x and x.float() is x


def test_a_conversion_of_what_does_not_fit_comes_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tensor([float("nan")]).long().dtype == tinytorch.int64
        assert tensor([1e38]).half().tolist() == [float("inf")]


def test_conversions_between_floats_are_differentiable():
    x = tensor([1.0, 2.0], requires_grad=True)
    (x.double() * 3).sum().backward()
    assert x.grad.dtype == tinytorch.float32
    assert x.grad.tolist() == [3, 3]


# --- out of the world of tensors ---


def test_numbers_and_lists():
    assert tensor(2.5).item() == float(tensor(2.5)) == 2.5
    assert int(tensor(3)) == 3 and [1, 2][tensor(1)] == 2
    assert tensor([[1, 2]]).tolist() == [[1, 2]]
    assert len(tensor([1, 2])) == 2 and [x.item() for x in tensor([1, 2])] == [1, 2]
    assert 2 in tensor([1, 2]) and 3 not in tensor([1, 2])
    assert f"{tensor(2.5):.2f} {tensor(2.5)} {tensor([2.5])}" == "2.50 2.5 tensor([2.5000])"


def test_numpy_functions_take_tensors():
    assert np.asarray(tensor([1.0])).dtype == np.float32
    assert isinstance(np.exp(tensor([0.0])), Tensor)
    product = np.ones(2) * tensor([1.0, 2.0], dtype=tinytorch.float64)
    assert isinstance(product, Tensor) and product.tolist() == [1, 2]


def test_what_is_no_number_is_unequal_and_has_no_order():
    x = tinytorch.zeros(2)
    assert (x == None) is False and (x != None) is True and (x == "a") is False  # noqa: E711
    with pytest.raises(TypeError, match="NoneType"):
        x < None  # noqa: B015


def test_tensors_are_keys_by_identity():
    x, y = tensor(1.0), tensor(1.0)
    assert {x: "x", y: "y"}[x] == "x"


def test_sizes():
    x = tinytorch.zeros(2, 3)
    assert x.shape == (2, 3) == x.size() and x.size(1) == 3 == x.shape[-1]
    assert (x.shape[1:] + (4,)).numel() == 12 and repr(x.shape[:1]) == "tinytorch.Size([2])"
    assert x.numel() == 6 == x.shape.numel() and x.dim() == x.ndim == 2
    assert x.element_size() == 4 and x.stride() == (3, 1) and x.T.stride() == (1, 3)
    assert x.is_contiguous() and not x.T.is_contiguous()


def test_copies_keep_what_a_leaf_is():
    x = tensor([1.0, 2.0], requires_grad=True)
    for other in (copy.deepcopy(x), pickle.loads(pickle.dumps(x)), copy.copy(x)):
        assert other.tolist() == [1, 2] and other.requires_grad and other.is_leaf
    assert not np.shares_memory(copy.deepcopy(x)._data, x._data)


def test_types_of_results_are_plain_tensors():
    class Named(Tensor):
        pass

    x = Named([1.0], requires_grad=True)
    y = x * 2
    assert type(y) is Tensor
    y.backward()
    assert x.grad.tolist() == [2] and type(x.grad) is Tensor


def test_attributes_of_ones_own():
    x = tensor(1.0)
    x.name = "x"
    assert x.name == "x"


# --- text ---

TEXTS = {
    "floats": lambda t: t.tensor([1.0, 2.5, -3.25]),
    "whole": lambda t: t.tensor([1.0, 200.0]),
    "large": lambda t: t.tensor([1.0, 123456.0, 0.5]),
    "tiny": lambda t: t.tensor([1e-10, 1.0]),
    "inf and nan": lambda t: t.tensor([float("inf"), float("nan"), 1.5, -float("inf")]),
    "integers": lambda t: t.tensor([[1, -20], [300, 4]]),
    "booleans": lambda t: t.tensor([True, False]),
    "number": lambda t: t.tensor(3.14159),
    "very far apart": lambda t: t.tensor([1e200, 1e-200, 5.0], dtype=t.float64),
    "double": lambda t: t.tensor([1.5], dtype=t.float64),
    "int32": lambda t: t.tensor([1], dtype=t.int32),
    "requires_grad": lambda t: t.tensor([1.0], requires_grad=True),
    "grad_fn": lambda t: t.tensor([1.0], requires_grad=True) * 2,
    "cube": lambda t: t.arange(8.0).reshape(2, 2, 2),
    "long": lambda t: t.arange(2000),
    "wide": lambda t: t.arange(60.0) / 7,
    "long matrix": lambda t: t.arange(10000.0).reshape(100, 100),
    "empty": lambda t: t.zeros(0),
    "empty matrix": lambda t: t.zeros(2, 0),
    "zeros": lambda t: t.zeros(2, 2),
    "infinity": lambda t: t.tensor([float("inf"), float("nan"), 1.0]),
    "the largest and where": lambda t: t.tensor([[1.0, 2.0], [4.0, 3.0]]).max(dim=1),
    "in order": lambda t: t.tensor([2, 1]).sort(),
    "the first of none": lambda t: t.zeros(2, 0).argmin(0),
    "minus zeros": lambda t: t.tensor([[0.0, -0.0] * 13, [-0.0, 0.0] * 13]),
    "a minus zero": lambda t: t.tensor([2.5, -0.0, float("-inf")]),
    "a long row of large numbers": lambda t: t.arange(3000.0).reshape(2, 1500) * 1e9,
    "a long middle": lambda t: t.arange(2400).reshape(2, 600, 2),
    "a long tail": lambda t: t.arange(1400).reshape(7, 2, 100) % 7 - 3,
    "nothing finite": lambda t: t.tensor([-float("inf"), float("nan")]),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_tensor_prints_as_in_pytorch(name):
    torch = pytest.importorskip("torch")
    assert repr(TEXTS[name](tinytorch)) == repr(TEXTS[name](torch)).replace("torch.", "tinytorch.")


@pytest.mark.filterwarnings("error")
def test_numbers_far_apart_print_without_a_warning():
    text = "tensor([1.0000e+200, 1.0000e-200], dtype=tinytorch.float64)"
    assert repr(tinytorch.tensor([1e200, 1e-200], dtype=tinytorch.float64)) == text


def test_several_whole_numbers_are_sizes_to_the_constructor_and_all_else_is_data():
    assert Tensor(2, 3).shape == (2, 3) and Tensor(2).tolist() == 2
    assert Tensor([2, 3]).tolist() == [2, 3] and Tensor(2.0).tolist() == 2
    with pytest.raises(ValueError, match="too many values"):
        Tensor([2.0], [3.0])


@pytest.mark.parametrize("place", ["cuda", "accelerator", "backends.mps"])
def test_a_program_that_asks_for_another_device_stays_on_the_cpu(place):
    place = attrgetter(place)(tinytorch)
    device = tinytorch.device("cuda" if place.is_available() else "cpu")
    assert tinytorch.ones(1).to(device).device == "cpu"


def test_there_is_no_accelerator():
    assert tinytorch.accelerator.current_accelerator(check_available=True) is None
