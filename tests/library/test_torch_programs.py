"""Programs as one writes them for PyTorch: with tinytorch in its place they find the same numbers.

Each program takes the library as `t`, begins with the same numbers in both, and returns tensors.
"""

from importlib import import_module

import numpy as np
import pytest

import tinytorch


def numbers(t, *shape, seed=0):
    """The same random tensor in both libraries."""
    return t.from_numpy(np.random.default_rng(seed).normal(size=shape).astype("float32"))


def part(t, name):
    """The submodule, as `import torch.nn.functional as F` would bring it."""
    return import_module(f"{t.__name__}.{name}")


def same_start(t, net):
    """Give the parameters numbers that do not depend on the library."""
    with t.no_grad():
        for seed, p in enumerate(net.parameters()):
            p.copy_(numbers(t, *p.shape, seed=seed) * 0.3)
    return net


# --- the programs ---


def line_by_hand(t):
    x = t.linspace(-1, 1, 20).unsqueeze(1)
    y = 3 * x - 1
    w = t.zeros(1, 1, requires_grad=True)
    b = t.zeros(1, requires_grad=True)
    for _ in range(30):
        loss = ((x @ w + b - y) ** 2).mean()
        loss.backward()
        with t.no_grad():
            w -= 0.3 * w.grad
            b -= 0.3 * b.grad
        w.grad.zero_()
        b.grad.zero_()
    return w, b, loss


def classifier(t):
    nn, F = part(t, "nn"), part(t, "nn.functional")

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.hidden = nn.Linear(4, 8)
            self.norm = nn.LayerNorm(8)
            self.out = nn.Linear(8, 3)

        def forward(self, x):
            return self.out(F.gelu(self.norm(self.hidden(x))))

    net = same_start(t, Net())
    optimizer = t.optim.AdamW(net.parameters(), lr=0.05, weight_decay=0.1)
    scheduler = t.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=10)
    x, labels = numbers(t, 30, 4, seed=9), t.arange(30) % 3
    for _ in range(10):
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x), labels, label_smoothing=0.1)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
    net.eval()
    accuracy = (net(x).argmax(dim=1) == labels).float().mean()
    return loss, accuracy, *net.state_dict().values()


def small_cnn(t):
    nn = part(t, "nn")
    net = nn.Sequential(
        nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(4 * 3 * 3, 2),
    )  # fmt: skip
    same_start(t, net)
    x, y = numbers(t, 5, 1, 6, 6, seed=3), t.tensor([0, 1, 1, 0, 1])
    optimizer = t.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, nesterov=True)
    criterion = nn.CrossEntropyLoss()
    for _ in range(5):
        optimizer.zero_grad(set_to_none=True)
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()
    net.train(False)
    return loss, net(x), net[1].running_mean


def attention_block(t):
    F = part(t, "nn.functional")
    x = numbers(t, 2, 5, 8).requires_grad_()
    qkv = numbers(t, 8, 24, seed=1).requires_grad_()
    q, k, v = (x @ qkv).split(8, dim=-1)
    q, k, v = (z.view(2, 5, 2, 4).transpose(1, 2) for z in (q, k, v))
    scores = (q @ k.transpose(-2, -1)) / 4**0.5
    mask = t.triu(t.ones(5, 5, dtype=t.bool), diagonal=1)
    weights = scores.masked_fill(mask, float("-inf")).softmax(-1)
    by_hand = (weights @ v).transpose(1, 2).contiguous().view(2, 5, 8)
    fused = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    (by_hand.pow(2).mean() + fused.sum()).backward()
    return by_hand, fused, x.grad, qkv.grad


def gradient_penalty(t):
    autograd = part(t, "autograd")
    critic = same_start(t, t.nn.Sequential(t.nn.Linear(3, 6), t.nn.Tanh(), t.nn.Linear(6, 1)))
    x = numbers(t, 7, 3, seed=5).requires_grad_(True)
    out = critic(x)
    (slope,) = autograd.grad(out, x, grad_outputs=t.ones_like(out), create_graph=True)
    penalty = ((slope.norm(2, dim=1) - 1) ** 2).mean()
    penalty.backward()
    return penalty, *[t.zeros_like(p) if p.grad is None else p.grad for p in critic.parameters()]


def newton(t):
    functional = part(t, "autograd.functional")

    def rosenbrock(x):
        return (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2

    x = t.tensor([-1.2, 1.0], dtype=t.float64)
    for _ in range(6):
        g = functional.jacobian(rosenbrock, x)
        (a, b), (c, d) = functional.hessian(rosenbrock, x)
        inverse = t.stack([t.stack([d, -b]), t.stack([-c, a])]) / (a * d - b * c)
        x = x - inverse @ g
    return x, functional.vjp(rosenbrock, x)[1]


def own_function(t):
    Function, once = part(t, "autograd").Function, part(t, "autograd.function").once_differentiable

    class Clip(Function):
        @staticmethod
        def forward(ctx, x, low, high):
            ctx.save_for_backward(x)
            ctx.low, ctx.high = low, high
            return x.clamp(low, high)

        @staticmethod
        @once
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            inside = (x >= ctx.low) & (x <= ctx.high)
            return grad * inside, None, None

    x = t.tensor([-2.0, -0.5, 0.5, 2.0], requires_grad=True)
    seen = []
    y = x * 3
    y.register_hook(seen.append)
    (Clip.apply(y, -2, 2) * t.arange(4)).sum().backward()
    return x.grad, seen[0]


def matrix_factors(t):
    table = numbers(t, 6, 5)
    left = numbers(t, 6, 2, seed=1).requires_grad_()
    right = numbers(t, 5, 2, seed=2).requires_grad_()
    rows, columns = (table > 0).nonzero(as_tuple=True)
    optimizer = t.optim.Adam([{"params": [left]}, {"params": [right], "lr": 0.2}], lr=0.1)
    for _ in range(15):
        optimizer.zero_grad()
        errors = (left[rows] * right[columns]).sum(1) - table[rows, columns]
        loss = errors.square().sum() + 0.01 * t.cat([left, right]).abs().sum()
        loss.backward()
        optimizer.step()
    best, places = t.einsum("ik,jk->ij", left, right).detach().topk(2, dim=1)
    return loss, best, places


def recurrent_sum(t):
    F = part(t, "nn.functional")
    cell = same_start(t, t.nn.Linear(6, 4))
    words = t.nn.Embedding(10, 2)
    same_start(t, words)
    tokens = t.tensor([[1, 2, 3], [4, 5, 1]])
    h = t.zeros(2, 4)
    states = []
    for step in range(tokens.size(1)):
        h = t.tanh(cell(t.cat((words(tokens[:, step]), h), dim=1)))
        states.append(h)
    logits = t.stack(states, dim=1).flatten(0, 1)
    loss = F.nll_loss(F.log_softmax(logits, dim=-1), tokens.flatten() % 4)
    loss.backward()
    return loss, cell.weight.grad, words.weight.grad


PROGRAMS = [
    line_by_hand,
    classifier,
    small_cnn,
    attention_block,
    gradient_penalty,
    newton,
    own_function,
    matrix_factors,
    recurrent_sum,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_program_for_pytorch_finds_the_same_numbers(program):
    torch = pytest.importorskip("torch")
    for ours, theirs in zip(program(tinytorch), program(torch), strict=True):
        assert str(ours.dtype) == str(theirs.dtype).removeprefix("torch.")
        ours, theirs = ours.detach().numpy(), theirs.detach().numpy()
        np.testing.assert_allclose(ours, theirs, rtol=2e-3, atol=2e-5)
