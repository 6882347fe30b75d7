"""draw_modules: a network as a tree, a box for each module and an arrow for each name."""

from course.drawing import style
from course.drawing.style import BLUE, FAINT, GREY, INK, PALE, styled

LINE, PAD, GAP, TOP, LETTER = 19, 9, 16, 46, 7.6  # pixels
MOST = 24  # modules that are still readable


@styled
def draw_modules(module, *, title=None):
    """A Picture of a module and all within it: parameters blue, buffers grey, an arrow a name.

    ValueError for more than 24 modules.
    """
    from course.drawing.sheet import Sheet

    found = {m: (depth, lines_of(m)) for m, depth in depths_of(module).items()}
    if len(found) > MOST:
        raise ValueError(f"up to {MOST} modules are drawn, these are {len(found)}")
    named = list(arrows(found))
    room = LETTER * max([len(name) for *_, names in named for name in names], default=0) + 18
    frames = placed(found, named, room)
    title = title or f"{type(module).__name__}: an arrow for each name"
    right = max(frame[2] for frame in frames.values())
    size = max(right + 16, 60 + LETTER * len(title)), max(f[3] for f in frames.values()) + 16
    figure = style.new_figure(*size)
    sheet = Sheet(figure, size)
    sheet.text(16, 20, title, style.TITLE, "bold", align="left")
    for parent, child, names in named:
        draw_arrows(sheet, frames[parent], frames[child], names, room)
    for m, (_, lines) in found.items():
        draw_box(sheet, frames[m], lines)
    return style.Picture(figure, title)


def depths_of(module, depth=0, found=None):
    """{module: depth}, each before its parts. It asks no named_modules(), which is an exercise."""
    found = {} if found is None else found
    if module not in found:
        found[module] = depth
        for part in module._modules.values():
            if part is not None:
                depths_of(part, depth + 1, found)
    return found


def lines_of(module):
    """What stands in the box of a module: (text, colour), its class first."""
    lines = [(type(module).__name__, INK)]
    for parts, colour in ((module._parameters, BLUE), (module._buffers, GREY)):
        for name, part in parts.items():
            what = None if part is None else tuple(part.shape)
            lines.append((f"{name} {what}", colour))
    return lines


def arrows(found):
    """(parent, child, the names of the child in it)"""
    for parent in found:
        children = [part for part in parent._modules.values() if part is not None]
        for child in dict.fromkeys(children):
            yield parent, child, [n for n, part in parent._modules.items() if part is child]


def placed(found, named, room):
    """{module: (left, top, right, bottom)}: a column for each depth, none above its parent."""
    lefts, right = {}, -room
    for depth in sorted({depth for depth, _ in found.values()}):
        lefts[depth] = right + 16 + room
        texts = [text for d, lines in found.values() if d == depth for text, _ in lines]
        right = lefts[depth] + 2 * PAD + LETTER * max(map(len, texts))
    frames, bottoms = {}, dict.fromkeys(lefts, TOP)
    for module, (depth, lines) in found.items():
        names = [name for _, child, some in named if child is module for name in some]
        parents = [frames[p][1] for p, child, _ in named if child is module and p in frames]
        top = max(bottoms[depth], min(parents, default=TOP))
        width = 2 * PAD + LETTER * max(len(text) for text, _ in lines)
        bottom = top + 2 * PAD + LINE * max(len(lines), len(names))
        frames[module] = lefts[depth], top, lefts[depth] + width, bottom
        bottoms[depth] = bottom + GAP
    return frames


def draw_box(sheet, frame, lines):
    left, top, *_ = frame
    sheet.rounded(frame, 5, FAINT if len(lines) == 1 else "white", INK, 1, None)
    for row, (text, colour) in enumerate(lines):
        weight = "bold" if row == 0 else "normal"
        y = top + PAD + LINE * (row + 0.5)
        sheet.text(left + PAD, y, text, weight=weight, colour=colour, align="left")


def draw_arrows(sheet, parent, child, names, room):
    """From the right of a parent, down or up, to the left of its child: one for each name."""
    start, y0 = parent[2], parent[1] + PAD + LINE / 2
    for row, name in enumerate(names):
        y, end = child[1] + PAD + LINE * (row + 0.5), child[0]
        bend = end - room
        sheet.axes.plot([start, bend, bend, end - 6], [y0, y0, y, y], color=PALE, lw=1.4, zorder=1)
        sheet.line((end - 8, y), (end, y), GREY)
        sheet.text(end - 12, y - 9, name, style.SMALL, align="left").set_ha("right")
