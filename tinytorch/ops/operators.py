"""The operators: Python asks the left operand for __add__, then the right one for __radd__."""

from functools import wraps

from tinytorch.tensor import Tensor


def operator(*names):
    """Decorator: the function of two inputs is also the operator with each of these `names`.

    An operand that is neither a Tensor nor a number may be of a class that knows Tensors: the
    operator gives NotImplemented, and Python asks that class, or says that none of them can.
    """

    def attach(function):
        @wraps(function)
        def asked(input, other):
            try:
                return function(input, other)
            except TypeError:
                return NotImplemented

        for name in names:
            setattr(Tensor, name, asked)
        return function

    return attach
