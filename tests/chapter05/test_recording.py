"""Chapter 5: who asks for a gradient, and what is recorded because of it."""

import dis
import gc
import inspect
import weakref

import numpy as np
import pytest

import tinytorch as tt
from course.basics import builds_on
from course.testing import (
    calling,
    error_of,
    expect,
    expect_raises,
    fail_if,
    inputs_of,
    lacks,
    leaf,
    worded,
)


def asks_as_array(monkeypatch):
    """Does require_floating(3) look at what as_array made of it?"""
    asked, convert = [], tt.as_array

    def noted(*given):
        asked.append(given)
        return convert(*given)

    with monkeypatch.context() as patch:
        patch.setattr(tt, "as_array", noted)
        tt.require_floating(3)
    return bool(asked)


def makes_an_error_only():
    """Does require_floating make an error, and has no raise?"""
    code = inspect.unwrap(tt.require_floating).__code__
    raises = any(step.opname == "RAISE_VARARGS" for step in dis.get_instructions(code))
    return "RuntimeError" in code.co_names and not raises


@pytest.mark.exercise("5.1", points=1)
def test_whole_numbers_cannot_require_gradients(monkeypatch):
    passed = "it was let pass: as it came, its dtype's kind is 'i', and only 'f' may ask"
    converted = "look at the data as it came, before as_array has made float32 of it"
    converted = (lambda _: asks_as_array(monkeypatch), f"it was let pass: {converted}")
    turned = (
        lambda _: isinstance(error_of(lambda: tt.require_floating(1.5)), RuntimeError),
        "it's the wrong way round: this passes, and 1.5 is refused",
    )
    returned = (
        lambda _: isinstance(tt.require_floating(3), Exception),
        "raise it: don't return it",
    )
    answered = (
        lambda _: tt.require_floating(3) is not None,
        "raise RuntimeError: nobody looks at what require_floating returns",
    )
    without_dtype = (
        lambda _: isinstance(error_of(lambda: tt.require_floating(np.array(3))), RuntimeError),
        "an array is refused, but a number or a list has no dtype yet",
    )
    number_alone = (
        lambda _: isinstance(error_of(lambda: tt.require_floating(3)), RuntimeError),
        "3 is refused, and this passes: look at the dtype of the array that NumPy makes of it",
    )
    other_kind = (
        lambda error: isinstance(error, (TypeError, ValueError, AssertionError)),
        "it's refused, but by another kind of error: raise RuntimeError(…)",
    )
    unraised = (
        lambda _: makes_an_error_only(),
        "an error is made, and nobody raises it: raise RuntimeError(…)",
    )
    dtypes = lacks("ndarray", "kind"), "kind belongs to the dtype: .dtype.kind"
    for data in (3, [1, 2], [0, 0], np.array([1, 2])):
        call = lambda data=data: tt.Tensor(data, requires_grad=True)  # noqa: E731
        what = f"Tensor({data!r}, requires_grad=True)"
        slips = [returned, answered, unraised, dtypes, turned, without_dtype, number_alone]
        slips += [other_kind, converted, (None, passed)]
        expect_raises(RuntimeError, call, what, slips=slips)
    call = lambda: tt.Tensor([True, False], requires_grad=True)  # noqa: E731
    slips = {None: "booleans are no floating-point numbers either: only dtype.kind 'f' will do"}
    expect_raises(RuntimeError, call, "Tensor([True, False], requires_grad=True)", slips=slips)


@pytest.mark.exercise("5.1", points=1)
def test_floating_point_data_of_any_kind_may():
    why = "numbers, lists, arrays and Tensors of floats may all ask: what counts is dtype.kind 'f'"
    arrays = [np.ones(2, dtype=np.float64), np.ones(2, dtype=np.float32), tt.Tensor([1, 2])]
    mixed = [[1, 2.5], [2.5, 1], (1, 2.5), [[1, 2], [3.5, 4]], [[2.5, 1], [3, 4]]]
    for data in (2.0, [1.0, 2.0], [2.0, 1.0], [], *mixed, np.float64(2), *arrays):
        before = repr(data)
        slips = {RuntimeError: why, IndexError: "an empty array has no first number, but a dtype"}
        with calling(f"Tensor({data!r}, requires_grad=True)", slips=slips):
            tt.Tensor(data, requires_grad=True)
        expect(
            repr(data), before, f"the data {before} itself after that", because="only look at it"
        )
    with calling("Tensor([1, 2]), which asks for no gradient,"):
        tt.Tensor([1, 2])


@pytest.mark.exercise("5.1", points=1)
def test_a_tensor_that_no_operation_made_is_a_leaf():
    x, c, made = tt.Tensor(2.0, requires_grad=True), tt.Tensor(2.0), tt.Tensor(4.0)
    ctx = tt.Context(tt.Neg, (c,)) if hasattr(tt, "Context") else None  # the library has none
    if ctx is not None:
        made.grad_fn = ctx
    no_inputs = lacks("NoneType", "inputs"), "a leaf's grad_fn is None: it has no inputs"
    slips = [
        (callable, "is_leaf is a property, and takes no brackets: @property stands above it"),
        (
            lambda _: ctx is not None and made.is_leaf is ctx,
            "that's grad_fn itself: ask whether it's None",
        ),
        (
            lambda _: [t.is_leaf for t in (x, c, made)] == [False, False, True],
            "the other way round",
        ),
    ]
    what = "is_leaf of Tensor(2.0, requires_grad=True)"
    with calling(what, slips=[no_inputs]):
        expect(x.is_leaf, True, what, slips=slips, because="nobody made it")
    why = "a constant is a leaf, too: is_leaf asks who made it, not what it requires"
    expect(c.is_leaf, True, "is_leaf of Tensor(2.0)", because=why)
    x.grad = tt.Tensor(1.0)
    why = "a leaf stays one after backward: look at grad_fn, not at grad"
    expect(x.is_leaf, True, "is_leaf of a leaf that has a gradient", because=why)


@pytest.mark.exercise("5.1", points=1)
def test_a_recorded_result_is_no_leaf():
    y = tt.Tensor(4.0)
    y.requires_grad, y.grad_fn = True, tt.Context(tt.Neg, (tt.Tensor(-4.0),))
    why = "a result has a grad_fn: the ctx of the call that made it"
    expect(y.is_leaf, False, "is_leaf of a recorded result", because=why)


def slips_of_a_call():
    """What to say where an operation raises an error."""
    return [
        (
            worded(TypeError, "forward() missing"),
            "forward takes the ctx, and then each input: cls.forward(ctx, *inputs)",
        ),
        (
            worded(TypeError, "Context.__init__()"),
            "a Context takes two, the Function and the tuple of inputs: Context(cls, inputs)",
        ),
        (lacks("NoneType", "save_for_backward"), "forward needs a ctx, recorded or not"),
        (worded(UnboundLocalError, "'ctx'"), "forward needs a ctx, recorded or not"),
        (
            worded(UnboundLocalError, "'recording'"),
            "only ask the flag: a function that assigns to it has a name of its own",
        ),
        (worded(TypeError, "not iterable"), "needs_grad takes one input: any(… for x in inputs)"),
    ]


def given_by_forward():
    """What a call gave, and the list of all that forward gave in it."""
    given = []

    class Noted(tt.Function):
        @staticmethod
        def forward(ctx, x):
            given.append(tt.Tensor(x.data))
            return given[-1]

    return Noted.apply(leaf(2)), given


def is_another(result, given):
    return all(result is not made for made in given)


@pytest.mark.exercise("5.2", points=1)
def test_a_result_is_recorded_if_an_input_requires_a_gradient():
    x = leaf(2)
    with calling("x * x", slips=slips_of_a_call()):
        z = x * x
    fail_if(z is None, "x * x gave None, expected a Tensor: return the result")
    unasked = "nothing was recorded, though x asks: look at the condition"
    returned = "that isn't the Tensor that forward gave: mark that one, and return it"
    slips = [
        (
            lambda _: len(given_by_forward()[1]) > 1,
            "forward ran twice: run it once, and return what you marked",
        ),
        (lambda _: is_another(*given_by_forward()), returned),
        (lambda _: z.grad_fn is None, unasked),
    ]
    why = "the result of a recorded operation requires a gradient itself"
    what = "x requires a gradient: (x * x).requires_grad"
    expect(z.requires_grad, True, what, slips=slips, because=why)
    why = "keep the ctx: result.grad_fn = ctx"
    expect(z.grad_fn is None, False, "x requires a gradient: (x * x).grad_fn is None", because=why)


@pytest.mark.exercise("5.2", points=1)
def test_what_nobody_asks_for_is_not_recorded():
    b, c = tt.Tensor(2.0), tt.Tensor(3.0)
    with calling("Tensor(2.0) * Tensor(3.0)", slips=slips_of_a_call()):
        z = b * c
    slips = [(lambda got: got is None, "return the result, recorded or not")]
    why = "forward runs in any case"
    expect(z, 6, "Tensor(2.0) * Tensor(3.0)", slips=slips, because=why)
    why = "no input requires a gradient: remember nothing"
    expect(z.grad_fn is None, True, "b and c are constants: (b * c).grad_fn is None", because=why)
    expect(z.requires_grad, False, "b and c are constants: (b * c).requires_grad", because=why)


@pytest.mark.exercise("5.2", points=1)
def test_one_input_is_enough_whichever_it_is():
    x, c = leaf([2]), leaf([3])
    c.requires_grad = False
    why = "any input that requires a gradient is enough, wherever it stands"
    for text, z in {"x * c": x * c, "c * x": c * x, "x * x": x * x}.items():
        what = f"only x requires a gradient: ({text}).requires_grad"
        expect(z.requires_grad, True, what, because=why)


@pytest.mark.exercise("5.2", points=1)
def test_inputs_that_are_no_tensors_require_nothing():
    for text, call in {"x ** 3": lambda x: x**3, "x.sum(axis=0)": lambda x: x.sum(axis=0)}.items():
        for x in (leaf([2]), tt.Tensor([2.0])):
            why = "an exponent or an axis has no requires_grad: needs_grad(x) knows"
            with calling(text, slips={AttributeError: why}):
                call(x)
        expect(call(leaf([2])).requires_grad, True, f"({text}).requires_grad", because=why)


@pytest.mark.exercise("5.2", points=1)
def test_the_need_travels_through_many_operations():
    x, c = leaf(2), tt.Tensor(3.0)
    z = (c * c + x) * c - c
    made = "a result that requires one counts as much as a leaf: ask requires_grad alone"
    slips = [(lambda _: (c * c + x).requires_grad, made)]
    why = "results require gradients in their turn: set result.requires_grad too"
    expect(z.requires_grad, True, "((c * c + x) * c - c).requires_grad", slips=slips, because=why)


@pytest.mark.exercise("5.2", points=1)
def test_inputs_are_left_as_they_are():
    x, c = leaf(2), tt.Tensor(3.0)
    x * c
    why = "requires_grad and grad_fn belong to the result: leave the inputs alone"
    expect(c.requires_grad, False, "c.requires_grad after x * c", because=why)
    expect(x.grad_fn is None, True, "x.grad_fn is None after x * c", because=why)


@pytest.mark.exercise("5.2", points=1)
def test_only_the_branch_that_nobody_needs_is_cut():
    x, b, c = leaf(2), tt.Tensor(3.0), tt.Tensor(5.0)
    left, right = x * b, b * c
    z = left + right
    why = "z needs its ctx, left needs its ctx; right needs none"
    got = [t.grad_fn is not None for t in (z, left, right)]
    expect(got, [True, True, False], "recorded? z = left + right, x * b, b * c", because=why)


@pytest.mark.exercise("5.2", points=1)
def test_nothing_is_recorded_while_recording_is_off(monkeypatch):
    x = leaf(2)
    why = "ask the global flag: if recording and …"
    with monkeypatch.context() as patch:
        patch.setattr(tt, "recording", False)
        z = x * x
    expect(z.requires_grad, False, "recording off: (x * x).requires_grad", because=why)
    expect(z, 4, "recording off: x * x", because="forward runs in any case")


@pytest.mark.exercise("5.3", points=1)
@builds_on("5.2")
def test_a_detached_tensor_has_the_numbers_and_no_history():
    y = leaf([2, 3]) * leaf([1, 4])
    alive = {"y": weakref.ref(y), "y's ctx": weakref.ref(y.grad_fn)}
    alive["what y was made of"] = weakref.ref(inputs_of(y)[0])
    any_number = "a Tensor is made of a number: any one will do, for its array is exchanged"
    written = "that writes into the array of the new Tensor: give it self.data in its place"
    slips = [
        (worded(TypeError, "numbers, got NoneType"), any_number),
        (worded(TypeError, "__init__() missing"), any_number),
        (worded(ValueError, "broadcast input array"), written),
        (worded(RuntimeError, "item()"), f"item() is for a single number, y has two; {any_number}"),
    ]
    with calling("y.detach()", slips=slips):
        d = y.detach()
    is_doubled = isinstance(getattr(d, "data", None), tt.Tensor) and not hasattr(tt, "nn")
    fail_if(is_doubled, "y.detach().data is a Tensor, expected an array: take that of self, .data")
    slips = [(lambda got: got is None, "return the new Tensor")]
    expect(d, [2, 12], "y = [2, 12]: y.detach()", slips=slips)
    is_array = isinstance(d, np.ndarray)
    says = "y.detach() gave the array itself, expected a Tensor: a new one that has this array"
    fail_if(is_array, says)
    expect(isinstance(d, tt.Tensor), True, "y.detach() is a Tensor", because="not the bare array")
    why = "whoever computes with it must not reach y's past"
    whole = "make the new one by Tensor(…), which gives it all that a Tensor has"
    with calling("an attribute of y.detach()", slips=[(lacks("Tensor"), whole)]):
        made, asks, _ = d.grad_fn is not None, d.requires_grad, d.grad
    expect(made, False, "y.detach().grad_fn is set", because=why)
    why = "a detached tensor asks for no gradient, whatever y asks for"
    expect(asks, False, "y.detach().requires_grad", because=why)
    del y
    gc.collect()
    why = "d holds numbers without their past: keep nothing of it in an attribute of d"
    for name, thing in alive.items():
        what = f"{name} is gone from memory while d = y.detach() lives"
        expect(thing() is None, True, what, because=why)


@pytest.mark.exercise("5.3", points=1)
@builds_on("5.2")
def test_detach_shares_the_numbers():
    x = leaf([1, 2])
    numbers = x.data
    d = x.detach()
    locked = "detach locked the array, and it's x's, too: leave it as it is"
    with calling("x.detach().data[0] = 9", slips=[(worded(ValueError, "read-only"), locked)]):
        d.data[0] = 9
    swapped = "x itself got another array: x keeps its own, and the new tensor gets the same one"
    slips = [
        (lambda _: x.data is not numbers, swapped),
        (lambda _: d.dtype != x.dtype, f"x is float64, d is {d.dtype}: another dtype is a copy"),
        ([1, 2], "they were copied, as Tensor(self.data) does: give the new tensor the same array"),
    ]
    expect(x.data, [9, 2], "x of float64: x.data after x.detach().data[0] = 9", slips=slips)


@pytest.mark.exercise("5.3", points=1)
@builds_on("5.2")
def test_detach_leaves_its_own_tensor_attached():
    x = leaf(2)
    y = x * x
    held = dict(getattr(y.grad_fn, "__dict__", {}))
    d = y.detach()
    why = "detach makes a new tensor: y itself keeps its history"
    expect(d is y, False, "y.detach() is y", because=why)
    expect(y.grad_fn is None, False, "y.grad_fn is None, after y.detach()", because=why)
    expect(y.requires_grad, True, "y.requires_grad, after y.detach()", because=why)
    lost = [name for name, value in held.items() if getattr(y.grad_fn, name, None) is not value]
    because = "y keeps its history, so its ctx must not be freed or changed"
    expect(lost, [], "what changed on y.grad_fn when y was detached", because=because)


@pytest.mark.exercise("5.3", points=1)
@builds_on("5.2")
def test_detach_hands_no_gradient_on():
    x = leaf(2)
    x.grad = leaf(5)
    why = "the new tensor starts without a gradient"
    expect(x.detach().grad is None, True, "x.detach().grad is None, x has one", because=why)
    expect(x.grad is None, False, "x.grad is None after x.detach()", because="x keeps its own")


@pytest.mark.exercise("5.3", points=1)
@builds_on("5.2")
def test_a_product_with_a_detached_tensor_is_recorded_on_one_side(monkeypatch):
    x = leaf(3)
    d = x.detach()
    why = "d is a constant; x is not"
    expect((d * d).requires_grad, False, "(d * d).requires_grad for d = x.detach()", because=why)
    expect((d * x).requires_grad, True, "(d * x).requires_grad for d = x.detach()", because=why)
    expect(d.dtype, np.float64, "x.detach().dtype for float64 x", because="the same array")
    x, sizes, convert = leaf([1, 2, 3]), [], getattr(tt, "as_array", None)

    def noted(data, *options):
        sizes.append(np.size(getattr(data, "data", data)))
        return convert(data, *options)

    class Numbers(np.ndarray):
        def copy(self, *order):
            sizes.append(self.size)
            return np.array(self)

        __copy__ = __deepcopy__ = copy

    if type(x.data) is np.ndarray:  # the library's is a Tensor
        x.data = x.data.view(Numbers)
    with monkeypatch.context() as patch:
        patch.setattr(tt, "as_array", noted, raising=False)
        x.detach()
    copies = "Tensor(self.data) makes one, if only for a moment, and so does deepcopy"
    slips = {True: f"{copies}: begin with any one number"}
    what = "x has 3 numbers: x.detach() makes an array of 3 on the way"
    expect(3 in sizes, False, what, slips=slips)


@pytest.fixture
def restored():
    """A flag that stays off fails the test that is about it, and no other."""
    yield
    if hasattr(tt, "recording"):
        tt.recording = True


SLIPS_OF_A_SCOPE = (
    (lambda error: "is not an iterator" in str(error), "no_grad needs a yield of its own"),
    (
        lambda error: "didn't yield" in str(error),
        "a scope yields once, and here no yield is reached",
    ),
    (lambda error: "didn't stop" in str(error), "a scope yields once, and this yields again"),
    (
        lambda error: (
            isinstance(error, NameError)
            and error.name.lower() == "recording"
            and error.name != "recording"
        ),
        "the flag is called recording",
    ),
    (UnboundLocalError, "without `global recording` in the function, that's a local name"),
)


def is_local():
    """Has no_grad, or its __enter__, a name of its own that is called recording?"""
    scope = tt.no_grad.__enter__ if isinstance(tt.no_grad, type) else tt.no_grad
    return "recording" in inspect.unwrap(scope).__code__.co_varnames


@pytest.mark.exercise("5.4", points=1)
@builds_on("5.2")
def test_nothing_is_recorded_inside_the_scope(restored):
    x = leaf(2)
    with calling("with no_grad(): x * x", slips=SLIPS_OF_A_SCOPE), tt.no_grad():
        y = x * x
    expect(y, 4, "x * x inside no_grad()")
    inside = "recording must be False inside: set it before the yield, put it back after it"
    local = "without `global recording` in the function, that's a local name"
    slips = [(lambda _: is_local(), local)]
    what = "(x * x).requires_grad, made inside no_grad()"
    expect(y.requires_grad, False, what, slips=slips, because=inside)


@pytest.mark.exercise("5.4", points=1)
@builds_on("5.2")
def test_recording_goes_on_after_the_scope(restored):
    x = leaf(2)
    with tt.no_grad():
        pass
    slips = {False: "put back, after the yield, what the flag was before you switched it off"}
    expect((x * x).requires_grad, True, "(x * x).requires_grad, after no_grad()", slips=slips)
    scope = tt.no_grad()
    slips = {False: "making the scope switched recording off: only its beginning may, at with"}
    what = "(x * x).requires_grad, after scope = no_grad() without a with"
    expect((x * x).requires_grad, True, what, slips=slips)
    with scope:
        y = x * x
    expect(y.requires_grad, False, "(x * x).requires_grad, inside with scope:")


@pytest.mark.exercise("5.4", points=2)
@builds_on("5.2")
def test_scopes_nest(restored):
    x = leaf(2)
    with calling("no_grad() inside no_grad()", slips=SLIPS_OF_A_SCOPE), tt.no_grad():
        with tt.no_grad():
            inner = x * x
        outer = x * x
    why = "the inner scope must not toggle the flag: inside, recording is False"
    expect(
        inner.requires_grad, False, "(x * x).requires_grad in the inner of two scopes", because=why
    )
    slips = {
        True: "the end of the inner scope switched recording on: put back what was before, not True"
    }
    what = "(x * x).requires_grad in the outer scope, after the inner one"
    expect(outer.requires_grad, False, what, slips=slips)
    shared = "both scopes remember in one place, and the inner one wrote over it: use a local name"
    after = (x * x).requires_grad
    if not after:  # then see whether one scope alone puts it right
        tt.recording = True
        with tt.no_grad():
            pass
    slips = [(lambda got: tt.recording, shared)]
    expect(after, True, "(x * x).requires_grad after two nested scopes", slips=slips)


@pytest.mark.exercise("5.4", points=2)
@builds_on("5.2")
def test_an_exception_does_not_leave_recording_off(restored):
    x = leaf(2)
    stopped = "the exception goes through: no except, and no return in a finally: block"
    stopped = f"something stops it; {stopped}"
    by_class = "whatever __exit__ gives back must be false: anything else stops the exception"
    slips = [(lambda _: isinstance(tt.no_grad, type), by_class), (None, stopped)]
    for kind in (ZeroDivisionError, ValueError, TypeError, RuntimeError, KeyError):

        def fails(kind=kind):
            with tt.no_grad():
                raise kind("on purpose")

        what = f"{kind.__name__} inside no_grad()"
        expect_raises(kind, fails, what, slips=[*SLIPS_OF_A_SCOPE, *slips])
    slips = {False: "the flag stayed off after an exception: put it back in a finally: block"}
    what = "(x * x).requires_grad, after an error inside no_grad()"
    expect((x * x).requires_grad, True, what, slips=slips)


@pytest.mark.exercise("5.4", points=1)
@builds_on("5.2")
def test_no_grad_decorates_a_function(restored):
    x = leaf(2)
    base = "@contextmanager brings this along; a class of your own gets it from ContextDecorator, "
    base += "which contextlib has"
    slips = [(worded(TypeError, "object is not callable"), base)]
    with calling("no_grad() before a function, as in @no_grad(),", slips=slips):

        @tt.no_grad()
        def square(x):
            return x * x

    why = "defining the function must not switch recording off, calling it must"
    expect((x * x).requires_grad, True, "(x * x).requires_grad beside the function", because=why)
    for call in ("first", "second"):
        what, y = f"square(x) under @no_grad(), {call} call", square(x)
        fail_if(y is None, f"{what}, gave None, expected what square returns: hand it on")
        expect(y.requires_grad, False, f"{what}: requires_grad", because=why)
    expect((x * x).requires_grad, True, "(x * x).requires_grad after the calls", because=why)


@pytest.mark.exercise("5.4", points=1)
@builds_on("5.2")
def test_no_grad_changes_no_tensor(restored):
    x = leaf(2)
    with tt.no_grad():
        w = tt.Tensor(3.0, requires_grad=True)
    why = "the scope is about operations: a leaf may ask for a gradient inside, too"
    expect(x.requires_grad, True, "x.requires_grad after no_grad()", because=why)
    expect(w.requires_grad, True, "w.requires_grad, w made inside no_grad()", because=why)
