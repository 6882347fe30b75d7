"""Making tensors: from data, filled with a value, and at random."""

import numpy as np

from tinytorch import dtypes
from tinytorch.shapes import as_sizes
from tinytorch.tensor import Tensor, array_of, wrap


def finished(array, requires_grad=False):
    """A new leaf around `array`."""
    tensor = wrap(array)
    return tensor.requires_grad_() if requires_grad else tensor


def tensor(data, *, dtype=None, device=None, requires_grad=False):
    """A new tensor with a copy of `data`: numbers, nested lists, an array or a tensor.

    Python floats become float32, integers int64, booleans bool; arrays keep their dtype.

    >>> tensor([[1, 2], [3, 4]])
    tensor([[1, 2],
            [3, 4]])
    """
    return finished(np.array(array_of(data, dtype), order="C"), requires_grad)


def as_tensor(data, dtype=None, device=None):
    """Like tensor(), but without a copy where none is needed."""
    if isinstance(data, Tensor):
        return data.to(dtype)
    return wrap(array_of(data, dtype))


def from_numpy(ndarray):
    """A tensor that shares the memory of an array."""
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"from_numpy() needs a NumPy array, got {type(ndarray).__name__}")
    return wrap(array_of(ndarray))


def zeros(*size, dtype=dtypes.float32, device=None, requires_grad=False):
    """A tensor of zeros.

    >>> zeros(2, 3)
    tensor([[0., 0., 0.],
            [0., 0., 0.]])
    """
    return finished(
        np.zeros(as_sizes(size) if size else (), dtype or dtypes.float32), requires_grad
    )


def ones(*size, dtype=dtypes.float32, device=None, requires_grad=False):
    """A tensor of ones."""
    return finished(np.ones(as_sizes(size) if size else (), dtype or dtypes.float32), requires_grad)


def empty(*size, dtype=dtypes.float32, device=None, requires_grad=False):
    """A tensor whose elements are whatever the memory held."""
    return finished(
        np.empty(as_sizes(size) if size else (), dtype or dtypes.float32), requires_grad
    )


def full(size, fill_value, *, dtype=None, device=None, requires_grad=False):
    """A tensor filled with `fill_value`, in its dtype by default."""
    dtype = array_of(fill_value).dtype if dtype is None else dtype
    return finished(np.full(as_sizes((size,)), fill_value, dtype), requires_grad)


def zeros_like(input, *, dtype=None, requires_grad=False):
    """Zeros of the shape and dtype of `input`."""
    return finished(np.zeros(input.shape, dtype or input.dtype), requires_grad)


def ones_like(input, *, dtype=None, requires_grad=False):
    """Ones of the shape and dtype of `input`."""
    return finished(np.ones(input.shape, dtype or input.dtype), requires_grad)


def empty_like(input, *, dtype=None, requires_grad=False):
    """An unfilled tensor of the shape and dtype of `input`."""
    return finished(np.empty(input.shape, dtype or input.dtype), requires_grad)


def full_like(input, fill_value, *, dtype=None, requires_grad=False):
    """`fill_value` in the shape and dtype of `input`."""
    return finished(np.full(input.shape, fill_value, dtype or input.dtype), requires_grad)


def arange(start, end=None, step=1, *, dtype=None, device=None, requires_grad=False):
    """The numbers from `start` up to but not including `end`.

    >>> arange(2, 8, 3)
    tensor([2, 5])
    """
    start, end = (0, start) if end is None else (start, end)
    start, end, step = (x.item() if isinstance(x, Tensor) else x for x in (start, end, step))
    if step == 0:
        raise RuntimeError("arange: step must not be 0")
    if (end - start) / step < 0:
        raise RuntimeError(f"arange: step {step} leads away from {end}, starting at {start}")
    if dtype is None:
        whole = all(isinstance(x, (int, np.integer)) for x in (start, end, step))
        dtype = dtypes.int64 if whole else dtypes.float32
    return finished(np.arange(start, end, step).astype(dtype, copy=False), requires_grad)


def linspace(start, end, steps, *, dtype=dtypes.float32, device=None, requires_grad=False):
    """`steps` numbers at equal distances, from `start` to `end`, both included."""
    return finished(np.linspace(start, end, steps).astype(dtype), requires_grad)


def eye(n, m=None, *, dtype=dtypes.float32, device=None, requires_grad=False):
    """The identity matrix, n x n or n x m."""
    return finished(np.eye(n, m, dtype=dtype), requires_grad)
