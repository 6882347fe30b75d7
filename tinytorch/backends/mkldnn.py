"""There is no oneDNN here; programs that ask for it are told so."""

from tinytorch.cuda import is_available  # noqa: F401 (the same answer)
