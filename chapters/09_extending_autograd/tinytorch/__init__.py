"""tinytorch: the modules beside this one are yours, all others the library's."""

from pathlib import Path

__path__.append(str(Path(__file__).parents[3] / "tinytorch"))  # where Python looks next

from tinytorch.contents import *
from tinytorch.contents import __getattr__, __version__
from tinytorch import custom
