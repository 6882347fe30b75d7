"""Random settings: each function of networks agrees with PyTorch's, results and gradients."""

import random

import numpy as np
import pytest
from beside_torch import numbers, same_as_torch

SEEDS = range(12)


@pytest.fixture(params=SEEDS)
def chance(request):
    return random.Random(request.param)


def image(chance, channels=2):
    return numbers(chance.choice([0, 1, 3]), channels, *chance.sample([5, 6, 7, 8], 2))


def test_convolutions_with_random_settings_agree_with_torch(chance):
    groups, one, two = chance.choice([1, 2]), chance.choice([1, 2]), chance.choice([1, 2])
    settings = {
        "padding": chance.choice([0, 1, (2, 0), "valid"]),
        "stride": chance.choice([1, 2, (1, 3)]),
        "dilation": chance.choice([1, 2, (2, 1)]),
        "groups": groups,
    }
    weight = numbers(groups * two, one, chance.choice([1, 2]), chance.choice([1, 2]))
    same_as_torch(
        lambda t, x, w, b: t.nn.functional.conv2d(x, w, b, **settings),
        image(chance, groups * one),
        weight,
        numbers(groups * two),
        tolerance=1e-4,
    )


@pytest.mark.parametrize("name", ["max_pool2d", "avg_pool2d"])
def test_pooling_with_random_settings_agrees_with_torch(name, chance):
    settings = {
        "stride": chance.choice([None, 1, (2, 3), 4]),
        "padding": chance.choice([0, 1]),
        "ceil_mode": chance.choice([True, False]),
    }
    if name == "max_pool2d":
        settings["dilation"] = chance.choice([1, 2])
    else:
        settings["count_include_pad"] = chance.choice([True, False])
    kernel = chance.choice([2, (3, 2)])
    ties = image(chance).round(0)
    same_as_torch(lambda t, x: getattr(t.nn.functional, name)(x, kernel, **settings), ties)


def test_adaptive_pooling_to_random_sizes_agrees_with_torch(chance):
    size = chance.choice([1, 3, (2, 5), (None, 2), 8])
    same_as_torch(lambda t, x: t.nn.functional.adaptive_avg_pool2d(x, size), image(chance))


def test_norms_with_random_settings_agree_with_torch(chance):
    training, momentum = chance.choice([True, False]), chance.random()
    shape = chance.choice([(4, 3), (4, 3, 2), (2, 3, 4, 2)])

    def batch_norm(t, x, weight, bias):
        mean, var = t.zeros(3) + 0.5, t.ones(3) * 2
        y = t.nn.functional.batch_norm(x, mean, var, weight, bias, training, momentum)
        return y + (mean * var).reshape(-1, *[1] * (x.dim() - 2))  # what became of them counts too

    def layer_norm(t, x, weight, bias):
        return t.nn.functional.layer_norm(x.swapaxes(1, -1), (3,), weight, bias, eps=momentum)

    for norm in (batch_norm, layer_norm):
        same_as_torch(norm, numbers(*shape), numbers(3), numbers(3, seed=1), tolerance=3e-4)


def test_losses_of_classes_with_random_settings_agree_with_torch(chance):
    shape = chance.choice([(4, 3), (3,), (2, 3, 2), (2, 3, 2, 2)])
    target = np.random.default_rng(chance.randrange(99)).integers(0, 3, shape[:1] + shape[2:])
    target = target if len(shape) > 1 else target[0]
    settings = {
        "reduction": chance.choice(["mean", "sum", "none"]),
        "ignore_index": chance.choice([-100, 0, 2]),
    }
    smoothing = chance.choice([0.0, 0.1, 1.0])
    weights = chance.choice([None, [0.5, 1.0, 2.0], [1.0, 0.0, 3.0]])

    def both(t, x):
        classes, weight = t.tensor(target), None if weights is None else t.tensor(weights)
        entropy = t.nn.functional.cross_entropy
        one = entropy(x, classes, weight, label_smoothing=smoothing, **settings)
        return one + t.nn.functional.nll_loss(x, classes, weight, **settings)

    same_as_torch(both, numbers(*shape), tolerance=1e-4)


def test_attention_with_random_masks_agrees_with_torch(chance):
    queries, keys, batch = chance.choice([1, 3]), chance.choice([2, 4]), chance.choice([(), (2, 3)])
    scores = numbers(queries, keys, seed=chance.randrange(99))
    mask = chance.choice([None, scores, scores > -0.3, scores > 9])

    def attend(t, q, k, v):
        causal = {"is_causal": True} if mask is None else {"attn_mask": t.tensor(mask)}
        return t.nn.functional.scaled_dot_product_attention(q, k, v, **causal)

    shapes = (*batch, queries, 4), (*batch, keys, 4), (*batch, keys, 2)
    same_as_torch(attend, *(numbers(*shape, seed=i) for i, shape in enumerate(shapes)))
