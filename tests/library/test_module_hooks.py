"""Backward hooks of modules."""

import pytest
from beside_torch import numbers

import tinytorch
from tinytorch import nn


def test_a_backward_hook_sees_the_gradients_on_both_sides():
    net, seen = nn.Linear(1, 1, bias=False), []
    net.weight.data.fill_(3.0)
    net.register_full_backward_hook(
        lambda module, inner, outer: seen.append((module, inner, outer))
    )
    x = tinytorch.ones(2, 1, requires_grad=True)
    net(x).backward(tinytorch.tensor([[1.0], [5.0]]))
    [(module, (grad_x,), (grad_y,))] = seen
    assert module is net
    assert grad_x.tolist() == [[3.0], [15.0]] and grad_y.tolist() == [[1.0], [5.0]]


@pytest.mark.parametrize("net", [nn.MSELoss(), nn.Bilinear(2, 2, 1)], ids=["loss", "layer"])
def test_a_backward_hook_is_not_called_again_in_a_double_backward(net):
    calls, x = [], tinytorch.tensor([[1.0, 2.0]], requires_grad=True)
    net.register_full_backward_hook(lambda *given: calls.append(given))
    result = net(x, x * x).sum()
    (slope,) = tinytorch.autograd.grad(result, x, create_graph=True)
    assert len(calls) == 1
    slope.sum().backward(retain_graph=True)
    assert len(calls) == 1
    result.backward()
    assert len(calls) == 2


def test_what_a_backward_hook_returns_goes_on():
    net = nn.Identity()
    handle = net.register_full_backward_hook(lambda module, inner, outer: (inner[0] * 10,))
    x = tinytorch.ones(1, requires_grad=True)
    net(x).backward()
    assert x.grad.tolist() == [10.0]
    handle.remove()
    net(x).backward()
    assert x.grad.tolist() == [11.0]


def test_inputs_without_gradient_are_none():
    net, seen = nn.Linear(1, 1), []
    net.register_full_backward_hook(lambda module, inner, outer: seen.append(inner))
    net(tinytorch.ones(1, 1)).sum().backward()
    assert seen == [(None,)]


def test_a_backward_hook_returns_as_many_gradients_as_there_are_inputs():
    net = nn.Linear(1, 1)
    net.register_full_backward_hook(lambda module, inner, outer: inner * 2)
    with pytest.raises(RuntimeError, match="returned 2 gradients in place of 1"):
        net(tinytorch.ones(1, 1, requires_grad=True)).sum().backward()


def test_backward_hooks_are_not_called_for_a_result_that_is_a_list():
    class Listed(nn.Module):
        def forward(self, x):
            return [x * 2]

    net, seen = Listed(), []
    net.register_full_backward_hook(lambda *arguments: seen.append(arguments))
    x = tinytorch.ones(1, requires_grad=True)
    with pytest.warns(UserWarning, match="need a tensor or a tuple, got list"):
        net(x)[0].backward()
    assert seen == [] and x.grad.tolist() == [2.0]


class Twice(nn.Module):
    """Two inputs, of which one is a number, and two results."""

    def forward(self, x, factor, y):
        return x * factor, (x * y).sum()


def seen_by_hooks(t):
    module, seen = Twice() if t is tinytorch else as_torch(t), []
    module.register_full_backward_hook(lambda m, inner, outer: seen.append(inner + outer))
    x, y = (t.tensor(numbers(3, seed=i), requires_grad=True) for i in range(2))
    a, b = module(x, 2.0, y)
    (a.sum() * 3 + b).backward()
    return [[None if g is None else g.tolist() for g in grads] for grads in seen], x.grad.tolist()


def as_torch(torch):
    return type("Twice", (torch.nn.Module,), {"forward": Twice.forward})()


def test_hooks_of_several_inputs_and_results_agree_with_torch():
    torch = pytest.importorskip("torch")
    ours, theirs = seen_by_hooks(tinytorch), seen_by_hooks(torch)
    assert str(ours) == str(theirs)
