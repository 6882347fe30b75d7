"""Distribution: what all of them share, and checks of their parameters."""

from tinytorch.grad_mode import no_grad
from tinytorch.ops.creation import as_tensor
from tinytorch.tensor import Size, Tensor


def together(*values):
    """All as tensors of one shape."""
    tensors = [x if isinstance(x, Tensor) else as_tensor(float(x)) for x in values]
    whole = sum(tensors[1:], tensors[0]).detach()
    return [x.expand(whole.shape) for x in tensors]


def only_one(name, **given):
    """ValueError unless exactly one of two parameters is given."""
    if sum(value is not None for value in given.values()) != 1:
        raise ValueError(f"{name} needs either {' or '.join(given)}")


class Distribution:
    """The base: `batch_shape` is the shape of the parameters, and so of one draw.

    Where a draw is a vector, as in Dirichlet, `event_shape` is its shape, which comes after that.

    `rsample` draws so that gradients reach the parameters, where the distribution can.
    """

    batch_shape = event_shape = Size()
    _validates = True
    stddev = property(lambda self: self.variance.sqrt())

    @staticmethod
    def set_default_validate_args(value):
        """Say whether parameters are checked where a distribution gets no `validate_args`."""
        Distribution._validates = bool(value)

    def _check_positive(self, name, value, validate_args):
        self._check((value._data > 0).all(), f"{name} must be positive", value, validate_args)

    def _check(self, holds, wanted, value, validate_args):
        """ValueError unless it `holds`, if parameters are checked."""
        if not holds and (self._validates if validate_args is None else validate_args):
            raise ValueError(f"{wanted}, got {value._data!s:.60}")

    def _with_shape(self, sample_shape):
        return (*sample_shape, *self.batch_shape)

    @no_grad()
    def sample(self, sample_shape=()):
        """A draw without history."""
        return self.rsample(sample_shape)

    def rsample(self, sample_shape=()):
        """A draw that gradients pass; NotImplementedError where there is none."""
        raise NotImplementedError(f"{type(self).__name__} has no rsample(); use sample()")
