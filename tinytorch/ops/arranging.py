"""Less common ways to cut, join and turn tensors, made of the common ones."""

from itertools import combinations as tuples
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from tinytorch.operation import view
from tinytorch.ops.combining import column_stack, meshgrid
from tinytorch.ops.dims import axis_and_length, axis_of, common_shape
from tinytorch.ops.elementwise import mul
from tinytorch.ops.index_reading import along
from tinytorch.ops.indexing import diag, getitem, place
from tinytorch.ops.joining import cat, split, stack, vstack
from tinytorch.ops.reductions import cumprod, cumsum
from tinytorch.ops.shapes import expand, flatten, movedim, reshape, unsqueeze
from tinytorch.ops.view_history import AS_STRIDED
from tinytorch.tensor import Size, Tensor, check_tensors, method, wrap

# --- shapes ---


def broadcast_tensors(*tensors) -> "tuple[Tensor, ...]":
    """Views of the tensors, all of the shape to which they broadcast together."""
    shape = broadcast_shapes(*[tensor.shape for tensor in tensors])
    return tuple([expand(tensor, shape) for tensor in tensors])


def broadcast_shapes(*shapes) -> Size:
    """The shape to which these shapes broadcast together.

    >>> broadcast_shapes((2, 1), (3,))
    tinytorch.Size([2, 3])
    """
    return Size(common_shape(*shapes))


def at_least(name, ndim, view):
    """atleast_1d(), atleast_2d() or atleast_3d(), of one tensor or of several."""

    def atleast(*tensors) -> "Tensor | Any":
        tensors = tensors[0] if isinstance(tensors[0], (tuple, list)) else tensors
        found = [view(x) if x.dim() < ndim else x for x in tensors]
        return found[0] if len(found) == 1 else tuple(found)

    atleast.__name__ = atleast.__qualname__ = name
    atleast.__doc__ = f"The tensor, or each of several, with at least {ndim} dimensions."
    return atleast


atleast_1d = at_least("atleast_1d", 1, lambda x: reshape(x, 1))
atleast_2d = at_least("atleast_2d", 2, lambda x: reshape(x, 1, -1))
atleast_3d = at_least("atleast_3d", 3, lambda x: unsqueeze(atleast_2d(x), -1))


@method("unfold")
def unfold(input, dimension, size, step):
    """All windows of `size` slices along `dimension`, `step` apart, as a new last one: a view.

    >>> tinytorch.arange(5).unfold(0, 3, 2)
    tensor([[0, 1, 2],
            [2, 3, 4]])
    """
    dim, length = axis_and_length(input, dimension)
    if not 0 <= size <= length or step < 1:
        raise RuntimeError(f"unfold of size {size} and step {step} does not fit into {length}")
    x, every = input._data, along(dim, slice(None, None, step))
    seen = sliding_window_view(x, size, dim, writeable=x.flags.writeable)[every]
    places = sliding_window_view(np.arange(x.size).reshape(x.shape), size, dim)[every]
    return view(seen, AS_STRIDED, input, x.shape, places)


# --- cutting and joining ---


@method("tensor_split")
def tensor_split(input, indices_or_sections, dim=0) -> "tuple[Tensor, ...]":
    """split() into so many pieces, the first ones perhaps longer, or before each of the indices."""
    dim, length = axis_and_length(input, dim)
    if isinstance(indices_or_sections, Tensor):
        indices_or_sections = indices_or_sections.tolist()
    if isinstance(indices_or_sections, int):
        if indices_or_sections < 1:
            raise RuntimeError(f"tensor_split needs 1 piece or more, got {indices_or_sections}")
        count, more = divmod(length, indices_or_sections)
        return split(input, [count + (i < more) for i in range(indices_or_sections)], dim)
    ends = [max(i + length, 0) if i < 0 else min(i, length) for i in indices_or_sections]
    pairs = zip([0, *ends], [*ends, length], strict=True)
    return tuple([input.narrow(dim, a, max(b - a, 0)) for a, b in pairs])


def splitting(name, dim):
    """tensor_split() along one dimension, into pieces of one length where it gets a number."""

    def split_along(input, indices_or_sections) -> "tuple[Tensor, ...]":
        needed = {"hsplit": 1, "vsplit": 2, "dsplit": 3}[name]
        if input.dim() < needed:
            raise RuntimeError(f"{name}() needs {needed} dimension(s), got shape {input.shape}")
        axis, count = min(dim, input.dim() - 1), indices_or_sections
        if isinstance(count, int) and (count < 1 or input.shape[axis] % count):
            raise RuntimeError(f"{name}() cannot cut {input.shape[axis]} into {count} equal pieces")
        return tensor_split(input, count, axis)

    return method(name, doc=f"tensor_split() along dimension {dim}, into equal parts.")(split_along)


vsplit, hsplit, dsplit = [splitting(f"{name}split", dim) for dim, name in enumerate("vhd")]
row_stack = vstack


def dstack(tensors):
    """The tensors one behind the other: along the third dimension."""
    return cat([atleast_3d(tensor) for tensor in tensors], 2)


def block_diag(*tensors):
    """The matrices along the diagonal of one matrix, zeros beside them.

    >>> block_diag(tinytorch.ones(1, 1), tinytorch.ones(1, 2))
    tensor([[1., 0., 0.],
            [0., 1., 1.]])
    """
    blocks = [atleast_2d(tensor) for tensor in tensors]
    width, left, rows = sum(block.shape[1] for block in blocks), 0, []
    for block in blocks:
        columns = slice(left, left + block.shape[1])
        rows.append(place(block, (len(block), width), (slice(None), columns)))
        left = columns.stop
    return cat(rows)


def cartesian_prod(*tensors):
    """All tuples of a number from each of the vectors, as rows."""
    return column_stack([grid.reshape(-1) for grid in meshgrid(*tensors)]).squeeze(-1)


def combinations(input, r=2, with_replacement=False):
    """All choices of `r` numbers of a vector, as rows."""
    choose = combinations_with_replacement if with_replacement else tuples
    if not r:
        return input[:0]
    rows = list(choose(range(len(input)), r))
    return getitem(input, wrap(np.array(rows, np.int64).reshape(len(rows), r)))


# --- diagonals ---


@method("diag_embed")
def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    """Matrices with the rows of `input` as their diagonals."""
    n, ndim = input.shape[-1] + abs(offset), input.dim() + 1
    index = (..., *np.nonzero(np.eye(n, k=offset)))
    whole = place(input, (*input.shape[:-1], n, n), index)
    return movedim(whole, (-2, -1), (axis_of(dim1, ndim), axis_of(dim2, ndim)))


@method("diagflat")
def diagflat(input, offset=0):
    """A matrix with all the elements as its diagonal."""
    return diag(flatten(input), offset)


# --- turning ---


@method("flipud")
def flipud(input):
    """flip() of the first dimension; RuntimeError if there is none."""
    if not input.dim():
        raise RuntimeError("flipud() needs at least 1 dimension, got a 0-d tensor")
    return input.flip(0)


@method("fliplr")
def fliplr(input):
    """flip() of the second dimension."""
    return input.flip(1)


@method("rot90")
def rot90(input, k=1, dims=(0, 1)):
    """`k` quarters of a turn, from the first of `dims` to the second, which must be another one."""
    a, b = [axis_of(dim, input._data.ndim) for dim in dims]
    if a == b:
        raise RuntimeError(f"rot90 needs two different dimensions, got {tuple(dims)}")
    if k % 4 == 2:
        return input.flip(a, b)
    if k % 2 == 0:
        return input.clone()
    return input.transpose(a, b).flip(a if k % 4 == 1 else b)


# --- products and sums ---


@method("kron")
def kron(input, other):
    """Each element of `input` times the whole of `other`, side by side.

    >>> kron(tinytorch.tensor([1, 10]), tinytorch.tensor([1, 2]))
    tensor([ 1,  2, 10, 20])
    """
    ndim = max(input.dim(), other.dim())
    a, b = [x.reshape((1,) * (ndim - x.dim()) + x.shape) for x in (input, other)]
    apart = [a.reshape([n for m in a.shape for n in (m, 1)])]
    apart.append(b.reshape([n for m in b.shape for n in (1, m)]))
    return mul(*apart).reshape([m * n for m, n in zip(a.shape, b.shape, strict=True)])


def vander(x, N=None, increasing=False):
    """The powers of the numbers of a vector, as columns: from the highest down to 0."""
    check_tensors("vander", x=x)
    if N is not None and N < 0:
        raise RuntimeError(f"vander() needs N, the number of powers, to be at least 0, got {N}")
    count = len(x) if N is None else N
    ones = [wrap(np.ones_like(x._data))] if count else []
    columns = ones + [x] * (count - 1)
    powers = cumprod(stack(columns, 1), 1) if count else x[:, None][:, :0]
    return powers if increasing else powers.flip(1)


def trapezoids(y, x, dx, dim):
    """The areas between neighbours along `dim`."""
    n = y.shape[dim] - 1
    heights = y.narrow(dim, 0, n) + y.narrow(dim, 1, n)
    if x is None:
        return heights * (dx / 2)
    widths = x.diff(dim=-1 if x.dim() == 1 else dim)
    if x.dim() == 1:
        widths = widths.reshape(-1, *[1] * (y.dim() - 1 - axis_of(dim, y.dim())))
    return heights * widths / 2


def trapezoid(y, x=None, *, dx=1.0, dim=-1):
    """The area under the line through the points `y`, at the places `x`, or `dx` apart.

    >>> trapezoid(tinytorch.tensor([0.0, 2.0, 2.0]))
    tensor(3.)
    """
    return trapezoids(y, x, dx, dim).sum(dim)


def cumulative_trapezoid(y, x=None, *, dx=1.0, dim=-1):
    """The area up to each point but the first."""
    return cumsum(trapezoids(y, x, dx, dim), dim)


trapz = trapezoid
