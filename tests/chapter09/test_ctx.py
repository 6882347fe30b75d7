"""Chapter 9: what a ctx keeps, what it's asked for, and what it makes of what arrived."""

from functools import wraps
from types import SimpleNamespace

import numpy as np
import pytest

import tinytorch as tt
from course.nodes import no_function
from course.testing import (
    calling,
    calls_of,
    error_of,
    expect,
    expect_raises,
    fail_if,
    lacks,
    leaf,
    worded,
)

PLACES = "there's a place for each argument of forward, in their order"
BEGAN = "edges knows how it was when the call began"
CALLS = "each call has a ctx of its own: ask its edges, each time, and keep nothing on the Function"
WHERE = "zeros for a result have its own shape and dtype: the pair at its number"
INSTEAD = "a call keeps these, and none of those that were kept before"
NOTHING_CAME = "nothing arrived there, and so the gradient is 0"
NO_TENSOR = "what is no Tensor gets None"


def ctx_of(*args, function=None):
    """The ctx of a call with these arguments, before its forward has run."""
    with calling("Context(function, args)"):
        return tt.ctx.Context(function or no_function(), args)


def numbers(*values):
    return tt.tensor(np.array(values))


@pytest.mark.exercise("9.1", points=2)
def test_what_was_saved_comes_back():
    x, y, ctx = numbers(1.0, 2.0), leaf(3.0), ctx_of()
    both = "x and y are Tensors: refuse only what's neither a Tensor nor None"
    with calling("save_for_backward(x, y)", slips={TypeError: both}):
        ctx.save_for_backward(x, y)
    what = "saved_tensors after save_for_backward(x, y)"
    until = "while forward runs, self._to_save keeps them"
    slips = [(AttributeError, until), (lambda e: ctx.saved, until)]
    with calling(what, slips=slips):
        got = ctx.saved_tensors
    elsewhere = ctx.saved and not ctx._to_save
    fail_if(elsewhere, f"save_for_backward(x, y) filled ctx.saved, and not ctx._to_save: {until}, "
            "and the pairs are made when it's done")  # fmt: skip
    slips = {list: "*tensors is a tuple: keep it as it is"}
    expect(type(got), tuple, f"the type of {what}", slips=slips)
    slips = {0: "self._to_save keeps them", 1: "*tensors is a tuple of all of them: keep it whole"}
    expect(len(got), 2, f"the length of {what}", slips=slips)
    fail_if(got[0] is y, f"{what} = (y, x), expected (x, y): keep their order")
    fail_if(any(a is None for a in got), f"{what} = {got!r}: keep constants, too")
    same = all(a is b for a, b in zip(got, (x, y), strict=True))
    arrays = not any(isinstance(a, tt.Tensor) for a in got)
    fail_if(arrays, f"{what} are no Tensors: keep the Tensors themselves, not their arrays")
    fail_if(not same, f"{what} are other Tensors: keep those that were given, no copies")
    for given, text in (((x, None, y), "x, None, y"), ((x, None), "x, None"), ((x, x), "x, x")):
        expect_places(given, f"save_for_backward({text})")
    for given, text in (((y, x, y), "(y, x, y)"), ((x,), "(x)"), ((), "()")):
        with calling(f"a further save_for_backward{text}", slips={Exception: INSTEAD}):
            ctx.save_for_backward(*given)
        what = f"how many tensors ctx._to_save holds after a further save_for_backward{text}"
        expect(len(ctx._to_save), len(given), what, because=INSTEAD)
    because = "_to_save alone keeps Tensors, and the engine empties it when forward is done"
    expect(sorted(vars(ctx)), [], "under which other names ctx keeps something after "
           "save_for_backward", because=because)  # fmt: skip
    can_change = x.numpy().flags.writeable
    fail_if(not can_change, "save_for_backward(x, y) made x read-only: it only keeps what it gets")


def expect_places(given, what):
    """What is saved comes back in as many places, with None in those where it was saved."""
    ctx = ctx_of()
    with calling(what, slips={TypeError: "None may be saved"}):
        ctx.save_for_backward(*given)
    because = "None keeps its place" if None in given else "what's saved twice comes back twice"
    got = ctx.saved_tensors
    expect(len(got), len(given), f"how many saved_tensors there are after {what}", because=because)
    says = f"at which places saved_tensors is None after {what}"
    expect(places_of_none(got), places_of_none(given), says, because=because)


def places_of_none(things):
    return tuple([place for place, thing in enumerate(things) if thing is None])


REFUSED = "anything but a Tensor or None is refused, wherever it stands"
IS_NONE = "0, '' and [] count as false, too, so ask `is None`"


@pytest.mark.exercise("9.1", points=1)
def test_only_tensors_are_saved():
    x = numbers(1.0)
    empty = (0, False, 0.0, [], (), "", np.zeros(1), np.zeros(0), np.float64(0))
    like = {name: getattr(x, name) for name in ("shape", "dtype", "grad", "requires_grad", "_data")}
    odd = ({x}, {"x": x}, b"x", print, np.int64(1), object(), x._data.dtype, tt.Tensor,
           SimpleNamespace(numpy=x.numpy, _node=None, **like))  # fmt: skip
    for thing in (np.ones(2), 3.0, [x], (x,), "x", np.float64(2), *empty, *odd):
        ctx, kind = ctx_of(), type(thing).__name__
        kind = "the class Tensor" if thing is tt.Tensor else kind
        kind = repr(thing) if any(thing is other for other in empty) else kind
        for given in ((thing,), (x, thing), (thing, x), (None, thing)):
            text = ", ".join("x" if g is x else "None" if g is None else kind for g in given)
            call = lambda ctx=ctx, given=given: ctx.save_for_backward(*given)  # noqa: E731
            passed = any(thing is other for other in empty)  # those before it were refused
            slips = [
                (worded(ValueError, "truth value"), f"it was asked whether it's true: {IS_NONE}"),
                (None, f"it was taken for None: {IS_NONE}" if passed else REFUSED),
            ]
            what = f"save_for_backward({text})"
            because = "what's wrong with it is its type, and a TypeError says so"
            expect_raises(TypeError, call, what, slips=slips, because=because)
            because = "look at all of them before you keep any"
            expect(len(ctx._to_save), 0, f"how many are kept after {what}", because=because)


@pytest.mark.exercise("9.1", points=2)
def test_needs_input_grad_has_a_place_for_each_argument():
    x, c = leaf(3.0), numbers(1.0)
    slips = [(lambda e: "'_args'" in str(e), "self.edges has a place for each argument"),
             (lacks("AccumulateGrad"), "edges has nodes in it, and no Tensors: a node is there, or "
              "it's None, and that's all there is to ask")]  # fmt: skip
    with calling("ctx.needs_input_grad", slips=slips):
        got = ctx_of(x, c, 2, None, x * 2).needs_input_grad
    slips = [
        ((True, False, True), "what is no Tensor has a place too"),
        ((False, True, True, True, False), "a node is there where a gradient is wanted"),
        ((False, False, False, False, True), "a leaf that asks wants one, too"),
        ((True, False, False, False, False), "a result that leads to a leaf wants one, too"),
        ((True, True, False, False, True), "a constant wants no gradient"),
        ((True,) * 5, "each place answers for its own argument"),
        (lambda got: isinstance(got, bool), "a bool for each argument, and not one for all"),
        (lambda got: callable(got), "it's a property: keep @property above it"),
        (lambda got: not isinstance(got, tuple), "a tuple is what's asked for"),
        (lambda got: not all(isinstance(g, bool) for g in got), "bools, not nodes: is not None"),
    ]
    slips = [(slip if callable(slip) else (lambda got, s=slip: got == s), why)
             for slip, why in slips]  # fmt: skip
    want = (True, False, False, False, True)
    what = "needs_input_grad for a leaf that asks, a constant, 2, None, and a result"
    expect(got, want, what, slips=slips, because=PLACES)
    expect(ctx_of().needs_input_grad, (), "needs_input_grad of a call without arguments")
    ctx = ctx_of(x)
    with calling("ctx.needs_input_grad"):
        ctx.needs_input_grad  # noqa: B018
    names = [name for name in vars(ctx) if not name.startswith("_")]
    because = "those names are for whoever writes forward: ctx.n = n would come across them"
    expect(names, [], "the names that needs_input_grad puts on ctx", because=because)


@pytest.mark.exercise("9.1", points=1)
def test_needs_input_grad_is_how_it_was_when_the_call_began():
    x, c = leaf(3.0), numbers(1.0)
    ctx = ctx_of(x, c)
    x.requires_grad_(False)
    c.requires_grad_()
    what = "needs_input_grad for a leaf that stopped asking since, and one that began to,"
    with calling(what):
        got = ctx.needs_input_grad
    expect(got, (True, False), what, because=BEGAN)
    function = no_function()
    first, second = ctx_of(x, c, function=function), ctx_of(c, x, 2, function=function)
    got = [ctx.needs_input_grad for ctx in (first, second)]
    want = [(False, True), (True, False, False)]
    expect(got, want, "needs_input_grad of two calls of one Function", because=CALLS)


def with_results(*results, materialize=True):
    """A ctx whose forward gave results of these (shape, dtype), or None for what is no Tensor."""
    ctx = ctx_of()
    ctx._results = [r if r is None else (r[0], np.dtype(r[1])) for r in results]
    ctx.set_materialize_grads(materialize)
    return ctx


def arrived(ctx, parts, what):
    slips = [
        (KeyError, "parts has only what arrived: parts.get, or ask first"),
        (lambda e: isinstance(e, TypeError) and "NoneType" in str(e), NO_TENSOR),
        (lambda e: "_data" in str(e), "tensor_of makes a Tensor of it, and leaves None alone"),
        (lambda e: "ambiguous" in str(e), "ask whether it's there, not whether it's true"),
        (worded(TypeError, "interpreted as an integer"), "_results has pairs (shape, dtype), and "
         "np.zeros takes two arguments: np.zeros(*pair)"),
    ]  # fmt: skip
    recorded = "what arrived may be a Tensor with a history, and stays that: no array is made of it"
    slips.append((lambda e: "numpy() on a tensor" in str(e), recorded))
    given = [*parts.values()]
    with calling(what, slips=slips):
        got = ctx.materialized(parts)
    inside = "is there a return?" if ctx._materialize else "None stands in it where nothing arrived"
    fail_if(got is None, f"{what} gave None, expected a list: {inside}")
    slips = {tuple: "a list is what's asked for", dict: "a list, with a place for each result"}
    expect(type(got), list, f"the type of {what}", slips=slips)
    made = [g for g in got if isinstance(g, tt.Tensor) and not any(g is part for part in given)]
    asks = any(g.requires_grad for g in made)
    fail_if(asks, f"{what} has zeros that require grad: they're constants")
    return got


TWO = (((2,), np.float64), ((), np.float32))


@pytest.mark.exercise("9.3", points=2)
def test_where_nothing_arrived_there_are_zeros():
    what = "materialized({1: 5}), of results of shape (2,) and ()"
    got = arrived(with_results(*TWO), {1: np.float32(5)}, what)
    slips = {1: "a place for each result, not only for what arrived"}
    because = "a place for each result: _results has one for each"
    expect(len(got), 2, f"the length of {what}", slips=slips, because=because)
    slips = [(lambda g: g is None, "by default zeros come where nothing arrived"),
             (5.0, "that arrived for number 1, and results are counted from 0"),
             ((), WHERE), (0.0, WHERE), ([5, 5], "zeros where nothing arrived")]  # fmt: skip
    expect(got[0], [0, 0], f"{what}: number 0", slips=slips, because=NOTHING_CAME)
    kind = "tensor_of makes Tensors of arrays"
    fail_if(not all(isinstance(g, tt.Tensor) for g in got), f"{what} has arrays in it: {kind}")
    slips = [(lambda g: g is None or not np.any(g.numpy()), "what arrived goes to its number")]
    expect(got[1], 5, f"{what}: number 1", slips=slips)
    slips = [(lambda kinds: kinds[0] == np.dtype("f4"), f"{WHERE}; tensor_of keeps an array's "
              "dtype, where Tensor(array) makes float32 of it")]  # fmt: skip
    expect([g.dtype for g in got], [np.dtype("f8"), np.dtype("f4")], f"the dtypes of {what}",
           slips=slips, because=WHERE)  # fmt: skip
    three = (((2,), "f8"), ((3,), "f4"), ((1,), "i8"))
    what = "materialized({0: [1, 2]}), of results of shape (2,), (3,) and (1,)"
    got = arrived(with_results(*three), {0: np.array([1.0, 2.0])}, what)
    slips = {1: "a place for each result, also after the last one that something arrived for"}
    expect(len(got), 3, f"the length of {what}", slips=slips)
    wants = ([1, 2], [0, 0, 0], [0])
    for number, (g, want) in enumerate(zip(got, wants, strict=True)):
        slips = [(lambda g: g is None, "a tensor of integers gets zeros, too")]
        slips += [([0] * 2, WHERE)] if number else []
        because = NOTHING_CAME if number else "what arrived arrives as it is"
        expect(g, want, f"{what}: number {number}", slips=slips, because=because)
        expect(g.dtype, np.dtype(three[number][1]), f"{what}: the dtype of number {number}",
               because=WHERE)  # fmt: skip


@pytest.mark.exercise("9.3", points=1)
def test_without_materialize_there_is_none():
    what = "materialized({1: 5}) after set_materialize_grads(False)"
    got = arrived(with_results(*TWO, materialize=False), {1: np.float32(5)}, what)
    because = "None keeps the place of what hasn't arrived"
    expect(len(got), 2, f"the length of {what}", because=because)
    slips = [([0, 0], "_materialize is False: None says it without zeros")]
    expect(got[0], None, f"{what}: number 0", slips=slips)
    expect(got[1], 5, f"{what}: number 1", because="what arrived arrives in any case")


@pytest.mark.exercise("9.3", points=1)
def test_what_is_no_tensor_gets_none():
    results = (None, ((2,), "f8"), None)
    what = "materialized({1: [3, 4]}), of a number, a tensor of shape (2,) and a text"
    got = arrived(with_results(*results), {1: np.array([3.0, 4.0])}, what)
    slips = {1: "a place for each result, for those that are no Tensors, too"}
    expect(len(got), 3, f"the length of {what}", slips=slips)
    expect(places_of_none(got), (0, 2), f"at which places {what} is None")
    expect(got[1], [3, 4], f"{what}: number 1")
    got = arrived(with_results(*results), {}, "materialized({}) of the same results")
    what = "at which places materialized({}) of the same results is None"
    expect(places_of_none(got), (0, 2), what)


@pytest.mark.exercise("9.3", points=1)
def test_what_arrived_is_handed_on_as_it_is():
    again = "a recorded gradient is a Tensor already, and keeps its history: tensor_of sees to that"
    for factor, text in ((2, "a Tensor"), (0, "a Tensor of zeros")):
        recorded = leaf([3.0, 4.0]) * factor
        what = f"materialized({{0: {text} with a history}})"
        got = arrived(with_results(*TWO), {0: recorded}, what)
        fail_if(got[0] is not recorded, f"{what}: number 0 isn't that Tensor: {again}")
    strange, what = np.array([np.nan, np.inf]), "materialized({0: [nan, inf]})"
    got = arrived(with_results(*TWO), {0: strange}, what)
    expect(got[0], [np.nan, np.inf], f"{what}: number 0", because="what arrived arrives as it is")
    what = "materialized({1: 5, 0: [1, 2]}), what belongs to number 1 arrived first,"
    got = arrived(with_results(*TWO), {1: np.float32(5), 0: np.array([1.0, 2.0])}, what)
    because = "parts says which number each belongs to, in whatever order they arrived"
    expect([tuple(g.shape) for g in got], [(2,), ()], f"the shapes of {what}", because=because)
    expect(got[0], [1, 2], f"{what}: number 0")
    zero, what = np.zeros(2), "materialized({0: an array of zeros}) without zeros for the rest"
    got = arrived(with_results(*TWO, materialize=False), {0: zero}, what)
    because = "a zero that arrived has arrived: None is for what nobody sent"
    expect(got[0], [0, 0], f"{what}: number 0", because=because)


ALL = "look at all of them"
COPY = "a copy was asked about, and a copy hasn't changed: ask about the array itself"
PAIR = "a saved pair is (array, node), and check_version wants its array"
NO_PAIR = "where None was saved, there's no pair"
RAISES = "a RuntimeError, as self.check_version(array) raises one"


def node_with(*saved, node=None):
    """A ctx that has saved these arrays or None, just now, with this node; it has two inputs."""
    ctx = ctx_of(leaf(1.0), leaf(1.0))
    ctx.number = tt.memory.next_number()
    ctx.saved = tuple(None if array is None else (array, node) for array in saved)
    return ctx


def changed(array):
    tt.memory.touch(array)


def nodes():
    """{what was saved: the node that stands beside its array}"""
    x = leaf(1.0)
    return {"a constant": None, "a leaf": x._node, "a result": (x * 2)._node,
            "a result of the same call": 0}  # fmt: skip


def expect_quiet(ctx, what, why):
    """check_versions() raises nothing, for the reason `why`."""
    own = "saved_tensors calls check_versions: look at self.saved"
    turned = "memory.changed_since(array, number), in this order"
    slips = [(RecursionError, own), (RuntimeError, why), (lambda e: "NoneType" in str(e), NO_PAIR),
             (lambda e: any(call["array"] is ctx.number for call in calls_of("changed_since", e)),
              turned),
             (lambda e: "'tuple'" in str(e) or "'base'" in str(e), PAIR)]  # fmt: skip
    with calling(f"check_versions(), {what}", slips=slips):
        ctx.check_versions()


def asks_others(ctx):
    """Does check_versions ask the clock about an array in other memory than what was saved?"""
    asked, changed_since = [], tt.memory.changed_since

    @wraps(changed_since)
    def telling(array, number):
        asked.append(array)
        return changed_since(array, number)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tt.memory, "changed_since", telling)
        error_of(ctx.check_versions)
    saved = [pair[0] for pair in ctx.saved if pair is not None]
    return any(not any(np.shares_memory(array, a) for a in saved) for array in asked)


def is_noticed(node):
    array = np.ones(2)
    ctx = node_with(array, node=node)
    changed(array)
    return isinstance(error_of(ctx.check_versions), RuntimeError)


@pytest.mark.exercise("9.4", points=2)
def test_a_saved_array_that_was_changed_is_an_error():
    first, second, third, node = np.ones(2), np.ones(3), np.ones(3), leaf(1.0)._node
    ctx = node_with(first, second, node=node)
    why = "neither was changed since: self.check_version(array) knows"
    expect_quiet(ctx, "two arrays were saved, and nothing was changed,", why)
    changed(third)
    why = "only what was saved counts, and nobody changed that"
    expect_quiet(ctx, "an array that wasn't saved was changed,", why)
    because = "each saved array is asked about, whatever node stands beside it"
    noticed = [kind for kind, node in nodes().items() if is_noticed(node)]
    if noticed:
        what = "of which saved tensors check_versions() notices the change, if only one was saved,"
        expect(noticed, list(nodes()), what, because=because)
    for number, array in enumerate((first, second)):
        ctx = node_with(first, second, node=node)
        changed(array)
        what = f"check_versions() after saved array {number} of 2 was changed in place"
        one = ALL if number else "check_version(array) raises, for any one of them"
        slips = [(lambda _, ctx=ctx: asks_others(ctx), COPY), (None, one)]
        expect_raises(RuntimeError, ctx.check_versions, what, slips=slips, because=RAISES)
    ctx = node_with(first, second, third, node=node)
    changed(third)
    slips = {None: "what's saved needn't be the inputs: edges has a place for each of those"}
    what = "check_versions() of a call with 2 inputs, after saved array 2 of 3 was changed in place"
    expect_raises(RuntimeError, ctx.check_versions, what, slips=slips, because=RAISES)
    ctx, why = node_with(first, second), "what was changed before it was saved is what was saved"
    expect_quiet(ctx, "both arrays were changed before they were saved,", why)
    changed(first)
    what = "check_versions(), called before and after a saved array was changed, the second time"
    slips = {None: "ask the clock anew, each time"}
    expect_raises(RuntimeError, ctx.check_versions, what, slips=slips, because=RAISES)


@pytest.mark.exercise("9.4", points=1)
def test_none_was_saved():
    array = np.ones(2)
    ctx = node_with(None, array, None)
    expect_quiet(ctx, "None and an array were saved,", "nothing was changed since")
    ctx = node_with(None, array, None)
    changed(array)
    slips = {None: "go on after None", TypeError: NO_PAIR}
    what = "check_versions(), None and an array were saved, and the array was changed"
    expect_raises(RuntimeError, ctx.check_versions, what, slips=slips, because=RAISES)


@pytest.mark.exercise("9.4", points=1)
def test_numbers_are_not_compared():
    array = np.array([1.0, 2.0])
    ctx = node_with(array)
    changed(array)  # and was put back
    because = "there's no copy to compare with: the clock has the last word"
    what = "check_versions(), an array was changed and put back"
    slips = {None: because}
    expect_raises(RuntimeError, ctx.check_versions, what, slips=slips, because=RAISES)
    ctx = node_with(array)
    array += 1
    expect_quiet(ctx, "an array was changed and nobody told the clock,", because)
    ctx = node_with(array)
    changed(array[:1])
    what = "check_versions(), a view of a saved array was changed in place"
    slips = {None: "a view shares its memory"}
    expect_raises(RuntimeError, ctx.check_versions, what, slips=slips, because=RAISES)
    wide = np.broadcast_to(array, (3, 2))
    for view, text in ((array.reshape(1, 2), "a view"), (wide, "a read-only, expanded view")):
        ctx = node_with(view)
        changed(array)
        what = f"check_versions(), {text} was saved, and the array that it looks at was changed in "
        what += "place"
        expect_raises(RuntimeError, ctx.check_versions, what, slips=slips, because=RAISES)
