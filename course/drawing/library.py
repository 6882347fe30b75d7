"""draw_library: the chapters' modules as a graph, each with how much of the library it carries."""

from itertools import pairwise

from course.drawing import style
from course.drawing.layout import Edge, layout
from course.drawing.sheet import Sheet
from course.drawing.style import BLUE, FAINT, INK, PALE, styled

NAME = 10.5  # size of a module's name; its chapter and what it carries are written small
LINE, PAD, ROWS, GAP, MARGIN, HEAD = 13, 6, 24, 10, 14, 80  # pixels
DARK = "#505050"
TEXTS = ((NAME, "bold", INK), *[(style.SMALL, "normal", DARK)] * 2)  # of the lines in a box
YOURS, OTHERS, OURS = ("#BFDCEF", BLUE, "-"), ("white", INK, (0, (3, 2.2))), (FAINT, PALE, "-")
LOOKS = {"yours": YOURS, "with exercises": YOURS, "not yet": OTHERS, "without exercises": OTHERS,
         "the library's": OURS}  # fmt: skip
BOXES = "below a name: its chapter, and how many modules stand on it"
LINES = "lines lead down to what a module stands on, directly or through others that aren't drawn; "
LINES += "blue lines join blue boxes"


@styled
def draw_boxes(graph, says, kinds, title):
    """A Picture of modules, {name: the names that it stands on}, the ground below.

    `says` has the lines in a module's box, and `kinds` what the key says of its colour.
    """
    order = [*reversed([*from_below(graph)])]
    sizes = [size_of(says[name]) for name in order]
    edges = [
        Edge(order.index(name), order.index(to)) for name in order for to in sorted(graph[name])
    ]
    plan = layout([(high, wide) for wide, high in sizes], edges, lambda depth: ROWS, GAP, GAP)
    size = max(plan.height, key_width(kinds.values())) + 2 * MARGIN, plan.width + HEAD + MARGIN
    scale = min(1, style.WIDTH / size[0])
    sheet = Sheet(style.new_figure(size[0] * scale, size[1] * scale), size, scale=scale)
    sheet.text(MARGIN, 20, title, style.TITLE, "bold", align="left")
    write_key(sheet, kinds.values())
    left = (size[0] - plan.height) / 2
    for edge, points in zip(edges, fanned(plan.routes, edges, sizes), strict=True):
        is_blue = {LOOKS[kinds[order[end]]] for end in (edge.source, edge.target)} == {YOURS}
        points = [*points, (plan.places[edge.target].left, points[-1][1])]  # down to the box
        draw_route(sheet, [(left + x, HEAD + y) for y, x in points], is_blue)
    for name, place in zip(order, plan.places, strict=True):
        middle, half, top = left + place.y, place.height / 2, HEAD + place.left
        frame = middle - half, top, middle + half, top + place.width
        draw_box(sheet, frame, says[name], LOOKS[kinds[name]])
    return style.Picture(sheet.axes.figure, title)


def from_below(graph):
    """The modules, each after all that it stands on."""
    found = {}

    def visit(name):
        if name not in found:
            for other in sorted(graph[name]):
                visit(other)
            found[name] = None

    for name in sorted(graph):
        visit(name)
    return found


def size_of(lines):
    from course.drawing.scene import text_width

    looks = zip(lines, TEXTS, strict=False)
    width = max(text_width(text, size, weight) for text, (size, weight, _) in looks)
    return width * 1.03 + 2 * PAD, LINE * len(lines) + 2 * PAD - 2  # small letters come out wider


def draw_box(sheet, frame, texts, look):
    fill, border, dashes = look
    sheet.rounded(frame, 4, fill, border, 1, "box", dashes)
    middle = (frame[0] + frame[2]) / 2
    for row, (text, of_text) in enumerate(zip(texts, TEXTS, strict=False)):
        y = frame[1] + PAD - 1 + LINE * (row + 0.5)
        sheet.text(middle, y, text, *of_text, gid="line").set_va("center_baseline")


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


def write_key(sheet, kinds):
    """What the colours mean, those that are there, and below it what else there is to read."""
    x = MARGIN
    for text, width in key_of(kinds).items():
        fill, border, dashes = LOOKS[text]
        sheet.rounded((x, 36, x + 18, 47), 3, fill, border, 1, None, dashes)
        sheet.text(x + 24, 41.5, text, style.SMALL, colour=DARK, align="left")
        x += width
    sheet.text(x, 41.5, BOXES, style.SMALL, colour=DARK, align="left")
    sheet.text(MARGIN, 59, LINES, style.SMALL, colour=DARK, align="left")


def key_of(kinds):
    """{what a colour means: how wide it is with its colour before it}, of those that are there."""
    from course.drawing.scene import text_width

    return {text: 42 + text_width(text, style.SMALL) for text in LOOKS if text in kinds}


def key_width(kinds):
    """How wide the key will be: a library of few modules mustn't cut it off."""
    from course.drawing.scene import text_width

    boxes, lines = (text_width(text, style.SMALL) * 1.03 for text in (BOXES, LINES))
    return max(sum(key_of(kinds).values()) + boxes, lines)
