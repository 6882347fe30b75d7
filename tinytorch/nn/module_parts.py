"""What a Module leaves to others: the names of its parts, and what is asked of a state."""

from collections import namedtuple
from collections.abc import Mapping, MutableMapping

from tinytorch.nn.parameter import is_lazy
from tinytorch.tensor import Tensor


def joined(prefix, name):
    return f"{prefix}.{name}" if prefix else name


def check_part(module, name, value, kind):
    """An error for what cannot be a part: too early, of the wrong type, or of a bad name."""
    if "_kinds" not in vars(module):
        raise AttributeError(
            f"{type(module).__name__}: call super().__init__() before {name!r} is assigned"
        )
    if value is not None and not isinstance(value, kind):
        raise TypeError(f"{name!r} must be a {kind.__name__} or None, got {type(value).__name__}")
    check_name(name, type(module))


def check_name(name, owner):
    """TypeError or KeyError for what cannot be the name of a part in the class `owner`."""
    if not isinstance(name, str):
        raise TypeError(f"the name of a part must be a string, got {name!r}")
    if not name or "." in name or hasattr(owner, name):
        raise KeyError(f"{name!r} cannot be the name of a part: it has a dot, or is in use")


class PartsOfKind(MutableMapping):
    """The parts of one kind of a module, {name: part}; to change it is to change the module.

    What is set registers as if it were assigned; what is deleted is no attribute any more.
    """

    def __init__(self, module, kind):
        self.module, self.kind, self.found = module, kind, module._of_kind[kind]

    def __getitem__(self, name):
        return self.found[name]

    def __setitem__(self, name, value):
        self.module._set_part(name, value, self.kind)

    def __delitem__(self, name):
        if name not in self.found:
            raise KeyError(name)  # an attribute of that name is no part of this kind
        delattr(self.module, name)

    def __iter__(self):
        return iter(self.found)

    def __len__(self):
        return len(self.found)

    def __repr__(self):
        return repr(self.found)

    def items(self):
        return self.found.items()

    def values(self):
        return self.found.values()


# --- state ---

EXTRA = "_extra_state"  # the name of what get_extra_state() gives, in a state_dict


def extra_states(module, prefix=""):
    """{dotted name: what get_extra_state() gives} of the modules within that have this method."""
    pairs = module.named_modules(remove_duplicate=False)
    return {
        prefix + joined(name, EXTRA): part.get_extra_state()
        for name, part in pairs
        if hasattr(part, "get_extra_state")
    }


def set_extra_states(module, given):
    """Call set_extra_state() of all modules within that have one, and return what is for others."""
    given = dict(given)
    for name, part in module.named_modules(remove_duplicate=False):
        key = joined(name, EXTRA)
        if hasattr(part, "get_extra_state") and key in given:
            state = given.pop(key)
            if not hasattr(part, "set_extra_state"):
                kind = type(part).__name__
                raise RuntimeError(f"{kind} has get_extra_state() but no set_extra_state(state)")
            part.set_extra_state(state)
    return given


LoadResult = namedtuple("LoadResult", "missing_keys unexpected_keys")


def check_state(title, own, given, strict):
    """The names that are missing and those too many in a state; RuntimeError if it does not fit.

    If it fits, those of `own` that have no shape yet have that of the given ones afterwards.
    """
    if not isinstance(given, Mapping):
        raise TypeError(f"a state_dict is a dictionary, got {type(given).__name__}")
    missing = [name for name in own if name not in given]
    unexpected = [name for name in given if name not in own]
    problems = [*key_problems(missing, unexpected)] if strict else []
    problems += misfits(own, given)
    if problems:
        title = f"Error(s) in loading state_dict for {title}:"
        raise RuntimeError("\n\t".join([title, *problems]))
    for name in own:
        if is_lazy(own[name]) and name in given and not is_lazy(given[name]):
            own[name].materialize(given[name].shape)
    return LoadResult(missing, unexpected)


def key_problems(missing, unexpected):
    """A line for the names that a state_dict lacks, a line for those that it has too many."""
    for kind, names in ("Missing", missing), ("Unexpected", unexpected):
        if names:
            quoted = ", ".join(f'"{name}"' for name in names)
            yield f"{kind} key(s) in state_dict: {quoted}."


def misfits(own, given):
    """A line for each given value that cannot be copied into our own tensor of that name."""
    for name, value in given.items():
        if name not in own or name.rpartition(".")[2] == EXTRA:
            continue
        if not isinstance(value, Tensor):
            yield f"{name} must be a Tensor, got {type(value).__name__}."
        elif is_lazy(value) and not is_lazy(own[name]):
            yield (
                f"{name}: the shape of an uninitialized parameter isn't known; the network that"
                " this state_dict comes from needs a first input."
            )
        elif value.shape != own[name].shape and not is_lazy(own[name]):
            yield (
                f"size mismatch for {name}: the state_dict has shape {tuple(value.shape)},"
                f" the model {tuple(own[name].shape)}."
            )
