"""Random programs: the same steps in tinytorch and in PyTorch give the same numbers."""

import numpy as np
import pytest

import tinytorch

STEPS = [
    lambda t, x, y: x + y,
    lambda t, x, y: x * y,
    lambda t, x, y: x - y * 0.5,
    lambda t, x, y: x / (y * y + 1),
    lambda t, x, y: t.tanh(x),
    lambda t, x, y: t.relu(x) - y,
    lambda t, x, y: x @ y.T / 3,
    lambda t, x, y: x.sum(dim=0, keepdim=True) * y,
    lambda t, x, y: x.mean(1, keepdim=True) + y,
    lambda t, x, y: t.where(x > y, x, -y),
    lambda t, x, y: t.softmax(x, dim=1) * y,
    lambda t, x, y: x.transpose(0, 1),
    lambda t, x, y: x.flip(0) + y[[2, 0, 1]],
    lambda t, x, y: t.cat([x[1:], y[:1]]),
    lambda t, x, y: x.max(dim=1, keepdim=True).values * y,
    lambda t, x, y: t.stack([x, y]).prod(0),
    lambda t, x, y: x.reshape(9).roll(2).view(3, 3) * y.norm(),
    lambda t, x, y: (x * 1).mul_(y).add_(1),
    lambda t, x, y: t.einsum("ij,kj->ik", x, y) * 0.3,
    lambda t, x, y: x.clamp(-1, 1) + y.detach(),
    lambda t, x, y: x.split(1, dim=1)[0] * y,
    lambda t, x, y: assigned(x * 1, y),
]


def assigned(x, y):
    x[1] = y[0] * 2
    return x


def run(t, seed):
    """The loss of a random program of twelve steps, and first and second derivatives."""
    rng = np.random.default_rng(seed)
    leaves = [t.tensor(rng.uniform(-1, 1, (3, 3)), requires_grad=True) for _ in range(3)]
    values = list(leaves)
    for _ in range(12):
        step = STEPS[rng.integers(len(STEPS))]
        a, b = rng.integers(len(values), size=2)
        values.append(t.tanh(step(t, values[a], values[b])))
    loss = sum((value * (i + 1)).sum() for i, value in enumerate(values))
    first = t.autograd.grad(loss, leaves, create_graph=True)
    penalty = sum((g * g).sum() for g in first)
    second = t.autograd.grad(penalty, leaves, retain_graph=True, allow_unused=True)
    penalty.backward()
    found = [loss, *first, *second, *[x.grad for x in leaves]]
    return [np.zeros((3, 3)) if x is None else x.detach().numpy() for x in found]


@pytest.mark.parametrize("seed", range(60))
def test_random_programs_agree_with_pytorch(seed):
    torch = pytest.importorskip("torch")
    for ours, theirs in zip(run(tinytorch, seed), run(torch, seed), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("seed", range(5))
def test_random_programs_give_the_same_twice(seed):
    for first, again in zip(run(tinytorch, seed), run(tinytorch, seed), strict=True):
        np.testing.assert_array_equal(first, again)
