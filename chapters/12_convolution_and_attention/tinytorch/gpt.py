"""A small GPT: every letter asks the letters before it, block upon block.

In the shapes, N is how many texts there are, L how many letters each has, D how many numbers stand
for a letter, H how many heads share these, and V how many letters there are to choose from. Layers
and names are those of GPT-2 (A. Radford et al., 2019), made small.
"""

import tinytorch
import tinytorch.nn.functional as F
from tinytorch import nn


class Attention(nn.Module):
    """Every letter asks those before it, with H heads side by side."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)  # queries, keys and values in one product
        self.proj = nn.Linear(width, width)

    def forward(self, x):
        """What each letter makes of those before it, and of itself: (N, L, D) -> (N, L, D).

        `self.qkv`, asked once, gives 3 D numbers for each letter: the D of its query, then the D of
        its key, then the D of its value. Each of the `self.heads` heads has D / H of each, the
        first head the first ones. F.scaled_dot_product_attention, with is_causal=True, does the
        asking, for all heads at once: it takes (N, H, L, D / H). What all heads answer stands side
        by side again, the first head's first, when `self.proj` gets it. L and N may be any
        numbers, even 0; nothing of a text is kept in `self`.
        """
        # TODO exercise 12.8: Attention.forward and Block.forward
        raise NotImplementedError("exercise 12.8: Attention.forward")


class Block(nn.Module):
    """Attention among the letters, then a small network for each letter alone."""

    def __init__(self, width, heads):
        super().__init__()
        self.ln1, self.attn = nn.LayerNorm(width), Attention(width, heads)
        self.ln2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(
            nn.Linear(width, 4 * width), nn.ReLU(), nn.Linear(4 * width, width)
        )

    def forward(self, x):
        """Both parts, each on its normalized input, and added to what came in: (N, L, D) twice.

        First x plus what `attn` makes of `ln1` of x; then that sum, plus what `mlp` makes of
        `ln2` of it. x itself stays as it is, and nothing of it is kept in `self`.
        """
        # TODO exercise 12.8: Attention.forward and Block.forward
        raise NotImplementedError("exercise 12.8: Block.forward")


class GPT(nn.Module):
    """Letters (N, L), as numbers -> scores for each letter that may come next: (N, L, V).

    Every letter becomes `width` numbers, and so does its place, of which there are `context`.
    """

    def __init__(self, letters, context, width, heads, blocks):
        super().__init__()
        self.letters, self.places = nn.Embedding(letters, width), nn.Embedding(context, width)
        self.blocks = nn.Sequential(*[Block(width, heads) for _ in range(blocks)])
        self.ln, self.head = nn.LayerNorm(width), nn.Linear(width, letters, bias=False)

    def forward(self, text):
        x = self.letters(text) + self.places(tinytorch.arange(text.shape[1]))  # (N, L, D) + (L, D)
        return self.head(self.ln(self.blocks(x)))  # (N, L, D) -> (N, L, D) -> (N, L, V)
