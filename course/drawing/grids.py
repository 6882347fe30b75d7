"""Broadcasting as grids of numbers: values copied along an axis, gradients summed back."""

import operator

import numpy as np

from course.drawing.reading import numbers_of
from course.drawing.slopes import product_text
from course.drawing.style import styled
from course.drawing.text import number_text

OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
}
SIGNS = {"-": "−", "*": "×", "/": "÷"}
CELL_HEIGHT, GAP, EDGE, TOP = 26, 34, 16, 62
MOST = 8  # rows or columns that are still readable


@styled
def draw_broadcast(x, y, op="+", *, title=None):
    """A Picture of `x op y` as grids; the copies that broadcasting makes are drawn as ghosts.

    ValueError if the shapes do not broadcast, or have more than two axes or eight rows.
    """
    if op not in OPERATORS:
        raise ValueError(f"op must be one of {' '.join(OPERATORS)}, got {op!r}")
    x, y = array_of(x), array_of(y)
    try:
        result = OPERATORS[op](x, y)
    except ValueError:
        raise ValueError(f"shapes {x.shape} and {y.shape} do not broadcast") from None
    require_small(result.shape)
    grids = [
        stretched(x, result.shape),
        stretched(y, result.shape),
        Grid(texts_of(result), "result"),
    ]
    captions = [stretch_text(x.shape, result.shape), stretch_text(y.shape, result.shape)]
    title = title or broadcast_title(x.shape, y.shape, result.shape)
    return draw_row(grids, [SIGNS.get(op, op), "="], [*captions, str(result.shape)], title)


@styled
def draw_unbroadcast(grad, shape, *, title=None):
    """A Picture of a gradient summed back to `shape`: what the copies received, added up.

    ValueError if `shape` does not broadcast to the gradient's, or there are too many numbers.
    """
    grad, shape = array_of(grad), tuple(shape)
    require_small(grad.shape)
    try:
        np.broadcast_to(np.zeros(shape), grad.shape)
    except ValueError:
        raise ValueError(f"shape {shape} does not broadcast to {grad.shape}") from None
    copied = "each copy received a gradient; the original gets their sum"
    default = copied if shape != grad.shape else "nothing was copied, so nothing is summed"
    return draw_sums(grad, shape, title or default)


@styled
def draw_rows(x, y, i, k, *, names=("x", "y", "z"), title=None):
    """A Picture of row i of x times row k of y, added up: element i, k of z = x @ y.T.

    `names` are those of the three. ValueError if they don't fit, or have more than eight rows.
    """
    x, y = array_of(x), array_of(y)
    if x.ndim != 2 or y.ndim != 2 or x.shape[1] != y.shape[1]:
        raise ValueError(f"rows of equal length wanted, got shapes {x.shape} and {y.shape}")
    z = x @ y.T
    for array in (x, y, z):
        require_small(array.shape)
    terms = " + ".join(map(product_text, zip(x[i], y[k], strict=True)))
    places = [np.arange(len(x)) == i, np.arange(len(y)) == k]
    seen = [np.repeat(place[:, None], x.shape[1], axis=1) for place in places]
    kinds = zip((x, y, z), ("grad", "value", "grad"), (*seen, np.outer(*places)), strict=True)
    grids = [Grid(texts_of(array), kind, real) for array, kind, real in kinds]
    return draw_row(grids, ["·", "→"], names, title or f"{terms} = {number_text(z[i, k])}")


def array_of(thing):
    array = numbers_of(thing)
    return np.asarray(thing if array is None else array)


def require_small(shape):
    if len(shape) > 2 or max(shape, default=1) > MOST:
        raise ValueError(f"grids are drawn for at most two axes of {MOST}, got shape {shape}")


class Grid:
    """Numbers in rows and columns. `real` says which cells are originals and not copies."""

    def __init__(self, texts, kind, real=None):
        from course.drawing.scene import text_width

        self.texts, self.kind = texts, kind
        self.real = np.ones(texts.shape, bool) if real is None else real
        self.cell_width = max(34, max(text_width(text) for text in texts.flat) + 14)

    @property
    def size(self):
        rows, columns = self.texts.shape
        return columns * self.cell_width, rows * CELL_HEIGHT


def texts_of(array):
    """The numbers of an array of up to two axes, as rows of texts."""
    return np.vectorize(number_text, otypes=[object])(np.atleast_2d(array))


def stretched(array, shape):
    """The grid of an operand: its own numbers, and the ghosts that fill the result's shape."""
    rows, columns = np.atleast_2d(np.zeros(shape)).shape
    own_rows, own_columns = np.atleast_2d(array).shape
    real = (np.arange(rows)[:, None] < own_rows) & (np.arange(columns) < own_columns)
    return Grid(texts_of(np.broadcast_to(array, shape)), "value", real)


def stretch_text(shape, result):
    return str(shape) if shape == result else f"{shape} → {result}"


def broadcast_title(x, y, result):
    if x == y:
        return "equal shapes: element meets element"
    if result not in (x, y):
        return "both are copied until the shapes agree"
    return f"{x if y == result else y} is copied until the shapes agree"


def draw_row(grids, signs, captions, title):
    """Grids from left to right with signs between them and their shapes above."""
    sheet, figure = open_sheet([grid.size for grid in grids], captions, title)
    x = EDGE
    tallest = max(grid.size[1] for grid in grids)
    for k, (grid, caption) in enumerate(zip(grids, captions, strict=True)):
        draw_grid(sheet, grid, x, TOP, caption)
        x += column_width(grid.size[0], caption)
        if k < len(signs):
            sheet.text(x + GAP / 2, TOP + tallest / 2, signs[k], 15)
        x += GAP
    return figure


def column_width(width, caption):
    from course.drawing.scene import text_width

    return max(width, text_width(caption, 9.5))


def open_sheet(sizes, captions, title, below=0):
    from course.drawing.scene import text_width
    from course.drawing.sheet import Sheet
    from course.drawing.style import TITLE, WIDTH, Picture, new_figure

    wide = [column_width(size[0], text) for size, text in zip(sizes, captions, strict=True)]
    width = max(sum(wide) + GAP * (len(wide) - 1), text_width(title, TITLE, "bold")) + 2 * EDGE
    height = TOP + max(size[1] for size in sizes) + below + EDGE
    scale = min(1, WIDTH / width)
    figure = new_figure(width * scale, height * scale)
    sheet = Sheet(figure, (width, height), scale=scale)
    sheet.text(EDGE, 18, title, TITLE, "bold", align="left")
    return sheet, Picture(figure, title)


def draw_grid(sheet, grid, left, top, caption=""):
    from course.drawing import style

    colour = {"value": style.BLUE, "result": style.BLUE, "grad": style.VERMILION}[grid.kind]
    width = grid.cell_width
    if caption:
        sheet.text(left, top - 14, caption, style.SMALL, colour=style.GREY, align="left")
    for real in (False, True):  # originals last: their outlines lie above those of the ghosts
        for row, column in np.argwhere(grid.real == real):
            x, y = left + column * width, top + row * CELL_HEIGHT
            look = ("#555555", 1.2, "-") if real else (style.PALE, 1, (0, (3, 2)))
            frame = (x, y, x + width, y + CELL_HEIGHT)
            sheet.cell(frame, "white" if real else style.FAINT, *look)
            ink = colour if real else "#A8A8A8"
            sheet.text(x + width / 2, y + CELL_HEIGHT / 2, grid.texts[row, column], colour=ink)


def draw_sums(grad, shape, title):
    """The gradient's grid, and beside or below it the sums, written out."""
    rows, columns = np.atleast_2d(grad).shape
    kept = (1, 1)[: 2 - len(shape)] + tuple(shape)
    down, across = kept[0] < rows, kept[1] < columns
    sums = Grid(sum_texts(np.atleast_2d(grad), down, across), "grad")
    grid = Grid(texts_of(grad), "grad")
    if down and not across:
        return draw_below(grid, sums, (grad.shape, shape), title)
    if not down and not across:
        sums = Grid(texts_of(grad), "grad")
    sheet, figure = open_sheet([grid.size, sums.size], [str(grad.shape), str(shape)], title)
    x = EDGE + column_width(grid.size[0], str(grad.shape))
    draw_grid(sheet, grid, EDGE, TOP, str(grad.shape))
    top = TOP + (grid.size[1] - sums.size[1]) / 2
    draw_grid(sheet, sums, x + GAP, top, str(shape))
    for row in range(sums.texts.shape[0]):
        y = top + (row + 0.5) * CELL_HEIGHT
        sheet.line((EDGE + grid.size[0] + 5, y), (x + GAP - 4, y))
    return figure


def draw_below(grid, sums, shapes, title):
    """Columns summed downwards: each sum stands below its column."""
    width = grid.cell_width = sums.cell_width = max(grid.cell_width, sums.cell_width)
    below = GAP + CELL_HEIGHT
    sheet, figure = open_sheet([grid.size], [str(shapes[0])], title, below + 18)
    draw_grid(sheet, grid, EDGE, TOP, str(shapes[0]))
    top = TOP + grid.size[1] + GAP
    draw_grid(sheet, sums, EDGE, top)
    sheet.text(EDGE, top + CELL_HEIGHT + 14, str(shapes[1]), 9.5, colour="#808080", align="left")
    for column in range(sums.texts.shape[1]):
        x = EDGE + (column + 0.5) * width
        sheet.line((x, top - GAP + 4), (x, top - 4))
    return figure


def sum_texts(grad, down, across):
    """`1 + 2 = 3` for each sum, or its total where there is too much to write out."""
    rows, columns = grad.shape
    groups = grad.T if down and not across else grad if across and not down else grad.reshape(1, -1)
    texts = []
    for group in groups:
        parts = [number_text(number) for number in group]
        total = number_text(group.sum())
        parts = [
            f"({part})" if part.startswith("−") and k else part for k, part in enumerate(parts)
        ]
        texts.append(f"{' + '.join(parts)} = {total}" if 1 < len(parts) <= 4 else total)
    shape = (1, columns) if down and not across else (rows, 1) if across and not down else (1, 1)
    return np.array(texts, dtype=object).reshape(shape)
