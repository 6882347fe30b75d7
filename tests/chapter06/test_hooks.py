"""Chapter 6: hooks, before a node gets its gradient."""

import itertools
from functools import partial

import numpy as np
import pytest

import tinytorch as tt
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

KINDS = ("on_grad", "retaining", "before_backward")
PLACES = ("first", "second", "third")
FACTORS = (2.0, 3.0, 5.0)
LOOKS = "a hook that returns None only looks: the gradient stays as it was"
ONE = "as_seen(grad) is for one gradient; the Parts of several results go to of_results(grad)"
AGAIN = "keep the answer in a name: asking again calls the hook again"
TUPLE = "a hook of the tensor got a tuple: whose it is doesn't hang on how many are left by then"
LEFT = "an error in a call before is over: nothing of it stays for the next one"
INSIDE = "a hook may begin a pass, whose hooks are called as well: keep nothing from call to call"
EACH = "each hook sees what the one before it left, not what came"


def wraps_a_tuple(error):
    """Was with_answers given a tuple in a tuple?"""
    given = [names["answers"] for names in calls_of("with_answers", error)]
    return any(isinstance(answers[0], tuple | list) for answers in given)


def is_turned_round(error):
    """Was what a hook got, a tuple, given to with_answers where `grad` belongs, or the like?"""
    given = [names.get("answers") for names in calls_of("with_answers", error)]
    return any(isinstance(answers, np.ndarray) for answers in given)


SHAPE = "a hook of the tensor gets as_seen(grad), one of the node of_results(grad)"


def asking():
    """Slips for before."""
    return [
        (
            worded(TypeError, "'object' object is not callable"),
            "that's a key of the dict: walk through its values",
        ),
        (
            worded(TypeError, "'tuple' object is not callable"),
            "items() gives pairs: walk through the values",
        ),
        (
            worded(TypeError, "'dict' object is not callable"),
            "that's the dict of all hooks of a kind: walk through its values",
        ),
        (
            worded(TypeError, "unexpected keyword"),
            "call hook(as_seen(grad)), without a name: a hook's parameter may have any",
        ),
        (worded(TypeError, "missing 1 required positional argument"), SHAPE),
        (
            wraps_a_tuple,
            "a hook of the node answers with a tuple: with_answers(grad, answer) as it is",
        ),
        (
            lambda e: "a hook returned tuple" in str(e) and not calls_of("with_answers", e),
            "replaced is for the tensor's hooks: what one of the node answers goes to with_answers",
        ),
        (
            worded(TypeError, "not ellipsis"),
            "a hook of the node answers with a tuple: with_answers makes a gradient of it again",
        ),
        (
            worded(TypeError, "a hook returned ndarray"),
            "what was there comes first, then the answer: replaced(grad, answer)",
        ),
        (
            is_turned_round,
            "what was there comes first, then the answer: with_answers(grad, answer)",
        ),
        (
            worded(TypeError, "len() of a 0-d"),
            "with_answers is for the node's hooks: the tensor's go to replaced(grad, answer)",
        ),
        (lacks("dict", "append"), "the three are dicts, {key: hook}: walk through their values"),
        (
            worded(TypeError, "unsupported operand type(s) for +: 'dict'"),
            "two dicts don't add up, but two lists do: [*a.values(), *b.values()]",
        ),
        (worded(TypeError, "'dict_values'"), "values() is no list: [*a.values(), *b.values()]"),
    ]


def before(hooks, grad, what, slips=()):
    slips = [*(slips.items() if isinstance(slips, dict) else slips), *asking()]
    with calling(f"before({grad}) with {what}", slips=slips), tt.no_grad():
        got = hooks.before(grad)
    if got is None:
        nothing = tt.hooks.Hooks().before(np.array(1.0)) is None
        fail_if(nothing, "before(1) without any hook gave None: return grad, after all loops")
        fail_if(True, f"before({grad}) with {what} gave None: {LOOKS}")
    kind = f"before({grad}) with {what} gave a Tensor, though grad is an array"
    form = "as_seen(grad) is for the hook alone, and replaced(grad, answer) gives an array again"
    fail_if(isinstance(got, tt.Tensor), f"{kind}: {form}")
    return got


def hooks_with(**kinds):
    """Hooks of these kinds: each a list of functions."""
    hooks = tt.hooks.Hooks()
    for kind, functions in kinds.items():
        for function in functions:
            tt.hooks.RemovableHandle(getattr(hooks, kind), function)
    return hooks


def times(factor):
    return lambda grad: grad * factor


@pytest.mark.exercise("6.7", points=1)
def test_a_hook_that_only_looks_changes_nothing():
    seen = []
    for count, kind in enumerate(("on_grad", "retaining", "before_backward"), 1):
        hooks = hooks_with(**{kind: [lambda grad: seen.append(grad)]})
        what = f"a hook in {kind} that returns None"
        slips = [(lambda e: "NoneType" in str(e), LOOKS)]
        got = before(hooks, np.array(3.0), what, slips)
        expect(got, 3.0, f"before(3) with {what}")
        slips = {0: f"the hooks in {kind} are called, too"}
        times_called = len(seen) - count + 1
        said = f"before(3) with {what}: how often it was called"
        because = "before calls each of its own hooks once, and keeps none for another call"
        expect(times_called, 1, said, slips=slips, because=because)
    kinds = [type(grad).__name__ for grad in seen]
    because = "a hook gets as_seen(grad), a Tensor; a hook of the node gets of_results(grad)"
    expect(kinds, ["Tensor", "Tensor", "tuple"], "what the hooks were called with", because=because)


@pytest.mark.exercise("6.7", points=1)
def test_each_hook_sees_what_the_one_before_left():
    seen = []
    looks = lambda grad: seen.append(float(grad))  # noqa: E731
    hooks = hooks_with(on_grad=[looks, times(10), looks, times(3), looks])
    got = before(hooks, np.array(2.0), "hooks that multiply by 10 and by 3")
    what = "before(2) with hooks that look, multiply by 10, look, multiply by 3, look"
    slips = [(lambda s: s == [2.0, 2.0, 2.0], EACH),
             (lambda s: len(s) < 3, "not every hook was called"),
             (lambda s: s == [2.0, 20.0, 6.0], "who only looks leaves what the others made"),
             (lambda s: s == [2.0, 6.0, 60.0], "the order is that in which they came")]  # fmt: skip
    expect(seen, [2.0, 20.0, 60.0], f"{what}: what they saw", slips=slips)
    slips = {20: "only the first answer counted", 6: EACH, 2: "no answer counted"}
    expect(got, 60.0, what, slips=slips)


@pytest.mark.exercise("6.7", points=1)
def test_the_tensors_come_first_then_those_that_retain_then_the_nodes():
    told = []

    def tells(name, answer=None):
        return lambda grad: told.append(name) or answer

    hooks = hooks_with(
        before_backward=[tells("node")], retaining=[tells("retaining")], on_grad=[tells("tensor")]
    )
    before(hooks, np.array(1.0), "one hook of each kind")
    want = ["tensor", "retaining", "node"]
    late = "what's retained is what the tensor's other hooks leave: retaining comes after on_grad"
    slips = [(lambda t: t[:2] == ["retaining", "tensor"], late),
             (lambda t: t[-1] != "node", "the node's hooks come last")]  # fmt: skip
    expect(told, want, "before(1) with one hook of each kind: who was called", slips=slips)


@pytest.mark.exercise("6.7", points=1)
def test_hooks_of_the_node_give_and_get_a_tuple():
    hooks = hooks_with(before_backward=[lambda grads: (grads[0] * 10,), lambda grads: None,
                                        lambda grads: (grads[0] + 1,)])  # fmt: skip
    what = "hooks of the node that multiply by 10, look, and add 1"
    got = before(hooks, np.array(2.0), what)
    slips = {2: "no answer counted: with_answers(grad, answer)", 20: "the last one's is lost",
             30: "they go in the order in which they came", 3: EACH}  # fmt: skip
    expect(got, 21.0, f"before(2) with {what}", slips=slips)
    fail_if(isinstance(got, tuple), f"before(2) with {what} gave a tuple: with_answers unpacks it")


@pytest.mark.exercise("6.7", points=1)
def test_a_hook_of_the_node_may_give_a_list():
    hooks = hooks_with(before_backward=[lambda grads: [grads[0] * 10]])
    got = before(hooks, np.array(2.0), "a hook of the node that gives a list")
    slips = {2: "only None is no answer: give with_answers whatever else came"}
    expect(got, 20.0, "before(2) with a hook of the node that gives a list of 10 * grad",
           slips=slips)  # fmt: skip


@pytest.mark.exercise("6.7", points=1)
def test_a_hook_may_remove_itself_or_another():
    for kind in ("on_grad", "retaining", "before_backward"):
        hooks, told = tt.hooks.Hooks(), []
        handles = []

        def goes(grad, handles=handles, told=told):
            told.append("one")
            for handle in handles:
                handle.remove()

        handles.append(tt.hooks.RemovableHandle(getattr(hooks, kind), goes))
        tt.hooks.RemovableHandle(getattr(hooks, kind), lambda grad, told=told: told.append("two"))
        what = f"a hook in {kind} that removes itself, and another one"
        slips = {RuntimeError: "the dict changed while you walked through it: walk through a list"}
        before(hooks, np.array(1.0), what, slips)
        slips = [(lambda t: t == ["one"], "the other one is called as well")]
        expect(told, ["one", "two"], f"before(1) with {what}: who was called", slips=slips)
    for kind in ("on_grad", "retaining", "before_backward"):
        hooks, handles = tt.hooks.Hooks(), []
        goes = lambda grad, handles=handles: handles[1].remove()  # noqa: E731
        for hook in (goes, lambda grad: None):
            handles.append(tt.hooks.RemovableHandle(getattr(hooks, kind), hook))
        what = f"a hook in {kind} that removes the one after it"
        slips = {KeyError: "the other one's key is gone: walk through a list of the values",
                 RuntimeError: "the dict changed while you walked through it"}  # fmt: skip
        got = before(hooks, np.array(1.0), what, slips)
        expect(got, 1.0, f"before(1) with {what}")


@pytest.mark.exercise("6.7", points=1)
def test_whoever_goes_the_others_are_called_and_their_answers_count():
    for kind in KINDS:
        for one, other in itertools.product(range(3), repeat=2):
            hooks, handles, told = tt.hooks.Hooks(), [], []

            def hook(grad, k, kind=kind, one=one, other=other, handles=handles, told=told):
                told.append(k)
                if k == one:
                    handles[other].remove()
                answer = (grad[0] if kind == "before_backward" else grad) * FACTORS[k]
                return (answer,) if kind == "before_backward" else answer

            for k in range(3):
                each = partial(hook, k=k)
                handles.append(tt.hooks.RemovableHandle(getattr(hooks, kind), each))
            what = f"three hooks in {kind}, the {PLACES[one]} removes the {PLACES[other]}"
            slips = [(worded(TypeError, "multiply sequence"), TUPLE)]
            got = before(hooks, np.array(1.0), what, slips)
            stayed = [PLACES[k] for k in range(3) if k != other or other <= one]
            called = [PLACES[k] for k in told if PLACES[k] in stayed]
            because = "only one that is removed before its turn may be left out"
            slips = [(lambda c: len(c) > 3, AGAIN)]
            expect(called, stayed, f"{what}: who was called", slips=slips, because=because)
            because = "an answer counts, also that of a hook that removes itself or another one"
            slips = {1: f"the answers of the hooks in {kind} are lost"}
            want = np.prod([FACTORS[k] for k in told])
            said = f"before(1) with {what}, that multiply by 2, 3, 5,"
            expect(got, want, said, slips=slips, because=because)


@pytest.mark.exercise("6.7", points=1)
def test_the_same_hook_twice_is_two_hooks():
    doubles = {kind: times(2.0) for kind in KINDS}
    doubles["before_backward"] = lambda grads: (grads[0] * 2.0,)
    for kind, hook in doubles.items():
        what = f"the same hook, which doubles, twice in {kind}"
        got = before(hooks_with(**{kind: [hook, hook]}), np.array(1.0), what)
        slips = {2: "two keys are two hooks: it's called for each"}
        expect(got, 4.0, f"before(1) with {what}", slips=slips)


@pytest.mark.exercise("6.7", points=1)
def test_hooks_work_in_backward():
    x = leaf(3.0)
    y = x * x
    y.register_hook(lambda grad: grad * 100)
    y.retain_grad()
    y.grad_fn.register_prehook(lambda grads: (grads[0] + 1,))
    with calling("backward() on y = x * x with hooks"):
        y.backward()
    what = "y = x * x, x = 3, a hook of y that multiplies by 100, one of its node that adds 1:"
    because = "y keeps what its own hooks leave; the node's hook comes after that"
    expect(y.grad, 100.0, f"{what} y.grad, retained,", because=because)
    expect(x.grad, 606.0, f"{what} x.grad", because="(100 + 1) * 2 * 3")
    error = error_of(lambda: tt.hooks.Hooks().before(np.array(1.0)))
    expect(error, None, "the error of before(1) without any hook")
    zero = {"on_grad": lambda g: g * 0, "before_backward": lambda grads: (grads[0] * 0,)}
    for kind, hook in zero.items():
        got = before(hooks_with(**{kind: [hook]}), np.array(2.0), f"a hook in {kind} that gives 0")
        because = "a zero is an answer: only None is none"
        expect(got, 0.0, f"before(2) with a hook in {kind} that gives 0", because=because)


@pytest.mark.exercise("6.7", points=1)
def test_each_hook_is_called_once_and_may_answer_for_one_result_alone():
    calls = []

    def answers(grad):
        calls.append(grad)
        return grad * 2 if isinstance(grad, tt.Tensor) else (grad[0] * 2,)

    hooks, later = hooks_with(**dict.fromkeys(KINDS, [answers])), []
    tt.hooks.RemovableHandle(hooks.after_backward, lambda *given: later.append(given))
    before(hooks, np.array(1.0), "one hook of each kind, that doubles")
    slips = [(lambda n: n > 3, AGAIN)]
    expect(len(calls), 3, "before(1) with one hook of each kind: how many calls", slips=slips)
    what = "before(1) with a hook in after_backward, too: how often that was called"
    because = "those come after the node's own backward: after() calls them, not before()"
    expect(len(later), 0, what, because=because)
    left = [len(getattr(hooks, kind)) for kind in (*KINDS, "after_backward")]
    what = "before(1) with one hook of each kind: how many of each are left"
    expect(left, [1, 1, 1, 1], what, because="they're for the next pass, too: before removes none")
    hooks = hooks_with(before_backward=[lambda grads: (None, grads[1] * 10),
                                        lambda grads: (grads[0] + 1, None)])  # fmt: skip
    parts = tt.outputs.Parts(2, {0: np.array(3.0), 1: np.array(5.0)})
    what = "two hooks of a node with two results: one answers for the second, one for the first"
    slips = [
        (lambda e: e.args == (...,), ONE),
        (lambda e: "'Parts'" in str(e), "Parts are replaced by with_answers(grad, answer)"),
    ]
    with calling(what, slips=slips), tt.no_grad():
        got = hooks.before(parts)
    expect(got[0], 4.0, f"{what}: the first gradient", slips={3: "its answer is lost"})
    slips = {5: "its answer is lost: each sees what the one before left"}
    expect(got[1], 50.0, f"{what}: the second gradient", slips=slips)


@pytest.mark.exercise("6.7", points=1)
def test_an_answer_that_is_no_gradient_is_refused():
    for kind, answer in itertools.product(KINDS, (3.0, 0, False, "", (), [1.0])):
        answers = [(answer,), answer] if kind == "before_backward" else [answer]
        for given in answers[: 1 if isinstance(answer, tuple | list | str) else 2]:
            told = []
            hook = lambda grad, given=given, told=told: told.append(grad) or given  # noqa: E731
            hooks = hooks_with(**{kind: [hook]})
            maker = "with_answers" if kind == "before_backward" else "replaced"
            because = f"{maker}(grad, answer) raises it: give it every answer but None, and let it"
            what = f"before(1) with a hook in {kind} that returns {given!r}"
            error = error_of(lambda hooks=hooks: hooks.before(np.array(1.0)))
            expect(len(told), 1, f"{what}: how often it was called", slips={0: LEFT})
            call = partial(raise_if, error)
            expect_raises(TypeError, call, what, because=because)
    hooks = hooks_with(before_backward=[lambda grads: ()])
    what = "before(1) with a hook of the node that returns ()"
    because = "only None is no answer; with_answers(grad, ()) raises it: let it"
    expect_raises(RuntimeError, lambda: hooks.before(np.array(1.0)), what, because=because)
    for kind, other in itertools.product(KINDS, repeat=2):
        expect_each_call_alone(kind, other)


def raise_if(error):
    if error is not None:
        raise error


def expect_each_call_alone(kind, other):
    """A call after an error, or out of a hook, is a call like any other."""
    doubles = {each: times(2.0) for each in KINDS}
    doubles["before_backward"] = lambda grads: (grads[0] * 2.0,)
    fails = [True]

    def at_first(grad):
        if fails:
            raise ZeroDivisionError(fails.pop())
        return doubles[kind](grad)

    first = hooks_with(**{kind: [doubles[kind], at_first]})
    what = f"hooks in {kind}, the second of which raises an error at first"
    error = error_of(lambda: first.before(np.array(1.0)))
    expect(type(error), ZeroDivisionError, f"the error of before(1) with {what}")
    expect(
        len(getattr(first, kind)), 2, f"how many {what}, after that", because="before removes none"
    )
    second = hooks_with(**{other: [doubles[other]]})
    got = before(second, np.array(1.0), f"a hook in {other} that doubles, after an error elsewhere")
    said = f"before(1) with a hook in {other} that doubles, after one in {kind} raised an error"
    expect(got, 2.0, said, because=LEFT)
    got = before(first, np.array(1.0), what)
    expect(got, 4.0, f"before(1) with {what}, the second time", because=LEFT)

    inner = []

    def begins(grad):
        if not inner:
            inner.append(None)
            inner[:] = [each.before(np.array(3.0)) for each in (second, outer)]
        return doubles[kind](grad)

    outer = hooks_with(**{kind: [doubles[kind], begins, doubles[kind]]})
    what = f"hooks in {kind} that double, the second calls before(3) of others and its own"
    got = before(outer, np.array(1.0), what)
    expect([float(each) for each in inner], [6.0, 24.0], f"{what}: what these gave", because=INSIDE)
    expect(got, 8.0, f"before(1) with {what}", because=INSIDE)
