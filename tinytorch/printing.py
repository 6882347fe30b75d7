"""The text of a tensor, as PyTorch writes it."""

import math
from types import SimpleNamespace

import numpy as np

from tinytorch import dtypes

USUAL = dict(
    precision=4,  # digits after the point
    threshold=1000,  # more elements than this are shown in part
    edgeitems=3,  # elements shown at each end of a long dimension
    linewidth=80,  # characters
    sci_mode=None,  # True and False: floats always and never as 1.2e+03
)
PROFILES = dict(default={}, short=dict(precision=2, edgeitems=2), full=dict(threshold=math.inf))
options = SimpleNamespace(**USUAL)


def set_printoptions(
    precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None
) -> None:
    """How tensors are printed from now on; what is None stays as it is.

    `profile` "default", "short" or "full" begins anew. Numbers have `precision` digits after the
    point, lines `linewidth` characters. Of a tensor of more than `threshold` elements only
    `edgeitems` are shown at both ends. `sci_mode` says whether floats are written with exponents.
    """
    given = dict(precision=precision, threshold=threshold, edgeitems=edgeitems, linewidth=linewidth)
    if profile is not None:
        vars(options).update(USUAL, **PROFILES[profile.lower()])
    vars(options).update({name: value for name, value in given.items() if value is not None})
    options.sci_mode = sci_mode  # None: as the numbers ask for it


def tensor_text(tensor):
    """What repr() of a tensor gives: the values, then what is not as usual about it."""
    array = tensor._data
    values = values_text(array)
    notes = []
    if array.size == 0 and array.ndim != 1:
        notes.append(f"size={tuple(array.shape)}")
    usual = (*dtypes.USUAL.values(),) if array.size else (dtypes.USUAL["f"],)
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
        text += f", {note}" if used + len(note) + 2 < options.linewidth else f",\n       {note}"
    return text


def values_text(array):
    if array.size == 0:
        return "[]"
    write, width = writer(shown(array))
    return nested_text(array, array.size > options.threshold, write, width, len("tensor("))


def nested_text(array, cut, write, width, indent):
    """The elements in brackets, `indent` characters from the left; only the ends, if `cut`."""
    if array.ndim == 0:
        return write(array[()])
    inner = [nested_text(part, cut, write, width, indent + 1) for part in ends(array, cut)]
    if cut and len(array) > 2 * options.edgeitems:
        inner.insert(options.edgeitems, "..." if array.ndim > 1 else " ...")
    if array.ndim > 1:
        lines, gap = inner, array.ndim - 1
    else:
        count = max(1, (options.linewidth - indent) // (width + len(", ")))
        lines = [", ".join(inner[i : i + count]) for i in range(0, len(inner), count)]
        gap = 1
    return "[" + ("," + "\n" * gap + " " * (indent + 1)).join(lines) + "]"


def ends(array, cut):
    edge = options.edgeitems
    return [*array[:edge], *array[-edge:]] if cut and len(array) > 2 * edge else array


def shown(array):
    """The elements that are printed: their widths decide the width of all."""
    if array.size <= options.threshold:
        return array.ravel()
    edge = options.edgeitems
    for axis, length in enumerate(array.shape):
        if length > 2 * options.edgeitems:
            array = np.take(array, [*range(edge), *range(-edge, 0)], axis)
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
    digits = options.precision
    whole = (values == np.ceil(values)).all()
    if needs_exponents(values, whole) if options.sci_mode is None else options.sci_mode:
        return lambda value: f"{value:.{digits}e}"
    if whole:
        return lambda value: f"{value:.0f}." if np.isfinite(value) else f"{value}"
    return lambda value: f"{value:.{digits}f}"


def needs_exponents(values, whole):
    """Are some of the numbers very large, very small, or very different in size?"""
    sizes = np.abs(values)
    return sizes.size and (
        sizes.max() / 1000 > sizes.min() or sizes.max() > 1e8 or sizes.min() < 1e-4 and not whole
    )
