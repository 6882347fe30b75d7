"""The types of a tensor's elements, and which type wins when two meet."""

import numpy as np

bool = np.dtype("bool")
uint8 = np.dtype("uint8")
int8 = np.dtype("int8")
int16 = np.dtype("int16")
int32 = np.dtype("int32")
int64 = np.dtype("int64")
float16 = np.dtype("float16")
float32 = np.dtype("float32")
float64 = np.dtype("float64")

byte, char, short, int, long = uint8, int8, int16, int32, int64
half, float, double = float16, float32, float64

_RANK = {"b": 0, "u": 1, "i": 1, "f": 2}  # a bool yields to an integer, an integer to a float
USUAL = {"b": bool, "i": int64, "f": float32}  # what a plain Python number becomes on its own


def check_kind(array):
    """Return `array` if its elements are booleans, integers or floats; else raise TypeError.

    ValueError for numbers whose bytes are in the order of other machines.
    """
    if array.dtype.kind not in _RANK:
        raise TypeError(f"a tensor holds numbers or booleans, got elements of type {array.dtype}")
    if not array.dtype.isnative:
        here = array.dtype.newbyteorder("=")
        raise ValueError(
            f"an array in another byte order, {array.dtype}: use .astype({here.name!r})"
        )
    return array


def number_dtype(number, dtype):
    """The dtype of `number` beside a tensor of `dtype`: it raises the kind, never the width."""
    if dtype.kind == "f":
        return dtype
    kind = np.dtype(type(number)).kind
    return dtype if _RANK[kind] <= _RANK[dtype.kind] else USUAL[kind]


def promote(a, b):
    """The dtype in which arrays `a` and `b` meet.

    The higher kind wins (bool < integer < float). Within a kind, arrays with dimensions win
    over 0-d ones, and the wider type over the narrower.
    """
    rank_a, rank_b = _RANK[a.dtype.kind], _RANK[b.dtype.kind]
    if rank_a != rank_b:
        return a.dtype if rank_a > rank_b else b.dtype
    if (a.ndim == 0) != (b.ndim == 0):
        return b.dtype if a.ndim == 0 else a.dtype
    return np.promote_types(a.dtype, b.dtype)


def fits(dtype, other):
    """True if numbers of `dtype` can be stored in `other`: its kind is as high, or higher."""
    return _RANK[dtype.kind] <= _RANK[other.kind]


def to_floating(array):
    """`array` itself if it holds floats, else a float32 copy."""
    return array if array.dtype.kind == "f" else array.astype(USUAL["f"])


def dtype_of(name):
    """The NumPy dtype for a dtype or its name; RuntimeError for what is none, such as a device."""
    try:
        return np.dtype(name)
    except TypeError:
        raise RuntimeError(
            f"expected a dtype that tensors have, or cpu, the only device, got {name!r}"
        ) from None
