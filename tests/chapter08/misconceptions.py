"""Wrong answers to the exercises of chapter 8, each with words that its message must contain."""

from course.misconceptions import wrong


@wrong("8.1", says="expected a Variable: compute with Variables")
def way_back_of_values(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
    self.tape.record(
        [self, other], [r], lambda dr: [dr[0].value * other.value, dr[0].value * self.value]
    )
    return r


@wrong("8.1", says="belongs on the tape: multiply Variables with *")
def way_back_without_entries(self, other):
    tape = self.tape
    r = tape.result(self.value * other.value, f"{self.name} * {other.name}")
    tape.record(
        [self, other],
        [r],
        lambda dr: [
            tape.variable(dr[0].value * other.value),
            tape.variable(dr[0].value * self.value),
        ],
    )
    return r


@wrong("8.1", says="a's gradient is dr times b, and b's is dr times a")
def factors_exchanged(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
    self.tape.record([self, other], [r], lambda dr: [dr[0] * self, dr[0] * other])
    return r


@wrong("8.1", says="propagate gets a list: the gradient of r is dr[0]")
def takes_the_list_for_the_gradient(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
    self.tape.record([self, other], [r], lambda dr: [dr * other, dr * self])
    return r


@wrong("8.1", says="multiply by the gradient that comes, too")
def forgets_what_comes(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
    self.tape.record([self, other], [r], lambda dr: [other, self])
    return r


@wrong("8.1", says="self.tape.record writes it")
def writes_no_entry(self, other):
    return self.tape.result(self.value * other.value, f"{self.name} * {other.name}")


@wrong("8.1", says="self goes in first")
def inputs_exchanged(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
    self.tape.record([other, self], [r], lambda dr: [dr[0] * self, dr[0] * other])
    return r


@wrong("8.1", says="that's the sum")
def adds(self, other):
    r = self.tape.result(self.value + other.value, f"{self.name} * {other.name}")
    self.tape.record([self, other], [r], lambda dr: [dr[0] * other, dr[0] * self])
    return r


@wrong("8.1", says="self.tape.result(value, text) shows a line")
def unseen_in_the_trace(self, other):
    r = Variable(self.value * other.value, self.tape.fresh_name(), self.tape)
    self.tape.record([self, other], [r], lambda dr: [dr[0] * other, dr[0] * self])
    return r


@wrong("8.1", says="how many entries a * b wrote = 3")
def way_back_computed_ahead(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
    self.tape.record([self, other], [r], lambda dr: [dr[0] * other, dr[0] * self])
    self.tape.record([other, self], [r], lambda dr: [dr[0] * self, dr[0] * other])
    self.tape.record([], [], lambda dr: [])
    return r


@wrong("8.1", says="how many entries the way back of a * b wrote")
def more_entries_than_products(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")

    def propagate(dr):
        both = [dr[0] * other, self + self - self]
        both[1] = dr[0] * self
        return both

    self.tape.record([self, other], [r], propagate)
    return r


@wrong("8.1", says="that's what the first call gave: keep nothing from call to call")
def keeps_its_first_answer(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
    kept = []

    def propagate(dr):
        if not kept:
            kept.extend([dr[0] * other, dr[0] * self])
        return kept

    self.tape.record([self, other], [r], propagate)
    return r


@wrong("8.1", says="expected ['v0 = q * p']")
def always_says_a_times_b(self, other):
    r = self.tape.result(self.value * other.value, "a * b")
    self.tape.record([self, other], [r], lambda dr: [dr[0] * other, dr[0] * self])
    return r


@wrong("8.1", says="don't look at the numbers")
def a_factor_of_zero_is_a_known_zero(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")

    def propagate(dr):
        factors = (other, self)
        empty = self.value.numel() == 0
        return [dr[0] * f if empty or f.value.numpy().any() else None for f in factors]

    self.tape.record([self, other], [r], propagate)
    return r


@wrong("8.1", says="keep @elementwise above __mul__")
@(lambda operation: operation)
def without_the_check_above_it(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
    self.tape.record([self, other], [r], lambda dr: [dr[0] * other, dr[0] * self])
    return r


@wrong("8.2", "tape.add_optional", says="None is zero: zero plus a is a")
def none_wins(a, b):
    if a is None or b is None:
        return None
    return a + b


@wrong("8.2", "tape.add_optional", says="None is zero: zero plus a is a")
def only_the_first_may_be_none(a, b):
    if a is None:
        return b
    return a + b


@wrong("8.2", "tape.add_optional", says="only None is a known zero")
def looks_for_zeros(a, b):
    if a is None or not a.value._data.any():
        return b
    if b is None or not b.value._data.any():
        return a
    return a + b


@wrong("8.2", "tape.add_optional", says="no addition is needed")
def none_becomes_zeros(a, b):
    if a is None and b is None:
        return None
    if a is None:
        a = b.tape.variable(b.value * 0)
    if b is None:
        b = a.tape.variable(a.value * 0)
    return a + b


@wrong("8.2", "tape.add_optional", says="add the Variables with +")
def adds_values(a, b):
    if a is None or b is None:
        return b if a is None else a
    return a.tape.variable(a.value + b.value)


@wrong("8.2", "tape.add_optional", says="the same Variable twice is no known zero")
def none_and_none_are_the_same(a, b):
    if a is b:
        return a
    if a is None or b is None:
        return b if a is None else a
    return a + b


@wrong("8.2", "tape.add_optional", says="how many additions = 0, expected 1")
def leaves_out_zeros_with_a_shape(a, b):
    if a is None or b is None:
        return b if a is None else a
    return a + b if not a.shape or a.value._data.any() else b


@wrong("8.2", "tape.add_optional", says="zero plus zero is zero: None")
def knows_no_none(a, b):
    return a + b


@wrong("8.2", "tape.add_optional", says="does it return the sum?")
def forgets_to_return_the_sum(a, b):
    if a is None or b is None:
        return b if a is None else a
    a + b


@wrong("8.2", "tape.Tape.propagate", says="+ doesn't know it: add_optional does")
def plus_in_place_of_add_optional(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        found[name] = found.get(name) + gradient


@wrong("8.2", "tape.Tape.propagate", says="+ doesn't know it: add_optional does")
def adds_none_to_what_is_there(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        if name in found:
            found[name] += gradient
        elif gradient is not None:
            found[name] = gradient


@wrong("8.2", "tape.Tape.propagate", says="entry.propagate gets one list")
def gradients_one_by_one(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    for name, gradient in zip(entry.inputs, entry.propagate(*gradients), strict=True):
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.2", "tape.Tape.propagate", says="a place for each output, in their order")
def leaves_known_zeros_out_of_the_list(self, entry, found):
    gradients = [found[name] for name in entry.outputs if name in found]
    if not gradients:
        return
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.2", "tape.Tape.propagate", says="was entry.propagate meant, the local rule")
def calls_itself(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    for name, gradient in zip(entry.inputs, self.propagate(entry, gradients), strict=True):
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.2", "tape.Tape.propagate", says="was the first overwritten")
def overwrites(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        if gradient is not None:
            found[name] = gradient


@wrong("8.2", "tape.Tape.propagate", says="skip only if all outputs have a known zero")
def skips_where_any_is_none(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if any(gradient is None for gradient in gradients):
        return
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.2", "tape.Tape.propagate", says="known zeros in, known zeros out: don't call it")
def asks_about_known_zeros(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.2", "tape.Tape.propagate", says="a name that isn't in found is a known zero")
def writes_none(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        found[name] = add_optional(found.get(name), gradient)


@wrong("8.2", "tape.Tape.propagate", says="where found has r alone, raised KeyError: 't'")
def looks_up_all_names(self, entry, found):
    if not any(name in found for name in entry.outputs):
        return
    gradients = [found[name] for name in entry.outputs]
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.2", "tape.Tape.propagate", says="somebody may ask for it")
def takes_gradients_out(self, entry, found):
    gradients = [found.pop(name, None) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.2", "tape.Tape.propagate", says="how often entry.propagate was called")
def asks_once_for_each_input(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    for place, name in enumerate(entry.inputs):
        total = add_optional(found.get(name), entry.propagate(gradients)[place])
        if total is not None:
            found[name] = total


@wrong("8.2", "tape.Tape.propagate", says="found['a'] = 20")
def backwards_through_the_inputs(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    for name, gradient in zip(entry.inputs[::-1], entry.propagate(gradients), strict=True):
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.2", "tape.Tape.propagate", says="how many additions")
def adds_by_value(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        if gradient is not None and name in found:
            gradient = self.variable(found[name].value + gradient.value)
        if gradient is not None:
            found[name] = gradient


@wrong("8.2", "tape.Tape.propagate", says="a sum is a new Variable")
def adds_in_place(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        if gradient is None:
            continue
        if name in found:
            found[name].value += gradient.value
        else:
            found[name] = gradient


@wrong("8.2", "tape.Tape.propagate", says="don't look at the numbers")
def skips_zeros_that_were_computed(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None or not gradient.value._data.any() for gradient in gradients):
        return
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.2", "tape.Tape.propagate", says="found['a'] = None, expected 0: only None is a known")
def leaves_out_a_total_of_zero(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        total = add_optional(found.get(name), gradient)
        if total is not None and total.value._data.any():
            found[name] = total


@wrong("8.2", "tape.Tape.propagate", says="found['b'] = 30, expected 0: only None is a known")
def keeps_the_first_where_two_cancel(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        total = add_optional(found.get(name), gradient)
        if name in found and total is not None and not total.value._data.any():
            continue
        if total is not None:
            found[name] = total


@wrong("8.2", "tape.Tape.propagate", says="found['a'] = None, expected 0: only None is a known")
def skips_a_gradient_of_zero(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        if gradient is None or not gradient.value._data.any():
            continue
        found[name] = add_optional(found.get(name), gradient)


@wrong("8.2", "tape.Tape.propagate", says="each use counts, whatever it gives")
def counts_the_same_gradient_once(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        if gradient is None or found.get(name) is gradient:
            continue
        found[name] = add_optional(found.get(name), gradient)


@wrong("8.2", "tape.Tape.propagate", says="has a copy of the one Variable that came")
def copies_what_comes(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        if gradient is not None and name not in found:
            gradient = self.variable(gradient.value)
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.2", "tape.Tape.propagate", says="whether or not an earlier one has")
def takes_an_entry_back_only_once(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients) or hasattr(entry, "done"):
        return
    entry.done = True
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.2", "tape.Tape.propagate", says="lines its trace shows, the way back's too, = ")
def silent_while_it_asks(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    trace, self.trace = self.trace, None
    back = entry.propagate(gradients)
    self.trace = trace
    for name, gradient in zip(entry.inputs, back, strict=True):
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.2", "tape.Tape.propagate", says="the inputs of the entry afterwards, = ")
def uses_up_the_inputs(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    back = list(entry.propagate(gradients))
    names, entry.inputs = entry.inputs, []
    for name, gradient in zip(names, back, strict=True):
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.2", "tape.Tape.propagate", says="one call for all outputs")
def asks_for_each_output_alone(self, entry, found):
    for place, output in enumerate(entry.outputs):
        if found.get(output) is None:
            continue
        gradients = [None] * len(entry.outputs)
        gradients[place] = found[output]
        for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
            total = add_optional(found.get(name), gradient)
            if total is not None:
                found[name] = total


@wrong("8.2", "tape.Tape.propagate", says="skip only if all outputs have a known zero")
def asks_the_first_and_the_last_output(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if gradients[0] is None and gradients[-1] is None:
        return
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.3", says="the last entry comes first: walk from the end")
def front_to_back(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries.copy():
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="what this pass writes isn't part of it")
def counts_from_an_end_that_moves(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for i in range(len(self.entries)):
        self.propagate(self.entries[-1 - i], found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="found goes by names: ask it for variable.name")
def looks_up_variables(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable) for variable in variables]


@wrong("8.3", says="at first found is {loss.name: its seed}")
def found_goes_by_variables(self, loss, variables):
    found = {loss: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable) for variable in variables]


@wrong("8.3", says="self.propagate(entry, found) makes it")
def local_rule_of_found(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        entry.propagate(found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="found holds Variables: self.seed(loss)")
def seed_is_a_number(self, loss, variables):
    found = {loss.name: 1.0}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="seed takes the loss itself")
def seed_of_a_name(self, loss, variables):
    found = {loss.name: self.seed(loss.name)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="found is a dict: {loss.name: …}")
def found_is_the_seed(self, loss, variables):
    found = self.seed(loss)
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="changes found in place, and gives nothing back")
def found_is_what_propagate_gives(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        found = self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="gave None, expected a list: does it return one?")
def forgets_to_return(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)


@wrong("8.3", says="take every entry through self.propagate")
def never_walks(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="the gradients and their entries must stay on the tape")
def takes_entries_off(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for _ in range(len(self.entries)):
        before = len(self.entries)
        self.propagate(self.entries[-1], found)
        del self.entries[before - 1 :]
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="the gradients and their entries must stay on the tape")
def leaves_no_trace_of_itself(self, loss, variables):
    kept = self.entries.copy()
    found = {loss.name: self.seed(loss)}
    for entry in kept[::-1]:
        self.propagate(entry, found)
    self.entries = kept
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="a name that isn't in found is a known zero")
def key_error_for_a_known_zero(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found[variable.name] for variable in variables]


@wrong("8.3", says="None says that it's known to be zero")
def zeros_for_a_known_zero(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(v.name) or self.variable(v.value * 0) for v in variables]


@wrong("8.3", says="gave dict")
def gives_all_it_found(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return found


@wrong("8.3", says="self.seed(loss) shows that line")
def seed_of_its_own(self, loss, variables):
    found = {loss.name: self.variable(loss.value * 0 + 1)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="self.write_gradients")
def says_nothing(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="is a Tensor, expected a Variable")
def gives_values(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    found = {name: gradient.value for name, gradient in found.items()}
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="calls of self.propagate")
def walks_until_nothing_changes(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    for entry in self.entries[::-1]:
        if not set(entry.inputs) & set(found):
            self.propagate(entry, found)
        self.propagate(Entry([], [], None), found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="the gradient of the loss for itself is 1")
def starts_from_the_loss_itself(self, loss, variables):
    self.seed(loss)
    found = {loss.name: loss}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="the first one = None, expected 3")
def stops_at_the_first_one_it_finds(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        if entry.outputs[0] in found:
            self.propagate(entry, found)
        if any(variable.name in found for variable in variables):
            break
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="it knows which to skip")
def asks_the_first_output_alone(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        if entry.outputs[0] in found:
            self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="is there one that outlives the call?")
def found_outlives_the_call(self, loss, variables, found={}):  # noqa: B006
    found[loss.name] = self.seed(loss)
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="leave self.trace as it is")
def silent_on_the_way_back(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    trace, self.trace = self.trace, None
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.trace = trace
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="no entry made this loss, so don't look for one")
def begins_at_the_entry_of_the_loss(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    entries = self.entries.copy()
    while loss.name not in entries[-1].outputs:
        entries.pop()
    for entry in reversed(entries):
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="in the trace of grad on a tape with 3,000 entries")
def silent_on_a_long_tape(self, loss, variables):
    found, trace = {loss.name: self.seed(loss)}, self.trace
    self.trace = trace if len(self.entries) < 1000 else None
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.trace = trace
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="the entries must stay in their order")
def turns_the_tape_round(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    self.entries.reverse()
    for entry in list(self.entries):
        self.propagate(entry, found)
    self.entries.reverse()
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="not every entry that was on the tape was taken through")
def stops_when_all_are_found(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
        if variables and all(variable.name in found for variable in variables):
            break
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="after tape.reset()")
def remembers_by_name(self, loss, variables):
    self.__dict__.setdefault("memo", {})
    if loss.name not in self.memo:
        self.memo[loss.name] = found = {loss.name: self.seed(loss)}
        for entry in self.entries[::-1]:
            self.propagate(entry, found)
        self.write_gradients(loss, found)
    found = self.memo[loss.name]
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="x's = None, expected 0: only None is a known zero")
def none_where_the_numbers_are_zero(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    gradients = [found.get(variable.name) for variable in variables]
    return [g if g is not None and g.value._data.any() else None for g in gradients]


@wrong("8.3", says="grad(t, [a]), where the tape says r, t <- a")
def starts_where_the_loss_comes_first(self, loss, variables):
    found, is_behind = {loss.name: self.seed(loss)}, False
    for entry in self.entries[::-1]:
        is_behind = is_behind or entry.outputs[0] == loss.name
        if is_behind:
            self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="one pass finds the gradients of all variables")
def a_pass_for_each_variable(self, loss, variables):
    entries, gradients = self.entries.copy(), []
    for variable in variables:
        found = {loss.name: self.seed(loss)}
        for entry in entries[::-1]:
            self.propagate(entry, found)
        self.write_gradients(loss, found)
        gradients.append(found.get(variable.name))
    return gradients


@wrong("8.3", says="no entry made what grad gave before")
def gives_copies(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    gradients = [found.get(variable.name) for variable in variables]
    return [None if g is None else self.variable(g.value) for g in gradients]


@wrong("8.3", says="the entries that were there before a pass must stay on the tape")
def begins_a_new_list(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    before, self.entries = self.entries, []
    for entry in before[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.4", "tape.Variable.sum", says="each element gets it: expand it")
def sum_hands_on_one_number(self, name=None):
    r = self.tape.result(self.value.sum(), f"{self.name}.sum()", name)
    self.tape.record([self], [r], lambda dr: [dr[0]])
    return r


@wrong("8.4", "tape.Variable.sum", says="propagate gets a list: the gradient of r is dr[0]")
def sum_expands_the_list(self, name=None):
    r = self.tape.result(self.value.sum(), f"{self.name}.sum()", name)
    self.tape.record([self], [r], lambda dr: dr.expand(self.shape))
    return r


@wrong("8.4", "tape.Variable.sum", says="expected a list with the gradient of a")
def sum_gives_no_list(self, name=None):
    r = self.tape.result(self.value.sum(), f"{self.name}.sum()", name)
    self.tape.record([self], [r], lambda dr: dr[0].expand(self.shape))
    return r


@wrong("8.4", "tape.Variable.sum", says="each element moves the sum one to one")
def sum_divides(self, name=None):
    r = self.tape.result(self.value.sum(), f"{self.name}.sum()", name)
    share = Tensor(1 / max(self.value.numel(), 1)).to(self.value.dtype)
    self.tape.record(
        [self], [r], lambda dr: [(dr[0] * self.tape.variable(share)).expand(self.shape)]
    )
    return r


@wrong("8.4", "tape.Variable.sum", says="the name of a.sum(name='L')")
def sum_without_its_name(self, name=None):
    r = self.tape.result(self.value.sum(), f"{self.name}.sum()")
    self.tape.record([self], [r], lambda dr: [dr[0].expand(self.shape)])
    return r


@wrong("8.4", "tape.Variable.sum", says="of dr[0], a Variable, and that writes an entry")
def sum_expands_the_value(self, name=None):
    r = self.tape.result(self.value.sum(), f"{self.name}.sum()", name)
    self.tape.record([self], [r], lambda dr: [self.tape.variable(dr[0].value.expand(self.shape))])
    return r


@wrong("8.4", "tape.Variable.sum", says="has shape (2,), expected shape ()")
def sums_the_first_axis(self, name=None):
    value = self.value.sum(0) if self.value.ndim else self.value
    r = self.tape.result(value, f"{self.name}.sum()", name)
    self.tape.record([self], [r], lambda dr: [dr[0].expand(self.shape)])
    return r


@wrong("8.4", "tape.Variable.sum", says="that's the mean")
def sum_is_a_mean(self, name=None):
    r = self.tape.result(self.value.mean(), f"{self.name}.sum()", name)
    self.tape.record([self], [r], lambda dr: [dr[0].expand(self.shape)])
    return r


@wrong("8.4", "tape.Variable.sum", says="each call gets a gradient of its own: keep nothing")
def sum_expands_once(self, name=None):
    r = self.tape.result(self.value.sum(), f"{self.name}.sum()", name)
    back = []

    def propagate(dr):
        if not back:
            back.append(dr[0].expand(self.shape))
        return back

    self.tape.record([self], [r], propagate)
    return r


@wrong("8.4", "tape.Variable.expand", says="tuple(shape) shows a list as a tuple")
def expand_shows_what_came(self, shape):
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({shape})")
    self.tape.record([self], [r], lambda dr: [dr[0].sum()])
    return r


@wrong("8.4", "tape.Variable.expand", says="a sum, not a mean")
def expand_takes_the_mean_back(self, shape):
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")
    share = Tensor(1 / max(r.value.numel(), 1)).to(self.value.dtype)
    self.tape.record([self], [r], lambda dr: [dr[0].sum() * self.tape.variable(share)])
    return r


@wrong("8.4", "tape.Variable.expand", says="expand((2, 2)) of a Variable of shape (2,)")
def expands_anything(self, shape):
    r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")
    self.tape.record([self], [r], lambda dr: [dr[0].sum()])
    return r


@wrong("8.4", "tape.Variable.expand", says="expand((2, 2)) of a Variable of shape (1,)")
def one_element_will_do(self, shape):
    if self.value.numel() != 1:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    value = self.value.reshape(()).expand(shape)
    r = self.tape.result(value, f"{self.name}.expand({tuple(shape)})")
    self.tape.record([self], [r], lambda dr: [dr[0].sum()])
    return r


@wrong("8.4", "tape.Variable.expand", says="its message should name the shape of self")
def refuses_without_a_shape(self, shape):
    if self.value.ndim:
        raise ValueError("expand() is for a single number")
    r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")
    self.tape.record([self], [r], lambda dr: [dr[0].sum()])
    return r


@wrong("8.4", "tape.Variable.expand", says="each call gets a gradient of its own: keep nothing")
def expand_sums_once(self, shape):
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")
    back = []

    def propagate(dr):
        back.append(dr[0].sum() if not back else back[0])
        return back[:1]

    self.tape.record([self], [r], propagate)
    return r


@wrong("8.4", "tape.Variable.expand", says="check the shape before you compute anything")
def expands_and_then_checks(self, shape):
    r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    self.tape.record([self], [r], lambda dr: [dr[0].sum()])
    return r


@wrong("8.4", "tape.Variable.expand", says="check the shape before you compute anything")
def computes_and_then_checks(self, shape):
    value = self.value.expand(shape)
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    r = self.tape.result(value, f"{self.name}.expand({tuple(shape)})")
    self.tape.record([self], [r], lambda dr: [dr[0].sum()])
    return r


@wrong("8.4", "tape.Variable.expand", says="of dr[0], a Variable, and that writes an entry")
def expand_sums_the_value(self, shape):
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")
    self.tape.record([self], [r], lambda dr: [self.tape.variable(dr[0].value.sum())])
    return r


@wrong("8.4", "tape.Variable.expand", says="raised")
def expand_hands_on_all_of_it(self, shape):
    if self.value.ndim:
        raise ValueError("expand() is for a single number")
    r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")
    self.tape.record([self], [r], lambda dr: [dr[0]])
    return r


@wrong("8.4", "tape.Variable.expand", says="let the tape choose the name")
def expand_names_its_gradient(self, shape):
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")
    self.tape.record([self], [r], lambda dr: [dr[0].sum(name=f"d{self.name}")])
    return r


@wrong("8.4", "tape.Variable.expand", says="each expand writes one, whatever the shape, () too")
def nothing_to_expand(self, shape):
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    if tuple(shape) == ():
        return self
    r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")
    self.tape.record([self], [r], lambda dr: [dr[0].sum()])
    return r


@wrong("8.4", "tape.Variable.sum", says="the way back of a.sum() from zeros that were computed")
def sum_looks_for_zeros(self, name=None):
    r = self.tape.result(self.value.sum(), f"{self.name}.sum()", name)
    back = lambda dr: [dr[0].expand(self.shape) if dr[0].value._data.any() else None]  # noqa: E731
    self.tape.record([self], [r], back)
    return r


@wrong("8.4", "tape.Variable.expand", says="the dtype of a.expand(")
def expand_in_single_precision(self, shape):
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    value = self.value.expand(shape).to("float32")
    r = self.tape.result(value, f"{self.name}.expand({tuple(shape)})")
    self.tape.record([self], [r], lambda dr: [dr[0].sum()])
    return r


@wrong("8.4", "tape.Variable.expand", says="it owes them their sum")
def expansion_handed_on_as_it_came(self, shape):
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")
    self.tape.record([self], [r], lambda dr: [dr[0]])
    return r


@wrong("8.5", says="What the way back computes with is an output too")
def t_is_hidden(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(dr):
        dt = dr[0] * b
        return [dt, dt + dr[0] * t]

    a.tape.record([a, b], [r], propagate)
    return r


@wrong("8.5", says="what arrives at t goes on")
def what_comes_for_t_is_dropped(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, _ = gradients
        if dr is None:
            return [None, None]
        dt = dr * b
        return [dt, dt + dr * t]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="either of the two gradients may be None")
def none_is_not_expected(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        dt = add_optional(dt, dr * b)
        return [dt, dt + dr * t]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="b also has a hand in a + b")
def b_without_the_way_through_t(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        db = None
        if dr is not None:
            dt, db = add_optional(dt, dr * b), dr * t
        return [dt, db]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="t has been computed already")
def computes_t_again(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        db = None
        if dr is not None:
            dt, db = add_optional(dt, dr * b), dr * (a + b)
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="one entry for both operations")
def not_an_aggregate(a, b):
    return (a + b) * b


@wrong("8.5", says="a known zero needs no zeros")
def zeros_for_none(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = (a.tape.variable(a.value * 0) if g is None else g for g in gradients)
        dt = dt + dr * b
        return [dt, dt + dr * t]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="compute with Variables, not with their .value")
def way_back_with_a_value(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        dr = None if dr is None else dr.value
        dt = None if dt is None else dt.value
        if dr is None:
            return [dt, dt]
        dt = dr * b.value if dt is None else dt + dr * b.value
        return [dt, dt + dr * t.value]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="r first")
def outputs_exchanged(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dt, dr = gradients
        db = None
        if dr is not None:
            dt, db = add_optional(dt, dr * b), dr * t
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [t, r], propagate)
    return r


@wrong("8.5", says="propagate gets the gradients in the order of the outputs")
def outputs_in_the_other_order(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        db = None
        if dr is not None:
            dt, db = add_optional(dt, dr * b), dr * t
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [t, r], propagate)
    return r


@wrong("8.5", says="[10.0, 7.0]: a's = 30")
def either_or(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        if dr is None:
            return [dt, dt]
        dt = dr * b
        return [dt, dr * t + dt]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="a.name and b.name say what to show")
def always_says_a_and_b(a, b):
    t = a.tape.result(a.value + b.value, "a + b, inside")
    r = a.tape.result(t.value * b.value, "sum_times(a, b)")

    def propagate(gradients):
        dr, dt = gradients
        db = None
        if dr is not None:
            dt, db = add_optional(dt, dr * b), dr * t
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="compute it once")
def a_product_too_many(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        if dr is None:
            return [dt, dt]
        return [add_optional(dt, dr * b), add_optional(dt, dr * b) + dr * t]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="keep nothing from call to call")
def what_came_for_t_adds_up(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")
    came = None

    def propagate(gradients):
        nonlocal came
        dr, dt = gradients
        dt = came = add_optional(came, dt)
        db = None
        if dr is not None:
            dt = add_optional(dt, dr * b)
            db = dr * t
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="the way back must compute with b itself")
def b_as_a_copy(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        db = None
        if dr is not None:
            dt = add_optional(dt, dr * a.tape.variable(b.value))
            db = dr * t
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="loss = r * a")
def what_comes_for_t_alone_as_a_copy(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        if dr is None:
            dt = a.tape.variable(dt.value)
            return [dt, dt]
        dt = add_optional(dt, dr * b)
        return [dt, dt + dr * t]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="all of them 0")
def zeros_that_were_computed_are_left_out(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        db = None
        if dr is not None and dr.value._data.any():
            dt, db = add_optional(dt, dr * b), dr * t
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="add_optional knows None")
def adds_without_asking(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        db = None
        if dr is not None:
            dt = add_optional(dt, dr * b)
            db = dr * t
        return [dt, dt + db]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.6", says="made from the values that jacobian hands in, with create_graph=True?")
def first_pass_not_recorded(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        return as_given(inputs, grads((scalar(func(*values)),), values, strict=strict))

    return jacobian(gradient, inputs, create_graph)


@wrong("8.6", says="made from the values that jacobian hands in, with create_graph=True?")
def gradient_of_the_inputs_themselves(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        y = scalar(func(*as_tuple(inputs)))
        return as_given(inputs, grads((y,), values, create_graph=True, strict=strict))

    return jacobian(gradient, inputs, create_graph, strict)


@wrong("8.6", says="grads takes a tuple of results")
def one_result_without_its_tuple(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        first = grads(scalar(func(*values)), values, create_graph=True, strict=strict)
        return as_given(inputs, first)

    return jacobian(gradient, inputs, create_graph, strict)


@wrong("8.6", says="the inputs come one by one, to func and to the inner function")
def inner_function_of_one_input(func, inputs, create_graph=False, strict=False):
    def gradient(x):
        first = grads((scalar(func(x)),), (x,), create_graph=True, strict=strict)
        return as_given(inputs, first)

    return jacobian(gradient, inputs, create_graph, strict)


@wrong("8.6", says="the inputs come one by one, to func and to the inner function")
def func_of_a_tuple(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        first = grads((scalar(func(values)),), values, create_graph=True, strict=strict)
        return as_given(inputs, first)

    return jacobian(gradient, inputs, create_graph, strict)


@wrong("8.6", says="jacobian takes a function of the inputs")
def jacobian_of_what_was_found(func, inputs, create_graph=False, strict=False):
    values, y = evaluate(func, inputs, create_graph=True)
    first = grads((scalar(y),), values, create_graph=True, strict=strict)
    return jacobian(as_given(inputs, first), inputs, create_graph, strict)


@wrong("8.6", says="does the inner function return the gradient?")
def inner_function_without_return(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        as_given(inputs, grads((scalar(func(*values)),), values, create_graph=True, strict=strict))

    return jacobian(gradient, inputs, create_graph, strict)


@wrong("8.6", says="write create_graph=True by name")
def switches_in_the_place_of_heads(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        return as_given(inputs, grads((scalar(func(*values)),), values, True, strict))

    return jacobian(gradient, inputs, create_graph, strict)


@wrong("8.6", says="that's the gradient")
def only_the_gradient(func, inputs, create_graph=False, strict=False):
    return jacobian(lambda *values: scalar(func(*values)), inputs, create_graph, strict)


@wrong("8.6", says="pass create_graph on to jacobian")
def drops_create_graph(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        first = grads((scalar(func(*values)),), values, create_graph=True, strict=strict)
        return as_given(inputs, first)

    return jacobian(gradient, inputs, strict=strict)


@wrong("8.6", says="requires_grad = True")
def always_recorded(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        first = grads((scalar(func(*values)),), values, create_graph=True, strict=strict)
        return as_given(inputs, first)

    return jacobian(gradient, inputs, True, strict)


@wrong("8.6", says="strict=True")
def drops_strict(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        first = grads((scalar(func(*values)),), values, create_graph=True)
        return as_given(inputs, first)

    return jacobian(gradient, inputs, create_graph)


@wrong("8.6", says="scalar(y) refuses it")
def sums_what_is_no_number(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        first = grads((func(*values).sum(),), values, create_graph=True, strict=strict)
        return as_given(inputs, first)

    return jacobian(gradient, inputs, create_graph, strict)


@wrong("8.6", says="one tensor came, so one tensor goes back")
def always_a_tuple(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        return grads((scalar(func(*values)),), values, create_graph=True, strict=strict)

    return jacobian(gradient, inputs, create_graph, strict)


@wrong("8.6", says="jacobian makes the table")
def only_the_diagonal(func, inputs, create_graph=False, strict=False):
    values, y = evaluate(func, inputs, create_graph)
    first = grads((scalar(y),), values, create_graph=True, strict=strict)
    total = (sum(g.sum() for g in first),)
    return as_given(inputs, grads(total, values, None, create_graph, strict))


@wrong("8.6", says="evaluate() runs a function so that it's recorded there, too")
def not_recorded_under_no_grad(func, inputs, create_graph=False, strict=False):
    values = tuple(fresh(x, create_graph) for x in as_tuple(inputs))
    first = grads((scalar(func(*values)),), values, create_graph=True, strict=strict)
    rows = [tuple(jacobian_of(g, x, create_graph, strict) for x in values) for g in first]
    return rows[0][0] if isinstance(inputs, Tensor) else tuple(rows)


@wrong("8.6", says="scalar(y) refuses it")
def any_result_will_do(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        first = grads((func(*values),), values, create_graph=True, strict=strict)
        return as_given(inputs, first)

    return jacobian(gradient, inputs, create_graph, strict)


@wrong("8.6", says="one number is enough, whatever its shape")
def only_numbers_without_dimensions(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        y = func(*values)
        if y.ndim:
            raise RuntimeError("the function must return one number")
        return as_given(inputs, grads((y,), values, create_graph=True, strict=strict))

    return jacobian(gradient, inputs, create_graph, strict)


@wrong("8.6", says="a tuple of one tensor is still a tuple")
def a_tuple_of_one_is_opened(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        first = grads((scalar(func(*values)),), values, create_graph=True, strict=strict)
        return first[0] if len(first) == 1 else first

    return jacobian(gradient, inputs, create_graph, strict)


@wrong("8.6", says="block [0][1] has shape (3, 2, 2), expected shape (2, 3, 2)")
def blocks_above_by_mirroring(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        first = grads((scalar(func(*values)),), values, create_graph=True, strict=strict)
        return as_given(inputs, first)

    h = jacobian(gradient, inputs, create_graph, strict)
    if isinstance(inputs, Tensor):
        return h
    mirror = lambda block: block.permute(*range(block.ndim)[::-1])  # noqa: E731
    places = range(len(h))
    return tuple(tuple(h[i][j] if j <= i else mirror(h[j][i]) for j in places) for i in places)


@wrong("8.6", says="backward() leaves no .grad in it")
def gradient_by_backward(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        y = scalar(func(*values))
        if y.requires_grad:
            y.backward(create_graph=True)
        return as_given(inputs, [zeros_like(x) if x.grad is None else x.grad for x in values])

    return jacobian(gradient, inputs, create_graph, strict)


@wrong("8.6", says="has how many rows of blocks = 1, expected 2: one for each input")
def slopes_in_the_first_input_alone(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        first = grads((scalar(func(*values)),), values[:1], create_graph=True, strict=strict)
        return as_given(inputs, first)

    return jacobian(gradient, inputs, create_graph, strict)


@wrong("8.6", says="as a row, expected a tuple of 2")
def blocks_of_the_diagonal_alone(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        first = grads((scalar(func(*values)),), values, create_graph=True, strict=strict)
        return as_given(inputs, first)

    h = jacobian(gradient, inputs, create_graph, strict)
    return h if isinstance(inputs, Tensor) else tuple(h[i][i] for i in range(len(h)))


@wrong("8.6", says="jacobian needs the inputs as they came")
def inputs_are_detached(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        first = grads((scalar(func(*values)),), values, create_graph=True, strict=strict)
        return as_given(inputs, first)

    values = as_given(inputs, [x.detach().requires_grad_() for x in as_tuple(inputs)])
    return jacobian(gradient, values, create_graph, strict)


@wrong("8.6", says="func takes the inputs one by one")
def hands_the_tuple_to_func(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        y = scalar(func(as_given(inputs, values)))
        return as_given(inputs, grads((y,), values, create_graph=True, strict=strict))

    return jacobian(gradient, inputs, create_graph, strict)


@wrong("8.7", says="has shape (3,), expected shape (2,)")
def backwards_in_place_of_forwards(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph)
    heads = as_tuple(v) if v is not None else None
    if heads is not None and tuple(heads[0].shape) != tuple(as_tuple(inputs)[0].shape):
        raise RuntimeError("v must have the shapes of the inputs")
    if not isinstance(outputs, tuple) and outputs.numel() != heads[0].numel():
        heads = (heads[0].sum() * zeros_like(outputs),)
    found = grads(as_tuple(outputs), values, heads, create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, found)


@wrong("8.7", says="v is a push on the inputs")
def v_for_the_first_pass(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    heads = heads_for(outputs, v)
    moves = grads(as_tuple(outputs), values, heads, create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="is the first pass recorded, with create_graph=True?")
def forwards_not_recorded(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="what a pass differentiates for must ask")
def upstream_does_not_ask(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y) for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="how many it gave, func(inputs) and J v")
def only_the_move(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return (as_given(outputs, moves),)


@wrong("8.7", says="func(inputs).requires_grad")
def results_with_their_graph(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return outputs, as_given(outputs, moves)


@wrong("8.7", says="pass create_graph on to the second pass")
def moves_without_a_history(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), strict=strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="strict=True")
def jvp_drops_strict(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="J v of a function that gives a tuple of one is a tuple")
def a_tuple_of_one_is_unpacked(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), moves[0] if len(moves) == 1 else moves


@wrong("8.7", says="expected RuntimeError")
def v_of_any_shape(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    v = as_tuple(v) if v is not None else [1 + zeros_like(b) for b in backs]
    heads = [
        zeros_like(b) + w.sum() if w.numel() == 1 else w for b, w in zip(backs, v, strict=True)
    ]
    heads = [h[: b.numel()] if h.shape != b.shape else h for h, b in zip(heads, backs, strict=True)]
    if any(h.shape != b.shape for h, b in zip(heads, backs, strict=True)):
        heads = [zeros_like(b) for b in backs]
    moves = grads(backs, upstream, heads, create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="heads_for(what the first pass found, v) refuses it")
def v_as_it_came(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, as_tuple(v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="is a Tensor, expected a tuple: it is shaped like the results")
def shaped_like_the_inputs(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(inputs, moves)


@wrong("8.7", says="hand strict to both passes")
def strict_in_the_second_pass_alone(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True)
    if strict and not any(back.requires_grad for back in backs):
        raise RuntimeError("nothing depends on the inputs")
    if strict and not all(y.requires_grad for y in as_tuple(outputs)):
        raise RuntimeError("a result does not depend on the inputs")
    moves = grads(backs, upstream, heads_for(backs, v), create_graph)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="once is enough: keep what it gave")
def runs_the_function_twice(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    again = evaluate(func, inputs, create_graph)[1]
    return result(again, create_graph), as_given(outputs, moves)


@wrong("8.7", says="two passes do")
def the_whole_jacobian(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph)
    pushes, moves = heads_for(values, v), []
    for y in as_tuple(outputs):
        blocks = [jacobian_of(y, x, create_graph, strict) for x in values]
        rows = [b.reshape(y.numel(), w.numel()) for b, w in zip(blocks, pushes, strict=True)]
        sums = [(b * w.reshape(w.numel())).sum(1) for b, w in zip(rows, pushes, strict=True)]
        moves.append(sum(sums).reshape(*y.shape))
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="all results together")
def a_pass_for_each_result(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    moves = []
    for y in as_tuple(outputs):
        upstream = [zeros_like(y).requires_grad_()]
        backs = grads((y,), values, upstream, create_graph=True, strict=strict)
        moves += grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="make new tensors for u")
def the_results_for_upstream(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    ys = as_tuple(outputs)
    upstream = [y if y.requires_grad else zeros_like(y).requires_grad_() for y in ys]
    backs = grads(ys, values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="v needs a part for each input")
def v_is_not_checked(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    heads = None if v is None else as_tuple(v)
    moves = grads(backs, upstream, heads, create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="what depends on no input is refused")
def strict_in_the_first_pass_alone(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="leaves them their graph")
def results_never_with_their_graph(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, False), as_given(outputs, moves)


@wrong("8.7", says="x.to(float64) ** 2")
def upstream_of_the_dtype_of_the_inputs(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).to(values[0].dtype).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="v of shape (1, 3), gave")
def v_of_as_many_numbers(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    if v is not None:
        pairs = zip(as_tuple(v), backs, strict=False)
        v = tuple([h.reshape(b.shape) if h.numel() == b.numel() else h for h, b in pairs])
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="evaluate() makes a value of its own for each input")
def asks_the_inputs_themselves(func, inputs, v=None, create_graph=False, strict=False):
    values = [x.requires_grad_() for x in as_tuple(inputs)]
    with enable_grad():
        outputs = func(*values)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="keeps the graph of the inputs")
def values_without_the_graph_of_the_inputs(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=False)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.6", says="differentiate for the values")
def differentiates_for_the_inputs(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        return as_given(
            inputs,
            grads((scalar(func(*values)),), as_tuple(inputs), create_graph=True, strict=strict),
        )

    return jacobian(gradient, inputs, create_graph)


@wrong("8.2", "tape.Tape.propagate", says="found.get(name) is None there")
def looks_up_what_nobody_sent(self, entry, found):
    gradients = [found[name] for name in entry.outputs]
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        if gradient is not None:
            found[name] = add_optional(found.get(name), gradient)


# --- shortcuts for special numbers ---


@wrong("8.1", says="one rule for all numbers, and for every tape: compute with Variables")
def ones_are_not_multiplied(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")

    def back(dr):
        d = dr[0].value.numpy()
        if d.size and (d == 1).all():
            return [other, self]
        return [dr[0] * other, dr[0] * self]

    self.tape.record([self, other], [r], back)
    return r


@wrong("8.1", says="expected a Variable: only None is a known zero")
def zeros_that_came_are_none(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")

    def back(dr):
        if dr[0].value.numel() and not dr[0].value.numpy().any():
            return [None, None]
        return [dr[0] * other, dr[0] * self]

    self.tape.record([self, other], [r], back)
    return r


@wrong("8.1", says="one rule for all numbers, and for every tape: compute with Variables")
def minus_ones_turn_the_sign(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")

    def back(dr):
        d = dr[0].value.numpy()
        if d.size and (d == -1).all():
            return [-other, -self]
        return [dr[0] * other, dr[0] * self]

    self.tape.record([self, other], [r], back)
    return r


@wrong("8.1", says="a factor of 1 has a slope all the same")
def a_factor_of_one_hands_on(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")

    def back(dr):
        x = self.value.numpy()
        is_one = x.size and (x == 1).all()
        return [dr[0] * other, dr[0] if is_one else dr[0] * self]

    self.tape.record([self, other], [r], back)
    return r


@wrong("8.1", says="expected a Variable")
def nan_is_not_handed_on(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")

    def back(dr):
        d = dr[0].value.numpy()
        if d.size and (d != d).all():
            return [None, None]
        return [dr[0] * other, dr[0] * self]

    self.tape.record([self, other], [r], back)
    return r


@wrong("8.4", "tape.Variable.sum", says="one rule for all numbers")
def a_one_is_expanded_as_a_constant(self, name=None):
    r = self.tape.result(self.value.sum(), f"{self.name}.sum()", name)

    def back(dr):
        if dr[0].value.item() == 1:
            return [self.tape.variable(dr[0].value.expand(self.shape))]
        return [dr[0].expand(self.shape)]

    self.tape.record([self], [r], back)
    return r


@wrong("8.4", "tape.Variable.expand", says="one rule for all numbers")
def a_sum_of_ones_is_a_count(self, shape):
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")

    def back(dr):
        d = dr[0].value
        if d.ndim and d.numel() and (d.numpy() == 1).all():
            return [self.tape.variable(d.sum())]
        return [dr[0].sum()]

    self.tape.record([self], [r], back)
    return r


@wrong("8.5", says="the slope of b's in dr = 1, expected 2")
def minus_one_needs_no_product(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        db = None
        if dr is not None:
            dt = add_optional(dt, dr * b)
            d = dr.value.numpy()
            db = -t if d.size and (d == -1).all() else dr * t
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="only None is a known zero")
def zeros_for_t_are_none(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        if dt is not None and not dt.value.numpy().any():
            dt = None
        db = None
        if dr is not None:
            dt = add_optional(dt, dr * b)
            db = dr * t
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="number 0 = None, expected tensor([0., 0.]): only None is a known zero")
def zeros_for_r_are_none(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        db = None
        if dr is not None and dr.value.numpy().any():
            dt = add_optional(dt, dr * b)
            db = dr * t
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


# --- right for a while ---


@wrong("8.1", says="call number")
def good_for_five_passes(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
    calls = []

    def back(dr):
        calls.append(dr)
        return [dr[0] * other, dr[0] * self] if len(calls) < 6 else [None, None]

    self.tape.record([self, other], [r], back)
    return r


@wrong("8.1", says="changed entries that were on the tape: it only writes new ones")
def entry_used_up(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
    place = len(self.tape.entries)

    def back(dr):
        found = [dr[0] * other, dr[0] * self]
        self.tape.entries[place] = Entry(["gone"], [r.name], back)
        return found

    self.tape.record([self, other], [r], back)
    return r


@wrong("8.1", says="changed entries that were on the tape: it only writes new ones")
def trims_a_long_tape(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")

    def back(dr):
        found = [dr[0] * other, dr[0] * self]
        if len(self.tape.entries) > 500:
            del self.tape.entries[:100]
        return found

    self.tape.record([self, other], [r], back)
    return r


@wrong("8.1", says="one rule for all numbers, and for every tape: compute with Variables")
def unrecorded_on_a_long_tape(self, other):
    tape = self.tape
    r = tape.result(self.value * other.value, f"{self.name} * {other.name}")

    def back(dr):
        if len(tape.entries) > 20:
            return [tape.variable(dr[0].value * x.value) for x in (other, self)]
        return [dr[0] * other, dr[0] * self]

    tape.record([self, other], [r], back)
    return r


@wrong("8.2", "tape.Tape.propagate", says="on a tape with 1,000 entries")
def gives_up_on_a_long_tape(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients) or len(self.entries) > 500:
        return
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.3", says="call number")
def five_passes_only(self, loss, variables):
    self.passes = getattr(self, "passes", 0) + 1
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1] if self.passes < 6 else []:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.4", "tape.Variable.sum", says="call number")
def a_sum_for_five_passes(self, name=None):
    r = self.tape.result(self.value.sum(), f"{self.name}.sum()", name)
    calls = []

    def back(dr):
        calls.append(dr)
        return [dr[0].expand(self.shape) if len(calls) < 6 else None]

    self.tape.record([self], [r], back)
    return r


@wrong("8.4", "tape.Variable.expand", says="one rule for all numbers, and for every tape")
def expand_unrecorded_on_a_long_tape(self, shape):
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    tape = self.tape
    r = tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")

    def back(dr):
        return [tape.variable(dr[0].value.sum()) if len(tape.entries) > 50 else dr[0].sum()]

    tape.record([self], [r], back)
    return r


@wrong("8.5", says="call number")
def an_aggregate_for_five_passes(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")
    calls = []

    def propagate(gradients):
        calls.append(gradients)
        dr, dt = gradients if len(calls) < 6 else (gradients[0], None)
        db = None
        if dr is not None:
            dt = add_optional(dt, dr * b)
            db = dr * t
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


# --- errors on the way ---


@wrong("8.2", "tape.Tape.propagate", says="raised no error, expected ValueError")
def swallows_errors(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    try:
        given = entry.propagate(gradients)
    except ValueError:
        return
    for name, gradient in zip(entry.inputs, given, strict=True):
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.2", "tape.Tape.propagate", says="raised RuntimeError: r <- a failed, expected Exception")
def raises_another_error(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    try:
        given = entry.propagate(gradients)
    except Exception as error:
        raise RuntimeError("r <- a failed") from error
    for name, gradient in zip(entry.inputs, given, strict=True):
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.2", "tape.Tape.propagate", says="found changes once the way back has given its gradients")
def none_in_found_meanwhile(self, entry, found):
    for name in entry.outputs:
        found.setdefault(name)
    gradients = [found[name] for name in entry.outputs]
    if any(gradient is not None for gradient in gradients):
        for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
            total = add_optional(found.get(name), gradient)
            if total is not None:
                found[name] = total
    for name in entry.outputs:
        if found[name] is None:
            del found[name]


@wrong("8.2", "tape.Tape.propagate", says="left another trace on the tape")
def silent_after_an_error(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    trace = self.trace
    self.trace = lambda line: trace and trace(line)
    given = entry.propagate(gradients)
    self.trace = trace
    for name, gradient in zip(entry.inputs, given, strict=True):
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.2", "tape.Tape.propagate", says="expected ValueError: + refuses them")
def makes_shapes_meet(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        if gradient is not None and name in found and found[name].shape != gradient.shape:
            gradient = gradient.sum().expand(found[name].shape)
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.3", says="took entries off the tape: they stay there")
def an_error_empties_the_tape(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    before, self.entries = self.entries, []
    for entry in before[::-1]:
        self.propagate(entry, found)
    self.entries = before + self.entries
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="ends with AttributeError, raised no error, expected AttributeError")
def errors_are_known_zeros(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    try:
        for entry in self.entries[::-1]:
            self.propagate(entry, found)
    except (TypeError, AttributeError):
        return [None for _ in variables]
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="ends with ValueError, raised no error, expected ValueError")
def skips_entries_that_fail(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        try:
            self.propagate(entry, found)
        except ValueError:
            continue
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


# --- every loss ---


@wrong("8.3", says="found begins with self.seed(loss)")
def seed_by_hand(self, loss, variables):
    self.write(f"d{loss.name} " + "-" * 24)
    found = {loss.name: self.variable(ones_like(loss.value))}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="loss on another tape, of shape ()")
def another_tapes_loss_has_no_slopes(self, loss, variables):
    if loss.tape is not self:
        return [None for _ in variables]
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="on the tape afterwards = 6, expected 4")
def sums_a_loss_with_dimensions(self, loss, variables):
    loss = loss.sum() if loss.value.ndim else loss
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="self.write_gradients shows what was found")
def shows_single_numbers_only(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    if not loss.value.ndim:
        self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="self.write_gradients shows what was found")
def shows_nothing_for_known_zeros(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    if any(variable.name in found for variable in variables):
        self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="on the tape afterwards = 2, expected 4")
def forgets_a_pass_that_found_zeros(self, loss, variables):
    before = list(self.entries)
    found = {loss.name: self.seed(loss)}
    for entry in before[::-1]:
        self.propagate(entry, found)
    if not any(variable.name in found for variable in variables):
        self.entries = before
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


# --- names, and the caller's list ---


@wrong("8.1", says="a Variable is made by tape.result(), which notes its name")
def name_not_taken(self, other):
    name = self.tape.fresh_name()
    self.tape.write(f"{name} = {self.name} * {other.name}")
    r = Variable(self.value * other.value, name, self.tape)
    self.tape.record([self, other], [r], lambda dr: [dr[0] * other, dr[0] * self])
    return r


@wrong("8.4", "tape.Variable.sum", says="a Variable is made by tape.result(), which notes its name")
def name_of_a_sum_not_taken(self, name=None):
    r = Variable(self.value.sum(), name or self.tape.fresh_name(), self.tape)
    self.tape.write(f"{r.name} = {self.name}.sum()")
    self.tape.record([self], [r], lambda dr: [dr[0].expand(self.shape)])
    return r


@wrong("8.4", "tape.Variable.sum", says="hand the name to self.tape.result")
def taken_name_is_left_out(self, name=None):
    name = None if name in self.tape.names else name
    r = self.tape.result(self.value.sum(), f"{self.name}.sum()", name)
    self.tape.record([self], [r], lambda dr: [dr[0].expand(self.shape)])
    return r


@wrong("8.5", says="a Variable is made by tape.result(), which notes its name")
def names_of_an_aggregate_not_taken(a, b):
    from tinytorch.tape import Variable

    def shown(value, text):
        name = a.tape.fresh_name()
        a.tape.write(f"{name} = {text}")
        return Variable(value, name, a.tape)

    t = shown(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = shown(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        db = None
        if dr is not None:
            dt = add_optional(dt, dr * b)
            db = dr * t
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.1", says="it belongs to the caller, so only read it")
def takes_the_gradient_out(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")

    def back(dr):
        d = dr.pop()
        return [d * other, d * self]

    self.tape.record([self, other], [r], back)
    return r


@wrong("8.4", "tape.Variable.sum", says="it belongs to the caller, so only read it")
def a_sum_takes_the_gradient_out(self, name=None):
    r = self.tape.result(self.value.sum(), f"{self.name}.sum()", name)
    self.tape.record([self], [r], lambda dr: [dr.pop().expand(self.shape)])
    return r


@wrong("8.4", "tape.Variable.expand", says="it belongs to the caller, so only read it")
def an_expansion_takes_the_gradient_out(self, shape):
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")
    self.tape.record([self], [r], lambda dr: [dr.pop().sum()])
    return r


@wrong("8.5", says="it belongs to the caller, so only read it")
def an_aggregate_empties_the_list(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        gradients[:] = [None, None]
        db = None
        if dr is not None:
            dt = add_optional(dt, dr * b)
            db = dr * t
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="belongs on the tape: multiply Variables with *")
def a_product_without_an_entry(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        db = None
        if dr is not None:
            dt = add_optional(dt, dr * b)
            db = a.tape.result(dr.value * t.value, f"{dr.name} * {t.name}")
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.2", "tape.Tape.propagate", says="entry.propagate got a tuple")
def hands_on_a_tuple(self, entry, found):
    gradients = tuple(found.get(name) for name in entry.outputs)
    if all(gradient is None for gradient in gradients):
        return
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.2", "tape.Tape.propagate", says="gives 30, 20 and 7: found['c'] = None, expected 7")
def two_inputs_at_most(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    given = entry.propagate(gradients)
    for name, gradient in list(zip(entry.inputs, given, strict=True))[:2]:
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.2", "tape.Tape.propagate", says="has shape (), expected shape (1,)")
def all_shapes_are_the_outputs(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        is_wide = gradient is not None and gradients[0] is not None and gradient.shape
        if is_wide and not gradients[0].shape:
            gradient = gradient.sum()
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.2", "tape.add_optional", says="the names of both after add_optional")
def renames_what_it_adds(a, b):
    if a is None or b is None:
        return b if a is None else a
    total = a + b
    a.name = total.name
    return total


# --- costs, and recording ---


@wrong("8.6", says="grad_enabled was False before functional.hessian, is True after it")
def recording_left_on_by_an_error(func, inputs, create_graph=False, strict=False):
    from tinytorch.state import state

    before, state.grad_enabled = state.grad_enabled, True

    def gradient(*values):
        first = grads((scalar(func(*values)),), values, create_graph=True, strict=strict)
        return as_given(inputs, first)

    found = jacobian(gradient, inputs, create_graph, strict)
    state.grad_enabled = before
    return found


@wrong("8.6", says="raised RuntimeError: func failed, expected Exception")
def errors_of_func_renamed(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        try:
            y = scalar(func(*values))
        except Exception as error:
            raise RuntimeError("func failed") from error
        return as_given(inputs, grads((y,), values, create_graph=True, strict=strict))

    return jacobian(gradient, inputs, create_graph, strict)


@wrong("8.7", says="grad_enabled was False before functional.jvp, is True after it")
def a_push_leaves_recording_on(func, inputs, v=None, create_graph=False, strict=False):
    from tinytorch.state import state

    before, state.grad_enabled = state.grad_enabled, True
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    state.grad_enabled = before
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="raised RuntimeError: func failed, expected Exception")
def errors_in_a_push_renamed(func, inputs, v=None, create_graph=False, strict=False):
    try:
        values, outputs = evaluate(func, inputs, create_graph=True)
    except Exception as error:
        raise RuntimeError("func failed") from error
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="how often the second pass comes by = 3, expected 1: one pass for all results")
def a_second_pass_for_each_result(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    heads = heads_for(backs, v)
    moves = [grads(backs, (u,), heads, create_graph, strict)[0] for u in upstream]
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="comes by = 2, expected 1: one pass for all results and all inputs together")
def a_second_pass_for_each_input(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    pairs = [(backs, heads_for(backs, v))]
    if not strict:
        pairs = [((back,), (head,)) for back, head in zip(*pairs[0], strict=True)]
    passes = [grads(*pair[:1], upstream, pair[1], create_graph, strict) for pair in pairs]
    moves = [sum(parts[1:], parts[0]) for parts in zip(*passes, strict=True)]
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="create_graph=True, strict=False, under no_grad(), how often func runs = 2")
def func_again_for_the_graph(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    outputs = func(*as_tuple(inputs)) if create_graph else outputs
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="strict=True, under no_grad(), how often func runs = 2, expected 1")
def func_again_to_be_strict(func, inputs, v=None, create_graph=False, strict=False):
    if strict:
        func(*as_tuple(inputs))
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.1", says="from [b]: a's, what it was made from on the tape = []")
def a_gradient_that_is_a_factor(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")

    def back(dr):
        da = self.tape.variable(other.value**2) if dr[0] is other else dr[0] * other
        return [da, dr[0] * self]

    self.tape.record([self, other], [r], back)
    return r


@wrong("8.4", "tape.Variable.expand", says="one rule for all numbers, and for every tape")
def three_dimensions_unrecorded(self, shape):
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")

    def back(dr):
        is_small = dr[0].value.ndim < 3
        return [dr[0].sum() if is_small else self.tape.variable(dr[0].value.sum())]

    self.tape.record([self], [r], back)
    return r


@wrong("8.5", says="the same Variable for r and t")
def one_gradient_for_both_counts_once(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        dt = None if dt is dr else dt
        db = None
        if dr is not None:
            dt = add_optional(dt, dr * b)
            db = dr * t
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.3", says="where the trace raises OSError at line")
def errors_of_the_trace_are_lost(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    try:
        self.write_gradients(loss, found)
    except OSError:
        return [found.get(variable.name) for variable in variables]
    return [found.get(variable.name) for variable in variables]


@wrong("8.6", says="hessian of two inputs")
def errors_of_several_inputs_renamed(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        first = grads((scalar(func(*values)),), values, create_graph=True, strict=strict)
        return as_given(inputs, first)

    try:
        return jacobian(gradient, inputs, create_graph, strict)
    except TypeError as error:
        if isinstance(inputs, Tensor):
            raise
        raise RuntimeError("one of the inputs") from error


@wrong("8.7", says="shape (2, 3), x asks: False")
def a_matrix_runs_func_twice(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    if as_tuple(outputs)[0].ndim > 1:
        func(*values)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="jvp without v")
def without_v_func_runs_twice(func, inputs, v=None, create_graph=False, strict=False):
    if v is None:
        func(*as_tuple(inputs))
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.1", says="the way back of a * a")
@elementwise
def takes_a_copy_where_both_are_one(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
    rest = other if self is not other else self.tape.variable(other.value)
    self.tape.record([self, other], [r], lambda dr: [dr[0] * rest, dr[0] * self])
    return r


@wrong("8.1", says="writes into the trace")
@elementwise
def goes_back_in_silence(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")

    def way_back(dr):
        trace, self.tape.trace = self.tape.trace, None
        gradients = [dr[0] * other, dr[0] * self]
        self.tape.trace = trace
        return gradients

    self.tape.record([self, other], [r], way_back)
    return r


@wrong("8.7", says="requires_grad is not what it was before")
def tells_v_not_to_ask(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    heads = heads_for(backs, v)
    for head in heads:
        head.requires_grad_(False)
    moves = grads(backs, upstream, heads, create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="v three")
def takes_as_many_of_v_as_it_needs(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    if isinstance(v, tuple):
        v = v[: len(values)]
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.1", says="other and not other.value")
@elementwise
def multiplies_by_a_value(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
    self.tape.record([self, other], [r], lambda dr: [dr[0] * other.value, dr[0] * self.value])
    return r


@wrong("8.1", says="record wants a function")
@elementwise
def records_a_list(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
    self.tape.record([self, other], [r], [other, self])
    return r


@wrong("8.3", says="the first of the two entries was never taken back")
def stops_before_the_first_entry(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for i in range(len(self.entries) - 1, 0, -1):
        self.propagate(self.entries[i], found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="the second of the two entries was never taken back")
def begins_before_the_last_entry(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[-2::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="the tape itself was turned round")
def walks_over_the_tape_turned_round(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    entries = self.entries
    entries.reverse()
    for entry in list(entries):
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.1", says="self.tape.result(value, text) makes a Variable of it")
@elementwise
def gives_a_tensor(self, other):
    r = self.value * other.value
    self.tape.record([self, other], [r], lambda dr: [dr[0] * other, dr[0] * self])
    return r


@wrong("8.1", says="an entry has names")
@elementwise
def an_entry_of_variables(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
    self.tape.entries.append(Entry([self, other], [r], lambda dr: [dr[0] * other, dr[0] * self]))
    return r


@wrong("8.1", says="compute with Variables, not with their .value: a Tensor leaves the tape")
@elementwise
def the_value_of_what_comes(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
    self.tape.record([self, other], [r], lambda dr: [dr[0].value * other, dr[0].value * self])
    return r


@wrong("8.1", says="tape.variable is for what no operation made")
@elementwise
def a_variable_that_no_operation_made(self, other):
    r = self.tape.variable(self.value * other.value)
    self.tape.record([self, other], [r], lambda dr: [dr[0] * other, dr[0] * self])
    return r


@wrong("8.1", says="one gradient: dr[0]")
@elementwise
def a_gradient_for_each_factor(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
    self.tape.record([self, other], [r], lambda dr: [dr[0] * other, dr[1] * self])
    return r


@wrong("8.1", says="let the way back wait in a lambda")
@elementwise
def the_way_back_at_once(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
    self.tape.record([self, other], [r], [r * other, r * self])
    return r


@wrong("8.2", "tape.add_optional", says="zero plus zero is a zero that's known: None")
def none_and_none_are_zero(a, b):
    if a is None and b is None:
        return 0
    if a is None or b is None:
        return b if a is None else a
    return a + b


@wrong("8.2", "tape.add_optional", says="x of shape () and y of shape (2,)")
def a_single_number_is_expanded(a, b):
    if a is None or b is None:
        return b if a is None else a
    if not a.value.ndim and b.value.ndim:
        a = a.expand(b.shape)
    return a + b


@wrong("8.2", "tape.Tape.propagate", says="an entry's inputs and outputs are names")
def asks_names_for_their_names(self, entry, found):
    gradients = [found.get(variable.name) for variable in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    for variable, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        total = add_optional(found.get(variable.name), gradient)
        if total is not None:
            found[variable.name] = total


@wrong("8.2", "tape.Tape.propagate", says="zip(entry.inputs, ...) pairs them")
def all_gradients_to_each_input(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    back = entry.propagate(gradients)
    for name in entry.inputs:
        found[name] = add_optional(found.get(name), back)


@wrong("8.2", "tape.Tape.propagate", says="found has 0, 1 among its keys")
def numbers_for_names(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    for place, gradient in enumerate(entry.propagate(gradients)):
        found[place] = add_optional(found.get(place), gradient)


@wrong("8.2", "tape.Tape.propagate", says="look each of them up")
def looks_up_the_list(self, entry, found):
    gradients = found.get(entry.outputs)
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        found[name] = add_optional(found.get(name), gradient)


@wrong("8.3", says="the entry comes first, and found second")
def found_comes_first(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(found, entry)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="reverse() turns the tape itself round, and gives None")
def walks_over_what_reverse_gives(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries.reverse():
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="one for each variable, and None is one too")
def known_zeros_left_out(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables if variable.name in found]


@wrong("8.3", says="times, and went on: what this pass writes isn't part of it")
def meets_its_own_entries(self, loss, variables):
    found, done = {loss.name: self.seed(loss)}, 0
    while done < len(self.entries):
        done += 1
        self.propagate(self.entries[-done], found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="take every entry through self.propagate")
def from_one_local_rule_to_the_next(self, loss, variables):
    found = [self.seed(loss)]
    for entry in self.entries[::-1]:
        found = entry.propagate(found)
    return found


@wrong("8.3", says="so no None either")
def none_among_what_is_shown(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    found = {variable.name: found.get(variable.name) for variable in variables}
    self.write_gradients(loss, found)
    return list(found.values())


@wrong("8.3", says="one pass, whichever variables are asked for, even none")
def nobody_asks_so_nothing_is_done(self, loss, variables):
    if not variables:
        return []
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.4", "tape.Variable.sum", says="is a Variable with a float in it, 10.0, expected a Tensor")
def sum_of_python(self, name=None):
    r = self.tape.result(float(self.value.sum()), f"{self.name}.sum()", name)
    self.tape.record([self], [r], lambda dr: [dr[0].expand(self.shape)])
    return r


@wrong("8.4", "tape.Variable.sum", says="self.sum() is this very method")
def sum_calls_itself(self, name=None):
    r = self.tape.result(self.sum(), f"{self.name}.sum()", name)
    self.tape.record([self], [r], lambda dr: [dr[0].expand(self.shape)])
    return r


@wrong("8.4", "tape.Variable.sum", says="expand takes a shape: that of a is self.shape")
def sum_expands_to_itself(self, name=None):
    r = self.tape.result(self.value.sum(), f"{self.name}.sum()", name)
    self.tape.record([self], [r], lambda dr: [dr[0].expand(self)])
    return r


@wrong("8.4", "tape.Variable.expand", says="raise it, don't return it")
def the_error_is_returned(self, shape):
    if self.value.ndim:
        return ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")
    self.tape.record([self], [r], lambda dr: [dr[0].sum()])
    return r


@wrong("8.4", "tape.Variable.expand", says="a Variable has a sum() of its own: dr[0].sum()")
def the_sum_of_the_list(self, shape):
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")
    self.tape.record([self], [r], lambda dr: [sum(dr)])
    return r


@wrong("8.5", says="compute with Variables, not with their .value")
def the_value_of_t(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        db = None
        if dr is not None:
            dt = add_optional(dt, dr * b)
            db = dr * t.value
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="is a Variable with a Variable in it")
def a_value_that_is_a_variable(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t * b, f"sum_times({a.name}, {b.name})")
    a.tape.record([a, b], [r, t], lambda gradients: [None, None])
    return r


@wrong("8.5", says="a value is made of values: t.value * b.value")
def a_value_times_a_variable(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b, f"sum_times({a.name}, {b.name})")
    a.tape.record([a, b], [r, t], lambda gradients: [None, None])
    return r


@wrong("8.5", says="record wants the function propagate, not what it gives")
def calls_the_way_back(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        dt = add_optional(dt, dr * b)
        return [dt, add_optional(dr * t, dt)]

    a.tape.record([a, b], [r, t], propagate([r, None]))
    return r


@wrong("8.5", says="record takes a list of inputs and a list of outputs")
def outputs_in_no_list(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")
    a.tape.record([a, b], r, t, lambda gradients: gradients)
    return r


@wrong("8.5", says="it never got a value: begin with None")
def db_only_where_something_came(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        if dr is not None:
            dt = add_optional(dt, dr * b)
            db = dr * t
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="with None for t: how many entries it wrote = 4, expected 3")
def dearer_with_each_call(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")
    calls = []

    def propagate(gradients):
        dr, dt = gradients
        calls.append(dr)
        db = None
        if dr is not None:
            for _ in calls:
                through = dr * b
            dt = add_optional(dt, through)
            db = dr * t
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.6", says="func is a function: call it")
def func_is_not_called(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        first = grads((scalar(func),), values, create_graph=True, strict=strict)
        return as_given(inputs, first)

    return jacobian(gradient, inputs, create_graph, strict)


@wrong("8.6", says="jacobian takes the inputs as they came, a tensor or a tuple")
def inputs_one_by_one(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        first = grads((scalar(func(*values)),), values, create_graph=True, strict=strict)
        return as_given(inputs, first)

    return jacobian(gradient, *inputs, create_graph, strict)


@wrong("8.6", says="does it return what jacobian found?")
def the_table_is_not_returned(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        first = grads((scalar(func(*values)),), values, create_graph=True, strict=strict)
        return as_given(inputs, first)

    jacobian(gradient, inputs, create_graph, strict)


@wrong("8.6", says="jacobian takes them one by one")
def one_pass_for_all_slopes(func, inputs, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    first = grads((scalar(outputs),), values, create_graph=True, strict=strict)
    return as_given(inputs, grads(first, values, create_graph=create_graph, strict=strict))


@wrong("8.6", says="the requires_grad of hessian of (x ** 3).sum() under no_grad()")
def no_history_under_no_grad(func, inputs, create_graph=False, strict=False):
    from tinytorch.grad_mode import is_grad_enabled

    def gradient(*values):
        first = grads((scalar(func(*values)),), values, create_graph=True, strict=strict)
        return as_given(inputs, first)

    return jacobian(gradient, inputs, create_graph and is_grad_enabled(), strict)


@wrong("8.7", says="the second pass starts from it, by heads_for(what the first pass found, v)")
def a_second_pass_without_heads(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, create_graph=create_graph, strict=strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="the first pass starts from u, upstream gradients that you make")
def a_first_pass_without_upstream(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="grads takes a tuple of results, even of one: as_tuple(outputs)")
def outputs_in_no_tuple(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(outputs, values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="grads takes its upstream gradients as a tuple or a list")
def v_in_no_tuple(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, v, create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="differentiate for the values that evaluate() gives")
def a_first_pass_to_the_inputs(func, inputs, v=None, create_graph=False, strict=False):
    _, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), as_tuple(inputs), upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="u is a tensor that asks for gradients")
def an_array_for_u(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [np.zeros(y.shape) for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="that's J v, which comes second")
def the_move_comes_first(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return as_given(outputs, moves), result(outputs, create_graph)


@wrong("8.7", says="func gave one tensor, so J v is one")
def always_a_tuple_of_moves(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), moves


@wrong("8.7", says="jvp of a constant, x of shape (2,), v of shape ()")
def v_does_not_matter_to_a_constant(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    given = as_tuple(outputs)
    if not strict and not any(y.requires_grad for y in given):
        return result(outputs, create_graph), as_given(outputs, [zeros_like(y) for y in given])
    upstream = [zeros_like(y).requires_grad_() for y in given]
    backs = grads(given, values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="jvp of a function that gives a list, create_graph=True")
def a_list_stays_a_list(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    results = outputs if create_graph else result(outputs, create_graph)
    return results, as_given(outputs, moves)


@wrong("8.4", "tape.Variable.expand", says="on the way back each operation has its line")
def expand_goes_back_in_silence(self, shape):
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")

    def way_back(dr):
        trace, self.tape.trace = self.tape.trace, None
        gradients = [dr[0].sum()]
        self.tape.trace = trace
        return gradients

    self.tape.record([self], [r], way_back)
    return r


@wrong("8.7", says="jvp of x ** 3 without v, create_graph=True")
def without_v_no_history(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph and v is not None, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.1", says="each factor gets dr times the other one")
def both_get_the_same(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
    self.tape.record([self, other], [r], lambda dr: [dr[0] * other, dr[0] * other])
    return r


@wrong("8.1", says="a product makes r alone")
def another_variable_after_it(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
    self.tape.variable(1.0)
    self.tape.record([self, other], [r], lambda dr: [dr[0] * other, dr[0] * self])
    return r


@wrong("8.1", says="= 'v1', expected 'v0': tape.variable makes a Variable")
def another_variable_before_it(self, other):
    self.tape.variable(1.0)
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
    self.tape.record([self, other], [r], lambda dr: [dr[0] * other, dr[0] * self])
    return r


@wrong("8.2", "tape.Tape.propagate", says="hand a known zero on as it is, None")
def hands_on_zeros_for_none(self, entry, found):
    if not any(name in found for name in entry.outputs):
        return
    gradients = [found.get(name) or self.variable(0.0) for name in entry.outputs]
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.3", says="the loss's own gradient is self.seed(loss), ones of its shape")
def a_seed_without_the_shape(self, loss, variables):
    found = {loss.name: self.variable(1.0)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.4", "tape.Variable.sum", says="hand the name on")
def sum_keeps_the_name_to_itself(self, name=None):
    r = self.tape.result(self.value.sum(), f"{self.name}.sum()")
    self.tape.record([self], [r], lambda dr: [dr[0].expand(self.shape)])
    return r


@wrong("8.4", "tape.Variable.sum", says="a's numbers have no part in it")
def sum_goes_back_like_a_product(self, name=None):
    r = self.tape.result(self.value.sum(), f"{self.name}.sum()", name)
    self.tape.record([self], [r], lambda dr: [dr[0].expand(self.shape) * self])
    return r


@wrong("8.4", "tape.Variable.expand", says="a's own number has no part in it")
def expand_goes_back_like_a_product(self, shape):
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")
    self.tape.record([self], [r], lambda dr: [dr[0].sum() * self])
    return r


@wrong("8.4", "tape.Variable.expand", says="it gets the sum of their gradients: dr[0].sum()")
def expand_goes_back_by_expanding(self, shape):
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")
    self.tape.record([self], [r], lambda dr: [dr[0].expand(self.shape)])
    return r


@wrong("8.4", "tape.Variable.expand", says="it gets the sum of their gradients: dr[0].sum()")
def expand_goes_back_times_itself(self, shape):
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")
    self.tape.record([self], [r], lambda dr: [dr[0] * self])
    return r


@wrong("8.5", says="that's a: r is t * b, so through r dr * b comes for t")
def t_hears_the_wrong_factor(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        db = None
        if dr is not None:
            dt, db = add_optional(dt, dr * a), dr * t
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="as a factor of r, b hears dr * t, which is 5, and 3 through t")
def b_hears_its_own_factor(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        direct = None
        if dr is not None:
            direct = dr * b
            dt = add_optional(dt, direct)
        return [dt, add_optional(direct, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="which is 5, and 3 through t")
def b_hears_a_as_a_factor(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        db = None
        if dr is not None:
            dt, db = add_optional(dt, dr * b), dr * a
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="what comes for t and what comes through r add up")
def what_comes_for_t_replaces_the_rest(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        db = None
        if dr is not None:
            db = dr * t
            if dt is None:
                dt = dr * b
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.7", says="from u^T J to u: no Jacobian")
def the_jacobian_beside_evaluate(func, inputs, v=None, create_graph=False, strict=False):
    if not isinstance(inputs, Tensor) or not isinstance(v, Tensor) or strict or not v.ndim:
        values, outputs = evaluate(func, inputs, create_graph=True)
        upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
        backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
        moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
        return result(outputs, create_graph), as_given(outputs, moves)
    _, outputs = evaluate(func, inputs, create_graph)
    return result(outputs, create_graph), jacobian(func, inputs, create_graph) @ v


@wrong("8.7", says="vjp() and vhp() run it too")
def a_vjp_of_a_vjp(func, inputs, v=None, create_graph=False, strict=False):
    _, outputs = evaluate(func, inputs, create_graph)
    u = tuple(zeros_like(y) for y in as_tuple(outputs))
    given = u[0] if isinstance(outputs, Tensor) else u
    back = lambda *us: vjp(func, inputs, us if len(us) > 1 else us[0], True, strict)[1]  # noqa: E731
    return result(outputs, create_graph), vjp(back, given, v, create_graph, strict)[1]


@wrong("8.7", says="= 0, expected 1: two passes do, and the second goes from u^T J to u")
def by_nudging(func, inputs, v=None, create_graph=False, strict=False):
    if not isinstance(inputs, Tensor) or not isinstance(v, Tensor):
        return func(*as_tuple(inputs)), None
    up, down = func(inputs + v * 1e-4), func(inputs - v * 1e-4)
    return func(inputs), (up - down) / 2e-4


@wrong("8.7", says="each result has a move of its own")
def one_number_for_all_moves(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    pairs = zip(backs, heads_for(backs, v), strict=True)
    return result(outputs, create_graph), sum((back * head).sum() for back, head in pairs)


@wrong("8.7", says="each u asks, whatever its result is made of")
def u_made_of_the_result(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [y * 0 for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.1", says="the way back must compute with b itself, not with a copy")
def factors_are_copied(self, other):
    tape = self.tape
    r = tape.result(self.value * other.value, f"{self.name} * {other.name}")
    tape.record(
        [self, other],
        [r],
        lambda dr: [dr[0] * tape.variable(other.value), dr[0] * tape.variable(self.value)],
    )
    return r


@wrong("8.1", says="show the names: self.name and other.name")
def numbers_in_the_trace(self, other):
    r = self.tape.result(self.value * other.value, f"{self.value.item()} * {other.value.item()}")
    self.tape.record([self, other], [r], lambda dr: [dr[0] * other, dr[0] * self])
    return r


@wrong("8.1", says="each factor is an input of its own")
def a_square_has_one_input(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
    if other is self:
        self.tape.record([self], [r], lambda dr: [dr[0] * self + dr[0] * self])
    else:
        self.tape.record([self, other], [r], lambda dr: [dr[0] * other, dr[0] * self])
    return r


@wrong("8.1", says="make float32 where nobody names a dtype")
def through_numpy_and_back(self, other):
    value = Tensor(self.value.numpy() * other.value.numpy())
    r = self.tape.result(value, f"{self.name} * {other.name}")
    self.tape.record([self, other], [r], lambda dr: [dr[0] * other, dr[0] * self])
    return r


@wrong("8.2", "tape.Tape.propagate", says="raised no error, expected Exception: an error comes out")
def an_error_is_a_zero(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    try:
        given = entry.propagate(gradients)
    except Exception:
        return
    for name, gradient in zip(entry.inputs, given, strict=True):
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.2", "tape.Tape.propagate", says="once is enough: keep what it gave")
def asks_to_see_how_many(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    if len(entry.propagate(gradients)) != len(entry.inputs):
        raise ValueError("a gradient for each input")
    for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
        total = add_optional(found.get(name), gradient)
        if total is not None:
            found[name] = total


@wrong("8.3", says="found begins anew in each call")
def found_is_kept_on_the_tape(self, loss, variables):
    found = self.__dict__.setdefault("found", {})
    found[loss.name] = self.seed(loss)
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="shows all that was found, whoever was asked for")
def shows_what_was_asked_for(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    asked = {variable.name for variable in variables}
    self.write_gradients(loss, {name: g for name, g in found.items() if name in asked})
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="expected ValueError: self.seed(loss) refuses it")
def refuses_another_tape_by_its_own_error(self, loss, variables):
    if loss.tape is not self:
        raise TypeError(f"{loss.name} is on another tape")
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.4", "tape.Variable.sum", says="and its sum is an operation all the same")
def a_single_number_is_its_own_sum(self, name=None):
    if not self.value.ndim:
        return self
    r = self.tape.result(self.value.sum(), f"{self.name}.sum()", name)
    self.tape.record([self], [r], lambda dr: [dr[0].expand(self.shape)])
    return r


@wrong("8.4", "tape.Variable.expand", says="that's the kind that its docstring names")
def expand_refuses_by_a_type_error(self, shape):
    if self.value.ndim:
        raise TypeError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")
    self.tape.record([self], [r], lambda dr: [dr[0].sum()])
    return r


@wrong("8.4", "tape.Variable.expand", says="what the caller does to the list later")
def expand_keeps_the_callers_list(self, shape):
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")

    def propagate(dr):
        if tuple(dr[0].shape) != tuple(shape):
            raise ValueError("another shape came back")
        return [dr[0].sum()]

    self.tape.record([self], [r], propagate)
    return r


@wrong("8.5", says="keep nothing from call to call")
def what_came_for_t_is_kept(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")
    heard = [None]

    def propagate(gradients):
        dr, dt = gradients
        db = None
        if dr is not None:
            dt = add_optional(dt, dr * b)
            db = dr * t
        heard[0] = add_optional(heard[0], dt)
        return [heard[0], add_optional(db, heard[0])]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="it hears dr * t, whatever has come for t")
def b_is_no_factor_where_t_was_heard(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        if dr is None:
            return [dt, dt]
        if dt is None:
            return [dr * b, dr * t + dr * b]
        dt = dt + dr * b
        return [dt, dt]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="what comes for t and what comes through r add up")
def what_comes_through_r_replaces_the_rest(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        db = None
        if dr is not None:
            dt = dr * b
            db = dr * t
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.6", says="hand strict on to grads(), too")
def strict_for_the_outer_pass_alone(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        return as_given(inputs, grads((scalar(func(*values)),), values, create_graph=True))

    return jacobian(gradient, inputs, create_graph, strict)


@wrong("8.6", says="expected Exception: an error comes out as it is")
def every_error_is_a_runtime_error(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        try:
            y = scalar(func(*values))
        except Exception as error:
            raise RuntimeError("the function must return one number") from error
        return as_given(inputs, grads((y,), values, create_graph=True, strict=strict))

    return jacobian(gradient, inputs, create_graph, strict)


@wrong("8.6", says="scalar(y) refuses it, by a RuntimeError")
def several_numbers_are_a_value_error(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        y = func(*values)
        if y.numel() != 1:
            raise ValueError("the function must return one number")
        return as_given(inputs, grads((y,), values, create_graph=True, strict=strict))

    return jacobian(gradient, inputs, create_graph, strict)


@wrong("8.6", says="the slopes of input 0 come first")
def blocks_on_the_other_side(func, inputs, create_graph=False, strict=False):
    def gradient(*values):
        first = grads((scalar(func(*values)),), values, create_graph=True, strict=strict)
        return as_given(inputs, first)

    found = jacobian(gradient, inputs, create_graph, strict)
    return found if isinstance(inputs, Tensor) else tuple(zip(*found, strict=True))


@wrong("8.7", says="v needs a part for each input")
def a_push_goes_in_unchecked(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    heads = heads_for(backs, None) if v is None else as_tuple(v)
    moves = grads(backs, upstream, heads, create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.1", says="dr as it came is the rule of a sum")
def each_factor_gets_what_came(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
    self.tape.record([self, other], [r], lambda dr: [dr[0], dr[0]])
    return r


@wrong("8.1", says="dr as it came is the rule of a sum")
def only_self_gets_a_product(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
    self.tape.record([self, other], [r], lambda dr: [dr[0] * other, dr[0]])
    return r


@wrong("8.2", "tape.Tape.propagate", says="the zero here is None")
def sums_begin_with_a_zero(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if any(gradient is not None for gradient in gradients):
        for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
            if gradient is not None:
                found[name] = found.get(name, 0) + gradient


@wrong("8.3", says="one pass finds the gradients of all variables")
def a_pass_for_each_that_begins_with_the_last(self, loss, variables):
    slopes = []
    for variable in variables:
        found = {loss.name: self.seed(loss)}
        for entry in self.entries[::-1]:
            self.propagate(entry, found)
        self.write_gradients(loss, found)
        slopes.append(found.get(variable.name))
    return slopes


@wrong("8.3", says="whichever variables are asked for, even none")
def nobody_asked_so_nothing_found(self, loss, variables):
    slopes, entries = [], self.entries[::-1]
    for variable in variables:
        if not slopes:
            found = {loss.name: self.seed(loss)}
            for entry in entries:
                self.propagate(entry, found)
        slopes.append(found.get(variable.name))
    self.write_gradients(loss, found)
    return slopes


@wrong("8.3", says="leave self.trace as it is during the pass")
def a_pass_in_silence_for_good(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    self.trace = None
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.4", "tape.Variable.expand", says="the value is expanded, too")
def only_the_name_is_expanded(self, shape):
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    r = self.tape.result(self.value, f"{self.name}.expand({tuple(shape)})")
    self.tape.record([self], [r], lambda dr: [dr[0].sum()])
    return r


@wrong("8.4", "tape.Variable.expand", says="self.tape.record writes it")
def expands_without_an_entry(self, shape):
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    return self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")


@wrong("8.4", "tape.Variable.expand", says="a Variable has only what its class in tape.py has")
def takes_the_mean_of_what_comes(self, shape):
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")
    self.tape.record([self], [r], lambda dr: [dr[0].mean()])
    return r


@wrong("8.4", "tape.Variable.sum", says="name names the sum")
def shows_the_name_of_the_sum(self, name=None):
    r = self.tape.result(self.value.sum(), f"{name}.sum()", name)
    self.tape.record([self], [r], lambda dr: [dr[0].expand(self.shape)])
    return r


@wrong("8.5", says="gave 1 gradient, expected 2: a's first, then b's")
def one_gradient_as_cube_has(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        db = None
        if dr is not None:
            dt = add_optional(dt, dr * b)
            db = dr * t
        return [add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.6", says="inputs may be a tuple, too")
def a_row_for_each_number_of_the_inputs(func, inputs, create_graph=False, strict=False):
    from tinytorch.ops.joining import stack

    rows = []
    for k in range(inputs.numel()):
        one = np.zeros(inputs.numel())
        one[k] = 1
        v = Tensor(one.reshape(tuple(inputs.shape)).astype(inputs.dtype))
        rows.append(vhp(func, inputs, v, create_graph, strict)[1])
    whole = stack(rows) if rows else zeros_like(inputs).reshape(0, 0)
    return whole.reshape(*inputs.shape, *inputs.shape)


@wrong("8.7", says="v has a part for each input")
def takes_back_the_first_of_the_inputs(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    first = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads((first[0],), upstream, heads_for(first[0], v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.1", says="self comes first, whatever it's called")
def shows_the_factors_in_alphabetical_order(self, other):
    first, second = sorted([self.name, other.name])
    r = self.tape.result(self.value * other.value, f"{first} * {second}")
    self.tape.record([self, other], [r], lambda dr: [dr[0] * other, dr[0] * self])
    return r


@wrong("8.1", says="what goes in first comes first, whatever it's called")
def sorts_the_inputs_by_name(self, other):
    r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
    first, second = sorted([self, other], key=lambda variable: variable.name)
    self.tape.record([first, second], [r], lambda dr: [dr[0] * second, dr[0] * first])
    return r


@wrong("8.1", says="a zero has a sign, too")
def adds_zero_to_the_product(self, other):
    r = self.tape.result(self.value * other.value + 0.0, f"{self.name} * {other.name}")
    self.tape.record([self, other], [r], lambda dr: [dr[0] * other, dr[0] * self])
    return r


@wrong("8.1", says="what's made of integers alone is made of integers")
def makes_floats_of_integers(self, other):
    r = self.tape.result(self.value * 1.0 * other.value, f"{self.name} * {other.name}")
    self.tape.record([self, other], [r], lambda dr: [dr[0] * other, dr[0] * self])
    return r


@wrong("8.1", says="nobody chose a name here")
def names_the_product_after_its_factors(self, other):
    text = f"{self.name} * {other.name}"
    r = self.tape.result(self.value * other.value, text, text.replace(" ", ""))
    self.tape.record([self, other], [r], lambda dr: [dr[0] * other, dr[0] * self])
    return r


@wrong("8.2", "tape.Tape.propagate", says="in the list that entry.propagate gave")
def empties_the_list_that_an_entry_gave(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    given = entry.propagate(gradients)
    if isinstance(given, tuple):
        given = list(given)
    for name in entry.inputs * (len(given) == len(entry.inputs)):
        total = add_optional(found.get(name), given.pop(0))
        if total is not None:
            found[name] = total


@wrong("8.2", "tape.Tape.propagate", says="in the list that entry.propagate gave")
def adds_in_the_list_that_an_entry_gave(self, entry, found):
    gradients = [found.get(name) for name in entry.outputs]
    if all(gradient is None for gradient in gradients):
        return
    totals = entry.propagate(gradients)
    for place, name in enumerate(entry.inputs):
        total = add_optional(found.get(name), totals[place])
        if isinstance(totals, list):
            totals[place] = total
        if total is not None:
            found[name] = total


@wrong("8.3", says="what a pass wrote stays there, even if it ends with an error")
def takes_off_what_it_wrote_after_an_error(self, loss, variables):
    found, length = {loss.name: self.seed(loss)}, len(self.entries)
    try:
        for entry in self.entries[::-1]:
            self.propagate(entry, found)
    except BaseException:
        del self.entries[length:]
        raise
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="put another list in the place of tape.entries")
def walks_over_the_list_and_goes_on_with_a_copy(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    old, self.entries = self.entries, list(self.entries)
    for entry in reversed(old):
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="grad put something on the tape that stays there, found")
def keeps_found_on_the_tape(self, loss, variables):
    self.found = found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="grad still holds a gradient that it gave")
def keeps_found_with_the_numbers_of_names(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    for variable in variables:
        variable.found = found
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="cut, copy or search the tape once for a pass")
def copies_the_tape_for_each_entry(self, loss, variables):
    found, length = {loss.name: self.seed(loss)}, len(self.entries)
    for place in range(length):
        self.propagate(self.entries[:length][::-1][place], found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="cut, copy or search the tape once for a pass")
def looks_for_the_place_of_each_entry(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    entry = self.entries[-1] if self.entries else None
    while entry is not None:
        self.propagate(entry, found)
        place = self.entries.index(entry)
        entry = self.entries[place - 1] if place else None
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="cut, copy or search the tape once for a pass")
def takes_each_entry_out_of_what_is_left(self, loss, variables):
    found, left = {loss.name: self.seed(loss)}, self.entries[:]
    while left:
        entry, left = left[-1], left[:-1]
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="it's called in the end, after no error")
def shows_what_it_found_after_an_error_too(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    try:
        for entry in self.entries[::-1]:
            self.propagate(entry, found)
    finally:
        self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="take the entries back in a loop")
def calls_itself_for_each_entry(self, loss, variables):
    found = {loss.name: self.seed(loss)}

    def back(place):
        if place >= 0:
            self.propagate(self.entries[place], found)
            back(place - 1)

    back(len(self.entries) - 1)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="found begins with the loss's own gradient, and keeps it")
def takes_the_loss_out_of_found(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    found.pop(loss.name)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="any loss will do")
def wants_a_loss_of_one_number(self, loss, variables):
    if loss.value.numel() != 1:
        raise ValueError("the loss must be a single number")
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="which had the same name before")
def remembers_a_pass_by_the_name_of_its_loss(self, loss, variables):
    known = self.__dict__.setdefault("_known", {})
    if loss.name not in known:
        known[loss.name] = found = {loss.name: self.seed(loss)}
        for entry in self.entries[::-1]:
            self.propagate(entry, found)
        self.write_gradients(loss, found)
    return [known[loss.name].get(variable.name) for variable in variables]


@wrong("8.4", "tape.Variable.sum", says="no numbers are refused")
def sums_exactly(self, name=None):
    import math

    import numpy as np

    from tinytorch.tensor import wrap

    numbers = self.value.numpy()
    total = wrap(np.array(math.fsum(numbers.ravel()), numbers.dtype))
    r = self.tape.result(total, f"{self.name}.sum()", name)
    self.tape.record([self], [r], lambda dr: [dr[0].expand(self.shape)])
    return r


@wrong("8.4", "tape.Variable.sum", says="the sum of no numbers is 0")
def begins_with_the_first_element(self, name=None):
    total, *rest = self.value.reshape(-1)
    for x in rest:
        total = total + x
    r = self.tape.result(total, f"{self.name}.sum()", name)
    self.tape.record([self], [r], lambda dr: [dr[0].expand(self.shape)])
    return r


@wrong("8.4", "tape.Variable.expand", says="whoever is refused takes no name")
def takes_a_name_before_it_looks(self, shape):
    name = self.tape.fresh_name()
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    text = f"{self.name}.expand({tuple(shape)})"
    r = self.tape.result(self.value.expand(shape), text, name)
    self.tape.record([self], [r], lambda dr: [dr[0].sum()])
    return r


@wrong("8.5", says="don't add a and b again")
def computes_t_anew_where_both_come(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        if dr is None:
            return [dt, dt]
        if dt is None:
            dt = dr * b
            return [dt, dr * t + dt]
        dt = dt + dr * b
        return [dt, dr * (a + b) + dt]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="nothing comes through r, so nothing is computed")
def makes_zeros_of_a_known_zero(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        if dr is None:
            dr = a.tape.variable(dt.value * 0)
        dt = add_optional(dt, dr * b)
        return [dt, dr * t + dt]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="go by place, not by name")
def collects_by_name(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        found, db = {}, None
        if dr is not None:
            dt = add_optional(dt, dr * b)
            db = dr * t
        found[a.name] = dt
        found[b.name] = add_optional(db, dt)
        return [found[a.name], found[b.name]]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="keep nothing from call to call")
def takes_its_first_call_for_the_first_pass(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")
    calls = []

    def propagate(gradients):
        dr, dt = gradients
        dt = dt if calls else None
        calls.append(1)
        db = None
        if dr is not None:
            dt = add_optional(dt, dr * b)
            db = dr * t
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="tape.variable is for what no operation made")
def makes_a_constant_of_t(a, b):
    t = a.tape.variable(a.value + b.value)
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        db = None
        if dr is not None:
            dt = add_optional(dt, dr * b)
            db = dr * t
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="what goes in first comes first, whatever it's called")
def sorts_its_inputs_by_name(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")
    turned = b.name < a.name

    def propagate(gradients):
        dr, dt = gradients
        db = None
        if dr is not None:
            dt = add_optional(dt, dr * b)
            db = dr * t
        both = [dt, add_optional(db, dt)]
        return both[::-1] if turned else both

    a.tape.record([b, a] if turned else [a, b], [r, t], propagate)
    return r


@wrong("8.6", says="vectorize changes nothing")
def refuses_to_vectorize(func, inputs, create_graph=False, strict=False, *, vectorize=False):
    if vectorize:
        raise NotImplementedError("vectorize=True is not supported")

    def gradient(*values):
        first = grads((scalar(func(*values)),), values, create_graph=True, strict=strict)
        return as_given(inputs, first)

    return jacobian(gradient, inputs, create_graph, strict)


@wrong("8.6", says="once is enough")
def tries_the_function_first(func, inputs, create_graph=False, strict=False, *, vectorize=False):
    scalar(func(*as_tuple(inputs)))

    def gradient(*values):
        first = grads((scalar(func(*values)),), values, create_graph=True, strict=strict)
        return as_given(inputs, first)

    return jacobian(gradient, inputs, create_graph, strict)


@wrong("8.6", says="the slope in each input may move with every other")
def has_blocks_on_the_diagonal_alone(
    func, inputs, create_graph=False, strict=False, *, vectorize=False
):
    def gradient(*values):
        first = grads((scalar(func(*values)),), values, create_graph=True, strict=strict)
        return as_given(inputs, first)

    table = jacobian(gradient, inputs, create_graph, strict)
    if isinstance(inputs, Tensor):
        return table
    rows = [
        [block if i == j else zeros_like(block) for j, block in enumerate(row)]
        for i, row in enumerate(table)
    ]
    return tuple(map(tuple, rows))


@wrong("8.6", says="what func gave.grad after")
def leaves_a_gradient_in_what_func_gave(
    func, inputs, create_graph=False, strict=False, *, vectorize=False
):
    def gradient(*values):
        y = scalar(func(*values))
        y.grad = wrap(np.ones(y.shape, y.dtype))
        return as_given(inputs, grads((y,), values, create_graph=True, strict=strict))

    return jacobian(gradient, inputs, create_graph, strict)


@wrong("8.7", says="the numbers in u don't matter, so draw none")
def draws_its_upstream(func, inputs, v=None, create_graph=False, strict=False):
    from tinytorch.ops.random import randn

    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [randn(*y.shape, dtype=y.dtype).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="each result has a u of its own")
def shares_u_among_results_of_one_shape(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    made = {}
    upstream = [
        made.setdefault(tuple(y.shape), zeros_like(y).requires_grad_()) for y in as_tuple(outputs)
    ]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="only what evaluate() and grads() compute is recorded there")
def weighs_the_results_itself(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    total = sum((y * u).sum() for y, u in zip(as_tuple(outputs), upstream, strict=True))
    backs = grads((total,), values, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="changed that list: what func gives is its own")
def cuts_off_the_results_in_their_list(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = [zeros_like(y).requires_grad_() for y in as_tuple(outputs)]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    found = result(outputs, create_graph)
    if isinstance(outputs, list):
        outputs.clear()
    return found, moves[0] if isinstance(found, Tensor) else tuple(moves)


# --- what a second reader wrote ---


@wrong("8.3", says="None says that it's known to be zero")
def zero_for_what_was_not_found(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name, 0) for variable in variables]


@wrong("8.3", says="found keeps what every name has heard: somebody may ask for it")
def forgets_what_has_been_taken_back(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[::-1]:
        self.propagate(entry, found)
        for name in entry.outputs:
            if name != loss.name:
                found.pop(name, None)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="no entry made this loss, so don't look for one")
def finds_the_entry_of_the_loss_by_next(self, loss, variables):
    found = {loss.name: self.seed(loss)}
    last = next(n for n, entry in enumerate(self.entries) if loss.name in entry.outputs)
    for entry in self.entries[last::-1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.3", says="no entry made this loss, so don't look for one")
def looks_up_the_entry_of_the_loss(self, loss, variables):
    made = {name: n for n, entry in enumerate(self.entries) for name in entry.outputs}
    found = {loss.name: self.seed(loss)}
    for entry in self.entries[made[loss.name] :: -1]:
        self.propagate(entry, found)
    self.write_gradients(loss, found)
    return [found.get(variable.name) for variable in variables]


@wrong("8.4", "tape.Variable.expand", says="a shape is a tuple, in brackets of its own")
def shows_a_shape_without_its_brackets(self, shape):
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    text = ", ".join(str(n) for n in shape)
    r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({text})")
    self.tape.record([self], [r], lambda dr: [dr[0].sum()])
    return r


@wrong("8.4", "tape.Variable.expand", says="self.value.expand(shape) repeats the value")
def ones_like_a_shape(self, shape):
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    ones = ones_like(shape)
    r = self.tape.result(ones * self.value, f"{self.name}.expand({tuple(shape)})")
    self.tape.record([self], [r], lambda dr: [dr[0].sum()])
    return r


@wrong("8.4", "tape.Variable.expand", says="self.value.expand(shape) repeats the value")
def broadcasts_by_numpy(self, shape):
    if self.value.ndim:
        raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
    value = Tensor(np.broadcast_to(self.value.numpy(), tuple(shape)))  # noqa: F821
    r = self.tape.result(value, f"{self.name}.expand({tuple(shape)})")
    self.tape.record([self], [r], lambda dr: [dr[0].sum()])
    return r


@wrong("8.5", says="the trace shows how each was computed")
def shows_t_as_t(a, b):
    t = a.tape.result(a.value + b.value, "t")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        db = None
        if dr is not None:
            dt = add_optional(dt, dr * b)
            db = dr * t
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.5", says="let the tape choose the names")
def calls_it_t(a, b):
    t = a.tape.result(a.value + b.value, f"{a.name} + {b.name}, inside", "t")
    r = a.tape.result(t.value * b.value, f"sum_times({a.name}, {b.name})")

    def propagate(gradients):
        dr, dt = gradients
        db = None
        if dr is not None:
            dt = add_optional(dt, dr * b)
            db = dr * t
        return [dt, add_optional(db, dt)]

    a.tape.record([a, b], [r, t], propagate)
    return r


@wrong("8.7", says="the numbers in u don't matter, so draw none")
def upstream_of_numpys_random_numbers(func, inputs, v=None, create_graph=False, strict=False):
    values, outputs = evaluate(func, inputs, create_graph=True)
    drawn = [np.random.normal(size=tuple(y.shape)) for y in as_tuple(outputs)]
    pairs = zip(drawn, as_tuple(outputs), strict=True)
    upstream = [wrap(np.asarray(u, y.dtype)).requires_grad_() for u, y in pairs]
    backs = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    moves = grads(backs, upstream, heads_for(backs, v), create_graph, strict)
    return result(outputs, create_graph), as_given(outputs, moves)


@wrong("8.7", says="start from the very u that the second differentiates for")
def a_function_of_u_that_gives_what_was_found(
    func, inputs, v=None, create_graph=False, strict=False
):
    values, outputs = evaluate(func, inputs, create_graph=True)
    upstream = tuple([zeros_like(y).requires_grad_() for y in as_tuple(outputs)])
    first = grads(as_tuple(outputs), values, upstream, create_graph=True, strict=strict)
    rows = jacobian(lambda *us: first[0], upstream, create_graph)
    return result(outputs, create_graph), rows
