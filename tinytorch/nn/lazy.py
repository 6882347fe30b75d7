"""LazyLinear: a linear layer that learns from its first input how many numbers come in."""

from tinytorch.nn.linear import Linear
from tinytorch.ops.creation import empty


class LazyLinear(Linear):
    """A Linear without `in_features`: the first input says it, and makes this a Linear.

    Its parameters are there from the beginning, without elements.

    >>> layer = LazyLinear(3)
    >>> layer(tinytorch.zeros(5, 2)).shape, layer
    (tinytorch.Size([5, 3]), Linear(in_features=2, out_features=3, bias=True))
    """

    def __init__(self, out_features, bias=True, device=None, dtype=None):
        super().__init__(0, 0, bias, device, dtype)
        self.out_features = out_features

    def forward(self, input):
        self.become_linear(input.shape[-1])
        return self(input)

    def become_linear(self, in_features):
        """Give the parameters their shapes, and their first numbers."""
        self.__class__ = Linear
        self.in_features = in_features
        dtype = self.weight.dtype
        self.weight.data = empty(self.out_features, in_features, dtype=dtype)
        if self.bias is not None:
            self.bias.data = empty(self.out_features, dtype=dtype)
        self.reset_parameters()
