"""Wrong answers to the exercises of chapter 4, each with words that its message must contain."""

from course.misconceptions import wrong


@wrong("4.1", says="they do fit: the last axes meet")
def compares_from_the_left(a, b):
    ndim = max(len(a), len(b))
    padded_a = tuple(a) + (1,) * (ndim - len(a))
    padded_b = tuple(b) + (1,) * (ndim - len(b))
    for m, n in zip(padded_a, padded_b, strict=True):
        if m != n and 1 not in (m, n):
            raise RuntimeError(f"shapes {tuple(a)} and {tuple(b)} do not broadcast")
    return tuple(n if m == 1 else m for m, n in zip(padded_a, padded_b, strict=True))


@wrong("4.1", says="0 is a size like any other")
def takes_the_larger_size(a, b):
    ndim = max(len(a), len(b))
    padded_a = (1,) * (ndim - len(a)) + tuple(a)
    padded_b = (1,) * (ndim - len(b)) + tuple(b)
    for m, n in zip(padded_a, padded_b, strict=True):
        if m != n and 1 not in (m, n):
            raise RuntimeError(f"shapes {tuple(a)} and {tuple(b)} do not broadcast")
    return tuple(max(m, n) for m, n in zip(padded_a, padded_b, strict=True))


@wrong(
    "4.1", says="two sizes fit if they are equal or if one of them is 1; else it's a RuntimeError"
)
def never_complains(a, b):
    ndim = max(len(a), len(b))
    padded_a = (1,) * (ndim - len(a)) + tuple(a)
    padded_b = (1,) * (ndim - len(b)) + tuple(b)
    return tuple(n if m == 1 else m for m, n in zip(padded_a, padded_b, strict=True))


@wrong(
    "4.1", says="two sizes fit if they are equal or if one of them is 1; else it's a RuntimeError"
)
def stretches_multiples(a, b):
    ndim = max(len(a), len(b))
    padded_a = (1,) * (ndim - len(a)) + tuple(a)
    padded_b = (1,) * (ndim - len(b)) + tuple(b)
    for m, n in zip(padded_a, padded_b, strict=True):
        if 0 not in (m, n) and m % n != 0 and n % m != 0:
            raise RuntimeError(f"shapes {tuple(a)} and {tuple(b)} do not broadcast")
    return tuple(n if m == 1 or n % m == 0 else m for m, n in zip(padded_a, padded_b, strict=True))


@wrong("4.1", says="with both shapes in its message")
def lets_numpy_complain(a, b):
    return np.broadcast_shapes(a, b)


@wrong("4.1", says="should contain (4, 3) and (4,)")
def names_no_shape(a, b):
    try:
        return np.broadcast_shapes(a, b)
    except ValueError:
        raise RuntimeError("shapes do not match") from None


@wrong("4.1", says="on either side")
def stretches_only_the_first_shape(a, b):
    ndim = max(len(a), len(b))
    padded_a = (1,) * (ndim - len(a)) + tuple(a)
    padded_b = (1,) * (ndim - len(b)) + tuple(b)
    for m, n in zip(padded_a, padded_b, strict=True):
        if m != n and 1 not in (m, n):
            raise RuntimeError(f"shapes {tuple(a)} and {tuple(b)} do not broadcast")
    return padded_b


@wrong("4.1", says="a number meets every element")
def a_0d_tensor_gives_an_empty_shape(a, b):
    if () in (a, b):
        return ()
    try:
        return np.broadcast_shapes(a, b)
    except ValueError:
        raise RuntimeError(f"shapes {a} and {b} do not broadcast") from None


@wrong("4.1", says="the axes that only one shape has are part of the result")
def zip_stops_at_the_shorter(a, b):
    for m, n in zip(reversed(a), reversed(b), strict=False):
        if m != n and 1 not in (m, n):
            raise RuntimeError(f"shapes {a} and {b} do not fit")
    return tuple(n if m == 1 else m for m, n in zip(reversed(a), reversed(b), strict=False))[::-1]


@wrong("4.1", says="those are the axes in reverse order")
def forgets_to_reverse_back(a, b):
    from itertools import zip_longest

    out = []
    for m, n in zip_longest(reversed(a), reversed(b), fillvalue=1):
        if m != n and 1 not in (m, n):
            raise RuntimeError(f"shapes {a} and {b} do not fit")
        out.append(n if m == 1 else m)
    return tuple(out)


@wrong("4.1", says="a shape is a tuple")
def returns_a_list(a, b):
    n = max(len(a), len(b))
    a2 = (1,) * (n - len(a)) + tuple(a)
    b2 = (1,) * (n - len(b)) + tuple(b)
    out = []
    for p, q in zip(a2, b2, strict=False):
        if p != q and p != 1 and q != 1:
            raise RuntimeError(f"shapes {a} and {b} do not fit")
        out.append(q if p == 1 else p)
    return out


@wrong("4.1", says="so it doesn't fit a 3")
def zero_fits_everything(a, b):
    n = max(len(a), len(b))
    a2 = (1,) * (n - len(a)) + tuple(a)
    b2 = (1,) * (n - len(b)) + tuple(b)
    out = []
    for p, q in zip(a2, b2, strict=False):
        if p != q and p > 1 and q > 1:
            raise RuntimeError(f"shapes {a} and {b} do not fit")
        out.append(0 if 0 in (p, q) else max(p, q))
    return tuple(out)


@wrong("4.1", says="should contain (4,)")
def names_padded_shapes(a, b):
    n = max(len(a), len(b))
    a = (1,) * (n - len(a)) + tuple(a)
    b = (1,) * (n - len(b)) + tuple(b)
    for p, q in zip(a, b, strict=False):
        if p != q and 1 not in (p, q):
            raise RuntimeError(f"shapes {a} and {b} do not fit")
    return tuple(q if p == 1 else p for p, q in zip(a, b, strict=False))


@wrong("4.1", says="it was returned: raise it")
def returns_the_error(a, b):
    try:
        return np.broadcast_shapes(a, b)
    except ValueError:
        return RuntimeError(f"shapes {a} and {b} do not fit")


@wrong("4.1", says="the message was returned: raise RuntimeError")
def returns_the_message(a, b):
    try:
        return np.broadcast_shapes(a, b)
    except ValueError:
        return f"shapes {a} and {b} do not fit"


@wrong("4.1", says="they do fit")
def checks_only_the_first_shapes_ones(a, b):
    n = max(len(a), len(b))
    a2 = (1,) * (n - len(a)) + tuple(a)
    b2 = (1,) * (n - len(b)) + tuple(b)
    for p, q in zip(a2, b2, strict=False):
        if p != q and q != 1:
            raise RuntimeError(f"shapes {a} and {b} do not fit")
    return a2


@wrong("4.2", "Sum.forward", says="0 is an axis, too")
def axis_zero_taken_for_none(ctx, x, axis, keepdims):
    total = x.data.sum(axis=axis or None, keepdims=True)
    ctx.shape, ctx.kept_shape = x.shape, total.shape
    return Tensor(total if keepdims else total.squeeze(axis or None))


@wrong("4.2", "Sum.forward", says="the summed axis stays, with length 1")
def forgets_keepdims(ctx, x, axis, keepdims):
    ctx.shape, ctx.kept_shape = x.shape, x.data.sum(axis=axis, keepdims=True).shape
    return Tensor(x.data.sum(axis=axis))


@wrong("4.2", "Sum.forward", says="only the summed axis goes")
def drops_every_axis_of_length_one(ctx, x, axis, keepdims):
    total = x.data.sum(axis=axis, keepdims=True)
    ctx.shape, ctx.kept_shape = x.shape, total.shape
    return Tensor(total if keepdims else total.squeeze())


@wrong("4.2", says="None for what is no Tensor")
class OneGradientForThreeInputs:
    def backward(ctx, grad_z):
        return grad_z.reshape(ctx.kept_shape) * ones(ctx.shape)


@wrong("4.2", "Sum.backward", says="put the summed axis back first")
def leaves_it_to_broadcasting(ctx, grad_z):
    return grad_z * ones(ctx.shape), None, None


@wrong("4.2", "Sum.backward", says="that's a share of it")
def shares_the_gradient_out(ctx, grad_z):
    grad_x = grad_z.reshape(ctx.kept_shape) * ones(ctx.shape)
    return grad_x * (grad_z.data.size / grad_x.data.size), None, None


@wrong("4.2", "Sum.backward", says="multiply by grad_z")
def ignores_what_comes_from_above(ctx, grad_z):
    return ones(ctx.shape), None, None


@wrong("4.2", says="not on the class")
class ShapesKeptOnTheClass:
    def forward(ctx, x, axis, keepdims):
        total = x.data.sum(axis=axis, keepdims=True)
        Sum.shape, Sum.kept_shape = x.shape, total.shape
        return Tensor(total if keepdims else total.squeeze(axis))

    def backward(ctx, grad_z):
        return grad_z.reshape(Sum.kept_shape) * ones(Sum.shape), None, None


@wrong("4.2", "Sum.forward", says="only the first axis of the tuple was summed")
def sums_the_first_axis_of_a_tuple(ctx, x, axis, keepdims):
    axis = axis[0] if isinstance(axis, tuple) else axis
    total = x.data.sum(axis=axis, keepdims=True)
    ctx.shape, ctx.kept_shape = x.shape, total.shape
    return Tensor(total if keepdims else total.squeeze(axis))


@wrong("4.2", says="put back every axis that was summed, and only those")
class PutsBackWhatWasKept:
    def forward(ctx, x, axis, keepdims):
        ctx.shape, ctx.axis = x.shape, axis
        return Tensor(x.data.sum(axis=axis, keepdims=keepdims))

    def backward(ctx, grad_z):
        if ctx.axis is not None:
            grad_z = Tensor(np.expand_dims(grad_z.data, ctx.axis))
        return grad_z * ones(ctx.shape), None, None


@wrong("4.2", "Sum.forward", says="= float64, expected float32")
def sum_in_float64(ctx, x, axis, keepdims):
    total = x.data.sum(axis=axis, keepdims=True, dtype=np.float64)
    ctx.shape, ctx.kept_shape = x.shape, total.shape
    return Tensor(total if keepdims else total.squeeze(axis))


@wrong("4.2", "Sum.backward", says="= float32, expected float64")
def casts_to_float32(ctx, grad_z):
    return (
        Tensor(np.broadcast_to(grad_z.data.reshape(ctx.kept_shape), ctx.shape).astype(np.float32)),
        None,
        None,
    )


@wrong("4.2", "Sum.backward", says="the gradients of axis and keepdims")
def returns_zeros_for_axis(ctx, grad_z):
    return grad_z.reshape(ctx.kept_shape) * ones(ctx.shape), zeros(), zeros()


@wrong("4.2", says="x.sum(axis=(-2, -1), keepdims=False)")
class ExpandsNegativeTuplesWrong:
    def forward(ctx, x, axis, keepdims):
        ctx.shape, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
        return Tensor(x.data.sum(axis=axis, keepdims=keepdims))

    def backward(ctx, grad_z):
        g = grad_z.data
        if ctx.axis is not None and not ctx.keepdims:
            axes = ctx.axis if isinstance(ctx.axis, tuple) else (ctx.axis,)
            for a in sorted(axes):
                g = np.expand_dims(g, a)
        return Tensor(g) * ones(ctx.shape), None, None


@wrong("4.2", says="after each sum, the axes behind it are counted anew")
class LoopsOverAxes:
    def forward(ctx, x, axis, keepdims):
        data = x.data
        ctx.shape, ctx.kept_shape = x.shape, x.data.sum(axis=axis, keepdims=True).shape
        for a in axis if isinstance(axis, tuple) else (axis,):
            data = data.sum(axis=a, keepdims=keepdims)
        return Tensor(data)

    def backward(ctx, grad_z):
        return grad_z.reshape(ctx.kept_shape) * ones(ctx.shape), None, None


@wrong("4.2", "Sum.backward", says="the result of Sum.backward shares its memory with grad_z")
def a_view_of_what_came(ctx, grad_z):
    z = Tensor(0)
    z.data = np.broadcast_to(grad_z.data.reshape(ctx.kept_shape), ctx.shape)
    return z, None, None


@wrong("4.2", "Sum.forward", says="NaN is an element like any other")
def nansum(ctx, x, axis, keepdims):
    total = np.nansum(x.data, axis=axis, keepdims=True)
    ctx.shape, ctx.kept_shape = x.shape, total.shape
    return Tensor(total if keepdims else total.squeeze(axis))


@wrong("4.2", says="-1 counts from the end, so it's axis 2 here")
class TakesANegativeAxisForAPlace:
    def forward(ctx, x, axis, keepdims):
        axes = range(len(x.shape)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        ctx.shape = x.shape
        ctx.kept_shape = tuple(1 if i in axes else n for i, n in enumerate(x.shape))
        return Tensor(x.data.sum(axis=axis, keepdims=keepdims))

    def backward(ctx, grad_z):
        return grad_z.reshape(ctx.kept_shape) * ones(ctx.shape), None, None


@wrong("4.3", says="the axis of length 1 was not summed")
def sums_new_leading_axes_only(grad, shape):
    new = len(grad.shape) - len(shape)
    return grad.sum(axis=tuple(range(new)))


@wrong("4.3", says="nothing was summed")
def sums_axes_of_length_one_only(grad, shape):
    new = len(grad.shape) - len(shape)
    stretched = tuple(new + i for i, size in enumerate(shape) if size == 1)
    return grad.sum(axis=stretched, keepdims=True)


@wrong("4.3", says="that's the mean of what the copies received")
def takes_the_mean_of_the_copies(grad, shape):
    new = len(grad.shape) - len(shape)
    stretched = [new + i for i, size in enumerate(shape) if size == 1]
    return grad.mean(axis=(*range(new), *stretched)).reshape(shape)


@wrong("4.3", says="the axis is gone")
def loses_the_axis_of_length_one(grad, shape):
    new = len(grad.shape) - len(shape)
    stretched = [new + i for i, size in enumerate(shape) if size == 1]
    return grad.sum(axis=(*range(new), *stretched))


@wrong("4.3", says="axis i of the shape is axis i + 1 of the gradient")
def counts_stretched_axes_from_the_wrong_end(grad, shape):
    new = len(grad.shape) - len(shape)
    axes = {*range(new), *(i for i, size in enumerate(shape) if size == 1)}
    total = grad.sum(axis=tuple(sorted(axes)))
    return total.reshape(shape) if total.data.size == np.prod(shape) else total


@wrong("4.3", says="gave grad itself, expected a new Tensor")
def hands_an_equal_shape_through(grad, shape):
    if grad.shape == tuple(shape):
        return grad
    new = len(grad.shape) - len(shape)
    stretched = [new + i for i, size in enumerate(shape) if size == 1]
    return grad.sum(axis=(*range(new), *stretched)).reshape(shape)


@wrong("4.3", says="a number serves every element")
def leaves_0d_tensors_out(grad, shape):
    if shape == ():
        return grad
    new = len(grad.shape) - len(shape)
    stretched = [new + i for i, size in enumerate(shape) if size == 1]
    return grad.sum(axis=(*range(new), *stretched)).reshape(shape)


@wrong("4.3", says="that's what the first copy received")
def takes_the_first_copy(grad, shape):
    data = grad.data
    while data.ndim > len(shape):
        data = data[0]
    for axis, size in enumerate(shape):
        data = data.sum(axis=axis, keepdims=True) if size == 1 else data
    return Tensor(data)


@wrong("4.3", says="summed 10 times, and still had not made (1, 3)")
def sums_until_it_fits(grad, shape):
    while grad.shape != shape:
        grad = grad.sum(axis=0)
    return grad


@wrong("4.3", says="summed 10 times, and still had not made (): one sum")
def sums_the_first_axis_until_it_fits(grad, shape):
    while grad.shape != shape:
        grad = grad.sum(axis=0, keepdims=len(grad.shape) == 1)
    return grad


@wrong("4.3", says="it was computed from the array")
def casts_in_unbroadcast(grad, shape):
    new = len(grad.shape) - len(shape)
    stretched = [new + i for i, size in enumerate(shape) if size == 1]
    return Tensor(grad.data.sum(axis=(*range(new), *stretched)).reshape(shape).astype(np.float32))


@wrong("4.3", says="gradients are Tensors")
def returns_an_array(grad, shape):
    new = len(grad.shape) - len(shape)
    stretched = [new + i for i, size in enumerate(shape) if size == 1]
    return grad.data.sum(axis=(*range(new), *stretched)).reshape(shape)


@wrong("4.3", says="both axes have length 1")
def one_stretched_axis_only(grad, shape):
    new = len(grad.shape) - len(shape)
    out = grad.sum(axis=tuple(range(new)))
    for i, n in enumerate(shape):
        if n == 1:
            return out.sum(axis=i, keepdims=True)
    return out.reshape(shape)


@wrong("4.3", says="an axis of length 1 was stretched: sum over it")
def reshapes_straight_away(grad, shape):
    return Tensor(grad.data.reshape((-1, *shape)).sum(axis=0))


@wrong("4.3", says="unbroadcast changed grad, which it was given")
def changes_grad_in_place(grad, shape):
    new = len(grad.shape) - len(shape)
    stretched = [new + i for i, size in enumerate(shape) if size == 1]
    out = grad.sum(axis=(*range(new), *stretched)).reshape(shape)
    grad.data[...] = 0
    return out


@wrong("4.4", "Add.backward", says="unbroadcast its gradient to the shape of b")
def add_of_chapter_3(ctx, grad_z):
    return grad_z, grad_z


@wrong("4.4", "Add.backward", says="of shape (3,), expected shape (2, 3)")
def add_gives_both_the_shape_of_the_second(ctx, grad_z):
    _, y_shape = ctx.shapes
    return unbroadcast(grad_z, y_shape), unbroadcast(grad_z, y_shape)


@wrong("4.4", "Add.backward", says="x and y received the same array")
def add_takes_a_short_cut_for_equal_shapes(ctx, grad_z):
    x_shape, y_shape = ctx.shapes
    if x_shape == y_shape:
        return grad_z, grad_z
    return unbroadcast(grad_z, x_shape), unbroadcast(grad_z, y_shape)


@wrong("4.4", "Mul.backward", says="of shape (3, 4), expected shape (1, 4)")
def mul_mends_the_first_input_only(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z * y, x.shape), grad_z * x


@wrong("4.4", "Mul.backward", says="it was summed before it was multiplied")
def mul_sums_before_it_multiplies(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z, x.shape) * y, unbroadcast(grad_z, y.shape) * x


@wrong("4.4", "Mul.backward", says="that's the input's own value as its factor")
def mul_gives_each_its_own_value(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z * x, x.shape), unbroadcast(grad_z * y, y.shape)


@wrong("4.4", "Div.backward", says="a minus sign is missing")
def div_loses_the_minus_sign(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z / y, x.shape), unbroadcast(grad_z * x / (y * y), y.shape)


@wrong("4.4", "Div.backward", says="divide first, then unbroadcast")
def div_sums_before_it_multiplies(ctx, grad_z):
    x, y = ctx.saved_tensors
    grad_y = unbroadcast(grad_z, y.shape) * unbroadcast(x, y.shape)
    return unbroadcast(grad_z / y, x.shape), -grad_y / (y * y)


@wrong("4.4", "Div.backward", says="of shape (2,), expected shape ()")
def div_mends_the_first_input_only(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z / y, x.shape), -grad_z * x / (y * y)


@wrong("4.4", "Mul.backward", says="multiply by grad_z, too")
def mul_forgets_upstream(ctx, grad_z):
    x, y = ctx.saved_tensors
    g = ones(grad_z.shape)
    return unbroadcast(g * y, x.shape), unbroadcast(g * x, y.shape)


@wrong("4.4", "Mul.backward", says="that's the shape of y")
def mul_swapped_shapes(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z * y, y.shape), unbroadcast(grad_z * x, x.shape)


@wrong("4.4", "Div.backward", says="not summed: x served both")
def div_mends_the_second_only(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z / y, unbroadcast(-grad_z * x / (y * y), y.shape)


@wrong("4.4", "Div.backward", says="y counts once too little")
def div_second_without_square(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z / y, x.shape), unbroadcast(-grad_z * x / y, y.shape)


@wrong("4.4", "Div.backward", says="put y * y in brackets")
def div_brackets(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z / y, x.shape), unbroadcast(-grad_z * x / y * y, y.shape)


@wrong("4.4", "Div.backward", says="backward returns a tuple")
def div_a_list(ctx, grad_z):
    x, y = ctx.saved_tensors
    return [unbroadcast(grad_z / y, x.shape), unbroadcast(-grad_z * x / (y * y), y.shape)]


@wrong("4.5", says="it was divided by all 6")
def divides_by_all_elements(self, axis=None, keepdims=False):
    return self.sum(axis, keepdims) / self.data.size


@wrong("4.5", says="it was divided by 2, the number of rows")
def divides_by_the_number_of_rows(self, axis=None, keepdims=False):
    n = self.data.size if axis is None else self.shape[0]
    return self.sum(axis, keepdims) / n


@wrong("4.5", says="hand keepdims on to sum")
def forgets_keepdims_in_mean(self, axis=None, keepdims=False):
    total = self.sum(axis)
    return total * (total.data.size / self.data.size)


@wrong("4.5", says="its history is lost")
def lets_numpy_do_it(self, axis=None, keepdims=False):
    return Tensor(self.data.mean(axis=axis, keepdims=keepdims))


@wrong("4.5", says="only one axis of the tuple was counted")
def counts_one_axis_of_a_tuple(self, axis=None, keepdims=False):
    first = axis[0] if isinstance(axis, tuple) else axis
    n = self.data.size if axis is None else self.shape[first]
    return self.sum(axis, keepdims) / n


@wrong("4.5", says="scale by a plain Python number")
def scales_by_a_float64(self, axis=None, keepdims=False):
    total = self.sum(axis, keepdims)
    return total * np.array(total.data.size / self.data.size)


@wrong("4.5", says="that's the mean of all of it")
def mean_ignores_axis(self, axis=None, keepdims=False):
    return self.sum() / self.data.size


@wrong("4.5", says="without keepdims the summed axes go")
def mean_always_keepdims(self, axis=None, keepdims=False):
    total = self.sum(axis, True)
    return total * (total.data.size / self.data.size)


@wrong("4.5", says="that's the sum")
def mean_is_the_sum(self, axis=None, keepdims=False):
    return self.sum(axis, keepdims)


@wrong("4.5", says="// rounds down")
def mean_integer_scale(self, axis=None, keepdims=False):
    total = self.sum(axis, keepdims)
    return total * (total.data.size // self.data.size)


@wrong("4.5", says="the sum was multiplied by 6")
def mean_inverse_scale(self, axis=None, keepdims=False):
    total = self.sum(axis, keepdims)
    return total * (self.data.size / total.data.size)


@wrong("4.6", says="one gradient for each example")
def forgets_the_batch(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z @ y.mT, x.mT @ grad_z


@wrong("4.6", says="unbroadcast both products")
def mends_the_right_matrix_only(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z @ y.mT, unbroadcast(x.mT @ grad_z, y.shape)


@wrong("4.6", says="a batch axis of length 1 that was stretched is summed")
def sums_new_batch_axes_only(ctx, grad_z):
    x, y = ctx.saved_tensors
    grad_x, grad_y = grad_z @ y.mT, x.mT @ grad_z
    grad_x = grad_x.sum(axis=tuple(range(len(grad_x.shape) - len(x.shape))))
    grad_y = grad_y.sum(axis=tuple(range(len(grad_y.shape) - len(y.shape))))
    return grad_x, grad_y


@wrong("4.6", says="y is not transposed")
def forgets_the_transposes(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z @ y, x.shape), unbroadcast(x @ grad_z, y.shape)


@wrong("4.6", says="the other way round")
def multiplies_in_the_wrong_order(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(y.mT @ grad_z, x.shape), unbroadcast(grad_z @ x.mT, y.shape)


@wrong("4.6", says="that's the transpose of what y gets")
def gives_y_its_gradient_transposed(ctx, grad_z):
    x, y = ctx.saved_tensors
    grad_y = (grad_z.mT @ x) if x.shape == y.shape else x.mT @ grad_z
    return unbroadcast(grad_z @ y.mT, x.shape), unbroadcast(grad_y, y.shape)


@wrong("4.6", says="nothing was copied, and nothing is summed")
def always_sums_over_the_first_axis(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z @ y.mT, (x.mT @ grad_z).sum(axis=0)


@wrong("4.6", says="a batch axis of length 1 that was stretched is summed")
def sums_where_y_has_fewer_axes(ctx, grad_z):
    x, y = ctx.saved_tensors
    grad_y = x.mT @ grad_z
    grad_y = grad_y.sum(axis=0) if len(y.shape) < len(grad_y.shape) else grad_y
    return unbroadcast(grad_z @ y.mT, x.shape), grad_y


@wrong("4.6", says="each matrix of the batch is transposed by itself")
def reverses_all_axes(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z @ y.T, x.shape), unbroadcast(x.T @ grad_z, y.shape)


@wrong("4.6", says="a batch axis of length 1 that was stretched is summed")
def sums_the_first_batch_axis_only(ctx, grad_z):
    x, y = ctx.saved_tensors
    gx, gy = grad_z @ y.mT, x.mT @ grad_z
    if len(gx.shape) > len(x.shape):
        gx = gx.sum(axis=0)
    if len(gy.shape) > len(y.shape):
        gy = gy.sum(axis=0)
    return gx, gy


@wrong("4.6", says="that's the mean over the batch")
def takes_the_mean_over_the_batch(ctx, grad_z):
    x, y = ctx.saved_tensors
    gx, gy = grad_z @ y.mT, x.mT @ grad_z
    ux, uy = unbroadcast(gx, x.shape), unbroadcast(gy, y.shape)
    return ux * (ux.data.size / gx.data.size), uy * (uy.data.size / gy.data.size)


@wrong("4.6", says="that's the gradient of y: x comes first")
def gives_the_gradient_of_y_first(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(x.mT @ grad_z, y.shape), unbroadcast(grad_z @ y.mT, x.shape)


@wrong("4.7", says="that's p: the result is log(p)")
def gives_the_probabilities(x):
    shifted = x - Tensor(x.data.max(axis=-1, keepdims=True))
    return shifted.exp() / shifted.exp().sum(axis=-1, keepdims=True)


@wrong("4.7", says="subtract the largest score of the row first")
def subtracts_nothing(x):
    return x - x.exp().sum(axis=-1, keepdims=True).log()


@wrong("4.7", says="each row has a largest score of its own")
def subtracts_the_largest_of_all(x):
    shifted = x - Tensor(x.data.max())
    return shifted - shifted.exp().sum(axis=-1, keepdims=True).log()


@wrong("4.7", says="there's no log of 0")
def logarithm_of_the_quotient(x):
    e = (x - Tensor(x.data.max(axis=-1, keepdims=True))).exp()
    return (e / e.sum(axis=-1, keepdims=True)).log()


@wrong("4.7", says="the sum was taken over all rows")
def sums_over_all_rows(x):
    shifted = x - Tensor(x.data.max(axis=-1, keepdims=True))
    return shifted - shifted.exp().sum().log()


@wrong("4.7", says="the rows' sums went along the columns")
def forgets_keepdims_in_the_sum(x):
    shifted = x - Tensor(x.data.max(axis=-1, keepdims=True))
    return shifted - shifted.exp().sum(axis=-1).log()


@wrong("4.7", says="that's axis 1: take the last one")
def sums_over_axis_one(x):
    axis = min(1, len(x.shape) - 1)
    shifted = x - Tensor(x.data.max(axis=axis, keepdims=True))
    return shifted - shifted.exp().sum(axis=axis, keepdims=True).log()


@wrong("4.7", says="the sum of the exponentials moves with x, too")
def takes_the_sum_as_a_constant(x):
    shifted = x - Tensor(x.data.max(axis=-1, keepdims=True))
    return shifted - Tensor(np.log(np.exp(shifted.data).sum(axis=-1, keepdims=True)))


@wrong("4.7", says="x.data was changed in place")
def shifts_in_place(x):
    x.data -= x.data.max(axis=-1, keepdims=True)
    return x - x.exp().sum(axis=-1, keepdims=True).log()


@wrong("4.7", says="even if it's negative")
def subtracts_only_what_is_positive(x):
    shifted = x - Tensor(np.maximum(x.data.max(axis=-1, keepdims=True), 0))
    return shifted - shifted.exp().sum(axis=-1, keepdims=True).log()


@wrong("4.7", says="the sum is right, and x isn't shifted")
def shifts_inside_the_sum_only(x):
    m = Tensor(x.data.max(axis=-1, keepdims=True))
    return x - (x - m).exp().sum(axis=-1, keepdims=True).log()


@wrong("4.7", says="that's the largest score along axis 0")
def takes_the_maximum_along_axis_0(x):
    y = x - Tensor(x.data.max(axis=0, keepdims=True))
    return y - y.exp().sum(axis=-1, keepdims=True).log()


@wrong("4.7", says="nothing else is added")
def adds_a_little_before_the_logarithm(x):
    y = (x - Tensor(x.data.max(axis=-1, keepdims=True))).exp()
    return (y / y.sum(axis=-1, keepdims=True) + 1e-12).log()


@wrong("4.7", says="keepdims=True in the maximum, too")
def forgets_keepdims_in_the_maximum(x):
    y = x - Tensor(x.data.max(axis=-1))
    return y - y.exp().sum(axis=-1, keepdims=True).log()


@wrong("4.7", says="x has no part in its history")
def leaves_it_to_numpy(x):
    y = x.data - x.data.max(axis=-1, keepdims=True)
    return Tensor(y - np.log(np.exp(y).sum(axis=-1, keepdims=True)))


@wrong("4.7", says="shift by the largest score")
def subtracts_the_mean(x):
    y = x - x.mean(axis=-1, keepdims=True)
    return y - y.exp().sum(axis=-1, keepdims=True).log()


@wrong("4.7", says="that's -log(p)")
def gives_minus_the_logarithm(x):
    y = x - Tensor(x.data.max(axis=-1, keepdims=True))
    return y.exp().sum(axis=-1, keepdims=True).log() - y


@wrong("4.8", says="forget the gradients of the step before")
def forgets_to_forget(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        loss = loss_of()
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
        losses.append(loss.item())
    return losses


@wrong("4.8", says="the gradient from before train() counted")
def forgets_after_each_step(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        loss = loss_of()
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
        zero_grad(parameters)
        losses.append(loss.item())
    return losses


@wrong("4.8", says="forget before backward, not after it")
def forgets_what_has_just_come(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        loss = loss_of()
        loss.backward()
        zero_grad(parameters)
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
        losses.append(loss.item())
    return losses


@wrong("4.8", says="loss.backward() was never called")
def sends_nothing_back(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        losses.append(loss_of().item())
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="backward() ran once for each parameter")
def sends_back_for_each_parameter(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        for p in parameters:
            loss.backward()
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="ask loss_of() again in each step")
def computes_the_loss_once(loss_of, parameters, lr, steps):
    loss, losses = loss_of(), []
    for _ in range(steps):
        zero_grad(parameters)
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
        losses.append(loss.item())
    return losses


@wrong("4.8", says="that's the loss after each step")
def notes_the_loss_after_the_step(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss_of().backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
        losses.append(loss_of().item())
    return losses


@wrong("4.8", says="twice in each step: keep what it gave")
def computes_the_loss_twice(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        losses.append(loss_of().item())
        zero_grad(parameters)
        loss_of().backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="minus, not plus")
def climbs(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p + lr * p.grad).data
        losses.append(loss.item())
    return losses


@wrong("4.8", says="lr was ignored")
def ignores_lr(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - 0.25 * p.grad).data
        losses.append(loss.item())
    return losses


@wrong("4.8", says="only the last parameter moved")
def moves_the_last_parameter(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        loss.backward()
        for p in parameters:
            step = lr * p.grad
        p.data = (p - step).data
        losses.append(loss.item())
    return losses


@wrong("4.8", says="only the first parameter moved")
def returns_too_early(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
                break
        losses.append(loss.item())
    return losses


@wrong("4.8", says="each moved on a loss of its own")
def computes_a_loss_for_each_parameter(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        for p in parameters:
            zero_grad(parameters)
            loss = loss_of()
            loss.backward()
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
        losses.append(loss.item())
    return losses


@wrong("4.8", says="giving the name p a new value moves no parameter")
def gives_the_name_a_new_value(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p = p - lr * p.grad
        losses.append(loss.item())
    return losses


@wrong("4.8", says="the parameter gets the .data of the new Tensor")
def puts_a_tensor_into_data(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = p - lr * p.grad
        losses.append(loss.item())
    return losses


@wrong("4.8", says="a new array: -= and [:] = change one")
def moves_in_place(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data -= lr * p.grad.data
        losses.append(loss.item())
    return losses


@wrong("4.8", says="leave that one alone")
def asks_every_parameter_for_a_gradient(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        loss.backward()
        for p in parameters:
            p.data = (p - lr * p.grad).data
        losses.append(loss.item())
    return losses


@wrong("4.8", says="loss.item() is the number")
def returns_tensors(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
        losses.append(loss)
    return losses


@wrong("4.8", says="that's one loss: return them all")
def returns_the_last_loss(loss_of, parameters, lr, steps):
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return loss.item()


@wrong("4.8", says="no step was made")
def makes_one_step_too_few(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps - 1):
        zero_grad(parameters)
        loss = loss_of()
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
        losses.append(loss.item())
    return losses


@wrong("4.8", says="go on with the next")
def stops_where_a_gradient_is_missing(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        loss.backward()
        for p in parameters:
            if p.grad is None:
                break
            p.data = (p - lr * p.grad).data
        losses.append(loss.item())
    return losses


@wrong("4.8", says="arithmetic makes plain numbers of arrays of shape ()")
def turns_parameters_into_float32(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p.data - lr * p.grad.data).astype(np.float32)
        losses.append(loss.item())
    return losses


@wrong("4.8", says="returned None, expected a list of losses")
def returns_nothing(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
        losses.append(loss.item())


@wrong("4.8", says="the list got a new Tensor")
def puts_new_tensors_into_the_list(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        loss.backward()
        for i, p in enumerate(parameters):
            if p.grad is not None:
                parameters[i] = Tensor((p - lr * p.grad).data)
        losses.append(loss.item())
    return losses


@wrong("4.8", says="only one step was made")
def returns_inside_the_loop(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
        losses.append(loss.item())
        return losses


@wrong("4.8", says="one loss too many")
def notes_a_loss_before_the_loop(loss_of, parameters, lr, steps):
    losses = [loss_of().item()]
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
        losses.append(loss.item())
    return losses


@wrong("4.8", says="loss_of is a function")
def forgets_to_call_loss_of(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss_of.backward()
        losses.append(loss_of.item())
    return losses


@wrong("4.2", says="no history that leads to grad_z")
class SpreadsTheArray:
    def backward(ctx, grad_z):
        grad = grad_z.data.reshape(ctx.kept_shape)
        return Tensor(np.broadcast_to(grad, ctx.shape)), None, None


@wrong("4.2", says="only the shape of x counts")
class SpreadsOverZeroTimesX:
    def forward(ctx, x, axis, keepdims):
        ctx.save_for_backward(x)
        total = x.data.sum(axis=axis, keepdims=True)
        ctx.kept_shape = total.shape
        return Tensor(total if keepdims else total.squeeze(axis))

    def backward(ctx, grad_z):
        (x,) = ctx.saved_tensors
        return grad_z.reshape(ctx.kept_shape) + x * 0, None, None


@wrong("4.3", says="though both have length 2")
def lines_sizes_up_on_the_left(grad, shape):
    if grad.shape[: len(shape)] == shape:
        return grad.sum(axis=tuple(range(len(shape), len(grad.shape)))).reshape(shape)
    new = len(grad.shape) - len(shape)
    stretched = [new + i for i, size in enumerate(shape) if size == 1]
    return grad.sum(axis=(*range(new), *stretched)).reshape(shape)


@wrong("4.3", says="it was computed from the array")
def sums_the_array(grad, shape):
    new = len(grad.shape) - len(shape)
    stretched = [new + i for i, size in enumerate(shape) if size == 1]
    return Tensor(grad.data.sum(axis=(*range(new), *stretched)).reshape(shape))


@wrong("4.4", "Mul.backward", says="no history that leads to x")
def multiplies_by_the_arrays(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z * y.data, x.shape), unbroadcast(grad_z * x.data, y.shape)


@wrong("4.6", says="no history that leads to x")
def transposes_the_arrays(ctx, grad_z):
    x, y = ctx.saved_tensors
    grad_x = grad_z @ Tensor(y.data.swapaxes(-1, -2))
    grad_y = Tensor(x.data.swapaxes(-1, -2)) @ grad_z
    return unbroadcast(grad_x, x.shape), unbroadcast(grad_y, y.shape)


@wrong("4.7", says="m was added again")
def adds_the_largest_again(x):
    m = Tensor(x.data.max(axis=-1, keepdims=True))
    return x - (m + (x - m).exp().sum(axis=-1, keepdims=True).log())


@wrong("4.8", says="no loss is rounded")
def rounds_the_losses(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
        losses.append(round(loss.item(), 4))
    return losses


@wrong("4.8", says="the Tensor holds on to its whole graph")
def keeps_all_graphs_until_the_end(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        losses.append(loss_of())
        losses[-1].backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return [loss.item() for loss in losses]


@wrong("4.1", says="print as np.int64(4)")
def a_shape_of_numpys_numbers(a, b):
    ndim = max(len(a), len(b))
    a2 = np.array((1,) * (ndim - len(a)) + tuple(a))
    b2 = np.array((1,) * (ndim - len(b)) + tuple(b))
    if ((a2 != b2) & (a2 != 1) & (b2 != 1)).any():
        raise RuntimeError(f"shapes {a} and {b} do not broadcast")
    return tuple(np.where(a2 == 1, b2, a2))


@wrong("4.1", says="python -O leaves it out: raise")
def asserts_that_they_fit(a, b):
    ndim = max(len(a), len(b))
    a2 = (1,) * (ndim - len(a)) + tuple(a)
    b2 = (1,) * (ndim - len(b)) + tuple(b)
    for m, n in zip(a2, b2, strict=True):
        assert m == n or 1 in (m, n), f"shapes {a} and {b} do not broadcast"
    return tuple(n if m == 1 else m for m, n in zip(a2, b2, strict=True))


@wrong("4.1", says="with ones in front of the shorter one")
def drops_ones_in_front(a, b):
    shapes = f"{a} and {b}"
    while a and a[0] == 1:
        a = a[1:]
    while b and b[0] == 1:
        b = b[1:]
    try:
        return np.broadcast_shapes(a, b)
    except ValueError:
        raise RuntimeError(f"shapes {shapes} do not broadcast") from None


@wrong("4.2", says="only the shape of x counts, not its numbers")
class SpreadsOverXToTheZero:
    def forward(ctx, x, axis, keepdims):
        ctx.save_for_backward(x)
        total = x.data.sum(axis=axis, keepdims=True)
        ctx.kept_shape = total.shape
        return Tensor(total if keepdims else total.squeeze(axis))

    def backward(ctx, grad_z):
        (x,) = ctx.saved_tensors
        return x**0 * grad_z.reshape(ctx.kept_shape), None, None


@wrong("4.2", says=", a second time")
class TakesTheShapeOffTheContext:
    def forward(ctx, x, axis, keepdims):
        total = x.data.sum(axis=axis, keepdims=True)
        ctx.notes = [x.shape, total.shape]
        return Tensor(total if keepdims else total.squeeze(axis))

    def backward(ctx, grad_z):
        kept_shape, shape = ctx.notes.pop(), ctx.notes.pop()
        return grad_z.reshape(kept_shape) * ones(shape), None, None


@wrong("4.3", says="also where nothing is summed")
def copies_with_deepcopy(grad, shape):
    import copy

    if grad.shape == tuple(shape):
        return copy.deepcopy(grad)
    new = len(grad.shape) - len(shape)
    stretched = [new + i for i, size in enumerate(shape) if size == 1]
    return grad.sum(axis=(*range(new), *stretched)).reshape(shape)


@wrong("4.4", "Add.backward", says="the result keeps the gradient that came")
def add_hands_on_what_came_to_x(ctx, grad_z):
    x_shape, y_shape = ctx.shapes
    grad_x = grad_z if grad_z.shape == x_shape else unbroadcast(grad_z, x_shape)
    return grad_x, unbroadcast(grad_z, y_shape)


@wrong("4.4", "Div.backward", says="it was summed before it was divided")
def div_sums_before_it_divides(ctx, grad_z):
    x, y = ctx.saved_tensors
    grad_x = unbroadcast(unbroadcast(grad_z, x.shape) / y, x.shape)
    return grad_x, unbroadcast(-grad_z * x / (y * y), y.shape)


@wrong("4.4", "Div.backward", says="expected")
def div_squares_in_float32(ctx, grad_z):
    x, y = ctx.saved_tensors
    square = Tensor((y * y).data.astype(np.float32))
    return unbroadcast(grad_z / y, x.shape), unbroadcast(-grad_z * x / square, y.shape)


@wrong("4.5", says="the 0 wasn't counted")
def counts_what_is_not_zero(self, axis=None, keepdims=False):
    n = np.count_nonzero(self.data, axis=axis, keepdims=keepdims)
    return self.sum(axis, keepdims) / n


@wrong("4.5", says="count by the shapes, not by the numbers in x")
def counts_by_dividing(self, axis=None, keepdims=False):
    return self.sum(axis, keepdims) / (self / self).sum(axis, keepdims)


@wrong("4.5", says="count by the shapes, not by the numbers in x")
def counts_by_zeros(self, axis=None, keepdims=False):
    return self.sum(axis, keepdims) / (self * 0 + 1).sum(axis, keepdims)


@wrong("4.5", says="5 ones went into each of these, and it was divided by 3")
def takes_the_absolute_axis(self, axis=None, keepdims=False):
    axes = range(len(self.shape)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    n = 1
    for a in axes:
        n = n * self.shape[abs(a)]
    return self.sum(axis, keepdims) / n


@wrong("4.5", says="a plain 1 / 3 isn't")
def scales_by_a_tensor(self, axis=None, keepdims=False):
    total = self.sum(axis, keepdims)
    return total * Tensor(total.data.size / self.data.size)


@wrong("4.5", says="an empty tuple names no axis")
def an_empty_tuple_taken_for_none_in_mean(self, axis=None, keepdims=False):
    total = self.sum(axis or None if axis != 0 else 0, keepdims)
    return total * (total.data.size / self.data.size)


@wrong("4.6", says="batch axes meet from the right")
def lines_batch_axes_up_on_the_left(ctx, grad_z):
    x, y = ctx.saved_tensors

    def fit(g, shape):
        batch = range(len(g.shape) - 2)
        axes = tuple(i for i in batch if i >= len(shape) - 2 or shape[i] == 1)
        return g.sum(axis=axes).reshape(shape)

    return fit(grad_z @ y.mT, x.shape), fit(x.mT @ grad_z, y.shape)


@wrong("4.6", says="that met 0 is summed, too")
def sums_what_has_become_longer(ctx, grad_z):
    x, y = ctx.saved_tensors

    def fit(g, shape):
        while len(g.shape) > len(shape):
            g = g.sum(axis=0)
        for i, n in enumerate(shape):
            g = g.sum(axis=i, keepdims=True) if g.shape[i] > n else g
        return g

    return fit(grad_z @ y.mT, x.shape), fit(x.mT @ grad_z, y.shape)


@wrong("4.7", says="subtract the largest score of each row, of any size")
def shifts_only_what_is_large(x):
    m = x.data.max(axis=-1, keepdims=True)
    if np.abs(m).max(initial=0) < 80:
        return x - x.exp().sum(axis=-1, keepdims=True).log()
    shifted = x - Tensor(m)
    return shifted - shifted.exp().sum(axis=-1, keepdims=True).log()


@wrong("4.8", says="each was noted after the step, when w had moved")
def notes_the_loss_when_all_have_moved(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
        losses.append(loss.item())
    return losses


@wrong("4.8", says="arithmetic makes plain numbers of arrays of shape ()")
def makes_numbers_of_arrays(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = p.data - lr * p.grad.data
    return losses


@wrong("4.8", says="lr is a plain number, use it as it is")
def makes_a_tensor_of_lr(loss_of, parameters, lr, steps):
    lr, losses = Tensor(lr), []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="p.grad stays as it came")
def scales_the_gradient_in_place(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.grad.data *= lr
                p.data = (p - p.grad).data
    return losses


@wrong("4.8", says="forget at the start of a step, not at its end")
def forgets_twice(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
        zero_grad(parameters)
    return losses


@wrong("4.8", says="its array is the one that it had before")
def keeps_the_array_where_nothing_moves(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        loss.backward()
        for p in parameters:
            if p.grad is not None and (lr * p.grad.data).any():
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.1", says="broadcast_shape((2, 1, 1, 3), (1, 4, 5, 1))")
def knows_three_axes(a, b):
    ndim = max(len(a), len(b))
    a2 = (1,) * (ndim - len(a)) + tuple(a)
    b2 = (1,) * (ndim - len(b)) + tuple(b)
    for m, n in zip(a2, b2, strict=True):
        if m != n and 1 not in (m, n):
            raise RuntimeError(f"shapes {a} and {b} do not broadcast")
    sizes = [m * n if 1 in (m, n) else m for m, n in zip(a2, b2, strict=True)]
    return tuple(sizes[-3:])


@wrong("4.2", "Sum.backward", says="history")
def adds_zero_times_what_came(ctx, grad_z):
    g = grad_z.reshape(ctx.kept_shape)
    return Tensor(np.broadcast_to(g.data, ctx.shape)) + g * 0, None, None


@wrong("4.3", says="history")
def pastes_a_history_on(grad, shape):
    new = len(grad.shape) - len(shape)
    stretched = [new + i for i, size in enumerate(shape) if size == 1]
    out = Tensor(grad.data.sum(axis=(*range(new), *stretched)).reshape(shape))
    out.grad_fn = (grad * 1).grad_fn
    return out


@wrong("4.4", "Div.backward", says="history")
def div_squares_the_array(ctx, grad_z):
    x, y = ctx.saved_tensors
    square = Tensor(y.data * y.data)
    return unbroadcast(grad_z / y, x.shape), unbroadcast(-grad_z * x / square, y.shape)


@wrong("4.4", "Div.backward", says="history")
def div_by_the_array(ctx, grad_z):
    x, y = ctx.saved_tensors
    grad_x = grad_z / Tensor(y.data)
    return unbroadcast(grad_x, x.shape), unbroadcast(-grad_z * x / (y * y), y.shape)


@wrong("4.4", "Div.backward", says="history")
def div_cuts_half_a_history(ctx, grad_z):
    x, y = ctx.saved_tensors
    r = 1 / y
    return unbroadcast(grad_z * r, x.shape), unbroadcast(-grad_z * x * r * Tensor(r.data), y.shape)


@wrong("4.5", says="each of n elements moves the mean by 1/n, whatever it is")
def leaves_nan_uncounted(self, axis=None, keepdims=False):
    n = (~np.isnan(self.data)).sum(axis=axis, keepdims=keepdims)
    return self.sum(axis, keepdims) / Tensor(n.astype(self.dtype))


@wrong("4.8", says="a loss of 0 is a loss like any other")
def stops_at_a_loss_of_zero(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        if losses[-1] == 0:
            break
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.4", "Add.backward", says="a second time")
def add_uses_up_its_shapes(ctx, grad_z):
    x_shape, y_shape = ctx.shapes
    del ctx.shapes
    return unbroadcast(grad_z, x_shape), unbroadcast(grad_z, y_shape)


@wrong("4.4", "Mul.backward", says="a gradient for both")
def all_of_the_square_to_its_first_use(ctx, grad_z):
    x, y = ctx.saved_tensors
    if x is y:
        return unbroadcast(2 * grad_z * x, x.shape), None
    return unbroadcast(grad_z * y, x.shape), unbroadcast(grad_z * x, y.shape)


@wrong("4.4", "Div.backward", says="it was summed before it was divided")
def sums_what_it_divides(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z, x.shape) / y, unbroadcast(-grad_z * x / (y * y), y.shape)


@wrong("4.8", says="let go of it, as zero_grad does")
def wipes_the_gradients_from_before(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        for p in parameters:
            if p.grad is not None:
                p.grad.data[...] = 0
                p.grad = None
        loss = loss_of()
        losses.append(loss.item())
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.2", "Sum.backward", says="the axes were put back, but it was not copied")
def puts_the_axes_back_and_copies_nothing(ctx, grad_z):
    return grad_z.reshape(ctx.kept_shape), None, None


@wrong("4.7", says="each m is a plain number, so take it from x.data")
def asks_a_tensor_for_its_maximum(x):
    shifted = x - x.max(axis=-1, keepdims=True)
    return shifted - shifted.exp().sum(axis=-1, keepdims=True).log()


@wrong("4.7", says="NumPy's functions take arrays")
def np_max_of_a_tensor(x):
    y = x - np.max(x, axis=-1, keepdims=True)
    return y - y.exp().sum(axis=-1, keepdims=True).log()


@wrong("4.7", says="Python's max and sum can't loop over a Tensor")
def max_of_a_tensor(x):
    y = x - max(x)
    return y - y.exp().sum(axis=-1, keepdims=True).log()


@wrong("4.7", says="NumPy's functions take arrays")
def np_log_of_a_tensor(x):
    y = x - Tensor(x.data.max(axis=-1, keepdims=True))
    return y - np.log(y.exp().sum(axis=-1, keepdims=True))


@wrong("4.7", says="np.sum takes arrays")
def np_sum_of_a_tensor(x):
    y = x - Tensor(x.data.max(axis=-1, keepdims=True))
    return y - np.sum(y.exp(), axis=-1, keepdims=True).log()


@wrong("4.7", says="dim is PyTorch's word")
def sums_over_dim(x):
    y = x - Tensor(x.data.max(axis=-1, keepdims=True))
    return y - y.exp().sum(dim=-1, keepdim=True).log()


@wrong("4.7", says="a Tensor has no such method")
def asks_for_logsumexp(x):
    y = x - Tensor(x.data.max(axis=-1, keepdims=True))
    return y - y.logsumexp(axis=-1)


@wrong("4.7", says="only the ms are")
def goes_on_with_the_array(x):
    y = x.data - x.data.max(axis=-1, keepdims=True)
    return y - y.exp().sum(axis=-1, keepdims=True).log()


@wrong("4.7", says="the result is an array, without a history")
def log_softmax_in_numpy(x):
    y = x.data - x.data.max(axis=-1, keepdims=True)
    return y - np.log(np.exp(y).sum(axis=-1, keepdims=True))


@wrong("4.4", "Add.backward", says="it keeps both shapes as ctx.shapes")
def add_unpacks_saved_tensors(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z, x.shape), unbroadcast(grad_z, y.shape)


@wrong("4.4", "Add.backward", says="ctx.shapes holds the shapes themselves")
def add_asks_a_shape_for_its_shape(ctx, grad_z):
    x, y = ctx.shapes
    return unbroadcast(grad_z, x.shape), unbroadcast(grad_z, y.shape)


@wrong("4.4", "Add.backward", says="forward keeps both shapes as ctx.shapes")
def add_looks_for_ctx_x(ctx, grad_z):
    return unbroadcast(grad_z, ctx.x.shape), unbroadcast(grad_z, ctx.y.shape)


@wrong("4.4", "Add.backward", says="backward knows ctx and grad_z")
def add_knows_an_x(ctx, grad_z):
    return unbroadcast(grad_z, x.shape), unbroadcast(grad_z, y.shape)


@wrong("4.4", "Add.backward", says="ctx.shapes holds two shapes")
def add_goes_to_both_shapes_at_once(ctx, grad_z):
    return unbroadcast(grad_z, ctx.shapes)


@wrong("4.4", "Add.backward", says="unbroadcast wants the gradient first")
def add_gives_the_shape_first(ctx, grad_z):
    x_shape, y_shape = ctx.shapes
    return unbroadcast(x_shape, grad_z), unbroadcast(y_shape, grad_z)


@wrong("4.4", "Mul.backward", says="forward saves x and y, and each of them knows its shape")
def mul_looks_for_ctx_shapes(ctx, grad_z):
    x, y = ctx.saved_tensors
    x_shape, y_shape = ctx.shapes
    return unbroadcast(grad_z * y, x_shape), unbroadcast(grad_z * x, y_shape)


@wrong("4.4", "Div.backward", says="forward saves x and y, and each of them knows its shape")
def div_looks_for_ctx_shapes(ctx, grad_z):
    x, y = ctx.saved_tensors
    x_shape, y_shape = ctx.shapes
    return unbroadcast(grad_z / y, x_shape), unbroadcast(-grad_z * x / (y * y), y_shape)


@wrong("4.4", "Mul.backward", says="unbroadcast wants a shape")
def mul_gives_a_tensor_for_a_shape(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z * y, x), unbroadcast(grad_z * x, y)


@wrong("4.4", "Mul.backward", says="unbroadcast is a function")
def mul_takes_unbroadcast_for_a_method(ctx, grad_z):
    x, y = ctx.saved_tensors
    return (grad_z * y).unbroadcast(x.shape), (grad_z * x).unbroadcast(y.shape)


@wrong("4.6", says="multiply first, and unbroadcast the product")
def matmul_unbroadcasts_first(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z, x.shape) @ y.mT, x.mT @ unbroadcast(grad_z, y.shape)


@wrong("4.6", says="multiply first, and unbroadcast the product")
def matmul_unbroadcasts_first_for_y(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z @ y.mT, x.shape), x.mT @ unbroadcast(grad_z, y.shape)


@wrong("4.6", says="it's the product that is unbroadcast")
def matmul_unbroadcasts_a_factor(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z @ unbroadcast(y.mT, x.shape), unbroadcast(x.mT, y.shape) @ grad_z


@wrong("4.6", says="each product goes to the shape of its own input")
def matmul_goes_to_the_other_shape(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z @ y.mT, y.shape), unbroadcast(x.mT @ grad_z, x.shape)


@wrong("4.6", says="without brackets")
def matmul_calls_mT(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z @ y.mT(), x.shape), unbroadcast(x.mT() @ grad_z, y.shape)


@wrong("4.6", says="* goes number by number")
def matmul_by_stars(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z * y.mT, x.shape), unbroadcast(x.mT * grad_z, y.shape)


@wrong("4.5", says="its history is lost")
def mean_of_the_array_of_a_sum(self, axis=None, keepdims=False):
    total = self.sum(axis, keepdims)
    return Tensor(total.data / (self.data.size / total.data.size))


@wrong("4.5", says="gave an array, expected a Tensor: an array has no history")
def mean_of_the_array(self, axis=None, keepdims=False):
    return self.data.mean(axis=axis, keepdims=keepdims)


@wrong("4.5", says="its history is lost")
def mean_in_a_tensor_of_its_own(self, axis=None, keepdims=False):
    total = self.sum(axis, keepdims)
    return Tensor(total * (total.data.size / self.data.size))


@wrong("4.5", says="self.data.size")
def asks_a_tensor_for_its_size(self, axis=None, keepdims=False):
    total = self.sum(axis, keepdims)
    return total * (total.size / self.size)


@wrong("4.5", says="self.data.size")
def asks_a_tensor_for_its_length(self, axis=None, keepdims=False):
    return self.sum(axis, keepdims) / len(self)


@wrong("4.5", says="there's no Mean")
def applies_a_mean(self, axis=None, keepdims=False):
    return Mean.apply(self, axis, keepdims)


@wrong("4.5", says="it's a sum, scaled")
def mean_asks_itself(self, axis=None, keepdims=False):
    return self.mean(axis, keepdims)


@wrong("4.5", says="axis is None where all of it is meant")
def loops_over_an_axis_of_none(self, axis=None, keepdims=False):
    n = 1
    for a in axis:
        n *= self.shape[a]
    return self.sum(axis, keepdims) / n


@wrong("4.3", says="np.sum takes arrays")
def unbroadcast_by_np_sum(grad, shape):
    new = len(grad.shape) - len(shape)
    stretched = [new + i for i, size in enumerate(shape) if size == 1]
    return np.sum(grad, axis=(*range(new), *stretched)).reshape(shape)


@wrong("4.3", says="several axes are a tuple")
def sums_over_a_list_of_axes(grad, shape):
    new = len(grad.shape) - len(shape)
    stretched = [new + i for i, size in enumerate(shape) if size == 1]
    return grad.sum(axis=[*range(new), *stretched]).reshape(shape)


@wrong("4.3", says="dim is PyTorch's word")
def unbroadcast_over_dim(grad, shape):
    while len(grad.shape) > len(shape):
        grad = grad.sum(dim=0)
    for i, n in enumerate(shape):
        if n == 1:
            grad = grad.sum(dim=i, keepdim=True)
    return grad


@wrong("4.2", "Sum.forward", says="sum the array, x.data")
def sum_asks_itself(ctx, x, axis, keepdims):
    ctx.shape, ctx.kept_shape = x.shape, x.data.sum(axis=axis, keepdims=True).shape
    return x.sum(axis=axis, keepdims=keepdims)


@wrong("4.2", "Sum.backward", says="gradients are Tensors")
def broadcasts_a_tensor_with_numpy(ctx, grad_z):
    return np.broadcast_to(grad_z.reshape(ctx.kept_shape), ctx.shape), None, None


@wrong("4.2", "Sum.backward", says="a Tensor has no such method")
def expands_the_gradient(ctx, grad_z):
    return grad_z.expand(ctx.shape), None, None


@wrong("4.2", says="backward finds on ctx what forward put there")
class PutsNothingOnTheContext:
    def forward(ctx, x, axis, keepdims):
        return Tensor(x.data.sum(axis=axis, keepdims=keepdims))

    def backward(ctx, grad_z):
        return grad_z.reshape(ctx.kept_shape) * ones(ctx.shape), None, None


@wrong("4.8", says="float() takes shape () alone")
def takes_float_of_the_array(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(float(loss.data))
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="loss.item() makes a number of a Tensor")
def takes_float_of_the_loss(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(float(loss))
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="loss.item() is its number")
def looks_into_a_loss(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.data[0])
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="zero_grad is a function of its own")
def takes_zero_grad_for_a_method(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        for p in parameters:
            p.zero_grad()
        loss = loss_of()
        losses.append(loss.item())
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="zero_grad takes a list of Tensors")
def forgets_one_gradient_at_a_time(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        loss = loss_of()
        losses.append(loss.item())
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
            zero_grad(p)
    return losses


@wrong("4.8", says="zero_grad(parameters) forgets the gradients of them all")
def zeroes_each_gradient(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        loss = loss_of()
        losses.append(loss.item())
        loss.backward()
        for p in parameters:
            p.data = (p - lr * p.grad).data
            p.grad.zero_()
    return losses


@wrong("4.8", says="p.grad is None until backward() has sent one")
def zeroes_gradients_that_are_none(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        for p in parameters:
            p.grad.data[...] = 0
        loss = loss_of()
        losses.append(loss.item())
        loss.backward()
        for p in parameters:
            p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="loss_of takes nothing")
def hands_over_the_parameters(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of(parameters)
        losses.append(loss.item())
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="loss.backward() wasn't called")
def never_sends_gradients(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        for p in parameters:
            p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="backward() returns nothing")
def keeps_what_backward_returns(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of().backward()
        losses.append(loss.item())
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="w.data is a Tensor, expected an array")
def wraps_the_new_numbers(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = Tensor(p.data - lr * p.grad.data)
    return losses


@wrong("4.1", says="the caller would go on with it")
def prints_that_they_do_not_fit(a, b):
    ndim = max(len(a), len(b))
    padded_a = (1,) * (ndim - len(a)) + tuple(a)
    padded_b = (1,) * (ndim - len(b)) + tuple(b)
    for m, n in zip(padded_a, padded_b, strict=True):
        if m != n and 1 not in (m, n):
            print(f"shapes {a} and {b} do not fit")
            return None
    return tuple(n if m == 1 else m for m, n in zip(padded_a, padded_b, strict=True))


@wrong("4.2", "Sum.backward", says="it spread as a column")
def puts_the_axis_back_at_the_end(ctx, grad_z):
    if grad_z.shape != ctx.kept_shape:
        grad_z = grad_z.reshape(*grad_z.shape, 1)
    return grad_z * ones(ctx.shape), None, None


@wrong("4.2", "Sum.backward", says="put back no more than one")
def makes_a_column_of_every_gradient(ctx, grad_z):
    return grad_z.reshape(-1, 1) * ones(ctx.shape), None, None


@wrong("4.2", says="(2, 2) -> (2, 1, 2)")
class MakesAColumnForAxisOne:
    def forward(ctx, x, axis, keepdims):
        ctx.shape, ctx.axis = x.shape, axis
        return Tensor(x.data.sum(axis=axis, keepdims=keepdims))

    def backward(ctx, grad_z):
        if ctx.axis == 1:
            grad_z = grad_z.reshape(-1, 1)
        return grad_z * ones(ctx.shape), None, None


@wrong("4.2", says="so it's axis 2 here")
class InsertsTheAxisAtMinusOne:
    def forward(ctx, x, axis, keepdims):
        ctx.shape, ctx.axis, ctx.keepdims = x.shape, axis, keepdims
        return Tensor(x.data.sum(axis=axis, keepdims=keepdims))

    def backward(ctx, grad_z):
        shape = list(grad_z.shape)
        if not ctx.keepdims and ctx.axis is not None:
            for axis in (ctx.axis,) if isinstance(ctx.axis, int) else ctx.axis:
                shape.insert(axis, 1)
        return grad_z.reshape(shape) * ones(ctx.shape), None, None


@wrong("4.2", "Sum.backward", says="reshape makes no copies")
def reshapes_to_the_shape_of_x(ctx, grad_z):
    return grad_z.reshape(ctx.shape), None, None


@wrong("4.2", "Sum.forward", says="np.sum takes arrays")
def np_sum_of_x_itself(ctx, x, axis, keepdims):
    ctx.shape, ctx.kept_shape = x.shape, x.data.sum(axis=axis, keepdims=True).shape
    return Tensor(np.sum(x, axis=axis, keepdims=keepdims))


@wrong("4.4", "Div.backward", says="it was summed before it was multiplied")
def div_sums_before_both(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z, x.shape) / y, -unbroadcast(grad_z, y.shape) * x / (y * y)


@wrong("4.4", "Div.backward", says="it was summed before it was multiplied")
def div_sums_y_before_it_multiplies(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z / y, x.shape), -unbroadcast(grad_z, y.shape) * x / (y * y)


@wrong("4.4", "Mul.backward", says="unbroadcast was given a factor")
def mul_unbroadcasts_a_factor(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z * unbroadcast(y, x.shape), grad_z * unbroadcast(x, y.shape)


@wrong("4.4", "Div.backward", says="unbroadcast was given a factor")
def div_unbroadcasts_a_factor(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z / unbroadcast(y, x.shape), unbroadcast(-grad_z * x / (y * y), y.shape)


@wrong("4.5", says="it was divided by 5, which is 2 + 3")
def adds_the_sizes_of_a_tuple(self, axis=None, keepdims=False):
    axes = axis if isinstance(axis, tuple) else (axis,)
    n = self.data.size if axis is None else sum(self.shape[a] for a in axes)
    return self.sum(axis, keepdims) / n


@wrong("4.6", says="nothing was shared, so nothing is summed")
def sums_all_batch_axes_for_y(ctx, grad_z):
    x, y = ctx.saved_tensors
    grad_y = x.mT @ grad_z
    return unbroadcast(grad_z @ y.mT, x.shape), grad_y.sum(tuple(range(len(grad_y.shape) - 2)))


@wrong("4.6", says="nothing was shared, so nothing is summed")
def sums_all_batch_axes_before_it_multiplies(ctx, grad_z):
    x, y = ctx.saved_tensors
    axes = tuple(range(len(grad_z.shape) - 2))
    x_sum = x.sum(tuple(range(len(x.shape) - 2)))
    return unbroadcast(grad_z @ y.mT, x.shape), x_sum.mT @ grad_z.sum(axes)


@wrong("4.7", says="the log of a negative number was taken")
def forgets_exp(x):
    y = x - Tensor(x.data.max(axis=-1, keepdims=True))
    return y - y.sum(axis=-1, keepdims=True).log()


@wrong("4.7", says="exp is missing")
def forgets_exp_and_shifts_nothing(x):
    return x - x.sum(axis=-1, keepdims=True).log()


@wrong("4.7", says="the sum itself was subtracted")
def forgets_log(x):
    y = x - Tensor(x.data.max(axis=-1, keepdims=True))
    return y - y.exp().sum(axis=-1, keepdims=True)


@wrong("4.7", says="that's with the mean of the exponentials")
def takes_the_mean_of_the_exponentials(x):
    y = x - Tensor(x.data.max(axis=-1, keepdims=True))
    return y - y.exp().mean(axis=-1, keepdims=True).log()


@wrong("4.7", says="it was divided by the log of the sum")
def divides_by_the_logarithm(x):
    y = x - Tensor(x.data.max(axis=-1, keepdims=True))
    return y / y.exp().sum(axis=-1, keepdims=True).log()


@wrong("4.7", says="every exp was rounded to 0")
def subtracts_a_thousand(x):
    y = x - 1000
    return y - y.exp().sum(axis=-1, keepdims=True).log()


@wrong("4.7", says="exp(1000) is inf: subtract the largest score")
def subtracts_the_smallest(x):
    y = x - Tensor(x.data.min(axis=-1, keepdims=True))
    return y - y.exp().sum(axis=-1, keepdims=True).log()


@wrong("4.7", says="subtract the largest score even if it's negative")
def subtracts_the_largest_size(x):
    y = x - Tensor(np.abs(x.data).max(axis=-1, keepdims=True))
    return y - y.exp().sum(axis=-1, keepdims=True).log()


@wrong("4.7", says="keepdims=True leaves one, however many axes x has")
def adds_the_axis_by_hand(x):
    y = x - Tensor(x.data.max(axis=-1)[:, None])
    return y - y.exp().sum(axis=-1, keepdims=True).log()


@wrong("4.7", says="the last one is -1")
def takes_axis_one(x):
    y = x - Tensor(x.data.max(axis=1, keepdims=True))
    return y - y.exp().sum(axis=1, keepdims=True).log()


@wrong("4.7", says="Python's max compares whole rows")
def python_max_of_the_array(x):
    y = x - max(x.data)
    return y - y.exp().sum(axis=-1, keepdims=True).log()


@wrong("4.7", says="keepdims=True in both")
def forgets_keepdims_in_both(x):
    y = x - Tensor(x.data.max(axis=-1))
    return y - y.exp().sum(axis=-1).log()


@wrong("4.8", says="each moved on a loss of its own")
def sends_a_new_loss_back_for_each_parameter(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        for p in parameters:
            loss = loss_of()
            loss.backward()
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
        losses.append(loss.item())
    return losses


@wrong("4.8", says="however many parameters there are")
def shares_lr_out(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr / len(parameters) * p.grad).data
    return losses


@wrong("4.1", says="`is` asks for one and the same object")
def compares_sizes_by_is(a, b):
    ndim = max(len(a), len(b))
    padded_a = (1,) * (ndim - len(a)) + tuple(a)
    padded_b = (1,) * (ndim - len(b)) + tuple(b)
    for m, n in zip(padded_a, padded_b, strict=True):
        if m is not n and 1 not in (m, n):
            raise RuntimeError(f"shapes {tuple(a)} and {tuple(b)} do not broadcast")
    return tuple(n if m == 1 else m for m, n in zip(padded_a, padded_b, strict=True))


@wrong("4.2", says="all that it needs to know of x is its shape")
class KeepsTheArray:
    def forward(ctx, x, axis, keepdims):
        total = x.data.sum(axis=axis, keepdims=True)
        ctx.array, ctx.kept_shape = x.data, total.shape
        return Tensor(total if keepdims else total.squeeze(axis))

    def backward(ctx, grad_z):
        return grad_z.reshape(ctx.kept_shape) * ones(ctx.array.shape), None, None


@wrong("4.3", says="unbroadcast(grad of shape (2, 1, 2, 2, 3)")
def sums_two_new_axes_at_most(grad, shape):
    new = len(grad.shape) - len(shape)
    if new >= 1:
        grad = grad.sum(axis=0)
    if new >= 2:
        grad = grad.sum(axis=0)
    if new >= 3 and not shape:
        return grad.sum()
    stretched = [i for i, size in enumerate(shape) if size == 1]
    return grad.sum(axis=tuple(stretched)).reshape(shape)


@wrong("4.4", "Div.backward", says="that's the shape of x")
def goes_to_the_shape_of_the_other(ctx, grad_z):
    x, y = ctx.saved_tensors
    grad_x, grad_y = grad_z / y, -grad_z * x / (y * y)
    return unbroadcast(grad_x, y.shape), unbroadcast(grad_y, x.shape)


@wrong("4.8", says="forget them first")
def forgets_after_the_loss(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        loss = loss_of()
        zero_grad(parameters)
        losses.append(loss.item())
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="a step for each, whatever the loss is")
def stops_at_what_is_not_finite(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        if not np.isfinite(losses[-1]):
            break
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="backward() begins in the dtype of the loss")
def begins_in_float32(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        loss.backward(ones(loss.shape))
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="p.grad stays as the step sent it")
def wraps_the_gradients(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.grad = Tensor(p.grad.data)
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.1", says="a second time, gave (4, 3), expected RuntimeError")
def keeps_the_answer_before_it_compares(a, b):
    broadcast_shape.known = known = getattr(broadcast_shape, "known", {})
    if (a, b) not in known:
        ndim = max(len(a), len(b))
        padded_a = (1,) * (ndim - len(a)) + tuple(a)
        padded_b = (1,) * (ndim - len(b)) + tuple(b)
        known[a, b] = tuple(n if m == 1 else m for m, n in zip(padded_a, padded_b, strict=True))
        for m, n in zip(padded_a, padded_b, strict=True):
            if m != n and 1 not in (m, n):
                raise RuntimeError(f"shapes {tuple(a)} and {tuple(b)} do not broadcast")
    return known[a, b]


@wrong("4.2", says="expected an error: x has the axes 0 and 1, or -2 and -1")
class WrapsAxesAround:
    def forward(ctx, x, axis, keepdims):
        ndim = len(x.shape)
        axes = range(ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        axes = tuple({a % max(ndim, 1) for a in axes})
        total = x.data.sum(axis=axes, keepdims=True)
        ctx.shape, ctx.kept_shape = x.shape, total.shape
        return Tensor(total if keepdims else total.squeeze(axes))


@wrong("4.2", "Sum.backward", says="is made by Spread; its backward")
def spreads_by_a_function_that_does_not_sum(ctx, grad_z):
    class Spread(Function):
        @staticmethod
        def forward(ctx, x, shape):
            ctx.shape = x.shape
            return Tensor(np.broadcast_to(x.data, shape).copy())

        @staticmethod
        def backward(ctx, grad_z):
            return Tensor(np.ones(ctx.shape, grad_z.dtype)) * 1, None

    return Spread.apply(grad_z.reshape(ctx.kept_shape), ctx.shape), None, None


@wrong("4.2", "Sum.backward", says="gave grad_z's own array")
def hands_on_what_came_where_nothing_was_summed(ctx, grad_z):
    if ctx.shape == ctx.kept_shape == grad_z.shape:
        return grad_z, None, None
    return grad_z.reshape(ctx.kept_shape) * ones(ctx.shape), None, None


@wrong("4.2", "Sum.forward", says="the sum of no numbers is 0")
def multiplies_the_mean(ctx, x, axis, keepdims):
    with np.errstate(all="ignore"):
        count = np.ones_like(x.data).sum(axis=axis, keepdims=True)
        total = x.data.mean(axis=axis, keepdims=True) * count
    ctx.shape, ctx.kept_shape = x.shape, total.shape
    return Tensor(total if keepdims else total.squeeze(axis))


@wrong("4.2", says="what forward had kept on ctx, or changed it")
class UsesItsShapesUp:
    def backward(ctx, grad_z):
        kept_shape = ctx.__dict__.pop("kept_shape")
        return grad_z.reshape(kept_shape) * ones(ctx.shape), None, None


@wrong("4.3", says="is made by SumTo; its backward")
def a_function_whose_backward_does_not_spread(grad, shape):
    class SumTo(Function):
        @staticmethod
        def forward(ctx, grad, shape):
            new = len(grad.shape) - len(shape)
            stretched = [new + i for i, size in enumerate(shape) if size == 1]
            return Tensor(grad.data.sum(axis=(*range(new), *stretched)).reshape(shape))

        @staticmethod
        def backward(ctx, grad_z):
            return grad_z * 1, None

    return SumTo.apply(grad, shape)


@wrong("4.3", says="after a sum, the axes behind it are counted anew")
def sums_new_axes_from_the_first_on(grad, shape):
    for i in range(len(grad.shape) - len(shape)):
        grad = grad.sum(axis=i)
    stretched = tuple(i for i, size in enumerate(shape) if size == 1)
    return grad.sum(axis=stretched, keepdims=True)


@wrong("4.3", says="-1 could be any size")
def folds_the_new_axes_into_one(grad, shape):
    new = len(grad.shape) - len(shape)
    stretched = tuple(new + i for i, size in enumerate(shape) if size == 1)
    return grad.sum(axis=stretched, keepdims=True).reshape(-1, *shape).sum(axis=0)


@wrong("4.3", says="grad is float64, and the result keeps its dtype")
def makes_zeros_of_nothing(grad, shape):
    if grad.data.size == 0:
        return zeros(shape)
    new = len(grad.shape) - len(shape)
    stretched = [new + i for i, size in enumerate(shape) if size == 1]
    return grad.sum(axis=(*range(new), *stretched)).reshape(shape)


@wrong("4.4", "Add.backward", says="begin with grad_z for each")
def add_goes_on_with_the_gradient_of_x(ctx, grad_z):
    x_shape, y_shape = ctx.shapes
    grad_x = unbroadcast(grad_z, x_shape)
    if len(x_shape) >= len(y_shape):
        return grad_x, unbroadcast(grad_x, y_shape)
    grad_y = unbroadcast(grad_z, y_shape)
    return unbroadcast(grad_y, x_shape), grad_y


@wrong("4.4", "Mul.backward", says="what forward had kept on ctx, or changed it")
def mul_lets_go_of_what_was_saved(ctx, grad_z):
    x, y = ctx.saved_tensors
    ctx.save_for_backward()
    return unbroadcast(grad_z * y, x.shape), unbroadcast(grad_z * x, y.shape)


@wrong("4.4", "Mul.backward", says="twice as much: in a * a each place gets grad_z * a")
def mul_doubles_both_of_a_square(ctx, grad_z):
    x, y = ctx.saved_tensors
    if x is y:
        return grad_z * x * 2, grad_z * x * 2
    return unbroadcast(grad_z * y, x.shape), unbroadcast(grad_z * x, y.shape)


@wrong("4.4", "Add.backward", says="is None, expected a Tensor: a backward sent None")
def add_sends_nothing_where_nothing_is(ctx, grad_z):
    x_shape, y_shape = ctx.shapes
    if grad_z.data.size == 0:
        return None, None
    return unbroadcast(grad_z, x_shape), unbroadcast(grad_z, y_shape)


@wrong("4.5", says="expected an error: x has the axes 0 and 1, or -2 and -1")
def wraps_an_axis_around(self, axis=None, keepdims=False):
    ndim = len(self.shape)
    if axis is not None and ndim:
        axis = tuple(a % ndim for a in axis) if isinstance(axis, tuple) else axis % ndim
    total = self.sum(axis, keepdims)
    return total * (total.data.size / self.data.size)


@wrong("4.5", says="9 went into each of these, and it was divided by 3")
def counts_equal_sizes_once(self, axis=None, keepdims=False):
    axes = range(len(self.shape)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    count = 1
    for size in {self.shape[a] for a in axes}:
        count *= size
    return self.sum(axis, keepdims) / count


@wrong("4.5", says="gave x's own array")
def means_of_no_axis_are_x(self, axis=None, keepdims=False):
    if axis == ():
        return self
    total = self.sum(axis, keepdims)
    return total * (total.data.size / self.data.size)


@wrong("4.5", says="the result has no history")
def keeps_no_notes_of_one_element(self, axis=None, keepdims=False):
    total = self.sum(axis, keepdims)
    if self.data.size == 1:
        return Tensor(total)
    return total * (total.data.size / self.data.size)


@wrong("4.5", says="no history that leads to grad_z")
def a_mean_whose_gradient_is_an_array(self, axis=None, keepdims=False):
    class Mean(Function):
        @staticmethod
        def forward(ctx, x, axis, keepdims):
            total = x.data.mean(axis=axis, keepdims=True)
            ctx.shape, ctx.kept_shape = x.shape, total.shape
            return Tensor(total if keepdims else total.squeeze(axis))

        @staticmethod
        def backward(ctx, grad_z):
            count = np.prod(ctx.shape) / np.prod(ctx.kept_shape)
            grad = grad_z.data.reshape(ctx.kept_shape) / np.full(ctx.shape, count)
            return Tensor(grad.astype(grad_z.dtype)), None, None

    return Mean.apply(self, axis, keepdims)


@wrong("4.6", says="shapes (1, 1, 2, 3) and (2, 4, 3, 2)")
def sums_one_stretched_axis(ctx, grad_z):
    def fit(grad, shape):
        while len(grad.shape) > len(shape):
            grad = grad.sum(axis=0)
        for i, size in enumerate(shape):
            if size == 1 and grad.shape[i] != 1:
                return grad.sum(axis=i, keepdims=True)
        return grad

    x, y = ctx.saved_tensors
    return fit(grad_z @ y.mT, x.shape), fit(x.mT @ grad_z, y.shape)


@wrong("4.6", says="no history that leads to x")
def detaches_the_factors_of_equal_batches(ctx, grad_z):
    x, y = ctx.saved_tensors
    if len(x.shape) > 2 and x.shape[:-2] == y.shape[:-2]:
        return grad_z @ Tensor(y.data).mT, Tensor(x.data).mT @ grad_z
    return unbroadcast(grad_z @ y.mT, x.shape), unbroadcast(x.mT @ grad_z, y.shape)


@wrong("4.6", says="those of the batch too: only the last two swap")
def turns_the_shape_round(ctx, grad_z):
    x, y = ctx.saved_tensors
    grad_x = unbroadcast(y @ grad_z.mT, x.shape[::-1]).mT
    return grad_x, unbroadcast(x.mT @ grad_z, y.shape)


@wrong("4.7", says="it was cut off")
def cuts_off_what_is_small(x):
    shifted = x - Tensor(x.data.max(axis=-1, keepdims=True))
    log_p = shifted - shifted.exp().sum(axis=-1, keepdims=True).log()
    return log_p + Tensor(np.maximum(log_p.data, -1e4) - log_p.data)


@wrong("4.7", says="no score is added to another")
def averages_the_largest(x):
    is_top = Tensor(x.data == x.data.max(axis=-1, keepdims=True))
    largest = (x * is_top).sum(axis=-1, keepdims=True) / is_top.sum(axis=-1, keepdims=True)
    shifted = x - largest
    return shifted - shifted.exp().sum(axis=-1, keepdims=True).log()


@wrong("4.7", says="no history that leads to x")
def log_softmax_with_arrays_in_its_backward(x):
    class LogSoftmax(Function):
        @staticmethod
        def forward(ctx, x):
            shifted = x.data - x.data.max(axis=-1, keepdims=True)
            log_p = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
            ctx.save_for_backward(Tensor(log_p))
            return Tensor(log_p)

        @staticmethod
        def backward(ctx, grad_z):
            (log_p,) = ctx.saved_tensors
            total = grad_z.data.sum(axis=-1, keepdims=True)
            return Tensor(grad_z.data - np.exp(log_p.data) * total)

    return LogSoftmax.apply(x)


@wrong("4.7", says="when KeyboardInterrupt cuts it short")
def shifts_x_for_a_moment(x):
    scores = x.data
    x.data = scores - scores.max(axis=-1, keepdims=True)
    log_p = x - x.exp().sum(axis=-1, keepdims=True).log()
    x.data = scores
    return log_p


@wrong("4.8", says="each step asks anew which parameters received")
def finds_out_once_who_moves(loss_of, parameters, lr, steps):
    losses, moving = [], None
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        loss.backward()
        moving = moving or [p for p in parameters if p.grad is not None]
        for p in moving:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="p and its gradient have one dtype, and p keeps it")
def moves_one_long_array(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        loss.backward()
        moving = [p for p in parameters if p.grad is not None]
        if moving:
            flat = np.concatenate([p.data.ravel() for p in moving])
            flat = flat - lr * np.concatenate([p.grad.data.ravel() for p in moving])
        for p in moving:
            p.data, flat = flat[: p.data.size].reshape(p.shape), flat[p.data.size :]
    return losses


@wrong("4.8", says="they went through float32")
def notes_losses_in_float32(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(float(np.float32(loss.item())))
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="a gradient that isn't finite was left out")
def leaves_out_what_is_not_finite(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        loss.backward()
        for p in parameters:
            if p.grad is not None and np.isfinite(p.grad.data).all():
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="train lets it out")
def ends_at_an_error(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        try:
            loss = loss_of()
        except Exception:
            break
        losses.append(loss.item())
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="train calls itself for each step, and each call has a loss of its own")
def calls_itself_for_each_step(loss_of, parameters, lr, steps):
    if steps == 0:
        return []
    zero_grad(parameters)
    loss = loss_of()
    number = loss.item()
    loss.backward()
    for p in parameters:
        if p.grad is not None:
            p.data = (p - lr * p.grad).data
    return [number, *train(loss_of, parameters, lr, steps - 1)]


@wrong("4.8", says="train calls itself for each step, and Python's stack has an end")
def calls_itself_and_keeps_no_loss(loss_of, parameters, lr, steps):
    if steps == 0:
        return []
    zero_grad(parameters)
    loss = loss_of()
    number = loss.item()
    loss.backward()
    del loss
    for p in parameters:
        if p.grad is not None:
            p.data = (p - lr * p.grad).data
    return [number, *train(loss_of, parameters, lr, steps - 1)]


@wrong("4.8", says="p.grad holds zeros, expected None")
def forgets_by_zeros(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        for p in parameters:
            p.grad = Tensor(np.zeros_like(p.data))
        loss = loss_of()
        losses.append(loss.item())
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="w is the loss, too")
def forgets_the_gradient_of_the_loss(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        loss.backward()
        loss.grad = None
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="loss.backward() needs none")
def begins_with_a_number(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        loss.backward(1.0)
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="loss.item() is the one number of any shape")
def notes_losses_by_tolist(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.data.tolist())
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="p - lr * p.grad has the dtype that p has")
def moves_in_float32(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = np.array(p.data - lr * p.grad.data, dtype=np.float32)
    return losses


@wrong("4.8", says="with lr=0 nothing moves")
def takes_zero_for_no_lr(loss_of, parameters, lr, steps):
    lr, losses = lr or 0.01, []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="lr keeps its minus")
def never_goes_uphill(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - abs(lr) * p.grad).data
    return losses


@wrong("4.2", says="what forward had kept on ctx, or changed it")
class PutsTheAxesBackOnceOnly:
    def forward(ctx, x, axis, keepdims):
        total = x.data.sum(axis=axis, keepdims=keepdims)
        axes = range(x.data.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        ctx.shape, ctx.kept_shape = x.shape, list(total.shape)
        ctx.axes = [] if keepdims else sorted(a % x.data.ndim for a in axes)
        return Tensor(total)

    def backward(ctx, grad_z):
        for axis in ctx.axes:
            ctx.kept_shape.insert(axis, 1)
        return grad_z.reshape(ctx.kept_shape) * ones(ctx.shape), None, None


@wrong("4.7", says="the shift is the largest score to its last digit")
def shifts_by_a_rounded_score(x):
    shifted = x - Tensor(x.data.max(axis=-1, keepdims=True).astype(np.float32))
    return shifted - shifted.exp().sum(axis=-1, keepdims=True).log()


@wrong("4.8", says="let it out, or it looks as if training had come to its end")
def ends_at_ctrl_c(loss_of, parameters, lr, steps):
    losses = []
    try:
        for _ in range(steps):
            zero_grad(parameters)
            loss = loss_of()
            losses.append(loss.item())
            loss.backward()
            for p in parameters:
                if p.grad is not None:
                    p.data = (p - lr * p.grad).data
    except KeyboardInterrupt:
        pass
    return losses


@wrong("4.7", says="put something else into x.data for a moment")
def shifts_x_and_puts_it_back_whatever_happens(x):
    scores = x.data
    x.data = scores - scores.max(axis=-1, keepdims=True)
    try:
        shifted = x * 1
    finally:
        x.data = scores
    return shifted - shifted.exp().sum(axis=-1, keepdims=True).log()


@wrong("4.1", says="show the shapes that were given")
def shows_the_shapes_with_ones_in_front(a, b):
    ndim = max(len(a), len(b))
    padded_a = (1,) * (ndim - len(a)) + tuple(a)
    padded_b = (1,) * (ndim - len(b)) + tuple(b)
    for m, n in zip(padded_a, padded_b, strict=True):
        if m != n and 1 not in (m, n):
            raise RuntimeError(f"shapes {padded_a} and {padded_b} do not broadcast: {m} meets {n}")
    return tuple(n if m == 1 else m for m, n in zip(padded_a, padded_b, strict=True))


@wrong("4.1", says="a 1 counts only for the size that it meets")
def looks_for_a_one_in_the_shapes_that_were_given(a, b):
    ndim = max(len(a), len(b))
    padded_a = (1,) * (ndim - len(a)) + tuple(a)
    padded_b = (1,) * (ndim - len(b)) + tuple(b)
    for m, n in zip(padded_a, padded_b, strict=True):
        if m != n and 1 not in a and 1 not in b:
            raise RuntimeError(f"shapes {tuple(a)} and {tuple(b)} do not broadcast: {m} meets {n}")
    return tuple(n if m == 1 else m for m, n in zip(padded_a, padded_b, strict=True))


@wrong("4.1", says="a 1 counts only for the size that it meets")
def looks_for_a_one_in_the_whole_shapes(a, b):
    ndim = max(len(a), len(b))
    padded_a = (1,) * (ndim - len(a)) + tuple(a)
    padded_b = (1,) * (ndim - len(b)) + tuple(b)
    for m, n in zip(padded_a, padded_b, strict=True):
        if m != n and 1 not in padded_a and 1 not in padded_b:
            raise RuntimeError(f"shapes {tuple(a)} and {tuple(b)} do not broadcast: {m} meets {n}")
    return tuple(n if m == 1 else m for m, n in zip(padded_a, padded_b, strict=True))


@wrong("4.3", says="both were stretched: sum over both")
def sums_the_first_axis_of_length_one(grad, shape):
    while len(grad.shape) > len(shape):
        grad = grad.sum(axis=0)
    if 1 in shape:
        grad = grad.sum(axis=shape.index(1), keepdims=True)
    return grad.reshape(shape)


@wrong("4.4", "Add.backward", says="it has the shape of the result")
def add_takes_the_second_input_for_the_bias(ctx, grad_z):
    x_shape, y_shape = ctx.shapes
    return grad_z, unbroadcast(grad_z, y_shape)


@wrong("4.4", "Add.backward", says="it has the shape of the result")
def add_sums_where_the_number_of_axes_differs(ctx, grad_z):
    def fit(shape):
        if len(shape) != len(grad_z.shape):
            return unbroadcast(grad_z, shape)
        return grad_z.reshape(grad_z.shape)

    x_shape, y_shape = ctx.shapes
    return fit(x_shape), fit(y_shape)


@wrong("4.7", says="the sum was taken along axis 1")
def sums_along_axis_one_of_rows_shifted_rightly(x):
    shifted = x - Tensor(x.data.max(axis=-1, keepdims=True))
    axis = 1 if len(x.shape) > 1 else 0
    return shifted - shifted.exp().sum(axis=axis, keepdims=True).log()


@wrong("4.8", says="the new numbers were written into it")
def moves_single_numbers_in_place(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        loss.backward()
        for p in parameters:
            if p.grad is not None and p.shape == ():
                p.data[...] = p.data - lr * p.grad.data
            elif p.grad is not None:
                p.data = p.data - lr * p.grad.data
    return losses


@wrong("4.8", says="it was given zeros for a gradient")
def takes_none_for_zeros(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        loss.backward()
        for p in parameters:
            if p.grad is None:
                p.grad = zeros(p.shape)
            p.data = (p - lr * p.grad).data
    return losses


@wrong("4.8", says="whether the losses fall or rise")
def stops_when_the_loss_rises(loss_of, parameters, lr, steps):
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        if len(losses) > 1 and losses[-1] > losses[-2]:
            break
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


@wrong("4.2", "Sum.backward", says="each is 1 too large")
def spreads_by_adding_ones(ctx, grad_z):
    return grad_z.reshape(ctx.kept_shape) + ones(ctx.shape), None, None


@wrong("4.3", says="new in front has to go")
def sums_only_axes_of_length_one(grad, shape):
    axes = tuple(i for i, size in enumerate(shape) if size == 1)
    return grad.sum(axis=axes, keepdims=True)


@wrong("4.4", "Mul.backward", says="reshape adds nothing up")
def reshapes_the_product(ctx, grad_z):
    x, y = ctx.saved_tensors
    return (grad_z * y).reshape(x.shape), (grad_z * x).reshape(y.shape)


@wrong("4.4", "Add.backward", says="reshape adds nothing up")
def reshapes_the_gradient_of_a_sum(ctx, grad_z):
    x_shape, y_shape = ctx.shapes
    return grad_z.reshape(x_shape), grad_z.reshape(y_shape)


@wrong("4.4", "Add.backward", says="the two shapes are exchanged")
def exchanges_the_shapes(ctx, grad_z):
    x_shape, y_shape = ctx.shapes
    return unbroadcast(grad_z, y_shape), unbroadcast(grad_z, x_shape)
