"""Normalization within each example: by groups of channels, by channel, by length."""

import math

from tinytorch.defaults import finfo
from tinytorch.dtypes import float16
from tinytorch.nn.checks import check_parts
from tinytorch.nn.normalization import BatchNorm, Norm, batch_norm, last_dims, moments, normalized
from tinytorch.nn.parameter import add_parameters
from tinytorch.ops.elementwise import rsqrt
from tinytorch.tensor import check_tensors


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    """Each of `num_groups` groups of channels of each example (N, C, ...) normalized by itself.

    `weight` and `bias` (C,) scale and shift. RuntimeError if the channels do not split.

    >>> group_norm(tinytorch.tensor([[1.0, 3.0, 5.0, 9.0]]), 2)
    tensor([[-1.0000,  1.0000, -1.0000,  1.0000]])
    """
    check_tensors("group_norm", input=input)
    shape = input.shape
    if len(shape) < 2 or num_groups < 1 or shape[1] % num_groups:
        raise RuntimeError(
            f"group_norm needs input (N, C, ...) whose C splits into {num_groups} groups, got shape"
            f" {tuple(shape)}"
        )
    check_parts("group_norm", input, shape[1:2], weight=weight, bias=bias)
    per_group = math.prod(shape[1:]) // num_groups
    if shape[0] * per_group == 1:
        raise ValueError(f"group_norm needs more than 1 value a group, got shape {tuple(shape)}")
    _, distance, var = moments(input.reshape(shape[0], num_groups, per_group), (2,))
    result = normalized(distance, var, None, None, eps).reshape(shape)
    beside = (-1, *[1] * (len(shape) - 2))  # (C,) -> (C, 1, 1), to stand beside (N, C, H, W)
    result = result if weight is None else result * weight.reshape(beside)
    return result if bias is None else result + bias.reshape(beside)


def instance_norm(
    input,
    running_mean=None,
    running_var=None,
    weight=None,
    bias=None,
    use_input_stats=True,
    momentum=0.1,
    eps=1e-5,
):
    """Each channel of each example (N, C, ...) normalized by itself, or by the running moments.

    With `use_input_stats`, the running ones (C,), if not None, take in the share `momentum` of the
    means over the examples. ValueError for one number a channel.
    """
    check_tensors("instance_norm", input=input)
    if not use_input_stats:
        return batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    if input.dim() < 3 or input.shape[2:].numel() < 2:
        shape = tuple(input.shape)
        raise ValueError(f"instance_norm needs more than one number a channel, got shape {shape}")
    if running_mean is not None:
        pixels = input.detach().flatten(2)
        running_mean.lerp_(pixels.mean(2).mean(0), momentum)
        running_var.lerp_(pixels.var(2).mean(0), momentum)
    return group_norm(input, input.shape[1], weight, bias, eps)


def rms_norm(input, normalized_shape, weight=None, eps=None):
    """The input over the root of the mean of its squares, over the last dimensions.

    RuntimeError if the input does not end in `normalized_shape`.

    >>> rms_norm(tinytorch.tensor([1.0, 7.0]), (2,))
    tensor([0.2000, 1.4000])
    """
    dims = last_dims("rms_norm", input, tuple(normalized_shape), weight=weight)
    wide = input.float() if input.dtype == float16 else input  # float16's squares are soon infinite
    eps = finfo(wide.dtype).eps if eps is None else eps
    x = wide * rsqrt((wide * wide).mean(dims, keepdim=True) + eps)
    return (x if weight is None else x * weight).to(input.dtype)


class GroupNorm(Norm):
    """group_norm() with learned scale and shift. Y. Wu and K. He, Group Normalization, 2018.

    >>> GroupNorm(2, 6)(tinytorch.zeros(3, 6, 4, 4)).shape
    tinytorch.Size([3, 6, 4, 4])
    """

    def __init__(
        self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None, *, bias=True
    ):
        super().__init__()
        if num_channels % num_groups:
            raise ValueError(f"{num_channels} channels do not split into {num_groups} groups")
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        weight = num_channels if affine else None
        add_parameters(self, device, dtype, weight=weight, bias=weight if bias else None)
        self.reset_parameters()

    def forward(self, input):
        return group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine},"
            f" bias={self.bias is not None}"
        )


class InstanceNorm(BatchNorm):
    """instance_norm(), with `affine` a learned scale and shift.

    With `track_running_stats`, running statistics serve in evaluation.
    """

    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.1,
        affine=False,
        track_running_stats=False,
        device=None,
        dtype=None,
        *,
        bias=True,
    ):
        settings = eps, momentum, affine, track_running_stats, device, dtype
        super().__init__(num_features, *settings, bias=bias)

    def forward(self, input):
        """The input normalized; ValueError for a wrong number of dimensions."""
        if input.dim() not in self.dims:
            wanted = " or ".join(f"{n}-d" for n in self.dims)
            raise ValueError(f"{type(self).__name__} needs {wanted} input, got {input.dim()}-d")
        if input.dim() == min(self.dims):
            return self.forward(input.unsqueeze(0)).squeeze(0)
        running = self.running_mean, self.running_var
        own = self.training or not self.track_running_stats
        settings = self.weight, self.bias, own, self.momentum, self.eps
        return instance_norm(input, *running, *settings)


class InstanceNorm1d(InstanceNorm):
    """InstanceNorm for (N, C, L) or (C, L)."""

    dims = (2, 3)


class InstanceNorm2d(InstanceNorm):
    """InstanceNorm for images (N, C, H, W) or (C, H, W)."""

    dims = (3, 4)


class InstanceNorm3d(InstanceNorm):
    """InstanceNorm for (N, C, D, H, W) or (C, D, H, W)."""

    dims = (4, 5)


class RMSNorm(Norm):
    """Examples divided by the root of the mean of their squares, and scaled as learned.

    B. Zhang and R. Sennrich, Root Mean Square Layer Normalization, 2019.
    """

    def __init__(
        self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None
    ):
        super().__init__()
        single = isinstance(normalized_shape, int)
        self.normalized_shape = (normalized_shape,) if single else tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        weight = self.normalized_shape if elementwise_affine else None
        add_parameters(self, device, dtype, weight=weight, bias=None)
        self.reset_parameters()

    def forward(self, input):
        return rms_norm(input, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self):
        settings = f"eps={self.eps}, elementwise_affine={self.elementwise_affine}"
        return f"{self.normalized_shape}, {settings}"
