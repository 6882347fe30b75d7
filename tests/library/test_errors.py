"""Misuse: the exception that PyTorch raises, in one line that says what to do."""

from importlib import import_module

import numpy as np
import pytest

import tinytorch

MISUSES = {
    "shapes that do not broadcast": (lambda t: t.ones(2, 3) + t.ones(4), "do not broadcast"),
    "matmul of shapes that do not fit": (lambda t: t.ones(2, 3) @ t.ones(2, 3), "do not fit"),
    "matmul of two dtypes": (lambda t: t.ones(2, 2) @ t.ones(2, 2, dtype=t.float64), "dtype"),
    "matmul of a number": (lambda t: t.ones(2) @ t.tensor(1.0), "1 dimension"),
    "backward of several numbers": (
        lambda t: (t.ones(2, requires_grad=True) * 2).backward(),
        r"shape \(2,\).*sum",
    ),
    "backward without history": (lambda t: t.ones(2).sum().backward(), "require"),
    "upstream gradient of another shape": (
        lambda t: (t.ones(2, requires_grad=True) * 2).backward(t.ones(3)),
        r"\(3,\).*\(2,\)",
    ),
    "a flag that is a size": (lambda t: t.ones(2).requires_grad_("yes"), "bool"),
    "index into a number": (lambda t: t.tensor(2.0)[0], r"item\(\)"),
    "item of several": (lambda t: t.ones(2).item(), "one element"),
    "truth of several": (lambda t: bool(t.ones(2)), "ambiguous"),
    "numpy of what requires grad": (lambda t: t.ones(2, requires_grad=True).numpy(), "detach"),
    "gradients for integers": (lambda t: t.tensor([1, 2]).requires_grad_(), "floating"),
    "reshape to another count": (lambda t: t.ones(6).reshape(4), "6 elements"),
    "view as a dtype that does not fit": (lambda t: t.ones(3).view(t.float64), "float64|Double"),
    "view that would copy": (lambda t: t.ones(2, 3).t().view(6), "reshape"),
    "expand of a length": (lambda t: t.ones(3).expand(4), "expanded"),
    "a dim that is not there": (lambda t: t.ones(2).sum(dim=1), "dim 1"),
    "a dim twice": (lambda t: t.ones(2, 2).sum(dim=(0, -2)), "twice"),
    "permute of too few": (lambda t: t.ones(2, 2).permute(0), "permute"),
    "mean of integers": (lambda t: t.tensor([1, 2]).mean(), "float"),
    "cat of other lengths": (lambda t: t.cat([t.ones(2, 2), t.ones(2, 3)]), "equal"),
    "cat of nothing": (lambda t: t.cat([]), "one or more"),
    "cat of numbers": (lambda t: t.cat([t.tensor(1.0)]), "stack"),
    "stack of other shapes": (lambda t: t.stack([t.ones(2), t.ones(3)]), "equal"),
    "split of other sizes": (lambda t: t.ones(5).split([2, 2]), "add up"),
    "an index outside": (lambda t: t.ones(3)[3], "3"),
    "an index of floats": (lambda t: t.ones(3)[t.ones(1)], "float32"),
    "too many indices": (lambda t: t.ones(3)[0, 0], "ind"),
    "a slice with negative step": (lambda t: t.ones(3)[::-1], "flip"),
    "gather outside": (lambda t: t.ones(2).gather(0, t.tensor([2])), "out of range"),
    "gather of other dimensions": (lambda t: t.ones(2).gather(0, t.tensor([[0]])), "dimensions"),
    "gather for more than there is": (
        lambda t: t.ones(1, 2).gather(1, t.zeros(2, 1, dtype=t.int64)),
        "larger",
    ),
    "topk of too many": (lambda t: t.ones(3).topk(4), "4"),
    "argmax of nothing": (lambda t: t.ones(0).argmax(), "no elements"),
    "the largest along nothing": (lambda t: t.ones(2, 0).amax(1), "no elements"),
    "the largest of a list": (lambda t: t.amax([1.0]), "list"),
    "max of nothing": (lambda t: t.ones(0).max(), "no elements"),
    "masked_fill without booleans": (lambda t: t.ones(2).masked_fill(t.ones(2), 0), "bool"),
    "a string": (lambda t: t.tensor("a"), "str"),
    "a number too large for the dtype": (lambda t: t.tensor([300], dtype=t.uint8), "uint8"),
    "no number as an integer": (lambda t: t.tensor(float("nan"), dtype=t.int64), "int64"),
    "integers as data of a parameter": (
        lambda t: setattr(t.ones(1, requires_grad=True), "data", t.tensor([1])),
        "int64",
    ),
    "drawing more than there is": (lambda t: t.ones(2).multinomial(3), "multinomial"),
    "drawing by negative weights": (lambda t: t.tensor([1.0, -2.0]).multinomial(1), "multinomial"),
    "a product of vectors that are matrices": (lambda t: t.outer(t.ones(2, 2), t.ones(2)), "outer"),
    "a product of matrices that are vectors": (lambda t: t.mm(t.ones(2), t.ones(2, 2)), "mm.*2"),
    "a batch without batches": (lambda t: t.ones(2, 2).bmm(t.ones(2, 2)), "bmm.*3"),
    "a vector that is a matrix": (lambda t: t.mv(t.ones(2, 2), t.ones(2, 2)), "mv.*1"),
    "a letter of two lengths": (lambda t: t.einsum("ii->i", t.ones(2, 3)), "two lengths"),
    "a condition of numbers": (lambda t: t.where(t.tensor([1, 0]), 1.0, 2.0), "booleans"),
    "selecting without booleans": (lambda t: t.ones(2).masked_select(t.tensor([1, 0])), "bool"),
    "narrow beyond the end": (lambda t: t.ones(3).narrow(0, 1, 5), "within 3"),
    "fewer values than places": (
        lambda t: t.zeros(2, 2).scatter_add(0, t.tensor([[0, 0]]), t.ones(1, 1)),
        "smaller",
    ),
    "repeated less than never": (lambda t: t.ones(2).repeat(-1), "-1"),
    "gradients for no inputs": (
        lambda t: t.autograd.grad(t.ones(1, requires_grad=True).sum(), []),
        "inputs",
    ),
    "a check of no gradient": (lambda t: t.autograd.gradcheck(t.exp, t.ones(1)), "requires? grad"),
    "a ragged list": (lambda t: t.tensor([[1.0], [1.0, 2.0]]), "equal lengths"),
    "adding a string": (lambda t: t.ones(1) + "a", "str"),
    "adding None": (lambda t: t.ones(1) + None, "NoneType"),
    "len of a number": (lambda t: len(t.tensor(1.0)), "0-d"),
    "iterating over a number": (lambda t: list(t.tensor(1.0)), "0-d"),
    "minus of booleans": (lambda t: t.tensor([True]) - t.tensor([True]), "bool"),
    "a sum of an array": (lambda t: t.sum(t.ones(2).numpy()), "Tensor.*ndarray"),
    "taking along fewer dimensions": (
        lambda t: t.take_along_dim(t.ones(2, 3), t.tensor([0]), 1),
        "dimensions",
    ),
    "a negative of booleans": (lambda t: -t.tensor([True]), "~"),
    "a choice of what does not fit": (
        lambda t: t.where(t.tensor(True), 300, t.ones(1, dtype=t.uint8)),
        "300|overflow",
    ),
    "a power that does not fit": (lambda t: t.ones(1, dtype=t.uint8) ** 300, "300|overflow"),
    "clamp to nothing": (lambda t: t.ones(1).clamp(), "min"),
    "close to another dtype": (lambda t: t.isclose(t.ones(1), t.tensor([1])), "float32.*int64"),
    "close to another shape": (lambda t: t.allclose(t.ones(2), t.ones(3)), "broadcast"),
    "rounding to nowhere": (lambda t: t.ones(1).div(2, rounding_mode="up"), "'up'"),
    "a dim that is a flag": (lambda t: t.ones(2, 2).sum(True), "True|bool"),
    "a dim of a number": (lambda t: t.tensor(1.0).softmax(1), "dim 1|got 1"),
    "order along no dim": (lambda t: t.tensor(1.0).sort(1), "dim 1|got 1"),
    "flattening from nowhere": (lambda t: t.tensor(1.0).flatten(1), "dim 1|got 1"),
    "gather along nowhere": (lambda t: t.tensor(1.0).gather(1, t.tensor(0)), "dim 1|got 1"),
    "splitting a number": (lambda t: t.tensor(1.0).split(1), "dim"),
    "cutting a number": (lambda t: t.tensor(1.0).chunk(1), "dim"),
    "a part of a number": (lambda t: t.tensor(1.0).narrow(0, 0, 1), "dim"),
    "a diagonal of a batch": (lambda t: t.diag(t.ones(1, 1, 1)), "3"),
    "a triangle of a vector": (lambda t: t.ones(2).tril(), "2 dimensions"),
    "moving to fewer places": (lambda t: t.ones(2, 2).movedim((0, 1), (0,)), "2 dim"),
    "more shifts than dims": (lambda t: t.ones(2).roll((1, 2), 0), "2"),
    "rolling along no dim": (lambda t: t.ones(2).roll(1, 1), "dim 1|got 1"),
    "repeating less than never": (lambda t: t.ones(2).repeat_interleave(-1), "at least 0|negative"),
    "counts of other elements": (
        lambda t: t.ones(3).repeat_interleave(t.tensor([1, 2])),
        "each of 3|same size",
    ),
    "adding more than there are places": (
        lambda t: t.ones(2, 2).index_add(0, t.tensor([0]), t.ones(2, 2)),
        "does not fit|equal",
    ),
    "adding where there is no place": (
        lambda t: t.zeros(2, 2).index_add(0, t.tensor([2]), t.ones(1, 2)),
        "out of (range|bounds)",
    ),
    "adding at a place counted from the end": (
        lambda t: t.zeros(2, 2).index_add(0, t.tensor([-1]), t.ones(1, 2)),
        "out of (range|bounds)",
    ),
    "adding at no whole place": (
        lambda t: t.zeros(2, 2).index_add(0, t.tensor([0.0]), t.ones(1, 2)),
        "index.*(float32|Float)",
    ),
    "selecting by a mask": (
        lambda t: t.ones(2).index_select(0, t.tensor([True, False])),
        "index",
    ),
    "selecting from the end": (
        lambda t: t.ones(2, 2).index_select(1, t.tensor([-1])),
        "out of (range|DATA)",
    ),
    "filling with a row": (lambda t: t.ones(2).masked_fill(t.ones(2) > 0, t.ones(2)), "one|0-dim"),
    "filling bytes with too much": (lambda t: t.full((2,), 300, dtype=t.uint8), "300|overflow"),
    "no number around integers": (
        lambda t: import_module(f"{t.__name__}.nn.functional").pad(
            t.tensor([1]), (1, 1), value=float("nan")
        ),
        "nan|overflow",
    ),
    "an element of another shape": (lambda t: t.ones(2) in t.ones(3), "broadcast|match"),
    "writing too much into bytes": (
        lambda t: t.zeros(2, dtype=t.uint8).__setitem__(0, 2**40),
        "1099511627776|overflow",
    ),
    "filling integers with infinity": (
        lambda t: t.zeros(2, dtype=t.int64).fill_(float("inf")),
        "inf|overflow",
    ),
    "writing a table where a mask is": (
        lambda t: t.zeros(2).__setitem__(t.tensor([True, False]), t.ones(2, 3)),
        r"\(2, 3\)|\[2, 3\]",
    ),
    "a mask of no common shape": (
        lambda t: t.ones(3).masked_select(t.ones(2) > 0),
        "broadcast|match",
    ),
    "a leaf in place": (lambda t: t.ones(1, requires_grad=True).add_(1), "leaf"),
    "an empty leaf in place": (lambda t: t.ones(0, requires_grad=True).add_(1), "leaf"),
    "a leaf that should not require grad": (
        lambda t: (t.ones(1, requires_grad=True) * 2).requires_grad_(False),
        "detach",
    ),
    "einsum of other shapes": (
        lambda t: t.einsum("ij,jk->ik", t.ones(2, 3), t.ones(2, 3)),
        "einsum",
    ),
    "einsum of other counts": (lambda t: t.einsum("ij,jk->ik", t.ones(2, 3)), "operands"),
    "a negative power of integers": (lambda t: t.tensor([2]) ** -1, "-1"),
    "arange that leads away": (lambda t: t.arange(3, 0), "away"),
    "a hook without gradient": (lambda t: t.ones(1).register_hook(print), "requires grad"),
    "from_numpy of a list": (lambda t: t.from_numpy([1.0]), "list"),
    "whole steps of 0": (lambda t: t.tensor([1]) // 0, "by 0|Zero"),
    "what is left of steps of 0": (lambda t: t.tensor([1]) % t.tensor([0]), "by 0|Zero"),
    "negative lengths": (lambda t: t.empty(-1), "negative dimension -1"),
    "negative lengths in a tuple": (lambda t: t.rand((2, -3)), "negative dimension -3"),
    "a negative length beside the open one": (lambda t: t.ones(6).reshape(-2, 3), "-2, 3"),
    "a shape that is a word": (lambda t: t.ones(6).reshape("a"), "'a'"),
    "a dim that is no integer": (lambda t: t.ones(2).argmax(0.5), "0.5"),
    "a dim that is a word": (lambda t: t.ones(2).sum("x"), "'x'"),
    "like a list": (lambda t: t.zeros_like([1.0]), "list"),
    "an array as data": (lambda t: setattr(t.ones(2), "data", np.ones(2)), "ndarray"),
    "a grad of another dtype": (
        lambda t: setattr(t.ones(2), "grad", t.ones(2, dtype=t.float64)),
        "float64",
    ),
    "a number of several": (lambda t: int(t.ones(2)), "one element"),
    "an index of several": (lambda t: [1, 2][t.tensor([0, 1])], "one integer"),
    "a format of several": (lambda t: f"{t.ones(2):.2f}", "format"),
    "filling with several": (lambda t: t.full((2,), t.tensor([1, 2])), "one number"),
    "random integers from nowhere": (lambda t: t.randint(5, 1, (2,)), "from 5 up to 1"),
    "random integers between fractions": (lambda t: t.randint(0, 2.5, (2,)), "2.5|float"),
    "a number too large for all": (lambda t: t.tensor([2**63]), "9223372036854775808|Overflow"),
    "random floats as integers": (lambda t: t.randn(2, dtype=t.int64), "int64"),
    "arange without end": (lambda t: t.arange(float("inf")), "inf"),
    "a device that is not there": (lambda t: t.zeros(1).to("cuda"), "cpu"),
    "making on a device that is not there": (lambda t: t.randn(2, device="cuda"), "cpu"),
    "quantile of integers": (lambda t: t.ones(3, dtype=t.int32).quantile(0.5), "float"),
    "quantile of nothing": (lambda t: t.ones(0).quantile(0.5), "number|non-empty"),
    "bincount with a table of weights": (
        lambda t: t.bincount(t.tensor([1, 0]), t.ones(2, 2)),
        "weight|1-d",
    ),
    "repeats from a table": (lambda t: t.repeat_interleave(t.ones(2, 2).int()), "vector|1D"),
    "histc of no bin": (lambda t: t.histc(t.ones(3), 0), "bin"),
    "huber_loss of no width": (
        lambda t: t.nn.functional.huber_loss(t.ones(2), t.ones(2), delta=0.0),
        "delta",
    ),
    "variances of another shape": (
        lambda t: t.nn.functional.gaussian_nll_loss(*[t.ones(3, 5)] * 2, t.ones(3, 3)),
        "var",
    ),
    "a sequence of no steps": (lambda t: t.nn.GRU(3, 4)(t.ones(0, 2, 3)), "sequence"),
    "flip of no dimension": (lambda t: t.ones(3).flip(), "dim"),
    "flipud of a number": (lambda t: t.flipud(t.tensor(1)), "1"),
    "vander of less than nothing": (lambda t: t.vander(t.ones(2), N=-1), "N"),
    "hsplit into unequal pieces": (lambda t: t.ones(4).hsplit(3), "3"),
    "vsplit of a vector": (lambda t: t.ones(4).vsplit(2), "2"),
    "meshgrid of a matrix": (lambda t: t.meshgrid(t.ones(2, 2), indexing="ij"), "vectors|1D"),
    "meshgrid of two dtypes": (
        lambda t: t.meshgrid(t.ones(2), t.ones(2, dtype=t.float64), indexing="ij"),
        "dtype",
    ),
    "addcdiv of integers": (lambda t: t.addcdiv(t.ones(2), *[t.ones(2).int()] * 2), "int32"),
    "as_strided backwards": (lambda t: t.ones(3).as_strided((1,), (-1,)), "-1"),
    "uniform_ beyond the dtype": (lambda t: t.ones(3).uniform_(0, 1e39), "float32"),
    "normal of a negative spread": (lambda t: t.normal(t.ones(2), -t.ones(2)), "at least 0"),
    "narrow from a float": (lambda t: t.ones(3).narrow(0, t.tensor(1.0), 1), "integ"),
    "lerp of two dtypes": (lambda t: t.lerp(t.ones(2), t.ones(2).double(), 0.5), "dtype"),
    "a broken alpha of integers": (lambda t: t.add(t.ones(2).int(), 1, alpha=1.5), "alpha"),
    "take_along_dim of int32": (
        lambda t: t.take_along_dim(t.ones(2), t.zeros(2, dtype=t.int32), 0),
        "int64|Long",
    ),
    "softshrink to beyond": (lambda t: t.nn.functional.softshrink(t.ones(2), -1), "-1"),
    "one_hot of nothing": (
        lambda t: t.nn.functional.one_hot(t.ones(4, 0, dtype=t.int64)),
        "classes",
    ),
    "cosine_embedding_loss of a matrix of targets": (
        lambda t: t.nn.functional.cosine_embedding_loss(*[t.ones(5, 3)] * 2, t.ones(5, 1)),
        "target",
    ),
    "triplet_margin_loss of other dimensions": (
        lambda t: t.nn.functional.triplet_margin_loss(*[t.ones(5, 3)] * 2, t.ones(3)),
        "dimensions",
    ),
    "group_norm of single numbers": (lambda t: t.nn.functional.group_norm(t.ones(1, 4), 4), "1"),
    "unfold without channels": (lambda t: t.nn.functional.unfold(t.ones(3, 0, 3, 4), 2), "3"),
    "a gain for no slope": (lambda t: t.nn.init.calculate_gain("leaky_relu", True), "True"),
    "a state of another batch": (
        lambda t: t.nn.GRUCell(3, 4)(t.ones(2, 3), t.ones(1, 4)),
        "2",
    ),
    "a place that no Sequential has": (
        lambda t: t.nn.Sequential(t.nn.ReLU()).insert(-5, t.nn.ReLU()),
        "-5",
    ),
}


@pytest.mark.parametrize("name", MISUSES)
def test_the_message_is_one_line_that_says_what_came(name):
    misuse, words = MISUSES[name]
    with pytest.raises(Exception, match=words) as caught:
        misuse(tinytorch)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", [name for name in MISUSES if "device" not in name])
def test_the_exception_is_the_one_of_pytorch(name):
    torch = pytest.importorskip("torch")
    misuse, _ = MISUSES[name]
    found = []
    for t in (tinytorch, torch):
        with pytest.raises(Exception) as caught:  # noqa: B017
            misuse(t)
        found.append(caught.type)
    assert issubclass(found[0], found[1]) or issubclass(found[1], found[0])


OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>"]
REFLECTED = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"]
REFLECTED += ["and", "or", "xor", "lshift", "rshift"]
Price = type("Price", (), {f"__r{name}__": lambda self, tensor: "a price" for name in REFLECTED})


def an_operator_beside(thing, expression, library=tinytorch):
    names = {"x": library.tensor([2, 3]), "thing": thing}
    exec(expression, names)
    return names


@pytest.mark.parametrize("sign", OPERATORS)
def test_an_operator_asks_the_other_class_before_it_gives_up(sign):
    assert an_operator_beside(Price(), f"y = x {sign} thing")["y"] == "a price"
    assert an_operator_beside(Price(), f"x {sign}= thing")["x"] == "a price"
    for expression in (f"x {sign} thing", f"thing {sign} x", f"x {sign}= thing"):
        with pytest.raises(TypeError, match="unsupported operand.*Tensor") as caught:
            an_operator_beside(object(), expression)
        assert "'object'" in str(caught.value)


@pytest.mark.parametrize("sign", OPERATORS)
def test_the_operators_of_pytorch_ask_as_well(sign):
    torch = pytest.importorskip("torch")
    assert an_operator_beside(Price(), f"y = x {sign} thing", torch)["y"] == "a price"
    assert an_operator_beside(Price(), f"x {sign}= thing", torch)["x"] == "a price"


NO_TENSORS = {
    "the first input": lambda t: t.flatten([1, 2]),
    "the second": lambda t: t.dot(t.ones(2), [1, 2]),
    "an index": lambda t: t.ones(2).gather(0, 1),
    "one of a list": lambda t: t.stack([t.ones(2), 1.0]),
    "a list": lambda t: t.cat(t.ones(2)),
    "an operand": lambda t: t.einsum("i->", "a"),
    "what is compared": lambda t: t.allclose(t.ones(2), 1),
    "a generator": lambda t: t.rand(2, generator=1),
}


@pytest.mark.parametrize("name", NO_TENSORS)
def test_what_is_no_tensor_is_named_as_such(name):
    with pytest.raises(TypeError, match="Tensor|tensors|Generator"):
        NO_TENSORS[name](tinytorch)


@pytest.mark.parametrize("name", NO_TENSORS)
def test_pytorch_names_what_is_no_tensor_too(name):
    torch = pytest.importorskip("torch")
    with pytest.raises(TypeError):
        NO_TENSORS[name](torch)
