"""Windows that slide over a picture, kernels as pictures, and what they make of a picture."""

import math

import numpy as np

from course.drawing import style
from course.drawing.grids import array_of
from course.drawing.style import INK, PALE, YELLOW, styled
from course.drawing.text import number_text
from course.plots import bare, numbers, pixels, signs, write_title

CELL, EDGE, GAP, TOP = (26, 22), 16, 22, 48  # of a small picture: cell (width, height)
STRIP = 48  # how high a row of memory is, with its label
MOST = 12  # windows
COARSE = 18  # pixels of a square from which on lines part them


@styled
def draw_windows(x, kernel, stride=(1, 1), dilation=(1, 1), *, title=None):
    """A Picture of a small array (H, W) once for each window, and of three of them in memory.

    These are the first window and those that come next, to the right and below, if there are any.
    ValueError if there are more than twelve windows, or none.
    """
    from course.drawing.sheet import Sheet

    x = array_of(x)
    downs, rights = (
        range(0, length - d * (k - 1), s)
        for length, k, s, d in zip(x.shape, kernel, stride, dilation, strict=True)
    )
    count = len(downs) * len(rights)
    if not 0 < count <= MOST:
        raise ValueError(f"draw_windows shows 1 to {MOST} windows, got {count}")
    title = title or f"{x.size} numbers in memory, {count} windows onto them"
    wide, high = x.shape[1] * CELL[0] + GAP, x.shape[0] * CELL[1] + GAP
    strips = [("the first window, in memory", (0, 0))]
    strips += [("the next one to the right", (0, s)) for s in rights[1:2]]
    strips += [("the next one below", (s, 0)) for s in downs[1:2]]
    strip = TOP + len(downs) * high
    width = max(len(rights) * wide - GAP, x.size * CELL[0], 380) + 2 * EDGE
    height, scale = strip + len(strips) * STRIP + 4, min(1, style.WIDTH / width)
    figure = style.new_figure(width * scale, height * scale)
    sheet = Sheet(figure, (width, height), scale=scale)
    sheet.text(EDGE, 20, title, style.TITLE, "bold", align="left")
    for (a, down), (b, right) in [(d, r) for d in enumerate(downs) for r in enumerate(rights)]:
        seen = places_seen(x.shape, (down, right), kernel, dilation)
        draw_cells(sheet, x, seen, (EDGE + b * wide, TOP + a * high))
    for k, (label, start) in enumerate(strips):
        seen, top = places_seen(x.shape, start, kernel, dilation), strip + k * STRIP
        sheet.text(EDGE, top + 4, label, style.SMALL, align="left")
        draw_cells(sheet, x.reshape(1, -1), seen.reshape(1, -1), (EDGE, top + 16))
    return style.Picture(figure, title)


@styled
def draw_columns(x, kernel, *, title="kernel @ columns = result"):
    """A Picture of a convolution as a product: the windows of a small array (H, W) as columns.

    The kernel is there twice, as it is and below that as a row.
    ValueError if there are more than twelve windows, or none.
    """
    from course.drawing.sheet import Sheet

    x, kernel = array_of(x), array_of(kernel)
    shape = [length - k + 1 for length, k in zip(x.shape, kernel.shape, strict=True)]
    if min(shape) < 1 or math.prod(shape) > MOST:
        raise ValueError(f"draw_columns shows 1 to {MOST} windows, got {shape[0]} x {shape[1]}")
    windows = np.lib.stride_tricks.sliding_window_view(x, kernel.shape)
    row, columns = kernel.reshape(1, -1), windows.reshape(-1, kernel.size).T
    right, below = EDGE + row.size * CELL[0] + GAP, TOP + 20 + row.size * CELL[1] + GAP
    names = [("kernel", EDGE, TOP + 8), ("columns: one for each window", right, TOP + 8)]
    names += [("as a row", EDGE, below + CELL[1] + 14)]
    names += [("result: one number for each window", right, below + CELL[1] + 14)]
    width = max(right + columns.shape[1] * CELL[0] + EDGE, 380)
    height = below + CELL[1] + 34
    figure = style.new_figure(width, height)
    sheet = Sheet(figure, (width, height))
    sheet.text(EDGE, 20, title, style.TITLE, "bold", align="left")
    for name, x, y in names:
        sheet.text(x, y, name, style.SMALL, align="left")
    first = np.arange(columns.shape[1]) == 0
    draw_cells(sheet, columns, np.tile(first, (row.size, 1)), (right, TOP + 20))
    draw_cells(sheet, kernel, np.ones_like(kernel, bool), (EDGE, TOP + 20))
    draw_cells(sheet, row, np.ones_like(row, bool), (EDGE, below))
    draw_cells(sheet, row @ columns, first[None], (right, below))
    return style.Picture(figure, title)


def places_seen(shape, start, kernel, dilation):
    """Booleans: which places a window sees that begins at `start`."""
    seen = np.zeros(shape, bool)
    rows, columns = (s + np.arange(k) * d for s, k, d in zip(start, kernel, dilation, strict=True))
    seen[rows[:, None], columns] = True
    return seen


def draw_cells(sheet, x, seen, corner, cell=CELL, unseen="#909090"):
    """An array as cells with numbers, or with texts; what is seen is yellow, and drawn last.

    `unseen` is the colour of the other texts.
    """
    for here in (False, True):
        for row, column in np.argwhere(seen == here):
            left, top = corner[0] + column * cell[0], corner[1] + row * cell[1]
            frame = (left, top, left + cell[0], top + cell[1])
            look = (YELLOW, "#555555", 1.2) if here else ("white", PALE, 1)
            sheet.cell(frame, *look)
            text, ink = x[row, column], INK if here else unseen
            text = text if isinstance(text, str) else number_text(text)
            sheet.text(left + cell[0] / 2, top + cell[1] / 2, text, style.SMALL, colour=ink)


@styled
def show_images(images, labels=None, *, title=None, columns=8, side=64, signed=False):
    """A Picture of arrays (N, H, W), each beneath its label, and `side` pixels wide.

    With `signed`, blue is above 0, vermilion below, and white is 0; else the darker, the more. All
    have one scale.
    """
    images = numbers(images)
    title = title or f"{len(images)} pictures"
    grey = dict(cmap="gray_r", vmin=images.min(), vmax=images.max())
    look = around_white(images) if signed else grey
    columns = min(columns, len(images))
    rows, pitch = -(-len(images) // columns), (side + 12, side + (12 if labels is None else 30))
    height = 46 + rows * pitch[1]
    figure = style.new_figure(max(columns * pitch[0] + 20, 340), height)
    write_title(figure, title, height)
    for k, image in enumerate(images):
        row, column = divmod(k, columns)
        top = 42 + row * pitch[1] + (0 if labels is None else 18)
        axes = figure.add_axes(pixels(figure, 14 + column * pitch[0], top, side, side))
        show_square(axes, image, look)
        if labels is not None:
            axes.set_title(str(labels[k]), fontsize=style.SMALL, loc="center", pad=4)
    return style.Picture(figure, title)


def around_white(squares):
    """How numbers of both signs are shown, by one scale: white is 0."""
    largest = abs(numbers(squares)).max(initial=0) or 1
    return dict(cmap=signs(), vmin=-largest, vmax=largest)


def show_square(axes, square, look):
    """A square of numbers in colours; if it's coarse, with thin lines between them."""
    axes.imshow(square, **look)
    bare(axes)
    if axes.bbox.width >= COARSE * square.shape[1]:
        for way, count in (("x", square.shape[1]), ("y", square.shape[0])):
            axes.set(**{f"{way}ticks": np.arange(1, count) - 0.5})
        axes.tick_params(length=0, labelleft=False, labelbottom=False)
        axes.grid(True, color=PALE, lw=0.8)


def two_sided(kernels, count):
    """The numbers of those kernels (N, H, W) that come nearest to having two sides, best first.

    One side is above 0 and the other below, whichever way the kernel is turned: the more of it a
    mere slope accounts for, the better.

    >>> two_sided([np.ones((3, 3)), [[2, 1, 0], [1, 0, -1], [0, -1, -2]]], count=1)
    array([1])
    """
    kernels = numbers(kernels)
    down, right = (places - places.mean() for places in np.indices(kernels.shape[1:]))
    sides = [(kernels * way).sum((1, 2)) ** 2 / (way**2).sum() for way in (down, right)]
    return np.argsort(-sum(sides) / (kernels**2).sum((1, 2)))[:count]


@styled
def show_kernels(kernels, image, found, *, title, side=120):
    """A Picture of kernels (N, h, w), each above what it has found (N, H, W) in an image (H, W).

    Blue is above 0, vermilion below and white is 0; the kernels have one scale, and so has what
    they found. The image is at the left, in greys.
    """
    pitch, height = side + 12, 64 + 2 * (side + 12)
    figure = style.new_figure(max((len(found) + 1) * pitch + 20, 340), height)
    write_title(figure, title, height)
    shown = [(numbers(image), 0, 1, dict(cmap="gray_r"))]
    for row, squares in enumerate((numbers(kernels), numbers(found))):
        look = around_white(squares)
        shown += [(square, column, row, look) for column, square in enumerate(squares, start=1)]
    for square, column, row, look in shown:
        left, top = 14 + column * pitch, 60 + row * pitch
        axes = figure.add_axes(pixels(figure, left, top, side, side))
        show_square(axes, square, look)
        if column and not row:
            axes.set_title(str(column), fontsize=style.SMALL, loc="center", pad=4)
    return style.Picture(figure, title)


@styled
def show_found(kernel, images, found, *, title, side=56):
    """A Picture of images (N, H, W), and below each what a kernel (h, w) has found in it.

    That has pixels of the same size, each below the middle of its window: blue is above 0,
    vermilion below and white is 0. The kernel is at the left, with its numbers.
    """
    kernel, images, found = map(numbers, (kernel, images, found))
    pixel, pitch = side / images.shape[2], side + 10
    figure = style.new_figure((len(images) + 1) * pitch + 20, 42 + 2 * pitch)
    write_title(figure, title, 42 + 2 * pitch)
    shown = [(kernel, 0, 1, side / kernel.shape[1], around_white(kernel))]
    for row, squares in enumerate((images, found)):
        look = around_white(found) if row else dict(cmap="gray_r", vmin=0, vmax=images.max())
        shown += [(square, column, row, pixel, look) for column, square in enumerate(squares, 1)]
    for square, column, row, size, look in shown:
        high, wide = (size * length for length in square.shape)
        left = 14 + column * pitch + (side - wide) / 2
        top = 42 + row * pitch + (side - high) / 2
        show_square(figure.add_axes(pixels(figure, left, top, wide, high)), square, look)
    for (row, column), number in np.ndenumerate(kernel):
        ink = "white" if number else INK
        figure.axes[0].text(column, row, number_text(number), color=ink, ha="center",
                            va="center_baseline", fontsize=style.SMALL)  # fmt: skip
    return style.Picture(figure, title)
