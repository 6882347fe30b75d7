"""Products of matrices."""

from itertools import compress

import numpy as np
from numpy import ndarray

from tinytorch.node import Rule
from tinytorch.operation import fitted, operand, record, unbroadcast
from tinytorch.ops.elementwise import reflected
from tinytorch.ops.indexing import diagonal
from tinytorch.ops.joining import of_one_dtype
from tinytorch.ops.shapes import expanded, reshape, squeeze, unsqueeze
from tinytorch.state import state
from tinytorch.tensor import check_tensors, method


def matmul_left(grad, x, y):
    return written_out(grad) @ y.swapaxes(-1, -2)  # z = x @ y: dx = dz @ y^T


def matmul_right(grad, x, y):
    return x.swapaxes(-1, -2) @ written_out(grad)  # dy = x^T @ dz


def written_out(grad):
    """The gradient of a sum, one number stretched to a shape, as an array that BLAS can take."""
    return np.ascontiguousarray(grad) if type(grad) is ndarray and 0 in grad.strides else grad


MATMUL = Rule("MmBackward0", (matmul_left, matmul_right), (0, 1))


@method("matmul", "__matmul__")
def matmul(input, other):
    """The product of matrices; leading dimensions broadcast, a vector is a row or a column.

    RuntimeError if the inner lengths differ, or for a 0-d tensor.

    >>> tinytorch.matmul(tinytorch.tensor([[1.0, 2.0]]), tinytorch.tensor([[3.0], [4.0]]))
    tensor([[11.]])
    """
    input, other = operand(input), operand(other)
    m, n = input._data.ndim, other._data.ndim
    if m == 2 and n == 2:
        return matrix_product(input, other, fit=False)
    if not m or not n:
        raise RuntimeError(f"matmul needs at least 1 dimension each, got {m} and {n}")
    if m == 1:
        return squeeze(matmul(unsqueeze(input, 0), other), -2 if n > 1 else 0)
    if n == 1:
        return squeeze(matmul(input, unsqueeze(other, 1)), -1)
    if n == 2:  # one big product instead of many small ones
        rows = reshape(input, -1, input._data.shape[-1]) if input._data.size else input
        shape = (*input._data.shape[:-1], other._data.shape[-1])
        return reshape(matrix_product(rows, other, fit=not input._data.size), shape)
    return matrix_product(input, other, fit=True)


def matrix_product(input, other, fit):
    x, y = input._data, other._data
    if x.dtype is not y.dtype:
        raise RuntimeError(f"matmul needs one dtype, got {x.dtype} and {y.dtype}")
    try:
        z = state.quietly(np.matmul, x, y)
    except ValueError:
        raise RuntimeError(
            f"matmul: shapes {x.shape} and {y.shape} do not fit;"
            " the last length of the first must be the last but one of the second"
        ) from None
    rule = fitted(MATMUL, (input, other)) if fit else MATMUL
    # each operand is needed for the gradient of the other one only
    saved_x = x if other._node is not None else None
    saved_y = y if input._node is not None else None
    return record(z, rule, (input, other), saved_x, saved_y)


method("__rmatmul__")(reflected(matmul))


def product(name, m, n, doc):
    """matmul() for operands of `m` and `n` dimensions, and RuntimeError for others."""

    def multiply(input, other):
        check_tensors(name, input=input, other=other)
        x, y = input._data, other._data
        if (x.ndim, y.ndim) != (m, n):
            raise RuntimeError(
                f"{name}() needs {m} and {n} dimensions, got shapes {x.shape} and {y.shape}"
            )
        return matmul(input, other)

    return method(name, doc=doc)(multiply)


mm = product("mm", 2, 2, "The product of two matrices.")
bmm = product("bmm", 3, 3, "The products of two batches of matrices.")
mv = product("mv", 2, 1, "The product of a matrix and a vector.")
dot = product("dot", 1, 1, "The sum of the products of two vectors.")


@method("outer")
def outer(input, vec2):
    """All products of an element of the vector `input` and one of `vec2`, as a matrix."""
    check_tensors("outer", input=input, vec2=vec2)
    if not input._data.ndim == vec2._data.ndim == 1:
        raise RuntimeError(
            f"outer() needs two vectors, got shapes {input._data.shape} and {vec2._data.shape}"
        )
    return unsqueeze(input, 1) * unsqueeze(vec2, 0)


@method("addmm")
def addmm(input, mat1, mat2, *, beta=1, alpha=1):
    """beta * input + alpha * mat1 @ mat2."""
    return input * beta + matmul(mat1, mat2) * alpha


# --- einsum ---

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def einsum(equation, *operands):
    """Sums of products named by letters: "ij,jk->ik" is the product of matrices.

    RuntimeError for an equation that does not fit the shapes.

    >>> a = tinytorch.arange(6.0).reshape(2, 3)
    >>> einsum("ij->j", a)
    tensor([3., 5., 7.])
    """
    if isinstance(operands[0], (ndarray, np.generic)):
        return np.einsum(equation, *operands, optimize=True)
    operands = operands[0] if isinstance(operands[0], (list, tuple)) else operands
    operands = of_one_dtype(operands)
    terms, result = parsed(equation, operands)
    pairs = [without_repeats(term, x) for term, x in zip(terms, operands, strict=True)]
    terms, operands = [term for term, _ in pairs], [x for _, x in pairs]
    arrays = [x._data for x in operands]
    try:
        value = np.einsum(",".join(terms) + "->" + result, *arrays, optimize=len(arrays) > 2)
    except ValueError as error:
        shapes = [x.shape for x in arrays]
        raise RuntimeError(f"einsum {equation!r} of shapes {shapes}: {error}") from None
    if np.may_share_memory(value, arrays[0]):
        value = value.copy()  # the letters were only put in another order
    formulas = [einsum_formula(i, terms, result) for i in range(len(terms))]
    links = tuple(range(len(terms)))
    value = np.asarray(value, order="C")
    return record(value, Rule("EinsumBackward0", formulas, links), operands, *arrays)


def einsum_formula(place, terms, result):
    """The gradient of operand number `place`: an einsum, too, of `grad` and the other operands."""
    term, others = terms[place], terms[:place] + terms[place + 1 :]
    found = "".join([letter for letter in term if letter in result + "".join(others)])
    equation = ",".join([result, *others]) + "->" + found
    kept = [letter in found for letter in term]

    def formula(grad, *arrays):
        shape = arrays[place].shape
        small = einsum(equation, grad, *arrays[:place], *arrays[place + 1 :])
        # 1 where a length of 1 met another one, in this operand or in another
        pairs = zip(small.shape, compress(shape, kept), strict=True)
        lengths = tuple([1 if 1 in pair else pair[0] for pair in pairs])
        rest = iter(lengths)
        # a letter that stands nowhere else was summed: its gradient is the same all along
        small = unbroadcast(small, lengths).reshape([next(rest) if keep else 1 for keep in kept])
        return expanded(small, shape)

    return formula


def parsed(equation, operands):
    """The letters of each operand and of the result, with letters for each `...`."""
    inputs, arrow, result = equation.replace(" ", "").partition("->")
    terms = inputs.split(",")
    if len(terms) != len(operands):
        raise RuntimeError(f"einsum {equation!r} names {len(terms)} operands, got {len(operands)}")
    spare = [letter for letter in LETTERS if letter not in inputs]
    widest = ""
    for i, (term, x) in enumerate(zip(terms, operands, strict=True)):
        count = x._data.ndim - len(term.replace("...", ""))
        if count < 0 or (count and "..." not in term):
            raise RuntimeError(f"einsum term {term!r} does not fit shape {x._data.shape}")
        letters = "".join(spare[:count][::-1])  # the last dimensions meet
        terms[i] = term.replace("...", letters)
        widest = max(widest, letters, key=len)
    if not arrow:
        plain = inputs.replace(",", "").replace(".", "")
        result = "..." + "".join(sorted(c for c in set(plain) if plain.count(c) == 1))
    return terms, result.replace("...", widest)


def without_repeats(term, x):
    """A term like "ii" as "i", with the diagonal in place of the matrix."""
    for letter in dict.fromkeys(term):
        while term.count(letter) > 1:
            first, second = [i for i, c in enumerate(term) if c == letter][:2]
            if x._data.shape[first] != x._data.shape[second]:
                raise RuntimeError(f"einsum: {letter!r} has two lengths in shape {x._data.shape}")
            x = diagonal(x, 0, first, second)
            term = term[:first] + term[first + 1 : second] + term[second + 1 :] + letter
    return term, x
