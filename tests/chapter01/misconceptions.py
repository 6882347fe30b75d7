"""Wrong answers to the exercises of chapter 1, each with words that its message must contain."""

import numpy as np

from course.misconceptions import wrong


@wrong("1.1", says="only data that arrives as a floating-point array keeps its dtype")
def keeps_the_float64_of_a_list(data, dtype=np.float32):
    array = np.array(data.data if isinstance(data, Tensor) else data)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"a Tensor holds numbers, got {data!r}")
    return array if array.dtype.kind == "f" else array.astype(dtype)


@wrong("1.1", says="was it converted")
def converts_everything(data, dtype=np.float32):
    return np.array(data.data if isinstance(data, Tensor) else data, dtype=dtype)


@wrong("1.1", says="shared with the caller")
def shares_the_callers_array(data, dtype=np.float32):
    if isinstance(data, Tensor):
        data = data.data
    if isinstance(data, (np.ndarray, np.floating)) and data.dtype.kind == "f":
        return np.asarray(data)
    array = np.array(data)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"a Tensor holds numbers, got {data!r}")
    return array.astype(dtype)


@wrong("1.1", says="kind b, i, u or f")
def takes_strings_and_none(data, dtype=np.float32):
    array = np.array(data.data if isinstance(data, Tensor) else data)
    keeps_dtype = isinstance(data, (Tensor, np.ndarray, np.floating)) and array.dtype.kind == "f"
    return array if keeps_dtype or array.dtype.kind not in "biuf" else array.astype(dtype)


@wrong("1.1", says="open a Tensor first")
def does_not_know_tensors(data, dtype=np.float32):
    array = np.array(data)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"a Tensor holds numbers, got {data!r}")
    keeps_dtype = isinstance(data, (np.ndarray, np.floating)) and array.dtype.kind == "f"
    return array if keeps_dtype else array.astype(dtype)


@wrong("1.1", says="use the argument dtype")
def always_float32(data, dtype=np.float32):
    array = np.array(data.data if isinstance(data, Tensor) else data)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"a Tensor holds numbers, got {data!r}")
    keeps_dtype = isinstance(data, (Tensor, np.ndarray, np.floating)) and array.dtype.kind == "f"
    return array if keeps_dtype else array.astype(np.float32)


@wrong("1.2", says="precision=4")
def all_digits(self):
    numbers = np.array2string(self.data.astype(np.float64), separator=", ", prefix="tensor(")
    suffix = "" if self.dtype == np.float32 else f", dtype={self.dtype}"
    return f"tensor({numbers}{suffix})"


@wrong("1.2", says="prefix='tensor('")
def rows_not_aligned(self):
    numbers = np.array2string(self.data, precision=4, separator=", ")
    suffix = "" if self.dtype == np.float32 else f", dtype={self.dtype}"
    return f"tensor({numbers}{suffix})"


@wrong("1.2", says="only float32 goes without saying")
def dtype_never_said(self):
    numbers = np.array2string(self.data, precision=4, separator=", ", prefix="tensor(")
    return f"tensor({numbers})"


@wrong("1.2", says="separator=', '")
def no_commas(self):
    numbers = np.array2string(self.data, precision=4, prefix="tensor(")
    suffix = "" if self.dtype == np.float32 else f", dtype={self.dtype}"
    return f"tensor({numbers}{suffix})"


@wrong("1.3", says="two elements has no one value")
def first_of_many(self):
    return float(self.data.reshape(-1)[0])


@wrong("1.3", says="convert it with float")
def a_numpy_number(self):
    if self.data.size != 1:
        raise RuntimeError(f"item() needs one element, got shape {self.shape}")
    return self.data.reshape(-1)[0]


@wrong("1.3", says="ask for a size of exactly 1")
def empty_is_zero(self):
    if self.data.size > 1:
        raise RuntimeError(f"item() needs one element, got shape {self.shape}")
    return float(self.data.sum())


@wrong("1.4", "Tensor.__rsub__", says="2 - x is not x - 2")
def subtraction_the_same_both_ways(self, other):
    return Tensor(self.data - as_array(other, self.dtype))


@wrong("1.4", "Tensor.__rtruediv__", says="8 / x is not x / 8")
def division_the_same_both_ways(self, other):
    return Tensor(self.data / as_array(other, self.dtype))


@wrong("1.4", "Tensor.__sub__", says="changed in place")
def subtracts_in_place(self, other):
    self.data -= as_array(other, self.dtype)
    return Tensor(self.data)


@wrong("1.4", "Tensor.__truediv__", says="takes the dtype of the tensor")
def divides_in_float32(self, other):
    return Tensor((self.data / as_array(other)).astype(np.float32))


@wrong("1.4", "Tensor.__sub__", says="rounded to float32")
def rounds_the_number_first(self, other):
    return Tensor(self.data - as_array(other))


@wrong("1.4", "Tensor.__sub__", says="the result of an operator is a Tensor")
def forgets_to_wrap(self, other):
    return self.data - as_array(other, self.dtype)


@wrong("1.5", "arange", says="that argument is the stop")
def one_argument_is_the_start(start, stop=None, step=1):
    return Tensor(np.arange(start, 10 if stop is None else stop, step, dtype=np.float32))


@wrong("1.5", "arange", says="the stop itself is not included")
def includes_the_stop(start, stop=None, step=1):
    if stop is None:
        start, stop = 0, start
    return Tensor(np.arange(start, stop + step, step, dtype=np.float32))


@wrong("1.5", "ones", says="dtype=np.float32")
def ones_in_float64(*sizes):
    return Tensor(np.ones(as_shape(sizes)))


@wrong("1.5", "randn", says="draw from the generator")
def ignores_the_generator(*sizes, generator=None):
    return Tensor(np.random.default_rng().standard_normal(as_shape(sizes), dtype=np.float32))


@wrong("1.5", "randn", says="each call draws new numbers")
def always_the_same_numbers(*sizes, generator=None):
    generator = np.random.default_rng(0) if generator is None else generator
    return Tensor(generator.standard_normal(as_shape(sizes), dtype=np.float32))


@wrong("1.6", says="a one-sided difference")
def one_sided(f, x, index, eps):
    value, before = x.data[index], f(x).item()
    x.data[index] = value + eps
    slope = (f(x).item() - before) / eps
    x.data[index] = value
    return slope


@wrong("1.6", says="the whole distance")
def divides_by_one_nudge(f, x, index, eps):
    value = x.data[index]
    x.data[index] = value + eps
    up = f(x).item()
    x.data[index] = value - eps
    down = f(x).item()
    x.data[index] = value
    return (up - down) / eps


@wrong("1.6", says="undo the nudge")
def nudge_not_undone(f, x, index, eps):
    x.data[index] += eps
    up = f(x).item()
    x.data[index] -= 2 * eps
    down = f(x).item()
    return (up - down) / (2 * eps)


@wrong("1.6", says="undo the nudge")
def moved_back_with_a_rounding_error(f, x, index, eps):
    x.data[index] += eps
    up = f(x).item()
    x.data[index] -= 2 * eps
    down = f(x).item()
    x.data[index] += eps
    return (up - down) / (2 * eps)


@wrong("1.6", says="nudge x.data[index] alone")
def nudges_all_elements(f, x, index, eps):
    original = x.data
    x.data = original + eps
    up = f(x).item()
    x.data = original - eps
    down = f(x).item()
    x.data = original
    return (up - down) / (2 * eps)


@wrong("1.7", says="no room for 100.000001")
def nudges_in_float32(f, x, eps=1e-6):
    original = x.data
    x.data = original.copy()
    try:
        slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.shape)]
    finally:
        x.data = original
    return Tensor(np.array(slopes).reshape(x.shape))


@wrong("1.7", says="in the shape of x")
def flat(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64)
    try:
        slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.shape)]
    finally:
        x.data = original
    return Tensor(np.array(slopes))


@wrong("1.7", says="shape ()")
def always_an_axis(f, x, eps=1e-6):
    original = x.data
    x.data = np.atleast_1d(original.astype(np.float64))
    try:
        slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.data.shape)]
        return Tensor(np.array(slopes).reshape(x.data.shape))
    finally:
        x.data = original


@wrong("1.7", says="put the original array back")
def leaves_x_in_float64(f, x, eps=1e-6):
    x.data = x.data.astype(np.float64)
    slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.shape)]
    return Tensor(np.array(slopes).reshape(x.shape))


@wrong("1.7", says="in a finally: block")
def not_put_back_after_an_error(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64)
    slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.shape)]
    x.data = original
    return Tensor(np.array(slopes).reshape(x.shape))
