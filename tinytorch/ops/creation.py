"""Making tensors: from data, or filled with values."""

import math

import numpy as np

from tinytorch import dtypes
from tinytorch.devices import check_device
from tinytorch.ops.dims import as_sizes
from tinytorch.ops.out import with_out
from tinytorch.tensor import Tensor, array_of, check_tensors, method, wrap


def finished(array, dtype=None, device=None, requires_grad=False):
    """A new leaf around `array`, in `dtype` if one is given."""
    if device is not None:
        check_device(device)
    tensor = wrap(array if dtype is None else array.astype(dtypes.dtype_of(dtype), copy=False))
    return tensor.requires_grad_() if requires_grad else tensor


def new_shape(sizes):
    """The shape from `f(2, 3)` or `f((2, 3))`; RuntimeError for a negative length."""
    shape = as_sizes(sizes)
    if min(shape, default=0) < 0:
        raise RuntimeError(f"a tensor cannot have the negative dimension {min(shape)} of {shape}")
    return shape


def made(make, sizes, dtype, device, requires_grad):
    """A new leaf around `make(shape, dtype)`."""
    array = make(new_shape(sizes), dtypes.dtype_of(dtype or dtypes.USUAL["f"]))
    return finished(array, None, device, requires_grad)


def tensor(data, *, dtype=None, device=None, requires_grad=False):
    """A new tensor with a copy of `data`: numbers, nested lists, an array or a tensor.

    Python floats become float32, integers int64, booleans bool; arrays keep their dtype.

    >>> tensor([[1, 2], [3, 4]])
    tensor([[1, 2],
            [3, 4]])
    """
    return finished(np.array(array_of(data, dtype), order="C"), None, device, requires_grad)


def as_tensor(data, dtype=None, device=None):
    """Like tensor(), but without a copy where none is needed."""
    if isinstance(data, Tensor):
        return data.to(dtype, device=device)
    return finished(array_of(data, dtype), None, device)


def from_numpy(ndarray):
    """A tensor that shares the memory of an array."""
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"from_numpy() needs a NumPy array, got {type(ndarray).__name__}")
    return wrap(array_of(ndarray))


@with_out
def zeros(*sizes, size=(), dtype=None, device=None, requires_grad=False):
    """A tensor of zeros.

    >>> zeros(2, 3)
    tensor([[0., 0., 0.],
            [0., 0., 0.]])
    """
    return made(np.zeros, sizes or (size,), dtype, device, requires_grad)


@with_out
def ones(*sizes, size=(), dtype=None, device=None, requires_grad=False):
    """A tensor of ones."""
    return made(np.ones, sizes or (size,), dtype, device, requires_grad)


def empty(*sizes, size=(), dtype=None, device=None, requires_grad=False):
    """A tensor whose elements are whatever the memory held."""
    return made(np.empty, sizes or (size,), dtype, device, requires_grad)


def full(size, fill_value, *, dtype=None, device=None, requires_grad=False):
    """A tensor filled with the number `fill_value`, in its dtype by default."""
    value = array_of(fill_value)
    if value.ndim:
        raise TypeError(f"full() fills with one number, got shape {value.shape}")
    array = np.full(new_shape((size,)), array_of(value.item(), dtype))
    return finished(array, None, device, requires_grad)


def like(make):
    """The function that makes what `make` makes, in the shape of a tensor."""

    def make_like(input, *args, dtype=None, memory_format=None, **settings):
        check_tensors(name, input=input)
        return make(input.shape, *args, dtype=dtype or input.dtype, **settings)

    name = make_like.__name__ = make_like.__qualname__ = f"{make.__name__}_like"
    make_like.__doc__ = (
        f"{make.__name__}() in the shape of the tensor `input`, and in its dtype by default.\n\n"
        f"    All that comes after `input` is what {make.__name__}() takes after its size."
    )
    return make_like


zeros_like = like(zeros)
ones_like = like(ones)
empty_like = like(empty)
full_like = like(full)


def new(make):
    """The method that makes what `make` makes, by default in the dtype of the tensor."""

    def make_new(input, *args, dtype=None, **settings):
        return make(*args, dtype=dtype or input.dtype, **settings)

    doc = f"{make.__name__}(), by default in the dtype of this tensor."
    return method(f"new_{make.__name__}", doc=doc)(make_new)


for _make in (tensor, zeros, ones, empty, full):
    new(_make)


@with_out
def arange(start=0, end=None, step=1, *, dtype=None, device=None, requires_grad=False):
    """The numbers from `start` up to but not including `end`.

    >>> arange(2, 8, 3)
    tensor([2, 5])
    """
    start, end = (0, start) if end is None else (start, end)
    start, end, step = numbers_of(start, end, step)
    if step == 0:
        raise RuntimeError("arange: step must not be 0")
    if not math.isfinite(end - start):
        raise RuntimeError(f"arange: there is no last number from {start} to {end}")
    if (end - start) / step < 0:
        raise RuntimeError(f"arange: step {step} leads away from {end}, starting at {start}")
    array = np.arange(start, end, step)
    dtype = dtype or (dtypes.USUAL["f"] if array.dtype.kind == "f" else dtypes.int64)
    if is_whole(dtype):  # then the first number and the step are whole, too
        array = int(start) + int(step) * np.arange(len(array))
    return finished(array, dtype, device, requires_grad)


def is_whole(dtype):
    """True for a dtype of integers."""
    return dtype is not None and dtypes.dtype_of(dtype).kind in "iu"


def numbers_of(*values):
    """The values, with plain numbers in the place of 0-d tensors."""
    return [value.item() if isinstance(value, Tensor) else value for value in values]


@with_out
def linspace(start, end, steps, *, dtype=None, device=None, requires_grad=False):
    """`steps` numbers at equal distances, from `start` to `end`, both included."""
    (steps,) = new_shape((steps,))
    ends = numbers_of(start, end)
    array = np.linspace(*map(int, ends) if is_whole(dtype) else ends, steps)
    return finished(array, dtype or dtypes.USUAL["f"], device, requires_grad)


def logspace(start, end, steps, base=10.0, *, dtype=None, device=None, requires_grad=False):
    """`steps` numbers at equal ratios, from base ** start to base ** end, both included."""
    (steps,) = new_shape((steps,))
    ends = numbers_of(start, end)
    array = np.logspace(*map(int, ends) if is_whole(dtype) else ends, steps, base=base)
    return finished(array, dtype or dtypes.USUAL["f"], device, requires_grad)


@with_out
def eye(n, m=None, *, dtype=None, device=None, requires_grad=False):
    """The identity matrix, n x n or n x m."""
    array = np.eye(*new_shape((n, n if m is None else m)))
    return finished(array, dtype or dtypes.USUAL["f"], device, requires_grad)


def triangle_indices(name, triangle, doc):
    """tril_indices() or triu_indices()."""

    def indices(row, col, offset=0, *, dtype=dtypes.int64, device=None):
        return finished(np.array(triangle(row, offset, col), np.int64), dtype, device)

    indices.__name__ = indices.__qualname__ = name
    indices.__doc__ = doc
    return indices


tril_indices = triangle_indices(
    "tril_indices",
    np.tril_indices,
    "The rows and the columns of the places on and below a diagonal.",
)
triu_indices = triangle_indices(
    "triu_indices",
    np.triu_indices,
    "The rows and the columns of the places on and above a diagonal.",
)
