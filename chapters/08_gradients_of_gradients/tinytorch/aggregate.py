"""Aggregates: several operations of a tape rolled into one entry, with a way back by hand."""

from tinytorch.tape import add_optional


def cube(a):
    """a * a * a as one entry: t = a * a on the way, r = t * a.

    The way back computes with t, so t is an output too, although nobody else sees it. In the
    first pass its gradient is None. When a gradient is differentiated, something arrives there.
    """
    t = a.tape.result(a.value * a.value, f"{a.name} * {a.name}, inside")
    r = a.tape.result(t.value * a.value, f"cube({a.name})")

    def propagate(gradients):
        dr, dt = gradients
        da = None
        if dr is not None:
            dt = add_optional(dt, dr * a)  # through r, and from those who used t
            da = dr * t
        return [add_optional(da, dt * a + dt * a)]  # t = a * a: a hears from both factors

    a.tape.record([a], [r, t], propagate)
    return r


def sum_times(a, b):
    """(a + b) * b as one entry: t = a + b on the way, r = t * b.

    The entry's inputs are a and b, its outputs r and t. The trace shows two lines: t as
    "a + b, inside" and r as "sum_times(a, b)", with the names of a and b. propagate(gradients)
    gets the gradients of r and t, of which one may be None, and gives those of a and b. It
    computes with Variables, but not t anew, and keeps nothing from call to call. In the first pass,
    where nothing comes for t, that's two products and one sum; where both come, it's one sum more,
    and where nothing comes for r, nothing at all.
    """
    # TODO exercise 8.5: sum_times
    raise NotImplementedError("exercise 8.5: sum_times")
