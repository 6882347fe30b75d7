"""What all functions of networks ask of their arguments."""

from tinytorch.tensor import Tensor


def check_tensors(name, **tensors):
    """TypeError unless all are Tensors, named by what they are to the function `name`."""
    for role, tensor in tensors.items():
        if not isinstance(tensor, Tensor):
            raise TypeError(f"{name}: {role} must be a Tensor, got {type(tensor).__name__}")


def check_optional(name, **tensors):
    """TypeError unless all are Tensors or None."""
    for role, tensor in tensors.items():
        if tensor is not None:
            check_tensors(name, **{role: tensor})


def check_dtypes(name, input, *others):
    """RuntimeError unless all, None aside, have the dtype of `input`, a floating-point one."""
    dtype = input._data.dtype
    for other in others:
        if other is not None and other._data.dtype != dtype:
            raise RuntimeError(f"{name} needs one dtype, got {dtype} and {other._data.dtype}")
    if dtype.kind != "f":
        raise RuntimeError(f"{name} needs floating-point numbers, got {dtype}")


def check_shape(name, role, tensor, shape):
    """RuntimeError unless `tensor` is None or of this shape."""
    if tensor is not None and tensor._data.shape != shape:
        raise RuntimeError(
            f"{name}: {role} must have shape {tuple(shape)}, got {tuple(tensor.shape)}"
        )
