"""Modules that hold modules: in a row, in a list, under names."""

from collections.abc import MutableMapping, MutableSequence
from itertools import groupby
from operator import itemgetter

from tinytorch.nn.module import Module


class Numbered(Module, MutableSequence):
    """Modules in a row, which change as a list does: insert, pop, del, +=, and so on."""

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __getitem__(self, index):
        if isinstance(index, slice):
            return self._of(list(self._modules.items())[index])
        return self._modules[self._name_at(index)]

    def __setitem__(self, index, module):
        self.register_module(self._name_at(index), module)

    def __delitem__(self, index):
        modules = list(self)
        del modules[index]
        self._become(modules)

    def insert(self, index, module):
        """Add `module` before the one at `index`; all are numbered anew. Returns the whole."""
        if not -len(self) <= index <= len(self):
            raise IndexError(f"index {index} is not within -{len(self)} to {len(self)}")
        modules = list(self)
        modules.insert(index, module)
        return self._become(modules)

    def _become(self, modules):
        for name in list(self._modules):
            delattr(self, name)
        return self.extend(modules)

    def _name_at(self, index):
        """The name at place `index`; a negative one counts from the end."""
        if not -len(self) <= index < len(self):
            raise IndexError(f"index {index} is out of range: there are {len(self)} modules")
        return list(self._modules)[index]

    def __add__(self, modules):
        """A new row: these modules, then those of `modules`."""
        return self._of([]).extend(self).extend(modules)

    def append(self, module):
        """Add `module` at the end; returns the whole."""
        self.register_module(str(len(self)), module)
        return self

    def extend(self, modules):
        """Add all `modules` at the end; returns the whole."""
        for module in modules:
            self.append(module)
        return self


class Sequential(Numbered):
    """Modules that are called one after the other, each on the result of the one before.

    >>> net = Sequential(tinytorch.nn.Linear(4, 3), tinytorch.nn.ReLU())
    >>> net(tinytorch.zeros(2, 4)).shape
    tinytorch.Size([2, 3])
    """

    def __init__(self, *modules):
        super().__init__()
        if len(modules) == 1 and isinstance(modules[0], dict):
            for name, module in modules[0].items():
                self.register_module(name, module)
        else:
            self.extend(modules)

    def forward(self, input):
        """What comes out of the last module when `input` goes into the first."""
        for module in self:
            input = module(input)
        return input

    @staticmethod
    def _of(items):
        """Some of the modules: a slice keeps their names."""
        return Sequential(dict(items))


class ModuleList(Numbered):
    """A list of modules, all of them registered. It has no forward of its own.

    >>> layers = ModuleList([tinytorch.nn.Linear(2, 2) for _ in range(3)])
    >>> len(list(layers.parameters()))
    6
    """

    def __init__(self, modules=()):
        super().__init__()
        self.extend(modules)

    @staticmethod
    def _of(items):
        """Some of the modules: a slice is numbered anew."""
        return ModuleList([module for _, module in items])

    def _name_at(self, index):
        name = str(index)  # the usual case needs no list of all names
        return name if name in self._modules else super()._name_at(index)

    def _printed_parts(self):
        parts = []
        for text, equal in groupby(super()._printed_parts(), key=itemgetter(1)):
            first, *others = [name for name, _ in equal]
            if others:
                first, text = f"{first}-{others[-1]}", f"{len(others) + 1} x {text}"
            parts.append((first, text))
        return parts


class ModuleDict(Module, MutableMapping):
    """A dictionary of modules, all of them registered. It has no forward of its own.

    >>> list(ModuleDict({"encode": tinytorch.nn.Linear(2, 1)}))
    ['encode']
    """

    __eq__, __hash__ = object.__eq__, object.__hash__  # a module is itself, not its content

    def __init__(self, modules=None):
        super().__init__()
        self.update(modules or {})

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules)

    def __getitem__(self, name):
        return self._modules[name]

    def __setitem__(self, name, module):
        self.register_module(name, module)

    def __delitem__(self, name):
        if name not in self:
            raise KeyError(name)
        delattr(self, name)
