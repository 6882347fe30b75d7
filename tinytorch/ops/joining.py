"""Joining and cutting tensors, and moving their elements about."""

import math
from itertools import accumulate, pairwise
from operator import itemgetter

import numpy as np

from tinytorch.node import Rule
from tinytorch.operation import linear_map, operand, recorded, views
from tinytorch.ops.conversion import clone
from tinytorch.ops.dims import as_sizes, axes_of, axis_and_length, axis_of, numpy_names, whole
from tinytorch.ops.elementwise import where
from tinytorch.ops.index_reading import along
from tinytorch.ops.indexing import getitem
from tinytorch.ops.out import with_out
from tinytorch.ops.shapes import expand, reshape, squeeze
from tinytorch.state import state
from tinytorch.tensor import Tensor, array_of, check_tensors, method, wrap

# --- cat and stack ---


def cuts(lengths, dim):
    """The indices of pieces of these `lengths`, one after the other along `dim`."""
    return [along(dim, slice(*ends)) for ends in pairwise([0, *accumulate(lengths)])]


def picking(name, indices):
    """The rule of what joins tensors, any number: the gradient of each is what its index picks."""
    return Rule(name, [itemgetter(index) for index in indices], saves_arrays=False)


@with_out
@numpy_names
def cat(tensors, dim=0):
    """The tensors one after the other along dimension `dim`; the other lengths must be equal.

    Empty ones of shape (0,), such as a program begins to collect with, are passed over.

    >>> cat([tinytorch.zeros(2), tinytorch.ones(1)])
    tensor([0., 0., 1.])
    """
    tensors = of_one_dtype(tensors)
    tensors = [tensor for tensor in tensors if tensor._data.shape != (0,)] or tensors
    shapes = [tensor._data.shape for tensor in tensors]
    if () in shapes:
        raise RuntimeError("cat() needs tensors with dimensions, got a 0-d one; use stack()")
    dim = axis_of(dim, len(shapes[0])) if {*shapes} != {(0,)} else 0
    try:
        joined = np.asarray(np.concatenate([t._data for t in tensors], dim), order="C")
    except ValueError:
        raise RuntimeError(
            f"cat() along dim {dim} got shapes {shapes}; all other lengths must be equal"
        ) from None
    indices = cuts([shape[dim] for shape in shapes], dim)
    return recorded(joined, picking("CatBackward0", indices), tensors)


concat = cat


def of_one_dtype(tensors):
    """A list of the tensors in the widest of their dtypes; TypeError for anything but tensors."""
    if not isinstance(tensors, (list, tuple)):
        kind = type(tensors).__name__
        raise TypeError(f"expected a list or tuple of tensors, got a single {kind}")
    if not tensors:
        raise ValueError("expected a list of one or more tensors, got an empty one")
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"expected tensors, got {type(tensor).__name__} among them")
    found = {tensor._data.dtype for tensor in tensors}
    if len(found) == 1:
        return list(tensors)
    floats = {dtype for dtype in found if dtype.kind == "f"}
    widest = np.result_type(*(floats or found))
    return [t if t._data.dtype == widest else t.to(widest) for t in tensors]


@with_out
@numpy_names
def stack(tensors, dim=0):
    """Tensors of one shape side by side along a new dimension at place `dim`.

    >>> stack([tinytorch.zeros(2), tinytorch.ones(2)])
    tensor([[0., 0.],
            [1., 1.]])
    """
    tensors = of_one_dtype(tensors)
    dim = axis_of(dim, tensors[0]._data.ndim + 1)
    try:
        joined = np.stack([tensor._data for tensor in tensors], dim)
    except ValueError:
        shapes = [tensor._data.shape for tensor in tensors]
        raise RuntimeError(f"stack() got shapes {shapes!s:.200}; all must be equal") from None
    every = (slice(None),) * dim
    indices = [(*every, place) for place in range(len(tensors))]
    return recorded(joined, picking("StackBackward0", indices), tensors)


def hstack(tensors):
    """The tensors side by side: along the second dimension, vectors along their only one."""
    tensors = [t if t._data.ndim else reshape(t, 1) for t in of_one_dtype(tensors)]
    return cat(tensors, 1 if tensors[0]._data.ndim > 1 else 0)


def vstack(tensors):
    """The tensors one below the other, vectors as rows."""
    return cat([t if t._data.ndim > 1 else reshape(t, 1, -1) for t in of_one_dtype(tensors)], 0)


# --- split ---


def split_formula(parts, shapes, dtype, dim):
    grads = [parts[i] if i in parts else np.zeros(n, dtype) for i, n in enumerate(shapes)]
    if state.grad_enabled:
        return cat([operand(grad) for grad in grads], dim)
    return np.asarray(np.concatenate(grads, dim), order="C")


SPLIT = Rule("SplitBackward0", (split_formula,), saves_arrays=False)


@method("split")
def split(tensor, split_size_or_sections, dim=0) -> "tuple[Tensor, ...]":
    """Views cut along `dim`: pieces of one size (the last may be less), or of the sizes given.

    >>> split(tinytorch.arange(5), 2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    x = tensor._data
    dim, length = axis_and_length(tensor, dim)
    sizes = piece_sizes(length, split_size_or_sections)
    pieces = [x[cut] for cut in cuts(sizes, dim)]
    return views(pieces, SPLIT, tensor, [piece.shape for piece in pieces], x.dtype, dim)


def piece_sizes(length, size):
    if not isinstance(size, int):
        if sum(size) != length:
            raise RuntimeError(f"split sizes {list(size)} do not add up to the length {length}")
        return list(size)
    if size < 1:
        raise RuntimeError(f"split needs a size of at least 1, got {size}")
    return [min(size, length - start) for start in range(0, length, size)] or [0]


@method("chunk")
def chunk(input, chunks, dim=0) -> "tuple[Tensor, ...]":
    """split() into at most `chunks` pieces of one size, the last perhaps less."""
    if chunks < 1:
        raise RuntimeError(f"chunk needs at least 1 chunk, got {chunks}")
    dim, length = axis_and_length(input, dim)
    return split(input, -(-length // chunks) if length else [0] * chunks, dim)


@method("unbind")
def unbind(input, dim=0) -> "tuple[Tensor, ...]":
    """A tuple of the slices along `dim`, which vanishes."""
    dim, length = axis_and_length(input, dim)
    return tuple([squeeze(piece, dim) for piece in split(input, 1, dim)[:length]])


# --- moving elements ---


@method("flip")
def flip(input, *axes, dims=None):
    """The elements in reverse order along the dimensions `dims`, a copy."""
    if not axes and dims is None:
        raise TypeError("flip() needs the dimensions to turn round, as flip(0)")
    return flipped(input, axes_of(as_sizes(axes or (dims,)), input._data.ndim))


@method("__reversed__")
def reversed_tensor(input):
    """What reversed(tensor) gives: the slices of the first dimension in reverse order."""
    return input.flip(0) if input._data.ndim else input


@linear_map("Flip", lambda grad, shape, axes: flipped(grad, axes))
def flipped(x, axes):
    return np.flip(x, axes).copy()


@method("roll")
def roll(input, shifts, dims=None):
    """The elements shifted round along `dims`, by default along the flattened tensor."""
    shifts, dims = as_sizes((shifts,)), () if dims is None else as_sizes((dims,))
    if len(shifts) != max(len(dims), 1):
        raise RuntimeError(f"roll got {len(shifts)} shifts for {len(dims)} dimensions")
    return rolled(input, shifts, tuple([axis_of(dim, input._data.ndim) for dim in dims]) or None)


@linear_map("Roll", lambda grad, shape, shifts, dims: rolled(grad, np.negative(shifts), dims))
def rolled(x, shifts, dims):
    return np.roll(x, shifts, dims)


@method("repeat")
def repeat(input, *repeats):
    """The tensor repeated along each dimension; more numbers than dimensions add some in front.

    >>> tinytorch.tensor([1, 2]).repeat(2)
    tensor([1, 2, 1, 2])
    """
    repeats = as_sizes(repeats)
    shape = (1,) * (len(repeats) - input._data.ndim) + input._data.shape
    if len(shape) != len(repeats) or min(repeats, default=0) < 0:
        raise RuntimeError(
            f"repeat needs a number of at least 0 for each of {len(shape)} dimensions,"
            f" got {repeats}"
        )
    pairs = [n for pair in zip(repeats, shape, strict=True) for n in pair]
    apart = reshape(input, [n for length in shape for n in (1, length)])
    whole = reshape(expand(apart, pairs), [r * n for r, n in zip(repeats, shape, strict=True)])
    own = whole._data.flags.writeable and not np.may_share_memory(whole._data, input._data)
    return whole if own else clone(whole)  # never a view


@method("tile")
def tile(input, *dims):
    """repeat(), where missing numbers are 1."""
    dims = as_sizes(dims)
    return repeat(input, (1,) * (input._data.ndim - len(dims)) + dims)


@method("repeat_interleave")
def repeat_interleave(input, repeats=None, dim=None, *, output_size=None):
    """Each element, or each slice of dimension `dim`, repeated by itself.

    Of counts alone, the number of each as often as it says.
    """
    if repeats is None:
        if input.dim() != 1 or input.is_floating_point():
            raise RuntimeError(f"counts are a vector of integers, got shape {tuple(input.shape)}")
        return wrap(np.repeat(np.arange(len(input)), input._data))
    if dim is None:
        input, dim = reshape(input, -1), 0
    dim, length = axis_and_length(input, dim)
    counts = repeats._data if isinstance(repeats, Tensor) else np.array(whole(repeats))
    if counts.size not in (1, length) or (counts < 0).any():
        raise RuntimeError(
            f"repeat_interleave needs a number of at least 0, or one for each of {length},"
            f" got {counts.tolist()!s:.60}"
        )
    index = np.repeat(np.arange(length), counts)
    return getitem(input, along(dim, wrap(index)))


@method("tril")
def tril(input, diagonal=0):
    """The elements on and below the diagonal of the last two dimensions, 0 elsewhere."""
    return where(below(input, diagonal), input, False)  # False is 0 in every dtype


@method("triu")
def triu(input, diagonal=0):
    """The elements on and above the diagonal of the last two dimensions, 0 elsewhere."""
    return where(below(input, diagonal - 1), False, input)


def below(input, diagonal):
    """True on and below the diagonal; RuntimeError for what is no matrix."""
    if input._data.ndim < 2:
        raise RuntimeError(f"a triangle needs at least 2 dimensions, got {input._data.ndim}")
    return wrap(np.tri(*input._data.shape[-2:], diagonal, dtype=bool))


def pad(input, pad, mode="constant", value=None):
    """The tensor with `value`, 0 by default, around it; a negative number cuts elements off.

    `pad` holds (before, after) for the last dimension, then for the one before it, and so on.
    `mode` "reflect" mirrors the tensor at its ends, "replicate" repeats them, "circular" goes on
    at the other end. RuntimeError for more than these have to give.

    >>> pad(tinytorch.ones(2), (1, 2))
    tensor([0., 1., 1., 0., 0.])
    """
    check_tensors("pad", input=input)
    if mode != "constant" and mode not in NUMPY_MODES:
        raise NotImplementedError(f"mode is 'constant' or one of {[*NUMPY_MODES]}, got {mode!r}")
    if len(pad) % 2 or len(pad) > 2 * input._data.ndim:
        raise RuntimeError(f"pad needs two numbers a dimension, got {tuple(pad)}")
    missing = 2 * input._data.ndim - len(pad)
    pairs = np.array([*pad] + [0] * missing, int).reshape(-1, 2)[::-1]
    if (pairs < 0).any():
        input, pairs = cut_off(input, -np.minimum(pairs, 0)), np.maximum(pairs, 0)
    if mode != "constant":
        return padded_from_itself(input, pairs, mode)
    return padded(input, pairs, array_of(value or 0.0, input._data.dtype))


NUMPY_MODES = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}


def padded_from_itself(input, pairs, mode):
    """`input` with its own elements around it, a copy."""
    if not pairs.any():
        return clone(input)
    for dim, (length, pair) in enumerate(zip(input.shape, pairs.tolist(), strict=True)):
        most = {"reflect": length - 1, "circular": length}.get(mode, math.inf if length else 0)
        if max(pair) > max(most, 0):
            raise RuntimeError(
                f"pad {pair} with mode {mode!r} is too much for a length of {length}"
            )
        if any(pair):
            index = np.pad(np.arange(length), pair, NUMPY_MODES[mode])
            input = getitem(input, along(dim, wrap(index)))
    return input


def cut_off(input, pairs):
    """`input` without so many elements before and after, for each dimension."""
    lengths = input._data.shape - pairs.sum(1)
    if (lengths < 0).any():
        raise RuntimeError(f"pad cuts off more than there is of shape {input._data.shape}")
    starts = pairs[:, 0].tolist()
    return input[tuple(map(slice, starts, (starts + lengths).tolist()))]


@linear_map("ConstantPadNd", lambda grad, shape, pairs, value: inside(grad, shape, pairs))
def padded(x, pairs, value):
    y = np.full(x.shape + pairs.sum(1), value, x.dtype)  # np.pad takes longer than a convolution
    inside(y, x.shape, pairs)[...] = x
    return y


def inside(grad, shape, pairs):
    """What lies inside of the padding."""
    return grad[tuple([slice(a, a + n) for (a, _), n in zip(pairs, shape, strict=True)])]
