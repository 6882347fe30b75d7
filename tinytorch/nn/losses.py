"""Losses: one number that says how wrong a network is."""

import math
import warnings

import numpy as np

from tinytorch.nn.checks import check_dtypes, check_parts
from tinytorch.nn.function_module import FunctionModule
from tinytorch.nn.reduction import check_reduction, in_todays_names, reduced, with_old_names
from tinytorch.node import Rule
from tinytorch.operation import quiet, recorded
from tinytorch.ops.dims import kept_shape
from tinytorch.ops.elementwise import abs, log, maximum, softplus
from tinytorch.ops.index_reading import all_below, first_outside
from tinytorch.ops.reductions import below_largest, log_softmax, softmax
from tinytorch.tensor import Tensor, check_tensors

# --- numbers ---


@with_old_names()
def mse_loss(input, target, reduction="mean"):
    """(input - target) squared; a warning if the two differ in shape.

    >>> mse_loss(tinytorch.tensor([1.0, 2.0]), tinytorch.tensor([1.0, 4.0]))
    tensor(2.)
    """
    warn_of_shapes("mse_loss", input, target)
    difference = input - target
    return reduced(difference * difference, reduction)


@with_old_names()
def l1_loss(input, target, reduction="mean"):
    """|input - target|; a warning if the two differ in shape."""
    warn_of_shapes("l1_loss", input, target)
    return reduced(abs(input - target), reduction)


def warn_of_shapes(name, input, target, stacklevel=4):
    check_tensors(name, input=input, target=target)
    if input.shape != target.shape:
        warnings.warn(
            f"input has shape {tuple(input.shape)}, target {tuple(target.shape)}: they will be"
            " broadcast, which is seldom what is meant",
            stacklevel=stacklevel,  # the caller of the loss; mostly a decorator stands between
        )


# --- classes ---


@with_old_names(before="ignore_index")
def nll_loss(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """-input[n, target[n]]: `input` (N, C, ...) log-probabilities, `target` (N, ...) classes.

    `weight` (C,) weighs the classes; the mean is divided by the sum of the weights. Where the
    target is `ignore_index`, nothing counts. ValueError for shapes that do not fit, IndexError
    for a class outside 0 to C - 1, RuntimeError for targets that are not integers.

    >>> nll_loss(tinytorch.tensor([[-0.5, -1.0]]), tinytorch.tensor([1]))
    tensor(1.)
    """
    check_tensors("nll_loss", input=input, target=target)
    return class_loss(input, target, weight, ignore_index, reduction)


@with_old_names(before="ignore_index")
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
    no_options = weight is None and reduction == "mean" and not label_smoothing
    if no_options and all_count(input, target, ignore_index):
        return mean_over_all(input, target)
    dim = class_dim(input)
    logs = log_softmax(input, dim)
    if target.is_floating_point():
        return probability_loss(logs, target, dim, weight, reduction, label_smoothing)
    return class_loss(logs, target, weight, ignore_index, reduction, label_smoothing)


def all_count(input, target, ignore_index):
    """True for numbers (N, C) and a class from 0 to C - 1 for each row, none to be ignored."""
    x, classes = input._data, target._data
    fits = x.ndim == 2 and x.size and x.dtype.kind == "f" and classes.shape == x.shape[:1]
    if not fits or classes.dtype.kind not in "iu" or 0 <= ignore_index < x.shape[1]:
        return False
    return all_below(x.shape[1], classes)


@quiet
def mean_over_all(input, target):
    """What cross_entropy() returns where no options are given, as one operation."""
    _, logs, axis = below_largest(input, 1, None)
    logs -= np.log(np.add.reduce(np.exp(logs), axis, keepdims=True))
    places = np.arange(len(logs)), target._data
    share = 1 / logs.dtype.type(len(logs))
    loss = 0 - np.add.reduce(logs[places] * share)
    return recorded(loss, CROSS_ENTROPY, (input,), logs, places, share)


def cross_entropy_formula(grad, logs, places, share):
    """softmax(input), less 1 at the targets.

    In a recorded pass, `logs` stand for the input: they are the input, less a number for each row,
    which makes no difference to the softmax nor to its slopes.
    """
    if type(grad) is Tensor:
        hits = np.zeros(logs.shape, logs._data.dtype)
        hits[places] = 1
        return (softmax(logs, 1) - hits) * (grad * share)
    grad = grad * share
    slopes = np.exp(logs) * grad
    slopes[places] -= grad
    return slopes


CROSS_ENTROPY = Rule("NllLossBackward0", (cross_entropy_formula,), (0,))


def class_dim(input):
    return 1 if input._data.ndim > 1 else 0


def along_classes(weight, input, dim):
    """`weight` (C,) in a shape that broadcasts with `input` (N, C, ...)."""
    check_parts("a loss", input, (input.shape[dim],), weight=weight)
    return weight.reshape(-1, *[1] * (input.dim() - 1 - dim))


@quiet
def class_loss(logs, target, weight, ignore_index, reduction, smoothing=0.0):
    """What nll_loss() returns; `smoothing` takes that part of each sample for all its classes."""
    check_reduction(reduction)
    if logs.dim() == 1 and target.shape == (1,):  # the only sample
        target = target.reshape(())
    check_classes(logs, target)
    x, dim = logs._data, class_dim(logs)
    counts = target._data != ignore_index
    places = places_of(target._data * counts, x.shape, dim)
    counts = counts.astype(x.dtype)
    each = counts  # (N, ...), how much each sample counts
    if weight is not None:
        beside = along_classes(weight, logs, dim)._data  # (C, 1, ...), checked
        each = counts * weight._data[places[dim]]
    total = np.add.reduce(each, None) if reduction == "mean" else 1
    each = (0 - each) / (total or 1)  # 0 - x: no slope is -0
    loss = each * np.where(each, x[places], 0)  # where: 0 times an infinite logarithm is 0 here
    slopes = np.zeros(x.shape, x.dtype)
    slopes[places] = each
    if smoothing:
        evenly = np.expand_dims(counts, dim) * (smoothing / x.shape[dim] / (total or 1))
        slopes = (1 - smoothing) * slopes - (evenly if weight is None else evenly * beside)
        loss = np.add.reduce(slopes * np.where(slopes, x, 0), dim)
    loss = loss + 0  # nor is a loss
    if reduction == "none":
        return recorded(loss, NLL, (logs,), slopes, kept_shape(x.shape, (dim,)))
    loss = np.add.reduce(loss, None) if total else np.array(math.nan, x.dtype)
    return recorded(loss, NLL, (logs,), slopes, (1,) * x.ndim)


def places_of(classes, shape, dim):
    """Where in an array of `shape` (N, C, ...) the numbers of the `classes` (N, ...) stand."""
    if not all_below(shape[dim], classes):
        wrong, last = first_outside(shape[dim], classes), shape[dim] - 1
        raise IndexError(f"the target {wrong} is not one of the classes 0 to {last}")
    others = [np.arange(n).reshape(-1, *[1] * i) for i, n in enumerate(classes.shape[::-1])][::-1]
    return *others[:dim], classes, *others[dim:]


def nll_formula(grad, slopes, kept):
    return grad.reshape(kept) * slopes


NLL = Rule("NllLossBackward0", (nll_formula,))


def check_classes(logs, target):
    shape, found = logs._data.shape, target._data
    wanted = shape[:1] + shape[2:] if len(shape) > 1 else ()
    if found.shape != wanted:
        error = ValueError if found.ndim == len(wanted) else RuntimeError
        raise error(f"input of shape {shape} needs a target of shape {wanted}, got {found.shape}")
    if found.dtype.kind not in "iu":
        raise RuntimeError(f"the target holds classes: int64 is needed, got {found.dtype}")


def probability_loss(logs, target, dim, weight, reduction, smoothing):
    """The loss where `target` holds a probability for each class."""
    shape = tuple(logs.shape)
    if target.shape != shape:
        raise RuntimeError(
            f"a target of floats holds probabilities and has the input's shape {shape}, got"
            f" {tuple(target.shape)}; if it holds classes, use target.long()"
        )
    if smoothing:
        target = (1 - smoothing) * target + smoothing / logs.shape[dim]
    if weight is not None:
        logs = logs * along_classes(weight, logs, dim)
    loss = -(logs * target).sum(dim)
    return reduced(loss, reduction)


# --- yes or no ---


@with_old_names()
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
    return weighed(recorded(loss, BCE, (input, target), x, y), weight, reduction)


@quiet
def clamped_log(x):
    return maximum(log(x), np.array(-100, x.dtype))


def bce_input(grad, x, y):
    return grad * (x - y) / maximum(x * (1 - x), np.array(1e-12, x.dtype))  # finite at 0 and 1


def bce_target(grad, x, y):
    return grad * (log(1 - x) - log(x))


BCE = Rule("BinaryCrossEntropyBackward0", (bce_input, bce_target), (0, 1))


@with_old_names()
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


class Loss(FunctionModule):
    """A loss with its settings, which are not printed; weights are kept as buffers."""

    def __init__(self, *args, **settings):
        super().__init__(**in_todays_names(**self.bound(args, settings).arguments))

    def extra_repr(self):
        return ""


class MSELoss(Loss, function=mse_loss):
    """mse_loss() as a module."""


class L1Loss(Loss, function=l1_loss):
    """l1_loss() as a module."""


class NLLLoss(Loss, function=nll_loss):
    """nll_loss() as a module."""


class CrossEntropyLoss(Loss, function=cross_entropy):
    """cross_entropy() as a module."""


class BCELoss(Loss, function=binary_cross_entropy):
    """binary_cross_entropy() as a module."""


class BCEWithLogitsLoss(Loss, function=binary_cross_entropy_with_logits):
    """binary_cross_entropy_with_logits() as a module."""
