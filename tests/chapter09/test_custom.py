"""Chapter 9: a linear layer of our own, and the solution that LAPACK finds."""

import itertools
import re
from traceback import walk_tb

import numpy as np
import pytest

import tinytorch as tt
from course.testing import calling, calls_of, expect, expect_raises, fail_if, lacks, leaf, worded

HISTORY = "compute gradients from the Tensors, with Tensor operations: then they have a history"
CHEAP = ("t", "transpose", "permute", "view", "reshape", "expand", "unsqueeze", "alias", "select")
X = ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0))  # N = 3, n = 2
WEIGHT = ((1.0, 0.0), (0.0, 10.0), (2.0, 1.0), (0.0, 0.0))  # m = 4
BIAS = (100.0, 200.0, 300.0, 400.0)
SENT = ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 10.0))
SHAPES = "each gradient stands where its argument does, and has its shape"
OVER_ROWS = "one bias was added to N rows: sum them, over axis 0"
WANTED = "needs_input_grad says which gradients are wanted: None for the others"
OF_SOLVE = (  # which shapes come of what
    ((((2,), (2, 2)),), "A's gradient comes first, as A does among the arguments"),
    ((((), (2,)), ((1,), (2,)), ((2,), (2,)), ((1, 2), (2,)), ((2, 1), (2,))), "A's gradient has "
     "a number for each of A's: each grad_b[i] meets each x[j]"),
    ((((4, 2), (2, 2)), ((2, 2), (2, 2))), "grad_b has a number for each equation: A is a matrix, "
     "and dividing by it is solving a system"),
)  # fmt: skip
BY_APPLY = lambda e: "takes no arguments" in str(e)  # noqa: E731 - a Function that was called
KEPT = (
    lambda e: type(e.obj).__name__ == "FunctionNode",
    "what save_for_backward kept comes back as ctx.saved_tensors",
)
ANEW = "the gradients are computed in each call, with what came for it"
LEARNS = "the layer's own {0} goes into apply, self.{0} itself: a copy of it never learns"


def linear(x, weight, bias, what="FunctionalLinear.apply(x, weight, bias)"):
    slips = [
        (lambda e: "NoneType" in str(e), "the bias may be None: then nothing is added"),
        (lambda e: "matmul" in str(e) or "shapes" in str(e), "x is (N, n), weight is (m, n)"),
        (lambda e: "ambiguous" in str(e), "ask whether the bias is None, not whether it's true"),
        (worded(TypeError, "save_for_backward"), "save_for_backward takes Tensors"),
    ]
    with calling(what, slips=slips):
        y = tt.custom.FunctionalLinear.apply(x, weight, bias)
    fail_if(y is None, f"{what} gave None: is there a return?")
    return y


def backward(y, sent, what):
    missing = any(pair is None for pair in getattr(y.grad_fn, "saved", None) or ())
    slips = [
        (lambda e: "returned" in str(e) and "gradients for" in str(e),
         "one gradient for each argument of forward"),
        (lambda e: missing and "NoneType" in str(e), "forward saved a None here, and backward "
         "computes with it"),
        (lambda e: "NoneType" in str(e) and "Solve" in what and has_none(e), "grad_A is made of "
         "grad_b, and so grad_b is needed in any case: None has nothing to multiply"),
        (lambda e: "NoneType" in str(e), "nothing can be computed with None, which is all there is "
         "of a gradient that isn't wanted"),
        (UnboundLocalError, "a name has to stand for something before it's used, in any case: None "
         "where nothing is wanted"),
        (worded(TypeError, "'tuple' object is not callable"), "needs_input_grad and saved_tensors "
         "are properties: no parentheses"),
        (BY_APPLY, "Solve.apply(…) calls a Function: Solve(…) would make an object of the class"),
        (lacks("ndarray", "numpy"), "Solve.apply takes Tensors, and keeps their history"),
        (lambda e: "Solve" in what and "matmul" in str(e), "a column (n, 1) times a row (n,) makes "
         "a matrix, by *; @ wants a row of shape (1, n)"),
        *[(lambda e, shapes=shapes: is_shape(e) and "Solve" in what and solves() in shapes, why)
          for shapes, why in OF_SOLVE],
        (lambda e: "Solve" not in what and "of shape (2, 4) for input 1" in str(e), "weight is "
         "(m, n), and that's (n, m): turn it round"),
        (lambda e: is_shape(e) and "Solve" not in what and "for input 2" in str(e), OVER_ROWS),
        (is_shape, SHAPES),
        (lambda e: "Solve" not in what and is_product(e), "grad_y is (N, m), x is (N, n), "
         "weight is (m, n): of two matrices, by @, which products fit?"),
        KEPT,
        (lambda e: "not enough values" in str(e) or "too many values" in str(e),
         "saved_tensors gives back what forward saved, as many as that"),
        (lambda e: "no attribute 'saved_tensors'" in str(e), "a ctx comes first: Solve.apply makes "
         "one and calls forward, so it's apply that solves another system"),
    ]  # fmt: skip
    with calling(f"backward() on {what}", slips=slips):
        y.backward(tt.tensor(sent, dtype=y.dtype))


def is_product(error):
    return "matmul" in str(error) or "broadcast" in str(error)


def is_shape(error):
    return "of shape" in str(error) and "for input" in str(error)


def solves():
    """The shapes of both gradients that Solve.backward gives, n = 2."""
    ctx = tt.custom.Solve.apply(leaf(A), leaf(B)).grad_fn
    with tt.no_grad():
        grads = tt.custom.Solve.backward(ctx, tt.tensor(B, dtype=tt.float64))
    return tuple([tuple(grad.shape) for grad in grads])


def has_none(error):
    """Does a name in the student's backward stand for None, where it went wrong?"""
    return any(value is None for value in calls_of("backward", error)[-1].values())


def expect_unchanged(what, **given):
    """The arguments of a call have the numbers that they had before: name=(Tensor, numbers)."""
    because = "forward only reads what it gets"
    for name, (tensor, numbers) in given.items():
        expect(tensor, np.array(numbers), f"{name} after {what}.apply", because=because)


@pytest.mark.exercise("9.6", points=2)
def test_a_linear_operation_of_its_own():
    x, weight, bias = leaf(X), leaf(WEIGHT), leaf(BIAS)
    product = np.array(X) @ np.array(WEIGHT).T
    y = linear(x, weight, bias)
    expect_unchanged("FunctionalLinear", x=(x, X), weight=(weight, WEIGHT), bias=(bias, BIAS))
    slips = [(product, "the bias is added to each row")]
    expect(y, product + BIAS, "FunctionalLinear.apply(x, weight, bias)", slips=slips)
    what = "the dtype of FunctionalLinear.apply(x, weight, bias)"
    expect(y.dtype, np.dtype("float64"), what, because="that of x and weight")
    slips = {"AddBackward0": "subclass Function's apply runs it: forward isn't recorded"}
    name = y.grad_fn.name()
    what = "the name of the node of FunctionalLinear.apply(x, weight, bias)"
    expect(name, "FunctionalLinearBackward", what, slips=slips)
    y = linear(x, weight, None, "FunctionalLinear.apply(x, weight, None)")
    expect(y, product, "FunctionalLinear.apply(x, weight, None)", because="no bias, nothing added")
    what = "the dtype of FunctionalLinear.apply(x, weight, None)"
    expect(y.dtype, np.dtype("float64"), what, because="that of x and weight")
    half = [tt.tensor(a, dtype=tt.float16) for a in (X, WEIGHT)]
    because = "that of x and weight: nothing is added where bias is None, and no zeros either"
    got = linear(*half, None, "FunctionalLinear.apply(x, weight, None) in float16").dtype
    expect(got, np.dtype("float16"), f"{what}, both in float16,", because=because)
    zeros = linear(x, weight, leaf(np.zeros(4)))
    expect(zeros, product, "FunctionalLinear.apply with a bias of zeros")


@pytest.mark.exercise("9.6", points=1)
def test_it_saves_what_backward_needs():
    x, weight, bias = leaf(X), leaf(WEIGHT), leaf(BIAS)
    for b, text in ((bias, "bias"), (None, "None")):
        what = f"how many tensors FunctionalLinear.apply(x, weight, {text}) saved"
        saved = linear(x, weight, b).grad_fn.saved_tensors
        slips = {3: "no gradient needs any other: x and weight are enough",
                 0: "ctx.save_for_backward keeps them"}  # fmt: skip
        expect(len(saved), 2, what, slips=slips)
        for got, want, name in zip(saved, (X, WEIGHT), ("x", "weight"), strict=True):
            what = f"{name}, as FunctionalLinear.apply(x, weight, {text}) saved it,"
            expect(got, np.array(want), what, because="x and weight, as they came, in this order")
            because = "save x and weight themselves, no copies: copies have no history"
            expect(got.requires_grad, True, f"requires_grad of {what}", because=because)


@pytest.mark.exercise("9.6", points=2)
def test_each_input_gets_its_gradient():
    x, weight, bias = leaf(X), leaf(WEIGHT), leaf(BIAS)
    what = "FunctionalLinear"
    backward(linear(x, weight, bias), SENT, what)
    sent = np.array(SENT)
    slips = [(lambda g: g is None, "x wants a gradient")]
    expect(x.grad, sent @ WEIGHT, f"{what}: x.grad", slips=slips)
    slips = [(lambda g: g is None, "weight wants a gradient")]
    expect(weight.grad, sent.T @ X, f"{what}: weight.grad", slips=slips)
    slips = [(lambda g: g is None, "bias wants a gradient"),
             (sent.mean(0), "the bias served N rows: the sum, not the mean"),
             ([1.0] * 4, "what comes for y matters"), (np.full(4, sent.sum()), "sum over the rows, "
              "axis 0, not over all")]  # fmt: skip
    expect(bias.grad, [1, 1, 1, 10], f"{what}: bias.grad", slips=slips)
    x, weight = leaf(np.eye(2)), leaf([[1.0, 2.0], [3.0, 4.0]])
    backward(linear(x, weight, None), [[1.0, 0.0], [10.0, 100.0]], "square matrices")
    slips = [([[1, 3], [210, 430]], "y = x @ weight.T, and so grad_x = grad_y @ weight")]
    expect(x.grad, [[1, 2], [310, 420]], "square matrices: x.grad", slips=slips)
    slips = [([[1, 0], [10, 100]], "grad_weight has a row for each row of weight: grad_y.T @ x")]
    expect(weight.grad, [[1, 10], [0, 100]], "square matrices: weight.grad", slips=slips)
    expect_anew(what, (leaf(X), leaf(WEIGHT), leaf(BIAS)), SENT)


def expect_anew(name, given, sent):
    """A second backward of one call gives the gradients for what is sent then."""
    function = getattr(tt.custom, name)
    ctx, sent = function.apply(*given).grad_fn, tt.tensor(sent, dtype=tt.float64)
    with tt.no_grad(), calling(f"a second {name}.backward of the same ctx"):
        first, second = (function.backward(ctx, factor * sent) for factor in (1, 10))
    pairs = [[grad.detach().numpy() for grad in grads] for grads in (first, second)]
    for place, (before, now) in enumerate(zip(*pairs, strict=True)):
        what = f"{name}.backward, called again and sent 10 times as much: gradient {place}"
        slips = [(before, f"that's the one of the first call: {ANEW}")]
        expect(now, 10 * before, what, slips=slips, because=ANEW)


def computed(wanted):
    """(what backward gave where only `wanted` is wanted, how many operations that took, in words)

    Operations that only turn or reshape don't count.
    """
    pairs = zip((X, WEIGHT, BIAS), wanted, strict=True)
    given = [leaf(data).requires_grad_(asks) for data, asks in pairs]
    function, sent = tt.custom.FunctionalLinear, leaf(SENT)
    ctx = tt.function_node.FunctionNode(function, given)
    with tt.no_grad(), calling("FunctionalLinear.forward(ctx, x, weight, bias)"):
        function.forward(ctx, *given)
    for tensor in given:
        tensor.requires_grad_()  # from now on: needs_input_grad says how it was
    what, made = f"FunctionalLinear.backward, needs_input_grad = {wanted},", []
    tt.node.watchers.append(made.append)
    try:
        with calling(what, slips=[KEPT]):
            got = function.backward(ctx, sent)
    finally:
        tt.node.watchers.pop()
    names = [node.name().removesuffix("Backward0").lower() for node in made]
    return got, sum(name not in CHEAP for name in names), what


@pytest.mark.exercise("9.6", points=2)
def test_what_nobody_wants_is_not_computed():
    counts = {}
    for wanted in itertools.product((True, False), repeat=3):
        got, counts[wanted], what = computed(wanted)
        kind = type(got).__name__
        fail_if(not isinstance(got, tuple), f"{what} gave {kind}, expected a tuple")
        expect(len(got), 3, f"how many gradients {what} gave", because="one for each argument")
        there = tuple(g is not None for g in got)
        expect(there, wanted, f"which gradients {what} gave", because=WANTED)
        for gradient, shape in zip(got, ((3, 2), (4, 2), (4,)), strict=True):
            if gradient is not None:
                slips = [(lambda got: got == (1, 4), "the rows are summed, and their axis has to "
                          "go, too: keepdim leaves it there"),
                         (lambda got, shape=shape: shape == (4,), OVER_ROWS)]  # fmt: skip
                says = f"the shape of a gradient from {what}"
                expect(tuple(gradient.shape), shape, says, slips=slips, because=SHAPES)
                expect(gradient.dtype, np.dtype("float64"), says.replace("shape", "dtype"),
                       because="a gradient has the dtype of its argument")  # fmt: skip
    says = "how many operations on Tensors backward took where {} wanted"
    none = f"{says.format('all are')} = 0, expected 1 or more: {HISTORY}"
    fail_if(not counts[True, True, True], none)
    ones = [counts[wanted] for wanted in counts if sum(wanted) == 1]
    idle = counts[False, False, False]
    thrown = "what nobody wants was computed, and thrown away"
    if 0 < idle < counts[True, True, True]:
        run = "runs" if idle == 1 else "run"
        thrown = f"{idle} of them {run} in any case, even where nothing is wanted"
    slips = [(lambda count: count > counts[True, True, True], thrown)]
    what = f"{says.format('x is')}, plus those for weight, plus those for the bias,"
    expect(sum(ones), counts[True, True, True], what, slips=slips, because="as many as for all")
    expect(counts[False, False, False], 0, says.format("nothing is"), because=WANTED)


@pytest.mark.exercise("9.6", points=1)
def test_its_way_back_can_be_differentiated():
    x, weight, bias = leaf(X), leaf(WEIGHT), leaf(BIAS)
    y = linear(x, weight, bias)
    loss = (y * y).sum()
    with calling("grad(…, create_graph=True) through FunctionalLinear"):
        found = tt.autograd.grad(loss, [x, weight, bias], create_graph=True)
    for grad, name in zip(found, ("x", "weight", "bias"), strict=True):
        what = "grad(loss, [x, weight, bias], create_graph=True) through FunctionalLinear"
        what = f"{what}: requires_grad of the gradient of {name}"
        expect(grad.requires_grad, True, what, because=HISTORY)
    dx = found[0]
    slips = {RuntimeError: HISTORY}
    with calling("the second derivative through FunctionalLinear", slips=slips):
        (again,) = tt.autograd.grad(dx[0, 0], x, retain_graph=True)
    expect(again[0], [10, 4], "the slopes of the slope for x[0, 0] in x[0]", because=HISTORY)
    kept = "saved_tensors have their history: detach() loses it"
    for first, second, names in ((x, weight, "x weight"), (weight, x, "weight x")):
        y, (one, other) = linear(x, weight, None), names.split()
        (slope,) = tt.autograd.grad(y[0, 0], first, create_graph=True)
        what = f"the slopes in {other}[0] of the slope of y[0, 0] for {one}[0, 0]"
        with calling(what, slips={RuntimeError: kept}):
            (again,) = tt.autograd.grad(slope[0, 0], second, allow_unused=True)
        fail_if(again is None, f"{what} are a known zero: {kept}")
        expect(again[0], [1, 0], what, because=kept)


@pytest.mark.exercise("9.6", points=3)
def test_a_layer_takes_any_leading_axes():
    layer = tt.custom.Linear(2, 3, np.random.default_rng(0))
    weight, bias = layer.weight.detach().numpy(), np.array([1.0, 2.0, 3.0], np.float32)
    layer.bias = tt.tensor(bias, requires_grad=True)
    for shape in ((4, 2), (2,), (5, 4, 2), (1, 2), (2, 2, 2, 2)):
        x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
        what = f"Linear(2, 3) of x of shape {shape}"
        slips = [(lambda e: "reshape" in str(e), "x of shape (..., n) becomes (N, n), and y of "
                  "shape (N, m) becomes (..., m)"),
                 (lambda e: forward_got(e, "weight").shape == (2, 3), "weight goes into apply as "
                  "it is, (m, n): it's forward that turns it"),
                 (is_of_other_rows, "x of shape (..., n) becomes (N, n): its last axis stays, and "
                  "all the others become the N rows"),
                 (lambda e: "matmul" in str(e), "FunctionalLinear knows matrices only: make one "
                  "of x"),
                 (lambda e: "save_for_backward" in str(e), "FunctionalLinear.apply calls forward, "
                  "with a ctx"),
                 (BY_APPLY, "FunctionalLinear.apply(…) is what calls a Function"),
                 (worded(TypeError, "'bias'"), "forward has three arguments: self.bias, too"),
                 (worded(TypeError, "of type Size"), "the lengths go in one by one: "
                  "*x.shape[:-1]"),
                 (lambda e: re.search(r"shape \(\d+, 2\) is invalid", str(e)), "N is the product "
                  "of all axes but the last one, be it none or three: -1 stands for it"),
                 (lambda e, shape=shape: str(e).endswith(f"elements, shape {shape}"), "x of shape "
                  "(..., n) becomes (N, n), and n is weight.shape[1]"),
                 (worded(RuntimeError, "is invalid for"), "y of shape (N, m) becomes (..., m), "
                  "with the axes of x before the last one"),
                 (worded(IndexError, "out of range"), "x may have a single axis: reshape(-1, n) "
                  "makes a matrix of any x"),
                 (worded(ValueError, "values to unpack"), "x may have any number of axes: "
                  "*x.shape[:-1] are all but the last"),
                 (is_own, "this x fits: its last axis is n = 2 long, and weight is "
                  "(m, n)")]  # fmt: skip
        given = tt.tensor(x, requires_grad=True)
        layer.weight.grad = layer.bias.grad = None
        with calling(what, slips=slips):
            y = layer(given)
        want = x @ weight.T + bias
        slips = [(x @ weight.T, "its bias belongs to the layer"),
                 (lambda y, want=want: y.shape != want.shape, "all axes but the last one are those "
                  "of x")]  # fmt: skip
        expect(y, want, what, slips=slips)
        names = names_behind(y)
        because = "FunctionalLinear.apply does it"
        count = names.count("FunctionalLinearBackward")
        slips = [(lambda count: count > 1, "one call does all rows, as a single matrix")]
        says = f"how many FunctionalLinearBackward are behind {what}"
        expect(count, 1, says, slips=slips, because=because)
        because = "a layer is one box: FunctionalLinear.apply gets the bias, too, and adds it"
        count = names.count("AddBackward0")
        expect(count, 0, f"how many AddBackward0 are behind {what}", because=because)
        matmul = lambda e: "matmul" in str(e)  # noqa: E731
        matrices = "FunctionalLinear knows matrices only: make one of x"
        with calling(f"backward() on {what}", slips=[(matmul, matrices)]):
            y.sum().backward()
        want = np.broadcast_to(weight.sum(0), shape)
        slips = [(lambda g: g is None, "x.reshape has a way back, an array has none")]
        expect(given.grad, want, f"{what}: x.grad", slips=slips)
        expect_to_learn(layer, x, f"backward() on {what}")
    layer.weight.grad = layer.bias.grad = None
    x, what = np.array([[1, 10], [2, 20]], np.float32), "Linear(2, 3) of a constant x"
    alone = "the first layer of a network gets constants: its weight and bias learn all the same"
    with calling(f"backward() on {what}", slips={RuntimeError: alone}):
        layer(tt.tensor(x)).sum().backward()
    expect_to_learn(layer, x, f"backward() on {what}")
    array = np.arange(12, dtype=np.float32).reshape(3, 2, 2)
    far = [(lambda e: "without copying" in str(e), "these rows don't lie one behind the other in "
            "memory: reshape copies where it has to")]  # fmt: skip
    for x, text in ((tt.tensor(array).transpose(0, 1), "x.transpose(0, 1)"),
                    (tt.tensor(array)[:, ::2], "x[:, ::2]")):  # fmt: skip
        what = f"Linear(2, 3) of {text}, x of shape (3, 2, 2),"
        with calling(what, slips=far):
            y = layer(x)
        expect(y, x.numpy() @ weight.T + bias, what)
    plain = tt.custom.Linear(2, 3, np.random.default_rng(0), bias=False)
    x = tt.tensor([[1.0, 2.0]])
    with calling("Linear(2, 3, bias=False) of x of shape (1, 2)"):
        y = plain(x)
    expect(y, [[1, 2]] @ weight.T, "Linear(2, 3, bias=False) of [[1, 2]]")
    fail_if(plain.bias is not None, "Linear(2, 3, bias=False) has a bias after it was called: "
            "a call leaves the layer as it is, and None goes into apply")  # fmt: skip
    because = "the layer's weight is self.weight, as it is now"
    for rows in ([[1.0, 10.0], [0.0, 0.0], [0.0, 1.0]], [[1.0, 10.0]]):
        plain.weight = tt.tensor(rows)
        want = [[1, 2]] @ np.array(rows).T
        slips = [([[1, 2]] @ weight.T, f"that was before: {because}"),
                 (lambda y, want=want: y.shape != want.shape, "all axes but the last one are those "
                  "of x")]  # fmt: skip
        what = f"the same layer, with weight {rows} by now, of the same x, [[1, 2]],"
        with calling(what, slips={RuntimeError: because}):
            y = plain(x)
        expect(y, want, what, slips=slips, because=because)
    plain.weight, half = tt.tensor(weight, dtype=tt.float16), tt.tensor([[1, 2]], dtype=tt.float16)
    with calling("Linear(2, 3, bias=False) of x in float16, with its weight in float16"):
        y = plain(half)
    what = "the dtype of Linear(2, 3, bias=False) of x, x and its weight in float16,"
    because = "where there's no bias, None goes into apply, and nothing is added"
    expect(y.dtype, np.dtype("float16"), what, because=because)
    because = "the layer keeps nothing of a call"
    for one, text in ((plain, "bias=False"), (layer, "with a bias")):
        what = f"the names on Linear(2, 3), {text}, after it was called"
        expect(sorted(vars(one)), ["bias", "weight"], what, because=because)


def forward_got(error, name):
    """What the last forward on the way to an error got by this name."""
    return calls_of("forward", error)[-1][name]


def is_of_other_rows(error):
    """Did FunctionalLinear get a matrix from Linear(2, 3) whose rows aren't 2 long?"""
    x = forward_got(error, "x")
    return x.ndim == 2 and x.shape[1] != 2


def is_own(error):
    """Did the layer itself raise it, and nothing that it called?"""
    names = [frame.f_code.co_name for frame, _ in walk_tb(error.__traceback__)]
    return isinstance(error, (ValueError, RuntimeError, AssertionError)) and names[-1] == "__call__"


def expect_to_learn(layer, x, what):
    """y.sum().backward() has filled both parameters' .grad."""
    rows = x.reshape(-1, 2)
    for name, want in (("weight", [rows.sum(0)] * 3), ("bias", [len(rows)] * 3)):
        slips = [(lambda g: g is None, LEARNS.format(name))]
        expect(getattr(layer, name).grad, want, f"{what}: layer.{name}.grad", slips=slips)


def names_behind(y):
    """The names of all nodes behind a Tensor."""
    names, nodes = [], [y.grad_fn]
    while nodes:
        node = nodes.pop()
        names.append(node.name())
        nodes += [edge for edge, _ in node.next_functions if edge is not None]
    return names


A = ((2.0, 0.0), (1.0, 4.0))
B = (2.0, 9.0)


def solved(A, b, what="Solve.apply(A, b)"):
    slips = [(worded(TypeError, "save_for_backward"), "save_for_backward takes Tensors, and a "
              "result is a Tensor, too: tensor(array)"),
             (worded(TypeError, "solve() missing"), "np.linalg.solve takes a matrix and a right "
              "side"),
             (worded(np.linalg.LinAlgError, "0-dimensional"), "numpy is a method: A.numpy()"),
             (UnboundLocalError, "solve first: a name can be saved when it stands for something"),
             (lambda e: "arrays" in str(e) or "numpy" in str(e).lower(), "np.linalg.solve takes "
              "arrays: A.numpy()")]  # fmt: skip
    with calling(what, slips=slips):
        return tt.custom.Solve.apply(A, b)


@pytest.mark.exercise("9.7", points=2)
def test_a_solution():
    M, b = leaf(A), leaf(B)
    x = solved(M, b)
    expect_unchanged("Solve", A=(M, A), b=(b, B))
    slips = [([-0.125, 2.25], "that solves the system of A.T"), ([4.0, 38.0], "that's A @ b")]
    expect(x, [1, 2], "Solve.apply([[2, 0], [1, 4]], [2, 9])", slips=slips, because="A @ x is b")
    what = "the dtype of Solve.apply(A, b)"
    keeps = "tensor(array) keeps the array's"
    expect(x.dtype, np.dtype("float64"), what, because=keeps)
    half = solved(leaf(A, np.float32), leaf(B, np.float32))
    expect(half.dtype, np.dtype("float32"), f"{what}, both in float32,", because=keeps)
    expect(x.grad_fn.name(), "SolveBackward", "the name of the node of Solve.apply(A, b)")
    saved = x.grad_fn.saved_tensors
    slips = {3: "nobody needs b", 1: "backward needs A and x",
             0: "ctx.save_for_backward keeps them"}  # fmt: skip
    expect(len(saved), 2, "how many tensors Solve saved", slips=slips)
    expect(saved[0], np.array(A), "the first of the saved tensors, A,", because="A as it came")
    slips = [(np.array(B), "save x, not b: else it would have to be computed again")]
    expect(saved[1], [1, 2], "the second of the saved tensors, x,", slips=slips)
    is_leaf = saved[1].requires_grad and saved[1].is_leaf
    fail_if(is_leaf, "the saved x is a leaf that asks, expected a result of Solve: tensor(array) "
            "is enough, and apply gives it its history")  # fmt: skip
    asks = tuple([t.requires_grad for t in saved])
    because = "save A and x themselves, A as it came and x as it's returned: those have a history"
    what = "requires_grad of both tensors that Solve.apply(A, b) saved"
    expect(asks, (True, True), what, because=because)
    expect_what_is_there_now()


def expect_what_is_there_now():
    """All digits, and those of the numbers that A and b have by now."""
    M, b = leaf(((3.0, 1.0), (1.0, 6.0))), leaf((1.0, 2.0))
    for factor in (1, 2):
        with tt.no_grad():
            M.mul_(factor)
        x = solved(M, b)
        want = np.linalg.solve(M.detach().numpy(), [1.0, 2.0])
        slips = [(2 * want, "A was changed in place before this call: solve anew, in each call")]
        what = f"Solve.apply(A, b), A = {M.tolist()}, b = [1, 2],"
        because = "all digits that np.linalg.solve finds"
        expect(x, want, what, slips=slips, because=because, rtol=1e-13, atol=0)


@pytest.mark.exercise("9.7", points=3)
def test_both_inputs_get_their_gradients():
    M, b = leaf(A), leaf(B)
    x = solved(M, b)
    backward(x, [10.0, 4.0], "Solve.apply([[2, 0], [1, 4]], [2, 9]), sent [10, 4]")
    what = "Solve.apply([[2, 0], [1, 4]], [2, 9]), sent [10, 4]:"
    slips = [([5, -0.25], "grad_b solves the system of A.T"), ([20, 26], "solve with A.T"),
             ([24, 16], "that's A.T @ grad_x: solve with it"), ([-4.5, -1], "grad_b has no minus"),
             ([10, 4], "what comes for x isn't what goes to b"),
             (lambda g: g is None, "both A and b want a gradient here")]  # fmt: skip
    expect(b.grad, [4.5, 1], f"{what} b.grad", slips=slips, because="A.T @ grad_b is grad_x")
    right = np.outer([4.5, 1], [1, 2])
    slips = [(right, "grad_A has a minus, as in x = b / A: a larger A makes a smaller x"),
             (-right.T, "row i belongs to grad_b[i], column j to x[j]"),
             (right.T, "row i belongs to grad_b[i], column j to x[j], and there's a minus"),
             (-np.outer([4.5, 1], B), "-grad_b[i] * x[j]: x, not b"),
             (-np.outer([10, 4], [1, 2]), "-grad_b[i] * x[j]: grad_b, not grad_x"),
             (lambda g: np.shape(g) == (2, 2) and np.allclose(g[0].numpy(), g[1].numpy()),
              "a column times a row makes a matrix: grad_b.reshape(-1, 1) * x")]  # fmt: skip
    because = "grad_A[i, j] = -grad_b[i] * x[j]"
    expect(M.grad, -right, f"{what} A.grad", slips=slips, because=because)
    ctx = solved(M, b).grad_fn
    slips = [(lambda e: "numpy() on a tensor" in str(e), "a backward may be recorded, and what "
              "goes through numpy() has no history: Solve.apply solves, and keeps it")]  # fmt: skip
    with calling("Solve.backward", slips=slips):
        grads = tt.custom.Solve.backward(ctx, tt.tensor([10.0, 4.0], dtype=tt.float64))
    for grad, name in zip(grads, "Ab", strict=True):
        because = "a gradient has the dtype of its argument"
        what = f"the dtype of Solve.backward's gradient of {name}"
        expect(grad.dtype, np.dtype("float64"), what, because=because)
    expect_anew("Solve", (leaf(A), leaf(B)), [10.0, 4.0])


@pytest.mark.exercise("9.7", points=2)
def test_a_constant_matrix_or_a_constant_right_side():
    M, b = leaf(A), leaf(B)
    backward(solved(tt.tensor(A, dtype=tt.float64), b), [10.0, 4.0], "Solve, A a constant")
    slips = [(lambda g: g is None, "b wants a gradient, also if A doesn't")]
    expect(b.grad, [4.5, 1], "Solve, A is a constant, sent [10, 4]: b.grad", slips=slips)
    backward(solved(M, tt.tensor(B, dtype=tt.float64)), [10.0, 4.0], "Solve, b a constant")
    want = [[-4.5, -9], [-1, -2]]
    slips = [(lambda g: g is None, "A wants a gradient, also if b doesn't")]
    expect(M.grad, want, "Solve, b is a constant, sent [10, 4]: A.grad", slips=slips)
    singular = leaf([[1.0, 2.0], [2.0, 4.0]])
    call = lambda: tt.custom.Solve.apply(singular, leaf(B))  # noqa: E731
    because = "np.linalg.solve raises it: let it pass"
    expect_raises(np.linalg.LinAlgError, call, "Solve of a singular A", because=because)


@pytest.mark.exercise("9.7", points=2)
def test_a_solution_has_a_second_derivative():
    M, b = leaf(A), leaf(B)
    x = solved(M, b)
    with calling("grad(x[0] * x[1], [A, b], create_graph=True), x = Solve.apply(A, b),"):
        dM, db = tt.autograd.grad(x[0] * x[1], [M, b], create_graph=True)
    history = (
        "what Solve.apply and other operations make of A, x and grad_x has a history, where nobody "
        "switches recording off, and what NumPy makes has none"
    )
    expect(db, [0.875, 0.25], "the gradient of x[0] * x[1] for b")
    for grad, name in ((db, "b"), (dM, "A")):
        what = f"requires_grad of the gradient of x[0] * x[1] for {name}, with create_graph=True,"
        expect(grad.requires_grad, True, what, because=history)
    slips = {RuntimeError: history}
    for inputs, want, name in ((b, [-0.125, 0.125], "b"), (M, None, "A")):
        what = f"the slopes in {name} of the gradient of x[0] * x[1] for b[0]"
        with calling(what, slips=slips):
            (again,) = tt.autograd.grad(db[0], inputs, retain_graph=True, allow_unused=True)
        fail_if(again is None, f"{what} are None: {history}")
        if want:
            expect(again, want, what, because=history)
    whole = "the first derivative is right: so all of it must be computed with what was saved, and "
    slips = {RuntimeError: whole + "with grad_x as it came, for all of it has a history"}
    with calling("gradgradcheck(Solve.apply, (A, b))", slips=slips):
        tt.gradgradcheck(tt.custom.Solve.apply, (M, b))
