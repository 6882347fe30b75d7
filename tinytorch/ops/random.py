"""Random tensors, from a generator that can be seeded."""

import math
from contextlib import contextmanager

import numpy as np

from tinytorch import dtypes
from tinytorch.devices import check_device
from tinytorch.ops.creation import finished, like, new_shape
from tinytorch.ops.dims import whole
from tinytorch.ops.out import with_out
from tinytorch.tensor import Tensor, array_of, method, wrap


class Generator:
    """A source of random numbers with a seed of its own."""

    def __init__(self, device="cpu"):
        self.device = check_device(device)
        self.seed()

    def manual_seed(self, seed) -> "Generator":
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

    def get_state(self):
        """Where it stands, as a tensor of bytes, to go on from there another time."""
        import json  # takes long: `import tinytorch` stays quick

        text = json.dumps([self._seed, self._numpy.bit_generator.state])
        return wrap(np.frombuffer(text.encode(), np.uint8).copy())

    def set_state(self, new_state):
        """Go on from what get_state() gave; returns the generator."""
        import json

        seed, state = json.loads(new_state.numpy().tobytes())
        self.manual_seed(seed)._numpy.bit_generator.state = state
        return self


_default = []  # made when first needed: the import stays quick


def default_generator() -> Generator:
    """The generator that is used where none is given."""
    if not _default:
        _default.append(Generator())
    return _default[0]


def source(generator=None):
    """The NumPy generator to draw from."""
    generator = default_generator() if generator is None else generator
    if not isinstance(generator, Generator):
        raise TypeError(f"generator must be a Generator, got {type(generator).__name__}")
    return generator._numpy


def manual_seed(seed) -> Generator:
    """Start the default generator again from `seed`; returns it."""
    return default_generator().manual_seed(seed)


def seed() -> int:
    """Start the default generator from a seed that the operating system chose; returns it."""
    return default_generator().seed()


def initial_seed() -> int:
    """The seed that the default generator started from."""
    return default_generator().initial_seed()


def get_rng_state():
    """Where the default generator stands, a tensor of bytes that can be saved.

    >>> state = get_rng_state()
    >>> first = tinytorch.rand(3)
    >>> set_rng_state(state)
    >>> tinytorch.equal(tinytorch.rand(3), first)
    True
    """
    return default_generator().get_state()


def set_rng_state(new_state):
    """Let the default generator go on from what get_rng_state() gave."""
    default_generator().set_state(new_state)


@contextmanager
def fork_rng(devices=None, enabled=True, **settings):
    """A `with` block or decorator after which the default generator stands where it stood before.

    >>> with fork_rng():
    ...     first = tinytorch.rand(3)
    >>> tinytorch.equal(tinytorch.rand(3), first)
    True
    """
    before = get_rng_state()
    try:
        yield
    finally:
        if enabled:
            set_rng_state(before)


def drawn(draw, sizes, dtype, device, requires_grad):
    """A new leaf around the floats that `draw(shape)` gives."""
    array = np.asarray(draw(new_shape(sizes)))  # draw(()) is a number
    dtype = dtypes.dtype_of(dtype or dtypes.USUAL["f"])
    if dtype.kind != "f":
        raise RuntimeError(f"random floats need a floating-point dtype, got {dtype}; use randint()")
    return finished(array, dtype, device, requires_grad)


@with_out
def rand(*sizes, size=(), generator=None, dtype=None, device=None, requires_grad=False):
    """Numbers drawn evenly from [0, 1)."""
    return drawn(source(generator).random, sizes or (size,), dtype, device, requires_grad)


@with_out
def randn(*sizes, size=(), generator=None, dtype=None, device=None, requires_grad=False):
    """Numbers drawn from the normal distribution with mean 0 and variance 1."""
    dtype, generator = dtypes.dtype_of(dtype or dtypes.USUAL["f"]), source(generator)

    def draw(shape):
        if dtype == dtypes.float32 and math.prod(shape) > 10_000:
            return many_normal(shape, generator)
        return generator.standard_normal(shape)

    return drawn(draw, sizes or (size,), dtype, device, requires_grad)


def many_normal(shape, generator):
    """float32 numbers from the normal distribution, many at once: faster than NumPy draws them.

    Box and Muller, "A note on the generation of random normal deviates" (1958): two such numbers
    are a point in the plane, in any direction alike, and half the square of its distance from 0 is
    drawn from the exponential distribution.
    """
    count = math.prod(shape)
    distance, angle = generator.random((2, (count + 1) // 2), np.float32)
    np.log(np.subtract(1, distance, distance), distance)  # 1 - distance is never 0
    np.sqrt(np.multiply(distance, -2, distance), distance)
    angle *= 2 * math.pi
    points = np.empty((2, distance.size), np.float32)
    np.cos(angle, points[0])
    np.sin(angle, points[1])
    points *= distance
    return points.reshape(-1)[:count].reshape(shape)


def randint(low=0, high=None, size=None, *, generator=None, dtype=None, device=None):
    """Integers drawn evenly from `low` up to but not including `high`.

    >>> randint(7, (2, 3)).shape
    tinytorch.Size([2, 3])
    """
    if isinstance(high, (tuple, list)):  # randint(high, size)
        low, high, size = 0, low, high
    elif high is None:  # randint(high, size=size)
        low, high = 0, low
    low, high = whole(low), whole(high)
    if not low < high:
        raise RuntimeError(f"randint: no integer lies from {low} up to {high}")
    array = source(generator).integers(low, high, new_shape((size,)))
    return finished(np.asarray(array), dtype or dtypes.int64, device)


def randperm(n, *, generator=None, dtype=None, device=None):
    """The numbers from 0 to n - 1 in random order."""
    (n,) = new_shape((n,))
    return finished(source(generator).permutation(n), dtype or dtypes.int64, device)


@method("multinomial")
def multinomial(input, num_samples, replacement=False, *, generator=None):
    """Indices drawn with probabilities in proportion to `input`, for each row of it.

    >>> multinomial(tinytorch.tensor([0.0, 3.0, 0.0]), 1)
    tensor([1])
    """
    if input._data.dtype.kind != "f" or num_samples < 1:
        raise RuntimeError(
            f"multinomial() needs weights that are floats and 1 sample or more, got {input.dtype}"
            f" and {num_samples}"
        )
    weights = input._data.reshape(-1, input._data.shape[-1]).astype(np.float64)
    if not (np.isfinite(weights) & (weights >= 0)).all() or not weights.any(1).all():
        raise RuntimeError("multinomial() needs weights of at least 0, in each row one above 0")
    if not replacement and (np.count_nonzero(weights, axis=1) < num_samples).any():
        raise RuntimeError(f"multinomial() of {num_samples} needs as many weights above 0")
    draw = with_replacement if replacement else race
    places = draw(weights, num_samples, source(generator))
    return wrap(places.reshape(*input._data.shape[:-1], num_samples))


def with_replacement(weights, count, generator):
    """`count` indices for each row: the places where running sums pass a number that is drawn."""
    sums = weights.cumsum(1)
    numbers = generator.random((len(weights), count)) * sums[:, -1:]
    pairs = zip(sums, numbers, strict=True)
    found = [row.searchsorted(drawn, side="right") for row, drawn in pairs]
    return np.array(found, np.int64).reshape(len(weights), count)


def race(weights, count, generator):
    """`count` different indices for each row: each runs for a random time, the first ones win.

    The larger its weight, the shorter the time, in proportion: so it is first with the
    probability that is wanted, and of those that are left the next one is, too.
    """
    with np.errstate(divide="ignore"):
        times = generator.exponential(size=weights.shape) / weights
    first = np.argpartition(times, count - 1, 1)[:, :count] if count else times[:, :0].astype(int)
    order = np.argsort(np.take_along_axis(times, first, 1), 1)
    return np.take_along_axis(first, order, 1)


rand_like = like(rand)
randn_like = like(randn)


def randint_like(input, low=0, high=None, *, memory_format=None, **settings):
    """randint() in the shape of the tensor `input`, and in its dtype by default."""
    return randint(low, high, input.shape, **{"dtype": input.dtype, **settings})


def poisson(input, generator=None):
    """Counts of what happens so often on average as `input` says."""
    return wrap(np.asarray(source(generator).poisson(input._data), input.dtype))


def normal(
    mean, std=1.0, size=None, *, generator=None, dtype=None, device=None, requires_grad=False
):
    """Normal numbers around `mean`, with standard deviation `std`: numbers with a size, or tensors.

    The first tensor decides the dtype.

    >>> normal(tinytorch.tensor([1.0, 2.0]), 0.0)
    tensor([1., 2.])
    """
    if size is None:
        size = np.broadcast_shapes(np.shape(mean), np.shape(std))
    for given in (std, mean):
        if isinstance(given, Tensor) and given.is_floating_point():
            dtype = given.dtype
    mean, std = [x.detach() if isinstance(x, Tensor) else x for x in (mean, std)]
    if (array_of(std) < 0).any():
        raise RuntimeError(f"normal() needs a standard deviation of at least 0, got {std!s:.60}")
    noise = randn(size, generator=generator, dtype=dtype, device=device)
    return (noise * std + mean).to(noise.dtype).requires_grad_(requires_grad)


@method("bernoulli")
def bernoulli(input, *, generator=None):
    """1 with the probability that `input` says, else 0; RuntimeError for what is none.

    >>> bernoulli(tinytorch.tensor([0.0, 1.0]))
    tensor([0., 1.])
    """
    p = input._data
    if not ((p >= 0) & (p <= 1)).all():
        raise RuntimeError("bernoulli needs probabilities between 0 and 1")
    return wrap((source(generator).random(p.shape) < p).astype(p.dtype))
