"""Tests of one's own: assert_close()."""

from collections.abc import Mapping, Sequence

import numpy as np

from tinytorch.ops.comparison import close_arrays
from tinytorch.tensor import Tensor, array_of

TOLERANCES = {  # relative, absolute: PyTorch's for each dtype; 0 for whole numbers and booleans
    np.dtype("float16"): (1e-3, 1e-5),
    np.dtype("float32"): (1.3e-6, 1e-5),
    np.dtype("float64"): (1e-7, 1e-7),
}


def assert_close(
    actual,
    expected,
    *,
    allow_subclasses=True,
    rtol=None,
    atol=None,
    equal_nan=False,
    check_device=True,
    check_dtype=True,
    check_layout=True,
    check_stride=False,
    msg=None,
) -> None:
    """AssertionError unless |actual - expected| <= atol + rtol * |expected| everywhere.

    Both are tensors, arrays or numbers of one shape and dtype, or sequences and mappings of them.
    The tolerances, given both or none, depend on the dtype: 1.3e-6 and 1e-5 for float32. `msg`
    takes the place of the message, or makes one of it.

    >>> assert_close(Tensor([1.0, 2.0]), Tensor([1.0, 2.0000001]))
    """
    if (rtol is None) != (atol is None):
        raise ValueError(f"assert_close() takes rtol and atol both or none, got {rtol} and {atol}")
    try:
        for place, a, b in compared_pairs(actual, expected, ""):
            if not allow_subclasses and type(a) is not type(b):
                raise AssertionError(f"types differ: {type(a).__name__}, {type(b).__name__}{place}")
            if a is None:
                continue
            check_kinds(a, b, place, check_dtype, check_stride)
            close(array_of(a), array_of(b), place, (rtol, atol), equal_nan)
    except AssertionError as error:
        if msg is None:
            raise
        raise AssertionError(msg(str(error)) if callable(msg) else msg) from None


def compared_pairs(actual, expected, place):
    """Each pair of values that are to be compared, with the place where they lie."""
    if isinstance(actual, Mapping) and isinstance(expected, Mapping):
        if set(actual) != set(expected):
            raise AssertionError(f"keys differ: {list(actual)}, {list(expected)}{place}")
        keys = actual
    elif is_sequence(actual) and is_sequence(expected):
        if len(actual) != len(expected):
            raise AssertionError(f"lengths differ: {len(actual)}, {len(expected)}{place}")
        keys = range(len(actual))
    else:
        yield place, *comparable(actual, expected)
        return
    for key in keys:
        yield from compared_pairs(actual[key], expected[key], f"{place or ', item '}[{key!r}]")


def is_sequence(value):
    """Whether the value is a list or its like, and no text."""
    return isinstance(value, Sequence) and not isinstance(value, str)


def comparable(actual, expected):
    """Both values, where they are of one kind: tensors, arrays, numbers, None; else TypeError."""
    if (actual is None) is not (expected is None):
        raise AssertionError(f"only one is None: {actual}, {expected}")
    for kind in (Tensor, np.ndarray, (int, float, np.number, np.bool_), type(None)):
        if isinstance(actual, kind) and isinstance(expected, kind):
            return actual, expected
    raise TypeError(
        "assert_close() compares tensors, arrays, numbers, and sequences and mappings of them,"
        f" each with its like; got {type(actual).__name__} and {type(expected).__name__}"
    )


def assert_allclose(actual, expected, rtol=None, atol=None, equal_nan=True, msg=""):
    """assert_close() as old programs call it: dtypes may differ, and NaN equals NaN."""
    assert_close(
        actual,
        expected,
        rtol=rtol,
        atol=atol,
        equal_nan=equal_nan,
        check_dtype=False,
        msg=msg or None,
    )


def check_kinds(a, b, place, dtypes, strides):
    """AssertionError where two tensors or arrays differ in dtype, or in their steps in memory."""
    if dtypes and kind_name(a) != kind_name(b):
        raise AssertionError(f"dtypes differ: {kind_name(a)}, {kind_name(b)}{place}")
    if strides and array_of(a).strides != array_of(b).strides:
        raise AssertionError(f"strides differ: {array_of(a).strides}, {array_of(b).strides}{place}")


def kind_name(value):
    """The dtype of a tensor or an array; for a number, which of Python's types it has."""
    return value.dtype if hasattr(value, "dtype") else type(value).__name__


def close(actual, expected, place, tolerances, equal_nan):
    """AssertionError unless two arrays have one shape and lie within the tolerances."""
    if actual.shape != expected.shape:
        raise AssertionError(f"shapes differ: {actual.shape}, {expected.shape}{place}")
    if None in tolerances:
        kinds = [TOLERANCES.get(array.dtype, (0, 0)) for array in (actual, expected)]
        tolerances = map(max, *kinds)
    rtol, atol = tolerances
    kind = np.float64 if "f" in actual.dtype.kind + expected.dtype.kind else np.int64
    actual, expected = actual.astype(kind), expected.astype(kind)
    with np.errstate(all="ignore"):
        off = ~close_arrays(actual, expected, rtol, atol, equal_nan)
        if off.any():
            raise AssertionError(difference_of(actual, expected, off, place, rtol, atol))


def difference_of(actual, expected, off, place, rtol, atol):
    """The message: how many elements are off, and where by how much at most."""
    far = np.abs(actual - expected)
    steep = far / np.abs(expected)
    lines = [
        f"Tensor-likes are not close{place}!",
        "",
        f"Mismatched elements: {off.sum()} / {off.size} ({100 * off.mean():.1f}%)",
    ]
    for word, error, allowed in (("absolute", far, atol), ("relative", steep, rtol)):
        at = np.unravel_index(np.argmax(np.where(off, error, -1.0)), off.shape)
        where = tuple(map(int, at))
        lines.append(
            f"Greatest {word} difference: {error[where]} at index {where} (up to {allowed} allowed)"
        )
    return "\n".join(lines)
