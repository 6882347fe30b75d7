"""Chapter 2: what a ctx keeps, and how apply ties it to the result."""

import numpy as np
import pytest

import tinytorch as tt
from course.testing import expect, expect_gradients, expect_raises, leaf


def new_context():
    return tt.Context(tt.Add, ())


def scale():
    """An operation of the tests' own, z = factor * x, that keeps its factor on the ctx."""

    class Scale(tt.Function):
        @staticmethod
        def forward(ctx, x, factor):
            ctx.factor = factor
            return tt.Tensor(x.data * factor)

        @staticmethod
        def backward(ctx, grad_z):
            return tt.Tensor(grad_z.data * ctx.factor), None

    return Scale


@pytest.mark.exercise("2.1", points=1)
def test_the_tensors_themselves_are_kept():
    ctx, x = new_context(), tt.Tensor([2, 5])
    ctx.save_for_backward(x)
    slip = "keep the Tensor itself: a copy costs memory and has lost its history"
    saved = ctx.saved_tensors
    saved = saved[0] if isinstance(saved, tuple) else saved
    expect(saved is x, True, "what was saved is x itself", slip=slip)


@pytest.mark.exercise("2.1", points=1)
def test_what_was_saved_comes_back_in_a_tuple():
    ctx, x, y = new_context(), tt.Tensor(2), tt.Tensor(5)
    ctx.save_for_backward(x, y)
    slip = "a tuple, in the order in which they were saved"
    expect(ctx.saved_tensors, (x, y), "saved_tensors after save_for_backward(x, y)", slip=slip)
    ctx = new_context()
    ctx.save_for_backward(x)
    slip = "one Tensor comes back in a tuple too, so that (x,) = ctx.saved_tensors works"
    expect(ctx.saved_tensors, (x,), "saved_tensors after save_for_backward(x)", slip=slip)


@pytest.mark.exercise("2.1", points=1)
def test_each_context_keeps_its_own_and_only_the_last_save():
    first, second, x, y = new_context(), new_context(), tt.Tensor(2), tt.Tensor(5)
    first.save_for_backward(x)
    second.save_for_backward(y)
    slip = "each ctx keeps its own: self._saved, not a place that all contexts share"
    expect(first.saved_tensors, (x,), "saved_tensors of the first of two contexts", slip=slip)
    first.save_for_backward(y)
    slip = "what is saved now replaces what was saved before"
    expect(first.saved_tensors, (y,), "saved_tensors after saving x, then y", slip=slip)


@pytest.mark.exercise("2.1", points=1)
def test_nothing_saved_is_an_empty_tuple():
    slip = "before anything is saved the tuple is empty"
    expect(new_context().saved_tensors, (), "saved_tensors of a new Context", slip=slip)


@pytest.mark.exercise("2.1", points=1)
def test_only_tensors_can_be_saved():
    slip = "look at each argument with isinstance(tensor, Tensor)"
    array = np.array([1.0, 2.0])
    save = new_context().save_for_backward
    expect_raises(TypeError, lambda: save(3), "save_for_backward(3)", slip=slip)
    expect_raises(TypeError, lambda: save(array), f"save_for_backward({array!r})", slip=slip)
    expect_raises(TypeError, lambda: save(None), "save_for_backward(None)", slip=slip)
    slip = "all arguments must be looked at, not only the first"
    expect_raises(TypeError, lambda: save(tt.Tensor(2), 3), "save_for_backward(x, 3)", slip=slip)


@pytest.mark.exercise("2.2", points=1)
def test_apply_returns_what_forward_returns():
    z = scale().apply(leaf([1, 2]), 3)
    slip = "return the result of cls.forward(ctx, *inputs)"
    expect(isinstance(z, tt.Tensor), True, "Scale.apply(x, 3) is a Tensor", slip=slip)
    expect(z, [3, 6], "Scale.apply(Tensor([1, 2]), 3)", slip=slip)


@pytest.mark.exercise("2.2", points=1)
def test_the_result_is_the_tensor_that_forward_made():
    made = []

    class Recorded(tt.Function):
        @staticmethod
        def forward(ctx, x):
            made.append(tt.Tensor(x.data))
            return made[0]

    z = Recorded.apply(leaf(2))
    slip = "run forward once, and return the very Tensor that it made: it may have been saved"
    expect(z is made[0] and len(made) == 1, True, "apply returns forward's own result", slip=slip)


@pytest.mark.exercise("2.2", points=1)
def test_the_result_remembers_its_function_and_inputs():
    Scale, x = scale(), leaf([1, 2])
    ctx = Scale.apply(x, 3).grad_fn
    slip = "grad_fn is the ctx of this one call"
    slip = "the history is forgotten: result.grad_fn = ctx" if ctx is None else slip
    expect(type(ctx), tt.Context, "type(Scale.apply(x, 3).grad_fn)", slip=slip)
    slip = "the operation that was called is cls"
    expect(ctx.function, Scale, "grad_fn.function", slip=slip)


@pytest.mark.exercise("2.2", points=1)
def test_inputs_are_remembered_as_they_came():
    Scale, x = scale(), leaf([1, 2])
    inputs = Scale.apply(x, 3).grad_fn.inputs
    slip = "all inputs, in their order, also those that are not Tensors"
    expect(len(inputs), 2, "how many inputs Scale.apply(x, 3) remembers", slip=slip)
    expect(inputs[1], 3, "grad_fn.inputs[1] of Scale.apply(x, 3)", slip=slip)
    slip = "the Tensor itself, not a copy of it and not its array: a copy has no history"
    expect(inputs[0] is x, True, "grad_fn.inputs[0] is x", slip=slip)


@pytest.mark.exercise("2.2", points=1)
def test_backward_sees_the_ctx_that_forward_wrote_on():
    z = scale().apply(leaf([1, 2]), 3)
    slip = "forward must get the same ctx that the result remembers"
    expect(hasattr(z.grad_fn, "factor"), True, "what forward wrote is on z.grad_fn", slip=slip)


@pytest.mark.exercise("2.2", points=1)
def test_two_calls_have_a_ctx_each():
    Scale, x = scale(), leaf(2)
    first, second = Scale.apply(x, 3), Scale.apply(x, 5)
    slip = "two calls share one ctx: make a new Context in each"
    expect_gradients(first, 1, "3 * x, after 5 * x", slip=slip, x=(x, 3))
    expect_gradients(second, 10, "5 * x, sent 10", slip=slip, x=(x, 50))


@pytest.mark.exercise("2.2", points=1)
def test_the_inputs_are_not_marked():
    x = leaf(2)
    scale().apply(x, 3)
    slip = "grad_fn belongs to the result: x was not made by this call"
    expect(x.grad_fn is None, True, "x.grad_fn is None after Scale.apply(x, 3)", slip=slip)
