"""The rarer losses: gentle to outliers, between distributions, between two or three vectors."""

import math

from tinytorch.function_checks import spreads_to
from tinytorch.nn.losses import Loss, warn_of_shapes
from tinytorch.nn.reduction import check_reduction, reduced, with_old_names
from tinytorch.ops.creation import zeros_like
from tinytorch.ops.distances import pairwise_distance
from tinytorch.ops.elementwise import abs, clamp_min, exp, log, minimum, relu, softplus, sqrt, where
from tinytorch.tensor import check_tensors

# --- numbers ---


@with_old_names()
def smooth_l1_loss(input, target, reduction="mean", beta=1.0):
    """Half the square of the error over `beta` where it is below `beta`, else |error| - beta / 2.

    >>> x, y = tinytorch.tensor([1.0, 4.0]), tinytorch.tensor([1.5, 1.0])
    >>> smooth_l1_loss(x, y, reduction="none")
    tensor([0.1250, 2.5000])
    """
    if beta < 0:
        raise RuntimeError(f"beta must not be negative, got {beta}")
    warn_of_shapes("smooth_l1_loss", input, target)
    error = abs(input - target)
    near = half_square(error, beta) / (beta or 1)
    return reduced(where(error < beta, near, error - beta / 2), reduction)


def huber_loss(input, target, reduction="mean", delta=1.0):
    """Half the square of the error up to `delta`, from there on a line of slope `delta`."""
    if delta <= 0:
        raise RuntimeError(f"huber_loss needs a positive delta, got {delta}")
    warn_of_shapes("huber_loss", input, target, stacklevel=3)
    error = abs(input - target)
    near = half_square(error, delta)
    return reduced(where(error <= delta, near, delta * (error - delta / 2)), reduction)


def half_square(error, limit):
    """Half of the error's square up to `limit`, and 0 beyond: an infinite square has no slope."""
    near = where(error > limit, 0, error)
    return near * near / 2


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    """-log of the probability of `target` if it is normal, with mean `input` and variance `var`.

    `var` lacks the last dimension of `input`, or broadcasts to its shape. `full` adds the constant
    log(2 pi) / 2. ValueError for a negative variance, and for one of another shape.
    """
    check_tensors("gaussian_nll_loss", input=input, target=target, var=var)
    if (var._data < 0).any():
        raise ValueError("gaussian_nll_loss needs variances of at least 0")
    if var.shape == input.shape[:-1] and var.shape != input.shape:
        var = var.unsqueeze(-1)
    if not spreads_to(var.shape, input.shape):
        shapes = f"{tuple(input.shape)} and {tuple(var.shape)}"
        raise ValueError(f"gaussian_nll_loss needs a var that fits its input, got shapes {shapes}")
    var = var + (clamp_min(var, eps) - var).detach()  # raised to eps, and its slope kept
    loss = (log(var) + (input - target) ** 2 / var) / 2
    return reduced(loss + math.log(2 * math.pi) / 2 if full else loss, reduction)


@with_old_names(before="eps")
def poisson_nll_loss(
    input,
    target,
    log_input=True,
    full=False,
    eps=1e-8,
    reduction="mean",
):
    """-log of the probability of the count `target`, up to a constant, at the rate e^input.

    `full` adds that constant by Stirling's formula, for counts above 1.
    """
    rate, height = (exp(input), input) if log_input else (input, log(input + eps))
    loss = rate - target * height
    if full:
        count = where(target > 1, target, 1.0)
        stirling = count * log(count) - count + 0.5 * log(2 * math.pi * count)
        loss = loss + where(target > 1, stirling, 0.0)
    return reduced(loss, reduction)


# --- distributions ---


@with_old_names()
def kl_div(input, target, reduction="mean", log_target=False):
    """target * (log target - input): `input` holds logarithms, `target` too if `log_target`.

    The divergence of distributions is the `reduction` "batchmean": the sum over the batch's size.

    >>> guess = tinytorch.tensor([[0.25, 0.75]]).log()
    >>> kl_div(guess, tinytorch.tensor([[0.0, 1.0]]), reduction="batchmean")
    tensor(0.2877)
    """
    check_tensors("kl_div", input=input, target=target)
    if log_target:
        loss = exp(target) * (target - input)
    else:
        logs = log(where(target == 0, 1.0, target))  # 0 log 0 is 0
        loss = target * logs - target * input
    return loss.sum() / len(input) if reduction == "batchmean" else reduced(loss, reduction)


# --- 1 and -1 ---


@with_old_names()
def hinge_embedding_loss(input, target, margin=1.0, reduction="mean"):
    """The distance `input` where the target is 1; how far it is below `margin` where it is -1."""
    near, far = where(target != -1, input, 0.0), where(target != 1, relu(margin - input), 0.0)
    return reduced(near + far, reduction)


@with_old_names()
def soft_margin_loss(input, target, reduction="mean"):
    """log(1 + e^(-target * input))."""
    return reduced(softplus(-target * input), reduction)


@with_old_names()
def cosine_embedding_loss(input1, input2, target, margin=0.0, reduction="mean"):
    """1 - cosine where the target is 1; how far the cosine is above `margin` where it is -1."""
    check_tensors("cosine_embedding_loss", input1=input1, input2=input2, target=target)
    if input1.dim() > 2 or target.shape != input1.shape[:-1]:
        raise RuntimeError(
            "cosine_embedding_loss needs inputs (N, D) and target (N,), or (D,) and (), got shapes"
            f" {tuple(input1.shape)}, {tuple(input2.shape)} and {tuple(target.shape)}"
        )
    lengths = [(x * x).sum(-1) + 1e-12 for x in (input1, input2)]
    cosine = (input1 * input2).sum(-1) / sqrt(lengths[0] * lengths[1])
    return reduced(where(target == 1, 1 - cosine, relu(cosine - margin)), reduction)


@with_old_names()
def margin_ranking_loss(input1, input2, target, margin=0.0, reduction="mean"):
    """How much is missing for input1 to be `margin` above input2; below it, for a target of -1."""
    return reduced(relu(margin - target * (input1 - input2)), reduction)


@with_old_names()
def triplet_margin_loss(
    anchor, positive, negative, margin=1.0, p=2.0, eps=1e-6, swap=False, reduction="mean"
):
    """How much is missing for `negative` to be `margin` farther from `anchor` than `positive`.

    With `swap`, `negative` must be as far from `positive`, too.
    """
    check_reduction(reduction)
    if margin <= 0:
        raise ValueError(f"triplet_margin_loss needs a margin above 0, got {margin}")
    if not anchor.dim() == positive.dim() == negative.dim():
        shapes = ", ".join(str(tuple(x.shape)) for x in (anchor, positive, negative))
        raise RuntimeError(f"triplet_margin_loss needs as many dimensions of each, got {shapes}")
    near = pairwise_distance(anchor, positive, p, eps)
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = minimum(far, pairwise_distance(positive, negative, p, eps))
    return reduced(relu(near - far + margin), reduction)


def triplet_margin_with_distance_loss(
    anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False, reduction="mean"
):
    """triplet_margin_loss() with any function of two tensors for the distance."""
    distance = distance_function or pairwise_distance
    near, far = distance(anchor, positive), distance(anchor, negative)
    far = minimum(far, distance(positive, negative)) if swap else far
    return reduced(relu(near - far + margin), reduction)


# --- several classes ---


@with_old_names()
def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, reduction="mean"):
    """How much is missing, to the power `p`, for the class `target` to be above all by `margin`.

    `input` (N, C), `target` (N,) classes; the mean over the classes. One row may come without N.
    """
    check_tensors("multi_margin_loss", input=input, target=target)
    own = target.reshape(*input.shape[:-1], 1)
    missing = relu(margin - input.gather(-1, own) + input) ** p
    missing = missing if weight is None else missing * weight[own]
    return reduced(missing.scatter(-1, own, 0.0).mean(-1), reduction)


@with_old_names()
def multilabel_margin_loss(input, target, reduction="mean"):
    """How much is missing for each class of the target to be above all others by 1; mean over C.

    `input` (N, C); a row of `target` (N, C) lists classes, and ends at the first -1. One row may
    come without N.

    >>> scores, classes = tinytorch.tensor([0.1, 0.2, 0.4, 0.8]), tinytorch.tensor([3, 0, -1, 1])
    >>> multilabel_margin_loss(scores, classes)
    tensor(0.8500)
    """
    check_tensors("multilabel_margin_loss", input=input, target=target)
    if input.shape != target.shape:
        raise ValueError(
            "multilabel_margin_loss needs input and target of one shape, (N, C) or (C,), got"
            f" {tuple(input.shape)} and {tuple(target.shape)}"
        )
    listed = (target < 0).cumsum(-1) == 0
    own = target.clamp(min=0)
    among = zeros_like(target).scatter_add(-1, own, listed.long()) > 0  # classes that are listed
    missing = relu(1 - input.gather(-1, own).unsqueeze(-1) + input.unsqueeze(-2))
    counted = listed.unsqueeze(-1) & ~among.unsqueeze(-2)  # (N, place in the list, other class)
    return reduced((missing * counted).sum((-2, -1)) / input.shape[-1], reduction)


@with_old_names()
def multilabel_soft_margin_loss(input, target, weight=None, reduction="mean"):
    """The mean over the classes of -log of the probability of each answer `target`, 0 or 1."""
    loss = target * softplus(-input) + (1 - target) * softplus(input)
    return reduced((loss if weight is None else loss * weight).mean(-1), reduction)


# --- the same as modules ---


class SmoothL1Loss(Loss, function=smooth_l1_loss):
    """smooth_l1_loss() as a module."""


class HuberLoss(Loss, function=huber_loss):
    """huber_loss() as a module."""


class KLDivLoss(Loss, function=kl_div):
    """kl_div() as a module."""


class PoissonNLLLoss(Loss, function=poisson_nll_loss):
    """poisson_nll_loss() as a module."""


class HingeEmbeddingLoss(Loss, function=hinge_embedding_loss):
    """hinge_embedding_loss() as a module."""


class SoftMarginLoss(Loss, function=soft_margin_loss):
    """soft_margin_loss() as a module."""


class GaussianNLLLoss(Loss, function=gaussian_nll_loss):
    """gaussian_nll_loss() as a module."""


class CosineEmbeddingLoss(Loss, function=cosine_embedding_loss):
    """cosine_embedding_loss() as a module."""


class MarginRankingLoss(Loss, function=margin_ranking_loss):
    """margin_ranking_loss() as a module."""


class TripletMarginLoss(Loss, function=triplet_margin_loss):
    """triplet_margin_loss() as a module."""


class TripletMarginWithDistanceLoss(Loss, function=triplet_margin_with_distance_loss):
    """triplet_margin_with_distance_loss() as a module."""


class MultiMarginLoss(Loss, function=multi_margin_loss):
    """multi_margin_loss() as a module."""


class MultiLabelMarginLoss(Loss, function=multilabel_margin_loss):
    """multilabel_margin_loss() as a module."""


class MultiLabelSoftMarginLoss(Loss, function=multilabel_soft_margin_loss):
    """multilabel_soft_margin_loss() as a module."""
