"""Reductions: many elements become one, over all dimensions or over some."""

from functools import wraps

import numpy as np
from numpy import ndarray

from tinytorch import dtypes
from tinytorch.node import Rule
from tinytorch.operation import record
from tinytorch.shapes import axes_of, expand
from tinytorch.tensor import method, wrap


def numpy_names(function):
    """Decorator: let `axis` and `keepdims` stand for `dim` and `keepdim`."""

    @wraps(function)
    def with_names(*args, **kwargs):
        if "axis" in kwargs:
            kwargs["dim"] = kwargs.pop("axis")
        if "keepdims" in kwargs:
            kwargs["keepdim"] = kwargs.pop("keepdims")
        return function(*args, **kwargs)

    return with_names


def kept_shape(shape, axes):
    """`shape` with length 1 at the reduced axes."""
    return tuple([1 if i in axes else n for i, n in enumerate(shape)])


# --- sum and mean ---


def sum_formula(grad, shape, axes):
    return expand(grad.reshape(kept_shape(shape, axes)) if grad.ndim else grad, shape)


SUM = Rule("SumBackward0", (sum_formula,))


@method("sum")
@numpy_names
def sum(input, dim=None, keepdim=False, *, dtype=None):
    """The sum over the dimensions `dim`, over all by default.

    >>> tinytorch.tensor([[1.0, 2.0], [3.0, 4.0]]).sum(dim=0)
    tensor([4., 6.])
    """
    x = input._data if dtype is None else input.to(dtype)._data
    axes = axes_of(dim, x.ndim)
    total = np.add.reduce(x, axes, keepdims=keepdim)
    return record(total, SUM, (input,), x.shape, axes)


def mean_formula(grad, shape, axes, count):
    return sum_formula(grad / count, shape, axes)


MEAN = Rule("MeanBackward0", (mean_formula,))


@method("mean")
@numpy_names
def mean(input, dim=None, keepdim=False):
    """The mean over the dimensions `dim`, over all by default; RuntimeError for integers.

    >>> tinytorch.tensor([1.0, 2.0, 6.0]).mean()
    tensor(3.)
    """
    x = input._data
    if x.dtype.kind != "f":
        raise RuntimeError(f"mean() needs floats, got {x.dtype}; call .float() first")
    axes = axes_of(dim, x.ndim)
    total = np.add.reduce(x, axes, keepdims=keepdim)
    count = x.size // total.size if total.size else 0
    return record(total / x.dtype.type(count), MEAN, (input,), x.shape, axes, count)
