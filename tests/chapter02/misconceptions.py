"""Wrong answers to the exercises of chapter 2, each with words that its message must contain."""

import numpy as np

from course.misconceptions import wrong


@wrong("2.1", "Context.save_for_backward", says="isinstance(tensor, Tensor)")
def accepts_arrays(self, *tensors):
    self._saved = tensors


@wrong("2.1", "Context.save_for_backward", says="not only the first")
def looks_at_the_first_only(self, *tensors):
    if not isinstance(tensors[0], Tensor):
        raise TypeError(f"only Tensors can be saved, got {tensors[0]!r}")
    self._saved = tensors


@wrong("2.1", "Context.save_for_backward", says="equal, but not the same Tensors")
def saves_copies(self, *tensors):
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"only Tensors can be saved, got {tensor!r}")
    self._saved = tuple(Tensor(tensor.data) for tensor in tensors)


@wrong("2.1", "Context.save_for_backward", says="replaces what was saved before")
def appends_to_what_was_saved(self, *tensors):
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"only Tensors can be saved, got {tensor!r}")
    self._saved += tensors


@wrong("2.1", "Context", says="not a place that all contexts share")
class one_place_for_all_contexts:
    def save_for_backward(self, *tensors):
        for tensor in tensors:
            if not isinstance(tensor, Tensor):
                raise TypeError(f"only Tensors can be saved, got {tensor!r}")
        Context._all_saved = tensors

    @property
    def saved_tensors(self):
        return getattr(Context, "_all_saved", ()) if self._saved == () else self._saved


@wrong("2.1", "Context.saved_tensors", says="comes back in a tuple too")
def one_tensor_without_its_tuple(self):
    return self._saved[0] if len(self._saved) == 1 else self._saved


@wrong("2.1", "Context.saved_tensors", says="in the order in which they were saved")
def takes_the_last_first(self):
    return self._saved[::-1]


@wrong("2.1", "Context.saved_tensors", says="the tuple is empty")
def none_when_nothing_was_saved(self):
    return self._saved or None


@wrong("2.1", "Context.save_for_backward", says="before you keep any")
def saves_before_it_looks(self, *tensors):
    self._saved = tensors
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"only Tensors can be saved, got {tensor!r}")


@wrong("2.1", "Context.save_for_backward", says="give back a tuple")
def keeps_a_list(self, *tensors):
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"only Tensors can be saved, got {tensor!r}")
    self._saved = list(tensors)


@wrong("2.1", "Context.save_for_backward", says="it comes back twice")
def keeps_each_tensor_once(self, *tensors):
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"only Tensors can be saved, got {tensor!r}")
    self._saved = tuple(dict.fromkeys(tensors))


@wrong("2.1", "Context.saved_tensors", says="reading it must not empty it")
def gives_them_away(self):
    saved, self._saved = self._saved, ()
    return saved


@wrong("2.1", "Context.save_for_backward", says="ask isinstance")
def refuses_subclasses(self, *tensors):
    for tensor in tensors:
        if type(tensor) is not Tensor:
            raise TypeError(f"only Tensors can be saved, got {tensor!r}")
    self._saved = tensors


@wrong("2.1", "Context.save_for_backward", says="saving nothing replaces it too")
def saving_nothing_keeps_the_old(self, *tensors):
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"only Tensors can be saved, got {tensor!r}")
    if tensors:
        self._saved = tensors


@wrong("2.2", says="the history is forgotten")
def keeps_no_history(cls, *inputs):
    return cls.forward(Context(cls, inputs), *inputs)


@wrong("2.2", says="make a new Context in each")
def one_ctx_for_all_calls(cls, *inputs):
    if not hasattr(cls, "ctx"):
        cls.ctx = Context(cls, inputs)
    cls.ctx.inputs = inputs
    result = cls.forward(cls.ctx, *inputs)
    result.grad_fn = cls.ctx
    return result


@wrong("2.2", says="the same ctx that the result remembers")
def two_contexts_for_one_call(cls, *inputs):
    result = cls.forward(Context(cls, inputs), *inputs)
    result.grad_fn = Context(cls, inputs)
    return result


@wrong("2.2", says="the ctx of this one call")
def remembers_the_function_only(cls, *inputs):
    result = cls.forward(Context(cls, inputs), *inputs)
    result.grad_fn = cls
    return result


@wrong("2.2", says="the operation that was called is cls")
def always_says_function(cls, *inputs):
    ctx = Context(Function, inputs)
    result = cls.forward(ctx, *inputs)
    result.grad_fn = ctx
    return result


@wrong("2.2", says="plain numbers are inputs too")
def forgets_plain_numbers(cls, *inputs):
    ctx = Context(cls, tuple(x for x in inputs if isinstance(x, Tensor)))
    result = cls.forward(ctx, *inputs)
    result.grad_fn = ctx
    return result


@wrong("2.2", says="its array, which has no history")
def remembers_arrays(cls, *inputs):
    ctx = Context(cls, tuple(x.data if isinstance(x, Tensor) else x for x in inputs))
    result = cls.forward(ctx, *inputs)
    result.grad_fn = ctx
    return result


@wrong("2.2", says="x was not made by this call")
def marks_the_inputs_too(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    for tensor in (result, *inputs):
        if isinstance(tensor, Tensor):
            tensor.grad_fn = ctx
    return result


@wrong("2.2", says="that is the ctx")
def returns_the_ctx(cls, *inputs):
    ctx = Context(cls, inputs)
    cls.forward(ctx, *inputs).grad_fn = ctx
    return ctx


@wrong("2.2", says="return the very Tensor that forward made")
def returns_a_copy_of_the_result(cls, *inputs):
    ctx = Context(cls, inputs)
    result = Tensor(cls.forward(ctx, *inputs))
    result.grad_fn = ctx
    return result


@wrong("2.2", says="run forward once")
def runs_forward_twice(cls, *inputs):
    ctx = Context(cls, inputs)
    cls.forward(ctx, *inputs).grad_fn = ctx
    result = cls.forward(ctx, *inputs)
    result.grad_fn = ctx
    return result


@wrong("2.2", says="a tuple of all inputs")
def inputs_in_a_list(cls, *inputs):
    ctx = Context(cls, list(inputs))
    result = cls.forward(ctx, *inputs)
    result.grad_fn = ctx
    return result


@wrong("2.2", says="inputs go on to forward as they came")
def makes_tensors_of_numbers(cls, *inputs):
    inputs = tuple(as_tensor(x, np.float32) for x in inputs)
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    result.grad_fn = ctx
    return result


@wrong("2.2", says="cls.forward(ctx, *inputs)")
def forward_without_its_ctx(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(*inputs)
    result.grad_fn = ctx
    return result


@wrong("2.2", says="cls.forward(ctx, *inputs)")
def inputs_as_one_tuple(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, inputs)
    result.grad_fn = ctx
    return result


@wrong("2.2", says="forward alone decides what is saved")
def saves_for_everybody(cls, *inputs):
    ctx = Context(cls, inputs)
    ctx.save_for_backward(*[x for x in inputs if isinstance(x, Tensor)])
    result = cls.forward(ctx, *inputs)
    result.grad_fn = ctx
    return result


@wrong("2.2", says="nothing came back")
def returns_nothing(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    result.grad_fn = ctx


@wrong("2.3", "Mul.backward", says="multiply by grad_z too")
def ignores_upstream(ctx, grad_z):
    x, y = ctx.saved_tensors
    return y, x


@wrong("2.3", "Mul.backward", says="that is x itself: dz/dx = y")
def factors_exchanged(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z * x, grad_z * y


@wrong("2.3", "Mul.backward", says="the rule of a sum")
def treats_it_like_a_sum(ctx, grad_z):
    return grad_z, grad_z


@wrong("2.3", "Mul.backward", says="1 gradient, but forward had 2 inputs")
def one_gradient_for_two_inputs(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z * y * x


@wrong("2.3", "Mul.backward", says="a gradient is a Tensor")
def gradients_as_arrays(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z.data * y.data, grad_z.data * x.data


@wrong("2.3", "Mul.forward", says="Tensor(...) makes an array of it")
def puts_a_number_into_a_0d_tensor(ctx, x, y):
    ctx.save_for_backward(x, y)
    z = Tensor(0)
    z.data = x.data * y.data
    return z


@wrong("2.3", "Mul.forward", says="before any name gets a new value")
def saves_after_changing(ctx, x, y):
    x = Tensor(x.data * y.data)
    ctx.save_for_backward(x, y)
    return x


@wrong("2.3", "Mul.forward", says="which it was given")
def multiplies_in_place(ctx, x, y):
    ctx.save_for_backward(x, y)
    x.data *= y.data
    return Tensor(x.data)


@wrong("2.3", "Mul", says="has saved nothing, expected x and y")
class saves_as_attributes:
    def forward(ctx, x, y):
        ctx.x, ctx.y = x, y
        return Tensor(x.data * y.data)

    def backward(ctx, grad_z):
        return grad_z * ctx.y, grad_z * ctx.x


@wrong("2.3", "Mul.forward", says="x.data * y.data")
def multiplies_tensors(ctx, x, y):
    ctx.save_for_backward(x, y)
    return x * y


@wrong("2.3", "Mul.forward", says="wrap it, Tensor(x.data * y.data)")
def forward_gives_an_array(ctx, x, y):
    ctx.save_for_backward(x, y)
    return x.data * y.data


@wrong("2.3", "Mul.forward", says="the other way round")
def saves_the_other_way_round(ctx, x, y):
    ctx.save_for_backward(y, x)
    return Tensor(x.data * y.data)


@wrong("2.3", "Mul.forward", says="float32, expected float64")
def product_in_float32(ctx, x, y):
    ctx.save_for_backward(x, y)
    return Tensor((x.data * y.data).astype(np.float32))


@wrong("2.3", "Mul.backward", says="has shape (), expected shape (2, 3)")
def sums_its_gradients(ctx, grad_z):
    x, y = ctx.saved_tensors
    return (grad_z * y).sum(), (grad_z * x).sum()


@wrong("2.3", "Mul.backward", says="return a tuple")
def gradients_in_a_list(ctx, grad_z):
    x, y = ctx.saved_tensors
    return [grad_z * y, grad_z * x]


@wrong("2.3", "Mul.backward", says="multiply by it, do not add it")
def adds_the_upstream_gradient(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z + y, grad_z + x


@wrong("2.3", "Mul.forward", says="those are copies")
def saves_copies_of_x_and_y(ctx, x, y):
    ctx.save_for_backward(Tensor(x), Tensor(y))
    return Tensor(x.data * y.data)


@wrong("2.3", "Mul.backward", says="times as much")
def upstream_gradient_in_float32(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z * y, (Tensor(grad_z.data.astype(np.float32)) + grad_z * 0) * x


@wrong("2.4", "Div.backward", says="a minus sign is missing")
def forgets_the_sign(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z / y, grad_z * x / (y * y)


@wrong("2.4", "Div.backward", says="put y * y in brackets")
def brackets_missing(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z / y, -grad_z * x / y * y


@wrong("2.4", "Div.backward", says="y counts twice")
def y_not_squared(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z / y, -grad_z * x / y


@wrong("2.4", "Div.backward", says="the gradient of x comes first")
def gradients_exchanged(ctx, grad_z):
    x, y = ctx.saved_tensors
    return -grad_z * x / (y * y), grad_z / y


@wrong("2.4", "Div.backward", says="the slope itself has no eps in it")
def lets_a_little_eps_stay(ctx, grad_z):
    x, y = ctx.saved_tensors
    eps = 1e-6
    return grad_z / y, -grad_z * x / (y * (y + eps))


@wrong("2.4", "Div.backward", says="multiply by grad_z too")
def upstream_for_the_numerator_only(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z / y, -x / (y * y)


@wrong("2.4", "Div.backward", says="that is y: dz/dx = 1 / y")
def the_rule_of_the_product(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z * y, grad_z * x


@wrong("2.4", "Div.forward", says="division by zero gives what NumPy gives")
def no_division_by_zero(ctx, x, y):
    ctx.save_for_backward(x, y)
    return Tensor(x.data / np.where(y.data == 0, 1e-8, y.data))


@wrong("2.4", "Div.backward", says="x is missing")
def numerator_left_out(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z / y, -grad_z / (y * y)


@wrong("2.4", "Div.backward", says="grad_z is in it twice")
def upstream_gradient_twice(ctx, grad_z):
    x, y = ctx.saved_tensors
    gx = grad_z / y
    return gx, -grad_z * gx * x / y


@wrong("2.4", "Div.backward", says="changed grad_z, which it was given")
def divides_the_upstream_gradient_itself(ctx, grad_z):
    x, y = ctx.saved_tensors
    grad_z.data /= y.data
    return grad_z, -grad_z * x / y


@wrong("2.4", "Div.backward", says="have changed places")
def x_and_y_exchanged(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z / y, -grad_z * y / (x * x)


@wrong("2.5", "Pow.backward", says="the exponent comes down as a factor")
def exponent_forgotten(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z * x ** (ctx.exponent - 1), None


@wrong("2.5", "Pow.backward", says="the exponent goes down by one")
def exponent_not_lowered(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z * ctx.exponent * x**ctx.exponent, None


@wrong("2.5", "Pow.backward", says="multiply by grad_z too")
def pow_ignores_upstream(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return ctx.exponent * x ** (ctx.exponent - 1), None


@wrong("2.5", "Pow.backward", says="None for one that isn't a Tensor")
def no_none_for_the_exponent(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z * ctx.exponent * x ** (ctx.exponent - 1)


@wrong("2.5", "Pow.forward", says="use ctx.name = value")
def saves_the_exponent_as_a_tensor_would_be(ctx, x, exponent):
    ctx.save_for_backward(x, exponent)
    return Tensor(x.data**exponent)


@wrong("2.5", "Pow", says="keep the exponent on the ctx")
class one_exponent_for_all_calls:
    def forward(ctx, x, exponent):
        ctx.save_for_backward(x)
        Pow.exponent = exponent
        return Tensor(x.data**exponent)

    def backward(ctx, grad_z):
        (x,) = ctx.saved_tensors
        return grad_z * Pow.exponent * x ** (Pow.exponent - 1), None


@wrong("2.5", "Pow.backward", says="z / x has no value at 0")
def divides_by_x(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z * ctx.exponent * x**ctx.exponent / x, None


@wrong("2.5", "Pow.forward", says="x ** 0.5")
def whole_exponents_only(ctx, x, exponent):
    ctx.save_for_backward(x)
    ctx.exponent = int(exponent)
    return Tensor(x.data**exponent)


@wrong("2.5", "Pow.backward", says="expected None")
def zero_for_the_exponent(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z * ctx.exponent * x ** (ctx.exponent - 1), Tensor(0)


@wrong("2.5", "Pow.backward", says="then None for the exponent")
def none_comes_first(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return None, grad_z * ctx.exponent * x ** (ctx.exponent - 1)


@wrong("2.6", "ReLU.backward", says="z stays at 0 however x moves")
def passes_everything(ctx, grad_z):
    return grad_z


@wrong("2.6", "ReLU.backward", says="x > 0, not x >= 0")
def passes_at_zero(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z * Tensor(x.data >= 0)


@wrong("2.6", "ReLU.backward", says="not whether grad_z is")
def asks_the_gradient(ctx, grad_z):
    return grad_z * Tensor(grad_z.data > 0)


@wrong("2.6", "ReLU.backward", says="multiply by grad_z too")
def returns_the_mask(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return Tensor(x.data > 0)


@wrong("2.6", "ReLU.forward", says="forward has written into x")
def cuts_off_in_place(ctx, x):
    ctx.save_for_backward(x)
    x.data[x.data < 0] = 0
    return Tensor(x.data)


@wrong("2.6", "ReLU.forward", says="negative values become 0")
def takes_the_absolute_value(ctx, x):
    ctx.save_for_backward(x)
    return Tensor(np.abs(x.data))


@wrong("2.6", "ReLU.backward", says="one answer for all elements")
def one_answer_for_all_elements(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z * Tensor((x.data > 0).all())


@wrong("2.6", "ReLU.forward", says="is x itself")
def gives_x_back(ctx, x):
    ctx.save_for_backward(x)
    if (x.data >= 0).all():
        return x
    return Tensor(np.maximum(x.data, 0))


@wrong("2.6", "ReLU.backward", says="changed grad_z, which it was given")
def masks_the_upstream_gradient_itself(ctx, grad_z):
    (x,) = ctx.saved_tensors
    grad_z.data[x.data <= 0] = 0
    return grad_z


@wrong("2.6", "ReLU.backward", says="the slope is 1, whatever x is")
def multiplies_by_relu_of_x(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z * x.relu()


@wrong("2.6", "ReLU.backward", says="half the slope")
def half_at_the_corner(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z * Tensor(0.5 * (np.sign(x.data) + 1))


@wrong("2.6", "ReLU.forward", says="not even a little")
def lets_a_little_through(ctx, x):
    ctx.save_for_backward(x)
    return Tensor(np.where(x.data > 0, x.data, 0.01 * x.data))


@wrong("2.6", "ReLU.backward", says="a gradient is a Tensor")
def a_number_for_a_gradient(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z if x.data > 0 else 0


@wrong("2.7", "MatMul.backward", says="that is y.T @ grad_z")
def factors_in_the_wrong_order(ctx, grad_z):
    x, y = ctx.saved_tensors
    return y.T @ grad_z, grad_z @ x.T


@wrong("2.7", "MatMul.backward", says="that is grad_z @ y: ")
def forgets_to_transpose(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z @ y, x @ grad_z


@wrong("2.7", "MatMul.backward", says="that is grad_z @ x.T")
def grad_y_like_grad_x(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z @ y.T, grad_z @ x.T


@wrong("2.7", "MatMul.backward", says="grad_z is a factor of both")
def transposed_factors_only(ctx, grad_z):
    x, y = ctx.saved_tensors
    return y.T, x.T


@wrong("2.7", "MatMul.backward", says="that is element by element")
def elementwise_rule(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z * y, grad_z * x


@wrong("2.7", "MatMul.forward", says="that is element by element")
def multiplies_elementwise(ctx, x, y):
    ctx.save_for_backward(x, y)
    return Tensor(x.data * y.data)


@wrong("2.7", "MatMul.backward", says="a gradient is a Tensor")
def matmul_of_arrays(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z.data @ y.data.T, x.data.T @ grad_z.data


@wrong("2.7", "MatMul.forward", says="x.data @ y.data")
def multiplies_matrices_as_tensors(ctx, x, y):
    ctx.save_for_backward(x, y)
    return x @ y


@wrong("2.7", "MatMul.backward", says="that is its transpose")
def grad_y_lies_on_its_side(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z @ y.T, (grad_z.T @ x)


@wrong("2.7", "MatMul.backward", says="that of x comes first")
def matmul_gradients_exchanged(ctx, grad_z):
    x, y = ctx.saved_tensors
    return x.T @ grad_z, grad_z @ y.T


@wrong("2.7", "MatMul.backward", says="turn y on its side, y.T")
def reshapes_instead_of_transposing(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z @ Tensor(y.data.reshape(y.shape[::-1])), Tensor(
        x.data.reshape(x.shape[::-1])
    ) @ grad_z


@wrong("2.4", "Div", says="backward reads what forward has saved")
class div_keeps_its_inputs_as_they_came:
    def forward(ctx, x, y):
        return Tensor(x.data / y.data)

    def backward(ctx, grad_z):
        x, y = ctx.inputs
        return grad_z / y, -grad_z * x / (y * y)


@wrong("2.5", "Pow", says="there is no ctx.exponent")
class pow_reads_the_exponent_from_its_inputs:
    def forward(ctx, x, exponent):
        ctx.save_for_backward(x)
        return Tensor(x.data**exponent)

    def backward(ctx, grad_z):
        (x,), n = ctx.saved_tensors, ctx.inputs[1]
        return grad_z * n * x ** (n - 1), None


@wrong("2.5", "Pow.forward", says="ctx.exponent = exponent")
def pow_saves_the_exponent_with_x(ctx, x, exponent):
    ctx.save_for_backward(x, exponent)
    return Tensor(x.data**exponent)


@wrong("2.6", "ReLU.backward", says="ask the array in it")
def relu_compares_tensors(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z * (x > 0)


@wrong("2.6", "ReLU.forward", says="choose with np.maximum")
def relu_multiplies_by_the_mask(ctx, x):
    ctx.save_for_backward(x)
    return Tensor(x.data * (x.data > 0))


@wrong("2.6", "ReLU.forward", says="forward has written into x")
def relu_in_place(ctx, x):
    ctx.save_for_backward(x)
    x.data[x.data < 0] = 0
    return x


@wrong("2.6", "ReLU.forward", says="has saved z itself")
def relu_saves_its_result(ctx, x):
    z = Tensor(np.maximum(x.data, 0))
    ctx.save_for_backward(z)
    return z


@wrong("2.7", "MatMul", says="has saved x itself, another Tensor")
class matmul_saves_y_on_its_side:
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y.T)
        return Tensor(x.data @ y.data)

    def backward(ctx, grad_z):
        x, y_on_its_side = ctx.saved_tensors
        return grad_z @ y_on_its_side, x.T @ grad_z


@wrong("2.3", "Mul.backward", says="with Tensors and their operators")
def multiplies_bare_arrays(ctx, grad_z):
    x, y = ctx.saved_tensors
    return Tensor(grad_z.data * y.data), Tensor(grad_z.data * x.data)


@wrong("2.7", "MatMul.backward", says="with Tensors and their operators")
def multiplies_bare_matrices(ctx, grad_z):
    x, y = ctx.saved_tensors
    return Tensor(grad_z.data @ y.data.T), Tensor(x.data.T @ grad_z.data)


@wrong("2.6", "ReLU.backward", says="a second backward on the same ctx")
def relu_lets_its_input_go(ctx, grad_z):
    (x,) = ctx.saved_tensors
    ctx.save_for_backward()
    return grad_z * Tensor(x.data > 0)


@wrong("2.6", "ReLU.backward", says="however small x is")
def relu_begins_later(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z * Tensor(x.data > 1e-6)


@wrong("2.4", "Div.backward", says="division by zero gives what NumPy gives")
def no_slope_at_zero(ctx, grad_z):
    x, y = ctx.saved_tensors
    y = y + Tensor(((y.data == 0) * 1e-30).astype(y.dtype))
    return grad_z / y, -grad_z * x / (y * y)


@wrong("2.3", "Mul", says="on the class, where all products share it")
class mul_keeps_its_factors_on_the_class:
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        Mul.x, Mul.y = x, y
        return Tensor(x.data * y.data)

    def backward(ctx, grad_z):
        return grad_z * Mul.y, grad_z * Mul.x


@wrong("2.7", "MatMul.backward", says="changed ctx.inputs[0], which it was given")
def matmul_turns_x_itself(ctx, grad_z):
    x, y = ctx.saved_tensors
    x.data = x.data.T
    return grad_z @ y.T, x @ grad_z


@wrong("2.3", "Mul.backward", says="no history that leads to x")
def multiplies_by_tensors_without_a_past(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z * Tensor(y.data), grad_z * Tensor(x.data)


@wrong("2.5", "Pow.backward", says="the brackets are missing")
def one_less_without_brackets(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z * ctx.exponent * x**ctx.exponent - 1, None


@wrong("2.5", "Pow.forward", says="keep it as it came")
def rounds_the_exponent(ctx, x, exponent):
    ctx.save_for_backward(x)
    ctx.exponent = np.float32(exponent)
    return Tensor(x.data**exponent)


@wrong("2.1", "Context.save_for_backward", says="not only the last")
def keeps_what_it_found_last(self, *tensors):
    for tensor in tensors:
        is_right = isinstance(tensor, Tensor)
    if tensors and not is_right:
        raise TypeError(f"only Tensors can be saved, got {tensor!r}")
    self._saved = tensors


@wrong("2.1", "Context.save_for_backward", says="raised no error, expected TypeError")
def looks_at_both_ends(self, *tensors):
    for tensor in (*tensors[:1], *tensors[-1:]):
        if not isinstance(tensor, Tensor):
            raise TypeError(f"only Tensors can be saved, got {tensor!r}")
    self._saved = tensors


@wrong("2.1", "Context.save_for_backward", says=".grad_fn is not what it was before")
def cuts_off_the_history_of_what_is_saved(self, *tensors):
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"only Tensors can be saved, got {tensor!r}")
        tensor.grad_fn = None
    self._saved = tensors


@wrong("2.2", says="whatever the inputs and the result remember")
def keeps_an_older_history(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    result.grad_fn = result.grad_fn or ctx
    return result


@wrong("2.2", says="apply puts nothing more on the ctx")
def tells_the_ctx_its_result(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    result.grad_fn, ctx.result = ctx, result
    return result


@wrong("2.2", says="gone as soon as nobody uses it")
def makes_a_circle(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    result.grad_fn = ctx
    ctx.inputs = type("Inputs", (tuple,), {})(inputs)
    ctx.inputs.result = result
    return result


@wrong("2.2", says="np.geterr() and the warnings filters")
def forward_under_other_settings(cls, *inputs):
    ctx = Context(cls, inputs)
    with np.errstate(all="raise"):
        result = cls.forward(ctx, *inputs)
    result.grad_fn = ctx
    return result


@wrong("2.2", says="leaves something behind in Probe.ctx")
def keeps_the_last_ctx_on_the_class(cls, *inputs):
    cls.ctx = Context(cls, inputs)
    result = cls.forward(cls.ctx, *inputs)
    result.grad_fn = cls.ctx
    return result


@wrong("2.3", "Mul.forward", says="y in float64 = float32, expected float64")
def product_in_the_dtype_of_x(ctx, x, y):
    ctx.save_for_backward(x, y)
    return Tensor((x.data * y.data).astype(x.dtype))


@wrong("2.3", "Mul.backward", says="each place gets a gradient of its own")
def a_square_by_its_own_rule(ctx, grad_z):
    x, y = ctx.saved_tensors
    if x is y:
        return 2 * grad_z * x, None
    return grad_z * y, grad_z * x


@wrong("2.3", "Mul.backward", says="let go of what was saved")
def mul_lets_its_factors_go(ctx, grad_z):
    x, y = ctx.saved_tensors
    ctx.save_for_backward()
    return grad_z * y, grad_z * x


@wrong("2.4", "Div.backward", says="the gradient of y has no history that leads to y")
def squares_an_array(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z / y, -grad_z * x / (y.data * y.data)


@wrong("2.4", "Div.backward", says="the gradient of x has no history that leads to y")
def divides_by_an_array(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z / y.data, -grad_z * x / (y * y)


@wrong("2.4", "Div.backward", says="only a part of the history that leads to y")
def squares_half_an_array(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z / y, -grad_z * x / (y * y.data)


@wrong("2.4", "Div.forward", says="divide at once")
def times_the_reciprocal(ctx, x, y):
    ctx.save_for_backward(x, y)
    return Tensor(x.data * (1 / y.data))


@wrong("2.4", "Div.forward", says="y in float64 = float32, expected float64")
def quotient_in_the_dtype_of_x(ctx, x, y):
    ctx.save_for_backward(x, y)
    return Tensor((x.data / y.data).astype(x.dtype))


@wrong("2.5", "Pow.backward", says="the factor is n itself")
def one_less_as_a_factor_too(ctx, grad_z):
    (x,), n = ctx.saved_tensors, ctx.exponent - 1
    return grad_z * n * x**n, None


@wrong("2.5", "Pow.forward", says="minus times minus is plus")
def keeps_the_sign_apart(ctx, x, exponent):
    ctx.save_for_backward(x)
    ctx.exponent = exponent
    return Tensor(np.sign(x.data) * np.abs(x.data) ** exponent)


@wrong("2.5", "Pow.backward", says="only a part of the history that leads to x")
def a_power_half_from_arrays(ctx, grad_z):
    (x,), n = ctx.saved_tensors, ctx.exponent
    if n == 3:
        return grad_z * n * x * x.data, None
    return grad_z * n * x ** (n - 1), None


@wrong("2.7", "MatMul.forward", says="y in float64 = float32, expected float64")
def matmul_in_the_dtype_of_x(ctx, x, y):
    ctx.save_for_backward(x, y)
    return Tensor((x.data @ y.data).astype(x.dtype))


@wrong("2.7", "MatMul.backward", says="each place gets a gradient of its own")
def both_places_at_once(ctx, grad_z):
    x, y = ctx.saved_tensors
    if x is y:
        return grad_z @ y.T + x.T @ grad_z, None
    return grad_z @ y.T, x.T @ grad_z


@wrong("2.7", "MatMul.forward", says="(0, 2) @ (2, 3), float64 has shape (0,)")
def row_by_row(ctx, x, y):
    ctx.save_for_backward(x, y)
    rows = [
        [sum(a * b for a, b in zip(row, col, strict=True)) for col in y.data.T] for row in x.data
    ]
    return Tensor(np.array(rows, dtype=x.dtype))


@wrong("2.7", "MatMul.backward", says="is turned on its side afterwards")
def turns_both_where_they_are(ctx, grad_z):
    x, y = ctx.saved_tensors
    x.data, y.data = x.data.T, y.data.T
    return grad_z @ y, x @ grad_z


@wrong("2.1", "Context.save_for_backward", says="what is saved has a place of its own")
def writes_over_the_inputs(self, *tensors):
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"only Tensors can be saved, got {tensor!r}")
    self._saved = self.inputs = tensors


@wrong("2.1", "Context.save_for_backward", says="raised no error, expected TypeError")
def takes_what_looks_like_a_tensor(self, *tensors):
    for tensor in tensors:
        if not hasattr(tensor, "grad_fn"):
            raise TypeError(f"only Tensors can be saved, got {tensor!r}")
    self._saved = tensors


@wrong("2.2", says="as outside while forward runs")
def keeps_warnings_quiet(cls, *inputs):
    import warnings

    ctx = Context(cls, inputs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = cls.forward(ctx, *inputs)
    result.grad_fn = ctx
    return result


@wrong("2.3", "Mul.forward", says="Tensor([2, 3]) * 5 raised ValueError")
def equal_shapes_only(ctx, x, y):
    if x.shape != y.shape:
        raise ValueError(f"{x.shape} and {y.shape} differ")
    ctx.save_for_backward(x, y)
    return Tensor(x.data * y.data)


@wrong("2.5", "Pow.backward", says="[2, 3] ** 0: the gradient of x")
def nothing_for_a_constant_power(ctx, grad_z):
    (x,), n = ctx.saved_tensors, ctx.exponent
    if n == 0:
        return None, None
    return grad_z * n * x ** (n - 1), None


@wrong("2.5", "Pow.backward", says="[2, 3] ** 0.3: the gradient of x, in float64")
def exponent_in_float32(ctx, grad_z):
    (x,), n = ctx.saved_tensors, Tensor(ctx.exponent)
    return grad_z * n * x ** (ctx.exponent - 1), None


@wrong("2.1", "Context", says="and not its numbers")
class puts_the_old_numbers_back:
    def save_for_backward(self, *tensors):
        for tensor in tensors:
            if not isinstance(tensor, Tensor):
                raise TypeError(f"only Tensors can be saved, got {tensor!r}")
        self._saved = tuple((tensor, tensor.data.copy()) for tensor in tensors)

    @property
    def saved_tensors(self):
        for tensor, data in self._saved:
            tensor.data = data
        return tuple(tensor for tensor, _ in self._saved)


@wrong("2.1", "Context.save_for_backward", says="x.data[0] = 7, after save_for_backward(x, y)")
def locks_what_is_saved(self, *tensors):
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"only Tensors can be saved, got {tensor!r}")
        tensor.data.flags.writeable = False
    self._saved = tensors


@wrong("2.1", "Context.save_for_backward", says="(empty, 0, nan)")
def leaves_out_the_empty_ones(self, *tensors):
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"only Tensors can be saved, got {tensor!r}")
    self._saved = tuple(tensor for tensor in tensors if tensor.data.size)


@wrong("2.2", says="plain numbers too")
def remembers_tensors_only(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    if any(isinstance(x, Tensor) for x in inputs):
        result.grad_fn = ctx
    return result


@wrong("2.2", says="leaves something behind in Probe.calls")
def counts_its_calls(cls, *inputs):
    cls.calls = getattr(cls, "calls", 0) + 1
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    result.grad_fn = ctx
    return result


@wrong("2.2", says="apply puts grad_fn on it, and nothing more")
def a_second_name_for_the_ctx(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    result.grad_fn = result.ctx = ctx
    return result


@wrong("2.3", "Mul.forward", says="x * 1 is x itself")
def one_changes_nothing(ctx, x, y):
    ctx.save_for_backward(x, y)
    if y.shape == () and y.data == 1:
        return x
    return Tensor(x.data * y.data)


@wrong("2.3", "Mul.forward", says="with ones in x shares its memory with y")
def ones_change_nothing(ctx, x, y):
    ctx.save_for_backward(x, y)
    z = Tensor(x.data * y.data)
    if x.shape == y.shape and (x.data == 1).all():
        z.data = y.data
    return z


@wrong("2.3", "Mul.forward", says="ctx.z holds a Tensor")
def mul_keeps_its_result_too(ctx, x, y):
    ctx.save_for_backward(x, y)
    ctx.z = Tensor(x.data * y.data)
    return ctx.z


@wrong("2.3", "Mul.forward", says="the result has a new attribute, parents")
def mul_names_the_parents(ctx, x, y):
    ctx.save_for_backward(x, y)
    z = Tensor(x.data * y.data)
    z.parents = (x, y)
    return z


@wrong("2.3", "Mul.forward", says="more was saved: just ctx.save_for_backward(x, y)")
def mul_saves_its_result_too(ctx, x, y):
    z = Tensor(x.data * y.data)
    ctx.save_for_backward(x, y, z)
    return z


@wrong("2.4", "Div.forward", says="x / 1 is x itself")
def divided_by_one_nothing_changes(ctx, x, y):
    ctx.save_for_backward(x, y)
    if (y.data == 1).all():
        return x
    return Tensor(x.data / y.data)


@wrong("2.4", "Div", says="ctx.z holds a Tensor")
class div_goes_by_its_result:
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        ctx.z = Tensor(x.data / y.data)
        return ctx.z

    def backward(ctx, grad_z):
        x, y = ctx.saved_tensors
        return grad_z / y, -grad_z * ctx.z / y


@wrong("2.4", "Div.forward", says="expected [inf, nan]: division by zero")
def infinity_for_every_zero(ctx, x, y):
    ctx.save_for_backward(x, y)
    with np.errstate(all="ignore"):
        return Tensor(np.where(y.data == 0, np.inf, x.data / y.data).astype(x.dtype))


@wrong("2.4", "Div.backward", says="let it shrink to nothing")
def a_small_step_for_the_slope(ctx, grad_z):
    x, y = ctx.saved_tensors
    h = 1e-3
    return grad_z / y, grad_z * (x / (y + h) - x / y) / h


@wrong("2.5", "Pow.forward", says="x ** 1 is x itself")
def the_first_power_changes_nothing(ctx, x, exponent):
    ctx.save_for_backward(x)
    ctx.exponent = exponent
    return x if exponent == 1 else Tensor(x.data**exponent)


@wrong("2.6", "ReLU.forward", says="relu for a float64 number = float32")
def relu_of_one_number(ctx, x):
    ctx.save_for_backward(x)
    if x.shape == () and x.data <= 0:
        return zeros()
    return Tensor(np.maximum(x.data, 0))


@wrong("2.6", "ReLU.backward", says="relu for a float64 number: the gradient of x = float32")
def relu_of_one_negative_number(ctx, grad_z):
    (x,) = ctx.saved_tensors
    if x.shape == () and x.data <= 0:
        return zeros()
    return grad_z * Tensor(x.data > 0)


@wrong("2.6", "ReLU", says="leaves something behind in ReLU.positive")
class relu_counts_on_the_class:
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ReLU.positive = getattr(ReLU, "positive", 0) + (x.data > 0).sum()
        return Tensor(np.maximum(x.data, 0))


@wrong("2.7", "MatMul.forward", says="@ [[1, 0], [0, 1]] is x itself")
def the_identity_changes_nothing(ctx, x, y):
    ctx.save_for_backward(x, y)
    if y.shape[0] == y.shape[1] and (y.data == np.eye(len(y.data))).all():
        return x
    return Tensor(x.data @ y.data)


@wrong("2.7", "MatMul", says="ctx.x_on_its_side holds a Tensor")
class matmul_turns_them_beforehand:
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        ctx.x_on_its_side, ctx.y_on_its_side = Transpose.apply(x), Transpose.apply(y)
        return Tensor(x.data @ y.data)

    def backward(ctx, grad_z):
        return grad_z @ ctx.y_on_its_side, ctx.x_on_its_side @ grad_z


@wrong("2.1", "Context", says="though nobody else has it")
class holds_them_weakly:
    def save_for_backward(self, *tensors):
        import weakref

        for tensor in tensors:
            if not isinstance(tensor, Tensor):
                raise TypeError(f"only Tensors can be saved, got {tensor!r}")
        self._saved = tuple(weakref.ref(tensor) for tensor in tensors)

    @property
    def saved_tensors(self):
        return tuple(held() for held in self._saved)


@wrong("2.1", "Context.save_for_backward", says="is gone once another is saved in its place")
def keeps_what_was_saved_before(self, *tensors):
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"only Tensors can be saved, got {tensor!r}")
    self._before = getattr(self, "_before", ()) + tensors
    self._saved = tensors


@wrong("2.2", says="inputs go on to forward as they came")
def makes_tensors_of_arrays(cls, *inputs):
    inputs = tuple(Tensor(x) if isinstance(x, np.ndarray) else x for x in inputs)
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    result.grad_fn = ctx
    return result


@wrong("2.2", says="its array is the one that forward made")
def all_results_in_float32(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    result.data = result.data.astype(np.float32)
    result.grad_fn = ctx
    return result


@wrong("2.2", says="Probe.apply(x)")
def wants_a_forward_of_its_own(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.__dict__["forward"].__func__(ctx, *inputs)
    result.grad_fn = ctx
    return result


@wrong("2.2", says="an operation inside of forward")
def remembers_the_outermost_only(cls, *inputs):
    ctx = Context(cls, inputs)
    Function.depth = getattr(Function, "depth", 0) + 1
    try:
        result = cls.forward(ctx, *inputs)
    finally:
        Function.depth -= 1
    if Function.depth == 0:
        result.grad_fn = ctx
    return result


@wrong("2.2", says="leaves something behind in Function.live")
def keeps_a_list_of_all_that_live(cls, *inputs):
    import weakref

    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    Function.live = Function.__dict__.get("live") or weakref.WeakSet()
    Function.live.add(ctx)
    result.grad_fn = ctx
    return result


@wrong("2.1", "Context.save_for_backward", says="look at all of them before you keep any")
def keeps_what_comes_before_the_wrong_one(self, *tensors):
    self._saved = ()
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError("save_for_backward only takes Tensors")
        self._saved += (tensor,)


@wrong("2.1", "Context.save_for_backward", says="raised AssertionError, expected TypeError")
def asserts_without_a_word(self, *tensors):
    assert all(isinstance(tensor, Tensor) for tensor in tensors)
    self._saved = tensors


@wrong("2.5", "Pow.backward", says="a tuple, even of one")
def takes_the_tuple_for_the_tensor(ctx, grad_z):
    x = ctx.saved_tensors
    return grad_z * ctx.exponent * x ** (ctx.exponent - 1), None


@wrong("2.6", "ReLU.backward", says="a tuple, even of one")
def asks_the_tuple_for_its_data(ctx, grad_z):
    x = ctx.saved_tensors
    return grad_z * Tensor(x.data > 0)


@wrong("2.2", "Function.apply", says="a tuple of all inputs")
def the_ctx_gets_each_input(cls, *inputs):
    ctx = Context(cls, *inputs)
    result = cls.forward(ctx, *inputs)
    result.grad_fn = ctx
    return result


@wrong("2.2", "Function.apply", says="the operation itself, cls")
def the_ctx_gets_the_backward(cls, *inputs):
    ctx = Context(cls.backward, inputs)
    result = cls.forward(ctx, *inputs)
    result.grad_fn = ctx
    return result


@wrong("2.6", "ReLU.forward", says="however small x is")
def relu_with_a_dead_zone(ctx, x):
    ctx.save_for_backward(x)
    return Tensor(np.where(x.data > 1e-2, x.data, np.zeros_like(x.data)))


@wrong("2.5", "Pow.forward", says="x ** 0.25")
def pow_rounds_to_tenths(ctx, x, exponent):
    ctx.save_for_backward(x)
    ctx.exponent = exponent
    return Tensor(x.data ** round(exponent, 1))


@wrong("2.5", "Pow.forward", says="x ** 12")
def pow_cuts_the_exponent(ctx, x, exponent):
    ctx.save_for_backward(x)
    ctx.exponent = exponent
    return Tensor(x.data ** max(-10, min(10, exponent)))


@wrong("2.2", "Function.apply", says="forward alone says what is saved")
def saves_inputs_if_forward_did_not(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    if not ctx.saved_tensors:
        ctx.save_for_backward(*[i for i in inputs if isinstance(i, Tensor)])
    result.grad_fn = ctx
    return result


@wrong("2.2", says="inputs go on to forward")
def a_single_list_is_unpacked(cls, *inputs):
    if len(inputs) == 1 and isinstance(inputs[0], (tuple, list)):
        inputs = tuple(inputs[0])
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    result.grad_fn = ctx
    return result


@wrong("2.2", says="runs of forward = 2")
def a_second_try_with_tensors(cls, *inputs):
    ctx = Context(cls, inputs)
    try:
        result = cls.forward(ctx, *inputs)
    except AttributeError:
        result = cls.forward(ctx, *[as_tensor(i, np.float32) for i in inputs])
    result.grad_fn = ctx
    return result


@wrong("2.2", says="these are copies")
def forward_gets_copies(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *[Tensor(i) if isinstance(i, Tensor) else i for i in inputs])
    result.grad_fn = ctx
    return result


@wrong("2.3", "Mul.backward", says="no history that leads to grad_z")
def nothing_is_sent_on_by_hand(ctx, grad_z):
    x, y = ctx.saved_tensors
    if not grad_z.data.any():
        return Tensor(np.zeros_like(x.data)), Tensor(np.zeros_like(y.data))
    return grad_z * y, grad_z * x


@wrong("2.3", "Mul.backward", says="no history that leads to grad_z")
def a_zero_factor_by_hand(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z * y if y.data.any() else Tensor(np.zeros_like(x.data)), grad_z * x


@wrong("2.4", "Div.forward", says="1e-40 / 1e-40 = inf, expected 1")
def a_small_divisor_counts_as_zero(ctx, x, y):
    ctx.save_for_backward(x, y)
    return Tensor(x.data / np.where(np.abs(y.data) < 1e-30, y.data * 0, y.data))


@wrong("2.5", "Pow.backward", says="no eps in it")
def the_safe_square_root(ctx, grad_z):
    (x,) = ctx.saved_tensors
    if ctx.exponent == 0.5:
        return grad_z / (2 * x**0.5 + 1e-12), None
    return grad_z * ctx.exponent * x ** (ctx.exponent - 1), None


@wrong("2.6", "ReLU.backward", says="no history that leads to grad_z")
def nothing_comes_through_by_hand(ctx, grad_z):
    (x,) = ctx.saved_tensors
    if not (x.data > 0).any():
        return Tensor(np.zeros_like(grad_z.data))
    return grad_z * Tensor(x.data > 0)


@wrong("2.7", "MatMul.forward", says="expected [[nan]]")
def zeros_are_skipped(ctx, x, y):
    ctx.save_for_backward(x, y)
    z = np.zeros((x.shape[0], y.shape[1]), np.result_type(x.data, y.data))
    for i, k in np.ndindex(x.shape):
        if x.data[i, k] != 0:
            z[i] += x.data[i, k] * y.data[k]
    return Tensor(z)


@wrong("2.3", "Mul.forward", says="Mul.forward has no return, and what its last line makes is lost")
def the_product_goes_nowhere(ctx, x, y):
    ctx.save_for_backward(x, y)
    Tensor(x.data * y.data)


@wrong("2.3", "Mul.backward", says="Mul.backward has no return")
def the_gradients_go_nowhere(ctx, grad_z):
    x, y = ctx.saved_tensors
    grad_x, grad_y = grad_z * y, grad_z * x


@wrong("2.6", "ReLU.backward", says="ReLU.backward has no return")
def the_mask_is_all(ctx, grad_z):
    (x,) = ctx.saved_tensors
    if x.data.size:
        grad_x = grad_z * Tensor(x.data > 0)


@wrong("2.2", says="nobody makes an object of an operation")
def makes_an_object_of_the_class(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls().forward(ctx, *inputs)
    result.grad_fn = ctx
    return result


@wrong("2.2", says="ctx.function is Probe = False")
def remembers_who_wrote_forward(cls, *inputs):
    owner = next(c for c in cls.__mro__ if "forward" in vars(c))
    ctx = Context(owner, inputs)
    result = cls.forward(ctx, *inputs)
    result.grad_fn = ctx
    return result


@wrong("2.5", "Pow.forward", says="the dtype of x ** 0 in float32 = float64")
def the_power_0_is_made_of_ones(ctx, x, exponent):
    ctx.save_for_backward(x)
    ctx.exponent = exponent
    return Tensor(np.ones(x.shape) if exponent == 0 else x.data**exponent)


@wrong("2.1", "Context", says="self._saved, and an empty tuple")
class a_name_that_init_does_not_know:
    def save_for_backward(self, *tensors):
        for tensor in tensors:
            if not isinstance(tensor, Tensor):
                raise TypeError(f"only Tensors can be saved, got {tensor!r}")
        self.saved = tensors

    @property
    def saved_tensors(self):
        return self.saved


@wrong("2.1", "Context.save_for_backward", says="saved_tensors only reads")
def writes_to_the_property(self, *tensors):
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"only Tensors can be saved, got {tensor!r}")
    self.saved_tensors = tensors


@wrong("2.1", "Context.save_for_backward", says="puts it into another one")
def a_tuple_in_a_tuple(self, *tensors):
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"only Tensors can be saved, got {tensor!r}")
    self._saved = (tensors,)


@wrong("2.1", "Context.save_for_backward", says="not a place that all contexts share")
def the_same_name_on_the_class(self, *tensors):
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"only Tensors can be saved, got {tensor!r}")
    Context._saved = tensors


@wrong("2.1", "Context.save_for_backward", says="look at each of them")
def asks_the_tuple_whether_it_is_a_tensor(self, *tensors):
    if not isinstance(tensors, Tensor):
        raise TypeError("only Tensors can be saved")
    self._saved = tensors


@wrong("2.2", says="forward gets the inputs as they came")
def forward_gets_the_data_of_each(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *[i.data for i in inputs])
    result.grad_fn = ctx
    return result


@wrong("2.2", says="Tensors, not their arrays")
def forward_gets_arrays(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *[i.data if isinstance(i, Tensor) else i for i in inputs])
    result.grad_fn = ctx
    return result


@wrong("2.2", says="a method of the ctx: keep the ctx itself")
def remembers_a_method(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    result.grad_fn = ctx.backward
    return result


@wrong("2.2", says="only the result gets a note")
def a_note_for_every_input(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    for i in (result, *inputs):
        i.grad_fn = ctx
    return result


@wrong("2.3", "Mul.forward", says="element by element is *")
def a_sum_of_products(ctx, x, y):
    ctx.save_for_backward(x, y)
    return Tensor(x.data @ y.data if x.shape else x.data * y.data)


@wrong("2.3", "Mul.backward", says="where x is 0, z / x isn't y")
def divides_the_product_again(ctx, grad_z):
    x, y = ctx.saved_tensors
    z = x * y
    return grad_z * z / x, grad_z * x


@wrong("2.3", "Mul.forward", says="know a single number only")
def multiplies_two_items(ctx, x, y):
    ctx.save_for_backward(x, y)
    return Tensor(np.array(x.item() * y.item()))


@wrong("2.3", "Mul.backward", says="backward reads from ctx what forward has kept there")
def names_that_only_forward_knew(ctx, grad_z):
    return grad_z * y, grad_z * x


@wrong("2.3", "Mul.forward", says="float64 out: both ways")
def product_by_way_of_a_list(ctx, x, y):
    ctx.save_for_backward(x, y)
    return Tensor((x.data * y.data).tolist())


@wrong("2.4", "Div.forward", says="that is y / x")
def y_over_x(ctx, x, y):
    ctx.save_for_backward(x, y)
    return Tensor(y.data / x.data)


@wrong("2.4", "Div.backward", says="not y + y")
def y_twice_in_place_of_squared(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z / y, -grad_z * x / (y + y)


@wrong("2.4", "Div.backward", says="that is 1 / x")
def one_over_each(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z / y, grad_z / x


@wrong("2.4", "Div.backward", says="has the slope x / y")
def takes_a_logarithm(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z / y, grad_z * x * y.log()


@wrong("2.4", "Div.forward", says="has saved y and then x")
def div_saves_the_other_way_round(ctx, x, y):
    ctx.save_for_backward(y, x)
    return Tensor(x.data / y.data)


@wrong("2.4", "Div.forward", says="division by zero gives what NumPy gives")
def refuses_zeros(ctx, x, y):
    if (y.data == 0).any():
        raise ZeroDivisionError("division by zero")
    ctx.save_for_backward(x, y)
    return Tensor(x.data / y.data)


@wrong("2.5", "Pow.forward", says="no loop can count it")
def multiplies_in_a_loop(ctx, x, exponent):
    ctx.save_for_backward(x)
    ctx.exponent = exponent
    z = np.ones_like(x.data)
    for _ in range(exponent):
        z = z * x.data
    return Tensor(z)


@wrong("2.5", "Pow.forward", says="a plain number, and not a Tensor")
def the_data_of_a_number(ctx, x, exponent):
    ctx.save_for_backward(x)
    ctx.exponent = exponent
    return Tensor(x.data**exponent.data)


@wrong("2.5", "Pow.forward", says="has put nothing on ctx under that name")
def keeps_no_exponent(ctx, x, exponent):
    ctx.save_for_backward(x)
    return Tensor(x.data**exponent)


@wrong("2.5", "Pow.backward", says="that is one up")
def one_up_in_place_of_down(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z * ctx.exponent * x ** (ctx.exponent + 1), None


@wrong("2.5", "Pow.forward", says="float32 in, float32 out")
def an_exponent_of_numpys(ctx, x, exponent):
    ctx.save_for_backward(x)
    ctx.exponent = exponent
    return Tensor(x.data ** np.full(x.shape, exponent, np.float64))


@wrong("2.5", "Pow.forward", says="has no logarithm, but powers")
def by_way_of_the_logarithm(ctx, x, exponent):
    ctx.save_for_backward(x)
    ctx.exponent = exponent
    with np.errstate(all="ignore"):
        return Tensor(np.exp(exponent * np.log(x.data)))


@wrong("2.6", "ReLU.backward", says="it's grad_z that goes through")
def sends_x_itself(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return x * Tensor(x.data > 0)


@wrong("2.6", "ReLU.backward", says="where x > 0, z moves as x does")
def the_mask_turned_round(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z * Tensor(x.data < 0)


@wrong("2.6", "ReLU.forward", says="np.maximum asks each element")
def the_largest_of_all(ctx, x):
    ctx.save_for_backward(x)
    return Tensor(np.max(x.data, 0) if x.shape else np.maximum(x.data, 0))


@wrong(
    "2.6",
    "ReLU.backward",
    says="gradient of x = float64, expected float32: float32 in",
)
def a_mask_in_float64(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z * Tensor(np.where(x.data > 0, 1.0, 0.0))


@wrong("2.6", "ReLU.backward", says="a little came through")
def a_leak_on_the_way_back(ctx, grad_z):
    (x,) = ctx.saved_tensors
    mask = np.where(x.data > 0, 1, 0.01).astype(x.dtype)
    return grad_z * Tensor(mask)


@wrong("2.6", "ReLU.backward", says="multiply by it, do not add it")
def adds_the_mask(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z + Tensor(x.data > 0)


@wrong("2.7", "MatMul.backward", says="x.data.T is an array, x.T is a Tensor")
def turns_arrays(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z @ y.data.T, x.data.T @ grad_z


@wrong("2.7", "MatMul.backward", says="T is asked for without brackets")
def brackets_behind_t(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z @ y.T(), x.T() @ grad_z


@wrong("2.7", "MatMul.backward", says="a .T of its own")
def numpys_transpose(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z @ np.transpose(y), np.transpose(x) @ grad_z


@wrong("2.7", "MatMul.forward", says="as many rows as x")
def as_if_all_were_square(ctx, x, y):
    ctx.save_for_backward(x, y)
    n = x.shape[0]
    z = np.zeros((n, n), x.dtype)
    for i, j in np.ndindex(n, x.shape[1]):
        z[i, j] = (x.data[i] * y.data[:, j]).sum()
    return Tensor(z)


@wrong("2.7", "MatMul.forward", says="float32 in, float32 out")
def sums_into_float64(ctx, x, y):
    ctx.save_for_backward(x, y)
    z = np.zeros((x.shape[0], y.shape[1]))
    for i, j in np.ndindex(z.shape):
        z[i, j] = (x.data[i] * y.data[:, j]).sum()
    return Tensor(z)


@wrong("2.7", "MatMul.backward", says="y alone that lies on its side")
def turns_everything(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z.T @ y.T, x.T @ grad_z


@wrong("2.7", "MatMul.forward", says="has saved y and then x")
def matmul_saves_the_other_way_round(ctx, x, y):
    ctx.save_for_backward(y, x)
    return Tensor(x.data @ y.data)


@wrong("2.8", says="a is in the sum, too")
def forgets_the_way_through_the_sum(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="a is in the quotient itself, too")
def the_second_way_overwrites_the_first(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="that is the gradient of a")
def stops_before_the_exponentials(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    return grad_a + grad_a_too, grad_b


@wrong("2.8", says="begins with grad_z, and not with 1")
def begins_with_one(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(ones(z.shape))
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="grad_z is in it twice")
def takes_grad_z_twice(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_z * grad_x, grad_z * grad_y


@wrong("2.8", says="x comes first")
def gives_y_first(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_y, grad_x


@wrong("2.8", says="z is the share of a")
def the_share_of_the_other(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = b / s
    grad_b, grad_s = z.grad_fn.backward(grad_z)
    grad_a, grad_b_too = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a)
    (grad_y,) = b.grad_fn.backward(grad_b + grad_b_too)
    return grad_x, grad_y


@wrong("2.8", says="the note of the sum got grad_z")
def tells_the_sum_grad_z(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_z)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="a's note got grad_z")
def tells_a_grad_z(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_z)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="add what comes by two paths")
def subtracts_the_second_way(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a - grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="what came by way of the sum goes through a's note")
def adds_a_part_at_the_end(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x + grad_a_too, grad_y


@wrong("2.8", says="what came straight from z goes through a's note")
def adds_the_other_part_at_the_end(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x + grad_a, grad_y


@wrong("2.8", says="but two paths add up")
def multiplies_the_ways(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a * grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="that is the mean of both ways")
def the_mean_of_both_ways(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward((grad_a + grad_a_too) / 2)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="a's note has done that")
def times_a_once_more(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x * a, grad_y * b


@wrong("2.8", says="the same gradient came to a twice")
def adds_the_same_twice(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="a's note is asked")
def adds_without_the_note_of_a(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_a - grad_a_too, grad_y


@wrong("2.8", says="that is the gradient of b")
def forgets_the_note_of_b(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    return grad_x, grad_b


@wrong("2.8", says="+= on its .data would change both")
def adds_in_place(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    grad_a_too.data += grad_a.data
    (grad_x,) = a.grad_fn.backward(grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="a's gradient comes first")
def unpacks_the_other_way_round(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_s, grad_a = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="y is behind b's")
def asks_the_wrong_note_for_y(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = a.grad_fn.backward(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="that is for a / b")
def the_quotient_of_both(x, y, grad_z):
    a, b = x.exp(), y.exp()
    z = a / b
    grad_a, grad_b = z.grad_fn.backward(grad_z)
    (grad_x,) = a.grad_fn.backward(grad_a)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="that is for (a + b) / a")
def divides_the_other_way_round(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = s / a
    grad_s, grad_a = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="that is for x / (x + y)")
def no_exponentials(x, y, grad_z):
    s = x + y
    z = x / s
    grad_x, grad_s = z.grad_fn.backward(grad_z)
    grad_x_too, grad_y = s.grad_fn.backward(grad_s)
    return grad_x + grad_x_too, grad_y


@wrong("2.8", says="ask its note: z.grad_fn.backward(grad_z)")
def asks_the_tensor(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    z.backward(grad_z)
    return x.grad, y.grad


@wrong("2.8", says="say what you want: z.grad_fn.backward(grad_z)")
def calls_the_note(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn(grad_z)
    grad_a_too, grad_b = s.grad_fn(grad_s)
    (grad_x,) = a.grad_fn(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="tell it the gradient of its result")
def tells_the_note_nothing(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward()
    return grad_a, grad_s


@wrong("2.8", says="an array has no note")
def walks_with_arrays(x, y, grad_z):
    a, b = np.exp(x.data), np.exp(y.data)
    z = a / (a + b)
    return z.grad_fn.backward(grad_z)


@wrong("2.8", says="don't take a Tensor: x.exp()")
def numpys_exp_of_a_tensor(x, y, grad_z):
    a, b = np.exp(x), np.exp(y)
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="no operation made it here")
def asks_x_for_its_note(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    x.grad_fn.backward(grad_x)
    return grad_x, grad_y


@wrong("2.8", says="exp has one input, so one gradient")
def two_gradients_of_one_input(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    grad_x, _ = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="so two gradients: grad_a, grad_s")
def one_gradient_of_two_inputs(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    (grad_a,) = z.grad_fn.backward(grad_z)
    (grad_x,) = a.grad_fn.backward(grad_a)
    return grad_x, grad_x


@wrong("2.8", says="unpack what a note says, (grad_x,)")
def leaves_the_tuples(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    grad_x = a.grad_fn.backward(grad_a + grad_a_too)
    grad_y = b.grad_fn.backward(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="a note answers with a tuple, even of one")
def passes_a_tuple_on(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grads = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grads)
    (grad_y,) = b.grad_fn.backward(grads)
    return grad_x, grad_y


@wrong("2.8", says="nothing has that name yet")
def asks_before_it_has_arrived(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="they may have any shape")
def one_number_only(x, y, grad_z):
    a, b = np.exp(x.item()), np.exp(y.item())
    slope = a * b / (a + b) ** 2 * grad_z.item()
    return Tensor(slope), Tensor(-slope)


@wrong("2.8", says="nobody asked the note of")
def the_formula_from_a_book(x, y, grad_z):
    z = x.exp() / (x.exp() + y.exp())
    grad_x = grad_z * z * (1 - z)
    return grad_x, -grad_x


@wrong("2.8", says="nobody asked the note of a + b")
def knows_the_rule_of_a_sum(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_s)
    (grad_y,) = b.grad_fn.backward(grad_s)
    return grad_x, grad_y


@wrong("2.8", says="nobody asked the note of e ** x, e ** y")
def knows_the_rule_of_exp(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    return (grad_a + grad_a_too) * a, grad_b * b


@wrong("2.8", says="expected a tuple")
def gives_a_list(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return [grad_x, grad_y]


@wrong("2.8", says="gave one Tensor, expected two")
def gives_x_alone(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x


@wrong("2.8", says="a tuple of 3")
def gives_z_as_well(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return z, grad_x, grad_y


@wrong("2.8", says="and not the array in it")
def gives_arrays(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x.data, grad_y.data


@wrong("2.8", says="return grad_x, grad_y")
def gives_nothing(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)


@wrong("2.8", says="each element has its own gradient")
def sums_over_the_elements(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x.sum(), grad_y.sum()


@wrong("2.8", says="only a part of the history that leads to x")
def adds_arrays(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(Tensor(grad_a.data + grad_a_too.data))
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="no history that leads to x")
def begins_with_a_copy_of_x(x, y, grad_z):
    a, b = Tensor(x).exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="each place gets a gradient of its own")
def one_tensor_for_both(x, y, grad_z):
    a, b = x.exp(), x.exp() if x is y else y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return (grad_x + grad_y, grad_y + grad_x) if x is y else (grad_x, grad_y)


@wrong("2.8", says="the walk ends there all the same")
def goes_on_beyond_x(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    if x.grad_fn is not None:
        grad_x = x.grad_fn.backward(grad_x)[0]
    return grad_x, grad_y


@wrong("2.8", says="which it was given")
def scales_grad_z_in_place(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    grad_z.data *= 2
    return grad_x, grad_y


@wrong("2.8", says="float32, expected float64: float32 in")
def all_in_float32(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return tuple(Tensor(g.data.astype(np.float32)) for g in (grad_x, grad_y))


@wrong("2.1", "Context.saved_tensors", says="those are the inputs of the call")
def gives_back_the_inputs(self):
    return self.inputs


@wrong("2.1", "Context.save_for_backward", says="saved_tensors looks elsewhere")
def keeps_them_elsewhere(self, *tensors):
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"only Tensors can be saved, got {tensor!r}")
    self.saved = tensors


@wrong("2.1", "Context.save_for_backward", says="they were not kept")
def keeps_them_in_a_local_name(self, *tensors):
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"only Tensors can be saved, got {tensor!r}")
    _saved = tensors  # noqa: F841


@wrong("2.1", "Context.saved_tensors", says="nothing came back")
def forgets_to_return_them(self):
    self._saved  # noqa: B018


@wrong("2.1", "Context.save_for_backward", says="only the last is left")
def keeps_the_last_one_only(self, *tensors):
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"only Tensors can be saved, got {tensor!r}")
        self._saved = (tensor,)


@wrong("2.1", "Context.save_for_backward", says="don't take it apart")
def takes_a_list_apart(self, *tensors):
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"only Tensors can be saved, got {tensor!r}")
    self._saved = tensors


@wrong("2.2", "Function.apply", says="one of its functions")
def remembers_its_forward(cls, *inputs):
    ctx = Context(cls.forward, inputs)
    result = cls.forward(ctx, *inputs)
    result.grad_fn = ctx
    return result


@wrong("2.2", "Function.apply", says="the operation comes first")
def hands_the_inputs_over_first(cls, *inputs):
    ctx = Context(inputs, cls)
    result = cls.forward(ctx, *inputs)
    result.grad_fn = ctx
    return result


@wrong("2.2", "Function.apply", says="Function has no forward")
def calls_the_forward_of_function(cls, *inputs):
    ctx = Context(cls, inputs)
    result = Function.forward(ctx, *inputs)
    result.grad_fn = ctx
    return result


@wrong("2.2", "Function.apply", says="a class, not an object")
def makes_an_object_and_calls_it(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls()(ctx, *inputs)
    result.grad_fn = ctx
    return result


@wrong("2.2", "Function.apply", says="a class, not an object")
def makes_an_object_of_the_inputs(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls(ctx, *inputs)
    result.grad_fn = ctx
    return result


@wrong("2.4", "Div.backward", says="x alone that is divided")
def takes_the_difference_for_the_quotient_rule(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z / y, grad_z * (y - x) / (y * y)


@wrong("2.4", "Div.backward", says="divided by x, too")
def divides_by_x_as_well(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z / y, -grad_z / x / (y * y)


@wrong("2.4", "Div.backward", says="let the step shrink to nothing")
def takes_a_whole_step(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z / y, -grad_z * x / (y * (y + 1))


@wrong("2.5", "Pow.backward", says="the brackets reach too far")
def raises_the_factor_too(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return (grad_z * ctx.exponent * x) ** (ctx.exponent - 1), None


@wrong("2.5", "Pow.backward", says="it's x that is raised")
def raises_the_exponent(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z * x * ctx.exponent ** (ctx.exponent - 1), None


@wrong("2.5", "Pow", says="replaces what was saved before")
class saves_in_two_calls:
    @staticmethod
    def forward(ctx, x, exponent):
        ctx.save_for_backward(x)
        ctx.save_for_backward(Tensor(exponent))
        ctx.exponent = exponent
        return Tensor(x.data**exponent)

    @staticmethod
    def backward(ctx, grad_z):
        x, n = ctx.saved_tensors
        return grad_z * n * x ** (n - 1), None


@wrong("2.6", "ReLU.backward", says="leaves elements out")
def picks_by_the_mask(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return Tensor(grad_z.data[x.data > 0])


@wrong("2.6", "ReLU.backward", says="0.5 is positive, too")
def rounds_its_mask(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z * Tensor(np.clip(x.data, 0, 1).astype(int))


@wrong("2.7", "MatMul.forward", says="as many rows as x")
def squeezes_the_product(ctx, x, y):
    ctx.save_for_backward(x, y)
    return Tensor((x.data @ y.data).squeeze())


@wrong("2.7", "MatMul.backward", says="a mean over the rows")
def takes_the_mean_of_the_rows(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z @ y.T, x.T @ grad_z / x.shape[0]


@wrong("2.7", "MatMul.backward", says="not grad_z, that lies on its side")
def turns_grad_z_for_y(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z @ y.T, x @ grad_z.T


@wrong("2.7", "MatMul.backward", says="the gradient of x is made with y")
def makes_each_with_itself(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z @ x.T, y.T @ grad_z


@wrong("2.8", says="and not with z")
def begins_with_z(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="as if grad_z were 25")
def begins_with_the_25_of_the_text(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(25 * ones(x.shape))
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="as if grad_z were 45")
def begins_with_the_sum_of_grad_z(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z.sum() * ones(x.shape))
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="leave it whole")
def gives_numbers(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x.item(), grad_y.item()


@wrong("2.8", says="s is a + b")
def takes_exp_of_the_sum(x, y, grad_z):
    a, t = x.exp(), x + y
    s = t.exp()
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    (grad_t,) = s.grad_fn.backward(grad_s)
    grad_x_too, grad_y = t.grad_fn.backward(grad_t)
    (grad_x,) = a.grad_fn.backward(grad_a)
    return grad_x + grad_x_too, grad_y


@wrong("2.8", says="through a's note twice")
def asks_early_and_again_for_all(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    (first,) = a.grad_fn.backward(grad_a)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return first + grad_x, grad_y


@wrong("2.8", says="with just these two")
def adds_what_belongs_to_the_sum(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too + grad_s)
    (grad_y,) = b.grad_fn.backward(grad_b)
    return grad_x, grad_y


@wrong("2.8", says="b gets -3")
def gives_both_the_sum(x, y, grad_z):
    a, b = x.exp(), y.exp()
    s = a + b
    z = a / s
    grad_a, grad_s = z.grad_fn.backward(grad_z)
    grad_a_too, grad_b = s.grad_fn.backward(grad_s)
    (grad_x,) = a.grad_fn.backward(grad_a + grad_a_too)
    (grad_y,) = b.grad_fn.backward(grad_b + grad_a)
    return grad_x, grad_y
