"""Chapter 10: four scopes, each of which switches what it promises and puts it back."""

import itertools
import threading
from contextlib import contextmanager

import pytest

import tinytorch as tt
from course.testing import calling, error_of, expect, fail_if, leaf

NAMES = ("record", "pause", "train_mode", "predict_mode")
A_SCOPE = "a Switch, which `with` can enter"
GENERATED = ("generator", "_GeneratorContextManager")  # what a function with a yield gives
NO_YIELD = "no yield is needed, return the Switch itself"
AT_ONCE = "a Switch waits for the `with`; set_recording() and set_training() act at once"
ENTERED = "a scope looks where it's entered, not where it was made"
ARGUMENT = "in here train_mode is the argument, True or False: it hides the scope of that name"
NO_SWITCH = "those are the questions: the switches are called recording and training"
CALLED = "the switches are called grad_enabled, recording, unrecorded and training"
BY_NAME = "a Switch is told by name what it sets: Switch(training=True)"
A_BOOL = (
    (lambda e: "'bool' object" in str(e), ARGUMENT),
    (lambda e: "'State' object has no attribute 'is_" in str(e), NO_SWITCH),
    (lambda e: "'State' object has no attribute" in str(e), CALLED),
    (lambda e: "Switch.__init__() takes 1 positional argument" in str(e), BY_NAME),
)
FOUND = "a scope puts back what it found, whatever that was"
BY_HAND = "set_recording() moves unrecorded too, and a Switch puts back every switch it's given"
NO_BUSINESS = "that's no business of a scope"


@contextmanager
def inside(name, *args, **options):
    """Enter modes.record(...), or whichever it is, which moves nothing before, and leave it."""
    given = [*map(str, args), *[f"{key}={value}" for key, value in options.items()]]
    with calling(f"with {name}({', '.join(given)})", slips=A_BOOL):
        before = switches()
        scope = getattr(tt.modes, name)(*args, **options)
        the_class = f"{name}() gave the class Switch: Switch(...) is one, with what it sets inside"
        fail_if(scope is tt.state.Switch, the_class)
        moved = [switch for switch, value in switches().items() if value != before[switch]]
        reason = NO_YIELD if type(scope).__name__ in GENERATED else AT_ONCE if moved else ""
        gave = f"{name}() gave {scope!r}, expected {A_SCOPE}{': ' if reason else ''}{reason}"
        fail_if(not hasattr(scope, "__enter__"), gave)
        fail_if(moved, f"{name}() moved {', '.join(moved)} before it was entered: {AT_ONCE}")
        with scope:
            yield


def modes():
    """(recording?, training?), as the two questions of the library answer."""
    return tt.modes.is_recording(), tt.modes.is_training()


def switches():
    """All the switches of this thread."""
    state = tt.state.state
    return {name: getattr(state, name) for name, value in vars(type(state)).items()
            if isinstance(value, bool)}  # fmt: skip


def is_remembered():
    x = leaf(3.0)
    return (x * x).requires_grad


@pytest.mark.exercise("10.1", points=2)
def test_record_records_and_trains_and_pause_does_neither():
    says = "(is_recording(), is_training())"
    with inside("record"):
        slips = {
            (True, False): "without train_mode, record() trains",
            (False, True): "is_recording() wants grad_enabled and recording, both",
        }
        no_bool = (
            lambda got: any(not isinstance(each, bool) for each in got),
            "a switch is True or False",
        )
        slips = [no_bool, *slips.items()]
        expect(modes(), (True, True), f"{says} inside record()", slips=slips)
        expect(is_remembered(), True, "inside record(), requires_grad of a product")
    with tt.no_grad(), inside("record"):
        slips = {False: "grad_enabled is what decides, and record() switches it on"}
        what = "inside record(), under no_grad(), requires_grad of a product"
        expect(is_remembered(), True, what, slips=slips)
    with inside("pause"):
        slips = {(False, True): "without train_mode, pause() doesn't train"}
        expect(modes(), (False, False), f"{says} inside pause()", slips=slips)
        slips = {True: "grad_enabled is what decides, and pause() switches it off"}
        what = "inside pause(), requires_grad of a product"
        expect(is_remembered(), False, what, slips=slips)


@pytest.mark.exercise("10.1", points=1)
def test_train_mode_says_whether_they_train():
    for name, flag in (("record", False), ("record", True), ("pause", True), ("pause", False)):
        for outside in (flag, not flag):
            reason = "train_mode alone says it" + (", whatever it is outside" * (flag != outside))
            for args, options in (((flag,), {}), ((), {"train_mode": flag})):
                with tt.state.Switch(training=outside), inside(name, *args, **options):
                    got, want = modes(), (name == "record", flag)
                where = "" if outside == flag else f" where training is {outside}"
                what = f"(is_recording(), is_training()) inside {name}(train_mode={flag}){where}"
                expect(got, want, what, slips={(want[0], not flag): reason})


@pytest.mark.exercise("10.1", points=2)
def test_train_mode_and_predict_mode_leave_recording_alone():
    alone = "it's only about training: whether history is recorded is as it is outside"
    places = {"outside of everything": {}, "where somebody records": {"recording": True},
              "where nothing is recorded": {"grad_enabled": False}}  # fmt: skip
    for name, want in (("train_mode", True), ("predict_mode", False)):
        for place, values in places.items():
            with tt.state.Switch(training=not want, **values):
                before = switches()
                with inside(name):
                    now, what = switches(), f"{name}() {place}: inside,"
                    slips = {not want: f"{name}() is about training"}
                    expect(now.pop("training"), want, f"{what} is_training()", slips=slips)
                    for switch, value in now.items():
                        slips = {not before[switch]: alone}
                        expect(value, before[switch], f"{what} {switch}", slips=slips)


@pytest.mark.exercise("10.1", points=1)
def test_a_scope_puts_back_what_it_found():
    places = {"in a rehearsal": {"training": True}, "in a performance": {"training": False},
              "under no_grad()": {"grad_enabled": False},
              "inside record()": {"recording": True, "unrecorded": False, "training": True},
              }  # fmt: skip
    for name, (place, outside) in itertools.product(NAMES, places.items()):
        with tt.state.Switch(**outside):
            before = switches()
            with inside(name):
                pass
            for switch, value in switches().items():
                by_hand = switch == "unrecorded" and place == "under no_grad()"
                slips = {False: BY_HAND} if by_hand else {}
                what = f"after {name}() {place}, {switch}"
                expect(value, before[switch], what, slips=slips, because=FOUND)


@pytest.mark.exercise("10.1", points=1)
def test_an_exception_ends_a_scope_too():
    def fails(name):
        with inside(name):
            raise ZeroDivisionError

    for name in NAMES:
        with tt.state.Switch(training=name == "predict_mode"):
            before = switches()
            error = error_of(lambda name=name: fails(name))
            what = f"the error that comes out of {name}() when ZeroDivisionError is raised inside"
            slips = {type(None): "an exception comes out of a scope as it went in"}
            expect(type(error), ZeroDivisionError, what, slips=slips)
            because = "a scope ends with an exception as it ends without one"
            for switch, value in switches().items():
                what = f"after {name}() ended with an exception, {switch}"
                expect(value, before[switch], what, because=because)


def inside_of(name, outside):
    """The switches inside a scope with its defaults, where they are `outside` as given."""
    training = {"training": name in ("record", "train_mode")}
    if name in ("train_mode", "predict_mode"):
        return outside | training
    on = name == "record"
    inner = outside | training | dict(grad_enabled=on, recording=on, unrecorded=False)
    if name == "pause":  # it has to set unrecorded, and what it sets, nobody ever reads
        del inner["unrecorded"]
    return inner


@pytest.mark.exercise("10.1", points=1)
def test_a_scope_waits_until_it_is_entered():
    for name in NAMES:
        with tt.state.Switch(training=name == "predict_mode"):
            before = switches()
            with calling(f"{name}()"):
                scope = getattr(tt.modes, name)()
            for switch, value in switches().items():
                what = f"after {name}() was called, and before it's entered, {switch}"
                expect(value, before[switch], what, slips={not before[switch]: AT_ONCE})
            kind = type(scope).__name__
            reason = f": {NO_YIELD}" if kind in GENERATED else ""
            says = f"{name}() gave a {kind}, expected {A_SCOPE}{reason}"
            fail_if(not isinstance(scope, tt.state.Switch), says)
            decorated = scope(modes)
            inner = [decorated(), decorated()]
            with inside(name):
                want = [modes()] * 2
            expect(inner, want, f"a function decorated with {name}(), called twice: its modes")
            for switch, value in switches().items():
                expect(value, before[switch], f"after that call of {name}(), {switch}")


@pytest.mark.exercise("10.1", points=1)
def test_who_ends_a_recording_by_hand_ends_it():
    with inside("record"):
        tt.modes.set_recording(False)
        slips = {True: "grad_enabled becomes what unrecorded says, and in record() that is False"}
        what = "inside record(), after set_recording(False): grad_enabled"
        expect(tt.is_grad_enabled(), False, what, slips=slips)
    with tt.state.Switch(recording=True, unrecorded=False), inside("pause"):
        before = tt.modes.set_recording(True)
        slips = {True: "pause() switches recording off, and not only grad_enabled"}
        what = "inside pause(), where somebody records: what set_recording(True) says it was"
        expect(before, False, what, slips=slips)
        tt.modes.set_recording(before)
        expect(tt.is_grad_enabled(), False, "inside pause(), after set_recording(False): grad mode")
    with inside("pause"):
        tt.modes.set_recording(True)
        tt.modes.set_recording(False)
    after, state = "after pause(), in which somebody recorded by hand, unrecorded", tt.state.state
    slips = {False: "pause() switches unrecorded too, and so puts it back"}
    try:
        expect(state.unrecorded, True, after, slips=slips)
    finally:
        state.unrecorded = True


@pytest.mark.exercise("10.1", points=1)
def test_another_thread_notices_nothing():
    seen = []
    for name in NAMES:
        with inside(name):
            thread = threading.Thread(target=lambda: seen.append(modes()))
            thread.start()
            thread.join()
        what = f"inside {name}(): (is_recording(), is_training()) in another thread"
        expect(seen.pop(), (False, False), what)
        with tt.state.Switch(training=True, grad_enabled=False):
            before, after = switches(), overlapped(name)
        what = f"after {name}(), which another thread is still in: training"
        slips = {False: "that's what the other thread found: each call makes a Switch of its own"}
        expect(after["training"], before["training"], what, slips=slips)


def overlapped(name):
    """The switches after a scope that another thread entered meanwhile, and is still in."""
    entered, leave = threading.Event(), threading.Event()

    def other():
        with inside(name):
            entered.set()
            leave.wait(5)

    thread = threading.Thread(target=other, daemon=True)
    with inside(name):
        thread.start()
        entered.wait(5)
    after = switches()
    leave.set()
    thread.join()
    return after


@pytest.mark.exercise("10.1", points=1)
def test_a_scope_looks_where_it_is_entered():
    for name in NAMES:
        with tt.state.Switch(grad_enabled=False), calling(f"{name}()"):
            scope = getattr(tt.modes, name)()
        with tt.state.Switch(recording=True, unrecorded=False):
            want = inside_of(name, switches())
            with scope:
                now = switches()
        what = f"inside {name}(), made where nothing is recorded and entered where it is,"
        its_own = ("grad_enabled", "recording", "unrecorded", "training")
        for switch, value in want.items():
            alone = name in ("train_mode", "predict_mode") and switch != "training"
            because = ENTERED * alone if switch in its_own else NO_BUSINESS
            expect(now[switch], value, f"{what} {switch}", because=because)
        with tt.state.Switch(training=name == "predict_mode"):
            before, what = switches(), f"with s, s: ..., where s = {name}()"
            with calling(what, slips={Exception: "a Switch can be entered inside itself, too"}):
                scope = getattr(tt.modes, name)()
                with scope, scope:
                    pass
            for switch, value in switches().items():
                expect(value, before[switch], f"after {what}, {switch}", because=FOUND)
