"""autograd.graph: saved tensors go through hooks of the user's."""

import gc
import threading
import weakref

import numpy as np
import pytest

import tinytorch
from tinytorch import nn, node
from tinytorch.autograd.graph import (
    allow_mutation_on_saved_tensors,
    increment_version,
    save_on_cpu,
    saved_tensors_hooks,
)


def to_disk(folder):
    """Hooks that keep what is saved in files, and a list of these."""
    files = []

    def pack(x):
        files.append(folder / f"{len(files)}.npy")
        np.save(files[-1], x.detach().numpy())
        return files[-1]

    return files, pack, lambda file: tinytorch.from_numpy(np.load(file))


class Cube(tinytorch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        square = x * x
        ctx.save_for_backward(x, None, square)
        return square * x

    @staticmethod
    def backward(ctx, grad):
        x, nothing, square = ctx.saved_tensors
        assert nothing is None and square.equal(x.detach() ** 2)
        return grad * x * x * 3


def a_loss(x):
    net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(), nn.MaxPool2d(2))
    y = net(x).flatten(1)
    values, _ = y.sort(1)
    return Cube.apply(values.softmax(1) @ y.T).exp().prod(1).log().sum()


def test_gradients_are_the_same_with_all_that_is_saved_on_disk(tmp_path):
    x = tinytorch.randn(2, 1, 8, 8, requires_grad=True)
    found = []
    files, *hooks = to_disk(tmp_path)
    for block in (save_on_cpu(), saved_tensors_hooks(*hooks), allow_mutation_on_saved_tensors()):
        tinytorch.manual_seed(0)
        with block:
            loss = a_loss(x)
        (grad,) = tinytorch.autograd.grad(loss, x)
        found.append(grad)
    assert len(files) > 10 and found[0].abs().sum() > 0
    assert found[0].equal(found[1]) and found[0].equal(found[2])


def test_gradients_of_gradients_lead_through_what_was_packed():
    x = tinytorch.tensor([1.0, 2.0], requires_grad=True)
    with saved_tensors_hooks(lambda x: x.tolist(), tinytorch.tensor):
        y = Cube.apply(x).exp().sum()
        (slope,) = tinytorch.autograd.grad(y, x, create_graph=True)
        (curve,) = tinytorch.autograd.grad(slope.sum(), x)
    expected = (6 * x + 9 * x**4) * (x**3).exp()
    assert tinytorch.allclose(curve, expected)


def test_hooks_are_called_for_each_tensor_and_each_backward():
    log, x = [], tinytorch.tensor([3.0], requires_grad=True)
    with saved_tensors_hooks(lambda x: log.append("pack") or x, lambda x: log.append("open") or x):
        y = x * x
    z = y.exp()  # outside
    z.backward(retain_graph=True)
    assert log == ["pack", "pack", "open", "open"]
    z.backward()
    assert log == ["pack"] * 2 + ["open"] * 4


def test_the_innermost_block_counts_and_leaves_nothing_behind():
    log, x = [], tinytorch.tensor([3.0], requires_grad=True)

    def noting(name):
        return saved_tensors_hooks(lambda x: log.append(name) or x, lambda x: x)

    with pytest.raises(ZeroDivisionError), noting("outer"):
        with noting("inner"):
            x.exp()
        x.exp()
        raise ZeroDivisionError
    x.exp()
    assert log == ["inner", "outer"] and not node.watchers


def test_a_hook_records_nothing_and_may_compute():
    log, x = [], tinytorch.tensor([3.0], requires_grad=True)
    with saved_tensors_hooks(lambda x: log.append(x) or x / 2, lambda half: half * 2):
        y = x * x
        y.backward(create_graph=True)
    assert x.grad.item() == 6 and all(saved.requires_grad for saved in log[:2])


def test_a_result_that_was_packed_does_not_hold_its_graph():
    x = tinytorch.ones(3, requires_grad=True)
    with saved_tensors_hooks(lambda x: x, lambda x: x):
        y = x.exp()
        z = Cube.apply(x)
    alive = [weakref.ref(y), weakref.ref(z), weakref.ref(y._node), weakref.ref(z._node)]
    gc.disable()
    try:
        del y, z
        assert [each() for each in alive] == [None] * 4
    finally:
        gc.enable()


def test_other_threads_save_as_before():
    log, x = [], tinytorch.ones(1, requires_grad=True)
    with saved_tensors_hooks(lambda x: log.append(x) or x, lambda x: x):
        thread = threading.Thread(target=x.exp)
        thread.start()
        thread.join()
    assert log == []


def test_what_was_saved_may_change_where_copies_are_saved():
    x = tinytorch.tensor([3.0], requires_grad=True)
    y = x * 1
    with allow_mutation_on_saved_tensors():
        z = y * y
    y.zero_()
    z.backward()
    assert x.grad.item() == 6


def test_a_change_by_other_means_can_be_counted():
    x = tinytorch.tensor([3.0], requires_grad=True)
    y = x * 1
    z = y * y
    y.detach().numpy()[0] = 5
    increment_version(y)
    with pytest.raises(RuntimeError, match="changed in place"):
        z.backward()
    increment_version([x, y])
    with pytest.raises(TypeError, match="must be a Tensor, got int"):
        increment_version([x, 3])


def test_what_unpack_gives_must_be_a_tensor():
    x = tinytorch.tensor([3.0], requires_grad=True)
    with saved_tensors_hooks(lambda x: 3, lambda three: three):
        y = x.exp()
    with pytest.raises(TypeError, match="unpack_hook must return a Tensor, got int"):
        y.backward()


def test_a_freed_graph_says_so():
    x = tinytorch.tensor([3.0], requires_grad=True)
    with saved_tensors_hooks(lambda x: x, lambda x: x):
        y, z = x.exp(), Cube.apply(x)
    for result in (y, z):
        result.backward()
        with pytest.raises(RuntimeError, match="freed"):
            result.backward()


def test_saved_tensors_of_a_node_are_unpacked():
    x = tinytorch.tensor([3.0], requires_grad=True)
    with saved_tensors_hooks(lambda x: x.item(), lambda number: tinytorch.tensor([number])):
        y = x * x
    assert [saved.item() for saved in y.grad_fn.saved_tensors] == [3, 3]
