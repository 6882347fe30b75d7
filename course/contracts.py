"""Contracts: what an exercise promises for every input, tried on a zoo of inputs.

The claims in the other tests come first and name the slip. A contract only compares, with NumPy
and with nudging, and says for which input the two differ.
"""

import builtins
import itertools
from contextlib import contextmanager, suppress
from functools import cache, partial
from weakref import WeakSet

import numpy as np

from course.comparing import data_of, show
from course.testing import (
    Mismatch,
    blank_behind,
    calling,
    central_difference,
    expect,
    fail_if,
    inputs_of,
    leaf,
    local_gradients,
    name_and_text,
    tensor_of,
    way_back,
)

VALUES = (0.0, -0.0, 1.0, -1.0, 2.5, -0.3, 700.0, -1000.0, np.inf, -np.inf, np.nan)
NUMBERS = VALUES[:-1]  # without NaN, where a text leaves that open
SHAPES = ((), (1,), (0,), (2, 3), (0, 3))
MEETING = (*SHAPES, (3,), (1, 3), (2, 1), (3, 3), (3, 2, 3), (4, 1, 1), (1, 1, 3), (2, 0))
AXES = (
    None,
    0,
    1,
    -1,
    -2,
    (),
    2,
    (0,),
    (-1,),
    (0, 1),
    (1, 0),
    (-2, -1),
    (0, 2),
    (-3, 2),
    (0, 1, 2),
)
OPERATIONS = ("Neg", "Add", "Mul", "Div", "Pow", "Exp", "Log", "Tanh", "ReLU",  # those of Part I
              "MatMul", "Transpose", "MatrixTranspose", "Sum", "Reshape")  # fmt: skip
BATCHES = ((), (1,), (4,), (2, 4), (2, 1), (1, 4), (1, 1), (0,))
DTYPES = (np.float64, np.float32)
KINDS = (*DTYPES, np.float16)
EACH_PLACE = "each place gets a gradient of its own, though both hold the same Tensor"
TINY = 2.0**-160  # float32 knows no such number
# of values: rtol, atol; beside a 1, float32 rounds by 1.2e-7
TOLERANCES = {"float64": (1e-9, 1e-12), "float32": (1e-5, 2e-7)}
SLOPE_TOLERANCES = {"float64": (1e-4, 1e-6), "float32": (1e-3, 1e-5)}
EVERY_ERROR = tuple(  # of Python's own that take one argument, each once
    dict.fromkeys(
        kind
        for kind in vars(builtins).values()
        if isinstance(kind, type)
        and issubclass(kind, Exception)
        and not issubclass(kind, (UnicodeError, BaseExceptionGroup))
    )
)


def arrays(count=1, values=VALUES):
    """Tuples of `count` arrays of equal shape: all shapes and dtypes, and all pairs of `values`.

    >>> sum(1 for _ in arrays(2))
    14
    """
    rng = np.random.default_rng(5)
    for dtype in DTYPES:
        for shape in SHAPES:
            yield tuple(np.asarray(rng.uniform(-3, 3, shape), dtype) for _ in range(count))
        yield tuple(np.asarray(rng.uniform(-3, 3, (3, 2)), dtype).T for _ in range(count))
        yield tuple(np.array(a, dtype).ravel() for a in np.meshgrid(*[values] * count))


def in_kinds(cases):
    """Each case with two of KINDS, by turns.

    >>> [dtype.__name__ for _, dtype in in_kinds("ab")]
    ['float64', 'float32', 'float16', 'float64']
    """
    return zip([case for case in cases for _ in range(2)], itertools.cycle(KINDS), strict=False)


def filled(count):
    """Tuples of `count` 0-d arrays of 0, 1 or -1: that is where an answer takes a short cut.

    In float64, which a short cut easily loses.

    >>> sum(1 for _ in filled(2))
    9
    """
    for given in itertools.product((0.0, 1.0, -1.0), repeat=count):
        yield tuple(map(np.array, given))


def matrices():
    """Pairs of arrays that @ takes: oblong, square, row by column, empty, transposed, symmetric."""
    rng = np.random.default_rng(5)
    for dtype in DTYPES:
        for n, k, m in [(2, 3, 4), (2, 2, 2), (3, 1, 3), (1, 3, 1), (2, 0, 3), (0, 2, 3)]:
            x, y = rng.uniform(-3, 3, (n, k)), rng.uniform(-3, 3, (k, m))
            yield np.asarray(x, dtype), np.asarray(y, dtype)
        x, y = rng.uniform(-3, 3, (3, 2)), rng.uniform(-3, 3, (4, 3))
        yield np.asarray(x, dtype).T, np.asarray(y, dtype).T
        x, y = (square + square.T for square in rng.uniform(-3, 3, (2, 3, 3)))
        yield np.asarray(x, dtype), np.asarray(y, dtype)


def numbers(shape, dtype=np.float64, seed=3):
    """Random numbers of both signs, none near zero, always the same.

    >>> numbers((2, 3)).shape
    (2, 3)
    """
    rng = np.random.default_rng(seed)
    return np.asarray(rng.uniform(0.5, 3, shape) * rng.choice([-1, 1], shape), dtype)


def meetings():
    """Pairs of shapes with the shape in which they meet, or None where they do not fit.

    >>> ((2, 3), (3,), (2, 3)) in list(meetings())
    True
    """
    for a, b in itertools.product(MEETING, repeat=2):
        try:
            yield a, b, np.broadcast_shapes(a, b)
        except ValueError:
            yield a, b, None


def reductions():
    """Arrays, each with every axis it has, None, tuples and negative ones, and with both keepdims.

    >>> sum(1 for x, axis, keepdims in reductions() if x.shape == (3,))
    12
    """
    turns = itertools.cycle((*DTYPES, *DTYPES[::-1]))
    for shape, axis, keepdims in itertools.product(MEETING, AXES, (False, True)):
        axes = axis if isinstance(axis, tuple) else () if axis is None else (axis,)
        if all(-len(shape) <= a < len(shape) for a in axes):
            yield numbers(shape, next(turns)), axis, keepdims
    for axis in AXES[:6]:
        yield numbers((3, 2)).T, axis, False  # not contiguous


def batches():
    """Pairs of arrays that @ takes: those of matrices(), and with all batch axes that fit."""
    yield from matrices()
    turns = itertools.cycle(DTYPES)
    for a, b in itertools.product(BATCHES, repeat=2):
        with suppress(ValueError):
            np.broadcast_shapes(a, b)
            for n, k, m in [(2, 3, 2), (2, 2, 2), (1, 3, 1)]:
                dtype = next(turns)
                yield numbers((*a, n, k), dtype), numbers((*b, k, m), dtype, seed=5)


def summed_to(array, shape):
    """What arrives at something of `shape` that was copied to the shape of `array`: the sum.

    >>> summed_to(np.ones((4, 3)), (3,))
    array([4., 4., 4.])
    """
    new = array.ndim - len(shape)
    axes = [i for i, n in enumerate(array.shape) if i < new or shape[i - new] != n]
    return array.sum(axis=tuple(axes)).reshape(shape)


def upstream(shape, dtype):
    """A Tensor of random numbers of both signs, and a zero, always the same."""
    return tensor_of(np.array(_sent(tuple(shape)), dtype))


@cache
def _sent(shape):
    rng = np.random.default_rng(7)
    numbers = np.asarray(rng.uniform(0.5, 2, shape) * rng.choice([-1, 1], shape))
    numbers.flat[1:2] = 0  # nothing came: nothing is sent on
    return numbers


def expect_operation(what, operation, reference, inputs, names="xy", saves=""):
    """An elementwise operation has the value, dtype and local gradients of `reference`.

    `operation` is called with Tensors, `reference` with arrays, for each of `inputs`; `saves` is
    what expect_notes wants to know. All values come first, for gradients may be made of them.
    Raises Mismatch.
    """
    cases = [(given, list(map(leaf_like, given)), what, "") for given in inputs]
    if len(cases[0][0]) == 2:
        x = np.array([2.0, -3.0])
        said = f"{what}, x and y the same Tensor"
        cases.append(((x, x), [leaf_like(x)] * 2, said, EACH_PLACE))
        expect_the_wider_dtype(what, operation, reference)
    with np.errstate(all="ignore"):
        results = [_result(operation, reference, names, *case[:3]) for case in cases]
        for result, case in zip(results, cases, strict=True):
            _expect_gradients(result, operation, reference, names, saves, *case)
        for given in filled(len(cases[0][0])):
            _expect_at_filled(operation, reference, names, given, what)
        expect_no_trace(lambda: operation(*map(leaf_like, given)), what)


def expect_the_wider_dtype(what, operation, reference, shape=(3,)):
    """Of float32 and float64 comes float64, as from NumPy, with all its digits.

    Raises Mismatch.
    """
    a, b = numbers(shape), numbers(shape, seed=5)
    for x, y in ((a, b.astype(np.float32)), (a.astype(np.float32), b)):
        said = f"{what} for x in {x.dtype} and y in {y.dtype}"
        with calling(said):
            result = operation(leaf_like(x), leaf_like(y))
        expect_array(result, reference(x, y), said)


def expect_notes(result, tensors, first, grads, what, saves):
    """What the ctx of a result owes beyond one right gradient, for each operation alike.

    `grads` are what it gave for the upstream gradient `first`. It has saved exactly the Tensors
    that the letters of `saves` name, x, y or the result z; and another backward gives the gradients
    for what is sent then, be it nothing but zeros. The library keeps notes of another kind.
    Raises Mismatch.
    """
    ctx, sent = result.grad_fn, leaf_like(first.data * -2)
    if not hasattr(ctx, "inputs"):
        return
    said = f"a second backward on the same ctx, given -2 times as much ({what})"
    slips = [
        (lambda _: len(ctx.saved_tensors) < len(saves), "backward has let go of what was saved")
    ]
    alone = "each backward stands alone: nothing is remembered, added up or let go"
    with np.errstate(all="ignore"), calling(said, slips=slips):
        again = local_gradients(result, tensors, sent, said)
        for name, grad, other in zip("xy", grads, again, strict=False):
            want = grad.data * -2
            because = alone if _is_finite(want) else ""  # the second may be too large on its own
            expect(other, want, f"{said}: the gradient of {name}", because=because, atol=0)
    if first.dtype == np.float64 and all(_is_finite(grad.data) for grad in grads):
        expect_made_of_what_is_sent(result, tensors, leaf_like(first.data), what)
        said = f"{what}, given zeros"
        zeros = expect_made_of_what_is_sent(result, tensors, leaf_like(first.data * 0), said)
        for name, zero in zip("xy", zeros, strict=False):
            expect_array(zero, np.zeros(zero.shape), f"{said}: the gradient of {name}")
        _expect_reached(zeros, _reached(grads, tensors, result), tensors, result, said)
    _expect_read_from_saved(ctx, sent, what)
    _expect_saved(ctx, dict(zip("xy", tensors, strict=False), z=result), what, saves)
    _expect_nothing_more_kept(result, what, saves)


def _reached(grads, tensors, result):
    """For each gradient, which of the inputs and the result it was made of."""
    behind = [{id(t) for t in way_back(grad)} for grad in grads]
    return [tuple(id(t) in ids for t in (*tensors, result)) for ids in behind]


def _expect_reached(grads, wanted, tensors, result, said):
    """The gradients are made of the same Tensors as for other numbers."""
    got = _reached(grads, tensors, result)
    for name, found, want in zip("xy", got, wanted, strict=False):
        if found != want:
            rule = "one rule for all numbers: a short cut for some of them loses its notes"
            raise Mismatch(f"{said}: the gradient of {name} isn't made as elsewhere: {rule}")


def _expect_read_from_saved(ctx, sent, what):
    """The backward of a ctx that knows no inputs, but has what forward kept on it."""
    import tinytorch

    alone = tinytorch.Context(ctx.function, ())
    alone.save_for_backward(*ctx.saved_tensors)
    for name in set(vars(ctx)) - set(vars(alone)):
        setattr(alone, name, getattr(ctx, name))
    read = "backward reads what forward has saved, and not ctx.inputs"
    with calling(
        f"the backward of {what}, by a ctx that has no inputs,", slips=[(Exception, read)]
    ):
        alone.function.backward(alone, sent)


def expect_made_of_what_is_sent(result, tensors, sent, what):
    """The gradients of `tensors`: they come of `sent` by Tensor operations, be they zeros.

    Raises Mismatch.
    """
    grads = local_gradients(result, tensors, sent, what)
    for name, grad in zip("xy", grads, strict=False):
        if not any(other is sent for other in way_back(grad)):
            because = "compute with Tensors and their operators, not with their arrays"
            leads = "has no history that leads to grad_z"
            raise Mismatch(f"{what}: the gradient of {name} {leads}: {because}")
    return grads


def expect_gradients_with_history(operation, tensors, what, letters="xy"):
    """The gradients of an operation have a whole history: one could differentiate them, too.

    `letters` are what it knows its inputs by, z where it has kept its result. Raises Mismatch.
    """

    def gradients(*given):
        *inputs, sent = given
        grads = local_gradients(operation(*inputs), inputs, sent, what)
        return {f"{what}: the gradient of {n}": g for n, g in zip("xy", grads, strict=False)}

    result = operation(*tensors)
    if hasattr(result.grad_fn, "inputs"):  # the library keeps notes of another kind
        sent = leaf_like(upstream(result.shape, result.dtype).data)
        sources = dict(zip(letters, tensors, strict=False))
        expect_history(gradients, **sources, grad_z=sent)


def expect_history(make, **sources):
    """What make(*sources) gives, {words: Tensor}, comes of the sources by Tensor operations alone.

    With other numbers in one source, the operations of its history give what make() gives for
    these: where an array took part in place of its Tensor, the old numbers are still in it.
    Raises Mismatch.
    """
    made = make(*sources.values())
    for name, source in sources.items():
        factors = np.linspace(1.125, 1.25, source.data.size).reshape(source.shape)
        swap = {id(source): leaf_like(source.data * factors)}
        wants = make(*[swap.get(id(tensor), tensor) for tensor in sources.values()])
        for what, tensor in made.items():
            want = wants[what].data
            rtol, atol = TOLERANCES[want.dtype.name]
            if not np.allclose(_made_again(tensor, swap).data, want, rtol, atol, equal_nan=True):
                leads = any(other is source for other in way_back(tensor))
                lacks = "only a part of the history" if leads else "no history"
                raise Mismatch(
                    f"{what} has {lacks} that leads to {name}: "
                    "compute with Tensors and their operators, not with their arrays"
                )


def expect_differentiable(make, **sources):
    """As expect_history, and each Function of the file's own in that history has a right backward.

    Those of the course have tests of their own. For float64. Raises Mismatch.
    """
    expect_history(make, **sources)
    for what, tensor in make(*sources.values()).items():
        for made in way_back(tensor):
            if made.grad_fn is not None and made.grad_fn.function.__name__ not in OPERATIONS:
                _expect_right_backward(made, what)


def _expect_right_backward(made, what):
    """The call that made this Tensor gives the gradients that nudging its inputs finds."""
    ctx = made.grad_fn
    places = [i for i, x in enumerate(ctx.inputs) if hasattr(x, "grad_fn")]

    def f(*arrays):
        inputs = list(ctx.inputs)
        for i, array in zip(places, arrays, strict=True):
            inputs[i] = leaf_like(array)
        return ctx.function.apply(*inputs).data

    tensors, sent = [ctx.inputs[i] for i in places], upstream(made.shape, made.dtype)
    arrays = [np.array(x.data) for x in tensors]
    if any(array.dtype != np.float64 for array in arrays):
        return  # too coarse to be nudged
    again = "so nobody can differentiate it once more"
    said = f"{what} is made by {ctx.function.__name__}; its backward"
    with calling(said, slips=[(Exception, again)]):
        grads = local_gradients(made, tensors, sent, said)
    for i, grad in enumerate(grads):
        want = central_difference(f, arrays, i, sent.data)
        whose = f"{said}: the gradient of input {places[i]}"
        rtol, atol = SLOPE_TOLERANCES["float64"]
        expect(grad, want, whose, because=again, rtol=rtol, atol=atol)


def expect_gradients_of_gradients(f, tensors, what, names="xy"):
    """The gradients that the operations in f(*tensors) give can be differentiated once more.

    They may be several, one after the other. From chapter 3 on. Raises Mismatch.
    """

    def gradients(*given):
        *inputs, sent = given
        grads = _gradients_behind(f(*inputs), inputs, sent)
        return {f"{what}: the gradient of {n}": g for n, g in zip(names, grads, strict=False)}

    result = f(*tensors)
    if hasattr(result.grad_fn, "inputs"):  # the library keeps notes of another kind
        sent = leaf_like(upstream(result.shape, result.dtype).data)
        expect_differentiable(gradients, **dict(zip(names, tensors, strict=False)), grad_z=sent)


def _gradients_behind(result, inputs, sent):
    """What backward() finds for the inputs, recorded also where backward() records nothing."""
    grads = {id(result): sent}
    for tensor in way_back(result):
        if tensor.grad_fn is not None and id(tensor) in grads:
            came = tensor.grad_fn.backward(grads[id(tensor)])
            came = came if isinstance(came, tuple) else (came,)
            for x, grad in zip(tensor.grad_fn.inputs, came, strict=False):
                if grad is not None:
                    grads[id(x)] = grads[id(x)] + grad if id(x) in grads else grad
    return [grads[id(x)] for x in inputs]


def _made_again(tensor, swap):
    """A Tensor as its history makes it with others in place of some: {id: the other one}."""
    for made in way_back(tensor)[::-1]:
        inputs = inputs_of(made)
        if id(made) not in swap and any(id(x) in swap for x in inputs):
            call = made.grad_fn
            swap[id(made)] = call.function.apply(*[swap.get(id(x), x) for x in call.inputs])
    return swap.get(id(tensor), tensor)


def _expect_saved(ctx, known, what, saves):
    saved, wanted = ctx.saved_tensors, [known[letter] for letter in saves]
    if len(saved) == len(wanted) and all(a is b for a, b in zip(saved, wanted, strict=True)):
        return
    found = [next((f"{n} itself" for n, t in known.items() if t is s), "another Tensor")
             for s in saved]  # fmt: skip
    call = f"ctx.save_for_backward({', '.join(saves)})"
    raise Mismatch(f"{what} has saved {', '.join(found) or 'nothing'}, expected just {call}")


def _expect_nothing_more_kept(result, what, saves):
    """By its own name a ctx keeps plain numbers alone, and a result has no name of its own."""
    import tinytorch

    ctx = result.grad_fn
    fresh = tinytorch.Context(ctx.function, ctx.inputs)
    fresh.save_for_backward(result)
    for name in sorted(set(vars(ctx)) - set(vars(fresh))):
        if not _is_plain(value := getattr(ctx, name)):
            call = f"ctx.save_for_backward({', '.join(saves)}) is all that it keeps besides numbers"
            raise Mismatch(f"{what}: ctx.{name} holds {_article(type(value).__name__)}: {call}")
    for name in sorted(set(vars(result)) - set(vars(tinytorch.Tensor(0.0)))):
        says = "what backward needs goes on the ctx"
        raise Mismatch(f"{what}: the result has a new attribute, {name}: {says}")


def _is_plain(value):
    """A number, a shape, a word, or some of these: nothing that keeps an array alive."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return all(map(_is_plain, value))
    plain = (int, float, complex, str, slice, type, np.generic, np.dtype)
    return value is None or value is Ellipsis or isinstance(value, plain)


def _article(kind):
    return f"an {kind}" if kind == "ndarray" else f"a {kind}"


def expect_new(result, what, **given):
    """A result is none of the Tensors that were given, and has an array of its own.

    Raises Mismatch.
    """
    for name, tensor in given.items():
        fail_if(result is tensor, f"{what} is {name} itself: forward returns a new Tensor")
        shares = np.shares_memory(data_of(result), data_of(tensor))
        fail_if(shares, f"{what} shares its memory with {name}: forward makes a new array")


def expect_no_trace(call, what, *classes):
    """A call of an operation leaves nothing behind in the module or on a class: ctx is the place.

    `classes` are others than those of the module. Raises Mismatch.
    """
    import tinytorch

    if not hasattr(tinytorch, "Context"):
        return  # the library's switches and caches have tests of their own
    kinds = [value for value in vars(tinytorch).values() if isinstance(value, type)]
    before = _held([tinytorch, *kinds, *classes])
    call()
    after = _held([tinytorch, *kinds, *classes])
    for place in sorted(before.keys() | after.keys()):
        if before.get(place) != after.get(place):
            because = "only the ctx of a call remembers it"
            raise Mismatch(f"{what} leaves something behind in {place}: {because}")


def _held(holders):
    """{where: which thing} for each name of a class or module, with the parts of a container."""
    names = [(kind.__name__, *item) for kind in holders for item in vars(kind).items()]
    return {
        f"{kind}.{name}": (id(value), *map(id, _parts(value)))
        for kind, name, value in names
        if not name.startswith("__")
    }


def _parts(value):
    if isinstance(value, dict):
        return [*value, *value.values()]
    return value if isinstance(value, (list, set, WeakSet)) else ()


def expect_function(
    what,
    function,
    reference,
    *given,
    gradients=None,
    tolerances=SLOPE_TOLERANCES,
    names=("x", "y", "z"),
    slips=(),
):
    """Any function of Tensors: the value and dtype of `reference`, and by backward() its slopes.

    These are found by nudging one number at a time, which takes a while, or by `gradients`: it
    takes the upstream gradient and the arrays, and gives an array for each. `tolerances` are those
    of the gradients; where `gradients` is a formula, no digit need be lost. `names` are those of
    the Tensors, and it's these whose gradients are compared; `slips` are for the value and for
    what is raised. From chapter 3 on. The numbers in
    `given` should be finite. Raises Mismatch.
    """
    tensors = [leaf_like(array) for array in given]
    said = f"{what} for {_kind(given)}"
    want = np.asarray(reference(*given))
    with calling(said, slips=slips):
        result = function(*tensors)
    expect_array(result, want, said, slips=slips)
    sent = upstream(want.shape, want.dtype)
    with calling(f"backward() on {said}", slips=slips):
        result.backward(sent)
    exact = [np.asarray(array, np.float64) for array in given]
    gradients = gradients or partial(_nudged_gradients, reference)
    for name, tensor, slope in zip(names, tensors, gradients(sent.data, *exact), strict=False):
        whose = f"{said}: the gradient of {name}"
        if tensor.grad is None:
            raise Mismatch(f"{whose} is None, expected a Tensor{_why_none(result, tensor)}")
        expect_array(tensor.grad, slope.astype(want.dtype), whose, tolerances)


def _why_none(result, tensor):
    """Why a Tensor got no gradient, where the history of the result shows it."""
    if result.grad_fn is None:
        return ": the result has no history"
    if not hasattr(result.grad_fn, "inputs"):
        return ""  # the library keeps notes of another kind
    leads = any(other is tensor for other in way_back(result))
    return ": a backward sent None" if leads else ": no history leads from the result to it"


def _nudged_gradients(f, sent, *given):
    return [central_difference(f, given, i, sent) for i in range(len(given))]


def expect_array(got, want, what, tolerances=TOLERANCES, *, slips=()):
    """A Tensor of the dtype, the shape and the numbers of an array. Raises Mismatch."""
    import tinytorch

    want = np.asarray(want)
    if not isinstance(got, tinytorch.Tensor):
        kind = "" if got is None else f"{type(got).__name__} "
        raise Mismatch(f"{what} is {kind}{got!r}, expected a Tensor")
    data = data_of(got)
    if isinstance(data, np.generic):
        because = "NumPy makes a number of a 0-d array: Tensor(...) makes an array of it"
        raise Mismatch(f"{what}: its data is a {type(data).__name__}, not an array: {because}")
    if np.shape(data) == want.shape:  # else that comes first
        expect(got.dtype, want.dtype, f"the dtype of {what}", slips=slips)
    rtol, atol = tolerances[want.dtype.name]
    expect(got, want, what, slips=slips, rtol=rtol, atol=atol)


def leaf_like(array):
    """A Tensor that is to be differentiated, with a copy of these numbers, laid out as they are."""
    return leaf(array, array.dtype)


def expect_ending(call, kind, what):
    """A call ends with an exception of exactly this kind; None: it returns. Gives the exception.

    One that the graded file has derived from it is of this kind, too. Every kind counts,
    KeyboardInterrupt too; that of a blank passes through. Raises Mismatch.
    """
    try:
        call()
    except BaseException as raised:
        if blank_behind(raised):
            raise
        if type(raised) is kind or (kind and _is_its_own(type(raised), kind)):
            return raised
        text = f"{what} raised {name_and_text(raised)}"
        wanted = f", expected {kind.__name__}" if kind else ", expected no error"
        raise Mismatch(text + wanted) from raised
    if kind is not None:
        raise Mismatch(f"{what} raised no error, expected {kind.__name__}")


def _is_its_own(raised, kind):
    """Has the graded file made this class of exceptions, of this kind?"""
    home = raised.__module__ or ""
    return issubclass(raised, kind) and home.partition(".")[0] == "tinytorch"


@contextmanager
def recording_is(flag):
    """Run lines with the module's `recording` switched on or off."""
    import tinytorch

    before, tinytorch.recording = tinytorch.recording, flag
    try:
        yield
    finally:
        tinytorch.recording = before


def _is_finite(array):
    return np.isfinite(array).all()


def _kind(given):
    """ "a float64 number", "float64 arrays of shape (2, 3) and (3,)": what was given, in words."""
    shapes, one = [a.shape for a in given], len(given) == 1
    things = "array" if any(shapes) else "number"
    said = f"a {given[0].dtype} {things}" if one else f"{given[0].dtype} {things}s"
    return f"{said} of shape {' and '.join(map(str, shapes))}" if any(shapes) else said


def _result(operation, reference, names, given, tensors, what):
    """What the operation gives, which has the value of the reference."""
    said = f"{what} for {_kind(given)}"
    with calling(said):
        result = operation(*tensors)
    want = np.asarray(reference(*given))
    _expect_elements(result, want, given, names, what, said, TOLERANCES)
    return result


def _expect_at_filled(operation, reference, names, given, what):
    """The value, the gradients and a new array, whatever number it is that fills the inputs."""
    tensors = list(map(leaf_like, given))
    result = _result(operation, reference, names, given, tensors, what)
    at = ", ".join(f"{name} = {show(array)}" for name, array in zip(names, given, strict=False))
    expect_new(result, f"{what} at {at}", **dict(zip(names, tensors, strict=False)))
    sent, _ = _expect_slopes(result, reference, names, given, tensors, what, "")
    if hasattr(result.grad_fn, "inputs"):  # the library keeps notes of another kind
        said = f"{what} at {at}"
        grads = expect_made_of_what_is_sent(result, tensors, leaf_like(sent.data), said)
        others = [leaf_like(numbers((), seed=seed)) for seed, _ in enumerate(given)]
        other = operation(*others)
        others_grads = local_gradients(other, others, leaf_like(sent.data), said)
        _expect_reached(grads, _reached(others_grads, others, other), tensors, result, said)


def _expect_slopes(result, reference, names, given, tensors, what, because):
    """What was sent, and the gradients: they are those of the reference."""
    said = f"{what} for {_kind(given)}"
    sent = upstream(result.shape, result.dtype)
    with calling(f"the backward of {said}"):
        grads = local_gradients(result, tensors, sent, said)
    for i, (name, grad) in enumerate(zip(names, grads, strict=False)):
        slope, judged = _slopes(reference, given, i)
        wanted = np.where(judged, slope * sent.data, getattr(grad, "data", 0)).astype(result.dtype)
        texts = f"{what}: the gradient of {name}", f"{said}: the gradient of {name}"
        _expect_elements(grad, wanted, given, names, *texts, SLOPE_TOLERANCES, because)
    return sent, grads


def _expect_gradients(result, operation, reference, names, saves, given, tensors, what, because):
    said = f"{what} for {_kind(given)}"
    sent, grads = _expect_slopes(result, reference, names, given, tensors, what, because)
    expect_notes(result, tensors, sent, grads, said, saves)
    _expect_proportional(result, tensors, sent, grads, said, names)
    if result.data.size and result.dtype == np.float64 and all(map(_is_finite, given)):
        letters = "z" if saves == "z" else names
        expect_gradients_with_history(operation, tensors, said, letters)
        if saves == "z" and hasattr(result.grad_fn, "inputs"):
            is_read = any(tensor is result for tensor in way_back(grads[0]))
            fail_if(not is_read, f"{said}: its gradient isn't made of z, which ctx has saved")
    _expect_none_for_the_rest(result, sent, said)


def _expect_elements(got, want, given, names, what, said, tolerances, because=""):
    """As expect_array, but the first wrong element is named by the numbers that it came from.

    And what is 0 is exactly 0.
    """
    import tinytorch

    rtol, atol = tolerances[want.dtype.name]
    data = getattr(got, "data", None)
    if isinstance(data, np.ndarray) and data.shape == want.shape and data.dtype == want.dtype:
        wrong = ~np.isclose(data, want, rtol, atol, equal_nan=True) | ((want == 0) & (data != 0))
        for index in np.argwhere(wrong)[:1]:
            at = [f"{n} = {show(a[tuple(index)])}" for n, a in zip(names, given, strict=False)]
            text = f"{what} at {', '.join(at)}{_layout(names, given)}"
            expect(data[tuple(index)], want[tuple(index)], text, because=because, atol=0, rtol=rtol)
        if isinstance(got, tinytorch.Tensor) and not wrong.any():
            return
    expect_array(got, want, said, tolerances)


def _layout(names, given):
    """Words for arrays whose rows don't lie in memory one after the other."""
    turned = [n for n, a in zip(names, given, strict=False) if not a.flags.c_contiguous]
    return f" ({' and '.join(turned)} turned on the side, as by .T)" if turned else ""


def _expect_proportional(result, tensors, sent, grads, said, names):
    """A tiny part of the upstream gradient gives that part: no digit of float64 is lost."""
    if sent.data.dtype != np.float64 or not hasattr(result.grad_fn, "inputs"):
        return  # float32 would take it for 0; of the library's grad() there is only one
    less = local_gradients(result, tensors, tensor_of(sent.data * TINY), said)
    for name, grad, part in zip(names, grads, less, strict=False):
        what = f"{said}, given {TINY:.1e} times as much: the gradient of {name}"
        expect(part.data / TINY, grad.data, f"{what}, times {1 / TINY:.1e}", rtol=1e-9)


def _expect_none_for_the_rest(result, sent, said):
    import tinytorch

    ctx = result.grad_fn
    if not hasattr(ctx, "inputs"):
        return  # the library's
    grads = ctx.backward(sent)
    for i, (x, grad) in enumerate(zip(ctx.inputs, grads, strict=False)):
        if not isinstance(x, tinytorch.Tensor) and grad is not None:
            raise Mismatch(
                f"{said}: input {i} is no Tensor: its gradient = {grad!r}, expected None"
            )


def _slopes(f, given, i, eps=1e-6):
    """Slopes by nudging all elements of one array, and where they can be relied on.

    Not at a corner, where left and right differ, and not where anything is infinite or NaN.
    """
    exact = [np.asarray(array, np.float64) for array in given]
    ends = [[a + step if k == i else a for k, a in enumerate(exact)] for step in (-eps, 0, eps)]
    low, mid, high = (np.asarray(f(*end), np.float64) for end in ends)
    left, right = (mid - low) / eps, (high - mid) / eps
    slope = (high - low) / (ends[2][i] - ends[0][i])
    judged = np.isfinite(left) & np.isfinite(right) & np.isfinite(np.asarray(f(*given)))
    return slope, judged & (np.abs(left - right) <= 1e-4 + 1e-3 * np.abs(slope))


def slopes_of_leaves(build, eps=1e-6):
    """{leaf's name: its slopes} for a graph of course.zoo, by building it anew for each nudge."""
    import tinytorch

    def value(which, index, step):
        made = []

        def maker(data):
            data = np.array(data, np.float64)
            if len(made) == which:
                data[index] += step
            made.append(leaf(data))
            return made[-1]

        root, names = build(tinytorch, maker)
        return root, names, made

    def number(which, index, step):
        return float(np.asarray(value(which, index, step)[0].data).sum())

    _, names, made = value(-1, (), 0)
    slopes = {}
    for which, tensor in enumerate(made):
        (name,) = [name for name, other in names.items() if other is tensor] or [None]
        grad = np.zeros(tensor.data.shape)
        for index in np.ndindex(grad.shape):
            up, down = (number(which, index, step) for step in (eps, -eps))
            grad[index] = (up - down) / (2 * eps)
        slopes[name] = grad
    return slopes
