"""assert_close(), beside PyTorch's: what is close, what is an error, what the message says."""

import numpy as np
import pytest
from beside_torch import programs_in, same_answer

import tinytorch
from tinytorch.testing import assert_close


def _ends(t, *pairs, **settings):
    """For each pair the name of the error that assert_close() raises, or None."""
    found = []
    for actual, expected in pairs:
        try:
            t.testing.assert_close(actual, expected, **settings)
            found.append(None)
        except (AssertionError, TypeError, ValueError) as error:
            found.append(type(error).__name__)
    return found


def within_the_tolerance_of_the_dtype(t):
    pairs = []
    for dtype, off in [
        (t.float16, 9e-4),
        (t.float32, 1.2e-6),
        (t.float64, 1e-7),
        (t.float64, 3e-7),
    ]:
        pairs.append((t.ones(2, dtype=dtype) * (1 + off), t.ones(2, dtype=dtype)))
    whole = t.tensor([2**60 + 1]), t.tensor([2**60])
    return _ends(t, *pairs, whole), _ends(t, *pairs, rtol=0, atol=0.5)


def infinities_and_nan(t):
    inf, nan = t.tensor([float("inf")]), t.tensor([float("nan")])
    pairs = [(inf, inf), (inf, -inf), (inf, t.ones(1)), (t.ones(1), inf), (nan, nan), (nan, inf)]
    return _ends(t, *pairs), _ends(t, *pairs, equal_nan=True)


def what_may_differ(t):
    x = t.ones(2)
    pairs = [(x, x.double()), (x, x.int()), (x, x[:1]), (x, t.ones(4)[::2]), (x, x[None])]
    return (
        _ends(t, *pairs),
        _ends(t, *pairs, check_dtype=False),
        _ends(t, *pairs, check_stride=True),
    )


def what_can_be_compared(t):
    x = t.tensor(1.0)
    pairs = [(1, 1), (1, 1.0), (1.0, 1.0 + 1e-9), (True, False), (None, None), ("a", "a"), (x, 1.0)]
    pairs += [(np.ones(2), np.ones(2)), (x, np.float32(1)), (None, x)]
    return _ends(t, *pairs)


def sequences_and_mappings(t):
    x = t.tensor([1.0])
    pairs = [([x], [x]), ([x], (x,)), ([x, x], [x]), ([[x]], [[x + 1]]), ({"a": x}, {"a": x})]
    return _ends(t, *pairs, ({"a": x}, {"b": x}), ({"a": x}, {"a": [x]}))


def one_tolerance_alone(t):
    return t.testing.assert_close(t.ones(1), t.ones(1), rtol=0.1)


def a_message_of_ones_own(t):
    found = []
    for msg in ("off", lambda text: "so: " + text[:10]):
        try:
            t.testing.assert_close(t.ones(1), t.zeros(1), msg=msg)
        except AssertionError as error:
            found.append(str(error))
    return found


@pytest.mark.parametrize("program", programs_in(globals()), ids=lambda program: program.__name__)
def test_both_libraries_give_the_same_answer(program):
    same_answer(program)


def test_the_message_says_how_many_where_and_by_how_much():
    actual = {"w": [tinytorch.tensor([[1.0, 2.0], [3.0, 4.0]])]}
    expected = {"w": [tinytorch.tensor([[1.0, 2.5], [3.0, 5.0]])]}
    with pytest.raises(AssertionError) as error:
        assert_close(actual, expected)
    assert str(error.value).splitlines() == [
        "Tensor-likes are not close, item ['w'][0]!",
        "",
        "Mismatched elements: 2 / 4 (50.0%)",
        "Greatest absolute difference: 1.0 at index (1, 1) (up to 1e-05 allowed)",
        "Greatest relative difference: 0.2 at index (0, 1) (up to 1.3e-06 allowed)",
    ]
