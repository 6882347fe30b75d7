"""Wrong answers to the exercises of chapter 4, each with words that its message must contain."""

from course.misconceptions import wrong


@wrong("4.1", says="compare from the last axis")
def compares_from_the_left(a, b):
    ndim = max(len(a), len(b))
    padded_a = tuple(a) + (1,) * (ndim - len(a))
    padded_b = tuple(b) + (1,) * (ndim - len(b))
    for m, n in zip(padded_a, padded_b, strict=True):
        if m != n and 1 not in (m, n):
            raise RuntimeError(f"shapes {tuple(a)} and {tuple(b)} do not broadcast")
    return tuple(n if m == 1 else m for m, n in zip(padded_a, padded_b, strict=True))


@wrong("4.1", says="not the larger of the two")
def takes_the_larger_size(a, b):
    ndim = max(len(a), len(b))
    padded_a = (1,) * (ndim - len(a)) + tuple(a)
    padded_b = (1,) * (ndim - len(b)) + tuple(b)
    for m, n in zip(padded_a, padded_b, strict=True):
        if m != n and 1 not in (m, n):
            raise RuntimeError(f"shapes {tuple(a)} and {tuple(b)} do not broadcast")
    return tuple(max(m, n) for m, n in zip(padded_a, padded_b, strict=True))


@wrong("4.1", says="fit only if one of them is 1")
def never_complains(a, b):
    ndim = max(len(a), len(b))
    padded_a = (1,) * (ndim - len(a)) + tuple(a)
    padded_b = (1,) * (ndim - len(b)) + tuple(b)
    return tuple(n if m == 1 else m for m, n in zip(padded_a, padded_b, strict=True))


@wrong("4.1", says="fit only if one of them is 1")
def stretches_multiples(a, b):
    ndim = max(len(a), len(b))
    padded_a = (1,) * (ndim - len(a)) + tuple(a)
    padded_b = (1,) * (ndim - len(b)) + tuple(b)
    for m, n in zip(padded_a, padded_b, strict=True):
        if 0 not in (m, n) and m % n != 0 and n % m != 0:
            raise RuntimeError(f"shapes {tuple(a)} and {tuple(b)} do not broadcast")
    return tuple(n if m == 1 or n % m == 0 else m for m, n in zip(padded_a, padded_b, strict=True))


@wrong("4.1", says="name both shapes")
def lets_numpy_complain(a, b):
    return np.broadcast_shapes(a, b)


@wrong("4.1", says="it should say (4, 3)")
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


@wrong("4.1", says="fits everything")
def a_0d_tensor_gives_an_empty_shape(a, b):
    if () in (a, b):
        return ()
    try:
        return np.broadcast_shapes(a, b)
    except ValueError:
        raise RuntimeError(f"shapes {a} and {b} do not broadcast") from None


@wrong("4.2", "Sum.forward", says="0 is an axis, too")
def axis_zero_taken_for_none(ctx, x, axis, keepdims):
    total = x.data.sum(axis=axis or None, keepdims=True)
    ctx.shape, ctx.kept_shape = x.shape, total.shape
    return Tensor(total if keepdims else total.squeeze(axis or None))


@wrong("4.2", "Sum.forward", says="the summed axis stays, with length 1")
def forgets_keepdims(ctx, x, axis, keepdims):
    ctx.shape, ctx.kept_shape = x.shape, x.data.sum(axis=axis, keepdims=True).shape
    return Tensor(x.data.sum(axis=axis))


@wrong("4.2", "Sum.forward", says="drop the summed axis only")
def drops_every_axis_of_length_one(ctx, x, axis, keepdims):
    total = x.data.sum(axis=axis, keepdims=True)
    ctx.shape, ctx.kept_shape = x.shape, total.shape
    return Tensor(total if keepdims else total.squeeze())


@wrong("4.2", says="the last two get None")
class OneGradientForThreeInputs:
    def backward(ctx, grad_z):
        return grad_z.reshape(ctx.kept_shape) * ones(ctx.shape)


@wrong("4.2", "Sum.backward", says="put the summed axis back first")
def leaves_it_to_broadcasting(ctx, grad_z):
    return grad_z * ones(ctx.shape), None, None


@wrong("4.2", "Sum.backward", says="receives all of grad_z, not a share")
def shares_the_gradient_out(ctx, grad_z):
    grad_x = grad_z.reshape(ctx.kept_shape) * ones(ctx.shape)
    return grad_x * (grad_z.data.size / grad_x.data.size), None, None


@wrong("4.2", "Sum.backward", says="receives all of grad_z")
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


@wrong("4.2", "Sum.forward", says="all of them are summed")
def sums_the_first_axis_of_a_tuple(ctx, x, axis, keepdims):
    axis = axis[0] if isinstance(axis, tuple) else axis
    total = x.data.sum(axis=axis, keepdims=True)
    ctx.shape, ctx.kept_shape = x.shape, total.shape
    return Tensor(total if keepdims else total.squeeze(axis))


@wrong("4.2", says="that of the sum with keepdims=True")
class PutsBackWhatWasKept:
    def forward(ctx, x, axis, keepdims):
        ctx.shape, ctx.axis = x.shape, axis
        return Tensor(x.data.sum(axis=axis, keepdims=keepdims))

    def backward(ctx, grad_z):
        if ctx.axis is not None:
            grad_z = Tensor(np.expand_dims(grad_z.data, ctx.axis))
        return grad_z * ones(ctx.shape), None, None


@wrong("4.3", says="and keep it with length 1")
def sums_new_leading_axes_only(grad, shape):
    new = len(grad.shape) - len(shape)
    return grad.sum(axis=tuple(range(new)))


@wrong("4.3", says="take the sum over the axis put in front")
def sums_axes_of_length_one_only(grad, shape):
    new = len(grad.shape) - len(shape)
    stretched = tuple(new + i for i, size in enumerate(shape) if size == 1)
    return grad.sum(axis=stretched, keepdims=True)


@wrong("4.3", says="take the sum over the axis put in front")
def takes_the_mean_of_the_copies(grad, shape):
    new = len(grad.shape) - len(shape)
    stretched = [new + i for i, size in enumerate(shape) if size == 1]
    return grad.mean(axis=(*range(new), *stretched)).reshape(shape)


@wrong("4.3", says="and keep it with length 1")
def loses_the_axis_of_length_one(grad, shape):
    new = len(grad.shape) - len(shape)
    stretched = [new + i for i, size in enumerate(shape) if size == 1]
    return grad.sum(axis=(*range(new), *stretched))


@wrong("4.3", says="axis i of the shape is axis new + i of the gradient")
def counts_stretched_axes_from_the_wrong_end(grad, shape):
    new = len(grad.shape) - len(shape)
    axes = {*range(new), *(i for i, size in enumerate(shape) if size == 1)}
    total = grad.sum(axis=tuple(sorted(axes)))
    return total.reshape(shape) if total.data.size == np.prod(shape) else total


@wrong("4.3", says="and two inputs would share it")
def hands_an_equal_shape_through(grad, shape):
    if grad.shape == tuple(shape):
        return grad
    new = len(grad.shape) - len(shape)
    stretched = [new + i for i, size in enumerate(shape) if size == 1]
    return grad.sum(axis=(*range(new), *stretched)).reshape(shape)


@wrong("4.3", says="a 0-d tensor served every element")
def leaves_0d_tensors_out(grad, shape):
    if shape == ():
        return grad
    new = len(grad.shape) - len(shape)
    stretched = [new + i for i, size in enumerate(shape) if size == 1]
    return grad.sum(axis=(*range(new), *stretched)).reshape(shape)


@wrong("4.3", says="take the sum over the axis put in front")
def takes_the_first_copy(grad, shape):
    data = grad.data
    while data.ndim > len(shape):
        data = data[0]
    for axis, size in enumerate(shape):
        data = data.sum(axis=axis, keepdims=True) if size == 1 else data
    return Tensor(data)


@wrong("4.3", says="did not end within")
def sums_the_first_axis_until_it_fits(grad, shape):
    while grad.shape != shape:
        grad = grad.sum(axis=0, keepdims=len(grad.shape) == 1)
    return grad


@wrong("4.4", "Add.backward", says="unbroadcast the gradient to the shape of each input")
def add_of_chapter_3(ctx, grad_z):
    return grad_z, grad_z


@wrong("4.4", "Add.backward", says="has shape (3,), expected shape (2, 3)")
def add_gives_both_the_shape_of_the_second(ctx, grad_z):
    _, y_shape = ctx.shapes
    return unbroadcast(grad_z, y_shape), unbroadcast(grad_z, y_shape)


@wrong("4.4", "Add.backward", says="x and y received the same array")
def add_takes_a_short_cut_for_equal_shapes(ctx, grad_z):
    x_shape, y_shape = ctx.shapes
    if x_shape == y_shape:
        return grad_z, grad_z
    return unbroadcast(grad_z, x_shape), unbroadcast(grad_z, y_shape)


@wrong("4.4", "Mul.backward", says="has shape (3, 4), expected shape (1, 4)")
def mul_mends_the_first_input_only(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z * y, x.shape), grad_z * x


@wrong("4.4", "Mul.backward", says="multiply first (shape (3, 4)), then unbroadcast")
def mul_sums_before_it_multiplies(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z, x.shape) * y, unbroadcast(grad_z, y.shape) * x


@wrong("4.4", "Mul.backward", says="multiply first (shape (3, 4)), then unbroadcast")
def mul_gives_each_its_own_value(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z * x, x.shape), unbroadcast(grad_z * y, y.shape)


@wrong("4.4", "Div.backward", says="divide first, then unbroadcast")
def div_loses_the_minus_sign(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z / y, x.shape), unbroadcast(grad_z * x / (y * y), y.shape)


@wrong("4.4", "Div.backward", says="divide first, then unbroadcast")
def div_sums_before_it_multiplies(ctx, grad_z):
    x, y = ctx.saved_tensors
    grad_y = unbroadcast(grad_z, y.shape) * unbroadcast(x, y.shape)
    return unbroadcast(grad_z / y, x.shape), -grad_y / (y * y)


@wrong("4.4", "Div.backward", says="has shape (2,), expected shape ()")
def div_mends_the_first_input_only(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z / y, x.shape), -grad_z * x / (y * y)


@wrong("4.5", says="divide by the number of elements that were summed")
def divides_by_all_elements(self, axis=None, keepdims=False):
    return self.sum(axis, keepdims) / self.data.size


@wrong("4.5", says="divide by the number of elements that were summed")
def divides_by_the_number_of_rows(self, axis=None, keepdims=False):
    n = self.data.size if axis is None else self.shape[0]
    return self.sum(axis, keepdims) / n


@wrong("4.5", says="hand keepdims on to sum")
def forgets_keepdims_in_mean(self, axis=None, keepdims=False):
    total = self.sum(axis)
    return total * (total.data.size / self.data.size)


@wrong("4.5", says="np.mean leaves no history")
def lets_numpy_do_it(self, axis=None, keepdims=False):
    return Tensor(self.data.mean(axis=axis, keepdims=keepdims))


@wrong("4.5", says="count by comparing sizes, not by looking up axis")
def counts_one_axis_of_a_tuple(self, axis=None, keepdims=False):
    first = axis[0] if isinstance(axis, tuple) else axis
    n = self.data.size if axis is None else self.shape[first]
    return self.sum(axis, keepdims) / n


@wrong("4.5", says="must be a plain float")
def scales_by_a_float64(self, axis=None, keepdims=False):
    total = self.sum(axis, keepdims)
    return total * np.array(total.data.size / self.data.size)


@wrong("4.6", says="w served the whole batch")
def forgets_the_batch(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z @ y.mT, x.mT @ grad_z


@wrong("4.6", says="unbroadcast both gradients")
def mends_the_right_matrix_only(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z @ y.mT, unbroadcast(x.mT @ grad_z, y.shape)


@wrong("4.6", says="a batch axis of length 1 is summed too")
def sums_new_batch_axes_only(ctx, grad_z):
    x, y = ctx.saved_tensors
    grad_x, grad_y = grad_z @ y.mT, x.mT @ grad_z
    grad_x = grad_x.sum(axis=tuple(range(len(grad_x.shape) - len(x.shape))))
    grad_y = grad_y.sum(axis=tuple(range(len(grad_y.shape) - len(y.shape))))
    return grad_x, grad_y


@wrong("4.6", says="order and transposes matter")
def forgets_the_transposes(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z @ y, x.shape), unbroadcast(x @ grad_z, y.shape)


@wrong("4.6", says="order and transposes matter")
def multiplies_in_the_wrong_order(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(y.mT @ grad_z, x.shape), unbroadcast(grad_z @ x.mT, y.shape)


@wrong("4.6", says="swap the last two axes only")
def reverses_all_axes(ctx, grad_z):
    x, y = ctx.saved_tensors
    return unbroadcast(grad_z @ y.T, x.shape), unbroadcast(x.T @ grad_z, y.shape)


@wrong("4.7", says="the result is log(p), not p")
def gives_the_probabilities(x):
    shifted = x - Tensor(x.data.max(axis=-1, keepdims=True))
    return shifted.exp() / shifted.exp().sum(axis=-1, keepdims=True)


@wrong("4.7", says="subtract the largest score of the row first")
def subtracts_nothing(x):
    return x - x.exp().sum(axis=-1, keepdims=True).log()


@wrong("4.7", says="one largest score a row")
def subtracts_the_largest_of_all(x):
    shifted = x - Tensor(x.data.max())
    return shifted - shifted.exp().sum(axis=-1, keepdims=True).log()


@wrong("4.7", says="take x - log(sum), never the probability itself")
def logarithm_of_the_quotient(x):
    e = (x - Tensor(x.data.max(axis=-1, keepdims=True))).exp()
    return (e / e.sum(axis=-1, keepdims=True)).log()


@wrong("4.7", says="so that row i is divided by the sum of row i")
def sums_over_all_rows(x):
    shifted = x - Tensor(x.data.max(axis=-1, keepdims=True))
    return shifted - shifted.exp().sum().log()


@wrong("4.7", says="so that row i is divided by the sum of row i")
def forgets_keepdims_in_the_sum(x):
    shifted = x - Tensor(x.data.max(axis=-1, keepdims=True))
    return shifted - shifted.exp().sum(axis=-1).log()


@wrong("4.7", says="the last axis: -1")
def sums_over_axis_one(x):
    axis = min(1, len(x.shape) - 1)
    shifted = x - Tensor(x.data.max(axis=axis, keepdims=True))
    return shifted - shifted.exp().sum(axis=axis, keepdims=True).log()


@wrong("4.7", says="build it from Tensor operations")
def takes_the_sum_as_a_constant(x):
    shifted = x - Tensor(x.data.max(axis=-1, keepdims=True))
    return shifted - Tensor(np.log(np.exp(shifted.data).sum(axis=-1, keepdims=True)))


@wrong("4.7", says="x.data was changed in place")
def shifts_in_place(x):
    x.data -= x.data.max(axis=-1, keepdims=True)
    return x - x.exp().sum(axis=-1, keepdims=True).log()


@wrong("4.7", says="also where it is negative")
def subtracts_only_what_is_positive(x):
    shifted = x - Tensor(np.maximum(x.data.max(axis=-1, keepdims=True), 0))
    return shifted - shifted.exp().sum(axis=-1, keepdims=True).log()


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


@wrong("4.8", says="a gradient that was there before train")
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


@wrong("4.8", says="call loss_of() in each step")
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


@wrong("4.8", says="the loss before the parameters move")
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


@wrong("4.8", says="once in each step, and keep the result")
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


@wrong("4.8", says="multiply the gradient by lr")
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


@wrong("4.8", says="not only the last one")
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


@wrong("4.8", says="not only the first one")
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


@wrong("4.8", says="from the loss that all of them had together")
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


@wrong("4.8", says="p.data takes the .data of that Tensor")
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


@wrong("4.8", says="a new array: -= changes the old one")
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


@wrong("4.8", says="its gradient is None: leave it alone")
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


@wrong("4.8", says="a list with the loss of every step")
def returns_the_last_loss(loss_of, parameters, lr, steps):
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return loss.item()
