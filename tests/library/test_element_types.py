"""The dtypes as users meet them: as PyTorch's say it, and NumPy takes them."""

import copy
import pickle

import numpy as np
import pytest

import tinytorch

NAMES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"]
torch_names = pytest.mark.parametrize("name", NAMES)


@torch_names
def test_a_dtype_says_what_pytorch_s_says(name):
    torch = pytest.importorskip("torch")
    ours, theirs = getattr(tinytorch, name), getattr(torch, name)
    for question in ("is_floating_point", "is_complex", "is_signed", "itemsize"):
        assert getattr(ours, question) == getattr(theirs, question), question
    assert repr(ours) == str(ours) == f"tiny{theirs}"


@torch_names
def test_a_dtype_and_that_of_numpy_are_equal_and_do_the_same(name):
    ours, own = getattr(tinytorch, name), np.dtype(name)
    assert ours == own and own == ours and ours == own.type and hash(ours) == hash(own)
    assert np.zeros(2, ours).dtype == own and np.ones(2).astype(ours).dtype == own
    assert tinytorch.zeros(2, dtype=own).dtype is ours
    assert tinytorch.zeros(2, dtype=ours).numpy().dtype == own


def test_a_dtype_is_one_object():
    x = tinytorch.ones(2)
    assert x.dtype is tinytorch.float32 is tinytorch.float is x.double().float().dtype
    assert isinstance(x.dtype, tinytorch.dtype)
    assert copy.deepcopy(x.dtype) is pickle.loads(pickle.dumps(x.dtype)) is tinytorch.float32
    assert x.dtype not in (tinytorch.float64, None, "no dtype", 3)


def test_formats_of_memory_change_nothing():
    x = tinytorch.ones(1, 2, 2, 2)
    for name in ("contiguous_format", "channels_last", "preserve_format"):
        settings = {"memory_format": getattr(tinytorch, name)}
        assert x.to(**settings) is x.contiguous(**settings) is x
        assert x.clone(**settings).shape == tinytorch.zeros_like(x, **settings).shape == x.shape


def test_arrays_that_were_pickled_are_like_others():
    array = pickle.loads(pickle.dumps(np.ones((2, 2), np.float32)))
    assert array.dtype is not np.dtype("float32")  # equal, and another object
    x = tinytorch.from_numpy(array).requires_grad_()
    y = x @ tinytorch.ones(2, 2) * 2.0 + tinytorch.ones(2, 2)
    y.sum().backward()
    assert y.tolist() == [[5.0, 5.0], [5.0, 5.0]] and x.grad.tolist() == [[4.0, 4.0], [4.0, 4.0]]
    half = tinytorch.tensor(pickle.loads(pickle.dumps(np.ones(1, np.float16))))
    assert (half * 1e6 / 1e6).tolist() == (tinytorch.ones(1).half() * 1e6 / 1e6).tolist()


@pytest.mark.parametrize("make", [tinytorch.tensor, tinytorch.from_numpy, tinytorch.as_tensor])
def test_numbers_in_another_byte_order_are_refused(make):
    other = np.ones(2, np.float32).astype(np.dtype(np.float32).newbyteorder("S"))
    with pytest.raises(ValueError, match=r"another byte order, .*: use .astype\('float32'\)"):
        make(other)
