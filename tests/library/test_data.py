"""Data sets and loaders."""

from collections import namedtuple

import numpy as np
import pytest

import tinytorch
from tinytorch.utils.data import (
    DataLoader,
    Dataset,
    Subset,
    TensorDataset,
    default_collate,
    random_split,
)


def squares(count=5):
    return TensorDataset(tinytorch.arange(count), tinytorch.arange(count) ** 2)


def test_a_tensor_dataset_gives_a_slice_of_each_tensor():
    data = squares()
    assert len(data) == 5
    assert [part.item() for part in data[3]] == [3, 9]
    assert [y.item() for _, y in data] == [0, 1, 4, 9, 16]
    with pytest.raises(AssertionError, match=r"\[2, 3\]"):
        TensorDataset(tinytorch.zeros(2), tinytorch.zeros(3))


def test_a_loader_gives_batches_in_order_and_a_smaller_last_one():
    batches = [x.tolist() for x, _ in DataLoader(squares(), batch_size=2)]
    assert batches == [[0, 1], [2, 3], [4]]
    assert len(DataLoader(squares(), batch_size=2)) == 3


def test_drop_last_leaves_out_a_batch_that_is_not_full():
    loader = DataLoader(squares(), batch_size=2, drop_last=True)
    assert [x.tolist() for x, _ in loader] == [[0, 1], [2, 3]]
    assert len(loader) == 2


def test_shuffling_gives_every_sample_once_in_a_new_order_each_epoch():
    generator = tinytorch.Generator().manual_seed(0)
    loader = DataLoader(range(20), batch_size=20, shuffle=True, generator=generator)
    first, second = ([*batch.tolist()] for _ in range(2) for batch in loader)
    assert sorted(first) == sorted(second) == list(range(20))
    assert first != second and first != list(range(20))
    generator.manual_seed(0)
    assert next(iter(loader)).tolist() == first


def test_without_a_batch_size_the_samples_come_alone():
    assert [item for item in DataLoader([5, 6], batch_size=None)] == [5, 6]


def test_collate_fn_sees_single_samples_too():
    assert list(DataLoader([1, 2], batch_size=None, collate_fn=lambda x: 10 * x)) == [10, 20]


def test_collate_fn_makes_the_batch():
    loader = DataLoader([[1], [2, 3]], batch_size=2, collate_fn=lambda batch: sum(batch, []))
    assert list(loader) == [[1, 2, 3]]


def test_batches_keep_the_structure_of_samples():
    Pair = namedtuple("Pair", "left right")
    batch = [
        {"name": "a", "pair": Pair(1.5, np.zeros(2))},
        {"name": "b", "pair": Pair(2, np.ones(2))},
    ]
    joined = default_collate(batch)
    assert joined["name"] == ["a", "b"]
    assert joined["pair"].left.tolist() == [1.5, 2.0]
    assert joined["pair"].right.tolist() == [[0.0, 0.0], [1.0, 1.0]]
    assert isinstance(default_collate([(1, 2), (3, 4)]), list)


@pytest.mark.parametrize(
    "samples",
    [[1, 2], [1.5, 2.5], [1, 2.5], [2.5, 1], [True, False], [np.float32(1), np.float32(2)]],
)
def test_numbers_become_tensors_of_pytorchs_dtypes(samples):
    torch_data = pytest.importorskip("torch.utils.data")
    expected = torch_data.default_collate(samples)
    assert str(default_collate(samples).dtype) == f"tiny{expected.dtype}"


def test_texts_stay_as_they_are():
    assert default_collate(["a", "b"]) == ["a", "b"]
    assert default_collate([(1, "a"), (2, "b")])[1] == ("a", "b")


def test_what_cannot_be_a_batch_is_named():
    with pytest.raises(TypeError):
        default_collate([np.array(["a"])])
    with pytest.raises(TypeError, match="holds numbers"):
        default_collate([2**70])
    with pytest.raises(TypeError, match="batch of object; pass a collate_fn"):
        default_collate([object()])
    with pytest.raises(RuntimeError, match="same number of parts"):
        default_collate([(1, 2), (1,)])


def test_random_split_shares_out_every_sample_once():
    parts = random_split(range(10), [6, 4], generator=tinytorch.Generator().manual_seed(1))
    assert [len(part) for part in parts] == [6, 4]
    found = [part[i] for part in parts for i in range(len(part))]
    assert sorted(found) == list(range(10)) and found != list(range(10))


def test_fractions_are_rounded_down_and_the_rest_goes_to_the_first():
    assert [len(part) for part in random_split(range(11), [0.3, 0.3, 0.4])] == [4, 3, 4]
    with pytest.raises(ValueError, match=r"\[3, 3\] do not add up to 10"):
        random_split(range(10), [3, 3])
    with pytest.raises(ValueError, match="between 0 and 1"):
        random_split(range(10), [1.5, -0.5])


def test_a_subset_has_the_samples_that_its_indices_name():
    assert Subset(squares(), [3])[0][1].item() == 9


def test_a_data_set_without_getitem_says_so():
    with pytest.raises(NotImplementedError, match="Dataset has no"):
        Dataset()[0]


@pytest.mark.parametrize("size", [0, -1, 2.5])
def test_a_batch_size_is_a_whole_number_from_1(size):
    with pytest.raises(ValueError, match=f"whole number from 1, got {size}"):
        DataLoader([1], batch_size=size)


@pytest.mark.parametrize("count", [0, 1, 5, 6])
@pytest.mark.parametrize("settings", [{}, {"batch_size": 3}, {"batch_size": 4, "drop_last": True}])
def test_batches_are_as_many_and_as_large_as_torchs(count, settings):
    torch_data = pytest.importorskip("torch.utils.data")
    ours, theirs = (
        loader(range(count), **settings) for loader in (DataLoader, torch_data.DataLoader)
    )
    assert len(ours) == len(theirs)
    assert [batch.tolist() for batch in ours] == [batch.tolist() for batch in theirs]
