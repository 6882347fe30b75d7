"""Chapter 11: states, names and numbers, and how they get back into a network."""

import re

import numpy as np
import pytest

import tinytorch as tt
from course.testing import calling, expect, fail_if, worded

SHARED = "whoever holds the old tensors must see the new numbers: own[name].copy_(given[name])"
LIVE = "a state shows what the network is now: detach() shares the memory"


def parameter(numbers):
    return tt.nn.Parameter(tt.tensor(np.array(numbers, np.float64)))


def net_with_everything():
    """A network with parameters, buffers, parts, a shared part, and parts that are None."""
    net, part = tt.nn.Module(), tt.nn.Module()
    part.register_parameter("weight", parameter([3.0, 4.0]))
    part.register_parameter("bias", None)
    part.register_buffer("sketch", tt.tensor(np.array(9.0)), persistent=False)
    net.register_buffer("mean", tt.tensor(np.array([7.0])))
    net.register_buffer("scratch", tt.tensor(np.array(8.0)), persistent=False)
    net.register_parameter("scale", parameter(2.0))
    for name, module in (("one", part), ("two", part), ("rest", None)):
        net.register_module(name, module)
    return net


WANTED = ("scale", "mean", "one.weight", "two.weight")


def without_signs(names):
    return [re.sub(r"\W|_", "", name) for name in names]


def copied(own, given, what="copy_into(own, given)", slips=()):
    """Call copy_into, and say what is meant where it asks whether tensors are true."""
    is_there = "a tensor of many numbers is neither true nor false: ask whether its name is there"
    with calling(what, slips=[*slips, (worded(RuntimeError, "ambiguous"), is_there)]):
        tt.nn.module.copy_into(own, given)


def state_of(net, what="state_dict()", **options):
    slips = [(lambda e: "'NoneType' object has no attribute" in str(e), "a part that is None has "
              "no numbers: leave it out")]  # fmt: skip
    with calling(what, slips=slips):
        state = net.state_dict(**options)
    fail_if(state is None, f"{what} gave None: return the dictionary")
    fail_if(not isinstance(state, dict), f"{what} gave {type(state).__name__}, expected a dict")
    return state


@pytest.mark.exercise("11.7", points=2)
def test_a_state_has_all_names_and_their_numbers():
    net = net_with_everything()
    what = "a network of scale, a buffer mean, and one module named one and two: its state's names"
    slips = [
        (lambda g: not g, "parameters and buffers belong to the state, and a name in "
         "module._transient leaves out that buffer alone"),
        (lambda g: "mean" not in g, "buffers belong to the state as well"),
        (lambda g: any(name.startswith(".") for name in g), "the network's own name is empty, and "
         "no dot stands before a name: joined(module_name, name)"),
        (lambda g: without_signs(g) == without_signs(WANTED), "names are joined by dots, for which "
         "there is joined(module_name, name)"),
        (lambda g: "weight" in g, "the module's name goes in front: joined(module_name, name)"),
        (lambda g: {"scratch", "one.sketch"} & {*g}, "what is in module._transient isn't saved"),
        (lambda g: "two.sketch" in g, "what isn't saved has no second name either"),
        (lambda g: "one.bias" in g, "what is None has no numbers: leave it out"),
        (lambda g: "two.weight" not in g, "a shared part stands under each of its names: "
         "named_modules(remove_duplicate=False)"),
        (lambda g: sorted(g) == sorted(WANTED),
         "module after module, of each the parameters before the buffers"),
    ]  # fmt: skip
    state = state_of(net)
    expect(list(state), [*WANTED], what, slips=slips)
    expect(state["one.weight"], [3.0, 4.0], "state_dict()['one.weight']")
    expect(state["mean"], [7.0], "state_dict()['mean']")
    state.clear()
    net.register_parameter("late", parameter(1.0))
    what = "the names in a second state_dict(), net.late being new, and the first being cleared,"
    slips = [(lambda g: "late" not in g, "each call walks anew, and makes a dictionary of its own")]
    expect(list(state_of(net)), ["scale", "late", *WANTED[1:]], what, slips=slips)


@pytest.mark.exercise("11.7", points=1)
def test_a_state_is_bare_tensors_that_share_their_memory():
    net = net_with_everything()
    net.register_buffer("twice", net.scale * 2)
    state = state_of(net)
    for name, tensor in state.items():
        says = f"state_dict()[{name!r}] is of type {type(tensor).__name__}, expected a Tensor"
        fail_if(not isinstance(tensor, tt.Tensor), f"{says}: the detach() of each")
        slips = {True: "a state has no history and asks for nothing: detach() it"}
        what = f"state_dict()[{name!r}].requires_grad, twice being a buffer that was computed,"
        expect(tensor.requires_grad, False, what, slips=slips)
    with tt.no_grad():
        net.scale.fill_(5.0)
        net.mean.fill_(6.0)
    slips = [(2.0, LIVE)]
    expect(state["scale"], 5.0, "state['scale'] after net.scale became 5", slips=slips)
    slips = [([7.0], LIVE)]
    expect(state["mean"], [6.0], "state['mean'] after net.mean became 6", slips=slips)
    asks_no_more = "after state_dict() the Parameter net.scale doesn't ask for a gradient any more"
    fail_if(not net.scale.requires_grad, asks_no_more)


@pytest.mark.exercise("11.7", points=1)
def test_a_prefix_is_put_in_front_as_it_is():
    before = tt.nn.Module()
    before.register_parameter("of_another", parameter([1.0]))
    state_of(before)
    state = state_of(net_with_everything(), "state_dict(prefix='net.')", prefix="net.")
    earlier = "those are of an earlier call, too, on another network: each begins a new dictionary"
    slips = [(lambda g: "of_another" in g, earlier),
             (lambda g: "net..scale" in g, "the prefix has its dot already: prefix + joined(…)"),
             (lambda g: "one.weight" in g, "put the prefix in front of all names")]  # fmt: skip
    what = "the names in state_dict(prefix='net.')"
    expect(list(state), [f"net.{name}" for name in WANTED], what, slips=slips)


@pytest.mark.exercise("11.7", points=1)
def test_what_does_not_learn_is_saved_too():
    net = net_with_everything()
    net.scale.requires_grad_(False)
    net.one.register_buffer("seen", tt.tensor(12))
    what = "the names in state_dict(), net.scale being frozen: requires_grad_(False), "
    what += "and one.seen a buffer of whole numbers,"
    slips = [
        (lambda g: "scale" not in g, "every parameter belongs to the state, frozen or not"),
        (lambda g: "one.seen" not in g, "a buffer belongs to it whatever its dtype"),
        (lambda g: "two.seen" not in g, "a buffer, too, stands under each of its names"),
    ]
    want = ["scale", "mean", "one.weight", "one.seen", "two.weight", "two.seen"]
    expect(list(state_of(net)), want, what, slips=slips)


@pytest.mark.exercise("11.7", points=1)
def test_what_modules_keep_besides_comes_first():
    class Counting(tt.nn.Module):
        def get_extra_state(self):
            return {"seen": 12}

    net, counting = tt.nn.Module(), Counting()
    counting.register_parameter("w", parameter(1.0))
    net.register_module("part", counting)
    what = "the names in state_dict(), net.part has a method get_extra_state()"
    begin = "begin with extra_states(self, prefix)"
    slips = [(lambda g: g in (["part.w"], ["part.w", "part._extra_state"]), begin)]
    state = state_of(net)
    expect(list(state), ["part._extra_state", "part.w"], what, slips=slips)
    expect(state["part._extra_state"], {"seen": 12}, "state_dict()['part._extra_state']")
    what = what.replace("()", "(prefix='net.')", 1)
    slips = [
        (lambda g: "part._extra_state" in g, "they have the prefix too: extra_states(self, prefix)")
    ]
    state = state_of(net, prefix="net.")
    expect(list(state), ["net.part._extra_state", "net.part.w"], what, slips=slips)


def two_dicts(numbers=(1.0, 2.0)):
    own = {"a": tt.tensor(numbers), "b": tt.tensor([3.0, 3.0])}
    given = {"b": tt.tensor([30.0, 30.0]), "a": tt.tensor([10.0, 20.0])}
    return own, given


@pytest.mark.exercise("11.7", points=1)
def test_numbers_are_copied_into_the_tensors_that_are_there():
    own, given = two_dicts()
    a, b, new = own["a"], own["b"], {"a": [10.0, 20.0], "b": [30.0, 30.0]}
    what = "copy_into(own, given)"
    copied(own, given)
    turned = np.array_equal(given["a"].numpy(), [1.0, 2.0]) if "a" in given else False
    for name, tensor, old in (("a", a, [1.0, 2.0]), ("b", b, [3.0, 3.0])):
        taken = f"{what} took {name!r} out of own: only numbers change there, no names"
        fail_if(name not in own, taken)
        held, others = own[name], new["ab".replace(name, "")]
        slips = [
            (lambda _, t=tensor, h=held: h is not t, SHARED),
            (lambda _: turned, "it's from given into own: own[name].copy_(given[name])"),
            (old, "that's the old number: own[name].copy_(given[name]) puts new ones in its place"),
            (others, "each gets the tensor of its own name"),
        ]
        whose = f"the tensor that own[{name!r}] was before {what}"
        expect(tensor, new[name], whose, slips=slips)
        says = f"after {what}, own[{name!r}] is another tensor than before: {SHARED}"
        fail_if(held is not tensor, says)


@pytest.mark.exercise("11.7", points=1)
def test_what_was_given_shares_no_memory_afterwards():
    own, given = two_dicts()
    copied(own, given)
    fail_if("a" not in given, "copy_into took 'a' out of given, which isn't yours to change")
    given["a"].fill_(99.0)
    slips = [([99.0, 99.0], "own and given share their memory: copy the numbers")]
    expect(own["a"], [10.0, 20.0], "own['a'] after given['a'] was filled with 99", slips=slips)
    diverged, _ = two_dicts((np.nan, np.inf))
    copied(diverged, given)
    stays = "what was there plays no part in a copy"
    slips = [(lambda g: np.isnan(g.numpy()).any(), stays)]
    what = "own['a'], which was nan and inf, after 99 and 99 were copied into it"
    expect(diverged["a"], [99.0, 99.0], what, slips=slips)
    own, _ = two_dicts()
    copied(own, {name: tensor.detach() for name, tensor in own.items()})
    slips = [([0.0, 0.0], "given may be the same memory: what empties own empties given, too")]
    what = "own['a'] after its own numbers, 1 and 2, were copied into it"
    expect(own["a"], [1.0, 2.0], what, slips=slips)
    expect(
        given["b"],
        [30.0, 30.0],
        "given['b'] after copy_into",
        slips=[([3.0, 3.0], "from given into own")],
    )


@pytest.mark.exercise("11.7", points=1)
def test_names_that_only_one_has_are_passed_over():
    own, given = two_dicts()
    del given["a"]
    given["c"] = tt.tensor(5.0)
    what = "copy_into(own, given), own has a and b, given has b and c,"
    passed = "names that only one of them has are passed over"
    copied(own, given, what, [(KeyError, passed)])
    expect(
        sorted(own), ["a", "b"], f"the names in own after {what}", slips=[(lambda _: True, passed)]
    )
    stays = "given isn't yours to change"
    expect(sorted(given), ["b", "c"], f"the names in given after {what}", because=stays)
    expect(own["a"], [1.0, 2.0], f"own['a'] after {what}")
    others = "a name that only one of them has doesn't keep the others from being copied"
    expect(own["b"], [30.0, 30.0], f"own['b'] after {what}", slips=[([3.0, 3.0], others)])


@pytest.mark.exercise("11.7", points=1)
def test_a_dtype_stays():
    own, given = {"w": tt.zeros(2)}, {"w": tt.tensor(np.array([1.0, 2.0]))}
    copied(own, given)
    slips = {np.dtype(np.float64): "the numbers go into the memory that's there: copy_()"}
    what = "the dtype of a float32 tensor that float64 numbers were copied into"
    expect(own["w"].numpy().dtype, np.dtype(np.float32), what, slips=slips)
    slips = [([0.0, 0.0], "another dtype is no reason to pass a name over")]
    expect(own["w"], [1.0, 2.0], "the numbers of that tensor", slips=slips)


@pytest.mark.exercise("11.7", points=1)
def test_an_optimizer_goes_on_with_the_loaded_numbers():
    net = net_with_everything()
    saved = {name: tensor.clone() for name, tensor in state_of(net).items()}
    optimizer = tt.optim.SGD(net.parameters(), lr=1.0)
    with tt.no_grad():
        for p in net.parameters():
            p.fill_(50.0)
    what = "net.load_state_dict(saved)"
    one_number = "a tensor may be a single number: copy_() does for all"
    with calling(what, slips=[(lambda error: "0-dimensional" in str(error), one_number)]):
        net.load_state_dict(saved)
    copied = np.array_equal(net.one.weight.detach().numpy(), saved["one.weight"].numpy())
    slips = {
        50.0: "the weight of 'one' was copied: a single number counts, too" if copied else SHARED
    }
    expect(net.scale, 2.0, f"net.scale after {what}, saved when it was 2", slips=slips)
    net.scale.sum().backward()
    optimizer.step()
    slips = {2.0: "the optimizer moves another tensor now: the numbers go into the old one"}
    expect(net.scale, 1.0, f"net.scale after {what} and a step of 1", slips=slips)
    expect(saved["scale"], 2.0, "saved['scale'] after that step", slips={1.0: "copy the numbers"})
