"""Convolution and pooling."""

import math

import numpy as np
import pytest
from beside_torch import numbers, proven, same_as_torch, same_module_as_torch

import tinytorch
import tinytorch.nn.functional as F
from tinytorch import nn

# channels in and out, kernel, settings
CONVOLUTIONS = [
    (1, 2, (3, 3), {}),
    (2, 3, (1, 1), {}),
    (2, 3, (2, 3), {"stride": 2}),
    (2, 3, (3, 2), {"stride": (1, 2), "padding": (2, 0)}),
    (2, 2, (2, 2), {"dilation": (2, 1), "padding": 1}),
    (4, 6, (3, 3), {"groups": 2, "padding": "same"}),
    (3, 3, (2, 2), {"groups": 3, "padding": "same", "dilation": 2}),
    (2, 2, (3, 3), {"padding": "valid"}),
]
POOLINGS = [(2, {}), ((2, 3), {"stride": 1}), (3, {"padding": 1}), (2, {"stride": (3, 2)})]


def test_convolution_of_one_row_takes_weighted_sums_of_neighbours():
    image = tinytorch.tensor([[[1.0, 2.0, 4.0, 8.0]]])
    kernel = tinytorch.tensor([[[[1.0, 10.0]]]])
    assert F.conv2d(image, kernel).tolist() == [[[21.0, 42.0, 84.0]]]
    assert F.conv2d(image, kernel, tinytorch.tensor([0.5]), stride=2).tolist() == [[[21.5, 84.5]]]


def test_each_weight_receives_the_sum_of_what_it_saw():
    image = tinytorch.tensor([[[[1.0, 2.0, 4.0]]]], requires_grad=True)
    kernel = tinytorch.tensor([[[[3.0, 5.0]]]], requires_grad=True)
    F.conv2d(image, kernel).sum().backward()
    assert kernel.grad.tolist() == [[[[3.0, 6.0]]]]
    assert image.grad.tolist() == [[[[3.0, 8.0, 5.0]]]]


@pytest.mark.parametrize("channels, out, kernel, settings", CONVOLUTIONS)
def test_conv2d_agrees_with_torch(channels, out, kernel, settings):
    weight = numbers(out, channels // settings.get("groups", 1), *kernel)
    same_as_torch(
        lambda t, x, w, b: t.nn.functional.conv2d(x, w, b, **settings),
        numbers(2, channels, 6, 5),
        weight,
        numbers(out),
        tolerance=1e-4,
    )


@pytest.mark.parametrize("channels, out, kernel, settings", CONVOLUTIONS)
def test_gradients_of_conv2d_are_proven_to_second_order(channels, out, kernel, settings):
    weight = numbers(out, channels // settings.get("groups", 1), *kernel)
    proven(
        lambda x, w, b: F.conv2d(x, w, b, **settings),
        numbers(1, channels, 4, 4),
        weight,
        numbers(out),
    )


def test_the_module_agrees_with_torch():
    same_module_as_torch(lambda nn: nn.Conv2d(2, 3, 3, padding=1), numbers(2, 2, 5, 4))
    same_module_as_torch(
        lambda nn: nn.Conv2d(2, 4, (3, 2), stride=2, dilation=(1, 2), groups=2, bias=False),
        numbers(2, 2, 5, 6),
    )
    same_module_as_torch(lambda nn: nn.Conv2d(1, 2, 3, padding="same"), numbers(1, 4, 4))


@pytest.mark.parametrize("stride", [np.int64(2), (2,), [np.int32(2), 1]])
def test_sizes_may_be_numbers_of_numpy_and_tuples_of_one(stride):
    image, kernel = numbers(1, 7, 7), numbers(2, 1, 2, 2)
    same_as_torch(lambda t, x, w: t.nn.functional.conv2d(x, w, stride=stride), image, kernel)


@pytest.mark.parametrize("shape", [(2, 4, 5, 6, 7), (4, 5, 6, 7), (0, 4, 5, 6, 7)])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"stride": 2, "groups": 2},
        {"stride": (1, 2, 1), "padding": (2, 0, 1)},
        {"dilation": (2, 1, 2), "padding": 1},
        {"padding": "same", "dilation": 2},
    ],
)
def test_conv3d_agrees_with_torch(shape, settings):
    weight = numbers(6, 4 // settings.get("groups", 1), 3, 1, 3)
    same_as_torch(
        lambda t, x, w, b: t.nn.functional.conv3d(x, w, b, **settings),
        numbers(*shape),
        weight,
        numbers(6),
        tolerance=1e-4,
    )


@pytest.mark.parametrize("shape", [(2, 4, 3, 4, 5), (4, 3, 4, 5), (0, 4, 3, 4, 5)])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"stride": 2, "groups": 2},
        {"stride": (2, 1, 3), "padding": (1, 0, 1), "output_padding": (1, 0, 2)},
        {"dilation": (2, 1, 2), "padding": 1},
    ],
)
def test_conv_transpose3d_agrees_with_torch(shape, settings):
    groups = settings.get("groups", 1)
    same_as_torch(
        lambda t, x, w, b: t.nn.functional.conv_transpose3d(x, w, b, **settings),
        numbers(*shape),
        numbers(4, 6 // groups, 3, 2, 3),
        numbers(6),
        tolerance=1e-4,
    )


def test_modules_for_volumes_agree_with_torch():
    volume = numbers(2, 2, 4, 5, 6)
    settings = {"stride": 2, "padding": (1, 0, 1), "groups": 2, "bias": False}
    same_module_as_torch(lambda nn: nn.Conv3d(2, 4, (3, 2, 1), **settings), volume)
    same_module_as_torch(lambda nn: nn.Conv3d(2, 3, 3, padding="same", dilation=2), volume)
    for mode in ("reflect", "replicate", "circular"):
        framed = {"padding": (1, 0, 2), "padding_mode": mode}
        same_module_as_torch(lambda nn, framed=framed: nn.Conv3d(2, 4, 3, **framed), volume)
    transposed = {"stride": 2, "output_padding": 1, "groups": 2, "dilation": (2, 1, 3)}
    same_module_as_torch(lambda nn: nn.ConvTranspose3d(2, 4, (3, 2, 1), **transposed), volume)
    same_module_as_torch(lambda nn: nn.ConvTranspose3d(2, 3, 3, stride=2, padding=1), volume,
                         run=lambda t, m, x: m(x, output_size=(8, 10, 12)))  # fmt: skip
    same_module_as_torch(lambda nn: nn.MaxPool3d(2, (1, 2, 2), ceil_mode=True), volume)
    same_module_as_torch(lambda nn: nn.AvgPool3d((2, 3, 2), padding=(1, 1, 0)), volume)
    for size in (1, (3, None, 4)):
        same_module_as_torch(lambda nn, size=size: nn.AdaptiveAvgPool3d(size), volume)
        same_module_as_torch(lambda nn, size=size: nn.AdaptiveAvgPool3d(size), volume[0])


@pytest.mark.parametrize("name", ["max_pool3d", "avg_pool3d"])
@pytest.mark.parametrize("shape", [(2, 3, 5, 6, 7), (3, 5, 6, 7), (0, 3, 5, 6, 7)])
@pytest.mark.parametrize("settings", [{}, {"stride": (2, 1, 3), "ceil_mode": True, "padding": 1}])
def test_pooling_of_volumes_agrees_with_torch(name, shape, settings):
    for volume in (numbers(*shape), numbers(*shape) > 0):  # the second with many equals
        same_as_torch(
            lambda t, x: getattr(t.nn.functional, name)(x, (2, 3, 2), **settings),
            volume.astype("float32"),
        )


def test_volumes_that_do_not_fit_are_named():
    volume, weight = tinytorch.zeros(1, 2, 3, 3, 3), tinytorch.zeros(4, 2, 2, 2, 2)
    with pytest.raises(RuntimeError, match=r"conv3d needs .*, got shape \(3, 3, 3\)"):
        F.conv3d(volume[0, 0], weight)
    with pytest.raises(RuntimeError, match="do not fit an input of 1 channels"):
        F.conv3d(volume[:, :1], weight)
    with pytest.raises(RuntimeError, match="stride must be one whole number or three"):
        F.conv3d(volume, weight, stride=(1, 2))
    with pytest.raises(RuntimeError, match=r"conv_transpose3d needs weight .*, got shape \(2, 2\)"):
        F.conv_transpose3d(volume, weight[0, 0, 0])


def test_a_constant_image_gets_no_gradient():
    image, weight = tinytorch.randn(1, 1, 4, 4), tinytorch.randn(2, 1, 3, 3, requires_grad=True)
    F.conv2d(image, weight).sum().backward()
    assert image.grad is None and weight.grad.shape == (2, 1, 3, 3)


@pytest.mark.parametrize(
    "image, weight, settings, words",
    [
        ((1, 2, 4, 4), (3, 1, 2, 2), {}, "groups=1 do not fit an input of 2 channels"),
        ((1, 2, 4, 4), (3, 1, 2, 2), {"groups": 2}, "groups=2"),
        ((2, 4), (3, 1, 2, 2), {}, r"\(2, 4\)"),
        ((1, 1, 2, 2), (1, 1, 3, 3), {}, "a kernel that spans 3 does not fit into a length of 2"),
        ((1, 1, 4, 4), (1, 1, 3, 3), {"stride": 2, "padding": "same"}, "stride 1"),
        ((1, 1, 4, 4), (1, 1, 3, 3), {"stride": 0}, "stride"),
        ((1, 1, 4, 4), (1, 1, 3, 3), {"bias": tinytorch.zeros(2)}, r"bias must have shape \(1,\)"),
    ],
)
def test_shapes_that_do_not_fit_are_named(image, weight, settings, words):
    with pytest.raises(RuntimeError, match=words):
        F.conv2d(tinytorch.zeros(*image), tinytorch.zeros(*weight), **settings)


def test_channels_that_do_not_split_into_groups_are_a_value_error():
    with pytest.raises(ValueError, match="3 and 4 channels do not split by 2"):
        nn.Conv2d(3, 4, 1, groups=2)


def test_max_pooling_gives_the_gradient_to_the_first_of_equals():
    x = tinytorch.tensor([[[1.0, 7.0], [7.0, 3.0]]], requires_grad=True)
    y = F.max_pool2d(x, 2)
    y.backward(tinytorch.tensor([[[5.0]]]))
    assert y.tolist() == [[[7.0]]]
    assert x.grad.tolist() == [[[0.0, 5.0], [0.0, 0.0]]]


def test_max_pooling_gives_the_gradient_to_the_nan_that_won():
    x = tinytorch.tensor([[[1.0, math.nan, 2.0, 3.0]]], requires_grad=True)
    y = F.max_pool2d(x, (1, 2))
    y.sum().backward()
    assert math.isnan(y[0, 0, 0].item()) and x.grad.tolist() == [[[0.0, 1.0, 0.0, 1.0]]]


def test_the_frame_counts_in_means_and_never_wins_a_maximum():
    x = tinytorch.tensor([[[-8.0]]])
    assert F.avg_pool2d(x, 2, padding=1, stride=1).tolist() == [[[-2.0, -2.0], [-2.0, -2.0]]]
    assert F.max_pool2d(x, 2, padding=1, stride=1).tolist() == [[[-8.0, -8.0], [-8.0, -8.0]]]


@pytest.mark.parametrize("kernel, settings", POOLINGS)
@pytest.mark.parametrize("name", ["max_pool2d", "avg_pool2d"])
def test_pooling_agrees_with_torch(name, kernel, settings):
    same_as_torch(
        lambda t, x: getattr(t.nn.functional, name)(x, kernel, **settings), numbers(2, 3, 7, 6)
    )


@pytest.mark.parametrize("kernel, settings", POOLINGS)
def test_gradients_of_pooling_are_proven_to_second_order(kernel, settings):
    proven(lambda x: F.max_pool2d(x, kernel, **settings), numbers(1, 2, 5, 5))
    proven(lambda x: F.avg_pool2d(x, kernel, **settings) ** 2, numbers(1, 2, 5, 5))
    proven(lambda x: F.max_pool2d(x, kernel, **settings) ** 2, numbers(1, 2, 5, 5))


@pytest.mark.parametrize("size", [1, (2, 3), (5, 7), (None, 2)])
def test_adaptive_pooling_agrees_with_torch(size):
    same_module_as_torch(lambda nn: nn.AdaptiveAvgPool2d(size), numbers(2, 3, 5, 7))


def test_pooling_modules_agree_with_torch():
    same_module_as_torch(lambda nn: nn.MaxPool2d(3, stride=2, padding=1), numbers(2, 2, 6, 5))
    same_module_as_torch(lambda nn: nn.MaxPool2d(2, dilation=2), numbers(2, 6, 5))
    same_module_as_torch(lambda nn: nn.MaxPool2d(2, ceil_mode=True), numbers(2, 5, 5))
    same_module_as_torch(lambda nn: nn.AvgPool2d((2, 1)), numbers(2, 2, 6, 5))
    same_module_as_torch(
        lambda nn: nn.AvgPool2d(3, 2, 1, ceil_mode=True, count_include_pad=False),
        numbers(1, 2, 6, 5),
    )


def test_ceil_mode_gives_what_is_left_over_a_window_of_its_own():
    x = tinytorch.tensor([[[1.0, 5.0, 2.0]]])
    assert F.max_pool2d(x, (1, 2), ceil_mode=True).tolist() == [[[5.0, 2.0]]]
    assert F.avg_pool2d(x, (1, 2), ceil_mode=True).tolist() == [[[3.0, 2.0]]]


def test_pooling_refuses_what_it_cannot_place():
    with pytest.raises(RuntimeError, match="at most half"):
        F.max_pool2d(tinytorch.zeros(1, 4, 4), 2, padding=2)
    with pytest.raises(RuntimeError, match=r"\(4, 4\)"):
        F.avg_pool2d(tinytorch.zeros(4, 4), 2)
