"""Names that programs bring with them: what has no gradient to compare, or other edges."""

import importlib
import inspect

import numpy as np
import pytest
from beside_torch import numbers, same_module_as_torch

import tinytorch

VALUES = {
    "logspace": lambda t: t.logspace(0, 2, 3),
    "tril_indices": lambda t: t.tril_indices(3, 2, -1),
    "triu_indices": lambda t: t.triu_indices(2, 3),
    "nan_to_num": lambda t: t.nan_to_num(
        t.tensor([t.nan, t.inf, -t.inf, 1.0]), nan=2.0, neginf=0.0
    ),
    "infinite": lambda t: t.nan_to_num(t.tensor([t.inf, -t.inf], dtype=t.float16)),
    "diff of booleans": lambda t: t.diff(t.tensor([True, False, False])),
    "diff to nothing": lambda t: t.diff(t.tensor([1.0, 2.0]), n=3),
    "argwhere": lambda t: t.argwhere(t.tensor([0, 1, 2])),
    "inner of numbers": lambda t: t.inner(t.tensor(2.0), t.tensor([1.0, 3.0])),
    "trace of integers": lambda t: t.trace(t.tensor([[1, 2], [3, 4]])),
    "acosh": lambda t: t.acosh(t.tensor([0.5, 1.0, 2.0])),
    "greater": lambda t: t.greater_equal(t.tensor([1, 2]), 2),
    "addcmul": lambda t: t.addcmul(*[t.full((2,), v, dtype=t.half) for v in (1, 8, 8)], value=1e5),
    "addcdiv": lambda t: t.addcdiv(*[t.full((2,), v, dtype=t.half) for v in (1, 8, 8)], value=1e-8),
    "addcmul_": lambda t: t.ones(1).half().addcmul_(*[t.full((1,), 300.0).half()] * 2, value=0.5),
}


@pytest.mark.parametrize("name", VALUES)
def test_values_agree_with_pytorch(name):
    torch = pytest.importorskip("torch")
    ours, theirs = VALUES[name](tinytorch), VALUES[name](torch)
    np.testing.assert_allclose(ours.numpy(), theirs.numpy())
    assert str(ours.dtype) == f"tiny{theirs.dtype}"


def test_what_has_no_inverse_is_an_error():
    singular = tinytorch.ones(2, 2)
    with pytest.raises(RuntimeError, match="[Ss]ingular"):
        tinytorch.linalg.inv(singular)
    with pytest.raises(RuntimeError, match=r"shape \(2, 3\)"):
        tinytorch.linalg.inv(tinytorch.ones(2, 3))
    with pytest.raises(RuntimeError, match="one dimension or two"):
        tinytorch.linalg.norm(tinytorch.ones(1, 2, 2), 2)


ROW, IMAGE = numbers(2, 4, 7), numbers(2, 4, 6, 7)
LAYERS = {
    **{
        f"Conv2d, {mode}": (
            lambda nn, m=mode: nn.Conv2d(4, 2, 3, padding=(2, 1), padding_mode=m),
            IMAGE,
        )
        for mode in ("reflect", "replicate", "circular")
    },
    "Conv2d, same": (lambda nn: nn.Conv2d(4, 2, 4, padding="same", padding_mode="circular"), IMAGE),
    "Conv1d": (lambda nn: nn.Conv1d(4, 2, 3, padding=2, padding_mode="reflect", bias=False), ROW),
    "ConvTranspose1d": (lambda nn: nn.ConvTranspose1d(4, 2, 3), ROW),
    "ConvTranspose1d, all": (
        lambda nn: nn.ConvTranspose1d(4, 6, 3, 2, 1, 1, groups=2, bias=False, dilation=2),
        ROW,
    ),
}


@pytest.mark.parametrize("name", LAYERS)
def test_layers_agree_with_pytorch(name):
    build, array = LAYERS[name]
    same_module_as_torch(build, array)


def test_an_unknown_padding_mode_is_refused():
    with pytest.raises(ValueError, match="padding_mode"):
        tinytorch.nn.Conv2d(1, 1, 3, padding_mode="mirror")


PLACES = (
    "amp autograd autograd.functional autograd.graph distributions func nn nn.functional nn.init"
    " nn.utils nn.utils.rnn optim optim.lr_scheduler optim.swa_utils testing utils.checkpoint"
    " utils.data"
)
OTHER_NAMES = {  # the same place, another name; or one that only keywords reach
    "autograd.grad": "without is_grads_batched",
    "func.functional_call": "parameters_and_buffers",
    "optim.swa_utils.AveragedModel": "without multi_avg_fn",
}


def by_place(function):
    """The names of the arguments that may come by place, None where Python can't tell."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [parameter.name for parameter in parameters if parameter.kind in kinds]


@pytest.mark.parametrize("place", PLACES.split())
def test_arguments_stand_in_the_places_that_pytorch_gives_them(place):
    torch = pytest.importorskip("torch")
    ours, theirs = (importlib.import_module(f"{t.__name__}.{place}") for t in (tinytorch, torch))
    for name in [name for name in dir(ours) if name[0] != "_" and hasattr(theirs, name)]:
        mine, other = by_place(getattr(ours, name)), by_place(getattr(theirs, name))
        if mine is not None and other is not None and f"{place}.{name}" not in OTHER_NAMES:
            count = min(len(mine), len(other))
            assert mine[:count] == other[:count], name
