"""Tools around training."""

from tinytorch.utils import data

__all__ = ["data"]
