"""How attention computes, with small numbers, and what stands in a block."""

from fractions import Fraction

import numpy as np

from course.drawing import style
from course.drawing.style import BLUE, FAINT, GREY, INK, styled
from course.kernels import draw_cells
from course.plots import numbers

CELL, EDGE, GAP, BETWEEN = (34, 24), 16, 20, 56  # pixels; between two tables there's an arrow
TOP, UNSEEN = 66, "#606060"  # of the values; the colour of rows that are left to the reader
STRAIGHT, BELOW, HALF = 66, 118, 190  # of a block: where x goes, and its parts; how wide half is
PARTS = (("ln1", "attn", "letters ask letters"), ("ln2", "mlp", "each letter alone"))


@styled
def draw_attention(text, query, key, value, *, row=0, title=None):
    """A Picture of attention with a causal mask, for letters that have one number each.

    All that the letter `row` goes through is yellow. Logarithms of whole numbers and small
    fractions are written as such.
    """
    from course.drawing.sheet import Sheet

    query, key, value = (numbers(each).reshape(-1, 1) for each in (query, key, value))
    tables = tables_of(query, key, value)
    title = title or f"{text[row]} asks, and gets {name_of(tables['answers'][row, 0])}"
    wide, high = len(text) * CELL[0], len(text) * CELL[1]
    lefts = np.cumsum([EDGE + 20, CELL[0] + GAP, wide + BETWEEN, wide + BETWEEN, wide + 2 * GAP])
    top, over = TOP + high + GAP, TOP + high - CELL[1]  # of the tables, and of the keys above them
    size = lefts[-1] + CELL[0] + EDGE + GAP, top + high + 30
    sheet = Sheet(style.new_figure(*size), size)
    sheet.text(EDGE, 20, title, style.TITLE, "bold", align="left")
    asks = np.arange(len(text))[:, None] == row
    for left, (name, table) in zip(lefts, tables.items(), strict=True):
        draw_table(sheet, table, asks, (left, top), name, top + high + 14)
    draw_table(sheet, key.T, True, (lefts[1], over), "keys", over - 27)
    draw_table(sheet, value, True, (lefts[4], TOP), "values", TOP - 12)
    for k, letter in enumerate(text):
        right, down = (length * (k + 0.5) for length in CELL)
        places = (
            (lefts[0] - 12, top + down),
            (lefts[1] + right, over - 10),
            (lefts[4] - 12, TOP + down),
        )
        for x, y in places:
            sheet.text(x, y, letter, weight="bold")
    for left, name in zip(lefts[2:4], ("mask", "softmax"), strict=True):
        sheet.text(left - BETWEEN / 2, top + high / 2 - 12, name, style.SMALL)
        sheet.line((left - BETWEEN + 8, top + high / 2), (left - 8, top + high / 2), GREY)
    return style.Picture(sheet.axes.figure, title)


def tables_of(query, key, value):
    """What attention computes on its way, in that order."""
    scores = query @ key.T
    masked = np.where(np.tri(len(scores)), scores, -np.inf)
    weights = np.exp(masked) / np.exp(masked).sum(axis=1, keepdims=True)
    named = {"queries": query, "scores": scores, "masked": masked, "weights": weights}
    return named | {"answers": weights @ value}


def draw_table(sheet, table, seen, corner, name, y):
    """A table with its name in the middle, at y; what is seen is yellow."""
    texts = np.array([[name_of(number) for number in row] for row in table], object)
    draw_cells(sheet, texts, np.broadcast_to(seen, table.shape), corner, CELL, UNSEEN)
    sheet.text(corner[0] + table.shape[1] * CELL[0] / 2, y, name, style.SMALL)


def name_of(number):
    """A number as one writes it in a book.

    >>> name_of(-np.inf), name_of(np.log(3)), name_of(0.75), name_of(0.123)
    ('−∞', 'ln 3', '3/4', '0.12')
    """
    if np.isneginf(number):
        return "−∞"
    share, power = Fraction(float(number)).limit_denominator(20), np.exp(number)
    if abs(share - number) < 1e-6:
        return str(share).replace("-", "−")
    return f"ln {power:.0f}" if abs(power - round(power)) < 1e-6 else f"{number:.2f}"


@styled
def draw_block(*, title="a block: the blue line meets nothing but two sums"):
    """A Picture of a GPT's block: two parts, each added to what came in."""
    from course.drawing.sheet import Sheet

    size = 560, 164
    sheet = Sheet(style.new_figure(*size), size)
    sheet.text(EDGE, 20, title, style.TITLE, "bold", align="left")
    sheet.text(28, STRAIGHT, "x", weight="bold")
    start = 42
    for left, (norm, part, says) in zip((70, 312), PARTS, strict=True):
        draw_part(sheet, left, norm, part)
        sheet.text(left + 130, BELOW + 26, says, style.SMALL)
        plus = left + HALF
        sheet.line((start, STRAIGHT), (plus - 10, STRAIGHT), BLUE)
        frame = plus - 10, STRAIGHT - 10, plus + 10, STRAIGHT + 10
        sheet.rounded(frame, 10, "white", BLUE, 1.4, "pill")
        sheet.text(plus, STRAIGHT, "+", weight="bold", gid="symbol")
        start = plus + 10
    sheet.line((start, STRAIGHT), (size[0] - 20, STRAIGHT), BLUE)
    return style.Picture(sheet.axes.figure, title)


def draw_part(sheet, left, norm, part):
    """From the straight line down, through a norm and a part of the block, and up to the sum."""
    plus, look = left + HALF, {"color": INK, "lw": 1.4}
    sheet.axes.plot([left, left], [STRAIGHT, BELOW], **look)
    sheet.line((left, BELOW), (left + 26, BELOW), INK)
    for name, start, end in ((norm, 26, 76), (part, 102, 158)):
        sheet.rounded((left + start, BELOW - 14, left + end, BELOW + 14), 5, FAINT, INK, 1, "box")
        line = sheet.text(left + (start + end) / 2, BELOW, name, gid="line")
        line.set_fontfamily("DejaVu Sans Mono")  # so that ln1 doesn't read as In1
    sheet.line((left + 76, BELOW), (left + 102, BELOW), INK)
    sheet.axes.plot([left + 158, plus], [BELOW, BELOW], **look)
    sheet.line((plus, BELOW), (plus, STRAIGHT + 10), INK)
