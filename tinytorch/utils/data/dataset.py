"""Data sets: samples that can be asked for by number."""

import math
from bisect import bisect_right
from itertools import accumulate

from tinytorch.ops.random import randperm


class Dataset:
    """The base of all data sets: a subclass defines __getitem__, and __len__.

    >>> class Squares(Dataset):
    ...     def __len__(self):
    ...         return 5
    ...
    ...     def __getitem__(self, index):
    ...         return index**2
    >>> Squares()[3]
    9
    """

    def __getitem__(self, index):
        raise NotImplementedError(f"{type(self).__name__} has no __getitem__()")

    def __add__(self, other):
        return ConcatDataset([self, other])

    def __class_getitem__(cls, sample):
        """`Dataset[Tensor]`, as programs with types write it: the class itself."""
        return cls


class IterableDataset(Dataset):
    """A stream of samples: a subclass defines __iter__, and a DataLoader takes them in order."""

    def __iter__(self):
        raise NotImplementedError(f"{type(self).__name__} has no __iter__()")

    def __add__(self, other):
        return ChainDataset([self, other])


class ChainDataset(IterableDataset):
    """The samples of several streams, one after the other."""

    def __init__(self, datasets):
        super().__init__()
        self.datasets = datasets

    def __iter__(self):
        for dataset in self.datasets:
            if not isinstance(dataset, IterableDataset):
                raise AssertionError("ChainDataset takes IterableDatasets only")
            yield from dataset

    def __len__(self):
        return sum(len(dataset) for dataset in self.datasets)


class TensorDataset(Dataset):
    """Sample i is the tuple of the i-th slices of all tensors; AssertionError if lengths differ.

    >>> TensorDataset(tinytorch.tensor([[1, 2], [3, 4]]), tinytorch.tensor([5, 6]))[1]
    (tensor([3, 4]), tensor(6))
    """

    def __init__(self, *tensors):
        if len({len(tensor) for tensor in tensors}) > 1:
            raise AssertionError(
                f"all tensors need the same first length, got {[len(t) for t in tensors]}"
            )
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self):
        return len(self.tensors[0])


class StackDataset(Dataset):
    """Sample i is the tuple, or the dictionary, of the samples i of several data sets.

    ValueError if their lengths differ, or for both kinds at once.

    >>> StackDataset(x=tinytorch.arange(3), y=[5, 6, 7])[1]
    {'x': tensor(1), 'y': 6}
    """

    def __init__(self, *args, **named):
        if bool(args) == bool(named):
            raise ValueError("StackDataset takes data sets, or data sets by name")
        self.datasets = named or args
        if len({len(dataset) for dataset in named.values() or args}) > 1:
            raise ValueError("StackDataset needs data sets of one length")

    def __getitem__(self, index):
        if isinstance(self.datasets, dict):
            return {name: dataset[index] for name, dataset in self.datasets.items()}
        return tuple(dataset[index] for dataset in self.datasets)

    def __len__(self):
        all_of_them = self.datasets
        first = next(iter(all_of_them.values() if isinstance(all_of_them, dict) else all_of_them))
        return len(first)


def get_worker_info():
    """None: all is loaded by the program itself."""


class ConcatDataset(Dataset):
    """The samples of several data sets, one after the other; AssertionError if there is none.

    >>> both = TensorDataset(tinytorch.arange(2)) + TensorDataset(tinytorch.arange(3))
    >>> len(both), both[2]
    (5, (tensor(0),))
    """

    def __init__(self, datasets):
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("ConcatDataset needs at least one data set")
        self.cumulative_sizes = list(accumulate(len(dataset) for dataset in self.datasets))

    def __getitem__(self, index):
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            error = ValueError if index < 0 else IndexError  # as in PyTorch
            raise error(f"there are {len(self)} samples, got index {index}")
        which = bisect_right(self.cumulative_sizes, place)
        return self.datasets[which][place - (self.cumulative_sizes[which - 1] if which else 0)]

    def __len__(self):
        return self.cumulative_sizes[-1]


class Subset(Dataset):
    """The samples of `dataset` at `indices`."""

    def __init__(self, dataset, indices):
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, index):
        if isinstance(index, list):
            return self.dataset[[self.indices[place] for place in index]]
        return self.dataset[self.indices[index]]

    def __len__(self):
        return len(self.indices)


def random_split(dataset, lengths, generator=None):
    """Subsets of the given lengths, or fractions that sum to 1, that share no sample.

    ValueError if the lengths do not add up to that of the data set.

    >>> [len(part) for part in random_split(range(10), [0.7, 0.3])]
    [7, 3]
    """
    if math.isclose(sum(lengths), 1):
        lengths = lengths_of(lengths, len(dataset))
    if sum(lengths) != len(dataset):
        raise ValueError(f"lengths {list(lengths)} do not add up to {len(dataset)} samples")
    order = randperm(len(dataset), generator=generator).tolist()
    return [
        Subset(dataset, order[end - length : end])
        for length, end in zip(lengths, accumulate(lengths), strict=True)
    ]


def lengths_of(fractions, count):
    """Whole numbers for fractions of `count`; what rounding leaves goes to the first ones.

    >>> lengths_of([0.5, 0.5], 5)
    [3, 2]
    """
    if any(not 0 <= fraction <= 1 for fraction in fractions):
        raise ValueError(f"fractions must be between 0 and 1, got {list(fractions)}")
    lengths = [int(count * fraction) for fraction in fractions]
    for i in range(count - sum(lengths)):
        lengths[i % len(lengths)] += 1
    return lengths
