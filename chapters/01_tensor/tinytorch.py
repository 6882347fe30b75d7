"""tinytorch, chapter 1: tensors that compute, and slopes found by nudging."""

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
    # TODO exercise 1.1: as_array
    raise NotImplementedError("exercise 1.1: as_array")


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
        # TODO exercise 1.2: Tensor.__repr__
        raise NotImplementedError("exercise 1.2: Tensor.__repr__")

    def item(self):
        """The one element as a Python float, whatever the shape.

        Raises RuntimeError, with the shape in its message, if there are more elements or none.

        >>> Tensor([[2.5]]).item()
        2.5
        """
        # TODO exercise 1.3: Tensor.item
        raise NotImplementedError("exercise 1.3: Tensor.item")

    def __neg__(self):
        return Tensor(-self.data)

    def __add__(self, other):
        return Tensor(self.data + as_array(other, self.dtype))

    __radd__ = __add__

    def __mul__(self, other):
        return Tensor(self.data * as_array(other, self.dtype))

    __rmul__ = __mul__

    def __sub__(self, other):
        """self - other as NumPy does it, shapes included, as a new Tensor.

        What has no floating-point dtype of its own (2, a list, an int64 array) takes that of self
        first.

        >>> Tensor(5) - 2
        tensor(3.)
        """
        # TODO exercise 1.4: Subtraction and division, both ways round
        raise NotImplementedError("exercise 1.4: Tensor.__sub__")

    def __rsub__(self, other):
        """other - self: Python calls it when other, on the left, is no Tensor.

        >>> 2 - Tensor(5)
        tensor(-3.)
        """
        # TODO exercise 1.4: Subtraction and division, both ways round
        raise NotImplementedError("exercise 1.4: Tensor.__rsub__")

    def __truediv__(self, other):
        """self / other as NumPy does it: division by zero gives inf or nan, and no error.

        >>> Tensor(6) / 2
        tensor(3.)
        """
        # TODO exercise 1.4: Subtraction and division, both ways round
        raise NotImplementedError("exercise 1.4: Tensor.__truediv__")

    def __rtruediv__(self, other):
        """other / self.

        >>> 6 / Tensor(2)
        tensor(3.)
        """
        # TODO exercise 1.4: Subtraction and division, both ways round
        raise NotImplementedError("exercise 1.4: Tensor.__rtruediv__")

    def __pow__(self, exponent):
        return Tensor(self.data**exponent)

    def __rpow__(self, base):
        return Tensor(as_array(base, self.dtype) ** self.data)

    def __matmul__(self, other):
        return Tensor(self.data @ as_array(other, self.dtype))

    def sum(self):
        return Tensor(self.data.sum())


# Makers


def zeros(*sizes):
    """A float32 tensor of zeros: zeros(2, 3) or zeros((2, 3))."""
    return Tensor(np.zeros(as_shape(sizes), dtype=np.float32))


def ones(*sizes):
    """A float32 tensor of ones: ones(2, 3) or ones((2, 3)).

    >>> ones(2)
    tensor([1., 1.])
    """
    # TODO exercise 1.5: Makers: ones, arange, randn
    raise NotImplementedError("exercise 1.5: ones")


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
    # TODO exercise 1.5: Makers: ones, arange, randn
    raise NotImplementedError("exercise 1.5: arange")


def randn(*sizes, generator=None):
    """Standard normal float32 numbers: randn(2, 3) or randn((2, 3)).

    They're the numbers that the NumPy Generator you pass in draws next. Without one they come from
    a new np.random.default_rng(), which has no seed: other numbers on each call and each run.

    >>> bool((randn(3, generator=np.random.default_rng(0)).data
    ...       == randn(3, generator=np.random.default_rng(0)).data).all())
    True
    """
    # TODO exercise 1.5: Makers: ones, arange, randn
    raise NotImplementedError("exercise 1.5: randn")


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
    # TODO exercise 1.6: central_difference
    raise NotImplementedError("exercise 1.6: central_difference")


def numerical_gradient(f, x, eps=1e-6):
    """The gradient of f: a float64 Tensor of the shape of x, with one slope for each element of x.

    Each slope is a central difference: two calls of f, which is what central_difference takes.
    While f runs, x.data is a float64 copy, whatever dtype x has. Afterwards x.data is the very
    array that it was, its numbers never touched, even if f raises an exception or you press Ctrl-C.

    >>> numerical_gradient(lambda x: (x * x).sum(), Tensor([1, 3]))
    tensor([2., 6.], dtype=float64)
    """
    # TODO exercise 1.7: numerical_gradient
    raise NotImplementedError("exercise 1.7: numerical_gradient")
