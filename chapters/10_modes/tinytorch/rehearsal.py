"""Layers that ask whether it is a rehearsal, where is_training() is True, or a performance."""

from tinytorch import no_grad, ones, tensor, zeros
from tinytorch.modes import is_training


def jitter(x, size, rng):
    """In a rehearsal x with noise added, and in a performance x itself.

    The noise is `size` times rng.normal(size=x.shape), in the dtype of x.
    """
    if not is_training():
        return x
    return x + tensor(size * rng.normal(size=x.shape), dtype=x.dtype)


def dropout(x, p, rng):
    """In a rehearsal x with some elements set to 0, and in a performance x itself.

    An element is dropped where rng.random(x.shape) is below p, with 0 <= p < 1. Those that stay
    get louder, all by the same factor: over many tosses the mean is x. The dtype is that of x.
    In a rehearsal rng is asked once, even where p is 0 or x has no elements. In a performance
    nothing is asked of it.
    """
    # TODO exercise 10.2: dropout
    raise NotImplementedError("exercise 10.2: dropout")


class BatchNorm:
    """Brings each column of its input to mean 0 and variance 1, then scales and shifts it.

    `scale` and `shift` are learned by gradients. `mean` and `variance` are what it remembers of the
    batches that it saw in rehearsals. Each of the four has one number for each column.
    """

    def __init__(self, width, momentum=0.1, eps=1e-5):
        self.scale, self.shift = ones(width, requires_grad=True), zeros(width, requires_grad=True)
        self.mean, self.variance = zeros(width), ones(width)
        self.momentum, self.eps = momentum, eps

    def remember(self, mean, variance):
        """Move self.mean and self.variance towards the mean and the variance of a batch.

        Each goes the share `momentum` of the way: with 0 it stays, with 1 it becomes what came, up
        to rounding. It's a new Tensor, in memory of its own. Even while history is being recorded
        it asks for no gradient, and the layer holds on to no batch. The arguments stay as they are.
        """
        # TODO exercise 10.3: BatchNorm
        raise NotImplementedError("exercise 10.3: BatchNorm.remember")

    def __call__(self, x):
        """x of shape (N, width), with each column normed, then times `scale`, then plus `shift`.

        In a rehearsal a column is normed with its own mean and variance, even if N is 1. Its mean
        becomes 0, and its variance 1 or less: `eps` is added to the variance before the root is
        taken. The variance is the mean of the squared distances from the mean. self.remember() is
        called with both, once. In a performance self.mean and self.variance take their places,
        and nothing is remembered. In both modes, gradients are what nudging x, `scale` or `shift`
        would show.
        """
        # TODO exercise 10.3: BatchNorm
        raise NotImplementedError("exercise 10.3: BatchNorm.__call__")
