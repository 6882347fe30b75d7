"""Chapter 5: a network of any number of layers, made of operations that can go backward."""

import pytest

import tinytorch as tt
from course.basics import builds_on
from course.testing import (
    calling,
    calls_of,
    expect,
    expect_only_read,
    fail_if,
    lacks,
    leaf,
    worded,
)


def network(*layers):
    """The list of W and b that scores() takes, of [(W, b), (W, b), …] as numbers."""
    return [leaf(numbers) for layer in layers for numbers in layer]


def runs_out(error):
    """Were two taken, a W and a b, where nothing was left?"""
    at_its_end = "expected 2, got 0" in str(error) or "expected at least 2, got 0" in str(error)
    return isinstance(error, ValueError) and at_its_end


def named_relu(error):
    return isinstance(error, NameError) and error.name == "relu"


def slips_of_layers(parameters):
    """What to say where scores(x, parameters) raises an error."""
    in_turn = "the list is W, b, W, b, …: take two of it at a time"

    def meets(name, places):
        """Was one of the Ws (or bs) on this side of the @ that failed?"""
        given = parameters[places]
        return lambda error: any(calls_of("__matmul__", error)[-1].get(name) is p for p in given)

    return [
        (meets("other", slice(1, None, 2)), f"a b stands to the right of @; {in_turn}"),
        (meets("self", slice(None)), "x stands to the left: x @ W, (N, n) @ (n, m)"),
        (worded(TypeError, "'method'"), "relu is a method: relu(), with brackets"),
        (worded(TypeError, "unpack"), in_turn),
        (worded(ValueError, "expected 4"), "that's for two layers: walk the list to its end"),
        (worded(ValueError, "expected 6"), "that's for three layers: walk the list to its end"),
        (runs_out, "the list was at its end: stop after the last layer"),
        (worded(ValueError, "not enough"), in_turn),
        (worded(ValueError, "unpack"), f"a list of {len(parameters)} isn't one pair; {in_turn}"),
        (worded(TypeError, "'list'"), f"that's the whole list; {in_turn}"),
        (worded(TypeError, "as an integer"), "/ makes a float: // leaves a whole number"),
        (worded(TypeError, "got list"), f"that's the whole list; {in_turn}"),
        (named_relu, "relu is a Tensor's own: z.relu()"),
        (worded(TypeError, "'Tensor' object is not"), f"a Tensor has no elements here; {in_turn}"),
        (IndexError, f"there are {len(parameters)} in the list, two for each layer"),
        (worded(TypeError, "ufuncs"), "NumPy can't take a Tensor: x.relu() is its own"),
        (worded(TypeError, "'>' not supported"), "max compares two things: x.relu() takes each"),
        (worded(TypeError, "scores()"), "scores takes two: x, and a list"),
        (lacks("ndarray"), "that's an array: compute with Tensors, and leave .data alone"),
        (worded(TypeError, "'NoneType'"), "something gave None, and the next layer got it"),
        (RecursionError, "who calls itself must stop: after the last layer"),
        (worded(UnboundLocalError, ""), "that name has no value yet when the first layer asks"),
    ]


def scored(x, parameters, what):
    """scores(x, parameters), a Tensor of the right kind; errors and other kinds are said."""
    numbers = x.data
    with calling(what, slips=slips_of_layers(parameters)):
        z = tt.scores(x, parameters)
    fail_if(x.data is not numbers, f"{what} put other numbers into x: make new Tensors on the way")
    fail_if(z is None, f"{what} gave None, expected a Tensor: return the last layer's numbers")
    kind = type(z).__name__
    wanted = "expected a Tensor: gradients have to find their way back"
    fail_if(not isinstance(z, tt.Tensor), f"{what} gave {kind}, {wanted}")
    return z


@pytest.mark.exercise("5.8", points=1)
def test_one_layer_is_a_weighted_sum_and_b():
    layer = [[1, -1], [1, 1]], [-4, 10]
    what = "scores(x, [W, b]), x = [[-2, 3]], W = [[1, -1], [1, 1]], b = [-4, 10]"
    slips = [
        ([[0, 15]], "no relu after the last layer: a score may be negative"),
        ([[1, 5]], "b is missing: x @ W + b"),
        ([[5, -5]], "b is added: x @ W + b"),
        ([[7, 19]], "that's (x + b) @ W: first the product, then b"),
        ([[-9, 11]], "that's x @ W.T + b: W is (n, m), and stays as it is"),
        (lambda z: z.shape == (2,), "one row goes in and one comes out: (1, n) -> (1, m)"),
        ([[-1, 13]], "no relu before the first layer: what goes in may be negative"),
        ([[0, 13]], "relu stands between two layers, and here's only one"),
        ([[-6, 7], [-6, 13]], "* multiplies number by number: x @ W"),
        ([[-18, -1.523e-8]], "log_softmax belongs to the loss: scores are what goes into it"),
        ([[1.523e-8, 1]], "softmax belongs to the loss: scores are what goes into it"),
        ([[-2, 3]], "x came back as it was: one layer is a layer, too"),
    ]
    z = scored(leaf([[-2, 3]]), network(layer), f"{what},")
    expect(z, [[-3, 15]], f"{what}: the result", slips=slips, because="x @ W + b, and no more")


@pytest.mark.exercise("5.8", points=1)
def test_relu_stands_between_two_layers():
    layers = ([[1, -1], [1, -1]], [1, 1]), ([[-1], [10]], [2])
    what = "scores(x, [W1, b1, W2, b2]), x @ W1 + b1 = [[4, -2]], W2 = [[-1], [10]], b2 = [2]"
    slips = [
        ([[-22]], "without relu two layers are one: set the hidden -2 to 0 between them"),
        ([[0]], "no relu after the last layer: a score may be negative"),
        ([[8]], "b1 belongs to the first layer: relu comes after it"),
        ([[4, -2]], "that's the first layer alone: go on with the next"),
        ([[4, 0]], "that's the hidden layer, after relu: go on with W2 and b2"),
        ([[-4]], "b2 is missing"),
        ([[-1]], "b1 is missing"),
        ([[-3]], "neither b was added"),
        ([[21]], "W2 got x: each layer gets what the layer before it made"),
        ([[-8.6396]], "between them stands relu, not tanh"),
        ([[18]], "relu sets -2 to 0, and not to 2"),
        ([[-18]], "relu keeps the 4, and sets the -2 to 0"),
    ]
    z = scored(leaf([[1, 2]]), network(*layers), f"{what},")
    expect(z, [[-2]], f"{what}: the result", slips=slips, because="-1 * 4 + 10 * 0 + 2")


@pytest.mark.exercise("5.8", points=1)
def test_any_number_of_layers():
    layers = ([[2]], [1]), ([[-1]], [2]), ([[3]], [-2])
    what = "scores of [[1], [-2]], layers W = 2, b = 1; W = -1, b = 2; W = 3, b = -2: the result"
    slips = [
        ([[-5], [4]], "relu stands between the second and the third layer, too"),
        ([[-2], [13]], "relu stands between the first and the second layer, too"),
        ([[-5], [13]], "relu is missing between the layers"),
        ([[0], [4]], "no relu after the last layer: a score may be negative"),
        ([[-2], [1]], "here relu came before the first layer: what goes in may be negative"),
        ([[-1], [2]], "the third layer is missing: use all of the list"),
        ([[0], [2]], "the third layer is missing: use all of the list"),
        ([[3], [-3]], "that's the first layer alone: go on with the next"),
    ]
    z = scored(leaf([[1], [-2]]), network(*layers), f"{what},")
    expect(z, [[-2], [4]], what, slips=slips, because="[3, -3], [-1, 2], [-2, 4] by layers")


@pytest.mark.exercise("5.8", points=1)
@builds_on("5.2", "5.4", "5.6")
def test_every_parameter_receives_its_gradient():
    layers = ([[2]], [1]), ([[-1]], [5]), ([[3]], [-1])
    parameters, x = network(*layers), leaf([[1]])
    what = "z = scores(x, [W1, b1, …, b3]), x = [[1]]"
    z = scored(x, parameters, f"{what},")
    lost = "compute with Tensors all the way: no .data, no detach(), no Tensor(…), no no_grad()"
    expect(z.requires_grad, True, f"{what}: z.requires_grad", because=lost)
    z.backward()
    got = [p.grad is not None for p in parameters]
    expect(got, [True] * 6, f"{what}, z.backward(): who has a gradient", because=lost)
    numbers = [p.grad.item() for p in parameters]
    why = "slopes of 3 * (5 - (2 x + 1)) - 1, one number at a time"
    expect(numbers, [-3.0, -3.0, 9.0, 3.0, 2.0, 1.0], f"{what}: their gradients", because=why)
    cut = "nothing leads back to x, which may have a past, too: compute with the x that came"
    fail_if(x.grad is None, f"{what}, z.backward(): x.grad is None, expected -6: {cut}")
    expect(x.grad, [[-6]], f"{what}, z.backward(): x.grad", because=why)


@pytest.mark.exercise("5.8", points=1)
def test_the_list_of_parameters_is_only_read():
    parameters, x = network(([[2]], [1]), ([[-1]], [5])), leaf([[1]])
    before = [*parameters]
    what = "scores(x, parameters)"
    scored(x, parameters, what)
    expect_only_read(parameters, before, what)
    got = [p.item() for p in parameters]
    expect(got, [2.0, 1.0, -1.0, 5.0], f"the parameters after {what}", because="only read them")
    z = scored(x, parameters, f"{what}, called again,")
    expect(z, [[2]], f"{what}, called again", because="-1 * 3 + 5")
