"""Wrong answers to the exercises of chapter 1, each with words that its message must contain."""

import numpy as np

from course.misconceptions import wrong


@wrong("1.1", says="keeps its dtype")
def keeps_the_float64_of_a_list(data, dtype=np.float32):
    array = np.array(data.data if isinstance(data, Tensor) else data)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"a Tensor holds numbers, got {data!r}")
    return array if array.dtype.kind == "f" else array.astype(dtype)


@wrong("1.1", says="it was converted")
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


@wrong("1.1", says="real_numbers(data) refuses it")
def takes_strings_and_none(data, dtype=np.float32):
    array = np.array(data.data if isinstance(data, Tensor) else data)
    keeps_dtype = isinstance(data, (Tensor, np.ndarray, np.floating)) and array.dtype.kind == "f"
    return array if keeps_dtype or array.dtype.kind not in "biuf" else array.astype(dtype)


@wrong("1.1", says="opens a Tensor, too")
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


@wrong("1.1", says="shared with the Tensor")
def shares_the_tensors_array(data, dtype=np.float32):
    if isinstance(data, Tensor):
        return data.data
    try:
        array = np.array(data)
    except ValueError:
        raise ValueError(f"rows must have equal lengths, got {data!r}") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"numbers, got {data!r}")
    keeps = isinstance(data, (np.ndarray, np.floating)) and array.dtype.kind == "f"
    return array if keeps else array.astype(dtype)


@wrong("1.1", says="a NumPy number")
def forgets_numpy_numbers(data, dtype=np.float32):
    if isinstance(data, Tensor):
        data = data.data
    try:
        array = np.array(data)
    except ValueError:
        raise ValueError(f"rows must have equal lengths, got {data!r}") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"numbers, got {data!r}")
    keeps = isinstance(data, np.ndarray) and array.dtype.kind == "f"
    return array if keeps else array.astype(dtype)


@wrong("1.1", says="should contain 'one'")
def keeps_quiet_about_what_came(data, dtype=np.float32):
    if isinstance(data, Tensor):
        data = data.data
    try:
        array = np.array(data)
    except ValueError:
        raise ValueError("rows must have equal lengths") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"a Tensor holds numbers, got {type(data).__name__}")
    keeps = isinstance(data, (np.ndarray, np.floating)) and array.dtype.kind == "f"
    return array if keeps else array.astype(dtype)


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


@wrong("1.2", says="get_printoptions() afterwards")
def sets_the_print_options_of_all(self):
    np.set_printoptions(precision=4)
    numbers = np.array2string(self.data, separator=", ", prefix="tensor(")
    suffix = "" if self.dtype == np.float32 else f", dtype={self.dtype}"
    return f"tensor({numbers}{suffix})"


@wrong("1.2", says="np.array2string gives 1.")
def writes_a_list(self):
    return f"tensor({self.data.tolist()})"


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


@wrong("1.3", says="look at the size first")
def leaves_it_to_numpy(self):
    return self.data.item()


@wrong("1.3", says="expected RuntimeError")
def counts_rows(self):
    if self.shape and len(self.data) != 1:
        raise RuntimeError(f"item() needs exactly one element, got shape {self.shape}")
    return float(self.data.ravel()[0])


@wrong("1.3", says="should contain the shape, (2,)")
def keeps_quiet_about_the_shape(self):
    if self.data.size != 1:
        raise RuntimeError("item() needs exactly one element")
    return float(self.data.reshape(()))


@wrong("1.4", "Tensor.__rsub__", says="that is x - 2")
def subtraction_the_same_both_ways(self, other):
    return Tensor(self.data - as_array(other, self.dtype))


@wrong("1.4", "Tensor.__rtruediv__", says="that is x / 8")
def division_the_same_both_ways(self, other):
    return Tensor(self.data / as_array(other, self.dtype))


@wrong("1.4", "Tensor.__sub__", says="changed self, which it was given")
def subtracts_in_place(self, other):
    self.data -= as_array(other, self.dtype)
    return Tensor(self.data)


@wrong("1.4", "Tensor.__truediv__", says="the dtype of the tensor")
def divides_in_float32(self, other):
    return Tensor((self.data / as_array(other)).astype(np.float32))


@wrong("1.4", "Tensor.__sub__", says="0.1 was rounded")
def rounds_the_number_first(self, other):
    return Tensor(self.data - as_array(other))


@wrong("1.4", "Tensor.__sub__", says="wrap the array")
def forgets_to_wrap(self, other):
    return self.data - as_array(other, self.dtype)


@wrong("1.4", "Tensor.__truediv__", says="as in NumPy")
def refuses_zero(self, other):
    other = as_array(other, self.dtype)
    if (other == 0).any():
        raise ZeroDivisionError("division by zero")
    return Tensor(self.data / other)


@wrong("1.4", "Tensor.__truediv__", says="// rounds down")
def rounds_down(self, other):
    return Tensor(self.data // as_array(other, self.dtype))


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


@wrong("1.5", "ones", says="the whole shape")
def takes_the_first_size(*sizes):
    return Tensor(np.ones(sizes[0], dtype=np.float32))


@wrong("1.5", "arange", says="ask whether stop is None")
def takes_a_stop_of_0_for_none(start, stop=None, step=1):
    if not stop:
        start, stop = 0, start
    return Tensor(np.arange(start, stop, step, dtype=np.float32))


@wrong("1.5", "randn", says="uniform numbers")
def draws_uniform_numbers(*sizes, generator=None):
    generator = np.random.default_rng() if generator is None else generator
    return Tensor(generator.random(as_shape(sizes), dtype=np.float32))


@wrong("1.5", "randn", says="NumPy's global generator")
def draws_from_the_global_state(*sizes, generator=None):
    if generator is None:
        return Tensor(np.random.standard_normal(as_shape(sizes)).astype(np.float32))
    return Tensor(generator.standard_normal(as_shape(sizes), dtype=np.float32))


@wrong("1.5", "arange", says="the step was ignored")
def ignores_the_step(start, stop=None, step=1):
    if stop is None:
        start, stop = 0, start
    return Tensor(np.arange(start, stop, dtype=np.float32))


@wrong("1.6", says="one-sided difference")
def one_sided(f, x, index, eps):
    value, before = x.data[index], f(x).item()
    x.data[index] = value + eps
    slope = (f(x).item() - before) / eps
    x.data[index] = value
    return slope


@wrong("1.6", says="2 * eps long")
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


@wrong("1.6", says="keep the old value")
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


@wrong("1.6", says="f saw the same x both times")
def evaluates_too_late(f, x, index, eps):
    value = x.data[index]
    x.data[index] = value + eps
    up = x
    x.data[index] = value - eps
    down = x
    slope = (f(up).item() - f(down).item()) / (2 * eps)
    x.data[index] = value
    return slope


@wrong("1.6", says="the slope is a Python float")
def gives_a_tensor(f, x, index, eps):
    value = x.data[index]
    x.data[index] = value + eps
    up = f(x)
    x.data[index] = value - eps
    down = f(x)
    x.data[index] = value
    return (up - down) / (2 * eps)


@wrong("1.6", says="needs brackets")
def forgets_the_brackets(f, x, index, eps):
    value = x.data[index]
    x.data[index] = value + eps
    up = f(x).item()
    x.data[index] = value - eps
    down = f(x).item()
    x.data[index] = value
    return (up - down) / 2 * eps


@wrong("1.6", says="is eps used?")
def nudges_by_an_eps_of_its_own(f, x, index, eps):
    value, eps = x.data[index], 1e-6
    x.data[index] = value + eps
    up = f(x).item()
    x.data[index] = value - eps
    down = f(x).item()
    x.data[index] = value
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


@wrong("1.7", says="the shape of x")
def flat(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64)
    try:
        slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.shape)]
    finally:
        x.data = original
    return Tensor(np.array(slopes))


@wrong("1.7", says="the gradient has the shape of x")
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


@wrong("1.7", says="pass eps on")
def does_not_pass_eps_on(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64)
    try:
        slopes = [central_difference(f, x, index, 1e-6) for index in np.ndindex(x.shape)]
    finally:
        x.data = original
    return Tensor(np.array(slopes).reshape(x.shape))


@wrong("1.7", says="Ctrl-C is no Exception")
def not_put_back_after_ctrl_c(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64)
    try:
        slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.shape)]
    except Exception:
        x.data = original
        raise
    x.data = original
    return Tensor(np.array(slopes).reshape(x.shape))


@wrong("1.7", says="where its element stands")
def fills_column_by_column(f, x, eps=1e-6):
    original = x.data
    x.data = np.array(original, np.float64)
    try:
        slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.shape)]
    finally:
        x.data = original
    return Tensor(np.array(slopes).reshape(x.shape, order="F"))


@wrong("1.7", says="np.ndindex(x.shape)")
def counts_elements(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64)
    try:
        slopes = [central_difference(f, x, i, eps) for i in range(x.data.size)]
    finally:
        x.data = original
    return Tensor(np.array(slopes).reshape(x.shape))


@wrong("1.1", says="timedelta64")
def dates_get_in(data, dtype=np.float32):
    data = data.data if isinstance(data, Tensor) else data
    try:
        array = np.asarray(data)
    except ValueError:
        raise ValueError(f"rows, got {data!r}") from None
    if array.dtype.kind in "OUSc":
        raise TypeError(f"got {data!r}")
    keeps = isinstance(data, (np.ndarray, np.floating)) and array.dtype.kind == "f"
    return np.array(array, array.dtype if keeps else dtype)


@wrong("1.1", says="float32 on the way")
def through_float32(data, dtype=np.float32):
    data = data.data if isinstance(data, Tensor) else data
    try:
        array = np.asarray(data)
    except ValueError:
        raise ValueError(f"rows, got {data!r}") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"got {data!r}")
    keeps = isinstance(data, (np.ndarray, np.floating)) and array.dtype.kind == "f"
    return array.copy() if keeps else array.astype(np.float32).astype(dtype)


@wrong("1.1", says="as_array(True)")
def bools_refused(data, dtype=np.float32):
    data = data.data if isinstance(data, Tensor) else data
    try:
        array = np.asarray(data)
    except ValueError:
        raise ValueError(f"rows, got {data!r}") from None
    if array.dtype.kind not in "iuf":
        raise TypeError(f"got {data!r}")
    keeps = isinstance(data, (np.ndarray, np.floating)) and array.dtype.kind == "f"
    return np.array(array, array.dtype if keeps else dtype)


@wrong("1.1", says="it was converted")
def only_float64_and_32_keep(data, dtype=np.float32):
    data = data.data if isinstance(data, Tensor) else data
    try:
        array = np.asarray(data)
    except ValueError:
        raise ValueError(f"rows, got {data!r}") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"got {data!r}")
    keeps = isinstance(data, (np.ndarray, np.floating)) and array.dtype in (np.float32, np.float64)
    return np.array(array, array.dtype if keeps else dtype)


@wrong("1.1", says="expected float32")
def list_of_np_float64_keeps(data, dtype=np.float32):
    data = data.data if isinstance(data, Tensor) else data
    try:
        array = np.asarray(data)
    except ValueError:
        raise ValueError(f"rows, got {data!r}") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"got {data!r}")
    first = data[0] if isinstance(data, (list, tuple)) and data else data
    keeps = isinstance(first, (np.ndarray, np.floating)) and array.dtype.kind == "f"
    return np.array(array, array.dtype if keeps else dtype)


@wrong("1.1", says="should contain 'one'")
def str_not_repr(data, dtype=np.float32):
    data = data.data if isinstance(data, Tensor) else data
    try:
        array = np.asarray(data)
    except ValueError:
        raise ValueError(f"rows, got {data}") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"got {data}")
    keeps = isinstance(data, (np.ndarray, np.floating)) and array.dtype.kind == "f"
    return np.array(array, array.dtype if keeps else dtype)


@wrong("1.2", says="line 1 of repr")
def with_suffix(self):
    numbers = np.array2string(self.data, precision=4, separator=", ", prefix="tensor(", suffix=")")
    suffix = "" if self.dtype == np.float32 else f", dtype={self.dtype}"
    return f"tensor({numbers}{suffix})"


@wrong("1.3", says="1.830018")
def rounded_item(self):
    if self.data.size != 1:
        raise RuntimeError(f"shape {self.shape}")
    return round(float(self.data.reshape(())), 6)


@wrong("1.3", says="should contain the shape, (1, 0)")
def len_based(self):
    d = self.data
    while d.ndim:
        if len(d) != 1:
            raise RuntimeError(f"shape {d.shape}")
        d = d[0]
    return float(d)


@wrong("1.4", "Tensor.__rtruediv__", says="y: int64 array")
def rtruediv_lists_not(self, other):
    return Tensor(other / self.data)


@wrong("1.4", "Tensor.__rsub__", says="as_array takes arrays and lists")
def rsub_python_only(self, other):
    if isinstance(other, (int, float)):
        return Tensor(other - self.data)
    return NotImplemented


@wrong("1.4", "Tensor.__sub__", says="x - x")
def self_minus_self_shortcut(self, other):
    if self is other:
        return Tensor(np.zeros(self.shape, np.float32))
    return Tensor(self.data - as_array(other, self.dtype))


@wrong("1.5", "arange", says="the step was ignored where")
def forgets_step_without_stop(start, stop=None, step=1):
    if stop is None:
        return Tensor(np.arange(start, dtype=np.float32))
    return Tensor(np.arange(start, stop, step, dtype=np.float32))


@wrong("1.5", "arange", says="rounding errors added up")
def adds_in_a_loop(start, stop=None, step=1):
    if stop is None:
        start, stop = 0, start
    numbers, at = [], start
    while (at < stop) if step > 0 else (at > stop):
        numbers.append(at)
        at += step
    return Tensor(np.array(numbers, np.float32))


@wrong("1.5", "arange", says="rounding errors added up")
def cumsum32(start, stop=None, step=1):
    if stop is None:
        start, stop = 0, start
    n = max(0, int(np.ceil((stop - start) / step)))
    return Tensor((start - step + np.cumsum(np.full(n, step, np.float32))).astype(np.float32))


@wrong("1.5", "arange", says="0.000977")
def six_decimals(start, stop=None, step=1):
    if stop is None:
        start, stop = 0, start
    return Tensor(np.arange(start, stop, step).round(6).astype(np.float32))


@wrong("1.5", "arange", says="expected shape (3,)")
def linspace_off(start, stop=None, step=1):
    if stop is None:
        start, stop = 0, start
    n = max(0, int((stop - start) / step))
    return Tensor(np.array([start + i * step for i in range(n)], np.float32))


@wrong("1.5", "randn", says="a generator that the file keeps")
def module_generator(*sizes, generator=None):
    if generator is None:
        generator = randn.own = getattr(randn, "own", np.random.default_rng(0))
    return Tensor(generator.standard_normal(as_shape(sizes), dtype=np.float32))


@wrong("1.5", "randn", says="that is standardised")
def standardised(*sizes, generator=None):
    generator = np.random.default_rng() if generator is None else generator
    z = generator.standard_normal(as_shape(sizes), dtype=np.float32)
    return Tensor((z - z.mean()) / z.std()) if z.size > 1 else Tensor(z)


@wrong("1.5", "randn", says="draws next")
def reseeds(*sizes, generator=None):
    g = np.random.default_rng(None if generator is None else int(generator.integers(2**31)))
    return Tensor(g.standard_normal(as_shape(sizes), dtype=np.float32))


@wrong("1.5", "randn", says="not a copy of it")
def deepcopied(*sizes, generator=None):
    import copy

    g = np.random.default_rng() if generator is None else copy.deepcopy(generator)
    return Tensor(g.standard_normal(as_shape(sizes), dtype=np.float32))


@wrong("1.5", "randn", says="draws next")
def truncated(*sizes, generator=None):
    generator = np.random.default_rng() if generator is None else generator
    return Tensor(np.clip(generator.standard_normal(as_shape(sizes), dtype=np.float32), -2.5, 2.5))


@wrong("1.6", says="before you nudge again")
def item_at_end(f, x, index, eps):
    value = x.data[index]
    x.data[index] = value + eps
    up = f(x)
    x.data[index] = value - eps
    down = f(x)
    x.data[index] = value
    return (up.item() - down.item()) / (2 * eps)


@wrong("1.6", says="nudge x itself")
def copies(f, x, index, eps):
    up, down = Tensor(x.data), Tensor(x.data)
    up.data[index] += eps
    down.data[index] -= eps
    return (f(up).item() - f(down).item()) / (2 * eps)


@wrong("1.6", says="a whole number")
def tuple_only(f, x, index, eps):
    value = x.data[tuple(index)]
    x.data[tuple(index)] = value + eps
    up = f(x).item()
    x.data[tuple(index)] = value - eps
    down = f(x).item()
    x.data[tuple(index)] = value
    return (up - down) / (2 * eps)


@wrong("1.6", says="all it takes")
def three_calls(f, x, index, eps):
    f(x).item()
    value = x.data[index]
    x.data[index] = value + eps
    up = f(x).item()
    x.data[index] = value - eps
    down = f(x).item()
    x.data[index] = value
    return (up - down) / (2 * eps)


@wrong("1.6", says="24.276998")
def rounds(f, x, index, eps):
    value = x.data[index]
    x.data[index] = value + eps
    up = f(x).item()
    x.data[index] = value - eps
    down = f(x).item()
    x.data[index] = value
    return round((up - down) / (2 * eps), 6)


@wrong("1.6", says="f was called at 3.25 and 3, not at 3.25 and 2.75: keep the old value")
def back_to_middle(f, x, index, eps):
    value = x.data[index]
    x.data[index] += eps
    up = f(x).item()
    x.data[index] -= eps
    down = f(x).item()
    x.data[index] = value
    return (up - down) / (2 * eps)


@wrong("1.6", says="a rounding error")
def undo_by_adding(f, x, index, eps):
    x.data[index] += eps
    up = f(x).item()
    x.data[index] -= eps
    x.data[index] -= eps
    down = f(x).item()
    x.data[index] += eps
    return (up - down) / (2 * eps)


@wrong("1.6", says="transposed")
def flat_index(f, x, index, eps):
    d = x.data.reshape(-1)
    i = (
        int(np.ravel_multi_index(index, x.shape, mode="wrap"))
        if isinstance(index, tuple) and index
        else (index or 0)
    )
    value = d[i]
    d[i] = value + eps
    up = f(x).item()
    d[i] = value - eps
    down = f(x).item()
    d[i] = value
    return (up - down) / (2 * eps)


@wrong("1.7", says="nudge a copy")
def copy_false(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64, copy=False)
    try:
        slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.shape)]
    finally:
        x.data = original
    return Tensor(np.array(slopes).reshape(x.shape))


@wrong("1.7", says="into x.data")
def another_tensor(f, x, eps=1e-6):
    other = Tensor(x.data.astype(np.float64))
    slopes = [central_difference(f, other, index, eps) for index in np.ndindex(x.shape)]
    return Tensor(np.array(slopes).reshape(x.shape))


@wrong("1.7", says="every dtype becomes")
def float16_stays(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64) if original.dtype == np.float32 else original.copy()
    try:
        slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.shape)]
    finally:
        x.data = original
    return Tensor(np.array(slopes, np.float64).reshape(x.shape))


@wrong("1.7", says="every single index")
def loops_over_rows(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64)
    gradient = np.zeros(x.shape)
    try:
        if x.data.ndim == 0:
            return Tensor(np.array(central_difference(f, x, (), eps)))
        for i in range(len(x.data)):
            gradient[i] = central_difference(f, x, i, eps)
    finally:
        x.data = original
    return Tensor(gradient)


@wrong("1.7", says="expected float64")
def zeros_like_float32(f, x, eps=1e-6):
    original = x.data
    gradient = np.zeros_like(original)
    x.data = original.astype(np.float64)
    try:
        for index in np.ndindex(x.shape):
            gradient[index] = central_difference(f, x, index, eps)
    finally:
        x.data = original
    return Tensor(gradient)


@wrong("1.7", says="float32 x")
def eps_by_dtype(f, x, eps=1e-6):
    original = x.data
    eps = eps if original.dtype == np.float64 else max(eps, 1e-3)
    x.data = original.astype(np.float64)
    try:
        slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.shape)]
    finally:
        x.data = original
    return Tensor(np.array(slopes).reshape(x.shape))


@wrong("1.1", says="a list which it was given")
def changes_the_callers_list(data, dtype=np.float32):
    if isinstance(data, list):
        for i, n in enumerate(data):
            if isinstance(n, (bool, int)):
                data[i] = float(n)
    data = data.data if isinstance(data, Tensor) else data
    try:
        array = np.asarray(data)
    except ValueError:
        raise ValueError(f"rows, got {data!r}") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"got {data!r}")
    keeps = isinstance(data, (np.ndarray, np.floating)) and array.dtype.kind == "f"
    return np.array(array, array.dtype if keeps else dtype)


@wrong("1.1", says="np.matrix")
def matrices_stay_matrices(data, dtype=np.float32):
    data = data.data if isinstance(data, Tensor) else data
    try:
        array = np.asanyarray(data)
    except ValueError:
        raise ValueError(f"rows, got {data!r}") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"got {data!r}")
    keeps = isinstance(data, (np.ndarray, np.floating)) and array.dtype.kind == "f"
    return array.astype(array.dtype if keeps else dtype)


@wrong("1.3", says="self.data.shape was (1,), is () afterwards")
def reshapes_itself(self):
    if self.data.size != 1:
        raise RuntimeError(f"item() needs exactly one element, got shape {self.shape}")
    self.data.shape = ()
    return float(self.data)


@wrong("1.3", says="self.data is no array afterwards, it is float32")
def opens_itself(self):
    if self.data.size != 1:
        raise RuntimeError(f"item() needs exactly one element, got shape {self.shape}")
    while self.data.ndim:
        self.data = self.data[0]
    return float(self.data)


@wrong("1.4", "Tensor.__truediv__", says="other.data.shape was")
def gives_the_other_more_axes(self, other):
    other = other if isinstance(other, Tensor) else Tensor(as_array(other, self.dtype))
    while other.data.ndim < self.data.ndim:
        other.data.shape = (1,) + other.data.shape
    return Tensor(self.data / other.data)


@wrong("1.4", "Tensor.__sub__", says="shapes differ")
def wants_equal_shapes(self, other):
    other = as_array(other, self.dtype)
    if other.ndim and self.data.ndim and other.shape != self.shape:
        raise ValueError("shapes differ")
    return Tensor(self.data - other)


@wrong("1.5", "arange", says="so large an error is float32's")
def steps_in_float32(start, stop=None, step=1):
    if stop is None:
        start, stop = 0, start
    return Tensor(np.arange(start, stop, step, dtype=np.float32))


@wrong("1.5", "arange", says="expected 0.100000001")
def counts_in_float32(start, stop=None, step=1):
    if stop is None:
        start, stop = 0, start
    start, stop, step = map(np.float32, (start, stop, step))
    count = int(np.ceil((stop - start) / step))
    return Tensor(start + step * np.arange(count, dtype=np.float32))


@wrong("1.5", "arange", says="1e-07")
def stops_a_little_early(start, stop=None, step=1):
    if stop is None:
        start, stop = 0, start
    numbers, i = [], 0
    while (start + i * step - stop) * np.sign(step) < -1e-6:
        numbers.append(start + i * step)
        i += 1
    return Tensor(np.array(numbers, np.float32))


@wrong("1.5", "ones", says="one and the same Tensor")
def one_tensor_for_all(*sizes):
    made = ones.__dict__.setdefault("made", {})
    shape = as_shape(sizes)
    if shape not in made:
        made[shape] = Tensor(np.ones(shape, dtype=np.float32))
    return made[shape]


@wrong("1.6", says="that is the slope for x[1]")
def takes_the_minus_away(f, x, index, eps):
    index = tuple(abs(i) for i in ((index,) if isinstance(index, int) else index))
    value = x.data[index]
    x.data[index] = value + eps
    up = f(x).item()
    x.data[index] = value - eps
    down = f(x).item()
    x.data[index] = value
    return (up - down) / (2 * eps)


@wrong("1.6", says="the index -1")
def refuses_negative_indices(f, x, index, eps):
    if isinstance(index, int) and index < 0:
        raise IndexError(f"no element {index}")
    value = x.data[index]
    x.data[index] = value + eps
    up = f(x).item()
    x.data[index] = value - eps
    down = f(x).item()
    x.data[index] = value
    return (up - down) / (2 * eps)


@wrong("1.6", says="nudge x.data[index], in the array that x has")
def nudges_new_arrays(f, x, index, eps):
    original, nudge = x.data, np.zeros_like(x.data)
    nudge[index] = eps
    x.data = original + nudge
    up = f(x).item()
    x.data = original - nudge
    down = f(x).item()
    x.data = original
    return (up - down) / (2 * eps)


@wrong("1.6", says="that is its float32")
def keeps_the_value_in_float32(f, x, index, eps):
    value = np.float32(x.data[index])
    x.data[index] = x.data[index] + eps
    up = f(x).item()
    x.data[index] = value - eps
    down = f(x).item()
    x.data[index] = value
    return (up - down) / (2 * eps)


@wrong("1.6", says="TypeError")
def float_of_the_array(f, x, index, eps):
    value = x.data[index]
    x.data[index] = value + eps
    up = float(f(x).data)
    x.data[index] = value - eps
    down = float(f(x).data)
    x.data[index] = value
    return (up - down) / (2 * eps)


@wrong("1.7", says="x of shape (2, 3)")
def skips_zeros(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64)
    slopes = np.zeros(x.shape)
    try:
        for index, value in np.ndenumerate(original):
            if value:
                slopes[index] = central_difference(f, x, index, eps)
    finally:
        x.data = original
    return Tensor(slopes)


@wrong("1.7", says="x of shape (2, 3)")
def finds_elements_by_value(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64)
    slopes = []
    try:
        for value in original.flat:
            index = tuple(np.argwhere(original == value)[0])
            slopes.append(central_difference(f, x, index, eps))
    finally:
        x.data = original
    return Tensor(np.array(slopes, np.float64).reshape(x.shape))


@wrong("1.7", says="was back before f was called")
def calls_late(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64)
    try:
        slopes = (central_difference(f, x, index, eps) for index in np.ndindex(x.shape))
    finally:
        x.data = original
    return Tensor(np.array(list(slopes), np.float64).reshape(x.shape))


@wrong("1.3", says="Tensor([2, 2]).item()")
def takes_equal_numbers_for_one(self):
    if np.unique(self.data).size != 1:
        raise RuntimeError(f"item() needs exactly one element, got shape {self.shape}")
    return float(self.data.ravel()[0])


@wrong("1.5", "arange", says="arange(0, 6, 1.5)")
def whole_ends_take_whole_steps(start, stop=None, step=1):
    start, stop = (0, start) if stop is None else (start, stop)
    count = np.ceil((stop - start) / step)
    if isinstance(start, int) and isinstance(stop, int):
        step = int(step) or step
    return Tensor((start + step * np.arange(count)).astype(np.float32))


@wrong("1.6", says="how far x[")
def never_nudges_across_zero(f, x, index, eps=1e-6):
    value = x.data[index]
    eps = min(eps, abs(float(value)) or eps)
    x.data[index] = value + eps
    up = f(x).item()
    x.data[index] = value - eps
    down = f(x).item()
    x.data[index] = value
    return (up - down) / (2 * eps)


@wrong("1.6", says="with another Tensor than x")
def gives_f_a_copy(f, x, index, eps=1e-6):
    value = x.data[index]
    x.data[index] = value + eps
    up = f(Tensor(x)).item()
    x.data[index] = value - eps
    down = f(Tensor(x)).item()
    x.data[index] = value
    return (up - down) / (2 * eps)


@wrong("1.7", says="inf - inf at each element")
def hides_what_is_not_finite(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64)
    try:
        slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.shape)]
    finally:
        x.data = original
    return Tensor(np.nan_to_num(np.array(slopes)).reshape(x.shape))


@wrong("1.1", says="locked the caller's array")
def locks_the_callers_array(data, dtype=np.float32):
    data = data.data if isinstance(data, Tensor) else data
    try:
        array = np.asarray(data)
    except ValueError:
        raise ValueError(f"rows must have equal lengths, got {data!r}") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"a Tensor holds numbers, got {type(data).__name__} {data!r}")
    array.flags.writeable = False
    keeps_dtype = isinstance(data, (np.ndarray, np.floating)) and array.dtype.kind == "f"
    return np.array(array, array.dtype if keeps_dtype else dtype)


@wrong("1.1", says="expected >f8")
def takes_the_type_of_the_dtype(data, dtype=np.float32):
    data = data.data if isinstance(data, Tensor) else data
    try:
        array = np.asarray(data)
    except ValueError:
        raise ValueError(f"rows must have equal lengths, got {data!r}") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"a Tensor holds numbers, got {type(data).__name__} {data!r}")
    keeps_dtype = isinstance(data, (np.ndarray, np.floating)) and array.dtype.kind == "f"
    return np.array(array, array.dtype.type if keeps_dtype else dtype)


@wrong("1.2", says="return the text, no print")
def prints_and_returns(self):
    numbers = np.array2string(self.data, precision=4, separator=", ", prefix="tensor(")
    suffix = "" if self.dtype == np.float32 else f", dtype={self.dtype}"
    print(f"tensor({numbers}{suffix})")
    return f"tensor({numbers}{suffix})"


@wrong("1.3", says="self.data.reshape(()) has that shape")
def floats_the_array(self):
    if self.data.size != 1:
        raise RuntimeError(f"item() needs exactly one element, got shape {self.shape}")
    if self.data.ndim:  # as NumPy 2.5 says it; before, there was only a warning
        raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
    return float(self.data)


@wrong("1.4", "Tensor.__rsub__", says="other - self calls __rsub__ again")
def rsub_calls_itself(self, other):
    return other - self


@wrong("1.4", "Tensor.__truediv__", says="self / other calls __truediv__ again")
def truediv_calls_itself(self, other):
    return self / other


@wrong("1.4", "Tensor.__truediv__", says="y has no floating-point dtype of its own")
def divides_by_the_array(self, other):
    return Tensor(
        self.data
        / (np.asarray(other) if isinstance(other, np.ndarray) else as_array(other, self.dtype))
    )


@wrong("1.4", "Tensor.__truediv__", says="0.1 was float32 on the way")
def divides_by_a_float32(self, other):
    return Tensor(self.data / as_array(other).astype(np.result_type(as_array(other), self.dtype)))


@wrong("1.4", "Tensor.__rtruediv__", says="y: float64 array of 0.0")
def over_zero_is_infinite(self, other):
    if self.shape == () and self.item() == 0:
        return Tensor(np.full(np.shape(as_array(other)), np.inf, self.dtype))
    return Tensor(as_array(other, self.dtype) / self.data)


@wrong("1.5", "arange", says="is rounded up")
def rounds_the_count_down(start, stop=None, step=1):
    start, stop, step = map(float, (0, start, step) if stop is None else (start, stop, step))
    return Tensor((start + step * np.arange(int((stop - start) / step))).astype(np.float32))


@wrong("1.5", "arange", says="in float32, 9.0")
def rounds_up_a_float32(start, stop=None, step=1):
    start, stop, step = map(float, (0, start, step) if stop is None else (start, stop, step))
    count = max(0, int(np.ceil(np.float32(stop - start) / np.float32(step))))
    return Tensor((start + step * np.arange(count)).astype(np.float32))


@wrong("1.5", "arange", says="arange(0, 1.5, 0.3)")
def floors_a_negative_quotient(start, stop=None, step=1):
    start, stop, step = map(float, (0, start, step) if stop is None else (start, stop, step))
    count = -((start - stop) // step)
    return Tensor((start + step * np.arange(count)).astype(np.float32))


@wrong("1.5", "arange", says="arange(1, 1.3, 0.1)")
def forgives_a_billionth(start, stop=None, step=1):
    start, stop, step = map(float, (0, start, step) if stop is None else (start, stop, step))
    count = np.ceil((stop - start) / step - 1e-9)
    return Tensor((start + step * np.arange(count)).astype(np.float32))


@wrong("1.5", "arange", says="arange(0, 0.9, 0.3)")
def asks_each_number(start, stop=None, step=1):
    start, stop, step = map(float, (0, start, step) if stop is None else (start, stop, step))
    numbers, k = [], 0
    while start + k * step < stop if step > 0 else start + k * step > stop:
        numbers.append(start + k * step)
        k += 1
    return Tensor(np.array(numbers, np.float32))


@wrong("1.5", "randn", says="draws next")
def draws_matrices_alone(*sizes, generator=None):
    generator = np.random.default_rng() if generator is None else generator
    shape = as_shape(sizes)
    if len(shape) < 3:
        return Tensor(generator.standard_normal(shape, dtype=np.float32))
    parts = [generator.standard_normal(shape[:-1], dtype=np.float32) for _ in range(shape[-1])]
    return Tensor(np.stack(parts, axis=-1))


@wrong("1.6", says="(2, 2, 1, 2)")
def takes_two_axes_of_the_index(f, x, index, eps):
    index = index[:2] if isinstance(index, tuple) else index
    value = x.data[index].copy()
    x.data[index] = value + eps
    up = f(x).item()
    x.data[index] = value - eps
    down = f(x).item()
    x.data[index] = value
    return (up - down) / (2 * eps)


@wrong("1.6", says="float64, expected float")
def takes_the_dtype_of_x_for_eps(f, x, index, eps):
    eps = x.dtype.type(eps)
    value = x.data[index]
    x.data[index] = value + eps
    up = f(x).item()
    x.data[index] = value - eps
    down = f(x).item()
    x.data[index] = value
    return (up - down) / (2 * eps)


@wrong("1.7", says="f saw x's own array: put a float64 copy")
def nudges_x_itself(f, x, eps=1e-6):
    slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.shape)]
    return Tensor(np.array(slopes).reshape(x.shape))


@wrong("1.7", says="one slope for all")
def always_the_first_element(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64)
    try:
        first = (0,) * len(x.shape)
        slopes = [central_difference(f, x, first, eps) for _ in np.ndindex(x.shape)]
    finally:
        x.data = original
    return Tensor(np.array(slopes).reshape(x.shape))


@wrong("1.7", says="(2, 2, 1, 2)")
def loops_over_two_axes(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64)
    gradient = np.zeros(x.shape)
    try:
        if len(x.shape) < 2:
            for index in np.ndindex(x.shape):
                gradient[index] = central_difference(f, x, index, eps)
        else:
            for index in np.ndindex(x.shape[:2]):
                value = x.data[index].copy()
                x.data[index] = value + eps
                up = f(x).item()
                x.data[index] = value - eps
                gradient[index] = (up - f(x).item()) / (2 * eps)
                x.data[index] = value
    finally:
        x.data = original
    return Tensor(gradient)


@wrong("1.7", says="minus eps plus eps isn't exact")
def drifts_away(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64)
    gradient = np.zeros(x.shape)
    try:
        for index in np.ndindex(x.shape):
            x.data[index] += eps
            up = f(x).item()
            x.data[index] -= 2 * eps
            gradient[index] = (up - f(x).item()) / (2 * eps)
            x.data[index] += eps
    finally:
        x.data = original
    return Tensor(gradient)


@wrong("1.7", says="x.data = original belongs in a finally: block")
def puts_the_numbers_back_alone(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64)
    try:
        slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.shape)]
    finally:
        x.data[...] = original
    x.data = original
    return Tensor(np.array(slopes).reshape(x.shape))


@wrong("1.7", says="whatever dtype x has")
def gives_the_dtype_of_x(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64)
    try:
        slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.shape)]
    finally:
        x.data = original
    return Tensor(np.array(slopes).reshape(x.shape).astype(original.dtype))


@wrong("1.7", says="the dtype of x.data while f runs")
def keeps_a_longer_dtype(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.result_type(original.dtype, np.float64))
    try:
        slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.shape)]
    finally:
        x.data = original
    return Tensor(np.array(slopes, np.float64).reshape(x.shape))


@wrong("1.7", says="the shape of x.data while f runs = (1,)")
def gives_a_number_an_axis(f, x, eps=1e-6):
    original = x.data
    x.data = np.atleast_1d(original.astype(np.float64))
    try:
        slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.data.shape)]
    finally:
        x.data = original
    return Tensor(np.array(slopes).reshape(x.shape))


@wrong("1.7", says="put each element back before you nudge the next")
def puts_them_back_at_the_end(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64)
    slopes = []
    try:
        for index in np.ndindex(x.shape):
            value = x.data[index]
            x.data[index] = value + eps
            up = f(x).item()
            x.data[index] = value - eps
            slopes.append((up - f(x).item()) / (2 * eps))
    finally:
        x.data = original
    return Tensor(np.array(slopes, np.float64).reshape(x.shape))


@wrong("1.7", says="what is its default?")
def takes_a_coarser_nudge_of_its_own(f, x, eps=1e-3):
    original = x.data
    x.data = original.astype(np.float64)
    try:
        slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.shape)]
    finally:
        x.data = original
    return Tensor(np.array(slopes).reshape(x.shape))


@wrong("1.6", says="in the array that x has")
def gives_a_single_number_a_new_array(f, x, index, eps):
    if x.shape == ():
        original = x.data
        x.data = np.array(original + eps)
        up = f(x).item()
        x.data = np.array(original - eps)
        down = f(x).item()
        x.data = original
        return (up - down) / (2 * eps)
    value = x.data[index]
    x.data[index] = value + eps
    up = f(x).item()
    x.data[index] = value - eps
    down = f(x).item()
    x.data[index] = value
    return (up - down) / (2 * eps)


@wrong("1.6", says="the slope is a Python float")
def gives_a_number_of_numpys(f, x, index, eps):
    value = x.data[index]
    x.data[index] = value + eps
    up = f(x).item()
    x.data[index] = value - eps
    down = f(x).item()
    x.data[index] = value
    return np.float64((up - down) / (2 * eps))


@wrong("1.4", "Tensor.__truediv__", says="y: float32 array of shape ()) = float64")
def divides_by_float64(self, other):
    return Tensor(self.data / np.asarray(as_array(other, self.dtype), np.float64))


@wrong("1.1", says="rounded once")
def through_float64(data, dtype=np.float32):
    data = data.data if isinstance(data, Tensor) else data
    try:
        array = np.asarray(data)
    except ValueError:
        raise ValueError(f"rows, got {data!r}") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"got {data!r}")
    keeps = isinstance(data, (np.ndarray, np.floating)) and array.dtype.kind == "f"
    return array.copy() if keeps else np.array(array, np.float64).astype(dtype)


@wrong("1.1", says="rounded once")
def through_float32_unless_float64(data, dtype=np.float32):
    data = data.data if isinstance(data, Tensor) else data
    try:
        array = np.asarray(data)
    except ValueError:
        raise ValueError(f"rows, got {data!r}") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"got {data!r}")
    if isinstance(data, (np.ndarray, np.floating)) and array.dtype.kind == "f":
        return array.copy()
    return array.astype(dtype) if dtype == np.float64 else array.astype(np.float32).astype(dtype)


@wrong("1.1", says="what it refuses is refused here too")
def takes_complex_numbers_on_the_real_line(data, dtype=np.float32):
    data = data.data if isinstance(data, Tensor) else data
    try:
        array = np.asarray(data)
    except ValueError:
        raise ValueError(f"rows, got {data!r}") from None
    if array.dtype.kind == "c" and not array.imag.any():
        array = array.real
    if array.dtype.kind not in "biuf":
        raise TypeError(f"got {data!r}")
    keeps = isinstance(data, (np.ndarray, np.floating)) and array.dtype.kind == "f"
    return np.array(array, array.dtype if keeps else dtype)


@wrong("1.2", says="linewidth=40")
def breaks_lines_of_its_own(self):
    numbers = np.array2string(
        self.data, precision=4, separator=", ", prefix="tensor(", max_line_width=75
    )
    suffix = "" if self.dtype == np.float32 else f", dtype={self.dtype}"
    return f"tensor({numbers}{suffix})"


@wrong("1.3", says="it was float32 on the way")
def item_by_way_of_float32(self):
    if self.data.size != 1:
        raise RuntimeError(f"item() needs exactly one element, got shape {self.shape}")
    return float(np.float32(self.data.reshape(())))


@wrong("1.3", says="holds exactly one element")
def takes_numbers_alone(self):
    if self.shape:
        raise RuntimeError(f"item() needs exactly one element, got shape {self.shape}")
    return float(self.data)


@wrong("1.5", "randn", says="as_shape(sizes) understands both")
def draws_sizes_alone(*sizes, generator=None):
    generator = np.random.default_rng() if generator is None else generator
    return Tensor(generator.standard_normal(sizes, dtype=np.float32))


@wrong("1.7", says="called f with another Tensor than x")
def gives_f_another_number(f, x, eps=1e-6):
    if x.shape == ():
        exact = Tensor(x.data.astype(np.float64))
        return Tensor(np.array(central_difference(f, exact, (), eps)))
    original = x.data
    x.data = original.astype(np.float64)
    try:
        slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.shape)]
    finally:
        x.data = original
    return Tensor(np.array(slopes).reshape(x.shape))


@wrong("1.7", says="let f see x's own array")
def nudges_a_number_itself(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64, copy=original.ndim > 0)
    try:
        slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.shape)]
    finally:
        x.data = original
    return Tensor(np.array(slopes).reshape(x.shape))


@wrong("1.5", "arange", says="a float64 array keeps its dtype")
def arange_in_float64(start, stop=None, step=1):
    if stop is None:
        start, stop = 0, start
    return Tensor(np.arange(start, stop, step))


@wrong("1.6", says="is a return missing?")
def forgets_to_return(f, x, index, eps):
    value = x.data[index]
    x.data[index] = value + eps
    up = f(x).item()
    x.data[index] = value - eps
    down = f(x).item()
    x.data[index] = value
    (up - down) / (2 * eps)


@wrong("1.1", says="make a new array each time")
def keeps_an_array_for_each_number(data, dtype=np.float32):
    array = real_numbers(data)
    keeps_dtype = isinstance(data, (Tensor, np.ndarray, np.floating)) and array.dtype.kind == "f"
    new = np.array(array, array.dtype if keeps_dtype else dtype)
    if type(data) is int:
        kept = as_array.__dict__.setdefault("kept", {})
        return kept.setdefault((data, np.dtype(dtype)), new)
    return new


@wrong("1.1", says="don't lock it")
def locks_its_result(data, dtype=np.float32):
    array = real_numbers(data)
    keeps_dtype = isinstance(data, (Tensor, np.ndarray, np.floating)) and array.dtype.kind == "f"
    new = np.array(array, array.dtype if keeps_dtype else dtype)
    new.flags.writeable = array.ndim > 0
    return new


@wrong("1.1", says="shares its memory with what came")
def copies_only_what_is_an_array(data, dtype=np.float32):
    array = real_numbers(data)
    if isinstance(data, (Tensor, np.ndarray, np.floating)) and array.dtype.kind == "f":
        return array.copy()
    return np.asarray(array, dtype)


@wrong("1.1", says="shares its memory with data")
def takes_what_is_locked_as_it_is(data, dtype=np.float32):
    array = real_numbers(data)
    keeps_dtype = isinstance(data, (Tensor, np.ndarray, np.floating)) and array.dtype.kind == "f"
    if isinstance(data, np.ndarray) and keeps_dtype and not data.flags.writeable:
        return array
    return np.array(array, array.dtype if keeps_dtype else dtype)


@wrong("1.1", says="what it refuses is refused here too")
def opens_the_tensors_of_a_list(data, dtype=np.float32):
    if isinstance(data, list):
        data = [part.data if isinstance(part, Tensor) else part for part in data]
    array = real_numbers(data)
    keeps_dtype = isinstance(data, (Tensor, np.ndarray, np.floating)) and array.dtype.kind == "f"
    return np.array(array, array.dtype if keeps_dtype else dtype)


@wrong("1.2", says="leave that argument alone")
def no_small_numbers(self):
    numbers = np.array2string(
        self.data, precision=4, separator=", ", prefix="tensor(", suppress_small=True
    )
    suffix = "" if self.dtype == np.float32 else f", dtype={self.dtype}"
    return f"tensor({numbers}{suffix})"


@wrong("1.2", says="np.set_printoptions has its say")
def states_the_float_mode(self):
    numbers = np.array2string(
        self.data, precision=4, separator=", ", prefix="tensor(", floatmode="maxprec"
    )
    suffix = "" if self.dtype == np.float32 else f", dtype={self.dtype}"
    return f"tensor({numbers}{suffix})"


@wrong("1.2", says="the numbers were rounded first")
def rounds_what_it_shows(self):
    data = np.round(self.data, 4)
    numbers = np.array2string(data, precision=4, separator=", ", prefix="tensor(")
    suffix = "" if self.dtype == np.float32 else f", dtype={self.dtype}"
    return f"tensor({numbers}{suffix})"


@wrong("1.3", says="has no len()")
def asks_for_its_length(self):
    if len(self.data) != 1:
        raise RuntimeError(f"item() needs exactly one element, got shape {self.shape}")
    return float(self.data.reshape(()))


@wrong("1.3", says="as its text shows it")
def reads_its_text(self):
    if self.data.size != 1:
        raise RuntimeError(f"item() needs exactly one element, got shape {self.shape}")
    return float(str(self.data.reshape(-1)[0]))


@wrong("1.3", says="expected -0.0")
def adds_its_one_element_to_0(self):
    if self.data.size != 1:
        raise RuntimeError(f"item() needs exactly one element, got shape {self.shape}")
    return float(sum(self.data.ravel()))


@wrong("1.4", "Tensor.__rtruediv__", says="// rounds down")
def rounds_down_on_the_other_side(self, other):
    return Tensor(as_array(other, self.dtype) // self.data)


@wrong("1.4", "Tensor.__sub__", says="these shapes don't fit")
def lines_rows_up_where_numpy_refuses(self, other):
    other = as_array(other, self.dtype)
    try:
        return Tensor(self.data - other)
    except ValueError:
        return Tensor(self.data - other[:, None])


@wrong("1.4", "Tensor.__truediv__", says="has no room")
def raises_where_it_overflows(self, other):
    with np.errstate(over="raise"):
        return Tensor(self.data / as_array(other, self.dtype))


@wrong("1.4", "Tensor.__rsub__", says="writes into an operand")
def writes_into_the_other(self, other):
    other = as_array(other, self.dtype)
    other -= self.data
    return Tensor(other)


@wrong("1.4", "Tensor.__truediv__", says="rounds twice")
def multiplies_by_one_over_it(self, other):
    return Tensor(self.data * (1 / as_array(other, self.dtype)))


@wrong("1.5", "arange", says="rounding errors added up")
def adds_the_right_number_of_times(start, stop=None, step=1):
    start, stop, step = (0, start, step) if stop is None else (start, stop, step)
    numbers, at = [], start
    for _ in range(int(max(0, np.ceil((stop - start) / step)))):
        numbers.append(at)
        at += step
    return Tensor(numbers)


@wrong("1.5", "arange", says="start was float32")
def starts_in_float32(start, stop=None, step=1):
    start, stop, step = map(float, (0, start, step) if stop is None else (start, stop, step))
    count = np.ceil((stop - start) / step)
    return Tensor((float(np.float32(start)) + step * np.arange(count)).astype(np.float32))


@wrong("1.5", "arange", says="1e-13")
def rounds_what_is_nearly_0(start, stop=None, step=1):
    start, stop, step = map(float, (0, start, step) if stop is None else (start, stop, step))
    count = np.ceil((stop - start) / step)
    return Tensor((start + step * np.arange(count)).round(12).astype(np.float32))


@wrong("1.5", "arange", says="says that there are none")
def makes_room_for_fewer_than_none(start, stop=None, step=1):
    start, stop, step = map(float, (0, start, step) if stop is None else (start, stop, step))
    numbers = np.zeros(int(np.ceil((stop - start) / step)))
    numbers += start + step * np.arange(len(numbers))
    return Tensor(numbers.astype(np.float32))


@wrong("1.5", "arange", says="called start, stop and step")
def calls_its_stop_end(start, end=None, step=1):
    start, end, step = map(float, (0, start, step) if end is None else (start, end, step))
    count = np.ceil((end - start) / step)
    return Tensor((start + step * np.arange(count)).astype(np.float32))


@wrong("1.5", "ones", says="two results share their memory")
def one_array_for_all_of_a_shape(*sizes):
    shape, result = as_shape(sizes), Tensor(0)
    made = ones.__dict__.setdefault("made", {})
    result.data = made.setdefault(shape, np.ones(shape, dtype=np.float32))
    return result


@wrong("1.5", "ones", says="one place in memory")
def one_place_for_all_ones(*sizes):
    result, one = Tensor(0), np.ones((), dtype=np.float32)
    shape = as_shape(sizes)
    result.data = np.lib.stride_tricks.as_strided(one, shape, [0] * len(shape))
    return result


@wrong("1.5", "randn", says="a generator that the file keeps")
def one_generator_for_all_calls(*sizes, generator=None):
    made = randn.__dict__
    if generator is None:
        generator = made.setdefault("generator", np.random.default_rng())
    made.setdefault("generator", np.random.default_rng())
    return Tensor(generator.standard_normal(as_shape(sizes), dtype=np.float32))


@wrong("1.5", "randn", says="the generator of the call before")
def goes_on_with_the_generator_of_before(*sizes, generator=None):
    known = randn.__dict__
    generator = generator or known.get("generator") or np.random.default_rng()
    known["generator"] = generator
    return Tensor(generator.standard_normal(as_shape(sizes), dtype=np.float32))


@wrong("1.6", says="f gives the same Tensor both times")
def reads_the_first_late_unless_it_is_x(f, x, index, eps):
    value = x.data[index]
    x.data[index] = value + eps
    up = f(x)
    up = Tensor(up) if up is x else up
    x.data[index] = value - eps
    down = f(x).item()
    x.data[index] = value
    return (up.item() - down) / (2 * eps)


@wrong("1.6", says="leave the slope as it is computed")
def makes_0_of_what_is_not_finite(f, x, index, eps):
    value = x.data[index]
    x.data[index] = value + eps
    up = f(x).item()
    x.data[index] = value - eps
    down = f(x).item()
    x.data[index] = value
    slope = (up - down) / (2 * eps)
    return slope if np.isfinite(slope) else 0.0


@wrong("1.6", says="in a local name")
def remembers_the_value_for_all(f, x, index, eps):
    kept = central_difference.__dict__
    kept["value"] = x.data[index]
    x.data[index] = kept["value"] + eps
    up = f(x).item()
    x.data[index] = kept["value"] - eps
    down = f(x).item()
    x.data[index] = kept["value"]
    return (up - down) / (2 * eps)


@wrong("1.6", says="is np.longdouble('0.0') afterwards")
def takes_0_for_minus_0(f, x, index, eps):
    value = x.data[index] + 0
    x.data[index] = value + eps
    up = f(x).item()
    x.data[index] = value - eps
    down = f(x).item()
    x.data[index] = value
    return (up - down) / (2 * eps)


@wrong("1.7", says="before the next nudge")
def nudges_by_itself_and_reads_late(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64)
    gradient = np.zeros(x.shape)
    try:
        for index in np.ndindex(x.shape):
            value = x.data[index]
            x.data[index] = value + eps
            up = f(x)
            x.data[index] = value - eps
            down = f(x)
            gradient[index] = (up.item() - down.item()) / (2 * eps)
            x.data[index] = value
    finally:
        x.data = original
    return Tensor(gradient)


@wrong("1.7", says="each element takes two")
def tries_f_before_it_starts(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64)
    try:
        f(x)
        slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.shape)]
    finally:
        x.data = original
    return Tensor(np.array(slopes).reshape(x.shape))


@wrong("1.7", says="the float64 copy is kept somewhere")
def keeps_all_its_copies(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64)
    numerical_gradient.__dict__.setdefault("copies", []).append(x.data)
    try:
        slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.shape)]
    finally:
        x.data = original
    return Tensor(np.array(slopes).reshape(x.shape))


@wrong("1.7", says="the result of an earlier call")
def has_one_array_for_all_results(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64)
    kept = numerical_gradient.__dict__.setdefault("kept", {})
    result = Tensor(0)
    result.data = kept.setdefault(x.shape, np.zeros(x.shape))
    try:
        for index in np.ndindex(x.shape):
            result.data[index] = central_difference(f, x, index, eps)
    finally:
        x.data = original
    return result


@wrong("1.7", says="is float64 afterwards")
def remembers_one_array_for_all(f, x, eps=1e-6):
    numerical_gradient.original = x.data
    x.data = x.data.astype(np.float64)
    try:
        slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.shape)]
    finally:
        x.data = numerical_gradient.original
    return Tensor(np.array(slopes).reshape(x.shape))


@wrong("1.1", says="real_numbers(data) makes an array of it")
def asks_the_data_for_its_dtype(data, dtype=np.float32):
    if data.dtype.kind == "f":
        return data.copy()
    return data.astype(dtype)


@wrong("1.2", says="only spaces differ")
def commas_without_spaces(self):
    numbers = np.array2string(self.data, precision=4, separator=",", prefix="tensor(")
    suffix = "" if self.dtype == np.float32 else f", dtype={self.dtype}"
    return f"tensor({numbers}{suffix})"


@wrong("1.2", says="only spaces differ")
def suffix_without_a_space(self):
    numbers = np.array2string(self.data, precision=4, separator=", ", prefix="tensor(")
    suffix = "" if self.dtype == np.float32 else f",dtype={self.dtype}"
    return f"tensor({numbers}{suffix})"


@wrong("1.2", says="it's written tensor")
def with_a_capital(self):
    numbers = np.array2string(self.data, precision=4, separator=", ", prefix="Tensor(")
    suffix = "" if self.dtype == np.float32 else f", dtype={self.dtype}"
    return f"Tensor({numbers}{suffix})"


@wrong("1.2", says="in front of the numbers is missing")
def thinks_that_the_prefix_is_shown(self):
    numbers = np.array2string(self.data, precision=4, separator=", ", prefix="tensor(")
    suffix = "" if self.dtype == np.float32 else f", dtype={self.dtype}"
    return f"{numbers}{suffix})"


@wrong("1.2", says="the dtype is NumPy's")
def names_a_dtype_of_pytorch(self):
    numbers = np.array2string(self.data, precision=4, separator=", ", prefix="tensor(")
    suffix = "" if self.dtype == np.float32 else f", dtype=torch.{self.dtype}"
    return f"tensor({numbers}{suffix})"


@wrong("1.2", says="the two part after 'tensor([1.'")
def semicolons_between_numbers(self):
    numbers = np.array2string(self.data, precision=4, separator="; ", prefix="tensor(")
    suffix = "" if self.dtype == np.float32 else f", dtype={self.dtype}"
    return f"tensor({numbers}{suffix})"


@wrong("1.2", says="is a return missing?")
def prints_the_text(self):
    numbers = np.array2string(self.data, precision=4, separator=", ", prefix="tensor(")
    print(f"tensor({numbers})")


@wrong("1.3", says="there's no [0] in the shape ()")
def takes_the_first(self):
    return self.data[0]


@wrong("1.3", says="it was rounded")
def item_as_it_is_shown(self):
    if self.data.size != 1:
        raise RuntimeError(f"item() needs exactly one element, got shape {self.shape}")
    return round(self.data.item(), 4)


@wrong("1.4", "Tensor.__sub__", says="other may be a number or a list")
def asks_a_number_for_its_data(self, other):
    return Tensor(self.data - other.data)


@wrong("1.4", "Tensor.__sub__", says="0.1 became 0 on the way")
def makes_it_a_whole_number(self, other):
    return Tensor(self.data - np.trunc(as_array(other, self.dtype)))


@wrong("1.4", "Tensor.__rsub__", says="the signs are lost")
def gives_the_distance(self, other):
    return Tensor(abs(as_array(other, self.dtype) - self.data))


@wrong("1.4", "Tensor.__rtruediv__", says="= 0.0, expected -0.0")
def loses_the_sign_of_0(self, other):
    return Tensor(as_array(other, self.dtype) / self.data + 0)


@wrong("1.5", "ones", says="one tuple, as_shape(sizes)")
def hands_on_sizes_with_a_star(*sizes):
    return Tensor(np.ones(*sizes, dtype=np.float32))


@wrong("1.5", "arange", says="np.linspace spreads them evenly")
def spreads_evenly_up_to_the_stop(start, stop=None, step=1):
    start, stop = (0, start) if stop is None else (start, stop)
    count = max(0, int(np.ceil((stop - start) / step)))
    return Tensor(np.linspace(start, stop, count).astype(np.float32))


@wrong("1.5", "arange", says="which range() doesn't take")
def ranges(start, stop=None, step=1):
    start, stop = (0, start) if stop is None else (start, stop)
    return Tensor(list(range(start, stop, step)))


@wrong("1.5", "arange", says="it counts down")
def only_counts_up(start, stop=None, step=1):
    start, stop = (0, start) if stop is None else (start, stop)
    numbers = []
    while start + len(numbers) * step < stop:
        numbers.append(start + len(numbers) * step)
    return Tensor(numbers)


@wrong("1.5", "randn", says="there's no generator: make a new one")
def asks_none_for_numbers(*sizes, generator=None):
    return Tensor(generator.standard_normal(as_shape(sizes), dtype=np.float32))


@wrong("1.6", says="x.data[index]")
def indexes_the_tensor(f, x, index, eps):
    value = x[index]
    x[index] = value + eps
    up = f(x).item()
    x[index] = value - eps
    down = f(x).item()
    x[index] = value
    return (up - down) / (2 * eps)


@wrong("1.6", says="keep the old value as a number")
def keeps_the_array_itself(f, x, index, eps):
    old = x.data
    x.data[index] += eps
    up = f(x).item()
    x.data = old
    x.data[index] -= eps
    down = f(x).item()
    x.data = old
    return (up - down) / (2 * eps)


@wrong("1.6", says="f takes the Tensor x itself")
def calls_f_with_the_array(f, x, index, eps):
    value = x.data[index]
    x.data[index] = value + eps
    up = f(x.data)
    x.data[index] = value - eps
    down = f(x.data)
    x.data[index] = value
    return (up - down) / (2 * eps)


@wrong("1.7", says="all elements were nudged at once")
def nudges_all_at_once(f, x, eps=1e-6):
    return Tensor((f(x + eps).data - f(x - eps).data) / (2 * eps))


@wrong("1.1", says="Tensor(…) itself calls as_array")
def wraps_it_into_a_tensor(data, dtype=np.float32):
    return Tensor(real_numbers(data).astype(dtype))


@wrong("1.1", says="a dtype that is kept keeps all its digits")
def takes_a_numpy_number_as_a_python_float(data, dtype=np.float32):
    if isinstance(data, np.floating):
        return np.array(float(data), data.dtype)
    array = real_numbers(data)
    keeps_dtype = isinstance(data, (Tensor, np.ndarray)) and array.dtype.kind == "f"
    return np.array(array, array.dtype if keeps_dtype else dtype)


@wrong("1.1", says="that is 0, but not -0")
def adds_to_zeros(data, dtype=np.float32):
    array = real_numbers(data)
    keeps_dtype = isinstance(data, (Tensor, np.ndarray, np.floating)) and array.dtype.kind == "f"
    result = np.zeros(array.shape, array.dtype if keeps_dtype else dtype)
    result += array.astype(result.dtype)
    return result


@wrong("1.1", says="takes the one that's asked for")
def whole_numbers_are_always_float32(data, dtype=np.float32):
    array = real_numbers(data)
    if isinstance(data, (Tensor, np.ndarray, np.floating)) and array.dtype.kind == "f":
        return array.copy()
    return array.astype(np.float32 if array.dtype.kind in "biu" else dtype)


@wrong("1.1", says="a floating-point Tensor keeps its dtype")
def forgets_tensors(data, dtype=np.float32):
    array = real_numbers(data)
    keeps_dtype = isinstance(data, (np.ndarray, np.floating)) and array.dtype.kind == "f"
    return np.array(array, array.dtype if keeps_dtype else dtype)


@wrong("1.1", says="a list knows no columns")
def goes_by_way_of_a_list(data, dtype=np.float32):
    array = real_numbers(data)
    keeps_dtype = isinstance(data, (Tensor, np.ndarray, np.floating)) and array.dtype.kind == "f"
    return np.array(array.tolist(), array.dtype if keeps_dtype else dtype)


@wrong("1.1", says="an empty list makes an empty array")
def refuses_what_is_empty(data, dtype=np.float32):
    array = real_numbers(data)
    if array.size == 0:
        raise ValueError(f"no numbers in {data!r}")
    keeps_dtype = isinstance(data, (Tensor, np.ndarray, np.floating)) and array.dtype.kind == "f"
    return np.array(array, array.dtype if keeps_dtype else dtype)


@wrong("1.2", says="the numbers were made another dtype first")
def shows_float64_numbers(self):
    numbers = np.array2string(
        self.data.astype(np.float64), precision=4, separator=", ", prefix="tensor("
    )
    return f"tensor({numbers}{'' if self.dtype == np.float32 else f', dtype={self.dtype}'})"


@wrong("1.2", says="knows empty lines")
def moves_the_rows_in_afterwards(self):
    width = np.get_printoptions()["linewidth"] - len("tensor(")
    numbers = np.array2string(self.data, max_line_width=width, precision=4, separator=", ")
    numbers = numbers.replace("\n", "\n" + " " * len("tensor("))
    return f"tensor({numbers}{'' if self.dtype == np.float32 else f', dtype={self.dtype}'})"


@wrong("1.2", says="is 7 characters long")
def writes_tensor_for_array(self):
    with np.printoptions(precision=4):
        text = repr(np.asarray(self.data, np.float64)).replace("array(", "tensor(")
    return text if self.dtype == np.float32 else text[:-1] + f", dtype={self.dtype})"


@wrong("1.2", says="its dtype is called float16")
def knows_two_dtypes(self):
    numbers = np.array2string(self.data, precision=4, separator=", ", prefix="tensor(")
    return f"tensor({numbers}{'' if self.dtype == np.float32 else ', dtype=float64'})"


@wrong("1.2", says="precision=4 gives four decimals")
def shows_three_decimals(self):
    numbers = np.array2string(self.data, precision=3, separator=", ", prefix="tensor(")
    return f"tensor({numbers}{'' if self.dtype == np.float32 else f', dtype={self.dtype}'})"


@wrong("1.3", says="an error that is returned stops nobody")
def returns_its_error(self):
    if self.data.size != 1:
        return RuntimeError(f"item() needs exactly one element, got shape {self.shape}")
    return float(self.data.reshape(()))


@wrong("1.3", says="PyTorch raises a RuntimeError")
def raises_a_value_error(self):
    if self.data.size != 1:
        raise ValueError(f"item() needs exactly one element, got shape {self.shape}")
    return float(self.data.reshape(()))


@wrong("1.3", says="that is what assert raises")
def asserts_one_element(self):
    assert self.data.size == 1, f"got shape {self.shape}"
    return float(self.data.reshape(()))


@wrong("1.3", says="whatever number it is")
def takes_a_zero_for_nothing(self):
    if self.data.size == 1 and self.data.any():
        return float(self.data.reshape(()))
    raise RuntimeError(f"item() needs exactly one element, got shape {self.shape}")


@wrong("1.4", "Tensor.__rtruediv__", says="int64 array of shape (2,) was float32 on the way")
def makes_a_tensor_of_an_array_first(self, other):
    if isinstance(other, np.ndarray):
        return Tensor(other) / self
    return Tensor(as_array(other, self.dtype) / self.data)


@wrong("1.4", "Tensor.__rsub__", says="np.int64(16777217) was float32 on the way")
def knows_pythons_numbers_alone(self, other):
    knows = isinstance(other, (int, float, list, tuple, np.ndarray))
    return Tensor(as_array(other, self.dtype if knows else np.float32) - self.data)


@wrong("1.4", "Tensor.__truediv__", says="let the ValueError that says so through")
def leaves_shapes_to_the_other(self, other):
    try:
        return Tensor(self.data / as_array(other, self.dtype))
    except ValueError:
        return NotImplemented


@wrong("1.4", "Tensor.__sub__", says="these shapes fit")
def wants_numbers_or_its_own_shape(self, other):
    other = as_array(other, self.dtype)
    if other.shape not in ((), self.shape):
        raise ValueError(f"shapes differ: {self.shape} and {other.shape}")
    return Tensor(self.data - other)


@wrong("1.4", "Tensor.__truediv__", says="without a short cut")
def has_a_short_cut_to_1(self, other):
    if other is self:
        return Tensor(np.ones_like(self.data))
    return Tensor(self.data / as_array(other, self.dtype))


@wrong("1.4", "Tensor.__truediv__", says="a divisor of -0 turns the sign")
def takes_minus_0_for_0(self, other):
    other = as_array(other, self.dtype)
    return Tensor(np.where(other == 0, self.data * np.inf, self.data / other))


@wrong("1.4", "Tensor.__sub__", says="NumPy makes float64 of an empty list")
def goes_number_by_number(self, other):
    other = as_array(other, self.dtype)
    if other.shape == self.shape:
        numbers = [a - b for a, b in zip(self.data.flat, other.flat, strict=True)]
        return Tensor(np.array(numbers).reshape(self.shape))
    return Tensor(self.data - other)


@wrong("1.4", "Tensor.__rtruediv__", says="that is 1 / x")
def always_one_over_x(self, other):
    return Tensor(1 / self.data)


@wrong("1.5", "arange", says="// rounds down")
def floors_the_count(start, stop=None, step=1):
    start, stop = (0, start) if stop is None else (start, stop)
    return Tensor((start + step * np.arange((stop - start) // step)).astype(np.float32))


@wrong("1.5", "arange", says="rounded twice")
def counts_by_one_over_step(start, stop=None, step=1):
    start, stop = (0, start) if stop is None else (start, stop)
    count = np.ceil((stop - start) * (1 / step))
    return Tensor((start + step * np.arange(count)).astype(np.float32))


@wrong("1.5", "arange", says="rounding errors added up")
def adds_up_the_right_number(start, stop=None, step=1):
    start, stop = (0, start) if stop is None else (start, stop)
    steps = np.full(max(0, int(np.ceil((stop - start) / step))), step, np.float64)
    return Tensor((start + np.cumsum(steps) - step).astype(np.float32))


@wrong("1.5", "arange", says="the numbers were rounded")
def cleans_its_numbers(start, stop=None, step=1):
    start, stop = (0, start) if stop is None else (start, stop)
    count = np.ceil((stop - start) / step)
    return Tensor(np.round(start + step * np.arange(count), 10).astype(np.float32))


@wrong("1.5", "randn", says="drew more numbers than they gave")
def draws_an_even_number(*sizes, generator=None):
    generator = np.random.default_rng() if generator is None else generator
    shape = as_shape(sizes)
    size = int(np.prod(shape, dtype=np.int64))
    numbers = generator.standard_normal(size + size % 2, dtype=np.float32)
    return Tensor(numbers[:size].reshape(shape))


@wrong("1.5", "randn", says="what stands in the signature is made once")
def makes_its_generator_in_the_signature(*sizes, generator=np.random.default_rng()):  # noqa: B008
    return Tensor(generator.standard_normal(as_shape(sizes), dtype=np.float32))


@wrong("1.5", "ones", says="no sizes make a single number")
def gives_no_sizes_an_axis(*sizes):
    return Tensor(np.ones(as_shape(sizes or (1,)), dtype=np.float32))


@wrong("1.6", says="divided by 2 * eps all the same")
def divides_by_what_it_really_moved(f, x, index, eps):
    value = x.data[index]
    x.data[index] = value + eps
    high, up = float(x.data[index]), f(x).item()
    x.data[index] = value - eps
    low, down = float(x.data[index]), f(x).item()
    x.data[index] = value
    return (up - down) / (high - low)


@wrong("1.6", says="nudges of eps / 2")
def nudges_by_half_of_it(f, x, index, eps):
    value = x.data[index]
    x.data[index] = value + eps / 2
    up = f(x).item()
    x.data[index] = value - eps / 2
    down = f(x).item()
    x.data[index] = value
    return (up - down) / eps


@wrong("1.6", says="a view of x.data moves")
def keeps_a_view(f, x, index, eps):
    index = index if isinstance(index, tuple) else (index,)
    value = x.data[(*index, ...)]
    x.data[index] = value + eps
    up = f(x).item()
    x.data[index] = value - 2 * eps
    down = f(x).item()
    x.data[index] = value
    return (up - down) / (2 * eps)


@wrong("1.6", says="it was float32 on the way")
def subtracts_tensors_of_the_values(f, x, index, eps):
    value = x.data[index]
    x.data[index] = value + eps
    up = Tensor(f(x).item())
    x.data[index] = value - eps
    down = Tensor(f(x).item())
    x.data[index] = value
    return ((up - down) / (2 * eps)).item()


@wrong("1.7", says="so x keeps its shape")
def lays_x_out_in_a_row(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64).ravel()
    try:
        slopes = [central_difference(f, x, i, eps) for i in range(x.data.size)]
    finally:
        x.data = original
    return Tensor(np.array(slopes, dtype=np.float64).reshape(x.shape))


@wrong("1.7", says="one slope for each row")
def goes_along_one_axis(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64)
    try:
        slopes = [central_difference(f, x, i, eps) for i in range(len(x.data))]
    finally:
        x.data = original
    return Tensor(np.array(slopes))


@wrong("1.7", says="the slopes were rounded")
def rounds_its_slopes(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64)
    try:
        slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.shape)]
    finally:
        x.data = original
    return Tensor(np.round(np.array(slopes).reshape(x.shape), 6))


@wrong("1.7", says="let the error of f through as it is")
def raises_an_error_of_its_own(f, x, eps=1e-6):
    original = x.data
    x.data = original.astype(np.float64)
    try:
        slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.shape)]
    except Exception as error:
        raise RuntimeError("f failed") from error
    finally:
        x.data = original
    return Tensor(np.array(slopes).reshape(x.shape))
