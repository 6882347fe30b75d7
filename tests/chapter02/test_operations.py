"""Chapter 2: the local rule of each operation, by hand and against nudging."""

import numpy as np
import pytest

import tinytorch as tt
from course import testing
from course.basics import needs_notes
from course.contracts import expect_new, leaf_like
from course.testing import (
    calling,
    calls_of,
    expect,
    fail_if,
    lacks,
    leaf,
    worded,
)

UPSTREAM = "multiply by grad_z too"
ASK_THE_ARRAY = "a Tensor has no comparison: ask the array in it, Tensor(x.data > 0)"
ALL_AT_ONCE = (
    "Python asks the array as a whole: NumPy's functions, np.maximum say, ask each element"
)
ONE_NUMBER = (
    "item(), float() and math know a single number only: NumPy's functions take whole arrays"
)
PLAIN = "the exponent is a plain number, and not a Tensor"
ADDED = "grad_z is a factor: multiply by it, do not add it"
UNREAD = "forward knew that name; backward reads from ctx what forward has kept there"
TWICE = "grad_z is in it twice"
INPLACE = "forward leaves its inputs as they were"


def expect_gradients(result, upstream, what, *, slips=(), **expected):
    with_slips(testing.expect_gradients, result, slips, upstream, what, **expected)


def expect_local_gradients(result, inputs, f, what, *, slips=()):
    with_slips(testing.expect_local_gradients, result, slips, inputs, f, what)


def with_slips(compare, result, slips, *args, **expected):
    """Compare gradients; besides `slips`, the reasons that any backward may have to fail."""
    slips = slips.items() if isinstance(slips, dict) else slips
    inputs, saved = (getattr(result.grad_fn, n, ()) for n in ("inputs", "saved_tensors"))
    turned = len(inputs) == len(saved) == 2 and saved[0] is inputs[1] is not saved[1]
    again = "each save_for_backward replaces what was saved before"
    count = f"got {len(saved)})"  # NumPy and Python say it so of what they can't unpack
    order = "forward has saved y and then x, and that's the order in which backward gets them"
    more = [
        (lambda e: isinstance(e, NameError) and e.name in ("x", "y", "z", "exponent"), UNREAD),
        (lacks("Context"), "forward has put nothing on ctx under that name"),
        (lacks("int", "data"), PLAIN),
        (lambda e: isinstance(e, ValueError) and count in str(e),
         f"ctx.saved_tensors has {len(saved)} here ({again})"),
        (worded(TypeError, "@: 'numpy.ndarray'"), "x.data.T is an array, x.T is a Tensor"),
        (worded(TypeError, "'Tensor' object is not callable"), "T is asked for without brackets"),
        (worded(TypeError, "real numbers, got ndarray"),
         "NumPy makes an array of objects of a Tensor, which has a .T of its own: y.T"),
    ]  # fmt: skip
    compare(result, *args, slips=[(lambda _: turned, order), *slips, *more], **expected)


def made(operation, what, instead, *slips):
    """The result of an operation, which forward makes of arrays: Tensor(`instead`)."""
    again = f"between Tensors that calls this forward again: work on the arrays, {instead}"
    bare = f"forward gave an array: wrap it, Tensor({instead})"
    slips = [
        *slips,
        (RecursionError, again),
        (refused_to_save, "save the Tensors themselves, not the arrays in them"),
        (compares_tensors, ASK_THE_ARRAY),
        (lambda e: "truth value of an array" in str(e), ALL_AT_ONCE),
        (worded(RuntimeError, "item()"), ONE_NUMBER),
        (lambda e: "converted to Python scalars" in str(e), ONE_NUMBER),
        (lambda e: isinstance(e, AttributeError) and "ndarray" in str(e), bare),
        (lambda e: "ufunc" in str(e), f"NumPy computes with the array in a Tensor: {instead}"),
    ]
    with calling(what, slips=slips):
        return operation()


def compares_tensors(error):
    return isinstance(error, TypeError) and "not supported between instances of" in str(error)


def refused_to_save(error):
    return isinstance(error, TypeError) and bool(calls_of("save_for_backward", error))


def expect_saved(z, wanted, what, reasons, known):
    """The ctx of z has saved just the Tensors `wanted` by name; a reason that holds is said."""
    saved = z.grad_fn.saved_tensors
    names = [next((n for n, t in known.items() if t is s), "another Tensor") for s in saved]
    reason = next((reason for holds, reason in reasons if holds(saved)), "")
    has, should = (" and ".join(n) or "nothing" for n in (names, wanted))
    fail_if(names != wanted, f"{what} has saved {has}, expected {should}: {reason}")


def on_the_class(name):
    """The first name by which a class holds a Tensor of one of its calls, or ""."""
    held = vars(getattr(tt, name)).items()
    return next((n for n, value in held if isinstance(value, tt.Tensor)), "")


@pytest.mark.exercise("2.3", points=1)
@needs_notes
def test_a_product_has_the_value_of_the_product():
    x, y = leaf([2, 3]), leaf([5, 7])
    z = made(lambda: x * y, "x * y", "x.data * y.data")
    slips = {31: "that is x @ y, the sum of all products: element by element is *"}
    expect(z, [10, 21], "Tensor([2, 3]) * Tensor([5, 7])", slips=slips)
    with calling("Tensor([2, 3]) * 5"):
        expect(x * 5, [10, 15], "Tensor([2, 3]) * 5")
    expect(x, [2, 3], "x after x * y", because=INPLACE)
    expect(y, [5, 7], "y after x * y", because=INPLACE)
    expect_new(x * 1, "x * 1", x=x)
    x, ones = leaf([2, 3]), leaf([1, 1])
    expect_new(x * ones, "x * y with ones in y", x=x, y=ones)
    expect_new(ones * x, "x * y with ones in x", x=ones, y=x)


@pytest.mark.exercise("2.3", points=1)
@needs_notes
def test_mul_saves_x_and_y():
    x, y = leaf(2), leaf(5)
    z, call = x * y, "ctx.save_for_backward(x, y)"
    reasons = [
        (lambda saved: len(saved) == 0, f"keep them, with {call}"),
        (lambda saved: len(saved) > 2, f"more was saved: just {call}"),
        (lambda saved: saved == (y, x), f"the other way round: {call}"),
        (lambda saved: any(s.data is z.data for s in saved),
         f"the result was saved: {call}, before any name gets a new value"),
        (lambda saved: [s.item() for s in saved] == [2, 5],
         "those are copies: save the Tensors themselves"),
        (lambda _: True, call),
    ]  # fmt: skip
    expect_saved(z, ["x", "y"], "x * y", reasons, {"x": x, "y": y, "z": z})


@pytest.mark.exercise("2.3", points=1)
@needs_notes
def test_each_factor_gets_the_other_one():
    x, y = leaf(2), leaf(5)
    brackets = lambda e: "'tuple' object is not callable" in str(e)  # noqa: E731
    slips = {2: "that is x itself: dz/dx = y", 1: "that is the rule of a sum: dz/dx = y",
             brackets: "ctx.saved_tensors is a property: no brackets behind it",
             10: "that is z: if x moves by 1, z moves by y", 6: ADDED}  # fmt: skip
    expect_gradients(x * y, 1, "2 * 5 with grad_z = 1", slips=slips, x=(x, 5))
    kept = "is on the class, where all products share it, and the * of backward has changed it"
    kept = f"what backward needs {kept}: keep it on ctx"
    slips = [(lambda _: on_the_class("Mul"), kept),
             (5, "that is y itself: dz/dy = x"), (1, "that is the rule of a sum: dz/dy = x"),
             (10, "that is z: if y moves by 1, z moves by x"), (3, ADDED)]  # fmt: skip
    expect_gradients(x * y, 1, "2 * 5 with grad_z = 1", slips=slips, y=(y, 2))


@pytest.mark.exercise("2.3", points=1)
@needs_notes
def test_mul_multiplies_by_the_upstream_gradient():
    x, y = leaf(2), leaf(5)
    expect_gradients(x * y, 10, "2 * 5 with grad_z = 10", slips={5: UPSTREAM}, x=(x, 50))
    expect_gradients(x * y, 10, "2 * 5 with grad_z = 10", slips={2: UPSTREAM}, y=(y, 20))


@pytest.mark.exercise("2.3", points=1)
@needs_notes
def test_mul_agrees_with_nudging():
    x, y = leaf([[1, -2, 3], [4, 0, 6]]), leaf([[2, 3, -1], [5, 7, 2]])
    slips = [(lambda g: np.isnan(g.data).any(), "0 / 0: where x is 0, z / x isn't y")]
    f, what = lambda x, y: x * y, "x * y, shape (2, 3)"
    expect_local_gradients(x * y, [x, y], f, what, slips=slips)
    x, y = leaf(3), leaf(-4)
    expect_local_gradients(x * y, [x, y], lambda x, y: x * y, "x * y, shape ()")


@pytest.mark.exercise("2.4", points=1)
@needs_notes
def test_a_quotient_has_the_value_of_the_quotient():
    x, y = leaf([6, 8]), leaf([2, 4])
    z = made(lambda: x / y, "x / y", "x.data / y.data")
    slips = [([1 / 3, 1 / 2], "that is y / x"), ([12, 32], "that is x * y")]
    expect(z, [3, 2], "Tensor([6, 8]) / Tensor([2, 4])", slips=slips)
    expect(x, [6, 8], "x after x / y", because=INPLACE)
    expect_new(x / 1, "x / 1", x=x)
    slips = [([3, 1], "that is //, which rounds down")]
    with calling("3 / Tensor([1, 2])"):
        expect(3 / leaf([1, 2]), [3, 1.5], "3 / Tensor([1, 2])", slips=slips)


@pytest.mark.exercise("2.4", points=1)
@needs_notes
def test_the_numerator_gets_one_over_y():
    x, y = leaf(12), leaf(4)
    slips = {4: "that is y: dz/dx = 1 / y", -0.75: "that is dz/dy: the gradient of x comes first",
             3: "that is z: dz/dx = 1 / y", 1: "dz/dx = 1 / y", 1 / 12: "that is 1 / x",
             -0.25: "x / y grows with x: the minus belongs to the gradient of y"}  # fmt: skip
    expect_gradients(x / y, 1, "12 / 4 with grad_z = 1", slips=slips, x=(x, 0.25))


@pytest.mark.exercise("2.4", points=1)
@needs_notes
def test_the_denominator_gets_minus_x_over_y_squared():
    x, y = leaf(12), leaf(4)
    slips = {
        -12: "a / y * y is a: put y * y in brackets, -x / (y * y)",
        0.75: "when y grows, 12 / y shrinks: a minus sign is missing",
        -3: "y counts twice: dz/dy = -x / (y * y)",
        -1.5: "that is -x / (2 * y): a square is y * y, not y + y",
        0.25: "that is dz/dx: the gradient of x comes first, then that of y",
        -12 / 16.004: "nearly: that is a quotient with a small eps in it; let it shrink to nothing",
        -1 / 16: "x is missing: dz/dy = -x / (y * y)",
        -12 / 64: "that is -x / (y * y * y): dz/dy = -x / (y * y)",
        -1 / 36: "that is -y / (x * x): x and y have changed places",
        1 / 12: "that is 1 / x: dz/dy = -x / (y * y)",
        12 * np.log(4): "x * log(y) has the slope x / y: dz/dy = -x / (y * y)",
        12: "that is x, as if z were x * y: dz/dy = -x / (y * y)",
        -0.5: "that is (y - x) / (y * y): it's x alone that is divided, -x / (y * y)",
        -1 / 192: "that is divided by x, too: x belongs on top, -x / (y * y)",
        -0.6: "that is how far 12 / y falls from 4 to 5: let the step shrink to nothing",
    }
    expect_gradients(x / y, 1, "12 / 4 with grad_z = 1", slips=slips, y=(y, -0.75))


@pytest.mark.exercise("2.4", points=1)
@needs_notes
def test_div_multiplies_by_the_upstream_gradient():
    x, y = leaf(12), leaf(4)
    what, slips = "12 / 4 with grad_z = 10", {0.25: UPSTREAM, 25: TWICE}
    expect_gradients(x / y, 10, what, slips=slips, x=(x, 2.5))
    slips = {-0.75: UPSTREAM, -75: TWICE}
    expect_gradients(x / y, 10, what, slips=slips, y=(y, -7.5))


@pytest.mark.exercise("2.4", points=1)
@needs_notes
def test_div_agrees_with_nudging():
    x, y = leaf([[1, -2, 3], [4, 0, 6]]), leaf([[2, 3, -1], [5, 7, 2]])
    expect_local_gradients(x / y, [x, y], lambda x, y: x / y, "x / y, shape (2, 3)")
    x = leaf(3)
    expect_local_gradients(1 / x, [x], lambda x: 1 / x, "1 / x, x of shape ()")


@pytest.mark.exercise("2.5", points=1)
@needs_notes
def test_a_power_has_the_value_of_the_power():
    number = "save x alone: a number goes on the ctx by its name, ctx.exponent = exponent"
    slips = (refused_to_save, number), (lacks("int", "data"), PLAIN)
    z = made(lambda: leaf([2, -3]) ** 3, "Tensor([2, -3]) ** 3", "x.data**exponent", *slips)
    slips = [
        ([8, 27], "the sign of x is lost"),
        (
            lambda z: np.isnan(z.data[1]),
            "-3 has no logarithm, but powers: x.data**exponent",
        ),
        ([6, -9], "that is x * exponent"),
        ([9, 1 / 27], "that is exponent ** x"),
    ]
    expect(z, [8, -27], "Tensor([2, -3]) ** 3", slips=slips)
    slips = [([4, -9], "minus times minus is plus: the sign of x isn't kept apart")]
    expect(leaf([2, -3]) ** 2, [4, 9], "Tensor([2, -3]) ** 2", slips=slips)
    slips = {1: "the exponent stays as it is: int() makes 0 of 0.5"}
    no_count = "it need not be whole, so no loop can count it: x.data**exponent"
    with calling("Tensor(9) ** 0.5", slips={TypeError: no_count}):
        expect(leaf(9) ** 0.5, 3, "Tensor(9) ** 0.5", slips=slips)
    with calling("Tensor(2) ** -2"):
        expect(leaf(2) ** -2, 0.25, "Tensor(2) ** -2", slips={1: "no loop runs -2 times"})
    x = leaf([2, -3])
    expect_new(x**1, "x ** 1", x=x)


@pytest.mark.exercise("2.5", points=2)
@needs_notes
def test_the_exponent_comes_down_as_a_factor_and_goes_down_by_one():
    x = leaf(5)
    slips = {
        25: "the exponent comes down as a factor: dz/dx = n * x ** (n - 1)",
        50: "the factor is n itself: dz/dx = n * x ** (n - 1)",
        375: "the exponent goes down by one: dz/dx = n * x ** (n - 1)",
        125: "that is z itself: dz/dx = n * x ** (n - 1)",
        374: "the brackets are missing: n * x ** (n - 1)",
        15: "that is n * x: dz/dx = n * x ** (n - 1)",
        None: "the gradient of x comes first, then None for the exponent",
        125 * np.log(5): "that is the slope in n; the exponent stays, and x moves",
        225: "the brackets reach too far: only x is raised, n * x ** (n - 1)",
        45: "that is n raised, times x: it's x that is raised, n * x ** (n - 1)",
        1875: "the exponent goes down by one, and that is one up: n * x ** (n - 1)",
    }
    expect_gradients(x**3, 1, "x ** 3 at 5 with grad_z = 1", slips=slips, x=(x, 75))


@pytest.mark.exercise("2.5", points=1)
@needs_notes
def test_pow_multiplies_by_the_upstream_gradient():
    x = leaf(5)
    slips = {75: UPSTREAM, 7500: TWICE}
    expect_gradients(x**3, 10, "x ** 3 at 5 with grad_z = 10", slips=slips, x=(x, 750))


@pytest.mark.exercise("2.5", points=1)
@needs_notes
def test_each_power_keeps_its_own_exponent():
    x = leaf(2)
    square = x**2
    _ = x**5
    slips = {80: "that is the slope of x ** 5: keep the exponent on the ctx, one for each call"}
    expect_gradients(square, 1, "x ** 2 at 2, after x ** 5", slips=slips, x=(x, 4))


@pytest.mark.exercise("2.5", points=1)
@needs_notes
def test_pow_agrees_with_nudging_and_is_right_at_zero():
    x = leaf([-1, 2, 3])
    expect_local_gradients(x**-2, [x], lambda x: x**-2.0, "x ** -2")
    x = leaf(0)
    slips = {np.nan: "0 / 0: z / x has no value at 0, x ** (n - 1) has one"}
    expect_gradients(x**2, 1, "x ** 2 at 0 with grad_z = 1", slips=slips, x=(x, 0))


@pytest.mark.exercise("2.6", points=1)
@needs_notes
def test_relu_cuts_off_what_is_negative():
    x = leaf([-2, 0, 3])
    z = made(lambda: x.relu(), "x.relu()", "np.maximum(x.data, 0)")
    changed = "forward has written into x; np.maximum(x.data, 0) makes a new array"
    slips = [([0, 0, 3], changed), ([2, 0, 3], changed)]
    expect(x, [-2, 0, 3], "x after x.relu()", slips=slips, because=INPLACE)
    slips = [
        ([2, 0, 3], "that is the absolute value: negative values become 0"),
        ([-2, 0, 0], "that keeps the smaller of x and 0: ReLU keeps the larger"),
        ([0, 0, 1], "that is the mask: where x > 0, z is x itself"),
        (3, "np.max gives the largest of all: np.maximum asks each element"),
        (lambda z: z.data[0] < 0, "nothing negative comes through, not even a little"),
        (lambda z: z is x, "that is x itself: forward returns a new Tensor"),
    ]
    expect(z, [0, 0, 3], "relu of [-2, 0, 3]", slips=slips)
    small = tt.Tensor(np.array([-2, 3], np.float32)).relu().data.dtype
    because = "np.zeros makes float64; np.maximum(x.data, 0) keeps the dtype"
    expect(small, np.dtype("float32"), "the dtype of relu of a float32", because=because)
    x = leaf([2, 3])
    expect_new(x.relu(), "relu of [2, 3]", x=x)


def picks_elements(grad):
    """Is it of another shape, and at -2 an empty one? Then a mask has picked its elements."""
    at_minus_two = leaf(-2).relu().grad_fn.backward(leaf(10))[0]
    return grad.shape == (1,) and at_minus_two.shape == (0,)


@pytest.mark.exercise("2.6", points=1)
@needs_notes
def test_relu_passes_the_gradient_of_a_positive_value_on():
    x = leaf(3)
    slips = {picks_elements: "a mask in square brackets leaves elements out: multiply by it",
             1: UPSTREAM, 30: "that is grad_z * x: where x > 0 the slope is 1, whatever x is",
             3: "that is x, held back by the mask: it's grad_z that goes through", 11: ADDED,
             0: "nothing came through: where x > 0, z moves as x does",
             compares_tensors: ASK_THE_ARRAY}  # fmt: skip
    expect_gradients(x.relu(), 10, "relu at 3 with grad_z = 10", slips=slips, x=(x, 10))
    slips = {0: "the mask asks whether x is positive, not whether grad_z is"}
    expect_gradients(x.relu(), -10, "relu at 3 with grad_z = -10", slips=slips, x=(x, -10))
    x = leaf(0.5)
    slips = {0: "0.5 is positive, too: ask x.data > 0, and round nothing",
             5: "that is times x: where x > 0 the slope is 1, whatever x is"}  # fmt: skip
    expect_gradients(x.relu(), 10, "relu at 0.5 with grad_z = 10", slips=slips, x=(x, 10))


@pytest.mark.exercise("2.6", points=1)
@needs_notes
def test_relu_stops_the_gradient_of_a_negative_value():
    x = leaf(-2)
    slips = {10: "it came through: where x < 0, z stays at 0 however x moves",
             -10: "that's a slope of -1: where x < 0, z stays at 0 however x moves",
             0.1: "a little came through: where x < 0, z stays at 0 however x moves",
             compares_tensors: ASK_THE_ARRAY}  # fmt: skip
    expect_gradients(x.relu(), 10, "relu at -2 with grad_z = 10", slips=slips, x=(x, 0))


@pytest.mark.exercise("2.6", points=1)
@needs_notes
def test_relu_stops_the_gradient_at_zero():
    x = leaf(0)
    corner = "at the corner we take 0: x > 0, not x >= 0"
    nan = "0 / 0: compare x with 0, do not divide by it"
    half = "that's half the slope: at the corner we take 0"
    slips = {10: corner, 5: half, np.nan: nan, compares_tensors: ASK_THE_ARRAY}
    expect_gradients(x.relu(), 10, "relu at 0 with grad_z = 10", slips=slips, x=(x, 0))


@pytest.mark.exercise("2.6", points=1)
@needs_notes
def test_relu_agrees_with_nudging():
    x = leaf([[-1, 2, 3], [1, -3, -0.5]])
    one = "one answer for all elements: the mask decides for each on its own"
    slips = [(lambda g: not g.data.any(), one), (compares_tensors, ASK_THE_ARRAY)]
    expect_local_gradients(x.relu(), [x], lambda x: x * (x > 0), "relu, shape (2, 3)", slips=slips)


@pytest.mark.exercise("2.7", points=1)
@needs_notes
def test_a_matrix_product_has_its_value():
    x, y = leaf([[1, 2], [3, 4]]), leaf([[1, 10], [100, 1000]])
    z = made(lambda: x @ y, "x @ y", "x.data @ y.data")
    slips = [
        ([[1, 20], [300, 4000]], "that is element by element: rows of x times columns of y is @"),
        ([[31, 42], [3100, 4200]], "that is y @ x"),
    ]
    expect(z, [[201, 2010], [403, 4030]], "[[1, 2], [3, 4]] @ [[1, 10], [100, 1000]]", slips=slips)
    shape = "the product has as many rows as x, and as many columns as y"
    one, what = [(lambda z: z.shape != (1, 1), shape)], "[[1, 2]] @ [[3], [4]]"
    with calling(what, slips={IndexError: shape}):
        expect(leaf([[1, 2]]) @ leaf([[3], [4]]), [[11]], what, slips=one)
    turned, said = leaf_like(x.data.T), "x @ y, x the array of [[1, 3], [2, 4]] turned on its side"
    expect(turned @ leaf([[1, 0], [0, 1]]), [[1, 3], [2, 4]], said)
    one = leaf([[1, 0], [0, 1]])
    expect_new(x @ one, "x @ [[1, 0], [0, 1]]", x=x, y=one)
    expect_new(one @ x, "[[1, 0], [0, 1]] @ y", x=one, y=x)


@pytest.mark.exercise("2.7", points=1)
@needs_notes
def test_matmul_sends_nothing_back_where_nothing_came():
    x, y = leaf([[1, 2], [3, 4]]), leaf([[1, 10], [100, 1000]])
    zeros, because = [[0, 0], [0, 0]], "grad_z is a factor of both gradients"
    both = {"x": (x, zeros), "y": (y, zeros)}
    expect_gradients(x @ y, zeros, "x @ y with grad_z = zeros", because=because, **both)


@pytest.mark.exercise("2.7", points=2)
@needs_notes
def test_the_order_of_the_factors_matters():
    x, y = leaf([[1, 2], [3, 4]]), leaf([[1, 10], [100, 1000]])
    sent = [[0, 1], [0, 0]]
    what = f"[[1, 2], [3, 4]] @ [[1, 10], [100, 1000]] with grad_z = {sent}"
    rule = "that is element by element: a product of matrices belongs here"
    slips = [
        ([[0, 1], [0, 10]], "that is y.T @ grad_z: the right factors in the wrong order"),
        ([[100, 1000], [0, 0]], "that is grad_z @ y: turn y on its side, y.T (a reshape is no .T)"),
        ([[0, 1], [0, 2]], "that is the gradient of y: that of x comes first"),
        ([[10, 0], [1000, 0]], "that is its transpose: look at the shapes, (N, M) @ (M, K)"),
        ([[0, 0], [1, 100]], "that is grad_z.T @ y.T: it is y alone that lies on its side"),
        ([[2, 4], [0, 0]], "that is grad_z @ x.T: the gradient of x is made with y"),
        ([[0, 10], [0, 0]], rule),
        ([[0, 100], [0, 0]], rule),
    ]
    expect_gradients(x @ y, sent, what, slips=slips, x=(x, [[10, 1000], [0, 0]]))
    slips = [
        ([[2, 4], [0, 0]], "that is grad_z @ x.T: the right factors in the wrong order"),
        ([[0, 1], [0, 3]], "that is x @ grad_z: turn x on its side, x.T (a reshape is no .T)"),
        ([[0, 0], [1, 2]], "that is its transpose: look at the shapes, (K, N) @ (N, M)"),
        ([[3, 0], [4, 0]], "that is x.T @ grad_z.T: it is x alone that lies on its side"),
        ([[2, 0], [4, 0]], "that is x @ grad_z.T: it is x, not grad_z, that lies on its side"),
        ([[0, 1], [0, 10]], "that is y.T @ grad_z: the gradient of y is made with x"),
        ([[0, 0.5], [0, 1]], "that is a mean over the rows: each of them counts in full"),
        ([[0, 2], [0, 0]], rule),
        ([[0, 3], [0, 0]], rule),
    ]
    expect_gradients(x @ y, sent, what, slips=slips, y=(y, [[0, 1], [0, 2]]))


@pytest.mark.exercise("2.7", points=2)
@needs_notes
def test_matmul_agrees_with_nudging():
    x, y = leaf([[1, -2, 3], [4, 0, 6]]), leaf([[2, 3], [-1, 5], [7, 2]])
    expect_local_gradients(x @ y, [x, y], lambda x, y: x @ y, "(2, 3) @ (3, 2)")
    y = leaf([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]])
    expect_local_gradients(x @ y, [x, y], lambda x, y: x @ y, "(2, 3) @ (3, 4)")
