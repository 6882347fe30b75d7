"""Module: a piece of a network that knows its parameters, its buffers and its parts."""

from tinytorch.grad_mode import no_grad
from tinytorch.nn.module_base import ModuleBase
from tinytorch.nn.module_parts import (
    PartsOfKind,
    check_part,
    check_state,
    extra_states,
    joined,
    set_extra_states,
)
from tinytorch.nn.parameter import Parameter
from tinytorch.tensor import Tensor


class Module(ModuleBase):
    """The base of all layers and networks: a subclass says in `forward` what it computes.

    Assigning a Parameter or a Module to an attribute registers it under that name; the names of
    parts within parts are joined by dots.

    >>> class Scale(Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.factor = Parameter(tinytorch.tensor(3.0))
    ...
    ...     def forward(self, x):
    ...         return self.factor * x
    >>> Scale()(tinytorch.tensor([1.0, 2.0]))
    tensor([3., 6.], grad_fn=<MulBackward0>)
    """

    def __init__(self):
        self._kinds = {}  # name of a part -> Parameter, Module, or Tensor for a buffer
        self._of_kind = {Parameter: {}, Tensor: {}, Module: {}}  # kind -> {name: part}
        self._transient = set()  # names of buffers that are not part of the state
        self._forward_pre_hooks, self._forward_hooks, self._backward_hooks = {}, {}, {}

    # --- registering: a part is a plain attribute whose kind is known ---

    def __setattr__(self, name, value):
        """Assign an attribute, and register it where it is a part.

        `kind_of(value)` is Parameter or Module, or None for anything else. Where it is None, but
        `name` is that of a part, the value is to be a part of the same kind: `self._kinds` has
        {name: kind}, which is Tensor for a buffer. `self._set_part(name, value, kind)` stores and
        registers a part, and raises an error for what cannot be one. All else is plain:
        super().__setattr__(name, value).
        Before __init__ has run there is no `_kinds`; plain attributes can be assigned even then.
        """
        # TODO exercise 11.1: Module.__setattr__
        raise NotImplementedError("exercise 11.1: Module.__setattr__")

    def __delattr__(self, name):
        super().__delattr__(name)
        if name in self._kinds:
            del self._of_kind[self._kinds.pop(name)][name]
            self._transient.discard(name)

    def _set_part(self, name, value, kind):
        check_part(self, name, value, kind)
        if self._kinds.get(name, kind) is not kind:  # a part of another kind loses its place
            delattr(self, name)
        vars(self)[name] = self._of_kind[kind][name] = value
        self._kinds[name] = kind

    def _register(self, name, value, kind):
        if name in vars(self) and self._kinds.get(name) is not kind:
            raise KeyError(f"{name!r} cannot be registered: there is an attribute of that name")
        self._set_part(name, value, kind)

    def register_parameter(self, name, param):
        """Make `param` (a Parameter or None) a parameter; KeyError for a name with another use."""
        self._register(name, param, Parameter)

    def register_buffer(self, name, tensor, persistent=True):
        """Make `tensor` part of the state without learning it; unless `persistent`, not saved.

        KeyError for a name with another use.
        """
        self._register(name, tensor, Tensor)
        remember = self._transient.discard if persistent else self._transient.add
        remember(name)

    def register_module(self, name, module):
        """Make `module` (a Module or None) a part; KeyError for a name with another use."""
        self._register(name, module, Module)

    add_module = register_module

    # --- walking over the parts ---

    def _parts(self, kind):
        """The parts of this module itself, each perhaps None: {name: part}."""
        return PartsOfKind(self, kind)

    _parameters = property(lambda self: self._parts(Parameter))
    _buffers = property(lambda self: self._parts(Tensor))
    _modules = property(lambda self: self._parts(Module))

    def named_children(self):
        """Pairs (name, module) of the direct parts."""
        return self._named(Module, "", recurse=False)

    def named_modules(self, prefix="", remove_duplicate=True):
        """Yield pairs (dotted name, module): this module, named `prefix`, and all within it, once.

        A module comes before its parts, and they come in the order of `module._modules`, a
        dictionary, each followed at once by its own. A part that is None is left out. A module with
        several names comes once, under the first that the walk meets; so the walk ends even where
        modules hold each other. With `remove_duplicate=False` it comes under each of its names.
        `joined(name, child)` puts a dot between two names.
        """
        # TODO exercise 11.2: Module.named_modules and _named
        raise NotImplementedError("exercise 11.2: Module.named_modules")

    def _named(self, kind, prefix, recurse, remove_duplicate=True):
        """Yield pairs (dotted name, part) of one kind: of this module, named `prefix`, and, with
        `recurse`, of all within it, in the order of named_modules().

        `module._parts(kind)` has those of a module itself, {name: part}, in their order. A part
        that is None is left out. What has two names comes under the first, unless
        `remove_duplicate` is False.
        """
        # TODO exercise 11.2: Module.named_modules and _named
        raise NotImplementedError("exercise 11.2: Module._named")

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        """Pairs (dotted name, parameter) of this module and its parts, each parameter once."""
        return self._named(Parameter, prefix, recurse, remove_duplicate)

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        """Pairs (dotted name, buffer) of this module and its parts."""
        return self._named(Tensor, prefix, recurse, remove_duplicate)

    def parameters(self, recurse=True):
        """The parameters of this module and its parts, as an optimizer wants them."""
        return (param for _, param in self.named_parameters(recurse=recurse))

    def buffers(self, recurse=True):
        """The buffers of this module and its parts."""
        return (buffer for _, buffer in self.named_buffers(recurse=recurse))

    def modules(self):
        """This module, its parts, and theirs."""
        return (module for _, module in self.named_modules())

    def children(self):
        """The direct parts."""
        return (module for _, module in self.named_children())

    # --- state ---

    def state_dict(self, prefix=""):
        """A dictionary {dotted name: tensor} of parameters and buffers; memory is shared.

        `extra_states(self, prefix)` is the dictionary to begin with: what the get_extra_state() of
        a module gives, if it has one. Then comes module after module, the parameters of each
        before its buffers, {name: tensor} in `module._parameters` and `module._buffers`; the
        detach() of each, under all its names, which `joined(module_name, name)` makes. What is None
        is left out, and the buffers whose names are in `module._transient`. `prefix` is put in
        front of all names, as it is.

        >>> list(tinytorch.nn.Linear(2, 3).state_dict())
        ['weight', 'bias']
        """
        # TODO exercise 11.7: Module.state_dict and copy_into
        raise NotImplementedError("exercise 11.7: Module.state_dict")

    @no_grad()
    def load_state_dict(self, state_dict, strict=True):
        """Copy `state_dict` into the parameters and buffers.

        RuntimeError for shapes that differ and, where `strict`, for missing or unexpected names.
        Returns (missing_keys, unexpected_keys).
        """
        own = self.state_dict()
        result = check_state(type(self).__name__, own, state_dict, strict)
        copy_into(own, set_extra_states(self, state_dict))
        return result


def copy_into(own, given):
    """Copy the tensors of the dictionary `given` into those of the same name in `own`.

    Whoever holds a tensor of `own` sees its new numbers, and the two share no memory afterwards.
    Names that only one of them has are passed over, no others; a shape that doesn't fit is an
    error, as it is to copy_(). `given` stays as it is.
    """
    # TODO exercise 11.7: Module.state_dict and copy_into
    raise NotImplementedError("exercise 11.7: copy_into")


def kind_of(value):
    """Parameter or Module, or None for what assigning does not register."""
    return next((kind for kind in (Parameter, Module) if isinstance(value, kind)), None)
