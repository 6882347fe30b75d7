"""The transformer: layers of attention with several heads, one upon the other."""

import copy
import math

from tinytorch.nn import activations, init
from tinytorch.nn.attention import causal_mask
from tinytorch.nn.containers import ModuleList
from tinytorch.nn.dropout import Dropout
from tinytorch.nn.linear import Linear
from tinytorch.nn.module import Module
from tinytorch.nn.multihead import MultiheadAttention
from tinytorch.nn.normalization import LayerNorm
from tinytorch.ops.creation import zeros
from tinytorch.ops.elementwise import where


def activation_of(activation):
    """relu or gelu for its name; RuntimeError for another name."""
    if callable(activation):
        return activation
    if activation not in ("relu", "gelu"):
        raise RuntimeError(f"activation must be 'relu', 'gelu' or callable, got {activation!r}")
    return getattr(activations, activation)


class TransformerLayer(Module):
    """What a layer of an encoder and one of a decoder share; `attentions` names what attends."""

    def __init__(
        self,
        d_model,
        nhead,
        dim_feedforward=2048,
        dropout=0.1,
        activation="relu",
        layer_norm_eps=1e-5,
        batch_first=False,
        norm_first=False,
        bias=True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        made = dict(device=device, dtype=dtype)
        for name in self.attentions:
            settings = dict(dropout=dropout, bias=bias, batch_first=batch_first, **made)
            self.register_module(name, MultiheadAttention(d_model, nhead, **settings))
        self.linear1 = Linear(d_model, dim_feedforward, bias, **made)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, **made)
        numbers = range(1, len(self.attentions) + 2)
        for i in numbers:
            self.register_module(f"norm{i}", LayerNorm(d_model, layer_norm_eps, bias=bias, **made))
        for i in numbers:
            self.register_module(f"dropout{i}", Dropout(dropout))
        self.norm_first = norm_first
        self.activation = activation_of(activation)

    def attended(self, x, mask, padding, is_causal):
        """What attention to itself adds to x; `is_causal` says of the mask what it is."""
        seen = self.self_attn(x, x, x, padding, False, mask, is_causal=bool(is_causal))[0]
        return self.dropout1(seen)


class TransformerEncoderLayer(TransformerLayer):
    """Attention to all places, then a small network at each; both added to what they got.

    `norm_first` normalizes what goes into each of the two, else what comes out of the sum.

    >>> TransformerEncoderLayer(8, nhead=2, dim_feedforward=16)(tinytorch.zeros(5, 3, 8)).shape
    tinytorch.Size([5, 3, 8])
    """

    attentions = ("self_attn",)

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        masks = src_mask, src_key_padding_mask, is_causal
        if self.norm_first:
            x = src + self.attended(self.norm1(src), *masks)
            return x + self.fed_forward(self.norm2(x))
        x = self.norm1(src + self.attended(src, *masks))
        return self.norm2(x + self.fed_forward(x))

    def fed_forward(self, x):
        """What the two linear layers add to x."""
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))


class TransformerDecoderLayer(TransformerLayer):
    """An encoder layer that looks, in between, at `memory`, what an encoder gave."""

    attentions = ("self_attn", "multihead_attn")

    def forward(
        self,
        tgt,
        memory,
        tgt_mask=None,
        memory_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
        tgt_is_causal=False,
        memory_is_causal=False,
    ):
        masks = tgt_mask, tgt_key_padding_mask, tgt_is_causal
        beside = memory, memory_mask, memory_key_padding_mask, memory_is_causal
        if self.norm_first:
            x = tgt + self.attended(self.norm1(tgt), *masks)
            x = x + self.looked(self.norm2(x), *beside)
            return x + self.fed_forward(self.norm3(x))
        x = self.norm1(tgt + self.attended(tgt, *masks))
        x = self.norm2(x + self.looked(x, *beside))
        return self.norm3(x + self.fed_forward(x))

    def looked(self, x, memory, mask, padding, is_causal):
        """What attention to `memory` adds to x."""
        given = x, memory, memory, padding, False, mask
        return self.dropout2(self.multihead_attn(*given, is_causal=bool(is_causal))[0])

    def fed_forward(self, x):
        """What the two linear layers add to x."""
        return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))


class Stack(Module):
    """`num_layers` copies of a layer, one after the other, and at the end `norm`, if not None."""

    def __init__(self, layer, num_layers, norm=None):
        super().__init__()
        self.layers = ModuleList([copy.deepcopy(layer) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm

    def through(self, x, *args):
        """What the last layer makes of x; each layer gets the other arguments, too."""
        for layer in self.layers:
            x = layer(x, *args)
        return x if self.norm is None else self.norm(x)


class TransformerEncoder(Stack):
    """`num_layers` copies of a TransformerEncoderLayer."""

    def __init__(
        self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True
    ):
        super().__init__(encoder_layer, num_layers, norm)

    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        return self.through(src, mask, src_key_padding_mask, is_causal)


class TransformerDecoder(Stack):
    """`num_layers` copies of a TransformerDecoderLayer."""

    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__(decoder_layer, num_layers, norm)

    def forward(
        self,
        tgt,
        memory,
        tgt_mask=None,
        memory_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
        tgt_is_causal=None,
        memory_is_causal=False,
    ):
        masks = tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask
        return self.through(tgt, memory, *masks, tgt_is_causal, memory_is_causal)


class Transformer(Module):
    """An encoder and a decoder, each with a LayerNorm at its end.

    >>> net = Transformer(8, 2, num_encoder_layers=1, num_decoder_layers=1, dim_feedforward=16)
    >>> net(tinytorch.zeros(5, 3, 8), tinytorch.zeros(4, 3, 8)).shape
    tinytorch.Size([4, 3, 8])
    """

    def __init__(
        self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, *args, **kwargs
    ):
        super().__init__()
        encoder = TransformerEncoderLayer(d_model, nhead, *args, **kwargs)
        decoder = TransformerDecoderLayer(d_model, nhead, *args, **kwargs)
        own = {name: kwargs[name] for name in ("bias", "device", "dtype") if name in kwargs}
        own |= {"eps": kwargs.get("layer_norm_eps", 1e-5)}
        self.encoder = TransformerEncoder(encoder, num_encoder_layers, LayerNorm(d_model, **own))
        self.decoder = TransformerDecoder(decoder, num_decoder_layers, LayerNorm(d_model, **own))
        for param in self.parameters():
            if param.dim() > 1:
                init.xavier_uniform_(param)

    def forward(
        self,
        src,
        tgt,
        src_mask=None,
        tgt_mask=None,
        memory_mask=None,
        src_key_padding_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
        src_is_causal=None,
        tgt_is_causal=None,
        memory_is_causal=False,
    ):
        memory = self.encoder(src, src_mask, src_key_padding_mask, src_is_causal)
        masks = tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask
        return self.decoder(tgt, memory, *masks, tgt_is_causal, memory_is_causal)

    @staticmethod
    def generate_square_subsequent_mask(sz):
        """Minus infinity where a place (row) would look at a later one (column), else 0."""
        return where(causal_mask(sz, sz), zeros(()), -math.inf)
