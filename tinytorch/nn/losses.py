"""Losses: one number that says how wrong a network is."""

import warnings

import numpy as np

from tinytorch.elementwise import abs, log, maximum, softplus, where
from tinytorch.indexing import place
from tinytorch.nn.checks import check_dtypes, check_optional, check_shape, check_tensors
from tinytorch.nn.module import Module
from tinytorch.node import Rule
from tinytorch.operation import record
from tinytorch.reductions import log_softmax
from tinytorch.tensor import wrap


def reduced(loss, reduction, count=None):
    """`loss` as "none", its "sum", or its "mean": the sum divided by `count`, if that is given."""
    if reduction == "none":
        return loss
    if reduction == "sum":
        return loss.sum()
    if reduction == "mean":
        return loss.mean() if count is None else loss.sum() / count
    raise ValueError(f"reduction must be 'none', 'mean' or 'sum', got {reduction!r}")


# --- numbers ---


def mse_loss(input, target, reduction="mean"):
    """(input - target) squared; a warning if the two differ in shape.

    >>> mse_loss(tinytorch.tensor([1.0, 2.0]), tinytorch.tensor([1.0, 4.0]))
    tensor(2.)
    """
    warn_of_shapes("mse_loss", input, target)
    difference = input - target
    return reduced(difference * difference, reduction)


def l1_loss(input, target, reduction="mean"):
    """|input - target|; a warning if the two differ in shape."""
    warn_of_shapes("l1_loss", input, target)
    return reduced(abs(input - target), reduction)


def warn_of_shapes(name, input, target):
    check_tensors(name, input=input, target=target)
    if input.shape != target.shape:
        warnings.warn(
            f"input has shape {tuple(input.shape)}, target {tuple(target.shape)}: they will be"
            " broadcast, which is seldom what is meant",
            stacklevel=3,
        )


# --- classes ---


def nll_loss(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """-input[n, target[n]]: `input` (N, C, ...) log-probabilities, `target` (N, ...) classes.

    `weight` (C,) weighs the classes; the mean is divided by the sum of the weights. Where the
    target is `ignore_index`, nothing counts. ValueError for shapes that do not fit, IndexError
    for a class outside 0 to C - 1, RuntimeError for targets that are not integers.

    >>> nll_loss(tinytorch.tensor([[-0.5, -1.0]]), tinytorch.tensor([1]))
    tensor(1.)
    """
    check_tensors("nll_loss", input=input, target=target)
    return class_loss(input, target, weight, ignore_index, reduction, smoothing=0.0)


def cross_entropy(
    input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0
):
    """-log softmax(input) at the target: `input` (N, C, ...) any numbers, one for each class.

    `target` holds classes (N, ...), as in nll_loss(), or probabilities (N, C, ...).
    `label_smoothing` takes that part of the target and spreads it evenly over all classes.

    >>> cross_entropy(tinytorch.tensor([[0.0, 0.0]]), tinytorch.tensor([1]))
    tensor(0.6931)
    """
    check_tensors("cross_entropy", input=input, target=target)
    if not 0 <= label_smoothing <= 1:
        raise RuntimeError(f"label_smoothing must be between 0 and 1, got {label_smoothing}")
    logs = log_softmax(input, class_dim(input))
    if target.is_floating_point():
        return probability_loss(logs, target, weight, reduction, label_smoothing)
    return class_loss(logs, target, weight, ignore_index, reduction, label_smoothing)


def class_dim(input):
    return 1 if input.dim() > 1 else 0


def along_classes(weight, input):
    """`weight` (C,) in a shape that broadcasts with `input` (N, C, ...)."""
    check_optional("a loss", weight=weight)
    check_shape("a loss", "the weight of classes", weight, (input.shape[class_dim(input)],))
    check_dtypes("a loss", input, weight)
    return weight.reshape(-1, *[1] * (input.dim() - 2))


def class_loss(logs, target, weight, ignore_index, reduction, smoothing):
    """The loss where `target` holds the number of the right class."""
    check_classes(logs, target)
    logs, classes = classes_last(logs), target._data.reshape(-1)  # (M, C), (M,)
    counts = classes != ignore_index
    right = np.where(counts, classes, 0)
    check_range(right, logs.shape[-1])
    weight = None if weight is None else along_classes(weight, logs)
    weights = counts.astype(logs.dtype) if weight is None else counts * weight._data[right]
    loss = picked(logs, right, weights)
    if smoothing:
        logs = logs if weight is None else logs * weight
        even = where(wrap(counts), logs.mean(-1), 0.0)
        loss = (1 - smoothing) * loss - smoothing * even
    loss = loss.reshape(target.shape) if reduction == "none" else loss
    return reduced(loss, reduction, weights.sum().item())


def classes_last(logs):
    """(N, C, ...) -> (N * ..., C), and (C,) -> (1, C)."""
    if logs.dim() == 2:
        return logs
    return logs.unsqueeze(0) if logs.dim() == 1 else logs.movedim(1, -1).flatten(0, -2)


def picked(logs, right, weights):
    """-weights[m] * logs[m, right[m]], and 0 where the weight is 0, even at infinity."""
    (rows,) = np.nonzero(weights)
    index, weights = (rows, right[rows]), weights[rows]
    found = np.zeros(len(right), logs.dtype)
    found[rows] = logs._data[index] * -weights
    return record(found, PICKED, (logs,), logs._data.shape, index, weights)


def picked_formula(grad, shape, index, weights):
    return place(grad[index[0]] * -weights, shape, index)


PICKED = Rule("NllLossBackward0", (picked_formula,))


def check_range(right, classes):
    if right.size and not 0 <= right.min() <= right.max() < classes:
        raise IndexError(f"a target is not one of the classes 0 to {classes - 1}")


def check_classes(logs, target):
    shape = logs.shape
    wanted = shape[:1] + shape[2:] if len(shape) > 1 else ()
    if target.shape != wanted:
        error = ValueError if target.dim() == len(wanted) else RuntimeError
        raise error(
            f"input of shape {tuple(shape)} needs a target of shape {tuple(wanted)},"
            f" got {tuple(target.shape)}"
        )
    if target.dtype.kind not in "iu":
        raise RuntimeError(f"the target holds classes: int64 is needed, got {target.dtype}")


def probability_loss(logs, target, weight, reduction, smoothing):
    """The loss where `target` holds a probability for each class."""
    if target.shape != logs.shape:
        raise RuntimeError(
            f"a target of probabilities must have the input's shape {tuple(logs.shape)},"
            f" got {tuple(target.shape)}"
        )
    dim = class_dim(logs)
    if smoothing:
        target = (1 - smoothing) * target + smoothing / logs.shape[dim]
    if weight is not None:
        logs = logs * along_classes(weight, logs)
    loss = -(logs * target).sum(dim)
    return reduced(loss, reduction, loss.numel())


# --- yes or no ---


def binary_cross_entropy(input, target, weight=None, reduction="mean"):
    """-log of the probability that `input` gives to `target`, both between 0 and 1.

    A logarithm below -100 counts as -100. ValueError if the shapes differ, RuntimeError for an
    input that is no probability.

    >>> binary_cross_entropy(tinytorch.tensor([0.5]), tinytorch.tensor([1.0]))
    tensor(0.6931)
    """
    check_same_shape("binary_cross_entropy", input, target)
    check_dtypes("binary_cross_entropy", input, target)
    if input.numel() and not 0 <= input._data.min() <= input._data.max() <= 1:
        raise RuntimeError("binary_cross_entropy needs input between 0 and 1; apply sigmoid first")
    x, y = input._data, target._data
    loss = -(y * clamped_log(x) + (1 - y) * clamped_log(1 - x))
    return weighed(record(loss, BCE, (input, target), x, y), weight, reduction)


def clamped_log(x):
    return maximum(log(x), np.array(-100, x.dtype))


def bce_input(grad, x, y):
    return grad * (x - y) / maximum(x * (1 - x), np.array(1e-12, x.dtype))  # finite at 0 and 1


def bce_target(grad, x, y):
    return grad * (log(1 - x) - log(x))


BCE = Rule("BinaryCrossEntropyBackward0", (bce_input, bce_target), (0, 1))


def binary_cross_entropy_with_logits(input, target, weight=None, reduction="mean", pos_weight=None):
    """binary_cross_entropy of sigmoid(input), in a form that neither overflows nor loses digits.

    `pos_weight` weighs the positive answers.
    """
    check_same_shape("binary_cross_entropy_with_logits", input, target)
    rise = softplus(-input)  # -log sigmoid(x); -log(1 - sigmoid(x)) is x more
    if pos_weight is not None:
        rise = rise * (1 + (pos_weight - 1) * target)
    return weighed((1 - target) * input + rise, weight, reduction)


def check_same_shape(name, input, target):
    check_tensors(name, input=input, target=target)
    if input.shape != target.shape:
        raise ValueError(
            f"{name}: input and target must have one shape, got {tuple(input.shape)} and"
            f" {tuple(target.shape)}"
        )


def weighed(loss, weight, reduction):
    return reduced(loss if weight is None else loss * weight, reduction)


# --- the same as modules ---


class Loss(Module):
    """A loss with its settings: `reduction` is "mean", "sum" or "none"."""

    def __init__(self, reduction="mean"):
        super().__init__()
        self.reduction = reduction


class MSELoss(Loss):
    """mse_loss() as a module."""

    def forward(self, input, target):
        return mse_loss(input, target, self.reduction)


class L1Loss(Loss):
    """l1_loss() as a module."""

    def forward(self, input, target):
        return l1_loss(input, target, self.reduction)


class WeightedLoss(Loss):
    """A loss with a weight for each class or element, kept as a buffer."""

    def __init__(self, weight=None, reduction="mean"):
        super().__init__(reduction)
        self.register_buffer("weight", weight)


class NLLLoss(WeightedLoss):
    """nll_loss() as a module."""

    def __init__(self, weight=None, ignore_index=-100, reduction="mean"):
        super().__init__(weight, reduction)
        self.ignore_index = ignore_index

    def forward(self, input, target):
        return nll_loss(input, target, self.weight, self.ignore_index, self.reduction)


class CrossEntropyLoss(NLLLoss):
    """cross_entropy() as a module."""

    def __init__(self, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
        super().__init__(weight, ignore_index, reduction)
        self.label_smoothing = label_smoothing

    def forward(self, input, target):
        settings = self.weight, self.ignore_index, self.reduction, self.label_smoothing
        return cross_entropy(input, target, *settings)


class BCELoss(WeightedLoss):
    """binary_cross_entropy() as a module."""

    def forward(self, input, target):
        return binary_cross_entropy(input, target, self.weight, self.reduction)


class BCEWithLogitsLoss(WeightedLoss):
    """binary_cross_entropy_with_logits() as a module."""

    def __init__(self, weight=None, reduction="mean", pos_weight=None):
        super().__init__(weight, reduction)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input, target):
        settings = self.weight, self.reduction, self.pos_weight
        return binary_cross_entropy_with_logits(input, target, *settings)
