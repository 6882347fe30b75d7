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
    weight, dim = getattr(module, name), dim_of_outputs(module, dim)
    delattr(module, name)
    module.register_parameter(f"{name}_orig", Parameter(weight.detach()))
    for part, start in zip("uv", directions(weight, dim, eps), strict=True):
        module.register_buffer(f"{name}_{part}", start)

    def scaled(module):
        weight, u, v = (getattr(module, f"{name}_{part}") for part in ("orig", "u", "v"))
        if module.training:
            power_steps(weight, dim, u, v, eps, n_power_iterations)
        return over_stretch(weight, dim, u, v)

    MadeBeforeCalls(module, "spectral_norm", name, ("orig", "u", "v"), scaled)
    return module


def remove_spectral_norm(module, name="weight"):
    """Make a Parameter of the weight as spectral_norm() divides it; ValueError if it doesn't."""
    return taken_off(module, "spectral_norm", name)


# --- the largest singular value of a weight, whose outputs `dim` counts ---


def dim_of_outputs(module, dim):
    """`dim`, or by default the dimension of the module's weight that counts its outputs."""
    return int(type(module).__name__.startswith("ConvTranspose")) if dim is None else dim


def rows_of_outputs(weight, dim):
    """The weight as a matrix, with a row for each output."""
    return weight.movedim(dim, 0).flatten(1)


def directions(weight, dim, eps):
    """Two vectors of length 1, at random, from which power_steps() begins."""
    shape = rows_of_outputs(weight, dim).shape
    return [normalize(randn(n, dtype=weight.dtype), dim=0, eps=eps) for n in shape]


@no_grad()
def power_steps(weight, dim, u, v, eps, count):
    """Bring u and v nearer to the vectors of the largest singular value, in place."""
    rows = rows_of_outputs(weight, dim)
    for _ in range(count):
        v.copy_(normalize(rows.T @ u, dim=0, eps=eps))
        u.copy_(normalize(rows @ v, dim=0, eps=eps))


def over_stretch(weight, dim, u, v):
    """The weight over how much it stretches v, which may change afterwards, and so may u."""
    return weight / (u.clone() @ (rows_of_outputs(weight, dim) @ v.clone()))
