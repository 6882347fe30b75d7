"""Samplers: in which order, and how often, the samples of a data set come."""

from itertools import islice

from tinytorch.ops.creation import as_tensor
from tinytorch.ops.random import multinomial, randint, randperm


class Sampler:
    """The base of all samplers: a subclass defines __iter__, and __len__ if there is an end."""

    def __iter__(self):
        raise NotImplementedError(f"{type(self).__name__} has no __iter__()")


class SequentialSampler(Sampler):
    """The numbers of all samples in order."""

    def __init__(self, data_source):
        self.data_source = data_source

    def __iter__(self):
        return iter(range(len(self.data_source)))

    def __len__(self):
        return len(self.data_source)


class RandomSampler(Sampler):
    """The numbers of all samples in random order, or `num_samples` of them.

    With `replacement`, each one is drawn from all.
    """

    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        self.data_source = data_source
        self.replacement = replacement
        self.generator = generator
        self._num_samples = num_samples
        if self.num_samples < 1:
            raise ValueError(f"a RandomSampler draws 1 sample or more, got {self.num_samples}")

    @property
    def num_samples(self):
        """How many are drawn: as many as there are now, unless it was said."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self):
        count = len(self.data_source)
        if self.replacement:
            size = (self.num_samples,)
            return iter(randint(count, size, generator=self.generator).tolist())
        rounds = -(-self.num_samples // max(count, 1))
        orders = (randperm(count, generator=self.generator).tolist() for _ in range(rounds))
        return islice((index for order in orders for index in order), self.num_samples)

    def __len__(self):
        return self.num_samples


class SubsetRandomSampler(Sampler):
    """The given `indices` in random order."""

    def __init__(self, indices, generator=None):
        self.indices = indices
        self.generator = generator

    def __iter__(self):
        order = randperm(len(self.indices), generator=self.generator).tolist()
        return (self.indices[place] for place in order)

    def __len__(self):
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    """`num_samples` numbers, drawn with probabilities in proportion to `weights`.

    >>> list(WeightedRandomSampler([0.0, 1.0], 3))
    [1, 1, 1]
    """

    def __init__(self, weights, num_samples, replacement=True, generator=None):
        self.weights = as_tensor(weights)
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self):
        settings = self.num_samples, self.replacement
        return iter(multinomial(self.weights, *settings, generator=self.generator).tolist())

    def __len__(self):
        return self.num_samples


class BatchSampler(Sampler):
    """Lists of `batch_size` numbers from another sampler; the last may be shorter, or dropped.

    >>> list(BatchSampler(range(5), 2, drop_last=False))
    [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler, batch_size, drop_last):
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self):
        numbers = iter(self.sampler)
        while batch := list(islice(numbers, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self):
        count = len(self.sampler)
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)
