"""How far gradients are from the slopes that nudging shows: of a function, and of its way back."""

import numpy as np

from tinytorch.gradients import as_tuple, grad
from tinytorch.tensor import wrap

NUDGE = 1e-6


def way_back_of(function):
    """The way back of `function`, as a function like any other: one that can be differentiated.

    function(*inputs) takes Tensors and gives one Tensor. way_back(upstream, *inputs), which is what
    you return, gives the gradients of the inputs that require grad, as a tuple in their order.
    `upstream` is the gradient of the result. An input to which nothing leads has no gradient, and
    is left out. The gradients are recorded, so that they can be differentiated for `upstream` and
    for the inputs. What the way back is given is only read, and nothing is written to any `.grad`.
    No error is caught: if the result has no history, grad() says so.
    """
    # TODO exercise 7.7: way_back_of and errors_of
    raise NotImplementedError("exercise 7.7: way_back_of")


def errors_of(function, inputs):
    """(first, second): the worst_error() of `function` at `inputs`, and that of its way back.

    The way back is tried at the same inputs. Its upstream gradient is `weights_for(result, seed=1)`
    and requires grad, so that it's nudged like them.
    """
    # TODO exercise 7.7: way_back_of and errors_of
    raise NotImplementedError("exercise 7.7: errors_of")


# --- nudging ---


def worst_error(function, inputs):
    """The largest difference between a gradient by the engine and the slope that nudging shows.

    Differences of slopes above 1 are relative. The inputs are Tensors, best in float64; of those
    that require grad each number is nudged. The function may give one Tensor or a tuple of them;
    each has weights of its own. (What for? That's a question at the end of the chapter.)

    >>> from tinytorch import float64, tensor
    >>> worst_error(lambda x: x * x, [tensor([1.0, 2.0], dtype=float64, requires_grad=True)]) < 1e-8
    True
    """
    results = as_tuple(function(*inputs))
    weights = [weights_for(y, seed) for seed, y in enumerate(results, start=10)]

    def total():
        results = as_tuple(function(*inputs))
        parts = [(y * weight).sum() for y, weight in zip(results, weights, strict=True)]
        return sum(parts, start=wrap(np.zeros(())))

    wanted = [x for x in inputs if x.requires_grad]
    found = [array.astype(np.float64) for array in gradients_of(total(), wanted)]
    slopes = [nudged(total, x) for x in wanted]
    errors = [abs(g - s) / np.maximum(1, abs(s)) for g, s in zip(found, slopes, strict=True)]
    return float(np.max([error.max() for error in errors if error.size], initial=0.0))  # or NaN


def weights_for(y, seed):
    """A Tensor of random numbers from 0.5 to 1.5, like y in shape and dtype: the same for a seed.

    The sum of y times these is one number, and moves whenever an element of y does.
    """
    numbers = np.random.default_rng(seed).uniform(0.5, 1.5, y.shape)
    return wrap(np.asarray(numbers, y.dtype))


def gradients_of(total, wanted):
    """What the engine says, as arrays; zeros where nothing leads to a Tensor."""
    if not total.requires_grad:
        return [np.zeros(x.shape) for x in wanted]
    return [g.detach().numpy() for g in grad(total, wanted, materialize_grads=True)]


def nudged(total, x):
    """The slope of total() for each number in the Tensor x: up a bit, down a bit."""
    numbers, slopes = x.detach().numpy(), np.zeros(x.shape)
    for place in np.ndindex(numbers.shape):
        value, ends = numbers[place], []
        for step in (NUDGE, -NUDGE):
            numbers[place] = value + step
            ends.append(total().item())
        numbers[place] = value
        slopes[place] = (ends[0] - ends[1]) / (2 * NUDGE)
    return slopes
