"""More operations in place: of a whole list of names, of shapes, and with random numbers."""

import math
from functools import wraps

import numpy as np

from tinytorch.ops import (
    comparison,
    elementwise,
    more_creation,
    more_products,
    rare,
    special,
    strided,
    writing,
)
from tinytorch.ops.combining import nan_to_num
from tinytorch.ops.creation import arange
from tinytorch.ops.dims import as_sizes
from tinytorch.ops.inplace import check_no_leaf, copy_, in_place, setitem
from tinytorch.ops.joining import tril, triu
from tinytorch.ops.linalg import addmm
from tinytorch.ops.random import source
from tinytorch.ops.reductions import cumprod, cumsum
from tinytorch.ops.shapes import squeeze, t, transpose, unsqueeze
from tinytorch.tensor import method, wrap

NAMES = {
    elementwise: "acos acosh asin asinh atan atan2 atanh clamp_max clamp_min cosh erf exp2 expm1"
    " fmod log10 log1p log2 sinh tan trunc",
    rare: "gcd i0 lcm ldexp mvlgamma nextafter",
    more_creation: "index_reduce renorm",
    special: "copysign deg2rad digamma erfc erfinv frac hypot lgamma logit rad2deg sinc xlogy"
    " float_power heaviside",
    comparison: "bitwise_not eq ge gt le logical_and logical_not logical_or logical_xor lt ne",
    more_products: "addbmm addmv addr baddbmm",
    writing: "index_copy index_fill index_put masked_scatter scatter_reduce",
}
for _module, _names in NAMES.items():
    for _name in _names.split():
        in_place(getattr(_module, _name), f"{_name}_")
in_place(strided.put_flat, "put_")
in_place(comparison.bitwise_left_shift, "bitwise_left_shift_", "__ilshift__")
in_place(comparison.bitwise_right_shift, "bitwise_right_shift_", "__irshift__")
for _operation in (addmm, cumprod, cumsum, nan_to_num, tril, triu):
    in_place(_operation, f"{_operation.__name__}_")


def in_new_shape(view, *names):
    """The method that makes of a tensor its own view; nothing is written."""

    @wraps(view, assigned=())
    def change(input, *args, **kwargs):
        check_no_leaf(input)
        result = view(input, *args, **kwargs)
        input._data, input._node = result._data, result._node
        return input

    return method(*names, doc=f"{view.__name__}() of the tensor itself.")(change)


in_new_shape(squeeze, "squeeze_")
in_new_shape(unsqueeze, "unsqueeze_")
in_new_shape(t, "t_")
in_new_shape(transpose, "transpose_", "swapaxes_", "swapdims_")


@method("fill_diagonal_")
def fill_diagonal_(input, fill_value, wrap=False):
    """Every element with equal indices becomes the number.

    With `wrap`, the diagonal of a tall matrix begins anew below its end, after a row left out.
    """
    if wrap and input.dim() == 2 and len(input) > input.shape[1]:
        places = arange(0, input.numel(), input.shape[1] + 1)
        setitem(input, (places // input.shape[1], places % input.shape[1]), fill_value)
    else:
        setitem(input, (arange(min(input.shape)),) * input.dim(), fill_value)
    return input


@method("apply_")
def apply_(input, callable):
    """Each element x becomes callable(x), a number of Python: slow, and without a history."""
    return elements_from(input, map(callable, input._data.ravel().tolist()))


@method("map_")
def map_(input, tensor, callable):
    """Each element x becomes callable(x, y), y being that of `tensor`, which broadcasts."""
    others = np.broadcast_to(tensor._data, input._data.shape)
    pairs = zip(input._data.ravel().tolist(), others.ravel().tolist(), strict=True)
    return elements_from(input, (callable(x, y) for x, y in pairs))


def elements_from(input, values):
    """The tensor with these numbers as its elements; RuntimeError if it requires grad."""
    if input.requires_grad:
        raise RuntimeError("a function of Python has no gradient: call this on a detach()")
    array = np.array(list(values), input._data.dtype)
    return copy_(input, wrap(array.reshape(input._data.shape)))


@method("resize_")
def resize_(input, *sizes, memory_format=None):
    """Other sizes: the elements as they lie in memory from the first one on.

    If there aren't enough, it gets new memory, which begins with a copy of them; what comes after
    them may be anything. RuntimeError for a tensor that requires grad.

    >>> tinytorch.arange(6).resize_(2, 2)
    tensor([[0, 1],
            [2, 3]])
    """
    if input.requires_grad:
        raise RuntimeError("a tensor that requires grad cannot be resized; resize a detach() of it")
    shape, old = as_sizes(sizes), strided.memory_from(input._data)
    count = math.prod(shape)
    if count > old.size:
        larger = np.empty(count, old.dtype)
        larger[: old.size] = old
        old = larger
    input._data = old[:count].reshape(shape)
    return input


@method("resize_as_")
def resize_as_(input, the_template, *, memory_format=None):
    """resize_() to the sizes of another tensor."""
    return resize_(input, the_template.shape)


# --- random numbers ---


def drawing(name, draw, doc):
    """The method that fills a tensor with what `draw(generator, shape, ...)` gives."""

    def fill(input, *args, generator=None, **settings):
        numbers = draw(source(generator), input._data.shape, *args, **settings)
        return copy_(input, wrap(np.asarray(numbers).astype(input._data.dtype)))

    return method(name, doc=f"Fill with {doc}.")(fill)


@method("random_")
def random_(input, *bounds, generator=None):
    """Fill with integers drawn evenly, up to an end, or from a start up to an end.

    By default all count that the dtype has from 0 on, without a gap: float32 up to 2**24.
    """
    x = input._data
    drawn = source(generator).integers(*(bounds or (count_from_0(x.dtype),)), size=x.shape)
    return copy_(input, wrap(np.asarray(drawn).astype(x.dtype)))


def count_from_0(dtype):
    """How many integers a dtype has from 0 on, without a gap.

    >>> count_from_0(np.dtype("int8")), count_from_0(np.dtype("float16"))
    (128, 2049)
    """
    if dtype.kind == "f":
        return 2 ** (np.finfo(dtype).nmant + 1) + 1
    return 2 if dtype.kind == "b" else int(np.iinfo(dtype).max) + 1


def trials(generator, shape, p=0.5):
    return generator.random(shape) < np.asarray(p)


drawing("bernoulli_", trials, "1 with the probability `p`, a number or a tensor, else 0")
drawing(
    "exponential_",
    lambda g, shape, lambd=1: g.exponential(1 / lambd, shape),
    "times to wait for what happens `lambd` times in a unit of time",
)
drawing(
    "geometric_",
    lambda g, shape, p: g.geometric(p, shape),
    "numbers of trials up to the first success, whose probability is `p`",
)
drawing(
    "log_normal_",
    lambda g, shape, mean=1, std=2: g.lognormal(mean, std, shape),
    "exponentials of normal numbers",
)
drawing(
    "cauchy_",
    lambda g, shape, median=0, sigma=1: median + sigma * g.standard_cauchy(shape),
    "numbers drawn from the distribution of Cauchy",
)
