"""The layers by the places where PyTorch keeps them: `nn.modules.Linear`, `nn.modules.conv.Conv2d`.

All its places are this one module. It also has what programs take from there by names that begin
with an underscore, to derive classes of their own from.
"""

import sys
from collections.abc import Iterable

from tinytorch.nn.conv_layers import ConvNd as _ConvNd  # noqa: F401
from tinytorch.nn.conv_layers import ConvTransposeNd as _ConvTransposeNd  # noqa: F401
from tinytorch.nn.dropout import DropoutNd as _DropoutNd  # noqa: F401
from tinytorch.nn.module import Module
from tinytorch.nn.normalization import BatchNorm as _BatchNorm  # noqa: F401
from tinytorch.nn.recurrent import Recurrent as RNNBase  # noqa: F401

PLACES = [
    "activation",
    "batchnorm",
    "channelshuffle",
    "container",
    "conv",
    "distance",
    "dropout",
    "flatten",
    "fold",
    "instancenorm",
    "lazy",
    "linear",
    "loss",
    "module",
    "normalization",
    "padding",
    "pixelshuffle",
    "pooling",
    "rnn",
    "sparse",
    "transformer",
    "upsampling",
    "utils",
]


class _Loss(Module):
    """What a loss of your own may begin with: it has a `reduction`."""

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        if size_average is not None or reduce is not None:
            raise TypeError("size_average and reduce are no more: use reduction='mean', 'sum', ...")
        self.reduction = reduction


def _ntuple(count):
    """A function that makes a tuple of anything: of one number, `count` of it."""
    return lambda x: tuple(x) if isinstance(x, Iterable) else (x,) * count


_single, _pair, _triple, _quadruple = map(_ntuple, (1, 2, 3, 4))

for _place in PLACES:
    sys.modules[f"{__name__}.{_place}"] = sys.modules[__name__]


def __getattr__(name):
    if name in PLACES:
        return sys.modules[__name__]
    return getattr(sys.modules[__package__], name)
