"""Dropout of whole channels: neighbours in an image know too much of each other."""

from tinytorch.nn.dropout import Dropout, dropout
from tinytorch.ops.creation import ones
from tinytorch.tensor import check_tensors


def channel_dropout(input, dims, p, training):
    """dropout() of all that `dims` last dimensions hold at once."""
    check_tensors("dropout", input=input)
    kept = dropout(ones(input.shape[:-dims], dtype=input.dtype), p, training)
    return input * kept.reshape(*kept.shape, *[1] * dims) if training and p else input


def dropout1d(input, p=0.5, training=True):
    """Zero each channel (N, C, L) with probability `p`, and divide the others by 1 - p."""
    return channel_dropout(input, 1, p, training)


def dropout2d(input, p=0.5, training=True):
    """Zero each channel (N, C, H, W) with probability `p`, and divide the others by 1 - p."""
    return channel_dropout(input, 2, p, training)


class Dropout1d(Dropout, function=dropout1d):
    """dropout1d() in training mode, nothing in evaluation mode."""


class Dropout2d(Dropout, function=dropout2d):
    """dropout2d() in training mode, nothing in evaluation mode."""
