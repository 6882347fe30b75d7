"""Images made larger or smaller: by repeating pixels, or by lines and curves between them."""

import math

import numpy as np

from tinytorch import dtypes
from tinytorch.nn.checks import check_dtypes
from tinytorch.nn.function_module import FunctionModule
from tinytorch.nn.module import Module
from tinytorch.tensor import check_tensors, wrap

# of an input, for the modes that draw lines or curves
DIMENSIONS = {"linear": 3, "bilinear": 4, "bicubic": 4, "trilinear": 5}


def interpolate(
    input,
    size=None,
    scale_factor=None,
    mode="nearest",
    align_corners=None,
    recompute_scale_factor=None,
    antialias=False,
):
    """`input` (N, C, ...) with its last dimensions as long as `size`, or `scale_factor` times so.

    `mode` "nearest" repeats the nearest number to the left, "nearest-exact" the nearest, "area"
    takes means; "linear" (N, C, L), "bilinear" (N, C, H, W) and "trilinear" (N, C, D, H, W) draw
    lines between neighbours, "bicubic" (N, C, H, W) curves. Pixels are squares, whose outer edges
    meet; `align_corners` takes them as points, of which the outermost meet. ValueError unless one
    of `size` and `scale_factor` is given, NotImplementedError for modes that do not fit the input.

    >>> interpolate(tinytorch.tensor([[[1.0, 2.0]]]), scale_factor=2)
    tensor([[[1., 1., 2., 2.]]])
    """
    check_tensors("interpolate", input=input)
    check_mode(input, mode, align_corners, antialias)
    lengths, scales = new_lengths(input.shape[2:], size, scale_factor)
    if recompute_scale_factor:
        scales = [None] * len(scales)
    for dim, (length, scale) in enumerate(zip(lengths, scales, strict=True), 2):
        if length in lengths_that_count(input, mode, input.shape[dim]):
            scale = None
        if mode in NEAREST:
            places = nearest(input.shape[dim], length, scale, NEAREST[mode])
            input = input.index_select(dim, places)
        else:
            weights = WEIGHTS[mode](input.shape[dim], length, scale, align_corners)
            weights = wrap(weights.astype(input.dtype))
            input = (input.transpose(dim, -1) @ weights).transpose(dim, -1)
    return input


def upsample_nearest(input, size=None, scale_factor=None):
    """interpolate() with the nearest number to the left."""
    return interpolate(input, size, scale_factor)


def upsample_bilinear(input, size=None, scale_factor=None):
    """interpolate() with lines between neighbours, from corner to corner."""
    return interpolate(input, size, scale_factor, "bilinear", align_corners=True)


def check_mode(input, mode, align_corners, antialias):
    fits = DIMENSIONS[mode] == input.dim() if mode in DIMENSIONS else mode in (*NEAREST, "area")
    if not fits or input.dim() < 3:
        raise NotImplementedError(
            "interpolate knows 'nearest', 'nearest-exact' and 'area', 'linear' of 3 dimensions,"
            f" 'bilinear' and 'bicubic' of 4, 'trilinear' of 5, got {mode!r} of {input.dim()}"
        )
    if mode not in DIMENSIONS and align_corners is not None:
        raise ValueError(f"align_corners is for {[*DIMENSIONS]}")
    if antialias:
        raise NotImplementedError("interpolate knows no antialias; use mode='area' to make smaller")
    if mode not in NEAREST or input.dtype != dtypes.uint8:
        check_dtypes("interpolate", input)


def new_lengths(old, size, scale_factor):
    """The lengths that are wanted, and by which factor each; None for what size says."""
    if (size is None) == (scale_factor is None):
        raise ValueError("interpolate needs either size or scale_factor")
    given = scale_factor if size is None else size
    given = given if isinstance(given, (tuple, list)) else [given] * len(old)
    if len(given) != len(old):
        raise ValueError(f"interpolate needs {len(old)} numbers or a single one, got {given}")
    if size is not None:
        return list(given), [None] * len(old)
    return [math.floor(n * scale) for n, scale in zip(old, given, strict=True)], list(given)


def lengths_that_count(input, mode, old):
    """The new lengths for which it doesn't matter by which factor, in PyTorch: a line of the old
    length is drawn as it was, and so are images in the nearest mode; twice as long, each pixel
    comes twice.
    """
    if mode == "nearest":
        return (old, 2 * old) if input.dim() == 4 else ()
    return (old,) if "linear" in mode else ()


def nearest(old, new, scale, from_the_left):
    """For each of `new` places the number of the one among `old` that it shows."""
    found = (np.arange(new) + from_the_left) * (1 / scale if scale else old / new)
    return wrap(np.minimum(found.astype(np.int64), old - 1))


def coordinates(old, new, scale, align_corners):
    """Where each of `new` places lies among the `old` ones."""
    if align_corners:
        return np.arange(new) * ((old - 1) / (new - 1) if new > 1 else 0.0)
    return (np.arange(new) + 0.5) * (1 / scale if scale else old / new) - 0.5


def lines(old, new, scale, align_corners):
    """A matrix (old, new): how much each of `new` places has of each old one."""
    places = np.clip(coordinates(old, new, scale, align_corners), 0, old - 1)
    return np.maximum(0, 1 - np.abs(np.arange(old)[:, None] - places))


def curves(old, new, scale, align_corners):
    """A matrix (old, new), as lines(): cubic polynomials through four neighbours.

    The outermost goes on beyond the edge. R. Keys, Cubic convolution interpolation, 1981.
    """
    a, places = -0.75, coordinates(old, new, scale, align_corners)
    first, weights = np.floor(places).astype(int), np.zeros((old, new))
    for near in range(-1, 3):
        far = np.abs(places - first - near)
        inner = (a + 2) * far**3 - (a + 3) * far**2 + 1
        outer = a * (far**3 - 5 * far**2 + 8 * far - 4)
        at = np.clip(first + near, 0, old - 1), np.arange(new)
        np.add.at(weights, at, np.where(far <= 1, inner, outer))
    return weights


def means(old, new, scale, align_corners):
    """A matrix (old, new): the mean of all old places that a new one touches."""
    number = np.arange(new)
    first, end = number * old // new, -(-(number + 1) * old // new)
    inside = (np.arange(old)[:, None] >= first) & (np.arange(old)[:, None] < end)
    return inside / (end - first)


NEAREST = {"nearest": 0.0, "nearest-exact": 0.5}
WEIGHTS = dict(linear=lines, bilinear=lines, trilinear=lines, bicubic=curves, area=means)


class Upsample(Module):
    """interpolate() as a module."""

    def __init__(
        self,
        size=None,
        scale_factor=None,
        mode="nearest",
        align_corners=None,
        recompute_scale_factor=None,
    ):
        super().__init__()
        several = isinstance(scale_factor, (tuple, list))
        self.size = size
        self.scale_factor = tuple(map(float, scale_factor)) if several else scale_factor
        if scale_factor is not None and not several:
            self.scale_factor = float(scale_factor)
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input):
        settings = self.size, self.scale_factor, self.mode, self.align_corners
        return interpolate(input, *settings, self.recompute_scale_factor)

    def extra_repr(self):
        by = "size" if self.scale_factor is None else "scale_factor"
        return f"{by}={getattr(self, by)}, mode={self.mode!r}"


def pixel_shuffle(input, upscale_factor):
    """Channels laid out as pixels: (..., C r^2, H, W) -> (..., C, H r, W r); r is the factor.

    RuntimeError if the channels do not split.
    """
    r = upscale_factor
    if input.dim() < 3:
        raise RuntimeError(f"pixel_shuffle needs (..., C, H, W), got shape {tuple(input.shape)}")
    *batch, channels, height, width = input.shape
    if channels % (r * r):
        raise RuntimeError(f"pixel_shuffle by {r} needs a multiple of {r * r} channels")
    apart = input.reshape(math.prod(batch), channels // (r * r), r, r, height, width)
    laid = apart.permute(0, 1, 4, 2, 5, 3)  # (N, C, r, r, H, W) -> (N, C, H, r, W, r)
    return laid.reshape(*batch, channels // (r * r), height * r, width * r)


def pixel_unshuffle(input, downscale_factor):
    """The way back of pixel_shuffle(): (..., C, H r, W r) -> (..., C r^2, H, W)."""
    r = downscale_factor
    if input.dim() < 3:
        raise RuntimeError(f"pixel_unshuffle needs (..., C, H, W), got shape {tuple(input.shape)}")
    *batch, channels, height, width = input.shape
    if height % r or width % r:
        raise RuntimeError(f"pixel_unshuffle by {r} needs sides that are multiples of it")
    apart = input.reshape(math.prod(batch), channels, height // r, r, width // r, r)
    laid = apart.permute(0, 1, 3, 5, 2, 4)  # (N, C, H, r, W, r) -> (N, C, r, r, H, W)
    return laid.reshape(*batch, channels * r * r, height // r, width // r)


def channel_shuffle(input, groups):
    """The channels (N, C, ...) of each of `groups` groups in turns: the first of each, and so on.

    >>> channel_shuffle(tinytorch.arange(4).reshape(1, 4, 1), 2).flatten()
    tensor([0, 2, 1, 3])
    """
    n, channels, *sides = input.shape
    if channels % groups:
        raise RuntimeError(f"{channels} channels do not split into {groups} groups")
    return input.reshape(n, groups, channels // groups, *sides).transpose(1, 2).reshape(input.shape)


class PixelShuffle(FunctionModule, function=pixel_shuffle):
    """pixel_shuffle() as a module. W. Shi et al., 2016."""


class PixelUnshuffle(FunctionModule, function=pixel_unshuffle):
    """pixel_unshuffle() as a module."""


class ChannelShuffle(FunctionModule, function=channel_shuffle):
    """channel_shuffle() as a module. X. Zhang et al., 2018."""
