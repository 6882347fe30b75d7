"""FunctionModule: a function and its settings, as a module."""

from inspect import Signature, signature

from tinytorch.nn.module import Module
from tinytorch.tensor import Tensor

# what a call brings, and what is no setting
INPUTS = {
    "input",
    "target",
    "var",
    "anchor",
    "positive",
    "negative",
    "input1",
    "input2",
    "x1",
    "x2",
    "log_probs",
    "targets",
    "input_lengths",
    "target_lengths",
}


class FunctionModule(Module):
    """A module that calls a function; what the function takes besides tensors are its settings.

    `class LeakyReLU(FunctionModule, function=leaky_relu)` is a whole module: its arguments are
    those of leaky_relu() but for the INPUTS and, which every module has, `training`.
    TypeError for other ones.

    >>> class Shift(FunctionModule, function=lambda input, by=1: input + by):
    ...     pass
    >>> Shift(by=3), Shift()(4)
    (Shift(by=3), 5)
    """

    def __init_subclass__(cls, function=None):
        if function is not None:
            parameters = dict(signature(function).parameters)
            parameters.pop("out", None)  # a module has no tensor to write to
            cls.function = staticmethod(function)
            cls.passed = tuple(name for name in parameters if name not in INPUTS)
            cls.settings = tuple(name for name in cls.passed if name != "training")
            cls.__signature__ = Signature([parameters[name] for name in cls.settings])

    def __init__(self, *args, **kwargs):
        super().__init__()
        bound = self.bound(args, kwargs)
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            if isinstance(value, Tensor):  # the weights of a loss
                self.register_buffer(name, value)
            else:
                setattr(self, name, value)

    def bound(self, args, kwargs):
        """The settings that were given, by name: inspect's BoundArguments."""
        try:
            return self.__signature__.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{type(self).__name__}{self.__signature__}: {error}") from None

    def extra_repr(self):
        return ", ".join(f"{name}={getattr(self, name)!r}" for name in self.settings)

    def forward(self, *inputs, **named):
        """The function of these inputs, with the settings of the module."""
        settings = {name: getattr(self, name) for name in self.passed}
        return self.function(*inputs, **named, **settings)
