"""What the graded tests are written with: every failure is one line that can be relied on.

    {what} = {got}, expected {want}: {reason}

A reason has evidence. `slips` pairs wrong answers with what leads to them, and only the reason
of the answer that came is said: a number, an array, a type of exception, or a function that
looks at what came. `because` says why the expected answer is the right one; that is true
whatever came, and names no mistake.

The comparisons use NumPy's own arrays and numbers only, so that no `__eq__` of the graded file
has a say in them.
"""

import inspect
import re
from contextlib import contextmanager, suppress
from functools import wraps

import numpy as np

IS_LIBRARY = False  # are Tensors the finished library's? Who asks for that says so, not the file
PICTURES = False  # read the graph before each backward(), so that a wrong gradient can be drawn?
MANY = 8  # of more numbers than this, only the first wrong one is shown
DRAWN = 200  # tensors: a graph of more is not read, for nobody would see anything in its picture
TOO_OFTEN = 100  # visits() stops a backward pass that comes to one operation this often


class Mismatch(AssertionError):
    """A graded answer that is not what was expected; `slip` is the mistake that it shows."""

    slip = ""


class GradientMismatch(Mismatch):
    """A wrong gradient, with the graph that it belongs to."""

    def __init__(self, message, graph, names, expected):
        super().__init__(message)
        self.graph, self.names, self.expected = graph, names, expected


def expect(got, want, what, *, slips=(), because="", atol=1e-6, rtol=1e-5):
    """Compare shape and values of Tensors, arrays and numbers, and anything else exactly.

    Raises Mismatch.

    >>> expect([1.0, 2.0], [1, 2], "x", slips={3: "add, do not multiply"})
    """
    says = _difference(got, want, what, atol, rtol)
    if says:
        _fail(says, got, slips, because)


def expect_raises(error, call, what, *, slips=(), because="", says=()):
    """Call `call`: it must raise `error`, with each word of `says` in its message.

    Of `slips`, None means that it raised nothing. A blank's exception passes. Raises Mismatch.

    >>> expect_raises(ZeroDivisionError, lambda: 1 / 0, "1 / 0", says=["zero"])
    """
    try:
        result = call()
    except Exception as raised:
        if blank_behind(raised):
            raise
        text = f"{what} raised {type(raised).__name__}: {_first_line(raised)}"
        if not isinstance(raised, error):
            _fail(f"{text}, expected {error.__name__}", raised, slips, because)
        for word in says:
            if word not in str(raised):
                _fail(f"{text}; it should say {word}", raised, slips, because)
        return
    seen = {None: _reason(result, slips) or _reason(None, slips)}
    _fail(f"{what} gave {result!r}, expected {error.__name__}", None, seen, because)


def fail_if(fault, says):
    """Raise a Mismatch with these words, which name a mistake, where `fault` is true.

    >>> fail_if(2 + 2 != 4, "2 + 2 is not 4: add")
    """
    if fault:
        error = Mismatch(says)
        error.slip = says
        raise error


@contextmanager
def calling(what, *, slips=()):
    """Run a few lines; an exception out of them is said with `what`, and with a reason of `slips`.

    >>> with calling("zero_grad([x])", slips={TypeError: "x.grad may be None"}):
    ...     pass
    """
    try:
        yield
    except Exception as raised:
        with suppress(AttributeError, TypeError):  # an exception of the file's own may refuse
            raised.called = getattr(raised, "called", what)
            raised.slip = getattr(raised, "slip", "") or _reason(raised, slips)
        raise


def error_of(call):
    """The exception that a call raised, or None; that of a blank passes through."""
    try:
        call()
    except Exception as error:
        if blank_behind(error):
            raise
        return error


def blank_behind(error):
    """The exercise whose blank led to an exception: "3.1" for "exercise 3.1: …", or None.

    Also where the blank's exception was caught, and another one raised.
    """
    seen = []
    while error is not None and not any(error is other for other in seen):
        match = re.match(r"exercise (\d+\.\d+)", _first_line(error))
        if match and isinstance(error, NotImplementedError):
            return match[1]
        seen.append(error)
        error = error.__cause__ or error.__context__
    return None


def leaf(data, dtype=np.float64):
    """A Tensor of the graded tinytorch that is to be differentiated.

    From chapter 5 on it must ask for that; before, the attribute does no harm.

    >>> leaf([1, 2]).requires_grad
    True
    """
    import tinytorch

    tensor = tinytorch.Tensor(np.array(data, dtype=dtype))
    tensor.requires_grad = True
    return tensor


def upstream_for(result):
    """A gradient for `result`: a Tensor of its shape, random, never uniform, always the same.

    >>> upstream_for(leaf([1, 2])).shape
    (2,)
    """
    import tinytorch

    return tinytorch.Tensor(np.random.default_rng(7).uniform(0.5, 2, tuple(result.shape)))


def expect_local_gradients(result, inputs, f, what, *, slips=(), because=""):
    """Compare the gradients that made `result` gives its inputs with central differences of `f`.

    `f` is the same operation on NumPy arrays; the names of its arguments name the inputs. The
    Tensors should be float64. Raises Mismatch.

    >>> x, y = leaf([1, 2]), leaf([3, 4])
    >>> expect_local_gradients(x * y, [x, y], lambda x, y: x * y, "x * y")
    """
    upstream = upstream_for(result)
    with calling(f"the backward of {what}"):
        grads = _local_gradients(result, inputs, upstream, what)
    arrays = [np.array(_data(x), dtype=np.float64) for x in inputs]
    for i, name in enumerate(inspect.signature(f).parameters):
        want = _central_difference(f, arrays, i, _array(upstream))
        whose = f"{what}: the gradient of {name}"
        expect(grads[i], want, whose, slips=slips, because=because, atol=1e-5, rtol=1e-3)


def expect_gradients(result, upstream, what, *, slips=(), because="", **expected):
    """Send `upstream` to the call that made `result`: x=(x, 5.0) wants x to get 5.0 from it.

    One local rule alone, with numbers that can be checked by head. Raises Mismatch.

    >>> x, y = leaf(2), leaf(5)
    >>> expect_gradients(x * y, 10, "2 * 5, sent 10", x=(x, 50), y=(y, 20))
    """
    import tinytorch

    upstream = tinytorch.Tensor(np.array(upstream, dtype=np.float64))
    tensors = [tensor for tensor, _ in expected.values()]
    with calling(f"the backward of {what}"):
        grads = _local_gradients(result, tensors, upstream, what)
    for (name, (_, want)), grad in zip(expected.items(), grads, strict=True):
        whose = f"{what}: the gradient of {name}"
        expect(grad, want, whose, slips=slips, because=because)


def expect_backward(
    root, what, *, gradient=None, retain_graph=False, slips=(), because="", **expected
):
    """Run root.backward() and compare the gradients: x=(x, 5.0) wants 5.0 in x.grad.

    `what` is the formula, such as "y = x + x". The first wrong gradient on the way back is the
    one that is named. Raises GradientMismatch.

    >>> x = leaf(3)
    >>> expect_backward(x * x, "y = x * x", x=(x, 6))
    """
    names = {name: tensor for name, (tensor, _) in expected.items()}
    rank = {id(thing): place for place, thing in enumerate(_way_back(root))}
    graph = _graph(root, what, names) if len(rank) < DRAWN else None
    options = {"retain_graph": True} if retain_graph else {}
    with calling(f"backward() on {what}", slips=slips):
        root.backward(*([] if gradient is None else [gradient]), **options)
    for name in sorted(names, key=lambda name: _place(names[name], rank)):
        tensor, want = expected[name]
        says = f"backward() on {what} gave {name}.grad"
        try:
            expect(tensor.grad, want, says, slips=slips, because=because)
        except Mismatch as error:
            wants = {name: want for name, (_, want) in expected.items()}
            text = str(error).replace(f"{says} has shape", f"{says} of shape")
            drawn = GradientMismatch(text, graph, names, wants)
            drawn.slip = error.slip
            raise drawn from None


def visits(root):
    """Run root.backward() and return how often each operation behind root ran its backward.

    Stops where one of them runs more than TOO_OFTEN times. Before chapter 6 only.

    >>> x = leaf(3)
    >>> visits(x * x + x)
    [1, 1]
    """
    contexts = [t.grad_fn for t in _way_back(root) if getattr(t, "grad_fn", None) is not None]
    counters = [_Counter(ctx.function) for ctx in contexts]
    for ctx, counter in zip(contexts, counters, strict=True):
        ctx.function = counter
    try:
        root.backward()
    except _SeenEnough:
        pass
    finally:
        for ctx, counter in zip(contexts, counters, strict=True):
            ctx.function = counter.function
    return [counter.count for counter in counters]


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
    shares = any(np.shares_memory(array, given) for array in arrays)
    return not shares and all(array.dtype == np.float64 for array in arrays)


def _item_works():
    import tinytorch

    got = [tinytorch.Tensor(np.full(shape, 2.5)).item() for shape in ((), (1,), (1, 1))]
    return all(type(number) is float and number == 2.5 for number in got)


def _difference_works():
    import tinytorch

    x = tinytorch.Tensor(np.array([[1.0, 2.0]]))
    slope = tinytorch.central_difference(lambda x: (x * x * x).sum(), x, (0, 1), 0.5)
    return slope == 12.25 and x.data.tolist() == [[1, 2]]


def _sums_work():
    import tinytorch

    x = leaf([[1, 2], [3, 4]])
    sums = x.sum(), x.sum(axis=0), x.sum(axis=1, keepdims=True), x.sum((0, -1))
    for y, want in zip(sums, (10, [4, 6], [[3], [7]], 10), strict=True):
        sent = tinytorch.Tensor(np.asarray(want, float))
        spread = np.broadcast_to(sent.data, (2, 2))
        is_right = not _difference(y, want, "", 1e-6, 1e-5)
        if not is_right or _difference(y.grad_fn.backward(sent)[0], spread, "", 1e-6, 1e-5):
            return False
    return True


def _unbroadcast_works():
    import tinytorch

    grad = leaf([[[1, 2], [3, 4]], [[5, 6], [7, 8]]])
    for shape, axes in (((2, 2), 0), ((2, 1), (0, 2)), ((), (0, 1, 2)), ((2, 2, 2), ())):
        got = tinytorch.unbroadcast(grad, shape)
        wrong = _difference(got, grad.data.sum(axes).reshape(shape), "", 1e-6, 1e-5)
        if wrong or got is grad or not any(tensor is grad for tensor in _way_back(got)):
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
    whole = all(known) and all(_same(inputs, want) for inputs, want in pairs)
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
            raise ZeroDivisionError

    try:
        is_through = isinstance(error_of(fails), ZeroDivisionError)
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


BASICS = {
    "1.1": _conversion_works,
    "1.3": _item_works,
    "1.6": _difference_works,
    "4.2": _sums_work,
    "4.3": _unbroadcast_works,
    "5.1": _leaves_are_known,
    "5.2": _recording_works,
    "5.4": _scopes_work,
    "5.5": _freeing_works,
    "5.6": _backward_works,
}


def needs_notes(test):
    """Let a test of one operation wait where the ctx that all operations need is still wrong.

    It then says "needs exercise 2.2 first", instead of what follows from that.
    """

    @wraps(test)
    def run():
        for exercise, works in (("2.1", _saving_works), ("2.2", _apply_works)):
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
    return all(_same(ctx.saved_tensors, tensors) for ctx, tensors in saved)


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
    return ctx.forwards is ctx and ctx.function is Probe and _same(ctx.inputs, inputs)


class _SeenEnough(Exception):
    pass


class _Counter:
    """Stands in for a Function and counts the calls of its backward."""

    def __init__(self, function):
        self.function, self.count = function, 0

    def __getattr__(self, name):
        return getattr(self.function, name)

    def backward(self, ctx, grad):
        self.count += 1
        if self.count > TOO_OFTEN:
            raise _SeenEnough
        return self.function.backward(ctx, grad)


def _way_back(root):
    """All tensors behind root, each before its inputs: the order of a right backward pass.

    Of the library's results the nodes, and the leaves.
    """
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        tensor, done = stack.pop()
        if done:
            order.append(tensor)
        elif id(tensor) not in seen:
            seen.add(id(tensor))
            stack.append((tensor, True))
            stack.extend((x, False) for x in _inputs_of(tensor))
    return order[::-1]


def _place(tensor, rank):
    """The place of a Tensor on the way back, or that of its node; the last, where it has none."""
    return rank.get(id(tensor), rank.get(id(getattr(tensor, "grad_fn", None)), len(rank)))


def _inputs_of(thing):
    """The Tensors that one was made of; the library's graph has nodes in their place."""
    call = thing if hasattr(thing, "next_functions") else getattr(thing, "grad_fn", None)
    if hasattr(call, "next_functions"):
        edges = [edge for edge, _ in call.next_functions if edge is not None]
        return [getattr(edge, "variable", edge) for edge in edges]
    return [x for x in getattr(call, "inputs", None) or () if hasattr(x, "grad_fn")]


def _graph(root, what, names):
    """The graph as it is before backward() frees it; None where nobody will draw it."""
    if not PICTURES:
        return None
    try:
        from course.drawing import read_graph

        return read_graph(root, names={what.partition(" = ")[0]: root} | names)
    except Exception:  # a graph that cannot be read is no reason to say less about the gradient
        return None


def _local_gradients(result, inputs, upstream, what):
    import tinytorch

    if IS_LIBRARY:
        return _gradients_by_backward(result, inputs, upstream)
    ctx = result.grad_fn
    if ctx is None:
        raise Mismatch(f"{what} has no grad_fn: apply must keep the ctx of the call")
    numbers = [np.array(_data(x)) for x in ctx.inputs]
    grads = ctx.backward(upstream)
    for i, (x, before) in enumerate(zip(ctx.inputs, numbers, strict=True)):
        if before.dtype != object and not np.array_equal(_data(x), before, equal_nan=True):
            raise Mismatch(f"{what}: backward changed the numbers of input {i}: it only reads them")
    grads = grads if isinstance(grads, tuple) else (grads,)
    if any(isinstance(grad, list) for grad in grads):
        raise Mismatch(f"{what}: backward gave a list; return a tuple: return grad_x, grad_y")
    if len(grads) != len(ctx.inputs):
        count = f"{len(grads)} gradient(s) for {len(ctx.inputs)} input(s)"
        raise Mismatch(f"{what}: backward gave {count}; it gives one each, None for a non-Tensor")
    for x, grad in zip(ctx.inputs, grads, strict=True):
        if grad is None or isinstance(grad, tinytorch.Tensor):
            continue
        kind, is_number = type(grad).__name__, not isinstance(x, tinytorch.Tensor)
        wanted = f"{x!r} is no Tensor, and gets None" if is_number else "a gradient is a Tensor"
        raise Mismatch(f"{what}: backward gave {kind} {grad!r}; {wanted}")
    mine = [g for x, g in zip(ctx.inputs, grads, strict=True) if any(x is y for y in inputs)]
    if len(mine) != len(inputs):
        raise Mismatch(f"{what}: ctx.inputs = {ctx.inputs!r} are not the inputs of the call")
    return mine


def _gradients_by_backward(result, inputs, upstream):
    """What backward() leaves in the inputs; what they held before is put back.

    autograd.grad may be what a chapter of Part II asks for.
    """
    before = [x.grad for x in inputs]
    for x in inputs:
        x.grad = None
        if not x.is_leaf:
            x.retain_grad()
    result.backward(upstream, retain_graph=True)
    grads = [x.grad for x in inputs]
    for x, grad in zip(inputs, before, strict=True):
        x.grad = grad
    return grads


def _central_difference(f, arrays, i, upstream, eps=1e-6):
    nudged = [array.copy() for array in arrays]
    x, grad = nudged[i], np.zeros_like(arrays[i])
    for index in np.ndindex(grad.shape):
        before, ends = x[index], []
        for step in (eps, -eps):
            x[index] = before + step
            ends.append(np.vdot(f(*nudged), upstream))
        x[index] = before
        grad[index] = (ends[0] - ends[1]) / (2 * eps)
    return grad


def _reason(got, slips):
    """The reason of the first of these slips that came; nothing where none of them did."""
    for slip, reason in slips.items() if isinstance(slips, dict) else slips:
        if _has_come(slip, got):
            return reason
    return ""


def _has_come(slip, got):
    if isinstance(slip, type) and issubclass(slip, BaseException):
        return isinstance(got, slip)
    if callable(slip) and not isinstance(slip, type):
        try:
            return bool(slip(got))
        except Exception:  # it looks for what this answer does not have
            return False
    return not _difference(got, slip, "", 1e-6, 1e-5)


def _is_numeric(value):
    if isinstance(value, (bool, tuple)):
        return False
    return _array(value) is not None


def _array(value):
    """The numbers of a Tensor, an array, a number or a list as a plain array, else None."""
    data = _data(value)
    if isinstance(data, (str, bytes, tuple, dict, set, type, np.dtype)) or data is None:
        return None
    try:
        array = np.asarray(data)
    except Exception:  # whatever the graded object does when it is asked for numbers
        return None
    return array if array.dtype.kind in "biuf" else None


def _data(value):
    """What a Tensor holds: .data in the course, an array only by .numpy() in the library."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value
    data = getattr(value, "data", None)
    if isinstance(data, (np.ndarray, np.generic)):
        return data
    return value.detach().numpy() if hasattr(value, "numpy") and hasattr(data, "numpy") else value


def _differs(array, want, atol, rtol):
    """Where two arrays of one shape are too far apart; NaN equals NaN, and infinity itself."""
    a, b = array.astype(np.float64), want.astype(np.float64)
    with np.errstate(invalid="ignore"):
        near = np.abs(a - b) <= atol + rtol * np.abs(b)
    return ~((near & np.isfinite(b)) | (a == b) | (np.isnan(a) & np.isnan(b)))


def _same(got, want):
    """Equality of plain values in which no `__eq__` of a graded class takes part."""
    if isinstance(got, np.dtype) and not isinstance(want, bool):
        return got == np.dtype(want)
    if isinstance(want, bool):
        return isinstance(got, (bool, np.bool_)) and bool(got) == want
    if isinstance(want, (tuple, list)):
        kind = type(want)  # the library's Size is a tuple too
        return isinstance(got, kind) and _all_same(list(kind.__iter__(got)), list(want))
    return got is want or (type(got) is type(want) and bool(want == got))


def _all_same(got, want):
    return len(got) == len(want) and all(map(_same, got, want))


def _said(value):
    if isinstance(value, type):
        return value.__name__
    return str(value) if isinstance(value, np.dtype) else repr(value)


def _difference(got, want, what, atol, rtol):
    """What came and what was expected, in words; nothing where they agree."""
    if not _is_numeric(want):
        return "" if _same(got, want) else f"{what} = {_said(got)}, expected {_said(want)}"
    array, want = _array(got), _array(want)
    if array is None:
        return f"{what} = {got!r}, expected {_show(want)}"
    if array.shape != want.shape:
        return f"{what} has shape {array.shape}, expected shape {want.shape}"
    wrong = _differs(array, want, atol, rtol)
    return _numbers_differ(array, want, wrong, what) if wrong.any() else ""


def _numbers_differ(array, want, wrong, what):
    if array.size <= MANY:
        got_text, want_text = _texts(array, want)
        return f"{what} = {got_text}, expected {want_text}"
    index = tuple(int(i) for i in np.argwhere(wrong)[0])
    got_text, want_text = _texts(array[index], want[index])
    place = ", ".join(map(str, index))
    more = f" ({wrong.sum()} of {wrong.size} are wrong)"
    return f"{what}: element [{place}] = {got_text}, expected {want_text}{more}"


def _texts(got, want):
    """Both written with as many digits as it takes to see the difference."""
    for digits in (5, 9, 17):
        texts = _show(got, digits), _show(want, digits)
        if texts[0] != texts[1]:
            break
    return texts


def _show(array, digits=5):
    if np.ndim(array) == 0:
        return f"{float(array):.{digits}g}"
    if np.size(array) > MANY:
        return f"an array of shape {np.shape(array)}"
    return "[" + ", ".join(_show(row, digits) for row in array) + "]"


def _first_line(error):
    try:
        return (str(error).strip().splitlines() or [""])[0]
    except Exception:  # the graded file's own exception class may fail here too
        return ""


def _fail(text, got, slips, because):
    """Raise a Mismatch with the reason that there is evidence for, or else why it is expected."""
    reason = _reason(got, slips)
    error = Mismatch(f"{text}: {reason or because}" if reason or because else text)
    error.slip = reason
    raise error from (got if isinstance(got, BaseException) else None)
