"""FloatTensor, LongTensor and the like: tensors by the name of their type."""

from tinytorch import dtypes
from tinytorch.tensor import array_of, data_or_sizes, wrap


def typed(name, dtype):
    """The function that makes tensors of `dtype`, from data or sizes."""

    def make(*data):
        return wrap(array_of(data_or_sizes(data)).astype(dtype))

    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"A tensor of {dtype}: from data, or of the sizes given, with any numbers."
    return make


FloatTensor = typed("FloatTensor", dtypes.float32)
DoubleTensor = typed("DoubleTensor", dtypes.float64)
HalfTensor = typed("HalfTensor", dtypes.float16)
LongTensor = typed("LongTensor", dtypes.int64)
IntTensor = typed("IntTensor", dtypes.int32)
ByteTensor = typed("ByteTensor", dtypes.uint8)
BoolTensor = typed("BoolTensor", dtypes.bool)
