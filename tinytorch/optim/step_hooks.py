"""Hooks of an optimizer: what is called around its steps, and around its states."""

from collections import OrderedDict

from tinytorch.hooks import RemovableHandle


class StepHooks:
    """All that an optimizer calls besides its own work, in the order in which it was registered."""

    def _called_at(self, moment):
        hooks = vars(self).setdefault("_hooks", {})
        return hooks.setdefault(moment, OrderedDict())

    def _register(self, moment, hook, prepend=False):
        hooks = self._called_at(moment)
        handle = RemovableHandle(hooks, hook)
        if prepend:
            hooks.move_to_end(handle._key, last=False)
        return handle

    def _call(self, moment, *args):
        """Call all hooks of the moment; a result stands for the last of the arguments from then."""
        for hook in list(self._called_at(moment).values()):
            changed = hook(self, *args)
            args = args if changed is None or not args else (*args[:-1], changed)
        return args[-1] if args else None

    def register_step_pre_hook(self, hook):
        """Call `hook(optimizer, args, kwargs)` before each step; a pair that it returns replaces
        both."""
        return self._register("step_pre", hook)

    def register_step_post_hook(self, hook):
        """Call `hook(optimizer, args, kwargs)` after each step."""
        return self._register("step_post", hook)

    def register_state_dict_pre_hook(self, hook, prepend=False):
        """Call `hook(optimizer)` before state_dict() is made."""
        return self._register("state_pre", hook, prepend)

    def register_state_dict_post_hook(self, hook, prepend=False):
        """Call `hook(optimizer, state_dict)`; what it returns is the state."""
        return self._register("state_post", hook, prepend)

    def register_load_state_dict_pre_hook(self, hook, prepend=False):
        """Call `hook(optimizer, state_dict)` before it is loaded; what it returns replaces it."""
        return self._register("load_pre", hook, prepend)

    def register_load_state_dict_post_hook(self, hook, prepend=False):
        """Call `hook(optimizer)` when a state was loaded."""
        return self._register("load_post", hook, prepend)

    def _called_before_step(self, closure):
        """The closure as the hooks leave it."""
        args, kwargs = (self, *([closure] if closure else [])), {}
        for hook in list(self._called_at("step_pre").values()):
            changed = hook(self, args, kwargs)
            args, kwargs = (args, kwargs) if changed is None else changed
        return kwargs.get("closure", args[1] if len(args) > 1 else None)

    def _called_after_step(self, closure):
        args = (self, *([closure] if closure else []))
        for hook in list(self._called_at("step_post").values()):
            hook(self, args, {})
