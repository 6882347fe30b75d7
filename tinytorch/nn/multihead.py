"""Attention with several heads, each on a part of its own of what the layer has learned."""

import math

from tinytorch.nn import init
from tinytorch.nn.attention import masked, safe_softmax
from tinytorch.nn.dropout import dropout
from tinytorch.nn.linear import Linear, linear
from tinytorch.nn.module import Module
from tinytorch.nn.parameter import add_parameters
from tinytorch.ops.creation import zeros
from tinytorch.ops.elementwise import where
from tinytorch.ops.joining import cat, chunk
from tinytorch.tensor import check_tensors


class MultiheadAttention(Module):
    """Attention by `num_heads` heads, each on its own part of `embed_dim` learned numbers.

    `query` (L, N, E), `key` (S, N, kdim) and `value` (S, N, vdim), both E by default; with
    `batch_first` (N, L, E); without a batch (L, E). The result is (output, weights): the weights
    (N, L, S) are the mean over all heads, or with `average_attn_weights=False` (N, heads, L, S),
    and None without `need_weights`. There is one more key to look at, a learned one, with
    `add_bias_kv`, and one of zeros with `add_zero_attn`: S grows by one each.

    Masks of booleans are True where a query may NOT look; those of numbers are added to scores.
    `attn_mask` is (L, S) or (N heads, L, S), `key_padding_mask` (N, S). A query that may look
    nowhere gets zeros. AssertionError if `embed_dim` does not split. A. Vaswani et al., 2017.

    >>> x = tinytorch.zeros(5, 2, 8)
    >>> output, weights = MultiheadAttention(8, num_heads=4)(x, x, x)
    >>> output.shape, weights.shape
    (tinytorch.Size([5, 2, 8]), tinytorch.Size([2, 5, 5]))
    """

    def __init__(
        self,
        embed_dim,
        num_heads,
        dropout=0.0,
        bias=True,
        add_bias_kv=False,
        add_zero_attn=False,
        kdim=None,
        vdim=None,
        batch_first=False,
        device=None,
        dtype=None,
    ):
        super().__init__()
        if num_heads < 1 or embed_dim % num_heads:
            raise AssertionError(f"embed_dim {embed_dim} does not split into {num_heads} heads")
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.add_zero_attn = add_zero_attn
        add_parameters(self, device, dtype, **self.shapes(bias, add_bias_kv))
        self.out_proj = Linear(embed_dim, embed_dim, bias, device, dtype)
        self.reset_parameters()

    def shapes(self, bias, add_bias_kv):
        """{name: shape} of the parameters, None for what is not there: one weight if all fit."""
        size, one = self.embed_dim, self.kdim == self.vdim == self.embed_dim
        widths = dict(q_proj_weight=size, k_proj_weight=self.kdim, v_proj_weight=self.vdim)
        return {
            **{name: None if one else (size, width) for name, width in widths.items()},
            "in_proj_weight": (3 * size, size) if one else None,
            "in_proj_bias": 3 * size if bias else None,
            "bias_k": (1, 1, size) if add_bias_kv else None,
            "bias_v": (1, 1, size) if add_bias_kv else None,
        }

    def reset_parameters(self):
        """Glorot's start for the weights, zeros for the biases."""
        for name, param in self.named_parameters():
            if name in ("bias_k", "bias_v"):
                init.xavier_normal_(param)
            elif name.endswith("bias"):
                init.zeros_(param)
            elif name.endswith("proj_weight"):
                init.xavier_uniform_(param)

    def forward(
        self,
        query,
        key,
        value,
        key_padding_mask=None,
        need_weights=True,
        attn_mask=None,
        average_attn_weights=True,
        is_causal=False,
    ):
        check_tensors("attention", query=query, key=key, value=value)
        if is_causal and attn_mask is None:
            raise RuntimeError("is_causal is a hint: it needs the attn_mask, too")
        single = query.dim() == 2
        q, k, v = self.heads(*[self.batched(x) for x in (query, key, value)])
        mask = self.mask(attn_mask, key_padding_mask, q)
        scores = (q / math.sqrt(self.head_dim)) @ k.transpose(-2, -1)  # (N, heads, L, S)
        weights = safe_softmax(scores if mask is None else masked(scores, mask))
        weights = dropout(weights, self.dropout, self.training)
        output = self.out_proj((weights @ v).transpose(1, 2).flatten(2))  # (N, L, E)
        weights = weights.mean(1) if average_attn_weights else weights
        if single:
            output, weights = output.squeeze(0), weights.squeeze(0)
        elif not self.batch_first:
            output = output.transpose(0, 1)
        return output, weights if need_weights else None

    def batched(self, x):
        """(L, E) or (L, N, E) -> (N, L, E)"""
        if x.dim() == 2:
            return x.unsqueeze(0)
        return x if self.batch_first else x.transpose(0, 1)

    def heads(self, *tensors):
        """Query, key and value, each (N, L, E) -> (N, heads, L, E / heads)."""
        if self.in_proj_weight is None:
            weights = self.q_proj_weight, self.k_proj_weight, self.v_proj_weight
        else:
            weights = chunk(self.in_proj_weight, 3)
        biases = [None] * 3 if self.in_proj_bias is None else chunk(self.in_proj_bias, 3)
        q, k, v = [linear(*three) for three in zip(tensors, weights, biases, strict=True)]
        found = q, self.with_more(k, self.bias_k), self.with_more(v, self.bias_v)
        return [x.unflatten(-1, (self.num_heads, self.head_dim)).transpose(1, 2) for x in found]

    def with_more(self, x, learned):
        """Keys or values (N, S, E), and behind them the learned one and the one of zeros."""
        more = [] if learned is None else [learned.expand(len(x), 1, self.embed_dim)]
        if self.add_zero_attn:
            more.append(zeros(len(x), 1, self.embed_dim, dtype=x.dtype))
        return cat([x, *more], 1) if more else x

    def mask(self, attn_mask, key_padding_mask, q):
        """Both masks as numbers to be added to scores (N, heads, L, S), or None."""
        mask = None
        if attn_mask is not None:
            mask = as_numbers(attn_mask, q.dtype)
            mask = mask.unflatten(0, (-1, self.num_heads)) if mask.dim() == 3 else mask
        if key_padding_mask is not None:
            padding = as_numbers(key_padding_mask, q.dtype)
            padding = padding.reshape(-1, 1, 1, padding.shape[-1])  # (N, S) -> (N, 1, 1, S)
            mask = padding if mask is None else mask + padding
        more = (self.bias_k is not None) + bool(self.add_zero_attn)
        if mask is None or not more:
            return mask
        return cat([mask, zeros(*mask.shape[:-1], more, dtype=mask.dtype)], -1)


def as_numbers(mask, dtype):
    """A mask to be added: minus infinity where one of booleans is True."""
    return where(mask, -math.inf, zeros((), dtype=dtype)) if mask.dtype == bool else mask
