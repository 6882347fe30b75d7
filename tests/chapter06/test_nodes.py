"""Chapter 6: what a node sends to its edges, and what the node of a leaf does."""

import gc

import numpy as np
import pytest

import tinytorch as tt
from course.nodes import asked_for, leads_to, leaf_and_node, probe
from course.testing import calling, error_of, expect, expect_raises, fail_if, lacks, worded

UNWANTED = "its edge is None, nobody asked: don't call its formula"
NOBODY = "where an edge is None nobody asked: don't call its formula"
MOVED = "a None must stand in the place of the edge that is None, or the others move up"

STAYS = "the node stays as it is: the Tensors that saved_for(grad) gives are for this call alone"
FREES = "who lets go of what is for run to say: the node stays as it is"
TRUTH = "it may be a Tensor of several numbers, or of a 0: ask whether it is None"
AS_IT_IS = "give formula(grad, *saved) the Tensor that came, and keep the Tensor that it gives"
UNWRAPPED = ((lambda e: "lose its history" in str(e), f"a Tensor stays one: {AS_IT_IS}"),)


def formulas_called():
    """Slips for a node's backward."""
    return [
        (worded(TypeError, "saved_for() "), "ask it with what came: self.saved_for(grad)"),
        (
            worded(TypeError, "positional argument"),
            "a formula gets the gradient and all that "
            "saved_for(grad) gives, one by one: formula(grad, *saved)",
        ),
        (worded(TypeError, "'builtin_function_or_method'"), "a method is called: mind the ()"),
        (lacks("Node", "formulas", "formula"), "the formulas are the rule's: self.rule.formulas"),
        (
            worded(TypeError, "'AccumulateGrad' object"),
            "that's an edge: it's formulas that are called",
        ),
        (lacks("NoneType", "rule"), "an edge may be None, and then it has no rule"),
        (
            worded(ValueError, "values to unpack"),
            "how much was saved depends on the rule: formula(grad, *saved), without names",
        ),
        (worded(TypeError, "'Rule' object"), "a rule holds its formulas: self.rule.formulas"),
    ]


def leaf_reached():
    """Slips for the backward of a leaf's node."""
    return [
        (lacks("ReferenceType"), "self.reference is called, and gives the leaf: mind the ()"),
        (lacks("AccumulateGrad", "_grad"), "add_to_grad gets the leaf, not its node"),
        (worded(RuntimeError, "truth of a tensor"), TRUTH),
    ]


def adding():
    """Slips for add_to_grad."""
    return [
        (lacks("Tensor", "base"), "touch wants the array, not its Tensor: memory.touch(old._data)"),
        (
            lambda e: "'NoneType'" in str(e),
            "nothing came before, so old is None: then own(grad) "
            "is kept, whatever came, and nothing added",
        ),
        (worded(RuntimeError, "truth of a tensor"), TRUTH),
        (lacks("ndarray", "_data"), "what comes is an array: only a Tensor has _data"),
        (lacks("float64", "_data"), "what comes is a number: only a Tensor has _data"),
        (
            worded(TypeError, "must be of ArrayType"),
            "out= wants the array, not its Tensor: old._data",
        ),
        (
            worded(IndexError, "0-dimensional"),
            "an array without axes has nothing to slice: np.add(…, out=old._data)",
        ),
    ]


def sent_by(node, grad, what, slips=()):
    """What node.backward(grad) gives, a list of one thing for each edge."""
    with calling(what, slips=[*slips, *formulas_called()]):
        got = node.backward(grad)
    fail_if(got is None, f"{what} gave None: return the list, one gradient for each edge")
    wrong = not isinstance(got, list)
    fail_if(wrong, f"{what} gave {type(got).__name__}: {got!r}, expected a list, one for each edge")
    slips = [(lambda _: None in node.edges and None not in got, MOVED)]
    says, because = f"{what}: how many gradients it gave", "one for each edge, then return them"
    expect(len(got), len(node.edges), says, slips=slips, because=because)
    return got


@pytest.mark.exercise("6.1", points=1)
def test_each_input_gets_what_its_formula_says():
    x, y = leaf_and_node(2.0)[0], leaf_and_node(5.0)[0]
    what = "the node of x * y, x = 2, y = 5, sent 10"
    on = "what it gives is for run to send on: backward calls no other node"
    got = sent_by((x * y).grad_fn, np.array(10.0), what)
    first = "a formula gets the gradient first: formula(grad, *saved)"
    slips = [(lambda g: g == (), on), (lambda _: float(got[1]) == 10, first), (5, first),
             (500, "grad came in twice: what formula(grad, *saved) gives is the gradient"),
             (20, "that is for y: the first formula belongs to the first edge")]  # fmt: skip
    expect(got[0], 50.0, f"{what}: the gradient of x", slips=slips)
    slips = {50: "that is for x: each input has a formula of its own", 2: first}
    expect(got[1], 20.0, f"{what}: the gradient of y", slips=slips)
    expect(x.grad, None, f"{what}: x.grad, when run hasn't sent anything yet", because=on)


@pytest.mark.exercise("6.1", points=1)
def test_an_edge_that_is_none_keeps_its_place():
    a, c = leaf_and_node()[1], leaf_and_node()[1]
    node = probe((2.0, a), (3.0, None), (5.0, c))
    what = "a node with formulas for 2, 3 and 5 times grad, its second edge None, sent 10"
    with asked_for("next_functions") as asked:
        got = sent_by(node, np.array(10.0), what)
    expect(got[0], 20.0, f"{what}: the first gradient")
    pairs = "next_functions holds pairs, also where the edge is None: use self.edges"
    zero = "nobody asked, so it's None: a 0 would be sent on"
    slips = [(lambda _: asked, pairs), (30.0, UNWANTED), (50.0, MOVED),
             (lambda g: not np.any(g), zero)]  # fmt: skip
    expect(got[1], None, f"{what}: the second gradient", slips=slips)
    slips = {30: "that is from the second formula: each edge has the formula in its own place",
             None: "a None ends nothing: the next edge has its formula"}  # fmt: skip
    expect(got[2], 50.0, f"{what}: the third gradient", slips=slips)
    what = "the node of x * x, x = 3, sent [0.]"
    got = sent_by((leaf_and_node([3.0])[0] ** 2).grad_fn, np.array([0.0]), what)
    slips = {None: "0 is a gradient, too: each formula whose edge is a node is called"}
    expect(got[0], [0.0], f"{what}: its first gradient", slips=slips)
    what = "a node whose formula is [1, 2, 3] times grad, sent 0"
    got = sent_by(probe((np.array([1.0, 2.0, 3.0]), a)), np.array(0.0), what)
    because = "0 goes through the formula like any other gradient, and here it gets another shape"
    expect(got[0], [0.0, 0.0, 0.0], f"{what}: its first gradient", because=because)
    what = "the node of x + 1, whose edges are x's node and None, sent 10"
    got = sent_by((leaf_and_node(2.0)[0] + 1.0).grad_fn, np.array(10.0), what)
    expect(got[0], 10.0, f"{what}: the gradient of x")
    expect(got[1], None, f"{what}: the second gradient", slips=[(10.0, UNWANTED)])


@pytest.mark.exercise("6.1", points=1)
def test_two_edges_to_one_node_have_a_gradient_each():
    x = leaf_and_node(3.0)[0]
    what = "the node of x - x, sent 10"
    got = sent_by((x - x).grad_fn, np.array(10.0), what)
    reason = "each edge has a formula of its own, also where two lead to the same node"
    slips = [(lambda g: float(g[0]) == -10 or float(g[1]) == 10, reason)]
    fail_if(None in got, f"{what} = {got}, expected [10, -10]: {reason}")
    expect(got, [10.0, -10.0], what, slips=slips)


@pytest.mark.exercise("6.1", points=1)
def test_the_formula_of_nobody_is_not_called():
    told = []
    node = probe((2.0, None), (3.0, leaf_and_node()[1]), (5.0, None), told=told)
    what = "a node with edges None, a leaf, None"
    sent_by(node, np.array(1.0), what)
    slips = [(lambda _: set(told) > {1}, NOBODY),
             (lambda _: told.count(1) > 1, "call each formula once")]  # fmt: skip
    expect(len(told), 1, f"{what}: how many formulas were called", slips=slips)
    expect(told, [1], f"{what}: which formula was called, counted from 0")


@pytest.mark.exercise("6.1", points=1)
def test_all_that_was_saved_goes_to_each_formula():
    formulas = (lambda g, x, n, y: g * x, lambda g, x, n, y: g * y + n)
    rule = tt.node.Rule("ProbeBackward0", formulas)
    edges = leaf_and_node()[1], leaf_and_node()[1]
    node = tt.node.Node(rule, edges, (np.array(3.0), 7, np.array(4.0)))
    what = "a node that has saved 3, 7 and 4, sent 10"
    got = sent_by(node, np.array(10.0), what)
    expect(got[0], 30.0, f"{what}: grad times the first")
    expect(got[1], 47.0, f"{what}: grad times the third plus the second")


@pytest.mark.exercise("6.1", points=1)
def test_a_tensor_that_is_sent_gives_tensors_with_a_history():
    x = leaf_and_node(3.0)[0]
    node, what = (x * x).grad_fn, "the node of x * x, x = 3, sent the Tensor 10"
    first = sent_by(node, tt.tensor(np.array(10.0)), what, UNWRAPPED)[0]
    says = f"{what}: isinstance(its first gradient, Tensor)"
    expect(isinstance(first, tt.Tensor), True, says, because=AS_IT_IS)
    expect(first, 30.0, f"{what}: its first gradient")
    because = ("take what saved_for(grad) gives, Tensors with their place in the graph, and let "
               "the formulas be recorded")  # fmt: skip
    says = f"{what}: requires_grad of its first gradient"
    expect(first.requires_grad, True, says, because=because)
    for name, z in {"x * x": x * x, "x - 1": x - 1.0, "-x": -x, "x.exp()": x.exp()}.items():
        origin = leaf_and_node(10.0)[0]
        what = f"the node of {name}, sent a Tensor with a history"
        first = sent_by(z.grad_fn, origin * 1, what, UNWRAPPED)[0]
        says = f"{what}: isinstance(its first gradient, Tensor)"
        expect(isinstance(first, tt.Tensor), True, says, because=AS_IT_IS)
        says = f"{what}: whether the history of its first gradient leads to that of what was sent"
        expect(leads_to(first, origin), True, says, because=AS_IT_IS)
    x = leaf_and_node([3.0])[0]
    node = (x * x).grad_fn
    for name, grad in (("an array", np.array([1.0])), ("a Tensor", tt.tensor(np.array([1.0])))) * 2:
        what = f"the node of x * x, sent an array and a Tensor by turns, now {name}"
        slips = [*UNWRAPPED, (lambda e: "was freed" in str(e), FREES)]
        kind = type(sent_by(node, grad, what, slips)[0])
        slips = {tt.Tensor: STAYS}
        expect(kind, type(grad), f"{what}: the type of its first gradient", slips=slips)


@pytest.mark.exercise("6.1", points=1)
def test_a_freed_node_says_so():
    node = probe((2.0, leaf_and_node()[1]))
    behind = probe((2.0, node))
    node.saved = None
    got = behind.backward(np.array(1.0))[0]
    because = "that node says so itself, at its own turn"
    expect(got, 2.0, "what a node sends to one that was freed", because=because)
    reason = "saved_for(grad) raises the error for a graph that was freed"
    slips = {TypeError: reason, None: reason}
    call, what = (lambda: node.backward(np.array(1.0))), "backward of a node that was freed"
    expect_raises(RuntimeError, call, what, slips=slips, says=["retain_graph"])
    node.edges = ()
    slips = [([], "with no edges left, nobody asked saved_for(grad): ask it before the loop")]
    what = f"{what}, its edges () as run leaves them,"
    expect_raises(RuntimeError, call, what, slips=slips, says=["retain_graph"])


@pytest.mark.exercise("6.2", points=1)
def test_the_first_gradient_stays_and_nothing_goes_on():
    x, node = leaf_and_node([1.0, 2.0])
    what = "backward of a leaf's node, sent [3., 4.]"
    with calling(what, slips=[*leaf_reached(), *adding()]):
        got = node.backward(np.array([3.0, 4.0])[...])
    reason = "nothing lies behind a leaf: return (), so that there's nothing to deliver"
    expect(got, (), f"what {what}, gave", slips=[(lambda g: g != (), reason)])
    if x.grad is None:
        tt.node.add_to_grad(x, np.array([3.0, 4.0]))
        says, call = f"{what} left x.grad = None", "add_to_grad(x, [3., 4.]) left x.grad = None"
        fail_if(x.grad is None, f"{call}: what own(grad) gives goes into tensor._grad")
        fail_if(True, f"{says}: give it to add_to_grad(tensor, grad)")
    kind = type(x.grad)
    slips = [(lambda _: kind is np.ndarray, "keep own(grad), which makes a Tensor of the array")]
    expect(isinstance(x.grad, tt.Tensor), True, f"{what}: isinstance(x.grad, Tensor)", slips=slips)
    slips = [([6, 8], "after own(grad) it was added once more: three cases, if, elif, else")]
    expect(x.grad, [3.0, 4.0], f"{what}: x.grad", slips=slips)
    slips = {
        np.dtype(np.float32): "Tensor(array) makes float32 of it, here: own(grad) keeps what it is"
    }
    says = f"{what}, as float64: the dtype of x.grad"
    expect(x.grad.dtype, np.dtype(np.float64), says, slips=slips)


@pytest.mark.exercise("6.2", points=1)
def test_a_second_array_goes_into_the_memory_of_the_first():
    x, _ = leaf_and_node([1.0, 2.0])
    with calling("add_to_grad(x, [3., 4.]), the first,", slips=adding()):
        tt.node.add_to_grad(x, np.array([3.0, 4.0]))
    first, memory = x.grad, x.grad._data
    with calling("add_to_grad(x, [10., 20.]), the second,", slips=adding()):
        tt.node.add_to_grad(x, np.array([10.0, 20.0]))
    what = "x.grad after [3., 4.] and [10., 20.]"
    slips = [([10, 20], "the first was overwritten: they add up"),
             ([3, 4], "the second is lost: add it to the first")]  # fmt: skip
    expect(x.grad, [13.0, 24.0], what, slips=slips)
    slips = {False: "add the array into old._data: np.add(…, out=old._data)"}
    expect(
        x.grad._data is memory, True, f"whether {what} has the same memory as before", slips=slips
    )
    slips = {False: "old._data has the sum, so tensor._grad needs no new Tensor"}
    expect(x.grad is first, True, f"whether {what} is the same Tensor as before", slips=slips)


@pytest.mark.exercise("6.2", points=1)
def test_the_first_gradient_is_the_leafs_alone():
    x, _ = leaf_and_node([1.0, 2.0])
    both = np.array([3.0, 4.0])
    tt.node.add_to_grad(x, both[...])
    tt.node.add_to_grad(x, np.array([10.0, 20.0]))
    what = "an array, after x was sent a view of it and then [10., 20.]"
    slips = [([13, 24], "x.grad looks at the same memory: keep own(grad), not grad")]
    expect(both, [3.0, 4.0], what, slips=slips)


@pytest.mark.exercise("6.2", points=1)
def test_tensors_make_a_new_sum_with_a_history():
    x, _ = leaf_and_node(1.0)
    one, two = leaf_and_node(3.0)[0], leaf_and_node(4.0)[0]
    sent = one * 1
    with calling("add_to_grad of a Tensor, the first,", slips=adding()):
        tt.node.add_to_grad(x, sent)
    first, touched = x.grad, x.grad._version
    because = "own(grad) makes one that's the leaf's alone"
    expect(first is sent, False, "whether x.grad is the very Tensor that came", because=because)
    what = "x.grad.requires_grad after the first Tensor, which has a history,"
    expect(first.requires_grad, True, what, because="own(grad) keeps its history")
    lost = "lose its history", "'Tensor' object has no attribute"
    because = "a Tensor that comes is added as a Tensor: old + grad"
    slips = [(lambda e: any(words in str(e) for words in lost), because)]
    with calling("add_to_grad of a second Tensor", slips=slips):
        tt.node.add_to_grad(x, two * 1)
    what = "after the Tensors 3 and 4, each with a history: x.grad"
    slips = {4: "the first was overwritten: they add up", 3: "the second is lost: add it"}
    expect(x.grad, 7.0, what, slips=slips)
    slips = [(7, "it was changed in place: a Tensor is added with +, which makes a new one")]
    what_was_there = "the Tensor that was in x.grad before the second came"
    expect(first, 3.0, what_was_there, slips=slips)
    changes = first._version - touched
    expect(changes, 0, f"{what_was_there}: how many changes were noted", because="it is as it was")
    for recorded in (True, False):
        plain = x.grad = tt.tensor(np.array(1.0))
        with tt.set_grad_enabled(recorded):
            tt.node.add_to_grad(x, tt.tensor(np.array(5.0)))
        where = "" if recorded else ", under no_grad()"
        slips = [(6, "it was changed in place: each Tensor is added with +")]
        said = f"a Tensor 1 in x.grad, after a Tensor 5 without a history came{where}"
        expect(plain, 1.0, said, slips=slips)
    x.grad = first
    tt.node.add_to_grad(x, two * 1)
    slips = {False: "add Tensors with +, not their arrays"}
    expect(x.grad.requires_grad, True, f"{what}.requires_grad", slips=slips)
    for name, term in (("first", one), ("second", two)):
        slips = {False: f"the {name} one's history was left behind: add the Tensors as they are"}
        leads = f"after these Tensors: whether x.grad leads back to the {name} one's leaf"
        expect(leads_to(x.grad, term), True, leads, slips=slips)


@pytest.mark.exercise("6.2", points=1)
def test_the_node_hands_a_tensor_on_as_it_is():
    x, node = leaf_and_node(1.0)
    other = leaf_and_node(3.0)[0]
    what = "after its node was sent the array 5 and the Tensor 3, with a history: x.grad"
    slips = [(lambda e: "lose its history" in str(e), "give it to add_to_grad as it came")]
    with calling("backward of a leaf's node, sent 5 and a Tensor", slips=slips):
        node.backward(np.array(5.0))
        node.backward(other * 1)
    expect(x.grad, 8.0, what)
    slips = {False: "the array was taken out of the Tensor, or the sum was detached"}
    expect(x.grad.requires_grad, True, f"{what}.requires_grad", slips=slips)
    told = "after the array 5 and the Tensor 3: whether x.grad leads back to the Tensor's leaf"
    expect(leads_to(x.grad, other), True, told)


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
    with asked_for("variable", tt.node.AccumulateGrad) as asked:
        node.backward(np.array(1.0))
    stand_in = "self.variable makes a tensor in place of a leaf that is gone: ask self.reference()"
    expect_nothing_made(node, what, stand_in if asked else NOBODY_LEFT)


NOBODY_LEFT = "there's nobody to tell: ask for that first, and make nothing of what comes"


def expect_nothing_made(node, what, reason):
    """Where a leaf hears nothing, its node makes nothing of what comes: no node, no Tensor."""
    made, kept, own, tensor = [], [], tt.node.own, leaf_and_node(2.0)[0] * 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tt.node, "watchers", [made.append])
        patch.setattr(tt.node, "own", lambda grad: kept.append(grad) or own(grad))
        node.backward(tensor)
        says = f"{what}, sent a Tensor with a history, made {made}, expected no new node"
        fail_if(made, f"{says}: {reason}")
        node.backward(np.array(2.0))
    says = f"{what}, sent 2, called own(grad), which makes a Tensor for a leaf to keep"
    fail_if(kept, f"{says}: {reason}")


@pytest.mark.exercise("6.2", points=1)
def test_a_leaf_that_stopped_asking_gets_nothing():
    x, node = leaf_and_node(1.0)
    x.requires_grad_(False)
    got = node.backward(np.array(1.0))
    slips = {1: "a leaf that has stopped asking has _node None: ask before you add"}
    expect(x.grad, None, "x.grad of a leaf that has stopped asking, sent 1,", slips=slips)
    expect(got, (), "what the node of a leaf that has stopped asking gave")
    what = "backward of the node of a leaf that has stopped asking"
    expect_nothing_made(node, what, NOBODY_LEFT)
    x.requires_grad_(True)
    node.backward(np.array(2.0))
    slips = {None: "it asks again, so it gets what comes, from this node too"}
    expect(x.grad, 2.0, "x.grad of a leaf that stopped and asks again, sent 2,", slips=slips)
    x, node = leaf_and_node(1.0)
    x.data = tt.tensor(np.array(4.0))
    node.backward(np.array(3.0))
    slips = {None: "only a leaf that is gone, or has stopped asking, gets nothing"}
    expect(x.grad, 3.0, "x.grad of a leaf whose .data was replaced, sent 3,", slips=slips)


@pytest.mark.exercise("6.2", points=2)
def test_what_is_added_in_place_is_noted():
    x, _ = leaf_and_node([1.0, 2.0])
    tt.node.add_to_grad(x, np.array([3.0, 4.0]))
    before = x.grad._version
    w, _ = leaf_and_node([1.0, 1.0])
    saved_it, second = (w * x.grad).grad_fn, np.array([10.0, 20.0])
    with calling("add_to_grad(x, [10., 20.]), the second,", slips=adding()):
        tt.node.add_to_grad(x, second)
    came = "touch was told of what came, and it's the old one that changed: memory.touch(old._data)"
    leafs = "it's the memory of x.grad that changed, old._data, and x's own was touched"
    slips = [(lambda _: tt.memory.version_of(x._data) > 0, leafs),
             (lambda _: tt.memory.version_of(second) > 0, came),
             (0, "memory.touch(old._data) is missing: nobody hears of the change"),
             (2, "touch it once for each change; += on a Tensor does it by itself")]  # fmt: skip
    what = "after a second array: how many changes of x.grad's memory were noted"
    expect(x.grad._version - before, 1, what, slips=slips)
    call = lambda: saved_it.saved_for(np.array([1.0, 1.0]))  # noqa: E731
    what = "the backward of w * x.grad after a second array was added to x.grad"
    expect_raises(RuntimeError, call, what, says=["in place"])
    before, third = x.grad._version, np.array([0.0, 1.0])
    tt.node.add_to_grad(x, third)
    slips = {0: "a third array changes that memory, too: touch it each time"}
    what = "after a third array: how many changes of x.grad's memory were noted"
    expect(x.grad._version - before, 1, what, slips=slips)
    untouched = tt.memory.version_of(x._data) + tt.memory.version_of(third)
    because = "only x.grad's own memory was changed"
    expect(untouched, 0, "how many changes of other memory were noted", because=because)


@pytest.mark.exercise("6.2", points=1)
def test_zeros_and_numbers_without_axes_are_added_in_place_too():
    for first, second in ((3.0, 4.0), (0.0, 3.0)):
        x, node = leaf_and_node(1.0)
        with calling(
            f"backward of a leaf's node, sent the NumPy number {first}", slips=leaf_reached()
        ):
            node.backward(np.float64(first))  # what a formula gives where there are no axes
        before = x.grad
        slips = {None: "nothing came: 0 is a gradient, too"}
        expect(before, first, f"x.grad after the NumPy number {first}", slips=slips)
        with calling(f"backward of a leaf's node, sent {second} after {first}", slips=adding()):
            node.backward(np.float64(second))
        what = f"x.grad after the NumPy numbers {first} and {second}"
        expect(x.grad, first + second, what)
        slips = {False: "x.grad isn't None, so a 0 in it is added to as well" if first == 0 else
                 "it isn't an array, but no Tensor either: it is added in place"}  # fmt: skip
        expect(x.grad is before, True, f"whether {what} is the same Tensor as before", slips=slips)
    x, node = leaf_and_node(0.0)
    with calling("backward of the node of a leaf that is 0, sent 3", slips=leaf_reached()):
        node.backward(np.array(3.0))
    slips = {None: "a leaf may be 0, which counts as false: ask whether it is None"}
    expect(x.grad, 3.0, "x.grad of a leaf that is 0, sent 3,", slips=slips)
