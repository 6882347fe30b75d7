"""The linear layer: y = x W^T + b."""

import math

from tinytorch.nn import init
from tinytorch.nn.checks import check_linear_map
from tinytorch.nn.module import Module
from tinytorch.nn.parameter import add_parameters
from tinytorch.node import Rule
from tinytorch.operation import recorded
from tinytorch.state import state
from tinytorch.tensor import check_tensors


def rows(x):
    """x as a matrix: all dimensions but the last become one."""
    return x if x.ndim == 2 else x.reshape((math.prod(x.shape[:-1]), x.shape[-1]))


def affine(x, weight, bias):
    z = rows(x) @ weight.T  # (N, D) @ (D, O) -> (N, O)
    if bias is not None:
        z += bias
    return z if x.ndim == 2 else z.reshape(*x.shape[:-1], len(weight))


def linear_input(grad, x, weight):
    return grad @ weight  # (..., O) @ (O, D) -> (..., D)


def linear_weight(grad, x, weight):
    return rows(grad).swapaxes(0, 1) @ rows(x)  # (O, N) @ (N, D) -> (O, D)


def linear_bias(grad, x, weight):
    return rows(grad).sum(axis=0)  # (N, O) -> (O,)


LINEAR = Rule("LinearBackward0", (linear_input, linear_weight, linear_bias), (0, 1))


def linear(input, weight, bias=None):
    """input @ weight.T + bias: `input` (..., D), `weight` (O, D), `bias` (O,), result (..., O).

    RuntimeError if shapes or dtypes do not fit.

    >>> x, weight = tinytorch.tensor([[1.0, 2.0]]), tinytorch.tensor([[3.0, 4.0], [5.0, 6.0]])
    >>> linear(x, weight)
    tensor([[11., 17.]])
    """
    check_linear(input, weight, bias)
    x, w = input._data, weight._data
    z = state.quietly(affine, x, w, None if bias is None else bias._data)
    inputs = (input, weight) if bias is None else (input, weight, bias)
    # each of the two is needed for the gradient of the other one only
    saved_x = x if weight.requires_grad else None
    saved_w = w if input.requires_grad else None
    return recorded(z, LINEAR, inputs, saved_x, saved_w)


def check_linear(input, weight, bias):
    check_tensors("linear", input=input, weight=weight)
    x_shape, w_shape = input._data.shape, weight._data.shape
    if len(w_shape) != 2 or x_shape[-1:] != w_shape[1:]:
        raise RuntimeError(
            f"linear needs input (..., D) and weight (O, D), got shapes {x_shape} and {w_shape}"
        )
    check_linear_map("linear", input, weight, bias, w_shape[0])


class Linear(Module):
    """y = x W^T + b, from `in_features` to `out_features` numbers.

    >>> Linear(2, 3)(tinytorch.zeros(5, 2)).shape
    tinytorch.Size([5, 3])
    """

    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        shapes = dict(weight=(out_features, in_features), bias=out_features if bias else None)
        add_parameters(self, device, dtype, **shapes)
        self.reset_parameters()

    def reset_parameters(self):
        """Draw weight and bias evenly from +-1 / sqrt(in_features)."""
        reset_weight_and_bias(self.weight, self.bias)

    def forward(self, input):
        """input @ weight.T + bias: (..., in_features) -> (..., out_features)."""
        return linear(input, self.weight, self.bias)

    def extra_repr(self):
        sizes = f"in_features={self.in_features}, out_features={self.out_features}"
        return f"{sizes}, bias={self.bias is not None}"


def reset_weight_and_bias(weight, bias):
    """The start of linear and convolution layers."""
    init.kaiming_uniform_(weight, a=math.sqrt(5))
    if bias is not None:
        fan_in, _ = init.fans(weight)
        bound = 1 / math.sqrt(fan_in) if fan_in else 0.0
        init.uniform_(bias, -bound, bound)
