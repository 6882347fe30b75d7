"""What the graded tests are written with: every failure is one line that can be relied on.

    {what} = {got}, expected {want}: {reason}

A reason has evidence. `slips` pairs wrong answers with what leads to them, and only the reason
of the answer that came is said: a number, an array, a type of exception, or a function that
looks at what came. `because` says why the expected answer is the right one; that is true
whatever came, and names no mistake.
"""

import inspect
import operator
import re
import sys
from contextlib import contextmanager, suppress
from traceback import walk_tb

import numpy as np

from course.comparing import array_of, data_of, difference

IS_LIBRARY = False  # are Tensors the finished library's? Who asks for that says so, not the file
PICTURES = False  # read the graph before each backward(), so that a wrong gradient can be drawn?
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
    says = difference(got, want, what, atol, rtol)
    if says:
        _fail(says, got, slips, because)


def expect_raises(error, call, what, *, slips=(), because="", says=()):
    """Call `call`: it must raise `error`, or one of these, with each word of `says` in its message.

    Of `slips`, None means that it raised nothing. A blank's exception passes. Raises Mismatch.

    >>> expect_raises(ZeroDivisionError, lambda: 1 / 0, "1 / 0", says=["zero"])
    """
    wanted = " or ".join([e.__name__ for e in (error if isinstance(error, tuple) else (error,))])
    try:
        result = call()
    except Exception as raised:
        if blank_behind(raised):
            raise
        text = f"{what} raised {name_and_text(raised)}"
        if not isinstance(raised, error):
            _fail(f"{text}, expected {wanted}", raised, slips, because)
        if missing := [word for word in says if word not in str(raised)]:
            words = f"its message should contain {' and '.join(missing)}"
            _fail(f"{text}; {words}", raised, slips, because)
        return
    seen = {None: _reason(result, slips) or _reason(None, slips)}
    came = "raised no error" if result is None else f"gave {result!r}"
    _fail(f"{what} {came}, expected {wanted}", None, seen, because)


def fail_if(fault, says):
    """Raise a Mismatch with these words, which name a mistake, where `fault` is true.

    >>> fail_if(2 + 2 != 4, "2 + 2 is not 4: add")
    """
    if fault:
        error = Mismatch(says)
        error.slip = says
        raise error


def expect_return(got, what):
    """Raise a Mismatch if a call, described in `what`, gave back nothing.

    >>> expect_return(2 + 2, "the sum")
    """
    fail_if(got is None, f"{what} gave None: is a return missing?")


def short_repr(thing):
    """Its repr without the dtype float64, which is no news in a test whose numbers all are."""
    return repr(thing).replace(", dtype=tinytorch.float64", "")


def expect_only_read(handed, before, what):
    """A list that a call was handed holds the very things that it held before."""
    is_same = len(handed) == len(before) and all(map(operator.is_, handed, before))
    says = f"{what} left {short_repr(handed)} in the list that it was given"
    fail_if(not is_same, f"{says}: it belongs to the caller, so only read it")


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
        match = re.match(r"exercise (\d+\.\d+)", first_line(error))
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
    tensor = tensor_of(np.array(data, dtype=dtype))
    tensor.requires_grad = True
    return tensor


def tensor_of(array):
    """A Tensor of the graded tinytorch with the numbers of this array, and its dtype.

    In Part I that's what `Tensor(array)` gives; the library has `tensor(array)` for it.

    >>> tensor_of(np.array([1.0, 2.0])).shape
    (2,)
    """
    import tinytorch

    return (tinytorch.tensor if IS_LIBRARY else tinytorch.Tensor)(array)


def upstream_for(result):
    """A gradient for `result`: a Tensor of its shape, random, never uniform, always the same.

    >>> upstream_for(leaf([1, 2])).shape
    (2,)
    """
    return tensor_of(np.random.default_rng(7).uniform(0.5, 2, tuple(result.shape)))


def expect_local_gradients(result, inputs, f, what, *, slips=(), because=""):
    """Compare the gradients that made `result` gives its inputs with central differences of `f`.

    `f` is the same operation on NumPy arrays; the names of its arguments name the inputs. The
    Tensors should be float64. Raises Mismatch.

    >>> x, y = leaf([1, 2]), leaf([3, 4])
    >>> expect_local_gradients(x * y, [x, y], lambda x, y: x * y, "x * y")
    """
    upstream = upstream_for(result)
    grads = _asked(result, inputs, upstream, what, slips)
    arrays = [np.array(data_of(x), dtype=np.float64) for x in inputs]
    for i, name in enumerate(inspect.signature(f).parameters):
        want = central_difference(f, arrays, i, array_of(upstream))
        whose = f"{what}: the gradient of {name}"
        expect(grads[i], want, whose, slips=slips, because=because, atol=1e-5, rtol=1e-3)


def expect_gradients(result, upstream, what, *, slips=(), because="", **expected):
    """Send `upstream` to the call that made `result`: x=(x, 5.0) wants x to get 5.0 from it.

    One local rule alone, with numbers that can be checked by head. Raises Mismatch.

    >>> x, y = leaf(2), leaf(5)
    >>> expect_gradients(x * y, 10, "2 * 5, sent 10", x=(x, 50), y=(y, 20))
    """
    upstream = tensor_of(np.array(upstream, dtype=np.float64))
    tensors = [tensor for tensor, _ in expected.values()]
    grads = _asked(result, tensors, upstream, what, slips)
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
    rank = {id(thing): place for place, thing in enumerate(way_back(root))}
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


def lacks(owner, *names):
    """A question for slips: was one of these names, or any, asked of an object that lacks it?

    `owner` is what the class of the object is called.
    """

    def question(error):
        wanted = isinstance(error, AttributeError) and type(error.obj).__name__ == owner
        return wanted and (not names or error.name in names)

    return question


def worded(kind, words):
    """A question for slips: is it an error of this kind, with these words in its message?"""
    return lambda error: isinstance(error, kind) and words in str(error)


def numpys_words():
    """Slips where PyTorch's names were given to a function that has NumPy's."""
    return [
        (worded(TypeError, "'dim'"), "it's called axis here: dim is PyTorch's word"),
        (worded(TypeError, "'keepdim'"), "it's called keepdims here: keepdim is PyTorch's word"),
    ]


def calls_of(function, error):
    """What each call of this name on the way to an error knew: a dict of names and values each."""
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    return [frame.f_locals for frame in frames if frame.f_code.co_name == function]


def visits(root):
    """Run root.backward() and return how often each operation behind root ran its backward.

    Stops where one of them runs more than TOO_OFTEN times. Before chapter 6 only.

    >>> x = leaf(3)
    >>> visits(x * x + x)
    [1, 1]
    """
    contexts = [t.grad_fn for t in way_back(root) if getattr(t, "grad_fn", None) is not None]
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


def depth_of(call):
    """How deep the calls of Python functions nest while this one runs."""
    depths = [0]

    def follow(frame, event, arg):
        depths.append(depths[-1] + {"call": 1, "return": -1}.get(event, 0))

    before = sys.getprofile()
    sys.setprofile(follow)
    try:
        call()
    finally:
        sys.setprofile(before)
    return max(depths)


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


def way_back(root):
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
            stack.extend((x, False) for x in inputs_of(tensor))
    return order[::-1]


def _place(tensor, rank):
    """The place of a Tensor on the way back, or that of its node; the last, where it has none."""
    return rank.get(id(tensor), rank.get(id(getattr(tensor, "grad_fn", None)), len(rank)))


def inputs_of(thing):
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


def _asked(result, inputs, upstream, what, slips):
    """Their gradients, with the reasons of `slips`, and that of a tuple, where it raises."""
    packed = "saved_tensors is a tuple, even of one: mind the comma, as in (x,) = ctx.saved_tensors"
    slips = [*_pairs(slips), (_took_a_tuple_for_a_tensor, packed)]
    with calling(f"the backward of {what}", slips=slips):
        return local_gradients(result, inputs, upstream, what)


def _took_a_tuple_for_a_tensor(error):
    """Did it go wrong over a tuple, in a backward that holds one with a single Tensor in it?"""
    import tinytorch

    inside = calls_of("backward", error)
    held = [value for names in inside for value in names.values() if type(value) is tuple]
    is_packed = any(len(v) == 1 and isinstance(v[0], tinytorch.Tensor) for v in held)
    return is_packed and "tuple" in str(error) and isinstance(error, (TypeError, AttributeError))


def local_gradients(result, inputs, upstream, what):
    import tinytorch

    if IS_LIBRARY:
        return _gradients_by_backward(result, inputs, upstream)
    ctx = result.grad_fn
    if ctx is None:
        raise Mismatch(f"{what} has no grad_fn: apply must keep the ctx of the call")
    numbers = [np.array(data_of(x)) for x in ctx.inputs]
    grads = ctx.backward(upstream)
    for i, (x, before) in enumerate(zip(ctx.inputs, numbers, strict=True)):
        if before.dtype != object and not np.array_equal(data_of(x), before, equal_nan=True):
            raise Mismatch(f"{what}: backward changed the numbers of input {i}: it only reads them")
    grads = grads if isinstance(grads, tuple) else (grads,)
    if any(isinstance(grad, list) for grad in grads):
        raise Mismatch(f"{what}: backward gave a list; return a tuple: return grad_x, grad_y")
    if len(grads) != len(ctx.inputs):
        raise Mismatch(f"{what}: {_too_few_or_many(grads, ctx.inputs)}")
    for x, grad in zip(ctx.inputs, grads, strict=True):
        if grad is None or isinstance(grad, tinytorch.Tensor):
            continue
        kind, is_number = type(grad).__name__, not isinstance(x, tinytorch.Tensor)
        wanted = f"{x!r} isn't a Tensor, and gets None" if is_number else "a gradient is a Tensor"
        raise Mismatch(f"{what}: backward gave {kind} {grad!r}; {wanted}")
    mine = [g for x, g in zip(ctx.inputs, grads, strict=True) if any(x is y for y in inputs)]
    if len(mine) != len(inputs):
        raise Mismatch(f"{what}: ctx.inputs = {ctx.inputs!r} are not the inputs of the call")
    return mine


def _too_few_or_many(grads, inputs):
    given = "None" if grads == (None,) else _counted(grads, "gradient")
    wanted = "give back one for each, None for one that isn't a Tensor"
    return f"backward gave {given}, but forward had {_counted(inputs, 'input')}: {wanted}"


def _counted(things, kind):
    return f"{len(things)} {kind}{'' if len(things) == 1 else 's'}"


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


def central_difference(f, arrays, i, upstream, eps=1e-6):
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


def _pairs(slips):
    return slips.items() if isinstance(slips, dict) else slips


def _reason(got, slips):
    """The reason of the first of these slips that came; nothing where none of them did."""
    for slip, reason in _pairs(slips):
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
    return not difference(got, slip, "", 1e-6, 1e-5)


def name_and_text(error):
    """The kind of an exception and, where there is one, the first line of its text.

    >>> name_and_text(ValueError("too many"))
    'ValueError: too many'
    """
    return ": ".join(filter(None, [type(error).__name__, first_line(error)]))


def first_line(error):
    """The first line of an exception's text, "" where there is none.

    >>> first_line(ValueError("one\\ntwo"))
    'one'
    """
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
