"""checkpoint(): less memory for more time, by computing a part of the network twice."""

from contextlib import nullcontext

from tinytorch.function import Function
from tinytorch.grad_mode import enable_grad
from tinytorch.gradients import backward
from tinytorch.ops.creation import ones
from tinytorch.ops.random import fork_rng, get_rng_state, set_rng_state
from tinytorch.tensor import Tensor


class Rerun(Function):
    """Forward without a graph; backward computes once more, with one, and goes back through it."""

    @staticmethod
    def forward(ctx, run, again, chance, hook, *args):
        ctx.again, ctx.args = again, args
        ctx.chance = get_rng_state() if chance else None
        result = run(*args)
        ctx.single = isinstance(result, Tensor)
        return result

    @staticmethod
    def backward(ctx, *grads):
        with fork_rng(), enable_grad():
            if ctx.chance is not None:
                set_rng_state(ctx.chance)
            args = [as_leaf(arg) for arg in ctx.args]
            results = ctx.again(*args)
        results = (results,) if ctx.single else results
        pairs = [(r, g) for r, g in zip(results, grads, strict=True) if r.requires_grad]
        if pairs:
            backward(*map(list, zip(*pairs, strict=True)))
        return None, None, None, None, *[getattr(arg, "grad", None) for arg in args]


def as_leaf(arg):
    """The argument as a leaf, if it is a tensor."""
    if not isinstance(arg, Tensor):
        return arg
    leaf = arg.detach()
    return leaf.requires_grad_(arg.requires_grad) if arg.is_floating_point() else leaf


def checkpoint(
    function,
    *args,
    use_reentrant=False,
    context_fn=None,
    determinism_check="default",
    debug=False,
    early_stop=True,
    preserve_rng_state=True,
    **named,
):
    """function(*args), without keeping what backward() needs: it is computed once more by then.

    Dropout drops the same numbers both times, unless `preserve_rng_state` is False. Gradients of
    parameters inside end in their `.grad`: this is for backward(), not for grad().

    `context_fn()` gives two blocks for `with`, in which the first and the second time are computed.
    `use_reentrant`, `debug`, `early_stop` and `determinism_check` change nothing; ValueError for an
    unknown check.

    >>> x = tinytorch.ones(2, requires_grad=True)
    >>> checkpoint(lambda x: (x * x).exp(), x).sum().backward()
    >>> x.grad
    tensor([5.4366, 5.4366])
    """
    if determinism_check not in ("default", "none"):
        raise ValueError(f"determinism_check is 'default' or 'none', got {determinism_check!r}")
    blocks = context_fn() if context_fn else (nullcontext(), nullcontext())
    first, again = (called_within(block, function, named) for block in blocks)
    hook = ones(1, requires_grad=True)  # so that the call is recorded for its parameters, too
    return Rerun.apply(first, again, preserve_rng_state, hook, *args)


def called_within(block, function, named):
    """The function as it is called in a `with` block, with its named arguments."""

    def run(*args):
        with block:
            return function(*args, **named)

    return run


def checkpoint_sequential(functions, segments, input, use_reentrant=False, **named):
    """The modules one after the other, in so many pieces, each of them a checkpoint() of its own.

    The last piece is computed once.
    """
    parts = list(functions)
    size = len(parts) // segments
    ends = [size * (i + 1) for i in range(segments - 1)]
    start = 0
    for end in ends:
        input = checkpoint(in_turn(parts[start:end]), input, **named)
        start = end
    return in_turn(parts[start:])(input)


def in_turn(parts):
    def run(x):
        for part in parts:
            x = part(x)
        return x

    return run
