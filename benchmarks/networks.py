"""One step of training a network of three layers: 784-256-128-10, 128 images at a time."""

import numpy as np

from benchmarks.measure import Work, installed, libraries

SIZES = [784, 256, 128, 10]
RATE = 0.01


def data():
    rng = np.random.default_rng(0)
    return rng.normal(size=(128, 784)).astype("float32"), rng.integers(0, 10, 128)


def parameters(numpy=np):
    """Weights (out, in) and biases, alternating."""
    rng = np.random.default_rng(1)
    arrays = []
    for n, m in zip(SIZES, SIZES[1:], strict=False):
        arrays += [(rng.normal(size=(m, n)) / n**0.5).astype("float32"), np.zeros(m, "float32")]
    return arrays


def by_library(t):
    nn, (images, labels) = t.nn, map(t.from_numpy, data())
    net = nn.Sequential(
        nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 10)
    )
    optimizer = t.optim.SGD(net.parameters(), lr=RATE)

    def step():
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(images), labels).backward()
        optimizer.step()

    return step


def by_hand():
    (images, labels), (w1, b1, w2, b2, w3, b3) = data(), parameters()
    rows = np.arange(len(labels))

    def step():
        h1 = np.maximum(images @ w1.T + b1, 0)
        h2 = np.maximum(h1 @ w2.T + b2, 0)
        scores = h2 @ w3.T + b3
        shifted = np.exp(scores - scores.max(axis=1, keepdims=True))
        grad3 = shifted / shifted.sum(axis=1, keepdims=True)
        -np.log(grad3[rows, labels]).mean()
        grad3[rows, labels] -= 1
        grad3 /= len(labels)
        grad2 = grad3 @ w3 * (h2 > 0)
        grad1 = grad2 @ w2 * (h1 > 0)
        steps = (
            grad1.T @ images,
            grad1.sum(0),
            grad2.T @ h1,
            grad2.sum(0),
            grad3.T @ h2,
            grad3.sum(0),
        )
        for x, grad in zip((w1, b1, w2, b2, w3, b3), steps, strict=True):
            x -= RATE * grad

    return step


def by_autograd():
    from autograd import grad
    from autograd import numpy as anp

    (images, labels), params = data(), parameters()
    rows = np.arange(len(labels))

    def loss(params):
        x = images
        for w, b in zip(params[::2], params[1::2], strict=True):
            scores = anp.dot(x, w.T) + b
            x = anp.maximum(scores, 0)
        shifted = scores - anp.max(scores, axis=1, keepdims=True)
        logs = shifted - anp.log(anp.sum(anp.exp(shifted), axis=1, keepdims=True))
        return -anp.mean(logs[rows, labels])

    slopes = grad(loss)

    def step():
        for x, slope in zip(params, slopes(params), strict=True):
            x -= RATE * slope

    return step


def works():
    competitors = {name: by_library(t) for name, t in libraries().items()}
    competitors["numpy"] = by_hand()
    if installed("autograd"):
        competitors["autograd"] = by_autograd()
    yield Work("mlp: a step of training", competitors, {"numpy": 1.1, "torch": 0.9})
