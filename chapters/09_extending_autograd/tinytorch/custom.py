"""Operations of our own, and a layer around one of them."""

import numpy as np

from tinytorch import tensor, zeros
from tinytorch.autograd import Function


class Hypot(Function):
    """The long side of a right triangle, sqrt(x * x + y * y), by NumPy: no square overflows.

    x and y have one shape. The derivatives are x / r and y / r.
    """

    @staticmethod
    def forward(ctx, x, y):
        r = tensor(np.hypot(x.numpy(), y.numpy()))
        ctx.save_for_backward(x, y, r)
        return r

    @staticmethod
    def backward(ctx, grad_r):
        x, y, r = ctx.saved_tensors
        return grad_r * (x / r), grad_r * (y / r)


class FunctionalLinear(Function):
    """y = x @ weight.T + bias as a single operation.

    x has the shape (N, n), weight (m, n), y (N, m). bias has the shape (m,), or is None: then
    nothing is added.
    """

    @staticmethod
    def forward(ctx, x, weight, bias):
        """Compute y, and save x and weight, in this order, and nothing else."""
        # TODO exercise 9.6: FunctionalLinear, and a layer around it
        raise NotImplementedError("exercise 9.6: FunctionalLinear.forward")

    @staticmethod
    def backward(ctx, grad_y):
        """The gradients of x, weight and bias, a tuple, from Tensors and not from arrays.

        `ctx.needs_input_grad` says which ones are wanted. The others are None, and no time is
        spent on them.
        """
        # TODO exercise 9.6: FunctionalLinear, and a layer around it
        raise NotImplementedError("exercise 9.6: FunctionalLinear.backward")


class Linear:
    """A layer: it holds the weight (m, n) and the bias (m,), and calls FunctionalLinear.

    The weight's numbers come from `rng`, about 1 / sqrt(n) large. With bias=False the bias is None.
    """

    def __init__(self, n, m, rng, bias=True):
        drawn = rng.normal(size=(m, n)) / np.sqrt(n)
        self.weight = tensor(drawn.astype(np.float32), requires_grad=True)
        self.bias = zeros(m, requires_grad=True) if bias else None

    def __call__(self, x):
        """FunctionalLinear of the last axis of x: of shape (..., n) it makes (..., m).

        FunctionalLinear knows matrices only. All other axes become the N rows of one, and come
        back at the end. A last axis that isn't n long is an error, even where x is empty. The layer
        keeps nothing of x.
        """
        # TODO exercise 9.6: FunctionalLinear, and a layer around it
        raise NotImplementedError("exercise 9.6: Linear.__call__")


class Solve(Function):
    """The x for which A @ x = b, by LAPACK: A of shape (n, n), b and x of shape (n,), n = 0 too."""

    @staticmethod
    def forward(ctx, A, b):
        """Let np.linalg.solve find x: it takes arrays and gives one, and its dtype is that of x.

        Save A and x, in this order, and nothing else.

        If there is no x, NumPy raises LinAlgError: let it through.
        """
        # TODO exercise 9.7: Solve
        raise NotImplementedError("exercise 9.7: Solve.forward")

    @staticmethod
    def backward(ctx, grad_x):
        """The gradients of A and b, made so that they can be differentiated, as often as you like.

        Don't take a short cut where grad_x is all zeros: its gradients need a history, too.
        """
        # TODO exercise 9.7: Solve
        raise NotImplementedError("exercise 9.7: Solve.backward")
