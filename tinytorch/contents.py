"""All names of the library, gathered from its files: what `import tinytorch` offers."""

# ruff: noqa: I001 (a table of contents: names side by side)
# fmt: off
from math import e, inf, nan, pi

from tinytorch import gradients, hooks, linalg, modes
from tinytorch.ops import aliases, inplace, more_inplace, random  # noqa: F401
from tinytorch.element_types import (
    bfloat16, bool, cdouble, cfloat, complex64, complex128, double, dtype, float, float16, float32,
    float64, half, int, int8, int16, int32, int64, long, short, uint8,
)
from tinytorch.compiling import (
    channels_last, channels_last_3d, compile, contiguous_format, get_default_device,
    get_num_threads, preserve_format, set_default_device, set_float32_matmul_precision,
    set_num_threads, use_deterministic_algorithms,
)
from tinytorch.defaults import (
    can_cast, finfo, get_default_dtype, iinfo, promote_types, result_type, set_default_dtype,
    set_default_tensor_type,
)
from tinytorch.devices import device
from tinytorch.function import Function
from tinytorch.grad_mode import (
    enable_grad, inference_mode, is_grad_enabled, is_inference_mode_enabled, no_grad,
    set_grad_enabled,
)
from tinytorch.gradcheck import gradcheck, gradgradcheck
from tinytorch.ops.arranging import (
    atleast_1d, atleast_2d, atleast_3d, block_diag, broadcast_shapes, broadcast_tensors,
    cartesian_prod, combinations, cumulative_trapezoid, diag_embed, diagflat, dsplit, dstack,
    fliplr, flipud, hsplit, kron, rot90, row_stack, tensor_split, trapezoid, trapz, vander, vsplit,
)
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
from tinytorch.ops.cholesky import (
    cholesky, cholesky_inverse, cholesky_solve, triangular_solve,
)
from tinytorch.ops.decompositions import (
    lstsq, old_qr as qr, pca_lowrank, pinv as pinverse, svd_lowrank, svd_with_v as svd,
)
from tinytorch.ops.distances import cdist, cosine_similarity, norm, pairwise_distance, pdist
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
from tinytorch.ops.inquiries import (
    adjoint, conj, conj_physical, is_complex, is_conj, is_inference, is_neg, is_nonzero,
    is_same_size, is_signed, isreal, positive, real, resolve_conj, resolve_neg, typename,
)
from tinytorch.ops.inverses import det, inv as inverse, logdet, slogdet
from tinytorch.ops.joining import (
    cat, chunk, concat, flip, hstack, repeat_interleave, roll, split, stack, tile, tril, triu,
    unbind, vstack,
)
from tinytorch.ops.linalg import addmm, bmm, dot, matmul, mm, mv, outer
from tinytorch.ops.lu import (
    lu_factor as lu, lu_unpack, matrix_exp, old_lu_solve as lu_solve,
)
from tinytorch.ops.more_creation import (
    asarray, frombuffer, gradient, histogram, index_reduce, range, renorm, scalar_tensor,
)
from tinytorch.ops.more_products import (
    addbmm, addmv, addr, baddbmm, chain_matmul, cross, ger, matrix_power, vdot,
)
from tinytorch.ops.ordering import amax, amin, argmax, argmin, argsort, max, min, sort, topk
from tinytorch.ops.random import (
    Generator, bernoulli, default_generator, get_rng_state, initial_seed, manual_seed, multinomial,
    normal, poisson, rand, rand_like, randint, randint_like, randn, randn_like, randperm, seed,
    set_rng_state,
)
from tinytorch.ops.rare import (
    angle, fmax, fmin, frexp, gcd, i0, lcm, ldexp, logaddexp2, mvlgamma, nextafter,
)
from tinytorch.ops.reductions import (
    all, any, count_nonzero, cumprod, cumsum, log_softmax, logsumexp, mean, prod, softmax, std, sum,
    var,
)
from tinytorch.ops.shapes import (
    broadcast_to, flatten, movedim, permute, ravel, reshape, squeeze, t, transpose, unflatten,
    unsqueeze,
)
from tinytorch.ops.special import (
    copysign, deg2rad, digamma, erfc, erfinv, float_power, frac, heaviside, hypot, isneginf,
    isposinf, lgamma, logaddexp, logit, polygamma, rad2deg, signbit, sinc, xlogy,
)
from tinytorch.ops.statistics import (
    aminmax, corrcoef, cov, cummax, cummin, dist, histc, kthvalue, logcumsumexp, mode, msort,
    nanmedian, nanquantile, quantile, unique_consecutive,
)
from tinytorch.ops.strided import (
    as_strided, diagonal_scatter, narrow_copy, put_flat as put, select_scatter, slice_scatter,
    split_with_sizes, unravel_index,
)
from tinytorch.ops.typed import (
    BoolTensor, ByteTensor, CharTensor, DoubleTensor, FloatTensor, HalfTensor, IntTensor,
    LongTensor, ShortTensor,
)
from tinytorch.ops.writing import (
    index_copy, index_fill, index_put, masked_scatter, scatter_reduce, take,
)
from tinytorch.printing import set_printoptions
from tinytorch.serialization import load, save
from tinytorch.tensor import Size, Tensor

__version__ = "0.1.0"  # read by setuptools too, from the text: building needs no NumPy

clip, numel, is_floating_point = clamp, Tensor.numel, Tensor.is_floating_point
absolute, negative, subtract, multiply, divide, true_divide = abs, neg, sub, mul, div, div
swapaxes, moveaxis, concatenate, argwhere = transpose, movedim, cat, nonzero
greater, greater_equal, less, less_equal, not_equal = gt, ge, lt, le, ne
arcsin, arccos, arctan, arctan2 = asin, acos, atan, atan2
arcsinh, arccosh, arctanh, sgn, fix, swapdims = asinh, acosh, atanh, sign, trunc, transpose
newaxis = None
spmm = mm
strided = "strided"

LATER = (
    "accelerator", "amp", "autocast", "autograd", "backends", "cuda", "distributed",
    "distributions", "func", "nn", "optim", "special", "tape", "testing", "utils", "version",
    "vmap",
)
OF_LAYERS = (  # functions of nn.functional that PyTorch has here, too
    "adaptive_avg_pool1d", "alpha_dropout", "avg_pool1d", "bilinear", "celu", "channel_shuffle",
    "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d",
    "dropout", "group_norm", "hardshrink", "layer_norm", "max_pool1d", "max_pool2d", "max_pool3d",
    "pixel_shuffle", "pixel_unshuffle", "prelu", "rms_norm", "rrelu", "selu", "threshold",
)
__all__ = [
    "BoolTensor", "ByteTensor", "CharTensor", "DoubleTensor", "FloatTensor", "Function",
    "Generator", "HalfTensor", "IntTensor", "LongTensor", "ShortTensor", "Size", "Tensor", "abs",
    "absolute", "acos", "acosh", "add", "addbmm", "addcdiv", "addcmul", "addmm", "addmv", "addr",
    "adjoint", "all", "allclose", "amax", "amin", "aminmax", "angle", "any", "arange", "arccos",
    "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "argmax", "argmin", "argsort",
    "argwhere", "as_strided", "as_tensor", "asarray", "asin", "asinh", "atan", "atan2", "atanh",
    "atleast_1d", "atleast_2d", "atleast_3d", "baddbmm", "bernoulli", "bfloat16", "bincount",
    "bitwise_and", "bitwise_left_shift", "bitwise_not", "bitwise_or", "bitwise_right_shift",
    "bitwise_xor", "block_diag", "bmm", "bool", "broadcast_shapes", "broadcast_tensors",
    "broadcast_to", "bucketize", "can_cast", "cartesian_prod", "cat", "cdist", "cdouble", "ceil",
    "cfloat", "chain_matmul", "channels_last", "channels_last_3d", "cholesky", "cholesky_inverse",
    "cholesky_solve", "chunk", "clamp", "clamp_max", "clamp_min", "clip", "clone", "column_stack",
    "combinations", "compile", "complex128", "complex64", "concat", "concatenate", "conj",
    "conj_physical", "contiguous_format", "copysign", "corrcoef", "cos", "cosh",
    "cosine_similarity", "count_nonzero", "cov", "cross", "cummax", "cummin", "cumprod", "cumsum",
    "cumulative_trapezoid", "default_generator", "deg2rad", "det", "detach", "detach_", "device",
    "diag", "diag_embed", "diagflat", "diagonal", "diagonal_scatter", "diff", "digamma", "dist",
    "div", "divide", "dot", "double", "dsplit", "dstack", "dtype", "e", "einsum", "empty",
    "empty_like", "enable_grad", "eq", "equal", "erf", "erfc", "erfinv", "exp", "exp2", "expm1",
    "eye", "finfo", "fix", "flatten", "flip", "fliplr", "flipud", "float", "float16", "float32",
    "float64", "float_power", "floor", "floor_divide", "fmax", "fmin", "fmod", "frac", "frexp",
    "from_numpy", "frombuffer", "full", "full_like", "gather", "gcd", "ge", "ger",
    "get_default_device", "get_default_dtype", "get_num_threads", "get_rng_state", "gradcheck",
    "gradgradcheck", "gradient", "gradients", "greater", "greater_equal", "gt", "half", "heaviside",
    "histc", "histogram", "hooks", "hsplit", "hstack", "hypot", "i0", "iinfo", "index_add",
    "index_copy", "index_fill", "index_put", "index_reduce", "index_select", "inf",
    "inference_mode", "initial_seed", "inner", "inplace", "int", "int16", "int32", "int64", "int8",
    "inverse", "is_complex", "is_conj", "is_floating_point", "is_grad_enabled", "is_inference",
    "is_inference_mode_enabled", "is_neg", "is_nonzero", "is_same_size", "is_signed", "is_tensor",
    "isclose", "isfinite", "isin", "isinf", "isnan", "isneginf", "isposinf", "isreal", "kron",
    "kthvalue", "lcm", "ldexp", "le", "lerp", "less", "less_equal", "lgamma", "linalg", "linspace",
    "load", "log", "log10", "log1p", "log2", "log_softmax", "logaddexp", "logaddexp2",
    "logcumsumexp", "logdet", "logical_and", "logical_not", "logical_or", "logical_xor", "logit",
    "logspace", "logsumexp", "long", "lstsq", "lt", "lu", "lu_solve", "lu_unpack", "manual_seed",
    "masked_fill", "masked_scatter", "masked_select", "matmul", "matrix_exp", "matrix_power", "max",
    "maximum", "mean", "median", "meshgrid", "min", "minimum", "mm", "mode", "modes", "moveaxis",
    "movedim", "msort", "mul", "multinomial", "multiply", "mv", "mvlgamma", "nan", "nan_to_num",
    "nanmean", "nanmedian", "nanquantile", "nansum", "narrow", "narrow_copy", "ne", "neg",
    "negative", "newaxis", "nextafter", "no_grad", "nonzero", "norm", "normal", "not_equal",
    "numel", "ones", "ones_like", "outer", "pairwise_distance", "pca_lowrank", "pdist", "permute",
    "pi", "pinverse", "poisson", "polygamma", "positive", "pow", "preserve_format", "prod",
    "promote_types", "put", "qr", "quantile", "rad2deg", "rand", "rand_like", "randint",
    "randint_like", "randn", "randn_like", "random", "randperm", "range", "ravel", "real",
    "reciprocal", "relu", "remainder", "renorm", "repeat_interleave", "reshape", "resolve_conj",
    "resolve_neg", "result_type", "roll", "rot90", "round", "row_stack", "rsqrt", "rsub", "save",
    "scalar_tensor", "scatter", "scatter_add", "scatter_reduce", "searchsorted", "seed", "select",
    "select_scatter", "set_default_device", "set_default_dtype", "set_default_tensor_type",
    "set_float32_matmul_precision", "set_grad_enabled", "set_num_threads", "set_printoptions",
    "set_rng_state", "sgn", "short", "sigmoid", "sign", "signbit", "sin", "sinc", "sinh",
    "slice_scatter", "slogdet", "softmax", "sort", "split", "split_with_sizes", "spmm", "sqrt",
    "square", "squeeze", "stack", "std", "std_mean", "strided", "sub", "subtract", "sum", "svd",
    "svd_lowrank", "swapaxes", "swapdims", "t", "take", "take_along_dim", "tan", "tanh", "tensor",
    "tensor_split", "tensordot", "tile", "topk", "trace", "transpose", "trapezoid", "trapz",
    "triangular_solve", "tril", "tril_indices", "triu", "triu_indices", "true_divide", "trunc",
    "typename", "uint8", "unbind", "unflatten", "unique", "unique_consecutive", "unravel_index",
    "unsqueeze", "use_deterministic_algorithms", "vander", "var", "var_mean", "vdot", "vsplit",
    "vstack", "where", "xlogy", "zeros", "zeros_like",
]
# fmt: on


def __getattr__(name):
    """Import the larger parts at their first use; exp_(x) is x.exp_(), as for any such method."""
    if name.endswith("_") and not name.startswith("_") and hasattr(Tensor, name):
        return getattr(Tensor, name)
    if name not in LATER + OF_LAYERS:
        raise AttributeError(f"module 'tinytorch' has no attribute {name!r}")
    import importlib

    if name in OF_LAYERS:
        return getattr(importlib.import_module("tinytorch.nn.functional"), name)
    if part := {"autocast": "amp", "vmap": "func"}.get(name):
        return getattr(importlib.import_module(f"tinytorch.{part}"), name)
    home = "cuda" if name == "accelerator" else name
    return importlib.import_module(f"tinytorch.{home}")
