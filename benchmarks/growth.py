"""What takes a time in proportion to its size: measured at two sizes, compared for each item.

1 means that an item takes as long in the large case as in the small one; where all is looked at
for each item, it is the ratio of the sizes.
"""

import gc

from benchmarks.chains import times_constant, with_backward
from benchmarks.measure import Work, libraries, measured, ratio, verdict


def chain(t, n):
    return with_backward(t, times_constant, n)


def written(t, n):
    x = t.zeros(n)

    def run():
        for i in range(n):
            x[i] = 1.0

    return run


def unbound(t, n):
    x = t.ones(n, requires_grad=True)

    def run():
        t.stack([part * 2 for part in x.unbind()]).sum().backward()
        x.grad = None

    return run


def changed_beside_views(t, n):
    x = t.ones(n, requires_grad=True)

    def run():
        y = x * 1
        for view in list(y):
            view.mul_(2)

    return run


def modules(t, n):
    linear = t.nn.Linear(1, 1)

    def run():
        layers = t.nn.ModuleList()
        for _ in range(n):
            layers.append(linear)
        for i in range(n):
            layers[i]  # noqa: B018 - the look-up is what is measured

    return run


def groups(t, n):
    params = [t.zeros(1, requires_grad=True) for _ in range(n)]
    return lambda: t.optim.SGD([{"params": param} for param in params], lr=0.1)


def groups_added(t, n):
    first, *others = [t.zeros(1, requires_grad=True) for _ in range(n)]

    def run():
        optimizer = t.optim.SGD([first], lr=0.1)
        for param in others:
            optimizer.add_param_group({"params": param})

    return run


def product(t, n):
    x = t.ones(n, requires_grad=True)

    def run():
        x.prod().backward()
        x.grad = None

    return run


CASES = {  # name: (what makes a run of n items, the two sizes)
    "growth: chain": (chain, 10_000, 100_000),
    "growth: x[i] = v": (written, 1_000, 16_000),
    "growth: unbind, each part used": (unbound, 250, 1_000),
    "growth: n views changed in place": (changed_beside_views, 250, 1_000),
    "growth: ModuleList, append and look up": (modules, 250, 1_000),
    "growth: groups of an optimizer": (groups, 250, 1_000),
    "growth: add_param_group()": (groups_added, 250, 1_000),
    "growth: prod of a vector": (product, 2_000, 32_000),
}


def lines(rounds):
    """A line for each case: the time of an item at the large size beside that at the small."""
    t = libraries()["tinytorch"]
    for name, (make, small, large) in CASES.items():
        work = Work(name, {n: make(t, n) for n in (small, large)})
        gc.collect()
        gc.freeze()  # what the small one leaves behind is not for the collector of the large one
        times = measured(work, rounds)
        gc.unfreeze()
        value = ratio(times[large], times[small]) * small / large
        yield f"{name:<44}{value:>12.2f} x{verdict(value, 1.5)}"
