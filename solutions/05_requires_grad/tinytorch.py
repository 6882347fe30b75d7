"""tinytorch, chapter 5: gradients only for what asks for them."""

from contextlib import contextmanager

import numpy as np

# Small helpers

recording = True  # do operations remember how their results were made? no_grad() says no


def real_numbers(data):
    """A number, nested lists, an array or a Tensor as a NumPy array of whatever dtype that makes.

    It may share memory with what came. Raises TypeError for anything that isn't real numbers (text,
    None, complex numbers, dates), and ValueError for rows of unequal length.
    """
    try:
        array = np.asarray(data.data if isinstance(data, Tensor) else data)
    except ValueError:
        raise ValueError(f"rows must have equal lengths, got {data!r}") from None
    if array.dtype.kind not in "biuf":  # bool, int, unsigned int, float
        raise TypeError(f"a Tensor holds NumPy's real numbers, got {type(data).__name__} {data!r}")
    return array


def as_array(data, dtype=np.float32):
    """Copy what real_numbers takes into a new floating-point NumPy array.

    A floating-point array or Tensor keeps its dtype, and so does a floating-point NumPy number such
    as np.float64(2). All other numbers, np.int64(2) and True among them, become `dtype` without a
    detour: as_array(0.1, np.float64) must not lose digits in float32. What real_numbers refuses is
    refused here too, with the same errors.

    >>> as_array([[1, 2], [3, 4]]).dtype
    dtype('float32')
    """
    array = real_numbers(data)
    keeps_dtype = isinstance(data, (Tensor, np.ndarray, np.floating)) and array.dtype.kind == "f"
    return np.array(array, array.dtype if keeps_dtype else dtype)  # the one copy


def as_tensor(data, dtype):
    """A Tensor as it is; anything else made into one, plain numbers in `dtype`."""
    return data if isinstance(data, Tensor) else Tensor(as_array(data, dtype))


def as_shape(sizes):
    """The shape meant by both zeros(2, 3) and zeros((2, 3))."""
    return tuple(sizes[0]) if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else sizes


def require_floating(data):
    """Raise RuntimeError unless the data, as it came, is floating-point, whatever its precision.

    The data may be a number, a list, an array or a Tensor. The message names the dtype.

    >>> require_floating([1.0, 2.0])
    """
    dtype = np.asarray(data.data if isinstance(data, Tensor) else data).dtype
    if dtype.kind != "f":
        raise RuntimeError(f"only floating-point data can require gradients, got {dtype}")


def needs_grad(x):
    """Whether x is a Tensor that requires a gradient; an exponent or an axis never does.

    >>> needs_grad(Tensor(2.0, requires_grad=True)), needs_grad(Tensor(2.0)), needs_grad(3)
    (True, False, False)
    """
    return isinstance(x, Tensor) and x.requires_grad


@contextmanager
def no_grad():
    """Record nothing inside `with no_grad():`, or in a function under `@no_grad()`.

    Afterwards `recording` is what it was before, however the scope ends: an exception, even
    Ctrl-C, passes through. No tensor is changed.

    >>> x = Tensor(2.0, requires_grad=True)
    >>> with no_grad():
    ...     y = x * x
    >>> y.requires_grad
    False
    """
    global recording
    before, recording = recording, False
    try:
        yield
    finally:
        recording = before  # also after an exception, and not simply True: scopes nest


def operands(x, other):
    """Both sides of an elementwise operator, checked to broadcast."""
    other = as_tensor(other, x.dtype)
    if x.shape != other.shape:
        broadcast_shape(x.shape, other.shape)
    return x, other


def broadcast_shape(a, b):
    """The shape that comes out when arrays of shapes a and b meet in an elementwise operation.

    The axes are compared from the last one on. Two sizes fit if they are equal or if one of them
    is 1, which then takes the other size, even if that's 0. The result is a tuple of plain ints.
    If they don't fit, it raises RuntimeError with both shapes in its message, as Python writes
    them: (4, 3) and (4,).

    >>> broadcast_shape((4, 1), (3,))
    (4, 3)
    """
    ndim = max(len(a), len(b))
    padded_a = (1,) * (ndim - len(a)) + tuple(a)
    padded_b = (1,) * (ndim - len(b)) + tuple(b)
    for m, n in zip(padded_a, padded_b, strict=True):
        if m != n and 1 not in (m, n):
            raise RuntimeError(f"shapes {tuple(a)} and {tuple(b)} do not broadcast: {m} meets {n}")
    return tuple(n if m == 1 else m for m, n in zip(padded_a, padded_b, strict=True))


def unbroadcast(grad, shape):
    """Sum grad over every axis along which a tensor of `shape` was copied; the result has `shape`.

    It's a new Tensor of the same dtype, even where nothing was copied: no two tensors should share
    one gradient. It's made by Tensor operations, and so has a history, as grad has. A tensor that
    was copied zero times gets zeros.

    >>> unbroadcast(ones(4, 3), (3,))
    tensor([4., 4., 4.])
    >>> unbroadcast(ones(4, 3), (4, 1)).shape
    (4, 1)
    """
    new = len(grad.shape) - len(shape)  # axes that broadcasting put in front
    stretched = [new + i for i, size in enumerate(shape) if size == 1]
    return grad.sum(axis=(*range(new), *stretched)).reshape(shape)


# The tensor


class Tensor:
    """A floating-point array of any shape, with arithmetic.

    It holds a copy of the data. `x == y` asks whether both are the same Tensor; to compare their
    numbers, compare x.data and y.data.

    >>> Tensor([1, 2]) + 10
    tensor([11., 12.])
    """

    __array_ufunc__ = None  # so that array * tensor asks Tensor.__rmul__, not NumPy

    def __init__(self, data, requires_grad=False):
        self.data = as_array(data)
        if requires_grad:
            require_floating(data)
        self.requires_grad, self.grad, self.grad_fn = requires_grad, None, None

    @property
    def shape(self):
        return self.data.shape

    @property
    def dtype(self):
        return self.data.dtype

    @property
    def is_leaf(self):
        """Whether no recorded operation made this tensor, whatever it requires or has received.

        >>> x = Tensor(2.0, requires_grad=True)
        >>> x.is_leaf, (x * x).is_leaf
        (True, False)
        """
        return self.grad_fn is None

    def detach(self):
        """A new leaf that shares this tensor's array and requires no gradient.

        No number is copied, not even on the way. The new leaf has no .grad of its own, and this
        tensor stays as it is.

        >>> x = Tensor(2.0, requires_grad=True)
        >>> (x * x).detach()
        tensor(4.)
        """
        alias = Tensor(0)  # any number: its array is exchanged
        alias.data = self.data
        return alias

    def __repr__(self):
        """tensor(…), with the numbers as np.array2string lays them out.

        At most four decimals, ", " between numbers, rows lined up: np.array2string has an argument
        for each. Leave its others alone, so that np.set_printoptions still has its say. The dtype
        comes last, unless it's float32.

        >>> Tensor([[1, 2], [3, 40]])
        tensor([[ 1.,  2.],
                [ 3., 40.]])
        >>> Tensor(np.array([1.0, 2.5]))
        tensor([1. , 2.5], dtype=float64)
        """
        numbers = np.array2string(self.data, precision=4, separator=", ", prefix="tensor(")
        suffix = "" if self.dtype == np.float32 else f", dtype={self.dtype}"
        return f"tensor({numbers}{suffix}{', requires_grad=True' if self.requires_grad else ''})"

    def item(self):
        """The one element as a Python float, whatever the shape.

        Raises RuntimeError, with the shape in its message, if there are more elements or none.

        >>> Tensor([[2.5]]).item()
        2.5
        """
        if self.data.size != 1:
            raise RuntimeError(f"item() needs exactly one element, got shape {self.shape}")
        return float(self.data.reshape(()))

    def __neg__(self):
        return Neg.apply(self)

    def __add__(self, other):
        return Add.apply(*operands(self, other))

    __radd__ = __add__

    def __mul__(self, other):
        return Mul.apply(*operands(self, other))

    __rmul__ = __mul__

    def __sub__(self, other):
        return self + Neg.apply(as_tensor(other, self.dtype))

    def __rsub__(self, other):
        return -self + other

    def __truediv__(self, other):
        return Div.apply(*operands(self, other))

    def __rtruediv__(self, other):
        return as_tensor(other, self.dtype) / self

    def __pow__(self, exponent):
        return Pow.apply(self, exponent)

    def __rpow__(self, base):
        return (self * float(np.log(base))).exp()  # base ** x = e ** (x log base)

    def __matmul__(self, other):
        other = as_tensor(other, self.dtype)
        a, b = self.shape, other.shape
        if min(len(a), len(b)) < 2 or a[-1] != b[-2]:
            raise RuntimeError(f"@ needs (..., N, K) @ (..., K, M), got {a} @ {b}: reshape vectors")
        return MatMul.apply(self, other)

    @property
    def T(self):
        return Transpose.apply(self)

    @property
    def mT(self):
        return MatrixTranspose.apply(self)

    def exp(self):
        return Exp.apply(self)

    def log(self):
        return Log.apply(self)

    def tanh(self):
        return Tanh.apply(self)

    def relu(self):
        return ReLU.apply(self)

    def reshape(self, *sizes):
        return Reshape.apply(self, as_shape(sizes))

    def sum(self, axis=None, keepdims=False):
        return Sum.apply(self, axis, keepdims)

    def mean(self, axis=None, keepdims=False):
        """The mean over all elements, one axis, or a tuple of axes; axis and keepdims as in sum.

        x has at least one element.

        >>> Tensor([[1, 2], [3, 6]]).mean(axis=1)
        tensor([1.5, 4.5])
        """
        total = self.sum(axis, keepdims)
        return total * (total.data.size / self.data.size)

    def backward(self, gradient=None, retain_graph=False):
        """For each leaf that asks, add to its .grad how fast this tensor moves with the leaf.

        `gradient` is the gradient of this tensor itself; without it, this tensor must have exactly
        one element. The pass isn't recorded. Each ctx is freed as soon as it has been used, before
        the pass goes on, unless retain_graph is True. RuntimeError, which names requires_grad, if
        this tensor requires none, and where an operation's backward gives what fitting() refuses.

        >>> x = Tensor(3.0, requires_grad=True)
        >>> y = x * x + x
        >>> y.backward()
        >>> x.grad
        tensor(7.)
        """
        if not self.requires_grad:
            raise RuntimeError("backward() found no tensor with requires_grad=True behind this one")
        grads = {self: head_gradient(self, gradient)}
        with no_grad():
            for tensor in reversed(topological_order(self)):
                grad = grads.pop(tensor)  # complete: all that use this tensor came before it
                if tensor.is_leaf:
                    accumulate(tensor, grad)
                else:
                    propagate(tensor.grad_fn, grad, grads)
                    if not retain_graph:
                        tensor.grad_fn.free()


# The parts of Tensor.backward


def topological_order(root):
    """All tensors behind root that require a gradient, and root: inputs before results, each once.

    Works with a list instead of recursion, so that a chain of any length is in order.

    >>> x = Tensor(3.0, requires_grad=True)
    >>> [tensor.item() for tensor in topological_order(x * x + 1)]
    [3.0, 9.0, 10.0]
    """
    order, seen, stack = [], set(), [(root, False)]
    while stack:
        tensor, inputs_done = stack.pop()
        if inputs_done:
            order.append(tensor)
        elif tensor not in seen:
            seen.add(tensor)
            stack.append((tensor, True))  # comes back after its inputs
            inputs = tensor.grad_fn.inputs if tensor.grad_fn is not None else ()
            stack.extend((x, False) for x in inputs if needs_grad(x))
    return order


def head_gradient(tensor, gradient):
    """The gradient that a backward pass starts from, as a Tensor of the shape of `tensor`.

    Without a gradient it is 1, in the dtype of `tensor`, which must have exactly one element: shape
    (), (1,) or (1, 1, 1), say. A given gradient may be a Tensor, which comes back as it is, or an
    array or plain numbers; numbers take the dtype of `tensor`, while floats in an array keep
    theirs. It must have the shape of `tensor`. Otherwise RuntimeError that shows both, as (3,).

    >>> head_gradient(Tensor(5), None)
    tensor(1.)
    """
    if gradient is None:
        if tensor.data.size != 1:
            raise RuntimeError(f"backward() on shape {tensor.shape}: .sum() it or pass gradient=")
        return Tensor(np.ones_like(tensor.data))
    gradient = as_tensor(gradient, tensor.dtype)
    if gradient.shape != tensor.shape:
        raise RuntimeError(f"gradient= must have shape {tensor.shape}, got {gradient.shape}")
    return gradient


def propagate(ctx, grad, grads):
    """Run ctx.backward once; add what each input gets to `grads`, a dict from Tensor to gradient.

    Inputs that require no gradient receive nothing, and backward may give None for them. Nothing
    else changes: no .grad, no other entry, and no Tensor that is in `grads` already; a sum is the
    new one that + makes.

    >>> x, grads = Tensor(3.0, requires_grad=True), {}
    >>> ctx = (x * x).grad_fn
    >>> with no_grad():
    ...     propagate(ctx, Tensor(1), grads)
    >>> grads[x]
    tensor(6.)
    """
    for x, grad_x in fitting(ctx, ctx.backward(grad)):
        grads[x] = grads[x] + grad_x if x in grads else grad_x


def fitting(ctx, grads):
    """The inputs that require a gradient, each with its own; RuntimeError where one doesn't fit."""
    name, inputs = ctx.function.__name__, ctx.inputs
    if len(grads) != len(inputs):
        raise RuntimeError(f"{name}.backward gave {len(grads)} gradients for {len(inputs)} inputs")
    pairs = [(x, grad_x) for x, grad_x in zip(inputs, grads, strict=True) if needs_grad(x)]
    for x, grad_x in pairs:
        if not isinstance(grad_x, Tensor) or grad_x.shape != x.shape:
            came = f"{type(grad_x).__name__} of shape {np.shape(grad_x)}"
            raise RuntimeError(f"{name}.backward gave {came}, expected Tensor of shape {x.shape}")
    return pairs


def accumulate(tensor, grad):
    """Add grad to tensor.grad: the first Tensor is kept itself, a sum is the new one that + makes.

    >>> x = Tensor(3)
    >>> accumulate(x, Tensor(1)); accumulate(x, Tensor(4))
    >>> x.grad
    tensor(5.)
    """
    tensor.grad = grad if tensor.grad is None else tensor.grad + grad  # a new array: no +=


def zero_grad(tensors):
    """Set .grad of each of these tensors to None, so that the next backward starts afresh.

    They come in anything that a for loop takes, such as a list or the values of a dict. The
    gradients that were there stay as they are: somebody else may hold them.

    >>> x = Tensor(3.0, requires_grad=True)
    >>> (x * x).backward()
    >>> zero_grad([x])
    >>> x.grad is None
    True
    """
    for tensor in tensors:
        tensor.grad = None


# What a result remembers


class Context:
    """What one call of a Function remembers: which Function, its inputs, and what it saved."""

    def __init__(self, function, inputs):
        self.function, self.inputs, self._saved = function, inputs, ()

    def save_for_backward(self, *tensors):
        """Keep these very Tensors, in place of any saved before.

        If any of them isn't an instance of Tensor, TypeError: then what was saved before stays.

        >>> ctx = Context(Mul, ())
        >>> ctx.save_for_backward(Tensor(2), Tensor(3))
        >>> ctx.saved_tensors
        (tensor(2.), tensor(3.))
        """
        for tensor in tensors:
            if not isinstance(tensor, Tensor):
                raise TypeError(f"only Tensors can be saved, got {tensor!r}; use ctx.name = value")
        self._saved = tensors

    def free(self):
        """Let go of the inputs, an empty tuple then, and of what was saved. Twice is fine.

        How a ctx knows later that it was freed is up to you.

        >>> ctx = (Tensor(2.0, requires_grad=True) * 3).grad_fn
        >>> ctx.free()
        >>> ctx.inputs
        ()
        """
        self.inputs, self._saved = (), None

    @property
    def saved_tensors(self):
        """The tuple of Tensors that forward saved, in the same order; empty if it saved none.

        That holds until free(). What's here afterwards is up to free(), and nobody asks.
        """
        return self._saved

    def backward(self, grad_z):
        """What the Function's backward gives, as it is, always as a tuple: one for each input.

        It answers as often as asked, and each time runs that backward once, until free() was
        called: then RuntimeError, whose message says retain_graph=True. Only free() frees: a
        Context made by hand may have neither inputs nor saved tensors, and still answers, and an
        error of that backward comes out as it is and frees nothing.

        >>> ctx = (Tensor(2.0, requires_grad=True) * Tensor(3.0)).grad_fn
        >>> ctx.backward(Tensor(1.0))[0].item()
        3.0
        """
        if self._saved is None:
            raise RuntimeError("this graph was freed by backward(); use retain_graph=True there")
        grads = self.function.backward(self, grad_z)
        return grads if isinstance(grads, tuple) else (grads,)


class Function:
    """An operation: forward computes the result, backward the gradients of the inputs.

    forward returns a new Tensor and may keep on ctx what backward needs: Tensors by
    save_for_backward only, numbers under a name of their own. backward returns one gradient for
    each input, in the same order, and None for an input that isn't a Tensor. backward is written
    with Tensors and their operators, so that gradients get notes too. The dtype stays: float32 in,
    float32 out, both ways. Where forward gets both float32 and float64, it gives float64, as NumPy
    does; you needn't handle other dtypes, such as float16.
    """

    @classmethod
    def apply(cls, *inputs):
        """Run forward; the result remembers its ctx only where an input requires a gradient.

        Such a result requires a gradient too, and its grad_fn is the ctx, which holds all inputs
        as they came, constants as well. Where no input does, or while `recording` is False, apply
        sets neither: requires_grad and grad_fn stay as forward left them. Nothing else changes: not
        on the result, not on the ctx, and not on the inputs.

        >>> x, c = Tensor(2.0, requires_grad=True), Tensor(3.0)
        >>> Mul.apply(x, c).grad_fn is None, Mul.apply(c, c).grad_fn is None
        (False, True)
        """
        ctx = Context(cls, inputs)
        result = cls.forward(ctx, *inputs)
        if recording and any(needs_grad(x) for x in inputs):
            result.requires_grad, result.grad_fn = True, ctx
        return result


# The operations


class Neg(Function):
    """z = -x."""

    @staticmethod
    def forward(ctx, x):
        return Tensor(-x.data)

    @staticmethod
    def backward(ctx, grad_z):
        return -grad_z


class Add(Function):
    """z = x + y."""

    @staticmethod
    def forward(ctx, x, y):
        ctx.shapes = x.shape, y.shape
        return Tensor(x.data + y.data)

    @staticmethod
    def backward(ctx, grad_z):
        x_shape, y_shape = ctx.shapes
        return unbroadcast(grad_z, x_shape), unbroadcast(grad_z, y_shape)


class Mul(Function):
    """z = x * y, elementwise, with broadcasting; saves x and y."""

    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return Tensor(x.data * y.data)

    @staticmethod
    def backward(ctx, grad_z):
        x, y = ctx.saved_tensors
        return unbroadcast(grad_z * y, x.shape), unbroadcast(grad_z * x, y.shape)


class Div(Function):
    """z = x / y, elementwise, with broadcasting; saves x and y.

    Division by zero gives what NumPy gives. For y², write y * y: Pow is still to come.
    """

    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return Tensor(x.data / y.data)

    @staticmethod
    def backward(ctx, grad_z):
        x, y = ctx.saved_tensors
        grad_x, grad_y = grad_z / y, -grad_z * x / (y * y)
        return unbroadcast(grad_x, x.shape), unbroadcast(grad_y, y.shape)


class Pow(Function):
    """z = x ** exponent, the exponent a plain number, whole or not; saves x.

    The exponent isn't a Tensor: it's kept as ctx.exponent, and its gradient is None.
    """

    @staticmethod
    def forward(ctx, x, exponent):
        ctx.save_for_backward(x)
        ctx.exponent = exponent
        return Tensor(x.data**exponent)

    @staticmethod
    def backward(ctx, grad_z):
        (x,) = ctx.saved_tensors
        return grad_z * ctx.exponent * x ** (ctx.exponent - 1), None


class Exp(Function):
    """z = e ** x; saves z, the very Tensor that forward returns."""

    @staticmethod
    def forward(ctx, x):
        z = Tensor(np.exp(x.data))
        ctx.save_for_backward(z)  # exp is its own derivative
        return z

    @staticmethod
    def backward(ctx, grad_z):
        (z,) = ctx.saved_tensors
        return grad_z * z


class Log(Function):
    """z = log(x), the natural logarithm; saves x."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return Tensor(np.log(x.data))

    @staticmethod
    def backward(ctx, grad_z):
        (x,) = ctx.saved_tensors
        return grad_z / x


class Tanh(Function):
    """z = tanh(x); saves z, the very Tensor that forward returns."""

    @staticmethod
    def forward(ctx, x):
        z = Tensor(np.tanh(x.data))
        ctx.save_for_backward(z)
        return z

    @staticmethod
    def backward(ctx, grad_z):
        (z,) = ctx.saved_tensors
        return grad_z * (1 - z * z)


class ReLU(Function):
    """z = x where x > 0, else 0, and the slope is 1 where x > 0, else 0; saves x.

    Infinities count: relu of -inf is 0. You needn't handle NaN.
    """

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return Tensor(np.maximum(x.data, 0))

    @staticmethod
    def backward(ctx, grad_z):
        (x,) = ctx.saved_tensors
        return grad_z * Tensor(x.data > 0)


class MatMul(Function):
    """z = x @ y: (..., N, K) @ (..., K, M) -> (..., N, M); saves x and y."""

    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return Tensor(x.data @ y.data)

    @staticmethod
    def backward(ctx, grad_z):
        x, y = ctx.saved_tensors
        grad_x = grad_z @ y.mT  # (..., N, M) @ (..., M, K) -> (..., N, K)
        grad_y = x.mT @ grad_z  # (..., K, N) @ (..., N, M) -> (..., K, M)
        return unbroadcast(grad_x, x.shape), unbroadcast(grad_y, y.shape)


class Transpose(Function):
    """z = x.T, x with its axes in reverse order: (N, M) -> (M, N)."""

    @staticmethod
    def forward(ctx, x):
        return Tensor(x.data.T)

    @staticmethod
    def backward(ctx, grad_z):
        return grad_z.T


class MatrixTranspose(Function):
    """z = x.mT, each matrix of x transposed: (..., N, M) -> (..., M, N)."""

    @staticmethod
    def forward(ctx, x):
        return Tensor(x.data.swapaxes(-1, -2))

    @staticmethod
    def backward(ctx, grad_z):
        return grad_z.mT


class Sum(Function):
    """z = the sum of x over all axes (None), one axis, or a tuple of axes.

    Negative axes count from the end; an empty tuple sums nothing; an axis that x doesn't have is
    an error. With keepdims the summed axes stay, with length 1: (4, 3) -> (4, 1). Without it they
    go, and no others.
    backward is made of Tensor operations, as always, and gives a new Tensor, even where nothing was
    summed. All it needs to know of x is its shape.

    >>> Tensor([[1, 2], [3, 4]]).sum(axis=1)
    tensor([3., 7.])
    """

    @staticmethod
    def forward(ctx, x, axis, keepdims):
        total = x.data.sum(axis=axis, keepdims=True)
        ctx.shape, ctx.kept_shape = x.shape, total.shape
        return Tensor(total if keepdims else total.squeeze(axis))

    @staticmethod
    def backward(ctx, grad_z):
        # summed over axis 1: (4,) -> (4, 1) -> (4, 3)
        return grad_z.reshape(ctx.kept_shape) * ones(ctx.shape), None, None


class Reshape(Function):
    """z = the elements of x, in order, in another shape."""

    @staticmethod
    def forward(ctx, x, shape):
        ctx.shape = x.shape
        return Tensor(x.data.reshape(shape))

    @staticmethod
    def backward(ctx, grad_z):
        return grad_z.reshape(ctx.shape), None


# Makers


def zeros(*sizes):
    """A float32 tensor of zeros: zeros(2, 3) or zeros((2, 3))."""
    return Tensor(np.zeros(as_shape(sizes), dtype=np.float32))


def ones(*sizes):
    """A float32 tensor of ones: ones(2, 3) or ones((2, 3)).

    >>> ones(2)
    tensor([1., 1.])
    """
    return Tensor(np.ones(as_shape(sizes), dtype=np.float32))


def arange(start, stop=None, step=1):
    """The numbers start, start + step, start + 2 * step, … on the way to stop, as float32.

    With one number, as in arange(3) or arange(6, step=2), that's the stop, and start is 0. All
    are Python's numbers; the step may be a fraction, or negative to count down, but not 0.

    How many? (stop - start) / step, rounded up, or none if that's negative. So stop isn't among
    them, unless that quotient comes out a hair too large, as in arange(1, 1.3, 0.1). Don't add up:
    no number may inherit the rounding error of the one before. All of it is worked out in float64,
    and becomes float32 at the very end.

    >>> arange(3)
    tensor([0., 1., 2.])
    """
    start, stop, step = map(float, (0, start, step) if stop is None else (start, stop, step))
    count = np.ceil((stop - start) / step)  # if it's negative, np.arange(count) is empty
    return Tensor((start + step * np.arange(count)).astype(np.float32))


def randn(*sizes, generator=None):
    """Standard normal float32 numbers: randn(2, 3) or randn((2, 3)).

    They're the numbers that the NumPy Generator you pass in draws next. Without one they come from
    a new np.random.default_rng(), which has no seed: other numbers on each call and each run.

    >>> bool((randn(3, generator=np.random.default_rng(0)).data
    ...       == randn(3, generator=np.random.default_rng(0)).data).all())
    True
    """
    generator = np.random.default_rng() if generator is None else generator
    return Tensor(generator.standard_normal(as_shape(sizes), dtype=np.float32))


# Slopes by nudging


def central_difference(f, x, index, eps):
    """The slope of f for the one element x.data[index]: a Python float, as eps is.

    f takes the Tensor x and returns a Tensor with one element, which may be x itself, or the same
    one each time. It's called twice, with that element nudged up and down by eps, in the very array
    x.data: f needn't use what it's handed. lambda _: (x * x).sum() looks at x, and another f may
    have kept the array. The difference is divided by 2 * eps, even if x's dtype rounds the nudge.

    index is what NumPy takes for one element: a tuple such as (0, 1), (0, -1) or (), or a whole
    number if x has one axis. Afterwards x.data[index] has exactly the value that it had.

    >>> central_difference(lambda x: x * x, Tensor(np.array(3.0)), (), eps=0.5)
    6.0
    """
    value = x.data[index]
    x.data[index] = value + eps
    up = f(x).item()
    x.data[index] = value - eps
    down = f(x).item()
    x.data[index] = value  # undo the nudge: the next one starts from the same x
    return (up - down) / (2 * eps)


def numerical_gradient(f, x, eps=1e-6):
    """The gradient of f: a float64 Tensor of the shape of x, with one slope for each element of x.

    Each slope is a central difference: two calls of f, which is what central_difference takes.
    While f runs, x.data is a float64 copy, whatever dtype x has. Afterwards x.data is the very
    array that it was, its numbers never touched, even if f raises an exception or you press Ctrl-C.

    >>> numerical_gradient(lambda x: (x * x).sum(), Tensor([1, 3]))
    tensor([2., 6.], dtype=float64)
    """
    original = x.data
    x.data = original.astype(np.float64)
    try:
        slopes = [central_difference(f, x, index, eps) for index in np.ndindex(x.shape)]
    finally:
        x.data = original
    return Tensor(np.array(slopes).reshape(x.shape))


def gradcheck(f, inputs, eps=1e-6, atol=1e-5, rtol=1e-3):
    """Compare the gradients of backward() with those of numerical_gradient: True, or RuntimeError.

    f takes the inputs, float64 Tensors already, and returns a Tensor of any shape. Its elements are
    weighted with random numbers, so that no two of them can be mixed up unseen; these come from a
    generator of their own, with a fixed seed. For each input, the two must agree in shape, and in
    value by np.allclose(got, want, rtol, atol) on their arrays; NaN never agrees. An input that
    received none counts as zeros, and gradients from earlier passes don't count. The error shows
    both gradients. One Tensor may be given twice. numerical_gradient gets eps as it is; it also
    gives the inputs their numbers back if f fails.

    >>> gradcheck(lambda x: x * x, [Tensor(np.array([1.0, 2.0]), requires_grad=True)])
    True
    """
    weights = Tensor(np.random.default_rng(0).standard_normal(f(*inputs).shape))
    zero_grad(inputs)
    (f(*inputs) * weights).sum().backward()
    for i, x in enumerate(inputs):
        want = numerical_gradient(lambda _: (f(*inputs) * weights).sum(), x, eps).data
        got = np.zeros(x.shape) if x.grad is None else x.grad.data
        if got.shape != want.shape or not np.allclose(got, want, rtol, atol):
            raise RuntimeError(f"gradient of input {i}: backward() gave {got}, nudging {want}")
    return True


# Losses


def log_softmax(x):
    """The logarithms of softmax over the last axis: (..., C) -> (..., C).

    Scores may have any size: no exp overflows, and log(0) is never taken. Nor is a large number
    added to a logarithm, which would be rounded away beside it. x is not changed, not even for a
    moment.

    >>> log_softmax(Tensor([[0, 1000]]))
    tensor([[-1000.,     0.]])
    """
    shifted = x - Tensor(x.data.max(axis=-1, keepdims=True))
    return shifted - shifted.exp().sum(axis=-1, keepdims=True).log()


def cross_entropy(logits, labels):
    """The mean of -log p[label] over N rows of scores: (N, C), labels (N,) from 0 to C - 1 -> ().

    >>> cross_entropy(zeros(2, 10), [3, 7])
    tensor(2.3026)
    """
    labels, last = as_array(labels), logits.shape[-1] - 1
    if labels.shape != logits.shape[:-1]:
        raise ValueError(f"labels must have shape {logits.shape[:-1]}, got {labels.shape}")
    one_hot = labels[..., None] == np.arange(last + 1)  # (N, 1) == (C,) -> (N, C)
    if not one_hot.any(axis=-1).all():
        raise ValueError(f"labels must be whole, 0 to {last}, got {labels.min()} to {labels.max()}")
    return -(log_softmax(logits) * Tensor(one_hot)).sum(axis=-1).mean()


# Training


def train(loss_of, parameters, lr, steps):
    """Gradient descent: `steps` times, move all parameters a little against their gradients.

    `loss_of` takes nothing, computes the loss from the parameters as they are now, and returns it
    as a Tensor with one element. Each step forgets the old gradients, as zero_grad does, calls
    loss_of once, and sends the gradients back. Then every parameter of the list `parameters` that
    received one gets new numbers, p - lr * p.grad, in a new array, even if it's a single number;
    one that received none stays. `lr` is a plain number. If p and its gradient have the same
    dtype, p keeps it. Each p.grad stays as the last step sent it. An error that loss_of raises is
    not caught, and neither is Ctrl-C.

    Returns the list of losses, one for each step, as Python floats, each noted before anything
    moves: a Tensor would keep the whole graph of its step in memory.

    With the loss w * w, w = 8 and lr=0.25, three steps return [64.0, 16.0, 4.0] and leave w at 1.
    """
    losses = []
    for _ in range(steps):
        zero_grad(parameters)
        loss = loss_of()
        losses.append(loss.item())
        loss.backward()
        for p in parameters:
            if p.grad is not None:
                p.data = (p - lr * p.grad).data
    return losses


class SGD:
    """Stochastic gradient descent: each step moves the parameters a little against their gradients.

    >>> w = Tensor(3.0, requires_grad=True)
    >>> optimizer = SGD([w], lr=0.1)
    >>> (w * w).backward()
    >>> optimizer.step()
    >>> w
    tensor(2.4, requires_grad=True)
    """

    def __init__(self, parameters, lr):
        self.parameters, self.lr = list(parameters), float(lr)

    def step(self):
        """Give each parameter the numbers p - lr * p.grad; one without a gradient stays.

        lr is self.lr as it is now. Each p stays the same leaf, and keeps its gradient. Its data is
        a new array, even where it's a single number. If p and its gradient have the same dtype, p
        keeps it. Nothing is recorded. If their shapes don't fit, the error of the minus comes out.
        """
        with no_grad():
            for p in self.parameters:
                if p.grad is not None:
                    p.data = (p - self.lr * p.grad).data

    def zero_grad(self):
        zero_grad(self.parameters)


# A network


def scores(x, parameters):
    """What a network makes of each row of x, a Tensor: (N, n) -> (N, m).

    `parameters` is a list of Tensors, W and b of the first layer, then of the next, for at least
    one layer; a Tensor may stand there twice. A layer makes x @ W + b of what it gets, and the
    errors of @ and + come out. Between two layers, Tensor.relu sets the negative numbers to zero;
    what goes in and what comes out may be negative. Only the graph keeps what's in between.

    >>> W, b = Tensor([[1, -1]]), Tensor([0, 1])  # (n, m) and (m,) of a single layer
    >>> scores(Tensor([[2]]), [W, b])
    tensor([[ 2., -1.]])
    """
    *before, W, b = parameters  # what comes before the last layer is a network, too
    return (scores(x, before).relu() if before else x) @ W + b
