"""Chapter 3: the recursive version, and the parts that the real engine is made of."""

import sys

import numpy as np
import pytest

import tinytorch as tt
from course.testing import (
    calling,
    error_of,
    expect,
    expect_raises,
    fail_if,
    leaf,
)

SHARED = "Add hands one Tensor to both of its inputs: make a new one, don't change its data"
NO_TENSOR = "the exponent is no Tensor and its gradient is None: skip it"
NO_RECURSION = {RecursionError: "no recursion: keep a stack of your own"}
NOT_YET = "plain numbers and arrays have no .shape or no .grad: as_tensor makes them Tensors"
EMPTY = "at least the root belongs in it (was it thrown away as seen? first ask for its mark)"
ONE_GRADIENT = {
    TypeError: "Neg.backward gives one Tensor, no tuple; ctx.backward(grad) makes it a tuple"
}


def tensor(data):
    return tt.Tensor(np.array(data, dtype=np.float64))


def order_of(root, what, slips=()):
    """What topological_order returns, which is a list of Tensors."""
    with calling(what, slips=slips):
        order = tt.topological_order(root)
    slips = [(lambda kind: kind is type(None), "nothing came back: return the list")]
    expect(type(order), list, f"the type of {what}", slips=slips)
    fail_if(not order, f"{what} = []: {EMPTY}")
    pairs = [entry for entry in order if isinstance(entry, tuple)]
    fail_if(pairs, f"{what} holds pairs: append the tensor alone")
    return order


def names_in(order, **tensors):
    """The order as names; tensors without a name are left out."""
    return [name for entry in order for name, tensor in tensors.items() if entry is tensor]


class Watched:
    """Stands in for a ctx: notes the recursion limit whenever somebody looks at the inputs."""

    def __init__(self, ctx, limits):
        self.ctx, self.limits = ctx, limits

    @property
    def inputs(self):
        self.limits.append(sys.getrecursionlimit())
        return self.ctx.inputs

    def __getattr__(self, name):
        return getattr(self.ctx, name)


def watched_chain(length):
    """(the root of a chain, a list of the recursion limits under which it was walked)"""
    root, limits = leaf(1), []
    for _ in range(length):
        root = -root
        root.grad_fn = Watched(root.grad_fn, limits)
    return root, limits


@pytest.mark.exercise("3.1", points=1)
def test_a_chain_hands_the_gradient_down():
    x = leaf(3)
    y = x * 5
    what = "recursive_backward(y * 2, grad = 10), y = 5 * x,"
    with calling(what):
        tt.recursive_backward(y * 2, tensor(10))
    slips = [(lambda g: g is None, "keep the gradient that came in, at results too"),
             (2, "pass the grad that came in to ctx.backward, not a one")]  # fmt: skip
    expect(y.grad, 20, f"{what} gave y.grad", slips=slips)
    slips = [(20, "that is y's gradient: let y's own note make x's of it"),
             (lambda g: g is None, "each input does the same as its result did: "
              "call recursive_backward for it"),
             (50, "pass the grad that came in to ctx.backward, not a one"),
             (5, "pass the grad that came in to ctx.backward, not a one")]  # fmt: skip
    expect(x.grad, 100, f"{what} gave x.grad", slips=slips)


@pytest.mark.exercise("3.1", points=1)
def test_adding_makes_a_new_gradient():
    a, b, one = leaf(2), leaf(3), tensor(1)
    tt.recursive_backward((a + b) + a, one)
    expect(b.grad, 1, "recursive_backward((a + b) + a, 1) gave b.grad", slips={2: SHARED})
    expect(one, 1, "the gradient that was passed in, afterwards", slips={2: SHARED})


@pytest.mark.exercise("3.1", points=1)
def test_two_paths_to_one_leaf_add_up():
    a, b = leaf(2), leaf(1)
    what = "recursive_backward((a + b) * (b + 1), 1) gave"
    tt.recursive_backward((a + b) * (b + 1), tensor(1))
    expect(a.grad, 2, f"{what} a.grad")
    slips = {3: "2 came first, then 3: was the first overwritten?",
             2: "only one of the two was kept"}  # fmt: skip
    expect(b.grad, 5, f"{what} b.grad", slips=slips, because="2 comes one way, 3 the other")


@pytest.mark.exercise("3.1", points=1)
def test_the_gradient_that_comes_in_is_the_one_that_counts():
    x = leaf([3, 4])
    with calling("recursive_backward(-(x * x), grad = [1, 10])", slips=ONE_GRADIENT):
        tt.recursive_backward(-(x * x), tensor([1, 10]))
    lost = "x is both inputs, and each brings a part: was the first overwritten?"
    slips = [([-6, -8], "pass the grad that came in to ctx.backward, not a one"),
             ([-3, -40], lost)]  # fmt: skip
    expect(
        x.grad, [-6, -80], "recursive_backward(-(x * x), grad = [1, 10]) gave x.grad", slips=slips
    )


@pytest.mark.exercise("3.1", points=1)
def test_what_came_earlier_is_not_sent_again():
    a = leaf(2)
    b = a * a
    what = "recursive_backward(b * (b * 3), 1), b = a * a, gave"
    tt.recursive_backward(b * (b * 3), tensor(1))
    slips = {12: "12 came twice, and one of the two was lost: gradients of results add up, too"}
    expect(b.grad, 24, f"{what} b.grad", slips=slips)
    again = "send on the grad that has just come in, not the sum in tensor.grad"
    # 12 comes to b, then 12 more: whoever sends the sum sends 12 and 24, times 2 * a
    expect(a.grad, 96, f"{what} a.grad", slips={12 * 4 + 24 * 4: again})


def counting():
    """(An operation of two inputs, like Add; a list that grows with each run of its backward)"""
    calls = []

    class Twin(tt.Function):
        @staticmethod
        def forward(ctx, x, y):
            return tt.Tensor(x.data + y.data)

        @staticmethod
        def backward(ctx, grad_z):
            calls.append(1)
            return grad_z, grad_z

    return Twin, calls


@pytest.mark.exercise("3.1", points=1)
def test_the_note_is_asked_once():
    Twin, calls = counting()
    tt.recursive_backward(Twin.apply(leaf(1), leaf(2)), tensor(1))
    slips = {2: "ask the note once, before the loop: it answers for all inputs"}
    what = "how often recursive_backward ran the backward of one addition"
    expect(len(calls), 1, what, slips=slips)


@pytest.mark.exercise("3.1", points=1)
def test_an_input_that_is_no_tensor_gets_nothing():
    x = leaf(2)
    slips = {AttributeError: NO_TENSOR, TypeError: NO_TENSOR}
    with calling("recursive_backward(x ** 3, 1)", slips=slips):
        tt.recursive_backward(x**3, tensor(1))
    expect(x.grad, 12, "recursive_backward(x ** 3, 1) gave x.grad")


@pytest.mark.exercise("3.2", points=1)
def test_a_chain_is_ordered_from_inputs_to_results():
    x = leaf(2)
    y = -x
    z = y.exp()
    slips = {
        ("z", "y", "x"): "that is results before inputs",
        ("x", "y"): "the root is missing: it belongs in it too, and comes last",
        ("y", "z"): "x is missing: a leaf belongs in it too",
        ("z",): "x and y are missing, and z was made from them (on a stack: one that "
        "counts as seen as soon as it's put on is thrown away when it comes off)",
    }
    slips = [(lambda got, s=s: tuple(got) == s, reason) for s, reason in slips.items()]
    got = names_in(order_of(z, "topological_order(exp(-x))"), x=x, y=y, z=z)
    because = "inputs come before results, and the root comes last"
    expect(got, ["x", "y", "z"], "topological_order(exp(-x))", slips=slips, because=because)


@pytest.mark.exercise("3.2", points=1)
def test_each_tensor_comes_once():
    a, b = leaf(2), leaf(2)
    c = a + b
    got = names_in(order_of(c * c, "topological_order(c * c)"), a=a, b=b, c=c)
    slips = {2: "c is in it twice: has it been seen before?", 0: "c is missing"}
    expect(got.count("c"), 1, "how often c comes in topological_order(c * c)", slips=slips)
    equal = "a and b are two tensors, though their values, and their notes (None), are equal: "
    equal += "remember the tensors themselves"
    slips = [(["a", "c"], equal), (["b", "c"], equal)]
    slips = [(lambda got, s=s: got == s, reason) for s, reason in slips]
    expect(sorted(got), ["a", "b", "c"], "tensors in topological_order(c * c)", slips=slips)
    steps = {"x + x": lambda x: x + x, "x + -x": lambda x: x + -x, "-x + x": lambda x: -x + x}
    again = "don't go behind a tensor that has been seen: the paths double with each step"
    for text, step in steps.items():
        count = looks_at_inputs(step)
        looks = f"topological_order took {count:,} looks at inputs for 12 times x = {text}"
        fail_if(count > 60, f"{looks}, expected a few dozen: {again}")


def looks_at_inputs(step):
    """How often topological_order looks at the inputs of some note, on a ladder of 12 steps."""
    x, limits = leaf(1), []
    for _ in range(12):
        x = step(x)
        x.grad_fn = Watched(x.grad_fn, limits)
    tt.topological_order(x)
    return len(limits)


@pytest.mark.exercise("3.2", points=1)
def test_paths_of_unequal_length_keep_the_order():
    a = leaf(2)
    b = a * a
    early = "c was made from b, so b comes first: a tensor may enter only after all its inputs "
    early += "(on a stack: seen once it has come off, in the order once its inputs have)"
    old = "a and b were in the first order, and are still held to be seen: begin each call anew"
    for text, (c, swap) in {"b * c": (b * 3, False), "c * b": (b * 3, True)}.items():
        d = c * b if swap else b * c
        what = f"topological_order({text}), b = a * a, c = b * 3,"
        got = names_in(order_of(d, what), a=a, b=b, c=c, d=d)
        slips = [(lambda got: got.index("c") < got.index("b"), early),
                 (lambda got: got.index("b") < got.index("a"), "b was made from a, so a comes "
                  "first")]  # fmt: skip
        slips += [(["c", "d"], old)] if swap else []
        expect(got, ["a", "b", "c", "d"], what, slips=slips)


@pytest.mark.exercise("3.2", points=1)
def test_what_is_no_tensor_stays_out():
    x = leaf(2)
    reason = "an exponent is no Tensor: take only inputs that are Tensors"
    order = order_of(x**3, "topological_order(x ** 3)", {AttributeError: reason})
    expect(len(order), 2, "how many stand in topological_order(x ** 3)", slips={3: reason})


@pytest.mark.exercise("3.2", points=2)
def test_ten_thousand_operations_are_no_problem():
    root, limits = watched_chain(10_000)
    before = sys.getrecursionlimit()
    order = order_of(root, "topological_order(10,000 operations)", NO_RECURSION)
    expect(len(order), 10_001, "how many stand in the order of 10,000 operations")
    slips = [(lambda limit: limit > before, "no recursion, under a raised limit either")]
    what = "the recursion limit while topological_order walks"
    expect(max(limits), before, what, slips=slips)
    count = times_compared(300)
    asks = (
        f"topological_order asked {count:,} times whether two Tensors are equal, on a chain of 300"
    )
    reason = "`tensor in seen` goes through a list one by one; a set or a dict knows at once"
    fail_if(count > 600, f"{asks}, expected hardly ever: {reason}")


def times_compared(length):
    """How often topological_order compares two of the Tensors of a chain, as a search does."""

    class Compared(tt.Tensor):
        __hash__ = object.__hash__

        def __eq__(self, other):
            times.append(1)
            return self is other

    x, times = leaf(2), []
    for _ in range(length):
        x = -x
        x.__class__ = Compared
    tt.topological_order(x)
    return len(times)


@pytest.mark.exercise("3.3", points=1)
def test_a_scalar_begins_with_one():
    slips = {5: "that is its value; how much does z move when z moves by one?",
             0: "how much does z move when z moves by one?"}  # fmt: skip
    expect(tt.head_gradient(leaf(5), None), 1, "head_gradient(Tensor(5), None)", slips=slips)


@pytest.mark.exercise("3.3", points=1)
def test_one_has_the_shape_and_the_dtype_of_the_tensor():
    because = "the gradient of a tensor has the shape of the tensor"
    for data in ([5], [[5]], [[[5]]], [[[[5]]]], [[[[[5]]]]]):
        what = f"head_gradient(Tensor({data}), None)"
        slips = {RuntimeError: "one element is enough, whatever the shape"}
        with calling(what, slips=slips):
            got = tt.head_gradient(leaf(data), None)
        expect(got, np.ones_like(data), what, because=because)
    for dtype in (np.float32, np.float64, np.float16):
        got = tt.head_gradient(leaf(5, dtype), None)
        what = f"head_gradient(Tensor(5) in {np.dtype(dtype)}, None).dtype"
        because = "the gradient of a tensor has the dtype of the tensor"
        expect(got.dtype, dtype, what, because=because)


@pytest.mark.exercise("3.3", points=1)
def test_a_vector_has_no_slope_of_its_own():
    for data in ([1, 2], [[1, 2], [3, 4]]):
        x = leaf(data)
        slips = [
            (lambda got: isinstance(got, tt.Tensor), "only one element can begin with 1 by itself"),
            (RuntimeError, "show the shape in the error"),
        ]
        what = f"head_gradient(Tensor({data}), None)"
        call = lambda x=x: tt.head_gradient(x, None)  # noqa: E731
        expect_raises(RuntimeError, call, what, slips=slips, says=[str(x.shape)])


@pytest.mark.exercise("3.3", points=1)
def test_a_given_gradient_is_used():
    def needs_one(_):
        fits = leaf([1, 2]), leaf([10, 20])
        return error_of(lambda: tt.head_gradient(*fits)) is not None

    alone = "a gradient was given: only without one must there be one element"
    dtype = "its shape fits, and no more is asked of it: its dtype may be another"
    with calling(
        "head_gradient([1, 2], Tensor([10, 20]))", slips=[(needs_one, alone), (RuntimeError, dtype)]
    ):
        got = tt.head_gradient(leaf([1, 2]), tt.Tensor([10, 20]))
    slips = [([1, 1], "a gradient was given: return it, not ones"), ([1, 2], "that is the tensor"),
             ([10, 40], "that is gradient * tensor: return the gradient itself")]  # fmt: skip
    expect(got, [10, 20], "head_gradient([1, 2], Tensor([10, 20]))", slips=slips)
    with calling("head_gradient(Tensor(5), 7)", slips={AttributeError: NOT_YET}):
        got = tt.head_gradient(leaf(5), 7)
    slips = {1: "a gradient was given: it counts for a single number, too"}
    expect(got, 7, "head_gradient(Tensor(5), 7)", slips=slips)
    slips = {1: "0 is a gradient too: ask `gradient is None`"}
    expect(tt.head_gradient(leaf(5), 0), 0, "head_gradient(Tensor(5), 0)", slips=slips)


@pytest.mark.exercise("3.3", points=1)
def test_numbers_and_arrays_become_tensors():
    for gradient in (10, np.array(10.0)):
        what = f"head_gradient(Tensor(5), {gradient!r})"
        with calling(what, slips={AttributeError: NOT_YET}):
            got = tt.head_gradient(leaf(5), gradient)
        slips = [(False, "as_tensor makes it one")]
        expect(isinstance(got, tt.Tensor), True, f"{what} is a Tensor", slips=slips)
        expect(got, 10, what)
    slips = [(np.dtype("float32"), "a number takes the dtype of the tensor: "
              "as_tensor(gradient, tensor.dtype)")]  # fmt: skip
    got = tt.head_gradient(leaf(5), 0.1)
    expect(got.dtype, np.float64, "head_gradient(float64 Tensor(5), 0.1).dtype", slips=slips)


@pytest.mark.exercise("3.3", points=1)
def test_a_given_gradient_must_fit():
    x, short = leaf([1, 2, 3]), tt.Tensor([1, 2])
    slips = [(lambda got: isinstance(got, tt.Tensor), "compare the shapes"),
             (RuntimeError, "show both shapes in the error")]  # fmt: skip
    for given, text, shape in [(short, "Tensor([1, 2])", "(2,)"), (1, "1", "()")]:
        what = f"head_gradient(Tensor([1, 2, 3]), {text})"
        call = lambda given=given: tt.head_gradient(x, given)  # noqa: E731
        expect_raises(RuntimeError, call, what, slips=slips, says=["(3,)", shape])
    slips[0] = (slips[0][0], "compare the shapes, not how many elements there are")
    what = "head_gradient(Tensor([5]), Tensor(7))"
    call = lambda: tt.head_gradient(leaf([5]), tt.Tensor(7))  # noqa: E731
    expect_raises(RuntimeError, call, what, slips=slips, says=["(1,)", "()"])


@pytest.mark.exercise("3.4", points=1)
def test_each_input_receives_its_gradient():
    x, y, grads = leaf(2), leaf(5), {}
    got = tt.propagate((x * y).grad_fn, tensor(10), grads)
    slips = [(lambda _: isinstance(got, dict) and got is not grads,
              "a new dict came back: write to the one that was given"),
             (lambda _: any(isinstance(key, int) for key in grads),
              "the keys are the Tensors themselves, not their ids"),
             (False, "grads needs an entry for each input: grads[x] = its gradient")]  # fmt: skip
    expect(x in grads and y in grads, True, "propagate(x * y): x and y in grads", slips=slips)
    slips = {5: "run ctx.backward on the grad that was given, not on a one",
             10: "that is the grad that was given: let ctx.backward make x's of it"}  # fmt: skip
    expect(grads[x], 50, "propagate(x * y, grad = 10), y = 5, gave grads[x]", slips=slips)
    slips = {2: "run ctx.backward on the grad that was given, not on a one",
             50: "that is x's gradient"}  # fmt: skip
    expect(grads[y], 20, "propagate(x * y, grad = 10), x = 2, gave grads[y]", slips=slips)
    grads = {}
    with calling("propagate(-x, grad = 10)", slips=ONE_GRADIENT):
        tt.propagate((-x).grad_fn, tensor(10), grads)
    expect(grads[x], -10, "propagate(-x, grad = 10) gave grads[x]")


@pytest.mark.exercise("3.4", points=1)
def test_an_input_that_comes_twice_receives_both():
    x, grads = leaf(3), {}
    tt.propagate((x * x).grad_fn, tensor(1), grads)
    slips = {3: "x is both inputs, and gets 3 as each of them: was the first overwritten?"}
    expect(grads[x], 6, "propagate(x * x, grad = 1) gave grads[x]", slips=slips)


@pytest.mark.exercise("3.4", points=1)
def test_what_other_results_sent_is_kept():
    x, y = leaf(3), leaf(5)
    grads = {x: tensor(100)}
    tt.propagate((x * y).grad_fn, tensor(1), grads)
    slips = {5: "100 was there already, from another result: add to it",
             100: "100 was there already, and the 5 that came was lost: add it"}  # fmt: skip
    expect(grads[x], 105, "propagate(x * y), grads[x] = 100 before, gave grads[x]", slips=slips)


@pytest.mark.exercise("3.4", points=1)
def test_none_is_not_a_gradient():
    x, grads = leaf(2), {}
    with calling("propagate(x ** 3, grad = 1)", slips={AttributeError: NO_TENSOR,
                                                     TypeError: NO_TENSOR}):  # fmt: skip
        tt.propagate((x**3).grad_fn, tensor(1), grads)
    what = "entries in grads after propagate(x ** 3)"
    expect(len(grads), 1, what, slips={2: NO_TENSOR})


@pytest.mark.exercise("3.4", points=1)
def test_propagate_changes_nothing_but_grads():
    x, y, other = leaf(2), leaf(5), tensor(100)
    grads = {x: other}
    tt.propagate((x + y).grad_fn, tensor(1), grads)
    slips = {101: "make a new sum with +, don't change the data of a gradient"}
    expect(other, 100, "the gradient that was in grads[x] before", slips=slips)
    slips = [(False, "the sums of this pass live in grads; .grad is accumulate's business")]
    expect(x.grad is None, True, "x.grad is None after propagate", slips=slips)


@pytest.mark.exercise("3.4", points=1)
def test_backward_runs_once():
    Twin, calls = counting()
    tt.propagate(Twin.apply(leaf(1), leaf(2)).grad_fn, tensor(1), {})
    slips = {2: "call ctx.backward once: it gives the gradients of all inputs"}
    expect(len(calls), 1, "how often propagate ran the backward", slips=slips)


@pytest.mark.exercise("3.5", points=1)
def test_the_first_gradient_is_kept():
    x = leaf(3)
    with calling("accumulate(x, 10)", slips={TypeError: "before the first, x.grad is None"}):
        tt.accumulate(x, tensor(10))
    slips = [(lambda got: got is None, "keep it in tensor.grad"),
             (13, "that is x + 10; add to tensor.grad")]  # fmt: skip
    expect(x.grad, 10, "accumulate(x, 10), x = 3, gave x.grad", slips=slips)
    slips = {13: "the gradient goes to .grad, not to .data"}
    expect(x, 3, "x after accumulate(x, 10)", slips=slips)
    y = x * 2
    tt.accumulate(y, tensor(10))
    slips = {None: "accumulate asks nobody where a tensor comes from: results keep theirs, too"}
    expect(y.grad, 10, "accumulate(y, 10), y = 2 * x, gave y.grad", slips=slips)
    slips = {30: "it went on to x: accumulate keeps a gradient, propagate passes it on"}
    expect(x.grad, 10, "x.grad, 10 before, after accumulate(y, 10), y = 2 * x", slips=slips)


@pytest.mark.exercise("3.5", points=1)
def test_the_next_gradient_is_added():
    x = leaf([3, 4])
    tt.accumulate(x, tensor([1, 10]))
    tt.accumulate(x, tensor([4, 20]))
    slips = [([4, 20], "the second has overwritten the first"),
             ([1, 10], "the second was lost: add it")]  # fmt: skip
    expect(x.grad, [5, 30], "accumulate [1, 10], then [4, 20], gave x.grad", slips=slips)


@pytest.mark.exercise("3.5", points=1)
def test_two_tensors_may_share_a_gradient():
    a, b, shared = leaf(3), leaf(4), tensor(1)
    tt.accumulate(a, shared)
    tt.accumulate(b, shared)
    tt.accumulate(a, tensor(4))
    slips = {5: "a and b were given the same Tensor: make a new one, don't change its data"}
    expect(b.grad, 1, "b.grad, after accumulate(b, g) and then accumulate(a, 4),", slips=slips)
    expect(a.grad, 5, "a.grad", slips={4: "the second has overwritten the first"})


def clears_nothing(_):
    x = leaf(3)
    x.grad = one = tensor(1)
    tt.zero_grad([x])
    return x.grad is one


@pytest.mark.exercise("3.5", points=2)
def test_zero_grad_forgets():
    x, y, untouched = leaf(3), leaf(4), leaf(5)
    x.grad, y.grad = tensor(1), tensor(2)
    none = "a tensor may have no gradient yet: its .grad is None already"
    with calling("zero_grad([without a gradient, x, y])", slips={AttributeError: none,
                                                                 TypeError: none}):  # fmt: skip
        tt.zero_grad([untouched, x, y])
    zeros = "None says that there is no gradient; a zero says that there is one, and that it is 0"
    slips = [(0, zeros), (clears_nothing, "nor does zero_grad([x]) clear anything: does a loop "
                          "run, and set .grad, not a name? map alone runs nothing"),
             (1, "x still has its gradient: was the loop left too early?")]  # fmt: skip
    what = "after zero_grad([without a gradient, x, y]):"
    expect(x.grad, None, f"{what} x.grad", slips=slips)
    slips = [(0, zeros), (2, "y still has its gradient: all of them, not only the first")]
    expect(y.grad, None, f"{what} y.grad", slips=slips)


@pytest.mark.exercise("3.5", points=1)
def test_zero_grad_leaves_the_old_numbers_alone():
    x, old = leaf(3), tensor(7)
    x.grad = old
    tt.zero_grad([x])
    slips = {0: "somebody may still hold the old gradient: let go of it, don't change it"}
    expect(old, 7, "a gradient that was kept aside, after zero_grad", slips=slips)
    slips = {0: "the gradient goes, the value stays"}
    expect(x, 3, "x after zero_grad([x])", slips=slips)
