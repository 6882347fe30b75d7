"""Convolutions of 32 images: as the first layer, and inside a network."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from benchmarks.arrays import numbers
from benchmarks.measure import Work, libraries


def by_library(t, image, kernels, inside, **settings):
    image = t.tensor(image, requires_grad=inside)  # a first layer's image wants no gradient
    weight = t.tensor(kernels, requires_grad=True)
    bias = t.zeros(len(kernels), requires_grad=True)
    conv2d = t.nn.functional.conv2d
    upstream = t.tensor(numbers(*conv2d(image, weight, bias, **settings).shape))

    def run():
        conv2d(image, weight, bias, **settings).backward(upstream)
        image.grad = weight.grad = bias.grad = None

    return run


def by_hand(image, kernels):
    """Windows side by side, then matrix products; the image's gradient is not computed."""
    batch, channels, height, _ = image.shape
    upstream = numbers(batch, len(kernels), (height - 2) ** 2)
    bias = np.zeros((len(kernels), 1), "float32")

    def run():
        windows = sliding_window_view(image, (3, 3), axis=(2, 3)).transpose(0, 1, 4, 5, 2, 3)
        columns = windows.reshape(batch, channels * 9, -1)
        kernels.reshape(len(kernels), -1) @ columns + bias
        (upstream @ columns.transpose(0, 2, 1)).sum(0)
        upstream.sum((0, 2))

    return run


def conv_work(name, goal, image, kernels, inside, **settings):
    found = {k: by_library(t, image, kernels, inside, **settings) for k, t in libraries().items()}
    if not inside:
        found["numpy"] = by_hand(image, kernels)
    return Work(name, found, {"torch": goal})


def works():
    yield conv_work("conv: first layer", 0.7, numbers(32, 1, 28, 28), numbers(8, 1, 3, 3), False)
    inside = numbers(32, 8, 26, 26), numbers(16, 8, 3, 3), True
    yield conv_work("conv: in a network", 1.6, *inside)
    yield conv_work("conv: in a network, padding 1", 1.7, *inside, padding=1)
    yield conv_work("conv: in a network, stride 2", 1.7, *inside, stride=2)
