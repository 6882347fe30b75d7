"""Chapter 11's contracts, run last: random trees of modules, all shapes, dtypes and settings."""

from functools import partial
from itertools import product

import numpy as np
import pytest

import tinytorch as tt
from course.contracts import DTYPES, SHAPES, expect_ending, numbers
from course.testing import calling, error_of, expect

NAMES = ("a", "_b", "weight", "inner")
TREES = range(30)


class Stop(Exception):
    pass


def values(rng):
    """Something to assign: parts of every kind, and what is none."""

    class Mine(tt.nn.Parameter):
        pass

    made = (
        lambda: tt.nn.Parameter(tt.tensor(0.0)),
        lambda: tt.nn.Parameter(tt.zeros(0, 3), requires_grad=False),
        lambda: Mine(tt.ones(2)),
        tt.nn.Module,
        tt.nn.ModuleList,  # an empty one is false
        lambda: tt.zeros(2),
        lambda: tt.tensor(1.0, requires_grad=True),
        lambda: None,
        lambda: 3,
        lambda: [tt.zeros(1)],
    )
    return made[rng.integers(len(made))]()


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
            value = values(rng)
            said.append(f"{name} = {type(value).__name__}")
            error, what = want.assign(name, value), f"assignments {', '.join(said)}"
            if error:
                call = partial(setattr, net, name, value)
                expect_ending(call, error, f"the last of the {what}, {name} being a part,")
            else:
                with calling(f"the last of the {what}"):
                    setattr(net, name, value)
            for kind in ("parameters", "buffers", "modules"):
                names = sorted(n for n, k in want.kinds.items() if k == kind)
                expect(sorted(getattr(net, f"_{kind}")), names, f"the {kind} after the {what}")
            unsaved = f"the names of buffers that aren't saved after the {what}"
            expect(sorted(net._transient), sorted(want.transient), unsaved)
            for key, part in want.held.items():
                expect(getattr(net, key) is part, True, f"net.{key} after the {what}: it")
                kind = want.kinds.get(key)
                held = getattr(net, f"_{kind}")[key] is part if kind else True
                expect(held, True, f"net._{kind}[{key!r}] is that, too, after the {what}: it")

    class Early(tt.nn.Module):
        def __init__(self, name, value):
            setattr(self, name, value)
            super().__init__()

    for name, value in product(("size", "training", "forward"), (None, 3, [], tt.zeros(2))):
        what = f"{name} = {type(value).__name__} before super().__init__()"
        with calling(what):
            net = Early(name, value)
        expect(getattr(net, name) is value, True, f"net.{name} after {what} is that: it")
        expect([*net._parameters, *net._buffers, *net._modules], [], f"the parts after {what}")

    class Celsius(tt.nn.Module):
        degrees = property(lambda self: self.kelvin - 273, lambda self, n: given.append(n))

    given = []
    with calling("net.degrees = 5, degrees being a property with a setter,"):
        Celsius().degrees = 5
    because = "plain attributes go to super().__setattr__"
    expect(given, [5], "what the setter of a property was given", because=because)
    for name, value in (("a.b", tt.nn.Module()), ("forward", tt.nn.Parameter(tt.ones(1)))):
        call = partial(setattr, tt.nn.Module(), name, value)
        expect_ending(call, KeyError, f"setattr(net, {name!r}, a part)")


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


def walk_of_kind(net, kind, prefix, recurse):
    for name, module in walk(net, prefix) if recurse else [(prefix, net)]:
        for key, part in getattr(module, f"_{kind}").items():
            if part is not None:
                yield f"{name}.{key}" if name else key, part


def expect_pairs(got, want, what):
    with calling(what):
        got, want = list(got()), list(want)
    expect([name for name, _ in got], [name for name, _ in want], f"the names from {what}")
    same = all(a is b for (_, a), (_, b) in zip(got, want, strict=True))
    expect(same, True, f"the parts from {what} are those of these names: it")


@pytest.mark.exercise("11.2", points=2)
def test_any_tree_of_modules():
    for (net, tree), prefix in product(trees(), ("", "net")):
        what = f"named_modules({prefix!r}), {tree},"
        pairs = list(walk(net, prefix))
        expect_pairs(partial(net.named_modules, prefix), without_repeats(pairs), what)
        what = f"named_modules({prefix!r}, remove_duplicate=False), {tree},"
        expect_pairs(partial(net.named_modules, prefix, False), pairs, what)
        for kind, recurse in product(("parameters", "buffers"), (True, False)):
            ask = getattr(net, f"named_{kind}")
            pairs = list(walk_of_kind(net, kind, prefix, recurse))
            what = f"named_{kind}({prefix!r}, recurse={recurse}), {tree},"
            expect_pairs(partial(ask, prefix, recurse), without_repeats(pairs), what)
            what = what.replace(f"={recurse})", f"={recurse}, remove_duplicate=False)")
            expect_pairs(partial(ask, prefix, recurse, False), pairs, what)
        children = [(n, m) for n, m in net._modules.items() if m is not None]
        what = f"named_children(), {tree},"
        expect_pairs(net.named_children, without_repeats(children), what)
        expect_pairs(net.named_children, without_repeats(children), f"{what} a second time")
        what = f"two walks at the same time, {tree}"
        for ask in (net.named_modules, net.named_parameters):
            names = [name for name, _ in ask()]
            both = [(a, b) for (a, _), (b, _) in zip(ask(), ask(), strict=False)]
            expect(both, list(zip(names, names, strict=True)), what)


WEIGHTS = (1, 1), (3, 4), (4, 3), (0, 3), (3, 0), (2, 3, 1), (5, 2, 3), (2, 3, 0), (4, 1, 2, 3)
WEIGHTS += ((2, 3, 4, 5, 6),)


@pytest.mark.exercise("11.3", points=2)
def test_all_weights():
    init = tt.nn.init
    for shape in WEIGHTS:
        kernel = int(np.prod(shape[2:], dtype=int))
        want = shape[1] * kernel, shape[0] * kernel
        for given in (shape, tt.zeros(*shape).shape):
            with calling(f"fans_of_shape({tuple(given)})"):
                got = init.fans_of_shape(given)
            expect(got, want, f"fans_of_shape({tuple(given)})")
            expect([isinstance(n, int) for n in got], [True, True], f"fans_of_shape({shape}): ints")
        names = ("linear", "relu", "tanh", "sigmoid", "selu", "conv2d")
        gains = {(name, 0.5): init.GAINS.get(name, 1.0) for name in names}
        gains |= {("leaky_relu", a): (2 / (1 + a * a)) ** 0.5 for a in (0, 0.5, -2.0)}
        for ((name, a), gain), mode in product(gains.items(), ("fan_in", "fan_out")):
            what = f"kaiming_std of a weight {shape}, a={a}, {mode}, {name}"
            weight = tt.zeros(*shape)
            with calling(what):
                got = init.kaiming_std(weight, a, mode, name)
            expect(got, gain / max(1, want[mode == "fan_out"]) ** 0.5, what)
    weight = tt.zeros(3, 4)
    for mode, name in (("fan_up", "relu"), ("fan_in", "step")):
        call = partial(init.kaiming_std, weight, 0, mode, name)
        expect_ending(call, ValueError, f"kaiming_std with mode {mode}, nonlinearity {name}")
    tt.manual_seed(0)
    drawn = init.kaiming_normal_(tt.zeros(400, 300), nonlinearity="relu")
    expect(drawn.std().item(), (2 / 300) ** 0.5, "the size of kaiming_normal_'s numbers", rtol=0.02)


ONE_NUMBER = "a parameter may be a single number: *= and += do for all"
NO_AXES = ((lambda error: "0-dimensional" in str(error), ONE_NUMBER),)
DIVERGED = (np.nan, np.inf, -np.inf)
SETTINGS = (
    {"momentum": 0.9, "dampening": 0, "nesterov": False},
    {"momentum": 0.9, "dampening": 0, "nesterov": True},
    {"momentum": 0.5, "dampening": 0.3, "nesterov": False},
    {"momentum": 0.5, "dampening": 0.3, "nesterov": True},
)


@pytest.mark.exercise("11.4", points=2)
def test_momentum_of_any_array():
    for settings, dtype, shape in product(SETTINGS, DTYPES, (*SHAPES, (3, 2))):
        state, velocity, buffer = {"another's": None}, 0, None
        for step in range(4):
            grad = numbers(shape, dtype, seed=step) * (step != 2)  # the third is 0
            grad = np.asarray(grad, dtype) if shape != (3, 2) else np.asfortranarray(grad, dtype)
            kept = grad.copy()
            what = f"with_momentum, {settings}, step {step + 1}, {dtype.__name__} {shape}"
            group = {"lr": 0.1, "weight_decay": 0.5} | settings  # its caller's business
            before = dict(group)
            with calling(what, slips=NO_AXES):
                got = tt.optim.sgd.with_momentum(grad, group, state)
            expect(group, before, f"group after {what}")
            share = 1 if step == 0 else 1 - settings["dampening"]
            velocity = settings["momentum"] * velocity + share * kept
            want = kept + settings["momentum"] * velocity if settings["nesterov"] else velocity
            expect(np.asarray(got).dtype, np.dtype(dtype), f"the dtype of {what}")
            expect(np.asarray(got), np.asarray(want), what, rtol=1e-4, atol=1e-5)
            expect(grad, kept, f"the gradient after {what}", rtol=0, atol=0)
            sum_ = state["momentum_buffer"]
            expect(sum_, np.asarray(velocity), f"the sum after {what}", rtol=1e-4, atol=1e-5)
            expect(sum_.numpy().dtype, np.dtype(dtype), f"the dtype of the sum after {what}")
            expect(buffer in (None, id(sum_._data)), True, f"the sum's array stays in {what}: it")
            buffer = id(sum_._data)
            names = ["another's", "momentum_buffer"]
            expect(sorted(state), names, f"the names in the state after {what}")
    for momentum, want in ((0.5, [4.0]), (0, [2.0])):
        loaded = {"momentum_buffer": tt.tensor(np.array([4.0]))}
        group = {"momentum": momentum, "dampening": 0.75, "nesterov": False}
        got = tt.optim.sgd.with_momentum(np.array([8.0]), group, loaded)
        expect(got, want, f"with_momentum on a sum of 4 that was loaded, {group}, for 8")
    group = {"momentum": 0.5, "dampening": 0, "nesterov": True}
    got = tt.optim.sgd.with_momentum(np.array(DIVERGED), group, {})
    expect(got, [*DIVERGED], f"with_momentum, {group}, for {[*DIVERGED]}")
    a, b = {}, {}
    for state, grad in ((a, 1.0), (b, 10.0), (a, 1.0)):
        tt.optim.sgd.with_momentum(np.array(grad), group, state)
    because = "each parameter has a state of its own"
    expect(b["momentum_buffer"], 10.0, "the sum of another parameter", because=because)


PLAIN_NUMBER = "a power of beta in float32 loses some: step.item() is a plain number"


@pytest.mark.exercise("11.5", points=2)
def test_adam_of_any_array():
    settings = ({}, {"betas": (0.5, 0.9)}, {"betas": (0.0, 0.0)}, {"eps": 0.1, "lr": 2.0})
    for changed, dtype, shape in product(settings, DTYPES, (*SHAPES, (3, 2))):
        group = {"lr": 0.01, "betas": (0.9, 0.999), "eps": 1e-8, "weight_decay": 0.5} | changed
        (beta1, beta2), state, mean, square = group["betas"], {}, 0.0, 0.0
        before = dict(group)
        for step in range(1, 5):
            grad = np.asarray(numbers(shape, dtype, seed=step) * (step != 2), dtype)
            grad = np.asfortranarray(grad) if shape == (3, 2) else grad
            kept = grad.copy()
            kind = f"{dtype.__name__} of shape {shape}"
            what = f"adam_step, {changed or 'usual settings'}, step {step}, {kind}"
            with calling(what, slips=NO_AXES):
                got = tt.optim.adam.adam_step(grad, group, state)
            exact = kept.astype(np.float64)
            mean = beta1 * mean + (1 - beta1) * exact
            square = beta2 * square + (1 - beta2) * exact**2
            root = np.sqrt(square / (1 - beta2**step))
            want = group["lr"] * mean / (1 - beta1**step) / (root + group["eps"])
            expect(np.asarray(got).dtype, np.dtype(dtype), f"the dtype of {what}")
            expect(np.asarray(got), np.asarray(want), what, rtol=1e-3, atol=1e-6)
            if dtype == np.float64:
                seen1, seen2 = (1 - np.float32(b) ** np.float32(step) for b in group["betas"])
                rough = group["lr"] * mean / seen1 / (np.sqrt(square / seen2) + group["eps"])
                near = partial(np.allclose, rough, rtol=1e-6, atol=0)
                said = f"{what}, to all its digits"
                expect(got, want, said, slips=[(near, PLAIN_NUMBER)], rtol=1e-9, atol=1e-12)
            expect(grad, kept, f"the gradient after {what}", rtol=0, atol=0)
            for name, whole in {"exp_avg": mean, "exp_avg_sq": square, "step": step}.items():
                held = state[name].numpy()
                kind = np.float32 if name == "step" else dtype
                expect(held.dtype, np.dtype(kind), f"the dtype of state[{name!r}] after {what}")
                expect(held, np.asarray(whole), f"state[{name!r}] after {what}", rtol=1e-3)
        expect(sorted(state), ["exp_avg", "exp_avg_sq", "step"], f"the names in the state, {what}")
        expect(group, before, f"group after {what}")
    group = {"lr": 1.0, "betas": (0.5, 0.9995), "eps": 0.0}
    for steps in (3, 300, 3000):
        arrays = {"step": np.float32(steps), "exp_avg": np.ones(1), "exp_avg_sq": np.full(1, 4.0)}
        loaded = {name: tt.tensor(array) for name, array in arrays.items()}
        got = tt.optim.adam.adam_step(np.array([2.0]), group, loaded)
        want = 1.5 / (1 - 0.5 ** (steps + 1)) / (4 / (1 - 0.9995 ** (steps + 1))) ** 0.5
        because = "beta**steps, however many there were"
        what = f"adam_step on a state of {steps} steps that was loaded"
        expect(got, [want], what, because=because)
    with np.errstate(invalid="ignore"):
        got = tt.optim.adam.adam_step(np.array([*DIVERGED, 3.0]), group, {})
    because = "what isn't a number stays visible: inf over inf is nan"
    what = f"adam_step, {group}, for {[*DIVERGED, 3.0]}"
    expect(got, [np.nan, np.nan, np.nan, 1.0], what, because=because)


def alone(samples):
    """A batch whose length is 1, however many samples there are."""
    return (samples,)


def sliced(samples, size, drop_last):
    """The batches as the slices of a list, as alone() makes them."""
    cut = [samples[k : k + size] for k in range(0, len(samples), size)]
    return tuple(alone(batch) for batch in cut if len(batch) == size or not drop_last)


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
        what = f"{count} samples, batch_size={size}, drop_last={drop_last}"
        settings = {"batch_size": size, "drop_last": drop_last, "collate_fn": alone}
        plain = data.DataLoader(samples, **settings)
        for time in ("", ", a second time"):
            with calling(what):
                got = list(plain)
            expect((*got,), sliced(samples, size, drop_last), f"the batches of {what}{time}")
        chosen = data.DataLoader(samples, sampler=places, **settings)
        want = sliced([samples[place] for place in places], size, drop_last)
        expect((*chosen,), want, f"the batches of {what}, by a sampler that has each one twice")
        want = sliced([*Numbers(count)], size, drop_last)
        stream = data.DataLoader(Numbers(count), **settings)
        expect((*stream,), want, f"the batches of a stream of {what}")
        expect(len(plain), len(list(plain)), f"len() of the loader of {what}")
    both = data.DataLoader(range(4), batch_size=2, collate_fn=list)
    got, want = tuple(zip(both, both, strict=False)), (([0, 1], [0, 1]), ([2, 3], [2, 3]))
    because = "an epoch keeps what it needs in variables of its own, not in self"
    expect(got, want, "two epochs of one loader at the same time", because=because)
    once = data.DataLoader(range(9), batch_size=2, sampler=iter([7, 5, 3]), collate_fn=list)
    expect((*once,), ([7, 5], [3]), "the batches of a sampler that can be walked through once")

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
    expect(
        len(drawn) < 100, True, "a batch of 2 asks a sampler for few numbers: it", because=because
    )
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
        expect_ending(partial(next, epoch), error, f"the second batch {what}")
    pictures = data.TensorDataset(tt.tensor(numbers((5, 2))), tt.tensor(np.arange(5)))
    for x, y in data.DataLoader(pictures, batch_size=3):
        expect(x.shape[0], y.shape[0], "as many pictures as labels in a batch")


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
        expect(list(state), list(want), f"the names in {what},")
        for name, part in want.items():
            if part is None:
                continue
            tensor, whose = state[name], f"{what}: {name}"
            shares = memory_of(tensor) == memory_of(part)
            expect(shares, True, f"{whose} shares its memory with the part: it")
            expect(type(tensor) is tt.Tensor, True, f"{whose} is a plain Tensor: it")
            expect(tensor.requires_grad, False, f"{whose}.requires_grad")
    for dtype, shape in product(DTYPES, SHAPES):
        x, y = numbers(shape, dtype), numbers(shape, np.float64, seed=9)
        x[...], y.flat[:1] = np.nan, np.inf
        own, given = (
            {"a": tt.tensor(x.copy()), "n": tt.tensor(2), "yes": tt.tensor(False)},
            {"a": tt.tensor(y.copy()), "n": tt.tensor(7), "yes": tt.tensor(True)},
        )
        held, version = own["a"], own["a"]._version
        tt.nn.module.copy_into(own, given)
        what = f"after copy_into, {dtype.__name__} of shape {shape}"
        expect(own["a"] is held, True, f"own['a'] is the same Tensor {what}: it")
        expect(held.numpy(), y.astype(dtype), f"own['a'] {what}", rtol=1e-5)
        expect(held.numpy().dtype, np.dtype(dtype), f"the dtype of own['a'] {what}")
        expect(given["a"].numpy(), y, f"given['a'] {what}", rtol=0, atol=0)
        expect(own["n"], 7, f"own['n'], a whole number, {what}")
        expect(own["yes"].item(), True, f"own['yes'], a truth value, {what}")
        because = "copy_() tells whoever has saved the old numbers"
        expect(held._version > version, True, f"the change is noted {what}: it", because=because)
    misfit = error_of(partial(tt.nn.module.copy_into, {"w": tt.zeros(2)}, {"w": tt.zeros(3)}))
    what = "copy_into raises an error where 3 numbers don't fit into 2: it"
    expect(misfit is not None, True, what)
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
            part.fill_(k + 2.0)
    before = dict(copy.named_parameters())
    copy.load_state_dict(source.state_dict())
    after = dict(copy.named_parameters())
    for name, part in source.named_parameters():
        what = f"{name} after another net's state was loaded, {tree}"
        expect(after[name], part.detach(), what)
        expect(after[name] is before[name], True, f"{what} is the same Parameter: it")
