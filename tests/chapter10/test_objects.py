"""Chapter 10: an operation as an object, and the recorded computation as a text."""

import re

import numpy as np
import pytest

import tinytorch as tt
from course.testing import calling, error_of, expect, expect_raises, fail_if, lacks, leaf, worded

ONCE = "self._used says whether there was a first call"
OWNER = "the first argument of apply was the owner: its place gets None"
PLACES = "None for the owner, and then one by one what owner.backward gave"
ONE_BY_ONE = "each result has a gradient, and owner.backward(*grads) gets them one by one"
SINGLE = "one Tensor is the gradient of the one input: as_tuple"
EMPTY = (
    "the object's saved_tensors were () in its backward: after forward, the ctx takes what it "
    "saved, and in backward the object has it back"
)
OUTPUTS = "each of several results has a node of its own, in front of the operation's"
FORGETS = "once the ctx has them, the object's saved_tensors are () again"


def product_class():
    """The class of the objects factor * x * y, which tell what they have in backward."""

    class Product(tt.modes.Function):
        def __init__(self, factor=1, told=None):
            self.factor, self.told, self.has_run = factor, [] if told is None else told, False

        def forward(self, x, y):
            self.has_run = True
            self.save_for_backward(x, y)
            return x * y * self.factor

        def backward(self, grad):
            self.told.append((self.factor, *(float(tensor) for tensor in self.saved_tensors)))
            x, y = self.saved_tensors
            return grad * y * self.factor, grad * x * self.factor

    return Product


def doubles_class():
    """The class of the objects 2 * x, which save nothing; x may be a number."""

    class Doubles(tt.modes.Function):
        def forward(self, x):
            return tt.tensor(2.0) * x

        def backward(self, grad):
            return grad * 2

    return Doubles


def product():
    """A new object x * y."""
    return product_class()()


def called(object_, *inputs, what="x * y by an object"):
    was_used = object_._used
    slips = [
        (lambda e: was_used, "a new object says that it was called: self._used is its own, and "
         "not the class's"),
        (lambda e: "no attribute 'forward'" in str(e), "apply wants the object first, then the "
         "inputs"),
        (lambda e: "object is not callable" in str(e) or "takes no arguments" in str(e),
         "_call is a class, and its apply makes the call: self._call.apply(...)"),
        (lambda e: "called before" in str(e), "ask owner.forward: owner(...) is another call"),
        (lambda e: "positional arguments but" in str(e), "owner.forward gets the inputs, no more"),
        (lambda e: "missing 1 required positional argument: 'y'" in str(e), "owner.forward takes "
         "the inputs one by one: a star before the tuple, *inputs"),
        (lambda e: "takes tensors, got tuple" in str(e), "it takes them one by one: a star before "
         "the tuple, *owner.saved_tensors"),
        (worded(TypeError, "takes tensors, got Product"), "what's saved are tensors: the owner "
         "itself is noted as ctx.owner"),
        (worded(AttributeError, "has no setter"), "saved_tensors only gives them back: "
         "ctx.save_for_backward(...) saves"),
        (worded(AttributeError, "ctx.saved is taken"), "tensors go to ctx.save_for_backward(...)"),
        (lambda e: "iteration over a 0-d" in str(e) and object_.has_run, "a single result stays a "
         "Tensor: only a list becomes a tuple"),
        (worded(AttributeError, "has no attribute 'saved_tensors'"), "an object that has saved "
         "nothing has the () of its class: set it, and delete nothing"),
        (worded(AttributeError, "has no attribute 'apply'"), "apply belongs to an operation, and "
         "this object's is self._call"),
        (lambda e: "takes tensors, got float" in str(e), "this owner has saved nothing: "
         "owner.saved_tensors is what the ctx saves, and not the inputs"),
    ]  # fmt: skip
    with calling(f"the call of {what}", slips=slips):
        result = object_(*inputs)
    fail_if(
        result is None,
        f"the call of {what} gave None: return what apply gives, and in forward "
        "what the owner's gave",
    )
    return result


@pytest.mark.exercise("10.6", points=2)
def test_the_call_is_an_operation():
    x, y = leaf(3.0), leaf(5.0)
    z = called(product(), x, y)
    slips = [(lambda z: isinstance(z, tuple), "a single result stays a Tensor")]
    expect(z, 15.0, "the result of x * y by an object, 3 and 5", slips=slips)
    recorded = "self._call.apply records, forward alone doesn't"
    expect(z.requires_grad, True, "requires_grad of that result", slips={False: recorded})
    slips = {"MulBackward0": recorded, "ObjectCallBackward": "self._call has this class's name"}
    expect(z.grad_fn.name(), "ProductBackward", "the name of its node", slips=slips)
    slips = [(lambda e: "got tuple" in str(e) or "be an index" in str(e), ONE_BY_ONE),
             (lambda e: "takes 2 positional arguments but 3" in str(e), "owner.backward gets the "
              "gradients, no more"),
             (worded(RuntimeError, "not require grad"), "after the ctx come the gradients, and the "
              "first of them isn't the owner: that's ctx.owner"),
             (worded(TypeError, "not 'tuple'"), "the object has the Tensors themselves, one by "
              "one, as ctx.saved_tensors gives them"),
             (RuntimeError, PLACES),
             (lambda e: "no attribute 'owner'" in str(e), "forward notes it: ctx.owner = owner"),
             (lambda e: "too many values" in str(e), "the ctx saves what the object saved alone"),
             (lambda e: "got 0" in str(e), EMPTY),
             (lambda e: "got 1" in str(e), "the ctx saves all that the object saved")]  # fmt: skip
    with calling("backward() on x * y by an object", slips=slips):
        z.backward(tt.tensor(10.0, dtype=tt.float64))
    what = "x * y by an object, 3 and 5, sent 10:"
    expect(x.grad, 50.0, f"{what} x.grad", slips={30: OWNER, None: OWNER})
    expect(y.grad, 30.0, f"{what} y.grad", slips={50: OWNER, None: OWNER})
    multiply = product()
    z = called(multiply, x, y)
    what = "ObjectCall.backward(ctx, 1.0), x * y by an object,"
    with calling(what):
        found = multiply._call.backward(z.grad_fn, tt.tensor(1.0, dtype=tt.float64))
    kind = f"{what} gave a {type(found).__name__}, expected a tuple: its docstring promises one"
    fail_if(not isinstance(found, tuple), kind)
    owners, *others = found
    given = "the object" if owners is multiply else repr(owners)
    fail_if(owners is not None, f"{what} gave {given} for the owner, expected None: {OWNER}")
    expect([float(grad) for grad in others], [5.0, 3.0], f"what {what} gave for x and y")


@pytest.mark.exercise("10.6", points=1)
def test_an_object_is_called_once():
    multiply, x, y = product(), leaf(3.0), leaf(5.0)
    z = called(multiply, x, y)
    call = lambda: multiply(y, y)  # noqa: E731
    slips = {None: ONCE, Exception: "that's the kind that its docstring names"}
    for which in ("second", "third"):
        expect_raises(RuntimeError, call, f"the {which} call of an object", slips=slips)
    z.backward()
    expect(x.grad, 5.0, "x.grad from the first call, after a second one was refused")
    what = "another call of the object, after its backward pass,"
    expect_raises(RuntimeError, call, what, slips={None: ONCE})
    slips = {RuntimeError: "each object has its own first call: set self._used"}
    with calling("the call of another object of this class", slips=slips):
        type(multiply)()(x, y)
    for kind, first in (("a leaf", leaf(3.0)), ("a constant", tt.tensor(3.0)), ("a number", 3.0)):
        for mode in ({}, {"grad_enabled": False}, {"inference": True}):
            doubles = doubles_class()()
            with tt.state.Switch(**mode):
                called(doubles, first, what=f"an object, with {kind}")
            call = lambda doubles=doubles: doubles(leaf(3.0))  # noqa: E731
            where = "".join(f", where {name} is {value}" for name, value in mode.items())
            what = f"the second call of an object, after one with {kind}{where}"
            because = "each first call counts, recorded or not: self._used = True"
            expect_raises(RuntimeError, call, what, slips={None: because})
    tries, fails = [], product()
    fails.forward = lambda *inputs: tries.append(inputs) or 1 / 0
    because = "an exception comes out as it is: whoever wrote that forward has to see it"
    what = "the error of an object whose forward divides by 0"
    expect(type(error_of(lambda: fails(x, y))), ZeroDivisionError, what, because=because)
    because = "a call whose forward failed was a call, too: set self._used first"
    call, what = lambda: fails(x, y), "the second call of an object whose forward failed"
    expect_raises(RuntimeError, call, what, slips={ZeroDivisionError: because, None: because})


@pytest.mark.exercise("10.6", points=2)
def test_each_object_has_its_own_saved_tensors():
    told, x, y = [], leaf(3.0), leaf(5.0)
    Product = product_class()
    first, second = Product(2, told), Product(10, told)
    z = called(first, x, y) + called(second, y, y)
    with calling("backward() on the sum of what two objects gave"):
        z.backward()
    slips = [
        (lambda told: len({saved for _, *saved in told}) == 1, "one got what the other one saved"),
        (lambda told: len({factor for factor, *_ in told}) == 1, "one was asked for both: each ctx "
         "has its own owner"),
    ]  # fmt: skip
    because = "two objects of one class, two ctxs"
    what = "(factor, *saved_tensors) in the backward of each, sorted,"
    expect(sorted(told), [(2, 3.0, 5.0), (10, 5.0, 5.0)], what, slips=slips, because=because)
    expect(y.grad, 106.0, "2 * x * y + 10 * y * y by two objects, 3 and 5: y.grad")


@pytest.mark.exercise("10.6", points=1)
def test_the_object_forgets_what_it_saved():
    multiply, x, y = product(), leaf(3.0), leaf(5.0)
    z = called(multiply, x, y)
    because = "an object that's kept would keep them, after the pass too"
    what = "the object's saved_tensors after its call"
    expect(multiply.saved_tensors, (), what, because=FORGETS)
    constant = product()
    called(constant, tt.tensor(3.0), tt.tensor(5.0))
    what = "an object's saved_tensors after its call with constants"
    expect(constant.saved_tensors, (), what, because=f"recorded or not: {FORGETS}")
    z.backward()
    what = "the object's saved_tensors after its backward"
    slips = [(lambda saved: bool(saved), because), ([], "a tuple, without tensors in it")]
    expect(multiply.saved_tensors, (), what, slips=slips)

    class Fails(tt.modes.Function):
        def forward(self, x):
            self.save_for_backward(x)
            return x * 2

        def backward(self, grad):
            raise ZeroDivisionError

    fails = Fails()
    error = error_of(called(fails, x, what="an object whose backward fails").backward)
    what = "the error that comes out of a backward that raises it"
    expect(type(error), ZeroDivisionError, what, because="an exception goes on as it came")
    what = "the object's saved_tensors after its backward raised an exception"
    expect(fails.saved_tensors, (), what, because="exception or not")


@pytest.mark.exercise("10.6", points=1)
def test_the_ctx_keeps_the_saved_tensors():
    x, y = leaf(3.0), leaf(5.0)
    multiply = product()
    z = called(multiply, x, y)
    with calling("backward(retain_graph=True) on x * y by an object"):
        z.backward(retain_graph=True)
    kept = "a graph may be gone through again: what forward noted on the ctx stays there"
    slips = {ValueError: "the ctx still has them: ask it anew", AttributeError: kept}
    with calling("a second backward(), after one with retain_graph=True,", slips=slips):
        z.backward()
    expect(x.grad, 10.0, "x.grad after both, x * y by an object, 3 and 5,")
    because = "keep what was saved by ctx.save_for_backward, which lets go of it after a pass"
    expect_raises(RuntimeError, z.backward, "a third backward()", because=because)
    z = called(product(), x, y)
    with tt.no_grad():
        y.mul_(2)
    because = "a ctx notices that what it saved was changed in place"
    what = "backward() after y was changed in place"
    expect_raises(RuntimeError, z.backward, what, because=because)


@pytest.mark.exercise("10.6", points=1)
def test_what_the_object_saved_is_what_it_gets_back():
    class Exp(tt.modes.Function):
        def forward(self, x):
            y = x.exp()
            made.append(y.detach().numpy())
            self.save_for_backward(y, x)
            return y

        def backward(self, grad):
            told.append([round(float(tensor), 4) for tensor in self.saved_tensors])
            return grad * self.saved_tensors[0]

    told, made, x = [], [], leaf(2.0)
    y = called(Exp(), x, what="an object that saves its result, and its input")
    slips = {IndexError: EMPTY, TypeError: SINGLE}
    with calling("backward() on an object that gives a single Tensor", slips=slips):
        y.backward()
    slips = [(([2.0],), "that's the input, and not what forward saved")]
    what = "the saved_tensors in the backward of an object that saved exp(2) and 2"
    because = "what forward saved, in its order"
    expect(tuple(told), ([7.3891, 2.0],), what, slips=slips, because=because)
    expect(x.grad, float(np.exp(2)), "x.grad from that object")
    y = called(Exp(), x, what="that object")
    fail_if(not np.shares_memory(made[-1], y.detach().numpy()), "what an object gave isn't what its"
            " forward gave: a copy isn't what it saved")  # fmt: skip
    slope = tt.autograd.grad(y, x, create_graph=True)[0]
    recorded = "on a recorded way back, what was saved has its history, and nothing is switched off"
    with calling("the second derivative of exp by an object", slips={RuntimeError: recorded}):
        (again,) = tt.autograd.grad(slope, x)
    expect(again, float(np.exp(2)), "the second derivative of exp by an object, at 2")
    y = called(product(), x, tt.tensor(3.0))
    (slope,) = tt.autograd.grad(y * y, x, create_graph=True)
    as_they_come = "owner.backward gets the gradients as they come, with their history"
    slips = {RuntimeError: as_they_come}
    with calling("the second derivative of y * y, y = x * 3 by an object", slips=slips):
        (again,) = tt.autograd.grad(slope, x)
    expect(again, 18.0, "the second derivative of y * y, y = x * 3 by an object")


@pytest.mark.exercise("10.6", points=1)
def test_lists_single_tensors_and_things_that_are_no_tensors():
    class Both(tt.modes.Function):
        def forward(self, x, factor, unasked):
            self.factor = factor
            return [x * factor, x + 1]

        def backward(self, one, other):
            return [one * self.factor + other, None, None]

    x, unasked = leaf(3.0), leaf(3.0)
    got = called(Both(), x, 10, unasked, what="an object whose forward gives a list")
    slips = {list: "a list becomes a tuple"}
    expect(type(got), tuple, "the type of two results", slips=slips)
    expect([float(t) for t in got], [30.0, 4.0], "the two results of an object, x * 10 and x + 1,")
    places = f"{PLACES}, out of a list too, a None where it gave None"
    slips = {TypeError: ONE_BY_ONE, RuntimeError: places}
    what = "backward() on both results of an object whose backward gives a list"
    with calling(what, slips=slips):
        (got[0] + got[1] * 100).backward()
    expect(x.grad, 110.0, "x.grad, from x * 10 + (x + 1) * 100 by an object")
    because = "a None from owner.backward stays None: no gradient, and no zeros"
    expect(unasked.grad, None, "the grad of an input that got None", because=because)

    class Twice(tt.modes.Function):
        def forward(self, x):
            return x * 2

        def backward(self, grad):
            return grad * 2

    x = leaf([3.0, 4.0])
    y = called(Twice(), x, what="an object that saves nothing")
    with calling("backward() on 2 x by an object, which gives a single Tensor",
                 slips={TypeError: SINGLE, RuntimeError: SINGLE}):  # fmt: skip
        y.backward(tt.tensor([1.0, 10.0], dtype=tt.float64))
    expect(x.grad, [2, 20], "x.grad, from 2 x by an object that gives a single Tensor,")

    class Alone(Twice):
        def forward(self, x):
            self.save_for_backward(None, x)
            return [x * 2]

        def backward(self, grad):
            told.append([tensor is None for tensor in self.saved_tensors])
            return [grad * 2]

    told, x = [], leaf(3.0)
    got = called(Alone(), x, what="an object whose forward gives a list of one")
    slips = [(lambda kind: issubclass(kind, tt.Tensor), "a list of one becomes a tuple of one")]
    expect(type(got), tuple, "the type of what a list of one result became", slips=slips)
    with calling("backward() on a result of an object that saved None and a Tensor"):
        got[0].backward()
    because = "a None that was saved has its place"
    which = "which of the saved (None, x) are None"
    expect(tuple(told), ([True, False],), which, because=because)


def read(result, what):
    """The lines of get_symbol(result)."""
    slips = [(lambda e: "<Split" in str(e), f"{OUTPUTS}: reachable() has them all"),
             (KeyError, "entry_of looks up the node and its inputs in {node: name}: oldest first, "
              "and each name before its entry"),
             (worded(TypeError, 'concatenate str (not "int")'), "a counter gives numbers: the name "
              "is a text with one in it"),
             (lacks("AccumulateGrad", "is_leaf"), "a Tensor knows whether it's a leaf; a leaf's "
              "node is an AccumulateGrad"),
             (lambda e: "'append'" in str(e), "append() changes the list, and gives None"),
             (lambda e: "NoneType" in str(e), "a leaf has no grad_fn: recorded_node(x) has its "
              "node"),
             (lambda e: re.search("(Backward0?|AccumulateGrad|Node)' object is not iter", str(e)),
              "reachable() wants a list, of one node too: reachable([node])"),
             (lambda e: "'Tensor' object has no" in str(e), "reachable() wants nodes, and "
              "recorded_node(x) is that of x")]  # fmt: skip
    with calling(f"get_symbol({what})", slips=slips):
        symbol = tt.modes.get_symbol(result)
    fail_if(symbol is None, f"get_symbol({what}) gave None: it has to return the Symbol")
    came = repr(symbol) if isinstance(symbol, type) else f"a {type(symbol).__name__}"
    reason = ": Symbol(entries)" if isinstance(symbol, list) else ""
    fault = f"get_symbol({what}) gave {came}, expected a Symbol{reason}"
    fail_if(not isinstance(symbol, tt.modes.Symbol), fault)
    kind = type(symbol.entries).__name__
    fault = f"get_symbol({what}).entries is a {kind}: hand over a list"
    fail_if(not isinstance(symbol.entries, list), fault)
    kinds = [type(entry).__name__ for entry in symbol.entries]
    strange = [kind for kind in kinds if kind != "SymbolEntry"]
    fault = f"get_symbol({what}).entries holds a {strange and strange[0]}"
    fail_if(strange, f"{fault}, expected what entry_of gives, as it is")
    return str(symbol).splitlines()


@pytest.mark.exercise("10.7", points=2)
def test_each_node_has_a_line_the_oldest_first():
    x, y = leaf(2.0), leaf(3.0)
    got = read((x * y + x).exp(), "(x * y + x).exp()")
    want = ["x0: leaf of shape ()", "x1: leaf of shape ()", "v0 = Mul(x0, x1)", "v1 = Add(v0, x0)",
            "v2 = Exp(v1)"]  # fmt: skip
    apart = "leaves and results are counted apart: x0, x1, v0, v1, v2"
    slips = [
        (lambda got: got == want[:1], "the first line alone: return when all nodes have one"),
        (lambda got: "v0: leaf" in got[0], "leaves are called x0, x1, ..., all others v0, v1, ..."),
        (lambda got: got == want[:-1], "the node of x itself is one of them, the last"),
        (lambda got: "count(" in str(got), "a counter is no number: next(counter) gives its next"),
        (lambda got: "Exp" in got[0], "the oldest comes first"),
        (lambda got: len(got) == 5 and "x0" not in str(got) and "x2" in str(got),
         "both counts begin with 0"),
        (lambda got: any("v3" in line or "v4" in line for line in got), apart),
        (lambda got: any("v1 =" in line for line in got[2:3]), "begin with v0"),
        (lambda got: "x1" not in "".join(got), "the second leaf is x1"),
        (lambda got: not any(":" in line for line in got), "leaves have a line, too"),
        (lambda got: "v0 = Exp" in got[-1], "names are given from the oldest on"),
        (lambda got: "v0 = Mul(x1, x0)" in got, "x0 is the oldest, whoever was found first"),
        (lambda got: len(got) > 5, "one line for each node, however often it's used"),
    ]  # fmt: skip
    expect(got, want, "get_symbol((x * y + x).exp())", slips=slips)


@pytest.mark.exercise("10.7", points=2)
def test_a_line_uses_only_what_stands_above_it():
    a = leaf(2.0)
    b = a * a
    c = leaf(4.0)
    got = read(c * (b + 1).exp() - b, "c * (b + 1).exp() - b, b = a * a, c made after b")
    want = [
        "x0: leaf of shape ()",
        "v0 = Mul(x0, x0)",
        "x1: leaf of shape ()",
        "v1 = Add(v0, constant)",
        "v2 = Exp(v1)",
        "v3 = Mul(x1, v2)",
        "v4 = Sub(v3, v0)",
    ]
    slips = [(lambda got: sorted(got) == sorted(want), "the order is that of birth: reachable()"),
             (lambda got: "v0 = Mul(x1, x1)" in got, "x0 is the oldest, whoever was found first"),
             (lambda got: "x0" not in str(got), "each symbol has names of its own, from x0 and v0"),
             (lambda got: len(got) == 7 and got[:2] == want[:2] and got[2] != want[2],
              "a leaf stands where it was born, between the results")]  # fmt: skip
    expect(got, want, "get_symbol(c * (b + 1).exp() - b), b = a * a, c made after b", slips=slips)
    older, younger = leaf([2.0]), leaf([3.0, 4.0])
    got = read(younger * older, "younger * older")
    want = ["x0: leaf of shape (1,)", "x1: leaf of shape (2,)", "v0 = Mul(x1, x0)"]
    slips = [(lambda got: "Mul(x0, x1)" in str(got), "x0 is the oldest, whoever is used first")]
    expect(got, want, "get_symbol(younger * older), two leaves", slips=slips)
    first, second = leaf([2.0, 3.0]).chunk(2)
    want = ["x0: leaf of shape (2,)", "v0 = Split(x0)", "v1 = Split(v0)"]
    slips = [(lambda got: got == want[:2], f"{OUTPUTS}: recorded_node(x) gives it")]
    got = read(second, "x.chunk(2)[1]")
    expect(got, want, "get_symbol(x.chunk(2)[1])", slips=slips)
    got, want = read(first * second, "p * q"), [*want, "v2 = Split(v0)", "v3 = Mul(v1, v2)"]
    expect(got, want, "get_symbol(p * q), p and q from x.chunk(2)")


@pytest.mark.exercise("10.7", points=1)
def test_the_leaves_have_names():
    x, y, z = leaf(2.0), leaf([3.0, 4.0]), leaf([[5.0]])
    no_method = (worded(TypeError, "'str' object is not callable"), "an entry's name is a text")
    with calling("get_symbol(…).list_arguments()", slips=[no_method]):
        got = tt.modes.get_symbol((x * y).exp() * z - 7).list_arguments()
    slips = [([], "the operation of a leaf's entry is None"),
             (lambda got: not isinstance(got, list), "a list is what's asked for"),
             (lambda got: sorted(got) == ["x0", "x1", "x2"], "the oldest first"),
             (lambda got: "constant" in got, "a constant is no leaf"),
             (lambda got: any("v" in name for name in got), "only leaves have no operation"),
             (lambda got: len(got) == 3 and not isinstance(got[0], str), "their names, not the "
              "entries")]  # fmt: skip
    expect(got, ["x0", "x1", "x2"], "list_arguments() of a symbol with three leaves", slips=slips)
    many = sum((leaf(1.0) for _ in range(12)), leaf(1.0))
    lines = read(many, "a sum of 13 leaves")
    names = [line.partition(":")[0] for line in lines if "leaf" in line]
    want = [f"x{number}" for number in range(13)]
    expect(names, want, "the names of the leaves in get_symbol(a sum of 13 leaves)")
    symbol = tt.modes.get_symbol(many)
    got = symbol.list_arguments()
    slips = [(["x0", "x1"], "leaves stand between the results, too: look at each entry"),
             (lambda got: got[2] == "x10", "the oldest first, not by the alphabet")]  # fmt: skip
    expect(got, want, "list_arguments() of a symbol with 13 leaves", slips=slips)
    what = "list_arguments() changed the symbol's entries: it only reads them"
    fail_if(len(symbol.entries) != len(lines), what)
    x = leaf(2.0)
    got = read(x * x, "x * x"), tt.modes.get_symbol(x * x).list_arguments()
    slips = [(["x0", "x0"], "each leaf once, however often it's used")]
    expect(got[1], ["x0"], "list_arguments() of get_symbol(x * x)", slips=slips)
    x, y = leaf([2.0]), leaf([3.0, 4.0])
    x._node = tt.modes.WriteGrad(x)
    what = "x * y, x marked with 'write',"
    kinds = "an AccumulateGrad of any kind is a leaf's, a WriteGrad too: isinstance"
    got = read(x * y, what), tt.modes.get_symbol(x * y).list_arguments()
    slips = [(lambda got: "v0: leaf" in str(got), kinds)]
    want = ["x0: leaf of shape (2,)", "x1: leaf of shape (1,)", "v0 = Mul(x1, x0)"]
    expect(got[0], want, f"the lines of get_symbol({what[:-1]})", slips=slips)
    slips = [(["x0"], kinds), (["x1", "x0"], "the oldest first, not in the order of use")]
    expect(got[1], ["x0", "x1"], f"list_arguments() of get_symbol({what[:-1]})", slips=slips)
    x = leaf(2.0)
    got = read(x, "x, a leaf"), tt.modes.get_symbol(x).list_arguments(), tt.modes.get_symbol(x).name
    expect(got, (["x0: leaf of shape ()"], ["x0"], "x0"), "a leaf's symbol, its leaves, its name")


@pytest.mark.exercise("10.7", points=1)
def test_what_is_not_there_is_an_error():
    x = leaf(2.0)
    constant = tt.tensor(3.0) * 2
    slips = {AttributeError: "recorded_node(x) says so", None: "recorded_node(x) says so"}
    call = lambda: tt.modes.get_symbol(constant)  # noqa: E731
    what = "get_symbol of a tensor that wasn't recorded"
    expect_raises(RuntimeError, call, what, slips=slips, says=["recorded"])
    y = x.exp()
    z = y + 1
    read(z, "z")
    y.backward()
    call = lambda: tt.modes.get_symbol(z)  # noqa: E731

    def says_so_at_first(got):
        """Is a freed graph an error where nobody has read it before it was freed?"""
        other = leaf(2.0).exp()
        after = other + 1
        other.backward()
        raised = error_of(lambda: tt.modes.get_symbol(after))
        return isinstance(got, tt.modes.Symbol) and isinstance(raised, RuntimeError)

    slips = [(says_so_at_first, "that's what an earlier call found: each call looks anew"),
             (None, "entry_of says it of each node, the first one too"),
             (KeyError, "entry_of says it of each node: hand it the freed ones, too")]  # fmt: skip
    expect_raises(RuntimeError, call, "get_symbol of a freed graph", slips=slips, says=["freed"])
