"""What all functions of networks ask of their arguments."""

from tinytorch.ops.dims import as_sizes
from tinytorch.tensor import Tensor, check_tensors


def lengths(count, name, value, least=1):
    """`count` of them, given as one number or as many; TypeError for other things.

    RuntimeError for another count, or for less than `least`.

    >>> lengths(2, "stride", 3), lengths(2, "stride", (3, 1))
    ((3, 3), (3, 1))
    """
    more = ("", " or two", " or three")[count - 1]
    wanted = f"{name} must be one whole number{more}, of at least {least}, got"
    try:
        numbers = as_sizes((value,))
    except TypeError:
        raise TypeError(f"{wanted} {value!r}") from None
    if len(numbers) not in (1, count) or min(numbers) < least:
        raise RuntimeError(f"{wanted} {value}")
    return numbers if len(numbers) == count else numbers * count


def check_dtypes(name, input, *others):
    """RuntimeError unless all, None aside, have the dtype of `input`, a floating-point one."""
    check_one_dtype(name, input, *others)
    if input._data.dtype.kind != "f":
        raise RuntimeError(f"{name} needs floating-point numbers, got {input._data.dtype}")


def check_one_dtype(name, input, *others):
    dtype = input._data.dtype
    for other in others:
        if other is not None and other._data.dtype != dtype:
            raise RuntimeError(f"{name} needs one dtype, got {dtype} and {other._data.dtype}")


def check_parts(name, input, shape, **parts):
    """TypeError or RuntimeError unless each part is None or a Tensor like `input` of this shape."""
    check_shapes(name, shape, **parts)
    check_dtypes(name, input, *parts.values())


def check_linear_map(name, input, weight, bias, outputs):
    """TypeError or RuntimeError unless all are numbers of one dtype, `bias` None or (outputs,)."""
    check_shapes(name, (outputs,), bias=bias)
    check_one_dtype(name, input, weight, bias)
    if input._data.dtype.kind == "b":
        raise RuntimeError(f"{name} needs numbers, got bool")


def check_shapes(name, shape, **parts):
    for role, part in parts.items():
        if part is not None:
            if not isinstance(part, Tensor):
                check_tensors(name, **{role: part})
            if part._data.shape != shape:
                found = part._data.shape
                raise RuntimeError(f"{name}: {role} must have shape {tuple(shape)}, got {found}")
