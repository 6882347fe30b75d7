"""Weights made anew at each call: weight_norm() and spectral_norm(), and how to take them off."""

from tinytorch.grad_mode import no_grad
from tinytorch.hooks import RemovableHandle
from tinytorch.nn.parameter import Parameter
from tinytorch.ops.distances import norm, normalize
from tinytorch.ops.random import randn


class MadeBeforeCalls:
    """Lets `make(module)` be the attribute `name` of a module, from now on and at each call.

    It's a hook of the module; `kind` says which norm it is, `parts` what it is made of.
    """

    def __init__(self, module, kind, name, parts, make):
        self.kind, self.name, self.make = kind, name, make
        self.parts = [f"{name}_{part}" for part in parts]
        RemovableHandle(module._forward_pre_hooks, self)
        self(module)

    def __call__(self, module, args=(), kwargs=None):
        setattr(module, self.name, self.make(module))
        return args, kwargs


def taken_off(module, kind, name):
    """The module, with what it computes for `name` as a Parameter; ValueError if it doesn't."""
    hooks = module._forward_pre_hooks
    made = {key: hook for key, hook in hooks.items() if isinstance(hook, MadeBeforeCalls)}
    found = [key for key, hook in made.items() if (hook.kind, hook.name) == (kind, name)]
    if not found:
        raise ValueError(f"{type(module).__name__} has no {kind} of {name!r}")
    hook = hooks.pop(found[0])
    training, module.training = module.training, False  # what is in use, not a better one
    with no_grad():
        plain = Parameter(hook.make(module))
    module.training = training
    for part in (name, *hook.parts):
        delattr(module, part)
    module.register_parameter(name, plain)
    return module


def weight_norm(module, name="weight", dim=0):
    """Split the weight into its lengths `weight_g`, along `dim`, and its directions `weight_v`.

    T. Salimans and D. Kingma, 2016.

    >>> sorted(dict(weight_norm(tinytorch.nn.Linear(2, 3)).named_parameters()))
    ['bias', 'weight_g', 'weight_v']
    """
    weight = getattr(module, name)
    delattr(module, name)
    module.register_parameter(f"{name}_g", Parameter(slice_lengths(weight.detach(), dim)))
    module.register_parameter(f"{name}_v", Parameter(weight.detach()))

    def whole(module):
        length, way = (getattr(module, f"{name}_{part}") for part in "gv")
        return way * (length / slice_lengths(way, dim))

    MadeBeforeCalls(module, "weight_norm", name, "gv", whole)
    return module


def remove_weight_norm(module, name="weight"):
    """Make one Parameter again of what weight_norm() split; ValueError if it didn't.

    >>> list(remove_weight_norm(weight_norm(tinytorch.nn.Linear(2, 3))).state_dict())
    ['bias', 'weight']
    """
    return taken_off(module, "weight_norm", name)


def slice_lengths(weight, dim):
    """The lengths of the slices along `dim`, with length 1 elsewhere; of the whole for None, -1."""
    if dim is None or dim == -1:
        return norm(weight)
    return norm(weight, 2, [d for d in range(weight.dim()) if d != dim % weight.dim()], True)


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """Divide the weight by its largest singular value, which is found in small steps, one a call.

    `dim` counts the outputs: 1 for transposed convolutions, else 0. T. Miyato et al., 2018.
    """
    weight = getattr(module, name)
    transposed = type(module).__name__.startswith("ConvTranspose")
    dim = int(transposed) if dim is None else dim
    delattr(module, name)
    module.register_parameter(f"{name}_orig", Parameter(weight.detach()))
    rows = weight.detach().movedim(dim, 0).flatten(1)
    for part, length in zip("uv", rows.shape, strict=True):
        start = normalize(randn(length, dtype=weight.dtype), dim=0, eps=eps)
        module.register_buffer(f"{name}_{part}", start)

    def scaled(module):
        weight, u, v = (getattr(module, f"{name}_{part}") for part in ("orig", "u", "v"))
        rows = weight.movedim(dim, 0).flatten(1)
        if module.training:
            with no_grad():
                for _ in range(n_power_iterations):
                    power_step(rows, u, v, eps)
        return weight / (u.clone() @ (rows @ v.clone()))

    MadeBeforeCalls(module, "spectral_norm", name, ("orig", "u", "v"), scaled)
    return module


def remove_spectral_norm(module, name="weight"):
    """Make a Parameter of the weight as spectral_norm() divides it; ValueError if it doesn't."""
    return taken_off(module, "spectral_norm", name)


def power_step(rows, u, v, eps):
    """Bring u and v nearer to the vectors of the largest singular value of the matrix `rows`."""
    v.copy_(normalize(rows.T @ u, dim=0, eps=eps))
    u.copy_(normalize(rows @ v, dim=0, eps=eps))
