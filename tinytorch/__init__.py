"""tinytorch: automatic differentiation on NumPy arrays, with the names of PyTorch.

>>> x = tensor([1.0, 2.0], requires_grad=True)
>>> (x * x).sum().backward()
>>> x.grad
tensor([2., 4.])
"""

from tinytorch.contents import *  # noqa: F403 (all names of the library)
from tinytorch.contents import __getattr__, __version__  # noqa: F401
from tinytorch.contents import gradcheck as gradcheck  # to editors, the modules of these names
from tinytorch.contents import tensor as tensor  # would otherwise come first
