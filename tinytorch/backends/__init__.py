"""What PyTorch computes with elsewhere; none of it is here."""

from tinytorch.backends import cudnn, mps  # noqa: F401 (names gathered here)
