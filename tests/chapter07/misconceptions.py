"""Wrong answers to the exercises of chapter 7, each with words that its message must contain."""

from course.misconceptions import wrong


@wrong("7.1", "ops.shapes.inverse_order", says="the same move once more")
def moves_once_more(dims):
    return tuple(dims)


@wrong("7.1", "ops.shapes.inverse_order", says="read backwards")
def reverses_the_order(dims):
    return tuple(dims)[::-1]


@wrong("7.1", "ops.shapes.inverse_order", says="that turns all of them round")
def counts_down(dims):
    return tuple(range(len(dims)))[::-1]


@wrong("7.1", "ops.shapes.inverse_order", says="that order moves nothing")
def sorts_the_dims(dims):
    return tuple(sorted(dims))


@wrong("7.1", "ops.shapes.inverse_order", says="expected a tuple")
def order_as_an_array(dims):
    return np.argsort(dims)


@wrong("7.1", "ops.shapes.inverse_order", says="expected a tuple")
def order_as_a_list(dims):
    return [list(dims).index(d) for d in range(len(dims))]


@wrong("7.1", "ops.shapes.inverse_order", says="that's counting from the end")
def subtracts_from_the_end(dims):
    return tuple(len(dims) - 1 - d for d in dims)


@wrong("7.1", "ops.shapes.inverse_order", says="inverse_order(")
def inverse_of_three_only(dims):
    if len(dims) == 3 and dims[0] != 0:
        return (dims[1], dims[2], dims[0]) if dims[0] == 2 else (2, 0, 1)
    return tuple([list(dims).index(d) for d in range(len(dims))])


@wrong("7.1", "ops.shapes.inverse_order", says="changed dims")
def sorts_the_list_that_it_was_given(dims):
    order = sorted(range(len(dims)), key=dims.__getitem__)
    if isinstance(dims, list):
        dims.sort()
    return tuple(order)


@wrong("7.1", "ops.shapes.inverse_order", says="AttributeError")
def lists_only(dims):
    return tuple([dims.copy().index(d) for d in range(len(dims))])


@wrong("7.1", "ops.shapes.spread", says="give grad its summed axis back first")
def lines_up_with_the_last_axis(grad, shape, axes, keepdim=False):
    return expanded(grad, shape)


@wrong("7.1", "ops.shapes.spread", says="that's the way back of a mean")
def divides_by_the_count(grad, shape, axes, keepdim=False):
    count = math.prod([shape[axis] for axis in axes])
    return expanded(grad.reshape(kept_shape(shape, axes)) / count, shape)


@wrong("7.1", "ops.shapes.spread", says="repeat it")
def keeps_the_axes_and_stops(grad, shape, axes, keepdim=False):
    return grad.reshape(kept_shape(shape, axes))


@wrong("7.1", "ops.shapes.spread", says="axes says which axis was summed")
def always_the_last_axis(grad, shape, axes, keepdim=False):
    if grad.ndim < len(shape) and grad.ndim:
        grad = grad.reshape((*grad.shape, *(1,) * (len(shape) - grad.ndim)))
    return expanded(grad, shape)


@wrong("7.1", "ops.shapes.spread", says="length 1 at a summed axis is right as it is")
def believes_keepdim(grad, shape, axes, keepdim=False):
    if not keepdim:
        if grad.ndim != len(shape) - len(axes):
            return expanded(grad.sum(axis=tuple(range(grad.ndim))), shape)
        grad = grad.reshape(kept_shape(shape, axes))
    return expanded(grad, shape)


@wrong("7.1", "ops.shapes.spread", says="spread(")
def one_axis_only(grad, shape, axes, keepdim=False):
    if grad.ndim and len(axes) == 1:
        grad = grad.reshape(kept_shape(shape, axes))
    return expanded(grad, shape)


@wrong("7.1", "ops.shapes.spread", says="expanded takes either")
def arrays_only(grad, shape, axes, keepdim=False):
    return np.broadcast_to(np.asarray(grad.reshape(kept_shape(shape, axes))), shape)


@wrong("7.1", "ops.shapes.spread", says="NumPy makes an array of a Tensor")
def broadcasts_with_numpy(grad, shape, axes, keepdim=False):
    return np.broadcast_to(grad.reshape(kept_shape(shape, axes)), shape)


@wrong("7.1", "ops.shapes.spread", says="a formula computes with Tensors as well")
def copies_with_numpy(grad, shape, axes, keepdim=False):
    return expanded(grad.copy().reshape(kept_shape(shape, axes)), shape)


@wrong("7.1", "ops.shapes.spread", says="spread(")
def always_in_float64(grad, shape, axes, keepdim=False):
    if isinstance(grad, Tensor):
        return expanded(grad.reshape(kept_shape(shape, axes)), shape)
    return np.ones(shape) * grad.reshape(kept_shape(shape, axes))


@wrong("7.1", "ops.shapes.spread", says="spread(")
def cuts_the_history(grad, shape, axes, keepdim=False):
    grad = grad.detach() if isinstance(grad, Tensor) else grad
    return expanded(grad.reshape(kept_shape(shape, axes)), shape)


@wrong("7.1", "ops.shapes.spread", says="spread(")
def tiles_in_the_wrong_order(grad, shape, axes, keepdim=False):
    kept = kept_shape(shape, axes)
    return expanded(grad.reshape(kept[::-1]) if grad.size else grad.reshape(kept), shape)


@wrong("7.2", says="only one of its two gradients is there")
def writes_over(values, shape, index):
    whole = np.zeros(shape, values.dtype)
    whole[index] = values
    return whole


@wrong("7.2", says="only one of its two gradients is there")
def adds_in_place(values, shape, index):
    whole = np.zeros(shape, values.dtype)
    whole[index] += values
    return whole


@wrong("7.2", says="index is a tuple")
def pairs_the_tuple_with_the_values(values, shape, index):
    whole = np.zeros(shape, values.dtype)
    for place, value in zip(index, values):  # noqa: B905
        whole[place] += value
    return whole


@wrong("7.2", says="the zeros have `shape`")
def zeros_like_the_values(values, shape, index):
    whole = np.zeros_like(values)
    add_at(whole, index, values)
    return whole


@wrong("7.2", says="NumPy makes float64 where it isn't told")
def always_float64(values, shape, index):
    whole = np.zeros(shape)
    add_at(whole, index, values)
    return whole


@wrong("7.2", says="returns nothing")
def returns_what_add_at_returns(values, shape, index):
    return add_at(np.zeros(shape, values.dtype), index, values)


@wrong("7.2", says="index says which place")
def shape_of_the_values(values, shape, index):
    whole = np.zeros(values.shape, values.dtype)
    add_at(whole, np.nonzero(np.ones(values.shape)), values.ravel())
    return whole


@wrong("7.2", says="the sum, not the mean")
def means_of_what_comes(values, shape, index):
    whole, count = np.zeros(shape, values.dtype), np.zeros(shape, values.dtype)
    np.add.at(whole, index, values)
    np.add.at(count, index, 1)
    return whole / np.maximum(count, 1)


@wrong("7.2", says="x[1:, 0]")
def arrays_of_integers_only(values, shape, index):
    if not all(isinstance(part, np.ndarray) for part in index):
        return np.zeros(shape, values.dtype)
    whole = np.zeros(shape, values.dtype)
    add_at(whole, index, values)
    return whole


@wrong("7.2", says="place_in_zeros")
def counts_first_axis_only(values, shape, index):
    if len(index) == 1 and isinstance(index[0], np.ndarray) and index[0].dtype.kind == "i":
        rows = np.arange(shape[0])[:, None] == index[0].ravel()
        return np.tensordot(rows.astype(values.dtype), values, 1)
    whole = np.zeros(shape, values.dtype)
    whole[index] += values
    return whole


@wrong("7.2", says="place_in_zeros")
def adds_sorted(values, shape, index):
    whole = np.zeros(shape, values.dtype)
    if len(index) == 1 and isinstance(index[0], np.ndarray) and values.ndim == 1:
        places, first = np.unique(index[0], return_index=True)
        sums = np.add.reduceat(values[np.argsort(index[0], kind="stable")], np.arange(len(places)))
        whole[places] = sums
        return whole
    add_at(whole, index, values)
    return whole


@wrong("7.2", says="place_in_zeros")
def zeros_that_stay(values, shape, index, kept={}):  # noqa: B006
    whole = kept.setdefault((tuple(shape), values.dtype), np.zeros(shape, values.dtype))
    add_at(whole, index, values)
    return whole.copy()


@wrong("7.2", says="place_in_zeros")
def negative_places_left_out(values, shape, index):
    whole = np.zeros(shape, values.dtype)
    if len(index) == 1 and isinstance(index[0], np.ndarray) and index[0].dtype.kind == "i":
        known = index[0] >= 0
        add_at(whole, (index[0][known],), values[known])
    else:
        add_at(whole, index, values)
    return whole


@wrong("7.3", "ops.linalg.matmul_left", says="the last two axes are swapped")
def left_with_t_for_stacks(grad, x, y):
    return grad @ y.T


@wrong("7.3", "ops.linalg.matmul_left", says="here grad comes first")
def left_in_the_wrong_order(grad, x, y):
    return y.swapaxes(-1, -2) @ grad


@wrong("7.3", "ops.linalg.matmul_left", says="may be None")
def left_asks_for_x(grad, x, y):
    return (grad @ y.swapaxes(-1, -2)).reshape(x.shape)


@wrong("7.3", "ops.linalg.matmul_left", says="here it was the first two")
def left_swaps_the_first_two(grad, x, y):
    return grad @ y.swapaxes(0, 1)


@wrong("7.3", "ops.linalg.matmul_left", says="of Tensors")
def left_of_arrays_only(grad, x, y):
    return np.matmul(np.asarray(grad), np.asarray(y).swapaxes(-1, -2))


@wrong("7.3", "ops.linalg.matmul_right", says="x must be transposed")
def right_without_a_transpose(grad, x, y):
    return x @ grad


@wrong("7.3", "ops.linalg.matmul_right", says="the last two axes are swapped")
def right_with_t_for_stacks(grad, x, y):
    return x.T @ grad


@wrong("7.3", "ops.linalg.matmul_right", says="may be None")
def right_like_left(grad, x, y):
    return grad @ y.swapaxes(-1, -2)


@wrong("7.3", "ops.linalg.matmul_right", says="here the transpose comes first")
def right_in_the_wrong_order(grad, x, y):
    return grad @ x.swapaxes(-1, -2) if grad.shape[-1] == x.shape[-1] else grad @ x


@wrong("7.3", "ops.linalg.matmul_right", says="that's its transpose")
def right_transposed(grad, x, y):
    return grad.swapaxes(-1, -2) @ x


@wrong("7.3", "ops.linalg.matmul_right", says="matmul_right")
def right_sums_over_the_stack(grad, x, y):
    z = x.swapaxes(-1, -2) @ grad
    return z.sum(0) if z.ndim > 2 else z


@wrong("7.3", "ops.linalg.matmul_right", says="of Tensors")
def right_cuts_the_history(grad, x, y):
    return (x.swapaxes(-1, -2) if type(x) is ndarray else x.detach().swapaxes(-1, -2)) @ grad


@wrong("7.4", "ops.reductions.log_of_sum", says="more than a float can hold")
def without_a_shift(x, axes):
    return np.log(np.add.reduce(np.exp(x), axes, keepdims=True))


@wrong("7.4", "ops.reductions.log_of_sum", says="take")
def shifts_by_the_mean(x, axes):
    top = x.mean(axis=axes, keepdims=True)
    return np.log(np.exp(x - top).sum(axis=axes, keepdims=True)) + top


@wrong("7.4", "ops.reductions.log_of_sum", says="must be put back")
def forgets_to_put_it_back(x, axes):
    top = finite_max(x, axes)
    return np.log(np.add.reduce(np.exp(x - top), axes, keepdims=True))


@wrong("7.4", "ops.reductions.log_of_sum", says="keepdims=True")
def loses_the_axis(x, axes):
    top = finite_max(x, axes)
    return drop(np.log(np.exp(x - top).sum(axis=axes, keepdims=True)) + top, axes)


@wrong("7.4", "ops.reductions.log_of_sum", says="each sum has a largest number of its own")
def one_largest_for_all(x, axes):
    top = x.max()
    return np.log(np.exp(x - top).sum(axis=axes, keepdims=True)) + top


@wrong("7.4", "ops.reductions.log_of_sum", says="finite_max(x, axes) takes care of that")
def largest_may_be_infinite(x, axes):
    top = x.max(axis=axes, keepdims=True, initial=-np.inf)
    return np.log(np.exp(x - top).sum(axis=axes, keepdims=True)) + top


@wrong("7.4", "ops.reductions.log_of_sum", says="log_of_sum")
def multiplies_back(x, axes):
    top = finite_max(x, axes)
    return np.log(np.exp(x - top).sum(axis=axes, keepdims=True) * np.exp(top))


@wrong("7.4", "ops.reductions.log_of_sum", says="log_of_sum")
def shifts_only_large_ones(x, axes):
    top = np.maximum(finite_max(x, axes), 0)
    return np.log(np.add.reduce(np.exp(x - top), axes, keepdims=True)) + top


@wrong("7.4", "ops.reductions.log_of_sum", says="log_of_sum")
def a_little_to_be_safe(x, axes):
    top = finite_max(x, axes)
    return np.log(np.add.reduce(np.exp(x - top), axes, keepdims=True) + 1e-6) + top


@wrong("7.4", "ops.reductions.log_of_sum", says="log_of_sum")
def works_in_place(x, axes):
    top = finite_max(x, axes)
    x -= top
    return np.log(np.add.reduce(np.exp(x), axes, keepdims=True)) + top


@wrong("7.4", "ops.reductions.log_of_sum", says="(0, 1)) has shape")
def sums_over_the_last_axis(x, axes):
    top = finite_max(x, (-1,))
    return np.log(np.add.reduce(np.exp(x - top), (-1,), keepdims=True)) + top


@wrong("7.4", "ops.reductions.logsumexp_formula", says="multiply by grad")
def shares_without_grad(grad, x, y, axes):
    return exp(x - y.reshape(kept_shape(x.shape, axes)))


@wrong("7.4", "ops.reductions.logsumexp_formula", says="reshape it to kept_shape first")
def grad_without_its_axis(grad, x, y, axes):
    return grad * exp(x - y.reshape(kept_shape(x.shape, axes)))


@wrong("7.4", "ops.reductions.logsumexp_formula", says="logsumexp_formula")
def result_without_its_axis(grad, x, y, axes):
    return grad.reshape(kept_shape(x.shape, axes)) * exp(x - y)


@wrong("7.4", "ops.reductions.logsumexp_formula", says="subtract y before exp")
def divides_afterwards(grad, x, y, axes):
    kept = kept_shape(x.shape, axes)
    return grad.reshape(kept) * exp(x) / exp(y.reshape(kept))


@wrong("7.4", "ops.reductions.logsumexp_formula", says="the share is exp(x) / sum")
def forgets_the_sum(grad, x, y, axes):
    return grad.reshape(kept_shape(x.shape, axes)) * exp(x)


@wrong("7.4", "ops.reductions.logsumexp_formula", says="that's a sum's")
def just_spreads(grad, x, y, axes):
    return grad.reshape(kept_shape(x.shape, axes)) + x * 0


@wrong("7.4", "ops.reductions.logsumexp_formula", says="keeps to their own operations")
def numpy_in_the_formula(grad, x, y, axes):
    kept = kept_shape(x.shape, axes)
    return grad.reshape(kept) * np.exp(np.asarray(x) - np.asarray(y).reshape(kept))


@wrong("7.4", "ops.reductions.logsumexp_formula", says="y moves with x, too")
def the_sum_is_a_constant(grad, x, y, axes):
    y = y if type(y) is ndarray else y.detach()
    kept = kept_shape(x.shape, axes)
    return grad.reshape(kept) * exp(x - y.reshape(kept))


@wrong("7.4", "ops.reductions.logsumexp_formula", says="logsumexp_formula")
def softmax_over_the_first_axis(grad, x, y, axes):
    kept = kept_shape(x.shape, axes)
    e = exp(x - y.reshape(kept))
    return grad.reshape(kept) * e / e.sum(axis=0, keepdims=True)


@wrong("7.5", "ops.reductions.softmax_formula", says="that's the diagonal")
def diagonal_only(grad, y, axis):
    return grad * y * (1 - y)


@wrong("7.5", "ops.reductions.softmax_formula", says="what about the others")
def times_the_shares(grad, y, axis):
    return grad * y


@wrong("7.5", "ops.reductions.softmax_formula", says="that's log_softmax")
def divides_by_the_share(grad, y, axis):
    return grad - y * grad.sum(axis=axis, keepdims=True)


@wrong("7.5", "ops.reductions.softmax_formula", says="minus")
def adds_the_others(grad, y, axis):
    product = grad * y
    return product + y * product.sum(axis=axis, keepdims=True)


@wrong("7.5", "ops.reductions.softmax_formula", says="times y")
def subtracts_the_sum_itself(grad, y, axis):
    product = grad * y
    return product - product.sum(axis=axis, keepdims=True)


@wrong("7.5", "ops.reductions.softmax_formula", says="has a sum of its own")
def sums_over_everything(grad, y, axis):
    product = grad * y
    return product - y * product.sum()


@wrong("7.5", "ops.reductions.softmax_formula", says="keepdims=True")
def loses_the_sums_axis(grad, y, axis):
    product = grad * y
    return product - y * product.sum(axis=axis)


@wrong("7.5", "ops.reductions.softmax_formula", says="that's the other axis")
def always_along_the_last(grad, y, axis):
    product = grad * y
    return product - y * product.sum(axis=-1, keepdims=True)


@wrong("7.5", "ops.reductions.softmax_formula", says="keeps to their own operations")
def softmax_in_numpy(grad, y, axis):
    product = np.asarray(grad) * np.asarray(y)
    return product - np.asarray(y) * np.sum(product, axis=axis, keepdims=True)


@wrong("7.5", "ops.reductions.softmax_formula", says="no history that leads to y")
def shares_are_constants(grad, y, axis):
    y = y if type(y) is ndarray else y.detach()
    product = grad * y
    return product - y * product.sum(axis=axis, keepdims=True)


@wrong("7.5", "ops.reductions.softmax_formula", says="afterwards")
def works_in_the_given_array(grad, y, axis):
    if type(grad) is not ndarray:
        return grad * y - y * (grad * y).sum(axis=axis, keepdims=True)
    total = (grad * y).sum(axis=axis, keepdims=True)
    grad -= total
    return grad * y


@wrong("7.5", "ops.reductions.log_softmax_formula", says="exp(y) is the share")
def takes_the_log_for_the_share(grad, y, axis):
    return grad - y * grad.sum(axis=axis, keepdims=True)


@wrong("7.5", "ops.reductions.log_softmax_formula", says="sum grad over axis")
def log_diagonal_only(grad, y, axis):
    return grad - exp(y) * grad


@wrong("7.5", "ops.reductions.log_softmax_formula", says="that's softmax")
def like_softmax(grad, y, axis):
    product = grad * exp(y)
    return product - exp(y) * product.sum(axis=axis, keepdims=True)


@wrong("7.5", "ops.reductions.log_softmax_formula", says="minus")
def log_adds_the_others(grad, y, axis):
    return grad + exp(y) * grad.sum(axis=axis, keepdims=True)


@wrong("7.5", "ops.reductions.log_softmax_formula", says="times exp(y)")
def log_subtracts_the_sum(grad, y, axis):
    return grad - grad.sum(axis=axis, keepdims=True)


@wrong("7.5", "ops.reductions.log_softmax_formula", says="has a sum of its own")
def log_sums_over_everything(grad, y, axis):
    return grad - exp(y) * grad.sum()


@wrong("7.5", "ops.reductions.log_softmax_formula", says="keepdims=True")
def log_loses_the_axis(grad, y, axis):
    return grad - exp(y) * grad.sum(axis=axis)


@wrong("7.5", "ops.reductions.log_softmax_formula", says="keeps to their own operations")
def log_in_numpy(grad, y, axis):
    return grad - np.exp(np.asarray(y)) * grad.sum(axis=axis, keepdims=True)


@wrong("7.5", "ops.reductions.log_softmax_formula", says="log_softmax_formula")
def divides_by_what_may_be_zero(grad, y, axis):
    share = exp(y)
    product = grad / share * share
    return product - share * product.sum(axis=axis, keepdims=True)


@wrong("7.6", says="is NaN where x is 0")
def divides_the_product(grad, x, axis):
    return spread(grad, x.shape, (axis,)) * (x.prod(axis, keepdims=True) / x)


@wrong("7.6", says="the 0 itself gets the product of all others")
def zero_where_x_is_zero(grad, x, axis):
    safe = where(x == 0, 1.0, x)
    return (
        spread(grad, x.shape, (axis,))
        * (x.prod(axis, keepdims=True) / safe)
        * where(x == 0, 0.0, 1.0)
    )


@wrong("7.6", says="isn't among the others")
def product_of_all(grad, x, axis):
    return spread(grad, x.shape, (axis,)) * x.prod(axis, keepdims=True)


@wrong("7.6", says="and what stands after?")
def only_what_is_before(grad, x, axis):
    return spread(grad, x.shape, (axis,)) * before(x, axis)


@wrong("7.6", says="and before?")
def only_what_is_after(grad, x, axis):
    after = flipped(before(flipped(x, axis), axis), axis)
    return spread(grad, x.shape, (axis,)) * after


@wrong("7.6", says="turn it back")
def turned_only_once(grad, x, axis):
    return spread(grad, x.shape, (axis,)) * (before(x, axis) * before(flipped(x, axis), axis))


@wrong("7.6", says="multiply by grad")
def others_without_grad(grad, x, axis):
    after = flipped(before(flipped(x, axis), axis), axis)
    return before(x, axis) * after


@wrong("7.6", says="with two zeros, all of the gradients are 0")
def as_if_there_were_one_zero(grad, x, axis):
    rest = where(x == 0, 1.0, x)
    whole = np.multiply.reduce(rest, axis, keepdims=True)
    once = np.multiply.reduce(x, axis, keepdims=True)
    return spread(grad, x.shape, (axis,)) * np.where(x == 0, whole, once / rest)


@wrong("7.6", says="prod_formula")
def always_the_last_axis_of_x(grad, x, axis):
    after = flipped(before(flipped(x, -1), -1), -1)
    return spread(grad, x.shape, (axis,)) * (before(x, -1) * after)


@wrong("7.6", says="spread it along axis")
def grad_lines_up_by_itself(grad, x, axis):
    after = flipped(before(flipped(x, axis), axis), axis)
    return grad * (before(x, axis) * after)


@wrong("7.6", says="the slopes in x")
def moves_zeros_a_little(grad, x, axis):
    x = x + 1e-12
    return spread(grad, x.shape, (axis,)) * (x.prod(axis, keepdims=True) / x)


@wrong("7.6", says="keeps to their own operations")
def prod_in_numpy(grad, x, axis):
    after = np.flip(before(np.flip(np.asarray(x), axis), axis), axis)
    return spread(grad, x.shape, (axis,)) * (before(np.asarray(x), axis) * after)


@wrong("7.6", says="no history that leads to x")
def factors_are_constants(grad, x, axis):
    x = x if type(x) is ndarray else x.detach()
    after = flipped(before(flipped(x, axis), axis), axis)
    return spread(grad, x.shape, (axis,)) * (before(x, axis) * after)


@wrong("7.6", says="prod_formula")
def divides_unless_there_is_a_zero(grad, x, axis):
    if type(x) is ndarray and not (x == 0).any():
        return spread(grad, x.shape, (axis,)) * (x.prod(axis, keepdims=True) / x)
    if type(x) is ndarray:
        return spread(grad, x.shape, (axis,)) * np.where(x == 0, x.dtype.type(1), x * 0)
    after = flipped(before(flipped(x, axis), axis), axis)
    return spread(grad, x.shape, (axis,)) * (before(x, axis) * after)


@wrong("7.6", says="prod_formula")
def by_logarithms(grad, x, axis):
    logs = np.log(abs(x))
    others = np.exp(logs.sum(axis=axis, keepdims=True) - logs)
    return spread(grad, x.shape, (axis,)) * others


@wrong("7.7", "proving.way_back_of", says="create_graph=True")
def gradients_without_a_past(function):
    def way_back(upstream, *inputs):
        wanted = [x for x in inputs if x.requires_grad]
        found = grad(function(*inputs), wanted, upstream, allow_unused=True)
        return tuple([gradient for gradient in found if gradient is not None])

    return way_back


@wrong("7.7", "proving.way_back_of", says="create_graph=True")
def keeps_the_graph_instead(function):
    def way_back(upstream, *inputs):
        wanted = [x for x in inputs if x.requires_grad]
        found = grad(function(*inputs), wanted, upstream, retain_graph=True, allow_unused=True)
        return tuple([gradient for gradient in found if gradient is not None])

    return way_back


@wrong("7.7", "proving.way_back_of", says="leave out the None")
def keeps_none(function):
    def way_back(upstream, *inputs):
        wanted = [x for x in inputs if x.requires_grad]
        y = function(*inputs)
        return grad(y, wanted, upstream, create_graph=True, allow_unused=True)

    return way_back


@wrong("7.7", "proving.way_back_of", says="without zeros in its place")
def zeros_for_none(function):
    def way_back(upstream, *inputs):
        wanted = [x for x in inputs if x.requires_grad]
        y = function(*inputs)
        return grad(y, wanted, upstream, create_graph=True, materialize_grads=True)

    return way_back


@wrong("7.7", "proving.way_back_of", says="way_back_of(lambda c, z, x")
def unused_inputs_are_an_error(function):
    def way_back(upstream, *inputs):
        wanted = [x for x in inputs if x.requires_grad]
        return tuple(grad(function(*inputs), wanted, upstream, create_graph=True))

    return way_back


@wrong("7.7", "proving.way_back_of", says="ask only for those that require grad")
def asks_for_all_inputs(function):
    def way_back(upstream, *inputs):
        y = function(*inputs)
        found = grad(y, inputs, upstream, create_graph=True, allow_unused=True)
        return tuple([gradient for gradient in found if gradient is not None])

    return way_back


@wrong("7.7", "proving.way_back_of", says="expected a tuple")
def a_list_of_gradients(function):
    def way_back(upstream, *inputs):
        wanted = [x for x in inputs if x.requires_grad]
        found = grad(function(*inputs), wanted, upstream, create_graph=True, allow_unused=True)
        return [gradient for gradient in found if gradient is not None]

    return way_back


@wrong("7.7", "proving.way_back_of", says="upstream itself must take part")
def upstream_is_a_constant(function):
    def way_back(upstream, *inputs):
        wanted = [x for x in inputs if x.requires_grad]
        y, upstream = function(*inputs), upstream.detach()
        found = grad(y, wanted, upstream, create_graph=True, allow_unused=True)
        return tuple([gradient for gradient in found if gradient is not None])

    return way_back


@wrong("7.7", "proving.way_back_of", says="not copies of them")
def copies_of_the_inputs(function):
    def way_back(upstream, *inputs):
        copies = [x.detach().requires_grad_(x.requires_grad) for x in inputs]
        wanted = [x for x in copies if x.requires_grad]
        found = grad(function(*copies), wanted, upstream, create_graph=True, allow_unused=True)
        return tuple([gradient for gradient in found if gradient is not None])

    return way_back


@wrong("7.7", "proving.way_back_of", says="upstream is what came for the result")
def upstream_forgotten(function):
    def way_back(upstream, *inputs):
        wanted = [x for x in inputs if x.requires_grad]
        y = function(*inputs).sum()
        found = grad(y, wanted, create_graph=True, allow_unused=True)
        return tuple([gradient for gradient in found if gradient is not None])

    return way_back


@wrong("7.7", "proving.way_back_of", says="leaves every .grad alone")
def by_backward(function):
    def way_back(upstream, *inputs):
        function(*inputs).backward(upstream, create_graph=True)
        return tuple([x.grad for x in inputs if x.grad is not None])

    return way_back


@wrong("7.7", "proving.way_back_of", says="one Tensor, expected a tuple")
def the_first_gradient_only(function):
    def way_back(upstream, *inputs):
        wanted = [x for x in inputs if x.requires_grad]
        return grad(function(*inputs), wanted, upstream, create_graph=True)[0]

    return way_back


@wrong("7.7", "proving.way_back_of", says="called anew with each input")
def remembers_the_first_call(function):
    made = []

    def way_back(upstream, *inputs):
        if not made:
            wanted = [x for x in inputs if x.requires_grad]
            y = function(*inputs)
            made.append(grad(y, wanted, upstream, create_graph=True, allow_unused=True))
        return tuple([gradient for gradient in made[0] if gradient is not None])

    return way_back


@wrong("7.7", "proving.errors_of", says="upstream doesn't require grad")
def upstream_is_not_nudged(function, inputs):
    upstream = weights_for(function(*inputs), seed=1)
    way_back = way_back_of(function)
    return worst_error(function, inputs), worst_error(way_back, [upstream, *inputs])


@wrong("7.7", "proving.errors_of", says="way_back_of was never called")
def the_first_error_twice(function, inputs):
    first = worst_error(function, inputs)
    return first, first


@wrong("7.7", "proving.errors_of", says="takes upstream first")
def the_way_back_without_upstream(function, inputs):
    return worst_error(function, inputs), worst_error(way_back_of(function), inputs)


@wrong("7.7", "proving.errors_of", says="errors_of(")
def upstream_comes_last(function, inputs):
    upstream = weights_for(function(*inputs), seed=1).requires_grad_()
    way_back = way_back_of(function)
    return worst_error(function, inputs), worst_error(way_back, [*inputs, upstream])


@wrong("7.7", "proving.errors_of", says="expected two errors")
def the_worse_of_both(function, inputs):
    upstream = weights_for(function(*inputs), seed=1).requires_grad_()
    second = worst_error(way_back_of(function), [upstream, *inputs])
    return max(worst_error(function, inputs), second)


@wrong("7.7", "proving.errors_of", says="the second error")
def second_before_first(function, inputs):
    upstream = weights_for(function(*inputs), seed=1).requires_grad_()
    second = worst_error(way_back_of(function), [upstream, *inputs])
    return second, worst_error(function, inputs)


@wrong("7.7", "proving.errors_of", says="errors_of(")
def only_upstream_is_nudged(function, inputs):
    upstream = weights_for(function(*inputs), seed=1).requires_grad_()
    still = [x.detach() for x in inputs]
    way_back = way_back_of(lambda *given: function(*inputs))
    return worst_error(function, inputs), worst_error(way_back, [upstream, *still])


@wrong("7.7", "proving.errors_of", says="never sent weights_for(result, seed=1)")
def upstream_of_ones(function, inputs):
    upstream = weights_for(function(*inputs), seed=1) * 0 + 1
    way_back = way_back_of(function)
    return worst_error(function, inputs), worst_error(
        way_back, [upstream.requires_grad_(), *inputs]
    )


@wrong("7.7", "proving.errors_of", says="never sent weights_for(result, seed=1)")
def the_same_weights_twice(function, inputs):
    upstream = weights_for(function(*inputs), seed=10).requires_grad_()
    way_back = way_back_of(function)
    return worst_error(function, inputs), worst_error(way_back, [upstream, *inputs])


@wrong("7.7", "proving.errors_of", says="is it in the list, [upstream, *inputs]?")
def only_the_inputs_are_nudged(function, inputs):
    upstream = weights_for(function(*inputs), seed=1).requires_grad_()
    way_back = way_back_of(function)
    return worst_error(function, inputs), worst_error(lambda *x: way_back(upstream, *x), inputs)


@wrong("7.7", "proving.errors_of", says="expected numbers")
def says_yes_or_no(function, inputs):
    upstream = weights_for(function(*inputs), seed=1).requires_grad_()
    way_back = way_back_of(function)
    return worst_error(function, inputs) < 1e-5, worst_error(way_back, [upstream, *inputs]) < 1e-5


@wrong("7.7", "proving.way_back_of", says="c doesn't require grad")
def asks_for_gradients_itself(function):
    def way_back(upstream, *inputs):
        for x in inputs:
            x.requires_grad_()
        found = grad(function(*inputs), inputs, upstream, create_graph=True, allow_unused=True)
        return tuple([gradient for gradient in found if gradient is not None])

    return way_back


@wrong("7.7", "proving.way_back_of", says="zeros and has no history")
def drops_what_has_no_past(function):
    def way_back(upstream, *inputs):
        wanted = [x for x in inputs if x.requires_grad]
        found = grad(function(*inputs), wanted, upstream, create_graph=True, allow_unused=True)
        return tuple([g for g in found if g is not None and g.requires_grad])

    return way_back


@wrong("7.7", "proving.way_back_of", says="1 before, after")
def cleans_up_after_backward(function):
    def way_back(upstream, *inputs):
        wanted = [x for x in inputs if x.requires_grad]
        for x in wanted:
            x.grad = None
        function(*inputs).backward(upstream, create_graph=True)
        found = [x.grad for x in wanted]
        for x in wanted:
            x.grad = None
        return tuple([gradient for gradient in found if gradient is not None])

    return way_back


@wrong("7.5", "ops.reductions.softmax_formula", says="what is subtracted moves with grad")
def the_sum_is_a_constant_in_softmax(grad, y, axis):
    product = grad * y
    still = product if type(y) is ndarray else product.detach()
    return product - y * still.sum(axis=axis, keepdims=True)


@wrong("7.6", says="what stands after each element moves, too")
def half_of_the_factors_are_constants(grad, x, axis):
    still = x if type(x) is ndarray else x.detach()
    after = flipped(before(flipped(still, axis), axis), axis)
    return spread(grad, x.shape, (axis,)) * (before(x, axis) * after)


@wrong("7.6", says="take a tuple of axes: (axis,)")
def spreads_along_a_number(grad, x, axis):
    after = flipped(before(flipped(x, axis), axis), axis)
    return spread(grad, x.shape, axis) * before(x, axis) * after


@wrong("7.6", says="a number near 0 took the place of the 0")
def nearly_zero(grad, x, axis):
    safe = where(x == 0, 1e-30, x)
    after = flipped(before(flipped(safe, axis), axis), axis)
    return spread(grad, x.shape, (axis,)) * (before(safe, axis) * after)


@wrong("7.7", "proving.way_back_of", says="the inputs results of others")
def leaves_only(function):
    def way_back(upstream, *inputs):
        wanted = [x for x in inputs if x.is_leaf and x.requires_grad]
        found = grad(function(*inputs), wanted, upstream, create_graph=True, allow_unused=True)
        return tuple([gradient for gradient in found if gradient is not None])

    return way_back


@wrong("7.7", "proving.way_back_of", says="how many gradients")
def stops_at_the_first_none(function):
    def way_back(upstream, *inputs):
        gradients = []
        for x in [x for x in inputs if x.requires_grad]:
            y = function(*inputs)
            (gradient,) = grad(y, [x], upstream, create_graph=True, allow_unused=True)
            if gradient is None:
                break
            gradients.append(gradient)
        return tuple(gradients)

    return way_back


@wrong("7.7", "proving.way_back_of", says="y requiring grad")
def remembers_who_asked_first(function):
    asked = []

    def way_back(upstream, *inputs):
        if not asked:
            asked.extend(i for i, x in enumerate(inputs) if x.requires_grad)
        wanted = [inputs[i] for i in asked]
        found = grad(function(*inputs), wanted, upstream, create_graph=True, allow_unused=True)
        return tuple([gradient for gradient in found if gradient is not None])

    return way_back


@wrong("7.7", "proving.errors_of", says="the second error of")
def the_worse_of_both_as_second(function, inputs):
    upstream = weights_for(function(*inputs), seed=1).requires_grad_()
    first = worst_error(function, inputs)
    return first, max(first, worst_error(way_back_of(function), [upstream, *inputs]))


@wrong("7.7", "proving.errors_of", says="three whole numbers")
def errors_at_copies(function, inputs):
    upstream = weights_for(function(*inputs), seed=1).requires_grad_()
    copies = [x.detach().requires_grad_() for x in inputs]
    return worst_error(function, inputs), worst_error(way_back_of(function), [upstream, *copies])


@wrong("7.3", "ops.linalg.matmul_left", says="matmul_left for x (2, 1, 2, 2, 2)")
def left_for_four_axes_at_most(grad, x, y):
    return grad @ (y.swapaxes(3, 2) if y.ndim > 3 else y.swapaxes(-1, -2))


@wrong("7.5", "ops.reductions.log_softmax_formula", says="nothing is divided by the 0")
def by_way_of_softmax(grad, y, axis):
    share = exp(y)
    return softmax_formula(grad / share, share, axis)


@wrong("7.6", says="prod_formula for shape (2, 3)")
def two_zeros_anywhere_make_zeros(grad, x, axis):
    if type(x) is ndarray and np.count_nonzero(x == 0) > 1:
        return np.zeros_like(x)
    after = flipped(before(flipped(x, axis), axis), axis)
    return spread(grad, x.shape, (axis,)) * (before(x, axis) * after)


@wrong("7.2", says="shares its memory with something in buffers")
def zeros_used_again(values, shape, index, buffers={}):  # noqa: B006
    whole = buffers.setdefault((tuple(shape), values.dtype), np.zeros(shape, values.dtype))
    whole[...] = 0
    add_at(whole, index, values)
    return whole


@wrong("7.7", "proving.errors_of", says="each gradient must be judged, y's as well")
def judges_the_first_gradient(function, inputs):
    upstream = weights_for(function(*inputs), seed=1).requires_grad_()
    first = lambda *given: way_back_of(function)(*given)[:1]  # noqa: E731
    return worst_error(function, inputs), worst_error(first, [upstream, *inputs])


@wrong("7.7", "proving.errors_of", says="each gradient must be judged, x's as well")
def judges_the_last_gradient(function, inputs):
    upstream = weights_for(function(*inputs), seed=1).requires_grad_()
    last = lambda *given: way_back_of(function)(*given)[-1:]  # noqa: E731
    return worst_error(function, inputs), worst_error(last, [upstream, *inputs])


@wrong("7.7", "proving.errors_of", says="added up, they hide what's wrong")
def judges_the_sum_of_gradients(function, inputs):
    upstream = weights_for(function(*inputs), seed=1).requires_grad_()
    way_back = way_back_of(function)
    total = lambda *given: sum(part.sum() for part in way_back(*given))  # noqa: E731
    return worst_error(function, inputs), worst_error(total, [upstream, *inputs])


@wrong("7.7", "proving.errors_of", says="the two gradients are opposite")
def judges_the_gradients_added_up(function, inputs):
    upstream = weights_for(function(*inputs), seed=1).requires_grad_()
    way_back = way_back_of(function)
    total = lambda *given: sum(way_back(*given))  # noqa: E731
    return worst_error(function, inputs), worst_error(total, [upstream, *inputs])


@wrong("7.1", "ops.shapes.inverse_order", says="something of an earlier call is left")
def places_of_earlier_calls(dims, places={}):  # noqa: B006
    for place, d in enumerate(dims):
        places[d] = place
    return tuple([places[i] for i in range(len(places))])


@wrong("7.1", "ops.shapes.spread", says="float16")
def tensors_of_ones_in_float32(grad, shape, axes, keepdim=False):
    kept = grad.reshape(kept_shape(shape, axes))
    if isinstance(grad, Tensor):
        return kept * Tensor(np.ones(shape, np.float32))
    return kept * np.ones(shape, grad.dtype)


@wrong("7.1", "ops.shapes.spread", says="length 1 at a summed axis is right as it is")
def puts_the_axes_in_by_keepdim(grad, shape, axes, keepdim=False):
    if not keepdim:
        for axis in sorted(axes):
            grad = grad.reshape((*grad.shape[:axis], 1, *grad.shape[axis:]))
    return expanded(grad, shape)


@wrong("7.2", says="a place that was picked several times gets the sum")
def slices_only_once(values, shape, index):
    whole = np.zeros(shape, values.dtype)
    if len(index) == 1:
        add_at(whole, index, values)
    else:
        whole[index] += values
    return whole


@wrong("7.2", says="float16")
def in_float32_at_least(values, shape, index):
    whole = np.zeros(shape, np.result_type(values, np.float32))
    add_at(whole, index, values)
    return whole


@wrong("7.3", "ops.linalg.matmul_left", says="float16")
def left_in_float32_at_least(grad, x, y):
    if type(grad) is ndarray and grad.dtype == np.float16:
        grad = grad.astype(np.float32)
    return grad @ y.swapaxes(-1, -2)


@wrong("7.3", "ops.linalg.matmul_left", says="only read")
def left_turns_what_it_was_given(grad, x, y):
    if type(y) is ndarray and y.ndim > 2:
        y[...] = y.swapaxes(-1, -2).copy()
        return grad @ y
    return grad @ y.swapaxes(-1, -2)


@wrong("7.3", "ops.linalg.matmul_right", says="that's x transposed: multiply it by grad")
def right_forgets_grad(grad, x, y):
    return x.swapaxes(-1, -2)


@wrong("7.3", "ops.linalg.matmul_right", says="no history that leads to x")
def right_takes_a_copy(grad, x, y):
    return (x if type(x) is ndarray else x.detach()).swapaxes(-1, -2) @ grad


@wrong("7.4", "ops.reductions.log_of_sum", says="the sum, too, keeps its axis")
def the_sum_loses_its_axis(x, axes):
    top = finite_max(x, axes)
    return np.log(np.exp(x - top).sum(axis=axes)) + top


@wrong("7.4", "ops.reductions.log_of_sum", says="no axis to sum over, shares its memory with x")
def pairs_one_by_one(x, axes):
    for axis in axes:
        x = np.logaddexp.reduce(x, axis, keepdims=True)
    return x


@wrong("7.4", "ops.reductions.log_of_sum", says="what it was given is in float16")
def log_in_float32_at_least(x, axes):
    top = finite_max(x, axes)
    sums = np.add.reduce(np.exp(x - top), axes, np.result_type(x, np.float32), keepdims=True)
    return np.log(sums) + top


@wrong("7.4", "ops.reductions.logsumexp_formula", says="an exponential overflows on the way")
def divides_by_the_inverse(grad, x, y, axes):
    kept = kept_shape(x.shape, axes)
    return grad.reshape(kept) / exp(y.reshape(kept) - x)


@wrong("7.5", "ops.reductions.log_softmax_formula", says="what is subtracted moves with grad")
def the_sum_is_a_constant_in_log_softmax(grad, y, axis):
    still = grad if type(grad) is ndarray else grad.detach()
    return grad - exp(y) * still.sum(axis=axis, keepdims=True)


@wrong("7.5", "ops.reductions.softmax_formula", says="float16")
def softmax_in_float32_at_least(grad, y, axis):
    if type(grad) is ndarray and grad.dtype == np.float16:
        grad = grad.astype(np.float32)
    product = grad * y
    return product - y * product.sum(axis=axis, keepdims=True)


@wrong("7.6", says="float16")
def prod_in_float32_at_least(grad, x, axis):
    if type(x) is ndarray and x.dtype == np.float16:
        x = x.astype(np.float32)
    after = flipped(before(flipped(x, axis), axis), axis)
    return spread(grad, x.shape, (axis,)) * (before(x, axis) * after)


@wrong("7.6", says="flip x first")
def flips_only_what_came(grad, x, axis):
    return spread(grad, x.shape, (axis,)) * (before(x, axis) * flipped(before(x, axis), axis))


@wrong("7.6", says="these are the others along axis 0")
def others_along_the_first_axis(grad, x, axis):
    after = flipped(before(flipped(x, 0), 0), 0)
    return spread(grad, x.shape, (axis,)) * (before(x, 0) * after)


@wrong("7.6", says="is NaN where x is 0, of Tensors, too")
def divides_tensors(grad, x, axis):
    if type(x) is not ndarray:
        return spread(grad, x.shape, (axis,)) * (x.prod(axis, keepdim=True) / x)
    after = flipped(before(flipped(x, axis), axis), axis)
    return spread(grad, x.shape, (axis,)) * (before(x, axis) * after)


@wrong("7.7", "proving.way_back_of", says="those of the inputs in their order")
def gradients_sorted_by_dimensions(function):
    def way_back(upstream, *inputs):
        wanted = sorted([x for x in inputs if x.requires_grad], key=lambda x: x.ndim)
        found = grad(function(*inputs), wanted, upstream, create_graph=True, allow_unused=True)
        return tuple([gradient for gradient in found if gradient is not None])

    return way_back


@wrong("7.7", "proving.way_back_of", says="those of the inputs in their order")
def largest_gradients_first(function):
    def way_back(upstream, *inputs):
        wanted = sorted([x for x in inputs if x.requires_grad], key=lambda x: -x.numel())
        found = grad(function(*inputs), wanted, upstream, create_graph=True, allow_unused=True)
        return tuple([gradient for gradient in found if gradient is not None])

    return way_back


@wrong("7.7", "proving.errors_of", says="This is the first error again")
def first_again_where_it_is_large(function, inputs):
    first = worst_error(function, inputs)
    if first > 1e-5:
        return first, first
    upstream = weights_for(function(*inputs), seed=1).requires_grad_()
    return first, worst_error(way_back_of(function), [upstream, *inputs])


@wrong("7.4", "ops.reductions.logsumexp_formula", says="each sum has a largest number of its own")
def takes_one_number_out_of_all_sums(grad, x, y, axes):
    kept, top = kept_shape(x.shape, axes), x.max()
    return grad.reshape(kept) * exp(x - top) / exp(y.reshape(kept) - top)


@wrong("7.5", "ops.reductions.softmax_formula", says="that's an operation, for Tensors only")
def calls_the_operation(grad, y, axis):
    product = grad * y
    return product - y * sum(product, axis, keepdim=True)


@wrong("7.6", says="neither np.flip nor [::-1] turns a Tensor round: flipped(x, axis) does")
def flips_with_numpy(grad, x, axis):
    after = np.flip(before(np.flip(x, axis), axis), axis)
    return spread(grad, x.shape, (axis,)) * (before(x, axis) * after)


@wrong("7.6", says="its history is lost: flipped keeps it")
def flips_a_copy_with_numpy(grad, x, axis):
    still = x if type(x) is ndarray else x.detach().numpy()
    after = np.flip(before(np.flip(still, axis), axis), axis)
    return spread(grad, x.shape, (axis,)) * (before(x, axis) * after)


@wrong("7.6", says="[::-1] turns axis 0")
def slices_axis_0_backwards(grad, x, axis):
    after = before(x[::-1], axis)[::-1]
    return spread(grad, x.shape, (axis,)) * (before(x, axis) * after)


@wrong("7.6", says="only Tensors have flip(): flipped takes either")
def flips_by_the_method(grad, x, axis):
    after = before(x.flip(axis), axis).flip(axis)
    return spread(grad, x.shape, (axis,)) * (before(x, axis) * after)


@wrong("7.7", "proving.way_back_of", says="the function takes its inputs alone")
def upstream_goes_to_the_function(function):
    def way_back(*inputs):
        wanted = [x for x in inputs if x.requires_grad]
        y = function(*inputs)
        upstream = weights_for(y, seed=1).requires_grad_()
        found = grad(y, wanted, upstream, create_graph=True, allow_unused=True)
        return tuple([gradient for gradient in found if gradient is not None])

    return way_back


@wrong("7.7", "proving.way_back_of", says="that's of an upstream of its own")
def makes_an_upstream_of_its_own(function):
    def way_back(upstream, *inputs):
        wanted = [x for x in inputs if x.requires_grad]
        y = function(*inputs)
        upstream = weights_for(y, seed=1).requires_grad_()
        found = grad(y, wanted, upstream, create_graph=True, allow_unused=True)
        return tuple([gradient for gradient in found if gradient is not None])

    return way_back


@wrong("7.7", "proving.way_back_of", says="each input as an argument of its own")
def takes_the_inputs_as_a_list(function):
    def way_back(upstream, inputs):
        wanted = [x for x in inputs if x.requires_grad]
        found = grad(function(*inputs), wanted, upstream, create_graph=True, allow_unused=True)
        return tuple([gradient for gradient in found if gradient is not None])

    return way_back


@wrong("7.7", "proving.errors_of", says="it's way_back_of(function) that takes it")
def judges_the_function_with_upstream(function, inputs):
    upstream = weights_for(function(*inputs), seed=1).requires_grad_()
    return worst_error(function, inputs), worst_error(function, [upstream, *inputs])


@wrong("7.7", "proving.errors_of", says="way_back_of was never called")
def judges_the_sum_in_place_of_the_way_back(function, inputs):
    upstream = weights_for(function(*inputs), seed=1).requires_grad_()
    weighed = lambda sent, *given: (function(*given) * sent).sum()  # noqa: E731
    return worst_error(function, inputs), worst_error(weighed, [upstream, *inputs])


@wrong("7.7", "proving.errors_of", says="give it the function, not the gradients")
def calls_the_way_back_itself(function, inputs):
    upstream = weights_for(function(*inputs), seed=1).requires_grad_()
    gradients = way_back_of(function)(upstream, *inputs)
    return worst_error(function, inputs), worst_error(gradients, [upstream, *inputs])


@wrong("7.1", "ops.shapes.spread", says="np.float64 is no ndarray")
def what_is_no_array_is_a_tensor(grad, shape, axes, keepdim=False):
    kept = kept_shape(shape, axes)
    if isinstance(grad, ndarray):
        return np.broadcast_to(grad.reshape(kept), shape)
    return expand(grad.reshape(kept), shape)


@wrong("7.1", "ops.shapes.spread", says="changed the result of an earlier call")
def one_array_for_all_calls(grad, shape, axes, keepdim=False):
    grad = grad.reshape(kept_shape(shape, axes))
    if isinstance(grad, Tensor):
        return expanded(grad, shape)
    kept = spread.__dict__.setdefault(f"{shape} {grad.dtype}", np.empty(shape, grad.dtype))
    kept[...] = grad
    return kept


@wrong("7.1", "ops.shapes.inverse_order", says="an earlier call's")
def remembers_by_length(dims):
    order = tuple(sorted(range(len(dims)), key=dims.__getitem__))
    return inverse_order.__dict__.setdefault(f"of {len(dims)}", order)


@wrong("7.2", says="changed the result of an earlier call")
def one_array_for_large_results(values, shape, index):
    whole = np.zeros(shape, values.dtype)
    if math.prod(shape) > 100:
        whole = place_in_zeros.__dict__.setdefault(f"{shape} {values.dtype}", whole)
        whole[...] = 0
    add_at(whole, index, values)
    return whole


@wrong("7.2", says="each makes zeros of its own")
def zeros_made_once(values, shape, index):
    known, key = place_in_zeros.__dict__, f"{shape} {values.dtype}"
    whole = known.setdefault(key, np.zeros(shape, values.dtype))
    add_at(whole, index, values)
    return whole.copy()


@wrong("7.2", says="parts of index belong together")
def the_first_part_of_the_index(values, shape, index):
    whole = np.zeros(shape, values.dtype)
    add_at(whole, index[:1], values)
    return whole


@wrong("7.2", says="a mask picks where it's True")
def a_mask_as_numbers(values, shape, index):
    index = tuple([np.asarray(i, int) if isinstance(i, np.ndarray) else i for i in index])
    whole = np.zeros(shape, values.dtype)
    np.add.at(whole, index, values)
    return whole


@wrong("7.2", says="in int64")
def whole_numbers_become_floats(values, shape, index):
    whole = np.zeros(shape, values.dtype if values.dtype.kind == "f" else np.float64)
    add_at(whole, index, values)
    return whole


@wrong("7.2", says="come to the places that they're for")
def by_a_matrix_of_ones_and_zeros(values, shape, index):
    size = math.prod(shape)
    places = np.ravel(np.arange(size).reshape(shape)[index])
    hot = (places[:, None] == np.arange(size)).astype(values.dtype)
    return (np.ravel(values) @ hot).reshape(shape)


@wrong("7.3", "ops.linalg.matmul_right", says="element by element")
def right_element_by_element(grad, x, y):
    return x.swapaxes(-1, -2) * grad


@wrong("7.3", "ops.linalg.matmul_left", says="it doesn't transpose y")
def left_reshaped(grad, x, y):
    if y.shape[-1] == y.shape[-2]:
        return grad @ y.swapaxes(-1, -2)
    return grad @ y.reshape(*y.shape[:-2], y.shape[-1], y.shape[-2])


@wrong("7.3", "ops.linalg.matmul_right", says="only where there are three")
def right_counts_from_the_front(grad, x, y):
    return (x.T if x.ndim == 2 else x.swapaxes(1, 2)) @ grad


@wrong("7.3", "ops.linalg.matmul_left", says="NaN and infinity go their way")
def left_cleans_up(grad, x, y):
    if type(grad) is ndarray:
        grad = np.nan_to_num(grad)
    return grad @ y.swapaxes(-1, -2)


@wrong("7.4", "ops.reductions.log_of_sum", says="put it back outside the log")
def put_back_inside_the_log(x, axes):
    top = finite_max(x, axes)
    return np.log(np.add.reduce(np.exp(x - top), axes, keepdims=True) + top)


@wrong("7.4", "ops.reductions.log_of_sum", says="too large or too small")
def as_written_unless_it_overflows(x, axes):
    with np.errstate(all="ignore"):
        plain = np.log(np.add.reduce(np.exp(x), axes, keepdims=True))
    if np.isfinite(plain).all():
        return plain
    top = finite_max(x, axes)
    return np.log(np.add.reduce(np.exp(x - top), axes, keepdims=True)) + top


@wrong("7.4", "ops.reductions.log_of_sum", says="NaN gives NaN")
def nan_is_left_out(x, axes):
    x = np.where(np.isnan(x), x.dtype.type(-np.inf), x)
    top = finite_max(x, axes)
    return np.log(np.add.reduce(np.exp(x - top), axes, keepdims=True)) + top


@wrong("7.4", "ops.reductions.log_of_sum", says="np.float64 is no ndarray")
def writes_into_a_number(x, axes):
    top = finite_max(x, axes)
    work = x - top
    np.exp(work, out=work)
    return np.log(work.sum(axes, keepdims=True)) + top


@wrong("7.4", "ops.reductions.logsumexp_formula", says="one over the share")
def y_minus_x(grad, x, y, axes):
    kept = kept_shape(x.shape, axes)
    return grad.reshape(kept) * exp(y.reshape(kept) - x)


@wrong("7.4", "ops.reductions.logsumexp_formula", says="axes may be several")
def the_first_of_the_axes(grad, x, y, axes):
    kept = kept_shape(x.shape, axes[:1])
    return grad.reshape(kept) * exp(x - y.reshape(kept))


@wrong("7.5", "ops.reductions.softmax_formula", says="the y in the sum moves, too")
def the_y_in_the_sum_is_a_constant(grad, y, axis):
    still = y if type(y) is ndarray else y.detach()
    return grad * y - y * (grad * still).sum(axis=axis, keepdims=True)


@wrong("7.5", "ops.reductions.log_softmax_formula", says="shares its memory with grad")
def grad_itself_where_nothing_is_subtracted(grad, y, axis):
    total = grad.sum(axis=axis, keepdims=True)
    if type(total) is ndarray and not total.any():
        return grad
    return grad - exp(y) * total


@wrong("7.5", "ops.reductions.log_softmax_formula", says="that's the softmax's sum")
def the_sum_of_softmax(grad, y, axis):
    share = exp(y)
    return grad - share * (grad * share).sum(axis=axis, keepdims=True)


@wrong("7.6", says="dividing fails for more than zeros")
def divides_where_there_is_no_zero(grad, x, axis):
    if type(x) is ndarray and x.all():
        return spread(grad, x.shape, (axis,)) * (x.prod(axis=axis, keepdims=True) / x)
    after = flipped(before(flipped(x, axis), axis), axis)
    return spread(grad, x.shape, (axis,)) * (before(x, axis) * after)


@wrong("7.6", says="a 0 among the others makes their product 0")
def zeros_taken_for_ones(grad, x, axis):
    safe = x + (x == 0)
    return spread(grad, x.shape, (axis,)) * (safe.prod(axis=axis, keepdims=True) / safe)


@wrong("7.7", "proving.way_back_of", says="the function raises it, and an error that comes up is")
def no_gradients_where_it_fails(function):
    def way_back(upstream, *inputs):
        wanted = [x for x in inputs if x.requires_grad]
        try:
            found = grad(function(*inputs), wanted, upstream, create_graph=True, allow_unused=True)
        except RuntimeError:
            return ()
        return tuple([gradient for gradient in found if gradient is not None])

    return way_back


@wrong("7.7", "proving.way_back_of", says="also where both are one Tensor")
def each_tensor_once(function):
    def way_back(upstream, *inputs):
        wanted = list({id(x): x for x in inputs if x.requires_grad}.values())
        found = grad(function(*inputs), wanted, upstream, create_graph=True, allow_unused=True)
        return tuple([gradient for gradient in found if gradient is not None])

    return way_back


@wrong("7.7", "proving.way_back_of", says="keeps 3 of 3 results")
def keeps_all_results(function):
    results = []

    def way_back(upstream, *inputs):
        wanted = [x for x in inputs if x.requires_grad]
        results.append(function(*inputs))
        found = grad(results[-1], wanted, upstream, create_graph=True, allow_unused=True)
        return tuple([gradient for gradient in found if gradient is not None])

    return way_back


@wrong("7.7", "proving.errors_of", says="upstream belongs to the result")
def upstream_like_the_first_input(function, inputs):
    upstream = weights_for(inputs[0], seed=1).requires_grad_()
    return worst_error(function, inputs), worst_error(way_back_of(function), [upstream, *inputs])


@wrong("7.1", "ops.shapes.spread", says="it has to return what it makes")
def spread_makes_and_drops(grad, shape, axes, keepdim=False):
    expanded(grad.reshape(kept_shape(shape, axes)), shape)


@wrong("7.1", "ops.shapes.inverse_order", says="it has to return what it makes")
def order_is_made_and_dropped(dims):
    tuple(sorted(range(len(dims)), key=dims.__getitem__))


@wrong("7.1", "ops.shapes.inverse_order", says="the numbers from 0 to 2")
def of_four_dimensions_always(dims):
    return tuple(dims.index(i) for i in range(4))


@wrong("7.1", "ops.shapes.spread", says="expanded takes either")
def expands_by_the_method(grad, shape, axes, keepdim=False):
    return grad.reshape(kept_shape(shape, axes)).expand(shape)


@wrong("7.1", "ops.shapes.spread", says="axes are 2 here")
def the_first_axis_alone(grad, shape, axes, keepdim=False):
    return expanded(grad.reshape(kept_shape(shape, axes[:1])), shape)


@wrong("7.1", "ops.shapes.spread", says="also if the axis was kept")
def what_was_kept_is_as_it_came(grad, shape, axes, keepdim=False):
    if keepdim:
        return grad
    return expanded(grad.reshape(kept_shape(shape, axes)), shape)


@wrong("7.2", says="it gets arrays alone")
def gives_a_tensor(values, shape, index):
    whole = np.zeros(shape, values.dtype)
    add_at(whole, index, values)
    return wrap(whole)


@wrong("7.2", says="in this order")
def values_in_place_of_the_index(values, shape, index):
    whole = np.zeros(shape, values.dtype)
    add_at(whole, values, index)
    return whole


@wrong("7.2", says="an item may be a slice or a number")
def the_first_part_alone(values, shape, index):
    whole = np.zeros(shape, values.dtype)
    add_at(whole, index[0], values)
    return whole


@wrong("7.2", says="added to ones")
def begins_with_ones(values, shape, index):
    whole = np.ones(shape, values.dtype)
    add_at(whole, index, values)
    return whole


@wrong("7.2", says="values come in the order of index")
def picks_from_the_values(values, shape, index):
    whole = np.zeros(shape, values.dtype)
    add_at(whole, index, values[index])
    return whole


@wrong("7.2", says="as many as index names places")
def adds_a_one(values, shape, index):
    whole = np.zeros(shape, values.dtype)
    add_at(whole, index, 1)
    return whole


@wrong("7.3", "ops.linalg.matmul_left", says="it has to return what it makes")
def left_is_made_and_dropped(grad, x, y):
    grad @ y.swapaxes(-1, -2)


@wrong("7.3", "ops.linalg.matmul_left", says="that's grad * y, element by element")
def left_times_y(grad, x, y):
    return grad * y


@wrong("7.3", "ops.linalg.matmul_right", says="no sum")
def right_sums_at_the_end(grad, x, y):
    return (x.swapaxes(-1, -2) @ grad).sum(axis=0)


@wrong("7.3", "ops.linalg.matmul_left", says="wants all of the axes")
def left_by_the_transpose_of_arrays(grad, x, y):
    return grad @ y.transpose(-1, -2)


@wrong("7.4", "ops.reductions.log_of_sum", says="without a log")
def no_log_at_all(x, axes):
    top = finite_max(x, axes)
    return np.add.reduce(np.exp(x - top), axes, keepdims=True) + top


@wrong("7.4", "ops.reductions.log_of_sum", says="added, not multiplied")
def times_what_was_taken_out(x, axes):
    top = finite_max(x, axes)
    return top * np.log(np.add.reduce(np.exp(x - top), axes, keepdims=True))


@wrong("7.4", "ops.reductions.log_of_sum", says="the axis stays, with length 1")
def neither_keeps_its_axis(x, axes):
    top = x.max(axis=axes)
    return np.log(np.exp(x - top).sum(axis=axes)) + top


@wrong("7.4", "ops.reductions.log_of_sum", says="added up along axes")
def no_sum_before_the_log(x, axes):
    top = finite_max(x, axes)
    return np.log(np.exp(x - top)) + top


@wrong("7.4", "ops.reductions.log_of_sum", says="that's the largest alone")
def the_mean_of_exponentials(x, axes):
    top = finite_max(x, axes)
    return np.log(np.mean(np.exp(x - top), axes, keepdims=True)) + top


@wrong("7.4", "ops.reductions.logsumexp_formula", says="y is the log of the sum, not the sum")
def divides_by_the_log(grad, x, y, axes):
    kept = kept_shape(x.shape, axes)
    return grad.reshape(kept) * exp(x) / y.reshape(kept)


@wrong("7.4", "ops.reductions.logsumexp_formula", says="the log of the share")
def no_exp_at_all(grad, x, y, axes):
    kept = kept_shape(x.shape, axes)
    return grad.reshape(kept) * (x - y.reshape(kept))


@wrong("7.4", "ops.reductions.logsumexp_formula", says="take arrays alone: y knows the sum")
def takes_the_largest_out_of_tensors(grad, x, y, axes):
    kept = kept_shape(x.shape, axes)
    top = finite_max(x, axes)
    return grad.reshape(kept) * exp(x - top) / exp(y.reshape(kept) - top)


@wrong("7.5", "ops.reductions.softmax_formula", says="one table of slopes for all rows")
def a_table_of_all_slopes(grad, y, axis):
    table = np.diag(y) - np.outer(y, y)
    return table @ grad


@wrong("7.5", "ops.reductions.log_softmax_formula", says="one table of slopes for all rows")
def a_table_of_slopes_of_logs(grad, y, axis):
    table = np.eye(len(y)) - exp(y)[None, :]
    return grad @ table


@wrong("7.5", "ops.reductions.softmax_formula", says="of a number, axis is ()")
def unpacks_the_axis(grad, y, axis):
    product = grad * y
    return product - y * product.sum(axis=axis[0], keepdims=True)


@wrong("7.5", "ops.reductions.log_softmax_formula", says="that's grad itself")
def grad_itself_without_an_axis(grad, y, axis):
    if not axis:
        return grad
    return grad - exp(y) * grad.sum(axis=axis, keepdims=True)


@wrong("7.5", "ops.reductions.log_softmax_formula", says="only read: no grad -=")
def subtracts_in_place(grad, y, axis):
    grad -= exp(y) * grad.sum(axis=axis, keepdims=True)
    return grad


@wrong("7.6", says="not plus")
def before_plus_after(grad, x, axis):
    after = flipped(before(flipped(x, axis), axis), axis)
    return spread(grad, x.shape, (axis,)) * (before(x, axis) + after)


@wrong("7.6", says="only spread a tuple of it")
def one_tuple_for_all(grad, x, axis):
    axis = (axis,)
    after = flipped(before(flipped(x, axis), axis), axis)
    return spread(grad, x.shape, axis) * before(x, axis) * after


@wrong("7.6", says="and what stands after?")
def before_twice(grad, x, axis):
    return spread(grad, x.shape, (axis,)) * before(x, axis) * before(x, axis)


@wrong("7.7", "proving.way_back_of", says="it has to return way_back")
def way_back_is_made_and_dropped(function):
    def way_back(upstream, *inputs):
        wanted = [x for x in inputs if x.requires_grad]
        found = grad(function(*inputs), wanted, upstream, create_graph=True, allow_unused=True)
        return tuple([gradient for gradient in found if gradient is not None])


@wrong("7.7", "proving.way_back_of", says="calls nothing yet")
def calls_the_way_back_at_once(function):
    def way_back(upstream, *inputs):
        wanted = [x for x in inputs if x.requires_grad]
        found = grad(function(*inputs), wanted, upstream, create_graph=True, allow_unused=True)
        return tuple([gradient for gradient in found if gradient is not None])

    return way_back()


@wrong("7.7", "proving.way_back_of", says="each input is an argument of its own")
def inputs_as_one_argument(function):
    def way_back(upstream, *inputs):
        wanted = [x for x in inputs if x.requires_grad]
        found = grad(function(inputs), wanted, upstream, create_graph=True, allow_unused=True)
        return tuple([gradient for gradient in found if gradient is not None])

    return way_back


@wrong("7.7", "proving.way_back_of", says="upstream comes first")
def upstream_last_in_the_way_back(function):
    def way_back(*given):
        *inputs, upstream = given
        wanted = [x for x in inputs if x.requires_grad]
        found = grad(function(*inputs), wanted, upstream, create_graph=True, allow_unused=True)
        return tuple([gradient for gradient in found if gradient is not None])

    return way_back


@wrong("7.7", "proving.errors_of", says="each input stands in the list itself")
def a_list_in_the_list(function, inputs):
    upstream = weights_for(function(*inputs), seed=1).requires_grad_()
    return worst_error(function, inputs), worst_error(way_back_of(function), [upstream, inputs])


@wrong("7.7", "proving.errors_of", says="all inputs in one list")
def inputs_one_by_one(function, inputs):
    upstream = weights_for(function(*inputs), seed=1).requires_grad_()
    return worst_error(function, inputs), worst_error(way_back_of(function), upstream, *inputs)


@wrong("7.7", "proving.way_back_of", says="grad() raises it, and an error that comes up is")
def nothing_where_there_is_no_history(function):
    def way_back(upstream, *inputs):
        wanted = [x for x in inputs if x.requires_grad]
        y = function(*inputs)
        if not y.requires_grad:
            return ()
        found = grad(y, wanted, upstream, create_graph=True, allow_unused=True)
        return tuple([gradient for gradient in found if gradient is not None])

    return way_back


@wrong("7.1", "ops.shapes.inverse_order", says="that order moves nothing")
def rotates_by_one(dims):
    return (dims[-1], *dims[:-1])


@wrong("7.1", "ops.shapes.inverse_order", says="that turns all of them round")
def negates_the_dims(dims):
    return tuple(-d % len(dims) for d in dims)


@wrong("7.3", "ops.linalg.matmul_left", says="there may be no axes in front, or many")
def transposes_a_stack_of_three_axes(grad, x, y):
    return grad @ y.transpose(0, 2, 1)


@wrong("7.3", "ops.linalg.matmul_left", says="that's grad transposed, @ y")
def transposes_grad(grad, x, y):
    return grad.swapaxes(-1, -2) @ y


@wrong("7.3", "ops.linalg.matmul_right", says="that's x @ grad transposed")
def transposes_grad_not_x(grad, x, y):
    return x @ grad.swapaxes(-1, -2)


@wrong("7.4", "ops.reductions.log_of_sum", says="added again, not taken out twice")
def takes_the_largest_out_twice(x, axes):
    top = finite_max(x, axes)
    return np.log(np.exp(x - top).sum(axes, keepdims=True)) - top


@wrong("7.4", "ops.reductions.log_of_sum", says="that's one sum of all")
def sums_all_of_the_exponentials(x, axes):
    top = finite_max(x, axes)
    return top + np.log(np.exp(x - top).sum())


@wrong("7.4", "ops.reductions.log_of_sum", says="its log is -inf, with nothing added")
def adds_a_little_inside_the_log(x, axes):
    top = finite_max(x, axes)
    return top + np.log(np.exp(x - top).sum(axes, keepdims=True) + 1e-12)


@wrong("7.4", "ops.reductions.log_of_sum", says="what's expected is 3 + log(e⁰ + e⁰)")
def adds_one_inside_the_log(x, axes):
    top = finite_max(x, axes)
    return top + np.log1p(np.exp(x - top).sum(axes, keepdims=True))


@wrong("7.5", "ops.reductions.softmax_formula", says="from grad * y, which is missing")
def without_the_diagonal(grad, y, axis):
    return -y * (grad * y).sum(axis=axis, keepdims=True)


@wrong("7.5", "ops.reductions.softmax_formula", says="one y too many")
def one_share_too_many(grad, y, axis):
    return y * (grad - y * (grad * y).sum(axis=axis, keepdims=True))


@wrong("7.5", "ops.reductions.log_softmax_formula", says="from grad, which is missing")
def only_what_is_taken_away(grad, y, axis):
    return -exp(y) * grad.sum(axis=axis, keepdims=True)


@wrong("7.5", "ops.reductions.log_softmax_formula", says="here grad is summed alone")
def softmax_divided_by_the_share(grad, y, axis):
    return softmax_formula(grad, exp(y), axis) / exp(y)


@wrong("7.6", "ops.reductions.prod_formula", says="without a 0 among the numbers, each has a slope")
def only_zeros_move(grad, x, axis):
    is_zero = x == 0
    others = np.where(is_zero, 1, x).prod(axis, keepdims=True)
    return spread(grad, x.shape, (axis,)) * is_zero * others


@wrong("7.6", "ops.reductions.prod_formula", says="a number near 0 took the place of the 0")
def moves_the_zero_a_little(grad, x, axis):
    x = x + 1e-12
    return spread(grad, x.shape, (axis,)) * x.prod(axis, keepdims=True) / x


@wrong("7.6", "ops.reductions.prod_formula", says="each with the element itself in it")
def both_with_oneself(grad, x, axis):
    after = np.flip(np.cumprod(np.flip(x, axis), axis), axis)
    return spread(grad, x.shape, (axis,)) * np.cumprod(x, axis) * after


@wrong("7.6", "ops.reductions.prod_formula", says="grad comes in once")
def multiplies_each_factor_by_grad(grad, x, axis):
    x = spread(grad, x.shape, (axis,)) * x
    return before(x, axis) * flipped(before(flipped(x, axis), axis), axis)


@wrong("7.6", "ops.reductions.prod_formula", says="stands in row i")
def columns_into_rows(grad, x, axis):
    out = np.zeros(x.shape)
    for i in range(x.shape[axis]):
        out[i] = np.delete(x, i, axis).prod(axis)
    return spread(grad, x.shape, (axis,)) * out


@wrong("7.7", "proving.way_back_of", says="ask `is not None`")
def leaves_out_what_is_false(function):
    def way_back(upstream, *inputs):
        wanted = [x for x in inputs if x.requires_grad]
        y = function(*inputs)
        found = grad(y, wanted, upstream, create_graph=True, allow_unused=True)
        return tuple([gradient for gradient in found if gradient])

    return way_back


@wrong("7.7", "proving.errors_of", says="as one list, and got a Tensor in its place")
def hands_the_inputs_with_a_star(function, inputs):
    upstream = weights_for(function(*inputs), seed=1).requires_grad_()
    second = worst_error(way_back_of(function), [upstream, *inputs])
    return worst_error(function, *inputs), second


@wrong("7.2", says="an item for each axis, not for each value")
def an_index_for_each_value(values, shape, index):
    whole = np.zeros(shape, values.dtype)
    for i, value in enumerate(values):
        whole[index[i]] += value
    return whole


@wrong("7.2", says="an item may be a slice or a number")
def places_are_always_listed(values, shape, index):
    whole = np.zeros(shape, values.dtype)
    for i, value in enumerate(values):
        whole[index[0][i]] += value
    return whole


@wrong("7.2", says="was in memory before")
def begins_with_whatever_was_there(values, shape, index):
    whole = np.empty(shape, values.dtype)
    add_at(whole, index, values)
    return whole


@wrong(
    "7.3",
    "ops.linalg.matmul_right",
    says="each number of a factor has a gradient of its own: no sum",
)
def right_sums_and_keeps_the_axis(grad, x, y):
    return (x.mT @ grad).sum(axis=0, keepdims=True)


@wrong("7.3", "ops.linalg.matmul_left", says="of its own: no mean")
def left_is_a_mean(grad, x, y):
    product = grad @ y.mT
    return product.mean(axis=0, keepdims=True) if grad.ndim > 2 else product


@wrong("7.4", "ops.reductions.logsumexp_formula", says="both are logarithms")
def divides_logarithms(grad, x, y, axes):
    kept = kept_shape(x.shape, axes)
    return grad.reshape(kept) * x / y.reshape(kept)


@wrong("7.4", "ops.reductions.logsumexp_formula", says="that's one sum of all")
def one_sum_for_the_shares(grad, x, y, axes):
    powers = exp(x)
    return grad.reshape(kept_shape(x.shape, axes)) * powers / powers.sum()


@wrong("7.5", "ops.reductions.softmax_formula", says="it's the sum that's shared out")
def the_mean_of_the_products(grad, y, axis):
    product = grad * y
    return product - y * product.mean(axis=axis, keepdims=True)


@wrong("7.5", "ops.reductions.softmax_formula", says="y is missing")
def no_share_at_the_end(grad, y, axis):
    return grad - (grad * y).sum(axis=axis, keepdims=True)


@wrong("7.5", "ops.reductions.log_softmax_formula", says="exp(y) is the share")
def divides_the_softmax_by_the_log(grad, y, axis):
    return softmax_formula(grad, y, axis) / y


@wrong("7.6", "ops.reductions.prod_formula", says="what's run through is x alone")
def runs_through_what_came_of_the_run(grad, x, axis):
    product = spread(grad, x.shape, (axis,)) * before(x, axis)
    return flipped(before(flipped(product, axis), axis), axis)


@wrong("7.6", "ops.reductions.prod_formula", says="what's run through is x alone")
def runs_through_grad_as_well(grad, x, axis):
    product = spread(grad, x.shape, (axis,)) * x
    return before(x, axis) * flipped(before(flipped(product, axis), axis), axis)


@wrong("7.7", "proving.errors_of", says="that's the way back of a way back")
def the_way_back_of_the_way_back(function, inputs):
    upstream = weights_for(function(*inputs), seed=1).requires_grad_()
    back = way_back_of(function)
    return worst_error(back, [upstream, *inputs]), worst_error(
        way_back_of(back), [upstream, *inputs]
    )


@wrong("7.1", "ops.shapes.spread", says="of a Tensor, has no history")
def deaf_for_a_single_number(grad, shape, axes, keepdim=False):
    if not grad.ndim:
        return expanded(grad.detach() if isinstance(grad, Tensor) else grad, shape)
    return expanded(grad.reshape(kept_shape(shape, axes)), shape)


@wrong("7.1", "ops.shapes.spread", says="axes may be in any order, here (1, 0)")
def tensors_get_their_axes_in_the_order_given(grad, shape, axes, keepdim=False):
    if isinstance(grad, Tensor) and grad.ndim < len(shape):
        for axis in axes:
            grad = grad.unsqueeze(min(axis, grad.ndim))
        return expand(grad, shape)
    return expanded(grad.reshape(kept_shape(shape, axes)) if grad.ndim else grad, shape)


@wrong("7.1", "ops.shapes.spread", says="that's the shape of grad: repeat it up to `shape`")
def an_empty_gradient_stays_as_it_is(grad, shape, axes, keepdim=False):
    if 0 in grad.shape:
        return grad
    return expanded(grad.reshape(kept_shape(shape, axes)), shape)


@wrong("7.2", "ops.indexing.place_in_zeros", says="come to the places that they're for")
def a_product_with_ones_and_zeros(values, shape, index):
    plain = len(index) == 1 and isinstance(index[0], np.ndarray) and index[0].dtype.kind == "i"
    if plain and len(shape) == 1 and values.ndim == 1 and values.size:
        return values @ np.eye(shape[0], dtype=values.dtype)[index[0]]
    whole = np.zeros(shape, values.dtype)
    add_at(whole, index, values)
    return whole


@wrong("7.2", "ops.indexing.place_in_zeros", says="NaN and infinity are added like any other")
def leaves_nan_out(values, shape, index):
    whole = np.zeros(shape, values.dtype)
    add_at(whole, index, np.nan_to_num(values) if values.dtype.kind == "f" else values)
    return whole


@wrong("7.2", "ops.indexing.place_in_zeros", says="NumPy makes float64 where it isn't told")
def counts_with_weights(values, shape, index):
    if len(shape) == 1 and isinstance(index[0], np.ndarray) and index[0].dtype.kind == "i":
        places = index[0].ravel() % shape[0]
        return np.bincount(places, weights=values.ravel(), minlength=shape[0])
    whole = np.zeros(shape, values.dtype)
    add_at(whole, index, values)
    return whole


@wrong("7.3", "ops.linalg.matmul_left", says="reshape reads the same rows on")
def reshapes_the_last_two(grad, x, y):
    return grad @ y.reshape((*y.shape[:-2], y.shape[-1], y.shape[-2]))


@wrong("7.3", "ops.linalg.matmul_left", says="got None for a factor")
def none_for_none(grad, x, y):
    if x is None or y is None:
        return None
    return grad @ y.mT


@wrong("7.3", "ops.linalg.matmul_left", says="the axes in front meet by broadcasting")
def flattens_the_stacks(grad, x, y):
    if grad.ndim == 2 or y.ndim == 2:
        return grad @ y.mT
    g, other = (m.reshape((-1, *m.shape[-2:])) for m in (grad, y))
    return (g @ other.mT).reshape((*grad.shape[:-1], y.shape[-2]))


@wrong("7.3", "ops.linalg.matmul_left", says="that's dot()")
def dot_in_place_of_at(grad, x, y):
    return grad.dot(y.mT) if type(grad) is ndarray else grad @ y.mT


@wrong("7.3", "ops.linalg.matmul_right", says="of Tensors, stacks of shape (3, 3, 3)")
def tensors_turn_all_axes(grad, x, y):
    return (x.mT if type(x) is ndarray else x.T) @ grad


@wrong("7.4", "ops.reductions.log_of_sum", says="each has a largest of its own")
def one_nan_for_all_sums(x, axes):
    if np.isnan(x).any():
        return np.full(kept_shape(x.shape, axes), np.nan, x.dtype)
    top = finite_max(x, axes)
    return np.log(np.exp(x - top).sum(axes, keepdims=True)) + top


@wrong("7.4", "ops.reductions.log_of_sum", says="each has a largest of its own")
def nothing_taken_out_beside_infinity(x, axes):
    top = np.maximum.reduce(x, axes, keepdims=True, initial=-np.inf)
    top = top if np.isfinite(top).all() else np.zeros_like(top)
    return np.log(np.exp(x - top).sum(axes, keepdims=True)) + top


@wrong("7.4", "ops.reductions.log_of_sum", says="taken out first, and that's -1000")
def the_largest_by_size(x, axes):
    top = finite_max(abs(x), axes)
    return np.log(np.exp(x - top).sum(axes, keepdims=True)) + top


@wrong("7.4", "ops.reductions.logsumexp_formula", says="though 0 came")
def zero_came_so_zero_goes(grad, x, y, axes):
    kept = kept_shape(x.shape, axes)
    grad = grad.reshape(kept)
    return where(grad == 0, 0.0, grad * exp(x - y.reshape(kept)))


@wrong("7.4", "ops.reductions.logsumexp_formula", says="each row has a gradient of its own")
def one_nan_for_all_shares(grad, x, y, axes):
    kept = kept_shape(x.shape, axes)
    share = grad.reshape(kept) * exp(x - y.reshape(kept))
    return share * np.nan if (x != x).any() else share


@wrong("7.5", "ops.reductions.softmax_formula", says="though 0 came")
def no_gradient_of_no_gradient(grad, y, axis):
    if type(grad) is not ndarray and grad.ndim and not (grad != 0).any():
        grad = grad.detach()
    product = grad * y
    return product - y * product.sum(axis=axis, keepdims=True)


@wrong("7.5", "ops.reductions.log_softmax_formula", says="a share may be 0, and is no divisor")
def tensors_through_the_softmax(grad, y, axis):
    if type(y) is not ndarray:
        return softmax_formula(grad / exp(y), exp(y), axis)
    return grad - exp(y) * grad.sum(axis=axis, keepdims=True)


@wrong("7.6", "ops.reductions.prod_formula", says="though 0 came")
def zero_goes_where_zero_came(grad, x, axis):
    sent = spread(grad, x.shape, (axis,))
    after = flipped(before(flipped(x, axis), axis), axis)
    return where(sent == 0, 0.0, sent * (before(x, axis) * after))


@wrong("7.6", "ops.reductions.prod_formula", says="of Tensors = 0, expected 1: dividing fails")
def tensors_are_divided(grad, x, axis):
    sent = spread(grad, x.shape, (axis,))
    if type(x) is not ndarray and not (x == 0).any():
        return sent * (x.prod(axis, keepdims=True) / x)
    after = flipped(before(flipped(x, axis), axis), axis)
    return sent * (before(x, axis) * after)


@wrong("7.6", "ops.reductions.prod_formula", says="expected 1e+137: dividing fails")
def divides_a_product_with_few_digits(grad, x, axis):
    sent, product = spread(grad, x.shape, (axis,)), x.prod(axis, keepdims=True)
    bare = product if type(product) is ndarray else product.detach().numpy()
    if np.isfinite(bare).all() and bare.all():
        return sent * (product / x)
    after = flipped(before(flipped(x, axis), axis), axis)
    return sent * (before(x, axis) * after)


@wrong("7.6", "ops.reductions.prod_formula", says="a number near 0 took the place of the 0")
def zeros_become_tiny_numbers(grad, x, axis):
    x = x + (x == 0) * 1e-30
    return spread(grad, x.shape, (axis,)) * (x.prod(axis, keepdims=True) / x)


@wrong("7.7", "proving.way_back_of", says="x not requiring grad, gave (), expected RuntimeError")
def nothing_asked_nothing_given(function):
    def way_back(upstream, *inputs):
        wanted = [x for x in inputs if x.requires_grad]
        if not wanted:
            return ()
        found = grad(function(*inputs), wanted, upstream, create_graph=True, allow_unused=True)
        return tuple(gradient for gradient in found if gradient is not None)

    return way_back


@wrong("7.7", "proving.way_back_of", says="x.grad after way_back_of of x * x, whose formula raises")
def borrows_the_grad(function):
    def way_back(upstream, *inputs):
        wanted = [x for x in inputs if x.requires_grad]
        y = function(*inputs)
        before = [x.grad for x in wanted]
        for x in wanted:
            x.grad = None
        y.backward(upstream, create_graph=True, inputs=wanted)
        found = tuple(x.grad for x in wanted if x.grad is not None)
        for x, old in zip(wanted, before, strict=True):
            x.grad = old
        return found

    return way_back


@wrong("7.7", "proving.way_back_of", says="that's 1 too many, and 1 is what x.grad was before")
def adds_to_the_grad(function):
    def way_back(upstream, *inputs):
        function(*inputs).backward(upstream, create_graph=True)
        found = tuple(x.grad for x in inputs if x.requires_grad and x.grad is not None)
        for x in inputs:
            x.grad = None
        return found

    return way_back


@wrong("7.7", "proving.way_back_of", says="upstream's requires_grad after way_back_of of x * x")
def switches_upstream_on(function):
    def way_back(upstream, *inputs):
        if upstream.is_leaf:
            upstream.requires_grad_()
        wanted = [x for x in inputs if x.requires_grad]
        found = grad(function(*inputs), wanted, upstream, create_graph=True, allow_unused=True)
        return tuple(gradient for gradient in found if gradient is not None)

    return way_back


@wrong("7.7", "proving.errors_of", says="it's what worst_error says, NaN as well")
def a_nan_is_no_error(function, inputs):
    upstream = weights_for(function(*inputs), seed=1).requires_grad_()
    pairs = (function, inputs), (way_back_of(function), [upstream, *inputs])
    return tuple(max(0.0, worst_error(f, given)) for f, given in pairs)


@wrong("7.7", "proving.errors_of", says="each number of the result was sent the same")
def the_way_back_of_the_sum(function, inputs):
    total = lambda *given: function(*given).sum()  # noqa: E731
    upstream = weights_for(total(*inputs), seed=1).requires_grad_()
    return worst_error(function, inputs), worst_error(way_back_of(total), [upstream, *inputs])


@wrong("7.5", "ops.reductions.softmax_formula", says="a table of all slopes is n * n: make none")
def the_whole_table(grad, y, axis):
    if not axis:
        return grad * y - y * (grad * y)
    g, s = grad.swapaxes(axis[0], -1), y.swapaxes(axis[0], -1)
    n = s.shape[-1]
    ones = np.eye(n, dtype=s.dtype) if type(s) is ndarray else wrap(np.eye(n, dtype=s.dtype))
    column, row = s.reshape((*s.shape, 1)), s.reshape((*s.shape[:-1], 1, n))
    table = column * ones - column * row
    found = (table * g.reshape((*g.shape[:-1], 1, n))).sum(axis=-1)
    return found.swapaxes(axis[0], -1)


@wrong("7.3", "ops.linalg.matmul_left", says="no array holds all n * n * n products")
def all_products_at_once(grad, x, y):
    g = grad.reshape((*grad.shape[:-1], 1, grad.shape[-1]))
    return (g * y.reshape((*y.shape[:-2], 1, *y.shape[-2:]))).sum(axis=-1)


@wrong("7.2", "ops.indexing.place_in_zeros", says="add each value at its place")
def looks_at_all_picks_for_each_row(values, shape, index):
    whole = np.zeros(shape, values.dtype)
    plain = len(index) == 1 and isinstance(index[0], np.ndarray) and index[0].dtype.kind == "i"
    if not plain or index[0].ndim != 1:
        add_at(whole, index, values)
        return whole
    rows = index[0] % max(shape[0], 1)
    for row in range(shape[0]):
        for value in values[rows == row]:
            whole[row] += value
    return whole


@wrong("7.6", "ops.reductions.prod_formula", says="run through them once from each end")
def all_the_others_for_each(grad, x, axis):
    sent, n, found = spread(grad, x.shape, (axis,)), x.shape[axis], []
    if n < 2:
        return sent * (x * 0 + 1)
    parts = [x[along(axis, slice(i, i + 1))] for i in range(n)]
    for i in range(n):
        others = [part for j, part in enumerate(parts) if j != i]
        product = others[0]
        for part in others[1:]:
            product = product * part
        found.append(product)
    return sent * (np.concatenate(found, axis) if type(x) is ndarray else cat(found, axis))


@wrong("7.6", "ops.reductions.prod_formula", says="a special case that answers 0 has lost that")
def zeros_of_x_where_there_are_two(grad, x, axis):
    zeros = ((x if type(x) is ndarray else x.detach().numpy()) == 0).sum(axis=axis)
    if zeros.size and zeros.max() > 1:
        return x * 0
    after = flipped(before(flipped(x, axis), axis), axis)
    return spread(grad, x.shape, (axis,)) * (before(x, axis) * after)


@wrong("7.6", "ops.reductions.prod_formula", says="a special case that answers 0 has lost that")
def zeros_of_both_where_there_are_two(grad, x, axis):
    zeros = ((x if type(x) is ndarray else x.detach().numpy()) == 0).sum(axis=axis)
    if zeros.size and zeros.max() > 1:
        return spread(grad, x.shape, (axis,)) * x * 0
    after = flipped(before(flipped(x, axis), axis), axis)
    return spread(grad, x.shape, (axis,)) * (before(x, axis) * after)


@wrong("7.6", "ops.reductions.prod_formula", says="a special case that answers 0 has lost that")
def plain_zeros_where_there_are_two(grad, x, axis):
    zeros = ((x if type(x) is ndarray else x.detach().numpy()) == 0).sum(axis=axis)
    if zeros.size and zeros.max() > 1:
        return np.zeros(x.shape, grad.dtype if type(grad) is ndarray else np.float64)
    after = flipped(before(flipped(x, axis), axis), axis)
    return spread(grad, x.shape, (axis,)) * (before(x, axis) * after)


@wrong("7.2", "ops.indexing.place_in_zeros", says="whatever picked: index may be of several")
def one_hot_of_the_first_item(values, shape, index):
    if type(index[0]) in (slice, int) or index[0].dtype.kind != "i":
        return np.zeros(shape[1:], values.dtype)
    return np.eye(shape[0], dtype=values.dtype)[index[0]].T @ values


@wrong("7.2", "ops.indexing.place_in_zeros", says="each column has a sum of its own")
def sums_over_the_columns_too(values, shape, index):
    whole = np.zeros(shape, values.dtype)
    for i in range(shape[0]):
        whole[i] = values[index[0] == i].sum()
    return whole


@wrong("7.2", "ops.indexing.place_in_zeros", says="the zeros have the dtype of values")
def zeros_of_whole_numbers(values, shape, index):
    whole = np.zeros(shape, int)
    np.add.at(whole, index, values.astype(int))
    return whole


@wrong("7.4", "ops.reductions.log_of_sum", says="or the log of a mean")
def the_log_of_a_mean(x, axes):
    top = finite_max(x, axes)
    return np.log(np.exp(x - top).mean(axis=axes, keepdims=True)) + top


@wrong("7.7", "proving.way_back_of", says="nothing leads from its result to the inputs")
def the_gradients_of_others_than_took_part(function):
    def way_back(upstream, *inputs):
        wanted = [x for x in inputs if x.requires_grad]
        y = function(*[x.detach().requires_grad_(x.requires_grad) for x in inputs])
        return grad(y, wanted, upstream, create_graph=True, allow_unused=True)

    return way_back


@wrong("7.7", "proving.way_back_of", says="copies that don't require grad: hand on the inputs")
def a_function_of_copies(function):
    def way_back(upstream, *inputs):
        y = function(*[x.detach() for x in inputs])
        found = grad(y, inputs, upstream, create_graph=True, allow_unused=True)
        return tuple([gradient for gradient in found if gradient is not None])

    return way_back


@wrong("7.7", "proving.way_back_of", says="(upstream, *inputs)")
def upstream_by_its_name(function):
    def way_back(*inputs, upstream):
        wanted = [x for x in inputs if x.requires_grad]
        found = grad(function(*inputs), wanted, upstream, create_graph=True, allow_unused=True)
        return tuple([gradient for gradient in found if gradient is not None])

    return way_back


@wrong("7.7", "proving.errors_of", says="copies that don't require grad: hand on the inputs")
def the_way_back_at_copies(function, inputs):
    upstream = weights_for(function(*inputs), seed=1).requires_grad_()
    copies = [x.detach() for x in inputs]
    return worst_error(function, inputs), worst_error(way_back_of(function), [upstream, *copies])


@wrong("7.2", "ops.indexing.place_in_zeros", says="add each value at its place")
def groups_by_place_first(values, shape, index):
    places = np.arange(math.prod(shape)).reshape(shape)[index]
    whole = np.zeros(math.prod(shape), values.dtype)
    for place in np.unique(places):
        whole[place] = values[places == place].sum()
    return whole.reshape(shape)


@wrong("7.2", "ops.indexing.place_in_zeros", says="-1 is the last place")
def clips_what_is_negative(values, shape, index):
    whole = np.zeros(shape, values.dtype)
    if len(index) == len(shape) and all(isinstance(item, np.ndarray) for item in index):
        places = np.ravel_multi_index([item * 1 for item in index], shape, mode="clip")
        np.add.at(whole.reshape(-1), places, values)
    else:
        np.add.at(whole, index, values)
    return whole


@wrong("7.2", "ops.indexing.place_in_zeros", says="add_at wants an array: np.zeros")
def zeros_are_a_tensor(values, shape, index):
    from tinytorch import zeros

    whole = zeros(*shape)
    add_at(whole, index, values)
    return whole
