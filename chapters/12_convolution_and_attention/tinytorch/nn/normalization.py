"""Normalization: numbers brought to mean 0 and variance 1, then scaled and shifted as learned."""

import math
from numbers import Integral

from tinytorch.nn import init
from tinytorch.nn.checks import check_parts
from tinytorch.nn.module import Module
from tinytorch.nn.parameter import add_parameters
from tinytorch.ops.creation import empty, tensor
from tinytorch.ops.elementwise import rsqrt
from tinytorch.tensor import check_tensors


def normalized(distance, var, weight, bias, eps):
    """distance / sqrt(var + eps) * weight + bias; `weight` and `bias` may be None.

    All are Tensors, `eps` is a number. `rsqrt` is 1 / sqrt.
    """
    # TODO exercise 12.6: moments and normalized
    raise NotImplementedError("exercise 12.6: normalized")


def moments(input, dims):
    """Over `dims`: the mean, the distances from it, and the mean of their squares, the variance.

    Mean and variance keep `dims`, with length 1: (N, L, D) over (-1,) -> (N, L, 1), (N, L, D),
    (N, L, 1). All three have a history that leads to `input`.
    """
    # TODO exercise 12.6: moments and normalized
    raise NotImplementedError("exercise 12.6: moments")


class Norm(Module):
    """What the modules share: a learned scale `weight` and shift `bias`, or None for them."""

    def reset_parameters(self):
        """Set the scale to ones and the shift to zeros."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)


# --- over the batch, channel by channel ---


def batch_norm(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5
):
    """Each channel of `input` (N, C, ...) normalized over all else.

    In `training`, with the mean and variance of this batch, of which the running ones (C,), if not
    None, take in the share `momentum`; else with the running ones. ValueError in training for one
    number a channel, and for only one of the two running ones; RuntimeError for shapes or dtypes
    that do not fit.

    >>> batch_norm(tinytorch.tensor([[1.0], [3.0]]), None, None, training=True)
    tensor([[-1.0000],
            [ 1.0000]])
    """
    check_tensors("batch_norm", input=input)
    if input.dim() < 2:
        raise RuntimeError(f"batch_norm needs input (N, C, ...), got shape {tuple(input.shape)}")
    if (running_mean is None) != (running_var is None):
        raise ValueError("batch_norm needs both running_mean and running_var, or neither")
    running = dict(running_mean=running_mean, running_var=running_var)
    check_parts("batch_norm", input, input.shape[1:2], **running, weight=weight, bias=bias)
    shape = (-1, *[1] * (input.dim() - 2))  # (C,) -> (C, 1, 1), to stand beside (N, C, H, W)
    if training:
        distance, var = batch_moments(input, running_mean, running_var, momentum)
    elif running_mean is None:
        raise RuntimeError("batch_norm needs running_mean and running_var unless training=True")
    else:
        distance, var = input - running_mean.reshape(shape), running_var.reshape(shape)
    weight, bias = [None if t is None else t.reshape(shape) for t in (weight, bias)]
    return normalized(distance, var, weight, bias, eps)


def batch_moments(input, running_mean, running_var, momentum):
    """Distances from each channel's mean, and its variance; the running moments take them in."""
    dims = (0, *range(2, input.dim()))
    count = math.prod([input.shape[dim] for dim in dims])
    if count == 1:
        shape = tuple(input.shape)
        raise ValueError(
            f"batch_norm in training needs more than one number a channel, got shape {shape}"
        )
    mean, distance, var = moments(input, dims)
    if running_mean is not None and count:
        unbiased = var.detach() * (count / (count - 1))
        running_mean.lerp_(mean.detach().flatten(), momentum)
        running_var.lerp_(unbiased.flatten(), momentum)
    return distance, var


class BatchNorm(Norm):
    """batch_norm() with learned scale and shift, and running statistics for evaluation.

    `momentum=None` takes the mean over all batches so far. With `track_running_stats=False` there
    are no running statistics: those of the batch serve in evaluation too.
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
        weight = num_features if affine else None
        add_parameters(self, device, dtype, weight=weight, bias=weight if bias else None)
        for name in ("running_mean", "running_var"):
            buffer = empty(num_features, device=device, dtype=dtype)
            self.register_buffer(name, buffer if track_running_stats else None)
        self.register_buffer("num_batches_tracked", tensor(0) if track_running_stats else None)
        self.reset_parameters()

    def reset_running_stats(self):
        """Forget all batches: mean 0, variance 1."""
        if self.running_mean is not None:
            init.zeros_(self.running_mean)
            init.ones_(self.running_var)
            init.zeros_(self.num_batches_tracked)

    def reset_parameters(self):
        """Set the scale to ones and the shift to zeros, and forget all batches."""
        super().reset_parameters()
        self.reset_running_stats()

    def forward(self, input):
        """The input normalized for each channel; ValueError for a wrong number of dimensions."""
        if input.dim() not in self.dims:
            wanted = " or ".join(f"{n}-d" for n in self.dims)
            raise ValueError(f"{type(self).__name__} needs {wanted} input, got {input.dim()}-d")
        momentum, running = self.momentum, (self.running_mean, self.running_var)
        of_batch = self.training or self.running_mean is None
        if self.training and not self.track_running_stats:
            running = None, None  # they stay as they are
        elif self.training and self.num_batches_tracked is not None:
            self.num_batches_tracked += 1
            if momentum is None:
                momentum = 1 / self.num_batches_tracked.item()
        return batch_norm(input, *running, self.weight, self.bias, of_batch, momentum, self.eps)

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


class BatchNorm3d(BatchNorm):
    """BatchNorm for volumes (N, C, D, H, W)."""

    dims = (5,)


# --- over the last dimensions, example by example ---


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    """Each example normalized over its last dimensions, of shape `normalized_shape`.

    RuntimeError if the input does not end in that shape.

    >>> layer_norm(tinytorch.tensor([[1.0, 3.0]]), (2,))
    tensor([[-1.0000,  1.0000]])
    """
    dims = last_dims("layer_norm", input, tuple(normalized_shape), weight=weight, bias=bias)
    _, distance, var = moments(input.contiguous(), dims)
    return normalized(distance, var, weight, bias, eps)


def last_dims(name, input, shape, **parts):
    """The last dimensions of the input, counted from the end, which must be of this `shape`."""
    check_tensors(name, input=input)
    if not shape or input.shape[-len(shape) :] != shape:
        raise RuntimeError(
            f"{name} over {shape} needs input (..., {', '.join(map(str, shape))}), got shape"
            f" {tuple(input.shape)}"
        )
    check_parts(name, input, shape, **parts)
    return tuple(range(-len(shape), 0))


class LayerNorm(Norm):
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
        single = isinstance(normalized_shape, Integral)
        self.normalized_shape = (normalized_shape,) if single else tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        weight = self.normalized_shape if elementwise_affine else None
        add_parameters(self, device, dtype, weight=weight, bias=weight if bias else None)
        self.reset_parameters()

    def forward(self, input):
        """The input normalized over its last dimensions; the shape stays."""
        return layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self):
        affine = f"elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"
        return f"{self.normalized_shape}, eps={self.eps}, {affine}"
