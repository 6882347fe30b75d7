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


@wrong("2.1", "Context.save_for_backward", says="keep the Tensor itself")
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


@wrong("2.2", says="also those that are not Tensors")
def forgets_plain_numbers(cls, *inputs):
    ctx = Context(cls, tuple(x for x in inputs if isinstance(x, Tensor)))
    result = cls.forward(ctx, *inputs)
    result.grad_fn = ctx
    return result


@wrong("2.2", says="a copy has no history")
def remembers_arrays(cls, *inputs):
    ctx = Context(cls, tuple(x.data if isinstance(x, Tensor) else x for x in inputs))
    result = cls.forward(ctx, *inputs)
    result.grad_fn = ctx
    return result


@wrong("2.2", says="grad_fn belongs to the result")
def marks_the_inputs_too(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    for tensor in (result, *inputs):
        if isinstance(tensor, Tensor):
            tensor.grad_fn = ctx
    return result


@wrong("2.2", says="return the result of cls.forward")
def returns_the_ctx(cls, *inputs):
    ctx = Context(cls, inputs)
    cls.forward(ctx, *inputs).grad_fn = ctx
    return ctx


@wrong("2.2", says="the very Tensor that it made")
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


@wrong("2.3", "Mul.backward", says="both gradients are multiplied by grad_z")
def ignores_upstream(ctx, grad_z):
    x, y = ctx.saved_tensors
    return y, x


@wrong("2.3", "Mul.backward", says="dz/dx = y, dz/dy = x")
def factors_exchanged(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z * x, grad_z * y


@wrong("2.3", "Mul.backward", says="dz/dx = y, dz/dy = x")
def treats_it_like_a_sum(ctx, grad_z):
    return grad_z, grad_z


@wrong("2.3", "Mul.backward", says="it gives one each")
def one_gradient_for_two_inputs(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z * y * x


@wrong("2.3", "Mul.backward", says="a gradient is a Tensor")
def gradients_as_arrays(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z.data * y.data, grad_z.data * x.data


@wrong("2.3", "Mul.forward", says="before either name gets a new value")
def saves_after_changing(ctx, x, y):
    x = Tensor(x.data * y.data)
    ctx.save_for_backward(x, y)
    return x


@wrong("2.3", "Mul.forward", says="must not change its inputs")
def multiplies_in_place(ctx, x, y):
    ctx.save_for_backward(x, y)
    x.data *= y.data
    return Tensor(x.data)


@wrong("2.3", "Mul", says="ctx.save_for_backward(x, y)")
class saves_as_attributes:
    def forward(ctx, x, y):
        ctx.x, ctx.y = x, y
        return Tensor(x.data * y.data)

    def backward(ctx, grad_z):
        return grad_z * ctx.y, grad_z * ctx.x


@wrong("2.4", "Div.backward", says="a minus sign is missing")
def forgets_the_sign(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z / y, grad_z * x / (y * y)


@wrong("2.4", "Div.backward", says="with the brackets")
def brackets_missing(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z / y, -grad_z * x / y * y


@wrong("2.4", "Div.backward", says="dz/dy = -x / (y * y)")
def y_not_squared(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z / y, -grad_z * x / y


@wrong("2.4", "Div.backward", says="the gradient of x comes first")
def gradients_exchanged(ctx, grad_z):
    x, y = ctx.saved_tensors
    return -grad_z * x / (y * y), grad_z / y


@wrong("2.4", "Div.backward", says="both gradients are multiplied by grad_z")
def upstream_for_the_numerator_only(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z / y, -x / (y * y)


@wrong("2.4", "Div.backward", says="dz/dx = 1 / y")
def the_rule_of_the_product(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z * y, grad_z * x


@wrong("2.5", "Pow.backward", says="the exponent comes down as a factor")
def exponent_forgotten(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z * x ** (ctx.exponent - 1), None


@wrong("2.5", "Pow.backward", says="one less stays above")
def exponent_not_lowered(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z * ctx.exponent * x**ctx.exponent, None


@wrong("2.5", "Pow.backward", says="the gradient is multiplied by grad_z")
def pow_ignores_upstream(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return ctx.exponent * x ** (ctx.exponent - 1), None


@wrong("2.5", "Pow.backward", says="None for a non-Tensor")
def no_none_for_the_exponent(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z * ctx.exponent * x ** (ctx.exponent - 1)


@wrong("2.5", "Pow.forward", says="use ctx.name = value")
def saves_the_exponent_as_a_tensor_would_be(ctx, x, exponent):
    ctx.save_for_backward(x, exponent)
    return Tensor(x.data**exponent)


@wrong("2.5", "Pow", says="the exponent belongs on the ctx")
class one_exponent_for_all_calls:
    def forward(ctx, x, exponent):
        ctx.save_for_backward(x)
        Pow.exponent = exponent
        return Tensor(x.data**exponent)

    def backward(ctx, grad_z):
        (x,) = ctx.saved_tensors
        return grad_z * Pow.exponent * x ** (Pow.exponent - 1), None


@wrong("2.5", "Pow.backward", says="z / x divides by zero")
def divides_by_x(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z * ctx.exponent * x**ctx.exponent / x, None


@wrong("2.6", "Exp.backward", says="the slope of e ** x is e ** x")
def lowers_the_exponent_of_exp(ctx, grad_z):
    (z,) = ctx.saved_tensors
    return grad_z * z.log() * np.e ** (z.log() - 1)


@wrong("2.6", "Exp.backward", says="is multiplied by grad_z")
def exp_ignores_upstream(ctx, grad_z):
    (z,) = ctx.saved_tensors
    return z


@wrong("2.6", "Tanh.backward", says="1 - z * z")
def tanh_without_the_square(ctx, grad_z):
    (z,) = ctx.saved_tensors
    return grad_z * (1 - z)


@wrong("2.6", "Tanh.backward", says="1 - z * z")
def tanh_like_a_sigmoid(ctx, grad_z):
    (z,) = ctx.saved_tensors
    return grad_z * z * (1 - z)


@wrong("2.6", "Tanh.forward", says="save that z")
def tanh_saves_its_input(ctx, x):
    ctx.save_for_backward(x)
    return Tensor(np.tanh(x.data))


@wrong("2.6", "Exp.forward", says="return the same z")
def exp_saves_a_twin_of_its_result(ctx, x):
    ctx.save_for_backward(Tensor(np.exp(x.data)))
    return Tensor(np.exp(x.data))


@wrong("2.6", "Tanh.backward", says="is multiplied by grad_z")
def tanh_ignores_upstream(ctx, grad_z):
    (z,) = ctx.saved_tensors
    return 1 - z * z


@wrong("2.7", "ReLU.backward", says="z stays at 0 however x moves")
def passes_everything(ctx, grad_z):
    return grad_z


@wrong("2.7", "ReLU.backward", says="x > 0, not x >= 0")
def passes_at_zero(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z * Tensor(x.data >= 0)


@wrong("2.7", "ReLU.backward", says="not whether grad_z is")
def asks_the_gradient(ctx, grad_z):
    return grad_z * Tensor(grad_z.data > 0)


@wrong("2.7", "ReLU.backward", says="is multiplied by grad_z")
def returns_the_mask(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return Tensor(x.data > 0)


@wrong("2.7", "ReLU.forward", says="must not change its inputs")
def cuts_off_in_place(ctx, x):
    ctx.save_for_backward(x)
    x.data[x.data < 0] = 0
    return Tensor(x.data)


@wrong("2.7", "ReLU.forward", says="negative values become 0")
def takes_the_absolute_value(ctx, x):
    ctx.save_for_backward(x)
    return Tensor(np.abs(x.data))


@wrong("2.7", "ReLU.backward", says="element by element")
def one_answer_for_all_elements(ctx, grad_z):
    (x,) = ctx.saved_tensors
    return grad_z * Tensor((x.data > 0).all())


@wrong("2.8", "MatMul.backward", says="grad_x = grad_z @ y.T, in this order")
def factors_in_the_wrong_order(ctx, grad_z):
    x, y = ctx.saved_tensors
    return y.T @ grad_z, grad_z @ x.T


@wrong("2.8", "MatMul.backward", says="grad_x = grad_z @ y.T")
def forgets_to_transpose(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z @ y, x @ grad_z


@wrong("2.8", "MatMul.backward", says="grad_y = x.T @ grad_z")
def grad_y_like_grad_x(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z @ y.T, grad_z @ x.T


@wrong("2.8", "MatMul.backward", says="grad_z is a factor of both")
def transposed_factors_only(ctx, grad_z):
    x, y = ctx.saved_tensors
    return y.T, x.T


@wrong("2.8", "MatMul.backward", says="grad_x = grad_z @ y.T")
def elementwise_rule(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z * y, grad_z * x


@wrong("2.8", "MatMul.forward", says="rows of x times columns of y")
def multiplies_elementwise(ctx, x, y):
    ctx.save_for_backward(x, y)
    return Tensor(x.data * y.data)


@wrong("2.8", "MatMul.backward", says="a gradient is a Tensor")
def matmul_of_arrays(ctx, grad_z):
    x, y = ctx.saved_tensors
    return grad_z.data @ y.data.T, x.data.T @ grad_z.data
