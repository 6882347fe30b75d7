"""Chapter 1: what goes into a Tensor, what comes out, and how it computes."""

import numpy as np
import pytest

import tinytorch as tt
from course.testing import expect, expect_raises


@pytest.mark.exercise("1.1", points=1)
def test_numbers_and_lists_become_float32():
    expect(tt.as_array(3), np.float32(3), "as_array(3)")
    expect(tt.as_array([[1, 2], [3, 4]]), [[1, 2], [3, 4]], "as_array([[1, 2], [3, 4]])")
    for data in (3, 3.5, True, [1.0, 2.0], np.array([1, 2]), []):
        slip = "only data that arrives as a floating-point array keeps its dtype"
        expect(tt.as_array(data).dtype, np.float32, f"as_array({data!r}).dtype", slip=slip)


@pytest.mark.exercise("1.1", points=1)
def test_a_floating_point_array_keeps_its_dtype():
    for dtype in (np.float64, np.float16):
        got = tt.as_array(np.array([1.5, 2.5], dtype=dtype))
        expect(
            got.dtype, dtype, f"as_array(a {np.dtype(dtype)} array).dtype", slip="was it converted?"
        )
    slip = "a NumPy number has a dtype too"
    expect(tt.as_array(np.float64(2)).dtype, np.float64, "as_array(np.float64(2)).dtype", slip=slip)


@pytest.mark.exercise("1.1", points=1)
def test_plain_numbers_take_the_dtype_that_is_asked_for():
    slip = "use the argument dtype, not always float32"
    got = tt.as_array(2, np.float64)
    expect(got.dtype, np.float64, "as_array(2, np.float64).dtype", slip=slip)
    got = tt.as_array(np.array([0.5], dtype=np.float32), np.float64)
    slip = "an array that is floating-point already keeps its own dtype"
    expect(got.dtype, np.float32, "as_array(a float32 array, np.float64).dtype", slip=slip)


@pytest.mark.exercise("1.1", points=1)
def test_the_callers_array_is_copied():
    array = np.array([1.0, 2.0])
    got = tt.as_array(array)
    array[0] = 9
    slip = "the array is shared with the caller: np.asarray does not copy, np.array does"
    expect(got, [1, 2], "as_array(array), after array[0] = 9", slip=slip)


@pytest.mark.exercise("1.1", points=1)
def test_a_tensor_is_accepted():
    try:
        got = tt.as_array(tt.Tensor([1, 2]))
    except TypeError as error:
        got = repr(error)
    slip = "open a Tensor first: data = data.data"
    expect(got, [1, 2], "as_array(Tensor([1, 2]))", slip=slip)


@pytest.mark.exercise("1.1", points=1)
def test_what_is_not_numbers_is_refused():
    slip = "look at array.dtype.kind: numbers are of kind b, i, u or f"
    expect_raises(TypeError, lambda: tt.as_array("one"), "as_array('one')", slip=slip)
    expect_raises(TypeError, lambda: tt.as_array(None), "as_array(None)", slip=slip)
    slip = "NumPy raises ValueError for rows of unequal length; say what came"
    ragged = [[1, 2], [3]]
    expect_raises(
        ValueError,
        lambda: tt.as_array(ragged),
        f"as_array({ragged})",
        slip=slip,
        says=[str(ragged)],
    )


@pytest.mark.exercise("1.2", points=1)
def test_repr_looks_like_pytorch():
    slip = "np.array2string(self.data, separator=', ') inside tensor(...)"
    expect(repr(tt.Tensor([1, 2])), "tensor([1., 2.])", "repr(Tensor([1, 2]))", slip=slip)
    expect(repr(tt.Tensor(3)), "tensor(3.)", "repr(Tensor(3))", slip=slip)


@pytest.mark.exercise("1.2", points=1)
def test_repr_shows_four_decimals_and_names_other_dtypes():
    slip = "precision=4"
    expect(repr(tt.Tensor(1 / 3)), "tensor(0.3333)", "repr(Tensor(1 / 3))", slip=slip)
    x = tt.Tensor(np.array([1.0, 2.5]))
    slip = "only float32 goes without saying: name every other dtype"
    want = "tensor([1. , 2.5], dtype=float64)"
    expect(repr(x), want, "repr(Tensor(np.array([1.0, 2.5])))", slip=slip)


@pytest.mark.exercise("1.2", points=1)
def test_repr_aligns_the_rows():
    want = "tensor([[1., 2.],\n        [3., 4.]])"
    slip = "prefix='tensor(' makes NumPy indent the rows"
    expect(repr(tt.Tensor([[1, 2], [3, 4]])), want, "repr(Tensor([[1, 2], [3, 4]]))", slip=slip)


@pytest.mark.exercise("1.3", points=1)
def test_item_is_a_plain_float():
    for data in (2.5, [2.5], [[2.5]]):
        got = tt.Tensor(data).item()
        expect(got, 2.5, f"Tensor({data}).item()")
        expect(type(got), float, f"type(Tensor({data}).item())", slip="convert it with float(...)")


@pytest.mark.exercise("1.3", points=1)
def test_item_of_several_elements_is_an_error_that_names_the_shape():
    x = tt.Tensor([1, 2])
    slip = "a tensor with two elements has no one value"
    expect_raises(RuntimeError, x.item, "Tensor([1, 2]).item()", slip=slip, says=["(2,)"])


@pytest.mark.exercise("1.3", points=1)
def test_item_of_no_element_is_an_error():
    x = tt.Tensor(np.zeros((0, 3), dtype=np.float32))
    slip = "an empty tensor has no value: ask for a size of exactly 1"
    expect_raises(
        RuntimeError, x.item, "item() of a tensor of shape (0, 3)", slip=slip, says=["(0, 3)"]
    )


@pytest.mark.exercise("1.4", points=1)
def test_tensor_minus_number_and_number_minus_tensor():
    expect(tt.Tensor([5, 7]) - 2, [3, 5], "Tensor([5, 7]) - 2")
    slip = "2 - x is not x - 2: in __rsub__ the other operand stands on the left"
    expect(2 - tt.Tensor([5, 7]), [-3, -5], "2 - Tensor([5, 7])", slip=slip)


@pytest.mark.exercise("1.4", points=1)
def test_tensor_over_number_and_number_over_tensor():
    expect(tt.Tensor([2, 8]) / 4, [0.5, 2], "Tensor([2, 8]) / 4")
    slip = "8 / x is not x / 8: in __rtruediv__ the other operand stands on the left"
    expect(8 / tt.Tensor([2, 8]), [4, 1], "8 / Tensor([2, 8])", slip=slip)


@pytest.mark.exercise("1.4", points=1)
def test_operators_change_neither_operand_nor_the_dtype():
    x = tt.Tensor(np.array([6.0, 9.0]))
    results = [x - 2, 2 - x, x / 3, 3 / x]
    expect(
        x, [6, 9], "x after x - 2, 2 - x, x / 3 and 3 / x", slip="was self.data changed in place?"
    )
    for result in results:
        slip = "the plain number takes the dtype of the tensor: as_array(other, self.dtype)"
        expect(
            np.asarray(result.data).dtype,
            np.float64,
            "dtype of float64 tensor and number",
            slip=slip,
        )
    expect(x / 3, [2, 3], "Tensor([6, 9]) / 3")
    third = x - 0.1
    slip = "0.1 was rounded to float32 on the way: as_array(other, self.dtype)"
    expect(third, [5.9, 8.9], "float64 Tensor([6, 9]) - 0.1", slip=slip, atol=1e-12, rtol=0)


@pytest.mark.exercise("1.4", points=1)
def test_operators_take_tensors_and_arrays_on_both_sides():
    x, y = tt.Tensor([6, 9]), tt.Tensor([2, 3])
    expect(x - y, [4, 6], "Tensor([6, 9]) - Tensor([2, 3])")
    expect(x / y, [3, 3], "Tensor([6, 9]) / Tensor([2, 3])")
    array = np.array([8.0, 8.0], dtype=np.float32)
    expect(array - y, [6, 5], "np.array([8, 8]) - Tensor([2, 3])")
    slip = "the result of an operator is a Tensor"
    expect(isinstance(x - y, tt.Tensor), True, "isinstance(x - y, Tensor)", slip=slip)


@pytest.mark.exercise("1.5", points=1)
def test_ones_takes_sizes_or_a_tuple():
    expect(tt.ones(2, 3), [[1, 1, 1], [1, 1, 1]], "ones(2, 3)")
    expect(
        tt.ones((2, 3)), [[1, 1, 1], [1, 1, 1]], "ones((2, 3))", slip="as_shape(sizes) handles both"
    )
    expect(np.asarray(tt.ones(2).data).dtype, np.float32, "ones(2).dtype", slip="dtype=np.float32")


@pytest.mark.exercise("1.5", points=1)
def test_arange_counts_from_zero_or_from_start():
    slip = "the stop itself is not included"
    expect(tt.arange(2, 5), [2, 3, 4], "arange(2, 5)", slip=slip)
    expect(tt.arange(0, 10, 5), [0, 5], "arange(0, 10, 5)", slip=slip)
    slip = "with one argument, that argument is the stop"
    expect(tt.arange(3), [0, 1, 2], "arange(3)", slip=slip)


@pytest.mark.exercise("1.5", points=1)
def test_arange_holds_float32():
    expect(tt.arange(3).dtype, np.float32, "arange(3).dtype", slip="dtype=np.float32")


@pytest.mark.exercise("1.5", points=1)
def test_randn_repeats_with_the_same_generator():
    first = tt.randn(3, 4, generator=np.random.default_rng(5))
    expect(first.shape, (3, 4), "randn(3, 4).shape")
    want = np.random.default_rng(5).standard_normal((3, 4), dtype=np.float32)
    slip = "draw from the generator that was passed in"
    expect(first, want, "randn(3, 4, generator=default_rng(5))", slip=slip)
    slip = "without a generator, each call draws new numbers"
    same = bool((np.asarray(tt.randn(8).data) == np.asarray(tt.randn(8).data)).all())
    expect(same, False, "two calls of randn(8) give the same numbers", slip=slip)
