"""What all functions of networks ask of their arguments."""

from tinytorch.tensor import Tensor, check_tensors


def check_dtypes(name, input, *others):
    """RuntimeError unless all, None aside, have the dtype of `input`, a floating-point one."""
    dtype = input._data.dtype
    for other in others:
        if other is not None and other._data.dtype != dtype:
            raise RuntimeError(f"{name} needs one dtype, got {dtype} and {other._data.dtype}")
    if dtype.kind != "f":
        raise RuntimeError(f"{name} needs floating-point numbers, got {dtype}")


def check_parts(name, input, shape, **parts):
    """TypeError or RuntimeError unless each part is None or a Tensor like `input` of this shape."""
    for role, part in parts.items():
        if part is not None:
            if not isinstance(part, Tensor):
                check_tensors(name, **{role: part})
            if part._data.shape != shape:
                found = part._data.shape
                raise RuntimeError(f"{name}: {role} must have shape {tuple(shape)}, got {found}")
    check_dtypes(name, input, *parts.values())
