"""What all functions of networks ask of their arguments."""

from tinytorch.tensor import Tensor


def check_tensors(name, **tensors):
    """TypeError unless all are Tensors, named by what they are to the function `name`."""
    for role, tensor in tensors.items():
        if not isinstance(tensor, Tensor):
            raise TypeError(f"{name}: {role} must be a Tensor, got {type(tensor).__name__}")


def check_optional(name, **tensors):
    """TypeError unless all are Tensors or None."""
    check_tensors(name, **{role: t for role, t in tensors.items() if t is not None})


def check_dtypes(name, input, *others):
    """RuntimeError unless all, None aside, have the dtype of `input`, a floating-point one."""
    dtypes = [tensor.dtype for tensor in (input, *others) if tensor is not None]
    if not input.is_floating_point() or len(set(dtypes)) > 1:
        found = ", ".join(map(str, dtypes))
        raise RuntimeError(f"{name} needs tensors of one floating-point dtype, got {found}")


def check_shape(name, role, tensor, shape):
    """RuntimeError unless `tensor` is None or of this shape."""
    if tensor is not None and tuple(tensor.shape) != tuple(shape):
        raise RuntimeError(
            f"{name}: {role} must have shape {tuple(shape)}, got {tuple(tensor.shape)}"
        )
