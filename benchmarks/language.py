"""Networks that read: an LSTM written by hand, a small GPT; a step of training each."""

import numpy as np

from benchmarks.arrays import numbers
from benchmarks.measure import Work, libraries

STEPS, BATCH, INPUTS, HIDDEN = 20, 32, 16, 64
WORDS, LENGTH, WIDTH, HEADS, LAYERS = 65, 32, 64, 4, 2


def lstm_by_hand(t):
    x = t.tensor(numbers(STEPS, BATCH, INPUTS))
    shapes = (INPUTS, 4 * HIDDEN), (HIDDEN, 4 * HIDDEN), (4 * HIDDEN,)
    params = [t.tensor(numbers(*shape) * 0.1, requires_grad=True) for shape in shapes]
    optimizer = t.optim.SGD(params, lr=0.01)
    of_x, of_h, bias = params

    def step():
        h = c = t.zeros(BATCH, HIDDEN)
        for i in range(STEPS):
            gates = x[i] @ of_x + h @ of_h + bias
            keep, write, show, new = gates.chunk(4, 1)
            c = t.sigmoid(keep) * c + t.sigmoid(write) * t.tanh(new)
            h = t.sigmoid(show) * t.tanh(c)
        optimizer.zero_grad()
        (h * h).mean().backward()
        optimizer.step()

    return step


def block_of(t):
    """The class of a block of a GPT, as a module of the library `t`."""
    nn, F = t.nn, t.nn.functional

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
            self.asked, self.told = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
            self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
            self.mask = t.ones(LENGTH, LENGTH).tril() == 0

        def forward(self, x):
            parts = self.asked(self.norm1(x)).split(WIDTH, 2)
            q, k, v = [p.view(*x.shape[:2], HEADS, -1).transpose(1, 2) for p in parts]
            scores = (q @ k.transpose(-2, -1)) * (WIDTH / HEADS) ** -0.5
            share = F.softmax(scores.masked_fill(self.mask, float("-inf")), dim=-1)
            x = x + self.told((share @ v).transpose(1, 2).reshape(x.shape))
            return x + self.narrow(F.gelu(self.wide(self.norm2(x))))

    return Block


def gpt(t):
    nn, block = t.nn, block_of(t)
    words, places = nn.Embedding(WORDS, WIDTH), nn.Embedding(LENGTH, WIDTH)
    blocks = nn.Sequential(*[block() for _ in range(LAYERS)])
    head = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, WORDS))
    net = nn.ModuleList([words, places, blocks, head])
    optimizer = t.optim.AdamW(net.parameters(), lr=1e-3)
    text = t.from_numpy(np.random.default_rng(0).integers(0, WORDS, (8, LENGTH + 1)))

    def step():
        scores = head(blocks(words(text[:, :-1]) + places(t.arange(LENGTH))))
        loss = nn.functional.cross_entropy(scores.reshape(-1, WORDS), text[:, 1:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return step


def works():
    for name, make, goal in ("an LSTM by hand", lstm_by_hand, 1.3), ("a small GPT", gpt, 2):
        found = {key: make(t) for key, t in libraries().items()}
        yield Work(f"language: {name}", found, {"torch": goal})
