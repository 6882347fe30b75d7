"""What a Module can do once it knows its parts: run, change its mode or dtype, and be printed."""

from typing import Any

from tinytorch.hooks import RemovableHandle
from tinytorch.nn.backward_hooks import OnArrival, Watch
from tinytorch.nn.parameter import Registering, forget_grad


class ModuleBase(Registering):
    """All of a Module that asks for its parts, and doesn't mind how they are found."""

    training = True

    def forward(self, *args, **kwargs):
        """What the module computes; every subclass writes its own."""
        raise NotImplementedError(f"{type(self).__name__} has no forward()")

    # --- calling, and hooks ---

    def __call__(self, *args, **kwargs):
        if not (self._forward_pre_hooks or self._forward_hooks or self._backward_hooks):
            return self.forward(*args, **kwargs)
        return call_with_hooks(self, args, kwargs)

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
        """Call `hook(module, args)` before each forward; what it returns replaces the arguments.

        With `with_kwargs` it's `hook(module, args, kwargs)`, which returns None or both. `prepend`
        puts it before the hooks that are there.
        """
        return added(self._forward_pre_hooks, calling_before(hook, with_kwargs), prepend)

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False):
        """Call `hook(module, args, output)` after each forward; a result replaces the output.

        With `with_kwargs` it's `hook(module, args, kwargs, output)`. `prepend` puts it before the
        hooks that are there.
        """
        return added(self._forward_hooks, calling_after(hook, with_kwargs), prepend)

    def register_full_backward_hook(self, hook, prepend=False):
        """Call `hook(module, grad_input, grad_output)`, tuples, when gradients have come through.

        What it returns replaces `grad_input`. `prepend` puts it before the hooks that are there.
        """
        return added(self._backward_hooks, hook, prepend)

    def register_full_backward_pre_hook(self, hook, prepend=False):
        """Call `hook(module, grad_output)`, a tuple, before gradients go through the module.

        What it returns replaces `grad_output`. `prepend` puts it before the hooks that are there.
        """
        return added(self._backward_hooks, OnArrival(hook), prepend)

    # --- parts by their names ---

    def get_submodule(self, target):
        """The module with the dotted name `target`, "" for this one; AttributeError if none has."""
        return self._named_part("module", target, self.named_modules)

    def get_parameter(self, target):
        """The parameter with the dotted name `target`; AttributeError if none has it."""
        return self._named_part("parameter", target, self.named_parameters)

    def get_buffer(self, target):
        """The buffer with the dotted name `target`; AttributeError if none has it."""
        return self._named_part("buffer", target, self.named_buffers)

    def _named_part(self, kind, target, named):
        parts = dict(named(remove_duplicate=False))
        if target not in parts:
            raise AttributeError(f"{type(self).__name__} has no {kind} named {target!r}")
        return parts[target]

    # --- all of it ---

    def apply(self, fn):
        """Call `fn` with each part, the innermost first, and with this module; returns it."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    # --- modes ---

    def train(self, mode=True):
        """Put this module and its parts in training mode, or with False in evaluation mode.

        ValueError for anything but True and False.
        """
        if not isinstance(mode, bool):
            raise ValueError(f"train() takes True or False, got {mode!r}")
        for module in self.modules():
            module.training = mode
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
            forget_grad(param, set_to_none)

    # --- dtypes and devices ---

    def to(self, *args, **kwargs):
        """Turn all floating-point parameters and buffers to a dtype; the optimizer comes after.

        TypeError for a dtype of integers. A device, which can only be the CPU, changes nothing.
        """
        return self._apply(lambda tensor: in_floats(tensor, *args, **kwargs))

    def _apply(self, fn):
        """Put `fn(tensor)` in the place of each parameter's, gradient's and buffer's numbers."""
        for tensor in (*self.parameters(), *self.buffers()):
            tensor.data = fn(tensor.data)
            if tensor.grad is not None:
                tensor.grad = fn(tensor.grad)
        return self

    def cpu(self):
        """This module: it is on the CPU."""
        return self

    def cuda(self, device=None):
        """RuntimeError: there is no GPU. Ask `cuda.is_available()` first."""
        return self.to("cuda")

    def type(self, dst_type):
        """Turn all floating-point parameters and buffers to a dtype, as to()."""
        return self.to(dst_type)

    def compile(self, *args, **settings):
        """Nothing: what is computed stays as it is."""

    def float(self):
        """Turn all floating-point parameters and buffers to float32."""
        return self.to("float32")

    def double(self):
        """Turn all floating-point parameters and buffers to float64."""
        return self.to("float64")

    def half(self):
        """Turn all floating-point parameters and buffers to float16."""
        return self.to("float16")

    # --- printing ---

    def extra_repr(self):
        """What stands between the parentheses of the printed module; a subclass says."""
        return ""

    def _unusual(self, **usual):
        """The texts "name=value" of those settings that aren't as usual."""
        held = {name: getattr(self, name) for name in usual}
        return [f"{name}={held[name]}" for name in usual if held[name] != usual[name]]

    def _get_name(self):
        return type(self).__name__

    def _printed_parts(self):
        """Pairs (name, text) of the parts."""
        return [(name, repr(part)) for name, part in self._modules.items()]

    def __repr__(self):
        return printed(self._get_name(), self.extra_repr(), self._printed_parts())


def added(hooks, hook, prepend):
    """The handle of a hook that was added to the dictionary `hooks`, in front with `prepend`."""
    later = dict(hooks) if prepend else {}
    for key in later:
        del hooks[key]
    handle = RemovableHandle(hooks, hook)
    hooks.update(later)
    return handle


def call_with_hooks(module, args, kwargs) -> Any:
    """What the module computes, with what its hooks make of it before and after."""
    for hook in tuple(module._forward_pre_hooks.values()):
        args, kwargs = hook(module, args, kwargs)
    watch = Watch(module) if module._backward_hooks else None
    inputs = watch.inputs(args) if watch else args
    output = module.forward(*inputs, **kwargs)
    for hook in tuple(module._forward_hooks.values()):
        changed = hook(module, args, kwargs, output)
        output = output if changed is None else changed
    return watch.outputs(output) if watch else output


def calling_before(hook, with_kwargs):
    """The hook as all that come before forward are called: (module, args, kwargs) -> both anew."""

    def called(module, args, kwargs):
        changed = hook(module, args, kwargs) if with_kwargs else hook(module, args)
        if changed is None:
            return args, kwargs
        if not with_kwargs:
            return changed if isinstance(changed, tuple) else (changed,), kwargs
        if isinstance(changed, tuple) and len(changed) == 2:
            return changed
        raise RuntimeError(
            f"a hook with kwargs must return None or (args, kwargs), got {type(changed).__name__}"
        )

    return called


def calling_after(hook, with_kwargs):
    """The hook as all that come after forward are called: (module, args, kwargs, output)."""
    if with_kwargs:
        return hook
    return lambda module, args, kwargs, output: hook(module, args, output)


def in_floats(tensor, *args, **kwargs):
    """A tensor of floats in another dtype of floats, others as they are; else TypeError."""
    if not tensor.is_floating_point():
        return tensor
    found = tensor.to(*args, **kwargs)
    if not found.is_floating_point():
        raise TypeError(f"a module turns to floating-point dtypes, got {found.dtype}")
    return found


def printed(title, extra, parts):
    """The text of a module: its name, what it says of itself, and a line for each (name, text)."""
    lines = [f"({name}): {indented(text)}" for name, text in parts]
    if not lines:
        return f"{title}({extra})"
    return "\n  ".join([f"{title}(", *([extra] if extra else []), *lines]) + "\n)"


def indented(text):
    return text.replace("\n", "\n  ")
