"""A tape: the smallest complete form of automatic differentiation.

Every operation writes an entry on the tape: the names of its inputs, the names of its outputs,
and a function that turns the gradients of the outputs into those of the inputs. `Tape.grad` reads
the tape from its end. Gradients are Variables too, computed by operations that write on the tape,
so they can be differentiated again. None stands for a gradient that is known to be zero.

>>> tape = Tape()
>>> a = tape.variable([2.0, 3.0], name="a")
a = tensor([2., 3.])
>>> loss = (a * a).sum(name="L")
v0 = a * a
L = v0.sum()
"""

from functools import wraps
from itertools import count

from tinytorch.ops.creation import ones_like
from tinytorch.tensor import Tensor


class Entry:
    """One line of a tape: the names of what went in, the names of what came out, the way back.

    `propagate` takes a list with the gradient of each output, None for one that is known to be
    zero, and gives a list (or a tuple) with the gradient of each input. All gradients are
    Variables. It may be called any number of times, and leaves the list that it takes as it is.
    """

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
        """Forget all entries and names, and begin again with v0."""
        self.entries = []
        self.names = set()
        self._numbers = count()

    def write(self, line):
        """Hand one line to the trace."""
        if self.trace is not None:
            self.trace(line)

    def fresh_name(self):
        """A name that no variable has yet: v0, v1, v2 ..."""
        return next(name for n in self._numbers if (name := f"v{n}") not in self.names)

    def variable(self, value, name=None):
        """A Variable that no operation made."""
        value = value.detach() if isinstance(value, Tensor) else Tensor(value)
        return self.result(value, repr(value), name)

    def result(self, value, text, name=None):
        """A new Variable with the Tensor `value`; the trace shows it as equal to `text`."""
        name = name or self.fresh_name()
        if name in self.names:
            raise ValueError(f"there is a {name!r} on this tape already; take another name")
        self.names.add(name)
        self.write(f"{name} = {text}")
        return Variable(value, name, self)

    def record(self, inputs, outputs, propagate):
        """Write an entry, from a list of the Variables that went in and one of those that came out.

        A Variable that `propagate` computes with is one or the other: what was computed on the way
        belongs among the outputs, although nobody else ever sees it.
        """
        names = [variable.name for variable in inputs], [variable.name for variable in outputs]
        self.entries.append(Entry(*names, propagate))

    def seed(self, loss):
        """The gradient of `loss` for itself, with which a way back begins: ones of its shape."""
        if loss.tape is not self:
            raise ValueError(f"{loss.name} is on another tape")
        self.write(f"d{loss.name} " + "-" * 24)
        return self.variable(ones_like(loss.value))

    def propagate(self, entry, found):
        """Take one entry back: from the gradients of its outputs to those of its inputs.

        `found` is a dict from names to gradients, and is changed in place: each gradient that
        entry.propagate gives is added to what its input has there already, by add_optional. If
        those of all outputs are known zeros, so are the inputs', and entry.propagate is not
        called. A name that isn't in `found` has a known zero: None is never written there.

        The list that entry.propagate gives belongs to the entry: read it, don't change it. If
        entry.propagate raises an error, let it through; `found` is then unchanged.
        """
        gradients = [found.get(name) for name in entry.outputs]
        if all(gradient is None for gradient in gradients):
            return  # known zeros in, known zeros out
        for name, gradient in zip(entry.inputs, entry.propagate(gradients), strict=True):
            total = add_optional(found.get(name), gradient)
            if total is not None:
                found[name] = total  # each use of a variable adds a gradient

    def grad(self, loss, variables):
        """A list with each variable's gradient of `loss`: a Variable, or None for a known zero.

        `found` maps names to gradients, and begins with the loss's own, self.seed(loss). Then each
        entry that was on the tape by then is taken back by self.propagate(entry, found), once, the
        last one first: in one walk, however long the tape, and whichever variables are asked for,
        even none. In the end, unless there was an error, self.write_gradients(loss, found) shows
        what was found.

        self.entries stays the same list. Nothing is taken off it, not even for a while or after an
        error, and what the pass writes stays there: so a gradient can be differentiated again.
        Nothing else of the pass is kept on the tape.

        >>> tape = Tape(trace=None)
        >>> a = tape.variable(5.0)
        >>> (da,) = tape.grad(a * a * a, [a])
        >>> tape.grad(da, [a])  # the second derivative, 6 a
        [tensor(30.)]
        """
        found = {loss.name: self.seed(loss)}
        for entry in self.entries[::-1]:  # a copy: propagate writes new entries
            self.propagate(entry, found)
        self.write_gradients(loss, found)
        return [found.get(variable.name) for variable in variables]

    def write_gradients(self, loss, found):
        """Show in the trace which Variable is whose gradient."""
        for name, gradient in found.items():
            self.write(f"d{loss.name}_d{name} = {gradient.name}")
        self.write("-" * 24)


def add_optional(a, b):
    """a + b, where None is zero: it costs no addition, and None + None is None."""
    if a is None or b is None:
        return b if a is None else a
    return a + b


def elementwise(operation):
    """Let an operation of two Variables refuse what has another shape, or is no Variable."""

    @wraps(operation)
    def checked(self, other):
        if not isinstance(other, Variable) or other.tape is not self.tape:
            raise TypeError(f"expected a Variable of the same tape, got {other!r}")
        if other.shape != self.shape:
            shapes = f"{tuple(self.shape)} and {tuple(other.shape)}"
            raise ValueError(f"shapes {shapes} differ; expand() repeats a single number")
        return checked.__wrapped__(self, other)  # in a notebook, an edited one takes its place

    return checked


class Variable:
    """A Tensor with a name, on a tape."""

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

    @elementwise
    def __add__(self, other):
        """self + other, as a Variable and an entry: either input gets the gradient as it came."""
        r = self.tape.result(self.value + other.value, f"{self.name} + {other.name}")
        self.tape.record([self, other], [r], lambda dr: [dr[0], dr[0]])
        return r

    @elementwise
    def __sub__(self, other):
        """self - other, as a Variable and an entry."""
        r = self.tape.result(self.value - other.value, f"{self.name} - {other.name}")
        self.tape.record([self, other], [r], lambda dr: [dr[0], -dr[0]])
        return r

    @elementwise
    def __mul__(self, other):
        """self * other, as a Variable and an entry.

        The trace shows it as "a * b". What propagate gives are products of Variables, so that
        they can be differentiated too: a list with the gradient of self, then that of other.
        """
        r = self.tape.result(self.value * other.value, f"{self.name} * {other.name}")
        self.tape.record([self, other], [r], lambda dr: [dr[0] * other, dr[0] * self])
        return r

    def __neg__(self):
        """-self, as a Variable and an entry."""
        r = self.tape.result(-self.value, f"-{self.name}")
        self.tape.record([self], [r], lambda dr: [-dr[0]])
        return r

    def exp(self):
        """e to the power of each element, as a Variable and an entry; r is its own slope."""
        r = self.tape.result(self.value.exp(), f"{self.name}.exp()")
        self.tape.record([self], [r], lambda dr: [dr[0] * r])
        return r

    def sin(self):
        """The sine of each element, as a Variable and an entry."""
        r = self.tape.result(self.value.sin(), f"{self.name}.sin()")
        self.tape.record([self], [r], lambda dr: [dr[0] * self.cos()])
        return r

    def cos(self):
        """The cosine of each element, as a Variable and an entry."""
        r = self.tape.result(self.value.cos(), f"{self.name}.cos()")
        self.tape.record([self], [r], lambda dr: [-(dr[0] * self.sin())])
        return r

    def sum(self, name=None):
        """The sum of all elements, a single number, as a Variable and an entry.

        The trace shows it as "a.sum()"; `name` names it. Each element has a hand in the sum, one
        to one: the way back is expand().
        """
        r = self.tape.result(self.value.sum(), f"{self.name}.sum()", name)
        self.tape.record([self], [r], lambda dr: [dr[0].expand(self.shape)])
        return r

    def expand(self, shape):
        """A single number repeated to a shape, as a Variable and an entry; its way back is sum().

        The trace shows it as "a.expand((2, 3))", with a tuple whatever `shape` is: a tuple, a
        list, or a Size, as self.shape is. Any shape of self but (), even (1,), is a ValueError
        that names it, and the tape stays as it was.
        """
        if self.value.ndim:
            raise ValueError(f"expand() is for a single number, got shape {tuple(self.shape)}")
        r = self.tape.result(self.value.expand(shape), f"{self.name}.expand({tuple(shape)})")
        self.tape.record([self], [r], lambda dr: [dr[0].sum()])
        return r
