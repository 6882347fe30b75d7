"""A small GPT learns, letter by letter, the text of this project: the docstrings of its library.

    python -m examples.small_gpt

Measured: 1,400 steps (60 to 85 s) bring the loss from 4.7 to about 1.2. It has learned what
docstrings look like and most of their words, but not what to say: "The dimension, so of the sum the
with a node they be of the no the input of the gradient of the number the tensors are that does
diction." With each docstring that changes, it says something else.

The layers and their names are those of GPT-2, A. Radford et al., 2019, made small.
"""

import ast
from pathlib import Path

import tinytorch
import tinytorch.nn.functional as F
from tinytorch import nn, optim
from tinytorch.optim.lr_scheduler import CosineAnnealingLR

CONTEXT, WIDTH, HEADS, LAYERS = 64, 64, 4, 2


def text():
    """All docstrings of the library, one after the other."""
    found = []
    for path in sorted(Path(tinytorch.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                found.append(ast.get_docstring(node) or "")
    return "\n\n".join(filter(None, found))


class Attention(nn.Module):
    """Every letter asks those before it."""

    def __init__(self):
        super().__init__()
        self.ask = nn.Linear(WIDTH, 3 * WIDTH)
        self.answer = nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        batch, length, _ = x.shape
        parts = self.ask(x).reshape(batch, length, 3, HEADS, -1)
        query, key, value = parts.permute(2, 0, 3, 1, 4)  # each (N, heads, L, width of a head)
        found = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        return self.answer(found.transpose(1, 2).reshape(batch, length, WIDTH))


class Block(nn.Module):
    """Attention, then a small network for each letter, each added to what came in."""

    def __init__(self):
        super().__init__()
        self.norm1, self.attention = nn.LayerNorm(WIDTH), Attention()
        self.norm2 = nn.LayerNorm(WIDTH)
        self.network = nn.Sequential(
            nn.Linear(WIDTH, 4 * WIDTH), nn.ReLU(), nn.Linear(4 * WIDTH, WIDTH)
        )

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.network(self.norm2(x))


class GPT(nn.Module):
    """Letters (N, L) -> a score for each letter that may come next (N, L, letters)."""

    def __init__(self, letters):
        super().__init__()
        self.letter = nn.Embedding(letters, WIDTH)
        self.place = nn.Embedding(CONTEXT, WIDTH)
        self.blocks = nn.Sequential(*[Block() for _ in range(LAYERS)])
        self.norm = nn.LayerNorm(WIDTH)
        self.score = nn.Linear(WIDTH, letters, bias=False)

    def forward(self, letters):
        places = tinytorch.arange(letters.shape[1])
        x = self.letter(letters) + self.place(places)  # (N, L, W) + (L, W)
        return self.score(self.norm(self.blocks(x)))


def batch(data, size):
    """Random pieces of the text (N, CONTEXT), and the same one letter further on."""
    starts = tinytorch.randint(0, len(data) - CONTEXT, (size, 1))
    places = starts + tinytorch.arange(CONTEXT)
    return data[places], data[places + 1]


def write(model, letters, count):
    """Add `count` letters to the list `letters`, each drawn as the model says."""
    with tinytorch.no_grad():
        for _ in range(count):
            scores = model(tinytorch.tensor([letters[-CONTEXT:]]))[0, -1]
            chances = F.softmax(scores / 0.5, dim=0)  # 0.5: bolder than it learned to be
            letters.append(tinytorch.multinomial(chances, 1).item())
    return letters


def main(steps=1400, sample=300):
    tinytorch.manual_seed(0)
    source = text()
    alphabet = sorted(set(source))
    data = tinytorch.tensor([alphabet.index(letter) for letter in source])
    model = GPT(len(alphabet))
    optimizer = optim.AdamW(model.parameters(), lr=1e-2)
    scheduler = CosineAnnealingLR(optimizer, T_max=steps)
    for step in range(1, steps + 1):
        letters, following = batch(data, size=16)
        loss = F.cross_entropy(model(letters).flatten(0, 1), following.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        if step % 200 == 0 or step == steps:
            print(f"step {step:4}  loss {loss.item():.3f}")
    print("".join(alphabet[i] for i in write(model, [alphabet.index("T")], sample)))
    return loss.item()


if __name__ == "__main__":
    main()
