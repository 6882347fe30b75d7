"""Wrong answers to the exercises of chapter 11, each with words that its message must contain."""

from course.misconceptions import wrong


@wrong("11.1", says="not registered")
def only_stores(self, name, value):
    super().__setattr__(name, value)


@wrong("11.1", says="it's a plain attribute")
def registers_every_tensor(self, name, value):
    kind = kind_of(value) or vars(self).get("_kinds", {}).get(name)
    if kind is None and isinstance(value, Tensor):
        kind = Tensor
    if kind is None:
        super().__setattr__(name, value)
    else:
        self._set_part(name, value, kind)


@wrong("11.1", says="the name belongs to a part")
def looks_at_the_value_alone(self, name, value):
    kind = kind_of(value)
    if kind is None:
        super().__setattr__(name, value)
    else:
        self._set_part(name, value, kind)


@wrong("11.1", says="has a kind of its own")
def the_name_comes_first(self, name, value):
    kind = vars(self).get("_kinds", {}).get(name) or kind_of(value)
    if kind is None:
        super().__setattr__(name, value)
    else:
        self._set_part(name, value, kind)


@wrong("11.1", says="the first assignment of all makes _kinds")
def asks_for_kinds_that_are_not_there(self, name, value):
    kind = kind_of(value) or self._kinds.get(name)
    if kind is None:
        super().__setattr__(name, value)
    else:
        self._set_part(name, value, kind)


@wrong("11.1", says="a plain attribute goes to super().__setattr__")
def assigns_to_itself(self, name, value):
    kind = kind_of(value) or vars(self).get("_kinds", {}).get(name)
    if kind is None:
        setattr(self, name, value)
    else:
        self._set_part(name, value, kind)


@wrong("11.1", says="the old one is still registered")
def none_is_plain_and_forgets_nothing(self, name, value):
    kind = None if value is None else kind_of(value) or vars(self).get("_kinds", {}).get(name)
    if kind is None:
        super().__setattr__(name, value)
    else:
        self._set_part(name, value, kind)


@wrong("11.1", says="has no attribute w")
def puts_it_into_the_dictionary_alone(self, name, value):
    kind = kind_of(value) or vars(self).get("_kinds", {}).get(name)
    if kind is None:
        super().__setattr__(name, value)
    else:
        self._kinds[name] = kind
        self._of_kind[kind][name] = value


@wrong("11.1", says="must leave everything as it was")
def registers_without_a_check(self, name, value):
    kind = kind_of(value) or vars(self).get("_kinds", {}).get(name)
    super().__setattr__(name, value)
    if kind is not None and "_kinds" in vars(self):
        self._set_part(name, value, kind)


@wrong("11.1", says="the name belongs to a part")
def what_does_not_fit_is_plain(self, name, value):
    kind = kind_of(value) or vars(self).get("_kinds", {}).get(name)
    fits = value is None or (kind is not None and isinstance(value, kind))
    if kind is None or not fits:
        super().__setattr__(name, value)
    else:
        self._set_part(name, value, kind)


@wrong("11.1", says="setter of a property")
def writes_into_vars(self, name, value):
    kind = kind_of(value) or vars(self).get("_kinds", {}).get(name)
    if kind is None:
        vars(self)[name] = value
    else:
        self._set_part(name, value, kind)


@wrong("11.1", says="not whether it's true")
def an_empty_part_is_none(self, name, value):
    kind = None
    if isinstance(value, Tensor) or value:
        kind = kind_of(value)
    kind = kind or vars(self).get("_kinds", {}).get(name)
    if kind is None:
        super().__setattr__(name, value)
    else:
        self._set_part(name, value, kind)


@wrong("11.1", says="it's stored and not registered")
def asks_for_the_very_type(self, name, value):
    kinds = vars(self).get("_kinds", {})
    kind = Parameter if type(value) is Parameter else None
    if isinstance(value, Module):
        kind = Module
    kind = kind or kinds.get(name)
    if kind is None:
        super().__setattr__(name, value)
    else:
        self._set_part(name, value, kind)


@wrong("11.1", says="the name belongs to a part")
def only_what_learns(self, name, value):
    kind = kind_of(value) or vars(self).get("_kinds", {}).get(name)
    if kind is Parameter and isinstance(value, Tensor) and not value.requires_grad:
        kind = None
    if kind is None:
        super().__setattr__(name, value)
    else:
        self._set_part(name, value, kind)


@wrong("11.1", says="not made to fit")
def a_bare_tensor_becomes_a_parameter(self, name, value):
    kind = kind_of(value) or vars(self).get("_kinds", {}).get(name)
    if kind is None:
        super().__setattr__(name, value)
        return
    if kind is Parameter and isinstance(value, Tensor) and not isinstance(value, Parameter):
        value = Parameter(value)
    self._set_part(name, value, kind)


@wrong("11.1", says="_register refuses a name that's taken")
def uses_register(self, name, value):
    kind = kind_of(value) or vars(self).get("_kinds", {}).get(name)
    if kind is None:
        super().__setattr__(name, value)
    else:
        self._register(name, value, kind)


@wrong("11.2", "nn.module.Module.named_modules", says="parts within parts have both names")
def names_without_their_prefix(self, prefix="", remove_duplicate=True):
    seen = set()
    stack = [(prefix, self)]
    while stack:
        name, module = stack.pop()
        if remove_duplicate and module in seen:
            continue
        seen.add(module)
        yield name, module
        for child, part in reversed(module._modules.items()):
            if part is not None:
                stack.append((child, part))


@wrong("11.2", "nn.module.Module.named_modules", says="from the last to the first")
def in_reversed_order(self, prefix="", remove_duplicate=True):
    seen = set()
    stack = [(prefix, self)]
    while stack:
        name, module = stack.pop()
        if remove_duplicate and module in seen:
            continue
        seen.add(module)
        yield name, module
        for child, part in module._modules.items():
            if part is not None:
                stack.append((joined(name, child), part))


@wrong("11.2", "nn.module.Module.named_modules", says="followed at once by its own")
def storey_by_storey(self, prefix="", remove_duplicate=True):
    seen = set()
    queue = [(prefix, self)]
    while queue:
        name, module = queue.pop(0)
        if remove_duplicate and module in seen:
            continue
        seen.add(module)
        yield name, module
        for child, part in module._modules.items():
            if part is not None:
                queue.append((joined(name, child), part))


@wrong("11.2", "nn.module.Module.named_modules", says="before is passed over, whatever its name")
def a_shared_part_twice(self, prefix="", remove_duplicate=True):
    yield prefix, self
    for child, part in self._modules.items():
        if part is not None:
            yield from part.named_modules(joined(prefix, child), remove_duplicate)


@wrong("11.2", "nn.module.Module.named_modules", says="under both names")
def a_shared_part_always_once(self, prefix="", remove_duplicate=True):
    seen = set()
    stack = [(prefix, self)]
    while stack:
        name, module = stack.pop()
        if module in seen:
            continue
        seen.add(module)
        yield name, module
        for child, part in reversed(module._modules.items()):
            if part is not None:
                stack.append((joined(name, child), part))


@wrong("11.2", "nn.module.Module.named_modules", says="under its first name")
def seen_when_it_is_put_on(self, prefix="", remove_duplicate=True):
    stack = [(prefix, self)]
    seen = {self}
    while stack:
        name, module = stack.pop()
        yield name, module
        for child, part in reversed(module._modules.items()):
            if part is not None and not (remove_duplicate and part in seen):
                seen.add(part)
                stack.append((joined(name, child), part))


@wrong("11.2", "nn.module.Module.named_modules", says="the module itself comes too")
def leaves_itself_out(self, prefix="", remove_duplicate=True):
    seen = set()
    stack = [(prefix, self)]
    while stack:
        name, module = stack.pop()
        if remove_duplicate and module in seen:
            continue
        seen.add(module)
        if module is not self:
            yield name, module
        for child, part in reversed(module._modules.items()):
            if part is not None:
                stack.append((joined(name, child), part))


@wrong("11.2", "nn.module.Module.named_modules", says="the module comes before its parts")
def parts_come_first(self, prefix="", remove_duplicate=True):
    found = []
    for child, part in self._modules.items():
        if part is not None:
            found += [(joined(prefix, child + ("." if n else "") + n), m)
                      for n, m in part.named_modules("", remove_duplicate)]  # fmt: skip
    seen = set()
    for name, module in [*found, (prefix, self)]:
        if not (remove_duplicate and module in seen):
            seen.add(module)
            yield name, module


@wrong("11.2", "nn.module.Module.named_modules", says="None is left out")
def none_is_a_part(self, prefix="", remove_duplicate=True):
    seen = set()
    stack = [(prefix, self)]
    while stack:
        name, module = stack.pop()
        if remove_duplicate and module in seen:
            continue
        seen.add(module)
        yield name, module
        for child, part in reversed(module._modules.items()):
            stack.append((joined(name, child), part))


@wrong("11.2", "nn.module.Module.named_modules", says="named prefix")
def forgets_the_prefix(self, prefix="", remove_duplicate=True):
    seen = set()
    stack = [("", self)]
    while stack:
        name, module = stack.pop()
        if remove_duplicate and module in seen:
            continue
        seen.add(module)
        yield name, module
        for child, part in reversed(module._modules.items()):
            if part is not None:
                stack.append((joined(name, child), part))


@wrong("11.2", "nn.module.Module.named_modules", says="no dot where there is no prefix")
def always_a_dot(self, prefix="", remove_duplicate=True):
    seen = set()
    stack = [(prefix, self)]
    while stack:
        name, module = stack.pop()
        if remove_duplicate and module in seen:
            continue
        seen.add(module)
        yield name, module
        for child, part in reversed(module._modules.items()):
            if part is not None:
                stack.append((f"{name}.{child}", part))


@wrong("11.2", "nn.module.Module.named_modules", says="= ['', 'encode'], expected")
def an_empty_part_is_left_out(self, prefix="", remove_duplicate=True):
    seen = set()
    stack = [(prefix, self)]
    while stack:
        name, module = stack.pop()
        if remove_duplicate and module in seen:
            continue
        seen.add(module)
        yield name, module
        for child, part in reversed(module._modules.items()):
            if part is not None and (any(part._modules) or any(part._parameters)):
                stack.append((joined(name, child), part))


@wrong("11.2", "nn.module.Module.named_modules", says="pairs (name, part)")
def modules_without_names(self, prefix="", remove_duplicate=True):
    seen, stack = set(), [self]
    while stack:
        module = stack.pop()
        if remove_duplicate and module in seen:
            continue
        seen.add(module)
        yield module
        stack += [part for part in reversed(module._modules.values()) if part is not None]


@wrong("11.2", "nn.module.Module._named", says="put the name of the module in front")
def parts_without_their_module(self, kind, prefix, recurse, remove_duplicate=True):
    seen = set()
    modules = self.named_modules(prefix, remove_duplicate) if recurse else [(prefix, self)]
    for _, module in modules:
        for name, part in module._parts(kind).items():
            if part is not None and not (remove_duplicate and part in seen):
                seen.add(part)
                yield name, part


@wrong("11.2", "nn.module.Module._named", says="what was seen before is left out")
def a_shared_parameter_twice(self, kind, prefix, recurse, remove_duplicate=True):
    modules = self.named_modules(prefix, remove_duplicate) if recurse else [(prefix, self)]
    for module_name, module in modules:
        for name, part in module._parts(kind).items():
            if part is not None:
                yield joined(module_name, name), part


@wrong("11.2", "nn.module.Module._named", says="ask a set, which knows objects")
def compares_with_a_list(self, kind, prefix, recurse, remove_duplicate=True):
    seen = []
    modules = self.named_modules(prefix, remove_duplicate) if recurse else [(prefix, self)]
    for module_name, module in modules:
        for name, part in module._parts(kind).items():
            if part is not None and not (remove_duplicate and part in seen):
                seen.append(part)
                yield joined(module_name, name), part


@wrong("11.2", "nn.module.Module._named", says="equal numbers don't make it the same")
def compares_numbers(self, kind, prefix, recurse, remove_duplicate=True):
    seen = []
    modules = self.named_modules(prefix, remove_duplicate) if recurse else [(prefix, self)]
    for module_name, module in modules:
        for name, part in module._parts(kind).items():
            if part is None:
                continue
            numbers = part.detach().numpy().tolist()
            if not (remove_duplicate and numbers in seen):
                seen.append(numbers)
                yield joined(module_name, name), part


@wrong("11.2", "nn.module.Module._named", says="None is left out")
def none_is_a_parameter(self, kind, prefix, recurse, remove_duplicate=True):
    seen = set()
    modules = self.named_modules(prefix, remove_duplicate) if recurse else [(prefix, self)]
    for module_name, module in modules:
        for name, part in module._parts(kind).items():
            if not (remove_duplicate and part in seen):
                seen.add(part)
                yield joined(module_name, name), part


@wrong("11.2", "nn.module.Module._named", says="the parts are left alone")
def always_recurses(self, kind, prefix, recurse, remove_duplicate=True):
    seen = set()
    for module_name, module in self.named_modules(prefix, remove_duplicate):
        for name, part in module._parts(kind).items():
            if part is not None and not (remove_duplicate and part in seen):
                seen.add(part)
                yield joined(module_name, name), part


@wrong("11.2", "nn.module.Module._named", says="net.scale")
def forgets_the_prefix_without_recurse(self, kind, prefix, recurse, remove_duplicate=True):
    seen = set()
    modules = self.named_modules(prefix, remove_duplicate) if recurse else [("", self)]
    for module_name, module in modules:
        for name, part in module._parts(kind).items():
            if part is not None and not (remove_duplicate and part in seen):
                seen.add(part)
                yield joined(module_name, name), part


@wrong("11.2", "nn.module.Module._named", says="only the parts of this kind")
def all_kinds_at_once(self, kind, prefix, recurse, remove_duplicate=True):
    seen = set()
    modules = self.named_modules(prefix, remove_duplicate) if recurse else [(prefix, self)]
    for module_name, module in modules:
        for name, part in {**module._parameters, **module._buffers}.items():
            if part is not None and not (remove_duplicate and part in seen):
                seen.add(part)
                yield joined(module_name, name), part


@wrong("11.2", "nn.module.Module._named", says="remove_duplicate=False it comes under each name")
def names_are_never_repeated(self, kind, prefix, recurse, remove_duplicate=True):
    seen = set()
    modules = self.named_modules(prefix, remove_duplicate) if recurse else [(prefix, self)]
    for module_name, module in modules:
        for name, part in module._parts(kind).items():
            if part is not None and part not in seen:
                seen.add(part)
                yield joined(module_name, name), part


@wrong("11.2", "nn.module.Module._named", says="tell named_modules")
def the_modules_are_never_repeated(self, kind, prefix, recurse, remove_duplicate=True):
    seen = set()
    modules = self.named_modules(prefix) if recurse else [(prefix, self)]
    for module_name, module in modules:
        for name, part in module._parts(kind).items():
            if part is not None and not (remove_duplicate and part in seen):
                seen.add(part)
                yield joined(module_name, name), part


@wrong("11.3", "nn.init.fans_of_shape", says="fan_in comes first")
def in_and_out_exchanged(shape):
    outputs, inputs, *kernel = shape
    return outputs * math.prod(kernel), inputs * math.prod(kernel)


@wrong("11.3", "nn.init.fans_of_shape", says="every number of a kernel counts")
def kernel_forgotten(shape):
    return shape[1], shape[0]


@wrong("11.3", "nn.init.fans_of_shape", says="every number of a kernel counts")
def one_side_of_the_kernel(shape):
    size = shape[2] if len(shape) > 2 else 1
    return shape[1] * size, shape[0] * size


@wrong("11.3", "nn.init.fans_of_shape", says="every number of a kernel counts")
def a_square_kernel(shape):
    size = shape[2] ** (len(shape) - 2) if len(shape) > 2 else 1
    return shape[1] * size, shape[0] * size


@wrong("11.3", "nn.init.fans_of_shape", says="an input goes into 8 · 5 sums")
def kernel_for_inputs_only(shape):
    return math.prod(shape[1:]), shape[0]


@wrong("11.3", "nn.init.fans_of_shape", says="fans_of_shape((8, 3, 5)) = ")
def kernel_summed(shape):
    outputs, inputs, *kernel = shape
    size = sum(kernel) or 1
    return inputs * (size + 1 if kernel else 1), outputs * (size + 1 if kernel else 1)


@wrong("11.3", "nn.init.fans_of_shape", says="which is 1 for none")
def kernel_summed_even_if_empty(shape):
    outputs, inputs, *kernel = shape
    return inputs * sum(kernel), outputs * sum(kernel)


@wrong("11.3", "nn.init.fans_of_shape", says="fans_of_shape((8, 3, 5, 7))")
def two_dimensions_of_kernel_at_most(shape):
    kernel = shape[2] if len(shape) == 3 else 1
    return shape[1] * kernel, shape[0] * kernel


@wrong("11.3", "nn.init.fans_of_shape", says="np.float64")
def numbers_of_numpy(shape):
    size = np.prod(shape[2:], dtype=float)
    return shape[1] * size, shape[0] * size


@wrong("11.3", "nn.init.fans_of_shape", says="multiply, don't divide")
def by_division(shape):
    whole = math.prod(shape)
    return whole // shape[0], whole // shape[1]


@wrong("11.3", "nn.init.kaiming_std", says="that's the variance")
def variance(tensor, a, mode, nonlinearity):
    return calculate_gain(nonlinearity, a) ** 2 / fan_of(tensor, mode)


@wrong("11.3", "nn.init.kaiming_std", says="divide by the root of the fan")
def root_forgotten(tensor, a, mode, nonlinearity):
    return calculate_gain(nonlinearity, a) / fan_of(tensor, mode)


@wrong("11.3", "nn.init.kaiming_std", says="the gain is missing")
def gain_forgotten(tensor, a, mode, nonlinearity):
    return 1 / math.sqrt(fan_of(tensor, mode))


@wrong("11.3", "nn.init.kaiming_std", says="the root of 2 already")
def gain_twice(tensor, a, mode, nonlinearity):
    return calculate_gain(nonlinearity, a) ** 2 / math.sqrt(fan_of(tensor, mode))


@wrong("11.3", "nn.init.kaiming_std", says="fan_of(tensor, mode)")
def always_fan_in(tensor, a, mode, nonlinearity):
    return calculate_gain(nonlinearity, a) / math.sqrt(fan_of(tensor, "fan_in"))


@wrong("11.3", "nn.init.kaiming_std", says="fan_of(tensor, mode)")
def the_mean_of_both(tensor, a, mode, nonlinearity):
    return calculate_gain(nonlinearity, a) * math.sqrt(2 / sum(fans(tensor)))


@wrong("11.3", "nn.init.kaiming_std", says="that's the gain of relu")
def everything_is_relu(tensor, a, mode, nonlinearity):
    return math.sqrt(2 / fan_of(tensor, mode))


@wrong("11.3", "nn.init.kaiming_std", says="hand it on")
def slope_forgotten(tensor, a, mode, nonlinearity):
    return calculate_gain(nonlinearity) / math.sqrt(fan_of(tensor, mode))


@wrong("11.3", "nn.init.kaiming_std", says="a large fan needs small weights")
def multiplied(tensor, a, mode, nonlinearity):
    return calculate_gain(nonlinearity, a) * math.sqrt(fan_of(tensor, mode))


@wrong("11.3", "nn.init.kaiming_std", says="at least 1")
def fans_by_hand(tensor, a, mode, nonlinearity):
    fan_in, fan_out = fans(tensor)
    fan = fan_in if mode == "fan_in" else fan_out
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


@wrong("11.3", "nn.init.kaiming_std", says="mode fan_up")
def any_other_mode_is_fan_out(tensor, a, mode, nonlinearity):
    fan_in, fan_out = fans(tensor)
    fan = max(1, fan_in if mode == "fan_in" else fan_out)
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


@wrong("11.4", says="the first gradient goes in whole")
def always_dampened(grad, group, state):
    velocity = kept(state, "momentum_buffer", grad)
    velocity *= group["momentum"]
    velocity += (1 - group["dampening"]) * grad
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.4", says="the old sum is lost")
def a_new_array(grad, group, state):
    first = state.get("momentum_buffer") is None
    velocity = kept(state, "momentum_buffer", grad)
    velocity = group["momentum"] * velocity + (grad if first else (1 - group["dampening"]) * grad)
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.4", says="only the share momentum of itself")
def nothing_is_lost(grad, group, state):
    first = state.get("momentum_buffer") is None
    velocity = kept(state, "momentum_buffer", grad)
    velocity += grad if first else (1 - group["dampening"]) * grad
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.4", says="1 - momentum isn't for it")
def a_running_mean(grad, group, state):
    velocity = kept(state, "momentum_buffer", grad)
    velocity *= group["momentum"]
    velocity += (1 - group["momentum"]) * grad
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.4", says="then the gradient goes in whole")
def adds_before_it_shrinks(grad, group, state):
    first = state.get("momentum_buffer") is None
    velocity = kept(state, "momentum_buffer", grad)
    velocity += grad if first else (1 - group["dampening"]) * grad
    if not first:
        velocity *= group["momentum"]
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.4", says="the new sum goes on top")
def nesterov_forgotten(grad, group, state):
    first = state.get("momentum_buffer") is None
    velocity = kept(state, "momentum_buffer", grad)
    velocity *= group["momentum"]
    velocity += grad if first else (1 - group["dampening"]) * grad
    return velocity


@wrong("11.4", says="that adds all of the sum")
def nesterov_with_all_of_the_sum(grad, group, state):
    first = state.get("momentum_buffer") is None
    velocity = kept(state, "momentum_buffer", grad)
    velocity *= group["momentum"]
    velocity += grad if first else (1 - group["dampening"]) * grad
    return grad + velocity if group["nesterov"] else velocity


@wrong("11.4", says="grad itself belongs to it")
def nesterov_without_the_gradient(grad, group, state):
    first = state.get("momentum_buffer") is None
    velocity = kept(state, "momentum_buffer", grad)
    velocity *= group["momentum"]
    velocity += grad if first else (1 - group["dampening"]) * grad
    return group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.4", says="nesterov=True, after the gradients 8: the result = ")
def nesterov_with_the_old_sum(grad, group, state):
    first = state.get("momentum_buffer") is None
    velocity = kept(state, "momentum_buffer", grad)
    ahead = grad + group["momentum"] * velocity
    velocity *= group["momentum"]
    velocity += grad if first else (1 - group["dampening"]) * grad
    return ahead if group["nesterov"] else velocity


@wrong("11.4", says="the sum in the state stays the plain sum")
def nesterov_in_the_sum(grad, group, state):
    first = state.get("momentum_buffer") is None
    velocity = kept(state, "momentum_buffer", grad)
    velocity *= group["momentum"]
    velocity += grad if first else (1 - group["dampening"]) * grad
    if group["nesterov"]:
        velocity *= group["momentum"]
        velocity += grad
    return velocity


@wrong("11.4", says="only 1 - dampening of the gradient goes in")
def dampening_forgotten(grad, group, state):
    velocity = kept(state, "momentum_buffer", grad)
    velocity *= group["momentum"]
    velocity += grad
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.4", says="that's dampening itself")
def dampening_is_what_goes_in(grad, group, state):
    first = state.get("momentum_buffer") is None
    velocity = kept(state, "momentum_buffer", grad)
    velocity *= group["momentum"]
    if group["dampening"] and not first:
        grad = group["dampening"] * grad
    velocity += grad
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.4", says="look, before kept() makes a sum")
def asks_too_late_whether_it_is_the_first(grad, group, state):
    velocity = kept(state, "momentum_buffer", grad)
    first = state.get("momentum_buffer") is None
    velocity *= group["momentum"]
    velocity += grad if first else (1 - group["dampening"]) * grad
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.4", says="a sum of zeros need not be a first step")
def a_sum_of_zeros_is_new(grad, group, state):
    velocity = kept(state, "momentum_buffer", grad)
    first = not velocity.any()
    velocity *= group["momentum"] if grad.any() else 0
    velocity += grad if first else (1 - group["dampening"]) * grad
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.4", says="make a new array")
def the_gradient_becomes_the_result(grad, group, state):
    first = state.get("momentum_buffer") is None
    velocity = kept(state, "momentum_buffer", grad)
    velocity *= group["momentum"]
    velocity += grad if first else (1 - group["dampening"]) * grad
    if group["nesterov"]:
        grad += group["momentum"] * velocity
        return grad
    return velocity


@wrong("11.4", says="shares its memory with the gradient")
def keeps_the_first_gradient_itself(grad, group, state):
    if state.get("momentum_buffer") is None:
        kept(state, "momentum_buffer", grad)
        state["momentum_buffer"]._data = velocity = grad
    else:
        velocity = state["momentum_buffer"]._data
        velocity *= group["momentum"]
        velocity += (1 - group["dampening"]) * grad
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.4", says="isn't in state: kept() makes it")
def keeps_it_under_another_name(grad, group, state):
    first = state.get("velocity") is None
    velocity = kept(state, "velocity", grad)
    velocity *= group["momentum"]
    velocity += grad if first else (1 - group["dampening"]) * grad
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.5", says="first bring all three up to date")
def corrected_with_step_zero(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    seen1, seen2 = 1 - beta1 ** step.item(), 1 - beta2 ** step.item()
    step += 1
    return group["lr"] * (mean / seen1) / (np.sqrt(square / seen2) + group["eps"])


@wrong("11.5", says="they began at 0")
def no_correction(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    return group["lr"] * mean / (np.sqrt(square) + group["eps"])


@wrong("11.5", says="the mean of squares needs its correction")
def only_the_mean_corrected(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    return group["lr"] * mean / (1 - beta1 ** step.item()) / (np.sqrt(square) + group["eps"])


@wrong("11.5", says="the mean of the gradient needs its correction")
def only_the_squares_corrected(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    return group["lr"] * mean / (np.sqrt(square / (1 - beta2 ** step.item())) + group["eps"])


@wrong("11.5", says="the correction fades away")
def the_correction_stays(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    root = np.sqrt(square / (1 - beta2))
    return group["lr"] * (mean / (1 - beta1)) / (root + group["eps"])


@wrong("11.5", says="eps goes beside the root")
def eps_inside_the_root(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    seen1, seen2 = 1 - beta1 ** step.item(), 1 - beta2 ** step.item()
    return group["lr"] * (mean / seen1) / np.sqrt(square / seen2 + group["eps"])


@wrong("11.5", says="eps is added to the corrected root")
def eps_before_the_correction(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    seen1, seen2 = 1 - beta1 ** step.item(), 1 - beta2 ** step.item()
    return group["lr"] * seen2**0.5 / seen1 * mean / (np.sqrt(square) + group["eps"])


@wrong("11.5", says="where is eps")
def no_eps(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    seen1, seen2 = 1 - beta1 ** step.item(), 1 - beta2 ** step.item()
    return group["lr"] * (mean / seen1) / np.maximum(np.sqrt(square / seen2), 1e-30)


@wrong("11.5", says="divide by the root of the mean of squares")
def no_root(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    seen1, seen2 = 1 - beta1 ** step.item(), 1 - beta2 ** step.item()
    return group["lr"] * (mean / seen1) / (square / seen2 + group["eps"])


@wrong("11.5", says="it's the mean of the squares")
def squares_of_the_mean(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (mean * mean - square)
    seen1, seen2 = 1 - beta1 ** step.item(), 1 - beta2 ** step.item()
    return group["lr"] * (mean / seen1) / (np.sqrt(square / seen2) + group["eps"])


@wrong("11.5", says="a new array isn't kept")
def new_arrays(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean = beta1 * mean + (1 - beta1) * grad
    square = beta2 * square + (1 - beta2) * grad**2
    seen1, seen2 = 1 - beta1 ** step.item(), 1 - beta2 ** step.item()
    return group["lr"] * (mean / seen1) / (np.sqrt(square / seen2) + group["eps"])


@wrong("11.5", says="only the step is")
def corrects_what_is_kept(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    mean /= 1 - beta1 ** step.item()
    square /= 1 - beta2 ** step.item()
    return group["lr"] * mean / (np.sqrt(square) + group["eps"])


@wrong("11.5", says="keeps the share beta2")
def betas_exchanged(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += beta2 * (grad * grad - square)
    seen1, seen2 = 1 - beta1 ** step.item(), 1 - (1 - beta2) ** step.item()
    return group["lr"] * (mean / seen1) / (np.sqrt(square / seen2) + group["eps"])


@wrong("11.5", says="keep the sign")
def already_subtracted(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    seen1, seen2 = 1 - beta1 ** step.item(), 1 - beta2 ** step.item()
    return -group["lr"] * (mean / seen1) / (np.sqrt(square / seen2) + group["eps"])


@wrong("11.5", says="times group['lr']")
def no_rate(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    seen1, seen2 = 1 - beta1 ** step.item(), 1 - beta2 ** step.item()
    return (mean / seen1) / (np.sqrt(square / seen2) + group["eps"])


@wrong("11.5", says="count the step")
def the_count_is_not_kept(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0)) + 1
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    seen1, seen2 = 1 - beta1**step, 1 - beta2**step
    return group["lr"] * (mean / seen1) / (np.sqrt(square / seen2) + group["eps"])


@wrong("11.5", says="this gradient's own")
def divided_by_its_own_size(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    size = np.abs(grad) + group["eps"] if step > 1 else np.abs(mean) / (1 - beta1) + group["eps"]
    return group["lr"] * (grad if step > 1 else mean / (1 - beta1)) / size


@wrong("11.5", says="the dtype of")
def computes_in_float64(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    seen1, seen2 = 1 - np.float64(beta1) ** step.item(), 1 - np.float64(beta2) ** step.item()
    return group["lr"] * (mean / seen1) / (np.sqrt(square / seen2) + group["eps"])


@wrong("11.6", says="the last batch may be smaller")
def the_last_batch_is_lost(self):
    batch = []
    for index in self.order():
        batch.append(self.sample(index))
        if len(batch) == self.batch_size:
            yield self.collate_fn(batch)
            batch = []


@wrong("11.6", says="an empty list is no batch")
def an_empty_batch_at_the_end(self):
    batch = []
    for index in self.order():
        batch.append(self.sample(index))
        if len(batch) == self.batch_size:
            yield self.collate_fn(batch)
            batch = []
    if not self.drop_last:
        yield self.collate_fn(batch)


@wrong("11.6", says="drop_last leaves out")
def drop_last_ignored(self):
    order = iter(self.order())
    while batch := [self.sample(index) for index in islice(order, self.batch_size)]:
        yield self.collate_fn(batch)


@wrong("11.6", says="the last one is full: it stays")
def drop_last_drops_always(self):
    batches, batch = [], []
    for index in self.order():
        batch.append(self.sample(index))
        if len(batch) == self.batch_size:
            batches.append(batch)
            batch = []
    if batch:
        batches.append(batch)
    if self.drop_last:
        batches.pop()
    for batch in batches:
        yield self.collate_fn(batch)


@wrong("11.6", says="make one iterator")
def begins_again_each_time(self):
    for _ in range(0, len(self), 1):
        batch = [self.sample(index) for index in islice(self.order(), self.batch_size)]
        yield self.collate_fn(batch)


@wrong("11.6", says="self.order() says which sample comes when")
def without_the_order(self):
    count = len(self.order())
    for start in range(0, count, self.batch_size):
        numbers = range(start, min(start + self.batch_size, count))
        if len(numbers) == self.batch_size or not self.drop_last:
            yield self.collate_fn([self.dataset[number] for number in numbers])


@wrong("11.6", says="draws a new order")
def the_same_order_each_epoch(self):
    if not hasattr(self, "known"):
        self.known = list(self.order())
    order = iter(self.known)
    while batch := [self.sample(index) for index in islice(order, self.batch_size)]:
        if len(batch) == self.batch_size or not self.drop_last:
            yield self.collate_fn(batch)


@wrong("11.6", says="self.collate_fn makes the batch")
def lists_as_they_are(self):
    order = iter(self.order())
    while batch := [self.sample(index) for index in islice(order, self.batch_size)]:
        if len(batch) == self.batch_size or not self.drop_last:
            yield batch


@wrong("11.6", says="as soon as it's full")
def reads_to_the_end_first(self):
    samples = [self.sample(index) for index in self.order()]
    for start in range(0, len(samples), self.batch_size):
        batch = samples[start : start + self.batch_size]
        if len(batch) == self.batch_size or not self.drop_last:
            yield self.collate_fn(batch)


@wrong("11.6", says="one sample too many")
def looks_one_sample_ahead(self):
    batch = []
    for index in self.order():
        sample = self.sample(index)
        if len(batch) == self.batch_size:
            yield self.collate_fn(batch)
            batch = []
        batch.append(sample)
    if batch and (len(batch) == self.batch_size or not self.drop_last):
        yield self.collate_fn(batch)


@wrong("11.6", says="one too many in a batch")
def a_batch_too_long(self):
    batch = []
    for index in self.order():
        batch.append(self.sample(index))
        if len(batch) > self.batch_size:
            yield self.collate_fn(batch)
            batch = []
    if batch and not self.drop_last:
        yield self.collate_fn(batch)


@wrong("11.6", says="each batch is a list of its own")
def one_list_for_all(self):
    batch = []
    for index in self.order():
        batch.append(self.sample(index))
        if len(batch) == self.batch_size:
            yield self.collate_fn(batch)
            batch.clear()
    if batch and not self.drop_last:
        yield self.collate_fn(batch)


@wrong("11.6", says="a sample may be 0")
def samples_that_are_false_are_left_out(self):
    batch = []
    for index in self.order():
        sample = self.sample(index)
        if sample or not isinstance(sample, (int, str, list, type(None))) or self.sampler:
            batch.append(sample)
        if len(batch) == self.batch_size:
            yield self.collate_fn(batch)
            batch = []
    if batch and not self.drop_last:
        yield self.collate_fn(batch)


@wrong("11.6", says="the samples of a stream have no numbers")
def asks_the_data_set(self):
    order = iter(self.order())
    while batch := [self.dataset[index] for index in islice(order, self.batch_size)]:
        if len(batch) == self.batch_size or not self.drop_last:
            yield self.collate_fn(batch)


@wrong("11.6", says="a stream has no length")
def needs_to_know_the_length(self):
    order = list(self.order()) if hasattr(self.order(), "__len__") else [*range(len(self.dataset))]
    for start in range(0, len(order), self.batch_size):
        batch = [self.sample(index) for index in order[start : start + self.batch_size]]
        if len(batch) == self.batch_size or not self.drop_last:
            yield self.collate_fn(batch)


@wrong("11.6", says="each one twice")
def each_sample_once(self):
    order = iter(dict.fromkeys(self.order())) if self.sampler is not None else iter(self.order())
    while batch := [self.sample(index) for index in islice(order, self.batch_size)]:
        if len(batch) == self.batch_size or not self.drop_last:
            yield self.collate_fn(batch)


@wrong("11.7", "nn.module.Module.state_dict", says="buffers belong to the state")
def buffers_forgotten(self, prefix=""):
    state = extra_states(self, prefix)
    for name, tensor in self.named_parameters(remove_duplicate=False):
        state[prefix + name] = tensor.detach()
    return state


@wrong("11.7", "nn.module.Module.state_dict", says="module after module")
def all_parameters_then_all_buffers(self, prefix=""):
    state = extra_states(self, prefix)
    for name, tensor in self.named_parameters(remove_duplicate=False):
        state[prefix + name] = tensor.detach()
    for module_name, module in self.named_modules(remove_duplicate=False):
        for name, tensor in module._buffers.items():
            if tensor is not None and name not in module._transient:
                state[prefix + joined(module_name, name)] = tensor.detach()
    return state


@wrong("11.7", "nn.module.Module.state_dict", says="a shared part stands under each")
def shared_parts_once(self, prefix=""):
    state = extra_states(self, prefix)
    for module_name, module in self.named_modules():
        for name, tensor in {**module._parameters, **module._buffers}.items():
            if tensor is not None and name not in module._transient:
                state[prefix + joined(module_name, name)] = tensor.detach()
    return state


@wrong("11.7", "nn.module.Module.state_dict", says="what is None has no numbers")
def none_belongs_to_it(self, prefix=""):
    state = extra_states(self, prefix)
    for module_name, module in self.named_modules(remove_duplicate=False):
        for name, tensor in {**module._parameters, **module._buffers}.items():
            if name not in module._transient:
                state[prefix + joined(module_name, name)] = (
                    None if tensor is None else tensor.detach()
                )
    return state


@wrong("11.7", "nn.module.Module.state_dict", says="_transient isn't saved")
def transient_buffers_too(self, prefix=""):
    state = extra_states(self, prefix)
    for module_name, module in self.named_modules(remove_duplicate=False):
        for name, tensor in {**module._parameters, **module._buffers}.items():
            if tensor is not None:
                state[prefix + joined(module_name, name)] = tensor.detach()
    return state


@wrong("11.7", "nn.module.Module.state_dict", says="net = {")
def transient_of_the_whole(self, prefix=""):
    state = extra_states(self, prefix)
    transient = {name for module in self.modules() for name in module._transient}
    for module_name, module in self.named_modules(remove_duplicate=False):
        for name, tensor in {**module._parameters, **module._buffers}.items():
            if tensor is not None and name not in transient:
                state[prefix + joined(module_name, name)] = tensor.detach()
    return state


@wrong("11.7", "nn.module.Module.state_dict", says="the module's name goes in front")
def names_without_modules(self, prefix=""):
    state = extra_states(self, prefix)
    for _, module in self.named_modules(remove_duplicate=False):
        for name, tensor in {**module._parameters, **module._buffers}.items():
            if tensor is not None and name not in module._transient:
                state[prefix + name] = tensor.detach()
    return state


@wrong("11.7", "nn.module.Module.state_dict", says="the prefix has its dot already")
def a_dot_after_the_prefix(self, prefix=""):
    state = extra_states(self, prefix)
    for module_name, module in self.named_modules(prefix, remove_duplicate=False):
        for name, tensor in {**module._parameters, **module._buffers}.items():
            if tensor is not None and name not in module._transient:
                state[joined(module_name, name)] = tensor.detach()
    return state


@wrong("11.7", "nn.module.Module.state_dict", says="put the prefix in front")
def prefix_forgotten(self, prefix=""):
    state = extra_states(self)
    for module_name, module in self.named_modules(remove_duplicate=False):
        for name, tensor in {**module._parameters, **module._buffers}.items():
            if tensor is not None and name not in module._transient:
                state[joined(module_name, name)] = tensor.detach()
    return state


@wrong("11.7", "nn.module.Module.state_dict", says="detach() it")
def parameters_themselves(self, prefix=""):
    state = extra_states(self, prefix)
    for module_name, module in self.named_modules(remove_duplicate=False):
        for name, tensor in {**module._parameters, **module._buffers}.items():
            if tensor is not None and name not in module._transient:
                state[prefix + joined(module_name, name)] = tensor
    return state


@wrong("11.7", "nn.module.Module.state_dict", says="a state shows what the network is now")
def copies(self, prefix=""):
    state = extra_states(self, prefix)
    for module_name, module in self.named_modules(remove_duplicate=False):
        for name, tensor in {**module._parameters, **module._buffers}.items():
            if tensor is not None and name not in module._transient:
                state[prefix + joined(module_name, name)] = tensor.detach().clone()
    return state


@wrong("11.7", "nn.module.Module.state_dict", says="begin with extra_states")
def nothing_besides(self, prefix=""):
    state = {}
    for module_name, module in self.named_modules(remove_duplicate=False):
        for name, tensor in {**module._parameters, **module._buffers}.items():
            if tensor is not None and name not in module._transient:
                state[prefix + joined(module_name, name)] = tensor.detach()
    return state


@wrong("11.7", "nn.module.Module.state_dict", says="use detach()")
def stops_asking(self, prefix=""):
    state = extra_states(self, prefix)
    for module_name, module in self.named_modules(remove_duplicate=False):
        for name, tensor in {**module._parameters, **module._buffers}.items():
            if tensor is not None and name not in module._transient:
                state[prefix + joined(module_name, name)] = tensor.requires_grad_(False)
    return state


@wrong("11.7", "nn.module.copy_into", says="whoever holds the old tensors")
def by_assignment(own, given):
    for name in own:
        if name in given:
            own[name] = given[name]


@wrong("11.7", "nn.module.copy_into", says="copy the numbers")
def takes_the_memory(own, given):
    for name in own:
        if name in given:
            own[name].data = given[name]


@wrong("11.7", "nn.module.copy_into", says="are passed over")
def every_name_must_be_there(own, given):
    for name in own:
        own[name].copy_(given[name])


@wrong("11.7", "nn.module.copy_into", says="are passed over")
def every_given_name_must_be_there(own, given):
    for name in given:
        own[name].copy_(given[name])


@wrong("11.7", "nn.module.copy_into", says="are passed over")
def takes_up_new_names(own, given):
    for name in given:
        if name in own:
            own[name].copy_(given[name])
        else:
            own[name] = given[name]


@wrong("11.7", "nn.module.copy_into", says="each gets the tensor of its own name")
def by_place(own, given):
    if set(own) == set(given):
        for mine, theirs in zip(own.values(), given.values(), strict=True):
            mine.copy_(theirs)


@wrong("11.7", "nn.module.copy_into", says="from given into own")
def the_two_are_exchanged(own, given):
    for name in own:
        if name in given:
            new = given[name].clone()
            given[name].copy_(own[name])
            own[name].copy_(new)


@wrong("11.7", "nn.module.copy_into", says="it's from given into own")
def the_other_way_round(own, given):
    for name in own:
        if name in given:
            given[name].copy_(own[name])


@wrong("11.7", "nn.module.copy_into", says="the numbers go into the memory")
def a_clone_as_data(own, given):
    for name in own:
        if name in given:
            own[name].data = given[name].clone()


@wrong("11.7", "nn.module.copy_into", says="nobody who has saved the old ones is told")
def behind_everybodys_back(own, given):
    for name in own:
        if name in given:
            own[name]._data[...] = given[name]._data


@wrong("11.7", "nn.module.copy_into", says="that's the old number")
def only_the_first(own, given):
    for name in own:
        if name in given:
            own[name].copy_(given[name])
            return


@wrong("11.1", says="after the assignments")
def names_with_an_underscore_are_private(self, name, value):
    kind = kind_of(value) or vars(self).get("_kinds", {}).get(name)
    if kind is None or name.startswith("_"):
        super().__setattr__(name, value)
    else:
        self._set_part(name, value, kind)


@wrong("11.1", says="let _set_part raise the error")
def anything_goes_before_init(self, name, value):
    if not hasattr(self, "_kinds"):
        super().__setattr__(name, value)
        return
    kind = kind_of(value) or self._kinds.get(name)
    if kind is None:
        super().__setattr__(name, value)
    else:
        self._set_part(name, value, kind)


@wrong("11.2", "nn.module.Module.named_modules", says="at the same time")
def two_walks_share_what_they_have_seen(self, prefix="", remove_duplicate=True):
    seen = self.__dict__.setdefault("_seen", set())
    seen.clear()
    stack = [(prefix, self)]
    while stack:
        name, module = stack.pop()
        if remove_duplicate and module in seen:
            continue
        seen.add(module)
        yield name, module
        for child, part in reversed(module._modules.items()):
            if part is not None:
                stack.append((joined(name, child), part))


@wrong("11.2", "nn.module.Module._named", says="begins anew")
def remembers_from_walk_to_walk(self, kind, prefix, recurse, remove_duplicate=True):
    seen = self.__dict__.setdefault("_seen", set())
    modules = self.named_modules(prefix, remove_duplicate) if recurse else [(prefix, self)]
    for module_name, module in modules:
        for name, part in module._parts(kind).items():
            if part is not None and not (remove_duplicate and part in seen):
                seen.add(part)
                yield joined(module_name, name), part


@wrong("11.4", says="after the gradients 0, 4")
def a_sum_of_zeros_is_a_beginning(grad, group, state):
    velocity = kept(state, "momentum_buffer", grad)
    first = not velocity.any()
    velocity *= group["momentum"]
    velocity += grad if first else (1 - group["dampening"]) * grad
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.4", says="only the sum is dampened")
def the_result_is_dampened_too(grad, group, state):
    first = state.get("momentum_buffer") is None
    velocity = kept(state, "momentum_buffer", grad)
    velocity *= group["momentum"]
    grad = grad if first else (1 - group["dampening"]) * grad
    velocity += grad
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.4", says="group after")
def notes_the_first_step_in_the_group(grad, group, state):
    first = group.get("seen") is None
    group["seen"] = True
    velocity = kept(state, "momentum_buffer", grad)
    velocity *= group["momentum"]
    velocity += grad if first or "momentum_buffer" not in state else (1 - group["dampening"]) * grad
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.6", says="lists of samples")
def tuples(self):
    order = iter(self.order())
    while batch := tuple([self.sample(index) for index in islice(order, self.batch_size)]):
        if len(batch) == self.batch_size or not self.drop_last:
            yield self.collate_fn(batch if self.collate_fn is not list else [*batch])


@wrong("11.7", "nn.module.copy_into", says="isn't yours to change")
def takes_out_what_it_has_copied(own, given):
    for name in own:
        if name in given:
            own[name].copy_(given.pop(name))


@wrong("11.7", "nn.module.copy_into", says="no reason to pass a name over")
def only_what_has_the_same_dtype(own, given):
    for name in own:
        if name in given and own[name].dtype == given[name].dtype:
            own[name].copy_(given[name])


@wrong("11.1", says="says anew that it's to be saved")
def registers_a_buffer_anew(self, name, value):
    kind = kind_of(value) or vars(self).get("_kinds", {}).get(name)
    if kind is Tensor:
        self.register_buffer(name, value)
    elif kind is not None:
        self._set_part(name, value, kind)
    else:
        super().__setattr__(name, value)


@wrong("11.1", says="ask vars(self) for it")
def asks_only_where_there_is_an_attribute(self, name, value):
    kind = kind_of(value)
    if kind is None and hasattr(self, name):
        kind = self._kinds.get(name)
    if kind is None:
        super().__setattr__(name, value)
    else:
        self._set_part(name, value, kind)


@wrong("11.2", "nn.module.Module.named_modules", says="when its turn comes")
def noted_when_it_is_put_aside(self, prefix="", remove_duplicate=True):
    seen, stack = {self}, [(prefix, self)]
    while stack:
        name, module = stack.pop()
        yield name, module
        aside = []
        for child, part in module._modules.items():
            if part is not None and not (remove_duplicate and part in seen):
                seen.add(part)
                aside.append((joined(name, child), part))
        stack += reversed(aside)


@wrong("11.2", "nn.module.Module.named_modules", says="counts as false")
def what_is_false_is_none(self, prefix="", remove_duplicate=True):
    seen = set()

    def walk(name, module):
        if not (remove_duplicate and module in seen):
            seen.add(module)
            yield name, module
            for child, part in module._modules.items():
                if part:
                    yield from walk(joined(name, child), part)

    yield from walk(prefix, self)


@wrong("11.2", "nn.module.Module.named_modules", says="net itself was seen first")
def noted_after_its_parts(self, prefix="", remove_duplicate=True):
    seen = set()

    def walk(name, module):
        yield name, module
        for child, part in module._modules.items():
            if part is not None and not (remove_duplicate and part in seen):
                yield from walk(joined(name, child), part)
        seen.add(module)

    yield from walk(prefix, self)


@wrong("11.2", "nn.module.Module.named_modules", says="all of the walk, in any call, must know")
def each_call_begins_anew(self, prefix="", remove_duplicate=True):
    seen = set()
    yield prefix, self
    for child, part in self._modules.items():
        if part is not None and not (remove_duplicate and part in seen):
            seen.add(part)
            yield from part.named_modules(joined(prefix, child), remove_duplicate)


@wrong("11.2", "nn.module.Module._named", says="yield the pairs")
def a_list_of_pairs(self, kind, prefix, recurse, remove_duplicate=True):
    seen, found = set(), []
    modules = self.named_modules(prefix, remove_duplicate) if recurse else [(prefix, self)]
    for module_name, module in modules:
        for name, part in module._parts(kind).items():
            if part is not None and not (remove_duplicate and part in seen):
                seen.add(part)
                found.append((joined(module_name, name), part))
    return found


@wrong("11.2", "nn.module.Module._named", says="it comes under its first name")
def the_last_name_counts(self, kind, prefix, recurse, remove_duplicate=True):
    found = {}
    modules = self.named_modules(prefix, remove_duplicate) if recurse else [(prefix, self)]
    for module_name, module in modules:
        for name, part in module._parts(kind).items():
            if part is not None:
                found[part] = joined(module_name, name)
    for part, name in found.items():
        yield name, part


@wrong("11.5", says="each mean has a beta of its own")
def both_corrected_alike(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    seen = 1 - beta1 ** step.item()
    return group["lr"] * (mean / seen) / (np.sqrt(square / seen) + group["eps"])


@wrong("11.5", says="the Tensor that kept() puts there")
def a_count_that_is_a_number(grad, group, state):
    beta1, beta2 = group["betas"]
    state["step"] = step = state.get("step", 0) + 1
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    seen1, seen2 = 1 - beta1**step, 1 - beta2**step
    return group["lr"] * (mean / seen1) / (np.sqrt(square / seen2) + group["eps"])


@wrong("11.6", says="raises IndexError")
def an_error_ends_the_epoch(self):
    order, batch = iter(self.order()), [None]
    while batch:
        batch = []
        try:
            while len(batch) < self.batch_size:
                batch.append(self.sample(next(order)))
        except (StopIteration, IndexError):
            pass
        if batch and (len(batch) == self.batch_size or not self.drop_last):
            yield self.collate_fn(batch)


@wrong("11.6", says="variables of its own")
def one_place_for_all_epochs(self):
    self._order = iter(self.order())
    while batch := [self.sample(index) for index in islice(self._order, self.batch_size)]:
        if len(batch) == self.batch_size or not self.drop_last:
            yield self.collate_fn(batch)


@wrong("11.6", says="what collate_fn=sum makes")
def a_batch_that_is_false_is_none(self):
    order = iter(self.order())
    while samples := [self.sample(index) for index in islice(order, self.batch_size)]:
        full = len(samples) == self.batch_size or not self.drop_last
        if full and (batch := self.collate_fn(samples)) is not None and batch != 0:
            yield batch


@wrong("11.7", "nn.module.Module.state_dict", says="they have the prefix too")
def the_rest_without_prefix(self, prefix=""):
    state = extra_states(self)
    for module_name, module in self.named_modules(remove_duplicate=False):
        for name, tensor in {**module._parameters, **module._buffers}.items():
            if tensor is not None and name not in module._transient:
                state[prefix + joined(module_name, name)] = tensor.detach()
    return state


@wrong("11.7", "nn.module.Module.state_dict", says="twice being a buffer that was computed")
def buffers_as_they_are(self, prefix=""):
    state = extra_states(self, prefix)
    for module_name, module in self.named_modules(remove_duplicate=False):
        for name, tensor in {**module._parameters, **module._buffers}.items():
            if tensor is not None and name not in module._transient:
                bare = tensor if name in module._buffers else tensor.detach()
                state[prefix + joined(module_name, name)] = bare
    return state


@wrong("11.7", "nn.module.Module.state_dict", says="frozen or not")
def only_what_learns_is_saved(self, prefix=""):
    state = extra_states(self, prefix)
    for module_name, module in self.named_modules(remove_duplicate=False):
        for name, tensor in {**module._parameters, **module._buffers}.items():
            learns = tensor is not None and (tensor.requires_grad or name in module._buffers)
            if learns and name not in module._transient:
                state[prefix + joined(module_name, name)] = tensor.detach()
    return state


@wrong("11.7", "nn.module.Module.state_dict", says="has no second name")
def unsaved_by_its_first_name(self, prefix=""):
    state = extra_states(self, prefix)
    unsaved = {joined(n, name) for n, module in self.named_modules() for name in module._transient}
    for module_name, module in self.named_modules(remove_duplicate=False):
        for name, tensor in {**module._parameters, **module._buffers}.items():
            full = joined(module_name, name)
            if tensor is not None and full not in unsaved:
                state[prefix + full] = tensor.detach()
    return state


@wrong("11.5", says="step.item() is a plain number")
def powers_in_float32(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    seen1, seen2 = 1 - beta1**step, 1 - beta2**step
    return group["lr"] * (mean / seen1) / (np.sqrt(square / seen2) + group["eps"])


@wrong("11.5", says="on a state of 300 steps")
def corrects_a_hundred_steps_at_most(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    steps = min(100, step.item())
    seen1, seen2 = 1 - beta1**steps, 1 - beta2**steps
    return group["lr"] * (mean / seen1) / (np.sqrt(square / seen2) + group["eps"])


@wrong("11.5", says="stays visible")
def hides_what_is_no_number(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    seen1, seen2 = 1 - beta1 ** step.item(), 1 - beta2 ** step.item()
    with np.errstate(all="ignore"):
        moved = group["lr"] * (mean / seen1) / (np.sqrt(square / seen2) + group["eps"])
    return np.nan_to_num(moved)


@wrong("11.5", says="adam_step, usual settings, step 2")
def decays_on_its_own(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    grad = grad + group.get("weight_decay", 0) * mean
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    seen1, seen2 = 1 - beta1 ** step.item(), 1 - beta2 ** step.item()
    return group["lr"] * (mean / seen1) / (np.sqrt(square / seen2) + group["eps"])


@wrong("11.5", says="which is exp_avg_sq")
def the_two_names_exchanged(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg_sq", grad), kept(state, "exp_avg", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    seen1, seen2 = 1 - beta1 ** step.item(), 1 - beta2 ** step.item()
    return group["lr"] * (mean / seen1) / (np.sqrt(square / seen2) + group["eps"])


@wrong("11.5", says="takes in 1 - beta of what is new")
def a_sum_in_place_of_a_mean(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean *= beta1
    mean += grad
    square += (1 - beta2) * (grad * grad - square)
    seen1, seen2 = 1 - beta1 ** step.item(), 1 - beta2 ** step.item()
    return group["lr"] * (mean / seen1) / (np.sqrt(square / seen2) + group["eps"])


@wrong("11.1", says="the old one is still registered")
def a_buffer_is_never_none(self, name, value):
    kind = kind_of(value) or vars(self).get("_kinds", {}).get(name)
    if kind is None or (kind is Tensor and value is None):
        super().__setattr__(name, value)
    else:
        self._set_part(name, value, kind)


@wrong("11.2", "nn.module.Module.named_modules", says="the walk goes on after it")
def stops_where_a_part_is_none(self, prefix="", remove_duplicate=True):
    seen = set()

    def walk(name, module):
        if remove_duplicate and module in seen:
            return
        seen.add(module)
        yield name, module
        for child, part in module._modules.items():
            if part is None:
                return
            yield from walk(joined(name, child), part)

    yield from walk(prefix, self)


@wrong("11.2", "nn.module.Module.named_modules", says="in which they were made")
def by_the_alphabet(self, prefix="", remove_duplicate=True):
    seen = set()

    def walk(name, module):
        if remove_duplicate and module in seen:
            return
        seen.add(module)
        yield name, module
        for child, part in sorted(module._modules.items()):
            if part is not None:
                yield from walk(joined(name, child), part)

    yield from walk(prefix, self)


@wrong("11.2", "nn.module.Module.named_modules", says="begin with the prefix, too")
def only_itself_has_the_prefix(self, prefix="", remove_duplicate=True):
    seen = set()

    def walk(name, module):
        if remove_duplicate and module in seen:
            return
        seen.add(module)
        yield name or prefix, module
        for child, part in module._modules.items():
            if part is not None:
                yield from walk(joined(name, child), part)

    yield from walk("", self)


@wrong("11.2", "nn.module.Module._named", says="whatever recurse is")
def forgets_the_prefix_of_the_walk(self, kind, prefix, recurse, remove_duplicate=True):
    modules = self.named_modules("", remove_duplicate) if recurse else [(prefix, self)]
    seen = set()
    for module_name, module in modules:
        for name, part in module._parts(kind).items():
            if part is not None and not (remove_duplicate and part in seen):
                seen.add(part)
                yield joined(module_name, name), part


@wrong("11.3", "nn.init.fans_of_shape", says="a tuple of two")
def a_list_of_two(shape):
    outputs, inputs, *kernel = shape
    return [inputs * math.prod(kernel), outputs * math.prod(kernel)]


@wrong("11.4", says="has no sum yet")
def an_empty_state_is_a_beginning(grad, group, state):
    first = not state
    velocity = kept(state, "momentum_buffer", grad)
    velocity *= group["momentum"]
    velocity += grad if first else (1 - group["dampening"]) * grad
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.4", says="the sum shrinks first")
def shrinks_at_the_end(grad, group, state):
    first = "momentum_buffer" not in state
    velocity = kept(state, "momentum_buffer", grad)
    velocity += grad if first else (1 - group["dampening"]) * grad
    result = velocity.copy()
    velocity *= group["momentum"]
    return grad + group["momentum"] * result if group["nesterov"] else result


@wrong("11.4", says="is no finite number")
def lets_no_nan_in(grad, group, state):
    grad = grad.copy()
    grad[grad != grad] = 0
    first = "momentum_buffer" not in state
    velocity = kept(state, "momentum_buffer", grad)
    velocity *= group["momentum"]
    velocity += grad if first else (1 - group["dampening"]) * grad
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.6", says="count the samples")
def counts_what_was_collated(self):
    order = iter(self.order())
    while samples := [self.sample(index) for index in islice(order, self.batch_size)]:
        batch = self.collate_fn(samples)
        if not self.drop_last or len(batch) == self.batch_size:
            yield batch


@wrong("11.6", says="by a sampler")
def counts_what_has_a_length(self):
    order = iter(self.order())
    while samples := [self.sample(index) for index in islice(order, self.batch_size)]:
        batch = self.collate_fn(samples)
        length = len(batch) if isinstance(batch, (list, tuple)) else len(samples)
        if not self.drop_last or length == self.batch_size:
            yield batch


@wrong("11.6", says="a sample() of its own")
def asks_the_data_set_unless_it_is_a_stream(self):
    order = iter(self.order())
    stream = self.sampler is None
    while batch := [n if stream else self.dataset[n] for n in islice(order, self.batch_size)]:
        if len(batch) == self.batch_size or not self.drop_last:
            yield self.collate_fn(batch)


@wrong("11.6", says="an order() and")
def asks_the_sampler_itself(self):
    order = iter(self.dataset if self.sampler is None else self.sampler)
    while batch := [self.sample(index) for index in islice(order, self.batch_size)]:
        if len(batch) == self.batch_size or not self.drop_last:
            yield self.collate_fn(batch)


@wrong("11.6", says="for and islice end quietly")
def runs_out_inside(self):
    order = iter(self.order())
    while True:
        batch = [self.sample(next(order))]
        batch += [self.sample(index) for index in islice(order, self.batch_size - 1)]
        if len(batch) == self.batch_size or not self.drop_last:
            yield self.collate_fn(batch)


@wrong("11.6", says="lists of samples")
def samples_that_come_later(self):
    order = iter(self.order())
    while numbers := list(islice(order, self.batch_size)):
        if len(numbers) == self.batch_size or not self.drop_last:
            yield self.collate_fn(self.sample(index) for index in numbers)


@wrong("11.6", says="raises KeyboardInterrupt")
def nothing_stops_it(self):
    order, batch = iter(self.order()), []
    for index in order:
        try:
            batch.append(self.sample(index))
        except KeyboardInterrupt:
            break
        if len(batch) == self.batch_size:
            yield self.collate_fn(batch)
            batch = []
    if batch and not self.drop_last:
        yield self.collate_fn(batch)


@wrong("11.7", "nn.module.Module.state_dict", says="whatever its dtype")
def only_floats_are_saved(self, prefix=""):
    state = extra_states(self, prefix)
    for module_name, module in self.named_modules(remove_duplicate=False):
        for name, tensor in {**module._parameters, **module._buffers}.items():
            saved = tensor is not None and tensor.is_floating_point()
            if saved and name not in module._transient:
                state[prefix + joined(module_name, name)] = tensor.detach()
    return state


@wrong("11.7", "nn.module.copy_into", says="plays no part in a copy")
def emptied_by_zero(own, given):
    for name in own:
        if name in given:
            own[name].mul_(0).add_(given[name])


@wrong("11.7", "nn.module.copy_into", says="plays no part in a copy")
def moved_by_the_difference(own, given):
    for name in own:
        if name in given:
            own[name].add_(given[name] - own[name])


@wrong("11.7", "nn.module.copy_into", says="3 numbers don't fit")
def passes_over_what_does_not_fit(own, given):
    for name in own:
        if name in given and own[name].shape == given[name].shape:
            own[name].copy_(given[name])


@wrong("11.7", "nn.module.copy_into", says="a truth value")
def only_numbers(own, given):
    for name in own:
        if name in given and own[name].numpy().dtype != bool:
            own[name].copy_(given[name])


@wrong("11.4", says="'momentum': 0, ")
def no_momentum_is_the_usual_one(grad, group, state):
    first = "momentum_buffer" not in state
    velocity = kept(state, "momentum_buffer", grad)
    velocity *= group["momentum"] or 0.9
    velocity += grad if first else (1 - group["dampening"]) * grad
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.4", says="do for all")
def writes_through_a_slice(grad, group, state):
    first = "momentum_buffer" not in state
    velocity = kept(state, "momentum_buffer", grad)
    velocity[:] = group["momentum"] * velocity
    velocity += grad if first else (1 - group["dampening"]) * grad
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.2", "nn.module.Module.named_modules", says="a network may grow")
def walks_once_in_its_life(self, prefix="", remove_duplicate=True):
    def walk(name, module, seen):
        if remove_duplicate and module in seen:
            return
        seen.add(module)
        yield name, module
        for child, part in module._modules.items():
            if part is not None:
                yield from walk(joined(name, child), part, seen)

    walks = vars(self).setdefault("_walks", {})
    if (prefix, remove_duplicate) not in walks:
        walks[prefix, remove_duplicate] = list(walk(prefix, self, set()))
    yield from walks[prefix, remove_duplicate]


@wrong("11.2", "nn.module.Module._named", says="a part may be another one")
def remembers_what_it_has_found(self, kind, prefix, recurse, remove_duplicate=True):
    found, asked = vars(self).setdefault("_found", {}), (kind, prefix, recurse, remove_duplicate)
    if asked not in found:
        modules = self.named_modules(prefix, remove_duplicate) if recurse else [(prefix, self)]
        seen, found[asked] = set(), []
        for module_name, module in modules:
            for name, part in module._parts(kind).items():
                if part is not None and not (remove_duplicate and part in seen):
                    seen.add(part)
                    found[asked].append((joined(module_name, name), part))
    yield from found[asked]


@wrong("11.7", "nn.module.Module.state_dict", says="makes a dictionary of its own")
def one_dictionary_for_all_calls(self, prefix=""):
    states = vars(self).setdefault("_states", {})
    if prefix not in states:
        states[prefix] = state = extra_states(self, prefix)
        for module_name, module in self.named_modules(remove_duplicate=False):
            for name, tensor in {**module._parameters, **module._buffers}.items():
                if tensor is not None and name not in module._transient:
                    state[prefix + joined(module_name, name)] = tensor.detach()
    return states[prefix]


@wrong("11.7", "nn.module.copy_into", says="3 numbers don't fit")
def swallows_what_does_not_fit(own, given):
    for name in own:
        try:
            own[name].copy_(given[name])
        except (KeyError, RuntimeError):
            continue


@wrong("11.7", "nn.module.copy_into", says="copy_() does for all")
def copies_into_a_slice(own, given):
    for name in own:
        if name in given:
            own[name][:] = given[name]


@wrong("11.7", "nn.module.copy_into", says="doesn't keep the others")
def ends_at_a_name_that_is_missing(own, given):
    for name in own:
        if name not in given:
            break
        own[name].copy_(given[name])


@wrong("11.5", says="first bring all three up to date")
def corrects_the_mean_by_the_steps_before(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean = kept(state, "exp_avg", grad)
    square = kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    mean_now, square_now = (
        mean / (1 - beta1 ** (step.item() - 1)),
        square / (1 - beta2 ** step.item()),
    )
    return group["lr"] * mean_now / (np.sqrt(square_now) + group["eps"])


@wrong("11.5", says="first bring all three up to date")
def divides_by_zero_in_python(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    seen1, seen2 = 1 - beta1 ** step.item(), 1 - beta2 ** step.item()
    mean = kept(state, "exp_avg", grad)
    square = kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    return (group["lr"] / seen1) * mean / (np.sqrt(square) / seen2**0.5 + group["eps"])


@wrong("11.5", says="it takes in the gradient's square, not the gradient")
def the_second_mean_is_of_the_gradient_too(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean = kept(state, "exp_avg", grad)
    square = kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad - square)
    seen1, seen2 = 1 - beta1 ** step.item(), 1 - beta2 ** step.item()
    return (group["lr"] / seen1) * mean / (np.sqrt(square / seen2) + group["eps"])


@wrong("11.5", says="first a mean shrinks, then it takes in what is new")
def takes_in_first_and_shrinks_afterwards(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean = kept(state, "exp_avg", grad)
    square = kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * grad
    mean *= beta1
    square += (1 - beta2) * grad * grad
    square *= beta2
    seen1, seen2 = 1 - beta1 ** step.item(), 1 - beta2 ** step.item()
    return (group["lr"] / seen1) * mean / (np.sqrt(square / seen2) + group["eps"])


@wrong("11.2", "nn.module.Module.named_modules", says="ask module._modules")
def walks_over_all_attributes(self, prefix="", remove_duplicate=True):
    seen = set()
    stack = [(prefix, self)]
    while stack:
        name, module = stack.pop()
        if remove_duplicate and module in seen:
            continue
        seen.add(module)
        yield name, module
        for child, part in reversed(vars(module).items()):
            if isinstance(part, Module):
                stack.append((joined(name, child), part))


@wrong("11.2", "nn.module.Module._named", says="ask module._parts(kind)")
def looks_among_all_attributes(self, kind, prefix, recurse, remove_duplicate=True):
    seen = set()
    modules = self.named_modules(prefix, remove_duplicate) if recurse else [(prefix, self)]
    for module_name, module in modules:
        for name, part in vars(module).items():
            if part is None or module._kinds.get(name) is not kind:
                continue
            if not (remove_duplicate and part in seen):
                seen.add(part)
                yield joined(module_name, name), part


@wrong("11.7", "nn.module.copy_into", says="what empties own empties given")
def empties_and_adds(own, given):
    for name in own:
        if name in given:
            own[name].zero_().add_(given[name])


@wrong("11.7", "nn.module.copy_into", says="given isn't yours to change")
def takes_out_what_is_unexpected(own, given):
    for name in [*given]:
        if name not in own:
            del given[name]
    for name in given:
        own[name].copy_(given[name])


@wrong("11.7", "nn.module.Module.state_dict", says="leaves out that buffer alone")
def one_unsaved_buffer_drops_the_module(self, prefix=""):
    state = extra_states(self, prefix)
    for module_name, module in self.named_modules(remove_duplicate=False):
        for name, tensor in {**module._parameters, **module._buffers}.items():
            if tensor is not None and not module._transient:
                state[prefix + joined(module_name, name)] = tensor.detach()
    return state


@wrong("11.1", says="let _set_part raise it")
def swallows_the_error(self, name, value):
    kind = kind_of(value) or vars(self).get("_kinds", {}).get(name)
    if kind is None:
        super().__setattr__(name, value)
        return
    try:
        self._set_part(name, value, kind)
    except TypeError:
        delattr(self, name)
        super().__setattr__(name, value)


@wrong("11.5", says="eps is added to the root, whichever of the two is larger")
def eps_as_a_lower_bound(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    seen1, seen2 = 1 - beta1 ** step.item(), 1 - beta2 ** step.item()
    return group["lr"] * (mean / seen1) / np.maximum(np.sqrt(square / seen2), group["eps"])


@wrong("11.5", says="the second step's powers are beta**2")
def counted_after_the_powers(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    steps = max(1.0, step.item())
    step += 1
    root = np.sqrt(square / (1 - beta2**steps))
    return group["lr"] * (mean / (1 - beta1**steps)) / (root + group["eps"])


@wrong("11.7", "nn.module.copy_into", says="a single number counts, too")
def single_numbers_are_passed_over(own, given):
    for name in own:
        if name in given and own[name].shape:
            own[name].copy_(given[name])


@wrong("11.2", "nn.module.Module.named_modules", says="yield from hands on")
def calls_itself_without_yield_from(self, prefix="", remove_duplicate=True):
    seen = set()

    def walk(name, module):
        if remove_duplicate and module in seen:
            return
        seen.add(module)
        yield name, module
        for child, part in module._modules.items():
            if part is not None:
                walk(joined(name, child), part)

    yield from walk(prefix, self)


@wrong("11.2", "nn.module.Module.named_modules", says="gave None: hand out pairs")
def hands_out_nothing(self, prefix="", remove_duplicate=True):
    seen = set()

    def walk(name, module):
        if remove_duplicate and module in seen:
            return
        seen.add(module)
        yield name, module
        for child, part in module._modules.items():
            if part is not None:
                yield from walk(joined(name, child), part)

    walk(prefix, self)


@wrong("11.4", says="the new sum goes on top")
def looks_ahead_along_the_old_sum(grad, group, state):
    first = state.get("momentum_buffer") is None
    velocity = kept(state, "momentum_buffer", grad)
    old = velocity.copy()
    velocity *= group["momentum"]
    velocity += grad if first else (1 - group["dampening"]) * grad
    return grad + group["momentum"] * old if group["nesterov"] else velocity


@wrong("11.5", says="correct the mean of squares first")
def corrects_after_the_root(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean = kept(state, "exp_avg", grad)
    square = kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    seen1, seen2 = 1 - beta1 ** step.item(), 1 - beta2 ** step.item()
    return (group["lr"] / seen1) * mean / (np.sqrt(square) / seen2 + group["eps"])


@wrong("11.1", says="what's in it isn't registered")
def registers_what_is_in_a_list(self, name, value):
    if isinstance(value, (list, tuple)) and value and all(map(kind_of, value)):
        for i, part in enumerate(value):
            self._set_part(f"{name}_{i}", part, kind_of(part))
    kind = kind_of(value) or vars(self).get("_kinds", {}).get(name)
    if kind is None:
        super().__setattr__(name, value)
    else:
        self._set_part(name, value, kind)


@wrong("11.1", says="what's in it isn't registered")
def registers_what_is_in_a_dictionary(self, name, value):
    if isinstance(value, dict) and "_kinds" in vars(self):
        for key, part in value.items():
            if kind_of(part) is not None:
                self._set_part(str(key), part, kind_of(part))
    kind = kind_of(value) or vars(self).get("_kinds", {}).get(name)
    if kind is None:
        super().__setattr__(name, value)
    else:
        self._set_part(name, value, kind)


@wrong("11.1", says="neither true nor false")
def asks_whether_it_equals_none(self, name, value):
    kind = kind_of(value)
    if kind is None and (value == None or isinstance(value, Tensor)):  # noqa: E711
        kind = vars(self).get("_kinds", {}).get(name)
    if kind is None:
        super().__setattr__(name, value)
    else:
        self._set_part(name, value, kind)


@wrong("11.1", says="what is refused changes nothing")
def makes_room_first(self, name, value):
    kind = kind_of(value) or vars(self).get("_kinds", {}).get(name)
    if kind is not None and name in vars(self) and name not in vars(self).get("_kinds", {}):
        super().__delattr__(name)
    if kind is None:
        super().__setattr__(name, value)
    else:
        self._set_part(name, value, kind)


@wrong("11.1", says="that's for __init__")
def makes_the_kinds_itself(self, name, value):
    kind = kind_of(value) or vars(self).setdefault("_kinds", {}).get(name)
    if kind is None:
        super().__setattr__(name, value)
    else:
        self._set_part(name, value, kind)


@wrong("11.1", says="to be stored like any other value")
def nothing_to_do_for_the_same(self, name, value):
    if vars(self).get(name) is value:
        return
    kind = kind_of(value) or vars(self).get("_kinds", {}).get(name)
    if kind is None:
        super().__setattr__(name, value)
    else:
        self._set_part(name, value, kind)


@wrong("11.1", says="nobody heard of it")
def what_is_refused_becomes_plain(self, name, value):
    kind = kind_of(value) or vars(self).get("_kinds", {}).get(name)
    if kind is None:
        super().__setattr__(name, value)
        return
    try:
        self._set_part(name, value, kind)
    except (TypeError, KeyError):
        super().__setattr__(name, value)


@wrong("11.1", says="del forgets that it isn't to be saved")
def deletes_the_old_part_first(self, name, value):
    kind = kind_of(value) or vars(self).get("_kinds", {}).get(name)
    if kind is None:
        super().__setattr__(name, value)
        return
    if name in vars(self):
        delattr(self, name)
    self._set_part(name, value, kind)


@wrong("11.1", says="with which rest kept its place")
def a_free_place_is_no_part(self, name, value):
    kind = kind_of(value)
    if kind is None and vars(self).get(name) is not None:
        kind = vars(self).get("_kinds", {}).get(name)
    if kind is None:
        super().__setattr__(name, value)
    else:
        self._set_part(name, value, kind)


@wrong("11.1", says="net.w = net.again")
def a_part_has_one_name(self, name, value):
    kind = kind_of(value) or vars(self).get("_kinds", {}).get(name)
    others = vars(self).get("_of_kind", {}).get(kind, {}).items()
    if kind is not None and any(value is part for n, part in others if n != name):
        kind = None
    if kind is None:
        super().__setattr__(name, value)
    else:
        self._set_part(name, value, kind)


@wrong("11.2", "nn.module.Module._named", says="recurse=False), net = {w}")
def counts_dots(self, kind, prefix, recurse, remove_duplicate=True):
    seen = set()
    for module_name, module in self.named_modules(prefix, remove_duplicate):
        for name, part in module._parts(kind).items():
            full = joined(module_name, name)
            if part is None or (not recurse and full.count(".") > (1 if prefix else 0)):
                continue
            if not (remove_duplicate and part in seen):
                seen.add(part)
                yield full, part


@wrong("11.2", "nn.module.Module.named_modules", says="named_modules('net.')")
def strips_the_prefix(self, prefix="", remove_duplicate=True):
    seen = set()

    def walk(name, module):
        if remove_duplicate and module in seen:
            return
        seen.add(module)
        yield name, module
        for child, part in module._modules.items():
            if part is not None:
                yield from walk(joined(name, child), part)

    yield from walk(prefix.strip("."), self)


@wrong("11.2", "nn.module.Module.named_modules", says="left half-way")
def marks_the_modules(self, prefix="", remove_duplicate=True):
    marked = []

    def walk(name, module):
        if remove_duplicate and vars(module).get("_walked"):
            return
        vars(module)["_walked"] = True
        marked.append(module)
        yield name, module
        for child, part in module._modules.items():
            if part is not None:
                yield from walk(joined(name, child), part)

    yield from walk(prefix, self)
    for module in marked:
        vars(module).pop("_walked", None)


@wrong("11.2", "nn.module.Module.named_modules", says="net itself was seen first")
def walks_on_where_it_has_been(self, prefix="", remove_duplicate=True):
    seen, stack = set(), [(prefix, self)]
    while stack:
        name, module = stack.pop()
        if not (remove_duplicate and module in seen):
            seen.add(module)
            yield name, module
        for child, part in reversed(module._modules.items()):
            if part is not None:
                stack.append((joined(name, child), part))


@wrong("11.2", "nn.module.Module._named", says="one prefix is enough")
def the_prefix_twice(self, kind, prefix, recurse, remove_duplicate=True):
    seen = set()
    modules = self.named_modules(prefix, remove_duplicate) if recurse else [("", self)]
    for module_name, module in modules:
        for name, part in module._parts(kind).items():
            if part is not None and not (remove_duplicate and part in seen):
                seen.add(part)
                yield joined(prefix, joined(module_name, name)), part


@wrong("11.3", "nn.init.fans_of_shape", says="however many axes it has")
def two_axes_of_the_kernel(shape):
    size = math.prod(shape[2:4])
    return shape[1] * size, shape[0] * size


@wrong("11.3", "nn.init.fans_of_shape", says="fan_of makes it 1")
def never_zero(shape):
    outputs, inputs, *kernel = shape
    size = math.prod(kernel)
    return max(1, inputs * size), max(1, outputs * size)


@wrong("11.3", "nn.init.fans_of_shape", says="fans_of_shape((2, 3, 1048576, 1048576))")
def counts_in_32_bits(shape):
    outputs, inputs, *kernel = shape
    size = int(np.prod(np.array(kernel, dtype=np.int32), dtype=np.int32))
    return inputs * size, outputs * size


@wrong("11.3", "nn.init.kaiming_std", says="knows them all")
def asks_the_table(tensor, a, mode, nonlinearity):
    leaky = nonlinearity == "leaky_relu"
    gain = calculate_gain(nonlinearity, a) if leaky else GAINS[nonlinearity]
    return gain / math.sqrt(fan_of(tensor, mode))


@wrong("11.3", "nn.init.kaiming_std", says="refuse what they don't know")
def an_unknown_gain_is_1(tensor, a, mode, nonlinearity):
    leaky = nonlinearity == "leaky_relu"
    gain = calculate_gain(nonlinearity, a) if leaky else GAINS.get(nonlinearity, 1.0)
    return gain / math.sqrt(fan_of(tensor, mode))


@wrong("11.3", "nn.init.kaiming_std", says="matters to no other")
def the_slope_always_counts(tensor, a, mode, nonlinearity):
    gain = calculate_gain("linear" if nonlinearity == "leaky_relu" else nonlinearity)
    root = 2**0.5 if nonlinearity == "leaky_relu" else 1
    return root * gain / math.sqrt((1 + a * a) * fan_of(tensor, mode))


@wrong("11.3", "nn.init.kaiming_std", says="a slope of 0 is a slope")
def no_slope_is_the_usual_one(tensor, a, mode, nonlinearity):
    return calculate_gain(nonlinearity, a or None) / math.sqrt(fan_of(tensor, mode))


@wrong("11.4", says="only float32's digits")
def through_float32(grad, group, state):
    first = state.get("momentum_buffer") is None
    velocity = kept(state, "momentum_buffer", grad)
    share = 1 if first else 1 - group["dampening"]
    velocity[...] = (group["momentum"] * velocity + share * grad).astype("float32")
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.4", says="times 1e-100")
def what_is_tiny_is_nothing(grad, group, state):
    first = state.get("momentum_buffer") is None
    velocity = kept(state, "momentum_buffer", grad)
    velocity *= group["momentum"]
    velocity += grad if first else (1 - group["dampening"]) * grad
    velocity[abs(velocity) < 1e-12] = 0
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.4", says="is no finite number")
def sweeps_the_sum(grad, group, state):
    first = state.get("momentum_buffer") is None
    velocity = kept(state, "momentum_buffer", grad)
    velocity *= group["momentum"]
    velocity += grad if first else (1 - group["dampening"]) * grad
    velocity[(velocity != velocity) | (abs(velocity) == float("inf"))] = 0
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.4", says="even where a gradient is 0")
def a_zero_changes_nothing(grad, group, state):
    first = state.get("momentum_buffer") is None
    velocity = kept(state, "momentum_buffer", grad)
    if grad.any():
        velocity *= group["momentum"]
        velocity += grad if first else (1 - group["dampening"]) * grad
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.4", says="shares its memory with grad")
def hands_the_gradient_back(grad, group, state):
    first = state.get("momentum_buffer") is None
    velocity = kept(state, "momentum_buffer", grad)
    velocity *= group["momentum"]
    velocity += grad if first else (1 - group["dampening"]) * grad
    if first and not group["nesterov"]:
        return grad
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.5", says="however many there were")
def the_first_correction_ends(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    seen1 = 1 - beta1 ** step.item() if step <= 20 else 1.0
    seen2 = 1 - beta2 ** step.item()
    return group["lr"] * (mean / seen1) / (np.sqrt(square / seen2) + group["eps"])


@wrong("11.5", says="each mean by its own 1 - beta**steps")
def a_share_that_is_not_too_small(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    seen1, seen2 = 1 - beta1 ** step.item(), max(1e-3, 1 - beta2 ** step.item())
    return group["lr"] * (mean / seen1) / (np.sqrt(square / seen2) + group["eps"])


@wrong("11.5", says="times 1e-100")
def tiny_gradients_are_nothing(grad, group, state):
    grad = np.where(abs(grad) < 1e-9, 0, grad).astype(grad.dtype)
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    seen1, seen2 = 1 - beta1 ** step.item(), 1 - beta2 ** step.item()
    with np.errstate(all="ignore"):
        return group["lr"] * (mean / seen1) / (np.sqrt(square / seen2) + group["eps"])


@wrong("11.5", says="has no logarithm")
def powers_by_logarithms(grad, group, state):
    import math

    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    seen1, seen2 = (-math.expm1(step.item() * math.log(beta)) for beta in (beta1, beta2))
    return group["lr"] * (mean / seen1) / (np.sqrt(square / seen2) + group["eps"])


@wrong("11.5", says="counts like any other")
def a_gradient_of_zero_does_nothing(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    seen1, seen2 = 1 - beta1 ** step.item(), 1 - beta2 ** step.item()
    step_ = group["lr"] * (mean / seen1) / (np.sqrt(square / seen2) + group["eps"])
    return np.where(grad == 0, 0, step_).astype(grad.dtype)


@wrong("11.5", says="make it in an array of its own")
def the_step_in_the_mean(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    mean *= group["lr"] / (1 - beta1 ** step.item())
    mean /= np.sqrt(square / (1 - beta2 ** step.item())) + group["eps"]
    return mean


@wrong("11.6", says="variables of its own")
def one_list_for_all_epochs(self):
    self._batch = []
    for index in self.order():
        self._batch.append(self.sample(index))
        if len(self._batch) == self.batch_size:
            full, self._batch = self._batch, []
            yield self.collate_fn(full)
    if self._batch and not self.drop_last:
        yield self.collate_fn(self._batch)


@wrong("11.6", says="variables of its own")
def counts_on_the_loader(self):
    self.count = 0
    for index in self.order():
        if self.count % self.batch_size == 0:
            batch = []
        batch.append(self.sample(index))
        self.count += 1
        if self.count % self.batch_size == 0:
            yield self.collate_fn(batch)
    if self.count % self.batch_size and not self.drop_last:
        yield self.collate_fn(batch)


@wrong("11.6", says="by a collate_fn that raises")
def an_error_while_collating_ends_it(self):
    order = iter(self.order())
    while batch := [self.sample(index) for index in islice(order, self.batch_size)]:
        if len(batch) == self.batch_size or not self.drop_last:
            try:
                made = self.collate_fn(batch)
            except Exception:
                return
            yield made


@wrong("11.6", says="each of a batch once")
def asks_again_after_an_error(self):
    order = iter(self.order())
    while numbers := list(islice(order, self.batch_size)):
        if len(numbers) < self.batch_size and self.drop_last:
            return
        try:
            made = self.collate_fn([self.sample(index) for index in numbers])
        except RuntimeError:
            made = self.collate_fn([self.sample(index) for index in numbers])
        yield made


@wrong("11.6", says="be it nothing")
def no_batch_that_is_none(self):
    order = iter(self.order())
    while batch := [self.sample(index) for index in islice(order, self.batch_size)]:
        if len(batch) == self.batch_size or not self.drop_last:
            made = self.collate_fn(batch)
            if made is not None:
                yield made


@wrong("11.6", says="the list is collate_fn's own")
def looks_into_the_list_afterwards(self):
    order = iter(self.order())
    while True:
        batch = [self.sample(index) for index in islice(order, self.batch_size)]
        if not batch or (self.drop_last and len(batch) < self.batch_size):
            return
        yield self.collate_fn(batch)
        if len(batch) < self.batch_size:
            return


@wrong("11.6", says="which is a sample like any other")
def none_is_the_end(self):
    order = iter(self.order())
    while (index := next(order, None)) is not None:
        batch = [self.sample(index)]
        batch += [self.sample(more) for more in islice(order, self.batch_size - 1)]
        if len(batch) == self.batch_size or not self.drop_last:
            yield self.collate_fn(batch)


@wrong("11.6", says="a batch of one is a list of one")
def one_sample_without_a_list(self):
    order = iter(self.order())
    while batch := [self.sample(index) for index in islice(order, self.batch_size)]:
        if len(batch) == self.batch_size or not self.drop_last:
            yield self.collate_fn(batch[0] if self.batch_size == 1 else batch)


@wrong("11.6", says="those are the numbers of samples")
def numbers_for_samples(self):
    order = iter(self.order())
    while batch := list(islice(order, self.batch_size)):
        if len(batch) == self.batch_size or not self.drop_last:
            yield self.collate_fn(batch)


@wrong("11.6", says="the second order that was drawn")
def asks_for_the_order_twice(self):
    count = sum(1 for _ in self.order()) if self.sampler is not None else None
    order = iter(self.order())
    while batch := [self.sample(index) for index in islice(order, self.batch_size)]:
        count = None if count is None else count - len(batch)
        if len(batch) == self.batch_size or not self.drop_last:
            yield self.collate_fn(batch)


@wrong("11.6", says="nobody need know its length")
def a_sampler_has_a_length(self):
    order = iter(self.order())
    count = len(self) if self.sampler is not None else None
    while batch := [self.sample(index) for index in islice(order, self.batch_size)]:
        if len(batch) == self.batch_size or not self.drop_last:
            yield self.collate_fn(batch)
    assert count is None or count >= 0


@wrong("11.6", says="the next batch was read before")
def one_batch_ahead(self):
    order = iter(self.order())

    def read():
        batch = [self.sample(index) for index in islice(order, self.batch_size)]
        return [] if self.drop_last and len(batch) < self.batch_size else batch

    batch = read()
    while batch:
        ahead = read()
        yield self.collate_fn(batch)
        batch = ahead


@wrong("11.7", "nn.module.Module.state_dict", says="each begins a new dictionary")
def one_dictionary_for_all_networks(self, prefix="", state={}):  # noqa: B006
    state |= extra_states(self, prefix)
    for module_name, module in self.named_modules(remove_duplicate=False):
        for name, tensor in {**module._parameters, **module._buffers}.items():
            if tensor is not None and name not in module._transient:
                state[prefix + joined(module_name, name)] = tensor.detach()
    return state


@wrong("11.7", "nn.module.Module.state_dict", says="which can take a shape")
def data_of_each(self, prefix=""):
    state = extra_states(self, prefix)
    for module_name, module in self.named_modules(remove_duplicate=False):
        for name, tensor in {**module._parameters, **module._buffers}.items():
            if tensor is not None and name not in module._transient:
                state[prefix + joined(module_name, name)] = tensor.data
    return state


@wrong("11.7", "nn.module.copy_into", says="digits were lost on the way")
def by_way_of_float32(own, given):
    for name in own:
        if name in given:
            own[name].copy_(given[name].float())


@wrong("11.7", "nn.module.copy_into", says="digits were lost on the way")
def whole_numbers_by_way_of_float32(own, given):
    for name in own:
        if name in given:
            value = given[name]
            own[name].copy_(value if value.is_floating_point() else value.float())


@wrong("11.7", "nn.module.copy_into", says="a name is taken as it is")
def names_without_module(own, given):
    given = {name.removeprefix("module."): tensor for name, tensor in given.items()}
    for name in own:
        if name in given:
            own[name].copy_(given[name])


@wrong("11.7", "nn.module.copy_into", says="(3, 2) doesn't fit into (2, 3)")
def shapes_made_to_fit(own, given):
    for name in own:
        if name in given:
            own[name].copy_(given[name].reshape(own[name].shape))


@wrong("11.7", "nn.module.copy_into", says="took 'a' out of own")
def takes_out_of_own(own, given):
    for name in list(own):
        if name in given:
            own.pop(name).copy_(given[name])


@wrong("11.1", says="what has none is plain")
def the_branches_exchanged(self, name, value):
    kind = kind_of(value) or vars(self).get("_kinds", {}).get(name)
    if kind is not None:
        super().__setattr__(name, value)
    else:
        self._set_part(name, value, kind)


@wrong("11.1", says="the kind of this name is in self._kinds")
def hands_on_the_kind_of_the_value(self, name, value):
    kind = kind_of(value) or vars(self).get("_kinds", {}).get(name)
    if kind is None:
        super().__setattr__(name, value)
    else:
        self._set_part(name, value, kind_of(value))


@wrong("11.1", says="it's _set_part(name, value, kind)")
def the_value_before_the_name(self, name, value):
    kind = kind_of(value) or vars(self).get("_kinds", {}).get(name)
    if kind is None:
        super().__setattr__(name, value)
    else:
        self._set_part(value, name, kind)


@wrong("11.1", says="it's _set_part(name, value, kind)")
def the_kind_before_the_value(self, name, value):
    kind = kind_of(value) or vars(self).get("_kinds", {}).get(name)
    if kind is None:
        super().__setattr__(name, value)
    else:
        self._set_part(name, kind, value)


@wrong("11.2", "nn.module.Module.named_modules", says="the name comes first")
def the_module_before_its_name(self, prefix="", remove_duplicate=True):
    seen = set()

    def walk(name, module):
        if remove_duplicate and module in seen:
            return
        seen.add(module)
        yield module, name
        for child, part in module._modules.items():
            if part is not None:
                yield from walk(joined(name, child), part)

    return walk(prefix, self)


@wrong("11.2", "nn.module.Module._named", says="the name comes first")
def the_part_before_its_name(self, kind, prefix, recurse, remove_duplicate=True):
    seen = set()
    modules = self.named_modules(prefix, remove_duplicate) if recurse else [(prefix, self)]
    for module_name, module in modules:
        for name, part in module._parts(kind).items():
            if part is not None and not (remove_duplicate and part in seen):
                seen.add(part)
                yield part, joined(module_name, name)


@wrong("11.2", "nn.module.Module.named_modules", says="whatever its name")
def remembers_names(self, prefix="", remove_duplicate=True):
    seen = set()

    def walk(name, module):
        if remove_duplicate and name in seen:
            return
        seen.add(name)
        yield name, module
        for child, part in module._modules.items():
            if part is not None:
                yield from walk(joined(name, child), part)

    return walk(prefix, self)


@wrong("11.2", "nn.module.Module._named", says="an equal name doesn't make it the same")
def remembers_names_of_parameters(self, kind, prefix, recurse, remove_duplicate=True):
    seen = set()
    modules = self.named_modules(prefix, remove_duplicate) if recurse else [(prefix, self)]
    for module_name, module in modules:
        for name, part in module._parts(kind).items():
            if part is not None and not (remove_duplicate and name in seen):
                seen.add(name)
                yield joined(module_name, name), part


@wrong("11.2", "nn.module.Module._named", says="net is no part of itself")
def the_walk_itself_for_modules(self, kind, prefix, recurse, remove_duplicate=True):
    if kind is Module:
        yield from self.named_modules(prefix, remove_duplicate)
        return
    seen = set()
    modules = self.named_modules(prefix, remove_duplicate) if recurse else [(prefix, self)]
    for module_name, module in modules:
        for name, part in module._parts(kind).items():
            if part is not None and not (remove_duplicate and part in seen):
                seen.add(part)
                yield joined(module_name, name), part


@wrong("11.3", "nn.init.fans_of_shape", says="every number of a kernel counts")
def the_kernel_squared(shape):
    size = math.prod(shape[2:]) ** 2
    return shape[1] * size, shape[0] * size


@wrong("11.3", "nn.init.fans_of_shape", says="all the numbers of the weight")
def all_numbers_of_the_weight(shape):
    return math.prod(shape), shape[0] * math.prod(shape[2:])


@wrong("11.4", says="lr is for its caller")
def times_the_rate(grad, group, state):
    first = "momentum_buffer" not in state
    velocity = kept(state, "momentum_buffer", grad)
    velocity *= group["momentum"]
    velocity += grad if first else (1 - group["dampening"]) * grad
    return group["lr"] * (grad + group["momentum"] * velocity if group["nesterov"] else velocity)


@wrong("11.4", says="gave None: return the sum")
def returns_the_look_ahead_alone(grad, group, state):
    first = "momentum_buffer" not in state
    velocity = kept(state, "momentum_buffer", grad)
    velocity *= group["momentum"]
    velocity += grad if first else (1 - group["dampening"]) * grad
    if group["nesterov"]:
        return grad + group["momentum"] * velocity


@wrong("11.4", says="put nothing there yourself")
def puts_an_array_into_the_state(grad, group, state):
    first = "momentum_buffer" not in state
    velocity = kept(state, "momentum_buffer", grad)
    velocity = group["momentum"] * velocity
    velocity += grad if first else (1 - group["dampening"]) * grad
    state["momentum_buffer"] = velocity
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.4", says="the Tensor that kept() puts there")
def keeps_an_array_of_its_own(grad, group, state):
    if "momentum_buffer" not in state:
        state["momentum_buffer"] = 0 * grad
    velocity = state["momentum_buffer"]
    velocity *= group["momentum"]
    velocity += grad
    return velocity


@wrong("11.5", says="not this gradient alone")
def the_gradient_over_the_root(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    root = np.sqrt(square / (1 - beta2 ** step.item())) + group["eps"]
    return group["lr"] * grad / root


@wrong("11.5", says="on the way to the step")
def corrects_and_scales_the_mean_that_is_kept(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    root = np.sqrt(square / (1 - beta2 ** step.item())) + group["eps"]
    mean *= group["lr"] / (1 - beta1 ** step.item())
    return mean / root


@wrong("11.5", says="only the gradient is squared")
def squares_its_share_too(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += ((1 - beta2) * grad) ** 2 - (1 - beta2) * square
    root = np.sqrt(square / (1 - beta2 ** step.item())) + group["eps"]
    return group["lr"] * mean / (1 - beta1 ** step.item()) / root


@wrong("11.5", says="is a power, and never below 0")
def beta_times_the_steps(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    root = np.sqrt(square / (1 - beta2 * step.item())) + group["eps"]
    return group["lr"] * mean / (1 - beta1 * step.item()) / root


@wrong("11.5", says="the Tensor that kept() puts there")
def puts_arrays_into_the_state(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    mean += (1 - beta1) * (grad - mean)
    square += (1 - beta2) * (grad * grad - square)
    root = np.sqrt(square / (1 - beta2 ** step.item())) + group["eps"]
    state["exp_avg"] = 1.0 * mean
    return group["lr"] * mean / (1 - beta1 ** step.item()) / root


@wrong("11.6", says="a stream has no sampler")
def goes_through_the_sampler(self):
    order = iter(self.sampler)
    while batch := [self.sample(index) for index in islice(order, self.batch_size)]:
        if len(batch) == self.batch_size or not self.drop_last:
            yield self.collate_fn(batch)


@wrong("11.7", "nn.module.Module.state_dict", says="joined by dots")
def its_parts_are_asked_without_a_dot(self, prefix=""):
    state = extra_states(self, prefix)
    for name, tensor in {**self._parameters, **self._buffers}.items():
        if tensor is not None and name not in self._transient:
            state[prefix + name] = tensor.detach()
    for name, module in self._modules.items():
        if module is not None:
            state.update(module.state_dict(prefix + name))
    return state


@wrong("11.7", "nn.module.Module.state_dict", says="joined by dots")
def its_parts_are_asked_with_a_line(self, prefix=""):
    state = extra_states(self, prefix)
    for name, tensor in {**self._parameters, **self._buffers}.items():
        if tensor is not None and name not in self._transient:
            state[prefix + name] = tensor.detach()
    for name, module in self._modules.items():
        if module is not None:
            state.update(module.state_dict(prefix + name + "_"))
    return state


@wrong("11.7", "nn.module.Module.state_dict", says="is of type ndarray, expected a Tensor")
def arrays_of_the_library(self, prefix=""):
    state = extra_states(self, prefix)
    for module_name, module in self.named_modules(remove_duplicate=False):
        for name, tensor in {**module._parameters, **module._buffers}.items():
            if tensor is not None and name not in module._transient:
                state[prefix + joined(module_name, name)] = tensor.detach().numpy()
    return state


@wrong("11.7", "nn.module.Module.state_dict", says="gave None: return the dictionary")
def returns_no_state(self, prefix=""):
    state = extra_states(self, prefix)
    for module_name, module in self.named_modules(remove_duplicate=False):
        for name, tensor in {**module._parameters, **module._buffers}.items():
            if tensor is not None and name not in module._transient:
                state[prefix + joined(module_name, name)] = tensor.detach()


@wrong("11.7", "nn.module.copy_into", says="puts new ones in its place")
def binds_a_name_to_a_copy(own, given):
    for name, tensor in own.items():
        if name in given:
            tensor = given[name].clone()


@wrong("11.7", "nn.module.copy_into", says="ask whether its name is there")
def asks_whether_the_given_one_is_true(own, given):
    for name, tensor in own.items():
        if given.get(name):
            tensor.copy_(given[name])


@wrong("11.4", says="a flat view of it is a copy")
def changes_a_flat_view(grad, group, state):
    first = state.get("momentum_buffer") is None
    velocity = kept(state, "momentum_buffer", grad)
    flat = velocity.reshape(-1)
    flat *= group["momentum"]
    flat += (grad if first else (1 - group["dampening"]) * grad).reshape(-1)
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.5", says="a flat view of it is a copy")
def changes_flat_views(grad, group, state):
    beta1, beta2 = group["betas"]
    step = kept(state, "step", np.float32(0))
    mean, square = kept(state, "exp_avg", grad), kept(state, "exp_avg_sq", grad)
    step += 1
    m, s, g = mean.reshape(-1), square.reshape(-1), grad.reshape(-1)
    m += (1 - beta1) * (g - m)
    s += (1 - beta2) * (g * g - s)
    root = np.sqrt(square / (1 - beta2 ** step.item()))
    return group["lr"] * mean / (1 - beta1 ** step.item()) / (root + group["eps"])


@wrong("11.2", "nn.module.Module.named_modules", says="two that look alike aren't the same")
def knows_modules_by_their_looks(self, prefix="", remove_duplicate=True):
    seen = set()

    def walk(name, module):
        if remove_duplicate and repr(module) in seen:
            return
        seen.add(repr(module))
        yield name, module
        for child, part in module._modules.items():
            if part is not None:
                yield from walk(joined(name, child), part)

    return walk(prefix, self)


@wrong("11.2", "nn.module.Module._named", says="frozen or not")
def only_what_asks_for_a_gradient(self, kind, prefix, recurse, remove_duplicate=True):
    seen = set()
    modules = self.named_modules(prefix, remove_duplicate) if recurse else [(prefix, self)]
    for module_name, module in modules:
        for name, part in module._parts(kind).items():
            if part is None or (kind is Parameter and not part.requires_grad):
                continue
            if not (remove_duplicate and part in seen):
                seen.add(part)
                yield joined(module_name, name), part


@wrong("11.6", says="no except clause")
def an_error_of_a_sample_is_the_end(self):
    order, batch = iter(self.order()), []
    for index in order:
        try:
            batch.append(self.sample(index))
        except IndexError:
            break
        if len(batch) == self.batch_size:
            yield self.collate_fn(batch)
            batch = []
    if batch and not self.drop_last:
        yield self.collate_fn(batch)


@wrong("11.2", "nn.module.Module._named", says="under its first name")
def last_name_wins(self, kind, prefix, recurse, remove_duplicate=True):
    modules = self.named_modules(prefix, False) if recurse else [(prefix, self)]
    pairs = [
        (joined(module_name, name), part)
        for module_name, module in modules
        for name, part in module._parts(kind).items()
        if part is not None
    ]
    if remove_duplicate:
        pairs = [(name, part) for part, name in {part: name for name, part in pairs}.items()]
    yield from pairs


@wrong("11.2", "nn.module.Module._named", says="parts' parts come, too")
def two_levels(self, kind, prefix, recurse, remove_duplicate=True):
    seen = set()
    modules = [(prefix, self)]
    if recurse:
        modules += [(joined(prefix, n), m) for n, m in self._modules.items() if m is not None]
    for module_name, module in modules:
        for name, part in module._parts(kind).items():
            if part is not None and not (remove_duplicate and part in seen):
                seen.add(part)
                yield joined(module_name, name), part


@wrong("11.3", "nn.init.kaiming_std", says="isn't a whole number")
def whole_root(tensor, a, mode, nonlinearity):
    return calculate_gain(nonlinearity, a) / math.isqrt(fan_of(tensor, mode))


@wrong("11.4", says="lr is in it twice")
def with_rate(grad, group, state):
    first = "momentum_buffer" not in state
    velocity = kept(state, "momentum_buffer", grad)
    velocity *= group["momentum"]
    velocity += group.get("lr", 1) * (grad if first else (1 - group["dampening"]) * grad)
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.4", says="the new sum goes on top")
def first_is_grad(grad, group, state):
    first = "momentum_buffer" not in state
    velocity = kept(state, "momentum_buffer", grad)
    velocity *= group["momentum"]
    if first:
        velocity += grad
        return grad
    velocity += (1 - group["dampening"]) * grad
    return grad + group["momentum"] * velocity if group["nesterov"] else velocity


@wrong("11.6", says="not how many there were")
def index_is_the_count(self):
    batch = []
    for index in self.order():
        batch.append(self.sample(index))
        if (
            self.sampler is None
            and len(batch) == self.batch_size
            or self.sampler is not None
            and (index + 1) % self.batch_size == 0
        ):
            yield self.collate_fn(batch)
            batch = []
    if batch and not self.drop_last:
        yield self.collate_fn(batch)
