"""Chapter 12: a convolution, and what it owes to its image and to its kernels."""

import tracemalloc
from functools import partial

import numpy as np
import pytest

import tinytorch as tt
from course.testing import calling, calls_of, error_of, expect, expect_return, fail_if, leaf, worded
from course.windowed import needs_convolved, needs_windows, settings_lost, starts

PLAIN = ((1, 1), (1, 1))  # stride and dilation
BOTH_KINDS = (
    "arrays, or Tensors in a recorded pass: use @, reshape, swapaxes and sum, which both have"
)

NO_TRANSPOSE = "a reshape isn't a transpose: swapaxes(-1, -2) exchanges rows and columns"


def sizes(kernel, stride=(1, 1), dilation=(1, 1)):
    return [kernel, stride, dilation]


def array(numbers):
    return np.array(numbers, np.float64)


PRODUCTS = {
    "convolved": "kernels (G, O / G, K) @ columns (N, G, K, L), says the comment above as_kernels",
    "conv_image": "kernels transposed, (G, K, O / G), @ grad's columns, (N, G, O / G, L)",
    "conv_weight": "grad's columns, (N, G, O / G, L), @ columns transposed, (N, G, L, K)",
}
RESHAPED = {
    "as_kernels": "as_kernels takes a weight, (O, C / G, h, w)",
    "as_columns": "as_columns takes windows or results, with as many groups as they have",
    "convolved": "it's (N, O, out H, out W): O is len(weight), the last two are the windows'",
    "conv_image": "what add_windows is given has the shape of windows(image, *sizes)",
    "conv_weight": "summed over the batch, it's as many numbers as the weight has",
}
FIVE = ((((1, 2, 4, 8, 9),),),)  # seen by kernels of two numbers at four places
UNSEEN = "what no window sees has a gradient, too, 0: the shape is that of the image, image.shape"
SHARES = "each picture has gradients of its own: there's no sum over the batch here"
ONLY_TWO = "only the last two axes change places: swapaxes(-1, -2); .T turns all of them round"


def lengths(first, second):
    """A question for slips: did lengths meet at @ that don't fit, these two?"""
    return worded(ValueError, f"(size {second} is different from {first})")


def reshaped_in(name):
    """A question for slips: was it a reshape in this function that numbers didn't fit?"""
    return lambda e: "reshape array" in str(e) and len(calls_of(name, e)) > 0


def has_other_axes(error, exchanged=False):
    """Did add_windows get what isn't shaped like windows, or with places and kernel exchanged?"""
    given = calls_of("sum_of_windows", error)[-1]
    settings = (given[name] for name in ("kernel", "stride", "dilation"))
    places = tuple(len(starts(*each)) for each in zip(given["shape"][-2:], *settings, strict=True))
    kernel, axes = tuple(given["kernel"]), np.shape(given["x"])
    if exchanged:
        return axes[-4:] == (*places, *kernel)
    return axes != (*given["shape"][:-2], *kernel, *places)


def has_other_shape(error):
    """Was add_windows told another shape than that of the image?"""
    given, image = calls_of("sum_of_windows", error)[-1], calls_of("conv_image", error)[-1]["image"]
    return tuple(given["shape"]) != tuple(image.shape)


def slips_of(name):
    """Of an exception in one of the three."""
    return (
        (lambda e: "'dim'" in str(e), "arrays know axis, not dim, and Tensors know both"),
        (lambda e: "axes don't match" in str(e), "an array's transpose() wants all axes: "
         "swapaxes(-1, -2) exchanges the last two, of a Tensor as well"),
        (lambda e: "matmul" in str(e), PRODUCTS[name]),
        (has_other_shape, "the shape that add_windows wants is that of the image: image.shape"),
        (lambda e: has_other_axes(e, exchanged=True), "the kernel's axes come before the places: "
         "(N, C, h, w, out H, out W)"),
        (lambda e: "positional argument" in str(e), "hand on all of *sizes: they're kernel, stride "
         "and dilation"),
        (has_other_axes, "add_windows takes what windows() gives: (N, C, h, w, out H, out W)"),
        (worded(ValueError, "broadcast together"), f"a product of matrices: {PRODUCTS[name]}"),
        *((reshaped_in(function), reason) for function, reason in RESHAPED.items()),
    )  # fmt: skip


def run(name, *given, what, slips=()):
    """What a function of nn.conv gives."""
    with calling(what, slips=[*slips, *settings_lost(given[-2]), *slips_of(name)]):
        got = getattr(tt.nn.conv, name)(*given)
    expect_return(got, what)
    return got


def expect_in_float64(got, want, what, *, slips=(), because=""):
    """The numbers, and the dtype of what array() makes."""
    expect(got, want, what, slips=slips, because=because)
    same = "that of the arrays it was given"
    expect(np.asarray(got).dtype, np.dtype(np.float64), f"the dtype of {what}", because=same)


@pytest.mark.exercise("12.3", points=2)
@needs_windows
def test_a_kernel_meets_each_window_as_it_stands():
    kernels = array([[[[-1, 1]]], [[[1, 0]]], [[[0, 10]]]])
    what = "convolved([[1, 2, 4, 8, 9]], kernels [[-1, 1]], [[1, 0]] and [[0, 10]])"
    seen = "the columns are those of windows(image, *sizes): at each place, all that a kernel sees"
    lost = [
        (lengths(2, 1), seen),
        (lengths(4, 3), f"the kernels come first: {PRODUCTS['convolved']}"),
    ]
    got = run("convolved", array(FIVE), kernels, sizes((1, 2)), 1, what=what, slips=lost)
    slips = {(1, 1, 4, 3): "the kernels' channels come before the places: (N, O, out H, out W)",
             (1, 1, 3, 4): "that's the product, (N, G, O / G, L): give it the shape that's wanted",
             (1, 3, 4, 1): "down comes before right: (N, O, out H, out W)",
             (3, 1, 1, 4): "the pictures come first, then the channels that the kernels make",
             (3, 1, 4): "the axis of the pictures stays, be there one or many",
             (1, 3, 4): "down and right have an axis each, be there one row or many",
             (3, 4): "pictures and channels have an axis each, be there one or many"}  # fmt: skip
    expect(np.shape(got), (1, 3, 1, 4), f"the shape of {what}", slips=slips)
    turned, mixed = [[-1, -2, -4, -1], [2, 4, 8, 9], [10, 20, 40, 80]], [1, 1, 20, 2, 2, 40]
    mixed = np.reshape([*mixed, 4, 4, 80, 1, 8, 90], (1, 3, 1, 4))
    slips = [([[[row] for row in turned]], "the kernel has been turned around"),
             (mixed, "that's (L, O), reshaped: kernels come first in the product")]  # fmt: skip
    want = [[[[1, 2, 4, 1]], [[1, 2, 4, 8]], [[20, 40, 80, 90]]]]
    because = "differences, what's on the left, ten times what's on the right"
    expect_in_float64(got, want, what, slips=slips, because=because)
    image = array(np.arange(9).reshape(1, 1, 3, 3))
    kernel = array([[[[1, 10], [100, 1000]]]])
    what = "convolved([[0, 1, 2], [3, 4, 5], [6, 7, 8]], kernel [[1, 10], [100, 1000]])"
    got = run("convolved", image, kernel, sizes((2, 2)), 1, what=what)
    slips = [([[[[1340, 2451], [4673, 5784]]]], "the kernel has been turned around"),
             ([[[[4130, 5241], [7463, 8574]]]], "down and right are exchanged"),
             ([[[[4310, 7643], [5421, 8754]]]], "down and right are exchanged")]  # fmt: skip
    expect(got, [[[[4310, 5421], [7643, 8754]]]], what, slips=slips)
    image, kernel = array([[[[1, 2, 3, 4, 5, 6]]]]), array([[[[1, 10]]]])
    what = "convolved([[1, 2, 3, 4, 5, 6]], kernel [[1, 10]], stride 3, dilation 2)"
    got = run("convolved", image, kernel, sizes((1, 2), (1, 3), (1, 2)), 1, what=what)
    slips = [([[[[41, 63]]]], "stride and dilation are exchanged: sizes has the stride first")]
    expect(got, [[[[31, 64]]]], what, slips=slips, because="1 + 10 * 3 and 4 + 10 * 6")
    image, kernel = array(np.arange(5).reshape(1, 1, 1, 5)), array([[[[10]]]])
    what = "convolved([[0, 1, 2, 3, 4]], kernel [[10]], stride 2)"
    got = run("convolved", image, kernel, sizes((1, 1), (1, 2)), 1, what=what)
    slips = {(1, 1, 1, 5): "a kernel of a single number has a stride, too: windows(image, *sizes)"}
    expect(np.shape(got), (1, 1, 1, 3), f"the shape of {what}", slips=slips)
    expect(got, [[[[0, 20, 40]]]], what)


@pytest.mark.exercise("12.3", points=1)
@needs_windows
def test_each_kernel_sums_over_its_channels():
    image = array([[[[1, 2]], [[10, 20]]], [[[3, 4]], [[30, 40]]]])  # (2, 2, 1, 2)
    kernels = array([[[[1]], [[0]]], [[[0]], [[1]]], [[[1]], [[2]]]])  # (3, 2, 1, 1)
    what = "convolved of two pictures with two channels and three kernels"
    got = run("convolved", image, kernels, sizes((1, 1)), 1, what=what)
    want = [[[[1, 2]], [[10, 20]], [[21, 42]]], [[[3, 4]], [[30, 40]], [[63, 84]]]]
    slips = {(3, 2, 1, 2): "the pictures come first, then the channels that the kernels make"}
    expect(np.shape(got), (2, 3, 1, 2), f"the shape of {what}", slips=slips)
    mixed = [[[[1, 10]], [[21, 2]], [[20, 42]]], [[[3, 30]], [[63, 4]], [[40, 84]]]]
    because = "the third kernel takes channel 0 once and channel 1 twice"
    slips = [(mixed, "that's (L, O), reshaped: in the product, the kernels come first")]
    expect(got, want, what, slips=slips, because=because)


@pytest.mark.exercise("12.3", points=1)
@needs_windows
def test_each_group_has_its_own_channels_and_kernels():
    image = array([[[[1]], [[10]], [[100]], [[1000]]]])  # (1, 4, 1, 1)
    kernels = array([[[[1]], [[2]]], [[[3]], [[4]]]])  # (2, 2, 1, 1): one kernel for each group
    what = "convolved of channels 1, 10, 100, 1000 with kernels [1, 2] and [3, 4] in two groups"
    two = "a kernel has two channels here, the image four: "
    count = (
        f"{two}each group meets C / G of them, weight.shape[1]: O / G is how many kernels it has"
    )
    lost = [(lengths(2, 1), count), (ValueError, f"{two}each group meets channels of its own")]
    got = run("convolved", image, kernels, sizes((1, 1)), 2, what=what, slips=lost)
    slips = [([[[[201]], [[4030]]]], "channels that stand side by side form a group"),
             ([[[[21]], [[43]]]], "the second group has channels 2 and 3"),
             ([[[[21]], [[21]]]], "that's the first group twice: each has its own")]  # fmt: skip
    expect(got, [[[[21]], [[4300]]]], what, slips=slips)
    image, kernels = array([[[[1]], [[10]]]]), array([[[[1]]], [[[2]]], [[[3]]], [[[4]]]])
    what = "convolved of channels 1 and 10 with kernels [1], [2], [3] and [4] in two groups"
    got = run("convolved", image, kernels, sizes((1, 1)), 2, what=what)
    side = "kernels that stand side by side form a group: the first two see channel 0"
    stay = "the kernels of a group stay side by side"
    slips = [([[[[1]], [[20]], [[3]], [[40]]]], side), ([[[[1]], [[30]], [[2]], [[40]]]], stay)]
    expect(got, [[[[1]], [[2]], [[30]], [[40]]]], what, slips=slips)


@pytest.mark.exercise("12.3", points=1)
@needs_windows
def test_columns_are_not_kept():
    image, kernel = array(np.ones((2, 1, 30, 30))), array(np.ones((1, 1, 5, 5)))
    tracemalloc.start()
    try:
        got = tt.nn.conv.convolved(image, kernel, sizes((5, 5)), 1)
        left = tracemalloc.get_traced_memory()[0] - got.nbytes
    finally:
        tracemalloc.stop()
    what = "convolved of 2 pictures of 30 x 30, kernel 5 x 5,"
    fail_if(left > 100_000, f"{what} has kept {left:,} bytes: columns aren't kept, they're made "
            "again on the way back")  # fmt: skip


@pytest.mark.exercise("12.4", points=2)
@needs_windows
def test_the_image_gets_what_each_window_owes_it():
    kernels = array([[[[1, 2]]], [[[10, 20]]], [[[100, 200]]]])
    grad = array([[[[1, 0, 0, 0]], [[0, 0, 1, 0]], [[0, 0, 0, 1]]]])
    what = "conv_image: the gradient of five numbers, from [1, 0, 0, 0], [0, 0, 1, 0] and "
    what += "[0, 0, 0, 1], kernels [1, 2], [10, 20] and [100, 200],"
    given = grad, array(FIVE) * 0, kernels, sizes((1, 2)), 1
    got = run("conv_image", *given, what=what, slips=[(lengths(1, 3), ONLY_TWO)])
    slips = {
        (1, 1, 1, 4): "that's one number for each window: add_windows knows what belongs where",
        (1, 1, 2, 4): "those are columns: add_windows adds up what belongs to one number",
        (1, 1, 1, 2, 1, 4): "those are windows: add_windows adds them up",
        (3, 1, 1, 2): "that's the shape of the weight, and the gradient is the image's",
        (1, 3, 1, 2, 1, 3): "those are windows of grad: multiply, and then add_windows",
    }
    expect(np.shape(got), (1, 1, 1, 5), f"the shape of {what}", slips=slips)
    twice = "two windows see the middle: add_windows adds"
    slips = [([[[[2, 1, 20, 210, 100]]]], "the kernel has been turned around"),
             ([[[[1, 20, 2, 110, 200]]]], NO_TRANSPOSE),
             ([[[[1, 2, 0, 20, 200]]]], twice), ([[[[1, 0, 10, 100, 200]]]], twice)]  # fmt: skip
    because = "the kernels, each from its place on: in the middle 20 + 100"
    expect(got, [[[[1, 2, 10, 120, 200]]]], what, slips=slips, because=because)
    image, kernel = array([[[[1, 2, 4]]]]), array([[[[2, 3]]]])
    what = "conv_image: the gradient of [[1, 2, 4]], from [[10, 100]], kernel [[2, 3]],"
    got = run("conv_image", array([[[[10, 100]]]]), image, kernel, sizes((1, 2)), 1, what=what)
    slips = [([[[[30, 320, 200]]]], "the kernel has been turned around"),
             ([[[[20, 200, 300]]]], "the middle is seen by two windows: add_windows adds"),
             ([[[[20, 30, 300]]]], "two windows see the middle: add_windows adds")]  # fmt: skip
    because = "2 * 10, 3 * 10 + 2 * 100, 3 * 100"
    expect_in_float64(got, [[[[20, 230, 300]]]], what, slips=slips, because=because)
    image, kernel = array(np.zeros((1, 1, 1, 6))), array([[[[2, 3]]]])
    what = "conv_image: the gradient of six numbers, kernel [[2, 3]], stride 3 and dilation 2,"
    spread = sizes((1, 2), (1, 3), (1, 2))
    got = run("conv_image", array([[[[10, 100]]]]), image, kernel, spread, 1, what=what)
    slips = [([[[[20, 30, 0, 200, 300, 0]]]], "dilation has no effect: hand on all of *sizes")]
    expect(got, [[[[20, 0, 30, 200, 0, 300]]]], what, slips=slips)
    image, kernel = array(np.zeros((1, 1, 1, 6))), array([[[[2]]]])
    what = "conv_image: the gradient of six numbers, from [[1, 10, 100]], kernel [[2]], stride 2,"
    one = [(worded(ValueError, "reshape array of size 3 into shape (1,1,1,6)"),
            "a kernel of a single number has a stride, too")]  # fmt: skip
    grad, settings = array([[[[1, 10, 100]]]]), sizes((1, 1), (1, 2))
    got = run("conv_image", grad, image, kernel, settings, 1, what=what, slips=one)
    slips = {(1, 1, 1, 5): UNSEEN}
    expect(np.shape(got), (1, 1, 1, 6), f"the shape of {what}", slips=slips)
    expect(got, [[[[2, 0, 20, 0, 200, 0]]]], what, because=UNSEEN)


@pytest.mark.exercise("12.4", points=1)
@needs_windows
def test_a_channel_of_the_image_hears_from_all_its_kernels():
    image, kernels = array(np.zeros((2, 1, 1, 1))), array([[[[2]]], [[[3]]]])
    what = "conv_image: the gradient of two pictures of one pixel, kernels 2 and 3,"
    grad = array([[[[1]], [[10]]], [[[100]], [[1000]]]])
    shares = [(worded(ValueError, "reshape array of size 1 into"), SHARES)]
    got = run("conv_image", grad, image, kernels, sizes((1, 1)), 1, what=what, slips=shares)
    slips = [([[[[2]]], [[[200]]]], "only the first kernel has been asked"),
             ([[[[3232]]], [[[3232]]]], SHARES)]  # fmt: skip
    because = "2 * 1 + 3 * 10, 2 * 100 + 3 * 1000"
    expect(got, [[[[32]]], [[[3200]]]], what, slips=slips, because=because)
    image, kernels = array(np.zeros((1, 1, 1, 2))), array([[[[1, 2]]], [[[3, 4]]]])
    what = "conv_image: the gradient of two pixels, kernels [1, 2] and [3, 4], from 1 and 10,"
    got = run("conv_image", array([[[[1]], [[10]]]]), image, kernels, sizes((1, 2)), 1, what=what)
    slips = [([[[[21, 43]]]], NO_TRANSPOSE)]
    because = "1 * 1 + 3 * 10 and 2 * 1 + 4 * 10"
    expect(got, [[[[31, 42]]]], what, slips=slips, because=because)
    image, kernels = array(np.zeros((1, 2, 1, 2))), array([[[[1, 2]], [[3, 4]]]])
    what = "conv_image: the gradient of two channels of two pixels, kernel [[1, 2]], [[3, 4]],"
    got = run("conv_image", array([[[[10]]]]), image, kernels, sizes((1, 2)), 1, what=what)
    slips = [([[[[10, 30]], [[20, 40]]]], "the K numbers stand channel by channel: (C, h, w)")]
    expect(got, [[[[10, 20]], [[30, 40]]]], f"{what} from 10,", slips=slips)
    image, kernels = array(np.zeros((1, 4, 1, 1))), array([[[[1]], [[2]]], [[[3]], [[4]]]])
    what = "conv_image: the gradient of four channels, kernels [1, 2] and [3, 4] in two groups,"
    one = [(worded(ValueError, "array of size 2 into"), "2 numbers are those of one group: hand on "
            "groups")]  # fmt: skip
    given = array([[[[1]], [[10]]]]), image, kernels, sizes((1, 1)), 2
    got = run("conv_image", *given, what=what, slips=one)
    because = "1 * 1, 2 * 1 and 3 * 10, 4 * 10: a channel hears from the kernels of its group"
    expect(got, [[[[1]], [[2]], [[30]], [[40]]]], f"{what} from 1 and 10,", because=because)
    image, kernels = array(np.zeros((1, 2, 1, 1))), array([[[[1]]], [[[2]]], [[[3]]], [[[4]]]])
    what = "conv_image: the gradient of two channels, kernels [1], [2], [3] and [4] in two groups,"
    grad = array([[[[1]], [[10]], [[100]], [[1000]]]])
    got = run("conv_image", grad, image, kernels, sizes((1, 1)), 2, what=what)
    side = "kernels that stand side by side form a group: the first two have seen channel 0"
    slips = [([[[[301]], [[4020]]]], side)]
    expect(got, [[[[21]], [[4300]]]], f"{what} from 1, 10, 100, 1000,", slips=slips)


@pytest.mark.exercise("12.4", points=1)
@needs_windows
def test_the_weight_hears_from_all_places():
    grad = array([[[[1, 0, 0, 0]], [[0, 0, 10, 0]], [[0, 0, 0, 100]]]])
    what = "conv_weight: the gradient of three kernels of (1, 2), from [1, 0, 0, 0], [0, 0, 10, 0] "
    what += "and [0, 0, 0, 100], image [[1, 2, 4, 8, 9]],"
    seen = "the columns are those of windows(image, *sizes): at each place, all that a kernel sees"
    lost = [(lengths(4, 5), seen), (lengths(4, 1), ONLY_TWO)]
    given = grad, array(FIVE), array(np.ones((3, 1, 1, 2))), sizes((1, 2)), 1
    got = run("conv_weight", *given, what=what, slips=lost)
    last = "that's the product of one picture, (G, O / G, K): give it the shape of weight"
    slips = [((1, 1, 1, 5), "that's the shape of the image, and the gradient is the weight's"),
             ((1, 3, 2), last), ((1, 1, 3, 2), "one weight for all: sum over the batch"),
             (lambda shape: len(shape) == 5, "one weight for all: sum over the batch"),
             ((), "sum over the batch alone: each number has a gradient of its own")]  # fmt: skip
    because = "that of weight"
    expect(np.shape(got), (3, 1, 1, 2), f"the shape of {what}", slips=slips, because=because)
    mixed = [[[[1, 40]]], [[[800, 2]]], [[[80, 900]]]]
    slips = [(mixed, "that's (K, O / G), reshaped: grad's columns come first in the product"),
             ([[[[1, 2]]], [[[20, 40]]], [[[800, 900]]]], NO_TRANSPOSE)]  # fmt: skip
    because = "each kernel gets the window that it's asked at, times what it's sent there"
    expect(got, [[[[1, 2]]], [[[40, 80]]], [[[800, 900]]]], what, slips=slips, because=because)
    image, kernel = array([[[[1, 2, 4]]]]), array([[[[2, 3]]]])
    what = "conv_weight: the gradient of [[2, 3]], from [[10, 100]], image [[1, 2, 4]],"
    call = partial(tt.nn.conv.conv_weight, array([[[[10, 100]]]]), image, kernel, sizes((1, 2)), 1)
    error = error_of(call)
    if error is not None:
        error_of(partial(tt.nn.conv.convolved, image, kernel, sizes((1, 2)), 1))
        kept = "after convolved of this image it doesn't: nothing of the way there is kept"
        fail_if(error_of(call) is None, f"{what} raised {type(error).__name__}: {error}; {kept}")
    with calling(what, slips=slips_of("conv_weight")):
        got = call()
    slips = [([[[[420, 210]]]], "the kernel has been turned around"),
             ([[[[105, 210]]]], "a sum over all places, not their mean"),
             (lambda g: np.ndim(g) == 5, "one kernel for all: sum over the batch")]  # fmt: skip
    because = "10 * 1 + 100 * 2 and 10 * 2 + 100 * 4"
    expect_in_float64(got, [[[[210, 420]]]], what, slips=slips, because=because)
    what = "conv_weight: the gradient of [[2, 3]], from [[1, 10, 100]], image [[1, 2, 5, 7]],"
    grad, image = array([[[[1, 10, 100]]]]), array([[[[1, 2, 5, 7]]]])
    got = run("conv_weight", grad, image, kernel, sizes((1, 2)), 1, what=what)
    slips = [([[[[551, 722]]]], NO_TRANSPOSE)]
    expect(got, [[[[521, 752]]]], what, slips=slips, because="1 * 1 + 10 * 2 + 100 * 5 and so on")
    what = "conv_weight: the gradient of [[2, 3]], from [[10, 100]], image [[1, 2, …, 8]], "
    what += "stride 3 and dilation 2,"
    two = "with stride 3 and dilation 2 there are two places: windows(image, *sizes)"
    image, spread = array([[[[1, 2, 3, 4, 5, 6, 7, 8]]]]), sizes((1, 2), (1, 3), (1, 2))
    other = [(worded(ValueError, "matmul"), two), (worded(ValueError, "broadcast"), two)]
    grad = array([[[[10, 100]]]])
    got = run("conv_weight", grad, image, kernel, spread, 1, what=what, slips=other)
    expect(got, [[[[410, 630]]]], what, because="10 * 1 + 100 * 4 and 10 * 3 + 100 * 6")
    what = "conv_weight: the gradient of [[2]], from [[1, 10, 100]], image [[0, 1, 2, 3, 4]], "
    what += "stride 2,"
    one = "a kernel of a single number has a stride, too"
    other = [(worded(ValueError, "matmul"), one), (worded(ValueError, "broadcast"), one)]
    grad, image = array([[[[1, 10, 100]]]]), array(np.arange(5).reshape(1, 1, 1, 5))
    given = grad, image, array([[[[2]]]]), sizes((1, 1), (1, 2)), 1
    got = run("conv_weight", *given, what=what, slips=other)
    expect(got, [[[[420]]]], what, because="1 * 0 + 10 * 2 + 100 * 4")
    grad, kernels = array([[[[1, 10]], [[100, 1000]]]]), array([[[[2, 3]]], [[[4, 5]]]])
    what = "conv_weight: the gradient of kernels [2, 3] and [4, 5], from [[1, 10]] and "
    what += "[[100, 1000]], image [[1, 2, 5]],"
    image = array([[[[1, 2, 5]]]])
    got = run("conv_weight", grad, image, kernels, sizes((1, 2)), 1, what=what)
    slips = [([[[[21, 2100]]], [[[52, 5200]]]], "that's (K, O / G), reshaped: grad's columns come "
              "first in the product")]  # fmt: skip
    because = (
        "1 * 1 + 10 * 2, 1 * 2 + 10 * 5 for the first kernel, a hundred times that for the second"
    )
    expect(got, [[[[21, 52]]], [[[2100, 5200]]]], what, slips=slips, because=because)
    x, wide, tall = (leaf(np.arange(n).reshape(1, 1, *s)) for n, s in
                     ((9.0, (3, 3)), (2.0, (1, 2)), (2.0, (2, 1))))  # fmt: skip
    first, second = (tt.nn.functional.conv2d(x, w) for w in (wide, tall))
    what = "x = arange(9) as (3, 3), a kernel of (1, 2), another of (2, 1): the gradient of "
    product = lambda e: "matmul" in str(e) and calls_of("conv_weight", e)  # noqa: E731
    with calling(what + "both", slips=[(product, PRODUCTS["conv_weight"])]):
        first.sum().backward()
        second.sum().backward()
    slips = [([[[[15, 33]]]], "that's the other one's: nothing of the way there is kept")]
    expect(wide.grad, [[[[21, 27]]]], what + "the first", slips=slips)
    expect(tall.grad, [[[[15], [33]]]], what + "the second")


@pytest.mark.exercise("12.4", points=1)
@needs_windows
def test_the_weight_hears_from_all_pictures():
    kernel = array([[[[2, 3]]]])
    two, grad = array([[[[1, 2, 4]]], [[[5, 0, 0]]]]), array([[[[10, 100]]], [[[1000, 0]]]])
    what = "conv_weight of [[2, 3]], from two pictures, [[1, 2, 4]] and [[5, 0, 0]],"
    shares = [(lambda e: "reshape" in str(e), "each picture has its share: sum over the batch")]
    got = run("conv_weight", grad, two, kernel, sizes((1, 2)), 1, what=what, slips=shares)
    slips = [([[[[210, 420]]]], "only the first picture has been asked"),
             ([[[[6260, 2420]]]], "a product for each picture, and then the sum, not sums first"),
             ([[[[2605, 210]]]], "each picture of the batch has its share: sum, not the mean"),
             (lambda g: np.shape(g)[0] == 2, "one kernel for all: sum over the batch")]  # fmt: skip
    expect(got, [[[[5210, 420]]]], what, slips=slips)
    image = array([[[[1]], [[10]], [[100]], [[1000]]]])  # (1, 4, 1, 1)
    kernels = array([[[[1]], [[2]]], [[[3]], [[4]]]])  # (2, 2, 1, 1): one kernel for each group
    what = "conv_weight: the gradient of kernels [1, 2] and [3, 4] in two groups, from 1 and 10,"
    grad = array([[[[1]], [[10]]]])
    share = "sum over the batch alone: each group has kernels of its own"
    one = "8 numbers are those of one group: hand on groups"
    lost = [(worded(ValueError, "size 2 into"), share), (worded(ValueError, "size 8 into"), one)]
    got = run("conv_weight", grad, image, kernels, sizes((1, 1)), 2, what=what, slips=lost)
    want = [[[[1]], [[10]]], [[[1000]], [[10000]]]]
    because = "1 * 1, 1 * 10 and 10 * 100, 10 * 1000: a kernel has seen the channels of its group"
    expect(got, want, f"{what} channels 1, 10, 100, 1000,", because=because)


@pytest.mark.exercise("12.4", points=2)
@needs_convolved
def test_the_way_back_can_be_recorded():
    x, w = leaf([[[[1, 2, 4]]]]), leaf([[[[2, 3]]]])
    z = tt.nn.functional.conv2d(x, w)
    what = "backward(create_graph=True) through conv2d of [[1, 2, 4]], kernel [[2, 3]],"
    call = lambda: (z * z).sum().backward(create_graph=True)  # noqa: E731
    error = error_of(call)
    fail_if(error is not None, f"{what} raised {type(error).__name__}: {error}; {BOTH_KINDS}")
    slips = [([[[[0, 0, 0]]]], "conv_image gives zeros for Tensors: windows() and add_windows() "
              "take both, windows_of() and sum_of_windows() arrays only")]  # fmt: skip
    because = "z = [8, 16], and 2 z comes back"
    expect(x.grad, [[[[32, 112, 96]]]], f"{what} x.grad", slips=slips, because=because)
    expect(w.grad, [[[[80, 160]]]], f"{what} w.grad", because="z = [8, 16], and 2 z comes back")
    for name, grad in (("x.grad", x.grad), ("w.grad", w.grad)):
        fail_if(grad.grad_fn is None, f"{what} {name} has no history: {BOTH_KINDS}")
    lost = "has lost the history of"
    wants = [  # what comes of it, for x and for w; and what else comes, if a history is lost
        ("x.grad", x.grad, [20, 50, 30], [78, 108],
         [], [([30, 60], f"conv_image {lost} weight"), ([48, 48], f"conv_image {lost} grad")]),
        ("w.grad", w.grad, [28, 90, 68], [30, 60],
         [([12, 42, 36], f"conv_weight {lost} image"), ([16, 48, 32], f"conv_weight {lost} grad")],
         [])]  # fmt: skip
    for name, grad, for_x, for_w, *slips in wants:
        x.grad = w.grad = None
        said = f"{what} then {name}.sum().backward():"
        with calling(said):
            grad.sum().backward(retain_graph=True)
        slips = [[([[[wrong]]], f"{why}: {BOTH_KINDS}") for wrong, why in each] for each in slips]
        none = (None, f"conv_{'image' if name == 'x.grad' else 'weight'} {lost} grad: {BOTH_KINDS}")
        expect(w.grad, [[[for_w]]], f"{said} w.grad", slips=[*slips[1], none])
        expect(x.grad, [[[for_x]]], f"{said} x.grad", slips=[*slips[0], none])
