"""Functions made of functions: grad(f) is a function, too, and may be given to grad()."""

from tinytorch import functional
from tinytorch.functional import fresh, scalar
from tinytorch.grad_mode import enable_grad
from tinytorch.gradcheck import grads
from tinytorch.ops.inplace import is_recorded
from tinytorch.ops.joining import stack
from tinytorch.ops.random import get_rng_state, set_rng_state
from tinytorch.tensor import Tensor, check_tensors
from tinytorch.trees import leaves_of, mapped, rebuilt

# All take functions of tensors. What is in the graph already, as inside of another grad(), stays
# in it, so that these functions may be put into each other.


# An argument may be a tree of tensors, as the dictionary of a network's parameters.


def detached(tree):
    """The same values without history: what a function gives that is in no other one."""
    return mapped(Tensor.detach, tree)


def in_graph(*trees):
    """Is one of the tensors in the graph already?"""
    return is_recorded(*leaves_of(trees))


def with_fresh(args, argnums, keep_graph):
    """The arguments with those numbered `argnums` to differentiate for, and these."""
    args = list(args)
    for number in (argnums,) if isinstance(argnums, int) else argnums:
        if not leaves_of(args[number]):
            check_tensors("the function", **{f"argument {number}": args[number]})
        args[number] = mapped(lambda x: fresh(x, keep_graph), args[number])
    chosen = args[argnums] if isinstance(argnums, int) else tuple([args[n] for n in argnums])
    return args, chosen


def grad_and_value(func, argnums=0, has_aux=False):
    """The function that computes (gradient, value) of `func`, whose result is one number."""

    def gradient_and_value(*args, **kwargs):
        within = in_graph(args, kwargs)
        with enable_grad():
            args, wanted = with_fresh(args, argnums, within)
            value = func(*args, **kwargs)
            y = scalar(value[0] if has_aux else value)
            found = grads((y,), leaves_of(wanted), create_graph=within)
        return rebuilt(wanted, found), value if within else detached(value)

    return gradient_and_value


def grad(func, argnums=0, has_aux=False):
    """The function that computes the gradient of `func` for its argument number `argnums`.

    With several numbers, a tuple of gradients. With `has_aux`, `func` returns (its result, more),
    and the new function (the gradient, more).

    >>> grad(grad(lambda x: x**3))(Tensor(2.0))
    tensor(12.)
    """
    both = grad_and_value(func, argnums, has_aux)

    def gradient(*args, **kwargs):
        found, value = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return gradient


def vjp(func, *primals, has_aux=False):
    """(func(*primals), back): back(v) is a tuple with v^T J for each of the arguments.

    With `has_aux`, `func` returns (its result, more), and vjp() (its result, back, more).

    >>> y, back = vjp(lambda x: x * x, Tensor([1.0, 2.0]))
    >>> back(Tensor([1.0, 10.0]))
    (tensor([ 2., 40.]),)
    """
    within = in_graph(primals)
    with enable_grad():
        args, wanted = with_fresh(primals, range(len(primals)), within)
        func, more = aside(func, has_aux)
        outputs = func(*args)

    def back(cotangents):
        found = grads(leaves_of(outputs), leaves_of(wanted), leaves_of(cotangents), within)
        return rebuilt(wanted, found)

    return outputs if within else detached(outputs), back, *map(detached, more)


def aside(func, has_aux):
    """`func` and an empty list; with `has_aux`, a function of its result that lists the rest.

    >>> root, more = aside(lambda x: (x + 1, "more"), has_aux=True)
    >>> root(2), more
    (3, ['more'])
    """
    if not has_aux:
        return func, []
    more = []

    def first_only(*args, **kwargs):
        result, rest = func(*args, **kwargs)
        more.append(rest)
        return result

    return first_only, more


def jvp(func, primals, tangents, *, has_aux=False):
    """(func(*primals), J v): how the results move when the arguments move along `tangents`.

    With `has_aux`, `func` returns (its result, more), and jvp() (its result, J v, more).
    """
    within = in_graph(primals, tangents)
    func, more = aside(func, has_aux)
    of_leaves, last = over_leaves(func, tuple(primals))
    found = functional.jvp(of_leaves, leaves_of(primals), leaves_of(tangents), within)
    return *[rebuilt(*last, tensors) for tensors in found], *map(detached, more)


def over_leaves(func, primals):
    """`func` with the tensors of `primals` for its arguments, and those of its result as a tuple.

    The second part is a list, which holds the whole result once this has run.
    """
    last = []

    def of_leaves(*values):
        last[:] = [func(*rebuilt(primals, values))]
        if not (found := leaves_of(last)):
            check_tensors("the function", result=last[0])
        return found

    return of_leaves, last


def jacrev(func, argnums=0, *, has_aux=False, chunk_size=None):
    """The function that computes the Jacobian of `func`, row by row, whatever `chunk_size` says.

    Where arguments or results are trees, there's one for each tensor of the result and, within it,
    for each tensor of the argument.
    With `has_aux`, `func` returns (its result, more), and the new function (the Jacobian, more).

    >>> jacrev(lambda x: x * x)(Tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """

    def jacobian_of_func(*args):
        numbers = (argnums,) if isinstance(argnums, int) else argnums
        first, more = aside(func, has_aux)

        def of_these(*values):
            new = dict(zip(numbers, values, strict=True))
            return first(*[new.get(number, arg) for number, arg in enumerate(args)])

        chosen = tuple([args[number] for number in numbers])
        of_leaves, last = over_leaves(of_these, chosen)
        rows = functional.jacobian(of_leaves, leaves_of(chosen), create_graph=in_graph(args))
        wanted = chosen[0] if isinstance(argnums, int) else chosen
        found = rebuilt(*last, [rebuilt(wanted, row) for row in rows])
        return (found, *map(detached, more)) if has_aux else found

    return jacobian_of_func


def jacfwd(func, argnums=0, has_aux=False, *, chunk_size=None, randomness="error"):
    """jacrev(): there is only one way to compute it here."""
    return jacrev(func, argnums, has_aux=has_aux)


def hessian(func, argnums=0):
    """The function that computes the second derivatives of `func`: the Jacobian of its Jacobian."""
    return jacrev(jacrev(func, argnums), argnums)


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """The function for a batch: `func` of each slice, one after the other, the results stacked.

    `in_dims` says which dimension of each argument, or of all tensors in it, counts the slices,
    None for an argument that is the same for all. It saves writing, and no time: it is a loop,
    whatever `chunk_size` says.
    With `randomness` "same" each slice draws the same numbers, otherwise each its own.

    >>> products = vmap(lambda x, w: x @ w, in_dims=(0, None))
    >>> products(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([1.0, 1.0]))
    tensor([3., 7.])
    """

    if randomness not in ("error", "different", "same"):
        raise RuntimeError(f"randomness must be 'error', 'different' or 'same', got {randomness!r}")

    def batched(*args, **kwargs):
        dims = in_dims if isinstance(in_dims, (tuple, list)) else (in_dims,) * len(args)
        pairs = list(zip(args, dims, strict=True))
        batches = [(x, dim) for arg, dim in pairs if dim is not None for x in leaves_of(arg)]
        lengths = {x.shape[dim] for x, dim in batches}
        if len(lengths) != 1:
            raise ValueError(f"vmap needs one length of all batches, got {sorted(lengths)}")
        results, start = [], get_rng_state() if randomness == "same" else None
        for i in range(*lengths):
            if start is not None:
                set_rng_state(start)
            results.append(func(*[slice_of(arg, dim, i) for arg, dim in pairs], **kwargs))
        if not isinstance(out_dims, (tuple, list)):
            return stacked(results, out_dims)
        parts = zip(zip(*results, strict=True), out_dims, strict=True)
        return tuple([stacked(part, place) for part, place in parts])

    return batched


def slice_of(tree, dim, i):
    return tree if dim is None else mapped(lambda x: x.select(dim, i), tree)


def stacked(trees, dim):
    """The first of the trees, each tensor stacked with those at its place in the others."""
    columns = zip(*map(leaves_of, trees), strict=True)
    return rebuilt(trees[0], [stack(column, dim) for column in columns])


# --- networks as functions of their parameters ---


def functional_call(module, parameters_and_buffers, args=None, kwargs=None, *, strict=False):
    """What the module computes with the tensors of {dotted name: tensor} in place of its own.

    Several dictionaries may be given, as a tuple. Its own tensors are back afterwards.
    RuntimeError for names that it does not have, or lacks, if `strict`.

    >>> layer = tinytorch.nn.Linear(1, 1, bias=False)
    >>> functional_call(layer, {"weight": Tensor([[3.0]])}, Tensor([2.0]))
    tensor([6.])
    """
    several = isinstance(parameters_and_buffers, (tuple, list))
    given = {
        name: x
        for part in (parameters_and_buffers if several else [parameters_and_buffers])
        for name, x in part.items()
    }
    own = dict([*module.named_parameters(), *module.named_buffers()])
    if strict and given.keys() != own.keys():
        raise RuntimeError(f"the names must be {sorted(own)}, got {sorted(given)}")
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    modules = dict(module.named_modules())
    places = []
    for name in [name for name in given if name in own]:
        path, _, last = name.rpartition(".")
        places.append((modules[path], last, name))
    try:
        for part, last, name in places:
            vars(part)[last] = given[name]
        return module(*args, **(kwargs or {}))
    finally:
        for part, last, name in places:
            setattr(part, last, own[name])  # the call may have assigned something of its own


def stack_module_state(models):
    """(parameters, buffers) of equal networks: two dictionaries {dotted name: tensors, stacked}."""
    parameters = stacked([dict(model.named_parameters()) for model in models], 0)
    return mapped(lambda x: x.detach().requires_grad_(), parameters), stacked(
        [dict(model.named_buffers()) for model in models], 0
    )


__all__ = [
    "functional_call", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp",
    "stack_module_state", "vjp", "vmap",
]  # fmt: skip
