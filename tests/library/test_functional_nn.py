"""Functions behind the modules: linear, embedding, dropout, norms, attention, clipping."""

import math

import numpy as np
import pytest
from beside_torch import numbers, proven, same_as_torch

import tinytorch
import tinytorch.nn.functional as F
from tinytorch import nn


def test_linear_is_x_times_weight_transposed_plus_bias():
    x, weight = tinytorch.tensor([[1.0, 2.0]]), tinytorch.tensor([[3.0, 4.0], [5.0, 6.0]])
    assert F.linear(x, weight, tinytorch.tensor([0.5, 0.0])).tolist() == [[11.5, 17.0]]


def test_gradients_of_linear_are_proven_to_second_order():
    proven(F.linear, numbers(2, 3), numbers(4, 3), numbers(4))
    proven(F.linear, numbers(2, 2, 3), numbers(4, 3))
    proven(F.linear, numbers(3), numbers(4, 3), numbers(4))


def test_linear_keeps_only_what_a_gradient_will_need():
    x, weight = tinytorch.ones(1, 2), tinytorch.ones(3, 2, requires_grad=True)
    node = F.linear(x, weight).grad_fn
    assert node.saved[0] is x._data and node.saved[1] is None


@pytest.mark.parametrize(
    "x, weight, words",
    [
        (tinytorch.zeros(2, 4), tinytorch.zeros(5, 3), r"shapes \(2, 4\) and \(5, 3\)"),
        (tinytorch.tensor(1.0), tinytorch.zeros(5, 3), r"shapes \(\) and"),
        (tinytorch.zeros(2, 3).double(), tinytorch.zeros(5, 3), "float64 and float32"),
    ],
)
def test_linear_names_what_does_not_fit(x, weight, words):
    with pytest.raises(RuntimeError, match=words):
        F.linear(x, weight)


def test_a_word_used_twice_receives_both_gradients():
    table = tinytorch.zeros(3, 1, requires_grad=True)
    rows = F.embedding(tinytorch.tensor([2, 0, 2]), table)
    rows.backward(tinytorch.tensor([[1.0], [2.0], [4.0]]))
    assert table.grad.tolist() == [[2.0], [0.0], [5.0]]


def test_gradients_of_embedding_are_proven_to_second_order():
    words = tinytorch.tensor([[0, 2], [2, 1]])
    proven(lambda table: F.embedding(words, table) ** 2, numbers(3, 2))
    proven(lambda table: F.embedding(words, table, padding_idx=-1)[1:, 1:] ** 2, numbers(3, 2))


def test_one_word_is_a_copy_of_its_row_and_bytes_are_words():
    table = tinytorch.eye(2, requires_grad=True)
    row = F.embedding(tinytorch.tensor(1), table)
    row.detach().fill_(5)
    row.sum().backward()
    assert table.tolist() == [[1, 0], [0, 1]] and table.grad.tolist() == [[0, 0], [1, 1]]
    words = tinytorch.tensor([1, 1], dtype=tinytorch.uint8)
    assert F.embedding(words, table).tolist() == [[0, 1], [0, 1]]


def test_embedding_refuses_words_outside_the_table():
    with pytest.raises(IndexError, match="table of 3 rows"):
        F.embedding(tinytorch.tensor([-1]), tinytorch.zeros(3, 2))
    with pytest.raises(RuntimeError, match="integer indices, got tinytorch.float32"):
        F.embedding(tinytorch.tensor([1.0]), tinytorch.zeros(3, 2))
    with pytest.raises(AssertionError, match="padding_idx 3"):
        nn.Embedding(3, 2, padding_idx=3)


def test_dropout_keeps_the_mean_and_switches_gradients_off_with_numbers():
    tinytorch.manual_seed(0)
    x = tinytorch.ones(10_000, requires_grad=True)
    y = F.dropout(x, 0.25)
    y.sum().backward()
    assert set(y.tolist()) == {0.0, np.float32(1 / 0.75)}
    assert y.mean().item() == pytest.approx(1, abs=0.03)
    assert x.grad.tolist() == y.tolist()


def test_dropout_does_nothing_outside_training_and_everything_at_1():
    x = tinytorch.ones(3)
    assert F.dropout(x, 0.9, training=False) is x
    assert F.dropout(x, 1.0).tolist() == [0.0, 0.0, 0.0]
    F.dropout(x, 1.0, inplace=True)
    assert x.tolist() == [0.0, 0.0, 0.0]
    with pytest.raises(ValueError, match=r"between 0 and 1, got 1.5"):
        nn.Dropout(1.5)


def test_gradients_of_norms_are_proven_to_second_order():
    x, weight, bias = numbers(4, 3), numbers(3), numbers(3, seed=2)
    proven(lambda x, w, b: F.layer_norm(x, (3,), w, b), x, weight, bias)
    proven(lambda x, w, b: F.batch_norm(x, None, None, w, b, training=True), x, weight, bias)
    proven(lambda x: F.batch_norm(x, None, None, training=True), numbers(2, 2, 2, 2))
    mean, var = tinytorch.zeros(3).double(), tinytorch.ones(3).double()
    proven(lambda x, w, b: F.batch_norm(x, mean, var, w, b), x, weight, bias)


def test_layer_norm_names_a_shape_that_does_not_fit():
    with pytest.raises(RuntimeError, match=r"over \(3,\) needs input \(..., 3\), got shape \(2, 4"):
        F.layer_norm(tinytorch.zeros(2, 4), (3,))


def test_attention_of_keys_without_width_is_the_mean():
    value = tinytorch.tensor([[[1.0], [3.0]]])
    found = F.scaled_dot_product_attention(value[..., :0], value[..., :0], value)
    assert found.tolist() == [[[2.0], [2.0]]]


def test_attention_looks_where_the_key_fits():
    key = tinytorch.tensor([[1.0, 0.0], [0.0, 1.0]])
    value = tinytorch.tensor([[10.0], [20.0]])
    found = F.scaled_dot_product_attention(key * 100, key, value)
    assert found.tolist() == [[10.0], [20.0]]


def test_a_causal_query_sees_no_later_key():
    value = tinytorch.tensor([[1.0], [3.0], [8.0]])
    zeros = tinytorch.zeros(3, 2)
    found = F.scaled_dot_product_attention(zeros, zeros, value, is_causal=True)
    assert found.tolist() == [[1.0], [2.0], [4.0]]


@pytest.mark.parametrize("settings", [{}, {"is_causal": True}, {"scale": 0.3}])
def test_attention_agrees_with_torch(settings):
    same_as_torch(
        lambda t, q, k, v: t.nn.functional.scaled_dot_product_attention(q, k, v, **settings),
        numbers(2, 2, 3, 4),
        numbers(2, 2, 5, 4, seed=2),
        numbers(2, 2, 5, 2, seed=3),
    )


@pytest.mark.parametrize("mask", [np.tri(3, 5, 1, dtype=bool), numbers(2, 1, 3, 5)])
def test_attention_with_a_mask_agrees_with_torch(mask):
    same_as_torch(
        lambda t, q, k, v: t.nn.functional.scaled_dot_product_attention(
            q, k, v, attn_mask=t.tensor(mask)
        ),
        numbers(2, 2, 3, 4),
        numbers(2, 2, 5, 4, seed=2),
        numbers(2, 2, 5, 2, seed=3),
    )


def test_a_query_that_may_look_nowhere_finds_zeros():
    x = tinytorch.ones(2, 2, requires_grad=True)
    found = F.scaled_dot_product_attention(
        x, x, x, tinytorch.tensor([[True, True], [False, False]])
    )
    found.sum().backward()
    assert found.tolist() == [[1.0, 1.0], [0.0, 0.0]]
    assert x.grad.isfinite().all()


def test_gradients_of_attention_are_proven_to_second_order():
    attend = F.scaled_dot_product_attention
    proven(
        lambda q, k, v: attend(q, k, v, is_causal=True), *(numbers(3, 2, seed=i) for i in range(3))
    )


def test_a_mask_and_is_causal_together_are_refused():
    x = tinytorch.zeros(2, 2)
    with pytest.raises(RuntimeError, match="not both"):
        F.scaled_dot_product_attention(x, x, x, attn_mask=x, is_causal=True)


def test_gradients_of_activations_are_proven_to_second_order():
    for function in (F.leaky_relu, F.gelu, lambda x: F.gelu(x, approximate="tanh")):
        proven(function, numbers(5))


def with_gradients():
    grads = [[3.0, 0.0], [4.0]]
    params = [nn.Parameter(tinytorch.zeros(len(grad))) for grad in grads]
    for param, grad in zip(params, grads, strict=True):
        param.grad = tinytorch.tensor(grad)
    return [*params, nn.Parameter(tinytorch.zeros(1))]


def test_clipping_scales_all_gradients_by_one_number():
    params = with_gradients()
    total = nn.utils.clip_grad_norm_(params, max_norm=0.5)
    assert total.item() == 5.0
    assert [param.grad.tolist() for param in params[:2]] == [
        pytest.approx([0.3, 0.0]),
        pytest.approx([0.4]),
    ]
    assert nn.utils.clip_grad_norm_(params, max_norm=9.0).item() == pytest.approx(0.5)
    assert nn.utils.clip_grad_norm_([], max_norm=1.0).dtype == tinytorch.float32
    assert params[1].grad.tolist() == pytest.approx([0.4])


def test_clipping_takes_dtypes_that_differ():
    params = [tinytorch.ones(1, requires_grad=True), tinytorch.ones(1).double().requires_grad_()]
    for param, slope in zip(params, (3.0, 4.0), strict=True):
        (param * slope).sum().backward()
    total = nn.utils.clip_grad_norm_(params, max_norm=tinytorch.tensor(1.0))
    assert total.item() == 5.0 and total.dtype == tinytorch.float64
    assert [param.grad.item() for param in params] == pytest.approx([0.6, 0.8])


@pytest.mark.parametrize("kind, total", [(1.0, 7.0), (math.inf, 4.0), (2.0, 5.0)])
def test_clipping_measures_any_norm(kind, total):
    assert nn.utils.clip_grad_norm_(with_gradients(), 1.0, norm_type=kind).item() == total


def test_clipping_finds_nan_if_asked():
    params = with_gradients()
    params[0].grad = tinytorch.tensor([math.nan, 0.0])
    with pytest.raises(RuntimeError, match="norm of the gradients is nan"):
        nn.utils.clip_grad_norm_(params, 1.0, error_if_nonfinite=True)
