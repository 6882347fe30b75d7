"""Images seen through a grid: grid_sample(), and the grids of affine maps."""

import numpy as np

from tinytorch.nn.checks import check_dtypes
from tinytorch.ops.linalg import matmul
from tinytorch.tensor import check_tensors, wrap


def centers(count, align_corners, dtype):
    """The places of `count` pixels from -1 to 1: their centers, or the outermost at the ends."""
    if align_corners:
        return np.linspace(-1, 1, count, dtype=dtype)
    return ((np.arange(count) * 2 + 1) / count - 1).astype(dtype)


def affine_grid(theta, size, align_corners=False):
    """The grid (N, H, W, 2) of the maps `theta` (N, 2, 3), for images of `size` (N, C, H, W).

    >>> affine_grid(tinytorch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]), (1, 1, 1, 2))
    tensor([[[[-0.5000,  0.0000],
              [ 0.5000,  0.0000]]]])
    """
    check_tensors("affine_grid", theta=theta)
    n, _, height, width = size
    y, x = (centers(count, align_corners, theta.dtype) for count in (height, width))
    points = np.stack([*np.meshgrid(x, y), np.ones((height, width), theta.dtype)], -1)
    return matmul(wrap(points.reshape(1, -1, 3)), theta.mT).reshape(n, height, width, 2)


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """The numbers of `input` (N, C, H, W) at the points (x, y) of `grid` (N, h, w, 2).

    -1 and 1 are the edges, or with `align_corners` the outermost pixels. Between pixels there are
    lines, or for `mode` "nearest" the nearest one; outside zeros, or for `padding_mode` "border"
    what is at the edge. NotImplementedError for other modes.
    """
    check_tensors("grid_sample", input=input, grid=grid)
    check_dtypes("grid_sample", input, grid)
    if mode not in ("bilinear", "nearest") or padding_mode not in ("zeros", "border"):
        raise NotImplementedError(
            f"grid_sample knows 'bilinear' and 'nearest', 'zeros' and 'border', got {mode!r} and"
            f" {padding_mode!r}"
        )
    sides = input.shape[:1:-1]  # width, height: a point is (x, y)
    places = []
    for point, n in zip(grid.unbind(-1), sides, strict=True):
        place = (point + 1) * ((n - 1) / 2) if align_corners else ((point + 1) * n - 1) / 2
        place = place.clamp(0, n - 1) if padding_mode == "border" else place
        places.append(place.round() if mode == "nearest" else place)
    corners = [(place.floor(), 1 - (place - place.floor())) for place in places]
    total = 0
    for right in (0, 1):
        for down in (0, 1):
            (x, near_x), (y, near_y) = corners
            share = (1 - near_x if right else near_x) * (1 - near_y if down else near_y)
            total = total + pixels(input, x + right, y + down) * share.unsqueeze(1)
    return total


def pixels(input, x, y):
    """The pixels at whole numbers (N, h, w), 0 outside of the image: (N, C, h, w)."""
    height, width = input.shape[2:]
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    batch = np.arange(len(input)).reshape(-1, 1, 1)
    rows, columns = y.clamp(0, height - 1).long(), x.clamp(0, width - 1).long()
    found = input.permute(0, 2, 3, 1)[wrap(batch), rows, columns]  # (N, h, w, C)
    return (found * inside.unsqueeze(-1)).permute(0, 3, 1, 2)
