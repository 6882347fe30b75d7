"""Chapter 8: products on a tape, known zeros, the walk from the end to the beginning."""

import re

import numpy as np
import pytest

import tinytorch as tt
from course.testing import (
    calling,
    calls_of,
    error_of,
    expect,
    expect_only_read,
    expect_raises,
    fail_if,
    lacks,
    short_repr,
    worded,
)

NO_VARIABLE = "compute with Variables, not with their .value: a Tensor leaves the tape"
DTYPE = ", dtype=tinytorch.float64"  # no news to whoever reads a trace
BY_NAME = "found goes by names: ask it for variable.name"
GROWN = "what this pass writes isn't part of it: walk over what was on the tape when it began"
IN_PLACE = "self.propagate changes found in place, and gives nothing back"
LOCAL = "entry.propagate takes a list of gradients: self.propagate(entry, found) makes it"
IS_ZERO = "a name that isn't in found is a known zero: found.get(name) is None there"
NONE_ADDS = "None is a known zero, and + doesn't know it: add_optional does"
AS_LIST = "entry.propagate gets one list, with the gradient of each output"
ITS_OWN = "found is a list here: was entry.propagate meant, the local rule, and not this method?"
LOOK_UP = "entry.outputs is a list of names: look each of them up"
LISTS = "propagate gets a list: the gradient of r is dr[0]"
INSIDE = "compute the value with Tensors, the .value of each Variable"
VALUES = "multiply the Variables themselves, other and not other.value"
CALLED = "record wants a function that is called later, with dr: lambda dr: [..., ...]"
LOOKED = "only None is a known zero: don't look at the numbers"
ENDLESS = 1000  # calls of self.propagate in a pass, where a hundred are due
NTH = ("first", "second", "third", "fourth", "fifth")
NOT_RECORDED = "what the way back computes belongs on the tape: multiply Variables with *"
MADE = "self.tape.result(value, text) makes a Variable of it, with a name"
NAMES = "the names are known there already: an entry's inputs and outputs are names"
ALL = "take every entry through self.propagate"
PROMISED = "that's the kind that its docstring names"
ONE_MADE = "tape.variable makes a Variable, with a line of its own: a product makes r alone"
AS_CAME = "dr as it came is the rule of a sum: in a product each factor gets dr times the other one"
ZERO = "the zero here is None, and add_optional knows how to add it"
HAS = "a Variable has only what its class in tape.py has"
WRITES = "self.tape.record writes it"
NO_ENTRY = ((0, WRITES), (2, "record it once"))
NO_ENTRIES = ((lambda got: got == [], WRITES),)
SAME = "each factor gets dr times the other one: a's is dr * b, and b's is dr * a"
OWED = "one number served three, so it gets the sum of their gradients: dr[0].sum()"
ASKED = "one pass, whichever variables are asked for, even none"
SEED = "the loss's own gradient is self.seed(loss), ones of its shape"
ONCE = "once is enough: keep what it gave, for each call writes on the tape"
KEPT = "that's what the first call gave: keep nothing from call to call"
ANEW = "found begins anew in each call, with the loss's own gradient alone"
OUTLIVES = "each pass begins with a found of its own: is there one that outlives the call?"
ALL_SHOWN = "self.write_gradients(loss, found) shows all that was found, whoever was asked for"


def new_tape(**numbers):
    """(a silent tape, a Variable for each of these names)"""
    tape = tt.tape.Tape(trace=None)
    made = [tape.variable(double(n), name) for name, n in numbers.items()]
    return (tape, *made)


def double(numbers):
    return tt.tensor(np.array(numbers, np.float64))


def expect_variable(got, want, what, slips=()):
    """A Variable with these numbers, or None where that is wanted."""
    fail_if(isinstance(got, tt.Tensor), f"{what} is a Tensor, expected a Variable: {NO_VARIABLE}")
    if got is None or want is None:
        expect(got, want, what, slips=slips)
    kind = type(got).__name__
    wrong = got is not None and not isinstance(got, tt.tape.Variable)
    fail_if(wrong, f"{what} is a {kind}: {short_repr(got)}, expected a Variable")
    if got is not None:
        value, kind = got.value, type(got.value).__name__
        says = f"{what} is a Variable with a {kind} in it, {value!r}, expected a Tensor"
        fail_if(not isinstance(value, tt.Tensor), f"{says}: {INSIDE}")
        expect(value, want, what, slips=slips)


def expect_gradients(got, wanted, what, slips=()):
    """A list of Variables, or None, with these numbers; `slips` looks at what all of them hold."""
    kind = type(got).__name__
    wrong = not isinstance(got, (list, tuple))
    fail_if(got is None, f"{what} gave None, expected a list: does it return one?")
    fail_if(wrong, f"{what} gave {kind} {short_repr(got)}, expected a list")
    one_each = "one for each input, in their order"
    expect(len(got), len(wanted), f"the length of the list that {what} gave", because=one_each)
    values = [None if g is None else getattr(g, "value", g) for g in got]
    numbers = [float(v) if getattr(v, "ndim", 1) == 0 else v for v in values]
    found = [(s if callable(s) else lambda _, s=s: numbers == s, reason) for s, reason in slips]
    for place, (gradient, want) in enumerate(zip(got, wanted, strict=True)):
        which = f"{what} gave {short_repr(got)}: the {NTH[place]} one"
        expect_variable(gradient, want, which, found)


def making():
    """Slips of what an exception out of an operation shows."""
    dims = "the value knows how many dimensions it has: self.value.ndim"
    names = "record takes the Variables themselves, and asks them for their names"
    lists = "record takes a list of inputs and a list of outputs, even of one: [r]"
    single = "a is a single number, of shape (): that's what may be expanded"
    return [
        (lacks("Tensor", "name"), MADE),
        (worded(TypeError, "'text'"), "the trace shows how it was computed: result(value, text)"),
        (worded(TypeError, "'Variable' object is not iterable"), lists),
        (lacks("str", "name"), names),
        (lacks("Variable", "ndim"), dims),
        (worded(TypeError, "has no len()"), dims),
        (lacks("Variable"), HAS),
        (worded(ValueError, "got shape ()"), single),
        (ValueError, "a Tensor has expand(shape) too: self.value.expand(shape)"),
    ]


def lines_of(function, *names):
    """What the trace says of function(*variables): the lines after those of the variables."""
    lines = []
    tape = tt.tape.Tape(trace=lambda line: lines.append(line.replace(DTYPE, "")))
    variables = [tape.variable(double(n), name) for n, name in enumerate(names, 2)]
    start = len(lines)
    function(*variables)
    return lines[start:]


@pytest.mark.exercise("8.1", points=1)
def test_a_product_is_a_variable_with_a_name():
    tape, a, b = new_tape(a=2.0, b=3.0)
    itself = (
        "* of Variables is this very method: multiply values, and let the way back wait in a lambda"
    )
    with calling("a * b, where a = 2 and b = 3,", slips=[(RecursionError, itself), *making()]):
        r = a * b
    slips = {5: "that's the sum", None: "does it return r?"}
    expect_variable(r, 6, "a * b, where a = 2 and b = 3,", slips)
    own = "nobody chose a name here: hand result() none, and it makes one up"
    slips = [(lambda name: name not in tape.names, MADE), (lambda _: "v0" in tape.names, ONE_MADE),
             (lambda name: not re.fullmatch(r"v\d+", name), own)]  # fmt: skip
    expect(r.name, "v0", "the name of a * b, the first result on a tape,", slips=slips)
    got = lines_of(lambda q, p: q * p, "q", "p")
    no_result = "tape.variable is for what no operation made: self.tape.result(value, text)"
    slips = [
        (lambda got: got == [], "self.tape.result(value, text) shows a line"),
        (lambda got: "tensor(6.)" in got[0], no_result),
        (
            lambda got: re.search(r"tensor\(|\d\.", got[0]),
            "show the names: self.name and other.name",
        ),
        (lambda got: any(" = tensor(" in line for line in got[1:]), ONE_MADE),
    ]
    slips.append((lambda got: got == ["v0 = p * q"], "self comes first, whatever it's called"))
    expect(got, ["v0 = q * p"], "the trace of q * p", slips=slips)
    _, c = new_tape(c=[2.0, 3.0])
    slips = [(lambda _: True, "keep @elementwise above __mul__: it checks what comes")]
    expect_raises(TypeError, lambda: a * 3, "a * 3", slips=slips)
    two = a.tape.variable(c.value, "two")
    what = "a * b, a of shape () and b of shape (2,),"
    expect_raises(ValueError, lambda: a * two, what, slips=slips)


@pytest.mark.exercise("8.1", points=1)
def test_a_product_writes_one_entry():
    tape, a, b = new_tape(a=2.0, b=3.0)
    a * b
    expect(len(tape.entries), 1, "how many entries a * b wrote", slips=NO_ENTRY)
    slips = [("v0 <- b, a", "self goes in first, then other"), ("a, b <- v0", "inputs come first")]
    slips = [(lambda got, s=s: got == s, reason) for s, reason in slips]
    by_name = "an entry has names: self.tape.record([self, other], [r], ...) finds them"
    with calling("the repr of the entry of a * b", slips={TypeError: by_name}):
        entry = str(tape.entries[0])
    expect(entry, "v0 <- a, b", "the entry of a * b", slips=slips)


@pytest.mark.exercise("8.1", points=2)
def test_each_factor_gets_the_other():
    tape, a, b, dr = new_tape(a=2.0, b=3.0, dr=10.0)
    a * b
    what = "the way back of a * b, a = 2 and b = 3, from [10]"
    handed = [dr]
    slips = [
        (lacks("Variable"), HAS),
        (AttributeError, NO_VARIABLE),
        (lambda e: "'list' object is not callable" in str(e), CALLED),
        (worded(TypeError, "got tensor("), VALUES),
        (worded(TypeError, "'Tensor' and 'Variable'"), NO_VARIABLE),
        (IndexError, "there's one output, so dr has one gradient: dr[0]"),
        (TypeError, LISTS),
    ]
    with calling(what, slips=slips):
        got = tape.entries[0].propagate(handed)
    expect_only_read(handed, [dr], what)
    slips = [([20.0, 30.0], "a's gradient is dr times b, and b's is dr times a"),
             ([3.0, 2.0], "multiply by the gradient that comes, too"),
             ([30.0, 30.0], SAME), ([20.0, 20.0], SAME),
             (lambda g: float(g) == 10, AS_CAME)]  # fmt: skip
    expect_gradients(got, [30, 20], what, slips)
    got = tape.entries[0].propagate([dr + dr])
    expect_gradients(got, [60, 40], f"{what}, and then from [20],", [([30.0, 20.0], KEPT)])
    tape, a, b, dr = new_tape(a=2.0, b=0.0, dr=10.0)
    a * b
    what = "the way back of a * b, a = 2 and b = 0, from [10]"
    got = tape.entries[0].propagate([dr])
    looked = "0 today, and with a slope in b all the same: don't look at the numbers"
    expect_gradients(got, [0, 20], what, [([None, 20.0], looked)])


@pytest.mark.exercise("8.1", points=1)
def test_the_way_back_is_on_the_tape():
    tape, a, b, dr = new_tape(a=2.0, b=3.0, dr=10.0)
    a * b
    with calling("the way back of a * b", slips={AttributeError: NO_VARIABLE}):
        got = tape.entries[0].propagate([dr])
    written = [(entry.outputs[0], sorted(entry.inputs)) for entry in tape.entries[1:]]
    what = "how many entries the way back of a * b wrote"
    expect(len(written), 2, what, slips={0: NOT_RECORDED, 1: NOT_RECORDED})
    ends = {"a", "b", *dict(written)}  # what no entry made, and is neither, is a copy
    for gradient, other in zip(got, ("b", "a"), strict=True):
        found = dict(written).get(gradient.name)
        whose = f"what the gradient of {'b' if other == 'a' else 'a'} was made from, on the tape,"
        copied = f"the way back must compute with {other} itself, not with a copy"
        slips = [(None, NOT_RECORDED), (lambda names: not ends & set(names), copied)]
        expect(found, sorted(["dr", other]), whose, slips=slips)
    tape, a, b, dr = new_tape(a=1.0, b=1.0, dr=10.0)
    a * b
    what = "the way back of a * b, a = 1 and b = 1, from [10]"
    got = tape.entries[0].propagate([dr])
    expect_gradients(got, [10, 10], what)
    looked = "a factor of 1 has a slope all the same: don't look at the numbers"
    slips = [(lambda _: any(g is dr for g in got), looked)]
    expect(len(tape.entries) - 1, 2, f"how many entries {what} wrote", slips=slips)


@pytest.mark.exercise("8.1", points=1)
def test_a_number_times_itself_has_two_inputs():
    tape, a, dr = new_tape(a=3.0, dr=10.0)
    a * a
    each = "each factor is an input of its own, and their gradients will add up"
    what = "the inputs of the entry of a * a"
    expect(tape.entries[0].inputs, ["a", "a"], what, because=each)
    expect_gradients(tape.entries[0].propagate([dr]), [30, 30], "the way back of a * a from [10]")


@pytest.mark.exercise("8.2", points=1)
def test_a_known_zero_adds_nothing():
    tape, a, b = new_tape(a=2.0, b=3.0)
    with calling("add_optional(None, None)", slips={TypeError: "zero plus zero is zero: None"}):
        got = tt.tape.add_optional(None, None)
    slips = {0: "zero plus zero is a zero that's known: None"}
    expect(got, None, "add_optional(None, None)", slips=slips)
    for text, given in {
        "add_optional(a, None)": (a, None),
        "add_optional(None, a)": (None, a),
    }.items():
        slips = [
            (lambda g: g is None or isinstance(g, Exception), "None is zero: zero plus a is a")
        ]
        with calling(text, slips=slips):
            got = tt.tape.add_optional(*given)
        expect_variable(got, 2, text, slips)
        expect(got is a, True, f"{text} is a itself", slips={False: "no addition is needed"})
    expect(len(tape.entries), 0, "entries that these wrote", slips={1: "no addition is needed"})
    slips = [(None, "does it return the sum?")]
    expect_variable(tt.tape.add_optional(a, b), 5, "add_optional(a, b), a = 2 and b = 3", slips)
    slips = {0: "add the Variables with +: a sum of values leaves the tape"}
    expect(len(tape.entries), 1, "entries that add_optional(a, b) wrote", slips=slips)
    slips = {2: "the same Variable twice is no known zero: only None is"}
    expect_variable(tt.tape.add_optional(a, a), 4, "add_optional(a, a), a = 2", slips)


@pytest.mark.exercise("8.2", points=1)
def test_a_zero_that_was_computed_is_added():
    tape, a, b = new_tape(a=0.0, b=3.0)
    expect_variable(tt.tape.add_optional(a, b), 3, "add_optional(a, b), a = 0 and b = 3")
    slips = {0: "only None is a known zero"}
    what = "how many entries add_optional(a, b) wrote, a = 0 and b = 3,"
    expect(len(tape.entries), 1, what, slips=slips)
    calls = []
    take_back(tape, entry_of(["c"], ["r"], [b], calls), {"r": b})
    what = "how often entry.propagate is called where the gradient of r is 3"
    expect(len(calls), 1, what, slips={2: ONCE})
    del calls[:]
    take_back(tape, entry_of(["c"], ["r"], [b], calls), {"r": a})
    what = "how often entry.propagate is called where the gradient of r is 0, but not None,"
    expect(len(calls), 1, what, slips={0: LOOKED})


def entry_of(inputs, outputs, gradients, calls):
    """An entry whose way back gives these gradients, and notes what it was called with."""

    def propagate(given):
        kind = type(given).__name__
        fail_if(
            kind == "tuple", f"entry.propagate got a tuple, {short_repr(given)}, expected a list"
        )
        calls.append(list(given))
        return list(gradients)

    return tt.tape.Entry(inputs, outputs, propagate)


def take_back(tape, entry, found):
    """tape.propagate(entry, found), with the names that found has in the message."""
    what = f"propagate({entry!r}), where found has {' and '.join(found)} alone,"
    slips = [(lambda e: isinstance(e, KeyError), IS_ZERO),
             (lambda e: re.search(r"'(int|float)' and 'Variable'|, got 0(\.0)?$", str(e)), ZERO),
             (lambda e: re.search(r"\+=?: .*NoneType|got None", str(e)), NONE_ADDS),
             (lambda e: re.search(r"Variable' object is not iter|positional arg", str(e)), AS_LIST),
             (lacks("str", "name"), NAMES),
             (worded(TypeError, "unhashable type: 'list'"), LOOK_UP),
             (lambda e: "'list' object has no attribute 'get'" in str(e), ITS_OWN)]  # fmt: skip
    with calling(what, slips=slips):
        tape.propagate(entry, found)


@pytest.mark.exercise("8.2", points=1)
def test_each_input_hears_its_gradient():
    tape, p, q, g = new_tape(p=30.0, q=20.0, g=10.0)
    calls, found = [], {"r": g}
    entry = entry_of(["a", "b"], ["r"], [p, q], calls)
    take_back(tape, entry, found)
    expect(len(calls), 1, "how often entry.propagate was called", slips={2: ONCE})
    says = (
        f"entry.propagate got {short_repr(calls[0])}, expected {short_repr([g])}: the gradient of r"
    )
    fail_if(calls[0] != [g], says)
    what = "propagate(r <- a, b), where the way back gives 30 and 20: found"
    slips = {20: "the first gradient is the first input's", None: "write it into found"}
    others = ", ".join(repr(key) for key in found if key not in ("a", "b", "r"))
    by_name = f"{what} has {others} among its keys, expected the names of the inputs, 'a' and 'b'"
    fail_if(others, by_name)
    is_list = isinstance(found.get("a"), list)
    pairs = "the list has a gradient for each input: zip(entry.inputs, ...) pairs them"
    fail_if(is_list, f"{what}['a'] is {short_repr(found.get('a'))}, expected a Variable: {pairs}")
    expect_variable(found.get("a"), 30, f"{what}['a']", slips)
    expect_variable(found.get("b"), 20, f"{what}['b']")
    expect("r" in found, True, f"{what} still has r", slips={False: "somebody may ask for it"})
    expect(entry.inputs, ["a", "b"], "propagate(r <- a, b), the inputs of the entry afterwards,")
    found, third = {"r": g}, tape.variable(double(7.0))
    take_back(tape, entry_of(["a", "b", "c"], ["r"], [p, q, third], []), found)
    what = "propagate(r <- a, b, c), where the way back gives 30, 20 and 7: found"
    for name, want in (("a", 30), ("b", 20), ("c", 7)):
        expect_variable(found.get(name), want, f"{what}[{name!r}]")
    take_back(tape, entry, {"r": g})
    slips = {1: "each pass asks each entry, whether or not an earlier one has"}
    expect(len(calls), 2, "how often entry.propagate was called after a second pass", slips=slips)


@pytest.mark.exercise("8.2", points=2)
def test_each_use_adds():
    tape, p, q, g = new_tape(p=30.0, q=20.0, g=10.0)
    found, in_place = {"r": g}, "a sum is a new Variable: don't change one that's there"
    take_back(tape, entry_of(["a", "a"], ["r"], [p, q], []), found)
    slips = {20: "was the first overwritten?", 30: "the second was lost"}
    what = "propagate(r <- a, a), where the way back gives 30 and 20: found['a']"
    expect_variable(found.get("a"), 50, what, slips)
    expect(p.value, 30, "the 30 that the way back gave, afterwards", slips={50: in_place})
    tape, p, g, old = new_tape(p=30.0, g=10.0, old=5.0)
    found = {"r": g, "a": old}
    take_back(tape, entry_of(["a"], ["r"], [p], []), found)
    slips = {30: "was what a had before overwritten?", 5: "the new gradient was lost"}
    what = "propagate(r <- a), where found['a'] is 5 and the way back gives 30: found['a']"
    expect_variable(found.get("a"), 35, what, slips)
    expect(old.value, 5, "the 5 that was in found before, afterwards", slips={35: in_place})
    found = {"r": g}
    take_back(tape, entry_of(["a", "a"], ["r"], [p, p], []), found)
    what = "propagate(r <- a, a), where the way back gives the same 30 twice: found['a']"
    expect_variable(found.get("a"), 60, what, {30: "each use counts, whatever it gives"})
    tape, g, zero, p, q = new_tape(g=10.0, zero=0.0, p=30.0, q=-30.0)
    found = {"r": g}
    take_back(tape, entry_of(["a", "b", "b"], ["r"], [zero, p, q], []), found)
    what = "propagate(r <- a, b, b), where the way back gives 0, 30 and -30: found"
    expect_variable(found.get("a"), 0, f"{what}['a']", [(None, LOOKED)])
    expect_variable(found.get("b"), 0, f"{what}['b']", [(None, LOOKED), (30, LOOKED)])


@pytest.mark.exercise("8.2", points=2)
def test_known_zeros_are_not_asked():
    tape, p, other = new_tape(p=30.0, other=1.0)
    for outputs in (["r"], ["r", "t"]):
        calls, found = [], {"x": other}
        take_back(tape, entry_of(["a"], outputs, [p], calls), found)
        what = f"how often entry.propagate is called, when nothing came for {' or '.join(outputs)}"
        expect(len(calls), 0, what, slips={1: "known zeros in, known zeros out: don't call it"})
        expect(list(found), ["x"], "the names in found afterwards")


@pytest.mark.exercise("8.2", points=1)
def test_one_known_zero_of_two_is_handed_on():
    for outputs in (["r", "t"], ["t", "r"], ["s", "r", "t"]):
        tape, p, g = new_tape(p=30.0, g=10.0)
        calls, found = [], {"r": g}
        what = f"propagate({', '.join(outputs)} <- a), where only r has a gradient,"
        take_back(tape, entry_of(["a"], outputs, [p], calls), found)
        slips = {0: "skip only if all outputs have a known zero"}
        expect(len(calls), 1, f"{what} how often entry.propagate is called", slips=slips)
        wanted = [g if name == "r" else None for name in outputs]
        expect_handed_on(calls[0], wanted, what)
        expect_variable(found.get("a"), 30, f"{what} found['a']")
    tape, p, g, h = new_tape(p=30.0, g=10.0, h=7.0)
    calls, found = [], {"r": g, "t": h}
    take_back(tape, entry_of(["a"], ["r", "t"], [p], calls), found)
    what = "propagate(r, t <- a), where r and t have a gradient,"
    slips = {2: "one call for all outputs: None would say that the other has a known zero"}
    expect(len(calls), 1, f"{what} how often entry.propagate is called", slips=slips)
    expect_handed_on(calls[0], [g, h], what)


def expect_handed_on(got, wanted, what):
    """entry.propagate was called with these gradients, where None is a known zero."""
    says = f"{what} entry.propagate got {short_repr(got)}, expected {short_repr(wanted)}"
    is_filled = len(got) == len(wanted) and all(
        g is want if want is not None else g is None or all(g is not other for other in wanted)
        for g, want in zip(got, wanted, strict=True)
    )
    none = "hand a known zero on as it is, None"
    says += f": {none if is_filled else 'a place for each output, in their order'}"
    fail_if(got != wanted, says)


@pytest.mark.exercise("8.2", points=1)
def test_no_none_is_written():
    tape, p, g, old = new_tape(p=30.0, g=10.0, old=5.0)
    found = {"r": g, "c": old}
    take_back(tape, entry_of(["a", "b", "c"], ["r"], [None, p, None], []), found)
    what = "the names in found, where the way back of r <- a, b, c gives None, 30, None"
    slips = [(lambda got: "a" in got, "a name that isn't in found is a known zero: no None there")]
    expect(sorted(found), ["b", "c", "r"], what, slips=slips)
    expect(found["c"] is old, True, "found['c'], which got None, is what it was")


@pytest.mark.exercise("8.3", points=1)
def test_grad_finds_both_slopes():
    tape, a, b = new_tape(a=2.0, b=3.0)
    what = "grad((a + b) * b, [a, b]), a = 2 and b = 3,"
    loss, begun = (a + b) * b, []
    before, visits = tape.entries.copy(), watched(tape, begun)
    with calling(what, slips=grad_slips(begun, tape, before)):
        got = tape.grad(loss, [a, b])
    early = "the last entry comes first: walk from the end" if visits[:1] == before[:1] else ""
    grown = "" if set(visits) <= set(before) else GROWN
    nothing = ALL
    missed = [NTH[k] for k, entry in enumerate(before) if entry not in visits]
    left = f"the {' and the '.join(missed)} of the two entries was never taken back: {nothing}"
    if begun and missed and visits and not grown:
        nothing = early = left
    elif begun:
        nothing = BY_NAME if loss.name in begun[0] else "at first found is {loss.name: its seed}"
    # fmt: off
    slips = [([None, 5.0], early or grown), ([None, None], nothing),
             ([8.0, 3.0], "one for each of the variables, in their order"),
             ([45.0, 120.0], "the gradient of the loss for itself is 1: self.seed(loss)"),
             (lambda _: not visits, ALL)]
    # fmt: on
    expect_gradients(got, [3, 8], what, slips)


def of_another_tape(error):
    return "of the same tape" in str(error)


def grad_slips(begun, tape, before):
    """What an exception out of grad() shows, where `begun` has what the first found was."""
    kinds = lambda: {type(g).__name__ for found in begun[:1] for g in dict(found).values()}  # noqa: E731
    turned = lambda e: tape.entries[: len(before)] == before[::-1]  # noqa: E731
    written = lambda e: [call["found"] for call in calls_of("write_gradients", e)]  # noqa: E731
    missing = lambda e: any(None in found.values() for found in written(e))  # noqa: E731
    none = "a known zero isn't written into found, so no None either"
    reversal = "reverse() turns the tape itself round, and gives None: self.entries[::-1] is new"
    in_order = "the tape has them in order already: walk over self.entries[::-1]"
    a_dict = "found is a dict: {loss.name: …}"
    return [
        (lambda e: isinstance(e, KeyError) and e.args == (0,), LOCAL),
        (lambda e: isinstance(begun[0], tt.tape.Entry), "the entry comes first, and found second"),
        (worded(TypeError, "propagate() missing"), "self.propagate takes an entry and found"),
        (lacks("Tape", "tape"), "self.seed takes the loss itself"),
        (lacks("Variable", "items"), "self.write_gradients(loss, found): the loss comes first"),
        (lambda e: missing(e), none),
        (lambda e: "'str' object has no attribute 'tape'" in str(e), "seed takes the loss itself"),
        (lambda e: "'NoneType' object has no attribute 'get'" in str(e), IN_PLACE),
        (lambda e: "'NoneType' object is not iter" in str(e) and turned(e), reversal),
        (worded(TypeError, "between instances of 'Entry'"), in_order),
        (worded(TypeError, "'Variable' object is not iter"), a_dict),
        (lambda e: begun and not isinstance(begun[0], dict), a_dict),
        (lambda e: begun and kinds() - {"Variable"}, "found holds Variables: self.seed(loss)"),
    ]


def watched(tape, begun=()):
    """The list of the entries that the tape's propagate is called with from now on.

    In `begun`, a list, is what found was at each of these calls.
    """
    visits, take_back = [], tape.propagate

    def propagate(entry, found):
        visits.append(entry)
        says = f"grad called self.propagate {ENDLESS:,} times, and went on: {GROWN}"
        fail_if(len(visits) > ENDLESS, says)
        if isinstance(begun, list):
            begun.append(found.copy() if isinstance(found, dict) else found)
        return take_back(entry, found)

    tape.propagate = propagate
    return visits


@pytest.mark.exercise("8.3", points=1)
def test_what_is_not_behind_the_loss_has_none():
    tape, a, b = new_tape(a=2.0, b=3.0)
    loss = a * a
    loss + b  # b takes part in something else
    what = "grad(a * a, [b, a]), a = 2,"
    slips = [(lambda e: isinstance(e, KeyError), IS_ZERO), (of_another_tape, OUTLIVES)]
    with calling(what, slips=[*slips, *grad_slips([], tape, tape.entries.copy())]):
        got = tape.grad(loss, [b, a])
    kind = type(got).__name__
    fail_if(not isinstance(got, list), f"{what} gave {kind} {short_repr(got)}, expected a list")
    one_each = "one for each variable, and None is one too"
    expect(len(got), 2, f"{what} gave {short_repr(got)}: its length", because=one_each)
    known = "None says that it's known to be zero"
    slips = [(lambda g: float(getattr(g, "value", g)) == 0, known)]
    expect_variable(got[0], None, f"{what} gave {short_repr(got)}: b's", slips)
    expect_variable(got[1], 4, f"{what} gave {short_repr(got)}: a's")


@pytest.mark.exercise("8.3", points=1)
def test_any_variable_may_be_asked_for():
    tape, a, b = new_tape(a=2.0, b=3.0)
    s = a + b
    loss = s * b
    what = "grad(loss, [loss, s, a, a]), loss = s * b, s = a + b,"
    with calling(what, slips=[(of_another_tape, OUTLIVES)]):
        got = tape.grad(loss, [loss, s, a, a])
    begins = "found begins with the loss's own gradient, and keeps it"
    keeps = "found keeps what every name has heard: somebody may ask for it"
    slips = [([None, 3.0, 3.0, 3.0], begins), ([1.0, None, 3.0, 3.0], keeps),
             ([None, None, 3.0, 3.0], keeps)]  # fmt: skip
    expect_gradients(got, [1, 3, 3, 3], what, slips)
    what = "grad(loss, [])"
    with calling(what, slips={UnboundLocalError: ASKED}):
        expect(tape.grad(loss, []), [], what)
    tapes = {"of s * b": (tape, a, b), "without entries": new_tape(a=2.0, b=3.0)}
    for where, (tape, a, b) in tapes.items():
        what = f"grad(a, [a, b]), where no operation made a, on the tape {where},"
        unmade = "no entry made this loss, so don't look for one: take every entry back"
        sought = lambda e: isinstance(e, KeyError) and e.args == ("a",)  # noqa: E731
        slips = [(IndexError, unmade), (StopIteration, unmade), (sought, unmade)]
        begun = []
        watched(tape, begun)
        with calling(what, slips=slips):
            got = tape.grad(a, [a, b])
        is_old = lambda _, b=begun: len(b[0]) > 1  # noqa: E731
        expect_gradients(got, [1, None], what, [(is_old, ANEW)])


@pytest.mark.exercise("8.3", points=2)
def test_a_gradient_can_be_differentiated():
    tape, a = new_tape(a=5.0)
    slope, order, visits = a * a * a, "first", watched(tape)
    forgotten = "the gradients and their entries must stay on the tape"
    copied = "no entry made what grad gave before: give back what found has, not a copy of it"
    is_moved = is_lost = False
    lost = "the entries that were there before a pass must stay on the tape"
    missed = "not every entry that was on the tape was taken through self.propagate"
    for want, order in ((75, "first"), (30, "second"), (6, "third"), (None, "fourth")):
        what = f"the {order} derivative of a * a * a at 5, by grad of grad,"
        before, due = tape.entries.copy(), len(visits) + len(tape.entries)
        made = {name for entry in before for name in entry.outputs}
        is_copy = len(before) > 2 and slope.name not in made
        with calling(what):
            (slope,) = tape.grad(slope, [a])
        is_kept = set(before) <= set(tape.entries)
        is_lost |= not is_kept
        is_moved |= is_kept and tape.entries[: len(before)] != before
        slips = [(lambda _, moved=is_moved: moved, "the entries must stay in their order"),
                 (lambda g, copy=is_copy: copy and g is None, copied),
                 (lambda g: g is None, forgotten), (lambda _, gone=is_lost: gone, lost),
                 (lambda _, n=due: len(visits) < n, missed)]  # fmt: skip
        expect_variable(slope, want, what, slips)


@pytest.mark.exercise("8.3", points=1)
def test_a_zero_that_was_found_is_a_variable():
    for numbers, twice in ((0.0, 2), ([0.0, 0.0], [2, 2]), ([0.0, 3.0], [2, 2])):
        tape, x = new_tape(x=numbers)
        what = f"grad(x * x, [x]) at x = {numbers}"
        loss, begun = x * x, []
        watched(tape, begun)
        shaped = lambda _, n=loss, b=begun: b[0][n.name].shape != n.shape  # noqa: E731
        slips = [(shaped, SEED)]
        if loss.shape:
            slips.append((ValueError, "any loss will do: self.seed(loss) gives ones of its shape"))
        with calling(what, slips=slips):
            (slope,) = tape.grad(loss, [x])
        expect_variable(slope, 2 * np.array(numbers), f"{what}: x's", [(None, LOOKED)])
        (got,) = tape.grad(slope, [x])
        expect_variable(got, twice, f"the slope of what {what} gave")


@pytest.mark.exercise("8.3", points=1)
def test_the_tape_keeps_what_it_has():
    tape, a, b = new_tape(a=2.0, b=3.0)
    loss = (a + b) * b
    before = tape.entries.copy()
    for time in ("first", "second"):
        got = tape.grad(loss, [a, b])
        expect_gradients(got, [3, 8], f"the {time} grad((a + b) * b, [a, b])")
        kept = [entry in tape.entries for entry in before]
        slips = {False: "whoever differentiates again will need them"}
        expect(all(kept), True, f"both entries are still there after the {time} grad", slips=slips)
        turned = "the tape itself was turned round: walk backwards over a copy of the list"
        slips = [(lambda _: tape.entries[:2] == before[::-1], turned)]
        what = f"both entries are the first two on the tape, after the {time} grad"
        expect(tape.entries[:2] == before, True, what, slips=slips)


@pytest.mark.exercise("8.3", points=1)
def test_each_entry_is_taken_back_once():
    tape, a, b = new_tape(a=1.0, b=1.0)
    loss, visits = a, watched(tape)
    for _ in range(12):
        loss = loss + loss
    got, _ = tape.grad(loss, [a, b])
    again, grown = (
        visits.count(visits[0]) > 1 if visits else False,
        set(visits) - {*tape.entries[:12]},
    )
    slips = [
        (0, ALL),
        (
            lambda _: again,
            "one time each: one pass finds the gradients of all variables",
        ),
        (lambda _: grown, GROWN),
    ]
    what = "calls of self.propagate for a ladder of 12 sums, whose slopes in a and b are asked for,"
    expect(len(visits), 12, what, slips=slips)
    in_order = visits == tape.entries[11::-1]
    expect(in_order, True, "the last entry is taken back first, and so on to the first")
    expect_variable(got, 4096, "a's gradient in a ladder of 12 sums, 2 ** 12")
    tape, a = new_tape(a=2.0)
    loss, visits = -(a + a), watched(tape)
    tape.grad(loss, [])
    slips = {0: ASKED}
    expect(len(visits), 2, "calls of self.propagate in grad(-(a + a), [])", slips=slips)
    tape, a, r, t = new_tape(a=2.0, r=5.0, t=7.0)
    tape.record([a], [r, t], lambda given: [given[1]])
    slips = [
        (lambda g: g is None, "take every entry through self.propagate: it knows which to skip")
    ]
    for text, loss, want in (("t", t, 1), ("t + t", t + t, 2), ("t, again", t, 1), ("r", r, None)):
        what = f"grad({text}, [a]), where the tape says r, t <- a, and a gets what t has,"
        with calling(what):
            (got,) = tape.grad(loss, [a])
        expect_variable(got, want, f"{what} gave {short_repr(got)}: a's", slips)


@pytest.mark.exercise("8.3", points=1)
def test_the_trace_tells_the_way_back():
    heard = []

    def grad_of(a):
        heard.extend([a.tape.trace])
        for name in ("propagate", "write_gradients"):
            setattr(a.tape, name, noting_trace(getattr(a.tape, name), a.tape, heard))
        a.tape.grad(-(a + a), [a])

    got = lines_of(grad_of, "a")
    begin, end = "dv1 " + "-" * 24, "-" * 24
    want = ["v0 = a + a", "v1 = -v0", begin, "v2 = tensor(1.)", "v3 = -v2", "v4 = v3 + v3",
            "dv1_dv1 = v2", "dv1_dv0 = v3", "dv1_da = v4", end]  # fmt: skip
    silent = lambda _: any(trace is not heard[0] for trace in heard)  # noqa: E731
    results = lambda lines: all(line in want[6:9] for line in lines)  # noqa: E731
    slips = [(silent, "leave self.trace as it is during the pass"), (results, ALL_SHOWN),
             (lambda lines: begin in lines, "self.seed(loss) shows that line, and begins a pass"),
             (lambda lines: end in lines, "self.write_gradients shows the end")]  # fmt: skip
    missing = [line for line in want if line not in got]
    what = "the trace of grad(-(a + a), [a])"
    expect(missing, [], f"what is missing in {what}", slips=slips)
    expect(got, want, what)


def noting_trace(call, tape, heard):
    """A call that first puts into a list what the trace of the tape is."""

    def noted(*given):
        heard.append(tape.trace)
        return call(*given)

    return noted


@pytest.mark.exercise("8.4", points=1)
def test_a_sum_is_one_number():
    _, a = new_tape(a=[[1.0, 2.0], [3.0, 4.0]])
    slips = [(2.5, "that's the mean"), (None, "does it return r?"),
             (lambda g: g.ndim, "all elements, whatever the shape: self.value.sum()")]  # fmt: skip
    itself = "self.sum() is this very method: the value has a sum() too"
    with calling("a.sum()", slips=[(RecursionError, itself), *making()]):
        got = a.sum()
    expect_variable(got, 10, "a.sum(), a = [[1, 2], [3, 4]],", slips)
    chosen = "hand the name on: self.tape.result(value, text, name)"
    slips = [(lambda name: re.fullmatch(r"v\d+", name), chosen)]
    expect(a.sum(name="L").name, "L", "the name of a.sum(name='L')", slips=slips)
    got = lines_of(lambda p: (p.sum(), p.sum(name="L")), "p")
    own = "where nobody chose a name, let the tape make one up: hand on the name as it came"
    slips = [
        (lambda got: got[0] == "p.sum() = p.sum()", own),
        (
            lambda got: "None.sum" in got[0],
            "it's the sum of self, so self.name: name names the sum",
        ),
        ([], "p is a single number, and its sum is an operation all the same"),
    ]
    want = ["v0 = p.sum()", "L = p.sum()"]
    expect(got, want, "the trace of p.sum(), p.sum(name='L')", slips=slips)


@pytest.mark.exercise("8.4", points=1)
def test_a_number_is_expanded():
    _, a = new_tape(a=3.0)
    repeats = "self.value.expand(shape) repeats the value"
    slips = [(worded(TypeError, "must be a Tensor, got tuple"), repeats),
             (worded(NameError, "'np'"), repeats), *making()]  # fmt: skip
    with calling("a.expand((2, 3)), a = 3,", slips=slips):
        got = a.expand((2, 3))
    whole = "the value is expanded, too: self.value.expand(shape)"
    slips = [(None, "does it return r?"), (lambda g: g.ndim == 0, whole)]
    expect_variable(got, np.full((2, 3), 3.0), "a.expand((2, 3)), a = 3,", slips)
    got = lines_of(lambda p: (p.expand((2, 3)), p.expand([4])), "p")
    says = "the trace of p.expand((2, 3)), p.expand([4])"
    bare = "a shape is a tuple, in brackets of its own: expand((2, 3))"
    slips = [
        (lambda got: got[1:] == ["v1 = p.expand([4])"], "tuple(shape) shows a list as a tuple"),
        (lambda got: got[:1] == ["v0 = p.expand(2, 3)"], bare),
    ]
    expect(got, ["v0 = p.expand((2, 3))", "v1 = p.expand((4,))"], says, slips=slips)


@pytest.mark.exercise("8.4", points=1)
def test_only_a_single_number_is_expanded():
    late = "check the shape before you compute anything"
    for numbers in ([1.0, 2.0], [1.0], [[1.0]], [1.0, 2.0, 3.0]):
        _, a = new_tape(a=numbers)
        lines = []
        a.tape.trace = lines.append
        shape = tuple(a.shape)
        what = f"expand((2, 2)) of a Variable of shape {shape}"
        slips = [(lambda g: isinstance(g, ValueError), "raise it, don't return it"),
                 (None, "only a single number, of shape (), can be repeated"),
                 (RuntimeError, late), (Exception, PROMISED)]  # fmt: skip
        call = lambda a=a: a.expand((2, 2))  # noqa: E731
        expect_raises(ValueError, call, what, slips=slips)
        says = str(error_of(call))
        is_named = str(shape) in says or str(list(shape)) in says  # a Size has it as a list
        unnamed = f"{what} raised ValueError: {says}; its message should name the shape of self"
        fail_if(not is_named, unnamed)
        slips = [(lambda got: got, late)]
        expect(lines, [], f"what the trace shows of {what}, which is refused,", slips=slips)


def asked_to_expand(error, question):
    """Does the question fit what expand() was called with on the way to this error?"""
    calls = calls_of("expand", error)
    return bool(calls) and question(calls[0])


def back_slips(is_sum):
    """Slips of what an exception out of a way back of sum(), else of expand(), shows."""
    of_dr = lambda call: not is_sum and call["self"].name == "dr"  # noqa: E731
    no_shape = lambda call: not isinstance(call["shape"], (tuple, list))  # noqa: E731
    of_self = lambda call: call["self"].name == "a"  # noqa: E731
    total = "dr is a list, and a Variable has a sum() of its own: dr[0].sum()"
    each = "each element moves the sum one to one, so each gets dr[0]: expand() repeats it"
    each = each if is_sum else OWED
    return [
        (lambda e: "'list' object" in str(e), LISTS),
        (worded(TypeError, "'int' and 'Variable'"), total),
        (lambda e: asked_to_expand(e, no_shape), "expand takes a shape: that of a is self.shape"),
        (lambda e: asked_to_expand(e, of_dr), OWED),
        (lambda e: asked_to_expand(e, of_self), "it's dr[0] that's repeated, not a"),
        (worded(ValueError, "on this tape already"), "let the tape choose the name"),
        (worded(ValueError, "differ"), each),
        (lacks("Variable"), HAS),
    ]


def way_back_from(tape, dr, what):
    """What the way back of the last entry gives for [dr]: a list."""
    handed = [dr]
    with calling(what, slips=back_slips(is_sum="a.sum()" in what)):
        got = tape.entries[-1].propagate(handed)
    expect_only_read(handed, [dr], what)
    is_list = isinstance(got, (list, tuple))
    fail_if(not is_list, f"{what} gave {short_repr(got)}, expected a list with the gradient of a")
    return got


@pytest.mark.exercise("8.4", points=2)
def test_each_is_the_way_back_of_the_other():
    tape, a, dr = new_tape(a=[1.0, 2.0, 3.0], dr=10.0)
    a.sum()
    written = [str(entry) for entry in tape.entries]
    expect(written, ["v0 <- a"], "the entries of a.sum()", slips=NO_ENTRIES)
    what = "the way back of a.sum(), a of shape (3,), from [10]"
    got = way_back_from(tape, dr, what)
    slips = {10: "each element gets it: expand it to the shape of a",
             (10 / 3,) * 3: "each element moves the sum one to one",
             (10, 20, 30): "a's numbers have no part in it: each element moves the sum one to one",
             (1, 1, 1): "10 came for the sum: each element gets that"}  # fmt: skip
    slips = [(np.array(slip), reason) for slip, reason in slips.items()]
    expect_variable(got[0], [10, 10, 10], what, slips)
    tape, a, dr = new_tape(a=3.0, dr=[1.0, 10.0, 100.0])
    a.expand((3,))
    written = [str(entry) for entry in tape.entries]
    expect(written, ["v0 <- a"], "the entries of a.expand((3,))", slips=NO_ENTRIES)
    what = "the way back of a.expand((3,)) from the gradient [1, 10, 100]"
    got = way_back_from(tape, dr, what)
    itself = "a's own number has no part in it: each copy moves with a, one to one"
    slips = [(lambda g: tuple(g.shape) == (3,), "one number served three: it owes them their sum"),
             (37, "a sum, not a mean"), (1, "all the copies count"), (333, itself)]  # fmt: skip
    expect_variable(got[0], 111, what, slips)


@pytest.mark.exercise("8.4", points=2)
def test_both_ways_back_are_on_the_tape():
    for text, numbers, back in [("a.sum()", [1.0, 2.0], 10.0), ("a.expand((2,))", 3.0, [1.0, 2.0])]:
        tape, a, dr = new_tape(a=numbers, dr=back)
        a.sum() if "sum" in text else a.expand((2,))
        expect(len(tape.entries), 1, f"how many entries {text} wrote")
        (got,) = tape.entries[-1].propagate([dr])
        fail_if(isinstance(got, tt.Tensor), f"the way back of {text} gave a Tensor: {NO_VARIABLE}")
        other = "expand()" if "sum" in text else "sum()"
        lost = f"the way back computes with {other} of dr[0], a Variable, and that writes an entry"
        other_one = "what was given back isn't what that entry recorded"
        slips = [(lambda last: last == "v0 <- a", lost), (lambda last: "<- dr" in last, other_one)]
        what = f"the way back of {text} gave {got.name}, and the last entry is"
        expect(str(tape.entries[-1]), f"{got.name} <- dr", what, slips=slips)
        slips = [(lambda e: "on this tape already" in str(e), "let the tape choose the name")]
        what = f"the way back of {text}, a second time, from twice as much"
        with calling(what, slips=slips):
            (again,) = tape.entries[0].propagate([dr + dr])
        slips = [(got.value.numpy(), "each call gets a gradient of its own: keep nothing")]
        expect(again.value, 2 * got.value.numpy(), what, slips=slips)
        (got,) = tape.entries[0].propagate([dr - dr])
        what = f"the way back of {text} from zeros that were computed"
        expect_variable(got, 0 * again.value.numpy(), what, [(None, LOOKED)])
