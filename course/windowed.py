"""Windows of an image by hand, for the graded tests of convolution and pooling."""

import math
from functools import partial

import numpy as np

from course.basics import needs
from course.contracts import in_kinds
from course.testing import calls_of

ROOM = 4096  # numbers on either side of a roomy array
SETTINGS = [  # kernel, stride, dilation
    ((1, 1), (1, 1), (1, 1)),
    ((2, 3), (1, 1), (1, 1)),
    ((3, 2), (2, 1), (1, 1)),
    ((2, 2), (2, 2), (1, 1)),
    ((2, 3), (1, 1), (2, 1)),
    ((3, 2), (1, 2), (1, 3)),
    ((2, 2), (3, 2), (2, 2)),
    ((1, 2), (2, 3), (3, 1)),
    ((5, 6), (1, 1), (1, 1)),
    ((1, 1), (2, 3), (1, 1)),
    ((1, 2), (1, 2), (1, 2)),
    ((2, 1), (2, 1), (2, 1)),
]


def roomy(array):
    """A copy of an array in the middle of memory full of NaN: whoever looks beside it sees that.

    >>> roomy(np.arange(3.0))
    array([0., 1., 2.])
    """
    array = np.asarray(array)
    memory = np.full(array.size + 2 * ROOM, np.nan, array.dtype)
    memory[ROOM : ROOM + array.size] = array.ravel()
    return memory[ROOM : ROOM + array.size].reshape(array.shape)


def is_astray(view):
    """Does a view lead out of the memory that it looks at? To read it could end Python.

    >>> memory, look = np.zeros(4), np.lib.stride_tricks.as_strided
    >>> is_astray(look(memory, (2, 3), (8, 8))), is_astray(look(memory, (2, 3), (16, 8)))
    (False, True)
    """
    owner = view
    while getattr(owner, "base", None) is not None:
        owner = owner.base
    if not isinstance(owner, np.ndarray) or not view.size:
        return False
    (first, last), (start, end) = _ends(view), _ends(owner)
    return not start <= first <= last <= end


def _ends(array):
    """Where in memory the first byte of an array is, and the last one."""
    steps = [(n - 1) * step for n, step in zip(array.shape, array.strides, strict=True)]
    place = array.__array_interface__["data"][0]
    below, above = (sum(step for step in steps if sign * step > 0) for sign in (-1, 1))
    return place + below, place + above + array.itemsize - 1


def windows_by_hand(x, kernel, stride, dilation):
    """What each kernel element sees, copied element by element of the kernel.

    >>> windows_by_hand(np.array([[1.0, 2.0, 4.0]]), (1, 2), (1, 1), (1, 1))[0]
    array([[[1., 2.]],
    <BLANKLINE>
           [[2., 4.]]])
    """
    places = [starts(*sizes) for sizes in zip(x.shape[-2:], kernel, stride, dilation, strict=True)]
    out = np.empty((*x.shape[:-2], *kernel, *map(len, places)), x.dtype)
    for i, j in np.ndindex(kernel):
        rows, columns = [
            np.array(p) + k * d for p, k, d in zip(places, (i, j), dilation, strict=True)
        ]
        out[..., i, j, :, :] = x[..., rows[:, None], columns]
    return out


def added_by_hand(windows, shape, kernel, stride, dilation):
    """Each number of windows added to its place in zeros of `shape`."""
    whole = np.zeros(shape)
    numbers = np.arange(whole.size).reshape(shape)
    np.add.at(whole.reshape(-1), windows_by_hand(numbers, kernel, stride, dilation), windows)
    return whole


def convolved_by_hand(x, w, settings, groups):
    """Each kernel at each window: multiply, and add up; the channels dealt out to `groups`.

    >>> x, kernel = np.array([[[[1.0, 2.0, 4.0]]]]), np.array([[[[-1.0, 1.0]]]])
    >>> convolved_by_hand(x, kernel, ((1, 2), (1, 1), (1, 1)), 1)
    array([[[[1., 2.]]]])
    """
    seen = windows_by_hand(x, *settings)
    width, count = w.shape[1], len(w) // groups
    z = np.zeros((len(x), len(w), *seen.shape[-2:]), x.dtype)
    for o in range(len(w)):
        part = seen[:, o // count * width :][:, :width]
        z[:, o] = (part * w[o][None, :, :, :, None, None]).sum(axis=(1, 2, 3))
    return z


def starts(length, kernel, stride, dilation):
    """Where windows begin."""
    return range(0, length - dilation * (kernel - 1), stride)


def images(height=5, width=6):
    """Arrays (..., height, width), laid out in memory in all kinds of ways, with their names."""
    rng = np.random.default_rng(5)
    for leading, dtype in in_kinds(((), (1, 2, 2), (2, 3), (0, 2))):
        x = rng.uniform(-3, 3, (*leading, height, width)).astype(dtype)
        yield roomy(x), f"{x.shape}, {x.dtype}"
    x = rng.integers(-3, 4, (2, height, width))
    yield x, f"{x.shape}, {x.dtype}"
    x = rng.uniform(-3, 3, (2, width, height))
    yield roomy(x).swapaxes(-1, -2), f"(2, {height}, {width}), the transpose of another"
    x = rng.uniform(-3, 3, (2, 2 * height, 3 * width))
    yield roomy(x)[:, ::2, ::3], f"(2, {height}, {width}), every second row of another"
    yield roomy(x[:, :height, :width])[:, ::-1, ::-1], f"(2, {height}, {width}), turned around"
    x, two = rng.uniform(-3, 3, (3, 4, height, width)), f"{height}, {width}"
    yield roomy(x)[:, ::-2], f"(3, 2, {two}), every second channel of another, from behind"
    yield roomy(x).swapaxes(0, 1), f"(4, 3, {two}), channels before pictures in memory"
    yield np.broadcast_to(roomy(x[0, 0]), (2, 3, height, width)), f"(2, 3, {two}), all the same one"


def settings_lost(settings):
    """Slips where add_windows was given others than these: kernel, stride and dilation.

    >>> [reason for _, reason in settings_lost(((1, 2), (1, 3), (1, 1)))][1]
    'add_windows has other numbers for stride than (1, 3): hand on all of *sizes'
    """
    named = zip(("kernel", "stride", "dilation"), map(tuple, settings), strict=True)
    says = "add_windows has other numbers for {} than {}: hand on all of *sizes".format
    return [(partial(_has_others, *each), says(*each)) for each in named]


def _has_others(name, want, error):
    return tuple(calls_of("sum_of_windows", error)[-1][name]) != want


def sums_in_some_axes(_=None):
    """Is sum_of_windows right with so many axes in front, and with others not?"""
    return len({_sums_with(front) for front in ((), (2,), (2, 3), (2, 1, 3))}) > 1


def _sums_with(front):
    """Is sum_of_windows right with these axes in front?"""
    import tinytorch as tt

    x, shape = np.arange(1.0, 12 * math.prod(front) + 1), (*front, 2, 4)
    given = x.reshape(*front, 2, 2, 1, 3), shape, (2, 2), (1, 1), (1, 1)
    try:
        return np.array_equal(tt.nn.windows.sum_of_windows(*given), added_by_hand(*given))
    except Exception:
        return False


ANY_AXES = (
    sums_in_some_axes,
    "`shape` may have any axes before its last two, or none, and so may x before its last four",
)


def _windows_work():
    import tinytorch as tt

    x = np.arange(2 * 7 * 8.0).reshape(2, 7, 8)
    for settings in SETTINGS[:-1]:
        got = tt.nn.windows.windows_of(roomy(x), *settings)
        if is_astray(got) or not got.flags.writeable:
            return False
        if not np.array_equal(got, windows_by_hand(x, *settings)):
            return False
    return np.shares_memory(tt.nn.windows.windows_of(x, *SETTINGS[1]), x)


def _convolutions_work():
    import tinytorch as tt

    x, w = np.arange(2 * 4 * 5 * 6.0).reshape(2, 4, 5, 6), np.arange(72.0).reshape(6, 2, 3, 2)
    got = tt.nn.conv.convolved(x, w, list(SETTINGS[2]), 2)
    return np.allclose(got, convolved_by_hand(x, w, SETTINGS[2], 2))


# to write to wrong places could be the end
needs_windows = needs({"12.1": _windows_work})
needs_convolved = needs({"12.1": _windows_work, "12.3": _convolutions_work})
