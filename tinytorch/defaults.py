"""The dtype of plain floats, and the limits of dtypes."""

from collections import namedtuple
from typing import Any

import numpy as np

from tinytorch import dtypes
from tinytorch.element_types import bfloat16, dtype, named
from tinytorch.operation import operand

FloatInfo = namedtuple("finfo", "resolution min max eps smallest_normal tiny bits dtype")
IntInfo = namedtuple("iinfo", "min max bits dtype")
BFLOAT16_MAX = 2.0**128 - 2.0**120


def get_default_dtype() -> dtype:
    """The dtype that Python floats become, float32 unless it was set."""
    return named(dtypes.USUAL["f"])


def set_default_dtype(d) -> None:
    """From now on, Python floats become `d`, and so do new tensors without a dtype.

    TypeError for a dtype that is not of floats.
    """
    if dtypes.dtype_of(d).kind != "f":
        raise TypeError(f"the default dtype is one of floats, got {d}")
    dtypes.USUAL["f"] = dtypes.dtype_of(d)


def set_default_tensor_type(t) -> None:
    """set_default_dtype() by a type such as tinytorch.DoubleTensor, or its name."""
    name = t if isinstance(t, str) else t.__name__
    named = {"HalfTensor": "float16", "FloatTensor": "float32", "DoubleTensor": "float64"}
    set_default_dtype(named.get(name.rpartition(".")[2], name))


def promote_types(type1, type2) -> dtype:
    """The dtype in which elements of two dtypes meet."""
    pair = [np.zeros(1, dtypes.dtype_of(each)) for each in (type1, type2)]
    return named(dtypes.promote(*pair))


def can_cast(from_, to):
    """True if elements of one dtype may become those of another without losing their kind.

    >>> can_cast(tinytorch.float64, tinytorch.float32), can_cast(tinytorch.float32, tinytorch.int64)
    (True, False)
    """
    return dtypes.fits(dtypes.dtype_of(from_), dtypes.dtype_of(to))


def result_type(tensor1, tensor2) -> dtype:
    """The dtype of what an operation makes of two tensors or numbers, whatever their shapes."""
    first, second = operand(tensor1, tensor2), operand(tensor2, tensor1)
    return named(dtypes.promote(first._data, second._data))


def finfo(type=None) -> Any:
    """The limits of a dtype of floats, the default one if none is given.

    >>> finfo(tinytorch.float32).eps == 2**-23
    True
    """
    if type is bfloat16:  # a name: there are no such tensors
        return FloatInfo(
            0.01, -BFLOAT16_MAX, BFLOAT16_MAX, 2.0**-7, *[2.0**-126] * 2, 16, "bfloat16"
        )
    found = np.finfo(dtypes.dtype_of(type or dtypes.USUAL["f"]))
    names = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
    return FloatInfo(*[float(getattr(found, name)) for name in names], found.bits, str(found.dtype))


def iinfo(type) -> Any:
    """The limits of a dtype of integers.

    >>> iinfo(tinytorch.uint8).max
    255
    """
    found = np.iinfo(dtypes.dtype_of(type))
    return IntInfo(found.min, found.max, found.bits, str(found.dtype))
