"""FloatTensor, LongTensor and the like: tensors by the name of their type."""

import numpy as np

from tinytorch import dtypes
from tinytorch.element_types import named
from tinytorch.ops.conversion import to
from tinytorch.tensor import Tensor, array_of, data_or_sizes, method, wrap

TYPES = {}  # name of a type -> dtype


class TypeOfTensors(type):
    """Makes names of types: `isinstance(x, FloatTensor)` asks whether x is a tensor of float32."""

    def __instancecheck__(cls, instance):
        return isinstance(instance, Tensor) and instance.dtype == cls.dtype


def typed(name, dtype):
    """The name of a type: to call it makes tensors of `dtype`, from data or sizes."""

    def make(cls, *data):
        return wrap(array_of(data_or_sizes(data)).astype(dtype))

    doc = f"A tensor of {dtype}: from data, or of the sizes given, with any numbers."
    TYPES[name] = np.dtype(dtype)
    kind = {"__new__": make, "__doc__": doc, "__module__": __name__, "dtype": named(dtype)}
    return TypeOfTensors(name, (), kind)


FloatTensor = typed("FloatTensor", dtypes.float32)
DoubleTensor = typed("DoubleTensor", dtypes.float64)
HalfTensor = typed("HalfTensor", dtypes.float16)
LongTensor = typed("LongTensor", dtypes.int64)
ShortTensor = typed("ShortTensor", dtypes.int16)
CharTensor = typed("CharTensor", dtypes.int8)
IntTensor = typed("IntTensor", dtypes.int32)
ByteTensor = typed("ByteTensor", dtypes.uint8)
BoolTensor = typed("BoolTensor", dtypes.bool)


@method("type")
def converted(input, dtype=None):
    """The tensor as `dtype`, which may be LongTensor or the like, or its name; by default the name.

    >>> tinytorch.ones(2).type("torch.LongTensor").type()
    'torch.LongTensor'
    """
    if dtype is None:
        (name,) = [name for name, own in TYPES.items() if own == input.dtype]
        return f"torch.{name}"
    if dtype is Tensor:
        return to(input, dtypes.USUAL["f"])
    name = getattr(dtype, "__name__", dtype)
    return to(input, TYPES.get(name.rpartition(".")[-1], name) if isinstance(name, str) else dtype)


@method("new")
def alike(input, *data):
    """A tensor in the dtype of this one: from data, or of the sizes given."""
    return wrap(array_of(data_or_sizes(data)).astype(input.dtype))
