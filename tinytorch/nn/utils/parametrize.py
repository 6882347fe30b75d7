"""Parametrizations: a weight that modules compute, whenever it's asked for, from what is learned.

What is learned is kept as `module.parametrizations.weight.original`; `module.weight` is what the
modules make of it, one after the other.
"""

from contextlib import contextmanager

from tinytorch.grad_mode import no_grad
from tinytorch.nn.containers import ModuleDict, ModuleList
from tinytorch.nn.parameter import Parameter
from tinytorch.tensor import Tensor

_kept = None  # within cached(): {(id of a module, name): the tensor made}


@contextmanager
def cached():
    """A block in which each parametrized tensor is computed once, and then kept."""
    global _kept
    before, _kept = _kept, {} if _kept is None else _kept
    try:
        yield
    finally:
        _kept = before


class ParametrizationList(ModuleList):
    """The modules that make one tensor, and the `original` from which the first one begins.

    A `right_inverse` that gives several tensors makes `original0`, `original1` and so on of them.
    """

    def __init__(self, modules, original, unsafe=False):
        super().__init__(modules)
        parts = self._backwards(original)
        self.is_tensor = isinstance(parts, Tensor)
        if not unsafe:
            first = (parts,) if self.is_tensor else parts
            check_made(self._made(first), original)
        kind = Parameter if isinstance(original, Parameter) else Tensor
        for name, part in self._named_originals(parts):
            part = part.detach()
            if self.is_tensor and part.shape == original.shape:  # the same one: optimizers know it
                original.data, part = part, original
            elif kind is Parameter:
                part = Parameter(part, requires_grad=original.requires_grad)
            self._register(name, part, kind)

    def _backwards(self, value):
        """What the last of the modules, and then each one before it, would have made this of."""
        with no_grad():
            for module in reversed(list(self)):
                if hasattr(module, "right_inverse"):
                    value = module.right_inverse(value)
        return value

    def _named_originals(self, parts):
        """Pairs (name, part): "original" for one tensor, or "original0" and so on."""
        if self.is_tensor:
            return [("original", parts)]
        return [(f"original{index}", part) for index, part in enumerate(parts)]

    def right_inverse(self, value):
        """Change the originals so that the modules make `value` of them.

        RuntimeError where a module has no right_inverse.
        """
        for module in self:
            if not hasattr(module, "right_inverse"):
                kind = type(module).__name__
                raise RuntimeError(f"{kind} has no right_inverse: nothing can be assigned here")
        with no_grad():
            for name, part in self._named_originals(self._backwards(value)):
                getattr(self, name).copy_(part)

    def forward(self):
        """The tensor that the modules make."""
        return self._made({**self._parameters, **self._buffers}.values())

    def _made(self, originals):
        first, *others = self
        made = first(*originals)
        for module in others:
            made = module(made)
        return made


def check_made(made, original):
    """ValueError unless what the modules make has the shape and the dtype of the original."""
    if not isinstance(made, Tensor):
        raise ValueError(f"a parametrization must give a tensor, got {type(made).__name__}")
    if (made.shape, made.dtype) != (original.shape, original.dtype):
        raise ValueError(
            f"a parametrization of a tensor of shape {tuple(original.shape)}, {original.dtype},"
            f" gave {tuple(made.shape)}, {made.dtype}; unsafe=True allows that"
        )


# --- the attribute of the module ---


def parametrized(name):
    """The property that asks the parametrizations, and hands on to them what is assigned."""

    def get(module):
        make = module.parametrizations[name]
        if _kept is None:
            return make()
        if (id(module), name) not in _kept:
            _kept[id(module), name] = make()
        return _kept[id(module), name]

    return property(get, lambda module, value: module.parametrizations[name].right_inverse(value))


def reclass(module, names):
    """Give the module a class of its own, in which `names` are parametrized; its old one for ()."""
    base = type_before_parametrizations(module)
    if not names:
        module.__class__ = base
        return
    made = {name: parametrized(name) for name in names}

    def assign(self, name, value):
        put = object.__setattr__ if name in made else base.__setattr__
        put(self, name, value)

    module.__class__ = type(
        f"Parametrized{base.__name__}", (base,), {**made, "__setattr__": assign, "_base": base}
    )


def type_before_parametrizations(module):
    """The class that the module had before."""
    return vars(type(module)).get("_base", type(module))


def is_parametrized(module, tensor_name=None):
    """Is this tensor of the module parametrized? Without a name: is any?"""
    if "_base" not in vars(type(module)):
        return False
    return tensor_name is None or tensor_name in module.parametrizations


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    """Let the module `parametrization` make the parameter or buffer `tensor_name`; returns module.

    A second one goes on with what the first makes. With a method `right_inverse`, the tensor keeps
    its value, and may be assigned. ValueError where there is no such tensor or, unless `unsafe`,
    where shape or dtype would change.

    >>> class Symmetric(tinytorch.nn.Module):
    ...     def forward(self, x):
    ...         return x.triu() + x.triu(1).mT
    >>> layer = register_parametrization(tinytorch.nn.Linear(3, 3), "weight", Symmetric())
    >>> bool((layer.weight == layer.weight.mT).all())
    True
    >>> [name for name, _ in layer.named_parameters()]
    ['bias', 'parametrizations.weight.original']
    """
    if is_parametrized(module, tensor_name):
        made = getattr(module, tensor_name)
        if not unsafe:
            check_made(parametrization(made), made)
        module.parametrizations[tensor_name].append(parametrization)
        return module
    parts = {**module._parameters, **module._buffers}
    if parts.get(tensor_name) is None:
        kind = type(module).__name__
        raise ValueError(f"{kind} has no parameter or buffer {tensor_name!r} to parametrize")
    # made first: where it fails, the module is as it was
    made = ParametrizationList([parametrization], parts[tensor_name], unsafe)
    made.train(module.training)
    delattr(module, tensor_name)
    if not is_parametrized(module):
        module.parametrizations = ModuleDict()
    module.parametrizations[tensor_name] = made
    reclass(module, list(module.parametrizations))
    return module


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    """Make a plain tensor of what was parametrized, with the value made; returns the module.

    With `leave_parametrized=False` it's the original; ValueError where there are several. What is
    learned stays the same Parameter where it is a single one.
    """
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"{type(module).__name__} has no parametrization of {tensor_name!r}")
    made = module.parametrizations[tensor_name]
    if not leave_parametrized and not made.is_tensor:
        raise ValueError("with several originals, only leave_parametrized=True is possible")
    plain = made.original if made.is_tensor else made.original0
    if leave_parametrized:
        value, kind = getattr(module, tensor_name).detach(), type(plain)
        if made.is_tensor and value.shape == plain.shape:
            plain.data = value
        elif kind is Parameter:
            plain = Parameter(value, requires_grad=plain.requires_grad)
        else:
            plain = value
    del module.parametrizations[tensor_name]
    left = list(module.parametrizations)
    if not left:
        del module.parametrizations
    reclass(module, left)
    module._register(tensor_name, plain, Parameter if isinstance(plain, Parameter) else Tensor)
    return module
