"""Chapter 6: what a node sends to its edges, and what the node of a leaf does."""

import gc

import numpy as np
import pytest

import tinytorch as tt
from course.nodes import leaf_and_node, probe
from course.testing import calling, error_of, expect, expect_raises, fail_if

UNWANTED = "its edge is None, nobody asked: don't call its formula"
MOVED = "a None must stand in the place of the edge that is None, or the others move up"

ARGUMENTS = [(lambda e: isinstance(e, TypeError) and "positional argument" in str(e),
              "a formula gets the gradient and all that was saved, one by one: "
              "formula(grad, *saved)")]  # fmt: skip


def sent_by(node, grad, what, slips=()):
    """What node.backward(grad) gives, a list of one thing for each edge."""
    with calling(what, slips=slips):
        got = node.backward(grad)
    wrong = not isinstance(got, list | tuple)
    fail_if(wrong, f"{what} gave {type(got).__name__}: {got!r}, expected a list, one for each edge")
    slips = [(len(node.edges) - node.edges.count(None), MOVED)] if None in node.edges else ()
    expect(len(got), len(node.edges), f"how many {what} gave", slips=slips)
    return got


@pytest.mark.exercise("6.1", points=1)
def test_each_input_gets_what_its_formula_says():
    x, y = leaf_and_node(2.0)[0], leaf_and_node(5.0)[0]
    what = "the node of x * y, x = 2, y = 5, sent 10"
    got = sent_by((x * y).grad_fn, np.array(10.0), what, ARGUMENTS)
    slips = {20: "that is for y: the first formula belongs to the first edge",
             5: "a formula gets the gradient first: formula(grad, *saved)"}  # fmt: skip
    expect(got[0], 50.0, f"{what}: the gradient of x", slips=slips)
    slips = {50: "that is for x: each input has a formula of its own",
             2: "a formula gets the gradient first: formula(grad, *saved)"}  # fmt: skip
    expect(got[1], 20.0, f"{what}: the gradient of y", slips=slips)


@pytest.mark.exercise("6.1", points=1)
def test_an_edge_that_is_none_keeps_its_place():
    a, c = leaf_and_node()[1], leaf_and_node()[1]
    node = probe((2.0, a), (3.0, None), (5.0, c))
    what = "a node with formulas for 2, 3 and 5 times grad, its second edge None, sent 10"
    got = sent_by(node, np.array(10.0), what)
    expect(got[0], 20.0, f"{what}: the first gradient")
    expect(got[1], None, f"{what}: the second gradient", slips=[(30.0, UNWANTED), (50.0, MOVED)])
    expect(got[2], 50.0, f"{what}: the third gradient", slips={30: MOVED})


@pytest.mark.exercise("6.1", points=1)
def test_the_formula_of_nobody_is_not_called():
    told = []
    node = probe((2.0, None), (3.0, leaf_and_node()[1]), (5.0, None), told=told)
    what = "a node with edges None, a leaf, None"
    sent_by(node, np.array(1.0), what)
    slips = [(lambda t: set(t) > {1}, UNWANTED),
             (lambda t: t.count(1) > 1, "call each formula once")]  # fmt: skip
    expect(told, [1], f"the formulas that {what}, called", slips=slips)


@pytest.mark.exercise("6.1", points=1)
def test_all_that_was_saved_goes_to_each_formula():
    formulas = (lambda g, x, n, y: g * x, lambda g, x, n, y: g * y + n)
    rule = tt.node.Rule("ProbeBackward0", formulas)
    edges = leaf_and_node()[1], leaf_and_node()[1]
    node = tt.node.Node(rule, edges, (np.array(3.0), 7, np.array(4.0)))
    what = "a node that has saved 3, 7 and 4, sent 10"
    got = sent_by(node, np.array(10.0), what, ARGUMENTS)
    expect(got[0], 30.0, f"{what}: grad times the first")
    expect(got[1], 47.0, f"{what}: grad times the third plus the second")


@pytest.mark.exercise("6.1", points=1)
def test_a_tensor_that_is_sent_gives_tensors_with_a_history():
    x = leaf_and_node(3.0)[0]
    node, what = (x * x).grad_fn, "the node of x * x, x = 3, sent the Tensor 10"
    first = sent_by(node, tt.tensor(np.array(10.0)), what)[0]
    expect(isinstance(first, tt.Tensor), True, f"{what}: it sends Tensors")
    expect(first, 30.0, f"{what}: its first gradient")
    reason = "take what saved_for(grad) gives: with a Tensor that's Tensors, with their place"
    slips = {False: f"it was made from bare arrays: {reason} in the graph"}
    expect(first.requires_grad, True, f"{what}: the gradient depends on x: it", slips=slips)


@pytest.mark.exercise("6.1", points=1)
def test_a_freed_node_says_so():
    node = probe((2.0, leaf_and_node()[1]))
    node.saved = None
    reason = "saved_for(grad) raises the error for a graph that was freed"
    slips = {TypeError: reason, None: reason}
    call, what = (lambda: node.backward(np.array(1.0))), "backward of a node that was freed"
    expect_raises(RuntimeError, call, what, slips=slips, says=["retain_graph"])


@pytest.mark.exercise("6.2", points=1)
def test_the_first_gradient_stays_and_nothing_goes_on():
    x, node = leaf_and_node([1.0, 2.0])
    what = "backward of a leaf's node, sent [3., 4.]"
    got = node.backward(np.array([3.0, 4.0]))
    reason = "nothing lies behind a leaf: return (), so that there's nothing to deliver"
    expect(got, (), f"what {what}, gave", slips=[(lambda g: g != (), reason)])
    fail_if(x.grad is None, f"{what} left x.grad = None: give it to add_to_grad(tensor, grad)")
    expect(isinstance(x.grad, tt.Tensor), True, f"after {what}: x.grad is a Tensor")
    expect(x.grad, [3.0, 4.0], f"{what}: x.grad")
    expect(x.grad.dtype, np.dtype(np.float64), f"{what}, as float64: the dtype of x.grad")


@pytest.mark.exercise("6.2", points=1)
def test_a_second_array_goes_into_the_memory_of_the_first():
    x, _ = leaf_and_node([1.0, 2.0])
    tt.node.add_to_grad(x, np.array([3.0, 4.0]))
    first, memory = x.grad, x.grad._data
    tt.node.add_to_grad(x, np.array([10.0, 20.0]))
    what = "x.grad after [3., 4.] and [10., 20.]"
    slips = [([10, 20], "the first was overwritten: they add up"),
             ([3, 4], "the second is lost: add it to the first")]  # fmt: skip
    expect(x.grad, [13.0, 24.0], what, slips=slips)
    slips = {False: "add the array into old._data: np.add(…, out=old._data)"}
    expect(x.grad is first, True, f"{what} is the same Tensor as before", slips=slips)
    expect(x.grad._data is memory, True, f"{what} has the same memory as before", slips=slips)


@pytest.mark.exercise("6.2", points=1)
def test_the_first_gradient_is_the_leafs_alone():
    x, _ = leaf_and_node([1.0, 2.0])
    both = np.array([3.0, 4.0])
    tt.node.add_to_grad(x, both[...])
    tt.node.add_to_grad(x, np.array([10.0, 20.0]))
    what = "an array of which a view was sent to x, after x was sent [10., 20.], too,"
    slips = [([13, 24], "x.grad looks at the same memory: keep own(grad), not grad")]
    expect(both, [3.0, 4.0], what, slips=slips)


@pytest.mark.exercise("6.2", points=1)
def test_tensors_make_a_new_sum_with_a_history():
    x, _ = leaf_and_node(1.0)
    one, two = leaf_and_node(3.0)[0], leaf_and_node(4.0)[0]
    tt.node.add_to_grad(x, one * 1)
    first = x.grad
    expect(first.requires_grad, True, "x.grad after the first Tensor, with a history, has one: it")
    tt.node.add_to_grad(x, two * 1)
    what = "x.grad after the Tensors 3 and 4, each with a history,"
    slips = {4: "the first was overwritten: they add up", 3: "the second is lost: add it"}
    expect(x.grad, 7.0, what, slips=slips)
    slips = [(7, "it was changed in place: a Tensor is added with +, which makes a new one")]
    expect(first, 3.0, "the Tensor that was in x.grad before the second came", slips=slips)
    slips = {False: "add Tensors with +, not their arrays"}
    expect(x.grad.requires_grad, True, f"{what} goes on having a history: it", slips=slips)


@pytest.mark.exercise("6.2", points=1)
def test_a_leaf_that_is_gone_gets_nothing():
    x, node = leaf_and_node(1.0)
    del x
    gc.collect()
    what = "backward of the node of a leaf that nobody holds any more"
    slips = [(AttributeError, "self.reference() is None then: ask before you add")]
    expect(error_of(lambda: node.backward(np.array(1.0))), None, f"{what}: its error", slips=slips)
    slips = {None: "the gradients to send are still ()"}
    expect(node.backward(np.array(1.0)), (), f"what {what} gave", slips=slips)


@pytest.mark.exercise("6.2", points=1)
def test_a_leaf_that_stopped_asking_gets_nothing():
    x, node = leaf_and_node(1.0)
    x.requires_grad_(False)
    got = node.backward(np.array(1.0))
    slips = {1: "a leaf that has stopped asking has _node None: ask before you add"}
    expect(x.grad, None, "x.grad of a leaf that has stopped asking, sent 1,", slips=slips)
    expect(got, (), "what the node of a leaf that has stopped asking gave")


@pytest.mark.exercise("6.2", points=2)
def test_what_is_added_in_place_is_noted():
    x, _ = leaf_and_node([1.0, 2.0])
    tt.node.add_to_grad(x, np.array([3.0, 4.0]))
    before = x.grad._version
    w, _ = leaf_and_node([1.0, 1.0])
    saved_it = (w * x.grad).grad_fn
    tt.node.add_to_grad(x, np.array([10.0, 20.0]))
    slips = {0: "memory.touch(old._data) is missing: nobody hears of the change",
             2: "touch it once for each change"}  # fmt: skip
    what = "how many changes of x.grad's memory a second array has added"
    expect(x.grad._version - before, 1, what, slips=slips)
    call = lambda: saved_it.saved_for(np.array([1.0, 1.0]))  # noqa: E731
    what = "the backward of w * x.grad after a second array was added to x.grad"
    expect_raises(RuntimeError, call, what, says=["in place"])
