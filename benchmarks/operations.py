"""Single operations as programs use them, forward and backward where there is a gradient."""

from importlib import import_module

import numpy as np

from benchmarks.arrays import backward_of, numbers
from benchmarks.measure import Work, libraries

SAMPLES = 10_000


def forward_of(t, function, arrays):
    tensors = [t.tensor(array) for array in arrays]
    return lambda: function(t, *tensors)


def both_ways(t, function, arrays):
    """backward_of() where `function` asks for the library, too; whole numbers want no gradient."""
    *floats, last = arrays
    if last.dtype.kind == "f":
        return backward_of(t, lambda *x: function(t, *x), arrays)
    index = t.tensor(last)
    return backward_of(t, lambda *x: function(t, *x, index), floats)


def repeated(change):
    """A call that changes a vector 1,000 times over."""

    def run_of(t, size):
        x = t.zeros(size)

        def run():
            for i in range(1000):
                change(x, i)

        return run

    return run_of


def write(x, i):
    x[i] = 1.0


def add_one(x, _):
    x.add_(1.0)


def epoch(t):
    """All batches of a data set of 10,000 samples, in another order each time."""
    data = import_module(f"{t.__name__}.utils.data")
    samples = data.TensorDataset(t.tensor(numbers(SAMPLES, 4)), t.arange(SAMPLES))
    loader = data.DataLoader(samples, batch_size=64, shuffle=True)

    def run():
        for _ in loader:
            pass

    return run


def norm_of_layers(t, x):
    return t.nn.functional.layer_norm(x, (256,))


FORWARD = {
    "op: multinomial, 10 of each of 1000 rows": (3, lambda t, p: t.multinomial(p, 10), (1000, 100)),
    "op: topk, 10 of each of 1000 rows": (3, lambda t, x: x.topk(10), (1000, 1000)),
    "op: randn of a million": (3, lambda t, x: t.randn(1000, 1000), ()),
}
BACKWARD = {
    "op: prod(dim)": (3, lambda t, x: x.prod(1), (1000, 100)),
    "op: gelu of a million": (4, lambda t, x: t.nn.functional.gelu(x), (1000, 1000)),
    "op: layer_norm": (2, norm_of_layers, (512, 256)),
    "op: stack of 1000": (1, lambda t, x: t.stack([x] * 1000), (10,)),
    "op: softmax": (1.3, lambda t, x: x.softmax(1) * x, (512, 256)),
    "op: cumsum": (1.3, lambda t, x: x.cumsum(1), (512, 256)),
}


def works():
    for name, (goal, function, shape) in FORWARD.items():
        array = np.abs(numbers(*shape))
        found = {key: forward_of(t, function, [array]) for key, t in libraries().items()}
        yield Work(name, found, {"torch": goal})
    index = np.random.default_rng(1).integers(0, 1000, (1000, 100))
    with_arrays = {name: (g, f, [numbers(*shape)]) for name, (g, f, shape) in BACKWARD.items()}
    gathering = (2, lambda t, x, i: x.gather(0, i), [numbers(1000, 100), index])
    for name, (goal, function, arrays) in {**with_arrays, "op: gather": gathering}.items():
        found = {key: both_ways(t, function, arrays) for key, t in libraries().items()}
        yield Work(name, found, {"torch": goal})
    for name, change, size, goal in [
        ("op: x[i] = 1.0", write, 1000, 3),
        ("op: x.add_(1.0)", add_one, 4, 2),
    ]:
        found = {key: repeated(change)(t, size) for key, t in libraries().items()}
        yield Work(name, found, {"torch": goal}, per=1000)
    found = {key: epoch(t) for key, t in libraries().items()}
    yield Work("op: DataLoader, a sample", found, {"torch": 2.5}, per=SAMPLES)
