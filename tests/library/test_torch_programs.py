"""Programs as one writes them for PyTorch: with tinytorch in its place they find the same numbers.

Each program takes the library as `t`, begins with the same numbers in both, and returns tensors.
"""

import copy
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
    (slope,) = autograd.grad(
        out, x, grad_outputs=t.ones_like(out), create_graph=True, only_inputs=True
    )
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


def learned_start(t):
    """Two steps inside, and the gradient through them for the start."""
    F = part(t, "nn.functional")
    start = {"w": numbers(t, 3, 4), "b": t.zeros(4), "v": numbers(t, 4, 1, seed=2)}
    for p in start.values():
        p.requires_grad_()
    optimizer = t.optim.SGD(start.values(), lr=0.1)
    for _ in range(3):
        outer = 0
        for task in range(2):
            x, y = numbers(t, 5, 3, seed=task), numbers(t, 5, 1, seed=10 + task)
            fast = dict(start)
            for _ in range(2):
                loss = F.mse_loss(t.tanh(x @ fast["w"] + fast["b"]) @ fast["v"], y)
                grads = t.autograd.grad(loss, list(fast.values()), create_graph=True)
                pairs = zip(fast.items(), grads, strict=True)
                fast = {name: p - 0.1 * g for (name, p), g in pairs}
            outer = outer + F.mse_loss(t.tanh(x @ fast["w"] + fast["b"]) @ fast["v"], y)
        optimizer.zero_grad()
        outer.backward()
        optimizer.step()
    return outer, *start.values()


def two_players(t):
    nn = part(t, "nn")
    maker = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 3), nn.Tanh())
    judge = nn.Sequential(nn.Linear(3, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
    same_start(t, maker), same_start(t, judge)
    make = t.optim.Adam(maker.parameters(), lr=2e-3, betas=(0.5, 0.999))
    judge_step = t.optim.Adam(judge.parameters(), lr=2e-3, betas=(0.5, 0.999))
    criterion, real_label = nn.BCEWithLogitsLoss(), t.full((8, 1), 1.0)
    for step in range(4):
        real, made = numbers(t, 8, 3, seed=step), maker(numbers(t, 8, 2, seed=50 + step))
        judge_step.zero_grad()
        told = criterion(judge(real), real_label)
        told = told + criterion(judge(made.detach()), t.zeros_like(real_label))
        told.backward()
        judge_step.step()
        make.zero_grad()
        fooled = criterion(judge(made), real_label)
        fooled.backward()
        make.step()
    return told, fooled, *maker.parameters(), *judge.parameters()


def tied_frozen_averaged(t):
    nn, F = part(t, "nn"), part(t, "nn.functional")

    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.words, self.body = nn.Embedding(6, 4), nn.Linear(4, 4)
            self.out = nn.Linear(4, 6, bias=False)
            self.out.weight = self.words.weight

        def forward(self, x):
            return self.out(t.relu(self.body(self.words(x))))

    net = same_start(t, Tied())
    average = copy.deepcopy(net).requires_grad_(False)
    net.body.bias.requires_grad = False
    optimizer = t.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
    x = t.arange(4)
    for _ in range(4):
        optimizer.zero_grad()
        F.cross_entropy(net(x), x).backward()
        optimizer.step()
        with t.no_grad():
            for mean, p in zip(average.parameters(), net.parameters(), strict=True):
                mean.mul_(0.9).add_(p.data, alpha=0.1)
    return *net.parameters(), *average.parameters(), *average.state_dict().values()


def clusters(t):
    x = numbers(t, 40, 2) + t.arange(40).unsqueeze(1) % 3 * 3.0
    centers = x[:3].clone()
    for _ in range(6):
        distances = ((x[:, None, :] - centers[None]) ** 2).sum(-1).sqrt()
        nearest = distances.argmin(dim=1)
        counts = t.zeros(3).scatter_add_(0, nearest, t.ones(40))
        sums = t.zeros(3, 2).index_add_(0, nearest, x)
        centers = sums / counts.clamp(min=1).unsqueeze(1)
    by_mask = t.stack([x[nearest == k].mean(0) for k in range(3)])
    table = t.zeros(40, 3, dtype=t.int64).scatter_(1, nearest.view(-1, 1), 1)
    return centers, by_mask, counts, nearest, table.sum(0), distances.min(dim=1).values


def next_letters(t):
    """What GPTs do to write: the likeliest few, all else at minus infinity."""
    nn, F = part(t, "nn"), part(t, "nn.functional")
    net = same_start(t, nn.Sequential(nn.Embedding(9, 6), nn.LayerNorm(6), nn.Linear(6, 9)))
    lengths = t.tensor([3, 5, 1])
    visible = t.arange(5)[None, :] < lengths[:, None]
    text = t.tensor([[1, 4, 2, 0, 0], [3, 1, 8, 6, 5], [7, 0, 0, 0, 0]])
    logits = net(text)
    targets = text.roll(-1, 1).masked_fill(~visible, -100)
    loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-100)
    loss.backward()
    written = text[:, :1]
    for _ in range(5):
        last = net(written)[:, -1, :].detach() / 0.8
        best, _ = t.topk(last, 3)
        last[last < best[:, [-1]]] = -float("inf")
        odds = F.softmax(last, dim=-1)
        written = t.cat((written, odds.argmax(-1, keepdim=True)), dim=1)
    drawn = t.multinomial(odds, 1) * 0
    return loss, net[0].weight.grad, odds, written, drawn


def adam_by_hand(t):
    p = numbers(t, 3).requires_grad_()
    m, v = t.zeros_like(p), t.zeros_like(p)
    for step in range(1, 6):
        ((p - 1) ** 2).sum().backward()
        with t.no_grad():
            m.mul_(0.9).add_(p.grad, alpha=0.1)
            v.mul_(0.99).addcmul_(p.grad, p.grad, value=0.01)
            size = (v / (1 - 0.99**step)).sqrt().add_(1e-8)
            p.addcdiv_(m / (1 - 0.9**step), size, value=-0.1)
        p.grad = None
    return p, m, v


def own_optimizer(t):
    class Rising(t.optim.Optimizer):
        def __init__(self, params, lr=0.1):
            super().__init__(params, dict(lr=lr))

        @t.no_grad()
        def step(self, closure=None):
            for group in self.param_groups:
                for p in group["params"]:
                    state = self.state[p]
                    if len(state) == 0:
                        state["sum"] = t.zeros_like(p)
                    state["sum"].mul_(0.9).add_(p.grad)
                    p.add_(state["sum"], alpha=-group["lr"])

    x = numbers(t, 3).requires_grad_()
    optimizer = Rising([x])
    for _ in range(4):
        optimizer.zero_grad()
        (x**2).sum().backward()
        optimizer.step()
    return x, optimizer.state_dict()["state"][0]["sum"]


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
    learned_start,
    two_players,
    tied_frozen_averaged,
    clusters,
    next_letters,
    adam_by_hand,
    own_optimizer,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_program_for_pytorch_finds_the_same_numbers(program):
    torch = pytest.importorskip("torch")
    for ours, theirs in zip(program(tinytorch), program(torch), strict=True):
        assert str(ours.dtype) == f"tiny{theirs.dtype}"
        ours, theirs = ours.detach().numpy(), theirs.detach().numpy()
        np.testing.assert_allclose(ours, theirs, rtol=2e-3, atol=2e-5)
