"""Normalization: numbers brought to mean 0 and variance 1, then scaled and shifted as learned."""

import math

import numpy as np

from tinytorch.creation import ones, zeros
from tinytorch.elementwise import rsqrt
from tinytorch.nn.checks import check_parts
from tinytorch.nn.module import Module
from tinytorch.nn.parameter import Parameter
from tinytorch.tensor import check_tensors, wrap


def normalized(distance, var, weight, bias, eps):
    """distance / sqrt(var + eps) * weight + bias; `weight` and `bias` may be None."""
    x = distance * rsqrt(var + eps)
    x = x if weight is None else x * weight
    return x if bias is None else x + bias


def moments(input, dims):
    """Over `dims`: the mean, the distances from it, and the mean of their squares, the variance."""
    mean = input.mean(dims, keepdim=True)
    distance = input - mean
    return mean, distance, (distance * distance).mean(dims, keepdim=True)


def add_scale_and_shift(module, shape, scale, shift, options):
    """Give a module the parameters `weight`, ones, and `bias`, zeros, or None for them."""
    module.weight = Parameter(ones(shape, **options)) if scale else None
    module.bias = Parameter(zeros(shape, **options)) if scale and shift else None


# --- over the batch, channel by channel ---


def batch_norm(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5
):
    """Each channel of `input` (N, C, ...) normalized over all else.

    In `training`, with the mean and variance of this batch, which the running ones (C,), if not
    None, take in with the share `momentum`; else with the running ones. ValueError in training
    for one number a channel, RuntimeError for shapes or dtypes that do not fit.

    >>> batch_norm(tinytorch.tensor([[1.0], [3.0]]), None, None, training=True)
    tensor([[-1.0000],
            [ 1.0000]])
    """
    check_tensors("batch_norm", input=input)
    if input.dim() < 2:
        raise RuntimeError(f"batch_norm needs input (N, C, ...), got shape {tuple(input.shape)}")
    running = dict(running_mean=running_mean, running_var=running_var)
    check_parts("batch_norm", input, input.shape[1:2], **running, weight=weight, bias=bias)
    shape = (-1, *[1] * (input.dim() - 2))  # (C,) -> (C, 1, 1), to stand beside (N, C, H, W)
    if training:
        distance, var = batch_moments(input, running_mean, running_var, momentum)
    elif running_mean is None or running_var is None:
        raise RuntimeError("batch_norm needs running_mean and running_var unless training=True")
    else:
        distance, var = input - running_mean.reshape(shape), running_var.reshape(shape)
    weight, bias = [None if t is None else t.reshape(shape) for t in (weight, bias)]
    return normalized(distance, var, weight, bias, eps)


def batch_moments(input, running_mean, running_var, momentum):
    """Distances from each channel's mean, and its variance; the running moments take them in."""
    dims = (0, *range(2, input.dim()))
    count = math.prod([input.shape[dim] for dim in dims])
    if count < 2:
        shape = tuple(input.shape)
        raise ValueError(
            f"batch_norm in training needs more than one number a channel, got shape {shape}"
        )
    mean, distance, var = moments(input, dims)
    if running_mean is not None:
        unbiased = var.detach() * (count / (count - 1))
        running_mean.lerp_(mean.detach().flatten(), momentum)
        running_var.lerp_(unbiased.flatten(), momentum)
    return distance, var


class BatchNorm(Module):
    """batch_norm() with learned scale and shift, and running statistics for evaluation.

    `momentum=None` takes the mean over all batches so far. With `track_running_stats=False`, the
    statistics of the batch serve in evaluation too.
    """

    dims = ()  # how many dimensions an input may have: a subclass says

    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        device=None,
        dtype=None,
        *,
        bias=True,
    ):
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        tracked, options = track_running_stats, dict(device=device, dtype=dtype)
        add_scale_and_shift(self, num_features, affine, bias, options)
        for name, start in ("running_mean", zeros), ("running_var", ones):
            self.register_buffer(name, start(num_features, **options) if tracked else None)
        self.register_buffer("num_batches_tracked", wrap(np.array(0)) if tracked else None)

    def forward(self, input):
        if input.dim() not in self.dims:
            wanted = " or ".join(f"{n}-d" for n in self.dims)
            raise ValueError(f"{type(self).__name__} needs {wanted} input, got {input.dim()}-d")
        momentum = self.momentum
        if self.training and self.track_running_stats:
            self.num_batches_tracked += 1
            if momentum is None:
                momentum = 1 / self.num_batches_tracked.item()
        parts = self.running_mean, self.running_var, self.weight, self.bias
        training = self.training or not self.track_running_stats
        return batch_norm(input, *parts, training, momentum, self.eps)

    def extra_repr(self):
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine},"
            f" bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


class BatchNorm1d(BatchNorm):
    """BatchNorm for (N, C) or (N, C, L)."""

    dims = (2, 3)


class BatchNorm2d(BatchNorm):
    """BatchNorm for images (N, C, H, W)."""

    dims = (4,)


# --- over the last dimensions, example by example ---


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    """Each example normalized over its last dimensions, of shape `normalized_shape`.

    RuntimeError if the input does not end in that shape.

    >>> layer_norm(tinytorch.tensor([[1.0, 3.0]]), (2,))
    tensor([[-1.0000,  1.0000]])
    """
    check_tensors("layer_norm", input=input)
    shape = tuple(normalized_shape)
    if not shape or input.shape[-len(shape) :] != shape:
        raise RuntimeError(
            f"layer_norm over {shape} needs input (..., {', '.join(map(str, shape))}), got shape"
            f" {tuple(input.shape)}"
        )
    check_parts("layer_norm", input, shape, weight=weight, bias=bias)
    _, distance, var = moments(input, tuple(range(-len(shape), 0)))
    return normalized(distance, var, weight, bias, eps)


class LayerNorm(Module):
    """layer_norm() with learned scale and shift."""

    def __init__(
        self,
        normalized_shape,
        eps=1e-5,
        elementwise_affine=True,
        bias=True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        single = isinstance(normalized_shape, int)
        self.normalized_shape = (normalized_shape,) if single else tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        options = dict(device=device, dtype=dtype)
        add_scale_and_shift(self, self.normalized_shape, elementwise_affine, bias, options)

    def forward(self, input):
        return layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self):
        affine = f"elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"
        return f"{self.normalized_shape}, eps={self.eps}, {affine}"
