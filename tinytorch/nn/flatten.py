"""Modules that compute nothing."""

from tinytorch.nn.module import Module


class Flatten(Module):
    """The dimensions from `start_dim` to `end_dim` as one; the batch stays by default.

    >>> Flatten()(tinytorch.zeros(2, 3, 4)).shape
    tinytorch.Size([2, 12])
    """

    settings = ("start_dim", "end_dim")

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input):
        return input.flatten(self.start_dim, self.end_dim)


class Identity(Module):
    """The input as it is; any arguments are ignored."""

    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        return input
