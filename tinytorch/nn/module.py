"""Module: a piece of a network that knows its parameters, its buffers and its parts."""

from collections import namedtuple

from tinytorch.grad_mode import no_grad
from tinytorch.hooks import RemovableHandle
from tinytorch.nn.parameter import Parameter
from tinytorch.tensor import Tensor

LoadResult = namedtuple("LoadResult", "missing_keys unexpected_keys")


class Module:
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
        # not `self.training = ...`: __setattr__ below looks into the dictionaries made here
        self.__dict__.update(
            training=True,
            _parameters={},
            _buffers={},
            _modules={},
            _transient=set(),  # names of buffers that are not part of the state
            _forward_hooks={},
            _forward_pre_hooks={},
        )

    def forward(self, *inputs):
        """What the module computes; every subclass writes its own."""
        raise NotImplementedError(f"{type(self).__name__} has no forward()")

    # --- names ---

    def __setattr__(self, name, value):
        if isinstance(value, Parameter):
            self.register_parameter(name, value)
        elif isinstance(value, Module):
            self.register_module(name, value)
        elif (registry := self._registry_of(name)) is not None:
            self._replace(registry, name, value)
        else:
            super().__setattr__(name, value)

    def __getattr__(self, name):  # asked only where the usual search finds nothing
        registry = self._registry_of(name)
        if registry is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return registry[name]

    def __delattr__(self, name):
        registry = self._registry_of(name)
        if registry is None:
            super().__delattr__(name)
        else:
            del registry[name]

    def __dir__(self):
        return [*super().__dir__(), *self._parameters, *self._buffers, *self._modules]

    def _registry_of(self, name):
        """The dictionary that holds `name`, or None."""
        for kind in ("_parameters", "_buffers", "_modules"):
            if name in self.__dict__.get(kind, ()):
                return self.__dict__[kind]
        return None

    def _replace(self, registry, name, value):
        is_buffer = registry is self._buffers and isinstance(value, Tensor)
        if value is not None and not is_buffer:
            wanted = {id(self._parameters): "a Parameter", id(self._modules): "a Module"}
            raise TypeError(
                f"{name!r} is registered as {wanted.get(id(registry), 'a buffer: a Tensor')}"
                f" or None, got {type(value).__name__}"
            )
        registry[name] = value

    def _register(self, kind, name, value):
        if kind not in self.__dict__:
            raise AttributeError(
                f"{type(self).__name__}: call super().__init__() before {name!r} is assigned"
            )
        if not isinstance(name, str) or not name or "." in name:
            raise KeyError(f"the name of a part is a string without dots, got {name!r}")
        registry = self._registry_of(name)
        if registry is not None and registry is not self.__dict__[kind]:
            del registry[name]
        elif name in self.__dict__:
            del self.__dict__[name]  # or it would hide the registered one
        elif hasattr(type(self), name):
            raise KeyError(f"{type(self).__name__} already has an attribute {name!r}")
        self.__dict__[kind][name] = value

    def register_parameter(self, name, param):
        """Make `param` (a Parameter or None) a parameter of this module."""
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(f"{name!r} must be a Parameter or None, got {type(param).__name__}")
        self._register("_parameters", name, param)

    def register_buffer(self, name, tensor, persistent=True):
        """Make `tensor` part of the state without learning it; unless `persistent`, not saved."""
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"buffer {name!r} must be a Tensor or None, got {type(tensor).__name__}"
            )
        self._register("_buffers", name, tensor)
        if not persistent:
            self._transient.add(name)

    def register_module(self, name, module):
        """Make `module` (a Module or None) a part of this one."""
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{name!r} must be a Module or None, got {type(module).__name__}")
        self._register("_modules", name, module)

    add_module = register_module

    # --- walking over the parts ---

    def named_children(self):
        """Pairs (name, module) of the direct parts."""
        for name, module in self._modules.items():
            if module is not None:
                yield name, module

    def named_modules(self, prefix="", remove_duplicate=True):
        """Pairs (dotted name, module): this one, then its parts, then theirs, each one once."""
        seen = set()
        stack = [(prefix, self)]
        while stack:
            name, module = stack.pop()
            if remove_duplicate and module in seen:
                continue
            seen.add(module)
            yield name, module
            parts = [(joined(name, child), part) for child, part in module.named_children()]
            stack += reversed(parts)

    def _named(self, kind, prefix, recurse, remove_duplicate=True):
        seen = set()
        modules = self.named_modules(prefix, remove_duplicate) if recurse else [(prefix, self)]
        for module_name, module in modules:
            for name, tensor in getattr(module, kind).items():
                if tensor is not None and not (remove_duplicate and tensor in seen):
                    seen.add(tensor)
                    yield joined(module_name, name), tensor

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        """Pairs (dotted name, parameter) of this module and its parts, each parameter once."""
        return self._named("_parameters", prefix, recurse, remove_duplicate)

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        """Pairs (dotted name, buffer) of this module and its parts."""
        return self._named("_buffers", prefix, recurse, remove_duplicate)

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

    def get_submodule(self, target):
        """The part with the dotted name `target`; AttributeError if there is none."""
        module = self
        for name in target.split(".") if target else ():
            module = getattr(module, name)
        return module

    def apply(self, fn):
        """Call `fn` with each part, the innermost first, and with this module; returns it."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    # --- modes ---

    def train(self, mode=True):
        """Put this module and its parts in training mode, or with False in evaluation mode."""
        for module in self.modules():
            module.training = bool(mode)
        return self

    def eval(self):
        """Put this module and its parts in evaluation mode."""
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        """Ask for the gradients of all parameters, or stop asking."""
        for param in self.parameters():
            param.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        """Forget the gradients of all parameters, or set them to zero."""
        for param in self.parameters():
            if set_to_none:
                param.grad = None
            elif param.grad is not None:
                param.grad = param.grad.detach().zero_()

    def to(self, dtype):
        """Turn all floating-point parameters and buffers to `dtype`; the optimizer comes after."""
        for tensor in (*self.parameters(), *self.buffers()):
            if tensor.is_floating_point():
                tensor.data = tensor.data.to(dtype)
                if tensor.grad is not None:
                    tensor.grad = tensor.grad.to(dtype)
        return self

    def float(self):
        """Turn all floating-point parameters and buffers to float32."""
        return self.to("float32")

    def double(self):
        """Turn all floating-point parameters and buffers to float64."""
        return self.to("float64")

    # --- state ---

    def _named_state(self, prefix=""):
        """Pairs (dotted name, tensor) of all that state_dict() holds, in its order."""
        for module_name, module in self.named_modules(prefix, remove_duplicate=False):
            for name, tensor in (*module._parameters.items(), *module._buffers.items()):
                if tensor is not None and name not in module._transient:
                    yield joined(module_name, name), tensor

    def state_dict(self, prefix=""):
        """A dictionary {dotted name: tensor} of parameters and buffers; memory is shared.

        >>> list(tinytorch.nn.Linear(2, 3).state_dict())
        ['weight', 'bias']
        """
        return {name: tensor.detach() for name, tensor in self._named_state(prefix)}

    def load_state_dict(self, state_dict, strict=True):
        """Copy `state_dict` into the parameters and buffers.

        RuntimeError for shapes that differ and, where `strict`, for missing or unexpected names.
        Returns (missing_keys, unexpected_keys).
        """
        own = dict(self._named_state())
        missing = [name for name in own if name not in state_dict]
        unexpected = [name for name in state_dict if name not in own]
        common = [name for name in own if name in state_dict]
        problems = shape_problems(own, state_dict, common)
        if strict:
            problems = key_problems(missing, unexpected) + problems
        if problems:
            title = f"Error(s) in loading state_dict for {type(self).__name__}:"
            raise RuntimeError("\n\t".join([title, *problems]))
        with no_grad():
            for name in common:
                own[name].copy_(state_dict[name])
        return LoadResult(missing, unexpected)

    # --- calling, and hooks ---

    def __call__(self, *args, **kwargs):
        for hook in tuple(self._forward_pre_hooks.values()):
            changed = hook(self, args)
            if changed is not None:
                args = changed if isinstance(changed, tuple) else (changed,)
        output = self.forward(*args, **kwargs)
        for hook in tuple(self._forward_hooks.values()):
            changed = hook(self, args, output)
            output = output if changed is None else changed
        return output

    def register_forward_pre_hook(self, hook):
        """Call `hook(module, args)` before each forward; what it returns replaces the arguments."""
        return RemovableHandle(self._forward_pre_hooks, hook)

    def register_forward_hook(self, hook):
        """Call `hook(module, args, output)` after each forward; a result replaces the output."""
        return RemovableHandle(self._forward_hooks, hook)

    # --- printing ---

    def extra_repr(self):
        """What stands between the parentheses of the printed module."""
        return ""

    def __repr__(self):
        lines = [f"({name}): {indented(repr(part))}" for name, part in self._modules.items()]
        extra = self.extra_repr()
        if not lines:
            return f"{type(self).__name__}({extra})"
        return "\n  ".join([f"{type(self).__name__}(", *([extra] if extra else []), *lines]) + "\n)"


def joined(prefix, name):
    return f"{prefix}.{name}" if prefix else name


def indented(text):
    return text.replace("\n", "\n  ")


def quoted(names):
    return ", ".join(f'"{name}"' for name in names)


def key_problems(missing, unexpected):
    """A line for the names that a state_dict lacks, a line for those that it has too many."""
    lines = [(f"Missing key(s) in state_dict: {quoted(missing)}.", missing)]
    lines += [(f"Unexpected key(s) in state_dict: {quoted(unexpected)}.", unexpected)]
    return [line for line, names in lines if names]


def shape_problems(own, state_dict, names):
    """A line for each tensor in `state_dict` whose shape differs from our own."""
    return [
        f"size mismatch for {name}: the state_dict has shape {tuple(state_dict[name].shape)},"
        f" the model {tuple(own[name].shape)}."
        for name in names
        if tuple(state_dict[name].shape) != tuple(own[name].shape)
    ]
