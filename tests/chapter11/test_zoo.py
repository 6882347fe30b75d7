"""Chapter 11's contracts, run last: random trees of modules, all shapes, dtypes and settings."""

import itertools
from functools import partial
from itertools import product

import numpy as np
import pytest

import tinytorch as tt
from course.contracts import DTYPES, EVERY_ERROR, SHAPES, expect_ending, numbers
from course.testing import calling, error_of, expect, expect_raises, fail_if, worded

NAMES = ("a", "_b", "weight", "inner")
TREES = range(30)


WHAT_COUNTS = "all that counts is of what kind the value is, or the part of that name"


class Stop(Exception):
    pass


def plain_values():
    """What is no part, though parts may be in it: pairs of words and value."""
    w, layer = tt.nn.Parameter(tt.ones(2)), tt.nn.Module()
    values = ([], [w], (layer, layer), {"a": layer}, {"a": w}, np.array([1, 2]), np.zeros(0), "w")
    words = ("[]", "[Parameter]", "(Module, Module)", "{'a': Module}", "{'a': Parameter}")
    words += ("array of 2", "array of none", "'w'", "a function", "the class Module")
    return list(zip(words, (*values, print, tt.nn.Module), strict=True))


def values():
    """Something to assign: parts of every kind, and what is none, as words and value."""

    class Mine(tt.nn.Parameter):
        pass

    return [
        ("Parameter", tt.nn.Parameter(tt.tensor(0.0))),
        ("frozen Parameter", tt.nn.Parameter(tt.zeros(0, 3), requires_grad=False)),
        ("Parameter of a class derived from it", Mine(tt.ones(2))),
        ("Module", tt.nn.Module()),
        ("empty ModuleList", tt.nn.ModuleList()),  # which is false
        ("Tensor", tt.zeros(2)),
        ("Tensor that asks for a gradient", tt.tensor(1.0, requires_grad=True)),
        *[("None", None)] * 2,
        ("3", 3),
        *plain_values(),
    ]


def kind_of(value):
    kinds = (tt.nn.Parameter, "parameters"), (tt.nn.Module, "modules")
    return next((name for kind, name in kinds if isinstance(value, kind)), None)


class Reference:
    """What a module should be after the same assignments."""

    def __init__(self):
        self.kinds, self.held, self.transient = {}, {}, set()

    def register_buffer(self, name, value, persistent):
        self.kinds[name], self.held[name] = "buffers", value
        self.transient |= set() if persistent else {name}

    def forget(self, name):
        del self.held[name]
        self.kinds.pop(name, None)
        self.transient.discard(name)

    def assign(self, name, value):
        """The type of the error, or None."""
        kind = kind_of(value) or self.kinds.get(name)
        fits = {"parameters": tt.nn.Parameter, "modules": tt.nn.Module, "buffers": tt.Tensor}
        if kind and value is not None and not isinstance(value, fits[kind]):
            return TypeError
        if kind and self.kinds.get(name) != kind:
            self.kinds[name] = kind
            self.transient.discard(name)
        self.held[name] = value
        return None


@pytest.mark.exercise("11.1", points=2)
def test_any_assignments_in_any_order():
    for seed in range(60):
        rng, net, want, said = np.random.default_rng(seed), tt.nn.Module(), Reference(), []
        known = values()  # some are assigned under several names
        for name in rng.choice(NAMES, 2, replace=False).tolist():
            if rng.random() < 0.3:
                settings = tt.zeros(1) if rng.random() < 0.8 else None, bool(rng.random() < 0.5)
                want.register_buffer(name, *settings)
                net.register_buffer(name, *settings)
                said.append(f"{name} a buffer")
        for name in rng.choice(NAMES, 8).tolist():
            if name in want.held and rng.random() < 0.1:
                delattr(net, name)
                want.forget(name)
                said.append(f"del {name}")
            words, value = known[rng.integers(len(known) if rng.random() < 0.3 else 10)]
            said.append(f"{name} = {words}")
            error, what = want.assign(name, value), f"assignments {', '.join(said)}"
            if error:
                call = partial(setattr, net, name, value)
                expect_ending(call, error, f"the last of the {what}, {name} being a part,")
            else:
                with calling(f"the last of the {what}"):
                    setattr(net, name, value)
            for kind in ("parameters", "buffers", "modules"):
                names = sorted(n for n, k in want.kinds.items() if k == kind)
                whose, found = f"the {kind} after the {what}", sorted(getattr(net, f"_{kind}"))
                expect(found, names, whose, because=WHAT_COUNTS)
            unsaved = f"the names of buffers that aren't saved after the {what}"
            expect(sorted(net._transient), sorted(want.transient), unsaved)
            for key, part in want.held.items():
                says = f"net.{key} isn't the last that it was assigned after the {what}"
                fail_if(getattr(net, key) is not part, says)
                kind = want.kinds.get(key)
                held = getattr(net, f"_{kind}")[key] is part if kind else True
                says = f"net._{kind}[{key!r}] isn't what net.{key} is after the {what}"
                fail_if(not held, says)

    class Early(tt.nn.Module):
        def __init__(self, name, value):
            setattr(self, name, value)
            super().__init__()

    early = [pair for pair in values() if kind_of(pair[1]) is None]
    for name, (words, value) in product(("size", "training", "forward"), early):
        what = f"{name} = {words} before super().__init__()"
        with calling(what):
            net = Early(name, value)
        says = f"after {what}, net.{name} isn't what was assigned"
        fail_if(getattr(net, name, net) is not value, says)
        expect([*net._parameters, *net._buffers, *net._modules], [], f"the parts after {what}")

    class Celsius(tt.nn.Module):
        degrees = property(lambda self: self.kelvin - 273, lambda self, n: given.append(n))

    given, w = [], tt.ones(1)
    with calling("net.degrees = 5, degrees being a property with a setter,"):
        Celsius().degrees = 5
    because = "plain attributes go to super().__setattr__"
    expect((*given,), (5,), "what the setter of a property was given", because=because)
    for name, value in product(("forward", "eval", "a.b"), (tt.nn.Module(), tt.nn.Parameter(w))):
        for before in ({}, {name: print}):
            net = tt.nn.Module()
            vars(net).update(before)
            held = dict(vars(net))
            what = f"setattr(net, {name!r}, a {type(value).__name__})"
            what = f"{what}, net.{name} being a function" if before else what
            expect_ending(partial(setattr, net, name, value), KeyError, what)
            same = list(vars(net).items()) == list(held.items())
            says = f"{what} was refused, and left other attributes than there were before"
            fail_if(not same, f"{says}: what is refused changes nothing")


def with_extra_state():
    """A module that keeps something besides its parts."""

    class Extra(tt.nn.Module):
        def get_extra_state(self):
            return {"kept": 1}

        def set_extra_state(self, state):
            pass

    return Extra()


def some_parameters():
    """Parameters of all sorts; some share their memory, and are two all the same."""
    w = tt.tensor(numbers((2, 3)))
    tensors = (
        tt.tensor(0.0),
        tt.zeros(0, 3),
        tt.tensor([1.0, 1.0]),
        tt.tensor([1.0, 1.0]),
        w,
        w,
        w.T,
    )
    return [*map(tt.nn.Parameter, tensors), tt.nn.Parameter(tt.ones(1), requires_grad=False)]


def random_tree(seed):
    """A module with parts within parts: shared ones, None, parameters, buffers, unsaved ones."""
    rng, params = np.random.default_rng(seed), some_parameters()
    made = [tt.nn.Module(), tt.nn.Sequential(), tt.nn.ModuleList()]  # empty ones are false
    names = ["w", "b", "mean", "count", "one", "two", "three"]
    for _ in range(rng.integers(1, 7)):
        part = with_extra_state() if rng.random() < 0.2 else tt.nn.Module()
        for name in rng.permutation(names).tolist()[: rng.integers(0, 7)]:
            is_none = rng.random() < 0.2
            if name in ("w", "b"):
                chosen = params[rng.integers(len(params))]
                part.register_parameter(name, None if is_none else chosen)
            elif name in ("mean", "count"):
                plain = tt.zeros(2) if name == "mean" else tt.tensor([3, 4])
                buffer = params[4] * 2 if rng.random() < 0.3 else plain  # perhaps computed
                saved = bool(rng.random() < 0.6)
                part.register_buffer(name, None if is_none else buffer, persistent=saved)
            else:
                inner = made[max(rng.integers(len(made)), rng.integers(len(made)))]
                part.register_module(name, None if is_none else inner)
        made.append(part)
    return made[-1]


def shown(module, known=None, path="net"):
    """A module in words: "{w, one: {b = net.w, mean unsaved}, two = net.one}"."""
    known, said = {} if known is None else known, []
    known[id(module)] = path
    for name, part in [*module._parameters.items(), *module._buffers.items()]:
        unsaved = " unsaved" if name in module._transient else ""
        first = known.setdefault(id(part), f"{path}.{name}")
        same = "" if first == f"{path}.{name}" else f" = {first}"
        said.append(f"{name} = None" if part is None else f"{name}{same}{unsaved}")
    for name, part in module._modules.items():
        if part is None or id(part) in known:
            said.append(f"{name} = {None if part is None else known[id(part)]}")
        else:
            said.append(f"{name}: {shown(part, known, f'{path}.{name}')}")
    return "{" + ", ".join(said) + "}"


def trees():
    """Pairs (random tree, what it is in words), the smallest first."""
    pairs = [(net, f"net = {shown(net)}") for net in map(random_tree, TREES)]
    return sorted(pairs, key=lambda pair: len(pair[1]))


def walk(module, prefix=""):
    """(dotted name, module) under all names, from the smallest idea of it."""
    yield prefix, module
    for child, part in module._modules.items():
        if part is not None:
            yield from walk(part, f"{prefix}.{child}" if prefix else child)


def without_repeats(pairs):
    seen = []
    for name, thing in pairs:
        if not any(thing is other for other in seen):
            seen.append(thing)
            yield name, thing


FIRST_NAME = "all parts are there, but each comes under the first name that the walk meets"
ALL_THE_WAY = "those of its parts' parts come, too, however deep they are"


def walk_of_kind(net, kind, prefix, recurse):
    for name, module in walk(net, prefix) if recurse else [(prefix, net)]:
        for key, part in getattr(module, f"_{kind}").items():
            if part is not None:
                yield f"{name}.{key}" if name else key, part


def is_cut_off(want, got):
    """Are they all there down to some depth, and is all that's missing deeper?"""
    deepest = max((name.count(".") for name in got), default=0)
    return bool(got) and got == [name for name in want if name.count(".") <= deepest]


def expect_pairs(got, want, what, because=""):
    with calling(what):
        got, want = list(got()), list(want)
    names = [name for name, _ in want]
    others = {id(part) for _, part in got} == {id(part) for _, part in want}
    slips = [(lambda g: others and len(g) == len(want) and {*g} != {*names}, FIRST_NAME)]
    slips += [(partial(is_cut_off, names), ALL_THE_WAY)]
    expect([name for name, _ in got], names, f"the names from {what}", slips=slips, because=because)
    same = all(a is b for (_, a), (_, b) in zip(got, want, strict=True))
    fail_if(not same, f"{what} gave other parts than those that its names belong to")


@pytest.mark.exercise("11.2", points=2)
def test_any_tree_of_modules():
    prefixes = itertools.cycle(("net", "net.deep", "a.b.c", "net."))
    for net, tree, prefix in [(*pair, p) for pair in trees() for p in ("", next(prefixes))]:
        what = f"named_modules({prefix!r}), {tree},"
        why = "a prefix goes in front as it is, dots and all" if prefix else ""
        pairs = list(walk(net, prefix))
        expect_pairs(partial(net.named_modules, prefix), without_repeats(pairs), what, why)
        what = f"named_modules({prefix!r}, remove_duplicate=False), {tree},"
        expect_pairs(partial(net.named_modules, prefix, False), pairs, what, why)
        for kind, recurse in product(("parameters", "buffers"), (True, False)):
            ask = getattr(net, f"named_{kind}")
            pairs = list(walk_of_kind(net, kind, prefix, recurse))
            what = f"named_{kind}({prefix!r}, recurse={recurse}), {tree},"
            all_ = why or "all come that aren't None, frozen or not, each object once"
            expect_pairs(partial(ask, prefix, recurse), without_repeats(pairs), what, all_)
            what = what.replace(f"={recurse})", f"={recurse}, remove_duplicate=False)")
            all_ = why or "all come that aren't None, under each of their names"
            expect_pairs(partial(ask, prefix, recurse, False), pairs, what, all_)
        children = [(n, m) for n, m in net._modules.items() if m is not None]
        what = f"named_children(), {tree},"
        why = "two names of one module are one child, whatever recurse is"
        for time in ("", " a second time"):
            expect_pairs(net.named_children, without_repeats(children), what + time, why)
        what = f"two walks at the same time, {tree}"
        for ask in (net.named_modules, net.named_parameters):
            names = [name for name, _ in ask()]
            both = [(a, b) for (a, _), (b, _) in zip(ask(), ask(), strict=False)]
            because = "each walk knows what it has seen itself, and nothing else"
            expect(both, list(zip(names, names, strict=True)), what, because=because)


EACH_NUMBER = "every number of a kernel counts, however many axes it has"
MULTIPLY = "a weight may have no outputs, or no inputs: multiply, don't divide"
AT_LEAST_1 = "fan_of(tensor, mode) is at least 1, so that nobody divides by 0"
GAIN_OF_ALL = "calculate_gain(nonlinearity, a) knows them all"
WEIGHTS = (1, 1), (3, 4), (4, 3), (0, 3), (3, 0), (2, 3, 1), (5, 2, 3), (2, 3, 0), (4, 1, 2, 3)
WEIGHTS += ((2, 3, 4, 5, 6),)


@pytest.mark.exercise("11.3", points=2)
def test_all_weights():
    init = tt.nn.init
    for shape in WEIGHTS:
        kernel = int(np.prod(shape[2:], dtype=int))
        want = shape[1] * kernel, shape[0] * kernel
        for given in (shape, tt.zeros(*shape).shape):
            with calling(f"fans_of_shape({tuple(given)})", slips={ZeroDivisionError: MULTIPLY}):
                got = init.fans_of_shape(given)
            some = [int(np.prod(shape[2:n], dtype=int)) for n in range(2, len(shape))]
            slips = [((shape[1] * n, shape[0] * n), EACH_NUMBER) for n in some]
            slips += [(tuple(max(1, n) for n in want), "of none there are 0: fan_of makes it 1")]
            expect(got, want, f"fans_of_shape({tuple(given)})", slips=slips)
            expect([isinstance(n, int) for n in got], [True, True], f"fans_of_shape({shape}): ints")
        names = ("linear", "relu", "tanh", "sigmoid", "selu", "conv2d")
        gains = {(name, 0.5): init.GAINS.get(name, 1.0) for name in names}
        gains |= {("leaky_relu", a): (2 / (1 + a * a)) ** 0.5 for a in (0, 0.5, -2.0)}
        for ((name, a), gain), mode in product(gains.items(), ("fan_in", "fan_out")):
            what = f"kaiming_std of a weight {shape}, a={a}, {mode}, {name}"
            weight = tt.zeros(*shape)
            with calling(what, slips={ZeroDivisionError: AT_LEAST_1, KeyError: GAIN_OF_ALL}):
                got = init.kaiming_std(weight, a, mode, name)
            root = max(1, want[mode == "fan_out"]) ** 0.5
            unasked = (
                "a is the slope of a leaky_relu, and matters to no other: calculate_gain knows"
            )
            taken = "a slope of 0 is a slope: hand it on as it is"
            slips = [] if name == "leaky_relu" else [(gain / (1 + a * a) ** 0.5 / root, unasked)]
            slips += [((2 / (1 + 0.01**2)) ** 0.5 / root, taken)] if a == 0 else []
            slips += [(other / root, GAIN_OF_ALL) for other in (1, 2**0.5) if other != gain]
            expect(got, gain / root, what, slips=slips)
    large = (2, 3, 2**20, 2**20)
    what = f"fans_of_shape({large})"
    expect(init.fans_of_shape(large), (3 * 2**40, 2 * 2**40), what)
    weight, unheard = tt.zeros(3, 4), "fan_of and calculate_gain refuse what they don't know"
    for mode, name in (("fan_up", "relu"), ("fan_in", "step")):
        call = partial(init.kaiming_std, weight, 0, mode, name)
        what = f"kaiming_std with mode {mode}, nonlinearity {name}"
        slips = {None: unheard, KeyError: GAIN_OF_ALL}
        expect_raises(ValueError, call, what, slips=slips)
    tt.manual_seed(0)
    drawn = init.kaiming_normal_(tt.zeros(400, 300), nonlinearity="relu")
    expect(drawn.std().item(), (2 / 300) ** 0.5, "the size of kaiming_normal_'s numbers", rtol=0.02)


ONE_NUMBER = "a parameter may be a single number: *= and += do for all"
NO_AXES = ((lambda error: "0-dimensional" in str(error), ONE_NUMBER),)
DIVERGED = (np.nan, np.inf, -np.inf)
SCALES = {"float64": (1, 1e-100, 1e100), "float32": (1, 1e-15, 1e15)}  # squares are numbers, too
SETTINGS = (
    {"momentum": 0.9, "dampening": 0, "nesterov": False},
    {"momentum": 0.9, "dampening": 0, "nesterov": True},
    {"momentum": 0.5, "dampening": 0.3, "nesterov": False},
    {"momentum": 0.5, "dampening": 0.3, "nesterov": True},
)


@pytest.mark.exercise("11.4", points=2)
def test_momentum_of_any_array():
    for settings, dtype, shape in product(SETTINGS, DTYPES, (*SHAPES, (3, 2))):
        for scale in SCALES[np.dtype(dtype).name][: 3 if shape == (2, 3) else 1]:
            expect_momentum(settings, dtype, shape, scale)
    for momentum, want in ((0.5, [4.0]), (0, [2.0])):
        loaded = {"momentum_buffer": tt.tensor(np.array([4.0]))}
        group = {"momentum": momentum, "dampening": 0.75, "nesterov": False}
        got = tt.optim.sgd.with_momentum(np.array([8.0]), group, loaded)
        because = "the sum keeps the share momentum of itself, be it 0"
        what = f"with_momentum on a sum of 4 that was loaded, {group}, for 8"
        expect(got, want, what, because=because)
    for nesterov in (False, True):
        group, state = {"momentum": 0.5, "dampening": 0, "nesterov": nesterov}, {}
        for grad in ((*DIVERGED, 0.0), (1.0,) * 4):
            what = f"with_momentum, {group}, for {[*DIVERGED, 0.0]}"
            what += ", then for ones" if grad[0] == 1 else ""
            with np.errstate(invalid="ignore"):
                got = tt.optim.sgd.with_momentum(np.array(grad), group, state)
            expect_diverged(got, f"the result of {what}")
            sum_ = state["momentum_buffer"].numpy()
            expect_diverged(sum_, f"the sum after {what}")
            expect(sum_[3:], [grad[3]], f"the last number of the sum after {what}")
    a, b = {}, {}
    for state, grad in ((a, 1.0), (b, 10.0), (a, 1.0)):
        tt.optim.sgd.with_momentum(np.array(grad), group, state)
    because = "each parameter has a state of its own"
    expect(b["momentum_buffer"], 10.0, "the sum of another parameter", because=because)


def expect_diverged(got, what):
    """The first is nan; of the next two, inf may have become nan: inf - inf is."""
    because = "what isn't a number, or is infinite, is no finite number in a sum"
    expect(got[:1], [np.nan], f"the first number of {what}", because=because)
    expect(np.isfinite(got[1:3]), [False] * 2, f"whether those for inf are finite in {what}",
           because=because)  # fmt: skip


def expect_momentum(settings, dtype, shape, scale):
    """Four steps give what the formula says, to all the digits that the dtype has."""
    state, velocity, buffer, mu = {"another's": None}, 0, None, settings["momentum"]
    near = {"rtol": 1e-4, "atol": 1e-5 * scale} if dtype == np.float32 else EXACT
    for step in range(4):
        grad = scale * numbers(shape, dtype, seed=step) * (step != 2)  # the third is 0
        grad = np.asarray(grad, dtype) if shape != (3, 2) else np.asfortranarray(grad, dtype)
        kept, old = grad.copy(), velocity
        kind = f"{dtype.__name__} {shape}{f', times {scale}' if scale != 1 else ''}"
        what = f"with_momentum, {settings}, step {step + 1}, {kind}"
        group = {"lr": LR, "weight_decay": 0.5} | settings  # its caller's business
        before = dict(group)
        with calling(what, slips=NO_AXES):
            got = tt.optim.sgd.with_momentum(grad, group, state)
        expect(group, before, f"group after {what}", because="it belongs to all parameters")
        share = 1 if step == 0 else 1 - settings["dampening"]
        velocity = mu * velocity + share * kept
        want = kept + mu * velocity if settings["nesterov"] else velocity
        slips = flat_slips(grad) + momentum_slips(settings, step, kept, old, velocity)
        expect(
            np.asarray(got).dtype,
            np.dtype(dtype),
            f"the dtype of the result of {what}",
            because=OF_GRAD,
        )
        because = "numbers count, however small or large" if scale != 1 else ""
        expect(np.asarray(got), np.asarray(want), what, slips=slips, because=because, **near)
        expect(grad, kept, f"the gradient after {what}", rtol=0, atol=0)
        fail_if(np.shares_memory(got, grad), f"{what}: the result shares its memory with grad")
        sum_ = state["momentum_buffer"]
        expect(sum_, np.asarray(velocity), f"the sum after {what}", **near)
        kind = f"the dtype of the sum after {what}"
        expect(sum_.numpy().dtype, np.dtype(dtype), kind, because=OF_GRAD)
        is_another = buffer not in (None, id(sum_._data))
        fail_if(is_another, f"{what}: the sum's array is another one: change it in place")
        buffer = id(sum_._data)
        names = ["another's", "momentum_buffer"]
        because = "the sum is all that's kept"
        expect(sorted(state), names, f"the names in the state after {what}", because=because)


def momentum_slips(settings, step, grad, old, velocity):
    """Pairs (wrong result of this step, what leads to it), each with a value of its own."""
    mu, share = settings["momentum"], 1 - settings["dampening"]
    ahead = grad + mu * velocity if settings["nesterov"] else velocity
    slips = []
    if step == 0:
        rated = grad + mu * LR * grad if settings["nesterov"] else LR * grad
        slips += [(rated, RATED), (LR * ahead, RATED)]
    if step == 0 and share != 1:
        first = share * grad if not settings["nesterov"] else grad + mu * share * grad
        slips += [(first, "this state has no sum yet, so this gradient goes in whole")]
    if step and share != 1 and settings["nesterov"] and grad.any():
        slips += [
            (share * grad + mu * velocity, "only the sum is dampened: grad itself goes ahead")
        ]
    if step == 2 and not settings["nesterov"]:
        slips += [(old, "the sum keeps only a share of itself, even where a gradient is 0")]
    if grad.dtype == np.float64 and grad.any():
        slips += [(partial(np.allclose, ahead, rtol=1e-6, atol=0), FEW_DIGITS)]
    return slips


def flat_slips(grad):
    """Nothing has come of an array whose numbers don't lie in one row."""
    is_turned = grad.any() and not grad.flags.c_contiguous
    return [(lambda got: not np.any(got), FLAT)] if is_turned else []


FLAT = "its numbers don't lie in one row, so a flat view of it is a copy: *= and += need none"
EXACT = {"rtol": 1e-9, "atol": 0}
LR = 0.1
RATED = "lr is in it, which is for its caller: with_momentum gives the direction alone"
OF_GRAD = "all are of the dtype of grad"
FEW_DIGITS = "only float32's digits of it are right, and grad has those of float64"
PLAIN_NUMBER = "a power of beta in float32 loses some: step.item() is a plain number"


@pytest.mark.exercise("11.5", points=2)
def test_adam_of_any_array():
    settings = ({}, {"betas": (0.5, 0.9)}, {"betas": (0.0, 0.0)}, {"eps": 0.1, "lr": 2.0})
    for changed, dtype, shape in product(settings, DTYPES, (*SHAPES, (3, 2))):
        expect_adam(changed, dtype, shape, 1)
    for dtype in DTYPES:
        for scale in SCALES[np.dtype(dtype).name][1:]:
            expect_adam({"eps": 0.0}, dtype, (2, 3), scale)
    for beta1, beta2 in product((0.5, 0.9995), (0.75, 0.9998)):
        group = {"lr": 1.0, "betas": (beta1, beta2), "eps": 0.0}
        for steps in (0, 3, 30, 300, 3000):
            mean, square = (1.0, 4.0) if steps else (0.0, 0.0)
            arrays = {"step": np.float32(steps), "exp_avg": [mean], "exp_avg_sq": [square]}
            loaded = {name: tt.tensor(np.asarray(held)) for name, held in arrays.items()}
            got = tt.optim.adam.adam_step(np.array([2.0]), group, loaded)
            mean, square = mean + (1 - beta1) * (2 - mean), square + (1 - beta2) * (4 - square)
            seen1, seen2 = 1 - beta1 ** (steps + 1), 1 - beta2 ** (steps + 1)
            because = "each mean by its own 1 - beta**steps, however many there were"
            what = f"on a state of {steps} steps that was loaded" if steps else "the first step"
            what = f"adam_step, {group}, for 2, {what}"
            expect(got, [mean / seen1 / (square / seen2) ** 0.5], what, because=because, **EXACT)
    group, state = {"lr": 1.0, "betas": (0.5, 0.75), "eps": 0.0}, {}
    what, because = f"adam_step, {group}, for [nan, 3.0]", "what isn't a number stays visible"
    with calling(what):
        got = tt.optim.adam.adam_step(np.array([np.nan, 3.0]), group, state)
    expect(got, [np.nan, 1.0], f"{what}: the step", because=because)
    for name, want in {"exp_avg": [np.nan, 1.5], "exp_avg_sq": [np.nan, 2.25]}.items():
        expect(state[name], want, f"state[{name!r}] after {what}", because=because)


NO_LOGARITHM = "a beta may be 0, which has no logarithm"


def expect_adam(changed, dtype, shape, scale):
    """Four steps give what the formula says, to all the digits that the dtype has."""
    group = {"lr": 0.01, "betas": (0.9, 0.999), "eps": 1e-8, "weight_decay": 0.5} | changed
    (beta1, beta2), state, mean, square = group["betas"], {}, 0.0, 0.0
    before = dict(group)
    slips = [*NO_AXES]
    if 0 in group["betas"]:
        slips += [(worded(ValueError, "math domain error"), NO_LOGARITHM)]
    for step in range(1, 5):
        grad = np.asarray(scale * numbers(shape, dtype, seed=step) * (step != 2), dtype)
        grad = np.asfortranarray(grad) if shape == (3, 2) else grad
        kept = grad.copy()
        kind = f"{dtype.__name__} of shape {shape}{f', times {scale}' if scale != 1 else ''}"
        what = f"adam_step, {changed or 'usual settings'}, step {step}, {kind}"
        with calling(what, slips=slips):
            got = tt.optim.adam.adam_step(grad, group, state)
        exact = kept.astype(np.float64)
        mean = beta1 * mean + (1 - beta1) * exact
        square = beta2 * square + (1 - beta2) * exact**2
        root = np.sqrt(square / (1 - beta2**step))
        want = group["lr"] * mean / (1 - beta1**step) / (root + group["eps"])
        because = "a gradient of 0 counts like any other: the means fade" if step == 2 else ""
        because = "eps being 0, the size of a gradient cancels" if scale != 1 else because
        kind = f"the dtype of the result of {what}"
        expect(np.asarray(got).dtype, np.dtype(dtype), kind, because=OF_GRAD)
        flat, near = flat_slips(grad), {"rtol": 1e-3, "atol": 1e-6}
        expect(np.asarray(got), np.asarray(want), what, slips=flat, because=because, **near)
        if dtype == np.float64:
            seen1, seen2 = (1 - np.float32(b) ** np.float32(step) for b in group["betas"])
            rough = group["lr"] * mean / seen1 / (np.sqrt(square / seen2) + group["eps"])
            near = partial(np.allclose, rough, rtol=1e-6, atol=0)
            said = f"{what}, to all its digits"
            close = partial(np.allclose, want, rtol=1e-6, atol=0)
            few = [(close, FEW_DIGITS), (near, PLAIN_NUMBER)]
            expect(got, want, said, slips=few, **EXACT)
        expect(grad, kept, f"the gradient after {what}", rtol=0, atol=0)
        for name, whole in {"exp_avg": mean, "exp_avg_sq": square, "step": step}.items():
            held, size = state[name].numpy(), {"exp_avg": scale, "exp_avg_sq": scale**2}
            kind = np.float32 if name == "step" else dtype
            because = (
                "kept(state, 'step', np.float32(0)) is the count" if name == "step" else OF_GRAD
            )
            whose = f"the dtype of state[{name!r}] after {what}"
            expect(held.dtype, np.dtype(kind), whose, because=because)
            digits = {"rtol": 1e-3, "atol": 1e-6 * size.get(name, 1)}
            digits = EXACT if dtype == np.float64 else digits
            expect(held, np.asarray(whole), f"state[{name!r}] after {what}", **digits)
    because = "these three are all that's kept"
    names = ["exp_avg", "exp_avg_sq", "step"]
    expect(sorted(state), names, f"the names in the state, {what}", because=because)
    expect(group, before, f"group after {what}")


def alone(samples):
    """A batch whose length is 1, however many samples there are."""
    return (samples,)


def has_a_bare_sample(size, batches):
    """Was a batch of one handed to alone() without its list?"""
    return size == 1 and any(not isinstance(made[0], list) for made in batches)


def sliced(samples, size, drop_last):
    """The batches as the slices of a list, as alone() makes them."""
    cut = [samples[k : k + size] for k in range(0, len(samples), size)]
    return tuple(alone(batch) for batch in cut if len(batch) == size or not drop_last)


def expect_epochs_apart(size, ahead):
    """Two epochs of one loader, the first so many batches ahead; then one after one broken off."""
    loader = tt.utils.data.DataLoader(range(5), batch_size=size, collate_fn=list)
    want = [[*range(5)][k : k + size] for k in range(0, 5, size)]
    because = "an epoch keeps what it needs in variables of its own, not in self"
    what = f"two epochs of one loader, range(5), batch_size={size}, at the same time"
    what += f", the first {ahead} ahead" if ahead else ""
    first, second = iter(loader), iter(loader)
    a, b = [*itertools.islice(first, ahead)], []
    while (more := (next(first, None), next(second, None))) != (None, None):
        a, b = [*a, more[0]], [*b, more[1]]
    found = tuple([batch for batch in batches if batch is not None] for batches in (a, b))
    expect(found, (want, want), what, because=because)
    broken_off = iter(loader)
    next(broken_off)
    what = f"an epoch after another was broken off, range(5), batch_size={size}"
    expect([*loader], want, what, because=because)


def expect_collate_may_do_anything():
    """What collate_fn gives is the batch; its list is its own; its errors are for the caller."""

    def take(samples):
        taken = tuple(samples)
        samples.clear()
        return taken

    def fail(samples):
        raise error("from collate_fn")

    class Counted(list):
        def __getitem__(self, index):
            asked.append(index)
            return index

    loader = partial(tt.utils.data.DataLoader, batch_size=2)
    for n in (4, 5):
        want = [(0, 1), (2, 3), (4,)][: (n + 1) // 2]
        what = f"the batches of range({n}), batch_size=2, with a collate_fn that empties its list,"
        because = "the list is collate_fn's own, whatever it does to it"
        got = (*loader(range(n), collate_fn=take),)
        expect(got, (*want,), what, because=because)
    for made in (None, 0, False, [], ""):
        got = [*loader(range(4), collate_fn=lambda samples, made=made: made)]
        what = f"the batches of range(4), batch_size=2, collate_fn always giving {made!r},"
        because = "a batch is what collate_fn makes, be it nothing"
        expect(got, [made, made], what, because=because)
    kinds = [kind for kind in EVERY_ERROR if kind not in (StopIteration, StopAsyncIteration)]
    for error in (Stop, *kinds, KeyboardInterrupt):
        asked = []
        epoch = iter(loader(Counted(range(5)), collate_fn=fail))
        what = f"a collate_fn that raises {error.__name__}"
        first = f"the first batch by {what}, {NO_EXCEPT}"
        expect_ending(partial(next, epoch, None), error, first)
        because = "each of a batch once, and no others"
        asked = (*asked,)
        expect(asked, (0, 1), f"the samples that were asked for, by {what},", because=because)


COUNTED = "count samples as they come: an index says which one it is, not how many there were"
NO_EXCEPT = "which no except clause may keep from whoever asked for the batch,"


@pytest.mark.exercise("11.6", points=2)
def test_any_number_in_any_batches():
    data = tt.utils.data

    class Numbers(data.IterableDataset):
        def __init__(self, count):
            self.count = count

        def __iter__(self):
            return iter([None, 0, False, [], "", 5, 6, 7, 8][: self.count])

    for count, size, drop_last in product(range(8), range(1, 9), (False, True)):
        samples, places = [3 * n for n in range(count)], [*range(count)][::-1] * 2
        what = f"{count} sample{'s' * (count != 1)}, batch_size={size}, drop_last={drop_last}"
        settings = {"batch_size": size, "drop_last": drop_last, "collate_fn": alone}
        plain = data.DataLoader(samples, **settings)
        for time in ("", ", a second time"):
            with calling(what):
                got = list(plain)
            want = sliced(samples, size, drop_last)
            slips = [(partial(has_a_bare_sample, size), "a batch of one is a list of one")]
            full = want and len(want[-1][0]) == size
            slips += [(want[:-1], "the last one is full: it stays")] if full and drop_last else []
            expect((*got,), want, f"the batches of {what}{time}", slips=slips)
        chosen = data.DataLoader(samples, sampler=places, **settings)
        want = sliced([samples[place] for place in places], size, drop_last)
        twice = f"the batches of {what}, by a sampler that has each one twice"
        expect((*chosen,), want, twice, because=COUNTED)
        want = sliced([*Numbers(count)], size, drop_last)
        stream = data.DataLoader(Numbers(count), **settings)
        slips = [((), "its first sample is None, which is a sample like any other")]
        slips = slips if count == 1 else []
        expect((*stream,), want, f"the batches of a stream of {what}", slips=slips)
        expect(len(plain), len(list(plain)), f"len() of the loader of {what}")
    for size, ahead in product((2, 3), range(4)):
        expect_epochs_apart(size, ahead)
    once = data.DataLoader(range(9), batch_size=2, sampler=iter([7, 5, 3]), collate_fn=list)
    what = "the batches of a sampler that can be walked through once, and has no length,"
    ended = "walk through self.order() to its end: nobody need know its length"
    with calling(what, slips=[(worded(TypeError, "has no len()"), ended)]):
        got = (*once,)
    expect(got, ([7, 5], [3]), what)

    class Own(data.DataLoader):
        def order(self):
            return [5, 3, 5]

        def sample(self, index):
            return 100 + index

    mine = Own(range(9), batch_size=2, collate_fn=list)
    what = "the batches of a DataLoader that has an order() and a sample() of its own"
    expect((*mine,), ([105, 103], [105]), what)
    sums = data.DataLoader([0, 0, 0], batch_size=2, collate_fn=sum)
    expect((*sums,), (0, 0), "what collate_fn=sum makes of 0, 0, 0, batch_size=2")
    drawn = []
    long = (drawn.append(n) or n for n in range(1000))
    next(iter(data.DataLoader(range(1000), batch_size=2, sampler=long, collate_fn=list)))
    because = "its order may have no end: don't collect it all before you start"
    many = f"for a first batch of 2, {len(drawn)} numbers were asked of a sampler"
    fail_if(len(drawn) >= 100, f"{many}: {because}")
    both = data.DataLoader(range(4), batch_size=2, collate_fn=list)
    kept = list(both)
    kept[0].append(99)
    expect([kept[1], *both], [[2, 3], [0, 1], [2, 3]], "batches after another was changed")

    class Broken(list):
        def __getitem__(self, index):
            if index == 3:
                raise self.error
            return index

    for error in (Stop, IndexError, KeyError, TypeError, RuntimeError, KeyboardInterrupt):
        broken = Broken(range(6))
        broken.error = error
        epoch = iter(data.DataLoader(broken, batch_size=2, collate_fn=list))
        what = f"of a data set whose sample 3 raises {error.__name__}"
        expect(next(epoch), [0, 1], f"the first batch {what}")
        second = f"the second batch {what}, {NO_EXCEPT}"
        expect_ending(partial(next, epoch, None), error, second)
    expect_collate_may_do_anything()
    pictures = data.TensorDataset(tt.tensor(numbers((5, 2))), tt.tensor(np.arange(5)))
    for x, y in data.DataLoader(pictures, batch_size=3):
        expect(x.shape[0], y.shape[0], "as many pictures as labels in a batch")


LONG = 2**53 + 1  # neither float32 nor float64 has this number
ALL_DIGITS = "digits were lost on the way: a copy has all of them"
ALIKE = ("w", "W", "module.w", "net.module.w", "w.", "_w", "w ", "a.w", "0")


def leaves_out(want, unsaved, got):
    """Are all names that are missing like those of unsaved buffers, and none too many?"""
    missing = [name.rpartition(".")[2] for name in want if name not in got]
    return set(missing) <= unsaved and missing and set(got) <= set(want)


def expect_a_lazy_part_loaded():
    """A layer that doesn't know its shape yet takes it, and the numbers, from a state."""
    lazy, ready = (tt.nn.Sequential(layer) for layer in (tt.nn.LazyLinear(3), tt.nn.Linear(2, 3)))
    what = "the state of a Linear is loaded into a LazyLinear, which has no shape yet"
    because = "state_dict() gives it what detach() gives, which can take a shape; .data can't"
    with calling(what, slips={RuntimeError: because}):
        lazy.load_state_dict(ready.state_dict())
    expect(lazy[0].weight, ready[0].weight, f"the weight after {what}", rtol=0, atol=0)


def memory_of(tensor):
    """Where its numbers are, and in which steps."""
    array = tensor.detach().numpy()
    return array.__array_interface__["data"], array.shape, array.strides


@pytest.mark.exercise("11.7", points=2)
def test_any_state_there_and_back():
    for (net, tree), prefix in product(trees(), ("", "net.", "x")):
        extra = [name for name, module in walk(net) if hasattr(module, "get_extra_state")]
        want = {prefix + (f"{name}." if name else "") + "_extra_state": None for name in extra}
        for name, module in walk(net):
            for parts in (module._parameters, module._buffers):
                for key, part in parts.items():
                    if part is not None and key not in module._transient:
                        want[prefix + (f"{name}.{key}" if name else key)] = part
        what = f"state_dict({prefix!r}), {tree}"
        with calling(what):
            state = net.state_dict(prefix)
        unsaved = set().union(*[module._transient for _, module in walk(net)])
        others = "the names in module._transient are those of its own buffers, not of others'"
        left_out = partial(leaves_out, want, unsaved)
        all_ = "all that isn't None belongs to it, under each of its names"
        names = f"the names in {what},"
        expect(list(state), list(want), names, slips=[(left_out, others)], because=all_)
        for name, part in want.items():
            if part is None:
                continue
            tensor, whose = state[name], f"{what}: {name}"
            shares = memory_of(tensor) == memory_of(part)
            fail_if(not shares, f"{whose} shares no memory with the part: detach() does")
            kind = type(tensor).__name__
            fail_if(type(tensor) is not tt.Tensor, f"{whose} is a {kind}, expected a plain Tensor")
            expect(tensor.requires_grad, False, f"{whose}.requires_grad")
    for dtype, shape in product(DTYPES, SHAPES):
        x, y = numbers(shape, dtype), numbers(shape, np.float64, seed=9)
        x[...], y.flat[:1] = np.nan, np.inf
        own, given = (
            {"a": tt.tensor(x.copy()), "n": tt.tensor(2), "yes": tt.tensor(False)},
            {"a": tt.tensor(y.copy()), "n": tt.tensor(LONG), "yes": tt.tensor(True)},
        )
        held, version = own["a"], own["a"]._version
        tt.nn.module.copy_into(own, given)
        what = f"after copy_into, {dtype.__name__} of shape {shape}"
        fail_if(own["a"] is not held, f"own['a'] is another Tensor {what}")
        slips = [(partial(np.allclose, y, rtol=1e-2), ALL_DIGITS)] if y.size else []
        expect(held.numpy(), y.astype(dtype), f"own['a'] {what}", slips=slips, rtol=0, atol=0)
        expect(held.numpy().dtype, np.dtype(dtype), f"the dtype of own['a'] {what}")
        expect(given["a"].numpy(), y, f"given['a'] {what}", rtol=0, atol=0)
        slips = [((2,), "whole numbers are copied like all others")]
        slips += [(lambda n: abs(n[0] - LONG) < 10, ALL_DIGITS)]
        expect((own["n"].item(),), (LONG,), f"own['n'], a whole number, {what}", slips=slips)
        expect(own["yes"].item(), True, f"own['yes'], a truth value, {what}")
        unnoted = f"own['a'] has new numbers {what}, and nobody who has saved the old ones is told"
        fail_if(held._version == version, f"{unnoted}: copy_() does that")
    for want, came in (((2,), (3,)), ((2, 3), (3, 2)), ((2, 3), (6,))):
        pair = {"w": tt.zeros(*want)}, {"w": tt.ones(*came)}
        misfit = error_of(partial(tt.nn.module.copy_into, *pair))
        sizes = "3 numbers don't fit into 2" if want == (2,) else f"{came} doesn't fit into {want}"
        says = f"copy_into raised no error where {sizes}"
        fail_if(misfit is None, f"{says}: copy_() raises it, and it's for the caller")
    for mine, theirs in product(ALIKE, ALIKE):
        w = tt.zeros(2)
        tt.nn.module.copy_into({mine: w}, {theirs: tt.ones(2)})
        what = f"own[{mine!r}] after copy_into, given having the name {theirs!r}"
        expect(w, [float(mine == theirs)] * 2, what, because="a name is taken as it is")
    expect_a_lazy_part_loaded()
    turned, new = tt.zeros(2, 3).T, numbers((3, 2))
    tt.nn.module.copy_into({"w": turned}, {"w": tt.tensor(new)})
    expect(turned, new, "a transposed own['w'] after copy_into")
    square, counts = tt.tensor(new[:2].copy()), tt.tensor([0, 0])
    tt.nn.module.copy_into({"w": square}, {"w": square.T})
    expect(square, new[:2].T, "own['w'] after copy_into, given['w'] being own['w'].T")
    with calling("copy_into, own['n'] = tensor([0, 0]), given['n'] = tensor([1.5, 2.5])"):
        tt.nn.module.copy_into({"n": counts}, {"n": tt.tensor([1.5, 2.5])})
    expect(counts, [1, 2], "own['n'], whole numbers, after 1.5 and 2.5 were copied into it")
    w = tt.zeros(3)
    tt.nn.module.copy_into({}, {"w": w})
    tt.nn.module.copy_into({"w": w}, {})
    given = tt.nn.Parameter(tt.ones(3))
    with tt.no_grad():
        tt.nn.module.copy_into({"w": w}, {"w": given})
    expect(w, [1.0, 1.0, 1.0], "own['w'] after a Parameter was copied into it")
    (source, tree), (copy, _) = trees()[-1], trees()[-1]
    with tt.no_grad():
        for k, part in enumerate((*source.parameters(), *source.buffers())):
            part.fill_(k + 2.1)
    before = dict(copy.named_parameters())
    copy.load_state_dict(source.state_dict())
    after = dict(copy.named_parameters())
    for name, part in source.named_parameters():
        what = f"{name} after another net's state was loaded, {tree}"
        expect(after[name], part.detach(), what, rtol=0, atol=0)
        fail_if(after[name] is not before[name], f"{what} is another Parameter")
