"""Slopes at the edges: at NaN and infinity, beside them, outside of where a function lives."""

import math

import numpy as np
import pytest
from beside_torch import programs_in, same_answer, since

import tinytorch

INF, NAN = math.inf, math.nan
NUMBERS = [-INF, -3.0, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 2.0, 3.0, INF, NAN]


def _slopes(t, function, numbers=NUMBERS, upstream=None):
    """What the function gives, and its slopes, times what comes from behind."""
    x = t.tensor(numbers, requires_grad=True)
    y = function(x)
    y.backward(t.ones_like(y) if upstream is None else t.tensor(upstream))
    return y.detach(), x.grad


# --- steps: no slope, whatever comes from behind ---


def steps_before_something_infinite(t):
    functions = (
        t.round, t.floor, t.ceil, t.trunc, t.sign, t.angle, t.frac, t.sgn,
        lambda x: x.round(decimals=1), lambda x: x**0, lambda x: t.pow(x, t.tensor(0.0)),
        lambda x: t.div(x, 2, rounding_mode="floor"), lambda x: t.div(x, 2, rounding_mode="trunc"),
        lambda x: t.copysign(t.tensor([1.0, 1.0]), x),
        lambda x: t.remainder(x, 2.0), lambda x: x.clone().floor_(),
    )  # fmt: skip
    # with x beside it, as some zeros of PyTorch's hold no numbers yet
    return [_slopes(t, lambda x, f=f: t.cat([f(x), x]), [0.2, 2.0], [INF, NAN, 0.0, 0.0])
            for f in functions]  # fmt: skip


def choosing_between_a_step_and_nothing(t):
    x = t.tensor([0.2, 2.0], requires_grad=True)
    t.where(x > 1, 1 / x.round(), 0.0 * x).sum().backward()
    return x.grad


def slopes_of_remainders_of_infinities(t):
    found = []
    for number in (1.0, -1.0, 3.5):
        y = _slopes(t, lambda x, n=number: t.remainder(t.tensor(n), x))
        found += [*y, *_slopes(t, lambda x, n=number: t.fmod(t.tensor(n), x))]
    return found


# --- the middle and the ends of what holds infinities or NaN ---


def middles_of_infinities(t):
    found = []
    for numbers in ([INF, 1.0, INF], [-INF, -INF], [1.0, -INF, 2.0], [1.0, NAN], [2.0, 2.0, 3.0]):
        found += _slopes(t, lambda x: x.median(), numbers)
        found += _slopes(t, lambda x: x.nanmedian(), numbers)
    return found, _slopes(t, lambda x: x.nanmedian(), [NAN, NAN])


def the_first_of_several_nan(t):
    found = []
    for numbers in ([NAN, 1.0, NAN], [1.0, NAN, 2.0, NAN], [NAN, NAN], [3.0, 1.0, 2.0, 1.0]):
        x = t.tensor(numbers, requires_grad=True)
        values, indices = x.median(0)
        values.backward()
        found += [values.detach(), indices, x.grad, t.stack([x, x]).median(1).indices]
    return found


@since("2.14")
def ends_of_what_holds_nan(t):
    found = []
    for numbers in ([1.0, NAN], [NAN, NAN], [1.0, 2.0, NAN, 2.0], [2.0, 2.0, INF]):
        for f in (t.amax, t.amin, lambda x: t.amax(x, 0, True), lambda x: sum(t.aminmax(x))):
            found += _slopes(t, f, numbers)
        for f in (t.max, t.min, lambda x: x.norm(math.inf), lambda x: x.norm(-math.inf)):
            found += _slopes(t, f, numbers)
    rows = t.tensor([[1.0, 2.0], [NAN, 3.0]], requires_grad=True)
    (rows.amax(1) * t.tensor([1.0, 2.0])).sum().backward()
    return found, rows.grad


# --- outside of where a function lives ---


def slopes_outside(t):
    entr, logit = t.special.entr, t.logit
    found = [_slopes(t, f) for f in (entr, logit, t.special.logit, lambda x: logit(x, 0.1))]
    return found, logit(t.tensor([0, 1])), entr(t.tensor([0, 1, 2]))


def slopes_of_signs_that_are_given(t):
    return [_slopes(t, lambda x, s=s: t.copysign(x, t.tensor(s))) for s in (-1.0, -0.0, 0.0, INF)]


def powers_of_minus_nothing(t):
    return [_slopes(t, lambda x, p=p: x**p) for p in (0.5, -0.5, 1.5, -1)]


@since("2.14")
def activations_at_their_ends(t):
    F = t.nn.functional
    functions = F.relu6, F.hardtanh, F.hardsigmoid, F.hardswish, F.elu, F.selu, F.celu
    found = [_slopes(t, f) for f in functions]
    return found, _slopes(t, lambda x: F.elu(x, 2.0)), _slopes(t, lambda x: F.hardtanh(x, -1, 1))


def distances_from_nan_and_infinity(t):
    pdist, found = t.nn.functional.pdist, []
    for numbers in ([1.0, NAN, 2.0], [1.0, 3.0, 3.0]):
        found += _slopes(t, lambda x: t.cdist(x[:, None], x[:, None], p=1), numbers)
        found += _slopes(t, lambda x: pdist(x[:, None], p=1), numbers)
        found += _slopes(t, lambda x: pdist(x[:, None], p=INF), numbers)
    return found, _slopes(t, lambda x: t.cdist(x[:, None], x[:, None], p=1), [1.0, INF, 2.0])


def roots_of_negative_sums(t):
    F, numbers = t.nn.functional, [-1.0, -2.0, -3.0, 1.0, 0.0, 0.0, 1.0, 2.0]
    rows = [_slopes(t, lambda x, p=p: F.lp_pool1d(x[None, None], p, 2), numbers) for p in (1, 2, 3)]
    image = _slopes(t, lambda x: F.lp_pool2d(x.reshape(1, 1, 4, 2), 3, 2), numbers)
    return rows, image


# --- zeros that are exact ---


def logarithms_of_one(t):
    numbers = [0.5, 1.0, 1.5, 2.0, 3.0, 100.0]
    found = [t.lgamma(t.tensor(numbers, dtype=dtype)) for dtype in (t.float32, t.float64)]
    exact = [(t.lgamma(t.tensor([1.0, 2.0], dtype=d)) == 0) for d in (t.float32, t.float64)]
    return found, exact, t.lgamma(t.tensor([1, 2, 3])) == 0


def half_sinc(t):
    numbers = [-2.0, -1.0, 0.0, 0.1, 0.3, 0.5, 1.0, 1.43, 1.5, 2.0, 3.0, 20.0]
    x = t.tensor(numbers, dtype=t.float16, requires_grad=True)
    y = t.sinc(x)
    return (y.abs() < 1e-6), y.detach()


# --- counts, which have no slope either ---


def counts_of_what_is_not_zero(t):
    found = []
    for norm in (t.norm, t.linalg.norm, t.linalg.vector_norm, lambda x, p: x.norm(p, dim=0)):
        for numbers in ([1.0, 0.0, NAN], [0.0, 0.0]):
            found += _slopes(t, lambda x, n=norm: t.cat([n(x, 0)[None], x]), numbers)
    pairs = [_slopes(t, lambda x: t.cdist(x[:, None], x[:, None], p=0), [1.0, 1.0, 2.0])]
    rows = t.zeros(2, 3).requires_grad_()
    return found, pairs, rows.norm(0, dim=1).requires_grad, rows.norm(0, dim=1)


def products_of_nothing(t):
    x = t.zeros(0, 3, requires_grad=True)
    y = x.cumprod(0)
    y.sum().backward()
    return y.requires_grad, y.detach(), x.grad


# --- images whose size stays, or doubles ---


@since("2.14")
def scales_that_change_no_length(t):
    found = []
    for mode, count in {"linear": 1, "bilinear": 2, "trilinear": 3, "nearest": 2}.items():
        for scale in (1.0, 1.05, 1.3, 2.0, 2.2, 0.5, 3.1):
            x = (t.arange(3.0**count) ** 2).reshape(1, 1, *[3] * count).requires_grad_()
            y = t.nn.functional.interpolate(x, scale_factor=scale, mode=mode)
            (y * t.arange(float(y.numel())).reshape(y.shape)).sum().backward()
            found += [y.detach(), x.grad]
    return found


def scales_of_each_side(t):
    x, found = (t.arange(6.0) ** 2).reshape(1, 1, 2, 3), []
    for scale in ((2.2, 1.1), (1.1, 2.2), (2.2, 3.0), (1.4, 1.3)):
        for mode in ("nearest", "nearest-exact", "bilinear", "bicubic"):
            found += [t.nn.functional.interpolate(x, scale_factor=scale, mode=mode)]
    return found


def lines_of_numbers_and_bodies(t):
    F, x, body = t.nn.functional, t.arange(4.0)[None, None], t.arange(8.0).reshape(1, 1, 2, 2, 2)
    return [F.interpolate(i, scale_factor=s) for i in (x, body) for s in (1.05, 1.3, 2.0, 2.2)]


# --- what has no elements, or one ---


def different_slices_of_nothing(t):
    tall, wide = t.zeros(0, 2), t.zeros(2, 0)
    every = t.unique(tall, dim=0, return_inverse=True, return_counts=True)
    return t.unique(tall, dim=0), t.unique(wide, dim=1), every, t.unique(tall)


def slices_without_numbers(t):
    return t.unique(t.zeros(2, 0), dim=0)


def slices_without_numbers_of_none(t):
    return t.unique(t.zeros(0, 2), dim=1)


def the_middle_of_no_column(t):
    return t.zeros(2, 0).median(1)


def the_middle_of_no_number(t):
    return t.tensor([]).median(), t.zeros(2, 0).median(0).values


def one_sample_without_a_batch(t):
    F, x, found = t.nn.functional, t.tensor([1.0, 2.0, 3.0, 4.0]), []
    for target in (t.tensor([2]), t.tensor(2)):
        for settings in (dict(), dict(reduction="none"), dict(reduction="sum", weight=x)):
            found += [F.cross_entropy(x, target, **settings), F.nll_loss(x, target, **settings)]
    smooth = F.cross_entropy(x, t.tensor(2), label_smoothing=0.1)
    return found, smooth, t.nn.CrossEntropyLoss()(x, t.tensor([3]))


@pytest.mark.parametrize("program", programs_in(globals()), ids=lambda f: f.__name__)
def test_a_program_says_the_same(program):
    same_answer(program)


@pytest.mark.parametrize("name", ["median", "nanmedian"])
def test_integers_that_are_not_there_have_no_middle(name):
    with pytest.raises(RuntimeError, match="of no integers"):
        getattr(tinytorch.tensor([], dtype=tinytorch.int64), name)()


def test_the_slope_of_half_sinc():
    numbers = np.array([0.0, 0.1, 0.3, 0.5, 1.0, 1.43, 1.5, 2.0, 2.46, 20.0], np.float16)
    half, double = [tinytorch.tensor(numbers.astype(d), requires_grad=True) for d in ("e", "d")]
    tinytorch.sinc(half).sum().backward()
    tinytorch.sinc(double).sum().backward()
    np.testing.assert_allclose(half.grad, double.grad, rtol=2e-3, atol=2e-4)


def test_slopes_that_are_zero_can_be_recorded():
    for step in (tinytorch.round, lambda x: x.norm(0), lambda x: x**0):
        x = tinytorch.tensor([1.5, 2.0], requires_grad=True)
        (slope,) = tinytorch.autograd.grad(step(x).sum(), x, create_graph=True)
        (slope + x * x).sum().backward()
        assert slope.tolist() == [0, 0] and x.grad.tolist() == [3, 4]


def test_proven_by_nudging():
    x = tinytorch.tensor([0.2, 0.7], dtype=tinytorch.float64, requires_grad=True)
    y = tinytorch.tensor([-1.0, 3.0], dtype=tinytorch.float64, requires_grad=True)
    for function in (tinytorch.logit, tinytorch.special.entr, tinytorch.median):
        assert tinytorch.gradcheck(function, (x,)) and tinytorch.gradgradcheck(function, (x,))
    for function in (tinytorch.copysign, tinytorch.pow, tinytorch.remainder):
        assert tinytorch.gradcheck(function, (x, y)) and tinytorch.gradgradcheck(function, (x, y))
