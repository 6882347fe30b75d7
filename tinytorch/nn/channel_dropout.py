"""Dropout of whole channels: neighbours in an image know too much of each other."""

from tinytorch.nn.dropout import DropoutNd, check_probability, dropout
from tinytorch.ops.creation import ones
from tinytorch.tensor import check_tensors


def channel_dropout(input, dims, p, training, inplace):
    """dropout() of all that `dims` last dimensions hold at once."""
    check_tensors("dropout", input=input)
    check_probability(p)
    if not training or p == 0:
        return input
    kept = dropout(ones(input.shape[:-dims], dtype=input.dtype), p)
    kept = kept.reshape(*kept.shape, *[1] * dims)
    return input.mul_(kept) if inplace else input * kept


def dropout1d(input, p=0.5, training=True, inplace=False):
    """Zero each channel (N, C, L) with probability `p`, and divide the others by 1 - p."""
    return channel_dropout(input, 1, p, training, inplace)


def dropout2d(input, p=0.5, training=True, inplace=False):
    """Zero each channel (N, C, H, W) with probability `p`, and divide the others by 1 - p."""
    return channel_dropout(input, 2, p, training, inplace)


class Dropout1d(DropoutNd, function=dropout1d):
    """dropout1d() in training mode, nothing in evaluation mode."""


class Dropout2d(DropoutNd, function=dropout2d):
    """dropout2d() in training mode, nothing in evaluation mode."""
