"""A tape: the smallest complete form of automatic differentiation.

Every operation writes an entry on the tape: the names of its inputs, the names of its outputs,
and a function that turns the gradients of the outputs into those of the inputs. `grad` reads the
tape from its end. Gradients are Variables too, computed by operations that write on the tape, so
they can be differentiated again. None stands for a gradient that is known to be zero.

>>> tape = Tape()
>>> a = tape.variable([2.0, 3.0], name="a")
a = tensor([2., 3.])
>>> loss = (a * a).sum(name="L")
v0 = a * a
L = v0.sum()
"""

from itertools import count

import numpy as np

from tinytorch.tensor import Tensor, wrap


class Entry:
    """One line of a tape. `propagate` takes a list with a gradient (or None) for each output."""

    def __init__(self, inputs, outputs, propagate):
        self.inputs = inputs
        self.outputs = outputs
        self.propagate = propagate

    def __repr__(self):
        return f"{', '.join(self.outputs)} <- {', '.join(self.inputs)}"


class Tape:
    """The entries of all that was computed, in order; `trace` gets each line of the computation.

    Pass `trace=None` for silence, or the `append` of a list to keep the lines.
    """

    def __init__(self, trace=print):
        self.trace = trace
        self.reset()

    def reset(self):
        """Forget all entries, and begin again with the name v0."""
        self.entries = []
        self._numbers = count()

    def write(self, line):
        """Hand one line to the trace."""
        if self.trace is not None:
            self.trace(line)

    def fresh_name(self):
        """A name that no variable has yet: v0, v1, v2 ..."""
        return f"v{next(self._numbers)}"

    def variable(self, value, name=None):
        """A Variable that no operation made."""
        value = value.detach() if isinstance(value, Tensor) else Tensor(value)
        return self.result(value, repr(value), name)

    def result(self, value, text, name=None):
        """A new Variable, which the trace shows as equal to `text`."""
        variable = Variable(value, name or self.fresh_name(), self)
        self.write(f"{variable.name} = {text}")
        return variable

    def record(self, inputs, outputs, propagate):
        """Write an entry. An intermediate value that `propagate` uses must be among the outputs:

        its gradient, at second order, comes back through this entry.
        """
        names = [variable.name for variable in inputs], [variable.name for variable in outputs]
        self.entries.append(Entry(*names, propagate))

    def grad(self, loss, variables):
        """The gradient of `loss` for each of `variables`, None for one that it does not depend on.

        >>> tape = Tape(trace=None)
        >>> a = tape.variable(3.0)
        >>> (da,) = tape.grad(a * a * a, [a])
        >>> tape.grad(da, [a])  # the second derivative, 6 a
        [tensor(18.)]
        """
        self.write(f"d{loss.name} " + "-" * 24)
        found = {loss.name: Variable(wrap(np.ones_like(loss.value._data)), self.fresh_name(), self)}
        for entry in reversed(self.entries.copy()):  # propagate writes new entries
            self.propagate(entry, found)
        for name, gradient in found.items():
            self.write(f"d{loss.name}_d{name} = {gradient.name}")
        self.write("-" * 24)
        return [found.get(variable.name) for variable in variables]

    def propagate(self, entry, found):
        """Take one entry back: from the gradients of its outputs to those of its inputs."""
        gradients = [found.get(name) for name in entry.outputs]
        if all(gradient is None for gradient in gradients):
            return  # known zeros in, known zeros out
        for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
            total = add_optional(found.get(name), gradient)
            if total is not None:
                found[name] = total  # each use of a variable adds a gradient


def add_optional(a, b):
    """a + b, where None is zero."""
    if a is None or b is None:
        return b if a is None else a
    return a + b


class Variable:
    """A tensor with a name, on a tape."""

    def __init__(self, value, name, tape):
        self.value = value
        self.name = name
        self.tape = tape

    def __repr__(self):
        return repr(self.value)

    @property
    def shape(self):
        """The shape of the value."""
        return self.value.shape

    def __add__(self, other):
        r = self.tape.result(self.value + other.value, f"{self.name} + {other.name}")
        self.tape.record([self, other], [r], lambda dr: [dr[0], dr[0]])
        return r

    def __sub__(self, other):
        r = self.tape.result(self.value - other.value, f"{self.name} - {other.name}")
        self.tape.record([self, other], [r], lambda dr: [dr[0], -dr[0]])
        return r

    def __mul__(self, other):
        """self * other, as a Variable and an entry; its gradients are products of Variables."""
        r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
        self.tape.record([self, other], [r], lambda dr: [dr[0] * other, dr[0] * self])
        return r

    def __neg__(self):
        r = self.tape.result(-self.value, f"-{self.name}")
        self.tape.record([self], [r], lambda dr: [-dr[0]])
        return r

    def exp(self):
        """e to the power of each element, as a Variable and an entry."""
        r = self.tape.result(self.value.exp(), f"{self.name}.exp()")
        self.tape.record([self], [r], lambda dr: [dr[0] * r])
        return r

    def sin(self):
        """The sine, as a Variable and an entry."""
        r = self.tape.result(self.value.sin(), f"{self.name}.sin()")
        self.tape.record([self], [r], lambda dr: [dr[0] * self.cos()])
        return r

    def cos(self):
        """The cosine, as a Variable and an entry."""
        r = self.tape.result(self.value.cos(), f"{self.name}.cos()")
        self.tape.record([self], [r], lambda dr: [-(dr[0] * self.sin())])
        return r

    def sum(self, name=None):
        """The sum of all elements; its way back is expand()."""
        r = self.tape.result(self.value.sum(), f"{self.name}.sum()", name)
        self.tape.record([self], [r], lambda dr: [dr[0].expand(self.shape)])
        return r

    def expand(self, shape):
        """One number repeated to a shape; its way back is sum()."""
        if self.value.ndim:
            raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
        r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")
        self.tape.record([self], [r], lambda dr: [dr[0].sum()])
        return r
