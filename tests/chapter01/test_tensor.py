"""Chapter 1: what goes into a Tensor, what comes out, and how it computes."""

from os.path import commonprefix

import numpy as np
import pytest

import tinytorch as tt
from course.testing import calling, error_of, expect, expect_raises, fail_if, lacks, worded


def if_no_array(says):
    """Slips where what only an array has was asked of a number or a list."""
    return [(lacks(kind), says) for kind in ("int", "float", "bool", "list")]


@pytest.mark.exercise("1.1", points=1)
def test_numbers_and_lists_become_float32():
    slips = [
        (None, "nothing came back: is a return missing?"),
        (lambda a: a.shape == (1,), "a single number has the shape (): let np.array make it"),
    ]
    opens = if_no_array("data may be a number or a list: real_numbers(data) makes an array of it")
    called = (RecursionError, "Tensor(…) itself calls as_array: return an array")
    with calling("as_array(3)", slips=[*opens, called]):
        got = tt.as_array(3)
    expect(got, np.float32(3), "as_array(3)", slips=slips)
    expect(tt.as_array([[1, 2], [3, 4]]), [[1, 2], [3, 4]], "as_array([[1, 2], [3, 4]])")
    for data in (3, 3.5, True, [1.0, 2.0], np.array([1, 2]), []):
        slips = [
            (
                np.dtype("float64"),
                "only a floating-point array, Tensor or NumPy number keeps its dtype",
            ),
            (np.dtype("int64"), "whole numbers stayed whole: convert them to `dtype`"),
            (np.dtype("bool"), "True and False are numbers too: convert them to `dtype`"),
        ]
        empty = "an empty list makes an empty array" if np.size(data) == 0 else ""
        with calling(f"as_array({data!r})", slips=[*opens, (Exception, empty)]):
            got = tt.as_array(data)
        expect(got.dtype, np.float32, f"as_array({data!r}).dtype", slips=slips)


@pytest.mark.exercise("1.1", points=1)
def test_a_floating_point_array_keeps_its_dtype():
    slips = [(np.dtype("float32"), "it was converted, and a floating-point array keeps its dtype")]
    for dtype in (np.float64, np.float16):
        got = tt.as_array(np.array([1.5, 2.5], dtype=dtype))
        expect(got.dtype, dtype, f"as_array(a {np.dtype(dtype)} array).dtype", slips=slips)
    slips = [(np.dtype("float32"), "a NumPy number (np.floating) has a dtype too, and keeps it")]
    got = tt.as_array(np.float64(2))
    expect(got.dtype, np.float64, "as_array(np.float64(2)).dtype", slips=slips)
    slips = {np.float64: "np.array makes an array of it, of shape ()"}
    expect(type(got), np.ndarray, "type(as_array(np.float64(2)))", slips=slips)


@pytest.mark.exercise("1.1", points=1)
def test_plain_numbers_take_the_dtype_that_is_asked_for():
    takes = "2 has no dtype of its own, and takes the one that's asked for: use the argument dtype"
    slips = [(np.dtype("float32"), takes)]
    got = tt.as_array(2, np.float64)
    expect(got.dtype, np.float64, "as_array(2, np.float64).dtype", slips=slips)
    got = tt.as_array(np.array([0.5], dtype=np.float32), np.float64)
    slips = [(np.dtype("float64"), "dtype is for data that has no floating-point dtype of its own")]
    expect(got.dtype, np.float32, "as_array(a float32 array, np.float64).dtype", slips=slips)
    for data in (0.1, 16777217):
        got, rounded = tt.as_array(data, np.float64), float(np.float32(data))
        slips = [(lambda got, rounded=rounded: got == rounded, "it was float32 on the way")]
        expect(got, data, f"as_array({data}, np.float64)", slips=slips, atol=0, rtol=0)


@pytest.mark.exercise("1.1", points=1)
def test_the_callers_array_is_copied():
    a = np.array([1.0, 2.0])
    got = tt.as_array(a)
    expect(got, [1, 2], "as_array(a) with an array a of [1, 2]")
    locked = {ValueError: "as_array has locked the caller's array: leave it as it is"}
    with calling("a[0] = 9 after as_array(a)", slips=locked):
        a[0] = 9
    shared = "its memory is shared with the caller; np.array copies, np.asarray doesn't"
    fail_if(got[0] == 9, f"a[0] = 9 after b = as_array(a) changed b, too: {shared}")
    for data in (3, [3.0]):
        first, what = tt.as_array(data), f"as_array({data!r})"
        locked = {ValueError: "the array is new, so its numbers can be changed: don't lock it"}
        with calling(f"b[...] = 9 after b = {what}", slips=locked):
            first[...] = 9
        kept = "that is the 9 which was written into the first result: make a new array each time"
        slips = [(lambda b: (b == 9).all(), kept)]
        expect(tt.as_array(data), np.array(data), f"{what}, called again,", slips=slips)


@pytest.mark.exercise("1.1", points=1)
def test_a_tensor_is_accepted_and_copied_too():
    x = tt.Tensor(np.array([1.0, 2.0]))
    slips = {TypeError: "real_numbers(data) opens a Tensor, too"}
    with calling("as_array(Tensor([1, 2]))", slips=slips):
        got = tt.as_array(x)
    expect(got, [1, 2], "as_array(Tensor([1, 2]))")
    got[0] = 9
    shared = "its memory is shared with the Tensor that came in: copy it"
    fail_if(x.data[0] == 9, f"b[0] = 9 after b = as_array(x) changed x.data, too: {shared}")


@pytest.mark.exercise("1.1", points=1)
def test_what_is_not_numbers_is_refused():
    refuses = "real_numbers(data) refuses it"
    for data in ("one", None, 2j, np.timedelta64(3, "D")):
        slips = {None: f"it was let in: {refuses}", ValueError: f"{refuses} with a TypeError"}
        what, call = f"as_array({data!r})", lambda data=data: tt.as_array(data)
        expect_raises(TypeError, call, what, slips=slips, says=[repr(data)])
    ragged = [[1, 2], [3]]
    what, call = f"as_array({ragged})", lambda: tt.as_array(ragged)
    because = "rows of unequal length are a ValueError that contains repr(data)"
    expect_raises(ValueError, call, what, because=because, says=[str(ragged)])


def expect_text(x, want, what, slips):
    """repr(x) is this text; if it isn't, where the two part, or what is nearly right about it."""
    nothing = [
        (worded(TypeError, "(type NoneType)"), "nothing came back: is a return missing?"),
        (worded(TypeError, "non-string"), "return the text itself"),
    ]
    with calling(what, slips=nothing):
        got = repr(x)
    nearly = [
        (f"tensor({want}", "tensor( stands there once"),
        (lambda text: f"tensor({text}" == want, "tensor( in front of the numbers is missing"),
        (lambda text: f"{text})" == want, "the bracket at the end is missing"),
        (lambda text: text == "T" + want[1:], "it's written tensor, as PyTorch does"),
        (lambda text: "torch." in text, "the dtype is NumPy's: show self.dtype as it is"),
        (lambda t: t.split() != want.split() and "".join(t.split()) == "".join(want.split()),
         "only spaces differ: one stands behind each comma"),
    ]  # fmt: skip
    common = commonprefix([got, want])
    parts = f"the two part after {common!r}" if common else ""
    expect(got, want, what, slips=[*slips, *nearly], because=parts)


@pytest.mark.exercise("1.2", points=1)
def test_repr_looks_like_pytorch():
    slips = [
        ("tensor([1. 2.])", "separator=', ' puts commas between the numbers"),
        ("tensor([1.0, 2.0])", "that is how Python writes a list; np.array2string gives 1."),
        ("[1., 2.]", "tensor(…) around it is missing"),
        ("tensor([1., 2.], dtype=float32)", "float32 goes without saying"),
        ("tensor([1, 2])", "the numbers are floats, and NumPy shows that: 1. instead of 1"),
        ("tensor([1.0000, 2.0000])", "NumPy leaves out zeros at the end unless told otherwise"),
    ]
    expect_text(tt.Tensor([1, 2]), "tensor([1., 2.])", "repr(Tensor([1, 2]))", slips)
    slips = [("tensor(3.0)", "that is how Python writes a number; np.array2string gives 3.")]
    expect_text(tt.Tensor(3), "tensor(3.)", "repr(Tensor(3))", slips)


@pytest.mark.exercise("1.2", points=1)
def test_repr_shows_four_decimals_and_names_other_dtypes():
    four = "precision=4 gives four decimals"
    slips = [(lambda text: "0.33" in text and ", " not in text, four)]
    expect_text(tt.Tensor(1 / 3), "tensor(0.3333)", "repr(Tensor(1 / 3))", slips)
    x = tt.Tensor(np.array([1.0, 2.5]))
    want = "tensor([1. , 2.5], dtype=float64)"
    slips = [
        ("tensor([1. , 2.5])", "only float32 goes without saying: name every other dtype"),
        ("tensor([1.0, 2.5], dtype=float64)", "np.array2string would leave a space for the 0"),
        (lambda text: "dtype('" in text, "that is the repr of the dtype, not its name"),
    ]
    expect_text(x, want, "repr(Tensor(np.array([1.0, 2.5])))", slips)


@pytest.mark.exercise("1.2", points=1)
def test_repr_aligns_the_rows():
    want = "tensor([[1., 2.],\n        [3., 4.]])"
    slips = [
        ("tensor([[1., 2.],\n [3., 4.]])", "prefix='tensor(' makes NumPy indent the rows"),
        (lambda text: "\n" not in text, "each row begins on a line of its own"),
        (
            lambda text: text.split() == want.split(),
            "'tensor(', which the first row stands behind, is 7 characters long: that's the prefix",
        ),
    ]
    expect_text(tt.Tensor([[1, 2], [3, 4]]), want, "repr(Tensor([[1, 2], [3, 4]]))", slips)


@pytest.mark.exercise("1.3", points=1)
def test_item_is_a_plain_float():
    slips = [
        (lambda kind: issubclass(kind, np.floating), "that is NumPy's: convert it with float(…)"),
        (np.ndarray, "that is still an array: convert it with float(…)"),
        (list, "that is still a list: take the number out of it"),
    ]
    for data in (2.5, [2.5], [[2.5]]):
        x, what = tt.Tensor(data), f"Tensor({data}).item()"
        shape = "float(…) takes an array of shape () only; self.data.reshape(()) has that shape"
        index = (
            "there's no [0] in the shape (); self.data.reshape(()) has that shape, whatever came"
        )
        one = f"the shape {x.data.shape} holds exactly one element: ask for self.data.size"
        unsized = "a tensor of shape () has no len(): self.data.size counts the elements"
        slips_of_call = [
            (worded(TypeError, "unsized object"), unsized),
            (worded(IndexError, "too many indices"), index),
            (worded(TypeError, "0-dim"), shape),
            (lambda e: type(e) is RuntimeError, one),
        ]
        with calling(what, slips=slips_of_call):
            got = x.item()
        expect(type(got), float, f"type({what})", slips=slips)
        expect(got, 2.5, what)


@pytest.mark.exercise("1.3", points=1)
def test_item_of_several_elements_is_an_error_that_names_the_shape():
    slips = [
        (RuntimeError, "an error that is returned stops nobody: raise it"),
        (None, "a tensor with two elements has no one value"),
        (lambda error: "array" in str(error), "NumPy raised that: look at the size first"),
        (AssertionError, "that is what assert raises: write raise RuntimeError(…)"),
        (Exception, "PyTorch raises a RuntimeError here, and so do we"),
    ]
    expect_refusal([1, 2], "Tensor([1, 2]).item()", slips)


def expect_refusal(data, what, slips):
    """item() raises RuntimeError, with the shape in its message, as NumPy or PyTorch write it."""
    x = tt.Tensor(data)
    expect_raises(RuntimeError, x.item, what, slips=slips)
    says, shape = str(error_of(x.item)), tuple(x.shape)
    missing = f"its message should contain the shape, {shape}"
    is_there = str(shape) in says or str(list(shape)) in says
    fail_if(not is_there, f"{what} raised RuntimeError: {says}; {missing}")


@pytest.mark.exercise("1.3", points=1)
def test_item_of_no_element_is_an_error():
    slips = [
        (None, "an empty tensor has no value: ask for a size of exactly 1"),
        (IndexError, "there is no first element: ask for a size of exactly 1"),
        (lambda error: "array" in str(error), "NumPy raised that: look at the size first"),
    ]
    none = np.zeros((0, 3), dtype=np.float32)
    expect_refusal(none, "item() of a tensor of shape (0, 3)", slips)


@pytest.mark.exercise("1.4", points=1)
def test_tensor_minus_number_and_number_minus_tensor():
    x, what = tt.Tensor([5, 1]), "x - 2 with x = Tensor([5, 1])"
    with calling(what, slips=again("self - other", "__sub__")):
        got = x - 2
    unsigned = ([3, 1], "the signs are lost")
    expect(got, [3, -1], what, slips=[([-3, 1], "that is 2 - x"), unsigned])
    slips = [
        ([3, -1], "that is x - 2: in __rsub__ the other operand stands on the left"),
        ([-7, -3], "that is -(x + 2)"),
        unsigned,
    ]
    what = "2 - x with x = Tensor([5, 1])"
    with calling(what, slips=again("other - self", "__rsub__")):
        got = 2 - x
    expect(got, [-3, 1], what, slips=slips)


def again(text, method):
    """What an error out of this method shows: it calls itself, or writes into what it was given."""
    calls = f"{text} calls {method} again; self.data is an array, and doesn't"
    return [(RecursionError, calls), *writes_into_operand(), *if_no_array(OPENED)]


OPENED = "other may be a number or a list: as_array(other, self.dtype) makes an array of it"


def writes_into_operand():
    """Slips where NumPy was to put the result into an operand that is too small for it."""
    words = "out= or an operator such as -= writes into an operand: let NumPy make a new array"
    return [
        (worded(ValueError, "non-broadcastable output"), words),
        (worded(ValueError, "broadcast a non-scalar to a scalar"), words),
    ]


@pytest.mark.exercise("1.4", points=1)
def test_tensor_over_number_and_number_over_tensor():
    x, what = tt.Tensor([2, 8]), "x / 4 with x = Tensor([2, 8])"
    slips = [([2, 0.5], "that is 4 / x"), ([0, 2], "// rounds down; the operator is /")]
    with calling(what, slips=again("self / other", "__truediv__")):
        got = x / 4
    expect(got, [0.5, 2], what, slips=slips)
    x = tt.Tensor([2, 16])
    slips = [
        ([0.25, 2], "that is x / 8: in __rtruediv__ the other operand stands on the left"),
        ([4, 0], "// rounds down; the operator is /"),
        ([0.5, 0.0625], "that is 1 / x"),
    ]
    what = "8 / x with x = Tensor([2, 16])"
    with calling(what, slips=again("other / self", "__rtruediv__")):
        got = 8 / x
    expect(got, [4, 0.5], what, slips=slips)


@pytest.mark.exercise("1.4", points=1)
def test_division_by_zero_is_numpys():
    because = "division by zero gives inf or nan, as in NumPy"
    with np.errstate(all="ignore"):
        with calling("x / 0 with x = Tensor([1, 0])", slips={ZeroDivisionError: because}):
            got = tt.Tensor([1, 0]) / 0
        expect(got, [np.inf, np.nan], "x / 0 with x = Tensor([1, 0])", because=because)
        with calling("1 / x with x = Tensor([0])", slips={ZeroDivisionError: because}):
            got = 1 / tt.Tensor([0])
        expect(got, [np.inf], "1 / x with x = Tensor([0])", because=because)


@pytest.mark.exercise("1.4", points=1)
def test_operators_change_neither_operand_nor_the_dtype():
    operators = {
        "x - 2": lambda x: x - 2,
        "2 - x": lambda x: 2 - x,
        "x / 3": lambda x: x / 3,
        "3 / x": lambda x: 3 / x,
    }
    takes = "as_array(other, self.dtype) gives the number the dtype of the tensor"
    slips = [(np.dtype("float32"), takes)]
    for what, operator in operators.items():
        x = tt.Tensor(np.array([6.0, 9.0]))
        result = operator(x)
        new = f"{what} changed x itself: make a new Tensor"
        expect(x, [6, 9], f"x after {what}", slips=[(lambda x: True, new)])
        got = np.asarray(getattr(result, "data", result)).dtype
        expect(got, np.float64, f"the dtype of {what} for a float64 x", slips=slips)
    third = tt.Tensor(np.array([6.0, 9.0])) - 0.1
    whole = "0.1 became 0 on the way: it's no whole number"
    slips = [([6, 9], whole), ([5.9, 8.9], f"0.1 was rounded on the way; {takes}")]
    expect(third, [5.9, 8.9], "x - 0.1 for a float64 x", slips=slips, atol=1e-12, rtol=0)


@pytest.mark.exercise("1.4", points=1)
def test_operators_take_tensors_and_arrays_on_both_sides():
    x, y = tt.Tensor([6, 9]), tt.Tensor([2, 3])
    slips = {np.ndarray: "wrap the array: Tensor(…)"}
    for what, result in {"x - y": x - y, "x / y": x / y}.items():
        expect(type(result), tt.Tensor, f"the type of {what}, two Tensors", slips=slips)
    expect(x - y, [4, 6], "Tensor([6, 9]) - Tensor([2, 3])")
    expect(x / y, [3, 3], "Tensor([6, 9]) / Tensor([2, 3])")
    array = np.array([8.0, 8.0], dtype=np.float32)
    slips = {TypeError: "as_array takes arrays and lists, too"}
    with calling("np.array([8, 8]) - Tensor([2, 3])", slips=slips):
        expect(array - y, [6, 5], "np.array([8, 8]) - Tensor([2, 3])")


@pytest.mark.exercise("1.4", points=1)
def test_operators_take_lists_too():
    x, y = tt.Tensor([6, 9]), tt.Tensor([2, 3])
    operators = {
        "Tensor([6, 9]) - [2, 3]": (lambda: x - [2, 3], [4, 6]),
        "[6, 9] - Tensor([2, 3])": (lambda: [6, 9] - y, [4, 6]),
        "Tensor([6, 9]) / [2, 3]": (lambda: x / [2, 3], [3, 3]),
        "[6, 9] / Tensor([2, 3])": (lambda: [6, 9] / y, [3, 3]),
    }
    for what, (operator, want) in operators.items():
        wanted = "as_array takes arrays and lists, too"
        lists = dict.fromkeys([TypeError, AttributeError, ValueError], wanted)
        with calling(what, slips=lists):
            got = operator()
        expect(got, want, what)


@pytest.mark.exercise("1.5", points=1)
def test_ones_takes_sizes_or_a_tuple():
    slips = [(lambda x: x.data.shape == (2,), "as_shape(sizes) is the whole shape")]
    with calling("ones(2, 3)", slips={TypeError: "np.ones takes one tuple, as_shape(sizes)"}):
        got = tt.ones(2, 3)
    expect(got, [[1, 1, 1], [1, 1, 1]], "ones(2, 3)", slips=slips)
    with calling("ones((2, 3))", slips={TypeError: "as_shape(sizes) understands both"}):
        got = tt.ones((2, 3))
    expect(got, [[1, 1, 1], [1, 1, 1]], "ones((2, 3))")
    slips = [(np.dtype("float64"), "NumPy's ones are float64 unless you say dtype=np.float32")]
    expect(np.asarray(tt.ones(2).data).dtype, np.float32, "ones(2).dtype", slips=slips)
    x, y = tt.ones(2), tt.ones(2)
    fail_if(x is y, "two calls of ones(2) gave one and the same Tensor: make a new one each time")
    locked = {ValueError: "the numbers of a Tensor can be changed: give it an array of its own"}
    with calling("x.data[0] = 7 after x = ones(2)", slips=locked):
        x.data[0] = 7
    slips = [([7, 7], "all its numbers are one place in memory: np.ones makes a place for each")]
    expect(x, [7, 1], "x after x = ones(2) and x.data[0] = 7", slips=slips)
    shared = "two results share their memory: make a new array each time"
    for other, what in ((y, "the y that was made before,"), (tt.ones(2), "another ones(2)")):
        what = f"{what} after x = ones(2) and x.data[0] = 7"
        expect(other, [1, 1], what, slips=[([7, 1], shared)])


def arange(*given, **step):
    """What the graded arange gives; a fraction where only whole numbers go is told so."""
    said = [*map(str, given), *(f"{name}={value}" for name, value in step.items())]
    whole = "a step may be a fraction, which range() doesn't take; and a count needs int(…)"
    slips = [(worded(TypeError, "cannot be interpreted as an integer"), whole)]
    with calling(f"arange({', '.join(said)})", slips=slips):
        return tt.arange(*given, **step)


@pytest.mark.exercise("1.5", points=1)
def test_arange_counts_from_zero_or_from_start():
    stop = "the stop itself is not included"
    spread = "np.linspace spreads them evenly, stop included; here the step says how far it is"
    slips = [([2, 3, 4, 5], stop), ([2, 3.5, 5], spread)]
    expect(arange(2, 5), [2, 3, 4], "arange(2, 5)", slips=slips)
    slips = [([0, 5, 10], stop), (range(10), "the step was ignored")]
    expect(arange(0, 10, 5), [0, 5], "arange(0, 10, 5)", slips=slips)
    first = (lambda x: x.data[0] == 3, "with one argument, that argument is the stop")
    slips = [([0, 1, 2, 3], stop), ([1, 2, 3], "it starts at 0"), first]
    expect(arange(3), [0, 1, 2], "arange(3)", slips=slips)
    slips = [(range(6), "the step was ignored where only the stop is given")]
    expect(arange(6, step=2), [0, 2, 4], "arange(6, step=2)", slips=slips)
    slips = [([], "a stop of 0 is a stop too: ask whether stop is None")]
    expect(arange(-2, 0), [-2, -1], "arange(-2, 0)", slips=slips)


@pytest.mark.exercise("1.5", points=1)
def test_arange_does_not_add_up_rounding_errors():
    adds = "rounding errors added up: compute start + i * step, or leave it to np.arange"
    down = "// rounds down, and the quotient (stop - start) / step is rounded up"
    more = "the stop itself is not included" if arange(2).data.size == 3 else adds
    for start, stop, step, count in ((0, 1, 0.1, 10), (1, 0, -0.1, 10), (0, 1000, 0.1, 10_000)):
        what = f"arange({start}, {stop}, {step})"
        got = arange(start, stop, step)
        slips = [((count + 1,), more), ((int((stop - start) // step),), down)]
        if step < 0:
            slips.append(((0,), "with a negative step it counts down"))
        expect(got.shape, (count,), f"{what}.shape", slips=slips)
        slips = [(lambda x, stop=stop: abs(x - stop) < 1, adds)]
        want = start + (count - 1) * step
        expect(got.data[-1], want, f"the last number of {what}", slips=slips)
    numbers = np.arange(-100, 100, 0.1)  # of which 1000 errors cancel but for 6e-12
    added = [np.cumsum([-100] + 1999 * [0.1])[1000]]
    got = arange(-100, 100, 0.1).data[1000]
    want = numbers[1000] if np.isclose(got, numbers[1000], 1e-6, 0) else 0
    single = "so large an error is float32's: do it in float64, and .astype(np.float32) at the end"
    slips = [
        (lambda x: np.allclose(x, added, 1e-6, 0) or 1e-13 < abs(x) < 1e-9, adds),
        (lambda x: 1e-7 < abs(x) < 0.05, single),
    ]
    expect(got, want, "arange(-100, 100, 0.1).data[1000]", slips=slips, rtol=1e-6, atol=1e-13)


@pytest.mark.exercise("1.5", points=1)
def test_arange_holds_float32():
    slips = [
        (np.dtype("float64"), "the numbers were not made float32 at the end"),
        (np.dtype("int64"), "the numbers were not made float32 at the end"),
    ]
    expect(arange(3).dtype, np.float32, "arange(3).dtype", slips=slips)
    got, what = arange(1000000, 1000001, 0.1), "arange(1000000, 1000001, 0.1)"
    expect(got.shape, (10,), f"{what}.shape")
    kept = "a float64 array keeps its dtype in a Tensor: .astype(np.float32) at the end"
    expect(got.dtype, np.float32, f"{what}.dtype", slips=[(np.dtype("float64"), kept)])
    early = "that was worked out in float32: do it in float64, and .astype(np.float32) at the end"
    slips = [(lambda last: abs(last - 1000001) < 0.5, early)]
    expect(float(got.data[-1]), 1000000.875, f"the last number of {what}", slips=slips, rtol=0)
    slips = [(lambda first: abs(first - 100.3) < 1e-4, early)]
    got = arange(100, 101, 0.1).data[3]
    expect(got, np.float32(100.3), "arange(100, 101, 0.1).data[3]", slips=slips, rtol=0, atol=0)


@pytest.mark.exercise("1.5", points=1)
def test_randn_repeats_with_the_same_generator():
    before = np.random.get_state()
    new = "there's no generator: make a new one, np.random.default_rng()"
    with calling("randn(8)", slips=[(lacks("NoneType"), new)]):
        tt.randn(8)
    after = np.random.get_state()
    np.random.set_state(before)
    moved = before[2:] != after[2:] or (before[1] != after[1]).any()
    own = "make a new one, np.random.default_rng(), and draw from that"
    fail_if(moved, f"randn(8) drew from NumPy's global generator, as np.random.randn does: {own}")
    with calling("randn(3, 4, generator=…)", slips={TypeError: "as_shape(sizes) is one tuple"}):
        first, again, other = (
            tt.randn(3, 4, generator=np.random.default_rng(seed)).data for seed in (5, 5, 6)
        )
    expect(first.shape, (3, 4), "randn(3, 4, generator=…).shape")
    slips = [(np.dtype("float64"), "NumPy draws float64 unless you say dtype=np.float32")]
    expect(first.dtype, np.float32, "randn(3, 4, generator=…).dtype", slips=slips)
    drawn = "draw from the generator that is passed in"
    fail_if((first != again).any(), f"two generators with seed 5 gave different numbers: {drawn}")
    fail_if((first == other).all(), f"seeds 5 and 6 gave the same numbers: {drawn}")
    fail_if(
        (tt.randn(8).data == tt.randn(8).data).all(),
        "randn(8) gave the same numbers twice: without a generator, each call draws new numbers",
    )


@pytest.mark.exercise("1.5", points=1)
def test_randn_gives_what_the_generator_draws():
    generator, same = np.random.default_rng(5), np.random.default_rng(5)
    first, second = (tt.randn(4, generator=generator).data for _ in range(2))
    what = "two calls of randn(4) with the same generator gave the same numbers"
    fail_if((first == second).all(), f"{what}: use the generator itself, not a copy of it")
    wants = [same.standard_normal(8, dtype=np.float32), np.random.default_rng(5).normal(size=8)]
    got = np.concatenate([first, second])
    want = min(wants, key=lambda want: abs(want - got).max())  # float32 draws other ones
    standard = (
        lambda got: abs(got[:4].mean()) < 1e-6,
        "that is standardised: leave mean and deviation to chance",
    )
    because = "they're the numbers that the generator draws next"
    uniform = (lambda got: ((got >= 0) & (got < 1)).all(), "those are uniform numbers, not normal")
    slips = [
        (lambda got: np.isnan(got).any(), "leave the numbers as they're drawn"),
        standard,
        uniform,
    ]
    expect(got, want, "two calls of randn(4) with default_rng(5)", slips=slips, because=because)
