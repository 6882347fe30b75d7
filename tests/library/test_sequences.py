"""Recurrent networks, packed sequences and transformers, beside PyTorch."""

import pytest
from beside_torch import numbers, programs_in, proven, same_answer, same_module_as_torch

import tinytorch
from tinytorch import nn

SETTINGS = [
    {},
    {"num_layers": 2, "bias": False},
    {"bidirectional": True, "num_layers": 2},
    {"batch_first": True, "dropout": 0.0},
]
KINDS = ["RNN", "LSTM", "GRU"]


def _all_of(t, results):
    """One tensor that depends on all that a recurrent network gives."""
    output, states = results
    states = [states] if isinstance(states, t.Tensor) else states
    return t.cat([output.reshape(-1), *[s.reshape(-1) for s in states]])


def _run(t, module, *inputs):
    return _all_of(t, module(*inputs))


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("kind", KINDS)
def test_recurrent_networks_agree_with_torch(kind, settings):
    build = lambda nn: getattr(nn, kind)(3, 4, **settings)  # noqa: E731
    same_module_as_torch(build, numbers(5, 2, 3), run=_run)
    same_module_as_torch(build, numbers(5, 3), run=_run)


@pytest.mark.parametrize("kind", KINDS)
def test_states_to_begin_with_agree_with_torch(kind):
    def run(t, module, x, h, c):
        return _all_of(t, module(x, (h, c) if kind == "LSTM" else h + c))

    state = (4, 2, 4)
    arrays = numbers(5, 2, 3), numbers(*state, seed=1), numbers(*state, seed=2)
    same_module_as_torch(
        lambda nn: getattr(nn, kind)(3, 4, num_layers=2, bidirectional=True), *arrays, run=run
    )


@pytest.mark.parametrize("lengths, is_sorted", [([5, 3, 3, 1], True), ([2, 5, 1, 4], False)])
@pytest.mark.parametrize("kind", KINDS)
def test_packed_sequences_agree_with_torch(kind, lengths, is_sorted):
    def run(t, module, x, h):
        rnn = t.nn.utils.rnn
        packed = rnn.pack_padded_sequence(x, lengths, enforce_sorted=is_sorted)
        output, states = module(packed, (h, h) if kind == "LSTM" else h)
        padded, found = rnn.pad_packed_sequence(output, padding_value=7.0)
        assert found.tolist() == lengths
        return _all_of(t, (padded, states))

    same_module_as_torch(
        lambda nn: getattr(nn, kind)(3, 2, num_layers=2, bidirectional=True),
        numbers(5, 4, 3),
        numbers(4, 4, 2, seed=1),
        run=run,
    )


@pytest.mark.parametrize("settings", [{}, {"num_layers": 2, "bidirectional": True, "bias": False}])
def test_an_lstm_with_a_projection_agrees_with_torch(settings):
    def run(t, module, x):
        output, states = module(x)
        again = module(x, states)[0]
        assert "proj_size=2" in repr(module)
        return t.cat([each.reshape(-1) for each in (output, *states, again)])

    same_module_as_torch(
        lambda nn: nn.LSTM(3, 4, proj_size=2, **settings), numbers(5, 2, 3), run=run
    )


@pytest.mark.parametrize(
    "build", [lambda: nn.GRU(3, 4, proj_size=2), lambda: nn.LSTM(3, 4, proj_size=4)]
)
def test_a_projection_is_smaller_and_of_an_lstm(build):
    with pytest.raises(ValueError, match="proj_size is for LSTM, and below hidden_size, got"):
        build()


def test_a_relu_network_agrees_with_torch():
    same_module_as_torch(lambda nn: nn.RNN(3, 4, 1, "relu"), numbers(5, 2, 3), run=_run)


@pytest.mark.parametrize("kind", ["RNNCell", "LSTMCell", "GRUCell"])
def test_cells_agree_with_torch(kind):
    def run(t, cell, x):
        state = cell(x[0])
        state = cell(x[1], state)
        return t.cat(state) if isinstance(state, tuple) else state

    same_module_as_torch(lambda nn: getattr(nn, kind)(3, 4), numbers(2, 5, 3), run=run)
    same_module_as_torch(lambda nn: getattr(nn, kind)(3, 4, bias=False), numbers(2, 3), run=run)


def test_gradients_of_an_lstm_are_proven_to_second_order():
    module = nn.LSTM(2, 2).double()
    proven(lambda x: _run(tinytorch, module, x), numbers(3, 1, 2))


# --- attention ---

LAYER = {"d_model": 4, "nhead": 2, "dim_feedforward": 6, "dropout": 0.0}


@pytest.mark.parametrize("average", [True, False])
@pytest.mark.parametrize("batch_first", [True, False])
def test_attention_with_heads_agrees_with_torch(batch_first, average):
    def run(t, module, q, k, v):
        output, weights = module(q, k, v, average_attn_weights=average)
        return t.cat([output.reshape(-1), weights.reshape(-1)])

    shapes = [(3, 2, 4), (5, 2, 4), (5, 2, 4)] if not batch_first else [(2, 3, 4)] + [(2, 5, 4)] * 2
    arrays = [numbers(*shape, seed=seed) for seed, shape in enumerate(shapes)]
    build = lambda nn: nn.MultiheadAttention(4, 2, batch_first=batch_first)  # noqa: E731
    same_module_as_torch(build, *arrays, run=run)
    same_module_as_torch(build, *[array[:, 0] for array in arrays], run=run)


def test_masks_of_attention_agree_with_torch():
    def run(t, module, x):
        causal = t.triu(t.ones(3, 3), diagonal=1).bool()
        padding = t.tensor([[False, False, True], [False, False, False]])
        added = t.arange(36.0).reshape(4, 3, 3) / 9
        results = [
            module(x, x, x, attn_mask=causal),
            module(x, x, x, attn_mask=causal, key_padding_mask=padding, need_weights=False),
            module(x, x, x, attn_mask=added, need_weights=False),
        ]
        return t.cat([output for output, _ in results])

    same_module_as_torch(lambda nn: nn.MultiheadAttention(4, 2), numbers(3, 2, 4), run=run)


@pytest.mark.parametrize(
    "settings",
    [
        {"kdim": 3, "vdim": 5},
        {"vdim": 5, "bias": False, "batch_first": True},
        {"add_bias_kv": True},
        {"add_zero_attn": True, "kdim": 3, "vdim": 5},
        {"add_bias_kv": True, "add_zero_attn": True, "batch_first": True},
    ],
    ids=str,
)
def test_keys_of_other_widths_and_more_of_them_agree_with_torch(settings):
    def run(t, module, q, k, v):
        padding = t.tensor([[False, True, False, False], [False, False, True, False]])
        mask = t.tensor([[False, False, True, False]] * 3)
        output, weights = module(q, k, v, padding, attn_mask=mask)
        return t.cat([output.reshape(-1), weights.reshape(-1), module(q, k, v)[0].reshape(-1)])

    widths = 4, settings.get("kdim", 4), settings.get("vdim", 4)
    pairs = (2, 3), (2, 4), (2, 4)
    pairs = pairs if settings.get("batch_first") else [pair[::-1] for pair in pairs]
    arrays = [numbers(*pair, width, seed=width) for pair, width in zip(pairs, widths, strict=True)]
    same_module_as_torch(lambda nn: nn.MultiheadAttention(4, 2, **settings), *arrays, run=run)


@pytest.mark.parametrize("settings", [{}, {"norm_first": True, "activation": "gelu"}])
def test_encoders_agree_with_torch(settings):
    def build(nn):
        layer = nn.TransformerEncoderLayer(batch_first=True, **LAYER, **settings)
        return nn.TransformerEncoder(layer, 2, nn.LayerNorm(4), enable_nested_tensor=False)

    def run(t, module, x):
        mask = t.nn.Transformer.generate_square_subsequent_mask(3)
        return module(x) + module(x, mask=mask)

    same_module_as_torch(build, numbers(2, 3, 4), run=run, tolerance=1e-4)


@pytest.mark.parametrize("settings", [{}, {"norm_first": True}])
def test_transformers_agree_with_torch(settings):
    def build(nn):
        return nn.Transformer(4, 2, 1, 2, 6, 0.0, **settings)

    def run(t, module, x, y):
        mask = module.generate_square_subsequent_mask(3)
        return module(
            x, y, tgt_mask=mask, src_key_padding_mask=t.tensor([[False] * 4, [True] + [False] * 3])
        )

    same_module_as_torch(build, numbers(4, 2, 4), numbers(3, 2, 4, seed=1), run=run, tolerance=1e-4)


def test_a_query_that_may_look_nowhere_gets_zeros():
    module = nn.MultiheadAttention(2, 1, bias=False)
    x = tinytorch.ones(3, 1, 2)
    output, weights = module(x, x, x, key_padding_mask=tinytorch.tensor([[True, True, True]]))
    assert output.abs().sum() == weights.sum() == 0


# --- packing ---


def sequences_filled_up(t):
    rows = [t.arange(n * 2.0).reshape(n, 2) for n in (2, 3, 1)]
    rnn = t.nn.utils.rnn
    return rnn.pad_sequence(rows), rnn.pad_sequence(rows, batch_first=True, padding_value=-1.0)


def sequences_packed(t):
    rnn = t.nn.utils.rnn
    rows = [t.arange(n) + 10 * n for n in (2, 3, 1)]
    packed = rnn.pack_sequence(rows, enforce_sorted=False)
    whole = rnn.pad_packed_sequence(packed, batch_first=True, total_length=4)
    return *packed, *whole


def lengths_that_rise(t):
    return t.nn.utils.rnn.pack_padded_sequence(t.ones(3, 2), [1, 3])


def a_length_of_zero(t):
    return t.nn.utils.rnn.pack_padded_sequence(t.ones(3, 2), [3, 0])


def a_total_length_that_is_too_short(t):
    packed = t.nn.utils.rnn.pack_padded_sequence(t.ones(3, 2), [3, 1])
    return t.nn.utils.rnn.pad_packed_sequence(packed, total_length=2)


def an_input_of_the_wrong_width(t):
    return t.nn.GRU(3, 4)(t.ones(5, 2, 2))


def a_state_of_the_wrong_shape(t):
    return t.nn.GRU(3, 4)(t.ones(5, 2, 3), t.ones(1, 3, 4))


def heads_that_do_not_split(t):
    return t.nn.MultiheadAttention(5, 2)


def the_mask_of_a_transformer(t):
    return t.nn.Transformer.generate_square_subsequent_mask(3)


def parameters_as_a_vector(t):
    net = t.nn.Linear(2, 1)
    t.nn.utils.vector_to_parameters(t.arange(3.0), net.parameters())
    vector = t.nn.utils.parameters_to_vector(net.parameters())
    (vector * vector).sum().backward()
    t.nn.utils.clip_grad_value_(net.parameters(), 1.5)
    return vector.detach(), net.weight, net.weight.grad, net.bias.grad


@pytest.mark.parametrize("program", programs_in(globals()), ids=lambda program: program.__name__)
def test_both_libraries_give_the_same_answer(program):
    same_answer(program)
