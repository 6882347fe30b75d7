"""Long chains of small operations: what the graph itself costs."""

import numpy as np

from benchmarks.measure import Work, installed, libraries

START = [0.1, -0.2, 0.3, 0.4]
FACTOR = [1.0, 0.99, 1.01, 1.0]


def times_constant(t, length):
    c = t.tensor(FACTOR)

    def forward(y):
        for _ in range(length):
            y = y * c
        return y

    return forward


def times_number(t, length):
    def forward(y):
        for _ in range(length):
            y = y * 1.001
        return y

    return forward


def tanh_and_relu(t, length):
    def forward(y):
        for _ in range(length // 2):
            y = y.tanh().relu()
        return y

    return forward


def own_function(t, length):
    class Times(t.autograd.Function):
        @staticmethod
        def forward(ctx, x, c):
            ctx.save_for_backward(c)
            return x * c

        @staticmethod
        def backward(ctx, grad):
            (c,) = ctx.saved_tensors
            return grad * c, None

    c = t.tensor(FACTOR)

    def forward(y):
        for _ in range(length):
            y = Times.apply(y, c)
        return y

    return forward


def with_backward(t, chain, length):
    """Forward and backward through a chain, as one call."""
    forward, x = chain(t, length), t.tensor(START, requires_grad=True)

    def run():
        forward(x).sum().backward()
        x.grad = None

    return run


def without_gradients(t, chain, length):
    forward, x = chain(t, length), t.tensor(START)

    def run():
        with t.no_grad():
            forward(x)

    return run


def small_graphs(t, chain, length):
    """Forward and backward of one operation on a leaf, over and over, as one call."""
    forward, x = chain(t, 1), t.tensor(START, requires_grad=True)

    def run():
        for _ in range(length):
            forward(x).sum().backward()
            x.grad = None

    return run


def by_autograd(length):
    """The same chain times a constant with HIPS autograd."""
    from autograd import grad, numpy

    c = numpy.array(FACTOR)

    def total(y):
        for _ in range(length):
            y = y * c
        return numpy.sum(y)

    slope, x = grad(total), numpy.array(START)
    return np.errstate(over="ignore")(lambda: slope(x))  # a long chain of 1.01 leads to infinity


def chain_work(name, chain, goal, length=1000, run=with_backward):
    competitors = {key: run(t, chain, length) for key, t in libraries().items()}
    if chain is times_constant and run is with_backward and installed("autograd"):
        competitors["autograd"] = by_autograd(length)
    return Work(name, competitors, {"torch": goal}, per=length)


def works():
    yield chain_work("chain: constant tensor, an operation", times_constant, 0.5)
    yield chain_work("chain: plain number", times_number, 0.4)
    yield chain_work("chain: tanh and relu", tanh_and_relu, 0.65)
    yield chain_work("chain: no gradients", times_constant, 0.75, run=without_gradients)
    yield chain_work("chain: own Function", own_function, 0.6)
    yield chain_work("chain: a leaf each time", times_constant, 0.7, 100, run=small_graphs)
    yield chain_work("chain: 10,000 long", times_constant, 0.65, 10_000)
    yield chain_work("chain: 100,000 long", times_constant, 0.65, 100_000)
