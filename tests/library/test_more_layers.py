"""The rarer activations, losses, norms, convolutions and paddings, beside PyTorch."""

import numpy as np
import pytest
from beside_torch import (
    numbers,
    programs_in,
    proven,
    same_answer,
    same_as_torch,
    same_module_as_torch,
)

import tinytorch
import tinytorch.nn.functional as F
from tinytorch import nn

EDGES = np.array(
    [[-8.0, -3, -1, -0.5, 0, 0.5, 1, 3, 6, 8], [-100, 100, -20, 20, 2, 5, 7, -2, 4, 9]]
)
BENDS = [
    lambda nn: nn.Hardtanh(),
    lambda nn: nn.Hardtanh(-2, 3.0),
    lambda nn: nn.ReLU6(),
    lambda nn: nn.Hardsigmoid(),
    lambda nn: nn.Hardswish(),
    lambda nn: nn.Threshold(0.5, 7.0),
    lambda nn: nn.Hardshrink(),
    lambda nn: nn.Softshrink(0.7),
    lambda nn: nn.ELU(),
    lambda nn: nn.ELU(alpha=2.0),
    lambda nn: nn.CELU(2.0),
    lambda nn: nn.SELU(),
    lambda nn: nn.Softplus(),
    lambda nn: nn.Softplus(beta=2.0, threshold=4.0),
    lambda nn: nn.LogSigmoid(),
    lambda nn: nn.Mish(),
    lambda nn: nn.Softsign(),
    lambda nn: nn.Tanhshrink(),
    lambda nn: nn.Softmin(dim=1),
    lambda nn: nn.GLU(),
    lambda nn: nn.PReLU(),
    lambda nn: nn.PReLU(10, init=0.1),
]


@pytest.mark.parametrize("build", BENDS)
def test_activations_agree_with_torch_at_their_corners_and_far_away(build):
    if isinstance(build(nn), nn.Hardswish | nn.Hardtanh):  # at a corner either slope is one
        same_module_as_torch(build, (EDGES + 0.25).astype("float32"))
    else:
        same_module_as_torch(build, EDGES.astype("float32"))


@pytest.mark.parametrize("name", ["relu6", "hardtanh", "elu", "selu", "celu", "mish", "hardswish"])
def test_activations_in_place_agree_with_torch(name):
    def write_over(t, x):
        y = x * 1
        assert getattr(t.nn.functional, name)(y, inplace=True) is y
        return y

    same_as_torch(write_over, numbers(3, 4) * 4)


def test_gradients_of_activations_are_proven_to_second_order():
    for function in (F.elu, F.celu, F.selu, F.softplus, F.logsigmoid, F.mish, F.softsign, F.glu):
        proven(function, numbers(2, 4))


def test_glu_halves_even_lengths_only():
    with pytest.raises(RuntimeError, match="got its length 3"):
        F.glu(tinytorch.ones(2, 3))


def test_a_hard_gumbel_choice_is_one_hot_and_gradients_pass_it():
    tinytorch.manual_seed(0)
    x = tinytorch.zeros(50, 3, requires_grad=True)
    y = F.gumbel_softmax(x, hard=True)
    (y * tinytorch.tensor([1.0, 2.0, 3.0])).sum().backward()
    assert y.sum(1).tolist() == pytest.approx([1] * 50) and (y.max(1).values > 0.999).all()
    assert x.grad.abs().sum() > 0
    assert F.gumbel_softmax(x, tau=0.5).sum(1).tolist() == pytest.approx([1] * 50)


# --- losses ---

SIGNS = np.array([1.0, -1.0, 1.0, -1.0], "float32")
LOSSES = {
    "smooth_l1_loss": [({}, 2), ({"beta": 0.3}, 2), ({"beta": 0.0}, 2)],
    "huber_loss": [({}, 2), ({"delta": 0.4}, 2)],
    "kl_div": [({"log_target": True}, 2), ({"log_target": True, "reduction": "batchmean"}, 2)],
    "poisson_nll_loss": [({}, 2)],
    "triplet_margin_loss": [({}, 3), ({"swap": True, "p": 1.0, "margin": 3.0}, 3)],
}


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("name", LOSSES)
def test_losses_agree_with_torch(name, reduction):
    for settings, count in LOSSES[name]:
        whole = {"reduction": reduction, **settings}
        arrays = [numbers(4, 3, seed=seed) for seed in range(count)]
        same_as_torch(
            lambda t, *x, whole=whole: getattr(t.nn.functional, name)(*x, **whole), *arrays
        )


@pytest.mark.parametrize("reduction", ["mean", "none"])
def test_losses_of_signs_agree_with_torch(reduction):
    def losses(t, a, b):
        f, y = t.nn.functional, t.tensor(SIGNS)
        of_rows = f.cosine_embedding_loss(a, b, y, margin=0.1, reduction=reduction)
        ranked = f.margin_ranking_loss(a[:, 0], b[:, 0], y, margin=0.2, reduction=reduction)
        ranked = ranked + f.soft_margin_loss(b[:, 1], y, reduction=reduction)
        return of_rows + ranked + f.hinge_embedding_loss(a[:, 1], y, reduction=reduction)

    same_as_torch(losses, numbers(4, 3), numbers(4, 3, seed=1))


def test_kl_div_of_probabilities_agrees_with_torch():
    def divergence(t, x):
        target = t.tensor([[0.0, 0.25, 0.75], [0.5, 0.5, 0.0]])
        return t.nn.KLDivLoss(reduction="batchmean")(t.log_softmax(x, 1), target)

    same_as_torch(divergence, numbers(2, 3))


def test_gaussian_nll_agrees_with_torch():
    for settings in ({}, {"full": True, "reduction": "none"}):
        same_as_torch(
            lambda t, x, y, v, settings=settings: t.nn.GaussianNLLLoss(**settings)(x, y, v.exp()),
            *[numbers(4, 3, seed=seed) for seed in range(3)],
        )


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_listed_classes_are_above_the_others_as_in_torch(reduction):
    lists = [[2, 0, -1, 1], [1, -1, 3, 3], [-1, 0, 1, 2], [3, 2, 1, 0], [2, 2, -1, -1]]

    def losses(t, x):
        of_lists = t.nn.MultiLabelMarginLoss(reduction=reduction)(x, t.tensor(lists))
        of_one = t.nn.functional.multilabel_margin_loss(x[0], t.tensor(lists[0]))
        return of_lists + of_one

    same_as_torch(losses, numbers(5, 4))


def test_losses_name_settings_that_cannot_be():
    x = tinytorch.zeros(2)
    with pytest.raises(RuntimeError, match="positive delta, got 0"):
        F.huber_loss(x, x, delta=0)
    with pytest.raises(ValueError, match="'mean' or 'sum', got 'max'"):
        nn.TripletMarginLoss(reduction="max")(x, x, x)


# --- distances ---


def test_distances_agree_with_torch():
    a, b = numbers(4, 3), numbers(4, 3, seed=1)
    a[0] = 0  # of length 0
    same_as_torch(lambda t, x: t.nn.functional.normalize(x), a)
    same_as_torch(lambda t, x: t.nn.functional.normalize(x, p=1.0, dim=0), a)
    same_as_torch(lambda t, x, y: t.nn.functional.cosine_similarity(x, y), a, b)
    same_as_torch(lambda t, x, y: t.nn.CosineSimilarity(dim=-1)(x, y), a, b)
    same_as_torch(lambda t, x, y: t.nn.PairwiseDistance()(x, y), a, b)
    same_as_torch(lambda t, x, y: t.cdist(x, y), a, b[:2])
    same_as_torch(lambda t, x, y: t.cdist(x, y, p=1.0), a[:2], b)


# --- layers ---

IMAGES = (2, 4, 5, 6)
LAYERS = [
    (lambda nn: nn.GroupNorm(2, 4), IMAGES),
    (lambda nn: nn.GroupNorm(4, 4, affine=False), (3, 4)),
    (lambda nn: nn.InstanceNorm2d(4), IMAGES),
    (lambda nn: nn.InstanceNorm2d(4, affine=True), IMAGES),
    (lambda nn: nn.InstanceNorm2d(4), (4, 5, 6)),
    (lambda nn: nn.InstanceNorm1d(4), (2, 4, 7)),
    (lambda nn: nn.RMSNorm(6), IMAGES),
    (lambda nn: nn.RMSNorm((5, 6), eps=1e-3, elementwise_affine=False), IMAGES),
    (lambda nn: nn.Conv1d(4, 6, 3), (2, 4, 7)),
    (lambda nn: nn.Conv1d(4, 6, 3, stride=2, padding=1, groups=2, bias=False), (2, 4, 7)),
    (lambda nn: nn.Conv1d(4, 2, 3, padding="same", dilation=2), (4, 7)),
    (lambda nn: nn.MaxPool1d(2), (2, 4, 7)),
    (lambda nn: nn.MaxPool1d(3, stride=2, padding=1), (4, 7)),
    (lambda nn: nn.AvgPool1d(2), (2, 4, 7)),
    (lambda nn: nn.AdaptiveAvgPool1d(3), (2, 4, 7)),
    (lambda nn: nn.ConvTranspose2d(4, 3, 3), IMAGES),
    (lambda nn: nn.ConvTranspose2d(4, 3, 4, 2, 1), (4, 5, 6)),
    (lambda nn: nn.ConvTranspose2d(4, 6, 3, 2, (1, 0), output_padding=1, groups=2), IMAGES),
    (lambda nn: nn.ConvTranspose2d(4, 3, (2, 3), (1, 3), bias=False, dilation=2), IMAGES),
    (lambda nn: nn.Upsample(scale_factor=2), IMAGES),
    (lambda nn: nn.Upsample(size=(3, 7)), IMAGES),
    (lambda nn: nn.Upsample(scale_factor=1.5, mode="bilinear"), IMAGES),
    (lambda nn: nn.Upsample(size=(9, 3), mode="bilinear", align_corners=True), IMAGES),
    (lambda nn: nn.Upsample(scale_factor=(3, 2), mode="bilinear"), IMAGES),
    (lambda nn: nn.Upsample(size=10, mode="linear"), (2, 4, 7)),
    (lambda nn: nn.PixelShuffle(2), IMAGES),
    (lambda nn: nn.ReflectionPad2d(2), IMAGES),
    (lambda nn: nn.ReflectionPad1d((1, 3)), (2, 4, 7)),
    (lambda nn: nn.ReplicationPad2d((1, 0, 3, 2)), IMAGES),
    (lambda nn: nn.CircularPad2d(2), IMAGES),
    (lambda nn: nn.ZeroPad2d((1, 2, 0, -1)), IMAGES),
    (lambda nn: nn.ConstantPad2d(1, 3.5), IMAGES),
    (lambda nn: nn.ConstantPad1d((2, 1), -1.0), (2, 4, 7)),
    (lambda nn: nn.ConstantPad3d((1, 0, 2, 0, 0, 1), 2.0), (2, 3, 2, 3, 4)),
    (lambda nn: nn.ZeroPad1d(1), (2, 4, 7)),
    (lambda nn: nn.ZeroPad3d(1), (2, 3, 2, 3, 4)),
    (lambda nn: nn.ReflectionPad3d(1), (2, 3, 2, 3, 4)),
    (lambda nn: nn.ReplicationPad3d((1, 2, 0, 1, 3, 1)), (2, 3, 2, 3, 4)),
    (lambda nn: nn.CircularPad3d(1), (2, 3, 2, 3, 4)),
]


@pytest.mark.parametrize("build, shape", LAYERS)
def test_layers_agree_with_torch(build, shape):
    same_module_as_torch(build, numbers(*shape), tolerance=1e-4)


def test_gradients_of_layers_are_proven_to_second_order():
    image, weight = numbers(1, 2, 3, 2), numbers(2, 1, 2, 2, seed=1)
    proven(lambda x, w, b: F.conv_transpose2d(x, w, b, 2, 1, 1), image, weight, numbers(1))
    proven(lambda x, w: F.conv1d(x, w, stride=2), numbers(1, 2, 5), numbers(2, 2, 3))
    proven(lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), image)
    proven(lambda x: F.pad(x, (1, 1, 2, 0), mode="reflect"), image)
    proven(lambda x, w, b: F.group_norm(x, 2, w, b), image, numbers(2), numbers(2))


def sizes_made_smaller(t):
    x = t.arange(49.0).reshape(1, 1, 7, 7)
    f = t.nn.functional.interpolate
    scales = (0.5, 0.3, 1.7)
    found = [f(x, scale_factor=s) for s in scales]
    found += [f(x, scale_factor=s, mode="bilinear", align_corners=False) for s in scales]
    found += [f(x, scale_factor=s, mode="bilinear", recompute_scale_factor=True) for s in scales]
    return [*found, f(x, size=1, mode="bilinear", align_corners=True), f(x, size=(3, 5))]


def sizes_by_curves_and_means(t):
    x, f = t.arange(49.0).reshape(1, 1, 7, 7) ** 2, t.nn.functional.interpolate
    found = [f(x, size=(3, 11), mode=mode) for mode in ("nearest-exact", "area", "bicubic")]
    found += [f(x, scale_factor=(1.7, 0.6), mode=mode) for mode in ("nearest-exact", "bicubic")]
    found += [f(x, size=(9, 1), mode="bicubic", align_corners=True)]
    volume = t.arange(24.0).reshape(1, 1, 2, 3, 4)
    found += [f(volume, size=(3, 2, 5), mode="trilinear", align_corners=c) for c in (True, False)]
    bytes_ = t.arange(4, dtype=t.uint8).reshape(1, 1, 4)
    return [*found, f(volume, scale_factor=2.0, mode="area"), f(bytes_, scale_factor=2)]


def a_curve_through_a_row(t):
    return t.nn.functional.interpolate(t.ones(1, 1, 2), size=2, mode="bicubic")


def an_upsample_that_computes_its_factor_again(t):
    layer = t.nn.Upsample(scale_factor=1.3, mode="bilinear", recompute_scale_factor=True)
    return layer(t.arange(25.0).reshape(1, 1, 5, 5)), repr(layer)


def a_slope_that_is_written_over_its_input(t):
    x = t.tensor([-1.0, 2.0])
    t.nn.functional.rrelu(x, 0.5, 0.5, inplace=True)
    return x, repr(t.nn.RReLU(0.5, 0.5, inplace=True))


def variances_without_their_last_dimension(t):
    x, y = t.arange(6.0).reshape(2, 3), t.ones(2, 3)
    f = t.nn.functional.gaussian_nll_loss
    return f(x, y, t.tensor([1.0, 2.0])), f(x, y, t.tensor([[1.0], [2.0]]))


def a_transformer_of_nobody(t):
    net = t.nn.Transformer(8, 2, 1, 1, 16, batch_first=True, layer_norm_eps=0.5, dtype=t.float64)
    found = net(t.zeros(0, 3, 8).double(), t.zeros(0, 2, 8).double())
    return list(found.shape), found.dtype == t.float64, net.encoder.norm.eps


def a_size_and_a_scale(t):
    return t.nn.functional.interpolate(t.ones(1, 1, 2), size=2, scale_factor=2)


def lines_through_three_dimensions(t):
    return t.nn.functional.interpolate(t.ones(1, 1, 2), size=2, mode="bilinear")


def a_mirror_that_is_too_small(t):
    return t.nn.functional.pad(t.ones(1, 1, 3), (3, 0), mode="reflect")


def going_round_more_than_once(t):
    return t.nn.functional.pad(t.ones(1, 1, 3), (4, 0), mode="circular")


def an_unknown_way_to_pad(t):
    return t.nn.functional.pad(t.ones(1, 1, 3), (1, 0), mode="zeros")


def one_number_a_channel(t):
    return t.nn.InstanceNorm2d(2)(t.ones(1, 2, 1, 1))


def channels_that_do_not_split(t):
    return t.nn.GroupNorm(3, 4)


def transposed_channels_that_do_not_fit(t):
    return t.nn.ConvTranspose2d(3, 4, 2)(t.ones(1, 2, 3, 3))


def a_lazy_layer(t):
    layer = t.nn.LazyLinear(3)
    optimizer = t.optim.SGD(layer.parameters(), lr=0.1)
    y = layer(t.ones(4, 2))
    y.sum().backward()
    before = layer.weight.detach().clone()
    optimizer.step()
    return list(layer.weight.shape), repr(layer), before - layer.weight, layer.bias.grad


@pytest.mark.parametrize("program", programs_in(globals()), ids=lambda program: program.__name__)
def test_both_libraries_give_the_same_answer(program):
    same_answer(program)


def test_dropout_of_channels_takes_whole_ones():
    tinytorch.manual_seed(0)
    x = nn.Dropout2d(0.25)(tinytorch.ones(50, 40, 2, 2))
    assert ((x == 0).all((2, 3)) | (x == 1 / 0.75).all((2, 3))).all()
    assert x.mean().item() == pytest.approx(1, abs=0.05)
    assert set(nn.Dropout1d()(tinytorch.ones(9, 8, 4)).sum(2).flatten().tolist()) == {0.0, 8.0}
    assert nn.Dropout2d().eval()(x) is x
