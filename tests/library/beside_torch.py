"""The same thing done by tinytorch and by PyTorch, and the two compared."""

import warnings

import numpy as np
import pytest

import tinytorch
from tinytorch import nn


def numbers(*shape, seed=0, dtype="float32"):
    """Random numbers, the same at each call."""
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def leaves(library, arrays):
    """A tensor of `library` for each array; floats require grad."""
    return [library.tensor(a, requires_grad=a.dtype.kind == "f") for a in map(np.asarray, arrays)]


def assert_same(ours, theirs, what, tolerance=1e-5):
    assert str(ours.dtype) == f"tiny{theirs.dtype}", what
    ours, theirs = ours.detach().numpy(), theirs.detach().numpy()
    np.testing.assert_allclose(ours, theirs, tolerance, tolerance, err_msg=what)


def result_and_gradients(library, function, arrays):
    tensors = leaves(library, arrays)
    result = function(library, *tensors)
    upstream = library.tensor(numbers(*result.shape, seed=1, dtype=arrays[0].dtype))
    result.backward(upstream)
    return result, [tensor.grad for tensor in tensors if tensor.requires_grad]


def same_as_torch(function, *arrays, tolerance=1e-5):
    """Result and gradients of `function(library, *tensors)` are the same in both libraries."""
    torch = pytest.importorskip("torch")
    ours, our_grads = result_and_gradients(tinytorch, function, arrays)
    theirs, their_grads = result_and_gradients(torch, function, arrays)
    assert_same(ours, theirs, "result", tolerance)
    for number, (grad, expected) in enumerate(zip(our_grads, their_grads, strict=True)):
        assert_same(grad, expected, f"gradient of input {number}", tolerance)


def call(t, module, *inputs):
    return module(*inputs)


def same_module_as_torch(build, *arrays, run=call, tolerance=1e-5):
    """Two modules with one state agree in repr, result, gradients and the state afterwards."""
    torch = pytest.importorskip("torch")
    ours, theirs = build(nn), build(torch.nn)
    assert repr(ours) == repr(theirs).replace("NonDynamicallyQuantizable", "")
    state = {name: tinytorch.tensor(t.numpy()) for name, t in theirs.state_dict().items()}
    ours.load_state_dict(state)
    modules = {tinytorch: ours, torch: theirs}
    same_as_torch(lambda t, *x: run(t, modules[t], *x), *arrays, tolerance=tolerance)
    expected = dict(theirs.named_parameters())
    assert set(expected) == {name for name, _ in ours.named_parameters()}
    for name, param in ours.named_parameters():
        assert_same(param.grad, expected[name].grad, f"gradient of {name}", tolerance)
    for name, tensor in ours.state_dict().items():
        assert_same(tensor, theirs.state_dict()[name], f"{name} afterwards", tolerance)


def proven(function, *arrays):
    """gradcheck and gradgradcheck of `function(*tensors)` in float64."""
    tensors = leaves(tinytorch, [a.astype("float64") if a.dtype.kind == "f" else a for a in arrays])
    assert tinytorch.gradcheck(function, tensors)
    assert tinytorch.gradgradcheck(function, tensors)


# --- programs: functions of the library that return lists and numbers ---


def programs_in(names):
    """The functions that a test file defines, all of them programs, from its globals()."""
    own = [f for f in names.values() if getattr(f, "__module__", "") == names["__name__"]]
    return [
        f
        for f in own
        if callable(f) and not isinstance(f, type) and not f.__name__.startswith(("_", "test_"))
    ]


def answer(library, program):
    """What a program gives; of an error its type."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return program(library)
    except Exception as error:
        return type(error)


def plain(value):
    """Tensors as lists, in tuples, lists and dictionaries; dtypes and shapes as text."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if hasattr(value, "tolist"):
        return [str(value.dtype).rpartition(".")[2], plain(value.tolist())]
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return value


def assert_close(ours, theirs, tolerance=1e-5):
    if isinstance(theirs, dict):
        assert list(ours) == list(theirs)
        ours, theirs = list(ours.values()), list(theirs.values())
    if isinstance(theirs, list):
        assert isinstance(ours, list) and len(ours) == len(theirs), (ours, theirs)
        for mine, other in zip(ours, theirs, strict=True):
            assert_close(mine, other, tolerance)
    elif isinstance(theirs, float):
        assert ours == pytest.approx(theirs, rel=tolerance, abs=tolerance, nan_ok=True)
    else:
        assert ours == theirs


def since(version):
    """Compare this program with PyTorch of this version on; an older one answers otherwise."""

    def noted(program):
        program.since = version
        return program

    return noted


def same_answer(program, tolerance=1e-5):
    """A program gives the same in both libraries, numbers up to rounding; of errors the type."""
    torch = pytest.importorskip("torch", minversion=getattr(program, "since", None))
    assert_close(plain(answer(tinytorch, program)), plain(answer(torch, program)), tolerance)
