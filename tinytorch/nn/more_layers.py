"""Layers that few networks have: Bilinear, EmbeddingBag, and other ways to drop and to bend."""

import math

from tinytorch.nn import init
from tinytorch.nn.activations import Activation
from tinytorch.nn.channel_dropout import channel_dropout
from tinytorch.nn.dropout import DropoutNd
from tinytorch.nn.embedding import Table, embedding
from tinytorch.nn.module import Module
from tinytorch.nn.parameter import add_parameters
from tinytorch.nn.rare_activations import also_in_place
from tinytorch.nn.resizing import Upsample
from tinytorch.ops.creation import arange, full_like, zeros
from tinytorch.ops.einsum import einsum
from tinytorch.ops.elementwise import where
from tinytorch.ops.random import rand_like
from tinytorch.ops.reductions import softmax
from tinytorch.ops.writing import scatter_reduce


def bilinear(input1, input2, weight, bias=None):
    """input1 (..., D) and input2 (..., E) with `weight` (O, D, E): a product for each output.

    >>> bilinear(tinytorch.tensor([2.0]), tinytorch.tensor([3.0]), tinytorch.ones(1, 1, 1))
    tensor([6.])
    """
    y = einsum("...i,oij,...j->...o", input1, weight, input2)
    return y if bias is None else y + bias


class Bilinear(Module):
    """bilinear() with learned weights."""

    def __init__(
        self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None
    ):
        super().__init__()
        self.in1_features, self.in2_features = in1_features, in2_features
        self.out_features = out_features
        shape, count = (out_features, in1_features, in2_features), out_features if bias else None
        add_parameters(self, device, dtype, weight=shape, bias=count)
        self.reset_parameters()

    def reset_parameters(self):
        """Draw all numbers evenly from +-1 / sqrt(in1_features)."""
        bound = 1 / math.sqrt(self.in1_features)
        for param in self.parameters():
            init.uniform_(param, -bound, bound)

    def forward(self, input1, input2):
        return bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self):
        sizes = f"in1_features={self.in1_features}, in2_features={self.in2_features}"
        return f"{sizes}, out_features={self.out_features}, bias={self.bias is not None}"


def embedding_bag(
    input,
    weight,
    offsets=None,
    *,
    mode="mean",
    per_sample_weights=None,
    padding_idx=None,
    include_last_offset=False,
):
    """The mean, the sum or the maximum of embedding() over bags of words: a row for each bag.

    A matrix has a bag in each row; in a vector, a bag begins at each of the `offsets`. With
    `include_last_offset`, the last of these is where the last bag ends.

    >>> table = tinytorch.tensor([[1.0], [3.0]])
    >>> embedding_bag(tinytorch.tensor([0, 1, 1]), table, tinytorch.tensor([0, 2]))
    tensor([[2.],
            [3.]])
    """
    if mode not in ("mean", "sum", "max"):
        raise ValueError(f"mode is 'mean', 'sum' or 'max', got {mode!r}")
    if input.dim() == 2:
        offsets, input = arange(0, input.numel(), input.shape[1]), input.reshape(-1)
        if per_sample_weights is not None:
            per_sample_weights = per_sample_weights.reshape(-1)
    elif include_last_offset:
        offsets = offsets[:-1]
    found = embedding(input, weight)
    if per_sample_weights is not None:
        found = found * per_sample_weights.unsqueeze(-1)
    places = (arange(len(input)).unsqueeze(-1) >= offsets).sum(-1) - 1
    if padding_idx is not None:
        kept = input != padding_idx % len(weight)
        found, places = found[kept], places[kept]
    start = zeros(len(offsets), weight.shape[1], dtype=weight.dtype)
    index = places.unsqueeze(-1).expand(found.shape)
    reduce = {"max": "amax"}.get(mode, mode)
    return scatter_reduce(start, 0, index, found, reduce, include_self=False)


class EmbeddingBag(Table):
    """embedding_bag() with a learned table.

    >>> EmbeddingBag(10, 3)(tinytorch.tensor([1, 2, 4, 5]), tinytorch.tensor([0, 3])).shape
    tinytorch.Size([2, 3])
    """

    def __init__(
        self,
        num_embeddings,
        embedding_dim,
        *,
        mode="mean",
        padding_idx=None,
        include_last_offset=False,
        **settings,
    ):
        super().__init__(num_embeddings, embedding_dim, padding_idx, **settings)
        self.mode, self.include_last_offset = mode, include_last_offset

    def forward(self, input, offsets=None, per_sample_weights=None):
        return embedding_bag(
            input,
            self.weight,
            offsets,
            mode=self.mode,
            per_sample_weights=per_sample_weights,
            padding_idx=self.padding_idx,
            include_last_offset=self.include_last_offset,
        )

    def extra_repr(self):
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}, mode={self.mode!r}{padding}"


# --- dropping ---

SATURATION = -1.7580993408473766  # what selu() goes to far below 0


def alpha_dropout(input, p=0.5, training=True, inplace=False):
    """dropout() for selu(): what is dropped gets its lower end, and mean and variance stay."""
    if not training or p == 0:
        return input
    if p == 1:  # nothing is left whose mean and variance could stay
        result = input * 0
        return input.copy_(result) if inplace else result
    a = ((1 - p) * (1 + p * SATURATION**2)) ** -0.5
    dropped = where(rand_like(input) < p, full_like(input, SATURATION), input)
    result = dropped * a - a * p * SATURATION
    return input.copy_(result) if inplace else result


def dropout3d(input, p=0.5, training=True, inplace=False):
    """Zero each channel (N, C, D, H, W) with probability `p`, and divide the others by 1 - p."""
    return channel_dropout(input, 3, p, training, inplace)


class AlphaDropout(DropoutNd, function=alpha_dropout):
    """alpha_dropout() in training mode, nothing in evaluation mode. G. Klambauer et al., 2017."""


class Dropout3d(DropoutNd, function=dropout3d):
    """dropout3d() in training mode, nothing in evaluation mode."""


# --- bending ---


@also_in_place
def rrelu(input, lower=1 / 8, upper=1 / 3, training=False):
    """relu() with a slope below 0, drawn for each element while training, else the middle."""
    slope = rand_like(input) * (upper - lower) + lower if training else (lower + upper) / 2
    return where(input >= 0, input, input * slope)


class RReLU(Activation, function=rrelu):
    """rrelu() as a module."""


class Softmax2d(Module):
    """softmax() over the channels of (N, C, H, W)."""

    def forward(self, input):
        return softmax(input, -3)


class UpsamplingNearest2d(Upsample):
    """Upsample with the nearest pixels."""

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, "nearest")


class UpsamplingBilinear2d(Upsample):
    """Upsample with lines between the corners."""

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, "bilinear", align_corners=True)
