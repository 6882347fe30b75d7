"""The edges of operations: no dimensions, no elements, integers, weights that are drawn twice."""

import math

import numpy as np
import pytest
from beside_torch import programs_in, same_answer, since

import tinytorch


def _leaf(t, *numbers):
    return t.tensor(*numbers, dtype=t.float64, requires_grad=True)


def _with_gradient(x, *results):
    for number, result in enumerate(results, 1):
        (result.sum() * number).backward()
    return [result.detach() for result in results], x.grad


def places_of_a_number(t):
    x, first, one = _leaf(t, 2.0), t.tensor([0]), t.tensor([4.0], dtype=t.float64)
    results = [x.index_select(0, first), x.index_fill(0, first, 3.0), x.index_copy(0, first, one)]
    results += [x.index_add(0, first, one[0]), x.scatter_add(-1, first, one)]
    results += [x.scatter(0, first, one), x.scatter(0, t.tensor(0), 4.0)]
    results += [x.scatter_reduce(0, first, one, "amax")]
    return _with_gradient(x, *results)


def one_place_of_a_vector(t):
    x, at = _leaf(t, [1.0, 2.0, 3.0]), t.tensor(1)
    two = t.tensor(2.0, dtype=t.float64)
    results = [x.scatter(0, at, 5.0), x.scatter(0, at, two), x.scatter_add(0, at, two)]
    return _with_gradient(x, *results, x.gather(0, at))


def no_place_at_all(t):
    x, nowhere, src = t.ones(2, 2), t.zeros(0, dtype=t.int64), t.ones(2, 2)
    results = [x.scatter(0, nowhere, src), x.scatter_add(1, nowhere, src)]
    return *results, x.scatter_reduce(0, nowhere, src, "sum"), x.scatter(0, nowhere, 3.0)


def batches_of_nothing(t):
    nn, found = t.nn, []
    row, image = t.zeros(0, 3, requires_grad=True), t.zeros(0, 3, 4, 4, requires_grad=True)
    nowhere = t.zeros(0, 3, 2, 2, dtype=t.int64)
    found += [nn.BatchNorm1d(3)(row), nn.BatchNorm2d(3)(image), nn.LayerNorm(3)(row)]
    found += [nn.MaxUnpool2d(2)(t.zeros(0, 3, 2, 2), nowhere), nn.GroupNorm(1, 3)(image)]
    found += [t.zeros(0, 3, 4).scatter(-1, nowhere[..., 0], nowhere[..., 0].float())]
    norm = nn.BatchNorm2d(3)
    norm(image).sum().backward()
    moments = norm.running_mean, norm.running_var, norm.num_batches_tracked
    return [list(x.shape) for x in found], moments, norm.bias.grad, image.grad.shape


def sums_named_by_numbers(t):
    a, b = t.arange(6.0).reshape(2, 3), t.arange(12.0).reshape(3, 4)
    results = [t.einsum(a, [0, 1], b, [1, 2], [0, 2]), t.einsum(a, [25, 27], b, [27, 26])]
    return *results, t.einsum(a, [..., 1], [...]), t.einsum(a, [0, 1])


def two_plain_numbers(t):
    return t.add(1.0, 2), t.mul(2, 3), t.true_divide(3, 2)


def no_correction_and_no_numbers(t):
    x, empty = t.tensor([1.0, 2.0, 4.0]), t.zeros(0)
    spreads = x.var(correction=None), x.std(correction=None)
    return *spreads, empty.median(), empty.nanmedian(), t.cat([empty, empty], 1)


def subsets_of_subsets(t):
    data = t.utils.data
    whole = data.TensorDataset(t.arange(5))
    part = data.Subset(data.Subset(whole, [4, 3, 2, 1]), [0, 2])
    chained = data.ConcatDataset([[0, 1], [2]])
    return part[:], part[1], data.DataLoader[int] is not None, type(_error_of(lambda: chained[5]))


def parts_by_their_names(t):
    net = t.nn.Sequential(t.nn.Linear(2, 3), t.nn.BatchNorm1d(3))
    found = [net.get_submodule("") is net, net.get_submodule("1") is net[1]]
    found += [net.get_parameter("0.weight") is net[0].weight]
    found += [net.get_buffer("1.running_mean") is net[1].running_mean]
    for name in ("x.y", "0.weight"):
        found.append(type(_error_of(lambda name=name: net.get_submodule(name))))
    found.append(type(_error_of(lambda: net.get_parameter("1.running_mean"))))
    return [*found, type(_error_of(lambda: net.get_buffer("0.weight")))]


def _error_of(call):
    try:
        return call()
    except Exception as error:
        return error


def numbers_that_are_none(t):
    nan = float("nan")
    x, rows = _leaf(t, [1.0, nan, 2.0]), t.tensor([[nan, 1.0], [nan, 1.0], [0.0, 0.0]])
    results = [x.quantile(0.5), x.nanquantile(0.5), x.quantile(_leaf(t, [0.0, 1.0]))]
    found = t.unique(t.tensor([nan, 1.0, nan]), return_inverse=True, return_counts=True)
    of_rows = t.unique(rows, dim=0, return_inverse=True, return_counts=True)
    return *_with_gradient(x, *results), found, of_rows


def rows_in_order(t):
    rows = t.tensor([[2, 0], [0, 1], [1, 2], [0, 1], [2, 0], [0, -1]])
    settings = dict(return_inverse=True, return_counts=True)
    return t.unique(rows, dim=0, **settings), t.unique(rows, dim=1, **settings)


def logits_far_from_0(t):
    logits, counts = t.tensor([-100.0, 100.0, 0.5]), t.tensor([0.0, 3.0, 1.0])
    return t.distributions.Binomial(3, logits=logits).log_prob(counts)


def kinds_of_random_integers(t):
    t.manual_seed(0)
    kinds = [t.bool, t.uint8, t.int8, t.float16, t.int64]
    drawn = [t.zeros(2000, dtype=kind).random_().double() for kind in kinds]
    found = [[x.min() >= 0, x.isfinite().all(), x.max() > 0] for x in drawn]
    mean = t.zeros(2000, dtype=t.bool).random_().double().mean()
    return found, drawn[0].max(), drawn[0].min(), 0.4 < mean.item() < 0.6


def shares_that_are_nearly_0(t):
    t.manual_seed(0)
    drawn = t.distributions.Beta(t.tensor(0.01), t.tensor(0.01)).sample([20000])
    return (drawn == 0).sum(), (drawn == 1).sum()


def pieces_of_nothing(t):
    empty = t.zeros(0, 2)
    return empty.chunk(3), t.combinations(t.arange(3), r=0), t.zeros(0, 1, 2, 0).stride()


def windows_are_a_view(t):
    x = _leaf(t, [1.0, 2.0, 3.0, 4.0, 5.0])
    y = x * 1
    seen = y.unfold(0, 3, 2)
    y[2] = 10.0
    return *_with_gradient(x, seen * seen), t.ones(2, 4, 3).unfold(1, 2, 1).shape


def copies_and_no_copies(t):
    x, pad = t.ones(1, 3, 4), t.nn.functional.pad
    for mode in ("constant", "reflect", "replicate", "circular"):
        pad(x, (0, 0), mode=mode).zero_()
        pad(x, (-1, 0), mode=mode).zero_()
    return x, x.flatten(1, 1) is x, t.ones(3, dtype=t.uint8).cumprod(0)


def the_order_of_a_number(t):
    x = _leaf(t, 2.0)
    pairs = [x.kthvalue(1), x.topk(1), x.mode(), x.cummax(0), x.cummin(-1)]
    return _with_gradient(x, *[pair[0] for pair in pairs]), [pair[1] for pair in pairs]


def chosen_from_a_number(t):
    x, many = _leaf(t, 2.0), t.tensor([True, False, True])
    source = t.arange(3.0, dtype=t.float64)
    return x.masked_scatter(t.tensor(True), source), x.masked_scatter(many, source)


def shares_of_a_number(t):
    x, half = _leaf(t, 2.0), _leaf(t, [0.5, 0.25])
    results = [x.quantile(0.5, dim=0, keepdim=True), x.quantile(half, dim=0, keepdim=True)]
    return _with_gradient(x, *results)


def slopes_of_shares(t):
    x, q = _leaf(t, [3.0, 1.0, 7.0]), _leaf(t, [0.4, 0.9])
    return _with_gradient(q, x.quantile(q), x.nanquantile(q)), x.grad


def a_slope_of_what_is_filled_twice(t):
    value = _leaf(t, 1.0)
    return _with_gradient(value, t.zeros(3, dtype=t.float64).index_fill(0, t.tensor([1, 1]), value))


def no_differences(t):
    x = t.arange(4)
    return [x.diff(n=0), x.diff(n=0, append=x), x.diff(n=9, append=x)]


def angles_of_what_broadcasts(t):
    x = t.arange(12.0).reshape(3, 4) - 5
    f = t.nn.functional.cosine_similarity
    return [f(x, x[0], dim=0), f(x, x[:1], dim=0), f(x[:, None], x[None], dim=-1)]


def norms_at_zero(t):
    x = _leaf(t, [[0.0, 0.0], [0.0, 4.0]])
    return _with_gradient(x, *[x.norm(p, dim=1) for p in (0.5, 1, 1.5, 2, 3, -1, -2.5)])


def signs_of_nothing(t):
    return [t.tensor([float("nan"), -0.0, -2.0] * 9).sign(), t.tensor(float("nan")).sgn()]


def a_result_of_gelu_changed_in_place(t):
    x = _leaf(t, [-1.0, 0.5])
    y = t.nn.functional.gelu(x)
    y.mul_(2).add_(1)
    return _with_gradient(x, y)


def nothing_repeated_and_filled(t):
    return t.zeros(0, 2).repeat(2, 1, 3).fill_(3.0)


@since("2.14")
def whole_numbers_in_equal_steps(t):
    steps = [t.linspace(*ends, 5, dtype=t.int64) for ends in ((4, 3), (-3.7, 3.7), (4.9, 9.2))]
    ratios = [t.logspace(0.5, 2.9, 3, dtype=t.int64)]
    ranges = [(1.9, 5.5, 0.7), (0.5, 3.5, 1), (0, 3, 1.5), (2.6, -1.2, -1.3), (0, -5, -1.7)]
    return steps, ratios, [t.arange(*each, dtype=t.int64) for each in ranges]


def activations_of_integers(t):
    x = t.arange(-2, 9)
    return [t.nn.functional.relu6(x), t.nn.functional.hardtanh(x, -1, 3), t.nn.functional.relu(x)]


def a_slope_for_a_number(t):
    return t.nn.functional.prelu(t.tensor(-2.0), t.tensor([0.5]))


def squares_of_truth(t):
    return t.tensor([True, False]).square()


def logarithms_held_off_the_edges(t):
    x = t.tensor([0.0, 0.1, 0.5, 0.9, 1.0])
    return x.logit(0.6), x.logit(1e-3), t.tensor([True, False]).logit(), t.tensor([0, 1]).logit(0.2)


def norms_of_what_is_infinite(t):
    inf = float("inf")
    vectors = [t.tensor(v) for v in ([inf, 0.0], [inf, inf], [inf, 1.0], [0.0, 0.0])]
    return [t.linalg.vector_norm(v, ord=p) for v in vectors for p in (-2, -1, 0, 1, 2, 3)]


def no_pieces(t):
    return t.tensor_split(t.ones(3), 0)


def a_negative_length(t):
    return t.bincount(t.tensor([1, 2]), minlength=-1)


def pixels_of_a_vector(t):
    return t.nn.functional.pixel_shuffle(t.ones(4), 2)


def pixels_out_of_a_vector(t):
    return t.nn.functional.pixel_unshuffle(t.ones(4), 2)


def a_cell_without_a_state(t):
    return list(t.nn.RNNCell(3, 0)(t.ones(2, 3)).shape)


def tails_without_a_mean(t):
    d = t.distributions.Cauchy(0.0, 1.0)
    return d.mean, d.variance


def nothing_to_lay_out(t):
    F, x = t.nn.functional, t.zeros(0, 8, 2, 2)
    return [F.pixel_shuffle(x, 2), F.pixel_unshuffle(x, 2), F.group_norm(x, 4)]


def systems_of_vectors(t):
    matrices = t.tensor([[[2.0, 0.0], [0.0, 4.0]], [[1.0, 1.0], [0.0, 1.0]]])
    return t.linalg.solve(matrices, t.tensor([[2.0, 2.0], [3.0, 1.0]]))


def activations_of_nan_and_infinity(t):
    F, x = t.nn.functional, t.tensor([float("nan"), float("inf"), 1e4])
    functions = F.hardshrink, F.softshrink, F.hardswish, F.hardtanh, F.elu, F.silu
    return [f(x) for f in functions], F.threshold(x, 3.0, 2.0), F.threshold(-x, 3.0, 2.0)


def slopes_far_out(t):
    F, found = t.nn.functional, []
    for function in (F.elu, F.selu, F.celu, F.hardswish):
        x = t.tensor([-20.0, -50.0, float("inf"), 3.5], requires_grad=True)
        function(x).sum().backward()
        found.append(x.grad)
    return found


def parts_of_numbers_next_to_zero(t):
    return list(t.frexp(t.tensor([1e-40, -1e-45, 6.0, 0.0, float("inf")])))


def gamma_far_below_zero(t):
    x = t.tensor([-10000.5, -170.3, -1e4, -0.3, 0.2, float("-inf")], dtype=t.float64)
    return t.lgamma(x), t.digamma(x[:5])


@since("2.14")
def bounds_that_are_tensors(t):
    nan, found = float("nan"), []
    for clamp in (t.clamp_min, t.clamp_max, t.clamp, lambda x, y: t.clamp(x, max=y)):
        x, y = _leaf(t, [1.0, 2.0, 3.0]), _leaf(t, [2.0, 2.0, 2.0])
        clamp(x, y).sum().backward()
        found += [x.grad, y.grad, clamp(x.detach(), t.tensor([nan, 5.0, nan]))]
    return found


@since("2.14")
def slopes_at_a_bound(t):
    found = []
    for bounds in ((2, None), (None, 2.0), (2.0, 2.0), (1, 2), (t.tensor(2.0), t.tensor(3.0))):
        x = t.tensor([1.0, 2.0, 3.0, float("nan")], requires_grad=True)
        y = x.clamp(*bounds)
        y.sum().backward()
        found += [y.detach(), x.grad[:3]]
    return found


def a_number_beside_its_like(t):
    x, big = t.tensor([1.0, -1.0]), t.tensor([1.0, -1.0], dtype=t.float64)
    quotients = [x / 0.0, x / -0.0, x / 0.0, x / float("nan"), x * 0.1, big * 0.1, big - 0.1]
    leaf = x.clone().requires_grad_()
    (leaf * 0.1 + leaf * 0.1).sum().backward()
    return quotients, leaf.grad


@since("2.14")
def slopes_at_special_numbers(t):
    nan, inf, F = float("nan"), float("inf"), t.nn.functional
    numbers = [nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 3.0, -3.0, 6.0, 0.5, -0.5, 1e30, -1e30]
    plain = (F.relu, F.hardsigmoid, F.leaky_relu, F.softplus, lambda x: x.clamp(-1, 1), abs)
    plain += tuple(lambda x, f=f: f(x, t.zeros(14)) for f in (F.smooth_l1_loss, F.huber_loss))
    found = []
    for function in plain:
        x = t.tensor(numbers, requires_grad=True)
        function(x).sum().backward()
        found.append(x.grad)
    return found


@since("2.14")
def the_larger_and_smaller_beside_nan(t):
    nan, found = float("nan"), []
    for function in (t.maximum, t.minimum):
        x, y = _leaf(t, [nan, nan, 1.0, 2.0, 2.0]), _leaf(t, [nan, 2.0, nan, 2.0, 3.0])
        result = function(x, y)
        result.sum().backward()
        found += [result.detach(), x.grad, y.grad]
    return found


def slopes_of_quotients_of_tiny_numbers(t):
    x = t.tensor([1e-30, 0.0, 1e30, float("inf")], requires_grad=True)
    y = t.tensor([1e-25, 1e-40, 1e25, 3e38], requires_grad=True)
    (x / y).sum().backward()
    return x.grad, y.grad


def powers_of_nothing(t):
    x, y = _leaf(t, [float("inf"), float("nan"), 0.0, 2.0]), t.zeros(4, dtype=t.float64)
    (x**y).sum().backward()
    return x.grad, t.xlogy(y, x.detach()), t.special.xlog1py(y, x.detach())


def powers_of_infinity(t):
    return t.vander(t.tensor([float("inf"), 2.0, float("nan")]))


def slopes_beside_infinity(t):
    return t.gradient(t.tensor([1.0, float("inf"), 2.0, 3.0, 5.0]))[0]


@pytest.mark.parametrize("program", programs_in(globals()), ids=lambda f: f.__name__)
def test_a_program_says_the_same(program):
    same_answer(program)


def test_the_slope_of_sinc_next_to_zero():
    x = tinytorch.tensor([1e-40, 1e-8, 1e-4, -0.01], dtype=tinytorch.float64, requires_grad=True)
    tinytorch.sinc(x).sum().backward()
    want = -(math.pi**2) / 3 * x.detach() + math.pi**4 / 30 * x.detach() ** 3
    np.testing.assert_allclose(x.grad, want, rtol=1e-7, atol=0)


def test_the_slopes_of_a_long_signal_need_no_matrix():
    (slopes,) = tinytorch.gradient(tinytorch.arange(1_000_000.0) / 4)
    assert (slopes - 0.25).abs().max() < 1e-2


def test_the_number_beside_nan_hears_all():
    for operation in (tinytorch.fmax, tinytorch.fmin):
        x = _leaf(tinytorch, [float("nan"), 1.0, 3.0])
        y = _leaf(tinytorch, [5.0, float("nan"), 3.0])
        operation(x, y).sum().backward()
        assert (x.grad.tolist(), y.grad.tolist()) == ([0, 1, 0.5], [1, 0, 0.5])
