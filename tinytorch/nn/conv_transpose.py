"""Transposed convolution: the way back of a convolution, which enlarges images."""

import numpy as np

from tinytorch.nn.checks import check_linear_map, lengths
from tinytorch.nn.conv import conv_image
from tinytorch.nn.windows import pairs
from tinytorch.ops.joining import pad
from tinytorch.tensor import check_tensors


def conv_transpose2d(
    input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1
):
    """Each number of `input` (N, C, H, W) or (C, H, W) spreads a kernel over the result.

    `weight` is (C, O / groups, h, w), as that of the conv2d() from O to C channels whose way back
    this is; `bias` (O,) is added. `padding` is cut off all around, `output_padding` added below
    and on the right. RuntimeError if shapes do not fit.

    >>> one = tinytorch.ones(1, 1, 1, 2)
    >>> conv_transpose2d(one, tinytorch.tensor([[[[1.0, 2.0]]]]), stride=2)
    tensor([[[[1., 2., 1., 2.]]]])
    """
    check_transposed(input, weight, bias, groups)
    if input.dim() == 3:
        settings = stride, padding, output_padding, groups, dilation
        return conv_transpose2d(input.unsqueeze(0), weight, bias, *settings).squeeze(0)
    sizes = pairs(kernel=weight.shape[2:], stride=stride, dilation=dilation)
    (cut,) = pairs(padding=padding)
    more = lengths(2, "output_padding", output_padding, 0)
    whole = transposed(input, weight, sizes, groups)
    frame = [end for a, b in zip(cut[::-1], more[::-1], strict=True) for end in (-a, b - a)]
    result = pad(whole, frame) if any(frame) else whole
    return result if bias is None else result + bias.reshape(-1, 1, 1)


def transposed(input, weight, sizes, groups):
    """All that the kernels spread: (N, C, H, W) -> (N, O, whole H, whole W)."""
    sides = zip(input.shape[2:], *sizes, strict=True)
    whole = [(length - 1) * step + apart * (n - 1) + 1 for length, n, step, apart in sides]
    shape = (len(input), weight.shape[1] * groups, *whole)
    image = np.broadcast_to(np.zeros((), input.dtype), shape)  # only its shape matters
    return conv_image(input, image, weight, sizes, groups)


def check_transposed(input, weight, bias, groups):
    check_tensors("conv_transpose2d", input=input, weight=weight)
    if input.dim() not in (3, 4) or weight.dim() != 4:
        raise RuntimeError(
            "conv_transpose2d needs input (N, C, H, W) or (C, H, W) and weight (C, O / groups, h,"
            f" w), got shapes {tuple(input.shape)} and {tuple(weight.shape)}"
        )
    if groups < 1 or input.shape[-3] != len(weight) or len(weight) % groups:
        raise RuntimeError(
            f"conv_transpose2d: weight of shape {tuple(weight.shape)} and groups={groups} do not"
            f" fit an input of {input.shape[-3]} channels"
        )
    check_linear_map("conv_transpose2d", input, weight, bias, weight.shape[1] * groups)
