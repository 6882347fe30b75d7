"""draw_modes: code from top to bottom, and what is switched on at each of its lines."""

from course.drawing import style
from course.drawing.style import BLUE, GREEN, GREY, PURPLE, VERMILION, styled

ROW, TOP, LEFT, BAND = 23, 70, 16, 56
LETTER = 0.603 * (style.SMALL + 1)  # of the typewriter that code is set in
COLOURS = (BLUE, VERMILION, GREEN, PURPLE)  # of the switches, in their order


@styled
def draw_modes(moments, *, title="a scope ends, and all is as it was"):
    """A Picture of lines of code and a band for each switch, filled where the switch is on.

    `moments` holds a pair for each line: its text, and {name of a switch: is it on?}.
    """
    from course.drawing.scene import text_width
    from course.drawing.sheet import Sheet

    names = list(moments[0][1])
    wide = max(len(text) for text, _ in moments) * LETTER
    step = max(text_width(name, style.SMALL, "bold") for name in names) + 22
    start = LEFT + wide + 24
    size = max(440, start + step * len(names)), TOP + ROW * len(moments) + 12
    figure = style.new_figure(*size)
    sheet = Sheet(figure, size)
    sheet.text(LEFT, 20, title, style.TITLE, "bold", align="left")
    for row, (text, _) in enumerate(moments):
        line = sheet.text(LEFT, TOP + ROW * (row + 0.5), text, style.SMALL + 1, align="left")
        line.set_fontfamily("DejaVu Sans Mono")
    for place, (name, colour) in enumerate(zip(names, COLOURS, strict=False)):
        middle = start + step * (place + 0.5)
        sheet.text(middle, TOP - 14, name, style.SMALL, "bold", colour)
        draw_band(sheet, middle, [on[name] for _, on in moments], colour)
    return style.Picture(figure, title)


def draw_band(sheet, middle, flags, colour):
    """A cell for each line: filled, with "on" in it, or "off"."""
    for row, is_on in enumerate(flags):
        top = TOP + ROW * row
        if is_on:
            box = middle - BAND / 2, top + 0.5, middle + BAND / 2, top + ROW - 0.5
            sheet.cell(box, colour, colour, 0)
        word, ink = ("on", "white") if is_on else ("off", GREY)
        sheet.text(middle, top + ROW / 2, word, style.SMALL, colour=ink)
