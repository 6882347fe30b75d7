"""All names of the library, gathered from its files: what `import tinytorch` offers."""

# ruff: noqa: I001 (a table of contents: names side by side)
# fmt: off
from math import e, inf, nan, pi

from tinytorch import gradients, hooks, linalg, modes
from tinytorch.ops import inplace, random
from tinytorch.dtypes import (
    bool, double, float, float16, float32, float64, half, int, int8, int16, int32, int64, long,
    short, uint8,
)
from tinytorch.compiling import compile
from tinytorch.defaults import finfo, get_default_dtype, iinfo, set_default_dtype
from tinytorch.devices import device
from tinytorch.function import Function
from tinytorch.grad_mode import (
    enable_grad, inference_mode, is_grad_enabled, is_inference_mode_enabled, no_grad,
    set_grad_enabled,
)
from tinytorch.gradcheck import gradcheck, gradgradcheck
from tinytorch.ops.comparison import (
    allclose, bitwise_and, bitwise_left_shift, bitwise_not, bitwise_or, bitwise_right_shift,
    bitwise_xor, eq, equal, ge, gt, is_tensor, isclose, isfinite, isinf, isnan, le, logical_and,
    logical_not, logical_or, logical_xor, lt, ne,
)
from tinytorch.ops.combining import (
    addcdiv, addcmul, column_stack, diff, inner, meshgrid, nan_to_num, nanmean, nansum,
    std_mean, tensordot, trace, var_mean,
)
from tinytorch.ops.conversion import clone, detach, detach_
from tinytorch.ops.counting import bincount, bucketize, isin, median, searchsorted, unique
from tinytorch.ops.creation import (
    arange, as_tensor, empty, empty_like, eye, from_numpy, full, full_like, linspace, logspace,
    ones, ones_like, tensor, tril_indices, triu_indices, zeros, zeros_like,
)
from tinytorch.ops.distances import cdist, cosine_similarity, norm, pairwise_distance
from tinytorch.ops.einsum import einsum
from tinytorch.ops.elementwise import (
    abs, acos, acosh, add, asin, asinh, atan, atan2, atanh, ceil, clamp, clamp_max, clamp_min, cos,
    cosh, div, erf, exp, exp2, expm1, floor, floor_divide, fmod, lerp, log, log1p, log2, log10,
    maximum, minimum, mul, neg, pow, reciprocal, relu, remainder, round, rsqrt, rsub, sigmoid,
    sign, sin, sinh, sqrt, square, sub, tan, tanh, trunc, where,
)
from tinytorch.ops.gathering import (
    gather, index_add, index_select, scatter, scatter_add, take_along_dim,
)
from tinytorch.ops.indexing import (
    diag, diagonal, masked_fill, masked_select, narrow, nonzero, select,
)
from tinytorch.ops.joining import (
    cat, chunk, concat, flip, hstack, repeat_interleave, roll, split, stack, tile, tril, triu,
    unbind, vstack,
)
from tinytorch.ops.linalg import addmm, bmm, dot, matmul, mm, mv, outer
from tinytorch.ops.ordering import amax, amin, argmax, argmin, argsort, max, min, sort, topk
from tinytorch.ops.random import (
    Generator, bernoulli, default_generator, get_rng_state, manual_seed, multinomial, normal, rand,
    rand_like, randint, randn, randn_like, randperm, set_rng_state,
)
from tinytorch.ops.reductions import (
    all, any, count_nonzero, cumprod, cumsum, log_softmax, logsumexp, mean, prod, softmax, std, sum,
    var,
)
from tinytorch.ops.shapes import (
    broadcast_to, flatten, movedim, permute, ravel, reshape, squeeze, t, transpose, unflatten,
    unsqueeze,
)
from tinytorch.ops.typed import (
    BoolTensor, ByteTensor, DoubleTensor, FloatTensor, HalfTensor, IntTensor, LongTensor,
)
from tinytorch.printing import set_printoptions
from tinytorch.serialization import load, save
from tinytorch.tensor import Size, Tensor

__version__ = "0.1.0"  # read by setuptools too, from the text: building needs no NumPy

clip, numel, is_floating_point = clamp, Tensor.numel, Tensor.is_floating_point
absolute, negative, subtract, multiply, divide, true_divide = abs, neg, sub, mul, div, div
swapaxes, moveaxis, concatenate, argwhere = transpose, movedim, cat, nonzero
greater, greater_equal, less, less_equal, not_equal = gt, ge, lt, le, ne
arcsin, arccos, arctan, arctan2, inverse, det = asin, acos, atan, atan2, linalg.inv, linalg.det
newaxis = None

LATER = (
    "accelerator", "autograd", "backends", "cuda", "distributions", "func", "nn", "optim", "tape",
    "utils",
)
__all__ = [
    "BoolTensor", "ByteTensor", "DoubleTensor", "FloatTensor", "Function", "Generator",
    "HalfTensor", "IntTensor", "LongTensor", "Size", "Tensor", "abs", "absolute", "acos", "acosh",
    "add", "addcdiv", "addcmul", "addmm", "all", "allclose", "amax", "amin", "any", "arange",
    "arccos", "arcsin", "arctan", "arctan2", "argmax", "argmin", "argsort", "argwhere", "as_tensor",
    "asin", "asinh", "atan", "atan2", "atanh", "bernoulli", "bincount", "bitwise_and",
    "bitwise_left_shift", "bitwise_not", "bitwise_or", "bitwise_right_shift", "bitwise_xor", "bmm",
    "bool", "broadcast_to", "bucketize", "cat", "cdist", "ceil", "chunk", "clamp", "clamp_max",
    "clamp_min", "clip", "clone", "column_stack", "compile", "concat", "concatenate", "cos", "cosh",
    "cosine_similarity", "count_nonzero", "cumprod", "cumsum", "default_generator", "det", "detach",
    "detach_", "device", "diag", "diagonal", "diff", "div", "divide", "dot", "double", "e",
    "einsum", "empty", "empty_like", "enable_grad", "eq", "equal", "erf", "exp", "exp2", "expm1",
    "eye", "finfo", "flatten", "flip", "float", "float16", "float32", "float64", "floor",
    "floor_divide", "fmod", "from_numpy", "full", "full_like", "gather", "ge", "get_default_dtype",
    "get_rng_state", "gradcheck", "gradgradcheck", "gradients", "greater", "greater_equal", "gt",
    "half", "hooks", "hstack", "iinfo", "index_add", "index_select", "inf", "inference_mode",
    "inner", "inplace", "int", "int16", "int32", "int64", "int8", "inverse", "is_floating_point",
    "is_grad_enabled", "is_inference_mode_enabled", "is_tensor", "isclose", "isfinite", "isin",
    "isinf", "isnan", "le", "lerp", "less", "less_equal", "linalg", "linspace", "load", "log",
    "log10", "log1p", "log2", "log_softmax", "logical_and", "logical_not", "logical_or",
    "logical_xor", "logspace", "logsumexp", "long", "lt", "manual_seed", "masked_fill",
    "masked_select", "matmul", "max", "maximum", "mean", "median", "meshgrid", "min", "minimum",
    "mm", "modes", "moveaxis", "movedim", "mul", "multinomial", "multiply", "mv", "nan",
    "nan_to_num", "nanmean", "nansum", "narrow", "ne", "neg", "negative", "newaxis", "no_grad",
    "nonzero", "norm", "normal", "not_equal", "numel", "ones", "ones_like", "outer",
    "pairwise_distance", "permute", "pi", "pow", "prod", "rand", "rand_like", "randint", "randn",
    "randn_like", "random", "randperm", "ravel", "reciprocal", "relu", "remainder",
    "repeat_interleave", "reshape", "roll", "round", "rsqrt", "rsub", "save", "scatter",
    "scatter_add", "searchsorted", "select", "set_default_dtype", "set_grad_enabled",
    "set_printoptions", "set_rng_state", "short", "sigmoid", "sign", "sin", "sinh", "softmax",
    "sort", "split", "sqrt", "square", "squeeze", "stack", "std", "std_mean", "sub", "subtract",
    "sum", "swapaxes", "t", "take_along_dim", "tan", "tanh", "tensor", "tensordot", "tile", "topk",
    "trace", "transpose", "tril", "tril_indices", "triu", "triu_indices", "true_divide", "trunc",
    "uint8", "unbind", "unflatten", "unique", "unsqueeze", "var", "var_mean", "vstack", "where",
    "zeros", "zeros_like",
]
# fmt: on


def __getattr__(name):
    """Import the larger parts at their first use."""
    if name not in LATER:
        raise AttributeError(f"module 'tinytorch' has no attribute {name!r}")
    import importlib

    home = "cuda" if name == "accelerator" else name
    return importlib.import_module(f"tinytorch.{home}")
