"""Chapter 12: who asks whom, who mustn't look, and what a block makes of it."""

import math
from functools import partial

import numpy as np
import pytest

import tinytorch as tt
from course.testing import calling, expect, fail_if, leaf

LN3 = math.log(3)


def attend(query, key, value, what, *options):
    with calling(what):
        return tt.nn.attention.attend(leaf(query), leaf(key), leaf(value), *options)


@pytest.mark.exercise("12.6", points=2)
def test_a_query_sees_itself_and_what_came_before():
    with calling("causal_mask(3, 3)"):
        got = tt.nn.attention.causal_mask(3, 3)
    fail_if(
        not isinstance(got, tt.Tensor), f"causal_mask(3, 3) is {type(got).__name__}: wrap(…) it"
    )
    expect(got.dtype, np.dtype(bool), "the dtype of causal_mask(3, 3)")
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
             ([[1, 0], [1, 1]], "its shape is (length, keys)")]  # fmt: skip
    expect(got, [[1, 0, 0, 0], [1, 1, 0, 0]], "causal_mask(2, 4)", slips=slips)


@pytest.mark.exercise("12.6", points=3)
def test_a_query_takes_a_mean_of_the_values():
    what = "attend(query=[[1]], key=[[ln 3], [0]], value=[[4], [8]])"
    got = attend([[1]], [[LN3], [0]], [[4], [8]], what)
    slips = [([[12]], "softmax is over the keys: the weights of a query add up to 1"),
             ([[4 * LN3]], "scores become weights by a softmax"),
             ([[6]], "the scores have no say in the weights"),
             ([[(4 * 3**0.5**0.5 + 8) / (3**0.5**0.5 + 1)]], "E is query.shape[-1], 1 here"),
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


@pytest.mark.exercise("12.6", points=2)
def test_scores_are_scaled():
    query, key, value = [[2, 0, 0, 0]], [[LN3, 1, 1, 1], [0, 1, 1, 1]], [[4], [8]]
    what = "attend of query [2, 0, 0, 0], keys [ln 3, 1, 1, 1] and [0, 1, 1, 1], values 4 and 8"
    got = attend(query, key, value, what)
    weighed = lambda factor: [[(4 * 3**factor + 8) / (3**factor + 1)]]  # noqa: E731
    slips = [(weighed(2), "the scale is 1 / sqrt(E)"), (weighed(0.5), "1 / sqrt(E), not 1 / E"),
             (weighed(4), "divide by sqrt(E)"), (weighed(2 / 2**0.5), "E is query.shape[-1]"),
             (weighed(0.25), "scaled twice")]  # fmt: skip
    expect(got, [[5]], what, slips=slips, because="E is 4, and half of 2 ln 3 is ln 3")
    got = attend(query, key, value, what, None, 0.0)
    slips = [([[5]], "a scale of 0 is a scale: ask whether it's None")]
    expect(got, [[6]], f"{what}, with scale=0,", slips=slips, because="all weights are equal")
    got = attend(query, key, value, what, None, 1.0)
    slips = [([[5]], "a scale was given")]
    expect(got, weighed(2), f"{what}, with scale=1", slips=slips)


@pytest.mark.exercise("12.6", points=2)
def test_what_is_masked_has_no_weight():
    query, key, value = [[1]], [[LN3], [0], [LN3]], [[4], [8], [1000]]
    what = "attend of keys ln 3, 0 and ln 3, values 4, 8 and 1000, the last one masked,"
    got = attend(query, key, value, what, tt.tensor([[True, True, False]]))
    slips = [([[20 / 7]], "mask the scores, before softmax: the others must still add up to 1"),
             ([[1000]], "True is where a query may look, not where it mustn't"),
             ([[3020 / 7]], "the mask has no effect"),
             ([[204]], "a masked score is minus infinity, not 0"),
             (lambda g: np.isnan(g.detach().numpy()).any(), "NaN: infinity times 0?")]  # fmt: skip
    expect(got, [[5]], what, slips=slips, because="weights 3/4, 1/4 and 0")
    got = attend(query, key, value, what, tt.tensor([[0.0, LN3, -math.inf]], dtype=tt.float64))
    what = "the same with the mask of numbers 0, ln 3, -infinity,"
    expect(got, [[6]], what, because="numbers are added to the scores: masked(scores, mask)")
    got = attend(query, key, value, what, tt.tensor([[False, False, False]]))
    slips = [(lambda g: np.isnan(g.detach().numpy()).any(), "safe_softmax knows what to do"),
             ([[1012 / 3]], "a masked score is minus infinity, not just far below 0")]  # fmt: skip
    expect(got, [[0]], "attend where all is masked", slips=slips)


@pytest.mark.exercise("12.6", points=1)
def test_dropout_drops_weights():
    what = "attend with dropout_p=0.5 of 1 query, 400 equal keys, value = the identity,"
    tt.manual_seed(0)
    twice = np.hstack([np.eye(400), np.eye(400)])
    got = attend(np.zeros((1, 2)), np.zeros((400, 2)), twice, what, None, None, 0.5)
    left, right = got.detach().numpy().reshape(2, 400)
    fail_if(
        not np.array_equal(left, right) and {*np.round(left * 400, 6)} <= {0, 2},
        f"{what} twice: the two halves of the result differ: drop weights, not results",
    )
    found = set(np.round(got.detach().numpy().ravel() * 400, 6))
    slips = [
        (lambda g: g == [1.0], "dropout(weights, dropout_p)"),
        (lambda g: not set(g) <= {0.0, 1.0, 2.0}, "drop weights, after softmax"),
    ]
    expect(sorted(found), [0.0, 2.0], f"{what} 400 times what's in the result", slips=slips)
    share = float((got.detach().numpy() == 0).mean())
    fail_if(not 0.4 < share < 0.6, f"{what} dropped {share:.0%} of the weights")


def attention(width=4, heads=2):
    """An Attention in float64 whose numbers are always the same."""
    tt.manual_seed(5)
    return tt.gpt.Attention(width, heads).double()


def turned(heads, parts):
    """Arrays (…, D), in the last axis of which heads and their numbers are exchanged."""
    parts = np.array(parts)
    split = parts.reshape(*parts.shape[:-1], heads, parts.shape[-1] // heads)
    return split.swapaxes(-1, -2).reshape(parts.shape)


def by_hand(model, x, heads, first=lambda parts: parts, last=lambda out: out, scale=None):
    """What Attention gives, head by head and letter by letter.

    And what it gives if something else is done with the three parts `first`, or `last` with the
    answers before they are projected.
    """
    w, b = (p.detach().numpy() for p in (model.qkv.weight, model.qkv.bias))
    width = x.shape[-1]
    q, k, v = first(np.split(x @ w.T + b, 3, axis=-1))
    size, out = width // heads, np.zeros_like(x)
    for n, head, i in np.ndindex(len(x), heads, x.shape[1]):
        part = slice(head * size, (head + 1) * size)
        scores = k[n, : i + 1, part] @ q[n, i, part] * (scale or 1 / np.sqrt(size))
        weights = np.exp(scores - scores.max())
        out[n, i, part] = weights @ v[n, : i + 1, part] / weights.sum()
    return last(out) @ model.proj.weight.detach().numpy().T + model.proj.bias.detach().numpy()


@pytest.mark.exercise("12.7", points=2)
def test_no_letter_hears_from_those_after_it():
    model, x = attention(), np.random.default_rng(3).normal(size=(1, 5, 4))
    what = "Attention.forward of a text of 5 letters"
    with calling(what):
        before = model(tt.tensor(x))
    expect(tuple(before.shape), (1, 5, 4), f"the shape of {what}")
    for i in range(1, 5):
        changed = np.array(x)
        changed[0, i:] += 1
        moved = abs(model(tt.tensor(changed)) - before).detach().numpy().max(axis=(0, 2)) > 1e-12
        fail_if(moved[:i].any(), f"{what}: letter {moved.argmax()} changed with letters {i} to 4: "
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


@pytest.mark.exercise("12.7", points=4)
def test_each_head_has_its_own_part():
    x = np.random.default_rng(4).normal(size=(2, 3, 6))
    for heads in (1, 2, 3):
        model = attention(6, heads)
        what = f"Attention.forward of 2 texts of 3 letters, 6 numbers each, in {heads} parts"
        with calling(what):
            got = model(tt.tensor(x))
        swaps = {"query and key are exchanged": lambda p: (p[1], p[0], p[2]),
                 "query and value are exchanged": lambda p: (p[2], p[1], p[0]),
                 "key and value are exchanged": lambda p: (p[0], p[2], p[1]),
                 "queries, keys and values are mixed up": lambda p: (p[1], p[2], p[0])}  # fmt: skip
        slips = [(by_hand(model, x, heads, swap), reason) for reason, swap in swaps.items()]
        slips += [(x + by_hand(model, x, heads), "the sum with x is Block's work")]
        slips += [
            (
                by_hand(model, x, heads, last=partial(turned, heads)),
                "the first head's answer comes first, whole",
            )
        ]
        slips += [
            (
                by_hand(model, x, heads, partial(turned, heads)),
                "each head has numbers that stand side by side",
            )
        ]
        for scale in (1.0, 6**-0.5, heads / 6):
            slips += [(by_hand(model, x, heads, scale=scale), "attention sees to the scale itself")]
        others = {
            n: f"that's what {n} head{'s' * (n > 1)} would say" for n in (1, 2, 3, 6) if n != heads
        }
        slips += [(by_hand(model, x, n), reason) for n, reason in others.items()]
        expect(got, by_hand(model, x, heads), what, slips=slips)


def tenfold():
    """A module that multiplies by 10."""

    class Tenfold(tt.nn.Module):
        def forward(self, x):
            return x * 10

    return Tenfold()


def block():
    """A Block in float64 whose parts can be told apart by hand; its norms scale and shift."""
    tt.manual_seed(6)
    model = tt.gpt.Block(4, 2).double()
    for k, norm in enumerate((model.ln1, model.ln2)):
        norm.weight.data = tt.tensor(np.arange(1.0, 5) * (k + 1))
        norm.bias.data = tt.tensor(np.arange(4.0) - k)
    return model


@pytest.mark.exercise("12.7", points=3)
def test_each_part_adds_to_what_came_in():
    model = block()
    attn = model.attn = tenfold()  # so that the block alone is judged
    x = tt.tensor(np.random.default_rng(4).normal(size=(2, 3, 4)))
    one, two, mlp = model.ln1, model.ln2, model.mlp
    h = x + attn(one(x))
    slips = {
        "x itself is added to what attn makes of it": attn(one(x)) + mlp(two(attn(one(x)))),
        "what mlp makes is added to what came into it": mlp(two(h)),
        "each part gets its own norm: mlp that of ln2": h + mlp(one(h)),
        "mlp gets what attn has left, not x": h + mlp(two(x)),
        "x itself is added, not ln1 of x": (lambda n: (lambda m: m + mlp(two(m)))(n + attn(n)))(
            one(x)
        ),
        "attn comes first, then mlp": (lambda m: m + attn(one(m)))(x + mlp(two(x))),
        "each part gets the normalized input: attn that of ln1": (lambda m: m + mlp(two(m)))(
            x + attn(x)
        ),
        "mlp gets the normalized input, that of ln2": h + mlp(h),
        "the norm comes before each part, not after the sum": two(
            one(x + attn(x)) + mlp(one(x + attn(x)))
        ),
        "mlp has been forgotten": h,
        "add what was there before the norm": two(h) + mlp(two(h)),
    }
    what = "Block.forward, with an attn that multiplies by 10,"
    with calling(what):
        got = model.forward(x)
    want = h + mlp(two(h))
    expect(got, want, what, slips=[(wrong.detach().numpy(), why) for why, wrong in slips.items()])
