"""How parameters start."""

import math

import pytest

import tinytorch
from tinytorch import nn
from tinytorch.nn import init


def statistics(tensor):
    return tensor.mean().item(), tensor.std().item(), tensor.abs().max().item()


def test_fans_count_the_kernel():
    assert init.fans(tinytorch.zeros(8, 3, 5, 5)) == (3 * 25, 8 * 25)
    assert init._calculate_fan_in_and_fan_out(tinytorch.zeros(8, 3)) == (3, 8)
    with pytest.raises(ValueError, match=r"at least 2 dimensions, got shape \(3,\)"):
        init.xavier_uniform_(tinytorch.zeros(3))


@pytest.mark.parametrize(
    "fill, std",
    [
        (lambda t: init.uniform_(t, -1.0, 3.0), 4 / math.sqrt(12)),
        (lambda t: init.normal_(t, 1.0, 0.5), 0.5),
        (lambda t: init.xavier_uniform_(t), math.sqrt(2 / (300 + 200))),
        (lambda t: init.xavier_normal_(t, gain=3.0), 3 * math.sqrt(2 / (300 + 200))),
        (lambda t: init.kaiming_uniform_(t, nonlinearity="relu"), math.sqrt(2 / 300)),
        (lambda t: init.kaiming_normal_(t, mode="fan_out"), math.sqrt(2 / 200)),
        (lambda t: init.kaiming_normal_(t, a=math.sqrt(5)), math.sqrt(2 / 6 / 300)),
    ],
)
def test_the_spread_is_as_the_formula_says(fill, std):
    tensor = tinytorch.zeros(200, 300, requires_grad=True)
    assert fill(tensor) is tensor
    assert statistics(tensor)[1] == pytest.approx(std, rel=0.02)
    assert tensor.is_leaf and tensor.dtype == tinytorch.float32


def test_linear_and_convolution_start_within_one_over_the_root_of_their_inputs():
    for layer, inputs in ((nn.Linear(100, 50), 100), (nn.Conv2d(4, 50, 5), 100)):
        mean, _, largest = statistics(layer.weight)
        assert abs(mean) < 0.01
        assert 0.095 < largest <= 1 / math.sqrt(inputs)
        assert 0 < layer.bias.abs().max().item() <= 1 / math.sqrt(inputs)


def test_constants_fill_everything():
    assert init.constant_(tinytorch.zeros(2), 3.0).tolist() == [3.0, 3.0]
    assert init.ones_(tinytorch.zeros(2)).tolist() == [1.0, 1.0]
    assert init.zeros_(tinytorch.ones(2)).tolist() == [0.0, 0.0]


def test_a_seed_gives_the_same_start_again():
    starts = []
    for _ in range(2):
        tinytorch.manual_seed(3)
        starts.append(nn.Linear(2, 2).weight.tolist())
    assert starts[0] == starts[1]


def test_gains_agree_with_torch():
    torch = pytest.importorskip("torch")
    for name in ("linear", "conv2d", "sigmoid", "tanh", "relu", "leaky_relu", "selu"):
        assert init.calculate_gain(name) == torch.nn.init.calculate_gain(name)
    assert init.calculate_gain("leaky_relu", 0.3) == torch.nn.init.calculate_gain("leaky_relu", 0.3)
    with pytest.raises(ValueError, match="'softmin'"):
        init.calculate_gain("softmin")
    with pytest.raises(ValueError, match="'fan_inn'"):
        init.kaiming_normal_(tinytorch.zeros(2, 2), mode="fan_inn")
