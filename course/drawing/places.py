"""What goes where: dimensions that change places, and gradients that find the way to theirs."""

import numpy as np

from course.drawing import style
from course.drawing.reading import numbers_of
from course.drawing.style import BLUE, GREY, INK, VERMILION, styled
from course.drawing.text import number_text

BOX, ROOM, GAP, TOP, EDGE = 28, 22, 62, 66, 16  # box height, between boxes, between rows
MOST = 8  # boxes in a row


@styled
def draw_permute(shape, dims, *, title=None):
    """A Picture of the lengths of x's dimensions, and where permute(dims) puts them."""
    title = title or f"dims = {tuple(dims)}: dimension dims[i] goes to place i"
    above = [f"{d}: length {n}" for d, n in enumerate(shape)]
    below = [f"{i}: length {shape[d]}" for i, d in enumerate(dims)]
    links = [(d, i) for i, d in enumerate(dims)]
    return draw_rows(above, below, links, ("x", f"x.permute{tuple(dims)}"), title, BLUE)


@styled
def draw_place(index, values, length, *, title=None):
    """A Picture of gradients on the way back from x[index] to the `length` places of x."""
    values = numbers_of(values) if numbers_of(values) is not None else np.asarray(values)
    title = title or "whoever was picked twice hears twice"
    above = [number_text(value) for value in values]
    parts = [[number_text(v) for v, i in zip(values, index, strict=True) if i % length == place]
             for place in range(length)]  # fmt: skip
    totals = np.zeros(length)
    np.add.at(totals, list(index), values)
    below = [sum_text(part, total) for part, total in zip(parts, totals, strict=True)]
    links = [(k, i % length) for k, i in enumerate(index)]
    captions = f"the gradient of x[{list(index)}]", f"the gradient of x, of {length} numbers"
    return draw_rows(above, below, links, captions, title, VERMILION)


def sum_text(parts, total):
    """`1 + 2 = 3`, or the number alone.

    >>> sum_text(["1", "2"], 3.0), sum_text(["5"], 5.0), sum_text([], 0.0)
    ('1 + 2 = 3', '5', '0')
    """
    total = number_text(total)
    return f"{' + '.join(parts)} = {total}" if len(parts) > 1 else total


def draw_rows(above, below, links, captions, title, colour):
    """Two rows of boxes with texts, and an arrow from the upper to the lower one for each link."""
    from course.drawing.scene import text_width
    from course.drawing.sheet import Sheet

    if max(len(above), len(below)) > MOST:
        raise ValueError(f"at most {MOST} boxes fit into a row, got {max(len(above), len(below))}")
    wide = max(text_width(text) for text in [*above, *below]) + 16
    rows = [TOP, TOP + BOX + GAP]
    longest = max(
        text_width(title, style.TITLE, "bold"),
        max(text_width(text, style.SMALL) for text in captions),
    )
    across = max(len(above), len(below)) * (wide + ROOM) - ROOM
    size = max(across, longest) + 2 * EDGE, rows[1] + BOX + 30
    scale = min(1, style.WIDTH / size[0])
    figure = style.new_figure(size[0] * scale, size[1] * scale)
    sheet = Sheet(figure, size, scale=scale)
    sheet.text(EDGE, 18, title, style.TITLE, "bold", align="left")
    ink = colour if colour == VERMILION else INK
    for texts, top, at, caption in zip(
        (above, below), rows, (TOP - 14, rows[1] + BOX + 15), captions, strict=True
    ):
        sheet.text(EDGE, at, caption, style.SMALL, colour=GREY, align="left")
        draw_boxes(sheet, texts, wide, top, ink)
    for start, end in links:
        left, right = [EDGE + k * (wide + ROOM) + wide / 2 for k in (start, end)]
        beside = right + 5 * (start - end)  # arrows to one box end side by side
        sheet.line((left, rows[0] + BOX + 2), (beside, rows[1] - 3), colour)
    return style.Picture(figure, title)


def draw_boxes(sheet, texts, wide, top, ink):
    """A row of boxes with texts."""
    for k, text in enumerate(texts):
        left = EDGE + k * (wide + ROOM)
        sheet.cell((left, top, left + wide, top + BOX), "white", "#555555", 1.2)
        sheet.text(left + wide / 2, top + BOX / 2, text, colour=ink)
