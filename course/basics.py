"""Which test waits for which exercise: what an earlier one must be able to do, tried.

Without that, a student would read what follows from a mistake in place of the mistake.
"""

from functools import wraps

import numpy as np

from course.comparing import difference, same
from course.testing import blank_behind, error_of, leaf, way_back


def builds_on(*exercises):
    """Where a test fails, and an exercise that it builds on is wrong, it waits.

    Its message is then "needs exercise 1.1 first", instead of what follows from that. What is
    asked of an exercise to be right is in BASICS.
    """

    def wait():
        for id in exercises:
            if not _works(BASICS[id]):
                raise NotImplementedError(f"exercise {id}: is not right yet")

    def waiting(test):
        @wraps(test)
        def run(**fixtures):
            try:
                test(**fixtures)
            except Exception as error:
                if blank_behind(error) is None:
                    wait()
                raise

        run.wait = wait  # for what is found out beside the test
        return run

    return waiting


def _works(check):
    try:
        return check()
    except Exception:
        return False


def _conversion_works():
    import tinytorch

    given = np.array([1.5, 2.5])
    arrays = [tinytorch.as_array(data) for data in (given, tinytorch.Tensor(given), np.float64(2))]
    arrays += [tinytorch.as_array(3.0, np.float64) for _ in range(2)]
    shares = any(np.shares_memory(array, given) for array in arrays)
    shares = shares or np.shares_memory(*arrays[-2:])  # a number that is kept for the next time
    is_locked = not all(array.flags.writeable for array in arrays)
    return not shares and not is_locked and all(array.dtype == np.float64 for array in arrays)


def _item_works():
    import tinytorch

    got = [tinytorch.Tensor(np.full(shape, 2.5)).item() for shape in ((), (1,), (1, 1))]
    return all(type(number) is float and number == 2.5 for number in got)


def _difference_works():
    import tinytorch

    x = tinytorch.Tensor(np.array([[1.0, 2.0]]))
    slope = tinytorch.central_difference(lambda x: (x * x * x).sum(), x, (0, 1), 0.5)
    if slope != 12.25 or x.data.tolist() != [[1, 2]]:
        return False
    zero = tinytorch.Tensor(np.array(-0.0))
    at_zero = tinytorch.central_difference(lambda x: x, zero, (), 0.5)
    with np.errstate(all="ignore"):
        endless = tinytorch.central_difference(lambda x: x.sum() * np.inf, x, (0, 1), 0.5)
    return at_zero == 1 and np.signbit(zero.data) and np.isnan(endless)


def _division_works():
    x, y = leaf([12, 1]), leaf([4, 2])
    z = x / y
    got = [z, *z.grad_fn.backward(leaf([1, 10]))]
    wanted = [[3, 0.5], [0.25, 5], [-0.75, -2.5]]
    return not any(difference(g, w, "", 1e-6, 1e-5) for g, w in zip(got, wanted, strict=True))


def _sums_work():
    import tinytorch

    x = leaf([[1, 2], [3, 4]])
    sums = x.sum(), x.sum(axis=0), x.sum(axis=1, keepdims=True), x.sum((0, -1))
    for y, want in zip(sums, (10, [4, 6], [[3], [7]], 10), strict=True):
        sent = tinytorch.Tensor(np.asarray(want, float))
        spread = np.broadcast_to(sent.data, (2, 2))
        is_right = not difference(y, want, "", 1e-6, 1e-5)
        if not is_right or difference(y.grad_fn.backward(sent)[0], spread, "", 1e-6, 1e-5):
            return False
    return True


def _unbroadcast_works():
    import tinytorch

    grad = leaf([[[1, 2], [3, 4]], [[5, 6], [7, 8]]])
    for shape, axes in (((2, 2), 0), ((2, 1), (0, 2)), ((), (0, 1, 2)), ((2, 2, 2), ())):
        got = tinytorch.unbroadcast(grad, shape)
        wrong = difference(got, grad.data.sum(axes).reshape(shape), "", 1e-6, 1e-5)
        if wrong or got is grad or not any(tensor is grad for tensor in way_back(got)):
            return False
    return True


def _leaves_are_known():
    import tinytorch

    made = tinytorch.Tensor(4.0)
    made.requires_grad, made.grad_fn = True, tinytorch.Context(tinytorch.Neg, (made,))
    leaves = tinytorch.Tensor(2.0), tinytorch.Tensor(2.0, requires_grad=True)
    return all(x.is_leaf is True for x in leaves) and made.is_leaf is False


def _recording_works():
    import tinytorch

    x, c = leaf(2), leaf(3)
    c.requires_grad, before = False, tinytorch.recording
    try:
        tinytorch.recording = False
        others = [x * x, x * c]
        tinytorch.recording = True
        others += [c * c, c * c + c]
        asked = [x * x, x * c, c * x, c * x + c]
    finally:
        tinytorch.recording = before
    known = [y.requires_grad is True and y.grad_fn.inputs for y in asked]
    pairs = zip(known, [(x, x), (x, c), (c, x)], strict=False)
    whole = all(known) and all(same(inputs, want) for inputs, want in pairs)
    nothing = all(y.requires_grad is False and y.grad_fn is None for y in others)
    return whole and nothing and c.requires_grad is False


def _scopes_work():
    import tinytorch

    flags, before = [], tinytorch.recording
    tinytorch.recording = True

    def fails():
        with tinytorch.no_grad():
            with tinytorch.no_grad():
                flags.append(tinytorch.recording)
            flags.append(tinytorch.recording)
            raise RuntimeError("on purpose")  # the kind that a freed graph raises

    try:
        is_through = str(error_of(fails)) == "on purpose"
        return is_through and [*flags, tinytorch.recording] == [False, False, True]
    finally:
        tinytorch.recording = before


def _freeing_works():
    import tinytorch

    for ctx in (leaf(2) * leaf(3)).grad_fn, (-leaf(2)).grad_fn:
        grads = [ctx.backward(tinytorch.Tensor(1.0)) for _ in range(2)]
        wrong = any(type(grad) is not tuple for grad in grads)
        ctx.free()
        error = error_of(lambda ctx=ctx: ctx.backward(tinytorch.Tensor(1.0)))
        if wrong or ctx.inputs != () or type(error) is not RuntimeError:
            return False
    return True


def _backward_works():
    import tinytorch

    x, c = leaf(3), tinytorch.Tensor(5.0)
    y = x * x * c
    y.backward()
    return x.grad.item() == 30 and c.grad is None and y.grad is None


def _saving_works():
    import tinytorch

    if not hasattr(tinytorch, "Context"):
        return True  # the finished library
    x, y = leaf(2), leaf(5)
    saved = []
    for tensors in ((x, y), (x,)):
        ctx = tinytorch.Context(tinytorch.Add, ())
        ctx.save_for_backward(*tensors)
        saved.append((ctx, tensors))
    return all(same(ctx.saved_tensors, tensors) for ctx, tensors in saved)


BASICS = {
    "1.1": _conversion_works,
    "1.3": _item_works,
    "1.6": _difference_works,
    "2.1": _saving_works,
    "2.4": _division_works,
    "4.2": _sums_work,
    "4.3": _unbroadcast_works,
    "5.1": _leaves_are_known,
    "5.2": _recording_works,
    "5.4": _scopes_work,
    "5.5": _freeing_works,
    "5.6": _backward_works,
}


def needs(checks):
    """Let a test wait where one of these exercises, {id: whether it works}, is still wrong.

    It then says "needs exercise 2.2 first", and doesn't run.
    """

    def waiting(test):
        @wraps(test)
        def run():
            for exercise, works in checks.items():
                try:
                    done = works()
                except Exception as error:
                    if blank_behind(error):
                        raise
                    done = False
                if not done:
                    raise NotImplementedError(f"exercise {exercise}: is not right yet")
            test()

        return run

    return waiting


def _apply_works():
    import tinytorch

    if not hasattr(tinytorch, "Context"):
        return True

    class Probe(tinytorch.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.forwards = ctx
            return tinytorch.Tensor(x.data + y.data)

    inputs = leaf(2), leaf(5)
    ctx = Probe.apply(*inputs).grad_fn
    if Probe.apply(*inputs[::-1]).grad_fn is ctx:
        return False
    return ctx.forwards is ctx and ctx.function is Probe and same(ctx.inputs, inputs)


# for a test of one operation: the ctx that all operations need
needs_notes = needs({"2.1": _saving_works, "2.2": _apply_works})
