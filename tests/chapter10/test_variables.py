"""Chapter 10: variables with a gradient of their own, head gradients, and the mode of a pass."""

import itertools

import numpy as np
import pytest

import tinytorch as tt
from course.testing import calling, error_of, expect, expect_raises, fail_if, lacks, leaf, worded

GIVEN = "the Tensor that was handed in is to be filled: variable.grad.copy_(grad)"
PROMISED = "that's the kind that its docstring names"
FIRST = "look at grad_req before anything is changed"
OTHERS = (LookupError, TypeError, RuntimeError, AssertionError)  # in place of a ValueError
HISTORY = "with create_graph=True the gradient's history counts: copy_ it as it comes"
SWITCH = "in here train_mode is the argument, True or False: Switch(training=train_mode) is a scope"
PUTS_BACK = "Switch(training=train_mode) puts back what it found, exception or not"
A_BOOL = ((lambda e: "'bool' object" in str(e), SWITCH),)
IS_NONE = "ask whether it `is None`: a Tensor may be given, and has no truth of its own"
TRUTH = (lambda e: "truth of a tensor" in str(e), IS_NONE)
IF_NONE = ("where it's None, AccumulateGrad's own backward knows what to do: return "
           "super().backward(grad)")  # fmt: skip
LETS_GO = "a marked variable is a leaf: detach_() lets go of what was before"


def unknown(*names):
    """A question for slips: is it a NameError about one of these?"""
    return lambda error: isinstance(error, NameError) and error.name in names


def write_leaf(numbers, grad):
    """(a variable with a gradient of its own, that gradient, the WriteGrad of the variable)"""
    variable = leaf(numbers)
    variable.grad = given = tt.tensor(np.array(grad, np.float64))
    return variable, given, tt.modes.WriteGrad(variable)


def sent(node, grad, what):
    """What the node's backward gives for an array; `what` says which."""
    node_or_leaf = (lacks("WriteGrad"), "self is the leaf's node: the leaf itself is self.variable")
    slips = [(lambda e: "grad is set to" in str(e), GIVEN), node_or_leaf, TRUTH,
             (worded(TypeError, "data must be a Tensor"), GIVEN),
             (unknown("tensor", "tt", "zeros", "ones"), GIVEN),
             (lacks("NoneType", "copy_"), IF_NONE)]  # fmt: skip
    with calling(what, slips=slips), tt.no_grad():
        return node.backward(np.array(grad, np.float64))


def marked(numbers, grad, grad_req):
    """(a variable that mark() made, the gradient that it was given)"""
    variable, given = (tt.tensor(np.array(n, np.float64)) for n in (numbers, grad))
    what = f"mark(variable, gradient, {grad_req!r})"
    of_a_result = "grad_fn is only read, and a leaf has none: its node is in variable._node"
    with calling(what, slips=[(worded(AttributeError, "has no setter"), of_a_result)]):
        tt.modes.mark(variable, given, grad_req)
    node = variable._node
    a_class = "variable._node is a class: WriteGrad(variable) is a node, with its leaf"
    fail_if(isinstance(node, type), f"after {what}, {a_class}")
    of_another = "variable._node is the node of another Tensor: its leaf is the variable"
    fail_if(node is not None and node.variable is not variable, f"after {what}, {of_another}")
    return variable, given


@pytest.mark.exercise("10.4", points=1)
def test_a_written_gradient_replaces_what_was_there():
    x, dx, node = write_leaf([3, 4], [100, 200])
    memory = dx.numpy()
    got = sent(node, [5, 6], "WriteGrad.backward([5, 6])")
    what = "variable.grad was [100, 200]; after WriteGrad.backward([5, 6])"
    itself = "that wrote into the variable itself: variable.grad.copy_(grad)"

    def only_as_its_own(got):
        """Does it write where the node is the one in variable._node, as this one isn't?"""
        x, dx, node = write_leaf([3, 4], [100, 200])
        x._node = node
        sent(node, [5, 6], "WriteGrad.backward([5, 6])")
        return dx.tolist() == [5, 6]

    slips = [(lambda got: x.tolist() == [5, 6], itself),
             (only_as_its_own, "whichever node the variable has by now, this one writes: a pass "
              "may come to a node from before"),
             ([105, 206], "write replaces what was there"),
             ([100, 200], "nothing was written"), ([10, 12], "once is enough"),
             ([5, 5], "each number is written")]  # fmt: skip
    expect(x.grad, [5, 6], f"{what} it", slips=slips)
    fail_if(x.grad is not dx, f"{what} it's another Tensor than before: {GIVEN}")
    expect(memory, [5, 6], f"{what} the memory that it had", slips=[([100, 200], GIVEN)])
    expect(got, (), "what WriteGrad.backward gave", because="nothing lies behind a leaf")
    sent(node, [7, 8], "WriteGrad.backward([7, 8])")
    expect(dx, [7, 8], "and after WriteGrad.backward([7, 8]) it", slips=[([12, 14], slips[2][1])])


@pytest.mark.exercise("10.4", points=1)
def test_a_write_is_a_change_in_place_that_leaves_nothing():
    x, dx, node = write_leaf([3, 4], [np.inf, np.nan])
    sent(node, [5, 6], "WriteGrad.backward([5, 6])")
    slips = [(lambda got: np.isnan(got.numpy()).any(), "nothing is left of what was there: inf and "
              "nan outlast sums and products, but not a copy_")]  # fmt: skip
    expect(
        dx, [5, 6], "variable.grad was [inf, nan]; after WriteGrad.backward([5, 6]) it", slips=slips
    )
    product = (leaf([1, 1]) * dx).sum()
    sent(node, [7, 8], "WriteGrad.backward([7, 8])")
    what = "backward() on (w * variable.grad).sum(), made before another write,"
    slips = {None: "a write counts as a change in place, as copy_ has it"}
    expect_raises(RuntimeError, product.backward, what, slips=slips)
    came = leaf([1, 2]) * 2
    what = "WriteGrad.backward(a Tensor with a history)"
    with calling(what):
        error = error_of(lambda: node.backward(came))
        made_an_array = isinstance(error, RuntimeError) and "lose its history" in str(error)
        fail_if(made_an_array, f"{what} made an array of that Tensor: {HISTORY}")
        if error is not None:
            raise error
    what = "variable.grad.requires_grad after a Tensor with a history was written"
    slips = {False: HISTORY}
    another = "after a Tensor was written, variable.grad is another one than before"
    fail_if(x.grad is not dx, f"{another}: {GIVEN}")
    expect(dx.requires_grad, True, what, slips=slips)


@pytest.mark.exercise("10.4", points=2)
def test_without_such_a_gradient_it_is_an_ordinary_leaf():
    x, _, node = write_leaf([3, 4], [100, 200])
    x.grad = None
    what = "WriteGrad.backward([5, 6]), variable.grad is None:"
    came = np.array([5.0, 6.0])  # and a view of it arrives, as often in a pass
    hand_on = (worded(TypeError, "argument: 'grad'"), "hand on what came: super().backward(grad)")
    with calling(what, slips=[(AttributeError, IF_NONE), hand_on]), tt.no_grad():
        got = node.backward(came[...])
    expect(x.grad, [5, 6], f"{what} variable.grad", slips={None: IF_NONE})
    slips = {None: "return what super().backward(grad) gives"}
    expect(got, (), f"what {what} gave", slips=slips)
    came[...] = 99
    slips = [([99, 99], "a leaf keeps memory of its own, as AccumulateGrad's backward sees to it")]
    expect(x.grad, [5, 6], f"{what} variable.grad, when what came changes later", slips=slips)
    x, _, node = write_leaf([3, 4], [100, 200])
    x.requires_grad_(False)
    x.grad = None
    sent(node, [5, 6], "WriteGrad.backward([5, 6])")
    what = "WriteGrad.backward([5, 6]), a variable that has no grad and requires none: its grad"
    expect(x.grad, None, what, because="nobody asks")
    x, dx, node = write_leaf([3, 4], [100, 200])
    x.requires_grad_(False)
    got = sent(node, [5, 6], "WriteGrad.backward([5, 6])")
    what = "WriteGrad.backward([5, 6]), the variable doesn't require grad any more: variable.grad"
    slips = [([5, 6], "nobody asks any more"), ([105, 206], "nobody asks any more")]
    expect(dx, [100, 200], what, slips=slips)
    expect(got, (), f"what WriteGrad.backward gave for {what[37:]}")


@pytest.mark.exercise("10.4", points=2)
def test_write_add_and_null():
    wanted = {"write": [20, 20], "add": [140, 140], "null": [100, 100]}
    for grad_req, want in wanted.items():
        x, dx = marked([3, 4], [100, 100], grad_req)
        after = f"after mark(…, {grad_req!r}), variable.grad"
        untouched = x.grad is None and x._node is None and grad_req != "null"
        fail_if(untouched, f"{after} is None, and it doesn't ask: mark the variable, not a copy")
        handed_in = "whatever grad_req is, it's the tensor that was handed in"
        fail_if(x.grad is None, f"{after} is None: {handed_in}")
        no_copy = "that tensor itself, and no copy of it"
        fail_if(x.grad is not dx, f"{after} isn't the tensor that was handed in: {no_copy}")
        asks = grad_req != "null"
        slips = {True: "null asks for no gradient", False: "the variable has to ask"}
        says = f"requires_grad of a variable marked with {grad_req!r}"
        expect(x.requires_grad, asks, says, slips=slips)
        other = leaf([1, 1])
        for _ in range(2):
            (x * 20 + other).sum().backward()
        what = f"gradient [100, 100], marked with {grad_req!r}, after two passes that send [20, 20]"
        slips = [([100, 100], "it isn't asked"), ([140, 140], "that's add, as at any leaf"),
                 ([20, 20], "that's write"), ([120, 120], "the second pass counts, too"),
                 ([40, 40], "mark changes no numbers: add begins with what's there")]  # fmt: skip
        expect(dx, want, f"{what}: the gradient", slips=slips)
        now = f"{what}: variable.grad isn't the tensor any more that was handed in"
        fail_if(x.grad is not dx, now)
        expect(x.is_leaf, True, f"is_leaf of a variable marked with {grad_req!r}")
    kinds = [type(marked([3], [1], grad_req)[0]._node) for grad_req in ("write", "add", "null")]
    want = [tt.modes.WriteGrad, tt.node.AccumulateGrad, type(None)]
    expect(kinds, want, "the kinds of node of variables marked with write, add, null")


@pytest.mark.exercise("10.4", points=1)
def test_paths_that_meet_are_added_before_they_are_written():
    x, dx = marked([3, 4], [100, 100], "write")
    (x * x + x).sum().backward()
    slips = [([3, 4], "that's one of three paths"), ([1, 1], "that's one of three paths")]
    what = "y = x * x + x, x = [3, 4] marked with 'write': the gradient"
    expect(dx, [7, 9], what, slips=slips, because="a node hears the whole sum, once")


@pytest.mark.exercise("10.4", points=1)
def test_marking_again_begins_anew():
    source = leaf([3.0, 4.0])
    x, dx = source * 2, tt.tensor([0.0, 0.0], dtype=tt.float64)
    with calling("mark(x, gradient, 'write'), x = source * 2"):
        tt.modes.mark(x, dx, "write")
    expect(x.is_leaf, True, "is_leaf of x = source * 2 after mark(x, …)", slips={False: LETS_GO})
    (x * x).sum().backward()
    expect(source.grad, None, "source.grad after backward from x * x", because=LETS_GO)
    expect(dx, [12, 16], "the gradient of x")
    for grad_req in ("write", "add", "null"):
        x = source * 2
        tt.modes.mark(x, tt.zeros(2, dtype=tt.float64), grad_req)
        what = f"(is_leaf, requires_grad) of x = source * 2, marked with {grad_req!r},"
        expect((x.is_leaf, x.requires_grad), (True, grad_req != "null"), what, because=LETS_GO)
    for first, second, want in (
        ("write", "add", [112, 116]),
        ("add", "write", [12, 16]),
        ("write", "null", [100, 100]),
        ("null", "write", [12, 16]),
    ):
        x, _ = marked([6, 8], [0, 0], first)
        again = tt.tensor([100.0, 100.0], dtype=tt.float64)
        tt.modes.mark(x, again, second)
        (x * x + leaf([1, 1])).sum().backward()
        because = "the last mark counts"
        expect(again, want, f"marked with {first!r}, then with {second!r}: the gradient",
               because=because)  # fmt: skip


@pytest.mark.exercise("10.4", points=1)
def test_another_grad_req_is_an_error():
    source = leaf([3.0, 4.0])
    x, dx = source * 2, tt.tensor([1.0, 2.0], dtype=tt.float64)
    x.retain_grad()
    for wrong in ("over", "Write", " write", "add\n", "", "ad", None, 1):
        call = lambda wrong=wrong: tt.modes.mark(x, dx, wrong)  # noqa: E731
        slips = {
            None: "check grad_req: it's 'write', 'add' or 'null', and nothing else will do",
            KeyError: "raise a ValueError",
            AssertionError: "raise a ValueError: an assert is for your own mistakes",
            Exception: PROMISED,
        }
        expect_raises(ValueError, call, f"mark(x, gradient, {wrong!r})", slips=slips)
        after = f"after mark(x, gradient, {wrong!r}) raised, x"
        expect(x.is_leaf, False, f"{after}.is_leaf, x = source * 2,", slips={True: FIRST})
        expect(x.grad, None, f"{after}.grad", because=FIRST)


@pytest.mark.exercise("10.5", points=2)
def test_a_head_without_a_gradient_gets_ones():
    a, b = leaf([3.0, 4.0]) * 2, leaf([[5.0]], np.float32) * 2
    given = tt.tensor([7.0, 8.0], dtype=tt.float64)
    cases = [(None, [[1, 1], [[1]]]), ([given, None], [[7, 8], [[1]]]), ([None, None], [[1, 1],
             [[1]]])]  # fmt: skip
    for grads, want in cases:
        shown = [None if g is None else g.tolist() for g in grads] if grads else None
        what = f"with_ones([a, b], {shown}), a of shape (2,), b of shape (1, 1),"
        wrapped = "wrap(array) is a Tensor of the array's dtype, as in attach_grad"
        ones = "None stands for ones, in place of a list too: ask for it first"
        slips = [(lambda e: "argument 'dtype'" in str(e), wrapped),
                 (unknown("tensor", "tt", "ones", "ones_like"), wrapped),
                 (lacks("Tensor"), "attach_grad makes zeros out of an array, ones are made alike"),
                 (lambda e: "NoneType" in str(e), ones), TRUTH]  # fmt: skip
        with calling(what, slips=slips):
            got = tt.modes.with_ones([a, b], grads)
        fail_if(got is None, f"{what} gave None: it has to return the list that it makes")
        row = f"{what} gave {got!r}, expected a list: its docstring promises one"
        fail_if(not isinstance(got, list), row)
        expect(len(got), 2, f"the length of what {what} gave")
        for place, (one, head, right) in enumerate(zip(got, (a, b), want, strict=True)):
            array = f"{what} gave an array for {'ab'[place]}, expected a Tensor: wrap(array) is one"
            fail_if(isinstance(one, np.ndarray), array)
            slips = [(lambda one: tuple(one.shape) == (), "ones of the shape of the head"),
                     (np.zeros(head.shape), "ones, not zeros"),
                     (head.detach().numpy(), "those are the numbers of the head itself"),
                     (lambda one: one is None, "None in a list means ones, too"),
                     (np.ones(head.shape), "a gradient that's given counts")]  # fmt: skip
            whose = f"{what} the gradient for {'ab'[place]}"
            expect(one, right, whose, slips=slips)
            slips = {(tt.float32, tt.float64)[place]: "ones of the dtype of the head"}
            expect(one.dtype, head.dtype, f"{whose}: its dtype", slips=slips)
            slips = {True: "ones are constants, whatever the head is"}
            expect(one.requires_grad, False, f"{whose}: its requires_grad", slips=slips)
    (got,) = tt.modes.with_ones([tt.tensor([np.inf, np.nan, 0.0])], None)
    slips = [(lambda got: not np.isfinite(got.numpy()).all(), "ones have nothing to do with the "
              "head's numbers")]  # fmt: skip
    expect(got, [1, 1, 1], "with_ones of a head with the numbers inf, nan and 0", slips=slips)
    for g in (given, tt.zeros(2, dtype=tt.float64), tt.ones(2), tt.ones(1, 2)):
        what = f"with_ones([a], [g]), a of shape (2,), g = {g.tolist()}, {g.dtype},"
        as_it_is = "use it as it is; backward says if it doesn't fit"
        with calling(what, slips={Exception: as_it_is}):
            (got,) = tt.modes.with_ones([a], [g])
        fail_if(got is not g, f"{what} gave another Tensor than g: {as_it_is}")


@pytest.mark.exercise("10.5", points=1)
def test_one_head_needs_no_list():
    a, given = leaf([3.0, 4.0]) * 2, tt.tensor([7.0, 8.0], dtype=tt.float64)
    one_head = (("a", a), ("[a]", [a]), ("(a,)", (a,)))
    one_grad = (("None", None, [1, 1]), ("[None]", [None], [1, 1]), ("a gradient", given, [7, 8]),
                ("[a gradient]", [given], [7, 8]), ("(a gradient,)", (given,), [7, 8]))  # fmt: skip
    for (text, heads), (said, grads, want) in itertools.product(one_head, one_grad):
        what = f"with_ones({text}, {said})"
        rows = (ValueError, "one Tensor is one of each, and no row: as_tuple")
        with calling(what, slips=[TRUTH, rows]):
            got = tt.modes.with_ones(heads, grads)
        expect(len(got), 1, f"the length of what {what} gave", because="a Tensor is one head")
        slips = [(lambda got: isinstance(got, (list, tuple)), "a list of one is one gradient")]
        expect(got[0], want, f"{what}[0]", slips=slips)


@pytest.mark.exercise("10.5", points=1)
def test_too_many_gradients_are_an_error():
    a, g = leaf([3.0]) * 2, tt.tensor([1.0], dtype=tt.float64)
    cases = [([a], [g, g], "21"), (a, [g, g], "21"), ([a, a, a], [g], "13"), ([a, a], g, "12"),
             ([a, a], [], "02")]  # fmt: skip
    for heads, grads, said in cases:
        what = f"with_ones (heads: {said[1]}, gradients: {said[0]})"
        others = dict.fromkeys(OTHERS, "raise a ValueError that says both counts")
        slips = {None: "count the heads and the gradients, before anything else"} | others
        call = lambda heads=heads, grads=grads: tt.modes.with_ones(heads, grads)  # noqa: E731
        because = "its text says how many of each there are"
        expect_raises(ValueError, call, what, slips=slips, says=list(said), because=because)
    rows = tt.tensor([[1.0], [2.0]], dtype=tt.float64)
    call = lambda: tt.modes.with_ones([a, a], rows)  # noqa: E731
    slips = {None: "one Tensor is one gradient, and its rows are none: as_tuple"}
    what = "with_ones of 2 heads and a single Tensor of 2 rows"
    expect_raises(ValueError, call, what, slips=slips, says="12")


@pytest.mark.exercise("10.5", points=1)
def test_backward_starts_with_the_head_gradients():
    for grads, want in ((None, [6, 8]), ([10.0, 100.0], [60, 800])):
        x = leaf([3.0, 4.0])
        given = grads and tt.tensor(grads, dtype=tt.float64)
        what = f"backward(x * x, {grads}), x = [3, 4]:"
        missing = "with_ones(heads, head_grads) fills in what's missing"
        itself = "backward(...) is this function itself: the pass is gradients.backward(...)"
        the_heads = "the pass begins at the heads themselves: they come first, as they are"
        another = "gradients.grad hands over gradients: the pass that fills .grad is another one"
        slips = [(RecursionError, itself), (worded(RuntimeError, "not require grad"), the_heads),
                 (worded(TypeError, "'bool' has no len()"), another), (RuntimeError, missing),
                 *A_BOOL]  # fmt: skip
        with calling(what, slips=slips):
            tt.modes.backward(x * x, given)
        slips = [([6, 8], "head_grads were forgotten")] if grads else []
        expect(x.grad, want, f"{what} x.grad", slips=slips)
    x = leaf([3.0, 4.0])
    with calling("backward([x * x, x * 3], [None, [10, 100]])", slips={RuntimeError: missing}):
        tt.modes.backward([x * x, x * 3], [None, tt.tensor([10.0, 100.0], dtype=tt.float64)])
    slips = [([6, 8], "both heads count"), ([30, 300], "both heads count")]
    what = "backward([x * x, x * 3], [None, [10, 100]]), x = [3, 4]: x.grad"
    expect(x.grad, [36, 308], what, slips=slips)
    x = leaf([3.0, 4.0])
    y = x * x
    what, seen = "backward([y * 2, y * 3]), y = x * x, x = [3, 4]", []
    y.register_hook(lambda grad: seen.append(grad.tolist()))
    at_once = "all heads go in one pass: hand over all at once"
    with calling(what, slips={RuntimeError: at_once}):
        tt.modes.backward([y * 2, y * 3])
    slips = [(lambda seen: len(seen) > 1, at_once)]
    came = f"{what}: the gradients that came to y"
    expect(tuple(seen), ([5.0, 5.0],), came, slips=slips)
    expect(x.grad, [30, 40], f"{what}: x.grad")
    slips = {True: "nobody asked to record the pass"}
    expect(x.grad.requires_grad, False, f"{what}: x.grad.requires_grad", slips=slips)


@pytest.mark.exercise("10.5", points=2)
def test_the_pass_runs_in_its_own_mode():
    for given, want in (((), True), ((True,), True), ((False,), False)):
        for outside in (True, False):
            x, seen = leaf(3.0), []
            y = x * x
            y.register_hook(lambda grad, seen=seen: seen.append(tt.modes.is_training()))
            what = f"backward(y{f', train_mode={given[0]}' if given else ''})"
            with tt.state.Switch(training=outside):
                with calling(what, slips=A_BOOL):
                    tt.modes.backward(y, None, False, *given)
                after = tt.modes.is_training()
            mode = "train_mode is the mode of the pass, whatever it is outside"
            what = f"{what} in a place where training is {outside}: is_training()"
            slips = {(outside,): mode}
            expect(tuple(seen), (want,), f"{what} during the pass", slips=slips)
            expect(after, outside, f"{what} after it", slips={not outside: PUTS_BACK})

    def fails(grad):
        raise ZeroDivisionError

    y = leaf(3.0) * 2
    y.register_hook(fails)
    error = error_of(lambda: tt.modes.backward(y))
    expect(type(error), ZeroDivisionError, "the error of a pass in which a hook raises it")
    slips = {True: PUTS_BACK}
    expect(tt.modes.is_training(), False, "is_training() after that pass", slips=slips)


@pytest.mark.exercise("10.5", points=1)
def test_the_graph_is_kept_only_if_asked_for():
    x = leaf(3.0)
    y = x * x
    with calling("backward(y, retain_graph=True)", slips=A_BOOL):
        tt.modes.backward(y, retain_graph=True)
    slips = {True: "a graph that's kept is one thing, and a pass that's recorded another"}
    what = "x.grad.requires_grad after backward(y, retain_graph=True)"
    expect(x.grad.requires_grad, False, what, slips=slips)
    slips = {RuntimeError: "retain_graph has to be passed on"}
    with calling("a second backward(y), after backward(y, retain_graph=True),", slips=slips):
        tt.modes.backward(y)
    expect(x.grad, 12.0, "x.grad after both, y = x * x, x = 3,")
    slips = {None: "retain_graph is False unless somebody asks, however many heads"}
    expect_raises(RuntimeError, lambda: tt.modes.backward(y), "a third backward(y)", slips=slips)
    x = leaf(3.0)
    heads = [x * x, x * x * x]
    tt.modes.backward(heads)
    what = "a second backward([y, z])"
    expect_raises(RuntimeError, lambda: tt.modes.backward(heads), what, slips=slips)
