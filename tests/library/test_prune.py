"""Pruning, beside PyTorch's."""

from importlib import import_module

import pytest
from beside_torch import numbers, programs_in, same_answer

import tinytorch
from tinytorch.nn.utils import prune


def _tool(t):
    return import_module(f"{t.__name__}.nn.utils.prune")


def _layer(t, *shape):
    layer = t.nn.Conv2d(shape[1], shape[0], shape[2:]) if len(shape) == 4 else t.nn.Linear(*shape)
    with t.no_grad():
        layer.weight.copy_(t.tensor(numbers(*layer.weight.shape)))
        layer.bias.copy_(t.tensor(numbers(*layer.bias.shape, seed=1)))
    return layer


def _state(layer):
    return [[name, x.detach()] for name, x in layer.state_dict().items()]


def the_numbers_nearest_to_zero(t):
    layer = _tool(t).l1_unstructured(_layer(t, 4, 3), "weight", amount=5)
    layer(t.tensor(numbers(2, 4))).pow(2).sum().backward()
    pruned = _tool(t).is_pruned(layer), _tool(t).is_pruned(t.nn.Sequential(layer))
    names = [name for name, _ in layer.named_parameters()]
    return _state(layer), layer.weight_orig.grad, layer.weight.abs(), pruned, names


def shares_of_what_is_left(t):
    layer = _layer(t, 4, 6)
    for amount in (0.5, 0.25, 2, 0):
        _tool(t).l1_unstructured(layer, "weight", amount=amount)
    _tool(t).ln_structured(layer, "weight", amount=1, n=2, dim=0)
    _tool(t).ln_structured(layer, "weight", amount=0.4, n=1, dim=-1)
    (hook,) = layer._forward_pre_hooks.values()
    return _state(layer), [type(method).__name__ for method in hook], len(hook)


def slices_of_a_convolution(t):
    layer = _layer(t, 4, 3, 2, 2)
    _tool(t).ln_structured(layer, "weight", amount=0.5, n=float("inf"), dim=1)
    _tool(t).l1_unstructured(layer, "bias", amount=1)
    return _state(layer), layer(t.ones(1, 3, 4, 4)), len(layer._forward_pre_hooks)


def scores_of_your_own(t):
    layer, scores = _layer(t, 4, 3), t.arange(12.0).reshape(3, 4)
    _tool(t).l1_unstructured(layer, "weight", 3, importance_scores=scores)
    pruned = _tool(t).L1Unstructured(4).prune(t.ones(3, 4), importance_scores=-scores)
    return _state(layer), pruned


def masks_and_names(t):
    layer = _layer(t, 4, 3)
    mask = t.ones(3, 4)
    mask[1] = 0
    _tool(t).custom_from_mask(layer, "weight", mask)
    _tool(t).identity(layer, "bias")
    return _state(layer), layer.weight.abs()


def all_layers_as_one(t):
    a, b = _layer(t, 4, 3), _layer(t, 3, 5)
    tool = _tool(t)
    tool.l1_unstructured(a, "weight", 2)
    pairs = [(a, "weight"), (b, "weight"), (b, "bias")]
    tool.global_unstructured(pairs, pruning_method=tool.L1Unstructured, amount=0.5)
    return _state(a), _state(b)


def removed(t):
    layer = _layer(t, 4, 3)
    original = layer.weight
    _tool(t).l1_unstructured(layer, "weight", 5)
    _tool(t).l1_unstructured(layer, "weight", 2)
    _tool(t).remove(layer, "weight")
    with pytest.raises(ValueError):
        _tool(t).remove(layer, "weight")
    same = layer.weight is original
    return _state(layer), _tool(t).is_pruned(layer), len(layer._forward_pre_hooks), same


def a_method_of_your_own(t):
    class EveryOther(_tool(t).BasePruningMethod):
        PRUNING_TYPE = "unstructured"

        def compute_mask(self, t, default_mask):
            mask = default_mask.clone()
            mask.view(-1)[::2] = 0
            return mask

    layer = _layer(t, 4, 3)
    for name in ("weight", "bias"):
        EveryOther.apply(layer, name)
    EveryOther.apply(layer, "weight")
    return _state(layer)


def amounts_that_cannot_be(t):
    tool, layer = _tool(t), _layer(t, 4, 3)
    for amount, error in ((-1, ValueError), (1.5, ValueError), (13, ValueError), ("1", TypeError)):
        with pytest.raises(error):
            tool.l1_unstructured(layer, "weight", amount)
    with pytest.raises(ValueError):
        tool.ln_structured(layer, "bias", 1, 2, 0)
    with pytest.raises(TypeError):
        tool.global_unstructured([(layer, "weight")], tool.LnStructured, amount=1, n=2, dim=0)
    return _state(layer)


@pytest.mark.parametrize("program", programs_in(globals()), ids=lambda program: program.__name__)
def test_both_libraries_give_the_same_answer(program):
    same_answer(program)


def test_chance_prunes_as_many_as_it_should():
    layer = prune.random_unstructured(_layer(tinytorch, 10, 20), "weight", 0.3)
    assert layer.weight_mask.sum() == 140
    prune.random_structured(layer, "weight", 5, dim=0)
    rows = layer.weight_mask.sum(1)
    assert (rows == 0).sum() == 5 and (layer.weight == 0).sum() > 60


def test_what_is_pruned_learns_what_is_left():
    layer = prune.l1_unstructured(_layer(tinytorch, 4, 3), "weight", 6)
    optimizer = tinytorch.optim.SGD(layer.parameters(), lr=1.0)
    before = layer.weight.detach()
    layer(tinytorch.ones(1, 4)).sum().backward()
    optimizer.step()
    layer(tinytorch.ones(1, 4))
    moved = layer.weight != before
    assert tinytorch.equal(moved, layer.weight_mask.bool())
