"""Data sets, and batches from them."""
# ruff: noqa: F401 (this file only gathers names)

from tinytorch.utils.data.collate import default_collate
from tinytorch.utils.data.dataset import Dataset, Subset, TensorDataset, random_split
from tinytorch.utils.data.loader import DataLoader
