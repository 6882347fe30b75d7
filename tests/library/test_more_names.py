"""Rarer names beside PyTorch: what has no gradient to compare, layers, random numbers in place."""

import pickle

import numpy as np
import pytest
from beside_torch import numbers, programs_in, same_answer, same_as_torch, same_module_as_torch

import tinytorch
from tinytorch import nn


def _matrix(t):
    return t.tensor([[2.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 4.0]])


def quantiles(t):
    x = t.tensor([[3.0, 1.0, 2.0, 9.0], [5.0, float("nan"), 2.0, 1.0]])
    ways = ("linear", "lower", "higher", "nearest", "midpoint")
    return (
        [x[0].quantile(0.4, interpolation=way) for way in ways],
        [x.quantile(0.5), x.quantile(0.5, dim=1), x.nanquantile(0.5, dim=1, keepdim=True)],
        [t.quantile(x[:1], t.tensor([0.0, 0.6, 1.0]), dim=0, keepdim=True), x.nanmedian()],
    )


def shares_above_one(t):
    return t.ones(3).quantile(1.5)


def places_in_the_order(t):
    x = t.tensor([[3, 1, 3, 2], [2, 2, 1, 1]])
    found = [
        *x.mode(),
        *t.mode(x, 0, keepdim=True),
        x.kthvalue(3).values,
        *x.cummax(1),
        *x.cummin(0),
    ]
    return found, [*x.aminmax(dim=0), *x.aminmax()], t.msort(x)


def extremes_print_their_names(t):
    return repr(t.tensor([1.0, 2.0]).aminmax()).replace("torch.", "").replace("tiny", "")


def counts(t):
    x = t.tensor([1.0, 2.0, 2.0, 5.0])
    y = t.tensor([1, 1, 2, 2, 2, 1])
    whole = t.unique_consecutive(y, return_inverse=True, return_counts=True)
    return t.histc(x, 4, 0, 4), x.histc(bins=2), [*whole], y.unique_consecutive()


def signs(t):
    x = t.tensor([-1.5, -0.0, 0.0, 2.5, float("inf"), -float("inf"), float("nan")])
    asked = x.isposinf(), t.isneginf(x), t.signbit(x)
    return asked, t.heaviside(x[:4], t.tensor(0.5)), x[:4].frac(), t.sgn(x[:4]), t.fix(x[:4])


def far_from_the_middle(t):
    x = t.tensor([1e-6, 0.5, 30.0, 1e4, -0.5, -3.3, float("inf")], dtype=t.float64)
    tails = t.tensor([-1.0, -0.999, 1e-6, 0.999999, 1.0, 1.5], dtype=t.float64)
    far = t.tensor([0.0, 3.0, 10.0, -4.0])
    return x.lgamma(), x[:-1].digamma(), t.polygamma(1, x[:-1]), tails.erfinv(), far.erfc()


def edges_of_logarithms(t):
    x = t.tensor([0.0, 0.0, 1.0, 2.0])
    y = t.tensor([0.0, 3.0, 0.0, 2.0])
    return t.xlogy(x, y), t.logaddexp(x * 1000, y), t.tensor([0.0, 1.0]).logit(1e-3)


def shapes(t):
    x = t.arange(6).reshape(2, 3)
    levels = [t.atleast_1d(t.tensor(1)), *t.atleast_2d(t.tensor([1]), x), t.atleast_3d(x)]
    pieces = [*t.tensor_split(x, 4, dim=1), *t.tensor_split(x, [1, -1], dim=1), *x.vsplit(2)]
    turned = [t.rot90(x, k) for k in range(-2, 4)]
    rows = [t.row_stack([x, x]), t.dstack([x[0], x[1]]), t.hstack([x, x]), t.vander(x[1], 3)]
    return levels, pieces, turned, rows, list(t.broadcast_shapes((2, 1), (1, 3), (3,)))


def choices(t):
    x = t.tensor([1, 2, 3])
    pairs = t.combinations(x), t.combinations(x, 2, with_replacement=True)
    return pairs, t.cartesian_prod(x, x[:2]), t.cartesian_prod(x), t.diagflat(x, -1), x.diag_embed()


def decompositions(t):
    a = _matrix(t)
    q, r = t.linalg.qr(a)
    u, s, v = t.svd(a)
    values, vectors = t.linalg.eigh(a)
    parts = t.linalg.svd(a[:2], full_matrices=False)
    rebuilt = q @ r, u @ t.diag(s) @ v.mT, vectors @ t.diag(values) @ vectors.mT
    again = parts.U @ t.diag(parts.S) @ parts.Vh
    return rebuilt, values, t.linalg.eigvalsh(a), t.linalg.svdvals(a), again


def numbers_of_matrices(t):
    a, b = _matrix(t), t.ones(3, 2)
    ranks = t.linalg.matrix_rank(a), t.linalg.matrix_rank(t.ones(3, 3)), t.linalg.cond(a)
    norms = t.linalg.matrix_norm(a), t.linalg.matrix_norm(a, ord=2)
    return ranks, norms, t.linalg.pinv(a[:2]), t.linalg.lstsq(a, b).solution, [*t.slogdet(-a)]


def vectors_of_two_numbers(t):
    return t.cross(t.ones(2), t.ones(2), dim=0)


def dtypes_that_meet(t):
    pairs = [(t.float32, t.int64), (t.uint8, t.int8), (t.bool, t.int32), (t.float16, t.float64)]
    met = [t.promote_types(*pair) for pair in pairs]
    met.append(t.result_type(t.tensor([1, 2]), 1.0))
    return [str(dtype).rpartition(".")[2] for dtype in met]


def changes_in_place(t):
    x = t.tensor([[0.25, 0.5], [0.75, 1.0]])
    found = [getattr(x.clone(), f"{name}_")() for name in IN_PLACE.split()]
    two = [getattr(x.clone(), f"{name}_")(x + 1) for name in ("atan2", "hypot", "xlogy", "fmod")]
    truth = [getattr(x.clone(), f"{name}_")(0.5) for name in ("eq", "ge", "gt", "le", "lt", "ne")]
    sums = x.clone().cumsum_(0), x.clone().cumprod_(1), x.clone().fill_diagonal_(7)
    return found, two, truth, sums, x.clone().addmm_(x, x), x.clone().clamp_min_(0.4)


IN_PLACE = "acos asin atan cosh sinh tan erf erfc exp2 expm1 log1p log2 log10 trunc frac lgamma"
IN_PLACE += " digamma sinc tril triu deg2rad erfinv nan_to_num"


def new_shapes_in_place(t):
    x = t.ones(2, 1, 3)
    shapes = [list(y.shape) for y in (x.squeeze_(1), x.t_(), x.unsqueeze_(0), x.transpose_(0, 1))]
    w = t.ones(2, requires_grad=True)
    y = (w * 2).unsqueeze_(0)
    y.sum().backward()
    return shapes, list(x.shape), list(y.shape), w.grad


def a_leaf_is_not_turned_in_place(t):
    return t.ones(2, 2, requires_grad=True).t_()


def second_names(t):
    x = t.tensor([0.1, 0.2])
    found = t.arccosh(x + 1), x.arcsin(), x.arctan2(x), x.greater(0.1), x.not_equal(0.1), x.sgn()
    return found, x.subtract(1), x.ndimension(), t.ger(x, x), t.vdot(x, x), x.clone().divide_(2)


def settings_that_change_nothing(t):
    t.set_num_threads(1)
    t.use_deterministic_algorithms(False)
    t.set_float32_matmul_precision("high")
    t.set_default_device("cpu")
    return str(t.get_default_device())


def random_numbers_in_place(t):
    t.manual_seed(0)
    x = t.empty(2000, dtype=t.float64)
    bounds = x.random_(3, 7).min().item(), x.random_(5).max().item()
    means = [
        x.exponential_(2.0).mean(), x.bernoulli_(0.25).mean(), x.geometric_(0.5).mean(),
        x.log_normal_(0.0, 0.25).log().mean() + 1, x.cauchy_(3.0).median(),
    ]  # fmt: skip
    expected = 0.5, 0.25, 2.0, 1.0, 3.0
    few = t.randint_like(x, 2, 4, memory_format=t.preserve_format)
    like = few.unique(), t.poisson(t.full((4000,), 3.0)).mean().item()
    near = [abs(m.item() - e) < 0.1 * e for m, e in zip(means, expected, strict=True)]
    return bounds, near, like[0], abs(like[1] - 3) < 0.2


def results_written_to_a_tensor(t):
    a, b, none = t.tensor([1.0, 5.0]), t.tensor([3.0, 2.0]), t.empty(0)
    places = t.empty(2), t.empty(2, dtype=t.int64)
    same = t.max(a, b, out=a) is a
    pair = t.max(t.tensor([[1.0, 2.0], [4.0, 3.0]]), 1, out=places)
    made = [t.mul(a, b, out=none), t.rsqrt(a, out=b), t.eye(2, out=t.empty(2, 2)), *pair, *places]
    made += [t.cat([a, b], out=t.empty(4)), t.stack([a, b], out=t.empty(2, 2)), t.round(a, out=a)]
    grid = t.zeros(2, 3)
    t.add(grid[0], 1, out=grid[0])
    return same, pair[0] is places[0], made, none.shape, grid


def whole_numbers_that_are_close(t):
    x, y = t.tensor([2**60 + 1, 3]), t.tensor([2**60, 3])
    return t.isclose(x, y, rtol=0, atol=0), t.allclose(x, y), t.isclose(x, x, rtol=0, atol=0)


def out_of_another_dtype(t):
    return t.add(t.ones(2), 1, out=t.empty(2, dtype=t.int64))


def out_that_would_be_recorded(t):
    return t.add(t.ones(2, requires_grad=True), 1, out=t.empty(2))


def a_seed_can_be_asked_for(t):
    t.manual_seed(5)
    first = t.initial_seed()
    return first, t.seed() == t.initial_seed()


def parameters_in_lists(t):
    bag = t.nn.ParameterList([t.ones(2), t.nn.Parameter(t.zeros(1))])
    bag.append(t.ones(3))
    bag += [t.ones(1)]
    bag[-1] = t.nn.Parameter(t.full((1,), 7.0))
    names = [name for name, _ in bag.named_parameters()]
    return len(bag), names, [p.detach() for p in bag], len(bag[1:]), bag[-1].requires_grad


def parameters_under_names(t):
    bag = t.nn.ParameterDict({"a": t.ones(2), "b": t.nn.Parameter(t.zeros(1))})
    bag["c"] = t.ones(3)
    del bag["a"]
    bag.update({"d": t.ones(1)})
    state = {name: value.detach() for name, value in bag.state_dict().items()}
    return list(bag), len(bag), "a" in bag, state, [name for name, _ in bag.items()]


def averaged_models(t):
    net = t.nn.Linear(1, 1)
    mean = t.optim.swa_utils.AveragedModel(net)
    slow = t.optim.swa_utils.AveragedModel(net, avg_fn=t.optim.swa_utils.get_ema_avg_fn(0.5))
    found = []
    for value in (1.0, 2.0, 6.0):
        t.nn.init.constant_(net.weight, value)
        for model in (mean, slow):
            model.update_parameters(net)
            found.append(model.module.weight.item())
    return found, mean.n_averaged.item(), list(mean.state_dict())


def bags_of_words(t):
    bag = t.nn.EmbeddingBag(5, 2, mode="sum", padding_idx=0)
    t.nn.init.ones_(bag.weight)
    words, starts = t.tensor([1, 2, 4, 0, 3]), t.tensor([0, 3, 3])
    matrix = bag(t.tensor([[1, 2], [0, 3]]), per_sample_weights=t.tensor([[1.0, 0.5], [1.0, 2.0]]))
    return bag(words, starts), matrix, list(bag.state_dict()), repr(bag)


@pytest.mark.parametrize("program", programs_in(globals()), ids=lambda program: program.__name__)
def test_both_libraries_give_the_same_answer(program):
    same_answer(program)


def test_what_is_not_there_is_an_error():
    with pytest.raises(RuntimeError, match="not positive definite"):
        tinytorch.linalg.cholesky(-_matrix(tinytorch))
    with pytest.raises(KeyError):
        nn.ParameterDict()["a"]
    with pytest.raises(IndexError):
        nn.ParameterList()[0]


IMAGE, ROW = numbers(2, 4, 6, 7), numbers(2, 4, 7)
LAYERS = {
    "Unflatten": (lambda nn: nn.Unflatten(1, (2, 2)), ROW),
    "Unfold": (lambda nn: nn.Unfold((2, 3), padding=(1, 0), stride=2), IMAGE),
    "Unfold, dilation": (lambda nn: nn.Unfold(2, dilation=2), IMAGE),
    "Fold": (lambda nn: nn.Fold((5, 6), 2, padding=1, stride=(2, 1)), numbers(2, 8, 21)),
    "AdaptiveMaxPool2d": (lambda nn: nn.AdaptiveMaxPool2d((4, None)), IMAGE),
    "AdaptiveMaxPool1d": (lambda nn: nn.AdaptiveMaxPool1d(3), ROW),
    "LPPool2d": (lambda nn: nn.LPPool2d(2, 2), IMAGE),
    "LocalResponseNorm": (lambda nn: nn.LocalResponseNorm(2), IMAGE),
    "LocalResponseNorm, 3": (lambda nn: nn.LocalResponseNorm(3, alpha=0.1), IMAGE),
    "PixelUnshuffle": (lambda nn: nn.PixelUnshuffle(2), numbers(2, 3, 4, 6)),
    "ChannelShuffle": (lambda nn: nn.ChannelShuffle(2), IMAGE),
    "UpsamplingNearest2d": (lambda nn: nn.UpsamplingNearest2d(scale_factor=2), IMAGE),
    "UpsamplingBilinear2d": (lambda nn: nn.UpsamplingBilinear2d(size=(4, 9)), IMAGE),
    "RReLU": (lambda nn: nn.RReLU(0.1, 0.3).eval(), ROW),
    "Softmax2d": (lambda nn: nn.Softmax2d(), IMAGE),
    "AlphaDropout": (lambda nn: nn.AlphaDropout(0.3).eval(), ROW),
    "weight_norm": (lambda nn: nn.utils.weight_norm(nn.Linear(7, 3)), ROW),
    "weight_norm, whole": (lambda nn: nn.utils.weight_norm(nn.Linear(7, 3), dim=None), ROW),
    "spectral_norm": (lambda nn: nn.utils.spectral_norm(nn.Linear(7, 3)), ROW),
    "spectral_norm, conv": (lambda nn: nn.utils.spectral_norm(nn.Conv2d(4, 3, 3)), IMAGE),
}


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("name", LAYERS)
def test_layers_agree_with_pytorch(name):
    build, array = LAYERS[name]
    same_module_as_torch(build, array)


def test_bilinear_agrees_with_pytorch():
    same_module_as_torch(lambda nn: nn.Bilinear(3, 4, 2), numbers(5, 3), numbers(5, 4))


FUNCTIONS = {
    **{
        f"grid_sample {mode} {padding} {corners}": (
            lambda t, x, theta, m=mode, p=padding, c=corners: t.nn.functional.grid_sample(
                x, t.nn.functional.affine_grid(theta, (2, 3, 4, 5), c), m, p, c
            ),
            numbers(2, 3, 6, 7),
            numbers(2, 2, 3),
        )
        for mode in ("bilinear", "nearest")
        for padding in ("zeros", "border", "reflection")
        for corners in (False, True)
    },
    **{
        f"grid_sample of volumes {mode} {padding} {corners}": (
            lambda t, x, theta, m=mode, p=padding, c=corners: t.nn.functional.grid_sample(
                x, t.nn.functional.affine_grid(theta, (2, 3, 2, 3, 4), c), m, p, c
            ),
            numbers(2, 3, 4, 5, 1),
            numbers(2, 3, 4),
        )
        for mode in ("bilinear", "nearest")
        for padding in ("zeros", "border", "reflection")
        for corners in (False, True)
    },
    "rms_norm": (lambda t, x, w: t.nn.functional.rms_norm(x, (7,), w), ROW, numbers(7)),
    **{
        f"embedding_bag {mode}": (
            lambda t, w, m=mode: t.nn.functional.embedding_bag(
                t.tensor([[0, 2, 2], [1, 1, 3]]), w, mode=m
            ),
            numbers(4, 3),
        )
        for mode in ("mean", "sum", "max")
    },
    **{
        f"multi_margin_loss {p}": (
            lambda t, x, p=p: t.nn.functional.multi_margin_loss(x, t.tensor([2, 0]), p=p),
            numbers(2, 4),
        )
        for p in (1, 2)
    },
    "multilabel_soft_margin_loss": (
        lambda t, x: t.nn.MultiLabelSoftMarginLoss()(x, t.tensor([[0.0, 1, 1, 0]] * 2)),
        numbers(2, 4),
    ),
    "triplets": (
        lambda t, a, p, n: t.nn.TripletMarginWithDistanceLoss(
            distance_function=lambda x, y: (x - y).abs().sum(-1), swap=True
        )(a, p, n),
        *[numbers(3, 4, seed=seed) for seed in range(3)],
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_and_gradients_agree_with_pytorch(name):
    same_as_torch(*FUNCTIONS[name])


LAZY = {
    "LazyLinear": (lambda nn: nn.LazyLinear(3, bias=False), ROW),
    "LazyConv2d": (lambda nn: nn.LazyConv2d(3, 3, padding=1), IMAGE),
    "LazyConv1d": (lambda nn: nn.LazyConv1d(3, kernel_size=2), ROW),
    "LazyConv3d": (lambda nn: nn.LazyConv3d(3, 2), IMAGE[..., None].repeat(2, -1)),
    "LazyConvTranspose3d": (lambda nn: nn.LazyConvTranspose3d(3, 2), IMAGE[..., None]),
    "LazyBatchNorm2d": (lambda nn: nn.LazyBatchNorm2d(), IMAGE),
    "LazyBatchNorm1d": (lambda nn: nn.LazyBatchNorm1d(), ROW),
    "LazyBatchNorm3d": (lambda nn: nn.LazyBatchNorm3d(), IMAGE[..., None]),
    "LazyConvTranspose1d": (lambda nn: nn.LazyConvTranspose1d(3, 2), ROW),
    "LazyConvTranspose2d": (lambda nn: nn.LazyConvTranspose2d(3, 2, groups=1, bias=False), IMAGE),
    "LazyInstanceNorm1d": (lambda nn: nn.LazyInstanceNorm1d(), ROW),
    "LazyInstanceNorm2d": (lambda nn: nn.LazyInstanceNorm2d(affine=False), IMAGE),
    "LazyInstanceNorm3d": (
        lambda nn: nn.LazyInstanceNorm3d(track_running_stats=False),
        IMAGE[..., None],
    ),
}


@pytest.mark.parametrize("name", LAZY)
def test_a_lazy_layer_becomes_an_ordinary_one_with_the_first_input(name):
    torch = pytest.importorskip("torch")
    build, array = LAZY[name]
    layer = build(nn)
    params = list(layer.parameters())
    y = layer(tinytorch.tensor(array))
    other = build(torch.nn)
    assert list(y.shape) == list(other(torch.tensor(array)).shape)
    assert repr(layer) == repr(other)
    assert [id(p) for p in layer.parameters()] == [id(p) for p in params]
    assert list(layer.state_dict()) == list(other.state_dict())


@pytest.mark.parametrize("name", LAZY)
def test_a_lazy_layer_loads_what_an_ordinary_one_has_learned(name):
    build, array = LAZY[name]
    learned, x = build(nn), tinytorch.tensor(array)
    learned(x)
    layer = pickle.loads(pickle.dumps(build(nn)))
    assert layer.has_uninitialized_params()
    with pytest.raises(RuntimeError, match="shape of an uninitialized"):
        learned.load_state_dict(layer.state_dict())
    params = list(layer.parameters())
    layer.load_state_dict(learned.state_dict())
    assert not layer.has_uninitialized_params()
    assert [type(p) for p in params] == [nn.Parameter] * len(params)
    np.testing.assert_array_equal(layer.eval()(x).detach(), learned.eval()(x).detach())
    assert [id(p) for p in layer.parameters()] == [id(p) for p in params]


def what_lazy_parts_are(t):
    layer = t.nn.LazyBatchNorm1d()
    parts = [type(part).__name__ for part in layer.state_dict().values()]
    given = t.nn.LazyBatchNorm1d()
    layer.load_state_dict(given.state_dict())
    return parts, repr(layer.running_mean), layer.has_uninitialized_params()


def test_the_parts_of_a_lazy_layer_are_uninitialized_as_those_of_pytorch():
    torch = pytest.importorskip("torch")
    assert what_lazy_parts_are(tinytorch) == what_lazy_parts_are(torch)


def sizes_of_transposed(t, *wanted):
    """The shapes that a layer of stride 3 gives, or the error, for each wanted size."""
    layer, row = t.nn.ConvTranspose2d(1, 2, 2, stride=3), t.nn.ConvTranspose1d(1, 2, 2, stride=3)
    found = []
    for size in wanted:
        try:
            found.append(list(layer(t.ones(1, 1, 2, 2), output_size=size).shape))
            found.append(list(row(t.ones(1, 1, 2), output_size=size[-1:]).shape))
        except ValueError as error:
            found.append(type(error).__name__)
    return found


def test_a_transposed_convolution_has_the_size_that_is_asked_for():
    torch = pytest.importorskip("torch")
    wanted = [5, 7], [6, 5], [4, 5], [8, 5], [1, 2, 7, 7]
    assert sizes_of_transposed(tinytorch, *wanted) == sizes_of_transposed(torch, *wanted)


def test_the_order_in_memory_is_told_for_channels_last_too():
    torch = pytest.importorskip("torch")
    for t in (tinytorch, torch):
        x = t.ones(2, 3, 4, 5)
        turned = t.ones(2, 4, 5, 3).permute(0, 3, 1, 2)
        answers = [y.is_contiguous(memory_format=t.channels_last) for y in (x, turned)]
        assert answers == [False, True]
        assert (x.is_contiguous(), turned.is_contiguous()) == (True, False)


def test_layers_are_found_where_pytorch_keeps_them():
    from tinytorch.nn.modules import Conv2d

    assert Conv2d is nn.Conv2d and nn.modules.ReLU is nn.ReLU
    with pytest.raises(AttributeError, match="NoSuchLayer"):
        _ = nn.modules.NoSuchLayer


def test_alpha_dropout_keeps_mean_and_variance():
    tinytorch.manual_seed(0)
    y = nn.AlphaDropout(0.4)(tinytorch.randn(40_000))
    assert abs(y.mean().item()) < 0.03 and abs(y.var().item() - 1) < 0.05


def test_spectral_norm_finds_the_largest_singular_value():
    layer = nn.utils.spectral_norm(nn.Linear(4, 3), n_power_iterations=50)
    layer(tinytorch.zeros(1, 4))
    largest = np.linalg.norm(layer.weight.detach().numpy(), 2)
    assert largest == pytest.approx(1, rel=1e-4)


def test_a_layer_is_an_instance_of_what_it_is_in_torch():
    torch = pytest.importorskip("torch")
    shared = [name for name in nn.__all__ if isinstance(getattr(torch.nn, name, None), type)]

    def related(library):
        kinds = {name: getattr(library, name) for name in shared}
        return {(a, b) for a in kinds for b in kinds if issubclass(kinds[a], kinds[b])}

    assert len(shared) > 140 and related(nn) == related(torch.nn)


def test_a_table_of_bags_from_a_table_that_is_there():
    table = tinytorch.tensor([[1.0, 2.0], [3.0, 4.0]])
    bag = nn.EmbeddingBag.from_pretrained(table, mode="sum")
    assert bag(tinytorch.tensor([[0, 1]])).tolist() == [[4, 6]] and not bag.weight.requires_grad


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_whole_channels_are_dropped_in_place(dims):
    x = tinytorch.ones(50, 4, *[2] * dims)
    dropped = getattr(nn, f"Dropout{dims}d")(0.5, inplace=True)(x)
    assert dropped is x and set(x.flatten(2).sum(-1).flatten().tolist()) == {0, 2 * 2**dims}


def test_places_inside_nn_modules_and_what_classes_are_derived_from():
    import tinytorch.nn.modules.conv
    from tinytorch.nn.modules.batchnorm import _BatchNorm
    from tinytorch.nn.modules.conv import _ConvNd, _ConvTransposeNd
    from tinytorch.nn.modules.dropout import _DropoutNd
    from tinytorch.nn.modules.loss import _Loss
    from tinytorch.nn.modules.utils import _pair, _triple
    from tinytorch.optim.lr_scheduler import LRScheduler, _LRScheduler

    assert tinytorch.nn.modules.conv.Conv2d is nn.Conv2d and _LRScheduler is LRScheduler
    assert isinstance(nn.BatchNorm2d(1), _BatchNorm) and not isinstance(nn.Linear(1, 1), _BatchNorm)
    assert isinstance(nn.Conv1d(1, 1, 1), _ConvNd) and not isinstance(nn.Linear(1, 1), _ConvNd)
    assert issubclass(nn.ConvTranspose3d, _ConvTransposeNd) and issubclass(nn.Dropout, _DropoutNd)
    assert (_pair(2), _pair([1, 3]), _triple(1)) == ((2, 2), (1, 3), (1, 1, 1))

    class Squares(_Loss):
        def forward(self, input, target):
            return ((input - target) ** 2).sum()

    assert Squares(reduction="sum").reduction == "sum"
    assert Squares()(tinytorch.tensor([1.0, 2.0]), tinytorch.zeros(2)).item() == 5
    with pytest.raises(TypeError, match="size_average and reduce are no more"):
        Squares(size_average=True)
