"""Wrong answers to the exercises of chapter 9, each with words that its message must contain."""

from course.misconceptions import wrong


@wrong(
    "9.1",
    "ctx.Context.save_for_backward",
    says="anything but a Tensor or None is refused, wherever it stands",
)
def keeps_anything(self, *tensors):
    self._to_save = tensors


@wrong("9.1", "ctx.Context.save_for_backward", says="None may be saved")
def refuses_none(self, *tensors):
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"save_for_backward() takes tensors, got {type(tensor).__name__}")
    self._to_save = tensors


@wrong("9.1", "ctx.Context.save_for_backward", says="None keeps its place")
def leaves_none_out(self, *tensors):
    for tensor in tensors:
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"save_for_backward() takes tensors, got {type(tensor).__name__}")
    self._to_save = tuple([tensor for tensor in tensors if tensor is not None])


@wrong("9.1", "ctx.Context.save_for_backward", says="keep it as it is")
def keeps_a_list(self, *tensors):
    for tensor in tensors:
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"save_for_backward() takes tensors, got {type(tensor).__name__}")
    self._to_save = list(tensors)


@wrong("9.1", "ctx.Context.save_for_backward", says="look at all of them before you keep any")
def keeps_what_came_before_the_bad_one(self, *tensors):
    self._to_save = ()
    for tensor in tensors:
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"save_for_backward() takes tensors, got {type(tensor).__name__}")
        self._to_save = (*self._to_save, tensor)


@wrong("9.1", "ctx.Context.save_for_backward", says="look at all of them before you keep any")
def keeps_before_it_looks(self, *tensors):
    self._to_save = tensors
    for tensor in tensors:
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"save_for_backward() takes tensors, got {type(tensor).__name__}")


@wrong(
    "9.1",
    "ctx.Context.save_for_backward",
    says="anything but a Tensor or None is refused, wherever it stands",
)
def looks_at_the_first_alone(self, *tensors):
    if tensors and tensors[0] is not None and not isinstance(tensors[0], Tensor):
        raise TypeError(f"save_for_backward() takes tensors, got {type(tensors[0]).__name__}")
    self._to_save = tensors


@wrong(
    "9.1",
    "ctx.Context.save_for_backward",
    says="anything but a Tensor or None is refused, wherever it stands",
)
def stops_looking_at_the_first_none(self, *tensors):
    for tensor in tensors:
        if tensor is None:
            break
        if not isinstance(tensor, Tensor):
            raise TypeError(f"save_for_backward() takes tensors, got {type(tensor).__name__}")
    self._to_save = tensors


@wrong("9.1", "ctx.Context.save_for_backward", says="keep those that were given, no copies")
def keeps_copies(self, *tensors):
    for tensor in tensors:
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"save_for_backward() takes tensors, got {type(tensor).__name__}")
    self._to_save = tuple([t if t is None else t.clone() for t in tensors])


@wrong("9.1", "ctx.Context.save_for_backward", says="keep those that were given, no copies")
def keeps_them_without_a_history(self, *tensors):
    for tensor in tensors:
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"save_for_backward() takes tensors, got {type(tensor).__name__}")
    self._to_save = tuple([t if t is None else t.detach() for t in tensors])


@wrong("9.1", "ctx.Context.save_for_backward", says="keep the Tensors themselves, not their arrays")
def keeps_arrays(self, *tensors):
    for tensor in tensors:
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"save_for_backward() takes tensors, got {type(tensor).__name__}")
    self._to_save = tuple([t if t is None else t._data for t in tensors])


@wrong(
    "9.1",
    "ctx.Context.save_for_backward",
    says="anything but a Tensor or None is refused, wherever it stands",
)
def asks_for_an_array_in_it(self, *tensors):
    for tensor in tensors:
        if tensor is not None and not hasattr(tensor, "shape"):
            raise TypeError(f"save_for_backward() takes tensors, got {type(tensor).__name__}")
    self._to_save = tensors


@wrong(
    "9.1",
    "ctx.Context.save_for_backward",
    says="what's wrong with it is its type",
)
def raises_a_value_error(self, *tensors):
    for tensor in tensors:
        if tensor is not None and not isinstance(tensor, Tensor):
            raise ValueError(f"save_for_backward() takes tensors, got {type(tensor).__name__}")
    self._to_save = tensors


@wrong("9.1", "ctx.Context.save_for_backward", says="what's saved twice comes back twice")
def keeps_each_tensor_once(self, *tensors):
    for tensor in tensors:
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"save_for_backward() takes tensors, got {type(tensor).__name__}")
    self._to_save = tuple({id(t): t for t in tensors}.values())


@wrong("9.1", "ctx.Context.save_for_backward", says="while forward runs, self._to_save keeps them")
def saves_what_is_saved_already(self, *tensors):
    for tensor in tensors:
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"save_for_backward() takes tensors, got {type(tensor).__name__}")
    self.saved = tensors


@wrong(
    "9.1",
    "ctx.Context.needs_input_grad",
    says="there's a place for each argument of forward, in their order",
)
@property
def places_of_tensors_alone(self):
    return tuple([True for node in self.edges if node is not None])


@wrong("9.1", "ctx.Context.needs_input_grad", says="a bool for each argument, and not one for all")
@property
def one_answer_for_all(self):
    return any(node is not None for node in self.edges)


@wrong(
    "9.1",
    "ctx.Context.needs_input_grad",
    says="False, False, False, True): bools, not nodes: is not None",
)
@property
def gives_the_nodes(self):
    return self.edges


@wrong("9.1", "ctx.Context.needs_input_grad", says="a node is there where a gradient is wanted")
@property
def the_wrong_way_round(self):
    return tuple([node is None for node in self.edges])


@wrong("9.1", "ctx.Context.needs_input_grad", says="a tuple is what's asked for")
@property
def a_list_of_answers(self):
    return [node is not None for node in self.edges]


@wrong("9.1", "ctx.Context.needs_input_grad", says="a result that leads to a leaf wants one, too")
@property
def only_leaves_ask(self):
    return tuple([hasattr(node, "variable") for node in self.edges])


@wrong("9.1", "ctx.Context.needs_input_grad", says="a leaf that asks wants one, too")
@property
def only_results_ask(self):
    return tuple([node is not None and len(node.edges) > 0 for node in self.edges])


@wrong("9.1", "ctx.Context.needs_input_grad", says="edges knows how it was when the call began")
@property
def as_it_is_now(self):
    return tuple(
        [
            node is not None and (not hasattr(node, "variable") or node.variable.requires_grad)
            for node in self.edges
        ]
    )


@wrong("9.1", "ctx.Context.needs_input_grad", says="(a result that was freed)")
@property
def freed_results_do_not_ask(self):
    return tuple([node is not None and not node.freed for node in self.edges])


@wrong("9.1", "ctx.Context.needs_input_grad", says="whether recording is on by now or off")
@property
def only_where_recording_is_on(self):
    from tinytorch.state import state

    return tuple([state.grad_enabled and node is not None for node in self.edges])


@wrong("9.1", "ctx.Context.needs_input_grad", says="keep nothing on the Function")
@property
def one_answer_for_all_calls(self):
    if "_wanted" not in vars(self.function):
        self.function._wanted = tuple([node is not None for node in self.edges])
    return self.function._wanted


@wrong("9.1", "ctx.Context.needs_input_grad", says="a tuple is what's asked for")
@property
def gives_a_generator(self):
    return (node is not None for node in self.edges)


@wrong("9.1", "ctx.Context.save_for_backward", says="a Parameter, integers and a mask")
def refuses_parameters(self, *tensors):
    for tensor in tensors:
        if tensor is not None and type(tensor) is not Tensor:
            raise TypeError(f"save_for_backward() takes tensors, got {type(tensor).__name__}")
    self._to_save = tensors


@wrong("9.1", "ctx.Context.save_for_backward", says="none of those that were kept before")
def adds_to_what_is_kept(self, *tensors):
    for tensor in tensors:
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"save_for_backward() takes tensors, got {type(tensor).__name__}")
    self._to_save = (*self._to_save, *tensors)


@wrong("9.1", "ctx.Context.save_for_backward", says="none of those that were kept before")
def keeps_what_was_kept_where_nothing_comes(self, *tensors):
    for tensor in tensors:
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"save_for_backward() takes tensors, got {type(tensor).__name__}")
    self._to_save = tensors or self._to_save


@wrong("9.1", "ctx.Context.save_for_backward", says="it was taken for None")
def lets_pass_what_is_falsy(self, *tensors):
    for tensor in tensors:
        if not isinstance(tensor, Tensor) and np.any(tensor):
            raise TypeError(f"save_for_backward() takes tensors, got {type(tensor).__name__}")
    self._to_save = tensors


@wrong("9.2", "function.run_forward", says="state.grad_enabled is False while it runs")
def records_forward(function, ctx, args):
    return call_forward(function, ctx, args)


@wrong("9.2", "function.run_forward", says="put it back in a finally")
def no_finally(function, ctx, args):
    before, state.grad_enabled = state.grad_enabled, False
    outputs = call_forward(function, ctx, args)
    state.grad_enabled = before
    return outputs


@wrong("9.2", "function.run_forward", says="put back what was there before")
def switches_on_whatever_was(function, ctx, args):
    state.grad_enabled = False
    try:
        return call_forward(function, ctx, args)
    finally:
        state.grad_enabled = True


@wrong(
    "9.2", "function.run_forward", says=("run_forward must", "in a finally", "KeyboardInterrupt")
)
def only_exceptions_of_the_usual_kind(function, ctx, args):
    before, state.grad_enabled = state.grad_enabled, False
    try:
        outputs = call_forward(function, ctx, args)
    except Exception:
        state.grad_enabled = before
        raise
    state.grad_enabled = before
    return outputs


@wrong("9.2", "function.run_forward", says="an exception of forward was swallowed")
def swallows_exceptions(function, ctx, args):
    before, state.grad_enabled = state.grad_enabled, False
    try:
        return call_forward(function, ctx, args)
    except Exception:
        return None
    finally:
        state.grad_enabled = before


@wrong("9.2", "function.run_forward", says="is there a return, in run_forward too?")
def gives_nothing(function, ctx, args):
    before, state.grad_enabled = state.grad_enabled, False
    try:
        call_forward(function, ctx, args)
    finally:
        state.grad_enabled = before


@wrong("9.2", "function.run_forward", says="call_forward(function, ctx, args) knows how to call it")
def calls_forward_itself(function, ctx, args):
    before, state.grad_enabled = state.grad_enabled, False
    try:
        return function.forward(ctx, *args)
    finally:
        state.grad_enabled = before


@wrong("9.2", "function.run_forward", says="put back what was there before, exception or not")
def leaves_it_off(function, ctx, args):
    state.grad_enabled = False
    return call_forward(function, ctx, args)


@wrong("9.2", "function.run_forward", says="put back what was there before, exception or not")
def remembers_too_late(function, ctx, args):
    state.grad_enabled = False
    before = state.grad_enabled
    try:
        return call_forward(function, ctx, args)
    finally:
        state.grad_enabled = before


@wrong("9.2", "function.run_forward", says="off is off, whatever it was before")
def flips_it(function, ctx, args):
    state.grad_enabled = not state.grad_enabled
    try:
        return call_forward(function, ctx, args)
    finally:
        state.grad_enabled = not state.grad_enabled


@wrong("9.2", "function.Function.apply", says="in_order sorts them")
def ignores_keywords(cls, *args, **kwargs):
    args = (*args, *kwargs.values())
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="FunctionNode(cls, args)")
def ctx_of_unsorted_args(cls, *args, **kwargs):
    ctx = FunctionNode(cls, args)
    args = in_order(cls, args, kwargs)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="weren't in forward's order yet")
def ctx_of_args_as_they_came(cls, *args, **kwargs):
    ctx = FunctionNode(cls, (*args, *kwargs.values()))
    args = in_order(cls, args, kwargs)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="what was true when the call began")
def asks_the_arguments_afterwards(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(isinstance(x, Tensor) and x.requires_grad for x in args) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="what was true when the call began")
def asks_the_arguments_afterwards_as_well(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    asks = any(ctx.edges) or any(isinstance(x, Tensor) and x.requires_grad for x in args)
    if asks and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="only if recording is on and one of ctx.edges")
def records_always(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="only if recording is on and one of ctx.edges")
def records_under_no_grad(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges):
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="only if recording is on and one of ctx.edges")
def records_constants(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong(
    "9.2",
    "function.Function.apply",
    says="and recording as it is outside",
)
def all_inputs_must_ask(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if all(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="ask all of ctx.edges, not the first alone")
def the_first_input_must_ask(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if ctx.edges and ctx.edges[0] and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="a single result is returned as it is")
def always_a_tuple(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results)


@wrong("9.2", "function.Function.apply", says="ask what forward returned, not how many there are")
def a_tuple_of_one_is_unpacked(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if len(results) > 1 else results[0]


@wrong("9.2", "function.Function.apply", says="return one of all the results")
def only_the_first_result(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return results[0]


@wrong("9.2", "function.Function.apply", says="tuple(results)")
def a_list_of_results(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return results if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="results_of makes each result a Tensor of its own")
def gives_what_forward_gave(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return outputs


@wrong(
    "9.2",
    "function.Function.apply",
    says="and recording as it is outside",
)
def records_nothing(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="results_of makes each result a Tensor of its own")
def results_as_they_came(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = list(outputs) if isinstance(outputs, tuple) else [outputs]
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="each call has a ctx of its own")
def one_ctx_for_all_calls(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    if "_ctx" not in vars(cls) or len(cls._ctx.edges) != len(args):
        cls._ctx = FunctionNode(cls, args)
    ctx = cls._ctx
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="finish gets all args, each in its place")
def finish_gets_the_tensors_alone(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish([x for x in args if isinstance(x, Tensor) and x.requires_grad], results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong(
    "9.2",
    "function.Function.apply",
    says="and recording as it is outside",
)
def finishes_under_no_grad_only(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    with no_grad():
        outputs = run_forward(cls, ctx, args)
        results = results_of(ctx, args, outputs)
        if any(ctx.edges) and state.grad_enabled:
            ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="one input that asks is enough")
def asks_the_arguments_by_truth(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if args and getattr(args[-1], "requires_grad", True) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="ctx.edges knows")
def only_leaves_are_asked(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if (
        any(isinstance(x, Tensor) and x.is_leaf and x.requires_grad for x in args)
        and state.grad_enabled
    ):
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="no attribute '_node'")
def finishes_and_takes_it_back(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    ctx.finish(args, results)
    if not (any(ctx.edges) and state.grad_enabled):
        for x in results:
            x._node = None
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="share one ctx")
def two_ctxs_for_one_call(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    recorded = any(ctx.edges) and state.grad_enabled
    outputs = run_forward(cls, FunctionNode(cls, args), args)
    results = results_of(ctx, args, outputs)
    if recorded:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.run_forward", says="gradgradcheck of x * y")
def forward_gets_detached_tensors(function, ctx, args):
    with no_grad():
        return call_forward(
            function, ctx, [a.detach() if isinstance(a, Tensor) else a for a in args]
        )


@wrong("9.2", "function.run_forward", says="all of that runs with recording off")
def records_setup_context(function, ctx, args):
    if not function._has_setup:
        with no_grad():
            return function.forward(ctx, *args)
    with no_grad():
        outputs = function.forward(*args)
    function.setup_context(ctx, args, outputs)
    return outputs


@wrong("9.2", "function.run_forward", says="forward may have switched it")
def puts_back_only_what_it_changed(function, ctx, args):
    if not state.grad_enabled:
        return call_forward(function, ctx, args)
    state.grad_enabled = False
    try:
        return call_forward(function, ctx, args)
    finally:
        state.grad_enabled = True


@wrong("9.2", "function.Function.apply", says="defaults too, with keywords or without")
def sorts_only_keywords(cls, *args, **kwargs):
    if kwargs:
        args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="forward alone runs with recording off")
def makes_results_under_no_grad(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    with no_grad():
        results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="even in calls that aren't recorded")
def bare_outputs_where_nothing_is_recorded(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    if not (any(ctx.edges) and state.grad_enabled):
        return outputs
    results = results_of(ctx, args, outputs)
    ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="ask whether outputs is a tuple")
def what_is_no_tensor_is_a_tuple(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return results[0] if isinstance(outputs, Tensor) else tuple(results)


@wrong("9.2", "function.run_forward", says="recording is off in it, whoever asks")
def records_where_nobody_asks(function, ctx, args):
    if not any(ctx.edges):
        return call_forward(function, ctx, args)
    with no_grad():
        return call_forward(function, ctx, args)


@wrong("9.2", "function.run_forward", says="put back what was there before")
def puts_back_only_where_somebody_asks(function, ctx, args):
    before = state.grad_enabled
    state.grad_enabled = False
    try:
        return call_forward(function, ctx, args)
    finally:
        if any(ctx.edges):
            state.grad_enabled = before


@wrong("9.2", "function.Function.apply", says="alone say whether a call is recorded")
def records_where_the_first_result_is_a_tensor(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and isinstance(results[0], Tensor) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="a namedtuple is a tuple, too")
def a_namedtuple_is_no_tuple(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if type(outputs) is tuple else results[0]


@wrong("9.2", "function.Function.apply", says="only a tuple makes a tuple")
def a_list_is_as_good_as_a_tuple(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, (tuple, list)) else results[0]


@wrong("9.2", "function.Function.apply", says="a circle, which is never let go")
def keeps_its_results(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    ctx.results = results
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="save_for_backward alone keeps Tensors")
def keeps_its_args(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    ctx.args = args
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="even in calls that aren't recorded")
def bare_outputs_of_constants(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    if not any(ctx.edges):
        return outputs
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="even in calls that aren't recorded")
def results_of_its_own_only_where_somebody_asks(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs) if any(ctx.edges) else as_results(outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="for arguments of all kinds")
def bare_outputs_of_numbers(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    if not any(isinstance(x, Tensor) for x in args):
        return outputs
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="apply to a Parameter")
def parameters_are_no_tensors(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    asks = any(x._node is not None for x in args if type(x) is Tensor)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if asks and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="so it knows x again")
def results_of_gets_the_unsorted_args(cls, *args, **kwargs):
    ordered = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, ordered)
    outputs = run_forward(cls, ctx, ordered)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(ordered, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong(
    "9.2",
    "function.Function.apply",
    says=("apply to a leaf, by keyword", "requires_grad of what comes for", "= False"),
)
def only_places_without_a_name_ask(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges[: len(args) - len(kwargs)]) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="one is enough")
def runs_forward_twice(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(run_forward(cls, ctx, args), tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="nothing but the graph of the result keeps")
def the_class_keeps_the_last_ctx(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    cls.last = ctx
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.3", says="a place for each result, not only for what arrived")
def only_what_arrived(self, parts):
    return [tensor_of(grad) for grad in parts.values()]


@wrong("9.3", says="by default zeros come where nothing arrived")
def none_always(self, parts):
    return [tensor_of(parts.get(index)) for index in range(len(self._results))]


@wrong("9.3", says="None says it without zeros")
def zeros_always(self, parts):
    grads = []
    for index, meta in enumerate(self._results):
        zero = np.zeros(*meta) if meta else None
        grads.append(tensor_of(parts.get(index, zero)))
    return grads


@wrong("9.3", says="the pair at its number")
def zeros_like_what_arrived(self, parts):
    grads = []
    some = next(iter(parts.values()), np.zeros(()))
    for index, meta in enumerate(self._results):
        zero = np.zeros(np.shape(some)) if self._materialize and meta else None
        grads.append(tensor_of(parts.get(index, zero)))
    return grads


@wrong("9.3", says="the pair at its number")
def zeros_in_float64(self, parts):
    grads = []
    for index, meta in enumerate(self._results):
        zero = np.zeros(meta[0]) if self._materialize and meta else None
        grads.append(tensor_of(parts.get(index, zero)))
    return grads


@wrong("9.3", says="the pair at its number")
def zeros_of_the_first_result(self, parts):
    grads = []
    for index, meta in enumerate(self._results):
        zero = np.zeros(*self._results[0]) if self._materialize and meta else None
        grads.append(tensor_of(parts.get(index, zero)))
    return grads


@wrong("9.3", says="what is no Tensor gets None")
def no_meta_no_mercy(self, parts):
    grads = []
    for index, meta in enumerate(self._results):
        zero = np.zeros(*meta) if self._materialize else None
        grads.append(tensor_of(parts.get(index, zero)))
    return grads


@wrong("9.3", says="a place for each result, for those that are no Tensors, too")
def skips_what_is_no_tensor(self, parts):
    grads = []
    for index, meta in enumerate(self._results):
        if meta is None:
            continue
        zero = np.zeros(*meta) if self._materialize else None
        grads.append(tensor_of(parts.get(index, zero)))
    return grads


@wrong("9.3", says="tensor_of makes Tensors of arrays")
def arrays_as_they_are(self, parts):
    grads = []
    for index, meta in enumerate(self._results):
        zero = np.zeros(*meta) if self._materialize and meta else None
        grads.append(parts.get(index, zero))
    return grads


@wrong("9.3", says="a list is what's asked for")
def a_tuple_of_gradients(self, parts):
    grads = []
    for index, meta in enumerate(self._results):
        zero = np.zeros(*meta) if self._materialize and meta else None
        grads.append(tensor_of(parts.get(index, zero)))
    return tuple(grads)


@wrong("9.3", says="None is for what nobody sent")
def zero_counts_as_nothing(self, parts):
    grads = []
    for index, meta in enumerate(self._results):
        grad = parts.get(index)
        if isinstance(grad, np.ndarray) and not np.any(grad):
            grad = None
        if grad is None and self._materialize and meta:
            grad = np.zeros(*meta)
        grads.append(tensor_of(grad))
    return grads


@wrong("9.3", says="ask whether it's there, not whether it's true")
def asks_whether_it_is_true(self, parts):
    grads = []
    for index, meta in enumerate(self._results):
        zero = np.zeros(*meta) if self._materialize and meta else None
        grads.append(tensor_of(parts.get(index) or zero))
    return grads


@wrong("9.3", says="tensor_of sees to that")
def loses_the_history(self, parts):
    grads = []
    for index, meta in enumerate(self._results):
        zero = np.zeros(*meta) if self._materialize and meta else None
        grad = parts.get(index, zero)
        grads.append(grad.detach() if isinstance(grad, Tensor) else tensor_of(grad))
    return grads


@wrong("9.3", says="parts.get, or ask first")
def looks_up_all_numbers(self, parts):
    grads = []
    for index, _ in enumerate(self._results):
        grads.append(tensor_of(parts[index]))
    return grads


@wrong("9.3", says="what arrived arrives in any case")
def without_materialize_nothing_comes(self, parts):
    if not self._materialize:
        return [None for _ in self._results]
    grads = []
    for index, meta in enumerate(self._results):
        zero = np.zeros(*meta) if meta else None
        grads.append(tensor_of(parts.get(index, zero)))
    return grads


@wrong("9.3", says="parts stays as it is")
def fills_the_parts(self, parts):
    for index, meta in enumerate(self._results):
        if self._materialize and meta:
            parts.setdefault(index, np.zeros(*meta))
    return [tensor_of(parts.get(index)) for index in range(len(self._results))]


@wrong("9.3", says="shares its memory with an earlier number")
def one_zero_for_all_of_a_kind(self, parts):
    grads, zeros = [], {}
    for index, meta in enumerate(self._results):
        if index in parts or not self._materialize or not meta:
            grads.append(tensor_of(parts.get(index)))
            continue
        if meta not in zeros:
            zeros[meta] = np.zeros(*meta)
        grads.append(tensor_of(zeros[meta]))
    return grads


@wrong("9.3", says="a tensor of integers gets zeros, too")
def integers_get_none(self, parts):
    grads = []
    for index, meta in enumerate(self._results):
        zero = np.zeros(*meta) if self._materialize and meta and meta[1].kind == "f" else None
        grads.append(tensor_of(parts.get(index, zero)))
    return grads


@wrong("9.3", says="a backward may write into its zeros")
def read_only_zeros(self, parts):
    grads = []
    for index, meta in enumerate(self._results):
        zero = None
        if self._materialize and meta:
            zero = np.broadcast_to(np.zeros((), meta[1]), meta[0])
        grads.append(tensor_of(parts.get(index, zero)))
    return grads


@wrong("9.3", says="in whatever order they arrived")
def in_the_order_of_arrival(self, parts):
    grads = [tensor_of(grad) for grad in parts.values()]
    for index, meta in enumerate(self._results):
        if index not in parts:
            zero = np.zeros(*meta) if self._materialize and meta else None
            grads.insert(index, tensor_of(zero))
    return grads


@wrong("9.3", says="look a number up, and leave it there")
def takes_them_out_of_the_parts(self, parts):
    grads = []
    for index, meta in enumerate(self._results):
        zero = np.zeros(*meta) if self._materialize and meta else None
        grads.append(tensor_of(parts.pop(index, zero)))
    return grads


@wrong("9.3", says="also after the last one that something arrived for")
def nothing_after_the_last_arrival(self, parts):
    grads = []
    for index, meta in enumerate(self._results[: max(parts) + 1]):
        zero = np.zeros(*meta) if self._materialize and meta else None
        grads.append(tensor_of(parts.get(index, zero)))
    return grads


@wrong("9.3", says="() is a shape, though it's falsy")
def no_zeros_of_shape_nothing(self, parts):
    grads = []
    for index, meta in enumerate(self._results):
        zero = np.zeros(*meta) if self._materialize and meta and meta[0] else None
        grads.append(tensor_of(parts.get(index, zero)))
    return grads


@wrong("9.4", "function.note_changes", says="memory.touch(array) counts a change")
def counts_nothing(ctx, results):
    for tensor in ctx._dirty:
        if not among(tensor, results):
            raise RuntimeError("a tensor marked dirty must be among the results of forward")
        check_writable(tensor)


@wrong("9.4", "function.note_changes", says="only what's marked dirty has changed")
def counts_all_results(ctx, results):
    for tensor in ctx._dirty:
        if not among(tensor, results):
            raise RuntimeError("a tensor marked dirty must be among the results of forward")
        check_writable(tensor)
    for tensor in results:
        memory.touch(tensor._data)


@wrong("9.4", "function.note_changes", says="among(tensor, results) compares by `is`")
def compares_elements(ctx, results):
    for tensor in ctx._dirty:
        if tensor not in results:
            raise RuntimeError("a tensor marked dirty must be among the results of forward")
        check_writable(tensor)
        memory.touch(tensor._data)


@wrong("9.4", "function.note_changes", says="check_writable(tensor) refuses it")
def lets_leaves_be_changed(ctx, results):
    for tensor in ctx._dirty:
        if not among(tensor, results):
            raise RuntimeError("a tensor marked dirty must be among the results of forward")
        memory.touch(tensor._data)


@wrong(
    "9.4",
    "function.note_changes",
    says="raised no error, expected RuntimeError: x isn't among them",
)
def does_not_ask_for_results(ctx, results):
    for tensor in ctx._dirty:
        check_writable(tensor)
        memory.touch(tensor._data)


@wrong(
    "9.4",
    "function.note_changes",
    says="raised no error, expected RuntimeError: x isn't among them",
)
def skips_what_is_not_among_them(ctx, results):
    for tensor in ctx._dirty:
        if among(tensor, results):
            check_writable(tensor)
            memory.touch(tensor._data)


@wrong("9.4", "function.note_changes", says="each dirty tensor must be among them")
def one_among_them_is_enough(ctx, results):
    if ctx._dirty and not any(among(tensor, results) for tensor in ctx._dirty):
        raise RuntimeError("a tensor marked dirty must be among the results of forward")
    for tensor in ctx._dirty:
        check_writable(tensor)
        memory.touch(tensor._data)


@wrong("9.4", "function.note_changes", says="both of them are dirty")
def only_the_first_dirty_one(ctx, results):
    for tensor in ctx._dirty[:1]:
        if not among(tensor, results):
            raise RuntimeError("a tensor marked dirty must be among the results of forward")
        check_writable(tensor)
        memory.touch(tensor._data)


@wrong("9.4", "function.note_changes", says="first ask, then count")
def counts_before_it_asks(ctx, results):
    for tensor in ctx._dirty:
        memory.touch(tensor._data)
        if not among(tensor, results):
            raise RuntimeError("a tensor marked dirty must be among the results of forward")
        check_writable(tensor)


@wrong("9.4", "function.note_changes", says="among(tensor, results) compares by `is`")
def shared_memory_is_the_same(ctx, results):
    for tensor in ctx._dirty:
        owner = memory.owner_of(tensor._data)
        if not any(memory.owner_of(other._data) is owner for other in results):
            raise RuntimeError("a tensor marked dirty must be among the results of forward")
        check_writable(tensor)
        memory.touch(tensor._data)


@wrong("9.4", "function.note_changes", says="not the other way round")
def results_must_be_dirty(ctx, results):
    for tensor in results:
        if not among(tensor, ctx._dirty):
            raise RuntimeError("a tensor marked dirty must be among the results of forward")
        check_writable(tensor)
        memory.touch(tensor._data)


@wrong("9.4", "function.note_changes", says="one change is counted once")
def counts_twice(ctx, results):
    for tensor in ctx._dirty:
        for other in results:
            if other is tensor:
                memory.touch(tensor._data)
        if not among(tensor, results):
            raise RuntimeError("a tensor marked dirty must be among the results of forward")
        check_writable(tensor)
        memory.touch(tensor._data)


@wrong("9.4", "ctx.Context.check_versions", says="where None was saved, there's no pair")
def no_none_expected(self):
    for array, _ in self.saved:
        self.check_version(array)


@wrong("9.4", "ctx.Context.check_versions", says="go on after None")
def stops_at_none(self):
    for pair in self.saved:
        if pair is None:
            return
        self.check_version(pair[0])


@wrong("9.4", "ctx.Context.check_versions", says="look at all of them")
def the_first_array_alone(self):
    for pair in self.saved:
        if pair is not None:
            return self.check_version(pair[0])


@wrong("9.4", "ctx.Context.check_versions", says="check_version(array) raises, for any one of them")
def looks_at_the_pair(self):
    for pair in self.saved:
        if isinstance(pair, np.ndarray):
            self.check_version(pair)


@wrong(
    "9.4", "ctx.Context.check_versions", says="only what was saved counts, and nobody changed that"
)
def any_change_at_all(self):
    if self.saved and memory.last_change > self.number:
        raise RuntimeError("a saved tensor was changed in place")


@wrong(
    "9.4",
    "ctx.Context.check_versions",
    says="what was changed before it was saved is what was saved",
)
def any_change_ever(self):
    for pair in self.saved:
        if pair is not None and memory.version_of(pair[0]) > 0:
            raise RuntimeError("a saved tensor was changed in place")


@wrong("9.4", "ctx.Context.check_versions", says="check_version(array) raises, for any one of them")
def says_it_and_goes_on(self):
    for pair in self.saved:
        if pair is not None:
            try:
                self.check_version(pair[0])
            except RuntimeError:
                continue


@wrong("9.4", "ctx.Context.check_versions", says="check_version(array) raises, for any one of them")
def all_must_have_changed(self):
    pairs = [pair for pair in self.saved if pair is not None]
    if pairs and all(memory.changed_since(pair[0], self.number) for pair in pairs):
        raise RuntimeError("a saved tensor was changed in place")


@wrong("9.4", "function.note_changes", says="ask it of what's dirty")
def among_the_first_result_alone(ctx, results):
    for tensor in ctx._dirty:
        if not among(tensor, results[:1]):
            raise RuntimeError("a tensor marked dirty must be among the results of forward")
        check_writable(tensor)
        memory.touch(tensor._data)


@wrong("9.4", "ctx.Context.check_versions", says="go on after None")
def the_first_and_the_last(self):
    if self.saved[0] is not None:
        self.check_version(self.saved[0][0])
    if self.saved[-1] is not None:
        self.check_version(self.saved[-1][0])


@wrong("9.4", "ctx.Context.check_versions", says="whatever node stands beside it")
def leaves_are_not_asked_about(self):
    for pair in self.saved:
        if pair is not None and not hasattr(pair[1], "variable"):
            self.check_version(pair[0])


@wrong("9.4", "ctx.Context.check_versions", says="whatever node stands beside it")
def results_are_not_asked_about(self):
    for pair in self.saved:
        if pair is not None and type(pair[1]) is not int:
            self.check_version(pair[0])


@wrong("9.4", "function.note_changes", says="itself is what was changed, not a copy")
def touches_a_copy(ctx, results):
    for tensor in ctx._dirty:
        if not among(tensor, results):
            raise RuntimeError("a tensor marked dirty must be among the results of forward")
        check_writable(tensor)
        memory.touch(tensor._data.copy())


@wrong("9.4", "function.note_changes", says="which check_writable(tensor) refuses, raised no error")
def only_what_asks_must_be_writable(ctx, results):
    for tensor in ctx._dirty:
        if not among(tensor, results):
            raise RuntimeError("a tensor marked dirty must be among the results of forward")
        if tensor.requires_grad:
            check_writable(tensor)
        memory.touch(tensor._data)


@wrong("9.4", "function.note_changes", says="which check_writable(tensor) refuses, raised no error")
def only_where_it_is_recorded(ctx, results):
    for tensor in ctx._dirty:
        if not among(tensor, results):
            raise RuntimeError("a tensor marked dirty must be among the results of forward")
        if state.grad_enabled:
            check_writable(tensor)
        memory.touch(tensor._data)


@wrong("9.4", "ctx.Context.check_versions", says="an array of shape (), float64")
def numbers_are_not_asked_about(self):
    for pair in self.saved:
        if pair is not None and pair[0].ndim:
            self.check_version(pair[0])


@wrong("9.4", "ctx.Context.check_versions", says="was changed raised no error")
def zeros_are_not_asked_about(self):
    for pair in self.saved:
        if pair is not None and pair[0].any():
            self.check_version(pair[0])


@wrong("9.4", "ctx.Context.check_versions", says="was changed raised no error")
def masks_are_not_asked_about(self):
    for pair in self.saved:
        if pair is not None and pair[0].dtype.kind == "f":
            self.check_version(pair[0])


@wrong("9.4", "ctx.Context.check_versions", says="whatever node stands beside it")
def constants_are_not_asked_about(self):
    for pair in self.saved:
        if pair is not None and pair[1] is not None:
            self.check_version(pair[0])


@wrong("9.4", "ctx.Context.check_versions", says="what's saved needn't be the inputs")
def as_many_as_there_are_inputs(self):
    for pair, _ in zip(self.saved, self.edges, strict=False):
        if pair is not None:
            self.check_version(pair[0])


@wrong("9.4", "ctx.Context.check_versions", says="ask the clock anew, each time")
def checks_the_first_time_alone(self):
    if getattr(self, "checked", False):
        return
    for pair in self.saved:
        if pair is not None:
            self.check_version(pair[0])
    self.checked = True


@wrong("9.4", "function.note_changes", says="number 0 of 2 dirty ones is a Parameter")
def parameters_are_not_looked_at(ctx, results):
    for tensor in ctx._dirty:
        if not among(tensor, results):
            raise RuntimeError("a tensor marked dirty must be among the results of forward")
        if type(tensor) is Tensor:
            check_writable(tensor)
        memory.touch(tensor._data)


@wrong("9.5", says="each gradient must be `refusing`")
def passes_as_a_constant(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            return backward(ctx, *grads)

    return wrapped


@wrong("9.5", says="each gradient must be `refusing`")
def asks_inside_no_grad(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
            if not state.grad_enabled:
                return results
        results = results if isinstance(results, tuple) else as_gradients(results)
        return tuple([refusing(x, ctx, grads) for x in results])

    return wrapped


@wrong("9.5", says="the first derivative is right, and nobody has asked for")
def refuses_the_first_derivative(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        if state.grad_enabled:
            raise RuntimeError("once_differentiable: there is no second derivative")
        return backward(ctx, *grads)

    return wrapped


@wrong("9.5", says="the first may be asked for often")
def raises_when_called_twice(backward):
    called = []

    @wraps(backward)
    def wrapped(ctx, *grads):
        if called:
            raise RuntimeError("once_differentiable: it was differentiated already")
        called.append(ctx)
        with no_grad():
            return backward(ctx, *grads)

    return wrapped


@wrong("9.5", says="it runs under no_grad()")
def runs_it_recorded(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        results = results if isinstance(results, tuple) else as_gradients(results)
        return tuple([refusing(x, ctx, grads) for x in results])

    return wrapped


@wrong("9.5", says="puts the flag back even then")
def switches_off_by_hand(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        before = state.grad_enabled
        state.grad_enabled = False
        results = backward(ctx, *grads)
        state.grad_enabled = before
        if not state.grad_enabled:
            return results
        results = results if isinstance(results, tuple) else as_gradients(results)
        return tuple([refusing(x, ctx, grads) for x in results])

    return wrapped


@wrong("9.5", says="as_gradients makes one of it")
def a_tuple_is_expected(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        return tuple([refusing(x, ctx, grads) for x in results])

    return wrapped


@wrong("9.5", says="as_gradients makes a tuple of a list")
def a_list_in_a_tuple(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        results = results if isinstance(results, tuple) else (results,)
        return tuple([refusing(x, ctx, grads) for x in results])

    return wrapped


@wrong("9.5", says="each of them is `refusing`")
def the_first_gradient_alone(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        results = results if isinstance(results, tuple) else as_gradients(results)
        return (refusing(results[0], ctx, grads), *results[1:])

    return wrapped


@wrong("9.5", says="@wraps(backward) above the new function")
def without_wraps(backward):
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        results = results if isinstance(results, tuple) else as_gradients(results)
        return tuple([refusing(x, ctx, grads) for x in results])

    return wrapped


@wrong("9.5", says="asked in each call")
def refuses_in_any_case(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        results = results if isinstance(results, tuple) else as_gradients(results)
        return tuple([refusing(x, ctx, grads) for x in results])

    return wrapped


@wrong("9.5", says="the slope of a marked gradient in what came from upstream")
def forgets_upstream(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        results = results if isinstance(results, tuple) else as_gradients(results)
        return tuple([refusing(x, ctx, ()) for x in results])

    return wrapped


@wrong("9.5", says="whether what comes has a history doesn't matter")
def only_where_upstream_asks(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not any(grad is not None and grad.requires_grad for grad in grads):
            return results
        results = results if isinstance(results, tuple) else as_gradients(results)
        return tuple([refusing(x, ctx, grads) for x in results])

    return wrapped


@wrong("9.5", says="a decorator returns the new function")
def returns_no_function(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        results = results if isinstance(results, tuple) else as_gradients(results)
        return tuple([refusing(x, ctx, grads) for x in results])


@wrong("9.5", says="makes a new function")
def marks_and_does_nothing(backward):
    backward.once_differentiable = True
    return backward


@wrong("9.5", says="refusing leaves None as it is")
def zeros_for_none(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        results = results if isinstance(results, tuple) else as_gradients(results)
        return tuple([refusing(x, ctx, grads) for x in results if x is not None])

    return wrapped


@wrong("9.5", says="it runs under no_grad()")
def detaches_them(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        results = backward(ctx, *grads)
        results = results if isinstance(results, tuple) else as_gradients(results)
        return tuple([x if x is None else x.detach() for x in results])

    return wrapped


@wrong("9.5", says="one for each result")
def one_upstream_gradient(backward):
    @wraps(backward)
    def wrapped(ctx, grad):
        with no_grad():
            results = backward(ctx, grad)
        if not state.grad_enabled:
            return results
        results = results if isinstance(results, tuple) else as_gradients(results)
        return tuple([refusing(x, ctx, (grad,)) for x in results])

    return wrapped


@wrong("9.5", says="expected tuple")
def gives_a_list(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        results = results if isinstance(results, tuple) else as_gradients(results)
        return [refusing(x, ctx, grads) for x in results]

    return wrapped


@wrong("9.5", says="hand it on")
def detaches_what_came(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *[g.detach() for g in grads])
        if not state.grad_enabled:
            return results
        results = results if isinstance(results, tuple) else as_gradients(results)
        return tuple([refusing(x, ctx, grads) for x in results])

    return wrapped


@wrong("9.5", says="hand on what came as it is")
def detaches_what_came_if_anything(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *[g if g is None else g.detach() for g in grads])
        if not state.grad_enabled:
            return results
        return tuple([refusing(x, ctx, grads) for x in as_gradients(results)])

    return wrapped


@wrong("9.5", says="when it came for the second result")
def asks_the_first_upstream_gradient(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        return tuple([refusing(x, ctx, grads[:1]) for x in as_gradients(results)])

    return wrapped


@wrong("9.5", says="what was there before is put back, whatever it did")
def switches_on_afterwards(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        before = state.grad_enabled
        state.grad_enabled = False
        try:
            results = backward(ctx, *grads)
        finally:
            state.grad_enabled = True
        if not before:
            return results
        return tuple([refusing(x, ctx, grads) for x in as_gradients(results)])

    return wrapped


@wrong("9.5", says="a Function may be called more than once")
def refuses_the_second_recorded_call(backward):
    ran = []

    @wraps(backward)
    def wrapped(ctx, *grads):
        if ran and state.grad_enabled:
            once_error(ctx.function)(None)
        ran.append(True)
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        return tuple([refusing(x, ctx, grads) for x in as_gradients(results)])

    return wrapped


@wrong("9.5", says="calls the old one once")
def calls_it_again_where_nothing_is_recorded(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return backward(ctx, *grads)
        return tuple([refusing(x, ctx, grads) for x in as_gradients(results)])

    return wrapped


@wrong("9.5", says="the first may be asked for often")
def a_call_runs_back_once(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        if getattr(ctx, "ran", False):
            once_error(ctx.function)(None)
        ctx.ran = True
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        return tuple([refusing(x, ctx, grads) for x in as_gradients(results)])

    return wrapped


@wrong("9.5", says="sent 1, and then 10")
def gives_again_what_it_gave(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            ctx.gave = results = getattr(ctx, "gave", None) or backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        return tuple([refusing(x, ctx, grads) for x in as_gradients(results)])

    return wrapped


@wrong("9.5", says="gave another one: where recording is off")
def detaches_what_backward_gave(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            single = isinstance(results, Tensor)
            results = [x if x is None else x.detach() for x in as_gradients(results)]
            return results[0] if single else tuple(results)
        return tuple([refusing(x, ctx, grads) for x in as_gradients(results)])

    return wrapped


@wrong("9.5", says="asked in each call")
def asks_where_it_marks(backward):
    recording = state.grad_enabled

    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not recording:
            return results
        return tuple([refusing(x, ctx, grads) for x in as_gradients(results)])

    return wrapped


@wrong("9.6", "custom.FunctionalLinear.forward", says="x is (N, n), weight is (m, n)")
def weight_not_transposed(ctx, x, weight, bias):
    ctx.save_for_backward(x, weight)
    y = x @ weight
    return y if bias is None else y + bias


@wrong("9.6", "custom.FunctionalLinear.forward", says="the bias is added to each row")
def bias_forgotten(ctx, x, weight, bias):
    ctx.save_for_backward(x, weight)
    return x @ weight.T


@wrong("9.6", "custom.FunctionalLinear.forward", says="then nothing is added")
def bias_always_added(ctx, x, weight, bias):
    ctx.save_for_backward(x, weight)
    return x @ weight.T + bias


@wrong("9.6", "custom.FunctionalLinear.forward", says="x and weight are enough")
def saves_the_bias_too(ctx, x, weight, bias):
    ctx.save_for_backward(x, weight, bias)
    y = x @ weight.T
    return y if bias is None else y + bias


@wrong("9.6", "custom.FunctionalLinear.forward", says="ctx.save_for_backward keeps them")
def saves_nothing(ctx, x, weight, bias):
    ctx.x, ctx.weight = x, weight
    y = x @ weight.T
    return y if bias is None else y + bias


@wrong("9.6", "custom.FunctionalLinear.forward", says="x and weight, as they came, in this order")
def saves_them_the_other_way_round(ctx, x, weight, bias):
    ctx.save_for_backward(weight, x)
    y = x @ weight.T
    return y if bias is None else y + bias


@wrong("9.6", "custom.FunctionalLinear.forward", says="x and weight, as they came, in this order")
def saves_the_transposed_weight(ctx, x, weight, bias):
    weight = weight.T
    ctx.save_for_backward(x, weight)
    y = x @ weight
    return y if bias is None else y + bias


@wrong("9.6", "custom.FunctionalLinear.backward", says="None for the others")
def computes_all(ctx, grad_y):
    x, weight = ctx.saved_tensors
    return grad_y @ weight, grad_y.T @ x, grad_y.sum(0)


@wrong(
    "9.6",
    "custom.FunctionalLinear.backward",
    says="was computed, and thrown away",
)
def computes_all_and_throws_away(ctx, grad_y):
    x, weight = ctx.saved_tensors
    grads = grad_y @ weight, grad_y.T @ x, grad_y.sum(0)
    return tuple(
        g if wanted else None for g, wanted in zip(grads, ctx.needs_input_grad, strict=True)
    )


@wrong(
    "9.6",
    "custom.FunctionalLinear.backward",
    says="sum them",
)
def bias_not_summed(ctx, grad_y):
    x, weight = ctx.saved_tensors
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_y @ weight if wants_x else None
    grad_weight = grad_y.T @ x if wants_weight else None
    return grad_x, grad_weight, grad_y if wants_bias else None


@wrong("9.6", "custom.FunctionalLinear.backward", says="the sum, not the mean")
def bias_by_the_mean(ctx, grad_y):
    x, weight = ctx.saved_tensors
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_y @ weight if wants_x else None
    grad_weight = grad_y.T @ x if wants_weight else None
    return grad_x, grad_weight, grad_y.mean(0) if wants_bias else None


@wrong(
    "9.6",
    "custom.FunctionalLinear.backward",
    says="sum them, over axis 0",
)
def bias_keeps_its_rows(ctx, grad_y):
    x, weight = ctx.saved_tensors
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_y @ weight if wants_x else None
    grad_weight = grad_y.T @ x if wants_weight else None
    return grad_x, grad_weight, grad_y.sum() if wants_bias else None


@wrong("9.6", "custom.FunctionalLinear.backward", says="one gradient for each argument of forward")
def two_gradients(ctx, grad_y):
    x, weight = ctx.saved_tensors
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_y @ weight if wants_x else None
    grad_weight = grad_y.T @ x if wants_weight else None
    if not wants_bias:
        return grad_x, grad_weight
    return grad_x, grad_weight, grad_y.sum(0)


@wrong(
    "9.6",
    "custom.FunctionalLinear.backward",
    says="turn it round",
)
def weight_the_other_way_round(ctx, grad_y):
    x, weight = ctx.saved_tensors
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_y @ weight if wants_x else None
    grad_weight = x.T @ grad_y if wants_weight else None
    return grad_x, grad_weight, grad_y.sum(0) if wants_bias else None


@wrong(
    "9.6",
    "custom.FunctionalLinear.backward",
    says="y = x @ weight.T, and so grad_x = grad_y @ weight",
)
def x_by_the_transposed_weight(ctx, grad_y):
    x, weight = ctx.saved_tensors
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    square = weight.shape[0] == weight.shape[1]
    grad_x = grad_y @ (weight.T if square else weight) if wants_x else None
    grad_weight = grad_y.T @ x if wants_weight else None
    return grad_x, grad_weight, grad_y.sum(0) if wants_bias else None


@wrong("9.6", "custom.FunctionalLinear.backward", says="then they have a history")
def computes_with_arrays(ctx, grad_y):
    x, weight = [t.detach().numpy() for t in ctx.saved_tensors]
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    g = grad_y.detach().numpy()
    grad_x = tensor(g @ weight) if wants_x else None
    grad_weight = tensor(g.T @ x) if wants_weight else None
    return grad_x, grad_weight, tensor(g.sum(0)) if wants_bias else None


@wrong("9.6", "custom.FunctionalLinear.backward", says="detach() loses it")
def the_saved_are_detached(ctx, grad_y):
    x, weight = [t.detach() for t in ctx.saved_tensors]
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_y @ weight if wants_x else None
    grad_weight = grad_y.T @ x if wants_weight else None
    return grad_x, grad_weight, grad_y.sum(0) if wants_bias else None


@wrong("9.6", "custom.FunctionalLinear.backward", says="None for the others")
def zeros_where_nobody_asks(ctx, grad_y):
    x, weight = ctx.saved_tensors
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_y @ weight if wants_x else x * 0
    grad_weight = grad_y.T @ x if wants_weight else weight * 0
    return grad_x, grad_weight, grad_y.sum(0) if wants_bias else None


@wrong("9.6", "custom.FunctionalLinear.backward", says="None for the others")
def asks_what_the_tensors_say(ctx, grad_y):
    x, weight = ctx.saved_tensors
    grad_x = grad_y @ weight if x.requires_grad else None
    grad_weight = grad_y.T @ x if weight.requires_grad else None
    return grad_x, grad_weight, grad_y.sum(0) if ctx.needs_input_grad[2] else None


@wrong("9.6", "custom.Linear.__call__", says="FunctionalLinear knows matrices only: make one of x")
def matrices_only(self, x):
    return FunctionalLinear.apply(x, self.weight, self.bias)


@wrong("9.6", "custom.Linear.__call__", says="FunctionalLinear.apply does it")
def by_operations(self, x):
    y = x @ self.weight.T
    return y if self.bias is None else y + self.bias


@wrong("9.6", "custom.Linear.__call__", says="all axes but the last one are those of x")
def rows_stay_rows(self, x):
    return FunctionalLinear.apply(x.reshape(-1, x.shape[-1]), self.weight, self.bias)


@wrong(
    "9.6",
    "custom.Linear.__call__",
    says="shape (4, 2) is invalid for a tensor of 12 elements, shape",
)
def shape_of_x(self, x):
    rows = x.reshape(-1, x.shape[-1])
    return FunctionalLinear.apply(rows, self.weight, self.bias).reshape(*x.shape)


@wrong("9.6", "custom.Linear.__call__", says="its bias belongs to the layer")
def bias_left_out(self, x):
    rows = x.reshape(-1, x.shape[-1])
    y = FunctionalLinear.apply(rows, self.weight, None)
    return y.reshape(*x.shape[:-1], self.weight.shape[0])


@wrong("9.6", "custom.Linear.__call__", says="x.reshape has a way back, an array has none")
def x_is_detached(self, x):
    rows = tensor(x.detach().numpy().reshape(-1, x.shape[-1]))
    y = FunctionalLinear.apply(rows, self.weight, self.bias)
    return y.reshape(*x.shape[:-1], self.weight.shape[0])


@wrong("9.6", "custom.Linear.__call__", says="one call does all rows")
def row_by_row(self, x):
    if x.ndim == 1:
        return FunctionalLinear.apply(x.reshape(1, -1), self.weight, self.bias)[0]
    from tinytorch import stack

    return stack([self(row) for row in x])


@wrong("9.6", "custom.Linear.__call__", says="all axes but the last one are those of x")
def the_first_axis_stays(self, x):
    if x.ndim <= 2:
        rows = x.reshape(-1, x.shape[-1])
        y = FunctionalLinear.apply(rows, self.weight, self.bias)
        return y if x.ndim == 2 else y.reshape(-1)
    rows = x.reshape(-1, x.shape[-1])
    return FunctionalLinear.apply(rows, self.weight, self.bias).reshape(x.shape[0], x.shape[1], -1)


@wrong("9.6", "custom.FunctionalLinear.forward", says="copies have no history")
def saves_a_copy_of_x(ctx, x, weight, bias):
    ctx.save_for_backward(x.clone(), weight)
    y = x @ weight.T
    return y if bias is None else y + bias


@wrong("9.6", "custom.Linear.__call__", says="a layer is one box")
def adds_the_bias_outside(self, x):
    rows = x.reshape(-1, x.shape[-1])
    y = FunctionalLinear.apply(rows, self.weight, None).reshape(*x.shape[:-1], -1)
    return y if self.bias is None else y + self.bias


@wrong("9.6", "custom.Linear.__call__", says="weight knows it")
def minus_one_for_the_last_axis(self, x):
    rows = x.reshape(-1, x.shape[-1])
    y = FunctionalLinear.apply(rows, self.weight, self.bias)
    return y.reshape(*x.shape[:-1], -1)


@wrong("9.6", "custom.FunctionalLinear.forward", says="not whether it's true")
def asks_whether_the_bias_is_true(ctx, x, weight, bias):
    ctx.save_for_backward(x, weight)
    y = x @ weight.T
    return y + bias if bias else y


@wrong("9.6", "custom.FunctionalLinear.backward", says="weight wants a gradient")
def one_or_the_other(ctx, grad_y):
    x, weight = ctx.saved_tensors
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_weight = grad_bias = None
    if wants_x:
        grad_x = grad_y @ weight
    elif wants_weight:
        grad_weight = grad_y.T @ x
    if wants_bias:
        grad_bias = grad_y.sum(0)
    return grad_x, grad_weight, grad_bias


@wrong("9.6", "custom.FunctionalLinear.backward", says="[16.667, 20]], expected")
def weight_by_the_mean(ctx, grad_y):
    x, weight = ctx.saved_tensors
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_y @ weight if wants_x else None
    grad_weight = grad_y.T @ x / x.shape[0] if wants_weight else None
    return grad_x, grad_weight, grad_y.sum(0) if wants_bias else None


@wrong("9.6", "custom.FunctionalLinear.forward", says="save_for_backward alone keeps Tensors")
def keeps_both_on_the_ctx(ctx, x, weight, bias):
    ctx.x, ctx.weight = x, weight
    ctx.save_for_backward(x, weight)
    y = x @ weight.T
    return y if bias is None else y + bias


@wrong("9.6", "custom.FunctionalLinear.forward", says="apply(x, weight, bias) = float32")
def always_in_float32(ctx, x, weight, bias):
    ctx.save_for_backward(x, weight)
    y = x.numpy() @ weight.numpy().T
    y = y if bias is None else y + bias.numpy()
    return tensor(y.astype(np.float32))


@wrong("9.6", "custom.FunctionalLinear.backward", says="has the dtype of its argument")
def bias_in_float32(ctx, grad_y):
    x, weight = ctx.saved_tensors
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_y @ weight if wants_x else None
    grad_weight = grad_y.T @ x if wants_weight else None
    grad_bias = grad_y.sum(0).to(zeros(1).dtype) if wants_bias else None
    return grad_x, grad_weight, grad_bias


@wrong("9.6", "custom.Linear.__call__", says="the layer keeps nothing of a call")
def remembers_its_last_input(self, x):
    self.x = x
    rows = x.reshape(-1, x.shape[-1])
    y = FunctionalLinear.apply(rows, self.weight, self.bias)
    return y.reshape(*x.shape[:-1], self.weight.shape[0])


@wrong("9.6", "custom.FunctionalLinear.backward", says="requires_grad of the gradient of weight")
def weight_by_arrays(ctx, grad_y):
    x, weight = ctx.saved_tensors
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_y @ weight if wants_x else None
    grad_weight = tensor(grad_y.numpy(force=True).T @ x.numpy(force=True)) if wants_weight else None
    grad_bias = grad_y.sum(0) if wants_bias else None
    return grad_x, grad_weight, grad_bias


@wrong("9.6", "custom.FunctionalLinear.backward", says="requires_grad of the gradient of bias")
def bias_without_a_history(ctx, grad_y):
    x, weight = ctx.saved_tensors
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_y @ weight if wants_x else None
    grad_weight = grad_y.T @ x if wants_weight else None
    grad_bias = grad_y.detach().sum(0) if wants_bias else None
    return grad_x, grad_weight, grad_bias


@wrong("9.6", "custom.FunctionalLinear.forward", says="and no zeros either")
def adds_zeros_for_none(ctx, x, weight, bias):
    ctx.save_for_backward(x, weight)
    bias = zeros(weight.shape[0]) if bias is None else bias
    return x @ weight.T + bias


@wrong(
    "9.6",
    "custom.FunctionalLinear.forward",
    says="the dtype of FunctionalLinear.apply(x, weight, None)",
)
def float32_without_a_bias(ctx, x, weight, bias):
    ctx.save_for_backward(x, weight)
    y = tensor((x.numpy() @ weight.numpy().T).astype(np.float32))
    return y if bias is None else y + bias


@wrong("9.6", "custom.FunctionalLinear.forward", says=("changed", "x"))
def centers_x_in_place(ctx, x, weight, bias):
    ctx.save_for_backward(x, weight)
    y = x @ weight.T
    x.numpy()[...] -= x.numpy().mean()
    return y if bias is None else y + bias


@wrong("9.6", "custom.Linear.__call__", says="the layer keeps nothing of a call")
def remembers_its_last_result(self, x):
    rows = x.reshape(-1, x.shape[-1])
    self.y = FunctionalLinear.apply(rows, self.weight, self.bias)
    return self.y.reshape(*x.shape[:-1], self.weight.shape[0])


@wrong("9.6", "custom.Linear.__call__", says="that was before")
def computes_once_for_each_x(self, x):
    if getattr(self, "before", (None,))[0] is not x:
        rows = x.reshape(-1, x.shape[-1])
        self.before = x, FunctionalLinear.apply(rows, self.weight, self.bias)
    return self.before[1].reshape(*x.shape[:-1], self.weight.shape[0])


@wrong("9.6", "custom.Linear.__call__", says="whether it asks or not")
def a_frozen_bias_is_left_out(self, x):
    rows = x.reshape(-1, x.shape[-1])
    bias = self.bias if self.bias is not None and self.bias.requires_grad else None
    y = FunctionalLinear.apply(rows, self.weight, bias)
    return y.reshape(*x.shape[:-1], self.weight.shape[0])


@wrong("9.6", "custom.Linear.__call__", says="all axes but the last one are those of x")
def squeezes_the_last_axis(self, x):
    rows = x.reshape(-1, x.shape[-1])
    y = FunctionalLinear.apply(rows, self.weight, self.bias)
    y = y.reshape(*x.shape[:-1], self.weight.shape[0])
    return y.squeeze() if self.weight.shape[0] == 1 else y


@wrong("9.7", "custom.Solve.forward", says="that solves the system of A.T")
def solves_by_the_inverse_transposed(ctx, A, b):
    x = tensor(np.linalg.solve(A.numpy().T, b.numpy()))
    ctx.save_for_backward(A, x)
    return x


@wrong("9.7", "custom.Solve.forward", says="else it would have to be computed again")
def saves_b(ctx, A, b):
    x = tensor(np.linalg.solve(A.numpy(), b.numpy()))
    ctx.save_for_backward(A, b)
    return x


@wrong(
    "9.7",
    "custom.Solve.forward",
    says="takes Tensors, and a result is a Tensor, too: tensor(array)",
)
def saves_arrays(ctx, A, b):
    x = np.linalg.solve(A.numpy(), b.numpy())
    ctx.save_for_backward(A, x)
    return tensor(x)


@wrong("9.7", "custom.Solve.forward", says="tensor(array) keeps the array's")
def always_float32(ctx, A, b):
    x = tensor(np.linalg.solve(A.numpy(), b.numpy()).astype(np.float32))
    ctx.save_for_backward(A, x)
    return x


@wrong("9.7", "custom.Solve.forward", says="LinAlgError: np.linalg.solve raises it: let it pass")
def least_squares_for_a_singular_one(ctx, A, b):
    x = tensor(np.linalg.lstsq(A.numpy(), b.numpy(), rcond=None)[0])
    ctx.save_for_backward(A, x)
    return x


@wrong("9.7", "custom.Solve.forward", says="those have a history")
def saves_another_tensor_of_x(ctx, A, b):
    x = np.linalg.solve(A.numpy(), b.numpy())
    ctx.save_for_backward(A, tensor(x))
    return tensor(x)


@wrong("9.7", "custom.Solve.forward", says="those have a history")
def saves_a_copy_of_A(ctx, A, b):
    x = tensor(np.linalg.solve(A.numpy(), b.numpy()))
    ctx.save_for_backward(tensor(A.numpy().copy()), x)
    return x


@wrong("9.7", "custom.Solve.forward", says="nobody needs b")
def saves_all_three(ctx, A, b):
    x = tensor(np.linalg.solve(A.numpy(), b.numpy()))
    ctx.save_for_backward(A, b, x)
    return x


@wrong("9.7", "custom.Solve.backward", says="grad_b solves the system of A.T")
def solves_with_A(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = Solve.apply(A, grad_x)
    return -grad_b.reshape(-1, 1) * x, grad_b


@wrong("9.7", "custom.Solve.backward", says="a larger A makes a smaller x")
def no_minus(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = Solve.apply(A.T, grad_x)
    return grad_b.reshape(-1, 1) * x, grad_b


@wrong("9.7", "custom.Solve.backward", says="grad_b has no minus")
def minus_for_both(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = -Solve.apply(A.T, grad_x)
    return grad_b.reshape(-1, 1) * x, grad_b


@wrong("9.7", "custom.Solve.backward", says="row i belongs to grad_b[i], column j to x[j]")
def outer_product_turned(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = Solve.apply(A.T, grad_x)
    return -x.reshape(-1, 1) * grad_b, grad_b


@wrong("9.7", "custom.Solve.backward", says="each grad_b[i] meets each x[j]")
def elementwise_product(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = Solve.apply(A.T, grad_x)
    return -grad_b * x, grad_b


@wrong("9.7", "custom.Solve.backward", says="what NumPy makes has none")
def with_numpy(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = tensor(np.linalg.solve(A.detach().numpy().T, grad_x.detach().numpy()))
    return -grad_b.reshape(-1, 1) * x, grad_b


@wrong("9.7", "custom.Solve.backward", says="all of it has a history")
def x_is_a_constant(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = Solve.apply(A.T, grad_x)
    return -grad_b.reshape(-1, 1) * x.detach(), grad_b


@wrong("9.7", "custom.Solve.backward", says="all of it has a history")
def the_matrix_is_a_constant(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = Solve.apply(A.detach().T, grad_x)
    return -grad_b.reshape(-1, 1) * x, grad_b


@wrong("9.7", "custom.Solve.backward", says="grad_b, not grad_x")
def grad_x_in_the_outer_product(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = Solve.apply(A.T, grad_x)
    return -grad_x.reshape(-1, 1) * x, grad_b


@wrong(
    "9.7",
    "custom.Solve.backward",
    says="16], expected [4.5, 1]: that's A.T @ grad_x: solve with it",
)
def multiplies(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = A.T @ grad_x
    return -grad_b.reshape(-1, 1) * x, grad_b


@wrong("9.7", "custom.Solve.backward", says="A's gradient comes first")
def gradients_exchanged(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = Solve.apply(A.T, grad_x)
    return grad_b, -grad_b.reshape(-1, 1) * x


@wrong("9.7", "custom.Solve.backward", says="b wants a gradient, also if A doesn't")
def only_where_both_ask(ctx, grad_x):
    A, x = ctx.saved_tensors
    if not all(ctx.needs_input_grad):
        return None, None
    grad_b = Solve.apply(A.T, grad_x)
    return -grad_b.reshape(-1, 1) * x, grad_b


@wrong("9.7", "custom.Solve.backward", says="grad_A[i, j] = -grad_b[i] * x[j]")
def symmetric_gradient(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = Solve.apply(A.T, grad_x)
    grad_A = -grad_b.reshape(-1, 1) * x
    return (grad_A + grad_A.T) / 2, grad_b


@wrong("9.7", "custom.Solve.forward", says="which loses nearly all digits here")
def by_the_inverse(ctx, A, b):
    x = tensor(np.linalg.inv(A.numpy()) @ b.numpy())
    ctx.save_for_backward(A, x)
    return x


@wrong("9.7", "custom.Solve.backward", says="what NumPy makes has none")
def upstream_is_a_constant(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = Solve.apply(A.T, grad_x.detach())
    return -grad_b.reshape(-1, 1) * x, grad_b


@wrong("9.7", "custom.Solve.forward", says="expected [[2, 0], [1, 4]]")
def saves_the_transposed_matrix(ctx, A, b):
    x = tensor(np.linalg.solve(A.numpy(), b.numpy()))
    ctx.save_for_backward(A.T, x)
    return x


@wrong("9.7", "custom.Solve.forward", says="keeps Tensors or arrays after backward() = ['x']")
def keeps_x_on_the_ctx(ctx, A, b):
    ctx.x = tensor(np.linalg.solve(A.numpy(), b.numpy()))
    ctx.save_for_backward(A, ctx.x)
    return ctx.x


@wrong("9.7", "custom.Solve.forward", says="forward saved a None here, and backward computes with")
def saves_x_only_where_A_asks(ctx, A, b):
    x = tensor(np.linalg.solve(A.numpy(), b.numpy()))
    ctx.save_for_backward(A, x if ctx.needs_input_grad[0] else None)
    return x


@wrong("9.7", "custom.Solve.backward", says="has the dtype of its argument")
def gradient_of_A_in_float32(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = Solve.apply(A.T, grad_x)
    return (-grad_b.reshape(-1, 1) * x).to(tensor(0.0).dtype), grad_b


@wrong("9.7", "custom.Solve.forward", says="keeps Tensors or arrays after backward() = ['A']")
def keeps_A_on_the_ctx(ctx, A, b):
    ctx.A = A
    x = tensor(np.linalg.solve(A.numpy(), b.numpy()))
    ctx.save_for_backward(A, x)
    return x


@wrong("9.7", "custom.Solve.forward", says="changed b")
def writes_x_into_b(ctx, A, b):
    x = tensor(np.linalg.solve(A.numpy(), b.numpy()))
    b.numpy()[...] = x.numpy()
    ctx.save_for_backward(A, x)
    return x


@wrong("9.7", "custom.Solve.backward", says="keeps Tensors or arrays after backward() = ['grad_b']")
def keeps_grad_b_on_the_ctx(ctx, grad_x):
    A, x = ctx.saved_tensors
    ctx.grad_b = grad_b = Solve.apply(A.T, grad_x)
    return -grad_b.reshape(-1, 1) * x, grad_b


@wrong("9.7", "custom.Solve.backward", says="any system but that of A.T loses some")
def by_the_normal_equations(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = Solve.apply(A @ A.T, A @ grad_x)
    return -grad_b.reshape(-1, 1) * x, grad_b


@wrong("9.7", "custom.Solve.backward", says="x[0] * x[1] for A, with create_graph=True, = False")
def the_gradient_of_A_has_no_history(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = Solve.apply(A.T, grad_x)
    return (-grad_b.reshape(-1, 1) * x).detach(), grad_b


@wrong("9.7", "custom.Solve.backward", says="gradgradcheck of Solve")
def divides_where_there_is_one(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = Solve.apply(A.T, grad_x) if len(x) > 1 else grad_x / A.detach()[0, 0]
    return -grad_b.reshape(-1, 1) * x, grad_b


@wrong("9.1", "ctx.Context.save_for_backward", says="none of those that were kept before")
def the_first_call_alone_counts(self, *tensors):
    for tensor in tensors:
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"save_for_backward() takes tensors, got {type(tensor).__name__}")
    if not self._to_save:
        self._to_save = tensors


@wrong("9.1", "ctx.Context.save_for_backward", says="each of them is kept, as it came")
def keeps_floats_alone(self, *tensors):
    for tensor in tensors:
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"save_for_backward() takes tensors, got {type(tensor).__name__}")
    self._to_save = tuple([t if t is None or t.is_floating_point() else None for t in tensors])


@wrong("9.1", "ctx.Context.needs_input_grad", says="each place answers for its own argument")
@property
def one_that_asks_asks_for_all(self):
    return (any(self.edges),) * len(self.edges)


@wrong("9.2", "function.Function.apply", says="a plain tuple: tuple(results)")
def gives_a_namedtuple_back(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    if not isinstance(outputs, tuple):
        return results[0]
    return outputs._make(results) if hasattr(outputs, "_make") else tuple(results)


@wrong(
    "9.2",
    "function.Function.apply",
    says="results_of comes before ctx.finish, and each call has a ctx of its own",
)
def one_ctx_for_the_function(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    if "_ctx" not in vars(cls):
        cls._ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, cls._ctx, args)
    results = results_of(cls._ctx, args, outputs)
    if any(cls._ctx.edges) and state.grad_enabled:
        cls._ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.run_forward", says="its history, or was it detached?")
def forward_gets_detached_arguments(function, ctx, args):
    before, state.grad_enabled = state.grad_enabled, False
    try:
        args = tuple([x.detach() if isinstance(x, Tensor) else x for x in args])
        return call_forward(function, ctx, args)
    finally:
        state.grad_enabled = before


@wrong("9.3", says="with the same number of another call")
def zeros_made_once(self, parts):
    if "zeros" not in vars(self):
        self.zeros = [meta and np.zeros(*meta) for meta in self._results]
    zeros = self.zeros if self._materialize else [None] * len(self._results)
    return [tensor_of(parts.get(index, zero)) for index, zero in enumerate(zeros)]


@wrong("9.3", says="no array is made of it")
def copies_what_arrived(self, parts):
    grads = []
    for index, meta in enumerate(self._results):
        zero = np.zeros(*meta) if self._materialize and meta else None
        grads.append(tensor_of(np.array(parts[index]) if index in parts else zero))
    return grads


@wrong("9.4", "ctx.Context.check_versions", says="a saved pair is (array, node), and check_version")
def hands_over_the_pair(self):
    for pair in self.saved:
        if pair is not None:
            self.check_version(pair)


@wrong("9.4", "ctx.Context.check_versions", says="a view shares its memory")
def asks_owners_alone(self):
    for pair in self.saved:
        if pair is not None and pair[0].base is None:
            self.check_version(pair[0])


@wrong("9.4", "function.note_changes", says="with recording as it is")
def asks_with_recording_off(ctx, results):
    with no_grad():
        for tensor in ctx._dirty:
            if not among(tensor, results):
                raise RuntimeError("a tensor marked dirty must be among the results of forward")
            check_writable(tensor)
            memory.touch(tensor._data)


@wrong("9.4", "function.note_changes", says="even of a constant")
def constants_do_not_count(ctx, results):
    for tensor in ctx._dirty:
        if not among(tensor, results):
            raise RuntimeError("a tensor marked dirty must be among the results of forward")
        check_writable(tensor)
        if tensor.requires_grad:
            memory.touch(tensor._data)


@wrong("9.5", says="all that backward returned comes out")
def one_gradient_for_each_that_came(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        pairs = zip(as_gradients(results), grads, strict=False)
        return tuple([refusing(x, ctx, (grad,)) for x, grad in pairs])

    return wrapped


@wrong("9.5", says="run the old one in each")
def runs_the_old_one_once_a_ctx(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        if not hasattr(ctx, "gave"):
            with no_grad():
                ctx.gave = backward(ctx, *grads)
        if not state.grad_enabled:
            return ctx.gave
        return tuple([refusing(x, ctx, grads) for x in as_gradients(ctx.gave)])

    return wrapped


@wrong("9.6", "custom.FunctionalLinear", says="None for the others")
class a_flag_says_whether_there_is_a_bias:
    def forward(ctx, x, weight, bias):
        ctx.has_bias = bias is not None
        ctx.save_for_backward(x, weight)
        y = x @ weight.T
        return y if bias is None else y + bias

    def backward(ctx, grad_y):
        x, weight = ctx.saved_tensors
        wants_x, wants_weight, _ = ctx.needs_input_grad
        grad_x = grad_y @ weight if wants_x else None
        grad_weight = grad_y.T @ x if wants_weight else None
        return grad_x, grad_weight, grad_y.sum(0) if ctx.has_bias else None


@wrong("9.6", "custom.FunctionalLinear.backward", says="detach() loses it")
def x_without_its_history(ctx, grad_y):
    x, weight = ctx.saved_tensors
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_y @ weight if wants_x else None
    grad_weight = grad_y.T @ x.detach() if wants_weight else None
    return grad_x, grad_weight, grad_y.sum(0) if wants_bias else None


@wrong("9.6", "custom.Linear.__call__", says="reshape copies where it has to")
def makes_the_matrix_by_view(self, x):
    rows = x.view(-1, x.shape[-1])
    y = FunctionalLinear.apply(rows, self.weight, self.bias)
    return y.reshape(*x.shape[:-1], self.weight.shape[0])


@wrong("9.7", "custom.Solve.forward", says="NumPy finds it")
def asks_the_determinant(ctx, A, b):
    if np.linalg.det(A.numpy()) == 0:
        raise np.linalg.LinAlgError("Singular matrix")
    x = tensor(np.linalg.solve(A.numpy(), b.numpy()))
    ctx.save_for_backward(A, x)
    return x


@wrong("9.7", "custom.Solve.backward", says="Solve.apply solves, and keeps it")
def calls_forward_in_backward(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = Solve.forward(ctx, A.T, grad_x)
    return -grad_b.reshape(-1, 1) * x, grad_b


@wrong("9.2", "function.Function.apply", says="what's no Tensor too")
def tells_of_tensors_alone(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, [x for x in results if isinstance(x, Tensor)])
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="results_of comes before ctx.finish")
def finished_before_its_results(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, [outputs] if isinstance(outputs, Tensor) else list(outputs))
    results = results_of(ctx, args, outputs)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.7", "custom.Solve.backward", says="it's apply that solves another system")
def calls_backward_to_solve(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = Solve.backward(A.T, grad_x)
    return -grad_b.reshape(-1, 1) * x, grad_b


@wrong("9.6", "custom.Linear.__call__", says="never learns")
def the_weight_goes_in_without_its_history(self, x):
    rows = x.reshape(-1, x.shape[-1])
    y = FunctionalLinear.apply(rows, self.weight.data, self.bias)
    return y.reshape(*x.shape[:-1], self.weight.shape[0])


@wrong("9.6", "custom.Linear.__call__", says="self.bias itself")
def the_bias_goes_in_without_its_history(self, x):
    rows = x.reshape(-1, x.shape[-1])
    bias = None if self.bias is None else self.bias.detach()
    y = FunctionalLinear.apply(rows, self.weight, bias)
    return y.reshape(*x.shape[:-1], self.weight.shape[0])


@wrong("9.6", "custom.Linear.__call__", says="layer.weight.grad")
def the_weight_learns_only_where_x_asks(self, x):
    rows = x.reshape(-1, x.shape[-1])
    weight = self.weight if x.requires_grad else self.weight.detach()
    y = FunctionalLinear.apply(rows, weight, self.bias)
    return y.reshape(*x.shape[:-1], self.weight.shape[0])


@wrong("9.7", "custom.Solve.backward", says="it has a history")
def a_zero_that_comes_is_a_known_zero(ctx, grad_x):
    A, x = ctx.saved_tensors
    if not grad_x.detach().numpy().any():
        return A * 0, grad_x * 0
    grad_b = Solve.apply(A.T, grad_x)
    return -grad_b.reshape(-1, 1) * x, grad_b


@wrong("9.7", "custom.Solve.backward", says="is a known zero")
def none_where_zeros_come(ctx, grad_x):
    A, x = ctx.saved_tensors
    if not grad_x.any():
        return None, None
    grad_b = Solve.apply(A.T, grad_x)
    return -grad_b.reshape(-1, 1) * x, grad_b


@wrong("9.7", "custom.Solve.backward", says="it has a history")
def a_solution_of_zeros_is_a_constant(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = Solve.apply(A.T, grad_x)
    if not x.detach().numpy().any():
        return A * 0, grad_b
    return -grad_b.reshape(-1, 1) * x, grad_b


@wrong("9.6", "custom.FunctionalLinear.backward", says="it has a history")
def zeros_for_zeros(ctx, grad_y):
    if not grad_y.any():
        given = (*ctx.saved_tensors, grad_y.sum(0))
        pairs = zip(given, ctx.needs_input_grad, strict=True)
        return tuple([x * 0 if wanted else None for x, wanted in pairs])
    x, weight = ctx.saved_tensors
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_y @ weight if wants_x else None
    grad_weight = grad_y.T @ x if wants_weight else None
    grad_bias = grad_y.sum(0) if wants_bias else None
    return grad_x, grad_weight, grad_bias


@wrong("9.3", says="isn't that Tensor")
def a_zero_that_arrived_is_made_anew(self, parts):
    grads = []
    for index, meta in enumerate(self._results):
        zero = np.zeros(*meta) if self._materialize and meta else None
        grad = parts.get(index, zero)
        if type(grad) is Tensor and not grad._data.any():
            grad = zero if zero is not None else grad
        grads.append(tensor_of(grad))
    return grads


@wrong("9.7", "custom.Solve.backward", says="as often as anybody likes")
def the_second_derivative_is_the_last(ctx, grad_x):
    A, x = ctx.saved_tensors

    class Transposed(Function):
        @staticmethod
        def forward(ctx, A, g):
            h = tensor(np.linalg.solve(A.numpy().T, g.numpy()))
            ctx.save_for_backward(A, h)
            return h

        @staticmethod
        def backward(ctx, grad_h):
            A, h = ctx.saved_tensors
            grad_g = tensor(np.linalg.solve(A.detach().numpy(), grad_h.detach().numpy()))
            return -h.reshape(-1, 1) * grad_g, grad_g

    grad_b = Transposed.apply(A, grad_x)
    return -grad_b.reshape(-1, 1) * x, grad_b


@wrong("9.6", "custom.Linear.__call__", says="expected shape (1,)")
def a_number_where_there_is_one_output(self, x):
    if x.ndim == 1:
        return FunctionalLinear.apply(x.reshape(1, -1), self.weight, self.bias).squeeze()
    rows = x.reshape(-1, x.shape[-1])
    y = FunctionalLinear.apply(rows, self.weight, self.bias)
    return y.reshape(*x.shape[:-1], self.weight.shape[0])


@wrong("9.6", "custom.Linear.__call__", says="raised no error: each row of x")
def rows_of_any_x(self, x):
    m, n = self.weight.shape
    y = FunctionalLinear.apply(x.reshape(-1, n), self.weight, self.bias)
    return y.reshape(*x.shape[:-1], -1 if y.shape[0] else m)


@wrong("9.6", "custom.Linear.__call__", says="and nothing is added")
def zeros_that_ask_for_no_bias(self, x):
    rows = x.reshape(-1, x.shape[-1])
    y = FunctionalLinear.apply(
        rows,
        self.weight,
        self.bias if self.bias is not None else zeros(self.weight.shape[0], requires_grad=True),
    )
    return y.reshape(*x.shape[:-1], self.weight.shape[0])


@wrong("9.6", "custom.Linear.__call__", says="records what it does if recording is on")
def records_in_any_case(self, x):
    from tinytorch import enable_grad

    with enable_grad():
        rows = x.reshape(-1, x.shape[-1])
        y = FunctionalLinear.apply(rows, self.weight, self.bias)
        return y.reshape(*x.shape[:-1], self.weight.shape[0])


@wrong("9.6", "custom.FunctionalLinear.backward", says="for those to say who begin it")
def backward_is_recorded_in_any_case(ctx, grad_y):
    from tinytorch import enable_grad

    with enable_grad():
        x, weight = ctx.saved_tensors
        a, b, c = ctx.needs_input_grad
        return (
            grad_y @ weight if a else None,
            grad_y.T @ x if b else None,
            grad_y.sum(0) if c else None,
        )


@wrong("9.7", "custom.Solve.backward", says="for those to say who begin it")
def solves_recorded_in_any_case(ctx, grad_x):
    A, x = ctx.saved_tensors
    from tinytorch import enable_grad

    with enable_grad():
        grad_b = Solve.apply(A.T, grad_x)
        return -grad_b.reshape(-1, 1) * x, grad_b


@wrong("9.7", "custom.Solve.forward", says="integers")
def in_the_dtype_of_b(ctx, A, b):
    x = tensor(np.linalg.solve(A.numpy(), b.numpy()), dtype=b.dtype)
    ctx.save_for_backward(A, x)
    return x


@wrong("9.7", "custom.Solve.forward", says="all digits that np.linalg.solve finds")
def rounded(ctx, A, b):
    x = tensor(np.round(np.linalg.solve(A.numpy(), b.numpy()), 12))
    ctx.save_for_backward(A, x)
    return x


@wrong("9.7", "custom.Solve.forward", says="whatever b is")
def nothing_to_solve_where_b_is_zero(ctx, A, b):
    found = np.zeros_like(b.numpy())
    if b.numpy().any():
        found = np.linalg.solve(A.numpy(), b.numpy())
    x = tensor(found)
    ctx.save_for_backward(A, x)
    return x


@wrong("9.7", "custom.Solve.forward", says="let it through")
def divides_by_a_single_number(ctx, A, b):
    if len(b) == 1:
        x = tensor(b.numpy() / A.numpy()[0])
    else:
        x = tensor(np.linalg.solve(A.numpy(), b.numpy()))
    ctx.save_for_backward(A, x)
    return x


@wrong("9.7", "custom.Solve.forward", says="in the memory of A or b")
def b_itself_where_A_is_one(ctx, A, b):
    x = b
    if (A.numpy() != np.eye(len(b))).any():
        x = tensor(np.linalg.solve(A.numpy(), b.numpy()))
    ctx.save_for_backward(A, x)
    return x


@wrong("9.7", "custom.Solve.forward", says="1e200 in the diagonal")
def by_cramers_rule(ctx, A, b):
    a, r = A.numpy(), b.numpy()
    if len(r) == 2:
        d = a[0, 0] * a[1, 1] - a[0, 1] * a[1, 0]
        if d == 0:
            raise np.linalg.LinAlgError("Singular matrix")
        x = tensor(np.array([r[0] * a[1, 1] - a[0, 1] * r[1], a[0, 0] * r[1] - r[0] * a[1, 0]]) / d)
    else:
        x = tensor(np.linalg.solve(a, r))
    ctx.save_for_backward(A, x)
    return x


@wrong("9.5", says="a history of its own, too")
def refuses_only_what_has_no_history(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        return tuple(
            [
                x if isinstance(x, Tensor) and x._node is not None else refusing(x, ctx, grads)
                for x in as_gradients(results)
            ]
        )

    return wrapped


@wrong("9.5", says="each call keeps what was there before")
def one_before_for_all_calls(backward):
    before = None

    @wraps(backward)
    def wrapped(ctx, *grads):
        nonlocal before
        before, state.grad_enabled = state.grad_enabled, False
        try:
            results = backward(ctx, *grads)
        finally:
            state.grad_enabled = before
        if not state.grad_enabled:
            return results
        return tuple([refusing(x, ctx, grads) for x in as_gradients(results)])

    return wrapped


@wrong("9.5", says="made the old one's own Tensor require grad")
def marks_the_old_ones_own_tensor(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        for x in as_gradients(results):
            if isinstance(x, Tensor):
                x._node = refusing(x, ctx, grads)._node
        return as_gradients(results)

    return wrapped


@wrong("9.5", says="others ask")
def as_many_as_there_are_inputs_come_out(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        return tuple(
            [
                refusing(x, ctx, grads) if isinstance(x, Tensor) and node is not None else None
                for x, node in zip(as_gradients(results), ctx.edges, strict=False)
            ]
        )

    return wrapped


@wrong("9.5", says="returned as it is")
def unpacks_a_tuple_of_one(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = as_gradients(backward(ctx, *grads))
            if not state.grad_enabled and len(results) == 1:
                results = results[0]
        if not state.grad_enabled:
            return results
        return tuple([refusing(x, ctx, grads) for x in as_gradients(results)])

    return wrapped


@wrong("9.5", says="the switch 'inference'")
def in_inference_mode(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        from tinytorch.grad_mode import inference_mode

        with inference_mode():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        return tuple([refusing(x, ctx, grads) for x in as_gradients(results)])

    return wrapped


@wrong("9.5", says="and keeps none")
def keeps_the_last_gradients(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        wrapped.last = results
        return tuple([refusing(x, ctx, grads) for x in as_gradients(results)])

    return wrapped


@wrong("9.5", says="return that one")
def throws_away_what_refusing_gave(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        for x in as_gradients(results):
            refusing(x, ctx, grads)
        return as_gradients(results)

    return wrapped


@wrong("9.5", says="one gradient at a time")
def refuses_them_as_a_whole(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        return refusing(results, ctx, grads)

    return wrapped


@wrong("9.2", "function.run_forward", says="expected TypeError")
def another_error_for_a_TypeError(function, ctx, args):
    try:
        with no_grad():
            return call_forward(function, ctx, args)
    except TypeError as error:
        raise RuntimeError(f"forward of {function.__name__} failed") from error


@wrong("9.2", "function.run_forward", says="expected NotImplementedError")
def identity_without_a_forward(function, ctx, args):
    with no_grad():
        try:
            return call_forward(function, ctx, args)
        except NotImplementedError:
            return args[0]


@wrong("9.2", "function.run_forward", says="three threads at once")
def one_stack_for_all_threads(function, ctx, args):
    stack = run_forward.__dict__.setdefault("stack", [])
    stack.append(state.grad_enabled)
    state.grad_enabled = False
    try:
        return call_forward(function, ctx, args)
    finally:
        state.grad_enabled = stack.pop()


@wrong("9.2", "function.Function.apply", says="whether the call is recorded or not")
def nobody_asks_under_no_grad(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    seen = (
        args
        if state.grad_enabled
        else tuple([x.detach() if isinstance(x, Tensor) else x for x in args])
    )
    ctx = FunctionNode(cls, seen)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.run_forward", says="the switch 'training'")
def switches_training_off_too(function, ctx, args):
    from tinytorch.state import Switch

    with Switch(grad_enabled=False, training=False):
        return call_forward(function, ctx, args)


@wrong("9.2", "function.Function.apply", says="nothing but the graph holds on to args")
def keeps_the_ctx_of_a_call_that_failed(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    try:
        outputs = run_forward(cls, ctx, args)
    except KeyboardInterrupt:
        ctx.interrupted = cls._interrupted = ctx
        raise
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="gave another one")
def clones_what_forward_made(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = [x.clone() if isinstance(x, Tensor) else x for x in results_of(ctx, args, outputs)]
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.run_forward", says="forward may have switched it")
def put_back_only_if_it_was_on(function, ctx, args):
    before = state.grad_enabled
    state.grad_enabled = False
    try:
        return call_forward(function, ctx, args)
    finally:
        if before:
            state.grad_enabled = True


@wrong("9.2", "function.run_forward", says="one runs inside the other")
def one_before_for_all_calls_of_apply(function, ctx, args):
    global _before
    _before, state.grad_enabled = state.grad_enabled, False
    try:
        return call_forward(function, ctx, args)
    finally:
        state.grad_enabled = _before


@wrong("9.4", "function.note_changes", says="whether the call is recorded or not")
def among_is_asked_where_recording_is_on(ctx, results):
    for tensor in ctx._dirty:
        if state.grad_enabled and not among(tensor, results):
            raise RuntimeError("marked dirty, but not among the results")
        check_writable(tensor)
        memory.touch(tensor._data)


@wrong("9.4", "ctx.Context.check_versions", says="expanded view")
def read_only_arrays_are_not_asked_about(self):
    for pair in self.saved:
        if pair is not None and pair[0].flags.writeable:
            self.check_version(pair[0])


@wrong("9.4", "ctx.Context.check_versions", says="of whatever shape, dtype and numbers")
def floats_alone_are_asked_about(self):
    for pair in self.saved:
        if pair is not None and pair[0].dtype.kind == "f":
            self.check_version(pair[0])


@wrong("9.1", "ctx.Context.save_for_backward", says="the class Tensor")
def whatever_knows_requires_grad(self, *tensors):
    for tensor in tensors:
        if tensor is not None and not hasattr(tensor, "requires_grad"):
            raise TypeError("tensors only")
    self._to_save = tensors


@wrong("9.1", "ctx.Context.save_for_backward", says="wherever it stands")
def a_black_list(self, *tensors):
    for tensor in tensors:
        if isinstance(tensor, (int, float, str, list, tuple, dict, np.ndarray)):
            raise TypeError("tensors only")
    self._to_save = tensors


@wrong("9.1", "ctx.Context.needs_input_grad", says="for whoever writes forward")
def keeps_the_answer_under_a_name_of_yours(self):
    if "wanted" not in vars(self):
        self.wanted = tuple([node is not None for node in self.edges])
    return self.wanted


@wrong("9.1", "ctx.Context.save_for_backward", says="_to_save alone keeps Tensors")
def keeps_them_twice(self, *tensors):
    for tensor in tensors:
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"tensors only, got {type(tensor).__name__}")
    self._to_save = self._kept = tensors


@wrong("9.1", "ctx.Context.save_for_backward", says="read-only")
def protects_what_it_keeps(self, *tensors):
    for tensor in tensors:
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"tensors only, got {type(tensor).__name__}")
    self._to_save = tensors
    for t in tensors:
        if t is not None and t._data.flags.owndata and not t.requires_grad:
            t._data.flags.writeable = False


@wrong("9.1", "ctx.Context.save_for_backward", says="filled ctx.saved")
def fills_saved_at_once(self, *tensors):
    for tensor in tensors:
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"tensors only, got {type(tensor).__name__}")
    self.saved = tuple([None if t is None else (t._data, t._node) for t in tensors])


@wrong("9.7", "custom.Solve.backward", says="isn't judged")
def numbers_for_nan(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = Solve.apply(A.T, grad_x)
    grad_A = -grad_b.reshape(-1, 1) * x
    return grad_A.nan_to_num(), grad_b


@wrong("9.3", says="what arrived arrives as it is")
def numbers_for_what_is_none(self, parts):
    grads = []
    for index, meta in enumerate(self._results):
        zero = np.zeros(*meta) if self._materialize and meta else None
        grad = parts.get(index, zero)
        if isinstance(grad, np.ndarray) and index in parts:
            grad = np.nan_to_num(grad)
        grads.append(tensor_of(grad))
    return grads


@wrong("9.6", "custom.FunctionalLinear.backward", says="even where nothing is wanted")
def numbers_for_nan_that_comes(ctx, grad_y):
    grad_y = grad_y.nan_to_num()
    x, weight = ctx.saved_tensors
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_y @ weight if wants_x else None
    grad_weight = grad_y.T @ x if wants_weight else None
    grad_bias = grad_y.sum(0) if wants_bias else None
    return grad_x, grad_weight, grad_bias


@wrong("9.6", "custom.FunctionalLinear.forward", says="NaN in x, weight = 0")
def zeros_for_a_weight_of_zeros(ctx, x, weight, bias):
    ctx.save_for_backward(x, weight)
    if not weight.numpy().any():
        return zeros(len(x), len(weight)) if bias is None else zeros(len(x), len(weight)) + bias
    y = x @ weight.T
    return y if bias is None else y + bias


@wrong("9.6", "custom.FunctionalLinear.backward", says="no rows, NaN in weight")
def no_rows_but_the_weight(ctx, grad_y):
    x, weight = ctx.saved_tensors
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_y @ weight if wants_x else None
    grad_weight = ((x.T @ grad_y).T if len(x) else weight * 0) if wants_weight else None
    grad_bias = grad_y.sum(0) if wants_bias else None
    return grad_x, grad_weight, grad_bias


@wrong("9.3", says="belongs to one pass")
def keeps_what_arrived(self, parts):
    self.parts = parts
    grads = []
    for index, meta in enumerate(self._results):
        zero = np.zeros(*meta) if self._materialize and meta else None
        grads.append(tensor_of(parts.get(index, zero)))
    return grads


@wrong("9.3", says="zeros that require grad")
def zeros_that_ask(self, parts):
    grads = []
    for index, meta in enumerate(self._results):
        zero = None
        if self._materialize and meta and index not in parts:
            zero = wrap(np.zeros(*meta)).requires_grad_(meta[1].kind == "f")
        grads.append(tensor_of(parts.get(index, zero)))
    return grads


@wrong("9.3", says="those of bool")
def no_zeros_for_masks(self, parts):
    grads = []
    for index, meta in enumerate(self._results):
        zero = np.zeros(*meta) if self._materialize and meta and meta[1].kind in "fi" else None
        grads.append(tensor_of(parts.get(index, zero)))
    return grads


@wrong("9.3", says="the very list")
def the_same_list_in_each_call(self, parts):
    self.__dict__.setdefault("_list", []).clear()
    for index, meta in enumerate(self._results):
        zero = np.zeros(*meta) if self._materialize and meta else None
        self._list.append(tensor_of(parts.get(index, zero)))
    return self._list


@wrong("9.7", "custom.Solve.backward", says="needed in any case")
def grad_b_only_where_it_is_wanted(ctx, grad_x):
    A, x = ctx.saved_tensors
    wants_A, wants_b = ctx.needs_input_grad
    grad_b = Solve.apply(A.T, grad_x) if wants_b else None
    grad_A = -grad_b.reshape(-1, 1) * x if wants_A else None
    return grad_A, grad_b


@wrong("9.6", "custom.FunctionalLinear.backward", says="None where nothing is wanted")
def a_name_under_an_if_alone(ctx, grad_y):
    x, weight = ctx.saved_tensors
    if ctx.needs_input_grad[0]:
        grad_x = grad_y @ weight
    if ctx.needs_input_grad[1]:
        grad_weight = grad_y.T @ x
    if ctx.needs_input_grad[2]:
        grad_bias = grad_y.sum(0)
    return grad_x, grad_weight, grad_bias


@wrong("9.6", "custom.Linear.__call__", says="is what calls a Function")
def called_without_apply(self, x):
    rows = x.reshape(-1, x.shape[-1])
    y = FunctionalLinear(rows, self.weight, self.bias)
    return y.reshape(*x.shape[:-1], self.weight.shape[0])


@wrong("9.7", "custom.Solve.forward", says="numpy is a method")
def numpy_without_a_call(ctx, A, b):
    x = tensor(np.linalg.solve(A.numpy, b.numpy))
    ctx.save_for_backward(A, x)
    return x


@wrong("9.7", "custom.Solve.backward", says="dividing by it is solving")
def divides_by_the_matrix(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = grad_x / A
    return -grad_b.reshape(-1, 1) * x, grad_b


@wrong("9.7", "custom.Solve.backward", says="each grad_b[i] meets each x[j]")
def a_product_of_rows(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = Solve.apply(A.T, grad_x)
    return -(grad_b @ x), grad_b


@wrong("9.7", "custom.Solve.forward", says="tensor(array) keeps the array's")
def always_float64(ctx, A, b):
    x = tensor(np.linalg.solve(A.numpy(), b.numpy()), dtype=float)
    ctx.save_for_backward(A, x)
    return x


@wrong("9.6", "custom.FunctionalLinear.backward", says="which products fit?")
def back_by_the_transposed_weight(ctx, grad_y):
    x, weight = ctx.saved_tensors
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_y @ weight.T if wants_x else None
    grad_weight = grad_y.T @ x if wants_weight else None
    return grad_x, grad_weight, grad_y.sum(0) if wants_bias else None


@wrong("9.6", "custom.Linear.__call__", says="any number of axes")
def always_three_axes(self, x):
    N, T, n = x.shape
    y = FunctionalLinear.apply(x.reshape(N * T, n), self.weight, self.bias)
    return y.reshape(N, T, self.weight.shape[0])


@wrong("9.6", "custom.Linear.__call__", says="x has no rows, but they'd be 5 long")
def rows_of_an_empty_x_are_of_any_length(self, x):
    m, n = self.weight.shape
    return FunctionalLinear.apply(x.reshape(-1, n), self.weight, self.bias).reshape(
        *x.shape[:-1], m
    )


@wrong("9.3", says="nothing arrived there")
def ones_where_nothing_arrived(self, parts):
    grads = []
    for index, meta in enumerate(self._results):
        one = np.ones(*meta) if self._materialize and meta else None
        grads.append(tensor_of(parts.get(index, one)))
    return grads


@wrong("9.5", says="`return grad_x, grad_y` gives one")
def a_list_of_refusing_ones(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        return [refusing(x, ctx, grads) for x in as_gradients(results)]

    return wrapped


@wrong("9.4", "function.note_changes", says="first ask, then count")
def counts_all_of_them_first(ctx, results):
    for tensor in ctx._dirty:
        memory.touch(tensor._data)
    for tensor in ctx._dirty:
        if not among(tensor, results):
            raise RuntimeError("a tensor marked dirty must be among the results of forward")
        check_writable(tensor)


@wrong("9.3", says="where Tensor(array) makes float32 of it")
def tensors_of_zeros_by_the_class(self, parts):
    grads = []
    for index, meta in enumerate(self._results):
        zero = Tensor(np.zeros(*meta)) if self._materialize and meta else None
        grads.append(tensor_of(parts.get(index, zero)))
    return grads


@wrong("9.3", says="the pair at their own number")
def zeros_along_the_first_axis(self, parts):
    grads = []
    for index, meta in enumerate(self._results):
        zero = np.zeros(meta[0][:1], meta[1]) if self._materialize and meta else None
        grads.append(tensor_of(parts.get(index, zero)))
    return grads


@wrong("9.2", "function.Function.apply", says="FunctionNode(cls, args) makes a ctx that can finish")
def a_ctx_that_is_no_node(cls, *args, **kwargs):
    from tinytorch.ctx import Context

    args = in_order(cls, args, kwargs)
    ctx = Context(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="stands in another one's place")
def the_arguments_before_the_class(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(args, cls)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="stands in another one's place")
def the_arguments_before_the_ctx(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(args, ctx, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.3", says="None stands in it where nothing arrived")
def none_in_place_of_the_list(self, parts):
    if not self._materialize:
        return None
    grads = []
    for index, meta in enumerate(self._results):
        zero = np.zeros(*meta) if meta else None
        grads.append(tensor_of(parts.get(index, zero)))
    return grads


@wrong("9.4", "function.note_changes", says="among(tensor, results), in this order")
def the_results_among_the_tensor(ctx, results):
    for tensor in ctx._dirty:
        if not among(results, tensor):
            raise RuntimeError("it isn't there")
        check_writable(tensor)
        memory.touch(tensor._data)


@wrong("9.4", "ctx.Context.check_versions", says="a RuntimeError, as self.check_version(array)")
def an_error_of_another_kind(self):
    for pair in self.saved:
        if pair is not None and memory.changed_since(pair[0], self.number):
            raise ValueError("changed in place")


@wrong("9.5", says="backward(ctx, *grads), with both stars")
def hands_on_a_tuple(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, grads)
        if not state.grad_enabled:
            return results
        return tuple([refusing(x, ctx, grads) for x in as_gradients(results)])

    return wrapped


@wrong("9.5", says="the new function keeps nothing of a call")
def leaves_what_came_on_the_ctx(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        ctx.last = grads
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        return tuple([refusing(x, ctx, grads) for x in as_gradients(results)])

    return wrapped


@wrong("9.6", "custom.FunctionalLinear.backward", says="sum them, over axis 0")
def sums_over_all(ctx, grad_y):
    x, weight = ctx.saved_tensors
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_y @ weight if wants_x else None
    grad_weight = grad_y.T @ x if wants_weight else None
    return grad_x, grad_weight, grad_y.sum() if wants_bias else None


@wrong("9.6", "custom.FunctionalLinear.backward", says="sum them, over axis 0")
def sums_over_the_columns(ctx, grad_y):
    x, weight = ctx.saved_tensors
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_y @ weight if wants_x else None
    grad_weight = grad_y.T @ x if wants_weight else None
    return grad_x, grad_weight, grad_y.sum(1) if wants_bias else None


@wrong("9.6", "custom.FunctionalLinear.backward", says="by @, which products fit?")
def multiplies_elements(ctx, grad_y):
    x, weight = ctx.saved_tensors
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_y @ weight if wants_x else None
    grad_weight = grad_y * x if wants_weight else None
    return grad_x, grad_weight, grad_y.sum(0) if wants_bias else None


@wrong("9.6", "custom.Linear.__call__", says="this x fits")
def takes_m_for_n(self, x):
    n, m = self.weight.shape
    if x.shape[-1] != n:
        raise ValueError(f"the last axis of x must be {n} long")
    y = FunctionalLinear.apply(x.reshape(-1, n), self.weight, self.bias)
    return y.reshape(*x.shape[:-1], m)


@wrong("9.7", "custom.Solve", says="ctx.save_for_backward keeps them")
class keeps_them_on_the_ctx:
    def forward(ctx, A, b):
        ctx.A, ctx.x = A, tensor(np.linalg.solve(A.numpy(), b.numpy()))
        return ctx.x

    def backward(ctx, grad_x):
        grad_b = Solve.apply(ctx.A.T, grad_x)
        return -grad_b.reshape(-1, 1) * ctx.x, grad_b


@wrong("9.7", "custom.Solve.backward", says="an inverse loses nearly all digits here")
def by_the_inverse_of_the_library(ctx, grad_x):
    from tinytorch import linalg

    A, x = ctx.saved_tensors
    grad_b = linalg.inv(A).T @ grad_x
    return -grad_b.reshape(-1, 1) * x, grad_b


@wrong("9.2", "function.Function.apply", says="its signature says all that it gets")
def in_order_without_the_class(cls, *args, **kwargs):
    args = in_order(args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.run_forward", says="call_forward(function, ctx, args) knows how to call it")
def forward_without_a_ctx(function, ctx, args):
    with no_grad():
        return function.forward(*args)


@wrong("9.4", "function.note_changes", says="check_writable takes the Tensor itself")
def asks_an_array(ctx, results):
    for tensor in ctx._dirty:
        if not among(tensor, results):
            raise RuntimeError("a tensor marked dirty must be among the results of forward")
        check_writable(tensor._data)
        memory.touch(tensor._data)


@wrong("9.4", "function.note_changes", says="wants the array of any tensor")
def counts_by_numpy(ctx, results):
    for tensor in ctx._dirty:
        if not among(tensor, results):
            raise RuntimeError("a tensor marked dirty must be among the results of forward")
        check_writable(tensor)
        memory.touch(tensor.numpy())


@wrong("9.6", "custom.Linear.__call__", says="n is weight.shape[1]")
def rows_as_long_as_there_are_results(self, x):
    m = self.weight.shape[0]
    y = FunctionalLinear.apply(x.reshape(-1, m), self.weight, self.bias)
    return y.reshape(*x.shape[:-1], m)


@wrong("9.1", "ctx.Context.needs_input_grad", says="edges has a node wherever a gradient is wanted")
def no_gradient_for_one_of_several_results(self):
    return tuple([node is not None and not isinstance(node, OutputNode) for node in self.edges])


@wrong("9.1", "ctx.Context.needs_input_grad", says="Python's own")
def bools_of_numpy(self):
    return tuple(np.array([node is not None for node in self.edges], bool))


@wrong("9.1", "ctx.Context.save_for_backward", says="still holds a Tensor afterwards")
def the_class_keeps_them_too(self, *tensors):
    for tensor in tensors:
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"not a tensor: {tensor!r}")
    Context.last = self._to_save = tensors


@wrong("9.1", "ctx.Context.save_for_backward", says="none of those that were kept before")
def a_second_call_is_refused(self, *tensors):
    if self._to_save:
        raise RuntimeError("call save_for_backward once")
    for tensor in tensors:
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"not a tensor: {tensor!r}")
    self._to_save = tensors


@wrong("9.2", "function.run_forward", says="its __cause__ is None")
def forgets_what_caused_the_error(function, ctx, args):
    before, state.grad_enabled = state.grad_enabled, False
    try:
        outputs = call_forward(function, ctx, args)
    except BaseException as error:
        state.grad_enabled = before
        raise error from None
    state.grad_enabled = before
    return outputs


@wrong("9.2", "function.run_forward", says="comes out with notes")
def adds_a_note_to_the_error(function, ctx, args):
    with no_grad():
        try:
            return call_forward(function, ctx, args)
        except BaseException as error:
            error.add_note(f"in forward of {function.__name__}")
            raise


@wrong("9.2", "function.run_forward", says="its traceback ends before the line")
def hides_the_line_that_raised(function, ctx, args):
    failed = None
    before, state.grad_enabled = state.grad_enabled, False
    try:
        return call_forward(function, ctx, args)
    except BaseException as error:
        failed = error
    finally:
        state.grad_enabled = before
    raise failed.with_traceback(None)


@wrong("9.2", "function.Function.apply", says="a Tensor is neither true nor false")
def asks_whether_outputs_are_true(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if outputs and isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="whether forward has saved anything doesn't matter")
def records_only_what_saves(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and ctx._to_save and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="a plain tuple: tuple(results)")
def makes_another_namedtuple(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return type(outputs)(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="ctx.edges knows which arguments ask")
def asks_all_args(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    results = results_of(ctx, args, outputs)
    if any(x.requires_grad for x in args) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.2", "function.Function.apply", says="something else holds on to it")
def the_class_keeps_the_results(cls, *args, **kwargs):
    args = in_order(cls, args, kwargs)
    ctx = FunctionNode(cls, args)
    outputs = run_forward(cls, ctx, args)
    cls.results = results = results_of(ctx, args, outputs)
    if any(ctx.edges) and state.grad_enabled:
        ctx.finish(args, results)
    return tuple(results) if isinstance(outputs, tuple) else results[0]


@wrong("9.3", "ctx.Context.materialized", says="so _results stays as it is, too")
def uses_up_the_results(self, parts):
    grads, i = [], 0
    while self._results:
        meta = self._results.pop(0)
        zero = np.zeros(*meta) if self._materialize and meta else None
        grads.append(tensor_of(parts.get(i, zero)))
        i += 1
    return grads


@wrong("9.3", "ctx.Context.materialized", says="results without elements, too")
def none_where_there_are_no_elements(self, parts):
    grads = []
    for i, meta in enumerate(self._results):
        zero = np.zeros(*meta) if self._materialize and meta and math.prod(meta[0]) else None
        grads.append(tensor_of(parts.get(i, zero)))
    return grads


@wrong("9.3", "ctx.Context.materialized", says="results are counted from 0")
def counts_from_one(self, parts):
    grads = []
    for index, meta in enumerate(self._results, 1):
        zero = np.zeros(*meta) if self._materialize and meta else None
        grads.append(tensor_of(parts.get(index, zero)))
    return grads


@wrong("9.4", "ctx.Context.check_versions", says="the alarm rings each time")
def rings_only_once(self):
    for pair in self.saved:
        if pair is not None and memory.changed_since(pair[0], self.number):
            number, self.number = self.number, memory.last_change
            raise RuntimeError("a saved tensor was changed in place")


@wrong("9.4", "ctx.Context.check_versions", says="who asks, leaves all of it as it is")
def a_check_moves_the_moment(self):
    for pair in self.saved:
        if pair is not None:
            self.check_version(pair[0])
    self.number = memory.next_number()


@wrong("9.4", "ctx.Context.check_versions", says="who asks, leaves all of it as it is")
def an_error_frees_what_was_saved(self):
    for pair in self.saved:
        if pair is not None:
            try:
                self.check_version(pair[0])
            except RuntimeError:
                self.saved = None
                raise


@wrong("9.4", "function.note_changes", says="in however many places its tensor comes out")
def counts_each_place_among_the_results(ctx, results):
    for tensor in ctx._dirty:
        if not among(tensor, results):
            raise RuntimeError("a dirty tensor must be a result")
        check_writable(tensor)
        for result in results:
            if result is tensor:
                memory.touch(result._data)


@wrong("9.4", "function.note_changes", says="ctx.finish reads ctx._dirty later on")
def empties_what_is_dirty(ctx, results):
    for tensor in ctx._dirty:
        if not among(tensor, results):
            raise RuntimeError("a dirty tensor must be a result")
        check_writable(tensor)
        memory.touch(tensor._data)
    ctx._dirty = ()


@wrong("9.4", "function.note_changes", says="check_writable raises by itself")
def asks_what_check_writable_gives(ctx, results):
    for tensor in ctx._dirty:
        if not among(tensor, results):
            raise RuntimeError("a tensor marked dirty must be among the results of forward")
        if not check_writable(tensor):
            raise RuntimeError("mustn't be changed")
        memory.touch(tensor._data)


@wrong("9.4", "function.note_changes", says="a view and its base have one memory")
def counts_the_base_too(ctx, results):
    for tensor in ctx._dirty:
        if not among(tensor, results):
            raise RuntimeError("a dirty tensor must be a result")
        check_writable(tensor)
        memory.touch(tensor._data)
        base = getattr(tensor, "_base", None)
        if base is not None and base is not tensor:
            memory.touch(base._data)


@wrong("9.4", "function.note_changes", says="and of that one itself")
def asks_the_base(ctx, results):
    for tensor in ctx._dirty:
        if not among(tensor, results):
            raise RuntimeError("a dirty tensor must be a result")
        check_writable(getattr(tensor, "_base", tensor))
        memory.touch(tensor._data)


@wrong("9.4", "ctx.Context.check_versions", says="a copy was asked about")
def asks_about_a_copy(self):
    for pair in self.saved:
        if pair is not None:
            self.check_version(np.array(pair[0]))


@wrong("9.4", "ctx.Context.check_versions", says="check_version wants its array")
def asks_about_the_node(self):
    for pair in self.saved:
        if pair is not None:
            array, node = pair
            self.check_version(node)


@wrong(
    "9.4", "ctx.Context.check_versions", says="memory.changed_since(array, number), in this order"
)
def asks_in_the_other_order(self):
    for pair in self.saved:
        if pair is not None:
            array, node = pair
            if memory.changed_since(self.number, array):
                raise RuntimeError("changed")


@wrong("9.5", "function.once_differentiable", says="['the gradient that came']")
def keeps_the_last_gradients_that_came(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        wrapped.grads = grads
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        return tuple([refusing(x, ctx, grads) for x in as_gradients(results)])

    return wrapped


@wrong("9.5", "function.once_differentiable", says="['the ctx']")
def the_closure_keeps_each_ctx(backward):
    seen = set()

    @wraps(backward)
    def wrapped(ctx, *grads):
        seen.add(ctx)
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        return tuple([refusing(x, ctx, grads) for x in as_gradients(results)])

    return wrapped


@wrong("9.5", "function.once_differentiable", says="['what came out', 'its array']")
def the_closure_keeps_what_came_out(backward):
    seen = {}

    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        seen["last"] = tuple([refusing(x, ctx, grads) for x in as_gradients(results)])
        return seen["last"]

    return wrapped


@wrong("9.5", "function.once_differentiable", says="a tuple in any case")
def none_alone_stays_none(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled or results is None:
            return results
        return tuple([refusing(x, ctx, grads) for x in as_gradients(results)])

    return wrapped


@wrong("9.5", "function.once_differentiable", says="one call, one run")
def runs_it_again_where_it_is_recorded(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if state.grad_enabled:
            with no_grad():
                new = as_gradients(backward(ctx, *grads))
            return tuple([refusing(x, ctx, grads) for x in new])
        return results

    return wrapped


@wrong("9.5", "function.once_differentiable", says="what comes out is a tuple")
def a_generator_of_them(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        return (refusing(x, ctx, grads) for x in as_gradients(results))

    return wrapped


@wrong("9.5", "function.once_differentiable", says="not for what it got")
def refuses_what_came(backward):
    @wraps(backward)
    def wrapped(ctx, *grads):
        with no_grad():
            results = backward(ctx, *grads)
        if not state.grad_enabled:
            return results
        return tuple([refusing(g, ctx, grads) for g in grads])

    return wrapped


@wrong("9.5", "function.once_differentiable", says="makes a new function")
def returns_it_under_no_grad(backward):
    with no_grad():
        return backward


@wrong("9.6", "custom.FunctionalLinear.forward", says="no gradient needs any other")
def saves_y_too(ctx, x, weight, bias):
    y = x @ weight.T
    y = y if bias is None else y + bias
    ctx.save_for_backward(x, weight, y)
    return y


@wrong("9.6", "custom.Linear.__call__", says="all the others become the N rows")
def as_many_rows_as_the_first_axis_has(self, x):
    rows = x.reshape(x.shape[0], -1)
    y = FunctionalLinear.apply(rows, self.weight, self.bias)
    return y.reshape(*x.shape[:-1], self.weight.shape[0])


@wrong("9.6", "custom.Linear.__call__", says="-1 stands for it")
def as_many_rows_as_x_is_long(self, x):
    m, n = self.weight.shape
    y = FunctionalLinear.apply(x.reshape(len(x), n), self.weight, self.bias)
    return y.reshape(*x.shape[:-1], m)


@wrong("9.6", "custom.FunctionalLinear.backward", says="keepdim leaves it there")
def the_axis_of_the_rows_stays(ctx, grad_y):
    x, weight = ctx.saved_tensors
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_y @ weight if wants_x else None
    grad_weight = grad_y.T @ x if wants_weight else None
    grad_bias = grad_y.sum(0, keepdim=True) if wants_bias else None
    return grad_x, grad_weight, grad_bias


@wrong("9.6", "custom.FunctionalLinear.backward", says="comes back as ctx.saved_tensors")
def reads_them_from_the_ctx(ctx, grad_y):
    x, weight = ctx.x, ctx.weight
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_y @ weight if wants_x else None
    grad_weight = grad_y.T @ x if wants_weight else None
    grad_bias = grad_y.sum(0) if wants_bias else None
    return grad_x, grad_weight, grad_bias


@wrong("9.6", "custom.FunctionalLinear.backward", says="that's the one of the first call")
def remembers_the_gradients_of_a_call(ctx, grad_y):
    if "grads" in ctx.__dict__:
        return ctx.grads
    x, weight = ctx.saved_tensors
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_y @ weight if wants_x else None
    grad_weight = grad_y.T @ x if wants_weight else None
    grad_bias = grad_y.sum(0) if wants_bias else None
    ctx.grads = grad_x, grad_weight, grad_bias
    return ctx.grads


@wrong("9.6", "custom.Linear.__call__", says="the layer keeps nothing of a call")
def remembers_how_many_rows(self, x):
    rows = x.reshape(-1, x.shape[-1])
    self.batch = len(rows)
    y = FunctionalLinear.apply(rows, self.weight, self.bias)
    return y.reshape(*x.shape[:-1], self.weight.shape[0])


@wrong("9.6", "custom.Linear.__call__", says="has a bias after it was called")
def gives_itself_a_bias(self, x):
    if self.bias is None:
        self.bias = zeros(self.weight.shape[0])
    rows = x.reshape(-1, x.shape[-1])
    y = FunctionalLinear.apply(rows, self.weight, self.bias)
    return y.reshape(*x.shape[:-1], self.weight.shape[0])


@wrong("9.6", "custom.FunctionalLinear.backward", says="of zeros where there are no rows")
def no_gradient_where_there_are_no_rows(ctx, grad_y):
    x, weight = ctx.saved_tensors
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_y @ weight if wants_x else None
    grad_weight = None
    if wants_weight:
        for g, row in zip(grad_y, x, strict=True):
            part = g.reshape(-1, 1) * row
            grad_weight = part if grad_weight is None else grad_weight + part
    grad_bias = grad_y.sum(0) if wants_bias else None
    return grad_x, grad_weight, grad_bias


@wrong("9.6", "custom.FunctionalLinear.backward", says="also where an axis of that is 1 long")
def squeezes_the_bias(ctx, grad_y):
    x, weight = ctx.saved_tensors
    wants_x, wants_weight, wants_bias = ctx.needs_input_grad
    grad_x = grad_y @ weight if wants_x else None
    grad_weight = grad_y.T @ x if wants_weight else None
    grad_bias = grad_y.sum(0).squeeze() if wants_bias else None
    return grad_x, grad_weight, grad_bias


@wrong("9.6", "custom.FunctionalLinear.forward", says="also if it doesn't ask")
def adds_only_a_bias_that_asks(ctx, x, weight, bias):
    ctx.save_for_backward(x, weight)
    y = x @ weight.T
    return y + bias if ctx.needs_input_grad[2] else y


@wrong("9.7", "custom.Solve.backward", says="leaves no length for -1")
def a_reshape_that_elements_decide(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = Solve.apply(A.T, grad_x)
    return -grad_b.reshape(len(A), -1) * x, grad_b


@wrong("9.7", "custom.Solve.backward", says="also where an axis of that is 1 long")
def squeezes_the_matrix(ctx, grad_x):
    A, x = ctx.saved_tensors
    grad_b = Solve.apply(A.T, grad_x)
    return (-grad_b.reshape(-1, 1) * x).squeeze(), grad_b


@wrong("9.7", "custom.Solve.forward", says="solve anew, in each call")
def remembers_the_last_inverse(ctx, A, b):
    a = A.numpy()
    if getattr(Solve, "last", (None,))[0] is not a:
        Solve.last = a, np.linalg.solve(a, np.eye(len(a), dtype=a.dtype))
    x = tensor(Solve.last[1] @ b.numpy())
    ctx.save_for_backward(A, x)
    return x


@wrong("9.7", "custom.Solve.forward", says="tensor(array) is enough")
def a_solution_that_asks(ctx, A, b):
    x = tensor(np.linalg.solve(A.numpy(), b.numpy()), requires_grad=True)
    ctx.save_for_backward(A, x)
    return x


@wrong("9.7", "custom.Solve.forward", says="neither the determinant nor the rank")
def asks_for_the_rank(ctx, A, b):
    if np.linalg.matrix_rank(A.numpy()) < len(b):
        raise np.linalg.LinAlgError("Singular matrix")
    x = tensor(np.linalg.solve(A.numpy(), b.numpy()))
    ctx.save_for_backward(A, x)
    return x


@wrong("9.7", "custom.Solve.backward", says="where nobody switches recording off")
def solves_unrecorded(ctx, grad_x):
    import tinytorch as tt

    A, x = ctx.saved_tensors
    with tt.no_grad():
        grad_b = Solve.apply(A.T, grad_x)
    return -grad_b.reshape(-1, 1) * x, grad_b


@wrong("9.6", "custom.Linear.__call__", says="it's forward that turns it")
def turns_the_weight(self, x):
    rows = x.reshape(-1, x.shape[-1])
    y = FunctionalLinear.apply(rows, self.weight.T, self.bias)
    return y.reshape(*x.shape[:-1], self.weight.shape[0])


@wrong("9.1", "ctx.Context.save_for_backward", says="it was asked whether it's true")
def asks_what_is_no_tensor_whether_it_is_true(self, *tensors):
    for tensor in tensors:
        if not isinstance(tensor, Tensor) and tensor:
            raise TypeError(f"only Tensors can be saved, got {type(tensor).__name__}")
    self._to_save = tensors


@wrong("9.1", "ctx.Context.save_for_backward", says="it was taken for None")
def takes_an_empty_string_for_none(self, *tensors):
    for tensor in tensors:
        is_text = isinstance(tensor, str)
        if not isinstance(tensor, Tensor) and (tensor if is_text else tensor is not None):
            raise TypeError(f"only Tensors can be saved, got {type(tensor).__name__}")
    self._to_save = tensors
