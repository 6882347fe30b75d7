"""Large arrays, where NumPy should be what takes the time: a matrix product, a broadcast."""

import numpy as np

from benchmarks.measure import Work, installed, libraries


def numbers(*shape):
    return np.random.default_rng(0).normal(size=shape).astype("float32")


def leaves(t, arrays):
    return [t.tensor(array, requires_grad=True) for array in arrays]


def backward_of(t, function, arrays):
    """Forward, sum and backward of `function`, as one call."""
    tensors = leaves(t, arrays)

    def run():
        function(*tensors).sum().backward()
        for tensor in tensors:
            tensor.grad = None

    return run


def by_autograd(function, arrays):
    from autograd import grad
    from autograd import numpy as anp

    slopes = grad(lambda *x: anp.sum(function(*x)), tuple(range(len(arrays))))
    return lambda: slopes(*arrays)


def three_products(x, y):
    """What the product's forward and backward must compute, by hand."""
    ones = np.ones((len(x), y.shape[1]), x.dtype)

    def run():
        (x @ y).sum()
        ones @ y.T
        x.T @ ones

    return run


def broadcast_by_hand(x, y, b):
    ones = np.ones((len(x), y.shape[1]), x.dtype)

    def run():
        (x * y + b).sum()
        (ones * y).sum(1, keepdims=True)
        (ones * x).sum(0, keepdims=True)
        ones.sum(0)

    return run


def product(x, y):
    return x @ y


def broadcast(x, y, b):
    return x * y + b


def competitors(function, arrays, by_hand):
    found = {name: backward_of(t, function, arrays) for name, t in libraries().items()}
    found["numpy"] = by_hand(*arrays)
    if installed("autograd"):
        found["autograd"] = by_autograd(function, arrays)
    return found


def works():
    square = [numbers(1024, 1024), numbers(1024, 1024)]
    rivals = competitors(product, square, three_products)
    yield Work("matmul: 1024 x 1024, summed", rivals, {"numpy": 1.03})
    parts = [numbers(1000, 1), numbers(1, 1000), numbers(1000)]
    rivals = competitors(broadcast, parts, broadcast_by_hand)
    yield Work("broadcast: (1000, 1) * (1, 1000) + (1000,)", rivals, {"torch": 0.6})
