"""The table of operations that chapter 7 and the library's tests go through: one line for each.

Each line: name, the operation written for a module `t` (tinytorch or torch), the shapes of its
inputs, and the range of their values.
"""

import numpy as np

ANY, POSITIVE, UNIT = (-2.0, 2.0), (0.5, 2.0), (-0.8, 0.8)
ONE_INPUT = [(3, 2), (), (0, 3)]
TWO_INPUTS = [((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 1), (1, 3)), ((), (2, 2)), ((2, 0), (1, 1))]


def method(name, *args, **kwargs):
    return lambda t, x: getattr(x, name)(*args, **kwargs)


def function(name):
    return lambda t, *inputs: getattr(t, name)(*inputs)


def steep(t, x):
    """The matrix with a large diagonal, so that it is far from singular."""
    return x + t.eye(x.shape[-1], dtype=x.dtype) * 3


UNARY = {
    ANY: "neg exp exp2 expm1 square abs sin cos atan asinh sinh cosh tanh sigmoid relu erf"
    " sign floor ceil round trunc frac deg2rad rad2deg erfc sinc i0",
    POSITIVE: "log log1p log2 log10 sqrt rsqrt reciprocal lgamma digamma",
    UNIT: "tan asin acos atanh erfinv",
}
BINARY = {
    ANY: "add sub mul maximum minimum fmax fmin atan2 hypot logaddexp logaddexp2 copysign",
    POSITIVE: "div pow remainder fmod xlogy",
}

ELEMENTWISE = [
    *[
        (name, function(name), (shape,), values)
        for values, names in UNARY.items()
        for name in names.split()
        for shape in ONE_INPUT
    ],
    *[
        (name, function(name), shapes, values)
        for values, names in BINARY.items()
        for name in names.split()
        for shapes in TWO_INPUTS
    ],
]
NUMBERS = [
    ("x + 2", lambda t, x: x + 2, ((3,),), ANY),
    ("2 - x", lambda t, x: 2 - x, ((3,),), ANY),
    ("2 * x", lambda t, x: 2 * x, ((3,),), ANY),
    ("2 / x", lambda t, x: 2 / x, ((3,),), POSITIVE),
    ("x ** 3", lambda t, x: x**3, ((3,),), ANY),
    ("x ** 0", lambda t, x: x**0, ((3,),), ANY),
    ("x ** 0.5", lambda t, x: x**0.5, ((3,),), POSITIVE),
    ("2 ** x", lambda t, x: 2**x, ((3,),), ANY),
    ("x * x", lambda t, x: x * x, ((3,),), ANY),
    ("add alpha", lambda t, x, y: t.add(x, y, alpha=3), ((3,), (2, 3)), ANY),
    ("sub alpha", lambda t, x, y: t.sub(x, y, alpha=3), ((3,), (2, 3)), ANY),
    ("div down", lambda t, x, y: t.div(x, y, rounding_mode="floor"), ((3,), (2, 3)), ANY),
    ("div to 0", lambda t, x, y: t.div(x, y, rounding_mode="trunc"), ((3,), (2, 3)), ANY),
]
CHOOSING = [
    ("where", lambda t, x, y: t.where(x > 0, x, y), ((2, 3), (3,)), ANY),
    ("where number", lambda t, x: t.where(x > 0, x, 2.0), ((2, 3),), ANY),
    ("clamp", lambda t, x: t.clamp(x, -1, 1), ((2, 3),), ANY),
    ("clamp min", lambda t, x: x.clamp(min=0.5), ((2, 3),), ANY),
    ("clamp_min", lambda t, x: t.clamp_min(x, 0.5), ((2, 3),), ANY),
    ("clamp_max", lambda t, x: t.clamp_max(x, 0.5), ((2, 3),), ANY),
    ("lerp", lambda t, x, y: x.lerp(y, 0.3), ((2, 3), (2, 3)), ANY),
    ("logit", lambda t, x: t.logit(x / 5), ((2, 3),), POSITIVE),
    ("logit eps", lambda t, x: x.logit(0.3), ((2, 3),), UNIT),
    ("polygamma", lambda t, x: t.polygamma(2, x), ((2, 3),), POSITIVE),
    ("float_power", lambda t, x: t.float_power(x, 2.5).to(x.dtype), ((2, 3),), POSITIVE),
]
REDUCTIONS = [
    *[
        (f"{name} {args}", method(name, **args), (shape,), POSITIVE)
        for name in ("sum", "mean", "amax", "amin", "logsumexp")
        for args, shape in [
            ({"dim": 0}, (3, 2)),
            ({"dim": (0, -1)}, (2, 3, 2)),
            ({"dim": 1, "keepdim": True}, (3, 2)),
            ({"dim": 0}, ()),
        ]
    ],
    *[
        (name, method(name), (shape,), ANY)
        for name in ("sum", "mean", "max", "min", "prod", "norm")
        for shape in [(3, 2), (), (1,)]
    ],
    ("sum empty", method("sum"), ((0, 3),), ANY),
    ("sum empty dim", method("sum", dim=0), ((0, 3),), ANY),
    ("var", method("var"), ((3, 2),), ANY),
    ("var dim", method("var", dim=0, keepdim=True), ((3, 2),), ANY),
    ("var biased", method("var", 1, unbiased=False), ((3, 2),), ANY),
    ("std", method("std", dim=1, correction=0), ((3, 2),), ANY),
    ("prod dim", method("prod", dim=1), ((3, 2),), ANY),
    ("prod keep", method("prod", dim=0, keepdim=True), ((3, 2),), ANY),
    ("prod zeros", lambda t, x: (x - x.detach()).prod() + (x * 2).prod(0).sum(), ((2, 2),), ANY),
    ("norm dim", method("norm", dim=0), ((3, 2),), ANY),
    ("norm 1", method("norm", p=1, dim=0), ((3, 2),), ANY),
    ("norm 3", method("norm", p=3), ((3, 2),), ANY),
    ("norm inf", method("norm", p=float("inf")), ((3, 2),), ANY),
    ("max dim", lambda t, x: x.max(dim=1).values, ((3, 2),), ANY),
    ("min dim", lambda t, x: x.min(0, keepdim=True)[0], ((3, 2),), ANY),
    ("max 0-d", lambda t, x: x.max(dim=0).values, ((),), ANY),
    ("softmax", method("softmax", dim=1), ((2, 3),), ANY),
    ("softmax first", lambda t, x: t.softmax(x, 0), ((2, 3),), ANY),
    ("log_softmax", method("log_softmax", -1), ((2, 3),), ANY),
    ("softmax 0-d", method("softmax", 0), ((),), ANY),
    ("cumsum", method("cumsum", 1), ((2, 3),), ANY),
    ("cumsum 0-d", method("cumsum", 0), ((),), ANY),
    ("cumprod", method("cumprod", 1), ((2, 3),), ANY),
    ("quantile", lambda t, x: x.quantile(0.3, dim=1), ((2, 4),), ANY),
    ("quantile all", lambda t, x: t.quantile(x, t.tensor([0.1, 0.8], dtype=x.dtype)), ((5,),), ANY),
    ("kthvalue", lambda t, x: x.kthvalue(2, 0, True).values, ((3, 2),), ANY),
    ("cummax", lambda t, x: x.cummax(1).values, ((2, 4),), ANY),
    ("cummin", lambda t, x: t.cummin(x, 0)[0], ((4, 2),), ANY),
    ("aminmax", lambda t, x: x.aminmax(dim=1).max, ((2, 3),), ANY),
    ("logcumsumexp", method("logcumsumexp", 1), ((2, 4),), ANY),
    ("cov", lambda t, x: t.cov(x), ((2, 4),), ANY),
    ("corrcoef", lambda t, x: t.corrcoef(x), ((2, 4),), ANY),
    ("dist", lambda t, x, y: t.dist(x, y), ((2, 3), (3,)), ANY),
]
SHAPES = [
    ("reshape", method("reshape", 3, -1), ((2, 3),), ANY),
    ("reshape empty", method("reshape", 3, 0), ((0, 3),), ANY),
    ("view", method("view", 6), ((2, 3),), ANY),
    ("flatten", method("flatten", 1), ((2, 3, 2),), ANY),
    ("flatten 0-d", method("flatten"), ((),), ANY),
    ("unflatten", method("unflatten", 0, (2, 3)), ((6, 1),), ANY),
    ("squeeze", method("squeeze"), ((1, 3, 1),), ANY),
    ("squeeze dim", method("squeeze", 0), ((1, 3, 1),), ANY),
    ("unsqueeze", method("unsqueeze", -1), ((3,),), ANY),
    ("permute", method("permute", 2, 0, 1), ((2, 3, 4),), ANY),
    ("transpose", method("transpose", 0, 2), ((2, 3, 1),), ANY),
    ("transpose number", method("transpose", 0, -1), ((),), ANY),
    ("T", lambda t, x: x.T, ((2, 3),), ANY),
    ("mT", lambda t, x: x.mT, ((2, 3, 1),), ANY),
    ("t", method("t"), ((2, 3),), ANY),
    ("movedim", lambda t, x: t.movedim(x, 0, -1), ((2, 3, 2),), ANY),
    ("expand", method("expand", 4, -1, 3), ((2, 1),), ANY),
    ("expand 0-d", method("expand", 2, 2), ((),), ANY),
    ("clone", method("clone"), ((2, 3),), ANY),
    ("contiguous", lambda t, x: x.T.contiguous(), ((2, 3),), ANY),
]
INDEXING = [
    ("row", lambda t, x: x[1], ((3, 2),), ANY),
    ("element", lambda t, x: x[1, 0], ((3, 2),), ANY),
    ("slice", lambda t, x: x[::2, 1:], ((3, 2),), ANY),
    ("new axis", lambda t, x: x[:, None, ..., -1], ((3, 2),), ANY),
    ("integers", lambda t, x: x[t.tensor([0, 2, 0])], ((3, 2),), ANY),
    ("integer pairs", lambda t, x: x[t.tensor([0, 2]), t.tensor([1, 1])], ((3, 2),), ANY),
    ("list", lambda t, x: x[:, [1, 0, 1]], ((3, 2),), ANY),
    ("number, slice, list", lambda t, x: x[1, :, [0, 1, 1]], ((2, 3, 2),), ANY),
    ("list, number, ...", lambda t, x: x[[0, 1, 1], 1, ..., None], ((2, 3, 2),), ANY),
    ("number, slice, mask", lambda t, x: x[-1, :, [True, False]], ((2, 3, 2),), ANY),
    ("mask", lambda t, x: x[x > 0], ((3, 2),), ANY),
    ("gather", lambda t, x: x.gather(1, t.tensor([[1, 1, 0], [0, 0, 0]])), ((2, 2),), ANY),
    ("take_along", lambda t, x: t.take_along_dim(x, t.tensor([[1], [0]]), dim=1), ((2, 2),), ANY),
    (
        "scatter_add",
        lambda t, x, y: x.scatter_add(0, t.tensor([[0, 0], [1, 0]]), y),
        ((3, 2), (2, 2)),
        ANY,
    ),
    (
        "scatter",
        lambda t, x, y: x.scatter(1, t.tensor([[1], [0]]), y),
        ((2, 2), (2, 1)),
        ANY,
    ),
    ("index_select", lambda t, x: x.index_select(1, t.tensor([1, 1])), ((2, 3),), ANY),
    (
        "index_add",
        lambda t, x, y: x.index_add(0, t.tensor([1, 1]), y),
        ((3, 2), (2, 2)),
        ANY,
    ),
    ("masked_fill", lambda t, x: x.masked_fill(x > 0, 7.0), ((3, 2),), ANY),
    ("masked_select", lambda t, x: x.masked_select(x > 0), ((3, 2),), ANY),
    ("select", method("select", 1, 0), ((3, 2),), ANY),
    ("narrow", method("narrow", 0, 1, 2), ((3, 2),), ANY),
    ("diagonal", method("diagonal"), ((3, 2),), ANY),
    ("diagonal 1", method("diagonal", 1), ((2, 4),), ANY),
    ("diag", lambda t, x: t.diag(x), ((3,),), ANY),
    ("sort", lambda t, x: x.sort(dim=0, descending=True).values, ((3, 2),), ANY),
    ("topk", lambda t, x: x.topk(2, dim=1).values, ((2, 3),), ANY),
    ("index_fill", lambda t, x: x.index_fill(1, t.tensor([0]), 2.0), ((2, 3),), ANY),
    ("index_copy", lambda t, x, y: x.index_copy(0, t.tensor([2, 0]), y), ((3, 2), (2, 2)), ANY),
    (
        "index_put",
        lambda t, x, y: x.index_put((t.tensor([0, 0, 1]),), y, accumulate=True),
        ((3, 2), (2,)),
        ANY,
    ),
    ("masked_scatter", lambda t, x, y: x.masked_scatter(x > 0, y), ((3, 2), (6,)), ANY),
    ("take", lambda t, x: x.take(t.tensor([[0, 5], [0, 2]])), ((3, 2),), ANY),
    *[
        (
            f"scatter_reduce {how} {own}",
            lambda t, x, y, how=how, own=own: x.scatter_reduce(
                0, t.tensor([[0, 0], [2, 0], [0, 0]]), y, how, include_self=own
            ),
            ((3, 2), (3, 2)),
            ANY,
        )
        for how in ("sum", "mean", "amax", "amin")
        for own in (True, False)
    ],
]
JOINING = [
    ("atleast_3d", lambda t, x: t.atleast_3d(x), ((2, 3),), ANY),
    ("broadcast_tensors", lambda t, *x: t.stack(t.broadcast_tensors(*x)), ((2, 1), (3,)), ANY),
    ("unfold", method("unfold", 1, 3, 2), ((2, 7),), ANY),
    ("tensor_split", lambda t, x: t.tensor_split(x, 3)[1], ((5, 2),), ANY),
    ("tensor_split at", lambda t, x: x.tensor_split((1, 3), 1)[1], ((2, 5),), ANY),
    ("hsplit", lambda t, x: t.hsplit(x, 2)[1], ((2, 4),), ANY),
    ("dstack", lambda t, x, y: t.dstack([x, y]), ((2, 3), (2, 3)), ANY),
    ("block_diag", lambda t, x, y: t.block_diag(x, y), ((2, 1), (3,)), ANY),
    ("cartesian_prod", lambda t, x, y: t.cartesian_prod(x, y), ((2,), (3,)), ANY),
    ("combinations", lambda t, x: t.combinations(x, 2), ((4,),), ANY),
    ("diag_embed", lambda t, x: t.diag_embed(x, 1), ((2, 3),), ANY),
    ("diagflat", lambda t, x: t.diagflat(x), ((2, 2),), ANY),
    *[(f"rot90 {k}", lambda t, x, k=k: t.rot90(x, k), ((2, 3),), ANY) for k in (0, 1, 2, 3)],
    ("fliplr", method("fliplr"), ((2, 3),), ANY),
    ("flipud", method("flipud"), ((2, 3),), ANY),
    ("kron", function("kron"), ((2, 3), (3, 2)), ANY),
    ("kron vector", function("kron"), ((2,), (3, 2)), ANY),
    ("trapezoid", lambda t, y, x: t.trapezoid(y, x), ((2, 4), (4,)), ANY),
    ("trapezoid dx", lambda t, y: t.trapezoid(y, dx=0.5, dim=0), ((4, 2),), ANY),
    ("cumulative_trapezoid", lambda t, y: t.cumulative_trapezoid(y), ((2, 4),), ANY),
    ("cat", lambda t, x, y: t.cat([x, y, x], 1), ((2, 1), (2, 2)), ANY),
    ("stack", lambda t, x, y: t.stack((x, y), -1), ((2, 3), (2, 3)), ANY),
    ("split", lambda t, x: t.split(x, 2)[0] * t.split(x, 2)[1], ((4, 2),), ANY),
    ("split sizes", lambda t, x: x.split([1, 3], 1)[1], ((2, 4),), ANY),
    ("chunk", lambda t, x: x.chunk(2, 1)[1], ((2, 3),), ANY),
    ("unbind", lambda t, x: x.unbind(1)[0] * 2, ((2, 3),), ANY),
    ("flip", lambda t, x: x.flip(0, 1), ((2, 3),), ANY),
    ("roll", lambda t, x: x.roll(1, 1), ((2, 3),), ANY),
    ("roll flat", lambda t, x: x.roll(2), ((2, 3),), ANY),
    ("repeat", method("repeat", 2, 1, 3), ((2, 1),), ANY),
    ("tile", method("tile", 2), ((2, 2),), ANY),
    ("repeat_interleave", method("repeat_interleave", 2, dim=1), ((2, 2),), ANY),
    ("tril", method("tril"), ((3, 3),), ANY),
    ("triu", method("triu", 1), ((2, 3, 3),), ANY),
]
PRODUCTS = [
    *[
        ("matmul", function("matmul"), shapes, ANY)
        for shapes in [
            ((2, 3), (3, 2)),
            ((3,), (3,)),
            ((2, 3), (3,)),
            ((3,), (3, 2)),
            ((2, 2, 3), (3, 2)),
            ((2, 2, 3), (2, 3, 1)),
            ((2, 1, 2, 3), (2, 3, 2)),
            ((2, 3), (2, 3, 2)),
            ((3,), (2, 3, 2)),
            ((2, 2, 3), (3,)),
            ((0, 3), (3, 2)),
            ((2, 0), (0, 2)),
            ((0, 2, 3), (3, 2)),
        ]
    ],
    ("outer", function("outer"), ((3,), (2,)), ANY),
    ("addmv", function("addmv"), ((2,), (2, 3), (3,)), ANY),
    ("addr", function("addr"), ((2, 3), (2,), (3,)), ANY),
    ("baddbmm", function("baddbmm"), ((2, 2, 2), (2, 2, 3), (2, 3, 2)), ANY),
    ("addbmm", function("addbmm"), ((2, 2), (2, 2, 3), (2, 3, 2)), ANY),
    ("chain_matmul", lambda t, x, y: t.linalg.multi_dot([x, y, x]), ((2, 3), (3, 2)), ANY),
    ("matrix_power", lambda t, x: t.matrix_power(x, 3), ((2, 2, 2),), ANY),
    ("matrix_power -2", lambda t, x: t.matrix_power(steep(t, x), -2), ((2, 2),), UNIT),
    ("cross", lambda t, x, y: t.linalg.cross(x, y), ((2, 3), (2, 3)), ANY),
    ("cross first", lambda t, x, y: t.cross(x, y, dim=0), ((3, 2), (3, 2)), ANY),
    ("dot", function("dot"), ((3,), (3,)), ANY),
    ("inner", function("inner"), ((2, 3), (4, 3)), ANY),
    ("trace", function("trace"), ((2, 3),), ANY),
    ("tensordot", lambda t, x, y: t.tensordot(x, y, dims=1), ((2, 3), (3, 2)), ANY),
    (
        "tensordot lists",
        lambda t, x, y: t.tensordot(x, y, dims=([1, 0], [0, 2])),
        ((2, 3, 1), (3, 2, 2)),
        ANY,
    ),
    *[
        (f"linalg.{name}", lambda t, x, n=name: getattr(t.linalg, n)(steep(t, x)), (shape,), UNIT)
        for name in ("inv", "det")
        for shape in [(2, 2), (2, 3, 3)]
    ],
    *[
        ("linalg.solve", lambda t, x, y: t.linalg.solve(steep(t, x), y), shapes, UNIT)
        for shapes in [((2, 2), (2,)), ((3, 3), (3, 2)), ((2, 2, 2), (2, 2, 1))]
    ],
    (
        "cholesky",
        lambda t, x: t.linalg.cholesky(x @ x.mT + 3 * t.eye(3, dtype=x.dtype)),
        ((2, 3, 3),),
        ANY,
    ),
    (
        "solve_triangular",
        lambda t, x, y: t.linalg.solve_triangular(steep(t, x), y, upper=True),
        ((3, 3), (3, 2)),
        UNIT,
    ),
    (
        "solve_triangular right",
        lambda t, x, y: t.linalg.solve_triangular(steep(t, x), y, upper=False, left=False),
        ((3, 3), (2, 3)),
        UNIT,
    ),
    (
        "cholesky_solve",
        lambda t, x, y: t.cholesky_solve(y, steep(t, x).tril()),
        ((3, 3), (3, 2)),
        UNIT,
    ),
    (
        "cholesky_inverse",
        lambda t, x: t.cholesky_inverse(steep(t, x).triu(), upper=True),
        ((3, 3),),
        UNIT,
    ),
    ("logdet", lambda t, x: t.logdet(steep(t, x)), ((2, 3, 3),), UNIT),
    ("slogdet", lambda t, x: t.linalg.slogdet(-steep(t, x))[1], ((3, 3),), UNIT),
    ("vecdot", lambda t, x, y: t.linalg.vecdot(x, y), ((2, 3), (3,)), ANY),
    ("linalg.norm", lambda t, x: t.linalg.norm(x), ((2, 3),), POSITIVE),
    ("linalg.norm 1", lambda t, x: t.linalg.norm(x, 1, dim=1), ((2, 3),), POSITIVE),
    ("addmm", function("addmm"), ((2,), (2, 3), (3, 2)), ANY),
    *[
        (equation, lambda t, *x, e=equation: t.einsum(e, *x), shapes, ANY)
        for equation, shapes in [
            ("ij,jk->ik", ((2, 3), (3, 2))),
            ("ij->", ((2, 3),)),
            ("ij->ji", ((2, 3),)),
            ("ii->i", ((3, 3),)),
            ("ii", ((3, 3),)),
            ("bij,bjk,k->bi", ((2, 2, 3), (2, 3, 2), (2,))),
            ("...i,ij->...j", ((2, 2, 3), (3, 2))),
            ("i,j", ((2,), (3,))),
            ("...ij,...jk->...ik", ((2, 2, 1), (1, 1, 2))),
            ("...i,...j->...ij", ((0, 3), (1, 2))),
            ("ij,ij->i", ((2, 3), (1, 1))),
        ]
    ],
]
NETWORKS = [
    *[
        (name, lambda t, x, name=name: getattr(t.nn.functional, name)(x), ((2, 3),), ANY)
        for name in ("gelu", "silu", "softplus", "elu")
    ],
    ("pad", lambda t, x: t.nn.functional.pad(x, (1, 2)), ((2, 3),), ANY),
    (
        "conv2d",
        lambda t, x, w: t.nn.functional.conv2d(x, w, padding=1),
        ((1, 2, 3, 3), (2, 2, 2, 2)),
        ANY,
    ),
    ("max_pool2d", lambda t, x: t.nn.functional.max_pool2d(x, 2), ((1, 2, 4, 4),), ANY),
    (
        "cross_entropy",
        lambda t, x: t.nn.functional.cross_entropy(x, t.tensor([2, 0])),
        ((2, 3),),
        ANY,
    ),
]
REST = [
    ("diff", lambda t, x: t.diff(x, n=2), ((2, 4),), ANY),
    ("diff with more", lambda t, x, y: t.diff(x, dim=0, prepend=y), ((3, 2), (1, 2)), ANY),
    ("var_mean", lambda t, x: t.stack(t.var_mean(x, dim=1)), ((2, 3),), ANY),
    ("std_mean", lambda t, x: t.stack(t.std_mean(x, 0, keepdim=True)), ((3, 2),), POSITIVE),
    ("nan_to_num", lambda t, x: t.nan_to_num(x), ((2, 3),), ANY),
    ("nanmean", lambda t, x: t.nanmean(t.where(x > 1, t.nan, x), 1), ((2, 3),), UNIT),
    ("nansum", lambda t, x: t.nansum(x, 1), ((2, 3),), ANY),
    ("column_stack", lambda t, x, y: t.column_stack([x, y]), ((3,), (3, 2)), ANY),
]

FAMILIES = {
    "element by element": ELEMENTWISE,
    "with numbers": NUMBERS,
    "choosing": CHOOSING,
    "reductions": REDUCTIONS,
    "shapes": SHAPES,
    "indexing": INDEXING,
    "joining": JOINING,
    "matrices": PRODUCTS,
    "networks": NETWORKS,
    "the rest": REST,
}
OPERATIONS = [line for lines in FAMILIES.values() for line in lines]


def arrays_for(shapes, values):
    """Random arrays, no two of their elements closer than a nudge.

    >>> [array.shape for array in arrays_for([(2, 3), ()], ANY)]
    [(2, 3), ()]
    """
    rng = np.random.default_rng(sum(sum(shape) for shape in shapes))
    return [np.asarray(rng.uniform(*values, shape)) for shape in shapes]
