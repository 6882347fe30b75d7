"""Chapter 10's contracts, run last: all nestings, shapes and dtypes, second calls, exceptions."""

import gc
import itertools
import sys
import threading
import weakref
from contextlib import contextmanager, suppress
from types import FunctionType, ModuleType

import numpy as np
import pytest

import tinytorch as tt
from course.contracts import DTYPES, SHAPES, expect_array, expect_ending, numbers, upstream
from course.nodes import branches, chain, expect_to_grow_with_the_graph
from course.testing import calling, expect, expect_raises, fail_if, lacks, leaf
from course.zoo import ZOO

ANY = ("any",)  # pause() has to set unrecorded, and what it sets, nobody ever reads
SCOPES = {  # what each of them switches
    ("record", ()): dict(grad_enabled=True, recording=True, unrecorded=False, training=True),
    ("record", (False,)): dict(grad_enabled=True, recording=True, unrecorded=False, training=False),
    ("pause", ()): dict(grad_enabled=False, recording=False, unrecorded=ANY, training=False),
    ("pause", (True,)): dict(grad_enabled=False, recording=False, unrecorded=ANY, training=True),
    ("train_mode", ()): dict(training=True),
    ("predict_mode", ()): dict(training=False),
}
NO_BUSINESS = "that's no business of a scope"
INNERMOST = "the innermost of the scopes that set it decides"
ENDINGS = (None, ZeroDivisionError, KeyboardInterrupt, SystemExit, GeneratorExit)
HARD = {"float64": (1e-6, 1e-8), "float32": (1e-3, 1e-4)}  # of gradients through a root


class Stop(Exception):
    pass


def expect_each_scope_whatever_was():
    """Made where the switches are one way, entered where they're another, and moved by hand."""
    turns = [dict(training=a, recording=b, grad_enabled=c)
             for a, b, c in itertools.product((False, True), repeat=3)]  # fmt: skip
    for (name, args), wanted in SCOPES.items():
        for made, entered in itertools.product(turns, repeat=2):
            what = f"{name}{args}, made where {said(made)}, entered where {said(entered)}"
            with tt.state.Switch(**made):
                scope = getattr(tt.modes, name)(*args)
            with tt.state.Switch(**entered):
                before = switches()
                with scope:
                    expect_switches(wanted, f"{what}: inside,")
                    for switch in wanted:
                        setattr(tt.state.state, switch, not wanted[switch])
                what = f"{what}, in it each that it sets was moved by hand"
                expect_switches(before, f"{what}: afterwards,")


def said(values):
    """The values of switches in words."""
    return ", ".join(f"{name} is {value}" for name, value in values.items())


def switches():
    state = tt.state.state
    return {name: getattr(state, name) for name, value in vars(type(state)).items()
            if isinstance(value, bool)}  # fmt: skip


def expect_switches(wanted, what, now=None, because=""):
    """Each switch of `wanted` is as it says; the first one that isn't is named, and no other."""
    now = switches() if now is None else now
    for switch, value in wanted.items():
        if value is not ANY:
            expect(now[switch], value, f"{what} {switch}", because=because)


def nested(names, ending, seen):
    """Go into scopes, one in the other, note the switches on each step, and end."""
    if not names:
        if ending is not None:
            raise ending
        return
    (name, args), *rest = names
    with getattr(tt.modes, name)(*args):
        seen.append(switches())
        nested(rest, ending, seen)
        seen.append(switches())


@pytest.mark.exercise("10.1", points=2)
def test_scopes_in_scopes():
    starts = (
        {},
        {"training": True},
        {"grad_enabled": False},
        {"recording": True},
        {"inference": True},
    )
    ways = [way for length in (1, 2, 3) for way in itertools.product(SCOPES, repeat=length)]
    for way, start in zip(ways, itertools.cycle(starts)):  # noqa: B905 - as many as there are ways
        text = ", ".join(f"{name}({', '.join(map(str, args))})" for name, args in way)
        with tt.state.Switch(**start):
            before = switches()
            levels = [switches()]
            for scope in way:
                levels.append(levels[-1] | SCOPES[scope])
            for ending in ENDINGS if len(way) == 2 else ENDINGS[:1]:
                seen = []
                call = lambda way=way, ending=ending, seen=seen: nested(way, ending, seen)  # noqa: E731
                what = f"with {text}" + (f", where {said(start)}" if start else "")
                expect_ending(call, ending, what)
                out = levels[-1:0:-1] if ending is None else []
                for now, want in zip(seen, [*levels[1:], *out], strict=True):
                    for switch, value in want.items():
                        because = NO_BUSINESS if switch == "inference" else INNERMOST
                        says = f"{what}: on the way in and out,"
                        expect_switches({switch: value}, says, now, because)
                now = switches()
                for switch, value in before.items():
                    expect(now[switch], value, f"{what}, afterwards: {switch}")
    for name, args in SCOPES:
        seen = []

        def work(name=name, args=args, seen=seen):
            with getattr(tt.modes, name)(*args):
                seen.append(switches())

        thread = threading.Thread(target=work)
        with tt.state.Switch(training=name == "pause"):
            fresh = {n: vars(type(tt.state.state))[n] for n in switches()}
            thread.start()
            thread.join()
            here = tt.modes.is_training()
        want = fresh | SCOPES[name, args]
        what = f"in a thread of its own, with {name}{args},"
        expect(len(seen), 1, f"{what} how often it went in")
        expect_switches(want, what, *seen)
        expect(here, name == "pause", f"is_training() here, after {name}{args} in a thread")
    expect_each_scope_whatever_was()
    with tt.modes.record():
        tt.modes.set_recording(False)
        expect(tt.is_grad_enabled(), False, "record(), in it set_recording(False): grad_enabled")
    with tt.modes.pause():
        tt.modes.set_recording(True)
        tt.modes.set_recording(False)
        what = "pause(), in it set_recording(True) and set_recording(False): grad_enabled"
        expect(tt.is_grad_enabled(), False, what)


@pytest.mark.exercise("10.2", points=2)
def test_dropout_of_all_arrays():
    for shape, dtype, p in itertools.product([*SHAPES, (4, 1, 3)], DTYPES, (0.0, 0.3, 0.75)):
        array = numbers(shape, dtype)
        x, rng, same = leaf(array, dtype), np.random.default_rng(2), np.random.default_rng(2)
        for time in (1, 2):
            what = f"dropout, p = {p}, x of shape {shape}, {dtype.__name__}, call {time}"
            with tt.state.Switch(training=True), calling(what):
                got = tt.rehearsal.dropout(x, p, rng)
            factors = np.asarray(same.random(shape) >= p, dtype) / dtype(1 - p)
            expect_array(got, np.asarray(array * factors), what)
            because = "rng.random(x.shape), once, whatever p is, and nothing else"
            says = f"{what}: the next number of rng"
            expect(rng.random(), same.random(), says, because=because)
            sent = upstream(shape, dtype)
            x.grad = None
            with calling(f"backward() on {what}"):
                got.backward(sent)
            expect_array(x.grad, np.asarray(sent.numpy() * factors), f"{what}: x.grad")
            with tt.state.Switch(training=False):
                says = f"{what}, gave another Tensor in a performance, expected x itself"
                fail_if(tt.rehearsal.dropout(x, p, rng) is not x, says)
            expect(rng.random(), same.random(), f"{what}, in a performance: the next number")
    expect_rng_to_be_asked_once()
    expect_coins_as_they_fell()
    expect_what_stays_as_it_is()
    with tt.state.Switch(training=True):
        expect_ending(lambda: tt.rehearsal.dropout(x, 0.5, Failing()), Stop, "a failing rng")
        because = "dropout asks it, and moves no switch"
        expect(tt.modes.is_training(), True, "is_training() after rng has failed", because=because)
    x = tt.tensor(numbers((3, 2))).t()
    what = "dropout of a transposed x, under no_grad()"
    with tt.state.Switch(training=True), tt.no_grad(), calling(what):
        got = tt.rehearsal.dropout(x, 0.5, np.random.default_rng(2))
    want = numbers((3, 2)).T * (np.random.default_rng(2).random((2, 3)) >= 0.5) * 2
    expect_array(got, want, what)


class Counted:
    """A generator that counts how often it was asked; for no numbers, NumPy's draws none."""

    def __init__(self):
        self.rng, self.count = np.random.default_rng(0), 0

    def random(self, *args, **options):
        self.count += 1
        return self.rng.random(*args, **options)


def expect_rng_to_be_asked_once():
    for shape, p in itertools.product(SHAPES, (0.0, 0.5)):
        rng = Counted()
        what = f"how often dropout of a Tensor of shape {shape}, p = {p}, asked rng in a rehearsal"
        with tt.state.Switch(training=True), calling(f"dropout of a Tensor of shape {shape}"):
            tt.rehearsal.dropout(tt.ones(*shape), p, rng)
        because = "once, even where p is 0 or x has no elements"
        expect(rng.count, 1, what, because=because)


class Coins:
    """A generator whose next numbers are known: one just below 0.5, one far above."""

    def random(self, size):  # NumPy's name for the shape
        return np.array([0.5 - 1e-10, 0.9]).reshape(size)


class Failing:
    """A generator that has no numbers."""

    def random(self, size):
        raise Stop


def expect_what_stays_as_it_is():
    x = tt.tensor([np.nan, np.inf, -np.inf, 1.0])
    with tt.state.Switch(training=True):
        got = tt.rehearsal.dropout(x, 0.0, np.random.default_rng(0))
    because = "those that stay get louder, whatever they are"
    expect(got, [np.nan, np.inf, -np.inf, 1.0], "dropout of [nan, inf, -inf, 1], p = 0, in a "
           "rehearsal", because=because)  # fmt: skip


def expect_coins_as_they_fell():
    for dtype in (tt.float16, tt.float32, tt.float64):
        what = f"dropout of [1, 1], {dtype}, p = 0.5, where rng.random gives 0.5 - 1e-10 and 0.9"
        with tt.state.Switch(training=True), calling(what):
            got = tt.rehearsal.dropout(tt.ones(2, dtype=dtype), 0.5, Coins())
        because = "the number that rng gave is below p: compare it before its digits are lost"
        expect(got, [0, 2], what, because=because)


def normed(array, mean, variance, scale, shift, eps):
    """The formula of batch norm, with arrays."""
    return (array - mean) / np.sqrt(variance + eps) * scale + shift


def slopes(f, arrays, sent, eps=1e-6):
    """The gradients of each of the arrays, by nudging."""
    found = [np.zeros_like(array) for array in arrays]
    for place, array in enumerate(arrays):
        for index in np.ndindex(array.shape):
            ends = []
            for step in (eps, -eps):
                nudged = [a.copy() for a in arrays]
                nudged[place][index] += step
                ends.append((f(*nudged) * sent).sum())
            found[place][index] = (ends[0] - ends[1]) / (2 * eps)
    return found


@pytest.mark.exercise("10.3", points=2)
def test_batch_norm_over_many_batches():
    kinds = [*itertools.product((1, 2, 5), (1, 3), DTYPES)]
    settings = itertools.cycle(itertools.product((0.1, 1.0, 0.0), (0.5, 1e-5)))
    for (rows, width, dtype), (momentum, eps) in zip(kinds, settings):  # noqa: B905 - it cycles
        layer = tt.rehearsal.BatchNorm(width, momentum, eps)
        layer.scale = leaf(numbers((width,), dtype, seed=6), dtype)
        layer.shift = leaf(numbers((width,), dtype, seed=7), dtype)
        layer.mean, layer.variance = (
            tt.tensor(a) for a in (numbers((width,), dtype), numbers((width,), dtype) ** 2)
        )
        scale, shift, mean, variance = (
            t.detach().numpy().astype(float).copy()
            for t in (layer.scale, layer.shift, layer.mean, layer.variance)
        )
        for step in range(2):
            array = numbers((rows, width), dtype, seed=step)
            for training in (True, False):
                what = (f"batch {step} of shape {array.shape}, {dtype.__name__}, momentum "
                        f"{momentum}, eps {eps}, training is {training}:")  # fmt: skip
                x = leaf(array, dtype)
                layer.scale.grad = layer.shift.grad = None
                with tt.state.Switch(training=training), calling(what):
                    got = layer(x)
                batch = lambda a: (a.mean(0), a.var(0))  # noqa: E731
                kept = mean, variance

                def f(a, scale, shift, training=training, kept=kept, batch=batch, eps=eps):
                    return normed(a, *(batch(a) if training else kept), scale, shift, eps)

                exact = array.astype(float)
                expect_array(got, f(exact, scale, shift).astype(dtype), what, HARD)
                if training:
                    mean = (1 - momentum) * mean + momentum * exact.mean(0)
                    variance = (1 - momentum) * variance + momentum * exact.var(0)
                for name, want in (("mean", mean), ("variance", variance)):
                    expect_array(getattr(layer, name), want.astype(dtype), f"{what} {name}", HARD)
                    kept = getattr(layer, name).requires_grad
                    expect(kept, False, f"{what} {name}.requires_grad")
                if eps == 0.5:
                    sent = upstream(array.shape, dtype)
                    got.backward(sent)
                    wants = slopes(f, [exact, scale, shift], sent.numpy())
                    tensors = dict(x=x, scale=layer.scale, shift=layer.shift)
                    for (name, tensor), want in zip(tensors.items(), wants, strict=True):
                        expect_array(tensor.grad, want.astype(dtype), f"{what} {name}.grad", HARD)
    with tt.state.Switch(training=True):
        got = tt.rehearsal.BatchNorm(1)(tt.tensor([[20.0]] + [[0.0]] * 399))
    because = "the formula, however far from the others a number is"
    what = "a rehearsal of 399 zeros and a 20: what the 20 becomes"
    expect(got[0], [19.975], what, because=because, rtol=1e-3)
    one, other = tt.rehearsal.BatchNorm(2), tt.rehearsal.BatchNorm(2)
    x = tt.tensor(numbers((2, 3))).t()
    with tt.state.Switch(training=True), calling("BatchNorm of a transposed batch"):
        got = one(x)
    want = normed(numbers((2, 3)).T, *(f(numbers((2, 3)).T, 0) for f in (np.mean, np.var)), 1, 0, 0)
    expect_array(got, want, "a transposed batch", {"float64": (1e-4, 1e-4)})
    expect(other.mean, [0, 0], "the mean of another layer")
    heard = []
    one.remember = lambda mean, variance: heard.append((mean.shape, variance.shape))
    for training in (True, False):
        with tt.state.Switch(training=training), tt.no_grad():
            one(x)
    expect_a_frozen_layer_to_rehearse()
    expect_memory_as_it_is_now()
    expect_slopes_of_slopes()
    expect_remembering_to_be_tidy()
    expect_no_batch_to_be_kept()
    because = "self.remember() hears of each rehearsal, and of no performance"
    what = "how often remember() was called in a rehearsal and a performance"
    expect(len(heard), 1, what, because=because)


def expect_a_frozen_layer_to_rehearse():
    layer, x = tt.rehearsal.BatchNorm(1, eps=0), tt.tensor([[1.0], [3.0]])
    layer.scale.requires_grad_(False)
    frozen = "whether scale asks has no say in it: is_training() alone decides"
    with tt.state.Switch(training=True):
        got = layer(x)
    expect(got, [[-1], [1]], "a layer whose scale asks for no gradient, in a rehearsal, of "
           "[[1], [3]]", because=frozen)  # fmt: skip
    expect(layer.mean, [0.2], "layer.mean after that, momentum 0.1", because=frozen)
    with calling("backward() on the sum of that rehearsal's result"):
        got.sum().backward()
    expect(layer.shift.grad, [2.0], "layer.shift.grad after that", because="shift still asks")


def expect_memory_as_it_is_now():
    layer, x = tt.rehearsal.BatchNorm(1, eps=0), tt.tensor([[6.0]])
    for variance, want in ((4.0, 3.0), (9.0, 2.0)):
        layer.variance = tt.tensor([variance])
        with tt.state.Switch(training=False):
            got = layer(x)
        because = "it's self.variance as it is now, however often it has performed"
        what = f"a layer's performance of [[6]], its variance now {variance:g}"
        expect(got, [[want]], what, because=because)
    layer = tt.rehearsal.BatchNorm(2, momentum=0.5)
    layer.remember(tt.tensor([np.inf, 2.0]), tt.tensor([1.0, 3.0]))
    because = "each moves, whatever came for the others"
    expect(layer.mean, [np.inf, 1.0], "the mean after remember([inf, 2], [1, 3])", because=because)
    expect(layer.variance, [1.0, 2.0], "and the variance", because=because)


def expect_slopes_of_slopes():
    """The gradients of a rehearsal have slopes of their own, those of the formula."""
    layer = tt.rehearsal.BatchNorm(2, eps=0.5)
    layer.scale, x = leaf(numbers((2,), seed=6)), leaf(numbers((4, 2)))
    sent, weights = upstream((4, 2), np.float64), tt.tensor(numbers((4, 2), seed=8))
    what = "a rehearsal, a pass with create_graph=True"
    with tt.state.Switch(training=True), calling(what):
        (slope,) = tt.autograd.grad(layer(x), x, sent, create_graph=True)
        slope.backward(weights)

    def gradient(array, scale):
        away, root = array - array.mean(0), np.sqrt(array.var(0) + 0.5)
        y, grad = away / root, sent.numpy() * scale
        return (grad - grad.mean(0) - y * (grad * y).mean(0)) / root

    arrays = [t.detach().numpy() for t in (x, layer.scale)]
    wants = slopes(gradient, arrays, weights.numpy())
    for name, tensor, want in zip(("x", "scale"), (x, layer.scale), wants, strict=True):
        because = "mean and variance are part of the history, each step on the way to them too"
        says = f"{what}, then backward() on x's gradient: {name}.grad"
        expect(tensor.grad, want, says, because=because, rtol=1e-6, atol=1e-8)


def expect_no_batch_to_be_kept():
    """As long as a layer lives, each batch is gone once nobody else holds it."""
    for training, grad_enabled in itertools.product((True, False), repeat=2):
        layer, x = tt.rehearsal.BatchNorm(2), leaf(numbers((4, 2)))
        batch = weakref.ref(x._data)
        with tt.state.Switch(training=training, grad_enabled=grad_enabled):
            layer(x)
        del x
        if batch() is not None:
            gc.collect()  # what goes round in a circle isn't kept
        held = "the batch itself is still in memory"
        if batch() is not None:
            names = [name for name, part in vars(layer).items() if leads_to(part, batch())]
            held += f", by way of layer.{names[0]}" if names else ""
        mode = "rehearsal" if training else "performance"
        mode += "" if grad_enabled else " under no_grad()"
        says = f"after a {mode}, when only the layer is left, {held}"
        because = "mean and variance are kept without their history, and nothing else is"
        fail_if(batch() is not None, f"{says}: {because}")


def leads_to(thing, array):
    """Does a Tensor, or whatever holds one, hold this array, by its history too?"""
    seen, stack = {}, [thing]
    while stack:
        thing = stack.pop()
        if thing is array:
            return True
        if id(thing) not in seen and not isinstance(thing, (type, ModuleType, FunctionType)):
            seen[id(thing)] = thing
            stack += gc.get_referents(thing)
    return False


class Cut:
    """In place of a Tensor: whatever is done with it ends with KeyboardInterrupt."""

    def stop(self, *others):
        raise KeyboardInterrupt

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = detach = numpy = stop


def expect_remembering_to_be_tidy():
    """What's remembered shares no memory with what came, and an exception leaves no mode behind."""
    for momentum in (0.0, 0.5, 1.0):
        layer = tt.rehearsal.BatchNorm(2, momentum)
        old, came = (layer.mean, layer.variance), (tt.tensor([3.0, 4.0]), tt.tensor([5.0, 6.0]))
        layer.remember(*came)
        before = layer.mean.tolist(), layer.variance.tolist()
        for tensor in (*old, *came):
            tensor.numpy()[...] = 99
        because = "it's a new Tensor, in memory of its own"
        what = (f"momentum = {momentum}, once the Tensors that were there before remember(), "
                "and those that it was given, have changed: ")  # fmt: skip
        expect(layer.mean, before[0], f"{what}layer.mean", because=because)
        expect(layer.variance, before[1], f"{what}layer.variance", because=because)
    turns = itertools.product((True, False), repeat=2)
    for (grad_enabled, recording), came in itertools.product(
        turns, (tt.ones(2), tt.ones(3), Cut())
    ):
        with tt.state.Switch(grad_enabled=grad_enabled, recording=recording):
            before = switches()
            with suppress(Exception, KeyboardInterrupt):
                tt.rehearsal.BatchNorm(2).remember(came, came)
            fits = isinstance(came, tt.Tensor) and len(came) == 2
            cut = "" if fits else " that was cut short by an exception"
            because = "no_grad() puts back what it found, whatever ends it"
            expect_switches(before, f"after a remember(){cut},", because=because)


@pytest.mark.exercise("10.4", points=2)
def test_gradients_of_all_kinds_are_written():
    for shape, dtype, grad_req in itertools.product(SHAPES, DTYPES, ("write", "add", "null")):
        array, dirt = numbers(shape, dtype), numbers(shape, dtype, seed=4)
        x, dx = tt.tensor(array.copy()), tt.tensor(dirt.copy())
        tt.modes.mark(x, dx, grad_req)
        want, other = dirt.copy(), leaf(1.0, dtype)
        memory = dx.numpy()
        for time in (1, 2, 3):
            sent = upstream(shape, dtype)
            what = f"{grad_req!r}, shape {shape}, {dtype.__name__}, pass {time}"
            with calling(what, slips={IndexError: "a gradient of shape () has no [:], and copy_ "
                                      "writes into any shape"}):  # fmt: skip
                (x * 3 * other).backward(sent)
            came = sent.numpy() * dtype(3)
            want = {"write": came, "add": want + came, "null": want}[grad_req]
            expect_array(dx, want, f"{what}: the gradient")
            says = f"{what}: x.grad isn't the tensor any more that was given"
            fail_if(x.grad is not dx, says)
            expect(dx.is_leaf, True, f"{what}: is_leaf of the tensor that was given")
            expect(np.shares_memory(memory, dx.numpy()), bool(x.numel()), f"{what}: its memory")
            expect_array(sent, upstream(shape, dtype).numpy(), f"{what}: what was sent, afterwards")
            sent.numpy()[...] = 99
            expect_array(dx, want, f"{what}: the gradient, once what was sent has changed")
        expect_array(x, array, f"{grad_req!r}: the variable afterwards")
    x, dx = tt.tensor([3.0, 4.0]), tt.tensor([0.0, 0.0])
    tt.modes.mark(x, dx, "write")
    with calling("a pass with create_graph=True, where a Tensor arrives at a WriteGrad"):
        (x**3).sum().backward(create_graph=True)
    expect(dx, [27, 48], "'write', a pass with create_graph=True: the gradient")
    with calling("the slope of that gradient"):
        (slope,) = tt.autograd.grad(dx.sum(), x, retain_graph=True)
    expect(slope, [18, 24], "and the slope of that gradient")
    (x * 2).sum().backward(create_graph=True)
    because = "what was there is replaced, and its history too"
    what = "the slope of (dx + x).sum(), where a pass from x * 2 wrote dx over that of x ** 3"
    with calling(what):  # x is there for a dx that has lost its history: that's a constant, too
        (slope,) = tt.autograd.grad((dx + x).sum(), x)
    expect(slope, [1, 1], what, because=because)
    seen = []
    node = tt.modes.WriteGrad(tt.tensor([1.0]))
    nobody = {AttributeError: "there's nobody to tell: AccumulateGrad's own backward knows"}
    with calling("WriteGrad.backward, nobody holds the variable any more", slips=nobody):
        got = node.backward(np.ones(1, np.float32))
    expect(got, (), "what WriteGrad.backward gave, when nobody held the variable any more")
    with tt.no_grad():
        for grad_req in ("write", "add"):
            x = tt.tensor([3.0])
            tt.modes.mark(x, tt.zeros(1), grad_req)
            seen.append((x.requires_grad, x.grad.tolist()))
    expect(seen, [(True, [0.0])] * 2, "(requires_grad, grad) of variables marked under no_grad()")
    expect_any_gradient_in_any_memory()
    for whole in (tt.tensor([1, 2]), tt.tensor([True])):
        given = tt.zeros_like(whole)
        call = lambda whole=whole, given=given: tt.modes.mark(whole, given, "null")  # noqa: E731
        expect_ending(call, None, f"mark of {whole.dtype} with 'null', which asks for no gradient,")
    for wrong in (tt.tensor([1, 2]), tt.tensor([True])):
        for grad_req in ("write", "add"):
            call = lambda x=wrong, req=grad_req: tt.modes.mark(x, tt.zeros_like(x), req)  # noqa: E731
            what = f"mark of {wrong.dtype} with {grad_req!r}"
            slips = {None: "it asks for a gradient, and requires_grad_() refuses that dtype"}
            expect_raises(RuntimeError, call, what, slips=slips)


def expect_any_gradient_in_any_memory():
    x, turned = tt.ones(2, 2), tt.full((2, 2), 100.0).T
    tt.modes.mark(x, turned, "write")
    (x * tt.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
    because = "written into the memory that it has, whatever its strides"
    what = "a gradient handed in as the .T of another, marked with 'write', after a pass"
    expect(turned, [[1, 2], [3, 4]], what, because=because)
    for name, sent in (("zeros", 0.0), ("inf", np.inf), ("nan", np.nan)):
        x, dx = tt.ones(2), tt.full((2,), 100.0)
        tt.modes.mark(x, dx, "write")
        x._node.backward(np.array([sent, sent], np.float32))
        what = f"a gradient [100, 100], marked with 'write', after a pass that sends {name}"
        expect(dx, [sent, sent], what, because="what comes is written, whatever it is")
    x, dx = tt.ones(2), tt.ones(2)
    tt.modes.mark(x, dx, "write")
    before = dx._version
    x._node.backward(np.ones(2, np.float32))
    what = "how many changes in place a write of equal numbers counts"
    once = "it's one change in place: copy_ replaces all of it at once"
    slips = [(0, "it is a write like any other"), (lambda count: count > 1, once)]
    expect(dx._version - before, 1, what, slips=slips)
    call = lambda: tt.modes.mark(tt.ones(2), tt.ones(2), ["write"])  # noqa: E731
    slips = {None: "a list is none of the three words", Exception: "it isn't one of the three "
             "words, whatever it is: a ValueError"}  # fmt: skip
    expect_raises(ValueError, call, "mark(x, gradient, ['write'])", slips=slips)
    expect_marked_anew()


def expect_marked_anew():
    """A mark leaves nothing of the one before, and the given Tensor as it is."""
    heard, source = [], leaf([3.0, 4.0])
    for first, second in itertools.product(("write", "add"), repeat=2):
        x, given = tt.ones(2, dtype=tt.float64), source * 2
        tt.modes.mark(x, tt.zeros_like(x), first)
        x.register_hook(heard.append)
        tt.modes.mark(x, given, second)
        what = f"marked {first!r}, then {second!r} with a gradient that has a history"
        fail_if(x.grad is not given, f"{what}: x.grad isn't that Tensor")
        expect(given.is_leaf, False, f"{what}: its is_leaf", because="only x becomes a leaf")
        tt.modes.mark(x, tt.zeros_like(x), second)
        (x * 2).sum().backward()
        because = "detach_() leaves no node, and the hook was on the old one"
        expect(len(heard), 0, f"{what}: calls of a hook registered before", because=because)


@pytest.mark.exercise("10.5", points=1)
def test_passes_from_all_heads():
    x = leaf(3.0)
    tt.modes.backward([x * x, x * 5], [tt.tensor(0.0, dtype=tt.float64), None])
    what = "x.grad after backward([x * x, x * 5], [0, None]), x = 3"
    expect(x.grad, 5.0, what, because="a 0 that is given is given")
    for shape, dtype in itertools.product(SHAPES, DTYPES):
        for given in itertools.product((False, True), repeat=2):
            x = leaf(numbers(shape, dtype), dtype)
            heads = [x * 2, x * x]
            grads = [upstream(shape, dtype) if g else None for g in given]
            sent = [np.ones(shape, dtype) if g is None else g.numpy() for g in grads]
            what = f"backward from two heads of shape {shape}, {dtype.__name__}, given: {given}"
            with calling(what):
                tt.modes.backward(heads, grads, train_mode=given[0])
            want = sent[0] * 2 + sent[1] * 2 * x.detach().numpy()
            expect_array(x.grad, np.asarray(want, dtype), f"{what}: x.grad")
            expect([g is None for g in grads], [not g for g in given], f"{what}: the list of grads")
            found = tt.modes.with_ones(tuple(heads), tuple(grads))
            for g, ones, number in zip(grads, found, sent, strict=True):
                expect_array(ones, number, f"{what}: with_ones")
                another = f"{what}: with_ones gave another Tensor in place of a given gradient"
                fail_if(g is not None and ones is not g, another)
    expect_other_switches_left_alone()
    heads = [tt.ones(2, dtype=dtype) for dtype in (tt.float64, tt.float32, tt.float16)]
    kinds = [str(ones.dtype) for ones in tt.modes.with_ones(heads, None)]
    what = "the dtypes of with_ones for heads of one shape in float64, float32 and float16"
    because = "each head's ones are of its own kind"
    expect(kinds, [str(head.dtype) for head in heads], what, because=because)
    expect_ones_of_their_own()
    x = leaf(3.0)
    y = x * x
    what = "backward([y, y], [1, 10]), y = x * x, x = 3"
    because = "a head that's there twice starts with both its gradients"
    with calling(what):
        tt.modes.backward([y, y], [leaf(1.0), leaf(10.0)], True)
    expect(x.grad, 66.0, f"{what}: x.grad", because=because)
    for outside, kind in itertools.product((True, False), (Stop, *ENDINGS[1:])):
        handle = y.register_hook(lambda grad, kind=kind: stops(kind))
        with tt.state.Switch(training=outside):
            call = lambda outside=outside: tt.modes.backward(y, None, True, not outside)  # noqa: E731
            what = f"backward with a hook that raises {kind.__name__}"
            expect_ending(call, kind, what)
            because = "whatever exception ends the pass, it ends its mode: finally, or with"
            expect(tt.modes.is_training(), outside, f"is_training() after {what}", because=because)
        handle.remove()
    a = tt.tensor([1.0, 2.0], requires_grad=True)
    x, loose = leaf([1.0, 2.0]), tt.tensor([1.0])
    expect_ending(lambda: tt.modes.backward(loose), RuntimeError, "backward from a constant")
    head, given = x * x, leaf([1.0, 10.0])
    as_they_are = {RuntimeError: "what's made of the heads under no_grad() has no history"}
    with tt.no_grad(), calling("backward(x * x, given) under no_grad()", slips=as_they_are):
        tt.modes.backward(head, given)
    expect(x.grad, [2, 40], "x.grad after backward(x * x, given) under no_grad()")
    expect(given.grad, None, "the grad of given, a leaf: the pass starts with it, so its grad")
    call = lambda: tt.modes.backward(x * x, leaf([1.0]))  # noqa: E731
    expect_ending(call, RuntimeError, "backward of shape (2,) with a head gradient of shape (1,)")
    x.grad = None
    tt.modes.backward([a * 3, x * 5], None)
    expect(a.grad, [3, 3], "a.grad from heads of two dtypes")
    expect(x.grad, [5, 5], "x.grad from heads of two dtypes")


def expect_ones_of_their_own():
    """No two heads share their ones, nor do two calls."""
    for shape in ((2,), (2, 3), ()):
        heads = [leaf(numbers(shape)) * 2 for _ in "abc"]
        what = f"with_ones([a, b, c], None), all of shape {shape},"
        with calling(what):
            first, later = (tt.modes.with_ones(heads, None) for _ in "12")
        both = "whoever changes one of them changes the other"
        for one, other in itertools.combinations([*first, *later], 2):
            shared = np.shares_memory(one.numpy(), other.numpy())
            of = "two heads" if any(other is g for g in first) else "two calls"
            fail_if(shared, f"{what} gave {of} the same ones, in the same memory: {both}")
        many = "one number stands for all elements there: each has its own, as in np.ones_like"
        slips = [(lambda _, ones=first[0]: 0 in ones.numpy().strides, many)]
        what = f"mul_(2) on the ones for a, of {what[:-1]}"
        with calling(what, slips=slips):
            twice = first[0].mul_(2)
        expect(twice, np.full(shape, 2.0), what)


def expect_other_switches_left_alone():
    for recording, train_mode in itertools.product((True, False), repeat=2):
        x, seen = leaf(3.0), []
        with tt.state.Switch(recording=recording, unrecorded=recording):
            y = x * x
            y.register_hook(lambda grad, seen=seen: seen.append(switches()))
            want = switches() | dict(training=train_mode, grad_enabled=False)
            with calling("backward(y), y = x * x"):
                tt.modes.backward(y, None, False, train_mode)
        what = f"in a pass, train_mode={train_mode}, where recording is {recording}"
        expect(len(seen), 1, f"{what}: how often y's hook was called")
        because = "backward switches training, and the engine grad_enabled: no more than that"
        expect_switches(want, f"{what}:", *seen, because=because)


def stops(kind):
    raise kind


def weighted(told):
    """The class of objects state * x * y, and number * y, from inputs x, y and a number."""

    class Weighted(tt.modes.Function):
        def __init__(self, state=2.0):
            self.state = state

        def forward(self, x, y, number):
            told.append((tt.is_grad_enabled(), type(number)))
            self.number = number
            self.save_for_backward(x, y)
            return x * y * self.state, y * number

        def backward(self, one, other):
            x, y = self.saved_tensors
            told.append(len(self.saved_tensors))
            return one * y * self.state, one * x * self.state + other * self.number, None

    return Weighted


@pytest.mark.exercise("10.6", points=2)
def test_objects_with_any_state():
    for shape, dtype in itertools.product(SHAPES, DTYPES):
        x, y = leaf(numbers(shape, dtype), dtype), leaf(numbers(shape, dtype, seed=4), dtype)
        told, a, b = [], x.detach().numpy(), y.detach().numpy()
        Weighted = weighted(told)
        one, other = Weighted(2.0), Weighted(5.0)
        what = f"two objects, shape {shape}, {dtype.__name__}"
        with calling(what):
            first, second = one(x, y, 10.0), other(y, x, 100.0)
        because = "apply records the call as a whole, and forward runs without"
        expect(told[0][0], False, f"{what}: is_grad_enabled() in forward", because=because)
        because = "what's no Tensor comes as it is"
        expect(told[0][1], float, f"{what}: the type of a number in forward", because=because)
        expect_array(first[0], np.asarray(a * b * 2), f"{what}: the first result of the first")
        expect_array(second[1], np.asarray(a * 100), f"{what}: the second result of the second")
        sent = upstream(shape, dtype)
        with calling(f"backward() on {what}"):
            (first[0] + first[1] + second[0] + second[1]).backward(sent)
        s = sent.numpy()
        expect_array(x.grad, np.asarray(s * (7 * b + 100)), f"{what}: x.grad", HARD)
        expect_array(y.grad, np.asarray(s * (7 * a + 10)), f"{what}: y.grad", HARD)
        for object_ in (one, other):
            expect(object_.saved_tensors, (), f"{what}: saved_tensors afterwards")
    x = leaf(3.0)
    with tt.no_grad():
        called = weighted([])()
        because = "whether a call is recorded is as it is outside"
        what = "requires_grad of an object's result under no_grad()"
        expect(called(x, x, 1.0)[0].requires_grad, False, what, because=because)
        call = lambda: called(x, x, 1.0)  # noqa: E731
        expect_ending(call, RuntimeError, "a second call under no_grad()")
        expect(called.saved_tensors, (), "saved_tensors after a call under no_grad()")
    constant = tt.tensor(4.0)
    for inputs in ((x, constant), (constant, x)):
        x.grad, made = None, weighted([])()
        with calling("2 * x * 4 by an object, the 4 a constant"):
            made(*inputs, 1.0)[0].backward()
        expect(x.grad, 8.0, "x.grad of 2 * x * 4 by an object, the 4 a constant,")
        expect(constant.grad, None, "the constant's grad")
    made = weighted([])()
    made(constant, constant, 1.0)
    expect(made.saved_tensors, (), "saved_tensors after a call with constants")
    because = "it's True or False"
    expect(made._used, True, "_used of an object that was called", because=because)
    expect_gradients_as_they_come()
    expect_only_lists_taken_apart()
    expect_owner_on_the_ctx()
    expect_one_way_for_all_inputs()
    expect_a_gradient_for_each_input()

    for saves in ("", "x", "y", "xy"):
        with uncollected():
            expect_nothing_else_is_kept(saves)

    class Square(tt.modes.Function):
        error = None

        def forward(self, x):
            self.save_for_backward(x)
            return x * x

        def backward(self, grad):
            asked.append(self)
            (x,) = self.saved_tensors
            if self.error is not None:
                raise self.error
            return grad * 2 * x

    asked, square, x = [], Square(), leaf(3.0)
    y = square(x)
    call = lambda: y.backward(retain_graph=True)  # noqa: E731
    with calling("backward() on x * x by an object"):
        call()
    because = "it's the object that was called, and no copy"
    fail_if(asked[0] is not square, f"the self of backward is another object: {because}")
    for kind in (Stop, *ENDINGS[1:]):
        square.error, what = kind, f"backward() on an object whose backward raises {kind.__name__}"
        expect_ending(call, kind, what)
        because = "whatever exception ends it: finally"
        expect(square.saved_tensors, (), f"saved_tensors after {what}", because=because)
    square.error = None
    (slope,) = tt.autograd.grad(y, x, create_graph=True)
    because = "() after each pass, recorded or not"
    what = "saved_tensors after a pass with create_graph=True"
    expect(square.saved_tensors, (), what, because=because)
    expect(slope, 6.0, "the slope of x * x by an object, after its backward failed once,")
    expect(tt.autograd.grad(slope, x)[0], 2.0, "the slope of that slope")
    other = Square()
    expect(other._used, False, "_used of a new object of this class")


def expect_only_lists_taken_apart():
    for made, kind in ((np.array([2.0, 4.0]), tt.Tensor), ("word", str)):

        class Gives(tt.modes.Function):
            def forward(self, x, made=made):
                return made

            def backward(self, *grads):
                return grads[0]

        with suppress(TypeError):  # for what's no Tensor
            got = Gives()(leaf([1.0, 2.0]))
            because = "a list becomes a tuple, and nothing else does"
            given = type(made).__name__
            text = f"an object whose forward gives a {given} gave a {type(got).__name__}"
            fail_if(not isinstance(got, kind), f"{text}, expected a {kind.__name__}: {because}")


def expect_owner_on_the_ctx():
    class Keeps(tt.modes.Function):
        def forward(self, x):
            self.save_for_backward(x)
            return x * 2

        def backward(self, grad):
            return grad * 2

    keeps = Keeps()
    y = keeps(leaf(3.0))
    promised = [(lacks("FunctionNode", "owner"), "ctx.owner is the owner: forward's docstring "
                 "promises it")]  # fmt: skip
    with calling("y.grad_fn.owner, where y is what an object gave,", slips=promised):
        owner = y.grad_fn.owner
    because = "it's the object that was called, and no copy"
    says = f"ctx.owner, seen from the result's node, isn't the object: {because}"
    fail_if(owner is not keeps, says)
    keeps.saved_tensors = (tt.ones(1),)
    y.backward()
    because = "(), whatever it was before the pass"
    expect(keeps.saved_tensors, (), "the object's saved_tensors after backward", because=because)

    class SavesLate(tt.modes.Function):
        def forward(self, x):
            self.save_for_backward(*[x] * self.count)
            return x * 2

        def backward(self, grad):
            self.save_for_backward(grad)
            return grad * 2

    for number in (0, 1):
        late = SavesLate()
        late.count = number
        late(leaf(3.0)).backward()
        because = "(), whatever its backward has saved"
        what = f"saved_tensors after a backward that saves, where forward saved {number}"
        expect(late.saved_tensors, (), what, because=because)


def expect_one_way_for_all_inputs():
    """A call is one operation of the inputs themselves, whether they require grad or not."""

    class Scaled(tt.modes.Function):
        weight = leaf(3.0)

        def forward(self, x):
            told.append((x, tt.is_grad_enabled(), x * self.weight))
            return told[-1][2]

        def backward(self, grad):
            return grad * self.weight

    for x in (leaf(2.0), tt.tensor(2.0, dtype=tt.float64)):
        told, what = [], f"an object called with x, x.requires_grad {x.requires_grad},"
        with calling(f"{what[:-1]}"):
            y = Scaled()(x)
        ((given, enabled, made),) = told
        fail_if(given is not x, f"{what} hands its forward another Tensor than x")
        because = "apply runs forward unrecorded: the call is one operation"
        expect(enabled, False, f"{what} is_grad_enabled() in its forward", because=because)
        because = "what the owner's forward gives is what comes out"
        shared = np.shares_memory(*[tensor.detach().numpy() for tensor in (y, made)])
        says = f"{what} its result has the memory of what forward gave"
        expect(shared, True, says, because=because)


def expect_a_gradient_for_each_input():
    class Two(tt.modes.Function):
        count = 1

        def forward(self, x, y):
            return x * y

        def backward(self, grad):
            return [grad] * self.count if self.count > 1 else grad

    goes_on = "what owner.backward gave goes on as it is, and the engine counts: nothing is"
    for number, said, done in ((1, "one gradient", "added"), (3, "three gradients", "left out")):
        two = Two()
        two.count = number
        y = two(leaf(2.0), leaf(3.0))
        what = f"backward() on an object of two inputs, whose backward gives {said},"
        expect_raises(RuntimeError, y.backward, what, slips={None: f"{goes_on} {done}"})


def expect_gradients_as_they_come():
    """A number among the results has None for a gradient, and a Tensor that nobody uses zeros."""

    class Three(tt.modes.Function):
        def forward(self, x):
            return x * 2, 3, x * 5

        def backward(self, *grads):
            told.append([grad if grad is None else grad.item() for grad in grads])
            return grads[0] * 2

    told, x = [], leaf(3.0)
    what = "backward() on the first result of an object whose forward gives x * 2, 3, x * 5"
    with calling(what):
        got = Three()(x)
        kinds = [type(each).__name__ for each in got]
        because = "forward gives what the owner's forward gave, a number too"
        expect(kinds, ["Tensor", "int", "Tensor"], "the types of what an object gives, "
               "whose forward gives x * 2, 3, x * 5", because=because)  # fmt: skip
        got[0].backward()
    because = "owner.backward gets the gradients as they come: None for what's no Tensor"
    expect(told, [[1.0, None, 0.0]], f"{what}: what its backward got", because=because)


@contextmanager
def uncollected():
    """Without the garbage collector, which would find what goes round in a circle, some day."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def expect_nothing_else_is_kept(saves):
    """What an object saved lives as long as the graph; all else is gone with its last name."""

    class Thrice(tt.modes.Function):
        def forward(self, x):
            y = x * 3
            self.save_for_backward(*[{"x": x, "y": y}[name] for name in saves])
            return y

        def backward(self, grad):
            told.append(len(self.saved_tensors))
            return grad * 3

    told, thrice, x = [], Thrice(), leaf([2.0]) * 1
    y = thrice(x)
    alive = {"the input x": weakref.ref(x._data), "the result y": weakref.ref(y._data),
             "its node": weakref.ref(y._node)}  # fmt: skip
    what = f"an object that saves {', '.join(saves) or 'nothing'}"
    y.backward(tt.ones(1, dtype=tt.float64), retain_graph=True)
    expect(told, [len(saves)], f"how many saved_tensors {what} has in its backward: they")
    del x
    because = "what the object saved is kept, and nothing else"
    gone = alive["the input x"]() is None
    lost = f"{what}: x's numbers are gone once nobody else holds x"
    fail_if(gone and "x" in saves, f"{lost}: {because}")
    held = f"{what}: x's numbers are still in memory although nobody else holds x"
    fail_if(not gone and "x" not in saves, f"{held}: {because}")
    del y
    for name, thing in alive.items():
        says = f"{what}: {name} is still in memory although y is gone, and its graph with it"
        fail_if(thing() is not None, f"{says}: {because}")


class Watched(tuple):
    """Edges of a node that note whenever somebody goes through them."""

    def __iter__(self):
        self.looked.append(1)
        return super().__iter__()


def expect_names_by_what_a_node_is():
    class AccumulateGradient(tt.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    for y, operation in ((AccumulateGradient.apply(leaf(2.0)), "AccumulateGradient"),
                         ((leaf(2.0) * 3).clone(), "Clone")):  # fmt: skip
        symbol = tt.modes.get_symbol(y)
        last = symbol.entries[-1]
        what = f"the name and operation of the last line of a symbol, y = {operation}(…)"
        expect((last.name[0], last.operation), ("v", operation), what)
        before = list(symbol.entries)
        symbol.list_arguments()
        because = "it only reads them"
        same = symbol.entries == before
        expect(same, True, "a symbol's entries are what they were after list_arguments()",
               because=because)  # fmt: skip


def expect_leaves_by_what_they_are():
    """A leaf that stopped asking is one still, and a ctx with a `variable` of its own is none."""
    x = leaf(2.0)
    y = x * x
    x.requires_grad_(False)
    with calling("get_symbol(x * x), x doesn't require grad any more"):
        got = tt.modes.get_symbol(y).list_arguments()
    because = "its node is still an AccumulateGrad"
    what = "list_arguments() of get_symbol(x * x), x doesn't require grad any more"
    expect(got, ["x0"], what, because=because)

    class Noted(tt.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.variable = x
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    with calling("get_symbol of an operation whose ctx has a variable"):
        symbol = tt.modes.get_symbol(Noted.apply(leaf(2.0)))
    because = "a leaf is what is an AccumulateGrad"
    what = "the names in a symbol of y = Noted(x), whose ctx has an attribute `variable`"
    expect([entry.name for entry in symbol.entries], ["x0", "v0"], what, because=because)
    expect(symbol.list_arguments(), ["x0"], f"list_arguments() of {what[13:]}", because=because)


def expect_leaves_of_any_kind():
    class Loud(tt.node.AccumulateGrad):
        def name(self):
            return "Loud"

    x = leaf(2.0)
    loud = Loud(x)
    x._node = loud
    with calling("get_symbol(x * x), the node of x an AccumulateGrad of a class of its own"):
        symbol = tt.modes.get_symbol(x * x)
    because = "a leaf is what is an AccumulateGrad, of whatever kind"
    names = [entry.name for entry in symbol.entries]
    expect(names, ["x0", "v0"], "the names in get_symbol(x * x), the node of x of a class made of "
           "AccumulateGrad", because=because)  # fmt: skip
    symbol.list_arguments().clear()
    because = "each call makes a list of its own"
    what = "list_arguments(), after the list that it gave before was cleared"
    expect(symbol.list_arguments(), ["x0"], what, because=because)
    entries = [tt.modes.SymbolEntry("weight", None, [], loud),
               tt.modes.SymbolEntry("x", "Exp", ["weight"], leaf(2.0).exp()._node)]  # fmt: skip
    because = "a leaf is an entry without operation, whatever its name"
    what = "list_arguments() of a Symbol of a leaf called weight and x = Exp(weight)"
    expect(tt.modes.Symbol(entries).list_arguments(), ["weight"], what, because=because)


def result_of(node):
    """A Tensor that this node has made."""
    x = leaf(1.0)
    x._node = node
    return x


def symbol_of_leaves(nodes):
    """A Symbol in which each of these nodes has the line of a leaf."""
    entries = [tt.modes.SymbolEntry(f"x{i}", None, [], node) for i, node in enumerate(nodes)]
    return tt.modes.Symbol(entries)


def calls_for(count):
    """How many calls it takes to read a sum of so many leaves, and to list them.

    Their nodes are compared by a call: a search through a list of them counts, too.
    """

    class Compared(tt.node.AccumulateGrad):
        __slots__ = ()
        __hash__ = object.__hash__

        def __eq__(self, other):
            return self is other

    leaves = [leaf(1.0) for _ in range(count)]
    for x in leaves:
        x._node = Compared(x)
    total, seen, before = sum(leaves, leaf(1.0)), [0], sys.getprofile()

    def note(frame, event, _):
        seen[0] += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        tt.modes.get_symbol(total).list_arguments()
    finally:
        sys.setprofile(before)
    return seen[0]


def lines_of(root):
    """What get_symbol is to say: a line for each node, of single results among several too."""
    found, stack = set(), [root._node]
    while stack:
        node = stack.pop()
        if node not in found:
            found.add(node)
            stack += [edge for edge in node.edges if edge is not None]
    names, lines, counts = {}, [], {"x": 0, "v": 0}
    for node in sorted(found, key=lambda node: node.number):
        kind = "x" if hasattr(node, "variable") else "v"
        names[node] = f"{kind}{counts[kind]}"
        counts[kind] += 1
        inputs = ["constant" if e is None else names[e] for e in node.operands]
        if kind == "x":
            lines.append(f"{names[node]}: leaf of shape {tuple(node.variable.shape)}")
        else:
            operation = node.name().removesuffix("Backward0")
            lines.append(f"{names[node]} = {operation}({', '.join(inputs)})")
    return lines, [name for name in names.values() if name[0] == "x"]


def one_of_two(tt, leaf):
    x = leaf([2.0, 3.0])
    return x.chunk(2)[1], {"x": x}


def both_of_two(tt, leaf):
    x = leaf([2.0, 3.0])
    first, second = x.chunk(2)
    return second * first, {"x": x}


def asks_again(tt, leaf):
    """A leaf that stops asking and asks again, and so has two nodes."""
    x = leaf(2.0)
    y = x * 2
    x.requires_grad_(False)
    return y + x.requires_grad_() * 3, {"x": x}


GRAPHS = ZOO | {build.__name__: build for build in (one_of_two, both_of_two, asks_again)}


@pytest.mark.exercise("10.7", points=2)
def test_the_symbols_of_all_graphs():
    for name, build in GRAPHS.items():
        root, _ = build(tt, lambda numbers: leaf(numbers, np.float32))
        want, leaves = lines_of(root)
        for time in ("at first", "again, when its leaves have a grad"):
            what = f"get_symbol of the graph {name!r}, {time}:"
            with calling(what):
                symbol = tt.modes.get_symbol(root)
            expect(str(symbol).splitlines(), want, what)
            entries = list(symbol.entries)
            expect(symbol.list_arguments(), leaves, f"{what} list_arguments()")
            changed = f"{what} its entries were changed by list_arguments(), which only reads them"
            fail_if(symbol.entries != entries, changed)
            expect(len(symbol.entries), len(want), f"{what} how many entries it has after that,")
            expect(symbol.name, want[-1].partition(" ")[0].rstrip(":"), f"{what} its name")
            nodes = [entry.node for entry in symbol.entries]
            in_order = nodes == sorted(nodes, key=lambda n: n.number)
            fail_if(not in_order, f"{what} the nodes of its entries aren't the oldest first")
            for node in nodes:
                if hasattr(node, "variable"):
                    node.variable.grad = tt.ones_like(node.variable)
    expect_names_by_what_a_node_is()
    expect_leaves_of_any_kind()
    expect_leaves_by_what_they_are()
    y, looked = leaf(1.0), []
    for _ in range(15):
        y = y + y
        y._node.edges = Watched(y._node.edges)
        y._node.edges.looked = looked
    with calling("get_symbol of a ladder of 15 sums y + y"):
        symbol = tt.modes.get_symbol(y)
    expect(symbol.name, "v14", "the name of the result of a ladder of 15 sums y + y")
    says = f"get_symbol looked at edges {len(looked):,} times on a ladder of 16 nodes"
    fail_if(len(looked) > 300, f"{says}: reachable() comes to each node once")
    y = leaf(1.0)
    for _ in range(3000):
        y = -y
    deep = {RecursionError: "a graph may be deep: reachable() goes through it in a loop"}
    with calling("get_symbol of the result of 3,000 operations in a row", slips=deep):
        symbol = tt.modes.get_symbol(y)
    expect(symbol.name, "v2999", "the name of the result of 3,000 operations in a row")
    expect(symbol.list_arguments(), ["x0"], "its leaves")
    symbol = tt.modes.Symbol([])
    expect(symbol.list_arguments(), [], "list_arguments() of a Symbol without entries")
    wrong = lambda: tt.modes.get_symbol(3.0)  # noqa: E731
    slips = [(lambda _: True, "recorded_node(x) says so")]
    expect_raises(TypeError, wrong, "get_symbol(3.0)", slips=slips)
    some, more = calls_for(50), calls_for(200)
    says = f"get_symbol of a sum of leaves, and list_arguments(): {some:,} calls for 50 leaves"
    costs = "each node costs the same: count as you go, and look names up in a dict"
    fail_if(more > 6 * some, f"{says}, and {more:,} for 200, expected four times as many: {costs}")
    for graph in (chain, branches):
        symbol_of = lambda nodes: tt.modes.get_symbol(result_of(nodes[-1]))  # noqa: E731
        expect_to_grow_with_the_graph("get_symbol on", graph, symbol_of, count=100)
    arguments = lambda nodes: symbol_of_leaves(nodes).list_arguments()  # noqa: E731
    expect_to_grow_with_the_graph("list_arguments() of a Symbol of", chain, arguments, count=100)
