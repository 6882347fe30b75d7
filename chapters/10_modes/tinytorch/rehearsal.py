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
    In a rehearsal rng is asked once, even where p is 0. In a performance nothing is asked of it.
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
        """Move self.mean and self.variance a bit towards the mean and the variance of a batch.

        Each becomes 1 - momentum times what it was, plus momentum times what came: a new Tensor, in
        memory of its own and without a history, even while history is being recorded. The
        arguments stay as they are.
        """
        # TODO exercise 10.3: BatchNorm
        raise NotImplementedError("exercise 10.3: BatchNorm.remember")

    def __call__(self, x):
        """(x - mean) / sqrt(variance + eps) * scale + shift, for x of shape (N, width).

        In a rehearsal mean and variance are those of each column of x, even if N is 1, and part of
        the history: slopes flow through them. The variance is the mean of the squared distances
        from the mean. self.remember() is called with both, once. In a performance they're
        self.mean and self.variance, and nothing is remembered.
        """
        # TODO exercise 10.3: BatchNorm
        raise NotImplementedError("exercise 10.3: BatchNorm.__call__")
