"""Functions made of functions: grad(f) is a function, too, and may be given to grad()."""

from tinytorch import functional
from tinytorch.functional import fresh, scalar
from tinytorch.grad_mode import enable_grad
from tinytorch.gradcheck import grads
from tinytorch.gradients import as_tuple
from tinytorch.ops.inplace import is_recorded
from tinytorch.ops.joining import stack
from tinytorch.tensor import Tensor, check_tensors

# All take functions of tensors. What is in the graph already, as inside of another grad(), stays
# in it, so that these functions may be put into each other.


def detached(tensors):
    """The same values without history: what a function gives that is in no other one."""
    if isinstance(tensors, Tensor):
        return tensors.detach()
    kind = type(tensors)
    return kind(map(detached, tensors)) if kind in (tuple, list) else tensors


def with_fresh(args, argnums, keep_graph):
    """The arguments with those numbered `argnums` to differentiate for, and these as a tuple."""
    numbers = (argnums,) if isinstance(argnums, int) else argnums
    args = list(args)
    for number in numbers:
        check_tensors("the function", **{f"argument {number}": args[number]})
        args[number] = fresh(args[number], keep_graph)
    return args, tuple([args[number] for number in numbers])


def grad_and_value(func, argnums=0, has_aux=False):
    """The function that computes (gradient, value) of `func`, whose result is one number."""

    def gradient_and_value(*args, **kwargs):
        within = is_recorded(*args, *kwargs.values())
        with enable_grad():
            args, wanted = with_fresh(args, argnums, within)
            value = func(*args, **kwargs)
            y = scalar(value[0] if has_aux else value)
            found = grads((y,), wanted, create_graph=within)
        found = found[0] if isinstance(argnums, int) else found
        return found, value if within else detached(value)

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


def vjp(func, *primals):
    """(func(*primals), back): back(v) is a tuple with v^T J for each of the arguments.

    >>> y, back = vjp(lambda x: x * x, Tensor([1.0, 2.0]))
    >>> back(Tensor([1.0, 10.0]))
    (tensor([ 2., 40.]),)
    """
    within = is_recorded(*primals)
    with enable_grad():
        args, wanted = with_fresh(primals, range(len(primals)), within)
        outputs = func(*args)

    def back(cotangents):
        return grads(as_tuple(outputs), wanted, as_tuple(cotangents), within)

    return outputs if within else detached(outputs), back


def jvp(func, primals, tangents):
    """(func(*primals), J v): how the results move when the arguments move along `tangents`."""
    within = is_recorded(*primals, *tangents)
    return functional.jvp(func, tuple(primals), tuple(tangents), create_graph=within)


def jacrev(func, argnums=0):
    """The function that computes the Jacobian of `func`, row by row.

    >>> jacrev(lambda x: x * x)(Tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """

    def jacobian_of_func(*args):
        numbers = (argnums,) if isinstance(argnums, int) else argnums

        def of_these(*values):
            new = dict(zip(numbers, values, strict=True))
            return func(*[new.get(number, arg) for number, arg in enumerate(args)])

        chosen = [args[number] for number in numbers]
        chosen = chosen[0] if isinstance(argnums, int) else tuple(chosen)
        return functional.jacobian(of_these, chosen, create_graph=is_recorded(*args))

    return jacobian_of_func


def hessian(func, argnums=0):
    """The function that computes the second derivatives of `func`: the Jacobian of its Jacobian."""
    return jacrev(jacrev(func, argnums), argnums)


def vmap(func, in_dims=0, out_dims=0):
    """The function for a batch: `func` of each slice, one after the other, the results stacked.

    `in_dims` says which dimension of each argument counts the slices, None for an argument that
    is the same for all. It saves writing, and no time: it is a loop.

    >>> products = vmap(lambda x, w: x @ w, in_dims=(0, None))
    >>> products(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([1.0, 1.0]))
    tensor([3., 7.])
    """

    def batched(*args, **kwargs):
        dims = in_dims if isinstance(in_dims, (tuple, list)) else (in_dims,) * len(args)
        pairs = list(zip(args, dims, strict=True))
        lengths = {arg.shape[dim] for arg, dim in pairs if dim is not None}
        if len(lengths) != 1:
            raise ValueError(f"vmap needs one length of all batches, got {sorted(lengths)}")
        results = []
        for i in range(*lengths):
            slices = [arg if dim is None else arg.select(dim, i) for arg, dim in pairs]
            results.append(func(*slices, **kwargs))
        if isinstance(results[0], Tensor):
            return stack(results, out_dims)
        places = out_dims if isinstance(out_dims, (tuple, list)) else (out_dims,) * len(results[0])
        parts = zip(zip(*results, strict=True), places, strict=True)
        return tuple([stack(list(part), place) for part, place in parts])

    return batched


__all__ = ["grad", "grad_and_value", "hessian", "jacrev", "jvp", "vjp", "vmap"]
