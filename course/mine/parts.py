"""What `make mine` runs: each gives what came, in words, and whether that's as it should be.

The examples are shortened. They're trained far enough that an engine which is wrong anywhere
shows: the bounds are those that the library clears with room to spare.
"""

from importlib import import_module

import numpy as np

SEED = 0


def digits_mlp():
    right = import_module("examples.digits_mlp").main(epochs=10)
    return f"{right:.1%} of the held-out digits, after 10 epochs of 40", right > 0.93


def digits_cnn():
    right = import_module("examples.digits_cnn").main(epochs=3)
    return f"{right:.1%} of the held-out digits, after 3 epochs of 30", right > 0.9


def newton():
    height, descent = import_module("examples.newton").main(descent_steps=200)
    says = f"height {height:.0e} after 7 steps; descent is at {descent:.1f} after 200"
    return says, height < 1e-12 and descent < 10


def gradient_penalty():
    distance, slope = import_module("examples.gradient_penalty").main(steps=150)
    says = f"two clouds {distance:.1f} apart, with a slope of {slope:.1f} between them"
    return says, 1.5 < distance < 2.6 and 0.7 < slope < 1.5


def small_gpt():
    loss = import_module("examples.small_gpt").main(steps=60, sample=1)
    return f"the loss is down from 4.7 to {loss:.1f}, after 60 steps of 1,400", loss < 3


def counting():
    """Chapter 6: the backward pass by counting uses, beside the engine's by order of birth."""
    from tinytorch import nn, randn
    from tinytorch.counting import count_uses, run_by_counting

    net = nn.Sequential(nn.Linear(6, 5), nn.Tanh(), nn.Linear(5, 4))
    x = randn(3, 6)
    loss = (net(x) * net(x)).sum()
    count = len(count_uses(loss.grad_fn))
    run_by_counting(loss.grad_fn, np.ones((), np.float32))
    counted = [p.grad.numpy().copy() for p in net.parameters()]
    net.zero_grad()
    loss.backward()
    agree = all(
        np.allclose(one, p.grad.numpy(), atol=1e-6)
        for one, p in zip(counted, net.parameters(), strict=True)
    )
    return f"{count} nodes in two orders: {'the same' if agree else 'different'} gradients", agree


def proving():
    """Chapter 7: nudging the first and the second derivative of an operation."""
    from tinytorch import float64, randn
    from tinytorch.proving import errors_of

    x = randn(3, 4, dtype=float64, requires_grad=True)
    errors = errors_of(lambda x: x.softmax(1).prod(1) + x[[0, 0, 2]].logsumexp(1), [x])
    says = "softmax, prod, logsumexp, an index: off by {:.0e}, their way back by {:.0e}"
    return says.format(*errors), max(errors) < 1e-4


def aggregate():
    """Chapter 8: a cube as one entry of the tape, differentiated three times."""
    from tinytorch.aggregate import cube
    from tinytorch.tape import Tape

    tape = Tape(trace=None)
    a = tape.variable(5.0, name="a")
    slopes = [cube(a)]
    for _ in range(3):
        slopes += tape.grad(slopes[-1], [a])
    found = [float(slope.value) for slope in slopes]
    says = f"a cube at 5 and its three slopes: {', '.join(f'{slope:g}' for slope in found)}"
    return says, np.allclose(found, [125, 75, 30, 6])


def custom():
    """Chapter 9: a system of equations, solved and differentiated by an operation of one's own."""
    from tinytorch import float64, randn
    from tinytorch.autograd import gradcheck, gradgradcheck
    from tinytorch.custom import Solve

    A, b = (randn(*shape, dtype=float64, requires_grad=True) for shape in ((3, 3), (3,)))
    is_right = gradcheck(Solve.apply, (A, b)) and gradgradcheck(Solve.apply, (A, b))
    return "three equations solved, and gradcheck believes the slopes", is_right


def rehearsal():
    """Chapter 10: a network with dropout and batch norm, rehearsed and then performed."""
    from course import load_digits
    from tinytorch import from_numpy, no_grad, optim, randn
    from tinytorch.modes import predict_mode, train_mode
    from tinytorch.nn import functional as F
    from tinytorch.rehearsal import BatchNorm, dropout

    x, y, x_test, y_test = map(from_numpy, load_digits())
    rng, norm = np.random.default_rng(SEED), BatchNorm(64)
    first, last = (randn(64, n) / 8 for n in (64, 10))
    weights = [first.requires_grad_(), last.requires_grad_(), norm.scale, norm.shift]
    optimizer = optim.Adam(weights, lr=1e-2)

    def scores(x):
        return dropout(norm(x @ first).relu(), 0.2, rng) @ last

    with train_mode():
        for places in np.array_split(rng.permutation(len(x)), 45):
            optimizer.zero_grad()
            F.cross_entropy(scores(x[places]), y[places]).backward()
            optimizer.step()
    with predict_mode(), no_grad():
        right = (scores(x_test).argmax(dim=1) == y_test).float().mean().item()
    return f"{right:.1%} of the held-out digits, after seeing the others once", right > 0.8


def gpt():
    """Chapter 12: the GPT begins to learn the text of this course."""
    from course import load_text
    from tinytorch import nn, optim, tensor
    from tinytorch.gpt import GPT
    from tinytorch.nn import functional as F

    text = load_text()
    alphabet = sorted(set(text))
    data = np.array([alphabet.index(letter) for letter in text])
    model = GPT(len(alphabet), context=32, width=64, heads=4, blocks=2)
    optimizer, rng = optim.AdamW(model.parameters(), lr=1e-2), np.random.default_rng(SEED)
    for _ in range(150):
        places = rng.integers(0, len(data) - 32, (16, 1)) + np.arange(32)
        scores, following = model(tensor(data[places])), tensor(data[places + 1])
        loss = F.cross_entropy(scores.flatten(0, 1), following.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    says = f"the loss is {loss.item():.1f} after 150 steps, and it says: {said_by(model, alphabet)}"
    return says, loss.item() < 3


def said_by(model, alphabet):
    """What the GPT makes of a "T", some 60 letters."""
    from tinytorch import multinomial, no_grad, tensor

    letters = [alphabet.index("T")]
    with no_grad():
        for _ in range(60):
            scores = model(tensor([letters[-32:]]))[0, -1]
            letters.append(multinomial((scores / 0.5).softmax(0), 1).item())
    return " ".join("".join(alphabet[k] for k in letters).split())


EXAMPLES = [digits_mlp, digits_cnn, newton, gradient_penalty, small_gpt]
PARTS = [counting, proving, aggregate, custom, rehearsal, gpt]  # named after the modules they use
