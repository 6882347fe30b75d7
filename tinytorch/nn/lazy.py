"""Layers that learn from their first input how many numbers, or channels, come in."""

from tinytorch.nn.conv_layers import (
    Conv1d,
    Conv2d,
    Conv3d,
    ConvTranspose1d,
    ConvTranspose2d,
    ConvTranspose3d,
)
from tinytorch.nn.group_norm import InstanceNorm, InstanceNorm1d, InstanceNorm2d, InstanceNorm3d
from tinytorch.nn.linear import Linear
from tinytorch.nn.normalization import BatchNorm, BatchNorm1d, BatchNorm2d, BatchNorm3d
from tinytorch.nn.parameter import UninitializedBuffer, UninitializedParameter, is_lazy


class Lazy:
    """A layer of the class `kind` without its first argument: the first input says it.

    It is the length of the input's dimension `dim`. The parameters are there from the beginning,
    without elements: a state_dict may bring them, or the first input makes new ones.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(0, *args, **kwargs)
        self._given = args, kwargs
        for param in self.parameters():
            param.__class__ = UninitializedParameter
        for name, buffer in list(self.named_buffers()):
            if buffer.is_floating_point():
                setattr(self, name, UninitializedBuffer(dtype=buffer.dtype))

    def has_uninitialized_params(self):
        """Has a parameter or buffer no shape yet?"""
        return any(map(is_lazy, self.state_dict().values()))

    def forward(self, input, *settings, **named):
        """What the layer computes, once it is an ordinary one."""
        args, kwargs = self._given
        self.become(self.kind(input.shape[self.dim], *args, **kwargs))
        return self(input, *settings, **named)

    def become(self, layer):
        """Take on the class, the numbers and the settings of an ordinary layer."""
        for name in layer._kinds:
            mine, value = getattr(self, name), getattr(layer, name)
            if is_lazy(mine):
                mine.materialize(value.shape)
                mine.data = value.data.to(mine.dtype)
        settings = {k: v for k, v in vars(layer).items() if k[0] != "_" and k not in layer._kinds}
        vars(self).update(settings)
        del self._given
        self.__class__ = self.kind


class LazyLinear(Lazy, Linear):
    """A Linear without `in_features`.

    >>> layer = LazyLinear(3)
    >>> layer(tinytorch.zeros(5, 2)).shape, layer
    (tinytorch.Size([5, 3]), Linear(in_features=2, out_features=3, bias=True))
    """

    kind, dim = Linear, -1


class LazyConv1d(Lazy, Conv1d):
    """A Conv1d without `in_channels`."""

    kind, dim = Conv1d, -2


class LazyConv2d(Lazy, Conv2d):
    """A Conv2d without `in_channels`."""

    kind, dim = Conv2d, -3


class LazyConv3d(Lazy, Conv3d):
    """A Conv3d without `in_channels`."""

    kind, dim = Conv3d, -4


class LazyBatchNorm1d(Lazy, BatchNorm):
    """A BatchNorm1d without `num_features`."""

    kind, dim = BatchNorm1d, 1


class LazyBatchNorm2d(Lazy, BatchNorm):
    """A BatchNorm2d without `num_features`."""

    kind, dim = BatchNorm2d, 1


class LazyBatchNorm3d(Lazy, BatchNorm):
    """A BatchNorm3d without `num_features`."""

    kind, dim = BatchNorm3d, 1


class LazyConvTranspose1d(Lazy, ConvTranspose1d):
    """A ConvTranspose1d without `in_channels`."""

    kind, dim = ConvTranspose1d, -2


class LazyConvTranspose2d(Lazy, ConvTranspose2d):
    """A ConvTranspose2d without `in_channels`."""

    kind, dim = ConvTranspose2d, -3


class LazyConvTranspose3d(Lazy, ConvTranspose3d):
    """A ConvTranspose3d without `in_channels`."""

    kind, dim = ConvTranspose3d, -4


class LazyNorm(Lazy):
    """Here, as in PyTorch, a lazy InstanceNorm learns and keeps statistics unless told not to."""

    def __init__(self, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, **settings):
        super().__init__(eps, momentum, affine, track_running_stats, **settings)


class LazyInstanceNorm1d(LazyNorm, InstanceNorm):
    """An InstanceNorm1d without `num_features`."""

    kind, dim = InstanceNorm1d, -2


class LazyInstanceNorm2d(LazyNorm, InstanceNorm):
    """An InstanceNorm2d without `num_features`."""

    kind, dim = InstanceNorm2d, -3


class LazyInstanceNorm3d(LazyNorm, InstanceNorm):
    """An InstanceNorm3d without `num_features`."""

    kind, dim = InstanceNorm3d, -4
