"""What the course has built, as a wall: a layer of bricks for each chapter, drawn from sources."""

from course.drawing import style
from course.drawing.style import GREY, INK, styled
from course.manifest import all_chapters
from course.modules import solution_of
from course.plots import pixels, write_title
from course.source import read_source, split_lines

ROW, TOP, LEFT, EDGE = 32, 64, 200, 14
FILLS = {"yours": "#BFDCEF", "given": "#F1F1EE", "cut": "#F1F1EE"}
SIZE = 8.5  # of the names in the bricks


@styled
def draw_course(*, title="what was built, from the first chapter at the bottom to the last"):
    """A Picture of all chapters, the first one at the bottom: a brick for each file.

    The more lines, the wider. In blue files there are exercises. Between the two parts lies
    everything else that the library has: far too wide, so it's torn off at the right.
    """
    chapters = all_chapters()
    layers = [(f"{c.number}  {c.title}", [*bricks_of(c)]) for c in chapters]
    scale = next(s for s in (0.6 - k / 100 for k in range(60)) if fits(layers, s))
    parts = sum(not chapter.is_package for chapter in chapters)
    room, lines = (style.WIDTH - LEFT - EDGE) / scale, rest(chapters)
    says = f"{lines:,} lines, {lines / room:.0f} times as wide as drawn"
    layers.insert(parts, ("the rest of the library", [(says, room, "cut")]))
    height = TOP + ROW * len(layers) + 10
    figure = style.new_figure(style.WIDTH, height)
    write_title(figure, title, height)
    axes = figure.add_axes(pixels(figure, 0, 0, style.WIDTH, height))
    axes.set_axis_off()
    axes.set(xlim=(0, style.WIDTH), ylim=(height, 0))
    write(axes, EDGE, 44, "blue: your work is in it; the wider, the more lines", GREY, "left")
    floor = height - 10 - ROW
    for k, (name, bricks) in enumerate(layers):
        write(axes, EDGE, floor - ROW * k + ROW / 2, name, INK, "left")
        left = LEFT
        for text, lines, kind in bricks:
            right = left + width_of(text, lines, scale)
            draw_brick(axes, (left, floor - ROW * k, right), text, kind)
            left = right
    return style.Picture(figure, title)


def bricks_of(chapter):
    """(name, lines, "yours" or "given") for each file of a chapter."""
    asked = [name for exercise in chapter.exercises for name in exercise.names]
    for module, text in solution_of(chapter).items():
        is_yours = any(name.startswith(f"{module}.") or not module for name in asked)
        name = module.rpartition(".")[2] if module else "tinytorch.py"
        yield name, len(split_lines(text)), "yours" if is_yours else "given"


def rest(chapters):
    """How many lines the library has outside of the chapters' modules."""
    library = chapters[0].library
    known = {path for chapter in chapters if chapter.is_package for path in chapter.files.values()}
    others = [path for path in library.rglob("*.py") if path not in known]
    return sum(len(split_lines(read_source(path))) for path in others)


def width_of(text, lines, scale):
    """How wide a brick is: by its lines, but at least as wide as its name."""
    from course.drawing.scene import text_width

    return max(lines * scale, text_width(text, SIZE) + 8)


def fits(layers, scale):
    widths = [sum(width_of(*brick[:2], scale) for brick in bricks) for _, bricks in layers]
    return max(widths) <= style.WIDTH - LEFT - EDGE


def draw_brick(axes, span, text, kind):
    from matplotlib.patches import Polygon, Rectangle

    left, top, right = span
    look = {"facecolor": FILLS[kind], "edgecolor": "white", "linewidth": 2}
    axes.add_artist(Rectangle((left, top), right - left, ROW, **look))
    if kind == "cut":
        teeth = [(right + 2, top)] + [(right - 7 * (k % 2), top + ROW * k / 6) for k in range(7)]
        axes.add_artist(Polygon([*teeth, (right + 2, top + ROW)], color="white", linewidth=0))
    write(axes, (left + right) / 2, top + ROW / 2, text, INK)


def write(axes, x, y, text, colour, align="center"):
    size = SIZE if align == "center" else style.SMALL
    axes.text(x, y, text, fontsize=size, color=colour, ha=align, va="center")
