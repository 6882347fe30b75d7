"""Chapter 10: dropout and batch norm, in a rehearsal and in a performance."""

from contextlib import ExitStack
from unittest.mock import patch

import numpy as np
import pytest

import tinytorch as tt
from course.testing import calling, expect, fail_if, leaf, worded

SHARED = "each element has its own number: rng.random(x.shape)"
ITSELF = "in a performance it's x itself that comes back"
LEARNED = "it's learned: it goes into the formula as it is, with its history"


def switches_asked(call):
    """Which of is_training() and is_recording() a call asks for."""
    asked = set()
    with ExitStack() as stack:
        for name in ("is_training", "is_recording"):
            asks = getattr(tt.modes, name)
            tells = lambda name=name, asks=asks: asked.add(name) or asks()  # noqa: E731
            for module in (tt.modes, tt.rehearsal):
                stack.enter_context(patch.object(module, name, tells, create=True))
        call()
    return asked


class Dice:
    """In place of a generator: the numbers that random() gives, and what it was asked for."""

    def __init__(self, *numbers):
        self.numbers, self.asked = numbers, []

    def random(self, size=None, dtype=np.float64, out=None):
        self.asked.append(size if size is None else tuple(map(int, np.atleast_1d(size))))
        return np.resize(np.array(self.numbers, dtype), () if size is None else size)


def wants_arrays(error):
    """Is it about np, which isn't there, or a tensor's numpy(), which would lose its history?"""
    lost = isinstance(error, RuntimeError) and "would lose its history" in str(error)
    return lost or isinstance(error, NameError) and error.name in ("np", "numpy")


MEMORY = ((wants_arrays, "the memory is a Tensor, made under no_grad()"),)


def rehearsal():
    return tt.state.Switch(training=True)


def performance():
    return tt.state.Switch(training=False)


def dropped(x, p, *dice, training=True):
    """(what dropout gave, the dice)"""
    rng = Dice(*dice)
    kind = "a rehearsal" if training else "a performance"
    slips = [(lambda e: "'Dice' object has no" in str(e), "ask rng.random(x.shape)"),
             (worded(TypeError, "as a data type"), "the shape goes in whole: rng.random(x.shape)"),
             (lambda e: "numpy() on a tensor that requires" in str(e), "an array has no history, "
              "with or without detach(): multiply x itself by a Tensor of factors"),
             (wants_arrays, "no NumPy is needed: the coins come from rng")]  # fmt: skip
    with tt.state.Switch(training=training):
        with calling(f"dropout(x, {p}, rng) in {kind}", slips=slips):
            result = tt.rehearsal.dropout(x, p, rng)
        what = f"dropout(x, {p}, rng) in {kind}"
        fail_if(result is None, f"{what} gave None: it has to return the Tensor that it makes")
        fail_if(not isinstance(result, tt.Tensor), f"{what} gave {result!r}, expected a Tensor")
    return result, rng


def leaves_behind(result):
    """The leaves that a result's history leads to."""
    found, stack = set(), [result.grad_fn]
    while stack:
        node = stack.pop()
        if node is not None and node not in found:
            found.add(node)
            stack += [edge for edge, _ in node.next_functions]
    return [node.variable for node in found if hasattr(node, "variable")]


@pytest.mark.exercise("10.2", points=2)
def test_what_is_below_p_is_dropped_and_the_rest_is_louder():
    x = tt.tensor([8.0, 16.0, 24.0, 32.0])
    got, rng = dropped(x, 0.2, 0.1, 0.7, 0.2, 0.9)
    what = "dropout of [8, 16, 24, 32], p = 0.2, where rng.random gives [0.1, 0.7, 0.2, 0.9],"
    louder = "those that stay are divided by 1 - p"
    unasked = "rng wasn't asked: rng.random(x.shape) says who's dropped"
    one = "rng.random() is a single number: rng.random(x.shape) is one for each element"

    def asked(got):
        """Which switches it asks for, if it gave what it was given."""
        return got.tolist() == x.tolist() and switches_asked(lambda: dropped(x, 0.2, 0.1))

    slips = [(lambda got: not rng.asked and got.tolist() != x.tolist(), unasked),
             (lambda got: None in rng.asked, one),
             ([0, 16, 24, 32], louder), ([0, 80, 120, 160], f"{louder}, not by p"),
             ([0, 12.8, 19.2, 25.6], f"{louder}, not multiplied"),
             ([0, 3.2, 4.8, 6.4], f"{louder}, not multiplied by p"),
             ([10, 0, 0, 0], "those below p are dropped, and the others stay"),
             ([10, 0, 30, 0], "those below p are dropped, and the others stay"),
             ([10, 20, 30, 0], "those below p are dropped: compare with p, and not with 1 - p"),
             ([0, 20, 0, 40], "0.2 is not below 0.2, so it stays"),
             ([0, 80, 0, 160], f"{louder}, not by p; and 0.2 is not below 0.2, so it stays"),
             ([0, 1.25, 1.25, 1.25], "those are the factors: multiply x by them"),
             ([-0.2, 15.8, 23.8, 31.8], "1 - p needs brackets: / 1 - p divides by 1, and takes p "
              "off"),
             ([0, 32, 48, 64], "1 - p is 0.8 here, and not always a half"),
             ([40, 0, 0, 0], "p is the share that's dropped, not the one that stays"),
             ([0, 16 / 0.75, 32, 32 / 0.75], "divide by 1 - p, whatever share happened to stay"),
             (lambda got: any(shape != (4,) for shape in rng.asked), f"{SHARED}, and not of "
              "another shape"),
             (lambda got: asked(got) == {"is_recording"}, "that asks is_recording(): is_training() "
              "says whether it's a rehearsal"),
             (lambda got: asked(got) == set(), "is_training() wasn't asked in this call: each call "
              "asks anew"),
             ([8, 16, 24, 32], "in a rehearsal some are dropped")]  # fmt: skip
    expect(got, [0, 20, 30, 40], what, slips=slips)
    because = "rng.random(x.shape), once"
    expect(tuple(rng.asked), ((4,),), "the shapes that rng.random was asked for", because=because)
    because = "x stays as it is: what comes back is new"
    expect(x, [8, 16, 24, 32], "x after dropout(x, 0.2, rng)", because=because)
    with tt.no_grad():
        got, _ = dropped(x, 0.2, 0.1, 0.7, 0.2, 0.9)
    slips = [([8, 16, 24, 32], "training decides, not recording")]
    expect(got, [0, 20, 30, 40], "the same dropout under no_grad()", slips=slips)


@pytest.mark.exercise("10.2", points=1)
def test_each_element_has_its_own_number():
    x = tt.tensor([[1.0, 1.0], [1.0, 1.0]])
    got, _ = dropped(x, 0.5, 0.1, 0.7, 0.8, 0.3)
    slips = [([[0, 2], [0, 2]], SHARED), ([[0, 0], [2, 2]], SHARED)]
    what = "dropout of [[1, 1], [1, 1]], p = 0.5, where rng gives [[0.1, 0.7], [0.8, 0.3]],"
    expect(got, [[0, 2], [2, 0]], what, slips=slips)
    rng = Dice(0.9, 0.9)
    with rehearsal():
        for numbers, want in (((0.9, 0.1), [2, 0]), ((0.1, 0.9), [0, 2])):
            rng.numbers = numbers
            again = tt.rehearsal.dropout(tt.tensor([1.0, 1.0]), 0.5, rng)
            what = f"the next dropout of [1, 1], where rng.random now gives {list(numbers)},"
            expect(again, want, what, because="each call draws anew")


@pytest.mark.exercise("10.2", points=1)
def test_in_a_performance_nobody_is_dropped():
    x = leaf([8.0, 16.0])
    got, rng = dropped(x, 0.5, 0.1, 0.7, training=False)
    slips = [([0, 32], "is_training() is False in a performance"),
             ([4, 8], "nothing is scaled in a performance: those that stayed were louder already"),
             ([16, 32], "nobody is missing, so nobody has to be louder")]  # fmt: skip
    expect(got, [8, 16], "dropout of [8, 16] in a performance", slips=slips)
    fail_if(got is not x, f"dropout(x, 0.5, rng) gave a new Tensor in a performance: {ITSELF}")
    because = "in a performance nothing is asked of rng"
    expect(len(rng.asked), 0, "how often rng was asked in a performance", because=because)


@pytest.mark.exercise("10.2", points=1)
def test_only_those_that_stayed_get_a_gradient():
    x = leaf([8.0, 16.0, 24.0])
    got, _ = dropped(x, 0.2, 0.1, 0.7, 0.9)
    fail_if(not got.requires_grad, "dropout(x, p, rng) has no history: multiply Tensors")
    found = leaves_behind(got)
    because = "the factors are constants"
    expect(len(found), 1, "how many leaves the history of dropout(x, p, rng) has", because=because)
    got.backward(tt.tensor([1.0, 10.0, 100.0], dtype=tt.float64))
    slips = [([0, 10, 100], "the factor 1 / (1 - p) belongs to the slope too"),
             ([1, 10, 100], "who was dropped has no say, and hears nothing")]  # fmt: skip
    what = "x.grad after dropout with p = 0.2 that drops the first of three, sent [1, 10, 100],"
    expect(x.grad, [0, 12.5, 125], what, slips=slips)


@pytest.mark.exercise("10.2", points=1)
def test_the_dtype_stays():
    for dtype in (tt.float32, tt.float64):
        got, _ = dropped(tt.tensor([1.0, 2.0], dtype=dtype), 0.5, 0.1, 0.7)
        slips = {tt.float64: "NumPy's factors are float64: tensor(factors, dtype=x.dtype)",
                 tt.float32: "x says which dtype it is"}  # fmt: skip
        expect(got.dtype, dtype, f"the dtype of dropout(x, p, rng), x is {dtype},", slips=slips)
    got, _ = dropped(tt.tensor([3.0], dtype=tt.float64), 0.3, 0.9)
    single = 3.0 * float(np.float32(1 / 0.7))
    slips = [(lambda got: got.item() == single, "its factor was float32: dtype=x.dtype")]
    what = "dropout of [3], p = 0.3, which stays, in float64,"
    because = "it's 3 / (1 - p), and nothing is added to that or taken off"
    expect(got, [3.0 / 0.7], what, slips=slips, because=because, rtol=1e-12, atol=0)


def norm_with(mean=(0, 0), variance=(1, 1), scale=(1, 1), shift=(0, 0), **options):
    """A BatchNorm of two columns with these numbers, in float64."""
    layer = tt.rehearsal.BatchNorm(2, **options)
    for name, numbers in dict(mean=mean, variance=variance).items():
        setattr(layer, name, tt.tensor(np.array(numbers, np.float64)))
    layer.scale, layer.shift = leaf(scale), leaf(shift)
    return layer


def normed(layer, x, training, what):
    """What the layer gives for x, a leaf; `what` says which."""
    switch = "the mode is no attribute of the layer: ask is_training()"
    nothing = "self.remember() gives nothing: it only remembers, and the batch's own are used"
    slips = [(lambda e: "has no attribute 'training'" in str(e), switch),
             (worded(TypeError, "argument: 'variance'"), "self.remember(mean, variance): both, and "
              "not the batch"),
             (worded(TypeError, "cannot unpack non-iterable NoneType"), nothing),
             (wants_arrays, "no array is needed: Tensors have mean(), var() and sqrt(), and keep "
              "their history")]  # fmt: skip
    with tt.state.Switch(training=training), calling(what, slips=slips):
        result = layer(x)
    fail_if(not isinstance(result, tt.Tensor), f"{what} gave {result!r}, expected a Tensor")
    return result


def passed_back(result, grad, what):
    """Send an array backward from what a layer gave."""
    both = "slopes flow in both modes: only what's remembered is computed under no_grad()"
    fail_if(not result.requires_grad, f"{what} the result has no history: {both}")
    with calling(f"{what} backward()"):
        result.backward(tt.tensor(np.array(grad, np.float64)))


@pytest.mark.exercise("10.3", points=2)
def test_remember_takes_a_step_towards_the_batch():
    layer = norm_with(mean=[8, 4], variance=[1, 1], momentum=0.25)
    old, came = (layer.mean, layer.variance), (leaf([4, 8]), leaf([9, 5]))
    with calling("remember(mean, variance)", slips=MEMORY):
        layer.remember(*came)
    what = "momentum = 0.25, mean [8, 4] and variance [1, 1], after remember([4, 8], [9, 5]): "
    turned = "momentum is the share of what came, and 1 - momentum that of what was"
    whole = "momentum * what came: all of it was added"
    shrinks = "(1 - momentum) times what it was: the old one shrinks"
    slips = [([5, 7], turned), ([4, 8], "what was there counts too"), ([8, 4], "nothing moved"),
             ([10, 11], whole), ([9, 6], shrinks), ([12, 12], f"{shrinks}; and {whole}"),
             ([9, 3], "that's a step away from the batch, and not towards it"),
             ([7.6, 4.4], "use self.momentum: this layer's is not 0.1")]  # fmt: skip
    half = "use self.momentum: that's half of each"
    slips.append(([6, 6], half))
    for name in ("mean", "variance"):
        kind = type(getattr(layer, name)).__name__
        fail_if(kind != "Tensor", f"{what}{name} is of type {kind}: it stays a Tensor")
    expect(layer.mean, [7, 5], f"{what}mean", slips=slips)
    slips = [
        ([7, 4], turned),
        ([9, 5], "what was there counts too"),
        ([1, 1], "it's still what it was, and the mean has moved: both are remembered"),
        ([3.25, 2.25], shrinks),
        ([9.75, 5.75], whole),
        ([1.5**2, (0.75 + 0.25 * 5**0.5) ** 2], "the variance moves, not its root"),
        ([5, 3], half),
        ([-1, 0], "that's a step away from the batch, and not towards it"),
        ([7.5, 5], "that starts from self.mean: the variance moves from self.variance"),
        ([8.25, 4.25], "that starts from self.mean: the variance moves from self.variance"),
        ([0.75 + 0.25 * 3, 0.75 + 0.25 * 5**0.5], "that goes towards the root of what came"),
        *[
            ([3 + moved, 2 + moved], "it goes a step towards what came: the means have no part")
            for moved in (2.25, 3, 4)  # by the distance of the means, squared, at three places
        ],
        ([2, 5 / 4 + 6 / 4], "that goes towards the mean that came, not the variance"),
        ([1.75, 2.75], "that goes towards the mean that came, not the variance"),
    ]
    expect(layer.variance, [3, 2], f"{what}variance", slips=slips)
    for name, tensor, want in zip(("mean", "variance"), old, ([8, 4], [1, 1]), strict=True):
        because = "remember() makes a new Tensor, and the old one stays as it was"
        expect(tensor, want, f"the Tensor that was in layer.{name} before", because=because)
    because = "what came stays as it is: __call__ still needs it"
    for name, tensor, want in zip(("mean", "variance"), came, ([4, 8], [9, 5]), strict=True):
        expect(tensor, want, f"the {name} that remember() was given, after it,", because=because)


@pytest.mark.exercise("10.3", points=1)
def test_what_is_remembered_has_no_history():
    layer = norm_with()
    x = leaf([[1.0, 2.0], [3.0, 6.0]])
    given = x.mean(0), x.var(0, correction=0)
    with calling("remember(mean, variance)", slips=MEMORY):
        layer.remember(*given)
    slips = {(False, False): "what came stays as it is: detach() a copy, or use no_grad()"}
    what = "(requires_grad of mean, of variance), which were handed to remember(), after it,"
    expect(tuple(t.requires_grad for t in given), (True, True), what, slips=slips)
    for name in ("mean", "variance"):
        because = "it would hold on to this batch, and through it to all before"
        what = f"layer.{name}.requires_grad after remember()"
        kept = getattr(layer, name)
        asks = "it's no leaf that asks for gradients: it isn't learned"
        held = "a memory with a history holds on to every batch: use no_grad()"
        slips, got = {True: asks if kept.is_leaf else held}, kept.requires_grad
        expect(got, False, what, slips=slips, because=because)


def wrong_ways(batch):
    """What a batch would become with eps = 0, by mistakes that each give numbers of their own."""
    away, rows = batch - batch.mean(0), batch.T - batch.mean(1)
    no_root = "divide by the root of the variance"
    twice = "that's the root of a root: the variance is x.var(0, correction=0), and no root yet"
    column, row = "of each column, not of the whole batch", "of the columns, not the rows"
    unbiased = ("the mean of the squared distances: divide by N, "
                "not N - 1, as var(0, correction=0) does")  # fmt: skip
    return [
        (away, no_root),
        (batch - batch.mean(0) / batch.std(0), "brackets: first subtract the mean, then divide"),
        (np.ones(batch.shape), "multiply by scale and add shift, not the other way round"),
        (away / batch.var(0), no_root),
        (away / batch.std(0) ** 0.5, twice),
        (away / batch.std(0, ddof=1) ** 0.5, twice),
        (away / batch.std(0, ddof=1), unbiased),
        (away / (batch**2).mean(0) ** 0.5, "squares of the distances from the mean"),
        (batch / batch.std(0), "subtract the mean"),
        ((rows / batch.std(1)).T, f"mean and variance are those {row}"),
        ((batch - batch.mean(1)) / batch.std(0), f"the mean is that {row}"),
        (rows.T / batch.std(0), f"the mean is that {row}"),
        (away / batch.std(1), f"the variance is that {row}"),
        ((away.T / batch.std(1)).T, f"the variance is that {row}"),
        ((batch - batch.mean(1)) / batch.std(1), f"mean and variance are those {row}"),
        ((batch - batch.mean()) / batch.std(), f"mean and variance are those {column}"),
        ((batch - batch.mean()) / batch.std(ddof=1), f"mean and variance are those {column}"),
        ((batch - batch.mean()) / batch.std(0), f"the mean is that {column}"),
        (away / batch.std(), f"the variance is that {column}"),
    ]


@pytest.mark.exercise("10.3", points=2)
def test_in_a_rehearsal_each_column_gets_mean_0_and_variance_1():
    x = leaf([[1.0, 10.0], [3.0, 30.0]])
    layer = norm_with(mean=[5, 5], variance=[4, 25], eps=0)
    what = "BatchNorm of [[1, 10], [3, 30]] in a rehearsal, eps = 0,"
    own = "is that of this batch in a rehearsal, not the remembered one"

    def by_distances(got):
        """Of two rows, the mean distance is the root of the variance too; of three it isn't."""
        three = np.array([[1.0, 10.0], [3.0, 30.0], [8.0, 80.0]])
        away = three - three.mean(0)
        now = normed(norm_with(eps=0), tt.tensor(three), True, what).detach().numpy()
        return np.allclose(now, away / np.abs(away).mean(0) ** 0.5)

    numbers = x.detach().numpy()
    away, root = numbers - numbers.mean(0), numbers.std(0)
    slips = [
        (by_distances, "the mean of the squared distances: those aren't squared"),
        *wrong_ways(numbers),
        ((numbers - 5) / root, f"the mean {own}"),
        (away / [2, 5], f"the variance {own}"),
    ]
    for memory in ([5, 5], [4.7, 6.5]):  # before remember(), and after it
        squares = ((numbers - memory) ** 2).mean(0)
        slips += [(away / squares**0.5, "squares of the distances from the batch's own mean, not "
                   "from the remembered one")]  # fmt: skip
    slips += [
        ([[-2, 1], [-1, 5]], "that's with the remembered mean and variance"),
        (
            [[-3.7 / 3.7**0.5, 3.5 / 32.5**0.5], [-1.7 / 3.7**0.5, 23.5 / 32.5**0.5]],
            "that's with the mean and variance that it has just remembered",
        ),
    ]
    expect(normed(layer, x, True, what), [[-1, -1], [1, 1]], what, slips=slips)
    layer = norm_with(scale=[2, 3], shift=[10, 20], eps=0)
    got, what = normed(layer, x, True, what), f"{what} scale [2, 3], shift [10, 20],"
    slips = [([[-1, -1], [1, 1]], "scale and shift were forgotten"),
             ([[9, 19], [11, 21]], "scale was forgotten"),
             ([[-2, -3], [2, 3]], "shift was forgotten"),
             ([[9.5, 20 - 1 / 3], [10.5, 20 + 1 / 3]], "multiply by scale"),
             ([[18, 57], [22, 63]], "first scale, then shift"),
             ([[-12, -23], [12, 23]], "shift is added to the product, not to scale")]  # fmt: skip
    expect(got, [[8, 17], [12, 23]], what, slips=slips)
    got = normed(norm_with(eps=3), x, True, "BatchNorm with eps = 3")
    what = "BatchNorm of [[1, 10], [3, 30]] in a rehearsal, eps = 3,"
    outside = [(-1 / (1 + 3), "eps is added to the variance, before the root is taken"),
               (-1 / (1 + 3**0.5), "eps is added to the variance, before the root is taken"),
               (lambda got: 1e-6 < 1 + got.item() < 1e-4, "use self.eps: this layer's isn't 1e-5"),
               (-1 / 3**0.5, "eps is no lower limit: it's added to each variance"),
               (-1.0, "eps is added to the variance")]  # fmt: skip
    expect(got[0, 0], -0.5, f"{what} element [0, 0]", slips=outside)
    x, layer = tt.tensor([[10000.0], [10001.0], [10003.0]]), tt.rehearsal.BatchNorm(1)
    got = normed(layer, x, True, "BatchNorm in a rehearsal of 10000, 10001 and 10003, in float32")
    far = "subtract the mean before you square: squares of large numbers have no digits left"
    alone = "is_training() alone decides, and x requires no grad here"
    squared = "that's divided by the mean distance, not by the root of the variance"
    slips = [
        (lambda got: np.allclose(got.detach().numpy(), [-1.2, -0.3, 1.5], atol=1e-3), squared),
        (
            lambda got: (got / x[:, 0] - 1).abs().max().item() < 1e-4,
            f"that's with the remembered mean and variance: {alone}",
        ),
        (lambda got: not abs(got.mean().item()) > 0.01 * got.abs().max().item(), far),
    ]
    what = "BatchNorm of the column 10000, 10001, 10003 in a rehearsal, in float32,"
    expect(got[:, 0], [-1.06904, -0.26726, 1.33631], what, slips=slips, atol=1e-3)


@pytest.mark.exercise("10.3", points=1)
def test_in_a_performance_it_relies_on_its_memory():
    layer = norm_with(mean=[1, 2], variance=[4, 9], scale=[10, 10], eps=0)
    x = leaf([[3.0, 8.0]])
    what = "BatchNorm of the batch [[3, 8]] in a performance, mean [1, 2], variance [4, 9],"
    slips = [
        ([[0, 0]], "that's with the mean of this batch"),
        ([[np.nan, np.nan]], "that's with the mean and the variance of this batch"),
        ([[1.8 / 3.6**0.5 * 10, 5.4 / 8.1**0.5 * 10]], "in a performance nothing is remembered"),
        ([[1, 2]], "scale is forgotten"),
        ([[5, 20 / 3]], "the variance is under a root"),
        ([[20, 60]], "divide by the root of the variance"),
        ([[15, 80 / 3]], "subtract the mean"),
    ]
    expect(normed(layer, x, False, what), [[10, 20]], f"{what} scale 10, eps = 0,", slips=slips)
    got = normed(norm_with(variance=[1, 1], eps=3), x, False, "BatchNorm with eps = 3")
    slips = [([[3, 8]], "eps is added to the variance, in a performance too")]
    what = "BatchNorm of the batch [[3, 8]] in a performance, mean 0, variance 1, eps = 3,"
    expect(got, [[1.5, 4]], what, slips=slips)
    because = "in a performance nothing is remembered"
    expect(layer.mean, [1, 2], "layer.mean after a performance", because=because)
    expect(layer.variance, [4, 9], "layer.variance after a performance", because=because)


@pytest.mark.exercise("10.3", points=1)
def test_it_remembers_in_rehearsals_once_each():
    layer = norm_with(mean=[0, 0], variance=[1, 1], momentum=0.5, eps=3)
    x = leaf([[1.0, 10.0], [3.0, 30.0]])
    normed(layer, x, True, "BatchNorm of [[1, 10], [3, 30]] in a rehearsal")
    what = "momentum = 0.5, mean 0, variance 1, after a rehearsal with [[1, 10], [3, 30]]: "
    slips = [([0, 0], "remember() hears of each batch"), ([1.5, 15], "once is enough"),
             ([2, 20], "that's the mean of this batch alone: hand it to self.remember()"),
             ([0.5, 50], "remember(mean, variance), in this order"),
             ([5.5, 5.5], "that's with the mean of the whole batch, and not of each column"),
             ([2.75, 8.25], "that's with the means of the rows, and not of the columns"),
             (lambda got: got.dim() == 2, "one number for each column: no keepdim")]  # fmt: skip
    expect(layer.mean, [1, 10], f"{what}layer.mean", slips=slips)
    unbiased = "the variance is the mean of the squared distances here too: that's over N - 1"
    slips = [([1.5, 100.5], unbiased),
             ([1, 5.5], "that's with the root: remember() hears of the variance itself"),
             ([2.5, 52], "that's with eps: remember() hears of the variance itself")]  # fmt: skip
    expect(layer.variance, [1, 50.5], f"{what}layer.variance", slips=slips)
    with tt.no_grad():
        normed(layer, x, True, "BatchNorm in a rehearsal under no_grad()")
    slips = [
        ([1, 10], "remember() hears of each rehearsal: training decides, not recording"),
        ([1.495, 14.95], "self.momentum stays what it is"),
    ]
    what = "layer.mean after a second rehearsal, under no_grad()"
    expect(layer.mean, [1.5, 15], what, slips=slips)
    layer = norm_with(mean=[0, 0], variance=[1, 1], momentum=0.5)
    what = "BatchNorm in a rehearsal with a batch of one, [[5, 6]]"
    got = normed(layer, leaf([[5.0, 6.0]]), True, what)
    one = "a batch of one is a batch: it's the mean of its columns"
    slips = [(lambda got: got.tolist() != [[0, 0]], one)]
    expect(got, [[0, 0]], f"{what}: the result", slips=slips)
    slips = [([0, 0], one)]
    expect(layer.mean, [2.5, 3], f"{what}, momentum = 0.5, mean 0: layer.mean", slips=slips)


@pytest.mark.exercise("10.3", points=2)
def test_slopes_flow_through_mean_and_variance():
    layer = norm_with(scale=[2, 3], shift=[10, 20], eps=0)
    x, what = leaf([[1.0, 10.0], [3.0, 30.0], [8.0, 80.0]]), "BatchNorm in a rehearsal, backward:"
    got = normed(layer, x, True, what)
    sent = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    passed_back(got, sent, what)
    numbers = x.detach().numpy()
    away, root = numbers - numbers.mean(0), numbers.std(0)
    y, grad = away / root, sent * [2, 3]
    want = (grad - grad.mean(0) - y * (grad * y).mean(0)) / root
    fixed = "each element moves its column's mean and variance: let the slopes flow through both"
    slips = [
        (None, "the slopes flow to x, too: it goes into the formula as it is"),
        (grad / root, fixed),
        ((grad - grad.mean(0)) / root, "the variance moves with each element, too"),
        ((grad - y * (grad * y).mean(0)) / root, "the mean moves with each element, too"),
    ]
    expect(x.grad, want, f"{what} x.grad", slips=slips)
    slips = {None: LEARNED}
    expect(layer.scale.grad, (sent * y).sum(0), f"{what} layer.scale.grad", slips=slips)
    expect(layer.shift.grad, sent.sum(0), f"{what} layer.shift.grad", slips=slips)
    layer, x = norm_with(mean=[1, 2], variance=[4, 9], scale=[2, 3], eps=0), leaf([[3.0, 8.0]])
    what = "BatchNorm in a performance, backward:"
    passed_back(normed(layer, x, False, what), [[1.0, 1.0]], what)
    what = "BatchNorm in a performance, variance [4, 9] and scale [2, 3]: x.grad"
    expect(x.grad, [[1, 1]], what, because="scale / root of the variance")
