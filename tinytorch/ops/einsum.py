"""einsum: sums of products of tensors, named by letters."""

from itertools import compress

import numpy as np
from numpy import ndarray

from tinytorch.node import Rule
from tinytorch.operation import recorded, unbroadcast
from tinytorch.ops.indexing import diagonal
from tinytorch.ops.joining import of_one_dtype
from tinytorch.ops.shapes import expanded
from tinytorch.tensor import Tensor

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def einsum(equation, *operands):
    """Sums of products named by letters: "ij,jk->ik" is the product of matrices.

    Numbers do, too, a list of them after each operand: einsum(a, [0, 1], b, [1, 2], [0, 2]).
    RuntimeError for an equation that does not fit the shapes.

    >>> a = tinytorch.arange(6.0).reshape(2, 3)
    >>> einsum("ij->j", a)
    tensor([3., 5., 7.])
    """
    if isinstance(operands[0], (ndarray, np.generic)):
        return np.einsum(equation, *operands, optimize=True)
    if isinstance(equation, Tensor):
        equation, operands = in_letters((equation, *operands))
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
    return recorded(value, Rule("EinsumBackward0", formulas, links), operands, *arrays)


def in_letters(given):
    """Equation and operands of a tuple (operand, numbers, operand, numbers, perhaps a result)."""
    names = {**dict(enumerate(sorted(LETTERS))), ...: "..."}  # in the order that results have
    terms = ["".join([names[number] for number in numbers]) for numbers in given[1::2]]
    equation = ",".join(terms)
    if len(given) % 2:
        *given, result = given
        equation += "->" + "".join([names[number] for number in result])
    return equation, given[::2]


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
