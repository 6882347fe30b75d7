"""draw_library: the finished library as a graph of its modules, those of the chapters in colour."""

from itertools import pairwise
from math import sqrt
from textwrap import wrap

from course.drawing import style
from course.drawing.layout import Edge, layout
from course.drawing.sheet import Sheet
from course.drawing.style import BLUE, FAINT, GREY, INK, PALE, styled

NAME, LIST = 10.5, 9  # sizes of text: a chapter's module, and a bundle of others
LINE, PAD, ROWS, GAP, MARGIN, HEAD = 12, 6, 22, 8, 14, 66  # pixels
YOURS = "#BFDCEF"


@styled
def draw_boxes(boxes, chapters, yours, title):
    """A Picture of bundled modules, {tuple of names: tuples that it imports}, the ground below.

    `chapters` is {module: the number of its chapter}; `yours` are the modules that are filled.
    """
    order = [*reversed([*from_below(boxes)])]
    lines = [lines_of(box, chapters) for box in order]
    sizes = [size_of(box, texts, chapters) for box, texts in zip(order, lines, strict=True)]
    edges = [Edge(order.index(box), order.index(to)) for box in order for to in sorted(boxes[box])]
    plan = layout([(high, wide) for wide, high in sizes], edges, lambda depth: ROWS, GAP, GAP)
    size = max(plan.height + 2 * MARGIN, 460), plan.width + HEAD + MARGIN
    scale = min(1, style.WIDTH / size[0])
    sheet = Sheet(style.new_figure(size[0] * scale, size[1] * scale), size, scale=scale)
    sheet.text(MARGIN, 20, title, style.TITLE, "bold", align="left")
    write_key(sheet, [look_of(box, chapters, yours)[:3] for box in order])
    left = (size[0] - plan.height) / 2
    for edge, points in zip(edges, fanned(plan.routes, edges, sizes), strict=True):
        is_blue = {order[edge.source][0], order[edge.target][0]} <= set(yours)
        points = [*points, (plan.places[edge.target].left, points[-1][1])]  # down to the box
        draw_route(sheet, [(left + x, HEAD + y) for y, x in points], is_blue)
    for box, texts, place in zip(order, lines, plan.places, strict=True):
        middle, half, top = left + place.y, place.height / 2, HEAD + place.left
        frame = middle - half, top, middle + half, top + place.width
        draw_box(sheet, frame, texts, look_of(box, chapters, yours))
    return style.Picture(sheet.axes.figure, title)


def from_below(boxes):
    """The boxes, each after all that it imports."""
    found = {}

    def visit(box):
        if box not in found:
            for other in sorted(boxes[box]):
                visit(other)
            found[box] = None

    for box in sorted(boxes):
        visit(box)
    return found


def lines_of(box, chapters):
    """The text of a box: a chapter's module with its number, or a bundle, package by package."""
    if box[0] in chapters:
        return [f"{box[0].rpartition('.')[2]}  {chapters[box[0]]}"]
    names = [name.removeprefix("tinytorch.").rpartition(".") for name in box]
    packages = {}
    for package, _, name in sorted(names):
        packages.setdefault(package, []).append(name)
    texts = [listed(package, inner) for package, inner in packages.items()]
    text = "; ".join(texts)
    return wrap(text, max(22, int(3 * sqrt(len(text)))), break_long_words=False)


def listed(package, names):
    """The modules of one package.

    >>> listed("", ["a", "b"]), listed("nn", ["a"]), listed("nn", ["a", "b"])
    ('a, b', 'nn.a', 'nn: a, b')
    """
    if package and len(names) == 1:
        return f"{package}.{names[0]}"
    return (f"{package}: " if package else "") + ", ".join(names)


def size_of(box, texts, chapters):
    from course.drawing.scene import text_width

    kind = (NAME, "bold") if box[0] in chapters else (LIST, "normal")
    width = max(text_width(text, *kind) for text in texts)
    width *= 1.03  # small letters are drawn a bit wider
    return width + 2 * PAD, (LINE + 1.5 if box[0] in chapters else LINE) * len(texts) + 2 * PAD - 2


def look_of(box, chapters, yours):
    """(fill, colour of the border, its dashes, size, weight and colour of the text)"""
    if box[0] in yours:
        return YOURS, BLUE, "-", NAME, "bold", INK
    if box[0] in chapters:
        return "white", INK, (0, (3, 2.2)), NAME, "bold", INK
    return FAINT, PALE, "-", LIST, "normal", "#555555"


def draw_box(sheet, frame, texts, look):
    fill, border, dashes, size, weight, colour = look
    sheet.rounded(frame, 4, fill, border, 1, "box", dashes)
    middle = (frame[0] + frame[2]) / 2
    line = (frame[3] - frame[1] - 2 * PAD + 2) / len(texts)
    for row, text in enumerate(texts):
        y = frame[1] + PAD - 1 + line * (row + 0.5)
        sheet.text(middle, y, text, size, weight, colour, gid="line").set_va("center_baseline")


def fanned(routes, edges, sizes):
    """The routes with their ends side by side, along the border of the box."""
    moved = [list(points) for points in routes]
    for end, at, near in (("source", 0, 1), ("target", -1, -2)):
        groups = {}
        for k, edge in enumerate(edges):
            groups.setdefault(getattr(edge, end), []).append(k)
        for box, members in groups.items():
            members.sort(key=lambda k: (routes[k][near][1], k))
            step = min(10, (sizes[box][0] - 14) / max(len(members) - 1, 1))
            for place, k in enumerate(members):
                x, y = moved[k][at]
                moved[k][at] = x, y + step * (place - (len(members) - 1) / 2)
    return moved


def draw_route(sheet, points, is_blue):
    """A line that is upright beside boxes and bends between the rows."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    codes, vertices = [Path.MOVETO], [points[0]]
    for k, ((x0, y0), (x1, y1)) in enumerate(pairwise(points)):
        middle = (y0 + y1) / 2
        codes += [Path.LINETO] if k % 2 else [Path.CURVE4] * 3
        vertices += [(x1, y1)] if k % 2 else [(x0, middle), (x1, middle), (x1, y1)]
    colour, line, above = (BLUE, 1.3, 2) if is_blue else ("#B4B4B4", 1, 1)
    look = {"facecolor": "none", "edgecolor": colour, "linewidth": line, "zorder": above}
    sheet.axes.add_artist(PathPatch(Path(vertices, codes), gid="edge", **look))


def write_key(sheet, looks):
    """What the colours mean, those that are there."""
    from course.drawing.scene import text_width

    x = MARGIN
    for fill, text in {YOURS: "yours", "white": "not yet", FAINT: "the library's"}.items():
        for look in [look for look in looks if look[0] == fill][:1]:
            sheet.rounded((x, 36, x + 18, 47), 3, fill, look[1], 1, None, look[2])
            sheet.text(x + 24, 41.5, text, style.SMALL, colour=GREY, align="left")
            x += 42 + text_width(text, style.SMALL)
    what = "lines lead down to what is imported; numbers are chapters"
    sheet.text(x, 41.5, what, style.SMALL, colour=GREY, align="left")
