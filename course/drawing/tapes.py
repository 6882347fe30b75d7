"""draw_tape: a tape from top to bottom, pass after pass, and who computes with whose results."""

import numpy as np

from course.drawing import style
from course.drawing.style import BLUE, GREEN, GREY, PURPLE, VERMILION, styled

ROW, TOP, BAND, TEXT, NOTE = 19, 52, 16, 166, 110
COLOURS = (BLUE, VERMILION, PURPLE, GREEN)  # of the passes, in their order
MOST = 40  # entries that are still readable


@styled
def draw_tape(tape, passes, notes=None, *, title="each pass computes with what's there already"):
    """A Picture of a tape: its entries in order, and an arc from each result to those who use it.

    `passes` maps the name of each pass to the number of entries that there were at its end,
    `notes` a Variable's name to a word or two about it. One of these that no entry made has a
    line of its own, in the first pass that computes with it, and broken arcs.
    ValueError for a tape of more than 40 entries.
    """
    from course.drawing.sheet import Sheet

    length = max(passes.values())
    if length > MOST:
        raise ValueError(f"a tape is drawn up to {MOST} entries, this one has {length}")
    notes = notes or {}
    bands = bands_of(tape, passes, notes)
    size = 500, TOP + ROW * sum(map(len, bands.values())) + 8
    figure = style.new_figure(*size)
    sheet = Sheet(figure, size)
    sheet.text(16, 20, title, style.TITLE, "bold", align="left")
    rows, start = {}, 0
    for colour, (name, lines) in zip(COLOURS, bands.items(), strict=False):
        draw_band(sheet, name, start, start + len(lines), colour)
        for row, (outputs, inputs) in enumerate(lines, start):
            draw_line(sheet, row, outputs, inputs, notes)
            draw_arcs(sheet, {x: rows[x] for x in inputs if x in rows}, row, colour)
            rows |= {output: (row, "-" if inputs else "--") for output in outputs}
        start += len(lines)
    return style.Picture(figure, title)


def bands_of(tape, passes, notes):
    """For each pass its lines, as (outputs, inputs): first what it uses that no entry made."""
    made = {name for entry in tape.entries for name in entry.outputs}
    unmade, bands, start = [name for name in notes if name not in made], {}, 0
    for name, end in passes.items():
        entries = tape.entries[start:end]
        used = {x for entry in entries for x in entry.inputs}
        bands[name] = [([x], []) for x in unmade if x in used]
        bands[name] += [(entry.outputs, entry.inputs) for entry in entries]
        unmade, start = [x for x in unmade if x not in used], end
    return bands


def middle(row):
    return TOP + ROW * (row + 0.5)


def draw_band(sheet, name, start, end, colour):
    """The stretch of one pass, with its name in the middle."""
    top, bottom = TOP + ROW * start + 2, TOP + ROW * end - 2
    sheet.cell((BAND, top, BAND + 6, bottom), colour, colour, 0)
    sheet.text(BAND + 16, (top + bottom) / 2, name, weight="bold", colour=colour, align="left")


def draw_line(sheet, row, outputs, inputs, notes):
    """What was made from what, and the notes on it."""
    text = f"{', '.join(outputs)}  ←  {', '.join(inputs)}" if inputs else outputs[0]
    sheet.text(TEXT, middle(row), text, align="left")
    told = ", ".join(notes[name] for name in outputs if name in notes)
    x = TEXT + (NOTE if inputs else 30)
    sheet.text(x, middle(row), told, weight="bold" if inputs else "normal", align="left")


def draw_arcs(sheet, sources, row, colour):
    """From the rows whose results are used to the row that uses them: the longer, the wider."""
    angles = np.linspace(-np.pi / 2, np.pi / 2, 60)
    for source, dashes in sources.values():
        y, reach = (middle(source) + middle(row)) / 2, (middle(row) - middle(source)) / 2
        wide = 10 + 150 * min(1, reach / (ROW * 12))
        x = TEXT + 160 + wide * np.cos(angles)
        sheet.axes.plot(x, y + reach * np.sin(angles), dashes, color=colour, lw=1.1, alpha=0.8)
        sheet.axes.plot(x[-1], middle(row), "<", color=colour, ms=4.5, mew=0)
        sheet.axes.plot(x[0], middle(source), "o", color=GREY, ms=2.5, mew=0)
