"""Whole steps of training: what stays in memory, and two of them at once."""

import gc
import threading
import weakref

import numpy as np
import pytest

import tinytorch
import tinytorch.nn.functional as F
from tinytorch import nn, optim


class Network(nn.Module):
    """A little of every kind of layer."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 2, 3, padding=1), nn.BatchNorm2d(2), nn.ReLU())
        self.pools = nn.Sequential(nn.MaxPool2d(2), nn.AvgPool2d(1), nn.AdaptiveAvgPool2d(2))
        self.norm, self.last = nn.LayerNorm(2), nn.Linear(2, 3)
        self.words = nn.Embedding(5, 2)

    def forward(self, images, words):
        rows = self.pools(self.conv(images)).flatten(2)  # (N, 2, 4)
        rows = self.norm(rows.transpose(1, 2) + self.words(words))  # (N, 4, 2)
        rows = F.scaled_dot_product_attention(rows, rows, rows, is_causal=True)
        return self.last(F.dropout(rows, 0.1)).mean(1)


def build():
    tinytorch.manual_seed(0)
    net = Network()
    return net, optim.AdamW(net.parameters(), lr=0.1)


IMAGES = tinytorch.tensor(np.random.default_rng(0).normal(size=(6, 1, 4, 4)).astype("f"))
WORDS = tinytorch.tensor([[0, 1, 2, 3]] * 6)
LABELS = tinytorch.tensor([0, 1, 2, 0, 1, 2])


def step(net, optimizer):
    """One step of training; weak references to all nodes of its graph but the leaves'."""
    optimizer.zero_grad()
    loss = F.cross_entropy(net(IMAGES, WORDS), LABELS, label_smoothing=0.1)
    nodes, found = [loss.grad_fn], []
    while nodes:
        node = nodes.pop()
        found += [] if node.name() == "AccumulateGrad" else [weakref.ref(node)]
        nodes += [next_node for next_node, _ in node.next_functions if next_node is not None]
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    return loss.item(), found


def alive_after_a_step(net, optimizer):
    gc.collect()
    gc.disable()
    try:
        _, nodes = step(net, optimizer)
        assert len(nodes) > 20
        return [node() for node in nodes if node() is not None]
    finally:
        gc.enable()


def test_a_step_leaves_nothing_of_its_graph_alive():
    assert alive_after_a_step(*build()) == []


def test_backward_hooks_keep_nothing_alive_either():
    net, optimizer = build()
    for module in net.modules():
        module.register_full_backward_hook(lambda module, inner, outer: None)
    assert alive_after_a_step(net, optimizer) == []


def test_twenty_steps_learn_what_they_saw():
    net, optimizer = build()
    losses = [step(net, optimizer)[0] for _ in range(20)]
    assert losses[-1] < 0.8 * losses[0]


def test_an_evaluation_in_one_thread_does_not_disturb_training_in_another():
    net, optimizer = build()
    stop, grad_modes = threading.Event(), set()

    def evaluate():
        other = Network().eval()
        while not stop.is_set():
            with tinytorch.no_grad():
                grad_modes.add(other(IMAGES, WORDS).requires_grad)

    thread = threading.Thread(target=evaluate)
    thread.start()
    try:
        for _ in range(10):
            step(net, optimizer)  # without gradients, backward() would raise
    finally:
        stop.set()
        thread.join()
    assert grad_modes == {False}


def test_a_network_goes_to_pytorch_and_back_through_a_file(tmp_path):
    torch = pytest.importorskip("torch")
    files = pytest.importorskip("safetensors.torch")

    def layers(nn):
        first = [nn.Conv2d(1, 2, 3, padding=1), nn.BatchNorm2d(2), nn.ReLU(), nn.MaxPool2d(2)]
        return nn.Sequential(*first, nn.Flatten(), nn.LayerNorm(8), nn.Linear(8, 3)).eval()

    ours, theirs, path = layers(nn), layers(torch.nn), tmp_path / "net.safetensors"
    x = torch.tensor(IMAGES.numpy())
    tinytorch.save(ours.state_dict(), path)
    assert theirs.load_state_dict(files.load_file(path)) == ([], [])
    np.testing.assert_allclose(ours(IMAGES).tolist(), theirs(x).tolist(), atol=1e-5)
    files.save_file(layers(torch.nn).state_dict(), path)
    theirs.load_state_dict(files.load_file(path))
    assert ours.load_state_dict(tinytorch.load(path)) == ([], [])
    np.testing.assert_allclose(ours(IMAGES).tolist(), theirs(x).tolist(), atol=1e-5)
