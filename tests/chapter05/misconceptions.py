"""Wrong answers to the exercises of chapter 5, each with words that its message must contain."""

from course.misconceptions import wrong


@wrong("5.1", "require_floating", says="before as_array has made float32 of it")
def asks_after_the_conversion(data):
    dtype = as_array(data).dtype
    if dtype.kind != "f":
        raise RuntimeError(f"only floating-point data can require gradients, got {dtype}")


@wrong("5.1", "require_floating", says="what counts is dtype.kind 'f'")
def accepts_plain_floats_only(data):
    if not isinstance(data, float):
        raise RuntimeError(f"only floating-point data can require gradients, got {data!r}")


@wrong("5.1", "require_floating", says="what counts is dtype.kind 'f'")
def accepts_float64_only(data):
    dtype = np.array(data.data if isinstance(data, Tensor) else data).dtype
    if dtype != np.float64:
        raise RuntimeError(f"only floating-point data can require gradients, got {dtype}")


@wrong("5.1", "require_floating", says="booleans are no floating-point numbers either")
def lets_booleans_pass(data):
    dtype = np.array(data.data if isinstance(data, Tensor) else data).dtype
    if dtype.kind in "iu":
        raise RuntimeError(f"only floating-point data can require gradients, got {dtype}")


@wrong("5.1", "require_floating", says="expected RuntimeError")
def answers_instead_of_raising(data):
    return np.array(data.data if isinstance(data, Tensor) else data).dtype.kind == "f"


@wrong("5.1", "Tensor.is_leaf", says="is_leaf asks who made it, not what it requires")
def only_those_who_ask_are_leaves(self):
    return self.requires_grad and self.grad_fn is None


@wrong("5.1", "Tensor.is_leaf", says="nobody made it")
def constants_are_the_leaves(self):
    return not self.requires_grad


@wrong("5.1", "Tensor.is_leaf", says="look at grad_fn, not at grad")
def without_gradient_means_leaf(self):
    return self.grad_fn is None and self.grad is None


@wrong("5.1", "Tensor.is_leaf", says="a result has a grad_fn")
def who_asks_is_a_leaf(self):
    return self.requires_grad or self.grad_fn is None


@wrong("5.2", says="any input that requires a gradient is enough")
def wants_it_of_all_inputs(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    if recording and all(x.requires_grad for x in inputs if isinstance(x, Tensor)):
        result.requires_grad, result.grad_fn = True, ctx
    return result


@wrong("5.2", says="wherever it stands")
def looks_at_the_first_input_only(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    if recording and needs_grad(inputs[0]):
        result.requires_grad, result.grad_fn = True, ctx
    return result


@wrong("5.2", says="no input requires a gradient: remember nothing")
def keeps_every_ctx(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    result.grad_fn = ctx
    result.requires_grad = recording and any(needs_grad(x) for x in inputs)
    return result


@wrong("5.2", says="the result of a recorded operation requires a gradient itself")
def forgets_to_pass_the_need_on(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    if recording and any(needs_grad(x) for x in inputs):
        result.grad_fn = ctx
    return result


@wrong("5.2", says="keep the ctx")
def forgets_the_ctx(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    result.requires_grad = recording and any(needs_grad(x) for x in inputs)
    return result


@wrong("5.2", says="ask the global flag")
def never_asks_the_flag(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    if any(needs_grad(x) for x in inputs):
        result.requires_grad, result.grad_fn = True, ctx
    return result


@wrong("5.2", says="an exponent or an axis has no requires_grad")
def takes_every_input_for_a_tensor(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    if recording and any(x.requires_grad for x in inputs):
        result.requires_grad, result.grad_fn = True, ctx
    return result


@wrong("5.2", says="inputs[1].requires_grad is not what it was")
def makes_everyone_require(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    if recording and any(needs_grad(x) for x in inputs):
        for x in (result, *inputs):
            if isinstance(x, Tensor):
                x.requires_grad = True
        result.grad_fn = ctx
    return result


@wrong("5.2", says="z needs its ctx")
def prunes_what_a_constant_branch_enters(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    tensors = [x for x in inputs if isinstance(x, Tensor)]
    cut = len(tensors) == 2 and tensors[0].grad_fn is not None and not tensors[1].requires_grad
    if recording and any(needs_grad(x) for x in inputs):
        result.requires_grad = True
        result.grad_fn = None if cut else ctx
    return result


@wrong("5.3", says="they were copied, as Tensor(self.data) does")
def copies_the_numbers(self):
    return Tensor(self.data)


@wrong("5.3", says="self.grad_fn is not what it was")
def detaches_itself_and_returns_a_copy(self):
    alias = Tensor(self.data)
    alias.data = self.data
    self.requires_grad, self.grad_fn = False, None
    return alias


@wrong("5.3", says="self.grad_fn is not what it was")
def detaches_itself(self):
    self.requires_grad, self.grad_fn = False, None
    return self


@wrong("5.3", says="asks for no gradient, whatever y asks for")
def keeps_asking_for_a_gradient(self):
    alias = Tensor(self.data, self.requires_grad)
    alias.data = self.data
    return alias


@wrong("5.3", says="must not reach y's past")
def keeps_the_history(self):
    alias = Tensor(self.data)
    alias.data, alias.grad_fn = self.data, self.grad_fn
    return alias


@wrong("5.3", says="starts without a gradient")
def hands_the_gradient_on(self):
    alias = Tensor(self.data)
    alias.data, alias.grad = self.data, self.grad
    return alias


@wrong("5.3", says="the array itself")
def gives_the_bare_array(self):
    return self.data


@wrong("5.4", says="put it back in a finally: block")
def stays_off_after_an_exception():
    global recording
    before, recording = recording, False
    yield
    recording = before


@wrong("5.4", says="put back what was before, not True")
def switches_on_at_the_end():
    global recording
    recording = False
    try:
        yield
    finally:
        recording = True


@wrong("5.4", says="that's a local name")
def sets_a_local_name():
    recording = False  # noqa: F841
    try:
        yield
    finally:
        recording = True  # noqa: F841


@wrong("5.4", says="the inner scope must not toggle the flag")
def toggles_the_flag():
    global recording
    recording = not recording
    try:
        yield
    finally:
        recording = not recording


@wrong("5.4", says="no except, and no return in a finally: block")
def swallows_the_exception():
    global recording
    before, recording = recording, False
    try:  # noqa: SIM105
        yield
    except Exception:
        pass
    recording = before


@wrong("5.4", says="after the yield")
def never_puts_it_back():
    global recording
    recording = False
    yield


@wrong("5.4", says="recording must be False inside")
def puts_it_back_too_early():
    global recording
    before, recording = recording, False
    recording = before
    yield


@wrong("5.5", "Context.free", says="an empty tuple")
def frees_only_what_was_saved(self):
    self._saved = None


@wrong("5.5", "Context.free", says="let go of that, too")
def frees_only_the_inputs(self):
    self.inputs = ()


@wrong("5.5", says="nothing saved is not the same as freed")
class TakesNothingSavedForFreed:
    def free(self):
        self.inputs, self._saved = (), ()

    def backward(self, grad_z):
        if not self._saved:
            raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
        grads = self.function.backward(self, grad_z)
        return grads if isinstance(grads, tuple) else (grads,)


@wrong("5.5", "Context.free", says="while nothing is recorded")
def frees_only_while_recording(self):
    if recording:
        self.inputs, self._saved = (), None


@wrong("5.5", "Context.backward", says="recording False")
def asks_only_while_recording(self, grad_z):
    if self._saved is None and recording:
        raise RuntimeError("freed; use retain_graph=True")
    grads = self.function.backward(self, grad_z)
    return grads if isinstance(grads, tuple) else (grads,)


@wrong("5.5", "Context.backward", says="expected RuntimeError")
def never_asks_whether_it_was_freed(self, grad_z):
    grads = self.function.backward(self, grad_z)
    return grads if isinstance(grads, tuple) else (grads,)


@wrong("5.5", says="mark freed by something that no ctx has before")
class NoticesOnlyWhatSavedSomething:
    def free(self):
        self.had_saved, self.inputs, self._saved = self._saved != (), (), ()

    def backward(self, grad_z):
        if getattr(self, "had_saved", False):
            raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
        grads = self.function.backward(self, grad_z)
        return grads if isinstance(grads, tuple) else (grads,)


@wrong("5.5", "Context.backward", says="should contain retain_graph")
def does_not_say_what_helps(self, grad_z):
    if self._saved is None:
        raise RuntimeError("backward() was called twice")
    grads = self.function.backward(self, grad_z)
    return grads if isinstance(grads, tuple) else (grads,)


@wrong("5.5", "Context.backward", says="the answer is a tuple")
def gives_one_gradient_bare(self, grad_z):
    if self._saved is None:
        raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
    return self.function.backward(self, grad_z)


@wrong("5.6", says="only leaves keep their gradient")
def keeps_every_gradient(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.requires_grad:
                accumulate(tensor, grad)
            if tensor.grad_fn is not None:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", says="walk only over tensors that require a gradient")
def gives_gradients_to_constants(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
                continue
            ctx = tensor.grad_fn
            for x, grad_x in zip(ctx.inputs, ctx.backward(grad), strict=True):
                if needs_grad(x):
                    grads[x] = grads[x] + grad_x if x in grads else grad_x
                elif isinstance(x, Tensor):
                    accumulate(x, grad_x)
            if not retain_graph:
                ctx.free()


@wrong("5.6", says="no gradient would reach anybody")
def does_nothing_in_silence(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        return
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", says="run it in `with no_grad():`")
def records_the_backward_pass(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    grads = {self: head_gradient(self, gradient)}
    for tensor in reversed(topological_order(self)):
        grad = grads.pop(tensor)
        if tensor.is_leaf:
            accumulate(tensor, grad)
        else:
            propagate(tensor.grad_fn, grad, grads)
            if not retain_graph:
                tensor.grad_fn.free()


@wrong("5.6", says="nothing was freed")
def frees_nothing(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)


@wrong("5.6", says="each ctx is freed")
def frees_the_root_only(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
    if not retain_graph and not self.is_leaf:
        self.grad_fn.free()


@wrong("5.6", says="retain_graph=True: free nothing")
def frees_although_asked_to_retain(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                tensor.grad_fn.free()


@wrong("5.6", says="freed before its backward ran")
def frees_too_early(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
                continue
            if not retain_graph:
                tensor.grad_fn.free()
            propagate(tensor.grad_fn, grad, grads)


@wrong("5.6", says="x itself a leaf that asks")
def refuses_a_leaf(self, gradient=None, retain_graph=False):
    if self.is_leaf:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", says="a second pass adds to .grad")
def the_last_pass_wins(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                tensor.grad = grad
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", says="changed the Tensor that was there")
def adds_into_the_old_array(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf and tensor.grad is not None:
                tensor.grad.data += grad.data
            elif tensor.is_leaf:
                tensor.grad = grad
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", says="b is complete only after both of its users")
def goes_on_before_the_gradient_is_complete(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    queue, done = [(self, head_gradient(self, gradient))], {}
    with no_grad():
        while queue:
            tensor, grad = queue.pop(0)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            elif tensor not in done:
                done[tensor] = tensor.grad_fn
                pairs = zip(tensor.grad_fn.inputs, tensor.grad_fn.backward(grad), strict=True)
                queue += [(x, grad_x) for x, grad_x in pairs if needs_grad(x)]
    for ctx in () if retain_graph else done.values():
        ctx.free()


@wrong("5.7", says="kept in p.data")
def gives_the_name_a_new_value(self):
    with no_grad():
        for p in self.parameters:
            if p.grad is not None:
                p = p - self.lr * p.grad


@wrong("5.7", says="w didn't move")
def makes_new_parameters(self):
    self.parameters = [p if p.grad is None else p - self.lr * p.grad for p in self.parameters]


@wrong("5.7", says="against the gradient")
def climbs(self):
    with no_grad():
        for p in self.parameters:
            if p.grad is not None:
                p.data = (p + self.lr * p.grad).data


@wrong("5.7", says="multiply it by self.lr")
def always_half_of_the_gradient(self):
    with no_grad():
        for p in self.parameters:
            if p.grad is not None:
                p.data = (p - 0.5 * p.grad).data


@wrong("5.7", says="skip it")
def asks_every_parameter_for_a_gradient(self):
    with no_grad():
        for p in self.parameters:
            p.data = (p - self.lr * p.grad).data


@wrong("5.7", says="go on with the next")
def stops_at_the_first_without_gradient(self):
    with no_grad():
        for p in self.parameters:
            if p.grad is None:
                break
            p.data = (p - self.lr * p.grad).data


@wrong("5.7", says="p.data takes its .data")
def puts_a_tensor_into_data(self):
    with no_grad():
        for p in self.parameters:
            if p.grad is not None:
                p.data = p.data - self.lr * p.grad


@wrong("5.7", says="zero_grad's work")
def forgets_the_gradient_at_once(self):
    with no_grad():
        for p in self.parameters:
            if p.grad is not None:
                p.data = (p - self.lr * p.grad).data
                p.grad = None


@wrong("5.7", says="the step must not change the gradient")
def scales_the_gradient_in_place(self):
    for p in self.parameters:
        if p.grad is not None:
            p.grad.data *= self.lr
            p.data = np.asarray(p.data - p.grad.data)


@wrong("5.7", says="step in `with no_grad():`")
def records_the_update(self):
    for p in self.parameters:
        if p.grad is not None:
            new = p - self.lr * p.grad
            p.data, p.grad_fn = new.data, new.grad_fn


@wrong("5.6", says="only one of the leaves was served")
def stops_after_the_first_leaf(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
                break
            propagate(tensor.grad_fn, grad, grads)
            if not retain_graph:
                tensor.grad_fn.free()


@wrong("5.6", says="walk in reverse")
def walks_forwards(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in topological_order(self):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", says="start from that, and not from ones")
def forgets_the_gradient_that_was_given(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    grads = {self: Tensor(np.ones_like(self.data))}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", says="by hand you must")
def leaves_recording_off(self, gradient=None, retain_graph=False):
    global recording
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    recording = False
    grads = {self: head_gradient(self, gradient)}
    for tensor in reversed(topological_order(self)):
        grad = grads.pop(tensor)
        if tensor.is_leaf:
            accumulate(tensor, grad)
        else:
            propagate(tensor.grad_fn, grad, grads)
            if not retain_graph:
                tensor.grad_fn.free()


@wrong("5.5", "Context.backward", says="only free() frees")
def frees_itself(self, grad_z):
    if self._saved is None:
        raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
    grads = self.function.backward(self, grad_z)
    self.free()
    return grads if isinstance(grads, tuple) else (grads,)


@wrong("5.7", says="only the first parameter moved")
def returns_after_the_first(self):
    with no_grad():
        for p in self.parameters:
            if p.grad is not None:
                p.data = (p - self.lr * p.grad).data
                return


@wrong("5.3", says="makes one, if only for a moment")
def copies_on_the_way(self):
    alias = Tensor(self.data)
    alias.data = self.data
    return alias


@wrong("5.4", says="use a local name")
def remembers_in_one_place_for_all():
    global recording
    no_grad.before, recording = recording, False
    try:
        yield
    finally:
        recording = no_grad.before


@wrong("5.4", says="no return in a finally: block")
def returns_in_finally():
    global recording
    before, recording = recording, False
    try:
        yield
    finally:
        recording = before
        return  # noqa: B012


@wrong("5.6", says="not all of them at the end of the pass")
def frees_at_the_end(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    grads, order = {self: head_gradient(self, gradient)}, topological_order(self)
    with no_grad():
        for tensor in reversed(order):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
    for tensor in () if retain_graph else order:
        if not tensor.is_leaf:
            tensor.grad_fn.free()


@wrong("5.6", says="only its ctx is freed")
def forgets_the_ctx_instead_of_freeing_it(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn = None


@wrong("5.7", says="step in `with no_grad():`")
def steps_while_recording(self):
    for p in self.parameters:
        if p.grad is not None:
            p.data = (p - self.lr * p.grad).data


@wrong("5.7", says="that changes the old array")
def steps_in_place(self):
    for p in self.parameters:
        if p.grad is not None:
            p.data -= self.lr * p.grad.data


@wrong("5.1", "require_floating", says="nobody looks at what require_floating returns")
def returns_whether_it_is_floating(data):
    return np.asarray(data.data if isinstance(data, Tensor) else data).dtype.kind == "f"


@wrong("5.1", "require_floating", says="has no dtype yet")
def asks_only_what_has_a_dtype(data):
    dtype = getattr(data, "dtype", None)
    if dtype is not None and dtype.kind != "f":
        raise RuntimeError(f"only floating-point data can require gradients, got {dtype}")


@wrong("5.1", "require_floating", says=">f4")
def knows_floats_of_this_machine_only(data):
    dtype = np.asarray(data.data if isinstance(data, Tensor) else data).dtype
    if dtype not in [np.dtype(name) for name in ("f2", "f4", "f8", "longdouble")]:
        raise RuntimeError(f"only floating-point data can require gradients, got {dtype}")


@wrong("5.2", says="how many of the Tensors that forward saved")
def throws_saved_constants_away(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    if recording and any(needs_grad(x) for x in inputs):
        result.requires_grad, result.grad_fn = True, ctx
        ctx.save_for_backward(*[x for x in ctx.saved_tensors if x.requires_grad])
    return result


@wrong("5.2", says="requires_grad alone says who asks")
def takes_every_result_for_one_that_asks(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    tensors = [x for x in inputs if isinstance(x, Tensor)]
    if recording and any(x.requires_grad or x.grad_fn is not None for x in tensors):
        result.requires_grad, result.grad_fn = True, ctx
    return result


@wrong("5.2", says="counts as much as a leaf")
def asks_leaves_only(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    if recording and any(needs_grad(x) and x.is_leaf for x in inputs):
        result.requires_grad, result.grad_fn = True, ctx
    return result


@wrong("5.3", says="must not be freed or changed")
def frees_what_made_it(self):
    alias = Tensor(0)
    alias.data = self.data
    if self.grad_fn is not None:
        self.grad_fn.free()
    return alias


@wrong("5.3", says="so does deepcopy")
def copies_the_whole_graph_on_the_way(self):
    import copy

    alias = copy.deepcopy(self)
    alias.data, alias.grad, alias.grad_fn, alias.requires_grad = self.data, None, None, False
    return alias


@wrong("5.3", says="is the Tensor itself")
def gives_itself_while_recording_is_off(self):
    if not recording:
        return self
    alias = Tensor(0)
    alias.data = self.data
    return alias


@wrong("5.3", says="numbers without their past")
def keeps_its_origin_in_an_attribute(self):
    alias = Tensor(0)
    alias.data, alias.base = self.data, self
    return alias


@wrong("5.3", says="x itself got another array")
def swaps_the_arrays(self):
    with no_grad():
        alias = self + 0
    alias.data, self.data = self.data, alias.data
    return alias


@wrong("5.4", says="making the scope switched recording off")
@staticmethod
def switches_off_when_it_is_made():
    global recording
    before, recording = recording, False

    @contextmanager
    def scope():
        global recording
        try:
            yield
        finally:
            recording = before

    return scope()


@wrong("5.5", "Context.free", says="free this ctx alone")
def frees_all_that_is_behind_it(self):
    inputs, self.inputs, self._saved = self.inputs, (), None
    for x in inputs:
        if isinstance(x, Tensor) and x.grad_fn is not None:
            x.grad_fn.free()


@wrong("5.5", "Context.free", says="grad_fn is not what it was before")
def makes_leaves_of_its_inputs(self):
    for x in self.inputs:
        if isinstance(x, Tensor):
            x.grad_fn = None
    self.inputs, self._saved = (), None


@wrong("5.5", "Context.free", says="is there another attribute?")
def keeps_the_inputs_under_another_name(self):
    self.old = self.inputs
    self.inputs, self._saved = (), None


@wrong("5.5", says="note it on self, not on the class")
class FreesAllAtOnce:
    def free(self):
        Context.freed = True
        self.inputs, self._saved = (), None

    def backward(self, grad_z):
        if getattr(self, "freed", False):
            raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
        grads = self.function.backward(self, grad_z)
        return grads if isinstance(grads, tuple) else (grads,)


@wrong("5.5", says="ask for something that every ctx has from the start")
class AsksForWhatOnlyFreeSets:
    def free(self):
        self.freed, self.inputs, self._saved = True, (), ()

    def backward(self, grad_z):
        if self.freed:
            raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
        grads = self.function.backward(self, grad_z)
        return grads if isinstance(grads, tuple) else (grads,)


@wrong("5.5", "Context.backward", says="nothing in it is not freed yet")
def takes_no_inputs_for_freed(self, grad_z):
    if not self.inputs:
        raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
    grads = self.function.backward(self, grad_z)
    return grads if isinstance(grads, tuple) else (grads,)


@wrong("5.5", "Context.backward", says="don't note on it what came to backward")
def notes_what_came(self, grad_z):
    if self._saved is None:
        raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
    self.grad_z = grad_z
    grads = self.function.backward(self, grad_z)
    return grads if isinstance(grads, tuple) else (grads,)


@wrong("5.5", "Context.backward", says="the answer of the call before")
def remembers_its_first_answer(self, grad_z):
    if self._saved is None:
        raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
    if not hasattr(self, "grads"):
        grads = self.function.backward(self, grad_z)
        self.grads = grads if isinstance(grads, tuple) else (grads,)
    return self.grads


@wrong("5.5", "Context.backward", says="put only a single Tensor into one")
def puts_tuples_into_a_tuple(self, grad_z):
    if self._saved is None:
        raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
    grads = self.function.backward(self, grad_z)
    return grads if len(self.inputs) > 1 else (grads,)


@wrong("5.5", "Context.backward", says="who needs it is decided later")
def gives_constants_none(self, grad_z):
    if self._saved is None:
        raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
    grads = self.function.backward(self, grad_z)
    grads = grads if isinstance(grads, tuple) else (grads,)
    return tuple(g if needs_grad(x) else None for x, g in zip(self.inputs, grads, strict=False))


@wrong("5.5", "Context.backward", says="who needs it is decided later")
def leaves_every_none_out(self, grad_z):
    if self._saved is None:
        raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
    grads = self.function.backward(self, grad_z)
    grads = grads if isinstance(grads, tuple) else (grads,)
    return tuple(g for g in grads if g is not None)


@wrong("5.6", says="z's own ctx isn't freed at all")
def spares_the_root(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph and tensor is not self:
                    tensor.grad_fn.free()


@wrong("5.6", says="z is still a result, and no leaf")
def takes_a_freed_result_for_a_leaf(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.grad_fn is None or not tensor.grad_fn.inputs:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", says="what accumulate adds")
def records_what_it_adds_at_leaves(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    grads = {self: head_gradient(self, gradient)}
    for tensor in reversed(topological_order(self)):
        grad = grads.pop(tensor)
        if tensor.is_leaf:
            accumulate(tensor, grad)
        else:
            with no_grad():
                propagate(tensor.grad_fn, grad, grads)
            if not retain_graph:
                tensor.grad_fn.free()


@wrong("5.7", says="without axes NumPy's minus gives a bare number")
def makes_a_bare_number_of_no_axes(self):
    with no_grad():
        for p in self.parameters:
            if p.grad is not None:
                p.data = p.data - self.lr * p.grad.data


@wrong("5.7", says="puts it back however a step ends")
def leaves_recording_off_after_an_error(self):
    global recording
    before, recording = recording, False
    for p in self.parameters:
        if p.grad is not None:
            p.data = (p - self.lr * p.grad).data
    recording = before


@wrong("5.7", says="leave it as it is")
def takes_no_gradient_for_zero(self):
    with no_grad():
        for p in self.parameters:
            p.data = (p - (0 if p.grad is None else self.lr * p.grad)).data


@wrong("5.7", says="w didn't move")
def puts_new_tensors_into_the_list(self):
    with no_grad():
        for i, p in enumerate(self.parameters):
            if p.grad is not None:
                self.parameters[i] = Tensor(p - self.lr * p.grad, requires_grad=True)


@wrong("5.7", says="keep nothing from step to step")
def keeps_the_numbers_of_each_step(self):
    with no_grad():
        self.past = getattr(self, "past", [])
        for p in self.parameters:
            if p.grad is not None:
                self.past.append(p.data)
                p.data = (p - self.lr * p.grad).data


@wrong("5.7", says="lr=1e-05")
def rounds_the_learning_rate(self):
    with no_grad():
        for p in self.parameters:
            if p.grad is not None:
                p.data = (p - round(self.lr, 4) * p.grad).data


@wrong("5.1", "require_floating", says="the number np.float16(2)")
def numbers_of_python_only(data):
    data = data.data if isinstance(data, Tensor) else data
    fine = isinstance(data, (float, list, tuple, np.ndarray))
    if not fine or np.asarray(data).dtype.kind != "f":
        raise RuntimeError(f"only floating-point data, got {np.asarray(data).dtype}")


@wrong("5.1", "Tensor.is_leaf", says="recording False")
def all_are_leaves_while_nothing_is_recorded(self):
    return self.grad_fn is None or not recording


@wrong("5.4", says="by hand")
def puts_back_only_what_was_on():
    global recording
    before, recording = recording, False
    try:
        yield
    finally:
        if before:
            recording = True


@wrong("5.5", "Context.backward", says="as it gives them = 0, expected 1")
def answers_for_the_inputs_alone(self, grad_z):
    if self._saved is None:
        raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
    grads = self.function.backward(self, grad_z)
    grads = grads if isinstance(grads, tuple) else (grads,)
    return tuple(grad for _, grad in zip(self.inputs, grads))  # noqa: B905


@wrong("5.5", "Context.backward", says="Context(Given, ()).backward(3)")
def counts_the_gradients_itself(self, grad_z):
    if self._saved is None:
        raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
    grads = self.function.backward(self, grad_z)
    grads = grads if isinstance(grads, tuple) else (grads,)
    if len(grads) != len(self.inputs):
        raise RuntimeError(f"{len(grads)} gradients for {len(self.inputs)} inputs")
    return grads


@wrong("5.5", "Context.backward", says="which Tensor.backward decides")
def records_nothing_in_any_operation(self, grad_z):
    if self._saved is None:
        raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
    with no_grad():
        grads = self.function.backward(self, grad_z)
    return grads if isinstance(grads, tuple) else (grads,)


@wrong("5.6", says="0 gradients for 2 inputs")
def takes_whatever_an_operation_gives(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
                continue
            ctx = tensor.grad_fn
            for x, grad_x in zip(ctx.inputs, ctx.backward(grad)):  # noqa: B905
                if needs_grad(x):
                    grads[x] = grads[x] + grad_x if x in grads else grad_x
            if not retain_graph:
                ctx.free()


@wrong("5.7", says="expected nan")
def passes_over_what_is_not_finite(self):
    with no_grad():
        for p in self.parameters:
            if p.grad is not None and np.isfinite(p.grad.data).all():
                p.data = (p - self.lr * p.grad).data


@wrong("5.1", "require_floating", says="float16 [inf]")
def refuses_what_is_not_finite(data):
    array = np.asarray(data.data if isinstance(data, Tensor) else data)
    if array.dtype.kind != "f" or not np.isfinite(array).all():
        raise RuntimeError(f"only floating-point data can require gradients, got {array.dtype}")


@wrong("5.2", says="recorded or not")
def returns_only_what_is_recorded(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    if recording and any(needs_grad(x) for x in inputs):
        result.requires_grad, result.grad_fn = True, ctx
        return result


@wrong("5.2", says="what comes twice stays twice")
def keeps_each_input_once(cls, *inputs):
    ctx = Context(cls, tuple(dict.fromkeys(inputs)))
    result = cls.forward(ctx, *inputs)
    if recording and any(needs_grad(x) for x in inputs):
        result.requires_grad, result.grad_fn = True, ctx
    return result


@wrong("5.2", says="forward returns a Tensor [nan]")
def records_only_what_is_finite(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    if recording and any(needs_grad(x) for x in inputs) and np.isfinite(result.data).all():
        result.requires_grad, result.grad_fn = True, ctx
    return result


@wrong("5.3", says="all of it nan")
def repairs_what_is_not_finite(self):
    alias = Tensor(0)
    alias.data = self.data if np.isfinite(self.data).all() else np.nan_to_num(self.data)
    return alias


@wrong("5.4", says="raised no error, expected ValueError")
def stops_one_kind_of_error():
    global recording
    before, recording = recording, False
    try:
        yield
    except ValueError as error:
        print("caught:", error)
    finally:
        recording = before


@wrong("5.4", says="raised RuntimeError: generator raised StopIteration")
def raises_another_of_the_kind():
    global recording
    before, recording = recording, False
    try:
        yield
    except Exception as error:
        raise type(error)(*error.args) from None
    finally:
        recording = before


@wrong("5.4", says="the close() of a generator")
def puts_it_back_after_the_ends_it_lists():
    global recording
    before, recording = recording, False
    try:
        yield
    except (Exception, KeyboardInterrupt, SystemExit):
        recording = before
        raise
    recording = before


@wrong("5.4", says="yields once, and this yields again")
def yields_for_ever():
    global recording
    before, recording = recording, False
    try:
        while True:
            yield
    finally:
        recording = before


@wrong("5.5", "Context.free", says=".grad is not what it was")
def forgets_the_gradients_of_its_inputs(self):
    for x in self.inputs:
        if isinstance(x, Tensor):
            x.grad = None
    self.inputs, self._saved = (), None


@wrong("5.5", "Context.backward", says="how often that ran")
def runs_the_rule_to_see_what_it_gives(self, grad_z):
    if self._saved is None:
        raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
    if isinstance(self.function.backward(self, grad_z), tuple):
        return self.function.backward(self, grad_z)
    return (self.function.backward(self, grad_z),)


@wrong("5.5", "Context.backward", says="ask for that before anything else")
def asks_too_late(self, grad_z):
    try:
        grads = self.function.backward(self, grad_z)
    except TypeError:
        raise RuntimeError("this graph was freed; use retain_graph=True there") from None
    return grads if isinstance(grads, tuple) else (grads,)


@wrong("5.5", says="this graph was freed by backward()")  # which ctx it takes for one is chance
class ListsTheIdsOfTheFreed:
    def free(self):
        Context.freed = [*getattr(Context, "freed", ()), id(self)]
        self.inputs, self._saved = (), ()

    def backward(self, grad_z):
        if id(self) in getattr(Context, "freed", ()):
            raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
        grads = self.function.backward(self, grad_z)
        return grads if isinstance(grads, tuple) else (grads,)


@wrong("5.6", says="don't go around it")
def goes_around_what_is_freed(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            elif tensor is self or tensor.grad_fn.inputs:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", says="told not to ask raised no error")
def asks_only_leaves_whether_they_require(self, gradient=None, retain_graph=False):
    if self.is_leaf and not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", says="the gradients of a and b in a + b + a * 10")
def adds_in_place_on_the_way(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
                continue
            ctx = tensor.grad_fn
            for x, grad_x in fitting(ctx, ctx.backward(grad)):
                if x in grads:
                    grads[x].data += grad_x.data
                else:
                    grads[x] = grad_x
            if not retain_graph:
                ctx.free()


@wrong("5.6", says="backward(gradient=-2.5), recording True, on x_plus_x: the ctx of Add is freed")
def retains_where_a_gradient_is_given(self, gradient=None, retain_graph=None):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    retain_graph = gradient is not None if retain_graph is None else retain_graph
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", says="the ctx of Sum is freed")
def frees_only_what_has_few_inputs(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph and len(tensor.grad_fn.inputs) < 3:
                    tensor.grad_fn.free()


@wrong("5.6", says="recording False, on")
def refuses_while_recording_is_off(self, gradient=None, retain_graph=False):
    if not self.requires_grad or not recording:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.7", says="w.grad is None by now")
def forgets_the_gradient_first(self):
    self.zero_grad()
    with no_grad():
        for p in self.parameters:
            if p.grad is not None:
                p.data = (p - self.lr * p.grad).data


@wrong("5.7", says="the gradient itself may ask for one, too")
def detaches_the_parameter_alone(self):
    for p in self.parameters:
        if p.grad is not None:
            p.data = (p.detach() - self.lr * p.grad).data


@wrong("5.1", "require_floating", says="complex64 of shape ()")
def complex_numbers_may_ask(data):
    dtype = np.asarray(data.data if isinstance(data, Tensor) else data).dtype
    if not np.issubdtype(dtype, np.inexact):
        raise RuntimeError(f"only floating-point data can require gradients, got {dtype}")


@wrong("5.2", says="apply sets neither of the two")
def sets_both_in_any_case(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    result.requires_grad = recording and any(needs_grad(x) for x in inputs)
    result.grad_fn = ctx if result.requires_grad else None
    return result


@wrong("5.2", says="it still asks")
def off_means_off_for_the_result(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    if not recording:
        result.requires_grad, result.grad_fn = False, None
    elif any(needs_grad(x) for x in inputs):
        result.requires_grad, result.grad_fn = True, ctx
    return result


@wrong("5.2", says="= 'Inner', expected 'Mul'")
def what_asks_already_gets_a_ctx(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    if recording and (result.requires_grad or any(needs_grad(x) for x in inputs)):
        result.requires_grad, result.grad_fn = True, ctx
    return result


@wrong("5.1", "require_floating", says="require_floating(np.int64(3))")
def asks_for_types_of_python(data):
    if isinstance(data, (int, list)):
        if any(isinstance(number, int) for number in np.ravel(data).tolist()):
            raise RuntimeError(f"got {np.asarray(data).dtype}")
    elif isinstance(data, np.ndarray) and data.dtype.kind != "f":
        raise RuntimeError(f"got {data.dtype}")


@wrong("5.1", "require_floating", says="whose data was set to an array of integers")
def trusts_every_tensor(data):
    if isinstance(data, Tensor):
        return
    dtype = np.asarray(data).dtype
    if dtype.kind != "f":
        raise RuntimeError(f"only floating-point data can require gradients, got {dtype}")


@wrong("5.1", "Tensor.is_leaf", says="a result remains one when its graph is freed")
@property
def what_was_freed_is_a_leaf(self):
    return self.grad_fn is None or self.grad_fn._saved is None


@wrong("5.4", says="nothing made of it")
def puts_back_a_bool():
    global recording
    before, recording = bool(recording), False
    try:
        yield
    finally:
        recording = before


@wrong("5.5", "Context.free", says="which operation it was")
def the_function_is_let_go_of(self):
    self.function, self.inputs, self._saved = None, (), None


@wrong("5.6", "Tensor.backward", says="isn't yours")
def the_gradients_of_results_become_none(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                tensor.grad = None
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", "Tensor.backward", says="only retain_graph=True keeps it")
def frees_for_false_alone(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if retain_graph is False:
                    tensor.grad_fn.free()


@wrong("5.6", "Tensor.backward", says="for shape (2,) twice")
def counts_the_gradients_and_looks_at_none(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
                continue
            got = tensor.grad_fn.backward(grad)
            if len(got) != len(tensor.grad_fn.inputs):
                raise RuntimeError("gradients and inputs differ in number")
            for x, g in zip(tensor.grad_fn.inputs, got, strict=True):
                if needs_grad(x):
                    grads[x] = grads[x] + g if x in grads else g
            if not retain_graph:
                tensor.grad_fn.free()


@wrong("5.7", "SGD.step", says="each keeps its own dtype")
def all_in_one_array(self):
    with no_grad():
        used = [p for p in self.parameters if p.grad is not None]
        if not used:
            return
        flat = np.concatenate([(p - self.lr * p.grad).data.ravel() for p in used])
        place = 0
        for p in used:
            p.data = np.array(flat[place : place + p.data.size]).reshape(p.shape)
            place += p.data.size


@wrong("5.1", "require_floating", says="what counts is dtype.kind 'f'")
def looks_at_the_last_number_of_a_list(data):
    last = data
    while isinstance(last, (list, tuple)) and last:
        last = last[-1]
    dtype = np.asarray(last.data if isinstance(last, Tensor) else last).dtype
    if dtype.kind != "f":
        raise RuntimeError(f"only floating-point data can require gradients, got {dtype}")


@wrong("5.1", "require_floating", says="what counts is dtype.kind 'f'")
def looks_at_the_first_row_of_a_list(data):
    row = data[0] if isinstance(data, list) and data and isinstance(data[0], list) else data
    dtype = np.asarray(row.data if isinstance(row, Tensor) else row).dtype
    if dtype.kind != "f":
        raise RuntimeError(f"only floating-point data can require gradients, got {dtype}")


@wrong("5.2", "Function.apply", says="the ctx remembers all inputs themselves")
@classmethod
def keeps_those_that_do_not_ask_without_their_past(cls, *inputs):
    kept = tuple(
        Tensor(x.data) if isinstance(x, Tensor) and x.grad_fn and not x.requires_grad else x
        for x in inputs
    )
    ctx = Context(cls, kept)
    result = cls.forward(ctx, *inputs)
    if recording and any(needs_grad(x) for x in inputs):
        result.requires_grad, result.grad_fn = True, ctx
    return result


@wrong("5.3", says="begin with any one number")
def shares_only_with_those_that_ask(self):
    alias = Tensor(self.data)
    if self.requires_grad:
        alias.data = self.data
    return alias


@wrong("5.3", says="is the same Tensor")
def gives_a_constant_itself(self):
    if self.grad_fn is None and not self.requires_grad:
        return self
    alias = Tensor(0)
    alias.data = self.data
    return alias


@wrong("5.3", says="grad_fn is None")
def cuts_off_those_that_ask(self):
    alias = Tensor(0)
    alias.data = self.data
    if not self.requires_grad:
        alias.grad_fn = self.grad_fn
    return alias


@wrong("5.3", says="grad_fn is not what it was before")
def cuts_off_the_one_that_does_not_ask_itself(self):
    alias = Tensor(0)
    alias.data = self.data
    if not self.requires_grad:
        self.grad_fn = None
    return alias


@wrong("5.5", "Context.backward", says="an error frees nothing")
def an_error_frees_it(self, grad_z):
    if self._saved is None:
        raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
    try:
        grads = self.function.backward(self, grad_z)
    except BaseException:
        self.free()
        raise
    return grads if isinstance(grads, tuple) else (grads,)


@wrong("5.5", "Context.backward", says="asked a second time")
def stays_busy_after_an_error(self, grad_z):
    if self._saved is None or getattr(self, "busy", False):
        raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
    self.busy = True
    grads = self.function.backward(self, grad_z)
    self.busy = False
    return grads if isinstance(grads, tuple) else (grads,)


@wrong("5.5", "Context.backward", says="keep none on the ctx")
def keeps_what_it_gave(self, grad_z):
    if self._saved is None:
        raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
    grads = self.function.backward(self, grad_z)
    self.grads = grads if isinstance(grads, tuple) else (grads,)
    return self.grads


@wrong("5.5", "Context.backward", says="only free() frees")
def frees_itself_within_a_pass(self, grad_z):
    if self._saved is None:
        raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
    grads = self.function.backward(self, grad_z)
    if not recording:
        self.free()
    return grads if isinstance(grads, tuple) else (grads,)


@wrong("5.6", "Tensor.backward", says="free those only whose backward ran")
def frees_what_was_not_used(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
                continue
            propagate(tensor.grad_fn, grad, grads)
            if not retain_graph:
                for x in tensor.grad_fn.inputs:
                    if isinstance(x, Tensor) and x.grad_fn and not x.requires_grad:
                        x.grad_fn.free()
                tensor.grad_fn.free()


@wrong("5.6", "Tensor.backward", says="before it comes to x")
def clears_the_gradients_when_it_fails(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {self: head_gradient(self, gradient)}
    order = topological_order(self)
    try:
        with no_grad():
            for tensor in reversed(order):
                grad = grads.pop(tensor)
                if tensor.is_leaf:
                    accumulate(tensor, grad)
                    continue
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()
    except BaseException:
        zero_grad([tensor for tensor in order if tensor.is_leaf])
        raise


@wrong("5.7", "SGD.step", says="nobody hears that p stays")
def swallows_what_does_not_fit(self):
    with no_grad():
        for p in self.parameters:
            if p.grad is not None and p.grad.shape == p.shape:
                p.data = (p - self.lr * p.grad).data


@wrong("5.7", "SGD.step", says="that asks for one itself")
def skips_gradients_that_ask(self):
    with no_grad():
        for p in self.parameters:
            if p.grad is not None and not p.grad.requires_grad:
                p.data = (p - self.lr * p.grad).data


@wrong("5.1", "require_floating", says="3 is refused, and this passes")
def refuses_single_integers(data):
    if isinstance(data, (int, np.integer)):
        raise RuntimeError(f"only floating-point data can require gradients, got {type(data)}")


@wrong("5.2", "Function.apply", says="look at the condition")
@classmethod
def asks_the_tuple(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    if recording and needs_grad(inputs):
        result.requires_grad, result.grad_fn = True, ctx
    return result


@wrong("5.4", "no_grad", says="what the flag was before you switched it off")
@contextmanager
def remembers_the_flag_too_late():
    global recording
    recording = False
    before = recording
    try:
        yield
    finally:
        recording = before


@wrong("5.5", "Context.backward", says="(grads,) makes a tuple of it")
def makes_a_tuple_of_a_tensor(self, grad_z):
    if self._saved is None:
        raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
    return tuple(self.function.backward(self, grad_z))


@wrong("5.5", "Context.backward", says="takes the ctx, and then the gradient")
def forgets_to_hand_over_the_ctx(self, grad_z):
    if self._saved is None:
        raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
    grads = self.function.backward(grad_z)
    return grads if isinstance(grads, tuple) else (grads,)


@wrong("5.6", "Tensor.backward", says="is_leaf is a property")
def calls_a_property(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf():
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", "Tensor.backward", says="gives None: reversed(order)")
def loops_over_what_reverse_gives(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in topological_order(self).reverse():
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", "Tensor.backward", says="a leaf has no ctx")
def asks_the_ctx_of_leaves_as_well(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            propagate(tensor.grad_fn, grad, grads)
            if not retain_graph:
                tensor.grad_fn.free()


@wrong("5.6", "Tensor.backward", says="hand it on to head_gradient")
def passes_no_gradient_on(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {self: head_gradient(self, None)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.7", "SGD.step", says="take the .data of p - self.lr * p.grad")
def takes_a_tensor_from_an_array(self):
    with no_grad():
        for p in self.parameters:
            if p.grad is not None:
                p.data -= self.lr * p.grad


@wrong("5.7", "SGD.step", says="no_grad() makes the scope")
def forgets_the_brackets_of_the_scope(self):
    with no_grad:
        for p in self.parameters:
            if p.grad is not None:
                p.data = (p - self.lr * p.grad).data


@wrong("5.2", "Function.apply", says="together, or neither")
@classmethod
def keeps_the_ctx_while_nothing_is_recorded(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    if any(needs_grad(x) for x in inputs):
        result.requires_grad, result.grad_fn = recording, ctx
    return result


@wrong("5.5", says="nothing on ctx tells that it was freed")
class AsksNothingAndMarksNothing:
    def free(self):
        self.inputs, self._saved = (), ()

    def backward(self, grad_z):
        grads = self.function.backward(self, grad_z)
        return grads if isinstance(grads, tuple) else (grads,)


@wrong("5.6", "Tensor.backward", says="no_grad() makes the scope")
def forgets_the_brackets_of_no_grad(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {self: head_gradient(self, gradient)}
    with no_grad:
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.1", "require_floating", says="another kind of error")
def raises_another_kind_of_error(data):
    if real_numbers(data).dtype.kind != "f":
        raise TypeError(f"floating only, got {real_numbers(data).dtype}")


@wrong("5.1", "require_floating", says="kind belongs to the dtype")
def asks_the_array_for_its_kind(data):
    if real_numbers(data).kind != "f":
        raise RuntimeError("floating only")


@wrong("5.1", "Tensor.is_leaf", says="grad_fn itself")
def gives_the_ctx_itself(self):
    return self.grad_fn


@wrong("5.1", "Tensor.is_leaf", says="it has no inputs")
def asks_a_leaf_for_its_inputs(self):
    return not self.grad_fn.inputs


@wrong("5.2", says="takes the ctx")
def keeps_the_ctx_from_forward(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(*inputs)
    if recording and any(needs_grad(x) for x in inputs):
        result.requires_grad, result.grad_fn = True, ctx
    return result


@wrong("5.2", says="recorded or not")
def makes_a_ctx_only_when_asked(cls, *inputs):
    if any(needs_grad(x) for x in inputs) and recording:
        ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    result.grad_fn = ctx
    result.requires_grad = True
    return result


@wrong("5.2", says="takes one input")
def asks_all_inputs_as_one(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    if recording and any(map(needs_grad, *inputs)):
        result.requires_grad, result.grad_fn = True, ctx
    return result


@wrong("5.3", says="any one will do")
def makes_a_tensor_of_nothing(self):
    alias = Tensor()
    alias.data = self.data
    return alias


@wrong("5.3", says="expected an array")
def puts_the_tensor_into_data(self):
    alias = Tensor(0.0)
    alias.data = self
    return alias


@wrong("5.3", says="give it self.data in its place")
def writes_into_the_new_array(self):
    alias = Tensor(0.0)
    alias.data[...] = self.data
    return alias


@wrong("5.3", says="by Tensor(…)")
def skips_the_constructor(self):
    alias = Tensor.__new__(Tensor)
    alias.data = self.data
    return alias


@wrong("5.4", says="the flag is called recording")
@contextmanager
def misspells_the_flag():
    global Recording
    before = Recording
    Recording = False
    try:
        yield
    finally:
        Recording = before


@wrong("5.5", "Context.free", says="an empty tuple")
def deletes_the_inputs(self):
    self._saved = None
    del self.inputs


@wrong("5.5", "Context.free", says="can't be changed")
def clears_a_tuple(self):
    self.inputs.clear()
    self._saved = None


@wrong("5.5", "Context.free", says="only reads")
def sets_what_only_reads(self):
    self.saved_tensors = ()
    self.inputs = ()


@wrong("5.5", says="nobody looks at")
class returns_the_error:
    def free(self):
        self.inputs, self._saved = (), None

    def backward(self, grad_z):
        if self._saved is None:
            return RuntimeError("freed; use retain_graph=True")
        grads = self.function.backward(self, grad_z)
        return grads if isinstance(grads, tuple) else (grads,)


@wrong("5.5", says="ctx.backward called itself")
class asks_itself:
    def free(self):
        self.inputs, self._saved = (), None

    def backward(self, grad_z):
        if self._saved is None:
            raise RuntimeError("freed; use retain_graph=True")
        grads = self.backward(grad_z)
        return grads if isinstance(grads, tuple) else (grads,)


@wrong("5.6", says="which an error ends")
def switches_by_hand_and_an_error_comes(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {self: head_gradient(self, gradient)}
    global recording
    before, recording = recording, False
    if True:
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()
    recording = before


@wrong("5.6", says="propagate was sent None")
def starts_from_the_gradient_as_it_came(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {self: gradient}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", says="hand it what came, None too")
def starts_from_one_whatever_the_shape(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {self: gradient or Tensor(1.0)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", says="the root's own")
def begins_with_an_empty_dict(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", says="that's the root's")
def sends_everybody_the_first_gradient(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads[self]
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", says="got the Tensor")
def hands_the_tensor_to_propagate(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", says="stands before the dict")
def hands_the_dict_before_the_gradient(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grads, grad)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", says="puts it into grads")
def forgets_what_backward_gave(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                tensor.grad_fn.backward(grad)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", says="gives nothing back")
def takes_what_propagate_gives(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                grads = propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", says="no Tensor")
def frees_the_tensor(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.free()


@wrong("5.6", says="self.requires_grad alone")
def refuses_every_result(self, gradient=None, retain_graph=False):
    if not self.is_leaf:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", says="only accumulate writes there")
def notes_the_first_gradient(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    self.grad = head_gradient(self, gradient)
    grads = {self: self.grad}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.7", says="the optimizer holds it")
def forgets_whose_lr_it_is(self):
    with no_grad():
        for p in self.parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data


@wrong("5.7", says="they belong into p.data")
def moves_the_gradient(self):
    with no_grad():
        for p in self.parameters:
            if p.grad is not None:
                p.grad = (p - self.lr * p.grad).data


@wrong("5.7", says="the other way round")
def turns_the_difference_around(self):
    with no_grad():
        for p in self.parameters:
            if p.grad is not None:
                p.data = (self.lr * p.grad - p).data


@wrong("5.8", says="take two of it at a time")
def takes_pairs_from_a_flat_list(x, parameters):
    for W, b in parameters:
        x = x @ W + b
    return x


@wrong("5.8", says="a score may be negative")
def ends_with_relu(x, parameters):
    for i in range(0, len(parameters), 2):
        x = (x @ parameters[i] + parameters[i + 1]).relu()
    return x


@wrong("5.8", says="a b stands to the right")
def multiplies_by_every_parameter(x, parameters):
    for i in range(len(parameters)):
        x = x @ parameters[i] + parameters[i + 1]
    return x


@wrong("5.8", says="what goes in may be negative")
def begins_with_relu(x, parameters):
    for W, b in zip(parameters[::2], parameters[1::2], strict=True):
        x = x.relu() @ W + b
    return x


@wrong("5.8", says="two layers are one")
def knows_no_relu(x, parameters):
    for W, b in zip(parameters[::2], parameters[1::2], strict=True):
        x = x @ W + b
    return x


@wrong("5.8", says="a list which it was given")
def takes_the_list_apart(x, parameters):
    while parameters:
        W, b = parameters.pop(0), parameters.pop(0)
        x = x @ W + b
        if parameters:
            x = x.relu()
    return x


@wrong("5.8", says="stop after the last layer")
def never_stops_calling_itself(x, parameters):
    W, b, *deeper = parameters
    z = x @ W + b
    return scores(z.relu(), deeper)


@wrong("5.8", says="NumPy can't take a Tensor")
def asks_numpy_for_relu(x, parameters):
    for i in range(0, len(parameters), 2):
        x = (np.maximum(x, 0) if i else x) @ parameters[i] + parameters[i + 1]
    return x


@wrong("5.8", says="no .data")
def computes_with_arrays(x, parameters):
    h = x.data
    for i in range(0, len(parameters), 2):
        h = h @ parameters[i].data + parameters[i + 1].data
        if i + 2 < len(parameters):
            h = np.maximum(h, 0)
    return Tensor(h)


@wrong("5.8", says="x stands to the left")
def multiplies_from_the_left(x, parameters):
    for i in range(0, len(parameters), 2):
        x = parameters[i] @ x + parameters[i + 1]
    return x


@wrong("5.8", says="with brackets")
def forgets_the_brackets(x, parameters):
    for i in range(0, len(parameters), 2):
        x = (x.relu if i else x) @ parameters[i] + parameters[i + 1]
    return x


@wrong("5.8", says="what the layer before it made")
def gives_every_layer_x(x, parameters):
    for i in range(0, len(parameters), 2):
        z = x @ parameters[i] + parameters[i + 1]
        if i + 2 < len(parameters):
            z = z.relu()
    return z


@wrong("5.8", says="relu comes after it")
def adds_b_after_relu(x, parameters):
    for i in range(0, len(parameters), 2):
        x = (
            (x @ parameters[i]).relu() + parameters[i + 1]
            if i + 2 < len(parameters)
            else x @ parameters[i] + parameters[i + 1]
        )
    return x


@wrong("5.8", says="the third layer is missing")
def knows_two_layers_at_most(x, parameters):
    x = x @ parameters[0] + parameters[1]
    if len(parameters) > 2:
        x = x.relu() @ parameters[2] + parameters[3]
    return x


@wrong("5.8", says="the second and the third layer")
def uses_relu_once(x, parameters):
    for i in range(0, len(parameters), 2):
        x = x @ parameters[i] + parameters[i + 1]
        if i == 0 and len(parameters) > 2:
            x = x.relu()
    return x


@wrong("5.8", says="belongs to the loss")
def takes_the_logarithm_already(x, parameters):
    for i in range(0, len(parameters), 2):
        x = (x.relu() if i else x) @ parameters[i] + parameters[i + 1]
    return log_softmax(x)


@wrong("5.8", says="no detach()")
def detaches_the_hidden_numbers(x, parameters):
    for i in range(0, len(parameters), 2):
        x = (x.detach().relu() if i else x) @ parameters[i] + parameters[i + 1]
    return x


@wrong("5.1", "require_floating", says="the wrong way round")
def turns_the_question_round(data):
    dtype = real_numbers(data).dtype
    if dtype.kind == "f":
        raise RuntimeError(f"only floating-point data can require gradients, got {dtype}")


@wrong("5.1", "require_floating", says="only 'f' may ask")
def lets_everything_pass(data):
    real_numbers(data)


@wrong("5.2", "Function.apply", says="forward ran twice")
@classmethod
def returns_what_a_second_forward_gives(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    if recording and any(needs_grad(x) for x in inputs):
        result.requires_grad, result.grad_fn = True, ctx
    return cls.forward(ctx, *inputs)


@wrong("5.2", "Function.apply", says="isn't the Tensor that forward gave")
@classmethod
def returns_a_copy_that_is_not_marked(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    if recording and any(needs_grad(x) for x in inputs):
        result.requires_grad, result.grad_fn = True, ctx
    return Tensor(result.data)


@wrong("5.2", "Function.apply", says="Context(cls, inputs)")
@classmethod
def spreads_the_inputs_of_the_ctx(cls, *inputs):
    ctx = Context(cls, *inputs)
    result = cls.forward(ctx, *inputs)
    if recording and any(needs_grad(x) for x in inputs):
        result.requires_grad, result.grad_fn = True, ctx
    return result


@wrong("5.3", "Tensor.detach", says="item() is for a single number")
def begins_with_item(self):
    alias = Tensor(self.item())
    alias.data = self.data
    return alias


@wrong("5.5", "Context.backward", says="another kind of error")
def raises_another_kind_where_it_was_freed(self, grad_z):
    if self._saved is None:
        raise ValueError("this graph was freed by backward(); use retain_graph=True there")
    grads = self.function.backward(self, grad_z)
    return grads if isinstance(grads, tuple) else (grads,)


@wrong("5.5", says="it ran into what free() took away")
class AsksTooLateWhetherItWasFreed:
    def __init__(self, function, inputs):
        self.function, self.inputs, self._saved, self.freed = function, inputs, (), False

    def free(self):
        self.inputs, self._saved, self.freed = (), (), True

    def backward(self, grad_z):
        grads = self.function.backward(self, grad_z)
        if self.freed:
            raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
        return grads if isinstance(grads, tuple) else (grads,)


@wrong("5.5", "Context.backward", says="self.function.backward is the operation's")
def asks_itself_with_the_ctx(self, grad_z):
    if self._saved is None:
        raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
    grads = self.backward(self, grad_z)
    return grads if isinstance(grads, tuple) else (grads,)


@wrong("5.5", "Context.free", says="twice is fine")
def refuses_a_second_time(self):
    if self._saved is None:
        raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
    self.inputs, self._saved = (), None


@wrong("5.5", says="may be called twice")
class DeletesWhatWasSaved:
    def free(self):
        del self._saved
        self.inputs = ()

    def backward(self, grad_z):
        if not hasattr(self, "_saved"):
            raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
        grads = self.function.backward(self, grad_z)
        return grads if isinstance(grads, tuple) else (grads,)


@wrong("5.6", says="should contain requires_grad")
def does_not_name_what_is_missing(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found nobody who asks")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", says="a leaf has no ctx to free")
def frees_the_ctx_of_leaves(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
            if not retain_graph:
                tensor.grad_fn.free()


@wrong("5.8", says="that's for two layers")
def is_wired_for_two_layers(x, parameters):
    W1, b1, W2, b2 = parameters
    return (x @ W1 + b1).relu() @ W2 + b2


@wrong("5.1", "require_floating", says="an empty array has no first number")
def looks_at_the_first_number(data):
    first = real_numbers(data).ravel()[0]
    if not isinstance(first, np.floating):
        raise RuntimeError(f"only floating-point data can require gradients, got {first.dtype}")


@wrong("5.1", "require_floating", says="nobody raises it")
def makes_an_error_and_lets_it_go(data):
    dtype = real_numbers(data).dtype
    if dtype.kind != "f":
        RuntimeError(f"only floating-point data can require gradients, got {dtype}")


@wrong("5.2", says="requires_grad and grad_fn, and nothing else")
def begins_without_a_gradient(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    result.grad = None
    if recording and any(needs_grad(x) for x in inputs):
        result.requires_grad, result.grad_fn = True, ctx
    return result


@wrong("5.2", says="puts nothing more on the ctx")
def notes_on_the_ctx_who_asks(cls, *inputs):
    ctx = Context(cls, inputs)
    ctx.needs = [needs_grad(x) for x in inputs]
    result = cls.forward(ctx, *inputs)
    if recording and any(ctx.needs):
        result.requires_grad, result.grad_fn = True, ctx
    return result


@wrong("5.2", says="any() of nothing is False")
def takes_the_largest_need(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    if recording and max(needs_grad(x) for x in inputs):
        result.requires_grad, result.grad_fn = True, ctx
    return result


@wrong("5.2", says="not even to False or None")
def keeps_the_flag_and_not_the_maker(cls, *inputs):
    ctx = Context(cls, inputs)
    result = cls.forward(ctx, *inputs)
    asked = recording and any(needs_grad(x) for x in inputs)
    result.requires_grad |= asked
    result.grad_fn = ctx if asked else None
    return result


@wrong("5.3", says="each call gives a new leaf")
def has_one_leaf_for_all_calls(self):
    from weakref import WeakKeyDictionary

    alias = globals().setdefault("known", WeakKeyDictionary()).setdefault(self, Tensor(0))
    alias.data = self.data
    return alias


@wrong("5.3", says="keep nothing of it")
def remembers_who_made_it(self):
    alias = Tensor(0)
    alias.data, alias.source = self.data, self.grad_fn
    return alias


@wrong("5.3", says="keep nothing of it")
def remembers_its_parents(self):
    alias = Tensor(0)
    alias.data, alias.parents = self.data, self.grad_fn.inputs if self.grad_fn else ()
    return alias


@wrong("5.3", says="another dtype is a copy")
def is_always_float32(self):
    alias = Tensor(0)
    alias.data = np.asarray(self.data, np.float32)
    return alias


@wrong("5.3", says="which gives it all that a Tensor has")
def makes_half_a_tensor(self):
    alias = Tensor.__new__(Tensor)
    alias.data, alias.requires_grad, alias.grad_fn = self.data, False, None
    return alias


@wrong("5.3", says="locked the array")
def locks_the_numbers(self):
    alias = Tensor(0)
    alias.data = self.data
    alias.data.setflags(write=False)
    return alias


@wrong("5.4", says="be it True or False")
def counts_how_deep_it_is():
    global recording, depth
    depth = globals().get("depth", 0) + 1
    recording = False
    try:
        yield
    finally:
        depth -= 1
        recording = depth == 0


@wrong("5.4", says="no yield is reached")
def does_nothing_where_it_is_off():
    global recording
    if recording:
        recording = False
        try:
            yield
        finally:
            recording = True


@wrong("5.4", says="this yields again")
def tries_again_after_an_error():
    global recording
    before, recording = recording, False
    try:
        yield
    except ValueError:
        yield
    finally:
        recording = before


@wrong("5.5", "Context.backward", says="isinstance(grads, tuple) says so")
def knows_only_plain_tuples(self, grad_z):
    if self._saved is None:
        raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
    grads = self.function.backward(self, grad_z)
    return grads if type(grads) is tuple else (grads,)


@wrong("5.6", says="gradient= comes first")
def takes_retain_graph_first(self, retain_graph=False, gradient=None):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    tensor.grad_fn.free()


@wrong("5.7", says="the same leaf, however a step ends")
def asks_again_only_if_all_goes_well(self):
    for p in self.parameters:
        if p.grad is not None:
            asks, p.requires_grad = p.requires_grad, False
            p.data = (p - self.lr * p.grad.detach()).data
            p.requires_grad = asks


@wrong("5.7", says="ask self.lr at each step")
def keeps_the_first_lr(self):
    if not hasattr(self, "first"):
        self.first = self.lr
    with no_grad():
        for p in self.parameters:
            if p.grad is not None:
                p.data = (p - self.first * p.grad).data


@wrong("5.7", says="p got numbers, and there are none")
def takes_number_by_number(self):
    for p in self.parameters:
        if p.grad is not None:
            new = p.data.copy()
            for i, g in zip(np.ndindex(new.shape), p.grad.data.flat, strict=False):
                new[i] = p.data[i] - self.lr * g
            p.data = new


@wrong("5.8", says="each place counts")
def knows_the_last_layer_by_its_W(x, parameters):
    for W, b in zip(parameters[::2], parameters[1::2], strict=True):
        x = x @ W + b
        if W is not parameters[-2]:
            x = x.relu()
    return x


@wrong("5.8", says="each place counts")
def knows_the_last_layer_by_its_b(x, parameters):
    for W, b in zip(parameters[::2], parameters[1::2], strict=True):
        x = x @ W + b
        if b is not parameters[-1]:
            x = x.relu()
    return x


@wrong("5.8", says="each place counts")
def knows_the_first_layer_by_its_W(x, parameters):
    for W, b in zip(parameters[::2], parameters[1::2], strict=True):
        x = (x if W is parameters[0] else x.relu()) @ W + b
    return x


@wrong("5.8", says="each place counts")
def puts_the_layers_into_a_dict(x, parameters):
    layers = dict(zip(parameters[::2], parameters[1::2], strict=True))
    for i, (W, b) in enumerate(layers.items()):
        x = (x.relu() if i else x) @ W + b
    return x


@wrong("5.8", says="each place counts")
def looks_for_each_W(x, parameters):
    for W in parameters[::2]:
        i = parameters.index(W)
        x = (x.relu() if i else x) @ W + parameters[i + 1]
    return x


@wrong("5.8", says="each place counts")
def takes_equal_neighbours_once(x, parameters):
    done = []
    for W, b in zip(parameters[::2], parameters[1::2], strict=True):
        if done and done[-1] is W:
            continue
        x = (x.relu() if done else x) @ W + b
        done.append(W)
    return x


@wrong("5.8", says="all layers of the list")
def stops_after_five_layers(x, parameters):
    for i in range(0, min(len(parameters), 10), 2):
        x = (x.relu() if i else x) @ parameters[i] + parameters[i + 1]
    return x


@wrong("5.8", says="keep what a layer made in a name")
def works_out_what_is_before_twice(x, parameters):
    *before, W, b = parameters
    if before:
        x = scores(x, before) * Tensor(scores(x, before).data > 0)
    return x @ W + b


@wrong("5.8", says="keep what a layer made in a name")
def works_it_out_again_where_it_is_negative(x, parameters):
    *before, W, b = parameters
    if not before:
        return x @ W + b
    hidden = scores(x, before)
    if (hidden.data < 0).any():
        hidden = scores(x, before).relu()
    return hidden @ W + b


@wrong("5.8", says="take the layers in a loop")
def calls_too_deep(x, parameters):
    def layer(x, i, deep):
        if deep:
            return layer(x, i, deep - 1)
        z = x @ parameters[i] + parameters[i + 1]
        return z if i + 2 == len(parameters) else layer(z.relu(), i + 2, 10)

    return layer(x, 0, 10)


@wrong("5.8", says="z.relu() gives 0")
def multiplies_by_a_mask(x, parameters):
    for i in range(0, len(parameters), 2):
        x = (x * Tensor(x.data > 0) if i else x) @ parameters[i] + parameters[i + 1]
    return x


@wrong("5.8", says="the slope of relu is 1 above 0, else 0")
def takes_relu_where_something_is_negative(x, parameters):
    for i in range(0, len(parameters), 2):
        if i and (x.data < 0).any():
            x = x.relu()
        x = x @ parameters[i] + parameters[i + 1]
    return x


@wrong("5.8", says="there may be no rows at all")
def asks_for_the_smallest_number(x, parameters):
    for i in range(0, len(parameters), 2):
        if i and x.data.min() <= 0:
            x = x.relu()
        x = x @ parameters[i] + parameters[i + 1]
    return x


@wrong("5.8", says=".grad is not what it was")
def forgets_the_gradients(x, parameters):
    zero_grad(parameters)
    for i in range(0, len(parameters), 2):
        x = (x.relu() if i else x) @ parameters[i] + parameters[i + 1]
    return x


@wrong("5.8", says="only zero_grad forgets them")
def empties_the_gradients(x, parameters):
    for p in parameters:
        if p.grad is not None:
            p.grad.data[...] = 0
    for i in range(0, len(parameters), 2):
        x = (x.relu() if i else x) @ parameters[i] + parameters[i + 1]
    return x


@wrong("5.8", says="keeps all that hangs on them")
def hangs_the_hidden_numbers_on_the_result(x, parameters):
    hidden = []
    for i in range(0, len(parameters), 2):
        x = (x.relu() if i else x) @ parameters[i] + parameters[i + 1]
        hidden.append(x)
    x.hidden = hidden[:-1]
    return x


@wrong("5.8", says="let it through")
def stops_where_shapes_do_not_fit(x, parameters):
    for i in range(0, len(parameters), 2):
        try:
            x = (x.relu() if i else x) @ parameters[i] + parameters[i + 1]
        except RuntimeError:
            break
    return x


@wrong("5.8", says="that's x @ W.T + b")
def turns_W_on_its_side(x, parameters):
    for i in range(0, len(parameters), 2):
        x = (x.relu() if i else x) @ parameters[i].T + parameters[i + 1]
    return x


@wrong("5.8", says="that's (x + b) @ W")
def adds_b_before_the_product(x, parameters):
    for i in range(0, len(parameters), 2):
        x = ((x.relu() if i else x) + parameters[i + 1]) @ parameters[i]
    return x


@wrong("5.8", says="one row goes in and one comes out")
def drops_the_axis_of_a_single_row(x, parameters):
    for i in range(0, len(parameters), 2):
        x = (x.relu() if i else x) @ parameters[i] + parameters[i + 1]
    return x.reshape(x.shape[1]) if x.shape[0] == 1 else x


@wrong("5.8", says="nothing leads back to x")
def cuts_x_from_its_past(x, parameters):
    x = Tensor(x)
    for i in range(0, len(parameters), 2):
        x = (x.relu() if i else x) @ parameters[i] + parameters[i + 1]
    return x


@wrong("5.8", says="b1 is missing")
def adds_only_the_last_b(x, parameters):
    for i in range(0, len(parameters), 2):
        x = (x.relu() if i else x) @ parameters[i]
    return x + parameters[-1]


@wrong("5.8", says="relu came before the first layer")
def remembers_the_calls_before(x, parameters, hidden=[]):  # noqa: B006
    for i in range(0, len(parameters), 2):
        if hidden:
            x = x.relu()
        x = x @ parameters[i] + parameters[i + 1]
        hidden.append(0)
    return x


@wrong("5.8", says="put other numbers into x")
def writes_into_x(x, parameters):
    for i in range(0, len(parameters), 2):
        z = (x.relu() if i else x) @ parameters[i] + parameters[i + 1]
        x.data, x.grad_fn, x.requires_grad = z.data, z.grad_fn, z.requires_grad
    return x


@wrong("5.6", says="the other way round")
def frees_where_it_should_retain(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if retain_graph:
                    tensor.grad_fn.free()


@wrong("5.6", says="not z's alone")
def frees_the_root_each_time(self, gradient=None, retain_graph=False):
    if not self.requires_grad:
        raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
    grads = {self: head_gradient(self, gradient)}
    with no_grad():
        for tensor in reversed(topological_order(self)):
            grad = grads.pop(tensor)
            if tensor.is_leaf:
                accumulate(tensor, grad)
            else:
                propagate(tensor.grad_fn, grad, grads)
                if not retain_graph:
                    self.grad_fn.free()
