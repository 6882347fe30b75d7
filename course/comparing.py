"""How far what came is from what was expected, in words.

The comparisons use NumPy's own arrays and numbers only, so that no `__eq__` of the graded file
has a say in them.
"""

import numpy as np

MANY = 8  # of more numbers than this, only the first wrong one is shown


def difference(got, want, what, atol, rtol):
    """What came and what was expected, in words; nothing where they agree."""
    got, want = _plain(got), _plain(want)
    if not _is_numeric(want):
        return "" if same(got, want) else f"{what} = {_said(got, want)}, expected {_said(want)}"
    array, want = array_of(got), array_of(want)
    if array is None:
        return f"{what} = {got!r}, expected {show(want)}"
    if array.shape != want.shape:
        return f"{what} has shape {array.shape}, expected shape {want.shape}"
    wrong = _differs(array, want, atol, rtol)
    return _numbers_differ(array, want, wrong, what) if wrong.any() else ""


def _plain(value):
    """NumPy's own for a dtype of the library's, also in lists and tuples; else the value itself."""
    if type(value) in (list, tuple):
        return type(value)(map(_plain, value))
    own = getattr(value, "dtype", None) if type(value).__name__ == "dtype" else None
    return own if isinstance(own, np.dtype) else value


def _is_numeric(value):
    if isinstance(value, (bool, tuple)):
        return False
    return array_of(value) is not None


def array_of(value):
    """The numbers of a Tensor, an array, a number or a list as a plain array, else None."""
    data = data_of(value)
    if isinstance(data, (str, bytes, tuple, dict, set, type, np.dtype)) or data is None:
        return None
    try:
        array = np.asarray(data)
    except Exception:  # whatever the graded object does when it is asked for numbers
        return None
    return array if array.dtype.kind in "biuf" else None


def data_of(value):
    """What a Tensor holds: .data in the course, an array only by .numpy() in the library."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value
    data = getattr(value, "data", None)
    if isinstance(data, (np.ndarray, np.generic)):
        return data
    return value.detach().numpy() if hasattr(value, "numpy") and hasattr(data, "numpy") else value


def _differs(array, want, atol, rtol):
    """Where two arrays of one shape are too far apart; NaN equals NaN, and infinity itself."""
    a, b = array.astype(np.float64), want.astype(np.float64)
    with np.errstate(invalid="ignore"):
        near = np.abs(a - b) <= atol + rtol * np.abs(b)
    return ~((near & np.isfinite(b)) | (a == b) | (np.isnan(a) & np.isnan(b)))


def same(got, want):
    """Equality of plain values in which no `__eq__` of a graded class takes part."""
    if isinstance(got, np.dtype) and not isinstance(want, bool):
        return got == np.dtype(want)
    if isinstance(want, bool):
        return isinstance(got, (bool, np.bool_)) and bool(got) == want
    if isinstance(want, (tuple, list)):
        kind = type(want)  # the library's Size is a tuple too
        return isinstance(got, kind) and _all_same(list(kind.__iter__(got)), list(want))
    return got is want or (type(got) is type(want) and bool(want == got))


def _all_same(got, want):
    return len(got) == len(want) and all(map(same, got, want))


def _said(value, wanted=None):
    if value is type(None) and isinstance(wanted, type) and issubclass(wanted, BaseException):
        return "no error"
    if isinstance(value, type):
        return value.__name__
    return str(value) if isinstance(value, np.dtype) else repr(value)


def _numbers_differ(array, want, wrong, what):
    if array.size <= MANY:
        got_text, want_text = _texts(array, want)
        return f"{what} = {got_text}, expected {want_text}"
    index = tuple(int(i) for i in np.argwhere(wrong)[0])
    got_text, want_text = _texts(array[index], want[index])
    place = ", ".join(map(str, index))
    more = f" ({wrong.sum()} of {wrong.size} are wrong)"
    return f"{what}: element [{place}] = {got_text}, expected {want_text}{more}"


def _texts(got, want):
    """Both written with as many digits as it takes to see the difference."""
    for digits in (5, 9, 17):
        texts = show(got, digits), show(want, digits)
        if texts[0] != texts[1]:
            break
    return texts


def show(array, digits=5):
    if np.ndim(array) == 0:
        return f"{float(array):.{digits}g}"
    if np.size(array) > MANY:
        return f"an array of shape {np.shape(array)}"
    return "[" + ", ".join(show(row, digits) for row in array) + "]"
