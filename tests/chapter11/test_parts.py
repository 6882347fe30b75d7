"""Chapter 11: parts that are registered by assignment, and the walk that gives them their names."""

from functools import partial
from itertools import islice

import numpy as np
import pytest

import tinytorch as tt
from course.testing import calling, calls_of, expect, expect_raises, fail_if, worded

NOT_REGISTERED = "it's stored and not registered: give it to self._set_part with its kind"
BY_NAME = (
    "the name belongs to a part, and self._kinds has its kind: it counts where the value has none"
)
KNOWN_TO_ALL = "what was seen before is passed over, whatever its name: all of the walk, in any "
KNOWN_TO_ALL += "call, must know of it"
BEFORE = "the first assignment of all makes _kinds, in __init__: ask vars(self) if it's there yet"
RECURSES = (
    "an assignment or setattr in it calls it again: a plain attribute goes to super().__setattr__"
)
PLAIN = "kind_of says None, and no part has that name: it's a plain attribute"
UNHEARD = "_set_part has raised an error, and nobody heard of it: let it pass"
MADE_TO_FIT = "that's another Parameter: what doesn't fit is refused, not made to fit"
TRUTH = "== compares numbers, and an array is neither true nor false: ask what it is"
IN_ORDER = "it's _set_part(name, value, kind), in this order"
NO_KIND = "_set_part was handed None for a kind: what has none is plain, super().__setattr__"
ITS_KIND = "_set_part was handed None for a kind: the kind of this name is in self._kinds"


def parameter(number=1.0):
    return tt.nn.Parameter(tt.tensor(number))


def handed(is_wrong):
    """A question for slips: was _set_part called on the way to an error, and handed such values?"""
    return lambda error: any(map(is_wrong, calls_of("_set_part", error)))


def has_kind(call):
    return call["name"] in vars(call["self"]).get("_kinds", {})


def assigning(what, slips=()):
    """What `calling` does, for assignments to a module: with slips of their own, and with these."""
    always = [
        (RecursionError, RECURSES),
        (handed(lambda call: not isinstance(call["name"], str)), IN_ORDER),
        (handed(lambda call: isinstance(call["kind"], (tt.Tensor, tt.nn.Module))), IN_ORDER),
        (handed(lambda call: call["kind"] is None and has_kind(call)), ITS_KIND),
        (handed(lambda call: call["kind"] is None), NO_KIND),
        (lambda error: "_kinds" in str(error) and not calls_of("_set_part", error), BEFORE),
    ]
    return calling(what, slips=[*slips, *always])


def bare():
    """A module without parts."""
    with assigning("nn.Module()"):
        return tt.nn.Module()


def watched(asked):
    """A module without parts, which notes in `asked` what is called of it."""

    class Module(tt.nn.Module):
        def _set_part(self, name, value, kind):
            asked.append("_set_part")
            super()._set_part(name, value, kind)

        def register_buffer(self, name, tensor, persistent=True):
            asked.append("register_buffer")
            super().register_buffer(name, tensor, persistent)

        def __delattr__(self, name):
            asked.append("delattr")
            super().__delattr__(name)

    return Module()


def module(**parts):
    """A module with these parts, in this order; none of them is assigned."""
    made = bare()
    for name, part in parts.items():
        is_module = isinstance(part, tt.nn.Module)
        (made.register_module if is_module else made.register_parameter)(name, part)
    return made


def after_none(kind, **parts):
    """A module with these parts; what is last among them was None, a plain attribute, at first."""
    made = bare()
    vars(made)[[*parts][-1]] = None
    for name, part in parts.items():
        made._set_part(name, part, kind)
    return made


def expect_parts(owner, what, **wanted):
    """`owner` has just these parts: parameters={"w": p}, buffers={…}, modules={…}."""
    for kind in ("parameters", "buffers", "modules"):
        got, want = dict(getattr(owner, f"_{kind}")), wanted.get(kind, {})
        missing = [name for name in want if name not in got]
        slips = [(lambda _, m=missing, n=name: n in m, NOT_REGISTERED) for name in missing]
        expect(sorted(got), sorted(want), f"the names of the {kind} after {what}", slips=slips)
        for name, part in want.items():
            for whose, held in (
                (kind[:-1], got[name]),
                ("attribute", vars(owner).get(name, owner)),
            ):
                says = f"after {what}: the {whose} {name!r} isn't the very thing that was assigned"
                fail_if(held is not part, says)


@pytest.mark.exercise("11.1", points=1)
def test_a_parameter_becomes_a_part():
    net, w = bare(), parameter()
    with assigning("net.w = a Parameter"):
        net.w = w
    fail_if(not hasattr(net, "w"), "after net.w = a Parameter, net has no attribute w")
    expect_parts(net, "net.w = a Parameter", parameters={"w": w})
    what = "net.w = net.again = a Parameter"
    with assigning(what):
        net.again = w
    expect_parts(net, what, parameters={"w": w, "again": w})

    class Mine(tt.nn.Parameter):
        pass

    net, w = bare(), Mine(tt.ones(2))
    what = "net.w = a Parameter of a class derived from it"
    with assigning(what):
        net.w = w
    expect_parts(net, what, parameters={"w": w})


@pytest.mark.exercise("11.1", points=1)
def test_a_module_becomes_a_part():
    net, layer, rows = bare(), bare(), tt.nn.ModuleList()
    with assigning("net.layer = a Module"):
        net.layer = layer
    expect_parts(net, "net.layer = a Module", modules={"layer": layer})
    what = "net.rows = an empty ModuleList, which counts as false"
    with assigning(what):
        net.rows = rows
    found = net._modules.get("rows")
    says = f"after {what}, it's no part: ask what the value is, not whether it's true"
    fail_if(found is not rows, says)


def expect_lists_and_arrays_plain():
    inside = "what holds parts is no part for that, and what's in it isn't registered"
    held = {
        "a list of modules": [module(), module()],
        "a list of Parameters": [parameter(), parameter()],
        "a tuple of Parameters": (parameter(), parameter()),
        "a dictionary of a module and a Parameter": {"a": module(), "b": parameter()},
        "an array": np.array([1.0, 2.0]),
        "a function": parameter,
    }
    for text, value in held.items():
        net, what = bare(), f"net.rest = {text}"
        slips = [(worded(kind, "ambiguous"), TRUTH) for kind in (RuntimeError, ValueError)]
        with assigning(f"{what}, twice,", slips):
            net.rest = value if text != "an array" else value.copy()
            net.rest = value
        found = [*net._parameters, *net._buffers, *net._modules]
        slips = [(lambda g: g != ["rest"], inside)]
        expect(found, [], f"the names of all parts after {what}", slips=slips, because=PLAIN)
        fail_if(net.rest is not value, f"after {what}, net.rest isn't the very thing assigned")


@pytest.mark.exercise("11.1", points=1)
def test_what_is_no_part_stays_plain():
    net, t = bare(), tt.tensor(1.0, requires_grad=True)
    what = "net.t = a Tensor that is no Parameter, net.n = 3, net.rest = None"
    with assigning(what):
        net.t, net.n, net.rest = t, 3, None
    stored = "None is to be stored like any other value, be there such an attribute or not"
    fail_if(not hasattr(net, "rest"), f"after net.rest = None, net has no attribute rest: {stored}")
    registered = [*net._parameters, *net._buffers, *net._modules]
    expect(registered, [], f"the names of all parts after {what}", because=PLAIN)
    expect(
        (net.t is t, net.n, net.rest),
        (True, 3, None),
        f"(net.t is it, net.n, net.rest) after {what}",
    )
    expect_lists_and_arrays_plain()


@pytest.mark.exercise("11.1", points=1)
def test_a_buffer_gets_new_numbers_and_stays_a_buffer():
    net, new = bare(), tt.tensor(5.0)
    net.register_buffer("mean", tt.tensor(1.0))
    what = "net.mean = a new Tensor, where mean was a buffer"
    with assigning(what):
        net.mean = new
    slips = {1.0: f"that's the old one: {BY_NAME}", None: BY_NAME}
    expect(net._buffers.get("mean"), 5.0, f"the buffer mean after {what}", slips=slips)
    expect_parts(net, what, buffers={"mean": new})
    asked, rest = [], tt.tensor(6.0)
    net = watched(asked)
    net.register_buffer("rest", None, persistent=False)
    asked.clear()
    what = "net.rest = a Tensor, where rest was a buffer that was None"
    with assigning(what):
        net.rest = rest
    slips = {None: "that's None still, with which rest kept its place as a buffer: " + BY_NAME}
    expect(net._buffers.get("rest"), 6.0, f"the buffer rest after {what}", slips=slips)
    expect_parts(net, what, buffers={"rest": rest})
    anew = "it's a part already: register_buffer() says anew that it's to be saved"
    gone = "del forgets that it isn't to be saved: _set_part alone is enough"
    slips = [
        (lambda _: "register_buffer" in asked, anew),
        (lambda _: "delattr" in asked, gone),
    ]
    what += ", registered with persistent=False: the names of those that aren't saved"
    expect(frozenset(net._transient), frozenset({"rest"}), what, slips=slips)


@pytest.mark.exercise("11.1", points=1)
def test_none_keeps_the_place_of_a_part():
    net = module(bias=parameter(), layer=bare())
    net.register_buffer("mean", tt.tensor(1.0))
    kinds = {"bias": "parameters", "layer": "modules", "mean": "buffers"}
    for name, kind in kinds.items():
        what = f"net.{name} = None, where {name} was one of the {kind}"
        with assigning(what):
            setattr(net, name, None)
        is_gone = getattr(net, f"_{kind}").get(name) is None
        fail_if(not is_gone, f"after {what}, the old one is still registered: {BY_NAME}")
    what = "net.bias, net.layer and net.mean, a Parameter, a Module and a buffer, became None"
    wanted = {"parameters": {"bias": None}, "modules": {"layer": None}, "buffers": {"mean": None}}
    expect_parts(net, what, **wanted)


@pytest.mark.exercise("11.1", points=1)
def test_a_part_may_be_followed_by_one_of_another_kind():
    net, new, other = module(head=bare()), parameter(), bare()
    net.register_buffer("mean", tt.tensor(1.0))
    slips = [
        (TypeError, "a Parameter or a Module has a kind of its own, whatever had its name"),
        (
            partial(calls_of, "_register"),
            "_register refuses a name that's taken: _set_part doesn't",
        ),
    ]
    what = "net.head = a Parameter, and net.mean = a Module, where they were a Module and a buffer"
    with assigning(what, slips):
        net.head, net.mean = new, other
    for kind, name in (("modules", "head"), ("buffers", "mean")):
        says = f"after {what}: whether {name!r} is still among the {kind}"
        slips = {True: "a part of another kind takes the name: _set_part sees to that"}
        expect(name in getattr(net, f"_{kind}"), False, says, slips=slips)
    expect_parts(net, what, parameters={"head": new}, modules={"mean": other})


@pytest.mark.exercise("11.1", points=1)
def test_the_name_of_a_part_refuses_what_is_none():
    asked, w = [], parameter()
    net = watched(asked)
    with assigning("net.w = a Parameter"):
        net.w = w
    swallowed = "what w was is gone, and there's no error: let _set_part raise it"
    slips = [
        (lambda got: got is None and "w" not in net._parameters, swallowed),
        (lambda got: got is None and net._parameters["w"] is not w, MADE_TO_FIT),
        (lambda got: got is None and "_set_part" in asked, UNHEARD),
        (lambda got: got is None, BY_NAME),
    ]
    for text, value in {"3": 3, "a plain Tensor": tt.tensor(1.0)}.items():
        asked.clear()
        what = f"net.w = {text}, where w is a Parameter,"
        expect_raises(TypeError, lambda v=value: setattr(net, "w", v), what, slips=slips)
    got = getattr(net, "w", None)
    says = "after both were refused, net.w isn't the Parameter any more: "
    says += "what is refused must leave everything as it was: let _set_part check it first"
    fail_if(got is not w, says)
    expect_parts(net, "both were refused", parameters={"w": w})


@pytest.mark.exercise("11.1", points=1)
def test_before_init_there_are_plain_attributes_only():
    class Early(tt.nn.Module):
        def __init__(self, before, training=True):
            self.size, self.training = before, training
            super().__init__()

    reason = "before super().__init__() there is no _kinds: ask vars(self) for it"
    what = "self.size = 3 before super().__init__()"
    with calling(what, slips={AttributeError: reason, KeyError: reason}):
        net = Early(3)
    expect(net.size, 3, f"net.size after {what}")
    what = "self.training = False before super().__init__(), training being in the class,"
    with calling(what, slips={AttributeError: reason, KeyError: reason}):
        net = Early(None, training=False)
    expect((net.size, net.training), (None, False), f"(net.size, net.training) after {what}")
    what = "self.size = a Parameter before super().__init__()"
    slips = {KeyError: reason, None: "let _set_part raise the error"}
    expect_raises(AttributeError, lambda: Early(parameter()), what, slips=slips, says=["super()"])
    net = tt.nn.Module.__new__(tt.nn.Module)  # before its __init__
    net.size = 3
    what = "self.w = a Parameter after self.size = 3, both before super().__init__(),"
    call = partial(setattr, net, "w", parameter())
    slips = [(lambda _: "_kinds" in vars(net), "net has a _kinds already: that's for __init__")]
    expect_raises(AttributeError, call, what, slips=slips, says=["super()"])
    left = "_kinds is for __init__ to make: until then vars(self) has what was assigned alone"
    expect(sorted(vars(net)), ["size"], f"the attributes after {what}", because=left)


def two_storeys():
    """A network of modules within modules, and what its modules are called."""
    net = module(encode=module(first=module(), second=module()), head=module())
    return net, ["", "encode", "encode.first", "encode.second", "head"]


def names_of(pairs, what):
    with calling(what):
        found = pairs()
    fail_if(found is None, f"{what} gave None: hand out pairs by yield or yield from")
    none = (lambda e: "not iterable" in str(e), "a function without yield gives None")
    with calling(what, slips=[none]):
        found = list(found)
    expect_names_first(found, what)
    return [name for name, _ in found]


def expect_names_first(found, what):
    wrong = not all(isinstance(pair, tuple) and len(pair) == 2 for pair in found)
    fail_if(wrong, f"{what} gave {found!r:.200}, expected pairs (name, part)")
    strange = [pair for pair in found if not isinstance(pair[0], str)]
    kinds = ", ".join(type(thing).__name__ for thing in (strange or [()])[0])
    order = "the name comes first: yield name, and then the part"
    fail_if(strange, f"{what} gave a pair ({kinds}), expected pairs (name, part): {order}")


@pytest.mark.exercise("11.2", points=2)
def test_names_of_parts_within_parts_are_joined_by_dots():
    net, want = two_storeys()
    what = "the names from named_modules() of net, which has encode (first, second) and head"
    got = names_of(net.named_modules, what)
    slips = [
        (lambda g: g == [""], "that's net alone: yield from hands on what its parts give"),
        (lambda g: "first" in g, "parts within parts have both names: joined(name, child)"),
        (lambda g: g == ["", "encode", "head"], "the parts of its parts come, too"),
        (lambda g: "" not in g, "the module itself comes too, and its name is the prefix"),
        (lambda g: sorted(g) == sorted(want) and g[0] != "", "the module comes before its parts"),
        (
            lambda g: g[1:2] == ["head"],
            "that's from the last to the first: a stack turns things round",
        ),
        (lambda g: g[1:3] == ["encode", "head"], "each part is followed at once by its own"),
        (lambda g: ".encode" in g, "no dot where there is no prefix: joined takes care of that"),
        (lambda g: {*g} < {*want}, "all modules come: two that look alike aren't the same"),
    ]
    expect(got, want, what, slips=slips)
    found = [m for _, m in net.named_modules()]
    anew = [(lambda n: n != 5, "each walk begins anew: only this one knows what it has seen")]
    expect(len(found), 5, "how many named_modules() gives the second time", slips=anew)
    fail_if(
        found[1] is not net.encode, "the second module, named 'encode', isn't net.encode itself"
    )
    net.register_module("late", module())
    what = "the names from named_modules() after net.late was added"
    slips = [(lambda g: "late" not in g, "walk anew each time: a network may grow")]
    expect(names_of(net.named_modules, what), [*want, "late"], what, slips=slips)


@pytest.mark.exercise("11.2", points=1)
def test_a_prefix_comes_before_all_names():
    net, names = two_storeys()
    want = ["net", *[f"net.{name}" for name in names[1:]]]
    what = "the names from named_modules('net')"
    slips = [
        (lambda g: g[:1] == [""], "the module itself is named prefix"),
        (lambda g: "encode" in g, "the names of its parts begin with the prefix, too"),
    ]
    expect(names_of(lambda: net.named_modules("net"), what), want, what, slips=slips)


@pytest.mark.exercise("11.2", points=1)
def test_a_module_that_is_shared_comes_once():
    shared = module(inner=module())
    net = module(one=shared, two=shared)
    what = "the names from named_modules(), net.one and net.two being the same module,"
    slips = [
        (lambda g: "one" not in g, "it comes under its first name"),
        (lambda g: "two" in g, KNOWN_TO_ALL),
        (lambda g: "two.inner" in g, "what is in a shared part was seen before, too"),
    ]
    expect(names_of(net.named_modules, what), ["", "one", "one.inner"], what, slips=slips)
    what = what.replace("()", "(remove_duplicate=False)")
    got = names_of(lambda: net.named_modules(remove_duplicate=False), what)
    want = ["", "one", "one.inner", "two", "two.inner"]
    slips = [
        (lambda g: "two" not in g, "with remove_duplicate=False it comes under both names"),
        (lambda g: "two.inner" not in g, "under its second name it brings its parts as well"),
    ]
    expect(got, want, what, slips=slips)


@pytest.mark.exercise("11.2", points=1)
def test_the_first_name_is_the_one_that_the_walk_meets_first():
    shared = module()
    net = module(deep=module(inner=shared), short=shared)
    what = "the names from named_modules(), net.deep.inner and net.short being the same module,"
    late = "deep.inner comes first: note a module when its turn comes, not when it's put aside"
    slips = [
        (lambda g: "short" in g and "deep.inner" not in g, late),
        (lambda g: "short" in g, KNOWN_TO_ALL),
    ]
    expect(names_of(net.named_modules, what), ["", "deep", "deep.inner"], what, slips=slips)


@pytest.mark.exercise("11.2", points=1)
def test_pairs_come_one_after_the_other():
    net = module(w=parameter())
    lazily = "yield the pairs: a function with a yield in it is a generator"
    for ask, want in (("modules", ""), ("parameters", "w")):
        walk = getattr(net, f"named_{ask}")
        what = f"next(net.named_{ask}())"
        with calling(what, slips={TypeError: lazily}):
            pair = next(walk(), None)
        fail_if(pair is None, f"{what} found nothing, net.w being a Parameter")
        expect_names_first([pair], what)
        expect(pair[0], want, f"the name from {what}")
        left = "a walk that's left half-way leaves nothing behind: the next begins anew"
        what = f"how many pairs net.named_{ask}() has after {what} took one and went away"
        expect(len(list(walk())), 1, what, slips=[(lambda n: n != 1, left)])


@pytest.mark.exercise("11.2", points=1)
def test_a_module_that_is_none_is_left_out():
    net = module(one=module(), two=module(), three=tt.nn.ModuleList())
    net.register_module("one", None)
    what = "the names from named_modules(), net.one being None, and net.three an empty ModuleList,"
    left_out = "a part that is None is left out"
    with calling(what, slips={AttributeError: left_out}):
        got = names_of(net.named_modules, what)
    counts = "an empty ModuleList counts as false: ask whether it is None"
    slips = [
        (lambda g: "one" in g, left_out),
        (lambda g: "two" in g and "three" not in g, counts),
        (lambda g: g == [""], "only the part that is None is left out: the walk goes on after it"),
        (lambda g: g == ["", "three", "two"], "parts come in the order in which they were made"),
    ]
    expect(got, ["", "two", "three"], what, slips=slips)
    net = after_none(tt.nn.Module, body=module(), head=module())
    what = "the names from named_modules(), net.head = None, then a module as body, one as head,"
    order = "that's the order of vars(), where None came first: ask module._modules"
    slips = [(lambda g: g == ["", "head", "body"], order)]
    expect(names_of(net.named_modules, what), ["", "body", "head"], what, slips=slips)


@pytest.mark.exercise("11.2", points=2)
def test_parameters_have_the_name_of_their_module_in_front():
    w, a, b = parameter(1.0), parameter(2.0), parameter(3.0)
    net = module(layer=module(weight=a, bias=b), scale=w)
    what = "the names from named_parameters(): net.layer has weight and bias, net itself scale;"
    got = names_of(net.named_parameters, what)
    slips = [
        (lambda g: "weight" in g, "put the name of the module in front: joined(module_name, name)"),
        (
            lambda g: ".scale" in g,
            "no dot where there is no module name: joined takes care of that",
        ),
        (lambda g: g == ["scale"], "the parameters of the parts belong to it, too"),
        (lambda g: g[-1:] == ["scale"], "a module's own parameters come before those of its parts"),
    ]
    names = ["scale", "layer.weight", "layer.bias"]
    expect(got, names, what, slips=slips)
    found = [p for _, p in net.named_parameters()]
    slips = [(lambda n: n != 3, "each walk begins anew: keep what it has seen in the function")]
    expect(len(found), 3, "how many named_parameters() gives the second time", slips=slips)
    same = all(p is q for p, q in zip(found, (w, a, b), strict=True))
    fail_if(not same, "named_parameters() gave other things than the Parameters themselves")
    net.register_parameter("scale", parameter(4.0))
    first = next((p for _, p in net.named_parameters()), None)
    says = "after net.scale became another Parameter, named_parameters() began with the old one"
    fail_if(first is w, f"{says}: walk anew each time: a part may be another one")
    fail_if(first is not net.scale, "the first of named_parameters() isn't net.scale, the new one")
    net.register_parameter("scale", w)
    what = "the names from named_parameters(recurse=False)"
    slips = [(lambda g: len(g) > 1, "without recurse, the parts are left alone")]
    expect(
        names_of(lambda: net.named_parameters(recurse=False), what), ["scale"], what, slips=slips
    )
    for recurse, want in ((False, ["net.scale"]), (True, [f"net.{name}" for name in names])):
        what = f"the names from named_parameters('net', recurse={recurse})"
        slips = [
            (lambda g: "scale" in g, "they begin with the prefix, whatever recurse is"),
            (
                lambda g: "net.net.scale" in g,
                "one prefix is enough: named_modules puts it in front",
            ),
        ]
        got = names_of(partial(net.named_parameters, "net", recurse=recurse), what)
        expect(got, want, what, slips=slips)
    net, what = module(a=module(b=module(w=w))), "the names from named_parameters(), w in net.a.b,"
    slips = [([], "those of its parts' parts come, too: named_modules goes down to all of them")]
    expect(names_of(net.named_parameters, what), ["a.b.w"], what, slips=slips)


@pytest.mark.exercise("11.2", points=1)
def test_a_parameter_that_is_shared_comes_once():
    w, equal, another = (parameter(numbers) for numbers in ([1.0, 2.0], [1.0, 2.0], [3.0, 4.0]))
    one = module(w=w)
    net = module(one=one, two=module(w=w), three=module(v=equal), four=one, five=module(w=another))
    what = "the names from named_parameters(), net.one.w and net.two.w being the same Parameter, "
    what += "net.one and net.four the same module,"
    compared = "in a list, == compares the numbers: ask a set, which knows objects"
    with calling(what, slips={RuntimeError: compared, ValueError: compared}):
        got = names_of(net.named_parameters, what)
    slips = [
        (
            lambda g: "one.w" not in g and {"two.w", "four.w"} & {*g},
            "it comes under its first name",
        ),
        (lambda g: "two.w" in g and "three.v" in g, "what was seen before is left out"),
        (lambda g: "five.w" not in g, "an equal name doesn't make it the same Parameter"),
        (lambda g: "three.v" not in g, "equal numbers don't make it the same Parameter"),
    ]
    expect(got, ["one.w", "three.v", "five.w"], what, slips=slips)
    what = what.replace("()", "(remove_duplicate=False)")
    got = names_of(lambda: net.named_parameters(remove_duplicate=False), what)
    slips = [
        (lambda g: "two.w" not in g, "with remove_duplicate=False it comes under each name"),
        (lambda g: "four.w" not in g, "the modules come under each name, too: tell named_modules"),
    ]
    expect(got, ["one.w", "two.w", "three.v", "four.w", "five.w"], what, slips=slips)


@pytest.mark.exercise("11.2", points=1)
def test_each_kind_is_asked_for_by_itself():
    net = module(w=parameter(), bias=None)
    net.register_buffer("mean", tt.tensor(0.0))
    what = "net has the parameters w and bias, bias is None, and the buffer mean: the names from"
    left_out = [(lambda g: "bias" in g, "a part that is None is left out")]
    kinds = [(lambda g: "mean" in g, "only the parts of this kind: module._parts(kind)")]
    got = names_of(net.named_parameters, f"{what} named_parameters()")
    expect(got, ["w"], f"{what} named_parameters()", slips=[*left_out, *kinds])
    kinds = [(lambda g: "w" in g, "only the parts of this kind: module._parts(kind)")]
    expect(names_of(net.named_buffers, what), ["mean"], f"{what} named_buffers()", slips=kinds)
    net = after_none(tt.nn.Parameter, w=parameter(), bias=parameter())
    what = "net.bias = None, then a Parameter as w, one as bias: the names from named_parameters()"
    order = "that's the order of vars(), where None came first: ask module._parts(kind)"
    slips = [(lambda g: g == ["bias", "w"], order)]
    expect(names_of(net.named_parameters, what), ["w", "bias"], what, slips=slips)


class EndlessWalk(Exception):
    pass


@pytest.mark.exercise("11.2", points=1)
def test_a_module_may_hold_the_one_that_it_is_in():
    class Asked(tt.nn.Module):
        def _parts(self, kind):
            asked.append(kind)
            if len(asked) > 100:
                raise EndlessWalk("net was asked for its parts 100 times")
            return super()._parts(kind)

    asked, net, part = [], Asked(), module(b=parameter())
    net.register_parameter("w", parameter())
    net.register_module("part", part)
    part.register_module("owner", net)
    for ask, want in (("modules", ["", "part"]), ("parameters", ["w", "part.b"])):
        what = f"the names from named_{ask}(), net.part.owner being net itself,"
        seen = "net itself was seen first, so net.part.owner is passed over"
        slips = [(lambda g: len(g) > 2, seen)]
        asked.clear()
        with calling(what, slips={RecursionError: seen, EndlessWalk: seen}):
            got = [name for name, _ in islice(getattr(net, f"named_{ask}")(), 10)]
        expect(got, want, what, slips=slips)


@pytest.mark.exercise("11.2", points=1)
def test_everybody_asks_these_two():
    w, inner = parameter(), module(w=parameter(), deep=module())
    net = module(w=w, inner=inner)
    expect(len(list(net.parameters())), 2, "how many parameters() there are: net.w, net.inner.w")
    net.eval()
    expect(
        (net.training, inner.training),
        (False, False),
        "(net.training, net.inner.training) after net.eval()",
    )
    slips = [
        (lambda g: "" in g, "_named gives parts, and net is no part of itself: _parts(Module)"),
        (lambda g: "inner.deep" in g, "that's recurse=False: parts of parts are left alone"),
    ]
    what = "the names from named_children()"
    expect(names_of(net.named_children, what), ["inner"], what, slips=slips)
