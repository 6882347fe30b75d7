"""Proving gradients: each derivative beside the slope that a small nudge shows."""

import warnings

import numpy as np

from tinytorch.grad_mode import enable_grad
from tinytorch.gradients import as_tuple, grad
from tinytorch.ops.joining import stack
from tinytorch.ops.random import randn
from tinytorch.tensor import Tensor, wrap


class GradcheckError(RuntimeError):
    """A gradient that disagrees with its numerical value."""


def gradcheck(
    func,
    inputs,
    *,
    eps=1e-6,
    atol=1e-5,
    rtol=1e-3,
    raise_exception=True,
    nondet_tol=0.0,
    check_undefined_grad=True,
    check_batched_grad=False,
    fast_mode=False,
) -> bool:
    """True if the gradients of `func` at `inputs` agree with central differences.

    The inputs should be float64: others are nudged too coarsely, and a warning says so.

    Every result that requires grad (where none does, every one) is checked for every input that
    requires grad. GradcheckError names the first that disagrees, with both values; with
    `raise_exception=False` the answer is False. The other settings change nothing: all of the
    Jacobian is compared, once.

    >>> x = tinytorch.tensor([1.0, 2.0], dtype=tinytorch.float64, requires_grad=True)
    >>> gradcheck(lambda x: x * x, x)
    True
    """
    inputs = as_tuple(inputs)
    wanted = wanted_inputs(inputs)
    try:
        for place, output in enumerate(results_to_check(func(*inputs))):
            for number, x in enumerate(wanted):
                found = jacobian_of(output, x)._data
                expected = numerical_jacobian(lambda: func(*inputs), x, place, eps)
                found = found.reshape(expected.shape)
                compare(found, expected, atol, rtol, f"result {place}, input {number}")
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(func, inputs, grad_outputs=None, **settings) -> bool:
    """gradcheck() of the gradients of `func`, and so of its second derivatives.

    The upstream gradients are `grad_outputs`, random ones by default. A gradient without a history
    is checked, too: by backward its slopes are 0.
    """
    inputs = as_tuple(inputs)
    if grad_outputs is None:
        outputs = differentiable(func(*inputs))
        grad_outputs = [randn(*y.shape, dtype=y.dtype).requires_grad_() for y in outputs]

    def gradients(*values):
        found = first_gradients(func, values[: len(inputs)], values[len(inputs) :])
        return tuple([g if g.requires_grad else g.detach().requires_grad_() for g in found])

    return gradcheck(gradients, (*inputs, *as_tuple(grad_outputs)), **settings)


def first_gradients(func, inputs, grad_outputs):
    """The gradients of func(*inputs) for the inputs that require grad, as a tuple without None.

    The upstream gradients are `grad_outputs`, one for each result in `differentiable(...)`. The
    pass is recorded, so that what it gives can be differentiated for inputs and upstream gradients.
    """
    with enable_grad():
        outputs, wanted = differentiable(func(*inputs)), wanted_inputs(inputs)
        found = grad(outputs, wanted, grad_outputs, create_graph=True, allow_unused=True)
    return tuple([gradient for gradient in found if gradient is not None])


def wanted_inputs(inputs):
    """The inputs that require grad, with a warning if one is not float64; ValueError for none."""
    wanted = [x for x in inputs if isinstance(x, Tensor) and x.requires_grad]
    if not wanted:
        raise ValueError("gradcheck needs an input that requires grad")
    for x in wanted:
        if x.dtype != np.float64:
            says = f"gradcheck needs float64 to see small slopes, got {x.dtype}"
            warnings.warn(says, stacklevel=3)
    return wanted


def differentiable(outputs):
    """The results through which gradients flow, as a list."""
    return [y for y in as_tuple(outputs) if isinstance(y, Tensor) and y.requires_grad]


def results_to_check(outputs):
    """Those that require grad; where none does, all floats, whose slopes must then be 0."""
    floats = [y for y in as_tuple(outputs) if isinstance(y, Tensor) and y.is_floating_point()]
    return differentiable(outputs) or floats


def jacobian_of(y, x, create_graph=False, strict=False):
    """d y / d x by one backward pass for each element of y."""
    heads = np.eye(y.numel(), dtype=y.dtype).reshape(y.numel(), *y.shape)
    rows = [grads((y,), (x,), (wrap(head),), create_graph, strict)[0] for head in heads]
    if not rows:
        return wrap(np.zeros((*y.shape, *x.shape), x.dtype))
    with enable_grad():  # rows that have a history are put together in the graph
        return stack(rows).reshape(*y.shape, *x.shape)


def grads(outputs, inputs, heads=None, create_graph=False, strict=False):
    """A tuple with the gradient of all `outputs` together for each of `inputs`; the graph is kept.

    All three are tuples; `heads` are the upstream gradients of the outputs, which single numbers
    do without. Zeros where nothing depends, or with `strict` RuntimeError.
    """
    heads = heads or (None,) * len(outputs)
    pairs = [(y, head) for y, head in zip(outputs, heads, strict=True) if y.requires_grad]
    if len(pairs) < len(outputs) and strict:
        raise RuntimeError("a result does not depend on the inputs; strict=True forbids that")
    if not pairs:
        return tuple([wrap(np.zeros(x.shape, x.dtype)) for x in inputs])
    outputs, heads = zip(*pairs, strict=True)
    how = {"allow_unused": strict, "materialize_grads": not strict}
    found = grad(outputs, inputs, heads, True, create_graph, **how)
    if any(gradient is None for gradient in found):
        raise RuntimeError("nothing depends on one of the inputs; strict=True forbids that")
    return found


def numerical_jacobian(compute, x, place, eps):
    """d output / d x by nudging each element of x by eps, up and down."""
    array = x._data
    columns = []
    for index in np.ndindex(array.shape):
        value, nudged = array[index], []
        try:
            for step in (eps, -eps):
                array[index] = value + step
                nudged.append(results_to_check(compute())[place]._data.ravel().copy())
        finally:
            array[index] = value  # whatever compute raises
        columns.append((nudged[0] - nudged[1]) / (2 * eps))
    size = columns[0].size if columns else results_to_check(compute())[place].numel()
    return np.array(columns).reshape(x.numel(), size).T


def compare(found, expected, atol, rtol, where):
    wrong = ~np.isclose(found, expected, rtol, atol)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise GradcheckError(
            f"{where}: the derivative of result element {row} for input element {column}"
            f" is {found[row, column]:.6g} by backward, {expected[row, column]:.6g} by nudging"
        )
