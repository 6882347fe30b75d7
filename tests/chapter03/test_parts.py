"""Chapter 3: the recursive version, and the parts that the real engine is made of."""

import functools

import numpy as np
import pytest

import tinytorch as tt
from course.testing import Mismatch, expect, expect_raises, leaf


def without(error, what, slip, call, *args):
    """The result of call(*args); where it raises this error, the slip is said instead."""
    try:
        return call(*args)
    except error as raised:
        text = f"{what} raised {type(raised).__name__}: {raised or 'too deep'}: {slip}"
        raise Mismatch(text) from None


def tensor(data):
    return tt.Tensor(np.array(data, dtype=np.float64))


def names_in(order, **tensors):
    """The order as names; tensors without a name are left out."""
    return [name for entry in order for name, tensor in tensors.items() if entry is tensor]


@pytest.mark.exercise("3.1", points=1)
def test_a_chain_hands_the_gradient_down():
    x = leaf(3)
    y = x * 5
    tt.recursive_backward(y * 2, tensor(1))
    slip = "keep the gradient that came in"
    expect(y.grad, 2, "recursive_backward(y * 2, 1) gave y.grad", slip=slip)
    slip = "each input does the same as its result did: call recursive_backward for it"
    expect(
        x.grad is None, False, "x.grad is None after recursive_backward(5 * x * 2, 1)", slip=slip
    )
    slip = "ctx.backward wants the grad that came in, not a one"
    expect(x.grad, 10, "recursive_backward(5 * x * 2, 1) gave x.grad", slip=slip)


@pytest.mark.exercise("3.1", points=1)
def test_adding_makes_a_new_gradient():
    a, b, one = leaf(2), leaf(3), tensor(1)
    tt.recursive_backward((a + b) + a, one)
    slip = "Add hands one Tensor to both inputs: make a new one, do not change its data"
    expect(b.grad, 1, "recursive_backward((a + b) + a, 1) gave b.grad", slip=slip)
    expect(one, 1, "the gradient that was passed in, afterwards", slip=slip)


@pytest.mark.exercise("3.1", points=1)
def test_two_paths_to_one_leaf_add_up():
    a, b = leaf(2), leaf(1)
    tt.recursive_backward((a + b) * (b + 1), tensor(1))
    expect(a.grad, 2, "recursive_backward((a + b) * (b + 1), 1) gave a.grad")
    slip = "2 come on one path and 3 on the other: was the first overwritten?"
    expect(b.grad, 5, "recursive_backward((a + b) * (b + 1), 1) gave b.grad", slip=slip)


@pytest.mark.exercise("3.1", points=1)
def test_the_gradient_that_comes_in_is_the_one_that_counts():
    x = leaf([3, 4])
    tt.recursive_backward(x * x, tensor([1, 10]))
    slip = "ctx.backward wants the grad that came in, not a one"
    expect(x.grad, [6, 80], "recursive_backward(x * x, [1, 10]) gave x.grad", slip=slip)


@pytest.mark.exercise("3.1", points=1)
def test_what_came_earlier_is_not_sent_again():
    a = leaf(2)
    b = a * a
    tt.recursive_backward(b * (b * 3), tensor(1))
    expect(b.grad, 24, "recursive_backward(b * (b * 3), 1) gave b.grad")
    slip = "send on the grad that has just come in, not the sum in tensor.grad"
    expect(a.grad, 96, "recursive_backward(b * (b * 3), 1), b = a * a, gave a.grad", slip=slip)


@pytest.mark.exercise("3.1", points=1)
def test_an_input_that_is_no_tensor_gets_nothing():
    x = leaf(2)
    slip = "the gradient of the exponent is None: skip it"
    without(
        (AttributeError, TypeError),
        "recursive_backward(x ** 3, 1)",
        slip,
        tt.recursive_backward,
        x**3,
        tensor(1),
    )
    expect(x.grad, 12, "recursive_backward(x ** 3, 1) gave x.grad")


@pytest.mark.exercise("3.2", points=1)
def test_a_chain_is_ordered_from_inputs_to_results():
    x = leaf(2)
    y = -x
    z = y.exp()
    got = names_in(tt.topological_order(z), x=x, y=y, z=z)
    slip = "the root belongs in it too, and comes last"
    expect(got[-1:], ["z"], "the last of topological_order(z)", slip=slip)
    slip = "inputs come before results"
    expect(got, ["x", "y", "z"], "topological_order(exp(-x))", slip=slip)


@pytest.mark.exercise("3.2", points=1)
def test_each_tensor_comes_once():
    a, b = leaf(2), leaf(2)
    c = a + b
    got = names_in(tt.topological_order(c * c), a=a, b=b, c=c)
    slip = "each tensor once: has it been seen before?"
    expect(got.count("c"), 1, "how often c comes in topological_order(c * c)", slip=slip)
    slip = "a and b are two tensors, also where their values are equal"
    expect(sorted(got), ["a", "b", "c"], "tensors in topological_order(c * c)", slip=slip)


@pytest.mark.exercise("3.2", points=1)
def test_paths_of_unequal_length_keep_the_order():
    a = leaf(2)
    b = a * a
    c = b * 3
    d = b * c
    slip = "c needs b, so b comes before c: a tensor may enter only after all its inputs"
    got = names_in(tt.topological_order(d), a=a, b=b, c=c, d=d)
    expect(got, ["a", "b", "c", "d"], "topological_order(b * (b * 3))", slip=slip)
    c = b * 3
    d = c * b
    got = names_in(tt.topological_order(d), a=a, b=b, c=c, d=d)
    expect(got, ["a", "b", "c", "d"], "topological_order((b * 3) * b)", slip=slip)


@pytest.mark.exercise("3.2", points=1)
def test_what_is_no_tensor_stays_out():
    x = leaf(2)
    slip = "an exponent has no grad_fn: take only inputs that are Tensors"
    order = without(AttributeError, "topological_order(x ** 3)", slip, tt.topological_order, x**3)
    expect(len(order), 2, "how many stand in topological_order(x ** 3)", slip=slip)


@pytest.mark.exercise("3.2", points=1)
def test_a_ladder_of_diamonds_is_climbed_once():
    looks = []

    class Counted(tuple):
        def __iter__(self):
            looks.append(self)
            return super().__iter__()

    x = leaf(1)
    for _ in range(12):
        x = x + x
        x.grad_fn.inputs = Counted(x.grad_fn.inputs)
    tt.topological_order(x)
    slip = "do not go behind a tensor that has been seen: the paths double with each step"
    few = len(looks) <= 36
    expect(few, True, f"12 steps, {len(looks)} looks at their inputs: are they few", slip=slip)


@pytest.mark.exercise("3.2", points=1)
def test_ten_thousand_operations_are_no_problem():
    root = leaf(1)
    for _ in range(10_000):
        root = -root
    slip = "no recursion: keep a stack of your own"
    order = without(
        RecursionError, "topological_order(10,000 operations)", slip, tt.topological_order, root
    )
    expect(len(order), 10_001, "how many stand in the order of 10,000 operations")


@pytest.mark.exercise("3.3", points=1)
def test_a_scalar_begins_with_one():
    slip = "how much does z move when z moves by one?"
    expect(tt.head_gradient(leaf(5), None), 1, "head_gradient(Tensor(5), None)", slip=slip)


@pytest.mark.exercise("3.3", points=1)
def test_one_has_the_shape_and_the_dtype_of_the_tensor():
    slip = "the gradient of a tensor has the shape of the tensor"
    expect(tt.head_gradient(leaf([[5]]), None), [[1]], "head_gradient([[5]], None)", slip=slip)
    slip = "the gradient of a tensor has the dtype of the tensor"
    for dtype in (np.float32, np.float64):
        got = tt.head_gradient(leaf(5, dtype), None)
        what = f"head_gradient(Tensor(5) in {np.dtype(dtype)}, None).dtype"
        expect(got.dtype, dtype, what, slip=slip)


@pytest.mark.exercise("3.3", points=1)
def test_a_vector_has_no_slope_of_its_own():
    for data in ([1, 2], [[1, 2], [3, 4]]):
        x = leaf(data)
        slip = "only a tensor with one element can begin with 1; name the shape in the error"
        call = functools.partial(tt.head_gradient, x, None)
        what = f"head_gradient({data}, None)"
        expect_raises(RuntimeError, call, what, slip=slip, says=[str(x.shape)])


@pytest.mark.exercise("3.3", points=1)
def test_a_given_gradient_is_used():
    got = tt.head_gradient(leaf([1, 2]), tt.Tensor([10, 20]))
    expect(got, [10, 20], "head_gradient([1, 2], Tensor([10, 20]))", slip="return the gradient")
    slip = "0 is a gradient too: ask `gradient is None`"
    expect(tt.head_gradient(leaf(5), 0), 0, "head_gradient(Tensor(5), 0)", slip=slip)


@pytest.mark.exercise("3.3", points=1)
def test_numbers_and_arrays_become_tensors():
    for gradient in (10, np.array(10.0)):
        got = tt.head_gradient(leaf(5), gradient)
        what = f"head_gradient(Tensor(5), {gradient!r}) is a Tensor"
        expect(isinstance(got, tt.Tensor), True, what, slip="as_tensor makes it one")
        expect(got, 10, f"head_gradient(Tensor(5), {gradient!r})")
    slip = "a number takes the dtype of the tensor: as_tensor(gradient, tensor.dtype)"
    got = tt.head_gradient(leaf(5), 0.1)
    expect(got.dtype, np.float64, "head_gradient(float64 Tensor(5), 0.1).dtype", slip=slip)


@pytest.mark.exercise("3.3", points=1)
def test_a_given_gradient_must_fit():
    x, short = leaf([1, 2, 3]), tt.Tensor([1, 2])
    slip = "compare the shapes, and name both"
    what = "head_gradient([1, 2, 3], Tensor([1, 2]))"
    says = ["(3,)", "(2,)"]
    expect_raises(RuntimeError, lambda: tt.head_gradient(x, short), what, slip=slip, says=says)
    expect_raises(
        RuntimeError,
        lambda: tt.head_gradient(x, 1),
        "head_gradient([1, 2, 3], 1)",
        slip=slip,
        says=["(3,)"],
    )


@pytest.mark.exercise("3.4", points=1)
def test_each_input_receives_its_gradient():
    x, y, grads = leaf(2), leaf(5), {}
    tt.propagate((x * y).grad_fn, tensor(10), grads)
    slip = "grads has an entry for each input: x -> its gradient"
    expect(x in grads and y in grads, True, "propagate(x * y): x and y in grads", slip=slip)
    slip = "run ctx.backward on the grad that was given"
    expect(grads[x], 50, "propagate(x * y, sent 10) gave grads[x]", slip=slip)
    expect(grads[y], 20, "propagate(x * y, sent 10) gave grads[y]", slip=slip)


@pytest.mark.exercise("3.4", points=1)
def test_an_input_that_comes_twice_receives_both():
    x, grads = leaf(3), {}
    tt.propagate((x * x).grad_fn, tensor(1), grads)
    slip = "x is both inputs, and each sends 3: was the first overwritten?"
    expect(grads[x], 6, "propagate(x * x, sent 1) gave grads[x]", slip=slip)


@pytest.mark.exercise("3.4", points=1)
def test_what_other_results_sent_is_kept():
    x, y = leaf(3), leaf(5)
    grads = {x: tensor(100)}
    tt.propagate((x * y).grad_fn, tensor(1), grads)
    slip = "100 were there already, from another result: add to them"
    expect(grads[x], 105, "propagate(x * y), grads[x] = 100 before, gave grads[x]", slip=slip)


@pytest.mark.exercise("3.4", points=1)
def test_none_is_not_a_gradient():
    x, grads = leaf(2), {}
    slip = "the gradient of the exponent is None: skip it"
    without(
        (AttributeError, TypeError),
        "propagate(x ** 3, sent 1)",
        slip,
        tt.propagate,
        (x**3).grad_fn,
        tensor(1),
        grads,
    )
    expect(len(grads), 1, "entries in grads after propagate(x ** 3)", slip=slip)


@pytest.mark.exercise("3.4", points=1)
def test_propagate_changes_nothing_but_grads():
    x, y, other = leaf(2), leaf(5), tensor(100)
    grads = {x: other}
    tt.propagate((x + y).grad_fn, tensor(1), grads)
    slip = "make a new sum with +, do not change the data of a gradient"
    expect(other, 100, "the gradient that was in grads[x] before", slip=slip)
    slip = "the sums of this pass live in grads; .grad is written by accumulate"
    expect(x.grad is None, True, "x.grad is None after propagate", slip=slip)


@pytest.mark.exercise("3.4", points=1)
def test_backward_runs_once():
    calls = []

    class Twin(tt.Function):
        @staticmethod
        def forward(ctx, x, y):
            return tt.Tensor(x.data + y.data)

        @staticmethod
        def backward(ctx, grad_z):
            calls.append(1)
            return grad_z, grad_z

    tt.propagate(Twin.apply(leaf(1), leaf(2)).grad_fn, tensor(1), {})
    slip = "call ctx.backward once, it gives the gradients of all inputs"
    expect(len(calls), 1, "how often propagate ran the backward", slip=slip)


@pytest.mark.exercise("3.5", points=1)
def test_the_first_gradient_is_kept():
    x = leaf(3)
    without(
        TypeError,
        "accumulate(x, 10)",
        "before the first gradient x.grad is None",
        tt.accumulate,
        x,
        tensor(10),
    )
    expect(x.grad, 10, "accumulate(x, 10) gave x.grad", slip="keep it in tensor.grad")
    expect(x, 3, "x after accumulate(x, 10)", slip="the gradient goes to .grad, not to .data")


@pytest.mark.exercise("3.5", points=1)
def test_the_next_gradient_is_added():
    x = leaf([3, 4])
    tt.accumulate(x, tensor([1, 10]))
    tt.accumulate(x, tensor([4, 20]))
    slip = "was the first gradient overwritten?"
    expect(x.grad, [5, 30], "accumulate [1, 10], then [4, 20], gave x.grad", slip=slip)


@pytest.mark.exercise("3.5", points=1)
def test_two_tensors_may_share_a_gradient():
    a, b, shared = leaf(3), leaf(4), tensor(1)
    tt.accumulate(a, shared)
    tt.accumulate(b, shared)
    tt.accumulate(a, tensor(4))
    slip = "a and b were given the same Tensor: make a new one, do not change its data"
    expect(b.grad, 1, "b.grad after something was added to a.grad", slip=slip)
    expect(a.grad, 5, "a.grad")


@pytest.mark.exercise("3.5", points=2)
def test_zero_grad_forgets():
    x, y, untouched = leaf(3), leaf(4), leaf(5)
    x.grad, y.grad = tensor(1), tensor(2)
    slip = "a tensor that has no gradient yet must not disturb it"
    without((AttributeError, TypeError), "zero_grad([x, y])", slip, tt.zero_grad, [untouched, x, y])
    slip = "None says that there is no gradient; a zero would say that nothing matters"
    expect(x.grad is None, True, "x.grad is None after zero_grad([x, y])", slip=slip)
    slip = "all of them, not only the first"
    expect(y.grad is None, True, "y.grad is None after zero_grad([x, y])", slip=slip)


@pytest.mark.exercise("3.5", points=1)
def test_zero_grad_leaves_the_old_numbers_alone():
    x, old = leaf(3), tensor(7)
    x.grad = old
    tt.zero_grad([x])
    slip = "somebody may still hold the old gradient: let go of it, do not change it"
    expect(old, 7, "a gradient that was kept aside, after zero_grad", slip=slip)
    expect(x, 3, "x after zero_grad([x])", slip="the gradient goes, the value stays")
