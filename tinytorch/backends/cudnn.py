"""There is no cuDNN here: its switches may be set, and change nothing."""

from tinytorch.cuda import is_available  # noqa: F401 (the same answer)

enabled = True
benchmark = False
deterministic = False
