"""The types of elements as users meet them: tinytorch.float32 and the others.

Inside, the library works with NumPy's own; NumPy takes these in the place of its own.
"""

from tinytorch import dtypes


class dtype:
    """The type of a tensor's elements, such as tinytorch.float32: equal to NumPy's of that name.

    >>> tinytorch.ones(2).dtype
    tinytorch.float32
    >>> tinytorch.int64.is_floating_point
    False
    """

    __slots__ = ("dtype",)  # where NumPy looks for its own

    def __init__(self, name):
        self.dtype = dtypes.dtype_of(name)

    @property
    def is_floating_point(self):
        """True for floats."""
        return self.kind == "f"

    @property
    def is_complex(self):
        """False: there are no complex tensors."""
        return False

    @property
    def is_signed(self):
        """True for types that have negative numbers."""
        return self.kind in "if"

    @property
    def itemsize(self):
        """The bytes that an element takes."""
        return self.dtype.itemsize

    @property
    def kind(self):
        """NumPy's letter: "f" for floats, "i" and "u" for integers, "b" for booleans."""
        return self.dtype.kind

    def __eq__(self, other):
        return self.dtype == other

    def __hash__(self):
        return hash(self.dtype)

    def __repr__(self):
        return f"tinytorch.{self.dtype.name}"

    def __reduce__(self):
        return self.dtype.name  # a copy is the same object, here and after pickling


_NAMES = "bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"
_TYPES = {each.dtype: each for each in map(dtype, _NAMES)}
bool, uint8, int8, int16, int32, int64, float16, float32, float64 = _TYPES.values()
byte, char, short, int, long = uint8, int8, int16, int32, int64
half, float, double = float16, float32, float64


class _Absent(dtype):
    """A type that programs name and compare with, but no tensor has: NumPy lacks it, or we do.

    >>> tinytorch.ones(2).dtype == tinytorch.complex64, tinytorch.complex64.is_complex
    (False, True)
    """

    __slots__ = ("name",)
    __eq__, __hash__ = object.__eq__, object.__hash__
    kind = property(lambda self: "c" if self.is_complex else "f")
    is_complex = property(lambda self: self.name.startswith("complex"))

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"tinytorch.{self.name}"

    def __reduce__(self):
        return self.name


bfloat16, complex64, complex128 = map(_Absent, ("bfloat16", "complex64", "complex128"))
cfloat, cdouble = complex64, complex128


def named(own):
    """The dtype that users know for one of NumPy's."""
    return _TYPES.get(own) or dtype(own)
