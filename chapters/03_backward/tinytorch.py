"""tinytorch, chapter 3: backward, from a result to everything that it came from."""

import numpy as np

# Small helpers


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


# The tensor


class Tensor:
    """A floating-point array of any shape, with arithmetic.

    It holds a copy of the data. `x == y` asks whether both are the same Tensor; to compare their
    numbers, compare x.data and y.data.

    >>> Tensor([1, 2]) + 10
    tensor([11., 12.])
    """

    __array_ufunc__ = None  # so that array * tensor asks Tensor.__rmul__, not NumPy

    def __init__(self, data):
        self.data = as_array(data)
        self.grad = self.grad_fn = None

    @property
    def shape(self):
        return self.data.shape

    @property
    def dtype(self):
        return self.data.dtype

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
        return f"tensor({numbers}{suffix})"

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
        return Add.apply(self, as_tensor(other, self.dtype))

    __radd__ = __add__

    def __mul__(self, other):
        return Mul.apply(self, as_tensor(other, self.dtype))

    __rmul__ = __mul__

    def __sub__(self, other):
        return self + Neg.apply(as_tensor(other, self.dtype))

    def __rsub__(self, other):
        return -self + other

    def __truediv__(self, other):
        return Div.apply(self, as_tensor(other, self.dtype))

    def __rtruediv__(self, other):
        return Div.apply(as_tensor(other, self.dtype), self)

    def __pow__(self, exponent):
        return Pow.apply(self, exponent)

    def __rpow__(self, base):
        return (self * float(np.log(base))).exp()  # base ** x = e ** (x log base)

    def __matmul__(self, other):
        other = as_tensor(other, self.dtype)
        a, b = self.shape, other.shape
        if len(a) != 2 or len(b) != 2 or a[1] != b[0]:  # a vector: one row, or one column
            raise RuntimeError(f"@ needs matrices, (N, K) @ (K, M), got {a} @ {b}")
        return MatMul.apply(self, other)

    @property
    def T(self):
        return Transpose.apply(self)

    def exp(self):
        return Exp.apply(self)

    def log(self):
        return Log.apply(self)

    def tanh(self):
        return Tanh.apply(self)

    def relu(self):
        return ReLU.apply(self)

    def sum(self):
        return Sum.apply(self)

    def backward(self, gradient=None):
        """Add to .grad, of this tensor and all it was made from, how fast this one moves with it.

        `gradient` is where the pass starts, as head_gradient takes it: without it, this tensor must
        have one element. Where it is refused, no .grad changes. Each operation runs its backward
        once, without recursion. A tensor that was sent no gradient is passed over, and its .grad
        stays. Gradients keep the notes that their operators gave them.

        >>> x = Tensor(3)
        >>> y = x * x + x
        >>> y.backward()
        >>> x.grad
        tensor(7.)
        """
        # TODO exercise 3.6: Tensor.backward
        raise NotImplementedError("exercise 3.6: Tensor.backward")


# The parts of Tensor.backward


def recursive_backward(tensor, grad):
    """Add grad to tensor.grad, and pass on to each input what ctx.backward makes of this grad.

    Each call runs ctx.backward once: it answers for all inputs. An input whose gradient is None
    gets nothing. No gradient is changed in place, for somebody else may hold the same Tensor: a sum
    is the new one that + makes. Right for every graph, but it visits a tensor once for each path to
    it.

    >>> x = Tensor(3)
    >>> recursive_backward(x * x, Tensor(1))
    >>> x.grad
    tensor(6.)
    """
    # TODO exercise 3.1: recursive_backward
    raise NotImplementedError("exercise 3.1: recursive_backward")


def topological_order(root):
    """A new list of all Tensors root was made from, and root: inputs before results, each once.

    Inputs that aren't Tensors, such as exponents and arrays, stay out. No backward is run. A stack
    takes the place of recursion, and Python's recursion limit stays as it is, so that a chain may
    have any length. Nor is a list searched for a Tensor: that takes longer with each that's in it.

    >>> x = Tensor(3)
    >>> topological_order(x * x + x)
    [tensor(3.), tensor(9.), tensor(12.)]
    """
    # TODO exercise 3.2: topological_order
    raise NotImplementedError("exercise 3.2: topological_order")


def head_gradient(tensor, gradient):
    """The gradient that a backward pass starts from, as a Tensor of the shape of `tensor`.

    Without a gradient it is 1, in the dtype of `tensor`, which must have exactly one element: shape
    (), (1,) or (1, 1, 1), say. A given gradient may be a Tensor, which comes back as it is, or an
    array or plain numbers; numbers take the dtype of `tensor`, while floats in an array keep
    theirs. It must have the shape of `tensor`. Otherwise RuntimeError that shows both, as (3,).

    >>> head_gradient(Tensor(5), None)
    tensor(1.)
    """
    # TODO exercise 3.3: head_gradient
    raise NotImplementedError("exercise 3.3: head_gradient")


def propagate(ctx, grad, grads):
    """Run ctx.backward once; add what each input gets to `grads`, a dict from Tensor to gradient.

    None is no gradient, and makes no entry, whatever its input is. Nothing else changes: no .grad,
    no other entry, and no Tensor that is in `grads` already; a sum is the new one that + makes.

    >>> x, grads = Tensor(3), {}
    >>> propagate((x * x).grad_fn, Tensor(1), grads)
    >>> grads[x]
    tensor(6.)
    """
    # TODO exercise 3.4: propagate
    raise NotImplementedError("exercise 3.4: propagate")


def accumulate(tensor, grad):
    """Add grad to tensor.grad: the first Tensor is kept itself, a sum is the new one that + makes.

    >>> x = Tensor(3)
    >>> accumulate(x, Tensor(1)); accumulate(x, Tensor(4))
    >>> x.grad
    tensor(5.)
    """
    # TODO exercise 3.5: accumulate and zero_grad
    raise NotImplementedError("exercise 3.5: accumulate")


def zero_grad(tensors):
    """Set .grad of each of these tensors to None, so that the next backward starts afresh.

    They come in anything that a for loop takes, such as a list or the values of a dict. The
    gradients that were there stay as they are: somebody else may hold them.

    >>> x = Tensor(3)
    >>> (x * x).backward()
    >>> zero_grad([x])
    >>> x.grad is None
    True
    """
    # TODO exercise 3.5: accumulate and zero_grad
    raise NotImplementedError("exercise 3.5: zero_grad")


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

    @property
    def saved_tensors(self):
        """The tuple of Tensors that forward saved, in the same order; empty if it saved none."""
        return self._saved

    def backward(self, grad_z):
        """The gradient of each input as a tuple, given the gradient of the result."""
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
        """Run forward once, with a new ctx; its result keeps that ctx as grad_fn, and is returned.

        The inputs go to the ctx and to forward just as they came. Nothing else remembers the call,
        and nothing but cls and the inputs is put on the ctx here.

        >>> z = Mul.apply(Tensor(2), Tensor(3))
        >>> z.grad_fn.function.__name__, z.grad_fn.inputs
        ('Mul', (tensor(2.), tensor(3.)))
        """
        ctx = Context(cls, inputs)
        result = cls.forward(ctx, *inputs)
        result.grad_fn = ctx
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
        return Tensor(x.data + y.data)

    @staticmethod
    def backward(ctx, grad_z):
        return grad_z, grad_z  # dz/dx = dz/dy = 1


class Mul(Function):
    """z = x * y, elementwise, or one number times each element; saves x and y.

    Nobody asks for that one number's gradient until chapter 4.
    """

    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return Tensor(x.data * y.data)

    @staticmethod
    def backward(ctx, grad_z):
        x, y = ctx.saved_tensors
        return grad_z * y, grad_z * x  # dz/dx = y, dz/dy = x


class Div(Function):
    """z = x / y, elementwise; saves x and y.

    Division by zero gives what NumPy gives. For y², write y * y: Pow is still to come.
    """

    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return Tensor(x.data / y.data)

    @staticmethod
    def backward(ctx, grad_z):
        x, y = ctx.saved_tensors
        return grad_z / y, -grad_z * x / (y * y)


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
    """z = x @ y: (N, K) @ (K, M) -> (N, M); saves x and y."""

    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return Tensor(x.data @ y.data)

    @staticmethod
    def backward(ctx, grad_z):
        x, y = ctx.saved_tensors
        return grad_z @ y.T, x.T @ grad_z  # (N, M) @ (M, K), (K, N) @ (N, M)


class Transpose(Function):
    """z = x.T, x with its axes in reverse order: (N, M) -> (M, N)."""

    @staticmethod
    def forward(ctx, x):
        return Tensor(x.data.T)

    @staticmethod
    def backward(ctx, grad_z):
        return grad_z.T


class Sum(Function):
    """z = the sum of all elements of x, a 0-d tensor."""

    @staticmethod
    def forward(ctx, x):
        ctx.shape = x.shape
        return Tensor(x.data.sum())

    @staticmethod
    def backward(ctx, grad_z):
        return grad_z * ones(ctx.shape)  # () * shape -> shape: each element counts once


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

    >>> gradcheck(lambda x: x * x, [Tensor(np.array([1.0, 2.0]))])
    True
    """
    # TODO exercise 3.7: gradcheck
    raise NotImplementedError("exercise 3.7: gradcheck")
