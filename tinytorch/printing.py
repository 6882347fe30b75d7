"""The text of a tensor, as PyTorch writes it."""

import numpy as np

from tinytorch import dtypes

LINE = 80  # characters
EDGE = 3  # elements shown at each end of a long dimension
LONG = 1000  # more elements than this are shown in part


def tensor_text(tensor):
    """What repr() of a tensor gives: the values, then what is not as usual about it."""
    array = tensor._data
    values = values_text(array)
    notes = []
    if array.size == 0 and array.ndim != 1:
        notes.append(f"size={tuple(array.shape)}")
    usual = (dtypes.float32, dtypes.int64, dtypes.bool) if array.size else (dtypes.float32,)
    if array.dtype not in usual:
        notes.append(f"dtype=tinytorch.{array.dtype}")
    if not tensor.is_leaf:
        notes.append(f"grad_fn={tensor.grad_fn!r}")
    elif tensor.requires_grad:
        notes.append("requires_grad=True")
    return with_notes("tensor(" + values, notes) + ")"


def with_notes(text, notes):
    for note in notes:
        used = len(text) - text.rfind("\n") - 1
        text += f", {note}" if used + len(note) + 2 < LINE else f",\n       {note}"
    return text


def values_text(array):
    if array.size == 0:
        return "[]"
    write, width = writer(shown(array))
    return nested_text(array, array.size > LONG, write, width, len("tensor("))


def nested_text(array, cut, write, width, indent):
    """The elements in brackets, `indent` characters from the left; only the ends, if `cut`."""
    if array.ndim == 0:
        return write(array[()])
    inner = [nested_text(part, cut, write, width, indent + 1) for part in ends(array, cut)]
    if cut and len(array) > 2 * EDGE:
        inner.insert(EDGE, "..." if array.ndim > 1 else " ...")
    if array.ndim > 1:
        lines, gap = inner, array.ndim - 1
    else:
        count = max(1, (LINE - indent) // (width + len(", ")))
        lines = [", ".join(inner[i : i + count]) for i in range(0, len(inner), count)]
        gap = 1
    return "[" + ("," + "\n" * gap + " " * (indent + 1)).join(lines) + "]"


def ends(array, cut):
    return [*array[:EDGE], *array[-EDGE:]] if cut and len(array) > 2 * EDGE else array


def shown(array):
    """The elements that are printed: their widths decide the width of all."""
    if array.size <= LONG:
        return array.ravel()
    for axis, length in enumerate(array.shape):
        if length > 2 * EDGE:
            array = np.take(array, [*range(EDGE), *range(-EDGE, 0)], axis)
    return array.ravel()


def writer(values):
    """The function that writes one element, and how wide it writes all of them."""
    if values.dtype.kind != "f":
        style, measured = str, values
    else:
        measured = values[np.isfinite(values) & (values != 0)].astype(np.float64)
        style = float_style(measured)
    width = max([len(style(value)) for value in measured], default=1)
    return lambda value: style(value).rjust(width), width


def float_style(values):
    sizes = np.abs(values)
    whole = (values == np.ceil(values)).all()
    if sizes.size and (
        sizes.max() / sizes.min() > 1000 or sizes.max() > 1e8 or sizes.min() < 1e-4 and not whole
    ):
        return lambda value: f"{value:.4e}"
    if whole:
        return lambda value: f"{value:.0f}." if np.isfinite(value) else f"{value}"
    return lambda value: f"{value:.4f}"
