"""The Tensor: an array, a gradient, and the node of the graph that it came from.

This file knows nothing of operations. Each operation's file adds its methods with `@method`.
"""

import math
from functools import wraps
from typing import Any

import numpy as np
from numpy import asarray, ndarray

from tinytorch import dtypes, memory
from tinytorch.element_types import dtype, named
from tinytorch.state import state


class Size(tuple):
    """A tensor's shape: a tuple that also counts the elements."""

    __slots__ = ()

    def numel(self) -> int:
        """The number of elements of a tensor of this shape."""
        return math.prod(self)

    def __getitem__(self, index) -> Any:
        found = super().__getitem__(index)
        return Size(found) if isinstance(index, slice) else found

    def __add__(self, other) -> "Size":
        return Size(super().__add__(other))

    def __repr__(self) -> str:
        return f"tinytorch.Size({list(self)})"


class Tensor:
    """An array that can remember how it was made.

    `Tensor(data)` holds float32, or what set_default_dtype() says, whatever an array held before;
    a Tensor of floats keeps its dtype. Memory is shared with what has that dtype already.
    `Tensor(2, 3)` has these sizes, and whatever the memory held. `tinytorch.tensor` takes data
    only, copies it, and keeps integers.

    >>> Tensor([1, 2], requires_grad=True)
    tensor([1., 2.], requires_grad=True)
    """

    __slots__ = ("__dict__", "__weakref__", "_base", "_data", "_grad", "_node", "_views")
    __array_priority__ = 1000  # array * tensor asks the tensor first

    def __init__(self, *data, requires_grad=False) -> None:
        is_number = len(data) == 1 and type(data[0]) is int
        data = data[0] if is_number else data_or_sizes(data)
        dtype = None if isinstance(data, Tensor) else dtypes.USUAL["f"]
        self._data = dtypes.to_floating(array_of(data, dtype))
        self._node = None
        self._grad = None
        self.requires_grad_(requires_grad)

    # --- what it is; "int" is in quotes, for a tensor gets a method of that name ---

    @property
    def data(self) -> "Tensor":
        """A tensor without history over the same memory."""
        return wrap(self._data)

    @data.setter
    def data(self, value):
        if not isinstance(value, Tensor):
            raise TypeError(f"data must be a Tensor, got {type(value).__name__}")
        if self._node is not None and not value.is_floating_point():
            raise RuntimeError(f"a tensor that requires grad holds floats, got {value.dtype}")
        self._data = value._data

    @property
    def grad(self) -> "Tensor | Any":
        """The gradient that backward() left here, or None."""
        return self._grad

    @grad.setter
    def grad(self, value):
        if value is not None:
            check_gradient("grad is set to", value, self)
        self._grad = value

    @grad.deleter
    def grad(self):
        self._grad = None

    @property
    def shape(self) -> Size:
        """The length of each dimension, as a tuple."""
        return Size(self._data.shape)

    @property
    def dtype(self) -> dtype:
        """The type of the elements."""
        return named(self._data.dtype)

    @property
    def nbytes(self) -> "int":
        """Bytes of all elements."""
        return self._data.nbytes

    @property
    def _version(self):
        return memory.version_of(self._data)

    def dim(self) -> "int":
        """The number of dimensions."""
        return self._data.ndim

    ndim = property(dim)

    def size(self, dim=None) -> "int | Any":
        """The shape, or the length of dimension `dim`."""
        return self.shape if dim is None else self._data.shape[dim]

    def numel(self) -> "int":
        """The number of elements."""
        return self._data.size

    nelement = numel

    def element_size(self) -> "int":
        """Bytes of one element."""
        return self._data.itemsize

    itemsize = property(element_size)

    def is_floating_point(self) -> "bool":
        """True for float16, float32 and float64."""
        return self._data.dtype.kind == "f"

    def data_ptr(self) -> "int":
        """The address of the first element."""
        return self._data.ctypes.data

    # --- out of the world of tensors ---

    def item(self) -> "float | Any":
        """The one element as a Python number; RuntimeError if there are more or none.

        >>> Tensor([[2.5]]).item()
        2.5
        """
        if self._data.size != 1:
            raise RuntimeError(
                f"item() needs a tensor of one element, got shape {tuple(self.shape)};"
                " use tolist() for all of them"
            )
        return self._data.item()

    def tolist(self) -> "list | Any":
        """The elements as nested lists of Python numbers."""
        return self._data.tolist()

    def numpy(self, *, force=False) -> np.ndarray:
        """The array itself, memory shared; RuntimeError where that would lose a history."""
        if self._node is not None and state.grad_enabled and not force:
            raise RuntimeError(
                "numpy() on a tensor that requires grad would lose its history;"
                " use tensor.detach().numpy()"
            )
        return self._data

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        return np.array(self.numpy(), dtype=dtype, copy=copy)

    def __array_wrap__(self, array, context=None, return_scalar=False):
        return wrap(array)

    def __len__(self) -> "int":
        if self._data.ndim == 0:
            raise TypeError("len() of a 0-d tensor")
        return len(self._data)

    def __bool__(self) -> "bool":
        if self._data.size != 1:
            raise RuntimeError(
                f"the truth of a tensor of shape {tuple(self.shape)} is ambiguous;"
                " use .any() or .all()"
            )
        return bool(self._data.item())

    def __float__(self) -> "float":
        return float(self._one_number())

    def __int__(self) -> "int":
        return int(self._one_number())

    def _one_number(self) -> Any:
        if self._data.size != 1:
            raise ValueError(f"only one element is one number, got shape {tuple(self.shape)}")
        return self._data.item()

    def __index__(self) -> "int":
        if self._data.size != 1 or self._data.dtype.kind == "f":
            raise TypeError(
                f"only one integer can be an index, got {self.dtype} of shape {tuple(self.shape)}"
            )
        return int(self._data.item())

    def __format__(self, spec) -> str:
        return object.__format__(self, spec) if self._data.ndim else format(self.item(), spec)

    def __repr__(self) -> str:
        from tinytorch.printing import tensor_text

        return tensor_text(self)

    __hash__ = object.__hash__  # a tensor is itself, whatever it holds

    def __reduce_ex__(self, protocol) -> tuple:
        requires_grad = self.requires_grad  # first: it may turn a view that was changed
        return rebuild, (type(self), self._data, requires_grad, self.__dict__)

    def __deepcopy__(self, memo):
        if not self.is_leaf:
            raise RuntimeError("only a leaf can be deep-copied; detach() the tensor first")
        copy = rebuild(type(self), self._data.copy(), self.requires_grad, dict(self.__dict__))
        copy._grad = None if self._grad is None else wrap(self._grad._data.copy())
        memo[id(self)] = copy
        return copy


_new = object.__new__


def wrap(array, node=None) -> Tensor:
    """A Tensor around `array`, not copied, made by `node`."""
    tensor = _new(Tensor)
    tensor._data = array if type(array) is ndarray else asarray(array)
    tensor._node = node
    tensor._grad = None
    return tensor


def data_or_sizes(given) -> Any:
    """The data in `Tensor(data)`, an array in its place for sizes; TypeError for anything else."""
    if given and all(type(size) is int for size in given):
        return np.empty(given, dtypes.USUAL["f"])
    (data,) = given or ((),)
    return np.empty(data, dtypes.USUAL["f"]) if isinstance(data, Size) else data


def rebuild(kind, array, requires_grad, attributes) -> Tensor:
    """The tensor that pickle or deepcopy brings back."""
    tensor = _new(kind)
    tensor._data, tensor._node, tensor._grad = array, None, None
    tensor.__dict__.update(attributes)
    return tensor.requires_grad_(requires_grad)


def array_of(data, dtype=None) -> ndarray:
    """The array in `data` (Tensor, array, number or nested lists), not copied where it is one.

    Without a dtype, Python floats become float32 and integers int64. TypeError for what is no
    number, ValueError for lists of unequal lengths.
    """
    if isinstance(data, Tensor):
        array = data._data
    elif isinstance(data, (ndarray, np.generic)):
        array = dtypes.check_kind(asarray(data))
    else:
        array = _array_of_lists(data)
        if dtype is None and array.dtype == dtypes.float64 != _dtype_of_first(data):
            dtype = dtypes.USUAL["f"]
    if dtype is None:
        return array
    cast = state.quietly(array.astype, dtype, copy=False)
    if cast.dtype.kind in "iu" and isinstance(data, (int, float, list, tuple)):
        _check_range(array, cast)
    return cast


def _check_range(numbers, cast):
    if not (np.trunc(numbers) == cast).all():
        raise RuntimeError(f"a number among {numbers!s:.60} does not fit into {cast.dtype}")


def _array_of_lists(data):
    try:
        array = asarray(_without_tensors(data))
    except ValueError:
        raise ValueError("a tensor needs lists of equal lengths, got ragged ones") from None
    if array.dtype == np.uint64:
        raise ValueError(f"a number among {data!r:.60} is too large for int64")
    if array.size == 0 and array.dtype == object or array.dtype.kind not in "bif":
        raise TypeError(f"a tensor holds numbers, got {data!r:.60} of type {type(data).__name__}")
    return array


def _dtype_of_first(data):
    """The dtype of the first element of nested lists, float32 for a plain number."""
    while isinstance(data, (list, tuple)) and data:
        data = data[0]
    return getattr(data, "dtype", dtypes.float32)


def _without_tensors(data):
    if isinstance(data, Tensor):
        return data._data
    if isinstance(data, (list, tuple)) and any(
        isinstance(item, (list, tuple, Tensor)) for item in data
    ):
        return [_without_tensors(item) for item in data]
    return data


def check_tensors(name, **tensors) -> None:
    """TypeError unless all are Tensors, named by what they are to the function `name`."""
    for role, tensor in tensors.items():
        if not isinstance(tensor, Tensor):
            raise TypeError(f"{name}: {role} must be a Tensor, got {type(tensor).__name__}")


def check_gradient(what, value, like) -> None:
    """TypeError unless `value` is a Tensor, RuntimeError unless it fits to the tensor `like`."""
    if not isinstance(value, Tensor):
        raise TypeError(f"{what} {type(value).__name__}; a gradient is a Tensor or None")
    if (value.shape, value.dtype) != (like.shape, like.dtype):
        raise RuntimeError(
            f"{what} shape {tuple(value.shape)} of {value.dtype}"
            f" for a tensor of shape {tuple(like.shape)} of {like.dtype}"
        )


def method(*names, doc=None) -> Any:
    """Decorator: the function is also the method of Tensor with each of these names.

    As a function it refuses with TypeError what is no Tensor, and takes `out`, a tensor to write
    the result to. With `doc`, it is given this docstring, and the first of the names.
    """

    def attach(function):
        if doc is not None:
            function.__doc__, function.__name__, function.__qualname__ = doc, names[0], names[0]
        for name in names:
            setattr(Tensor, name, function)

        @wraps(function)
        def checked(*args, out=None, **kwargs):
            if args and not isinstance(args[0], Tensor):
                check_tensors(function.__name__, input=args[0])
            result = function(*args, **kwargs)
            return result if out is None else Tensor._written(out, result)

        return checked

    return attach
