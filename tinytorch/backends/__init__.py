"""What PyTorch computes with elsewhere; none of it is here."""

from tinytorch.backends import cuda, cudnn, mkldnn, mps  # noqa: F401 (names gathered here)
