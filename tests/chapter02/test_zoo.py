"""Chapter 2: what each exercise promises, for all kinds of inputs."""

import gc
import weakref
from functools import partial

import numpy as np
import pytest

import tinytorch as tt
from course.contracts import (
    DTYPES,
    NUMBERS,
    arrays,
    expect_array,
    expect_ending,
    expect_notes,
    expect_operation,
    leaf_like,
    matrices,
    upstream,
)
from course.testing import (
    calling,
    expect,
    expect_gradients,
    expect_local_gradients,
    leaf,
    needs_notes,
)


def lists_of_tensors():
    class Special(tt.Tensor):
        pass

    x, y = leaf([2, 5]), leaf(3)
    return {"()": (), "(x)": (x,), "(x, y)": (x, y), "(y, x, y)": (y, x, y), "(s)": (Special(2),)}


@pytest.mark.exercise("2.1", points=1)
def test_whatever_is_saved_comes_back_until_something_else_is_saved():
    for before, first in lists_of_tensors().items():
        for after, second in lists_of_tensors().items():
            ctx = tt.Context(tt.Add, ())
            ctx.save_for_backward(*first)
            subclass = {TypeError: "a Tensor of a subclass is a Tensor: ask isinstance"}
            with calling(f"save_for_backward{after}", slips=subclass if after == "(s)" else ()):
                ctx.save_for_backward(*second)
            what = f"saved_tensors after saving {before}, then {after}"
            slips = [
                (lambda got, first=first: got == first, "saving nothing replaces it too"),
                (lambda got, want=second: len(got) < len(want), "saved twice, it comes back twice"),
            ]
            expect(ctx.saved_tensors, second, what, slips=slips)
            slips = {(): "reading it must not empty it"}
            expect(ctx.saved_tensors, second, f"{what}, read again", slips=slips)
            for refused in ((3,), (leaf(1), None), (leaf(1), np.ones(2)), ([leaf(1)],)):
                what = f"save_for_backward{refused!r}"
                expect_ending(partial(ctx.save_for_backward, *refused), TypeError, what)
                kept = [
                    (lambda got, r=refused: got == r, "look at all of them before you keep any")
                ]
                what = f"saved_tensors after {what}, {after} before"
                expect(ctx.saved_tensors, second, what, slips=kept)


def lists_of_inputs():
    x, y = leaf([2, 5]), leaf([3, 7])
    return {"x": (x,), "-x": (-x,), "x, y": (x, y), "x, x": (x, x), "x, 3": (x, 3),
            "-x, 3": (-x, 3), "x, None, (0, 1)": (x, None, (0, 1)), "3, x": (3, x)}  # fmt: skip


@pytest.mark.exercise("2.2", points=1)
def test_every_call_is_remembered_as_it_was():
    for text, inputs in lists_of_inputs().items():
        seen = []

        class First(tt.Function):
            @staticmethod
            def forward(ctx, *inputs, seen=seen):
                seen.append((ctx, inputs, tt.Tensor(1.0), getattr(ctx, "saved_tensors", ())))
                return seen[-1][2]

        result, what = First.apply(*inputs), f"First.apply({text})"
        ((ctx, given, made, saved),) = seen
        because = "forward alone decides what is saved"
        expect(saved, (), f"{what}: what ctx has saved before forward runs", because=because)
        because = "inputs go on to forward as they came"
        expect(given, inputs, f"{what}: what forward was given", because=because)
        expect(result is made, True, f"{what} is what forward returned")
        expect(result.grad_fn is ctx, True, f"{what}.grad_fn is the ctx that forward was given")
        because = "a tuple of all inputs, as they came"
        expect(ctx.inputs, inputs, f"{what}.grad_fn.inputs", because=because)
        alive = weakref.ref(result)
        seen.clear()
        del result, made, ctx
        gc.collect()
        expect(alive() is None, True, f"the result of {what} is gone when nobody uses it any more")


@pytest.mark.exercise("2.3", points=1)
@needs_notes
def test_mul_agrees_with_numpy_on_everything():
    expect_operation("x * y", lambda x, y: x * y, np.multiply, arrays(2), saves="xy")


@pytest.mark.exercise("2.4", points=1)
@needs_notes
def test_div_agrees_with_numpy_on_everything():
    expect_operation("x / y", lambda x, y: x / y, np.divide, arrays(2), saves="xy")
    x, y, because = leaf([1, -3]), leaf([0, 0]), "division by zero gives what NumPy gives"
    with np.errstate(all="ignore"):
        expected = {"x": (x, [np.inf, np.inf]), "y": (y, [-np.inf, np.inf])}
        expect_gradients(
            x / y, [2, 2], "[1, -3] / [0, 0] with grad_z = 2", because=because, **expected
        )


@pytest.mark.exercise("2.5", points=1)
@needs_notes
def test_pow_agrees_with_numpy_on_everything():
    for n in (1, 2, 3, -1, -2, 0.5, 0.3, -0.5, 2.0):
        what, ctx = f"x ** {n}", (leaf(2) ** n).grad_fn
        if hasattr(ctx, "inputs"):  # the library keeps notes of another kind
            got, because = getattr(ctx, "exponent", None), "keep it as it came"
            expect(got, n, f"{what}: ctx.exponent", because=because, rtol=0, atol=0)
        used = "" if n in (0, 1) else "x"  # there the slope is constant
        expect_operation(
            what, lambda x, n=n: x**n, lambda x, n=n: x**n, arrays(), saves="x", used=used
        )


@pytest.mark.exercise("2.6", points=1)
@needs_notes
def test_exp_and_tanh_agree_with_numpy_on_everything():
    expect_operation("exp", lambda x: x.exp(), np.exp, arrays(), saves="z")
    expect_operation("tanh", lambda x: x.tanh(), np.tanh, arrays(), saves="z")
    because = "1 - 2 / (e ** 2x + 1) loses its digits there: np.tanh doesn't"
    for dtype in DTYPES:
        x = np.array([1e-4, -1e-5, 1e-7], dtype)
        expect(leaf_like(x).tanh(), np.tanh(x), f"tanh near 0, {x.dtype}", because=because, atol=0)


@pytest.mark.exercise("2.7", points=1)
@needs_notes
def test_relu_agrees_with_numpy_on_everything():
    inputs = arrays(values=NUMBERS)  # x > 0 is false for NaN: 0 and NaN are both right
    expect_operation(
        "relu", lambda x: x.relu(), lambda x: np.maximum(x, 0), inputs, saves="x", used=""
    )
    x, because = leaf([1e-6, 1e-9, 1e-30]), "the slope is 1 wherever x > 0, however small x is"
    expect_gradients(
        x.relu(), [2, 2, 2], "relu near 0 with grad_z = 2", because=because, x=(x, [2, 2, 2])
    )


@pytest.mark.exercise("2.8", points=1)
@needs_notes
def test_matmul_agrees_with_numpy_on_all_shapes():
    for a, b in matrices():
        x, y = leaf_like(a), leaf_like(b)
        z, what = x @ y, f"{a.shape} @ {b.shape}, {a.dtype}"
        expect_array(z, a @ b, what)
        sent = upstream(z.shape, z.dtype)
        grad_x, grad_y = z.grad_fn.backward(sent)
        expect_array(grad_x, sent.data @ b.T, f"{what}: the gradient of x")
        expect_array(grad_y, a.T @ sent.data, f"{what}: the gradient of y")
        expect_notes(z, [x, y], sent, [grad_x, grad_y], what, "xy")
    x = leaf([[1, -2], [3, 4]])
    expect_local_gradients(x @ x, [x, x], lambda x, y: x @ y, "x @ x")
