"""A small GPT learns, letter by letter, the text of this project: the docstrings of its library.

    python -m examples.small_gpt

Measured: 1,400 steps (60 to 85 s) bring the loss from 4.7 to about 1.2. It has learned what
docstrings look like and most of their words, but not what to say: "The dimension, so of the sum the
with a node they be of the no the input of the gradient of the number the tensors are that does
diction." With each docstring that changes, it says something else.

The layers are those of GPT-2, A. Radford et al., 2019, made small; most names are those of nanoGPT.
"""

import ast
from pathlib import Path

import tinytorch
import tinytorch.nn.functional as F
from tinytorch import nn, optim
from tinytorch.optim.lr_scheduler import CosineAnnealingLR

CONTEXT, WIDTH, HEADS, LAYERS = 64, 64, 4, 2  # L, D and H of the shapes below, and blocks


def text():
    """All docstrings of the library, one after the other."""
    found = []
    for path in sorted(Path(tinytorch.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                found.append(ast.get_docstring(node) or "")
    return "\n\n".join(filter(None, found))


class CausalSelfAttention(nn.Module):
    """Every letter asks those before it: N texts, L letters, H heads, each D / H numbers wide."""

    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)  # queries, keys and values in one product
        self.proj = nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        batch, length, _ = x.shape  # (N, L, D)
        qkv = self.qkv(x)  # (N, L, D) -> (N, L, 3 D)
        qkv = qkv.reshape(batch, length, 3, HEADS, WIDTH // HEADS)  # -> (N, L, 3, H, D / H)
        query, key, value = qkv.permute(2, 0, 3, 1, 4)  # -> (3, N, H, L, D / H), taken apart
        y = F.scaled_dot_product_attention(query, key, value, is_causal=True)  # (N, H, L, D / H)
        y = y.transpose(1, 2).reshape(batch, length, WIDTH)  # -> (N, L, H, D / H) -> (N, L, D)
        return self.proj(y)  # (N, L, D) -> (N, L, D)


class Block(nn.Module):
    """Attention, then a small network for each letter, each added to what came in."""

    def __init__(self):
        super().__init__()
        self.ln1, self.attn = nn.LayerNorm(WIDTH), CausalSelfAttention()
        self.ln2 = nn.LayerNorm(WIDTH)
        self.mlp = nn.Sequential(
            nn.Linear(WIDTH, 4 * WIDTH), nn.ReLU(), nn.Linear(4 * WIDTH, WIDTH)
        )

    def forward(self, x):
        x = x + self.attn(self.ln1(x))  # (N, L, D) + (N, L, D)
        return x + self.mlp(self.ln2(x))  # (N, L, D) -> (N, L, 4 D) -> (N, L, D), added to x


class GPT(nn.Module):
    """Letters (N, L) -> logits, a number for each letter that may come next: (N, L, V)."""

    def __init__(self, vocab_size):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab_size, WIDTH)
        self.position_embedding = nn.Embedding(CONTEXT, WIDTH)
        self.blocks = nn.Sequential(*[Block() for _ in range(LAYERS)])
        self.ln_f = nn.LayerNorm(WIDTH)
        self.lm_head = nn.Linear(WIDTH, vocab_size, bias=False)

    def forward(self, tokens):
        positions = tinytorch.arange(tokens.shape[1])  # (L,)
        x = self.token_embedding(tokens) + self.position_embedding(positions)  # (N, L, D) + (L, D)
        x = self.ln_f(self.blocks(x))  # (N, L, D) -> (N, L, D)
        return self.lm_head(x)  # (N, L, D) -> (N, L, V)


def get_batch(data, batch_size):
    """Random pieces of the text, and the same pieces one letter further on."""
    starts = tinytorch.randint(0, len(data) - CONTEXT, (batch_size, 1))  # (N, 1)
    places = starts + tinytorch.arange(CONTEXT)  # (N, 1) + (L,) -> (N, L)
    return data[places], data[places + 1]  # (N, L) and (N, L)


def generate(model, tokens, count, temperature=0.5):
    """Add `count` letters to the list `tokens`, drawn as the model says; below 1, more boldly."""
    with tinytorch.no_grad():
        for _ in range(count):
            context = tinytorch.tensor([tokens[-CONTEXT:]])  # (1, L)
            logits = model(context)[0, -1]  # (1, L, V) -> (V,): what follows the last letter
            probs = F.softmax(logits / temperature, dim=0)  # (V,)
            tokens.append(tinytorch.multinomial(probs, 1).item())
    return tokens


def main(steps=1400, sample=300):
    tinytorch.manual_seed(0)
    source = text()
    alphabet = sorted(set(source))
    data = tinytorch.tensor([alphabet.index(letter) for letter in source])  # (letters of all,)
    model = GPT(len(alphabet))
    optimizer = optim.AdamW(model.parameters(), lr=1e-2)
    scheduler = CosineAnnealingLR(optimizer, T_max=steps)
    for step in range(1, steps + 1):
        tokens, targets = get_batch(data, batch_size=16)  # (N, L) and (N, L)
        logits = model(tokens)  # (N, L) -> (N, L, V)
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())  # (N L, V) and (N L,)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        if step % 200 == 0 or step == steps:
            print(f"step {step:4}  loss {loss.item():.3f}")
    print("".join(alphabet[i] for i in generate(model, [alphabet.index("T")], sample)))
    return loss.item()


if __name__ == "__main__":
    main()
