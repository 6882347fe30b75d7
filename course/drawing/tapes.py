"""draw_tape: a tape from top to bottom, pass after pass, and who computes with whose results."""

import numpy as np

from course.drawing import style
from course.drawing.style import BLUE, GREEN, GREY, PURPLE, VERMILION, styled

ROW, TOP, BAND, TEXT = 19, 52, 16, 196
COLOURS = (BLUE, VERMILION, PURPLE, GREEN)  # of the passes, in their order
MOST = 40  # entries that are still readable


@styled
def draw_tape(tape, passes, *, title="each pass computes with what is on the tape already"):
    """A Picture of a tape: its entries in order, and an arc from each result to those who use it.

    `passes` maps the name of each pass to the number of entries that there were at its end.
    ValueError for a tape of more than 40 entries.
    """
    from course.drawing.sheet import Sheet

    entries = tape.entries[: max(passes.values())]
    if len(entries) > MOST:
        raise ValueError(f"a tape is drawn up to {MOST} entries, this one has {len(entries)}")
    size = 500, TOP + ROW * len(entries) + 8
    figure = style.new_figure(*size)
    sheet = Sheet(figure, size)
    sheet.text(16, 20, title, style.TITLE, "bold", align="left")
    rows, start = {}, 0
    for colour, (name, end) in zip(COLOURS, passes.items(), strict=False):
        draw_band(sheet, name, start, end, colour)
        for row, entry in enumerate(entries[start:end], start):
            text = f"{', '.join(entry.outputs)}  ←  {', '.join(entry.inputs)}"
            sheet.text(TEXT, middle(row), text, align="left")
            draw_arcs(sheet, [rows[x] for x in set(entry.inputs) & set(rows)], row, colour)
            rows |= dict.fromkeys(entry.outputs, row)
        start = end
    return style.Picture(figure, title)


def middle(row):
    return TOP + ROW * (row + 0.5)


def draw_band(sheet, name, start, end, colour):
    """The stretch of one pass, with its name in the middle."""
    top, bottom = TOP + ROW * start + 2, TOP + ROW * end - 2
    sheet.cell((BAND, top, BAND + 6, bottom), colour, colour, 0)
    sheet.text(BAND + 16, (top + bottom) / 2, name, weight="bold", colour=colour, align="left")


def draw_arcs(sheet, sources, row, colour):
    """From the rows whose results are used to the row that uses them: the longer, the wider."""
    angles = np.linspace(-np.pi / 2, np.pi / 2, 60)
    for source in sources:
        y, reach = (middle(source) + middle(row)) / 2, (middle(row) - middle(source)) / 2
        wide = 10 + 150 * min(1, reach / (ROW * 12))
        x = TEXT + 130 + wide * np.cos(angles)
        sheet.axes.plot(x, y + reach * np.sin(angles), color=colour, lw=1.1, alpha=0.8)
        sheet.axes.plot(x[-1], middle(row), "<", color=colour, ms=4.5, mew=0)
        sheet.axes.plot(x[0], middle(source), "o", color=GREY, ms=2.5, mew=0)
