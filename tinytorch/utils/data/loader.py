"""DataLoader: a data set in batches, in order or shuffled."""

from itertools import islice

from tinytorch.ops.random import randperm
from tinytorch.utils.data.collate import default_collate


class DataLoader:
    """Iterate over `dataset` in batches of `batch_size`, each epoch anew.

    `shuffle` takes a new order each time, drawn from `generator`. `drop_last` leaves out a last
    batch that is not full. `collate_fn` makes a batch of a list of samples. `batch_size=None`
    gives the samples themselves, each through `collate_fn` if there is one. `num_workers` and
    `pin_memory` are accepted and ignored: samples are fetched when they are asked for.
    ValueError for a batch_size that is not a whole number from 1.

    >>> [batch.tolist() for batch in DataLoader(range(5), batch_size=2)]
    [[0, 1], [2, 3], [4]]
    """

    def __init__(
        self,
        dataset,
        batch_size=1,
        shuffle=False,
        *,
        num_workers=0,
        collate_fn=None,
        pin_memory=False,
        drop_last=False,
        generator=None,
    ):
        if batch_size is not None and (not isinstance(batch_size, int) or batch_size < 1):
            raise ValueError(f"batch_size must be a whole number from 1, got {batch_size}")
        self.dataset = dataset
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.collate_fn = collate_fn or (default_collate if batch_size else lambda sample: sample)
        self.drop_last = drop_last
        self.generator = generator

    def order(self):
        """The numbers of the samples, in the order of this epoch."""
        if self.shuffle:
            return randperm(len(self.dataset), generator=self.generator).tolist()
        return range(len(self.dataset))

    def __iter__(self):
        return self.samples() if self.batch_size is None else self.batches()

    def samples(self):
        """Each sample of the epoch by itself."""
        for index in self.order():
            yield self.collate_fn(self.dataset[index])

    def batches(self):
        """The batches of the epoch: what `collate_fn` makes of each list of samples.

        The samples come in the order of `order()`, `batch_size` at a time; what is left over at
        the end is a smaller batch, unless `drop_last`.
        """
        order = iter(self.order())
        while batch := [self.dataset[index] for index in islice(order, self.batch_size)]:
            if len(batch) == self.batch_size or not self.drop_last:
                yield self.collate_fn(batch)

    def __len__(self):
        count = len(self.dataset)
        if self.batch_size is None:
            return count
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)
