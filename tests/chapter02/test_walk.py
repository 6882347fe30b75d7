"""Chapter 2: a walk back from note to note, where two paths meet."""

from contextlib import contextmanager

import numpy as np
import pytest

import tinytorch as tt
from course.basics import builds_on, needs_notes
from course.testing import (
    calling,
    central_difference,
    expect,
    fail_if,
    lacks,
    leaf,
    upstream_for,
    worded,
)

AT = "walk_back(x, y, 25), where e ** x is 3 and e ** y is 2"
ARRAYS = "an array has no note: compute with Tensors, x.exp()"


def slips_of_walks():
    """What to say where a walk ends in an error."""
    return [
        (lacks("Tensor", "backward", "grad"), "ask its note: z.grad_fn.backward(grad_z)"),
        (worded(TypeError, "'Context' object"), "say what you want: z.grad_fn.backward(grad_z)"),
        (worded(TypeError, "'grad_z'"), "tell it the gradient of its result, grad_z for z"),
        (lacks("Context"), "a note has function, inputs, saved_tensors, and backward"),
        (lacks("NoneType"), "that Tensor has no note: no operation made it here"),
        (lacks("ndarray"), ARRAYS),
        (lacks("float64"), ARRAYS),
        (worded(TypeError, "ufunc"), "NumPy's functions don't take a Tensor: x.exp()"),
        (worded(NameError, "'exp'"), "exp is a Tensor's own: x.exp()"),
        (NameError, "nothing has that name yet: whose note gives it?"),
        (worded(ValueError, "not enough"), "exp has one input, so one gradient: (grad_x,) = …"),
        (worded(ValueError, "too many"), "two inputs, so two gradients: grad_a, grad_s = …"),
        (worded(TypeError, "tuple"), "a note answers with a tuple, even of one: (grad_x,) = …"),
        (worded(RuntimeError, "item()"), "leave the Tensors whole: they may have any shape"),
        (worded(TypeError, "'NoneType'"), "that is None: has its gradient been found yet?"),
    ]


def walked(x, y, grad_z, what):
    """The two gradients, both Tensors; errors and other ends are said."""
    with calling(what, slips=slips_of_walks()):
        got = tt.walk_back(x, y, grad_z)
    fail_if(got is None, f"{what} gave None, expected two gradients: return grad_x, grad_y")
    one = "the gradient of x and that of y: return grad_x, grad_y"
    fail_if(isinstance(got, tt.Tensor), f"{what} gave one Tensor, expected two: {one}")
    kind = type(got).__name__
    fail_if(not isinstance(got, tuple), f"{what} gave {kind}, expected a tuple: {one}")
    fail_if(len(got) != 2, f"{what} gave a tuple of {len(got)}, expected two gradients: {one}")
    for name, grad in zip("xy", got, strict=True):
        said = f"{what} gave {type(grad).__name__} as the gradient of {name}, expected a Tensor"
        unpack = f"{said}: unpack what a note says, (grad_{name},) = …"
        fail_if(isinstance(grad, tuple) and len(grad) == 1, unpack)
        fail_if(isinstance(grad, np.ndarray), f"{said}, and not the array in it")
        number = f"{said}: its .item() has no shape and no history, so leave it whole"
        fail_if(isinstance(grad, float), number)
        fail_if(not isinstance(grad, tt.Tensor), said)
    return got


def walk():
    return walked(leaf(np.log(3)), leaf(np.log(2)), leaf(25), f"{AT},")


@pytest.mark.exercise("2.8", points=1)
@builds_on("2.4")
@needs_notes
def test_what_comes_on_two_ways_is_added_up():
    log_x, log_y = np.log(3), np.log(2)
    share = "z is a / (a + b), with a = e ** x and b = e ** y"
    grad_x, grad_y = walk()
    is_of_the_product = lambda _: np.allclose([grad_x.item(), grad_y.item()], [0, -12.5])  # noqa: E731
    slips = {
        15: "that is what z's own note says: a is in the sum, too",
        -9: "that is what came by way of the sum: a is in the quotient itself, too",
        2: "that is the gradient of a: ask its note with it",
        5: "that is a part of the gradient of a: add the other, and ask a's note",
        -3: "5 comes to a from z's note, and -3 from the sum's: ask a's note with just these two",
        0.24: "the walk begins with grad_z, and not with 1",
        0.144: "the walk begins with grad_z, and not with z",
        21: "5 has been through a's note twice, once alone and once in the sum",
        is_of_the_product: "that is for e ** x / e ** (x + y): s is a + b",
        150: "grad_z is in it twice: the note of z has been given it already",
        -6: "the other way round: x comes first, and z is the share of a",
        90: "the note of the sum got grad_z: it wants what z's note says for it",
        75: "a's note got grad_z: it wants all that came to a",
        24: "add what comes by two paths: a minus is in the numbers already",
        12: "what came by way of the sum goes through a's note, too",
        -4: "what came straight from z goes through a's note, too",
        -45: "along a path slopes multiply, but two paths add up",
        -135: "along a path slopes multiply, but two paths add up",
        3: "that is the mean of both ways: add them up",
        18: "that is times a once more: a's note has done that",
        30: "the same gradient came to a twice: the other is what the sum sends",
        -18: "the same gradient came to a twice: the other is what z's own note says",
        8: "5 and -3 are to be added, and then a's note is asked",
        37.5: f"that is for a / b: {share}",
        -50 / 3: f"that is for (a + b) / a: {share}",
        25 * log_y / (log_x + log_y) ** 2: f"that is for x / (x + y): {share}",
        0.6: "that is z",
        25: "that is grad_z itself",
    }
    because = "5 and -3 come to a, which makes 2, and its note sends 3 times that"
    expect(grad_x, 6, f"{AT}: the gradient of x", slips=slips, because=because)


@pytest.mark.exercise("2.8", points=1)
@builds_on("2.4")
@needs_notes
def test_the_other_one_is_reached_on_one_way():
    both = "the sum's note gives a and b one Tensor: += on its .data would change both"
    slips = {
        -3: "that is the gradient of b: ask its note with it",
        4: f"that is 2 times the gradient of a: b gets -3 ({both})",
        10: "the sum's note got what belongs to a: z = a / s, and a's gradient comes first",
        50: "the note of the sum got grad_z: it wants what z's note says for it",
        6: "that is the gradient of x",
        -9: "that went through a's note: y is behind b's",
        -0.24: "the walk begins with grad_z, and not with 1",
        -150: "grad_z is in it twice: the note of z has been given it already",
        -12: "b's note was asked twice, or that is times b once more",
        -37.5: "that is for a / b: z is a / (a + b)",
        2: "that is the gradient of a",
    }
    because = "-3 comes to b, and its note sends 2 times that"
    expect(walk()[1], -6, f"{AT}: the gradient of y", slips=slips, because=because)


ALIKE = (1, 4, 15, 16, 25, 45)  # one of [25, 4, 16], their mean, their sum, or 1


@pytest.mark.exercise("2.8", points=1)
@builds_on("2.4")
@needs_notes
def test_each_element_has_a_walk_of_its_own():
    x, y, what = leaf(np.log([3, 1, 1])), leaf(np.log([2, 1, 3])), "walk_back(x, y, [25, 4, 16])"
    slopes = np.array([6 / 25, 1 / 4, 3 / 16])  # of z, for x
    alike = [
        (slopes * g, f"that is as if grad_z were {g} everywhere: it's [25, 4, 16]") for g in ALIKE
    ]
    slips = [(lambda g: g.shape == (), "no sum here: each element has its own gradient"), *alike]
    because = "where e ** x is [3, 1, 1] and e ** y is [2, 1, 3]"
    grad_x, grad_y = walked(x, y, leaf([25, 4, 16]), f"{what},")
    expect(grad_x, [6, 1, 3], f"{what}: the gradient of x", slips=slips, because=because)
    expect(grad_y, [-6, -1, -3], f"{what}: the gradient of y", slips=slips, because=because)


@contextmanager
def listening():
    """A list of the notes that are asked while the lines run, each by its ctx."""
    asked, kinds = [], (tt.Exp, tt.Add, tt.Div)
    originals = [vars(kind)["backward"] for kind in kinds]

    def overheard(original):
        def backward(ctx, grad_z):
            asked.append(ctx)
            return original.__func__(ctx, grad_z)

        return staticmethod(backward)

    try:
        for kind, original in zip(kinds, originals, strict=True):
            kind.backward = overheard(original)
        yield asked
    finally:
        for kind, original in zip(kinds, originals, strict=True):
            kind.backward = original


@pytest.mark.exercise("2.8", points=2)
@builds_on("2.4")
@needs_notes
def test_the_slopes_come_from_the_notes():
    with listening() as asked:
        walk()
    exps = [float(ctx.inputs[0].data) for ctx in asked if ctx.function is tt.Exp]
    was_asked = {
        "a / (a + b)": any(ctx.function is tt.Div for ctx in asked),
        "a + b": any(ctx.function is tt.Add for ctx in asked),
        "e ** x": bool(np.isclose(exps, np.log(3)).any()),
        "e ** y": bool(np.isclose(exps, np.log(2)).any()),
    }
    unasked = ", ".join(step for step, done in was_asked.items() if not done)
    says = f"{AT}: nobody asked the note of {unasked}: all slopes come from the notes"
    fail_if(unasked, says)


@pytest.mark.exercise("2.8", points=1)
@builds_on("2.4")
@needs_notes
def test_a_walk_agrees_with_nudging():
    x, y = leaf([[1, -2, 0.5], [0, 1, -1]]), leaf([[0, 1, -1], [0.5, 1, 2]])
    sent, what = upstream_for(x), "walk_back(x, y, grad_z), shape (2, 3)"
    got = walked(x, y, sent, f"{what},")
    f = lambda x, y: np.exp(x) / (np.exp(x) + np.exp(y))  # noqa: E731
    for i, name in enumerate("xy"):
        want = central_difference(f, [x.data, y.data], i, sent.data)
        expect(got[i], want, f"{what}: the gradient of {name}", atol=1e-5, rtol=1e-3)
