"""How far apart, and how much in the same direction: distances, angles, unit length."""

from tinytorch.ops.elementwise import clamp_min
from tinytorch.ops.reductions import norm
from tinytorch.tensor import check_tensors


def normalize(input, p=2.0, dim=1, eps=1e-12):
    """The input divided by its p-norm along `dim`, or by `eps` where the norm is less.

    >>> normalize(tinytorch.tensor([[3.0, 4.0]]))
    tensor([[0.6000, 0.8000]])
    """
    check_tensors("normalize", input=input)
    return input / clamp_min(norm(input, p, dim, keepdim=True), eps)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """The cosine of the angle between vectors along `dim`, norms below `eps` raised to it.

    >>> cosine_similarity(tinytorch.tensor([1.0, 0.0]), tinytorch.tensor([3.0, 4.0]), dim=0)
    tensor(0.6000)
    """
    check_tensors("cosine_similarity", x1=x1, x2=x2)
    return (normalize(x1, dim=dim, eps=eps) * normalize(x2, dim=dim, eps=eps)).sum(dim)


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    """The p-norm of x1 - x2 + eps along the last dimension.

    >>> pairwise_distance(tinytorch.tensor([[3.0, 4.0]]), tinytorch.zeros(1, 2))
    tensor([5.0000])
    """
    check_tensors("pairwise_distance", x1=x1, x2=x2)
    return norm(x1 - x2 + eps, p, -1, keepdim)


def cdist(x1, x2, p=2.0):
    """All distances: `x1` (..., P, M) and `x2` (..., R, M) -> (..., P, R), by the p-norm.

    >>> cdist(tinytorch.tensor([[0.0], [1.0]]), tinytorch.tensor([[3.0]]))
    tensor([[3.],
            [2.]])
    """
    check_tensors("cdist", x1=x1, x2=x2)
    return norm(x1.unsqueeze(-2) - x2.unsqueeze(-3), p, -1)  # (..., P, R, M) -> (..., P, R)
