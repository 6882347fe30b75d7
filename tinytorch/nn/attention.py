"""Attention: each query takes a mean of the values, weighed by how well their keys fit it."""

import math

import numpy as np

from tinytorch.nn.checks import check_dtypes
from tinytorch.nn.dropout import dropout
from tinytorch.ops.elementwise import where
from tinytorch.ops.reductions import softmax
from tinytorch.tensor import check_tensors, wrap


def scaled_dot_product_attention(
    query,
    key,
    value,
    attn_mask=None,
    dropout_p=0.0,
    is_causal=False,
    scale=None,
    enable_gqa=False,
):
    """softmax(query @ key^T * scale) @ value: (..., L, E), (..., S, E), (..., S, V) -> (..., L, V).

    `attn_mask` (..., L, S) is False where a query may not look, or numbers that are added to the
    scores. `is_causal` lets query i see keys 0 to i only. `scale` is 1 / sqrt(E) by default. With
    `enable_gqa`, a head of keys and values (..., heads, S, E) serves several heads of queries.
    RuntimeError for both a mask and is_causal, and for a mask of integers. A. Vaswani et al.,
    Attention Is All You Need, 2017.

    >>> x = tinytorch.tensor([[1.0, 0.0], [0.0, 1.0]])
    >>> scaled_dot_product_attention(x, x, x, is_causal=True)[0]
    tensor([1., 0.])
    """
    check_tensors("attention", query=query, key=key, value=value)
    check_dtypes("attention", query, key, value)
    if min(query.dim(), key.dim(), value.dim()) < 2:
        raise RuntimeError("attention needs at least 2 dimensions: (..., length, width)")
    if enable_gqa:
        key, value = [of_all_heads(x, query.shape[-3]) for x in (key, value)]
    if attn_mask is not None:
        check_mask(attn_mask, is_causal)
    if is_causal:
        attn_mask = causal_mask(query.shape[-2], key.shape[-2])
    return attend(query, key, value, attn_mask, scale, dropout_p)


def of_all_heads(x, heads):
    """Each head of x (..., fewer heads, S, E) repeated, so that there are `heads` of them."""
    fewer = x.shape[-3]
    if fewer == 0 or heads % fewer:
        raise RuntimeError(f"{heads} heads of queries cannot share {fewer} heads of keys or values")
    return x.repeat_interleave(heads // fewer, -3)


def check_mask(attn_mask, is_causal):
    """RuntimeError for two masks at once, and for a mask of integers."""
    if is_causal:
        raise RuntimeError("give attn_mask or is_causal=True, not both")
    check_tensors("attention", attn_mask=attn_mask)
    if attn_mask.dtype.kind not in "bf":
        raise RuntimeError(f"attn_mask must hold booleans or floats, got {attn_mask.dtype}")


def causal_mask(length, keys):
    """A new tensor of booleans (length, keys): query i may look at keys 0 to i.

    >>> causal_mask(2, 3)
    tensor([[ True, False, False],
            [ True,  True, False]])
    """
    return wrap(np.tri(length, keys, dtype=bool))


def attend(query, key, value, mask=None, scale=None, dropout_p=0.0):
    """For each query a mean of the values, weighed by how well their keys fit it.

    (..., L, E), (..., S, E), (..., S, V) -> (..., L, V). The scores query @ key^T are multiplied
    by `scale`, 1 / sqrt(E) if it is None, and `masked(scores, mask)` if there is a mask;
    `safe_softmax` turns them into weights, of which `dropout(weights, dropout_p)` drops some. E may
    be 0: then all scores are 0.
    """
    scale = 1 / math.sqrt(max(query.shape[-1], 1)) if scale is None else scale
    scores = (query * scale) @ key.transpose(-2, -1)  # (..., L, E) @ (..., E, S) -> (..., L, S)
    scores = scores if mask is None else masked(scores, mask)
    return dropout(safe_softmax(scores), dropout_p) @ value  # (..., L, S) @ (..., S, V)


def masked(scores, mask):
    """Scores of minus infinity where a mask of booleans is False; other masks are added."""
    return where(mask, scores, -math.inf) if mask.dtype == bool else scores + mask


def safe_softmax(scores):
    """softmax() over the keys; zeros for a query that may look nowhere, where it would be NaN."""
    nowhere = wrap((scores._data == -math.inf).all(-1, keepdims=True))
    if not nowhere._data.any():
        return softmax(scores, -1)
    return where(nowhere, 0.0, softmax(where(nowhere, 0.0, scores), -1))
