"""Which version this is, for programs that ask, and that there is no GPU."""

from tinytorch.contents import __version__

__all__ = ["__version__", "cuda", "hip"]
cuda = hip = None
