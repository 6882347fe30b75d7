"""A plain number beside a tensor: how it fits into the dtype, and what is kept of the input."""

import pytest
from beside_torch import programs_in, same_answer

import tinytorch


def _error(action):
    try:
        action()
    except RuntimeError:
        return "refused"
    return "done"


def numbers_that_do_not_fit(t):
    found = []
    for value in (300, -1, 256, -129, 2**40, 2**63, -(2**63), 2**64 - 3):
        for dtype in (t.uint8, t.int8, t.int16, t.int32, t.int64):
            for x in (t.tensor(5, dtype=dtype), t.tensor([5, 7], dtype=dtype)):
                found += [x + value, value + x, x - value, value - x, x * value]
                found += [x & value, value | x, x ^ value]
    return found


def numbers_that_do_not_fit_divided(t):
    found = []
    for x in (t.tensor(7, dtype=t.uint8), t.tensor([7, 3], dtype=t.uint8)):
        found += [x // 300, x % 300, 300 // x, 300 % x, 300**x, x << 3, 300 << x, 300 >> x]
        found += [x / 300, 300 / x, -1 / x, x / -1, t.rsub(x, 300), t.fmod(x, 300)]
        found += [x + True, x + 300.5, x.bool() + 300, t.div(x, 300, rounding_mode="floor")]
        x += 300
        found += [x, x.float() + 300]
    return found


def booleans_added_at_an_index(t):
    x, one = t.tensor([True, False]), t.tensor([True])
    found = [x.index_add(0, t.tensor([i]), one, alpha=a) for i in (0, 1) for a in (0, 1, 2, True)]
    found += [x.index_add(0, t.tensor([0, 1, 1]), t.tensor([True, False, True]))]
    other = _error(lambda: x.index_add(0, t.tensor([0]), t.tensor([1])))
    return found, x.index_add_(0, t.tensor([1]), one), x, other


def inputs_that_change_afterwards(t):
    found = []
    operations = [
        lambda z: z.expm1(),
        lambda z: 2 / z,
        lambda z: 3.5 / z,
        lambda z: -1 / z.double(),
        lambda z: t.special.expm1(z),
        lambda z: z / 2,
        lambda z: z.reciprocal(),
    ]
    for operation in operations:
        x = t.tensor([0.5, -2.0, 4.0, 0.0], requires_grad=True)
        z = x * 1
        y = operation(z)
        z.mul_(3)
        y.sum().backward()
        found += [y.detach(), x.grad]
    return found


def quotients_of_numbers(t):
    found = []
    for number in (0, 0.0, 2, -1e-38, 1e38, float("inf"), float("nan"), True, 10**12):
        x = t.tensor([0.5, -2.0, 1e20, 1e-20, float("inf"), float("nan")], requires_grad=True)
        y = number / x
        (first,) = t.autograd.grad(y.sum(), x, create_graph=True)
        (second,) = t.autograd.grad(first.sum(), x)
        found += [y.detach(), first.detach()[:2], second[:2]]
    return found, 3 / t.tensor([2, 4]), 3 / t.tensor([2.0, 4.0]).half()


@pytest.mark.parametrize("program", programs_in(globals()), ids=lambda f: f.__name__)
def test_a_program_says_the_same(program):
    same_answer(program)


def test_comparisons_are_by_value():
    for x in (tinytorch.tensor(44, dtype=tinytorch.uint8), tinytorch.tensor([44]).byte()):
        assert bool(x < 300) and bool(x > -1) and not bool(x == 300)


def test_slopes_of_quotients_and_expm1():
    x = tinytorch.tensor([0.5, -2.0], dtype=tinytorch.float64, requires_grad=True)
    for function in (lambda x: 3 / x, tinytorch.expm1):
        assert tinytorch.gradcheck(function, (x,)) and tinytorch.gradgradcheck(function, (x,))
