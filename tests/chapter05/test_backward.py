"""Chapter 5: gradients for leaves only, a graph that is let go, and a step that is not recorded."""

import weakref

import numpy as np
import pytest

import tinytorch as tt
from course.testing import error_of, expect, expect_backward, expect_raises, leaf, visits


@pytest.mark.exercise("5.5", points=1)
def test_free_lets_go_of_the_inputs():
    ctx = (leaf(2) * leaf(3)).grad_fn
    ctx.free()
    slip = "an empty tuple: who walks the graph finds nothing behind this ctx"
    expect(ctx.inputs, (), "ctx.inputs after ctx.free()", slip=slip)
    ctx.free()
    expect(ctx.inputs, (), "ctx.inputs after a second ctx.free()", slip=slip)


@pytest.mark.exercise("5.5", points=1)
def test_free_lets_go_of_what_was_saved():
    x, other = leaf(2), tt.Tensor(3.0)
    alive = weakref.ref(other)
    ctx = (x * other).grad_fn
    del other
    ctx.free()
    slip = "the memory is in what was saved: let go of that, too"
    expect(alive() is None, True, "a saved tensor is gone after ctx.free()", slip=slip)


@pytest.mark.exercise("5.5", points=1)
def test_backward_through_a_freed_ctx_is_a_clear_error():
    ctx = (leaf(2) * leaf(3)).grad_fn
    ctx.free()
    slip = "ask first whether it was freed; say what helps: retain_graph=True"
    what = "ctx.backward(1) for x * y, after ctx.free()"
    call = lambda: ctx.backward(tt.Tensor(1.0))  # noqa: E731
    expect_raises(RuntimeError, call, what, slip=slip, says=["retain_graph"])


@pytest.mark.exercise("5.5", points=1)
def test_an_operation_that_saves_nothing_can_be_freed_too():
    slip = "x + y saves nothing: mark freed by something that no ctx has before, such as None"
    for text, y in {"x + y": leaf(2) + leaf(3), "x.sum()": leaf([2]).sum()}.items():
        y.grad_fn.free()
        call = lambda y=y: y.grad_fn.backward(tt.Tensor(1.0))  # noqa: E731
        expect_raises(RuntimeError, call, f"ctx.backward(1) for {text}, after free()", slip=slip)


@pytest.mark.exercise("5.5", points=1)
def test_a_ctx_that_was_not_freed_works():
    slip = "nothing saved is not the same as freed"
    ctx = (leaf(2) + leaf(3)).grad_fn
    error = error_of(lambda: ctx.backward(tt.Tensor(1.0)))
    expect(error, None, "the error of ctx.backward(1) for x + y, not freed", slip=slip)
    slip = "the answer is a tuple, also for an operation with one input"
    grads = (-leaf(2)).grad_fn.backward(tt.Tensor(5.0))
    expect(type(grads), tuple, "type of ctx.backward(5) for -x", slip=slip)
    expect(grads[0], -5, "ctx.backward(5)[0] for -x", slip=slip)


@pytest.mark.exercise("5.6", points=1)
def test_a_leaf_receives_its_gradient():
    x = leaf(3)
    slips = {
        RuntimeError: "a ctx is freed only when propagate has used it",
        KeyError: "a tensor's turn came before anything was sent to it: walk the order in reverse",
    }
    expect(error_of((x * x + x).backward), None, "the error of a first backward()", slips=slips)
    expect(x.grad, 7, "x.grad after backward() on x * x + x at x = 3")
    x = leaf(3)
    expect(error_of(x.backward), None, "the error of x.backward()", slip="x is a leaf that asks")
    expect(x.grad, 1, "x.grad after x.backward()", slip="x moves itself one to one")


@pytest.mark.exercise("5.6", points=1)
def test_results_keep_no_gradient():
    x = leaf(3)
    y = x * 2
    z = y * 5
    z.backward()
    slip = "only leaves keep their gradient; a result requires one, too, but hands it on"
    expect(y.grad is None, True, "y in the middle of x * 2 * 5: y.grad is None", slip=slip)
    expect(z.grad is None, True, "z.grad is None, for the root z", slip=slip)
    expect(x.grad, 10, "x.grad after backward() on z = x * 2 * 5")


@pytest.mark.exercise("5.6", points=1)
def test_constants_receive_nothing():
    x, c = leaf(3), tt.Tensor(5.0)
    (x * c + c).backward()
    expect(x.grad, 5, "x.grad after backward() on x * c + c")
    slip = "c did not ask: walk only over tensors that require a gradient"
    expect(c.grad is None, True, "c.grad is None, for the constant c", slip=slip)


@pytest.mark.exercise("5.6", points=1)
def test_nothing_to_do_is_an_error():
    slip = "self.requires_grad is False: no gradient would reach anybody; say so"
    for text, y in {"Tensor(2.0)": tt.Tensor(2.0), "c * c": tt.Tensor(2.0) * 2}.items():
        what = f"backward() on the constant {text}"
        expect_raises(RuntimeError, y.backward, what, slip=slip, says=["grad"])


@pytest.mark.exercise("5.6", points=1)
def test_paths_of_unequal_length_meet():
    a = leaf(2)
    b = a * a
    d = b * (b * 3)  # 3 * a ** 4
    slip = "b is complete only after both of its users"
    expect_backward(d, "d = b * (b * 3), b = a * a", slip=slip, a=(a, 96))


@pytest.mark.exercise("5.6", points=1)
def test_gradients_of_two_passes_add_up():
    x = leaf([1, 2])
    (x * 3).sum().backward()
    (x * x).sum().backward()
    expect(x.grad, [5, 7], "x.grad after two passes", slip="a second pass adds to .grad")


@pytest.mark.exercise("5.6", points=1)
def test_a_gradient_that_was_kept_does_not_change():
    x = leaf([1, 2])
    (x * x).sum().backward()
    first = x.grad
    (x * x).sum().backward()
    slip = "the second pass added into the same array: make a new one, no +="
    expect(first, [2, 4], "the x.grad of the first pass, after a second one", slip=slip)


@pytest.mark.exercise("5.6", points=1)
def test_the_graph_is_freed():
    x = leaf(3)
    y = x * x
    z = y * y
    ctx = y.grad_fn
    z.backward()
    slip = "without retain_graph each ctx is freed, from the root to the leaves"
    expect(len(ctx.inputs), 0, "len(ctx.inputs) of y = x * x, after backward()", slip=slip)
    what = "a second backward() on z"
    expect_raises(RuntimeError, z.backward, what, slip=slip, says=["retain_graph"])


@pytest.mark.exercise("5.6", points=1)
def test_a_retained_graph_can_be_walked_again():
    x = leaf(3)
    y = x * x
    slip = "retain_graph=True: free nothing"
    error = error_of(lambda: (y.backward(retain_graph=True), y.backward()))
    expect(error, None, "the error of two passes, the first with retain_graph=True", slip=slip)
    expect(x.grad, 12, "x.grad after both passes", slip="each pass adds 6")
    slip = "the second pass did not retain: it frees the graph"
    expect_raises(RuntimeError, y.backward, "a third backward()", slip=slip)


@pytest.mark.exercise("5.6", points=1)
def test_two_roots_over_one_trunk():
    x = leaf(3)
    trunk = x * x
    a, b = trunk * 2, trunk * 10
    a.backward(retain_graph=True)
    b.backward()
    slip = "the trunk was retained, so b may pass through it"
    expect(x.grad, 72, "x.grad after a.backward(retain_graph=True), b.backward()", slip=slip)


@pytest.mark.exercise("5.6", points=1)
def test_the_backward_pass_is_not_recorded():
    x, y = leaf(3), leaf(5)
    (x * y).backward()
    slip = "the pass itself computes with tensors that require gradients: run it under no_grad()"
    expect(x.grad.requires_grad, False, "x.grad.requires_grad after backward()", slip=slip)
    slip = "afterwards recording must be what it was"
    expect((x * y).requires_grad, True, "(x * y).requires_grad after backward()", slip=slip)


@pytest.mark.exercise("5.6", points=1)
def test_a_graph_is_freed_for_good():
    x, other = leaf(3), tt.Tensor(5.0)
    alive = weakref.ref(other)
    y = x * other
    del other
    y.backward()
    slip = "y still lives, but what was saved for its backward need not"
    expect(alive() is None, True, "a saved constant is gone after backward()", slip=slip)


@pytest.mark.exercise("5.6", points=1)
def test_each_operation_is_visited_once():
    y = leaf(1)
    for _ in range(30):
        y = y + y
    slip = "each operation runs its backward once, when its gradient is complete"
    expect(visits(y), [1] * 30, "visits on a ladder of 30 sums", slip=slip)


@pytest.mark.exercise("5.6", points=1)
def test_the_length_of_a_chain_does_not_matter():
    y = x = leaf(1)
    for _ in range(10_000):
        y = -y
    expect_backward(y, "y = a chain of 10,000 operations", slip="no recursion", x=(x, 1))


def parameter(value, grad):
    p = tt.Tensor(np.array(value, dtype=np.float32), requires_grad=True)
    p.grad = None if grad is None else tt.Tensor(np.array(grad, dtype=np.float32))
    return p


@pytest.mark.exercise("5.7", points=1)
def test_a_step_goes_against_the_gradient():
    w = parameter([3, 1], [2, -4])
    tt.SGD([w], lr=0.5).step()
    slip = "p - lr * p.grad is a Tensor: p.data takes its .data, the array"
    expect(type(w.data) is np.ndarray, True, "w.data is an array, after a step", slip=slip)
    slip = "p - lr * p.grad, kept in p.data: giving the name p a new value changes no parameter"
    expect(w, [2, 3], "a step from [3, 1], gradient [2, -4], lr 0.5: w", slip=slip)


@pytest.mark.exercise("5.7", points=1)
def test_the_learning_rate_counts():
    w = parameter([3, 1], [2, -4])
    tt.SGD([w], lr=0.25).step()
    slips = [
        ([1, 5], "multiply the gradient by self.lr"),
        ([3.5, 0], "against the gradient: p - lr * p.grad"),
        ([2, 3], "multiply the gradient by self.lr, whatever it is"),
        ([3, 1], "keep it in p.data: giving the name p a new value changes no parameter"),
    ]
    expect(w, [2.5, 2], "a step from [3, 1], gradient [2, -4], lr 0.25: w", slips=slips)


@pytest.mark.exercise("5.7", points=1)
def test_a_parameter_without_gradient_stays():
    frozen, w = parameter([7], None), parameter([3], [2])
    error = error_of(tt.SGD([frozen, w], lr=0.5).step)
    slip = "p.grad is None for a parameter that backward did not reach: skip it"
    expect(error, None, "the error of step() when one p.grad is None", slip=slip)
    expect(frozen, [7], "the parameter without gradient, after a step", slip=slip)
    slip = "skip that one parameter, and go on with the next"
    expect(w, [2], "the parameter after it, after a step", slip=slip)


@pytest.mark.exercise("5.7", points=1)
def test_a_parameter_stays_a_leaf():
    w = parameter([3], [2])
    tt.SGD([w], lr=0.5).step()
    slip = "the update must not become part of a graph"
    expect(w.grad_fn is None, True, "w.grad_fn is None, after a step", slip=slip)
    expect(w.requires_grad, True, "w.requires_grad, after a step", slip="w will be asked again")
    expect(w.dtype, np.float32, "w.dtype, after a step", slip="float32 stays float32")


@pytest.mark.exercise("5.7", points=1)
def test_a_step_leaves_the_gradient_alone():
    w = parameter([3], [2])
    optimizer = tt.SGD([w], lr=0.5)
    optimizer.step()
    slip = "forgetting the gradient is zero_grad's work"
    expect(w.grad is None, False, "w.grad is None, after a step", slip=slip)
    expect(w.grad, [2], "w.grad after a step", slip="the step must not change the gradient")
    optimizer.step()
    expect(w, [1], "w after two steps with the same gradient", slip=slip)


@pytest.mark.exercise("5.7", points=1)
def test_three_steps_downhill():
    w = tt.Tensor(4.0, requires_grad=True)
    optimizer = tt.SGD([w], lr=0.25)
    for _ in range(3):
        optimizer.zero_grad()
        (w * w).backward()
        optimizer.step()
    slip = "each step halves w: 4, 2, 1, 0.5"
    expect(w, 0.5, "three steps on w * w from 4, lr 0.25: w", slip=slip)
