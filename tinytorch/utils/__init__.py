"""Tools around training."""

from tinytorch.utils import data  # noqa: F401 (a name gathered here)
