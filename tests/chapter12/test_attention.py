"""Chapter 12: who asks whom, who mustn't look, and what a block makes of it."""

import math
from functools import partial

import numpy as np
import pytest

import tinytorch as tt
from course.testing import (
    calling,
    calls_of,
    error_of,
    expect,
    expect_return,
    fail_if,
    lacks,
    leaf,
    worded,
)

LN3 = math.log(3)
LEADS_OUT = (
    lambda e: "numpy() on a tensor" in str(e),
    "arrays know no gradients: these are Tensors, so use what Tensors can do",
)


def attend(query, key, value, what, *options):
    slips = [
        (lambda e: "do not fit" in str(e), "(L, E) @ (E, S), then (L, S) @ (S, V)"),
        (worded(RuntimeError, "in place"), "what was given belongs to the caller: query * scale"),
        (worded(IndexError, "out of range"), "there may be no axes before the last two: count from "
         "the end, transpose(-2, -1)"),
        (lacks("NoneType"), "the mask may be None: then nothing is masked"),
        (worded(RuntimeError, "ambiguous"), "ask whether the mask is None"),
        (worded(RuntimeError, "needs a condition of booleans"), "a mask may also hold numbers, to "
         "be added: masked(scores, mask) does both"),
        (lambda e: calls_of("scaled_dot_product_attention", e), "scaled_dot_product_attention asks "
         "attend, and attend asked it"),
        LEADS_OUT,
    ]  # fmt: skip
    with calling(what, slips=slips):
        got = tt.nn.attention.attend(leaf(query), leaf(key), leaf(value), *options)
    expect_return(got, what)
    kind = type(got).__name__
    fail_if(not isinstance(got, tt.Tensor), f"{what} gave {kind}, expected a Tensor")
    return got


@pytest.mark.exercise("12.7", points=2)
def test_a_query_sees_itself_and_what_came_before():
    with calling("causal_mask(3, 3)"):
        got = tt.nn.attention.causal_mask(3, 3)
    expect_return(got, "causal_mask(3, 3)")
    fail_if(
        not isinstance(got, tt.Tensor), f"causal_mask(3, 3) is {type(got).__name__}: wrap(…) it"
    )
    because = "True is where a query may look: numbers would be added to the scores"
    expect(got.dtype, np.dtype(bool), "the dtype of causal_mask(3, 3)", because=because)
    slips = [([[0, 0, 0], [1, 0, 0], [1, 1, 0]], "key i is among those that query i may look at"),
             ([[1, 1, 0], [1, 1, 1], [1, 1, 1]], "query i mustn't look at key i + 1"),
             ([[1, 1, 1], [0, 1, 1], [0, 0, 1]], "rows are queries: that's turned around"),
             ([[0, 1, 1], [0, 0, 1], [0, 0, 0]], "True is where a query may look"),
             ([[1, 1, 1], [1, 1, 1], [1, 1, 1]], "nobody is kept from looking ahead")]  # fmt: skip
    expect(
        got.numpy().astype(int), [[1, 0, 0], [1, 1, 0], [1, 1, 1]], "causal_mask(3, 3)", slips=slips
    )
    got = tt.nn.attention.causal_mask(2, 4).numpy().astype(int)
    slips = [([[1, 1, 1, 0], [1, 1, 1, 1]], "query 0 may look at key 0 only"),
             ([[1, 0], [1, 1]], "its shape is (length, keys)"),
             (lambda g: np.shape(g) == (4, 2), "that's turned around: (length, keys)")]  # fmt: skip
    expect(got, [[1, 0, 0, 0], [1, 1, 0, 0]], "causal_mask(2, 4)", slips=slips)
    got = tt.nn.attention.causal_mask(1, 2).numpy().astype(int)
    expect(got, [[1, 0]], "causal_mask(1, 2)", because="query 0 may look at key 0 only")


@pytest.mark.exercise("12.7", points=2)
def test_a_query_takes_a_mean_of_the_values():
    what = "attend(query=[[1]], key=[[ln 3], [0]], value=[[4], [8]])"
    got = attend([[1]], [[LN3], [0]], [[4], [8]], what)
    slips = {(1, 2): "those are scores or weights: the answer is the values' mean with weights",
             (2, 2): "the weights come first: weights @ value",
             (2, 1): "that's one for each key: a query gets one mean of all values"}  # fmt: skip
    expect(tuple(got.shape), (1, 1), f"the shape of {what}", slips=slips, because="(L, V)")
    slips = [([[12]], "softmax is over the keys: the weights of a query add up to 1"),
             ([[4 * LN3]], "scores become weights by a softmax"),
             ([[6]], "the scores have no say in the weights"),
             ([[(4 * 3**0.5**0.5 + 8) / (3**0.5**0.5 + 1)]], "E is query.shape[-1], 1 here"),
             ([[4]], "it has heard from the first key alone: with no mask it may ask all"),
             ([[0.75 * LN3]], "the mean is that of the values, not of the keys"),
             ([[7]], "the better a key fits, the more weight")]  # fmt: skip
    expect(got, [[5]], what, slips=slips, because="weights 3/4 and 1/4")
    what = "attend(query=[[1], [-1]], key=[[ln 3], [0]], value=[[4], [8]])"
    got = attend([[1], [-1]], [[LN3], [0]], [[4], [8]], what)
    by_queries = [[4 * 9 / 10 + 4], [4 / 10 + 4]]
    three = 3**0.5**0.5  # 3 to the power of 1 / sqrt(2)
    by_length = [[(4 * three + 8) / (three + 1)], [(4 + 8 * three) / (three + 1)]]
    slips = [
        (by_length, "E is query.shape[-1], 1 here"),
        (by_queries, "softmax is over the keys, not over the queries"),
        ([[7], [5]], "queries are exchanged"),
    ]
    expect(got, [[5], [7]], what, slips=slips, because="weights 3/4 and 1/4, then 1/4 and 3/4")
    query, key, value = leaf([[1]]), leaf([[LN3], [0]]), leaf([[4], [8]])
    what = "attend(query=[[1]], key=[[ln 3], [0]], value=[[4], [8]]), sent 16,"
    with calling(what):
        tt.nn.attention.attend(query, key, value).backward(tt.tensor([[16.0]], dtype=tt.float64))
    slips = [(None, "nothing leads back to it: leave it in the graph")]
    expect(value.grad, [[12], [4]], f"{what} the gradient of value", slips=slips)
    because = "the weights' slopes are 3/16 each, up and down"
    expect(key.grad, [[-12], [12]], f"{what} the gradient of key", slips=slips, because=because)
    expect(query.grad, [[-12 * LN3]], f"{what} the gradient of query", slips=slips)


@pytest.mark.exercise("12.7", points=2)
def test_scores_are_scaled():
    query, key, value = [[2, 0, 0, 0]], [[LN3, 1, 1, 1], [0, 1, 1, 1]], [[4], [8]]
    what = "attend of query [2, 0, 0, 0], keys [ln 3, 1, 1, 1] and [0, 1, 1, 1], values 4 and 8"
    got = attend(query, key, value, what)
    weighed = lambda factor: [[(4 * 3**factor + 8) / (3**factor + 1)]]  # noqa: E731
    slips = [(weighed(2), "it's 1 / sqrt(E), and E is query.shape[-1]"),
             (weighed(0.5), "1 / sqrt(E), not 1 / E"),
             (weighed(4), "the scores were multiplied by sqrt(E), not by 1 / sqrt(E)"),
             (weighed(2 / 2**0.5), "E is query.shape[-1]"),
             (weighed(0.25), "scaled twice")]  # fmt: skip
    expect(got, [[5]], what, slips=slips, because="E is 4, and half of 2 ln 3 is ln 3")
    got = attend(query, key, value, what, None, 1.0)
    slips = [([[5]], "a scale that is given takes the place of 1 / sqrt(E)")]
    expect(got, weighed(2), f"{what}, with scale=1", slips=slips)


@pytest.mark.exercise("12.7", points=2)
def test_what_is_masked_has_no_weight():
    query, key, value = [[1]], [[LN3], [0], [LN3]], [[4], [8], [1000]]
    what = "attend of keys ln 3, 0 and ln 3, values 4, 8 and 1000, the last one masked,"
    got = attend(query, key, value, what, tt.tensor([[True, True, False]]))
    slips = [([[20 / 7]], "mask the scores, before softmax: the others must still add up to 1"),
             ([[1000]], "True is where a query may look, not where it mustn't"),
             ([[3020 / 7]], "the mask has no effect"),
             ([[204]], "a masked score is minus infinity, not 0"),
             ([[(20 * math.e + 3000) / (4 * math.e + 3)]], "True and False were added as 1 and 0: "
              "masked(scores, mask) knows both kinds of mask"),
             (lambda g: np.isnan(g.detach().numpy()).any(), "NaN: infinity times 0?")]  # fmt: skip
    expect(got, [[5]], what, slips=slips, because="weights 3/4, 1/4 and 0")
    keys = "attend of keys ln 3, 0 and ln 3, values 4, 8 and 1000,"
    what = f"{keys} with the mask of numbers 0, ln 3, -infinity,"
    got = attend(query, key, value, what, tt.tensor([[0.0, LN3, -math.inf]], dtype=tt.float64))
    expect(got, [[6]], what, because="numbers are added to the scores: masked(scores, mask)")
    what = f"{keys} with the mask of numbers 0, 0, 0,"
    got = attend(query, key, value, what, tt.tensor([[0.0, 0, 0]], dtype=tt.float64))
    slips = [([[0]], "it has been taken for a mask of booleans")]
    expect(got, [[3020 / 7]], what, slips=slips, because="to add 0 changes nothing")
    got = attend(query, key, value, what, tt.tensor([[False, False, False]]))
    slips = [(lambda g: np.isnan(g.detach().numpy()).any(), "safe_softmax knows what to do"),
             ([[3020 / 7]], "a mask without a True is a mask, too: is it None?"),
             ([[1012 / 3]], "a masked score is minus infinity, not just far below 0")]  # fmt: skip
    expect(got, [[0]], "attend where all is masked", slips=slips)


@pytest.mark.exercise("12.7", points=1)
def test_a_scale_of_0_is_a_scale():
    query, key, values = [[1]], [[LN3], [0], [LN3]], [[4], [8], [1000]]
    what = "attend of query 1, keys ln 3 and 0, values 4 and 8, with scale=0,"
    got = attend(query, key[:2], values[:2], what, None, 0.0)
    slips = [([[5]], "a scale of 0 is a scale: ask whether it's None"),
             (lambda g: np.isnan(g.detach().numpy()).any(), "multiply by the scale")]  # fmt: skip
    expect(got, [[6]], what, slips=slips, because="all weights are equal")
    what = "attend of keys ln 3, 0 and ln 3, values 4, 8 and 1000, the last one masked, scale=0,"
    got = attend(query, key, values, what, tt.tensor([[True, True, False]]), 0.0)
    slips = [(lambda g: np.isnan(g.detach().numpy()).any(), "scale first, then mask: 0 times minus "
              "infinity is NaN")]  # fmt: skip
    expect(got, [[6]], what, slips=slips, because="weights 1/2, 1/2 and 0")


@pytest.mark.exercise("12.7", points=1)
def test_dropout_drops_weights():
    what = (
        "attend with dropout_p=0.5 of a query and 400 keys of ones, value = two identities side by"
        " side"
    )
    tt.manual_seed(0)
    twice = np.hstack([np.eye(400), np.eye(400)])
    got = attend(np.ones((1, 2)), np.ones((400, 2)), twice, what, None, None, 0.5)
    expect(tuple(got.shape), (1, 800), f"the shape of {what}")
    weights, others = got.detach().numpy().reshape(2, 400)
    found = sorted({round(float(weight) * 400, 4) for weight in weights})
    differ = found == [0, 2] and not np.array_equal(weights, others)
    fail_if(differ, f"{what}: the two halves of the result differ: drop weights, not results")
    fail_if(found == [1], f"{what} has dropped nothing: dropout(weights, dropout_p)")
    again = 0 in found and np.isclose(weights.sum(), 1)
    fail_if(again, f"{what}: what's left adds up to 1: don't divide the weights by their sum, "
            "dropout has made up for what it drops")  # fmt: skip
    said = ", ".join(f"{number}/400" for number in found[:3])
    fail_if(found != [0, 2], f"{what}: the weights are {said}, expected 0 and 2/400: drop weights, "
            "after softmax")  # fmt: skip
    share = float((weights == 0).mean())
    fail_if(not 0.4 < share < 0.6, f"{what} has dropped {share:.0%} of the weights")


def attention(width=4, heads=2):
    """An Attention in float64 whose numbers are always the same."""
    tt.manual_seed(5)
    return tt.gpt.Attention(width, heads).double()


def turned(heads, parts):
    """Arrays (…, D), in the last axis of which heads and their numbers are exchanged."""
    parts = np.array(parts)
    split = parts.reshape(*parts.shape[:-1], heads, parts.shape[-1] // heads)
    return split.swapaxes(-1, -2).reshape(parts.shape)


def unmoved(heads, parts):
    """Arrays (…, L, D) cut into heads where they stand, with letters and heads mixed up."""
    parts = np.array(parts)
    *before, length, width = parts.shape
    cut = parts.reshape(*before, heads, length, width // heads)
    return cut.swapaxes(-3, -2).reshape(parts.shape)


def joined_where_they_stand(heads, out):
    """The answers (N, L, D) of all heads, joined before these stand behind the letters."""
    n, length, width = out.shape
    return out.reshape(n, length, heads, width // heads).swapaxes(1, 2).reshape(out.shape)


def heads_first(heads, parts):
    """Query, key and value of the first head, then those of the second: taken apart like that."""
    n, length, width = parts[0].shape
    cut = np.concatenate(parts, -1).reshape(n, length, heads, 3, width // heads)
    return np.moveaxis(cut, 3, 0).reshape(3, n, length, width)


def letters_apart(heads, parts):
    """All the numbers of (N, L, 3 D), cut into (3, N, H, L, D / H) where they stand."""
    n, length, width = parts[0].shape
    cut = np.concatenate(parts, -1).reshape(3, n, heads, length, width // heads)
    return cut.swapaxes(2, 3).reshape(3, n, length, width)


def squeezed(heads, out):
    """The answers (1, L, D) joined as if their first axis were the heads: (H, L, D / H)."""
    _, length, width = out.shape
    split = out.reshape(length, heads, width // heads)
    return split.transpose(1, 2, 0).reshape(out.shape)


def backwards(heads, out):
    """The last head's answer first."""
    n, length, width = out.shape
    return out.reshape(n, length, heads, width // heads)[:, :, ::-1].reshape(out.shape)


def over_heads(model, x, heads, swapped=False):
    """What comes of it if the heads stay behind the letters, and so ask each other.

    With `swapped`, the answers (N, L, H, D / H) have two axes exchanged before they are joined.
    """
    n, length, width = x.shape
    q, k, v = (p.reshape(n, length, heads, width // heads) for p in parts_of(model, x))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(width // heads)
    weights = np.exp(scores) * np.tri(heads)
    out = weights / weights.sum(-1, keepdims=True) @ v
    return projected(model, (out.swapaxes(1, 2) if swapped else out).reshape(x.shape))


def parts_of(model, x):
    """The queries, keys and values of all heads: three arrays (N, L, D)."""
    w, b = (p.detach().numpy() for p in (model.qkv.weight, model.qkv.bias))
    return np.split(x @ w.T + b, 3, axis=-1)


def projected(model, out):
    return out @ model.proj.weight.detach().numpy().T + model.proj.bias.detach().numpy()


def layouts(model, x, heads):
    """What Attention gives where heads, letters and parts are mixed up: (numbers, reason)."""
    size = x.shape[-1] // heads
    here = partial(by_hand, model, x, heads)
    join = "move the heads behind the letters before you join them"
    whole = "the first head's answer comes first, whole"
    side = "each head has numbers that stand side by side"
    thirds = "query, key and value come first, and each is split into heads: 3, H, D / H, not H, 3"
    split = "split D into H, D / H first, then move the heads before the letters"
    cut, turn = partial(unmoved, heads), partial(turned, heads)
    mixed = partial(joined_where_they_stand, heads)
    back = "the letters must be the last axis but one, as the heads move in front of them"
    alone = "a text has an axis of its own, be there one or many: squeeze() takes that out, too"
    ahead = "that's a leak: is_causal=True keeps letters from those after them"
    return [
        *([(here(last=partial(squeezed, heads)), alone)] if len(x) == 1 else []),
        (here(causal=False), ahead),
        (over_heads(model, x, heads), back),
        (over_heads(model, x, heads, swapped=True), back),
        (here(last=mixed), join),
        (here(last=turn), whole),
        (here(last=partial(backwards, heads)), whole),
        (here(first=partial(heads_first, heads)), thirds),
        (here(first=partial(heads_first, heads), last=mixed), thirds),
        (here(first=turn), side),
        (here(first=turn, last=partial(turned, size)), side),
        (here(first=cut), split),
        (here(first=cut, last=mixed), split),
        (here(first=partial(letters_apart, heads)), split),
    ]


def by_hand(
    model, x, heads, first=lambda parts: parts, last=lambda out: out, scale=None, causal=True
):
    """What Attention gives, head by head and letter by letter.

    And what it gives if something else is done with the three parts `first`, or `last` with the
    answers before they are projected.
    """
    width = x.shape[-1]
    q, k, v = first(parts_of(model, x))
    size, out = width // heads, np.zeros_like(x)
    for n, head, i in np.ndindex(len(x), heads, x.shape[1]):
        part = slice(head * size, (head + 1) * size)
        end = i + 1 if causal else x.shape[1]
        scores = k[n, :end, part] @ q[n, i, part] * (scale or 1 / np.sqrt(size))
        weights = np.exp(scores - scores.max())
        out[n, i, part] = weights @ v[n, :end, part] / weights.sum()
    return projected(model, last(out))


def has_met_a_square(error):
    """Did linear() get what doesn't fit to a weight (D, D), such as proj's?"""
    weight = calls_of("linear", error)[-1]["weight"]
    return weight.shape[0] == weight.shape[1]


SHAPES = (
    (lambda e: "to unpack (expected 3" in str(e), "parts.permute(…) puts the axis of the 3 in "
     "front, and then they can be taken apart: query, key, value = …"),
    (lambda e: "is invalid for a tensor" in str(e), "N, L and D are those of x, and H is "
     "self.heads: (N, L, 3, H, D / H), and (N, L, D) at the end"),
    (has_met_a_square, "self.proj gets (N, L, D), the answers of all heads side by side"),
    (lambda e: "whole number" in str(e), "// gives whole numbers"),
    LEADS_OUT,
)  # fmt: skip


@pytest.mark.exercise("12.8", points=2)
def test_no_letter_hears_from_those_after_it():
    model, x = attention(), np.random.default_rng(3).normal(size=(1, 5, 4))
    what = "Attention.forward of a text of 5 letters"
    with calling(what, slips=SHAPES):
        before = model(tt.tensor(x))
    expect_return(before, what)
    expect(tuple(before.shape), (1, 5, 4), f"the shape of {what}")
    again = model(tt.tensor(x)).detach().numpy()
    fail_if(not np.array_equal(again, before.detach().numpy(), equal_nan=True),
            f"{what}, twice: the results differ; nothing here is left to chance")  # fmt: skip
    is_right = np.allclose(again, by_hand(model, x, 2))
    for wrong, reason in layouts(model, x, 2):
        fail_if(not is_right and np.allclose(again, wrong), f"{what}, with 2 heads: {reason}")
    expect_no_leak(model, x, what)
    model.eval()
    expect_no_leak(model, x, f"{what}, after eval()")
    longer = np.concatenate([x, x], axis=1)
    what = "Attention.forward of a text of 10 letters, after one of 5 letters"
    error, anew = error_of(lambda: model(tt.tensor(longer))), attention()
    fail_if(error is not None and error_of(lambda: anew(tt.tensor(longer))) is None,
            f"{what} raised {type(error).__name__}: {error}; the module remembers something of the "
            "shorter text")  # fmt: skip
    with calling(what):
        expect_no_leak(model, longer, what)


def expect_no_leak(model, x, what):
    """No letter of a text changes what an Attention makes of those before it."""
    before, last = model(tt.tensor(x)), x.shape[1] - 1
    for i in range(1, last + 1):
        changed = np.array(x)
        changed[0, i:] += 1
        moved = abs(model(tt.tensor(changed)) - before).detach().numpy().max(axis=(0, 2)) > 1e-12
        after = f"letters {i} to {last}" if i < last else f"letter {last}"
        fail_if(moved[:i].any(), f"{what}: letter {moved.argmax()} changed with {after}: "
                "that's a leak, it heard from letters after it")  # fmt: skip
        fail_if(
            not moved[i], f"{what}: letter {i} hasn't changed with itself: it's among those it asks"
        )
    changed = np.array(x)
    changed[0, 0] += 1
    moved = abs(model(tt.tensor(changed)) - before).detach().numpy().max(axis=(0, 2)) > 1e-12
    fail_if(
        not moved.all(),
        f"{what}: letter {moved.argmin()} hasn't changed with letter 0, which it asks",
    )


@pytest.mark.exercise("12.8", points=4)
def test_each_head_has_its_own_part():
    x = np.random.default_rng(4).normal(size=(2, 3, 6))
    for heads in (1, 2, 3):
        model = attention(6, heads)
        count = f"{heads} head{'s' * (heads > 1)}"
        what = f"Attention.forward of 2 texts of 3 letters, 6 numbers each, with {count}"
        with calling(what, slips=SHAPES):
            got = model(tt.tensor(x))
        swaps = {"query and key are exchanged": lambda p: (p[1], p[0], p[2]),
                 "query and value are exchanged": lambda p: (p[2], p[1], p[0]),
                 "key and value are exchanged": lambda p: (p[0], p[2], p[1]),
                 "queries, keys and values are mixed up": lambda p: (p[1], p[2], p[0])}  # fmt: skip
        slips = [(by_hand(model, x, heads, swap), reason) for reason, swap in swaps.items()]
        slips += [(x + by_hand(model, x, heads), "the sum with x is Block's work")]
        slips += layouts(model, x, heads)
        one = by_hand(model, x.reshape(1, -1, 6), heads).reshape(x.shape)
        slips += [(one, "each text is for itself, and hears nothing from the one before it")]
        back = np.linalg.inv(model.proj.weight.detach().numpy().T)
        answers = (by_hand(model, x, heads) - model.proj.bias.detach().numpy()) @ back
        slips += [(answers, "self.proj gets what the heads answer")]
        for scale in (1.0, 6**-0.5, heads / 6):
            slips += [(by_hand(model, x, heads, scale=scale), "attention sees to the scale itself")]
        others = {
            n: f"that's what {n} head{'s' * (n > 1)} would say" for n in (1, 2, 3, 6) if n != heads
        }
        slips += [(by_hand(model, x, n), reason) for n, reason in others.items()]
        expect(got, by_hand(model, x, heads), what, slips=slips)
    model, want = attention(6, 2), by_hand(attention(6, 2), x, 2)
    qkv, asked = model.qkv, ever_more()
    model.qkv = tt.nn.Sequential(qkv, asked)
    what = "Attention.forward where qkv gives its numbers, and twice those if it's asked again"
    with calling(what):
        got = model(tt.tensor(x))
    fail_if(asked.calls > 1, f"{what}: it was asked {asked.calls} times: ask once, and take query, "
            "key and value from that")  # fmt: skip
    expect(got, want, what)


def tenfold(factor=10):
    """A module that multiplies by 10."""

    class Tenfold(tt.nn.Module):
        def forward(self, x):
            return x * factor

    return Tenfold()


def ever_more():
    """A module that multiplies by how often it has been called."""

    class EverMore(tt.nn.Module):
        calls = 0

        def forward(self, x):
            self.calls += 1
            return x * self.calls

    return EverMore()


def block():
    """A Block in float64 whose parts can be told apart by hand; its norms scale and shift."""
    tt.manual_seed(6)
    model = tt.gpt.Block(4, 2).double()
    for k, norm in enumerate((model.ln1, model.ln2)):
        norm.weight.data = tt.tensor(np.arange(1.0, 5) * (k + 1))
        norm.bias.data = tt.tensor(np.arange(4.0) - k)
    return model


@pytest.mark.exercise("12.8", points=3)
def test_each_part_adds_to_what_came_in():
    model = block()
    attn = model.attn = tenfold()  # so that the block alone is judged
    x = tt.tensor(np.random.default_rng(4).normal(size=(2, 3, 4)))
    one, two, mlp = model.ln1, model.ln2, model.mlp
    h = x + attn(one(x))
    slips = {
        "x itself is added to what attn makes of it": attn(one(x)) + mlp(two(attn(one(x)))),
        "what mlp makes is added to what came into it": mlp(two(h)),
        "what attn makes is added to x first, and mlp's to that": x + mlp(two(attn(one(x)))),
        "attn and mlp get what the norms make": (lambda m: m + mlp(m))(x + attn(x)),
        "each part gets its own norm: mlp that of ln2": h + mlp(one(h)),
        "each part adds to what came in: x + attn(…), and then the same with mlp": mlp(
            two(attn(one(x)))
        ),
        "mlp gets the sum, x + attn(…), not x alone": h + mlp(two(x)),
        "x itself is added, not ln1 of x": (lambda n: (lambda m: m + mlp(two(m)))(n + attn(n)))(
            one(x)
        ),
        "ln1 is for attn, and ln2 for mlp": (lambda m: m + mlp(one(m)))(x + attn(two(x))),
        "attn comes first, then mlp": (lambda m: m + attn(one(m)))(x + mlp(two(x))),
        "each part gets the normalized input: attn that of ln1": (lambda m: m + mlp(two(m)))(
            x + attn(x)
        ),
        "mlp gets the normalized input, that of ln2": h + mlp(h),
        "mlp has been forgotten": h,
        "what mlp makes is added to the sum, x + attn(…), not to x alone": x + mlp(two(h)),
        "x itself is added, and then the sum, x + attn(…), not what the norms make of them": (
            lambda m: m + mlp(m)
        )(two(one(x) + attn(one(x)))),
        "add what was there before the norm": two(h) + mlp(two(h)),
    }
    sums = {"after both": (lambda m: two(m + mlp(m)))(one(x + attn(x))),
            "after the first": (lambda m: m + mlp(two(m)))(one(x + attn(x))),
            "after the first, and ln2 before": (lambda m: m + mlp(two(m)))(one(x + attn(one(x)))),
            "after the second": (lambda m: two(m + mlp(m)))(h),
            "after the second, and ln2 before": two(h + mlp(two(h)))}  # fmt: skip
    parts = {"after both": (lambda m: m + two(mlp(m)))(x + one(attn(x))),
             "after attn": (lambda m: m + mlp(two(m)))(x + one(attn(x))),
             "after mlp": h + two(mlp(h))}  # fmt: skip
    slips = [(wrong.detach().numpy(), why) for why, wrong in slips.items()]
    for late, where in ((sums, "the sum"), (parts, "it")):
        why = f"the norm comes before each part, not after {where}"
        slips += [(wrong.detach().numpy(), why) for wrong in late.values()]
    for when in ("", ", after eval()"):
        what = f"Block.forward where attn multiplies by 10{when}"
        with calling(what):
            got = model.forward(x)
        expect_return(got, what)
        expect(got, h + mlp(two(h)), what, slips=slips)
        model.eval()
    attn = model.attn = ever_more()
    what = "Block.forward where attn multiplies by 1, and by one more each time that it's asked"
    with calling(what):
        got = model.forward(x)
    h = x + one(x)
    slips = [(lambda _: attn.calls > 1, f"it was asked {attn.calls} times: ask once, and use that "
              "sum twice")]  # fmt: skip
    expect(got, h + mlp(two(h)), what, slips=slips)
    model.attn, model.mlp = tenfold(0), tenfold(0)
    x = tt.tensor(np.ones((1, 2, 4)), requires_grad=True)
    what = "Block.forward where attn and mlp multiply by 0, sent 1 everywhere: x.grad"
    with calling(what):
        model.forward(x).sum().backward()
    through = "x + … is the way through, and passes on what it receives"
    slips = [(None, through), (np.zeros((1, 2, 4)), through)]
    expect(x.grad, np.ones((1, 2, 4)), what, slips=slips)
