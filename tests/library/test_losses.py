"""Losses."""

import math
import warnings

import numpy as np
import pytest
from beside_torch import numbers, proven, same_as_torch

import tinytorch
import tinytorch.nn.functional as F
from tinytorch import nn

CLASSES = np.array([0, 2, 1, 2])
CLASS_SETTINGS = [
    {},
    {"reduction": "sum"},
    {"reduction": "none"},
    {"ignore_index": 2},
    {"ignore_index": 2, "reduction": "none"},
    {"label_smoothing": 0.2},
    {"label_smoothing": 0.2, "ignore_index": 2},
    {"label_smoothing": 1.0, "reduction": "none"},
]
PLACES = [((4, 3), CLASSES), ((3,), np.array(1)), ((2, 3, 2), CLASSES.reshape(2, 2))]


def test_an_even_guess_among_two_costs_log_2():
    loss = F.cross_entropy(tinytorch.zeros(3, 2), tinytorch.tensor([0, 1, 1]))
    assert loss.item() == pytest.approx(math.log(2))


def test_the_gradient_of_cross_entropy_is_guess_minus_truth():
    x = tinytorch.zeros(1, 2, requires_grad=True)
    F.cross_entropy(x, tinytorch.tensor([1])).backward()
    assert x.grad.tolist() == [[0.5, -0.5]]


@pytest.mark.parametrize("target", [[0, 2, 1, 2], [0, -100, 1, 2]])
@pytest.mark.parametrize("largest", [1.0, 300.0])
def test_cross_entropy_is_nll_loss_of_log_softmax_to_the_last_bit(largest, target):
    values = np.array([[1.0, 2.0, largest], [-1.0, 0.0, 1.0], [0.5, -0.5, 0.0], [9.0, 9.0, 9.0]])
    target = tinytorch.tensor(target)

    def bits(loss_of):
        x = tinytorch.tensor(values, dtype=tinytorch.float32, requires_grad=True)
        loss = loss_of(x * 1)
        (loss * 0.37).backward()
        return loss.numpy(force=True).tobytes(), x.grad.numpy().tobytes()

    in_one = bits(lambda x: F.cross_entropy(x, target))
    assert in_one == bits(lambda x: F.nll_loss(F.log_softmax(x, 1), target))


def test_cross_entropy_has_gradients_of_every_order_and_forgets_its_input():
    target = tinytorch.tensor([0, 2, 1])

    def loss(x):
        y = x * 2
        found = F.cross_entropy(y, target)
        y.mul_(3)  # nothing that was saved has changed
        return found

    proven(loss, numbers(3, 3))


def test_the_mean_is_divided_by_the_weights_of_the_classes_seen():
    logs, weight = tinytorch.tensor([[-1.0, -2.0]] * 2), tinytorch.tensor([1.0, 3.0])
    loss = F.nll_loss(logs, tinytorch.tensor([0, 1]), weight)
    assert loss.item() == (1 * 1 + 3 * 2) / (1 + 3)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("settings", CLASS_SETTINGS)
@pytest.mark.parametrize("shape, target", PLACES)
def test_cross_entropy_of_classes_agrees_with_torch(shape, target, settings, weighted):
    def loss(t, x):
        weight = t.tensor([0.5, 1.0, 2.0]) if weighted else None
        return t.nn.functional.cross_entropy(x, t.tensor(target), weight, **settings)

    same_as_torch(loss, numbers(*shape))


@pytest.mark.parametrize("settings", [{}, {"reduction": "none"}, {"label_smoothing": 0.3}])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("shape", [(4, 3), (3,), (2, 3, 2)])
def test_cross_entropy_of_probabilities_agrees_with_torch(shape, weighted, settings):
    def loss(t, x, target):
        weight = t.tensor([0.5, 1.0, 2.0]) if weighted else None
        return t.nn.functional.cross_entropy(x, target, weight, **settings)

    same_as_torch(loss, numbers(*shape), np.abs(numbers(*shape, seed=2)))


@pytest.mark.parametrize("settings", [{}, {"ignore_index": 1}, {"reduction": "sum"}])
def test_nll_loss_agrees_with_torch(settings):
    same_as_torch(
        lambda t, x: t.nn.functional.nll_loss(x, t.tensor(CLASSES), **settings), numbers(4, 3)
    )


def test_an_ignored_target_costs_nothing_even_at_infinity():
    x = tinytorch.tensor([[0.0, 0.0], [-math.inf, 0.0]], requires_grad=True)
    loss = F.cross_entropy(x, tinytorch.tensor([0, -100]))
    loss.backward()
    assert loss.item() == pytest.approx(math.log(2))
    assert x.grad.tolist() == [[-0.5, 0.5], [0.0, 0.0]]


def test_a_forbidden_class_costs_nothing_where_another_is_right():
    x = tinytorch.tensor([[0.0, 0.0, -math.inf]], requires_grad=True)
    F.cross_entropy(x, tinytorch.tensor([0])).backward()
    assert x.grad.tolist() == [[-0.5, 0.5, 0.0]]


@pytest.mark.parametrize("name", ["mse_loss", "l1_loss"])
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_losses_of_numbers_agree_with_torch(name, reduction):
    same_as_torch(
        lambda t, x, y: getattr(t.nn.functional, name)(x, y, reduction=reduction),
        numbers(4, 3),
        numbers(4, 3, seed=2),
    )


def test_mse_is_the_mean_of_squares():
    loss = F.mse_loss(tinytorch.tensor([1.0, 5.0]), tinytorch.tensor([2.0, 2.0]))
    assert loss.item() == (1 + 9) / 2


@pytest.mark.parametrize("name", ["mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"])
def test_a_target_of_another_shape_warns_before_it_broadcasts(name):
    with pytest.warns(UserWarning, match=r"input has shape \(2, 1\), target \(2,\)") as said:
        getattr(F, name)(tinytorch.zeros(2, 1), tinytorch.zeros(2))
    assert said[0].filename == __file__


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("weighted", [False, True])
def test_yes_or_no_losses_agree_with_torch(reduction, weighted):
    def weight(t):
        return t.tensor([0.5, 1.0, 2.0]) if weighted else None

    truth = np.array([[0.0, 1.0, 1.0], [1.0, 0.3, 0.0]], "float32")
    same_as_torch(
        lambda t, x: t.nn.functional.binary_cross_entropy(
            t.sigmoid(x), t.tensor(truth), weight(t), reduction=reduction
        ),
        numbers(2, 3),
    )
    same_as_torch(
        lambda t, x, y: t.nn.functional.binary_cross_entropy_with_logits(
            x, y, weight(t), reduction=reduction, pos_weight=weight(t)
        ),
        numbers(2, 3),
        truth,
    )


def test_logits_far_out_neither_overflow_nor_lose_their_gradient():
    x = tinytorch.tensor([-200.0, 200.0], requires_grad=True)
    loss = F.binary_cross_entropy_with_logits(x, tinytorch.tensor([1.0, 0.0]), reduction="none")
    loss.sum().backward()
    assert loss.tolist() == [200.0, 200.0]
    assert x.grad.tolist() == [-1.0, 1.0]


def test_a_certain_mistake_costs_100_and_not_infinity():
    x = tinytorch.tensor([0.0, 1.0])
    assert F.binary_cross_entropy(x, tinytorch.tensor([1.0, 0.0])).item() == 100.0


def test_gradients_of_losses_are_proven_to_second_order():
    target = tinytorch.tensor(CLASSES)
    weight = tinytorch.tensor([0.5, 1.0, 2.0], dtype=tinytorch.float64)
    proven(lambda x: F.cross_entropy(x, target, weight, label_smoothing=0.1), numbers(4, 3))
    proven(lambda x: F.nll_loss(x * x, target, weight, ignore_index=1), numbers(4, 3))
    proven(lambda x, y: F.mse_loss(x, y), numbers(4), numbers(4, seed=2))
    proven(lambda x, y: F.binary_cross_entropy_with_logits(x, y), numbers(4), numbers(4, seed=2))
    proven(lambda x: F.binary_cross_entropy(x.sigmoid(), weight), numbers(3))
    truth = tinytorch.softmax(tinytorch.randn(4, 3, dtype=tinytorch.float64), 1)
    proven(lambda x: F.cross_entropy(x, truth), numbers(4, 3))


def test_modules_pass_their_settings_on():
    x, target = tinytorch.tensor(numbers(4, 3)), tinytorch.tensor(CLASSES)
    weight = tinytorch.tensor([0.5, 1.0, 2.0])
    settings = dict(ignore_index=1, reduction="sum", label_smoothing=0.1)
    loss = nn.CrossEntropyLoss(weight, **settings)
    assert loss(x, target).item() == F.cross_entropy(x, target, weight, **settings).item()
    assert nn.NLLLoss(weight)(x, target).item() == F.nll_loss(x, target, weight).item()
    assert list(loss.state_dict()) == ["weight"]
    y, z = x.sigmoid(), tinytorch.ones(4, 3)
    assert nn.BCELoss(weight)(y, z).item() == F.binary_cross_entropy(y, z, weight).item()
    logits = F.binary_cross_entropy_with_logits(x, z, pos_weight=weight)
    assert nn.BCEWithLogitsLoss(pos_weight=weight)(x, z).item() == logits.item()
    assert nn.MSELoss(reduction="sum")(x, z).item() == F.mse_loss(x, z, reduction="sum").item()
    assert nn.L1Loss()(x, z).item() == F.l1_loss(x, z).item()


@pytest.mark.parametrize(
    "error, words, function",
    [
        (IndexError, "classes 0 to 1", lambda x: F.cross_entropy(x, tinytorch.tensor([0, 2]))),
        (IndexError, "classes 0 to 1", lambda x: F.cross_entropy(x, tinytorch.tensor([0, -1]))),
        (ValueError, r"\(2,\), got \(3,\)", lambda x: F.nll_loss(x, tinytorch.tensor([0, 1, 1]))),
        (RuntimeError, "int64", lambda x: F.nll_loss(x, tinytorch.tensor([0.0, 1.0]))),
        (RuntimeError, r"\(2, 2\), got \(2,\)", lambda x: F.cross_entropy(x, tinytorch.zeros(2))),
        (
            RuntimeError,
            r"weight must have shape \(2,\)",
            lambda x: F.nll_loss(x, tinytorch.tensor([0, 1]), x[0, :1]),
        ),
        (ValueError, "'average'", lambda x: F.mse_loss(x, x, reduction="average")),
        (TypeError, "reduction='sum'", lambda x: F.mse_loss(x, x, "sum")),
        (ValueError, "one shape", lambda x: F.binary_cross_entropy(x, x[0])),
        (RuntimeError, "between 0 and 1", lambda x: F.binary_cross_entropy(x + 2, x)),
        (RuntimeError, "smoothing", lambda x: F.cross_entropy(x, x, label_smoothing=2)),
    ],
)
def test_what_does_not_fit_is_named(error, words, function):
    with pytest.raises(error, match=words):
        function(tinytorch.zeros(2, 2))


def test_a_probability_of_0_or_1_has_a_finite_gradient():
    def loss(t, x, y):
        return t.nn.functional.binary_cross_entropy(x, y, reduction="sum")

    x, y = np.array([0, 0, 1, 1], "f"), np.array([0, 1, 0, 1], "f")
    same_as_torch(loss, x, y)


def test_what_is_ignored_receives_no_gradient_even_where_the_mean_is_of_nothing():
    x = tinytorch.zeros(2, 3, requires_grad=True)
    loss = F.cross_entropy(x, tinytorch.tensor([1, 1]), ignore_index=1)
    loss.backward()
    assert math.isnan(loss.item())
    assert x.grad.tolist() == [[0.0] * 3] * 2


@pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
@pytest.mark.parametrize("smoothing", [0.0, 0.5])
def test_no_loss_is_minus_zero(reduction, smoothing):
    certain = tinytorch.tensor([[0.0, -math.inf], [0.0, -math.inf]])
    loss = F.cross_entropy(certain, tinytorch.tensor([0, -100]), reduction=reduction)
    assert not np.signbit(loss.numpy()).any()
    ignored = F.cross_entropy(
        certain, tinytorch.tensor([-100, -100]), reduction="sum", label_smoothing=smoothing
    )
    assert str(ignored) == "tensor(0.)"


def test_a_loss_too_large_for_its_dtype_is_infinite_without_a_warning():
    logs, weight = tinytorch.tensor([[-3e38, -3e38]]), tinytorch.tensor([1e38, 1e38])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert F.nll_loss(logs, tinytorch.tensor([1]), weight, reduction="sum").item() == math.inf
