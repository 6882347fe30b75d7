"""Windows as columns of numbers, and back: unfold() and fold()."""

import math

from tinytorch.nn.checks import check_dtypes
from tinytorch.nn.function_module import FunctionModule
from tinytorch.nn.windows import add_windows, framed, pairs, windows
from tinytorch.ops.joining import pad
from tinytorch.tensor import check_tensors


def settings_of(kernel_size, dilation, padding, stride):
    """The sizes of windows(), and the frame of zeros (left, right, above, below)."""
    kernel, stride, dilation = pairs(kernel_size=kernel_size, stride=stride, dilation=dilation)
    [(down, right)] = pairs(padding=padding)
    return (kernel, stride, dilation), (right, right, down, down)


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """What stands in each of L windows, as a column: (N, C, H, W) -> (N, C * h * w, L).

    >>> unfold(tinytorch.tensor([[[[1.0, 2.0, 3.0]]]]), (1, 2))
    tensor([[[1., 2.],
             [2., 3.]]])
    """
    check_tensors("unfold", input=input)
    check_dtypes("unfold", input)
    if input.dim() == 3:
        return unfold(input.unsqueeze(0), kernel_size, dilation, padding, stride).squeeze(0)
    if input.dim() != 4 or 0 in input.shape[1:]:
        raise RuntimeError(f"unfold needs (N, C, H, W) or (C, H, W), got {tuple(input.shape)}")
    sizes, frame = settings_of(kernel_size, dilation, padding, stride)
    seen = windows(framed(input, frame), *sizes)
    return seen.reshape(len(input), math.prod(seen.shape[1:4]), math.prod(seen.shape[4:]))


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """The way back of unfold(): windows added up again, to images of the size `output_size`."""
    check_tensors("fold", input=input)
    if input.dim() == 2:
        return fold(input.unsqueeze(0), output_size, kernel_size, dilation, padding, stride)[0]
    sizes, frame = settings_of(kernel_size, dilation, padding, stride)
    [(height, width)] = pairs(output_size=output_size)
    shape = (len(input), -1, height + 2 * frame[2], width + 2 * frame[0])
    channels, (h, w) = input.shape[1] // math.prod(sizes[0]), sizes[0]
    places = [(n - d * (k - 1) - 1) // s + 1 for n, k, s, d in zip(shape[2:], *sizes, strict=True)]
    if input.shape[1:] != (channels * h * w, math.prod(places)):
        raise RuntimeError(
            f"fold: windows {h} x {w} in an image {height} x {width} are {math.prod(places)}"
            f" columns of a multiple of {h * w} numbers, got shape {tuple(input.shape)}"
        )
    seen = input.reshape(len(input), channels, h, w, *places)
    whole = add_windows(seen, (len(input), channels, *shape[2:]), *sizes)
    return pad(whole, [-n for n in frame]) if any(frame) else whole


class Unfold(FunctionModule, function=unfold):
    """unfold() as a module."""


class Fold(FunctionModule, function=fold):
    """fold() as a module."""
