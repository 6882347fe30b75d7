"""Weights made anew at each call: weight_norm() and spectral_norm()."""

from tinytorch.grad_mode import no_grad
from tinytorch.nn.parameter import Parameter
from tinytorch.ops.distances import norm, normalize
from tinytorch.ops.random import randn


def made_before_calls(module, name, make):
    """Let `make(module)` be the attribute `name` of the module, from now on and at each call."""
    module.register_forward_pre_hook(lambda module, args: setattr(module, name, make(module)))
    setattr(module, name, make(module))
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

    return made_before_calls(module, name, whole)


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

    return made_before_calls(module, name, scaled)


def power_step(rows, u, v, eps):
    """Bring u and v nearer to the vectors of the largest singular value of the matrix `rows`."""
    v.copy_(normalize(rows.T @ u, dim=0, eps=eps))
    u.copy_(normalize(rows @ v, dim=0, eps=eps))
