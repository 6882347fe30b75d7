"""Embedding: a table with a learned row of numbers for each word."""

import numpy as np

from tinytorch.grad_mode import no_grad
from tinytorch.nn import init
from tinytorch.nn.module import Module
from tinytorch.nn.parameter import Parameter, add_parameters
from tinytorch.ops.elementwise import where
from tinytorch.ops.index_reading import all_below, first_outside
from tinytorch.ops.more_creation import renorm
from tinytorch.tensor import check_tensors, wrap


def embedding(
    input,
    weight,
    padding_idx=None,
    max_norm=None,
    norm_type=2.0,
    scale_grad_by_freq=False,
    sparse=False,
):
    """The rows of `weight` (V, D) that `input` (...), integers, asks for; result (..., D).

    Row `padding_idx` gets no gradient. With `max_norm`, rows that are asked for and longer become
    as long, in `weight` itself; `norm_type` is the p of their norm. With `scale_grad_by_freq`, what
    a row gets is divided by how often it's asked for. `sparse` changes nothing.

    IndexError for an index outside the table, AssertionError for such a `padding_idx`, RuntimeError
    for an input that is not of integers.

    >>> embedding(tinytorch.tensor([1, 0]), tinytorch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([[3., 4.],
            [1., 2.]])
    """
    check_tensors("embedding", input=input, weight=weight)
    if input.dtype.kind not in "iu":
        raise RuntimeError(f"embedding needs integer indices, got {input.dtype}")
    if weight.dim() != 2:
        raise RuntimeError(f"embedding needs weight (V, D), got shape {tuple(weight.shape)}")
    if not all_below(len(weight), input._data):
        wrong = first_outside(len(weight), input._data)
        raise IndexError(f"embedding: index {wrong} is outside the table of {len(weight)} rows")
    if max_norm is not None:
        shorten_rows(weight, input._data, max_norm, norm_type)
    found = weight[input._data]  # (...) -> (..., D), as an array: a copy, and bytes are no mask
    if scale_grad_by_freq and found.requires_grad:
        times = np.bincount(input._data.ravel(), minlength=1)[input._data][..., None]
        found.register_hook(lambda grad: grad / wrap(times.astype(grad.dtype)))
    if padding_idx is None:
        return found
    is_padding = (input == row_at(padding_idx, len(weight))).unsqueeze(-1)
    return where(is_padding, found.detach(), found)


def row_at(padding_idx, count):
    """`padding_idx` counted from 0; AssertionError if the table of `count` rows has no such row."""
    if not -count <= padding_idx < count:
        raise AssertionError(f"padding_idx {padding_idx} is outside the {count} rows")
    return padding_idx % count


@no_grad()
def shorten_rows(weight, places, max_norm, p):
    """Each row of `weight` (V, D) at one of the places, whose p-norm is more, gets `max_norm`."""
    rows = wrap(np.unique(places))
    weight[rows] = renorm(weight[rows], p, 0, max_norm)


def one_hot(tensor, num_classes=-1):
    """A row of zeros for each class in `tensor` (...), with a one at its place: (..., classes).

    There are as many classes as `num_classes` says, or as the largest needs. RuntimeError for
    classes that are no integers or do not fit.

    >>> one_hot(tinytorch.tensor([2, 0]))
    tensor([[0, 0, 1],
            [1, 0, 0]])
    """
    check_tensors("one_hot", tensor=tensor)
    classes = tensor._data
    if classes.dtype.kind not in "iu":
        raise RuntimeError(f"one_hot needs integers, got {classes.dtype}")
    if num_classes == -1:
        if not classes.size:
            raise RuntimeError(f"one_hot of no classes, shape {classes.shape}, needs num_classes")
        num_classes = int(classes.max(initial=0)) + 1
    if not all_below(num_classes, classes):
        wrong = first_outside(num_classes, classes)
        raise RuntimeError(f"one_hot: class {wrong} is not one of 0 to {num_classes - 1}")
    return wrap((classes[..., None] == np.arange(num_classes)).astype("int64"))


class Table(Module):
    """What Embedding and EmbeddingBag share: a table of learned numbers, a row for each class.

    `_weight` is a table that is there already, `_freeze` keeps it from learning. `sparse` changes
    nothing: gradients have all rows. AssertionError for a `_weight` of another shape.
    """

    def __init__(
        self,
        num_embeddings,
        embedding_dim,
        padding_idx=None,
        *,
        sparse=False,
        _weight=None,
        _freeze=False,
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.sparse = sparse
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = None if padding_idx is None else row_at(padding_idx, num_embeddings)
        shape = num_embeddings, embedding_dim
        if _weight is None:
            add_parameters(self, device, dtype, weight=shape)
            self.reset_parameters()
        elif _weight.shape != shape:
            raise AssertionError(f"_weight must have shape {shape}, got {tuple(_weight.shape)}")
        else:
            self.weight = Parameter(_weight)
        self.weight.requires_grad_(not _freeze)

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, padding_idx=None, **settings):
        """A layer whose table is `embeddings` (V, D), in the same memory; `freeze`: for good.

        `settings` are those that its class takes besides.

        >>> Embedding.from_pretrained(tinytorch.tensor([[1.0, 2.0]]))(tinytorch.tensor([0]))
        tensor([[1., 2.]])
        """
        module = cls(*embeddings.shape, padding_idx=padding_idx, **settings)
        module.weight = Parameter(embeddings, requires_grad=not freeze)
        return module

    def reset_parameters(self):
        """Draw the rows from the normal distribution; the row of the padding is zero."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            self.weight.data[self.padding_idx] = 0


class Embedding(Table):
    """A table of `num_embeddings` rows of `embedding_dim` learned numbers.

    The other settings are those of embedding().

    >>> Embedding(10, 3)(tinytorch.tensor([[1, 2], [4, 5]])).shape
    tinytorch.Size([2, 2, 3])
    """

    def __init__(
        self,
        num_embeddings,
        embedding_dim,
        padding_idx=None,
        max_norm=None,
        norm_type=2.0,
        scale_grad_by_freq=False,
        sparse=False,
        _weight=None,
        _freeze=False,
        device=None,
        dtype=None,
    ):
        of_the_table = dict(sparse=sparse, _weight=_weight, _freeze=_freeze)
        of_the_table |= dict(device=device, dtype=dtype)
        super().__init__(num_embeddings, embedding_dim, padding_idx, **of_the_table)
        self.max_norm, self.norm_type = max_norm, norm_type
        self.scale_grad_by_freq = scale_grad_by_freq

    def forward(self, input):
        """The rows of the weight that `input` names: (...) -> (..., embedding_dim)."""
        settings = self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq
        return embedding(input, self.weight, *settings)

    def extra_repr(self):
        said = self._unusual(
            padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False
        )
        return ", ".join([f"{self.num_embeddings}, {self.embedding_dim}", *said])
