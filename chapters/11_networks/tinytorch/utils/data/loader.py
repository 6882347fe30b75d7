"""DataLoader: a data set in batches, in order or shuffled."""

from itertools import islice

from tinytorch.utils.data.collate import default_collate
from tinytorch.utils.data.dataset import IterableDataset
from tinytorch.utils.data.sampler import RandomSampler, SequentialSampler


class DataLoader:
    """Iterate over `dataset` in batches of `batch_size`, each epoch anew.

    `shuffle` takes a new order each time, drawn from `generator`; `sampler` gives the numbers of
    the samples in an order of its own, `batch_sampler` lists of them, one for each batch.
    `drop_last` leaves out a last batch that is not full. `collate_fn` makes a batch of a list of
    samples. `batch_size=None` gives the samples themselves, each through `collate_fn` if there is
    one. Of an IterableDataset the samples come as it gives them.

    All work is done in this process, when a batch is asked for: `num_workers` and the settings
    that go with it are accepted and change nothing. ValueError for a batch_size that is not a
    whole number from 1, and for settings that contradict each other.

    >>> [batch.tolist() for batch in DataLoader(range(5), batch_size=2)]
    [[0, 1], [2, 3], [4]]
    """

    def __init__(
        self,
        dataset,
        batch_size: "int | None" = 1,
        shuffle=None,
        sampler=None,
        batch_sampler=None,
        num_workers: int = 0,
        collate_fn=None,
        pin_memory=False,
        drop_last=False,
        timeout: float = 0,
        worker_init_fn=None,
        multiprocessing_context=None,
        generator=None,
        *,
        prefetch_factor=None,
        persistent_workers=False,
        pin_memory_device="",
        in_order=True,
    ):
        check_order(dataset, shuffle, sampler, batch_sampler, batch_size, drop_last)
        self.dataset = dataset
        self.batch_size = None if batch_sampler is not None else batch_size
        self.batch_sampler = batch_sampler
        self.collate_fn = collate_fn or (default_collate if batch_size else lambda sample: sample)
        self.drop_last = drop_last
        self.generator = generator
        self.sampler = usual_sampler(dataset, shuffle, generator) if sampler is None else sampler

    def order(self):
        """The indices of the samples in the order of this epoch; the samples of a stream."""
        return self.dataset if self.sampler is None else self.sampler

    def __class_getitem__(cls, sample):
        """`DataLoader[Tensor]`, as programs with types write it: the class itself."""
        return cls

    def sample(self, index):
        """The sample with this index; what a stream gave is the sample already."""
        return index if self.sampler is None else self.dataset[index]

    def __iter__(self):
        if self.batch_sampler is not None:
            return self.chosen_batches()
        return self.samples() if self.batch_size is None else self.batches()

    def chosen_batches(self):
        """The batches of the epoch where `batch_sampler` says what is in each."""
        for numbers in self.batch_sampler:
            yield self.collate_fn([self.dataset[index] for index in numbers])

    def samples(self):
        """Each sample of the epoch by itself."""
        for index in self.order():
            yield self.collate_fn(self.sample(index))

    def batches(self):
        """Yield the batches of an epoch: what `collate_fn` makes of each list of samples.

        `sample(index)` is a sample, for each index in order(), in that order; `batch_size` of them
        make a batch, a list of its own, to which `collate_fn` may do what it likes. What is left
        over at the end is a smaller one, unless `drop_last`; an empty one never comes. No sample is
        asked for before its batch: a stream may have no end. Several epochs may go on at a time.
        """
        # TODO exercise 11.6: DataLoader.batches
        raise NotImplementedError("exercise 11.6: DataLoader.batches")

    def __len__(self):
        if self.batch_sampler is not None:
            return len(self.batch_sampler)
        count = len(self.order())
        if self.batch_size is None:
            return count
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)


def usual_sampler(dataset, shuffle, generator):
    """The sampler for samples in order, or shuffled; None for a stream."""
    if isinstance(dataset, IterableDataset):
        return None
    return RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)


def check_order(dataset, shuffle, sampler, batch_sampler, batch_size, drop_last):
    """ValueError for a bad batch_size, and where two settings say in which order samples come."""
    if batch_size is not None and (not isinstance(batch_size, int) or batch_size < 1):
        raise ValueError(f"batch_size must be a whole number from 1, got {batch_size}")
    chosen = sampler is not None or batch_sampler is not None
    if isinstance(dataset, IterableDataset) and (shuffle or chosen):
        raise ValueError("an IterableDataset has an order of its own: no shuffle, no sampler")
    if sampler is not None and shuffle:
        raise ValueError("give sampler or shuffle=True, not both")
    if batch_sampler is not None and (
        batch_size != 1 or shuffle or sampler is not None or drop_last
    ):
        raise ValueError("batch_sampler decides alone: no batch_size, shuffle, sampler, drop_last")
