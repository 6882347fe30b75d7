"""draw_tape: a tape from top to bottom, pass after pass, and the way that leads back through it."""

import numpy as np

from course.drawing import style
from course.drawing.style import BLUE, GREEN, PURPLE, VERMILION, styled

ROW, TOP, BAND, TEXT, NOTE, ARCS, WIDE = 19, 52, 16, 166, 110, 410, 580
LANE, CORNER, PORT = 15, 4, 4  # of the arcs: side by side, rounded, and apart in one row
COLOURS = (BLUE, VERMILION, PURPLE, GREEN)  # of the passes, in their order
MOST = 40  # entries that are still readable


@styled
def draw_tape(tape, passes, start, notes=None, *, title="the way back"):
    """A Picture of a tape: its entries in order, and the arcs that a pass from `start` goes along.

    `passes` maps the name of each pass to the number of entries that there were at its end.
    `start` is the name of a Variable: an arc leads from each entry behind it to those that made
    its inputs, in the colour of the pass after these. `notes` maps a Variable's name to a word or
    two about it. One of these that no entry made has a line of its own, before what was made
    next, and broken arcs; others have none. ValueError for a tape of more than 40 entries.
    """
    from course.drawing.sheet import Sheet

    length = max(passes.values())
    if length > MOST:
        raise ValueError(f"a tape is drawn up to {MOST} entries, this one has {length}")
    notes = notes or {}
    bands = bands_of(tape, passes, notes)
    size = WIDE, TOP + ROW * sum(map(len, bands.values())) + 8
    figure = style.new_figure(*size)
    sheet = Sheet(figure, size)
    sheet.text(16, 20, title, style.TITLE, "bold", align="left")
    lines, top = [], 0
    for colour, (name, band) in zip(COLOURS, bands.items(), strict=False):
        draw_band(sheet, name, top, top + len(band), colour)
        lines, top = lines + band, top + len(band)
    for row, (outputs, inputs) in enumerate(lines):
        draw_line(sheet, row, outputs, inputs, notes)
    pairs = ways_back(lines, start)
    lanes = lanes_of(pairs)
    wide = min(LANE, (WIDE - ARCS - 35) / max([1, *lanes]))
    for (above, below), lane in zip(pairs, lanes, strict=True):
        dashes = "-" if lines[above][1] else (0, (4, 2))
        draw_arc(sheet, above, below, 15 + wide * lane, COLOURS[len(bands) % 4], dashes)
    return style.Picture(figure, title)


def bands_of(tape, passes, notes):
    """For each pass its lines, as (outputs, inputs), among them what no entry made."""
    made = {name for entry in tape.entries for name in entry.outputs}
    unmade, bands, start = [name for name in notes if name not in made], {}, 0
    for name, end in passes.items():
        lines = []
        for entry in tape.entries[start:end]:
            due = [x for x in unmade if x in entry.inputs or is_older(x, entry.outputs)]
            unmade = [x for x in unmade if x not in due]
            lines += [([x], []) for x in due] + [(entry.outputs, entry.inputs)]
        bands[name], start = lines, end
    return bands


def is_older(name, others):
    """Was this the first to be named of these? A tape counts the names that it makes up."""
    numbers = [int(x[1:]) if x[0] == "v" and x[1:].isdigit() else -1 for x in (name, *others)]
    return 0 <= numbers[0] < min(numbers[1:])


def ways_back(lines, start):
    """Pairs of rows, (where an input was made, who computed with it), of all behind `start`."""
    rows = {output: row for row, (outputs, _) in enumerate(lines) for output in outputs}
    heard, pairs = {start}, []
    for row in reversed(range(len(lines))):
        outputs, inputs = lines[row]
        if heard & set(outputs):
            heard |= set(inputs)
            pairs += [(rows[x], row) for x in dict.fromkeys(inputs) if x in rows]
    return pairs


def middle(row):
    return TOP + ROW * (row + 0.5)


def draw_band(sheet, name, start, end, colour):
    """The stretch of one pass, with its name in the middle."""
    top, bottom = TOP + ROW * start + 2, TOP + ROW * end - 2
    sheet.cell((BAND, top, BAND + 6, bottom), colour, colour, 0)
    sheet.text(BAND + 16, (top + bottom) / 2, name, weight="bold", colour=colour, align="left")


def draw_line(sheet, row, outputs, inputs, notes):
    """What was made from what, and the notes on it; every second row is shaded."""
    if row % 2 == 0:
        top = middle(row) - ROW / 2
        sheet.cell((TEXT - 6, top, WIDE - 8, top + ROW), "#F4F4F4", "#F4F4F4", 0)
    text = f"{', '.join(outputs)}  ←  {', '.join(inputs)}" if inputs else outputs[0]
    sheet.text(TEXT, middle(row), text, align="left")
    told = ", ".join(notes[name] for name in outputs if name in notes)
    x = TEXT + (NOTE if inputs else 30)
    sheet.text(x, middle(row), told, weight="bold" if inputs else "normal", align="left")


def draw_arc(sheet, above, below, reach, colour, dashes):
    """From the row of a result up to the row that made one of its inputs, `reach` to the right.

    It leaves in the upper half of its row and arrives in the lower half of the other.
    """
    top, bottom, right = middle(above) + PORT, middle(below) - PORT, ARCS + reach
    turn = np.linspace(0, np.pi / 2, 12)
    x = right - CORNER * (1 - np.sin(turn))
    y = top + CORNER * (1 - np.cos(turn))
    xs = [ARCS, *x, *x[::-1], ARCS]
    ys = [top, *y, *(top + bottom - y[::-1]), bottom]
    sheet.axes.plot(xs, ys, linestyle=dashes, color=colour, lw=1.1, alpha=0.8)
    sheet.axes.plot(ARCS, top, "<", color=colour, ms=4.5, mew=0)
    sheet.axes.plot(ARCS, bottom, "o", color=colour, ms=3.5, mew=0)


def lanes_of(pairs):
    """For each pair of rows a lane, the shortest nearest, in which it meets no other."""
    lanes = {}
    for pair in sorted(set(pairs), key=lambda pair: (pair[1] - pair[0], pair)):
        taken = {lane for other, lane in lanes.items() if meets(pair, other)}
        lanes[pair] = next(lane for lane in range(len(pairs)) if lane not in taken)
    return [lanes[pair] for pair in pairs]


def meets(pair, other):
    return pair[0] < other[1] and other[0] < pair[1]
