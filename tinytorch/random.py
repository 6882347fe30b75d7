"""Random tensors, from a generator that can be seeded."""

import numpy as np

from tinytorch import dtypes
from tinytorch.creation import finished
from tinytorch.shapes import as_sizes


class Generator:
    """A source of random numbers with a seed of its own."""

    def __init__(self, device="cpu"):
        self.seed()

    def manual_seed(self, seed):
        """Start again from `seed`; returns the generator."""
        self._seed = seed
        self._numpy = np.random.default_rng(seed)
        return self

    def seed(self):
        """Start from a seed that the operating system chose; returns it."""
        self.manual_seed(int(np.random.SeedSequence().entropy % 2**63))
        return self._seed

    def initial_seed(self):
        """The seed it started from."""
        return self._seed


_default = []  # made when first needed: the import stays quick


def default_generator():
    """The generator that is used where none is given."""
    if not _default:
        _default.append(Generator())
    return _default[0]


def source(generator=None):
    """The NumPy generator to draw from."""
    return (generator or default_generator())._numpy


def manual_seed(seed):
    """Start the default generator again from `seed`; returns it."""
    return default_generator().manual_seed(seed)


def rand(*size, generator=None, dtype=dtypes.float32, device=None, requires_grad=False):
    """Numbers drawn evenly from [0, 1)."""
    return finished(
        source(generator).random(as_sizes(size) if size else (), np.float64).astype(dtype),
        requires_grad,
    )


def randn(*size, generator=None, dtype=dtypes.float32, device=None, requires_grad=False):
    """Numbers drawn from the normal distribution with mean 0 and variance 1."""
    return finished(
        np.asarray(source(generator).standard_normal(as_sizes(size) if size else ())).astype(dtype),
        requires_grad,
    )


def randint(low, high=None, size=None, *, generator=None, dtype=dtypes.int64, device=None):
    """Integers drawn evenly from `low` up to but not including `high`."""
    if size is None:
        low, high, size = 0, low, high
    return finished(source(generator).integers(low, high, tuple(size)).astype(dtype))


def randperm(n, *, generator=None, dtype=dtypes.int64, device=None):
    """The numbers from 0 to n - 1 in random order."""
    return finished(source(generator).permutation(n).astype(dtype))


def rand_like(input, *, generator=None):
    """rand() in the shape and dtype of `input`."""
    return rand(*input.shape, generator=generator, dtype=input.dtype)


def randn_like(input, *, generator=None):
    """randn() in the shape and dtype of `input`."""
    return randn(*input.shape, generator=generator, dtype=input.dtype)
