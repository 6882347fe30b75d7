"""Questions that have one answer here: no tensor is complex, sparse, shared, or on a GPU."""

from typing import Any

import numpy as np

from tinytorch import memory
from tinytorch.compiling import channels_last, channels_last_3d, contiguous_format
from tinytorch.ops.shapes import permute
from tinytorch.tensor import Tensor, method

NEVER = "is_complex is_conj is_neg is_inference is_pinned is_shared"
PROPERTIES = "is_sparse is_quantized is_mps is_meta is_xpu is_nested is_mkldnn"
THE_SAME = "conj resolve_conj resolve_neg pin_memory share_memory_ positive"


def never(name):
    """The question whose answer is False."""
    return method(name, doc="Always False: there are no such tensors here.")(lambda input: False)


def same(name):
    """The method that has nothing to do."""
    return method(name, doc="The tensor itself.")(lambda input, *args: input)


is_complex, is_conj, is_neg, is_inference, is_pinned, is_shared = map(never, NEVER.split())
conj, resolve_conj, resolve_neg, pin_memory, share_memory_, positive = map(same, THE_SAME.split())
conj_physical = Tensor.conj_physical = conj
for _name in PROPERTIES.split():
    setattr(Tensor, _name, property(lambda tensor: False, doc="Always False."))


def typename(obj) -> str:
    """The type of a tensor as type() has it, of anything else the name of its class, or its own.

    >>> typename(Tensor([1.0])), typename([])
    ('torch.FloatTensor', 'list')
    """
    if isinstance(obj, Tensor):
        return obj.type()
    named = obj if hasattr(obj, "__qualname__") else type(obj)
    home = "" if named.__module__ == "builtins" else f"{named.__module__}."
    return home + named.__qualname__


@method("real")
def real(input):
    """The real part, which is the tensor itself."""
    return input


Tensor.real = property(real)
Tensor.layout = property(lambda tensor: "strided", doc="How elements lie in memory: in steps.")


@method("stride")
def stride(input, dim=None) -> "tuple | Any":
    """Steps in memory, counted in elements, from one index to the next in each dimension."""
    x = input._data
    if not x.size and 0 in x.strides:  # as if there were some elements
        x = np.empty([length or 1 for length in x.shape], "b")
    strides = tuple([step // x.itemsize for step in x.strides])
    return strides if dim is None else strides[dim]


@method("is_contiguous")
def is_contiguous(input, memory_format=contiguous_format) -> bool:
    """True if the elements lie in memory in the order of their indices, or with channels last.

    `memory_format` channels_last asks whether dimension 1 is the one that lies closest.
    """
    last = memory_format in (channels_last, channels_last_3d)
    x = np.moveaxis(input._data, 1, -1) if last else input._data
    return x.flags.c_contiguous


@method("is_signed")
def is_signed(input) -> bool:
    """True for a dtype with numbers below 0."""
    return input.dtype.kind in "if"


@method("is_nonzero")
def is_nonzero(input) -> bool:
    """Is the one element not 0? RuntimeError if there are more or none."""
    return bool(input)


@method("is_same_size")
def is_same_size(input, other) -> bool:
    """True if both have the same shape."""
    return input.shape == other.shape


@method("isreal")
def isreal(input):
    """True everywhere."""
    return (input == input) | (input != input)


@method("get_device")
def get_device(input) -> int:
    """The number of the GPU: -1, there is none."""
    return -1


@method("storage_offset")
def storage_offset(input) -> int:
    """How many elements of its memory stand before the first one."""
    return (input.data_ptr() - memory.owner_of(input._data).ctypes.data) // input.itemsize


@method("_is_view")
def _is_view(input) -> bool:
    return hasattr(input, "_base")


@method("adjoint")
def adjoint(input):
    """The last two dimensions exchanged, as in mT."""
    return input.mT


def _conjugate_transposed(tensor):
    """The transpose of a matrix."""
    if tensor.dim() not in (0, 2):
        raise RuntimeError(f"H is for matrices, got {tensor.dim()} dimensions; use mH")
    return permute(tensor, tuple(range(tensor.dim()))[::-1])


Tensor.H = property(_conjugate_transposed)
Tensor.mH = property(adjoint)
