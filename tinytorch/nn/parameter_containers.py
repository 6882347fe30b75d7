"""Parameters in a list, or under names."""

from collections.abc import MutableMapping

from tinytorch.nn.module import Module
from tinytorch.nn.parameter import Parameter
from tinytorch.tensor import Tensor


class ParametersOnly(Module):
    """What holds parameters and nothing else; tensors become parameters."""

    def __len__(self):
        return len(self._parameters)

    def _keep(self, name, value):
        plain = isinstance(value, Tensor) and not isinstance(value, Parameter)
        self.register_parameter(name, Parameter(value) if plain else value)

    def _printed_parts(self):
        sizes = [
            (name, "x".join(map(str, p.shape)), p.dtype) for name, p in self._parameters.items()
        ]
        return [(name, f"Parameter containing: [{d} of size {n}]") for name, n, d in sizes]


class ParameterList(ParametersOnly):
    """A list of parameters, all of them registered; tensors become parameters.

    >>> len(ParameterList([tinytorch.zeros(2), tinytorch.ones(3)]))
    2
    """

    def __init__(self, values=()):
        super().__init__()
        self.extend(values)

    def __iter__(self):
        return iter(self._parameters.values())

    def __getitem__(self, index):
        found = list(self)[index]
        return ParameterList(found) if isinstance(index, slice) else found

    def __setitem__(self, index, value):
        self._keep(str(range(len(self))[index]), value)

    def append(self, value):
        """Add a parameter at the end; returns the list."""
        self._keep(str(len(self)), value)
        return self

    def extend(self, values):
        """Add all of them at the end; returns the list."""
        for value in values:
            self.append(value)
        return self

    __iadd__ = extend


class ParameterDict(ParametersOnly, MutableMapping):
    """A dictionary of parameters, all of them registered; tensors become parameters.

    >>> list(ParameterDict({"scale": tinytorch.ones(2)}))
    ['scale']
    """

    __eq__, __hash__ = object.__eq__, object.__hash__  # a module is itself, not its content

    def __init__(self, parameters=None):
        super().__init__()
        self.update(parameters or {})

    def __iter__(self):
        return iter(self._parameters)

    def __getitem__(self, key):
        return self._parameters[key]

    __setitem__ = ParametersOnly._keep

    def __delitem__(self, key):
        if key not in self:
            raise KeyError(key)
        delattr(self, key)
