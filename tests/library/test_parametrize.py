"""Parametrizations, beside PyTorch's."""

from copy import deepcopy
from importlib import import_module

import pytest
from beside_torch import numbers, programs_in, same_answer

import tinytorch
from tinytorch.nn.utils import parametrize


def _tools(t):
    return [import_module(f"{t.__name__}.nn.utils.{name}") for name in TOOLS]


TOOLS = "parametrize", "parametrizations"


def _kinds(t):
    class Symmetric(t.nn.Module):
        def forward(self, x):
            return x.triu() + x.triu(1).transpose(-1, -2)

    class Exponential(t.nn.Module):
        def forward(self, x):
            return x.exp()

        def right_inverse(self, y):
            return y.log()

    return Symmetric(), Exponential()


def _layer(t, inputs=3, outputs=3):
    layer = t.nn.Linear(inputs, outputs)
    with t.no_grad():
        layer.weight.copy_(t.tensor(numbers(outputs, inputs)))
        layer.bias.copy_(t.tensor(numbers(outputs, seed=1)))
    return layer


def two_that_follow_each_other(t):
    tools, layer = _tools(t)[0], _layer(t)
    for part in _kinds(t):
        tools.register_parametrization(layer, "weight", part)
    layer(t.tensor(numbers(2, 3))).sum().backward()
    original = layer.parametrizations.weight.original
    asked = [tools.is_parametrized(layer, *name) for name in ((), ("weight",), ("bias",))]
    names = [name for name, _ in layer.named_parameters()], list(layer.state_dict())
    return repr(layer), layer.weight, original.grad, asked, names


def what_is_assigned_goes_back(t):
    tools, layer = _tools(t)[0], _layer(t)
    value = t.tensor(numbers(3, 3)).abs() + 1
    layer.weight.data.copy_(value)
    tools.register_parametrization(layer, "weight", _kinds(t)[1])
    kept = layer.weight
    layer.weight = value + 1
    with pytest.raises(RuntimeError):
        tools.register_parametrization(layer, "bias", _kinds(t)[0], unsafe=True)
        layer.bias = t.ones(3)
    return kept, layer.weight, layer.parametrizations.weight.original


def removed(t):
    tools, found = _tools(t)[0], []
    for leave in (True, False):
        layer = _layer(t)
        weight = layer.weight
        tools.register_parametrization(layer, "weight", _kinds(t)[0])
        tools.remove_parametrizations(layer, "weight", leave_parametrized=leave)
        found += [layer.weight, layer.weight is weight, repr(layer), list(layer.state_dict())]
    return found


def a_buffer(t):
    tools, norm = _tools(t)[0], t.nn.BatchNorm1d(2)
    tools.register_parametrization(norm, "running_var", _kinds(t)[1])
    norm.eval()
    return list(norm.state_dict()), norm(t.ones(1, 2)), norm.running_var


def lengths_and_directions(t):
    found = []
    for dim in (0, 1, None):
        layer = _tools(t)[1].weight_norm(_layer(t, 2, 3), dim=dim)
        layer(t.tensor(numbers(4, 2))).pow(2).sum().backward()
        found += [repr(layer)] if dim == 0 else []
        found += [[name, x, x.grad] for name, x in layer.named_parameters()]
    return found


def the_largest_singular_value_is_one(t):
    layer = _tools(t)[1].spectral_norm(_layer(t), n_power_iterations=50)
    layer(t.ones(1, 3))
    layer.eval()
    largest = t.linalg.matrix_norm(layer.weight, 2)
    layer.weight.sum().backward()
    _tools(t)[0].remove_parametrizations(layer, "weight")
    return list(layer.state_dict()), largest, layer.weight, layer.weight.grad


def what_changes_the_shape_is_refused(t):
    class Half(t.nn.Module):
        def forward(self, x):
            return x[:1]

    tools, layer = _tools(t)[0], _layer(t)
    for name in ("weight", "nothing"):
        with pytest.raises(ValueError):
            tools.register_parametrization(layer, name, Half())
    return list(layer.state_dict()), repr(layer)


@pytest.mark.parametrize("program", programs_in(globals()), ids=lambda program: program.__name__)
def test_both_libraries_give_the_same_answer(program):
    same_answer(program)


def test_what_is_cached_is_made_once():
    layer = parametrize.register_parametrization(_layer(tinytorch), "weight", _kinds(tinytorch)[0])
    with parametrize.cached():
        assert layer.weight is layer.weight
    assert layer.weight is not layer.weight


def test_a_copy_stays_parametrized_when_the_other_is_not():
    layer = parametrize.register_parametrization(_layer(tinytorch), "weight", _kinds(tinytorch)[0])
    copy = deepcopy(layer)
    parametrize.remove_parametrizations(layer, "weight")
    assert parametrize.is_parametrized(copy) and not parametrize.is_parametrized(layer)
    assert copy.weight.shape == (3, 3)


def test_a_new_parameter_in_its_place_is_a_value_too():
    layer = parametrize.register_parametrization(_layer(tinytorch), "weight", _kinds(tinytorch)[1])
    layer.weight = tinytorch.nn.Parameter(tinytorch.ones(3, 3))
    assert tinytorch.equal(layer.parametrizations.weight.original, tinytorch.zeros(3, 3))
    assert [name for name, _ in layer.named_parameters()][0] == "bias"
