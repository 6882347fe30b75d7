"""DataLoader and default_collate under PyTorch's second name for them."""

from tinytorch.utils.data.collate import default_collate  # noqa: F401 (a name gathered here)
from tinytorch.utils.data.loader import DataLoader  # noqa: F401
