"""Chapter 11: how weights start, how they move, and in which pieces the data comes."""

from itertools import islice
from math import prod

import numpy as np
import pytest

import tinytorch as tt
from course.testing import calling, calls_of, expect, fail_if, worded

KERNEL = "every number of a kernel counts: the product of shape[2:], which is 1 for none"
OTHER_WAY = "a weight is (outputs, inputs, …): fan_in comes first, and counts inputs"
ALL_OF_IT = "that's all the numbers of the weight: count those of one output, and of one input"


def fan_slips(shape):
    """Wrong pairs of fans, and what leads to them."""
    outputs, inputs, *kernel = shape
    size, sums = prod(kernel), " · ".join(map(str, (outputs, *kernel)))
    once = f"an input goes into {sums} sums: the kernel counts there, too"
    return [
        (lambda g: isinstance(g, list), "a tuple of two: return fan_in, fan_out"),
        ((outputs * size, inputs * size), OTHER_WAY),
        (lambda g: any(isinstance(n, float) for n in g),
         "whole numbers: math.prod of none is 1, np.prod a 1.0"),
        (lambda g: prod(shape) in g, ALL_OF_IT),
        ((inputs * size, outputs), once if kernel else ""),
        (lambda g: g[0] * outputs == g[1] * inputs, KERNEL),
    ]  # fmt: skip


@pytest.mark.exercise("11.3", points=1)
def test_a_matrix_has_as_many_inputs_as_columns():
    got = tt.nn.init.fans_of_shape((10, 64))
    expect(got, (64, 10), "fans_of_shape((10, 64))", slips=fan_slips((10, 64)))


@pytest.mark.exercise("11.3", points=2)
def test_each_number_of_a_kernel_counts():
    for shape, want in {(8, 3, 5): (15, 40), (8, 3, 5, 7): (105, 280)}.items():
        with calling(f"fans_of_shape({shape})"):
            got = tt.nn.init.fans_of_shape(shape)
        expect(got, want, f"fans_of_shape({shape})", slips=fan_slips(shape))


def std(shape, a=0.0, mode="fan_in", nonlinearity="relu"):
    return tt.nn.init.kaiming_std(tt.zeros(*shape), a, mode, nonlinearity)


def std_slips(fan, other):
    """Wrong deviations for relu with this fan, and what leads to them."""
    root, mode = fan**0.5, "mode says which fan counts: fan_of(tensor, mode)"
    whole = f"the root of {fan} isn't a whole number: fan ** 0.5 or math.sqrt"
    return {
        **{2**0.5 / n: whole for n in (int(root), int(root) + 1)},
        2 / fan: "that's the variance: the standard deviation is its root",
        2**0.5 / fan: "divide by the root of the fan: variances add up, not standard deviations",
        1 / root: "the gain is missing: calculate_gain(nonlinearity, a)",
        2 / root: "calculate_gain gives the root of 2 already",
        (2**0.5 / fan) ** 0.5: "only the fan is under the root: divide the gain by it",
        (2 / other) ** 0.5: mode,
        (2 / (fan + other)) ** 0.5: mode,
        2 / (fan + other) ** 0.5: mode,
        root / 2**0.5: "the other way round: a large fan needs small weights",
        root * 2**0.5: "divide: a large fan needs small weights",
    }


@pytest.mark.exercise("11.3", points=2)
def test_the_standard_deviation_is_gain_over_root_of_fan():
    what = "kaiming_std of a weight (10, 64), fan_in, relu"
    expect(std((10, 64)), (2 / 64) ** 0.5, what, slips=std_slips(64, 10))


@pytest.mark.exercise("11.3", points=1)
def test_the_mode_says_which_fan_counts():
    slips = std_slips(10, 64) | {(2 / 64) ** 0.5: "mode is fan_out: fan_of(tensor, mode)"}
    what = "kaiming_std of a weight (10, 64), fan_out, relu"
    expect(std((10, 64), mode="fan_out"), (2 / 10) ** 0.5, what, slips=slips)


@pytest.mark.exercise("11.3", points=1)
def test_what_follows_the_layer_says_the_gain():
    known = {("linear", 0.0): 1.0, ("tanh", 0.0): 5 / 3, ("leaky_relu", 3.0): 0.2**0.5}
    slips = {2**0.5 / 8: "that's the gain of relu: calculate_gain(nonlinearity, a) knows them all"}
    for (name, a), gain in known.items():
        what = f"kaiming_std of a weight (10, 64), fan_in, {name}, a = {a}"
        got = std((10, 64), a=a, nonlinearity=name)
        unasked = {1 / 8: slips[2**0.5 / 8]} if gain != 1 else {}
        forgotten = {(2 / (1 + 0.01**2)) ** 0.5 / 8: "a is the slope of a leaky relu: hand it on"}
        expect(got, gain / 8, what, slips=slips | unasked | forgotten)


IN_STATE = "what lies in state are Tensors, and kept() gives the array inside: change that in place"
IN_STATE += ", and put nothing there yourself"
BARE_ARRAY = (lambda error: calls_of("kept", error) and "_data" in str(error), IN_STATE)
ITS_CALLERS = "lr is for its caller: with_momentum gives the direction alone"


def expect_kept(state, name, what):
    """It is there, and a Tensor: kept() has made it."""
    fail_if(name not in state, f"{what}: {name!r} isn't in state: kept() makes it")
    kind = type(state[name]).__name__
    says = f"{what}: state[{name!r}] is of type {kind}, expected the Tensor that kept() puts there"
    fail_if(not isinstance(state[name], tt.Tensor), f"{says}: change its array in place")


def moved(grads, state=None, **settings):
    """What with_momentum gives for one gradient after another; a copy of each."""
    group = {"momentum": 0.5, "dampening": 0, "nesterov": False} | settings
    state = {} if state is None else state
    for step, grad in enumerate(grads, start=1):
        what = f"with_momentum, step {step}"
        with calling(f"{what},", slips=[BARE_ARRAY, (worded(KeyError, "lr"), ITS_CALLERS)]):
            got = tt.optim.sgd.with_momentum(np.array(grad), group, state)
        fail_if(got is None, f"{what}, gave None: return the sum, or the look ahead")
        yield np.array(got)


def texts(settings):
    return ", ".join(f"{name}={value}" for name, value in settings.items())


def in_lists(slips):
    return [([number], reason) for number, reason in slips.items()]


@pytest.mark.exercise("11.4", points=2)
def test_the_sum_keeps_a_share_and_takes_in_the_gradient():
    what = "with_momentum, momentum=0.75, after the gradients"
    (first, second, third) = moved([[8.0], [3.0], [1.0]], momentum=0.75)
    slips = {
        2: "the gradient goes in whole: 1 - momentum isn't for it",
        6: "first the sum shrinks, then the gradient goes in whole",
        0: "the first gradient goes in, too",
    }
    expect(
        first, [8.0], f"{what} 8: the result", slips=[([v], reason) for v, reason in slips.items()]
    )
    slips = {
        3.0: "the old sum is lost: change the array that kept() gives in place, *= and +=",
        11.0: "the sum keeps only the share momentum of itself",
        8.25: "first the sum shrinks, then the gradient goes in whole",
        10.25: "it's the sum that shrinks, not the gradient",
        6.75: "the gradient goes in whole: 1 - momentum isn't for it",
        6.0: "nothing new went in: 1 - dampening of it does, all of it where dampening is 0",
    }
    expect(
        second,
        [9.0],
        f"{what} 8, 3: the result",
        slips=[([v], reason) for v, reason in slips.items()],
    )
    expect(third, [7.75], f"{what} 8, 3, 1: the result")


@pytest.mark.exercise("11.4", points=1)
def test_the_sum_is_kept_in_the_state():
    state = {}
    list(moved([[8.0, 2.0]], state))
    expect_kept(state, "momentum_buffer", "with_momentum, after one gradient")
    what = "state['momentum_buffer'] after one gradient"
    lost = "velocity = … makes a new array: change the one that is kept in place"
    slips = [([0.0, 0.0], lost), ([4.0, 1.0], "the sum shrinks first; a new gradient is in whole")]
    expect(state["momentum_buffer"], [8.0, 2.0], what, slips=slips)
    memory = state["momentum_buffer"]._data
    list(moved([[3.0, 3.0]], state))
    slips = [([8.0, 2.0], lost), ([4.0, 1.0], "the gradient goes in, too")]
    expect(state["momentum_buffer"], [7.0, 4.0], f"{what}, then another", slips=slips)
    is_another = state["momentum_buffer"]._data is not memory
    fail_if(is_another, f"after two steps the state's array is another one: {lost}")


@pytest.mark.exercise("11.4", points=2)
def test_dampening_begins_with_the_second_gradient():
    what = "with_momentum, momentum=0.5, dampening=0.25, after the gradients"
    first, second = moved([[8.0], [4.0]], dampening=0.25)
    whole = (
        "the first gradient goes in whole: look, before kept() makes a sum, whether state has one"
    )
    slips = [([6.0], whole), ([2.0], whole)]
    expect(first, [8.0], f"{what} 8: the result", slips=slips)
    slips = [
        ([8.0], "from the second step on, only 1 - dampening of the gradient goes in"),
        ([5.0], "that's dampening itself: 1 - dampening goes in"),
        ([6.0], "dampening is for the gradient alone: the sum keeps its share"),
        ([6.25], "dampening is for the gradient alone: the sum keeps its share"),
    ]
    expect(second, [7.0], f"{what} 8, 4: the result", slips=slips)
    what = "with_momentum, momentum=0.5, dampening=0.25, after the gradients 0, 4: the result"
    first, second = moved([[0.0], [4.0]], dampening=0.25)
    zeros = "a sum of zeros need not be a first step: ask, before kept(), whether state has one"
    expect(second, [3.0], what, slips=[([4.0], zeros)])


@pytest.mark.exercise("11.4", points=2)
def test_nesterov_looks_ahead():
    what = "with_momentum, momentum=0.5, nesterov=True, after the gradients"
    first, second, third = moved([[8.0], [6.0], [6.0]], nesterov=True)
    slips = [
        ([8.0], "that's 8 alone: momentum times the new sum goes on top, from the first step on"),
        ([16.0], "that adds all of the sum: add momentum times the sum"),
        ([4.0], "grad itself belongs to it"),
    ]
    expect(first, [12.0], f"{what} 8: the result", slips=slips)
    slips = [
        ([10.0], "that's the sum alone, or grad with the old sum: the new one belongs there"),
        ([16.0], "that adds all of the sum: add momentum times the sum"),
        ([15.0], "the look ahead is grad + momentum * v, not v + momentum * v"),
        ([13.0], "the look ahead is grad + momentum * v, not v + momentum * grad"),
        ([12.0], "look ahead only in the result: the sum in the state stays the plain sum"),
    ]
    expect(second, [11.0], f"{what} 8, 6: the result", slips=slips)
    expect(third, [11.5], f"{what} 8, 6, 6: the result")


@pytest.mark.exercise("11.4", points=1)
def test_the_gradient_stays_as_it_is():
    group, state = {"momentum": 0.5, "dampening": 0.25, "nesterov": True}, {}
    for number, values in enumerate(([8.0, 2.0], [3.0, 1.0]), start=1):
        grad = np.array(values)
        tt.optim.sgd.with_momentum(grad, group, state)
        slips = [(lambda g: True, "it isn't yours to change: make a new array")]
        what = f"the gradient that with_momentum was given, step {number}, afterwards"
        expect(grad, values, what, slips=slips)
        grad += 100
    what = "the sum, after the caller has changed the gradients that went in"
    slips = [(lambda g: g.max() > 50, "it shares its memory with the gradient: copy that into it")]
    expect(state["momentum_buffer"], [6.25, 1.75], what, slips=slips)


@pytest.mark.exercise("11.4", points=1)
def test_sgd_rolls_on():
    w = tt.tensor(np.array([1.0, 10.0]), requires_grad=True)
    optimizer = tt.optim.SGD([w], lr=0.5, momentum=0.5)
    for _ in range(3):
        optimizer.zero_grad()
        (w * tt.tensor(np.array([1.0, 2.0]))).sum().backward()
        optimizer.step()
    twice = "lr is in it twice, and is for its caller: with_momentum gives the direction alone"
    slips = [([-0.5, 7.0], "that's without momentum: is the sum kept?"), ([-0.0625, 7.875], twice)]
    what = "w after three steps of SGD, lr=0.5, momentum=0.5, from [1, 10], gradients [1, 2]"
    expect(w, [-1.125, 5.75], what, slips=slips)


def adam(grads, state=None, **settings):
    """What adam_step gives for one gradient after another."""
    group = {"lr": 0.1, "betas": (0.9, 0.999), "eps": 1e-8} | settings
    state = {} if state is None else state
    for grad in grads:
        with calling("adam_step", slips=[(ZeroDivisionError, ZERO), BARE_ARRAY]):
            got = tt.optim.adam.adam_step(np.array(grad), group, state)
        fail_if(got is None, "adam_step gave None: return what is to be subtracted")
        yield np.array(got)


ZERO = "1 - beta**0 is 0, as a mean is before its first gradient: first bring all three up to date"
BARE = "a mean takes in 1 - beta of what is new; what's kept isn't corrected, only the step is"


@pytest.mark.exercise("11.5", points=2)
def test_two_means_and_a_count_are_kept():
    state = {}
    list(adam([[12.0, 0.0]], state, lr=0.3, betas=(0.5, 0.875)))
    what = "after a gradient of [12, 0], lr=0.3, betas=(0.5, 0.875)"
    for name in ("step", "exp_avg", "exp_avg_sq", *state):
        expect_kept(state, name, f"adam_step, {what}")
    lost = "a new array isn't kept: change the one that kept() gives in place"
    expect(
        state["step"],
        1.0,
        f"state['step'] {what}",
        slips=[
            (0.0, f"count the step; {lost}"),
            (lambda step: step.shape, "one count for all: kept(state, 'step', np.float32(0))"),
        ],
    )
    shrunk = "first a mean shrinks, then it takes in what is new"
    other = "beta1 is for the mean of the gradient, beta2 for that of its square"
    fixed = "that's for a beta1 of 0.9: beta1, beta2 = group['betas']"
    swapped = "that's the mean of the squares, which is exp_avg_sq"
    slips = {0: lost, 12: BARE, 3: shrunk, 1.5: other, 18: swapped, 1.2: fixed}
    apart = "that's on the way to the step: make it in an array of its own, not in the one kept"
    slips |= dict.fromkeys((0.3, 1.8, 3.6), apart)
    slips = [([number, 0.0], reason) for number, reason in slips.items()]
    expect(state["exp_avg"], [6.0, 0.0], f"state['exp_avg'] {what}", slips=slips)
    slips = {0: lost, 144: BARE, 15.75: shrunk, 72: other, 4.5: "it's the mean of the squares",
             1.5: "it takes in the gradient's square, not the gradient",
             126: "it keeps the share beta2, and takes in 1 - beta2",
             2.25: "only the gradient is squared: 1 - beta2 goes outside"}  # fmt: skip
    slips = [([number, 0.0], reason) for number, reason in slips.items()]
    expect(state["exp_avg_sq"], [18.0, 0.0], f"state['exp_avg_sq'] {what}", slips=slips)


@pytest.mark.exercise("11.5", points=2)
def test_the_first_step_is_lr():
    what = "adam_step, lr=0.3, betas=(0.8, 0.99), eps=0, a first gradient of [10, -0.001]: the step"
    with np.errstate(all="ignore"):
        (got,) = adam([[10.0, -0.001]], lr=0.3, betas=(0.8, 0.99), eps=0.0)
    share, root = 0.2, 0.1  # of the gradient in its mean, and of its size in the root of the other
    began = "divide each mean by 1 - beta**steps: they began at 0"
    own = "each mean has a beta of its own, and so has its correction: beta1 and beta2"
    times = {
        -1: "it will be subtracted: keep the sign of the mean",
        share / root: began,
        1 / root: "the mean of squares needs its correction, too",
        root: "correct the mean of squares first, then take its root",
        share: "the mean of the gradient needs its correction, too",
        1 / 0.3: "times group['lr']",
        1 / share: "it's the mean of the squares, not the square of the mean",
        share**0.5 / root: own,
        share / root**2: own,
        share**1.5 / root**3: own,
    }
    slips = [([0.3 * factor, -0.3 * factor], reason) for factor, reason in times.items()]
    rooted = "divide by the root of the mean of squares"
    shares = 1, share / root**2, 1 / root**2, share
    slips += [([0.3 * n / 10, -0.3 * n / 0.001], rooted) for n in shares]
    slips += [([3.0 * n, -0.0003 * n], rooted) for n in (1, share)]
    slips += [(lambda g: not np.isfinite(g).any(), ZERO)]
    expect(got, [0.3, -0.3], what, slips=slips, rtol=1e-4)


@pytest.mark.exercise("11.5", points=3)
def test_a_second_step_by_hand():
    what = "adam_step, lr=0.3, betas=(0.25, 0.75), after the gradients 12, -2"
    state = {}
    _, got = adam([[12.0], [-2.0]], state, lr=0.3, betas=(0.25, 0.75))
    mean, square, own = 0.75, 28.0, 2.0
    by_hand = {"exp_avg": "0.25 · 9 + 0.75 · (-2)", "exp_avg_sq": "0.75 · 36 + 0.25 · 4"}
    for (name, text), want in zip(by_hand.items(), (mean, square), strict=True):
        expect(state[name], [want], f"{what}: {name}", because=f"by hand it's {text}")
    root = (square / 0.4375) ** 0.5
    on_top = "the mean of the gradients goes on top, not this gradient alone"
    by_own = "divide by the mean of all squares so far, not by this gradient's own"
    times = {
        (mean / 0.75) / (square / 0.25) ** 0.5: "the second step's powers are beta**2: the "
        "correction fades away",
        mean / square**0.5: "divide each mean by 1 - beta**steps: they began at 0",
        mean / 0.9375: "divide by the root of the mean of squares",
        (mean / 0.9375) / (square / 0.4375): "divide by the root of it",
        **dict.fromkeys((-own / root, -own / 0.9375 / root, -own / square**0.5), on_top),
        **dict.fromkeys((-1, mean / 0.9375 / own, mean / own), by_own),
    }
    slips = [([0.3 * n], reason) for n, reason in times.items()]
    slips += [(lambda g: np.isnan(g).all(), "1 - beta**steps is a power, and never below 0")]
    says = "by hand it's 0.8 over the root of 64, times lr"
    expect(got, [0.03], f"{what}: the step", slips=slips, because=says)


@pytest.mark.exercise("11.5", points=2)
def test_eps_stands_beside_the_root():
    (got,) = adam([[1.0]], eps=3.0)
    inside, before = 0.1 / 4**0.5, 0.1 / (1 + 3 / 0.001**0.5)
    slips = [
        ([inside], "eps goes beside the root, not into it"),
        ([before], "eps is added to the corrected root, not to the one before"),
        ([0.1 / 3], "eps is added to the root, whichever of the two is larger"),
        ([0.1], "where is eps?"),
    ]
    expect(got, [0.025], "adam_step, lr=0.1, eps=3, a first gradient of 1: the step", slips=slips)
    (got,) = adam([[0.0, 3.0]])
    expect(got, [0.0, 0.1], "adam_step, lr=0.1, a first gradient of [0, 3]: the step", rtol=1e-4)


@pytest.mark.exercise("11.5", points=1)
def test_the_gradient_and_the_arrays_stay():
    state, group = {}, {"lr": 0.1, "betas": (0.9, 0.999), "eps": 1e-8}
    grad = np.array([3.0, -4.0])
    first = tt.optim.adam.adam_step(grad, group, state)
    kept = {name: state[name]._data for name in state}
    before = np.array(first)
    tt.optim.adam.adam_step(grad, group, state)
    slips = [(lambda _: True, "it isn't yours to change: make a new array")]
    expect(grad, [3.0, -4.0], "the gradient that adam_step was given, afterwards", slips=slips)
    expect(first, before, "the first step, after the second was made: it has memory of its own")
    lost = "a new array isn't kept: change the one that kept() gives in place"
    for name, memory in kept.items():
        says = f"after two steps the array of state[{name!r}] is another one"
        fail_if(state[name]._data is not memory, f"{says}: {lost}")


@pytest.mark.exercise("11.5", points=1)
def test_adam_does_not_mind_how_large_gradients_are():
    ends = []
    for scale in (1.0, 1000.0):
        w = tt.tensor(np.array([1.0, -2.0]), requires_grad=True)
        optimizer = tt.optim.Adam([w], lr=0.1)
        for _ in range(5):
            optimizer.zero_grad()
            (scale * (w * w).sum()).backward()
            optimizer.step()
        ends.append(w.detach().numpy().copy())
    what = "w after five steps of Adam, the loss 1000 times as large"
    expect(ends[1], ends[0], what, because="each number is divided by its own size", rtol=1e-4)
    expect(ends[0], [0.50796, -1.50300], "w after five steps of Adam, lr=0.1", atol=1e-4)


COLLATED = "self.collate_fn makes the batch of the list"


def loader(data, **settings):
    """A DataLoader that gives lists of samples, the very lists that were made."""
    return tt.utils.data.DataLoader(data, **({"collate_fn": lambda samples: samples} | settings))


def batches_of(data, what, **settings):
    listed = "yield each batch when it's ready: a function with a yield in it is a generator"
    ended = "next() must not run out inside a generator: for and islice end quietly"
    slips = [
        (lambda error: "iterator" in str(error), listed),
        (lambda error: "raised StopIteration" in str(error), ended),
    ]
    with calling(what, slips=slips):
        return list(islice(loader(data, **settings), 8))  # more than there are, if all is well


@pytest.mark.exercise("11.6", points=2)
def test_so_many_make_a_batch_and_what_is_left_a_smaller_one():
    what = "the batches of range(5), batch_size=2, with a collate_fn that gives the list itself,"
    got = batches_of(range(5), what, batch_size=2)
    slips = [
        (lambda g: g == [[0, 1], [2, 3]], "the last batch may be smaller, but it counts"),
        (lambda g: g[:2] == [[0, 1]] * 2, "make one iterator: go on where the last batch ended"),
        (lambda g: g == [[0], [1], [2], [3], [4]], "batch_size samples make a batch"),
        (lambda g: g and g[0] == [0, 1, 2], "one too many in a batch"),
        (lambda g: g and g[-1] == [3, 4], "take from the front: what's left over comes last"),
        (lambda g: g and g[0] == [], "begin a new list once one is handed out, not before"),
        (lambda g: len(g) > 1 and g[0] is g[1], "each batch is a list of its own"),
        (lambda g: isinstance(g[0], tt.Tensor), COLLATED),
        (lambda g: isinstance(g[0][0], list), "collate_fn makes one batch of a whole list"),
        (lambda g: g and not isinstance(g[0], list), "collate_fn is given lists of samples"),
    ]  # fmt: skip
    expect(got, [[0, 1], [2, 3], [4]], what, slips=slips)


@pytest.mark.exercise("11.6", points=1)
def test_nothing_left_over_is_no_batch():
    what = "the batches of range(4), batch_size=2"
    slips = [(lambda g: g[-1:] == [[]], "an empty list is no batch: nothing was left over")]
    expect(batches_of(range(4), what, batch_size=2), [[0, 1], [2, 3]], what, slips=slips)
    what = "the batches of an empty data set"
    expect(batches_of([], what, batch_size=2), [], what, slips=slips)


@pytest.mark.exercise("11.6", points=2)
def test_a_last_one_that_is_not_full_may_be_dropped():
    what = "the batches of range(5), batch_size=2, drop_last=True"
    slips = [(lambda g: g[-1:] == [[4]], "drop_last leaves out a last batch that isn't full")]
    got = batches_of(range(5), what, batch_size=2, drop_last=True)
    expect(got, [[0, 1], [2, 3]], what, slips=slips)
    what = "the batches of range(4), batch_size=2, drop_last=True"
    slips = [
        (lambda g: g == [[0, 1]], "the last batch is full, so it stays"),
        (lambda g: 4 in g[0], "4 was left over by an epoch before: each has a list of its own"),
    ]
    got = batches_of(range(4), what, batch_size=2, drop_last=True)
    expect(
        len(got), 2, f"how many there are of {what}", slips={1: "the last one is full: it stays"}
    )
    expect(got, [[0, 1], [2, 3]], what, slips=slips)
    what += ", collate_fn=sum"
    counted = "count the samples: what collate_fn makes of them may have any length, or none"
    with calling(what, slips={TypeError: counted}):
        got = batches_of(range(4), what, batch_size=2, drop_last=True, collate_fn=sum)
    expect(got, [1, 5], what, slips=[(lambda g: g == [[0, 1], [2, 3]], COLLATED)])


@pytest.mark.exercise("11.6", points=1)
def test_each_epoch_is_shuffled_anew():
    data = loader(range(20), batch_size=5, shuffle=True, generator=tt.Generator().manual_seed(1))
    first, second = ([n for batch in data for n in batch] for _ in range(2))
    drawn = tt.Generator().manual_seed(1)
    want, then = (tt.randperm(20, generator=drawn).tolist() for _ in range(2))
    slips = [
        (lambda g: g == list(range(20)), "self.order() says which sample comes when"),
        (lambda g: g == then, "that's the second order that was drawn: walk through self.order() "
         "once, and don't ask for its length that way"),
    ]  # fmt: skip
    expect(first, want, "the samples of range(20), shuffled", slips=slips)
    reason = "ask self.order() at each epoch: it draws a new order"
    fail_if(second == first, f"the second epoch is in the same order as the first: {reason}")
    expect(sorted(second), [*range(20)], "the samples of the second epoch, sorted")
    because = "count samples as they come: an index says which one it is, not how many there were"
    sizes = tuple(len(batch) for batch in data)
    expect(sizes, (5,) * 4, "the sizes of the batches of range(20), shuffled", because=because)


@pytest.mark.exercise("11.6", points=1)
def test_samples_are_looked_up_and_collated():
    what = "the batches of ['a', 'b', 'c'], batch_size=2, collate_fn='+'.join"
    looked_up = "those are the numbers of samples: self.sample(index) gives the sample"
    with calling(what, slips=[(worded(TypeError, "str instance, int found"), looked_up)]):
        got = batches_of(["a", "b", "c"], what, batch_size=2, collate_fn="+".join)
    slips = [(lambda g: g[-1:] == [["c"]], COLLATED)]
    expect(got, ["a+b", "c"], what, slips=slips)
    got = batches_of(range(3), "the batches", batch_size=2, collate_fn=type)
    expect(got, [list, list], "the types of what collate_fn is given: lists of samples")
    data = tt.utils.data.TensorDataset(tt.tensor([[1.0], [2.0], [3.0]]), tt.tensor([4, 5, 6]))
    got = list(tt.utils.data.DataLoader(data, batch_size=2))
    expect(got[0][0], [[1.0], [2.0]], "the pictures of the first batch of a TensorDataset")
    expect(got[1][1], [6], "the labels of its last batch")


@pytest.mark.exercise("11.6", points=1)
def test_a_stream_without_an_end_can_be_read():
    asked = []

    class Stream(tt.utils.data.IterableDataset):
        def __iter__(self):
            for number in range(1000):
                asked.append(number)
                yield number * number

    numbered = "the samples of a stream have no numbers: self.sample(index) gives what it gave"
    slips = [
        (worded(TypeError, "has no len()"), "a stream has no length: go through self.order()"),
        (worded(TypeError, "NoneType"), "a stream has no sampler: self.order() has the samples"),
        (NotImplementedError, numbered),
    ]
    with calling("the batches of a stream", slips=slips):
        got = [*islice(loader(Stream(), batch_size=2), 2)]
    slips = [(lambda g: g == [[0, 1], [2, 3]], "self.sample(index) is the sample"),
             (lambda g: 0 not in g[0], "a sample may be 0, which counts as false")]  # fmt: skip
    expect(got, [[0, 1], [4, 9]], "the first two batches of a stream 0, 1, 4, 9, …", slips=slips)
    slips = [(lambda g: g > 100, "yield a batch as soon as it's full, and only then go on"),
             (lambda g: g == 5, "one sample too many was read before the batch came"),
             (lambda g: g == 6, "the next batch was read before this one came")]  # fmt: skip
    expect(len(asked), 4, "how many samples two batches of two have read", slips=slips)
