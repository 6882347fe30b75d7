"""Data sets, and batches from them."""

from tinytorch.utils.data.collate import default_collate
from tinytorch.utils.data.dataset import (
    Dataset,
    Subset,
    TensorDataset,
    random_split,
)
from tinytorch.utils.data.loader import DataLoader

__all__ = [
    "DataLoader",
    "Dataset",
    "Subset",
    "TensorDataset",
    "default_collate",
    "random_split",
]
