"""Images seen through a grid: grid_sample(), and the grids of affine maps."""

from itertools import product

import numpy as np

from tinytorch.nn.checks import check_dtypes
from tinytorch.ops.elementwise import abs, where
from tinytorch.ops.linalg import matmul
from tinytorch.tensor import check_tensors, wrap


def centers(count, align_corners, dtype):
    """The places of `count` pixels from -1 to 1: their centers, or the outermost at the ends."""
    if align_corners:
        return np.linspace(-1, 1, count, dtype=dtype)
    return ((np.arange(count) * 2 + 1) / count - 1).astype(dtype)


def affine_grid(theta, size, align_corners=False):
    """The grid (N, H, W, 2) of the maps `theta` (N, 2, 3), for images of `size` (N, C, H, W).

    For volumes (N, C, D, H, W) and maps (N, 3, 4) it's (N, D, H, W, 3).

    >>> affine_grid(tinytorch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]), (1, 1, 1, 2))
    tensor([[[[-0.5000,  0.0000],
              [ 0.5000,  0.0000]]]])
    """
    check_tensors("affine_grid", theta=theta)
    n, _, *sides = size
    count = len(sides)
    if theta.shape != (n, count, count + 1):
        raise RuntimeError(
            f"affine_grid needs theta of shape {(n, count, count + 1)} for {tuple(size)}, got"
            f" {tuple(theta.shape)}"
        )
    axes = [centers(length, align_corners, theta.dtype) for length in sides]
    points = np.meshgrid(*axes, indexing="ij")[::-1]  # x first
    points = np.stack([*points, np.ones(sides, theta.dtype)], -1).reshape(1, -1, count + 1)
    return matmul(wrap(points), theta.mT).reshape(n, *sides, count)


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """The numbers of `input` (N, C, H, W) at the points (x, y) of `grid` (N, h, w, 2).

    -1 and 1 are the edges, or with `align_corners` the outermost pixels. Between pixels there are
    lines, or for `mode` "nearest" the nearest one; outside zeros, or for `padding_mode` "border"
    what is at the edge, and for "reflection" what a mirror at the edge shows. Volumes
    (N, C, D, H, W) have points (x, y, z) in (N, d, h, w, 3). NotImplementedError for other modes.
    """
    check_tensors("grid_sample", input=input, grid=grid)
    check_dtypes("grid_sample", input, grid)
    sides = input.shape[:1:-1]  # width first: a point is (x, y)
    if len(sides) not in (2, 3) or grid.dim() != input.dim() or grid.shape[-1] != len(sides):
        raise RuntimeError(
            "grid_sample needs images (N, C, H, W) and a grid (N, h, w, 2), or volumes and points"
            f" of three numbers, got shapes {tuple(input.shape)} and {tuple(grid.shape)}"
        )
    paddings = ("zeros", "border", "reflection")
    if mode not in ("bilinear", "nearest") or padding_mode not in paddings:
        raise NotImplementedError(
            "grid_sample knows 'bilinear' and 'nearest', 'zeros', 'border' and 'reflection', got"
            f" {mode!r} and {padding_mode!r}"
        )
    places = [
        in_pixels(points, n, padding_mode, align_corners)
        for points, n in zip(grid.unbind(-1), sides, strict=True)
    ]
    places = [place.round() for place in places] if mode == "nearest" else places
    total = 0
    for steps in product((0, 1), repeat=len(places)):  # to the pixel before, to the one behind
        share, corner = 1, []
        for place, step in zip(places, steps, strict=True):
            before = place.floor()
            share = share * (place - before if step else 1 - (place - before))
            corner.append(before + step)
        total = total + pixels(input, corner[::-1]) * share.unsqueeze(1)
    return total


def in_pixels(points, n, padding_mode, align_corners):
    """Points from -1 to 1 as places in a row of `n` pixels, whole numbers at their centers."""
    place = (points + 1) * ((n - 1) / 2) if align_corners else ((points + 1) * n - 1) / 2
    if padding_mode == "zeros":
        return place
    if padding_mode == "reflection":
        place = between_mirrors(place, *((0, n - 1) if align_corners else (-0.5, n - 0.5)))
    return place.clamp(0, n - 1)


def between_mirrors(place, low, high):
    """The place between `low` and `high` where mirrors at both of them show it."""
    if low == high:
        return place * 0
    way, length = abs(place - low), high - low
    turns = (way / length).floor().detach()
    rest = way - turns * length
    return where(turns % 2 == 0, rest, length - rest) + low


def pixels(input, corner):
    """The pixels at whole numbers, (rows, columns) of (N, h, w), 0 outside: (N, C, h, w)."""
    inside, index = True, [wrap(np.arange(len(input)).reshape(-1, *[1] * len(corner)))]
    for place, n in zip(corner, input.shape[2:], strict=True):
        inside = (place >= 0) & (place < n) & inside
        index.append(place.clamp(0, n - 1).long())
    found = input.movedim(1, -1)[tuple(index)]  # (N, h, w, C)
    return (found * inside.unsqueeze(-1)).movedim(-1, 1)
