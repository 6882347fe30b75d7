"""Wrong answers to the exercises of chapter 3, each with words that its message must contain."""

import numpy as np

from course.misconceptions import wrong


@wrong("3.1", says="was the first overwritten")
def overwrites(tensor, grad):
    tensor.grad = grad
    if tensor.grad_fn is not None:
        for x, grad_x in zip(tensor.grad_fn.inputs, tensor.grad_fn.backward(grad), strict=True):
            if grad_x is not None:
                recursive_backward(x, grad_x)


@wrong("3.1", says="not the sum in tensor.grad")
def sends_the_sum_so_far(tensor, grad):
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad
    if tensor.grad_fn is not None:
        grads = tensor.grad_fn.backward(tensor.grad)
        for x, grad_x in zip(tensor.grad_fn.inputs, grads, strict=True):
            if grad_x is not None:
                recursive_backward(x, grad_x)


@wrong("3.1", says="is None: skip it")
def takes_none_for_a_gradient(tensor, grad):
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad
    if tensor.grad_fn is not None:
        for x, grad_x in zip(tensor.grad_fn.inputs, tensor.grad_fn.backward(grad), strict=True):
            recursive_backward(x, grad_x)


@wrong("3.1", says="don't change its data")
def adds_in_place(tensor, grad):
    if tensor.grad is None:
        tensor.grad = grad
    else:
        tensor.grad.data += grad.data
    if tensor.grad_fn is not None:
        for x, grad_x in zip(tensor.grad_fn.inputs, tensor.grad_fn.backward(grad), strict=True):
            if grad_x is not None:
                recursive_backward(x, grad_x)


@wrong("3.1", says="each input does the same as its result did")
def stops_after_one_step(tensor, grad):
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad
    if tensor.grad_fn is not None:
        for x, grad_x in zip(tensor.grad_fn.inputs, tensor.grad_fn.backward(grad), strict=True):
            if grad_x is not None:
                x.grad = grad_x if x.grad is None else x.grad + grad_x


@wrong("3.1", says="not a one")
def begins_each_step_with_one(tensor, grad):
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad
    if tensor.grad_fn is not None:
        one = Tensor(np.ones_like(tensor.data))
        for x, slope in zip(tensor.grad_fn.inputs, tensor.grad_fn.backward(one), strict=True):
            if slope is not None:
                recursive_backward(x, slope)


@wrong("3.1", says="keep the gradient that came in")
def keeps_gradients_at_leaves_only(tensor, grad):
    if tensor.grad_fn is None:
        tensor.grad = grad if tensor.grad is None else tensor.grad + grad
        return
    for x, grad_x in zip(tensor.grad_fn.inputs, tensor.grad_fn.backward(grad), strict=True):
        if grad_x is not None:
            recursive_backward(x, grad_x)


@wrong("3.1", says="makes it a tuple")
def past_the_ctx(tensor, grad):
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad
    if tensor.grad_fn is not None:
        for x, grad_x in zip(
            tensor.grad_fn.inputs,
            tensor.grad_fn.function.backward(tensor.grad_fn, grad),
            strict=True,
        ):
            if grad_x is not None:
                recursive_backward(x, grad_x)


@wrong("3.1", says="0.0")
def skips_zero_gradients(tensor, grad):
    if not grad.data.any():
        return
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad
    if tensor.grad_fn is not None:
        for x, grad_x in zip(tensor.grad_fn.inputs, tensor.grad_fn.backward(grad), strict=True):
            if grad_x is not None:
                recursive_backward(x, grad_x)


@wrong("3.2", says="inputs come before results")
def results_before_inputs(root):
    order, seen, stack = [], set(), [root]
    while stack:
        tensor = stack.pop()
        if tensor not in seen:
            seen.add(tensor)
            order.append(tensor)
            inputs = tensor.grad_fn.inputs if tensor.grad_fn is not None else ()
            stack.extend(x for x in inputs if isinstance(x, Tensor))
    return order[1:] + order[:1]


@wrong("3.2", says="results before inputs")
def root_first(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        tensor, inputs_done = stack.pop()
        if inputs_done:
            order.append(tensor)
        elif tensor not in seen:
            seen.add(tensor)
            stack.append((tensor, True))
            inputs = tensor.grad_fn.inputs if tensor.grad_fn is not None else ()
            stack.extend((x, False) for x in inputs if isinstance(x, Tensor))
    return order[::-1]


@wrong("3.2", says="a tensor may enter only after all its inputs")
def breadth_first(root):
    order, seen = [root], {root}
    for tensor in order:
        for x in tensor.grad_fn.inputs if tensor.grad_fn is not None else ():
            if isinstance(x, Tensor) and x not in seen:
                seen.add(x)
                order.append(x)
    return order[::-1]


@wrong("3.2", says="a tensor may enter only after all its inputs")
def pre_order_reversed(root):
    order, seen, stack = [], set(), [root]
    while stack:
        tensor = stack.pop()
        if tensor not in seen:
            seen.add(tensor)
            order.append(tensor)
            inputs = tensor.grad_fn.inputs if tensor.grad_fn is not None else ()
            stack.extend(x for x in inputs if isinstance(x, Tensor))
    return order[::-1]


@wrong("3.2", says="a tensor may enter only after all its inputs")
def seen_when_put_on_the_stack(root):
    order, seen, stack = [], {root}, [(root, False)]
    while stack:
        tensor, inputs_done = stack.pop()
        if inputs_done:
            order.append(tensor)
            continue
        stack.append((tensor, True))
        for x in tensor.grad_fn.inputs if tensor.grad_fn is not None else ():
            if isinstance(x, Tensor) and x not in seen:
                seen.add(x)
                stack.append((x, False))
    return order


@wrong("3.2", says="x and y are missing")
def seen_when_put_on_and_thrown_away_when_it_comes_off(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        tensor, inputs_done = stack.pop()
        if inputs_done:
            order.append(tensor)
        elif tensor not in seen:
            seen.add(tensor)
            stack.append((tensor, True))
            for x in tensor.grad_fn.inputs if tensor.grad_fn is not None else ():
                if isinstance(x, Tensor):
                    seen.add(x)
                    stack.append((x, False))
    return order


@wrong("3.2", says="has it been seen before")
def seen_never_filled(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        tensor, inputs_done = stack.pop()
        if inputs_done:
            order.append(tensor)
        elif tensor not in seen:
            stack.append((tensor, True))
            inputs = tensor.grad_fn.inputs if tensor.grad_fn is not None else ()
            stack.extend((x, False) for x in inputs if isinstance(x, Tensor))
    return order


@wrong("3.2", says="remember the tensors themselves")
def seen_by_value(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        tensor, inputs_done = stack.pop()
        if inputs_done:
            order.append(tensor)
        elif repr(tensor) not in seen:
            seen.add(repr(tensor))
            stack.append((tensor, True))
            inputs = tensor.grad_fn.inputs if tensor.grad_fn is not None else ()
            stack.extend((x, False) for x in inputs if isinstance(x, Tensor))
    return order


@wrong("3.2", says="take only inputs that are Tensors")
def exponents_too(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        tensor, inputs_done = stack.pop()
        if inputs_done:
            order.append(tensor)
        elif tensor not in seen:
            seen.add(tensor)
            stack.append((tensor, True))
            inputs = tensor.grad_fn.inputs if tensor.grad_fn is not None else ()
            stack.extend((x, False) for x in inputs)
    return order


@wrong("3.2", says="the paths double with each step")
def seen_looked_at_too_late(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        tensor, inputs_done = stack.pop()
        if inputs_done:
            if tensor not in seen:
                seen.add(tensor)
                order.append(tensor)
            continue
        stack.append((tensor, True))
        inputs = tensor.grad_fn.inputs if tensor.grad_fn is not None else ()
        stack.extend((x, False) for x in inputs if isinstance(x, Tensor))
    return order


@wrong("3.2", says="keep a stack of your own")
def recurses(root):
    order, seen = [], set()

    def visit(tensor):
        if tensor in seen:
            return
        seen.add(tensor)
        for x in tensor.grad_fn.inputs if tensor.grad_fn is not None else ():
            if isinstance(x, Tensor):
                visit(x)
        order.append(tensor)

    visit(root)
    return order


@wrong("3.2", says="under a raised limit")
def recurses_under_a_raised_limit(root):
    import sys

    before = sys.getrecursionlimit()
    sys.setrecursionlimit(100000)
    order, seen = [], set()

    def visit(tensor):
        if tensor in seen or not isinstance(tensor, Tensor):
            return
        seen.add(tensor)
        for x in tensor.grad_fn.inputs if tensor.grad_fn is not None else ():
            visit(x)
        order.append(tensor)

    try:
        visit(root)
    finally:
        sys.setrecursionlimit(before)
    return order


@wrong("3.2", says="a leaf belongs in it too")
def leaves_stay_out(root):
    order, stack, seen = [], [(root, False)], set()
    while stack:
        tensor, done = stack.pop()
        if done:
            order.append(tensor)
        elif tensor not in seen and tensor.grad_fn is not None:
            seen.add(tensor)
            stack.append((tensor, True))
            stack.extend((x, False) for x in tensor.grad_fn.inputs if isinstance(x, Tensor))
    return order


@wrong("3.3", says="only one element can begin with 1")
def ones_for_everything(tensor, gradient):
    if gradient is None:
        return Tensor(np.ones_like(tensor.data))
    gradient = as_tensor(gradient, tensor.dtype)
    if gradient.shape != tensor.shape:
        raise RuntimeError(f"gradient= must have shape {tensor.shape}, got {gradient.shape}")
    return gradient


@wrong("3.3", says="has the shape of the tensor")
def always_a_plain_one(tensor, gradient):
    if gradient is None:
        if tensor.data.size != 1:
            raise RuntimeError(f"backward() on shape {tensor.shape}: pass gradient=")
        return Tensor(np.ones((), dtype=tensor.dtype))
    gradient = as_tensor(gradient, tensor.dtype)
    if gradient.shape != tensor.shape:
        raise RuntimeError(f"gradient= must have shape {tensor.shape}, got {gradient.shape}")
    return gradient


@wrong("3.3", says="has the dtype of the tensor")
def always_float32(tensor, gradient):
    if gradient is None:
        if tensor.data.size != 1:
            raise RuntimeError(f"backward() on shape {tensor.shape}: pass gradient=")
        return ones(tensor.shape)
    gradient = as_tensor(gradient, tensor.dtype)
    if gradient.shape != tensor.shape:
        raise RuntimeError(f"gradient= must have shape {tensor.shape}, got {gradient.shape}")
    return gradient


@wrong("3.3", says="how much does z move when z moves by one")
def begins_with_the_value(tensor, gradient):
    if gradient is None:
        if tensor.data.size != 1:
            raise RuntimeError(f"backward() on shape {tensor.shape}: pass gradient=")
        return Tensor(tensor.data)
    return as_tensor(gradient, tensor.dtype)


@wrong("3.3", says="ask `gradient is None`")
def zero_counts_as_nothing(tensor, gradient):
    if not gradient:
        if tensor.data.size != 1:
            raise RuntimeError(f"backward() on shape {tensor.shape}: pass gradient=")
        return Tensor(np.ones_like(tensor.data))
    gradient = as_tensor(gradient, tensor.dtype)
    if gradient.shape != tensor.shape:
        raise RuntimeError(f"gradient= must have shape {tensor.shape}, got {gradient.shape}")
    return gradient


@wrong("3.3", says="compare the shapes")
def any_shape_will_do(tensor, gradient):
    if gradient is None:
        if tensor.data.size != 1:
            raise RuntimeError(f"backward() on shape {tensor.shape}: pass gradient=")
        return Tensor(np.ones_like(tensor.data))
    return as_tensor(gradient, tensor.dtype)


@wrong("3.3", says="as_tensor makes it one")
def returns_what_was_given(tensor, gradient):
    if gradient is None:
        if tensor.data.size != 1:
            raise RuntimeError(f"backward() on shape {tensor.shape}: pass gradient=")
        return Tensor(np.ones_like(tensor.data))
    if np.shape(as_array(gradient)) != tensor.shape:
        raise RuntimeError(f"gradient= must have shape {tensor.shape}, got {np.shape(gradient)}")
    return gradient


@wrong("3.3", says="show the shape in the error")
def an_error_that_does_not_help(tensor, gradient):
    if gradient is None:
        if tensor.data.size != 1:
            raise RuntimeError("backward() needs a scalar")
        return Tensor(np.ones_like(tensor.data))
    gradient = as_tensor(gradient, tensor.dtype)
    if gradient.shape != tensor.shape:
        raise RuntimeError(f"gradient= must have shape {tensor.shape}, got {gradient.shape}")
    return gradient


@wrong("3.3", says="a number takes the dtype of the tensor")
def rounds_a_given_number(tensor, gradient):
    if gradient is None:
        if tensor.data.size != 1:
            raise RuntimeError(f"backward() on shape {tensor.shape}: pass gradient=")
        return Tensor(np.ones_like(tensor.data))
    gradient = gradient if isinstance(gradient, Tensor) else Tensor(gradient)
    if gradient.shape != tensor.shape:
        raise RuntimeError(f"gradient= must have shape {tensor.shape}, got {gradient.shape}")
    return gradient


@wrong("3.3", says="one element is enough")
def one_element_of_shape_one_is_refused(tensor, gradient):
    if gradient is None:
        if tensor.shape != ():
            raise RuntimeError(f"backward() on shape {tensor.shape}")
        return Tensor(np.ones_like(tensor.data))
    gradient = as_tensor(gradient, tensor.dtype)
    if gradient.shape != tensor.shape:
        raise RuntimeError(f"{tensor.shape}, got {gradient.shape}") from None
    return gradient


@wrong("3.3", says="compare the shapes")
def stretches_the_gradient(tensor, gradient):
    if gradient is None:
        if tensor.data.size != 1:
            raise RuntimeError(f"backward() on shape {tensor.shape}")
        return Tensor(np.ones_like(tensor.data))
    gradient = as_tensor(gradient, tensor.dtype)
    try:
        return Tensor(np.broadcast_to(gradient.data, tensor.shape))
    except ValueError:
        raise RuntimeError(f"{tensor.shape}, got {gradient.shape}") from None


@wrong("3.4", says="was the first overwritten")
def last_gradient_wins(ctx, grad, grads):
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if grad_x is not None:
            grads[x] = grad_x


@wrong("3.4", says="was the first overwritten")
def first_gradient_wins(ctx, grad, grads):
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if grad_x is not None:
            grads.setdefault(x, grad_x)


@wrong("3.4", says="from another result: add to it")
def adds_only_within_one_operation(ctx, grad, grads):
    sent = {}
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if grad_x is not None:
            sent[x] = sent[x] + grad_x if x in sent else grad_x
    grads.update(sent)


@wrong("3.4", says="don't change the data of a gradient")
def adds_to_the_shared_array(ctx, grad, grads):
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if grad_x is not None and x in grads:
            grads[x].data = grads[x].data + grad_x.data
        elif grad_x is not None:
            grads[x] = grad_x


@wrong("3.4", says="is None: skip it")
def none_becomes_an_entry(ctx, grad, grads):
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        grads[x] = grads[x] + grad_x if x in grads else grad_x


@wrong("3.4", says="an entry for each input")
def writes_to_grad_at_once(ctx, grad, grads):
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if grad_x is not None:
            x.grad = grad_x if x.grad is None else x.grad + grad_x


@wrong("3.4", says=".grad is accumulate's business")
def writes_to_both(ctx, grad, grads):
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if grad_x is not None:
            grads[x] = grads[x] + grad_x if x in grads else grad_x
            x.grad = grads[x]


@wrong("3.4", says="call ctx.backward once")
def one_backward_for_each_input(ctx, grad, grads):
    for i, x in enumerate(ctx.inputs):
        grad_x = ctx.backward(grad)[i]
        if grad_x is not None:
            grads[x] = grads[x] + grad_x if x in grads else grad_x


@wrong("3.4", says="the grad that was given")
def forgets_what_was_sent(ctx, grad, grads):
    one = Tensor(np.ones_like(grad.data))
    for x, grad_x in zip(ctx.inputs, ctx.backward(one), strict=True):
        if grad_x is not None:
            grads[x] = grads[x] + grad_x if x in grads else grad_x


@wrong("3.4", says="makes it a tuple")
def asks_the_function_itself(ctx, grad, grads):
    for x, grad_x in zip(ctx.inputs, ctx.function.backward(ctx, grad), strict=True):
        if grad_x is not None:
            grads[x] = grads[x] + grad_x if x in grads else grad_x


@wrong("3.4", says="a zero is a gradient, too")
def zeros_make_no_entry(ctx, grad, grads):
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if grad_x is not None and grad_x.data.any():
            grads[x] = grads[x] + grad_x if x in grads else grad_x


@wrong("3.4", says="pass over None with its input")
def stops_at_none(ctx, grad, grads):
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if grad_x is None:
            break
        grads[x] = grads[x] + grad_x if x in grads else grad_x


@wrong("3.5", "accumulate", says="overwritten")
def accumulate_overwrites(tensor, grad):
    tensor.grad = grad


@wrong("3.5", "accumulate", says="don't change its data")
def accumulate_in_place(tensor, grad):
    if tensor.grad is None:
        tensor.grad = grad
    else:
        tensor.grad.data += grad.data


@wrong("3.5", "accumulate", says="before the first, x.grad is None")
def none_is_not_a_number(tensor, grad):
    tensor.grad = tensor.grad + grad


@wrong("3.5", "accumulate", says="not to .data")
def accumulates_into_the_value(tensor, grad):
    tensor.data = tensor.data + grad.data
    tensor.grad = grad


@wrong("3.5", "zero_grad", says="there is no gradient")
def zeros_for_none(tensors):
    for tensor in tensors:
        tensor.grad = Tensor(np.zeros_like(tensor.data))


@wrong("3.5", "zero_grad", says="not only the first")
def returns_too_early(tensors):
    for tensor in tensors:
        if tensor.grad is not None:
            tensor.grad = None
            return


@wrong("3.5", "zero_grad", says="may have no gradient yet")
def zeroes_in_place(tensors):
    for tensor in tensors:
        tensor.grad.data[...] = 0
        tensor.grad = None


@wrong("3.5", "zero_grad", says="let go of it, don't change it")
def wipes_the_numbers_too(tensors):
    for tensor in tensors:
        if tensor.grad is not None:
            tensor.grad.data[...] = 0
            tensor.grad = None


@wrong("3.5", "zero_grad", says="the value stays")
def forgets_the_value(tensors):
    for tensor in tensors:
        tensor.grad = None
        tensor.data = np.zeros_like(tensor.data)


@wrong("3.5", "accumulate", says="in x.grad, afterwards")
def adds_in_place_to_a_copy(tensor, grad):
    if tensor.grad is None:
        tensor.grad = Tensor(grad.data)
    else:
        tensor.grad.data += grad.data


@wrong("3.5", "zero_grad", says="a result")
def forgets_at_leaves_only(tensors):
    for tensor in tensors:
        if tensor.grad_fn is None:
            tensor.grad = None


@wrong("3.6", says="walk the topological order in reverse")
def order_not_reversed(self, gradient=None):
    grads = {self: head_gradient(self, gradient)}
    for tensor in topological_order(self):
        grad = grads.pop(tensor)
        accumulate(tensor, grad)
        if tensor.grad_fn is not None:
            propagate(tensor.grad_fn, grad, grads)


@wrong("3.6", says="waits until its sum is complete")
def first_come_first_served(self, gradient=None):
    grads, seen, waiting = {self: head_gradient(self, gradient)}, set(), [self]
    while waiting:
        tensor = waiting.pop(0)
        if tensor in seen or tensor not in grads:
            continue
        seen.add(tensor)
        accumulate(tensor, grads[tensor])
        if tensor.grad_fn is not None:
            propagate(tensor.grad_fn, grads[tensor], grads)
            waiting.extend(x for x in tensor.grad_fn.inputs if isinstance(x, Tensor))


@wrong("3.6", says="results too")
def leaves_only(self, gradient=None):
    grads = {self: head_gradient(self, gradient)}
    for tensor in reversed(topological_order(self)):
        grad = grads.pop(tensor)
        if tensor.grad_fn is None:
            accumulate(tensor, grad)
        else:
            propagate(tensor.grad_fn, grad, grads)


@wrong("3.6", says="gradients add up until zero_grad")
def each_pass_begins_anew(self, gradient=None):
    order = topological_order(self)
    zero_grad(order)
    grads = {self: head_gradient(self, gradient)}
    for tensor in reversed(order):
        grad = grads.pop(tensor)
        accumulate(tensor, grad)
        if tensor.grad_fn is not None:
            propagate(tensor.grad_fn, grad, grads)


@wrong("3.6", says="not what is in b.grad")
def leftovers_are_sent_again(self, gradient=None):
    accumulate(self, head_gradient(self, gradient))
    for tensor in reversed(topological_order(self)):
        if tensor.grad_fn is not None:
            sent = {}
            propagate(tensor.grad_fn, tensor.grad, sent)
            for x, grad_x in sent.items():
                accumulate(x, grad_x)


@wrong("3.6", says="head_gradient(self, gradient)")
def the_given_gradient_is_lost(self, gradient=None):
    grads = {self: Tensor(np.ones_like(self.data))}
    for tensor in reversed(topological_order(self)):
        grad = grads.pop(tensor)
        accumulate(tensor, grad)
        if tensor.grad_fn is not None:
            propagate(tensor.grad_fn, grad, grads)


@wrong("3.6", says="which element should grow")
def ones_for_a_vector(self, gradient=None):
    grads = {self: Tensor(np.ones_like(self.data)) if gradient is None else gradient}
    for tensor in reversed(topological_order(self)):
        grad = grads.pop(tensor)
        accumulate(tensor, grad)
        if tensor.grad_fn is not None:
            propagate(tensor.grad_fn, grad, grads)


@wrong("3.6", says="it begins with head_gradient, a one")
def begins_with_its_own_value(self, gradient=None):
    grads = {self: self if gradient is None else gradient}
    for tensor in reversed(topological_order(self)):
        grad = grads.pop(tensor)
        accumulate(tensor, grad)
        if tensor.grad_fn is not None:
            propagate(tensor.grad_fn, grad, grads)


@wrong("3.6", says="each tensor sends once, with its whole sum")
def the_recursive_version_again(self, gradient=None):
    recursive_backward(self, head_gradient(self, gradient))


@wrong("3.6", says="walk the topological order in a loop")
def a_step_calls_the_next(self, gradient=None):
    grads, order = {self: head_gradient(self, gradient)}, topological_order(self)

    def step():
        if order:
            tensor = order.pop()
            accumulate(tensor, grads[tensor])
            if tensor.grad_fn is not None:
                propagate(tensor.grad_fn, grads[tensor], grads)
            step()

    step()


@wrong("3.6", says="gradients of results add up")
def results_keep_the_last_gradient(self, gradient=None):
    grads = {self: head_gradient(self, gradient)}
    for tensor in reversed(topological_order(self)):
        grad = grads.pop(tensor)
        if tensor.grad_fn is None:
            accumulate(tensor, grad)
        else:
            tensor.grad = grad
            propagate(tensor.grad_fn, grad, grads)


@wrong("3.6", says="expected a Tensor")
def given_gradients_unchanged(self, gradient=None):
    grads = {self: head_gradient(self, None) if gradient is None else gradient}
    for tensor in reversed(topological_order(self)):
        grad = grads.pop(tensor)
        accumulate(tensor, grad)
        if tensor.grad_fn is not None:
            propagate(tensor.grad_fn, grad, grads)


@wrong("3.6", says="under a raised limit")
def a_step_calls_the_next_under_a_raised_limit(self, gradient=None):
    import sys

    before = sys.getrecursionlimit()
    sys.setrecursionlimit(100000)
    grads, order = {self: head_gradient(self, gradient)}, topological_order(self)

    def step():
        if order:
            tensor = order.pop()
            accumulate(tensor, grads[tensor])
            if tensor.grad_fn is not None:
                propagate(tensor.grad_fn, grads[tensor], grads)
            step()

    try:
        step()
    finally:
        sys.setrecursionlimit(before)


@wrong("3.7", says="compare with numerical_gradient")
def never_compares(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    zero_grad(inputs)
    f(*inputs).sum().backward()
    return True


@wrong("3.7", says="weight each of them differently")
def all_weights_are_one(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    zero_grad(inputs)
    f(*inputs).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: f(*inputs).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="check every input")
def first_input_only(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
        return True


@wrong("3.7", says="do not return it")
def says_false(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for x in inputs:
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            return False
    return True


@wrong("3.7", says="compare the shapes, too")
def one_number_for_many(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="zero_grad(inputs)")
def old_gradients_count(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="no gradient counts as zero")
def none_breaks_it(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        if x.grad.shape != want.shape or not np.allclose(x.grad.data, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: {x.grad} is not {want}")
    return True


@wrong("3.7", says="y has influence but no gradient")
def none_always_passes(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = want if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="in this order")
def tolerances_exchanged(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, atol, rtol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="further off than")
def nearly_right_is_right(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or abs(got - want).max() > 0.1:
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="pass eps on")
def ignores_eps(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="rtol allows that much")
def ignores_the_tolerances(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="NaN")
def nan_passes(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or (abs(got - want) > atol + rtol * abs(want)).any():
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="expected RuntimeError")
def the_first_weight_is_zero(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    out = f(*inputs)
    weights = Tensor(np.arange(out.data.size, dtype=float).reshape(out.shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="shows both gradients")
def shows_no_numbers(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i} is wrong")
    return True


@wrong("3.1", says="ask the note once, before the loop")
def asks_the_note_for_each_input(tensor, grad):
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad
    if tensor.grad_fn is not None:
        for i, x in enumerate(tensor.grad_fn.inputs):
            grad_x = tensor.grad_fn.backward(grad)[i]
            if grad_x is not None:
                recursive_backward(x, grad_x)


@wrong("3.2", says="at least the root belongs in it")
def nothing_for_a_leaf(root):
    if root.grad_fn is None:
        return []
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        tensor, inputs_done = stack.pop()
        if inputs_done:
            order.append(tensor)
        elif tensor not in seen:
            seen.add(tensor)
            stack.append((tensor, True))
            inputs = tensor.grad_fn.inputs if tensor.grad_fn is not None else ()
            stack.extend((x, False) for x in inputs if isinstance(x, Tensor))
    return order


@wrong("3.2", says="nothing came back: return the list")
def forgets_to_return_the_order(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        tensor, inputs_done = stack.pop()
        if inputs_done:
            order.append(tensor)
        elif tensor not in seen:
            seen.add(tensor)
            stack.append((tensor, True))
            inputs = tensor.grad_fn.inputs if tensor.grad_fn is not None else ()
            stack.extend((x, False) for x in inputs if isinstance(x, Tensor))


@wrong("3.2", says="begin each call anew")
def seen_is_a_default(root, seen=set()):  # noqa: B006
    order, stack = [], [(root, False)]
    while stack:
        tensor, inputs_done = stack.pop()
        if inputs_done:
            order.append(tensor)
        elif tensor not in seen:
            seen.add(tensor)
            stack.append((tensor, True))
            inputs = tensor.grad_fn.inputs if tensor.grad_fn is not None else ()
            stack.extend((x, False) for x in inputs if isinstance(x, Tensor))
    return order


@wrong("3.2", says="ask isinstance first")
def looks_up_arrays(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        tensor, inputs_done = stack.pop()
        if inputs_done:
            order.append(tensor)
        elif tensor not in seen and isinstance(tensor, Tensor):
            seen.add(tensor)
            stack.append((tensor, True))
            stack.extend((x, False) for x in (tensor.grad_fn.inputs if tensor.grad_fn else ()))
    return order


@wrong("3.3", says="it counts for a single number, too")
def one_element_always_begins_with_one(tensor, gradient):
    if tensor.data.size == 1:
        return Tensor(np.ones_like(tensor.data))
    if gradient is None:
        raise RuntimeError(f"backward() on shape {tensor.shape}: pass gradient=")
    gradient = as_tensor(gradient, tensor.dtype)
    if gradient.shape != tensor.shape:
        raise RuntimeError(f"gradient= must have shape {tensor.shape}, got {gradient.shape}")
    return gradient


@wrong("3.4", says="results receive their gradients, too")
def only_leaves_receive(ctx, grad, grads):
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if grad_x is not None and x.grad_fn is None:
            grads[x] = grads[x] + grad_x if x in grads else grad_x


@wrong("3.6", says="it has no note to ask")
def asks_a_leaf_for_its_note(self, gradient=None):
    grads = {self: head_gradient(self, gradient)}
    for tensor in reversed(topological_order(self)):
        grad = grads.pop(tensor)
        accumulate(tensor, grad)
        propagate(tensor.grad_fn, grad, grads)


@wrong("3.7", says="np.allclose wants arrays")
def compares_tensors(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps)
        if not np.allclose(x.grad, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {x.grad}, nudging {want}")
    return True


@wrong("3.7", says="the weights come from a fixed seed")
def new_weights_on_each_call(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng().standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.1", says="ask for the gradient")
def skips_plain_numbers_only(tensor, grad):
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad
    if tensor.grad_fn is not None:
        for x, grad_x in zip(tensor.grad_fn.inputs, tensor.grad_fn.backward(grad), strict=True):
            if not isinstance(x, (int, float)):
                recursive_backward(x, grad_x)


@wrong("3.1", says="ask for the gradient")
def sends_none_to_tensors(tensor, grad):
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad
    if tensor.grad_fn is not None:
        for x, grad_x in zip(tensor.grad_fn.inputs, tensor.grad_fn.backward(grad), strict=True):
            if isinstance(x, Tensor):
                recursive_backward(x, grad_x)


@wrong("3.1", says="ask for the gradient")
def none_is_no_part_of_a_sum(tensor, grad):
    if tensor.grad is None:
        tensor.grad = grad
    elif grad is not None:
        tensor.grad = tensor.grad + grad
    if tensor.grad_fn is not None:
        for x, grad_x in zip(tensor.grad_fn.inputs, tensor.grad_fn.backward(grad), strict=True):
            if isinstance(x, Tensor):
                recursive_backward(x, grad_x)


@wrong("3.2", says="each tensor with a .grad")
def a_gradient_marks_who_was_seen(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        tensor, inputs_done = stack.pop()
        if inputs_done:
            order.append(tensor)
        elif tensor not in seen:
            seen.add(tensor)
            stack.append((tensor, True))
            known = tensor.grad_fn is None or tensor.grad is not None
            inputs = () if known else tensor.grad_fn.inputs
            stack.extend((x, False) for x in inputs if isinstance(x, Tensor))
    return order


@wrong("3.2", says="of a subclass of Tensor")
def tensors_of_exactly_one_class(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        tensor, inputs_done = stack.pop()
        if inputs_done:
            order.append(tensor)
        elif tensor not in seen:
            seen.add(tensor)
            stack.append((tensor, True))
            inputs = tensor.grad_fn.inputs if tensor.grad_fn is not None else ()
            stack.extend((x, False) for x in inputs if type(x) is Tensor)
    return order


@wrong("3.3", says="an array of integers")
def integers_become_float32(tensor, gradient):
    if gradient is None:
        if tensor.data.size != 1:
            raise RuntimeError(f"backward() on shape {tensor.shape}: pass gradient=")
        return Tensor(np.ones_like(tensor.data))
    gradient = (
        Tensor(gradient) if isinstance(gradient, np.ndarray) else as_tensor(gradient, tensor.dtype)
    )
    if gradient.shape != tensor.shape:
        raise RuntimeError(f"gradient= must have shape {tensor.shape}, got {gradient.shape}")
    return gradient


@wrong("3.3", says="has the dtype of the tensor")
def knows_two_dtypes(tensor, gradient):
    if gradient is None:
        if tensor.data.size != 1:
            raise RuntimeError(f"backward() on shape {tensor.shape}: pass gradient=")
        return Tensor(
            np.ones(tensor.shape, np.float64 if tensor.dtype == np.float64 else np.float32)
        )
    gradient = as_tensor(gradient, tensor.dtype)
    if gradient.shape != tensor.shape:
        raise RuntimeError(f"gradient= must have shape {tensor.shape}, got {gradient.shape}")
    return gradient


@wrong("3.4", says="the dtype of propagate")
def sums_begin_with_float64_zeros(ctx, grad, grads):
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if grad_x is not None:
            grads[x] = grads.get(x, Tensor(np.zeros(x.shape))) + grad_x


@wrong("3.4", says="first, skip what gets None")
def looks_before_it_skips(ctx, grad, grads):
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        before = grads.get(x)
        if grad_x is not None:
            grads[x] = grad_x if before is None else before + grad_x


@wrong("3.5", "accumulate", says="results keep theirs, too")
def accumulates_at_leaves_only(tensor, grad):
    if tensor.grad_fn is None:
        tensor.grad = grad if tensor.grad is None else tensor.grad + grad


@wrong("3.5", "zero_grad", says="walk through them with for")
def counts_the_tensors(tensors):
    for i in range(len(tensors)):
        tensors[i].grad = None


@wrong("3.6", says="must have this name")
def another_name_for_the_gradient(self, grad=None):
    grads = {self: head_gradient(self, grad)}
    for tensor in reversed(topological_order(self)):
        if tensor in grads:
            accumulate(tensor, grads[tensor])
            if tensor.grad_fn is not None:
                propagate(tensor.grad_fn, grads[tensor], grads)


@wrong("3.6", says="begin with a new dict")
def the_dictionary_is_a_default(self, gradient=None, grads={}):  # noqa: B006
    grads[self] = head_gradient(self, gradient)
    for tensor in reversed(topological_order(self)):
        if tensor in grads:
            grad = grads.pop(tensor)
            accumulate(tensor, grad)
            if tensor.grad_fn is not None:
                propagate(tensor.grad_fn, grad, grads)


@wrong("3.6", says="nothing was sent to that input")
def every_tensor_must_have_been_sent_something(self, gradient=None):
    grads = {self: head_gradient(self, gradient)}
    for tensor in reversed(topological_order(self)):
        grad = grads.pop(tensor)
        accumulate(tensor, grad)
        if tensor.grad_fn is not None:
            propagate(tensor.grad_fn, grad, grads)


@wrong("3.6", says="needs it again")
def throws_the_notes_away(self, gradient=None):
    grads = {self: head_gradient(self, gradient)}
    for tensor in reversed(topological_order(self)):
        grad = grads.pop(tensor)
        accumulate(tensor, grad)
        if tensor.grad_fn is not None:
            propagate(tensor.grad_fn, grad, grads)
            tensor.grad_fn._saved = ()


@wrong("3.6", says="ask `gradient is None`")
def nothing_for_a_zero_gradient(self, gradient=None):
    gradient = gradient if isinstance(gradient, Tensor) or gradient else None
    grads = {self: head_gradient(self, gradient)}
    for tensor in reversed(topological_order(self)):
        grad = grads.pop(tensor)
        accumulate(tensor, grad)
        if tensor.grad_fn is not None:
            propagate(tensor.grad_fn, grad, grads)


@wrong("3.7", says="a tolerance of its own")
def one_tolerance_for_all_elements(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.abs(got - want).max(initial=0) <= atol + rtol * np.abs(
            want
        ).max(initial=0):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="two elements could be mixed up")
def weights_that_repeat(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).integers(1, 4, f(*inputs).shape).astype(np.float64))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="zero_grad(inputs)")
def only_the_first_is_made_afresh(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs[:1])
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="rtol is a part of want")
def got_and_want_exchanged(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(want, got, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.1", says="not a gradient of zeros")
def counts_none_as_zeros(tensor, grad):
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad
    if tensor.grad_fn is not None:
        for x, grad_x in zip(tensor.grad_fn.inputs, tensor.grad_fn.backward(grad), strict=True):
            if grad_x is not None:
                recursive_backward(x, grad_x)
            elif isinstance(x, Tensor):
                recursive_backward(x, Tensor(np.zeros_like(x.data)))


@wrong("3.1", says="however many there are")
def hears_of_two_inputs(tensor, grad):
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad
    if tensor.grad_fn is not None:
        inputs, grads = tensor.grad_fn.inputs, tensor.grad_fn.backward(grad)
        for x, grad_x in list(zip(inputs, grads, strict=True))[:2]:
            if grad_x is not None:
                recursive_backward(x, grad_x)


@wrong("3.1", says="go on with the next")
def none_ends_the_loop(tensor, grad):
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad
    if tensor.grad_fn is not None:
        for x, grad_x in zip(tensor.grad_fn.inputs, tensor.grad_fn.backward(grad), strict=True):
            if grad_x is None:
                break
            recursive_backward(x, grad_x)


@wrong("3.1", says="inf, expected 1e+301")
def goes_through_float32(tensor, grad):
    with np.errstate(all="ignore"):
        grad = Tensor(grad.data.astype(np.float32).astype(grad.dtype))
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad
    if tensor.grad_fn is not None:
        for x, grad_x in zip(tensor.grad_fn.inputs, tensor.grad_fn.backward(grad), strict=True):
            if grad_x is not None:
                recursive_backward(x, grad_x)


@wrong("3.2", says="input 3 of 3 is missing")
def visits_two_inputs(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        tensor, inputs_done = stack.pop()
        if inputs_done:
            order.append(tensor)
        elif tensor not in seen:
            seen.add(tensor)
            stack.append((tensor, True))
            inputs = tensor.grad_fn.inputs if tensor.grad_fn is not None else ()
            stack.extend((x, False) for x in inputs[:2] if isinstance(x, Tensor))
    return order


@wrong("3.2", says="an input that is no Tensor ends nothing")
def stops_at_a_number(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        tensor, inputs_done = stack.pop()
        if inputs_done:
            order.append(tensor)
        elif tensor not in seen:
            seen.add(tensor)
            stack.append((tensor, True))
            for x in tensor.grad_fn.inputs if tensor.grad_fn is not None else ():
                if not isinstance(x, Tensor):
                    break
                stack.append((x, False))
    return order


@wrong("3.2", says="don't go behind a tensor that has been seen")
def longest_way_from_the_root(root):
    depths, stack = {}, [(root, 0)]
    while stack:
        tensor, depth = stack.pop()
        if depths.get(tensor, -1) < depth:
            depths[tensor] = depth
            inputs = tensor.grad_fn.inputs if tensor.grad_fn is not None else ()
            stack.extend((x, depth + 1) for x in inputs if isinstance(x, Tensor))
    return sorted(depths, key=depths.get, reverse=True)


@wrong("3.4", says="however many there are")
def sends_to_two_inputs(ctx, grad, grads):
    for x, grad_x in list(zip(ctx.inputs, ctx.backward(grad), strict=True))[:2]:
        if grad_x is not None:
            grads[x] = grads[x] + grad_x if x in grads else grad_x


@wrong("3.4", says="x has no part in it")
def sums_in_the_dtype_of_x(ctx, grad, grads):
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if grad_x is not None:
            total = np.zeros_like(x.data)
            with np.errstate(all="ignore"):
                total += grads[x].data if x in grads else 0
                total += grad_x.data
            grads[x] = Tensor(total)


@wrong("3.4", says="hold equal numbers")
def finds_the_entry_by_its_numbers(ctx, grad, grads):
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if grad_x is not None:
            alike = (t for t in grads if np.array_equal(t.data, x.data))
            key = next(alike, x)
            grads[key] = grads[key] + grad_x if key in grads else grad_x


@wrong("3.5", "accumulate", says="x itself has no part in it")
def zero_is_made_of_the_tensor(tensor, grad):
    with np.errstate(all="ignore"):
        if tensor.grad is None:
            tensor.grad = Tensor(tensor.data * 0)
        tensor.grad = tensor.grad + grad


@wrong("3.5", "accumulate", says="propagate passes it on")
def accumulates_behind_as_well(tensor, grad):
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad
    if tensor.grad_fn is not None:
        for x, grad_x in zip(tensor.grad_fn.inputs, tensor.grad_fn.backward(grad), strict=True):
            if grad_x is not None:
                accumulate(x, grad_x)


@wrong("3.5", "zero_grad", says="empty after the first loop")
def looks_before_it_clears(tensors):
    if not all(isinstance(tensor, Tensor) for tensor in tensors):
        raise TypeError("zero_grad takes Tensors")
    for tensor in tensors:
        tensor.grad = None


@wrong("3.5", "zero_grad", says="neither for a length")
def asks_for_a_length(tensors):
    if len(tensors) > 0:
        for tensor in tensors:
            tensor.grad = None


@wrong("3.6", says="go on with the next")
def ends_at_the_first_unsent(self, gradient=None):
    grads = {self: head_gradient(self, gradient)}
    for tensor in reversed(topological_order(self)):
        if tensor not in grads:
            break
        accumulate(tensor, grads[tensor])
        if tensor.grad_fn is not None:
            propagate(tensor.grad_fn, grads[tensor], grads)


@wrong("3.6", says="before anything changes")
def sets_the_old_gradients_aside(self, gradient=None):
    order = topological_order(self)
    before = {tensor: tensor.grad for tensor in order}
    zero_grad(order)
    grads = {self: head_gradient(self, gradient)}
    for tensor in reversed(order):
        if tensor in grads:
            tensor.grad = before[tensor]
            accumulate(tensor, grads[tensor])
            if tensor.grad_fn is not None:
                propagate(tensor.grad_fn, grads[tensor], grads)


@wrong("3.7", says="beyond float32")
def compares_in_float32(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        with np.errstate(all="ignore"):
            got = np.zeros(x.shape) if x.grad is None else x.grad.data.astype(np.float32)
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="may ignore what it is handed")
def hands_on_the_one_input(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda x: (f(x) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="may ignore what it is handed")
def nudges_f_itself(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(f, x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="one by one")
def hands_over_a_list(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(inputs).shape))
    zero_grad(inputs)
    (f(inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="takes one input at a time")
def nudges_all_inputs_at_once(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), inputs, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="calls item() itself")
def gives_a_plain_number(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum().item(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="draw them once")
def new_weights_in_each_evaluation(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    generator = np.random.default_rng(0)

    def weighted():
        z = f(*inputs)
        return (z * Tensor(generator.standard_normal(z.shape))).sum()

    zero_grad(inputs)
    weighted().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: weighted(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="weight the elements and sum")
def forgets_to_sum(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="judge the same weighted sum")
def nudges_without_the_weights(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: f(*inputs).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="stricter than the defaults")
def never_stricter_than_the_defaults(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, max(rtol, 1e-3), max(atol, 1e-5)):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="atol + rtol * want, the sum of the two")
def atol_in_units_of_the_largest(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        unit = np.abs(want).max(initial=1e-300)
        if got.shape != want.shape or not np.allclose(got / unit, want / unit, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.3", says="not how many elements there are")
def compares_sizes(tensor, gradient):
    if gradient is None:
        if tensor.data.size != 1:
            raise RuntimeError(f"backward() on shape {tensor.shape}: pass gradient=")
        return Tensor(np.ones_like(tensor.data))
    gradient = as_tensor(gradient, tensor.dtype)
    if gradient.data.size != tensor.data.size:
        raise RuntimeError(f"gradient= must have shape {tensor.shape}, got {gradient.shape}")
    return gradient


@wrong("3.6", says="x's turn had passed")
def not_reversed_and_passed_over(self, gradient=None):
    grads = {self: head_gradient(self, gradient)}
    for tensor in topological_order(self):
        if tensor in grads:
            accumulate(tensor, grads[tensor])
            if tensor.grad_fn is not None:
                propagate(tensor.grad_fn, grads[tensor], grads)


@wrong("3.2", says="counted once here and twice there")
def counts_once_and_strikes_off_twice(root):
    def parents(t):
        return [x for x in t.grad_fn.inputs if isinstance(x, Tensor)] if t.grad_fn else []

    users, todo = {root: 0}, [root]
    while todo:
        for x in dict.fromkeys(parents(todo.pop())):
            if x not in users:
                users[x] = 0
                todo.append(x)
            users[x] += 1
    order, ready = [], [root]
    while ready:
        order.append(ready.pop())
        for x in parents(order[-1]):
            users[x] -= 1
            if users[x] == 0:
                ready.append(x)
    return order[::-1]


@wrong("3.2", says="counted once here and twice there")
def counts_once_and_strikes_off_twice_in_a_queue(root):
    def parents(t):
        return [x for x in t.grad_fn.inputs if isinstance(x, Tensor)] if t.grad_fn else []

    users, todo = {root: 0}, [root]
    while todo:
        for x in dict.fromkeys(parents(todo.pop())):
            if x not in users:
                users[x] = 0
                todo.append(x)
            users[x] += 1
    order = [root]
    for t in order:
        for x in parents(t):
            users[x] -= 1
            if users[x] == 0:
                order.append(x)
    return order[::-1]


@wrong("3.4", says="before you skip None")
def skips_none_before_it_pairs(ctx, grad, grads):
    tensors = [x for x in ctx.inputs if isinstance(x, Tensor)]
    for x, grad_x in zip(tensors, [g for g in ctx.backward(grad) if g is not None], strict=False):
        grads[x] = grads[x] + grad_x if x in grads else grad_x


@wrong("3.4", says="is what the note saved gone")
def frees_the_note(ctx, grad, grads):
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if grad_x is not None:
            grads[x] = grads[x] + grad_x if x in grads else grad_x
    ctx.save_for_backward()


@wrong("3.5", "accumulate", says="the first is kept as it is")
def adds_the_first_to_zeros(tensor, grad):
    before = Tensor(np.zeros(tensor.shape, grad.dtype)) if tensor.grad is None else tensor.grad
    tensor.grad = before + grad


@wrong("3.5", "accumulate", says="each sum is a new Tensor")
def zeros_are_replaced(tensor, grad):
    if tensor.grad is None or not tensor.grad.data.any():
        tensor.grad = grad
    else:
        tensor.grad = tensor.grad + grad


@wrong("3.5", "accumulate", says="each sum is a new Tensor")
def adds_no_zeros(tensor, grad):
    if tensor.grad is None:
        tensor.grad = grad
    elif grad.data.any():
        tensor.grad = tensor.grad + grad


@wrong("3.6", says="expected KeyError")
def takes_any_key_error_for_an_unsent_tensor(self, gradient=None):
    grads = {self: head_gradient(self, gradient)}
    for tensor in reversed(topological_order(self)):
        try:
            accumulate(tensor, grads[tensor])
            if tensor.grad_fn is not None:
                propagate(tensor.grad_fn, grads[tensor], grads)
        except KeyError:
            continue


@wrong("3.7", says="zeros of the shape of y")
def none_is_zeros_of_the_shape_of_the_result(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(f(*inputs).shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="zeros of the shape of y")
def none_is_zeros_of_the_first_shape(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(inputs[0].shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="zeros of the shape of y")
def none_is_zeros_in_a_row(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.data.size) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="that an operation has made is an input")
def checks_leaves_only(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        if x.grad_fn is not None:
            continue
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="its last slope nan")
def nan_becomes_zero(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.nan_to_num(np.zeros(x.shape) if x.grad is None else x.grad.data)
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="its last slope nan")
def where_nudging_finds_zeros_only_large_ones_differ(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not (
            np.allclose(got, want, rtol, atol) or (not want.any() and not (got > atol).any())
        ):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="nudging x itself moves both of its places")
def nudges_a_copy(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):

        def loss(t, before=inputs[:i], after=inputs[i + 1 :]):
            return (f(*before, t, *after) * weights).sum()

        want = numerical_gradient(loss, Tensor(x.data), eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.1", says="no history that leads to what the first was made from")
def sums_arrays(tensor, grad):
    tensor.grad = grad if tensor.grad is None else Tensor(tensor.grad.data + grad.data)
    if tensor.grad_fn is not None:
        for x, grad_x in zip(tensor.grad_fn.inputs, tensor.grad_fn.backward(grad), strict=True):
            if grad_x is not None:
                recursive_backward(x, grad_x)


@wrong("3.2", says="_orders still holds a Tensor afterwards")
def remembers_every_order(root):
    import weakref

    def order_of(root):
        order, seen, stack = [], set(), [(root, False)]
        while stack:
            tensor, inputs_done = stack.pop()
            if inputs_done:
                order.append(tensor)
            elif tensor not in seen:
                seen.add(tensor)
                stack.append((tensor, True))
                inputs = tensor.grad_fn.inputs if tensor.grad_fn is not None else ()
                stack.extend((x, False) for x in inputs if isinstance(x, Tensor))
        return order

    orders = globals().setdefault("_orders", weakref.WeakKeyDictionary())
    if root not in orders:
        orders[root] = order_of(root)
    return orders[root]


@wrong("3.2", says="_order_of still holds a Tensor")
def remembers_every_order_and_hands_out_copies(root):
    import functools

    def order_of(root):
        order, seen, stack = [], set(), [(root, False)]
        while stack:
            tensor, inputs_done = stack.pop()
            if inputs_done:
                order.append(tensor)
            elif tensor not in seen:
                seen.add(tensor)
                stack.append((tensor, True))
                inputs = tensor.grad_fn.inputs if tensor.grad_fn is not None else ()
                stack.extend((x, False) for x in inputs if isinstance(x, Tensor))
        return order

    cached = globals().setdefault("_order_of", functools.lru_cache(None)(order_of))
    return list(cached(root))


@wrong("3.2", says="no backward is run")
def asks_the_notes_for_gradients(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        tensor, inputs_done = stack.pop()
        if inputs_done:
            order.append(tensor)
        elif tensor not in seen:
            seen.add(tensor)
            stack.append((tensor, True))
            if tensor.grad_fn is not None:
                grads = tensor.grad_fn.backward(Tensor(np.ones_like(tensor.data)))
                for x, g in zip(tensor.grad_fn.inputs, grads, strict=True):
                    if g is not None:
                        stack.append((x, False))
    return order


@wrong("3.2", says="of the root as well")
def asks_the_root_for_its_inputs(root):
    order, seen, stack = [], {root}, [(root, True)]
    stack.extend((x, False) for x in root.grad_fn.inputs if isinstance(x, Tensor))
    while stack:
        tensor, inputs_done = stack.pop()
        if inputs_done:
            order.append(tensor)
        elif tensor not in seen:
            seen.add(tensor)
            stack.append((tensor, True))
            inputs = tensor.grad_fn.inputs if tensor.grad_fn is not None else ()
            stack.extend((x, False) for x in inputs if isinstance(x, Tensor))
    return order


@wrong("3.3", says="one element is enough, whatever the shape")
def knows_three_shapes_of_one_element(tensor, gradient):
    if gradient is None:
        if tensor.shape not in [(), (1,), (1, 1)]:
            raise RuntimeError(f"backward() on shape {tensor.shape}: .sum() it or pass gradient=")
        return Tensor(np.ones_like(tensor.data))
    gradient = as_tensor(gradient, tensor.dtype)
    if gradient.shape != tensor.shape:
        raise RuntimeError(f"gradient= must have shape {tensor.shape}, got {gradient.shape}")
    return gradient


@wrong("3.3", says="keeps its dtype")
def rounds_arrays_to_the_dtype_of_the_tensor(tensor, gradient):
    if gradient is None:
        if tensor.data.size != 1:
            raise RuntimeError(f"backward() on shape {tensor.shape}: .sum() it or pass gradient=")
        return Tensor(np.ones_like(tensor.data))
    if not isinstance(gradient, Tensor):
        gradient = Tensor(np.array(gradient, tensor.dtype))
    if gradient.shape != tensor.shape:
        raise RuntimeError(f"gradient= must have shape {tensor.shape}, got {gradient.shape}")
    return gradient


@wrong("3.3", says="ask `gradient is None`")
def compares_with_none(tensor, gradient):
    if gradient == None:  # noqa: E711
        if tensor.data.size != 1:
            raise RuntimeError(f"backward() on shape {tensor.shape}: .sum() it or pass gradient=")
        return Tensor(np.ones_like(tensor.data))
    gradient = as_tensor(gradient, tensor.dtype)
    if gradient.shape != tensor.shape:
        raise RuntimeError(f"gradient= must have shape {tensor.shape}, got {gradient.shape}")
    return gradient


@wrong("3.4", says="leaves the rest")
def drops_the_entry_of_the_result(ctx, grad, grads):
    for key in [k for k in grads if k.grad_fn is ctx]:
        del grads[key]
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if grad_x is not None:
            grads[x] = grads[x] + grad_x if x in grads else grad_x


@wrong("3.4", says="leaves the rest")
def drops_all_entries_that_hold_grad(ctx, grad, grads):
    for tensor in list(grads):
        if grads[tensor] is grad:
            del grads[tensor]  # it has spoken
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if grad_x is not None:
            grads[x] = grads[x] + grad_x if x in grads else grad_x


@wrong("3.4", says="no history that leads to what the first was made from")
def sums_arrays_in_grads(ctx, grad, grads):
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if grad_x is not None:
            grads[x] = Tensor(grads[x].data + grad_x.data) if x in grads else grad_x


@wrong("3.4", says="float32 + float64 is float64")
def casts_to_what_was_there(ctx, grad, grads):
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if grad_x is not None:
            if x in grads:
                total = grads[x] + grad_x
                total.data = total.data.astype(grads[x].dtype)
                grads[x] = total
            else:
                grads[x] = grad_x


@wrong("3.5", "accumulate", says="no copy, no sum")
def copies_the_first(tensor, grad):
    if tensor.grad is None:
        tensor.grad = Tensor(grad.data)
    else:
        tensor.grad = tensor.grad + grad


@wrong("3.5", "accumulate", says="no history that leads to what the first was made from")
def adds_arrays(tensor, grad):
    if tensor.grad is None:
        tensor.grad = grad
    else:
        tensor.grad = Tensor(tensor.grad.data + grad.data)


@wrong("3.5", "accumulate", says="float32 + float64 is float64")
def casts_to_the_dtype_of_the_first(tensor, grad):
    if tensor.grad is None:
        tensor.grad = grad
    else:
        first, tensor.grad = tensor.grad, tensor.grad + grad
        tensor.grad.data = tensor.grad.data.astype(first.dtype)


@wrong("3.5", "zero_grad", says="map alone runs nothing")
def maps_and_never_runs(tensors):
    map(lambda t: setattr(t, "grad", None), tensors)


@wrong("3.6", says="not what .grad has of an earlier one")
def sends_on_what_an_earlier_pass_left(self, gradient=None):
    grads = {self: head_gradient(self, gradient)}
    for tensor in reversed(topological_order(self)):
        if tensor in grads:
            accumulate(tensor, grads[tensor])
        if tensor.grad is not None and tensor.grad_fn is not None:
            propagate(tensor.grad_fn, grads.get(tensor, tensor.grad), grads)


@wrong("3.6", says="gradient of zeros")
def sends_zeros_from_what_an_earlier_pass_reached(self, gradient=None):
    heard = {self: head_gradient(self, gradient)}
    for tensor in reversed(topological_order(self)):
        if tensor in heard:
            accumulate(tensor, heard[tensor])
        if tensor.grad is None or tensor.grad_fn is None:
            continue
        if tensor not in heard:
            heard[tensor] = Tensor(np.zeros_like(tensor.data))
        propagate(tensor.grad_fn, heard[tensor], heard)


@wrong("3.6", says="nothing was sent to a")
def loses_what_an_earlier_pass_left_at_the_unheard(self, gradient=None):
    head = head_gradient(self, gradient)
    order = topological_order(self)
    before = [(t, t.grad) for t in order]
    zero_grad(order)
    self.grad = head
    for tensor in reversed(order):
        if tensor.grad is not None and tensor.grad_fn is not None:
            for x, g in zip(
                tensor.grad_fn.inputs, tensor.grad_fn.backward(tensor.grad), strict=True
            ):
                if g is not None:
                    accumulate(x, g)
    for tensor, old in before:
        if old is not None and tensor.grad is not None:
            tensor.grad = old + tensor.grad


@wrong("3.6", says="no history that leads to a")
def copies_gradients_without_their_notes(self, gradient=None):
    grads = {self: head_gradient(self, gradient)}
    for tensor in reversed(topological_order(self)):
        if tensor in grads:
            accumulate(tensor, Tensor(grads[tensor].data))
            if tensor.grad_fn is not None:
                propagate(tensor.grad_fn, Tensor(grads[tensor].data), grads)


@wrong("3.6", says="begin with head_gradient")
def begins_before_it_looks_at_the_gradient(self, gradient=None):
    if self.grad is None:
        self.grad = zeros(*self.shape)
    grads = {self: head_gradient(self, gradient)}
    for tensor in reversed(topological_order(self)):
        if tensor in grads:
            accumulate(tensor, grads[tensor])
            if tensor.grad_fn is not None:
                propagate(tensor.grad_fn, grads[tensor], grads)


@wrong("3.7", says="zero_grad(inputs)")
def clears_leaves_only(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    for x in inputs:
        if x.grad_fn is None:
            x.grad = None
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="zero_grad(inputs)")
def clears_only_what_f_uses(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(topological_order(f(*inputs)))
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="zero_grad(inputs)")
def clears_only_gradients_that_fit(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    for x in inputs:
        if x.grad is not None and x.grad.shape == x.shape:
            x.grad = None
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="0 * inf")
def makes_zeros_of_the_input(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = 0 * x.data if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="what was there before is taken away")
def subtracts_old_gradients(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    old = [0 if x.grad is None else x.grad.data for x in inputs]
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data - old[i]
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="pass it on as it is")
def scales_eps(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        step = eps * max(1, abs(x.data).max(initial=0))
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, step).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="show both gradients whole")
def shows_one_element_of_each(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            got, want = got.flat[0], want.flat[0]
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="when ZeroDivisionError cuts it short")
def nudges_by_hand(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = np.zeros(x.shape)
        for index in np.ndindex(x.shape):
            want[index] = central_difference(lambda _: (f(*inputs) * weights).sum(), x, index, eps)
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="let errors out")
def takes_an_error_of_f_for_a_pass(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        try:
            want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        except ArithmeticError:
            continue
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.1", says="only a part of the history")
def passes_on_a_copy(tensor, grad):
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad
    if tensor.grad_fn is not None:
        grads = tensor.grad_fn.backward(Tensor(grad.data))
        for x, grad_x in zip(tensor.grad_fn.inputs, grads, strict=True):
            if grad_x is not None:
                recursive_backward(x, grad_x)


@wrong("3.1", says="of a subclass of Tensor")
def passes_over_subclasses(tensor, grad):
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad
    if tensor.grad_fn is not None:
        for x, grad_x in zip(tensor.grad_fn.inputs, tensor.grad_fn.backward(grad), strict=True):
            if grad_x is not None and type(x) is Tensor:
                recursive_backward(x, grad_x)


@wrong("3.1", says="whatever number it is")
def takes_nan_for_nothing(tensor, grad):
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad
    if tensor.grad_fn is not None:
        for x, grad_x in zip(tensor.grad_fn.inputs, tensor.grad_fn.backward(grad), strict=True):
            if grad_x is not None and not (grad_x.data.size and np.isnan(grad_x.data).all()):
                recursive_backward(x, grad_x)


@wrong("3.1", says="leave each grad_fn alone")
def copies_the_first_that_comes(tensor, grad):
    tensor.grad = Tensor(grad.data) if tensor.grad is None else tensor.grad + grad
    if tensor.grad_fn is not None:
        for x, grad_x in zip(tensor.grad_fn.inputs, tensor.grad_fn.backward(grad), strict=True):
            if grad_x is not None:
                recursive_backward(x, grad_x)


@wrong("3.1", says="grad.grad_fn is not what it was before")
def cuts_the_note_of_what_came(tensor, grad):
    grad.grad_fn = None
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad
    if tensor.grad_fn is not None:
        for x, grad_x in zip(tensor.grad_fn.inputs, tensor.grad_fn.backward(grad), strict=True):
            if grad_x is not None:
                recursive_backward(x, grad_x)


@wrong("3.2", says="of type Odd")
def takes_whatever_has_a_grad_fn(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        tensor, inputs_done = stack.pop()
        if inputs_done:
            order.append(tensor)
        elif tensor not in seen:
            seen.add(tensor)
            stack.append((tensor, True))
            inputs = tensor.grad_fn.inputs if tensor.grad_fn is not None else ()
            stack.extend((x, False) for x in inputs if hasattr(x, "grad_fn"))
    return order


@wrong("3.2", says="take only inputs of which isinstance")
def leaves_out_what_it_thinks_of(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        tensor, inputs_done = stack.pop()
        if inputs_done:
            order.append(tensor)
        elif id(tensor) not in seen:
            seen.add(id(tensor))
            stack.append((tensor, True))
            note = getattr(tensor, "grad_fn", None)
            inputs = note.inputs if note is not None else ()
            stack.extend((x, False) for x in inputs if not isinstance(x, (int, float)))
    return order


@wrong("3.3", says="return it as it is")
def copies_what_is_given(tensor, gradient):
    if gradient is None:
        if tensor.data.size != 1:
            raise RuntimeError(f"needs one element, got shape {tensor.shape}")
        return Tensor(np.ones_like(tensor.data))
    gradient = Tensor(as_array(gradient, tensor.dtype))
    if gradient.shape != tensor.shape:
        raise RuntimeError(f"shape {gradient.shape} is not {tensor.shape}")
    return gradient


@wrong("3.3", says="5 of a subclass of Tensor")
def copies_what_is_of_a_subclass(tensor, gradient):
    if gradient is None:
        if tensor.data.size != 1:
            raise RuntimeError(f"needs one element, got shape {tensor.shape}")
        return Tensor(np.ones_like(tensor.data))
    if type(gradient) is not Tensor:
        gradient = Tensor(as_array(gradient, tensor.dtype))
    if gradient.shape != tensor.shape:
        raise RuntimeError(f"shape {gradient.shape} is not {tensor.shape}")
    return gradient


@wrong("3.3", says="gradient.grad_fn is not what it was before")
def cuts_the_note_of_what_is_given(tensor, gradient):
    if gradient is None:
        if tensor.data.size != 1:
            raise RuntimeError(f"needs one element, got shape {tensor.shape}")
        return Tensor(np.ones_like(tensor.data))
    gradient = as_tensor(gradient, tensor.dtype)
    if gradient.shape != tensor.shape:
        raise RuntimeError(f"shape {gradient.shape} is not {tensor.shape}")
    gradient.grad_fn = None
    return gradient


@wrong("3.3", says="no more is asked of it")
def knows_two_axes(tensor, gradient):
    if gradient is None:
        if tensor.data.size != 1:
            raise RuntimeError(f"needs one element, got shape {tensor.shape}")
        return Tensor(np.ones_like(tensor.data))
    gradient = as_tensor(gradient, tensor.dtype)
    if gradient.shape != tensor.shape or len(gradient.shape) > 2:
        raise RuntimeError(f"shape {gradient.shape} is not {tensor.shape}")
    return gradient


@wrong("3.4", says="of a subclass of Tensor")
def no_entries_for_subclasses(ctx, grad, grads):
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if grad_x is not None and type(x) is Tensor:
            grads[x] = grads[x] + grad_x if x in grads else grad_x


@wrong("3.4", says="whatever number it is")
def nan_makes_no_entry(ctx, grad, grads):
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if grad_x is not None and not (grad_x.data.size and np.isnan(grad_x.data).all()):
            grads[x] = grads[x] + grad_x if x in grads else grad_x


@wrong("3.4", says="grad.grad_fn is not what it was before")
def cuts_the_note_of_grad(ctx, grad, grads):
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if grad_x is not None:
            grads[x] = grads[x] + grad_x if x in grads else grad_x
    grad.grad_fn = None


@wrong("3.4", says="the note that changed = ['grad']")
def keeps_grad_on_the_note(ctx, grad, grads):
    ctx.grad = grad
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if grad_x is not None:
            grads[x] = grads[x] + grad_x if x in grads else grad_x


@wrong("3.4", says="the note that changed = ['inputs']")
def frees_the_inputs(ctx, grad, grads):
    for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if grad_x is not None:
            grads[x] = grads[x] + grad_x if x in grads else grad_x
    ctx.inputs = ()


@wrong("3.4", says="grads[a] = 40, expected 30")
def multiplies_the_last(ctx, grad, grads):
    pairs = [p for p in zip(ctx.inputs, ctx.backward(grad), strict=True) if p[1] is not None]
    for x, grad_x in dict(pairs).items():
        times = sum(y is x for y, _ in pairs)
        grad_x = grad_x if times == 1 else grad_x * times
        grads[x] = grads[x] + grad_x if x in grads else grad_x


@wrong("3.5", "accumulate", says="leave each grad_fn alone")
def cuts_the_note_of_the_old_gradient(tensor, grad):
    if tensor.grad is not None:
        tensor.grad.grad_fn = None
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad


@wrong("3.5", "accumulate", says="grad.grad_fn is not what it was before")
def cuts_the_note_of_the_new_gradient(tensor, grad):
    grad.grad_fn = None
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad


@wrong("3.5", "accumulate", says="of a subclass of Tensor")
def keeps_nothing_for_subclasses(tensor, grad):
    if type(tensor) is Tensor:
        tensor.grad = grad if tensor.grad is None else tensor.grad + grad


@wrong("3.5", "accumulate", says="any number is a gradient")
def keeps_nan_out(tensor, grad):
    if not (grad.data.size and np.isnan(grad.data).all()):
        tensor.grad = grad if tensor.grad is None else tensor.grad + grad


@wrong("3.5", "zero_grad", says="the old gradients stay as they are")
def detaches_the_old_gradients(tensors):
    for tensor in tensors:
        if tensor.grad is not None:
            tensor.grad.grad_fn = None
        tensor.grad = None


@wrong("3.5", "zero_grad", says="of a subclass of Tensor")
def clears_no_subclasses(tensors):
    for tensor in tensors:
        if type(tensor) is Tensor:
            tensor.grad = None


@wrong("3.6", says="no history that leads to w")
def begins_with_a_copy(self, gradient=None):
    grads = {self: Tensor(head_gradient(self, gradient).data)}
    for tensor in reversed(topological_order(self)):
        if tensor in grads:
            accumulate(tensor, grads[tensor])
            if tensor.grad_fn is not None:
                propagate(tensor.grad_fn, grads[tensor], grads)


@wrong("3.6", says="gradient.grad_fn is not what it was before")
def cuts_the_notes_at_the_end(self, gradient=None):
    grads = {self: head_gradient(self, gradient)}
    for tensor in reversed(topological_order(self)):
        if tensor in grads:
            accumulate(tensor, grads[tensor])
            if tensor.grad_fn is not None:
                propagate(tensor.grad_fn, grads[tensor], grads)
    for grad in grads.values():
        grad.grad_fn = None


@wrong("3.6", says="keeps its own")
def casts_a_given_gradient(self, gradient=None):
    head = head_gradient(self, gradient)
    grads = {self: head if head.dtype == self.dtype else Tensor(head.data.astype(self.dtype))}
    for tensor in reversed(topological_order(self)):
        if tensor in grads:
            accumulate(tensor, grads[tensor])
            if tensor.grad_fn is not None:
                propagate(tensor.grad_fn, grads[tensor], grads)


@wrong("3.6", says="whose .grad is [10, 0] before")
def goes_on_from_its_own_grad(self, gradient=None):
    if gradient is None and self.data.size != 1:
        gradient = self.grad
    grads = {self: head_gradient(self, gradient)}
    for tensor in reversed(topological_order(self)):
        if tensor in grads:
            accumulate(tensor, grads[tensor])
            if tensor.grad_fn is not None:
                propagate(tensor.grad_fn, grads[tensor], grads)


@wrong("3.6", says="so the backward of g isn't run")
def runs_the_unsent_as_well(self, gradient=None):
    grads = {self: head_gradient(self, gradient)}
    for tensor in reversed(topological_order(self)):
        if tensor in grads:
            accumulate(tensor, grads[tensor])
            if tensor.grad_fn is not None:
                propagate(tensor.grad_fn, grads[tensor], grads)
        elif tensor.grad_fn is not None:
            tensor.grad_fn.backward(Tensor(np.zeros_like(tensor.data)))


@wrong("3.6", says="set no zeros")
def zeros_for_unsent_results(self, gradient=None):
    grads = {self: head_gradient(self, gradient)}
    for tensor in reversed(topological_order(self)):
        if tensor in grads:
            accumulate(tensor, grads[tensor])
            if tensor.grad_fn is not None:
                propagate(tensor.grad_fn, grads[tensor], grads)
        elif tensor.grad_fn is not None and tensor.grad is None:
            tensor.grad = Tensor(np.zeros_like(tensor.data))


@wrong("3.6", says="whatever number it is")
def nan_goes_no_further(self, gradient=None):
    grads = {self: head_gradient(self, gradient)}
    for tensor in reversed(topological_order(self)):
        if tensor in grads:
            grad = grads[tensor].data
            accumulate(tensor, grads[tensor])
            if tensor.grad_fn is not None and not (grad.size and np.isnan(grad).all()):
                propagate(tensor.grad_fn, grads[tensor], grads)


@wrong("3.7", says="with a weight of 1, 2 and 2 * g are the same")
def one_number_needs_no_weight(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    shape = f(*inputs).shape
    weights = Tensor(np.random.default_rng(0).standard_normal(shape) if shape else np.ones(()))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="weights in even steps")
def counts_the_weights(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    shape = f(*inputs).shape
    weights = Tensor(np.arange(1.0, 1 + np.prod(shape)).reshape(shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="inf agrees with inf")
def infinity_never_agrees(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not (abs(got - want) <= atol + rtol * abs(want)).all():
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="f(y) is NaN but for y = 1")
def nan_passes_where_nothing_came(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if x.grad is None and np.isnan(want).all():
            continue
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="x moves with itself, by 1")
def no_pass_from_an_input(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    if f(*inputs).grad_fn is not None:
        (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="once is enough")
def a_pass_for_each_input(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    for i, x in enumerate(inputs):
        (f(*inputs) * weights).sum().backward()
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", says="np.random's state afterwards")
def seeds_what_everybody_draws_from(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    np.random.seed(0)
    weights = Tensor(np.random.standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.1", says="gives a bare None")
def runs_the_rule_without_the_note(tensor, grad):
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad
    ctx = tensor.grad_fn
    if ctx is not None:
        answers = ctx.function.backward(ctx, grad)
        if isinstance(answers, Tensor):
            answers = (answers,)
        for x, g in zip(ctx.inputs, answers, strict=False):
            if g is not None:
                recursive_backward(x, g)


@wrong("3.4", says="gives a bare None")
def asks_the_rule_without_the_note(ctx, grad, grads):
    answers = ctx.function.backward(ctx, grad)
    if isinstance(answers, Tensor):
        answers = (answers,)
    for x, g in zip(ctx.inputs, answers, strict=False):
        if g is not None:
            grads[x] = grads[x] + g if x in grads else g


@wrong("3.4", says="takes none away")
def takes_the_entry_out_first(ctx, grad, grads):
    for x, g in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if isinstance(x, Tensor):
            so_far = grads.pop(x, None)
            if g is not None:
                grads[x] = g if so_far is None else so_far + g


@wrong("3.4", says="takes none away")
def one_none_for_all_places(ctx, grad, grads):
    parts = {}
    for x, g in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if isinstance(x, Tensor):
            parts.setdefault(x, []).append(g)
    for x, given in parts.items():
        if None not in given:
            for g in given:
                grads[x] = grads[x] + g if x in grads else g


@wrong("3.2", says="a set or a dict knows at once")
def searches_a_list_for_what_was_seen(root):
    order, seen, stack = [], [], [(root, False)]
    while stack:
        tensor, inputs_done = stack.pop()
        if inputs_done:
            order.append(tensor)
        elif tensor not in seen:
            seen.append(tensor)
            stack.append((tensor, True))
            inputs = tensor.grad_fn.inputs if tensor.grad_fn is not None else ()
            stack.extend((x, False) for x in inputs if isinstance(x, Tensor))
    return order


@wrong("3.6", says="each tensor sends once")
def sums_on_a_stack(self, gradient=None):
    sums, stack = {self: head_gradient(self, gradient)}, [self]
    while stack:
        tensor = stack.pop()
        if tensor in sums:
            total = sums.pop(tensor)
            accumulate(tensor, total)
            if tensor.grad_fn is not None:
                propagate(tensor.grad_fn, total, sums)
                stack.extend(x for x in tensor.grad_fn.inputs if isinstance(x, Tensor))


@wrong("3.6", says="needn't wait for it")
def waits_for_the_unsent(self, gradient=None):
    grads, order = {self: head_gradient(self, gradient)}, topological_order(self)
    inputs = {t: t.grad_fn.inputs if t.grad_fn is not None else () for t in order}
    users = dict.fromkeys(order, 0)
    for t in order:
        for x in inputs[t]:
            if isinstance(x, Tensor):
                users[x] += 1
    ready = [self]
    while ready:
        t = ready.pop()
        accumulate(t, grads[t])
        if t.grad_fn is not None:
            propagate(t.grad_fn, grads[t], grads)
        for x in inputs[t]:
            if isinstance(x, Tensor):
                users[x] -= 1
                if users[x] == 0 and x in grads:
                    ready.append(x)


@wrong("3.6", says="each pass counts")
def the_head_twice_is_once(self, gradient=None):
    head = head_gradient(self, gradient)
    if self.grad is head:
        self.grad = None
    grads = {self: head}
    for tensor in reversed(topological_order(self)):
        if tensor in grads:
            accumulate(tensor, grads[tensor])
            if tensor.grad_fn is not None:
                propagate(tensor.grad_fn, grads[tensor], grads)


@wrong("3.4", says="of one gradient")
def asks_the_function_and_wraps(ctx, grad, grads):
    given = ctx.function.backward(ctx, grad)
    for x, g in zip(ctx.inputs, [given] if len(ctx.inputs) == 1 else given, strict=True):
        if isinstance(x, Tensor) and g is not None:
            grads[x] = grads[x] + g if x in grads else g


@wrong("3.7", says="pass it on as it is")
def half_of_eps(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for x in inputs:
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps / 2).data
        got = np.zeros_like(want) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"got {got}, expected {want}")
    return True


@wrong("3.7", says="the weights are so small")
def weights_that_hide_in_atol(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape) * 1e-4)
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for x in inputs:
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros_like(want) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"got {got}, expected {want}")
    return True


@wrong("3.5", "accumulate", says="has no history that leads to what the second was made from")
def doubles_where_both_are_equal(tensor, grad):
    old = tensor.grad
    if old is None:
        tensor.grad = grad
    elif old.shape == grad.shape and (old.data == grad.data).all() and old.dtype == grad.dtype:
        tensor.grad = old * 2
    else:
        tensor.grad = old + grad


@wrong("3.6", "Tensor.backward", says="not even to begin with")
def recurses_as_long_as_python_lets_it(self, gradient=None):
    grads, order = {self: head_gradient(self, gradient)}, topological_order(self)

    def send(left):
        if not left:
            return
        *others, tensor = left
        if tensor in grads:
            accumulate(tensor, grads[tensor])
            if tensor.grad_fn is not None:
                propagate(tensor.grad_fn, grads[tensor], grads)
        send(others)

    if len(order) < 500:
        return send(order)
    for tensor in reversed(order):
        if tensor in grads:
            accumulate(tensor, grads[tensor])
            if tensor.grad_fn is not None:
                propagate(tensor.grad_fn, grads[tensor], grads)


@wrong("3.6", "Tensor.backward", says="float32 + float64 is float64")
def a_sum_keeps_the_dtype_of_its_tensor(self, gradient=None):
    grads = {self: head_gradient(self, gradient)}
    for tensor in reversed(topological_order(self)):
        if tensor in grads:
            before = tensor.grad
            accumulate(tensor, grads[tensor])
            if before is not None:
                tensor.grad.data = tensor.grad.data.astype(tensor.dtype)
            if tensor.grad_fn is not None:
                propagate(tensor.grad_fn, grads[tensor], grads)


@wrong("3.7", "gradcheck", says="so y receives none")
def without_gradient_nothing_may_move(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        if x.grad is None and np.abs(want).max(initial=0) < 1e-8:
            continue
        got = np.full(x.shape, np.inf) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.1", "recursive_backward", says="x of shape (0,)")
def tells_empty_tensors_nothing(tensor, grad):
    if tensor.data.size == 0:
        return
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad
    if tensor.grad_fn is not None:
        for x, g in zip(tensor.grad_fn.inputs, tensor.grad_fn.backward(grad), strict=True):
            if g is not None:
                recursive_backward(x, g)


@wrong("3.1", "recursive_backward", says="any Tensor is handed on, and as it came")
def sums_what_is_too_large(tensor, grad):
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad
    if tensor.grad_fn is not None:
        for x, g in zip(tensor.grad_fn.inputs, tensor.grad_fn.backward(grad), strict=True):
            if g is not None:
                recursive_backward(x, g.sum() if x.shape == () and g.shape != () else g)


@wrong("3.1", "recursive_backward", says="250 times")
def gives_up_in_the_depth(tensor, grad, depth=0):
    if depth > 150:
        return
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad
    if tensor.grad_fn is not None:
        for x, g in zip(tensor.grad_fn.inputs, tensor.grad_fn.backward(grad), strict=True):
            if g is not None:
                recursive_backward(x, g, depth + 1)


@wrong("3.2", "topological_order", says="x of shape (0, 3)")
def leaves_the_empty_ones_out(root):
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        tensor, inputs_done = stack.pop()
        if inputs_done:
            order.append(tensor)
        elif tensor not in seen:
            seen.add(tensor)
            stack.append((tensor, True))
            inputs = tensor.grad_fn.inputs if tensor.grad_fn is not None else ()
            stack.extend((x, False) for x in inputs if isinstance(x, Tensor) and x.data.size)
    return order


@wrong("3.3", "head_gradient", says="has the tensor's own array")
def begins_with_a_one_that_is_there_already(tensor, gradient):
    if gradient is None:
        if tensor.data.size != 1:
            raise RuntimeError(f"backward() on shape {tensor.shape}: .sum() it or pass gradient=")
        one = Tensor(0.0)
        one.data = tensor.data if (tensor.data == 1).all() else np.ones_like(tensor.data)
        return one
    gradient = as_tensor(gradient, tensor.dtype)
    if gradient.shape != tensor.shape:
        raise RuntimeError(f"gradient= must have shape {tensor.shape}, got {gradient.shape}")
    return gradient


@wrong("3.3", "head_gradient", says="its dtype may be another")
def refuses_another_dtype(tensor, gradient):
    if gradient is None:
        if tensor.data.size != 1:
            raise RuntimeError(f"backward() on shape {tensor.shape}: .sum() it or pass gradient=")
        return Tensor(np.ones_like(tensor.data))
    gradient = as_tensor(gradient, tensor.dtype)
    if gradient.shape != tensor.shape or gradient.dtype != tensor.dtype:
        raise RuntimeError(f"{gradient.shape} {gradient.dtype}, {tensor.shape} {tensor.dtype}")
    return gradient


@wrong("3.4", "propagate", says="any Tensor is handed on, and as it came")
def skips_what_has_another_shape(ctx, grad, grads):
    for x, g in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if g is not None and g.shape == x.shape:
            grads[x] = grads[x] + g if x in grads else g


@wrong("3.4", "propagate", says="after zeros")
def replaces_zeros(ctx, grad, grads):
    for x, g in zip(ctx.inputs, ctx.backward(grad), strict=True):
        if g is not None:
            grads[x] = grads[x] + g if x in grads and grads[x].data.any() else g


@wrong("3.5", "accumulate", says="are as before")
def clears_the_gradient_of_the_gradient(tensor, grad):
    grad.grad = None
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad


@wrong("3.5", "zero_grad", says="g.grad is None")
def clears_the_gradients_of_gradients(tensors):
    for tensor in tensors:
        if tensor.grad is not None:
            tensor.grad.grad = None
        tensor.grad = None


@wrong("3.6", "Tensor.backward", says="expected RuntimeError")
def spreads_a_number(self, gradient=None):
    if isinstance(gradient, (int, float)):
        gradient = np.full(self.shape, gradient, self.dtype)
    grads = {self: head_gradient(self, gradient)}
    for tensor in reversed(topological_order(self)):
        if tensor in grads:
            accumulate(tensor, grads[tensor])
            if tensor.grad_fn is not None:
                propagate(tensor.grad_fn, grads[tensor], grads)


@wrong("3.7", "gradcheck", says="two elements could be mixed up unseen")
def weighs_squares_symmetrically(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    shape = f(*inputs).shape
    numbers = np.random.default_rng(0).standard_normal(shape)
    if len(shape) == 2 and shape[0] == shape[1]:
        numbers = numbers + numbers.T
    weights = Tensor(numbers)
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", "gradcheck", says="the largest nudge that f saw")
def nudges_by_a_ten_millionth_at_least(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        loss = lambda _: (f(*inputs) * weights).sum()  # noqa: E731
        want = numerical_gradient(loss, x, max(eps, 1e-7)).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


@wrong("3.7", "gradcheck", says="eps, atol, rtol = ")
def takes_the_tolerances_in_another_order(f, inputs, eps=1e-6, rtol=1e-3, atol=1e-5):
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True
